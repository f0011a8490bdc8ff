"""Where the client's requests go out: slowly, with a time limit, again after a failure, and once.

A `Desk` is a transport adapter of `requests`, the library that the client speaks through. While the
client works, its sessions get this one in place of their usual one.
"""

import io
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from queue import Empty, Queue
from threading import Thread
from time import monotonic, sleep
from typing import Any
from urllib.parse import unquote, urlsplit

import requests
import requests.sessions
from requests.adapters import HTTPAdapter

from winodds.adapters.openml.answers import Fault, judge, may_keep
from winodds.adapters.openml.errors import ServerMoved, ServerSilent, ServerTooBusy
from winodds.adapters.openml.pages import Page, Pages
from winodds.language.words import rounded

LONGEST_WAIT = 600.0
"""Seconds that a server may ask to wait."""

LONGEST_PAUSE = 60.0
"""Seconds that pass at most between two tries, unless the server asks for more."""

LARGEST_ANSWER = 300_000_000
"""Bytes of an answer, unpacked; a list of 10,000 evaluations has about 5 million."""

EVALUATION = b"<oml:evaluation>"


@dataclass(frozen=True, slots=True)
class Manners:
    """How a server is asked.

    Attributes
    ----------
    timeout : seconds that an answer may take, until its last byte.
    retries : how often a request that failed is made again.
    pause : seconds between two requests; after failures it doubles every time.
    """

    timeout: float
    retries: int
    pause: float


class Desk(HTTPAdapter):
    """Sends requests of the client to one server; those to others go their usual way.

    Attributes
    ----------
    sent : requests that went out so far, failed ones included.
    answered : requests of the client that had an answer so far, known ones included.
    listed : evaluations in the last list of them, before the client drops any.
    """

    def __init__(
        self, server: str, pages: Pages, manners: Manners, say: Callable[[str], object]
    ) -> None:
        super().__init__()
        self.sent = 0
        self.answered = 0
        self.listed = 0
        self._server = server
        self._pages = pages
        self._manners = manners
        self._say = say
        self._free = 0.0

    @contextmanager
    def open(self) -> Iterator[None]:
        """Let the sessions that the client opens meanwhile send through this desk."""
        usual = requests.sessions.HTTPAdapter
        try:
            vars(requests.sessions)["HTTPAdapter"] = lambda: self
            yield
        finally:
            vars(requests.sessions)["HTTPAdapter"] = usual

    def send(
        self, request: requests.PreparedRequest, *args: Any, **options: Any
    ) -> requests.Response:
        """The answer to a request: a known one, or one that is asked for."""
        url = str(request.url)
        if request.method != "GET" or not url.startswith(self._server):
            return super().send(request, *args, **options)
        name = request_name(url)
        page = self._pages.find(name)
        if page is None:
            page = self._ask(request, name, options)
            if may_keep(page):
                self._pages.keep(name, page)
        if "/evaluation/list/" in name:
            self.listed = page.body.count(EVALUATION)
        self.answered += 1
        return _response(request, page)

    def _ask(
        self, request: requests.PreparedRequest, name: str, options: Mapping[str, Any]
    ) -> Page:
        tries = self._manners.retries + 1
        pause = self._manners.pause
        for attempt in range(1, tries + 1):
            self._wait()
            try:
                return self._try(request, options)
            except Fault as fault:
                if attempt == tries:
                    raise ServerSilent(url=name, tries=tries, reason=fault.reason) from fault
                if fault.wait > LONGEST_WAIT:
                    raise ServerTooBusy(url=name, seconds=fault.wait) from fault
                later = max(pause, fault.wait)
                told = f"The server failed ({fault.reason}); try {attempt + 1} of {tries}"
                self._say(f"{told} in {rounded(later, '.3g')} s." if later else f"{told}.")
                self._free = max(self._free, monotonic() + later)
                pause = min(2.0 * pause, LONGEST_PAUSE)
        raise AssertionError(tries)

    def _wait(self) -> None:
        """Wait until the next request may go out."""
        sleep(max(0.0, self._free - monotonic()))
        self._free = monotonic() + self._manners.pause
        self.sent += 1

    def _try(self, request: requests.PreparedRequest, options: Mapping[str, Any]) -> Page:
        """Ask once, in a thread that nobody waits for longer than the time limit."""
        answers: Queue[Page | Exception] = Queue()
        limit = self._manners.timeout

        def ask() -> None:
            try:
                answers.put(self._receive(request, options))
            except Exception as error:
                answers.put(error)

        Thread(target=ask, daemon=True).start()
        try:
            found = answers.get(timeout=limit)
        except Empty:
            raise Fault(f"no answer within {rounded(limit, '.3g')} s") from None
        if isinstance(found, requests.RequestException):
            raise Fault(f"the connection broke: {_innermost(found)}") from found
        if isinstance(found, Exception):
            raise found
        return found

    def _receive(self, request: requests.PreparedRequest, options: Mapping[str, Any]) -> Page:
        # Whoever waits gives up first, and says so; this only ends a thread that is left behind.
        found = super().send(request, **{**options, "timeout": 2.0 * self._manners.timeout})
        with found:
            body = _whole_body(found)
        if found.is_redirect:
            raise ServerMoved(url=str(found.url), place=found.headers["location"])
        return judge(found.status_code, body, retry_after=found.headers.get("Retry-After"))


def _whole_body(found: requests.Response) -> bytes:
    """What was sent, unpacked; raises `Fault` before more is taken than any list has."""
    parts, size = [], 0
    for part in found.iter_content(1 << 20):
        size += len(part)
        if size > LARGEST_ANSWER:
            raise Fault(f"its answer has more than {LARGEST_ANSWER // 10**6} MB")
        parts.append(part)
    return b"".join(parts)


def request_name(url: str) -> str:
    """What a request asks for: its address without the key of who asks, lists in order.

    The client lists users in an order that changes from one start of Python to the next.

    >>> request_name("http://localhost/api/v1/xml/user/list/user_id/2,10,1?api_key=secret")
    'http://localhost/api/v1/xml/user/list/user_id/1,2,10'
    """
    parts = urlsplit(url)
    path = "/".join(_in_order(unquote(part)) for part in parts.path.split("/"))
    return f"{parts.scheme}://{parts.netloc}{path}"


def _in_order(part: str) -> str:
    numbers = part.split(",")
    if not all(number.isdecimal() for number in numbers):
        return part
    return ",".join(sorted(numbers, key=int))


def _response(request: requests.PreparedRequest, page: Page) -> requests.Response:
    """An answer as the client expects it."""
    found = requests.Response()
    found.status_code = page.status
    found.url = str(request.url)
    found.request = request
    found.encoding = "utf-8"
    # The client complains on the root logger of answers that were not compressed on their way.
    found.headers["Content-Encoding"] = "gzip"
    found.raw = io.BytesIO(page.body)
    return found


def _innermost(error: BaseException) -> str:
    """What a chain of errors began with."""
    while (cause := error.__cause__ or error.__context__) is not None:
        error = cause
    return str(error) or type(error).__name__
