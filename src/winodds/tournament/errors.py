"""Runs that cannot begin, or not go on."""

from winodds.language.errors import DataError, UseError
from winodds.language.spelling import option
from winodds.language.words import count, quote, visible


class RunInProgress(DataError):
    """A folder in which another run works."""

    folder: str
    holder: str

    def sentence(self) -> str:
        return (
            f"Another run works in {quote(self.folder)}: {self.holder}. Wait until it is done, or "
            f"take another folder."
        )


class NotALog(DataError):
    """A file in the place of the log of fits that is something else."""

    path: str
    reason: str

    def sentence(self) -> str:
        return (
            f"{quote(self.path)} is no log of fits that this version can read: {self.reason}. Take "
            f"another folder."
        )


class NotSaved(DataError):
    """Finished fits could not be written to the disk; those saved before are whole."""

    path: str
    reason: str
    saved: int

    def sentence(self) -> str:
        return (
            f"{quote(self.path)} could not be written: {self.reason}. {count(self.saved, 'fit')} "
            f"{'is' if self.saved == 1 else 'are'} saved; once that is mended, the same call goes "
            f"on from there."
        )


class BadSpec(UseError):
    """A spec that cannot be run as it is written, with the key and its line."""

    path: str
    key: str | None
    line: int | None
    reason: str

    def sentence(self) -> str:
        line = "" if self.line is None else f", line {self.line:,}"
        key = "" if self.key is None else f"{self.key}: "
        end = "" if self.reason.endswith("?") else "."
        return f"{quote(self.path)}{line}: {key}{visible(self.reason)}{end}"


class NoWorker(DataError):
    """A worker that ended before it could begin to work."""

    reason: str

    def sentence(self) -> str:
        return (
            f"No worker could be started ({self.reason}). Workers import the same modules as the "
            f"run itself, from the same places."
        )


class NoCluster(DataError):
    """A Dask cluster that cannot do fits."""

    address: str
    reason: str

    def sentence(self) -> str:
        end = "" if self.reason.endswith(".") else "."
        return (
            f"The Dask cluster at {quote(self.address)} cannot be used: {self.reason}{end} Nothing "
            f"is computed here instead; start workers there, or leave {option('dask')} out."
        )
