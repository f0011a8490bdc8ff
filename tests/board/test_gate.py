"""Verdicts on a candidate: cases by hand, whole sentences, laws."""

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, strategies as st
from scipy import stats

import winodds
from winodds.board.gate import Gate, reach_verdict
from winodds.errors import BadOption, NeverShared, NoSharedRounds, NotInTable, SamePlayer
from winodds.inference.paired import Interval


def table_of(old: Any, new: Any, **columns: Any) -> pl.DataFrame:
    """A row for each of two players in each round."""
    rounds = [str(k) for k in range(len(old))]
    doubled = {name: [*values, *values] for name, values in columns.items()}
    return pl.DataFrame(
        {
            "player": ["old"] * len(old) + ["new"] * len(new),
            "round": [*rounds, *rounds[: len(new)]],
            "score": [*old, *new],
            **doubled,
        }
    )


def judge(old: Any, new: Any, columns: dict[str, Any] | None = None, **options: Any) -> Gate:
    usual: dict[str, Any] = {"baseline": "old", "candidate": "new", "higher_is_better": True}
    return winodds.gate(table_of(old, new, **(columns or {})), **{**usual, **options})


def items(won: int, tied: int, lost: int) -> tuple[list[int], list[int]]:
    """Right and wrong answers of which the second player wins, ties and loses so many."""
    return [0] * won + [1] * tied + [1] * lost, [1] * won + [1] * tied + [0] * lost


def names_of(found: Gate) -> list[str]:
    return [note.name for note in found.notes]


# Cases --------------------------------------------------------------------------------------------


def test_better_in_whole_sentences() -> None:
    found = judge(*items(20, 60, 4))
    assert found.verdict == "better"
    assert found.passed
    assert found.text == (
        "Better: new beats old in 59.5 of 100 new rounds (a tie counts half; 95% interval 53.8 to "
        "65.4)."
    )
    assert str(found) == (
        "Better: new beats old in 59.5 of 100 new rounds (a tie counts half; 95% interval\n"
        "53.8 to 65.4).\n"
        "\n"
        "new              against old\n"
        "---------------  ------------------------------------\n"
        "shared rounds    84\n"
        "won, tied, lost  20, 60, 4\n"
        "win rate         59.5% (53.8% to 65.4%)\n"
        "mean score       0.95 against 0.76 (higher is better)\n"
        "better by        0.19 (0.08 to 0.31)\n"
        "margin           45 of 100 (the usual one)\n"
        "further rounds   none\n"
        "\n"
        "* All differences are of one size, so a margin of 0.05 on the win rate is one of\n"
        "  0.1 on the mean score."
    )


def test_no_worse_than_the_margin_in_words() -> None:
    assert judge(*items(2, 196, 2)).text == (
        "No worse than the margin: new is level with old in new rounds (50.0 of 100; a tie counts "
        "half; 95% interval 48.5 to 51.5). The interval lies above the usual margin of 45 of 100."
    )


def test_certain_loss_within_a_margin_passes_only_if_somebody_chose_it() -> None:
    unchosen, chosen = judge(*items(4, 976, 20)), judge(*items(4, 976, 20), margin=0.05)
    assert (unchosen.verdict, unchosen.passed) == ("worse", False)
    assert unchosen.text == (
        "Worse: new beats old in 49.2 of 100 new rounds (a tie counts half; 95% interval 48.6 to "
        "49.7). It lies above the usual margin of 45 of 100, but nobody chose that, and so any "
        "loss is too much."
    )
    assert (chosen.verdict, chosen.passed) == ("no worse", True)
    assert chosen.text == (
        "No worse than the margin: new beats old in 49.2 of 100 new rounds (a tie counts half; 95% "
        "interval 48.6 to 49.7). The interval lies above the margin of 45 of 100. It is worse, but "
        "by less."
    )


