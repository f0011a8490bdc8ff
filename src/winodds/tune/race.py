"""A race of settings over splits: who gets the next split, who is dropped, and when to stop.

Dropping is proved (`winodds.tune.bets`): it is for good, and happens to the best with the stated
probability at most. Parking is estimated (`winodds.tune.estimates`): a setting that is unlikely to
be truly better than the leader is not paid for at present, and may come back. The two are never
mixed.

A race asks for results, hears them in any order, and decides when all it asked for are there. So
the order in which fits complete, and the number of workers, change nothing.
"""

import numpy as np

from winodds.arrays import Bools, Floats, Ints, at_least, order_of
from winodds.tune.bets import Bets
from winodds.tune.errors import InfiniteScore, NotAsked, NothingScored
from winodds.tune.estimates import (
    Belief,
    Sample,
    believe,
    better_than,
    summarise,
    worth_of_paying_on,
)
from winodds.tune.prospects import Prospects, foresee
from winodds.tune.ratings import Ratings, rate_paid
from winodds.tune.rules import Rules
from winodds.tune.steps import DROPPED, LEFT, PARKED, Act, Decision, End, Reason, Step

LEVEL = 0.95

FINALISTS = 5
"""Settings among which wins decide, where they do."""


class Race:
    """A race of ``settings`` over at most ``splits`` splits.

    Examples
    --------
    >>> race = Race(3, 6)
    >>> while race.wanted:
    ...     for setting, split in race.wanted:
    ...         race.tell(setting, split, [0.9, 0.8, 0.7][setting] + 0.01 * (split % 2))
    >>> race.choice, race.fits, race.end
    (0, 9, 'alone')
    """

    __slots__ = ("_bets", "_choice", "_failed", "_scores", "_state", "_wanted", "rules", "steps")

    def __init__(self, settings: int, splits: int, rules: Rules | None = None) -> None:
        self.rules = Rules() if rules is None else rules
        self.rules.check_field(settings, splits)
        self.steps: list[Step] = []
        self._choice: int | None = None
        self._scores: Floats = np.full((settings, splits), np.nan)
        self._failed: Bools = np.zeros((settings, splits), np.bool_)
        self._state: Ints = np.zeros(settings, np.int64)
        self._bets = Bets(settings, alpha=self.rules.alpha)
        self._wanted = dict.fromkeys(
            (j, t) for t in range(self.rules.first) for j in range(settings)
        )

    # What is known ----------------------------------------------------------------------------

    @property
    def settings(self) -> int:
        """How many settings race."""
        return int(self._scores.shape[0])

    @property
    def splits(self) -> int:
        """How many splits there are."""
        return int(self._scores.shape[1])

    @property
    def wanted(self) -> tuple[tuple[int, int], ...]:
        """Settings and splits whose results are asked for; none once the race has ended."""
        return tuple(self._wanted)

    @property
    def scores(self) -> Floats:
        """(k, T) scores, NaN where nothing was paid, −inf where a fit failed."""
        return np.where(self._failed, -np.inf, self._scores)

    @property
    def paid(self) -> Ints:
        """(k,) splits that each setting has run."""
        return np.asarray((self._failed | ~np.isnan(self._scores)).sum(axis=1), np.int64)

    @property
    def fits(self) -> int:
        """How many fits were made."""
        return int(self.paid.sum())

    @property
    def end(self) -> End | None:
        """Why the race ended; None while it goes on."""
        return self.steps[-1].end if self.steps else None

    @property
    def choice(self) -> int:
        """The setting that is chosen, or would be now."""
        if not self.steps:
            raise NothingScored(fits=self.fits)
        return self.steps[-1].leader if self._choice is None else self._choice

    def rate(self, step: int = -1) -> Ratings:
        """EPP of all settings, with intervals, after a step: by default the last."""
        return rate_paid(self.scores, self.steps[step].paid)

    def foresee(self, *, seconds: float | None = None, seed: int = 0) -> Prospects:
        """What one more setting promises, given that all these fits took so many seconds."""
        return foresee(self.scores, self.choice, seconds=seconds, seed=seed)

    # What is told -----------------------------------------------------------------------------

    def tell(self, setting: int, split: int, score: float) -> None:
        """Say what a setting scored on a split; NaN or −inf for a fit that failed."""
        if (setting, split) not in self._wanted:
            inside = 0 <= setting < self.settings and 0 <= split < self.paid[setting]
            raise NotAsked(setting=setting, split=split, again=bool(inside))
        if score == np.inf:
            raise InfiniteScore(setting=setting, split=split)
        if np.isfinite(score):
            self._scores[setting, split] = score
        else:
            self._failed[setting, split] = True
        del self._wanted[setting, split]
        if not self._wanted:
            self._advance()

    def interrupt(self) -> None:
        """End the race with what is known so far; settings keep whole prefixes of splits only."""
        if self.end is not None:
            return
        self._wanted.clear()
        self._keep_prefixes()
        if self.paid.min() > 0:
            self._decide(interrupted=True)

    def _keep_prefixes(self) -> None:
        run = np.logical_and.accumulate(self._failed | ~np.isnan(self._scores), axis=1)
        self._scores[~run] = np.nan
        self._failed[~run] = False

    # What is decided --------------------------------------------------------------------------

    def _advance(self) -> None:
        """Settle what was played, decide, and ask for what comes next."""
        if self.rules.claim != "off":
            self._settle()
        self._decide()

    def _settle(self) -> None:
        """Settle the bets of everybody on the splits that are new to them, split by split."""
        paid, scores = self.paid, self.scores
        before = self.steps[-1].paid if self.steps else np.zeros_like(paid)
        for split in range(int(before.min()), int(paid.max())):
            playing = np.flatnonzero((before <= split) & (split < paid))
            if split == self._bets.opened:
                self._bets.open(scores, playing)
            if playing.size:
                self._bets.settle(scores, split, playing)

    def _decide(self, *, interrupted: bool = False) -> None:
        paid = self.paid
        park = self.rules.strategy == "park"
        field = _Field(self.scores, paid, self._state, self._bets.dropped, shrunken=park)
        state, decisions = self._choose(field, paid)
        running = np.flatnonzero(state == LEFT)
        worth = field.worth(running, self.splits)
        end = "interrupted" if interrupted else self._reason_to_end(running, paid, worth)
        low, high = field.ends()
        self.steps.append(
            Step(
                split=int(paid.max()),
                paid=paid,
                state=state,
                leader=field.leader,
                mean=field.mean(),
                low=low,
                high=high,
                better=field.better,
                p_best=field.p_best(),
                worth=worth,
                decisions=decisions,
                end=end,
                claim=self.rules.claim,
            )
        )
        self._state = state
        if end is None:
            self._ask(running, paid)
        elif self.rules.choose == "wins":
            self._choice = self._most_wins(field, running)

    def _choose(self, field: "_Field", paid: Ints) -> tuple[Ints, tuple[Decision, ...]]:
        """(k,) the new states, and what changed."""
        why = self._reasons(field, paid)
        state = np.where(why == "", LEFT, np.where(why == "refuted", DROPPED, PARKED))
        made = []
        for setting in np.flatnonzero(state != self._state).tolist():
            act: Act = "back" if state[setting] == LEFT else "parked"
            reason: Reason = "possible" if act == "back" else why[setting]
            value = field.better[setting]
            if reason == "refuted":
                act, value = "dropped", self._bets.purse[:, setting].sum()
            made.append(Decision(setting, act, reason, int(paid[setting]), float(value)))
        return state.astype(np.int64), tuple(made)

    def _reasons(self, field: "_Field", paid: Ints) -> "np.ndarray[tuple[int], np.dtype[np.str_]]":
        """(k,) why settings do not run on; empty for those that do."""
        why = np.full(self.settings, "", dtype="<U8")
        if self.rules.strategy == "park":
            chance = field.better.copy()
            chance[field.leader] = 1.0
            chance[self._bets.dropped | ~field.sound] = -1.0
            order = order_of(-chance)
            why[order[self.rules.most_running(self.settings, int(paid.max())) :]] = "crowded"
            why[~at_least(chance, self.rules.park)] = "unlikely"
            why[~field.sound] = "failed"
        why[self._bets.dropped] = "refuted"
        return why

    def _reason_to_end(self, running: Ints, paid: Ints, worth: float) -> End | None:
        if running.size <= 1:
            return "alone"
        if (paid[running] == self.splits).all():
            return "paid"
        if not at_least(worth, self.rules.stops_below):
            return "little"
        return None

    def _most_wins(self, field: "_Field", running: Ints) -> int:
        """The highest EPP among the likeliest of those left with the most splits."""
        paid = self.paid
        ahead = running[paid[running] == paid[field.leader]]
        mean = field.mean()[ahead] / max(float(np.abs(field.mean()[ahead]).max()), 1e-290)
        finalists = ahead[order_of(-mean)[:FINALISTS]]
        if finalists.size < 2:
            return field.leader
        rated = rate_paid(self.scores[finalists], paid[finalists])
        return int(finalists[order_of(-rated.epp)[0]])

    def _ask(self, running: Ints, paid: Ints) -> None:
        """Ask for one more split: of those who came back first, until they have caught up."""
        behind = running[paid[running] < paid[running].max()]
        next_ones = behind if behind.size else running
        self._wanted = dict.fromkeys((j, int(paid[j])) for j in next_ones.tolist())


