"""What a user can do is never a mistake of Winodds: odd arguments, limits, links and Ctrl-C."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tables import sentence, three_by_three

from winodds import rate
from winodds.cli.main import run
from winodds.errors import NoRoomToDraw, WeightsTooFar
from winodds.show.charts.save import render_picture
from winodds.workers import run_calls

CSV = "model,fold,auc\n" + "".join(
    f"m{k},{f},0.{(7 * k + 3 * f) % 10}{k}\n" for k in range(3) for f in range(8)
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text(CSV)
    (tmp_path / "best.csv").write_text("model,score\na,0.5\nb,0.6\nc,0.7\n")
    (tmp_path / "loop").symlink_to("loop")
    return tmp_path


LOOP, BYTES = "loop", os.fsdecode(b"\xff")

ODD = [
    ["rate", "t.csv", "--player", BYTES],
    ["rate", "t.csv", "-o", f"{BYTES}.csv"],
    ["report", "t.csv", "--title", BYTES, "--no-details", "-o", "page.html"],
    ["rate", LOOP],
    ["rate", "t.csv", "-o", LOOP, "--format", "csv"],
    ["rate", "t.csv", "-o", f"{LOOP}/x.csv"],
    ["gate", LOOP, "t.csv"],
    ["convert", LOOP, "-o", "c.csv"],
    ["demo", "-o", LOOP],
    ["demo", "-o", f"{LOOP}/below"],
    ["bootstrap", "t.csv", "--jobs", "10000000000"],
    ["quality", "t.csv", "--jobs", "10000000000"],
    ["sota", "best.csv", "--se", "1e-300", "--higher-is-better"],
    ["sota", "best.csv", "--se", "1e-9", "--higher-is-better"],
    ["sota", "best.csv", "--se", "1e300", "--higher-is-better"],
]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("words", ODD, ids=lambda words: " ".join(words).encode("ascii", "replace"))
def test_an_odd_command_ends_with_a_result_or_a_sentence(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    code = run([*words, *(["--quiet"] if words[0] not in ("demo", "convert") else [])])
    said = capsys.readouterr().err
    assert code in (0, 1, 2)
    assert (code == 0) == ("Error:" not in said), said
    assert "made a mistake" not in said


@pytest.mark.usefixtures("folder")
def test_a_file_whose_name_is_no_text_is_named() -> None:
    done = subprocess.run(
        [os.fsencode(sys.executable), b"-m", b"winodds", b"rate", b"\xff.csv"],
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.endswith(b"Error: There is no file '\\udcff.csv'.\n")


def test_more_workers_than_calls_are_not_started() -> None:
    assert list(run_calls([lambda: 1, lambda: 2], 10**10)) == [1, 2]


def test_a_standard_error_that_no_score_can_show_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["sota", str(folder / "best.csv"), "--se", "1e-300", "--higher-is-better"]) == 2
    assert capsys.readouterr().err.endswith(
        "Error: --se 1e-300 is not possible; it is 1e-12 or more, and 1e+12 or less.\n"
    )


@pytest.mark.parametrize("harm", ["\u202e", "\x1b[31m", "\x9b31m"])
def test_a_look_at_names_that_command_a_terminal_shows_them(
    harm: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for text in (CSV.replace("m0", f"m{harm}0"), CSV.replace("fold", f"fo{harm}ld")):
        (folder / "x.csv").write_text(text, encoding="utf-8")
        assert run(["look", "x.csv"]) in (0, 1)
        out, err = capsys.readouterr()
        assert not set(harm[:1]) & set(out + err)
        assert ascii(harm)[1:-1] in out + err or f"U+{ord(harm[0]):04X}" in out + err


def test_a_folder_that_cannot_be_walked_through_cannot_be_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(own: Path, pattern: str) -> Any:
        raise OSError(22, "Invalid argument", f"{own}/{pattern}")

    (folder / "logs").mkdir()
    monkeypatch.setattr(Path, "rglob", broken)
    assert run(["rate", "logs"]) == 1
    assert "Error: 'logs' cannot be read: invalid argument.\n" in capsys.readouterr().err


# Weights ------------------------------------------------------------------------------------------


def weighted(*weights: float) -> pl.DataFrame:
    return three_by_three().with_columns(
        weight=pl.col("round").replace_strict(dict(enumerate(weights, 1)), return_dtype=pl.Float64)
    )


def test_weights_over_more_than_eight_decades_are_refused() -> None:
    said = sentence(
        WeightsTooFar,
        lambda: rate(weighted(1e-9, 1.0, 2.0), weights="weight", higher_is_better=True),
    )
    assert said.startswith(
        "The weights in column 'weight' go from 1e-09 (round '1' (row 1)) to 2 (round '3' (row 7))"
    )


def test_weights_over_eight_decades_are_rated_whatever_players_are_called() -> None:
    table = weighted(1e-8, 1e-3, 1.0)
    swapped = table.with_columns(
        player=pl.col("player").replace_strict({"a": "z", "b": "m", "c": "b"})
    )
    epp = [
        sorted(rate(own, weights="weight", higher_is_better=True).standings.epp.tolist())
        for own in (table, swapped)
    ]
    assert epp[0] == pytest.approx(epp[1], rel=1e-9, abs=1e-9)


# Interrupts ---------------------------------------------------------------------------------------


def test_an_interrupt_while_the_command_is_loaded_ends_it_without_a_traceback(
    tmp_path: Path,
) -> None:
    """A library that presses Ctrl-C while it is imported stands for a user who does."""
    (tmp_path / "click.py").write_text(
        "import os, signal, time\nos.kill(os.getpid(), signal.SIGINT)\ntime.sleep(5)\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "winodds", "--version"],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        timeout=30,
        check=False,
    )
    assert (done.returncode, done.stderr) == (130, "Interrupted.\n")


def test_the_command_is_the_module_that_answers_an_interrupt() -> None:
    from importlib.metadata import entry_points

    (command,) = entry_points(group="console_scripts", name="winodds")
    assert command.value == "winodds.__main__:start"
    # Whoever is started in the background by a shell is born deaf to it.
    usual = (signal.default_int_handler, signal.SIG_IGN)
    assert signal.getsignal(signal.SIGINT) in usual


# Limits -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["svg", "png", "pdf", "html"])
def test_pictures_under_a_limit_on_addresses_are_refused(
    form: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    resource = pytest.importorskip("resource")
    chart = rate(three_by_three(), higher_is_better=True).plot.ranking()
    monkeypatch.setattr(resource, "getrlimit", lambda _: (2**32, 2**32))
    said = sentence(NoRoomToDraw, lambda: render_picture(chart, form))
    assert said.startswith("Pictures cannot be drawn under a limit of 4.0 GB on addresses")
