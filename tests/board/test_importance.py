"""Which hyperparameters of a board matter, by name."""

import json
from collections.abc import Sequence
from typing import Any

import jsonschema
import numpy as np
import polars as pl
import pytest
from tables import facts, sentence, texts

from winodds import Leaderboard, leaderboard_schema, rate
from winodds.arrays import Floats
from winodds.board.importance import Importance, Share
from winodds.errors import (
    Confounded,
    NoHyperparameters,
    NothingVaries,
    OnlyNoise,
    TooFewSettings,
    UnknownFamily,
)
from winodds.show.formats.json import render_json

NAMES = ["eta", "depth", "booster", "seed"]


def table(
    settings: int = 90,
    rounds: int = 12,
    *,
    noise: float = 0.5,
    families: Sequence[str] = ("xgb",),
    rng: int = 1,
) -> pl.DataFrame:
    """Settings of which eta matters most, the booster next, and the others not."""
    draw = np.random.default_rng(rng)
    eta, depth = draw.random(settings), draw.integers(1, 9, settings)
    booster = draw.integers(2, size=settings)
    strength = 2.0 * eta + 0.6 * booster
    scores = strength + noise * draw.gumbel(size=(rounds, settings))
    return pl.DataFrame(
        {
            "player": [f"p{k:03}" for k in range(settings)] * rounds,
            "round": np.repeat(np.arange(rounds), settings),
            "score": scores.ravel(),
            "family": [families[k % len(families)] for k in range(settings)] * rounds,
            "eta": np.tile(eta, rounds),
            "depth": np.tile(depth, rounds),
            "booster": ["tree" if own else "linear" for own in booster] * rounds,
            "seed": [7] * settings * rounds,
        }
    )


def board(data: pl.DataFrame | None = None, **options: Any) -> Leaderboard:
    asked = {"hyperparameters": NAMES, "higher_is_better": True, **options}
    return rate(table() if data is None else data, **asked)


def numbers(found: Importance, family: str | None = None) -> Floats:
    """All numbers of a family, the hyperparameters in the order of their names."""
    overall = found[family].overall
    ordered = sorted(overall.hyperparameters, key=lambda one: one.hyperparameters)
    pairs = sorted(overall.pairs, key=lambda one: sorted(one.hyperparameters))
    rows = [
        [one.share, one.low, one.high, one.rank or 0, one.last or 0] for one in (*ordered, *pairs)
    ]
    return np.array([*np.ravel(rows), overall.rest, overall.noise])


def test_hyperparameters_come_with_the_largest_share_first() -> None:
    found = board().importance()
    assert [one.family for one in found] == [None]
    assert found.level == 0.95
    own = found[None]
    assert [one.hyperparameters for one in own.overall.hyperparameters] == [
        ("eta",),
        ("booster",),
        ("depth",),
    ]
    # 4/12 against 0.36/4: the variances of what they do.
    shares = {one.hyperparameters[0]: one for one in own.overall.hyperparameters}
    assert shares["eta"].low < 0.787 < shares["eta"].high
    assert shares["booster"].low < 0.213 < shares["booster"].high
    assert shares["depth"].low == 0.0
    assert [(one.rank, one.last) for one in own.overall.hyperparameters] == [(1, 1), (2, 2), (3, 3)]
    assert (own.overall.tournament, own.overall.settings, own.tournaments) == (None, 90, ())
    assert own.constant == ("seed",)
    assert 0.0 < own.overall.noise < 0.2


def test_pairs_have_two_names_and_no_rank() -> None:
    pairs = board().importance()[None].overall.pairs
    assert {one.hyperparameters for one in pairs} == {
        ("eta", "depth"),
        ("eta", "booster"),
        ("depth", "booster"),
    }
    assert [one.share for one in pairs] == sorted((one.share for one in pairs), reverse=True)
    assert {(one.rank, one.last, one.total) for one in pairs} == {(None, None, None)}


