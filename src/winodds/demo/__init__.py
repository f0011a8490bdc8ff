"""Built-in results: 20 scikit-learn models on 4 data sets and 20 splits each.

The file was made by ``tools/make_demo_results.py``.
"""

from importlib.resources import files

import polars as pl


def load_results() -> pl.DataFrame:
    """The built-in results, one row for every model, data set and split.

    >>> load_results().columns
    ['model', 'algorithm', 'dataset', 'split', 'auc']
    """
    return pl.read_csv((files(__package__) / "results.csv").read_bytes())
