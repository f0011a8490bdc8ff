"""How many bytes the report's page takes, and what they keep."""

import base64
import gzip
import json
import re

import pytest

from show.browser.pages import make_table
from winodds import Season, rate_each
from winodds.show.report.contents import DIGITS, describe_report
from winodds.show.report.data import FiguresData, PageData
from winodds.show.report.drawings import _fit_in
from winodds.show.report.page import write_data

BYTES_OF_A_ROW = 125
"""Of a large board of 20 rounds, scores and all; it was 470."""


@pytest.fixture(scope="module")
def season() -> Season:
    table = make_table(600, 20, tournaments=4, spread=2.0)
    return rate_each(
        table, player="model", round="fold", score="score", tournament="data", higher_is_better=True
    )


def describe(season: Season) -> PageData:
    nothing = FiguresData({}, "")
    return describe_report(season, title="a", figures=[nothing] * len(season), season=nothing)


def test_a_row_of_a_large_board_takes_few_bytes(season: Season) -> None:
    block = write_data(describe(season))
    assert block.type == "application/gzip"
    assert len(block.text) < BYTES_OF_A_ROW * sum(map(len, season.values()))


def test_names_stand_in_the_page_once(season: Season) -> None:
    data = describe(season)
    assert data.names == tuple(sorted(f"model {k}" for k in range(600)))
    for board, own in zip(season.values(), data.boards, strict=True):
        assert [data.names[place] for place in own.columns["player"]] == list(board.players)


def test_numbers_of_a_large_board_keep_nine_digits_and_say_so(season: Season) -> None:
    board, own = season["set 0"], describe(season).boards[0]
    for column in ("epp", "se", "low", "high", "p_average", "mean_score"):
        wanted = board.columns()[column]
        assert own.columns[column] == pytest.approx(wanted, rel=0.5 * 10.0 ** (1 - DIGITS), abs=0)
        assert max(len(f"{cell:.17g}".lstrip("-0.").replace(".", "")) for cell in wanted) > DIGITS
    assert dict(own.how.facts)["Digits"] == (
        "9 significant ones on this page and in what it saves; the formats csv and json of winodds "
        "rate have all"
    )


def test_a_board_that_can_be_rated_anew_keeps_every_digit() -> None:
    few = rate_each(
        make_table(20, 6, tournaments=2),
        player="model",
        round="fold",
        score="score",
        tournament="data",
        higher_is_better=True,
    )
    data = describe(few)
    assert write_data(data).type == "application/json"
    for board, own in zip(few.values(), data.boards, strict=True):
        assert list(own.columns["epp"]) == board.columns()["epp"]
        assert "Digits" not in dict(own.how.facts)


def test_compressed_data_are_the_same_json_and_know_no_time(
    season: Season, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = describe(season)
    packed = base64.b64decode(write_data(data).text)
    # Bytes 4 to 7 of gzip are the time at which it was made.
    assert packed[4:8] == bytes(4)
    monkeypatch.setattr("winodds.show.report.page.MOST_PLAIN", 10**9)
    assert gzip.decompress(packed).decode() == write_data(data).text
    assert json.loads(write_data(data).text)["title"] == "a"


def test_drawings_are_short_and_names_in_them_stay() -> None:
    name = 'x font-family="Arial" opacity="1" 0.123456'
    drawn = (
        '<svg width="10"><path d="M1.23456789,-0.00001h21.33333333" opacity="1" '
        f'fill-opacity="0.31060321"/><text font-family="Arial" x="1e-7">{name}</text></svg>'
    )
    assert _fit_in(drawn, "own", "title") == (
        '<svg role="img" aria-label="title" font-family="Arial" width="10">'
        f'<path d="M1.235,-0h21.333" fill-opacity="0.311"/><text x="1e-7">{name}</text></svg>'
    )
    two = '<svg><text font-family="a">1</text><text font-family="b">2</text></svg>'
    assert re.findall('font-family="(.)"', _fit_in(two, "own", "title")) == ["a", "b"]
