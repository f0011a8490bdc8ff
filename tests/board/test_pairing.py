"""Players of two boards, paired by names of rounds: as in one table, or refused."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
import pytest

import winodds
from winodds.board.gate import Gate
from winodds.board.leaderboard import Leaderboard
from winodds.errors import BoardsNotPaired, NoEvidence, NoSharedRounds, UnknownPlayer

PLAYERS = ("ours", "rival", "other")
ITEMS = tuple(f"q{k}" for k in range(30))


def table_of(
    seed: int, items: Sequence[str] = ITEMS, *, shift: float = 0.0, **columns: Any
) -> pl.DataFrame:
    """Three players on some items; scores of "ours" are moved."""
    rng = np.random.default_rng(seed)
    score = rng.normal(0.0, 1.0, (3, len(items))).round(3)
    score[0] += shift
    return pl.DataFrame(
        {
            "player": [name for name in PLAYERS for _ in items],
            "round": [*items] * 3,
            "score": score.ravel(),
            **{name: [*values] * 3 for name, values in columns.items()},
        }
    )


def rate(table: pl.DataFrame, **options: Any) -> Leaderboard:
    return winodds.rate(table, **{"higher_is_better": True, **options})


def judge_tables(old: pl.DataFrame, new: pl.DataFrame, **options: Any) -> Gate:
    """The verdict on "ours" by one table that has both."""
    both = pl.concat(
        [
            table.filter(player="ours").with_columns(player=pl.lit(f"ours ({part})"))
            for part, table in (("baseline", old), ("candidate", new))
        ]
    )
    names = {"baseline": "ours (baseline)", "candidate": "ours (candidate)"}
    return winodds.gate(both, **{"higher_is_better": True, **names, **options})


def refusal(one: Leaderboard, other: Leaderboard) -> str:
    with pytest.raises(BoardsNotPaired) as caught:
        one.gate("ours", "ours", candidate_board=other)
    return caught.value.reason


@pytest.mark.parametrize("direction", [True, False])
def test_two_boards_give_the_verdict_of_one_table(direction: bool) -> None:
    old, new = table_of(1), table_of(2, [*ITEMS[::-1][:25], "q99"], shift=0.8)
    rules = {"higher_is_better": direction}
    by_boards = rate(old, **rules).gate("ours", "ours", candidate_board=rate(new, **rules))
    assert by_boards == judge_tables(old, new, **rules)
    assert (by_boards.unshared.only_baseline, by_boards.unshared.only_candidate) == (5, 1)


def test_boards_that_were_written_and_read_again_pair() -> None:
    old, new = rate(table_of(1)), rate(table_of(2))
    again = [Leaderboard.from_json(board.to_json()) for board in (old, new)]
    found = again[0].gate("rival", "other", candidate_board=again[1])
    assert found == old.gate("rival", "other", candidate_board=new)
    assert (found.baseline, found.candidate) == ("rival", "other")


def test_clusters_are_found_again_though_boards_number_them_anew() -> None:
    topic = [f"t{k // 3}" for k in range(30)]
    old = table_of(1, topic=topic)
    new = table_of(2, ITEMS[::-1][:27], topic=topic[::-1][:27])
    rules = {"cluster": "topic"}
    found = rate(old, **rules).gate("ours", "ours", candidate_board=rate(new, **rules))
    assert found == judge_tables(old, new, **rules)
    assert (found.unit, found.units) == ("topic", 9)
    mixed = table_of(2, topic=[*topic[1:], topic[0]])
    assert refusal(rate(old, **rules), rate(mixed, **rules)) == (
        "rounds with one value of 'topic' on one have several on the other"
    )


def test_failed_runs_that_lose_do_so_on_two_boards_as_well() -> None:
    old, new = table_of(1), table_of(2)
    new = new.with_columns(
        pl.when((pl.col("player") == "ours") & pl.col("round").is_in(ITEMS[:4]))
        .then(None)
        .otherwise("score")
        .alias("score")
    )
    rules = {"missing": "lose"}
    found = rate(old, **rules).gate("ours", "ours", candidate_board=rate(new, **rules))
    assert found == judge_tables(old, new, **rules)
    assert "lost_by_failure" in [note.name for note in found.notes]


def test_seasons_pair_by_tournament_and_count_what_only_one_has() -> None:
    parts = [("iris", 1), ("wine", 2), ("seeds", 3)]
    each = {name: table_of(seed, tournament=[name] * 30) for name, seed in parts}
    old = pl.concat([each["iris"], each["wine"]])
    new = pl.concat([each["seeds"], each["wine"], each["iris"]])
    rules: dict[str, Any] = {"tournament": "tournament", "higher_is_better": True}
    one, other = (winodds.rate_each(table, **rules) for table in (old, new))
    found = one.gate("rival", "other", candidate_season=other)
    swapped = pl.concat([old.filter(player="rival"), new.filter(player="other")])
    assert found == winodds.gate(swapped, baseline="rival", candidate="other", **rules)
    assert found.unshared.only_candidate == 30


@pytest.mark.parametrize(
    ("rules", "reason"),
    [
        ({"missing": "lose"}, 'one was rated with missing="skip", the other with missing="lose"'),
        (
            {"tie_tolerance": 0.5},
            "one was rated with tie_tolerance=0.0, the other with tie_tolerance=0.5",
        ),
        (
            {"test_fraction": 0.1},
            "one was rated without test_fraction, the other with test_fraction=0.1",
        ),
        (
            {"cluster": "topic"},
            "the independent units are 'round' on one and 'topic' on the other",
        ),
        ({"higher_is_better": False}, "round 'q0' has two directions"),
        ({"weights": "heavy"}, "round 'q0' has two weights"),
        ({"tournament": "topic"}, "the independent units are 'round' on one and 'tournament' on"),
    ],
)
def test_boards_that_were_not_rated_alike_do_not_pair(rules: dict[str, Any], reason: str) -> None:
    table = table_of(1, topic=[f"t{k % 3}" for k in range(30)], heavy=[2.0] * 30)
    assert refusal(rate(table), rate(table, **rules)).startswith(reason)


def test_other_metrics_other_rounds_and_other_players_do_not_pair() -> None:
    table = table_of(1).with_columns(pl.col("score").abs() / 9.0)
    named = {
        name: winodds.rate(
            table.rename({"score": name}), player="player", round="round", score=name
        )
        for name in ("accuracy", "logloss")
    }
    assert refusal(named["accuracy"], named["logloss"]) == (
        "the scores are 'accuracy' on one and 'logloss' on the other"
    )
    board = rate(table)
    with pytest.raises(NoSharedRounds):
        board.gate("ours", "ours", candidate_board=rate(table_of(2, ["x", "y", "z"])))
    with pytest.raises(UnknownPlayer):
        board.gate("ours", "nobody", candidate_board=board)
    cut = Leaderboard.from_dict({**board.to_dict(), "evidence": []})
    with pytest.raises(NoEvidence):
        board.gate("ours", "ours", candidate_board=cut)


def test_battles_and_boards_of_strangers_do_not_pair() -> None:
    fights = pl.DataFrame({"winner": ["ours", "rival"] * 4, "loser": ["rival", "ours"] * 4})
    battles = winodds.rate_battles(fights, winner="winner", loser="loser")
    assert refusal(battles, battles) == "battles have no rounds to pair"
    strangers = pl.concat(
        [
            table_of(1),
            table_of(2, ["x", "y", "z"]).with_columns(player=pl.col("player") + " abroad"),
        ]
    )
    apart = rate(strangers, components="separate")
    assert refusal(apart, rate(table_of(1))) == (
        "players of one of them never met, and such a board does not name its rounds"
    )
