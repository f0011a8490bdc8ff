"""Two boards of one contest → what the public one promised, and how far the shake-up is luck."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import stats

from winodds.arrays import Floats
from winodds.language.notes import Note
from winodds.language.options import Columns
from winodds.sota.answer import Metric, Sota
from winodds.sota.asked import Cases, find_metric
from winodds.sota.columns import refuse_nowhere
from winodds.sota.contest import OTHERS, estimate_sota
from winodds.sota.entries import Entries, read_entries
from winodds.sota.errors import PrivateSizeNeeded, TooFewMatched
from winodds.sota.field.seen import Noise
from winodds.sota.granularity import check_size, printed_unit
from winodds.sota.shakeup import notes
from winodds.sota.shakeup.alike import find_alike
from winodds.sota.shakeup.answer import Kept, Level, Moves, Promised, ShakeUp
from winodds.sota.shakeup.leader import expect_leader
from winodds.sota.shakeup.matched import FEWEST, Matched, match
from winodds.sota.shakeup.splits import (
    Pooled,
    Shaken,
    expected,
    pool,
    shake,
    split_by_chance,
)

FIRST = 10
"""First places of which it is told how many kept theirs; of fewer entries, a third."""


def shake_up(
    public: Any,
    private: Any,
    *,
    score: str | None = None,
    player: Columns | None = None,
    ignore: Columns = (),
    n: int | None = None,
    private_n: int | None = None,
    classes: int | None = None,
    metric: Metric | None = None,
    positives: int | None = None,
    private_positives: int | None = None,
    se: float | None = None,
    private_se: float | None = None,
    higher_is_better: bool | None = None,
    correlation: float | None = None,
    similarity: float | None = None,
    items: Any = None,
    level: float = 0.95,
    sensitivity: bool = True,
    seed: int = 0,
) -> ShakeUp:
    """What the public board of a contest promised, and how far the shake-up is luck.

    Parameters
    ----------
    public, private : one score for each entry on either test set: mappings of names to scores, or
        tables. Entries are matched by their names.
    score, player : columns of tables; found by their names where that is clear.
    ignore : columns and entries to leave out, on both boards or on one.
    n, private_n : sizes of the test sets.
    positives, private_positives : for "auc", how many of the cases are positive; by default the
        same share of the private cases as of the public ones.
    se, private_se : for "other", standard errors of scores; by default the same on both.
    classes, metric, higher_is_better, correlation, similarity, items, level : as for
        `estimate_sota`.
    sensitivity : also under other correlations.
    seed : of simulations.

    Examples
    --------
    >>> import numpy as np, winodds
    >>> rng = np.random.default_rng(1)
    >>> names, truth = [f"team {k}" for k in range(200)], rng.uniform(0.7, 0.8, 200)
    >>> public = dict(zip(names, rng.binomial(1000, truth) / 1000))
    >>> private = dict(zip(names, rng.binomial(3000, truth) / 3000))
    >>> found = winodds.shake_up(public, private, n=1000, private_n=3000, correlation=0)
    >>> found.cause
    'luck'
    >>> found.promised.public, round(found.promised.expected.value, 3)
    (0.816, 0.792)
    """
    first = read_entries(public, score=score, player=player, ignore=ignore)
    second = read_entries(private, score=score, player=player, ignore=ignore)
    refuse_nowhere(*((board.ignored, board.names) for board in (first, second)))
    first, second = (
        replace(board, ignored=replace(board.ignored, nowhere=())) for board in (first, second)
    )
    kind = find_metric(metric, first.column, positives, se)
    if kind != "other" and (private_n is None or (n is None and items is None)):
        raise _sizes_needed(kind, first, second, missing=n is None and items is None)
    said: list[Note] = []
    if kind == "auc" and private_positives is None and positives is not None and n:
        assert private_n is not None
        private_positives = min(max(round(positives / n * private_n), 1), private_n - 1)
        said.append(notes.same_share(private_positives))
    if kind == "other" and private_se is None and se is not None:
        private_se = se
        said.append(notes.same_error(se))
    shared: dict[str, Any] = {
        "classes": classes,
        "metric": metric,
        "higher_is_better": higher_is_better,
        "correlation": correlation,
        "similarity": similarity,
        "level": level,
        "sensitivity": sensitivity,
        "seed": seed,
    }
    here = estimate_sota(first, n=n, positives=positives, se=se, items=items, **shared)
    there = estimate_sota(
        second, n=private_n, positives=private_positives, se=private_se, items=items, **shared
    )
    others = [value for value in OTHERS if not np.isclose(value, here.correlation)]
    boards = _Boards.of(here, there, first, second, seed)
    return _answer(boards, others if sensitivity else [], said)


def _sizes_needed(
    kind: Metric, public: Entries, private: Entries, *, missing: bool
) -> PrivateSizeNeeded:
    smallest = [
        check_size(entries.scores).smallest if kind == "accuracy" and _are_shares(entries) else None
        for entries in (public, private)
    ]
    return PrivateSizeNeeded(public=missing, smallest=smallest[0], smallest_private=smallest[1])


def _are_shares(entries: Entries) -> bool:
    return bool(((entries.scores >= 0.0) & (entries.scores <= 1.0)).all())


# The answer ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Boards:
    """Both boards, and who is on both of them; in scores, more is better.

    Attributes
    ----------
    here, there : the best of the public and of the private board.
    names : who is on both and better than guessing on both together.
    pooled : their scores.
    places : first places that are looked at.
    seed : of simulations.
    """

    here: Sota
    there: Sota
    matched: Matched
    pooled: Pooled
    places: int
    seed: int

    @classmethod
    def of(cls, here: Sota, there: Sota, public: Entries, private: Entries, seed: int) -> "_Boards":
        sign = 1.0 if here.higher_is_better else -1.0
        matched = match(
            replace(public, scores=sign * here.scores), replace(private, scores=sign * there.scores)
        )
        share = _share(here, there)
        score = share * matched.public + (1.0 - share) * matched.private
        kept = score > _guessing(here)
        if kept.sum() < FEWEST:
            raise TooFewMatched(
                matched=int(kept.sum()),
                public=public.scores.size,
                private=private.scores.size,
                example=matched.names[0],
                other=matched.names[0],
            )
        sizes = None
        if here.metric == "accuracy" and here.n is not None and there.n is not None:
            sizes = here.n, there.n
        units = (
            printed_unit(here.scores, _cases(here).steps),
            printed_unit(there.scores, _cases(there).steps),
        )
        pooled = pool(matched.public[kept], matched.private[kept], share, sizes, units)
        places = min(FIRST, max(int(kept.sum()) // 3, 1))
        return cls(here, there, matched, pooled, places, seed)

    def noises(self, correlation: float) -> tuple[Noise, Noise]:
        """How scores vary on both test sets."""
        best = float(self.pooled.score.max())
        return (
            _cases(self.here).noise(correlation, best),
            _cases(self.there).noise(correlation, best),
        )

    def own(self, correlation: float) -> Floats:
        """(m,) standard deviation of an entry's change by luck of its own."""
        here, there = self.noises(correlation)
        return np.hypot(here.own(self.pooled.score), there.own(self.pooled.score))

    def shaken(self, correlation: float) -> Shaken:
        """What becomes of places by luck alone."""
        return split_by_chance(self.pooled, self.own(correlation), self.places, self.seed)


