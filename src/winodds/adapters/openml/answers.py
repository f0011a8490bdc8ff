"""What a server's answer is: something to keep, a failure that may pass, or an error."""

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from html import escape, unescape
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from winodds.adapters.openml.pages import Page
from winodds.language.words import quote, shorten

NAMESPACE = "{http://openml.org/openml}"
NO_DATABASE = "107"
"""The server's code for a data base that is too busy to answer."""

TOO_MANY_REQUESTS = 429
NAMES = re.compile(rb"<oml:(flow_name|data_name|username|name)>(.*?)</oml:\1>", re.DOTALL)
"""Elements whose text the server does not escape."""


class Fault(Exception):
    """A failure that may pass.

    Attributes
    ----------
    reason : what happened, in words.
    wait : how many seconds the server asks to wait.
    """

    def __init__(self, reason: str, *, wait: float = 0.0) -> None:
        super().__init__(reason)
        self.reason = reason
        self.wait = wait


def judge(status: int, body: bytes, *, retry_after: str | None = None) -> Page:
    """The answer, as something that the client can read; raises `Fault` if another may come."""
    if status == TOO_MANY_REQUESTS:
        raise Fault("it says that there were too many requests", wait=_seconds(retry_after))
    mended, root = _parse(status, body, retry_after)
    if not root.tag.startswith(NAMESPACE):
        shown = shorten(f"<{root.tag.rpartition('}')[2]}>")
        told = f"it sent a page that begins with {shown} (status {status})"
        raise Fault(told, wait=_seconds(retry_after))
    if root.tag == f"{NAMESPACE}error" and root.findtext(f"{NAMESPACE}code") == NO_DATABASE:
        raise Fault("its data base does not answer (code 107)", wait=_seconds(retry_after))
    return Page(status, mended)


def may_keep(page: Page) -> bool:
    """Whether the same question will have the same answer: results, or that there are none."""
    nothing = (b"<oml:code>542<", b"<oml:code>482<")
    return page.status == 200 or any(code in page.body for code in nothing)


def _parse(status: int, body: bytes, retry_after: str | None) -> tuple[bytes, Element]:
    """The body and its first element; names that the server forgot to escape are escaped."""
    for text in (body, _with_escaped_names(body)):
        try:
            return text, ElementTree.fromstring(text)
        except ElementTree.ParseError as error:
            failure = error
    begin = quote(shorten(body[:60].decode("utf-8", "replace").strip()))
    told = f"its answer (status {status}) is cut off or no XML: {failure}; it begins with {begin}"
    raise Fault(told, wait=_seconds(retry_after)) from failure


def _with_escaped_names(body: bytes) -> bytes:
    def mend(found: "re.Match[bytes]") -> bytes:
        text = escape(unescape(found[2].decode("utf-8", "replace")), quote=False).encode()
        return b"<oml:%s>%s</oml:%s>" % (found[1], text, found[1])

    return NAMES.sub(mend, body)


def _seconds(header: str | None) -> float:
    """What ``Retry-After`` says: seconds, or a date.

    >>> _seconds("120"), _seconds("soon"), _seconds(None)
    (120.0, 0.0, 0.0)
    """
    if header is None:
        return 0.0
    if header.strip().isdecimal():
        return float(header)
    try:
        then = parsedate_to_datetime(header)
    except ValueError:
        return 0.0
    known = then if then.tzinfo else then.replace(tzinfo=UTC)
    return max(0.0, (known - datetime.now(UTC)).total_seconds())
