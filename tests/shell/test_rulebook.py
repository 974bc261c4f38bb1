"""The rulebook: the author's chapters with the values that options have, in every variant; what is worked out beside
them; the ways in which it is written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from itertools import chain
from pathlib import Path

import pytest

from trionfi.dsl import read_ruleset
from trionfi.dsl.library import library_games
from trionfi.interpreter.ranking import rank
from trionfi.interpreter.rules import Rules, load
from trionfi.shell.hand_examples import example_hands
from trionfi.shell.prose.page import Block, html_lines, markdown_lines, terminal_lines
from trionfi.shell.prose.parts import rules_of_moment
from trionfi.shell.prose.rulebook import rulebook, rulebook_lines

GAMES = sorted(library_games())
library = cache(load)  # of names, without options

GAME = """
trionfi: 1
name: Small <game>
players: 2
deck: standard
options:
  goal: {default: 30, range: 0..1000}
  pace: {default: 60, range: 0..1000}
  way: {choices: [up, far_down], default: up}
  share: {kind: ratio, default: 3:2}
  quick: {default: false}
table:
  stock: {start: deck, face: down}
  hand: {per: player, seen_by: owner}
play: |
  shuffle stock
  for each player: ask(player)
procedures:
  ask(player): |
    player chooses as answer:
      "yes": say "yes"
      "no": say "no"
define:
  most(): 2 * goal
result:
  score(player): 0
rulebook:
  score:
    - Who has {goal} wins, {most()} is most, {way} is the way, {share} is paid.
    - '{pace / 7 rounded down}{" chip" if pace is 7 else " chips"}.'
  idea: One paragraph & no *list*.
  play:
    - if: quick
      text: Fast.
      else: Slow.
    - if: goal / 7 > 4
      text: Long.
    - text: Say yes or no.
      decision: answer
    - - A point.
      - if: way is far_down
        text: Another.
      - text: A point about it.
        decision: answer
