"""Charts whose own pages load nothing from anywhere, and that notebooks show without a network."""

from collections.abc import Hashable
from functools import cache
from pathlib import Path
from typing import Any

import altair as alt

from winodds.show.charts.save import render_picture, spec_of
from winodds.writing import write_bytes_whole


def standing_alone(chart: Any) -> Any:
    """The same chart, but it is saved as a page, and shown in notebooks, without asking anybody.

    Altair's own pages and cells load their scripts from a web site. Who gives ``chart.save``
    options of its own, such as ``inline=True``, or chooses a renderer of Altair's, gets Altair's.
    """
    kind: Any = type(chart)
    # Altair's own __setattr__ would make it a part of the specification.
    object.__setattr__(chart, "__class__", _alone(kind))
    return chart


USUAL_RENDERER = "default"


@cache
def _alone(kind: Hashable) -> Any:
    own: Any = kind

    def save(self: Any, fp: Any, format: str | None = None, **options: Any) -> None:
        if options or not isinstance(fp, (str, Path)) or _ending(fp, format) != "html":
            own.save(self, fp, format, **options)
        else:
            write_bytes_whole(Path(fp), render_picture(self, "html"))

    def show(self: Any, *asked: Any, **wanted: Any) -> Any:
        if alt.renderers.active != USUAL_RENDERER:
            return own._repr_mimebundle_(self, *asked, **wanted)
        return cell_of(self)

    parts = {"save": save, "_repr_mimebundle_": show, "__module__": own.__module__}
    return type(own.__name__, (own,), parts)


def cell_of(chart: Any) -> dict[str, Any]:
    """A chart for a notebook: Vega-Lite for those who draw it themselves, and a picture for others.

    The picture is what stored notebooks, exports and web sites show.
    """
    version = alt.SCHEMA_VERSION.partition(".")[0]
    return {
        f"application/vnd.vegalite.{version}+json": spec_of(chart),
        "image/svg+xml": render_picture(chart, "svg").decode(),
        "text/plain": f"<{type(chart).__name__}>",
    }


def _ending(path: str | Path, format: str | None) -> str:
    return (format or Path(path).suffix.removeprefix(".")).lower()
