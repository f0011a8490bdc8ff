"""Runs that cannot begin, or not go on."""

from winodds.language.errors import DataError
from winodds.language.words import count, quote


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
