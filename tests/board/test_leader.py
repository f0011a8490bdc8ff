"""Ratings with luck taken out: what follows for a board."""

import json
from dataclasses import fields

import numpy as np
import polars as pl
import pytest
from conftest import long_table, simulate
from scipy import stats
from scipy.special import expit
from tables import grid, sentence, texts, three_by_three

import winodds
from winodds import Leaderboard
from winodds.board.leader import BoardSota, Pick, share_inside_leagues
from winodds.errors import NoCommonScale
from winodds.language.options import Center

# Boards -------------------------------------------------------------------------------------------

FAMILIES = {"p0": "tree", "p1": "tree", "p2": "net", "p3": "line", "p4": "net", "p5": "tree"}


def _table() -> pl.DataFrame:
    family = pl.col("player").replace_strict(FAMILIES).alias("family")
    return long_table(simulate(3, 6, 12)).with_columns(family)


def _rate(table: pl.DataFrame | None = None, *, reference: str | None = None) -> Leaderboard:
    return winodds.rate(
        _table() if table is None else table,
        higher_is_better=True,
        family="family",
        reference=reference,
    )


def test_a_whole_board_in_words() -> None:
    assert str(_rate().sota()) == (
        "p0 has the highest of 6 ratings, partly by luck. Without luck in any of them,\n"
        "its rating is 1.86 (95% interval 0.97 to 2.73), not 2.05. Of new rounds it wins\n"
        "86 of 100 (not 89 of 100) against the average player, 80 of 100 (not 83 of 100)\n"
        "against p2, and is truly the best with probability 0.98.\n"
        "\n"
        "best of   player    EPP  without luck  95% interval  P(best)\n"
        "--------  ------  -----  ------------  ------------  -------\n"
        "all (6)   p0       2.05          1.86   0.97 … 2.73      98%\n"
        "tree (3)  p0       2.05          1.86   0.97 … 2.73     100%\n"
        "net (2)   p2       0.43          0.38  -0.32 … 1.12      60%\n"
        "line (1)  p3      -0.52         -0.46  -1.23 … 0.28"
    )


def _large(*, reference: str | None = None, center: Center = "comparable") -> Leaderboard:
    """210 players, of whom few may be the best, in 7 families; the last lost everything."""
    scores = np.linspace(4.0, -4.0, 210) + np.random.default_rng(3).normal(size=(9, 210))
    scores[:, 209] = -99.0
    family = (pl.col("player").str.slice(1).cast(pl.Int64) % 7).cast(pl.String).alias("family")
    table = long_table(scores).with_columns(family)
    return winodds.rate(
        table, higher_is_better=True, family="family", reference=reference, center=center
    )


