"""A season → tables of chances: on a new data set, between families, and of tuning.

Examples
--------
>>> import winodds.demo
>>> season = winodds.demo.rate_results(family="family")
>>> figure = season.figures.family_matrix()
>>> [row["text"] for row in figure.rows[:3]]
[None, '56', '55']
>>> season.figures.tunability(default="(default)").rows[-1]["family"]
'logistic_regression'
"""

from collections.abc import Iterator, Sequence
from typing import Any

from winodds.language.errors import BadOption
from winodds.language.notes import Note
from winodds.language.nouns import Nouns
from winodds.language.words import capital, level_words, list_names, quote, rounded
from winodds.season.chances import Chance, MeanChance
from winodds.season.comparisons import SeasonComparison, SeasonComparisons, compare_with
from winodds.season.families import FamilyTable
from winodds.season.season import Season
from winodds.season.tunability import Default, FamilyGain, Tunability
from winodds.show.errors import NoFigure
from winodds.show.figures.extent import (
    choose,
    join_words,
    labels_among,
    no_families,
    refuse_empty,
    shown_words,
)
from winodds.show.figures.figure import Column, Figure
from winodds.show.figures.labels import make_visible
from winodds.show.figures.pages import START, STOP, cells_of
from winodds.show.layout.fitting import shorten
from winodds.show.words.verdicts import end_of_hundred

ROOM = 36
"""Signs of a name within a title."""

# On a new data set --------------------------------------------------------------------------------

NEW_DATA_SET = {
    "player": Column(str, "Name of the other player."),
    "player_order": Column(int, "Place of the other by its mean EPP, 1 is the first."),
    "p_win_round": Column(float, "Chance of winning a round of a new tournament against it."),
    "low": Column(float, "Lower end of that chance's interval; empty when it is open."),
    "high": Column(float, "Upper end of that chance's interval; empty when it is open."),
    "new_low": Column(float, "Lower end of the range of P(win) on most new tournaments."),
    "new_high": Column(float, "Upper end of the range of P(win) on most new tournaments."),
    "p_better": Column(float, "Chance of being truly the better one on a new tournament."),
    "tau": Column(float, "Standard deviation of true differences between tournaments."),
    "shared": Column(int, "Tournaments that have both."),
    "separated": Column(int, "Those of them in which all matches went one way."),
    "start": START,
    "stop": STOP,
    "text": Column(str, "The chance of being truly the better one, as it is written."),
}


def ask_new_data_set(
    season: Season, player: str | None, *, level: float | None
) -> SeasonComparisons:
    """One player, by default the first by mean EPP, against the others on a new tournament."""
    refuse_empty(season, "new_data_set")
    players = season.matrix().players
    if level is None:
        level = next(iter(season.values())).how.interval.level
    return compare_with(season.lineup, players, player or players[0], level=level)


def make_new_data_set(found: SeasonComparisons, *, top: int | None = 30, first: int = 1) -> Figure:
    """A player against the others on a new tournament; see `SeasonFigures.new_data_set`."""
    nouns = found.nouns
    chosen = choose(len(found), top=top, first=first)
    shown = found[chosen.start : chosen.stop]
    whose = shorten(make_visible(shown[0].a), ROOM)
    level = level_words(found.level)
    how = (
        f"{whose} against each of the others in {nouns.round.a} of a new {nouns.data_set}: points "
        f"are the chance of winning it, thick lines {level} intervals of that. "
        f"{capital(nouns.data_sets)} differ: thin lines hold P(win) on {level} of new ones. At the "
        f"right, the chance that {whose} is truly the better one there."
    )
    left_out = [
        *shown_words(chosen, len(found), "others", "mean EPP"),
        *(_sentence(note) for note in found.notes),
    ]
    rows = list(_new_rows(shown, chosen.start))
    names = [row["player"] for row in rows]
    return Figure(
        name="new_data_set",
        title=f"{whose} on a new {nouns.data_set}",
        caption=join_words([how, *left_out]),
        left_out=join_words(left_out),
        columns=NEW_DATA_SET,
        cells=cells_of(NEW_DATA_SET, rows),
        facts={
            "axis": f"P(win) on a new {nouns.data_set}",
            "player": shown[0].a,
            "level": found.level,
            "labels": labels_among(found.players, names),
        },
    )


