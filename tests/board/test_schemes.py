"""Data sets as players, rated by how well models do on them."""

import polars as pl
import pytest
from tables import facts, sentence, texts

from winodds import Leaderboard, rate, rate_each
from winodds.demo import load_results
from winodds.errors import BadOption


def results() -> pl.DataFrame:
    return load_results()


def of_data_sets(**options: object) -> Leaderboard:
    said = {"player": "model", "round": "split", "score": "auc", "tournament": "dataset"}
    return rate(results(), **{**said, "scheme": "data-sets", **options})  # type: ignore[arg-type]


def test_data_sets_meet_in_every_model_by_its_mean_score() -> None:
    found = of_data_sets()
    means = results().group_by("dataset", "model").agg(pl.col("auc").mean().round(12))
    wanted = rate(means, player="dataset", round="model", score="auc")
    assert found.players == wanted.players
    assert facts(found)["evidence"] == facts(wanted)["evidence"]
    assert found.players[0] == "wine"
    assert found.how.matches.rounds == 20


def test_board_says_who_plays() -> None:
    found = of_data_sets()
    assert found.how.scheme.name == "Data Set/Model"
    assert found.how.options["scheme"] == "data-sets"
    assert Leaderboard.from_json(found.to_json()).how.scheme.data_sets_play
    assert texts(found.notes)[0] == (
        "The players are 4 data sets and the rounds 20 models: a data set beats another where the "
        "model's mean score on it is the better one, and is rated high where models do well. The "
        "intervals are for new models of this kind."
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"tournament": None},
            'scheme="data-sets" is not possible; the data sets play; name their column with '
            "tournament=.",
        ),
        (
            {"weights": "auc"},
            'weights="auc" is not possible; with scheme="data-sets" every round is a model, and '
            "counts once.",
        ),
        (
            {"test_fraction": 0.2},
            'test_fraction=0.2 is not possible; with scheme="data-sets" rounds are models, and no '
            "splits.",
        ),
    ],
)
def test_what_says_nothing_there_is_refused(options: dict[str, object], message: str) -> None:
    assert sentence(BadOption, lambda: of_data_sets(**options)) == message


def test_a_season_has_no_board_of_data_sets() -> None:
    said = {"player": "model", "round": "split", "score": "auc", "tournament": "dataset"}
    call = lambda: rate_each(results(), **said, scheme="data-sets")  # type: ignore[arg-type]  # noqa: E731
    assert sentence(BadOption, call) == (
        'scheme="data-sets" is not possible; all data sets are on one board then, which rate() '
        "makes."
    )
