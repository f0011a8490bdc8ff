"""Bradley-Terry fits of other Python packages behind one common interface.

Every peer starts from the same complete table of scores, rounds by players, higher is better.
All players meet pairwise once in every round: the higher score wins, equal scores give half a
win to both. Every fit returns log-odds, centred to mean 0, in the column order of the table, so
that the peers can be compared with each other and with the exact maximum of the likelihood.

Tolerances are tightened wherever a peer's defaults stop short of that maximum. The notes on
uncertainty and on unbeaten players record what each peer did on a table of 4 players by 6 rounds
with one player who is never beaten, in these versions: evalica 0.4.2, choix 0.4.1, bencheval
0.1.0, arena-rank 0.1.1, scikit-learn 1.9.1, statsmodels 0.15.0.

Importing this module imports no peer: call `Peer.load` before anything is timed.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

__all__ = ["PEERS", "Peer", "win_counts"]

_ELO_TO_LOG_ODDS = float(np.log(10.0) / 400.0)
_BLOCK_CELLS = 4_000_000

# The model comes first: it is what switches jax to 64 bits, without which data are rounded.
_ARENA_MODULES = (
    "pandas",
    "jax.numpy",
    "arena_rank.models.bradley_terry",
    "arena_rank.utils.data_utils",
)


@dataclass(frozen=True, kw_only=True)
class Peer:
    """One way to fit Bradley-Terry with one package.

    Attributes
    ----------
    name
        Distribution name on the package index.
    variant
        The function, method or model of the package that is called.
    wants
        What the package itself takes: the table of scores, one row per match, or the wins of
        each pair.
    modules
        The modules that `load` imports, in order.
    prepare
        Turns the table of scores into the package's own input.
    fit
        Calls the package and returns centred log-odds.
    max_players
        The most players tried with success at 20 rounds, when more would need over a minute or
        more memory than is usual. None if 2000 players are no obstacle.
    """

    name: str
    variant: str
    wants: Literal["scores", "matches", "counts"]
    modules: tuple[str, ...]
    prepare: Callable[[NDArray[np.float64]], object]
    fit: Callable[[Any], NDArray[np.float64]]
    max_players: int | None = None

    def load(self) -> None:
        """Import the package, so that its import is not timed.

        Raises
        ------
        ImportError
            If the package is not installed.
        """
        for module in self.modules:
            import_module(module)


class _Contests(NamedTuple):
    """Contests of two players: single matches, or all matches of a pair taken together."""

    players: int
    first: NDArray[np.intp]
    second: NDArray[np.intp]
    first_wins: NDArray[np.float64]
    second_wins: NDArray[np.float64]


def _matches(scores: NDArray[np.float64]) -> _Contests:
    """List every match of every round, ordered by round."""
    rounds, players = scores.shape
    first, second = np.triu_indices(players, 1)
    ahead, behind = scores[:, first], scores[:, second]
    first_wins = np.where(ahead > behind, 1.0, np.where(ahead < behind, 0.0, 0.5)).ravel()
    return _Contests(
        players, np.tile(first, rounds), np.tile(second, rounds), first_wins, 1.0 - first_wins
    )


def _pairs(scores: NDArray[np.float64]) -> _Contests:
    """List every pair of players once, with the wins of each side over all rounds."""
    players = scores.shape[1]
    wins = win_counts(scores)
    first, second = np.triu_indices(players, 1)
    return _Contests(players, first, second, wins[first, second], wins[second, first])


def _centred(ratings: NDArray[np.float64]) -> NDArray[np.float64]:
    """Shift ratings to mean 0."""
    return np.asarray(ratings - ratings.mean(), dtype=np.float64)


class _EvalicaRows(NamedTuple):
    """Arguments of `evalica.bradley_terry`."""

    xs: NDArray[np.intp]
    ys: NDArray[np.intp]
    winners: NDArray[np.uint8]
    index: Any
    weights: NDArray[np.float64] | None


def _prepare_evalica_matches(scores: NDArray[np.float64]) -> _EvalicaRows:
    """Code each match with the values of `evalica.Winner`: draw 0, x 1, y 2."""
    matches = _matches(scores)
    won, lost = matches.first_wins == 1.0, matches.first_wins == 0.0
    winners = won.astype(np.uint8) + np.uint8(2) * lost.astype(np.uint8)
    index = import_module("pandas").RangeIndex(matches.players)
    return _EvalicaRows(matches.first, matches.second, winners, index, None)


def _prepare_evalica_counts(scores: NDArray[np.float64]) -> _EvalicaRows:
    """Make one row, won by x, of each ordered pair with wins, and weight it by these wins."""
    wins = win_counts(scores)
    winner, loser = np.nonzero(wins)
    index = import_module("pandas").RangeIndex(len(wins))
    winners = np.ones(len(winner), dtype=np.uint8)
    return _EvalicaRows(winner, loser, winners, index, wins[winner, loser])


def _fit_evalica(rows: _EvalicaRows) -> NDArray[np.float64]:
    """Fit with evalica's Rust solver, an iteration due to Newman.

    Uncertainty: none from the fit; `evalica.bootstrap` resamples matches (BCa by default).
    Unbeaten player: no error or warning, but all four players, not only the unbeaten one, get
    the same score, equal to the tolerance; the bootstrap then gives intervals of no width.
    """
    result = import_module("evalica").bradley_terry(
        rows.xs,
        rows.ys,
        rows.winners,
        index=rows.index,
        weights=rows.weights,
        tolerance=1e-12,
        limit=10_000,
    )
    return _centred(np.log(result.scores.sort_index().to_numpy()))


def _prepare_choix_matches(
    scores: NDArray[np.float64],
) -> tuple[int, list[tuple[int, int]]]:
    """List (winner, loser) of each match.

    choix knows no ties. If there are any, each is listed once in both directions and every
    decided match twice, which doubles the log-likelihood and leaves its maximum in place.
    """
    matches = _matches(scores)
    copies = 2 if bool(np.any(matches.first_wins % 1.0)) else 1
    first_copies = (copies * matches.first_wins).astype(np.intp)
    second_copies = copies - first_copies
    forth = (np.repeat(matches.first, first_copies), np.repeat(matches.second, first_copies))
    back = (np.repeat(matches.second, second_copies), np.repeat(matches.first, second_copies))
    winner, loser = np.concatenate([forth, back], axis=1).tolist()
    return matches.players, list(zip(winner, loser, strict=True))


def _fit_choix_matches(data: tuple[int, list[tuple[int, int]]]) -> NDArray[np.float64]:
    """Fit with choix's iterative Luce spectral ranking over a list of matches.

    Far quicker and nearer to the maximum than `opt_pairwise` and `mm_pairwise` on such lists.
    Uncertainty: none (only `ep_pairwise`, a Bayesian fit under a Gaussian prior, returns a
    covariance). Unbeaten player: raises ValueError, stationary distribution not computable,
    unless regularised by alpha > 0.
    """
    players, pairs = data
    return _centred(import_module("choix").ilsr_pairwise(players, pairs, tol=1e-12))


def _prepare_choix_counts(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Count the wins of each pair: choix takes the matrix as it is."""
    return win_counts(scores)


