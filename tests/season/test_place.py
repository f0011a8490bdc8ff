"""A new data set from a few scores."""

import json
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st
from tables import sentence, texts

from winodds import Season, rate_each
from winodds.arrays import Floats
from winodds.demo import load_results, rate_results
from winodds.errors import (
    BadOption,
    DirectionUnknown,
    NotInSeason,
    TooFewRoundsTried,
    TooFewTournaments,
    TooFewTried,
    TriedNeverMet,
)
from winodds.season import notes
from winodds.season.factor import Factors, State, fit_factors
from winodds.season.place import Law, Tried, condition, leave_out, place

SEASON = rate_results(family="family")
PLAYERS = ("gradient_boosting(default)", "knn(default)", "random_forest(default)")
SCORES = {
    PLAYERS[0]: [0.93, 0.95, 0.92],
    PLAYERS[1]: [0.9, 0.88, 0.93],
    PLAYERS[2]: [0.91, 0.94, 0.9],
}


def ratings(
    seed: int, players: int = 20, tournaments: int = 12, *, gaps: float = 0.0
) -> tuple[Floats, Floats, Factors]:
    """Ratings along one factor, their variances, and the factors of them."""
    rng = np.random.default_rng(seed)
    value = rng.normal(size=players)[:, None] + np.outer(
        rng.normal(size=players), rng.normal(size=tournaments)
    )
    value += 0.3 * rng.normal(size=value.shape)
    gone = rng.random(value.shape) < gaps
    gone[:2] = gone[:, :3] = False
    value[gone] = np.nan
    variance = np.full(value.shape, 0.04)
    return value, variance, fit_factors(value, variance, factors=1)


def state_of(found: Factors) -> State:
    return State(found.mean, found.loadings, found.rest)


# The law of true ratings --------------------------------------------------------------------------


def covariance(law: Law) -> Floats:
    return law.basis @ law.spread @ law.basis.T + np.diag(law.own)


def test_without_factors_a_rating_tried_is_drawn_to_the_average_by_its_error() -> None:
    """Averages ±1; the difference 4 of two ratings is halved where rest and error are equal."""
    state = State(np.array([1.0, -1.0, 0.0]), np.empty((3, 0)), 1.0)
    law = condition(state, Tried(np.array([0, 1]), np.array([4.0, -2.0]), np.ones(2)))
    # The shift is the mean of what is above the averages: (3 − 1)/2 = 1.
    assert law.mean == pytest.approx([3.0, -1.0, 1.0])
    # Given the shift, a rating tried has the variance ½; the shift itself has (1 + 1)/2.
    assert law.own == pytest.approx([0.5, 0.5, 1.0])
    assert law.spread == pytest.approx(np.array([[1.0]]))
    assert law.basis[:, 0] == pytest.approx([0.5, 0.5, 1.0])


@settings(max_examples=15)
@given(seed=st.integers(0, 100))
def test_the_law_is_the_conditional_normal_one_with_any_shift(seed: int) -> None:
    """The slow twin: all covariances, and a shift of an enormous variance."""
    rng = np.random.default_rng(seed)
    state = State(rng.normal(size=7), rng.normal(size=(7, 2)), 0.3)
    tried = Tried(rng.permutation(7)[:3], rng.normal(size=3), rng.uniform(0.2, 1.0, size=3))
    law, seen = condition(state, tried), tried.places
    prior = state.loadings @ state.loadings.T + 0.3 * np.eye(7) + 1e5
    gain = prior[:, seen] @ np.linalg.inv(prior[np.ix_(seen, seen)] + np.diag(tried.variance))
    mean = state.mean + gain @ (tried.value - state.mean[seen])
    np.testing.assert_allclose(law.mean, mean, atol=1e-3)
    np.testing.assert_allclose(law.gain, gain, atol=1e-3)
    np.testing.assert_allclose(covariance(law), prior - gain @ prior[seen], atol=1e-3)
    centre = np.eye(7) - 1.0 / 7.0
    around, spread = law.around_average()
    np.testing.assert_allclose(around, centre @ law.mean, atol=1e-12)
    np.testing.assert_allclose(spread, np.diag(centre @ covariance(law) @ centre), atol=1e-12)


