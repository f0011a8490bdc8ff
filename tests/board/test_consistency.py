"""No two answers of one board contradict each other: tests, intervals, letters, ranks, chances."""

from collections.abc import Iterator

import numpy as np
import polars as pl
import pytest
from conftest import long_table, shared_file

import winodds
import winodds.demo
from winodds.arrays import Floats
from winodds.board.leaderboard import Leaderboard
from winodds.show.words.board import describe_best


def contradictions(board: Leaderboard) -> list[str]:
    """What one answer of the board says against another."""
    return [*_of_pairs(board), *_of_places(board), *_of_the_best(board)]


def _of_pairs(board: Leaderboard) -> Iterator[str]:
    found, level = board.compare(test="robust"), board.how.interval.level
    alone = found.p_value * (1.0 - 1e-9) <= 1.0 - level
    inside = (found.low <= 0.0) & (found.high >= 0.0)
    beyond = (found.low >= 0.0) | (found.high <= 0.0)
    if not (np.where(alone, beyond, inside)).all():
        yield "an interval and its test"
    if (found.told_apart & ~alone).any():
        yield "told apart among all, but not alone"
    letters = board.details().letters
    shared = [
        bool({*letters[a]} & {*letters[b]}) for a, b in zip(found.first, found.second, strict=True)
    ]
    if shared != (~found.told_apart).tolist():
        yield "letters and pairs"
    low, ahead = board.details().rank_low, np.zeros(len(board), np.int64)
    if (low[found.second[found.told_apart]] == 1).any():
        yield "could be best, and told apart from a better one"
    np.add.at(ahead, found.second[found.told_apart], 1)
    if (low < 1 + ahead).any():
        yield "a rank that all pairs together exclude"
    for place in np.flatnonzero(low > 1).tolist():
        if not (alone & (found.second == place) & (found.difference > 0.0)).any():
            yield "not the best, and told apart from nobody above"


def _of_places(board: Leaderboard) -> Iterator[str]:
    details, ranks = board.details(), board.standings.rank
    if not ((details.rank_low <= ranks) & (ranks <= details.rank_high)).all():
        yield "a rank outside its range"
    could = details.rank_low == 1
    if could.sum() > 1 and (details.rank_high[could] == 1).any():
        yield "the first for certain, while others could be the best"
    if details.p_best.sum() != pytest.approx(1.0):
        yield "chances that do not add up"
    if (details.rank_low[details.p_best > 1.0 - board.how.interval.level] > 1).any():
        yield "a chance of being best of one who could not be"


def _of_the_best(board: Leaderboard) -> Iterator[str]:
    details, sota = board.details(), board.sota()
    if sota.leader.p_best != pytest.approx(float(details.p_best[0]), abs=1e-12):
        yield "chances of the leader"
    sentence = describe_best(board)
    if sentence.startswith("Only") and details.p_best.max() <= 0.5:
        yield "only one could be the best, and probably is not"
    duel = board.compare(*board.players[:2], test="robust")
    differ = duel.told_apart and duel.told_apart_among_all is False
    if differ and "Taken alone" not in duel.text:
        yield "compare tells apart whom the board does not"


def _simulate(rng: np.random.Generator) -> Floats:
    """A table of a random size, of players who are equal, spread, ahead or in leagues."""
    players = int(rng.integers(2, 13))
    rounds = int(rng.integers(2, 22) if rng.random() < 0.8 else rng.integers(22, 60))
    truth = [
        np.zeros(players),
        np.linspace(-1.0, 1.0, players),
        np.append(np.zeros(players - 1), 3.0),
        np.where(np.arange(players) % 2, 1.5, 0.0),
        rng.standard_t(3, size=players),
    ][int(rng.integers(5))]
    scores = truth + rng.standard_normal((rounds, players))
    if rng.random() < 0.3:
        scores = np.round(scores)
    if rng.random() < 0.3 and players > 3:
        scores[rng.random(scores.shape) < 0.15] = np.nan
    return np.asarray(scores)


def _boards(number: int, seed: int) -> Iterator[Leaderboard]:
    rng = np.random.default_rng(seed)
    while number:
        table = long_table(_simulate(rng)).filter(pl.col("score").is_not_nan())
        groups = pl.Series("block", rng.integers(0, 8, table.height))
        by_round = (
            table.with_columns(block=pl.col("round").hash(seed=1) % 9) if groups.len() else table
        )
        options = {"cluster": "block"} if rng.random() < 0.2 else {}
        try:
            yield winodds.rate(by_round, higher_is_better=True, **options)  # type: ignore[arg-type]
        except winodds.errors.DataError:
            continue
        number -= 1


def test_no_board_contradicts_itself() -> None:
    for board in _boards(40, seed=1):
        assert contradictions(board) == []


@pytest.mark.slow
def test_two_thousand_boards_do_not_contradict_themselves() -> None:
    found = [fault for board in _boards(2000, seed=2) for fault in contradictions(board)]
    assert found == []


def _published() -> Iterator[Leaderboard]:
    """Published tables: VTAB, two on ranks, and AMLB by task."""
    vtab = pl.read_csv(shared_file("data/vtab_leaderboard.csv"), separator=";").drop("Mean")
    table = vtab.unpivot(index="Model", variable_name="task", value_name="score")
    yield winodds.rate(table, player="Model", round="task", higher_is_better=True)
    yield winodds.rate(
        pl.read_csv(shared_file("data/cd_diagram_example.csv")),
        player="classifier_name",
        round="dataset_name",
        score="accuracy",
    )
    yield winodds.rate(pl.read_csv(shared_file("data/demsar_2006.csv")), higher_is_better=True)
    amlb = pl.read_csv(shared_file("data/amlb_2019_1h.csv"), infer_schema_length=None)
    runs = amlb.filter(pl.col("result").is_not_null())
    yield from winodds.rate_each(
        runs,
        player="framework",
        round="fold",
        score="result",
        tournament="task",
        higher_is_better=True,
        duplicates="first",
    ).values()


def test_built_in_and_published_boards_do_not_contradict_themselves() -> None:
    for board in (*winodds.demo.rate_results().values(), *_published()):
        assert contradictions(board) == []
