"""How many rounds are enough, and whether that number means what it says."""

import json
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
import pytest
from conftest import long_table, make_results
from tables import grid, sentence

from winodds import Leaderboard, rate, rate_battles
from winodds.arrays import Floats
from winodds.board.evidence import Evidence
from winodds.board.subsets import Agreed, Subsets, find_enough, judge_of, look_at_subsets
from winodds.errors import BadOption, NoCommonScale
from winodds.fit.newton import fit
from winodds.inference.bootstrap import fill_urn, rate_draws
from winodds.inference.intervals import quantify
from winodds.inference.structure import find_structure
from winodds.inference.subsets import JUDGES, choose_sizes, count_judges
from winodds.matches.games import Games


def _rate(scores: Floats, **options: Any) -> Leaderboard:
    return rate(long_table(scores), higher_is_better=True, **options)


def _noise(rounds: int = 20, players: int = 8) -> Floats:
    return np.random.default_rng(5).normal(size=(rounds, players))


# The curve ----------------------------------------------------------------------------------------


def test_rounds_that_all_agree_are_enough_from_two_on() -> None:
    found = _rate(np.tile(np.linspace(2.0, -2.0, 5), (14, 1))).enough(draws=20)
    assert (found.enough, found.judges, found.judged_up_to, found.units) == (2, 7, 7, 14)
    for one in found.curve:
        assert (one.whole.same_order, one.whole.tau) == (1.0, 1.0)
        assert (one.told_alike is None) == (one.size > 7)
        assert (one.others is None) == (one.size > 7)


def test_of_noise_no_number_of_rounds_is_enough_though_subsets_agree_with_the_whole() -> None:
    """18 of 20 rounds have nearly the order of all; ten have nothing to do with ten others."""
    found = _rate(_noise()).enough()
    by_size = {one.size: one for one in found.curve}
    whole, others = by_size[18].whole, by_size[10].others
    assert others is not None
    assert whole.same_order is not None
    assert others.same_order is not None
    assert whole.same_order > 0.85
    assert 0.3 < others.same_order < 0.65
    assert found.enough is None


def test_means_lie_between_poor_and_good_subsets() -> None:
    for one in _rate(_noise()).enough(draws=50).curve:
        for own in (one.whole, one.others):
            if own is not None:
                assert own.low is not None
                assert own.high is not None
                assert own.same_order is not None
                assert own.low <= own.same_order <= own.high


def test_seven_rounds_are_too_few_to_judge_and_to_rate() -> None:
    found = _rate(_noise(rounds=JUDGES + 1)).enough(draws=10)
    assert (found.enough, found.judges, found.judged_up_to) == (None, None, None)
    assert [one.size for one in found.curve] == [2, 3, 4, 5, 6, 7]
    eight = _rate(_noise(rounds=JUDGES + 2)).enough(draws=10)
    assert (eight.judges, eight.judged_up_to) == (JUDGES, 2)


def test_matches_across_rounds_are_counted_anew() -> None:
    scores = _noise() + np.linspace(1.0, -1.0, 8)
    board, other = _rate(scores), _rate(scores, matches="across")
    assert board.enough(draws=10).matches == "within"
    for asked, own in (
        (board.enough(matches="across", draws=10), other.enough(draws=10)),
        (other.enough(matches="within", draws=10), board.enough(draws=10)),
    ):
        assert asked.matches == own.matches
        for one, two in zip(asked.curve, own.curve, strict=True):
            assert one.whole.correlation == pytest.approx(two.whole.correlation, abs=1e-6)
            assert one.told_alike == pytest.approx(two.told_alike, abs=1e-9)


@pytest.mark.parametrize("estimator", ["mle", "ridge"])
def test_other_estimators_have_their_curves(estimator: str) -> None:
    scores = _noise() + np.linspace(1.0, -1.0, 8)
    found = _rate(scores, estimator=estimator).enough(draws=10)
    usual = _rate(scores).enough(draws=10)
    assert found.curve[-1].whole.same_order == 1.0
    # Subsets of maximum-likelihood boards are bias-reduced.
    same = found.curve[3].whole.difference == pytest.approx(usual.curve[3].whole.difference)
    assert same == (estimator == "mle")


def test_pooled_boards_count_tournaments_and_battles_count_battles() -> None:
    table = pl.concat(
        [long_table(_noise(4) + k).with_columns(data=pl.lit(f"d{k}")) for k in range(9)]
    )
    pooled = rate(table, tournament="data", higher_is_better=True).enough(draws=10)
    assert (pooled.unit, pooled.units, pooled.curve[-1].size) == ("tournament", 9, 9)
    rng = np.random.default_rng(1)
    first, second = rng.integers(0, 4, (2, 300))
    won = pl.DataFrame({"a": first, "b": second}).cast(pl.String).filter(pl.col("a") != pl.col("b"))
    board = rate_battles(won, winner="a", loser="b")
    battles = board.enough(draws=10)
    assert (battles.unit, battles.units, battles.matches) == ("battle", len(won), "battles")
    assert battles.curve[-1].whole.same_order == 1.0
    assert sentence(BadOption, lambda: board.enough(matches="across")) == (
        'matches="across" is not possible; battles were arranged one by one, and have no rounds.'
    )


