"""A season → the tables of its figures.

Examples
--------
>>> import winodds.demo
>>> season = winodds.demo.rate_results()
>>> figure = season.figures.settings(top=3)
>>> figure.title, len(figure)
('EPP of models', 12)
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from winodds.language.errors import BadOption
from winodds.language.words import did_you_mean, level_words, list_names
from winodds.season.matrix import EppMatrix
from winodds.season.season import Season
from winodds.season.tunability import Default
from winodds.show.figures import chances, matrices
from winodds.show.figures.biplot import ArrowsOf, make_biplot
from winodds.show.figures.extent import (
    choose,
    epp_title,
    join_words,
    labels_among,
    matrix_of,
    no_families,
    refuse_empty,
    scale_words,
    shown_words,
)
from winodds.show.figures.figure import Column, Figure
from winodds.show.figures.labels import natural
from winodds.show.figures.names import SEASON_FIGURES
from winodds.show.figures.pages import START, STOP, Bars, describe_cuts, make_bars
from winodds.show.figures.season_boxes import BoxesBy, make_boxes
from winodds.table.names import close_names

__all__ = ["SEASON_FIGURES", "SeasonFigures", "make_settings"]


class SeasonFigures:
    """The figures of a season, each a table.

    Methods
    -------
    new_data_set : one player against the others, on a new tournament.
    family_matrix : which family's best beats which.
    tunability : what tuning gains, by family.
    boxes : EPP by family and tournament, by tournament, or by player.
    settings : EPP of players, or of one family's settings, as bars in each tournament.
    fill_in : which player, or family, has a result in which tournament.
    matrix : EPP of all players in all tournaments.
    biplot : players and tournaments in one plane.
    """

    __slots__ = ("_season",)

    def __init__(self, season: Season) -> None:
        self._season = season

    def new_data_set(
        self,
        *,
        player: str | None = None,
        top: int | None = 30,
        first: int = 1,
        level: float | None = None,
    ) -> Figure:
        """How one player does against the others on a new tournament.

        Parameters
        ----------
        player : its name; by default the first by mean EPP.
        top : others at most, by their mean EPP.
        first : the first of them shown, to page through them.
        level : coverage of intervals; by default that of the boards.
        """
        found = chances.ask_new_data_set(self._season, player, level=level)
        return chances.make_new_data_set(found, top=top, first=first)

    def family_matrix(self, *, tournament: str | None = None, top: int | None = 20) -> Figure:
        """The chance that the best of one family beats the best of another.

        Parameters
        ----------
        tournament : one of them, with luck taken out of its picks; by default all, with picks that
            are judged on rounds they were not picked on.
        top : families at most, by their chance against others.
        """
        chances.ask_families(self._season, "family_matrix")
        found = self._season.families()
        return chances.make_family_matrix(found, tournament=tournament, top=top)

    def tunability(self, *, default: Default = None, top: int | None = 30) -> Figure:
        """What tuning gains: the chance that the best of a family beats its default.

        Parameters
        ----------
        default : which setting of each family is its default; see `Season.tunability`.
        top : families at most, by their gain.
        """
        found = chances.ask_tunability(self._season, default)
        return chances.make_tunability(found, top=top)

    def boxes(
        self,
        *,
        by: BoxesBy | None = None,
        tournament: str | None = None,
        together: bool = False,
        best: bool = False,
        at_least: int = 1,
        top: int | None = 40,
        panels: int | None = 12,
        first: int = 1,
    ) -> Figure:
        """EPP as boxes.

        Parameters
        ----------
        by : "family": a box for each family, in a panel for each tournament; "tournament" or
            "player": a box for each. By default by family where there are any, else by tournament.
        tournament : the only panel, for boxes by family.
        together : one panel for all tournaments, for boxes by family.
        best : of each family only the player who is best in the tournament.
        at_least : only players with results in so many tournaments.
        top : boxes at most (in each panel).
        panels : tournaments at most, those in which ratings spread most, for boxes by family; they
            come in the order of their names.
        first : where to begin, to page through the panels, or through boxes without panels.
        """
        return make_boxes(
            self._season,
            by=by,
            tournament=tournament,
            together=together,
            best=best,
            at_least=at_least,
            top=top,
            panels=panels,
            first=first,
        )

    def settings(
        self,
        *,
        family: str | None = None,
        top: int | None = 15,
        panels: int | None = 12,
        first: int = 1,
    ) -> Figure:
        """EPP of players as bars from 0, in a panel for each tournament.

        Parameters
        ----------
        family : only the players of this family, such as an algorithm's settings.
        top : players at most, by their mean EPP.
        panels : tournaments at most.
        first : the first tournament shown, to page through them.
        """
        return make_settings(self._season, family=family, top=top, panels=panels, first=first)

    def fill_in(self, *, by: matrices.FillBy = "player", most: int = 60) -> Figure:
        """Which player has a result in which tournament.

        Parameters
        ----------
        by : "player", or "family", which has a result where any of its players has.
        most : rows and columns at most; more are taken together.
        """
        return matrices.make_fill_in(self._season, by=by, most=most)

    def matrix(
        self, *, top: int | None = 40, first: int = 1, tournaments: int | None = 30
    ) -> Figure:
        """EPP of players in tournaments.

        Parameters
        ----------
        top : players at most, by their mean EPP.
        first : the first player shown, to page through them.
        tournaments : at most, those with the most players.
        """
        return matrices.make_matrix(self._season, top=top, first=first, tournaments=tournaments)

    def biplot(
        self, *, arrows: ArrowsOf | None = None, labels: int = 25, top: int | None = 2000
    ) -> Figure:
        """Players and tournaments in one plane: the principal components of the EPP.

        Parameters
        ----------
        arrows : "tournaments" or "players"; the others are points. By default those of which there
            are fewer.
        labels : names at most, of arrows and points in turn, the farthest first, as there is room.
        top : points, and arrows, at most; the farthest are kept.
        """
        return make_biplot(self._season, arrows=arrows, labels=labels, top=top)


# Settings -----------------------------------------------------------------------------------------

SETTINGS = {
    "panel": Column(str, "Tournament of the panel."),
    "panel_order": Column(int, "Place of the panel, 1 is the first."),
    "player": Column(str, "Name of the player."),
    "player_order": Column(
        int, "Place of the player by its mean EPP over tournaments, 1 is the first."
    ),
    "epp": Column(float, "EPP of the player in the tournament."),
    "low": Column(float, "Lower end of the EPP's interval; empty when it is open."),
    "high": Column(float, "Upper end of the EPP's interval; empty when it is open."),
    "start": START,
    "stop": STOP,
}


def make_settings(
    season: Season,
    *,
    family: str | None = None,
    top: int | None = 15,
    panels: int | None = 12,
    first: int = 1,
) -> Figure:
    """EPP of players as bars in each tournament; see `SeasonFigures.settings`."""
    nouns = season.nouns
    refuse_empty(season, "settings")
    table = matrix_of(season)
    players = list(table.players) if family is None else _settings_of(table, family)
    kept = choose(len(players), top=top, what=nouns.players)
    chosen = choose(len(season), top=panels, first=first, what=nouns.tournaments)
    shown = players[: kept.stop]
    tournaments = table.tournaments[chosen.start : chosen.stop]
    levels = sorted({board.how.interval.level for board in season.values()})
    whose = (
        nouns.players if family is None else f"{nouns.players} of the family {list_names([family])}"
    )
    how = (
        f"{epp_title(season)} of {whose} in each {nouns.tournament}, best on average first; lines "
        f"are {' or '.join(level_words(level) for level in levels)} intervals, with an arrow where "
        f"one is open. Where there is no bar, there is no result."
    )
    left_out = [
        *shown_words(kept, len(players), whose, "mean EPP"),
        *shown_words(chosen, len(season), nouns.tournaments, "name"),
        *scale_words(season),
    ]
    rows = list(_setting_rows(season, shown, tournaments))
    opened = _explain_open(season, rows)
    bars = _bars(rows)
    for row, start, stop in zip(rows, bars.start, bars.stop, strict=True):
        row |= {"start": start, "stop": stop}
    return Figure(
        name="settings",
        title="EPP of settings" if family else f"EPP of {nouns.players}",
        caption=join_words([how, *opened, *left_out]),
        left_out=join_words([*opened, *left_out]),
        columns=SETTINGS,
        cells={name: [row[name] for row in rows] for name in SETTINGS},
        facts={
            "axis": epp_title(season),
            "family": family,
            "domain": bars.domain,
            "players": tuple(shown),
            "labels": labels_among(table.players, shown),
        },
    )


def _explain_open(season: Season, rows: Sequence[dict[str, Any]]) -> list[str]:
    """Why ends are open, in a sentence or two for all tournaments shown."""
    nouns = season.nouns
    opened: set[str] = {row["panel"] for row in rows if None in (row["low"], row["high"])}
    cuts = {name: " ".join(describe_cuts(season[name])) for name in sorted(opened, key=natural)}
    told = [name for name, words in cuts.items() if words]
    if not told:
        return []
    if len(told) == 1:
        return [f"Ends are open in {list_names(told)}: {cuts[told[0]]}"]
    return [
        f"Ends are open in {list_names(told)}: there some {nouns.players} won or lost "
        f"every match against others, so that the width of the gap is not known."
    ]


def _bars(rows: Sequence[dict[str, Any]]) -> Bars:
    """Ends of the intervals as they are drawn, with 0 on the axis."""
    columns = [[0.0, *(row["epp"] for row in rows)]]
    for end, gone in (("low", -np.inf), ("high", np.inf)):
        columns.append([0.0, *(gone if row[end] is None else row[end] for row in rows)])
    bars = make_bars(*(np.array(column) for column in columns))
    return replace(bars, start=bars.start[1:], stop=bars.stop[1:])


def _settings_of(table: EppMatrix, family: str) -> list[str]:
    if table.families is None:
        raise BadOption(option="family", value=family, wanted=no_families(table.nouns))
    if family not in table.families:
        names = sorted(set(table.families))
        close = close_names(family, names)
        hint = did_you_mean(close).rstrip("?") if close else f"the families are {list_names(names)}"
        raise BadOption(option="family", value=family, wanted=hint[0].lower() + hint[1:])
    pairs = zip(table.players, table.families, strict=True)
    return [player for player, name in pairs if name == family]


def _setting_rows(
    season: Season, players: Sequence[str], tournaments: Sequence[str]
) -> Iterator[dict[str, Any]]:
    for panel_order, panel in enumerate(tournaments, start=1):
        board = season[panel]
        place = {player: k for k, player in enumerate(board.players)}
        found = board.around_all()
        for player_order, player in enumerate(players, start=1):
            if player in place:
                k = place[player]
                yield {
                    "panel": panel,
                    "panel_order": panel_order,
                    "player": player,
                    "player_order": player_order,
                    "epp": float(found.value[k]),
                    "low": _end(found.low[k]),
                    "high": _end(found.high[k]),
                }


def _end(value: float) -> float | None:
    """An interval's end; None where it is open."""
    return float(value) if np.isfinite(value) else None
