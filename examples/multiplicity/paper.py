"""The paper on multiplicity with its tables and figures as one page, each beside ours in numbers.

python examples/multiplicity/paper.py -o multiplicity.html
python examples/multiplicity/paper.py --obesity obesity.csv --cassava cassava.csv -o all.html
"""

import argparse
import base64
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from html import escape
from pathlib import Path

import drawn
import numpy as np
import published
from published import ENTRIES, THETA, N, Results

import winodds
from winodds.show.figures.curves import Over
from winodds.sota.what_if import StatedLaw

STYLE = Path(__file__).with_name("paper.css")
POSITIVES = 51
TITLE = "The best of many scores: a paper's numbers, computed"
OPENING = (
    "K. Møllersen and E. Holsbø (Accounting for multiplicity in machine learning benchmark "
    "performance) say how much the best of many scores owes to luck, by simulation. This page has "
    "their tables and figures, computed by Winodds. Each number stands beside the published one, "
    "and where they differ it says why."
)
NOT_HERE = (
    "Figures 1 and 7 are diagrams of how samples are drawn and hold no numbers. The boards of "
    "figures 8, 9 and 11 belong to Kaggle and its users; give yours as files."
)

Part = str
"""A piece of the page, as HTML."""


def say(words: str) -> Part:
    """A paragraph."""
    return f"<p>{escape(words)}</p>"


def show(picture: Part, caption: str, like: str) -> Part:
    """A picture with its caption, and what it is in the paper."""
    return (
        f'<figure><div class="wide" tabindex="0">{picture}</div><figcaption><b>{escape(like)}</b> '
        f"{escape(caption)}</figcaption></figure>"
    )


def chart(plot: object, words: str) -> Part:
    """A chart of Winodds as a picture of the page."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "chart.svg"
        plot.save(path)  # type: ignore[attr-defined]
        data = base64.b64encode(path.read_bytes()).decode()
    return f'<img alt="{escape(words)}" src="data:image/svg+xml;base64,{data}">'


# Numbers ------------------------------------------------------------------------------------------


def tabulate(found: Results) -> Part:
    """Published and computed numbers, with reasons below where they differ."""
    rows = []
    for row in found.rows:
        far = "" if row.same else f"{row.here - row.published:+,.{row.digits}f}".replace("-", "−")
        cells = f"{row.published:,.{row.digits}f}", f"{row.here:,.{row.digits}f}", far
        numbers = "".join(f'<td class="number">{cell}</td>' for cell in cells)
        rows.append(f"<tr><td>{escape(row.what)}</td>{numbers}</tr>")
    head = "".join(f'<th scope="col">{name}</th>' for name in ("", "paper", "here", "difference"))
    reasons = dict.fromkeys(row.why for row in found.rows if not row.same)
    told = "".join(f'<p class="why">{escape(why)}</p>' for why in reasons)
    return (
        f"<h3>{escape(found.title)}</h3><div class='wide' tabindex='0'><table><thead><tr>{head}"
        f"</tr></thead><tbody>{''.join(rows)}</tbody></table></div>{told}"
    )


def count_up(results: Iterable[Results]) -> Part:
    """How many numbers are the paper's, as tiles."""
    rows = [row for found in results for row in found.rows]
    same = sum(row.same for row in rows)
    tiles = [(len(rows), "numbers of the paper"), (same, "come out in every digit")]
    tiles.append((len(rows) - same, "differ, with the reason"))
    listed = "".join(f"<div><b>{n}</b><span>{words}</span></div>" for n, words in tiles)
    return f'<div class="tiles">{listed}</div>'


# Figures ------------------------------------------------------------------------------------------


def figures_of_laws() -> list[Part]:
    """Figures 2 to 6: laws of the best score."""
    equal = winodds.law_of_maximum(ENTRIES, theta=THETA, n=N)
    spread = winodds.law_of_maximum(ENTRIES, theta=THETA, n=N, spread=0.025)
    alike = winodds.law_of_maximum(ENTRIES, theta=THETA, n=N, spread=0.025, correlation=0.6)
    laws = (
        ("Figures 2 and 3", equal, "All 1,000 classifiers are equally good, and independent."),
        ("Figure 6", spread, "Performances are uniform over 0.025; the expected best is 0.90."),
    )
    curves: list[tuple[str, StatedLaw, Over, str]] = [
        ("Figure 4a, b", equal, "players", "From two classifiers on, the best score is too high."),
        ("Figure 4c, d", equal, "n", "The smaller the test set, the larger the bias."),
        ("Figure 4e, f", equal, "theta", "Near 1 there is less luck."),
        ("Figure 5a", equal, "spread", "Who is behind contributes little to the best score."),
        ("Figure 5b, c", equal, "correlation", "The more alike, the less bias: identical ones."),
        ("Figure 5b, c", alike, "correlation", "The same where performances differ by 0.025."),
    ]
    return [
        *(show(chart(law.plot.law(), words), words, name) for name, law, words in laws),
        *(
            show(chart(law.plot.curves(over=over), words), words, name)
            for name, law, over, words in curves
        ),
    ]