def test_total_adds_what_pairs_do() -> None:
    data = table()
    both = pl.col("eta").sub(0.5) * pl.col("booster").eq("tree").cast(pl.Float64).sub(0.5)
    crossed = data.with_columns(score=20.0 * both + pl.col("score") - 2.0 * pl.col("eta"))
    overall = board(crossed).importance()[None].overall
    assert overall.pairs[0].hyperparameters == ("eta", "booster")
    assert overall.pairs[0].low > 0.5
    for one in overall.hyperparameters:
        assert one.total is not None
        joined = one.hyperparameters[0] in ("eta", "booster")
        assert one.total >= one.share
        assert (one.total > 0.5) == joined


def test_families_are_looked_at_one_by_one() -> None:
    data = table(180, families=("gbm", "xgb"))
    found = board(data, family="family").importance()
    assert [one.family for one in found] == ["gbm", "xgb"]
    assert [one.overall.settings for one in found] == [90, 90]
    alone = board(data, family="family").importance("xgb")
    assert alone.families == (found["xgb"],)
    with pytest.raises(KeyError):
        _ = found["knn"]


def test_family_of_which_nothing_can_be_told_is_named_with_the_reason() -> None:
    data = table(100, families=("xgb",) * 9 + ("knn",))
    asked = board(data, family="family")
    found = asked.importance()
    assert [one.family for one in found] == ["xgb"]
    reason = (
        "Shares of 3 hyperparameters of 'knn' need at least 27 settings, and there are 10. Add "
        "settings, or name fewer hyperparameters."
    )
    assert found.refused == {"knn": reason}
    assert sentence(TooFewSettings, lambda: asked.importance("knn")) == reason
    assert sentence(UnknownFamily, lambda: asked.importance("xgbb")) == (
        "No family 'xgbb' here. Did you mean 'xgb'?"
    )
    assert sentence(UnknownFamily, lambda: board().importance("xgb")) == (
        "No family 'xgb' here: the players have no families; name their column with family=."
    )


def test_hyperparameters_of_another_family_play_no_part() -> None:
    data = table(120, families=("xgb", "knn")).with_columns(
        pl.when(pl.col("family") == "xgb").then(pl.col("eta")).alias("eta"),
        k=pl.when(pl.col("family") == "knn").then(pl.col("depth")),
    )
    found = board(data, family="family", hyperparameters=["eta", "k"]).importance()
    named = {
        own.family: [one.hyperparameters for one in own.overall.hyperparameters] for own in found
    }
    assert named == {"knn": [("k",)], "xgb": [("eta",)]}


# Refusals and notes -------------------------------------------------------------------------------


def test_board_without_hyperparameters_says_how_to_name_them() -> None:
    plain = rate(table(), higher_is_better=True)
    assert sentence(NoHyperparameters, plain.importance) == (
        "No hyperparameters of these players are known. Name their columns with hyperparameters=."
    )


def test_hyperparameters_that_never_differ_have_no_share() -> None:
    assert sentence(NothingVaries, board(hyperparameters="seed").importance) == (
        "No hyperparameter ('seed') differs between the 90 settings, so none can make a difference."
    )


def test_name_of_a_setting_is_no_hyperparameter() -> None:
    data = table(40).with_columns(id=pl.col("player"))
    assert sentence(TooFewSettings, board(data, hyperparameters=["id", "eta"]).importance) == (
        "Shares of 2 hyperparameters need at least 129 settings, and there are 40. Add settings, "
        "or name fewer hyperparameters; 'id' alone has 40 categories."
    )


def test_hyperparameters_that_follow_from_each_other_are_refused_by_name() -> None:
    data = table().with_columns(rate=pl.col("eta").log())
    assert sentence(
        Confounded, board(data, hyperparameters=["rate", "depth", "eta"]).importance
    ) == (
        "In the settings, the hyperparameters 'rate', 'eta' follow from each other, so nobody can "
        "tell which of them matters. Leave one of them out, or name the hyperparameter that "
        "decides which of them are set."
    )


def test_ratings_that_are_noise_are_refused() -> None:
    data = table(60, 6).with_columns(score=pl.Series(np.random.default_rng(3).normal(size=360)))
    message = sentence(OnlyNoise, board(data).importance)
    assert message.startswith(
        "The ratings of the 60 settings differ by hardly more than their errors ("
    )
    assert message.endswith(
        " noise), so there is nothing that hyperparameters could explain. Add rounds."
    )


