"""Intervals of 95 per cent: how far chance may have moved a figure.

Games are drawn one by one, the readings of a game are not: what is read twenty times in a game tells less than
twenty games. So every figure is a ratio of sums over games, and its variance is that of the games, by linearisation
(Cochran, Sampling Techniques, 6.4 and 9A). `docs/figures.md` says which interval is whose.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import cos, inf, pi, sin, sqrt, tan
from statistics import NormalDist

from trionfi.interpreter.statistics import Ratio

__all__ = ["FEW_GAMES", "mean_interval", "share_interval", "student", "wilson"]

FEW_GAMES = 30  # below so many an interval is rough
SHARE = 0.975  # of a distribution, below the upper end of a two-sided interval of 95 per cent
Z = NormalDist().inv_cdf(SHARE)
EXPANDED = 400  # degrees of freedom from which on the expansion is exact to ten digits
HALVINGS = 64


# ---- quantiles


@lru_cache(maxsize=1024)
def student(share: float, freedom: int) -> float:
    """The quantile of Student's t: below it lies `share` (0.5 to 1) of the distribution."""
    if freedom >= EXPANDED:
        return expanded(NormalDist().inv_cdf(share), freedom)
    low, high = 0.0, pi / 2
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if within(middle, freedom) < 2 * share - 1 else (low, middle)
    return sqrt(freedom) * tan(low)


def within(angle: float, freedom: int) -> float:
    """The chance that |t| stays below sqrt(freedom) * tan(angle); Abramowitz and Stegun 26.7.3 and 26.7.4."""
    odd = freedom % 2
    squared = cos(angle) ** 2
    term, terms = (cos(angle) if odd else 1.0), 0.0
    for power in range(2 + odd, freedom + 1, 2):
        terms += term
        term *= squared * (power - 1) / power
    return (angle + sin(angle) * terms) * 2 / pi if odd else sin(angle) * terms


def expanded(z: float, freedom: int) -> float:
    """By the first terms of the expansion around the normal distribution; Abramowitz and Stegun 26.7.5."""
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return sum(term / float(freedom) ** power for power, term in enumerate(terms))


# ---- intervals


def mean_interval(ratio: Ratio) -> tuple[float, float]:
    """Student's, over the games in which it was read; without ends below two of them."""
    if ratio.games < 2:
        return -inf, inf
    variance = ratio.spread() * ratio.games / ((ratio.games - 1) * ratio.count**2)
    half = student(SHARE, ratio.games - 1) * sqrt(variance)
    return ratio.mean - half, ratio.mean + half


def share_interval(ratio: Ratio) -> tuple[float, float]:
    """Wilson's, for as many trials as tell as much as these games do (Korn and Graubard 1998)."""
    return wilson(ratio.mean, effective_size(ratio))


def effective_size(ratio: Ratio) -> float:
    """How many independent trials of yes and no have the variance that the games show; once a game: the games."""
    if not ratio.count:
        return 0.0
    share = Fraction(ratio.total) / ratio.count
    if share in (0, 1):
        return ratio.games
    single = share * (1 - share)
    # Where all games are alike by chance (ties only), the next one may still differ: as if four were unlike.
    spread = max(float(ratio.spread()), Z**2 * float(single * ratio.count / ratio.games))
    size = ratio.count**2 * float(single) / spread
    return size if ratio.games == ratio.count else size * for_few(ratio.games)


def for_few(games: int) -> float:
    """What a size shrinks by, since its variance is not known but seen in some games."""
    return (games - 1) / games * (Z / student(SHARE, games - 1)) ** 2 if games > 1 else 0.0


def wilson(share: float, count: float) -> tuple[float, float]:
    """Wilson's interval for a share seen in `count` trials; 0 to 1 for no trial."""
    if not count:
        return 0.0, 1.0
    spread = Z * Z / count
    centre = (share + spread / 2) / (1 + spread)
    half = Z * sqrt(share * (1 - share) / count + spread / (4 * count)) / (1 + spread)
    return max(0.0, centre - half), min(1.0, centre + half)
