"""The page's refit, called from Python: the modules as one script, and what they answer."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from playwright.sync_api import Page

from winodds import Leaderboard
from winodds.language.plain import to_plain
from winodds.show.report.contents import shorten
from winodds.show.report.scripts import join_modules
from winodds.show.report.shipped import ship

ANSWER = """([told, chosen, pairs]) => {
  try {
    const state = fitGames(loadGames(...told), chosen);
    return {
      summary: summarise(state),
      duels: pairs.map(([i, j]) => duel(state, i, j)),
      others: pairs.map(([, j]) => compareWith(state, j)),
    };
  } catch (error) {
    if (!(error instanceof RefitError)) throw error;
    return { kind: error.kind, sentence: error.message };
  }
}"""


@dataclass(frozen=True)
class Answer:
    """What the page says of a choice: columns by name of the player, pairs, or a refusal."""

    players: tuple[str, ...]
    summary: dict[str, Any]
    duels: list[dict[str, Any]]
    others: list[dict[str, Any]]


def everything() -> str:
    """The refit, large boards and all they import, as one script."""
    return '"use strict";\n' + join_modules("engine", "refit.js", "opened.js")


def told(board: Leaderboard, component: int = 0) -> list[Any]:
    """What the engine is told of a component: what is shipped, names and ratings as on the page."""
    shipped = ship(board)
    split = board.components.split
    names = split(board.players)[component]
    ratings = [
        shorten(epp) if shipped.large else epp
        for epp in split(board.standings.epp.tolist())[component]
    ]
    return to_plain([shipped.components[component], names, ratings])  # type: ignore[no-any-return]


def refit(
    page: Page,
    board: Leaderboard,
    *,
    without: tuple[str, ...] = (),
    rounds: list[bool] | None = None,
    pairs: list[tuple[str, str]] | None = None,
) -> Answer | dict[str, str]:
    """The page's ratings of a board without some players and rounds, or why there are none."""
    chosen = {"players": [name not in without for name in board.players], "rounds": rounds}
    places = [[board.players.index(a), board.players.index(b)] for a, b in pairs or []]
    found = page.evaluate(ANSWER, [told(board), chosen, places])
    if "sentence" in found:
        return dict(found)
    names = tuple(board.players[k] for k in found["summary"]["player"])
    return Answer(names, found["summary"], found["duels"], found["others"])


def numbers(cells: list[float | None]) -> list[float]:
    """A column with NaN for open ends."""
    return [float("nan") if cell is None else cell for cell in cells]


def largest_difference(found: list[float | None], wanted: Any) -> float:
    """Of two columns whose open ends must agree."""
    ours, theirs = np.array(numbers(found)), np.array(wanted, np.float64)
    theirs = np.where(np.isfinite(theirs), theirs, np.nan)
    assert (np.isnan(ours) == np.isnan(theirs)).all(), (ours, theirs)
    return float(np.nanmax(np.abs(ours - theirs) / np.maximum(1.0, np.abs(theirs)), initial=0.0))
