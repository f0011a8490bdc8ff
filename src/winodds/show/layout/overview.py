"""Several boards → a document: all together first, then a line for each."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from winodds.board.comparisons import make_estimates
from winodds.board.leaderboard import Leaderboard
from winodds.board.row import DECLARED
from winodds.language.words import list_some
from winodds.season.season import Season
from winodds.show.layout.cells import percent
from winodds.show.layout.document import Block, Document, Points, Said, Section, Table
from winodds.show.layout.documents import board_section
from winodds.show.layout.grid import Grid, make_table, numbers
from winodds.show.layout.season_tables import DATA_SET
from winodds.show.words import board as on_board, overview as said, season as on_season
from winodds.show.words.verdicts import end_of_hundred

ROWS_OF_EACH = 5
"""Rows of a board when there are several."""

PLAYER, P_BEST = DECLARED["player"], DECLARED["p_best"]


def overview_document(
    season: Season,
    *,
    top: int | None = None,
    elo: bool = False,
    each: bool = False,
    of_each: int | None = None,
) -> Document:
    """What several data sets say together, and each of them in a line.

    Parameters
    ----------
    season : the boards.
    top : how many players of the board of all; None for all.
    elo : ratings and intervals on the Elo scale.
    each : whether all boards follow; they do, too, where there is none of all together.
    of_each : how many players of each of these; None for all.
    """
    boards, together = list(season.values()), season.together
    if len(boards) == 1:
        sections = [board_section(boards[0], top, elo=elo)]
    elif each or together is None:
        own = [board_section(board, of_each, elo=elo) for board in boards]
        sections = [*_together(season, top, elo=elo), _lines(season, noted=False), *own]
    else:
        sections = [*_together(season, top, elo=elo), _lines(season, noted=True)]
    legend = on_board.ELO_LEGEND if elo else ""
    return Document(tuple(sections), wrapped=False, running=False, legend=legend)


def _together(season: Season, top: int | None, *, elo: bool) -> Iterator[Section]:
    """The board of all, or why there is none."""
    if season.together is not None:
        own = board_section(season.together, top, elo=elo)
        title = said.TOGETHER_TITLE
        yield replace(own, title=title, headline=f"{title}: {own.headline}", aside=True)
    elif season.apart:
        yield Section((Said((said.describe_apart(season.apart),)),), aside=True)


def _lines(season: Season, *, noted: bool) -> Section:
    """A line for each board and, unless the boards follow, what to know of them."""
    blocks: list[Block] = [
        Said((on_season.describe_leaders(season.standing(), len(season)),)),
        Table(line_grid(list(season.values()))),
    ]
    told = () if season.together is None else season.together.notes
    left = {name: [own for own in it.notes if own not in told] for name, it in season.items()}
    notes = said.gather_notes(left) if noted else ()
    blocks += [Points(notes, said.NOTES_TITLE)] if notes else []
    return Section(tuple(blocks), said.LINES_TITLE, said.LINES_TITLE, aside=True)


def line_grid(boards: Sequence[Leaderboard]) -> Grid:
    """Each board in a line: who is first, how sure that is, and on how many rounds it rests."""
    could, best = [_could_be_best(own) for own in boards], [_p_best(own) for own in boards]
    columns = [
        (DATA_SET, [str(own.tournament) for own in boards]),
        (replace(PLAYER, label="rated first"), [_first(own) for own in boards]),
        (numbers("beats the next", gives_way=int(any(could))), [_lead(own) for own in boards]),
        (numbers("could be best"), could),
        (replace(P_BEST, gives_way=0), best),
        (numbers("rounds"), [f"{own.how.matches.rounds or 0:,}" for own in boards]),
    ]
    return make_table([(head, cells) for head, cells in columns if any(cells)])


def _first(board: Leaderboard) -> str:
    """Who is rated first, if all are on one scale."""
    if board.whole and not board.has_one_scale:
        return "no common scale"
    return list_some([row.player for row in board.rows if row.rank == 1], shown=2)


def _lead(board: Leaderboard) -> str:
    """How often the first beats the second, with its interval: "52% (40 to 61)"."""
    if not board.has_one_scale:
        return ""
    first, second = board.players[:2]
    if board.identical(first, second):
        return "identical"
    _, chance, _ = make_estimates(board.differences([first], [second]))
    low, high = chance.low or 0.0, 1.0 if chance.high is None else chance.high
    return f"{percent(chance.value)} ({end_of_hundred(low)} to {end_of_hundred(high)})"


def _could_be_best(board: Leaderboard) -> str:
    if not (board.detailed and board.has_one_scale):
        return ""
    return f"{len(board.details().could_be_best):,} of {len(board):,}"


def _p_best(board: Leaderboard) -> str:
    """The chance that the one who is rated first is truly the best."""
    chance = board.rows[0].p_best
    return "" if chance is None else percent(chance)
