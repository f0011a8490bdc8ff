"""Every error keeps its facts, says them, and travels between processes."""

import copy
import pickle
from dataclasses import fields
from importlib import import_module
from math import inf
from pkgutil import walk_packages
from types import ModuleType

import pytest

import winodds
from winodds import errors
from winodds.errors import BadCell, DataError, UseError, WinoddsError
from winodds.language.words import count, list_names, quote

SENTENCES: list[tuple[WinoddsError, str]] = [
    (
        errors.OneSetting(settings=1),
        "A race needs at least two different settings, and there is one. Try more of them, or fit "
        "the model as it is.",
    ),
    (
        errors.OneSetting(settings=0),
        "A race needs at least two different settings, and there are none. Try more of them, or "
        "fit the model as it is.",
    ),
    (
        errors.TooFewSplits(splits=5, needed=6, strategy="prove", alpha=0.05),
        "With 5 splits nothing can be proved: bets at most double on each, so that no setting can "
        "be dropped at 5% before split 5. Use 6 splits or more (20 are a good number), or "
        'strategy="park".',
    ),
    (
        errors.TooFewSplits(splits=1, needed=3, strategy="park"),
        "There is 1 split, and every setting gets the first 3. Use 6 splits or more; 20 are a good "
        "number.",
    ),
    (
        errors.UnprovedSplits(proposed=False),
        "Nothing is proved for splits that may err together from one to the next, as those of time "
        "series: the best would be dropped more often than the level says. Use "
        'strategy="park", which claims nothing.',
    ),
    (
        errors.UnprovedSplits(proposed=True),
        "Nothing is proved for settings that were proposed by results on the same splits: the best "
        'would be dropped more often than the level says. Use strategy="park", which claims '
        "nothing.",
    ),
    (
        errors.WhichScorer(scorers=["accuracy", "roc_auc"]),
        "There are several scorers: 'accuracy', 'roc_auc'. Say which one decides, for instance "
        'refit="accuracy".',
    ),
    (
        errors.SplitsDiffer(promised=9, given=6),
        "The splitter says that it makes 9 splits, and made 6. A race needs the same splits for "
        "all settings.",
    ),
    (
        errors.NoSplits(components=2),
        "A race is run over splits that all settings could run, and of this leaderboard its "
        "players fall into 2 components that never met. Rate a table with a score for every "
        "setting and split.",
    ),
    (
        errors.NoSplits(components=1),
        "A race is run over splits that all settings could run, and of this leaderboard its "
        "matches are no comparisons within rounds. Rate a table with a score for every setting "
        "and split.",
    ),
    (
        errors.StepsDiffer(trial=1, steps=[0, 2]),
        "Trial 1 reported the steps 0, 2. Report the score of each split under its number: 0, 1, 2 "
        "and so on, in the same order in all trials.",
    ),
    (
        errors.TargetNeeded(estimator="SVC"),
        "SVC requires y to be passed, but the target y is None. Pass it as the second argument of "
        "fit.",
    ),
    (
        errors.NotAsked(setting=0, split=3, again=False),
        "The race did not ask for the result of setting 0 on split 3. Fit what `wanted` lists; "
        "settings run the splits in one order.",
    ),
    (
        errors.NotAsked(setting=0, split=0, again=True),
        "The race has the result of setting 0 on split 0 already. Tell each result once.",
    ),
    (
        errors.InfiniteScore(setting=1, split=0),
        "Setting 1 scored infinity on split 0. Scores are finite numbers, larger ones better; a "
        "fit that failed has none.",
    ),
    (
        errors.NothingScored(fits=9),
        "None of the 9 fits gave a score. Check the model and the scorer on one split before "
        "racing.",
    ),
    (
        errors.NothingScored(fits=9, reasons=["could not convert string to float"]),
        "None of the 9 fits gave a score ('could not convert string to float'). Check the model "
        "and the scorer on one split before racing.",
    ),
    (
        errors.UnknownSource(path="runs", kind="a folder", sources=["optuna", "mlflow"]),
        "'runs' is a folder, and nothing in it is known: name one file with a table of results, "
        "or say what it is with source= (optuna, mlflow).",
    ),
    (
        errors.ScoresAndBattles(scores="a.csv", battles="b.csv"),
        "'b.csv' holds battles and 'a.csv' scores; they do not fit into one table. Convert them "
        "one by one.",
    ),
    (
        errors.SeveralSources(path="runs", sources=["optuna", "mlflow"]),
        '\'runs\' could be read in several ways; say which: source="optuna" or source="mlflow".',
    ),
    (
        errors.NotThisSource(path="x.db", title="an Optuna study", reason="it has no trials"),
        "'x.db' cannot be read as an Optuna study: it has no trials.",
    ),
    (
        errors.WhichMetric(metrics=["auc", "f1"], what="scorers"),
        "There are several scorers: 'auc', 'f1'. Choose one, for instance metric=\"auc\", or "
        'metric="all" for a board of each.',
    ),
    (
        errors.WhichMetric(metrics=["auc", "f1"], each=False),
        "There are several metrics: 'auc', 'f1'. Choose one, for instance metric=\"auc\".",
    ),
    (
        errors.UnknownMetric(metric="f2", metrics=["auc", "f1"]),
        "There is no metric 'f2'; there are 'auc', 'f1'.",
    ),
    (
        errors.OneScoreEach(players=30, what="The study", advice="Report a value for each fold."),
        "The study gives one score for each of 30 players, and one round rates nothing. Report a "
        "value for each fold.",
    ),
    (
        errors.NothingLeft(path="x.db", title="an Optuna study", left_out="all 3 trials failed"),
        "'x.db', an Optuna study, holds no result to rate: all 3 trials failed.",
    ),
    (
        errors.BadAlgorithms(where="mine.toml", reason="'J48' has no list of names"),
        "The table of algorithms in 'mine.toml' cannot be read: 'J48' has no list of names. It "
        "maps algorithms to lists of learners, as TOML or in the columns 'learner' and "
        "'algorithm' of a CSV file.",
    ),
    (
        errors.BadFolds(where="line 3", text="[0.9, 0.8"),
        "The values by fold in line 3 are no list of numbers: '[0.9, 0.8'. Is the cell cut off? "
        "Ask the server again.",
    ),
    (
        errors.ServerSilent(url="http://localhost/study/99", tries=6, reason="no answer in 60 s"),
        "http://localhost/study/99 was asked 6 times, in vain; at last, no answer in 60 s. What "
        "was fetched is kept: the same command goes on from there.",
    ),
    (
        errors.ServerSilent(url="http://localhost/study/99", tries=1, reason="no answer in 60 s"),
        "http://localhost/study/99 was asked once, in vain; at last, no answer in 60 s. What was "
        "fetched is kept: the same command goes on from there.",
    ),
    (
        errors.ServerTooBusy(url="http://localhost/study/99", seconds=7200.0),
        "http://localhost/study/99: the server asks to come back in 120 minutes. What was fetched "
        "is kept: the same command goes on from there.",
    ),
    (
        errors.CannotKeep(folder="/mnt/cache", reason="read-only file system"),
        "Answers of the server cannot be kept in '/mnt/cache': read-only file system. Name "
        'another folder with cache="FOLDER", or make room.',
    ),
    (
        errors.ServerMoved(url="http://localhost/study/99", place="http://localhost/new/study/99"),
        "http://localhost/study/99 sends to 'http://localhost/new/study/99'; say where the "
        'interface is now with server="URL".',
    ),
    (
        errors.ServerRefuses(what="suite 100", code=601, message="Unknown study"),
        "The server has no suite 100 (code 601): Unknown study.",
    ),
    (
        errors.ServerRefuses(what="suite 100", code=None, message="Unknown study."),
        "The server has no suite 100: Unknown study.",
    ),
    (
        errors.ClientFails(what="the suite 99", reason="KeyError 'oml:study'"),
        "OpenML's client cannot read the suite 99 that the server sent: KeyError 'oml:study'.",
    ),
    (
        errors.ClientUnknown(version="0.17.0"),
        "OpenML's client 0.17.0 does not send its requests as 0.15 and 0.16 do; install one of "
        "these: pip install 'openml>=0.15,<0.17'.",
    ),
    (
        errors.NoEvaluations(function="auc", tasks=72, close=["area_under_roc_curve"]),
        "There is no evaluation by 'auc' on any of the 72 tasks. Functions like it are "
        "'area_under_roc_curve'.",
    ),
    (
        errors.NoEvaluations(function="auc", tasks=1),
        "There is no evaluation by 'auc' on the task.",
    ),
    (
        errors.NoTasks(suite="OpenML-CC18", tasks=2),
        "OpenML-CC18 has 2 tasks, none of them with two classes; leave out binary=True.",
    ),
    (
        errors.SummariesAmong(names=["mean", "std"], unit="round"),
        "'mean', 'std' look like summaries of the other rounds. Leave them out, or rename them if "
        "they are rounds.",
    ),
    (
        errors.SummariesAmong(names=["Average"], unit="data set"),
        "'Average' looks like a summary of the other data sets. Leave it out, or rename it if it "
        "is a data set.",
    ),
    (
        errors.SummingPlayer(player="Best", what="largest"),
        "'Best' looks like a summary of the other players: in every round it has the largest of "
        "their scores. Leave its rows out, or rename it if it is a player.",
    ),
    (
        errors.TrainingScores(names=["test", "train"]),
        "The rounds are 'test', 'train': parts of the data, and not occasions that are alike. On "
        "training data who learns by heart wins. Keep the rows of one part, and name what else "
        "tells occasions apart with round=.",
    ),
    (
        errors.SpreadsAsScores(names=["acc_std"]),
        "By its name 'acc_std' says how much scores vary, and is no score. Rename it if that is "
        "wrong.",
    ),
    (
        errors.SpreadsAsScores(names=["acc_stderr", "f1_stderr"], metrics=True),
        "By their names 'acc_stderr', 'f1_stderr' say how much scores vary, and are none. Leave "
        "the rows of them out.",
    ),
    (
        errors.StatusUnclear(column="status", words=["0", "1"], switch=True),
        "Column 'status' says '0', '1' of runs, and not which of these means success. Write 'ok' "
        "and 'failed' there; dropping it leaves the column out.",
    ),
    (
        errors.StatusUnclear(column="state", words=["preparing"]),
        "Column 'state' tells how runs ended, and it says 'preparing', which may mean anything. "
        'With status="state" runs that say so count as failed; dropping it leaves the column out.',
    ),
    (
        errors.NotASearch(kind="GridSearchCV", unfitted=True),
        "This GridSearchCV has no cv_results_. Fit it first.",
    ),
    (
        errors.NotASearch(kind="int", unfitted=False),
        "A fitted search of scikit-learn is needed, its cv_results_, or results of cross_validate "
        "by the names of their models, not an object of type int.",
    ),
    (
        errors.NotAStudy(kind="str"),
        "A study of Optuna is needed, not an object of type str. Files of studies are read by "
        "winodds.read_source(path).",
    ),
    (
        errors.ScorerNamedLikeError(scorer="rmse"),
        "Scorer 'rmse' is called like an error, of which less is better, but scikit-learn takes "
        "more as better. Say higher_is_better=True if it turns the error round, as scikit-learn's "
        "'neg_' scorers do, or higher_is_better=False if it gives the error itself.",
    ),
    (
        errors.NotPaired(reason="'a' has 3 splits and 'b' 5"),
        "The models were not tested on the same splits: 'a' has 3 splits and 'b' 5. Give all of "
        "them the same cv, with a fixed random_state.",
    ),
    (
        errors.MissingColumn(column="player", columns=["model", "auc"]),
        "No column 'player' in the table; it has 'model', 'auc'.",
    ),
    (
        errors.MissingColumn(column="x", columns=["y"], suggestion="Say so."),
        "No column 'x' in the table; it has 'y'. Say so.",
    ),
    (
        errors.NotATable(kind="dict"),
        "A table is needed, a pandas or polars data frame or an Arrow table, not an object of "
        "type dict. Files are read by winodds.read_results(path).",
    ),
    (
        errors.NoSeats(reason="its matches are no battles"),
        "This leaderboard cannot tell what the first seat is worth: its matches are no battles.",
    ),
    (
        errors.OneSlice(column="topic", slices=0, unit="battle"),
        "Column 'topic' has no value in the battles that play, so there is nothing to compare. "
        "Name a column with two or more values.",
    ),
    (
        errors.OneSlice(column="topic", slices=1, unit="round"),
        "Column 'topic' has only one value in the rounds that play, so there is nothing to "
        "compare. Name a column with two or more values.",
    ),
    (
        errors.TooManySlices(column="item", slices=1319, limit=200),
        "Column 'item' has 1,319 values, and slices are at most 200. Name a column with fewer "
        "values, such as a topic.",
    ),
    (
        errors.NoSliceRated(column="topic", slices=3, first="law", reason="There is no way."),
        "None of the 3 slices by 'topic' can be rated. Of the first, 'law': There is no way.",
    ),
    (
        errors.SlicesOfOneBoard(column="topic", tournament="dataset"),
        "Slices by 'topic' are of one leaderboard, and each value of 'dataset' has its own. Put "
        "them together with pool=True.",
    ),
    (
        errors.UnknownSlice(name="lawn", column="topic", known="'art', 'law'"),
        "No slice 'lawn' by 'topic'; there are 'art', 'law'.",
    ),
    (
        errors.BadOption(option="level", value=2, wanted="it is small"),
        "level=2 is not possible; it is small.",
    ),
    (
        errors.NotInTable(player="nwe", close=["new"]),
        "No player 'nwe' in the table. Did you mean 'new'?",
    ),
    (
        errors.NotInTable(player="x", close=[]),
        "No player 'x' in the table.",
    ),
    (
        errors.NoSharedRounds(
            baseline="old", candidate="new", only_baseline=1, only_candidate=1200, failed=2
        ),
        "'old' and 'new' share no round: 1 round only of the first, 1,200 only of the second; in 2 "
        "rounds a run failed. Rounds are paired by their names; give the same round the same name "
        "in both.",
    ),
    (
        errors.BoardsNotPaired(reason="battles have no rounds to pair"),
        "The two boards cannot be paired: battles have no rounds to pair. Give the results that "
        "they were made of, or rate these in the same way.",
    ),
    (
        errors.NeverShared(baseline="A", candidate="B"),
        "'A' and 'B' never met, so nothing can be said of the one against the other.",
    ),
    (
        errors.SeveralPlayers(path="new.csv", players=["rf", "svm"], role="candidate"),
        "'new.csv' has 2 players ('rf', 'svm'), and one is wanted. Say which with candidate=.",
    ),
    (
        errors.SeveralPlayers(
            path="new.csv", players=["rf", "svm"], role="candidate", name="rv", close=["rf"]
        ),
        "No player 'rv' in 'new.csv'; it has 'rf', 'svm'. Did you mean 'rf'?",
    ),
    (
        errors.SidesDiffer(role="tournament", having="old.csv", lacking="new.csv"),
        "'old.csv' has tournaments and 'new.csv' has none, so their rounds cannot be paired. Give "
        "both a column for them, or neither.",
    ),
    (
        errors.RunDifferently(
            task="gsm8k", paths=["main/", "branch/"], reason="0-shot against 5-shot"
        ),
        "'gsm8k' was not run in the same way in 'main/' and 'branch/' (0-shot against 5-shot), so "
        "their rounds are not the same. Run it again in one way, or put the logs into one folder, "
        "in which such runs are told apart.",
    ),
    (
        errors.MetricsDiffer(paths=["old.csv", "new.csv"], metrics=["auc", "rmse"]),
        "The scores are 'auc' in 'old.csv' and 'rmse' in 'new.csv'; scores of different metrics "
        "cannot be compared.",
    ),
    (
        errors.EmptyName(column="fold", rows=1, where="row 20,001"),
        "1 row has no name in column 'fold': row 20,001. Fill the name in or drop the row.",
    ),
    (
        errors.EmptyName(column="fold", rows=1200, where="row 1"),
        "1,200 rows have no name in column 'fold'; the first is row 1. Fill the names in or drop "
        "these rows.",
    ),
    (
        errors.UnreadableName(column="model", name="r\u202ef", character="\u202e", where="line 4"),
        "A name in column 'model' (line 4) holds the invisible character U+202E: 'r\\u202ef'. Two "
        "such names can look the same; remove the character.",
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
        errors.ScoresNotNumbers(column="w", kind="text", example="x", role="weight"),
        "Column 'w' holds text, not numbers; the first value is 'x'. Convert it to numbers.",
    ),
    (
        errors.InfiniteScores(scores=1, player="rf", round="iris/1", where="row 7"),
        "1 score is infinite, that of 'rf' in 'iris/1' (row 7). Give a failed run an empty "
        "score, and say with missing= whether it counts as a loss.",
    ),
    (
        errors.InfiniteScores(scores=3, player="rf", round="1", where="row 1"),
        "3 scores are infinite; the first is that of 'rf' in '1' (row 1). Give a failed run "
        "an empty score, and say with missing= whether it counts as a loss.",
    ),
    (
        errors.ConflictingDuplicates(
            pairs=12,
            player="xgboost",
            round="adult/3",
            values=[0.871, 0.874, 0.9],
            where=["line 5", "line 9"],
        ),
        "12 player–round pairs have more than one score; the first is 'xgboost' in 'adult/3' with "
        "0.871 (line 5) and 0.874 (line 9). Give repeats their own round, or pass "
        'duplicates="mean".',
    ),
    (
        errors.ConflictingDuplicates(
            pairs=1, player="rf", round="1", values=[1.0, 2.0], where=["row 1", "row 2"]
        ),
        "1 player–round pair has more than one score; the first is 'rf' in '1' with 1 (row 1) and "
        '2 (row 2). Give repeats their own round, or pass duplicates="mean".',
    ),
    (
        errors.ScoreOutOfRange(
            metric="auc", low=0.0, high=1.0, value=1.2, player="rf", round="iris", where="row 2"
        ),
        "'rf' has 1.2 in 'iris' (row 2), but 'auc' lies between 0 and 1. Correct the score, "
        "or rename the column if it is something else. If percent is meant, divide by 100.",
    ),
    (
        errors.ScoreOutOfRange(
            metric="auc", low=0.0, high=1.0, value=100.5, player="rf", round="iris", where="row 2"
        ),
        "'rf' has 100.5 in 'iris' (row 2), but 'auc' lies between 0 and 1. Correct the score, or "
        "rename the column if it is something else.",
    ),
    (
        errors.ScoreOutOfRange(
            metric="r2", low=-inf, high=1.0, value=91.0, player="rf", round="iris", where="row 2"
        ),
        "'rf' has 91 in 'iris' (row 2), but 'r2' is never above 1. Correct the score, or rename "
        "the column if it is something else. If percent is meant, divide by 100.",
    ),
    (
        errors.ScoreOutOfRange(
            metric="nll", low=-inf, high=0.0, value=0.5, player="rf", round="iris", where="row 2"
        ),
        "'rf' has 0.5 in 'iris' (row 2), but 'nll' is never above 0. Correct the score, or rename "
        "the column if it is something else.",
    ),
    (
        errors.ScoreOutOfRange(
            metric="rmse", low=0.0, high=inf, value=-0.5, player="rf", round="iris", where="row 2"
        ),
        "'rf' has -0.5 in 'iris' (row 2), but 'rmse' is never below 0. Correct the score, or "
        "rename the column if it is something else.",
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
    # Files
    (errors.NoSuchFile(path="runs.csv", close=[]), "There is no file 'runs.csv'."),
    (
        errors.NoSuchFile(path="run.csv", close=["runs.csv", "run2.csv"]),
        "There is no file 'run.csv'. Did you mean 'runs.csv' or 'run2.csv'?",
    ),
    (
        errors.IsFolder(path="runs"),
        "'runs' is a folder; name one file with a table of results.",
    ),
    (
        errors.Unreadable(path="runs.csv", reason="permission denied"),
        "'runs.csv' cannot be read: permission denied.",
    ),
    (
        errors.NotWritten(path="board.json", reason="no space left on device"),
        "'board.json' could not be written: no space left on device.",
    ),
    (
        errors.RefusedFormat(path="runs.pkl", kind="a Python pickle"),
        "'runs.pkl' is a Python pickle, which is not read. Save the table as CSV, Parquet or JSON "
        "lines (one object a line).",
    ),
    (
        errors.WhichSheet(sheets=["raw", "summary"]),
        "The spreadsheet has several sheets: 'raw', 'summary'. Say which, for instance "
        'sheet="raw".',
    ),
    (
        errors.WrongEncoding(encoding="UTF-8", line=1200, column=7, byte=0xE9, guess="latin-1"),
        "Line 1,200 is not UTF-8: byte 0xE9 at position 7. Save the file as UTF-8, or say "
        'what it is, for instance encoding="latin-1".',
    ),
    (
        errors.WrongEncoding(encoding="UTF-8", line=1, column=1, byte=0xA, guess="utf-16"),
        "Line 1 is not UTF-8: byte 0x0A at position 1. Save the file as UTF-8, or say what it "
        'is, for instance encoding="utf-16".',
    ),
    (
        errors.EmptyFile(),
        "The file is empty. It needs a line with the columns' names and below it a row for every "
        "score, of at least two players in at least two rounds.",
    ),
    (
        errors.HeaderOnly(columns=["model", "fold", "auc"]),
        "The file has a header ('model', 'fold', 'auc') but no rows. It needs a row for every "
        "score, of at least two players in at least two rounds.",
    ),
    (
        errors.HeaderOnly(columns=list("abcdefg")),
        "The file has a header ('a', 'b', 'c', 'd', 'e' and 2 more) but no rows. It needs a "
        "row for every score, of at least two players in at least two rounds.",
    ),
    (
        errors.AggregateRow(name="Mean", where="line 9"),
        "'Mean' (line 9) looks like a summary of other rows, not like a round. Leave it "
        'out with ignore=["Mean"], or rename it if it is a round.',
    ),
    (
        errors.NoColumnsLeft(columns=["model"]),
        "The wide table has no columns of scores: 'model' names its rows, and the others, if "
        "there are any, are ignored.",
    ),
    (
        errors.NoColumnsLeft(columns=["model", "dataset"]),
        "The wide table has no columns of scores: 'model', 'dataset' name its rows, and the "
        "others, if there are any, are ignored.",
    ),
    (
        errors.MissingKey(key="auc", rows=1, where="line 4"),
        "1 line has no 'auc', which others have: line 4. A column that plays a role must be "
        "in every line; write null for the score of a failed run.",
    ),
    (
        errors.MissingKey(key="auc", rows=1200, where="line 4"),
        "1,200 lines have no 'auc', which others have; the first is line 4. A column that "
        "plays a role must be in every line; write null for the score of a failed run.",
    ),
    (
        errors.RaggedLines(
            lines={5: 1}, fields=3, delimiter="semicolons", truncated=False, other="2 commas"
        ),
        "The header has 3 fields, but line 5 has 1, separated by semicolons. The first has 2 "
        "commas; the whole file needs one separator.",
    ),
    (
        errors.BadCells(
            column="auc",
            cells=[errors.BadCell("line 4", "0,91", None)],
            total=1,
            advice={"decimal": ","},
            fits_all=False,
        ),
        "1 cell of column 'auc' is no number: line 4 has '0,91'. Such numbers are read with "
        'decimal="," (a comma), but then all of them must be written so.',
    ),
    (
        errors.BadCells(
            column=None,
            cells=[errors.BadCell("line 4, column 'iris'", "x", None)],
            total=1,
            advice={},
            decimal=",",
        ),
        "1 cell of the wide table is no number: line 4, column 'iris' has 'x'. Write numbers "
        "like 0,91 or 9,1e-1; leave the score of a failed run empty.",
    ),
    (
        errors.RolesUnclear(columns=[], missing=["player"], several={}),
        'No column has a usual name for the player. Say which it is, for instance player="…". '
        "There are no columns.",
    ),
    (
        errors.RolesUnclear(
            columns=["a", "b"], missing=[], several={"player": ["a", "b"]}, joinable=False
        ),
        "Two columns could be the player: 'a', 'b'. Say which it is, for instance player=\"a\". "
        "The columns are 'a', 'b'.",
    ),
    (
        errors.ColumnsInDoubt(doubts={"avg": "a summary, by its name"}, unit="player"),
        "'avg' does not look like the scores of a player: a summary, by its name. Leave it out "
        'with ignore=["avg"], or keep it with keep=["avg"].',
    ),
    (
        errors.ColumnsInDoubt(doubts=dict.fromkeys("abcdefg", "text")),
        "7 columns do not look like the scores of rounds: 'a' (text), 'b' (text), 'c' (text), "
        "'d' (text), 'e' (text) and 2 more. Leave them out with "
        'ignore=["a", "b", "c", "d", "e", "f", "g"], or keep one with keep=["…"].',
    ),
    (
        errors.TwoRoles(column="fold", roles=("player", "round")),
        "Column 'fold' cannot be both the player and the round.",
    ),
    (
        errors.RolesUnclear(columns=["a", "b"], missing=["score"], several={}, free=["b"]),
        'No column has a usual name for the score. Say which it is, for instance score="b". '
        "The columns are 'a', 'b'.",
    ),
    (
        errors.DuplicateHeader(places={"a": list(range(1, 1001))}),
        "The header has some names more than once: 'a' (columns 1, 2, 3, 4, 5 and 995 more). "
        "Rename or drop all but one of each.",
    ),
    (
        errors.WrongEncoding(encoding="UTF-16", line=1, column=9, byte=0, guess="utf-16"),
        "Line 1 is not UTF-16: byte 0x00 at position 9. Check whether the file is cut off, "
        "and save it as UTF-8.",
    ),
    (
        errors.TieAsWinner(label="tie", where="line 6"),
        "Line 6 has 'tie' in place of a player. A table of winners and losers has no place "
        "for ties; give both players columns of their own, and name them with left= and "
        "right=.",
    ),
    (
        errors.TooFewRounds(rounds=1, of_many=True),
        "A leaderboard needs at least two rounds in which players met; there is one. Pool all "
        "tournaments with rate(), or leave this one out.",
    ),
    (
        errors.ConflictingDuplicates(
            pairs=1,
            player="rf",
            round="1",
            values=[0.9, 0.8],
            where=["line 2", "line 3"],
            apart=["dataset"],
        ),
        "1 player–round pair has more than one score; the first is 'rf' in '1' with 0.9 (line "
        "2) and 0.8 (line 3). They differ in 'dataset': does that belong to the player, the "
        'round or the tournament? If they are repeats, pass duplicates="mean".',
    ),
    (
        errors.RolesUnclear(columns=["model", "auc"], missing=["round"], several={}),
        "There is one score for each player, and no column for rounds. A rating needs scores "
        "of the players in at least two splits, folds or tasks. For a contest with one score "
        "for each entry there is 'winodds sota'.",
    ),
    (
        errors.RaggedLines(
            lines={2: 3}, fields=1, delimiter="commas", truncated=False, comment=True
        ),
        "The header has 1 field, but line 2 has 3, separated by commas. Remove lines with "
        "comments.",
    ),
    (
        errors.UnreadableHeader(name="mo\u200bdel", character="\u200b"),
        "A column's name holds the invisible character U+200B: 'mo\\u200bdel'; remove the "
        "character.",
    ),
    (
        errors.DuplicateHeader(places={"auc": [3, 5]}),
        "The header has some names more than once: 'auc' (columns 3 and 5). Rename or drop "
        "all but one of each.",
    ),
    (
        errors.DuplicateHeader(places={"auc": [3, 5, 1000], "f1": [1, 2]}),
        "The header has some names more than once: 'auc' (columns 3, 5 and 1,000), 'f1' "
        "(columns 1 and 2). Rename or drop all but one of each.",
    ),
    (
        errors.RepeatedHeader(line=1001),
        "Line 1,001 repeats the header, as when files are joined. Remove the line.",
    ),
    (
        errors.RaggedLines(lines={4: 2, 1200: 4}, fields=3, delimiter="commas", truncated=False),
        "The header has 3 fields, but line 4 has 2, line 1,200 has 4, separated by commas. A "
        "cell that holds the separator must be quoted.",
    ),
    (
        errors.RaggedLines(lines={9: 2}, fields=3, delimiter="tabs", truncated=True),
        "The header has 3 fields, but line 9 has 2, separated by tabs. It is the last line: "
        "the file seems to be cut off; get it again.",
    ),
    (
        errors.RaggedLines(
            lines=dict.fromkeys(range(2, 22), 2), fields=1, delimiter="commas", truncated=False
        ),
        "The header has 1 field, but line 2 has 2, line 3 has 2, line 4 has 2, and 17 more lines, "
        "separated by commas. A cell that holds the separator must be quoted.",
    ),
    (
        errors.RaggedLines(
            lines=dict.fromkeys(range(2, 23), 4), fields=3, delimiter="commas", truncated=False
        ),
        "The header has 3 fields, but line 2 has 4, line 3 has 4, line 4 has 4, and 18 more "
        "lines, separated by commas. A cell that holds the separator must be quoted.",
    ),
    (
        errors.RaggedLines(
            lines=dict.fromkeys(range(2, 2022), 4), fields=3, delimiter="commas", truncated=False
        ),
        "The header has 3 fields, but line 2 has 4, line 3 has 4, line 4 has 4, and 2,017 more "
        "lines, separated by commas. A cell that holds the separator must be quoted.",
    ),
    (
        errors.StrayQuote(line=1000, text='the "best",1,0.9'),
        "Line 1,000 has a quotation mark that neither opens nor closes a field: 'the "
        '"best",1,0.9\'. Quote the whole field and double the mark inside it.',
    ),
    (
        errors.StrayQuote(line=2, text='a"' + "x" * 59),
        "Line 2 has a quotation mark that neither opens nor closes a field: "
        "'a\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…'. Quote the whole "
        "field and double the mark inside it.",
    ),
    (
        errors.OpenQuote(line=1000, text='"rf,1,0.9'),
        "The quotation mark in line 1,000 is never closed: '\"rf,1,0.9'. Close it, or check "
        "whether the file is cut off.",
    ),
    (
        errors.OpenQuote(line=3, text='"' + "x" * 60),
        "The quotation mark in line 3 is never closed: "
        "'\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…'. Close it, or check "
        "whether the file is cut off.",
    ),
    (
        errors.BadJsonItem(item=2, reason="a number, word or list", text="5"),
        "Item 2 of the array is not a JSON object (a number, word or list): '5'. A table as an "
        "array is [{…}, {…}], with an object for each row.",
    ),
    (
        errors.BadJsonLine(line=1000, reason="a number, word or list", text="[1, 2]"),
        "Line 1,000 is not a JSON object (a number, word or list): '[1, 2]'. JSON lines hold one "
        "object a line.",
    ),
    (
        errors.BadJsonLine(line=2, reason="expecting value at column 8", text="{" + "x" * 60),
        "Line 2 is not a JSON object (expecting value at column 8): "
        "'{xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…'. JSON lines hold one "
        "object a line.",
    ),
    (
        errors.BadCells(column="auc", cells=[BadCell("line 4", "0.9?", None)], total=1, advice={}),
        "1 cell of column 'auc' is no number: line 4 has '0.9?'. Write numbers like 0.91 or "
        "9.1e-1; leave the score of a failed run empty.",
    ),
    (
        errors.BadCells(
            column="w", cells=[BadCell("line 4", "", None)], total=1, advice={}, role="weight"
        ),
        "1 cell of column 'w' is no number: line 4 is empty. Write numbers like 0.91 or 9.1e-1.",
    ),
    (
        errors.BadCells(
            column="auc",
            cells=[BadCell("line 4", "1_0", "underscores"), BadCell("line 5", "x" * 61, None)],
            total=2,
            advice={},
        ),
        "2 cells of column 'auc' are no numbers: line 4 has '1_0' (underscores); line 5 has "
        f"'{'x' * 59}…'. Write numbers like 0.91 or 9.1e-1; leave the score of a failed run empty.",
    ),
    (
        errors.BadCells(
            column="auc",
            cells=[BadCell(f"line {line}", "0,91", None) for line in range(2, 22)],
            total=20,
            advice={"decimal": ","},
        ),
        "20 cells of column 'auc' are no numbers. If that is how numbers are written here, pass "
        "decimal=\",\" (a comma). The first: line 2 has '0,91'; line 3 has '0,91'; line 4 has "
        "'0,91'.",
    ),
    (
        errors.BadCells(
            column="auc",
            cells=[BadCell(f"line {line}", "91%", None) for line in range(2, 22)],
            total=21,
            advice={"percent": True},
        ),
        "21 cells of column 'auc' are no numbers. If that is how numbers are written here, pass "
        "percent=True. The first: line 2 has '91%'; line 3 has '91%'; line 4 has '91%'.",
    ),
    (
        errors.BadCells(
            column="auc",
            cells=[BadCell(f"line {line}", "x", None) for line in range(2, 32)],
            total=2020,
            advice={},
        ),
        "2,020 cells of column 'auc' are no numbers. Write numbers like 0.91 or 9.1e-1; leave the "
        "score of a failed run empty. The first: line 2 has 'x'; line 3 has 'x'; line 4 has 'x'.",
    ),
    (
        errors.BadCells(
            column="auc",
            cells=[BadCell("line 4", "0.91", None)],
            total=1,
            advice={},
            mixed_percent=True,
        ),
        "1 cell of column 'auc' is without the percent sign that others have: line 4 has '0.91'. "
        "Write all scores with the percent sign, or none.",
    ),
    (
        errors.BadCells(
            column="auc",
            cells=[BadCell("line 4", "91", None), BadCell("line 6", "92", None)],
            total=2,
            advice={},
            mixed_percent=True,
        ),
        "2 cells of column 'auc' are without the percent sign that others have: line 4 has '91'; "
        "line 6 has '92'. Write all scores with the percent sign, or none.",
    ),
    (
        errors.RolesUnclear(columns=["x", "y", "auc"], missing=["player", "round"], several={}),
        "No column has a usual name for the player or the round. Say which is which, for "
        "instance player=\"…\", round=\"…\". The columns are 'x', 'y', 'auc'. For a contest "
        "with one score for each entry there is 'winodds sota'.",
    ),
    (
        errors.RolesUnclear(
            columns=["model", "split", "fold", "auc"],
            missing=[],
            several={"round": ("split", "fold")},
        ),
        "Two columns could be the round: 'split', 'fold'. Say which it is, for instance "
        'round="split" (or round=["split", "fold"] if two together name a round). The columns '
        "are 'model', 'split', 'fold', 'auc'.",
    ),
    (
        errors.RolesUnclear(
            columns=["model", "fold", *"abcdefghijkl"],
            missing=[],
            several={"score": tuple("abcdefghijklm")},
        ),
        "13 columns could be the score: 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l' "
        "and 1 more. Say which it is, for instance score=\"a\". The columns are 'model', 'fold', "
        "'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j' and 2 more.",
    ),
    (
        errors.RolesUnclear(
            columns=["model", "name", "fold", "auc", "f1", "mcc"],
            missing=["round"],
            several={"player": ("model", "name"), "score": ("auc", "f1", "mcc")},
        ),
        "Two columns could be the player: 'model', 'name'; three columns could be the score: "
        "'auc', 'f1', 'mcc'; no column has a usual name for the round. Say which is which, "
        'for instance player="model", score="auc", round="…" (or player=["model", "name"] if '
        "two together name a player). The columns are 'model', 'name', 'fold', 'auc', 'f1', "
        "'mcc'.",
    ),
    (
        errors.RolesUnclear(
            columns=["rf", "1", "0.9"],
            missing=["player", "round", "score"],
            several={},
            headless=True,
        ),
        "No column has a usual name for the player, the round or the score. Say which is "
        'which, for instance player="…", round="…", score="…". The columns are \'rf\', \'1\', '
        "'0.9'. Is the line with the columns' names missing?",
    ),
    (
        errors.RolesUnclear(
            columns=["model", "iris", "wine"], missing=["round", "score"], several={}, wide=True
        ),
        "No column has a usual name for the round or the score. Say which is which, for "
        "instance round=\"…\", score=\"…\". The columns are 'model', 'iris', 'wine'. If the other "
        "columns are rounds, write rate(to_long(table)).",
    ),
    (
        errors.RolesUnclear(
            columns=["model", "iris", "wine", "Mean"],
            missing=["round", "score"],
            several={},
            wide=True,
            no_rounds=["Mean"],
            direction=False,
        ),
        "No column has a usual name for the round or the score. Say which is which, for "
        "instance round=\"…\", score=\"…\". The columns are 'model', 'iris', 'wine', 'Mean'. If "
        'the other columns are rounds, write rate(to_long(table, ignore=["Mean"]), '
        "higher_is_better=True).",
    ),
    (
        errors.ShapeUnclear(
            question="Are these battles, or scores?", ways=["battles=True", 'score="auc"']
        ),
        'Are these battles, or scores? Say it with battles=True, or score="auc".',
    ),
    # Directions and options
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
        errors.NotConstant(column="m", role="metric", name="1", values=["auc", "f1"]),
        "Column 'm' gives round '1' more than one metric: 'auc', 'f1'. A round has one metric.",
    ),
    (
        errors.NotConstant(
            column="family", role="family", name="rf", values=list("abcdefg"), unit="player"
        ),
        "Column 'family' gives player 'rf' more than one family: 'a', 'b', 'c', 'd', 'e' and 2 "
        "more. A player has one family.",
    ),
    (
        errors.NotConstant(
            column="eta", role="value", name="xgb", values=["0.1", "0.3"], unit="player"
        ),
        "Column 'eta' gives player 'xgb' more than one value: '0.1', '0.3'. A player has one "
        "value.",
    ),
    (
        errors.InfiniteSetting(column="depth", player="xgb", where="row 7"),
        "Player 'xgb' has an infinite number in column 'depth' (row 7). Leave the cell empty if "
        "nothing is set there, or write a large number.",
    ),
    (
        errors.NoRunSucceeded(column="status", values=["oom", "error"]),
        "According to column 'status' no run succeeded: it holds 'oom', 'error', and a run "
        "that did is marked 'ok', 'success', 'finished' or 'completed'. Is this the status of "
        "the runs?",
    ),
    (
        errors.BadWeights(column="w", value="-1", where="row 1,234"),
        "The weight of row 1,234 in column 'w' is -1; weights are positive numbers.",
    ),
    (errors.UnknownPlayer(player="z", close=[]), "No player 'z' on this leaderboard."),
    (errors.UnknownPlayer(player="z", close=[], season=True), "No player 'z' in this season."),
    (
        errors.UnknownPlayer(player="xgbost", close=["xgboost", "gbm"]),
        "No player 'xgbost' on this leaderboard. Did you mean 'xgboost' or 'gbm'?",
    ),
    (
        errors.UnknownWinner(
            column="winner", label="draw", allowed=["a", "tie"], where="row 1,000"
        ),
        "Row 1,000 has 'draw' in column 'winner'; a winner is written as one of 'a', 'tie'.",
    ),
    (
        errors.AmbiguousWinner(column="winner", label="model_a", side="left", where="line 1,002"),
        "Line 1,002 has 'model_a' in column 'winner', which means the player in column 'left', and "
        "is the name of the other one. Rename players that are called like a side or a tie.",
    ),
    (
        errors.AmbiguousWinner(column="winner", label="tie", side=None, where="row 3"),
        "Row 3 has 'tie' in column 'winner', which means a tie, and is the name of a player of "
        "that battle. Rename players that are called like a side or a tie.",
    ),
    (
        errors.CommentOrName(lines=[5], text="#A,2,.92"),
        "1 line begins with '#', as comments do; line 5 is '#A,2,.92'. Remove it if it is a "
        "comment, or put the first cell in quotation marks if it is a name.",
    ),
    (
        errors.CommentOrName(lines=[1005, 1007], text="# seed 3,2,.92"),
        "2 lines begin with '#', as comments do; line 1,005 is '# seed 3,2,.92'. Remove them if "
        "they are comments, or put the first cell in quotation marks if it is a name.",
    ),
    (
        errors.SelfMatch(player="rf", where="row 3", rows=1),
        "1 battle is of a player with itself; the first is in row 3 ('rf'). Drop such rows.",
    ),
    (
        errors.SelfMatch(player="rf", where="line 1,004", rows=2000),
        "2,000 battles are of a player with itself; the first is in line 1,004 ('rf'). Drop "
        "such rows.",
    ),
    (
        errors.NeverMet(components=[["rf", "svm", "knn"], ["tabpfn"]]),
        "The players form 2 components that never met: 3 with 'rf', 'svm' and 1 more; 1 with "
        "'tabpfn'. Their ratings cannot be compared. Add rounds in which they meet, or pass "
        'components="separate" to rate each component on its own.',
    ),
    (
        errors.NeverMet(components=[["a", "b"], *([name] for name in "cdefghi")]),
        "The players form 8 components that never met: 2 with 'a', 'b'; 1 with 'c'; 1 with 'd'; 1 "
        "with 'e'; 1 with 'f'; and 3 more components. Their ratings cannot be compared. Add rounds "
        'in which they meet, or pass components="separate" to rate each component on its own.',
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
        "The interval comes from the variation between values of 'lab', and there is only "
        "one. Add more, or choose other clusters.",
    ),
    (
        errors.TooFewClusters(clusters=1, unit="round"),
        "The interval comes from the variation between rounds, and there is only one. Add "
        "more, or choose other clusters.",
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
        errors.EndlessLine(size=500_000_000, limit=1 << 26, text="aaa…"),
        "The first 67 of 500 MB have no line end, so this is no table with a header; they begin "
        "with 'aaa…'.",
    ),
    (
        errors.ForkedProcess(),
        "This process was forked from one that had read tables, and would wait for ever for "
        "threads that a fork does not take along. Start the workers another way: "
        'multiprocessing.get_context("spawn") or "forkserver", or joblib\'s processes.',
    ),
    (
        errors.WeightsTooFar(column="w", values=["1e-10", "1"], where=["round 'a'", "round 'b'"]),
        "The weights in column 'w' go from 1e-10 (round 'a') to 1 (round 'b'), more than eight "
        "decades; beside the largest, the smallest count for nothing. Leave such rows out, or "
        "weigh them alike.",
    ),
    (
        errors.NoRoomToDraw(limit=4 * 2**30, needed=64 * 2**30),
        "Pictures cannot be drawn under a limit of 4.0 GB on addresses (ulimit -v): what draws "
        "them reserves up to 64 GB of these, though it uses little memory. Lift that limit, or "
        "take the numbers as CSV.",
    ),
    (
        errors.TooLarge(path="x.gz", limit=4 * 10**9, packed=True),
        "'x.gz' unpacks to more than 4 GB, and no more is read. Say how many gigabytes may be "
        "with limit=.",
    ),
    (
        errors.BrokenJson(reason="players[2] has no 'epp'"),
        "The JSON says what it is but is not sound: players[2] has no 'epp'. Write it anew.",
    ),
    (
        errors.ClusterSplitsTournament(),
        "Pooled matches across rounds are clustered by whole tournaments, and the cluster column "
        'splits some. Drop it, or count matches="within".',
    ),
    (
        errors.OverlapAcrossTournaments(),
        "test_fraction corrects for splits of one data set that share training data; this "
        "board's clusters are whole data sets, which share none. Leave that option out.",
    ),
    (
        errors.InComponent(components=3, players=["rf", "svm"], reason="No two players met."),
        "None of the 3 components can be rated. In that of 'rf', 'svm': No two players met.",
    ),
    (
        errors.UnknownFamily(family="knm", close=["knn"]),
        "No family 'knm' here. Did you mean 'knn'?",
    ),
    (
        errors.UnknownFamily(family="x", close=[]),
        "No family 'x' here.",
    ),
    (
        errors.UnknownFamily(family="knn", close=[], known=False),
        "No family 'knn' here: the players have no families; name their column with family=.",
    ),
    (
        errors.NoHyperparameters(),
        "No hyperparameters of these players are known. Name their columns with hyperparameters=.",
    ),
    (
        errors.NothingVaries(family="knn", settings=12, hyperparameters=["k", "p"]),
        "No hyperparameter ('k', 'p') differs between the 12 settings of 'knn', so none can make "
        "a difference.",
    ),
    (
        errors.NothingVaries(family=None, settings=1, hyperparameters=[]),
        "No hyperparameter differs between the 1 setting, so none can make a difference.",
    ),
    (
        errors.TooFewSettings(
            family="knn", settings=20, needed=36, hyperparameters=3, widest=None, kinds=5
        ),
        "Shares of 3 hyperparameters of 'knn' need at least 36 settings, and there are 20. Add "
        "settings, or name fewer hyperparameters.",
    ),
    (
        errors.TooFewSettings(
            family=None, settings=400, needed=1209, hyperparameters=2, widest="id", kinds=400
        ),
        "Shares of 2 hyperparameters need at least 1,209 settings, and there are 400. Add "
        "settings, or name fewer hyperparameters; 'id' alone has 400 categories.",
    ),
    (
        errors.Confounded(family="svm", hyperparameters=["degree", "coef0"]),
        "In the settings of 'svm', the hyperparameters 'degree', 'coef0' follow from each other, "
        "so nobody can tell which of them matters. Leave one of them out, or name the "
        "hyperparameter that decides which of them are set.",
    ),
    (
        errors.OnlyNoise(family="knn", settings=60, noise=0.95),
        "The ratings of the 60 settings of 'knn' differ by hardly more than their errors (95% "
        "noise), so there is nothing that hyperparameters could explain. Add rounds.",
    ),
    (
        errors.OnlyNoise(family=None, settings=60, noise=1.3),
        "The ratings of the 60 settings differ by hardly more than their errors (100% noise), so "
        "there is nothing that hyperparameters could explain. Add rounds.",
    ),
    (
        errors.NoEvidence(),
        "This leaderboard holds only its first rows, and nothing to compare players with. "
        "Write it again without top.",
    ),
    (
        errors.NoCommonScale(first="rf", second="svm"),
        "'rf' and 'svm' belong to components that never met; their ratings cannot be compared.",
    ),
    (
        errors.SamePlayer(player="rf"),
        "'rf' cannot be compared with itself; name two players.",
    ),
    (
        errors.NoCompleteRounds(rounds=0),
        "Friedman's test needs two or more rounds in which every player has a score, and there "
        "are none.",
    ),
    (
        errors.NoCompleteRounds(rounds=1),
        "Friedman's test needs two or more rounds in which every player has a score, and there "
        "is only one.",
    ),
    (
        errors.SingleRounds(tournaments=105, column="task"),
        "Each of the 105 tournaments has a single round, so this is no season but one Model/Task "
        'board, whose rounds are the tournaments. Rate it with round="task", and without '
        "tournament; families go with family=.",
    ),
    (
        errors.TooFewTournaments(tournaments=1, needed=2, purpose="A distance between tournaments"),
        "A distance between tournaments needs at least 2 tournaments; there is 1.",
    ),
    (
        errors.TooFewTried(players=["rf"]),
        "Placing a new data set needs scores of at least two players there; only 'rf' has one. "
        "Only differences between players tell what kind of data set it is. Try another player.",
    ),
    (
        errors.TooFewTried(players=[]),
        "Placing a new data set needs scores of at least two players there; no player has one. "
        "Only differences between players tell what kind of data set it is. Try another player.",
    ),
    (
        errors.TooFewRoundsTried(rounds=1),
        "Placing a new data set needs at least two rounds in which players met there; there is "
        "one. One round alone does not tell how much of it is luck. Add a round.",
    ),
    (
        errors.NotInSeason(players=["rf"], close=["rfc"]),
        "'rf' is in no tournament of this season. Did you mean 'rfc'?",
    ),
    (
        errors.NotInSeason(players=["a", "b"]),
        "'a', 'b' are in no tournament of this season, which can say nothing of them. Leave them "
        "out.",
    ),
    (
        errors.TriedNeverMet(components=[["a", "b", "c"], ["d"]]),
        "The players tried form 2 components that have no round in common: 'a', 'b' and 1 more; "
        "'d'. Add a round in which they meet.",
    ),
    (
        errors.NotASeason(round="task", tournament=None),
        "This is one leaderboard, whose rounds are 'task', and no season. If these are data sets "
        "with one score each, it is a Model/Task board: 'winodds rate' shows it, with families by "
        "family=. If every data set has several splits, name the column of data sets with "
        "tournament=.",
    ),
    (
        errors.NotASeason(round="fold", tournament="wine"),
        "A season needs two or more data sets; there is one, 'wine'. 'winodds rate' shows its "
        "leaderboard.",
    ),
    (
        errors.NotASeason(round=None, tournament=None),
        "A season needs the scores of two or more data sets; these are battles.",
    ),
    (
        errors.NoRelation(reason="battles have no scores"),
        "Mean scores cannot be compared with ratings: battles have no scores.",
    ),
    (
        errors.TooManyToCompare(players=6000, limit=5000),
        "All pairs of 6,000 players are too many to look at together; the limit is 5,000 "
        "players. Compare two by name, rate fewer, or leave the details out with details=False.",
    ),
    (
        errors.SizeNeeded(smallest=None, cut_off=False, decimals=0),
        "How many cases the test set has must be said: n=. Organisers publish it with the data: "
        "so many rows were to be submitted, of which a public or a private board may count a "
        "part, named in the rules.",
    ),
    (
        errors.SizeNeeded(smallest=11072, cut_off=True, decimals=5),
        "How many cases the test set has must be said: n=. The smallest size whose shares, "
        "cut off after 5 decimals, fit all scores is 11,072; the true one may be larger. "
        "Organisers publish it with the data: so many rows were to be submitted, of which a "
        "public or a private board may count a part, named in the rules.",
    ),
    (
        errors.NotIgnored(name="bseline", close=["baseline"]),
        "No column and no entry is called 'bseline', so it cannot be left out. Did you mean "
        "'baseline'?",
    ),
    (
        errors.NotACount(value=2.5, row=3, others=1),
        "How often an entry was submitted is a whole number, 1 or more; that of entry 3 is 2.5, "
        "and 1 other no better.",
    ),
    (
        errors.PrivateSizeNeeded(public=True, smallest=500, smallest_private=2000),
        "How many cases each test set has must be said: n= for the public and private_n= for the "
        "private one. The smallest sizes that fit the scores are 500 and 2,000; the true ones may "
        "be larger. Organisers publish them, or the public share of all cases, with the rules.",
    ),
    (
        errors.PrivateSizeNeeded(public=False, smallest=500, smallest_private=None),
        "How many cases the private test set has must be said: private_n=. It differs from that "
        "of the public one. Organisers publish them, or the public share of all cases, with the "
        "rules.",
    ),
    (
        errors.NamesNeeded(board="private"),
        "Entries of two boards are matched by their names, and the private board has none. Say "
        "which column has them: player=.",
    ),
    (
        errors.TooFewMatched(matched=1, public=60, private=58, example="Ada", other="ada"),
        "Only 1 entry can be found on both boards by name and at least 3 are needed; the public "
        "one has 60 names, such as 'Ada', the private one 58, such as 'ada'. Say which column has "
        "the names: player=.",
    ),
    (
        errors.ClassesNeeded(),
        "Scores are shrunken towards guessing, so the number of classes must be said: "
        'classes=. Without it, crop them with method="crop".',
    ),
    (
        errors.PositivesNeeded(),
        "How much an AUC varies depends on the number of positive cases; say it: positives=.",
    ),
    (
        errors.NotShares(scores=3, value=91.2, where="'rf'"),
        "3 scores do not lie between 0 and 1; the first is 91.2 ('rf'). If percent is meant, "
        "divide by 100.",
    ),
    (
        errors.NotShares(scores=1, value=-0.5, where="entry 2"),
        "The score -0.5 (entry 2) does not lie between 0 and 1. Another metric needs its "
        "standard error: se=.",
    ),
    (
        errors.TooFewEntries(entries=0),
        "The luck of the best of many needs at least two entries; there is none.",
    ),
    (
        errors.TooFewEntries(entries=1, left_out=3, floor=0.5),
        "The luck of the best of many needs at least two entries; there is one, and 3 others "
        "are no better than guessing (0.5).",
    ),
    (
        errors.EqualScores(entries=12, score=0.9),
        "All 12 entries have the score 0.9. Different entries would differ by luck alone; "
        "these are copies of one, and say nothing about luck.",
    ),
    (
        errors.RepeatedEntries(column="model", entry="rf", scores=10),
        "'rf' has 10 scores in column 'model'. The best of many on one test set needs one "
        "score for each entry; results of several rounds are for 'winodds rate' and "
        'board.sota(). If these are submissions of one entry, submissions="model" takes the best '
        "of each, and the luck of so many out.",
    ),
    (
        errors.ImpossibleCorrelation(correlation=0.6, common=0.98, theta=0.61, largest=0.1786),
        "Entries with performances 0.61 and 0.98 cannot both have correlation 0.6 with what "
        "makes a case easy; at most 0.178 is possible. State a lower one: correlation=. Or keep to "
        'method="population", where each entry has as much as it can have.',
    ),
    (
        errors.ImpossibleSimilarity(similarity=0.6, theta=0.9, least=0.82),
        "Entries that are right in 0.9 of all cases agree in at least 0.82 of them by chance "
        "alone; similarity=0.6 is less.",
    ),
    (
        errors.NotRightOrWrong(value=0.5, where="entry 3, case 8"),
        "Results of single cases are 1 (right) or 0 (wrong), not 0.5 (entry 3, case 8).",
    ),
    (
        errors.RepeatedResult(entry="rf", case="q7"),
        "'rf' has more than one result on case 'q7'. Give each entry one result on each case.",
    ),
    (
        errors.PerfectScore(score=1.0, posterior=False),
        "The best score is perfect, 1, and no expectation reaches it, so this cannot say how "
        "much of it is luck. conservative=True asks how high scores usually get.",
    ),
    (
        errors.TooFewItems(entries=1, items=9),
        "A correlation needs at least two entries that are sometimes right and sometimes "
        "wrong, on at least two cases that both have; there is 1 such entry on 9 cases.",
    ),
    (
        errors.PerfectScore(score=1.0),
        "The best score is perfect, 1, and no expectation reaches it, so this cannot say how "
        "much of it is luck. conservative=True asks how high scores usually get, "
        'method="posterior" simulates contests.',
    ),
    (
        errors.NoFigure(figure="families", reason="its players have no families"),
        "There is no figure 'families' here: its players have no families.",
    ),
    (
        errors.MissingExtra(packages=["altair"], purpose="Drawing"),
        "Drawing needs altair, which is not installed. Install what is missing: pip install "
        "'winodds[report]'.",
    ),
    (
        errors.MissingExtra(packages=["altair", "vl-convert-python"], purpose="Drawing"),
        "Drawing needs altair and vl-convert-python, which are not installed. Install what is "
        "missing: pip install 'winodds[report]'.",
    ),
    (
        errors.NothingToEmbed(reason="all rows are the same"),
        "The ratings cannot be laid out in a plane: all rows are the same.",
    ),
    (
        errors.TooFewShared(first="rf", second="svm", shared=2, tournaments=1200, least=3),
        "'rf' and 'svm' can be compared in 2 of 1,200 tournaments; what they will do in a new one "
        "can be told from 3 or more. Add tournaments in which both take part, or compare them on "
        "the board of one.",
    ),
    (
        errors.NoSharedPairs(players=4, tournaments=2, least=3),
        "No two of 4 players can be compared in 3 or more tournaments, of 2; fewer tell nothing "
        "about a new one. Add tournaments, or compare players on the board of one.",
    ),
    (
        errors.NoSharedPairs(players=4, tournaments=3, least=3, player="rf"),
        "'rf' can be compared with none of the others in 3 or more of 3 tournaments; fewer tell "
        "nothing about a new one. Add tournaments in which it takes part, or compare others by "
        "name.",
    ),
    (
        errors.TooManyPairs(players=2000, limit=500),
        "All pairs of 2,000 players are too many to look at together; the limit is 500 players. "
        "Compare two by name, or rate fewer.",
    ),
    (
        errors.NotJson(reason="Expecting value: line 1 column 1 (char 0)"),
        "This is no JSON: Expecting value: line 1 column 1 (char 0).",
    ),
    (
        errors.MembersUnclear(cell="rf, svm; knn", reason="';' and ',' stand in it"),
        "It is not clear which members 'rf, svm; knn' names: ';' and ',' stand in it. Put one kind "
        'of separator between names, as in rf + svm, or write a list: ["rf", "svm"].',
    ),
    (
        errors.TeamAsMember(team="all", member="all"),
        "Team 'all' is among its own members. Name its other members only.",
    ),
    (
        errors.TeamAsMember(team="all", member="half"),
        "'half' is a team itself and cannot be a member of team 'all'. Name its members instead.",
    ),
    (
        errors.RepeatedMember(team="all", member="rf"),
        "Team 'all' names its member 'rf' more than once.",
    ),
    (
        errors.AlreadyPlaced(player="rf"),
        "'rf' is on this leaderboard already, and would meet itself. Give the new player another "
        "name, or rate all scores anew.",
    ),
    (
        errors.UnknownRounds(player="new", rounds=["fold1"], close=["fold 1"], known=["fold 1"]),
        "'new' has scores in a round that this leaderboard does not have: 'fold1'. Did you mean "
        "'fold 1'?",
    ),
    (
        errors.UnknownRounds(player="new", rounds=["x", "y"], close=[], known=["1", "2"]),
        "'new' has scores in 2 rounds that this leaderboard does not have: 'x', 'y'. It has '1', "
        "'2'.",
    ),
    (
        errors.TooFewToPlace(player="new", clusters=0, unit="round"),
        "'new' met players of this leaderboard in none of its rounds. A rating needs two or more, "
        "because its interval comes from how they differ.",
    ),
    (
        errors.TooFewToPlace(player="new", clusters=1, unit="tournament"),
        "'new' met players of this leaderboard in one of its tournaments only. A rating needs two "
        "or more, because its interval comes from how they differ.",
    ),
    (
        errors.NoWayToPlace(reason="there is none"),
        "No new player can be placed on this leaderboard: there is none. Rate all of them "
        "together instead.",
    ),
    (
        errors.SchemaUnknown(found="x/2", known="x/1"),
        "The JSON has schema 'x/2'; this version of Winodds reads 'x/1'.",
    ),
    (
        errors.NoFamilies(),
        "The players' families are not known. Name the column that holds them with family=, and "
        "rate again.",
    ),
    (
        errors.ScoresNeeded(tournament="arena"),
        "Tournament 'arena' has battles and no scores. Players are picked on some rounds and "
        "judged on others, which needs a table of scores.",
    ),
    (
        errors.NothingToTune(families=["svm", "knn"]),
        "No family has two players in the same tournament, its default among them, so there is "
        "nothing to tune: 'svm', 'knn'. A family is an algorithm, its players are settings of it.",
    ),
    (
        errors.UnknownFamily(family="smv", close=["svm"]),
        "No family 'smv' here. Did you mean 'svm'?",
    ),
    (errors.UnknownFamily(family="x", close=[]), "No family 'x' here."),
    (
        errors.NotOfFamily(player="svm(C=2)", family="svm", close=["svm(C=1)"]),
        "No player 'svm(C=2)' in family 'svm'. Did you mean 'svm(C=1)'?",
    ),
    (
        errors.NotOfFamily(player="x", family="svm", close=[]),
        "No player 'x' in family 'svm'.",
    ),
    (
        errors.NoDefault(ending="(default)"),
        "No player's name ends with '(default)'. Name the defaults family by family, or none for "
        "the median of each.",
    ),
    (
        errors.NoDefault(ending=None),
        "The rule that says who is a default fits no player. Name the defaults family by family, "
        "or none for the median of each.",
    ),
    (
        errors.SeveralDefaults(family="svm", players=["svm(a)", "svm(b)"]),
        "Family 'svm' has 2 defaults: 'svm(a)', 'svm(b)'. Name one of them for each family.",
    ),
    (
        errors.RunInProgress(folder="results", holder="process 12 on box, since 2026-11-18 09:00"),
        "Another run works in 'results': process 12 on box, since 2026-11-18 09:00. Wait until it "
        "is done, or take another folder.",
    ),
    (
        errors.NotALog(path="results/fits.log", reason="its first line is not that of one"),
        "'results/fits.log' is no log of fits that this version can read: its first line is not "
        "that of one. Take another folder.",
    ),
    (
        errors.NotSaved(path="results/fits.log", reason="no space left on device", saved=1200),
        "'results/fits.log' could not be written: no space left on device. 1,200 fits are saved; "
        "once that is mended, the same call goes on from there.",
    ),
    (
        errors.BadSpec(
            path="spec.toml",
            key="algorithms.knn.grid.neighbors",
            line=12,
            reason="KNeighborsClassifier has no hyperparameter 'neighbors'. Did you mean "
            "'n_neighbors'?",
        ),
        "'spec.toml', line 12: algorithms.knn.grid.neighbors: KNeighborsClassifier has no "
        "hyperparameter 'neighbors'. Did you mean 'n_neighbors'?",
    ),
    (
        errors.NoCluster(address="tcp://box:8786", reason="it has no workers"),
        "The Dask cluster at 'tcp://box:8786' cannot be used: it has no workers. Nothing is "
        "computed here instead; start workers there, or leave dask= out.",
    ),
    (
        errors.NoWorker(reason="ModuleNotFoundError: No module named 'mine'"),
        "No worker could be started (ModuleNotFoundError: No module named 'mine'). Workers import "
        "the same modules as the run itself, from the same places.",
    ),
]

EXAMPLES = [error for error, _ in SENTENCES]


def _classes(base: type[WinoddsError]) -> set[type[WinoddsError]]:
    return {base}.union(*(_classes(child) for child in base.__subclasses__()))


def _errors_in(module: ModuleType) -> dict[str, type[WinoddsError]]:
    return {
        name: found
        for name, found in vars(module).items()
        if isinstance(found, type) and issubclass(found, WinoddsError)
    }


def test_every_error_that_a_room_raises_has_its_public_name() -> None:
    modules = walk_packages(winodds.__path__, "winodds.")
    homes = [
        one.name for one in modules if one.name.split(".")[2:3] and one.name.endswith("errors")
    ]
    raised = set[object]().union(*(_errors_in(import_module(home)).values() for home in homes))
    public = _errors_in(errors)
    assert all(name == found.__name__ for name, found in public.items())
    assert set(public.values()) == raised == _classes(WinoddsError)
    assert {found.__module__ for found in public.values()} == set(homes)


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
