"""Runs a ruleset's own tests: hands that are compared, and dealt situations with moves and what is then true."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trionfi.dsl.tree import (
    And,
    CallDefine,
    Empty,
    Expectation,
    Expr,
    HandTest,
    Has,
    Member,
    Not,
    Ordered,
    Same,
    SituationTest,
    Within,
    Written,
)
from trionfi.interpreter.bots import seat_bots
from trionfi.interpreter.decision import DONE
from trionfi.interpreter.errors import GameError, StackError
from trionfi.interpreter.hands.reading import HandError
from trionfi.interpreter.names import CardNames, fold, player_name, read_number
from trionfi.interpreter.opening import chosen_engine, open_stacked
from trionfi.interpreter.ranking import rank

if TYPE_CHECKING:
    from trionfi.dsl.source import Span
    from trionfi.interpreter.decision import Decision
    from trionfi.interpreter.game import Game
    from trionfi.interpreter.hands import HandValue
    from trionfi.interpreter.rules_data import RulesData

__all__ = ["Outcome", "run_examples"]

SEED = 0  # what a test does not stack is dealt alike each time


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one test went: `failure` is empty, or says what was expected and what came; `place` is where."""

    title: str
    place: Span
    failure: str = ""


class ExampleFailed(Exception):
    """A test does not hold."""

    def __init__(self, message: str, place: Span | None = None) -> None:
        super().__init__(message)
        self.place = place


def run_examples(rules: RulesData, engine: str = "reference") -> Iterator[Outcome]:
    """The outcome of each test, in the order of the text. Raises EngineError if the engine cannot play a ruleset.

    The reference engine starts at once; the native one compiles first, which takes authors longer than all their tests.
    """
    chosen_engine(rules, engine)
    settings: dict[str, RulesData] = {}  # many tests have the same, and each of these compiles for itself
    for test in rules.ruleset.tests:
        yield outcome_of(rules, test, engine, settings)


def outcome_of(
    rules: RulesData, test: HandTest | SituationTest, engine: str, settings: dict[str, RulesData]
) -> Outcome:
    try:
        key = repr(sorted(test.options.items()))
        if key not in settings:
            settings[key] = rules.with_options(test.options)
        if isinstance(test, HandTest):
            run_hands(settings[key], test, engine)
        else:
            run_situation(settings[key], test, engine)
    except ExampleFailed as failed:
        return Outcome(test.title, failed.place or test.span, str(failed))
    except GameError as error:
        return Outcome(test.title, error.span, str(error))
    except (StackError, HandError) as error:
        return Outcome(test.title, test.span, str(error))
    return Outcome(test.title, test.span)


# ---- hands


Hand = Sequence[Sequence[str]]  # names of cards, a list a part


def run_hands(rules: RulesData, test: HandTest, engine: str) -> None:
    judge = Judge(rules, test.ranking, engine)
    if test.better is not None and test.worse is not None and judge.compare(test.better, test.worse) <= 0:
        better, worse = judge.told(test.better), judge.told(test.worse)
        raise ExampleFailed(f"expected the better hand to win, but {better} does not beat {worse}")
    for other in (test.equal or [])[1:]:
        run_equal(judge, test.equal[0], other)  # type: ignore[index]
    if test.hand is not None and test.category is not None:
        category = judge.category(test.hand)
        if category is None or fold(category) != fold(test.category):
            raise ExampleFailed(f"expected {test.category}, but it is {judge.told(test.hand)}")


def run_equal(judge: Judge, one: Hand, other: Hand) -> None:
    order = judge.compare(one, other)
    if order:
        beats = "beats" if order > 0 else "loses to"
        raise ExampleFailed(f"expected equal hands, but {judge.told(one)} {beats} {judge.told(other)}")


