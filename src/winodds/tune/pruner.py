"""`EPPPruner` and `EPPStop` for Optuna: trials that report a score for each split.

In Optuna, trials run one after another, and each runs all splits unless it is pruned. A trial bets
against earlier ones: the leaders of split t are the best on the splits before t, among trials that
were done when it began and ran split t. So the best trial with all its scores, which was chosen by
split t too, leads nobody by that.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from optuna.pruners import BasePruner
from optuna.study import Study, StudyDirection
from optuna.trial import FrozenTrial, TrialState

from winodds.arrays import Floats, Ints, at_least, order_of
from winodds.language.checks import check_between, check_choice, check_positive
from winodds.tune.bets import PURSES, lose_against, rank_by_wins, stake
from winodds.tune.errors import StepsDiffer
from winodds.tune.prospects import WORTHWHILE, Prospects, foresee
from winodds.tune.rules import SPLITS, Claim, Rules, Splits

BLIND = ("RandomSampler", "QMCSampler", "GridSampler", "BruteForceSampler")
"""Samplers of Optuna that propose without looking at results."""

DONE = (TrialState.COMPLETE, TrialState.PRUNED)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a trial.

    Attributes
    ----------
    trial : its number.
    state : "left" if it ran all its splits; "dropped" if it was refuted as the best, with the error
        rate that ``claim`` speaks of; "pruned" if nothing is claimed of that. It is not parked,
        because a trial cannot come back.
    paid : splits that it ran.
    purse : what bets against its being the best have made of 1.
    claim : what is claimed of a drop.
    """

    trial: int
    state: str
    paid: int
    purse: float
    claim: Claim


class EPPPruner(BasePruner):
    """Prunes trials that are refuted as the best.

    Report the score of each split under its number 0, 1, …, in the same order in all trials, and
    raise `optuna.TrialPruned` if `should_prune` says so.

    Parameters
    ----------
    alpha : chance with which the truly best trial is ever pruned.
    splits : how splits hang together, as in `Rules`: "independent" (shuffled splits), "folds" or
        "dependent". If nobody says, nothing is claimed.

    Examples
    --------
    >>> import optuna
    >>> pruner = EPPPruner(splits="independent")
    >>> sampler = optuna.samplers.RandomSampler(seed=0)
    >>> study = optuna.create_study(direction="maximize", pruner=pruner, sampler=sampler)
    >>> pruner.claim(study)
    'proved'
    """

    def __init__(self, *, alpha: float = 0.05, splits: Splits | None = None) -> None:
        self._alpha = check_between("alpha", alpha, 0.0, 0.5)
        self._splits = None if splits is None else check_choice("splits", splits, SPLITS)

    def claim(self, study: Study) -> Claim:
        """What may be claimed of the trials that are pruned: nothing if the sampler learns."""
        splits: Splits = "dependent" if self._splits is None else self._splits
        return Rules(splits=splits, proposed=not proposes_blindly(study)).claim

    def prune(self, study: Study, trial: FrozenTrial) -> bool:
        """Whether the trial is refuted as the best; called by Optuna."""
        own = _scores(study, trial)
        if not own.size:
            return False
        return bool(at_least(self._purse(study, trial, own), 1.0 / self._alpha))

    def verdicts(self, study: Study) -> tuple[Verdict, ...]:
        """What became of each trial that is done, and how sure that is."""
        claim, found = self.claim(study), []
        for trial in study.get_trials(deepcopy=False, states=DONE):
            own, state = _scores(study, trial), "left"
            if trial.state == TrialState.PRUNED:
                state = "pruned" if claim == "off" else "dropped"
            purse = self._purse(study, trial, own)
            found.append(Verdict(trial.number, state, own.size, purse, claim))
        return tuple(found)

    def _purse(self, study: Study, trial: FrozenTrial, own: Floats) -> float:
        """What the purses hold after the splits that the trial ran."""
        earlier = [_scores(study, other) for other in _done_before(study, trial)]
        purse = np.full(PURSES, 1.0 / PURSES)
        for split in range(own.size):
            ran = [other[: split + 1] for other in earlier if other.size > split]
            if not ran:
                break
            table = np.vstack([own[: split + 1], *ran])
            for place, leaders in enumerate(_leaders(table)):
                losses = lose_against(table, np.array([0]), leaders, all_play=True)
                purse[place] *= 1.0 + float(stake(losses[:, :split])[0] * losses[0, split])
        return float(purse.sum())


