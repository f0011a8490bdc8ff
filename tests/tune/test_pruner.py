"""Optuna: what is pruned, what is claimed, parallel trials, storages, and when to stop."""

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import optuna
import pytest
from racing import equal

from winodds import errors
from winodds.arrays import Floats
from winodds.tune import EPPPruner, EPPStop
from winodds.tune.bets import Bets, lose_against, stake

SPLITS = 12
Objective = Callable[[optuna.Trial], float]


@pytest.fixture(autouse=True)
def _quiet() -> Any:
    before = optuna.logging.get_verbosity()
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    yield
    optuna.logging.set_verbosity(before)


def _objective(sign: float = 1.0) -> Objective:
    """The nearer to 1, the better; splits share their noise among trials."""

    def run(trial: optuna.Trial) -> float:
        x = trial.suggest_float("x", 0.0, 2.0)
        rng = np.random.default_rng(trial.number)
        scores = sign * (-abs(x - 1.0) + 0.2 * rng.standard_normal(SPLITS))
        for split, score in enumerate(scores.tolist()):
            trial.report(score, split)
            if trial.should_prune():
                raise optuna.TrialPruned
        return float(scores.mean())

    return run


def _study(pruner: optuna.pruners.BasePruner, **options: Any) -> optuna.Study:
    own = {"direction": "maximize", "sampler": optuna.samplers.RandomSampler(seed=0), **options}
    return optuna.create_study(pruner=pruner, **own)


def _add(study: optuna.Study, scores: list[float], *, pruned: bool = False) -> None:
    """A trial that is done, a minute after the last one."""
    number = len(study.trials)
    begin = datetime(2026, 1, 1) + timedelta(minutes=number)
    study.add_trial(
        optuna.trial.FrozenTrial(
            number=number,
            state=optuna.trial.TrialState.PRUNED if pruned else optuna.trial.TrialState.COMPLETE,
            value=None if pruned else float(np.mean(scores)),
            datetime_start=begin,
            datetime_complete=begin + timedelta(seconds=30),
            params={},
            distributions={},
            user_attrs={},
            system_attrs={},
            intermediate_values=dict(enumerate(scores)),
            trial_id=number,
        )
    )


def test_who_loses_every_split_is_pruned_on_the_fifth() -> None:
    study = _study(EPPPruner())
    for level in (0.9, 0.8):
        _add(study, [level] * SPLITS)
    trial = study.ask()
    heard = []
    for split in range(SPLITS):
        trial.report(0.5, split)
        heard.append(trial.should_prune())
    assert heard == [False] * 4 + [True] * (SPLITS - 4)


def test_a_first_trial_and_a_better_one_run_to_their_end() -> None:
    study = _study(EPPPruner())
    for level in (0.5, 0.9):
        trial = study.ask()
        for split in range(SPLITS):
            trial.report(level, split)
            assert not trial.should_prune()
        study.tell(trial, level)


def test_purses_are_those_of_bets_against_earlier_trials() -> None:
    scores = equal(15, np.random.default_rng(1))[:, :SPLITS]
    pruner = EPPPruner()
    study = _study(pruner)
    for row in scores.tolist():
        _add(study, row)
    found = pruner.verdicts(study)
    assert found[0].purse == 1.0
    assert found[14].purse == pytest.approx(_twin(scores))


def _twin(scores: Floats) -> float:
    """Bets of the last one against all others, whose leaders come from a race without it."""
    others, last = len(scores) - 1, np.array([len(scores) - 1])
    bets = Bets(len(scores), alpha=1e-9)
    purse = [0.5, 0.5]
    for split in range(SPLITS):
        bets.open(scores, np.arange(others))
        # Of the stored leaders the last is the spare one, which others do not need.
        spare = 0 if split == 0 else 1
        for q, leaders in enumerate(bets._leaders[split]):
            chosen = leaders[: leaders.size - spare]
            losses = lose_against(scores[:, : split + 1], last, chosen, all_play=True)
            purse[q] *= 1.0 + float(stake(losses[:, :split])[0] * losses[0, split])
    return sum(purse)


def test_a_study_saves_and_finds_the_best() -> None:
    pruner = EPPPruner(splits="independent")
    study = _study(pruner)
    study.optimize(_objective(), n_trials=40)
    verdicts = pruner.verdicts(study)
    dropped = [own for own in verdicts if own.state == "dropped"]
    assert {own.claim for own in verdicts} == {"proved"}
    assert len(dropped) > 10
    assert all(own.purse >= 20.0 - 1e-9 for own in dropped)
    assert min(own.paid for own in dropped) == 5
    assert abs(study.best_params["x"] - 1.0) < 0.3


