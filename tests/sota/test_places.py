"""Whose prizes, and which places luck could have swapped."""

import json
from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

import winodds
from winodds.arrays import Floats, Ints
from winodds.errors import BadOption
from winodds.sota.granularity import printed_unit
from winodds.sota.laws.dependence import chances_given
from winodds.sota.places.answer import Places
from winodds.sota.places.critical import critical_range
from winodds.sota.places.pairs import Counted, Modelled
from winodds.sota.sampling import Accuracy, Auc, Normal

TEN = [0.912, 0.909, 0.908, 0.907, 0.905, 0.903, 0.903, 0.899, 0.896, 0.85]


def _places(scores: object, **options: object) -> Places:
    found = winodds.estimate_sota(scores, **options).places  # type: ignore[arg-type]
    assert found is not None
    return found


def _difference(steps: int, n: int, chance: float) -> float:
    """P(sum of n cases ≥ steps), each 1 or -1 with this chance, over how many are not 0."""
    counted = np.arange(n + 1)
    most = stats.binom.sf(np.ceil((counted + steps) / 2) - 1, counted, 0.5)
    return float(stats.binom.pmf(counted, n, 2.0 * chance) @ np.where(counted < steps, 0.0, most))


# How far apart scores must be ---------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 5, 40])
def test_the_constant_for_all_places_is_tukeys(players: int) -> None:
    tukey = stats.studentized_range.ppf(0.95, players, np.inf)
    assert critical_range(players, players, 0.95) == pytest.approx(tukey, abs=1e-6)


def test_the_constant_for_the_first_place_is_dunnetts() -> None:
    # One-sided, three against one: the largest of three normals with correlation one half.
    law = stats.multivariate_normal(np.zeros(3), 0.5 + 0.5 * np.eye(3))
    limit = critical_range(4, 1, 0.95) / np.sqrt(2.0)
    assert law.cdf(np.full(3, limit)) == pytest.approx(0.95, abs=1e-3)


@pytest.mark.parametrize(("steps", "n", "chance"), [(3, 50, 0.02), (12, 50, 0.1), (8, 1000, 0.001)])
def test_differences_of_accuracies_have_exact_tails(steps: int, n: int, chance: float) -> None:
    theta = 0.5 * (1.0 + np.sqrt(1.0 - 4.0 * chance))
    pairs = Modelled(np.array([0.9]), Accuracy(n, 0.0), n)
    middle = np.array([theta])
    quantile = float(pairs.away(middle + 0.5 * steps / n, middle - 0.5 * steps / n)[0])
    exact = _difference(steps, n, chance)
    assert stats.norm.sf(quantile) == pytest.approx(exact, rel=0.03)


# Who is told apart --------------------------------------------------------------------------------


@pytest.mark.parametrize(("places", "correlation"), [(1, 0.6), (3, 0.0), (40, 0.3)])
def test_halving_finds_what_looking_at_all_pairs_finds(places: int, correlation: float) -> None:
    rng = np.random.default_rng(1)
    scores = np.sort(rng.binomial(400, rng.uniform(0.6, 0.9, 40)) / 400)[::-1]
    pairs = Modelled(scores, Accuracy(400, correlation, scores[0]), 400)
    limit = critical_range(40, places, 0.95) / np.sqrt(2.0)
    worse = np.zeros(40, int)
    better = np.zeros(40, int)
    for i, j in combinations(range(40), 2):
        if float(pairs.away(scores[i : i + 1], scores[j : j + 1])[0]) > limit:
            worse[j] += 1
            better[i] += 1
    found = pairs.beaten(places, 0.95)
    assert (found.by.tolist(), found.of.tolist()) == (worse.tolist(), better.tolist())


def test_known_cases_are_compared_by_mcnemar_exactly() -> None:
    right = np.ones((3, 40), bool)
    right[1, :9] = False
    right[2, 20:] = False
    # Of 3 claims that can be wrong: 9 cases alone against 0 (p = 1/512), 20 to 0, and 20 to 9.
    found = Counted(right).beaten(3, 0.95)
    assert (found.by.tolist(), found.of.tolist()) == ([0, 1, 1], [2, 0, 0])
    strict = Counted(right).beaten(3, 1.0 - 3.0 / 513)
    assert strict.by.tolist() == [0, 0, 1]


