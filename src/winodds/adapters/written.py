"""Parameters that were written as text: as JSON, or as Python shows a dict."""

import ast
import json
from collections.abc import Mapping
from typing import Any


def read_settings(cell: Any) -> dict[str, Any] | None:
    """The parameters of a cell; None if it does not hold any that can be read.

    Nothing is run: objects stay the text that they were written as.

    >>> read_settings("{'C': np.float64(0.1), 'm': SVC(), 'n': None}")
    {'C': 0.1, 'm': 'SVC()', 'n': None}
    """
    if isinstance(cell, Mapping):
        return dict(cell)
    if not isinstance(cell, str):
        return None
    try:
        found = json.loads(cell)
        return found if isinstance(found, dict) else None
    except (ValueError, RecursionError):
        pass
    try:
        tree = ast.parse(cell.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if not isinstance(tree, ast.Dict):
        return None
    keys = [key.value if isinstance(key, ast.Constant) else None for key in tree.keys]
    if not all(isinstance(key, str) for key in keys):
        return None
    return {str(key): _value(node) for key, node in zip(keys, tree.values, strict=True)}


def _value(node: ast.expr) -> Any:
    """A literal, a number of numpy, or the text of anything else."""
    try:
        return ast.literal_eval(node)
    except ValueError:
        pass
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and len(node.args) == 1:
        module = node.func.value
        if isinstance(module, ast.Name) and module.id in ("np", "numpy"):
            return _value(node.args[0])
    return ast.unparse(node)
