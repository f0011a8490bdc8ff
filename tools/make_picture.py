"""Draw the README's picture: the best models of the built-in results on the digits data.

A dot is a rating, a bar its interval; where an end is open the bar runs to the edge of the plot.
The SVG is written by hand, so no drawing library is needed.

Usage: ``python tools/make_picture.py [OUTPUT]``
"""

import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from winodds import Leaderboard, Row, rate_each
from winodds.demo import load_results

TOURNAMENT = "digits"
PLAYERS_SHOWN = 12
DEFAULT_OUTPUT = Path(__file__).resolve().parents[1] / "docs" / "leaderboard.svg"

WIDTH, TOP, ROW_HEIGHT, FOOT = 840, 92, 27, 64
MARGIN, LEFT, RIGHT = 24, 330, 736
CARD, BORDER, GRID, ZERO = "#ffffff", "#d0d7de", "#eaeef2", "#8c959f"
INK, MUTED, DOT, BAR = "#1f2328", "#59636e", "#0550ae", "#80b3f0"


@dataclass(frozen=True, slots=True)
class Scale:
    """Ratings from ``low`` to ``high``, both whole numbers, on the width of the plot."""

    low: int
    high: int

    @classmethod
    def over(cls, rows: Sequence[Row]) -> "Scale":
        """The scale that holds zero, all ratings and all ends that are not open."""
        ends = [end for row in rows for end in (row.epp, row.low, row.high) if end is not None]
        return cls(math.floor(min(0.0, *ends)), math.ceil(max(0.0, *ends)))

    def x(self, rating: float) -> float:
        """Where a rating lies, in pixels."""
        return LEFT + (RIGHT - LEFT) * (rating - self.low) / (self.high - self.low)


def element(name: str, content: str = "", **attributes: object) -> str:
    """An SVG element; ``_`` in an attribute's name is written ``-``, ``content`` is markup."""
    pairs = ""
    for key, value in attributes.items():
        plain = f"{value:.1f}" if isinstance(value, float) else str(value)
        pairs += f" {key.replace('_', '-')}={quoteattr(plain)}"
    return f"<{name}{pairs}>{content}</{name}>" if content else f"<{name}{pairs}/>"


def text(words: str, x: float, y: float, **attributes: object) -> str:
    """A line of text, escaped."""
    return element("text", escape(words), x=x, y=y, **attributes)


def draw_axis(scale: Scale, rows: int) -> Iterator[str]:
    """Grid lines with their numbers, and a stronger line at 0, the average player."""
    bottom = TOP + rows * ROW_HEIGHT
    for tick in range(scale.low, scale.high + 1):
        x, colour = scale.x(tick), GRID if tick else ZERO
        yield element("line", x1=x, x2=x, y1=TOP, y2=bottom, stroke=colour)
        words = f"{tick}".replace("-", "\N{MINUS SIGN}")
        yield text(words, x, bottom + 18, fill=MUTED, text_anchor="middle")
    label = "EPP (log-odds of beating the average model)"
    yield text(label, (LEFT + RIGHT) / 2, bottom + 40, fill=MUTED, text_anchor="middle")


def draw_row(row: Row, place: int, scale: Scale) -> Iterator[str]:
    """Name, interval, dot and probability of one player."""
    y = TOP + (place + 0.5) * ROW_HEIGHT
    low = LEFT if row.low is None else scale.x(row.low)
    high = RIGHT if row.high is None else scale.x(row.high)
    yield text(row.player, LEFT - 14, y + 4, fill=INK, text_anchor="end")
    yield element("line", x1=low, x2=high, y1=y, y2=y, stroke=BAR, stroke_width=5)
    yield element("circle", cx=scale.x(row.epp), cy=y, r=5, fill=DOT)
    yield text(f"{row.p_average:.0%}", WIDTH - MARGIN, y + 4, fill=INK, text_anchor="end")


def draw_card(title: str, shown: str, height: int) -> Iterator[str]:
    """A white card, so that the picture is readable on any page, and the words on top of it."""
    wide, high = WIDTH - 1, height - 1
    yield element("title", escape(f"{title}; {shown}"))
    yield element("rect", x=0.5, y=0.5, width=wide, height=high, rx=8, fill=CARD, stroke=BORDER)
    yield text(title, MARGIN, 36, fill=INK, font_size=18, font_weight=600)
    yield text(shown, MARGIN, 58, fill=MUTED)
    yield text("P(beats average)", WIDTH - MARGIN, TOP - 12, fill=MUTED, text_anchor="end")


def draw(board: Leaderboard, *, top: int = PLAYERS_SHOWN) -> str:
    """The first rows of a board as an SVG picture."""
    rows = board.rows[:top]
    scale, height = Scale.over(rows), TOP + len(rows) * ROW_HEIGHT + FOOT
    level, splits = board.how.interval.level, board.how.interval.clusters
    title = f"{board.tournament}: {len(board)} models, {splits} splits"
    shown = f"the first {len(rows)} of the leaderboard, with {level:.0%} intervals"
    lines = [*draw_card(title, shown, height), *draw_axis(scale, len(rows))]
    for place, row in enumerate(rows):
        lines += draw_row(row, place, scale)
    return element(
        "svg",
        "\n" + "\n".join(lines) + "\n",
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDTH} {height}",
        width=WIDTH,
        height=height,
        role="img",
        font_family="system-ui, 'Segoe UI', Helvetica, Arial, sans-serif",
        font_size=13,
    )


def main(output: Path) -> None:
    """Rate the built-in results and write the picture."""
    season = rate_each(
        load_results(), player="model", round="split", score="auc", tournament="dataset"
    )
    output.write_text(draw(season[TOURNAMENT]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT_OUTPUT)
