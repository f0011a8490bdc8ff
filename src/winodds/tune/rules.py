"""The rules of a race: what is asked, and what may be claimed for which splits."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from winodds.language.checks import check_between, check_choice, check_count, check_positive
from winodds.language.errors import BadOption
from winodds.tune.bets import fewest_splits
from winodds.tune.errors import OneSetting, TooFewSplits, UnprovedSplits

Strategy: TypeAlias = Literal["park", "prove"]
Splits: TypeAlias = Literal["independent", "folds", "dependent"]
Claim: TypeAlias = Literal["proved", "simulated", "off"]

Choose: TypeAlias = Literal["mean", "wins"]

STRATEGIES: tuple[Strategy, ...] = ("park", "prove")
SPLITS: tuple[Splits, ...] = ("independent", "folds", "dependent")
CHOICES: tuple[Choose, ...] = ("mean", "wins")

MORE_SPLITS = 1
"""Splits beyond the fewest on which anything can be dropped, so that a drop saves something."""

STOP = 0.002
"""Chance to win a split, beyond one half, that paying on has to promise (parking)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """How a race is run.

    Attributes
    ----------
    strategy : "park" pays for whoever may still be truly better than the leader; "prove" for all
        who are not refuted as the best.
    splits : how splits hang together given the data. "independent" are drawn anew each time
        (shuffled splits, bootstrap), "folds" are those of k-fold cross-validation, repeated or not,
        and "dependent" may err together from one to the next (time series).
    proposed : whether settings were proposed by results on these splits.
    first : splits that all settings get.
    alpha : error rate of a drop.
    stop : stop when paying for all remaining splits would raise the chance to win a split by less.
        None for 0.002 when parking, and for never when proving.
    park : chance of being truly better than the leader below which a setting is parked.
    choose : "mean" chooses the highest expected mean score; "wins", at the end, the highest EPP of
        the five with the highest expectations among those left, rated by themselves. In a field of
        all, matches against hopeless settings would decide between the best.
    power, least : at most ``max(least, k (first / n) ** power)`` of k settings get split n + 1.
    """

    strategy: Strategy = "park"
    splits: Splits = "independent"
    proposed: bool = False
    first: int = 3
    alpha: float = 0.05
    stop: float | None = None
    choose: Choose = "mean"
    park: float = 0.02
    power: float = 2.0
    least: int = 4

    def __post_init__(self) -> None:
        check_choice("strategy", self.strategy, STRATEGIES)
        check_choice("splits", self.splits, SPLITS)
        check_choice("choose", self.choose, CHOICES)
        check_count("first", self.first, least=2)
        check_between("alpha", self.alpha, 0.0, 0.5)
        check_between("park", self.park, 0.0, 0.5)
        check_positive("power", self.power, scale="which the field shrinks")
        check_count("least", self.least, least=2)
        if self.stop is not None:
            check_positive("stop", self.stop, scale="the scale of probabilities")
            if self.stop >= 0.5:
                raise BadOption(option="stop", value=self.stop, wanted="it is below 0.5")

    @property
    def claim(self) -> Claim:
        """What is claimed of a drop: its error rate is proved, only simulated, or not known."""
        if self.splits == "dependent" or self.proposed:
            return "off"
        return "proved" if self.splits == "independent" else "simulated"

    @property
    def stops_below(self) -> float:
        """The worth of paying on below which a race stops."""
        if self.stop is not None:
            return self.stop
        return STOP if self.strategy == "park" else 0.0

    def most_running(self, settings: int, paid: int) -> int:
        """How many settings get another split when the first of them have so many."""
        if self.strategy == "prove":
            return settings
        share = settings * (self.first / paid) ** self.power
        return max(self.least, int(-(-share // 1)))

    def check_field(self, settings: int, splits: int) -> None:
        """Raise if there cannot be a race of so many settings on so many splits."""
        if settings < 2:
            raise OneSetting(settings=settings)
        if splits < self.first:
            raise TooFewSplits(splits=splits, needed=self.first, strategy=self.strategy)
        if self.strategy == "park":
            return
        if self.claim == "off":
            raise UnprovedSplits(proposed=self.proposed)
        needed = fewest_splits(self.alpha) + MORE_SPLITS
        if splits < needed:
            raise TooFewSplits(splits=splits, needed=needed, strategy="prove", alpha=self.alpha)
