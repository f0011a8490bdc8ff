"""The same input prints the same board on every processor.

Linear algebra and NumPy pick other instructions on other processors, and these round in other
ways. Each kernel that this processor can run prints everything in a process of its own; numbers
that tie on paper must not be told apart by rounding in any of them.
"""

import json
import os
import subprocess
import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from signal import SIGILL
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
PLAIN = "NumPy without vectors"
NAMES = {"SkylakeX": "SkylakeX", "Haswell": "Haswell", "Prescott": "Katmai"}
"""What OpenBLAS calls itself when it is asked for a kernel; the last one is the oldest of all."""


def _settings(kernel: str) -> dict[str, str]:
    if kernel != PLAIN:
        return {"OPENBLAS_CORETYPE": kernel}
    numpy: Any = import_module("numpy._core._multiarray_umath")
    vectors = [name for name in numpy.__cpu_dispatch__ if numpy.__cpu_features__[name]]
    return {"OPENBLAS_CORETYPE": "Haswell", "NPY_DISABLE_CPU_FEATURES": " ".join(vectors)}


@cache
def print_all(kernel: str) -> dict[str, str]:
    """What `kernels.py` prints with a kernel; nothing where the processor cannot run it."""
    ambient = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    done = subprocess.run(
        [sys.executable, str(ROOT / "tests" / "kernels.py")],
        capture_output=True,
        text=True,
        check=False,
        env={**ambient, **_settings(kernel), "OPENBLAS_NUM_THREADS": "1"},
    )
    if done.returncode == -SIGILL:
        return {}
    assert done.returncode == 0, done.stderr
    printed: dict[str, str] = json.loads(done.stdout)
    return printed


def _print_or_skip(kernel: str) -> dict[str, str]:
    printed = print_all(kernel)
    if not printed:
        pytest.skip(f"this processor cannot run {kernel}")
    loaded = printed["kernels"].split()
    if kernel != PLAIN and loaded != [NAMES[kernel]]:
        pytest.skip(f"asked for {kernel}, OpenBLAS took {' and '.join(loaded)}")
    return printed


@pytest.mark.parametrize("kernel", ["SkylakeX", "Prescott", PLAIN])
def test_every_processor_prints_the_same(kernel: str) -> None:
    expected, printed = _print_or_skip("Haswell"), _print_or_skip(kernel)
    assert list(printed) == list(expected)
    for name in printed:
        if name != "kernels":
            assert printed[name] == expected[name], name
