"""Every error keeps its facts, says them, and travels between processes."""

import copy
import pickle
from dataclasses import fields

import pytest

from winodds import errors
from winodds.errors import DataError, UseError, WinoddsError, count, list_names, quote

SENTENCES: list[tuple[WinoddsError, str]] = [
    (
        errors.MissingColumn(column="player", columns=["model", "auc"]),
        "No column 'player' in the table; it has 'model', 'auc'.",
    ),
    (
        errors.MissingColumn(column="x", columns=["y"], suggestion="Say so."),
        "No column 'x' in the table; it has 'y'. Say so.",
    ),
    (
        errors.NotATable(kind="a dict"),
        "A table is needed, a pandas or polars data frame or an Arrow table, not a dict.",
    ),
    (
        errors.BadOption(option="level", value=2, wanted="it is small"),
        "level=2 is not possible; it is small.",
    ),
    (
        errors.EmptyName(column="fold", rows=1, first_row=20001),
        "1 row has no name in column 'fold'; the first is row 20,001. Fill the names in or drop "
        "these rows.",
    ),
    (
        errors.EmptyName(column="fold", rows=1200, first_row=1),
        "1,200 rows have no name in column 'fold'; the first is row 1. Fill the names in or drop "
        "these rows.",
    ),
    (
        errors.UnreadableName(column="model", name="r\u202ef", character="\u202e"),
        "A name in column 'model' holds the invisible character U+202E: 'r\\u202ef'. Two such "
        "names can look the same; remove the character.",
    ),
    (
        errors.JoinedNamesCollide(columns=("a", "b"), name="x/y/z"),
        "Columns 'a', 'b' give the same name 'x/y/z' to different combinations of values. Rename "
        "the values, or join the columns yourself.",
    ),
    (
        errors.ScoresNotNumbers(column="auc", kind="text", example="0,91"),
        "Column 'auc' holds text, not numbers; the first value is '0,91'. Convert it to numbers, "
        "with missing scores empty.",
    ),
    (
        errors.InfiniteScores(scores=1, player="rf", round="iris/1"),
        "1 score is infinite; the first is of 'rf' in 'iris/1'. Give a failed run an empty score, "
        "and say with missing= whether it counts as a loss.",
    ),
    (
        errors.InfiniteScores(scores=3, player="rf", round="1"),
        "3 scores are infinite; the first is of 'rf' in '1'. Give a failed run an empty score, and "
        "say with missing= whether it counts as a loss.",
    ),
    (
        errors.ConflictingDuplicates(
            pairs=12, player="xgboost", round="adult/3", values=[0.871, 0.874, 0.9]
        ),
        "12 player–round pairs have more than one score; the first is 'xgboost' in 'adult/3' with "
        '0.871 and 0.874. Give repeats their own round, or pass duplicates="mean".',
    ),
    (
        errors.ScoreOutOfRange(
            metric="auc", low=0.0, high=1.0, value=1.2, player="rf", round="iris"
        ),
        "'rf' has 1.2 in 'iris', but 'auc' lies between 0 and 1. Correct the score; if percent is "
        "meant, divide by 100; if the column is something else, rename it.",
    ),
    (
        errors.TooFewPlayers(players=[]),
        "A leaderboard needs scores of at least two players; no player has one.",
    ),
    (
        errors.TooFewPlayers(players=["rf"]),
        "A leaderboard needs scores of at least two players; only 'rf' has a score.",
    ),
    (
        errors.TooFewRounds(rounds=0),
        "A leaderboard needs at least two rounds in which players met; there is none. Say which "
        "column holds the splits or tasks with round=.",
    ),
    (
        errors.TooFewRounds(rounds=1),
        "A leaderboard needs at least two rounds in which players met; there is one. Say which "
        "column holds the splits or tasks with round=.",
    ),
    (errors.NoMatches(), "No two players met, so there is nothing to rate."),
    (
        errors.DirectionUnknown(metric="score"),
        "Is a higher or a lower 'score' better? The name does not tell. Pass "
        "higher_is_better=True or higher_is_better=False.",
    ),
    (
        errors.DirectionContradicts(metric="auc", higher_is_better=False),
        "You say that a lower 'auc' is better, but by its name a higher one is. Drop the "
        "direction, or rename the column if it holds something else.",
    ),
    (
        errors.DirectionUnreadable(column="way", value="left"),
        "Column 'way' holds 'left'; a direction is written 'up', 'higher', 'max' or 'true', or "
        "'down', 'lower', 'min' or 'false'.",
    ),
    (
        errors.DirectionsIncomplete(rounds=["iris"]),
        "higher_is_better says nothing about 1 round: 'iris'. Give each round True or False.",
    ),
    (
        errors.DirectionsIncomplete(rounds=list("abcdefg")),
        "higher_is_better says nothing about 7 rounds: 'a', 'b', 'c', 'd', 'e' and 2 more. Give "
        "each round True or False.",
    ),
    (
        errors.VariesWithinRound(column="m", role="metric", round="1", values=["auc", "f1"]),
        "Column 'm' gives round '1' more than one metric: 'auc', 'f1'. A round has one metric.",
    ),
    (
        errors.BadWeights(column="w", value="-1", where="row 1,234"),
        "The weight of row 1,234 in column 'w' is -1; weights are positive numbers.",
    ),
    (errors.UnknownPlayer(player="z", close=[]), "No player 'z' on this leaderboard."),
    (
        errors.UnknownPlayer(player="xgbost", close=["xgboost", "gbm"]),
        "No player 'xgbost' on this leaderboard. Did you mean 'xgboost', 'gbm'?",
    ),
    (
        errors.UnknownWinner(column="winner", label="draw", allowed=["a", "tie"], row=1000),
        "Row 1,000 has 'draw' in column 'winner'; a winner is written as one of 'a', 'tie'.",
    ),
    (
        errors.SelfMatch(player="rf", row=3, rows=1),
        "1 battle of a player with itself; the first is row 3, 'rf'. Drop such rows.",
    ),
    (
        errors.NeverMet(groups=[["rf", "svm", "knn"], ["tabpfn"]]),
        "The players form 2 groups that never met: 3 with 'rf', 'svm' and 1 more; 1 with 'tabpfn'. "
        "Their ratings cannot be compared. Add rounds in which they meet, or pass "
        'components="separate" to rate each group on its own.',
    ),
    (
        errors.NeverMet(groups=[["a", "b"], *([name] for name in "cdefghi")]),
        "The players form 8 groups that never met: 2 with 'a', 'b'; 1 with 'c'; 1 with 'd'; 1 with "
        "'e'; 1 with 'f'; and 3 more groups. Their ratings cannot be compared. Add rounds in "
        'which they meet, or pass components="separate" to rate each group on its own.',
    ),
    (
        errors.Separated(cuts="'rf' won every match."),
        "No maximum-likelihood rating exists: 'rf' won every match. Use the bias-reduced estimator "
        "(the default), which is finite and leaves such intervals open, or add rounds.",
    ),
    (
        errors.InTournament(tournament="iris", reason="No two players met."),
        "In tournament 'iris': No two players met.",
    ),
    (
        errors.SingularInformation(players=2000),
        "The ratings of the 2,000 players are so far apart that their uncertainty cannot be "
        "computed. Leave out players who lose, or win, nearly every match, or add rounds.",
    ),
    (
        errors.NotConverged(iterations=50, step=0.0012345),
        "The fit did not converge in 50 iterations (the last step was 1.2e-03), so there are no "
        "ratings to report. Please send us the table, or a small part of it that shows this.",
    ),
    (
        errors.TooManyPlayers(players=50000, limit=20000, width=12.5),
        "50,000 players with many different patterns of missing scores, or in battles, need an "
        "array of 50,000 × 50,000; the limit is 20,000. Complete tables have no such limit: rate "
        "the rounds that all players have, or fewer players.",
    ),
    (
        errors.TooManyPlayers(players=30000, limit=20000, width=1234.5),
        "The 30,000 players stand in nearly the same order in every round, so that their ratings "
        "spread over 1,234 log-odds; that is rated for up to 20,000 players. Rate fewer players, "
        "or add rounds.",
    ),
    (
        errors.TooFewClusters(clusters=1, unit="lab"),
        "The interval comes from the variation between values of 'lab', and there is only 1. "
        "Choose clusters of which there are more, or rate more rounds.",
    ),
    (
        errors.TooFewClusters(clusters=1, unit="round"),
        "The interval comes from the variation between rounds, and there is only 1. Choose "
        "clusters of which there are more, or rate more rounds.",
    ),
    (
        errors.DuplicateColumns(),
        "Two columns of the table have the same name. Rename or drop one of them.",
    ),
    (
        errors.NamesNotText(column="model", kind="list"),
        "Column 'model' holds values of type list, which are no names. Convert it to text.",
    ),
    (
        errors.BrokenJson(reason="'epp'"),
        "The JSON says what it is but is not complete ('epp'). Write it anew.",
    ),
    (
        errors.ClusterSplitsTournament(),
        "Pooled matches across rounds are clustered by whole tournaments, and the cluster column "
        'splits some. Drop it, or count matches="within".',
    ),
    (
        errors.OverlapAcrossTournaments(),
        "test_fraction corrects for splits of one data set that share training data; this board's "
        "clusters are whole data sets, which share none. Drop test_fraction.",
    ),
    (
        errors.InGroup(players=["rf", "svm"], reason="No two players met."),
        "In the group of 'rf', 'svm': No two players met.",
    ),
    (
        errors.NoCommonScale(first="rf", second="svm"),
        "'rf' and 'svm' belong to groups that never met; their ratings cannot be compared.",
    ),
    (
        errors.NotJson(reason="Expecting value: line 1 column 1 (char 0)"),
        "This is no JSON: Expecting value: line 1 column 1 (char 0).",
    ),
    (
        errors.SchemaUnknown(found="x/2", known="x/1"),
        "The JSON has schema 'x/2'; this version of Winodds reads 'x/1'.",
    ),
]

