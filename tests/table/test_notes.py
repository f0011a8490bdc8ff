"""Notes about data are sentences with counts and names, in the singular and in the plural."""

import pytest
from tables import texts

from winodds.language.notes import Note
from winodds.table import notes


@pytest.mark.parametrize(
    ("note", "expected"),
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
    ],
)
def test_note_reads_as_a_sentence(note: Note, expected: str) -> None:
    assert str(note) == expected


def test_look_alikes_are_listed_name_by_name() -> None:
    names = ["RF", "Rf", "SVM", "knn", "rf", "svm"]
    assert texts(notes.look_alikes(names, "models")) == (
        "Names that differ only in case or form, two models or one? 'RF', 'Rf', 'rf'; 'SVM', "
        "'svm'.",
    )
    assert notes.look_alikes(["rf", "svm"], "models") == []
    many = [name for letter in "abcdefg" for name in (letter, letter.upper())]
    assert texts(notes.look_alikes(many, "models")) == (
        "Names that differ only in case or form, two models or one? 'a', 'A'; 'b', 'B'; 'c', 'C'; "
        "'d', 'D'; 'e', 'E'; and 2 more.",
    )
