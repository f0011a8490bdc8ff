"""Charts whose own pages load nothing from anywhere."""

from collections.abc import Hashable
from functools import cache
from pathlib import Path
from typing import Any

from winodds.show.charts.save import render_picture
from winodds.writing import write_bytes_whole


def standing_alone(chart: Any) -> Any:
    """The same chart, but ``chart.save("x.html")`` writes a page that asks nobody for anything.

    Altair's own page loads its scripts from a web site; who gives it options of its own, such as
    ``inline=True``, gets Altair's page.
    """
    kind: Any = type(chart)
    # Altair's own __setattr__ would make it a part of the specification.
    object.__setattr__(chart, "__class__", _saves_alone(kind))
    return chart


@cache
def _saves_alone(kind: Hashable) -> Any:
    own: Any = kind

    def save(self: Any, fp: Any, format: str | None = None, **options: Any) -> None:
        if options or not isinstance(fp, (str, Path)) or _ending(fp, format) != "html":
            own.save(self, fp, format, **options)
        else:
            write_bytes_whole(Path(fp), render_picture(self, "html"))

    return type(own.__name__, (own,), {"save": save, "__module__": own.__module__})


def _ending(path: str | Path, format: str | None) -> str:
    return (format or Path(path).suffix.removeprefix(".")).lower()
