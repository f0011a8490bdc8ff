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
    from winodds.show.figures.races import RaceFigures as RaceFigures
    from winodds.show.figures.seasons import SeasonFigures as SeasonFigures
    from winodds.show.figures.sota import LawFigures as LawFigures, SotaFigures as SotaFigures
    from winodds.show.formats.every_eval_ever import (
        RELATIONSHIPS as RELATIONSHIPS,
        to_records as to_records,
    )
    from winodds.show.formats.presented import (
        as_html as as_html,
        as_latex as as_latex,
        as_markdown as as_markdown,
        as_text as as_text,
    )
    from winodds.show.formats.text import render_board as render_board
    from winodds.show.words.fit import (
        describe_quality as describe_quality,
        describe_quality_difference as describe_quality_difference,
    )
    from winodds.show.words.gate import describe_gate as describe_gate
    from winodds.show.words.outlook import (
        describe_enough as describe_enough,
        describe_placement as describe_placement,
    )
    from winodds.show.words.race import (
        describe_course as describe_course,
        describe_prospects as describe_prospects,
        describe_replay as describe_replay,
    )
    from winodds.show.words.relation import describe_relation as describe_relation
    from winodds.show.words.season import (
        describe_alike as describe_alike,
        describe_families as describe_families,
        describe_fits as describe_fits,
        describe_importance as describe_importance,
        describe_odd as describe_odd,
        describe_pair as describe_pair,
        describe_presence as describe_presence,
        describe_tuning as describe_tuning,
    )
    from winodds.show.words.seats import describe_seat as describe_seat
    from winodds.show.words.teams import describe_teams as describe_teams
    from winodds.show.words.verdicts import describe_comparison as describe_comparison

_HOMES = {
    "as_html": "formats.presented",
    "as_latex": "formats.presented",
    "as_markdown": "formats.presented",
    "as_text": "formats.presented",
    "RELATIONSHIPS": "formats.every_eval_ever",
    "BoardFigures": "figures.boards",
    "LawFigures": "figures.sota",
    "Plots": "charts.plots",
    "RaceFigures": "figures.races",
    "SeasonFigures": "figures.seasons",
    "SotaFigures": "figures.sota",
    "describe_alike": "words.season",
    "describe_comparison": "words.verdicts",
    "describe_course": "words.race",
    "describe_enough": "words.outlook",
    "describe_gate": "words.gate",
    "describe_families": "words.season",
    "describe_fits": "words.season",
    "describe_importance": "words.season",
    "describe_odd": "words.season",
    "describe_pair": "words.season",
    "describe_placement": "words.outlook",
    "describe_presence": "words.season",
    "describe_quality": "words.fit",
    "describe_quality_difference": "words.fit",
    "describe_prospects": "words.race",
    "describe_relation": "words.relation",
    "describe_replay": "words.race",
    "describe_teams": "words.teams",
    "describe_tuning": "words.season",
    "describe_seat": "words.seats",
    "render_board": "formats.text",
    "to_records": "formats.every_eval_ever",
    "write_report": "extra",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'winodds.show.present' has no attribute '{name}'")
    return getattr(import_module(f"winodds.show.{_HOMES[name]}"), name)


class Presented:
    """A result that ``print``, notebooks, READMEs and papers show."""

    __slots__ = ()

    def __str__(self) -> str:
        return str(_of("as_text")(self))

    def _repr_html_(self) -> str:
        return str(_of("as_html")(self))

    def to_markdown(self, *, top: int | None = None) -> str:
        """The same in Markdown; ``top`` rows of each table, or all."""
        return str(_of("as_markdown")(self, top=top))

    def to_latex(self, *, top: int | None = None) -> str:
        """The same in LaTeX, with rules of booktabs; ``top`` rows of each table, or all."""
        return str(_of("as_latex")(self, top=top))


def _of(name: str) -> Any:
    return __getattr__(name)
