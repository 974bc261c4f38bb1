"""What is too large, too deep or takes too long is refused with a message that points, on every machine alike."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from trionfi.cli import run
from trionfi.dsl import limits, read_ruleset, tree
from trionfi.dsl.analysis.trials import Trials
from trionfi.dsl.analysis.tried import steps_for
from trionfi.dsl.diagnostics import Diagnostic, Diagnostics, ReadingStops, render
from trionfi.dsl.library import library_games
from trionfi.dsl.tree.walk import scripts, walk
from trionfi.interpreter.errors import GameError
from trionfi.interpreter.rules import Rules, load
from trionfi.shell import validating

from . import nasty
from .nasty import doubled, entries, game, nested, score

SIZE = 400  # of each kind; the limits lie at some 5,000 entries


def only_message(text: str) -> Diagnostic:
    ruleset, diagnostics = read_ruleset("nasty.yaml", text)
    assert ruleset is None
    (message,) = [one for one in diagnostics if one.severity == "error"]
    return message


def test_all_kinds_are_read_or_refused_within_a_limited_process(test_size: float) -> None:
    """Of processor time and memory; what hangs, or fails otherwise, is the last that is named."""
    size, seconds = round(SIZE * max(1, min(test_size, 11))), 60 if test_size <= 1 else 1500
    call = [sys.executable, nasty.__file__, str(size), "700", str(seconds)]
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    said = dict(line.split(": ", 1) for line in done.stdout.splitlines())
    assert list(said) == list(nasty.KINDS)
    assert "yaml-syntax" not in {code for name, codes in said.items() for code in codes.split() if "yaml" not in name}


# ---- deep


DEEP = {
    "ifs": (game(nested(lambda i: "if stock is not empty:", 300)), 40),
    "nots": (game(result=score(f"1 if {'not ' * 400}true else 0")), 12),
    "sums": (game(result=score("1" + " + 1" * 100)), 12),
    "calls in calls": (game(define="{f(number n): n}", result=score("f(" * 100 + "1" + ")" * 100)), 12),
    "conditionals": (game(result=score("(1 if true else " * 80 + "2" + ")" * 80)), 12),
    "a row of procedures": (nasty.row_of_procedures(2000), 76),
    "a row of procedures upwards": (nasty.row_of_procedures_upwards(2000), 1950),
    "a row of defines": (nasty.row_of_defines(2000), 1950),
}


@pytest.mark.parametrize("name", DEEP)
def test_what_is_nested_too_deep_has_one_message_with_its_place(name: str) -> None:
    text, line = DEEP[name]
    message = only_message(text)
    assert message.code == "nested-script"
    assert message.message.startswith("script is nested at most 64 deep, and this ")
    assert message.span.line == line


DEEPEST = {
    "ifs": game(nested(lambda i: "if stock is not empty:", 30)),
    "loops": game(nested(lambda i: "while stock is empty:", 12, "shuffle stock")),
    "menus": game(nested(lambda i: f'"a{i}":' if i % 2 else f"p1 chooses as x{i}:", 40)),
    "nots": game(result=score(f"1 if {'not ' * 58}true else 0")),
    "sums": game(result=score("player.hand.count" + " + 1" * 58)),
    "calls in calls": game(define="{f(number n): n + 1}", result=score("f(" * 19 + "1" + ")" * 19)),
    "conditionals": game(result=score("(1 if player.hand is empty else " * 28 + "2" + ")" * 28)),
    "a row of procedures": nasty.row_of_procedures(60),
    "a row of procedures upwards": nasty.row_of_procedures_upwards(60),
    "a row of defines": nasty.row_of_defines(58),
}


@pytest.fixture
def shallow_stack() -> Iterator[None]:
    """A caller who has used up some of Python's stack already."""
    before, frame, depth = sys.getrecursionlimit(), sys._getframe(), 0
    while frame.f_back is not None:
        frame, depth = frame.f_back, depth + 1
    sys.setrecursionlimit(depth + 900)
    yield
    sys.setrecursionlimit(before)


