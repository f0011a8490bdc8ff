"""``sota.plot`` and ``law.plot``: figures of the state of the art, drawn."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from winodds.show.extra import require_extra
from winodds.show.figures.curves import Over
from winodds.show.figures.figure import Figure
from winodds.show.figures.sota import LawFigures, SotaFigures
from winodds.sota.answer import Sota

if TYPE_CHECKING:
    from winodds.sota.what_if import StatedLaw


class SotaPlots:
    """Pictures of an estimate of the state of the art as Altair charts.

    Methods and options are those of ``sota.figures``, where they are explained; there is the table
    behind each picture, too. Drawing needs the extra ``winodds[report]``.
    """

    __slots__ = ("_figures",)

    def __init__(self, found: Sota) -> None:
        require_extra("Drawing")
        self._figures = SotaFigures(found)

    def entries(self, *, worst: float | None = None, bins: int = 60) -> Any:
        """Scores as bars or points, and below them the best score and what it is worth."""
        return _draw(self._figures.entries(worst=worst, bins=bins))


class LawPlots:
    """Pictures of a law of the best score as Altair charts.

    Methods and options are those of ``law.figures``, where they are explained; there is the table
    behind each picture, too. Drawing needs the extra ``winodds[report]``.

    Examples
    --------
    >>> from winodds import law_of_maximum
    >>> chart = law_of_maximum(1000, theta=0.9, n=3000).plot.law()
    >>> from winodds.show.charts.save import draw_svg
    >>> draw_svg(chart)[:4]
    '<svg'
    """

    __slots__ = ("_figures",)

    def __init__(self, law: "StatedLaw") -> None:
        require_extra("Drawing")
        self._figures = LawFigures(law)

    def law(self, *, level: float = 0.95) -> Any:
        """Probabilities of one score and of the best, their sums, and marks below."""
        return _draw(self._figures.law(level=level))

    def curves(
        self,
        *,
        over: Over = "players",
        values: Sequence[float] | None = None,
        points: int | None = None,
    ) -> Any:
        """Bias and standard deviation side by side, with a point at the law itself."""
        return _draw(self._figures.curves(over=over, values=values, points=points))


def _draw(figure: Figure) -> Any:
    from winodds.show.charts.drawing import draw_figure

    return draw_figure(figure)
