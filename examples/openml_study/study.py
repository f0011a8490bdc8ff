"""The study of OpenML with EPP as one page: of a table that `winodds openml` wrote.

winodds openml --suite 99 --binary -o auc.parquet
python examples/openml_study/study.py auc.parquet -o study.html
"""

import argparse
import sys
from pathlib import Path

import counts
import page
from evaluations import UNKNOWN, Evaluations, NoSuchTable, read_evaluations
from page import Colouring, Section
from ratings import Study, compare_best, rate_study
from section_algorithms import describe_boxes, describe_matrices
from section_data import describe_data
from section_metric import describe_metric, describe_second, label_of
from section_outlook import describe_outlook
from section_tasks import describe_tasks

import winodds

WORDS = (
    "In sentences of Winodds a flow is a player, a task a tournament or data set, a fold a round, "
    "and an algorithm a family. EPP are log-odds: a flow that is 1 above another beats it in 73 of "
    "100 folds. Labels such as Figure 5.1 name the picture of this kind in B. Szymański's thesis "
    "(Warsaw University of Technology 2025)."
)
"""How to read the page."""


def make_page(evaluations: Evaluations, second: Evaluations | None, reference: str | None) -> str:
    """The study of a table, and of a second one by another metric, as HTML."""
    study = rate_study(evaluations, reference=reference)
    other = None if second is None else rate_study(second)
    colours = Colouring(evaluations.algorithm_of().values())
    metric = label_of(evaluations.metric)
    return page.render(
        f"EPP over OpenML, by {metric}",
        _opening(study, colours),
        list(_sections(study, other, colours)),
        colours.style(),
    )


def _opening(study: Study, colours: Colouring) -> list[str]:
    """What comes first: how much there is, and what came out."""
    evaluations = study.evaluations
    overview = counts.count_all(evaluations)
    by_flow, by_algorithm = (counts.find_filled(evaluations, by) for by in ("flow", "algorithm"))
    names = [name for name, _ in counts.flows_by_algorithm(evaluations) if name != UNKNOWN]
    numbers = [(f"{overview.tasks:,}", "tasks"), (f"{overview.flows:,}", "flows")]
    if overview.runs is not None:
        numbers.append((f"{overview.runs:,}", "runs that they stand for"))
    numbers += [
        (f"{len(names):,}", "algorithms"),
        (f"{by_flow.share:.0%}", "of the pairs of flow and task have a result"),
    ]
    if names:
        numbers.append((f"{by_algorithm.share:.0%}", "of those of algorithm and task"))
    return [
        page.tiles(numbers),
        f'<p class="lead">{page.plain(study.headline)}</p>',
        page.aside(WORDS),
        page.legend(names, colours),
    ]


def _sections(study: Study, other: Study | None, colours: Colouring) -> list[Section]:
    best = compare_best(study.season) if study.algorithms() else {}
    sections = [describe_data(study.evaluations, colours), describe_metric(study, colours)]
    if other is not None:
        sections.append(describe_second(study, other, colours))
    sections += [
        describe_matrices(study, best, colours),
        describe_boxes(study, colours),
        describe_outlook(study, colours),
    ]
    return [*sections, describe_tasks(study, best, colours)] if study.several else sections


def parse(words: list[str]) -> argparse.Namespace:
    """The words of the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("table", type=Path, help="scores, such as winodds openml writes them")
    parser.add_argument("--second", type=Path, metavar="FILE", help="the same by another metric")
    parser.add_argument("--reference", metavar="FLOW", help="number or name of the flow at 0")
    parser.add_argument("--metric", metavar="NAME", help="what the scores are, or which of several")
    way = parser.add_mutually_exclusive_group()
    for word, higher in (("higher", True), ("lower", False)):
        told = f"{word} scores are better, where a plain table's metric does not tell"
        name = f"--{word}-is-better"
        way.add_argument(name, dest="up", action="store_const", const=higher, help=told)
    parser.add_argument("-o", "--output", type=Path, default=Path("study.html"), metavar="FILE")
    return parser.parse_args(words)


def main(words: list[str]) -> int:
    """Write the page; 1 if there is none."""
    asked = parse(words)
    try:
        evaluations = read_evaluations(asked.table, metric=asked.metric, higher_is_better=asked.up)
        second = None if asked.second is None else read_evaluations(asked.second)
        found = make_page(evaluations, second, asked.reference)
        asked.output.write_text(found, encoding="utf-8")
    except (winodds.WinoddsError, NoSuchTable) as error:
        print(f"Error: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"Error: {asked.output} could not be written: {error.strerror}.", file=sys.stderr)
        return 1
    print(f"Written to {asked.output}.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
