"""Columns' names, and what was said about them, tell the shape of a table."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from tables import sentence

from winodds.errors import BadOption, MissingColumn, RolesUnclear, ShapeUnclear, WinoddsError
from winodds.language.option import declarations
from winodds.language.options import Roles, Shaping
from winodds.language.spelling import command_line_spelling
from winodds.read.shapes import Battles, Given, Long, Wide, find_shape

PLAYERS = [
    "model",
    "player",
    "method",
    "classifier",
    "framework",
    "flow",
    "algorithm",
    "system",
    "name",
]
SPLITS = ["split", "fold", "round", "resample", "seed"]
TASKS = ["task", "dataset", "data"]
SCORES = ["score", "value", "result"]
METRICS = [
    "accuracy",
    "auc",
    "f1",
    "r2",
    "error",
    "loss",
    "logloss",
    "rmse",
    "mae",
    "metric_error",
    "neg_log_loss",
]


def roles_of(player: Any, round: Any, score: str, **others: Any) -> Roles:
    return Roles(player=player, round=round, score=score, **others)


def told(**what: Any) -> Given:
    """What was said, with a column's name for a tuple of one."""
    shaping = {name: what.pop(name) for name in declarations(Shaping) if name in what}
    direction = what.pop("higher_is_better", None)
    columns = {role: (it,) if isinstance(it, str) else it for role, it in what.items()}
    return Given(columns, Shaping(**shaping), direction)


def long(columns: str, **given: Any) -> Roles:
    shape = find_shape(columns.split(), told(**given))
    assert isinstance(shape, Long)
    return shape.roles


def find(columns: str, **given: Any) -> Callable[[], object]:
    return lambda: find_shape(columns.split(), told(**given))


def spellings(error: type[WinoddsError], call: Callable[[], object]) -> tuple[str, str]:
    """The sentence in Python and on the command line."""
    with command_line_spelling():
        command = sentence(error, call)
    return sentence(error, call), command


def changed(names: Sequence[str]) -> list[str]:
    """Names in other cases, and with what an identifier adds."""
    return [
        *(name for plain in names for name in (plain, plain.upper(), plain.capitalize())),
        *(f"{plain}{ending}" for plain in names for ending in ("_name", "_id", "_ID", " id")),
    ]


# Roles by name ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", changed(PLAYERS))
def test_player_is_found_by_name(name: str) -> None:
    assert find_shape([name, "fold", "auc"], told()) == Long(roles_of(name, "fold", "auc"))


@pytest.mark.parametrize("name", changed([*SPLITS, *TASKS]))
def test_round_is_found_by_name(name: str) -> None:
    assert find_shape(["model", name, "auc"], told()) == Long(roles_of("model", name, "auc"))


@pytest.mark.parametrize("name", changed(TASKS))
@pytest.mark.parametrize("split", SPLITS)
def test_task_beside_a_split_is_the_tournament(name: str, split: str) -> None:
    shape = find_shape(["model", name, split, "auc"], told())
    assert shape == Long(roles_of("model", split, "auc", tournament=name))


@pytest.mark.parametrize("name", changed([*SCORES, *METRICS]))
def test_score_is_found_by_name(name: str) -> None:
    assert find_shape(["model", "fold", name], told()) == Long(roles_of("model", "fold", name))


def test_score_that_is_called_so_goes_before_metrics() -> None:
    assert long("framework task fold result auc logloss acc").score == "result"


def test_other_columns_play_no_part() -> None:
    assert long("id model comment fold auc duration") == roles_of("model", "fold", "auc")


@pytest.mark.parametrize("name", ["metric", "Metric_Name", "measure", "function"])
def test_column_that_names_the_metric_is_found(name: str) -> None:
    roles = roles_of("model", "fold", "value", metric_column=name)
    assert long(f"model fold value {name}") == roles
    directed = long(f"model fold value {name}", higher_is_better=True)
    assert directed == replace(roles, higher_is_better=True)


@pytest.mark.parametrize("name", ["direction", "Higher_Is_Better", "greater_is_better"])
def test_column_that_tells_the_direction_is_found(name: str) -> None:
    assert long(f"model fold value {name}") == roles_of(
        "model", "fold", "value", direction_column=name
    )


