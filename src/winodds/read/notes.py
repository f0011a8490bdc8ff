"""Notes about files: what was normalised while they were read."""

from collections.abc import Mapping

from winodds.language.notes import doubt, reading
from winodds.language.words import count, quote


@reading
def separator(name: str) -> str:
    return f"Cells are separated by {name}."


@reading
def line_ends(kind: str) -> str:
    return f"Line ends are {kind} ones; each was read as the end of a line."


@reading
def trimmed_cells(cells: int, column: str | None) -> str:
    what = "the wide table" if column is None else f"column {quote(column)}"
    return f"{count(cells, 'cell')} of {what} had blanks around a number."


@doubt
def grouped_digits(example: str, column: str | None) -> str:
    """Decimal marks that may be marks of thousands."""
    what = "the wide table" if column is None else f"column {quote(column)}"
    return (
        f"Every comma of {what} stands before three digits, as marks of thousands do: "
        f"{quote(example)} was read as {example.replace(',', '.')}. If that is wrong, write the "
        f"numbers without such marks."
    )


@reading
def spreads_left_out(cells: int, column: str | None, instance: str) -> str:
    what = "the wide table" if column is None else f"column {quote(column)}"
    verb = "has" if cells == 1 else "have"
    return (
        f"{count(cells, 'cell')} of {what} {verb} a second number beside the score, as in "
        f"{quote(instance)}; only the first is read."
    )


@reading
def decimal_commas(column: str | None, instance: str) -> str:
    what = "The wide table" if column is None else f"Column {quote(column)}"
    return f"{what} has decimal commas, as in {quote(instance)}."


@reading
def repeated_rows(rows_are: str, most: int) -> str:
    if rows_are == "player":
        return (
            f"Each player of the wide table has {most:,} rows. They were taken as repetitions: the "
            f"first rows of all are one round of each column, and so on."
        )
    return (
        "Several rows of the wide table have the same name; they were taken as the rounds of one "
        "data set each."
    )


@reading
def roles_by_name(roles: Mapping[str, str]) -> str:
    listed = ", ".join(f"{role} = {columns}" for role, columns in roles.items())
    return f"Columns play these roles by their names: {listed}."
