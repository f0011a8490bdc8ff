"""Options, declared once and checked at the door."""

import inspect
import json
from dataclasses import dataclass
from functools import partial
from typing import Any

import click
import numpy as np
import polars as pl
import pytest
from tables import facts, sentence, three_by_three

from winodds import Leaderboard, WinoddsError, rate, rate_battles, rate_each, rate_logs
from winodds.board.how import Interval
from winodds.cli.options import as_click, give
from winodds.errors import BadOption, OverlapAcrossTournaments, UnknownPlayer
from winodds.language.checks import (
    check_between,
    check_choice,
    check_count,
    check_flag,
    check_jobs,
    check_listener,
    check_number,
    check_positive,
    check_role,
)
from winodds.language.option import Checked, declarations, declare
from winodds.language.options import (
    BattleOptions,
    Options,
    Rules,
    ScoreOptions,
    SeasonOptions,
    SourceOptions,
)
from winodds.show.report.contents import describe_how

NUMBER = "it is a number"
SEED = "it is a whole number, 0 or more"
INSIDE = "it is a number between 0 and 1, ends excluded"
TOLERANCE = "it is 0 or a positive number on the scores' scale"
ESTIMATORS = 'it is one of "bias-reduced", "mle", "ridge"'
DUPLICATES = 'it is one of "error", "mean", "first", "last", "best"'

BAD: list[tuple[str, Any, str]] = [
    ("matches", "between", 'it is one of "within", "across"'),
    ("matches", None, 'it is one of "within", "across"'),
    ("matches", ["within"], 'it is one of "within", "across"'),
    ("tie_tolerance", -0.1, TOLERANCE),
    ("tie_tolerance", float("nan"), TOLERANCE),
    ("tie_tolerance", float("inf"), TOLERANCE),
    ("tie_tolerance", "0.1", NUMBER),
    ("tie_tolerance", True, NUMBER),
    ("tie_tolerance", None, NUMBER),
    ("missing", "drop", 'it is one of "skip", "lose"'),
    ("duplicates", "max", DUPLICATES),
    ("estimator", "MLE", ESTIMATORS),
    ("estimator", "bt", ESTIMATORS),
    ("prior_sd", 1.0, 'it belongs to estimator="ridge"'),
    ("interval", "bootstrap", 'it is one of "robust", "model"'),
    ("level", 0, INSIDE),
    ("level", 1, INSIDE),
    ("level", 95, INSIDE),
    ("level", float("nan"), INSIDE),
    ("level", "0.95", NUMBER),
    ("level", True, NUMBER),
    ("components", "drop", 'it is one of "error", "separate"'),
    ("details", "yes", "it is True, False, or None to wait until they are asked for"),
    ("convention", "book", 'it is one of "pairs", "paper"'),
    ("convention", None, 'it is one of "pairs", "paper"'),
    ("seed", -1, SEED),
    ("seed", 0.5, SEED),
    ("seed", None, SEED),
    ("test_fraction", 0, INSIDE),
    ("test_fraction", 1.0, INSIDE),
    ("test_fraction", "0.1", NUMBER),
]


def refusal(option: str, value: Any, wanted: str) -> str:
    shown = f'"{value}"' if isinstance(value, str) else repr(value)
    return f"{option}={shown} is not possible; {wanted}."


@pytest.mark.parametrize(("option", "value", "wanted"), BAD)
def test_value_that_an_option_cannot_have_is_refused(option: str, value: Any, wanted: str) -> None:
    options: dict[str, Any] = {option: value, "higher_is_better": True}
    expected = refusal(option, value, wanted)
    assert sentence(BadOption, lambda: rate(three_by_three(), **options)) == expected
    assert expected == sentence(
        BadOption, lambda: rate_each(three_by_three(), tournament="round", **options)
    )


@pytest.mark.parametrize(
    ("option", "value", "wanted"),
    [row for row in BAD if row[0] in ("estimator", "prior_sd", "interval", "level", "components")],
)
def test_value_is_refused_for_battles_too(option: str, value: Any, wanted: str) -> None:
    table = pl.DataFrame({"winner": ["x", "y"], "loser": ["y", "x"]})
    options: dict[str, Any] = {option: value}
    assert sentence(BadOption, lambda: rate_battles(table, loser="loser", **options)) == refusal(
        option, value, wanted
    )


@pytest.mark.parametrize("value", [0.0, -1.0, 1e6, float("nan"), float("inf")])
def test_prior_needs_a_positive_spread(value: float) -> None:
    assert sentence(BadOption, lambda: Options(estimator="ridge", prior_sd=value)) == (
        f"prior_sd={value!r} is not possible; it is a number between 1e-06 and 1e+06, ends "
        f"excluded."
    )