@pytest.mark.usefixtures("shallow_stack")
@pytest.mark.parametrize("engine", ["reference", "native"])
@pytest.mark.parametrize("name", DEEPEST)
def test_what_is_just_not_too_deep_is_read_told_and_played(name: str, engine: str, tmp_path: Path) -> None:
    path = tmp_path / "deep.yaml"
    path.write_text(DEEPEST[name])
    if engine == "reference":
        assert run(["explain", str(path)]) == 0
    rules = load(str(path))
    played = rules.start(seed=1, engine=engine)
    for _ in range(30):
        if played.decision is not None:
            played.apply(0)
    assert played.over


# ---- doubled


def test_what_calls_out_to_too_much_is_refused_at_the_call() -> None:
    message = only_message(nasty.doubled_defines(30))
    assert message.code == "too-many-parts"
    assert (message.span.line, message.span.text) == (26, "d11(card)")
    assert message.message == "with all that it calls written out this has 32,761 parts, more than 20,000"


def test_all_together_have_a_limit_too() -> None:
    define = doubled("d0(card): 1", lambda i: f"d{i}(card): d{i - 1}(card) + d{i - 1}(card) mod 1000", 9)
    more = entries(f"e{i}(card): d9(card)" for i in range(300))
    message = only_message(game(define=define + more))
    assert message.code == "too-many-parts"
    assert message.message.startswith("all script, with what it calls written out, has more than 1,000,000 parts")


@pytest.mark.parametrize(("queries", "fine"), [(2, True), (3, True), (5, False), (12, False)])
def test_queries_in_queries_come_to_a_part_only_so_often(queries: int, fine: bool) -> None:
    """Three over a pack of 52 come to 140,608 times, five to 380 million."""
    asked = "".join(f"any card c{i} where " for i in range(queries))
    last = " and ".join(f"c{i} is not c0" for i in range(1, queries))
    ruleset, diagnostics = read_ruleset("nasty.yaml", game(result=score(f"1 if {asked}{last} else 0")))
    assert (ruleset is not None) is fine
    assert [one.code for one in diagnostics] == ([] if fine else ["too-much-work"])


def test_no_work_grows_with_a_literal() -> None:
    for text in (nasty.repeat_times(1), nasty.count_to(1), nasty.repeat_times_nothing(1), nasty.deal_times(1)):
        ruleset, diagnostics = read_ruleset("nasty.yaml", text)
        assert ruleset is not None
        assert {one.code for one in diagnostics} <= {"never-read"}


def test_a_loop_that_deals_too_much_is_found_however_often_it_turns() -> None:
    ruleset, diagnostics = read_ruleset("nasty.yaml", game("repeat 20 times: deal 3 from stock to p1.hand"))
    assert ruleset is None
    assert [one.code for one in diagnostics] == ["not-enough-cards"]


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_a_dry_run_that_takes_too_long_says_nothing(engine: str) -> None:
    """Ten loops in one another, each of which has to stand still: it ends, and the game is played."""
    rules = load("nasty.yaml", text=nasty.loops(9))
    assert rules.start(seed=1, engine=engine).over


# ---- many


def test_reading_stops_after_too_many_errors() -> None:
    ruleset, diagnostics = read_ruleset("nasty.yaml", nasty.wrong_names(4000))
    assert ruleset is None
    found = list(diagnostics)
    assert len(found) == limits.MOST_MESSAGES + 1
    assert [one.code for one in found] == ["not-a-name"] * limits.MOST_MESSAGES + ["too-many-messages"]
    assert found[-1].span.line == found[-2].span.line + 1


def test_warnings_are_not_told_without_end_either() -> None:
    ruleset, diagnostics = read_ruleset("nasty.yaml", nasty.many_defines(300))
    assert ruleset is not None
    assert [one.code for one in diagnostics].count("unused") == limits.MOST_MESSAGES
    assert [one.code for one in diagnostics].count("too-many-messages") == 1
    assert not diagnostics.has_errors


def test_the_same_message_is_kept_once_and_counted_once() -> None:
    _, found = read_ruleset("nasty.yaml", game("add 1 to x"))
    (message,) = found
    kept = Diagnostics()
    for _ in range(1000):
        kept.add(message)
    assert len(kept) == 1
    for place in range(limits.MOST_MESSAGES - 1):
        kept.error(message.code, f"{place}", message.span)
    with pytest.raises(ReadingStops):
        kept.error(message.code, "one too many", message.span)


