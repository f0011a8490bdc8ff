"""How much of a season fits into a picture, and the words for what does not."""

from collections.abc import Sequence
from dataclasses import replace

from winodds.language.checks import check_count
from winodds.language.errors import BadOption
from winodds.language.nouns import Nouns
from winodds.language.words import capital, list_names
from winodds.season.matrix import EppMatrix
from winodds.season.season import Season
from winodds.show.errors import NoFigure
from winodds.show.figures.labels import label_names, make_visible, natural
from winodds.show.layout.fitting import shorten

LABELLED = 5_000
"""Names up to which labels are chosen among all of them; of more, among those shown."""


def no_families(nouns: Nouns) -> str:
    """Why a season has no figure of families."""
    return f"the {nouns.players} have no families; rate with a column of them as family"


def choose(total: int, *, top: int | None, first: int = 1, what: str = "players") -> range:
    """The places that are shown: so many, from the first one on; all of them without a number.

    >>> list(choose(5, top=2, first=4))
    [3, 4]
    """
    check_count("first", first)
    if top is not None:
        check_count("top", top)
    if first > total:
        wanted = f"there are {total:,} {what}"
        raise BadOption(option="first", value=first, wanted=wanted)
    end = total if top is None else min(first - 1 + top, total)
    return range(first - 1, end)


def shown_words(chosen: range, total: int, what: str, by: str) -> list[str]:
    """A sentence about what was left out, if anything was.

    >>> shown_words(range(40), 2000, "players", "mean EPP")
    ['The first 40 of 2,000 players by mean EPP.']
    >>> shown_words(range(40, 80), 2000, "players", "mean EPP")
    ['Players 41 to 80 of 2,000 by mean EPP.']
    """
    if len(chosen) == total:
        return []
    if chosen.start == 0:
        return [f"The first {len(chosen):,} of {total:,} {what} by {by}."]
    return [f"{capital(what)} {chosen.start + 1:,} to {chosen.stop:,} of {total:,} by {by}."]


def matrix_of(season: Season) -> EppMatrix:
    """The ratings of a season, its tournaments in the natural order of their names."""
    table = season.matrix()
    order = sorted(range(len(table.tournaments)), key=lambda k: natural(table.tournaments[k]))
    names = tuple(table.tournaments[k] for k in order)
    return replace(table, tournaments=names, epp=table.epp[:, order], se=table.se[:, order])


def labels_among(everyone: Sequence[str], shown: Sequence[str]) -> dict[str, str]:
    """Labels of the names shown: the same, whichever of all the others are shown beside them."""
    names = everyone if len(everyone) <= LABELLED else shown
    labels = dict(zip(names, label_names(names), strict=True))
    return {name: labels[name] for name in shown}


def refuse_empty(season: Season, figure: str) -> None:
    """Refuse a season without tournaments."""
    nouns = season.nouns
    if not len(season):
        raise NoFigure(figure=figure, reason=f"the season has no {nouns.tournaments}")


def reference_of(season: Season) -> str | None:
    """The player at 0 in all boards, if there is one."""
    references = {board.how.reference for board in season.values()}
    return references.pop() if len(references) == 1 else None


def epp_title(season: Season) -> str:
    """What an axis of ratings shows, in words."""
    nouns = season.nouns
    reference = reference_of(season)
    if reference is None:
        return f"EPP (log-odds of beating the average {nouns.player})"
    return f"EPP (log-odds of beating {shorten(make_visible(reference), 36)})"


def scale_words(season: Season) -> list[str]:
    """Sentences about boards whose ratings are not all on one scale, or not all there."""
    nouns = season.nouns
    apart = [name for name, board in season.items() if board.whole and not board.has_one_scale]
    cut = [name for name, board in season.items() if not board.whole]
    moved = [name for name in cut if season[name].how.average is not None]
    words = []
    if apart:
        words.append(
            f"In {list_names(apart)} there are components that never met; their EPP have "
            f"scales of their own."
        )
    if cut:
        words.append(f"Of {list_names(cut)} there may be only the first {nouns.players}.")
    if moved:
        words.append(
            f"Intervals in {list_names(moved)} are those around the average of the {nouns.players} "
            f"who can be compared."
        )
    return words


def join_words(sentences: Sequence[str]) -> str:
    """Sentences as one caption."""
    return " ".join(sentence for sentence in sentences if sentence)