def _sentence(note: Note) -> str:
    return f"{note.text[0].upper()}{note.text[1:].rstrip('.')}."


def _new_rows(shown: Sequence[SeasonComparison], before: int) -> Iterator[dict[str, Any]]:
    for order, one in enumerate(shown, start=before + 1):
        low, high = one.p_win_round.low, one.p_win_round.high
        new_low, new_high = one.p_win_new.low, one.p_win_new.high
        yield {
            "player": one.b,
            "player_order": order,
            "p_win_round": one.p_win_round.value,
            "low": low,
            "high": high,
            "new_low": 0.0 if new_low is None else new_low,
            "new_high": 1.0 if new_high is None else new_high,
            "p_better": one.p_better,
            "tau": one.tau,
            "shared": one.shared,
            "separated": one.separated,
            "start": 0.0 if low is None else low,
            "stop": 1.0 if high is None else high,
            "text": f"{end_of_hundred(one.p_better, inside=True)}%",
        }


# Between families ---------------------------------------------------------------------------------

FAMILY_MATRIX = {
    "family": Column(str, "Family of the row."),
    "family_order": Column(int, "Place of the row, 1 is the first."),
    "opponent": Column(str, "Family of the column."),
    "opponent_order": Column(int, "Place of the column, 1 is the first."),
    "probability": Column(
        float, "Chance that the best of the row beats that of the column; empty if unknown."
    ),
    "low": Column(float, "Lower end of its interval; empty without one."),
    "high": Column(float, "Upper end of its interval; empty without one."),
    "open": Column(bool, "Whether all went one way, so that nobody knows how far apart they are."),
    "text": Column(str, "The chance in percent, as it is written."),
}


def ask_families(season: Season, figure: str) -> None:
    """Refuse a season without tournaments, or without families."""
    refuse_empty(season, figure)
    if season.matrix().families is None:
        raise NoFigure(figure=figure, reason=no_families(season.nouns))


def make_family_matrix(
    found: FamilyTable, *, tournament: str | None = None, top: int | None = 20
) -> Figure:
    """Which family's best beats which; see `SeasonFigures.family_matrix`."""
    nouns = found.nouns
    if tournament is not None and tournament not in found.tournaments:
        wanted = f"the {nouns.tournaments} are {list_names(found.tournaments)}"
        raise BadOption(option="tournament", value=tournament, wanted=wanted)
    kept = choose(len(found.families), top=top, what="families")
    families = found.families[: kept.stop]
    rows = list(_family_rows(found, families, tournament))
    left_out = shown_words(kept, len(found.families), "families", "their chance against others")
    if any(row["open"] for row in rows):
        left_out.append(
            "Where one side won everything, ∞ says that nobody knows how far apart the two are."
        )
    where = "" if tournament is None else f" in {shorten(make_visible(tournament), ROOM)}"
    return Figure(
        name="family_matrix",
        title=f"Which family's best beats which{where}",
        caption=join_words([_how_families(tournament, nouns=nouns), *left_out]),
        left_out=join_words(left_out),
        columns=FAMILY_MATRIX,
        cells=cells_of(FAMILY_MATRIX, rows),
        facts={
            "tournament": tournament,
            "level": found.level,
            "labels": labels_among(found.families, families),
        },
    )


def _how_families(tournament: str | None, nouns: Nouns) -> str:
    start = "P(best of the row beats best of the column), in percent, "
    if tournament is not None:
        return (
            f"{start}in a new {nouns.round} of {quote(tournament)}, without the luck of being "
            f"picked as best."
        )
    return (
        f"{start}in {nouns.round.a} of a new {nouns.data_set}. The best of a family is picked on "
        f"other {nouns.rounds} than those that count."
    )


def _family_rows(
    found: FamilyTable, families: Sequence[str], tournament: str | None
) -> Iterator[dict[str, Any]]:
    for row, family in enumerate(families, start=1):
        for column, opponent in enumerate(families, start=1):
            place = {"family": family, "family_order": row}
            place |= {"opponent": opponent, "opponent_order": column}
            yield {**place, "open": False, **_family_cell(found, family, opponent, tournament)}