@pytest.mark.parametrize("kind", ["long_line_with_a_mistake", "long_unknown_name"])
def test_messages_are_short_however_long_the_line(kind: str) -> None:
    _, diagnostics = read_ruleset("nasty.yaml", nasty.KINDS[kind](50_000))
    for diagnostic in diagnostics:
        shown = render(diagnostic).splitlines()
        assert max(map(len, shown)) < 2 * limits.MOST_SHOWN
        marked, under = shown[1], shown[2]
        assert marked[under.index("^")] == diagnostic.span.text[0]
        assert len(str(diagnostic.to_dict())) < 4 * limits.MOST_SHOWN


# ---- large


def test_a_file_of_too_many_bytes_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "large.yaml"
    path.write_text(game() + "#" * limits.MOST_BYTES)
    _, diagnostics = read_ruleset(str(path))
    assert [one.code for one in diagnostics] == ["too-large"]


def test_what_a_ruleset_is_made_of_counts_together(tmp_path: Path) -> None:
    filler = "#" * (limits.MOST_BYTES // 10) + "\n"
    for number in range(12):
        parent = f"extends: g{number - 1}\n" if number else ""
        own = game() if not number else f"trionfi: 1\nname: G{number}\n"
        (tmp_path / f"g{number}.yaml").write_text(own + parent + filler)
    assert read_ruleset(str(tmp_path / "g5.yaml"))[0] is not None
    assert [one.code for one in read_ruleset(str(tmp_path / "g11.yaml"))[1]] == ["too-large"]


def test_a_chain_of_files_has_an_end(tmp_path: Path) -> None:
    for number in range(limits.MOST_FILES):
        parent = f"extends: g{number - 1}\n" if number else ""
        own = game() if not number else f"trionfi: 1\nname: G{number}\n"
        (tmp_path / f"g{number}.yaml").write_text(own + parent)
    assert read_ruleset(str(tmp_path / f"g{limits.MOST_FILES - 2}.yaml"))[0] is not None  # and the deck
    assert [one.code for one in read_ruleset(str(tmp_path / f"g{limits.MOST_FILES - 1}.yaml"))[1]] == ["too-large"]


STRANGE_FILES = ["folder.yaml", "pipe.yaml", "zero.yaml", "sixteen.yaml", "latin.yaml", "nul.yaml", "gone.yaml"]


@pytest.mark.parametrize("name", STRANGE_FILES)
def test_what_is_no_text_file_is_refused(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "folder.yaml").mkdir()
    os.mkfifo(tmp_path / "pipe.yaml")
    (tmp_path / "zero.yaml").symlink_to("/dev/zero")
    (tmp_path / "sixteen.yaml").write_text(game(), encoding="utf-16")
    (tmp_path / "latin.yaml").write_bytes(game(about="caf\u00e9").encode("latin-1"))
    (tmp_path / "nul.yaml").write_text(game(about="x\0y"))
    for command in (["validate"], ["explain"], ["simulate", "-n", "1"], ["test"], ["play"], ["rank"]):
        more = ["r", "2h"] if command == ["rank"] else []
        assert run([command[0], str(tmp_path / name), *command[1:], *more]) in (1, 2)
        out, err = capsys.readouterr()
        assert name in out + err
        assert "fault" not in out + err


# ---- work in loops


TURNS = "repeat {turns} times:\n{body}"
IN_LOOPS = {
    "nothing": ("  x = 1", 2),
    "queries": ("  x = count of cards c where (count of cards d where d is c) > 2", 46),
    "a call": ("  x = f(stock)", 134),
    "moves": ("  move stock to p1.hand\n  move p1.hand to stock", 16),
    "each": ("  for each card c in stock:\n    x = count of cards d where d is c", 47),
    "an event": ("  trigger turning", 46),
    "texts": ('  say "{top 50 cards in stock} and {x}"', 46),
}


@pytest.mark.parametrize("engine", ["reference", "native"])
@pytest.mark.parametrize("name", IN_LOOPS)
def test_a_pass_of_a_loop_counts_for_the_work_in_it(name: str, engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both engines stop at the same pass."""
    body, weight = IN_LOOPS[name]
    limit = 7 * weight
    monkeypatch.setattr("trionfi.interpreter.reference.compiler.MOST_STATEMENTS", limit)
    monkeypatch.setattr("trionfi.interpreter.native.emission.numbers.MOST_STATEMENTS", limit)
    for turns, code in ((7, None), (8, "game-without-end")):
        rules = load("nasty.yaml", text=in_a_loop(turns, body))
        assert weights_of(rules) == [weight]
        stop = stop_of(rules, engine)
        assert (stop.code if stop else None) == code


def test_a_loop_in_a_loop_counts_for_itself() -> None:
    body = "  for y from 1 to 9:\n    x = count of cards c where (count of cards d where d is c) > 2"
    outer, inner = weights_of(load("nasty.yaml", text=in_a_loop(9, body)))
    assert (outer, inner) == (2, IN_LOOPS["queries"][1])


def test_long_texts_count_as_several() -> None:
    """A hundred letters cost 500 parts, which are two steps; a thousand more twenty more."""
    short, long = (
        weights_of(load("nasty.yaml", text=game(f'repeat 9 times:\n  say "{"x" * n}"')))[0] for n in (99, 1099)
    )
    assert long - short == 20


def weights_of(rules: Rules) -> list[int]:
    bodies = [one.body for one in scripts(rules.ruleset)]
    return [node.weight for node in walk(bodies) if isinstance(node, tree.Loop)]


def in_a_loop(turns: int, body: str) -> str:
    define = "{f(zone): count of cards c in zone where (count of cards d in zone where d is c) > 1}"
    measures = entries(iter(["when turning:", "  m: count of cards c where (count of cards d where d is c) > 2"]))
    script = TURNS.format(turns=turns, body=body)
    return game(script, variables="{x: 0}", define=define, measures=measures)


FOR_NATIVE_CODE = {
    "many_measures": (300, 501, "too-many-measures"),
    "many_ways": (185, 200, "nested-script"),
    "many_arms": (170, 200, "nested-script"),
}


@pytest.mark.parametrize("kind", FOR_NATIVE_CODE)
def test_what_takes_native_code_long_is_not_too_much(kind: str) -> None:
    """As much as is read can be played."""
    fine, much, code = FOR_NATIVE_CODE[kind]
    load("nasty.yaml", text=nasty.KINDS[kind](fine)).start(seed=1, engine="native")
    assert only_message(nasty.KINDS[kind](much)).code == code


@pytest.mark.parametrize(("targets", "fine"), [(3, True), (5, False)])
def test_targets_that_are_tried_with_each_other_are_not_too_many(targets: int, fine: bool) -> None:
    _, diagnostics = read_ruleset("nasty.yaml", nasty.many_targets(targets))
    found = [(one.code, one.span.line) for one in diagnostics if one.severity == "error"]
    assert found == ([] if fine else [("too-much-work", 19)])


# What goes over numbers or sets of cards counts as the most that they may be, which is far more than there are.
OVER_NUMBERS_OR_SETS = ("bridge", "cribbage", "dou-dizhu", "liars-dice", "oh-hell")


def test_no_game_of_the_library_comes_near_what_loops_may_do(rules: Callable[..., Rules]) -> None:
    for name in library_games():
        game = rules(name)
        share = 3 if name in OVER_NUMBERS_OR_SETS else 100
        assert all(1 < weight < limits.MOST_STATEMENTS / share for weight in weights_of(game)), name
        for kind, steps in steps_of_trials(game):
            assert steps < limits.MOST_STATEMENTS / (1000 if kind == "hand" else 20), (name, kind)


def steps_of_trials(rules: Rules) -> Iterator[tuple[str, int]]:
    """What each statement that tries hands, totals or melds counts for, at the fullest table; where nothing bounds a
    zone or a list, with twelve cards in it."""
    trials = Trials(rules.ruleset)
    bodies = [one.body for one in scripts(rules.ruleset)]
    for node in walk(bodies):
        for one in trials.of_statement(node) if isinstance(node, tree.Statement) else []:
            assert one.kind != "hand" or not (one.room.lists or one.room.zones)
            held = one.room.fixed + 12 * sum(times for _, times in (*one.room.zones, *one.room.lists))
            steps = steps_for(one.what, one.kind, one.times, rules.ruleset)
            yield one.kind, steps[min(held, len(steps) - 1)]


MUCH = "".join(f"any card c{i} where " for i in range(5)) + " and ".join(f"c{i} is not c0" for i in range(1, 5))
MUCH_WORK = {
    "a measure": game(measures=f"\n  m(player): 1 if {MUCH}, else 0"),
    "a test": game(tests=f'\n  - "t": {{expect: {MUCH}}}'),
    "all measures": game(
        measures=entries(
            f"m{i}: 1 if any card a where any card b where any card c where a is b and c is b, else 0"
            for i in range(300)
        )
    ),
}


@pytest.mark.parametrize("name", MUCH_WORK)
def test_what_is_asked_at_the_end_and_by_tests_is_bounded(name: str) -> None:
    assert only_message(MUCH_WORK[name]).code == "too-much-work"


# ---- rankings


PLAIN = "alike: [rank], run: {by: rank, ace: low or high}"
WILD = "wild: card.suit is hearts"
RANKINGS = {
    "thirteen": (f"{{r: {{of: 13 cards, {PLAIN}, categories: {{X: same suit, Z: anything}}, order: [category]}}}}", 20),
    "five": (f'{{r: {{of: 5 cards, {PLAIN}, categories: {{X: "2 alike", Z: anything}}, order: [category]}}}}', 31),
    "wild": (
        f'{{r: {{of: 5 cards, {PLAIN}, {WILD}, categories: {{X: "2 alike", Z: anything}}, order: [category]}}}}',
        18,
    ),
}


@pytest.mark.parametrize("engine", ["reference", "native"])
@pytest.mark.parametrize("name", RANKINGS)
def test_hands_are_chosen_from_so_many_cards_that_they_can_be_tried(name: str, engine: str) -> None:
    text, most = RANKINGS[name]
    for cards in (2, most - 1, most + 1):
        script = f'deal {cards} from stock to p1.hand\nif r(p1.hand) > r(p2.hand): say "better"'
        rules = load("nasty.yaml", text=game(script.replace(" > r(p2.hand)", " is not none"), rankings=text))
        message = stop_of(rules, engine)
        if cards + 1 <= most:
            assert message is None
            continue
        assert message is not None
        assert message.code == "too-many-hands"
        assert message.message == f"hands of `r` are chosen from at most {most} cards, not {cards + 1}"


def stop_of(rules: Rules, engine: str) -> Diagnostic | None:
    try:
        rules.start(seed=1, engine=engine)
    except GameError as error:
        return error.diagnostic
    return None


ENDLESS = "let n = 0\nrepeat until n > 2: n = 0"
GAMES = {"without end": (ENDLESS, ["game-without-end"], 1), "of many steps": ("repeat 300 times: shuffle stock", [], 2)}


@pytest.mark.parametrize("name", GAMES)
def test_validation_plays_few_games_that_are_long(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script, codes, games = GAMES[name]
    monkeypatch.setattr("trionfi.interpreter.reference.compiler.MOST_STATEMENTS", 3000)
    monkeypatch.setattr("trionfi.shell.validating.MOST_PLAYED", 3000)
    played = []
    play = validating.play_at_random
    monkeypatch.setattr(validating, "play_at_random", lambda *game: played.append(game) or play(*game))
    path = tmp_path / "long.yaml"
    path.write_text(game(script, players="2..4"), encoding="utf-8")
    assert [one.code for one in validating.validate_one(str(path), [], static=False)] == codes
    assert len(played) == games


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_as_many_conditions_as_one_likes(engine: str) -> None:
    """1,500 of `and`, then of `or`; the last of each decides."""
    row = " and ".join(["player.hand is not empty"] * 1500)
    other = " or ".join(["player.hand is empty"] * 1500)
    asked = f"(1 if {row} and stock is not empty else 0) + (2 if {other} or stock is not empty else 0)"
    rules = load("nasty.yaml", text=game(result=score(asked)))
    assert rules.start(seed=1, engine=engine).scores == [3, 3]
