"""Tables under the names that people give to columns, metrics and states."""

from collections.abc import Callable
from pathlib import Path

import pytest

from winodds.cli.main import run

Rate = Callable[..., tuple[int, str]]


@pytest.fixture
def rate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Rate:
    """Rates a table; its exit code and all that was said."""

    def call(text: str, *words: str) -> tuple[int, str]:
        path = tmp_path / "table.csv"
        path.write_text(text, encoding="utf-8")
        code = run(["rate", str(path), "--no-details", *words])
        captured = capsys.readouterr()
        return code, captured.out + captured.err

    return call


def long(header: str, *scores: str, last: str = "") -> str:
    """Models A, B and C in rounds 1 and 2."""
    rows = zip(("A,1", "B,1", "C,1", "A,2", "B,2", "C,2"), scores, strict=True)
    return "\n".join([header, *(f"{start},{score}{last}" for start, score in rows), ""])


SCORES = ("0.9", "0.8", "0.7", "0.9", "0.85", "0.8")


def test_right_and_wrong_answers_to_questions(rate: Rate) -> None:
    words = ("True", "False", "False", "True", "True", "False")
    code, told = rate(long("model,question_id,correct", *words))
    assert code == 0
    assert "player = model, round = question_id, score = correct" in told
    assert "higher correct is better" in told
    assert "   1  A " in told


@pytest.mark.parametrize(
    ("header", "found"),
    [
        ("learner.id,iter,mmce_loss", "player = learner.id, round = iter, score = mmce_loss"),
        ("model.name,seed,val_loss", "player = model.name, round = seed, score = val_loss"),
        ("regressor,iteration,WQL", "player = regressor, round = iteration, score = WQL"),
        ("method,sample_id,CRPS", "player = method, round = sample_id, score = CRPS"),
    ],
)
def test_names_of_losses_tell_that_lower_is_better(header: str, found: str, rate: Rate) -> None:
    code, told = rate(long(header, *SCORES))
    assert code == 0
    assert found in told
    assert "lower " in told
    assert told.index("   1  C ") < told.index("A  ")


def test_items_are_rounds_only_where_there_are_no_splits(rate: Rate) -> None:
    _, told = rate(long("model,fold,auc,item", *SCORES, last=",x"))
    assert "round = fold" in told


def test_who_says_that_a_last_word_misleads_is_believed(rate: Rate) -> None:
    code, told = rate(long("model,fold,weight_loss", *SCORES), "--higher-is-better")
    assert code == 0
    assert "higher weight_loss is better" in told


@pytest.mark.parametrize("column", ["acc_stderr", "auc_std", "F1 (sd)"])
def test_spreads_are_no_scores(column: str, rate: Rate) -> None:
    words = ("--score", column, "--higher-is-better")
    code, told = rate(long(f"model,fold,{column}", *SCORES), *words)
    assert code == 2
    assert f"By its name '{column}' says how much scores vary, and is no score." in told


METRICS = """model,task,metric,value
A,x,acc,0.9
B,x,acc,0.8
A,y,word_perplexity,7
B,y,word_perplexity,9
A,z,gain,3
B,z,gain,2
"""


def test_a_direction_is_for_metrics_that_do_not_tell_it(rate: Rate) -> None:
    code, told = rate(METRICS, "--higher-is-better")
    assert code == 0
    assert "* Higher is taken as better for 'gain', because you said so." in told
    assert "'A' won every match." in told
    spread = METRICS.replace("gain", "acc_stderr")
    code, told = rate(spread)
    assert code == 0
    assert "* 2 rows of 'acc_stderr' tell how much scores vary, and are left out." in told


TRIALS = """model,fold,auc,state
A,1,0.9,COMPLETE
B,1,0.8,COMPLETE
C,1,0.7,{}
A,2,0.9,COMPLETE
B,2,0.8,FAIL
C,2,0.7,COMPLETE
"""


def test_states_of_trials_are_known(rate: Rate) -> None:
    for word in ("PRUNED", "WAITING", "preempting"):
        code, told = rate(TRIALS.format(word))
        assert code == 0
        assert f"2 runs count as failed by column 'state': 'FAIL' 1, '{word}' 1." in told