class Judge:
    """Compares hands under a ranking, by the evaluators of an engine where they can; words are the reference's."""

    def __init__(self, rules: RulesData, ranking: str, engine: str) -> None:
        self.rules, self.ranking, self.natively = rules, ranking, engine == "native"

    def value(self, hand: Hand) -> HandValue | None:
        return rank(self.rules, self.ranking, hand)

    def compare(self, one: Hand, other: Hand) -> int:
        """1: the first is better, -1: the second; no hand is below every hand."""
        values = self.value(one), self.value(other)
        if self.natively:
            from trionfi.interpreter import native

            order = native.compare_hands(self.rules, self.ranking, one, other)
            if order is not None:
                return order
        if values[0] is None or values[1] is None:
            return (values[0] is not None) - (values[1] is not None)
        return (values[0] > values[1]) - (values[0] < values[1])

    def category(self, hand: Hand) -> str | None:
        """The name of its category, None if it is no hand."""
        value = self.value(hand)
        if self.natively:
            from trionfi.interpreter import native

            found = native.category_of(self.rules, self.ranking, hand)
            if found is not None:
                return found or None
        return None if value is None else value.category

    def told(self, hand: Hand) -> str:
        value = self.value(hand)
        return "no hand" if value is None else f"{value.category} ({', '.join(map(str, value.cards))})"


# ---- situations


def run_situation(rules: RulesData, test: SituationTest, engine: str) -> None:
    players = rules.seats(test.players)
    game = open_stacked(
        rules,
        players=players,
        seed=SEED,
        engine=engine,
        cards={zone: [card.text for card in cards] for zone, cards in test.cards.items()},
        set={name: several(value.text) for name, value in test.set.items()},
        chance=[outcome(written.text) for written in test.chance],
        begin=plays(test),
    )
    WrittenMoves(rules.card_names, test.moves or []).make(game)
    if test.then:
        game.play_on(seat_bots(rules, [test.then] * players, SEED, 0))
    if test.offered is not None:
        check_offered(rules.card_names, game, *test.offered)
    for expectation in test.expect:
        check_expectation(game, expectation)


def plays(test: SituationTest) -> bool:
    """Whether the play begins; without any of these the conditions are about the table before it."""
    return bool(test.cards or test.moves is not None or test.then or test.offered is not None)


def outcome(text: str) -> int | list[str]:
    """A forced outcome: a number, or cards from the top."""
    return read_number(text) if text.strip().isdecimal() else [card.strip() for card in text.split(",")]


def several(text: str) -> str | list[str]:
    """What a variable is set to: the cards of a list one by one, anything else as it is written."""
    parts = [part.strip() for part in text.split(",")]
    return parts if len(parts) > 1 else text


class WrittenMoves:
    """The moves of a test, made one after another."""

    def __init__(self, names: CardNames, moves: Sequence[tuple[int, Written]]) -> None:
        self.names = names
        self.left = deque(moves)

    def make(self, game: Game) -> None:
        while self.left:
            decision = self.asked(game)
            move = self.next_move(decision)
            game.apply(move)

    def asked(self, game: Game) -> Decision:
        """The decision in which the next move is made."""
        seat, written = self.left[0]
        decision = game.decision
        if decision is None:
            raise ExampleFailed(f"the game is over before {player_name(seat)} chooses {written.text}", written.span)
        if decision.player != seat:
            asked = f"{player_name(decision.player)} is asked ({decision.name}: {offers(decision)})"
            raise ExampleFailed(f"expected {player_name(seat)} to choose {written.text}, but {asked}", written.span)
        return decision

    def next_move(self, decision: Decision) -> int:
        """Takes the next move; of several picks of one set the one that the choice offers first."""
        found = [
            (move, place)
            for place in range(self.series(decision))
            if (move := move_called(self.names, decision, self.left[place][1].text)) is not None
        ]
        if not found:
            written = self.left[0][1]
            raise ExampleFailed(
                f"`{written.text}` is not offered; {decision.name} offers {offers(decision)}", written.span
            )
        move, place = min(found)
        del self.left[place]
        return move

    def series(self, decision: Decision) -> int:
        """How many of the next moves belong to one set, whose order does not count; at least the next."""
        seat = self.left[0][0]
        count = 0
        while count < min(decision.left, len(self.left)):
            other, written = self.left[count]
            if other != seat or fold(written.text) == DONE:
                break
            count += 1
        return max(1, count)


