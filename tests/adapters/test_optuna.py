"""Studies of Optuna: an SQLite file and a journal that Optuna wrote, and objects like its own."""

import json
import shutil
import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import optuna
import polars as pl
import pytest
from optuna.storages.journal import JournalFileBackend
from tables import sentence

import winodds
from winodds.adapters.adapted import Adapted
from winodds.adapters.journal import replay_journal
from winodds.adapters.place import Place
from winodds.adapters.studies import Study, Trial, load_studies
from winodds.cli.main import run
from winodds.errors import (
    BadOption,
    DirectionContradicts,
    DirectionUnknown,
    NotAStudy,
    NothingLeft,
    NotThisSource,
    OneScoreEach,
    UnknownMetric,
    Unreadable,
    WhichMetric,
)

SAMPLES = Path(__file__).resolve().parent.parent / "samples" / "optuna"
DATABASE, JOURNAL = SAMPLES / "study.db", SAMPLES / "journal.log"


def state(name: str) -> SimpleNamespace:
    return SimpleNamespace(name=name)


def as_object(study: Study) -> SimpleNamespace:
    """What Optuna's own object of a study has."""
    return SimpleNamespace(
        study_name=study.name,
        directions=[state(name) for name in study.directions],
        metric_names=list(study.names) or None,
        trials=[
            SimpleNamespace(
                number=trial.number,
                state=state(trial.state),
                params=dict(trial.params),
                values=list(trial.values) or None,
                intermediate_values=dict(trial.steps),
            )
            for trial in study.trials
        ],
    )


def folds() -> Study:
    return load_studies(Place(str(DATABASE)))[0]


def small(*trials: Trial, direction: str = "MINIMIZE", names: Sequence[str] = ()) -> Any:
    return as_object(Study("small", (direction,), tuple(names), trials))


def trial(number: int, *steps: float, ended: str = "COMPLETE", **params: Any) -> Trial:
    return Trial(number, ended, params, (sum(steps),) if steps else (), dict(enumerate(steps)))


def numbers(board: winodds.Leaderboard) -> list[tuple[object, ...]]:
    return [(row.player, row.epp, row.low, row.high, row.mean_score) for row in board]


def texts(source: Adapted) -> list[str]:
    return [str(note) for note in source.notes]


def read(path: Path, **options: Any) -> Adapted:
    found = winodds.read_source(path, **options)
    assert isinstance(found, Adapted)
    return found


# One line gives the board of a hand-made table ----------------------------------------------------


def hand_made_name(trial: Trial) -> str:
    rate = float(f"{trial.params['rate']:.4g}")
    return f"{trial.params['classifier']}, rate={rate}, size={trial.params['size']}"


@pytest.mark.parametrize("path", [DATABASE, JOURNAL])
def test_folds_of_a_study_are_rated_in_one_line(path: Path) -> None:
    source = read(path, rounds="steps")
    rows = [
        {"player": hand_made_name(trial), "round": step, "score": value}
        for trial in folds().trials
        if trial.state == "COMPLETE"
        for step, value in trial.steps.items()
    ]
    hand = winodds.rate(pl.DataFrame(rows), higher_is_better=True)
    assert numbers(winodds.rate(source)) == numbers(hand)
    assert numbers(winodds.rate_study(as_object(folds()), rounds="steps")) == numbers(hand)
    assert len(hand) == 9


def test_what_does_not_play_is_said() -> None:
    source = read(DATABASE, rounds="steps")
    assert texts(source) == [
        "A step is a round, as you said. That is right if every step is the score of a fold, and "
        "wrong if steps are epochs of one training.",
        "3 studies without steps left out: 'iris', 'wine', 'digits'.",
        "3 trials were stopped early because they were bad; what they did before is not rated.",
        "1 trial left out, with state RUNNING.",
        "1 trial left out, with state WAITING.",
    ]
    failed = source.table.filter(pl.col("status") == "failed")
    assert failed["player"].value_counts(sort=True).rows() == [
        ("bayes, rate=0.03677, size=21", 6),
        ("svm, rate=0.678, size=35", 6),
        ("svm, rate=0.2196, size=6", 1),
    ]
    pruned = {trial.number for trial in folds().of("PRUNED")}
    assert len(pruned) == 3
    assert source.rows == 9 * 6 + 2 * 6


