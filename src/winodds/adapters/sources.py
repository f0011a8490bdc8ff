"""The door: a path → a table that knows its roles, or a plain one."""

import os
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import TypeAlias

from winodds.adapters.adapted import Adapted
from winodds.adapters.adapter import Adapter, Wanted
from winodds.adapters.errors import SeveralSources, UnknownSource
from winodds.adapters.place import Place
from winodds.language.checks import check_choice
from winodds.language.errors import BadOption
from winodds.language.options import LIMIT, Cells, Decimal
from winodds.read.loading import load_content
from winodds.read.sheet import Sheet

Table: TypeAlias = Adapted | Sheet

MODULES = (
    "amlb",
    "arena",
    "converted",
    "every_eval_ever",
    "inspect_ai",
    "lm_eval",
    "mlflow",
    "openml.export",
    "optuna",
    "runs",
    "scikit_learn",
    "tabarena",
)
"""The adapters' modules; each has an `Adapter` called ADAPTER."""

LOGS = ("lm-eval", "inspect", "every-eval-ever")
"""Adapters of what evaluations of language models leave."""

KINDS = {
    "folder": "a folder",
    "database": "a database",
    "archive": "an archive",
    "json": "a JSON document",
}


def adapters() -> dict[str, Adapter]:
    """All adapters, by the names that ``source`` takes."""
    found = [import_module(f"winodds.adapters.{module}").ADAPTER for module in MODULES]
    return {adapter.name: adapter for adapter in found}


def read_source(
    path: str | os.PathLike[str],
    *,
    source: str | None = None,
    metric: str | None = None,
    rounds: str | None = None,
    higher_is_better: bool | None = None,
    algorithms: str | os.PathLike[str] | None = None,
    decimal: Decimal = ".",
    percent: bool = False,
    encoding: str = "utf-8",
    limit: float = LIMIT,
    sheet: str | None = None,
) -> Table:
    """Read results from where they live: logs and databases of other tools, or a table.

    What a place holds follows from its content where that is unmistakable.

    Parameters
    ----------
    path : a file or a folder; "-" is standard input.
    source : what it is, if that is not found or not wanted: the name of an adapter, or "table".
    metric : which metric, scorer or objective; "all" for each in turn.
    rounds : what a round is, where a source has several things that could be one.
    higher_is_better : the direction of metrics of which source and names say nothing.
    algorithms : for evaluations of OpenML, a TOML or CSV file that adds to the table of algorithms;
        see `winodds.extract_algorithm`.
    decimal, percent, encoding, limit, sheet : how cells of tables are read, as in
        `winodds.read_results`.

    Returns
    -------
    Adapted or Sheet
        A table that `rate` and `rate_each` take; one of another tool knows its columns' roles.
    """
    cells = Cells(decimal=decimal, percent=percent, encoding=encoding, limit=limit, sheet=sheet)
    added = None if algorithms is None else os.fspath(algorithms)
    wanted = Wanted(metric, rounds, higher_is_better, added)
    return open_place(Place(os.fspath(path), cells), source, wanted)


def read_logs(
    path: str | os.PathLike[str],
    *,
    metric: str | None = None,
    rounds: str | None = None,
    higher_is_better: bool | None = None,
) -> Adapted:
    """The results of evaluation logs; arguments as in `read_source`."""
    place = Place(os.fspath(path))
    if not Path(place.path).exists():
        load_content(place.path)  # which says that there is none, and what is called alike
    known = adapters()
    fitting = [name for name in LOGS if known[name].recognise(place)]
    if not fitting:
        kind = KINDS.get(place.kind, "a table")
        raise UnknownSource(path=place.path, kind=kind, sources=LOGS)
    if len(fitting) > 1:
        raise SeveralSources(path=place.path, sources=fitting)
    found = open_place(place, fitting[0], Wanted(metric, rounds, higher_is_better))
    assert isinstance(found, Adapted)
    return found


def open_place(place: Place, source: str | None, wanted: Wanted) -> Table:
    """What a place holds, read by its adapter, or as a plain table."""
    adapter = find_adapter(place, source)
    if adapter is None:
        _refuse_for_tables(wanted)
        return place.sheet
    if wanted.rounds is not None:
        check_rounds(adapter, wanted.rounds)
    if not adapter.table or place.kind != "table":
        _refuse_cells(place.cells, adapter.title)
    if wanted.algorithms is not None and not adapter.flows:
        why = f"it is for flows of OpenML, and this is {adapter.title}"
        raise BadOption(option="algorithms", value=wanted.algorithms, wanted=why)
    return adapter.read(place, wanted)


def find_adapter(place: Place, source: str | None) -> Adapter | None:
    """The adapter that was asked for, or that knows the place; None for a plain table."""
    known = adapters()
    if source is not None:
        check_choice("source", source, ("table", *known))
        return known.get(source)
    fitting = [adapter for adapter in known.values() if adapter.recognise(place)]
    if len(fitting) > 1:
        raise SeveralSources(path=place.path, sources=[adapter.name for adapter in fitting])
    if fitting:
        return fitting[0]
    if place.kind in ("folder", "database", "archive") and Path(place.path).exists():
        raise UnknownSource(path=place.path, kind=KINDS[place.kind], sources=list(known))
    return None


def check_rounds(adapter: Adapter, rounds: str) -> None:
    """Refuse what cannot be a round of such a source."""
    if not adapter.rounds:
        wanted = f"{adapter.title} has one kind of rounds only"
        raise BadOption(option="rounds", value=rounds, wanted=wanted)
    check_choice("rounds", rounds, adapter.rounds)


def _refuse_cells(cells: Cells, title: str) -> None:
    """Refuse what is about the cells of a table where there are none."""
    for name, usual in asdict(Cells()).items():
        value = getattr(cells, name)
        if value != usual:
            wanted = f"it says how cells of a table are read, and there are none in {title}"
            raise BadOption(option=name, value=value, wanted=wanted)


def _refuse_for_tables(wanted: Wanted) -> None:
    """Refuse what means nothing for a plain table."""
    for name in ("metric", "rounds", "algorithms"):
        value = getattr(wanted, name)
        if value is not None:
            why = "it is for logs of other tools, and this is a plain table; name its columns"
            raise BadOption(option=name, value=value, wanted=why)
