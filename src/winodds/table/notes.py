"""Notes about data: what was made of a table, and what looks odd in it."""

from collections.abc import Mapping, Sequence

from winodds.language.notes import Note, doubt, reading
from winodds.language.spelling import option
from winodds.language.words import count, list_names, quote
from winodds.table.names import Index, look_alike


@reading
def missing_scores(total: int, of: Mapping[str, int], *, lose: bool) -> str:
    """How many runs gave no score, whose they were and what became of them."""
    most = ", ".join(f"{quote(player)} {number:,}" for player, number in list(of.items())[:5])
    rest = len(of) - 5
    more = f" and {count(rest, 'more player')}" if rest > 0 else ""
    whom = "it" if total == 1 else "they"
    fate = f"lost to every score that {whom} met" if lose else "played no match"
    verb = "has" if total == 1 else "have"
    return f"{count(total, 'run')} {verb} no score and {fate}: {most}{more}."


@reading
def spread_rows(rows: int, metrics: Sequence[str]) -> str:
    verb = "tells" if rows == 1 else "tell"
    left_out = "is" if rows == 1 else "are"
    return (
        f"{count(rows, 'row')} of {list_names(metrics)} {verb} how much scores vary, and "
        f"{left_out} left out."
    )


@reading
def failed_runs(column: str, words: Sequence[tuple[str, int]]) -> str:
    """Which words of a status column make runs count as failed."""
    total = sum(number for _, number in words)
    listed = ", ".join(f"{quote(word)} {number:,}" for word, number in words[:5])
    rest = f" and {count(len(words) - 5, 'more word')}" if len(words) > 5 else ""
    verb = "counts" if total == 1 else "count"
    return f"{count(total, 'run')} {verb} as failed by column {quote(column)}: {listed}{rest}."


@reading
def direction_given(metrics: Sequence[str], *, higher: bool) -> str:
    """To which metrics the caller's direction was applied."""
    way = "Higher" if higher else "Lower"
    return f"{way} is taken as better for {list_names(metrics)}, because you said so."


@doubt
def mixed_units(metric: str, first: str, rounds: int) -> str:
    return (
        f"Scores of {quote(metric)} lie on both sides of 1 in {count(rounds, 'round')} (the first "
        f"is {quote(first)}): percentages and fractions mixed?"
    )


@reading
def absent_runs(pairs: int) -> str:
    return (
        f"{count(pairs, 'player–round pair')} {'has' if pairs == 1 else 'have'} no row at all and "
        f"played no match; only rows with an empty score count as failed runs."
    )


@reading
def duplicate_rows(rows: int) -> str:
    verb = "repeats another one" if rows == 1 else "repeat others"
    return f"{count(rows, 'row')} {verb} exactly and {'was' if rows == 1 else 'were'} left out."


@reading
def retried_runs(rows: int) -> str:
    verb = "gives" if rows == 1 else "give"
    return (
        f"{count(rows, 'row')} without a score {verb} way to a score of the same player and round."
    )


@reading
def merged_rows(rows: int, rule: str) -> str:
    sentence = (
        f"{count(rows, 'row')} gave way where a player has several scores in a round ({rule})."
    )
    if rule == "best":
        sentence += " The best of several tries is partly luck, and more tries are more luck."
    return sentence


@reading
def rounds_without_match(rounds: int) -> str:
    verb = "plays" if rounds == 1 else "play"
    return f"{count(rounds, 'round')} in which nobody met anybody {verb} no part."


@reading
def players_without_score(players: Sequence[str]) -> str:
    verb = "has" if len(players) == 1 else "have"
    return f"{list_names(players)} {verb} no score in any round and cannot be rated."


@reading
def players_without_match(players: Sequence[str]) -> str:
    return f"{list_names(players)} met nobody and cannot be rated."


@reading
def tidied_names(names: int) -> str:
    verb = "was" if names == 1 else "were"
    return f"{count(names, 'name')} in the table {verb} freed of outer blanks or odd characters."


@reading
def bad_ties(bad: int, ties: int) -> str:
    """Ties of two bad answers, which say nothing about who is better."""
    one = bad == 1
    return (
        f"{bad:,} of {count(ties, 'tie')} {'is' if one else 'are'} between two bad answers; "
        f"{'it counts' if one else 'they count'} like any tie."
    )


@doubt
def training_scores(column: str) -> str:
    return (
        f"By the name {quote(column)} these are scores on training data, where who learns by "
        f"heart wins."
    )


@doubt
def look_alike_names(names: Sequence[Sequence[str]], what: str) -> str:
    shown = "; ".join(list_names(alike) for alike in names[:5])
    rest = f"; and {len(names) - 5:,} more" if len(names) > 5 else ""
    return f"Names that differ only in case or form, two {what} or one? {shown}{rest}."


def look_alikes(names: Sequence[str], what: str) -> list[Note]:
    """A note about names that differ only in case or form, if there are any."""
    text = "".join(names)
    folded = names if text == text.lower() else map(str.lower, names)
    if text.isascii() and "  " not in text and len(set(folded)) == len(names):
        return []
    forms: dict[str, list[str]] = {}
    for name in dict.fromkeys(names):
        forms.setdefault(look_alike(name), []).append(name)
    pairs = [names for names in forms.values() if len(names) > 1]
    return [look_alike_names(pairs, what)] if pairs else []


@reading
def same_numbers(respelt: Mapping[str, str], what: str) -> str:
    """Names of rounds or data sets that became another one."""
    listed = [f"{quote(old)} as {quote(new)}" for old, new in list(respelt.items())[:5]]
    rest = f" and {len(respelt) - 5:,} more" if len(respelt) > 5 else ""
    return (
        f"All {what} are whole numbers, and the same number is the same one however it is "
        f"written: {', '.join(listed)}{rest}."
    )


@doubt
def equal_numbers(names: Sequence[Sequence[str]], what: str) -> str:
    shown = "; ".join(list_names(alike) for alike in names[:5])
    rest = f"; and {len(names) - 5:,} more" if len(names) > 5 else ""
    return f"Names that are the same number, two {what} or one? {shown}{rest}."


def numerals(index: Index, what: str) -> list[Note]:
    """Notes about numbers among names that were written in several ways."""
    found = [same_numbers(index.respelt, what)] if index.respelt else []
    return found + ([equal_numbers(index.equal, what)] if index.equal else [])


@doubt
def both_orders(pairs: int, column: str) -> str:
    """Battles of the same two on the same prompt, with the seats changed."""
    return (
        f"{count(pairs, 'pair')} of players met on the same value of {quote(column)} in both "
        f"orders. Such battles depend on each other, and the intervals take them as independent; "
        f"with {option('cluster', column)} they are one cluster."
    )
