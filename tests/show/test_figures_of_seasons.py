"""Figures of seasons: the numbers as tables, then the charts."""

import json
import math
import re
from dataclasses import asdict
from typing import Any, Literal
from xml.etree import ElementTree

import numpy as np
import polars as pl
import pytest
from tables import board as make_board

from winodds import Season, WinoddsError, rate_each
from winodds.demo import load_results
from winodds.errors import NoEvidence, NoFigure, NothingToEmbed, UnknownPlayer
from winodds.season.matrix import EppMatrix
from winodds.show.figures.boxes import make_box
from winodds.show.figures.figure import Figure
from winodds.show.figures.labels import natural
from winodds.show.figures.names import SEASON_FIGURES
from winodds.show.formats.json import render_json

OF_CHANCES = ("new_data_set", "family_matrix", "tunability")
OF_RATINGS = tuple(name for name in SEASON_FIGURES if name not in OF_CHANCES)

HOSTILE = [
    "<script>alert(1)</script>",
    "datum.x",
    "null",
    "a.b[0]",
    "=1+1",
    "🦆 quack",
    "مرحبا",
    "'\"&amp;",
    "long " * 60 + "A",
    "long " * 60 + "B",
]


def demo() -> Season:
    return rate_each(
        load_results(),
        player="model",
        round="split",
        score="auc",
        tournament="dataset",
        family="family",
    )


SEASON = demo()


def simulate_season(
    players: list[str], tournaments: int, *, gaps: float = 0.0, rounds: int = 6, seed: int = 0
) -> Season:
    """A season of players of different strength, of which some are absent from tournaments."""
    rng = np.random.default_rng(seed)
    strength = np.linspace(1.5, -1.5, len(players))
    rows: list[dict[str, Any]] = []
    for t in range(tournaments):
        here = rng.random(len(players)) >= gaps
        own = strength + 0.5 * rng.normal(size=len(players))
        for r in range(rounds):
            scores = own + rng.normal(size=len(players))
            rows += [
                {"player": name, "family": f"f{k % 3}", "data": f"t{t:03}", "round": r, "score": s}
                for k, (name, s) in enumerate(zip(players, scores.tolist(), strict=True))
                if here[k]
            ]
    return rate_each(
        pl.DataFrame(rows), tournament="data", family="family", higher_is_better=True, details=False
    )


def number_names(count: int) -> list[str]:
    return [f"p{k:04}" for k in range(count)]


GAPPED = simulate_season(number_names(24), 6, gaps=0.25)


def rows_of(figure: Figure, **wanted: Any) -> list[dict[str, Any]]:
    return [row for row in figure.rows if all(row[key] == wanted[key] for key in wanted)]


# The matrix of a season ---------------------------------------------------------------------------


def test_the_matrix_holds_every_rating_at_its_place() -> None:
    table = GAPPED.matrix()
    assert table.tournaments == tuple(GAPPED)
    for column, board in enumerate(GAPPED.values()):
        place = {player: k for k, player in enumerate(table.players)}
        for row, epp in zip(board, board.epp_around_all(), strict=True):
            assert table.epp[place[row.player], column] == epp
            assert table.families is not None
            assert table.families[place[row.player]] == row.family
        assert np.isnan(table.epp[:, column]).sum() == len(table.players) - len(board)


def test_players_of_the_matrix_come_by_their_mean_rating() -> None:
    means = np.nanmean(GAPPED.matrix().epp, axis=1)
    assert (np.diff(means) <= 0.0).all()


def test_a_season_without_families_has_none_in_its_matrix() -> None:
    table = load_results()
    season = rate_each(table, player="model", round="split", score="auc", tournament="dataset")
    assert season.matrix().families is None


# Boxes --------------------------------------------------------------------------------------------


def test_a_box_worked_by_hand() -> None:
    """Quartiles of 1…8 and 30: IQR 4, so 30 is beyond 7 + 6 and the whisker ends at 8."""
    box = make_box([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 30.0])
    assert (box.q1, box.median, box.q3) == (3.0, 5.0, 7.0)
    assert (box.low, box.high, box.beyond) == (1.0, 8.0, (8,))


def test_a_whisker_never_ends_inside_its_box() -> None:
    box = make_box([-10.0, 1.9, 2.0, 2.1])
    assert box.low <= box.q1 <= box.median <= box.q3 <= box.high


def test_few_values_are_all_shown() -> None:
    assert make_box([1.0, 2.0]).beyond == (0, 1)
    assert make_box([1.0, 2.0, 3.0, 4.0, 5.0]).beyond == ()


def test_there_is_a_box_for_each_family_in_each_tournament() -> None:
    left_out = ["learning_rate=0.48", "n_neighbors=9", "C=93", "max_depth=7"]
    season = rate_each(
        load_results().filter(~pl.col("model").str.contains_any(left_out)),
        player="model",
        round="split",
        score="auc",
        tournament="dataset",
        family="family",
    )
    figure = season.figures.boxes()
    boxes = rows_of(figure, part="box")
    assert len(boxes) == 4 * 4
    for box in boxes:
        own = [row.epp for row in season[box["panel"]] if row.family == box["box"]]
        assert box["players"] == len(own) == 4
        assert box["median"] == pytest.approx(np.median(own))
        assert [box["q1"], box["q3"]] == pytest.approx(np.quantile(own, [0.25, 0.75]).tolist())
    names = {(row["panel"], row["name"], row["epp"]) for row in rows_of(figure, part="point")}
    rated = {(name, row.player, row.epp) for name, board in season.items() for row in board}
    assert names == rated


