"""Evaluations of a suite or of tasks, fetched from a server of OpenML in two steps.

First the means of all runs of every task, page by page, of which a rule chooses one for each flow;
then the values by fold of the chosen ones.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import urlsplit

import polars as pl

from winodds.adapters.adapted import Adapted, adapt_scores
from winodds.adapters.algorithms import read_algorithms
from winodds.adapters.cells import note_failures
from winodds.adapters.columns import CHOSEN_BY, METRIC, PLAYER, metric_direction
from winodds.adapters.notes import fold_order
from winodds.adapters.openml.choice import RUNS, choose_runs
from winodds.adapters.openml.client import (
    RUN_COLUMNS,
    Client,
    CutOff,
    configured_server,
    require_client,
)
from winodds.adapters.openml.errors import NoEvaluations, NoTasks
from winodds.adapters.openml.evaluations import (
    TASK,
    TITLE,
    Folds,
    name_of,
    spread_folds,
    summarise,
    with_company,
    with_families,
)
from winodds.adapters.openml.folds import check_folds
from winodds.adapters.openml.notes import (
    best_run_each,
    folds_cut_off,
    one_run_each,
    pages_reused,
    settings_are_players,
    several_engines,
)
from winodds.adapters.openml.pace import Pace
from winodds.adapters.openml.pages import Pages, usual_folder
from winodds.language.errors import BadOption
from winodds.language.notes import Note
from winodds.language.option import takes
from winodds.language.options import Fetching
from winodds.language.words import count

BATCH = 200
"""Runs whose values by fold are asked for at once; more would make the address too long."""

POLITE = 1.0
"""Seconds between two requests to a server that is not on this machine, at least."""

FoldsByRun: TypeAlias = dict[int, list[float | None]]

NEAR = ("localhost", "127.0.0.1", "::1")


@takes(Fetching)
def fetch_openml(tasks: Any, options: Fetching) -> Adapted:
    """Fetch evaluations of OpenML: flows as players, tasks as tournaments and folds as rounds.

    Needs OpenML's client, ``pip install 'winodds[openml]'``. Answers of the server are kept, so
    that a call that was broken off goes on where it was, and nothing is asked for twice.

    Parameters
    ----------
    tasks : a suite, by its number or its name (99 or "OpenML-CC18"), or a list of tasks' numbers.
    options : see `Fetching`.

    Returns
    -------
    Adapted
        A table that `rate` and `rate_each` take.
    """
    require_client()
    up = metric_direction(options.metric, options.higher_is_better) == "up"
    algorithms = read_algorithms(options.algorithms)
    visit = _Visit(options)
    title, wanted, sizes = visit.choose_tasks(tasks)
    runs = visit.list_runs(wanted, up)
    folds, notes = visit.list_folds(runs["run_id"].to_list())
    frame = runs.join(sizes, on="task_id", how="left", maintain_order="left").with_columns(
        _player(options.run), name_of("task_id", "data_name").alias(TASK)
    )
    frame = frame.with_columns(
        pl.col("function").alias(METRIC), pl.lit(options.run).alias(CHOSEN_BY)
    )
    lists: list[Folds] = [folds.get(run) for run in runs["run_id"]]
    rows = spread_folds(frame, lists)
    rows, lonely = with_company(rows, title)
    rows, unknown = with_families(rows, algorithms)
    noun = "setting" if options.run == "setup" else "flow"
    return adapt_scores(
        rows.drop(TASK, "function", "value", "data_name"),
        name=title,
        tool=TITLE,
        higher_is_better=options.higher_is_better,
        summary=summarise(rows, noun),
        notes=[
            *_about_choice(runs, options),
            *notes,
            *lonely,
            *unknown,
            *note_failures(rows),
            *visit.about_pages(),
        ],
    )


def _player(rule: str) -> pl.Expr:
    flow = name_of("flow_id", "flow_name")
    if rule != "setup":
        return flow.alias(PLAYER)
    return pl.concat_str(flow, pl.col("setup_id"), separator="/").alias(PLAYER)


def _about_choice(runs: pl.DataFrame, options: Fetching) -> list[Note]:
    """What is to be said of the rule that chose the runs."""
    most, several = int(runs[RUNS].max() or 0), int((runs[RUNS] > 1).sum())  # type: ignore[arg-type]
    if options.run == "setup":
        flows = runs["flow_id"].n_unique()
        return [settings_are_players(flows, runs.select("flow_id", "setup_id").n_unique())]
    if not several:
        return []
    if options.run == "best":
        return [best_run_each(most)]
    return [one_run_each(options.run, runs.height, several, most)]


class _Visit:
    """One visit to a server: what is asked there, and what it says."""

    def __init__(self, options: Fetching) -> None:
        from winodds.adapters.openml.desk import Desk, Manners

        server = check_server(options.server, options.pause)
        manners = Manners(options.timeout, options.retries, options.pause)
        folder = usual_folder() if options.cache is None else Path(options.cache)
        self._options = options
        self._say = options.progress or (lambda _: None)
        self._pages = Pages(folder, refresh=options.refresh)
        self._desk = Desk(server, self._pages, manners, self._say)
        self._client = Client(self._desk, server)
        self._doubled = 0

    def choose_tasks(self, tasks: Any) -> tuple[str, list[int], pl.DataFrame]:
        """The title of what is fetched, the tasks in it, and the sizes of their data."""
        self._say("Asking for tasks …")
        numbers, data = _numbers(tasks), list[int]()
        title = f"{count(len(numbers or ()), 'task')} of OpenML"
        if numbers is None:
            title, numbers, data = self._client.suite(tasks)
        sizes = self._client.describe_tasks(numbers, data)
        if not self._options.binary:
            return title, numbers, sizes
        two = set(sizes.filter(pl.col("number_classes") == 2)["task_id"].to_list())
        if not two:
            raise NoTasks(suite=title, tasks=len(numbers))
        return title, [task for task in numbers if task in two], sizes

    def list_runs(self, tasks: Sequence[int], up: bool) -> pl.DataFrame:
        """The chosen runs of all tasks."""
        found, pace = [], Pace(len(tasks))
        for place, task in enumerate(tasks):
            left = pace.begin(place)
            listed = pl.concat(self._pages_of(task, f"Task {place + 1:,} of {len(tasks):,}", left))
            self._doubled -= listed["run_id"].n_unique()
            found.append(choose_runs(listed, self._options.run, higher_is_better=up))
        runs = pl.concat(found)
        if not runs.height:
            metric, known = self._options.metric, self._client.functions()
            close = [] if metric in known else get_close_matches(metric, known, n=3)
            raise NoEvaluations(function=metric, tasks=len(tasks), close=close)
        return runs

    def _pages_of(self, task: int, title: str, left: str) -> Iterator[pl.DataFrame]:
        """The pages of a task's runs; the last is not full."""
        size, offset = self._options.page_size, 0
        yield pl.DataFrame(schema=RUN_COLUMNS)
        while True:
            self._say(f"{title}: {count(offset, 'run')} so far; {self._told(left)} …")
            page = self._client.list_runs(self._options.metric, task, offset=offset, size=size)
            self._doubled += self._desk.listed
            yield page
            offset += size
            # The client drops what several engines evaluated, so its own number may be smaller.
            if self._desk.listed < size:
                return

    def list_folds(self, runs: Sequence[int]) -> tuple[FoldsByRun, list[Note]]:
        """The values by fold of the chosen runs, and what is to be said of them."""
        size = min(BATCH, self._options.page_size)
        folds: FoldsByRun = {}
        broken: list[int] = []
        pace = Pace(-(-len(runs) // size))
        for step, start in enumerate(range(0, len(runs), size)):
            told = self._told(pace.begin(step))
            self._say(f"Folds of run {start + 1:,} of {len(runs):,}; {told} …")
            self._add_folds(sorted(runs[start : start + size]), folds, broken)
        notes = [folds_cut_off(sorted(broken))] if broken else []
        notes += [several_engines(self._doubled)] if self._doubled else []
        return folds, [*self._verify(folds), *notes]

    def _add_folds(self, runs: Sequence[int], folds: FoldsByRun, broken: list[int]) -> None:
        """Add the values of some runs; a list that was cut off spoils the answer of all."""
        size = self._options.page_size
        try:
            found = self._client.list_folds(self._options.metric, runs, size=size)
            full = self._desk.listed >= size
            left = [run for run in runs if run not in found]
            folds |= found
            # Several engines may have evaluated a run, so that its neighbours are on no full page.
            if found and full and left:
                self._add_folds(left, folds, broken)
        except CutOff:
            if len(runs) == 1:
                broken.extend(runs)
                return
            half = len(runs) // 2
            self._add_folds(runs[:half], folds, broken)
            self._add_folds(runs[half:], folds, broken)

    def _verify(self, folds: FoldsByRun) -> list[Note]:
        asked = self._options.verify_folds
        if not asked or not folds:
            return [fold_order()] if folds else []
        check = check_folds(folds, asked, self._ask_folds(min(asked, len(folds))))
        folds |= check.mended
        return check.notes(len(folds)) or [fold_order()]

    def _ask_folds(self, of: int) -> Callable[[int], list[float]]:
        """Asks one run after the other for its folds, and says how far it is."""
        pace, steps = Pace(of), iter(range(of))

        def ask(run: int) -> list[float]:
            step = next(steps)
            told = self._told(pace.begin(step))
            self._say(f"Order of folds of run {step + 1:,} of {of:,}; {told} …")
            return self._client.folds_of(self._options.metric, run)

        return ask

    def _told(self, left: str) -> str:
        """How many requests went out, and how long the rest may take."""
        return ", ".join(filter(None, [count(self._desk.sent, "request"), left]))

    def about_pages(self) -> list[Note]:
        """A note about answers that were known."""
        if self._pages.oldest is None:
            return []
        day = datetime.fromtimestamp(self._pages.oldest, UTC).strftime("%Y-%m-%d")
        return [pages_reused(self._pages.reused, day)]


def check_server(server: str | None, pause: float) -> str:
    """The address of the server, with a slash at its end; refuses to hurry another's."""
    address = f"{(configured_server() if server is None else server).rstrip('/')}/"
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        wanted = "it is the address of an interface, such as https://www.openml.org/api/v1/xml"
        raise BadOption(option="server", value=address, wanted=wanted)
    if pause < POLITE and parts.hostname not in NEAR:
        wanted = "a server that others use is asked once a second at most; it is 1 or more"
        raise BadOption(option="pause", value=pause, wanted=wanted)
    return address


def _numbers(tasks: Any) -> list[int] | None:
    """The numbers of tasks, each once; None for a suite."""
    if isinstance(tasks, (int, str)) and not isinstance(tasks, bool) and tasks != "":
        return None
    found = list(tasks) if isinstance(tasks, Sequence) and not isinstance(tasks, str) else []
    if not found or not all(type(task) is int and task > 0 for task in found):
        wanted = "it is a suite's number or name, or a list of tasks' numbers"
        raise BadOption(option="tasks", value=tasks, wanted=wanted)
    return list(dict.fromkeys(found))
