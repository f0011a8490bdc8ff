"""Write tests/samples/inspect: logs of inspect-ai, made by running it with a mocked model.

Needs an environment with inspect-ai (0.3.285 made what is stored):

    python -m venv /tmp/inspect && /tmp/inspect/bin/pip install inspect-ai==0.3.285
    /tmp/inspect/bin/python tools/samples/make_inspect.py

Three models answer 12 sums, twice each, and 8 riddles once. One run of the riddles has a limit, one
has samples that failed, and one log is kept as ``.eval``, too. Times, paths and ids of the machine
are taken out, and so are transcripts, by inspect's own functions.
"""

import json
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

HOME = Path(__file__).resolve().parents[2] / "tests" / "samples" / "inspect"

RIGHT = {
    "alpha": (set(range(11)), {0, 1, 2, 3, 4, 5}),
    "beta": ({0, 1, 2, 3, 5, 7, 8, 11}, {0, 2, 4, 6}),
    "gamma": ({1, 2, 4, 9}, {1, 4}),
}
"""Which sums and which riddles each model solves."""

TOPICS = ("plus", "minus", "times")
WHEN = "2026-01-0{}T12:00:00+00:00"


def main() -> None:
    """Run the evaluations, and store their logs."""
    from inspect_ai import eval as evaluate

    shutil.rmtree(HOME, ignore_errors=True)
    HOME.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as folder:
        for number, (name, (sums, riddles)) in enumerate(RIGHT.items(), 1):
            runs: list[tuple[Any, int, int | None]] = [
                (_sums(sums), 2, None),
                (_riddles(riddles, fails=name == "gamma"), 1, None),
            ]
            if name == "beta":
                runs.append((_riddles(riddles, fails=False), 1, 3))
            for task, epochs, limit in runs:
                logs = evaluate(
                    task,
                    model=_model(name, task, epochs),
                    epochs=epochs,
                    limit=limit,
                    log_dir=folder,
                    log_format="json",
                    display="none",
                    fail_on_error=False,
                    max_samples=1,
                )
                _store(logs[0], name, number, limited=limit is not None)
    _cancel(HOME / "gamma_riddles.json")


def _sums(right: set[int]) -> Any:
    """Sums with one scorer, which gives letters."""
    from inspect_ai import Task
    from inspect_ai.dataset import Sample
    from inspect_ai.scorer import match

    samples = [
        Sample(
            id=f"sum-{k}",
            input=f"What is {k} + {k}?",
            target=str(2 * k),
            metadata={"topic": TOPICS[k % 3], "right": k in right},
        )
        for k in range(12)
    ]
    return Task(name="sums", dataset=samples, scorer=match(), version=1)


def _riddles(right: set[int], *, fails: bool) -> Any:
    """Riddles with two scorers: one gives letters, one an object of numbers."""
    from inspect_ai import Task
    from inspect_ai.dataset import Sample
    from inspect_ai.scorer import Score, Target, includes, mean, scorer
    from inspect_ai.solver import TaskState

    @scorer(metrics={"f1": [mean()], "length": [mean()]}, name="words")  # type: ignore[untyped-decorator]
    def words() -> Any:
        async def score(state: TaskState, target: Target) -> Score:
            answer = state.output.completion
            if fails and state.sample_id == 7:
                raise ValueError("the answer is no word")
            hit = float(target.text in answer)
            return Score(value={"f1": hit * 0.75 + 0.125, "length": len(answer)})

        return score

    samples = [
        Sample(id=k + 1, input=f"Riddle {k}", target=f"word{k}", metadata={"right": k in right})
        for k in range(8)
    ]
    return Task(name="riddles", dataset=samples, scorer=[includes(), words()], version=2)


def _model(name: str, task: Any, epochs: int) -> Any:
    """A model that answers the samples of a task, one after the other."""
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    outputs = []
    for epoch in range(epochs):
        for k, sample in enumerate(task.dataset):
            # The second answer to every fourth question differs.
            slips = epoch == 1 and k % 4 == 1
            right = (sample.metadata or {})["right"] is not slips
            answer = ModelOutput.from_content(name, sample.target if right else "I do not know")
            answer.usage = ModelUsage(input_tokens=8, output_tokens=3, total_tokens=11)
            outputs.append(answer)
    return get_model(f"mockllm/{name}", custom_outputs=outputs)


def _store(log: Any, name: str, number: int, *, limited: bool) -> None:
    """Store a log without transcripts, times and ids."""
    from inspect_ai.log import write_eval_log

    spec = log.eval
    day = WHEN.format(number)
    task = f"{spec.task}{'_limited' if limited else ''}"
    spec.created, spec.run_id, spec.task_id = day, f"run-{name}-{task}", f"task-{spec.task}"
    spec.eval_id = f"eval-{name}-{task}"
    spec.revision, spec.task_file, spec.packages = None, None, {"inspect_ai": "0.3.285"}
    spec.dataset.location, spec.model_args = None, {}
    log.stats.started_at = log.stats.completed_at = day
    for sample in log.samples or []:
        _trim(sample, f"{name}-{task}")
        sample.metadata.pop("right")
    path = HOME / f"{name}_{task}.json"
    write_eval_log(log, str(path), format="json")
    if name == "alpha" and spec.task == "sums":
        twin = HOME.parent / "inspect_eval"
        shutil.rmtree(twin, ignore_errors=True)
        twin.mkdir()
        write_eval_log(log, str(twin / f"{name}_{task}.eval"), format="eval")
    _check(path)


def _trim(sample: Any, whose: str) -> None:
    """Take out of a sample what is long, and what differs from run to run."""
    day = WHEN.format(1)
    sample.events, sample.attachments, sample.messages, sample.store = [], {}, [], {}
    sample.uuid = f"{whose}-{sample.id}-{sample.epoch}"
    sample.started_at = sample.completed_at = day
    sample.total_time = sample.working_time = 0.5
    sample.model_usage, sample.role_usage = {}, {}
    for choice in sample.output.choices:
        choice.message.id = None
    sample.output.time = None
    if sample.error is not None:
        sample.error.traceback = sample.error.traceback_ansi = ""


def _cancel(path: Path) -> None:
    """Leave two samples out of a log, as if somebody had stopped the run."""
    from inspect_ai.log import read_eval_log, write_eval_log

    log = read_eval_log(str(path))
    log.status, log.results = "cancelled", None
    log.samples = [sample for sample in log.samples or [] if sample.id not in (5, 6)]
    write_eval_log(log, str(path), format="json")


def _check(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    json.loads(text)
    for word in ("/tmp", "/home", "/root", sys.prefix):
        if word in text:
            raise ValueError(f"{path.name} holds {word}")


if __name__ == "__main__":
    main()
