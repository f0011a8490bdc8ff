"""The one way from a result to how it looks, for rooms that come before this one.

Every function imports what it shows only when it is called, so that computing never waits for
drawing.
"""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from winodds.board.comparisons import Comparison
    from winodds.board.leader import BoardSota
    from winodds.board.leaderboard import Leaderboard
    from winodds.board.quality import Quality, QualityDifference
    from winodds.season.season import Season
    from winodds.show.charts.board_plots import BoardPlots
    from winodds.show.charts.season_plots import SeasonPlots
    from winodds.show.charts.sota_plots import LawPlots, SotaPlots
    from winodds.show.figures.boards import BoardFigures
    from winodds.show.figures.seasons import SeasonFigures
    from winodds.show.figures.sota import LawFigures, SotaFigures
    from winodds.sota.answer import Sota
    from winodds.sota.what_if import StatedLaw


# A board ------------------------------------------------------------------------------------------


def text_of_board(board: "Leaderboard") -> str:
    from winodds.show.formats.text import render_board

    return render_board(board)


def html_of_board(board: "Leaderboard") -> str:
    from winodds.show.formats.notebook import ROWS_SHOWN, render_html
    from winodds.show.layout.documents import board_document

    return render_html(board_document([board], top=ROWS_SHOWN))


def figures_of_board(board: "Leaderboard") -> "BoardFigures":
    from winodds.show.figures.boards import BoardFigures

    return BoardFigures(board)


def plots_of_board(board: "Leaderboard") -> "BoardPlots":
    from winodds.show.charts.board_plots import BoardPlots

    return BoardPlots(board)


def describe_comparison(found: "Comparison") -> str:
    from winodds.show.words import verdicts

    return verdicts.describe_comparison(found)


def describe_quality(found: "Quality") -> str:
    from winodds.show.words import verdicts

    return verdicts.describe_quality(found)


def describe_quality_difference(found: "QualityDifference") -> str:
    from winodds.show.words import verdicts

    return verdicts.describe_quality_difference(found)


def text_of_best(found: "BoardSota") -> str:
    from winodds.show.formats.text import render_text
    from winodds.show.layout.documents import best_document

    return render_text(best_document(found))


# A season -----------------------------------------------------------------------------------------


def figures_of_season(season: "Season") -> "SeasonFigures":
    from winodds.show.figures.seasons import SeasonFigures

    return SeasonFigures(season)


def plots_of_season(season: "Season") -> "SeasonPlots":
    from winodds.show.charts.season_plots import SeasonPlots

    return SeasonPlots(season)


def write_report(
    found: "Leaderboard | Season",
    path: Path,
    *,
    title: str | None = None,
    overview: "Leaderboard | None" = None,
    details: bool | None = None,
) -> Path:
    from winodds.show import extra

    return extra.write_report(found, path, title=title, overview=overview, details=details)


# The best of many ---------------------------------------------------------------------------------


def text_of_sota(found: "Sota") -> str:
    from winodds.show.formats.text import render_text
    from winodds.show.layout.documents import sota_document

    return render_text(sota_document(found))


def figures_of_sota(found: "Sota") -> "SotaFigures":
    from winodds.show.figures.sota import SotaFigures

    return SotaFigures(found)


def plots_of_sota(found: "Sota") -> "SotaPlots":
    from winodds.show.charts.sota_plots import SotaPlots

    return SotaPlots(found)


def figures_of_law(law: "StatedLaw") -> "LawFigures":
    from winodds.show.figures.sota import LawFigures

    return LawFigures(law)


def plots_of_law(law: "StatedLaw") -> "LawPlots":
    from winodds.show.charts.sota_plots import LawPlots

    return LawPlots(law)
