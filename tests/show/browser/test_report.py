"""The report in a real browser: what it shows, what readers can do and what attackers cannot."""

import base64
import csv
import gzip
import io
import json
import re
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from xml.etree import ElementTree

import cmarkgfm
import polars as pl
import pytest
from axe_playwright_python.base import AXE_FILE_PATH
from playwright.sync_api import Browser, BrowserContext, Download, Locator, Page, expect

from show.browser.conftest import Watched, watch
from show.browser.pages import (
    TABLES,
    hostile_names,
    make_board,
    make_table,
    page_text,
    rate,
    write_page,
)
from winodds import Leaderboard, Season, rate_battles, rate_each
from winodds.board.notes import OF_CHANCES
from winodds.board.row import COLUMNS
from winodds.show.formats.latex import escape_latex, render_latex
from winodds.show.formats.markdown import escape_markdown, render_markdown
from winodds.show.layout.cells import percent
from winodds.show.layout.documents import board_document
from winodds.show.layout.grid import make_grid
from winodds.show.report.season import lay_out
from winodds.show.words.board import describe_duel
from winodds.show.words.elo import to_elo

EXACT = 1e-12
CLOSE = 1e-6
NUMBERS = ("epp", "se", "low", "high", "p_average")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


Open = Callable[..., Watched]


@pytest.fixture
def open_page(context: BrowserContext, folder: Path) -> Open:
    """Opens the report of a board by name, perhaps with an address."""

    def opens(name: str, address: str = "") -> Watched:
        seen = watch(context.new_page())
        seen.page.goto(f"{write_page(name, folder).as_uri()}{address}")
        ready(seen.page)
        return seen

    return opens


def link(board: Leaderboard, **chosen: Any) -> str:
    """An address of the page; numbers of players, alone or several, become names."""

    def words(value: Any) -> Any:
        if isinstance(value, int):
            return board.players[value]
        return [words(one) for one in value] if isinstance(value, tuple) else value

    named = {key.replace("_", "-"): words(value) for key, value in chosen.items()}
    return f"#{urlencode(named, doseq=True)}"


def ready(page: Page) -> None:
    """Wait until the page shows what its address asks for."""
    expect(page.locator("body[data-ready=true][data-busy=false]")).to_be_attached()


def board_of(name: str) -> Leaderboard:
    found = make_board(name)
    return found["breast_cancer"] if isinstance(found, Season) else found


def cells(page: Page, column: str) -> list[str]:
    """What the leaderboard shows in a column, by its heading."""
    heads = page.locator("#board-table thead th").all_inner_texts()
    place = [re.sub(r"[ ▲▼]+$", "", head.strip()) for head in heads].index(column)
    found: list[str] = page.evaluate(
        "place => [...document.querySelectorAll('#board-table tbody tr:not(.off)')]"
        ".map(row => row.cells[place].innerText.trim())",
        place,
    )
    return found


def names(page: Page) -> list[str]:
    found = page.locator("#board-table tbody button.name").all_inner_texts()
    return list(found)


def save(page: Page, menu: Locator, format: str) -> str:
    """Choose a format in a download menu; what was saved."""
    menu.locator("summary").click()
    with page.expect_download() as waiting:
        menu.get_by_role("button", name=format, exact=True).click()
    page.keyboard.press("Escape")
    return text_of(waiting.value)


def text_of(download: Download) -> str:
    return Path(download.path()).read_text(encoding="utf-8")


def saved_rows(page: Page) -> dict[str, dict[str, str]]:
    """The leaderboard as its CSV has it, by player."""
    text = save(page, page.locator("[data-download=leaderboard]"), "CSV")
    return {row["player"]: row for row in csv.DictReader(io.StringIO(text))}


def number(cell: str) -> float | None:
    return float(cell) if cell else None


def switch(page: Page, kind: str, label: str) -> None:
    """Turn one of the switches of the panel."""
    panel = page.locator("#refit")
    if not panel.evaluate("own => own.open"):
        panel.locator("> summary").click()
    part = panel.locator(f'details[data-title="{kind}"]')
    if not part.evaluate("own => own.open"):
        part.locator("> summary").click()
    part.get_by_label(label, exact=True).click()


def settled(page: Page) -> None:
    """Wait until the page has computed."""
    expect(page.locator("body[data-busy=false]")).to_be_attached()


def assert_rows_equal(found: dict[str, dict[str, str]], board: Leaderboard, within: float) -> None:
    assert list(found) == list(board.players)
    for row in board:
        own = found[row.player]
        for name in NUMBERS:
            wanted = getattr(row, name)
            got = number(own[name])
            assert (got is None) == (wanted is None), (row.player, name)
            if got is not None:
                assert got == pytest.approx(wanted, abs=within), (row.player, name)
        for name in ("rank", "rank_low", "rank_high", "matches"):
            assert int(own[name]) == getattr(row, name), (row.player, name)
        assert own["letters"] == row.letters


# What it shows ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["demo", "battles", "large", "hostile"])
def test_the_page_asks_for_nothing_and_complains_about_nothing(
    open_page: Open, name: str, folder: Path
) -> None:
    seen = open_page(name, link(board_of(name), duel=(0, 1)))
    expect(seen.page.locator("#duel-found p").first).to_be_visible()
    own = (folder / f"{name}.html").as_uri()
    foreign = [url for url in seen.requests if not url.startswith((own, "blob:null/", "data:"))]
    assert (foreign, seen.complaints) == ([], [])


@pytest.mark.parametrize("name", [*TABLES, "demo", "referred"])
def test_the_page_shows_the_numbers_of_the_board(open_page: Open, name: str) -> None:
    page, board = open_page(name).page, board_of(name)
    grid = make_grid(board)
    for head, *column in zip(grid.header, *grid.rows, strict=True):
        if head in ("rank", "could be", "player", "EPP", "95% interval", "P(>avg)", "P(best)"):
            # The player whose rating is 0 has no interval to speak of.
            shown = ["–" if cell == "0.00 … 0.00" else cell for cell in column]
            assert cells(page, head) == shown, head
    assert_rows_equal(saved_rows(page), board, EXACT)


@pytest.fixture
def packed(folder: Path) -> Callable[[str], str]:
    """Writes the report of a board with its data compressed, however few; its address."""

    def write(name: str) -> str:
        text = page_text(name)
        data = re.escape('<script type="application/json" id="data">') + "(.*?)</script>"
        found = re.search(data, text, re.DOTALL)
        assert found is not None
        block = base64.b64encode(gzip.compress(found[1].encode())).decode()
        path = folder / "packed.html"
        before = f'{text[: found.start()]}<script type="application/gzip" id="data">{block}'
        path.write_text(f"{before}</script>{text[found.end() :]}", encoding="utf-8")
        return path.as_uri()

    return write


@pytest.mark.parametrize("name", ["complete", "hostile"])
def test_a_page_whose_data_are_compressed_is_the_same(
    context: BrowserContext, open_page: Open, packed: Callable[[str], str], name: str
) -> None:
    plain, seen = open_page(name).page, watch(context.new_page())
    seen.page.goto(packed(name))
    for page in (plain, seen.page):
        ready(page)
        page.locator("#board-table input[type=checkbox]").first.click()
        expect(page.locator("#refitted")).to_be_visible()
        settled(page)
    assert seen.page.locator("#data").get_attribute("type") == "application/gzip"
    for part in ("#answer", "#leaderboard", "#matrix", "#how"):
        assert seen.page.locator(part).inner_text() == plain.locator(part).inner_text()
    assert seen.complaints == []
    assert saved_rows(seen.page) == saved_rows(plain)


def test_a_browser_that_cannot_unpack_the_data_says_so(
    context: BrowserContext, packed: Callable[[str], str]
) -> None:
    context.add_init_script(script="delete globalThis.DecompressionStream;")
    page = context.new_page()
    page.goto(packed("complete"))
    expect(page.locator("#status")).to_have_text(
        "This browser does not show the page: DecompressionStream is not defined"
    )


def test_csv_of_a_large_board_has_nine_digits(open_page: Open) -> None:
    page, board = open_page("large").page, board_of("large")
    row, own = board.row(board.players[0]), saved_rows(page)[board.players[0]]
    assert [own["epp"], own["mean_score"]] == [f"{row.epp:.9g}", f"{row.mean_score:.9g}"]


def test_the_answer_and_the_doubts_are_the_boards(open_page: Open) -> None:
    page, board = open_page("pooled").page, board_of("pooled")
    said = page.locator("#sentences").inner_text()
    assert describe_duel(board, *board.players[:2]) in said
    assert page.locator("#notes li").all_inner_texts() == [note.text for note in board.notes]


