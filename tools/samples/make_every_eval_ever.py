"""Write tests/samples/every_eval_ever: records that its own converter makes of our lm-eval sample.

Needs an environment with every-eval-ever (0.3.0 made what is stored; it asks for Python 3.12):

    python -m venv /tmp/eee && /tmp/eee/bin/pip install every-eval-ever==0.3.0
    /tmp/eee/bin/python tools/samples/make_every_eval_ever.py

The model without a name is left out, because the converter refuses it. Times, and ids that are
random, are made the same in every run.
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SAMPLES = Path(__file__).resolve().parents[2] / "tests" / "samples"
HOME = SAMPLES / "every_eval_ever"
WHEN = "1767268800.0"
UUID = "00000000-0000-4000-8000-{:012d}"


def main() -> None:
    """Convert the results, and store the records."""
    shutil.rmtree(HOME, ignore_errors=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for model in sorted(SAMPLES.glob("lm_eval/tiny__*")):
            shutil.copytree(model, folder / "results" / model.name)
        words = [
            *(sys.executable, "-m", "every_eval_ever.converters.lm_eval"),
            *("--log_path", str(folder / "results"), "--output_dir", str(folder / "data")),
            *("--source_organization_name", "Tiny", "--evaluator_relationship", "other"),
        ]
        subprocess.run(words, check=True, cwd=folder)
        for number, path in enumerate(sorted((folder / "data").rglob("*.json"), key=_order)):
            _store(path, path.relative_to(folder).parent, number, str(folder))


def _order(path: Path) -> tuple[str, str]:
    """Where a record stands, and its task; its own name is random."""
    record = json.loads(path.read_text(encoding="utf-8"))
    return str(path.parent), record["evaluation_id"].partition("/")[0]


def _store(path: Path, place: Path, number: int, folder: str) -> None:
    text = path.read_text(encoding="utf-8")
    record = json.loads(text)
    text = text.replace(record["retrieved_timestamp"], WHEN)
    text = re.sub(re.escape(path.stem), UUID.format(number), text)
    if folder in text:
        raise ValueError(f"{path.name} holds {folder}")
    target = HOME / place / f"{UUID.format(number)}.json"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
