"""The cumulant generating function of an empirical AUC, given the latent scores.

An AUC is a mean over pairs of cases. Its cumulant generating function is, by Gibbs' principle,
nearly a maximum over laws under which all cases are independent, found by a fixed point: positives
are tilted by the cdf of the negatives, and negatives by that of the positives. What the pairs add
has a known variance.
"""

from dataclasses import dataclass

import numpy as np
from scipy import special

from winodds.arrays import Floats
from winodds.sota.auc.binormal import Model
from winodds.sota.auc.latents import Latents
from winodds.sota.auc.products import multiply

FINE, COARSE = 0.25, 0.4
"""Steps of a grid of scores, absolutely and in standard deviations given the latent score."""

EDGE = 7.0
"""Where grids of scores end, in standard deviations beyond the means."""

SWEEPS = 50
"""Most sweeps of a fixed point; a handful is usual."""

SETTLED = 1e-7
"""Change of a share at which it is settled."""


def generate(
    model: Model, latents: Latents, z: float, tilt: Floats
) -> tuple[Floats, Floats, Floats]:
    """Cumulant generating function, its derivative and the pairs' variance, (t, r) each."""
    scores = _Scores.build(model, latents, z)
    start = scores.start()
    paths = {side: [(0.0, start)] for side in (True, False)}
    found = np.empty((3, tilt.size, latents.few_share.shape[0]))
    for k in np.argsort(np.abs(tilt)):
        path = paths[bool(tilt[k] > 0.0)]
        below, found[:, k] = scores.settle(float(tilt[k]), _extrapolate(path, float(tilt[k])))
        path.append((float(tilt[k]), below))
    return found[0], found[1], found[2]


def _extrapolate(path: list[tuple[float, Floats]], tilt: float) -> Floats:
    """The share below each score for the next tilt, along a line through the last two."""
    last, below = path[-1]
    if len(path) == 1:
        return below
    before, earlier = path[-2]
    ahead = (tilt - last) / (last - before)
    return np.clip(below + ahead * (below - earlier), 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class _Scores:
    """Laws of the scores on a grid, given the latents.

    Attributes
    ----------
    model, latents : whose scores they are.
    few, many : (nodes, x) probabilities of the scores of a case with each latent score.
    above : (x, x) whether the first score is above the second one. Between points of the grid the
        laws are interpolated by sinc functions, which for normal laws is exact to many digits.
    """

    model: Model
    latents: Latents
    few: Floats
    many: Floats
    above: Floats

    @classmethod
    def build(cls, model: Model, latents: Latents, z: float) -> "_Scores":
        mean = np.sqrt(2.0) * z
        sd = np.sqrt(1.0 - np.square([model.rho_few, model.rho_many]))
        step = min(FINE, COARSE * sd.min())
        grid = np.arange(min(mean, 0.0) - EDGE, max(mean, 0.0) + EDGE + step, step)
        place = np.arange(grid.size)
        above = 0.5 + special.sici(np.pi * (place[:, None] - place))[0] / np.pi
        few = _normal(grid, mean + model.rho_few * latents.few, sd[0])
        many = _normal(grid, model.rho_many * latents.many, sd[1])
        return cls(model, latents, few, many, above)

    def start(self) -> Floats:
        """(r, x) share of the larger class below each score, without a tilt."""
        return multiply(self.latents.many_share @ self.many, self.above.T)

    def settle(self, tilt: float, below: Floats) -> tuple[Floats, Floats]:
        """The share of the larger class below each score when both classes are tilted.

        With it come (3, r) the cumulant generating function, its derivative and the variance of the
        pairs.
        """
        few_tilt, many_tilt = tilt / self.model.few, tilt / self.model.many
        for _ in range(SWEEPS):
            few, log_few = _tilted(self.few, self.latents.few_share, few_tilt, below)
            ahead = multiply(few, self.above)
            many, log_many = _tilted(self.many, self.latents.many_share, many_tilt, ahead)
            before, below = below, multiply(many, self.above.T)
            if np.abs(below - before).max() < SETTLED:
                break
        auc = (few * before).sum(axis=1)
        cumulant = self.model.few * log_few + self.model.many * log_many - tilt * auc
        pair = auc + auc**2 - (few * before**2).sum(axis=1) - (many * ahead**2).sum(axis=1)
        return below, np.stack([cumulant, auc, pair])


def _normal(grid: Floats, mean: Floats, sd: float) -> Floats:
    step = grid[1] - grid[0]
    density = np.exp(-0.5 * ((grid - mean[:, None]) / sd) ** 2)
    return np.asarray(step / (sd * np.sqrt(2.0 * np.pi)) * density)


def _tilted(law: Floats, share: Floats, tilt: float, by: Floats) -> tuple[Floats, Floats]:
    """The law of a class's scores when each case's is tilted, and the mean log normaliser."""
    top = max(tilt, 0.0)
    factor = np.exp(tilt * by - top)
    total = multiply(factor, law.T)
    return factor * multiply(share / total, law), (share * np.log(total)).sum(axis=1) + top
