"""How many boards of a season fit, and in which order."""

import json
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from conftest import long_table, shared_file
from tables import three_by_three

from winodds import Season, rate, rate_each
from winodds.board.quality import Quality
from winodds.season.fits import rank_by_fit

TEMPLATE = Quality(
    deviance=10.0,
    df=10,
    standardised=0.0,
    dispersion=1.0,
    p_value=0.5,
    p_value_chi2=0.4,
    convention="pairs",
    estimate="bias-reduced",
    expected=10.0,
    simulations=500,
    players=6,
    components=1,
    pairs=15,
    kind="within",
    tournaments=1,
    calibration=(),
    worst_pairs=(),
    triples=None,
)


def _quality(deviance: float, p_value: float, *, expected: float = 10.0) -> Quality:
    return replace(TEMPLATE, deviance=deviance, p_value=p_value, expected=expected)


def test_boards_are_ranked_by_what_exceeds_their_own_ratings() -> None:
    """20 of 25 expected fit better than 10 of 10, and those better than 12 of 8."""
    found = rank_by_fit(
        {
            "a": _quality(10.0, 0.5),
            "b": _quality(12.0, 0.001, expected=8.0),
            "c": _quality(20.0, 0.9, expected=25.0),
        }
    )
    assert [(one.tournament, one.place, one.excess) for one in found.boards] == [
        ("c", 1, 0.8),
        ("a", 2, 1.0),
        ("b", 3, 1.5),
    ]
    assert found.best == _quality(20.0, 0.9, expected=25.0)
    assert found.worst == _quality(12.0, 0.001, expected=8.0)


def test_boards_that_fit_are_counted_alone_and_together() -> None:
    """Holm: 0.02 of three is 0.06, and so are all above it."""
    qualities = {"a": _quality(9.0, 0.02), "b": _quality(10.0, 0.04), "c": _quality(11.0, 0.3)}
    found = rank_by_fit(qualities)
    assert [one.p_holm for one in found.boards] == pytest.approx([0.06, 0.08, 0.3])
    assert [one.fits for one in found.boards] == [False, False, True]
    assert (found.fitting, found.fitting_holm, len(found.boards)) == (1, 3, 3)


def test_a_p_value_of_5_percent_does_not_fit() -> None:
    found = rank_by_fit({"a": _quality(9.0, 0.05), "b": _quality(9.0, 0.0501)})
    assert [one.fits for one in found.boards] == [False, True]
    assert [one.place for one in found.boards] == [1, 1]


def test_boards_without_degrees_of_freedom_are_named_and_not_judged() -> None:
    two = replace(TEMPLATE, df=0, standardised=None, dispersion=None, p_value=1.0)
    found = rank_by_fit({"a": _quality(9.0, 0.5), "two": two})
    assert ([one.tournament for one in found.boards], found.unjudged) == (["a"], ("two",))
    nothing = rank_by_fit({"two": two})
    assert (nothing.boards, nothing.best, nothing.worst, nothing.fitting) == ((), None, None, 0)


def test_both_ways_of_counting_pairs_give_the_same_table() -> None:
    paper = {"a": _quality(9.0, 0.2), "b": _quality(14.0, 0.01)}
    paper = {name: one.by_convention("paper") for name, one in paper.items()}
    pairs = {name: one.by_convention("pairs") for name, one in paper.items()}
    assert paper != pairs
    assert rank_by_fit(paper) == rank_by_fit(pairs)


def _circle() -> pl.DataFrame:
    """p0 beats p1, p1 beats p2 and p2 beats p0 by most scores: no ratings explain that."""
    rng = np.random.default_rng(1)
    turns = np.array([[2.0, 1.0, 0.0], [0.0, 2.0, 1.0], [1.0, 0.0, 2.0]])
    circle = turns[rng.integers(0, 3, 60)]
    return long_table(np.column_stack([circle, rng.normal(size=(60, 2))]))


def _line() -> pl.DataFrame:
    rng = np.random.default_rng(2)
    return long_table(np.linspace(1.0, -1.0, 5) + rng.normal(size=(60, 5)))


def _season() -> Season:
    tables = {"line": _line(), "circle": _circle()}
    table = pl.concat([own.with_columns(data=pl.lit(name)) for name, own in tables.items()])
    return rate_each(table, tournament="data", higher_is_better=True)


def test_a_season_tells_the_board_that_fits_from_the_one_that_does_not() -> None:
    told: list[tuple[int, int]] = []
    season = _season()
    found = season.fits(progress=lambda done, total: told.append((done, total)))
    assert [one.tournament for one in found.boards] == ["line", "circle"]
    assert (found.boards[0].fits, found.boards[1].p_value < 0.01) == (True, True)
    assert (found.fitting, found.fitting_holm) == (1, 1)
    assert told == [(1, 2), (2, 2)]
    # Qualities are those of the boards, calibration included.
    assert found.best == season["line"].quality()
    assert found.worst == season["circle"].quality()
    assert found.worst.calibration


def test_a_board_of_two_players_is_not_judged() -> None:
    two = three_by_three().filter(pl.col("player") != "c")
    table = pl.concat(
        [
            two.with_columns(data=pl.lit("two")),
            _line().cast({"round": pl.Int64}).with_columns(data=pl.lit("line")),
        ],
        how="vertical_relaxed",
    )
    found = rate_each(table, tournament="data", higher_is_better=True).fits()
    assert (found.unjudged, [one.tournament for one in found.boards]) == (("two",), ["line"])


def test_frame_and_json_hold_the_boards() -> None:
    found = rank_by_fit({"a": _quality(9.0, 0.02), "b": _quality(12.0, 0.3)})
    frame = found.frame()
    assert frame.columns == [
        *("tournament", "place", "excess", "standardised", "dispersion", "deviance", "df"),
        *("p_value", "p_holm", "fits", "fits_holm"),
    ]
    assert frame["fits"].to_list() == [False, True]
    data = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert (data["schema"], data["judged"], data["fitting"]) == ("winodds/fits/1", 2, 1)
    assert [one["tournament"] for one in data["boards"]] == ["a", "b"]
    assert (data["best"]["deviance"], data["worst"]["deviance"]) == (9.0, 12.0)


def test_published_data_sets_are_counted() -> None:
    """AMLB's 1-hour results on its first eight data sets."""
    read = pl.read_csv(shared_file("data/amlb_2019_1h.csv"), infer_schema_length=None)
    names = sorted(read["task"].unique().to_list())[:8]
    table = read.filter(pl.col("task").is_in(names)).select("framework", "task", "fold", "result")
    season = rate_each(
        table.with_columns(pl.col("result").cast(pl.Float64, strict=False)),
        player="framework",
        round="fold",
        score="result",
        tournament="task",
        higher_is_better=True,
    )
    found = season.fits()
    assert len(found.boards) + len(found.unjudged) == 8
    single = rate(
        table.filter(pl.col("task") == found.boards[0].tournament).with_columns(
            pl.col("result").cast(pl.Float64, strict=False)
        ),
        player="framework",
        round="fold",
        score="result",
        higher_is_better=True,
    )
    assert single.quality().deviance == pytest.approx(found.boards[0].deviance, rel=1e-9)
