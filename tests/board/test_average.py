"""Whose average is 0: that of the players who can be compared, of all, or a reference."""

import json
from typing import Any

import numpy as np
import polars as pl
import pytest
from conftest import long_table, make_results, score_tables, shared_file, simulate
from hypothesis import given, strategies as st
from reference import matches_within, reach, win_matrix
from scipy import stats
from tables import facts, grid, texts

from winodds import Leaderboard, rate, rate_battles, rate_each
from winodds.arrays import Bools, Floats
from winodds.board.bootstrap import resample
from winodds.fit.newton import fit
from winodds.inference.intervals import Uncertainty, quantify
from winodds.inference.structure import find_structure
from winodds.language.options import Center
from winodds.matches.within import count_within
from winodds.season.season import Season
from winodds.show.formats.json import render_json

GAP = "How wide such a gap is cannot be known: interval ends across it are open."


def rated(table: pl.DataFrame, **options: Any) -> Leaderboard:
    return rate(table, higher_is_better=True, details=False, **options)


def told(board: Leaderboard) -> dict[str, Any]:
    """Everything a board tells, but for what it was asked."""
    found = facts(board)
    for part in found["evidence"]:
        del part["center"]
    return found


def circle(**others: list[float]) -> pl.DataFrame:
    """a, b and c win one round each and stand level; others come beside them."""
    return grid({"a": [3.0, 2.0, 1.0], "b": [1.0, 3.0, 2.0], "c": [2.0, 1.0, 3.0], **others})


def separated(seed: int, *, players: int = 8, rounds: int = 10) -> pl.DataFrame:
    """p0 won and the last player lost every match; some scores of the others are missing."""
    scores = simulate(seed, players, rounds, spread=0.3)
    scores[2:, 1] = np.nan
    scores[:, 0], scores[:, -1] = 100.0, -100.0
    return long_table(scores)


# By hand ------------------------------------------------------------------------------------------


def test_a_dummy_opens_no_interval_but_its_own() -> None:
    board = rated(circle(dummy=[0.0, 0.0, 0.0]))
    assert board.players == ("a", "b", "c", "dummy")
    np.testing.assert_allclose(board.standings.epp[:3], 0.0, atol=1e-12)
    np.testing.assert_allclose(board.standings.p_average[:3], 0.5, atol=1e-12)
    assert np.isfinite(board.standings.low).tolist() == [True, True, True, False]
    assert np.isfinite(board.standings.high).all()
    # a, b and c have the model's information n in each of their pairs and d in each with the
    # dummy, whose place does not matter: their mean is at 0. Along a − (a + b + c)/3, with
    # squared length 2/3, the information has the eigenvalue 3n + d.
    n, d = 3 * 0.25, 3 * stats.logistic.pdf(board.standings.epp[3])
    model = rated(circle(dummy=[0.0, 0.0, 0.0]), interval="model")
    np.testing.assert_allclose(model.standings.se[:3] ** 2, (2 / 3) / (3 * n + d), rtol=1e-9)
    assert texts(board.notes)[:2] == (
        f"'dummy' lost every match. {GAP}",
        "0 is the average of the largest set of players without such a gap between them (3 of 4); "
        "'dummy' lost every match and is not in it.",
    )
    assert board.notes[1].kind == "scope"


def test_with_all_players_the_dummy_opens_every_interval() -> None:
    table = circle(dummy=[0.0, 0.0, 0.0])
    board, own = rated(table, center="all"), rated(table)
    assert board.standings.epp.sum() == pytest.approx(0.0, abs=1e-12)
    assert np.isinf(board.standings.high).tolist() == [True, True, True, False]
    assert own.how.average is not None
    assert own.how.average.players == 3
    assert own.how.average.shift == pytest.approx(board.standings.epp[0], abs=1e-12)
    assert board.how.average is None
    assert texts(board.notes)[0] == (
        f"'dummy' lost every match. {GAP} The average player moves with the gap; with "
        'reference="a" the intervals of that player\'s set are closed.'
    )
    assert [note.name for note in board.notes] == ["open_ends", "few_clusters"]


def test_all_players_are_centred_as_the_papers_have_it() -> None:
    """What the board said before there was a choice."""
    board = rated(grid({"A": [3, 2, 3], "B": [2, 3, 2], "C": [1, 1, 1]}), center="all")
    assert [tuple(round(x, 2) for x in row) for row in _columns(board)] == [
        (1.08, -2.31, np.inf),
        (0.58, -2.53, np.inf),
        (-1.66, -np.inf, 2.74),
    ]


def _columns(board: Leaderboard) -> list[tuple[float, float, float]]:
    own = board.standings
    return list(zip(own.epp.tolist(), own.low.tolist(), own.high.tolist(), strict=True))


