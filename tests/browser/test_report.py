"""The report in a real browser: what it shows, what readers can do and what attackers cannot."""

import csv
import io
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import cmarkgfm
import polars as pl
import pytest
from axe_playwright_python.base import AXE_FILE_PATH
from playwright.sync_api import Browser, BrowserContext, Download, Locator, Page, expect

from browser.conftest import Watched, watch
from browser.pages import TABLES, hostile_names, make_board, make_table, rate, write_page
from winodds import Leaderboard, Season
from winodds.show.elo import to_elo
from winodds.show.export import escape_latex, escape_markdown
from winodds.show.grid import make_grid, percent
from winodds.show.text import describe_duel

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
        assert own["group"] == row.group


# What it shows ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["demo", "battles", "large", "hostile"])
def test_the_page_asks_for_nothing_and_complains_about_nothing(
    open_page: Open, name: str, folder: Path
) -> None:
    seen = open_page(name, "#duel=0-1")
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
            assert cells(page, head) == column, head
    assert_rows_equal(saved_rows(page), board, EXACT)


def test_the_answer_and_the_doubts_are_the_boards(open_page: Open) -> None:
    page, board = open_page("pooled").page, board_of("pooled")
    said = page.locator("#sentences").inner_text()
    assert describe_duel(board, *board.players[:2]) in said
    assert page.locator("#notes li").all_inner_texts() == list(board.notes)


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
    rounds = board.how.matches["rounds"]
    pairs = len(board) * rounds
    assert f"{pairs - scores} of {pairs} player–round pairs" in said
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
            assert [text for text in offered if text != "the average player"] == names(page)


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
    page, board = open_page(name, "#duel=0-3").page, board_of(name)
    a, b = board.players[0], board.players[3]
    found = board.compare(a, b)
    box = page.locator("#duel-found")
    expect(box.locator(".lead")).to_have_text(describe_duel(board, a, b))
    record = found.rounds
    said = box.inner_text()
    assert f"won {record.won}" in said
    assert f"lost {record.lost}" in said
    assert (f"tied {record.tied}" in said) == bool(record.tied)
    p = found.wald.p_value
    words = "p < 0.001" if p < 0.001 else f"p = {p:.3f}" if p < 0.0995 else f"p = {p:.2f}"
    assert words in said


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


def test_the_win_matrix_is_pythons(open_page: Open) -> None:
    page, board = open_page("ties").page, board_of("ties")
    text = save(page, page.locator("[data-download=matrix]"), "CSV")
    header, *rows = csv.reader(io.StringIO(text))
    assert header[1:] == list(board.players)
    for row, wanted in zip(rows, board.win_matrix(), strict=True):
        assert [float(cell) for cell in row[1:]] == pytest.approx(wanted.tolist(), abs=1e-9)


def test_searching_is_no_pattern_and_finds_families(open_page: Open) -> None:
    page, board = open_page("demo").page, board_of("demo")
    page.locator("#search").fill("svm(")
    assert names(page) == [name for name in board.players if "svm(" in name]
    page.locator("#search").fill("nobody")
    assert names(page) == []
    page.locator("#search").fill("RANDOM_FOREST")
    assert names(page) == [row.player for row in board if row.family == "random_forest"]


def test_columns_are_picked(open_page: Open) -> None:
    page, board = open_page("complete").page, board_of("complete")
    page.locator("#columns-menu summary").click()
    page.locator("#columns").get_by_label("wins").check()
    page.locator("#columns").get_by_label("group").uncheck()
    assert [float(cell.replace(",", "")) for cell in cells(page, "wins")] == [
        row.wins for row in board
    ]
    heads = page.locator("#board-table thead").inner_text()
    assert "group" not in heads


def test_scales_show_the_same_ratings(open_page: Open) -> None:
    page, board = open_page("complete").page, board_of("complete")
    page.locator("#scale").select_option("elo")
    assert cells(page, "Elo") == [f"{to_elo(row.epp):.0f}" for row in board]
    page.locator("#scale").select_option("probability")
    assert cells(page, "P(win)") == [percent(row.p_average) for row in board]


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


def test_a_board_with_a_reference_can_be_centred(open_page: Open) -> None:
    page = open_page("referred").page
    expect(page.locator("#board-caption")).to_contain_text("of beating svm(default)")
    page.locator("#reference").select_option("average")
    expect(page.locator("#board-caption")).to_contain_text("of beating the average player")
    found = saved_rows(page)
    assert sum(float(row["epp"]) for row in found.values()) == pytest.approx(0.0, abs=1e-8)


