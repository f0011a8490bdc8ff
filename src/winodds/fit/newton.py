"""Wins → Fit: Bradley–Terry ratings β with logit P(i beats j) = βᵢ − βⱼ.

Three estimators. *Bias-reduced* (Firth 1993, the default) always exists. The *maximum-likelihood*
estimate is the papers' EPP and exists only when no set of players won every match against the
rest (Ford 1957). *Ridge* puts a normal prior of stated standard deviation on every rating.
"""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from winodds.arrays import Floats, renumber, sum_by
from winodds.design.dense import DenseInformation
from winodds.design.design import Cliques, Design, Information, InformationAt
from winodds.design.errors import SingularInformation
from winodds.design.kernel import ROUGH
from winodds.fit.errors import NotConverged
from winodds.language.errors import BadOption
from winodds.language.options import Estimator

TOLERANCE = 1e-11
"""Largest change of a rating that one more iteration would make."""

COARSE = 1000
"""Most sets of players in the coarse design that a large one starts from."""

COARSE_GAIN = 8
"""Players for each of these sets."""

COARSE_FROM = 800
"""Players from which on a coarse start pays."""

COARSE_TOLERANCE = 1e-3
"""Of the coarse ratings; what is left is far less than this, because steps shrink ever faster."""

ROUNDING = 64.0 * float(np.finfo(np.float64).eps)
"""What rounding alone changes in the largest ratings, relative to them."""

NOISE = 1e-10
"""Steps this small, relative to the largest ratings, may be rounding that a solution magnifies."""

STALLED = 12
"""Steps without one of half the size after which they are."""

MAX_ITERATIONS = 200

MAX_STEP = 4.0
"""Longest first step; it doubles with every step that was not too long."""


@dataclass(frozen=True, slots=True)
class Fit:
    """Ratings and the information at them.

    Attributes
    ----------
    beta : (m,) ratings, centred to mean 0.
    information : Fisher information at ``beta`` (plus 1/sd² on the diagonal for ridge).
    iterations : Newton steps that were needed.
    """

    beta: Floats
    information: Information
    iterations: int


def fit(
    wins: Floats,
    design: Design,
    *,
    estimator: Estimator = "bias-reduced",
    prior_sd: float | None = None,
    start: Floats | None = None,
    tolerance: float = TOLERANCE,
    information_at: InformationAt | None = None,
) -> Fit:
    """Solve for the ratings that explain ``wins`` (m,), given who met whom.

    Parameters
    ----------
    prior_sd : standard deviation of the prior, for ridge.
    start : ratings to begin with; by default the log-odds of each player's share of wins.
    tolerance : largest change of a rating that one more iteration would make.
    information_at : the design's information at any ratings, if not to full precision.

    Raises
    ------
    NotConverged
        When the ratings still change after 200 iterations.
    SingularInformation
        When ratings are too far apart for the computer's precision.
    """
    weight = design.weight_of_matches()
    ridge = _precision(estimator, prior_sd)
    overshoot = 1.0 + (wins.size - 1) / (0.5 * weight.sum())
    beta = _start(wins, weight, design) if start is None else start
    information_at = design.information() if information_at is None else information_at
    change, promised, largest, expected = np.zeros_like(beta), 0.0, 0.0, np.inf
    cap, least, since = MAX_STEP, np.inf, 0
    for iteration in range(MAX_ITERATIONS):
        information = information_at(beta, ridge)
        size = float(np.abs(beta).max())
        stalled = iteration - since > STALLED and largest < NOISE * size
        if stalled or expected < max(tolerance, ROUNDING * size):
            return Fit(beta, information, iteration)
        score = wins - information.expected - ridge * beta
        if estimator == "bias-reduced":
            score, step = _bias_reduced_step(score, information, overshoot)
        else:
            step = information.solve(score)
        gained = float(score @ change)
        if gained < -0.5 * promised:
            shorter = max(0.1, promised / (promised - gained))
            beta = beta - (1.0 - shorter) * change
            change, promised, cap = shorter * change, shorter * promised, MAX_STEP
            continue
        before, largest = largest, float(np.abs(step).max())
        if largest < 0.5 * least:
            least, since = largest, iteration
        expected = largest * min(1.0, largest / before) if before else largest
        change = step * (cap / max(largest, cap))
        cap *= 2.0
        promised = float(score @ change)
        beta = beta + change
        beta -= beta.mean()
    raise NotConverged(iterations=MAX_ITERATIONS, step=largest)


def _start(wins: Floats, weight: Floats, design: Design) -> Floats:
    """Ratings to begin with: log-odds of the share of wins, or those of a coarser design."""
    odds = _log_odds(wins, weight)
    guess: Floats = (odds - odds.mean()) * ((wins.size - 1) / wins.size)
    if not (isinstance(design, Cliques) and design.complete and wins.size >= COARSE_FROM):
        return guess
    try:
        return _coarse(wins, odds, float(weight[0]))
    except (NotConverged, SingularInformation):
        return guess


def _coarse(wins: Floats, odds: Floats, weight: float) -> Floats:
    """Ratings, nearly, for the complete design with matches of total ``weight`` for everyone.

    A rating depends there on the player's wins only, and is nearly linear in the log-odds of
    winning. Players with nearly the same ``odds`` (m,) are taken together, and the rest is
    interpolation.
    """
    sets, span = min(COARSE, wins.size // COARSE_GAIN), max(float(np.ptp(odds)), 1e-12)
    label = renumber(np.floor((odds - odds.min()) * (sets / span)).astype(np.int64))
    size = np.bincount(label).astype(np.float64)
    if size.size < 2:
        return np.zeros_like(odds)
    pair_weight = weight / (wins.size - 1)
    together = sum_by(label, wins, size.size)
    middle = _log_odds(together / size, weight)
    design = Cliques(sparse.csr_array(size[None, :]), np.array([pair_weight]))
    rating = fit(
        together - 0.5 * pair_weight * size * (size - 1.0),
        design,
        start=middle - (size @ middle) / wins.size,
        tolerance=COARSE_TOLERANCE,
        information_at=design.information(ROUGH),
    ).beta
    fine: Floats = np.interp(odds, middle, rating)
    return fine


def _precision(estimator: Estimator, prior_sd: float | None) -> float:
    if estimator != "ridge":
        return 0.0
    if prior_sd is None:
        raise BadOption(option="prior_sd", value=None, wanted="ridge needs a number")
    return 1.0 / prior_sd**2


def _log_odds(wins: Floats, weight: Floats | float) -> Floats:
    """Log-odds of a share of wins, with half a win and half a loss more."""
    odds: Floats = np.log((wins + 0.5) / (weight - wins + 0.5))
    return odds


def _bias_reduced_step(
    score: Floats, information: Information, overshoot: float
) -> tuple[Floats, Floats]:
    """The bias-reduced score, and a Newton step in which leverages count as matches half won.

    With the leverages hᵢⱼ held fixed, the bias-reduced equations are those of Nᵢⱼ + hᵢⱼ matches.
    Leaving h out of the curvature overshoots, by a factor of two when every pair met once. The
    dense form takes it in exactly, the kernel on average.
    """
    if isinstance(information, DenseInformation):
        return information.step_with_leverages(score)
    adjusted = score + information.bias_score()
    return adjusted, information.solve(adjusted) / overshoot
