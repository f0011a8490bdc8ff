"""A race on finished results as a document: what it saved, and how it went."""

from collections.abc import Sequence

from winodds.language.words import percent
from winodds.show.layout.document import Document, Section, Table, paragraph
from winodds.show.layout.grid import Grid, make_table, numbers, words
from winodds.show.words.race import describe_replay
from winodds.tune.replays import Replay


def replay_document(found: Sequence[Replay]) -> Document:
    """One race, or one of each tournament."""
    sections = tuple(
        Section((paragraph(describe_replay(one)), Table(moments_grid(one))), one.tournament or "")
        for one in found
    )
    return Document(sections, hanging=2)


def moments_grid(found: Replay) -> Grid:
    """The race split by split: the last step on each."""
    last = {moment.split: moment for moment in found.moments}
    rows = list(last.values())
    columns = [
        (numbers("splits"), [f"{one.split:,}" for one in rows]),
        (numbers("fits"), [f"{one.fits:,}" for one in rows]),
        (numbers("left"), [f"{one.left:,}" for one in rows]),
        (numbers("parked"), [f"{one.parked:,}" for one in rows]),
        (numbers("dropped"), [f"{one.dropped:,}" for one in rows]),
        (words("leader"), [one.leader for one in rows]),
        (numbers("P(best)"), [percent(one.p_best) for one in rows]),
    ]
    return make_table(columns)