def test_draws_have_mean_and_covariance_of_the_law() -> None:
    value, _, found = ratings(1, 4)
    law = condition(state_of(found), Tried(np.array([0, 2]), value[[0, 2], 0], np.full(2, 0.2)))
    draws = law.draw(np.random.default_rng(0), 2.0, 1e6)
    np.testing.assert_allclose(draws.mean(axis=0), law.mean, atol=0.1)
    np.testing.assert_allclose(np.cov(draws.T), 2.0 * covariance(law), atol=0.15)


# Leaving one out ----------------------------------------------------------------------------------


def test_a_tournament_unlike_the_others_is_missed() -> None:
    value, variance, _ = ratings(2)
    value[:, 5] = np.random.default_rng(9).permutation(3.0 * value[:, 5])
    found = fit_factors(value, variance, factors=1)
    tried = Tried(np.array([0, 4, 8, 12]), np.zeros(4), np.full(4, 0.04))
    ratios = leave_out(value, variance, found, tried)
    assert ratios.argmax() == 5
    assert ratios[5] > 5.0 * np.median(ratios)


def test_left_out_tournaments_that_the_factors_explain_are_missed_by_what_is_expected() -> None:
    ratios = []
    for seed in range(4):
        value, variance, found = ratings(seed, 40, 30, gaps=0.2)
        tried = Tried(np.arange(0, 40, 6), np.zeros(7), np.full(7, 0.5))
        ratios.append(leave_out(value, variance, found, tried).mean())
    assert 0.8 < np.mean(ratios) < 1.4


def test_a_tournament_with_too_few_players_is_not_left_out() -> None:
    value, variance, _ = ratings(3)
    value[3:, 2] = np.nan
    found = fit_factors(value, variance, factors=1)
    tried = Tried(np.array([7, 8, 9]), np.zeros(3), np.full(3, 0.2))
    ratios = leave_out(value, variance, found, tried)
    assert np.isnan(ratios).tolist() == [k == 2 for k in range(12)]


def test_many_players_take_part_in_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    value, variance, found = ratings(4, 60, 10)
    tried = Tried(np.array([1, 30, 59]), np.zeros(3), np.full(3, 0.2))
    whole = leave_out(value, variance, found, tried).mean()
    monkeypatch.setattr("winodds.season.place.MOST_CHECKED", 30)
    assert leave_out(value, variance, found, tried).mean() == pytest.approx(whole, rel=0.5)


@settings(max_examples=5)
@given(seed=st.integers(0, 30))
def test_the_order_of_tournaments_does_not_matter(seed: int) -> None:
    value, variance, found = ratings(seed, gaps=0.2)
    tried = Tried(np.array([2, 5, 11]), np.array([1.0, 0.0, -1.0]), np.full(3, 0.3))
    order = np.random.default_rng(seed).permutation(12)
    again = fit_factors(value[:, order], variance[:, order], factors=1)
    first = place(value, variance, found, tried, seed=1)
    second = place(value[:, order], variance[:, order], again, tried, seed=1)
    np.testing.assert_allclose(second.mean, first.mean, atol=1e-6)
    np.testing.assert_allclose(second.high, first.high, rtol=1e-5)
    np.testing.assert_allclose(second.distance, first.distance[order], atol=1e-5)


# Scores with names --------------------------------------------------------------------------------


def frame(scores: dict[str, list[float]], **names: str) -> pl.DataFrame:
    rows = [(player, k, own[k]) for player, own in scores.items() for k in range(len(own))]
    columns = [names.get(role, role) for role in ("player", "round", "score")]
    return pl.DataFrame(rows, columns, orient="row")


