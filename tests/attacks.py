"""What `make test-hostile` prints: how many attacks of each class ran, and what came of them.

A plugin of pytest. Tests tell what they tried by `record_property`; one that tells nothing is one
attack. A test that fails counts where it says, or else by how it failed.
"""

from collections import Counter, defaultdict
from typing import Any

CLASSES = {
    "tests/hostile/test_corpus.py": "hostile tables",
    "tests/read/test_hostile.py": "hostile tables",
    "tests/hostile/test_tables.py": "hostile tables",
    "tests/hostile/test_documents.py": "JSON mutants",
    "tests/hostile/test_outputs.py::test_names": "names × outputs",
    "tests/hostile/test_streams.py::test_a_killed": "kills inside a write",
    "tests/hostile/test_streams.py::test_hundreds": "kills inside a write",
    "tests/hostile/test_outputs.py::test_a_full_disk": "full disk, files",
    "tests/hostile/test_outputs.py::test_standard_output": "full disk, standard output",
    "tests/hostile/test_streams.py::test_a_disk": "full disk, standard output",
    "tests/hostile/test_outputs.py::test_a_pipe": "FIFOs",
    "tests/hostile/test_streams.py": "streams and limits",
    "tests/hostile/test_forks.py": "forks",
    "tests/hostile/test_outputs.py::test_every_language": "locales",
    "tests/hostile/test_pages.py": "pages",
    "tests/hostile/test_growth.py": "growth",
    "tests/hostile/test_commands.py": "odd commands",
    "tests/hostile/test_stores.py": "specs and logs of runs",
    "tests/hostile/test_specs.py": "specs and logs of runs",
    "tests/hostile/test_servers.py": "answers of servers",
}
"""The class of a test, by the longest beginning of its name."""

FOUND = ("silent", "raw", "torn", "requests", "hangs")
HEADS = ("class", "tried", "silently wrong", "raw errors", "torn files", "requests", "hangs")


class Ledger:
    """Attacks by class, and what came of them."""

    def __init__(self) -> None:
        self.tried: Counter[str] = Counter()
        self.found: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self.unknowable: list[str] = []
        self.skipped: Counter[str] = Counter()

    def add(self, report: Any) -> None:
        """Count what one test tried."""
        kind = class_of(report.nodeid)
        if kind is None or (report.when != "call" and not report.failed):
            if kind is not None and report.skipped:
                self.skipped[f"{kind}: {report.longrepr[2]}"] += 1
            return
        told: Counter[str] = Counter()
        for name, value in report.user_properties:
            if name == "unknowable":
                self.unknowable.append(value)
            else:
                told[name] += int(value)
        if report.skipped:
            self.skipped[f"{kind}: {report.longrepr[2]}"] += 1
            return
        self.tried[kind] += told.pop("tried", 1)
        if report.failed and not any(told.values()):
            told[how_it_failed(str(report.longrepr))] += 1
        self.found[kind] += told

    def lines(self) -> list[str]:
        """The table, what no file can tell, and what could not be tried here."""
        rows: list[tuple[str, ...]] = [HEADS]
        for kind in dict.fromkeys(CLASSES.values()):
            if self.tried[kind]:
                counts = [self.tried[kind], *(self.found[kind][name] for name in FOUND)]
                rows.append((kind, *(f"{number:,}" for number in counts)))
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = [
            "  ".join(
                cell.ljust(width) if place == 0 else cell.rjust(width)
                for place, (cell, width) in enumerate(zip(row, widths, strict=True))
            )
            for row in rows
        ]
        if self.unknowable:
            lines += ["", "Not knowable from the file, and what the board says:"]
            lines += [f"  {one}" for one in self.unknowable]
        if self.skipped:
            lines += ["", "Not tried here:"]
            lines += [f"  {number:,} × {why}" for why, number in self.skipped.items()]
        return lines


def class_of(test: str) -> str | None:
    """The class of attacks that a test belongs to."""
    fitting = [start for start in CLASSES if test.startswith(start)]
    return CLASSES[max(fitting, key=len)] if fitting else None


def how_it_failed(text: str) -> str:
    """What a failed test that tells nothing counts as."""
    if "TimeoutExpired" in text:
        return "hangs"
    return "silent" if "AssertionError" in text or "assert " in text else "raw"


def pytest_configure(config: Any) -> None:
    config.pluginmanager.register(Reporter(), "attacks-ledger")


class Reporter:
    """Listens to pytest."""

    def __init__(self) -> None:
        self._ledger = Ledger()

    def pytest_runtest_logreport(self, report: Any) -> None:
        self._ledger.add(report)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        terminalreporter.section("attacks")
        for line in self._ledger.lines():
            terminalreporter.write_line(line)