def test_prior_has_a_default_for_ridge_alone() -> None:
    assert Options().ridge_sd is None
    assert Options(estimator="ridge").ridge_sd == 2.0
    assert Options(estimator="ridge", prior_sd=0.5).ridge_sd == 0.5


def test_prior_too_narrow_for_a_computer_is_refused() -> None:
    with pytest.raises(WinoddsError):
        rate(three_by_three(), estimator="ridge", prior_sd=1e-200, higher_is_better=True)


def test_separate_components_share_no_zero() -> None:
    assert sentence(BadOption, lambda: Options(components="separate", reference="rf")) == (
        'reference="rf" is not possible; components that are rated separately '
        '(components="separate") share no zero.'
    )


def test_options_are_checked_before_the_table_is_looked_at() -> None:
    with pytest.raises(BadOption):
        rate("no table", level=2)


def test_weights_do_not_go_with_matches_across_rounds() -> None:
    table = three_by_three().with_columns(w=pl.lit(1.0))
    assert sentence(
        BadOption, lambda: rate(table, weights="w", matches="across", higher_is_better=True)
    ) == (
        'weights="w" is not possible; a match across rounds hangs on two of them; count '
        'matches="within".'
    )


def test_overlap_is_that_of_single_splits() -> None:
    table = three_by_three().with_columns(lab=pl.col("round") % 2)
    assert sentence(
        BadOption,
        lambda: rate(table, cluster="lab", test_fraction=0.1, higher_is_better=True),
    ) == (
        "test_fraction=0.1 is not possible; it is for single splits as the independent units; drop "
        "it or cluster."
    )


def test_overlap_is_not_corrected_across_tournaments() -> None:
    table = three_by_three()
    both = pl.concat([table.with_columns(data=pl.lit(name)) for name in ("x", "y")])
    assert sentence(
        OverlapAcrossTournaments,
        lambda: rate(both, tournament="data", test_fraction=0.1, higher_is_better=True),
    ) == (
        "test_fraction corrects for splits of one data set that share training data; this "
        "board's clusters are whole data sets, which share none. Leave that option out."
    )


@pytest.mark.parametrize(
    ("option", "plain", "of_numpy"),
    [
        ("level", 0.5, np.float64(0.5)),
        ("level", 0.5, np.float32(0.5)),
        ("tie_tolerance", 1, np.int64(1)),
        ("tie_tolerance", 0.25, np.float16(0.25)),
        ("test_fraction", 0.25, np.float32(0.25)),
    ],
)
def test_numbers_of_numpy_are_numbers(option: str, plain: float, of_numpy: Any) -> None:
    given: dict[str, Any] = {option: of_numpy}
    expected: dict[str, Any] = {option: plain}
    board = rate(three_by_three(), higher_is_better=True, **given)
    assert facts(board) == facts(rate(three_by_three(), higher_is_better=True, **expected))
    assert board.to_json() == rate(three_by_three(), higher_is_better=True, **expected).to_json()


def test_reference_has_rating_zero() -> None:
    board = rate(three_by_three(), reference="b", higher_is_better=True)
    row = board.row("b")
    assert (row.epp, row.se, row.low, row.high) == (0.0, 0.0, 0.0, 0.0)
    assert board.row("a").epp == board.difference("a", "b").value
    assert board.row("a").low == pytest.approx(board.difference("a", "b").low, rel=1e-12)
    assert board.how.reference == "b"


def test_unknown_reference_is_answered_by_a_name_like_it() -> None:
    table = three_by_three().with_columns(pl.col("player").replace({"a": "xgboost"}))
    assert sentence(
        UnknownPlayer, lambda: rate(table, reference="XGBost", higher_is_better=True)
    ) == ("No player 'XGBost' on this leaderboard. Did you mean 'xgboost'?")


@pytest.mark.parametrize("value", [0, "two", 1.5])
def test_number_of_jobs_is_checked(value: Any) -> None:
    table = three_by_three().with_columns(data=pl.lit("x"))
    with pytest.raises(BadOption, match="n_jobs"):
        rate_each(table, tournament="data", higher_is_better=True, n_jobs=value)


def test_progress_is_told_to_a_function() -> None:
    """Before anything is rated, and wherever calls are counted."""
    wanted = "it is a function that is told how many calls are done, and of how many"
    no_function: Any = 5
    call = partial(rate_each, "no table", tournament="data", progress=no_function)
    assert sentence(BadOption, call) == refusal("progress", 5, wanted)
    board = rate(three_by_three(), higher_is_better=True)
    ask = partial(board.quality, simulations=100, progress=no_function)
    assert sentence(BadOption, ask) == refusal("progress", 5, wanted)


