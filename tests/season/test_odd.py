"""Tournaments that reverse the order of the others."""

import numpy as np
import polars as pl
import pytest
from conftest import score_tables, shared_file
from hypothesis import given, settings, strategies as st
from scipy import stats
from simulated import bar
from tables import grid, sentence

from winodds import Season, rate_battles, rate_each
from winodds.arrays import Floats, Ints
from winodds.demo import load_results
from winodds.errors import NoEvidence, TooFewTournaments
from winodds.inference.moderation import fit_variances
from winodds.season.odd import Ranked, find_reversed, rank_rounds, relative_ranks
from winodds.show.formats.json import render_json

ROUNDS = np.array([[1.0, 2.0, 3.0, 4.0], [1.0, 3.0, 2.0, 4.0], [2.0, 1.0, 3.0, 4.0]])


def ranked(*tables: Floats, cluster: Ints | None = None) -> list[Ranked]:
    """Tournaments in which all players take part."""
    return [
        rank_rounds(
            table,
            np.arange(table.shape[1]),
            np.arange(table.shape[0]) if cluster is None else cluster,
        )
        for table in tables
    ]


def drawn(seed: int, *, players: int = 8, tournaments: int = 5, rounds: int = 6) -> list[Floats]:
    """Scores of players of the same strengths everywhere, some of them missing."""
    rng = np.random.default_rng(seed)
    strength = rng.normal(size=players)
    tables = [strength + rng.normal(size=(rounds, players)) for _ in range(tournaments)]
    for table in tables:
        table[rng.random(table.shape) < 0.15] = np.nan
        table[:, rng.random(players) < 0.2] = np.nan
    return tables


# Ranks --------------------------------------------------------------------------------------------


@given(score_tables(missing=True))
def test_ranks_are_those_of_scipy_by_row(scores: Floats) -> None:
    found = relative_ranks(scores)
    for own, row in zip(found, scores, strict=True):
        there = ~np.isnan(row)
        wanted = (stats.rankdata(row[there]) - 0.5) / max(there.sum(), 1)
        np.testing.assert_allclose(own[there], wanted, rtol=1e-12)
        assert np.isnan(own[~there]).all()


def test_failed_runs_share_the_last_rank() -> None:
    found = relative_ranks(np.array([[-np.inf, 2.0, -np.inf, 5.0]]))
    assert found.tolist() == [[0.25, 0.625, 0.25, 0.875]]


# The test -----------------------------------------------------------------------------------------


def test_two_tournaments_worked_by_hand() -> None:
    """Two tournaments cannot borrow from others, only from chance."""
    found = find_reversed(ranked(ROUNDS, -ROUNDS), 4)
    # Mean ranks are (4, 6, 8, 12)/12 − 1/8.
    own = np.array([-np.corrcoef(row, [4.0, 6.0, 8.0, 12.0])[0, 1] for row in ROUNDS])
    variance = (2.0 * own.var(ddof=1) + 1.0 / 3.0) / 3.0
    error = np.sqrt(variance / 3.0)
    assert found.correlation == pytest.approx([own.mean()] * 2)
    assert found.p == pytest.approx([stats.t.cdf(own.mean() / error, 3.0)] * 2)
    assert found.high == pytest.approx([own.mean() + stats.t.ppf(0.975, 3.0) * error] * 2)
    assert found.low == pytest.approx([-1.0] * 2)
    assert found.adjusted == pytest.approx(2.0 * found.p)
    assert (found.units.tolist(), found.players.tolist()) == ([3, 3], [4, 4])


