"""Arbitrary files through the command line, and arbitrary tables through every kind of file."""

import contextlib
import csv
import gzip
import io
import json
import math
import re
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import example, given, settings, strategies as st

from winodds import WinoddsError, rate, rate_each
from winodds.cli.main import run
from winodds.errors import UseError
from winodds.language.spelling import command_line_spelling
from winodds.read import delimited
from winodds.read.delimited import read_delimited
from winodds.read.numbers import MISSING, NUMBER, parse_numbers
from winodds.table.names import tidy

TABLE = b"model,fold,auc\nA,1,.9\nB,1,.8\nC,1,.7\nA,2,.8\nB,2,.9\nC,2,.5\nA,3,.6\nB,3,.5\nC,3,.7\n"


def command(content: bytes, *options: str) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of a command that rates a file."""
    out, err = io.StringIO(), io.StringIO()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "results"
        path.write_bytes(content)
        words = ["rate", str(path), "--quiet", "--no-details", "--format", "json", *options]
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = run(words)
    return code, out.getvalue(), err.getvalue()


def boards_of(text: str) -> list[dict[str, Any]]:
    found = json.loads(text)
    boards: list[dict[str, Any]] = found.get("tournaments", [found])
    return boards


def check_sound(content: bytes, *options: str) -> None:
    """A file gives boards that hold together, or an error of ours."""
    code, out, err = command(content, *options)
    assert code in (0, 1, 2)
    assert "Traceback" not in err
    assert "made a mistake" not in err
    if code:
        assert out == ""
        assert err.startswith("Error: ")
        return
    assert err == ""
    for board in boards_of(out):
        rows = board["players"]
        assert len({row["player"] for row in rows}) == len(rows) >= 2
        assert all(math.isfinite(row["epp"]) for row in rows)
        assert sum(row["wins"] for row in rows) == pytest.approx(
            sum(row["matches"] for row in rows) / 2
        )


# Bytes --------------------------------------------------------------------------------------------

SHAPES: list[tuple[str, ...]] = [
    (),
    ("--higher-is-better",),
    ("--wide", "--higher-is-better"),
    ("--battles",),
    ("--decimal", ","),
    ("--percent",),
    ("--missing", "lose", "--duplicates", "mean"),
    ("--encoding", "utf-16"),
    ("--encoding", "latin-1"),
    ("--components", "separate", "--matches", "across"),
]
OPTIONS = st.just(()) | st.sampled_from(SHAPES)

ROUGH_BYTES = st.sampled_from(
    [
        *(b'"', b'""', b",", b";", b"\t", b"\n", b"\r", b"\r\n", b"\n\n", b" ", b"\x00"),
        *(b"\xef\xbb\xbf", b"\xff\xfe", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\x1b[31m"),
        *(b"nan", b"inf", b"1e400", b"-", b"%", b"\xe2\x80\xae", b"model", b"auc", b"A,1,.9\n"),
        *(b"{", b"}", b"[", b"]", b":", b"null", b"NaN", b"\\u0000", b"\\ud800", b"#", b"'"),
    ]
)


def now_and_then(rare: st.SearchStrategy[Any], usual: st.SearchStrategy[Any], times: int) -> Any:
    """The rare one in one of so many draws."""
    return st.integers(1, times).flatmap(lambda k: rare if k == times else usual)


@st.composite
def mutated(draw: st.DrawFn, original: bytes, *, most: int = 4) -> bytes:
    """A file with some stretches cut out, repeated, overwritten or put in."""
    content = original
    for _ in range(draw(st.integers(1, most))):
        begin = draw(st.integers(0, len(content)))
        end = min(begin + draw(st.integers(0, 12)), len(content))
        new = draw(ROUGH_BYTES | st.binary(max_size=4) | st.just(content[begin:end] * 2))
        content = content[:begin] + new + content[end:]
    whole = st.just(len(content))
    return content[: draw(now_and_then(st.integers(0, len(content)), whole, 5))]


@given(content=st.binary(max_size=200), options=OPTIONS)
@example(content=b"PAR1" * 3, options=())
@example(content=b"\x1f\x8b", options=())
def test_any_bytes_are_rated_or_refused(content: bytes, options: tuple[str, ...]) -> None:
    check_sound(content, *options)


@settings(max_examples=200)
@given(content=mutated(TABLE), options=OPTIONS)
def test_damaged_csv_is_rated_or_refused(content: bytes, options: tuple[str, ...]) -> None:
    check_sound(content, *options)


@given(parts=st.lists(ROUGH_BYTES | st.sampled_from([b"A", b"B", b"1", b"2", b".5"]), max_size=30))
def test_csv_like_bytes_are_rated_or_refused(parts: list[bytes]) -> None:
    check_sound(b"model,fold,auc\n" + b"".join(parts))


@given(content=mutated(gzip.compress(TABLE, mtime=0)))
def test_damaged_gzip_is_rated_or_refused(content: bytes) -> None:
    check_sound(b"\x1f\x8b" + content[2:])


JSON_LINES = pl.read_csv(io.BytesIO(TABLE)).write_ndjson().encode()


@given(content=mutated(JSON_LINES), options=OPTIONS)
def test_damaged_json_lines_are_rated_or_refused(content: bytes, options: tuple[str, ...]) -> None:
    check_sound(b"{" + content.removeprefix(b"{"), *options)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=2), inner),
    max_leaves=4,
)


@given(
    rows=st.lists(
        st.fixed_dictionaries(
            {}, optional={"model": VALUES, "fold": VALUES, "auc": VALUES, "status": VALUES}
        ),
        min_size=1,
        max_size=6,
    ),
    ascii_only=st.booleans(),
)
def test_objects_of_all_kinds_are_rated_or_refused(
    rows: list[dict[str, object]], ascii_only: bool
) -> None:
    lines = [json.dumps(row, ensure_ascii=ascii_only) for row in rows]
    check_sound("\n".join(lines).encode(errors="surrogatepass"))


def as_parquet(frame: pl.DataFrame) -> bytes:
    target = io.BytesIO()
    frame.write_parquet(target, compression="uncompressed")
    return target.getvalue()


PARQUET = as_parquet(pl.read_csv(io.BytesIO(TABLE)))


@settings(max_examples=100)
@given(content=mutated(PARQUET, most=2))
def test_damaged_parquet_is_rated_or_refused(content: bytes) -> None:
    check_sound(b"PAR1" + content[4:])


# Tables -------------------------------------------------------------------------------------------

NAMES = st.sampled_from(
    [
        *("A", "B", "NA", "null", "nan", "007", "7", "1e5", "100000", "TRUE", "true", "2024-01-01"),
        *('say "hi"', "a,b", "a;b", "=1+1", "<b>", "%s", "né", "ne\u0301", "B ", "\u00a0A", "模型"),
    ]
)
BAD_NAMES = st.sampled_from(["", " ", "a\x00b", "a\u202eb", "a\nb", "a\tb"])
SCORES = st.sampled_from([*(f"{k / 10}" for k in range(11)), "1e-3", "+.5", "1."])
ODD_SCORES = st.sampled_from(["", "NA", "NaN", "fail", "-", " 0.5 "])
BAD_SCORES = st.sampled_from(["0,5", "50%", "inf", "1e400", "0x1", "x", "1.5", "-1"])


def different(names: list[str]) -> list[str]:
    """Without those that are the same after tidying."""
    return list({tidy(name): name for name in names}.values())


@st.composite
def tables(draw: st.DrawFn) -> pl.DataFrame:
    """Long tables of text with what real ones suffer from."""
    several = st.lists(NAMES, min_size=1, max_size=6)
    apart = several.map(different)
    players = draw(now_and_then(several, apart, 6))
    rounds = draw(now_and_then(several, apart, 6))
    tournaments = draw(st.lists(NAMES, min_size=1, max_size=3).map(different))
    cell = draw(st.sampled_from([SCORES, now_and_then(ODD_SCORES, SCORES, 6)]))
    gaps = draw(st.sampled_from([0, 0, 5]))
    rows = [
        [player, data, task, draw(cell)]
        for data in tournaments
        for task in rounds
        for player in players
        if not gaps or draw(st.integers(1, gaps)) > 1
    ]
    rows = rows or [["A", "x", "1", "0.5"]]
    column, ruin = draw(
        now_and_then(
            st.tuples(st.sampled_from([0, 1, 2]), BAD_NAMES) | st.tuples(st.just(3), BAD_SCORES),
            st.just((0, rows[0][0])),
            5,
        )
    )
    rows[0][column] = ruin
    rows += draw(now_and_then(st.lists(st.sampled_from(rows), max_size=2), st.just([]), 3))
    schema = dict.fromkeys(("model", "dataset", "fold", "auc"), pl.String)
    return pl.DataFrame(rows, schema, orient="row")


def as_text(frame: pl.DataFrame, mark: str = ",") -> bytes:
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=mark, lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writerow(frame.columns)
    writer.writerows(frame.rows())
    return text.getvalue().encode()


FORMS: dict[str, Callable[[pl.DataFrame], bytes]] = {
    "csv": as_text,
    "semicolons": lambda frame: as_text(frame, ";"),
    "tabs": lambda frame: as_text(frame, "\t"),
    "old line ends": lambda frame: as_text(frame).replace(b'"\n', b'"\r\n'),
    "json lines": lambda frame: frame.write_ndjson().encode(),
    "parquet": as_parquet,
    "gzip": lambda frame: gzip.compress(as_text(frame), mtime=0),
}
READING_NOTES = ("separator", "trimmed_cells")


def facts(board: dict[str, Any]) -> dict[str, Any]:
    """What a board says, but for notes about how numbers were written."""
    kept = {key: value for key, value in board.items() if key != "notes"}
    return {**kept, "notes": [note for note in board["notes"] if note["name"] not in READING_NOTES]}


def numbers(frame: pl.DataFrame) -> pl.DataFrame | None:
    """The table with floats as scores, None if a cell is no number."""
    values: list[float | None] = []
    for cell in frame["auc"]:
        plain = cell.strip()
        if plain.lower() in MISSING:
            values.append(None)
        elif NUMBER.fullmatch(plain) and math.isfinite(float(plain)):
            values.append(float(plain))
        else:
            return None
    return frame.with_columns(pl.Series("auc", values, pl.Float64))


def from_frame(frame: pl.DataFrame, *, pool: bool, **rules: Any) -> list[dict[str, Any]] | int:
    """The boards of a data frame, or the exit code that its error has."""
    ready = numbers(frame)
    if ready is None:
        return 1
    roles: dict[str, Any] = {"player": "model", "round": "fold", "score": "auc"}
    roles |= {"tournament": "dataset", "details": False}
    try:
        # Notes say how options are written.
        with command_line_spelling():
            found = rate(ready, **roles, **rules) if pool else rate_each(ready, **roles, **rules)
    except WinoddsError as error:
        return 2 if isinstance(error, UseError) else 1
    return [facts(board) for board in boards_of(found.to_json())]


@settings(max_examples=30)
@given(
    frame=tables(),
    pool=st.booleans(),
    missing=st.sampled_from(["skip", "lose"]),
    duplicates=st.sampled_from(["error", "mean", "first", "last", "best"]),
)
def test_every_kind_of_file_gives_the_boards_of_the_data_frame(
    frame: pl.DataFrame, pool: bool, missing: str, duplicates: str
) -> None:
    rules = {"missing": missing, "duplicates": duplicates, "components": "separate"}
    wanted = from_frame(frame, pool=pool, **rules)
    words = [word for name, value in rules.items() for word in (f"--{name}", value)]
    for form, write in FORMS.items():
        code, out, _ = command(write(frame), *words, *(["--pool"] if pool else []))
        found = [facts(board) for board in boards_of(out)] if code == 0 else code
        assert found == wanted, form


# Twins --------------------------------------------------------------------------------------------


def parse_strictly(text: str, mark: str) -> list[list[str]] | None:
    """Rows by the standard library; None if a quote is out of place or a row has another length."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    cell = rf'(?:"(?:[^"]|"")*"|[^"\n{mark}]*)'
    record = f"{cell}(?:{mark}{cell})*\n"
    if not re.fullmatch(f"(?:{record})*", text):
        return None
    records = [line for line in re.findall(record, text) if line.strip(" \n")]
    rows = list(csv.reader(records, delimiter=mark, strict=True))
    return rows[1:] if all(len(row) == len(rows[0]) for row in rows) else None


@st.composite
def delimited_texts(draw: st.DrawFn) -> tuple[str, str]:
    """A text with a plain header, and its delimiter."""
    mark = draw(st.sampled_from(",;\t"))
    width = draw(st.integers(2, 3))
    wild = st.text('ab",;\t\n\r é', max_size=4)
    quoted = wild.map(lambda text: '"' + text.replace('"', '""') + '"')
    plain = st.text("ab é1", max_size=4)
    cell = draw(st.sampled_from([plain | quoted, now_and_then(wild, plain | quoted, 8)]))
    full = st.lists(cell, min_size=width, max_size=width)
    rows = draw(st.lists(full, min_size=1, max_size=5))
    rows += draw(now_and_then(st.lists(st.lists(cell, min_size=1, max_size=4)), st.just([]), 8))
    end = st.sampled_from(["\n", "\n", "\n", "\r\n", "\r", "\n\n"])
    header = mark.join(f"c{k}" for k in range(width))
    lines = [header, *(mark.join(row) for row in rows)]
    return "".join(line + draw(end) for line in lines), mark


def read_ours(text: str) -> list[list[str]] | None:
    try:
        found = read_delimited(text.encode())
    except WinoddsError:
        return None
    cells = found.parse(dict.fromkeys(found.columns, pl.String))
    return [[cell or "" for cell in row] for row in cells.rows()]


@settings(max_examples=400)
@given(given_text=delimited_texts(), chunk=st.sampled_from([1, 16, 1 << 20]))
def test_delimited_text_is_cut_as_the_standard_library_does(
    given_text: tuple[str, str], chunk: int
) -> None:
    text, mark = given_text
    wanted = parse_strictly(text, mark)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(delimited, "CHUNK", chunk)
        assert read_ours(text) == (wanted or None)


@settings(max_examples=300)
@given(cells=st.lists(st.text("0123456789.eE+-_ ,%infa\u00a0٣１−", max_size=7), max_size=20))
def test_numbers_are_those_of_the_grammar(cells: list[str]) -> None:
    found = parse_numbers(pl.Series(cells, dtype=pl.String))
    bad = set(found.bad.tolist())
    for row, cell in enumerate(cells):
        plain = cell.strip(" \t\u00a0")
        if plain.lower() in MISSING:
            assert row not in bad
            assert math.isnan(found.values[row])
        elif NUMBER.fullmatch(plain) and math.isfinite(float(plain)):
            assert row not in bad
            assert found.values[row] == float(plain)
        else:
            assert row in bad