def figures_of_curves() -> list[Part]:
    """Figure 10: what an AUC of 0.90 looks like, and the best of 1,000 of them."""
    n, auc = N, THETA
    found = drawn.draw_classifiers(auc, POSITIVES, n - POSITIVES, ENTRIES, seed=7)
    law = winodds.law_of_maximum(ENTRIES, theta=auc, n=n, positives=POSITIVES)
    best = float(found.areas.max())
    return [
        show(
            drawn.score_picture(auc, POSITIVES, n - POSITIVES, seed=1),
            "Scores of negative (grey) and positive (blue) cases, so far apart that a positive one "
            "is the higher in 90 of 100 pairs; below, the 51 positives of one sample and 300 of "
            "its 2,949 negatives.",
            "Figure 10a",
        ),
        show(
            drawn.roc_picture(found),
            f"Curves of 150 of 1,000 classifiers that all have AUC 0.90, and the middle 95% of all "
            f"of them at each point. Their AUCs range from {found.areas.min():.4f} to {best:.4f}; "
            f"the best one is the thick curve.",
            "Figure 10b",
        ),
        show(
            chart(law.plot.law(), "The law of the best AUC"),
            f"The best of 1,000 such AUCs, as computed. In {law.at_least(best):.0%} of contests "
            f"it is that of the sample above, {best:.4f}, or more.",
            "Figure 10c",
        ),
    ]


# Boards -------------------------------------------------------------------------------------------


def read_scores(path: Path) -> list[float]:
    """The column of scores of a file."""
    source = winodds.read_source(path)
    score = next(
        (name for name in source.columns if name.casefold() == "score"), source.columns[-1]
    )
    values = source.numbers(score).to_numpy()
    return [float(value) for value in values[~np.isnan(values)]]


def figures_of_obesity(scores: Sequence[float]) -> list[Part]:
    """Figure 8: a board, one drawn from it, and the same shrunken."""
    observed, n = np.array(scores), published.STATED
    found = winodds.estimate_sota(
        scores, n=n, classes=7, correlation=0.6, method="shrink", sensitivity=False
    )
    assert found.weight is not None
    shrunken = 1 / 7 + found.weight * (observed[observed > 1 / 7] - 1 / 7)
    best = (found.observed_max, f"best score {found.observed_max:.4f}")
    sota = (found.sota, f"state of the art {found.sota:.4f}")
    again = drawn.imagine(observed[observed > 1 / 7], n, 0.6, seed=8)
    other = drawn.imagine(shrunken, n, 0.6, seed=8)
    view = {"begin": 0.88}
    usual = (found.face_value.value, f"expected then {found.face_value.value:.4f}")
    return [
        show(
            drawn.two_histograms(observed, again, [best, usual], what="a drawn contest", **view),
            "The board (grey), and a contest drawn from entries as good as these scored (outline): "
            "its best scores are higher than any on the board.",
            "Figure 8a, b",
        ),
        show(
            drawn.two_histograms(observed, shrunken, [best, sota], what="shrunken scores", **view),
            f"The board (grey) and performances shrunken by {found.weight:.4f} (outline).",
            "Figure 8c",
        ),
        show(
            drawn.two_histograms(observed, other, [best, sota], what="a drawn contest", **view),
            "The board (grey) and a contest drawn from the shrunken performances (outline).",
            "Figure 8d",
        ),
    ]


def own_answer(found: winodds.Sota) -> Part:
    """What Winodds itself says of a board."""
    first = str(found).split("\n\n")[0]
    words = " ".join(first.split())
    return f'<p class="own"><b>What Winodds says.</b> {escape(words)}</p>'


def part_on_obesity(path: Path) -> tuple[list[Results], list[Part]]:
    """The board on obesity: tables 2 and 4, figure 8."""
    scores = read_scores(path)
    results = list(published.obesity(scores))
    found = winodds.estimate_sota(scores, n=published.FITTING, classes=7, sensitivity=False)
    return results, [*figures_of_obesity(scores), *map(tabulate, results), own_answer(found)]


