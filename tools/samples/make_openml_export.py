"""Evaluations of OpenML as its client's data frame, saved as CSV and Parquet.

The client is the real one. Nobody asks a server: what it would answer is written here, in the form
of its XML, with made-up flows and values.

Usage: ``python tools/samples/make_openml_export.py [FOLDER]``, with openml and pyarrow installed
(openml 0.15.1 made the stored files).
"""

import sys
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

FOLDER = Path(__file__).resolve().parents[2] / "tests" / "samples" / "openml"
FLOWS = {
    101: ("weka.J48(1)", 0.80),
    102: ("weka.RandomForest(2)", 0.86),
    103: ("sklearn.svm(3)", 0.83),
}
TASKS = {3: (31, "kr-vs-kp"), 11: (37, "diabetes"), 31: (39, "credit-g")}
FOLDS = 10
USERS = (
    '<oml:users xmlns:oml="http://openml.org/openml"><oml:user><oml:id>1</oml:id>'
    "<oml:username>somebody</oml:username></oml:user></oml:users>"
)


def evaluations(*, per_fold: bool) -> str:
    """The server's list."""
    random, found, run = Random(16), [], 1000
    for task, (data, name) in TASKS.items():
        for flow, (title, skill) in FLOWS.items():
            run += 1
            values = [round(min(random.gauss(skill, 0.03), 1.0), 6) for _ in range(FOLDS)]
            score = (
                f"<oml:values>{values}</oml:values>"
                if per_fold
                else f"<oml:value>{sum(values) / FOLDS:.6f}</oml:value>"
            )
            found.append(
                f"<oml:evaluation><oml:run_id>{run}</oml:run_id><oml:task_id>{task}</oml:task_id>"
                f"<oml:setup_id>{flow + 100}</oml:setup_id><oml:flow_id>{flow}</oml:flow_id>"
                f"<oml:flow_name>{title}</oml:flow_name><oml:data_id>{data}</oml:data_id>"
                f"<oml:data_name>{name}</oml:data_name>"
                f"<oml:function>area_under_roc_curve</oml:function>"
                f"<oml:upload_time>2020-01-01 00:00:00</oml:upload_time>"
                f"<oml:uploader>1</oml:uploader>{score}</oml:evaluation>"
            )
    return (
        f'<oml:evaluations xmlns:oml="http://openml.org/openml">{"".join(found)}</oml:evaluations>'
    )


def main(folder: Path) -> None:
    """Write the samples."""
    import openml

    folder.mkdir(parents=True, exist_ok=True)

    def listed(*, per_fold: bool) -> Any:
        def answer(call: str, *_: Any, **__: Any) -> str:
            return USERS if call.startswith("user/") else evaluations(per_fold=per_fold)

        with mock.patch("openml._api_calls._perform_api_call", answer):
            return openml.evaluations.list_evaluations(
                "area_under_roc_curve",
                tasks=list(TASKS),
                size=9,
                per_fold=per_fold,
                output_format="dataframe",
            )

    folds = listed(per_fold=True)
    folds.to_csv(folder / "evaluations_by_fold.csv", index=False)
    folds.drop(columns=["array_data"]).to_parquet(
        folder / "evaluations_by_fold.parquet", index=False
    )
    listed(per_fold=False).to_csv(folder / "evaluations.csv", index=False)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
