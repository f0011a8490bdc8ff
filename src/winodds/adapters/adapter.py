"""What an adapter is: it knows its source by the content, and reads it."""

from collections.abc import Callable
from dataclasses import dataclass

from winodds.adapters.adapted import Adapted
from winodds.adapters.place import Place


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked of a source.

    Attributes
    ----------
    metric : which of its metrics, scorers or objectives; "all" for each of them in turn; None for
        the only one, or the one that the source itself calls the main one.
    rounds : what a round is, where the source has several things that could be one.
    higher_is_better : the direction of metrics of which the source and their names say nothing.
    algorithms : a file with algorithms of learners, beside the built-in table.
    """

    metric: str | None = None
    rounds: str | None = None
    higher_is_better: bool | None = None
    algorithms: str | None = None


@dataclass(frozen=True, slots=True)
class Adapter:
    """One kind of source.

    Attributes
    ----------
    name : as ``--from`` takes it.
    title : what a source of this kind is, in words: "an Optuna study".
    recognise : whether a place holds such a source, unmistakably; never raises because it does not.
    read : the results; raises an error that says what is missing if the place holds none.
    rounds : what ``rounds`` may be; nothing if there is no choice.
    table : whether such a source may be a table of cells, read with the options for cells.
    flows : whether its players are flows, whose names tell their algorithms.
    """

    name: str
    title: str
    recognise: Callable[[Place], bool]
    read: Callable[[Place, Wanted], Adapted]
    rounds: tuple[str, ...] = ()
    table: bool = False
    flows: bool = False
