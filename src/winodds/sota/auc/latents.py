"""Latent test sets: what the scores of correlated classifiers have in common."""

from dataclasses import dataclass

import numpy as np
from scipy import special

from winodds.arrays import Floats
from winodds.sota.auc.binormal import Model

LATENT = 0.75
"""Step of the latent scores' grid, in standard deviations of a score given the latent one."""

HIGHEST = 0.9
"""Highest correlation whose conditional law is computed; beyond, that law only gets narrower."""

POOL = 1 << 15
"""Latent test sets drawn, of which the table takes a stratified sample."""

REFERENCE = 0.9
"""True AUC at which latent test sets are compared."""


@dataclass(frozen=True, slots=True)
class Latents:
    """Latent test sets, by the shares of the cases that have each latent score.

    A latent score is one of a few nodes with Gaussian weights: means of smooth functions of it, and
    with them everything here, are those of a normal latent score.

    Attributes
    ----------
    few, many : latent scores of the smaller and of the larger class.
    few_share, many_share : (r, nodes) shares of the cases, in the order of their mean AUC.
    """

    few: Floats
    many: Floats
    few_share: Floats
    many_share: Floats


def draw_latents(model: Model, count: int, rng: np.random.Generator) -> Latents:
    """A stratified sample of latent test sets, by the mean AUC of a good classifier."""
    few, few_share = _draw_shares(model.few, model.rho_few, rng)
    many, many_share = _draw_shares(model.many, model.rho_many, rng)
    if few.size == many.size == 1:
        return Latents(few, many, few_share[:1], many_share[:1])
    pool = Latents(few, many, few_share, many_share)
    order = np.argsort(mean_aucs(model, pool, float(special.ndtri(REFERENCE))), kind="stable")
    middle = order[((np.arange(count) + 0.5) * order.size / count).astype(np.int64)]
    return Latents(few, many, few_share[middle], many_share[middle])


def _draw_shares(cases: int, rho: float, rng: np.random.Generator) -> tuple[Floats, Floats]:
    if rho == 0.0:
        return np.zeros(1), np.ones((POOL, 1))
    step = LATENT * np.sqrt(1.0 - min(rho, HIGHEST) ** 2)
    reach = np.ceil(6.0 / step)
    nodes = step * np.arange(-reach, reach + 1.0)
    weight = np.exp(-0.5 * nodes**2)
    share = rng.multinomial(cases, weight / weight.sum(), size=POOL // 2) / cases
    return nodes, np.concatenate([share, share[:, ::-1]])


def mean_aucs(model: Model, latents: Latents, z: float) -> Floats:
    """(r,) mean AUC given the latents."""
    lead = model.rho_few * latents.few[:, None] - model.rho_many * latents.many
    noise = np.sqrt(2.0 - model.rho_few**2 - model.rho_many**2)
    ahead = special.ndtr((np.sqrt(2.0) * z + lead) / noise)
    means = ((latents.few_share @ ahead) * latents.many_share).sum(axis=1)
    return np.asarray(np.clip(means, 0.05 / model.pairs, 1.0 - 0.05 / model.pairs))


def matched(means: Floats, z: float) -> Floats:
    """(r,) log odds of the means, moved so that the means average to the true AUC."""
    log_odds = special.logit(means)
    for _ in range(6):
        moved = special.expit(log_odds)
        log_odds += (special.ndtr(z) - moved.mean()) / (moved * (1.0 - moved)).mean()
    return np.asarray(log_odds)
