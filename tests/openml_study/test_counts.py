"""What the page of the study counts, by hand."""

import re
import time
from html import unescape
from itertools import pairwise
from pathlib import Path

import pytest
from openml_server import LEARNERS, large_world

from openml_study.pages import (
    CLASS,
    UNKNOWN,
    Found,
    as_recall,
    cells_of,
    learner_of,
    make_study,
    stay_away_from_home,
)


def test_shares_filled_are_counted_by_hand(small: Found) -> None:
    check_shares(small)


def check_shares(found: Found) -> None:
    world, cells = found.world, cells_of(found.world)
    pairs = len(world.tasks) * len(world.flows)
    classes = {flow: CLASS.get(learner_of(world, flow)) for flow in world.flows}
    by_class = {(task, classes[flow]) for task, flow in cells if classes[flow]}
    known = {name for _, name in by_class}
    several = sum(number > 1 for number in cells.values())
    assert f"{len(cells):,} of {pairs:,} pairs of a flow and a task have a result" in found.text
    assert f"of {several:,} pairs with several runs it is the first" in found.text
    share = len(cells) / pairs
    assert f"Results of flows: {share:.1%} of {pairs:,} cells are filled" in found.text
    of = len(known) * len(world.tasks)
    told = f"algorithms: {len(by_class) / of:.1%} of {of:,} cells are filled"
    assert told in found.text
    tiles = [str(len(world.tasks)), f"{len(world.flows):,}", f"{sum(cells.values()):,}"]
    assert [unescape(x) for x in re.findall(r"<div><b>(.*?)</b>", found.html)] == [
        *tiles,
        str(len(known)),
        f"{share:.0%}",
        f"{len(by_class) / of:.0%}",
    ]


def test_yellow_cells_are_where_results_are(small: Found) -> None:
    """The widths of what is drawn yellow add up to the cells that are filled."""
    drawn = re.findall(r'class="full" d="(.*?)"', small.html)
    wide = [sum(float(w) for w in re.findall(r"h([\d.]+)v", path)) for path in drawn]
    flows, tasks = len(small.world.flows), len(small.world.tasks)
    assert wide[0] / (760 / flows) == pytest.approx(len(cells_of(small.world)), rel=1e-3)
    assert len(re.findall(r"M[\d.]+ [\d.]+h", drawn[0])) <= flows * tasks / 2


def test_flows_of_each_algorithm_and_tool(small: Found) -> None:
    world = small.world
    sizes: dict[str, int] = {}
    tools: dict[str, int] = {}
    for flow in world.flows:
        learner = learner_of(world, flow)
        name = CLASS.get(learner, "unknown")
        sizes[name] = sizes.get(name, 0) + 1
        tool = {"classif": "mlr"}.get(learner.split(".")[0], learner.split(".")[0])
        tools[tool] = tools.get(tool, 0) + 1
    drawing = small.html.partition('aria-label="flows by algorithm"')[2].partition("</svg>")[0]
    words = re.findall(r"<text[^>]*>(.*?)</text>", drawing)
    assert dict(zip(words[::2], map(int, words[1::2]), strict=True)) == sizes
    listed = sorted(tools.items(), key=lambda pair: (-pair[1], pair[0]))
    assert "Flows by tool: " + ", ".join(f"{a} {b}" for a, b in listed) in small.text
    known = len(world.flows) - sizes.get("unknown", 0)
    assert f"{known} of {len(world.flows)} have one" in small.text


def test_the_tasks_have_their_sizes_runs_and_flows(small: Found) -> None:
    cells = cells_of(small.world)
    rows = small.table("Task", "Observations", "Features", "Classes", "Runs", "Flows")
    for number, task in small.world.tasks.items():
        own = {flow: runs for (of, flow), runs in cells.items() if of == number}
        names = {CLASS.get(learner_of(small.world, flow)) for flow in own} - {None}
        assert [
            f"{number}_{task.name}",
            *(str(x) for x in (task.instances, task.features, task.classes)),
            *(str(x) for x in (sum(own.values()), len(own), len(names))),
        ] in rows
    assert len(rows) == 6


def test_flows_on_most_tasks_come_first(small: Found) -> None:
    number: dict[int, int] = {}
    for _, flow in cells_of(small.world):
        number[flow] = number.get(flow, 0) + 1
    rows = small.table("Flow", "Name", "Algorithm", "Tasks")
    assert [int(row[3]) for row in rows] == sorted(number.values(), reverse=True)[:10]
    for own, name, algorithm, tasks in rows:
        learner = learner_of(small.world, int(own))
        assert (name, tasks) == (f"{own}_{small.world.flows[int(own)]}", str(number[int(own)]))
        assert algorithm == CLASS.get(learner, "unknown")


def histogram(found: Found, words: str) -> dict[str, int]:
    """The bars of a histogram, by what they say."""
    drawing = found.html.partition(f'aria-label="{words}"')[2].partition("</svg>")[0]
    pairs = re.findall(r"<title>(.*?): (\d+)</title>", drawing)
    return {name: int(number) for name, number in pairs}


def test_histograms_hold_every_task_and_flow_once(small: Found) -> None:
    cells, world = cells_of(small.world), small.world
    classes = [task.classes for task in world.tasks.values()]
    found = histogram(small, "tasks by classes of the target")
    assert {int(k): v for k, v in found.items() if v} == {k: classes.count(k) for k in classes}
    tasks = [sum(flow == own for _, own in cells) for flow in world.flows]
    found = histogram(small, "flows by tasks")
    assert {int(k): v for k, v in found.items()} == {k: tasks.count(k) for k in range(1, 7)}
    runs = [sum(n for (task, _), n in cells.items() if task == own) for own in world.tasks]
    for low_high, number in histogram(small, "tasks by runs").items():
        low, _, high = low_high.partition(" to ")
        assert number == sum(int(low) <= own <= int(high or low) for own in runs)


def test_all_learners_of_the_server_are_classified_by_hand() -> None:
    assert {*CLASS} == {*LEARNERS} - {UNKNOWN}
    assert len(set(CLASS.values())) == 19


@pytest.mark.slow
def test_the_study_of_a_server_with_the_shape_of_cc18(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """31 tasks, 1,000 flows, three quarters of the cells empty."""
    stay_away_from_home(monkeypatch, tmp_path)
    world = large_world(31, 1000, filled=0.22)
    began = time.monotonic()
    found = make_study(tmp_path, world, second=as_recall(world))
    seconds = time.monotonic() - began
    check_shares(found)
    empty = 1 - len(cells_of(world)) / 31000
    assert 0.75 < empty < 0.78
    assert found.size < 10_000_000
    assert "Flows over their tasks" in found.text
    assert [len(rows) for rows in (found.table("Task", "Observations"),)] == [31]
    for first, second in pairwise(float(row[4]) for row in found.table("Rank", "Flow")):
        assert first >= second
    with capsys.disabled():
        print(f"\n{found.size / 1e6:.1f} MB in {seconds:.0f} s, {empty:.1%} of the cells empty")
