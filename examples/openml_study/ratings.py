"""Evaluations → boards by task, and what is looked for on them: chapter 5 of the thesis."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl
from evaluations import UNKNOWN, Evaluations, NoSuchTable

import winodds
from winodds.board.relation import OffTheLine, Relation

ALL_TASKS = "All tasks"
"""The name of the only board where tasks have no folds, and so are rounds themselves."""


@dataclass(frozen=True, slots=True)
class Study:
    """Ratings of all flows on all tasks.

    Attributes
    ----------
    evaluations : what was rated.
    season : a board for each task, around the average flow; one for all where there are no folds.
    scaled : the same with the reference flow at 0, on the tasks that have it.
    reference : its name.
    left_out : tasks without it.
    """

    evaluations: Evaluations
    season: winodds.Season
    scaled: winodds.Season
    reference: str
    left_out: tuple[str, ...]

    @property
    def several(self) -> bool:
        """Whether there are several boards."""
        return len(self.season) > 1

    def algorithms(self) -> list[str]:
        """The algorithms that are known, in the order of their names."""
        return sorted({*self.evaluations.algorithm_of().values()} - {UNKNOWN})

    @property
    def headline(self) -> str:
        """Who is ahead, in a sentence or two; nothing where tasks have no algorithms in common."""
        if not self.several:
            board = next(iter(self.season.values()))
            return board.compare(*board.players[:2]).text
        return self.season.families().text if self.algorithms() else ""

    @property
    def unit(self) -> str:
        """What a round is."""
        return "fold" if self.evaluations.by_fold else "task"


def rate_study(evaluations: Evaluations, *, reference: str | None = None) -> Study:
    """Rate all tasks, around the average flow and against a reference.

    ``reference`` is the number or the name of a flow; by default the one on the most tasks and,
    of several, the one nearest to the average.
    """
    season = rate_tasks(evaluations)
    chosen = season.rescaled().reference if reference is None else find_flow(season, reference)
    tasks = [task for task, board in season.items() if chosen in board.players]
    left_out = tuple(task for task in season if task not in tasks)
    scaled = rate_tasks(evaluations.on(tasks) if left_out else evaluations, reference=chosen)
    return Study(evaluations, season, scaled, chosen, left_out)


def rate_tasks(evaluations: Evaluations, *, reference: str | None = None) -> winodds.Season:
    """A board for each task; without folds, one board on which tasks are rounds."""
    return winodds.rate_each(
        table_of(evaluations),
        player="flow",
        tournament="task",
        round="fold",
        score=evaluations.metric,
        family="algorithm",
        higher_is_better=evaluations.higher_is_better,
        reference=reference,
        details=False,
    )


def table_of(evaluations: Evaluations) -> pl.DataFrame:
    """What is rated; the scores are called by their metric, which tells their direction."""
    rows = evaluations.rows
    if not evaluations.by_fold:
        rows = rows.with_columns(fold=pl.col("task"), task=pl.lit(ALL_TASKS))
    score = pl.col("score").alias(evaluations.metric)
    return rows.select("flow", "task", "fold", "algorithm", score)


def find_flow(season: winodds.Season, wanted: str) -> str:
    """The flow of this name, or whose name begins with this number."""
    flows = season.matrix().players
    found = [flow for flow in flows if flow == wanted or flow.startswith(f"{wanted}_")]
    if not found:
        raise NoSuchTable(f"No flow is called {wanted}, nor has this number.")
    return found[0]


# EPP against the metric ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Unstable:
    """A flow whose mean is worse than its EPP lets expect, because its scores vary much."""

    task: str
    flow: OffTheLine


def relate_all(season: winodds.Season) -> dict[str, Relation]:
    """How mean scores go with EPP on each task that can tell."""
    found = {}
    for task, board in season.items():
        try:
            found[task] = board.relation()
        except winodds.DataError:
            continue
    return found


def find_straight(relations: Mapping[str, Relation]) -> str | None:
    """The task whose line fits best, of those where a curve is no better.

    Where a curve is better everywhere, the task on which it gains least.
    """
    straight = {
        task: -it.line.r_squared for task, it in relations.items() if it.shape == "straight"
    }
    found = straight or _gains(relations)
    return min(found, key=lambda task: found[task], default=None)


def find_curved(relations: Mapping[str, Relation]) -> str | None:
    """The task on which the curve gains most over the line."""
    gains = _gains(relations)
    return max(gains, key=lambda task: gains[task], default=None)


def _gains(relations: Mapping[str, Relation]) -> dict[str, float]:
    """By how much curves that are better describe more than lines."""
    return {
        task: it.curve.r_squared - it.line.r_squared
        for task, it in relations.items()
        if it.shape == "S-shaped" and it.curve is not None
    }


def find_unstable(relations: Mapping[str, Relation]) -> Unstable | None:
    """The flow whose mean is farthest on the bad side of what its EPP lets expect.

    One that beats most others comes before those that do not: of these nobody would expect more.
    """
    found = [
        Unstable(task, one)
        for task, it in relations.items()
        for one in it.off
        if one.unstable and one.off * it.line.slope < 0.0
    ]
    return max(found, key=lambda it: (it.flow.epp > 0.0, abs(it.flow.off)), default=None)


@dataclass(frozen=True, slots=True)
class Round:
    """One fold of a flow: its score, the middle of all, and the share of flows that it beats."""

    name: str
    score: float
    middle: float
    beaten: float


def follow_flow(evaluations: Evaluations, task: str, flow: str, *, up: bool) -> list[Round]:
    """The scores of a flow fold by fold, beside those of all others (Table 5.1)."""
    rows = evaluations.scored
    unit = "fold" if evaluations.by_fold else "task"
    if evaluations.by_fold:
        rows = rows.filter(pl.col("task") == task)
    own = dict(rows.filter(pl.col("flow") == flow).select(unit, "score").rows())
    found = []
    for name, score in own.items():
        others = rows.filter((pl.col(unit) == name) & (pl.col("flow") != flow))["score"]
        worse = (others < score) if up else (others > score)
        beaten = (worse.sum() + 0.5 * (others == score).sum()) / max(others.len(), 1)
        middle = others.median()
        if isinstance(middle, float):
            found.append(Round(str(name), float(score), middle, float(beaten)))
    return found


# Between algorithms -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class BestOfEach:
    """The best flow of each algorithm on a task, the best first, and who beats whom.

    Attributes
    ----------
    algorithms, flows : names.
    epp : ratings.
    p_win : of each row against each column at face value, as in the thesis.
    honest : the same without the luck of having been picked, and whether it is open.
    """

    algorithms: list[str]
    flows: list[str]
    epp: list[float]
    p_win: list[list[float]]
    honest: list[list[tuple[float, bool]]]

    @property
    def decided(self) -> float:
        """How far from one half chances are, on average: 0 for coins, 0.5 for certainty."""
        off = [abs(p - 0.5) for k, row in enumerate(self.p_win) for p in row[:k]]
        return sum(off) / len(off) if off else 0.0


def pick_best(board: winodds.Leaderboard) -> dict[str, winodds.Row]:
    """The row of the best flow of each known algorithm."""
    best: dict[str, winodds.Row] = {}
    for row in board:
        if row.family is not None and row.family != UNKNOWN:
            best.setdefault(row.family, row)
    return best


def beat(one: float, other: float) -> float:
    """The probability of beating another flow, by the difference of ratings."""
    return 1.0 / (1.0 + math.exp(min(other - one, 700.0)))


def compare_best(season: winodds.Season) -> dict[str, BestOfEach]:
    """The best of each algorithm, on every task."""
    families = season.families()
    found = {}
    for task, board in season.items():
        best = pick_best(board)
        names, epp = list(best), [row.epp for row in best.values()]
        honest = []
        for a in names:
            chances = [families.chance(task, a, b) if a != b else None for b in names]
            honest.append(
                [(0.5, False) if it is None else (it.shrunken, it.separated) for it in chances]
            )
        found[task] = BestOfEach(
            algorithms=names,
            flows=[row.player for row in best.values()],
            epp=epp,
            p_win=[[beat(one, other) for other in epp] for one in epp],
            honest=honest,
        )
    return found


def extremes(values: Mapping[str, float]) -> Sequence[str]:
    """The names of the smallest and the largest value; one where there is only one."""
    ordered = sorted(values, key=lambda name: (values[name], name))
    return list(dict.fromkeys([ordered[0], ordered[-1]]))


def spread_of(board: winodds.Leaderboard) -> float:
    """How far the best flow is above the worst."""
    epp = [row.epp for row in board]
    return max(epp) - min(epp)