def test_json_of_the_page_is_the_boards(open_page: Open) -> None:
    page, board = open_page("missing").page, board_of("missing")
    saved = json.loads(save(page, page.locator("[data-download=leaderboard]"), "JSON"))
    wanted = json.loads(board.to_json())["players"]
    for own, row in zip(saved, wanted, strict=True):
        assert own["player"] == row["player"]
        assert own["epp"] == row["epp"]
        assert (own["low"], own["high"]) == (row["low"], row["high"])
        assert own["p_best"] == row["p_best"]


def test_open_ends_are_arrows_and_infinite(open_page: Open) -> None:
    page, board = open_page("separated").page, board_of("separated")
    ends = sum((row.low is None) + (row.high is None) for row in board)
    assert ends > 0
    assert page.locator("#board-table .tip").count() == ends
    assert sum(cell.count("∞") for cell in cells(page, "95% interval")) == ends


def test_how_it_was_computed_names_versions_and_fingerprint(open_page: Open) -> None:
    page = open_page("complete").page
    said = page.locator("#how-found").inner_text()
    assert re.search(r"SHA-256 of what was rated\s+[0-9a-f]{64}", said)
    assert "Winodds" in said
    assert "numpy" in said
    assert "winodds.rate(" in said


def test_gaps_are_counted_and_named(open_page: Open) -> None:
    board = board_of("missing")
    page = open_page("missing").page
    said = page.locator("#gaps-found").inner_text()
    scores = sum(row.rounds or 0 for row in board)
    pairs = len(board) * (board.how.matches.rounds or 0)
    assert f"{pairs - scores} of {pairs} model–fold pairs" in said
    fewest = min(row.rounds or 0 for row in board)
    first = (
        page.locator("#gaps-found table").first.locator("tbody tr").first.inner_text().split("\t")
    )
    assert first[1] == str(fewest)


def test_a_season_shows_each_of_its_boards(open_page: Open) -> None:
    page, season = open_page("demo").page, make_board("demo")
    assert isinstance(season, Season)
    for name, board in season.items():
        page.locator("#board").select_option(label=name)
        expect(page.locator("#headline")).to_contain_text(f"{name}: ")
        assert names(page) == list(board.players)
        for choice in ("reference", "duel-a", "duel-b"):
            offered = page.locator(f"#{choice} option").all_text_contents()
            assert [text for text in offered if text != "the average model"] == names(page)


# What readers can do ------------------------------------------------------------------------------


def test_a_duel_by_mouse_says_what_python_says(open_page: Open) -> None:
    page, board = open_page("demo").page, board_of("demo")
    first, second = board.players[3], board.players[8]
    page.get_by_role("button", name=first, exact=True).click()
    page.get_by_role("button", name=second, exact=True).click()
    a, b = page.evaluate(
        "() => ['duel-a', 'duel-b'].map(id => document.getElementById(id).selectedOptions[0].text)"
    )
    assert {a, b} == {first, second}
    expect(page.locator("#duel-found .lead")).to_have_text(describe_duel(board, a, b))
    expect(page.locator("#duel-bar")).to_be_visible()
    expect(page.locator("#duel-short")).to_have_text(describe_duel(board, a, b))


@pytest.mark.parametrize("name", [*TABLES, "battles", "demo"])
def test_a_duel_gives_the_record_and_the_test_of_python(open_page: Open, name: str) -> None:
    board = board_of(name)
    page = open_page(name, link(board, duel=(0, 3))).page
    a, b = board.players[0], board.players[3]
    found = board.compare(a, b)
    box = page.locator("#duel-found")
    expect(box.locator(".lead")).to_have_text(describe_duel(board, a, b))
    record = found.rounds
    said = box.inner_text()
    assert f"won {record.won}" in said
    first = found.record is not None and found.record.leads
    assert (f"lost {record.lost}" in said) or (first and not record.tied)
    assert (f"tied {record.tied}" in said) == bool(record.tied)
    p = found.tested.p_value
    words = "p < 0.001" if p < 0.001 else f"p = {p:.3f}" if p < 0.0995 else f"p = {p:.2f}"
    assert words in said


VERDICTS = {
    "complete": {(True, True), (True, False), (False, False)},
    "ties": {(True, True), (True, False), (False, False)},
    "battles": {(True, True), (True, False), (False, False)},
}
"""Whether pairs are told apart alone and among all, as they occur on a board."""


@pytest.mark.parametrize("name", VERDICTS)
def test_a_duel_says_what_holds_among_all_pairs(open_page: Open, name: str) -> None:
    board = board_of(name)
    page = open_page(name).page
    said = page.locator("#duel-found")
    pairs = f"Among all {len(board) * (len(board) - 1) // 2} pairs of the board"
    verdicts = set()
    for a, b in combinations(range(len(board)), 2):
        page.locator("#duel-a").select_option(str(a))
        page.locator("#duel-b").select_option(str(b))
        found = board.compare(board.players[a], board.players[b])
        if abs(found.difference.value) < 1e-9:
            continue
        expect(said.locator(".lead")).to_have_text(describe_duel(board, found.a, found.b))
        verdict = (found.told_apart, found.told_apart_among_all)
        verdicts.add(verdict)
        if verdict == (True, True):
            expect(said).to_contain_text(f"{pairs} the data tell them apart, too.")
        elif found.told_apart:
            expect(said).to_contain_text(
                f"Taken alone, the data tell them apart: {found.a} is better than {found.b}. "
                f"{pairs} they do not."
            )
        else:
            expect(said.locator(".lead")).to_contain_text("; the data cannot tell them apart.")
            expect(said).not_to_contain_text("Among all")
    assert verdicts == VERDICTS[name]
    signs = found.tested.by == "signs"
    basis = "Test by the signs of folds" if signs else "Wald test (cluster-robust)"
    expect(said).to_contain_text(basis)


def test_players_with_equal_scores_are_identical_and_equal_ratings_are_equal(
    context: BrowserContext, folder: Path
) -> None:
    table = make_table(4, 8, seed=3)
    copy = table.filter(model="model 1").with_columns(model=pl.lit("copy"))
    mirror = pl.DataFrame(
        {"model": ["x", "y"] * 8, "data": "set 0", "fold": [k for k in range(8) for _ in "xy"]}
    ).with_columns(
        score=pl.when((pl.col("fold") % 2 == 0) == (pl.col("model") == "x")).then(9).otherwise(8)
    )
    board = rate(pl.concat([table, copy, mirror], how="vertical_relaxed"))
    page = context.new_page()
    address = board.report(folder / "copies.html").as_uri()
    page.goto(f"{address}#duel=copy&duel=model+1")
    ready(page)
    found = page.locator("#duel-found")
    expect(found).to_have_text(
        "copy and model 1 are identical: they have the same score in every fold in which either "
        "took part, and nothing in the data tells them apart."
    )
    page.locator("#duel-a").select_option(label="x")
    page.locator("#duel-b").select_option(label="y")
    expect(found.locator(".lead")).to_have_text("x and y are rated equal.")
    expect(found).to_contain_text(
        "x won 4 and lost 4 of their 8 folds (for the pair itself, 95% interval 18 to 82 of 100)."
    )


def test_records_come_first_and_are_rounded_as_in_python(
    context: BrowserContext, folder: Path
) -> None:
    """Three players in a circle, rated equal, and one who wins all."""
    scores = {"x": [3, 1, 2], "y": [2, 3, 1], "z": [1, 2, 3], "best": [9, 9, 9]}
    rows = [(name, "set 0", k, own[k % 3]) for name, own in scores.items() for k in range(48)]
    board = rate(pl.DataFrame(rows, ["model", "data", "fold", "score"], orient="row"))
    page = context.new_page()
    page.goto(f"{board.report(folder / 'circle.html').as_uri()}#duel=x&duel=y")
    ready(page)
    found = page.locator("#duel-found")
    expect(found.locator(".lead")).to_have_text(
        "x won 32 of 48 folds against y (95% interval 52 to 79 of 100 new folds); by their "
        "ratings they are level, 50 of 100; the data cannot tell their ratings apart."
    )
    assert describe_duel(board, "x", "y") == found.locator(".lead").inner_text()
    expect(found).to_contain_text(
        "Ratings do not explain the record of this pair, so it comes first."
    )
    page.locator("#duel-a").select_option(label="best")
    expect(found.locator(".lead")).to_have_text(
        "best won 48 of 48 folds against y (95% interval 92 to 100 of 100 new folds); by their "
        "ratings more than 99 of 100."
    )
    assert describe_duel(board, "best", "y") == found.locator(".lead").inner_text()