"""


@pytest.fixture
def small(tmp_path: Path) -> Path:
    path = tmp_path / "small.yaml"
    path.write_text(GAME, encoding="utf-8")
    return path


def book(rules: Rules, full: bool = False) -> str:
    """In one line, so that a sentence can be looked for."""
    return " ".join(" ".join(rulebook_lines(rules.ruleset, 80, rules.values, full)).split())


# ---- the author's chapters


def test_values_stand_in_the_text_and_chapters_in_their_order(small: Path) -> None:
    text = book(load(str(small)))
    assert "Who has 30 wins, 60 is most, up is the way, 3:2 is paid. 8 chips." in text
    assert "Slow. Long. Say yes or no. * A point. * A point about it." in text
    assert "Another" not in text
    order = [text.index(title) for title in ("The idea", "The play", "Scoring and the end", "For reference")]
    assert order == sorted(order)


def test_options_that_are_set_change_it(small: Path) -> None:
    rules = load(str(small), {"goal": 35, "pace": 7, "way": "far_down", "quick": True})
    text = book(rules)
    assert "Told with goal: 35, pace: 7, way: far down and quick: yes." in text
    assert "Who has 35 wins, 70 is most, far down is the way" in text
    assert "1 chip." in text
    assert "Fast. Long." in text
    assert "Another." in text


def test_the_exact_course_comes_with_full_and_where_the_author_tells_nothing(small: Path) -> None:
    rules = load(str(small))
    assert "[1. The game]" not in book(rules)
    assert "[1. The game]" in book(rules, full=True)
    small.write_text(GAME.partition("rulebook:")[0], encoding="utf-8")
    assert "[1. The game]" in book(load(str(small)))


def test_the_rules_of_the_moment_are_what_is_told_about_a_choice(small: Path) -> None:
    rules = load(str(small))
    assert [*rules_of_moment(rules.ruleset, "answer", 40)] == ["Say yes or no.", "", "A point about it."]
    small.write_text(GAME.partition("rulebook:")[0], encoding="utf-8")
    assert "chooses one of these" in " ".join(rules_of_moment(load(str(small)).ruleset, "answer", 40))


@pytest.mark.parametrize(
    ("slip", "message", "words"),
    [
        ("  deal: [A, '{gaol}']", "there is no name `gaol`", "gaol"),
        ("  deal: [A, '{p1.hand.count}']", "known in play only", "p1.hand"),
        ("  deal: [A, '{goal']", "a brace in a label", "{goal"),
        ("  deal: [{if: stock.count > 3, text: B}]", "known in play only", "stock"),
        ("  deal: [{if: goal, text: B}]", "a truth (yes or no) was wanted", "goal"),
        ("  deal: ['{hand_of()}']", "no define or procedure `hand_of`", "hand_of"),
        ("  deal: ['{goal / (pace - 60)}']", "cannot be worked out", "goal / (pace - 60"),
        ("  deal: ['{\"a\" if quick else 3}']", "a text in quotes is wanted", "3"),
        ("  deal: ['{2 of clubs}']", "a card cannot be said in a rulebook", "2 of clubs"),
        ("  deal: [{if: quick, txet: B}]", "a paragraph has no key `txet`", "txet"),
        ("  deal: [{if: quick}]", "needs the key `text`", "{if: quick}"),
        ("  deal: [{text: B, else: C}]", "needs the key `if`", "{text: B, else: C}"),
        ("  deal: [{text: B, decision: anser}]", "there is no decision `anser`", "anser"),
        ("  dael: [B]", "has no key `dael`", "dael"),
    ],
)
def test_what_is_wrong_is_told_where_it_stands(slip: str, message: str, words: str) -> None:
    ruleset, diagnostics = read_ruleset("small.yaml", f"{GAME.strip()}\n{slip}\n")
    assert ruleset is None
    found = diagnostics.found[0]
    assert message in found.message
    assert words in found.span.text
    assert len(diagnostics.found) == 1


def test_a_paragraph_of_a_condition_that_nobody_can_answer_says_so(small: Path) -> None:
    small.write_text(GAME.replace("if: goal / 7 > 4", "if: goal / pace > 4"), encoding="utf-8")
    text = book(load(str(small), {"pace": 0}))
    assert "If the goal divided by the pace is more than 4: Long." in text


# ---- variants


def test_a_variant_tells_what_differs(small: Path, tmp_path: Path) -> None:
    (tmp_path / "other.yaml").write_text(
        "trionfi: 1\nname: Other\nextends: small\nwithout: [rulebook.idea]\n"
        "options: {quick: {default: true}}\nrulebook: {idea: Quite new., score: [The last word.]}\n",
        encoding="utf-8",
    )
    text = book(load(str(tmp_path / "other.yaml")))
    differs, _, rest = text.partition("The idea")
    assert "What differs from Small <game>" in differs
    assert "Quite new. Fast. The last word. Options that are set otherwise: * Quick: yes, not no." in differs
    assert "One paragraph" not in text
    assert "8 chips. The last word. For reference" in rest  # behind what the parent says
    assert "What differs" not in book(load(str(small)))


def test_what_a_library_tells_comes_last_in_its_chapter(small: Path, tmp_path: Path) -> None:
    (tmp_path / "more.yaml").write_text(
        "trionfi: 1\nlibrary: More\noptions: {speed: {default: 4}}\nrulebook: {idea: ['The speed is {speed}.']}\n",
        encoding="utf-8",
    )
    small.write_text(GAME.replace("deck: standard", "deck: standard\nuse: {more: {}}"), encoding="utf-8")
    text = book(load(str(small)))
    assert "One paragraph & no *list*. The speed is 4." in text
    assert text.count("The speed is 4.") == 1


# ---- how it is written


class Reader(HTMLParser):
    """Follows the tags; keeps the text."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        if tag not in ("meta",):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def pages(rules: Rules) -> list[Block]:
    return list(rulebook(rules.ruleset, rules.values, True, example_hands(rules)))


def test_html_is_one_page_with_everything_escaped(small: Path) -> None:
    rules = load(str(small))
    reader = Reader()
    reader.feed("\n".join(html_lines(rules.name, pages(rules))))
    reader.close()
    assert reader.open == []
    assert "".join(reader.text).count("Small <game>") == 2
    assert "One paragraph & no *list*." in "".join(reader.text)
    assert not reader.tags & {"script", "link", "img", "game"}
    assert "prefers-color-scheme: dark" in "".join(reader.text)