def slow_twin(tables: list[Floats]) -> list[tuple[float, float, float, int]]:
    """Mean, variance and variance by chance of correlations, and how many there are, by loops."""
    everyone = range(tables[0].shape[1])
    ranked_tables, means = [], []
    for table in tables:
        ranks = np.full(table.shape, np.nan)
        for row, own in zip(ranks, table, strict=True):
            there = ~np.isnan(own)
            row[there] = (stats.rankdata(own[there]) - 0.5) / there.sum()
        ranked_tables.append(ranks)
        means.append([[x for x in ranks[:, player] if x == x] for player in everyone])
    found = []
    for number, ranks in enumerate(ranked_tables):
        others = [
            [np.mean(own[player]) for k, own in enumerate(means) if k != number and own[player]]
            for player in everyone
        ]
        by_round, chance = [], []
        for row in ranks:
            there = [player for player in everyone if row[player] == row[player] and others[player]]
            if len(there) >= 3:
                theirs = [float(np.mean(others[player])) for player in there]
                by_round.append(float(np.corrcoef(row[there], theirs)[0, 1]))
                chance.append(1.0 / (len(there) - 1))
        variance = float(np.var(by_round, ddof=1))
        found.append((float(np.mean(by_round)), variance, float(np.mean(chance)), len(by_round)))
    return found


@pytest.mark.parametrize("seed", range(5))
def test_the_slow_twin_agrees_with_gaps(seed: int) -> None:
    tables = drawn(seed)
    found = find_reversed(ranked(*tables), 8)
    mean, variance, chance, units = np.array(slow_twin(tables)).T
    np.testing.assert_allclose(found.correlation, mean, atol=1e-12)
    assert found.units.tolist() == units.tolist()
    # With the one of chance, there are as many degrees of freedom as rounds.
    mixed = ((units - 1.0) * variance + chance) / units
    borrowed = []
    for unit in (chance, chance * np.maximum(1.0 - mean**2, 0.05) ** 2):
        prior, prior_df = fit_variances(mixed / unit, units)
        own = (prior_df * prior * unit + units * mixed) / (prior_df + units)
        borrowed.append((own, np.minimum(prior_df + units, units.sum() - units.mean())))
    for k in range(5):
        own, df = max((own[k], df[k]) for own, df in borrowed)
        p = stats.t.cdf(mean[k] / np.sqrt(own / units[k]), df)
        assert found.p[k] == pytest.approx(max(p, slow_twin_of_others(tables, k)))


def slow_twin_of_others(tables: list[Floats], asked: int) -> float:
    """The p-value of a tournament by the rounds of the others, by loops."""
    ranks = relative_ranks(tables[asked])
    order = [np.mean([x for x in column if x == x] or [np.nan]) for column in ranks.T]
    means, variances, weights = [], [], []
    for number, table in enumerate(tables):
        by_round, chance = [], []
        for row in relative_ranks(table):
            both = ~np.isnan(row) & ~np.isnan(order)
            if number != asked and both.sum() >= 3:
                by_round.append(float(np.corrcoef(row[both], np.array(order)[both])[0, 1]))
                chance.append(1.0 / (both.sum() - 1))
        if len(by_round) > 1:
            means.append(np.mean(by_round))
            own = (len(by_round) - 1.0) * np.var(by_round, ddof=1) + np.mean(chance)
            variances.append(own / len(by_round) ** 2)
            weights.append(len(by_round))
    total = np.sum(variances)
    df = total**2 / np.sum(np.array(variances) ** 2 / weights)
    return float(stats.t.cdf(np.sum(means) / np.sqrt(total), df))


@pytest.mark.parametrize(("tournaments", "players"), [(2, 3), (2, 8), (3, 5), (6, 5)])
def test_nobody_reverses_an_order_that_the_others_do_not_have(
    tournaments: int, players: int
) -> None:
    """Only the first has an order; its rounds alone would speak of a reversal in 20 to 40%."""
    rng, samples, claims = np.random.default_rng(2), 200, 0
    for _ in range(samples):
        scores = rng.gumbel(size=(tournaments, 10, players))
        scores[0] += 3.0 * rng.normal(size=players)
        claims += bool(find_reversed(ranked(*scores), players).reversed.any())
    assert claims / samples <= bar(0.05, samples)


