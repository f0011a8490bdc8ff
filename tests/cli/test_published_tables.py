"""Published result tables, each rated by one command; skipped where they are not at hand."""

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import shared_file

from winodds.cli.main import run

UP = "--higher-is-better"


def rated(file: Path, capsys: pytest.CaptureFixture[str], *options: str) -> tuple[Any, str]:
    """The JSON of the command's answer, and what it said about the columns."""
    assert run(["rate", str(file), "--format", "json", *options]) == 0
    out, err = capsys.readouterr()
    return json.loads(out), err.partition("; ")[2].strip()


def players(board: Any) -> list[str]:
    return [row["player"] for row in board["players"]]


def notes(board: Any) -> list[tuple[str, str]]:
    """Kind and sentence of every note."""
    return [(note["kind"], note["text"]) for note in board["notes"]]


def test_vtab(capsys: pytest.CaptureFixture[str]) -> None:
    file = shared_file("data/vtab_leaderboard.csv")
    board, columns = rated(file, capsys, "--wide", "--ignore", "Mean", UP, "--estimator", "mle")
    assert columns == (
        "player = Model, round = 19 columns (CIFAR-100, Caltech101, Camelyon, Clevr-Count, "
        "Clevr-Dist, DMLab, DTD, EuroSAT, Flowers102, KITTI-Dist, Pets, Resisc45, Retinopathy, "
        "SVHN, Sun397, dSpr-Loc, dSpr-Orient, sNORB-Azim, sNORB-Elev), score = the "
        "cells, ignored = Mean"
    )
    assert (board["matches"]["count"], board["matches"]["ties"]) == (2280, 128)
    assert (len(board["players"]), board["matches"]["rounds"]) == (16, 19)
    top = board["players"][0]
    assert (top["player"], round(top["epp"], 4), round(top["se"], 4)) == (
        "Sup-Rotation-100%",
        3.2073,
        0.5288,
    )
    assert notes(board) == [("reading", "Cells are separated by semicolons.")]


def test_vtab_with_its_column_of_means_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    file = shared_file("data/vtab_leaderboard.csv")
    assert run(["rate", str(file), "--wide", UP]) == 2
    assert capsys.readouterr().err == (
        "Error: 'Mean' does not look like the scores of a round: a summary, by its name. Leave it "
        "out with --ignore Mean, or keep it with --keep Mean.\n"
        f"Try: winodds rate {file} --wide --higher-is-better --ignore Mean\n"
    )


