"""Cells that list the members of a team."""

import json

import pytest
from hypothesis import given, strategies as st
from tables import sentence

from winodds.errors import MembersUnclear
from winodds.table.members import split_members

READ = {
    "rf + svm": ("rf", "svm"),
    "rf+svm": ("rf", "svm"),
    "rf;svm": ("rf", "svm"),
    "rf, svm ,knn": ("rf", "svm", "knn"),
    "rf | svm": ("rf", "svm"),
    '["rf","svm"]': ("rf", "svm"),
    "['rf', 'svm']": ("rf", "svm"),
    '["C++", "a, b"]': ("C++", "a, b"),
    "rf": ("rf",),
    "": (),
    "  ": (),
    "[]": (),
    "svm(C=1, gamma=2), rf": ("svm(C=1, gamma=2)", "rf"),
    "svm(C=1, g={a;b}) + rf[x+y]": ("svm(C=1, g={a;b})", "rf[x+y]"),
    "random forest + logistic-regression": ("random forest", "logistic-regression"),
    "a/b + c&d": ("a/b", "c&d"),
}

HINT = 'Put one kind of separator between names, as in rf + svm, or write a list: ["rf", "svm"].'

REFUSED = {
    "rf, svm; knn": "';' and ',' stand in it",
    "rf + svm, knn": "'+' and ',' stand in it",
    "C++ + rf": "a plus stands with blanks and without",
    "C++": "a name in it is empty",
    "rf;;svm": "a name in it is empty",
    "rf, ": "a name in it is empty",
    "svm(C=1, rf": "its brackets do not match",
    "svm(C=1] + rf)": "its brackets do not match",
    "['rf' 'svm']": "it begins like a list and is none",
    '["rf", "svm"': "it begins like a list and is none",
    "[1, 2]": "a list of members holds names in quotes",
    '["rf", ""]': "a name in it is empty",
}


@pytest.mark.parametrize("cell", READ)
def test_cell_is_read(cell: str) -> None:
    assert split_members(cell) == READ[cell]


@pytest.mark.parametrize("cell", REFUSED)
def test_what_is_not_clear_is_refused_with_the_cell(cell: str) -> None:
    said = sentence(MembersUnclear, lambda: split_members(cell))
    assert said == f"It is not clear which members '{cell}' names: {REFUSED[cell]}. {HINT}"


NAMES = st.lists(st.text("ab+;,|()[]{}'\"\\ ", min_size=1), min_size=1).filter(
    lambda names: all(name.strip() for name in names)
)


@given(NAMES)
def test_a_json_list_says_any_names(names: list[str]) -> None:
    assert split_members(json.dumps(names)) == tuple(name.strip() for name in names)


@given(st.lists(st.text("ab()xy ", min_size=1), min_size=1), st.sampled_from("+;,|"))
def test_names_without_separators_are_read_with_any(names: list[str], mark: str) -> None:
    names = [name.replace("(", "").replace(")", "").strip() or "z" for name in names]
    assert split_members(f" {mark} ".join(names)) == tuple(names)
