"""Documents as LaTeX, for papers."""

import re
from collections.abc import Iterator
from itertools import zip_longest

from winodds.show.layout.document import Block, Document, Points, Said, Section, Table
from winodds.show.layout.grid import Grid

TEX = str.maketrans(
    {
        **{sign: f"\\{sign}" for sign in "{}$&#%_"},
        "\\": r"\textbackslash{}",
        "^": r"\textasciicircum{}",
        "~": r"\textasciitilde{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        "`": r"\`{}",
        '"': r"\char34{}",
        "χ": r"$\chi$",
        "ρ": r"$\rho$",
        "τ": r"$\tau$",
        "∞": r"$\infty$",
        "→": r"$\to$",
        "²": r"\textsuperscript{2}",
        "₀": r"\textsubscript{0}",
    }
)
r"""Signs that mean something else to TeX, or print as another sign.

The quotation mark goes by its number because babel gives it a meaning in some languages, and
``\textquotedbl`` needs the T1 encoding.
"""

LIGATURE = re.compile(r"(?<=-)(?=-)|(?<=')(?=')|(?<=,)(?=,)")
"""Between two signs that fonts draw as one."""

MATH = str.maketrans(
    {"–": r"\mbox{--}", "∞": r"\infty", "…": r"\ldots", "%": r"\%", "<": "{<}", ">": "{>}"}
)

WORD = re.compile(r"( *[A-Za-z]{2,} *| +(?=\())")
"""What numbers stand apart by in a cell, and what math would run together."""


def render_latex(document: Document) -> str:
    r"""Paragraphs, a ``tabular`` with rules of booktabs for each table, and notes in small print.

    The tournament's name is above, in bold. Signs outside ASCII are passed on as they are: what
    pdflatex has no letters for needs a package, or lualatex and a font.
    """
    running = document.running
    parts = ["\n".join(_lines(section, running=running)) for section in document.sections]
    gap = "\n" if running else "\n\n\\bigskip\n"
    return f"% Needs \\usepackage{{booktabs}} in the preamble.\n{gap.join(parts)}\n"


def _lines(section: Section, *, running: bool) -> Iterator[str]:
    if section.title:
        yield rf"\noindent\textbf{{{escape_latex(section.title)}}}\par\smallskip"
    blocks = list(section.seen_by("latex"))
    small = [f"{rest}." for block in blocks if (rest := _rest(block))]
    small += map(str, section.notes)
    for block in blocks:
        skip = r"\bigskip" if block is blocks[-1] else r"\smallskip"
        match block:
            case Said(lines):
                yield from (rf"\noindent {escape_latex(line)}\par{skip}" for line in lines)
            case Points(items):
                listed = (rf"\item {escape_latex(item)}" for item in items)
                yield from (r"\begin{itemize}", *listed, r"\end{itemize}")
            case Table(grid):
                yield from (r"\noindent", *latex_table(grid))
                if running or small:
                    yield r"\par\smallskip"
    if small:
        yield from (r"{\small\noindent", *map(escape_latex, small), r"\par}")


def _rest(block: Block) -> str:
    return block.rest("latex") if isinstance(block, Table) else ""


def latex_table(grid: Grid) -> Iterator[str]:
    """The lines of a ``tabular``."""
    aligned = "".join("r" if head.numeric else "l" for head in grid.heads)
    yield rf"\begin{{tabular}}{{{aligned}}}"
    yield r"\toprule"
    yield rf"{' & '.join(map(escape_latex, grid.header))} \\"
    yield r"\midrule"
    for row in grid.rows:
        pairs = zip(grid.heads, row, strict=True)
        cells = (_math(cell) if head.numeric else escape_latex(cell) for head, cell in pairs)
        yield rf"{' & '.join(cells)} \\"
    yield r"\bottomrule"
    yield r"\end{tabular}"


def escape_latex(text: str) -> str:
    r"""Text that LaTeX prints as it is.

    Examples
    --------
    >>> print(escape_latex(r"50% of $x_1$ -- \input{y}"))
    50\% of \$x\_1\$ -{}- \textbackslash{}input\{y\}
    """
    return LIGATURE.sub("{}", text.translate(TEX))


def _math(number: str) -> str:
    r"""A cell of numbers, which may have words between them.

    >>> print(_math("63% (51 to >99)"))
    $63\%\mbox{ }(51\mbox{ to }{>}99)$
    """
    numbers, words = (WORD.split(number)[start::2] for start in (0, 1))
    boxed = [rf"\mbox{{{word}}}" for word in words]
    made = "".join(a.translate(MATH) + b for a, b in zip_longest(numbers, boxed, fillvalue=""))
    return f"${made}$" if number else ""