def test_an_open_gap_has_no_certain_odds(open_page: Open) -> None:
    board = board_of("separated")
    page = open_page("separated").page
    odds = page.locator("#duel-found dt:text-is('Odds') + dd")
    seen = set()
    for a, b in ((0, 5), (5, 0), (0, 1), (1, 0), (2, 4)):
        page.locator("#duel-a").select_option(str(a))
        page.locator("#duel-b").select_option(str(b))
        first, second = board.players[a], board.players[b]
        expect(page.locator("#duel-found .lead")).to_have_text(describe_duel(board, first, second))
        low, high = (getattr(board.difference(first, second), end) for end in ("low", "high"))
        assert (low is None) or (high is None)
        start = (
            "more than" if (low or -1) > 0 else "less than 1 to" if (high or 1) < 0 else "not known"
        )
        assert odds.inner_text().startswith(start)
        seen.add(start)
    assert len(seen) == 3


def test_an_interval_agrees_with_the_test(open_page: Open) -> None:
    moved = 0
    for name in ("complete", "missing", "ties"):
        board = board_of(name)
        for a, b in combinations(range(len(board)), 2):
            found = board.compare(board.players[a], board.players[b])
            ends = (found.difference.low, found.difference.high)
            if 0.0 not in ends:
                continue
            page = open_page(name, link(board, duel=(a, b))).page
            low, high = ("∞" if end is None else f"{end:.2f}" for end in ends)
            expect(page.locator("#duel-found")).to_contain_text(f"{low} … {high}")
            moved += 1
    assert moved


def test_duel_and_filters_work_by_keyboard_alone(open_page: Open) -> None:
    page, board = open_page("complete").page, board_of("complete")
    page.locator("#search").focus()
    page.keyboard.type("model 1")
    assert names(page) == [name for name in board.players if "model 1" in name]
    page.keyboard.press("Control+A")
    page.keyboard.press("Delete")
    page.get_by_role("button", name=board.players[2], exact=True).focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name=board.players[5], exact=True).focus()
    page.keyboard.press("Space")
    expect(page.locator("#duel-found .lead")).to_contain_text(board.players[2])
    expect(page.locator("#duel-found .lead")).to_contain_text(board.players[5])
    heading = page.locator('button[data-sort="player"]')
    heading.focus()
    page.keyboard.press("Enter")
    assert names(page) == sorted(board.players)
    expect(page.locator('button[data-sort="player"]')).to_be_focused()
    page.keyboard.press("Enter")
    assert names(page) == sorted(board.players, reverse=True)


def test_nobody_duels_with_themselves(open_page: Open) -> None:
    page, board = open_page("complete").page, board_of("complete")
    first, second, third = board.players[:3]
    page.get_by_role("button", name=third, exact=True).click()
    page.locator("#duel-a").select_option(label=first)
    page.locator("#duel-b").select_option(label=second)
    page.get_by_role("button", name=third, exact=True).click()
    lead = page.locator("#duel-found .lead")
    expect(lead).to_contain_text(third)
    page.locator("#duel-a").select_option(label=second)
    page.locator("#duel-b").select_option(label=second)
    chosen = page.evaluate(
        "() => ['duel-a', 'duel-b'].map(id => document.getElementById(id).value)"
    )
    assert chosen[0] != chosen[1]


def test_the_keyboard_keeps_its_place(open_page: Open) -> None:
    page, board = open_page("complete").page, board_of("complete")
    place = board.players.index("model 3")
    box = page.locator(f'[data-focus="rate-{place}"]')
    box.focus()
    page.keyboard.press("Space")
    expect(page.locator("#refitted")).to_be_visible()
    settled(page)
    expect(box).to_be_focused()
    page.keyboard.press("Space")
    expect(page.locator("#refitted")).to_be_hidden()
    settled(page)
    expect(box).to_be_focused()
    page.locator(".matrix td[tabindex='0']").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#duel-found .lead")).to_be_visible()
    expect(page.locator(".matrix td:focus")).to_have_count(1)


def test_the_win_matrix_is_walked_with_arrow_keys(open_page: Open) -> None:
    page, board = open_page("complete").page, board_of("complete")
    page.locator(".matrix td[tabindex='0']").focus()
    for key in ("ArrowRight", "ArrowDown", "ArrowDown"):
        page.keyboard.press(key)
    focused = page.evaluate("() => document.activeElement.getAttribute('aria-label')")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert focused == f"{board.players[2]} against itself"
    expect(page.locator("#duel-found .lead")).to_have_text(
        describe_duel(board, board.players[2], board.players[3])
    )


def test_the_win_matrix_marks_records_that_ratings_do_not_explain(open_page: Open) -> None:
    for name in ("demo", "battles", "components"):
        board, page = board_of(name), open_page(name).page
        shown = range(min(len(board), 25))
        wanted = set()
        for i, j in combinations(shown, 2):
            a, b = board.players[i], board.players[j]
            record = board.record(a, b) if board.comparable(a, b) else None
            wanted |= {(i, j), (j, i)} if record is not None and record.differs else set()
        legend = page.locator("#matrix-legend")
        if wanted:
            pairs = "1 pair" if len(wanted) == 2 else f"{len(wanted) // 2} pairs"
            expect(legend).to_have_text(
                f"{pairs} with a corner: what the two did against each other is more than two "
                "standard errors from what their ratings say (one pair in 20 is, by chance alone)."
            )
        else:
            expect(legend).to_have_text(
                "No pair did anything else against each other than their ratings say."
            )
        marked = page.locator(".matrix .surprise").evaluate_all(
            "cells => cells.map(cell => cell.dataset.focus.split('-').slice(1).map(Number))"
        )
        assert {(i, j) for i, j in marked} == wanted


def test_the_win_matrix_is_pythons(open_page: Open) -> None:
    page, board = open_page("ties").page, board_of("ties")
    text = save(page, page.locator("[data-download=matrix]"), "CSV")
    header, *rows = csv.reader(io.StringIO(text))
    assert header[1:] == list(board.players)
    for row, wanted in zip(rows, board.win_matrix(), strict=True):
        assert [float(cell) for cell in row[1:]] == pytest.approx(wanted.tolist(), abs=1e-9)


def test_searching_is_no_pattern_and_finds_families(open_page: Open) -> None:
    page, board = open_page("demo").page, board_of("demo")
    page.locator("#search").fill("random_forest(")
    assert names(page) == [name for name in board.players if "random_forest(" in name]
    page.locator("#search").fill("nobody")
    assert names(page) == []
    page.locator("#search").fill("RANDOM_FOREST")
    assert names(page) == [row.player for row in board if row.family == "random_forest"]


def test_columns_are_picked(open_page: Open) -> None:
    page, board = open_page("complete").page, board_of("complete")
    page.locator("#columns-menu summary").click()
    page.locator("#columns").get_by_label("wins").check()
    page.locator("#columns").get_by_label("alike").uncheck()
    assert [float(cell.replace(",", "")) for cell in cells(page, "wins")] == [
        row.wins for row in board
    ]
    heads = page.locator("#board-table thead").inner_text()
    assert "alike" not in heads


def test_scales_show_the_same_ratings(open_page: Open) -> None:
    page, board = open_page("complete").page, board_of("complete")
    page.locator("#scale").select_option("elo")
    assert cells(page, "Elo") == [f"{to_elo(row.epp):.0f}" for row in board]
    page.locator("#scale").select_option("win-rate")
    assert cells(page, "win rate") == [percent(row.p_average) for row in board]


@pytest.mark.parametrize("name", [*TABLES, "large"])
def test_another_reference_gives_what_python_gives(open_page: Open, name: str) -> None:
    page, board = open_page(name).page, board_of(name)
    zero = board.players[2]
    page.locator("#reference").select_option(label=zero)
    expect(page.locator("#board-caption")).to_contain_text(f"of beating {zero}")
    found = saved_rows(page)
    shown = list(found)[:50]
    wanted = board.differences(shown, [zero] * len(shown))
    for k, player in enumerate(shown):
        assert float(found[player]["epp"]) == pytest.approx(wanted.value[k], abs=CLOSE)
        for end, value in (("low", wanted.low[k]), ("high", wanted.high[k])):
            got = number(found[player][end])
            assert (got is None) == (abs(value) == float("inf"))
            if got is not None:
                assert got == pytest.approx(value, abs=1e-5 if name == "large" else CLOSE)


