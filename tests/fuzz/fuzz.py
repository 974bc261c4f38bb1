"""The fuzzer: makes texts, tries each, groups what is found by cause, and keeps the smallest text of each."""

from __future__ import annotations

import re
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

from . import trial as trials
from .calls import call_of, run_call
from .children import SECONDS, Found, run_all, run_one
from .grafts import grafted
from .mutations import mutated
from .shrink import shrunk
from .sources import a_source, place_of
from .trial import Trial

MOST_TRIES = 250  # to make a finding smaller
SLOW = 10  # a finding that takes its time is tried so much less
SHARE_OF_CALLS = 0.1
PROGRESS = 500  # trials, after which it is said how far it is


def mutant(seed: int, number: int) -> Trial:
    """Trial `number` of a seed: always the same."""
    name = f"{seed}/{number}"
    dice = Random(name)
    source = a_source(dice)
    way = dice.random()
    if source.name.startswith("made") and way < 0.4:
        text = source.text
    elif way < 0.45:
        text = grafted(source, dice)
    else:
        text = mutated(source.text, dice)
    return Trial(text, place_of(source), name, source.name)


@dataclass(slots=True)
class Tally:
    """What came of the trials; `found`: by cause, the number of the trial and the finding."""

    words: Counter[str] = field(default_factory=Counter)
    found: dict[str, list[tuple[int, Found]]] = field(default_factory=dict)
    seconds: float = 0.0

    def __str__(self) -> str:
        total = sum(self.words.values())
        lines = [
            f"{total} trials in {self.seconds:.0f} s: {', '.join(f'{n} {word}' for word, n in self.words.most_common())}"
        ]
        lines += [
            f"{len(all_):5} {sign}: trials {', '.join(str(n) for n, _ in all_[:8])}"
            for sign, all_ in self.found.items()
        ]
        return "\n".join(lines)


@dataclass(slots=True)
class Campaign:
    """The trials of a seed. `trial`: what trial of texts a number stands for, instead of a mutant."""

    seed: int
    seconds: int = SECONDS
    trial: Callable[[int], Trial] | None = None
    tries: int = MOST_TRIES

    def run(self, numbers: range, workers: int = 1, keep: Path | None = None) -> Tally:
        """Tries the numbers; each cause's smallest text goes to the folder `keep`."""
        tally, start = Tally(), time.monotonic()
        for number, result in run_all(self.work, numbers, workers, self.seconds):
            tally.words["found" if isinstance(result, Found) else result] += 1
            if isinstance(result, Found):
                known = tally.found.setdefault(result.sign, [])
                known.append((number, result))
                if keep is not None and len(known) == 1:
                    self.put_down(keep, number, result)
            if sum(tally.words.values()) % PROGRESS == 0:
                tally.seconds = time.monotonic() - start
                print(tally, file=sys.stderr, flush=True)
        tally.seconds = time.monotonic() - start
        return tally

    def work(self, number: int) -> str:
        if self.is_call(number):
            return run_call(call_of(self.seed, number))
        return trials.run(self.text_trial(number))

    def is_call(self, number: int) -> bool:
        return self.trial is None and Random(f"call {self.seed}/{number}").random() < SHARE_OF_CALLS

    def text_trial(self, number: int) -> Trial:
        return mutant(self.seed, number) if self.trial is None else self.trial(number)

    # ---- what is found

    def put_down(self, folder: Path, number: int, found: Found) -> None:
        """The mutant, a smaller one, and the story."""
        folder.mkdir(parents=True, exist_ok=True)
        stem = str(folder / f"{number}-{re.sub(r'[^a-zA-Z0-9]+', '-', found.sign).strip('-')[:60]}")
        head = f"seed {self.seed}, trial {number}\n{found.sign}\n"
        if self.is_call(number):
            write(f"{stem}.txt", f"{head}{call_of(self.seed, number)}\n\n{found.story}")
            return
        trial = self.text_trial(number)
        write(f"{stem}.txt", f"{head}of {trial.name}, read as {trial.path}\n\n{found.story}")
        write(f"{stem}.whole.yaml", trial.text)
        write(f"{stem}.yaml", self.smaller(trial, found))

    def smaller(self, trial: Trial, found: Found) -> str:
        """Hangs and floods cost their time at each try, so they are tried less and given less."""
        slow = found.kind in ("hang", "memory")

        def is_bad(text: str) -> bool:
            result = run_one(lambda: trials.run(replace(trial, text=text)), 2 if slow else self.seconds)
            return isinstance(result, Found) and (result.kind if slow else result.sign) == (
                found.kind if slow else found.sign
            )

        tries = self.tries // SLOW if slow else self.tries
        return shrunk(trial.text, is_bad, tries) if tries and is_bad(trial.text) else trial.text


def write(path: str, text: str) -> None:
    Path(path).write_text(text, encoding="utf-8", newline="", errors="surrogatepass")


def trial_of(path: Path) -> Trial:
    """A file as it is. Its first line may say `# seed: TEXT`, that of what is done with it."""
    text = path.read_text(encoding="utf-8")
    seed = re.match(r"# seed: (.*)\n", text)
    return Trial(text, str(path), seed[1] if seed else path.stem, path.name, thorough=True)
