"""Notes are sentences with counts and names, in the singular and in the plural."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy import sparse
from tables import grid, texts, three_by_three

from winodds import Leaderboard, rate, rate_each
from winodds.board import notes
from winodds.inference.structure import Structure
from winodds.language.notes import Note
from winodds.language.spelling import command_line_spelling

WON_ALL = notes.Cuts((("a",), ("b", "c")), ordered=True)


@pytest.mark.parametrize(
    ("note", "expected"),
    [
        (
            notes.few_clusters(3, "round"),
            "The intervals rest on only 3 rounds; below about 10 they are rough.",
        ),
        (
            notes.few_clusters(4, "prompt_id"),
            "The intervals rest on only 4 values of 'prompt_id'; below about 10 they are rough.",
        ),
        (
            notes.no_information(),
            "All matches are ties: the scores do not tell the players apart.",
        ),
        (
            notes.own_clusters(),
            "Each battle counts as independent of the others; if battles share prompts or judges, "
            "name that column with cluster=.",
        ),
        (
            notes.own_clusters(["worker", "prompt"]),
            "Each battle counts as independent of the others; if those of one judge or one prompt "
            'may agree, pass cluster="worker" or cluster="prompt".',
        ),
        (
            notes.model_based(),
            "The intervals are model-based: they take all matches as independent, which those of "
            "one round are not, and are too narrow (see docs/method.md).",
        ),
        (
            notes.shrunken(2.0),
            "Ratings are drawn toward 0 by a normal prior with standard deviation 2, and intervals "
            "do not undo that.",
        ),
        (
            notes.pooled(12, new=True),
            "12 tournaments are pooled, and each counts once for a pair of players; the intervals "
            "are for new tournaments, not for new rounds of these.",
        ),
        (
            notes.pooled(12, new=False),
            "12 tournaments are pooled, and each counts once for a pair of players.",
        ),
        (
            notes.many_splits(1200, 4),
            "1,200 rounds, but only 4 tournaments: rounds of one tournament agree with each other, "
            "so comparisons rest on the tournaments, and more rounds of these would not make them "
            "surer.",
        ),
        (
            notes.no_details(),
            "Rank ranges, letters, chances of being best and the quality of the fit are left out, "
            "because so many scores take long; details=True computes them.",
        ),
        (
            notes.overlapping_splits(0.1, 2.1111),
            "Variances are multiplied by 2.11, because splits with test fraction 0.1 share "
            "training data: the intervals are for a new data set of this kind, not only for new "
            "splits of "
            "this one.",
        ),
        (
            notes.separate_components([["a", "b", "c"], ["x", "y"]]),
            "2 components that never met are rated each on its own; ratings, ranks and averages of "
            "different components cannot be compared: 3 with 'a', 'b' and 1 more; 2 with 'x', 'y'.",
        ),
        (
            notes.open_ends(WON_ALL, reference=None, suggestion="b"),
            "'a' won every match. How wide such a gap is cannot be known: interval ends across it "
            'are open. The average player moves with the gap; with reference="b" the intervals of '
            "that player's set are closed.",
        ),
        (
            notes.open_ends(WON_ALL, reference="b", suggestion="b"),
            "'a' won every match. How wide such a gap is cannot be known: interval ends across it "
            "are open.",
        ),
        (
            notes.average_of_set(1200, ["d"], outcome="lost", reference=None, component=None),
            "0 is the average of the largest set of players without such a gap between them (1,200 "
            "of 1,201); 'd' lost every match and is not in it.",
        ),
        (
            notes.average_of_set(3, ["d", "e"], outcome=None, reference="a", component=None),
            "The average player is the average of the largest set of players without such a gap "
            "between them (3 of 5); 'd', 'e' are not in it.",
        ),
        (
            notes.named_clusters("prompt", "battle"),
            "Battles of one value of 'prompt' may agree with each other; the intervals are for "
            "battles of new values, not for more of these.",
        ),
        (
            notes.simultaneous_ranks(0.9),
            "The rank ranges hold for all players at once (90%).",
        ),
    ],
)
def test_note_reads_as_a_sentence(note: Note, expected: str) -> None:
    assert str(note) == expected


def test_details_are_asked_for_as_on_the_command_line() -> None:
    with command_line_spelling():
        assert str(notes.no_details()).endswith("; --details computes them.")


def pooled(tournaments: int, rounds: int) -> Leaderboard:
    """A board of two players over so many tournaments, each of so many rounds."""
    scores = {"a": [2.0, 1.0, 2.0] * rounds, "b": [1.0, 2.0, 1.0] * rounds}
    tables = [
        grid({name: own[:rounds] for name, own in scores.items()}).with_columns(data=pl.lit(k))
        for k in range(tournaments)
    ]
    return rate(pl.concat(tables), tournament="data", higher_is_better=True, details=False)


@pytest.mark.parametrize(
    ("tournaments", "rounds", "noted"),
    [(2, 5, True), (9, 5, True), (2, 4, False), (10, 5, False), (9, 4, False)],
)
def test_many_rounds_of_few_tournaments_are_noted(
    tournaments: int, rounds: int, noted: bool
) -> None:
    told = {note.name: note.facts for note in pooled(tournaments, rounds).notes}
    facts = notes.many_splits(tournaments * rounds, tournaments).facts
    assert (told.get("many_splits") == facts) == noted


def crowd(players: int, **options: Any) -> Leaderboard:
    scores = {f"p{k}": [float(k % 7), float(k % 5), float(k % 3)] for k in range(players)}
    return rate(grid(scores), higher_is_better=True, **options)


def test_details_that_are_left_out_unasked_are_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("winodds.board.extent.MODERATE", 6)
    sentence = notes.no_details()
    assert [crowd(players).how.details.quick for players in (6, 7)] == [True, False]
    assert [sentence in crowd(players).notes for players in (6, 7)] == [False, True]
    assert sentence not in crowd(7, details=False).notes
    asked = crowd(7, details=True)
    assert (asked.detailed, asked.assessed) == (True, True)
    assert sentence not in asked.notes


def test_details_of_very_many_rounds_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("winodds.board.extent.MODERATE_COMPARISONS", 26)
    assert not crowd(3).how.details.quick
    monkeypatch.setattr("winodds.board.extent.MODERATE_COMPARISONS", 27)
    assert crowd(3).how.details.quick


@pytest.mark.parametrize("gap", [False, True])
def test_details_of_boards_with_gaps_are_left_out_earlier(
    monkeypatch: pytest.MonkeyPatch, gap: bool
) -> None:
    monkeypatch.setattr("winodds.board.extent.MODERATE_DENSE", 26)
    last = None if gap else 1.0
    board = rate(grid({"a": [1, 2, 3], "b": [2, 1, 2], "c": [3, 0, last]}), higher_is_better=True)
    assert board.how.details.quick != gap
    monkeypatch.setattr("winodds.board.extent.MODERATE_DENSE", 27)
    board = rate(grid({"a": [1, 2, 3], "b": [2, 1, 2], "c": [3, 0, last]}), higher_is_better=True)
    assert board.how.details.quick


def test_details_of_a_season_are_left_out_by_the_players_of_all_boards(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("winodds.board.extent.MODERATE_SEASON", 6)
    tables = [three_by_three().with_columns(data=pl.lit(name)) for name in "xyz"]
    for size, shown in ((2, True), (3, False)):
        season = rate_each(pl.concat(tables[:size]), tournament="data", higher_is_better=True)
        assert [board.how.details.quick for board in season.values()] == [shown] * size
        assert [notes.no_details() in board.notes for board in season.values()] == [
            not shown
        ] * size


@pytest.mark.parametrize(
    ("wins", "matches", "low", "high", "expected"),
    [
        (3.0, 6.0, -1.0, 1.0, ()),
        (6.0, 6.0, -1.0, np.inf, ("won every match", "upper end open")),
        (0.0, 6.0, -np.inf, 1.0, ("lost every match", "lower end open")),
        (3.0, 6.0, -np.inf, np.inf, ("upper end open", "lower end open")),
    ],
)
def test_row_notes_say_what_is_extreme(
    wins: float, matches: float, low: float, high: float, expected: tuple[str, ...]
) -> None:
    assert texts(notes.outcome_notes(wins, matches, low, high)) == expected


def chain(*sets: int) -> Structure:
    """Sets of these sizes, each of which won every match against those after it."""
    part = np.repeat(np.arange(len(sets)), sets)
    above = np.arange(len(sets) - 1)
    links = sparse.csr_array((np.ones(above.size), (above, above + 1)), shape=(len(sets),) * 2)
    return Structure(np.zeros_like(part), part, len(sets), True, np.arange(len(sets)), links)


@pytest.mark.parametrize(
    ("sets", "expected"),
    [
        ((1, 3), "'a' won every match."),
        ((3, 1), "'d' lost every match."),
        (
            (2, 2),
            "2 players ('a', 'b') won every match against the other 2 ('c', 'd').",
        ),
        (
            (1, 2, 1),
            "The players fall into 3 sets, and each won every match against those after it: 'a'; "
            "2 with 'b', 'c'; 'd'.",
        ),
        (
            (1, 1, 1, 1, 1, 3, 1),
            "The players fall into 7 sets, and each won every match against those after it: 'a'; "
            "'b'; 'c'; 'd'; 'e'; and 2 more sets.",
        ),
    ],
)
def test_cuts_are_described_from_the_best_down(sets: Sequence[int], expected: str) -> None:
    names = list("abcdefghijkl")[: sum(sets)]
    assert notes.find_cuts(chain(*sets), names, range(sum(sets))).describe() == expected


def test_best_of_a_set_are_named() -> None:
    found = notes.find_cuts(chain(1, 3), list("abcd"), [0, 3, 2, 1])
    assert found.describe() == "'a' won every match."
    assert notes.find_cuts(chain(2, 2), list("abcd"), [1, 0, 3, 2]).describe() == (
        "2 players ('b', 'a') won every match against the other 2 ('d', 'c')."
    )


def test_clusters_of_very_different_weight_are_noted() -> None:
    sizes = [1, 1, 1, 1, 1, 1, 1, 1, 1, 20]
    lab = [f"lab {k}" for k, size in enumerate(sizes) for _ in range(size)]
    scores = {
        name: [float((7 * k + j) % 5) for k in range(len(lab))] for j, name in enumerate("abc")
    }
    table = grid(scores).with_columns(lab=pl.Series([name for name in lab for _ in "abc"]))
    board = rate(table, cluster="lab", higher_is_better=True, details=False)
    assert (
        "The 10 values of 'lab' carry very different weight, as if there were about 2.1: intervals "
        "and tests allow for it, with 3.5 degrees of freedom or fewer for half of the players."
    ) in texts(board.notes)
    even = rate(grid(scores), higher_is_better=True, details=False)
    assert not [note for note in texts(even.notes) if "weight" in note]


# Facts --------------------------------------------------------------------------------------------


def test_note_carries_what_its_sentence_rests_on() -> None:
    note = notes.few_clusters(3, "round")
    assert note == Note("doubt", "few_clusters", str(note))
    assert note.facts == {"clusters": 3, "unit": "round"}
    assert note.to_dict() == {
        "kind": "doubt",
        "name": "few_clusters",
        "text": "The intervals rest on only 3 rounds; below about 10 they are rough.",
        "facts": {"clusters": 3, "unit": "round"},
    }


def test_facts_play_no_part_when_notes_are_compared() -> None:
    one, other = (Note("scope", "a", "A.", {"size": size}) for size in (1, 2))
    assert one == other
    assert hash(one) == hash(other)
    assert one != Note("doubt", "a", "A.")


def test_facts_of_open_ends_are_the_sets_between_which_the_gap_lies() -> None:
    table = grid({"a": [3, 6, 9], "b": [2, 1, 6], "c": [1, 2, 3]})
    board = rate(table, higher_is_better=True, center="all")
    found = next(note for note in board.notes if note.name == "open_ends")
    assert (found.kind, found.facts) == (
        "doubt",
        {
            "cuts": {"sets": [["a"], ["b", "c"]], "ordered": True},
            "reference": None,
            "suggestion": "b",
        },
    )


# Cuts ---------------------------------------------------------------------------------------------


def test_cuts_hold_the_sets_the_best_first() -> None:
    assert notes.find_cuts(chain(1, 2, 1), list("abcd"), [0, 2, 1, 3]) == notes.Cuts(
        (("a",), ("c", "b"), ("d",)), ordered=True
    )


def test_sets_that_did_not_all_meet_are_in_no_order() -> None:
    """One won against two and three, which never met each other."""
    links = sparse.csr_array((np.ones(2), ([0, 0], [1, 2])), shape=(3, 3))
    structure = Structure(np.zeros(3, np.int64), np.arange(3), 3, False, np.arange(3), links)
    found = notes.find_cuts(structure, list("abc"), [0, 1, 2])
    assert found == notes.Cuts((("a",), ("b",), ("c",)), ordered=False)
    assert found.describe() == (
        "The players fall into 3 sets, and between any two of them all matches, if there were any, "
        "went one way: 'a'; 'b'; 'c'."
    )


def test_two_sets_are_in_order_when_one_beat_the_other() -> None:
    for links, ordered in (([0], [1]), True), (([1], [0]), False):
        graph = sparse.csr_array((np.ones(1), links), shape=(2, 2))
        structure = Structure(np.zeros(2, np.int64), np.arange(2), 2, False, np.arange(2), graph)
        assert notes.find_cuts(structure, list("ab"), [0, 1]).ordered == ordered


@pytest.mark.parametrize(
    ("sets", "expected"),
    [
        ((("a",), ("b", "c")), "'a' won every match."),
        ((("a", "b"), ("c", "d")), "2 players won every match against the other 2."),
        (
            (("a",), ("b",), ("c",)),
            "The players fall into 3 sets, and each won every match against those after it.",
        ),
    ],
)
def test_cuts_without_names(sets: tuple[tuple[str, ...], ...], expected: str) -> None:
    assert notes.Cuts(sets, ordered=True).describe(named=False) == expected


# Ends that hang on one or two clusters ------------------------------------------------------------


def _two(rounds: int, lost: int, **options: Any) -> Leaderboard:
    """A lost so many rounds against B."""
    scores = {"A": [1.0] * rounds, "B": [2.0] * lost + [0.0] * (rounds - lost)}
    return rate(grid(scores), higher_is_better=True, details=False, **options)


@pytest.mark.parametrize(
    ("rounds", "lost", "first", "second"),
    [
        (
            5,
            1,
            ("lost in only 1 round: upper end may be too low",),
            ("won in only 1 round: lower end may be too high",),
        ),
        (
            10,
            2,
            ("lost in only 2 rounds: upper end may be too low",),
            ("won in only 2 rounds: lower end may be too high",),
        ),
        (4, 1, (), ()),
        (9, 2, (), ()),
        (30, 3, (), ()),
        (10, 0, ("won every match", "upper end open"), ("lost every match", "lower end open")),
    ],
)
def test_rare_losses_and_wins_are_noted(
    rounds: int, lost: int, first: tuple[str, ...], second: tuple[str, ...]
) -> None:
    board = _two(rounds, lost)
    assert [texts(board.row_notes(place)) for place in range(2)] == [first, second]


def test_reference_has_no_end_to_be_noted() -> None:
    board = _two(10, 1, reference="A")
    assert board.row_notes(0) == ()
    assert texts(board.row_notes(1)) == ("won in only 1 round: lower end may be too high",)


def test_losses_of_one_cluster_are_rare_however_many() -> None:
    """Four lost rounds of two laboratories."""
    table = grid({"A": [1.0] * 20, "B": [2.0] * 4 + [0.0] * 16}).with_columns(
        lab=(pl.col("round") - 1) // 2
    )
    board = rate(table, higher_is_better=True, details=False, cluster="lab")
    assert texts(board.row_notes(0)) == (
        "lost in only 2 values of 'lab': upper end may be too low",
    )
