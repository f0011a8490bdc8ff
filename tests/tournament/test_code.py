"""What counts as the code of an estimator: what it does and needs, and nothing else."""

import importlib
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sklearn.dummy import DummyClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from winodds.tournament.code import Sources

MODELS = '''\
"""Models of a test."""
import numpy as np
from sklearn.base import BaseEstimator
from own_helpers import shift, unused

FACTOR = 2


class Base(BaseEstimator):
    """A base."""

    def fit(self, x, y):
        # Nothing to learn.
        return self


class Model(Base):
    def predict(self, x):
        """Tell."""
        return shift(x) * FACTOR


class Other(Base):
    def predict(self, x):
        return x


def halve(x):
    return x / 2
'''
HELPERS = """\
import own_numbers as numbers


def shift(x):
    return x + numbers.BY


def unused(x):
    return x
"""
NUMBERS = "BY = 1\n"

Digest = Callable[..., str | None]


@pytest.fixture
def digest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Digest]:
    """The digest of an estimator that the modules make, with some text of theirs replaced."""
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.syspath_prepend(str(tmp_path))

    def of(
        old: str = "", new: str = "", make: Callable[[Any], Any] = lambda m: m.Model()
    ) -> str | None:
        for name, text in (("models", MODELS), ("helpers", HELPERS), ("numbers", NUMBERS)):
            (tmp_path / f"own_{name}.py").write_text(text.replace(old, new) if old else text)
            sys.modules.pop(f"own_{name}", None)
        importlib.invalidate_caches()
        return Sources().digest(make(importlib.import_module("own_models")))

    yield of
    for name in ("models", "helpers", "numbers"):
        sys.modules.pop(f"own_{name}", None)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("shift(x) * FACTOR", "shift(x) + FACTOR"),
        ("FACTOR = 2", "FACTOR = 3"),
        ("        return self", "        self.n_ = 1\n        return self"),
        ("x + numbers.BY", "x - numbers.BY"),
        ("BY = 1", "BY = 1.5"),
    ],
)
def test_what_a_class_does_and_what_it_needs_count(old: str, new: str, digest: Digest) -> None:
    assert old in MODELS + HELPERS + NUMBERS
    assert digest(old, new) != digest()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"""Tell."""\n        ', ""),
        ("# Nothing to learn.", "# Nothing at all."),
        ("shift(x) * FACTOR", "(shift(x)\n            * FACTOR)"),
        ("        return x\n\n", "        return x * 2\n\n"),
        ("def unused(x):\n    return x", "def unused(x):\n    return -x"),
        ("x / 2", "x / 3"),
    ],
)
def test_comments_and_other_definitions_do_not_count(old: str, new: str, digest: Digest) -> None:
    assert old in MODELS + HELPERS + NUMBERS
    assert digest(old, new) == digest()


def test_steps_and_functions_among_the_parameters_count(digest: Digest) -> None:
    def make(models: Any) -> Any:
        return make_pipeline(FunctionTransformer(models.halve), DummyClassifier())

    assert digest("x / 2", "x / 3", make) != digest(make=make)
    assert digest("FACTOR = 2", "FACTOR = 3", make) == digest(make=make)


def test_what_is_installed_has_no_code_of_its_own() -> None:
    assert Sources().digest(make_pipeline(FunctionTransformer(len), DummyClassifier())) is None


def test_without_a_file_it_counts_what_functions_do() -> None:
    code = (
        "from sklearn.base import BaseEstimator\n"
        "from winodds.tournament.code import Sources\n"
        "class Model(BaseEstimator):\n"
        "    def fit(self, x, y): return {}\n"
        "print(Sources().digest(Model()))\n"
    )
    texts = ('x in {"a", "b", "c"}', 'x in {"a", "b", "c"}', 'x in {"a", "b"}')
    first, again, other = (
        subprocess.run(
            [sys.executable, "-c", code.format(text)], capture_output=True, text=True, check=True
        ).stdout
        for text in texts
    )
    assert first == again != other
    assert first.strip() != "None"
