"""Studies of Optuna: as an object, an SQLite file or a journal.

A trial is a player. A round is a step, if intermediate values are scores of folds and somebody says
so, or a study of several over the same space. Nothing of Optuna is imported.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from winodds.adapters import notes as note
from winodds.adapters.adapted import Adapted, adapt_scores
from winodds.adapters.adapter import Adapter, Wanted
from winodds.adapters.columns import (
    DIRECTION,
    FAILED,
    HYPERPARAMETERS,
    METRIC,
    OK,
    PLAYER,
    REASON,
    ROUND,
    SCORE,
    STATUS,
    TOURNAMENT,
    fail_infinite,
    write_settings,
)
from winodds.adapters.errors import NotAStudy, NothingLeft, NotThisSource, OneScoreEach
from winodds.adapters.journal import is_journal, replay_journal
from winodds.adapters.metrics import choose_metric
from winodds.adapters.place import Place
from winodds.adapters.settings import name_players, plain_setting
from winodds.adapters.studies import (
    COMPLETE,
    FAIL,
    PRUNED,
    TITLE,
    Study,
    Trial,
    is_storage,
    load_studies,
)
from winodds.language.checks import check_choice
from winodds.language.notes import Note
from winodds.language.spelling import option
from winodds.language.words import count

STEPS, STUDIES = "steps", "studies"


def read_study(
    study: Any,
    *,
    metric: str | None = None,
    rounds: str | None = None,
    higher_is_better: bool | None = None,
) -> Adapted:
    """The trials of a study of Optuna as a table that knows its roles.

    A player is a trial that was completed, named by the parameters that vary. A trial alone has one
    score, which rates nothing; if it reported a value for each fold, say ``rounds="steps"``.

    Parameters
    ----------
    study : a study, or several over the same space in a list.
    metric : which objective, by its name or number.
    rounds : "steps" if intermediate values are scores of folds, which are the rounds then;
        "studies" if each of several studies is a round.
    higher_is_better : for a study without a direction.
    """
    if rounds is not None:
        check_choice("rounds", rounds, ADAPTER.rounds)
    several = list(study) if isinstance(study, (list, tuple)) else [study]
    studies = _tell_apart([_from_object(own) for own in several])
    name = studies[0].name if len(studies) == 1 else count(len(studies), "study", "studies")
    return _adapt(studies, Wanted(metric, rounds, higher_is_better), name=name)


def _tell_apart(studies: Sequence[Study]) -> list[Study]:
    """The studies, those of one name numbered: in memory many may have the same."""
    times, met = Counter(study.name for study in studies), Counter[str]()
    found = []
    for study in studies:
        met[study.name] += 1
        again = times[study.name] > 1
        name = f"{study.name} ({met[study.name]})" if again else study.name
        found.append(replace(study, name=name))
    return found


def _from_object(study: Any) -> Study:
    if not all(hasattr(study, name) for name in ("trials", "directions", "study_name")):
        raise NotAStudy(kind=type(study).__name__)
    trials = [
        Trial(
            trial.number,
            trial.state.name,
            {str(name): plain_setting(value) for name, value in trial.params.items()},
            tuple(trial.values or ()),
            dict(trial.intermediate_values),
        )
        for trial in study.trials
    ]
    directions = tuple(direction.name for direction in study.directions)
    names = getattr(study, "metric_names", None)
    return Study(study.study_name, directions, tuple(names or ()), tuple(trials))


# Files --------------------------------------------------------------------------------------------


def recognise(place: Place) -> bool:
    """Whether this is a storage or a journal of Optuna."""
    return is_storage(place) or is_journal(place)


def read(place: Place, wanted: Wanted) -> Adapted:
    """The studies of a file; each is a tournament if there are several."""
    if place.kind == "database":
        studies = load_studies(place)
    elif is_journal(place):
        studies = replay_journal(place)
    else:
        reason = "it is neither an SQLite file nor a journal"
        raise NotThisSource(path=place.path, title=TITLE, reason=reason)
    return _adapt(studies, wanted, name=place.path)


# Studies → rows -----------------------------------------------------------------------------------


def _adapt(studies: Sequence[Study], wanted: Wanted, *, name: str) -> Adapted:
    played = [study for study in studies if study.of(COMPLETE)]
    if not played:
        states = Counter(trial.state for study in studies for trial in study.trials)
        found = ", ".join(f"{number} {state}" for state, number in states.items())
        left_out = f"no trial was completed ({found})" if found else "there is no trial"
        raise NothingLeft(path=name, title=TITLE, left_out=left_out)
    if wanted.rounds is None:
        raise _one_score_each(played)
    if wanted.rounds == STEPS:
        rated, rows, notes = _rate_steps(played, wanted.metric, name)
    else:
        rated, rows, notes = _rate_studies(played, wanted)
    frame, infinite = fail_infinite(rows)
    trials = sum(len(study.of(COMPLETE)) for study in rated)
    rounds = count(
        frame[ROUND].n_unique(), *(("step",) if wanted.rounds == STEPS else ("study", "studies"))
    )
    return adapt_scores(
        frame,
        name=name,
        tool=TITLE,
        higher_is_better=wanted.higher_is_better,
        summary=f"{count(trials, 'complete trial')}, {rounds}",
        notes=[*notes, *infinite, *_left_out(rated)],
    )


def _one_score_each(studies: Sequence[Study]) -> OneScoreEach:
    """What to do with trials of one score each."""
    trials = [trial for study in studies for trial in study.of(COMPLETE)]
    several = Counter(
        settings
        for study in studies
        for settings in {write_settings(trial.params) for trial in study.of(COMPLETE)}
    )
    ways = []
    if any(len(trial.steps) > 1 for trial in trials):
        ways.append(f"If intermediate values are scores of folds, say {option('rounds', STEPS)}.")
    if max(several.values()) > 1:
        ways.append(f"If each study is a data set or a split, say {option('rounds', STUDIES)}.")
    if not ways:
        folds = "Report the score of each fold, trial.report(score, fold), and say"
        ways.append(f"{folds} {option('rounds', STEPS)}.")
    return OneScoreEach(
        players=len(trials), what="The value of an Optuna trial", advice=" ".join(ways)
    )


def _rate_steps(
    studies: Sequence[Study], metric: str | None, name: str
) -> tuple[list[Study], pl.DataFrame, list[Note]]:
    """A step is a round, and each study a tournament if there are several."""
    rated = [study for study in studies if len(study.steps) > 1]
    if not rated:
        trials = sum(len(study.of(COMPLETE)) for study in studies)
        advice = "Its trials reported no intermediate values, or those of one step only."
        raise OneScoreEach(players=trials, what=f"The study in '{name}'", advice=advice)
    unrated = [study.name for study in studies if study not in rated]
    notes = [note.steps_are_rounds()]
    if unrated:
        notes.append(note.studies_without_steps(unrated))
    looks = [study.name for study in rated if study.ends_with_last_step]
    notes += [note.steps_run_on(looks)] if looks else []
    players = _name_trials(rated, single=True)
    rows = [
        {**row, PLAYER: players[study.name, trial.number], TOURNAMENT: study.name}
        for study in rated
        for trial in study.of(COMPLETE, FAIL)
        for row in _steps_of(study, trial)
    ]
    frame = _frame(rows)
    if len(rated) == 1:
        frame = frame.with_columns(pl.lit(None, pl.String).alias(TOURNAMENT))
    return rated, choose_metric(frame, _named(rated, metric)), notes


def _named(studies: Sequence[Study], metric: str | None) -> str | None:
    """An objective's name, also if its number is given."""
    if metric is None or not metric.isdecimal():
        return metric
    own = {name for study in studies for name in study.objectives[int(metric) :][:1]}
    return own.pop() if len(own) == 1 else metric


