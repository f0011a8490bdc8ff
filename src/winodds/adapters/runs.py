"""Folders of `winodds run`: their table of scores, as it stands."""

from pathlib import Path

from winodds.adapters.adapted import Adapted
from winodds.adapters.adapter import Adapter, Wanted
from winodds.adapters.converted import read as read_converted
from winodds.adapters.errors import NotThisSource
from winodds.adapters.place import Place

TITLE = "a folder of winodds run"
SCORES = "scores.parquet"
LOG = "fits.log"


def recognise(place: Place) -> bool:
    """Whether a folder has the log of a run."""
    return place.kind == "folder" and (Path(place.path) / LOG).is_file()


def read(place: Place, wanted: Wanted) -> Adapted:
    """The run's table, with its roles."""
    table = Path(place.path) / SCORES
    if not table.is_file():
        reason = f"there is no {SCORES} in it; winodds run writes it when it ends or is interrupted"
        raise NotThisSource(path=place.path, title=TITLE, reason=reason)
    return read_converted(Place(str(table), place.cells), wanted)


ADAPTER = Adapter("run", TITLE, recognise, read)
