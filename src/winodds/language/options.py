"""All options of a rating, each declared once: its name, type, default, help and what it is for.

Functions, commands, their help, refusals and the call on a report's page follow from here. Whoever
adds an option adds a field, and uses its value.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Literal, TypeAlias

from winodds.language.checks import (
    check_between,
    check_count,
    check_flag,
    check_jobs,
    check_listener,
    check_margin,
    check_positive,
)
from winodds.language.errors import BadOption
from winodds.language.option import BATTLES, LONG, NOT_WIDE, SCORES, Checked, column, declare
from winodds.language.spelling import option

Columns: TypeAlias = str | Sequence[str]
Direction: TypeAlias = bool | Mapping[str, bool] | None
ScoreMatches: TypeAlias = Literal["within", "across"]
Missing: TypeAlias = Literal["skip", "lose"]
Duplicates: TypeAlias = Literal["error", "mean", "first", "last", "best"]
Estimator: TypeAlias = Literal["bias-reduced", "mle", "ridge"]
IntervalKind: TypeAlias = Literal["robust", "model"]
Center: TypeAlias = Literal["comparable", "all"]
Components: TypeAlias = Literal["error", "separate"]
Convention: TypeAlias = Literal["pairs", "paper"]
Adjustment: TypeAlias = Literal["holm", "bh", "max-t", "none"]
Scheming: TypeAlias = Literal["models", "data-sets"]
RankKind: TypeAlias = Literal["marginal", "simultaneous"]
Decimal: TypeAlias = Literal[".", ","]
Tool: TypeAlias = Literal[
    "table",
    "amlb",
    "arena",
    "converted",
    "every-eval-ever",
    "inspect",
    "lm-eval",
    "mlflow",
    "openml-export",
    "optuna",
    "run",
    "sklearn",
    "tabarena",
]
"""What a source may be said to be: a plain table, or what an adapter of this name reads."""

RunRule: TypeAlias = Literal["first", "last", "best", "setup"]
"""Which run of OpenML stands for a flow on a task, or for each of its settings."""


def as_list(columns: Columns | None) -> list[str]:
    """One column, several, or none, as a list."""
    if columns is None:
        return []
    return [columns] if isinstance(columns, str) else list(columns)


DEFAULT_PRIOR_SD = 2.0

DEFAULT_MARGIN = 0.05
"""How much below half of the rounds a candidate may win, if nobody says otherwise."""

# Headings under which commands list the options.
WHICH_COLUMN = "Which column is what (found by its name where that is clear)"
WHICH_WAY = "Which way is better (known for names such as auc or rmse, never guessed)"
OTHER_SHAPES = "Other shapes of tables"
SOURCES = "Logs and results of other tools (known by their content)"
CELLS = "How cells are read"
MATCHES = "What is a match"
RATINGS = "Ratings and intervals"
COMPARISONS = "Comparisons and quality"
FETCHED = "What is fetched"
SERVER = "The server"
SIMULATIONS = "Simulations"
VERDICT = "The verdict"
RACES = "The race"


# Columns ------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class ScoreColumns(Checked):
    """Which columns of a table of scores play which role, and which way is better."""

    section = WHICH_COLUMN
    shapes = SCORES

    player: Columns = column(
        "player",
        "The models. Repeat the option if several columns form a name.",
        "column with the model; several columns may form a name.",
        also=("model", "method"),
    )
    round: Columns = column(
        "round",
        "The splits, folds or tasks. Repeatable too.",
        "column with the split or task; several columns may form a round.",
        also=("fold", "split"),
    )
    score: str = column("score", "The scores.", "column with the score.", shapes=LONG)
    tournament: Columns | None = column(
        None,
        "The data sets: one leaderboard for each.",
        "column with the data set. `rate` pools all of them into one board, on which each counts "
        "once for a pair of players, and its intervals are for new data sets; `rate_each` gives "
        "each a board.",
        also=("dataset", "task"),
    )
    family: Columns | None = column(
        None,
        "The players' families, such as algorithms, to show beside them.",
        "column, or several, with the family of each player, such as its algorithm; the board "
        "shows it beside the player.",
        shapes=LONG,
        alias="group",
    )
    hyperparameters: Columns | None = column(
        None,
        "The players' hyperparameters, to ask which of them matter. Repeat the option for several.",
        "column, or several, with a hyperparameter of each player. Numbers are taken as such and "
        "text as categories; an empty cell is a hyperparameter that a player does not have.",
        shapes=LONG,
    )
    members: str | None = column(
        None,
        "The members of ensembles, such as 'rf + svm'; empty for single models.",
        'column with the members of each player that is an ensemble, such as "rf + svm" or a JSON '
        "list of names; empty cells for single models. See `Leaderboard.teams`.",
        shapes=LONG,
    )
    status: str | None = column(
        None,
        "Says of each run whether it succeeded; others count as failed.",
        'column that says of each run whether it gave its score ("ok", "success", "finished", '
        "…); the score of a run that says anything else counts as missing.",
        shapes=LONG,
    )
    higher_is_better: Direction = declare(
        None,
        "The direction of all scores whose name does not tell it.",
        'True, False, or a mapping from every round\'s name ("tournament/round" where there '
        "are tournaments) to one of these. Without it the direction must follow from the "
        'score\'s name ("auc", "rmse"), or from one of the next two.',
        opposite="lower_is_better",
        section=WHICH_WAY,
    )
    metric_column: str | None = column(
        None, "Names the metric of each round.", shapes=LONG, section=WHICH_WAY
    )
    direction_column: str | None = column(
        None, "Says 'up' or 'down' for each round.", shapes=LONG, section=WHICH_WAY
    )


@dataclass(frozen=True, kw_only=True)
class Units(Checked):
    """What counts as independent, and how much."""

    section = WHICH_COLUMN
    shapes = NOT_WIDE

    cluster: Columns | None = column(
        None,
        "The independent units, if these are neither rounds nor tournaments.",
        "column with the independent units, such as prompts or judges, if these are neither "
        "rounds nor tournaments, nor single battles.",
    )
    weights: str | None = column(None, "A weight for every round, or battle.")


@dataclass(frozen=True, kw_only=True)
class Roles(Units, ScoreColumns):
    """Which columns of a table of scores play which role."""


@dataclass(frozen=True, kw_only=True)
class Sides(Checked):
    """Which columns hold the two players of a battle, and who won."""

    section = OTHER_SHAPES
    shapes = BATTLES

    left: str = column("model_a", "The first player of a battle.")
    right: str = column("model_b", "The second player of a battle.")
    winner: str = column(
        "winner",
        "Which side won a battle, or, with --loser, the winner's name.",
        'column that says who won: the left or right column\'s name, "model_a", '
        '"model_b", "left", "right", "tie", "tie (bothbad)" or "both_bad".',
    )
    loser: str | None = column(
        None,
        "The loser's name.",
        "for tables with the winner's and the loser's name in two columns: the loser's. Then "
        "``winner`` is the winner's column, and ``left`` and ``right`` play no part.",
    )

    @property
    def sides(self) -> dict[str, str]:
        """The columns that play a part, by their roles."""
        if self.loser is not None:
            return {"winner": self.winner, "loser": self.loser}
        return {"left": self.left, "right": self.right, "winner": self.winner}


@dataclass(frozen=True, kw_only=True)
class Slicing(Checked):
    """By what a table is cut into slices."""

    section = WHICH_COLUMN
    shapes = NOT_WIDE

    by: str | None = column(
        None,
        "Cut into slices: a board for each value of this column, and what differs from the rest.",
        "column that says to which slice each round, or battle, belongs, such as its topic. Rounds "
        "with an empty cell belong to none, and are counted.",
        extra=True,
    )


@dataclass(frozen=True, kw_only=True)
class Seating(Checked):
    """Whether it matters who sits where."""

    section = OTHER_SHAPES
    shapes = BATTLES

    seat: bool = declare(
        False,
        "Say what the first (left) seat of a battle is worth, and how ratings change without it.",
        "whether to say what the first (left) seat of a battle is worth, and how ratings would "
        "change on a neutral one; `Leaderboard.seat` has it. The board itself stays as it is.",
        extra=True,
        check=check_flag,
    )


# Files, which only commands read ------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Shaping(Checked):
    """What kind of table a file holds."""

    section = OTHER_SHAPES

    ignore: tuple[str, ...] = column(
        (), "Leave this column out; 'mean_*' for all such. Repeatable.", section=WHICH_COLUMN
    )
    keep: tuple[str, ...] = column(
        (),
        "A column of scores in a wide table, whatever it looks like. Repeatable.",
        shapes=("wide",),
    )
    wide: bool = declare(
        False, "A row for every player and a column for every round, or the transpose."
    )
    battles: bool = declare(False, "A row for every battle of two players, with its winner.")


LIMIT = 4.0
"""Gigabytes that are read of a file unless more are asked for."""


@dataclass(frozen=True, kw_only=True)
class Cells(Checked):
    """How the cells of a file are read."""

    section = CELLS

    decimal: Decimal = declare(".", "The decimal mark in numbers.")
    percent: bool = declare(False, "Scores are percentages, such as 91.5 or 91.5%.", shapes=SCORES)
    encoding: str = declare("utf-8", "Of a text file.", metavar="NAME")
    limit: float = declare(
        LIMIT,
        "Gigabytes that a file may have, unpacked; unasked for, at most half of the memory.",
        check=partial(check_positive, scale="which gigabytes are counted"),
        metavar="GB",
    )
    sheet: str | None = declare(
        None, "The sheet of a spreadsheet that has several.", metavar="NAME"
    )


@dataclass(frozen=True, kw_only=True)
class Choosing(Checked):
    """What is wanted of results that another tool has."""

    section = SOURCES

    metric: str | None = declare(
        None,
        "Which of its metrics, scorers or objectives; 'all' for a board of each.",
        metavar="NAME",
    )
    rounds: str | None = declare(
        None,
        "What a round is, where a source has several: steps, items, tasks, last, all.",
        metavar="WHAT",
    )


@dataclass(frozen=True, kw_only=True)
class Sourcing(Choosing):
    """What is wanted of a source that another tool wrote."""

    section = SOURCES

    source: Tool | None = declare(
        None,
        "What FILE is: the tool that wrote it, or a plain table.  [default: by its content]",
    )
    algorithms: str | None = declare(
        None,
        "For flows of OpenML: a TOML or CSV file with algorithms of learners, beside the known.",
        metavar="FILE",
    )


@dataclass(frozen=True, kw_only=True)
class FileOptions(Sourcing, Cells, Shaping):
    """What a command must know of a file besides the columns' roles."""

    section = OTHER_SHAPES
    shapes = SCORES

    pool: bool = declare(
        False, "Only the leaderboard of all tournaments together; a pair counts once on each."
    )