def test_the_link_brings_everything_back(open_page: Open, context: BrowserContext) -> None:
    page = open_page("pooled").page
    page.locator("#search").fill("model")
    page.locator("#scale").select_option("elo")
    page.locator('button[data-sort="player"]').click()
    page.locator("#columns-menu summary").click()
    page.locator("#columns").get_by_label("wins").check()
    page.keyboard.press("Escape")
    switch(page, "Tournaments", "set 1")
    page.locator("#board-table").get_by_label("Rate model 6").uncheck()
    expect(page.locator("#refitted")).to_contain_text("1 tournament ('set 1')")
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
        "#board=99&duel=7-7&without=99-900000&scale=x&sort=nothing",
        "#duel",
        "#<script>",
        "#without=0-99",
    ],
)
def test_a_broken_link_shows_the_board(open_page: Open, address: str) -> None:
    seen = open_page("complete", address)
    assert names(seen.page) == list(board_of("complete").players)
    assert_rows_equal(saved_rows(seen.page), board_of("complete"), EXACT)
    assert seen.complaints == []


def test_a_link_to_another_board_chooses_no_players_of_this_one(open_page: Open) -> None:
    page = open_page("complete", "#of=0123456789ab&duel=3-4&without=0&scale=elo").page
    expect(page.locator("#status")).to_contain_text("The link belongs to another board")
    expect(page.locator("#refitted")).to_be_hidden()
    expect(page.locator("#duel-found")).to_be_empty()
    assert page.locator("#scale").input_value() == "elo"


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
    switch(page, "Rounds", first)
    expect(page.locator("#refitted")).to_contain_text("1 round")
    settled(page)
    table = make_table(**shape).filter(~pl.col("model").is_in(gone))
    table = table.filter(~((pl.col("fold") == 0) & (pl.col("data") == "set 0")))
    assert_rows_equal(saved_rows(page), rate(table, **options), CLOSE)


def test_a_refit_without_a_tournament_is_pythons(open_page: Open) -> None:
    shape, options = TABLES["pooled"]
    page = open_page("pooled").page
    switch(page, "Tournaments", "set 2")
    expect(page.locator("#refitted")).to_contain_text("1 tournament ('set 2')")
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
    page, board = open_page("complete", "#duel=0-3").page, board_of("complete")
    page.locator("#refit > summary").click()
    rounds = page.locator('details[data-title="Rounds"]')
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
    page.goto(f"{path.as_uri()}#without-rounds=0,1&against={place}&duel=0-{place}")
    ready(page)
    expect(page.locator("tr.off")).to_have_text("model 4 (met nobody in these rounds)")
    expect(page.locator("#duel-found")).to_have_text("model 4: met nobody in these rounds.")
    expect(page.locator("#status")).to_contain_text(
        "model 4 met nobody in these rounds: ratings are"
    )
    wanted = rate(scores.filter(pl.col("fold") >= 2))
    assert_rows_equal(saved_rows(page), wanted, CLOSE)


def test_a_reference_that_is_switched_off_gives_way_to_the_average(open_page: Open) -> None:
    page, board = open_page("complete", "#against=2").page, board_of("complete")
    expect(page.locator("#board-caption")).to_contain_text(f"of beating {board.players[2]}")
    page.locator('[data-focus="rate-2"]').click()
    expect(page.locator("#status")).to_contain_text(
        f"{board.players[2]} switched off: ratings are against the average player."
    )
    assert page.locator("#reference").input_value() == "average"
    expect(page.locator("#board-caption")).to_contain_text("of beating the average player")


def test_a_duel_that_is_asked_for_is_forgotten_with_its_tournament(open_page: Open) -> None:
    page = open_page("demo").page
    page.evaluate(
        "() => { document.querySelector('button.name').click();"
        " const board = document.getElementById('board'); board.value = '1';"
        " board.dispatchEvent(new Event('change')); }"
    )
    settled(page)
    page.wait_for_timeout(300)
    expect(page.locator("#duel-found")).to_be_empty()
    expect(page.locator("#duel-bar")).to_be_hidden()


