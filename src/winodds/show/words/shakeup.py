"""Two boards of one contest in sentences."""

from winodds.language.words import count, level_words, quote
from winodds.show.words.sota import digits_of
from winodds.sota.answer import Expected
from winodds.sota.shakeup.answer import Promised, ShakeUp


def describe_shake_up(found: ShakeUp) -> str:
    """What the public board promised, what came of it, and how far luck moved entries."""
    sentences = [_promise(found), _moves(found), _kept(found), _level(found)]
    return " ".join(sentence for sentence in sentences if sentence)


def _promise(found: ShakeUp) -> str:
    promised, show = found.promised, digits_of(found.public)
    if promised is None:
        return (
            f"The public board promised {show(found.public.observed_max)}; the entry that scored "
            f"it is not on the private board, whose best score is "
            f"{show(found.private.observed_max)}."
        )
    usual = promised.expected
    there = "There it scored" if promised.entries == 1 else "There they scored"
    mean = "" if promised.entries == 1 else " on average"
    return (
        f"The public board promised {show(promised.public)} ({_leader(promised)}). Without the "
        f"luck of the best, {show(usual.value)} was to be expected on the private board "
        f"({level_words(found.level)} interval {show(usual.low)} to {show(usual.high)}). {there} "
        f"{show(promised.private)}{mean}: {_nearer(promised)}."
    )


def _leader(promised: Promised) -> str:
    if promised.name is not None:
        return quote(promised.name)
    return (
        "the best entry" if promised.entries == 1 else count(promised.entries, "entry", "entries")
    )


def _nearer(promised: Promised) -> str:
    """Whether the promise or the expectation came true."""
    missed = abs(promised.public - promised.private)
    if abs(promised.expected.value - promised.private) < missed:
        return "nearer to what was expected than to what was promised"
    return "no nearer to what was expected than to what was promised"


def _moves(found: ShakeUp) -> str:
    moves = found.moves
    usual = moves.usual
    start = (
        f"On average an entry moved by {places(moves.seen)} between the boards. If chance decided "
        f"which cases are public, it would be {places(usual.value)} ({level_words(found.level)} "
        f"interval {_ends(usual)}) at a correlation of {moves.correlation:.3g}"
    )
    if found.cause == "luck":
        return f"{start}: luck explains the shake-up."
    if found.cause == "less_alike":
        return (
            f"{start}. Luck explains the shake-up if entries are less alike than that correlation "
            f"says{_alike(found)}."
        )
    if found.cause == "more_alike":
        return (
            f"{start}. Luck moved them less, so entries are more alike than that correlation "
            f"says{_alike(found)}."
        )
    share = found.independent.usual.value / moves.seen
    return (
        f"{start}. Even entries that are nothing alike would move by "
        f"{places(found.independent.usual.value)}: luck makes at most about {share:.0%} of the "
        f"shake-up. Entries may have been made for the public cases, or the private ones are of "
        f"another kind."
    )


def _alike(found: ShakeUp) -> str:
    """The correlation that the boards themselves show."""
    seen = found.correlation_seen
    if seen is None:
        return ""
    return (
        f"; about {seen.value:.2f} suits both boards ({level_words(found.level)} interval "
        f"{seen.low:.2f} to {seen.high:.2f})"
    )


def _kept(found: ShakeUp) -> str:
    kept, promised = found.kept, found.promised
    first = f"first {kept.places:,} places" if kept.places > 1 else "first place"
    text = (
        f"Entries that hold the {first} on both boards: {kept.seen:,}; by luck alone it would be "
        f"{whole(kept.usual.low)} to {whole(kept.usual.high)}."
    )
    if promised is None:
        return text
    who = "The public leader" if promised.entries == 1 else "Public leaders"
    return (
        f"{text} {who} came to rank {whole(promised.rank)} of {found.matched:,}; luck alone brings "
        f"such a leader to rank {whole(promised.usual.low)} to {whole(promised.usual.high)}."
    )


def _level(found: ShakeUp) -> str:
    level = found.level_change
    if level.unusual:
        return ""  # A note says so.
    show = digits_of(found.public)
    return (
        f"Scores changed by {show(level.change)} on average, which is no more than other cases "
        f"make (±{show(level.usual)})."
    )


def rests_on(found: ShakeUp) -> list[str]:
    """What the answer rests on, in sentences."""
    return [
        f"{count(found.matched, 'entry', 'entries')} on both boards, matched by name.",
        f"Both test sets: {_sizes(found)}",
        f"Each entry has correlation {found.moves.correlation:.3g} with what makes a case easy; "
        f"luck that all share moves nobody.",
        "Luck alone: given what all cases together say of each entry, chance decides which of them "
        "are public (simulated).",
    ]


def _sizes(found: ShakeUp) -> str:
    if found.public.n is None or found.private.n is None:
        return f"standard errors {found.public.se:g} and {found.private.se:g}."
    return f"{found.public.n:,} public cases and {found.private.n:,} private ones."


def places(value: float) -> str:
    """Places, with a decimal where there are few."""
    shown = f"{value:.1f}" if value < 99.95 else f"{value:,.0f}"
    return f"{shown} places"


def whole(value: float) -> str:
    """A rank or a number of entries, perhaps a mean of several."""
    return f"{value:,.0f}"


def _ends(usual: Expected) -> str:
    decimals = ".1f" if usual.high < 99.95 else ",.0f"
    return f"{usual.low:{decimals}} to {usual.high:{decimals}}"
