"""The rooms of the house: what each may import, which library has which user, what importing costs.

`docs/architecture.md` explains the rooms. They stand in the order of the data's way, and nothing
imports from a room below it in this table.
"""

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import winodds

SOURCE = Path(winodds.__file__).parent

MAY_IMPORT = {
    "language": "",
    "arrays": "",
    "workers": "language",
    "writing": "language",
    "design": "language arrays",
    "matches": "language arrays design",
    "fit": "language arrays design",
    "inference": "language arrays design matches fit",
    "quality": "language arrays design matches fit inference",
    "table": "language arrays matches",
    "read": "language arrays table",
    "adapters": "language arrays writing table read",
    "tournament": "language arrays writing table read adapters _version",
    "board": "language arrays workers design matches fit inference quality table show.present "
    "_version",
    "season": "language arrays matches fit inference table board show.present",
    "slices": "language arrays matches fit inference table board show.present",
    "sota": "language arrays table read show.present",
    "api": "language arrays workers matches table read adapters board season slices",
    "tune": "language arrays matches fit inference table board api workers show.present",
    "show": "language arrays writing design matches inference quality table board season slices "
    "sota tune _version",
    "demo": "api board season",
    "schema": "language board slices",
    "cli": "language writing table read adapters tournament board season slices sota show api tune "
    "demo _version",
}
"""Rooms, and single modules of the top level, with what they may import besides themselves."""

NUMERICS = (
    *("arrays", "design", "matches", "fit", "inference", "quality"),
    *("tune/bets", "tune/estimates", "tune/prospects", "tune/race", "tune/ratings"),
    *("tune/rules", "tune/steps"),
)

USERS = {
    "narwhals": {"table/frames"},
    "polars": {"table", "read", "adapters", "tournament", "demo"},
    "altair": {"show/charts"},
    "vl_convert": {"show/charts/save"},
    "jinja2": {"show/report/page"},
    "joblib": {"workers"},
    "sklearn": {"tournament", "tune/acting", "tune/fitting", "tune/search_cv"},
    "cloudpickle": {"tournament/identity"},
    "distributed": {"tournament/cluster", "tournament/beside"},
    "click": {"cli"},
    "rich": {
        *("show/formats/terminal", "show/formats/text", "show/layout/fitting"),
        *("show/figures/scatter", "show/charts/parts", "cli/output"),
    },
    "threadpoolctl": {"workers", "tournament/process"},
    "openskill": {"board/rival"},
    "optuna": {"tune/pruner"},
    "inspect_ai": {"adapters/inspect_ai"},
    "openml": {"adapters/openml/client", "tournament/data"},
    "requests": {"adapters/openml/desk"},
}
"""Who may import a library: modules, or rooms with all theirs."""

HEAVY = {"altair", "click", "jinja2", "numpy", "pandas", "polars", "pyarrow", "rich", "sklearn"}


@cache
def _modules() -> dict[str, Path]:
    return {
        path.relative_to(SOURCE).with_suffix("").as_posix().removesuffix("/__init__"): path
        for path in SOURCE.rglob("*.py")
    }


def _imports(node: ast.AST) -> Iterator[str]:
    """Modules that a module imports anywhere, but for type checkers only."""
    for part in ast.iter_child_nodes(node):
        if isinstance(part, ast.If) and ast.unparse(part.test) == "TYPE_CHECKING":
            continue
        if isinstance(part, ast.Import):
            yield from (alias.name for alias in part.names)
        elif isinstance(part, ast.ImportFrom) and part.module in ("winodds", "winodds.show"):
            yield from (f"{part.module}.{alias.name}" for alias in part.names)
        elif isinstance(part, ast.ImportFrom) and part.module:
            yield part.module
        yield from _imports(part)


@cache
def _imports_of(module: str) -> set[str]:
    return set(_imports(ast.parse(_modules()[module].read_text(encoding="utf-8"))))


def _within(module: str, places: set[str]) -> bool:
    return any(module == place or module.startswith(f"{place}/") for place in places)


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_a_room_imports_only_from_rooms_before_it(room: str) -> None:
    allowed = {room, *MAY_IMPORT[room].split()}
    wrong = [
        f"{module} imports {name}"
        for module in _modules()
        if module.split("/")[0] == room
        for name in _imports_of(module)
        if name.startswith("winodds.")
        and not allowed & {name.split(".")[1], ".".join(name.split(".")[1:3])}
    ]
    assert wrong == []


def test_every_module_has_a_room() -> None:
    others = {".", "__init__", "__main__", "_version", "errors"}
    assert {module.split("/")[0] for module in _modules()} - others == set(MAY_IMPORT)


@pytest.mark.parametrize("room", NUMERICS)
def test_numerics_see_numpy_and_scipy_only(room: str) -> None:
    allowed = {"winodds", "numpy", "scipy", *sys.stdlib_module_names}
    for module in _modules():
        if _within(module, {room}):
            assert {name.split(".")[0] for name in _imports_of(module)} <= allowed, module


@pytest.mark.parametrize("library", USERS)
def test_each_heavy_library_has_its_users(library: str) -> None:
    found = [
        module
        for module in _modules()
        if library in {name.split(".")[0] for name in _imports_of(module)}
    ]
    assert found
    assert [module for module in found if not _within(module, USERS[library])] == []


def _loaded(code: str) -> set[str]:
    """What is loaded once the code has run in a fresh process."""
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; {code}; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
        cwd=SOURCE.parent,
    )
    return set(done.stdout.split())


def test_importing_winodds_loads_nothing_heavy() -> None:
    assert not HEAVY & _loaded("import winodds")


def test_errors_are_reached_from_the_package_without_a_second_import() -> None:
    found = _loaded(
        "import winodds; assert 'winodds.errors' not in sys.modules; "
        "assert issubclass(winodds.errors.BadOption, winodds.UseError)"
    )
    assert "winodds.errors" in found


def test_a_name_that_does_not_exist_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match=r"^module 'winodds' has no attribute 'rates'$"):
        _ = winodds.rates


def test_a_board_is_rated_without_libraries_that_take_long_to_import() -> None:
    slow = {"scipy.optimize", "scipy.stats", "scipy.interpolate"}
    assert not slow & _loaded("import winodds.api.scores, winodds.show.formats.text")
