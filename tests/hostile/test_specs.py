"""Specs of runs that nobody meant: refused with a sentence, at once, before anything is played."""

import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tables import sentence

from winodds import WinoddsError
from winodds.errors import BadSpec
from winodds.tournament.spec import read_spec
from winodds.tournament.toml import find_lines

Record = Callable[[str, object], None]

SPEC = """\
seed = 1
metrics = ["accuracy"]

[limits]
seconds = 5.0

[splits]
folds = 3

[data.wine]
sklearn = "wine"

[algorithms.knn]
estimator = "sklearn.neighbors.KNeighborsClassifier"
grid = { n_neighbors = [1, 9] }
"""

REFUSED = {
    "x=" + "[" * 100_000: "its parts lie too deep within each other",
    "x=" + "{a=" * 3_000 + "1" + "}" * 3_000: "its parts lie too deep within each other",
    SPEC.replace("seed = 1", "seed = " + "9" * 5_000): "the file is no TOML (Exceeds the limit",
    SPEC.replace("data.wine", 'data."w\\u001b[31m"'): "it is no name: it is empty, or holds what",
    SPEC.replace("algorithms.knn", 'algorithms."a\\u202E"'): "it is no name: it is empty, or",
    SPEC.replace("algorithms.knn", 'algorithms." "'): "it is no name: it is empty, or holds",
    SPEC.replace("folds = 3", "folds = 3\nrepeats = 1000000000"): (
        "splits.repeats: that is 3,000,000,000 splits; at most 100,000 are played"
    ),
    SPEC.replace("grid = { n_neighbors = [1, 9] }", "draws = 100001\nrandom = { p = [1] }"): (
        "algorithms.knn: that is 100,002 settings; at most 100,000 play"
    ),
    SPEC + "".join(f"\nfixed.a\\u001b{k} = 1" for k in range(2)): "the file is no TOML (",
}


@pytest.mark.parametrize(("text", "said"), REFUSED.items(), ids=range(len(REFUSED)))
def test_a_spec_that_nobody_meant_is_refused(text: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "spec.toml"
    file.write_text(text)
    found = sentence(BadSpec, lambda: read_spec(str(file)))
    assert said in found
    assert "\x1b" not in found


def test_a_long_list_in_a_spec_is_read_in_a_time_in_proportion_to_it() -> None:
    text = SPEC + "[more]\nx = [" + "\n[1],\n2," * 20_000 + "\n]\ny = 1\n"
    start = time.process_time()
    lines = find_lines(text)
    assert time.process_time() - start < 20.0
    assert lines["splits", "folds"] == 8


def broken(rng: random.Random) -> bytes:
    """The spec with a few of its characters, or lines, changed."""
    content = bytearray(SPEC.encode())
    for _ in range(rng.choice((1, 1, 2, 4))):
        place = rng.randrange(len(content))
        way = rng.random()
        if way < 0.4:
            content[place : place + 1] = bytes([rng.choice(b'{}[]"=,.#\n 0e-\x00\x1b\xff')])
        elif way < 0.6:
            del content[place : place + rng.choice((1, 5, 40))]
        else:
            values = (b"nan", b"-1", b"1e999", b"[]", b"{}", b'""', b"true", b"07:32:00", b"9" * 30)
            equals = content.find(b"= ", place)
            if equals > 0:
                end = content.find(b"\n", equals)
                content[equals + 2 : end] = rng.choice(values)
    return bytes(content)


def test_a_spec_that_is_broken_at_random_is_read_or_refused(
    tmp_path: Path, record_property: Record
) -> None:
    file, found = tmp_path / "spec.toml", [0, 0]
    for seed in range(400):
        file.write_bytes(broken(random.Random(seed)))
        try:
            read_spec(str(file))
            found[0] += 1
        except WinoddsError as error:
            found[1] += "\x1b" not in str(error)
        except Exception as error:
            raise AssertionError(f"spec {seed} leaks") from error
    record_property("tried", sum(found))
    assert sum(found) == 400
    assert min(found) > 20, found
