"""Races as documents: what was saved, how it went, and what was decided of whom and why."""

from collections.abc import Sequence

from winodds.language.words import percent
from winodds.show.layout.document import Document, Section, Table, paragraph
from winodds.show.layout.grid import Grid, make_table, numbers, words
from winodds.show.words.race import describe_turn
from winodds.tune.courses import Course, Turn
from winodds.tune.replays import Replay


def replay_document(found: Sequence[Replay]) -> Document:
    """One race, or one of each tournament."""
    sections = tuple(
        Section((paragraph(one.text), Table(moments_grid(one))), one.tournament or "")
        for one in found
    )
    return Document(sections, hanging=2)


def course_document(found: Course, *, top: int | None = None) -> Document:
    """A race of which more is told: what became of each setting, and why."""
    blocks = (paragraph(found.text), Table(moments_grid(found)))
    fates = Table(fates_grid(found, top=top), "setting")
    return Document((Section((*blocks, fates)),), hanging=2)


def fates_grid(found: Course, *, top: int | None = None) -> Grid:
    """What became of each setting at last, after how many splits, and why."""
    names, turns, back = found.in_order(), found.last_turns(), found.comebacks()
    shown = names[:top]
    last = [turns.get(name) for name in shown]
    parked = [turn if turn and turn.act != "back" else None for turn in last]
    columns = [
        (words("setting"), shown),
        (words("state"), ["chosen" if k == found.choice else found.state[k] for k in shown]),
        (numbers("splits"), [f"{found.paid[name]:,}" for name in shown]),
        (numbers("P(better)"), [_chance(turn) for turn in parked]),
        (words("why"), [describe_turn(turn) if turn else "" for turn in parked]),
        (numbers("came back"), [f"{back[k]:,}" if k in back else "" for k in shown]),
    ]
    return make_table(columns, left_out=len(names) - len(shown))


def _chance(turn: Turn | None) -> str:
    chance = None if turn is None else turn.chance
    return "" if chance is None else percent(chance)


def moments_grid(found: Course) -> Grid:
    """The race split by split: the last step on each; columns of what its rules can decide."""
    last = {moment.split: moment for moment in found.moments}
    rows = list(last.values())
    parked = (numbers("parked"), [f"{one.parked:,}" for one in rows])
    dropped = (numbers("dropped"), [f"{one.dropped:,}" for one in rows])
    columns = [
        (numbers("splits"), [f"{one.split:,}" for one in rows]),
        (numbers("fits"), [f"{one.fits:,}" for one in rows]),
        (numbers("left"), [f"{one.left:,}" for one in rows]),
        *([parked] if found.strategy == "park" else []),
        *([dropped] if found.claim != "off" else []),
        (words("leader"), [one.leader for one in rows]),
        (numbers("P(best)"), [percent(one.p_best) for one in rows]),
    ]
    return make_table(columns)
