"""``board.plot``, ``season.plot``, ``sota.plot`` and ``law.plot``: figures, drawn."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from winodds.show.extra import require_extra


class Plots:
    """Pictures as Altair charts, for a notebook or to be saved.

    Methods and options are those of ``figures`` of the same object, where they are explained;
    there is the table behind each picture, too. Drawing needs the extra ``winodds[report]``.

    Examples
    --------
    >>> import winodds.demo
    >>> board = winodds.demo.rate_results()["digits"]
    >>> chart = board.plot.ranking(top=10)
    >>> from winodds.show.charts.save import render_picture
    >>> render_picture(chart, "svg")[:4]
    b'<svg'
    """

    __slots__ = ("_figures",)

    def __init__(self, figures: object) -> None:
        require_extra("Drawing")
        self._figures = figures

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_"):
            raise AttributeError(name)
        make = getattr(self._figures, name)

        @wraps(make)
        def draw(**options: Any) -> Any:
            from winodds.show.charts.alone import standing_alone
            from winodds.show.charts.drawing import draw_figure

            return standing_alone(draw_figure(make(**options)))

        return draw

    def __dir__(self) -> list[str]:
        return [name for name in dir(self._figures) if not name.startswith("_")]