def _fit_choix_counts(wins: NDArray[np.float64]) -> NDArray[np.float64]:
    """Fit with choix's iterative Luce spectral ranking over a dense matrix of wins.

    Uncertainty: none. Unbeaten player: raises ValueError, stationary distribution not
    computable, unless regularised by alpha > 0.
    """
    return _centred(import_module("choix").ilsr_pairwise_dense(wins, tol=1e-12))


def _prepare_bencheval_scores(scores: NDArray[np.float64]) -> object:
    """Make the long frame of results of bencheval, where the lower error is the better."""
    rounds, players = scores.shape
    return import_module("pandas").DataFrame(
        {
            "method": np.tile(np.arange(players), rounds),
            "task": np.repeat(np.arange(rounds), players),
            "metric_error": -scores.ravel(),
        }
    )


def _fit_bencheval_scores(results: object) -> NDArray[np.float64]:
    """Fit with bencheval's leaderboard Elo, without its bootstrap and its rounding.

    The frame is complete, so bencheval takes its fast path: L-BFGS on the win totals, with a
    ridge of about 1e-7 that cannot be switched off.
    Uncertainty: 95 % intervals by bootstrap over tasks (100 resamples unless told otherwise).
    Unbeaten player: the ridge holds the rating at a finite 3093 Elo, 2660 above the second of
    four, and the bootstrap puts an interval of -16 to +1074 around it; no warning.
    """
    evaluator = import_module("bencheval.evaluator").BenchmarkEvaluator()
    table = evaluator.compute_elo(results, include_quantiles=False, round_decimals=None)
    return _centred(_ELO_TO_LOG_ODDS * table["elo"].sort_index().to_numpy())


