"""What importing costs, and which room may touch which library."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import winodds

SOURCE = Path(winodds.__file__).parent
NUMERICS = (
    "across",
    "arrays",
    "batch",
    "bootstrap",
    "comparisons",
    "curves",
    "dense",
    "design",
    "embedding",
    "fit",
    "friedman",
    "games",
    "goodness",
    "graph",
    "inference",
    "kernel",
    "letters",
    "likelihood",
    "matches",
    "quality",
    "quasi",
    "simulate",
    "sota/auc",
    "sota/binomials",
    "sota/binormal",
    "sota/boards",
    "sota/dependence",
    "sota/estimate",
    "sota/granularity",
    "sota/latents",
    "sota/law",
    "sota/maximum",
    "sota/observed",
    "sota/populations",
    "sota/posterior",
    "sota/products",
    "sota/proposals",
    "sota/ratings",
    "sota/roc",
    "sota/saddlepoint",
    "sota/sampling",
    "sota/tilting",
    "standing",
    "tally",
)
HEAVY = {
    *("altair", "click", "jinja2", "openml", "optuna", "pandas", "pyarrow", "rich", "sklearn"),
    "vl_convert",
}
OWNERS = {
    "narwhals": {"frames"},
    "polars": {
        "frames",
        "names",
        "table",
        "demo/__init__",
        "read/delimited",
        "read/files",
        "read/json_lines",
        "read/numbers",
        "read/sheet",
        "read/wide",
    },
    "altair": {
        "show/charts/groups",
        "show/charts/pairs",
        "show/charts/panels",
        "show/charts/parts",
        "show/charts/scores",
        "show/charts/seasons",
        "show/charts/sota",
        "show/charts/standing",
        "show/charts/theme",
    },
    "vl_convert": {"show/charts/save"},
    "jinja2": {"show/report"},
    "joblib": {"workers"},
    "click": {
        "cli/demo",
        "cli/main",
        "cli/options",
        "cli/output",
        "cli/pictures",
        "cli/plot",
        "cli/sota",
        "cli/verdicts",
    },
    "rich": {"show/terminal", "cli/output"},
}


def _imports(path: Path) -> set[str]:
    """Top-level packages that a module imports anywhere, itself included as ``winodds.name``."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return found


def _modules() -> dict[str, Path]:
    return {
        path.relative_to(SOURCE).with_suffix("").as_posix(): path for path in SOURCE.rglob("*.py")
    }


def test_importing_winodds_loads_nothing_heavy() -> None:
    code = f"import sys, winodds; print(*sorted({HEAVY} & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=SOURCE.parent
    )
    assert done.stdout.strip() == ""


def test_a_board_is_rated_without_libraries_that_take_long_to_import() -> None:
    slow = {"scipy.optimize", "scipy.stats", "scipy.interpolate"}
    code = f"import sys, winodds.door, winodds.show.text; print(*sorted({slow} & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=SOURCE.parent
    )
    assert done.stdout.strip() == ""


@pytest.mark.parametrize("module", NUMERICS)
def test_numerics_see_numpy_and_scipy_only(module: str) -> None:
    allowed = {"numpy", "scipy", *sys.stdlib_module_names}
    for name in _imports(_modules()[module]):
        package = name.split(".")[0]
        if package == "winodds":
            home = "/".join(name.split(".")[1:])
            assert home in {*NUMERICS, "errors"}, f"{module} imports {name}"
        else:
            assert package in allowed, f"{module} imports {name}"


@pytest.mark.parametrize("library", OWNERS)
def test_each_heavy_library_has_its_rooms(library: str) -> None:
    users = {
        module
        for module, path in _modules().items()
        if any(name.split(".")[0] == library for name in _imports(path))
    }
    assert users == OWNERS[library]
