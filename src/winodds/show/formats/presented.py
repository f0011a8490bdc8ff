"""Any result in any format: what ``print``, notebooks and papers show."""

from winodds.show.formats.latex import render_latex
from winodds.show.formats.markdown import render_markdown
from winodds.show.formats.notebook import render_notebook
from winodds.show.formats.text import ROWS_SHOWN, render_text
from winodds.show.layout.overview import ROWS_OF_EACH
from winodds.show.layout.results import document_of
from winodds.slices.slices import Slices

ROWS_IN_NOTEBOOKS = 30


def as_text(found: object) -> str:
    """The result as ``print`` shows it."""
    return render_text(document_of(found, top=_rows(found, ROWS_SHOWN))).rstrip("\n")


def as_html(found: object) -> str:
    """The result as a notebook shows it."""
    return render_notebook(document_of(found, top=_rows(found, ROWS_IN_NOTEBOOKS)))


def as_markdown(found: object, *, top: int | None) -> str:
    """The result for READMEs and issues."""
    return render_markdown(document_of(found, top=top))


def as_latex(found: object, *, top: int | None) -> str:
    """The result for papers."""
    return render_latex(document_of(found, top=top))


def _rows(found: object, usual: int) -> int:
    return ROWS_OF_EACH if isinstance(found, Slices) else usual
