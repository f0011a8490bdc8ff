"""Pictures that Winodds has no figure for: ROC curves, and a contest beside one drawn from it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm

Floats = NDArray[np.float64]

WIDTH, HEIGHT = 520.0, 330.0
LEFT, RIGHT, TOP, BOTTOM = 56.0, 14.0, 26.0, 46.0


@dataclass(frozen=True, slots=True)
class Axes:
    """A picture's plane: from numbers to places."""

    x: tuple[float, float]
    y: tuple[float, float]

    def at(self, x: float, y: float) -> tuple[float, float]:
        """The place of a point."""
        across = (x - self.x[0]) / (self.x[1] - self.x[0])
        up = (y - self.y[0]) / (self.y[1] - self.y[0])
        return LEFT + across * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - up * (
            HEIGHT - TOP - BOTTOM
        )

    def line(self, x: Floats, y: Floats, style: str) -> str:
        """A curve."""
        steps = "L".join("{:.1f} {:.1f}".format(*self.at(a, b)) for a, b in zip(x, y, strict=True))
        return f'<path d="M{steps}" class="{style}"/>'

    def upright(self, x: float, style: str, words: str, row: int = 0) -> str:
        """A vertical line with words beside its top."""
        place, top = self.at(x, self.y[1])
        right = place < WIDTH / 2
        anchor = "" if right else ' text-anchor="end"'
        return (
            f'<path d="M{place:.1f} {HEIGHT - BOTTOM}V{top:.1f}" class="{style}"/>'
            f'<text x="{place + (5 if right else -5):.1f}" y="{top + 11 + 15 * row:.1f}"{anchor} '
            f'class="halo">{escape(words)}</text>'
        )

    def picture(self, parts: Sequence[str], across: str, up: str, words: str) -> str:
        """The whole picture; ``words`` are for those who hear it."""
        ticks = [*_ticks(self.x, self._below), *_ticks(self.y, self._left)]
        middle = (LEFT + WIDTH - RIGHT) / 2
        return (
            f'<svg viewBox="0 0 {WIDTH:g} {HEIGHT:g}" role="img" aria-label="{escape(words)}">'
            f"{''.join(ticks)}{''.join(parts)}"
            f'<text x="{middle}" y="{HEIGHT - 8}" text-anchor="middle">{escape(across)}</text>'
            f'<text x="{LEFT - 40}" y="14">{escape(up)}</text></svg>'
        )

    def _below(self, value: float) -> str:
        x, y = self.at(value, self.y[0])
        words = (
            f'<text x="{x:.1f}" y="{y + 16:.1f}" class="tick" text-anchor="middle">{value:g}</text>'
        )
        return f'<path d="M{x:.1f} {y}V{TOP}" class="grid"/>{words}'

    def _left(self, value: float) -> str:
        x, y = self.at(self.x[0], value)
        words = f'<text x="{x - 6}" y="{y + 4:.1f}" class="tick" text-anchor="end">{value:g}</text>'
        return f'<path d="M{x} {y:.1f}H{WIDTH - RIGHT}" class="grid"/>{words}'


def _ticks(ends: tuple[float, float], draw: Callable[[float], str]) -> list[str]:
    low, high = ends
    power = 10.0 ** np.floor(np.log10((high - low) / 4))
    step = next(k * power for k in (1, 2, 5, 10) if (high - low) / (k * power) <= 5.001)
    values = np.arange(np.ceil(low / step - 1e-9), high / step + 1e-9) * step
    return [draw(float(f"{value:.6g}") + 0.0) for value in values]


# A contest beside one drawn from it ---------------------------------------------------------------


def imagine(theta: Floats, n: int, correlation: float, seed: int) -> Floats:
    """Scores of a contest of entries with these performances, drawn with replacement.

    Each is right together with what makes a case easy, as in the paper's equations 6 and 7; who is
    too far behind for that is left out.
    """
    rng = np.random.default_rng(seed)
    common = theta.max()
    odds = common / (1.0 - common)
    kept = theta[theta >= correlation**2 * odds / (1.0 + correlation**2 * odds)]
    drawn = rng.choice(kept, theta.size)
    apart = correlation * np.sqrt(drawn * (1.0 - drawn))
    easy = np.minimum(drawn + apart / np.sqrt(odds), 1.0)
    hard = np.maximum(drawn - apart * np.sqrt(odds), 0.0)
    cases = rng.binomial(n, common)
    return np.asarray((rng.binomial(cases, easy) + rng.binomial(n - cases, hard)) / n)


