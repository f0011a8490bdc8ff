"""What can be counted in a table of evaluations: chapter 4 of the thesis."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl
from evaluations import NUMBERS, UNKNOWN, Evaluations


@dataclass(frozen=True, slots=True)
class FillIn:
    """Where there are results: tasks in rows, flows or algorithms in columns, the fullest first.

    Attributes
    ----------
    tasks, names : of the rows and columns.
    there : (tasks, names) whether any score is there.
    """

    tasks: list[str]
    names: list[str]
    there: npt.NDArray[np.bool_]

    @property
    def share(self) -> float:
        """Share of the cells that are filled."""
        return float(self.there.mean())


@dataclass(frozen=True, slots=True)
class Overview:
    """How much there is.

    Attributes
    ----------
    tasks, flows, cells, scores : of a cell, which is a flow on a task, some score is there.
    runs : runs that the cells stand for; None where the table does not say.
    several : cells with more than one run.
    rule : which run was chosen: "first", "last", "best" or "setup"; None where nobody says.
    """

    tasks: int
    flows: int
    cells: int
    scores: int
    runs: int | None
    several: int
    rule: str | None


def count_all(evaluations: Evaluations) -> Overview:
    """How much there is."""
    scored = evaluations.scored
    cells = _cells(evaluations)
    told = evaluations.knows("runs")
    return Overview(
        tasks=scored["task"].n_unique(),
        flows=scored["flow"].n_unique(),
        cells=cells.height,
        scores=scored.height,
        runs=int(cells["runs"].sum()) if told else None,
        several=int((cells["runs"] > 1).sum()) if told else 0,
        rule=str(scored["chosen_by"][0]) if evaluations.knows("chosen_by") else None,
    )


def _cells(evaluations: Evaluations) -> pl.DataFrame:
    """A row for each flow on each task that has a score."""
    scored = evaluations.scored
    first = [pl.col("runs").first()] if evaluations.knows("runs") else []
    by = scored.group_by("task", "flow", maintain_order=True)
    return by.agg(pl.col("algorithm").first(), *first)


def find_filled(evaluations: Evaluations, by: str = "flow") -> FillIn:
    """Which tasks have results of which flows, or of which algorithms."""
    pairs = evaluations.scored.select("task", by).unique()
    if by == "algorithm":
        pairs = pairs.filter(pl.col(by) != UNKNOWN)
    tasks, names = (_fullest_first(pairs, side) for side in ("task", by))
    row, column = ({name: k for k, name in enumerate(side)} for side in (tasks, names))
    there = np.zeros((len(tasks), len(names)), np.bool_)
    for task, name in pairs.rows():
        there[row[task], column[name]] = True
    return FillIn(tasks, names, there)


def _fullest_first(pairs: pl.DataFrame, side: str) -> list[str]:
    sizes = pairs.group_by(side).len().sort(pl.col("len"), side, descending=[True, False])
    return sizes[side].to_list()


def flows_per_task(evaluations: Evaluations) -> list[int]:
    """How many flows each task has."""
    return _cells(evaluations).group_by("task", maintain_order=True).len()["len"].to_list()


def tasks_per_flow(evaluations: Evaluations) -> list[int]:
    """On how many tasks each flow has results."""
    return _cells(evaluations).group_by("flow", maintain_order=True).len()["len"].to_list()


def runs_per_task(evaluations: Evaluations) -> list[int]:
    """How many runs each task has, those that were not chosen included."""
    by = _cells(evaluations).group_by("task", maintain_order=True)
    return by.agg(pl.col("runs").sum())["runs"].to_list()


def classes_per_task(evaluations: Evaluations) -> list[int]:
    """How many classes each task has."""
    by = evaluations.scored.group_by("task", maintain_order=True)
    return by.agg(pl.col("number_classes").first()).drop_nulls()["number_classes"].to_list()


def tabulate_tasks(evaluations: Evaluations) -> pl.DataFrame:
    """A row for each task: its data, as far as they are known, its runs, flows and algorithms."""
    cells = _cells(evaluations)
    known = [name for name in NUMBERS if name != "runs" and evaluations.knows(name)]
    by = evaluations.scored.group_by("task", maintain_order=True)
    facts = by.agg(pl.col(name).first() for name in known)
    counts = cells.group_by("task").agg(
        pl.len().alias("flows"),
        pl.col("algorithm").filter(pl.col("algorithm") != UNKNOWN).n_unique().alias("algorithms"),
        *([pl.col("runs").sum()] if "runs" in cells.columns else []),
    )
    return facts.join(counts, on="task", how="left", maintain_order="left")


def flows_by_algorithm(evaluations: Evaluations) -> list[tuple[str, int]]:
    """Algorithms with the number of their flows, the most first; those unknown come last."""
    flows = evaluations.scored.select("flow", "algorithm").unique()
    sizes = flows.group_by("algorithm").len().sort("len", "algorithm", descending=[True, False])
    found: list[tuple[str, int]] = sizes.rows()
    return sorted(found, key=lambda pair: pair[0] == UNKNOWN)


def shares_of_tools(evaluations: Evaluations) -> list[tuple[str, int]]:
    """Tools with the number of their flows, the most first."""
    flows = evaluations.scored.select("flow", "tool").unique()
    return flows.group_by("tool").len().sort("len", "tool", descending=[True, False]).rows()


def flows_on_most_tasks(
    evaluations: Evaluations, most: int | None = 10
) -> list[tuple[str, str, int]]:
    """Flows with their algorithms and numbers of tasks, the most first."""
    by = _cells(evaluations).group_by("flow", "algorithm").len()
    found: list[tuple[str, str, int]] = by.sort("len", "flow", descending=[True, False]).rows()
    return found[:most]
