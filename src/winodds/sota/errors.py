"""Contests that cannot be judged."""

from collections.abc import Sequence
from math import floor

from winodds.language.errors import DataError, UseError
from winodds.language.spelling import on_command_line, option
from winodds.language.words import count, did_you_mean, number, quote

PUBLISHED = (
    "Organisers publish it with the data: so many rows were to be submitted, of which a public or "
    "a private board may count a part, named in the rules."
)
"""Where the size of a test set stands."""


class SizeNeeded(UseError):
    """Nobody said how large the test set is, and perhaps more."""

    smallest: int | None
    cut_off: bool
    decimals: int
    positives: bool = False
    classes: bool = False
    percent: bool = False

    def sentence(self) -> str:
        start = f"How many cases the test set has must be said: {option('n')}."
        if self.positives:
            start += f" So must how many of them are positive: {option('positives')}."
        if self.classes:
            start += f" So must the number of classes: {option('classes')}."
        if self.smallest is None:
            return f"{start} {PUBLISHED}"
        how = "cut off" if self.cut_off else "rounded"
        read = "read as percent and " if self.percent else ""
        decimals = count(self.decimals, "decimal")
        return (
            f"{start} The smallest size whose shares, {read}{how} after {decimals}, fit all "
            f"scores is {self.smallest:,}; the true one may be larger. {PUBLISHED}"
        )


class PrivateSizeNeeded(UseError):
    """Nobody said how large the private test set is, and perhaps more."""

    public: bool
    smallest: int | None
    smallest_private: int | None

    def sentence(self) -> str:
        sizes = [self.smallest_private]
        start = (
            f"How many cases the private test set has must be said: {option('private_n')}. It "
            f"differs from that of the public one."
        )
        if self.public:
            sizes = [self.smallest, self.smallest_private]
            start = (
                f"How many cases each test set has must be said: {option('n')} for the public and "
                f"{option('private_n')} for the private one."
            )
        end = "Organisers publish them, or the public share of all cases, with the rules."
        known = [f"{size:,}" for size in sizes if size is not None]
        if len(known) < len(sizes):
            return f"{start} {end}"
        fit = "sizes that fit the scores are" if len(known) > 1 else "size that fits its scores is"
        ones = "true ones" if len(known) > 1 else "true one"
        return f"{start} The smallest {fit} {' and '.join(known)}; the {ones} may be larger. {end}"


class NamesNeeded(UseError):
    """A board whose entries have no names, so that they cannot be found on another."""

    board: str

    def sentence(self) -> str:
        return (
            f"Entries of two boards are matched by their names, and the {self.board} board has "
            f"none. Say which column has them: {option('player')}."
        )


class TooFewMatched(DataError):
    """Two boards that have hardly an entry in common."""

    matched: int
    public: int
    private: int
    example: str
    other: str

    def sentence(self) -> str:
        return (
            f"Only {count(self.matched, 'entry', 'entries')} can be found on both boards by name "
            f"and at least 3 are needed; the public one has {count(self.public, 'name')}, such as "
            f"{quote(self.example)}, the private one {self.private:,}, such as "
            f"{quote(self.other)}. Say which column has the names: {option('player')}."
        )


class ClassesNeeded(UseError):
    """Nobody said how good guessing is."""

    def sentence(self) -> str:
        return (
            f"Scores are shrunken towards guessing, so the number of classes must be said: "
            f"{option('classes')}. Without it, crop them with {option('method', 'crop')}."
        )


class PositivesNeeded(UseError):
    """Nobody said how many of the cases are positive."""

    def sentence(self) -> str:
        return (
            f"How much an AUC varies depends on the number of positive cases; say it: "
            f"{option('positives')}."
        )


class NotShares(DataError):
    """Scores that are no shares of a test set."""

    scores: int
    value: float
    where: str

    def sentence(self) -> str:
        many = self.scores != 1
        have = (
            f"{self.scores:,} scores do not lie between 0 and 1; the first is "
            f"{number(self.value)} ({self.where})."
            if many
            else f"The score {number(self.value)} ({self.where}) does not lie between 0 and 1."
        )
        if 1.0 < self.value <= 100.0:
            remedy = f"pass {option('percent', True)}" if on_command_line() else "divide by 100"
            return f"{have} If percent is meant, {remedy}."
        return f"{have} Another metric needs its standard error: {option('se')}."