def test_markdown_quotes_what_would_mean_something(small: Path) -> None:
    rules = load(str(small))
    text = "\n".join(markdown_lines(pages(rules)))
    assert text.startswith("# Small \\<game\\>\n")
    assert "One paragraph & no \\*list\\*." in text
    assert "\n- A point.\n- A point about it.\n" in text
    assert re.findall(r"^#+", text, re.MULTILINE).count("#") == 1


def written(rules: Rules) -> Iterator[str]:
    blocks = pages(rules)
    return chain(terminal_lines(blocks, 60), markdown_lines(blocks), html_lines(rules.name, blocks))


@pytest.mark.parametrize("name", GAMES)
def test_each_game_has_chapters_in_every_form_without_numbers_of_rulings(name: str) -> None:
    rules = library(name)
    lines = [*written(rules)]
    text = " ".join(lines)
    told = {chapter.name for chapter in rules.ruleset.rulebook}
    assert told == {"idea", "deal", "play", "score", "example"}
    assert not re.findall(r"\b[WATS]\d{1,2}\b", text)
    assert "the played" not in text
    assert "the above" not in text
    assert not re.findall(r"\b(\w+) = \1\b", text)


def option_settings(rules: Rules) -> Iterator[dict[str, object]]:
    """Each option by itself at its ends and words."""
    for option in rules.ruleset.options.values():
        if option.type.kind == "enum":
            values: list[object] = [*rules.ruleset.enumerations[option.type.name].members]
        elif option.type.kind == "truth":
            values = [True, False]
        else:
            values = [value for value in (option.low, option.high) if value is not None]
        for value in values:
            yield {option.name: value}


@pytest.mark.parametrize("name", GAMES)
def test_the_chapters_hold_no_hole_under_any_option(name: str) -> None:
    rules = library(name)
    for settings in option_settings(rules):
        amounts = {"minimum_bet": settings["chip"], "chips": settings["chip"]} if "chip" in settings else {}
        given = {**{key: value for key, value in amounts.items() if key in rules.ruleset.options}, **settings}
        if given.get("chip", 0) == 1_000_000 and "ante" in rules.ruleset.options:
            given["ante"] = 0
        text = book(rules.with_options(given))
        assert not re.search(r"[{}]|  |\.\.|, \.| ,|\bNone\b| \.", text.partition("For reference")[0]), given


@pytest.mark.parametrize("name", ["two-win", "arcana-poker", "no-limit-holdem"])
def test_hands_have_an_example_that_is_one(name: str) -> None:
    rules = library(name)
    for ranking, hands in example_hands(rules).items():
        assert hands
        for category, cards in hands.items():
            value = rank(rules, ranking, [cards.split(", ")])
            assert value is not None
            assert value.category == category
            assert f"such as {cards}" in " ".join(" ".join(terminal_lines(pages(rules), 80)).split())


# ---- what is worked out, in the right words


def told(text: str) -> str:
    ruleset, diagnostics = read_ruleset("told.yaml", f"trionfi: 1\nname: Told\nplayers: 3\ndeck: standard\n{text}")
    assert ruleset is not None, [str(one) for one in diagnostics]
    return " ".join(" ".join(rulebook_lines(ruleset, 80)).split())


SMALL_TABLE = "table: {stock: {start: deck, face: down}, hand: {per: player}}\n"


def test_nested_cases_keep_their_brackets() -> None:
    text = told(
        f"{SMALL_TABLE}options: {{a: {{default: false}}, level: {{default: 7, range: 1..7}}}}\nplay: shuffle stock\n"
        "define:\n  slam(): (1500 if a else 1000) if level is 7, (750 if a else 500) if level is 6, else 0\n"
        "result: {score(player): slam()}\n"
    )
    wanted = (
        '(1500 if the option "a" is set, otherwise 1000) if the level is 7, '
        '(750 if the option "a" is set, otherwise 500) if the level is 6, otherwise 0'
    )
    assert f"The slam: {wanted}." in text


