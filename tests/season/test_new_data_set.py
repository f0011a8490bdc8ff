"""What a season tells of a new data set, and what comes true; `make test-slow` prints it.

Seasons are drawn from known strengths (`tests/seasons.py`), and real data sets are left out of a
season and looked at afterwards. No sample is left out; pairs that share fewer than three data sets
are refused and counted. Beside our range of the true difference stands that of Higgins, Thompson
and Spiegelhalter (2009) with Paule and Mandel's variance, on the same draws.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np
import polars as pl
import pytest
from conftest import shared_file
from scipy import stats
from scipy.special import expit
from seasons import Drawn, World, draw_seasons

from winodds import rate_each
from winodds.arrays import Bools, Floats, Ints
from winodds.season.heterogeneity import LEAST_SHARED, moderate, predict
from winodds.season.lineup import PairTable

SEED = 15
SURE = 0.9

WORLDS = [
    World(5, 5, 5, 0.5),
    World(5, 5, 20, 1.5),
    World(5, 10, 10, 0.0),
    World(5, 16, 5, 0.25),
    World(5, 50, 10, 1.5),
    World(5, 10, 10, 0.7, law="t(4)"),
    World(5, 16, 10, 0.7, missing=0.3),
    World(10, 5, 5, 1.5),
    World(10, 10, 20, 0.25),
    World(10, 16, 5, 0.5),
    World(10, 16, 10, 0.0),
    World(10, 50, 10, 0.5),
    World(10, 10, 10, 0.7, noise="normal"),
    World(10, 16, 10, 0.7, missing=0.3),
    World(30, 5, 5, 0.25),
    World(30, 10, 5, 0.0),
    World(30, 10, 5, 0.7, strengths=2.5),
    World(30, 50, 10, 0.5),
    World(30, 16, 10, 0.7, law="t(4)"),
    World(30, 16, 20, 1.5, noise="normal"),
]


# The rival ----------------------------------------------------------------------------------------


def paule_mandel(value: Floats, variance: Floats) -> Floats:
    """(k,) the τ² at which the weighted squares of each column are T − 1; NaN is no study."""
    wanted = (~np.isnan(value)).sum(axis=0) - 1.0
    low, high = np.zeros(value.shape[1]), np.full(value.shape[1], 1e3)
    for _ in range(60):
        middle = 0.5 * (low + high)
        weight = 1.0 / (variance + middle)
        mean = np.nansum(weight * value, axis=0) / np.nansum(weight, axis=0)
        more = np.nansum(weight * (value - mean) ** 2, axis=0) > wanted
        low, high = np.where(more, middle, low), np.where(more, high, middle)
    return np.asarray(0.5 * (low + high), np.float64)


def predict_by_weights(
    value: Floats, variance: Floats, tau2: Floats
) -> tuple[Floats, Floats, Floats]:
    """(k,) weighted means, their errors, and half of the range by Higgins and others, t(T − 2)."""
    weight = 1.0 / (variance + tau2)
    total = np.nansum(weight, axis=0)
    mean = np.nansum(weight * value, axis=0) / total
    t = stats.t.ppf(0.975, (~np.isnan(value)).sum(axis=0) - 2.0)
    return mean, np.sqrt(1.0 / total), t * np.sqrt(tau2 + 1.0 / total)


def _column(*values: float) -> Floats:
    return np.array(values)[:, None]


def test_rival_agrees_with_published_figures() -> None:
    """Empirical Bayes, which is Paule and Mandel's, in Viechtbauer (2005), pages 271 and 272."""
    ten = _column(-0.581, 0.530, 0.771, 1.031, 0.553, 0.295, 0.078, 0.573, -0.176, -0.232)
    error = _column(0.023, 0.052, 0.060, 0.115, 0.095, 0.203, 0.200, 0.211, 0.051, 0.040)
    assert paule_mandel(ten, error)[0] == pytest.approx(0.192, abs=5e-4)
    many = _column(
        *(0.100, -0.162, -0.090, -0.049, -0.046, -0.010, -0.431, -0.261, 0.134),
        *(0.019, 0.175, 0.056, 0.045, 0.103, 0.121, -0.482, 0.290, 0.342),
    )
    error = _column(
        *(0.016, 0.015, 0.050, 0.050, 0.032, 0.052, 0.036, 0.024, 0.034),
        *(0.033, 0.031, 0.034, 0.039, 0.167, 0.134, 0.096, 0.016, 0.035),
    )
    assert paule_mandel(many, error)[0] == pytest.approx(0.010, abs=5e-4)