def test_errors_are_against_the_reference_and_on_the_scale(open_page: Open) -> None:
    board = board_of("complete")
    page = open_page("complete", link(board, against=2, columns="rank,epp,low,se")).page
    zero = board.players[2]
    errors = board.differences(board.players, [zero] * len(board)).se
    others = [k for k in range(len(board)) if k != 2]
    found = cells(page, "error")
    assert [found[k] for k in others] == [f"{errors[k]:.3f}" for k in others]
    page.locator("#scale").select_option("elo")
    found = cells(page, "error")
    points = [to_elo(error) - to_elo(0.0) for error in errors]
    assert [found[k] for k in others] == [f"{points[k]:.1f}" for k in others]
    title = page.locator('[data-sort="se"]').get_attribute("title")
    assert title == f"Standard error of the Elo rating against {zero}, in Elo points."
    for column in ("error", "95% interval"):
        assert cells(page, column)[2] == "–"
    page.locator("#scale").select_option("win-rate")
    assert {cells(page, "error")[k] for k in others} == {""}


def test_notes_on_open_ends_follow_the_reference(open_page: Open) -> None:
    page, board = open_page("separated").page, board_of("separated")
    assert {row["reference"] for row in saved_rows(page).values()} == {""}
    for zero in (board.players[1], board.players[-1]):
        page.locator("#reference").select_option(label=zero)
        expect(page.locator("#board-caption")).to_contain_text(f"of beating {zero}")
        found = saved_rows(page)
        assert {row["reference"] for row in found.values()} == {zero}
        for row in found.values():
            notes = row["notes"].split("; ")
            assert ("upper end open" in notes) == (row["high"] == "")
            assert ("lower end open" in notes) == (row["low"] == "")
    ends = {row["player"]: (row["low"], row["high"]) for row in found.values()}
    assert any("" in pair for pair in ends.values())


def test_the_csv_has_the_documented_columns(open_page: Open) -> None:
    page, board = open_page("complete").page, board_of("complete")
    found = saved_rows(page)
    assert list(next(iter(found.values()))) == [*COLUMNS, "reference"]
    wanted = {row.player: row.quasi_se for row in board}
    assert {player: number(row["quasi_se"]) for player, row in found.items()} == wanted


def test_long_lists_of_letters_are_shown_when_asked_for(
    context: BrowserContext, folder: Path
) -> None:
    board = rate(make_table(60, 20, seed=9, spread=2.0))
    assert max(len(row.letters or "") for row in board) > 12
    page = context.new_page()
    page.goto(board.report(folder / "letters.html").as_uri())
    ready(page)
    assert "alike" not in page.locator("#board-table thead").inner_text()
    page.locator("#columns-menu summary").click()
    page.locator("#columns").get_by_label("alike").check()
    found = page.locator("#board-table td.letters")
    titles = found.evaluate_all("own => own.map(cell => cell.title)")
    assert titles == [row.letters for row in board]
    heights = set(found.evaluate_all("own => own.map(cell => cell.offsetHeight)"))
    assert len(heights) == 1


def test_labels_of_the_scale_are_not_cut_off(open_page: Open) -> None:
    page = open_page("complete", "#scale=probability").page
    last = page.locator("#board-table thead .chart text").last
    assert last.text_content() == "100%"
    right = last.evaluate("own => own.getBoundingClientRect().right")
    assert right < page.locator("#board-table thead .chart").evaluate(
        "own => own.getBoundingClientRect().right"
    )


def test_what_is_new_is_a_tournament_where_tournaments_are_pooled(open_page: Open) -> None:
    page = open_page("pooled").page
    for part in ("#board-caption", "#matrix-hint"):
        expect(page.locator(part)).to_contain_text("in a new fold of a new data set")
    for name in ("set 1", "set 2", "set 3", "set 4"):
        switch(page, "Data sets", name)
    expect(page.locator("#board-caption")).to_contain_text("in a new fold; 95% intervals.")


def test_a_season_may_begin_with_all_tournaments(context: BrowserContext, folder: Path) -> None:
    table = make_table(5, 8, tournaments=3, seed=1)
    roles: Any = {"player": "model", "round": "fold", "score": "score", "tournament": "data"}
    season = rate_each(table, higher_is_better=True, **roles)
    pooled = rate(table, tournament="data")
    page = context.new_page()
    page.goto(season.report(folder / "season.html", overview=pooled).as_uri())
    ready(page)
    first, *others = page.locator("#board option").all_text_contents()
    assert (first.startswith("All data sets"), others) == (True, list(season))
    assert names(page) == list(pooled.players)
    page.locator("#board").select_option(label="set 1")
    page.locator("#board").select_option(label=first)
    page.locator("#scale").select_option("elo")
    address = page.locator("#permalink").evaluate("own => own.href")
    assert "tournament=All+data+sets" in address
    again = context.new_page()
    again.goto(address)
    ready(again)
    expect(again.locator("#board option:checked")).to_have_text(first)


# The season ---------------------------------------------------------------------------------------


def test_the_page_of_a_season_begins_with_what_it_tells(open_page: Open) -> None:
    page, season = open_page("demo").page, make_board("demo")
    assert isinstance(season, Season)
    parts = lay_out(season.findings())
    first = page.locator("main > section").first
    assert first.get_attribute("id") == "season"
    assert page.locator(".contents a").first.get_attribute("href") == "#season"
    assert first.locator("h3").all_inner_texts() == [
        *("On a new data set", "The best of each family", "Tuning", "Data sets"),
    ]
    said = first.locator("p.lead").all_text_contents()
    assert said == [sentence for part in parts for sentence in part.sentences]
    rows = first.locator("tbody tr").evaluate_all(
        "rows => rows.map(row => [...row.cells].map(cell => cell.textContent))"
    )
    tables = [table for part in parts for table in part.tables]
    assert rows == [[cell.text for cell in row] for table in tables for row in table.rows]
    assert first.locator("li").all_text_contents() == [
        point for part in parts for point in part.points
    ]


def test_a_single_board_has_no_season(open_page: Open) -> None:
    page = open_page("pooled").page
    assert page.locator("#season, .contents a[href='#season']").count() == 0


def test_a_data_set_in_the_season_opens_its_board(open_page: Open) -> None:
    page, season = open_page("demo").page, make_board("demo")
    assert isinstance(season, Season)
    listed = page.get_by_role("table", name="Data sets")
    for name in ("wine", "breast_cancer", "breast_cancer"):
        page.locator("#search").fill("random_forest")
        listed.locator("tbody th").get_by_role("link", name=name, exact=True).click()
        expect(page.locator("#board option:checked")).to_have_text(name)
        ready(page)
        shown = [player for player in season[name].players if player.startswith("random_forest")]
        assert names(page) == shown
        expect(page.locator("#answer")).to_be_focused()
        expect(page.locator("#answer")).to_be_in_viewport()


def test_a_data_set_opens_in_another_tab_too(open_page: Open, context: BrowserContext) -> None:
    page = open_page("demo").page
    first = page.locator("#season tbody a").filter(has_text="digits").first
    with context.expect_page() as waiting:
        first.click(modifiers=["ControlOrMeta"])
    ready(waiting.value)
    expect(waiting.value.locator("#board option:checked")).to_have_text("digits")
    expect(page.locator("#board option:checked")).to_have_text("breast_cancer")


def test_hostile_names_of_data_sets_are_text_and_open_their_boards(open_page: Open) -> None:
    seen, season = open_page("hostile season"), make_board("hostile season")
    assert isinstance(season, Season)
    page = seen.page
    listed = page.get_by_role("table", name="Data sets").locator("tbody th a")
    assert listed.all_text_contents() == list(season)
    for number, name in enumerate(season):
        listed.nth(number).click()
        ready(page)
        assert page.locator("#board option:checked").text_content() == name
    assert page.evaluate("() => window.broken") is None
    assert seen.complaints == []


def test_without_scripts_the_season_leads_to_its_boards(browser: Browser, folder: Path) -> None:
    context = browser.new_context(java_script_enabled=False, offline=True)
    page = context.new_page()
    page.goto(write_page("demo", folder).as_uri())
    expect(page.locator("#season")).to_contain_text("random_forest(default) is rated first")
    page.locator("#season tbody a").filter(has_text="digits").first.click()
    expect(page.locator("noscript h2").filter(has_text="digits")).to_be_in_viewport()
    context.close()


def test_a_board_with_a_reference_can_be_centred(open_page: Open) -> None:
    page = open_page("referred").page
    expect(page.locator("#board-caption")).to_contain_text("of beating random_forest(default)")
    page.locator("#reference").select_option("average")
    expect(page.locator("#board-caption")).to_contain_text("of beating the average model")
    found = saved_rows(page)
    assert sum(float(row["epp"]) for row in found.values()) == pytest.approx(0.0, abs=1e-8)


