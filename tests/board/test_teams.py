"""Teams and their members on boards of several kinds."""

import importlib.util
import json

import numpy as np
import polars as pl
import pytest
from conftest import long_table, simulate
from scipy import stats
from scipy.special import expit
from tables import grid, sentence, texts

import winodds
from winodds.board.comparisons import Estimate
from winodds.board.leaderboard import Leaderboard
from winodds.board.rival import compare_with_openskill, kendall_tau
from winodds.errors import (
    BadOption,
    MissingExtra,
    NoCommonScale,
    NoEvidence,
    RepeatedMember,
    TeamAsMember,
    UnknownPlayer,
)

MEMBERS = {
    "ab": ["a", "b"],
    "ac": ["a", "c"],
    "bc": ["b", "c"],
    "cd": ["c", "d"],
    "abd": ["a", "b", "d"],
}
NAMES = ("a", "b", "c", "d", *MEMBERS)


def _board(seed: int = 1, rounds: int = 14, **options: object) -> Leaderboard:
    rng = np.random.default_rng(seed)
    strength = np.array([0.4, 0.0, -0.4, 0.1, 0.9, 0.6, 0.3, 0.2, 1.0])
    scores = strength + rng.gumbel(size=(rounds, 9))
    table = grid(dict(zip(NAMES, scores.T.tolist(), strict=True)))
    return winodds.rate(table, higher_is_better=True, **options)  # type: ignore[arg-type]


def _value(found: Estimate | None) -> float:
    assert found is not None
    return found.value


def test_synergy_by_hand() -> None:
    """The team's rating, minus half the sum of two."""
    scores = {
        "rf": [1.0, 2.0, 1.0, 3.0, 2.0, 1.0, 3.0, 2.0],
        "svm": [2.0, 1.0, 2.0, 2.0, 1.0, 2.0, 2.0, 3.0],
        "both": [3.0, 3.0, 3.0, 1.0, 3.0, 3.0, 1.0, 1.0],
    }
    board = winodds.rate(grid(scores), higher_is_better=True, estimator="mle")
    team = board.teams({"both": ["rf", "svm"]}).teams[0]
    epp = {row.player: row.epp for row in board}
    assert team.epp == epp["both"]
    assert team.solo == pytest.approx((epp["rf"] + epp["svm"]) / 2.0)
    assert _value(team.synergy) == pytest.approx(epp["both"] - (epp["rf"] + epp["svm"]) / 2.0)
    assert _value(team.p_average_member) == pytest.approx(expit(_value(team.synergy)))
    assert team.best_member == max(("rf", "svm"), key=epp.__getitem__)


def test_each_number_follows_from_the_board() -> None:
    board = _board()
    found = board.teams(MEMBERS)
    epp = {row.player: row.epp for row in board}
    assert [one.team for one in found.teams] == [name for name in board.players if name in MEMBERS]
    for team in found.teams:
        solo = [epp[name] for name in MEMBERS[team.team]]
        assert team.solo == pytest.approx(np.mean(solo))
        assert _value(team.synergy) == pytest.approx(team.epp - np.mean(solo))
        assert epp[str(team.best_member)] == max(solo)
        assert team.p_best_member == board.win_probability(team.team, str(team.best_member))
        assert team.synergy is not None
        assert team.p_average_member is not None
        assert team.synergy.low is not None
        assert team.p_average_member.low == pytest.approx(expit(team.synergy.low))
    synergies = [_value(team.synergy) for team in found.teams]
    assert _value(found.mean_synergy) == pytest.approx(np.mean(synergies))
    assert found.notes == ()
    assert (found.rank, found.level, found.rival) == (3, 0.95, None)


def test_worth_is_the_regression_of_teams_on_members() -> None:
    board = _board()
    found = {one.member: one for one in board.teams(MEMBERS).members}
    epp = {row.player: row.epp for row in board}
    columns = [[1.0, *(float(name in own) for name in "abcd")] for own in MEMBERS.values()]
    solved = np.linalg.lstsq(np.array(columns), np.array([epp[name] for name in MEMBERS]))[0][1:]
    for name, worth in zip("abcd", solved - solved.mean(), strict=True):
        assert _value(found[name].worth) == pytest.approx(worth)
        row = board.row(name)
        assert found[name].epp == Estimate(row.epp, row.low, row.high)
    assert [found[name].teams for name in "abcd"] == [3, 3, 3, 2]


def test_a_team_of_one_is_compared_with_its_member() -> None:
    board = _board()
    found = board.teams({"ab": "a", **{name: MEMBERS[name] for name in ("bc", "cd")}})
    team = next(one for one in found.teams if one.team == "ab")
    assert team.synergy == board.difference("ab", "a")
    assert team.p_average_member == team.p_best_member
    assert texts(found.notes)[0] == (
        "'ab' has a single member, and the synergy is the difference from that member."
    )


