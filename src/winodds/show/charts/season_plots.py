"""``season.plot``: the figures of a season, drawn."""

from typing import Any

from winodds.season.season import Season
from winodds.show.extra import require_extra
from winodds.show.figures.biplot import ArrowsOf
from winodds.show.figures.figure import Figure
from winodds.show.figures.matrices import FillBy
from winodds.show.figures.seasons import BoxesBy, SeasonFigures


class SeasonPlots:
    """Pictures of a season as Altair charts, for a notebook or to be saved.

    Methods and options are those of ``season.figures``, where they are explained; there is the
    table behind each picture, too. Drawing needs the extra ``winodds[report]``.

    Examples
    --------
    >>> import winodds.demo
    >>> chart = winodds.demo.rate_results().plot.matrix()
    >>> from winodds.show.charts.save import draw_svg
    >>> draw_svg(chart)[:4]
    '<svg'
    """

    __slots__ = ("_figures",)

    def __init__(self, season: Season) -> None:
        require_extra("Drawing")
        self._figures = SeasonFigures(season)

    def boxes(
        self,
        *,
        by: BoxesBy | None = None,
        top: int | None = 40,
        panels: int | None = 12,
        first: int = 1,
    ) -> Any:
        """Boxes, in a panel for each tournament where they are of families."""
        return _draw(self._figures.boxes(by=by, top=top, panels=panels, first=first))

    def settings(
        self,
        *,
        family: str | None = None,
        top: int | None = 15,
        panels: int | None = 12,
        first: int = 1,
    ) -> Any:
        """Bars from 0, in a panel for each tournament."""
        return _draw(self._figures.settings(family=family, top=top, panels=panels, first=first))

    def fill_in(self, *, by: FillBy = "player", most: int = 60) -> Any:
        """Cells, dark where there are results."""
        return _draw(self._figures.fill_in(by=by, most=most))

    def matrix(self, *, top: int | None = 40, first: int = 1, tournaments: int | None = 30) -> Any:
        """Cells coloured by EPP."""
        return _draw(self._figures.matrix(top=top, first=first, tournaments=tournaments))

    def biplot(
        self, *, arrows: ArrowsOf | None = None, labels: int = 25, top: int | None = 2000
    ) -> Any:
        """Points and arrows in a plane."""
        return _draw(self._figures.biplot(arrows=arrows, labels=labels, top=top))


def _draw(figure: Figure) -> Any:
    from winodds.show.charts.drawing import draw_figure

    return draw_figure(figure)
