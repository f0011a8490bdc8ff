"""Every result prints as words, is shown in notebooks, and goes into READMEs and papers."""

import polars as pl
import pytest
from tables import three_by_three

import winodds
from winodds import Leaderboard, Season
from winodds.demo import rate_results
from winodds.show.layout.results import document_of
from winodds.show.present import Presented


@pytest.fixture(scope="module")
def season() -> Season:
    return rate_results()


@pytest.fixture(scope="module")
def wine(season: Season) -> Leaderboard:
    return season["wine"]


def test_a_board_has_rows_by_name(wine: Leaderboard) -> None:
    assert wine["random_forest(default)"] == wine.row("random_forest(default)")
    with pytest.raises(winodds.errors.UnknownPlayer):
        wine["random_forest"]


def test_a_board_is_a_data_frame_of_either_library(wine: Leaderboard, season: Season) -> None:
    assert wine.to_polars().equals(wine.frame("polars"))
    assert wine.to_pandas()["player"].tolist() == list(wine.players)
    assert season.to_pandas().shape == season.to_polars().shape == (80, 19)


def test_a_board_is_copied_as_the_command_writes_it(wine: Leaderboard) -> None:
    markdown, latex = wine.to_markdown(top=2), wine.to_latex(top=2)
    assert markdown.startswith("### wine\n\n20 models, 20 splits, 3,800 matches; higher auc is")
    assert "| 1 | random\\_forest(default) | 1.31 | 0.92 … 1.63 | 79% |" in markdown
    assert "… and 18 more models" in markdown
    assert latex.startswith("% Needs \\usepackage{booktabs} in the preamble.\n")
    assert latex.count(r"\\") == 3


def test_a_season_prints_who_leads(season: Season) -> None:
    lines = str(season).splitlines()
    assert lines[0].startswith("All together: 20 models, 4 data sets, 80 splits, 15,200 matches")
    start = lines.index("Each by itself")
    assert lines[start + 2 :] == [
        "Of 4 data sets, random_forest(default) is rated first on 2, logistic_regression(default) "
        "on 1 and logistic_regression(C=0.16) on 1.",
        "",
        "data set       rated first                   beats the next  splits",
        "-------------  ----------------------------  --------------  ------",
        "breast_cancer  logistic_regression(default)  50% (40 to 61)      20",
        "digits         random_forest(default)        51% (41 to 61)      20",
        "heart          logistic_regression(C=0.16)   69% (47 to 85)      20",
        "wine           random_forest(default)        60% (51 to 67)      20",
    ]


def test_a_season_in_a_notebook_has_a_table_of_all_and_one_of_each(season: Season) -> None:
    html = season._repr_html_()
    assert html.count("<table>") == 2
    assert html.index("All together: 20 models") < html.index("Each by itself")
    assert html.count("<img") == 20


def test_notes_of_all_boards_are_told_once() -> None:
    rounds = three_by_three().with_columns(tournament=pl.lit("x"))
    two = pl.concat([rounds, rounds.with_columns(tournament=pl.lit("y"))])
    text = str(winodds.rate_each(two, higher_is_better=True))
    assert text.count("rest on only 3 rounds; below about 10 they are rough") == 1


def test_quality_says_whether_ratings_explain_the_wins(wine: Leaderboard) -> None:
    text = " ".join(str(wine.quality()).split())
    assert "the ratings do not explain all of who beats whom." in text
    assert "favourite wins" in text


def test_every_result_is_shown_in_a_notebook(season: Season, wine: Leaderboard) -> None:
    a, b = wine.players[:2]
    found: list[tuple[Presented, str]] = [
        (season, "random_forest(default) is rated first on 2"),
        (wine.compare(a, b), "random_forest(default) won 8, lost 2 and tied 10 of"),
        (wine.compare(), "pairs are told apart"),
        (wine.quality(), "Where the ratings fit worst:"),
        (wine.sota(), "partly by luck"),
        (wine.gate(a, b), "<p>Cannot tell:"),
        (season.compare(a, b), "On a new data set"),
        (winodds.estimate_sota([0.9, 0.8, 0.7], n=100), "<p>The best of 3 entries scored"),
    ]
    for one, words in found:
        html = one._repr_html_()
        assert words in html, type(one)
        assert html.count("<p>") == html.count("</p>")


def test_what_is_no_result_has_no_document() -> None:
    with pytest.raises(TypeError):
        document_of(3)