def test_worse_says_where_the_margin_is() -> None:
    assert judge(*items(2, 60, 40)).text == (
        "Worse: new beats old in 31.4 of 100 new rounds (a tie counts half; 95% interval 26.0 to "
        "36.7). The interval lies below the usual margin of 45 of 100."
    )
    assert judge(*items(5, 267, 23), margin=0.05).text == (
        "Worse: new beats old in 46.9 of 100 new rounds (a tie counts half; 95% interval 44.9 to "
        "48.7). Whether it is also below the margin of 45 of 100, the data cannot tell."
    )


def test_cannot_tell_says_how_many_rounds_would() -> None:
    found = judge(*items(9, 0, 11))
    assert (found.verdict, found.passed) == ("cannot tell", False)
    assert found.rounds_needed is not None
    assert 500 < found.rounds_needed < 1100
    assert found.text == (
        "Cannot tell: new beats old in 45.0 of 100 new rounds (95% interval 24.8 to 66.9). It may "
        "be better, and it may be below the usual margin of 45 of 100. If the truth is what it "
        f"seems, about {found.rounds_needed:,} more rounds would decide with 80% power."
    )


def test_equal_players_without_a_margin_are_never_decided() -> None:
    found = judge(*items(5, 0, 5), margin=0.0)
    assert found.rounds_needed is None
    assert found.text.endswith(
        "They are equal so far and the margin is 0, so no number of rounds would."
    )


def test_margin_on_the_score_in_words() -> None:
    old = [0.80, 0.82, 0.84, 0.86, 0.88, 0.90, 0.85, 0.83]
    change = [0.003, -0.001, 0.002, 0.000, 0.004, -0.002, 0.001, 0.002]
    found = judge(old, np.add(old, change), score_margin=0.01)
    assert found.verdict == "no worse"
    assert found.text == (
        "No worse than the margin: new scores 0.0011 better than old on average (0.8486 against "
        "0.8475, higher is better; 95% interval of the difference -0.0006 to 0.0028). The interval "
        "lies above the margin of 0.01 of the score."
    )


def test_lower_scores_may_be_better() -> None:
    old, change = np.linspace(2.0, 3.0, 12), np.linspace(0.1, 0.3, 12)
    found = judge(old, old - change, higher_is_better=False, score_margin=0.05)
    assert found.verdict == "better"
    assert found.difference is not None
    assert found.difference.value == pytest.approx(0.2)
    assert found.text.startswith(
        "Better: new scores 0.200 better than old on average (2.300 against 2.500, lower is better;"
    )


def test_right_and_wrong_answers_have_one_interval_on_both_scales() -> None:
    found = judge(*items(7, 80, 3))
    assert found.difference is not None
    assert (found.difference.low, found.difference.high) == pytest.approx(
        (2.0 * (found.p_win.low or 0.0) - 1.0, 2.0 * (found.p_win.high or 0.0) - 1.0)
    )
    assert "margin_as_score" in names_of(found)


def test_five_rounds_can_decide_by_scores_and_not_by_wins() -> None:
    old, new = [0.5, 0.6, 0.7, 0.6, 0.5], [0.7, 0.81, 0.9, 0.79, 0.7]
    assert judge(old, new, margin=0.0).verdict == "cannot tell"
    assert judge(old, new, score_margin=0.0).verdict == "better"
    assert "few_pairs" in names_of(judge(old, new))


@pytest.mark.parametrize("rounds", [1, 2, 4])
def test_a_few_equal_differences_of_scores_prove_nothing(rounds: int) -> None:
    found = judge([0.50] * rounds, [0.45] * rounds, score_margin=0.1)
    assert (found.verdict, found.rounds_needed) == ("cannot tell", None)
    assert found.difference is not None
    assert (found.difference.low, found.difference.high) == (None, None)


def test_a_few_answers_are_right_or_wrong_all_the_same() -> None:
    assert judge([1, 0, 1], [1, 0, 1], score_margin=1.5).verdict == "no worse"
    assert judge([1, 0, 1], [1, 0, 1], score_margin=0.1).verdict == "cannot tell"


@pytest.mark.parametrize("unit", [1e-90, 1e-11, 1.0, 1e11, 1e90])
def test_verdict_does_not_hang_on_the_unit_of_the_scores(unit: float) -> None:
    old = unit * np.linspace(5.0, 6.0, 30)
    new = old + unit * np.tile([-5.0, -4.9, -5.2], 10)
    assert judge(old, new, score_margin=unit).verdict == "worse"
    assert judge(new, old, score_margin=unit).verdict == "better"


