"""Races of settings, in plain words."""

from winodds.language.words import count, percent, rounded
from winodds.tune.courses import Course, Turn
from winodds.tune.prospects import ENOUGH, Prospects
from winodds.tune.replays import Replay
from winodds.tune.steps import Reason

ENDS = {
    "paid": "It runs to the last split.",
    "alone": "It ends with one setting left.",
    "little": "It ends because paying for the remaining splits would hardly change the choice.",
    "interrupted": "It was interrupted.",
}

ENDED = {
    "paid": "It ran to the last split.",
    "alone": "It ended with one setting left.",
    "little": (
        "It ended because paying for the remaining splits would hardly have changed the choice."
    ),
    "interrupted": "It was interrupted.",
}
"""The same of a race that took place."""

REASONS: dict[Reason, str] = {
    "refuted": "refuted as the best",
    "unlikely": "unlikely to be better than the leader",
    "crowded": "others are likelier to be better",
    "failed": "a fit failed",
    "possible": "may be better than the leader after all",
}
"""Why something was decided of a setting."""

CLAIMS = {
    "proved": (
        "Dropped settings are refuted as the best; that is wrong in {alpha:g} of 100 races at most."
    ),
    "simulated": (
        "Dropped settings are refuted as the best; for folds, how seldom that is wrong was only "
        "simulated."
    ),
    "off": (
        "Nothing is claimed, and so nothing is dropped: nobody said how the splits hang together, "
        "or they depend on each other."
    ),
}


def describe_course(found: Course) -> str:
    """What was paid for, who was chosen, why it ended, and what is claimed."""
    said = (
        f"The race paid for {found.fits:,} of {count(found.all_fits, 'fit')} "
        f"({percent(found.share)}) and chose {found.choice}."
    )
    told = [said, ENDED[found.end], _fate(found)]
    return " ".join([*told, found.prospects.text] if found.prospects else told)


def describe_turn(turn: Turn) -> str:
    """Why something was decided of a setting.

    >>> describe_turn(Turn("a", "dropped", "refuted", 6, 23.4))
    'refuted as the best: bets against it grew 23-fold'
    """
    if turn.reason != "refuted":
        return REASONS[turn.reason]
    return f"{REASONS[turn.reason]}: bets against it grew {rounded(turn.value, '.0f')}-fold"


def describe_replay(found: Replay) -> str:
    """What would have been saved, whether the choice is the same, and what is claimed."""
    failed = ""
    if found.failed:
        failed = (
            " One missing score counts as a failed fit."
            if found.failed == 1
            else f" {found.failed:,} missing scores count as failed fits."
        )
    return " ".join([_saved(found), _chosen(found), ENDS[found.end], _fate(found)]) + failed


def _saved(found: Replay) -> str:
    start = "A" if found.tournament is None else f"{found.tournament}: a"
    return (
        f"{start} race would have paid for {found.fits:,} of {count(found.all_fits, 'fit')} "
        f"({percent(found.share)})."
    )


def _chosen(found: Replay) -> str:
    if found.same:
        return f"It chooses {found.choice}, as the full search does."
    if found.lost < 0.0:
        return f"It chooses {found.choice}, and the full search {found.full_choice}."
    return (
        f"It chooses {found.choice}; the full search chooses {found.full_choice}, whose mean score "
        f"is better by {rounded(found.lost, '.3g')}."
    )


def _fate(found: Course) -> str:
    last = found.moments[-1]
    parked = ""
    if found.strategy == "park":
        failed = [turn for turn in found.last_turns().values() if turn.reason == "failed"]
        why = "which is estimated"
        if failed:
            why = f"{len(failed):,} of them because a fit failed, the others by an estimate"
            why = "because a fit failed" if len(failed) == last.parked else why
        parked = f"{last.parked:,} are parked, {why}, "
    said = f"Of {count(found.settings, 'setting')} {parked}{last.dropped:,} are dropped and "
    claim = ""
    if last.dropped or found.claim == "off":
        claim = " " + CLAIMS[found.claim].format(alpha=100.0 * found.alpha)
    plateau = ""
    if last.plateau:
        plateau = (
            " Several are about equally good: chances of being best say too much, and which of "
            "them is chosen matters little."
        )
    return f"{said}{last.left:,} left.{claim}{plateau}"


def describe_prospects(found: Prospects) -> str:
    """What one more setting promises."""
    said = (
        f"One more setting, drawn like the {found.settings:,} before it, is truly better than the "
        f"best of them with a probability of {percent(found.p_improve)}."
    )
    if found.win_gain is None:
        return f"{said} By how much is told from {ENOUGH} settings on."
    cost = "" if found.seconds is None else f", for {rounded(found.seconds, '.3g')} seconds"
    little = " That is little." if found.promises_less_than() else ""
    points = rounded(100.0 * found.win_gain, ".2g")
    return f"{said} It is expected to win {points} more of 100 splits{cost}.{little}"