def test_a_set_of_just_half_of_the_players_is_not_enough() -> None:
    table = grid(
        {"a": [9.0, 8.0, 9.0], "b": [8.0, 9.0, 8.0], "c": [2.0, 1.0, 2.0], "d": [1.0, 2.0, 1.0]}
    )
    board = rated(table)
    assert board.how.average is None
    assert board.standings.epp.sum() == pytest.approx(0.0, abs=1e-12)
    assert told(board) == told(rated(table, center="all"))
    assert np.isinf(board.standings.high).tolist() == [True, True, False, False]


def test_players_outside_are_named_up_to_five() -> None:
    low = {f"z{k}": [-1.0 - k] * 3 for k in range(6)}
    high = {"won": [99.0] * 3, "also": [98.0] * 3}
    many = grid({f"p{k}": list(map(float, np.roll(range(9), k)[:3])) for k in range(9)} | low)
    note = rated(many).notes[1]
    assert str(note) == (
        "0 is the average of the largest set of players without such a gap between them (9 of 15); "
        "'z0', 'z1', 'z2', 'z3', 'z4' and 1 more are not in it."
    )
    assert note.facts["others"] == ["z0", "z1", "z2", "z3", "z4", "z5"]
    one = rated(circle(won=high["won"])).notes[1]
    assert str(one).endswith("; 'won' won every match and is not in it.")
    two = rated(circle(won=high["won"], dummy=[0.0] * 3)).notes[1]
    assert str(two).endswith("; 'won', 'dummy' are not in it.")


def test_two_who_never_met_each_other_both_lost_every_match() -> None:
    pairs = [("a", "b"), ("b", "c"), ("c", "a"), ("a", "x"), ("b", "y")]
    battles = pl.DataFrame(pairs * 3, ["winner", "loser"], orient="row")
    board = rate_battles(battles, winner="winner", loser="loser", details=False)
    wanted = "'x', 'y' lost every match and are not in it."
    assert [str(note).endswith(wanted) for note in board.notes].count(True) == 1
    assert np.isfinite(board.standings.low).tolist() == [True, True, True, False, False]


def test_every_component_has_an_average_of_its_own() -> None:
    first = circle(dummy=[0.0, 0.0, 0.0])
    second = first.with_columns(pl.col("player") + "2", pl.col("round") + 10)
    board = rated(pl.concat([first, second]), components="separate")
    assert board.how.average is None
    np.testing.assert_allclose(board.standings.epp[[0, 1, 2, 4, 5, 6]], 0.0, atol=1e-12)
    assert [str(note).split(";")[0] for note in board.notes if note.name == "average_of_set"] == [
        f"In component {k} 0 is the average of the largest set of players without such a gap "
        f"between them (3 of 4)"
        for k in (1, 2)
    ]


# A slow twin --------------------------------------------------------------------------------------


def _contrast(averaged: Bools) -> Floats:
    contrast: Floats = np.eye(averaged.size) - averaged / averaged.sum()
    return contrast


def _majority(wins: Floats) -> Bools:
    """Who is 0 on average: by the transitive closure of wins."""
    chains = reach(wins)
    mutual: Bools = chains & chains.T
    largest = mutual[mutual.sum(axis=1).argmax()]
    return largest if 2 * largest.sum() > largest.size else np.ones(largest.size, np.bool_)


@given(score_tables(players=(3, 7), missing=True, levels=20), st.sampled_from(["robust", "model"]))
def test_intervals_are_those_of_the_contrast(scores: Floats, kind: Any) -> None:
    wins = count_within(make_results(scores))
    structure = find_structure(wins)
    if not structure.connected or not (wins.raw_matches > 0).all():
        return
    found = fit(wins.wins, wins.design)
    uncertainty = quantify(wins, found, structure, kind=kind)
    matches = win_matrix(matches_within(scores), scores.shape[1])
    averaged, chains = _majority(matches), reach(matches)
    contrast = _contrast(averaged)
    ratings, own = uncertainty.of_ratings(), uncertainty.intervals
    np.testing.assert_allclose(ratings.value, contrast @ found.beta, atol=1e-10)
    assert np.isfinite(ratings.low).tolist() == chains[:, averaged].all(axis=1).tolist()
    assert np.isfinite(ratings.high).tolist() == chains[averaged, :].all(axis=0).tolist()
    inverse = found.information.solve(np.eye(averaged.size))
    model = (contrast @ inverse @ contrast.T).diagonal() * own.model_scale
    variance = model
    if own.influence is not None:
        robust = uncertainty.clustering.variances(contrast @ own.influence)
        variance = np.maximum(model, robust)
    np.testing.assert_allclose(ratings.se**2, variance, rtol=1e-7, atol=1e-10)
    closed = np.isfinite(ratings.low) & np.isfinite(ratings.high)
    middle = contrast @ (found.beta - own.bias)
    if kind == "model":
        half = stats.norm.ppf(0.975) * np.sqrt(model)
        low = np.minimum(middle - half, ratings.value)
        np.testing.assert_allclose(ratings.low[closed], low[closed], atol=1e-8)


