"""``board.plot``: the figures of a leaderboard, drawn."""

from collections.abc import Sequence
from typing import Any

from winodds.board.leaderboard import Leaderboard
from winodds.show.extra import require_extra
from winodds.show.figures.boards import BoardFigures
from winodds.show.figures.figure import Figure
from winodds.show.figures.scores import SIDE, Values


class BoardPlots:
    """Pictures of a leaderboard as Altair charts, for a notebook or to be saved.

    Methods and options are those of ``board.figures``, where they are explained; there is the
    table behind each picture, too. Drawing needs the extra ``winodds[report]``.

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

    def __init__(self, board: Leaderboard) -> None:
        require_extra("Drawing")
        self._figures = BoardFigures(board)

    def ranking(self, *, top: int | None = 50, first: int = 1) -> Any:
        """Points with intervals, letters and rank ranges."""
        return _draw(self._figures.ranking(top=top, first=first))

    def score_against_rating(self, *, labels: int = 20) -> Any:
        """Points with intervals, a straight line, and names where there is room."""
        return _draw(self._figures.score_against_rating(labels=labels))

    def scores(self, *, players: Sequence[str] | None = None, values: Values = "score") -> Any:
        """A line for each round, over boxes."""
        return _draw(self._figures.scores(players=players, values=values))

    def win_matrix(self, *, top: int | None = None, first: int = 1) -> Any:
        """Cells coloured by probability."""
        return _draw(self._figures.win_matrix(top=top, first=first))

    def calibration(self, *, pairs: int = 1_000) -> Any:
        """Points around the diagonal."""
        return _draw(self._figures.calibration(pairs=pairs))

    def critical_difference(self, *, top: int | None = 30) -> Any:
        """Labelled ticks of an axis, and bars."""
        return _draw(self._figures.critical_difference(top=top))

    def rank_sets(self, *, top: int | None = 50, first: int = 1) -> Any:
        """Bars over ranks."""
        return _draw(self._figures.rank_sets(top=top, first=first))

    def best(self, *, top: int | None = 20) -> Any:
        """Bars; a dot at the name marks players who could truly be the best."""
        return _draw(self._figures.best(top=top))

    def families(self, *, top: int | None = 30) -> Any:
        """Boxes with points."""
        return _draw(self._figures.families(top=top))

    def gaps(self, *, side: int = SIDE) -> Any:
        """Players by rounds."""
        return _draw(self._figures.gaps(side=side))


def _draw(figure: Figure) -> Any:
    from winodds.show.charts.drawing import draw_figure

    return draw_figure(figure)