@pytest.mark.parametrize(
    ("given_as", "options"),
    [
        (frame(SCORES), {}),
        (frame(SCORES, player="model", round="split", score="auc"), {}),
        (pd.DataFrame(frame(SCORES).to_dict(as_series=False)), {}),
        (frame(SCORES, player="who", round="fold"), {"player": "who", "round": "fold"}),
        ({name: np.array(own) for name, own in SCORES.items()}, {"higher_is_better": True}),
        ({name: [-x for x in own] for name, own in SCORES.items()}, {"higher_is_better": False}),
        ({name: [x**3 for x in own] for name, own in SCORES.items()}, {}),
        (dict(reversed(SCORES.items())), {}),
    ],
)
def test_scores_are_understood_however_they_are_given(given_as: Any, options: Any) -> None:
    assert SEASON.place(given_as, **options) == SEASON.place(SCORES)


def test_what_is_expected_has_names_and_goes_into_json() -> None:
    found = SEASON.place(SCORES)
    assert found.tried == tuple(sorted(PLAYERS))
    assert (found.rounds, found.tournaments, found.factors) == (3, 4, 0)
    assert [one.player for one in found.models if one.tried] == [PLAYERS[0], PLAYERS[2], PLAYERS[1]]
    epp = [one.epp for one in found.models]
    assert epp == sorted(epp, reverse=True)
    assert sum(epp) == pytest.approx(0.0, abs=1e-9)
    assert sum(one.p_best for one in found.models) == pytest.approx(1.0)
    assert all(one.gain == 0.0 for one in found.models if one.tried)
    assert all(one.low < one.epp < one.high for one in found.models)
    first = found.try_first[0]
    assert first.p_best == max(one.p_best for one in found.models if not one.tried)
    assert found.model("gradient_boosting(default)").family == "gradient_boosting"
    assert {one.tournament for one in found.neighbours} == set(SEASON)
    distances = [one.distance for one in found.neighbours]
    assert distances == sorted(distances)
    plain = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert plain["try_first"][0] == first.player
    assert plain["models"][0]["epp"] == found.models[0].epp


def test_a_new_data_set_like_a_known_one_has_it_as_its_nearest() -> None:
    """Five rounds of it, with all players, are taken for a new one."""
    table = load_results()
    others = {name: SEASON[name] for name in SEASON}
    near = 0
    for name in SEASON:
        splits = table.filter((pl.col("dataset") == name) & (pl.col("split") <= 5))
        near += Season(others).place(splits).neighbours[0].tournament == name
    assert near == 4


def test_why_intervals_are_wide_is_said() -> None:
    found = SEASON.place(SCORES)
    few, scaled = texts(found.notes)
    assert few == "What is expected rests on only 4 known data sets; below about 5 it is rough."
    assert scaled == (
        f"The known data sets, 4 of which could be left out in turn, were missed by "
        f"{found.scale:.1f} times the variance that the factors expect; the intervals are "
        f"{found.scale**0.5:.1f} times as wide for that."
    )


def test_names_of_players_and_tournaments_do_not_matter() -> None:
    table = load_results()
    code = {name: f"p{k:02}" for k, name in enumerate(sorted(set(table["model"]))[::-1])}
    other = {name: f"d{k}" for k, name in enumerate(sorted(set(table["dataset"]))[::-1])}
    season = rate_each(
        table.with_columns(
            pl.col("model").replace(code), pl.col("dataset").replace(other), auc=pl.col("auc") ** 3
        ),
        player="model",
        round="split",
        score="auc",
        tournament="dataset",
    )
    found = season.place({code[name]: own for name, own in SCORES.items()})
    wanted = SEASON.place(SCORES)
    assert [one.player for one in found.models] == [code[one.player] for one in wanted.models]
    for one, same in zip(found.models, wanted.models, strict=True):
        assert (one.epp, one.high, one.p_best) == pytest.approx(
            (same.epp, same.high, same.p_best), abs=1e-6
        )
    assert [one.tournament for one in found.neighbours] == [
        other[one.tournament] for one in wanted.neighbours
    ]