def test_boxes_of_tournaments_begin_with_the_widest() -> None:
    figure = SEASON.figures.boxes(by="tournament")
    spread = {name: np.std(board.standings.epp) for name, board in SEASON.items()}
    shown = [row["box"] for row in rows_of(figure, part="box")]
    assert shown == sorted(SEASON, key=lambda name: -spread[name])


def test_boxes_of_players_hold_their_tournaments() -> None:
    figure = SEASON.figures.boxes(by="player", top=None)
    boxes = rows_of(figure, part="box")
    assert len(boxes) == 20
    for box in boxes:
        own = [board.row(box["box"]).epp for board in SEASON.values()]
        assert box["median"] == pytest.approx(np.median(own))
    medians = [box["median"] for box in boxes]
    assert medians == sorted(medians, reverse=True)


def test_boxes_without_families_are_of_tournaments_and_families_are_refused() -> None:
    season = rate_each(
        load_results(), player="model", round="split", score="auc", tournament="dataset"
    )
    assert season.figures.boxes().facts["by"] == "tournament"
    with pytest.raises(WinoddsError) as caught:
        season.figures.boxes(by="family")
    assert str(caught.value) == (
        "There is no figure 'boxes' here: the models have no families; rate with a column of "
        "them as family."
    )


def test_boxes_of_one_tournament_have_one_panel() -> None:
    figure = SEASON.figures.boxes(tournament="wine")
    boxes = rows_of(figure, part="box")
    assert figure.title == "EPP by family in wine"
    assert {row["panel"] for row in figure.rows} == {""}
    medians = {
        family: float(np.median([row.epp for row in SEASON["wine"] if row.family == family]))
        for family in {row.family for row in SEASON["wine"]}
    }
    assert [row["box"] for row in boxes] == sorted(medians, key=lambda name: -medians[name])
    assert {row["box"]: row["median"] for row in boxes} == pytest.approx(medians)


def test_boxes_of_families_may_hold_all_tournaments_together() -> None:
    figure = GAPPED.figures.boxes(together=True)
    boxes = rows_of(figure, part="box")
    rated = [(row.family, epp) for board in GAPPED.values()
             for row, epp in zip(board, board.epp_around_all(), strict=True)]  # fmt: skip
    for box in boxes:
        own = [epp for family, epp in rated if family == box["box"]]
        assert (box["players"], box["family"]) == (len(own), box["box"])
        assert box["median"] == pytest.approx(np.median(own))
    assert sum(box["players"] for box in boxes) == len(rated)
    assert "each family's players in all data sets together" in figure.caption
    joined = SEASON.figures.boxes(together=True, best=True)
    assert {row["name"] for row in rows_of(joined, part="point", box="knn")} == {
        f"{max((row for row in board if row.family == 'knn'), key=lambda row: row.epp).player}, {t}"
        for t, board in SEASON.items()
    }


def test_boxes_of_the_best_hold_one_player_of_each_family() -> None:
    figure = GAPPED.figures.boxes(by="tournament", best=True)
    assert figure.title == "EPP of each family's best by data set"
    assert figure.left_out == (
        "Of each family only the best in the data set, which is best partly by luck."
    )
    for box in rows_of(figure, part="box"):
        best: dict[str, float] = {}
        board = GAPPED[box["box"]]
        for row, epp in zip(board, board.epp_around_all().tolist(), strict=True):
            best[str(row.family)] = max(best.get(str(row.family), -np.inf), epp)
        assert box["players"] == len(best) == 3
        assert box["median"] == pytest.approx(np.median(list(best.values())))


def test_boxes_of_players_who_took_part_often_enough() -> None:
    table = GAPPED.matrix()
    there = dict(zip(table.players, (~np.isnan(table.epp)).sum(axis=1).tolist(), strict=True))
    figure = GAPPED.figures.boxes(by="player", at_least=5)
    boxes = rows_of(figure, part="box")
    assert {row["box"] for row in boxes} == {name for name, number in there.items() if number > 4}
    assert all(row["players"] == there[row["box"]] for row in boxes)
    assert [row["family"] for row in boxes] == [f"f{int(row['box'][1:]) % 3}" for row in boxes]
    assert figure.left_out == "Only players with results in at least 5 data sets."


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"by": "tournament", "together": True},
            "together=True is not possible; it is for boxes by family.",
        ),
        (
            {"tournament": "wine", "together": True},
            "together=True is not possible; one data set is no more than itself; leave one of "
            "the two out.",
        ),
        (
            {"tournament": "vine"},
            'tournament="vine" is not possible; the data sets are '
            "'breast_cancer', 'digits', 'heart', 'wine'.",
        ),
        (
            {"by": "player", "at_least": 5},
            "There is no figure 'boxes' here: no model has results in 5 data sets; the most is "
            "4 data sets.",
        ),
    ],
)
def test_boxes_that_cannot_be_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(WinoddsError) as caught:
        SEASON.figures.boxes(**options)
    assert str(caught.value) == message


def test_many_tournaments_are_paged_and_the_caption_says_so() -> None:
    season = simulate_season(number_names(8), 15, rounds=4)
    figure = season.figures.boxes()
    assert len({row["panel"] for row in figure.rows}) == 12
    order = "by the spread of ratings, in the order of their names."
    assert figure.caption.endswith(f"The first 12 of 15 data sets {order}")
    panels = list(dict.fromkeys(row["panel"] for row in figure.rows))
    assert panels == sorted(panels)
    rest = season.figures.boxes(first=13)
    assert rest.caption.endswith(f"Data sets 13 to 15 of 15 {order}")
    both = {row["panel"] for row in figure.rows} | {row["panel"] for row in rest.rows}
    assert both == set(season)
    with pytest.raises(WinoddsError) as caught:
        season.figures.boxes(first=16)
    assert str(caught.value) == "first=16 is not possible; there are 15 data sets."