def test_prizes_zones_and_ranges_by_hand() -> None:
    # With a standard error of 1 and no correlation, pairs differ from a distance of Tukey's 3.63.
    scores = {"a": 10.0, "b": 7.0, "c": 6.0, "d": 0.0}
    found = _places(scores, se=1.0, higher_is_better=True, correlation=0.0, zones=True, prizes=2)
    assert [(one.entries, one.names) for one in found.prizes] == [
        (2, ("a", "b")),
        (3, ("a", "b", "c")),
    ]
    assert found.zones is not None
    assert found.ranges is not None
    assert [(zone.first, zone.last) for zone in found.zones] == [(1, 2), (2, 3), (4, 4)]
    assert [(one.best, one.worst) for one in found.ranges] == [(1, 2), (1, 3), (2, 3), (4, 4)]
    assert (found.pairs, found.apart) == (6, 4)


def test_lower_scores_can_be_better() -> None:
    scores = np.array([10.0, 7.0, 6.0, 0.0])
    options: dict[str, object] = {"se": 1.0, "correlation": 0.0, "zones": True}
    up = _places(scores, higher_is_better=True, **options)
    down = _places(-scores, higher_is_better=False, **options)
    assert up.ranges is not None
    assert down.ranges is not None
    assert [(one.best, one.worst) for one in up.ranges] == [(r.best, r.worst) for r in down.ranges]
    assert [one.lowest for one in down.prizes] == [-one.lowest for one in up.prizes]


def test_less_correlation_lets_more_entries_hope() -> None:
    found = _places(TEN, n=20_000, prizes=3)
    assert [one.correlation for one in found.under] == [0.0, 0.3, 0.6, 0.77]
    first = [one.first for one in found.under]
    assert first == sorted(first, reverse=True)
    assert first[0] > first[-1]


def test_prizes_must_be_fewer_than_entries() -> None:
    with pytest.raises(BadOption) as caught:
        winodds.estimate_sota(TEN, n=1000, prizes=10)
    assert (
        str(caught.value) == "prizes=10 is not possible; it is less than the number of entries, 10."
    )


def test_results_of_single_cases_decide_where_they_are_known() -> None:
    rng = np.random.default_rng(4)
    theta = np.array([0.95, 0.9, 0.8, 0.7])
    right = rng.random(500) < theta[:, None]
    names = ["a", "b", "c", "d"]
    scores = dict(zip(names, right.mean(axis=1), strict=True))
    polars = pytest.importorskip("polars")
    items = polars.DataFrame(
        {"team": names} | {f"q{k}": right[:, k].astype(int) for k in range(500)}
    )
    found = _places(scores, n=500, items=items, prizes=2)
    assert (found.items, found.under) == (True, ())
    others = items.with_columns(polars.Series("team", ["e", "f", "g", "h"]))
    assert not _places(scores, n=500, items=others, prizes=2).items


@pytest.mark.parametrize("seed", range(12))
def test_nobody_who_is_likely_the_best_is_denied_the_first_place(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.choice([60, 400, 5000]))
    theta = rng.uniform(0.7, 0.9, int(rng.integers(2, 40)))
    scores = {str(k): x for k, x in enumerate(rng.binomial(n, theta) / n)}
    if len(set(scores.values())) < 2:
        return
    found = winodds.estimate_sota(scores, n=n, prizes=1, sensitivity=False)
    assert found.places is not None
    assert found.p_best is not None
    first = found.places.prizes[0]
    named = [one for one in found.contenders if one.score >= first.lowest]
    out = [one for one in found.contenders if one.score < first.lowest]
    assert all(one.p_best * one.entries <= 0.05 for one in out)
    if first.decided:
        assert found.p_best >= 0.95
    if len(out) + len(named) < 5:
        assert sum(one.p_best * one.entries for one in named) >= 0.9


