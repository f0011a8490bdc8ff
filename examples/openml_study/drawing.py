"""Just enough of SVG for the study's pictures: scales, axes and marks as text.

Charts of whole libraries are larger, and a page with three pictures for each of 31 tasks should
stay small. Colours come from the page's style, by class.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import escape


@dataclass(frozen=True, slots=True)
class Scale:
    """From numbers to places in a picture."""

    low: float
    high: float
    start: float
    stop: float

    def at(self, value: float) -> float:
        """The place of a number."""
        share = (value - self.low) / (self.high - self.low)
        return self.start + share * (self.stop - self.start)

    def ticks(self, most: int = 6) -> list[float]:
        """Round numbers within the scale, ``most`` or somewhat fewer.

        >>> Scale(-2.1, 3.4, 0, 100).ticks()
        [-2.0, -1.0, 0.0, 1.0, 2.0, 3.0]
        """
        step = round_up((self.high - self.low) / most)
        first = math.ceil(self.low / step - 1e-9)
        last = math.floor(self.high / step + 1e-9)
        return [round(k * step, 10) + 0.0 for k in range(first, last + 1)]


def round_up(value: float) -> float:
    """The next of 1, 2, 5, 10, 20, … at or above a number.

    >>> round_up(0.13), round_up(3), round_up(50)
    (0.2, 5.0, 50.0)
    """
    power = 10.0 ** math.floor(math.log10(value) + 1e-9)
    return next(float(f"{k * power:g}") for k in (1, 2, 5, 10) if k * power >= value * (1 - 1e-9))


def around(values: Iterable[float], start: float, stop: float, *, margin: float = 0.04) -> Scale:
    """A scale that holds all of some numbers with a margin."""
    known = list(values)
    low, high = min(known), max(known)
    free = margin * (high - low) or 0.5
    return Scale(low - free, high + free, start, stop)


def short(value: float) -> str:
    """A place in a picture, as short as it may be.

    >>> short(12.0), short(3.14159)
    ('12', '3.1')
    """
    return f"{value:.1f}".removesuffix(".0")


def number(value: float) -> str:
    """A number beside an axis.

    >>> number(-0.5), number(25000.0), number(0.125)
    ('−0.5', '25,000', '0.125')
    """
    return f"{value:,.10g}".replace("-", "−")


def signed(value: float, digits: int = 2) -> str:
    """A number in a sentence or a cell, with the sign that printers use.

    >>> signed(-1.234)
    '−1.23'
    """
    return f"{value:.{digits}f}".replace("-", "−")


def text(x: float, y: float, words: str, style: str = "", *, turn: int = 0) -> str:
    """Words at a place; ``style`` names classes."""
    place = f'x="{short(x)}" y="{short(y)}"'
    turned = f' transform="rotate({turn} {short(x)} {short(y)})"' if turn else ""
    named = f' class="{style}"' if style else ""
    return f"<text {place}{turned}{named}>{escape(words)}</text>"


def line(x: float, y: float, to_x: float, to_y: float, style: str = "") -> str:
    """A line from one place to another."""
    return f'<path d="M{short(x)} {short(y)}L{short(to_x)} {short(to_y)}" class="{style}"/>'


def curve(places: Sequence[tuple[float, float]], style: str) -> str:
    """A line through places."""
    steps = "L".join(f"{short(x)} {short(y)}" for x, y in places)
    return f'<path d="M{steps}" class="{style}"/>'


def box(x: float, y: float, width: float, height: float, style: str, said: str = "") -> str:
    """A rectangle, with words for who points at it."""
    size = f'width="{short(width)}" height="{short(height)}"'
    start = f'<rect x="{short(x)}" y="{short(y)}" {size} class="{style}"'
    return f"{start}><title>{escape(said)}</title></rect>" if said else f"{start}/>"


def dot(x: float, y: float, radius: float, style: str, said: str = "") -> str:
    """A circle, with words for who points at it."""
    start = f'<circle cx="{short(x)}" cy="{short(y)}" r="{short(radius)}" class="{style}"'
    return f"{start}><title>{escape(said)}</title></circle>" if said else f"{start}/>"


def picture(width: float, height: float, parts: Iterable[str], words: str) -> str:
    """A whole picture; ``words`` are for those who hear it."""
    size = f'viewBox="0 0 {short(width)} {short(height)}" width="{short(width)}"'
    head = f'<svg {size} role="img" aria-label="{escape(words)}">'
    return f"{head}{''.join(parts)}</svg>"


def axis_below(scale: Scale, y: float, top: float, title: str) -> str:
    """A horizontal axis with lines up to the top of the picture."""
    parts = []
    for value in scale.ticks():
        x = scale.at(value)
        parts.append(line(x, y, x, top, "grid"))
        parts.append(text(x, y + 14, number(value), "tick middle"))
    middle = (scale.start + scale.stop) / 2
    return "".join([*parts, text(middle, y + 31, title, "axis middle")])


def axis_left(
    scale: Scale, x: float, right: float, title: str, *, show: Callable[[float], str] = number
) -> str:
    """A vertical axis with lines to the right end of the picture."""
    parts = []
    for value in scale.ticks(5):
        y = scale.at(value)
        parts.append(line(x, y, right, y, "grid"))
        parts.append(text(x - 6, y + 4, show(value), "tick end"))
    middle = (scale.start + scale.stop) / 2
    return "".join([*parts, text(x - 42, middle, title, "axis middle", turn=-90)])
