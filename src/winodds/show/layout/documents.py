"""Results → documents: what is said of each, in which order and to whom."""

from collections.abc import Sequence

from winodds.board.bootstrap import Bootstrap
from winodds.board.comparisons import Comparison, Comparisons
from winodds.board.gate import Gate
from winodds.board.leader import BoardSota
from winodds.board.leaderboard import Leaderboard
from winodds.board.quality import Quality
from winodds.language.notes import Note
from winodds.show.layout import tables
from winodds.show.layout.cells import rating
from winodds.show.layout.contests import places_blocks, places_rest_on
from winodds.show.layout.document import (
    PAPERS,
    SCREENS,
    TEXT,
    Block,
    Document,
    Points,
    Said,
    Section,
    Table,
    paragraph,
)
from winodds.show.layout.grid import make_grid
from winodds.show.words import best, board as on_board, fit, gate, sota, verdicts
from winodds.show.words.seats import describe_seat, is_seated
from winodds.show.words.teams import describe_teams
from winodds.sota.answer import Sota, WhatIf

Compared = tuple[Leaderboard, Comparison | Comparisons]
"""A board and what was compared on it."""


def board_document(
    boards: Sequence[Leaderboard], *, top: int | None = None, elo: bool = False
) -> Document:
    """One board, or those of a season.

    Parameters
    ----------
    boards : the boards.
    top : how many players of each; None for all.
    elo : ratings and intervals on the Elo scale.
    """
    sections = tuple(board_section(board, top, elo=elo) for board in boards)
    return Document(
        sections, wrapped=False, running=False, legend=on_board.ELO_LEGEND if elo else ""
    )


def board_section(board: Leaderboard, top: int | None, *, elo: bool = False) -> Section:
    """One board: its table, and what there is to say of it."""
    spans = tuple((row.low, row.epp, row.high) for row in board.rows[:top])
    known = [end for span in spans for end in span if end is not None]
    ends = rating(min(known), elo=elo), rating(max(known), elo=elo)
    table = Table(make_grid(board, top=top, elo=elo), spans=spans, ends=ends)
    said = tuple(on_board.describe_board(board))
    teams, notes = tell_teams(board, top)
    return Section(
        blocks=(
            Said((f"{on_board.rated_words(board)}.", *said), PAPERS),
            table,
            *([Said(said, SCREENS)] if said else []),
            *teams,
            *_seats(board, top, elo=elo),
        ),
        title=board.tournament,
        headline=on_board.headline(board),
        notes=(*board.notes, *notes),
    )


def tell_teams(board: Leaderboard, top: int | None) -> tuple[list[Block], tuple[Note, ...]]:
    """What ensembles add, where the table says who is in them."""
    if not board.members or not board.has_one_scale:
        return [], ()
    found = board.teams()
    blocks: list[Block] = [
        paragraph(describe_teams(found)),
        Table(tables.team_grid(found, top=top), "team", counted=TEXT),
        Table(tables.member_grid(found, top=top), "member", counted=TEXT),
    ]
    return blocks, found.notes


def _seats(board: Leaderboard, top: int | None, *, elo: bool) -> list[Block]:
    """What the first seat is worth, where that was asked for."""
    if not is_seated(board):
        return []
    found = board.seat()
    return [
        paragraph(describe_seat(found)),
        Table(tables.seat_grid(found, top=top, elo=elo), counted=TEXT),
    ]


def comparison_document(found: Sequence[Compared], *, top: int | None = None) -> Document:
    """Two players, or all pairs, on each board."""
    return Document(
        tuple(
            _two(board, one) if isinstance(one, Comparison) else _all(board, one, top)
            for board, one in found
        )
    )


def _two(board: Leaderboard, found: Comparison) -> Section:
    start = f"{board.tournament}: " if board.tournament else ""
    blocks = paragraph(f"{start}{found.text}", SCREENS), paragraph(found.text, PAPERS)
    return Section(blocks, board.tournament, notes=board.notes)


