"""Write tests/samples/lm_eval: what the lm-evaluation-harness writes, made by running it.

Needs an environment with lm-eval (0.4.13 made what is stored), and no network:

    python -m venv /tmp/lm_eval
    /tmp/lm_eval/bin/pip install torch==2.13.0 lm-eval==0.4.13
    /tmp/lm_eval/bin/python tools/samples/make_lm_eval.py

Four dummy models, which answer at random, do four small tasks: two of multiple choice in a group,
one of generation with two filters, and one of perplexity. The fourth has no name. Paths, times and
what is known of the machine are taken out.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

HOME = Path(__file__).resolve().parents[2] / "tests" / "samples" / "lm_eval"
DAY = "2026-01-0{}T12-00-00.000000"
MODELS = ("pretrained=tiny/alpha", "pretrained=tiny/beta", "pretrained=tiny/gamma", "")
RANDOM = "q7x2m9aa"
"""Stands for the eight letters that the harness draws for a model without a name."""

CHOICE = """\
task: {name}
{data}
output_type: multiple_choice
doc_to_text: "{{{{question}}}}"
doc_to_choice: "{{{{choices}}}}"
doc_to_target: "{{{{answer}}}}"
metric_list:
{metrics}
metadata:
  version: 1.0
"""
ECHO = """\
task: echo
{data}
output_type: generate_until
doc_to_text: "{{{{question}}}}"
doc_to_target: "{{{{answer}}}}"
generation_kwargs:
  until: ["\\n"]
filter_list:
  - name: strict
    filter:
      - function: regex
        regex_pattern: "^(yes)$"
      - function: take_first
  - name: flexible
    filter:
      - function: regex
        regex_pattern: "(l.l|yes)"
      - function: take_first
metric_list:
  - metric: exact_match
    aggregation: mean
    higher_is_better: true
metadata:
  version: 2.0
"""
PROSE = """\
task: prose
{data}
output_type: loglikelihood_rolling
doc_to_text: ""
doc_to_target: "{{{{text}}}}"
metric_list:
  - metric: word_perplexity
  - metric: bits_per_byte
metadata:
  version: 1.0
"""
GROUP = """\
group: choices
task: [capitals, colours]
aggregate_metric_list:
  - metric: acc
    weight_by_size: true
metadata:
  version: 1.0
"""
DATA = """\
dataset_path: json
dataset_kwargs:
  data_files:
    test: {}
test_split: test"""
METRIC = "  - metric: {}\n    aggregation: mean\n    higher_is_better: true"


def main() -> None:
    """Run the harness, and store what it wrote."""
    shutil.rmtree(HOME, ignore_errors=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _write_tasks(folder)
        for number, arguments in enumerate(MODELS, 1):
            output = folder / f"out{number}"
            _run(folder, output, arguments, seed=number)
            _store(output, number)


def _write_tasks(folder: Path) -> None:
    """Task files, with their data beside them."""
    capitals = [
        {
            "question": f"What is the capital of land {k}?",
            "choices": [f"city {k}", f"town {k}", f"village {k} on the river"],
            "answer": k % 3,
            "topic": "north" if k < 6 else "south",
            "passage_id": k // 2,
        }
        for k in range(12)
    ]
    colours = [
        {"question": f"Colour {k}?", "choices": ["red", "blue"], "answer": k % 2, "topic": "hue"}
        for k in range(8)
    ]
    echo = [{"question": f"Say it, {k}", "answer": ("lol", "yes")[k % 2]} for k in range(4)]
    prose = [{"text": f"A short story of {k} words."} for k in range(3)]
    both = "\n".join(METRIC.format(name) for name in ("acc", "acc_norm"))
    files: dict[str, tuple[list[dict[str, Any]], str, str]] = {
        "capitals": (capitals, CHOICE, both),
        "colours": (colours, CHOICE, METRIC.format("acc")),
        "echo": (echo, ECHO, ""),
        "prose": (prose, PROSE, ""),
    }
    for name, (documents, template, metrics) in files.items():
        file = folder / f"{name}.jsonl"
        file.write_text("".join(json.dumps(document) + "\n" for document in documents))
        text = template.format(name=name, data=DATA.format(file), metrics=metrics)
        (folder / f"{name}.yaml").write_text(text)
    (folder / "choices.yaml").write_text(GROUP)


def _run(folder: Path, output: Path, arguments: str, *, seed: int) -> None:
    words = [
        *(sys.executable, "-m", "lm_eval", "run", "--model", "dummy"),
        *(("--model_args", arguments) if arguments else ()),
        *("--include_path", str(folder), "--tasks", "choices", "echo", "prose"),
        *("--output_path", str(output), "--log_samples", "--seed", f"{seed},1234,1234,1234"),
    ]
    offline = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "HF_HOME": str(folder / "hf")}
    subprocess.run(words, check=True, env={**os.environ, **offline}, cwd=folder)


def _store(output: Path, number: int) -> None:
    """Copy what was written, under a fixed time and without what tells of the machine."""
    for path in sorted(output.rglob("*.json*")):
        model = path.parent.name if path.parent != output else ""
        name = re.sub(r"\d{4}-\d\d-\d\dT[\d.-]+\d", DAY.format(number), path.name)
        target = HOME / (model if "tiny" in model else RANDOM) / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".json":
            document = _cleaned(json.loads(path.read_text(encoding="utf-8")))
            target.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
        else:
            shutil.copy(path, target)
        _check(target, output.parent)


def _cleaned(results: dict[str, Any]) -> dict[str, Any]:
    """The results, with empty places for what belongs to the machine."""
    for key in ("git_hash", "pretty_env_info", "upper_git_hash", "tokenizer_pad_token"):
        if key in results:
            results[key] = None
    for key in ("date", "start_time", "end_time", "total_evaluation_time_seconds"):
        if key in results:
            results[key] = 0
    if "tiny" not in results["model_name"]:
        results["model_name"] = results["model_name_sanitized"] = RANDOM
    for config in results["configs"].values():
        config.get("dataset_kwargs", {}).pop("data_files", None)
        (config.get("metadata") or {}).pop("config_source", None)
    return results


def _check(path: Path, folder: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for word in (str(folder), "/home", "/root", sys.prefix):
        if word in text:
            raise ValueError(f"{path.name} holds {word}: {text[text.index(word) - 200 :][:400]}")


if __name__ == "__main__":
    main()
