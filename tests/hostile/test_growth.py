"""Wide, long and endless input takes a time in proportion to its size, or is refused at once."""

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import polars as pl
import pytest
from tables import sentence

from winodds import rate, read_results, to_long
from winodds.cli.main import run
from winodds.errors import EndlessLine
from winodds.read.delimited import LONGEST_LINE


def wide(path: Path, columns: int) -> Path:
    """A table of two models and so many rounds."""
    rows = ["model," + ",".join(f"d{k}" for k in range(columns))]
    rows += [
        f"m{m}," + ",".join(f"0.{(m * 7 + k * 3) % 10}{k % 10}" for k in range(columns))
        for m in range(2)
    ]
    path.write_text("\n".join(rows) + "\n")
    return path


def seconds(call: Callable[[], object]) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start


def test_a_header_is_read_in_a_time_in_proportion_to_its_columns(tmp_path: Path) -> None:
    """40,000 columns take about four times as long as 10,000; it was sixteen times."""
    small, large = wide(tmp_path / "small.csv", 10_000), wide(tmp_path / "large.csv", 40_000)
    read_results(small)
    times = [min(seconds(partial(read_results, own)) for _ in range(3)) for own in (small, large)]
    assert times[1] < 9.0 * times[0] + 0.1, times


@pytest.mark.slow
@pytest.mark.parametrize("words", [[], ["--wide", "--higher-is-better", "--no-details"]])
def test_a_hundred_thousand_columns_take_twenty_seconds_at_most(
    tmp_path: Path, words: list[str]
) -> None:
    file = wide(tmp_path / "wide.csv", 100_000)
    took = seconds(lambda: run(["rate", str(file), "--quiet", *words]))
    print(f"{took:.1f} s")
    assert took < 20.0


def test_a_wide_table_of_many_columns_becomes_a_long_one(tmp_path: Path) -> None:
    long = to_long(read_results(wide(tmp_path / "wide.csv", 5_000)), labels="model")
    assert long.rows == 10_000


def test_a_file_of_one_endless_line_is_refused_at_once(tmp_path: Path) -> None:
    file = tmp_path / "line.csv"
    file.write_bytes(b"a" * (LONGEST_LINE + 1_000_000))
    said: list[str] = []
    took = seconds(lambda: said.append(sentence(EndlessLine, lambda: read_results(file))))
    assert said == [
        "The first 67 of 68 MB have no line end, so this is no table with a header; they begin "
        f"with '{'a' * 59}…'."
    ]
    assert took < 2.0


def test_a_page_of_very_long_names_is_not_many_times_as_long(tmp_path: Path) -> None:
    """Ten names of 20 KB are 0.2 MB, and each stands on the page a few times only."""
    rows = [
        {"player": f"{p}{'x' * 20_000}", "round": r, "score": float((7 * p + 3 * r) % 10)}
        for p in range(10)
        for r in range(6)
    ]

    def page(names: int) -> int:
        table = pl.DataFrame(rows).with_columns(player=pl.col("player").str.slice(0, names))
        board = rate(table, higher_is_better=True, details=False)
        return board.report(tmp_path / "page.html", details=False).stat().st_size

    assert page(20_001) - page(1) < 12 * 200_000