def test_groups_that_never_met_are_not_compared(context: BrowserContext, folder: Path) -> None:
    first = make_table(3, 6, seed=1)
    second = make_table(3, 6, seed=2, names=["x", "y", "z"]).with_columns(pl.col("fold") + 10)
    board = rate(pl.concat([first, second]), components="separate")
    page = context.new_page()
    page.goto(board.report(folder / "groups.html").as_uri())
    ready(page)
    assert names(page) == list(board.players)
    assert "best" not in page.locator("#sentences").inner_text()
    header, *rows = csv.reader(
        io.StringIO(save(page, page.locator("[data-download=matrix]"), "CSV"))
    )
    for row in rows:
        known = [cell != "" for cell in row[1:]]
        assert known == [board.comparable(row[0], other) for other in header[1:]]


def test_duels_are_within_groups_that_met(context: BrowserContext, folder: Path) -> None:
    first = make_table(3, 6, seed=1)
    second = make_table(4, 6, seed=2, names=["w", "x", "y", "z"])
    table = pl.concat([first, second.with_columns(pl.col("fold") + 10)])
    board = rate(table, components="separate")
    page = context.new_page()
    page.goto(board.report(folder / "duels.html").as_uri())
    ready(page)
    for pair in (("x", "z"), ("model 2", "model 0")):
        page.locator("#duel-a").select_option(label=pair[0])
        page.locator("#duel-b").select_option(label=pair[1])
        wanted = board.compare(*pair)
        played = board.duel(*pair)
        found = page.locator("#duel-found")
        expect(found).to_contain_text(f"{pair[0]} beats {pair[1]} in")
        expect(found).to_contain_text(
            f"{pair[0]} won {played.won} and lost {played.lost} of their 6 rounds."
        )
        expect(found).to_contain_text(f"{wanted.difference.value:.2f}")
    page.locator("#duel-b").select_option(label="w")
    expect(page.locator("#duel-found")).to_have_text(
        "The players form groups that never met, each with a scale of its own, so only two of one "
        "group can be compared."
    )
    page.get_by_role("button", name="y", exact=True).click()
    expect(page.locator("#duel-found")).to_contain_text("y beats")


def test_columns_that_are_empty_after_a_refit_come_back(open_page: Open) -> None:
    page = open_page("complete", "#without=0").page
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
    for part in ("#quality-found", "#figures-hint"):
        expect(page.locator(part)).to_contain_text("Of all players and rounds, not refitted.")
    expect(page.locator("#answer-title")).to_have_text("The answer of all players and rounds")
    assert all(row["p_best"] == "" for row in saved_rows(page).values())


def test_what_cannot_be_rated_is_refused_and_undone(open_page: Open) -> None:
    page, board = open_page("complete").page, board_of("complete")
    panel = page.locator("#refit")
    panel.locator("> summary").click()
    rounds = panel.locator('details[data-title="Rounds"]')
    rounds.locator("> summary").click()
    rounds.get_by_role("button", name="All off").click()
    expect(page.locator("#status")).to_contain_text("round")
    expect(page.locator("#refitted")).to_be_hidden()
    assert_rows_equal(saved_rows(page), board, EXACT)


def test_a_large_board_says_why_it_is_not_refitted(open_page: Open) -> None:
    page = open_page("large").page
    page.locator("#refit > summary").click()
    expect(page.locator("#refit-why")).to_have_text(
        "This board is too large to be rated anew in a browser: it has 2,000 players and 20 "
        "rounds; the limit is 300 players and 200 rounds."
    )
    assert page.locator("#board-table input[type=checkbox]").count() == 0
    assert len(names(page)) == 100
    page.locator("#more").click()
    assert len(names(page)) == 2000


# What nobody can do -------------------------------------------------------------------------------


def test_two_hundred_hostile_names_are_text_everywhere(open_page: Open) -> None:
    seen = open_page("hostile", "#all=1&duel=3-7")
    page, board = seen.page, board_of("hostile")
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


@pytest.mark.parametrize("name", ["demo", "separated"])
def test_axe_finds_nothing_serious(looks: BrowserContext, folder: Path, name: str) -> None:
    page = looks.new_page()
    page.goto(f"{write_page(name, folder).as_uri()}#duel=0-1&without=2")
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


def test_a_phone_scrolls_tables_and_not_the_page(browser: Browser, folder: Path) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 800}, offline=True)
    page = context.new_page()
    page.goto(f"{write_page('demo', folder).as_uri()}#duel=0-1")
    ready(page)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
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