# Settings -----------------------------------------------------------------------------------------


def test_settings_are_the_ratings_of_one_family() -> None:
    figure = SEASON.figures.settings(family="random_forest")
    assert len(figure) == 5 * 4
    for row in figure.rows:
        rated = SEASON[row["panel"]].row(row["player"])
        assert rated.family == "random_forest"
        assert (row["epp"], row["low"], row["high"]) == (rated.epp, rated.low, rated.high)


def test_settings_leave_out_the_lowest_players_and_say_so() -> None:
    figure = SEASON.figures.settings()
    table = SEASON.matrix()
    shown = {row["player"]: row["player_order"] for row in figure.rows}
    assert shown == {name: k for k, name in enumerate(table.players[:15], start=1)}
    assert figure.caption.endswith("The first 15 of 20 models by mean EPP.")


def test_open_ends_stay_empty_in_the_table() -> None:
    figure = SEASON.figures.settings(top=None)
    for end in ("low", "high"):
        rated = sum(getattr(row, end) is None for board in SEASON.values() for row in board)
        assert sum(row[end] is None for row in figure.rows) == rated


def test_an_absent_player_has_no_bar() -> None:
    figure = GAPPED.figures.settings(top=None)
    assert len(figure) == sum(len(board) for board in GAPPED.values())


@pytest.mark.parametrize(
    ("family", "why"),
    [
        ("random_forrest", "did you mean 'random_forest'"),
        (
            "x",
            "the families are 'gradient_boosting', 'knn', 'logistic_regression', 'random_forest'",
        ),
    ],
)
def test_an_unknown_family_is_refused(family: str, why: str) -> None:
    with pytest.raises(WinoddsError) as caught:
        SEASON.figures.settings(family=family)
    assert str(caught.value) == f'family="{family}" is not possible; {why}.'


# Who has a result where ---------------------------------------------------------------------------


def test_fill_in_knows_who_was_there() -> None:
    figure = GAPPED.figures.fill_in()
    assert len(figure) == 24 * 6
    for row in figure.rows:
        there = row["row"] in GAPPED[row["tournament"]].players
        assert (row["results"], row["pairs"], row["share"]) == (there, 1, float(there))
    total = sum(row["results"] for row in figure.rows)
    assert figure.caption == (
        f"{total} of 144 pairs of a player and a data set have a result ({total / 144:.0%}). "
        f"Those with the most results come first."
    )


def test_the_most_complete_rows_and_columns_come_first() -> None:
    rows = GAPPED.figures.fill_in().rows
    by_row = [sum(r["results"] for r in rows if r["row_order"] == k + 1) for k in range(24)]
    by_column = [
        sum(r["results"] for r in rows if r["tournament_order"] == k + 1) for k in range(6)
    ]
    assert by_row == sorted(by_row, reverse=True)
    assert by_column == sorted(by_column, reverse=True)


def test_a_family_is_there_if_any_of_its_players_is() -> None:
    season = simulate_season(number_names(6), 5, gaps=0.5, seed=3)
    for row in season.figures.fill_in(by="family").rows:
        families = {entry.family for entry in season[row["tournament"]]}
        assert row["results"] == (row["row"] in families)


def test_a_complete_season_has_no_gaps_to_show() -> None:
    kinds: tuple[tuple[Literal["player", "family"], str], ...] = (
        ("player", "model"),
        ("family", "family"),
    )
    for by, called in kinds:
        with pytest.raises(NoFigure) as caught:
            SEASON.figures.fill_in(by=by)
        assert str(caught.value) == (
            f"There is no figure 'fill_in' here: every {called} has a result in every data set."
        )


def test_large_seasons_are_taken_together_without_losing_a_pair() -> None:
    season = simulate_season(number_names(130), 5, gaps=0.1, rounds=3)
    assert len(season.matrix().players) == 130
    figure = season.figures.fill_in(most=50)
    assert len({row["row"] for row in figure.rows}) == 44
    assert sum(row["pairs"] for row in figure.rows) == 130 * 5
    assert sum(row["results"] for row in figure.rows) == sum(map(len, season.values()))
    assert (figure.rows[0]["row"], figure.rows[-1]["row"]) == ("1–3", "130")
    assert "130 players and 5 data sets are taken together in 44 rows" in figure.caption


# Ratings of players in tournaments ----------------------------------------------------------------


def test_the_matrix_figure_holds_ratings_and_gaps() -> None:
    figure = GAPPED.figures.matrix()
    table = GAPPED.matrix()
    cells = np.array([[math.nan if r["epp"] is None else r["epp"]] for r in figure.rows])
    np.testing.assert_array_equal(cells.reshape(table.epp.shape), table.epp)
    assert figure.facts["reach"] == np.nanmax(np.abs(table.epp))


def test_the_matrix_figure_is_paged_by_players_and_keeps_the_fullest_tournaments() -> None:
    figure = GAPPED.figures.matrix(top=5, first=6, tournaments=2)
    table = GAPPED.matrix()
    assert list(dict.fromkeys(row["player"] for row in figure.rows)) == list(table.players[5:10])
    sizes = sorted((len(board) for board in GAPPED.values()), reverse=True)
    shown = {row["tournament"] for row in figure.rows}
    assert sorted((len(GAPPED[name]) for name in shown), reverse=True) == sizes[:2]
    assert figure.caption.endswith(
        "Players 6 to 10 of 24 by mean EPP. The first 2 of 6 data sets by how many players they "
        "have."
    )


