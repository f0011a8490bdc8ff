"""Simulated ROC curves: data for a picture of what luck makes of equally good classifiers."""

from dataclasses import dataclass

import numpy as np
from scipy import special

from winodds.arrays import Floats
from winodds.language.errors import BadOption

BLOCKS = 512
"""Most false-positive rates of a drawn ROC curve."""


@dataclass(frozen=True, slots=True)
class RocExample:
    """Empirical ROC curves of equally good classifiers on test sets of their own.

    Attributes
    ----------
    false_positive : (g,) false-positive rates from 0 to 1.
    truth : (g,) true-positive rates of the true curve.
    curves : (k, g) those of some classifiers: the mean height up to the next rate, so that the area
        of the steps is the empirical AUC.
    aucs : (k,) their empirical AUCs.
    best : (g,) the curve of the best of all.
    best_auc : its empirical AUC.
    """

    false_positive: Floats
    truth: Floats
    curves: Floats
    aucs: Floats
    best: Floats
    best_auc: float


def roc_example(
    auc: float,
    positives: int,
    negatives: int,
    players: int,
    *,
    shown: int = 100,
    seed: int | np.random.Generator = 0,
) -> RocExample:
    """Simulated ROC curves of ``players`` independent classifiers, of which some are shown."""
    if not 0.0 < auc < 1.0:
        wanted = "it is a number between 0 and 1, ends excluded"
        raise BadOption(option="auc", value=auc, wanted=wanted)
    rng = np.random.default_rng(seed)
    mean = float(np.sqrt(2.0) * special.ndtri(auc))
    edges = np.unique(np.linspace(0, negatives, min(negatives, BLOCKS) + 1).astype(np.int64))
    curves, aucs = [], []
    best, best_auc = np.empty(0), -1.0
    for k in range(players):
        heights = _heights(rng.normal(mean, size=positives), rng.normal(size=negatives))
        curve = np.append(np.add.reduceat(heights, edges[:-1]) / np.diff(edges), 1.0)
        if k < shown:
            curves.append(curve)
            aucs.append(heights.mean())
        if heights.mean() > best_auc:
            best, best_auc = curve, float(heights.mean())
    rate = edges / negatives
    truth = special.ndtr(mean + special.ndtri(rate))
    return RocExample(rate, truth, np.array(curves), np.array(aucs), best, best_auc)


def _heights(positives: Floats, negatives: Floats) -> Floats:
    """Share of positives above each negative, from the highest negative to the lowest."""
    order = np.sort(negatives)[::-1]
    below = np.searchsorted(np.sort(positives), order, side="right")
    return np.asarray(1.0 - below / positives.size)
