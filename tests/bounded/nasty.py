"""Rulesets that are too large, too deep, or take too long, of any size: one kind for each way to be so.

As a script it reads them all, and starts a game of those that are right, within a limited process:
`python nasty.py SIZE [MEGABYTES] [SECONDS]`, a line for each kind.
"""

from __future__ import annotations

import resource
import sys
from collections.abc import Callable, Iterator

KINDS: dict[str, Callable[[int], str]] = {}
Kind = Callable[[int], str]

SECTIONS = {
    "trionfi": "1",
    "name": "Nasty",
    "players": "2",
    "deck": "{from: standard, ace: high}",
    "table": "{stock: {start: deck, face: down}, hand: {per: player, face: up}}",
    "play": "|\n  shuffle stock\n  deal 1 from stock to each hand\n",
    "result": "{score(player): player.hand.count}",
}
HUGE = 10**18  # where a literal is large, whatever the size


def game(script: str = "", **sections: str) -> str:
    """A game with other sections, and with these statements behind its deal."""
    whole = {**SECTIONS, **sections}
    whole["play"] += "".join(f"  {line}\n" for line in script.splitlines())
    return "".join(f"{name}: {text}\n" for name, text in whole.items())


def kind(make: Kind) -> Kind:
    KINDS[make.__name__] = make
    return make


def score(expression: str) -> str:
    """A result; in quotes, which all signs may stand in."""
    return f"\n  score(player): |\n    {expression}"


def entries(lines: Iterator[str]) -> str:
    return "\n" + "\n".join(f"  {line}" for line in lines)


def nested(head: Callable[[int], str], n: int, last: str = 'say "x"') -> str:
    """Statements in one another; with all their blanks they grow with the square."""
    n = min(n, 700)
    return "\n".join([" " * i + head(i) for i in range(n)] + [" " * n + last])


def doubled(first: str, body: Callable[[int], str], n: int) -> str:
    """Entries of which each says the one before it twice; sixty are as bad as a million."""
    return entries([first, *(body(i) for i in range(1, min(n, 60) + 1))].__iter__())


# ---- deep


@kind
def parentheses(n: int) -> str:
    return game(result=score(f"{'(' * n}1{')' * n}"))


@kind
def nots(n: int) -> str:
    return game(result=score(f"1 if {'not ' * n}true else 0"))


@kind
def minus_signs(n: int) -> str:
    return game(result=score("- " * n + "1"))


@kind
def sums(n: int) -> str:
    return game(result=score("1" + " + 1" * n))


@kind
def brackets(n: int) -> str:
    return game(result=score("player" + "[1]" * n))


@kind
def dots(n: int) -> str:
    return game(result=score("player" + ".hand" * n))


@kind
def lefts(n: int) -> str:
    return game(result=score("hand of " + "left of " * n + "player"))


@kind
def conditionals(n: int) -> str:
    return game(result=score("(1 if player.hand is empty else " * n + "2" + ")" * n))


@kind
def calls_in_calls(n: int) -> str:
    return game(define="{f(number n): n + 1}", result=score("f(" * n + "1" + ")" * n))


@kind
def queries_in_queries(n: int) -> str:
    return game(result=score("".join(f"(count of cards c{i} where (" for i in range(n)) + "true" + ") > 0)" * n))


@kind
def ifs(n: int) -> str:
    return game(nested(lambda i: "if stock is not empty:", n))


@kind
def loops(n: int) -> str:
    return game(nested(lambda i: "repeat 2 times:", min(n, 40), "deal up to 1 from stock to p1.hand"))


@kind
def loops_until(n: int) -> str:
    return game(nested(lambda i: "repeat until stock is empty:", min(n, 40), "deal up to 1 from stock to p1.hand"))


