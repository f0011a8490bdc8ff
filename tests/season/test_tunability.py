"""What tuning gains, by family and tournament."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.testing import assert_allclose
from scipy.special import expit
from tables import grid, sentence

from winodds import Season, rate_each
from winodds.errors import (
    BadOption,
    NoDefault,
    NoFamilies,
    NothingToTune,
    NotOfFamily,
    SeveralDefaults,
    UnknownFamily,
)
from winodds.season.tunability import FamilyGain, Gain, Tunability

Scores = Mapping[str, Sequence[float | None]]

X: Scores = {
    "s0": [0.6, 0.7, 0.6, 0.5],
    "s1": [0.9, 0.8, 0.5, 0.9],
    "s2": [0.5, 0.5, 0.9, 0.4],
    "q0": [0.7, 0.6, 0.7, 0.7],
    "q1": [0.4, 0.9, 0.4, 0.6],
}
"""Points by round: s0 2 2 2 1, s1 4 3 1 4, s2 1 0 4 0, q0 3 1 3 3, q1 0 4 0 2."""

Y: Scores = {
    "s0": [0.1, 0.2, 0.1],
    "s1": [0.2, 0.1, 0.3],
    "z": [0.3, 0.3, 0.2],
}


@pytest.fixture(autouse=True)
def little_luck(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few draws of true ratings, which are not the subject here."""
    monkeypatch.setattr("winodds.inference.posterior.DRAWS", (200, 200))
    monkeypatch.setattr("winodds.inference.posterior.PICKS", (8, 8))


def table(**tournaments: Scores) -> pl.DataFrame:
    """The family of a player is the first letter of its name."""
    return pl.concat(
        [grid(scores).with_columns(data=pl.lit(name)) for name, scores in tournaments.items()]
    ).with_columns(family=pl.col("player").str.head(1))


def season(frame: pl.DataFrame | None = None, **options: Any) -> Season:
    rows = table(x=X, y=Y) if frame is None else frame
    given = {"tournament": "data", "family": "family", "higher_is_better": True, **options}
    return rate_each(rows, **given)


def drawn(seed: int, *, settings: int = 4, tournaments: int = 3) -> pl.DataFrame:
    """Two families of settings, with different scores everywhere."""
    rng = np.random.default_rng(seed)
    names = [f"{family}{k}" for family in "sq" for k in range(settings)]
    strength = 0.7 * rng.normal(size=len(names))
    return table(
        **{
            f"t{t}": {
                name: (strength[k] + rng.gumbel(size=6)).tolist() for k, name in enumerate(names)
            }
            for t in range(tournaments)
        }
    )


def gain_of(found: Tunability, family: str, tournament: str) -> Gain:
    return next(one for one in found.gains if (one.family, one.tournament) == (family, tournament))


def family_of(found: Tunability, family: str) -> FamilyGain:
    return next(one for one in found.families if one.family == family)


# In one tournament --------------------------------------------------------------------------------


def test_gain_is_that_of_the_best_over_the_default() -> None:
    made = season()
    gain = gain_of(made.tunability(default="0"), "s", "x")
    assert (gain.best, gain.default, gain.settings) == ("s1", "s0", 3)
    assert_allclose(gain.p_win.plug_in, made["x"].win_probability("s1", "s0").value, rtol=1e-9)
    own = made["x"].components[0].posterior(made["x"].how.details.seed).draws
    s1, s0 = (made["x"].players.index(name) for name in ("s1", "s0"))
    assert_allclose(gain.p_win.shrunken, expit(own[:, s1] - own[:, s0]).mean(), rtol=1e-9)


def test_held_out_gain_by_hand() -> None:
    # s1 has most points of the family without any of the rounds (8, 9, 11, 8 against 5 for s0 and
    # at most 5 for s2); it beats s0 in all but the third.
    gain = gain_of(season().tunability(default="0"), "s", "x")
    assert (gain.p_win.held_out, gain.p_win.rounds) == (0.75, 4)
    # Of q, q0 has most points without rounds 1, 2 and 4 (7, 9, 7 against 6, 2, 4), and without 3
    # as well, by 7 to 6: the best is the default, and a match against itself is half won.
    gain = gain_of(season().tunability(default="0"), "q", "x")
    assert (gain.best, gain.p_win.plug_in, gain.p_win.held_out) == ("q0", 0.5, 0.5)


