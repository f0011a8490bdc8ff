"""Leaderboards → the plain data of the report's page: what it says, not how it looks."""

import hashlib
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

import numpy as np

from winodds._version import __version__
from winodds.board.errors import NoEvidence
from winodds.board.how import Scheme
from winodds.board.leaderboard import Leaderboard
from winodds.board.quality import Quality
from winodds.board.row import COLUMNS
from winodds.language.words import WON, count, list_names, unit_name, unit_names
from winodds.matches.results import Results
from winodds.season.season import Season
from winodds.show.layout.grid import level_of, list_columns
from winodds.show.layout.tables import calibration_grid
from winodds.show.report.shipped import ship
from winodds.show.words.board import describe_board, headline
from winodds.show.words.verdicts import describe_chi2, describe_doubts, describe_quality
from winodds.table.table import SEPARATOR

TOGETHER = "All tournaments together"
LISTED = 10
"""Players and rounds with gaps that are listed."""

ROLES = (
    *("player", "round", "score", "tournament", "group", "metric", "direction", "status"),
    *("cluster", "weights", "left", "right", "winner", "loser"),
)


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the results came from, for those who want to make the page again.

    Attributes
    ----------
    file : name of the file.
    size, sha256 : of its bytes; None for standard input.
    command : what was typed to make the page.
    """

    file: str
    size: int | None
    sha256: str | None
    command: str


def list_boards(
    found: Leaderboard | Season, overview: Leaderboard | None = None
) -> list[Leaderboard]:
    """The boards of a page in their order, that of all tournaments together first."""
    boards = list(found.values()) if isinstance(found, Season) else [found]
    return boards if overview is None else [overview, *boards]


def describe_report(
    found: Leaderboard | Season,
    *,
    title: str,
    origin: Origin | None = None,
    overview: Leaderboard | None = None,
) -> dict[str, Any]:
    """The data of the page, which JSON can hold; figures are added by those who draw them."""
    boards = list_boards(found, overview)
    named = TOGETHER in [board.tournament for board in boards]
    label = f"{TOGETHER} (pooled)" if named else TOGETHER
    return {
        "title": title,
        "help": COLUMNS,
        "column_list": list_columns(),
        "boards": [
            describe_one(board, origin, label=label if board is overview else None)
            for board in boards
        ],
        "season_figures": {},
        "season_hint": "",
    }


def describe_one(
    board: Leaderboard, origin: Origin | None, label: str | None = None
) -> dict[str, Any]:
    """What the page shows of one board, which must have all its players.

    ``label`` is its name for people, if that is not the tournament's.
    """
    if not board.whole:
        raise NoEvidence()
    interval = board.how.interval
    reference = board.how.reference
    return {
        "name": board.tournament,
        "label": label or board.tournament,
        "headline": headline(board),
        "sentences": describe_board(board),
        "notes": [note.to_dict() for note in board.notes],
        "level_words": level_of(board),
        "interval_kind": interval.kind,
        "reference": None if reference is None else board.players.index(reference),
        "won": WON[board.how.matches.kind],
        "ties": board.how.matches.ties > 0,
        "new_tournaments": board.how.new_tournaments,
        "cluster": {"one": unit_name(interval.cluster), "many": unit_names(interval.cluster)},
        "columns": _page_columns(board),
        "component_of": _components(board),
        "schedule": _schedule(board),
        "shipped": _without_names(ship(board)),
        "refit_command": _refit_command(board, origin),
        "quality": _quality(board),
        "gaps": _gaps(board),
        "how": {"facts": _facts(board, origin), "commands": _commands(board, origin)},
        "figures": {},
        "figures_hint": "",
    }


def _without_names(shipped: dict[str, Any]) -> dict[str, Any]:
    """What is shipped without the names of players, which the page has anyway."""
    parts = shipped["components"]
    kept = {name: part for name, part in shipped.items() if name != "players"}
    return kept | {"components": parts and [_without_names(part) for part in parts]}


def _page_columns(board: Leaderboard) -> dict[str, list[Any]]:
    columns = board.columns()
    columns["notes"] = [[note.to_dict() for note in notes] for notes in columns["notes"]]
    return columns


def _components(board: Leaderboard) -> list[int] | None:
    """For each player those whom it can be compared with, by number; None if that is everyone."""
    return None if board.has_one_scale else board.components.number().tolist()


def _schedule(board: Leaderboard) -> dict[str, Any] | None:
    """Names of the rounds, with and without their tournament, and which tournament is whose."""
    schedule = board.schedule
    if schedule is None or not board.has_one_scale:
        return None
    tournament_of = _results(board).tournament.tolist()
    names = schedule.tournaments
    short = [
        name.removeprefix(f"{names[t]}/") if len(names) == 1 else name
        for name, t in zip(schedule.rounds, tournament_of, strict=True)
    ]
    return {
        "rounds": short,
        "full": list(schedule.rounds),
        "tournaments": list(names),
        "tournament_of": tournament_of,
    }


def _results(board: Leaderboard) -> Results:
    return board.components[0].games.results


def _refit_command(board: Leaderboard, origin: Origin | None) -> str:
    """How to rate without some of the rows where the browser does not."""
    if origin is None:
        return f"# Leave the rows out of the table, then:\n{_python_call(board)}"
    return f"# Leave the rows out of {origin.file}, then:\n{origin.command}"


def _quality(board: Leaderboard) -> dict[str, Any] | None:
    if not board.assessed:
        return None
    quality = board.quality()
    if quality.df <= 0:
        nothing: dict[str, list[str]] = {"header": [], "rows": []}
        text = describe_quality(quality)
        return {"text": text, "law": None, "calibration": nothing, "doubts": []}
    return {
        "text": describe_quality(quality),
        "law": describe_chi2(quality),
        "calibration": _calibration(quality),
        "doubts": list(describe_doubts(quality)),
    }


def _calibration(quality: Quality) -> dict[str, Any]:
    """The table for readers, and with all digits for those who go on computing."""
    grid = calibration_grid(quality)
    return {
        "header": list(grid.header),
        "rows": [list(row) for row in grid.rows],
        "exact": {
            "header": ["low", "high", "pairs", "expected", "observed"],
            "rows": [
                [one.low, one.high, one.pairs, one.fitted, one.observed]
                for one in quality.calibration
            ],
        },
    }


# Gaps ---------------------------------------------------------------------------------------------


def _gaps(board: Leaderboard) -> dict[str, Any]:
    """What is missing in the table, in sentences and in two short tables."""
    if board.schedule is None:
        return {"sentences": ["These are battles: nobody has to meet everybody."], "tables": []}
    if not board.has_one_scale:
        return {"sentences": ["The players form components that never met."], "tables": []}
    present, failed = _presence(board)
    size, absent = present.size, int((~present).sum())
    gone = [
        *board.how.dropped.players_without_score,
        *board.how.dropped.players_without_match,
    ]
    sentences = []
    if gone:
        verb = "was" if len(gone) == 1 else "were"
        sentences.append(
            f"{count(len(gone), 'player')} without a score that could be compared {verb} left out: "
            f"{list_names(gone)}."
        )
    if not absent and not failed.any():
        who = "Every player that is rated" if gone else "Every player"
        return {"sentences": [*sentences, f"{who} has a score in every round."], "tables": []}
    if absent:
        verb = "has" if absent == 1 else "have"
        sentences.append(
            f"{absent:,} of {count(size, 'player–round pair')} ({absent / size:.1%}) {verb} no "
            f"score."
        )
    if failed.any():
        number = int(failed.sum())
        verb = "was" if number == 1 else "were"
        sentences.append(f"{count(number, 'failed run')} {verb} counted as lost.")
    scored = present & ~failed
    tables = [
        _fewest("player", board.players, scored.sum(axis=0), "round", scored.shape[0]),
        _fewest("round", board.schedule.rounds, scored.sum(axis=1), "player", scored.shape[1]),
    ]
    return {"sentences": sentences, "tables": [table for table in tables if table["rows"]]}


def _presence(board: Leaderboard) -> tuple[Any, Any]:
    """(R, m) whether a player has a score or a failed run in a round, and whether it failed."""
    results = _results(board)
    shape = (results.rounds, results.players)
    present, failed = np.zeros(shape, np.bool_), np.zeros(shape, np.bool_)
    present[results.round_of, results.player] = True
    failed[results.round_of, results.player] = np.isneginf(results.value)
    return present, failed


def _fewest(what: str, names: Sequence[str], scores: Any, whose: str, most: int) -> dict[str, Any]:
    """Those with the fewest scores, up to a few of them."""
    order = [k for k in np.argsort(scores, kind="stable").tolist() if scores[k] < most]
    left = len(order) - LISTED
    more = f"; {left:,} more have gaps" if left > 0 else ""
    return {
        "caption": f"The {what}s with the fewest scores{more}",
        "header": [what, f"scores in {count(most, whose)}"],
        "rows": [[names[k], f"{int(scores[k]):,}"] for k in order[:LISTED]],
    }


MISSING = {"skip": "play no match", "lose": "lose to every score"}
DUPLICATES = {
    "error": "are refused",
    "best": "the best counts",
    "mean": "their mean counts",
    "first": "the first counts",
    "last": "the last counts",
}
"""What was done, by the rule's name."""


