"""The benchmark measures what it says, on a small table and without its peers."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "benchmarks"))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "benchmarks" / "tuning"))

import boards
import contests
import files
import measuring
import peers
import pools
import rivals
import run
import runs
import tuning_table


def test_exact_ratings_solve_the_likelihood_equations() -> None:
    scores = run.make_scores(12, 8)
    wins = peers.win_counts(scores)
    beta = run.exact_ratings(scores)
    expected = (8.0 / (1.0 + np.exp(beta[None, :] - beta[:, None]))).sum(axis=1) - 4.0
    np.testing.assert_allclose(wins.sum(axis=1), expected, atol=1e-10)


def test_win_counts_give_ties_half() -> None:
    scores = np.array([[1.0, 2.0, 2.0], [3.0, 1.0, 2.0]])
    assert peers.win_counts(scores).tolist() == [[0, 1, 1], [1, 0, 0.5], [1, 1.5, 0]]


def test_table_names_floor_and_winodds_with_its_error(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "PEERS", ())
    run.compare_with_peers((30,), 20)
    lines = capsys.readouterr().out.splitlines()
    assert "floor: polars sorts the scores" in lines[-2]
    assert "winodds, robust intervals included" in lines[-1]
    assert float(lines[-1].split()[-1]) < 1e-12


def test_memory_of_a_call_is_its_peak() -> None:
    # In a process of its own: threads of other tests' libraries give memory back at any time.
    code = (
        "import measuring, numpy as np;"
        "print(measuring.measure(lambda: np.ones(8_000_000).sum())[1].megabytes)"
    )
    folder = Path(measuring.__file__).parent
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=True
    )
    if done.stdout.strip() == "None":
        pytest.skip("this platform does not tell a process's peak memory")
    assert 50.0 < float(done.stdout) < 80.0


def test_replicates_are_measured_in_fits_and_checked(capsys: pytest.CaptureFixture[str]) -> None:
    boards.details(run.to_frame(run.make_scores(60, 8)), replicates=30)
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == "Details of a board of 60 players × 8 rounds"
    assert lines[2].startswith("30 bootstrap replicates: ")
    assert float(lines[2].split()[-1]) < 1e-6
    assert lines[3].startswith("quality, simulated p-value included: ")
    assert lines[4].startswith("rank ranges, letters, chances of being best: ")


def test_files_are_measured_against_reading_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files.season(tmp_path, tournaments=2, players=6, rounds=5)
    files.battles(tmp_path, number=1000)
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == "2 tournaments × 6 players × 5 rounds from one CSV file"
    assert lines[2].startswith("60 rows, 0 MB: ")
    assert "s polars needs to read and sort it" in lines[2]
    assert lines[4] == "1,000 battles among 200 models from one CSV file"
    assert "s polars needs to read it" in lines[5]


def test_the_simulations_that_exact_laws_replace_agree_with_them() -> None:
    exact = contests.four_rows(players=50, n=200)
    drawn = contests.simulate_four_rows(2000, players=50, n=200)
    # A maximum of 50 varies by about 0.012.
    np.testing.assert_allclose(drawn, exact, atol=4 * 0.012 / np.sqrt(2000))


def test_contests_are_reported_as_ratios(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    small = contests.board_like_obesity(entries=60, n=400)
    monkeypatch.setattr(contests, "board_like_obesity", lambda **_: small)
    contests.contests(repetitions=2, draws=2, n=400)
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if "times faster" in line] == lines[3::4]
    assert f"{small.max():.4f} → 0." in lines[-1]


def test_a_large_plan_is_timed_at_its_beginning_and_near_its_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runs.large_plan(tmp_path, 400)
    begun, resumed = capsys.readouterr().out.splitlines()
    assert begun.startswith("planned after ")
    assert "the table of 400 rows written after" in resumed


# Races of settings --------------------------------------------------------------------------------


def _pool(name: str, seed: int) -> pools.Pool:
    rng = np.random.default_rng(seed)
    scores = np.linspace(0.9, 0.5, 12)[:, None] + 0.02 * rng.standard_normal((12, 120))
    return pools.Pool(name, "knn", 0, scores, np.ones(scores.shape))


@pytest.mark.parametrize("way", rivals.WAYS)
def test_every_way_to_search_finds_a_clear_winner_among_what_it_paid_for(way: str) -> None:
    scores, _, fresh = _pool("a", 0).part(2)
    found = rivals.WAYS[way](scores)
    assert (scores.shape, fresh.shape) == ((12, 20), (12, 100))
    assert found.choice == 0
    assert found.paid[0].any()
    assert found.paid.all() == (way == "full search")
    # What was not paid for plays no part.
    assert rivals.WAYS[way](np.where(found.paid, scores, 0.0)).choice == 0


def test_halving_over_splits_pays_for_thirds() -> None:
    paid = rivals.halving_over_splits(_pool("a", 0).part(0)[0]).paid.sum(axis=1)
    assert sorted(paid.tolist()) == [2] * 8 + [6] * 2 + [20] * 2


def test_areas_under_curves_are_shares_of_pairs() -> None:
    y, value = np.array([1, 0, 1, 0]), np.array([0.9, 0.9, 0.4, 0.1])
    assert pools.area_under_curve(y, value) == (0.5 + 1 + 0 + 1) / 4


def test_tables_compare_on_fresh_splits(capsys: pytest.CaptureFixture[str]) -> None:
    held = [_pool(name, seed) for seed, name in enumerate("abc")]
    results = [
        tuning_table.Result(pool.name, 0, way, choice, fits, fits)
        for pool in held
        for way, choice, fits in [("full search", 0, 1.0), ("park, first 3", 11, 0.25)]
    ]
    tuning_table.print_tables(held, results)
    lines = capsys.readouterr().out.splitlines()
    assert lines[2].split()[2:5] == ["3", "1.000", "1.000"]
    assert lines[3].split()[3:8] == ["3", "0.250", "0.250", "0.250", "0.000"]
