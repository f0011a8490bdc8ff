"""A server that answers nonsense: what it says is used, or refused with a sentence."""

import re
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from openml_server import Server, serving, small_world
from tables import sentence

import winodds
from winodds import WinoddsError
from winodds.adapters.openml import desk
from winodds.adapters.openml.answers import judge
from winodds.adapters.openml.pages import Page
from winodds.errors import ServerSilent

Record = Callable[[str, object], None]

EVIL = [
    *("", "-1", "0", "9" * 30, "9" * 400, "9" * 5_000, "1e999", "nan", "-inf", "x", " ", "1.5"),
    *("&#27;[31m", "&#x202E;a", "[0.5]", "[", "[0.5,NaN]", "[1e999]", '["a","b"]', '{"a":1}'),
    *("[[]]", "null", "&lt;b&gt;", "2020-99-99"),
]
ELEMENT = re.compile(r"<oml:(\w+)>([^<]*)</oml:\1>")


def changed(body: bytes, rng: Random) -> bytes:
    """An answer with some of its elements changed, left out, repeated or exchanged."""
    text = body.decode()
    for _ in range(rng.choice((1, 1, 2, 4))):
        elements = list(ELEMENT.finditer(text))
        if not elements:
            break
        one, way = rng.choice(elements), rng.random()
        new = f"<oml:{one[1]}>{rng.choice(EVIL)}</oml:{one[1]}>"
        if way >= 0.65:
            new = rng.choice(("", one[0] * 2, rng.choice(elements)[0]))
        text = text[: one.start()] + new + text[one.end() :]
    return text.encode()


def fetch(server: Server, folder: Path) -> winodds.Adapted:
    return winodds.fetch_openml(
        99, server=server.url, cache=str(folder), pause=0.0, retries=0, timeout=60.0
    )


def try_answers(seeds: range, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    found: Counter[str] = Counter()
    with serving(Server(small_world())) as server:
        for seed in seeds:
            rng = Random(seed)
            first = rng.randrange(8)
            answers = iter(range(10**6))

            def nonsense(status: int, body: bytes, *, rng: Any = rng, **more: Any) -> Page:
                own = next(answers) == first or rng.random() < 0.1  # noqa: B023
                return judge(status, changed(body, rng) if own else body, **more)

            monkeypatch.setattr(desk, "judge", nonsense)
            try:
                with warnings.catch_warnings():
                    # The client warns of what it does not understand.
                    warnings.simplefilter("ignore")
                    str(winodds.rate_each(fetch(server, folder / str(seed))))
                found["used"] += 1
            except WinoddsError as error:
                shown = str(error).replace("\n", " ")
                found["refused" if shown.isprintable() else "commands"] += 1
            except Exception as error:
                raise AssertionError(f"answers {seed} leak") from error
    return found


def test_answers_that_are_nonsense_are_used_or_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, record_property: Record
) -> None:
    found = try_answers(range(10), tmp_path, monkeypatch)
    record_property("tried", found.total())
    assert found["commands"] == 0
    assert found["refused"] > found["used"] > 0


@pytest.mark.slow
def test_hundreds_of_answers_that_are_nonsense_are_used_or_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, record_property: Record
) -> None:
    found = try_answers(range(1_000, 1_400), tmp_path, monkeypatch)
    record_property("tried", found.total())
    assert found["commands"] == 0
    assert found["refused"] > found["used"] > 20


def test_an_answer_without_an_end_is_not_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desk, "LARGEST_ANSWER", 1_000)
    with serving(Server(small_world())) as server:
        said = sentence(ServerSilent, lambda: fetch(server, tmp_path))
    assert "its answer has more than 0 MB" in said
