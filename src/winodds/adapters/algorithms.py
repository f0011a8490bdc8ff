"""Which algorithm a flow of OpenML runs: its name is parsed, and its learner looked up in a table.

Nothing is guessed. A name that cannot be parsed, or whose learner is not in the table, is unknown,
and the answer says why.
"""

import csv
import io
import os
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, TypeAlias

from winodds.adapters.errors import BadAlgorithms
from winodds.adapters.flow_names import Part, parse_flow
from winodds.language.words import quote
from winodds.read.loading import load_content

TOOLS = ("weka", "sklearn", "mlr", "other")
EVERY_TOOL = "any"
ESTIMATORS = ("estimator", "base_estimator", "classifier")
"""How scikit-learn's wrappers call what they wrap."""

UNKNOWN = "unknown"
"""The family of flows whose algorithm is not known."""

Names: TypeAlias = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Algorithm:
    """What a flow runs.

    Attributes
    ----------
    name : the flow's name, as given.
    tool : "weka", "sklearn", "mlr", or the first word of another name; None if there is none.
    parts : all components that the name names, in its order.
    learner : the one that learns, behind all that tunes or filters; None if it is not clear.
    algorithm : the class of the learner; None if it is unknown.
    note : why it is unknown, or why it is another class than in the study that had the table first.
    """

    name: str
    tool: str | None
    parts: tuple[str, ...]
    learner: str | None
    algorithm: str | None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class AlgorithmTable:
    """Learners and their algorithms, by tool; names in small letters.

    Attributes
    ----------
    learners : of each tool, and of "any", the algorithms by learners.
    transparent : of each tool, wrappers that tune or filter.
    components : of each tool, parts that never learn.
    ensembles : endings of mlr's names that make ensembles.
    undecided : learners that belong to no class, and why.
    corrections : why a learner stands elsewhere than in Table 4.3.
    """

    learners: Mapping[str, Names]
    transparent: Mapping[str, frozenset[str]] = field(default_factory=dict)
    components: Mapping[str, frozenset[str]] = field(default_factory=dict)
    ensembles: Names = field(default_factory=dict)
    undecided: Names = field(default_factory=dict)
    corrections: Names = field(default_factory=dict)

    def algorithm(self, tool: str, learner: str) -> str | None:
        """The class of a learner."""
        low = learner.lower()
        found = (self.learners.get(it, {}).get(low) for it in (EVERY_TOOL, tool))
        return next((name for name in found if name is not None), None)

    def wraps(self, tool: str, name: str) -> bool:
        return name.lower() in self.transparent.get(tool, ())

    def helps(self, tool: str, name: str) -> bool:
        return name.lower() in self.components.get(tool, ())

    def extended(self, more: "AlgorithmTable") -> "AlgorithmTable":
        """Both tables; the other one has the last word."""
        tools = {*self.learners, *more.learners}
        learners = {it: {**self.learners.get(it, {}), **more.learners.get(it, {})} for it in tools}
        said = {name for names in more.learners.values() for name in names}
        return AlgorithmTable(
            learners,
            _united(self.transparent, more.transparent),
            _united(self.components, more.components),
            self.ensembles,
            {name: why for name, why in self.undecided.items() if name not in said},
            {name: why for name, why in self.corrections.items() if name not in said},
        )


Given: TypeAlias = "AlgorithmTable | Mapping[str, Any] | str | os.PathLike[str] | None"


def extract_algorithm(flow_name: str, *, table: Given = None) -> Algorithm:
    """The algorithm that a flow of OpenML runs, by its name.

    Wrappers that tune or filter are looked through; ensembles are algorithms of their own. The
    name is parsed and never searched for words that happen to stand in it.

    Parameters
    ----------
    flow_name : as OpenML has it, with or without its version, or the number before it.
    table : what you add to the built-in table, or say otherwise: a mapping of algorithms to lists
        of learners, the same for each tool ({"weka": {…}}), or a TOML or CSV file.

    Examples
    --------
    >>> extract_algorithm("weka.FilteredClassifier_MultiSearch_SMO_RBFKernel(1)").algorithm
    'SVMClassifier'
    >>> extract_algorithm("weka.MyTree(1)").note
    "'MyTree' is not in the table of algorithms"
    >>> extract_algorithm("weka.MyTree(1)", table={"DecisionTreeClassifier": ["MyTree"]}).algorithm
    'DecisionTreeClassifier'
    """
    known = read_algorithms(table)
    flow = parse_flow(flow_name)
    if flow is None:
        why = "its parentheses do not match, or something between them is empty"
        return Algorithm(flow_name, None, (), None, None, why)
    tool, kind = _tool_of(flow)
    if kind == "sklearn":
        return _of_sklearn(flow_name, flow, known)
    if kind == "other" and flow.parts:
        found = _of_sklearn(flow_name, flow, known)
        return Algorithm(flow_name, tool, found.parts, found.learner, found.algorithm, found.note)
    if kind == "weka":
        return _of_weka(flow_name, flow, known)
    if kind == "mlr":
        return _of_mlr(flow_name, flow, known)
    return _look_up(flow_name, tool, flow.names, flow.path, "other", known)