# How ----------------------------------------------------------------------------------------------


def _facts(board: Leaderboard, origin: Origin | None) -> list[list[str]]:
    """Options and versions, each with its name."""
    how = board.how
    matches, interval, details = how.matches, how.interval, how.details
    cluster = count(interval.clusters, unit_name(interval.cluster), unit_names(interval.cluster))
    ties = f", {count(matches.ties, 'tie')}" if matches.ties else ""
    tolerance = f", scores within {matches.tie_tolerance:g} tie" * bool(matches.tie_tolerance)
    prior = f" (prior sd {how.prior_sd:g})" if how.prior_sd is not None else ""
    facts = {
        "Input": _input_words(origin),
        "SHA-256 of the input": "" if origin is None else origin.sha256 or "",
        "SHA-256 of what was rated": fingerprint(board),
        "Columns": _columns(how.scheme),
        "Better": how.scheme.better or "",
        "Matches": f"{matches.count:,} {matches.kind} rounds{ties}{tolerance}"
        if matches.kind != "battles"
        else f"{matches.count:,} battles{ties}",
        "Runs without a score": "" if matches.kind == "battles" else MISSING[how.missing],
        "Several scores of a player in a round": ""
        if matches.kind == "battles"
        else DUPLICATES[how.duplicates],
        "Estimator": f"{how.estimator}{prior}, {count(how.iterations, 'iteration')}",
        "Intervals": f"{interval.kind}, {level_of(board)}, by {cluster}"
        if interval.kind == "robust"
        else f"model-based, {level_of(board)}",
        "Overlapping splits": ""
        if interval.test_fraction is None
        else f"test fraction {interval.test_fraction:g}",
        "Rating of 0": "the average player" if how.reference is None else how.reference,
        "Simulations": f"{details.replicates:,} bootstrap replicates, at most "
        f"{details.simulations:,} tables, seed {details.seed}"
        if board.detailed
        else "",
        "Rated with": f"Winodds {how.version}",
        "Page made with": f"Winodds {__version__}, Python {platform.python_version()}, numpy "
        f"{np.__version__}, scipy {version('scipy')}, polars {version('polars')}",
    }
    return [[name, text] for name, text in facts.items() if text]


