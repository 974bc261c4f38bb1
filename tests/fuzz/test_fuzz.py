"""Mutated and made rulesets, records, options, cards and answers: no foreign exception, hang, crash or difference of engines."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random

from .grafts import grafted, parts_of
from .made_games import make_game
from .mutations import MUTATIONS
from .shrink import shrunk
from .sources import CORPUS, ROOT, sources

# A trial of every day takes about a tenth of a second; `full` is 20,000 of them.
TRIALS = 30
TRIALS_OF_FULL = 20_000
PLANTED = {
    "exception": "IndexError in raise_foreign",
    "hang": "hang in go_on_for_ever",
    "hang in C": "hang in go_on_for_ever_natively",
    "crash": "SIGSEGV in write_where_nothing_is",
    "memory": "MemoryError in fill_memory",
    "difference": "difference: measures",
}


def fuzzed(*arguments: str) -> subprocess.CompletedProcess[str]:
    """A run of the fuzzer in a process of its own, which may be forked, limited and broken."""
    call = [sys.executable, "-m", "trionfi.tests.fuzz", *arguments]
    return subprocess.run(call, cwd=ROOT, capture_output=True, text=True, check=False)


def test_nothing_is_found(test_size: float, tmp_path: Path) -> None:
    trials = int(TRIALS * test_size) if test_size < 100 else TRIALS_OF_FULL
    done = fuzzed("-n", str(trials), "--seed", "1", "--keep", str(tmp_path), "--workers", "2" if test_size > 1 else "1")
    stories = "\n\n".join(path.read_text(encoding="utf-8") for path in sorted(tmp_path.glob("*.txt")))
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}\n{stories}"
    assert f"{trials} trials" in done.stdout


def test_what_was_found_once_is_not_found_again(tmp_path: Path) -> None:
    files = [str(path) for path in sorted(CORPUS.glob("*.yaml"))]
    done = fuzzed("--keep", str(tmp_path), "--files", *files)
    assert done.returncode == 0, done.stdout + done.stderr


def test_planted_faults_are_found() -> None:
    done = fuzzed("--plant", "--files", str(Path(__file__).parent / "planted.yaml"))
    told = dict(line.split(": ", 1) for line in done.stdout.splitlines())
    assert told.keys() == PLANTED.keys(), done.stdout + done.stderr
    for plant, sign in PLANTED.items():
        assert told[plant].startswith(sign), plant


def test_every_mutation_mutates() -> None:
    text = (ROOT / "rulesets" / "leduc.yaml").read_text(encoding="utf-8")
    for mutation in MUTATIONS:
        changed = sum(mutation(text, Random(seed)) != text for seed in range(12))
        assert changed > 3, mutation.__name__


def test_many_grafts_are_right() -> None:
    """One expression in the place of another of its type often gives a ruleset that is played."""
    eights = next(source for source in sources() if source.name == "rulesets/crazy-eights.yaml")
    texts = {grafted(eights, Random(seed)) for seed in range(12)}
    right = sum(parts_of(type(eights)(eights.name, text)) is not None for text in texts)
    assert right > len(texts) // 3


def test_most_made_games_are_right() -> None:
    from trionfi.dsl import read_game

    assert sum(read_game("made", make_game(Random(seed)))[0] is not None for seed in range(10)) >= 7


def test_a_finding_is_made_smaller() -> None:
    text = "".join(f"line {number} of many\n" for number in range(40))
    assert shrunk(text, lambda text: "17" in text and "of" in text, 300) in ("17of", "of17", "17 of")