EXAMPLES = [error for error, _ in SENTENCES]


def _classes(base: type[WinoddsError]) -> set[type[WinoddsError]]:
    return {base}.union(*(_classes(child) for child in base.__subclasses__()))


def test_every_error_has_an_example_here() -> None:
    abstract = {WinoddsError, DataError, UseError}
    assert {type(error) for error in EXAMPLES} == _classes(WinoddsError) - abstract


@pytest.mark.parametrize(("error", "expected"), SENTENCES)
def test_error_says_its_facts(error: WinoddsError, expected: str) -> None:
    assert str(error) == expected
    assert error.sentence() == expected


@pytest.mark.parametrize("error", EXAMPLES)
def test_error_survives_the_way_to_another_process(error: WinoddsError) -> None:
    for twin in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
        assert type(twin) is type(error)
        assert str(twin) == str(error)
        names = [fact.name for fact in fields(error)]
        assert [getattr(twin, name) for name in names] == [getattr(error, name) for name in names]


@pytest.mark.parametrize("error", EXAMPLES)
def test_error_is_either_of_the_data_or_of_the_call(error: WinoddsError) -> None:
    assert isinstance(error, DataError) != isinstance(error, UseError)
    assert isinstance(error, ValueError)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("rf", "'rf'"),
        ("it's", "'it's'"),
        ("", "''"),
        ("Größe ≤ 3", "'Größe ≤ 3'"),
        ("a\nb", r"'a\nb'"),
        ("\x1b[31m", r"'\x1b[31m'"),
        ("a\u202eb", r"'a\u202eb'"),
        (7, "'7'"),
    ],
)
def test_quoted_name_shows_what_cannot_be_seen(name: object, shown: str) -> None:
    assert quote(name) == shown


def test_at_most_five_names_are_listed() -> None:
    assert list_names([]) == ""
    assert list_names("abcde") == "'a', 'b', 'c', 'd', 'e'"
    assert list_names("abcdef") == "'a', 'b', 'c', 'd', 'e' and 1 more"
    assert list_names(range(1000), shown=1) == "'0' and 999 more"
    assert list_names(range(2000), shown=1) == "'0' and 1,999 more"


def test_number_agrees_with_its_noun() -> None:
    assert [count(number, "row") for number in (0, 1, 2, 12345)] == [
        "0 rows",
        "1 row",
        "2 rows",
        "12,345 rows",
    ]