def test_direction_that_was_given_goes_before_a_column_of_directions() -> None:
    for given in (True, False):
        roles = long("model fold value direction", higher_is_better=given)
        assert roles == roles_of("model", "fold", "value", higher_is_better=given)


def test_metric_and_direction_stand_side_by_side_unless_one_was_given() -> None:
    columns = "model fold value metric direction"
    plain = roles_of("model", "fold", "value", metric_column="metric")
    assert long(columns) == replace(plain, direction_column="direction")
    assert long(columns, direction_column="direction") == roles_of(
        "model", "fold", "value", direction_column="direction"
    )
    assert long(columns, metric_column="metric") == plain


@pytest.mark.parametrize(
    ("role", "columns"),
    [
        ("metric_column", "metric measure"),
        ("direction_column", "direction higher_is_better"),
        ("status", "status run_state"),
    ],
)
def test_two_columns_that_could_play_a_minor_role_are_refused(role: str, columns: str) -> None:
    first, second = columns.split()
    python, command = spellings(RolesUnclear, find(f"model fold value {columns}"))
    end = f"The columns are 'model', 'fold', 'value', '{first}', '{second}'."
    start = f"Two columns could be the {role}: '{first}', '{second}'. Say which it is, for instance"
    assert python == f'{start} {role}="{first}". {end}'
    assert command == f"{start} --{role.replace('_', '-')} {first}. {end}"


def test_given_column_ends_the_doubt_about_a_minor_role() -> None:
    plain = roles_of("model", "fold", "value")
    assert long("model fold value status state", status="state") == replace(plain, status="state")
    assert long("model fold value metric measure", metric_column="measure") == replace(
        plain, metric_column="measure"
    )
    assert long("model fold value status state", ignore=("state",)) == replace(
        plain, status="status"
    )


@pytest.mark.parametrize("score", ["auc", "test_rmse", "val/acc"])
def test_metric_column_is_not_used_where_the_score_is_a_known_metric(score: str) -> None:
    assert long(f"model fold {score} metric") == roles_of("model", "fold", score)
    assert long(f"model fold {score} metric measure") == roles_of("model", "fold", score)
    assert long(f"model fold {score} metric", metric_column="metric") == roles_of(
        "model", "fold", score, metric_column="metric"
    )
    assert long(f"model fold {score} metric direction") == roles_of(
        "model", "fold", score, direction_column="direction"
    )


@pytest.mark.parametrize(
    "name", ["test_score", "Test Score", "val/score", "metrics/result", "validation_value"]
)
def test_prefix_that_tells_the_data_does_not_matter_to_a_score(name: str) -> None:
    assert find_shape(["model", "fold", name, "auc"], told()) == Long(
        roles_of("model", "fold", name)
    )


@pytest.mark.parametrize("name", ["mean_test_score", "train_score", "auc/val"])
def test_other_prefixes_make_no_score(name: str) -> None:
    with pytest.raises(RolesUnclear):
        find_shape(["model", "fold", name], told())


@pytest.mark.parametrize("name", ["status", "Run_Status", "state", "run_state"])
def test_status_is_found_by_name(name: str) -> None:
    assert long(f"model fold value {name}") == roles_of("model", "fold", "value", status=name)


# Roles that were given ----------------------------------------------------------------------------


def test_given_roles_are_taken_as_they_are() -> None:
    columns = "a b c d e f g h i j k l m n"
    given = told(
        player=("a", "b"),
        round=("c", "d"),
        score="e",
        tournament=("f", "g"),
        family=("h",),
        hyperparameters=("m", "n", "a"),
        metric_column="i",
        status="j",
        cluster=("k", "c"),
        weights="l",
    )
    assert find_shape(columns.split(), given) == Long(
        roles_of(
            player=("a", "b"),
            round=("c", "d"),
            score="e",
            tournament=("f", "g"),
            family="h",
            hyperparameters=("m", "n", "a"),
            metric_column="i",
            status="j",
            cluster=("k", "c"),
            weights="l",
        )
    )


def test_given_roles_settle_what_names_do_not_tell() -> None:
    assert long("model method fold auc", player=("method",)) == roles_of("method", "fold", "auc")
    assert long("model fold seed auc", round=("seed",)) == roles_of("model", "seed", "auc")
    assert long("model fold auc f1", score="f1") == roles_of("model", "fold", "f1")
    assert long("x model y z", player=("x",), round=("y",), score="z") == roles_of("x", "y", "z")


