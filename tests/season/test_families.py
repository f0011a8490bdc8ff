"""The best of each family, in every tournament and over all."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import expit
from tables import board, grid, sentence

from winodds import Season, rate, rate_battles, rate_each
from winodds.errors import InTournament, NoEvidence, NoFamilies, ScoresNeeded, UnknownFamily
from winodds.season.chances import Chance, Chances


@pytest.fixture(autouse=True)
def little_luck(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few draws of true ratings, which are not the subject here."""
    monkeypatch.setattr("winodds.inference.posterior.DRAWS", (200, 200))
    monkeypatch.setattr("winodds.inference.posterior.PICKS", (8, 8))


Scores = Mapping[str, Sequence[float | None]]

X: Scores = {
    "a1": [4, 1, 4, 4, 2],
    "a2": [1, 4, 1, 1, 1],
    "b1": [3, 3, 2, 3, 4],
    "c1": [2, 2, 3, 2, 3],
}
"""Points by round: a1 3 0 3 3 1, a2 0 3 0 0 0, b1 2 2 1 2 3, c1 1 1 2 1 2."""

Y: Scores = {"a1": [2, 3, 2, 1], "a2": [3, 2, 1, 2], "b1": [1, 1, 3, 3]}
"""Points by round: a1 1 2 1 0, a2 2 1 0 1, b1 0 0 2 2."""


def table(**tournaments: Scores) -> pl.DataFrame:
    """The family of a player is the first letter of its name."""
    return pl.concat(
        [grid(scores).with_columns(data=pl.lit(name)) for name, scores in tournaments.items()]
    ).with_columns(family=pl.col("player").str.head(1))


def season(frame: pl.DataFrame | None = None, **options: Any) -> Season:
    rows = table(x=X, y=Y) if frame is None else frame
    given = {"tournament": "data", "family": "family", "higher_is_better": True, **options}
    return rate_each(rows, **given)


def drawn(seed: int, players: int = 9, tournaments: int = 3) -> pl.DataFrame:
    """Three families of three players, with different scores everywhere."""
    rng = np.random.default_rng(seed)
    names = [f"{'abc'[k % 3]}{k}" for k in range(players)]
    strength = rng.normal(size=players)
    return table(
        **{
            f"t{t}": {
                name: (strength[k] + rng.gumbel(size=6)).tolist() for k, name in enumerate(names)
            }
            for t in range(tournaments)
        }
    )


def assert_same(one: Chances, other: Chances) -> None:
    for column in fields(Chances):
        assert_allclose(
            getattr(one, column.name), getattr(other, column.name), rtol=1e-9, atol=1e-12
        )


# In one tournament --------------------------------------------------------------------------------


def test_best_of_a_family_is_its_first_on_the_board() -> None:
    found = season().families()
    best = {(one.tournament, one.family): (one.player, one.of) for one in found.picks}
    assert best == {
        ("x", "a"): ("a1", 2),
        ("x", "b"): ("b1", 1),
        ("x", "c"): ("c1", 1),
        # All are rated equal there, and names decide.
        ("y", "a"): ("a1", 2),
        ("y", "b"): ("b1", 1),
    }


def test_plug_in_and_shrunken_values_are_those_of_the_board() -> None:
    made = season(drawn(1))
    own_board, found = made["t1"], made.families()
    sota = {one.family: one for one in own_board.sota().families}
    a, b = (own_board.players.index(sota[name].player) for name in "ab")
    chance = found.chance("t1", "a", "b")
    assert chance is not None
    wanted = own_board.win_probability(own_board.players[a], own_board.players[b])
    assert_allclose(chance.plug_in, wanted.value, rtol=1e-9)
    draws = own_board.components[0].posterior(own_board.how.details.seed).draws
    lone = expit(draws[:, a] - draws[:, b])
    assert_allclose(chance.shrunken, lone.mean(), rtol=1e-9)
    assert_allclose([chance.low, chance.high], np.quantile(lone, [0.025, 0.975]), rtol=1e-9)
    for pick in found.picks:
        if pick.tournament == "t1":
            own = sota[pick.family]
            assert (pick.player, pick.of) == (own.player, own.of)
            assert_allclose([pick.epp, pick.sota], [own.epp, own.sota], rtol=1e-9)


def test_held_out_values_by_hand() -> None:
    found = season().families()
    # In x, a1 is always picked; it beats b1 in rounds 1, 3, 4 and c1 in the same ones.
    # In y, a1 is picked for rounds 1 and 4, a2 for 2 and 3; the picks beat b1 in the first two.
    wanted = {
        ("x", "a", "b"): (0.6, 5),
        ("x", "a", "c"): (0.6, 5),
        ("x", "b", "c"): (0.8, 5),
        ("y", "a", "b"): (0.5, 4),
    }
    for place, (value, rounds) in wanted.items():
        chance = found.chance(*place)
        assert chance is not None
        assert chance.held_out is not None
        assert_allclose(chance.held_out, value)
        assert chance.rounds == rounds
    assert found.chance("y", "a", "c") is None


