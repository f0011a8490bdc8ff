"""The page's own files: text, and JavaScript modules that become one script.

A module imports others of its folder, or of the shared one, in lines of their own and exports by
name, so that browsers and editors understand it as it is. In a page, which must be one file,
modules stand one after the other, those that are imported first, without these words.
"""

import posixpath
import re
from importlib.resources import files

PAGE = files(__package__) / "assets"
IMPORT = re.compile(r'^import \{[^}]*\} from "((?:\./|\.\./shared/)[\w-]+\.js)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export ", re.MULTILINE)
EXPORTED = re.compile(r"^export (?:async )?(?:function|class|const) (\w+)", re.MULTILINE)


def read_part(name: str) -> str:
    """A file of the page."""
    return (PAGE / name).read_text(encoding="utf-8")


def bundle(folder: str, entry: str, *, shared: str | None = None) -> str:
    """A module of one of the page's folders, and all that it imports, as one script.

    With ``shared``, the page finds what the module exports under that name.
    """
    exported = ", ".join(EXPORTED.findall(read_part(f"{folder}/{entry}")))
    end = f"globalThis.{shared} = {{ {exported} }};\n" if shared else ""
    return f'"use strict";\n(() => {{\n{join_modules(folder, entry)}{end}}})();\n'


def join_modules(folder: str, *entries: str) -> str:
    """Modules and all that they import, one after the other."""
    order: list[str] = []
    for entry in entries:
        _collect(f"{folder}/{entry}", order)
    texts = (read_part(name) for name in order)
    return "".join(EXPORT.sub("", IMPORT.sub("", text)) for text in texts)


def _collect(name: str, order: list[str]) -> None:
    """List a module after those that it imports."""
    for imported in IMPORT.findall(read_part(name)):
        other = posixpath.normpath(f"{posixpath.dirname(name)}/{imported}")
        if other not in order:
            _collect(other, order)
    if name not in order:
        order.append(name)
