"""Records: what they hold, what they are replayed by, whom they replace; records that nobody's game has written."""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from trionfi.interpreter.records import RecordError
from trionfi.interpreter.rules import load
from trionfi.shell.session import Session

Call = Callable[..., Any]

OLD = Path(__file__).parents[1] / "data" / "records"
GAME = (OLD / "pocket.yaml").read_text(encoding="utf-8")
PLAYED = ("--seed", 4, "--bot", "all=random", "--engine", "reference")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)


def record_in(path: str | Path) -> Any:
    return json.loads(Path(path).read_text(encoding="utf-8"))


def write(path: str | Path, record: object) -> None:
    Path(path).write_text(json.dumps(record), encoding="utf-8")


@pytest.fixture
def played(call: Call) -> Any:
    """The record, in `game.json`, of a game of `home/pocket.yaml`."""
    Path("home/pocket.yaml").write_text(GAME, encoding="utf-8")
    assert call("play", "home/pocket.yaml", *PLAYED, "--record", "game.json").code == 0
    return record_in("game.json")


# ---- what it is replayed by


def test_a_record_says_where_its_rules_lay_and_who_played(played: Any) -> None:
    assert played["path"] == str(Path("home/pocket.yaml").absolute())
    assert (played["bots"], played["names"]) == (["random", "random"], ["p1", "p2"])
    assert played["texts"] == {"pocket": GAME}