def _family_cell(
    found: FamilyTable, family: str, opponent: str, tournament: str | None
) -> dict[str, Any]:
    if family == opponent:
        return {}
    own: Chance | MeanChance | None
    if tournament is None:
        own = found.pair(family, opponent).p_win
        value, open_end = own.value, own.open
    else:
        own = found.chance(tournament, family, opponent)
        value, open_end = (None, False) if own is None else (own.shrunken, own.separated)
    if own is None or value is None:
        return {}
    ends = {"probability": value, "low": own.low, "high": own.high, "open": open_end}
    return {**ends, "text": _chance_text(value, open_end=open_end)}


def _chance_text(value: float, *, open_end: bool) -> str:
    """A chance in percent that is never 0 or 100; with a mark where its distance is open.

    >>> _chance_text(0.721, open_end=False), _chance_text(0.999, open_end=False)
    ('72', '>99')
    >>> _chance_text(0.981, open_end=True), _chance_text(0.019, open_end=True)
    ('>98 ∞', '<2 ∞')
    >>> _chance_text(0.9999, open_end=True)
    '>99 ∞'
    """
    if not open_end:
        return end_of_hundred(value, inside=True)
    inside = min(max(int(rounded(100.0 * value, ".0f")), 1), 99)
    return f"{'>' if value > 0.5 else '<'}{inside} ∞"


# Tuning -------------------------------------------------------------------------------------------

TUNABILITY = {
    "family": Column(str, "Name of the family."),
    "family_order": Column(int, "Place of the family by its gain, 1 is the first."),
    "held_out": Column(
        float, "Chance that the best setting, picked on other rounds, beats the default."
    ),
    "low": Column(float, "Lower end of that chance's interval; empty without one."),
    "high": Column(float, "Upper end of that chance's interval; empty without one."),
    "shrunken": Column(float, "The same by ratings without the luck of being picked."),
    "plug_in": Column(float, "The same by ratings at face value."),
    "settings": Column(int, "Settings of the family."),
    "tournaments": Column(int, "Tournaments that have the default and another setting."),
    "recommended": Column(str, "The setting that is best over all tournaments."),
}


def make_tunability(found: Tunability, *, top: int | None = 30) -> Figure:
    """What tuning gains, by family; see `SeasonFigures.tunability`."""
    nouns = found.nouns
    kept = choose(len(found.families), top=top, what="families")
    shown = found.families[: kept.stop]
    base = "median setting" if found.by_median else "default"
    how = (
        f"P(the best setting of a family beats its {base} in {nouns.round.a} of a new "
        f"{nouns.data_set}), the largest gain at the top. Points with {level_words(found.level)} "
        f"intervals are of settings that were picked on other {nouns.rounds}; ratings at face "
        f"value add the luck of the pick, and shrunken ones take it out of each {nouns.data_set}."
    )
    left_out = shown_words(kept, len(found.families), "families", "their gain")
    if found.without_default:
        left_out.append(f"Without a default, and left out: {list_names(found.without_default)}.")
    if found.single:
        left_out.append(f"With nothing to choose from, and left out: {list_names(found.single)}.")
    return Figure(
        name="tunability",
        title="What tuning gains",
        caption=join_words([how, *left_out]),
        left_out=join_words(left_out),
        columns=TUNABILITY,
        cells=cells_of(TUNABILITY, [_gain_row(k, one) for k, one in enumerate(shown, start=1)]),
        facts={
            "axis": f"P(best setting beats the {base})",
            "picked": f"picked on other {nouns.rounds}",
            "by_median": found.by_median,
            "level": found.level,
            "labels": labels_among(
                [one.family for one in found.families], [one.family for one in shown]
            ),
        },
    )


def _gain_row(order: int, one: FamilyGain) -> dict[str, Any]:
    return {
        "family": one.family,
        "family_order": order,
        "held_out": one.p_win.value,
        "low": one.p_win.low,
        "high": one.p_win.high,
        "shrunken": one.shrunken,
        "plug_in": one.plug_in,
        "settings": one.settings,
        "tournaments": one.tournaments,
        "recommended": one.recommended,
    }


def ask_tunability(season: Season, default: Default) -> Tunability:
    """What tuning gains in a season that has families."""
    ask_families(season, "tunability")
    return season.tunability(default=default)
