"""From what other tools have to a leaderboard."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from winodds.adapters.adapted import Adapted
from winodds.adapters.errors import WhichMetric
from winodds.adapters.metrics import EVERY
from winodds.adapters.optuna import read_study
from winodds.adapters.scikit_learn import read_search
from winodds.adapters.search_results import read_columns
from winodds.adapters.sources import read_logs
from winodds.api.scores import rate_scores
from winodds.board.leaderboard import Leaderboard
from winodds.language.errors import BadOption
from winodds.language.option import declarations, takes
from winodds.language.options import ScoreOptions, SourceOptions


@takes(SourceOptions)
def rate_search(search: Any, asked: SourceOptions) -> Leaderboard:
    """Rate the candidates of a search of scikit-learn on its splits.

    Parameters
    ----------
    search : a fitted search such as GridSearchCV, its ``cv_results_`` as a dict or a data frame,
        or results of ``cross_validate`` by the names of their models; see `read_search`.
    options : by keyword, those that `winodds.language.options.SourceOptions` declares.

    Examples
    --------
    >>> tried = {"params": [{"C": 1.0}, {"C": 10.0}], "split0_test_score": [0.9, 0.8]}
    >>> tried |= {"split1_test_score": [0.7, 0.9], "split2_test_score": [0.9, 0.6]}
    >>> rate_search(tried).players
    ('C=1', 'C=10')
    """
    return _rate_source(read_search, search, asked)


def name_candidates(columns: Mapping[str, Any]) -> list[str]:
    """A name for each candidate of a search, by its ``cv_results_``: those that a board gives.

    >>> name_candidates({"params": [{"C": 1.0}, {"C": 10.0}], "split0_test_score": [0.9, 0.8]})
    ['C=1', 'C=10']
    """
    return read_columns(columns, "a search").name_candidates()


@takes(SourceOptions)
def rate_study(study: Any, asked: SourceOptions) -> Leaderboard:
    """Rate the completed trials of a study of Optuna.

    A trial alone has one score, which rates nothing. If it reported the score of each fold, say
    ``rounds="steps"``.

    Parameters
    ----------
    study : a study, or several over the same space in a list; see `read_study`.
    options : by keyword, those that `winodds.language.options.SourceOptions` declares.
    """
    return _rate_source(read_study, study, asked)


@takes(SourceOptions)
def rate_logs(folder: Any, asked: SourceOptions) -> Leaderboard:
    """Rate the models of evaluation logs: of the lm-evaluation-harness or of inspect-ai.

    A round is an item of a task, or a whole task, as ``rounds`` says. Several tasks with their
    items are pooled: each counts once for a pair of models, and intervals are for new tasks.
    ``rate_each(read_source(folder), tournament="tournament")`` gives a board of each task.

    Parameters
    ----------
    folder : the folder with the logs, or one file.
    options : by keyword, those that `winodds.language.options.SourceOptions` declares.
    """
    return _rate_source(read_logs, folder, asked)


def _rate_source(read: Callable[..., Adapted], given: Any, asked: SourceOptions) -> Leaderboard:
    """Read what another tool has, and rate it."""
    if asked.metric == EVERY:
        each = f'rate_each({read.__name__}(…, metric="all"), tournament="tournament")'
        wanted = f"a board has one metric; {each} gives a board of each"
        raise BadOption(option="metric", value=asked.metric, wanted=wanted)
    way = asked.higher_is_better
    try:
        source = read(given, metric=asked.metric, rounds=asked.rounds, higher_is_better=way)
    except WhichMetric as error:
        raise replace(error, each=False) from None
    options = {name: getattr(asked, name) for name in declarations(ScoreOptions)}
    # The direction was needed while the source was read, which says it of every score now.
    return rate_scores(source, ScoreOptions(**{**options, "higher_is_better": None}))