class TooFewEntries(DataError):
    """Fewer than two entries, so there is no luck of the best."""

    entries: int
    left_out: int = 0
    floor: float = 0.0

    def sentence(self) -> str:
        have = "one" if self.entries == 1 else "none"
        verb = "is" if self.left_out == 1 else "are"
        others = count(self.left_out, "other") if self.entries else f"{self.left_out:,}"
        out = (
            f", and {others} {verb} no better than guessing ({self.floor:.4g})"
            if self.left_out
            else ""
        )
        return f"The luck of the best of many needs at least two entries; there is {have}{out}."


class EqualScores(DataError):
    """Entries that all have the same score."""

    entries: int
    score: float

    def sentence(self) -> str:
        return (
            f"All {count(self.entries, 'entry', 'entries')} have the score {number(self.score)}. "
            f"Different entries would differ by luck alone; these are copies of one, and say "
            f"nothing about luck."
        )


class NotIgnored(UseError):
    """Something to leave out that is nowhere."""

    name: str
    close: Sequence[str] = ()

    def sentence(self) -> str:
        start = f"No column and no entry is called {quote(self.name)}, so it cannot be left out."
        return f"{start} {did_you_mean(self.close)}" if self.close else start


class NotACount(DataError):
    """Numbers of submissions that are none."""

    value: float
    row: int
    others: int

    def sentence(self) -> str:
        value = "missing" if self.value != self.value else number(self.value)
        more = "" if not self.others else f", and {count(self.others, 'other')} no better"
        return (
            f"How often an entry was submitted is a whole number, 1 or more; that of entry "
            f"{self.row:,} is {value}{more}."
        )


class RepeatedEntries(DataError):
    """A table with several scores of one entry."""

    column: str
    entry: str
    scores: int

    def sentence(self) -> str:
        return (
            f"{quote(self.entry)} has {count(self.scores, 'score')} in column "
            f"{quote(self.column)}. The best of many on one test set needs one score for each "
            f"entry; results of several rounds are for 'winodds rate' and board.sota(). If these "
            f"are submissions of one entry, {option('submissions', self.column)} takes the best "
            f"of each, and the luck of so many out."
        )


class ImpossibleCorrelation(DataError):
    """Performances that are too far apart for the correlation."""

    correlation: float
    common: float
    theta: float
    largest: float

    def sentence(self) -> str:
        # What is said to be possible must be.
        largest = floor(1000.0 * self.largest) / 1000.0
        return (
            f"Entries with performances {self.theta:.4g} and {self.common:.4g} cannot both have "
            f"correlation {number(self.correlation)} with what makes a case easy; at most "
            f"{largest:.3f} is possible. State a lower one: {option('correlation')}. Or keep to "
            f"{option('method', 'population')}, where each entry has as much as it can have."
        )


class ImpossibleSimilarity(UseError):
    """Entries that agree less often than independent ones would."""

    similarity: float
    theta: float
    least: float

    def sentence(self) -> str:
        return (
            f"Entries that are right in {self.theta:.4g} of all cases agree in at least "
            f"{self.least:.4g} of them by chance alone; {option('similarity', self.similarity)} is "
            f"less."
        )


class NotRightOrWrong(DataError):
    """Results of single cases that are neither right nor wrong."""

    value: float
    where: str

    def sentence(self) -> str:
        return (
            f"Results of single cases are 1 (right) or 0 (wrong), not {number(self.value)} "
            f"({self.where})."
        )


class RepeatedResult(DataError):
    """Several results of an entry on a case."""

    entry: str
    case: str

    def sentence(self) -> str:
        return (
            f"{quote(self.entry)} has more than one result on case {quote(self.case)}. Give each "
            f"entry one result on each case."
        )


class TooFewItems(DataError):
    """Item-level results that cannot tell a correlation."""

    entries: int
    items: int

    def sentence(self) -> str:
        return (
            f"A correlation needs at least two entries that are sometimes right and sometimes "
            f"wrong, on at least two cases that both have; there "
            f"{'is' if self.entries == 1 else 'are'} "
            f"{count(self.entries, 'such entry', 'such entries')} on {count(self.items, 'case')}."
        )


class PerfectScore(DataError):
    """A best score that no expectation can reach."""

    score: float
    posterior: bool = True

    def sentence(self) -> str:
        more = f", {option('method', 'posterior')} simulates contests" if self.posterior else ""
        return (
            f"The best score is perfect, {number(self.score)}, and no expectation reaches it, so "
            f"this cannot say how much of it is luck. {option('conservative', True)} asks how "
            f"high scores usually get{more}."
        )