def test_places_are_plain_data_in_json() -> None:
    found = winodds.estimate_sota({"a": 0.9, "b": 0.7, "c": 0.6}, n=1000, zones=True, prizes=1)
    assert json.loads(json.dumps(found.to_dict()["places"])) == {
        "level": 0.95,
        "items": False,
        "correlation": found.correlation,
        "entries": 3,
        "prizes": [
            {"places": 1, "entries": 1, "lowest": 0.9, "names": ["a"], "decided": True},
        ],
        "zones": [
            {"first": 1, "last": 1, "high": 0.9, "low": 0.9},
            {"first": 2, "last": 2, "high": 0.7, "low": 0.7},
            {"first": 3, "last": 3, "high": 0.6, "low": 0.6},
        ],
        "ranges": [
            {"name": "a", "score": 0.9, "rank": 1, "best": 1, "worst": 1},
            {"name": "b", "score": 0.7, "rank": 2, "best": 2, "worst": 2},
            {"name": "c", "score": 0.6, "rank": 3, "best": 3, "worst": 3},
        ],
        "pairs": 3,
        "apart": 3,
        "under": [
            {"correlation": correlation, "first": 1, "all_prizes": 1}
            for correlation in (0.0, 0.3, 0.6, 0.77)
        ],
    }


def test_places_in_words() -> None:
    text = " ".join(str(winodds.estimate_sota(TEN, n=20_000, prizes=3)).split())
    assert (
        "The first place could belong to any of 4 entries, with scores of 0.9070 or more; ranks "
        "1–4 cannot be told apart. The first 3 places could belong to any of 7 entries, with "
        "scores of 0.9030 or more. In 95% of such contests no such claim is wrong. Who could have "
        "a prize need not be likely to deserve it."
    ) in text
    clear = {"a": 0.9, "b": 0.7, "c": 0.6}
    text = " ".join(str(winodds.estimate_sota(clear, n=1000, zones=True, prizes=2)).split())
    assert (
        "The first place is decided: 'a'. The first 2 places are decided: 'a', 'b'. Of 3 pairs of "
        "entries 3 (100%) are told apart."
    ) in text


# Error rates and power ----------------------------------------------------------------------------


def _draw(theta: Floats, n: int, correlation: float, rng: np.random.Generator) -> Floats:
    easy, hard = chances_given(theta, float(theta.max()), correlation)
    cases = rng.binomial(n, theta.max())
    return np.asarray((rng.binomial(cases, easy) + rng.binomial(n - cases, hard)) / n)


def _true_places(theta: Floats) -> Ints:
    """Places from 0; of equally good entries some have the better ones, whatever they scored."""
    order = np.lexsort((np.arange(theta.size), -theta))
    places = np.empty(theta.size, np.int64)
    places[order] = np.arange(theta.size)
    return places


def _wrong(pairs: Modelled | Counted, theta: Floats, places: Ints) -> tuple[bool, bool, float]:
    """Whether a claim about three prizes is wrong, one about any pair, and pairs told apart."""
    prizes = np.minimum(pairs.beaten(3, 0.95).by, 3)
    zones = pairs.beaten(theta.size, 0.95)
    best_after = np.append(np.maximum.accumulate(theta[::-1])[::-1], -np.inf)
    pairs_of_all = theta.size * (theta.size - 1) / 2
    return (
        bool((prizes > places).any()),
        bool((theta <= best_after[zones.first]).any()),
        float(zones.of.sum() / pairs_of_all),
    )