def test_rival_agrees_with_metafor() -> None:
    """metafor 4.6-0: rma(y, v, method="PM"), and predict(…, predtype="Riley") of method="REML".

    Its τ² by Paule and Mandel stops within 1e-4 of the root.
    """
    value = _column(0.5300713252, -0.4844875426, 0.6625891564, 0.4723959089, 0.6135719911)
    error = _column(0.4159957644, 0.3298722012, 0.3757300289, 0.2746608754, 0.4587564892)
    tau2 = paule_mandel(value, error**2)
    assert tau2[0] == pytest.approx(0.1085057664, abs=1e-5)
    mean, se, _ = predict_by_weights(value, error**2, tau2)
    assert (mean[0], se[0]) == pytest.approx((0.3279726969, 0.2196350770), abs=1e-5)
    mean, _, half = predict_by_weights(value, error**2, np.array([0.1250834209]))
    ends = mean[0] - half[0], mean[0] + half[0]
    assert ends == pytest.approx((-1.0083260122, 1.6676266032), abs=1e-7)


# Seasons drawn ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Seen:
    """Shares of pairs, averaged over the seasons of a world.

    Attributes
    ----------
    board, new, rival, mean, one_round : intervals that hold what they promise: what a new board
        shows, the true difference there by us and by the rival, its mean, P(win a round).
    errors : of ``board`` and of ``new``, by season.
    width, rival_width : of the range of P(win) there.
    said, sure, seen : where one is said to be better with 90% or more: what is said, the share of
        such pairs, and how often it is so.
    separated : differences that one of the boards leaves open.
    answered : pairs that share three data sets or more.
    """

    board: float
    new: float
    rival: float
    mean: float
    one_round: float
    errors: tuple[float, float]
    width: float
    rival_width: float
    said: float
    sure: float
    seen: float
    separated: float
    answered: float


@cache
def look(world: World) -> Seen:
    """What is said in the seasons of a world, and what came true."""
    looks = [_look(world, drawn) for drawn in draw_seasons(world, SEED)]
    shares = {name: np.array([shares[name] for shares, _, _ in looks]) for name in looks[0][0]}
    said = np.concatenate([said for _, said, _ in looks])
    seen = np.concatenate([seen for _, _, seen in looks])
    errors = [float(shares[name].std() / np.sqrt(world.seasons)) for name in ("board", "new")]
    return Seen(
        **{name: float(values.mean()) for name, values in shares.items()},
        errors=(errors[0], errors[1]),
        said=float(said.mean()) if said.size else np.nan,
        seen=float(seen.mean()) if seen.size else np.nan,
    )


def _look(world: World, drawn: Drawn) -> tuple[dict[str, float], Floats, Floats]:
    """Shares of pairs in one season; what is said of the better one where sure, and seen."""
    chosen = drawn.table.shared.sum(axis=0) >= LEAST_SHARED
    table = choose(drawn.table, chosen)
    found = predict(table, moderate(table, world.players - 1))
    new, shown = drawn.new[:, chosen], drawn.shown[:, chosen]
    tau2 = paule_mandel(table.value, table.variance)
    mean, _, half = predict_by_weights(table.value, table.variance, tau2)
    p = np.maximum(found.p_better, 1.0 - found.p_better)
    right = np.mean((new > 0.0) == (found.p_better > 0.5), axis=0)
    shares = {
        "board": _within(shown, found.new_board.low, found.new_board.high)[~np.isnan(shown)],
        "new": _within(new, found.new.low, found.new.high),
        "rival": _within(new, mean - half, mean + half),
        "mean": _within(drawn.strength[chosen], found.average.low, found.average.high),
        "one_round": _within(drawn.chance[chosen], found.p_round.low, found.p_round.high),
        "width": expit(found.new.high) - expit(found.new.low),
        "rival_width": expit(mean + half) - expit(mean - half),
        "separated": found.separated / found.shared,
        "sure": p >= SURE,
        "answered": chosen,
    }
    return {name: float(np.mean(x)) for name, x in shares.items()}, p[p >= SURE], right[p >= SURE]


def choose(table: PairTable, chosen: Bools) -> PairTable:
    """Some of the pairs."""
    return PairTable(
        table.value[:, chosen],
        table.variance[:, chosen],
        table.bias[:, chosen],
        table.open_below[:, chosen],
        table.open_above[:, chosen],
    )


