"""Opens pages in a Chromium that lives where there is no network, and prints what they asked for.

It is run by `unshare -rn`: a network namespace without interfaces, in which a request has nowhere
to go. Playwright, the browser's own protocol and the browser's log of its network count together,
because each sees what the others do not: workers, sockets, look-ups of names in advance.

    unshare -rn python tests/hostile/alone.py CHROMIUM page.html …
"""

import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import Browser, CDPSession, sync_playwright

QUIET = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--disable-default-apps"),
    *("--disable-domain-reliability", "--disable-client-side-phishing-detection"),
)
BROWSER = "update.googleapis.com"
"""Whom the browser itself asks whether it is the newest."""

OWN = ("file:", "data:", "blob:", "about:", "chrome:", "chrome-extension:", "devtools:")

USE = """() => {
  for (const one of document.querySelectorAll("summary, button, [role=tab], input[type=checkbox]"))
    one.click();
  for (const one of document.querySelectorAll("select"))
    if (one.options.length > 1) {
      one.selectedIndex = 1;
      one.dispatchEvent(new Event("change", {bubbles: true}));
    }
  for (const one of document.querySelectorAll("input[type=search], input[type=text]")) {
    one.value = "a";
    one.dispatchEvent(new Event("input", {bubbles: true}));
  }
}"""
"""Opens and changes all that a reader can, without leaving the page."""


def interfaces() -> list[str]:
    """Names of the network's interfaces, the loop left out."""
    lines = Path("/proc/net/dev").read_text(encoding="ascii").splitlines()[2:]
    return [name for line in lines if (name := line.partition(":")[0].strip()) != "lo"]


def visit(browser: Browser, file: Path, *, patience: float) -> dict[str, list[str]]:
    """What a page asked for while it was opened and used, by who saw it, and its complaints."""
    seen: dict[str, list[str]] = {"playwright": [], "protocol": [], "complaints": []}
    context = browser.new_context()
    page = context.new_page()
    session: CDPSession = context.new_cdp_session(page)
    session.send("Network.enable")

    def note(event: dict[str, Any]) -> None:
        seen["protocol"].append(event.get("request", event)["url"])

    session.on("Network.requestWillBeSent", note)
    session.on("Network.webSocketCreated", note)
    session.on("Network.webTransportCreated", note)
    context.on("request", lambda request: seen["playwright"].append(request.url))
    page.on("popup", lambda other: seen["playwright"].append(f"popup {other.url}"))
    page.on("pageerror", lambda error: seen["complaints"].append(str(error)))
    page.goto(file.as_uri())
    page.evaluate(USE)
    page.wait_for_timeout(1000 * patience)
    context.close()
    foreign = {name: [url for url in seen[name] if not _own(url)] for name in seen}
    return {**foreign, "complaints": seen["complaints"], "all": seen["playwright"]}


def _own(url: str) -> bool:
    return url.startswith(OWN)


def logged(path: Path) -> list[str]:
    """Addresses and names of hosts in the browser's log of its network."""
    text = path.read_text(encoding="utf-8", errors="replace")
    if not text.rstrip().endswith("}"):
        text = text.rstrip().rstrip(",") + "]}"
    events = json.loads(text)["events"]
    found = []
    for event in events:
        facts = event.get("params", {})
        address = facts.get("url") or facts.get("host") or facts.get("hostname")
        if isinstance(address, str) and not _own(address) and BROWSER not in address:
            found.append(address)
    return found


def main(chromium: str, pages: list[str]) -> None:
    with TemporaryDirectory() as folder, sync_playwright() as driver:
        log = Path(folder) / "net.json"
        browser = driver.chromium.launch(
            executable_path=chromium or None, args=[*QUIET, f"--log-net-log={log}"]
        )
        visits = {page: visit(browser, Path(page), patience=0.5) for page in pages}
        browser.close()
        print(json.dumps({"interfaces": interfaces(), "log": logged(log), "pages": visits}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
