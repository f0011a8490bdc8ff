"""Which hyperparameters matter in a season: in each tournament and over all."""

from typing import Any

import numpy as np
import polars as pl
from tables import sentence, texts

from winodds import Season, rate, rate_each
from winodds.errors import NoHyperparameters, TooFewSettings


def table(tournaments: int = 4, settings: int = 60, rounds: int = 8) -> pl.DataFrame:
    """Data sets in which eta and kind matter, each on its own one by another amount."""
    draw = np.random.default_rng(2)
    eta, kind = draw.random(settings), draw.integers(3, size=settings)
    parts = []
    for number in range(tournaments):
        strength = (1.0 + 0.3 * number) * eta + 0.5 * kind
        scores = strength + 0.5 * draw.gumbel(size=(rounds, settings))
        parts.append(
            pl.DataFrame(
                {
                    "player": [f"p{k:03}" for k in range(settings)] * rounds,
                    "round": np.repeat(np.arange(rounds), settings),
                    "score": scores.ravel(),
                    "data": f"d{number}",
                    "eta": np.tile(eta, rounds),
                    "kind": [f"k{own}" for own in kind] * rounds,
                }
            )
        )
    return pl.concat(parts)


def season(data: pl.DataFrame | None = None, **options: Any) -> Season:
    asked = {"hyperparameters": ["eta", "kind"], "higher_is_better": True, **options}
    return rate_each(table() if data is None else data, tournament="data", **asked)


def test_settings_of_a_season_stand_in_its_order() -> None:
    data = table()
    found = season(data).matrix()
    first = data.filter((pl.col("round") == 0) & (pl.col("data") == "d0"))
    eta = dict(zip(first["player"], first["eta"], strict=True))
    kind = dict(zip(first["player"], first["kind"], strict=True))
    assert found.settings == {
        "eta": tuple(eta[player] for player in found.players),
        "kind": tuple(kind[player] for player in found.players),
    }
    assert season(data, hyperparameters=None).matrix().settings is None


def test_share_over_tournaments_is_the_mean_of_theirs() -> None:
    found = season().importance()[None]
    assert [one.tournament for one in found.tournaments] == ["d0", "d1", "d2", "d3"]
    assert found.overall.tournament is None
    for over_all in found.overall.hyperparameters:
        each = [
            one.share
            for own in found.tournaments
            for one in own.hyperparameters
            if one.hyperparameters == over_all.hyperparameters
        ]
        assert len(each) == 4
        np.testing.assert_allclose(over_all.share, np.mean(each), rtol=1e-9)
        assert over_all.low < over_all.share < over_all.high
    np.testing.assert_allclose(
        found.overall.noise, np.mean([own.noise for own in found.tournaments])
    )


def test_one_tournament_of_a_season_is_the_board_alone() -> None:
    data = table()
    found = season(data).importance()[None].tournaments[1]
    alone = rate(
        data.filter(pl.col("data") == "d1"),
        hyperparameters=["eta", "kind"],
        higher_is_better=True,
    ).importance()[None]
    shares = [
        {one.hyperparameters: [one.share, one.rank or 0] for one in own.hyperparameters}
        for own in (found, alone.overall)
    ]
    assert shares[0].keys() == shares[1].keys()
    for name, own in shares[0].items():
        np.testing.assert_allclose(own, shares[1][name], atol=1e-9)


def test_season_of_one_tournament_is_its_board() -> None:
    found = season(table(1)).importance()[None]
    assert found.tournaments == ()
    alone = season(table(1))["d0"].importance()[None]
    assert found.overall == alone.overall


def test_tournament_with_too_few_settings_is_left_out_by_name() -> None:
    data = table().filter((pl.col("data") != "d2") | (pl.col("player") < "p015"))
    found = season(data).importance()[None]
    assert [one.tournament for one in found.tournaments] == ["d0", "d1", "d3"]
    assert texts(found.notes) == (
        "'d2' is left out. Shares of 2 hyperparameters need at least 18 settings, and there are "
        "15. Add settings, or name fewer hyperparameters.",
    )
    same = season(table().filter(pl.col("data") != "d2")).importance()[None]
    for one, other in zip(found.overall.hyperparameters, same.overall.hyperparameters, strict=True):
        assert one.hyperparameters == other.hyperparameters
        np.testing.assert_allclose(one.share, other.share, rtol=1e-9)


def test_tournaments_may_lack_settings() -> None:
    data = table()
    number = pl.col("player").str.slice(1).cast(pl.Int64)
    gaps = data.filter((number + pl.col("data").str.slice(1).cast(pl.Int64)) % 5 > 0)
    found, whole = (season(each).importance()[None] for each in (gaps, data))
    assert [one.settings for one in found.tournaments] == [48] * 4
    assert found.overall.settings == 60
    for one, other in zip(
        found.overall.hyperparameters, whole.overall.hyperparameters, strict=True
    ):
        assert one.hyperparameters == other.hyperparameters
        assert abs(one.share - other.share) < 0.1


def test_pairs_of_some_tournaments_only_are_told() -> None:
    # 18 settings do for single hyperparameters, 30 for the pair.
    data = table().filter((pl.col("data") != "d0") | (pl.col("player") < "p025"))
    found = season(data).importance()[None]
    assert texts(found.notes) == (
        "Pairs of hyperparameters are not looked at in 1 of 4 tournaments: that needs 30 "
        "settings, and there are 25.",
    )
    assert [len(own.pairs) for own in found.tournaments] == [0, 1, 1, 1]
    assert found.overall.pairs[0].hyperparameters == ("eta", "kind")


def test_tournament_of_noise_alone_has_no_shares_and_counts_for_little() -> None:
    data = table(8, 90)
    noise = pl.Series(np.random.default_rng(5).normal(size=data.height))
    blurred = data.with_columns(
        score=pl.when(pl.col("data") == "d3").then(noise).otherwise(pl.col("score"))
    )
    found = season(blurred).importance()[None]
    assert [len(own.hyperparameters) for own in found.tournaments] == [2, 2, 2, 0, 2, 2, 2, 2]
    assert found.tournaments[3].noise > 0.7
    without = season(data.filter(pl.col("data") != "d3")).importance()[None]
    for one, other in zip(
        found.overall.hyperparameters, without.overall.hyperparameters, strict=True
    ):
        assert one.hyperparameters == other.hyperparameters
        assert abs(one.share - other.share) < 0.05


def test_season_that_was_read_back_says_the_same() -> None:
    made = season()
    again = Season.from_json(made.to_json())
    assert again.importance().to_dict() == made.importance().to_dict()


def test_refusals_are_those_of_boards() -> None:
    assert sentence(NoHyperparameters, season(hyperparameters=None).importance) == (
        "No hyperparameters of these players are known. Name their columns with hyperparameters=."
    )
    few = table().filter(pl.col("player") < "p012")
    assert sentence(TooFewSettings, season(few).importance) == (
        "Shares of 2 hyperparameters need at least 18 settings, and there are 12. Add settings, "
        "or name fewer hyperparameters."
    )
