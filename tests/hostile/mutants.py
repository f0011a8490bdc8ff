"""Documents of boards and seasons, changed at random, and what people do with those that load."""

import base64
import json
import random
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np
import polars as pl

from winodds import Leaderboard, Season, rate, rate_battles, rate_each

ESCAPE, TURNED, HALF = "\x1b[31m", "\u202e", "\ud800"

WORDS: list[Any] = ["", "x", "NA", " a ", ESCAPE, TURNED, "a\x00b", HALF, "9" * 50, "é" * 3]
NUMBERS: list[Any] = [
    *(0, 1, 2, -1, 3.5, 10**8, -(10**8), 2**31, 2**62, 2**63, 2**64, 10**400),
    *(0.0, -0.0, 1e-320, 1e-300, 1e300, -1e308, float("nan"), float("inf"), -float("inf")),
]
OTHERS: list[Any] = [
    None,
    True,
    False,
    [],
    {},
    [[]],
    [None],
    {"": {}},
    [0, 1],
    "AAAA",
    "AAAAAAAAAAA=",
]
EVIL = [*WORDS, *NUMBERS, *OTHERS]

INTEGERS = [-1, 0, 1, 2, 5, 10**8, -(10**8), 2**31, 2**62, -(2**63)]
FLOATS = [0.0, 1.0, -1.0, 0.5, 1e-320, 1e300, -1e308, np.nan, np.inf, -np.inf]

PACKED = (
    *("component", "part", "node", "start", "column", "value", "beta", "bias", "influence"),
    *("played", "player", "weight", "cluster", "tournament", "first", "second", "outcome"),
)
"""Keys of arrays in the evidence."""

Path = tuple[Any, ...]


def scores(
    seed: int, *, players: int, rounds: int, gaps: float = 0.0, apart: float = 0.1
) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    rows = [
        {
            "player": f"model {p}",
            "family": f"family {p % 2}",
            "depth": float(p),
            "data": "one" if r < rounds // 2 else "two",
            "round": f"round {r}",
            "score": round(float(rng.normal(apart * p)), 2),
        }
        for r in range(rounds)
        for p in range(players)
        if rng.random() >= gaps
    ]
    return pl.DataFrame(rows)


ROLES: Any = {"player": "player", "round": "round", "score": "score", "higher_is_better": True}


def battles() -> pl.DataFrame:
    rng = np.random.default_rng(3)
    first = rng.integers(0, 5, 60)
    return pl.DataFrame(
        {
            "model_a": [f"model {p}" for p in first.tolist()],
            "model_b": [f"model {p}" for p in ((first + rng.integers(1, 5, 60)) % 5).tolist()],
            "winner": rng.choice(["model_a", "model_b", "tie"], 60).tolist(),
        }
    )


def islands() -> pl.DataFrame:
    far = scores(5, players=3, rounds=4).with_columns(
        player="far " + pl.col("player"), round="far " + pl.col("round")
    )
    return pl.concat([scores(4, players=4, rounds=4), far])


def looked_at() -> Leaderboard:
    board = rate(
        scores(6, players=4, rounds=6), family="family", hyperparameters=["depth"], **ROLES
    )
    board.details()
    board.quality(simulations=20)
    return board


BASES: dict[str, Callable[[], Leaderboard | Season]] = {
    "complete": lambda: rate(scores(1, players=5, rounds=6), **ROLES),
    "gaps": lambda: rate(scores(2, players=5, rounds=9, gaps=0.4), **ROLES),
    "cuts": lambda: rate(scores(10, players=5, rounds=9, gaps=0.5, apart=3.0), **ROLES),
    "battles": lambda: rate_battles(battles()),
    "islands": lambda: rate(islands(), components="separate", **ROLES),
    "looked at": looked_at,
    "pooled": lambda: rate(scores(7, players=4, rounds=8), tournament="data", **ROLES),
    "across": lambda: rate(scores(8, players=4, rounds=4), matches="across", **ROLES),
    "season": lambda: rate_each(scores(9, players=4, rounds=8), tournament="data", **ROLES),
}


@cache
def document(base: str) -> str:
    return BASES[base]().to_json()


def mutant(seed: int) -> tuple[str, str]:
    """The kind of a document, and its text after one to three changes."""
    rng = random.Random(seed)
    base = rng.choice(sorted(BASES))
    text = document(base)
    if rng.random() < 0.05:
        return base, cut(text, rng)
    data = json.loads(text)
    for _ in range(rng.choice((1, 1, 2, 3))):
        change(data, rng)
    written = json.dumps(data)
    return base, written if rng.random() < 0.95 else repeated(written, rng)


def cut(text: str, rng: random.Random) -> str:
    place = rng.randrange(len(text))
    return rng.choice(
        (
            text[:place],
            text[:place] + rng.choice('{}[]",:0e\x00é') + text[place + 1 :],
            text[:place] + "[" * 100_000,
            text[:-1] + ', "more": ' + "9" * 5_000 + "}",
            text[:-1] + ', "more": ' + "[" * 900 + "]" * 900 + "}",
        )
    )