def test_the_page_says_whose_average_is_0(context: BrowserContext, folder: Path) -> None:
    scores = {"a": [3, 2, 1], "b": [1, 3, 2], "c": [2, 1, 3], "dummy": [0, 0, 0]}
    table = pl.DataFrame(
        {"model": [own for own in scores for _ in range(3)], "fold": list(range(3)) * 4}
    ).with_columns(score=pl.Series([cell for own in scores.values() for cell in own]))
    page = context.new_page()
    page.goto(rate(table).report(folder / "dummy.html").as_uri())
    ready(page)
    caption, average = page.locator("#board-caption"), page.locator("#reference option").first
    expect(caption).to_contain_text("of beating the average of 3 comparable models")
    expect(average).to_have_text("the average of 3 comparable models")
    expect(page.locator("#notes")).to_contain_text(
        "0 is the average of the largest set of models without such a gap between them (3 of 4)"
    )
    page.locator('[data-focus="rate-3"]').click()
    expect(caption).to_contain_text("of beating the average model")
    expect(average).to_have_text("the average model")
    page.locator('[data-focus="rate-3"]').click()
    page.locator('[data-focus="rate-0"]').click()
    expect(caption).to_contain_text("of beating the average of 2 comparable models")
    wanted = rate(table.filter(pl.col("model") != "a"))
    assert_rows_equal(saved_rows(page), wanted, CLOSE)


def test_the_link_brings_everything_back(open_page: Open, context: BrowserContext) -> None:
    page = open_page("pooled").page
    page.locator("#search").fill("model")
    page.locator("#scale").select_option("elo")
    page.locator('button[data-sort="player"]').click()
    page.locator("#columns-menu summary").click()
    page.locator("#columns").get_by_label("wins").check()
    page.keyboard.press("Escape")
    switch(page, "Data sets", "set 1")
    page.locator("#board-table").get_by_label("Rate model 6").uncheck()
    expect(page.locator("#refitted")).to_contain_text("1 data set ('set 1')")
    page.locator("#reference").select_option(label="model 3")
    page.locator("#duel-a").select_option(label="model 0")
    expect(page.locator("#board-caption")).to_contain_text("model 3 has 1500")
    address = page.locator("#permalink").evaluate("own => own.href")
    again = context.new_page()
    again.goto(address)
    ready(again)
    settled(again)
    for part in ("#board-table", "#refitted", "#duel-found", "#board-caption", "#matrix-box"):
        expect(again.locator(part)).to_have_text(
            page.locator(part).inner_text(), use_inner_text=True
        )
    assert again.locator("#search").input_value() == "model"


@pytest.mark.parametrize(
    "address",
    [
        "#board=99&duel=model+7&duel=model+7&without=&scale=x&sort=nothing",
        "#duel",
        "#<script>",
        "#without-round=99&without-tournament=a&against=b",
        "#" + "&".join(f"without=model+{k}" for k in range(12)),
        "#%E0%A4%A&duel=%FF",
    ],
)
def test_a_broken_link_shows_the_board(open_page: Open, address: str) -> None:
    seen = open_page("complete", address)
    assert names(seen.page) == list(board_of("complete").players)
    assert_rows_equal(saved_rows(seen.page), board_of("complete"), EXACT)
    assert seen.complaints == []


def expect_usual_duel(page: Page) -> None:
    """Nobody was chosen, so the duel is that of the first two."""
    first, second = names(page)[:2]
    either = re.compile(
        f"{re.escape(first)} (beats|is level with|won .* against) {re.escape(second)} "
    )
    expect(page.locator("#duel-found .lead")).to_contain_text(either)
    expect(page.locator("button.name[aria-pressed=true]")).to_have_count(0)


def test_the_duel_is_that_of_the_first_two_until_others_are_chosen(open_page: Open) -> None:
    board, page = board_of("complete"), open_page("complete").page
    expect_usual_duel(page)
    expect(page.locator("#duel-found .lead")).to_have_text(describe_duel(board, *board.players[:2]))
    assert page.locator("#duel-b").input_value() == "1"


def test_the_address_of_a_part_names_nobody(open_page: Open) -> None:
    page = open_page("complete", "#duel").page
    expect(page.locator("#strangers")).to_be_hidden()
    expect_usual_duel(page)


def test_what_a_link_names_in_vain_is_forgotten_when_the_reader_goes_on(open_page: Open) -> None:
    page = open_page("complete", "#without=gone").page
    expect(page.locator("#strangers")).to_contain_text("'gone'")
    page.locator("#scale").select_option("elo")
    expect(page.locator("#strangers")).to_be_hidden()


def test_a_link_that_is_followed_on_an_open_page_tells_whom_it_names_in_vain(
    open_page: Open,
) -> None:
    page = open_page("complete", "#scale=elo&without=model+3").page
    expect(page.locator("#refitted")).to_be_visible()
    page.evaluate("() => { location.hash = '#without=gone'; }")
    expect(page.locator("#strangers")).to_have_text(
        "The link names players that are not here: 'gone'."
    )
    expect(page.locator("#refitted")).to_be_hidden()


def test_a_link_cannot_switch_players_off_where_nothing_is_rated_anew(open_page: Open) -> None:
    board = board_of("large")
    page = open_page("large", link(board, without=2)).page
    expect(page.locator("#status")).to_contain_text("too large to be rated anew")
    expect(page.locator("#refitted")).to_be_hidden()
    assert "without" not in str(page.locator("#permalink").get_attribute("href"))


def test_short_lists_of_switches_are_open(open_page: Open) -> None:
    page = open_page("pooled").page
    page.locator("#refit > summary").click()
    opened = page.locator("#switches details[open]").evaluate_all(
        "lists => lists.map((list) => list.dataset.title)"
    )
    assert opened == ["Data sets", "Models"]


def test_names_that_are_not_here_are_named_and_left_out(open_page: Open) -> None:
    address = "#duel=model+3&duel=gone&without=model+0&without=old&without-round=99&scale=elo"
    page = open_page("complete", address).page
    message = page.locator("#strangers")
    expect(message).to_have_text(
        "The link names players that are not here: 'gone', 'old'. The link names rounds that are "
        "not here: '99'."
    )
    expect(message).to_be_in_viewport()
    expect(page.locator("#refitted")).to_contain_text("without 1 model ('model 0').")
    expect_usual_duel(page)
    assert page.locator("#scale").input_value() == "elo"


def test_a_link_to_a_tournament_that_is_gone_chooses_no_players_of_another(open_page: Open) -> None:
    board = board_of("demo")
    page = open_page("demo", link(board, tournament="iris", duel=(0, 1), without=2)).page
    expect(page.locator("#strangers")).to_have_text(
        "The link names tournaments that are not here: 'iris'."
    )
    expect_usual_duel(page)
    expect(page.locator("#refitted")).to_be_hidden()


def test_a_link_outlives_a_page_that_is_made_again(context: BrowserContext, folder: Path) -> None:
    shape, _ = TABLES["complete"]
    table = make_table(**shape)
    page = context.new_page()
    page.goto(rate(table).report(folder / "first.html").as_uri())
    ready(page)
    switch(page, "Folds", "3")
    page.locator("#board-table").get_by_label("Rate model 6", exact=True).uncheck()
    page.locator("#reference").select_option(label="model 5")
    page.locator("#duel-a").select_option(label="model 2")
    page.locator("#duel-b").select_option(label="model 9")
    expect(page.locator("#board-caption")).to_contain_text("of beating model 5")
    settled(page)
    chosen = page.locator("#permalink").evaluate("own => own.hash")
    # Another player is first now, and another round.
    best = table.filter(model="model 0").with_columns(
        model=pl.lit("new"), score=pl.col("score") + 1
    )
    early = table.filter(fold=0).with_columns(fold=pl.col("fold") - 1)
    made_again = rate(pl.concat([table, best, early])).report(folder / "second.html")
    again = context.new_page()
    again.goto(f"{made_again.as_uri()}{chosen}")
    ready(again)
    expect(again.locator("#refitted")).to_contain_text(
        "without 1 model ('model 6') and 1 fold ('3')."
    )
    expect(again.locator("#duel-found .lead")).to_contain_text("model 2 beats model 9")
    expect(again.locator("#board-caption")).to_contain_text("of beating model 5")
    expect(again.locator("#strangers")).to_be_hidden()


