"""What keeps evaluations from being fetched."""

from collections.abc import Sequence

from winodds.language.errors import DataError, UseError
from winodds.language.spelling import option
from winodds.language.words import count, list_names, quote, rounded

RESUMES = "What was fetched is kept: the same command goes on from there."


class ServerSilent(DataError):
    """A server that failed at every try."""

    url: str
    tries: int
    reason: str

    def sentence(self) -> str:
        tried = "once" if self.tries == 1 else f"{self.tries} times"
        return f"{self.url} was asked {tried}, in vain; at last, {self.reason}. {RESUMES}"


class ServerTooBusy(DataError):
    """A server that wants to be left alone for long."""

    url: str
    seconds: float

    def sentence(self) -> str:
        minutes = rounded(self.seconds / 60, ".0f")
        return f"{self.url}: the server asks to come back in {minutes} minutes. {RESUMES}"


class CannotKeep(DataError):
    """A folder in which answers of the server cannot be kept."""

    folder: str
    reason: str

    def sentence(self) -> str:
        return (
            f"Answers of the server cannot be kept in {quote(self.folder)}: {self.reason}. Name "
            f"another folder with {option('cache', 'FOLDER')}, or make room."
        )


class ServerMoved(DataError):
    """A server that sends to another address."""

    url: str
    place: str

    def sentence(self) -> str:
        return (
            f"{self.url} sends to {quote(self.place)}; say where the interface is now with "
            f"{option('server', 'URL')}."
        )


class ServerRefuses(DataError):
    """An error that the server sent instead of an answer."""

    what: str
    code: int | None
    message: str

    def sentence(self) -> str:
        number = "" if self.code is None else f" (code {self.code})"
        return f"The server has no {self.what}{number}: {self.message.rstrip('.')}."


class ClientFails(DataError):
    """An answer that the client cannot read."""

    what: str
    reason: str

    def sentence(self) -> str:
        return f"OpenML's client cannot read {self.what} that the server sent: {self.reason}."


class ClientUnknown(UseError):
    """A version of the client that does not send its requests as expected."""

    version: str

    def sentence(self) -> str:
        return (
            f"OpenML's client {self.version} does not send its requests as 0.15 and 0.16 do; "
            f"install one of these: pip install 'openml>=0.15,<0.17'."
        )


class NoEvaluations(DataError):
    """Tasks without a single evaluation by a function."""

    function: str
    tasks: int
    close: Sequence[str] = ()

    def sentence(self) -> str:
        on = "on the task" if self.tasks == 1 else f"on any of the {count(self.tasks, 'task')}"
        known = f" Functions like it are {list_names(self.close)}." if self.close else ""
        return f"There is no evaluation by {quote(self.function)} {on}.{known}"


class NoTasks(DataError):
    """A suite in which no task is left."""

    suite: str
    tasks: int

    def sentence(self) -> str:
        listed = count(self.tasks, "task")
        return (
            f"{self.suite} has {listed}, none of them with two classes; leave out "
            f"{option('binary', True)}."
        )