def test_ratings_that_are_noise_for_the_most_part_are_doubted() -> None:
    found = board(table(rounds=5, noise=1.4)).importance()[None]
    assert 0.5 < found.overall.noise < 0.9
    assert found.overall.pairs == ()
    assert texts(found.notes) == (
        f"{found.overall.noise:.0%} of the variance of the ratings is noise. So the shares of "
        f"hyperparameters are rough, and pairs of them are not looked at.",
    )
    assert found.notes[0].kind == "doubt"


def test_pairs_are_looked_at_as_settings_allow() -> None:
    together, alone, none = (board(table(n)).importance()[None] for n in (60, 50, 38))
    assert together.notes == ()
    assert texts(alone.notes)[:1] == (
        "Pairs of hyperparameters are looked at one by one: all together need 51 settings, and "
        "there are 50.",
    )
    assert len(alone.overall.pairs) == 3
    assert texts(none.notes)[:1] == (
        "Pairs of hyperparameters are not looked at: that needs 39 settings, and there are 38.",
    )
    assert none.overall.pairs == ()


def test_hyperparameter_that_is_not_always_set_is_told() -> None:
    data = table().with_columns(
        rate_drop=pl.when(pl.col("booster") == "tree").then(pl.col("depth")),
        gamma=pl.when(pl.col("depth") > 4).then(pl.col("eta").sin()),
    )
    trees = data.filter(pl.col("round") == 0)["rate_drop"].is_not_null().sum()
    found = board(data, hyperparameters=["booster", "rate_drop"]).importance()[None]
    assert texts(found.notes) == (
        f"'rate_drop' is set in {trees} of 90 settings; whether it is set follows from others, and "
        f"counts for these.",
    )
    deep = data.filter(pl.col("round") == 0)["gamma"].is_not_null().sum()
    found = board(data, hyperparameters=["booster", "gamma"]).importance()[None]
    assert texts(found.notes) == (
        f"'gamma' is set in {deep} of 90 settings; whether it is set counts for it.",
    )


def test_hyperparameters_that_were_varied_together_are_doubted() -> None:
    data = table(200).with_columns(rate=pl.col("eta") + 0.05 * pl.col("depth"))
    found = board(data, hyperparameters=["eta", "rate"]).importance()[None]
    assert [note.name for note in found.notes] == ["varied_together"]
    assert str(found.notes[0]).startswith(
        "The hyperparameters were not varied independently of each other: "
    )


def test_shares_of_more_than_there_is_are_explained() -> None:
    """Both matter, and by the luck of 40 settings the one is often high where the other is low."""
    rng = np.random.default_rng(13)
    eta = rng.random(40)
    kind = np.where(rng.random(40) < 0.5, "a", "b")
    scores = 4.0 * eta + 2.0 * (kind == "a") + rng.gumbel(size=(12, 40))
    data = pl.DataFrame(
        [
            {"player": f"s{k}", "round": r, "score": scores[r, k], "eta": eta[k], "kind": kind[k]}
            for r in range(12)
            for k in range(40)
        ]
    )
    found = rate(data, hyperparameters=["eta", "kind"], higher_is_better=True).importance()[None]
    assert sum(one.share for one in found.overall.hyperparameters) > 1.2
    [doubt] = [note for note in found.notes if note.name == "varied_together"]
    assert str(doubt).endswith("of the variance is counted twice.")


# Laws ---------------------------------------------------------------------------------------------


def test_names_and_the_order_of_rows_change_nothing() -> None:
    data = table()
    renamed = data.with_columns(
        player="q" + (999 - pl.col("player").str.slice(1).cast(pl.Int64)).cast(pl.String),
        booster=pl.col("booster").replace({"tree": "a", "linear": "z"}),
    ).sample(fraction=1.0, shuffle=True, seed=1)
    one, two = (board(each).importance() for each in (data, renamed))
    np.testing.assert_allclose(numbers(one), numbers(two), atol=1e-9)


