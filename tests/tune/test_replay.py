"""A race on finished results: it looks at what it pays for, and is compared with all of it."""

from dataclasses import replace
from html import unescape
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from racing import SCENES, run_race

import winodds
import winodds.demo
from winodds import errors
from winodds.arrays import Floats
from winodds.board.leaderboard import Leaderboard
from winodds.show.report.page import render_report
from winodds.tune import Rules, replay

PROVE = Rules(strategy="prove")


def _board(scores: Floats, **options: object) -> Leaderboard:
    settings, splits = scores.shape
    table = pl.DataFrame(
        {
            "player": [f"s{j:02}" for j in range(settings) for _ in range(splits)],
            "round": [f"t{t:02}" for _ in range(settings) for t in range(splits)],
            "score": [None if np.isnan(score) else score for score in scores.ravel()],
        }
    )
    return winodds.rate(table, **{"higher_is_better": True, **options})  # type: ignore[arg-type]


@pytest.fixture
def scores() -> Floats:
    found = SCENES["near-equal"](16, np.random.default_rng(3))
    return found[np.random.default_rng(4).permutation(16)]


@pytest.mark.parametrize("rules", [Rules(), PROVE])
def test_a_replay_is_the_race_on_these_scores(scores: Floats, rules: Rules) -> None:
    found, race = replay(_board(scores), rules), run_race(scores, rules)
    assert found.fits == race.fits
    assert found.choice == f"s{race.choice:02}"
    assert list(found.paid.values()) == race.paid.tolist()
    assert [moment.fits for moment in found.moments] == [step.paid.sum() for step in race.steps]
    assert found.full_choice == f"s{scores.mean(axis=1).argmax():02}"
    best = scores.mean(axis=1)
    assert found.lost == pytest.approx(best.max() - best[race.choice])
    assert found.same == (found.lost == 0.0)


def test_errors_are_turned_round(scores: Floats) -> None:
    other = replay(_board(-scores, higher_is_better=False), PROVE)
    assert other == replay(_board(scores), PROVE)


def test_missing_scores_are_failed_fits(scores: Floats) -> None:
    scores[5, 1] = np.nan
    found = replay(_board(scores))
    assert found.failed == 1
    assert found.state["s05"] == "parked"
    assert found.text.endswith("One missing score counts as a failed fit.")


def test_unless_somebody_says_how_splits_hang_together_nothing_is_dropped(scores: Floats) -> None:
    found = replay(_board(scores))
    assert found.claim == "off"
    assert "dropped" not in found.state.values()
    assert "Nothing is claimed, and so nothing is dropped" in found.text


def _told(**changed: object) -> str:
    board = winodds.demo.rate_results()["digits"]
    found = replay(board, PROVE)
    return replace(found, **changed).text  # type: ignore[arg-type]


def test_the_whole_text() -> None:
    text = _told(tournament=None)
    assert text.startswith("A race would have paid for ")
    assert "as the full search does. It runs to the last split." in text
    assert text.endswith(
        "left. Dropped settings are refuted as the best; that is wrong in 5 of 100 races at most. "
        "Several are about equally good: chances of being best say too much, and which of them "
        "is chosen matters little."
    )
    assert "wrong in 1 of 100" in _told(alpha=0.01)
    assert _told(choice="a", full_choice="b", lost=0.00123).count(
        "It chooses a; the full search chooses b, whose mean score is better by 0.00123."
    )


def test_a_race_travels_as_plain_data(scores: Floats) -> None:
    told = replay(_board(scores), PROVE).to_dict()
    assert told["share"] == told["fits"] / told["all_fits"]
    assert told["moments"][-1]["left"] == list(told["state"].values()).count("left")
    assert told["same"] is (told["choice"] == told["full_choice"])
    assert "race" not in told
    assert "board" not in told
    turns = [turn for moment in told["moments"] for turn in moment["turns"]]
    last = {turn["setting"]: turn["act"].replace("back", "left") for turn in turns}
    assert {name: last.get(name, "left") for name in told["state"]} == told["state"]


def test_boards_without_splits_are_refused() -> None:
    battles = pl.DataFrame({"model_a": ["a", "b"], "model_b": ["b", "a"], "winner": ["a", "a"]})
    board = winodds.rate_battles(battles)
    with pytest.raises(errors.NoSplits, match="matches are no comparisons within rounds"):
        replay(board)


def test_a_replay_is_reported_with_its_board(scores: Floats, tmp_path: Path) -> None:
    board = _board(scores)
    found = replay(board, PROVE)
    page = found.report(tmp_path / "race.html", title="Settings").read_text(encoding="utf-8")
    assert found.text in unescape(page)
    assert board.race is None
    assert '<section id="race"' not in render_report(board)