# What is fetched ----------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Fetching(Checked):
    """Which evaluations of OpenML are fetched, and how its server is asked."""

    section = FETCHED

    metric: str = declare(
        "area_under_roc_curve",
        "The function that evaluates, as OpenML calls it.",
        metavar="NAME",
    )
    higher_is_better: bool | None = declare(
        None,
        "The direction of a function whose name does not tell it.",
        opposite="lower_is_better",
        check=partial(check_flag, neither="where the name of the function tells it"),
    )
    binary: bool = declare(False, "Only tasks with two classes.", check=check_flag)
    run: RunRule = declare(
        "first",
        "The run that stands for a flow on a task; 'best' is chosen by luck, too, and with "
        "'setup' every setting of a flow is a player.",
        'the run that stands for a flow on a task: the "first", the "last", or the "best", '
        'which is chosen by luck, too; with "setup" every setting of a flow is a player.',
    )
    verify_folds: int = declare(
        0, "Ask N of the runs for the order of their folds.", metavar="N", least=0
    )
    algorithms: str | None = declare(
        None,
        "A TOML or CSV file with algorithms of learners, beside the known.",
        metavar="FILE",
    )
    server: str | None = declare(
        None,
        "Address of the server's interface.  [default: the one that the client is set to]",
        metavar="URL",
        section=SERVER,
    )
    cache: str | None = declare(
        None,
        "Where answers are kept.  [default: winodds/openml in the user's cache]",
        metavar="FOLDER",
        section=SERVER,
    )
    refresh: bool = declare(
        False, "Ask anew for what is known already.", section=SERVER, check=check_flag
    )
    timeout: float = declare(
        120.0,
        "Seconds that an answer may take.",
        metavar="SECONDS",
        section=SERVER,
        check=partial(check_between, low=0.0, high=86400.0),
    )
    retries: int = declare(
        5, "How often a failed request is made again.", metavar="N", least=0, section=SERVER
    )
    pause: float = declare(
        1.0,
        "Seconds between two requests.",
        metavar="SECONDS",
        section=SERVER,
        check=partial(check_positive, scale="the scale of seconds"),
    )
    page_size: int = declare(
        10000,
        "Runs that are asked for at once; the server allows 10000.",
        metavar="N",
        least=1,
        section=SERVER,
    )
    progress: Callable[[str], object] | None = field(default=None, repr=False, compare=False)