# The number ---------------------------------------------------------------------------------------


def _curve(*shares: float | None) -> list[Subsets]:
    own = Agreed(0.9, 0.8, 0.1, 0.9, 0.8, 1.0)
    return [Subsets(size, own, own, 10.0, share) for size, share in enumerate(shares, start=2)]


def test_enough_is_the_size_from_which_on_all_have_the_share() -> None:
    assert find_enough(_curve(0.9, 0.96, 0.97), 0.95) == 3
    assert find_enough(_curve(0.96, 0.94, 0.95, 0.97), 0.95) == 4
    assert find_enough(_curve(0.9, 0.96, 0.94), 0.95) is None
    assert find_enough(_curve(0.99, 0.99, None, None), 0.95) == 2
    assert find_enough(_curve(None, None), 0.95) is None
    # 0.95 that came out a little smaller.
    assert find_enough(_curve(0.95 - 1e-12), 0.95) == 2


def test_a_higher_share_needs_no_fewer_rounds() -> None:
    board = _rate(_noise() + np.linspace(1.5, -1.5, 8))
    curve = board.enough(draws=40).curve
    numbers = [find_enough(curve, share) for share in (0.8, 0.9, 0.95, 0.97)]
    assert board.enough(draws=40, share=0.9).enough == numbers[1]
    known = [number for number in numbers if number is not None]
    assert known == sorted(known)
    assert len(known) >= 3


# Calls --------------------------------------------------------------------------------------------


def test_seeds_reproduce_and_workers_change_nothing() -> None:
    board = _rate(_noise())
    found = board.enough(draws=20, seed=4)
    assert board.enough(draws=20, seed=4, n_jobs=2) == found
    assert board.enough(draws=20, seed=5).curve != found.curve


def test_the_order_of_rows_does_not_matter() -> None:
    table = long_table(_noise())
    found = rate(table, higher_is_better=True).enough(draws=10)
    shuffled = table.sample(fraction=1.0, shuffle=True, seed=1)
    again = rate(shuffled, higher_is_better=True).enough(draws=10)
    for one, two in zip(found.curve, again.curve, strict=True):
        assert one.whole.same_order == pytest.approx(two.whole.same_order, abs=1e-12)
        assert one.told_alike == pytest.approx(two.told_alike, abs=1e-12)


def test_progress_is_told_by_size() -> None:
    told: list[tuple[int, int]] = []
    _rate(_noise(rounds=5)).enough(draws=5, progress=lambda done, total: told.append((done, total)))
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_frame_and_json_hold_the_curve() -> None:
    found = _rate(_noise()).enough(draws=10)
    frame = found.frame()
    assert frame.columns == [
        "size",
        *(f"{side}_{name}" for side in ("whole", "others") for name in Agreed.__slots__),
        "told_apart",
        "told_alike",
    ]
    assert frame["size"].to_list() == list(range(2, 21))
    assert frame["others_tau"].is_null().sum() == 10
    data = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert data["schema"] == "winodds/enough/1"
    assert data["curve"][0]["whole"]["tau"] == found.curve[0].whole.tau
    assert (data["enough"], data["units"], data["judges"]) == (found.enough, 20, 10)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"draws": 0}, "draws=0 is not possible; it is a whole number, 1 or more."),
        (
            {"share": 1.0},
            "share=1.0 is not possible; it is a number between 0.5 and 1, ends excluded.",
        ),
        (
            {"matches": "all"},
            'matches="all" is not possible; it is one of "within", "across".',
        ),
    ],
)
def test_impossible_options(options: dict[str, Any], message: str) -> None:
    assert sentence(BadOption, lambda: _rate(_noise(5)).enough(**options)) == message


def test_players_who_never_met_share_no_curve() -> None:
    there, absent = ([1.0, 2.0, 3.0], [2.0, 1.0, 2.0]), [None] * 3
    scores: dict[str, list[Any]] = {"a": there[0], "b": there[1], "c": absent, "d": absent}
    turned = dict(zip(scores, reversed(scores.values()), strict=True))
    both: dict[str, list[float | None]] = {
        name: [*own, *turned[name]] for name, own in scores.items()
    }
    table = grid(both).drop_nulls()
    board = rate(table, higher_is_better=True, components="separate")
    with pytest.raises(NoCommonScale):
        board.enough()