class _Field:
    """What is estimated of all settings at one moment.

    Settings with failed fits are not estimated while there are others. If all have some, those with
    the fewest are. The leader has the highest expectation (``shrunken``), or the highest mean
    score, as in a full search.

    Attributes
    ----------
    sound : (k,) who is estimated.
    leader : who would be chosen now.
    better : (k,) probability to be truly better than the leader; 0 for those not estimated.
    """

    __slots__ = ("_belief", "_dropped", "_rows", "_sample", "better", "leader", "sound")

    def __init__(
        self, scores: Floats, paid: Ints, state: Ints, dropped: Bools, *, shrunken: bool
    ) -> None:
        failures = np.isneginf(scores).sum(axis=1)
        scored = failures < paid
        if not scored.any():
            raise NothingScored(fits=int(paid.sum()))
        self._dropped = dropped
        # Whoever is dropped is not chosen, however few of its fits failed.
        free = scored & ~dropped if (scored & ~dropped).any() else scored
        self.sound = scored & (failures <= failures[free].min())
        self._rows = np.flatnonzero(self.sound)
        values, seen = scores[self._rows], np.isfinite(scores[self._rows])
        front = _front(paid[self._rows], state[self._rows])
        self._sample: Sample = summarise(values, seen, front)
        self._belief: Belief = believe(self._sample)
        expected = self._belief.mean if shrunken else self._sample.mean
        leader = self._lead(expected, paid[self._rows], dropped[self._rows])
        self.leader = int(self._rows[leader])
        self.better = np.zeros(paid.size)
        self.better[self._rows] = better_than(self._sample, self._belief, values, seen, leader)

    def _lead(self, expected: Floats, paid: Ints, dropped: Bools) -> int:
        """The highest expectation among those with the most splits who are not dropped."""
        free = ~dropped if not dropped.all() else np.ones_like(dropped)
        ahead = np.flatnonzero(free & (paid == paid[free].max()))
        mean = expected[ahead] / np.median(self._sample.error)
        return int(ahead[order_of(-mean)[0]])

    def mean(self) -> Floats:
        """(k,) expected mean scores."""
        return self._spread_out(self._belief.mean + self._sample.level)

    def ends(self) -> tuple[Floats, Floats]:
        """(k,) ends of intervals of true means."""
        low, high = self._belief.ends(LEVEL)
        level = self._sample.level
        return self._spread_out(low + level), self._spread_out(high + level)

    def p_best(self) -> Floats:
        """(k,) probability to be truly the best of those not dropped; 0 for those not estimated."""
        found = np.zeros(self.sound.size)
        free = np.flatnonzero(~self._dropped[self._rows])
        if free.size:
            found[self._rows[free]] = self._belief.of(free).p_best()
        return found

    def worth(self, running: Ints, splits: int) -> float:
        """How much more often a split would be won if all remaining splits were paid for."""
        own = np.flatnonzero(np.isin(self._rows, running))
        if not own.size:
            return 0.0
        return worth_of_paying_on(self._sample, self._belief, own, splits)

    def _spread_out(self, values: Floats) -> Floats:
        found = np.full(self.sound.size, np.nan)
        found[self._rows] = values
        return found


def _front(paid: Ints, state: Ints) -> Bools:
    """(k,) whose mean score is what others are compared with: those running, all splits paid."""
    running = state == LEFT
    running = running if running.any() else np.ones_like(running)
    return np.asarray(running & (paid == paid[running].max()), np.bool_)