def test_score_is_what_the_best_mean_gains() -> None:
    # Means .6 and .775, and of s2 .575.
    found = season().tunability(default="0")
    score = gain_of(found, "s", "x").score
    assert score is not None
    assert_allclose(score, 0.175)
    assert gain_of(found, "q", "x").score == 0.0
    over_all = family_of(found, "s").score
    assert over_all is not None
    assert_allclose(over_all, (0.175 + (0.6 - 0.4) / 3) / 2)


def test_score_of_losses_counts_what_is_saved() -> None:
    losses = table(x=X, y=Y).with_columns(score=-pl.col("score"))
    one = season().tunability(default="0")
    other = season(losses, higher_is_better=False).tunability(default="0")
    assert one == other


def test_score_is_compared_in_rounds_that_both_have() -> None:
    scores: Scores = {
        "s0": [0.1, 0.2, None, 0.9],
        "s1": [0.3, 0.3, 0.9, None],
        "q": [0.2, 0.4, 0.4, 0.3],
    }
    gain = gain_of(season(table(x=scores)).tunability(default={"s": "s0"}), "s", "x")
    assert gain.score is not None
    assert_allclose(gain.score, 0.15)
    failed = season(table(x=scores), missing="lose").tunability(default={"s": "s0"})
    assert gain_of(failed, "s", "x").score == gain.score


def test_median_stands_in_for_a_default() -> None:
    made = season(drawn(1))
    found = made.tunability()
    assert found.by_median
    assert {one.default for one in found.families} == {None}
    for gain in found.gains:
        own = [player for player in made[gain.tournament].players if player[0] == gain.family]
        # Best first: of four the third is the lower of the two in the middle.
        assert (gain.best, gain.default, gain.settings) == (own[0], own[2], 4)
    three = season(drawn(1, settings=3))
    for gain in three.tunability().gains:
        own = [player for player in three[gain.tournament].players if player[0] == gain.family]
        assert (gain.best, gain.default) == (own[0], own[1])


def test_held_out_median_is_that_of_the_other_rounds() -> None:
    # Without a round, s1 is first, s0 second and s2 last, or (without the third) s2 has 1 point.
    gain = gain_of(season().tunability(), "s", "x")
    assert (gain.default, gain.p_win.held_out) == ("s0", 0.75)


# Over all tournaments -----------------------------------------------------------------------------


def test_gain_over_all_is_the_mean_of_held_out_gains() -> None:
    found = season(drawn(2)).tunability(default="0")
    for family in "sq":
        own = [gain.p_win for gain in found.gains if gain.family == family]
        total = family_of(found, family)
        assert total.p_win.value is not None
        assert_allclose(total.p_win.value, np.mean([one.held_out or 0.0 for one in own]))
        assert_allclose(total.plug_in, np.mean([one.plug_in for one in own]))
        assert_allclose(total.shrunken, np.mean([one.shrunken for one in own]))
        assert (total.tournaments, total.absent, total.settings) == (3, 0, 4)


def test_largest_gain_comes_first() -> None:
    found = season(drawn(3)).tunability(default="0")
    values = [one.p_win.value or 0.0 for one in found.families]
    assert values[0] > values[1]
    assert [gain.family for gain in found.gains[::3]] == [one.family for one in found.families]
    turned = {name: f"{'qs'['sq'.index(name[0])]}{name[1:]}" for name in drawn(3)["player"]}
    swapped = drawn(3).with_columns(pl.col("player").replace(turned))
    again = season(swapped.with_columns(family=pl.col("player").str.head(1)))
    assert [one.family for one in again.tunability(default="0").families] == [
        "qs"["sq".index(one.family)] for one in found.families
    ]


def test_tournaments_without_the_default_or_another_setting_are_counted() -> None:
    frame = table(x=X, y=Y, w={"s1": [1, 2, 3], "s2": [2, 3, 1], "q0": [3, 1, 2]})
    found = season(frame).tunability(default="0")
    s, q = family_of(found, "s"), family_of(found, "q")
    assert (s.tournaments, s.absent, q.tournaments, q.absent) == (2, 1, 1, 2)
    assert (q.p_win.low, q.p_win.high) == (None, None)
    assert found.without_default == ("z",)
    assert found.single == ()
    assert season(frame).tunability().single == ("z",)


