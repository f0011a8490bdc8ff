"""``winodds gate``: two sources, or two players of a table → a verdict and an exit code."""

import sys
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from winodds.cli.boards import (
    boards_of,
    find_roles,
    named_roles,
    rate_table,
    read_file,
    shape_of,
    shape_of_one,
    title,
)
from winodds.cli.options import DECLARED, Asked, refuse_typed
from winodds.cli.output import deliver, format_of, render_document
from winodds.cli.progress import Progress
from winodds.language.errors import BadOption
from winodds.language.notes import tell_in
from winodds.language.nouns import HOUSE, ROLES, Nouns, name_things
from winodds.language.option import declarations
from winodds.language.options import GateOptions, Tolerating
from winodds.language.spelling import option
from winodds.language.words import quote

if TYPE_CHECKING:
    from winodds.adapters.adapted import Adapted
    from winodds.board.gate import Gate
    from winodds.board.leaderboard import Leaderboard
    from winodds.read.sheet import Sheet
    from winodds.season.season import Season

CANNOT_TELL, WORSE = 3, 4
ENDS = {"better": 0, "no worse": 0, "cannot tell": CANNOT_TELL, "worse": WORSE}
"""How the command ends, by the verdict."""

BOARDS = "winodds/leaderboard/"
SEASONS = "winodds/season/"
NO_COLUMNS = "this is a leaderboard, which was made of a table already"
OF_FILES = "it chooses among the players of a file; with a table, both are named already"
NO_BOARD = "{} is no leaderboard"
ONE_SEASON = "one is of one tournament, or of all together, and the other has one of each"
OF_BATTLES = "battles have no rounds to pair; put both players into one table, and name it with {}"


def judge_files(
    files: tuple[str, str],
    asked: Asked,
    tolerated: Tolerating,
    *,
    names: tuple[str | None, str | None],
    power: float,
    quiet: bool,
) -> "Gate":
    """The verdict on the results of the second file against those of the first."""
    from winodds.adapters.pairing import pair_results
    from winodds.api.gate import gate

    boards = _read_boards(files)
    if boards:
        return _pair_boards(files, boards, asked, tolerated, names=names, power=power)
    refuse_typed(("weights",), "it is for players of one table")
    with Progress(sys.stderr, quiet=quiet) as progress:
        read = [_read_side(file, asked, progress) for file in files]
        sides, nouns = [side for side, _ in read], read[0][1]
    table, called = pair_results(sides[0], sides[1], names=names)
    said = {**_options(asked), "higher_is_better": None}
    baseline, candidate = called
    judged = gate(
        table,
        baseline=baseline,
        candidate=candidate,
        power=power,
        **_margins(tolerated, asked),
        **said,
    )
    # The table of both has columns of its own.
    return tell_in(nouns, judged)


def _read_side(file: str, asked: Asked, progress: Progress) -> "tuple[Adapted, Nouns]":
    """The results of one file or folder, whatever it is, and what it calls things."""
    from winodds.adapters.adapted import Adapted
    from winodds.adapters.plain import adapt_table
    from winodds.api.common import label
    from winodds.read.shapes import Battles, Wide

    table = _read_one_metric(file, asked, progress)
    if isinstance(table, Adapted):
        progress.tell(f"{title(table.name)}: {table.tool}; {table.summary}")
        if table.battles:
            raise _refuse_battles()
        return table, HOUSE
    shape = shape_of_one(table, asked)
    if isinstance(shape, Battles):
        raise _refuse_battles()
    sheet, roles = find_roles(table, shape, asked, progress)
    alone = None
    if not isinstance(shape, Wide) and roles.player not in sheet.columns:
        alone = file if isinstance(roles.player, str) else None
    up = asked.options["higher_is_better"]
    nouns = name_things({role: label(getattr(roles, role)) for role in ROLES})
    return adapt_table(sheet, roles, name=file, higher_is_better=up, alone=alone), nouns


def _read_boards(files: tuple[str, str]) -> "list[Leaderboard | Season]":
    """The boards that both files hold; none if neither does."""
    from winodds.board.errors import BoardsNotPaired
    from winodds.read.loading import load_content

    found = {file: read_board(file) for file in files}
    boards = [board for file in files if (board := found[file]) is not None]
    if boards:
        refuse_typed((name for name in DECLARED if name != "level"), NO_COLUMNS)
    if len(boards) == 1:
        lone = next(file for file, board in found.items() if board is None)
        if not Path(lone).exists():
            load_content(lone)  # which says that there is none, and what is called alike
        raise BoardsNotPaired(reason=NO_BOARD.format(quote(title(lone))))
    return boards