def test_tournaments_come_in_the_order_of_their_numbers() -> None:
    """In every figure, and the cut names no order in which all are equal."""
    names = [f"fold_{k}" for k in (1, 2, 3, 10, 11)]
    boards = list(simulate_season(number_names(6), 5).values())
    # As the names would come in the order of their letters.
    season = Season(dict(zip(sorted(names), boards, strict=True)))
    assert list(season) != names
    matrix = season.figures.matrix(tournaments=4)
    assert list(dict.fromkeys(matrix.cells["tournament"])) == names[:4]
    assert matrix.left_out == "The first 4 of 5 data sets by name."
    for row in matrix.rows:
        board = season[row["tournament"]]
        assert row["epp"] == board.epp_around_all()[board.players.index(row["player"])]
    for figure in (season.figures.boxes(), season.figures.settings()):
        assert list(dict.fromkeys(figure.cells["panel"])) == names
    cut = season.figures.settings(panels=2)
    assert cut.left_out.endswith("The first 2 of 5 data sets by name.")


def test_names_of_tournaments_are_sorted_as_people_do() -> None:
    names = ["t10", "t2", "0.5", "0.25", "-1", "9", "10", "a", "t2b3", "1" * 40, "t"]
    expected = ["-1", "0.25", "0.5", "9", "10", "1" * 40, "a", "t", "t2", "t2b3", "t10"]
    assert sorted(names, key=natural) == expected


def test_a_player_has_one_label_whoever_is_shown_beside_it() -> None:
    names = [f"{'x' * 60}-{k}-{'y' * 60}" for k in range(6)]
    season = simulate_season(names, 4)
    whole = season.figures.settings(top=None).facts["labels"]
    assert len(set(whole.values())) == 6
    for figure in (
        *(season.figures.settings(top=2), season.figures.matrix(top=3, first=2)),
        season.figures.boxes(by="player", top=2),
    ):
        labels = figure.facts["labels"]
        assert labels == {name: whole[name] for name in labels}
        assert len(labels) < 6


def test_open_ends_are_explained_by_who_won_or_lost_everything() -> None:
    season = simulate_season(number_names(5), 3, rounds=3)
    assert season.figures.settings().left_out == (
        "Ends are open in 't000', 't002': there some players won or lost every match against "
        "others, so that the width of the gap is not known."
    )
    one = Season({"t002": season["t002"]})
    assert one.figures.settings().left_out == (
        "Ends are open in 't002': 3 players ('p0000', 'p0001', 'p0002') won every match against "
        "the other 2 ('p0004', 'p0003')."
    )
    closed = Season({"t001": season["t001"]})
    assert closed.figures.settings().left_out == ""


# Biplot -------------------------------------------------------------------------------------------


def test_the_biplot_of_a_complete_season_is_its_singular_value_decomposition() -> None:
    figure = SEASON.figures.biplot()
    table = SEASON.matrix()
    centred = table.epp - table.epp.mean(axis=0)
    left, size, right = np.linalg.svd(centred, full_matrices=False)
    points = np.array([[row["x"], row["y"]] for row in rows_of(figure, part="point")])
    arrows = np.array([[row["x"], row["y"]] for row in rows_of(figure, part="arrow")])
    root = np.sqrt(20)
    assert np.abs(points) == pytest.approx(root * np.abs(left)[:, :2])
    assert np.abs(arrows) == pytest.approx(
        figure.facts["scale"] / root * np.abs(right[:2].T * size[:2])
    )
    assert figure.facts["shares"] == pytest.approx((size**2 / (size**2).sum())[:2])
    assert figure.facts["axes"][0] == "First axis (58.8% of the variance)"


def cosines(rows: list[dict[str, Any]]) -> Any:
    """Cosines of the angles between all arrows."""
    ends = np.array([[row["x"], row["y"]] for row in rows])
    ends /= np.linalg.norm(ends, axis=1, keepdims=True)
    return ends @ ends.T


def planar_season() -> tuple[Season, EppMatrix]:
    """Ratings of two directions, the second much weaker, and hardly anything else."""
    rng = np.random.default_rng(5)
    traits = rng.normal(size=(20, 2)) * [3.0, 0.5]
    boards = {}
    for k in range(4):
        epp = traits @ [1.0, (k - 1.5) * 2.0] + 0.01 * rng.normal(size=20)
        rated = sorted(zip(epp.tolist(), number_names(20), strict=True), reverse=True)
        boards[f"t{k}"] = make_board(*((name, own, own - 1.0, own + 1.0) for own, name in rated))
    season = Season(boards)
    return season, season.matrix()


def test_angles_of_arrows_show_correlations() -> None:
    """Where the plane holds nearly everything, they are the correlations of the columns."""
    season, table = planar_season()
    figure = season.figures.biplot()
    assert sum(figure.facts["shares"]) > 0.999
    assert figure.facts["shares"][1] < 0.2
    found = cosines(rows_of(figure, part="arrow"))
    np.testing.assert_allclose(found, np.corrcoef(table.epp.T), atol=1e-3)