# Scores → matches → ratings -----------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Meeting(Checked):
    """Which scores meet."""

    section = MATCHES
    shapes = SCORES

    matches: ScoreMatches = declare(
        "within",
        "Scores meet in their round, or every score of one player meets every score of another.",
        '"within": two players meet once in every round where both have a score. "across": '
        "every score of one meets every score of the other.",
    )


@dataclass(frozen=True, kw_only=True)
class Counting(Checked):
    """What two scores of a round say, and which scores there are."""

    section = MATCHES
    shapes = SCORES

    tie_tolerance: float = declare(
        0.0,
        "Scores this close, or closer, tie; percentage points with --percent.",
        "scores this close, or closer, tie.",
        metavar="X",
        check=partial(check_positive, scale="the scores' scale"),
    )
    missing: Missing = declare(
        "skip",
        "A run without a score plays no match, or loses them all.",
        '"skip": a run without a score plays no match. "lose": it loses to every score of its '
        "round.",
    )
    duplicates: Duplicates = declare(
        "error", "What to do with several scores of a player in a round."
    )


@dataclass(frozen=True, kw_only=True)
class Rules(Counting, Meeting):
    """How scores become matches."""

    section = MATCHES
    shapes = SCORES

    scheme: Scheming = declare(
        "models",
        "Who plays: models, or data sets, which are rated by how well models do on them.",
        'who plays: "models", or "data-sets", which are rated by how well models do on them: each '
        "model is then a round, and its score on a data set the mean of those it has there.",
    )