def test_monotone_transformation_of_a_number_changes_nothing() -> None:
    data = table()
    bent = data.with_columns(eta=pl.col("eta").exp(), depth=-(pl.col("depth") ** 3))
    one, two = (board(each).importance() for each in (data, bent))
    np.testing.assert_allclose(numbers(one), numbers(two), atol=1e-9)


def test_number_given_as_text_is_a_category() -> None:
    data = table(200).with_columns(
        score=pl.col("score") + (pl.col("depth") % 2).cast(pl.Float64),
        kind="k" + pl.col("depth").cast(pl.String),
    )
    share = [
        board(data, hyperparameters=[name, "eta"]).importance()[None].overall.hyperparameters
        for name in ("depth", "kind")
    ]
    as_number, as_kind = (
        next(one.share for one in own if one.hyperparameters != ("eta",)) for own in share
    )
    # Odd depths are better: a polynomial hardly sees it.
    assert as_number < 0.15
    assert as_kind > 0.3


def test_intervals_that_the_board_shows_do_not_matter() -> None:
    one, two = (board(interval=kind).importance() for kind in ("robust", "model"))
    np.testing.assert_allclose(numbers(one), numbers(two), atol=1e-9)


def test_level_is_that_of_the_board() -> None:
    wide, narrow = (board(level=level).importance() for level in (0.99, 0.8))
    for one, two in zip(
        wide[None].overall.hyperparameters, narrow[None].overall.hyperparameters, strict=True
    ):
        assert one.share == two.share
        assert one.low <= two.low <= two.high <= one.high
        assert one.high - one.low > two.high - two.low


# JSON ---------------------------------------------------------------------------------------------


def test_board_that_was_read_back_says_the_same() -> None:
    made = board(table(120, families=("gbm", "xgb")), family="family")
    again = Leaderboard.from_json(made.to_json())
    assert again.settings == made.settings
    assert again.to_json() == made.to_json()
    np.testing.assert_allclose(
        numbers(again.importance(), "gbm"), numbers(made.importance(), "gbm")
    )
    assert facts(again) == facts(made)


def test_board_that_was_written_before_there_were_hyperparameters_is_read() -> None:
    data = board().to_dict()
    del data["settings"]
    assert Leaderboard.from_json(json.dumps(data)).settings is None


def test_settings_stand_in_the_order_of_the_players() -> None:
    data = table()
    found = board(data)
    assert found.settings is not None
    first = data.filter(pl.col("round") == 0)
    eta = dict(zip(first["player"], first["eta"], strict=True))
    assert found.settings["eta"] == tuple(eta[player] for player in found.players)
    assert found.settings["seed"] == (7.0,) * 90


def test_board_that_is_cut_keeps_the_settings_of_its_players() -> None:
    made = board()
    cut = Leaderboard.from_json(render_json(made, top=3))
    assert made.settings is not None
    assert cut.settings == {name: own[:3] for name, own in made.settings.items()}


def test_settings_follow_the_schema() -> None:
    schema = jsonschema.Draft202012Validator(leaderboard_schema())
    data = table().with_columns(eta=pl.when(pl.col("depth") > 2).then(pl.col("eta")))
    for made in (board(data), board(data, hyperparameters=None)):
        schema.validate(json.loads(made.to_json()))


def test_importance_is_plain_data() -> None:
    data = table(100, families=("xgb",) * 9 + ("knn",))
    found = board(data, family="family").importance()
    plain = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert list(plain) == ["schema", "level", "families", "refused"]
    assert plain["schema"] == "winodds/importance/1"
    assert plain["refused"] == found.refused
    (family,) = plain["families"]
    assert list(family) == ["family", "overall", "tournaments", "constant", "notes"]
    first = family["overall"]["hyperparameters"][0]
    own = found["xgb"].overall.hyperparameters[0]
    assert Share(**{**first, "hyperparameters": tuple(first["hyperparameters"])}) == own
    assert family["notes"] == [note.to_dict() for note in found["xgb"].notes]
