"""What holds of every leaderboard beyond its schema; documents of which it does not are refused."""

from collections.abc import Mapping, Sequence
from typing import Any

from winodds.board.evidence import Evidence
from winodds.board.row import DETAILS, KINDS
from winodds.board.strict import EXACT, broken
from winodds.table.names import tidy

Data = Mapping[str, Any]


def check_board(data: Data) -> None:
    """Raise `BrokenJson` unless the parts of a board agree with each other."""
    rows = data["players"]
    names = [row["player"] for row in rows]
    _check_names(names)
    _check_columns(rows, detailed=data["ranking"] is not None)
    for name, own in (data["settings"] or {}).items():
        if len(own) != len(rows):
            raise broken(f"settings.{name}", f"has {len(own):,} values for {len(rows):,} players")
    whole = bool(data["evidence"])
    if whole and data["reference"] is not None and data["reference"] not in names:
        raise broken("reference", "is no player of this board")
    if whole and data["ranking"] is not None:
        known = set(names)
        if not all(known.issuperset(alike) for alike in data["ranking"]["alike"]):
            raise broken("ranking.alike", "names who is no player of this board")
    _check_schedule(data)


def _check_names(names: Sequence[str]) -> None:
    if len(set(names)) < len(names):
        raise broken("players", "names a player twice")
    for place, name in enumerate(names):
        if not name or tidy(name) != name:
            raise broken(
                f"players[{place}].player", "is no name: it is empty, or ends with a blank"
            )


def _check_columns(rows: Sequence[Data], *, detailed: bool) -> None:
    """Counts are exact numbers, and what takes longer is there for all players or for none."""
    for name, kind in KINDS.items():
        cells = [row[name] for row in rows]
        there = [cell for cell in cells if cell is not None]
        everybody = name in ("family", "rounds") or (name in DETAILS and detailed)
        if everybody and name != "quasi_se" and there and len(there) < len(cells):
            raise broken(f"players[…].{name}", "is there for some players only")
        if detailed and name in DETAILS and name != "quasi_se" and not there:
            raise broken(f"players[…].{name}", "is missing although the board has a ranking")
        if kind is int and any(cell > EXACT for cell in there):
            raise broken(f"players[…].{name}", "is larger than any count")


def _check_schedule(data: Data) -> None:
    schedule, kind = data["schedule"], data["matches"]["kind"]
    if (schedule is None) != (kind == "battles"):
        raise broken("schedule", f"does not fit matches of kind {kind}")
    if schedule is not None:
        rounds = schedule["rounds"]
        if len(set(rounds)) < len(rounds):
            raise broken("schedule.rounds", "names a round twice")
        if any(number >= len(rounds) for number in schedule["lower_is_better"]):
            raise broken("schedule.lower_is_better", f"goes beyond the {len(rounds):,} rounds")


def check_evidence(data: Data, evidence: Sequence[Evidence]) -> None:
    """Raise `BrokenJson` unless games and ratings are those of the board; a cut board has none."""
    if not evidence:
        return
    players = sum(part.size for part in evidence)
    if players != len(data["players"]):
        raise broken("evidence", f"is of {players:,} players, not {len(data['players']):,}")
    for number, part in enumerate(evidence):
        _check_part(data, part, f"evidence[{number}]")
    if len(evidence) == 1:
        _check_rounds(data, evidence[0])


def _check_part(data: Data, part: Evidence, place: str) -> None:
    own, interval = part.intervals, data["interval"]
    agree = {
        "games.kind": part.games.kind == data["matches"]["kind"],
        "games.tolerance": part.games.tolerance == data["matches"]["tie_tolerance"],
        "estimator": part.estimator == data["estimator"],
        "level": own.level == interval["level"],
        "influence": (own.influence is None) == (interval["kind"] == "model"),
    }
    for name, same in agree.items():
        if not same:
            raise broken(f"{place}.{name}", "is not that of the board")


def _check_rounds(data: Data, part: Evidence) -> None:
    schedule = data["schedule"]
    if schedule is None:
        return
    results = part.games.results
    if len(schedule["rounds"]) != results.rounds:
        raise broken("schedule.rounds", f"names {len(schedule['rounds']):,} of {results.rounds:,}")
    named, there = len(schedule["tournaments"]), int(results.tournament.max()) + 1
    if named not in (0, there):
        raise broken("schedule.tournaments", f"names {named:,} of {there:,}")


def checked_tournaments(boards: object) -> list[Data]:
    """The boards of a season, of which every one has a name of its own."""
    if not isinstance(boards, list) or not boards:
        raise broken("tournaments", "is no list of boards")
    names = [board.get("tournament") if isinstance(board, Mapping) else None for board in boards]
    if not all(isinstance(name, str) and name for name in names) or len({*names}) < len(names):
        raise broken("tournaments", "have no names, or not each its own")
    return boards


def checked_together(board: object) -> Data | None:
    """The board of all tournaments of a season together, which is that of none of them."""
    if board is None:
        return None
    if not isinstance(board, Mapping) or board.get("tournament") is not None:
        raise broken("together", "is no board, or that of one tournament")
    return board
