"""Intervals of new ratings by hand, beside those of everybody, and their open ends."""

import numpy as np
import pytest
from conftest import make_results, score_tables, simulate
from hypothesis import given
from reference import matches_within, reach, win_matrix
from scipy import stats
from scipy.special import expit
from simulated import assess

from winodds.arrays import Floats
from winodds.fit.newcomer import place
from winodds.inference.intervals import Estimates, Uncertainty
from winodds.inference.newcomer import Arrival, judge_newcomer
from winodds.matches.entry import enter
from winodds.matches.games import Games


def _arrive(scores: Floats) -> tuple[Uncertainty, Arrival]:
    """The board without the last player, and that player's arrival, nobody moved."""
    games = Games("within", make_results(scores[:, :-1]))
    old = assess(games)
    entry, beta = enter(games, np.ones(len(scores)), scores[:, -1]), old.intervals.beta
    found = place(
        np.array([entry.wins]), entry.met[None, :], beta[None, :], estimator="bias-reduced"
    )
    return old, Arrival(entry, float(found.rating[0]), beta, float(found.information[0]))


def _judge(scores: Floats, zero: int | None = None) -> Estimates:
    old, new = _arrive(scores)
    around = None if zero is None else np.array([zero])
    return judge_newcomer(new, old.intervals, zero=around, overlap=1.0)


def test_interval_by_hand() -> None:
    """From the rounds' residuals, with t and G/(G − 1), moved by the bias that remains."""
    scores = simulate(1, 9, 12, spread=0.5)
    old, new = _arrive(scores)
    chance = expit(new.rating - old.intervals.beta)
    residual = (scores[:, [-1]] > scores[:, :-1]).sum(axis=1) - chance.sum()
    weight = 12.0 * chance * (1.0 - chance)
    robust = 12.0 / 11.0 * (residual**2).sum() / weight.sum() ** 2
    excess = max(robust - 1.0 / weight.sum(), 0.0)
    bias = -0.5 * (weight @ (1.0 - 2.0 * chance)) * excess / weight.sum()
    found, half = _judge(scores), stats.t.ppf(0.975, 11) * np.sqrt(robust)
    assert found.value[0] == pytest.approx(new.rating)
    assert found.se[0] == pytest.approx(np.sqrt(max(robust, 1.0 / weight.sum())))
    assert found.low[0] == pytest.approx(new.rating - bias - half)
    assert found.high[0] == pytest.approx(new.rating - bias + half)


def test_interval_among_many_is_nearly_that_of_a_refit() -> None:
    scores = simulate(2, 60, 15)
    found, exact = _judge(scores), assess(Games("within", make_results(scores))).of_ratings()
    others, width = float(exact.value[:-1].mean()), float(exact.high[-1] - exact.low[-1])
    for column in ("value", "low", "high"):
        refitted = float(getattr(exact, column)[-1]) - others
        assert float(getattr(found, column)[0]) == pytest.approx(refitted, abs=0.1 * width)


def test_overlapping_splits_widen_it_by_the_root_of_their_factor() -> None:
    old, new = _arrive(simulate(3, 8, 10, spread=0.3))
    one, two = (
        judge_newcomer(new, old.intervals, zero=None, overlap=factor) for factor in (1.0, 4.0)
    )
    assert two.high[0] - two.low[0] == pytest.approx(2.0 * (one.high[0] - one.low[0]))


@given(score_tables(players=(3, 6), rounds=(3, 6), levels=12, missing=True))
def test_ends_are_open_where_they_are_in_a_refit(scores: Floats) -> None:
    """Against one of the others, so that both have the same zero."""
    last = scores.shape[1] - 1
    scores = scores[(~np.isnan(scores[:, :last])).sum(axis=1) > 1]
    wins = win_matrix(matches_within(scores[:, :last]), last)
    own = matches_within(scores)
    met = {match.round for match in own if match.second == last}
    if len(scores) < 2 or not reach(wins + wins.T).all() or len(met) < 2:
        return
    found, exact = _judge(scores, zero=0), reach(win_matrix(own, last + 1))
    assert np.isfinite(found.low[0]) == exact[last, 0]
    assert np.isfinite(found.high[0]) == exact[0, last]