def test_several_columns_may_form_a_round_or_a_player() -> None:
    roles = long("framework constraint task fold result", round=("task", "fold"))
    assert roles == roles_of("framework", ("task", "fold"), "result")
    roles = long("framework constraint task fold result", player=("framework", "constraint"))
    assert roles == roles_of(("framework", "constraint"), "fold", "result", tournament="task")


def test_task_is_the_tournament_when_another_column_was_given_as_round() -> None:
    assert long("model dataset run auc", round=("run",)) == roles_of(
        "model", "run", "auc", tournament="dataset"
    )
    assert long("model dataset auc", round=("dataset",)) == roles_of("model", "dataset", "auc")


def test_given_tournament_leaves_the_other_task_as_round() -> None:
    roles = long("model dataset task auc", tournament=("dataset",))
    assert roles == roles_of("model", "task", "auc", tournament="dataset")
    roles = long("model suite task auc", tournament=("suite",))
    assert roles == roles_of("model", "task", "auc", tournament="suite")


def test_ignored_columns_are_not_looked_at() -> None:
    assert long("model method fold auc", ignore=("method",)) == roles_of("model", "fold", "auc")
    assert long("model task fold auc", ignore=("fold",)) == roles_of("model", "task", "auc")
    assert long("model fold auc status metric", ignore=("status", "metric")) == roles_of(
        "model", "fold", "auc"
    )


@pytest.mark.parametrize(
    ("role", "value"),
    [
        *((role, ("Modle",)) for role in ("player", "round", "tournament", "family", "cluster")),
        *(
            (role, "Modle")
            for role in ("score", "metric_column", "direction_column", "status", "weights")
        ),
        *((role, "Modle") for role in ("left", "right", "winner", "loser")),
        ("ignore", ("Modle",)),
        ("player", ("model", "Modle")),
    ],
)
def test_given_column_that_is_not_there_is_refused(role: str, value: object) -> None:
    assert sentence(MissingColumn, find("model fold auc", **{role: value})) == (
        "No column 'Modle' in the table; it has 'model', 'fold', 'auc'. Did you mean 'model'?"
    )


def test_given_column_like_none_is_refused() -> None:
    assert sentence(MissingColumn, find("model fold auc", player=("zzz",))) == (
        "No column 'zzz' in the table; it has 'model', 'fold', 'auc'."
    )


# Roles that are unclear ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("columns", "python", "command"),
    [
        (
            "model method fold auc",
            "Two columns could be the player: 'model', 'method'. Say which it is, for instance "
            'player="model" (or player=["model", "method"] if two together name a player). The '
            "columns are 'model', 'method', 'fold', 'auc'.",
            "Two columns could be the player: 'model', 'method'. Say which it is, for instance "
            "--player model (or --player model --player method if two together name a player). The "
            "columns are 'model', 'method', 'fold', 'auc'.",
        ),
        (
            "model seed fold auc",
            "Two columns could be the round: 'fold', 'seed'. Say which it is, for instance "
            'round="fold" (or round=["fold", "seed"] if two together name a round). The columns '
            "are 'model', 'seed', 'fold', 'auc'.",
            "Two columns could be the round: 'fold', 'seed'. Say which it is, for instance "
            "--round fold (or --round fold --round seed if two together name a round). The columns "
            "are 'model', 'seed', 'fold', 'auc'.",
        ),
        (
            "model fold auc rmse",
            "Two columns could be the score: 'auc', 'rmse'. Say which it is, for instance "
            "score=\"auc\". The columns are 'model', 'fold', 'auc', 'rmse'.",
            "Two columns could be the score: 'auc', 'rmse'. Say which it is, for instance "
            "--score auc. The columns are 'model', 'fold', 'auc', 'rmse'.",
        ),
        (
            "model fold value score",
            "Two columns could be the score: 'score', 'value'. Say which it is, for instance "
            "score=\"score\". The columns are 'model', 'fold', 'value', 'score'.",
            "Two columns could be the score: 'score', 'value'. Say which it is, for instance "
            "--score score. The columns are 'model', 'fold', 'value', 'score'.",
        ),
        (
            "model data task fold auc",
            "Two columns could be the tournament: 'task', 'data'. Say which it is, for instance "
            "tournament=\"task\". The columns are 'model', 'data', 'task', 'fold', 'auc'.",
            "Two columns could be the tournament: 'task', 'data'. Say which it is, for instance "
            "--tournament task. The columns are 'model', 'data', 'task', 'fold', 'auc'.",
        ),
        (
            "flow_id flow_name task_id fold value",
            "Two columns could be the player: 'flow_id', 'flow_name'. Say which it is, for "
            'instance player="flow_id" (or player=["flow_id", "flow_name"] if two together name a '
            "player). The columns are 'flow_id', 'flow_name', 'task_id', 'fold', 'value'.",
            "Two columns could be the player: 'flow_id', 'flow_name'. Say which it is, for "
            "instance --player flow_id (or --player flow_id --player flow_name if two together "
            "name a player). The columns are 'flow_id', 'flow_name', 'task_id', 'fold', 'value'.",
        ),
    ],
)
def test_two_candidates_for_a_role_are_shown(columns: str, python: str, command: str) -> None:
    assert spellings(RolesUnclear, find(columns)) == (python, command)


