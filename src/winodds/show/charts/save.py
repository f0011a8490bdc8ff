"""Charts → SVG, PNG, PDF, HTML and Vega-Lite JSON, without a browser and without a network."""

import base64
import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Literal, TypeAlias

import vl_convert

from winodds.show.charts.theme import DARK, LIGHT, Palette
from winodds.show.errors import NoRoomToDraw

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
    _require_addresses()
    numbers: dict[str, str] = {}

    def rename(found: re.Match[str]) -> str:
        return numbers.setdefault(found[0], f"part-{len(numbers)}")

    return TAG.sub(lambda tag: ID.sub(rename, tag[0]), str(vl_convert.vegalite_to_svg(spec)))


def render_picture(chart: Any, format: PictureFormat, *, theme: Theme = "light") -> bytes:
    """A chart in one of the formats; the same bytes each time."""
    spec = spec_of(chart, theme)
    if format in ("png", "pdf"):
        _require_addresses()
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


BEFORE, AFTER, END = "const spec = ", ";\n    const opts = ", "\n    vegaEmbed("
"""What stands around the specification and the options in a page of vl-convert's."""

HEAD, SCRIPT, CLOSE = "<head>", '<script type="text/javascript">', "</script>"

OPTIONS = '{"renderer": "svg", "actions": false, "ast": true}'
"""No menu, which could run a name as code or send the chart to a web site; and expressions are
interpreted, so that the page need not be allowed to make code of text."""


def _make_page(spec: Mapping[str, Any]) -> str:
    """A page that works alone, runs its own two scripts and asks nobody for anything.

    A name can hold ``</script>``, and vl-convert puts it into its page as it is; so the page is
    made for an empty chart, and the specification put in without any such sign.
    """
    _require_addresses()
    page = str(vl_convert.vegalite_to_html({"mark": "point"}, bundle=True))
    head, before, rest = page.rpartition(BEFORE)
    _, after, rest = rest.partition(AFTER)
    _, end, tail = rest.partition(END)
    library, script, begin = head.rpartition(SCRIPT)
    beginning, opened, own = library.partition(SCRIPT)
    bundle, closed, _ = own.rpartition(CLOSE)
    if not (before and after and end and script and opened and closed and HEAD in beginning):
        raise RuntimeError(
            "This version of vl-convert writes its pages in a way that is not known here; save the "
            "picture as SVG, or install another version."
        )
    written = json.dumps(spec, ensure_ascii=True, allow_nan=False).replace("<", "\\u003c")
    tail, closing, after_script = tail.rpartition(CLOSE)
    drawing = f"{begin}{before}{written}{after}{OPTIONS}{end}{tail}"
    start = beginning.replace(HEAD, f"{HEAD}\n    {_policy(bundle, drawing)}", 1)
    between = own[len(bundle) :]
    return f"{start}{opened}{bundle}{between}{script}{drawing}{closing}{after_script}"


def _policy(*scripts: str) -> str:
    """What the page may do: run these scripts, and nothing from anywhere else."""
    digests = (base64.b64encode(hashlib.sha256(own.encode()).digest()).decode() for own in scripts)
    hashes = " ".join(f"'sha256-{digest}'" for digest in digests)
    return (
        f'<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        f"script-src {hashes}; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
        f"form-action 'none'\">"
    )


ADDRESSES = 64 * 2**30
"""Bytes of addresses, not of memory, that the engine which draws reserves, with some to spare."""


def _require_addresses() -> None:
    """Refuse to draw where the engine could not start; it would take the process with it."""
    try:
        import resource
    except ImportError:  # Windows has no such limits.
        return
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit != resource.RLIM_INFINITY and limit < ADDRESSES:
        raise NoRoomToDraw(limit=limit, needed=ADDRESSES)
