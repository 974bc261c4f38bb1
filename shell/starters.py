"""The texts that `trionfi new` writes: a small game of one's own, and a variant of another."""

from __future__ import annotations

__all__ = ["GAME", "VARIANT"]

# A small but whole game. `{title}` is filled in.
GAME = """\
# A ruleset: the whole of a game. `trionfi validate`, `test`, `play`, `simulate` and `explain` work on this file.
# Change it step by step, and call `trionfi validate` after each. What stands behind a # is a comment.
trionfi: 1
name: {title}
about: Each plays one card a round; the highest takes them all, and who has taken the most cards wins.

# How many can play: one number, or from .. to.
players: 2..4

# The cards: `standard` (52) or `tarot` (78, upright and reversed), or a deck of your own.
deck: {{from: standard, ace: high}}

# What may be changed without writing another ruleset: trionfi play FILE --set hand_size=7
options:
  hand_size: {{default: 5, range: 1..13, about: "cards dealt to each player, and so the rounds played"}}
  low_wins: {{default: false, about: the lowest card takes the round}}

# The places for cards. `per: player`: one for each. `seen_by: owner`: only its owner sees what lies there.
table:
  stock: {{start: deck, face: down}}
  hand: {{per: player, seen_by: owner, face: down}}
  played: {{per: player, face: up, capacity: 1}}
  taken: {{per: player, face: down}}

# What has to be kept in mind between steps. `start: 0` is a number that begins at 0.
variables:
  leader: {{kind: player, about: who plays first in this round}}
  rounds_won: {{per: player, start: 0}}

# Expressions with a name. This one says how good a card is in this game.
define:
  strength(card): -card.rank.place if low_wins else card.rank.place

# The course of the game. Names that no line declares are the language's own: docs/language.md lists them.
play: |
  shuffle stock
  deal hand_size from stock to each hand
  leader = random player
  repeat hand_size times: play_round()

procedures:
  # Everyone plays a card, the leader first; of equal cards the first in the order of play takes the round.
  play_round(): |
    for each player starting leader:
      player chooses 1 card from player.hand as played_card
      move played_card to player.played
    let winner = the player starting leader with highest strength(player.played.top)
    for each player: move player.played to winner.taken
    add 1 to winner.rounds_won
    leader = winner

# The score of each player when the play is over. The highest wins.
result:
  score(player): player.taken.count

# What a simulation counts besides scores and wins: trionfi simulate FILE -n 1000
measures:
  rounds(player): player.rounds_won
  all_to_one: any player where player.rounds_won is hand_size

# Ways to play, for `--bot 2=eager`. For a decision's name, a script that picks.
# `opponents`: which of them plays against you at the table.
opponents: eager
strategies:
  # the best card first
  eager:
    played_card: pick the card in options with highest strength(card)

# What must be true; `trionfi test` checks it. Cards are dealt as `cards` says, all others by chance.
tests:
  - "everyone has a hand":
      players: 3
      moves: []
      expect:
        - p1.hand.count is 5 and p2.hand.count is 5 and p3.hand.count is 5
        - stock.count is 37
  - "the higher card takes both":
      players: 2
      options: {{hand_size: 1}}
      cards: {{p1.hand: [9h], p2.hand: [Kc]}}
      set: {{leader: p1}}
      moves: [p1: 9h, p2: Kc]
      expect: [p2.taken.count is 2, p1.taken is empty, p2.score is 2]
  - "or the lower one":
      players: 2
      options: {{hand_size: 1, low_wins: true}}
      cards: {{p1.hand: [9h], p2.hand: [Kc]}}
      set: {{leader: p1}}
      moves: [p1: 9h, p2: Kc]
      expect: p1.taken.count is 2
  - "of equal cards the first takes the round":
      players: 2
      options: {{hand_size: 1}}
      cards: {{p1.hand: [9h], p2.hand: [9c]}}
      set: {{leader: p2}}
      moves: [p2: 9c, p1: 9h]
      expect: p2.taken.count is 2
  - "all that was dealt is taken in the end":
      then: random
      expect: (sum of player.taken.count for each player) is 10
"""

# A variant: `{title}`, `{parent}` what it extends, an `{about}` line, `{options}` lines, `{low}` players.
VARIANT = """\
# A variant: only what is other than in {parent} stands here. `trionfi validate`, `test`, `play`, `simulate` and
# `explain` work on this file, and `trionfi compare {parent} FILE -n 10000` shows what the change does.
trionfi: 1
name: {title}
about: {about}

# The ruleset that this one changes: a name of the library, or a file beside this one.
extends: {parent}
{options}
# Any section may stand here: entries with a name that {parent} has replace its own, others are added to them.
# To leave something out, name it:
#   without: [measures.NAME, procedures.NAME]

# Its own tests; those of {parent} are not run for a variant. This one plays a whole game at random.
tests:
  - "a game of so few comes to its end":
      players: {low}
      then: random
      expect: players.count is {low}
"""