def test_links_hold_names_with_any_signs(open_page: Open, context: BrowserContext) -> None:
    page, board = open_page("hostile").page, board_of("hostile")
    for a, b in zip(board.players[:60:2], board.players[1:60:2], strict=True):
        page.locator("#duel-a").select_option(str(board.players.index(a)))
        page.locator("#duel-b").select_option(str(board.players.index(b)))
        found = page.locator("#permalink").evaluate(
            "own => new URLSearchParams(own.hash.slice(1)).getAll('duel')"
        )
        assert found == [a, b]
    again = context.new_page()
    again.goto(page.locator("#permalink").evaluate("own => own.href"))
    ready(again)
    expect(again.locator("#duel-found .lead")).to_have_text(describe_duel(board, a, b))


def test_the_link_copies_itself(open_page: Open, context: BrowserContext) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = open_page("complete", "#scale=elo").page
    page.locator("#permalink").click()
    expect(page.locator("#copied")).to_have_text("Copied")
    expect(page.locator("#address")).to_be_hidden()
    assert page.evaluate("() => navigator.clipboard.readText()").endswith("complete.html#scale=elo")


def test_a_link_that_may_not_be_copied_is_shown(open_page: Open) -> None:
    page = open_page("complete", "#scale=elo").page
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error()); }")
    page.locator("#permalink").click()
    field = page.locator("#address")
    expect(field).to_be_visible()
    address = field.input_value()
    assert address.endswith("complete.html#scale=elo")
    assert page.evaluate("() => getSelection().toString()") == address
    expect(page.locator("#copied")).to_have_text("Copy the address from the field")


# Refitting ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TABLES)
def test_a_refit_without_players_and_rounds_is_pythons(open_page: Open, name: str) -> None:
    shape, options = TABLES[name]
    page = open_page(name).page
    gone = ["model 1", "model 4"]
    for player in gone:
        page.locator("#board-table").get_by_label(f"Rate {player}", exact=True).uncheck()
        expect(page.locator("#refitted")).to_contain_text(f"'{player}'")
    first = "set 0/0" if "tournament" in options else "0"
    switch(page, "Folds", first)
    expect(page.locator("#refitted")).to_contain_text("1 fold")
    settled(page)
    table = make_table(**shape).filter(~pl.col("model").is_in(gone))
    table = table.filter(~((pl.col("fold") == 0) & (pl.col("data") == "set 0")))
    assert_rows_equal(saved_rows(page), rate(table, **options), CLOSE)


def test_a_refit_without_a_tournament_is_pythons(open_page: Open) -> None:
    shape, options = TABLES["pooled"]
    page = open_page("pooled").page
    switch(page, "Data sets", "set 2")
    expect(page.locator("#refitted")).to_contain_text("1 data set ('set 2')")
    settled(page)
    table = make_table(**shape).filter(pl.col("data") != "set 2")
    assert_rows_equal(saved_rows(page), rate(table, **options), CLOSE)


def test_duels_after_a_refit_are_of_the_refit_and_after_restoring_of_the_board(
    open_page: Open,
) -> None:
    shape, _ = TABLES["missing"]
    page, board = open_page("missing").page, board_of("missing")
    page.locator("#duel-a").select_option(label="model 2")
    page.locator("#duel-b").select_option(label="model 7")
    lead = page.locator("#duel-found .lead")
    expect(lead).to_have_text(describe_duel(board, "model 2", "model 7"))
    page.locator("#board-table").get_by_label("Rate model 0", exact=True).uncheck()
    rest = rate(make_table(**shape).filter(pl.col("model") != "model 0"))
    expect(lead).to_have_text(describe_duel(rest, "model 2", "model 7"))
    page.get_by_role("button", name="Restore all").click()
    expect(lead).to_have_text(describe_duel(board, "model 2", "model 7"))
    expect(page.locator("#refitted")).to_be_hidden()
    assert_rows_equal(saved_rows(page), board, EXACT)


def test_a_choice_that_is_refused_at_once_leaves_the_fit_that_is_shown(open_page: Open) -> None:
    board = board_of("complete")
    page = open_page("complete", link(board, duel=(0, 3))).page
    page.locator("#refit > summary").click()
    rounds = page.locator('details[data-title="Folds"]')
    rounds.locator("> summary").click()
    # All in one go: thirteen choices that can be rated, and two that cannot.
    rounds.locator("input").evaluate_all("boxes => boxes.forEach(box => box.click())")
    settled(page)
    expect(page.locator("#refitted")).to_be_hidden()
    wanted = describe_duel(board, board.players[0], board.players[3])
    expect(page.locator("#duel-found .lead")).to_have_text(wanted)
    page.locator("#reference").select_option(label=board.players[1])
    expect(page.locator("#duel-found .lead")).to_have_text(wanted)


def test_players_who_meet_nobody_are_named_and_compared_with_nobody(
    context: BrowserContext, folder: Path
) -> None:
    scores = make_table(5, 6, seed=8).filter((pl.col("model") != "model 4") | (pl.col("fold") < 2))
    page = context.new_page()
    path = rate(scores).report(folder / "lonely.html")
    place = rate(scores).players.index("model 4")
    chosen = {"without_round": ("0", "1"), "against": place, "duel": (0, place)}
    page.goto(f"{path.as_uri()}{link(rate(scores), **chosen)}")
    ready(page)
    expect(page.locator("tr.off")).to_have_text("model 4 (met nobody in these folds)")
    expect(page.locator("#duel-found")).to_have_text("model 4: met nobody in these folds.")
    expect(page.locator("#status")).to_contain_text(
        "model 4 met nobody in these folds: ratings are"
    )
    wanted = rate(scores.filter(pl.col("fold") >= 2))
    assert_rows_equal(saved_rows(page), wanted, CLOSE)


def test_a_reference_that_is_switched_off_gives_way_to_the_average(open_page: Open) -> None:
    board = board_of("complete")
    page = open_page("complete", link(board, against=2)).page
    expect(page.locator("#board-caption")).to_contain_text(f"of beating {board.players[2]}")
    page.locator('[data-focus="rate-2"]').click()
    expect(page.locator("#status")).to_contain_text(
        f"{board.players[2]} switched off: ratings are against the average model."
    )
    assert page.locator("#reference").input_value() == "average"
    expect(page.locator("#board-caption")).to_contain_text("of beating the average model")


def test_a_duel_that_is_asked_for_is_forgotten_with_its_tournament(open_page: Open) -> None:
    page = open_page("demo").page
    page.evaluate(
        "() => { document.querySelector('button.name').click();"
        " const board = document.getElementById('board'); board.value = '1';"
        " board.dispatchEvent(new Event('change')); }"
    )
    settled(page)
    page.wait_for_timeout(300)
    expect_usual_duel(page)
    expect(page.locator("#duel-bar")).to_be_hidden()


def test_components_that_never_met_are_not_compared(context: BrowserContext, folder: Path) -> None:
    first = make_table(3, 6, seed=1)
    second = make_table(3, 6, seed=2, names=["x", "y", "z"]).with_columns(pl.col("fold") + 10)
    board = rate(pl.concat([first, second]), components="separate")
    page = context.new_page()
    page.goto(board.report(folder / "components.html").as_uri())
    ready(page)
    assert names(page) == list(board.players)
    assert "best" not in page.locator("#sentences").inner_text()
    header, *rows = csv.reader(
        io.StringIO(save(page, page.locator("[data-download=matrix]"), "CSV"))
    )
    for row in rows:
        known = [cell != "" for cell in row[1:]]
        assert known == [board.comparable(row[0], other) for other in header[1:]]


def test_duels_are_within_components(open_page: Open) -> None:
    page, board = open_page("components").page, board_of("components")
    for pair in (("x", "z"), ("model 2", "model 0")):
        page.locator("#duel-a").select_option(label=pair[0])
        page.locator("#duel-b").select_option(label=pair[1])
        wanted = board.compare(*pair)
        played = board.duel(*pair)
        found = page.locator("#duel-found")
        expect(found).to_contain_text(f"{pair[0]} beats {pair[1]} in")
        expect(found).to_contain_text(
            f"{pair[0]} won {played.won} and lost {played.lost} of their 6 folds ("
        )
        expect(found).to_contain_text(f"{wanted.difference.value:.2f}")
    page.locator("#duel-b").select_option(label="w")
    expect(page.locator("#duel-found")).to_have_text(
        "The models form components that never met, each with a scale of its own, so only two of "
        "one component can be compared."
    )
    page.get_by_role("button", name="y", exact=True).click()
    expect(page.locator("#duel-found")).to_contain_text("y beats")