@dataclass(frozen=True, kw_only=True)
class Estimating(Checked):
    """How wins become ratings."""

    section = RATINGS

    estimator: Estimator = declare(
        "bias-reduced",
        "How ratings are estimated; bias-reduced ones always exist.",
        '"bias-reduced" (always exists), "mle" (the papers\' EPP) or "ridge".',
    )
    prior_sd: float | None = declare(
        None,
        f"Standard deviation of the ridge prior.  [default: {DEFAULT_PRIOR_SD:g}]",
        f"standard deviation of the ridge prior, {DEFAULT_PRIOR_SD:g} by default.",
        metavar="SD",
        check=partial(check_between, low=1e-6, high=1e6),
    )
    interval: IntervalKind = declare(
        "robust",
        "From how much rounds disagree, or as if all matches were independent (too narrow).",
        '"robust" (rounds are independent) or "model" (matches are; too narrow).',
    )


@dataclass(frozen=True, kw_only=True)
class Covering(Checked):
    """What intervals hold."""

    section = RATINGS

    level: float = declare(
        0.95,
        "Coverage of the intervals.",
        metavar="P",
        check=partial(check_between, low=0.0, high=1.0),
    )
    test_fraction: float | None = declare(
        None,
        "Share of test cases in a split: makes the intervals those for a new data set.",
        "share of the test cases among the test and training cases of a split. Without it the "
        "intervals are for new splits of this data set; with it they are wider, for a new data "
        "set of this kind, because splits share training data (Nadeau & Bengio 2003). It is for "
        "splits of one data set; of several, pooled, the intervals are for new ones anyway.",
        metavar="P",
        shapes=SCORES,
        check=partial(check_between, low=0.0, high=1.0),
    )