@pytest.mark.parametrize(
    ("columns", "python", "command"),
    [
        (
            "run fold auc",
            "No column has a usual name for the player. Say which it is, for instance "
            "player=\"run\". The columns are 'run', 'fold', 'auc'.",
            "No column has a usual name for the player. Say which it is, for instance "
            "--player run. The columns are 'run', 'fold', 'auc'.",
        ),
        (
            "model fold x",
            "No column has a usual name for the score. Say which it is, for instance "
            "score=\"x\". The columns are 'model', 'fold', 'x'.",
            "No column has a usual name for the score. Say which it is, for instance "
            "--score x. The columns are 'model', 'fold', 'x'.",
        ),
        (
            "model x",
            "No column has a usual name for the round or the score. Say which is which, for "
            "instance round=\"…\", score=\"…\". The columns are 'model', 'x'.",
            "No column has a usual name for the round or the score. Say which is which, for "
            "instance --round COLUMN --score COLUMN. The columns are 'model', 'x'.",
        ),
        (
            "model adult iris",
            "No column has a usual name for the round or the score. Say which is which, for "
            "instance round=\"…\", score=\"…\". The columns are 'model', 'adult', 'iris'. If the "
            "other columns are rounds, write rate(to_long(table), higher_is_better=True).",
            "No column has a usual name for the round or the score. Say which is which, for "
            "instance --round COLUMN --score COLUMN. The columns are 'model', 'adult', 'iris'. If "
            "the other columns are rounds, pass --wide --higher-is-better (or --lower-is-better).",
        ),
        (
            "xgboost 1 0.91",
            "No column has a usual name for the player, the round or the score. Say which is "
            'which, for instance player="…", round="…", score="…". The columns are \'xgboost\', '
            "'1', '0.91'. Is the line with the columns' names missing?",
            "No column has a usual name for the player, the round or the score. Say which is "
            "which, for instance --player COLUMN --round COLUMN --score COLUMN. The columns are "
            "'xgboost', '1', '0.91'. Is the line with the columns' names missing?",
        ),
        (
            "model method auc",
            "Two columns could be the player: 'model', 'method'; no column has a usual name for "
            'the round. Say which is which, for instance player="model", round="…" (or '
            'player=["model", "method"] if two together name a player). The columns are \'model\', '
            "'method', 'auc'.",
            "Two columns could be the player: 'model', 'method'; no column has a usual name for "
            "the round. Say which is which, for instance --player model --round COLUMN (or "
            "--player model --player method if two together name a player). The columns are "
            "'model', 'method', 'auc'.",
        ),
    ],
)
def test_roles_without_a_candidate_are_named(columns: str, python: str, command: str) -> None:
    assert spellings(RolesUnclear, find(columns)) == (python, command)


