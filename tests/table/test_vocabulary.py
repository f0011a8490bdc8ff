"""What the names of columns and metrics tell."""

from math import inf

import pytest

from winodds.table.vocabulary import METRICS, Metric, known_metric, plain_name, propose_roles


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("Model", "model"),
        ("  Data Set ", "data_set"),
        ("task_id", "task"),
        ("flow_name", "flow"),
        ("roc-auc", "roc_auc"),
        ("ROC  AUC", "roc_auc"),
        ("identity", "identity"),
        ("_id", ""),
    ],
)
def test_plain_name_ignores_case_blanks_and_what_an_identifier_adds(name: str, plain: str) -> None:
    assert plain_name(name) == plain


@pytest.mark.parametrize(
    ("name", "metric"),
    [
        ("AUC", Metric(True, 0.0, 1.0)),
        ("roc auc", Metric(True, 0.0, 1.0)),
        ("F1", Metric(True, 0.0, 1.0)),
        ("accuracy", Metric(True, 0.0, 100.0)),
        ("R2", Metric(True, -inf, 1.0)),
        ("kappa", Metric(True, -1.0, 1.0)),
        ("Brier", Metric(False, 0.0, 2.0)),
        ("error", Metric(False, 0.0, inf)),
        ("error_rate", Metric(False, 0.0, 1.0)),
        ("log-loss", Metric(False, 0.0, inf)),
        ("RMSE", Metric(False, 0.0, inf)),
        ("metric_error", Metric(False, 0.0, inf)),
        ("neg_log_loss", Metric(True, -inf, 0.0)),
        ("neg_root_mean_squared_error", Metric(True, -inf, 0.0)),
        ("neg_brier_score", Metric(True, -2.0, 0.0)),
        ("neg_auc", Metric(False, -1.0, 0.0)),
    ],
)
def test_metric_is_known_by_its_name(name: str, metric: Metric) -> None:
    assert known_metric(name) == metric


@pytest.mark.parametrize(
    "name", ["score", "value", "neg_", "neg_foo", "neg_neg_rmse", "aucs", "my_auc", ""]
)
def test_other_names_are_no_metric(name: str) -> None:
    assert known_metric(name) is None


def test_every_metric_has_a_range_and_its_opposite() -> None:
    for name, metric in METRICS.items():
        turned = known_metric(f"neg_{name}")
        assert metric.low < metric.high
        assert turned == Metric(not metric.higher_is_better, -metric.high, -metric.low)


@pytest.mark.parametrize(
    ("columns", "player", "round", "tournament", "score"),
    [
        ("model fold auc", "model", "fold", "", "auc"),
        ("Model dataset fold auc", "Model", "fold", "dataset", "auc"),
        (
            "classifier_name dataset_name accuracy",
            "classifier_name",
            "dataset_name",
            "",
            "accuracy",
        ),
        ("framework constraint task fold result", "framework", "fold", "task", "result"),
        ("method task metric_error", "method", "task", "", "metric_error"),
        ("player round score auc", "player", "round", "", "score"),
        ("model method seed value", "model method", "seed", "", "value"),
        ("flow_id task_id data repeat value", "flow_id", "repeat", "task_id data", "value"),
        ("model task fold repeat value", "model", "fold", "task", "value"),
        ("model split fold auc rmse", "model", "split fold", "", "auc rmse"),
        ("x y z", "", "", "", ""),
        ("", "", "", "", ""),
    ],
)
def test_roles_are_proposed_by_name(
    columns: str, player: str, round: str, tournament: str, score: str
) -> None:
    assert propose_roles(columns.split()) == {
        "player": tuple(player.split()),
        "round": tuple(round.split()),
        "tournament": tuple(tournament.split()),
        "score": tuple(score.split()),
    }