def _prepare_bencheval_matches(scores: NDArray[np.float64]) -> object:
    """Make bencheval's frame of battles, one row per match."""
    matches = _matches(scores)
    verdicts = np.array(["2", "tie", "1"], dtype=object)
    return import_module("pandas").DataFrame(
        {
            "method_1": matches.first,
            "method_2": matches.second,
            "winner": verdicts[(2.0 * matches.first_wins).astype(np.intp)],
        }
    )


def _prepare_bencheval_counts(scores: NDArray[np.float64]) -> object:
    """Make bencheval's frame of battles, one row per pair and winner, weighted by the wins."""
    pairs = _pairs(scores)
    return import_module("pandas").DataFrame(
        {
            "method_1": np.tile(pairs.first, 2),
            "method_2": np.tile(pairs.second, 2),
            "winner": np.repeat(np.array(["1", "2"], dtype=object), len(pairs.first)),
            "weight": np.concatenate([pairs.first_wins, pairs.second_wins]),
        }
    )


def _fit_bencheval_battles(battles: object) -> NDArray[np.float64]:
    """Fit with bencheval's Elo from battles, its way for incomplete tables.

    It gathers pairs in a Python loop and gives scikit-learn a dense design, ridge C=1e6.
    Uncertainty: `compute_elo_ratings` bootstraps over tasks. Unbeaten player: a finite 3093 Elo
    held by the ridge, as from the table of scores; no warning.
    """
    helper = import_module("bencheval.elo_utils").EloHelper()
    elo = helper.compute_mle_elo(battles).sort_index().to_numpy()
    return _centred(_ELO_TO_LOG_ODDS * elo)


class _ArenaData(NamedTuple):
    """Number of players, and a frame of battles or a dataset of arena-rank."""

    players: int
    data: object


def _prepare_arena_matches(scores: NDArray[np.float64]) -> _ArenaData:
    """Make arena-rank's frame of battles, one row per match."""
    matches = _matches(scores)
    pandas = import_module("pandas")
    codes = (2.0 * matches.first_wins).astype(np.int8)
    winner = pandas.Categorical.from_codes(codes, ["model_b", "tie", "model_a"])
    frame = {"model_a": matches.first, "model_b": matches.second, "winner": winner}
    return _ArenaData(matches.players, pandas.DataFrame(frame))


def _fit_arena_matches(battles: _ArenaData) -> NDArray[np.float64]:
    """Fit with arena-rank from a frame of battles, which it aggregates itself.

    Uncertainty and unbeaten player: as for the fit from counts.
    """
    from_pandas = import_module("arena_rank.utils.data_utils").PairDataset.from_pandas
    return _fit_arena_counts(_ArenaData(battles.players, from_pandas(battles.data)))


def _prepare_arena_counts(scores: NDArray[np.float64]) -> _ArenaData:
    """Make arena-rank's own dataset, one row per pair, its outcome the share of wins."""
    pairs = _pairs(scores)
    asarray = import_module("jax.numpy").asarray
    total = pairs.first_wins + pairs.second_wins
    dataset = import_module("arena_rank.utils.data_utils").PairDataset(
        competitors=list(range(pairs.players)),
        pairs=asarray(np.column_stack([pairs.first, pairs.second]).astype(np.int32)),
        outcomes=asarray(pairs.first_wins / total),
        counts=asarray(total),
        weights=asarray(np.ones_like(total)),
        opt_weights=asarray(total),
    )
    return _ArenaData(pairs.players, dataset)