def test_of_many_columns_twelve_are_listed() -> None:
    columns = " ".join(f"c{k}" for k in range(20))
    listed = ", ".join(f"'c{k}'" for k in range(12))
    assert sentence(RolesUnclear, find(columns, player=("c0",), score="c1")) == (
        'No column has a usual name for the round. Say which it is, for instance round="…". The '
        f"columns are {listed} and 8 more."
    )


def test_given_role_is_neither_missing_nor_unclear() -> None:
    assert sentence(RolesUnclear, find("a model method x", player=("a",), score="x")) == (
        'No column has a usual name for the round. Say which it is, for instance round="…". The '
        "columns are 'a', 'model', 'method', 'x'."
    )


# Wide tables --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PLAYERS)
def test_rows_of_a_wide_table_are_players_by_the_name_of_a_column(name: str) -> None:
    assert find_shape([name, "adult", "iris"], told(wide=True)) == Wide((name,), "player", None)


@pytest.mark.parametrize("name", [*SPLITS, *TASKS])
def test_rows_of_a_wide_table_are_rounds_by_the_name_of_a_column(name: str) -> None:
    assert find_shape([name, "rf", "svm"], told(wide=True)) == Wide((name,), "round", None)


def wide(columns: str, **given: Any) -> object:
    return find_shape(columns.split(), told(wide=True, **given))


def test_task_beside_the_players_of_a_wide_table_is_the_tournament() -> None:
    assert wide("model dataset s1 s2") == Wide(("model",), "player", "dataset")
    assert wide("model dataset s1 s2", ignore=("dataset",)) == Wide(("model",), "player", None)


def test_given_column_names_the_rows_of_a_wide_table() -> None:
    assert wide("x adult iris", player=("x",)) == Wide(("x",), "player", None)
    assert wide("x rf svm", round=("x",)) == Wide(("x",), "round", None)
    assert wide("model x s1 s2", tournament=("x",)) == Wide(("model",), "player", "x")
    assert wide("x y s1 s2", player=("x",), tournament=("y",)) == Wide(("x",), "player", "y")
    assert wide("x y rf svm", round=("x",), tournament=("y",)) == Wide(("x",), "round", "y")
    assert wide("fold task rf svm", tournament=("task",)) == Wide(("fold",), "round", "task")
    assert wide("model rf svm", round=("model",)) == Wide(("model",), "round", None)
    assert wide("model dataset rf svm", round=("model",)) == Wide(("model",), "round", "dataset")


def test_saying_what_would_be_found_changes_nothing() -> None:
    assert wide("model dataset s1 s2", player=("model",)) == wide("model dataset s1 s2")


def test_two_tournaments_of_a_wide_table_are_refused() -> None:
    assert spellings(BadOption, find("model x y s1", wide=True, tournament=("x", "y"))) == (
        'tournament="x" is not possible; a wide table has one column of tournaments.',
        "--tournament x is not possible; a wide table has one column of tournaments.",
    )


def test_wide_table_without_columns_is_refused() -> None:
    start = "Which column names the rows of the wide table, and are these players or rounds?"
    assert spellings(ShapeUnclear, find("a b", wide=True, ignore=("a", "b"))) == (
        f'{start} Say it with player="COLUMN", or round="COLUMN".',
        f"{start} Say it with --player COLUMN, or --round COLUMN.",
    )


def test_table_all_of_whose_columns_are_ignored_is_said_to_have_none() -> None:
    message = sentence(RolesUnclear, find("a b", ignore=("a", "b")))
    assert " There are no columns." in message


def test_several_columns_may_name_the_rows_of_a_wide_table() -> None:
    assert wide("x y s1", player=("x", "y")) == Wide(("x", "y"), "player", None)
    assert wide("x y s1", round=("x", "y")) == Wide(("x", "y"), "round", None)


def test_a_column_beside_players_numbers_their_rows() -> None:
    by_name = Wide(("model",), "player", None, "fold")
    assert wide("model fold s1 s2") == by_name
    assert wide("model fold s1 s2", player=("model",), round=("fold",)) == by_name
    assert wide("x y s1", player=("x",), round=("y",)) == Wide(("x",), "player", None, "y")


def test_splits_of_tasks_name_the_rows_of_a_wide_table() -> None:
    assert wide("task fold rf svm") == Wide(("fold",), "round", "task")
    assert wide("task fold rf svm", round=("task", "fold")) == Wide(("task", "fold"), "round", None)