@pytest.mark.parametrize("unit", [1e-300, 1e300])
def test_scores_that_nobody_can_compute_with_leave_the_win_rate(unit: float) -> None:
    old, new = unit * np.linspace(1.0, 2.0, 12), unit * np.linspace(3.0, 5.0, 12)
    found = judge(old, new)
    assert (found.verdict, found.difference) == ("better", None)
    assert "Differences of scores are too small or too large to compute with" in str(found.notes[0])
    with pytest.raises(BadOption, match="too small or too large to compute with"):
        judge(old, new, score_margin=unit)


@pytest.mark.parametrize(
    ("sign", "said"),
    [
        (
            -1.0,
            "The differences of scores are skewed: the candidate loses by much in a few rounds. "
            "Their mean then is better, or no worse, by luck more often than its interval allows "
            "for; the win rate is not concerned.",
        ),
        (
            1.0,
            "The differences of scores are skewed: the candidate wins by much in a few rounds. "
            "Their mean then is worse by luck more often than its interval allows for; the win "
            "rate is not concerned.",
        ),
    ],
)
def test_skewed_differences_are_a_doubt(sign: float, said: str) -> None:
    change = sign * np.array([0.1, 0.2, 0.15, 0.12, 0.18, 0.11, 0.16, 0.13, 0.14, 3.0, 0.17, 0.19])
    assert said in [str(note) for note in judge(np.zeros(12), change).notes]
    assert names_of(judge(np.zeros(12), sign * np.linspace(0.1, 0.2, 12))) == []


def test_the_same_scores_everywhere_are_said() -> None:
    found = judge([0.1, 0.5, 0.9] * 4, [0.1, 0.5, 0.9] * 4)
    assert found.verdict == "cannot tell"
    assert "same_scores" in names_of(found)
    assert judge([0.1, 0.5, 0.9] * 15, [0.1, 0.5, 0.9] * 15).verdict == "no worse"


# What does not count ------------------------------------------------------------------------------


def test_rounds_of_one_side_are_counted_and_said() -> None:
    table = table_of([1.0, 2.0, 3.0, 4.0], [2.0, 1.0])
    found = winodds.gate(table, baseline="old", candidate="new", higher_is_better=True)
    assert (found.unshared.only_baseline, found.unshared.only_candidate) == (2, 0)
    assert found.notes[0].text == "2 rounds of 'old' have no partner and do not count."


def test_failed_runs_do_not_count_or_lose() -> None:
    old, new = [1.0, 2.0, None, 4.0, None], [2.0, None, 3.0, 5.0, None]
    skipped = judge(old, new)
    assert (skipped.rounds.won, skipped.rounds.lost) == (2, 0)
    assert skipped.notes[0].text == (
        "2 runs of 'old' and 2 runs of 'new' failed, and their rounds do not count; with "
        'missing="lose" a failed run loses.'
    )
    lost = judge(old, new, missing="lose")
    assert (lost.rounds.won, lost.rounds.lost) == (3, 1)
    assert (lost.mean_baseline, lost.mean_candidate) == (2.5, 3.5)
    assert "lost_by_failure" in names_of(lost)
    with pytest.raises(BadOption, match="a failed run that loses has no score; give margin="):
        judge(old, new, missing="lose", score_margin=0.1)


def test_no_shared_round_is_an_error() -> None:
    table = pl.DataFrame(
        {"player": ["old", "old", "new"], "round": ["1", "2", "3"], "score": [1.0, 2.0, 3.0]}
    )
    with pytest.raises(NoSharedRounds) as caught:
        winodds.gate(table, baseline="old", candidate="new", higher_is_better=True)
    assert str(caught.value) == (
        "'old' and 'new' share no round: 2 rounds only of the first, 1 only of the second. Rounds "
        "are paired by their names; give the same round the same name in both."
    )


