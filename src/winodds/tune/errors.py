"""What can go wrong in a race of settings."""

from collections.abc import Sequence

from winodds.language.errors import DataError, UseError
from winodds.language.spelling import option
from winodds.language.words import count, list_names, list_some


class OneSetting(UseError):
    """There is nothing to race."""

    settings: int

    def sentence(self) -> str:
        return (
            f"A race needs at least two different settings, and there "
            f"{'is one' if self.settings == 1 else 'are none'}. Try more of them, or fit the model "
            f"as it is."
        )


class TooFewSplits(UseError):
    """Nothing could be saved on so few splits."""

    splits: int
    needed: int
    strategy: str
    alpha: float | None = None

    def sentence(self) -> str:
        have = count(self.splits, "split")
        if self.alpha is None:
            return (
                f"There {'is' if self.splits == 1 else 'are'} {have}, and every setting gets the "
                f"first {self.needed}. Use {self.needed + 3} splits or more; 20 are a good number."
            )
        return (
            f"With {have} nothing can be proved: bets at most double on each, so that no setting "
            f"can be dropped at {100 * self.alpha:g}% before split {self.needed - 1}. Use "
            f"{self.needed} splits or more (20 are a good number), or "
            f"{option('strategy', 'park')}."
        )


class UnprovedSplits(UseError):
    """Drops would rest on a proof that does not hold here."""

    proposed: bool

    def sentence(self) -> str:
        why = (
            "settings that were proposed by results on the same splits"
            if self.proposed
            else "splits that may err together from one to the next, as those of time series"
        )
        return (
            f"Nothing is proved for {why}: the best would be dropped more often than the level "
            f"says. Use {option('strategy', 'park')}, which claims nothing."
        )


class NotAsked(UseError):
    """A result that the race did not ask for."""

    setting: int
    split: int
    again: bool

    def sentence(self) -> str:
        what = f"the result of setting {self.setting} on split {self.split}"
        if self.again:
            return f"The race has {what} already. Tell each result once."
        return (
            f"The race did not ask for {what}. Fit what `wanted` lists; settings run the splits in "
            f"one order."
        )


class InfiniteScore(DataError):
    """A score that is infinitely good."""

    setting: int
    split: int

    def sentence(self) -> str:
        return (
            f"Setting {self.setting} scored infinity on split {self.split}. Scores are finite "
            f"numbers, larger ones better; a fit that failed has none."
        )


class NothingScored(DataError):
    """Every fit failed."""

    fits: int
    reasons: Sequence[str] = ()

    def sentence(self) -> str:
        said = f" ({list_names(self.reasons)})" if self.reasons else ""
        return (
            f"None of the {count(self.fits, 'fit')} gave a score{said}. Check the model and the "
            f"scorer on one split before racing."
        )


class WhichScorer(UseError):
    """Several scorers, and none is said to decide."""

    scorers: Sequence[str]

    def sentence(self) -> str:
        return (
            f"There are several scorers: {list_names(self.scorers)}. Say which one decides, for "
            f"instance {option('refit', self.scorers[0])}."
        )


class SplitsDiffer(UseError):
    """A splitter that does not give as many splits as it says."""

    promised: int
    given: int

    def sentence(self) -> str:
        return (
            f"The splitter says that it makes {count(self.promised, 'split')}, and made "
            f"{self.given:,}. A race needs the same splits for all settings."
        )


class TargetNeeded(UseError):
    """An estimator that learns from y, without y."""

    estimator: str

    def sentence(self) -> str:
        return (
            f"{self.estimator} requires y to be passed, but the target y is None. Pass it as the "
            f"second argument of fit."
        )


class StepsDiffer(UseError):
    """A trial that did not report its splits one by one."""

    trial: int
    steps: Sequence[int]

    def sentence(self) -> str:
        steps = list_some([str(step) for step in self.steps])
        return (
            f"Trial {self.trial} reported the steps {steps}. Report the score of each split under "
            f"its number: 0, 1, 2 and so on, in the same order in all trials."
        )


class NoSplits(DataError):
    """A board whose players did not all run the same splits."""

    components: int

    def sentence(self) -> str:
        if self.components > 1:
            what = f"its players fall into {self.components} components that never met"
        else:
            what = "its matches are no comparisons within rounds"
        return (
            f"A race is run over splits that all settings could run, and of this leaderboard "
            f"{what}. Rate a table with a score for every setting and split."
        )
