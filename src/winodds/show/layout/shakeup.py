"""Two boards of one contest as a document."""

from winodds.language.words import level_words
from winodds.show.layout.document import Block, Document, Points, Section, Table, paragraph
from winodds.show.layout.grid import Grid, make_table, numbers, words
from winodds.show.words import shakeup as on
from winodds.show.words.sota import digits_of, odds
from winodds.sota.answer import Sota
from winodds.sota.shakeup.answer import ShakeUp

SIDES = {"luck": "luck explains it", "more": "more than luck", "less": "less than luck"}


def shake_up_document(found: ShakeUp) -> Document:
    """What became of the public board."""
    under = [Table(under_grid(found))] if found.under else []
    blocks: tuple[Block, ...] = (
        paragraph(on.describe_shake_up(found)),
        Table(boards_grid(found)),
        *under,
        Points(tuple(on.rests_on(found)), "This rests on:", "- "),
    )
    seen = dict.fromkeys((*found.notes, *found.public.notes, *found.private.notes))
    return Document((Section(blocks, notes=tuple(seen)),), hanging=2)


def boards_grid(found: ShakeUp) -> Grid:
    """Both boards side by side."""
    both, show = (found.public, found.private), digits_of(found.public)
    rows: list[tuple[str, ...]] = [
        ("best entry", *((one.winner or "") for one in both)),
        ("best score", *(show(one.observed_max) for one in both)),
        ("state of the art", *(show(one.sota) for one in both)),
        (f"{level_words(found.level)} interval", *(_interval(one) for one in both)),
        ("P(best entry is truly the best)", *(_chance(one) for one in both)),
        ("entries", *(f"{one.scored:,}" for one in both)),
    ]
    if found.promised is not None:
        leader = found.promised
        own = ("the public leader's score", show(leader.public), show(leader.private))
        rows.insert(2, own)
    return Grid((words(""), numbers("public"), numbers("private")), rows)


def _interval(found: Sota) -> str:
    if found.low is None or found.high is None:
        return ""
    show = digits_of(found)
    return f"{show(found.low)} … {show(found.high)}"


def _chance(found: Sota) -> str:
    return "" if found.p_best is None else odds(found.p_best)


def under_grid(found: ShakeUp) -> Grid:
    """How far luck moves entries under other correlations, beside how far they moved."""
    tried = sorted((found.moves, *found.under), key=lambda one: one.correlation)
    ends = [f"{one.usual.low:.1f} … {one.usual.high:.1f}" for one in tried]
    return make_table(
        [
            (numbers("correlation"), [f"{one.correlation:.3g}" for one in tried]),
            (numbers("of two entries"), [f"{one.correlation**2:.2g}" for one in tried]),
            (numbers("places moved"), [f"{one.seen:.1f}" for one in tried]),
            (numbers("by luck alone"), [f"{one.usual.value:.1f}" for one in tried]),
            (numbers(f"{level_words(found.level)} interval"), ends),
            (words("so"), [SIDES[one.side] for one in tried]),
        ]
    )