def _tool_of(flow: Part) -> tuple[str | None, str]:
    """The tool as it is called, and the part of the table that is for it."""
    first, dot, _ = flow.path.partition(".")
    if first == "classif":
        return "mlr", "mlr"
    return (first if dot else None), (first if first in TOOLS else "other")


def _look_up(
    name: str,
    tool: str | None,
    parts: tuple[str, ...],
    learner: str,
    kind: str,
    table: AlgorithmTable,
) -> Algorithm:
    """The answer once the learner is found."""
    found = table.algorithm(kind, learner)
    low = learner.lower()
    if found is not None:
        return Algorithm(name, tool, parts, learner, found, table.corrections.get(low))
    why = table.undecided.get(low)
    told = f"{quote(learner)} is not in the table of algorithms"
    return Algorithm(
        name, tool, parts, learner, None, told if why is None else f"{quote(learner)}: {why}"
    )


# Weka ---------------------------------------------------------------------------------------------


def _of_weka(name: str, flow: Part, table: AlgorithmTable) -> Algorithm:
    """Weka joins the names of wrappers, learners and their parts by "_", from outside to inside."""
    words = tuple(word for word in flow.name.split("_") if word)
    if flow.parts:
        why = "names of Weka have no parentheses but those of the version"
        return Algorithm(name, "weka", flow.names, None, None, why)
    start = 0
    while start < len(words) and _passes("weka", words[start], table):
        start += 1
    if start == len(words):
        return Algorithm(name, "weka", words, None, None, "it names no learner")
    joined = ("_".join(words[start:end]) for end in range(len(words), start, -1))
    learner = next((it for it in joined if table.algorithm("weka", it)), words[start])
    return _look_up(name, "weka", words, learner, "weka", table)


def _passes(tool: str, name: str, table: AlgorithmTable) -> bool:
    return table.wraps(tool, name) or table.helps(tool, name)


# scikit-learn -------------------------------------------------------------------------------------


def _of_sklearn(name: str, flow: Part, table: AlgorithmTable) -> Algorithm:
    """Wrappers of scikit-learn hold what they wrap in parentheses."""
    tool = flow.path.partition(".")[0]
    part: Part | None = flow
    while part is not None and table.wraps("sklearn", part.name):
        part = _wrapped(part, table)
    if part is None:
        why = "it is not clear which of its parts learns"
        return Algorithm(name, tool, flow.names, None, None, why)
    kind = (
        "sklearn" if part.path.partition(".")[0] == "sklearn" or "." not in part.path else "other"
    )
    learner = part.name if kind == "sklearn" else part.path
    return _look_up(name, tool, flow.names, learner, kind, table)


def _wrapped(part: Part, table: AlgorithmTable) -> Part | None:
    """What a wrapper wraps: the last step of a pipeline, the estimator of a search."""
    named = [inner for inner in part.parts if inner.role is not None]
    if part.name == "Pipeline" and named and len(named) == len(part.parts):
        return named[-1]
    told = [inner for inner in named if inner.role in ESTIMATORS]
    if not told and not named:
        told = [inner for inner in part.parts if not _only_helps(inner, table)]
    return told[0] if len(told) == 1 else None


def _only_helps(part: Part, table: AlgorithmTable) -> bool:
    return part.path == "..." or table.helps("sklearn", part.name)


# mlr ----------------------------------------------------------------------------------------------


def _of_mlr(name: str, flow: Part, table: AlgorithmTable) -> Algorithm:
    """Wrappers of mlr add a word behind a dot; the outermost is the last."""
    bare, joint, version = flow.path.rpartition("_")
    path = bare if joint and version.isdigit() else flow.path
    words = tuple(path.removeprefix("mlr.").split("."))
    if words[0] != "classif" or len(words) == 1 or flow.parts:
        why = "only names of mlr's classifiers are known, such as 'mlr.classif.ranger'"
        return Algorithm(name, "mlr", words, None, None, why)
    end = len(words)
    while end > 2 and table.wraps("mlr", words[end - 1]):
        end -= 1
    ensemble = table.ensembles.get(words[end - 1].lower())
    if end > 2 and ensemble:
        return Algorithm(name, "mlr", words[1:], words[end - 1], ensemble)
    return _look_up(name, "mlr", words[1:], ".".join(words[1:end]), "mlr", table)


