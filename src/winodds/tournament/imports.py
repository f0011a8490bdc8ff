"""Objects by their import paths."""

import importlib
import sys
from pathlib import Path
from typing import Any

from winodds.language.words import quote
from winodds.tournament.fitting import describe


class NotFound(Exception):
    """No object has such a path; the text says why."""


def import_object(path: str, folder: Path) -> Any:
    """The object of a path such as "sklearn.svm.SVC"; modules beside the spec are found, too."""
    if str(folder) not in sys.path:
        sys.path.append(str(folder))
    module, _, name = path.rpartition(".")
    if not module:
        raise NotFound(f"{quote(path)} is no import path, such as 'sklearn.svm.SVC'")
    try:
        found = importlib.import_module(module)
    except Exception as error:
        reason = f"{quote(module)} cannot be imported ({describe(error)})"
        raise NotFound(reason) from error
    if not hasattr(found, name):
        raise NotFound(f"module {quote(module)} has no {quote(name)}")
    return getattr(found, name)