def test_angles_of_players_show_how_their_results_go_together() -> None:
    """By what is left when the mean of each tournament is taken off."""
    season, table = planar_season()
    figure = season.figures.biplot(arrows="players")
    centred = table.epp - table.epp.mean(axis=0)
    length = np.linalg.norm(centred, axis=1)
    expected = centred @ centred.T / np.outer(length, length)
    long = np.outer(length, length) > 0.1
    found = cosines(rows_of(figure, part="arrow"))
    np.testing.assert_allclose(found[long], expected[long], atol=0.02)


def test_shares_add_up_as_they_are_printed() -> None:
    figure = SEASON.figures.biplot()
    printed = [float(title.split("(")[1].split("%")[0]) for title in figure.facts["axes"]]
    assert f"The plane holds {sum(printed):.1f}% of the variance" in figure.caption


def test_points_projected_on_arrows_give_the_ratings_back() -> None:
    """What a biplot promises, up to what the plane leaves out."""
    figure = SEASON.figures.biplot()
    table = SEASON.matrix()
    points = np.array([[row["x"], row["y"]] for row in rows_of(figure, part="point")])
    arrows = np.array([[row["x"], row["y"]] for row in rows_of(figure, part="arrow")])
    shown = points @ arrows.T / figure.facts["scale"]
    centred = table.epp - table.epp.mean(axis=0)
    left = ((centred - shown) ** 2).sum() / (centred**2).sum()
    assert left == pytest.approx(1.0 - sum(figure.facts["shares"]))


def test_either_can_be_the_arrows() -> None:
    turned = SEASON.figures.biplot(arrows="players")
    assert len(rows_of(turned, part="arrow")) == 20
    assert turned.caption.startswith("Points are data sets, arrows models.")
    few = simulate_season(number_names(4), 9, rounds=5)
    assert few.figures.biplot().facts["arrows"] == "players"


def test_gaps_are_filled_and_the_caption_says_so() -> None:
    figure = GAPPED.figures.biplot()
    there = sum(map(len, GAPPED.values())) / (24 * 6)
    assert figure.left_out == (
        f"Gaps ({1.0 - there:.0%} of the cells) are filled by the plane itself; what share of the "
        f"variance it holds can then not be said."
    )
    assert len(rows_of(figure, part="arrow")) == 6


def test_no_share_of_the_variance_is_claimed_where_there_are_gaps() -> None:
    """The plane fits what it has filled: of pure noise it would claim half as much again."""
    figure = GAPPED.figures.biplot()
    assert figure.facts["shares"] is None
    assert figure.facts["axes"] == ("First axis", "Second axis")
    assert "The plane holds" not in figure.caption
    assert "The plane holds 85.7% of the variance of EPP" in SEASON.figures.biplot().caption


def test_a_plane_that_does_not_settle_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("winodds.season.embedding.MOST_STEPS", 2)
    with pytest.raises(NothingToEmbed) as caught:
        GAPPED.figures.biplot()
    assert str(caught.value) == (
        "The ratings cannot be laid out in a plane: 24% of the cells are missing, and filling them "
        "did not settle in 2 steps; leave out what has few results."
    )


def test_tied_tournaments_with_gaps_have_a_plane() -> None:
    """All rank alike in four of five tournaments, and two results are missing."""
    rows = [
        {"player": f"p{k}", "data": f"t{t}", "round": r, "score": (k * r) % 5 if t == 0 else 1}
        for t in range(5)
        for k in range(7)
        for r in range(4)
        if (t, k) not in ((0, 6), (1, 2))
    ]
    season = rate_each(pl.DataFrame(rows), tournament="data", higher_is_better=True, details=False)
    figure = season.figures.biplot()
    arrows = {row["name"]: (row["x"], row["y"]) for row in rows_of(figure, part="arrow")}
    assert math.hypot(*arrows["t0"]) > 0.1
    for name in ("t1", "t2", "t3", "t4"):
        assert arrows[name] == pytest.approx((0.0, 0.0), abs=1e-6)


def test_players_with_too_few_tournaments_are_left_out() -> None:
    table = load_results().filter(
        (pl.col("model") != "knn(default)") | pl.col("dataset").is_in(["wine", "digits"])
    )
    assert (table["model"] == "knn(default)").any()
    season = rate_each(table, player="model", round="split", score="auc", tournament="dataset")
    figure = season.figures.biplot()
    assert "knn(default)" not in {row["name"] for row in figure.rows}
    assert "1 model with results in fewer than 3 of the data sets shown is left out." in (
        figure.caption
    )


def test_tournaments_that_share_too_few_players_are_refused() -> None:
    rows = [
        {"player": f"{data}{k}", "data": data, "round": r, "score": (k * 7 + r * 3) % 11}
        for data in ("a", "b", "c")
        for k in range(6)
        for r in range(5)
    ]
    season = rate_each(pl.DataFrame(rows), tournament="data", higher_is_better=True, details=False)
    with pytest.raises(NothingToEmbed) as caught:
        season.figures.biplot()
    assert str(caught.value) == (
        "The ratings cannot be laid out in a plane: the data sets share too few players; where "
        "each player has 3 data sets and each data set has 4 players, 0 players, 0 data sets "
        "and 0 results remain."
    )


def test_one_tournament_has_no_plane() -> None:
    season = Season({"wine": SEASON["wine"]})
    with pytest.raises(NothingToEmbed) as caught:
        season.figures.biplot()
    assert str(caught.value) == (
        "The ratings cannot be laid out in a plane: there are 20 models and 1 data set, and at "
        "least 3 and 2 are needed."
    )


