"""Files that are written whole or not at all."""

import errno
import os
import tempfile
from pathlib import Path

from winodds.language.errors import NotWritten
from winodds.language.words import quote, reason_of


def write_whole(given: Path, text: str) -> None:
    """Write a text in UTF-8 as `write_bytes_whole` does."""
    write_bytes_whole(given, text.encode())


def write_bytes_whole(given: Path, content: bytes) -> None:
    """Write a file completely or not at all; an old one stays until the new one is there.

    A link is followed, and what is no ordinary file, such as a pipe, is written to as it is.
    """
    part: Path | None = None
    try:
        path = given.resolve()
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, "it is a folder")
        if path.exists() and not path.is_file():
            path.write_bytes(content)
            return
        descriptor, name = tempfile.mkstemp(prefix=".winodds-", suffix=".part", dir=path.parent)
        part = Path(name)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        part.chmod(_mode(path))
        part.replace(path)
    except FileNotFoundError as error:
        reason = f"there is no folder {quote(given.parent)}"
        raise NotWritten(path=str(given), reason=reason) from error
    except OSError as error:
        raise NotWritten(path=str(given), reason=reason_of(error)) from error
    finally:
        if part is not None:
            part.unlink(missing_ok=True)


def _mode(path: Path) -> int:
    """Permissions of the old file, or those of any new one."""
    if path.exists():
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