@pytest.mark.parametrize("seed", range(5))
def test_two_tournaments_reverse_each_other_or_neither_does(seed: int) -> None:
    rng = np.random.default_rng(seed)
    order = rng.normal(size=4)
    found = find_reversed(
        ranked(order + rng.normal(size=(5, 4)), 3.0 * rng.normal(size=(9, 4)) - order), 4
    )
    assert found.p[0] == pytest.approx(found.p[1])
    assert found.reversed[0] == found.reversed[1]


def test_clusters_larger_than_rounds_are_the_units() -> None:
    """Every round twice, in a cluster with its copy, tells no more than once."""
    tables = [np.nan_to_num(table) for table in drawn(3)]
    once = find_reversed(ranked(*tables), 8)
    twice = [np.repeat(table, 2, axis=0) for table in tables]
    found = find_reversed(ranked(*twice, cluster=np.repeat(np.arange(6), 2)), 8)
    np.testing.assert_allclose(found.p, once.p, atol=1e-12)
    assert found.units.tolist() == [6] * 5
    alone = find_reversed(ranked(*twice), 8)
    assert (alone.high - alone.low < found.high - found.low).all()


def test_few_players_who_agree_by_chance_do_not_convince() -> None:
    """Both rounds of three players are the same everywhere, which t alone takes for certain."""
    up = np.tile([1.0, 2.0, 3.0], (2, 1))
    found = find_reversed(ranked(up, up, up, -up), 3)
    assert found.correlation[3] == pytest.approx(-1.0)
    # Half of a variance of ½ is chance. The mean logarithm of χ²(2)/2 is −γ, so what four equal
    # variances have in common is larger than they are.
    variance = 0.25 * np.exp(np.euler_gamma)
    assert found.p[3] == pytest.approx(stats.t.cdf(-np.sqrt(2.0 / variance), 6.0), rel=1e-3)
    assert not found.reversed.any()


@settings(max_examples=10)
@given(seed=st.integers(0, 50))
def test_order_of_tournaments_players_and_rounds_and_monotone_scores_do_not_matter(
    seed: int,
) -> None:
    tables = drawn(seed)
    found = find_reversed(ranked(*tables), 8)
    rng = np.random.default_rng(seed)
    order, players, rounds = rng.permutation(5), rng.permutation(8), rng.permutation(6)
    mixed = [np.exp(tables[k][np.ix_(rounds, players)]) for k in order]
    again = find_reversed(ranked(*mixed), 8)
    np.testing.assert_allclose(again.correlation, found.correlation[order], atol=1e-12)
    np.testing.assert_allclose(again.adjusted, found.adjusted[order], atol=1e-12)


# What cannot be asked -----------------------------------------------------------------------------


def named(tables: dict[str, dict[str, list[float]]], *, family: str | None = None) -> Season:
    long = pl.concat([grid(own).with_columns(data=pl.lit(name)) for name, own in tables.items()])
    long = long.with_columns(kind=pl.col("player").str.slice(0, 1))
    return rate_each(long, tournament="data", higher_is_better=True, family=family)


def test_what_cannot_be_asked_is_said() -> None:
    season = named(
        {
            "x": {"a": [1.0, 2.0, 4.0], "b": [2.0, 1.0, 3.0], "c": [3.0, 3.0, 1.0]},
            "y": {"a": [1.0, 1.0, 2.0], "b": [2.0, 2.0, 1.0], "c": [3.0, 3.0, 3.0]},
            "z": {"a": [1.0, 2.0, 3.0], "d": [3.0, 1.0, 2.0], "e": [2.0, 3.0, 1.0]},
        }
    )
    found = season.odd()
    [question] = found.questions
    assert {answer.tournament for answer in question.answers} == {"x", "y"}
    [refused] = question.not_asked
    assert (refused.tournament, refused.why, refused.players) == ("z", "few players", 1)
    assert found.to_dict()["questions"][0]["not_asked"] == [
        {"tournament": "z", "why": "few players", "rounds": 0, "players": 1}
    ]