@kind
def menus(n: int) -> str:
    return game(nested(lambda i: f'"a{i}":' if i % 2 else f"p1 chooses as x{i}:", min(n, 300) // 2 * 2))


@kind
def yaml_lists(n: int) -> str:
    return game(variables="[" * n + "]" * n)


@kind
def yaml_open(n: int) -> str:
    return game(variables="{a: " * n)


@kind
def yaml_mappings(n: int) -> str:
    return game(variables="\n" + "".join(f"{' ' * (i + 1)}a:\n" for i in range(min(n, 700))))


@kind
def yaml_dashes(n: int) -> str:
    return game(variables="\n  " + "- " * n + "x")


@kind
def yaml_aliases(n: int) -> str:
    return game(variables=doubled("a0: &a0 [x, x]", lambda i: f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}]", n))


@kind
def row_of_procedures(n: int) -> str:
    lines = (f"q{i}(): q{i - 1}()" if i else 'q0(): say "x"' for i in range(n + 1))
    return game(f"q{n}()", procedures=entries(lines))


@kind
def row_of_procedures_upwards(n: int) -> str:
    lines = (f"q{i}(): q{i - 1}()" if i else 'q0(): say "x"' for i in reversed(range(n + 1)))
    return game(f"q{n}()", procedures=entries(lines))


@kind
def row_of_defines(n: int) -> str:
    lines = (f"d{i}(card): d{i - 1}(card)" if i else "d0(card): 1" for i in reversed(range(n + 1)))
    return game(define=entries(lines), result=score(f"sum of d{n}(card) for each card in player.hand"))


# ---- doubled


@kind
def doubled_defines(n: int) -> str:
    define = doubled("d0(card): 1", lambda i: f"d{i}(card): d{i - 1}(card) + d{i - 1}(card) mod 1000", n)
    return game(define=define, result=score(f"sum of d{min(n, 60)}(card) for each card in player.hand"))


@kind
def doubled_defines_of_numbers(n: int) -> str:
    define = doubled(
        "d0(number n): n", lambda i: f"d{i}(number n): d{i - 1}(n + n) mod 7 + d{i - 1}(n + n + 1) mod 7", n
    )
    return game(f"if d{min(n, 60)}(1) > 2: deal d{min(n, 60)}(1) from stock to p1.hand", define=define)


@kind
def doubled_keep(n: int) -> str:
    define = doubled(
        "d0(number n): n", lambda i: f"d{i}(number n): d{i - 1}(n + n) mod 7 + d{i - 1}(n + n + 1) mod 7", n
    )
    return game(define=define, deck=f'{{from: standard, ace: high, keep: "d{min(n, 60)}(1) > 0"}}')


@kind
def doubled_conditions(n: int) -> str:
    define = doubled("d0(): x > 3", lambda i: f"d{i}(): (d{i - 1}() and x > 1) or (not d{i - 1}() and x > 2)", n)
    asked = f"d{min(n, 60)}()"
    menu = f'p1 chooses as c:\n  "a" if {asked}: add 1 to x\n  "b" if not {asked}: add 1 to x'
    return game(menu, define=define, variables="{x: 0}")


@kind
def doubled_arguments(n: int) -> str:
    define = doubled("d0(number n): n > x", lambda i: f"d{i}(number n): d{i - 1}(n + n)", n)
    return game(f"repeat until d{min(n, 60)}(x):\n  if d{min(n, 60)}(x): add 1 to x", define=define, variables="{x: 0}")


@kind
def doubled_procedures(n: int) -> str:
    procedures = doubled('q0(): say "x"', lambda i: f"q{i}(): |\n    q{i - 1}()\n    q{i - 1}()", n)
    return game(f"q{min(n, 60)}()", procedures=procedures)


@kind
def doubled_procedures_of_deals(n: int) -> str:
    first = "q0(): deal up to 1 from stock to p1.hand"
    return game(
        f"q{min(n, 60)}()", procedures=doubled(first, lambda i: f"q{i}(): |\n    q{i - 1}()\n    q{i - 1}()", n)
    )


@kind
def doubled_procedures_of_ways(n: int) -> str:
    first, last = "q0(): add 1 to x", min(n, 60)
    procedures = doubled(first, lambda i: f"q{i}(): |\n    if x > {i}: q{i - 1}()\n    else: q{i - 1}()", n)
    return game(f"q{last}()\nrepeat until x > 3: q{last}()", procedures=procedures, variables="{x: 0}")


# ---- large numbers


@kind
def repeat_times(n: int) -> str:
    return game(f'repeat {HUGE} times: say "x"')


@kind
def repeat_times_nothing(n: int) -> str:
    return game(f"repeat {HUGE} times: x = 1", variables="{x: 0}")


@kind
def repeat_times_less(n: int) -> str:
    return game('repeat 300000000 times: say "x"')


@kind
def count_to(n: int) -> str:
    return game(f'for i from 1 to {HUGE}: say "x"')


@kind
def deal_times(n: int) -> str:
    return game(f"repeat {HUGE} times: deal up to 1 from stock to p1.hand")


@kind
def copies(n: int) -> str:
    return game(deck=f"{{from: standard, ace: high, copies: {HUGE}}}")


@kind
def piles(n: int) -> str:
    return game(table=f"{{stock: {{start: deck, face: down}}, hand: {{per: player, face: up}}, p: {{piles: {HUGE}}}}}")


@kind
def many_players(n: int) -> str:
    return game(players=f"2..{HUGE}")


@kind
def option_range(n: int) -> str:
    return game("deal up to o from stock to p1.hand", options=f"{{o: {{default: 1, range: 0..{HUGE}}}}}")


@kind
def choose_number(n: int) -> str:
    return game(f"p1 chooses number from 1 to {HUGE} as x\nx = x", variables="{x: 0}")


@kind
def capacity(n: int) -> str:
    return game(table=f"{{stock: {{start: deck, face: down}}, hand: {{per: player, face: up, capacity: {HUGE}}}}}")


# ---- many


@kind
def many_options(n: int) -> str:
    return game(options=entries(f"o{i}: {{default: 1, range: 0..3}}" for i in range(n)))


@kind
def many_variables(n: int) -> str:
    return game("\n".join(f"add 1 to v{i}" for i in range(n)), variables=entries(f"v{i}: 0" for i in range(n)))


@kind
def many_zones(n: int) -> str:
    own = ("stock: {start: deck, face: down}", "hand: {per: player, face: up}")
    return game(table=entries(iter([*own, *(f"z{i}: {{per: player, face: up}}" for i in range(n))])))


@kind
def many_defines(n: int) -> str:
    return game(define=entries(f"d{i}(card): {i}" for i in range(n)))


@kind
def many_procedures(n: int) -> str:
    called = "\n".join(f"q{i}()" for i in range(n))
    return game(called, procedures=entries(f'q{i}(): say "x"' for i in range(n)))


@kind
def many_decks(n: int) -> str:
    decks = entries(iter(["deck: {from: standard}", *(f"d{i}: {{from: standard}}" for i in range(n))]))
    return game(decks=decks).replace("deck: {from: standard, ace: high}\n", "", 1)


@kind
def many_ranks(n: int) -> str:
    return game(deck=f"{{suits: [a, b], ranks: [{', '.join(f'r{i}' for i in range(n))}]}}")


@kind
def many_named_cards(n: int) -> str:
    return game(deck=f"{{named: {{cards: [{', '.join(f'Card {i}' for i in range(n))}]}}}}")


@kind
def many_choices(n: int) -> str:
    return game(options=f"{{o: {{default: w0, choices: [{', '.join(f'w{i}' for i in range(n))}]}}}}")


@kind
def many_tests(n: int) -> str:
    return game(tests=entries(f'- "t{i}": {{expect: p1.hand is not empty}}' for i in range(n)))


@kind
def many_measures(n: int) -> str:
    return game(measures=entries(f"m{i}(player): player.hand.count" for i in range(n)))


@kind
def many_strategies(n: int) -> str:
    menu = 'p1 chooses as c:\n  "a": say "x"\n  "b": say "y"'
    return game(menu, strategies=entries(f's{i}: {{c: "pick \\"a\\""}}' for i in range(n)))


@kind
def many_statements(n: int) -> str:
    return game("\n".join(['say "x"'] * n))


@kind
def many_deals(n: int) -> str:
    return game("\n".join(["if stock.count > 3: deal 1 from stock to p1.hand"] * n))


@kind
def many_targets(n: int) -> str:
    """Each card of a deck with each."""
    targets = "".join(f"\n      t{i}: 1 card from stock" for i in range(n))
    table = "{stock: {start: deck, face: up}, hand: {per: player}, field: {plays: 3, face: up}}"
    effects = f"\n  2 of clubs:\n    targets:{targets} where card.rank is king"
    return game("p2 plays 2 of clubs", effects=effects, table=table)


@kind
def many_ways(n: int) -> str:
    return game('if stock is empty: say "x"' + '\nelse if stock is empty: say "x"' * n)


@kind
def many_labels(n: int) -> str:
    return game("p1 chooses as c:\n" + "\n".join(f'  "l{i}": say "x"' for i in range(n)))


@kind
def many_conditions(n: int) -> str:
    return game(result=score("1 if player.hand is empty" + " and player.hand is not empty" * n + " else 0"))


@kind
def many_arms(n: int) -> str:
    return game(result=score("1 if player.hand is empty, " * n + "else 2"))


@kind
def many_categories(n: int) -> str:
    listed = ", ".join(f'C{i}: "{2 + i % 3} alike"' for i in range(n))
    order = "alike: [rank], order: [category]"
    return game(rankings=f"{{r: {{of: 5 cards, categories: {{{listed}, Z: anything}}, {order}}}}}")


@kind
def many_facts(n: int) -> str:
    facts = ", ".join(["2 alike"] * n)
    order = "alike: [rank], order: [category]"
    return game(rankings=f'{{r: {{of: 13 cards, categories: {{A: "{facts}", Z: anything}}, {order}}}}}')


@kind
def many_libraries(n: int) -> str:
    return game(use=f"{{{', '.join(f'lib{i}: {{}}' for i in range(n))}}}")


@kind
def many_holes(n: int) -> str:
    return game(f'say "{"{p1}" * n}"')


@kind
def many_comments(n: int) -> str:
    return game() + "# x\n" * n


# ---- many mistakes


@kind
def unknown_names(n: int) -> str:
    return game("\n".join(f"add 1 to no_such_{i}" for i in range(n)))


@kind
def unknown_keys(n: int) -> str:
    return game(variables=entries(f"v{i}: {{strat: 0}}" for i in range(n)))


@kind
def unknown_sections(n: int) -> str:
    return game() + "".join(f"section{i}: 1\n" for i in range(n))


@kind
def same_keys(n: int) -> str:
    return game(variables=entries("v: 0" for _ in range(n)))


@kind
def wrong_names(n: int) -> str:
    return game(variables=entries(f'"v {i}": 0' for i in range(n)))


@kind
def wrong_statements(n: int) -> str:
    return game("\n".join(["deal deal 1"] * n))


@kind
def wrong_columns(n: int) -> str:
    return game(variables="\n" + "".join(f"    a{i}: 0\n   b{i}: 0\n" for i in range(n)))


@kind
def second_colons(n: int) -> str:
    return game(variables=entries(f"a{i}: 0: 0" for i in range(n)))


@kind
def anchors(n: int) -> str:
    return game(variables=entries(f"a{i}: &a{i} 0" for i in range(n)))


@kind
def tabs(n: int) -> str:
    return game() + "\t# x\n\n" * n


@kind
def control_signs(n: int) -> str:
    return game(about="\x07x" * n)


@kind
def documents(n: int) -> str:
    return game() + "---\na: 1\n" * n


@kind
def quotes(n: int) -> str:
    return game(about='"x" ' * n)


@kind
def question_marks(n: int) -> str:
    return "? " * n + "x\n" + game()


# ---- long words


@kind
def long_line(n: int) -> str:
    return game(about="x " * n)


@kind
def long_line_with_a_mistake(n: int) -> str:
    return game(about="x " * n + ": x " * 3)


@kind
def long_name(n: int) -> str:
    return game(variables=f"{{{'v' * n}: 0}}")


@kind
def long_unknown_name(n: int) -> str:
    return game(f"add 1 to {'v' * n}")


@kind
def long_text(n: int) -> str:
    return game(f'say "{"x" * n}"')


def read(text: str) -> str:
    """What comes of it: the codes of all messages, or `played`."""
    from trionfi.dsl import read_game
    from trionfi.interpreter.errors import GameError
    from trionfi.interpreter.rules import Rules

    ruleset, diagnostics = read_game("nasty.yaml", text)
    shown = sum(len(str(one)) for one in diagnostics)
    assert shown < 1 << 18, "messages are short"
    if ruleset is None:
        return " ".join(sorted({one.code for one in diagnostics if one.severity == "error"}))
    try:
        started = Rules(ruleset).start(seed=1, engine="reference", quiet=True)
        for _ in range(3):
            if started.decision is not None:
                started.apply(0)
    except GameError as error:
        return error.code
    return "played"


def main(size: int, megabytes: int = 500, seconds: int = 100) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    for name, make in KINDS.items():
        print(f"{name}:", end=" ", flush=True)
        print(read(make(size)), flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
