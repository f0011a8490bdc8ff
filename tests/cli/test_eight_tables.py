"""Eight tables as people have them: boards by ``winodds rate FILE``, or by what its refusal prints.

Each table is written here with the order of its models, and how many matches each won, counted from
the same numbers without Winodds. What a refusal prints is typed as it stands.
"""

import json
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from spreadsheets import spreadsheet

from winodds.cli.main import run

Board = dict[str, Any]
Scores = dict[tuple[str, str], float]
"""Scores by player and round; larger is better, and NaN is a failed run."""

pytestmark = pytest.mark.usefixtures("folder")

MODELS = ("boosting", "forest", "linear", "network")


def draw(players: Sequence[str], rounds: Sequence[str], *, low: float, high: float) -> Scores:
    """Scores of which the first players have the better ones, most of the time."""
    rng = np.random.default_rng(20)
    step = (high - low) / (len(players) + 2)
    return {
        (player, round_): round(high - step * (place + 3.0 * rng.random()), 4)
        for place, player in enumerate(players)
        for round_ in rounds
    }


def wins_of(scores: Scores) -> dict[str, float]:
    """How many matches each player won, a tie counted half: the obvious count."""
    wins: dict[str, float] = {}
    for (player, round_), score in scores.items():
        for (other, where), less in scores.items():
            if where == round_ and other != player and score == score and less == less:
                wins[player] = wins.get(player, 0.0) + (score > less) + 0.5 * (score == less)
    return wins