def test_how_boards_were_made_at_a_time_is_no_fact_about_them() -> None:
    table = three_by_three().with_columns(data=pl.lit("x"))
    season = rate_each(
        table, tournament="data", higher_is_better=True, n_jobs=2, progress=lambda *_: None
    )
    assert season["x"].how.options == {"higher_is_better": True, "tournament": "data"}


@dataclass(frozen=True, kw_only=True)
class Numbers(Checked):
    """Whole numbers, with and without a least one."""

    section = "Numbers"

    shift: int = declare(0, "By so many.")
    folds: int | None = declare(None, "So many.", least=2)


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ({"shift": 0.5}, refusal("shift", 0.5, "it is a whole number")),
        ({"shift": "1"}, refusal("shift", "1", "it is a whole number")),
        ({"shift": True}, refusal("shift", True, "it is a whole number")),
        ({"shift": None}, refusal("shift", None, "it is a whole number")),
        ({"folds": 1}, refusal("folds", 1, "it is a whole number, 2 or more")),
        ({"folds": 2.0}, refusal("folds", 2.0, "it is a whole number, 2 or more")),
    ],
)
def test_whole_number_is_checked_by_its_type(given: dict[str, Any], wanted: str) -> None:
    assert sentence(BadOption, lambda: Numbers(**given)) == wanted


def test_whole_numbers_of_numpy_become_plain() -> None:
    shift: Any = np.int64(-3)
    assert json.dumps(Numbers(shift=shift, folds=2).given()) == '{"shift": -3, "folds": 2}'


def test_help_of_commands_knows_the_least_number() -> None:
    options = [as_click(found) for found in declarations(Numbers).values()]
    command = click.command()(give(lambda: None, options))
    shown = click.Context(command, terminal_width=80).get_help()
    assert "--shift INTEGER        By so many.  [default: 0]\n" in shown
    assert "--folds INTEGER RANGE  So many.  [x>=2]\n" in shown


@pytest.mark.parametrize(
    ("check", "value"),
    [
        (partial(check_choice, choices=("a", "b")), "a"),
        (partial(check_between, low=0.0, high=1.0), 0.5),
        (partial(check_positive, scale="a scale"), 0.5),
        (partial(check_flag, neither="to wait"), False),
        (partial(check_role, several=True), ["a", "b"]),
        (check_number, 2.5),
        (check_count, 3),
        (check_jobs, -1),
        (check_listener, print),
    ],
)
def test_every_check_gives_the_value_to_be_kept(check: Any, value: Any) -> None:
    assert check("name", value) == value


def test_rules_have_the_defaults_of_rate() -> None:
    assert Rules() == Rules(matches="within", tie_tolerance=0.0, missing="skip", duplicates="error")
    how = rate(three_by_three(), higher_is_better=True).how
    assert (how.matches.kind, how.matches.tie_tolerance) == ("within", 0.0)
    assert (how.missing, how.duplicates, how.estimator) == ("skip", "error", "bias-reduced")
    assert how.interval == Interval(
        kind="robust", level=0.95, cluster="round", clusters=3, test_fraction=None
    )


def test_misspelt_option_is_no_option() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'higher_is_beter'"):
        rate(three_by_three(), higher_is_beter=True)  # type: ignore[call-arg]


# One declaration ----------------------------------------------------------------------------------

ONE_COLUMN = "it is the name of a column"
COLUMNS = "it is the name of a column, or a list of names"


@pytest.mark.parametrize(
    ("role", "wanted"),
    [
        *((role, COLUMNS) for role in ("player", "round", "tournament", "family", "cluster")),
        ("hyperparameters", COLUMNS),
        *((role, ONE_COLUMN) for role in ("score", "status", "weights")),
        *((role, ONE_COLUMN) for role in ("metric_column", "direction_column")),
    ],
)
def test_role_is_played_by_a_column(role: str, wanted: str) -> None:
    given: dict[str, Any] = {role: 5}
    assert sentence(BadOption, lambda: rate(three_by_three(), **given)) == (
        f"{role}=5 is not possible; {wanted}."
    )


@pytest.mark.parametrize("role", ["left", "right", "winner", "loser", "weights"])
def test_role_of_battles_is_played_by_one_column(role: str) -> None:
    given: dict[str, Any] = {role: ["a", "b"]}
    assert sentence(BadOption, lambda: rate_battles(three_by_three(), **given)) == (
        f"{role}=['a', 'b'] is not possible; {ONE_COLUMN}."
    )


