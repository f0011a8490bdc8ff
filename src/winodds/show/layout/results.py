"""Any result → its document, so that all of them are printed, shown and copied in the same way."""

from winodds.board.comparisons import Comparison, Comparisons
from winodds.board.gate import Gate
from winodds.board.leader import BoardSota
from winodds.board.leaderboard import Leaderboard
from winodds.board.quality import Quality
from winodds.season.comparisons import SeasonComparison
from winodds.season.findings import Findings
from winodds.season.season import Season
from winodds.show.layout import tables
from winodds.show.layout.document import Document, Section, Table, paragraph
from winodds.show.layout.documents import (
    best_document,
    board_document,
    gate_document,
    quality_blocks,
    sota_document,
)
from winodds.show.layout.overview import ROWS_OF_EACH, overview_document
from winodds.show.layout.races import course_document, replay_document
from winodds.show.layout.season_document import pair_document, season_document
from winodds.show.layout.shakeup import shake_up_document
from winodds.show.layout.slice_document import slice_document
from winodds.show.words.verdicts import describe_comparisons
from winodds.slices.slices import Slices
from winodds.sota.answer import Sota, WhatIf
from winodds.sota.shakeup.answer import ShakeUp
from winodds.tune.courses import Course
from winodds.tune.replays import Replay


def document_of(found: object, *, top: int | None = None) -> Document:
    """What there is to say of a result.

    Parameters
    ----------
    found : the result.
    top : how many rows of each table; None for all.
    """
    match found:
        case Leaderboard():
            return board_document([found], top=top)
        case Season():
            few = None if top is None else min(top, ROWS_OF_EACH)
            return overview_document(found, top=top, of_each=few)
        case Slices():
            return slice_document(found, top=top)
        case Findings():
            return season_document(found, top=top)
        case BoardSota():
            return best_document(found)
        case Sota() | WhatIf():
            return sota_document(found)
        case ShakeUp():
            return shake_up_document(found)
        case Gate():
            return gate_document(found)
        case Replay():
            return replay_document([found])
        case Course():
            return course_document(found, top=top)
        case SeasonComparison():
            return pair_document(found)
        case Quality():
            return Document((Section(tuple(quality_blocks(found))),))
        case Comparison():
            return Document((Section((paragraph(found.text),)),))
        case Comparisons():
            pairs = Table(tables.pair_grid(found, top=top), "pair")
            return Document((Section((paragraph(describe_comparisons(found)), pairs)),))
    raise TypeError(type(found))