def test_a_tournament_that_reverses_the_others_is_named() -> None:
    names: dict[str, Any] = {
        "player": "model",
        "round": "split",
        "score": "auc",
        "tournament": "dataset",
    }
    table = pl.concat([load_results(), load_results().with_columns(pl.col("dataset") + " again")])
    turned = table.with_columns(
        auc=pl.when(pl.col("dataset") == "breast_cancer")
        .then(1 - pl.col("auc"))
        .otherwise(pl.col("auc"))
    )
    figure = rate_each(turned, **names).figures.biplot()
    assert figure.left_out == "'breast_cancer' reverses the order of the other data sets."
    assert figure.caption.endswith(figure.left_out)
    assert "reverses" not in rate_each(table, **names).figures.biplot().caption


def test_a_tournament_that_reverses_the_order_of_one_family_is_named_with_it() -> None:
    own = (pl.col("dataset") == "digits") & (pl.col("family") == "gradient_boosting")
    table = load_results().filter(pl.col("dataset") != "heart")
    season = rate_each(
        table.with_columns(auc=pl.when(own).then(1 - pl.col("auc")).otherwise(pl.col("auc"))),
        player="model",
        round="split",
        score="auc",
        tournament="dataset",
        family="family",
    )
    assert season.figures.biplot().left_out == (
        "Among 'gradient_boosting', 'digits' reverses the order of the other data sets."
    )


def test_the_farthest_points_are_named_and_kept() -> None:
    figure = SEASON.figures.biplot(labels=3, top=8)
    points = rows_of(figure, part="point")
    assert len(points) == 8
    far = sorted(points, key=lambda row: -math.hypot(row["x"], row["y"]))
    nearest = sorted(SEASON.figures.biplot().rows, key=lambda row: math.hypot(row["x"], row["y"]))
    assert {row["name"] for row in far}.isdisjoint(row["name"] for row in nearest[:12])
    assert sum(row["label"] is not None for row in figure.rows) == 3
    assert "The 8 of 20 models farthest from the middle." in figure.caption


def test_the_order_of_rows_of_the_table_changes_no_figure() -> None:
    mixed = rate_each(
        load_results().sample(fraction=1.0, shuffle=True, seed=1),
        player="model",
        round="split",
        score="auc",
        tournament="dataset",
        family="family",
    )
    for name in SEASON_FIGURES:
        if name == "fill_in":
            continue
        own, other = (getattr(season.figures, name)() for season in (SEASON, mixed))
        assert own.caption == other.caption
        for first, second in zip(own.rows, other.rows, strict=True):
            assert first == pytest.approx(second, abs=1e-9, nan_ok=True)


def test_the_axis_names_the_reference() -> None:
    season = rate_each(
        load_results(),
        player="model",
        round="split",
        score="auc",
        tournament="dataset",
        reference="knn(default)",
    )
    assert season.figures.boxes().facts["axis"] == "EPP (log-odds of beating knn(default))"
    assert "above 0 is better than knn(default)" in season.figures.matrix().caption


def test_boards_that_were_cut_are_named() -> None:
    cut = Season.from_json(render_json(SEASON, top=5))
    assert cut.figures.matrix().caption.endswith(
        "Of 'breast_cancer', 'digits', 'heart', 'wine' there may be only the first models."
    )
    whole = Season.from_json(SEASON.to_json())
    assert whole.figures.matrix() == SEASON.figures.matrix()


def test_components_that_never_met_are_named() -> None:
    """Players 0 to 2 meet in the first rounds, 3 to 5 in the others."""
    rows = [
        {"player": f"p{k}", "data": data, "round": r, "score": (k * 7 + r * 3) % 11}
        for data in ("a", "b")
        for k in range(6)
        for r in range(8)
        if data == "a" or (k < 3) == (r < 4)
    ]
    season = rate_each(
        pl.DataFrame(rows),
        tournament="data",
        higher_is_better=True,
        components="separate",
        details=False,
    )
    assert season.figures.boxes(by="tournament").caption.endswith(
        "In 'b' there are components that never met; their EPP have scales of their own."
    )


def test_a_season_without_tournaments_has_no_figures() -> None:
    for name in SEASON_FIGURES:
        with pytest.raises(WinoddsError) as caught:
            getattr(Season({}).figures, name)()
        assert str(caught.value) == (
            f"There is no figure '{name}' here: the season has no tournaments."
        )


@pytest.mark.parametrize("name", SEASON_FIGURES)
def test_orders_begin_with_one(name: str) -> None:
    """And have no gaps, and say so."""
    for season in (SEASON, GAPPED)[name == "fill_in" :]:
        figure = getattr(season.figures, name)()
        for column in (column for column in figure.columns if column.endswith("_order")):
            places = sorted(set(figure.cells[column]))
            assert places == list(range(1, len(places) + 1)), column
            assert "1 is the first" in figure.columns[column].help
    assert min(GAPPED.figures.matrix(first=6).cells["player_order"]) == 6


@pytest.mark.parametrize("name", OF_RATINGS)
def test_what_is_left_out_is_a_part_of_the_caption(name: str) -> None:
    season = simulate_season(number_names(130), 4, gaps=0.1, rounds=3)
    cut = Season.from_json(render_json(season, top=100))
    asked: dict[str, dict[str, Any]] = {"boxes": {"by": "player"}, "biplot": {"top": 5}}
    arguments = asked.get(name, {})
    figure = getattr(cut.figures, name)(**arguments)
    assert figure.left_out
    assert figure.left_out in figure.caption
    assert len(figure.left_out) < len(figure.caption)
    if name != "fill_in":
        assert figure.left_out.endswith("there may be only the first players.")


