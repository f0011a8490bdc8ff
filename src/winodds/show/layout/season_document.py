"""What a season tells → a document: in words first, then in small tables."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from winodds.language.notes import Note
from winodds.season.comparisons import SeasonComparison
from winodds.season.findings import Findings
from winodds.show.layout import season_tables as tables
from winodds.show.layout.document import (
    TEXT,
    Block,
    Document,
    Section,
    Table,
    paragraph,
)
from winodds.show.layout.documents import tell_teams
from winodds.show.words import season as words

FAMILIES_SHOWN = 12
"""Families up to which all of them are laid against each other."""


def season_document(found: Findings, *, top: int | None = None, together: bool = True) -> Document:
    """Everything that a season tells.

    Parameters
    ----------
    found : the findings.
    top : how many players of each table; None for all.
    together : whether to tell the notes of the board of all data sets together, which a page has
        beside that board.
    """
    sections = [_answer(found, top), *_parts(found, top)]
    if together and found.together is not None:
        sections[0] = replace(sections[0], notes=found.together.notes)
    last = sections[-1]
    sections[-1] = replace(last, notes=(*last.notes, *found.notes))
    return Document(tuple(sections))


def _answer(found: Findings, top: int | None) -> Section:
    said = [words.describe_leaders(found.standing, len(found.boards))]
    if found.together is not None:
        said.append(words.describe_together(found.together))
    said.append(words.describe_presence(found.presence))
    relations = words.describe_relations(found.relations)
    return Section(
        (
            paragraph(" ".join([*said, *filter(None, [relations])])),
            Table(tables.standing_grid(found.standing, top=top), counted=TEXT),
        ),
        headline=words.headline(found.boards, len(found.matrix.players)),
    )


def _parts(found: Findings, top: int | None) -> Iterator[Section]:
    if found.against is not None:
        notes = found.against.notes
        yield _section("On a new data set", _new(found.against[:top], found, top), notes)
    if found.families is not None:
        few = len(found.families.families) <= FAMILIES_SHOWN
        matrix = [Table(tables.family_matrix(found.families), "family")] if few else []
        blocks: list[Block] = [
            paragraph(words.describe_families(found.families)),
            Table(tables.family_grid(found.families), "family"),
            *matrix,
        ]
        yield _section("The best of each family", blocks)
    if found.tunability is not None:
        tuning: list[Block] = [
            paragraph(words.describe_tuning(found.tunability)),
            Table(tables.tunability_grid(found.tunability), "family"),
        ]
        yield _section("Tuning", tuning)
    if found.importance is not None:
        matters: list[Block] = [
            paragraph(words.describe_importance(found.importance)),
            Table(tables.importance_grid(found.importance), "hyperparameter"),
        ]
        notes = tuple(own for one in found.importance for own in one.notes)
        yield _section("Which hyperparameters matter", matters, notes)
    if found.together is not None:
        teams, notes = tell_teams(found.together, top)
        if teams:
            yield _section("Teams", teams, notes)
    notes = () if found.odd is None else found.odd.notes
    yield _section("Data sets", _data_sets(found, top), notes)


def _data_sets(found: Findings, top: int | None) -> list[Block]:
    said = [] if found.odd is None else [words.describe_odd(found.odd)]
    said += [] if found.distances is None else [words.describe_alike(found.distances)]
    said += [] if found.fits is None else [words.describe_fits(found.fits)]
    return [
        paragraph(" ".join(filter(None, said))),
        Table(tables.tournament_grid(found, top=top), "data set", counted=TEXT),
    ]


def _new(shown: Sequence[SeasonComparison], found: Findings, top: int | None) -> list[Block]:
    assert found.against is not None
    left_out = len(found.matrix.players) - 1 - len(found.against)
    start = words.describe_new(found.against, left_out=left_out)
    return [
        paragraph(f"{start} {words.describe_pair(shown[0])}"),
        Table(tables.new_grid(found.against, top=top), counted=TEXT),
    ]


def _section(title: str, blocks: Sequence[Block], notes: Sequence[Note] = ()) -> Section:
    """A part with its heading."""
    return Section(tuple(blocks), title, title, tuple(notes))


def pair_document(found: SeasonComparison) -> Document:
    """Two players on a new data set."""
    return Document((Section((paragraph(words.describe_pair(found)),), notes=found.notes),))