def test_battles_have_no_rounds_to_ask() -> None:
    table = pl.DataFrame({"winner": list("aabcabcb"), "loser": list("bcabbcac")})
    fought = rate_battles(table, winner="winner", loser="loser")
    scored = named({"x": {"a": [1.0, 2.0], "b": [2.0, 1.0], "c": [3.0, 3.0]}})["x"]
    [question] = Season({"battles": fought, "scores": scored}).odd().questions
    assert [(one.tournament, one.why) for one in question.not_asked] == [
        ("battles", "few rounds"),
        ("scores", "few players"),
    ]


def test_others_without_any_order_say_nothing() -> None:
    up = np.array([[1.0, 2.0, 3.0], [1.0, 3.0, 2.0]])
    tied = np.ones((2, 3))
    found = find_reversed(ranked(up, tied), 3)
    assert np.isnan(found.p[0])
    assert found.correlation[1] == 0.0


def test_one_tournament_is_refused() -> None:
    season = named({"x": {"a": [1.0, 2.0], "b": [2.0, 1.0]}})
    assert sentence(TooFewTournaments, season.odd) == (
        "Asking whether a tournament reverses the order of the others needs at least 2 "
        "tournaments; there is 1."
    )


def test_boards_that_were_cut_cannot_be_asked() -> None:
    season = named({name: {"a": [1.0, 2.0], "b": [2.0, 1.0]} for name in "xy"})
    cut = Season.from_json(render_json(season, top=1))
    with pytest.raises(NoEvidence):
        cut.odd()


# Families -----------------------------------------------------------------------------------------


def test_a_family_that_is_reversed_is_found_where_all_players_are_not() -> None:
    own = (pl.col("dataset") == "digits") & (pl.col("family") == "gradient_boosting")
    table = load_results().filter(pl.col("dataset") != "heart")
    season = rate_each(
        table.with_columns(auc=pl.when(own).then(1 - pl.col("auc")).otherwise(pl.col("auc"))),
        player="model",
        round="split",
        score="auc",
        tournament="dataset",
        family="family",
    )
    found = season.odd()
    [(family, answer)] = found.reversed
    assert (family, answer.tournament, answer.players) == ("gradient_boosting", "digits", 5)
    assert answer.p_season == pytest.approx(5.0 * answer.p_adjusted)
    assert [question.family for question in found.questions] == [
        None,
        "gradient_boosting",
        "knn",
        "logistic_regression",
        "random_forest",
    ]
    plain = found.to_dict()["reversed"]
    assert [(one["family"], one["tournament"]) for one in plain] == [
        ("gradient_boosting", "digits")
    ]


def test_small_families_are_named_and_one_for_all_is_asked_once() -> None:
    scores = {"a1": [1.0, 2.0], "a2": [2.0, 1.0], "a3": [3.0, 3.0]}
    alone = named({"x": scores, "y": scores}, family="kind").odd()
    assert [question.family for question in alone.questions] == [None]
    more = scores | {"b1": [0.0, 4.0]}
    found = named({"x": more, "y": more}, family="kind").odd()
    assert [question.family for question in found.questions] == [None, "a"]
    assert found.not_asked == ("b",)


def test_published_runs_scored_the_wrong_way_round_are_found() -> None:
    """Of AMLB, multiclass results are log losses; taken as scores, only these may be reversed."""
    runs = pl.read_csv(shared_file("data/amlb_2019_1h.csv"), infer_schema_length=None)

    def rated(score: str) -> Season:
        return rate_each(
            runs,
            player="framework",
            round="fold",
            score=score,
            tournament="task",
            higher_is_better=True,
        )

    right = rated("score").odd()
    assert right.reversed == ()
    lowest = right.questions[0].answers[0]
    assert (lowest.tournament, round(lowest.correlation, 2)) == ("robert", 0.35)
    wrong = rated("result").odd()
    multiclass = set(runs.filter(pl.col("type") == "multiclass")["task"])
    named_ones = {answer.tournament for _, answer in wrong.reversed}
    assert len(named_ones) >= 10
    assert named_ones <= multiclass