def _steps_of(study: Study, trial: Trial) -> list[dict[str, Any]]:
    """A trial's scores, step by step; one that failed has failed at all steps."""
    steps = study.steps if trial.state == FAIL else sorted(trial.steps)
    own = {
        METRIC: study.objectives[0],
        DIRECTION: study.direction(0),
        HYPERPARAMETERS: write_settings(trial.params),
        STATUS: None if trial.state == COMPLETE else FAILED,
        REASON: None if trial.state == COMPLETE else "the trial failed",
    }
    return [{ROUND: str(step), SCORE: trial.steps.get(step), **own} for step in steps]


def _rate_studies(
    studies: Sequence[Study], wanted: Wanted
) -> tuple[list[Study], pl.DataFrame, list[Note]]:
    """A study is a round, and equal parameters are one player."""
    if len(studies) < 2:
        trials = len(studies[0].of(COMPLETE))
        advice = "There is only one study with completed trials."
        raise OneScoreEach(players=trials, what="A study as a round", advice=advice)
    players = _name_trials(studies, single=False)
    rows = [
        {
            PLAYER: players[study.name, trial.number],
            ROUND: study.name,
            SCORE: trial.values[k] if k < len(trial.values) else None,
            METRIC: objective,
            DIRECTION: study.direction(k),
            HYPERPARAMETERS: write_settings(trial.params),
            STATUS: OK if trial.state == COMPLETE else FAILED,
            REASON: None if trial.state == COMPLETE else "the trial failed",
        }
        for study in studies
        for k, objective in enumerate(study.objectives)
        for trial in study.of(COMPLETE, FAIL)
    ]
    frame = _frame(rows).with_columns(pl.lit(None, pl.String).alias(TOURNAMENT))
    chosen = choose_metric(frame, _named(studies, wanted.metric))
    rated = [study for study in studies if study.name in set(chosen[ROUND])]
    others = [study.name for study in studies if study not in rated]
    return rated, chosen, [note.studies_without_metric(others)] if others else []


