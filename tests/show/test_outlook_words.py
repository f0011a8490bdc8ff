"""What to expect of a new data set, of fewer rounds and of mean scores, in sentences."""

from dataclasses import replace

from winodds.board.relation import Line, Relation
from winodds.board.subsets import Agreed, Enough, Subsets
from winodds.season.placement import ExpectedModel, Neighbour, Placement

AGREED = Agreed(0.9, 0.8, 0.1, 0.95, 0.9, 1.0)
ENOUGH = Enough(
    (Subsets(3, AGREED, None, 12.0, 0.9), Subsets(7, AGREED, None, 12.0, 0.96)),
    *(7, 0.95, 10, "within", "round", 20, 6, 100, 0, 0.95),
)


def model(name: str, p_best: float, *, tried: bool) -> ExpectedModel:
    return ExpectedModel(name, None, tried, 0.5, 0.1, 0.9, 0.62, p_best, 0.0)


PLACEMENT = Placement(
    (model("rf", 0.5, tried=True), model("svm", 0.3, tried=False), model("nb", 0.2, tried=False)),
    (Neighbour("wine", 0.2), Neighbour("iris", 0.4)),
    *(("rf",), 3, 12, 2, 1.0, 0.95, ()),
)


def test_a_new_data_set_is_told_with_what_to_try_first() -> None:
    assert str(PLACEMENT) == (
        "3 rounds of 1 player on the new data set and 12 known ones say: it is most like wine, "
        "iris. rf, which has been tried, is expected to lead: it wins 62 of 100 rounds against "
        "the average player and is truly the best of all with a chance of 50%. Of those not tried "
        "yet, the likeliest to be the best of all: svm (30%), nb (20%)."
    )
    alone = replace(PLACEMENT, models=PLACEMENT.models[:1])
    assert str(alone).endswith(" All players have been tried.")


def test_enough_rounds_are_told() -> None:
    assert str(ENOUGH) == (
        "7 of 20 rounds are enough: from there on, 95% or more of the pairs that other rounds tell "
        "apart stand in the right order."
    )
    assert str(replace(ENOUGH, enough=None)) == (
        "Not even 7 of 20 rounds are enough, the most that could be judged: they have fewer than "
        "95% of the pairs in the right order that other rounds tell apart."
    )
    unknown = tuple(replace(one, told_alike=None) for one in ENOUGH.curve)
    assert str(replace(ENOUGH, curve=unknown, enough=None)) == (
        "20 rounds are too few to say how many would have been enough: none are left to judge, or "
        "no two players are told apart."
    )


def test_mean_scores_are_told_beside_ratings() -> None:
    line = Line(0.1, 0.5, -0.056)
    assert str(Relation(7, line, None, "straight", ())) == (
        "Mean scores of 7 players and ratings correlate with -0.06."
    )
    assert str(Relation(7, Line(0.0, 0.5, None), None, "straight", ())) == (
        "The mean scores are all equal."
    )