# What the number means ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Design:
    """Scores around strengths; families share a part of a round's luck, and cells may be gaps."""

    name: str
    players: int
    rounds: int
    spread: float
    shared: float = 0.0
    missing: float = 0.0

    def draw(self, rng: np.random.Generator, strengths: Floats, rounds: int) -> Evidence:
        kin = np.arange(self.players) // 5
        luck = np.sqrt(self.shared) * rng.normal(size=(rounds, int(kin.max()) + 1))[:, kin]
        own = np.sqrt(1.0 - self.shared) * rng.normal(size=(rounds, self.players))
        scores = strengths + luck + own
        scores[rng.random(scores.shape) < self.missing] = np.nan
        games = Games("within", make_results(scores))
        wins = games.count()
        found = quantify(wins, fit(wins.wins, wins.design), find_structure(wins))
        return Evidence(games, "bias-reduced", 0.0, found.intervals)


DESIGNS = [
    Design("10 × 12", 10, 12, 1.0),
    Design("10 × 12 close", 10, 12, 0.4),
    Design("20 × 20", 20, 20, 1.0),
    Design("20 × 20 close", 20, 20, 0.4),
    Design("20 × 20 families", 20, 20, 0.7, shared=0.6),
    Design("20 × 20 gaps", 20, 20, 0.7, missing=0.3),
    Design("30 × 40", 30, 40, 0.5),
]

BOARDS, DRAWS, POOL = 40, 20, 200


def _see(judging: Evidence, others: Evidence, size: int, rng: np.random.Generator) -> Floats:
    """Pairs that half of some new rounds tell apart, and of how many other new ones have the order.

    The two share no round.
    """
    clusters, pool = judging.games.clusters, others.games.clusters
    chosen = np.argsort(rng.random((DRAWS, clusters)))[:, : count_judges(clusters)]
    judge = judge_of(judging)
    clear = np.array([judge(own, lambda _: np.zeros((1, 0))) for own in chosen])
    counts = np.argsort(np.argsort(rng.random((DRAWS, pool)))) < size
    urn, beta = fill_urn(others.games, others.wins), others.intervals.beta
    ratings = rate_draws(urn, counts.astype(np.float64), beta, 0.0)
    ahead = np.sign(np.round(ratings[:, :, None] - ratings[:, None, :], 9))
    known = clear & ~np.isnan(ahead)
    return np.array([known.sum(), (0.5 * (1.0 + ahead[known])).sum()])


def _compare_shares(said: Floats, new: Floats) -> tuple[float, float, float]:
    """Two shares of pairs, of boards (n, 2) each, and the standard error of their difference.

    By leaving out one board at a time.
    """
    one, other = said.sum(axis=0), new.sum(axis=0)
    left = (one - said)[:, 1] / (one - said)[:, 0] - (other - new)[:, 1] / (other - new)[:, 0]
    error = np.sqrt((len(left) - 1) * left.var())
    return float(one[1] / one[0]), float(other[1] / other[0]), float(error)


@pytest.mark.slow
@pytest.mark.parametrize("design", DESIGNS, ids=[design.name for design in DESIGNS])
def test_that_many_new_rounds_have_the_order_of_what_others_tell_apart(design: Design) -> None:
    """What is said of a size, and the number itself, against new rounds of the same kind."""
    rng = np.random.default_rng(3)
    half = design.rounds // 2
    middle = next(size for size in choose_sizes(design.rounds) if 2 * size >= half)
    said, new = ({size: list[Floats]() for size in (2, middle, half)} for _ in range(2))
    at_enough, numbers, whole = list[Floats](), list[int](), list[float]()
    for k in range(BOARDS):
        strengths = design.spread * rng.normal(size=design.players)
        part, judging = (design.draw(rng, strengths, design.rounds) for _ in range(2))
        found = look_at_subsets(part, matches=None, unit="round", share=0.95, draws=DRAWS, seed=k)
        others = design.draw(rng, strengths, POOL)
        by_size = {one.size: one for one in found.curve}
        for size in said:
            pairs, share = by_size[size].told_apart or 0.0, by_size[size].told_alike or 0.0
            said[size].append(DRAWS * np.array([pairs, pairs * share]))
            new[size].append(_see(judging, others, size, rng))
        whole.append(by_size[half].whole.same_order or 0.0)
        if found.enough is not None:
            numbers.append(found.enough)
            at_enough.append(_see(judging, others, found.enough, rng))
    print(f"\n{design.name:18}", end="")
    for size in said:
        told, seen, error = _compare_shares(np.array(said[size]), np.array(new[size]))
        print(f" | {size:2} rounds: said {told:.3f}, new {seen:.3f} (±{error:.3f})", end="")
        assert abs(told - seen) <= 0.01 + 2.5 * error
    print(f" | all pairs, half against the whole: {np.mean(whole):.3f}", end="")
    print(f" | enough on {len(numbers)} of {BOARDS}", end="")
    if numbers:
        pairs, agreed = np.sum(at_enough, axis=0)
        print(f", median {np.median(numbers):.0f}: new {agreed / pairs:.3f}", end="")
        assert len(numbers) < BOARDS // 4 or agreed / pairs >= 0.94