def _fit_arena_counts(pairs: _ArenaData) -> NDArray[np.float64]:
    """Fit with arena-rank's BradleyTerry, L-BFGS in jax, compiled anew by every call.

    Uncertainty: intervals by sandwich covariance, or by bootstrap over matches; the sandwich
    needs rows by outcome, not shares of wins. Unbeaten player: no warning; the rating is where
    the optimiser stops (3671 Elo by default, about 5450 with the tolerance used here), and its
    sandwich interval is almost of no width (plus or minus 0.008 Elo by default).
    """
    bradley_terry = import_module("arena_rank.models.bradley_terry").BradleyTerry
    model = bradley_terry(pairs.players, ftol=0.0, gtol=1e-14)
    model.fit(pairs.data)
    return _centred(np.asarray(model.params["ratings"], dtype=np.float64))


class _Regression(NamedTuple):
    """A weighted logistic regression of wins on players."""

    design: Any
    label: NDArray[np.float64]
    weight: NDArray[np.float64]


def _prepare_sklearn(contests: _Contests) -> _Regression:
    """Make a sparse design, with a row for each side of a contest that has any wins."""
    rows = len(contests.first)
    columns = np.column_stack([contests.first, contests.second]).astype(np.int32)
    wins = np.concatenate([contests.first_wins, contests.second_wins])
    kept = np.flatnonzero(wins)
    design = import_module("scipy.sparse").csr_matrix(
        (
            np.tile([1.0, -1.0], len(kept)),
            columns[kept % rows].ravel(),
            np.arange(0, 2 * len(kept) + 1, 2, dtype=np.int32),
        ),
        shape=(len(kept), contests.players),
    )
    return _Regression(design, (kept < rows).astype(np.float64), wins[kept])


def _prepare_sklearn_matches(scores: NDArray[np.float64]) -> _Regression:
    """Make a design of one row per match, of two for a tie."""
    return _prepare_sklearn(_matches(scores))


def _prepare_sklearn_counts(scores: NDArray[np.float64]) -> _Regression:
    """Make a design of two rows per pair, weighted by the wins of either side."""
    return _prepare_sklearn(_pairs(scores))


def _fit_sklearn(data: _Regression) -> NDArray[np.float64]:
    """Fit with scikit-learn's unpenalised LogisticRegression, solver newton-cg.

    Of newton-cg, newton-cholesky and lbfgs it was the fastest at 2000 players, and lbfgs stopped
    further from the maximum. Uncertainty: none. Unbeaten player: a large finite rating (29.5 above
    the second of four in log-odds) that depends on solver and tolerance; no warning.
    """
    model = import_module("sklearn.linear_model").LogisticRegression(
        C=np.inf, fit_intercept=False, solver="newton-cg", tol=1e-13, max_iter=1000
    )
    model.fit(data.design, data.label, sample_weight=data.weight)
    return _centred(np.asarray(model.coef_[0], dtype=np.float64))


