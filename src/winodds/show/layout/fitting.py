"""Tables and paragraphs that fit into a line: words are cut, columns give way."""

import textwrap
from collections.abc import Sequence

from rich.cells import cell_len

from winodds.show.layout.grid import Grid

WIDTH = 80
GAP = "  "
STEP = 4
"""By how much names get longer that cannot be told apart."""

READABLE = 26
"""Columns of a terminal that words should have; other columns make room for them."""


def wrap(text: str, width: int = WIDTH, *, indent: int = 0) -> str:
    """A paragraph in lines, all but the first indented; names are never broken."""
    return textwrap.fill(
        text,
        width,
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def shorten(name: str, width: int) -> str:
    """A name cut in the middle to so many columns of a terminal.

    >>> shorten("hist_gradient_boosting(learning_rate=0.01)", 32)
    'hist_gradient_bo…ning_rate=0.01)'
    """
    if cell_len(name) <= width:
        return name
    head, tail = name[:width], name[-width:]
    while cell_len(head) > width // 2:
        head = head[:-1]
    while cell_len(tail) > width - 1 - cell_len(head):
        tail = tail[1:]
    return f"{head}…{tail}"


def shorten_apart(names: Sequence[str], width: int) -> list[str]:
    """Names cut to a width; those that would look the same keep the part in which they differ.

    Where that does not suffice, they are as much longer as it takes to tell them apart.

    >>> shorten_apart(["resnet_lr0.1_batch_256", "resnet_lr0.01_batch_256"], 14)
    ['…et_lr0.1_bat…', '…et_lr0.01_ba…']
    >>> shorten_apart(["rf(trees=10, depth=2)", "rf(trees=10, depth=9)", "rf(trees=5, depth=9)"], 8)
    ['rf(t…=2)', '…ees=10…', '…ees=5,…']
    """
    cut = _keep_differences(names, width)
    while alike := _alike(names, cut):
        width += STEP
        longer = dict(zip(alike, _keep_differences(alike, width), strict=True))
        cut = [longer.get(name, short) for name, short in zip(names, cut, strict=True)]
    return cut


def _alike(names: Sequence[str], cut: Sequence[str]) -> list[str]:
    """Different names that look the same once they are cut."""
    groups: dict[str, set[str]] = {}
    for name, short in zip(names, cut, strict=True):
        groups.setdefault(short, set()).add(name)
    return sorted({name for group in groups.values() if len(group) > 1 for name in group})


def _keep_differences(names: Sequence[str], width: int) -> list[str]:
    """Names cut in the middle or, if that makes some alike, around where these begin to differ."""
    cut = [shorten(name, width) for name in names]
    alike: dict[str, set[str]] = {}
    for name, short in zip(names, cut, strict=True):
        alike.setdefault(short, set()).add(name)
    for k, name in enumerate(names):
        if len(alike[cut[k]]) > 1:
            cut[k] = _around(name, _common_start(sorted(alike[cut[k]])), width)
    return cut


def _around(name: str, place: int, width: int) -> str:
    """What stands around a place in a name, cut at both ends."""
    before, after = name[:place], name[place:]
    while cell_len(before) > width // 2:
        before = before[1:]
    while cell_len(before + after) > width - 2:
        after = after[:-1]
    return f"…{before}{after}…"


def _common_start(names: Sequence[str]) -> int:
    """How many characters at the beginning the first and the last of sorted names share."""
    pairs = zip(names[0], names[-1], strict=False)
    return next((k for k, (a, b) in enumerate(pairs) if a != b), min(map(len, names)))


def drop_columns(grid: Grid, width: int) -> Grid:
    """The grid without columns that can be missed, where words would be cut too short."""
    leaving = sorted((head for head in grid.heads if head.gives_way), key=lambda one: one.gives_way)
    for head in leaving:
        sizes = [
            min(size, READABLE) if own.shortens else size
            for own, size in zip(grid.heads, column_widths(grid.header, grid.rows), strict=True)
        ]
        if line_width(sizes) > width:
            grid = grid.without(grid.heads.index(head))
    return grid


def column_widths(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[int]:
    """Columns of a terminal that each column takes."""
    return [max(map(cell_len, cells)) for cells in zip(header, *rows, strict=True)]


def line_width(sizes: Sequence[int]) -> int:
    """Columns of a terminal that columns of these sizes take side by side."""
    return sum(sizes) + len(GAP) * (len(sizes) - 1)


def fit_names(grid: Grid, width: int) -> list[tuple[str, ...]]:
    """The rows with words short enough for the line; families give way first, then names."""
    rows = grid.rows
    turns = sorted(
        (turn, column, least)
        for column, head in enumerate(grid.heads)
        for turn, least in head.shortens
    )
    for _, column, least in turns:
        sizes = column_widths(grid.header, rows)
        excess = line_width(sizes) - width
        if excess > 0:
            room = max(min(least, sizes[column]), sizes[column] - excess)
            cut = shorten_apart([row[column] for row in rows], room)
            rows = [
                (*row[:column], name, *row[column + 1 :])
                for row, name in zip(rows, cut, strict=True)
            ]
    return rows
