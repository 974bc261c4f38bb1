"""`./dev run python -m trionfi.tests.fuzz -n 2000 --seed 1 --keep FOLDER`: mutants, and what they find."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path

# no cache of compiled code, neither read nor written
os.environ["XDG_CACHE_HOME"] = os.devnull

from . import plants, trial
from .children import SECONDS, run_one
from .fuzz import MOST_TRIES, Campaign, trial_of
from .sources import sources


def main() -> int:
    parser = argparse.ArgumentParser(prog="fuzz", description=__doc__)
    parser.add_argument("-n", type=int, default=1000, help="how many trials")
    parser.add_argument("--first", type=int, default=0, help="number of the first")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seconds", type=int, default=SECONDS, help="of processor time for a trial")
    parser.add_argument("--keep", type=Path, help="a folder for what is found")
    parser.add_argument("--tries", type=int, default=MOST_TRIES, help="to make a finding smaller")
    parser.add_argument("--files", nargs="+", type=Path, help="these texts as they are, instead of mutants")
    parser.add_argument("--plant", action="store_true", help="breaks the project in several ways, to see it found")
    call = parser.parse_args()
    sources()
    trial.prepare()
    if call.plant:
        return print_planted(call.files[0])
    trial_at = (lambda number: trial_of(call.files[number])) if call.files else None
    numbers = range(len(call.files)) if call.files else range(call.first, call.first + call.n)
    tally = Campaign(call.seed, call.seconds, trial_at, call.tries).run(numbers, call.workers, call.keep)
    print(tally)
    return 1 if tally.found else 0


def print_planted(path: Path) -> int:
    """What is found of each planted fault, in a child of its own; it takes two seconds until a hang is told."""
    trial.run(trial_of(path))  # all that is made once is there now
    for name, plant in plants.PLANTS.items():

        def work(plant: Callable[[], None] = plant) -> str:
            plant()
            return trial.run(trial_of(path))

        found = run_one(work, seconds=2)
        print(f"{name}: {found if isinstance(found, str) else found.sign}")
    return 1


sys.exit(main())
