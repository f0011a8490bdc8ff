"""The benchmark measures what it says, on a small table and without its peers."""

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "benchmarks"))

import peers
import run


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
    _, measured = run.measure(lambda: np.ones(8_000_000).sum())
    if measured.megabytes is None:
        pytest.skip("this platform does not tell a process's peak memory")
    assert 50.0 < measured.megabytes < 80.0