@pytest.mark.parametrize(
    ("column", "given", "unit", "what"),
    [
        ("Run_State", {}, "round", "the status of runs"),
        ("metric", {}, "round", "metrics"),
        ("higher_is_better", {}, "round", "directions"),
        ("method", {"player": ("model",)}, "round", "players"),
        ("task", {"tournament": ("a",)}, "round", "tasks"),
        ("model", {"round": ("a",)}, "player", "players"),
        ("fold", {"round": ("a",)}, "player", "rounds"),
    ],
)
def test_wide_table_has_no_place_for_columns_that_play_a_role(
    column: str, given: dict[str, Any], unit: str, what: str
) -> None:
    columns = f"{column} a b" if "round" in given else f"model {column} a b"
    start = f"'{column}' would be a {unit} of the wide table, but by its name it holds {what}."
    assert spellings(ShapeUnclear, find(columns, wide=True, **given)) == (
        f'{start} Say it with ignore="{column}", or without wide=True.',
        f"{start} Say it with --ignore {column}, or without --wide.",
    )


@pytest.mark.parametrize("given", [{}, {"player": ("model",)}, {"round": ("model",)}])
def test_wide_table_with_two_columns_of_tasks_is_unclear(given: dict[str, Any]) -> None:
    start = "Two columns could be the tournament: 'task', 'dataset'. Say which it is, for instance"
    end = "The columns are 'model', 'task', 'dataset', 'a'."
    assert spellings(RolesUnclear, find("model task dataset a", wide=True, **given)) == (
        f'{start} tournament="task". {end}',
        f"{start} --tournament task. {end}",
    )


def test_wide_table_with_two_columns_of_players_is_unclear() -> None:
    start = "Two columns could be the player: 'model', 'method'. Say which it is, for instance "
    end = "The columns are 'model', 'method', 'a', 'b'."
    assert spellings(RolesUnclear, find("model method a b", wide=True)) == (
        f'{start}player="model". {end}',
        f"{start}--player model. {end}",
    )


@pytest.mark.parametrize("columns", ["x a b", "fold seed a b"])
def test_wide_table_whose_rows_have_no_usual_name_is_unclear(columns: str) -> None:
    first = columns.split()[0]
    start = "Which column names the rows of the wide table, and are these players or rounds?"
    assert spellings(ShapeUnclear, find(columns, wide=True)) == (
        f'{start} Say it with player="{first}", or round="{first}".',
        f"{start} Say it with --player {first}, or --round {first}.",
    )


def test_table_is_not_wide_unless_that_is_given() -> None:
    with pytest.raises(RolesUnclear):
        find_shape(["model", "adult", "iris"], told())


# Battles ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("columns", "shape"),
    [
        ("model_a model_b winner", Battles("model_a", "model_b", "winner", None)),
        ("Model_A MODEL_B Winner", Battles("Model_A", "MODEL_B", "Winner", None)),
        ("left right winner", Battles("left", "right", "winner", None)),
        ("loser winner", Battles(None, None, "winner", "loser")),
        ("winner_name loser_name", Battles(None, None, "winner_name", "loser_name")),
        ("id judge model_b winner model_a score", Battles("model_a", "model_b", "winner", None)),
        ("left right winner round", Battles("left", "right", "winner", None)),
    ],
)
@pytest.mark.parametrize("said", [False, True])
def test_battles_are_known_by_their_columns(columns: str, shape: Battles, said: bool) -> None:
    assert find_shape(columns.split(), told(battles=said)) == shape


def test_given_sides_are_taken_as_they_are() -> None:
    columns = ["a", "b", "c", "model_a", "model_b", "winner"]
    assert find_shape(columns, told(left="a", right="b", winner="c")) == Battles(
        "a", "b", "c", None
    )
    assert find_shape(columns, told(winner="a", loser="b")) == Battles(None, None, "a", "b")
    assert find_shape(columns, told(winner="c", battles=True)) == Battles(
        "model_a", "model_b", "c", None
    )