def test_names_are_checked() -> None:
    with pytest.raises(NotInTable, match=r"^No player 'nwe' in the table. Did you mean 'new'\?$"):
        judge([1.0, 2.0], [2.0, 1.0], candidate="nwe")
    with pytest.raises(SamePlayer):
        judge([1.0, 2.0], [2.0, 1.0], candidate="old")


def test_directions_that_differ_leave_the_win_rate() -> None:
    metric = ["auc", "rmse"] * 6
    old, new = [0.5, 0.5] * 6, [0.6, 0.4] * 6
    found = judge(old, new, {"metric": metric}, metric_column="metric", higher_is_better=None)
    assert (found.verdict, found.difference, found.better_is) == ("better", None, None)
    assert "no_scores" in names_of(found)


# Clusters -----------------------------------------------------------------------------------------


def test_splits_that_share_training_data_speak_of_a_new_data_set() -> None:
    new = np.linspace(0.11, 0.29, 10)
    found = judge([0.1] * 10, new, test_fraction=0.1)
    assert found.difference is not None
    error = np.std(new, ddof=1) * np.sqrt(1 / 10 + 0.1 / 0.9)
    mean = np.mean(new) - 0.1
    assert found.difference.low == pytest.approx(mean - stats.t.ppf(0.975, 9) * error)
    assert found.difference.high == pytest.approx(mean + stats.t.ppf(0.975, 9) * error)
    assert str(found.notes[-1]) == (
        "Variances are multiplied by 2.11, because splits with test fraction 0.1 share training "
        "data: the intervals are for a new data set of this kind, not only for new splits of this "
        "one."
    )


