"""Columns of wide tables that hold no scores, told by their values."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from winodds.arrays import Floats
from winodds.read.oddities import Wideness, find_oddities

GENERATOR = np.random.default_rng(20)
TASKS, PLAYERS = 9, 4


def scores(*, digits: int = 3, rows: int = TASKS, columns: int = PLAYERS) -> Floats:
    """Scores that look like those of a paper, columns × rows."""
    ease = GENERATOR.uniform(0.55, 0.95, rows)
    skill = GENERATOR.normal(0.0, 0.02, (columns, 1))
    return np.round(ease + skill + GENERATOR.normal(0.0, 0.015, (columns, rows)), digits)


def kinds(*columns: Any, players: bool, digits: int = 3, lower: bool = False) -> dict[int, str]:
    values = np.array([np.asarray(column, np.float64) for column in columns])
    unit = np.where((values == np.round(values)).all(axis=1), 1.0, 10.0**-digits)
    excused = np.zeros(len(columns), np.bool_)
    found = find_oddities(Wideness(values, unit, players, excused, lower))
    return {column: oddity.kind for column, oddity in found.items()}


@pytest.mark.parametrize("players", [True, False])
def test_nothing_is_odd_about_scores(players: bool) -> None:
    assert kinds(*scores(), players=players) == {}


@pytest.mark.parametrize("players", [True, False])
@pytest.mark.parametrize(
    ("extra", "kind"),
    [
        (np.arange(1, TASKS + 1), "numbered"),
        (np.arange(TASKS)[::-1], "numbered"),
        ([150, 178, 48842, 1000, 625, 20000, 210, 351, 690], "whole"),
        ([7e9, 1.3e10, 7e10, 3.4e8, 1.1e9, 6e9, 3e9, 8e9, 2e9], "whole"),
        ([0.004, 0.01, 0.006, 0.003, 0.008, 0.005, 0.007, 0.009, 0.002], "scale"),
        ([0.9, -1, 0.8, 0.7, -1, 0.7, 0.8, 0.9, 0.6], "unknown"),
    ],
)
def test_column_of_something_else_is_odd(
    extra: Sequence[float], kind: str, *, players: bool
) -> None:
    assert kinds(*scores(), extra, players=players) == {PLAYERS: kind}


@pytest.mark.parametrize("players", [True, False])
@pytest.mark.parametrize("place", [0, 2, PLAYERS])
def test_mean_and_sum_of_the_others_are_odd_wherever_they_stand(players: bool, place: int) -> None:
    table = scores()
    for kind, own in (("mean", table.mean(axis=0)), ("sum", table.sum(axis=0))):
        columns = np.insert(table, place, np.round(own, 3), axis=0)
        assert kinds(*columns, players=players) == {place: kind}


def test_mean_that_leaves_out_gaps_is_odd() -> None:
    table = scores()
    table[1, 3] = np.nan
    assert kinds(*table, np.round(np.nanmean(table, axis=0), 3), players=False) == {4: "mean"}


def test_means_of_neighbours_and_of_all_are_odd_together() -> None:
    table = scores(columns=6)
    first, last = (np.round(part.mean(axis=0), 3) for part in (table[:3], table[3:]))
    mean = np.round(table.mean(axis=0), 3)
    columns = [*table[:3], first, *table[3:], last, mean]
    assert kinds(*columns, players=False) == {3: "mean", 7: "mean", 8: "mean"}


def test_weighted_mean_is_odd() -> None:
    table = scores(rows=20)
    weighted = np.round(np.array([0.1, 0.2, 0.3, 0.4]) @ table, 3)
    assert kinds(*table, weighted, players=False) == {PLAYERS: "weighted"}


def test_mean_ranks_are_odd() -> None:
    table = scores(columns=5)
    ranks = (table[:, :, None] < table[:, None, :]).sum(axis=2) + 1.0
    ranks += ((table[:, :, None] == table[:, None, :]).sum(axis=2) - 1) / 2.0
    assert kinds(*table, np.round(ranks.mean(axis=0), 1), players=False) == {5: "ranks"}


def test_best_of_the_others_is_odd_and_a_model_that_always_wins_is_not() -> None:
    table = scores(rows=15)
    best = table.max(axis=0)
    assert kinds(*table, best, players=True) == {PLAYERS: "best"}
    assert kinds(*table, best + 0.001, players=True) == {}


def test_numbers_beyond_one_are_odd_beside_players_with_fractions() -> None:
    table, beyond = scores(), [1.8, 8.6, 28.1, 8.8, 1.2, 3.3, 4.1, 9.9, 15.5]
    assert kinds(*table, beyond, players=True) == {PLAYERS: "beyond"}
    assert kinds(*table, beyond, players=False, lower=True) == {}
    assert kinds(*table, beyond, players=True, lower=True) == {}
    assert kinds(*table, [0.9, *beyond[1:]], players=True) == {}


def test_metrics_on_different_scales_are_rounds() -> None:
    table = scores(columns=6, digits=4)
    percent, chat, small = 100.0 * table[1], 1.0 + 9.0 * table[2], 2.0 * table[3] - 1.0
    assert kinds(table[0], percent, chat, small, *table[4:], players=False, digits=4) == {}


def test_losses_may_have_any_size_on_other_data_sets() -> None:
    losses = [[0.51, 0.62, 0.7, 0.55], [0.31, 0.35, 0.4, 0.3], [52013.4, 61234.5, 49876.1, 5e4]]
    assert kinds(*losses, players=False, lower=True) == {}
    assert kinds(*losses, players=False) == {2: "scale"}


def test_ranks_votes_and_other_whole_numbers_are_scores_where_all_are() -> None:
    ranks = [[1, 2, 3, 4], [2, 1, 4, 3], [4, 3, 2, 1]]
    assert kinds(*ranks, players=False) == {}
    assert kinds([1, 5, 3, 4], [2, 2, 3, 1], [5, 4, 4, 4], players=False) == {}


def test_minus_one_is_a_score_where_others_are_below_zero() -> None:
    table = np.round(scores() - 0.7, 3)
    table[0, 0] = -1.0
    assert kinds(*table, players=False) == {}
    won = [[1, -1, 1, 1], [-1, 1, 1, -1], [1, 1, -1, -1]]
    assert kinds(*won, players=False) == {}


def test_identical_copies_of_a_model_are_players() -> None:
    table = scores()
    assert kinds(*table, table[0], table[0], players=True) == {}


def test_time_is_linear_in_columns() -> None:
    values = GENERATOR.uniform(0.5, 0.9, (20_000, 3)).round(4)
    table = Wideness(values, np.full(20_000, 1e-4), False, np.zeros(20_000, np.bool_))
    assert find_oddities(table) == {}


def legitimate(generator: np.random.Generator, *, players: bool) -> Wideness:
    """Scores of models on tasks, of one of several kinds, spreads and sizes."""
    size = tuple(generator.integers([2, 2], [25, 40]).tolist())
    ease = generator.normal(1.0, generator.choice([0.1, 0.5, 1.5]), (1, size[1]))
    skill = generator.normal(0.0, generator.choice([0.05, 0.3, 1.0]), (size[0], 1))
    logit = ease + skill + generator.normal(0.0, generator.choice([0.05, 0.2, 0.5]), size)
    share: Any = 1.0 / (1.0 + np.exp(-logit))
    lower = False
    digits = int(generator.integers(1, 5))
    match generator.choice(["share", "percent", "chat", "loss", "seconds", "elo", "items"]):
        case "percent":
            share, digits = 100.0 * share, min(digits, 2)
        case "chat":
            share = np.where(np.arange(size[1]) % 3 == 0, 10.0 * share, share)
            share, digits = (share if not players else 10.0 * share), max(digits, 2)
        case "loss" | "seconds":
            share = np.exp(-logit + generator.uniform(-3.0, 5.0, (1, size[1])))
            lower = True
        case "elo":
            share, digits = 1000.0 + 100.0 * logit, 0
        case "items":
            share, digits = (generator.random(size) < share) * 1.0, 0
    share = np.where(generator.random(size) < generator.choice([0.0, 0.05]), np.nan, share)
    values = np.round(share if players else share.T, digits)
    # Rows of the table are tasks where columns are players.
    count = values.shape[0]
    none = np.zeros(count, np.bool_)
    return Wideness(values, np.full(count, 10.0**-digits), players, none, lower)


@pytest.mark.parametrize("players", [True, False])
def test_hardly_any_legitimate_table_is_asked_about(players: bool) -> None:
    """Of 6,000 such tables 1 was (seeds 0 to 9, 300 each, both ways round)."""
    generator = np.random.default_rng(0)
    asked = sum(bool(find_oddities(legitimate(generator, players=players))) for _ in range(60))
    assert asked <= 1