@pytest.mark.parametrize("reference", [None, "p150"])
@pytest.mark.parametrize("center", ["comparable", "all"])
def test_on_a_large_board_only_those_are_drawn_who_may_be_best(
    reference: str | None, center: Center, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = _large(reference=reference, center=center)
    found = board.sota()
    monkeypatch.setattr("winodds.inference.posterior.EVERYBODY", 210)
    whole = _large(reference=reference, center=center).sota()
    for one, other in zip(
        (found.leader, *found.families), (whole.leader, *whole.families), strict=True
    ):
        assert (one.player, one.family, one.epp) == (other.player, other.family, other.epp)
        assert (one.sota, one.best) == pytest.approx((other.sota, other.best), abs=0.04)
        assert (one.low, one.high) == pytest.approx((other.low, other.high), abs=0.12)
        assert one.selection_bias == pytest.approx(other.selection_bias, abs=0.04)
        assert one.p_average_sota == pytest.approx(other.p_average_sota, abs=0.02)
        assert one.p_best == pytest.approx(other.p_best, abs=0.04)
    assert found.p_runner_up_sota == pytest.approx(whole.p_runner_up_sota, abs=0.02)


def test_the_column_of_a_large_board_and_its_leader_rest_on_the_same_draws() -> None:
    board = _large()
    leader = board.sota().leader
    assert board.details().p_best[0] == leader.p_best
    assert (board.details().p_best > 0.0).sum() < 60
    again = _large()
    np.testing.assert_array_equal(again.details().p_best, board.details().p_best)
    assert again.sota() == board.sota()


def test_a_pick_says_what_luck_adds() -> None:
    board = _rate()
    found, ratings = board.sota(), {row.player: row.epp for row in board}
    assert found.leader.player == board.players[0]
    for pick in (found.leader, *found.families):
        assert pick.epp == ratings[pick.player]
        assert pick.selection_bias == pick.epp - pick.sota
        assert pick.p_average == pytest.approx(expit(pick.epp))
        law = stats.norm(pick.sota, pick.sd)
        assert pick.p_average_sota == pytest.approx(law.expect(expit), abs=0.006)
        assert pick.low < pick.sota < pick.high
    assert 0.0 < found.leader.sota < found.leader.epp
    # Chances over a law are nearer to 1/2 than the chance at its mean.
    assert 0.5 < found.leader.p_average_sota < expit(found.leader.sota) - 0.005


def test_every_family_has_its_best_player_best_first() -> None:
    board, found = _rate(), _rate().sota()
    firsts: dict[str, str] = {}
    for player in board.players:
        firsts.setdefault(FAMILIES[player], player)
    assert {str(pick.family): pick.player for pick in found.families} == firsts
    assert [pick.player for pick in found.families] == list(firsts.values())
    assert {pick.family: pick.of for pick in found.families} == {"tree": 3, "net": 2, "line": 1}


def test_the_only_member_of_a_family_is_its_best() -> None:
    line = next(pick for pick in _rate().sota().families if pick.family == "line")
    assert line.p_best == 1.0
    assert line.best == pytest.approx(line.sota, abs=5.0 * line.sd / np.sqrt(4000))


def test_without_families_there_is_only_the_leader() -> None:
    found = winodds.rate(_table(), higher_is_better=True).sota()
    assert found.families == ()
    assert found.leader == _rate().sota().leader


def test_of_two_players_the_chance_to_be_the_best_follows_from_the_difference() -> None:
    table = grid({"a": [2, 2, 2, 2, 2, 2, 2, 0, 2, 2, 2, 2], "b": [1] * 12})
    leader = winodds.rate(table, higher_is_better=True).sota().leader
    chance = stats.norm.cdf(leader.sota / leader.sd)
    assert 0.9 < chance < 0.999
    assert leader.p_best == pytest.approx(chance, abs=0.02)


def test_a_reference_moves_ratings_and_no_chances_between_players() -> None:
    plain, moved = _rate().sota(), _rate(reference="p3").sota()
    zero = next(pick for pick in plain.families if pick.player == "p3")
    assert moved.leader.sota == pytest.approx(plain.leader.sota - zero.sota)
    assert moved.leader.epp == pytest.approx(plain.leader.epp - zero.epp)
    assert moved.leader.best == pytest.approx(plain.leader.best - zero.best)
    assert moved.leader.p_best == plain.leader.p_best
    assert moved.p_runner_up == pytest.approx(plain.p_runner_up)
    assert moved.p_runner_up_sota == pytest.approx(plain.p_runner_up_sota)
    own = next(pick for pick in moved.families if pick.player == "p3")
    assert (own.epp, own.sota, own.low, own.high) == (0.0,) * 4
    assert (own.p_average, own.p_average_sota) == (0.5, 0.5)
    assert moved.reference == "p3"


def test_a_reference_does_not_move_what_luck_adds() -> None:
    plain, moved = _rate().sota(), _rate(reference="p3").sota()
    bias = {pick.player: pick.selection_bias for pick in (plain.leader, *plain.families)}
    assert bias["p0"] > 0.0 > bias["p3"]
    for pick in (moved.leader, *moved.families):
        assert pick.selection_bias == pytest.approx(bias[pick.player])
        assert pick.epp - pick.sota == pytest.approx(bias[pick.player] - bias["p3"])


def test_with_the_runner_up_as_reference_beating_it_is_beating_the_reference() -> None:
    found = _rate(reference="p2").sota()
    assert found.runner_up == "p2"
    assert found.leader.p_average == pytest.approx(found.p_runner_up)
    assert found.leader.p_average_sota == pytest.approx(found.p_runner_up_sota)
    assert found.p_runner_up_sota == pytest.approx(_rate().sota().p_runner_up_sota)


def _differ(one: BoardSota, other: BoardSota) -> float:
    """The largest difference of two boards with the same players in the same places."""
    gaps = [abs(one.tau - other.tau), abs(one.p_runner_up - other.p_runner_up)]
    for a, b in zip((one.leader, *one.families), (other.leader, *other.families), strict=True):
        assert (a.player, a.family, a.of) == (b.player, b.family, b.of)
        gaps += [abs(a.epp - b.epp), abs(a.sota - b.sota)]
        gaps += [abs(a.selection_bias - b.selection_bias), abs(a.p_average - b.p_average)]
    return max(gaps)


def _drawn(board: BoardSota) -> list[float]:
    """Chances that rest on draws."""
    return [board.p_runner_up_sota, board.leader.p_average_sota, board.leader.p_best]


def test_the_order_of_rows_does_not_matter() -> None:
    mixed = _rate(_table().sample(fraction=1.0, shuffle=True, seed=4)).sota()
    assert _differ(_rate().sota(), mixed) < 1e-9
    assert _drawn(mixed) == pytest.approx(_drawn(_rate().sota()), abs=0.01)


def test_seeds_reproduce_and_move_only_what_is_drawn() -> None:
    board = _rate()
    assert board.sota(seed=7) == board.sota(seed=7)
    one, other = board.sota(seed=7), board.sota(seed=8)
    assert _differ(one, other) < 0.03
    assert one.p_runner_up == other.p_runner_up
    assert one.leader.low != other.leader.low
    assert one.leader.low == pytest.approx(other.leader.low, abs=0.1)
    assert all(a != b for a, b in zip(_drawn(one), _drawn(other), strict=True))
    assert _drawn(one) == pytest.approx(_drawn(other), abs=0.01)
    seeded = winodds.rate(_table(), higher_is_better=True, family="family", seed=7)
    assert seeded.sota() == one


def test_a_board_that_was_written_and_read_says_the_same() -> None:
    board = _rate()
    assert Leaderboard.from_json(board.to_json()).sota() == board.sota()


def test_components_that_never_met_have_no_common_leader() -> None:
    table = grid({"a": [1, 2, 3], "b": [2, 1, 2], "c": [None] * 3, "d": [None] * 3})
    apart = table.with_columns(
        pl.col("round") + 3,
        player=pl.col("player").replace({"a": "c", "b": "d", "c": "a", "d": "b"}),
    )
    both = pl.concat([table, apart]).drop_nulls()
    board = winodds.rate(both, higher_is_better=True, components="separate")
    assert sentence(NoCommonScale, board.sota) == (
        "'a' and 'c' belong to components that never met; their ratings cannot be compared."
    )


def test_plain_data_holds_everything() -> None:
    found = _rate().sota()
    data = found.to_dict()
    assert json.loads(json.dumps(data, allow_nan=False))["schema"] == "winodds/best/2"
    told = {field.name for field in fields(BoardSota)} - {"nouns"}
    assert set(data) == {"schema", *told}
    assert set(data["leader"]) == {field.name for field in fields(Pick)}
    assert Pick(**data["leader"]) == found.leader
    assert tuple(Pick(**pick) for pick in data["families"]) == found.families


def test_plain_data_survives_json_unchanged() -> None:
    data = _rate().sota().to_dict()
    assert json.loads(json.dumps(data)) == data


def test_an_ordinary_board_leaves_no_doubts() -> None:
    assert _rate().sota().notes == ()


def test_ridge_ratings_are_said_to_be_drawn_twice() -> None:
    board = winodds.rate(_table(), higher_is_better=True, estimator="ridge")
    assert texts(board.sota().notes) == (
        "Ridge ratings are drawn to the average already; this draws them once more.",
    )


def test_luck_is_that_of_rounds_also_where_intervals_take_matches_as_independent() -> None:
    board = winodds.rate(_table(), higher_is_better=True, family="family", interval="model")
    assert _differ(board.sota(), _rate().sota()) < 1e-9
    assert board.sota().leader.p_best == _rate().sota().leader.p_best


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_few_players_are_said_not_to_tell_the_spread(players: int) -> None:
    table = long_table(simulate(3, players, 12))
    notes = winodds.rate(table, higher_is_better=True).sota().notes
    few = "So few players hardly tell how much true ratings vary."
    assert (few in texts(notes)) == (players < 4)


def test_ratings_that_luck_explains_are_said_to_be() -> None:
    found = winodds.rate(three_by_three(), higher_is_better=True).sota()
    assert str(found.notes[-1]) == (
        "The ratings vary no more than luck alone would make them; if all players are equal, who "
        "is best means nothing."
    )
    assert found.leader.selection_bias > 0.5 * found.leader.epp > 0.0


FAR = (
    "The leader is far ahead, and {} clusters hardly tell how far: without luck it may be drawn "
    "back too much, and its chance of being best may be understated."
)


@pytest.mark.parametrize(("rounds", "told"), [(6, True), (40, False)])
def test_few_clusters_are_said_not_to_tell_how_far_a_leader_is_ahead(
    rounds: int, told: bool
) -> None:
    strength = np.array([6.0, *[0.0] * 15])
    scores = strength + np.random.default_rng(4).gumbel(size=(rounds, 16))
    board = winodds.rate(long_table(scores), higher_is_better=True)
    assert (FAR.format(rounds) in texts(board.sota().notes)) == told
    assert FAR.format(rounds) not in texts(board.notes)
    board.details()
    assert (FAR.format(rounds) in texts(board.notes)) == told


@pytest.mark.parametrize(("gap", "told"), [(5.0, True), (1.0, False)])
def test_two_leagues_are_said_to_overstate_who_is_best(gap: float, told: bool) -> None:
    strength = np.array([gap] * 5 + [0.0] * 5)
    scores = strength + np.random.default_rng(4).gumbel(size=(30, 10))
    found = winodds.rate(long_table(scores), higher_is_better=True).sota()
    leagues = (
        "The ratings fall into two leagues. Differences inside a league are taken for larger than "
        "they are, and chances of being best are overstated."
    )
    assert (leagues in texts(found.notes)) == told


def test_leagues_by_hand() -> None:
    """Of 3, 2, 1 | −1, −2, −3 each league varies by 2, all together by 28: 4 of 28."""
    assert share_inside_leagues(np.array([1.0, -3.0, 2.0, -1.0, 3.0, -2.0])) == pytest.approx(1 / 7)
    # Two players are no league, and neither are equal ones.
    assert share_inside_leagues(np.array([2.0, 2.0, -1.0, -1.0, -1.0])) == 1.0
    assert share_inside_leagues(np.zeros(8)) == 1.0


@pytest.mark.parametrize("seed", range(5))
def test_a_leader_of_evenly_spread_players_is_not_said_to_be_far_ahead(seed: int) -> None:
    scores = np.linspace(1.5, -1.5, 7) + np.random.default_rng(seed).gumbel(size=(100, 7))
    assert winodds.rate(long_table(scores), higher_is_better=True).sota().notes == ()


def test_an_interval_has_a_width_even_where_luck_explains_the_ratings() -> None:
    """Three rounds of three players do not tell that all are equal to the last digit."""
    leader = winodds.rate(three_by_three(), higher_is_better=True).sota().leader
    assert leader.low < leader.high


@pytest.mark.parametrize("seed", range(8))
def test_the_leader_is_the_boards_first_player_even_in_ties(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scores = np.array([rng.permutation([1.0, 1.0, 0.0, 0.0]) for _ in range(6)])
    scores = np.concatenate([scores, scores[:, [1, 0, 3, 2]]])
    board = winodds.rate(long_table(scores), higher_is_better=True)
    found = board.sota()
    assert (found.leader.player, found.runner_up) == board.players[:2]


def test_a_leader_who_is_the_reference_is_not_compared_with_itself() -> None:
    words = str(_rate(reference="p0").sota()).split("\n\n")[0].replace("\n", " ")
    assert words == (
        "p0 has the highest of 6 ratings, partly by luck. Of new rounds it wins 80 of 100 (not "
        "83 of 100) against p2, and is truly the best with probability 0.98."
    )


def test_a_board_of_battles_speaks_of_battles() -> None:
    battles = pl.DataFrame(
        {
            "left": ["a", "b", "c"] * 20,
            "right": ["b", "c", "a"] * 20,
            "winner": ["a", "b", "a"] * 15 + ["b", "c", "c"] * 5,
        }
    )
    board = winodds.rate_battles(battles, left="left", right="right", winner="winner")
    assert board.sota().leader.player == "a"
    assert "new battles" in str(board.sota()).replace("\n", " ")


def test_a_season_has_a_leader_for_every_tournament() -> None:
    both = pl.concat(
        [
            long_table(simulate(seed, 4, 10)).with_columns(pl.lit(name).alias("data"))
            for name, seed in (("iris", 1), ("wine", 2))
        ]
    )
    season = winodds.rate_each(both, tournament="data", higher_is_better=True)
    found = season.sota(seed=3)
    assert found == {name: season[name].sota(seed=3) for name in ("iris", "wine")}
    assert found["iris"].leader.player == season["iris"].players[0]