def repeated(text: str, rng: random.Random) -> str:
    """The document with one of its keys once more, and another value."""
    data = json.loads(text)
    key = rng.choice(sorted(data))
    return f"{{{json.dumps(key)}: {json.dumps(rng.choice(OTHERS))}, {text[1:]}"


def change(data: Any, rng: random.Random) -> None:
    """One change somewhere: mostly of numbers in packed arrays, where indices are."""
    packed: list[Path] = []
    leaves: list[Path] = []
    for path, value in walk(data):
        (packed if path[-1] in PACKED and is_packed(value) else leaves).append(path)
    if packed and rng.random() < 0.4:
        path = rng.choice(packed)
        put(data, path, repack(get(data, path), rng))
        return
    path = rng.choice(leaves)[: rng.choice((None, None, None, -1))]
    if not path:
        return
    way = rng.random()
    if way < 0.3:
        put(data, path, near(get(data, path), rng))
    elif way < 0.7:
        put(data, path, rng.choice(EVIL))
    elif way < 0.85:
        del get(data, path[:-1])[path[-1]]
    else:
        put(data, path, get(data, rng.choice(leaves)))


def is_packed(value: object) -> bool:
    try:
        return isinstance(value, str) and len(base64.b64decode(value, validate=True)) >= 8
    except ValueError:
        return False


def repack(text: str, rng: random.Random) -> str:
    raw = base64.b64decode(text)
    way = rng.random()
    if way < 0.05:
        raw = raw[: rng.randrange(len(raw))]
    elif way < 0.1:
        raw *= 2
    elif way < 0.4:
        raw = nearly(raw, rng)
    elif way < 0.65:
        array = np.frombuffer(raw[: len(raw) // 8 * 8], "<i8").copy()
        array[rng.randrange(array.size)] = rng.choice(INTEGERS)
        raw = array.tobytes()
    elif way < 0.9:
        numbers = np.frombuffer(raw[: len(raw) // 8 * 8], "<f8").copy()
        numbers[rng.randrange(numbers.size)] = rng.choice(FLOATS)
        raw = numbers.tobytes()
    else:
        return text[:-2] + rng.choice(("!!", "\u00e9\u00e9", "=="))
    return base64.b64encode(raw).decode()


def nearly(raw: bytes, rng: random.Random) -> bytes:
    """The array with two numbers exchanged, one repeated, or all turned, scaled or shifted."""
    array = np.frombuffer(raw[: len(raw) // 8 * 8], "<i8").copy()
    one, other = rng.randrange(array.size), rng.randrange(array.size)
    way = rng.randrange(5)
    if way == 0:
        array[[one, other]] = array[[other, one]]
    elif way == 1:
        array[one] = array[other]
    elif way == 2:
        array = array[::-1]
    else:
        numbers = array.view("<f8")
        array = (numbers * 1.5 if way == 3 else numbers + 0.01).view("<i8")
    return array.tobytes()


def near(value: Any, rng: random.Random) -> Any:
    """Another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        return rng.choice((value + 1, value - 1, 2 * value, -value, value / 2))
    return f"{value}x" if isinstance(value, str) else value


def walk(data: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    inner = data.items() if isinstance(data, dict) else enumerate(data)
    for key, value in inner:
        if isinstance(value, (dict, list)) and value:
            yield from walk(value, (*path, key))
        else:
            yield (*path, key), value


def get(data: Any, path: Path) -> Any:
    for step in path:
        data = data[step]
    return data


def put(data: Any, path: Path, value: Any) -> None:
    get(data, path[:-1])[path[-1]] = value


# What people do with a document that loads --------------------------------------------------------


def load(base: str, text: str) -> Leaderboard | Season:
    return (Season if base == "season" else Leaderboard).from_json(text)


def uses(found: Leaderboard | Season) -> Iterator[Callable[[], object]]:
    """Everything that is quick, one after the other; each may raise a `WinoddsError`."""
    boards = [found] if isinstance(found, Leaderboard) else list(found.values())
    yield lambda: str(found)
    yield lambda: found.to_json().encode()
    yield lambda: found.frame("polars")
    for board in boards:
        yield from uses_of_board(board)
    if isinstance(found, Season):
        yield found.findings


def uses_of_board(board: Leaderboard) -> Iterator[Callable[[], object]]:
    yield lambda: [*board.rows]
    yield lambda: board.compare(board.players[0], board.players[-1])
    yield board.sota
    yield board.details
    yield board.compare
    yield lambda: board.quality(simulations=20)
    yield lambda: board.bootstrap(replicates=5)
    yield board.win_matrix
    yield board.relation
    yield board.seat
    yield board.importance
    yield lambda: board.place(dict.fromkeys(board.schedule.rounds, 0.5) if board.schedule else {})
    yield board.figures.ranking
    yield board._repr_html_