def test_columns_that_are_empty_after_a_refit_come_back(open_page: Open) -> None:
    page = open_page("complete", link(board_of("complete"), without=0)).page
    page.locator("#columns-menu summary").click()
    page.locator("#columns").get_by_label("wins").check()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Restore all").click()
    settled(page)
    heads = page.locator("#board-table thead").inner_text()
    assert "P(best)" in heads
    assert "wins" in heads


def test_what_is_not_refitted_says_so(open_page: Open) -> None:
    page = open_page("complete").page
    page.locator("#board-table").get_by_label("Rate model 0", exact=True).uncheck()
    expect(page.locator("#refitted")).to_contain_text("Refitted in this browser")
    expect(page.locator("#refitted")).to_contain_text("Chances of being best are not computed anew")
    for part in ("#quality-found", "#figures-hint", "#gaps-found", "#how-found"):
        expect(page.locator(part)).to_contain_text("Of all models and folds, not refitted.")
    expect(page.locator("#duel-title")).to_have_text("Duel (refitted)")
    expect(page.locator("#matrix-title")).to_have_text("Win matrix (refitted)")
    expect(page.locator("#answer-title")).to_have_text("The answer of all models and folds")
    assert all(row["p_best"] == "" for row in saved_rows(page).values())


def test_a_refit_writes_its_own_notes(context: BrowserContext, folder: Path) -> None:
    # Without round 0 "a" won every match, and without "a" and "b" the others only tied.
    scores = {"a": [0, 9, 9, 9], "b": [1, 5, 6, 5], "c": [2, 2, 2, 2], "d": [2, 2, 2, 2]}
    table = pl.DataFrame(
        {"model": [own for own in scores for _ in range(4)], "fold": list(range(4)) * 4}
    ).with_columns(score=pl.Series([cell for own in scores.values() for cell in own]))
    board = rate(table)
    page = context.new_page()
    address = board.report(folder / "notes.html").as_uri()
    for chosen, rest in (
        ("#without-round=0", table.filter(pl.col("fold") != 0)),
        ("#without=a&without=b", table.filter(~pl.col("model").is_in(["a", "b"]))),
    ):
        page.goto("about:blank")
        page.goto(f"{address}{chosen}")
        ready(page)
        found = page.locator("#notes li").all_inner_texts()
        own = [note for note in found if not note.startswith("All models and folds: ")]
        # Chances of being best are not computed anew, so there are no doubts about them.
        told = [note for note in rate(rest).notes if note.name not in OF_CHANCES]
        wanted = [note.text.split(" The average model moves")[0] for note in told]
        assert own == wanted
        before = [note.text for note in board.notes if note.text not in own]
        assert found[len(own) :] == [f"All models and folds: {note}" for note in before]


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("battles", "players"),
        ("complete", "models or folds"),
        ("pooled", "models, folds or data sets"),
    ],
)
def test_the_panel_names_what_can_be_switched(open_page: Open, name: str, kinds: str) -> None:
    page = open_page(name).page
    expect(page.locator("#refit > summary")).to_have_text(
        f"Switch off {kinds}, and rate the rest anew"
    )


def test_battles_are_not_called_rounds(open_page: Open) -> None:
    page = open_page("battles", link(board_of("battles"), without=1)).page
    expect(page.locator("#answer-title")).to_have_text("The answer of all players and battles")
    expect(page.locator("#how-found")).to_contain_text("Of all players and battles, not refitted.")
    marked = page.locator("#notes li", has_text="All players and battles: ")
    assert marked.count() == len(board_of("battles").notes) > 0


def test_what_cannot_be_rated_is_refused_and_undone(open_page: Open) -> None:
    page, board = open_page("complete").page, board_of("complete")
    panel = page.locator("#refit")
    panel.locator("> summary").click()
    rounds = panel.locator('details[data-title="Folds"]')
    rounds.locator("> summary").click()
    rounds.get_by_role("button", name="All off").click()
    expect(page.locator("#status")).to_contain_text("fold")
    expect(page.locator("#refitted")).to_be_hidden()
    assert_rows_equal(saved_rows(page), board, EXACT)


def test_a_large_board_says_why_it_is_not_refitted(open_page: Open) -> None:
    page = open_page("large").page
    expect(page.locator("#refit > summary")).to_have_text("Why this page does not rate anew")
    page.locator("#refit > summary").click()
    expect(page.locator("#refit-why")).to_have_text(
        "This board is too large to be rated anew in a browser: it has 2,000 players, 20 rounds "
        "and 40,000 scores; the limit is 300 players, 1,000 rounds and 60,000 scores."
    )
    assert page.locator("#board-table input[type=checkbox]").count() == 0
    assert len(names(page)) == 100
    page.locator("#more").click()
    assert len(names(page)) == 2000


# What nobody can do -------------------------------------------------------------------------------


def test_two_hundred_hostile_names_are_text_everywhere(open_page: Open) -> None:
    board = board_of("hostile")
    seen = open_page("hostile", link(board, all="1", duel=(3, 7)))
    page = seen.page
    expect(page.locator("#duel-found .lead")).to_have_text(
        describe_duel(board, board.players[3], board.players[7])
    )
    shown = page.locator("#board-table tbody button.name").all_text_contents()
    assert shown == list(board.players)
    assert {*shown} == {name.strip() for name in hostile_names()}
    assert page.evaluate("() => window.broken") is None
    assert page.locator("main script, main img, main iframe").count() == 0
    assert seen.complaints == []


def test_saved_tables_hold_hostile_names_as_they_are(open_page: Open) -> None:
    page, board = open_page("hostile", "#all=1").page, board_of("hostile")
    menu = page.locator("[data-download=leaderboard]")
    assert [row["player"] for row in csv.DictReader(io.StringIO(save(page, menu, "CSV")))] == list(
        board.players
    )
    markdown = cmarkgfm.github_flavored_markdown_to_html(save(page, menu, "Markdown"))
    body = ElementTree.fromstring(f"<all>{markdown}</all>".replace("<br>", ""))
    rendered = ["".join(row[1].itertext()) for row in body.iter("tr")][1:]
    assert rendered == list(board.players)
    latex = save(page, menu, "LaTeX")
    for player in board.players:
        assert escape_latex(player) in latex


def test_names_are_escaped_as_python_escapes_them(open_page: Open) -> None:
    page = open_page("hostile").page
    menu = page.locator("[data-download=leaderboard]")
    markdown = save(page, menu, "Markdown")
    assert all(
        f"| {escape_markdown(player)} |" in markdown for player in board_of("hostile").players
    )


def test_the_pages_policy_stops_scripts_that_get_in(open_page: Open) -> None:
    page = open_page("complete").page
    page.evaluate(
        "() => { const own = document.createElement('script');"
        " try { own.textContent = 'window.broken = 1'; document.body.append(own); } catch {} }"
    )
    assert page.evaluate("() => window.broken") is None


# Figures ------------------------------------------------------------------------------------------


def test_every_figure_can_be_saved_as_picture_and_table(open_page: Open) -> None:
    page = open_page("complete").page
    figures = page.locator('.gallery[data-board="0"] figure')
    assert figures.count() >= 6
    for k in range(figures.count()):
        figure = figures.nth(k)
        svg = save(page, figure.locator("details.menu"), "SVG")
        assert ElementTree.fromstring(svg).tag.endswith("svg")
        assert "var(" not in svg
    ranking = page.locator('.gallery[data-board="0"] figure[data-name="ranking"]')
    rows = list(csv.DictReader(io.StringIO(save(page, ranking.locator("details.menu"), "CSV"))))
    assert [row["player"] for row in rows] == list(board_of("complete").players)
    menu = ranking.locator("details.menu")
    menu.locator("summary").click()
    with page.expect_download() as waiting:
        menu.get_by_role("button", name="PNG", exact=True).click()
    assert Path(waiting.value.path()).read_bytes().startswith(b"\x89PNG")


def test_files_have_names_of_their_own_with_dashes(open_page: Open) -> None:
    page = open_page("complete").page
    named = []
    for menu in page.locator("details.menu:has(button:text-is('CSV'))").all():
        menu.locator("summary").click()
        with page.expect_download() as waiting:
            menu.get_by_role("button", name="CSV", exact=True).click()
        page.keyboard.press("Escape")
        named.append(waiting.value.suggested_filename)
    assert len(named) == len(set(named)) > 6
    assert all(re.fullmatch(r"Report-complete-[a-z-]+\.csv", name) for name in named)
    assert {"Report-complete-favourites.csv", "Report-complete-calibration.csv"} <= {*named}


def test_figures_offer_their_numbers_and_no_tables_for_papers(open_page: Open) -> None:
    page = open_page("complete").page
    figure = page.locator('.gallery[data-board="0"] figure[data-name="ranking"]')
    offered = figure.locator("details.menu button").all_text_contents()
    assert offered == ["SVG", "PNG", "CSV", "JSON"]


