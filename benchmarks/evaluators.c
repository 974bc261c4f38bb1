/* Plain loops for the same work as the compiled evaluators: what somebody writes who knows only this one game. */

#include <stdint.h>

/* ---- poker: the best five of seven cards; card = 13 * suit + rank, two first, ace last */

static inline unsigned top_of_run(unsigned ranks)
{
    unsigned line = ranks << 1 | ranks >> 12;
    line &= line << 1;
    line &= line << 2;
    line &= line << 1;
    return line ? 31 - __builtin_clz(line) : 0;
}

static inline unsigned keep_highest(unsigned ranks, int count)
{
    while (__builtin_popcount(ranks) > count)
        ranks &= ranks - 1;
    return ranks;
}

static inline unsigned highest(unsigned ranks)
{
    return 1u << (31 - __builtin_clz(ranks));
}

static inline int64_t worth(int category, unsigned first, unsigned second)
{
    return (int64_t)category << 32 | (int64_t)first << 16 | second;
}

static int64_t poker_seven(const uint8_t *cards)
{
    unsigned suits[4] = {0, 0, 0, 0};
    unsigned one = 0, two = 0, three = 0, four = 0, flush = 0;
    for (int i = 0; i < 7; i++)
        suits[cards[i] / 13] |= 1u << cards[i] % 13;
    for (int s = 0; s < 4; s++) {
        if (__builtin_popcount(suits[s]) >= 5)
            flush = suits[s];
        four |= three & suits[s];
        three |= two & suits[s];
        two |= one & suits[s];
        one |= suits[s];
    }
    if (flush) {
        unsigned top = top_of_run(flush);
        if (top)
            return worth(8, top, 0);
    }
    if (four)
        return worth(7, four, highest(one ^ four));
    if (three) {
        unsigned first = highest(three), second = two ^ first;
        if (second)
            return worth(6, first, highest(second));
    }
    if (flush)
        return worth(5, keep_highest(flush, 5), 0);
    unsigned top = top_of_run(one);
    if (top)
        return worth(4, top, 0);
    if (three)
        return worth(3, three, keep_highest(one ^ three, 2));
    if (two & (two - 1)) {
        unsigned pairs = keep_highest(two, 2);
        return worth(2, pairs, highest(one ^ pairs));
    }
    if (two)
        return worth(1, two, keep_highest(one ^ two, 3));
    return worth(0, keep_highest(one, 5), 0);
}

void poker_rows(const uint8_t *rows, int64_t count, int64_t *out)
{
    for (int64_t i = 0; i < count; i++)
        out[i] = poker_seven(rows + 7 * i);
}

/* ---- Two-Win: two of four cards with three of five; card = 0..77, reversed + 78. Each card's facts come in tables:
 * its rank (two is 0, ace 13), its suit (majors have three of their own), and whether it is a major. */

struct card {
    int rank, suit, major, upright;
};

static int64_t two_win_five(const struct card *hand[5])
{
    int count[28] = {0}, majors[28] = {0}, all_majors = 0, flush = 1, one_way = 1;
    unsigned ranks = 0;
    for (int i = 0; i < 5; i++) {
        int place = 2 * hand[i]->rank + hand[i]->upright;
        count[place]++;
        majors[place] += hand[i]->major;
        all_majors += hand[i]->major;
        ranks |= 1u << hand[i]->rank;
        one_way &= hand[i]->upright == hand[0]->upright;
        flush &= hand[i]->suit == hand[0]->suit;
    }
    flush &= one_way;
    unsigned line = ranks << 1 | ranks >> 13;
    line &= line << 1;
    line &= line << 2;
    line &= line << 1;
    int64_t any = (int64_t)(all_majors > 0) << 50;
    if (line && one_way) {
        int top = 2 * (31 - __builtin_clz(line) - 1) + hand[0]->upright;
        return any | (int64_t)(flush ? 8 : 4) << 44 | top << 4 | all_majors;
    }
    int pairs = 0, threes = 0, fours = 0;
    for (int place = 0; place < 28; place++) {
        fours += count[place] >= 4;
        threes += count[place] == 3;
        pairs += count[place] == 2;
    }
    int category = fours ? 7 : threes && pairs ? 6 : flush ? 5 : threes ? 3 : pairs == 2 ? 2 : pairs ? 1 : 0;
    int largest = category == 5 ? 1 : 4;
    int64_t key = 0;
    for (int size = largest; size >= 1; size--)
        for (int place = 27; place >= 0; place--)
            while (count[place] >= size && (size == 1 || count[place] == size || size == 4)) {
                int taken = majors[place] < size ? majors[place] : size;
                key = key << 8 | (place + 1) << 3 | taken;
                count[place] -= size;
                majors[place] -= taken;
            }
    return any | (int64_t)category << 44 | key;
}

void two_win_rows(const struct card *cards, const uint8_t *own, const uint8_t *internal, int64_t count, int64_t *out)
{
    static const int pairs[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    static const int threes[10][3] = {{0, 1, 2}, {0, 1, 3}, {0, 1, 4}, {0, 2, 3}, {0, 2, 4},
                                      {0, 3, 4}, {1, 2, 3}, {1, 2, 4}, {1, 3, 4}, {2, 3, 4}};
    for (int64_t i = 0; i < count; i++) {
        int64_t best = -1;
        for (int p = 0; p < 6; p++)
            for (int t = 0; t < 10; t++) {
                const struct card *hand[5];
                for (int k = 0; k < 2; k++)
                    hand[k] = cards + own[4 * i + pairs[p][k]];
                for (int k = 0; k < 3; k++)
                    hand[2 + k] = cards + internal[5 * i + threes[t][k]];
                int64_t found = two_win_five(hand);
                if (found > best)
                    best = found;
            }
        out[i] = best;
    }
}