def test_studies_over_one_grid_are_rounds(capsys: pytest.CaptureFixture[str]) -> None:
    studies = load_studies(Place(str(DATABASE)))[1:]
    rows = [
        {"player": f"depth={trial.params['depth']}", "round": study.name, "score": trial.values[1]}
        for study in studies
        for trial in study.trials
    ]
    hand = winodds.rate(pl.DataFrame(rows), higher_is_better=False)
    for path in (DATABASE, JOURNAL):
        board = winodds.rate(read(path, rounds="studies", metric="seconds"))
        assert numbers(board) == numbers(hand)
        assert board.how.scheme.better == "lower"
    objects = [as_object(study) for study in studies]
    with pytest.raises(WhichMetric):
        winodds.rate_study(objects, rounds="studies")
    assert numbers(winodds.rate_study(objects, rounds="studies", metric="1")) == numbers(hand)
    up = winodds.rate_study(objects, rounds="studies", metric="accuracy")
    assert up.how.scheme.better == "higher"
    command = ["rate", str(DATABASE), "--rounds", "studies", "--metric", "seconds", "--no-details"]
    assert run(command) == 0
    assert "1 study without this objective left out: 'folds'." in capsys.readouterr().out


def test_a_parameter_can_be_named_as_family(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["rate", str(DATABASE), "--rounds", "steps", "--no-details", "--format", "csv"]
    assert run([*command, "--family", "classifier"]) == 0
    printed = pl.read_csv(capsys.readouterr().out.encode())
    assert set(printed["family"]) == {"forest", "svm", "bayes"}
    board = winodds.rate_study(as_object(folds()), rounds="steps", family="classifier")
    assert board.row(board.players[0]).family == "forest"


def test_journal_and_database_hold_the_same_studies() -> None:
    base, log = load_studies(Place(str(DATABASE))), replay_journal(Place(str(JOURNAL)))
    assert [study.name for study in base] == [study.name for study in log]
    for one, other in zip(base, log, strict=True):
        assert one.objectives == other.objectives
        assert one.directions == other.directions
        assert repr([_plain(it) for it in one.trials]) == repr([_plain(it) for it in other.trials])


def _plain(trial: Trial) -> tuple[Any, ...]:
    params = dict(sorted(trial.params.items()))
    return trial.number, trial.state, params, tuple(trial.values), dict(sorted(trial.steps.items()))


# One score a trial --------------------------------------------------------------------------------


def test_trials_without_a_word_on_rounds_rate_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rate", str(DATABASE)]) == 1
    assert capsys.readouterr().err.splitlines()[-1] == (
        "Error: The value of an Optuna trial gives one score for each of 21 players, and one round "
        "rates nothing. If intermediate values are scores of folds, say --rounds steps. If each "
        "study is a data set or a split, say --rounds studies."
    )


def test_trials_without_steps_hear_how_to_report_folds() -> None:
    study = small(trial(0, a=1), trial(1, a=2))
    assert sentence(OneScoreEach, lambda: winodds.rate_study(study)) == (
        "The value of an Optuna trial gives one score for each of 2 players, and one round rates "
        "nothing. Report the score of each fold, trial.report(score, fold), and say "
        'rounds="steps".'
    )
    with pytest.raises(OneScoreEach):
        winodds.rate_study(study, rounds="steps")
    with pytest.raises(OneScoreEach):
        winodds.rate_study(study, rounds="studies")
    with pytest.raises(BadOption):
        winodds.rate_study(study, rounds="trials")


def test_a_study_in_which_nothing_was_completed_is_refused() -> None:
    study = small(trial(0, 1.0, ended="PRUNED", a=1), trial(1, ended="FAIL", a=2))
    assert sentence(NothingLeft, lambda: winodds.rate_study(study, rounds="steps")) == (
        "'small', an Optuna study, holds no result to rate: no trial was completed (1 PRUNED, "
        "1 FAIL)."
    )
    with pytest.raises(NothingLeft, match="there is no trial"):
        winodds.rate_study(small(), rounds="steps")


def test_values_of_the_last_step_are_a_doubt() -> None:
    trials = [replace(trial(k, 0.5, 0.7 + k, a=k), values=(0.7 + k,)) for k in range(3)]
    notes = winodds.read_study(small(*trials), rounds="steps").notes
    assert [str(note) for note in notes if note.kind == "doubt"] == [
        "In 'small' the value of every trial is that of its last step. So steps look like epochs "
        "or like means so far, and not like folds; then they are no rounds."
    ]


# Directions, names --------------------------------------------------------------------------------


def test_the_direction_is_that_of_the_study() -> None:
    trials = [trial(0, 0.1, 0.2, 0.1, a=1), trial(1, 0.3, 0.1, 0.3, a=2)]
    down, up = small(*trials), small(*trials, direction="MAXIMIZE")
    assert winodds.rate_study(down, rounds="steps").players == ("a=1", "a=2")
    assert winodds.rate_study(up, rounds="steps").players == ("a=2", "a=1")
    with pytest.raises(DirectionContradicts):
        winodds.rate_study(down, rounds="steps", higher_is_better=True)
    unset = small(*trials, direction="NOT_SET")
    with pytest.raises(DirectionUnknown):
        winodds.rate_study(unset, rounds="steps")
    with pytest.raises(UnknownMetric):
        winodds.rate_study(down, rounds="steps", metric="loss")


def test_equal_parameters_are_told_apart_by_their_trials() -> None:
    study = small(trial(0, 1, 2, a=1), trial(1, 2, 1, a=1), trial(2, 3, 3, a=2), trial(3, 4, 4))
    source = winodds.read_study(study, rounds="steps")
    assert source.table["player"].unique(maintain_order=True).to_list() == [
        "a=1 (trial 0)",
        "a=1 (trial 1)",
        "a=2",
        "trial 3",
    ]


def test_categories_keep_what_they_were() -> None:
    classifiers = {trial.params["classifier"] for trial in folds().of("COMPLETE")}
    assert classifiers == {"svm", "forest", "bayes"}
    assert all(type(trial.params["size"]) is int for trial in folds().of("COMPLETE"))


def test_infinite_values_count_as_failed() -> None:
    study = small(trial(0, 1.0, float("inf"), a=1), trial(1, 2.0, 1.0, a=2), trial(2, 3, 4, a=3))
    source = winodds.read_study(study, rounds="steps")
    assert source.table.filter(pl.col("reason") == "infinite score")["player"].to_list() == ["a=1"]


# Hostile ------------------------------------------------------------------------------------------


def test_studies_of_one_name_are_told_apart() -> None:
    twice = winodds.read_study([as_object(folds()), as_object(folds())], rounds="steps")
    names = [f"{folds().name} (1)", f"{folds().name} (2)"]
    assert twice.table["tournament"].unique(maintain_order=True).to_list() == names


def test_optuna_itself_gives_the_same_from_memory_and_from_its_files(tmp_path: Path) -> None:
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    database = f"sqlite:///{tmp_path / 'study.db'}"
    journal = JournalFileBackend(str(tmp_path / "journal.log"))
    storages = (None, database, optuna.storages.JournalStorage(journal))
    studies = [real_study(storage) for storage in storages]
    tables = [winodds.read_study(study, rounds="steps").table for study in studies]
    tables += [read(tmp_path / name, rounds="steps").table for name in ("study.db", "journal.log")]
    assert [table.equals(tables[0]) for table in tables] == [True] * 5
    played = tables[0].filter(pl.col("status") == "ok")
    assert played["player"].unique(maintain_order=True).to_list() == ["x=0", "x=1", "x=2"]
    assert played["direction"].unique().to_list() == ["down"]
    notes = [note.name for note in winodds.read_study(studies[0], rounds="steps").notes]
    assert "pruned_early" in notes


def real_study(storage: Any) -> Any:
    """A study of Optuna's own in which one trial is pruned and one fails."""

    def train(trial: Any) -> float:
        x: int = trial.suggest_int("x", 0, 4)
        scores = [(x - 1.3) ** 2 + 0.1 * k for k in range(3)]
        for step, score in enumerate(scores):
            trial.report(score, step)
            if x == 3:
                raise optuna.TrialPruned
        if x == 4:
            raise RuntimeError("out of memory")
        return sum(scores) / 3.0

    study = optuna.create_study(
        storage=storage, study_name="real", sampler=optuna.samplers.GridSampler({"x": range(5)})
    )
    for x in range(5):
        study.enqueue_trial({"x": x})
    study.optimize(train, n_trials=5, catch=(RuntimeError,))
    return study


def test_what_is_no_study_is_refused() -> None:
    assert sentence(NotAStudy, lambda: winodds.rate_study("study.db")) == (
        "A study of Optuna is needed, not an object of type str. Files of studies are read by "
        "winodds.read_source(path)."
    )


def changed(tmp_path: Path, *commands: str) -> Path:
    path = tmp_path / "study.db"
    shutil.copy(DATABASE, path)
    connection = sqlite3.connect(path)
    for command in commands:
        connection.execute(command)
    connection.commit()
    connection.close()
    return path


def test_an_old_storage_is_refused(tmp_path: Path) -> None:
    path = changed(tmp_path, "ALTER TABLE trial_values DROP COLUMN value_type")
    assert sentence(NotThisSource, lambda: winodds.read_source(path, rounds="steps")) == (
        f"'{path}' cannot be read as an Optuna study: table 'trial_values' has no column "
        f"'value_type'; if Optuna before version 3 wrote it, 'optuna storage upgrade' brings it up "
        f"to date."
    )


@pytest.mark.parametrize(
    "command",
    [
        "UPDATE trial_params SET distribution_json = '{'",
        "UPDATE trial_params SET param_value = 99 WHERE param_name = 'classifier'",
        "UPDATE trial_params SET distribution_json = NULL",
        "DROP TABLE trial_params",
    ],
)
def test_damaged_parameters_are_refused(tmp_path: Path, command: str) -> None:
    with pytest.raises(NotThisSource):
        winodds.read_source(changed(tmp_path, command), rounds="steps")


@pytest.mark.parametrize(
    "command",
    [
        "UPDATE trial_intermediate_values SET step = 'step ' || step",
        "UPDATE trial_intermediate_values SET intermediate_value = 'high'",
        "UPDATE trials SET number = NULL",
        "UPDATE trial_values SET value = x'00'",
        "UPDATE trials SET study_id = 'one'",
    ],
)
def test_cells_of_wrong_types_are_refused(tmp_path: Path, command: str) -> None:
    with pytest.raises(Unreadable, match="holds something else than numbers"):
        winodds.read_source(changed(tmp_path, command), rounds="steps")


def test_damaged_bytes_never_end_in_a_raw_error(tmp_path: Path) -> None:
    path, refused = tmp_path / "study.db", 0
    for place in range(0, 40_000, 1_999):
        data = bytearray(DATABASE.read_bytes())
        data[place : place + 7] = b"\xff\x00\xad9\xf0z\x80"
        path.write_bytes(data)
        try:
            winodds.read_source(path, rounds="steps", source="optuna")
        except winodds.WinoddsError:
            refused += 1
    assert refused > 5


def test_a_storage_without_directions_asks(tmp_path: Path) -> None:
    path = changed(tmp_path, "DELETE FROM study_directions")
    with pytest.raises(DirectionUnknown):
        winodds.read_source(path, rounds="steps")


@pytest.mark.parametrize("size", [100, 5_000, 20_000])
def test_a_cut_database_is_refused(tmp_path: Path, size: int) -> None:
    path = tmp_path / "cut.db"
    path.write_bytes(DATABASE.read_bytes()[:size])
    with pytest.raises(Unreadable):
        winodds.read_source(path, rounds="steps")


def test_a_journal_that_is_written_just_now_is_read(tmp_path: Path) -> None:
    text = JOURNAL.read_text()
    path = tmp_path / "journal.log"
    path.write_text(text[:-30])
    assert read(path, rounds="steps").table.equals(read(JOURNAL, rounds="steps").table)
    path.write_text(text.replace("\n", "\nnot json\n", 1))
    with pytest.raises(winodds.WinoddsError, match="Line 2 is not a JSON object"):
        winodds.read_source(path, rounds="steps")


@pytest.mark.parametrize(
    "line",
    [
        {"op_code": 4},
        {"op_code": 0, "study_name": "x", "directions": [9]},
        {"op_code": 7, "trial_id": 15, "step": "a", "intermediate_value": 1},
        {"op_code": 7, "trial_id": 15, "step": 1e400, "intermediate_value": 1},
        {"op_code": 6, "trial_id": 15, "state": 77, "values": None},
        [],
    ],
)
def test_operations_that_make_no_sense_are_refused(tmp_path: Path, line: Any) -> None:
    path = tmp_path / "journal.log"
    path.write_text(f"{JOURNAL.read_text()}{json.dumps(line)}\n")
    with pytest.raises(NotThisSource, match="is no operation that is known"):
        winodds.read_source(path, rounds="steps")


@pytest.mark.parametrize("value", [1e400, 10**400, None])
def test_a_category_without_a_number_is_refused(tmp_path: Path, value: Any) -> None:
    choices = {"name": "CategoricalDistribution", "attributes": {"choices": ["a", "b"]}}
    line = {"op_code": 5, "trial_id": 15, "param_name": None, "distribution": json.dumps(choices)}
    path = tmp_path / "journal.log"
    text = JOURNAL.read_text()
    path.write_text(f"{text}{json.dumps({**line, 'param_value_internal': value})}\n")
    with pytest.raises(NotThisSource, match="the distribution of a parameter cannot be read"):
        winodds.read_source(path, rounds="steps")
    path.write_text(f"{text}{json.dumps({**line, 'param_value_internal': 1})}\n")
    assert read(path, rounds="steps").table.height == read(JOURNAL, rounds="steps").table.height


def test_operations_on_what_is_gone_or_finished_do_nothing(tmp_path: Path) -> None:
    late: list[dict[str, Any]] = [
        {"op_code": 7, "trial_id": 0, "step": 0, "intermediate_value": 99.0},
        {"op_code": 6, "trial_id": 0, "state": 3, "values": None},
        {"op_code": 5, "trial_id": 999, "param_name": "x"},
        {"op_code": 0, "study_name": "folds", "directions": [1]},
        {"op_code": 1, "study_id": 3},
        {"op_code": 4, "study_id": 3},
        {"op_code": 10},
    ]
    path = tmp_path / "journal.log"
    path.write_text(JOURNAL.read_text() + "".join(f"{json.dumps(line)}\n" for line in late))
    assert [study.name for study in replay_journal(Place(str(path)))] == ["folds", "iris", "wine"]
    assert read(path, rounds="steps").table.equals(read(JOURNAL, rounds="steps").table)


def test_a_hundred_thousand_values_are_read() -> None:
    trials = [
        trial(k, *(((k * 7 + step * 3) % 101) / 7 for step in range(20)), a=k / 7)
        for k in range(5_000)
    ]
    assert winodds.read_study(small(*trials), rounds="steps").rows == 100_000