def _within(values: Floats, low: Floats, high: Floats) -> Bools:
    held: Bools = (low <= values) & (values <= high)
    return held


HEADS = (
    *("board", "±", "new", "±", "HTS", "width", "HTS", "mean", "round"),
    *("said", "seen", "sure", "open", "asked"),
)


def _print(world: World, found: Seen) -> None:
    if world is WORLDS[0]:
        title = "data sets × models × rounds"
        print(f"\n\n{title:36} " + " ".join(f"{head:>6}" for head in HEADS), end="")
    row = (
        *(found.board, found.errors[0], found.new, found.errors[1], found.rival),
        *(found.width, found.rival_width, found.mean, found.one_round),
        *(found.said, found.seen, found.sure, found.separated, found.answered),
    )
    print(f"\n{world.name:36} " + " ".join(f"{share:6.3f}" for share in row), end="")


@pytest.mark.slow
@pytest.mark.parametrize("world", WORLDS, ids=[world.name for world in WORLDS])
def test_new_data_set_brings_what_was_said(world: World) -> None:
    found = look(world)
    _print(world, found)
    assert 0.925 <= found.board <= 0.965
    least, most = (0.93, 0.985) if world.tau else (0.93, 1.0)
    if world.players < 10:
        least = 0.87
    assert least - found.errors[1] <= found.new <= most + found.errors[1]
    assert found.one_round >= 0.91
    if world.tournaments >= 10:
        assert found.seen >= 0.87


@pytest.mark.slow
def test_range_is_closer_to_its_promise_than_that_of_meta_analysis() -> None:
    ours = np.mean([abs(look(world).new - 0.95) for world in WORLDS])
    rival = np.mean([abs(look(world).rival - 0.95) for world in WORLDS])
    print(f"\n\nMean distance from 95%: {ours:.4f}, by Higgins and others {rival:.4f}", end="")
    assert ours < rival


# Real data sets -----------------------------------------------------------------------------------

SPLITS = 200


def _rows(table: PairTable, rows: Ints) -> PairTable:
    return PairTable(
        table.value[rows],
        table.variance[rows],
        table.bias[rows],
        table.open_below[rows],
        table.open_above[rows],
    )


def _leave_out(table: PairTable, known: int, players: int) -> tuple[float, float, float]:
    """Left-out differences inside the range; what is said of the better one when sure, and seen."""
    rng = np.random.default_rng(SEED)
    held, said, seen = [], [], []
    for _ in range(SPLITS):
        order = rng.permutation(len(table.value))
        own = _rows(table, order[:known])
        chosen = own.shared.sum(axis=0) >= LEAST_SHARED
        own, left = choose(own, chosen), table.value[order[known:]][:, chosen]
        found = predict(own, moderate(own, players - 1))
        there = ~np.isnan(left)
        held.append(_within(left, found.new_board.low, found.new_board.high)[there].mean())
        p = np.maximum(found.p_better, 1.0 - found.p_better)
        sure = there & (p >= SURE)
        said.append(np.broadcast_to(p, left.shape)[sure])
        seen.append(((left > 0.0) == (found.p_better > 0.5))[sure])
    return (
        float(np.mean(held)),
        float(np.concatenate(said).mean()),
        float(np.concatenate(seen).mean()),
    )


@pytest.mark.slow
@pytest.mark.parametrize("constant", [False, True])
def test_data_sets_left_out_of_the_automl_benchmark(constant: bool) -> None:
    """With and without the constant predictor, which is behind everybody nearly everywhere."""
    runs = pl.read_csv(shared_file("data/amlb_2019_1h.csv"), infer_schema_length=None)
    if not constant:
        runs = runs.filter(pl.col("framework") != "constantpredictor")
    season = rate_each(
        runs,
        player="framework",
        round="fold",
        score="score",
        tournament="task",
        higher_is_better=True,
    )
    lineup = season.lineup
    table = lineup.pairs(*np.triu_indices(lineup.players, 1))
    who = f"{lineup.players} frameworks"
    print(f"\n\n{who}, {len(lineup)} data sets: known, left-out inside, said ≥ .9, seen", end="")
    for known in (5, 10, 30):
        held, said, seen = _leave_out(table, known, lineup.players)
        print(f"\n{known:>4} {held:.3f} {said:.3f} {seen:.3f}", end="")
        assert 0.92 <= held <= 0.97
        if known >= 10:
            assert seen >= 0.87
