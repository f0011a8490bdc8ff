"""Details and quality are computed when they are asked for, kept, and shown from then on."""

from collections.abc import Callable
from typing import Any

import polars as pl
import pytest
from tables import three_by_three

from winodds import Leaderboard, Season, rate, rate_battles, rate_each
from winodds.board.row import DETAILS

SIMULATING = (
    "winodds.board.leaderboard.place_players",
    "winodds.board.leaderboard.assess",
    "winodds.board.leaderboard.take_luck_out",
    "winodds.board.questions.resample",
    "winodds.board.placing.replicate",
    "winodds.board.quality.plan_simulations",
    "numpy.random.default_rng",
)
"""Whatever draws random numbers, as those who call it know it."""

PLAIN = """\
rank  player    EPP  95% interval  P(>avg)
----  ------  -----  ------------  -------
   1  a        0.38  -1.83 … 2.46      59%
   2  b        0.00  -3.49 … 3.38      50%
   3  c       -0.38  -4.41 … 3.89      41%
* The intervals rest on only 3 rounds; below about 10 they are rough."""


class Simulated(Exception):
    """Something was simulated."""


def refuse(*_: object, **__: object) -> None:
    raise Simulated


@pytest.fixture
def no_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in SIMULATING:
        monkeypatch.setattr(name, refuse)


def board(**options: Any) -> Leaderboard:
    return rate(three_by_three(), higher_is_better=True, **options)


def battles() -> Leaderboard:
    rows = [("x", "y"), ("y", "x"), ("x", "y")]
    return rate_battles(pl.DataFrame(rows, ["winner", "loser"], orient="row"), loser="loser")


def season(**options: Any) -> Season:
    tables = [three_by_three().with_columns(data=pl.lit(name)) for name in ("iris", "wine")]
    return rate_each(pl.concat(tables), tournament="data", higher_is_better=True, **options)


def details_of(found: Leaderboard) -> list[object]:
    return [getattr(found.rows[0], name) for name in DETAILS]


pytestmark = pytest.mark.usefixtures("few_draws")


# Unasked ------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("no_draws")
@pytest.mark.parametrize("make", [board, battles, lambda: season()["wine"]])
@pytest.mark.parametrize(
    "look",
    [
        str,
        repr,
        list,
        Leaderboard._repr_html_,
        Leaderboard.frame,
        Leaderboard.to_json,
        lambda found: [row.epp for row in found.rows],
        lambda found: found.row(found.players[0]).epp,
        lambda found: found.look_closer(details=False),
    ],
    ids=["str", "repr", "rows", "html", "frame", "json", "all epp", "one epp", "no closer look"],
)
def test_looking_at_a_board_simulates_nothing(
    make: Callable[[], Leaderboard], look: Callable[[Leaderboard], object]
) -> None:
    found = make()
    look(found)
    assert (found.detailed, found.assessed) == (False, False)
    assert details_of(found) == [None] * len(DETAILS)


@pytest.mark.usefixtures("no_draws")
@pytest.mark.parametrize(
    "ask",
    [
        Leaderboard.details,
        Leaderboard.quality,
        Leaderboard.sota,
        Leaderboard.bootstrap,
        Leaderboard.look_closer,
    ],
)
def test_asking_would_simulate(ask: Callable[[Leaderboard], object]) -> None:
    """Without this, the test before it would say little."""
    with pytest.raises(Simulated):
        ask(board())


# Asked --------------------------------------------------------------------------------------------


def test_details_are_kept_and_shown() -> None:
    found = board()
    assert str(found) == PLAIN
    assert found.to_dict()["ranking"] is None
    details = found.details()
    assert found.details() is details
    assert (found.detailed, found.assessed) == (True, False)
    assert details_of(found) == [1, 3, details.p_best[0], "a", details.quasi_se[0]]
    assert str(found).splitlines()[0] == (
        "rank  could be  player    EPP  95% interval  P(>avg)  P(best)  alike"
    )
    assert found.to_dict()["ranking"] == {
        "ranks": "marginal",
        "adjust": "holm",
        "could_be_best": ["a", "b", "c"],
        "alike": [["a", "b", "c"]],
        "quasi_worst": pytest.approx(details.quasi_worst),
    }


def test_quality_is_kept_unless_it_was_asked_for_with_options() -> None:
    found = board()
    for options in ({"simulations": 5}, {"seed": 3}, {"convention": "paper"}):
        found.quality(**options)
        assert (found.assessed, found.to_dict()["quality"]) == (False, None)
    quality = found.quality()
    assert found.quality() is quality
    assert (found.detailed, found.assessed) == (False, True)
    assert found.to_dict()["quality"] == quality.to_dict()
    assert found.quality(seed=found.how.details.seed) == quality


@pytest.mark.parametrize("ask", [Leaderboard.details, Leaderboard.quality, Leaderboard.look_closer])
def test_what_was_asked_for_survives_json_and_is_not_computed_again(
    monkeypatch: pytest.MonkeyPatch, ask: Callable[[Leaderboard], object]
) -> None:
    found = board()
    ask(found)
    for name in SIMULATING:
        monkeypatch.setattr(name, refuse)
    again = Leaderboard.from_json(found.to_json())
    assert (again.detailed, again.assessed) == (found.detailed, found.assessed)
    assert again.to_json() == found.to_json()
    assert list(again) == list(found)
    assert str(again) == str(found)
    if found.detailed:
        assert again.details().letters == found.details().letters
        assert again.details().could_be_best == found.details().could_be_best
    if found.assessed:
        assert again.quality() == found.quality()


def test_details_may_be_asked_for_at_once() -> None:
    found, later = board(details=True), board()
    assert (found.detailed, found.assessed) == (True, True)
    later.look_closer()
    for part in ("players", "ranking", "quality"):
        assert found.to_dict()[part] == later.to_dict()[part]
    both = season(details=True)
    assert [(one.detailed, one.assessed) for one in both.values()] == [(True, True)] * 2


def test_closer_look_at_a_season_is_one_at_each_board() -> None:
    found = season()
    found.look_closer()
    assert [(one.detailed, one.assessed) for one in found.values()] == [(True, True)] * 2
    for board, at_once in zip(found.values(), season(details=True).values(), strict=True):
        assert board.to_dict()["quality"] == at_once.to_dict()["quality"]
        assert board.columns() == at_once.columns()


def test_closer_look_is_left_out_where_it_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    for most, looked in ((2, False), (3, True)):
        monkeypatch.setattr("winodds.board.extent.MODERATE", most)
        found = board()
        found.look_closer(details=None)
        assert (found.detailed, found.assessed) == (looked, looked)