def test_members_may_stand_in_one_cell_and_in_any_order() -> None:
    board = _board()
    cells = {name: " + ".join(reversed(own)) for name, own in reversed(MEMBERS.items())}
    assert (
        board.teams(cells)
        .frame()
        .drop("members")
        .equals(board.teams(MEMBERS).frame().drop("members"))
    )


def test_the_zero_does_not_matter() -> None:
    one, two = _board().teams(MEMBERS), _board(reference="c").teams(MEMBERS)
    for first, second in zip(one.teams, two.teams, strict=True):
        assert _value(first.synergy) == pytest.approx(_value(second.synergy))
        assert first.epp != pytest.approx(second.epp)
    for a, b in zip(one.members, two.members, strict=True):
        assert _value(a.worth) == pytest.approx(_value(b.worth))


def test_without_solos_there_is_no_synergy_but_worth() -> None:
    table = long_table(simulate(3, 6, 12), prefix="t")
    board = winodds.rate(table, higher_is_better=True)
    members = {
        f"t{k}": own for k, own in enumerate(("a + b", "a + c", "a + d", "b + c", "b + d", "c + d"))
    }
    found = board.teams(members)
    assert found.mean_synergy is None
    assert all(team.synergy is None and team.solo is None for team in found.teams)
    assert all(one.epp is None and one.worth is not None for one in found.members)
    assert texts(found.notes) == (
        "'a', 'b', 'c', 'd' do not play alone on this leaderboard, so there is no synergy of 6 "
        f"teams {', '.join(repr(name) for name in board.players[:5])} and 1 more; add scores of "
        "single members.",
    )


def test_one_solo_that_does_not_play_leaves_the_other_teams_alone() -> None:
    found = _board().teams({**MEMBERS, "abd": ["a", "b", "dd"]})
    told = {team.team: team.synergy is not None for team in found.teams}
    assert told == {"ab": True, "ac": True, "bc": True, "cd": True, "abd": False}
    expected = {team.team: team for team in _board().teams(MEMBERS).teams}
    assert all(team == expected[team.team] for team in found.teams if team.team != "abd")
    assert texts(found.notes)[0] == (
        "'dd' does not play alone on this leaderboard, so there is no synergy of team 'abd'; add "
        "scores of single members. Did you mean 'd'?"
    )


def test_worth_that_the_teams_do_not_tell_is_refused_by_name() -> None:
    found = _board().teams({"ab": "a, b, c", "abd": "a, b, d", "cd": "c, d", "bc": "c"})
    told = {one.member: one.worth is not None for one in found.members}
    assert told == {"a": False, "b": False, "c": True, "d": True}
    untold = " and ".join(f"'{one.member}'" for one in found.members if one.worth is None)
    assert texts(found.notes)[1] == (
        f"The worth of {untold.replace(' and ', ', ')} as members is not told by 4 teams of 4 "
        "members: they always play together, or in every team, or in too few teams. Teams in which "
        "others stand in their place would tell it."
    )


def test_open_ends_are_none_and_chances_reach_their_limits() -> None:
    scores = {"rf": [1.0, 2.0, 1.0, 2.0], "svm": [2.0, 1.0, 2.0, 1.0], "both": [3.0] * 4}
    team = winodds.rate(grid(scores), higher_is_better=True).teams({"both": "rf, svm"}).teams[0]
    assert team.synergy is not None
    assert team.p_average_member is not None
    assert (team.synergy.high, team.p_average_member.high) == (None, 1.0)
    assert team.synergy.low is not None


def test_frames_and_plain_data_hold_the_same() -> None:
    found = _board().teams(MEMBERS, rival=True)
    plain = json.loads(json.dumps(found.to_dict()))
    assert plain["schema"] == "winodds/teams/1"
    frame, members = found.frame(), found.member_frame("pandas")
    assert frame["team"].to_list() == [row["team"] for row in plain["teams"]]
    assert frame["synergy_low"].to_list() == [row["synergy"]["low"] for row in plain["teams"]]
    assert frame["members"][0] == " + ".join(plain["teams"][0]["members"])
    assert members["worth"].tolist() == [row["worth"]["value"] for row in plain["members"]]
    assert plain["mean_synergy"]["value"] == _value(found.mean_synergy)
    assert plain["rival"]["model"] == "PlackettLuce"