def test_scores_of_different_directions_have_no_mean() -> None:
    frame = table(x=X, y=Y).with_columns(
        up=pl.when(pl.col("data") == "x").then(pl.lit("up")).otherwise(pl.lit("down"))
    )
    found = season(frame, higher_is_better=None, direction_column="up").tunability(default="0")
    assert family_of(found, "s").score is None
    score = gain_of(found, "s", "x").score
    assert score is not None
    assert_allclose(score, 0.175)


def merit_elsewhere(made: Season, player: str, left_out: str | None) -> float:
    """Its chances against the average player above its family's, over one tournament more."""
    found = []
    for name, board in made.items():
        if name == left_out or player not in board.players:
            continue
        chance = dict(zip(board.players, expit(board.epp_around_all()), strict=True))
        own = [value for other, value in chance.items() if other[0] == player[0]]
        found.append(chance[player] - np.mean(own))
    return float(np.sum(found)) / (len(found) + 1)


def test_best_setting_of_the_other_tournaments_by_a_slow_twin() -> None:
    frame = drawn(4, tournaments=4).filter((pl.col("player") != "s1") | (pl.col("data") != "t2"))
    made = season(frame)
    found = made.tunability(default="0")
    for total in found.families:
        everyone = [f"{total.family}{k}" for k in range(4)]
        merit = {player: merit_elsewhere(made, player, None) for player in everyone}
        assert total.recommended == max(everyone, key=lambda player: merit[player])
        shares, beyond = [], []
        for name, board in made.items():
            there = [player for player in everyone if player in board.players]
            merit = {player: merit_elsewhere(made, player, name) for player in there}
            pick = max(there, key=lambda player: merit[player])
            duel = board.duel(pick, f"{total.family}0")
            shares.append(0.5 if pick[1] == "0" else (duel.won + 0.5 * duel.tied) / 6)
            beyond.append(held_out_against(made, name, there, pick))
        assert_allclose(total.p_recommended.value or 0.0, np.mean(shares))
        assert_allclose(total.p_beyond.value or 0.0, np.mean(beyond))


def held_out_against(made: Season, tournament: str, members: list[str], other: str) -> float:
    """Best of the members against a fixed player: that of another default."""
    given = {other[0]: other}
    single = Season({tournament: made[tournament]})
    assert other in members
    value = gain_of(single.tunability(default=given), other[0], tournament).p_win.held_out
    assert value is not None
    return value


def test_one_tournament_recommends_what_is_best_there() -> None:
    found = season(table(x=X)).tunability(default="0")
    s = family_of(found, "s")
    assert s.recommended == "s1"
    assert (s.p_recommended.value, s.p_recommended.tournaments) == (None, 0)
    assert (s.p_win.value, s.p_win.low, s.p_win.high) == (0.75, None, None)


def test_gain_that_is_always_one_stays_below_it() -> None:
    scores: Scores = {"s0": [1, 1, 1], "s1": [2, 2, 2], "q": [0, 3, 1]}
    s = family_of(season(table(x=scores, y=scores)).tunability(default="0"), "s")
    assert_allclose(s.p_win.value or 0.0, 1.0 - 0.5 / 7.0)
    assert s.p_win.open
    assert s.p_win.high == 1.0


# Which is the default -----------------------------------------------------------------------------


def test_defaults_may_be_named_in_three_ways() -> None:
    made = season()
    by_ending = made.tunability(default="0")
    assert made.tunability(default={"s": "s0", "q": "q0"}) == by_ending
    assert made.tunability(default=lambda name: name in ("s0", "q0")) == by_ending
    assert [one.default for one in by_ending.families] == ["s0", "q0"]
    only = made.tunability(default={"s": "s1"})
    assert [(one.family, one.default) for one in only.families] == [("s", "s1")]
    assert only.without_default == ("q", "z")


# Laws ---------------------------------------------------------------------------------------------


def test_scale_of_scores_matters_only_to_the_mean_score() -> None:
    frame = drawn(5)
    one = season(frame).tunability(default="0")
    other = season(frame.with_columns(score=(pl.col("score") / 3.0).exp())).tunability(default="0")
    assert [replace(gain, score=None) for gain in one.gains] == [
        replace(gain, score=None) for gain in other.gains
    ]
    assert one.gains[0].score != other.gains[0].score


