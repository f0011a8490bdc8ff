"""Races in pictures and on pages: who was parked or dropped when and why, and what was saved."""

import re
from html import unescape

import numpy as np
import polars as pl
import pytest
from racing import SCENES, run_race

import winodds
from winodds import errors
from winodds.show.layout.races import fates_grid
from winodds.show.layout.results import document_of
from winodds.show.report.page import render_report
from winodds.tune import Rules
from winodds.tune.courses import Course, course_of

NAMES = [f"s{j:02}" for j in range(16)]


def make_course(rules: Rules | None = None, scene: str = "near-equal") -> Course:
    scores = SCENES[scene](16, np.random.default_rng(3))
    race = run_race(scores[np.random.default_rng(4).permutation(16)], rules)
    return course_of(race, NAMES, race.foresee())


@pytest.fixture(scope="module", params=["park", "prove", "folds", "off"])
def course(request: pytest.FixtureRequest) -> Course:
    rules = {
        "park": Rules(),
        "prove": Rules(strategy="prove"),
        "folds": Rules(splits="folds"),
        "off": Rules(splits="dependent"),
    }
    return make_course(rules[request.param])


def test_of_every_setting_it_is_told_what_became_of_it_when_and_why(course: Course) -> None:
    rows = course.figures.race().rows
    assert {row["label"]: row["paid"] for row in rows} == dict(course.paid)
    assert {row["label"]: row["state"] for row in rows} == dict(course.state)
    assert (rows[0]["label"], rows[0]["word"]) == (course.choice, "chosen")
    order = [("left", "parked", "dropped").index(row["state"]) for row in rows[1:]]
    assert order == sorted(order)
    decided = {
        one.setting: one
        for step in course.race.steps
        for one in step.decisions
        if one.act != "back"
    }
    for row in rows:
        assert bool(row["why"]) is (row["state"] != "left")
        last = decided.get(NAMES.index(row["label"]))
        if row["state"] == "dropped":
            assert row["why"] == "refuted as the best"
            assert row["chance"] is None
        elif row["state"] == "parked":
            assert last is not None
            assert row["chance"] == last.value
            unlikely = last.value < course.race.rules.park
            assert row["why"].startswith("unlikely" if unlikely else "others are likelier")
    back = [
        one.setting for step in course.race.steps for one in step.decisions if one.act == "back"
    ]
    assert sum(row["back"] for row in rows) == len(back)


def test_words_are_never_mixed(course: Course) -> None:
    """What is only estimated is never called dropped, and nobody is "eliminated"."""
    texts = [course.text, str(document_of(course))]
    texts += [getattr(course.figures, name)().caption for name in ("race", "ratings", "spent")]
    said = " ".join(texts).lower()
    assert not re.search("eliminat|discard|kill|prun", said)
    if course.claim == "off":
        assert "nothing is dropped" in said
        assert "dropped" not in str(document_of(course).sections[0].blocks[1:])
        assert "dropped" not in course.state.values()
    if course.strategy == "prove":
        assert "parked" not in said
        assert not any(course.figures.spent().cells["parked"])


def test_few_settings_are_shown_if_that_is_asked(course: Course) -> None:
    few = course.figures.race(top=5)
    assert len(few) == 5
    assert few.caption.endswith(" 11 more settings are not shown.")
    with pytest.raises(errors.BadOption, match="top=0 is not possible"):
        course.figures.race(top=0)
    with pytest.raises(errors.BadOption, match="top=0 is not possible"):
        course.figures.ratings(top=0)