def test_a_return_ends_and_seats_that_begin_are_named() -> None:
    text = told(
        f"{SMALL_TABLE}variables: {{ready: {{per: player, start: true}}, first_seat: {{kind: player}}}}\n"
        "play: |\n  first_seat = p3\n  let above = count_up(p1, 3)\n"
        "  first_seat = the player starting first_seat where player.ready\n"
        "procedures:\n  count_up(player, number n): |\n    if stock.count > 40: return n\n    return 2\n"
        "result: {score(player): sum of (-2 if card.rank is ace else 1) for each card in player.hand}\n"
    )
    assert "is more than 40, this ends here with the result n." in text
    assert "This ends here with the result 2." in text
    assert "becomes the first ready player, in turn from the first seat." in text
    assert "with 3 as n; its result" in text
    assert 'the number "above"' in text
    assert "the sum over each card in the player's hand of (-2 if its rank is ace, otherwise 1)" in text


def test_what_may_be_looked_through_is_as_the_option_says() -> None:
    closed, words = load("tarot-tennessee", {"review": False}), "nobody may look through it later"
    assert words not in book(library("tarot-tennessee"), full=True)
    assert words in book(closed, full=True)


def test_how_cards_lie_counts_only_where_a_rule_looks() -> None:
    words = "Cards lie upright or reversed, and it counts which"
    assert words in book(library("two-win"))
    assert not any(words in book(library(name)) for name in ("tarot-tennessee", "arcana-poker", "tarot-holdem"))


def test_majors_have_their_numbers_and_kinds_their_words() -> None:
    text = book(library("two-win"), full=True)
    assert "0 The Fool, 1 The Magician" in text
    assert "21 The World" in text
    assert "Win: no win, one win or two win." in text
    assert 'the option "above"' in book(library("tarot-tennessee"), full=True)


@pytest.mark.parametrize("name", GAMES)
def test_the_book_shows_no_names_as_they_are_typed(name: str) -> None:
    text = "\n".join(rulebook_lines(library(name).ruleset, 80))
    assert not re.findall(r"\w+_\w+|`|\b\w+\.\d\b", text)


def test_words_of_options_stand_in_quotes() -> None:
    text = told(
        f"{SMALL_TABLE}options: {{way: {{choices: [up, up_or_down], default: up}}}}\nplay: shuffle stock\n"
        "define:\n  gain(): 1 if way is not up_or_down, else 2\nresult: {score(player): gain()}\n"
    )
    assert 'The gain: 1 if the option "way" is not "up or down", otherwise 2.' in text
    assert 'Way: "up" (or "up or down").' in text


def test_what_is_counted_is_said_in_words() -> None:
    text = told(
        f"{SMALL_TABLE}play: shuffle stock\n"
        "totals: {tally: {values(card): card.rank.number or 1, at most: 21}}\n"
        "define:\n  digit(card): card.number mod 10\n  left_over(number n): n mod 7\n  raised(rank): rank.next\n"
        "  worth(cards dealt, cards added): -1 if tally(dealt + added).bust, else digit(top_one(dealt))\n"
        "  top_one(cards): the card in cards with highest raised(card.rank)\n"
        "  face_up(player): all cards in player.hand where card.face is up\n"
        "result:\n  score(player): worth(face_up(player), none) + left_over(8)\n"
    )
    assert "The digit of a card: the last digit of the card's number." in text
    assert "the remainder of n divided by 7" in text
    worth = "The worth of cards dealt with the cards added: -1 if the tally of the cards dealt and the cards added is over 21"
    assert worth in text
    assert "A rank raised: the one after it." in text
    assert "A player's face up cards: all face-up cards in the player's hand." in text


def test_the_reference_part_leaves_scripts_to_the_course_of_play() -> None:
    """What only a script asks is left to it; so are the reasons why a card is refused."""
    text, whole = book(library("arcana-poker")), book(library("arcana-poker"), full=True)
    for words in ("When it is played:", "restock", "A card is hidden if", "players are told"):
        assert words not in text
        assert words in whole
    for words in ("While in force: each of the targets has suit hearts.", "A player's reach:", "Draw two arcana."):
        assert words in text
        assert words in whole


@pytest.mark.parametrize("follow", [True, False])
def test_tennessee_as_written_tells_its_tricks_as_its_options_are(follow: bool) -> None:
    text = book(load("tarot-tennessee-as-written", {"follow_suit": follow}))
    assert ("Any card may be played, whatever was led" in text) is not follow
    assert "Trump beats every other card" in text
    assert "If both values are equal, the leader wins." in text