def _frame(rows: Iterable[dict[str, Any]]) -> pl.DataFrame:
    texts = (PLAYER, TOURNAMENT, ROUND, METRIC, DIRECTION, HYPERPARAMETERS, STATUS, REASON)
    schema = {**dict.fromkeys(texts, pl.String), SCORE: pl.Float64}
    return pl.DataFrame(list(rows), schema=schema)


def _name_trials(studies: Sequence[Study], *, single: bool) -> dict[tuple[str, int], str]:
    """Names of trials; with ``single`` no two trials of a study have the same."""
    trials = [(study, trial) for study in studies for trial in study.of(COMPLETE, FAIL)]
    written = [write_settings(trial.params) or "" for _, trial in trials]
    first = {own: k for k, own in reversed(list(enumerate(written)))}
    labels = [f"trial {trials[k][1].number}" for k in first.values()]
    names = dict(
        zip(first, name_players([trials[k][1].params for k in first.values()], labels), strict=True)
    )
    times = Counter((study.name, own) for (study, _), own in zip(trials, written, strict=True))
    found = {}
    for (study, trial), own in zip(trials, written, strict=True):
        twice = single and times[study.name, own] > 1
        number = f" (trial {trial.number})" if twice else ""
        found[study.name, trial.number] = (
            f"{names[own]}{number}" if own else f"trial {trial.number}"
        )
    return found


def _left_out(studies: Sequence[Study]) -> list[Note]:
    """What became of trials that do not play."""
    pruned = sum(len(study.of(PRUNED)) for study in studies)
    notes = [note.pruned_early(pruned)] if pruned else []
    states = Counter(
        trial.state
        for study in studies
        for trial in study.trials
        if trial.state not in (COMPLETE, FAIL, PRUNED)
    )
    return [
        *notes,
        *(
            note.left_out(number, "trial", f"with state {state}", ())
            for state, number in sorted(states.items())
        ),
    ]


ADAPTER = Adapter("optuna", TITLE, recognise, read, rounds=(STEPS, STUDIES))
