"""How long evaluation logs take to read and rate, and how much memory that needs.

Run it alone: ``python benchmarks/logs.py``. Logs of the lm-evaluation-harness (50 models × 1,319
items, about 2 KB a sample) and of inspect-ai (200 files) are made in a temporary folder.
"""

import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

TEXT = "Natalia sold clips to forty-eight of her friends in April, and half as many in May. "

CALL = """
import resource, sys, time
import winodds
winodds.rate, winodds.rate_logs
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0
before = peak()
start, busy = time.perf_counter(), time.process_time()
board = winodds.rate_logs(sys.argv[1])
seconds, busy = time.perf_counter() - start, time.process_time() - busy
print(seconds, busy, before, peak(), len(board), board.how.matches.rounds)
"""


def main() -> None:
    """Make the logs, and print what reading and rating them takes."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _print("lm-eval", write_lm_eval(folder / "lm_eval", models=50, items=1319))
        _print("lm-eval", write_lm_eval(folder / "many", models=2, items=100_000, words=2))
        _print("inspect-ai", write_inspect(folder / "inspect", logs=200, items=100))


def _print(tool: str, folder: Path) -> None:
    files = [path for path in folder.rglob("*") if path.is_file()]
    size = sum(path.stat().st_size for path in files) / 2**20
    words = [sys.executable, "-c", CALL, str(folder)]
    done = subprocess.run(words, check=True, capture_output=True, text=True)
    seconds, busy, before, peak, players, rounds = map(float, done.stdout.split())
    print(
        f"{tool}, {players:.0f} models × {rounds:,.0f} items: {len(files)} files, {size:.0f} MB: "
        f"{seconds:.1f} s ({busy:.1f} s of the processor); {peak - before:.0f} MB more than the "
        f"{before:.0f} MB before, {(peak - before) / size:.1f}× the files",
        flush=True,
    )


def write_lm_eval(folder: Path, *, models: int, items: int, words: int = 8) -> Path:
    """What the harness writes for one task of questions with numbers as answers."""
    draw = random.Random(1)
    for number in range(models):
        name = f"org/model-{number}"
        own = folder / name.replace("/", "__")
        own.mkdir(parents=True)
        skill = 0.2 + 0.6 * number / models
        scores = [float(draw.random() < skill) for _ in range(items)]
        mean = {"exact_match,strict": sum(scores) / items, "exact_match_stderr,strict": 0.01}
        results: dict[str, Any] = {
            "results": {"gsm8k": {"alias": "gsm8k", **mean}},
            "configs": {"gsm8k": {"task": "gsm8k"}},
            "versions": {"gsm8k": 3.0},
            "n-shot": {"gsm8k": 5},
            "higher_is_better": {"gsm8k": {"exact_match": True}},
            "n-samples": {"gsm8k": {"original": items, "effective": items}},
            "config": {"model": "hf", "model_args": {"pretrained": name}},
            "model_name": name,
        }
        (own / "results_2026-01-01T00-00-00.json").write_text(json.dumps(results, indent=2))
        with (own / "samples_gsm8k_2026-01-01T00-00-00.jsonl").open("w") as file:
            file.writelines(_sample(k, score, words) for k, score in enumerate(scores))
    return folder


def _sample(item: int, score: float, words: int) -> str:
    question = f"{item}: {TEXT * words}"
    row = {
        "doc_id": item,
        "doc": {"question": question, "answer": str(item), "topic": f"topic {item % 7}"},
        "target": str(item),
        "arguments": {"gen_args_0": {"arg_0": question, "arg_1": {"until": ["\n"]}}},
        "resps": [[TEXT * (words // 2)]],
        "filtered_resps": [str(item)],
        "filter": "strict",
        "metrics": ["exact_match"],
        "doc_hash": f"{item:064x}",
        "prompt_hash": f"{item + 1:064x}",
        "target_hash": f"{item + 2:064x}",
        "exact_match": score,
    }
    return json.dumps(row) + "\n"


def write_inspect(folder: Path, *, logs: int, items: int) -> Path:
    """JSON logs of inspect-ai, as many models as logs."""
    folder.mkdir()
    draw = random.Random(2)
    for number in range(logs):
        samples = [
            {
                "id": k,
                "epoch": 1,
                "input": f"{k}: {TEXT * 4}",
                "target": str(k),
                "messages": [{"role": "user", "content": TEXT * 8}],
                "output": {"completion": TEXT * 4},
                "scores": {"match": {"value": "C" if draw.random() < number / logs else "I"}},
                "metadata": {"topic": f"topic {k % 7}"},
            }
            for k in range(items)
        ]
        spec = {"eval_id": str(number), "task": "sums", "task_version": 1, "model": f"m/{number}"}
        log = {"version": 2, "status": "success", "eval": spec, "plan": {}, "samples": samples}
        (folder / f"{number}.json").write_text(json.dumps(log, indent=2))
    return folder


if __name__ == "__main__":
    main()
