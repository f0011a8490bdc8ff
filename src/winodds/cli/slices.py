"""``--by``: a file → its board, cut into slices."""

import sys
from typing import TYPE_CHECKING

from winodds.cli.boards import (
    Understood,
    find_columns,
    look_closer,
    read_file,
    understand,
)
from winodds.cli.options import Asked
from winodds.cli.progress import Progress
from winodds.cli.remedies import with_command
from winodds.language.errors import BadOption
from winodds.language.options import as_list
from winodds.language.words import count

if TYPE_CHECKING:
    from winodds.slices.slices import Slices


def slice_file(file: str, asked: Asked, *, quiet: bool = False) -> "Slices":
    """Read a file, say how it was understood, and cut its board into slices."""
    with with_command(file, asked), Progress(sys.stderr, quiet=quiet) as progress:
        found = _slice(file, asked, progress)
        look_closer([found.whole], asked, progress)
        progress.say(f"Looking for the best of {count(len(found), 'slice')} …")
        found.leaders()
    return found


def _slice(file: str, asked: Asked, progress: Progress) -> "Slices":
    """The slices of a table, which must give one board as a whole."""
    from winodds.api.slices import rate_battle_slices, rate_slices
    from winodds.slices.errors import SlicesOfOneBoard
    from winodds.table.errors import ConflictingDuplicates, MissingColumn, NotConstant
    from winodds.table.names import close_names

    table = read_file(file, asked, progress)
    by = find_columns("by", asked, table.columns)[0]
    if by not in table.columns:
        close = close_names(by, table.columns)
        raise MissingColumn(column=by, columns=table.columns, close=close)
    found = understand(table, asked, progress)
    if found.battles:
        return rate_battle_slices(found.table, by=by, **found.said)
    if _several(found) and not asked.file.pool:
        raise SlicesOfOneBoard(column=by, tournament=", ".join(as_list(found.tournament)))
    progress.say(f"Rating {count(found.table.rows, 'score')} by slices …")
    try:
        return rate_slices(found.table, by=by, **found.said)
    except (ConflictingDuplicates, NotConstant):
        if not _repeats(found, by):
            raise
        wanted = "its values have the same rounds, as tournaments do; 'winodds season' rates each"
        raise BadOption(option="by", value=by, wanted=wanted) from None


def _several(found: Understood) -> bool:
    """Whether there is more than one tournament."""
    from winodds.table.table import index_columns

    named = found.tournament
    return named is not None and len(index_columns(found.table, named).names) > 1


def _repeats(found: Understood, by: str) -> bool:
    """Whether the rounds of one slice are those of the others, too."""
    from winodds.table.slices import repeats_within

    known = {**found.table.knows, **found.said}
    names = [*as_list(known["player"]), *as_list(known["round"])]
    return repeats_within(found.table, names, by)