def test_names_must_make_sense() -> None:
    board = _board()
    with pytest.raises(BadOption):
        board.teams({})
    assert sentence(UnknownPlayer, lambda: board.teams({"abx": ["a", "b"]})) == (
        "No player 'abx' on this leaderboard. Did you mean 'ab' or 'abd'?"
    )
    assert sentence(TeamAsMember, lambda: board.teams({"ab": ["a", "ab"]})) == (
        "Team 'ab' is among its own members. Name its other members only."
    )
    assert sentence(TeamAsMember, lambda: board.teams({"ab": "a", "abd": ["ab", "d"]})) == (
        "'ab' is a team itself and cannot be a member of team 'abd'. Name its members instead."
    )
    assert sentence(RepeatedMember, lambda: board.teams({"ab": ["a", "b", "a"]})) == (
        "Team 'ab' names its member 'a' more than once."
    )
    assert sentence(BadOption, lambda: board.teams({"ab": []})) == (
        "members=[] is not possible; team 'ab' needs the names of its members."
    )


def test_teams_need_one_scale_and_all_players() -> None:
    table = grid({"a": [1.0, 2.0], "b": [2.0, 1.0]})
    other = table.with_columns(pl.col("player") + "x", pl.col("round") + 10)
    apart = winodds.rate(pl.concat([table, other]), higher_is_better=True, components="separate")
    with pytest.raises(NoCommonScale):
        apart.teams({"a": ["b"]})
    cut = Leaderboard.from_dict({**_board().to_dict(), "evidence": []})
    with pytest.raises(NoEvidence):
        cut.teams(MEMBERS)


def test_battles_have_teams_too() -> None:
    rng = np.random.default_rng(7)
    names = np.array(["a", "b", "ab"])
    rows = [
        (*names[rng.permutation(3)[:2]].tolist(), str(rng.choice(["model_a", "model_b"])))
        for _ in range(60)
    ]
    board = winodds.rate_battles(pl.DataFrame(rows, ["model_a", "model_b", "winner"], orient="row"))
    found = board.teams({"ab": ["a", "b"]}, rival=True)
    epp = {row.player: row.epp for row in board}
    assert _value(found.teams[0].synergy) == pytest.approx(1.5 * epp["ab"])
    assert found.rival is not None
    assert -1.0 <= found.rival.tau <= 1.0


# openskill ----------------------------------------------------------------------------------------


def test_tau_is_that_of_scipy() -> None:
    rng = np.random.default_rng(2)
    for _ in range(20):
        first, second = rng.integers(0, 6, size=(2, 9)).astype(np.float64)
        assert kendall_tau(first, second) == pytest.approx(stats.kendalltau(first, second)[0])
    assert kendall_tau(np.zeros(3), np.arange(3.0)) == 0.0


def test_rounds_are_fed_to_openskill_in_their_order() -> None:
    from openskill.models import PlackettLuce

    scores = np.array([[3.0, 2.0, 1.0], [1.0, np.nan, 2.0], [2.0, 2.0, 1.0], [1.0, 2.0, 3.0]])
    board = winodds.rate(long_table(scores), higher_is_better=True)
    rival = compare_with_openskill(board.components[0], seed=0, shuffles=3)
    model = PlackettLuce()
    a, b, c = (model.rating() for _ in range(3))
    (a,), (b,), (c,) = model.rate([[a], [b], [c]], ranks=[0, 1, 2])
    (c,), (a,) = model.rate([[c], [a]], ranks=[0, 1])
    (a,), (b,), (c,) = model.rate([[a], [b], [c]], ranks=[0, 0, 2])
    (c,), (b,), (a,) = model.rate([[c], [b], [a]], ranks=[0, 1, 2])
    skill = dict(zip(board.players, rival.skill, strict=True))
    expected = {"p0": a.mu, "p1": b.mu, "p2": c.mu}
    assert {name: pytest.approx(mu) for name, mu in expected.items()} == skill
    assert rival.shuffles == 3


def test_openskill_depends_on_the_order_of_rounds_and_a_board_does_not() -> None:
    scores = simulate(5, 12, 9)
    board = winodds.rate(long_table(scores), higher_is_better=True)
    back = winodds.rate(long_table(scores[::-1]), higher_is_better=True)
    one, two = (compare_with_openskill(each.components[0], seed=0) for each in (board, back))
    assert board.players == back.players
    np.testing.assert_allclose(board.standings.epp, back.standings.epp, atol=1e-12)
    assert kendall_tau(np.array(one.skill), np.array(two.skill)) == one.reversed_tau < 1.0
    assert one.shuffled_least <= one.shuffled_mean < 1.0
    assert one.tau > 0.7


def test_without_openskill_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(
        "winodds.board.rival.find_spec", lambda name: None if name == "openskill" else found(name)
    )
    board = _board()
    assert board.teams(MEMBERS).rival is None
    assert sentence(MissingExtra, lambda: board.teams(MEMBERS, rival=True)) == (
        "A comparison with a rating that goes from game to game needs openskill, which is not "
        "installed. Install what is missing: pip install 'winodds[teams]'."
    )