def part_on_cassava(path: Path) -> tuple[list[Results], list[Part]]:
    """The board on cassava leaves: section 5.1.2, figure 9."""
    scores = read_scores(path)
    found = winodds.estimate_sota(scores, n=15_000, classes=5, correlation=0.6, sensitivity=False)
    observed = np.array(scores)
    again = drawn.imagine(observed[observed > 0.2], 15_000, 0.6, seed=3)
    usual = found.face_value.value
    marks = [
        (found.observed_max, f"best score {found.observed_max:.4f}"),
        (usual, f"expected {usual:.4f}"),
    ]
    result = published.cassava(found)
    caption = (
        "The board (grey) and a contest drawn from entries as good as these scored (outline). The "
        "best is not expected to reach the winner's score, so shrinking has no solution."
    )
    picture = drawn.two_histograms(observed, again, marks, begin=0.88, what="a drawn contest")
    return [result], [show(picture, caption, "Figure 9"), tabulate(result), own_answer(found)]


def part_on_melanoma(path: Path) -> tuple[list[Results], list[Part]]:
    """The board on melanoma: section 5.2.3, figure 11."""
    scores = read_scores(path)
    n, positives = 7687, 131
    found = winodds.estimate_sota(
        scores, n=n, positives=positives, correlation=0.0, method="shrink", sensitivity=False
    )
    observed = np.array(scores)
    weight = found.weight or 1.0
    shrunken = 0.5 + weight * (observed[observed > 0.5] - 0.5)
    marks = [
        (found.observed_max, f"best AUC {found.observed_max:.4f}"),
        (found.sota, f"state of the art {found.sota:.4f}"),
    ]
    result = published.melanoma(found)
    picture = drawn.two_histograms(observed, shrunken, marks, begin=0.6, what="shrunken scores")
    caption = "The board (grey) and AUCs shrunken towards 0.5 (outline); entries are independent."
    return [result], [show(picture, caption, "Figure 11a"), tabulate(result), own_answer(found)]


BOARDS: dict[str, tuple[str, Callable[[Path], tuple[list[Results], list[Part]]]]] = {
    "obesity": ("Obesity risk: tables 2 and 4, figure 8", part_on_obesity),
    "cassava": ("Cassava leaves: figure 9", part_on_cassava),
    "melanoma": ("Melanoma: figure 11", part_on_melanoma),
}


# The page -----------------------------------------------------------------------------------------


def make_page(boards: dict[str, Path]) -> tuple[str, list[Results]]:
    """The page as HTML, and every number that it compares."""
    results = published.all_laws()
    sections = [
        ("numbers", "Numbers that follow from the paper's own", [tabulate(one) for one in results]),
        ("laws", "Laws of the best score: figures 2 to 6", figures_of_laws()),
        ("curves", "ROC curves: figure 10", figures_of_curves()),
    ]
    for name, (title, make) in BOARDS.items():
        parts = [say(f"No file was given: --{name} FILE, with a column of scores.")]
        if name in boards:
            found, parts = make(boards[name])
            results += found
        sections.append((name, title, parts))
    links = "".join(
        f'<li><a href="#{name}">{escape(title)}</a></li>' for name, title, _ in sections
    )
    body = "".join(
        f'<section id="{name}"><h2>{escape(title)}</h2>{"".join(parts)}</section>'
        for name, title, parts in sections
    )
    page = (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{escape(TITLE)}</title><style>{STYLE.read_text(encoding='utf-8')}</style></head>"
        f"<body><header><h1>{escape(TITLE)}</h1>{say(OPENING)}{count_up(results)}{say(NOT_HERE)}"
        f'</header><nav aria-label="Sections"><ol>{links}</ol></nav><main>{body}</main></body>'
        "</html>\n"
    )
    return page, results


def parse(words: list[str]) -> argparse.Namespace:
    """The words of the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    for name, (title, _) in BOARDS.items():
        parser.add_argument(f"--{name}", type=Path, metavar="FILE", help=title.partition(":")[0])
    parser.add_argument("-o", "--output", type=Path, default=Path("multiplicity.html"))
    return parser.parse_args(words)


def main(words: list[str]) -> int:
    """Write the page; 1 if there is none."""
    asked = parse(words)
    boards = {name: path for name in BOARDS if (path := getattr(asked, name)) is not None}
    try:
        page, _ = make_page(boards)
        asked.output.write_text(page, encoding="utf-8")
    except winodds.WinoddsError as error:
        print(f"Error: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"Error: {asked.output} could not be written: {error.strerror}.", file=sys.stderr)
        return 1
    print(f"Written to {asked.output}.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
