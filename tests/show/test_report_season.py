"""What a season tells as a part of the report's page, without a browser."""

import numpy as np
import polars as pl
import pytest

from winodds import Season, rate_each
from winodds.demo import rate_results
from winodds.show.report.page import render_report
from winodds.show.report.season import LINKED, ROWS_SHOWN, SeasonPart, SeasonTable, lay_out


def simulate(players: int, tournaments: int) -> Season:
    rng = np.random.default_rng(3)
    strength = np.linspace(1.0, -1.0, players)
    rows = [
        {
            "player": f"p{k:03}",
            "family": f"f{k // 2:03}",
            "data": f"d{t:03}",
            "round": r,
            "score": s,
        }
        for t in range(tournaments)
        for r in range(3)
        for k, s in enumerate((strength + rng.normal(size=players)).tolist())
    ]
    return rate_each(
        pl.DataFrame(rows), tournament="data", family="family", higher_is_better=True, details=False
    )


@pytest.fixture(scope="module")
def many() -> list[SeasonPart]:
    """44 players of 22 families on 21 data sets."""
    return lay_out(simulate(44, 21).findings())


def table_of(parts: list[SeasonPart], title: str | None) -> SeasonTable:
    [part] = [part for part in parts if part.title == title]
    return part.tables[0]


@pytest.mark.parametrize(
    ("title", "rest"),
    [
        (None, "… and 24 more players"),
        ("On a new data set", "… and 23 more players"),
        ("The best of each family", "… and 2 more families"),
        ("Tuning", "… and 2 more families"),
    ],
)
def test_tables_are_cut_and_say_so(many: list[SeasonPart], title: str | None, rest: str) -> None:
    table = table_of(many, title)
    assert (len(table.rows), table.rest) == (ROWS_SHOWN, rest)


def test_every_data_set_has_a_line_from_which_its_board_opens(many: list[SeasonPart]) -> None:
    table = table_of(many, "Data sets")
    links = [(row[0].text, row[0].address) for row in table.rows]
    assert links == [(f"d{k:03}", f"tournament=d{k:03}") for k in range(21)]
    assert table.rest == ""
    assert LINKED > 21 > ROWS_SHOWN


def test_names_of_players_are_no_links(many: list[SeasonPart]) -> None:
    heads = [cell.text for cell in table_of(many, None).header]
    linked = [[cell.address is not None for cell in row] for row in table_of(many, None).rows]
    assert linked == [[head in ("best on", "worst on") for head in heads]] * ROWS_SHOWN


@pytest.mark.usefixtures("few_draws", "drawn_once")
def test_findings_that_are_known_are_shown_as_they_are() -> None:
    season = rate_results(family="family")
    page = render_report(season, findings=season.findings(default="(default)"))
    assert "its best setting beats its default" in page
    assert "its best setting beats its median setting" not in page


def test_a_season_of_one_board_tells_nothing_more_than_the_board() -> None:
    alone = Season({"wine": rate_results()["wine"]})
    assert '<section id="season"' not in render_report(alone)