def test_epochs_of_an_item_are_one_cluster() -> None:
    old, new = [0.0] * 30, [1.0] * 30
    alone = judge(old, new, margin=0.0)
    own = {"item": [str(k // 6) for k in range(30)]}
    item = judge(old, new, own, cluster="item", margin=0.0)
    assert (alone.verdict, item.verdict) == ("better", "cannot tell")
    assert (item.unit, item.units) == ("item", 5)


@pytest.mark.parametrize(("tournaments", "unit"), [(3, "round"), (8, "tournament")])
def test_tournaments_are_the_clusters_where_there_are_enough(tournaments: int, unit: str) -> None:
    sets = [f"set {k % tournaments}" for k in range(48)]
    found = judge(*items(30, 8, 10), {"dataset": sets}, tournament="dataset")
    assert found.unit == unit
    expected = "new_tournaments" if tournaments == 8 else "these_tournaments"
    assert expected in names_of(found)


def test_every_tournament_counts_once() -> None:
    sets = ["large"] * 30 + ["small"] * 10
    old, new = [0.0] * 40, [1.0] * 30 + [-1.0] * 10
    found = judge(old, new, {"dataset": sets}, tournament="dataset")
    assert found.p_win.value == pytest.approx(0.5)


# Boards -------------------------------------------------------------------------------------------


def test_board_and_table_give_the_same_verdict() -> None:
    table = table_of(*items(20, 60, 4))
    board = winodds.rate(table, higher_is_better=True)
    again = winodds.Leaderboard.from_json(board.to_json())
    found = winodds.gate(table, baseline="old", candidate="new", higher_is_better=True)
    assert again.gate("old", "new").to_dict() == found.to_dict()
    lower = winodds.rate(table, higher_is_better=False).gate("old", "new", score_margin=0.1)
    assert (lower.verdict, lower.better_is) == ("worse", "lower")


def test_season_gives_the_verdict_of_its_table() -> None:
    season = winodds.demo.rate_results()
    table = winodds.demo.load_results()
    pair = ("knn(default)", "random_forest(default)")
    roles: dict[str, Any] = {
        "player": "model",
        "round": "split",
        "score": "auc",
        "tournament": "dataset",
    }
    found = winodds.gate(table, baseline=pair[0], candidate=pair[1], **roles)
    assert season.gate(*pair).to_dict() == found.to_dict()


def test_battles_have_a_win_rate_only() -> None:
    table = pl.DataFrame({"winner": ["A"] * 12 + ["B", "C"], "loser": ["B"] * 12 + ["C", "A"]})
    board = winodds.rate_battles(table, winner="winner", loser="loser")
    found = board.gate("B", "A")
    assert (found.verdict, found.difference, found.rounds.won) == ("better", None, 12)
    assert "no_scores" in names_of(found)
    with pytest.raises(BadOption, match="these are battles, which have no scores; give margin="):
        board.gate("B", "A", score_margin=0.1)


def test_players_who_never_met_are_refused() -> None:
    table = pl.DataFrame({"winner": ["A", "B", "A", "C"], "loser": ["B", "C", "B", "B"]})
    board = winodds.rate_battles(table, winner="winner", loser="loser")
    with pytest.raises(NeverShared, match=r"^'A' and 'C' never met, so nothing can be said"):
        board.gate("A", "C")


# Laws ---------------------------------------------------------------------------------------------

SCORES = st.lists(
    st.tuples(st.sampled_from([0.0, 0.5, 1.0]), st.sampled_from([0.0, 0.5, 1.0])),
    min_size=2,
    max_size=30,
)
MIRROR = {"better": "worse", "worse": "better", "cannot tell": "cannot tell"}


@given(SCORES)
def test_swapping_the_two_mirrors_the_verdict(scores: list[tuple[float, float]]) -> None:
    old, new = zip(*scores, strict=True)
    there, back = judge(old, new, margin=0.0), judge(new, old, margin=0.0)
    assert MIRROR[there.verdict] == back.verdict
    assert there.p_win.value + back.p_win.value == pytest.approx(1.0)
    assert there.p_win.low == pytest.approx(1.0 - (back.p_win.high or 0.0), abs=1e-9)
    usual, turned = judge(old, new), judge(new, old)
    assert (usual.verdict == "better") == (turned.verdict == "worse")


@given(SCORES, st.permutations(range(30)))
def test_rows_and_names_and_direction_do_not_matter(
    scores: list[tuple[float, float]], order: list[int]
) -> None:
    old, new = zip(*scores, strict=True)
    found = judge(old, new, score_margin=0.1)
    table = table_of(old, new)
    rows = [k for k in order if k < table.height] + list(range(30, table.height))
    renamed = table[rows].with_columns(pl.col("player").replace({"old": "z", "new": "a"}))
    other = winodds.gate(
        renamed, baseline="z", candidate="a", higher_is_better=True, score_margin=0.1
    )
    turned = judge(np.negative(old), np.negative(new), higher_is_better=False, score_margin=0.1)
    for again in (other, turned):
        assert (again.verdict, again.rounds_needed) == (found.verdict, found.rounds_needed)
        assert again.p_win == found.p_win
        assert again.difference == found.difference


@given(SCORES, st.floats(0.0, 0.4), st.booleans())
def test_verdict_is_what_its_interval_says(
    scores: list[tuple[float, float]], margin: float, on_score: bool
) -> None:
    old, new = zip(*scores, strict=True)
    chosen: dict[str, Any] = {"score_margin" if on_score else "margin": margin}
    found = judge(old, new, **chosen)
    own = found.deciding
    low, high = (own.low or 0.0) - found.equality, (own.high or 0.0) - found.equality
    if own.low is None:
        assert found.verdict == "cannot tell"
    elif low > 1e-8:
        assert found.verdict == "better"
    elif low > -margin + 1e-8:
        assert found.verdict == "no worse"
    elif high < -1e-8:
        assert found.verdict == "worse"
    assert (found.rounds_needed == 0) == (found.verdict != "cannot tell")


@given(st.floats(-1.0, 1.0), st.floats(0.0, 1.0), st.floats(0.0, 0.5), st.booleans())
def test_a_wider_interval_never_says_more(
    value: float, half: float, margin: float, chosen: bool
) -> None:
    narrow, wide = (Interval(value, value - width, value + width) for width in (half, 2.0 * half))
    one, two = (reach_verdict(found, margin, given=chosen) for found in (narrow, wide))
    if two == "better":
        assert one == "better"
    if one == "cannot tell":
        assert two == "cannot tell"