def test_value_against_all_others_by_hand() -> None:
    found = {(one.tournament, one.family): one.p_win for one in season().families().picks}
    # Shares of points, of 15 in x and of 8 in y.
    wanted = {("x", "a"): 10 / 15, ("x", "b"): 10 / 15, ("x", "c"): 7 / 15}
    wanted |= {("y", "a"): 2 / 8, ("y", "b"): 4 / 8}
    for place, value in wanted.items():
        held_out = found[place].held_out
        assert held_out is not None
        assert_allclose(held_out, value)
    # With equal ratings everybody's chance is even.
    assert_allclose(found["y", "a"].plug_in, 0.5, atol=1e-12)


def test_chance_against_all_others_is_a_mean_over_them() -> None:
    made = season(drawn(2))
    own_board = made["t0"]
    beta = own_board.components[0].intervals.beta
    for pick in made.families().picks:
        if pick.tournament == "t0":
            place = own_board.players.index(pick.player)
            others = [expit(beta[place] - other) for k, other in enumerate(beta) if k != place]
            assert_allclose(pick.p_win.plug_in, np.mean(others), rtol=1e-9)
            # The luck of the pick makes it look better than it is.
            assert pick.p_win.low < pick.p_win.shrunken < pick.p_win.high


def test_chances_in_a_tournament_mirror_each_other() -> None:
    pairs = season(drawn(3)).families().numbers.pairs
    assert_same(
        pairs.at((slice(None), [0, 0, 1], [1, 2, 2])),
        pairs.at((slice(None), [1, 2, 2], [0, 0, 1])).turned(),
    )
    diagonal = np.arange(3)
    assert np.isnan(pairs.held_out[:, diagonal, diagonal]).all()


# Over all tournaments -----------------------------------------------------------------------------


def test_mean_over_tournaments_rests_on_held_out_picks() -> None:
    found = season().families()
    pair = found.pair("a", "b")
    assert pair.p_win.value is not None
    assert_allclose(pair.p_win.value, (0.6 + 0.5) / 2)
    assert (pair.tournaments, pair.p_win.tournaments, pair.separated) == (2, 2, 0)
    mean = found.mean("a").value
    assert mean is not None
    assert_allclose(mean, (10 / 15 + 2 / 8) / 2)


def test_family_that_was_absent_is_counted_and_has_no_interval_from_one_tournament() -> None:
    found = season().families()
    pair = found.pair("b", "c")
    assert pair.p_win.value is not None
    assert_allclose(pair.p_win.value, 0.8)
    assert (pair.p_win.low, pair.p_win.high, pair.tournaments) == (None, None, 1)
    about = {one["family"]: one for one in found.to_dict()["families"]}
    assert [about[name]["absent"] for name in "abc"] == [0, 0, 1]
    assert [about[name]["players"] for name in "abc"] == [2, 1, 1]


def test_families_are_listed_by_their_mean_chance() -> None:
    # Means against all others: a 11/24, b 7/12, c 7/15.
    assert season().families().families == ("b", "c", "a")


def test_families_that_never_met_have_no_chance() -> None:
    frame = table(x={"a1": [1, 2, 3], "b1": [3, 1, 2]}, y={"a1": [1, 2, 1], "c1": [2, 1, 2]})
    pair = season(frame).families().pair("b", "c")
    assert (pair.p_win.value, pair.p_win.low, pair.tournaments, pair.p_win.open) == (
        None,
        None,
        0,
        False,
    )


def test_chance_of_separated_families_is_never_one() -> None:
    scores = {"a1": [3, 4, 3, 4], "a2": [4, 3, 4, 3], "b1": [2, 1, 2, 1], "b2": [1, 2, 1, 2]}
    found = season(table(x=scores, y=scores)).families()
    pair, turned = found.pair("a", "b"), found.pair("b", "a")
    assert (pair.separated, pair.tournaments, pair.p_win.open) == (2, 2, True)
    # Of 8 rounds, half a one of 9 is taken off; two of two are compatible with √.025.
    assert_allclose(
        [pair.p_win.low or 0.0, pair.p_win.value or 0.0, pair.p_win.high or 0.0],
        [np.sqrt(0.025), 1.0 - 0.5 / 9.0, 1.0],
    )
    assert_allclose([turned.p_win.value or 0.0, turned.p_win.low or 0.0], [0.5 / 9.0, 0.0])
    chance = found.chance("x", "a", "b")
    assert isinstance(chance, Chance)
    assert chance.separated
    assert 0.5 < chance.shrunken < chance.plug_in < 1.0


