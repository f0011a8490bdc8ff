"""What one more setting promises: by hand, by laws, and what came true in simulated searches."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from racing import run_race
from scipy import stats

from winodds import errors
from winodds.arrays import Floats
from winodds.tune.estimates import GRID, Belief
from winodds.tune.prospects import Prospects, expected_gain, foresee
from winodds.tune.rules import Rules

SHAPES = {
    "normal": stats.norm(),
    "uniform": stats.uniform(-1.7, 3.4),
    "short tail": stats.gumbel_l(),
    "long tail": stats.expon(),
}


def _search(
    shape: str, settings: int, splits: int, noise: float, seed: int
) -> tuple[Floats, Floats]:
    """True means, and scores."""
    rng = np.random.default_rng([settings, splits, seed])
    truth = SHAPES[shape].rvs(settings, random_state=rng)
    return truth, truth[:, None] + noise * rng.standard_normal((settings, splits))


def test_without_noise_the_next_beats_the_best_of_n_with_one_in_n_plus_one() -> None:
    scores = np.repeat(np.random.default_rng(0).standard_normal((40, 1)), 5, axis=1)
    found = foresee(scores, int(scores[:, 0].argmax()))
    assert found.p_improve == pytest.approx(1 / 41)


def test_an_incumbent_nobody_should_have_chosen_is_easily_beaten() -> None:
    scores = np.repeat(np.arange(40.0)[:, None], 5, axis=1)
    assert foresee(scores, 19).p_improve == pytest.approx(21 / 41, abs=0.01)


@pytest.mark.parametrize("seed", range(20))
def test_chances_are_never_below_one_in_n_plus_one(seed: int) -> None:
    _, scores = _search("normal", 12, 4, 1.0, seed)
    assert foresee(scores, seed % 12).p_improve >= 1 / 13


def test_the_gain_of_known_settings_is_the_mean_of_gaps() -> None:
    # True means 0, 1, …, 9, known exactly: cells of the grid are small.
    posterior = np.zeros((10, GRID))
    posterior[np.arange(10), np.arange(0, 100, 10)] = 1.0
    grid = np.linspace(0.0, 9.9, GRID)
    belief = Belief(grid, np.full(GRID, 1 / GRID), posterior)
    rng = np.random.default_rng(0)
    # Above 8: the middle of the gap to 9, and 9 + 3, since the five best exceed the sixth by 3.
    expected = (0.5 + (9 + 3 - 8)) / 11
    assert expected_gain(belief, 8, 10, rng) == pytest.approx(expected, abs=0.01)


def test_gains_are_told_from_twenty_settings_on() -> None:
    _, scores = _search("normal", 20, 5, 1.0, 0)
    few, enough = foresee(scores[:19], 0), foresee(scores, 0)
    assert (few.gain, few.win_gain, few.gain_per_second) == (None, None, None)
    assert not few.promises_less_than(0.49)
    assert enough.gain is not None
    assert enough.gain > 0.0


def test_names_and_units_do_not_matter() -> None:
    _, scores = _search("normal", 30, 6, 1.0, 1)
    order = np.random.default_rng(2).permutation(30)
    one, other = foresee(scores, 4), foresee(scores[order], int(np.flatnonzero(order == 4)[0]))
    assert other.p_improve == pytest.approx(one.p_improve, rel=1e-9)
    assert other.gain == pytest.approx(one.gain, rel=1e-9)
    scaled = foresee(1e-3 * scores + 7.0, 4)
    assert scaled.p_improve == pytest.approx(one.p_improve, rel=1e-6)
    assert one.gain is not None
    assert scaled.gain == pytest.approx(1e-3 * one.gain, rel=1e-6)
    assert scaled.win_gain == pytest.approx(one.win_gain, rel=1e-6)


def test_seconds_are_those_of_a_setting_in_this_race() -> None:
    _, scores = _search("normal", 40, 5, 1.0, 3)
    found = foresee(scores, int(scores.mean(axis=1).argmax()), seconds=80.0)
    assert found.seconds == 2.0
    assert found.gain is not None
    assert found.gain_per_second == pytest.approx(found.gain / 2.0)
    assert replace(found, seconds=None).gain_per_second is None


def test_a_search_is_asked_to_stop_below_a_limit_only() -> None:
    found = Prospects(30, 0.04, 0.001, 0.004, None)
    assert found.promises_less_than()
    assert not found.promises_less_than(0.003)
    with pytest.raises(errors.BadOption, match="win_gain=-1 is not possible"):
        found.promises_less_than(-1)


def test_there_always_is_a_sentence() -> None:
    said = "One more setting, drawn like the {} before it, is truly better than the best of them "
    assert str(Prospects(12, 0.1, None, None, 2.0)) == (
        f"{said.format(12)}with a probability of 10%. By how much is told from 20 settings on."
    )
    assert Prospects(1000, 0.002, 1e-5, 0.0012, 3.14159).text == (
        f"{said.format('1,000')}with a probability of less than 1%. It is expected to win 0.12 "
        "more of 100 splits, for 3.14 seconds. That is little."
    )
    assert Prospects(30, 0.2, 0.1, 0.05, None).text == (
        f"{said.format(30)}with a probability of 20%. It is expected to win 5 more of 100 splits."
    )


def test_settings_that_failed_are_places_below() -> None:
    _, scores = _search("normal", 30, 6, 1.0, 4)
    best = int(scores.mean(axis=1).argmax())
    failed = np.vstack([scores, np.full((30, 6), -np.inf)])
    one, other = foresee(scores, best), foresee(failed, best)
    assert (other.p_improve * 61) == pytest.approx(one.p_improve * 31)


def test_a_race_foresees_from_what_it_paid_for() -> None:
    _, scores = _search("normal", 30, 20, 1.0, 5)
    race = run_race(scores)
    assert race.foresee() == foresee(race.scores, race.choice)
    assert 1 / 31 <= race.foresee().p_improve < 0.2


# What came true -----------------------------------------------------------------------------------


def _said_and_done(shape: str, settings: int, splits: int, noise: float, searches: int) -> float:
    """Predicted chances to improve, in those that came true."""
    said, done = 0.0, 0.0
    for seed in range(searches):
        truth, scores = _search(shape, settings, splits, noise, seed)
        best = int(scores.mean(axis=1).argmax())
        said += foresee(scores, best).p_improve
        done += float(SHAPES[shape].sf(truth[best]))
    return said / done


def test_chances_to_improve_come_true() -> None:
    assert 0.7 < _said_and_done("uniform", 50, 5, 1.0, 30) < 1.5


CELLS = [(10, 3, 0.5), (10, 5, 1.0), (10, 20, 2.0), (50, 3, 0.5), (50, 5, 1.0), (50, 20, 2.0)]


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("settings", "splits", "noise"), CELLS)
def test_chances_to_improve_come_true_for_all_kinds_of_searches(
    shape: str, settings: int, splits: int, noise: float
) -> None:
    ratio = _said_and_done(shape, settings, splits, noise, 300)
    print(f"{shape}, {settings} × {splits}, noise {noise}: said / came true {ratio:.2f}")
    assert 0.7 <= ratio <= 1.5


Truth = Callable[[np.random.Generator], Floats]

FIELDS: dict[str, Truth] = {
    "normal": lambda rng: rng.standard_normal(50),
    "one ahead": lambda rng: np.append(rng.standard_normal(49) - 1.0, 2.0),
    "near-equal": lambda rng: np.where(rng.random(50) < 1 / 3, -0.3, -2.0) * rng.random(50),
}


def _leaders(name: str, noise: float, races: int) -> tuple[float, float, float]:
    """P(best) of the leaders, how often they were, and how often a plateau was flagged."""
    said = done = flagged = 0.0
    for seed in range(races):
        rng = np.random.default_rng([seed, 50])
        truth = FIELDS[name](rng)
        race = run_race(truth[:, None] + noise * rng.standard_normal((50, 20)), Rules(stop=0.0))
        said += race.steps[-1].p_best[race.choice] / races
        done += float(truth[race.choice] == truth.max()) / races
        flagged += race.steps[-1].plateau / races
    return said, done, flagged


@pytest.mark.slow
@pytest.mark.parametrize("noise", [0.3, 1.0, 2.0])
@pytest.mark.parametrize("field", FIELDS)
def test_chances_of_leaders_come_true_but_on_plateaus(field: str, noise: float) -> None:
    said, done, flagged = _leaders(field, noise, 150)
    print(f"{field}, noise {noise}: P(best) {said:.2f}, was {done:.2f}, plateaus {flagged:.2f}")
    assert abs(said - done) <= 0.2 or flagged > 0.5