# Laws ---------------------------------------------------------------------------------------------


def _quantified(scores: Floats, center: Center) -> Uncertainty | None:
    wins = count_within(make_results(scores))
    structure = find_structure(wins)
    if not structure.connected or not (wins.raw_matches > 0).all():
        return None
    return quantify(wins, fit(wins.wins, wins.design), structure, center=center)


@given(score_tables(players=(2, 6), rounds=(3, 8), missing=True, levels=20))
def test_one_set_gives_the_same_bits_with_either_centre(scores: Floats) -> None:
    own, everyone = _quantified(scores, "comparable"), _quantified(scores, "all")
    if own is None or everyone is None:
        return
    first, second = own.of_ratings(), everyone.of_ratings()
    if own.intervals.average_set is None:
        for name in ("value", "se", "low", "high"):
            np.testing.assert_array_equal(getattr(first, name), getattr(second, name))
    else:
        assert own.intervals.structure.separated
    again = own.of_ratings("all")
    for name in ("value", "se", "low", "high"):
        np.testing.assert_array_equal(getattr(again, name), getattr(second, name))


def test_a_board_of_one_set_is_the_same_with_either_centre() -> None:
    table = long_table(simulate(3, 6, 20))
    assert told(rated(table)) == told(rated(table, center="all"))


@pytest.mark.parametrize("estimator", ["bias-reduced", "ridge"])
@pytest.mark.parametrize("seed", range(3))
def test_the_centre_only_shifts_the_ratings(seed: int, estimator: str) -> None:
    own = rated(separated(seed), estimator=estimator)
    everyone = rated(separated(seed), estimator=estimator, center="all")
    assert own.players == everyone.players
    assert own.how.average is not None
    shift = own.how.average.shift
    np.testing.assert_allclose(own.standings.epp + shift, everyone.standings.epp, atol=1e-12)
    inside = own.components[0].intervals.averaged
    assert inside is not None
    assert own.standings.epp[inside].mean() == pytest.approx(0.0, abs=1e-12)
    assert np.isfinite(own.standings.low).tolist() == [True, *inside[1:].tolist()]
    assert np.isfinite(own.standings.high).tolist() == [*inside[:-1].tolist(), True]
    first, second = list(own.players), [own.players[2]] * len(own)
    for name in ("value", "se", "low", "high"):
        differences = (getattr(board.differences(first, second), name) for board in (own, everyone))
        np.testing.assert_array_equal(*differences)


def test_a_reference_is_at_0_whatever_the_centre() -> None:
    table = separated(4)
    own, everyone = (rated(table, reference="p3", center=c) for c in ("comparable", "all"))
    for name in ("epp", "se", "low", "high"):
        columns = (getattr(board.standings, name) for board in (own, everyone))
        np.testing.assert_array_equal(*columns)
    np.testing.assert_array_equal(own.standings.p_average, rated(table).standings.p_average)
    note = next(note for note in own.notes if note.name == "average_of_set")
    assert str(note).startswith("The average player is the average of the largest set of players ")


def test_a_board_comes_back_from_json_with_its_average() -> None:
    board = rated(separated(5))
    again = Leaderboard.from_json(board.to_json())
    assert again.to_json() == board.to_json()
    ratings = again.components[0].uncertainty.of_ratings()
    np.testing.assert_allclose(ratings.low, board.standings.low, atol=1e-12)
    np.testing.assert_allclose(ratings.value, board.standings.epp, atol=1e-12)


def test_a_board_written_without_a_centre_has_that_of_all_players() -> None:
    board = rated(separated(5), center="all")
    data = json.loads(board.to_json())
    del data["average"], data["evidence"][0]["center"]
    assert Leaderboard.from_dict(data).to_json() == board.to_json()


# What follows from the zero -----------------------------------------------------------------------


