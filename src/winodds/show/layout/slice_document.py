"""Slices → a document: what differs, who leads where, and a small board of each."""

from collections.abc import Iterator
from dataclasses import replace

from winodds.board.row import DECLARED
from winodds.language.notes import Note
from winodds.language.options import Scale
from winodds.language.words import quote, rounded
from winodds.show.layout.cells import percent
from winodds.show.layout.document import (
    PAPERS,
    SCREENS,
    Block,
    Document,
    Points,
    Said,
    Section,
    Table,
    paragraph,
)
from winodds.show.layout.grid import Grid, make_grid, make_table, numbers, words
from winodds.show.words import board as on_board, slices as said
from winodds.show.words.elo import ELO_PER_LOGIT
from winodds.slices.slices import Slice, Slices

PLAYER = DECLARED["player"]

TOLD = "*"
"""Marks a difference that is told from 0 among all slices and players."""

KEPT = ("separate_components", "components_left_out")
"""Notes of a slice's board that are shown beside its doubts."""

LISTED = 20
"""Differences that are listed in sentences."""


def slice_document(
    found: Slices, *, top: int | None = None, scale: Scale | None = None
) -> Document:
    """What differs between slices, the whole board, and a board of each slice.

    Parameters
    ----------
    found : the slices; who could be the best is shown if the leaders were asked for.
    top : how many players of each board; None for all.
    scale : of ratings and differences (percentages have none: these stay in EPP); by default that
        of the board.
    """
    scale = scale or found.whole.how.scale
    slices = [_slice(own, top, scale) for own in found.values() if own.board is not None]
    sections = (_answer(found), _whole(found, top, scale), *slices)
    nouns = found.whole.how.nouns
    legend = " ".join(
        [said.legend(nouns), *([on_board.elo_legend(nouns)] if scale == "elo" else [])]
    )
    return Document(sections, hanging=2, legend=legend)


def _answer(found: Slices) -> Section:
    told = found.told()
    sentences = [said.describe_difference(found, one) for one in told[:LISTED]]
    if len(told) > LISTED:
        sentences.append(f"… and {len(told) - LISTED:,} more, in the tables below.")
    title = said.describe_differences(found)
    first: list[Block] = [paragraph(title)]
    if told:
        first = [Said((title,), PAPERS), Points(tuple(sentences), title)]
    leaders = [paragraph(said.describe_leaders(found))] if found.led else []
    return Section(
        (*first, *leaders, Table(slice_grid(found), "slice")),
        headline=said.headline(found),
        notes=(*found.notes, *_notes_of_slices(found)),
    )


def _notes_of_slices(found: Slices) -> Iterator[Note]:
    """What to know of slices that have no board to say it under."""
    for own in found.values():
        if own.board is None:
            yield from own.notes


def slice_grid(found: Slices) -> Grid:
    """The slices: how large, who is first, who could be the best, and what could be seen."""
    rows = list(found.values())
    unit = "battles" if found.whole.how.matches.rounds is None else found.whole.how.nouns.rounds
    leaders = {own.slice: own for own in found.leaders()} if found.led else {}
    first = [own.board.players[0] if own.board is not None else "" for own in rows]
    could = [said.best_words(leaders[own.name]) if own.name in leaders else "" for own in rows]
    differ = [f"{sum(one.told for one in own.differences):,}" for own in rows]
    return make_table(
        [
            (words(found.by), [own.name for own in rows]),
            (numbers(unit), [f"{own.rounds:,}" for own in rows]),
            (replace(PLAYER, label="rated first"), first),
            *([(numbers("could be best"), could)] if leaders else []),
            (numbers("differ"), differ),
            (numbers("would be seen", gives_way=1), [_visible(own) for own in rows]),
        ]
    )


def _visible(own: Slice) -> str:
    if own.visible is None:
        return ""
    return "too small" if own.too_small else f"50% → {percent(own.visible)}"


def _whole(found: Slices, top: int | None, scale: Scale) -> Section:
    board = found.whole
    lines = tuple(on_board.describe_board(board))
    return Section(
        (
            Said((f"{on_board.rated_words(board)}.", *lines), PAPERS),
            Table(make_grid(board, top=top, scale=scale), board.how.nouns.player),
            *([Said(lines, SCREENS)] if lines else []),
        ),
        "The whole",
        f"The whole: {on_board.rated_words(board)}",
        board.notes,
    )


def _slice(own: Slice, top: int | None, scale: Scale) -> Section:
    assert own.board is not None
    board = own.board
    doubts = [one for one in board.notes if one.kind == "doubt" or one.name in KEPT]
    return Section(
        (
            Said((f"{on_board.rated_words(board)}.",), PAPERS),
            Table(board_grid(own, scale, top=top), board.how.nouns.player),
        ),
        own.name,
        f"{quote(own.name)}: {on_board.rated_words(board)}",
        (*own.notes, *doubts),
    )


def board_grid(own: Slice, scale: Scale, *, top: int | None = None) -> Grid:
    """The first rows of a slice's board, with how much higher each is rated than elsewhere."""
    assert own.board is not None
    grid = make_grid(own.board, top=top, scale=scale)
    known = {one.player: one for one in own.differences}
    unit, digits = (ELO_PER_LOGIT, ".0f") if scale == "elo" else (1.0, ".2f")
    cells = []
    for player in own.board.players[:top]:
        one = known.get(player)
        mark = TOLD if one is not None and one.told else ""
        cells.append("" if one is None else f"{_signed(unit * one.difference, digits)}{mark}")
    heads = (*grid.heads, numbers("to elsewhere"))
    rows = [(*row, cell) for row, cell in zip(grid.rows, cells, strict=True)]
    return Grid(heads, rows, grid.left_out)


def _signed(value: float, form: str) -> str:
    """A number with its sign, also if that is a plus.

    >>> _signed(0.5, ".2f"), _signed(-0.001, ".2f")
    ('+0.50', '0.00')
    """
    text = rounded(value, form)
    return f"+{text}" if float(text) > 0.0 else text
