"""Reference evaluators of rankings, totals and melds: the specification that compiled ones are tested against.

Each is made once for given rules and options and then asked as often as wanted:

    PatternEvaluator(ranking, host).best_hand(table, [(cards, exactly or None), ...]) -> HandValue | None
    ConditionEvaluator(ranking, host).rate(table, [cards, ...]) -> HandValue
    TotalEvaluator(spec, host).total(table, cards) -> Total
    MeldEvaluator(spec, host).arranged(table, cards) -> Arrangement, .is_meld(table, cards) -> bool

`host` and `table` are the engine's (`cards.py`). docs/rankings.md says what is computed.
"""

from trionfi.effects import Look
from trionfi.interpreter.hands.cards import Closure, HandTable, Host, Table, printed_look
from trionfi.interpreter.hands.melds import MeldEvaluator
from trionfi.interpreter.hands.rankings import ConditionEvaluator, PatternEvaluator
from trionfi.interpreter.hands.totals import TotalEvaluator
from trionfi.interpreter.hands.values import Arrangement, HandValue, Total

__all__ = [
    "Arrangement",
    "Closure",
    "ConditionEvaluator",
    "HandTable",
    "HandValue",
    "Host",
    "Look",
    "MeldEvaluator",
    "PatternEvaluator",
    "Table",
    "Total",
    "TotalEvaluator",
    "printed_look",
]