def two_histograms(
    observed: Floats, other: Floats, marks: Sequence[tuple[float, str]], *, begin: float, what: str
) -> str:
    """Bins of observed scores in grey, and of others in outline, with named upright lines."""
    # Boards with lower scores begin lower.
    begin = min(begin, float(np.quantile(observed, 0.25)))
    end = max(observed.max(), other.max(), *(value for value, _ in marks)) + 0.002
    edges = np.linspace(begin, end, 61)
    grey, line = (np.histogram(values, edges)[0] for values in (observed, other))
    axes = Axes((begin, end), (0.0, 1.2 * max(grey.max(), line.max(), 1)))
    parts = []
    for low, high, height in zip(edges[:-1], edges[1:], grey, strict=True):
        x, y = axes.at(low, height)
        right, bottom = axes.at(high, 0.0)
        if height:
            size = f'width="{right - x:.1f}" height="{bottom - y:.1f}"'
            parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" {size} class="grey"/>')
    parts.append(axes.line(np.repeat(edges, 2)[1:-1], np.repeat(line, 2), "outline"))
    styles = ("mark", "mark dashed", "mark dotted")
    # The words of the first stand above the lines of the others.
    for k, (value, words) in reversed(list(enumerate(marks))):
        parts.append(axes.upright(value, styles[k], words, k))
    said = f"Histogram of observed scores and of {what}, from {begin:g} on."
    return axes.picture(parts, "score", "teams", said)


# Figure 10 ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Classifiers:
    """ROC curves of classifiers of the same AUC, each on a test set of its own scores.

    Attributes
    ----------
    hits : (m, positives) of each curve: the share of positive cases found when so many negatives
        are taken for positive, at ``alarms``.
    alarms : shares of negatives.
    areas : (m,) under the curves.
    """

    hits: Floats
    alarms: Floats
    areas: Floats


def draw_classifiers(auc: float, positives: int, negatives: int, m: int, seed: int) -> Classifiers:
    """Binormal scores, as the paper draws them: N(μ, 1) for positives, N(0, 1) for negatives."""
    rng = np.random.default_rng(seed)
    shift = np.sqrt(2.0) * norm.ppf(auc)
    alarms = np.linspace(0.0, 1.0, 101)
    hits, areas = np.empty((m, alarms.size)), np.empty(m)
    for k in range(m):
        below = np.sort(rng.normal(size=negatives))
        above = np.sort(rng.normal(shift, 1.0, positives))
        areas[k] = np.searchsorted(below, above).mean() / negatives
        cut = np.append(below[::-1], -np.inf)[np.round(alarms * negatives).astype(int)]
        hits[k] = 1.0 - np.searchsorted(above, cut, side="right") / positives
    return Classifiers(hits, alarms, areas)


def roc_picture(found: Classifiers, *, shown: int = 150) -> str:
    """Some of the curves, the middle 95% of all, and the one with the largest area."""
    axes = Axes((0.0, 1.0), (0.0, 1.0))
    low, high = np.quantile(found.hits, [0.025, 0.975], axis=0)
    band = np.concatenate([low, high[::-1]]), np.concatenate([found.alarms, found.alarms[::-1]])
    best = int(found.areas.argmax())
    parts = [axes.line(found.alarms, one, "thin") for one in found.hits[:shown]]
    parts.append(axes.line(band[1], band[0], "band"))
    parts.append(axes.line(found.alarms, found.hits[best], "best"))
    words = (
        f"ROC curves of {found.areas.size:,} classifiers; the best has AUC {found.areas[best]:.4f}."
    )
    return axes.picture(parts, "false positives", "true positives", words)


def score_picture(auc: float, positives: int, negatives: int, seed: int) -> str:
    """Densities of the scores of both classes, with one sample below."""
    rng = np.random.default_rng(seed)
    shift = float(np.sqrt(2.0) * norm.ppf(auc))
    x = np.linspace(-4.0, shift + 4.0, 161)
    axes = Axes((-4.0, shift + 4.0), (-0.06, 0.45))
    parts = [
        axes.line(x, norm.pdf(x), "curve"),
        axes.line(x, norm.pdf(x, shift), "curve positive"),
    ]
    for y, centre, many, style in (
        (-0.02, 0.0, 300, "rug"),
        (-0.045, shift, positives, "rug positive"),
    ):
        for value in np.clip(rng.normal(centre, 1.0, min(many, negatives)), *axes.x):
            place = axes.at(float(value), y)
            parts.append(f'<path d="M{place[0]:.1f} {place[1]:.1f}v8" class="{style}"/>')
    words = "Two normal densities of scores, those of negative and of positive cases."
    return axes.picture(parts, "score of a case", "density", words)
