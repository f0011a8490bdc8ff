"""The one way from a result to how it looks, for rooms that come before this one.

A name is imported from its module when it is first used, so that computing never waits for what
draws or prints.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from winodds.show.charts.plots import Plots as Plots
    from winodds.show.extra import write_report as write_report
    from winodds.show.figures.boards import BoardFigures as BoardFigures
    from winodds.show.figures.seasons import SeasonFigures as SeasonFigures
    from winodds.show.figures.sota import LawFigures as LawFigures, SotaFigures as SotaFigures
    from winodds.show.formats.every_eval_ever import (
        RELATIONSHIPS as RELATIONSHIPS,
        to_records as to_records,
    )
    from winodds.show.formats.notebook import render_html as render_html
    from winodds.show.formats.text import (
        render_best as render_best,
        render_board as render_board,
        render_findings as render_findings,
        render_sota as render_sota,
    )
    from winodds.show.words.fit import (
        describe_quality as describe_quality,
        describe_quality_difference as describe_quality_difference,
    )
    from winodds.show.words.verdicts import describe_comparison as describe_comparison

_HOMES = {
    "RELATIONSHIPS": "formats.every_eval_ever",
    "BoardFigures": "figures.boards",
    "LawFigures": "figures.sota",
    "Plots": "charts.plots",
    "SeasonFigures": "figures.seasons",
    "SotaFigures": "figures.sota",
    "describe_comparison": "words.verdicts",
    "describe_quality": "words.fit",
    "describe_quality_difference": "words.fit",
    "render_best": "formats.text",
    "render_board": "formats.text",
    "render_findings": "formats.text",
    "render_html": "formats.notebook",
    "render_sota": "formats.text",
    "to_records": "formats.every_eval_ever",
    "write_report": "extra",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'winodds.show.present' has no attribute '{name}'")
    return getattr(import_module(f"winodds.show.{_HOMES[name]}"), name)