DESIGNS = {
    "equal, m = 100, n = 50": (100, 0.9, 0.9, 50, 0.6, 0.0),
    "equal, m = 100, n = 500": (100, 0.9, 0.9, 500, 0.6, 0.0),
    "equal, m = 100, n = 5,000": (100, 0.9, 0.9, 5000, 0.0, 0.0),
    "equal, m = 5, n = 100": (5, 0.9, 0.9, 100, 0.6, 0.0),
    "nearly equal, m = 100": (100, 0.899, 0.9, 1000, 0.6, 0.0),
    "spread, m = 100": (100, 0.85, 0.9, 1000, 0.6, 0.02),
    "wide, m = 100": (100, 0.6, 0.9, 1000, 0.3, 0.5),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", DESIGNS)
def test_claims_about_accuracies_are_seldom_wrong(name: str) -> None:
    players, low, high, n, correlation, power = DESIGNS[name]
    rng, samples = np.random.default_rng(7), 400
    tally = np.zeros(3)
    for _ in range(samples):
        theta = rng.uniform(low, high, players)
        scores, places = _draw(theta, n, correlation, rng), _true_places(theta)
        order = np.argsort(-scores, kind="stable")
        noise = Accuracy(n, correlation, float(scores.max()))
        tally += _wrong(Modelled(scores[order], noise, n), theta[order], places[order])
    prizes, zones, apart = tally / samples
    print(f"{name:28} prizes {prizes:.3f}  pairs {zones:.3f}  told apart {apart:.3f}")
    bar = 0.05 + 2.0 * np.sqrt(0.05 * 0.95 / samples)
    assert max(prizes, zones) <= bar
    assert apart >= power


def _crowd_and_leader(_: np.random.Generator) -> Floats:
    return np.append(np.full(99, 0.89), 0.95)


def _forks(rng: np.random.Generator) -> Floats:
    """Ten copies each, exactly as good, of ten sources."""
    return np.repeat(rng.uniform(0.88, 0.9, 10), 10)


def _three_ahead(rng: np.random.Generator) -> Floats:
    return np.append(rng.uniform(0.87, 0.89, 97), [0.92, 0.92, 0.92])


SHAPES: dict[str, tuple[Callable[[np.random.Generator], Floats], int, int | None, float]] = {
    # performances, cases, decimals that are printed, share of contests with a decided first place
    "one ahead of 99 equal entries": (_crowd_and_leader, 1000, None, 0.6),
    "copies of ten": (_forks, 1000, None, 0.0),
    "three equal ones ahead": (_three_ahead, 1000, None, 0.0),
    "one ahead, two decimals, n = 5,000": (_crowd_and_leader, 5000, 2, 0.0),
    "equal, two decimals, n = 100,000": (lambda _: np.full(100, 0.9), 100_000, 2, 0.0),
    "equal, three decimals, n = 20,000": (lambda _: np.full(100, 0.9), 20_000, 3, 0.0),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", SHAPES)
def test_claims_are_seldom_wrong_whatever_the_shape(name: str) -> None:
    shape, n, decimals, decided = SHAPES[name]
    rng, samples, tally = np.random.default_rng(12), 400, np.zeros(4)
    for _ in range(samples):
        theta = shape(rng)
        scores, places = _draw(theta, n, 0.6, rng), _true_places(theta)
        unit = 0.0 if decimals is None else 10.0**-decimals
        scores = scores if decimals is None else np.floor(scores / unit + 1e-9) * unit
        order = np.argsort(-scores, kind="stable")
        pairs = Modelled(scores[order], Accuracy(n, 0.6, float(scores.max())), n, unit)
        first = (pairs.beaten(1, 0.95).by < 1).sum() == 1
        tally += (*_wrong(pairs, theta[order], places[order]), first)
    prizes, zones, apart, alone = tally / samples
    print(
        f"{name:36} prizes {prizes:.3f}  pairs {zones:.3f}  told apart {apart:.3f}  "
        f"first decided {alone:.2f}"
    )
    assert max(prizes, zones) <= 0.05 + 2.0 * np.sqrt(0.05 * 0.95 / samples)
    assert alone >= decided


@pytest.mark.slow
def test_families_that_share_more_luck_than_others_raise_errors_a_little() -> None:
    """Entries of one family agree in more cases; the mean correlation of all pairs is assumed."""
    rng, players, n, samples, tally = np.random.default_rng(13), 100, 1000, 400, np.zeros(3)
    family = np.repeat(np.arange(10), 10)
    se = np.sqrt(0.9 * 0.1 / n)
    for _ in range(samples):
        # Pairs have 0.7 within families and 0.3 between them, 0.336 on average.
        luck = np.sqrt(0.3) * rng.normal() + np.sqrt(0.4) * rng.normal(size=10)[family]
        scores = np.round((0.9 + se * (luck + np.sqrt(0.3) * rng.normal(size=players))) * n) / n
        order = np.argsort(-scores, kind="stable")
        noise = Accuracy(n, float(np.sqrt(0.336)), float(scores.max()))
        tally += _wrong(Modelled(scores[order], noise, n), np.full(players, 0.9), order)
    prizes, zones, _ = tally / samples
    print(f"{'families share more luck':36} prizes {prizes:.3f}  pairs {zones:.3f}")
    assert max(prizes, zones) <= 0.07


@pytest.mark.slow
@pytest.mark.parametrize(("positives", "auc"), [(50, 0.9), (200, 0.97)])
def test_claims_about_aucs_are_seldom_wrong(positives: int, auc: float) -> None:
    rng, samples, players, negatives, correlation = np.random.default_rng(8), 150, 30, 1000, 0.6
    noise = Auc.plan(positives, negatives, correlation, 0)
    theta, tally = np.full(players, auc), np.zeros(3)
    shift = np.sqrt(2.0) * stats.norm.ppf(auc)
    for _ in range(samples):
        scores = np.empty(players)
        common = rng.normal(size=positives + negatives)
        for k in range(players):
            case = correlation * common + np.sqrt(1.0 - correlation**2) * rng.normal(
                size=common.size
            )
            ranks = stats.rankdata(np.append(case[:positives] + shift, case[positives:]))
            above = ranks[:positives].sum() - positives * (positives + 1) / 2
            scores[k] = above / (positives * negatives)
        order = np.argsort(-scores, kind="stable")
        places = np.arange(players)[order]
        tally += _wrong(Modelled(scores[order], noise, None), theta, places)
    prizes, zones, _ = tally / samples
    print(f"AUC {auc}, {positives} positives: prizes {prizes:.3f}  pairs {zones:.3f}")
    assert max(prizes, zones) <= 0.05 + 2.0 * np.sqrt(0.05 * 0.95 / samples)


@pytest.mark.slow
def test_known_cases_tell_more_apart_where_entries_are_more_alike_than_assumed() -> None:
    rng, n, players, samples = np.random.default_rng(9), 1000, 30, 150
    found: dict[str, Floats] = {}
    for true in (0.6, 0.9):
        tally = np.zeros((2, 3))
        for _ in range(samples):
            theta = rng.uniform(0.87, 0.9, players)
            easy, hard = chances_given(theta, 0.9, true)
            chance = np.where(rng.random(n) < 0.9, easy[:, None], hard[:, None])
            right = rng.random((players, n)) < chance
            scores, places = right.mean(axis=1), _true_places(theta)
            order = np.argsort(-scores, kind="stable")
            noise = Accuracy(n, 0.6, float(scores.max()))
            modelled, counted = Modelled(scores[order], noise, n), Counted(right[order])
            tally[0] += _wrong(modelled, theta[order], places[order])
            tally[1] += _wrong(counted, theta[order], places[order])
        found[str(true)] = tally / samples
        print(f"correlation {true}, 0.6 assumed: model, cases\n{tally / samples}")
    assert max(one[:, :2].max() for one in found.values()) <= 0.05
    assert found["0.9"][1, 2] > 2.0 * found["0.9"][0, 2]


def test_normal_scores_are_compared_with_their_standard_error() -> None:
    pairs = Modelled(np.array([3.0, 0.0]), Normal(1.0, 0.6), None)
    away = pairs.away(np.array([3.0]), np.array([0.0]))
    assert away[0] == pytest.approx(3.0 / np.sqrt(2.0 * 0.64))


def test_scores_that_were_cut_off_may_be_nearer_than_they_look() -> None:
    # Half of the entries are printed a hundredth apart from the others, and are equally good.
    rng = np.random.default_rng(10)
    scores = rng.binomial(1_000_000, np.linspace(0.81, 0.9, 40)) / 1_000_000
    printed = np.floor(100.0 * scores + 1e-9) / 100.0
    assert printed_unit(printed, 1_000_000) == 0.01
    found = _places(printed, n=1_000_000, zones=True)
    exact = _places(scores, n=1_000_000, zones=True)
    assert found.apart is not None
    assert exact.apart is not None
    by_hand = sum(1 for a, b in combinations(printed.tolist(), 2) if abs(a - b) > 0.0101)
    assert found.apart == by_hand < exact.apart
