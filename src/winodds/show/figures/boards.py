"""``board.figures``: every picture of a leaderboard as a small table."""

from collections.abc import Callable, Sequence

from winodds.board.leaderboard import Leaderboard
from winodds.language.errors import WinoddsError
from winodds.show.figures.bars import (
    check_families,
    make_critical_difference,
    make_families,
)
from winodds.show.figures.figure import Figure
from winodds.show.figures.names import BOARD_FIGURES
from winodds.show.figures.pages import require_one_scale
from winodds.show.figures.pairs import (
    check_calibration,
    check_matrix,
    make_calibration,
    make_win_matrix,
)
from winodds.show.figures.scatter import check_scatter, make_score_against_rating
from winodds.show.figures.scores import (
    SIDE,
    Values,
    check_directions,
    check_gaps,
    make_gaps,
    make_scores,
)
from winodds.show.figures.standing import (
    check_placed,
    make_best,
    make_rank_sets,
    make_ranking,
)

__all__ = ["BOARD_FIGURES", "BoardFigures", "figures_for"]

CHECKS: dict[str, Callable[[Leaderboard], None]] = {
    "ranking": require_one_scale,
    "score_against_rating": check_scatter,
    "scores": check_directions,
    "win_matrix": check_matrix,
    "calibration": check_calibration,
    "critical_difference": check_placed,
    "rank_sets": check_placed,
    "best": check_placed,
    "families": check_families,
    "gaps": check_gaps,
}
"""What raises an error for a board that lacks what the figure shows."""

OF_DETAILS = ("critical_difference", "rank_sets", "best")
"""Figures that are computed where they are asked for, but shown only with other details."""


def figures_for(board: Leaderboard) -> tuple[str, ...]:
    """Names of the figures that a board can show, without making any.

    Those of a board without details need none: no bootstrap, and no search for letters.

    >>> import winodds.demo
    >>> board = winodds.demo.rate_results()["digits"]
    >>> sorted(set(BOARD_FIGURES) - set(figures_for(board)))
    ['best', 'critical_difference', 'families', 'gaps', 'rank_sets']
    >>> placing = board.details()
    >>> sorted(set(BOARD_FIGURES) - set(figures_for(board)))
    ['families', 'gaps']
    """
    return tuple(name for name in BOARD_FIGURES if _can_show(board, name))


def _can_show(board: Leaderboard, name: str) -> bool:
    if name in OF_DETAILS and not board.detailed:
        return False
    try:
        CHECKS[name](board)
    except WinoddsError:
        return False
    return True


class BoardFigures:
    """Figures of a leaderboard, each a small table with a title, a caption and help texts.

    What a picture leaves out, because there are more players than it has room for, its caption
    says. A figure that a board cannot give raises an error that says what is lacking.

    ==================== =========================================================================
    ranking              players by EPP, with intervals and letters
    score_against_rating EPP against the mean score, with a straight line
    scores               scores of a few players, joined by round
    win_matrix           probability that one player beats another
    calibration          observed against fitted shares of wins
    critical_difference  players on a scale, with bars over those who cannot be told apart
    rank_sets            ranks that each player could truly have
    best                 probability of being truly the best
    families             EPP by family, as boxes
    gaps                 which scores are missing
    ==================== =========================================================================

    Examples
    --------
    >>> import winodds.demo
    >>> board = winodds.demo.rate_results()["digits"]
    >>> figure = board.figures.ranking(top=3)
    >>> figure.cells["player"] == list(board.players[:3])
    True
    >>> figure.caption[:44]
    'The first 3 of 20 models by EPP. Points are '
    """

    __slots__ = ("_board",)

    def __init__(self, board: Leaderboard) -> None:
        self._board = board

    def ranking(self, *, top: int | None = 50, first: int = 1) -> Figure:
        """Players by EPP with intervals; with letters and rank ranges if it has details.

        Parameters
        ----------
        top : how many players; None for all.
        first : place of the first one, to page through a long board.
        """
        return make_ranking(self._board, top=top, first=first)

    def score_against_rating(self, *, labels: int = 20) -> Figure:
        """EPP against the mean score, with a straight line by least squares.

        Slope, intercept and Pearson's correlation are among the facts. Beyond 300 players, they
        are counted in cells.

        Parameters
        ----------
        labels : how many players are named at most: the first ten, then those farthest from the
            line, as far as there is room.
        """
        return make_score_against_rating(self._board, labels=labels)

    def scores(self, *, players: Sequence[str] | None = None, values: Values = "score") -> Figure:
        """Scores of a few players, joined by round, over boxes and with their means.

        Parameters
        ----------
        players : whose scores; by default those of the first four.
        values : "score" as given, or "rank" within the round, which is also there where what is
            better differs by round.
        """
        return make_scores(self._board, players=players, values=values)

    def win_matrix(self, *, top: int | None = None, first: int = 1) -> Figure:
        """Probability that the player of the row beats that of the column.

        Beyond 50 players, neighbours are joined into at most 40 rows and columns.

        Parameters
        ----------
        top, first : how many players, from which place on; by default all.
        """
        return make_win_matrix(self._board, top=top, first=first)

    def calibration(self, *, pairs: int = 1_000) -> Figure:
        """Observed against fitted shares of wins of all pairs.

        Parameters
        ----------
        pairs : up to so many pairs each is a point; more are joined into bins.
        """
        return make_calibration(self._board, pairs=pairs)

    def critical_difference(self, *, top: int | None = 30) -> Figure:
        """Players on the scale of the EPP, with bars over those who cannot be told apart.

        After Demšar's diagram of critical differences, which has mean ranks on its scale.

        Parameters
        ----------
        top : how many players; None for all.
        """
        return make_critical_difference(self._board, top=top)

    def rank_sets(self, *, top: int | None = 50, first: int = 1) -> Figure:
        """Ranks that each player could truly have, for all players at once.

        Parameters
        ----------
        top, first : how many players, from which place on.
        """
        return make_rank_sets(self._board, top=top, first=first)

    def best(self, *, top: int | None = 20) -> Figure:
        """How likely each player is truly the best.

        Parameters
        ----------
        top : how many players at most; of those who are the best in no draw, only the first few
            who could be it are shown.
        """
        return make_best(self._board, top=top)

    def families(self, *, top: int | None = 30) -> Figure:
        """EPP of the players of each family, as boxes with points.

        Parameters
        ----------
        top : how many families, from the highest median on.
        """
        return make_families(self._board, top=top)

    def gaps(self, *, side: int = SIDE) -> Figure:
        """Which players lack a score in which rounds; only those with gaps.

        Parameters
        ----------
        side : rows, and columns, at most; more players or rounds are joined with neighbours.
        """
        return make_gaps(self._board, side=side)
