"""Notes are sentences with counts and names, in the singular and in the plural."""

from collections.abc import Sequence

import numpy as np
import pytest
from scipy import sparse

from winodds import notes
from winodds.graph import Structure


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (
            notes.missing_scores(1, {"rf": 1}, lose=False),
            "1 run has no score and played no match: 'rf' 1.",
        ),
        (
            notes.missing_scores(1500, {"rf": 1200, "svm": 300}, lose=True),
            "1,500 runs have no score and lost to every score that they met: 'rf' 1,200, 'svm' "
            "300.",
        ),
        (
            notes.missing_scores(1, {"rf": 1}, lose=True),
            "1 run has no score and lost to every score that it met: 'rf' 1.",
        ),
        (
            notes.missing_scores(6, dict.fromkeys("abcdef", 1), lose=False),
            "6 runs have no score and played no match: 'a' 1, 'b' 1, 'c' 1, 'd' 1, 'e' 1 and 1 "
            "more player.",
        ),
        (
            notes.absent_runs(1),
            "1 player–round pair has no row at all and played no match; only rows with an empty "
            "score count as failed runs.",
        ),
        (
            notes.absent_runs(2),
            "2 player–round pairs have no row at all and played no match; only rows with an empty "
            "score count as failed runs.",
        ),
        (notes.duplicate_rows(1), "1 row repeats another one exactly and was left out."),
        (notes.duplicate_rows(2), "2 rows repeat others exactly and were left out."),
        (
            notes.merged_rows(1, "mean"),
            "1 row gave way where a player has several scores in a round (mean).",
        ),
        (
            notes.merged_rows(2, "best"),
            "2 rows gave way where a player has several scores in a round (best). The best of "
            "several tries is partly luck, and more tries are more luck.",
        ),
        (
            notes.retried_runs(1),
            "1 row without a score gives way to a score of the same player and round.",
        ),
        (
            notes.retried_runs(2),
            "2 rows without a score give way to a score of the same player and round.",
        ),
        (notes.rounds_without_match(1), "1 round in which nobody met anybody plays no part."),
        (notes.rounds_without_match(2), "2 rounds in which nobody met anybody play no part."),
        (
            notes.players_without_score(["rf"]),
            "'rf' has no score in any round and cannot be rated.",
        ),
        (
            notes.players_without_score(list("abcdefg")),
            "'a', 'b', 'c', 'd', 'e' and 2 more have no score in any round and cannot be rated.",
        ),
        (notes.players_without_match(["rf"]), "'rf' met nobody and cannot be rated."),
        (notes.tidied_names(1), "1 name in the table was freed of outer blanks or odd characters."),
        (
            notes.tidied_names(2),
            "2 names in the table were freed of outer blanks or odd characters.",
        ),
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
            notes.pooled(12),
            "12 tournaments are pooled with equal weight; the intervals are for new tournaments, "
            "not for new rounds of these.",
        ),
        (
            notes.overlapping_splits(0.1, 2.1111),
            "Variances are multiplied by 2.11, because splits with test fraction 0.1 share "
            "training data.",
        ),
        (
            notes.separate_groups([["a", "b", "c"], ["x", "y"]]),
            "2 groups that never met are rated each on its own; ratings, ranks and averages of "
            "different groups cannot be compared: 3 with 'a', 'b' and 1 more; 2 with 'x', 'y'.",
        ),
        (
            notes.open_ends("'a' won every match.", reference=None, suggestion="b"),
            "'a' won every match. How wide such a gap is cannot be known: interval ends across it "
            'are open. The average player moves with the gap; with reference="b" the intervals of '
            "that player's set are closed.",
        ),
        (
            notes.open_ends("'a' won every match.", reference="b", suggestion="b"),
            "'a' won every match. How wide such a gap is cannot be known: interval ends across it "
            "are open.",
        ),
    ],
)
def test_note_reads_as_a_sentence(sentence: str, expected: str) -> None:
    assert sentence == expected


def test_look_alikes_are_listed_group_by_group() -> None:
    names = ["RF", "Rf", "SVM", "knn", "rf", "svm"]
    assert notes.look_alikes(names, "models") == [
        "Names that differ only in case or form, two models or one? 'RF', 'Rf', 'rf'; 'SVM', 'svm'."
    ]
    assert notes.look_alikes(["rf", "svm"], "models") == []
    many = [name for letter in "abcdefg" for name in (letter, letter.upper())]
    assert notes.look_alikes(many, "models") == [
        "Names that differ only in case or form, two models or one? 'a', 'A'; 'b', 'B'; 'c', 'C'; "
        "'d', 'D'; 'e', 'E'; and 2 more."
    ]


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
    assert notes.outcome_notes(wins, matches, low, high) == expected


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
    assert notes.describe_cuts(chain(*sets), names, range(sum(sets))) == expected


def test_best_of_a_set_are_named() -> None:
    assert notes.describe_cuts(chain(1, 3), list("abcd"), [0, 3, 2, 1]) == "'a' won every match."
    assert notes.describe_cuts(chain(2, 2), list("abcd"), [1, 0, 3, 2]) == (
        "2 players ('b', 'a') won every match against the other 2 ('d', 'c')."
    )