@dataclass(frozen=True, kw_only=True)
class Options(Covering, Estimating):
    """How wins become a leaderboard."""

    section = RATINGS

    reference: str | None = declare(
        None,
        "The player whose rating is 0.",
        "the player whose rating is 0, instead of an average.",
        metavar="NAME",
    )
    center: Center = declare(
        "comparable",
        "Whose average is 0: of the players who can be compared with each other, or of all.",
        '"comparable": 0 is the average of the largest set of players who reach each other by '
        'wins or ties, if it holds more than half of them, and of all otherwise. "all": of all '
        "players, as the papers have it.",
    )
    components: Components = declare(
        "error",
        "Players who never met are refused, or each component of them is rated on its own, as far "
        "as it can be.",
    )
    details: bool | None = declare(
        None,
        "Rank ranges, letters, chances of being best, quality.  [default: if that is quick]",
        "whether rank ranges, letters, chances of being best and the quality of the fit are "
        "computed at once. Else `Leaderboard.details` and `Leaderboard.quality` compute them.",
        check=partial(check_flag, neither="to wait until they are asked for"),
        extra=True,
        section=COMPARISONS,
    )
    convention: Convention = declare(
        "pairs",
        "The deviance counts each pair once, or in both orders as the EPP paper has it.",
        'how the quality\'s deviance counts pairs: each once ("pairs") or in both orders '
        '("paper").',
        extra=True,
        section=COMPARISONS,
    )
    ranks: RankKind = declare(
        "marginal",
        "Rank ranges hold for all players at once, and not each end for itself.",
        'whether each end of a rank range holds for itself ("marginal"), or all of them hold at '
        'once ("simultaneous"), which makes them wider.',
        extra=True,
        flag="simultaneous",
        section=COMPARISONS,
    )
    seed: int = declare(
        0,
        "Of the simulations.",
        metavar="N",
        least=0,
        section=SIMULATIONS,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.prior_sd is not None and self.estimator != "ridge":
            wanted = f"it belongs to {option('estimator', 'ridge')}"
            raise BadOption(option="prior_sd", value=self.prior_sd, wanted=wanted)
        if self.components == "separate" and self.reference is not None:
            separate = option("components", "separate")
            wanted = f"components that are rated separately ({separate}) share no zero"
            raise BadOption(option="reference", value=self.reference, wanted=wanted)

    @property
    def ridge_sd(self) -> float | None:
        """Standard deviation of the prior, for ridge."""
        if self.estimator != "ridge":
            return None
        return DEFAULT_PRIOR_SD if self.prior_sd is None else self.prior_sd


@dataclass(frozen=True, kw_only=True)
class Testing(Checked):
    """How pairs are tested."""

    section = COMPARISONS

    adjust: Adjustment | None = declare(
        None,
        "For all pairs: no false claim at all (max-t by sign flips, holm), or few of the claims "
        "(bh).  [default: max-t, or holm where clusters are too few]",
        '"max-t" (no false claim at all, with the level\'s probability, through sign flips of '
        'whole clusters), "holm" (the same without flips), "bh" (few of the claims are false) or '
        '"none".',
    )
    test: IntervalKind | None = declare(
        None,
        "Rounds are independent, or all matches are (too optimistic).  [default: --interval]",
        '"robust" (clusters are independent) or "model" (all matches are, which they are not).',
    )


@dataclass(frozen=True, kw_only=True)
class Planning(Checked):
    """How sure rounds that are still to come should be of an answer."""

    section = COMPARISONS

    power: float = declare(
        0.8,
        "Chance with which the rounds that are said to be needed would show a difference.",
        metavar="P",
        check=partial(check_between, low=0.0, high=1.0),
    )


@dataclass(frozen=True, kw_only=True)
class Comparing(Planning, Testing):
    """How players are compared."""


@dataclass(frozen=True, kw_only=True)
class Tolerating(Checked):
    """By how much a candidate may be worse."""

    section = VERDICT

    margin: float | None = declare(
        None,
        "How much below half of the rounds the candidate may win: with 0.05, 45 of 100.  "
        f"[default: {DEFAULT_MARGIN:g}, and any loss that is certain is too much]",
        "how much below half of the rounds the candidate may win, a tie counted half: with 0.05, "
        f"45 of 100. By default {DEFAULT_MARGIN:g}, and any loss that is certain is too much.",
        metavar="P",
        check=check_margin,
    )
    score_margin: float | None = declare(
        None,
        "How much worse its mean score may be, instead of its win rate; percentage points with "
        "--percent.",
        "how much worse its mean score may be, in units of the score, instead of its win rate.",
        metavar="X",
        check=partial(check_positive, scale="the scores' scale"),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.margin is not None and self.score_margin is not None:
            wanted = f"a verdict has one margin, and {option('margin', self.margin)} is given too"
            raise BadOption(option="score_margin", value=self.score_margin, wanted=wanted)


@dataclass(frozen=True, kw_only=True)
class Sparring(Checked):
    """Who is compared with whom."""

    section = VERDICT

    baseline: str = declare(
        "baseline",
        "The player of the first file, if it has several.",
        "name of the player that is there already.",
        metavar="NAME",
    )
    candidate: str = declare(
        "candidate",
        "The player of the second file, if it has several.",
        "name of the player that may take its place.",
        metavar="NAME",
    )


@dataclass(frozen=True, kw_only=True)
class Racing(Checked):
    """How a race of settings is run."""

    section = RACES

    strategy: Literal["park", "prove"] = declare(
        "park",
        "Pay for settings that are likely enough to be better than the leader, or for all that are "
        "not refuted as the best.",
    )
    splits: Literal["independent", "folds", "dependent"] | None = declare(
        None,
        "How the splits hang together: drawn anew each time, folds of cross-validation, or one "
        "after the other in time. If nobody says, nothing is claimed.",
    )
    first_splits: int = declare(
        3, "Splits that all settings get.", check=partial(check_count, least=2)
    )
    alpha: float = declare(
        0.05,
        "How often the best may be dropped.",
        check=partial(check_between, low=0.0, high=0.5),
    )


# What the public functions take -------------------------------------------------------------------


def check_splits(cluster: Columns | None, test_fraction: float | None) -> None:
    """Refuse a share of test cases where clusters are something else than splits."""
    if cluster is not None and test_fraction is not None:
        wanted = "it is for single splits as the independent units; drop it or cluster"
        raise BadOption(option="test_fraction", value=test_fraction, wanted=wanted)


@dataclass(frozen=True, kw_only=True)
class ScoreOptions(Options, Rules, Roles):
    """The options of `rate`."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.weights is not None and self.matches == "across":
            within = option("matches", "within")
            wanted = f"a match across rounds hangs on two of them; count {within}"
            raise BadOption(option="weights", value=self.weights, wanted=wanted)
        if self.scheme == "data-sets":
            self._check_data_sets()
        check_splits(self.cluster, self.test_fraction)

    def _check_data_sets(self) -> None:
        """Refuse what says nothing where data sets play and models are the rounds."""
        scheme = option("scheme", "data-sets")
        if self.tournament is None:
            wanted = f"the data sets play; name their column with {option('tournament')}"
            raise BadOption(option="scheme", value=self.scheme, wanted=wanted)
        if self.weights is not None:
            wanted = f"with {scheme} every round is a model, and counts once"
            raise BadOption(option="weights", value=self.weights, wanted=wanted)
        if self.test_fraction is not None:
            wanted = f"with {scheme} rounds are models, and no splits"
            raise BadOption(option="test_fraction", value=self.test_fraction, wanted=wanted)


@dataclass(frozen=True, kw_only=True)
class Judging(Tolerating, Planning, Covering):
    """What a verdict goes by: the margin, the power and the level."""


@dataclass(frozen=True, kw_only=True)
class GateOptions(Judging, Counting, Roles, Sparring):
    """The options of `gate`."""

    def __post_init__(self) -> None:
        super().__post_init__()
        check_splits(self.cluster, self.test_fraction)


@dataclass(frozen=True, kw_only=True)
class SourceOptions(ScoreOptions, Choosing):
    """The options of functions that rate what another tool has: those of `rate`, and what of it."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.higher_is_better, Mapping):
            wanted = "it is True or False, for a metric whose name does not tell"
            raise BadOption(
                option="higher_is_better", value=dict(self.higher_is_better), wanted=wanted
            )


@dataclass(frozen=True, kw_only=True)
class SeasonOptions(ScoreOptions):
    """The options of `rate_each`: those of `rate`, and how many boards are made at a time."""

    tournament: Columns = column(
        "tournament",
        "The data sets: one leaderboard for each.",
        "column with the data set; each gets a board.",
        also=("dataset", "task"),
    )
    n_jobs: int | None = declare(
        None,
        "How many boards are computed at the same time; -1 for one on each core.",
        "how many boards are computed at the same time, through joblib; −1 for one on each core. "
        "By default as many as `joblib.parallel_config` says, or one.",
        check=check_jobs,
    )
    progress: Callable[[int, int], None] | None = declare(
        None,
        "Called after each board with the number of boards done and of all.",
        check=check_listener,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.scheme == "data-sets":
            wanted = "all data sets are on one board then, which rate() makes"
            raise BadOption(option="scheme", value=self.scheme, wanted=wanted)


@dataclass(frozen=True, kw_only=True)
class SliceOptions(ScoreOptions, Slicing):
    """The options of `rate_slices`: those of `rate`, and by what its rounds are sliced."""

    by: str = field()

    def __post_init__(self) -> None:
        super().__post_init__()
        refused: dict[str, tuple[object, str]] = {
            "scheme": (self.scheme, "models are the rounds then, which have no slices"),
            "test_fraction": (
                self.test_fraction,
                "the splits of two slices share training data, too; leave it out",
            ),
        }
        for name, (value, wanted) in refused.items():
            if value not in ("models", None):
                raise BadOption(option=name, value=value, wanted=f"with {option('by')} {wanted}")
        if self.tournament is not None and self.by in _listed(self.tournament):
            raise BadOption(
                option="by",
                value=self.by,
                wanted="each of its values is a tournament, and has a board of its own in a season",
            )


def _listed(columns: Columns) -> tuple[str, ...]:
    return (columns,) if isinstance(columns, str) else tuple(columns)


@dataclass(frozen=True, kw_only=True)
class BattleOptions(Options, Units, Seating, Sides):
    """The options of `rate_battles`."""

    test_fraction: None = field(default=None, init=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.seat and self.loser is not None:
            wanted = (
                f"a table of winners and losers does not say who sat first; name the two sides "
                f"with {option('left')} and {option('right')}"
            )
            raise BadOption(option="seat", value=True, wanted=wanted)


@dataclass(frozen=True, kw_only=True)
class BattleSliceOptions(BattleOptions, Slicing):
    """The options of `rate_battle_slices`: those of `rate_battles`, and by what it is sliced."""

    by: str = field()