def test_ratings_are_those_of_each_split_as_long_as_a_setting_ran(course: Course) -> None:
    figure = course.figures.ratings(top=6)
    steps = {step.split: k for k, step in enumerate(course.race.steps)}
    for row in figure.rows:
        number, k = NAMES.index(row["label"]), steps[row["split"]]
        rated, step = course.race.rate(k), course.race.steps[k]
        assert row["epp"] == rated.epp[number]
        assert row["low"] == (rated.low[number] if np.isfinite(rated.low[number]) else None)
        assert row["p_best"] == step.p_best[number]
        assert step.paid[number] == row["split"]
    assert figure.rows[0]["label"] == course.choice
    last = [row["label"] for row in figure.rows if row["last"]]
    assert len(last) == len(set(last)) == 6
    own = [row["split"] for row in figure.rows if row["order"] == 0]
    assert own[-1] == course.paid[course.choice]


def test_what_was_spent_and_saved_adds_up(course: Course) -> None:
    figure = course.figures.spent()
    cells = figure.cells
    kinds = ("paid", "parked", "dropped", "stopped")
    assert [sum(row[kind] for kind in kinds) for row in figure.rows] == [16] * 20
    assert sum(cells["paid"]) == course.fits
    paid = np.array(list(course.paid.values()))
    assert cells["paid"] == [int((paid > split).sum()) for split in range(20)]
    dropped = np.array([own == "dropped" for own in course.state.values()])
    assert sum(cells["dropped"]) == (20 - paid[dropped]).sum()
    assert figure.title == f"Spent on {course.fits} fits, saved {320 - course.fits}"


@pytest.mark.parametrize("name", ["race", "ratings", "spent"])
def test_pictures_are_drawn_of_every_kind_of_race(course: Course, name: str) -> None:
    figure = getattr(course.figures, name)()
    spec = getattr(course.plot, name)().to_dict()
    assert spec["description"] == f"{figure.title}. {figure.caption}"


def test_two_settings_and_failures_everywhere_have_pictures_too() -> None:
    scores = np.full((2, 6), 0.5)
    scores[1] = -np.inf
    course = course_of(run_race(scores), ["good", "bad"])
    assert course.end == "alone"
    assert [row["why"] for row in course.figures.race().rows] == ["", "a fit failed"]
    for name in ("race", "ratings", "spent"):
        assert getattr(course.plot, name)().to_dict()["description"]


def test_the_whole_text_of_a_race() -> None:
    course = make_course(Rules(strategy="prove"))
    left, gone = ([*course.state.values()].count(word) for word in ("left", "dropped"))
    assert course.prospects is not None
    assert course.text == (
        f"The race paid for {course.fits} of 320 fits ({round(100 * course.share)}%) and chose "
        f"{course.choice}. It ran to the last split. Of 16 settings {gone} are dropped and {left} "
        "left. Dropped settings are refuted as the best; that is wrong in 5 of 100 races at most. "
        "Several are about equally good: chances of being best say too much, and which of them "
        f"is chosen matters little. {course.prospects.text}"
    )


def test_fates_stand_in_a_table() -> None:
    course = make_course(Rules(strategy="prove"))
    grid = fates_grid(course, top=3)
    assert grid.header == ("setting", "state", "splits", "P(better)", "why", "came back")
    assert grid.rows[0] == (course.choice, "chosen", "20", "", "", "")
    assert grid.left_out == 13
    whole = fates_grid(course)
    dropped = next(row for row in whole.rows if row[1] == "dropped")
    assert re.fullmatch(r"refuted as the best: bets against it grew \d\d-fold", dropped[4])


def test_a_report_tells_the_race_of_its_board(course: Course) -> None:
    rows = [(name, f"t{t}", 0.1 * k + 0.01 * t) for k, name in enumerate(NAMES) for t in range(20)]
    table = pl.DataFrame(rows, schema=["player", "round", "score"], orient="row")
    board = winodds.rate(table, higher_is_better=True)
    plain = render_report(board)
    assert 'href="#race"' not in plain
    board.race = course
    page = render_report(board)
    section = page[page.index('<section id="race"') : page.index('<section id="leaderboard"')]
    assert course.text in unescape(section)
    assert section.count('<th scope="row"') == len({one.split for one in course.moments}) + 16
    for name in ("race", "ratings", "spent"):
        assert f'<figure id="figure-0-{name}"' in page