def _prepare_statsmodels(
    contests: _Contests,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Make (wins, losses) and the dense design, without the column of the first player."""
    rows = np.arange(len(contests.first))
    design = np.zeros((len(rows), contests.players))
    design[rows, contests.first] = 1.0
    design[rows, contests.second] = -1.0
    outcome = np.column_stack([contests.first_wins, contests.second_wins])
    return outcome, np.ascontiguousarray(design[:, 1:])


def _prepare_statsmodels_matches(
    scores: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Make a dense design of one row per match."""
    return _prepare_statsmodels(_matches(scores))


def _prepare_statsmodels_counts(
    scores: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Make a dense design of one row per pair."""
    return _prepare_statsmodels(_pairs(scores))


def _fit_statsmodels(
    data: tuple[NDArray[np.float64], NDArray[np.float64]],
) -> NDArray[np.float64]:
    """Fit with statsmodels' binomial GLM, by Newton steps from zero.

    Newton from zero was quicker than the default IRLS and reached the same maximum.
    Uncertainty: standard errors, covariance and Wald intervals from the information matrix,
    relative to the player whose column is left out. Unbeaten player: a rating 27 above the
    second of four in log-odds (25 from single matches), standard errors near 205000 and a
    ConvergenceWarning; the default IRLS stops at 23 and reports convergence without a warning.
    """
    outcome, design = data
    statsmodels = import_module("statsmodels.api")
    model = statsmodels.GLM(outcome, design, family=statsmodels.families.Binomial())
    result = model.fit(method="newton", max_start_irls=0, tol=1e-12, disp=False)
    return _centred(np.concatenate([[0.0], np.asarray(result.params, dtype=np.float64)]))


PEERS: tuple[Peer, ...] = (
    Peer(
        name="evalica",
        variant="bradley_terry",
        wants="matches",
        modules=("pandas", "evalica"),
        prepare=_prepare_evalica_matches,
        fit=_fit_evalica,
    ),
    Peer(
        name="evalica",
        variant="bradley_terry, weights",
        wants="counts",
        modules=("pandas", "evalica"),
        prepare=_prepare_evalica_counts,
        fit=_fit_evalica,
    ),
    Peer(
        name="choix",
        variant="ilsr_pairwise",
        wants="matches",
        modules=("choix",),
        prepare=_prepare_choix_matches,
        fit=_fit_choix_matches,
        max_players=500,
    ),
    Peer(
        name="choix",
        variant="ilsr_pairwise_dense",
        wants="counts",
        modules=("choix",),
        prepare=_prepare_choix_counts,
        fit=_fit_choix_counts,
    ),
    Peer(
        name="bencheval",
        variant="BenchmarkEvaluator.compute_elo",
        wants="scores",
        modules=("pandas", "bencheval.evaluator"),
        prepare=_prepare_bencheval_scores,
        fit=_fit_bencheval_scores,
    ),
    Peer(
        name="bencheval",
        variant="EloHelper.compute_mle_elo",
        wants="matches",
        modules=("pandas", "bencheval.elo_utils"),
        prepare=_prepare_bencheval_matches,
        fit=_fit_bencheval_battles,
        max_players=400,
    ),
    Peer(
        name="bencheval",
        variant="EloHelper.compute_mle_elo, weight",
        wants="counts",
        modules=("pandas", "bencheval.elo_utils"),
        prepare=_prepare_bencheval_counts,
        fit=_fit_bencheval_battles,
        max_players=400,
    ),
    Peer(
        name="arena-rank",
        variant="BradleyTerry, PairDataset.from_pandas",
        wants="matches",
        modules=_ARENA_MODULES,
        prepare=_prepare_arena_matches,
        fit=_fit_arena_matches,
        max_players=1000,
    ),
    Peer(
        name="arena-rank",
        variant="BradleyTerry, PairDataset",
        wants="counts",
        modules=_ARENA_MODULES,
        prepare=_prepare_arena_counts,
        fit=_fit_arena_counts,
    ),
    Peer(
        name="scikit-learn",
        variant="LogisticRegression newton-cg",
        wants="matches",
        modules=("scipy.sparse", "sklearn.linear_model"),
        prepare=_prepare_sklearn_matches,
        fit=_fit_sklearn,
        max_players=1000,
    ),
    Peer(
        name="scikit-learn",
        variant="LogisticRegression newton-cg, sample_weight",
        wants="counts",
        modules=("scipy.sparse", "sklearn.linear_model"),
        prepare=_prepare_sklearn_counts,
        fit=_fit_sklearn,
    ),
    Peer(
        name="statsmodels",
        variant="GLM Binomial",
        wants="matches",
        modules=("statsmodels.api",),
        prepare=_prepare_statsmodels_matches,
        fit=_fit_statsmodels,
        max_players=200,
    ),
    Peer(
        name="statsmodels",
        variant="GLM Binomial, wins and losses",
        wants="counts",
        modules=("statsmodels.api",),
        prepare=_prepare_statsmodels_counts,
        fit=_fit_statsmodels,
        max_players=400,
    ),
)
"""The peers: for each package one row per match first, then the wins of each pair."""


def win_counts(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Count how often each player beats each other.

    Parameters
    ----------
    scores
        Rounds by players, complete, higher is better.

    Returns
    -------
    NDArray[np.float64]
        Players by players: entry (i, j) is the number of rounds in which i scores higher than
        j, and half a round for each tie. The diagonal is 0.
    """
    rounds, players = scores.shape
    above = np.zeros((players, players), dtype=np.int32)
    block = max(1, _BLOCK_CELLS // max(1, players * players))
    for start in range(0, rounds, block):
        chunk = scores[start : start + block]
        above += (chunk[:, :, None] > chunk[:, None, :]).sum(axis=0, dtype=np.int32)
    wins: NDArray[np.float64] = 0.5 * (rounds + above - above.T)
    np.fill_diagonal(wins, 0.0)
    return wins