# The table ----------------------------------------------------------------------------------------


def read_algorithms(given: Given = None) -> AlgorithmTable:
    """The built-in table, extended by what is given."""
    if given is None:
        return _built_in()
    if isinstance(given, AlgorithmTable):
        return given
    if isinstance(given, Mapping):
        return _built_in().extended(_read_mapping(given, "table="))
    path = os.fspath(given)
    text = _text_of(path)
    rows = _csv_rows(text, path) if path.lower().endswith(".csv") else _toml_rows(text, path)
    return _built_in().extended(_read_mapping(rows, path))


@cache
def _built_in() -> AlgorithmTable:
    text = files("winodds.adapters").joinpath("algorithms.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    return AlgorithmTable(
        {tool: _by_learner(data[tool].items()) for tool in TOOLS},
        {tool: _lower(names) for tool, names in data["transparent"].items()},
        {tool: _lower(names) for tool, names in data["components"].items()},
        {word.lower(): name for word, name in data["ensembles"].items()},
        {name.lower(): why for name, why in data["undecided"].items()},
        {
            name.lower(): f"Table 4.3 has {quote(name)} in {old}; {why}"
            for name, (old, new, why) in data["corrections"].items()
            if new
        },
    )


def corrections() -> list[tuple[str, str, str | None, str]]:
    """Learner, its class in Table 4.3, its class here, and why; None for no class."""
    text = files("winodds.adapters").joinpath("algorithms.toml").read_text(encoding="utf-8")
    found = tomllib.loads(text)["corrections"]
    return [(name, old, new or None, why) for name, (old, new, why) in found.items()]


def _read_mapping(given: Mapping[str, Any], where: str) -> AlgorithmTable:
    """What a user gives: classes with their learners, for all tools or under each tool's name."""
    learners: dict[str, dict[str, str]] = {}
    passing: dict[str, dict[str, frozenset[str]]] = {"transparent": {}, "components": {}}
    for key, value in given.items():
        if key in passing:
            passing[key] = {tool: _lower(_list(names, where, key)) for tool, names in value.items()}
        elif isinstance(value, Mapping):
            if key not in (*TOOLS, EVERY_TOOL):
                raise BadAlgorithms(
                    where=where, reason=f"{quote(key)} is no tool of {', '.join(TOOLS)}"
                )
            pairs = [(name, _list(names, where, name)) for name, names in value.items()]
            learners.setdefault(key, {}).update(_by_learner(pairs))
        else:
            learners.setdefault(EVERY_TOOL, {}).update(
                _by_learner([(key, _list(value, where, key))])
            )
    return AlgorithmTable(learners, passing["transparent"], passing["components"])


def _list(value: Any, where: str, key: str) -> list[str]:
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise BadAlgorithms(where=where, reason=f"{quote(key)} has no list of names")
    names = list(value)
    if not all(isinstance(name, str) for name in names):
        raise BadAlgorithms(where=where, reason=f"{quote(key)} lists something that is no name")
    return names


def _by_learner(classes: Iterable[tuple[str, Iterable[str]]]) -> dict[str, str]:
    return {name.lower(): algorithm for algorithm, names in classes for name in names}


def _lower(names: Iterable[str]) -> frozenset[str]:
    return frozenset(name.lower() for name in names)


def _united(
    a: Mapping[str, frozenset[str]], b: Mapping[str, frozenset[str]]
) -> dict[str, frozenset[str]]:
    return {tool: a.get(tool, frozenset()) | b.get(tool, frozenset()) for tool in {*a, *b}}


def _text_of(path: str) -> str:
    try:
        return load_content(path).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadAlgorithms(where=path, reason="it is no text in UTF-8") from None


def _toml_rows(text: str, path: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadAlgorithms(where=path, reason=f"it is no TOML: {error}") from None


def _csv_rows(text: str, path: str) -> dict[str, dict[str, list[str]]]:
    """Rows of learner, algorithm and, if it is there, tool."""
    rows = csv.DictReader(io.StringIO(text))
    if not {"learner", "algorithm"} <= {*(rows.fieldnames or ())}:
        raise BadAlgorithms(where=path, reason="it needs the columns 'learner' and 'algorithm'")
    found: dict[str, dict[str, list[str]]] = {}
    for number, row in enumerate(rows, 2):
        if not row["learner"] or not row["algorithm"]:
            raise BadAlgorithms(where=path, reason=f"a cell of line {number:,} is empty")
        of_tool = found.setdefault(row.get("tool") or EVERY_TOOL, {})
        of_tool.setdefault(row["algorithm"], []).append(row["learner"])
    return found
