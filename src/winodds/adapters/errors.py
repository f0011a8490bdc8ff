"""Sources that cannot be read, or not without a word more."""

from collections.abc import Mapping, Sequence
from typing import Any

from winodds.language.errors import DataError, UseError
from winodds.language.spelling import option
from winodds.language.words import count, did_you_mean, list_names, quote, shorten


class UnknownSource(UseError):
    """A folder or file that no adapter knows."""

    path: str
    kind: str
    sources: Sequence[str]

    def sentence(self) -> str:
        return (
            f"{quote(self.path)} is {self.kind}, and nothing in it is known: name one file with a "
            f"table of results, or say what it is with {option('source')} "
            f"({', '.join(self.sources)})."
        )


class SeveralSources(UseError):
    """A place that more than one adapter knows."""

    path: str
    sources: Sequence[str]

    def sentence(self) -> str:
        ways = " or ".join(option("source", name) for name in self.sources)
        return f"{quote(self.path)} could be read in several ways; say which: {ways}."


class NotThisSource(DataError):
    """A place that does not hold what was said to be there."""

    path: str
    title: str
    reason: str

    def sentence(self) -> str:
        return f"{quote(self.path)} cannot be read as {self.title}: {self.reason}."


class WhichMetric(UseError):
    """Several metrics, of which none is the main one; ``each`` says if all may be asked for."""

    metrics: Sequence[str]
    what: str = "metrics"
    each: bool = True

    def sentence(self) -> str:
        every = f", or {option('metric', 'all')} for a board of each" if self.each else ""
        return (
            f"There are several {self.what}: {list_names(self.metrics, shown=20)}. Choose one, for "
            f"instance {option('metric', self.metrics[0])}{every}."
        )

    def remedies(self) -> Sequence[Mapping[str, Any]]:
        return [{"metric": name} for name in self.metrics[:1]]


class UnknownMetric(UseError):
    """A metric that the source does not have."""

    metric: str
    metrics: Sequence[str]

    def sentence(self) -> str:
        return (
            f"There is no metric {quote(self.metric)}; there are "
            f"{list_names(self.metrics, shown=20)}."
        )


class OneScoreEach(DataError):
    """Players with one score each, which rate nothing."""

    players: int
    what: str
    advice: str

    def sentence(self) -> str:
        return (
            f"{self.what} gives one score for each of {self.players:,} players, and one round "
            f"rates nothing. {self.advice}"
        )


class NothingLeft(DataError):
    """A source in which no result is left."""

    path: str
    title: str
    left_out: str

    def sentence(self) -> str:
        return f"{quote(self.path)}, {self.title}, holds no result to rate: {self.left_out}."


class ScoresAndBattles(UseError):
    """Sources that cannot stand in one table."""

    scores: str
    battles: str

    def sentence(self) -> str:
        return (
            f"{quote(self.battles)} holds battles and {quote(self.scores)} scores; they do not fit "
            f"into one table. Convert them one by one."
        )


class SeveralPlayers(UseError):
    """A source of which one player is wanted, and nobody said which, or one that it has not."""

    path: str
    players: Sequence[str]
    role: str
    name: str | None = None
    close: Sequence[str] = ()

    def sentence(self) -> str:
        listed = list_names(self.players)
        if self.name is not None:
            start = f"No player {quote(self.name)} in {quote(self.path)}; it has {listed}."
            return f"{start} {did_you_mean(self.close)}" if self.close else start
        return (
            f"{quote(self.path)} has {count(len(self.players), 'player')} ({listed}), and one is "
            f"wanted. Say which with {option(self.role)}."
        )


class SidesDiffer(DataError):
    """Two sources of which only one has tournaments, or clusters, so that rounds do not pair."""

    role: str
    having: str
    lacking: str

    def sentence(self) -> str:
        return (
            f"{quote(self.having)} has {self.role}s and {quote(self.lacking)} has none, so their "
            f"rounds cannot be paired. Give both a column for them, or neither."
        )


class RunDifferently(DataError):
    """Two sources in which the same task was not run in the same way."""

    task: str
    paths: Sequence[str]
    reason: str

    def sentence(self) -> str:
        first, second = map(quote, self.paths)
        return (
            f"{quote(self.task)} was not run in the same way in {first} and {second} "
            f"({self.reason}), so their rounds are not the same. Run it again in one way, or put "
            f"the logs into one folder, in which such runs are told apart."
        )


class MetricsDiffer(DataError):
    """Two sources with scores of different metrics in the same rounds."""

    paths: Sequence[str]
    metrics: Sequence[str]

    def sentence(self) -> str:
        first, second = map(quote, self.paths)
        return (
            f"The scores are {quote(self.metrics[0])} in {first} and {quote(self.metrics[1])} in "
            f"{second}; scores of different metrics cannot be compared."
        )


class BadFolds(DataError):
    """A cell that should hold the values of folds, and does not."""

    where: str
    text: str

    def sentence(self) -> str:
        return (
            f"The values by fold in {self.where} are no list of numbers: "
            f"{quote(shorten(self.text))}. Is the cell cut off? Ask the server again."
        )


# Searches and studies -----------------------------------------------------------------------------


class NotASearch(UseError):
    """An object that is no fitted search."""

    kind: str
    unfitted: bool

    def sentence(self) -> str:
        if self.unfitted:
            return f"This {self.kind} has no cv_results_. Fit it first."
        return (
            f"A fitted search of scikit-learn is needed, its cv_results_, or results of "
            f"cross_validate by the names of their models, not an object of type {self.kind}."
        )


class NotAStudy(UseError):
    """An object that is no study of Optuna."""

    kind: str

    def sentence(self) -> str:
        return (
            f"A study of Optuna is needed, not an object of type {self.kind}. Files of studies are "
            f"read by winodds.read_source(path)."
        )


class ScorerNamedLikeError(UseError):
    """A scorer whose name says that less is better, while scikit-learn says that more is."""

    scorer: str

    def sentence(self) -> str:
        return (
            f"Scorer {quote(self.scorer)} is called like an error, of which less is better, but "
            f"scikit-learn takes more as better. Say {option('higher_is_better', True)} if it "
            f"turns the error round, as scikit-learn's 'neg_' scorers do, or "
            f"{option('higher_is_better', False)} if it gives the error itself."
        )


class NotPaired(DataError):
    """Models that were not tested on the same splits."""

    reason: str

    def sentence(self) -> str:
        return (
            f"The models were not tested on the same splits: {self.reason}. Give all of them the "
            f"same cv, with a fixed random_state."
        )


class BadAlgorithms(UseError):
    """A table of algorithms that cannot be read."""

    where: str
    reason: str

    def sentence(self) -> str:
        return (
            f"The table of algorithms in {quote(self.where)} cannot be read: {self.reason}. It "
            f"maps algorithms to lists of learners, as TOML or in the columns 'learner' and "
            f"'algorithm' of a CSV file."
        )