def test_names_of_settings_do_not_matter() -> None:
    frame = drawn(6)
    turned = {f"{family}{k}": f"{family}{9 - k}" for family in "sq" for k in range(4)}
    one = season(frame).tunability(default="0")
    other = season(frame.with_columns(pl.col("player").replace(turned))).tunability(default="9")
    for mine, theirs in zip(one.families, other.families, strict=True):
        assert_allclose(mine.p_win.value or 0.0, theirs.p_win.value or 0.0, rtol=1e-12)
        assert_allclose(mine.p_beyond.value or 0.0, theirs.p_beyond.value or 0.0, rtol=1e-12)
        assert turned[mine.recommended or ""] == theirs.recommended


# Out ----------------------------------------------------------------------------------------------


def test_json_holds_everything() -> None:
    found = season().tunability(default="0")
    data = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert (data["schema"], data["level"], data["by_median"]) == (
        "winodds/tunability/1",
        0.95,
        False,
    )
    assert [one["family"] for one in data["families"]] == ["s", "q"]
    assert data["families"][0]["p_win"]["value"] == family_of(found, "s").p_win.value
    assert [(one["family"], one["tournament"]) for one in data["gains"]] == [
        ("s", "x"),
        ("s", "y"),
        ("q", "x"),
    ]
    assert (data["without_default"], data["single"]) == (["z"], [])


# Refusals -----------------------------------------------------------------------------------------


def test_families_must_be_known() -> None:
    made = rate_each(table(x=X, y=Y), tournament="data", higher_is_better=True)
    assert sentence(NoFamilies, made.tunability) == (
        "The players' families are not known. Name the column that holds them with family=, and "
        "rate again."
    )


def test_families_of_one_have_nothing_to_tune() -> None:
    frame = table(x={"a": [1, 2, 3], "b": [3, 1, 2]})
    assert sentence(NothingToTune, season(frame).tunability) == (
        "No family has two players in the same tournament, its default among them, so there is "
        "nothing to tune: 'a', 'b'. A family is an algorithm, its players are settings of it."
    )


def test_unknown_defaults_are_named() -> None:
    made = season()
    assert sentence(UnknownFamily, lambda: made.tunability(default={"ss": "s0"})) == (
        "No family 'ss' here. Did you mean 's'?"
    )
    assert sentence(NotOfFamily, lambda: made.tunability(default={"s": "q0"})) == (
        "No player 'q0' in family 's'."
    )
    assert sentence(NotOfFamily, lambda: made.tunability(default={"s": "s"})) == (
        "No player 's' in family 's'. Did you mean 's2' or 's1' or 's0'?"
    )
    assert sentence(NoDefault, lambda: made.tunability(default="(default)")) == (
        "No player's name ends with '(default)'. Name the defaults family by family, or none for "
        "the median of each."
    )
    assert sentence(NoDefault, lambda: made.tunability(default=lambda _: False)) == (
        "The rule that says who is a default fits no player. Name the defaults family by family, "
        "or none for the median of each."
    )
    assert sentence(SeveralDefaults, lambda: made.tunability(default=lambda name: name > "s0")) == (
        "Family 's' has 2 defaults: 's1', 's2'. Name one of them for each family."
    )
    assert sentence(BadOption, lambda: made.tunability(default={})) == (
        "default={} is not possible; it is a mapping from families to players, an ending of names, "
        "or a function."
    )
    wrong: Any = 3
    assert sentence(BadOption, lambda: made.tunability(default=wrong)) == (
        "default=3 is not possible; it is a mapping from families to players, an ending of names, "
        "or a function."
    )


@pytest.mark.parametrize("swapped", [False, True])
def test_names_do_not_decide_what_is_gained_over_one_of_several_medians(swapped: bool) -> None:
    """Two settings share the middle rating, and the best is 2 and 1.75 ahead of their means."""
    one, other = [3.0, 1.0, 3.0, 1.0], [2.0, 2.0, 2.0, 3.0]
    middle = {"s1": other, "s2": one} if swapped else {"s1": one, "s2": other}
    frame = table(x={"s0": [4.0] * 4, **middle}, y={"s0": [4.0] * 4, **middle})
    found = season(frame).tunability()
    assert [round(one.score or 0.0, 9) for one in found.gains] == [1.875, 1.875]