# Chances ------------------------------------------------------------------------------------------


def test_a_player_on_a_new_data_set_is_that_of_the_comparisons() -> None:
    figure = SEASON.figures.new_data_set()
    leader, *others = SEASON.matrix().players
    assert figure.facts["player"] == leader
    assert figure.title == f"{leader} on a new data set"
    assert figure.cells["player"] == others
    for row in figure.rows:
        pair = SEASON.compare(leader, row["player"])
        wins, new = pair.p_win_round, pair.p_win_new
        told = {
            "p_win_round": wins.value,
            "low": wins.low,
            "start": wins.low,
            "high": wins.high,
            "stop": wins.high,
            "new_low": new.low,
            "new_high": new.high,
            "p_better": pair.p_better,
            "tau": pair.tau,
            "shared": 4,
            "separated": 0,
        }
        assert {key: row[key] for key in told} == pytest.approx(told, abs=1e-9)
    assert figure.rows[0]["text"] == "57%"
    assert figure.left_out == (
        "19 of 19 pairs rest on fewer than 5 tournaments; what is said of a new one rests there "
        "mostly on how other pairs vary."
    )


def test_any_player_may_be_laid_against_the_others_page_by_page() -> None:
    figure = SEASON.figures.new_data_set(player="random_forest(default)", first=3, top=2, level=0.9)
    others = [name for name in SEASON.matrix().players if name != "random_forest(default)"]
    assert figure.cells["player"] == others[2:4]
    assert figure.cells["player_order"] == [3, 4]
    assert figure.left_out.startswith("Others 3 to 4 of 19 by mean EPP. ")
    narrow = SEASON.compare("random_forest(default)", others[2], level=0.9).p_win_round
    assert figure.rows[0]["low"] == pytest.approx(narrow.low, abs=1e-9)
    assert "thin lines hold P(win) on 90% of new ones" in figure.caption
    with pytest.raises(UnknownPlayer):
        SEASON.figures.new_data_set(player="random_forest(defualt)")


def test_families_meet_by_picks_of_other_rounds_over_all_and_shrunken_in_one() -> None:
    found = SEASON.families()
    over_all, alone = (
        SEASON.figures.family_matrix(),
        SEASON.figures.family_matrix(tournament="wine"),
    )
    for row, own in zip(over_all.rows, alone.rows, strict=True):
        a, b = row["family"], row["opponent"]
        assert (a, b) == (own["family"], own["opponent"])
        if a == b:
            assert row["probability"] is own["probability"] is row["text"] is None
            continue
        mean, chance = found.pair(a, b).p_win, found.chance("wine", a, b)
        assert chance is not None
        assert (row["probability"], row["low"], row["high"]) == (mean.value, mean.low, mean.high)
        assert (own["probability"], own["low"]) == (chance.shrunken, chance.low)
        assert own["open"] == chance.separated
    assert over_all.cells["family"][::4] == list(found.families)
    assert over_all.title == "Which family's best beats which"
    assert alone.title == "Which family's best beats which in wine"
    with pytest.raises(WinoddsError) as caught:
        SEASON.figures.family_matrix(tournament="whine")
    assert str(caught.value) == (
        "tournament=\"whine\" is not possible; the data sets are 'breast_cancer', 'digits', "
        "'heart', 'wine'."
    )


def won_by_one_family() -> Season:
    """The players of "a" win every round of all tournaments against those of "b"."""
    rng = np.random.default_rng(4)
    rows = [
        {
            "player": f"{family}{k}",
            "family": family,
            "data": f"t{t}",
            "round": r,
            "score": base + rng.random(),
        }
        for t in range(3)
        for r in range(30)
        for family, base in (("a", 2.0), ("b", 0.0))
        for k in range(2)
    ]
    return rate_each(
        pl.DataFrame(rows), tournament="data", family="family", higher_is_better=True, details=False
    )


def test_a_family_that_won_everything_has_an_open_chance_and_never_all_of_it() -> None:
    season = won_by_one_family()
    for tournament in (None, "t0"):
        figure = season.figures.family_matrix(tournament=tournament)
        cells = {(row["family"], row["opponent"]): row for row in figure.rows}
        won, lost = cells["a", "b"], cells["b", "a"]
        assert (won["open"], lost["open"]) == (True, True)
        assert re.fullmatch(r">9\d ∞", won["text"])
        assert re.fullmatch(r"<\d ∞", lost["text"])
        assert 0.9 < won["probability"] < 1.0
        assert figure.left_out == (
            "Where one side won everything, ∞ says that nobody knows how far apart the two are."
        )


def test_what_tuning_gains_is_told_in_three_ways() -> None:
    found = SEASON.tunability(default="(default)")
    figure = SEASON.figures.tunability(default="(default)", top=3)
    for row, one in zip(figure.rows, found.families, strict=False):
        assert row["family"] == one.family
        assert (row["held_out"], row["low"], row["high"]) == (
            *(one.p_win.value, one.p_win.low, one.p_win.high),
        )
        assert (row["plug_in"], row["shrunken"]) == (one.plug_in, one.shrunken)
        assert row["recommended"] == one.recommended
    assert figure.facts["axis"] == "P(best setting beats the default)"
    assert figure.left_out == "The first 3 of 4 families by their gain."
    by_median = SEASON.figures.tunability()
    assert by_median.facts["axis"] == "P(best setting beats the median setting)"