def _pair_boards(
    files: tuple[str, str],
    boards: "Sequence[Leaderboard | Season]",
    asked: Asked,
    tolerated: Tolerating,
    *,
    names: tuple[str | None, str | None],
    power: float,
) -> "Gate":
    """The verdict on a player of the second board, or season, against one of the first."""
    from winodds.board.errors import BoardsNotPaired
    from winodds.board.leaderboard import Leaderboard
    from winodds.season.season import Season

    one, other = boards
    baseline = _choose_player(one, files[0], names[0], "baseline")
    candidate = _choose_player(other, files[1], names[1], "candidate")
    said: dict[str, Any] = {**asdict(tolerated), "power": power, "level": asked.options["level"]}
    if isinstance(one, Leaderboard) and isinstance(other, Leaderboard):
        return one.gate(baseline, candidate, candidate_board=other, **said)
    if isinstance(one, Season) and isinstance(other, Season):
        return one.gate(baseline, candidate, candidate_season=other, **said)
    raise BoardsNotPaired(reason=ONE_SEASON)


def _choose_player(board: "Leaderboard | Season", file: str, name: str | None, role: str) -> str:
    """The player that is meant."""
    from winodds.adapters.errors import SeveralPlayers

    if name is not None:
        return name
    players = sorted({player for one in boards_of(board) for player in one.players})
    raise SeveralPlayers(path=file, players=players, role=role)


def _read_one_metric(file: str, asked: Asked, progress: Progress) -> "Adapted | Sheet":
    """What a file holds; a verdict is on one metric, and not on each."""
    from winodds.adapters.errors import WhichMetric

    try:
        return read_file(file, asked, progress)
    except WhichMetric as error:
        raise replace(error, each=False) from None


def _refuse_battles() -> BadOption:
    return BadOption(option="battles", value=True, wanted=OF_BATTLES.format(option("table")))


def judge_table(
    file: str,
    names: tuple[str, str],
    asked: Asked,
    tolerated: Tolerating,
    *,
    power: float,
    quiet: bool,
) -> "Gate":
    """The verdict on the second of two players of a table, or of a leaderboard."""
    refuse_typed(("baseline", "candidate"), OF_FILES)
    with Progress(sys.stderr, quiet=quiet) as progress:
        board = read_board(file)
        if board is None:
            return _judge_rows(file, names, asked, tolerated, power=power, progress=progress)
    refuse_typed((name for name in DECLARED if name != "level"), NO_COLUMNS)
    return _ask_board(board, names, asked, tolerated, power)


def _judge_rows(
    file: str,
    names: tuple[str, str],
    asked: Asked,
    tolerated: Tolerating,
    *,
    power: float,
    progress: Progress,
) -> "Gate":
    from winodds.adapters.adapted import Adapted
    from winodds.api.gate import gate
    from winodds.read.shapes import Battles

    table = _read_one_metric(file, asked, progress)
    roles: dict[str, Any]
    if isinstance(table, Adapted):
        if table.battles:
            return _ask_board(rate_table(table, asked, progress), names, asked, tolerated, power)
        progress.tell(f"{title(table.name)}: {table.tool}; {table.summary}")
        roles = {**named_roles(table, asked), "higher_is_better": None}
    else:
        shape = shape_of(table, asked)
        if isinstance(shape, Battles):
            return _ask_board(rate_table(table, asked, progress), names, asked, tolerated, power)
        table, found = find_roles(table, shape, asked, progress)
        roles = {name: value for name, value in vars(found).items() if name in _known()}
    said = {**_options(asked), **roles, **_margins(tolerated, asked)}
    return gate(table, baseline=names[0], candidate=names[1], power=power, **said)


def _ask_board(
    found: "Leaderboard | Season",
    names: tuple[str, str],
    asked: Asked,
    tolerated: Tolerating,
    power: float,
) -> "Gate":
    margin, score_margin = tolerated.margin, tolerated.score_margin
    level = asked.options["level"]
    return found.gate(*names, margin=margin, score_margin=score_margin, power=power, level=level)


def read_board(file: str) -> "Leaderboard | Season | None":
    """The board, or the season, that a file holds as JSON; None if it holds something else."""
    from winodds.adapters.place import Place
    from winodds.board.leaderboard import Leaderboard
    from winodds.read.files import load_text
    from winodds.season.season import Season

    place = Place(file)
    schema = str(place.document["schema"]) if "schema" in place.keys else ""
    if schema.startswith(BOARDS):
        return Leaderboard.from_json(load_text(file))
    return Season.from_json(load_text(file)) if schema.startswith(SEASONS) else None


def _known() -> set[str]:
    return {*declarations(GateOptions)}


def _options(asked: Asked) -> dict[str, Any]:
    """What was typed about rounds, ties and intervals."""
    said = {name: value for name, value in asked.options.items() if name in _known()}
    if asked.file.percent:
        said["tie_tolerance"] /= 100.0
    return said


def _margins(tolerated: Tolerating, asked: Asked) -> dict[str, Any]:
    """The margin, in units of the scores as they are read."""
    score = tolerated.score_margin
    if score is not None and asked.file.percent:
        score /= 100.0
    return {"margin": tolerated.margin, "score_margin": score}


def show_gate(found: "Gate", *, format: str | None, output: str | None) -> int:
    """Print the verdict, or write it to a file; the code with which the command ends."""
    from winodds.show.formats.json import gate_json
    from winodds.show.layout.documents import gate_document

    kind = format or format_of(output)
    text = gate_json(found) if kind == "json" else render_document(gate_document(found), kind)
    deliver(text, output)
    return ENDS[found.verdict]