# Refusals -----------------------------------------------------------------------------------------


def test_unknown_players_are_named() -> None:
    assert sentence(
        NotInSeason, lambda: SEASON.place(SCORES | {"gradient_boosting(defalt)": [0.9, 0.9]})
    ) == (
        "'gradient_boosting(defalt)' is in no tournament of this season. Did you mean "
        "'gradient_boosting(default)' or 'gradient_boosting(learning_rate=0.48)' or "
        "'gradient_boosting(learning_rate=0.14)'?"
    )
    strange = {"x1": [0.9, 0.9], "x2": [0.9, 0.8]}
    assert sentence(NotInSeason, lambda: SEASON.place(SCORES | strange)) == (
        "'x1', 'x2' are in no tournament of this season, which can say nothing of them. Leave them "
        "out."
    )


@pytest.mark.parametrize(
    ("scores", "have"),
    [
        ({}, "no player has one"),
        ({"gradient_boosting(default)": [0.9, 0.8]}, "only 'gradient_boosting(default)' has one"),
    ],
)
def test_fewer_than_two_players_are_refused(scores: dict[str, list[float]], have: str) -> None:
    assert sentence(TooFewTried, lambda: SEASON.place(scores)) == (
        f"Placing a new data set needs scores of at least two players there; {have}. Only "
        f"differences between players tell what kind of data set it is. Try another player."
    )


def test_a_single_round_is_refused() -> None:
    once = {name: own[0] for name, own in SCORES.items()}
    assert sentence(TooFewRoundsTried, lambda: SEASON.place(once)) == (
        "Placing a new data set needs at least two rounds in which players met there; there is "
        "one. One round alone does not tell how much of it is luck. Add a round."
    )


def test_players_without_a_round_in_common_are_refused() -> None:
    apart = {
        "gradient_boosting(default)": [0.9, 0.8, None, None],
        "knn(default)": [0.8, 0.9, None, None],
        "logistic_regression(C=0.16)": [None, None, 0.9, 0.8],
        "logistic_regression(C=93)": [None, None, 0.9, 0.8],
    }
    assert sentence(TriedNeverMet, lambda: SEASON.place(apart)) == (
        "The players tried form 2 components that have no round in common: "
        "'gradient_boosting(default)', 'knn(default)'; 'logistic_regression(C=0.16)', "
        "'logistic_regression(C=93)'. Add a round in which they meet."
    )


def test_two_known_data_sets_are_refused() -> None:
    two = Season({name: SEASON[name] for name in ("wine", "digits")})
    assert sentence(TooFewTournaments, lambda: two.place(SCORES)) == (
        "Placing a new data set needs at least 3 tournaments; there are 2."
    )


def test_scores_that_are_no_numbers_and_unknown_directions_are_refused() -> None:
    assert sentence(BadOption, lambda: SEASON.place({"gradient_boosting(default)": ["0,9"]})) == (
        'scores="0,9" is not possible; a mapping holds a list of numbers for each player, None '
        "where there is none."
    )
    turned = load_results().with_columns(
        way=pl.when(pl.col("dataset") == "wine").then(pl.lit("down")).otherwise(pl.lit("up")),
        score=pl.col("auc"),
    )
    mixed = rate_each(
        turned,
        player="model",
        round="split",
        score="score",
        tournament="dataset",
        direction_column="way",
    )
    with pytest.raises(DirectionUnknown):
        mixed.place(SCORES)


def test_intervals_are_wider_by_the_root_of_what_variances_were_missed_by() -> None:
    assert str(notes.scaled_intervals(4.0, 6)) == (
        "The known data sets, 6 of which could be left out in turn, were missed by 4.0 times the "
        "variance that the factors expect; the intervals are 2.0 times as wide for that."
    )