def offers(decision: Decision) -> str:
    return f"{decision.low}..{decision.high}" if decision.is_number else ", ".join(decision.labels())


def move_called(names: CardNames, decision: Decision, text: str) -> int | None:
    """The move with this label, in whatever case; its cards also by other names and short codes."""
    moves = (decision.move_called(spelling) for spelling in spellings(names, text))
    return next((move for move in moves if move is not None), None)


def spellings(names: CardNames, text: str) -> Iterator[str]:
    """The text, then with each run of its words that calls a card replaced by the card's own name."""
    yield text
    words = text.split()
    for length in range(len(words), 0, -1):
        for start in range(len(words) - length + 1):
            try:
                name = names.write(*names.read(" ".join(words[start : start + length])))
            except StackError:
                continue
            yield " ".join([*words[:start], name, *words[start + length :]])


def check_offered(names: CardNames, game: Game, seat: int, expected: Sequence[Written]) -> None:
    wanted = ", ".join(written.text for written in expected)
    decision = game.decision
    if decision is None:
        raise ExampleFailed(f"expected {player_name(seat)} to be asked for {wanted}, but the game is over")
    if decision.player != seat or not same_offers(names, decision, [written.text for written in expected]):
        came = f"{player_name(decision.player)} is asked for {decision.name}: {offers(decision)}"
        place = expected[0].span if expected else None
        raise ExampleFailed(f"expected {player_name(seat)} to be asked for {wanted}, but {came}", place)


def same_offers(names: CardNames, decision: Decision, expected: Sequence[str]) -> bool:
    """All that is offered, in order; a number as `4..10`."""
    if decision.is_number:
        return [text.replace(" ", "") for text in expected] == [offers(decision)]
    labels = decision.labels()
    return len(labels) == len(expected) and all(
        fold(label) in map(fold, spellings(names, text)) for label, text in zip(labels, expected, strict=True)
    )


# ---- expectations


def check_expectation(game: Game, expectation: Expectation) -> None:
    if game.evaluate(expectation.expr, expectation.locals) is True:
        return
    wanted = " ".join(expectation.span.text.split())
    culprit = deciding(game, expectation.expr, expectation)
    reason = explained(game, culprit, expectation)
    raise ExampleFailed(f"expected {wanted}, but {reason}" if reason else f"expected {wanted}", culprit.span)


# Of what else than a comparison may decide: the parts whose values say why.
TELLING: dict[type[Expr], tuple[str, ...]] = {
    Same: ("left", "right"),
    Ordered: ("left", "right"),
    Within: ("operand", "low", "high"),
    Member: ("item", "collection"),
    Empty: ("operand",),
    Has: ("card",),
    CallDefine: ("arguments",),
}


def explained(game: Game, culprit: Expr, expectation: Expectation) -> str:
    """What came instead: the values in the part that decided; empty if there are none to tell."""
    parts: list[Expr] = []
    for name in TELLING.get(type(culprit), ()):
        part = getattr(culprit, name)
        parts += part if isinstance(part, list) else [part]
    told = [(part.span.text.strip(), game.show(part, expectation.locals)) for part in parts]
    return ", ".join(f"{written} is {value or 'empty'}" for written, value in told if fold(written) != fold(value))


def deciding(game: Game, expr: Expr, expectation: Expectation) -> Expr:
    """The part of a condition that makes it false: the first such of a chain of `and`, the inside of a `not`."""
    if isinstance(expr, And):
        return next(
            deciding(game, part, expectation)
            for part in expr.operands
            if game.evaluate(part, expectation.locals) is not True
        )
    return expr.operand if isinstance(expr, Not) else expr
