"""Charts → SVG, PNG, PDF, HTML and Vega-Lite JSON, without a browser and without a network."""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Literal, TypeAlias

import vl_convert

from winodds.show.charts.theme import DARK, LIGHT, Palette

PictureFormat: TypeAlias = Literal["svg", "png", "pdf", "html", "json"]
Theme: TypeAlias = Literal["light", "dark"]

PALETTES: dict[Theme, Palette] = {"light": LIGHT, "dark": DARK}

SHARP = 2.0
"""Pixels of a PNG for each unit of the drawing."""


def draw_svg(chart: Any) -> str:
    """A chart as SVG for a page that has a caption of its own, and words for those who hear it."""
    spec = spec_of(chart)
    title = spec.get("title")
    if isinstance(title, dict):
        spec["title"] = {key: part for key, part in title.items() if key != "subtitle"}
    return _to_svg({**spec, "config": {**spec["config"], "aria": False}})


TAG = re.compile(r"<[^<>]*>")
"""A tag of a drawing; text in it holds no such sign."""

ID = re.compile(r'(?<= id=")[^"]+(?=")|(?<=url\(#)[^)]+(?=\))')


def _to_svg(spec: dict[str, Any]) -> str:
    """A specification as SVG, whose ids do not depend on what was drawn before."""
    numbers: dict[str, str] = {}

    def rename(found: re.Match[str]) -> str:
        return numbers.setdefault(found[0], f"part-{len(numbers)}")

    return TAG.sub(lambda tag: ID.sub(rename, tag[0]), str(vl_convert.vegalite_to_svg(spec)))


def render_picture(chart: Any, format: PictureFormat, *, theme: Theme = "light") -> bytes:
    """A chart in one of the formats; the same bytes each time."""
    spec = spec_of(chart, theme)
    if format == "png":
        return bytes(vl_convert.vegalite_to_png(spec, scale=SHARP))
    if format == "pdf":
        return bytes(vl_convert.vegalite_to_pdf(spec))
    if format == "html":
        return _make_page(spec).encode()
    if format == "json":
        return (json.dumps(spec, indent=1, ensure_ascii=False, allow_nan=False) + "\n").encode()
    return _to_svg(spec).encode()


def spec_of(chart: Any, theme: Theme = "light") -> dict[str, Any]:
    """A chart's Vega-Lite specification in a theme."""
    spec: dict[str, Any] = chart.to_dict(validate=False)
    if theme == "light":
        return spec
    colours = dict(zip(asdict(LIGHT).values(), asdict(PALETTES[theme]).values(), strict=True))
    recoloured: dict[str, Any] = _recolour(spec, colours)
    return recoloured


WORDS = ("data", "datasets", "title", "text", "description", "domain")
"""Parts of a specification that hold names, which may look like a colour."""


def _recolour(part: Any, colours: Mapping[str, str]) -> Any:
    if isinstance(part, dict):
        return {
            key: below if _holds_names(key, below) else _recolour(below, colours)
            for key, below in part.items()
        }
    if isinstance(part, list):
        return [_recolour(below, colours) for below in part]
    return colours.get(part, part) if isinstance(part, str) else part


def _holds_names(key: str, below: Any) -> bool:
    return key in ("data", "datasets") or (key in WORDS and not isinstance(below, dict))


BEFORE, AFTER = "const spec = ", ";\n    const opts"
"""What stands around the specification in a page of vl-convert's."""


def _make_page(spec: Mapping[str, Any]) -> str:
    """A page that works alone.

    A name can hold ``</script>``, and vl-convert puts it into its page as it is; so the page is
    made for an empty chart, and the specification put in without any such sign.
    """
    page = str(vl_convert.vegalite_to_html({"mark": "point"}, bundle=True))
    head, before, rest = page.rpartition(BEFORE)
    _, after, tail = rest.partition(AFTER)
    if not (before and after):
        raise RuntimeError(
            "This version of vl-convert writes its pages in a way that is not known here; save the "
            "picture as SVG, or install another version."
        )
    script = json.dumps(spec, ensure_ascii=True, allow_nan=False).replace("<", "\\u003c")
    return f"{head}{before}{script}{after}{tail}"
