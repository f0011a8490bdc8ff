"""The boards of a season, made ready for picks; here names become numbers."""

from collections.abc import Mapping, Sequence

import numpy as np

from winodds.arrays import Ints
from winodds.board.errors import NoCommonScale, NoEvidence
from winodds.board.leaderboard import Leaderboard
from winodds.language.checks import check_seed
from winodds.season.chances import Contest
from winodds.season.errors import InTournament, NoFamilies, ScoresNeeded
from winodds.season.picks import hold_out


def make_contests(boards: Mapping[str, Leaderboard], seed: int | None) -> list[Contest]:
    """The tournaments; their players must share a scale and have scores."""
    return [_make_contest(name, board, seed) for name, board in boards.items()]


def _make_contest(name: str, board: Leaderboard, seed: int | None) -> Contest:
    if not board.whole:
        raise NoEvidence()
    if not board.has_one_scale:
        second = board.components.starts[1]
        apart = NoCommonScale(first=board.players[0], second=board.players[second])
        raise InTournament(tournament=name, reason=apart.sentence())
    evidence = board.components[0]
    if evidence.games.kind == "battles":
        raise ScoresNeeded(tournament=name)
    chosen = board.how.details.seed if seed is None else check_seed(seed)
    return Contest(evidence, hold_out(evidence), chosen, board.how.interval.level)


def members_of(boards: Mapping[str, Leaderboard]) -> dict[str, list[str]]:
    """The players of each family, both by name; players of none are left out."""
    family: dict[str, str] = {}
    for board in boards.values():
        family |= dict(zip(board.players, board.families or (), strict=False))
    members: dict[str, list[str]] = {}
    for player in sorted(family):
        if family[player]:
            members.setdefault(family[player], []).append(player)
    if not members:
        raise NoFamilies()
    return {name: members[name] for name in sorted(members)}


def label_players(
    boards: Mapping[str, Leaderboard], members: Mapping[str, Sequence[str]]
) -> list[Ints]:
    """Of each tournament the (m_t,) numbers of its players' families, −1 for players of none."""
    number = {player: k for k, own in enumerate(members.values()) for player in own}
    return [
        np.array([number.get(player, -1) for player in board.players], np.int64)
        for board in boards.values()
    ]
