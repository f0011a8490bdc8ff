"""``winodds run``: a spec → every fit that it asks for, and a table of their scores."""

import shlex
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from winodds.cli.progress import Progress
from winodds.language.checks import check_jobs
from winodds.language.words import count, list_names

if TYPE_CHECKING:
    import polars as pl

    from winodds.tournament.run import Run

STARTING = 5
"""Fits after which the rest can be told from."""


def run_spec(
    spec: str,
    folder: Path,
    *,
    only: Sequence[str],
    jobs: int,
    dask: str | None,
    retry_failed: bool,
    plan: bool,
    csv: bool,
    quiet: bool,
) -> None:
    """Say what is planned, do it, and write the table; a run that is stopped writes it, too."""
    from winodds.tournament.door import count_workers, play
    from winodds.tournament.errors import NotSaved
    from winodds.tournament.prepare import read_benchmark
    from winodds.tournament.run import open_run

    workers = count_workers(check_jobs("jobs", jobs))
    with Progress(sys.stderr, quiet=quiet) as progress:
        progress.say("Loading data sets …")
        benchmark = read_benchmark(spec, only)
        with (
            _place_of_plan(folder) if plan else nullcontext(folder) as place,
            open_run(benchmark, place, retry=retry_failed) as opened,
        ):
            for line in describe_plan(opened, narrowed=bool(only)):
                progress.tell(line)
            if plan:
                return
            pace = Pace(progress)
            pace(0, len(opened.todo))
            try:
                play(opened, workers=workers, dask=dask, progress=pace)
            except NotSaved:
                # Where fits find no room, a table does not either.
                raise
            except BaseException:
                _write(opened, folder, csv=csv, progress=progress)
                raise
            _write(opened, folder, csv=csv, progress=progress)


@contextmanager
def _place_of_plan(folder: Path) -> Iterator[Path]:
    """A folder with a copy of what is finished, for a plan changes nothing and waits for nobody."""
    from winodds.tournament.errors import NotALog
    from winodds.tournament.store import FILE

    with tempfile.TemporaryDirectory(prefix="winodds-") as passing:
        if (folder / FILE).exists():
            shutil.copyfile(folder / FILE, Path(passing) / FILE)
        try:
            yield Path(passing)
        except NotALog as error:
            raise NotALog(path=str(folder / FILE), reason=error.reason) from error


def describe_plan(opened: "Run", *, narrowed: bool) -> list[str]:
    """What is planned, what is finished, and what no longer belongs."""
    of = opened.benchmark
    rounds = sum(len(data.rounds) for data in of.data)
    families = len({player.family for player in of.players})
    lines = [
        f"{count(len(opened.plan), 'fit')}: {count(len(of.players), 'player')} of "
        f"{count(families, 'algorithm')}, {count(len(of.data), 'data set')} with "
        f"{count(rounds, 'split')}."
    ]
    done = len(opened.plan) - len(opened.todo)
    if done:
        verb = "is" if done == 1 else "are"
        lines.append(f"{done:,} of these {verb} finished already.")
    for name, same in of.left_out:
        lines.append(f"{name} is left out, for it is the same as {same}.")
    if opened.store.unreadable:
        lines.append(f"{count(opened.store.unreadable, 'line')} of the log cannot be read.")
    if opened.strangers:
        lines.append(_count_others(opened) if narrowed else _name_strangers(opened))
    return lines


def _count_others(opened: "Run") -> str:
    """How many finished fits are not of the part of the spec that plays."""
    number = len(opened.strangers)
    verb, they = ("is", "it is") if number == 1 else ("are", "they are")
    return (
        f"{count(number, 'finished fit')} of the log {verb} of no use for this part; the table is "
        f"without, and {they} kept for a run of the whole spec."
    )


def _name_strangers(opened: "Run") -> str:
    """Which finished fits stay out of the table: those of players that are gone, and others."""
    planned = {player.name for player in opened.benchmark.players}
    whose = dict.fromkeys(
        f"{it.player} on {it.tournament}" if it.player in planned else it.player
        for it in opened.strangers
    )
    verb = "belongs" if len(opened.strangers) == 1 else "belong"
    line = (
        f"{count(len(opened.strangers), 'finished fit')} no longer {verb} to the spec, of "
        f"{list_names(whose)}; the table is without."
    )
    if any(it.player in planned for it in opened.strangers):
        line += " Where names stay, data, splits, hyperparameters, the seed or code are other ones."
    return line


class Pace:
    """Tells how far a run is, how fast it goes, and how long it will take."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._start = time.monotonic()

    def __call__(self, done: int, total: int) -> None:
        seconds = time.monotonic() - self._start
        text = f"{done:,} of {count(total, 'fit')}"
        if done >= STARTING and done < total:
            left = spell_time((total - done) * seconds / done)
            text += f", {spell_rate(done / seconds)}, {left} left"
        bar = self._progress.draw_bar(done / total) if total else ""
        self._progress.say(f"{bar}{text} …")


def spell_rate(rate: float) -> str:
    """Fits in a time that makes a number above one of them.

    >>> spell_rate(12.3), spell_rate(0.2), spell_rate(0.001)
    ('12 a second', '12 a minute', '3.6 an hour')
    """
    for unit, length in (("a second", 1.0), ("a minute", 60.0)):
        if rate * length >= 1.0:
            return f"{rate * length:.2g} {unit}" if rate * length < 100 else f"{rate:,.0f} {unit}"
    return f"{rate * 3600.0:.2g} an hour"


def spell_time(seconds: float) -> str:
    """A time to wait.

    >>> spell_time(0.3), spell_time(75), spell_time(9000)
    ('1 s', '2 min', '2.5 h')
    """
    if seconds < 60:
        return f"{max(1, round(seconds))} s"
    return f"{-(-seconds // 60):.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def _write(opened: "Run", folder: Path, *, csv: bool, progress: Progress) -> None:
    """Write what is finished, and say what is missing and what to do next."""
    from winodds.tournament.output import make_table, tell_failures, write_output

    finished = opened.finished
    table = make_table(opened.benchmark, finished)
    write_output(opened.benchmark, table, folder, csv=csv)
    for line in tell_failures(table):
        progress.tell(f"* {line}")
    if len(finished) < len(opened.plan):
        progress.tell(
            f"{len(finished):,} of {count(len(opened.plan), 'fit')} are finished; the same command "
            f"goes on from there."
        )
    else:
        progress.tell(f"Written to {folder}. {_tell_next(table, folder)}")


def _tell_next(table: "pl.DataFrame", folder: Path) -> str:
    """What to do with the results."""
    from winodds.adapters.columns import METRIC, SCORE

    scored = table.drop_nulls(SCORE)[METRIC].unique(maintain_order=True).to_list()
    if not scored:
        return "No fit has a score, so there is nothing to rate."
    words = ["winodds", "rate", str(folder)]
    several = table[METRIC].n_unique() > 1
    return f"Next: {shlex.join([*words, '--metric', scored[0]] if several else words)}"