@pytest.mark.parametrize("change", ["nothing", "another text", "no ruleset", "gone"])
def test_a_record_is_replayed_from_any_folder_whatever_became_of_its_rules(
    call: Call, played: Any, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    rules = Path("home/pocket.yaml")
    texts = {"another text": GAME.replace("10 -", "20 -"), "no ruleset": "name: [", "nothing": GAME}
    rules.unlink() if change == "gone" else rules.write_text(texts[change], encoding="utf-8")
    monkeypatch.chdir("elsewhere")
    shown = call("replay", "../game.json", "--json")
    assert shown.code == 0
    assert shown.data["scores"] == played["scores"]
    told = "../game.json: pocket has been changed since; this is played by the texts that the record holds\n"
    assert shown.err == (told if change == "another text" else "")


def test_a_record_holds_the_libraries_beside_the_rules_and_those_of_the_library(call: Call) -> None:
    rules = GAME.replace("deck: {ranks", "use: {sizes: {most: 4}}\ndeck: {from: standard}\nNO: {ranks")
    rules = "\n".join(line for line in rules.splitlines() if not line.startswith("NO"))
    rules = rules.replace("range: 2..5", "range: 2..4").replace("bid < 9", "small(bid)")
    beside = (
        "trionfi: 1\nlibrary: Sizes\nparameters:\n  most: {kind: number}\ndefine:\n  small(number n): n < most * 2\n"
    )
    Path("home/big.yaml").write_text(rules, encoding="utf-8")
    Path("home/sizes.yaml").write_text(beside, encoding="utf-8")
    shown = call("play", "home/big.yaml", *PLAYED, "--record", "game.json")
    assert shown.code == 0, shown.err
    record = record_in("game.json")
    assert list(record["texts"]) == ["big", "sizes", "library:standard"]
    Path("home/sizes.yaml").write_text(beside.replace("* 2", "* 3"), encoding="utf-8")
    assert call("replay", "game.json", "--json").data["scores"] == record["scores"]
    shutil.rmtree("home")
    assert call("replay", "game.json", "--json").data["scores"] == record["scores"]


def test_a_record_of_the_library_is_replayed_after_the_library_has_changed(call: Call) -> None:
    """As if it had been written by a release with another text of Kuhn, where who calls loses more."""
    text = load("kuhn").texts["library:kuhn"].replace("trionfi: 1\n", "trionfi: 1\n# of an earlier release\n", 1)
    Path("home/kuhn.yaml").write_text(text, encoding="utf-8")
    assert call("play", "home/kuhn.yaml", *PLAYED, "--record", "game.json").code == 0
    record = record_in("game.json")
    del record["path"]
    record["texts"] = {"library:kuhn": text}
    assert record["sha256"] == sha256(text.encode() + b"\0").hexdigest()
    write("game.json", record)
    shown = call("replay", "game.json")
    assert (shown.code, shown.err) == (
        0,
        "game.json: kuhn has been changed since; this is played by the texts that the record holds\n",
    )


def test_a_game_goes_on_by_the_texts_it_was_begun_with(call: Call) -> None:
    Path("home/pocket.yaml").write_text(GAME, encoding="utf-8")
    begun = call("play", "home/pocket.yaml", "--seed", 4, "--record", "game.json", typed="1\n")
    assert begun.code == 1
    kept = record_in("game.json")
    Path("home/pocket.yaml").write_text(GAME.replace("10 -", "20 -"), encoding="utf-8")
    ended = call("play", "--resume", "game.json", typed="1\n1\n9\n1\n")
    assert ended.code == 0, ended.err
    record = record_in("game.json")
    assert record["texts"] == kept["texts"]
    assert record["path"] == kept["path"]
    assert record["moves"][:1] == kept["moves"]
    assert max(record["scores"]) <= 10


@pytest.mark.parametrize("name", ["pocket", "pocket-begun", "pocket-stacked", "kuhn"])
def test_older_records_still_load(call: Call, name: str) -> None:
    """They hold no texts: their rules lie beside them, or in the library (whose comments may have changed since)."""
    shutil.copy(OLD / "pocket.yaml", "home")
    record = record_in(OLD / f"{name}.json")
    if name == "kuhn":
        record["sha256"] = load("kuhn").sha256
    write(f"home/{name}.json", record)
    shown = call("replay", f"home/{name}.json", "--json")
    assert (shown.code, shown.err) == (0, "")
    assert shown.data["moves"] == record["moves"]
    assert shown.data["scores"] == record["scores"]
    assert "texts" in shown.data


def test_a_game_of_an_older_record_can_be_gone_on_with(call: Call) -> None:
    for name in ("pocket.yaml", "pocket-begun.json"):
        shutil.copy(OLD / name, "home")
    assert call("play", "--resume", "home/pocket-begun.json", typed="9\n").code == 0
    assert record_in("home/pocket-begun.json")["texts"] == {"pocket": GAME}


def test_a_stacked_game_goes_on_as_it_was_dealt(call: Call) -> None:
    shutil.copy(OLD / "pocket.yaml", "home")
    record = record_in(OLD / "pocket-stacked.json")
    write("home/game.json", {**record, "moves": [], "scores": None})
    shown = call("play", "--resume", "home/game.json", typed="quit\n")
    for card in ("Ace of Red", "2 of Red", "3 of Black", "4 of Black"):
        assert f"[{card}" in shown.out


def test_a_game_that_was_not_begun_is_not_gone_on_with(call: Call) -> None:
    rules = load("pocket.yaml", text=GAME)
    write("game.json", rules.deal(seed=1, engine="reference", begin=False).record())
    shown = call("play", "--resume", "game.json")
    assert (shown.code, shown.out) == (1, "")
    assert shown.err == "this game was set up, but not begun\n"
    assert call("replay", "game.json").code == 0


# ---- who plays on


def seats_after(call: Call, *options: object) -> Any:
    call("play", "--resume", "game.json", *options, typed="quit\n")
    return record_in("game.json")["bots"]


def test_who_played_plays_on_unless_the_call_says_otherwise(call: Call) -> None:
    shutil.copy(OLD / "pocket.yaml", "home")
    call(
        "play",
        "home/pocket.yaml",
        "--seed",
        4,
        "--seat",
        2,
        "--bot",
        "1=first",
        "--record",
        "game.json",
        typed="quit\n",
    )
    assert record_in("game.json")["bots"] == ["first", None]
    assert seats_after(call) == ["first", None]
    assert seats_after(call, "--bot", "1=random") == ["random", None]
    assert seats_after(call, "--seat", 1) == [None, "random"]
    assert seats_after(call, "--seat", 1, "--seat", 2) == [None, None]
    record = record_in("game.json")
    write("game.json", {**record, "bots": ["nobody", None]})
    shown = call("play", "--resume", "game.json")
    assert (shown.code, shown.out) == (2, "")
    assert "Pocket knows no bot `nobody`" in shown.err


# ---- what a record never replaces


def test_a_record_never_replaces_another_game_nor_anything_else(call: Call, played: Any) -> None:
    Path("notes.txt").write_text("my notes", encoding="utf-8")
    os.mkfifo("pipe")
    refusals = {
        "game.json": "`game.json` holds another game, and is left as it is; give another name, or go on with it: "
        "trionfi play --resume game.json",
        "notes.txt": "`notes.txt` is no record of a game, and is left as it is; give another name",
        "pipe": "`pipe` is no file that could be replaced by a record",
        "/dev/null": "`/dev/null` is no file that could be replaced by a record",
    }
    for name, words in refusals.items():
        shown = call("play", "kuhn", "--seed", 1, "--record", name, typed="quit\n")
        assert (shown.code, shown.out, shown.err) == (2, "", f"trionfi: {words}\n")
    assert record_in("game.json") == played
    assert Path("notes.txt").read_text(encoding="utf-8") == "my notes"


def test_the_same_game_begun_anew_does_not_replace_what_was_played_of_it(call: Call) -> None:
    play = ("play", "kuhn", "--seed", 3, "--seat", 1, "--seat", 2, "--record", "game.json")
    Path("game.json").touch()  # an empty file is nobody's game
    assert call(*play, typed="quit\n").code == 1
    assert call(*play, typed="1\nquit\n").code == 1  # nothing had been played yet
    shown = call(*play, typed="2\n")
    assert shown.code == 2
    assert "`game.json` holds this game with 1 moves, and is left as it is" in shown.err
    assert len(record_in("game.json")["moves"]) == 1
    call("play", "--resume", "game.json", "--record", "more.json", typed="1\nquit\n")
    assert len(record_in("more.json")["moves"]) == 2
    shown = call("play", "--resume", "game.json", "--record", "more.json", typed="2\nquit\n")
    assert shown.code == 2
    assert len(record_in("more.json")["moves"]) == 2


def test_two_tables_with_one_record_do_not_overwrite_each_other(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    call("play", "kuhn", "--seed", 3, "--record", "game.json", typed="quit\n")
    real = Session.make

    def choose(self: Any, moves: Any) -> None:
        real(self, moves)
        Path("game.json").write_text("theirs", encoding="utf-8")

    monkeypatch.setattr(Session, "make", choose)
    shown = call("play", "--resume", "game.json", typed="1\n1\n1\n")
    assert shown.code == 1
    assert Path("game.json").read_text(encoding="utf-8") == "theirs"
    assert "game.json: somebody else has changed the file, it is left as it is" in shown.err


def test_a_link_stays_a_link_and_rights_stay_as_they_were(call: Call) -> None:
    Path("elsewhere/real.json").touch(mode=0o640)
    Path("elsewhere/real.json").chmod(0o640)
    Path("game.json").symlink_to("elsewhere/real.json")
    call("play", "kuhn", "--seed", 3, "--bot", "all=first", "--record", "game.json")
    assert Path("game.json").is_symlink()
    assert record_in("elsewhere/real.json")["rules"] == "kuhn"
    assert Path("elsewhere/real.json").stat().st_mode & 0o777 == 0o640


# ---- a disk that is full


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> Callable[[int, int], None]:
    """`full(first, last)`: from that write to this one, counted from 1, there is no room on the disk."""

    def fill(first: int, last: int) -> None:
        writes = iter(range(1, 1000))

        def sync(number: int) -> None:
            if first <= next(writes) <= last:
                raise OSError(errno.ENOSPC, "No space left on device")

        monkeypatch.setattr("os.fsync", sync)

    return fill


FULL = "the game cannot be kept now (game.json: No space left on device), but goes on\n"


def test_a_full_disk_leaves_the_old_record_and_the_game_goes_on(call: Call, full: Any) -> None:
    shutil.copy(OLD / "pocket.yaml", ".")
    call("play", "pocket.yaml", "--seed", 4, "--record", "game.json", typed="1\nquit\n")
    before = Path("game.json").read_bytes()
    full(1, 1000)
    shown = call("play", "--resume", "game.json", typed="1\n9\n")
    assert shown.code == 1
    assert "score: p1 " in shown.out
    assert shown.err.count(FULL) == 1
    assert shown.err.endswith("trionfi: kept only up to move 1 of 4: game.json: No space left on device\n")
    assert Path("game.json").read_bytes() == before
    assert [path.name for path in Path().iterdir() if path.name.startswith(".")] == []


def test_what_a_full_disk_held_back_is_kept_when_there_is_room_again(call: Call, full: Any) -> None:
    shutil.copy(OLD / "pocket.yaml", ".")
    full(2, 2)
    shown = call("play", "pocket.yaml", "--seed", 4, "--record", "game.json", typed="1\n1\n9\n")
    assert shown.code == 0
    assert FULL in shown.err
    assert "the game is kept in game.json again\n" in shown.err
    assert shown.err.endswith("kept in game.json\n")
    assert record_in("game.json")["scores"] is not None


def test_a_new_ruleset_is_written_whole_or_not_at_all(call: Call, full: Any) -> None:
    full(1, 1)
    shown = call("new", "mine.yaml")
    assert shown.code != 0
    assert shown.out == ""
    assert "No space left on device" in shown.err
    assert "fault" not in shown.err
    assert sorted(path.name for path in Path().iterdir()) == ["elsewhere", "home"]
    assert call("new", "mine.yaml").code == 0
    assert call("validate", "mine.yaml", "--static").code == 0


def test_a_record_where_nothing_can_be_written(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    def closed(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("os.fsync", closed)
    shown = call("play", "kuhn", "--seed", 3, "--record", "game.json", typed="1\n")
    assert (shown.code, shown.out) == (2, "")
    assert shown.err == "trionfi: the record cannot be written: game.json: Permission denied\n"


# ---- records that no game has written

Spoil = Callable[[dict[str, Any]], object]
DEEP = "[" * 100_000

STRANGE: dict[str, tuple[str, int, str]] = {
    "no JSON": ("{", 2, "line 1 is no JSON"),
    "deep brackets": (f'{{"rules": {DEEP}', 2, "its brackets are nested too deeply"),
    "a very long number": ('{"seed": ' + "9" * 5000 + "}", 2, "a number in it is too long"),
    "a list": ("[]", 2, "it does not say game, moves, options, players, rules, seed, sha256"),
    "nothing": ("", 2, "line 1 is no JSON"),
}
WRONG: dict[str, tuple[Spoil, int, str]] = {
    "a huge seed": (lambda r: r.update(seed=10**300), 1, "seeds and numbers of games go from 0 to"),
    "a truth for a seed": (lambda r: r.update(seed=True), 2, "`seed` is not a whole number"),
    "a fraction for a game": (lambda r: r.update(game=0.5), 2, "`game` is not a whole number"),
    "no players": (lambda r: r.update(players=0), 1, "Pocket is for 2 players, not 0"),
    "nested options": (
        lambda r: r.update(options={"size": [[4]]}),
        2,
        "`options` is not a mapping of options and their",
    ),
    "an option out of range": (
        lambda r: r.update(options={"size": 10**30}),
        1,
        "this was a game of other rules than Pocket",
    ),
    "nested scores": (lambda r: r.update(scores=[[1]]), 2, "`scores` is not a list of numbers"),
    "moves of other types": (lambda r: r.update(moves=[["0", "away", "x"]]), 2, "a move is [seat, decision, label]"),
    "moves in a mapping": (lambda r: r.update(moves={}), 2, "`moves` is not a list of moves"),
    "a seat that is none": (lambda r: r["moves"][0].__setitem__(0, -7), 1, "is asked for away"),
    "a control sign": (lambda r: r["moves"][0].__setitem__(2, "\x1b[2J"), 1, "`\\x1b[2J` is not offered"),
    "texts of another game": (
        lambda r: r.update(texts={"kuhn": ""}),
        2,
        "the first of its texts is that of `kuhn`, not of",
    ),
    "no texts": (lambda r: r.update(texts={}), 2, "`texts` is not a mapping of names and the texts of files"),
    "a text of another kind": (lambda r: r.update(texts={"pocket": 3}), 2, "`texts` is not a mapping"),
    "a text that is no text": (lambda r: r.update(texts={"pocket": "\ud800"}), 2, "`texts` is not a mapping"),
    "a text called like a path": (lambda r: r.update(texts={"../pocket": GAME}), 2, "`texts` is not a mapping"),
    "a text that was changed": (
        lambda r: r.update(texts={"pocket": GAME + "\n# mine\n"}, sha256="0"),
        1,
        "this was a game of another text of pocket than the record holds",
    ),
    "a text that is no ruleset": (
        lambda r: r.update(texts={"pocket": "name: ["}, sha256="0"),
        1,
        "pocket.yaml (kept):1:",
    ),
    "a path of another kind": (lambda r: r.update(path=3), 2, "`path` is not a path"),
    "a path with a sign that none has": (lambda r: r.update(path="a\0b.yaml"), 0, ""),
    "a deal of another kind": (lambda r: r.update(deal=3), 2, "`deal` is not a mapping of cards, set and chance"),
    "a deal with another part": (lambda r: r.update(deal={"begin": True}), 2, "`deal` is not a mapping"),
    "a game that was not begun": (lambda r: r.update(deal={"begin": False}), 1, "the game is over before p1 chooses"),
    "a deal of no cards": (lambda r: r.update(deal={"cards": {"p1.hand": ["x"]}}), 1, "there is no card `x`"),
    "bots of another kind": (lambda r: r.update(bots=[3]), 2, "`bots` is not a list of bots"),
}


def refused(shown: Any, code: int, words: str) -> None:
    assert shown.code == code
    assert words in shown.err
    for bad in ("fault", "Traceback", "\x1b"):
        assert bad not in shown.err + shown.out


@pytest.mark.parametrize("what", STRANGE)
def test_a_file_that_no_game_has_written(call: Call, what: str) -> None:
    text, code, words = STRANGE[what]
    Path("strange.json").write_text(text, encoding="utf-8")
    refused(call("replay", "strange.json"), code, f"trionfi: strange.json is no record of a game: {words}")
    refused(call("play", "--resume", "strange.json"), code, words)
    assert Path("strange.json").read_text(encoding="utf-8") == text


def test_a_file_that_is_too_long_is_not_read(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("trionfi.interpreter.record_form.MOST_BYTES", 20)
    Path("long.json").write_text(" " * 21, encoding="utf-8")
    refused(call("replay", "long.json"), 2, "it is longer than 20 bytes")
    refused(call("replay", "/dev/zero"), 2, "it is longer than 20 bytes")


@pytest.mark.parametrize("what", WRONG)
def test_a_record_with_something_strange_in_it(call: Call, played: Any, what: str) -> None:
    spoil, code, words = WRONG[what]
    Path("home/pocket.yaml").unlink()
    spoil(played)
    write("wrong.json", played)
    refused(call("replay", "wrong.json", "--engine", "reference"), code, words)
    resumed = call("play", "--resume", "wrong.json", "--engine", "reference")
    refused(resumed, resumed.code, "")
    if code == 2:
        with pytest.raises(RecordError, match=re.escape(words)):
            load("pocket.yaml", text=GAME).replay(played, engine="reference")


def test_a_key_that_is_missing(call: Call, played: Any) -> None:
    for key in ("rules", "sha256", "options", "players", "seed", "game", "moves"):
        write("less.json", {name: value for name, value in played.items() if name != key})
        refused(call("replay", "less.json"), 2, f"it does not say {key}")