def test_an_unknown_state_beside_known_ones_is_asked_about(rate: Rate) -> None:
    code, told = rate(TRIALS.format("preparing"))
    assert code == 2
    assert "it says 'preparing', which may mean anything. With --status state runs" in told
    code, told = rate(TRIALS.format("preparing"), "--status", "state")
    assert code == 0
    assert "2 runs count as failed by column 'state'" in told
    code, told = rate(TRIALS.format("preparing"), "--ignore", "state")
    assert code == 0
    assert "failed" not in told


def test_a_status_of_0_and_1_is_asked_about(rate: Rate) -> None:
    table = long("model,fold,auc,status", *SCORES, last=",1").replace("0.85,1", "0.85,0")
    code, told = rate(table)
    assert code == 2
    assert "Column 'status' says '0', '1' of runs, and not which of these means success." in told
    assert rate(table, "--ignore", "status")[0] == 0


def test_states_of_a_country_are_none_of_runs(rate: Rate) -> None:
    states = TRIALS.format("TX").replace("COMPLETE", "OK").replace("FAIL", "AL")
    code, told = rate(states)
    assert code == 0
    assert "failed" not in told


# What is no round ---------------------------------------------------------------------------------


def test_summaries_among_folds_and_data_sets_are_no_rounds(rate: Rate) -> None:
    folds = long("model,fold,auc", *SCORES) + "A,mean,0.9\nB,mean,0.8\nA,std,0.01\nB,std,0.02\n"
    code, told = rate(folds)
    assert code == 1
    assert "Error: 'mean', 'std' look like summaries of the other rounds. Leave them out" in told
    tasks = long("model,dataset,auc", *SCORES) + "A,Average,0.9\nB,Average,0.8\n"
    assert "'Average' looks like a summary of the other rounds." in rate(tasks)[1]
    both = "model,dataset,fold,auc\n" + "".join(
        f"{model},{data},{fold},0.{model}\n"
        for model in (7, 8, 9)
        for data in ("x", "Overall")
        for fold in (1, 2)
    )
    assert "'Overall' looks like a summary of the other data sets." in rate(both)[1]


def test_a_model_called_like_a_summary_that_has_the_scores_of_one_is_asked_about(
    rate: Rate,
) -> None:
    lines = ["model,fold,auc", "A,1,0.80", "B,1,0.91", "A,2,0.72", "B,2,0.70"]
    for name, scores, what in (
        ("Average", ("0.855", "0.71"), "mean"),
        ("VBS", ("0.91", "0.72"), "largest"),
        ("worst", ("0.80", "0.70"), "smallest"),
        ("Median", ("0.855", "0.71"), "median"),
        ("Std.", ("0.055", "0.01"), "standard deviation"),
    ):
        own = [f"{name},{fold},{score}" for fold, score in enumerate(scores, 1)]
        code, told = rate("\n".join([*lines, *own, ""]))
        assert code == 1
        assert (
            f"Error: '{name}' looks like a summary of the other players: in every round it has "
            f"the {what} of their scores. Leave its rows out, or rename it if it is a player."
        ) in told
        other = [f"{name},1,{scores[0]}", f"{name},2,0.5"]
        assert rate("\n".join([*lines, *other, ""]))[0] == 0


def test_scores_on_training_data_are_doubted(rate: Rate) -> None:
    text = long("model,fold,auc", *SCORES)
    code, told = rate(text.replace("auc", "train_auc"))
    assert code == 0
    assert "By the name 'train_auc' these are scores on training data, where who learns" in told
    assert "training data" not in rate(text)[1]


def test_a_model_may_be_called_mean(rate: Rate) -> None:
    code, told = rate(long("model,fold,auc", *SCORES).replace("C,", "mean,"))
    assert code == 0
    assert "mean" in told


def test_parts_of_the_data_are_no_rounds(rate: Rate) -> None:
    text = long("model,split,auc", *SCORES)
    code, told = rate(text.replace(",1,", ",train,").replace(",2,", ",test,"))
    assert code == 1
    assert "Error: The rounds are 'test', 'train': parts of the data" in told
    code, _ = rate(text.replace(",1,", ",dev,").replace(",2,", ",test,"))
    assert code == 0
