"""Options of a rating, checked once at the door."""

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from winodds.fit.newton import Estimator
from winodds.inference.intervals import IntervalKind
from winodds.language.checks import check_between, check_choice, check_number, check_seed
from winodds.language.errors import BadOption
from winodds.language.spelling import option
from winodds.quality.deviance import Convention
from winodds.table.scores import Missing
from winodds.table.table import Duplicates

ScoreMatches: TypeAlias = Literal["within", "across"]
Components: TypeAlias = Literal["error", "separate"]

DEFAULT_PRIOR_SD = 2.0

MODERATE = 2_500
"""Players up to which details are quick: some seconds."""

MODERATE_SEASON = 1_000
"""Players, over all of several boards, up to which they are."""

MODERATE_COMPARISONS = 120_000_000
"""Comparisons of scores, to look at all pairs of players once, up to which they are."""

MODERATE_DENSE = 200**3
"""Cubes of the players, over all boards with gaps or of battles, up to which they are.

There every replicate is a fit of its own, with arrays of players × players.
"""


@dataclass(frozen=True, slots=True)
class Rules:
    """How scores become matches.

    Attributes
    ----------
    matches : "within" rounds or "across" them.
    tie_tolerance : scores this close, or closer, tie.
    missing : runs without a score are left out ("skip") or lose.
    duplicates : what becomes of several scores of a player in a round.
    """

    matches: ScoreMatches = "within"
    tie_tolerance: float = 0.0
    missing: Missing = "skip"
    duplicates: Duplicates = "error"

    def __post_init__(self) -> None:
        check_choice("matches", self.matches, get_args(ScoreMatches))
        check_choice("missing", self.missing, get_args(Missing))
        check_choice("duplicates", self.duplicates, get_args(Duplicates))
        check_number("tie_tolerance", self.tie_tolerance)
        if not 0.0 <= self.tie_tolerance < float("inf"):
            wanted = "it is 0 or a positive number on the scores' scale"
            raise BadOption(option="tie_tolerance", value=self.tie_tolerance, wanted=wanted)
        object.__setattr__(self, "tie_tolerance", float(self.tie_tolerance))


@dataclass(frozen=True, slots=True)
class Options:
    """How wins become a leaderboard.

    Attributes
    ----------
    estimator : "bias-reduced", "mle" or "ridge".
    prior_sd : standard deviation of the ridge prior; 2 when ridge is asked for without it.
    interval : "robust" or "model".
    level : coverage of the intervals.
    reference : the player whose rating is 0; None for the average of all.
    components : what to do with components of players that never met.
    test_fraction : share of the data in each test split, when splits share training data.
    details : whether details and quality are computed at once; None leaves them until they are
        asked for.
    convention : how the quality's deviance counts pairs.
    seed : of the simulations.
    """

    estimator: Estimator = "bias-reduced"
    prior_sd: float | None = None
    interval: IntervalKind = "robust"
    level: float = 0.95
    reference: str | None = None
    components: Components = "error"
    test_fraction: float | None = None
    details: bool | None = None
    convention: Convention = "pairs"
    seed: int = 0

    def __post_init__(self) -> None:
        check_choice("convention", self.convention, get_args(Convention))
        check_seed(self.seed)
        if self.details is not None and not isinstance(self.details, bool):
            wanted = "it is True, False, or None for boards of moderate size"
            raise BadOption(option="details", value=self.details, wanted=wanted)
        check_choice("estimator", self.estimator, get_args(Estimator))
        check_choice("interval", self.interval, get_args(IntervalKind))
        check_choice("components", self.components, get_args(Components))
        check_between("level", self.level, 0.0, 1.0)
        object.__setattr__(self, "level", float(self.level))
        if self.test_fraction is not None:
            check_between("test_fraction", self.test_fraction, 0.0, 1.0)
            object.__setattr__(self, "test_fraction", float(self.test_fraction))
        if self.prior_sd is not None:
            if self.estimator != "ridge":
                wanted = f"it belongs to {option('estimator', 'ridge')}"
                raise BadOption(option="prior_sd", value=self.prior_sd, wanted=wanted)
            check_between("prior_sd", self.prior_sd, 1e-6, 1e6)
            object.__setattr__(self, "prior_sd", float(self.prior_sd))
        if self.components == "separate" and self.reference is not None:
            separate = option("components", "separate")
            wanted = f"components that are rated separately ({separate}) share no zero"
            raise BadOption(option="reference", value=self.reference, wanted=wanted)

    @property
    def ridge_sd(self) -> float | None:
        """Standard deviation of the prior, for ridge."""
        if self.estimator != "ridge":
            return None
        return DEFAULT_PRIOR_SD if self.prior_sd is None else self.prior_sd