def rated(
    file: str, capsys: pytest.CaptureFixture[str], *, refusals: int
) -> tuple[list[Board], list[str]]:
    """The boards of a file and their notes, after as many refusals."""
    words = ["rate", file]
    for _ in range(refusals):
        assert run(words) in (1, 2)
        told = capsys.readouterr().err.splitlines()
        [command] = [line for line in told if line.startswith("Try: ")]
        words = shlex.split(command.removeprefix("Try: winodds "))
    assert run([*words, "--no-details", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    boards = found.get("tournaments", [found])
    boards = list(boards.values()) if isinstance(boards, dict) else boards
    return boards, [note["text"] for board in boards for note in board["notes"]]


def won(board: Board) -> dict[str, float]:
    return {row["player"]: row["wins"] for row in board["players"]}


def write(path: str, header: str, rows: Sequence[Sequence[object]], mark: str = ",") -> None:
    lines = [header, *(mark.join(map(str, row)) for row in rows)]
    Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")


def test_a_search_of_scikit_learn(capsys: pytest.CaptureFixture[str]) -> None:
    splits = [f"split{k}_test_score" for k in range(5)]
    scores = draw(["0.1", "1", "10"], splits, low=0.8, high=0.95)
    header = f",mean_fit_time,std_fit_time,param_C,params,{','.join(splits)},mean_test_score,"
    rows = []
    for k, c in enumerate(("0.1", "1", "10")):
        own = [scores[c, split] for split in splits]
        told = [k, 0.01, 0.001, c, f"{{'C': {c}}}", *own]
        rows.append([*told, np.mean(own), np.std(own), k + 1])
    write("cv.csv", f"{header}std_test_score,rank_test_score", rows)
    [board], _ = rated("cv.csv", capsys, refusals=0)
    assert won(board) == {f"C={c}": wins for c, wins in wins_of(scores).items()}


def test_a_pivot_with_spreads(capsys: pytest.CaptureFixture[str]) -> None:
    sets = ["adult", "bank", "credit-g", "higgs", "jannis"]
    scores = draw(MODELS, sets, low=70.0, high=95.0)
    rows = [[it, *(f"{scores[model, it]} ± 0.5" for model in MODELS)] for it in sets]
    write("pivot.csv", f"Dataset,{','.join(MODELS)}", rows)
    [board], notes = rated("pivot.csv", capsys, refusals=1)
    assert won(board) == wins_of(scores)
    assert any(note.startswith("20 cells of the wide table") for note in notes)


@pytest.mark.parametrize("comma", [False, True])
def test_a_german_spreadsheet(capsys: pytest.CaptureFixture[str], *, comma: bool) -> None:
    folds = [str(k) for k in range(1, 6)]
    boards: dict[str, Scores] = {
        name: draw(MODELS, folds, low=low, high=0.95)
        for name, low in (("Iris", 0.7), ("Wein", 0.8))
    }
    rows: list[list[str | float | None]] = [
        ["Verfahren", "Datensatz", "Wiederholung", "Genauigkeit"]
    ]
    for name, scores in boards.items():
        for (model, fold), score in scores.items():
            told = str(score).replace(".", ",") if comma else score
            rows.append([model, name, int(fold), told])
    Path("ergebnisse.xlsx").write_bytes(spreadsheet({"Tabelle1": rows, "Tabelle2": []}))
    found, notes = rated("ergebnisse.xlsx", capsys, refusals=0)
    assert [won(board) for board in found] == [wins_of(scores) for scores in boards.values()]
    assert [board["tournament"] for board in found] == ["Iris", "Wein"]
    assert comma == any("has decimal commas" in note for note in notes)


def test_an_export_of_weights_and_biases(capsys: pytest.CaptureFixture[str]) -> None:
    seeds = ["1", "2", "3", "4", "5", "6"]
    scores = draw(MODELS, seeds, low=0.8, high=0.95)
    failed = ("forest", "4")
    rows: list[list[object]] = []
    for k, ((model, seed), score) in enumerate(scores.items()):
        state = "crashed" if (model, seed) == failed else "finished"
        loss = round(5.0 - score, 4)
        rows.append([f"lucky-sweep-{k}", state, "-", "anna", model, seed, 99, score, loss, 0.1])
    header = "Name,State,Notes,User,model.name,seed,_step,test/accuracy,test/loss,train/loss"
    write("wandb.csv", header, rows)
    [board], notes = rated("wandb.csv", capsys, refusals=1)
    assert won(board) == wins_of(scores | {failed: np.nan})
    assert "1 run counts as failed by column 'State': 'crashed' 1." in notes
    assert board["scheme"]["better"] == "higher"


def test_runs_of_mlflow(capsys: pytest.CaptureFixture[str]) -> None:
    folds = ["0", "1", "2", "3", "4"]
    scores = draw(MODELS, folds, low=0.8, high=0.95)
    failed = ("linear", "3")
    rows: list[list[object]] = []
    for k, ((model, fold), score) in enumerate(scores.items()):
        status = "FAILED" if (model, fold) == failed else "FINISHED"
        auc = "" if (model, fold) == failed else score
        rows.append([f"{k:032x}", 1, status, auc, 0.99, model, fold, 0.1, f"{model}-{fold}"])
    header = "run_id,experiment_id,status,metrics.val_auc,metrics.train_auc,params.model,"
    write("runs.csv", f"{header}params.fold,params.lr,tags.mlflow.runName", rows)
    [board], _ = rated("runs.csv", capsys, refusals=1)
    wins = wins_of(scores | {failed: np.nan})
    assert sorted(won(board).values()) == sorted(wins.values())
    first = max(wins, key=lambda name: wins[name])
    assert first in board["players"][0]["player"]


def test_trials_of_optuna(capsys: pytest.CaptureFixture[str]) -> None:
    folds = ["0", "1", "2", "3", "4"]
    scores = draw(MODELS, folds, low=0.8, high=0.95)
    ends = {("forest", "2"): "PRUNED", ("linear", "4"): "FAIL"}
    rows: list[list[object]] = []
    for k, ((model, fold), score) in enumerate(scores.items()):
        state = ends.get((model, fold), "COMPLETE")
        value = "" if state == "FAIL" else score
        rows.append([k, k, value, f"2026-01-01 10:00:{k:02d}", model, 0.1, fold, state])
    header = ",number,value,datetime_start,params_model,params_lr,user_attrs_fold,state"
    write("trials.csv", header, rows)
    [board], notes = rated("trials.csv", capsys, refusals=1)
    assert won(board) == wins_of(scores | dict.fromkeys(ends, np.nan))
    assert "2 runs count as failed by column 'state': 'FAIL' 1, 'PRUNED' 1." in notes


def test_a_long_table_of_lm_eval(capsys: pytest.CaptureFixture[str]) -> None:
    up = draw(MODELS, ["arc/acc", "arc/acc_norm", "boolq/acc", "piqa/acc"], low=0.4, high=0.8)
    down = draw(MODELS[::-1], ["wikitext/word_perplexity"], low=6.0, high=12.0)
    rows: list[list[object]] = []
    for (model, round_), score in {**up, **down}.items():
        task, metric = round_.split("/")
        rows.append([model, task, f'"{metric},none"', score])
        spread = 0.014 if (model, round_) in up else "N/A"
        rows.append([model, task, f'"{metric}_stderr,none"', spread])
    write("lm_eval.csv", "model,task,metric,value", rows)
    [board], notes = rated("lm_eval.csv", capsys, refusals=1)
    better = up | {cell: -score for cell, score in down.items()}
    assert won(board) == wins_of(better)
    assert board["scheme"]["better"] == "differs by round"
    assert any(note.startswith("20 rows of 'acc_norm_stderr,none'") for note in notes)


def test_one_or_zero_for_each_question(capsys: pytest.CaptureFixture[str]) -> None:
    rng = np.random.default_rng(3)
    scores: Scores = {
        (model, str(k)): float(rng.random() < 0.8 - 0.15 * place)
        for place, model in enumerate(MODELS)
        for k in range(30)
    }
    rows = [[model, question, int(score)] for (model, question), score in scores.items()]
    write("items.csv", "model,question_id,correct", rows)
    [board], notes = rated("items.csv", capsys, refusals=0)
    assert won(board) == wins_of(scores)
    means = {row["player"]: row["mean_score"] for row in board["players"]}
    assert means["boosting"] == pytest.approx(
        np.mean([score for (model, _), score in scores.items() if model == "boosting"])
    )
    assert any("matches (" in note and "are ties" in note for note in notes)