def proposes_blindly(study: Study) -> bool:
    """Whether the study's sampler proposes settings without looking at results."""
    kind = type(study.sampler)
    return kind.__module__.startswith("optuna.") and kind.__name__ in BLIND


def _leaders(table: Floats) -> tuple[Ints, Ints]:
    """Whom the first row plays on the last split, chosen by those before it: one, and some."""
    others = np.arange(1, len(table))
    if table.shape[1] == 1:
        return others, others
    order = others[rank_by_wins(table[1:, :-1])]
    return order[:1], order[: max(2, round(0.1 * others.size))]


def _done_before(study: Study, trial: FrozenTrial) -> Sequence[FrozenTrial]:
    """Trials that were done when this one began, so that they are the same whenever it is asked."""
    begin = trial.datetime_start
    return [
        other
        for other in study.get_trials(deepcopy=False, states=DONE)
        if other.number != trial.number
        and begin is not None
        and other.datetime_complete is not None
        and other.datetime_complete <= begin
        and other.intermediate_values
    ]


def _scores(study: Study, trial: FrozenTrial) -> Floats:
    """(t,) scores of a trial's splits, larger is better; −inf where there is none."""
    reported = trial.intermediate_values
    steps = sorted(reported)
    if steps != list(range(len(steps))):
        raise StepsDiffer(trial=trial.number, steps=steps)
    sign = 1.0 if study.direction == StudyDirection.MAXIMIZE else -1.0
    scores = sign * np.array([reported[step] for step in steps], np.float64)
    return np.where(np.isnan(scores), -np.inf, scores)


class EPPStop:
    """A callback that stops a study when one more trial promises too little.

    It needs a sampler that proposes without looking at results: for others the next trial is not
    like those before it, and nothing is foreseen.

    Parameters
    ----------
    win_gain : chance to win a split against the best trial, beyond one half, that one more trial
        has to promise. It is asked from 20 trials on.
    """

    def __init__(self, *, win_gain: float = WORTHWHILE) -> None:
        self._win_gain = check_positive("win_gain", win_gain, scale="the scale of probabilities")

    def __call__(self, study: Study, _: FrozenTrial) -> None:
        found = self.foresee(study)
        if found is not None and found.promises_less_than(self._win_gain):
            study.stop()

    def foresee(self, study: Study) -> Prospects | None:
        """What one more trial promises; None before any is complete, or if the sampler learns."""
        trials = [
            trial
            for trial in study.get_trials(deepcopy=False, states=DONE)
            if trial.intermediate_values
        ]
        complete = [k for k, own in enumerate(trials) if own.state == TrialState.COMPLETE]
        if not complete or len(trials) < 2 or not proposes_blindly(study):
            return None
        scores = _table([_scores(study, trial) for trial in trials])
        mean = np.nanmean(scores[complete], axis=1)
        times = [own.duration.total_seconds() for own in trials if own.duration is not None]
        best = complete[int(order_of(-mean / max(float(np.abs(mean).max()), 1e-290))[0])]
        return foresee(scores, best, seconds=sum(times))


def _table(scores: Sequence[Floats]) -> Floats:
    """(k, T) scores of trials, NaN where a trial did not get that far."""
    table = np.full((len(scores), max(own.size for own in scores)), np.nan)
    for row, own in zip(table, scores, strict=True):
        row[: own.size] = own
    return table