def test_players_of_no_family_play_and_are_not_listed() -> None:
    with_families = season(table(x=X))["x"]
    without = rate(grid({**Y, "z": [9, 9, 9, 9]}), higher_is_better=True)
    found = Season({"x": with_families, "y": without}).families()
    assert sorted(found.families) == ["a", "b", "c"]
    # z is known from no board with families; it takes a match of every round from the others.
    picks = {(one.tournament, one.family): one.p_win.held_out for one in found.picks}
    held_out = picks["y", "a"]
    assert held_out is not None
    assert_allclose(held_out, 2 / 12)


# Laws ---------------------------------------------------------------------------------------------


def test_names_do_not_matter() -> None:
    frame = drawn(4)
    names = frame["player"].unique().sort().to_list()
    turned = dict(zip(names, [f"{name[0]}{99 - k}" for k, name in enumerate(names)], strict=True))
    one, other = (
        season(frame).families(),
        season(frame.with_columns(pl.col("player").replace(turned))).families(),
    )
    assert one.families == other.families
    assert_same(one.numbers.pairs, other.numbers.pairs)
    assert_same(one.numbers.others, other.numbers.others)
    assert [turned[pick.player] for pick in one.picks] == [pick.player for pick in other.picks]


def test_scale_and_direction_of_scores_do_not_matter() -> None:
    frame = drawn(5)
    one = season(frame).families()
    other = season(
        frame.with_columns(score=-(pl.col("score") / 3.0).exp()), higher_is_better=False
    ).families()
    assert one.families == other.families
    assert_same(one.numbers.pairs, other.numbers.pairs)


def test_seed_moves_only_the_shrunken_values() -> None:
    made = season(drawn(6))
    one, other = made.families(seed=1).numbers.pairs, made.families(seed=2).numbers.pairs
    assert_array_equal(one.plug_in, other.plug_in)
    assert_array_equal(one.held_out, other.held_out)
    assert np.nanmax(np.abs(one.shrunken - other.shrunken)) < 0.15


# Out ----------------------------------------------------------------------------------------------


def test_json_holds_everything() -> None:
    found = season().families()
    data = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert data["schema"] == "winodds/families/1"
    assert data["level"] == 0.95
    assert [one["family"] for one in data["families"]] == ["b", "c", "a"]
    assert data["families"][1]["p_win"] == {
        "value": found.mean("c").value,
        "low": None,
        "high": None,
        "tournaments": 1,
        "open": False,
    }
    assert [(one["a"], one["b"], one["tournaments"]) for one in data["pairs"]] == [
        ("b", "c", 1),
        ("b", "a", 2),
        ("c", "a", 1),
    ]
    assert [
        (one["tournament"], [(pair["a"], pair["b"]) for pair in one["pairs"]])
        for one in data["by_tournament"]
    ] == [("x", [("b", "c"), ("b", "a"), ("c", "a")]), ("y", [("b", "a")])]
    assert len(data["picks"]) == 5


# Refusals -----------------------------------------------------------------------------------------


def test_families_must_be_known() -> None:
    made = rate_each(table(x=X, y=Y), tournament="data", higher_is_better=True)
    assert sentence(NoFamilies, made.families) == (
        "The players' families are not known. Name the column that holds them with family=, and "
        "rate again."
    )


def test_battles_have_no_rounds_to_leave_out() -> None:
    battles = pl.DataFrame(
        {
            "model_a": ["a1", "b1"] * 3,
            "model_b": ["b1", "a1"] * 3,
            "winner": ["model_a", "model_a", "model_b", "model_b", "model_a", "model_a"],
        }
    )
    made = Season({"x": season()["x"], "arena": rate_battles(battles)})
    assert sentence(ScoresNeeded, made.families) == (
        "Tournament 'arena' has battles and no scores. Players are picked on some rounds and "
        "judged on others, which needs a table of scores."
    )


def test_players_must_share_a_scale() -> None:
    scores: Scores = {
        "a1": [1, 2, None, None],
        "a2": [2, 1, None, None],
        "b1": [None, None, 1, 2],
        "b2": [None, None, 2, 1],
    }
    made = season(table(x=scores), components="separate")
    assert sentence(InTournament, made.families) == (
        "In tournament 'x': 'a1' and 'b1' belong to components that never met; their ratings "
        "cannot be compared."
    )


def test_boards_that_were_cut_are_refused() -> None:
    cut = board(("a", 0.5, -1.0, 2.0), ("b", -0.5, -2.0, 1.0))
    made = Season({"x": season()["x"], "y": cut})
    assert sentence(NoEvidence, made.families) == (
        "This leaderboard holds only its first rows, and nothing to compare players with. "
        "Write it again without top."
    )


def test_unknown_family_is_named() -> None:
    found = season().families()
    assert sentence(UnknownFamily, lambda: found.pair("a", "bb")) == (
        "No family 'bb' here. Did you mean 'b'?"
    )
    assert sentence(UnknownFamily, lambda: found.mean("xgboost")) == ("No family 'xgboost' here.")
