"""Make sure that there is a Chromium for the tests of the report, and install one where possible.

Prints nothing when there is one at the end. Otherwise prints, in one line, why none can be had;
``make test`` passes that on to the tests, which then skip with this reason.

Usage: ``python tools/ensure_browser.py``
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PATIENCE = 600.0


def main() -> None:
    """Look, install, look again."""
    if find_browser():
        return
    reasons = []
    for command in ways_to_install():
        print(f"No Chromium found; trying: {' '.join(command)}", file=sys.stderr)
        reasons.append(run(command))
        if find_browser():
            return
    print("; ".join(filter(None, reasons)) or "no way to install one is known here")


def find_browser() -> bool:
    """Whether the system has a Chromium, or Playwright one of its own."""
    if any(map(shutil.which, NAMES)):
        return True
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        return Path(driver.chromium.executable_path).exists()


def ways_to_install() -> list[list[str]]:
    """Commands that could install one, the system's package first."""
    own = [sys.executable, "-m", "playwright", "install", "chromium"]
    if not shutil.which("apt-get") or "debian" not in system_name():
        return [own]
    become_root = [] if os.geteuid() == 0 else ["sudo", "-n"]
    if become_root and not shutil.which("sudo"):
        return [own]
    apt = [*become_root, "apt-get", "-qq"]
    return [[*apt, "update"], [*apt, "install", "--yes", "chromium"], own]


def system_name() -> str:
    """Which Linux this is, in the words of its release file; Ubuntu's package is only a stub."""
    try:
        lines = Path("/etc/os-release").read_text(encoding="utf-8").splitlines()
    except OSError:
        return ""
    return next((line.lower() for line in lines if line.startswith("ID=")), "")


def run(command: list[str]) -> str:
    """Run a command; why it failed, or nothing."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE,
            env=environment,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{command[0]}: {error}"
    last = (done.stderr.strip() or done.stdout.strip() or "no word").splitlines()[-1]
    return f"{Path(command[0]).name} failed: {last}" if done.returncode else ""


if __name__ == "__main__":
    main()
