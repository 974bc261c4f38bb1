"""The voice that tells a game: which renderer tells which node, and what the things at hand are called meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeVar

from trionfi.dsl.known import Known
from trionfi.dsl.tree import Domain, Expr, Local, LocalValue, Procedure, Ruleset
from trionfi.shell.prose.words import human, named, owned

__all__ = ["RENDERERS", "Called", "Voice", "renders"]

RENDERERS: dict[type, Callable[[Any, Any], Any]] = {}
Renderer = TypeVar("Renderer", bound=Callable[..., Any])


def renders(*kinds: type) -> Callable[[Renderer], Renderer]:
    """The function tells nodes of these kinds: expressions as a noun or a clause, statements as lines."""

    def register(renderer: Renderer) -> Renderer:
        RENDERERS.update(dict.fromkeys(kinds, renderer))
        return renderer

    return register


class Called(NamedTuple):
    """How a thing is spoken of: `the player`, `their`."""

    subject: str
    owner: str = ""


IT = Called("it", "its")
THEY = Called("that player", "their")
OWN_NAMES = {"this": "this play", "zone": "the place"}
BARE = {"number", "fraction"}  # of these a letter stands for itself


class Voice:
    """Tells the nodes of one ruleset. `values`: its options by name as they are set, else as they are by default.
    `numbers`: which section of the course of play tells a procedure."""

    def __init__(self, ruleset: Ruleset, values: Mapping[str, Any] | None = None) -> None:
        self.ruleset = ruleset
        self.values = {option: (values or {}).get(name, option.default) for name, option in ruleset.options.items()}
        self.known = Known(options=self.values, ranks=ruleset.enumerations.get("rank"))
        self.numbers: dict[int, int] = {}
        self.called: dict[int, Called] = {}
        self.nouns: dict[int, str] = {}  # of things that a loop or choice has named by their noun
        self.frame: dict[str, set[str]] = {}

    @property
    def tells_course(self) -> bool:
        """Whether scripts are told at all, so that a procedure can be named."""
        return bool(self.numbers)

    def say(self, node: object) -> str:
        """An expression, as a noun or a clause."""
        return RENDERERS[type(node)](self, node)  # type: ignore[no-any-return]

    def tell(self, node: object) -> Any:
        """A statement: a `Line` and what hangs on it."""
        return RENDERERS[type(node)](self, node)

    # ---- what things are called

    def enter(self, locals_: Iterable[Local]) -> None:
        """A script or define begins: its one-letter names are told apart where there are several of a kind."""
        self.frame = {}
        for local in locals_:
            self.frame.setdefault(noun_of(local), set()).add(local.name)

    def name(self, local: Local) -> Called:
        if id(local) in self.called:
            return self.called[id(local)]
        return Called(self.plain_name(local))

    def plain_name(self, local: Local) -> str:
        if local.name == noun_of(local) and id(local) in self.nouns:
            return f"the {self.nouns[id(local)]}"
        if local.name in OWN_NAMES:
            return OWN_NAMES[local.name]
        if len(local.name) > 1:
            return named(local.name, noun_of(local))
        if local.type.kind in BARE:
            return local.name
        noun = noun_of(local)
        return f"{noun} {local.name}" if len(self.frame.get(noun, ())) > 1 else f"the {noun}"

    @contextmanager
    def calling(self, local: Local, called: Called) -> Iterator[None]:
        """Meanwhile the thing is spoken of like this."""
        before = self.called.get(id(local))
        self.called[id(local)] = called
        try:
            yield
        finally:
            if before is None:
                del self.called[id(local)]
            else:
                self.called[id(local)] = before

    def pronoun(self, domain: Domain) -> Any:
        """Meanwhile the thing that a query goes over is `it`, or `that player`."""
        return self.calling(domain.local, THEY if domain.noun == "player" else IT)

    def subject(self, player: Expr) -> Any:
        """Meanwhile who acts in this sentence owns what is `their` own."""
        if not isinstance(player, LocalValue):
            return self.calling(Local("", player.type, 0, player.span), THEY)
        name = self.name(player.local)
        return self.calling(player.local, Called(name.subject, "their"))

    def owned(self, owner: Expr, thing: str) -> str:
        """`the player's hand`, `its suit`."""
        if isinstance(owner, LocalValue) and self.name(owner.local).owner:
            return f"{self.name(owner.local).owner} {thing}"
        return owned(self.say(owner), thing)

    def section(self, procedure: Procedure) -> str:
        """`Play trick (3)`."""
        number = self.numbers.get(id(procedure))
        return f'"{human(procedure.name)}"{f" (section {number})" if number else ""}'


def noun_of(local: Local) -> str:
    kind = local.type
    return human(kind.name) if kind.kind == "enum" else kind.kind