def test_the_leader_without_luck_has_the_zero_of_the_board() -> None:
    own, everyone = rated(separated(6)), rated(separated(6), center="all")
    assert own.how.average is not None
    found, other = own.sota(), everyone.sota()
    assert (found.average_of, other.average_of) == (5, None)
    assert found.leader.epp == pytest.approx(own.standings.epp[0], abs=1e-12)
    assert found.leader.p_average == pytest.approx(own.standings.p_average[0], abs=1e-12)
    assert found.leader.p_best == other.leader.p_best
    assert found.leader.selection_bias == other.leader.selection_bias
    assert found.tau == other.tau
    assert "against the average of 5 comparable players" in str(found).replace("\n", " ")
    reference = rated(separated(6), reference="p0").sota()
    assert (reference.average_of, reference.leader.epp) == (None, 0.0)


def test_replicates_have_the_zero_of_the_board() -> None:
    board = rated(separated(7))
    inside = board.components[0].intervals.averaged
    assert inside is not None
    found = board.bootstrap(replicates=20)
    np.testing.assert_allclose(found.observed, board.standings.epp, atol=1e-9)
    np.testing.assert_allclose(np.nanmean(found.ratings[:, inside], axis=1), 0.0, atol=1e-9)
    assert np.isnan(found.ratings).any()
    plain = resample(
        rated(separated(7), center="all").components,
        board.players,
        replicates=20,
        zero=None,
        level=0.95,
        seed=0,
    )
    moved = found.ratings - plain.ratings
    np.testing.assert_allclose(np.nanmax(moved, axis=1), np.nanmin(moved, axis=1), atol=1e-9)


def _season(center: Center, **options: Any) -> Season:
    tables = [
        separated(8).with_columns(data=pl.lit("apart")),
        long_table(simulate(9, 8, 10)).with_columns(data=pl.lit("one set")),
    ]
    return rate_each(
        pl.concat(tables),
        tournament="data",
        higher_is_better=True,
        details=False,
        center=center,
        **options,
    )


@pytest.mark.parametrize("options", [{}, {"reference": "p3"}])
def test_boards_together_are_all_centred_on_all_players(options: dict[str, str]) -> None:
    own, everyone = _season("comparable", **options), _season("all", **options)
    assert own["apart"].how.average is not None
    assert own["one set"].how.average is None
    np.testing.assert_array_equal(own.matrix().epp, everyone.matrix().epp)
    assert own.matrix().players == everyone.matrix().players
    for name in ("matrix", "biplot"):
        first, second = (getattr(season.figures, name)() for season in (own, everyone))
        assert (first.cells, first.caption) == (second.cells, second.caption), name
    first, second = (season.figures.settings() for season in (own, everyone))
    assert first.caption == second.caption
    for end in ("epp", "low", "high", "start", "stop"):
        ours, theirs = (np.array(figure.cells[end], np.float64) for figure in (first, second))
        np.testing.assert_allclose(ours, theirs, atol=1e-12)


def test_a_board_that_was_cut_still_knows_the_average_of_all() -> None:
    own, everyone = _season("comparable"), _season("all")
    cut = {name: Leaderboard.from_json(render_json(board, top=3)) for name, board in own.items()}
    season = Season(cut)
    for name in own:
        wanted = everyone[name].standings.epp[:3]
        np.testing.assert_allclose(season[name].epp_around_all(), wanted, atol=1e-12)
    assert season.figures.settings().caption.endswith(
        "Intervals in 'apart' are those around the average of the players who can be compared."
    )


def test_figures_say_whose_average_is_0() -> None:
    board = rated(circle(dummy=[0.0, 0.0, 0.0]))
    figure = board.figures.ranking()
    assert figure.columns["epp"].help == (
        "EPP (log-odds of beating the average of 3 comparable players)."
    )
    assert figure.left_out == (
        "'dummy' lost every match. How wide such a gap is, nobody knows, so ends across it are "
        "open (arrows)."
    )


# Published scores ---------------------------------------------------------------------------------


def test_no_interval_of_the_automl_benchmark_is_open_because_of_a_player_outside() -> None:
    table = pl.read_csv(shared_file("data/amlb_2019_1h.csv"))
    columns = {"player": "framework", "tournament": "task", "round": "fold", "score": "score"}
    season = rate_each(table, higher_is_better=True, details=False, **columns)  # type: ignore[arg-type]
    centred = closed = 0
    for board in season.values():
        own = board.components[0].intervals
        sizes = np.bincount(own.structure.part)
        inside = own.structure.part == sizes.argmax()
        if 2 * sizes.max() <= len(board):
            assert own.averaged is None
            continue
        centred += 1
        assert np.isfinite(board.standings.low[inside]).all()
        assert np.isfinite(board.standings.high[inside]).all()
        ends = np.isfinite(board.standings.low) & np.isfinite(board.standings.high)
        closed += int(own.structure.separated)
        assert ends.tolist() == inside.tolist()
    assert (len(season), centred, closed) == (35, 24, 21)
