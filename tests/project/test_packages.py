"""What is installed is what lies in the folders."""

from __future__ import annotations

import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
OUTSIDE = {"tests", "docs", "benchmarks", "build", "dist"}


def source_folders() -> set[Path]:
    """The folders that hold Python of the package, relative to the top."""
    tops = [path for path in ROOT.iterdir() if path.is_dir() and path.name not in OUTSIDE and path.name[0] != "."]
    return {file.parent.relative_to(ROOT) for top in tops for file in top.rglob("*.py")}


def test_every_folder_of_python_is_a_listed_package() -> None:
    names = {".".join(("trionfi", *folder.parts)) for folder in source_folders()}
    assert names | {"trionfi"} == set(PROJECT["tool"]["setuptools"]["packages"])


def test_every_listed_package_says_what_it_is() -> None:
    for name in PROJECT["tool"]["setuptools"]["packages"]:
        start = ROOT.joinpath(*name.split(".")[1:], "__init__.py")
        assert start.read_text(encoding="utf-8").startswith('"""'), start


def test_every_data_file_is_matched_by_a_pattern() -> None:
    patterns = PROJECT["tool"]["setuptools"]["package-data"]
    installed = {path for pattern in patterns["trionfi"] for path in ROOT.glob(pattern)}
    installed |= {path for pattern in patterns["trionfi.dsl"] for path in (ROOT / "dsl").glob(pattern)}
    data = {path for folder in ("rulesets", "dsl") for path in (ROOT / folder).rglob("*") if path.is_file()}
    left = {path for path in data - installed if path.suffix != ".py" and "__pycache__" not in path.parts}
    assert not left


def test_the_version_is_the_projects() -> None:
    import trionfi

    assert trionfi.__version__ == PROJECT["project"]["version"]