def test_season_needs_a_tournament() -> None:
    none: dict[str, Any] = {"tournament": None}
    assert sentence(BadOption, lambda: rate_each(three_by_three(), **none)) == (
        f"tournament=None is not possible; {COLUMNS}."
    )


def test_misspelt_option_is_answered_by_the_one_like_it() -> None:
    with pytest.raises(TypeError) as caught:
        rate(three_by_three(), esimator="mle")  # type: ignore[call-arg]
    assert str(caught.value) == (
        "rate() got an unexpected keyword argument 'esimator'. Did you mean 'estimator'?"
    )
    with pytest.raises(TypeError) as caught:
        rate_battles(three_by_three(), xyz=1)  # type: ignore[call-arg]
    assert str(caught.value) == "rate_battles() got an unexpected keyword argument 'xyz'"


def test_options_are_given_by_name() -> None:
    with pytest.raises(TypeError) as caught:
        rate(three_by_three(), "player")  # type: ignore[call-arg]
    assert str(caught.value) == "rate() too many positional arguments"


@pytest.mark.parametrize(
    ("function", "kind"),
    [
        (rate, ScoreOptions),
        (rate_each, SeasonOptions),
        (rate_battles, BattleOptions),
        (rate_logs, SourceOptions),
    ],
)
def test_signature_and_help_have_every_option(function: Any, kind: type) -> None:
    parameters = inspect.signature(function).parameters
    for name, declared in declarations(kind).items():
        assert parameters[name].kind is inspect.Parameter.KEYWORD_ONLY
        assert parameters[name].annotation == declared.type
        assert parameters[name].default == declared.default
        assert f"\n    {name} : {declared.documentation.split(' ')[0]}" in function.__doc__
    data = "folder" if function is rate_logs else "table"
    assert set(parameters) - set(declarations(kind)) == {data}


def test_shapes_of_an_option_are_those_of_the_functions_that_take_it() -> None:
    scores, battles = declarations(ScoreOptions), declarations(BattleOptions)
    for name, declared in {**scores, **battles}.items():
        assert ("long" in declared.option.shapes) == (name in scores), name
        assert ("battles" in declared.option.shapes) == (name in battles), name


def families() -> pl.DataFrame:
    return three_by_three().with_columns(kind=pl.lit("tree"))


def test_old_name_of_an_option_is_taken() -> None:
    old: dict[str, Any] = {"group": "kind", "higher_is_better": True}
    new = rate(families(), family="kind", higher_is_better=True)
    assert rate(families(), **old).to_json() == new.to_json()
    assert new.families == ("tree", "tree", "tree")
    assert new.how.scheme.column("family") == "kind"
    table = families().with_columns(data=pl.lit("x"))
    assert rate_each(table, tournament="data", **old)["x"].families == ("tree",) * 3


def test_old_and_new_name_of_an_option_do_not_go_together() -> None:
    both: dict[str, Any] = {"group": "kind", "family": "kind"}
    assert sentence(BadOption, lambda: rate(families(), **both)) == (
        'group="kind" is not possible; it is another name of family=, which is given too.'
    )


def test_board_keeps_the_options_that_are_not_the_usual_ones() -> None:
    table = three_by_three().rename({"player": "model"})
    way: Any = {"1": np.True_, "2": True, "3": True}
    level: Any = np.float32(0.5)
    board = rate(table, player=("model",), higher_is_better=way, level=level, seed=0)
    kept = {"player": ["model"], "higher_is_better": dict.fromkeys("123", True), "level": 0.5}
    assert board.how.options == kept
    assert Leaderboard.from_json(board.to_json()).how.options == kept


def test_page_prints_the_call_that_made_the_board() -> None:
    board = rate(families(), family="kind", higher_is_better=True, estimator="ridge", prior_sd=1)
    assert describe_how(board, None).commands == (
        (
            "In Python",
            "winodds.rate(\n    table,\n    family='kind',\n    higher_is_better=True,\n"
            "    estimator='ridge',\n    prior_sd=1.0,\n)",
        ),
    )
    battles = pl.DataFrame({"winner": ["x", "y", "x"], "loser": ["y", "x", "y"]})
    found = rate_battles(battles, loser="loser", interval="model")
    assert describe_how(found, None).commands[0][1] == (
        "winodds.rate_battles(\n    table,\n    loser='loser',\n    interval='model',\n)"
    )
