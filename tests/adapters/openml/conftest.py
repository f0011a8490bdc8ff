from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from openml_server import Server, serving, small_world

import winodds
from winodds import Adapted


@pytest.fixture(autouse=True)
def away_from_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the client and ourselves out of the user's folders, and away from the network."""
    for name in ("OPENML_CACHE_DIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    monkeypatch.setenv("no_proxy", "*")


@pytest.fixture
def server() -> Iterator[Server]:
    with serving(Server(small_world())) as running:
        yield running


@pytest.fixture
def fetch(server: Server, tmp_path: Path) -> Callable[..., Adapted]:
    """Fetches from the server without pauses; pages are kept in a folder of the test's."""

    def call(tasks: Any = 99, **options: Any) -> Adapted:
        usual = {"server": server.url, "cache": str(tmp_path / "pages"), "pause": 0.0}
        return winodds.fetch_openml(tasks, **{**usual, **options})

    return call