def test_errors_are_minimised_alike() -> None:
    up, down = _study(EPPPruner()), _study(EPPPruner(), direction="minimize")
    up.optimize(_objective(), n_trials=25)
    down.optimize(_objective(-1.0), n_trials=25)
    assert [own.state for own in up.trials] == [own.state for own in down.trials]


@pytest.mark.parametrize(
    ("sampler", "splits", "claim"),
    [
        (optuna.samplers.RandomSampler(seed=0), "independent", "proved"),
        (optuna.samplers.RandomSampler(seed=0), "folds", "simulated"),
        (optuna.samplers.RandomSampler(seed=0), "dependent", "off"),
        (optuna.samplers.RandomSampler(seed=0), None, "off"),
        (optuna.samplers.TPESampler(seed=0), "independent", "off"),
    ],
)
def test_what_is_claimed(sampler: Any, splits: Any, claim: str) -> None:
    pruner = EPPPruner(splits=splits)
    study = _study(pruner, sampler=sampler)
    assert pruner.claim(study) == claim
    study.optimize(_objective(), n_trials=25)
    words = {own.state for own in pruner.verdicts(study)}
    assert words == {"left", "pruned" if claim == "off" else "dropped"}


def test_failed_splits_lose() -> None:
    study = _study(EPPPruner())
    _add(study, [0.1] * SPLITS)
    _add(study, [0.0] * SPLITS)
    trial = study.ask()
    for split in range(5):
        trial.report(float("nan"), split)
    assert trial.should_prune()


def test_parallel_trials_bet_against_those_done_before_they_began() -> None:
    pruner = EPPPruner(splits="independent")
    study = _study(pruner)
    study.optimize(_objective(), n_trials=30, n_jobs=2)
    for own in pruner.verdicts(study):
        assert (own.purse >= 20.0 - 1e-9) == (own.state == "dropped")


def test_a_storage_that_is_opened_again_goes_on(tmp_path: Path) -> None:
    where = f"sqlite:///{tmp_path / 'study.db'}"
    _study(EPPPruner(), storage=where, study_name="a").optimize(_objective(), n_trials=15)
    pruner = EPPPruner(splits="independent")
    again = optuna.load_study(
        study_name="a", storage=where, pruner=pruner, sampler=optuna.samplers.RandomSampler(seed=1)
    )
    before = pruner.verdicts(again)
    again.optimize(_objective(), n_trials=15)
    assert pruner.verdicts(again)[:15] == before
    assert any(own.state == "dropped" for own in pruner.verdicts(again)[15:])


def test_splits_must_be_reported_one_by_one() -> None:
    study = _study(EPPPruner())
    _add(study, [0.5] * 6)
    trial = study.ask()
    trial.report(0.4, 0)
    trial.report(0.4, 2)
    with pytest.raises(errors.StepsDiffer, match=r"Trial 1 reported the steps 0, 2\. Report"):
        trial.should_prune()


# When to stop -------------------------------------------------------------------------------------


def test_a_study_stops_when_one_more_trial_promises_little() -> None:
    stop = EPPStop(win_gain=0.02)
    study = _study(EPPPruner())
    study.optimize(_objective(), n_trials=200, callbacks=[stop])
    assert 20 <= len(study.trials) < 200
    found = stop.foresee(study)
    assert found is not None
    assert found.promises_less_than(0.02)
    assert found.settings == len(study.trials)


def test_nothing_is_foreseen_for_samplers_that_learn() -> None:
    study = _study(EPPPruner(), sampler=optuna.samplers.TPESampler(seed=0))
    study.optimize(_objective(), n_trials=25, callbacks=[EPPStop(win_gain=0.49)])
    assert len(study.trials) == 25
    assert EPPStop().foresee(study) is None


# Error rate ---------------------------------------------------------------------------------------


def _pruned_of_equals(studies: int) -> float:
    """How often the last of equal trials, as good as any, is pruned."""
    pruner, found = EPPPruner(), 0
    for seed in range(studies):
        study = _study(pruner)
        scores = equal(15, np.random.default_rng([seed, 15]))[:, :SPLITS]
        for row in scores[:-1].tolist():
            _add(study, row)
        trial = study.ask()
        for split, score in enumerate(scores[-1].tolist()):
            trial.report(score, split)
            if trial.should_prune():
                found += 1
                break
    return found / studies


@pytest.mark.slow
def test_one_of_equal_trials_is_pruned_in_five_of_a_hundred_at_most() -> None:
    error = _pruned_of_equals(400)
    print(f"15 equal trials, the last one pruned: {error:.4f}")
    assert error <= 0.05 + 2.0 * np.sqrt(0.05 * 0.95 / 400)