def _input_words(origin: Origin | None) -> str:
    if origin is None:
        return "a data frame"
    return origin.file if origin.size is None else f"{origin.file}, {origin.size:,} bytes"


def _columns(scheme: Scheme) -> str:
    used = {role: scheme.column(role) for role in ROLES}
    return ", ".join(f"{role} = {column}" for role, column in used.items() if column)


def fingerprint(board: Leaderboard) -> str:
    """SHA-256 of names and games: equal for boards that rate the same results."""
    found = hashlib.sha256()
    for part, names in zip(board.components, board.components.split(board.players), strict=True):
        found.update("\n".join(names).encode())
        found.update(repr(sorted(part.to_dict()["games"].items())).encode())
    return found.hexdigest()


def _commands(board: Leaderboard, origin: Origin | None) -> list[list[str]]:
    """How to make the page again, or at least the board."""
    if origin is not None:
        return [["A command that makes this page again", origin.command]]
    return [["In Python", _python_call(board)]]


def _python_call(board: Leaderboard) -> str:
    """A call of `rate` or `rate_battles` with the options that were used."""
    how, scheme = board.how, board.how.scheme
    battles = how.matches.kind == "battles"
    options: dict[str, Any] = {role: _as_given(scheme.column(role)) for role in ROLES}
    options["metric_column"], options["direction_column"] = (
        options.pop("metric"),
        options.pop("direction"),
    )
    if not battles:
        options["higher_is_better"] = {"higher": True, "lower": False}.get(str(scheme.better))
        options |= {"matches": how.matches.kind, "missing": how.missing}
        options |= {"tie_tolerance": how.matches.tie_tolerance, "duplicates": how.duplicates}
        options["test_fraction"] = how.interval.test_fraction
    options |= {"estimator": how.estimator, "prior_sd": how.prior_sd}
    options |= {"interval": how.interval.kind, "level": how.interval.level}
    options |= {"reference": how.reference, "seed": how.details.seed}
    options["components"] = None if board.has_one_scale else "separate"
    said = "".join(
        f"    {name}={value!r},\n"
        for name, value in options.items()
        if value is not None and value != USUAL.get(name)
    )
    if board.tournament is not None:
        return f"winodds.rate_each(\n    table,\n{said})[{board.tournament!r}]"
    one = "winodds.rate_battles" if battles else "winodds.rate"
    return f"{one}(\n    table,\n{said})"


def _as_given(label: str | None) -> str | list[str] | None:
    """The columns of a role; several of them are kept as one label."""
    return label.split(SEPARATOR) if label and SEPARATOR in label else label


USUAL = {
    "matches": "within",
    "missing": "skip",
    "tie_tolerance": 0.0,
    "duplicates": "error",
    "estimator": "bias-reduced",
    "interval": "robust",
    "level": 0.95,
    "seed": 0,
}
"""Options that need not be said."""