def test_vtab_is_rated_by_the_command_that_its_refusal_prints(
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = shared_file("data/vtab_leaderboard.csv")
    assert run(["rate", str(file)]) == 2
    told = capsys.readouterr().err.splitlines()
    words = "--wide --ignore Mean --higher-is-better"
    assert f"Try: winodds rate {file} {words}" in told
    board, _ = rated(file, capsys, *words.split(), "--no-details")
    assert players(board)[0] == "Sup-Rotation-100%"


def test_eloml(capsys: pytest.CaptureFixture[str]) -> None:
    file = shared_file("data/eloml_auc_scores.csv")
    board, columns = rated(file, capsys, "--no-details")
    assert columns == "player = model, round = split, score = auc"
    assert board["scheme"]["better"] == "higher"
    assert (len(board["players"]), board["matches"]["rounds"]) == (80, 20)
    kind, sentence = notes(board)[0]
    assert kind == "doubt"
    assert sentence.startswith("36 models ('ranger_9', ")
    words = ("--matches", "across", "--estimator", "mle", "--no-details")
    across, _ = rated(file, capsys, *words)
    assert across["matches"]["ties"] == 6233


def test_automl_benchmark_is_known_by_its_columns(capsys: pytest.CaptureFixture[str]) -> None:
    file = shared_file("data/amlb_2019_1h.csv")
    season, said = rated(file, capsys, "--no-details")
    assert said == "7 frameworks, 35 tasks, 10 folds"
    by_hand, _ = rated(file, capsys, "--round", "fold", "--score", "score", UP, "--no-details")
    assert len(season["tournaments"]) == 35
    for own, other in zip(season["tournaments"], by_hand["tournaments"], strict=True):
        assert own["tournament"] == other["tournament"]
        keys = ("player", "epp", "low", "high", "wins", "matches")
        assert [[row[key] for key in keys] for row in own["players"]] == [
            [row[key] for key in keys] for row in other["players"]
        ]


def test_automl_benchmark(capsys: pytest.CaptureFixture[str]) -> None:
    file = shared_file("data/amlb_2019_1h.csv")
    options = ("--round", "fold", "--score", "score", UP)
    season, columns = rated(file, capsys, *options, "--no-details")
    assert columns == "player = framework, tournament = task, round = fold, score = score"
    assert len(season["tournaments"]) == 35
    pooled, _ = rated(file, capsys, *options, "--pool", "--no-details")
    assert players(pooled)[:2] == ["h2oautoml", "autosklearn"]
    assert players(pooled)[-1] == "constantpredictor"
    assert notes(pooled)[-1] == (
        "reading",
        "34 runs have no score and played no match: 'autoweka' 27, 'h2oautoml' 5, 'autosklearn' 1, "
        "'tpot' 1.",
    )


def test_automl_benchmark_has_its_details(capsys: pytest.CaptureFixture[str]) -> None:
    file = shared_file("data/amlb_2019_1h.csv")
    options = ("--round", "fold", "--score", "score", UP, "--pool")
    pooled, _ = rated(file, capsys, *options)
    assert pooled["ranking"]["could_be_best"] == ["h2oautoml"]
    assert pooled["ranking"]["alike"] == [
        ["h2oautoml"],
        ["autosklearn", "tpot"],
        ["tpot", "tunedrandomforest"],
        ["tpot", "randomforest"],
        ["autoweka"],
        ["constantpredictor"],
    ]


def test_openml_study_14(capsys: pytest.CaptureFixture[str]) -> None:
    file = shared_file("data/openml_study_14_accuracy.csv")
    board, columns = rated(file, capsys, UP)
    assert columns == "player = model, round = task, score = score, status = status"
    assert (len(board["players"]), board["matches"]["rounds"]) == (7, 100)
    assert board["dropped"]["missing_scores"] == 38
    sentence = "38 runs count as failed by column 'status': 'other' 38."
    assert notes(board)[0] == ("reading", sentence)
    assert players(board)[-1] == "6409_weka.FilteredClassifier_NaiveBayes"


def test_openml_study_34(capsys: pytest.CaptureFixture[str]) -> None:
    file = shared_file("data/openml_study_34_auc.csv")
    board, columns = rated(file, capsys, UP)
    assert columns == "player = model, round = task, score = score, status = status"
    assert (len(board["players"]), board["matches"]["rounds"]) == (30, 105)
    assert players(board)[0] == "2369_weka.RandomForest"
    sentence = (
        "The first of 30 models is first partly by luck: an interval is for a model chosen "
        "beforehand, not for the best of many."
    )
    assert notes(board) == [("scope", sentence)]


def test_direction_of_openml_scores_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    file = shared_file("data/openml_study_34_auc.csv")
    assert run(["rate", str(file), "-q"]) == 2
    assert capsys.readouterr().err == (
        "Error: Is a higher or a lower 'score' better? The name does not tell. Pass "
        "--higher-is-better or --lower-is-better.\n"
        f"Try: winodds rate {file} -q --higher-is-better\n"
        "     (--lower-is-better instead, if lower is better)\n"
    )


def test_critical_difference_example(capsys: pytest.CaptureFixture[str]) -> None:
    board, columns = rated(shared_file("data/cd_diagram_example.csv"), capsys)
    assert columns == "player = classifier_name, round = dataset_name, score = accuracy"
    assert players(board) == ["clf3", "clf5", "clf4", "clf2", "clf1"]


def test_battles_of_language_models_name_what_could_be_clusters(
    capsys: pytest.CaptureFixture[str],
) -> None:
    board, columns = rated(shared_file("data/llmfao_battles.csv"), capsys, "--no-details")
    assert columns == "left = left, right = right, winner = winner"
    assert (len(board["players"]), board["matches"]["count"]) == (59, 8931)
    assert notes(board)[0][1].endswith("pass --cluster worker or --cluster prompt.")


def test_battles_of_language_models(capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--cluster", "prompt", "--no-details")
    board, columns = rated(shared_file("data/llmfao_battles.csv"), capsys, *options)
    assert columns == "left = left, right = right, winner = winner, cluster = prompt"
    assert (len(board["players"]), board["matches"]["count"]) == (59, 8931)
    assert players(board)[0] == "GPT 4"
    assert board["players"][0]["rounds"] is None
    assert board["players"][0]["mean_score"] is None