def _all(board: Leaderboard, found: Comparisons, top: int | None) -> Section:
    blocks: tuple[Block, ...] = (
        paragraph(verdicts.describe_comparisons(found)),
        Table(tables.letter_grid(board, found, top=top), counted=TEXT),
        paragraph(on_board.explain_letters(board), ("text", "markdown")),
        Table(tables.pair_grid(found, top=top), "pair", counted=TEXT),
        *map(paragraph, on_board.rank_tests(board)),
    )
    return Section(blocks, board.tournament, on_board.headline(board), board.notes)


def quality_document(found: Sequence[tuple[Leaderboard, Quality]]) -> Document:
    """The fit of each board, and all boards side by side."""
    sections = [
        Section(tuple(quality_blocks(quality)), board.tournament, on_board.headline(board))
        for board, quality in found
    ]
    if len(found) > 1:
        title = "Boards by standardised deviance, the smallest first:"
        end = "Standardised deviances compare boards; whether a board fits at all, p says."
        overview = Table(tables.overview_grid(found))
        sections.append(Section((Said((title,), TEXT), overview, Said((end,), TEXT))))
    return Document(tuple(sections))


def quality_blocks(quality: Quality) -> list[Block]:
    """How well ratings fit, and where they do not."""
    blocks: list[Block] = [paragraph(fit.describe_quality(quality))]
    if quality.df <= 0:
        return blocks
    blocks += [
        paragraph(fit.describe_chi2(quality), TEXT),
        Table(tables.calibration_grid(quality)),
    ]
    doubts = tuple(fit.describe_doubts(quality))
    return [*blocks, *([Points(doubts, "Where the ratings fit worst:")] if doubts else [])]


def bootstrap_document(
    found: Sequence[tuple[Leaderboard, Bootstrap]], *, top: int | None = None
) -> Document:
    """Resampled ratings of each board."""
    return Document(
        tuple(
            Section(
                (
                    Table(tables.bootstrap_grid(one, top=top), counted=TEXT),
                    paragraph(on_board.describe_bootstrap(board, one)),
                ),
                board.tournament,
                on_board.headline(board),
                board.notes,
            )
            for board, one in found
        )
    )


def gate_document(found: Gate) -> Document:
    """The verdict on a candidate, and the numbers behind it."""
    blocks: tuple[Block, ...] = (paragraph(found.text), Table(tables.gate_grid(found)))
    title = f"winodds gate: {gate.headline(found).lower()}"
    return Document((Section(blocks, title, notes=found.notes),), hanging=2)


def best_document(found: BoardSota) -> Document:
    """The leader's rating without luck, and that of the best of every family."""
    picks = [Table(tables.picks_grid(found))] if found.families else []
    blocks: tuple[Block, ...] = (paragraph(best.describe_leader(found)), *picks)
    return Document((Section(blocks, notes=found.notes),), hanging=2)


def sota_document(found: Sota | WhatIf) -> Document:
    """The best of many scores, or what is to be expected of it."""
    if isinstance(found, WhatIf):
        paragraphs = paragraph(sota.describe_what_if(found)), paragraph(sota.rests_on(found))
        return Document(
            (Section((paragraphs[0], Table(tables.what_if_grid(found)), paragraphs[1])),)
        )
    sensitivity = [Table(tables.sensitivity_grid(found))] if found.sensitivity else []
    contenders = [Table(tables.contenders_grid(found))] if found.contenders else []
    sent, why = sota.describe_submissions(found), sota.explain_face_value(found)
    blocks: tuple[Block, ...] = (
        *([paragraph(sent)] if sent else []),
        paragraph(sota.describe_sota(found)),
        Table(tables.figures_grid(found)),
        *([paragraph(why)] if why else []),
        *contenders,
        *places_blocks(found),
        *sensitivity,
        Points((*sota.assumptions(found), *places_rest_on(found)), "This rests on:", "- "),
    )
    return Document((Section(blocks, notes=found.notes),), hanging=2)