@pytest.mark.parametrize(
    ("columns", "side", "first"),
    [
        (["model_a", "Model A", "model_b", "winner"], "left", "model_a"),
        (["left", "right", "Right", "winner"], "right", "right"),
        (["winner", "Winner", "loser"], "winner", "winner"),
    ],
)
def test_two_columns_of_one_plain_name_are_refused(
    columns: list[str], side: str, first: str
) -> None:
    second = columns[columns.index(first) + 1]
    listed = ", ".join(f"'{column}'" for column in columns)
    start = f"Two columns could be the {side}: '{first}', '{second}'. Say which it is, for instance"
    assert spellings(RolesUnclear, lambda: find_shape(columns, told())) == (
        f'{start} {side}="{first}". The columns are {listed}.',
        f"{start} --{side} {first}. The columns are {listed}.",
    )


def test_given_side_ends_the_doubt_about_two_columns_of_one_plain_name() -> None:
    columns = ["model_a", "Model A", "model_b", "winner"]
    assert find_shape(columns, told(left="Model A")) == Battles(
        "Model A", "model_b", "winner", None
    )
    assert find_shape(columns, told(ignore=("Model A",))) == Battles(
        "model_a", "model_b", "winner", None
    )


def test_given_side_replaces_the_found_one() -> None:
    columns = ["winner", "loser", "x"]
    assert find_shape(columns, told(loser="x")) == Battles(None, None, "winner", "x")
    assert find_shape(columns, told(winner="x", battles=True)) == Battles(None, None, "x", "loser")


@pytest.mark.parametrize(
    ("columns", "given", "shape"),
    [
        ("left right outcome", told(winner="outcome"), Battles("left", "right", "outcome", None)),
        ("a right winner", told(left="a"), Battles("a", "right", "winner", None)),
        ("winner x", told(loser="x"), Battles(None, None, "winner", "x")),
    ],
)
def test_sides_that_were_not_given_are_found_by_name(
    columns: str, given: Given, shape: Battles
) -> None:
    assert find_shape(columns.split(), given) == shape


def test_given_loser_is_never_forgotten() -> None:
    shape = find_shape(["model_a", "model_b", "winner", "x"], told(loser="x"))
    assert shape == Battles(None, None, "winner", "x")


NO_SIDES = "No columns have usual names for the two sides and the winner of battles."
SEVERAL_SIDES = (
    "Several sets of columns have usual names for the two sides and the winner of battles."
)


@pytest.mark.parametrize(
    ("columns", "given", "question"),
    [
        ("a b winner", told(battles=True), NO_SIDES),
        ("a b c", told(left="a"), NO_SIDES),
        ("a b c", told(left="a", right="b"), NO_SIDES),
        ("a b c", told(loser="a"), NO_SIDES),
        ("model_a model_b left right winner", told(), SEVERAL_SIDES),
        ("model_a model_b winner loser", told(), SEVERAL_SIDES),
    ],
)
def test_battles_whose_sides_are_unclear_are_refused(
    columns: str, given: Given, question: str
) -> None:
    assert spellings(ShapeUnclear, lambda: find_shape(columns.split(), given)) == (
        f'{question} Say it with left="COLUMN", right="COLUMN", winner="COLUMN", or '
        f'winner="COLUMN", loser="COLUMN".',
        f"{question} Say it with --left COLUMN --right COLUMN --winner COLUMN, or --winner COLUMN "
        f"--loser COLUMN.",
    )


def test_table_that_could_be_battles_or_scores_is_unclear() -> None:
    assert spellings(ShapeUnclear, find("winner loser model fold auc")) == (
        'Are these battles, or scores? Say it with battles=True, or score="auc".',
        "Are these battles, or scores? Say it with --battles, or --score auc.",
    )


def test_what_is_given_tells_battles_from_scores() -> None:
    columns = "winner loser model fold auc"
    battles = Battles(None, None, "winner", "loser")
    assert find_shape(columns.split(), told(battles=True)) == battles
    assert long(columns, score="auc") == roles_of("model", "fold", "auc")
    assert long(columns, round=("fold",)) == roles_of("model", "fold", "auc")
    assert long(columns, ignore=("loser",)) == roles_of("model", "fold", "auc")


def test_battles_are_not_wide() -> None:
    assert spellings(BadOption, find("left right winner", wide=True, battles=True)) == (
        "wide=True is not possible; a table of battles is not wide.",
        "--wide is not possible; a table of battles is not wide.",
    )
