"""Files that say two things at once: one of them would be read, and the other lost."""

import io
import json
from pathlib import Path

import polars as pl
from tables import grid, sentence, three_by_three

from winodds import read_results, read_source
from winodds.adapters.place import Place, read_objects
from winodds.errors import BadCells, Unreadable


def parquet(table: pl.DataFrame) -> bytes:
    stream = io.BytesIO()
    table.write_parquet(stream)
    return stream.getvalue()


def test_parquet_files_behind_each_other_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "t.parquet"
    file.write_bytes(parquet(three_by_three()) + parquet(grid({"d": [1.0, 2.0]})))
    assert sentence(Unreadable, lambda: read_results(file)) == (
        f"'{file}' cannot be read: it is several Parquet files joined into one; name one of them, "
        "or convert them."
    )


def test_a_parquet_file_may_hold_the_mark_of_parquet_files(tmp_path: Path) -> None:
    file = tmp_path / "t.parquet"
    table = three_by_three().with_columns(pl.col("player") + "PAR1PAR1")
    file.write_bytes(parquet(table))
    assert sorted(read_results(file).text("player").unique()) == [
        f"{name}PAR1PAR1" for name in "abc"
    ]


def test_a_key_that_an_object_has_twice_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "t.json"
    file.write_text('{\n"results": {"a": 1, "a": 2}}')
    wanted = f"'{file}' cannot be read: it is no whole JSON (an object has 'a' twice)."
    assert sentence(Unreadable, lambda: Place(str(file)).document) == wanted
    file.write_text(json.dumps({"a": 1}) + '\n{"b": 1, "b": 2}\n')
    assert sentence(Unreadable, lambda: list(read_objects(file))) == (
        f"'{file}' cannot be read: line 2 is no whole JSON (an object has 'b' twice)."
    )


def test_marks_of_thousands_are_not_advised_to_be_read_as_decimal_marks(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text('model,fold,votes\na,1,"1,234"\nb,1,999\na,2,"1,235"\nb,2,998\n')
    said = sentence(
        BadCells,
        lambda: read_source(file).numbers("votes", role="score"),
    )
    assert "marks of thousands" in said
    assert "decimal" not in said
