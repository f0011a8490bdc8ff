"""The page: sections of paragraphs, pictures and tables in one file that needs nothing else."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from drawing import signed

STYLE = Path(__file__).with_name("page.css")

PALETTE = {
    "AdaBoostClassifier": "#f28e2b",
    "BaggingClassifier": "#8cd17d",
    "BayesNet": "#ff9d9a",
    "DecisionTreeClassifier": "#59a14f",
    "DiscriminantAnalysis": "#d37295",
    "EnsembleClassifier": "#b6992d",
    "GaussianProcess": "#b07aa1",
    "GradientBoostingClassifier": "#d62728",
    "HybridClassifier": "#499894",
    "IntervalClassifier": "#86bcb6",
    "KNeighborsClassifier": "#edc948",
    "KernelClassifier": "#9467bd",
    "LinearClassifier": "#a0cbe8",
    "LogisticRegression": "#1f77b4",
    "MultiBoostClassifier": "#ffbe7d",
    "NaiveBayes": "#e15759",
    "NeuralNetwork": "#6f4e9c",
    "OrdinalClassifier": "#d7b5a6",
    "RandomForestClassifier": "#1b6e3c",
    "RuleBasedClassifier": "#9d7660",
    "SGDClassifier": "#4e79a7",
    "SVMClassifier": "#17375e",
    "StackingClassifier": "#fabfd2",
    "WeightedLearning": "#c7a900",
}
"""A colour for each class of `winodds.extract_algorithm`: the same in all pictures of all pages."""

SPARE = ("#2e8b8b", "#a3623a", "#5d6d7e", "#7d9b3f", "#b5477e", "#3c5488", "#c08457", "#70587c")
"""Colours of classes that users added."""

GREY = "#9aa0a6"


class Colouring:
    """From an algorithm to the class of its colour, and the style that makes it so."""

    def __init__(self, algorithms: Iterable[str]) -> None:
        self._names = sorted(set(algorithms))

    def __call__(self, algorithm: str | None) -> str:
        return f"a{self._names.index(algorithm)}" if algorithm in self._names else "a"

    def style(self) -> str:
        """Rules of the page's style; pale where a box is filled."""
        spare = [name for name in self._names if name not in PALETTE and name != "unknown"]
        more = {name: SPARE[k % len(SPARE)] for k, name in enumerate(spare)}
        known = PALETTE | more
        found = {self(name): known.get(name, GREY) for name in self._names} | {"a": GREY}
        return "\n".join(
            f".{name}{{fill:{colour};stroke:{colour};background:{colour}}}"
            for name, colour in found.items()
        )


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the page.

    Attributes
    ----------
    name : of its place in the page.
    title : above it.
    parts : its paragraphs, pictures and tables, as HTML.
    """

    name: str
    title: str
    parts: tuple[str, ...]


def plain(words: str) -> str:
    """Text that HTML takes for nothing else."""
    return escape(words)


def say(words: str) -> str:
    """A paragraph."""
    return f"<p>{escape(words)}</p>"


def aside(words: str) -> str:
    """A paragraph in small letters."""
    return f'<p class="words">{escape(words)}</p>'


def remark(words: str) -> str:
    """What is done otherwise than in the thesis, and why."""
    return f'<p class="remark"><b>Other than in the thesis.</b> {escape(words)}</p>'


def lack(words: str) -> str:
    """What the table does not hold, so that something is not shown."""
    return f'<p class="lack">{escape(words)}</p>'


def show(drawn: str, caption: str, *, like: str = "") -> str:
    """A picture or a table with its caption; ``like`` is the thesis's picture of this kind."""
    mark = f'<span class="like">{escape(like)}</span> ' if like else ""
    return (
        f'<figure><div class="wide" tabindex="0">{drawn}</div>'
        f"<figcaption>{mark}{escape(caption)}</figcaption></figure>"
    )


def beside(*figures: str, small: bool = False) -> str:
    """Figures side by side, where there is room: two in a row, or four small ones."""
    return f'<div class="beside{" four" if small else ""}">{"".join(figures)}</div>'


def tabulate(head: Sequence[str], rows: Iterable[Sequence[object]], *, tall: bool = False) -> str:
    """A table; columns of numbers stand to the right, and a tall one scrolls."""
    listed = [[_words(cell) for cell in row] for row in rows]
    cells = "".join(f'<th scope="col">{escape(name)}</th>' for name in head)
    body = "".join(
        f"<tr>{''.join(f'<td{style}>{escape(words)}</td>' for words, style in row)}</tr>"
        for row in listed
    )
    kind = ' class="tall"' if tall else ""
    return (
        f'<div{kind} tabindex="0"><table class="list"><thead><tr>{cells}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _words(cell: object) -> tuple[str, str]:
    if cell is None:
        return "", ""
    if isinstance(cell, int):
        return f"{cell:,}", ' class="number"'
    if isinstance(cell, float):
        return signed(cell, 3), ' class="number"'
    words = str(cell)
    return words, ' class="number"' if words.endswith("%") else ""


def fold(title: str, parts: Iterable[str]) -> str:
    """Something that opens on a click."""
    return f"<details><summary>{escape(title)}</summary>{''.join(parts)}</details>"


def tiles(pairs: Iterable[tuple[str, str]]) -> str:
    """Large numbers with words below them."""
    listed = "".join(
        f"<div><b>{escape(number)}</b><span>{escape(words)}</span></div>" for number, words in pairs
    )
    return f'<div class="tiles">{listed}</div>'


def legend(algorithms: Iterable[str], colours: Colouring) -> str:
    """Which colour is which algorithm."""
    keys = "".join(f'<li><i class="{colours(name)}"></i>{escape(name)}</li>' for name in algorithms)
    return f'<ul class="legend">{keys}</ul>'


def render(title: str, opening: Iterable[str], sections: Sequence[Section], style: str) -> str:
    """The whole page."""
    links = "".join(f'<li><a href="#{one.name}">{escape(one.title)}</a></li>' for one in sections)
    body = "".join(
        f'<section id="{one.name}"><h2>{escape(one.title)}</h2>{"".join(one.parts)}</section>'
        for one in sections
    )
    rules = STYLE.read_text(encoding="utf-8")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{escape(title)}</title><style>{rules}\n{style}</style></head><body>"
        f"<header><h1>{escape(title)}</h1>{''.join(opening)}</header>"
        f'<nav aria-label="Sections"><ol>{links}</ol></nav><main>{body}</main></body></html>\n'
    )