def test_the_favourites_are_saved_with_every_digit(open_page: Open) -> None:
    page, quality = open_page("complete").page, board_of("complete").quality()
    menu = page.locator("#quality-found details.menu")
    saved = json.loads(save(page, menu, "JSON"))
    assert [(one["pairs"], one["observed"]) for one in saved] == [
        (one.pairs, one.observed) for one in quality.calibration
    ]


@pytest.mark.parametrize("name", ["demo", "pooled"])
def test_markdown_and_latex_carry_what_python_says(open_page: Open, name: str) -> None:
    page, board = open_page(name).page, board_of(name)
    menu = page.locator("[data-download=leaderboard]")
    caption = page.locator("#board-caption").inner_text()
    markdown = save(page, menu, "Markdown").replace(f"{escape_markdown(caption)}\n\n", "")
    assert markdown == render_markdown(board_document([board]))
    latex = save(page, menu, "LaTeX")
    line = rf"\noindent {escape_latex(caption)}\par\smallskip"
    assert latex.replace(f"{line}\n", "") == render_latex(board_document([board]))


def test_a_refitted_table_says_so_wherever_it_is_read(open_page: Open) -> None:
    page = open_page("pooled", "#without=model+2&without-tournament=set+1").page
    menu = page.locator("[data-download=leaderboard]")
    said = "Of these, refitted in a browser without 1 model ('model 2') and 1 data set ('set 1')."
    assert said in save(page, menu, "Markdown")
    assert said in save(page, menu, "LaTeX")


def test_ids_of_drawings_are_different(open_page: Open) -> None:
    page = open_page("demo").page
    ids: list[str] = page.evaluate(
        "() => [...document.querySelectorAll('[id]')].map(own => own.id)"
    )
    assert len(ids) == len(set(ids))


# For everyone -------------------------------------------------------------------------------------


@pytest.fixture(params=["light", "dark", "narrow"])
def looks(request: pytest.FixtureRequest, browser: Browser) -> Iterator[BrowserContext]:
    """Browsers with other colours and widths; the page's policy would keep axe out."""
    width = 390 if request.param == "narrow" else 1280
    scheme: Any = "dark" if request.param == "dark" else "light"
    context = browser.new_context(
        viewport={"width": width, "height": 900},
        color_scheme=scheme,
        offline=True,
        bypass_csp=True,
    )
    yield context
    context.close()


CONTRASTS = """() => {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const light = (colour) => {
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const part = (c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4);
    const [r, g, b] = Array.from(canvas.getImageData(0, 0, 1, 1).data.slice(0, 3), part);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
  };
  const found = [];
  for (const cell of document.querySelectorAll(".matrix tbody td:not(.own)")) {
    const style = getComputedStyle(cell);
    const [x, y] = [light(style.color), light(style.backgroundColor)];
    found.push(Math.max(x, y) / Math.min(x, y));
  }
  return found;
}"""
"""Of the numbers in the win matrix, as the guidelines for accessible pages compute them."""


def test_numbers_of_the_win_matrix_are_readable(looks: BrowserContext, folder: Path) -> None:
    """Chances from one half to nearly one, in small steps."""
    players, matches = 26, 4
    rows = [
        {
            "winner": f"p{min(a, b) if k else max(a, b):02}",
            "loser": f"p{max(a, b) if k else min(a, b):02}",
        }
        for a in range(players)
        for b in range(a)
        for k in range(matches)
    ]
    board = rate_battles(pl.DataFrame(rows), winner="winner", loser="loser", details=False)
    page = looks.new_page()
    page.goto(board.report(folder / "steps.html").as_uri())
    ready(page)
    contrasts = page.evaluate(CONTRASTS)
    assert len(contrasts) == 25 * 24
    assert min(contrasts) >= 4.5


@pytest.mark.parametrize("name", ["pooled", "separated", "demo"])
def test_axe_finds_nothing_serious(looks: BrowserContext, folder: Path, name: str) -> None:
    page = looks.new_page()
    page.goto(f"{write_page(name, folder).as_uri()}{link(board_of(name), duel=(0, 1), without=2)}")
    ready(page)
    expect(page.locator("#refitted")).to_be_visible()
    page.locator("#refit > summary").click()
    page.evaluate(Path(AXE_FILE_PATH).read_text(encoding="utf-8"))
    found = page.evaluate("() => axe.run({resultTypes: ['violations']})")
    serious = [
        (problem["id"], problem["nodes"][0]["html"][:200])
        for problem in found["violations"]
        if problem["impact"] in ("serious", "critical")
    ]
    assert serious == []


def test_contents_stay_above_the_head_of_the_leaderboard(browser: Browser, folder: Path) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 700}, offline=True)
    page = context.new_page()
    page.goto(write_page("demo", folder).as_uri())
    ready(page)
    seen = """() => {
        const head = document.querySelector("#board-table thead .rank");
        window.scrollBy(0, head.getBoundingClientRect().top - 4);
        const box = head.getBoundingClientRect();
        return document.elementFromPoint(box.left + 20, 15).closest("#board-table") === null;
    }"""
    assert page.evaluate(seen)
    context.close()


def test_a_phone_scrolls_tables_and_not_the_page(browser: Browser, folder: Path) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 800}, offline=True)
    page = context.new_page()
    page.goto(f"{write_page('demo', folder).as_uri()}{link(board_of('demo'), duel=(0, 1))}")
    ready(page)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
    heads = page.locator("#board-table thead th").all_inner_texts()
    assert [head.strip(" ▲") for head in heads[:4]] == ["rank", "model", "EPP", "95% interval"]
    box = page.locator("#leaderboard .wide")
    box.evaluate("own => { own.scrollLeft = 120; own.scrollTop = 200; }")
    row = page.locator("#board-table tbody tr").nth(8)
    left = box.bounding_box()["x"]  # type: ignore[index]
    assert row.locator(".rank").bounding_box()["x"] == left  # type: ignore[index]
    assert row.locator(".who").bounding_box()["x"] < left + 70  # type: ignore[index]
    context.close()


@pytest.mark.parametrize(("scheme", "choice"), [("dark", ""), ("light", "dark")])
def test_dark_is_dark_by_the_system_or_by_choice(
    browser: Browser, folder: Path, scheme: Any, choice: str
) -> None:
    context = browser.new_context(color_scheme=scheme, offline=True)
    page = context.new_page()
    page.goto(write_page("complete", folder).as_uri())
    ready(page)
    page.locator("#theme").select_option(choice)
    style = (
        "() => { const own = getComputedStyle(document.body);"
        " return [own.backgroundColor, own.color]; }"
    )
    paper, ink = ([int(part) for part in re.findall(r"\d+", own)] for own in page.evaluate(style))
    assert sum(paper) < 120
    assert sum(ink) > 600
    context.close()


@pytest.mark.parametrize("name", ["demo", "separated", "referred"])
def test_a_printed_page_is_not_shrunk(open_page: Open, name: str) -> None:
    """A browser shrinks pages that are wider than the paper: A4 with margins of a centimetre."""
    page = open_page(name).page
    page.set_viewport_size({"width": 718, "height": 1000})
    page.emulate_media(media="print")
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 718


def test_print_hides_controls_and_shows_all_parts(open_page: Open) -> None:
    page = open_page("complete").page
    page.emulate_media(media="print")
    for part in (".contents", ".controls", "#refit"):
        expect(page.locator(part).first).to_be_hidden()
    for part in ("#answer", "#board-table", "#how"):
        expect(page.locator(part)).to_be_visible()


def test_without_scripts_the_board_is_still_there(browser: Browser, folder: Path) -> None:
    context = browser.new_context(java_script_enabled=False, offline=True)
    page = context.new_page()
    page.goto(write_page("complete", folder).as_uri())
    said = page.locator("noscript").inner_text()
    assert all(player in said for player in board_of("complete").players)
    context.close()


def test_an_address_of_many_long_names_leaves_a_short_message_and_a_quick_page(
    open_page: Open,
) -> None:
    address = "#" + "&".join(f"without={k}" + "x" * 100 for k in range(5_000))
    address += "&duel=%E2%80%AEtxt&duel=%1B[31m&search=" + "y" * 100_000
    page = open_page("complete", address).page
    message = page.locator("#strangers").inner_text()
    assert len(message) < 1_300
    assert "'\\u{202e}txt', '\\u{1b}[31m'" in message
    assert message.endswith("and 4,997 more.")
    assert len(page.locator("#search").input_value()) == 200