def _cases(found: Sota) -> Cases:
    return Cases(found.metric, found.n, found.classes, found.positives, found.se)


def _guessing(found: Sota) -> float:
    if found.metric == "auc":
        return 0.5
    return -np.inf if found.metric == "other" else 1.0 / found.classes if found.classes else 0.0


def _share(here: Sota, there: Sota) -> float:
    """Weight of the public score where both are pooled: by how little it varies."""
    if here.metric == "accuracy":
        assert here.n is not None
        assert there.n is not None
        return here.n / (here.n + there.n)
    middle = np.median(here.scores[None], axis=1)
    middle = middle if here.higher_is_better else -middle
    first, second = (_cases(found).noise(0.0).own(middle)[0] for found in (here, there))
    return float(second**2 / (first**2 + second**2))


def _answer(boards: _Boards, others: Sequence[float], said: Sequence[Note]) -> ShakeUp:
    here, there, pooled, level = boards.here, boards.there, boards.pooled, boards.here.level
    seen = shake(pooled.public[None], pooled.private[None], boards.places)
    lucky = boards.shaken(here.correlation)
    change = _level(boards, level)
    kept = expected(lucky.kept.astype(np.float64), level)
    up = here.higher_is_better
    doubts = [notes.apart(change.change if up else -change.change, change.usual)]
    return ShakeUp(
        public=here,
        private=there,
        matched=pooled.score.size,
        only_public=boards.matched.only_public,
        only_private=boards.matched.only_private,
        ambiguous=boards.matched.ambiguous,
        promised=_promised(boards, seen, lucky, level),
        moves=_moves(seen, lucky, here.correlation, level),
        kept=Kept(boards.places, int(seen.kept[0]), kept),
        level_change=change if up else replace(change, change=-change.change),
        independent=_moves(seen, boards.shaken(0.0), 0.0, level),
        under=tuple(_moves(seen, boards.shaken(one), one, level) for one in others),
        correlation_seen=find_alike(pooled, boards.own, level),
        level=level,
        higher_is_better=up,
        notes=(*said, *notes.on_matching(boards.matched), *(doubts if change.unusual else ())),
    )


def _moves(seen: Shaken, lucky: Shaken, correlation: float, level: float) -> Moves:
    return Moves(float(seen.moved[0]), expected(lucky.moved, level), correlation)


def _level(boards: _Boards, level: float) -> Level:
    """How far all scores changed, and how far the choice of cases changes them."""
    score, pooled = boards.pooled.score, boards.pooled
    here, there = boards.noises(boards.here.correlation)
    shared = np.hypot(here.shared(score), there.shared(score)).mean()
    own = boards.own(boards.here.correlation)
    spread = np.hypot(shared, np.sqrt((own**2).mean() / score.size))
    reach = float(stats.norm.isf(0.5 * (1.0 - level)))
    return Level(float(pooled.change.mean()), reach * float(spread))


def _promised(boards: _Boards, seen: Shaken, lucky: Shaken, level: float) -> Promised | None:
    """What became of the public board's leader, if it is on the private board, too."""
    here, matched, pooled = boards.here, boards.matched, boards.pooled
    sign = 1.0 if here.higher_is_better else -1.0
    scores = sign * here.scores
    first = matched.public == scores.max()
    if not first.any() or pooled.public.max() < scores.max():
        return None
    alone = int((scores == scores.max()).sum()) == 1
    public, private = boards.noises(here.correlation)
    above = scores[scores > _guessing(here)]
    law = expect_leader(above, public, private, level)
    return Promised(
        name=matched.names[int(first.argmax())] if alone else None,
        entries=int(first.sum()),
        public=sign * float(scores.max()),
        private=sign * float(matched.private[first].mean()),
        expected=law if here.higher_is_better else law.turned(),
        rank=float(seen.rank[0]),
        usual=expected(lucky.rank, level, median=True),
    )