def test_families_without_a_default_are_named() -> None:
    chosen = {"random_forest": "random_forest(default)", "knn": "knn(default)"}
    figure = SEASON.figures.tunability(default=chosen)
    assert sorted(figure.cells["family"]) == ["knn", "random_forest"]
    assert figure.left_out == (
        "Without a default, and left out: 'gradient_boosting', 'logistic_regression'."
    )


@pytest.mark.parametrize("name", ["family_matrix", "tunability"])
def test_without_families_there_is_nothing_of_families(name: str) -> None:
    table = load_results()
    season = rate_each(table, player="model", round="split", score="auc", tournament="dataset")
    with pytest.raises(NoFigure) as caught:
        getattr(season.figures, name)()
    assert str(caught.value) == (
        f"There is no figure '{name}' here: the models have no families; rate with a column of "
        f"them as family."
    )


@pytest.mark.parametrize("name", OF_CHANCES)
def test_chances_need_whole_boards(name: str) -> None:
    cut = Season.from_json(render_json(SEASON, top=5))
    with pytest.raises(NoEvidence):
        getattr(cut.figures, name)()


# Charts -------------------------------------------------------------------------------------------

SVG = "{http://www.w3.org/2000/svg}"
SPREAD = simulate_season(HOSTILE, 5, gaps=0.2, rounds=4)


def texts_of(svg: str) -> list[str]:
    """All words of a picture that is well-formed."""
    return [node.text or "" for node in ElementTree.fromstring(svg).iter(f"{SVG}text")]


@pytest.mark.parametrize("name", OF_RATINGS)
def test_a_chart_writes_names_as_they_are(name: str) -> None:
    from winodds.show.charts.save import draw_svg

    options = {"boxes": {"by": "player"}}.get(name, {})
    texts = texts_of(draw_svg(getattr(SPREAD.plot, name)(**options)))
    figure = getattr(SPREAD.figures, name)(**options)
    assert figure.title in texts
    for player in HOSTILE[:5]:
        assert player in texts
    assert not any("undefined" in text or "NaN" in text for text in texts)


@pytest.mark.parametrize("name", OF_CHANCES)
def test_a_chart_of_chances_writes_names_as_they_are(name: str) -> None:
    """Players are families, too, each with a twin."""
    from winodds.show.charts.save import draw_svg

    rng = np.random.default_rng(5)
    rows = [
        {"player": player, "family": who, "data": f"t{t}", "round": r, "score": rng.random()}
        for t in range(3)
        for r in range(4)
        for who in HOSTILE
        for player in (who, f"{who}'")
    ]
    season = rate_each(
        pl.DataFrame(rows), tournament="data", family="family", higher_is_better=True, details=False
    )
    texts = texts_of(draw_svg(getattr(season.plot, name)()))
    figure = getattr(season.figures, name)()
    assert figure.title in texts
    hidden = figure.facts.get("player")
    assert {who for who in HOSTILE[:5] if who != hidden} <= set(texts)
    assert set(figure.facts["labels"].values()) <= set(texts)
    if name == "family_matrix":
        assert {text for text in figure.cells["text"] if text is not None} <= set(texts)
    if name == "new_data_set":
        assert set(figure.cells["text"]) <= set(texts)
    assert not any("undefined" in text or "NaN" in text for text in texts)


@pytest.mark.parametrize("name", SEASON_FIGURES)
def test_a_dark_chart_has_the_colours_of_the_dark_theme_only(name: str) -> None:
    from winodds.show.charts.save import spec_of
    from winodds.show.charts.theme import DARK

    spec = dict(spec_of(getattr(SPREAD.plot, name)(), "dark"))
    assert set(re.findall(r"#[0-9a-f]{6}\b", json.dumps(spec))) <= set(asdict(DARK).values())


def test_names_that_look_the_same_keep_their_own_bars() -> None:
    """Long names are cut where they differ."""
    from winodds.show.charts.save import draw_svg

    texts = texts_of(draw_svg(SPREAD.plot.boxes(by="player")))
    cut = [text for text in texts if text.startswith("long ")]
    assert len(cut) == len(set(cut)) == 2


def test_open_ends_are_arrows_at_the_edge() -> None:
    figure = SPREAD.figures.settings()
    opened = [row for row in figure.rows if row["low"] is None]
    assert opened
    low, _ = figure.facts["domain"]
    assert {row["start"] for row in opened} == {low}
    spec = json.dumps(SPREAD.plot.settings().to_dict())
    assert '"triangle-left"' in spec
    closed = SEASON.plot.settings(family="knn").to_dict()
    assert '"triangle-left"' not in json.dumps(closed)


def test_panels_are_named_after_their_tournaments() -> None:
    from winodds.show.charts.save import draw_svg

    texts = texts_of(draw_svg(SEASON.plot.boxes()))
    assert [text for text in texts if text in SEASON] == list(SEASON)
    alone = SEASON.plot.boxes(by="player").to_dict()
    assert "concat" not in alone
    assert alone["title"]["text"] == "EPP by model"


def test_tournaments_with_hostile_names_are_written_as_they_are() -> None:
    from winodds.show.charts.save import draw_svg

    names = dict(zip(SEASON, HOSTILE[1:], strict=False))
    season = Season({names[name]: board for name, board in SEASON.items()})
    for name in ("boxes", "settings", "matrix", "biplot"):
        texts = texts_of(draw_svg(getattr(season.plot, name)()))
        assert set(HOSTILE[1:5]) <= set(texts)


def test_a_chart_is_described_for_those_who_cannot_see_it() -> None:
    figure = SEASON.figures.matrix()
    described = SEASON.plot.matrix().to_dict()["description"]
    assert described == f"{figure.title}. {figure.caption}"
