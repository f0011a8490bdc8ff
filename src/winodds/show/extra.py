"""Whether what draws and prints pages is installed."""

from importlib.util import find_spec

from winodds.errors import MissingExtra

PACKAGES = {"altair": "altair", "jinja2": "jinja2", "vl_convert": "vl-convert-python"}
"""Modules of the extra "report", and the packages that they come with."""


def require_extra(purpose: str) -> None:
    """Raise `MissingExtra` when a package of the extra "report" is missing."""
    missing = [package for module, package in PACKAGES.items() if find_spec(module) is None]
    if missing:
        raise MissingExtra(packages=missing, purpose=purpose)
