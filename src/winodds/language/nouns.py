"""What players, rounds and tournaments are called: by the caller's own columns, where these tell.

Sentences are for people who have models and data sets. Programs read columns and keys, whose names
stay as they are.
"""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from winodds.language.words import UNITS, quote

ROLES = ("player", "round", "tournament")
LONGEST = 40
"""Letters of a column's name beyond which nobody calls a thing by it."""

AN = re.compile(r"[aeio]")


@dataclass(frozen=True, slots=True)
class Noun:
    """A thing and several of them.

    >>> model = Noun("model", "models")
    >>> f"{model.count(1)}, {model.count(2000)}, {model.a}, any other {model}"
    '1 model, 2,000 models, a model, any other model'
    """

    one: str
    many: str

    def __str__(self) -> str:
        return self.one

    def count(self, number: int, before: str = "") -> str:
        """A number of them: "1 round", "2,000 more rounds"."""
        start = f"{number:,} {before} " if before else f"{number:,} "
        return f"{start}{self.one if number == 1 else self.many}"

    @property
    def a(self) -> str:
        """One of them, with its article."""
        article = "an" if AN.match(self.one) or self.one == "LLM" else "a"
        return f"{article} {self.one}"


@dataclass(frozen=True, slots=True)
class Nouns:
    """What sentences call the things of a board."""

    player: Noun = Noun("player", "players")
    round: Noun = Noun("round", "rounds")
    tournament: Noun = Noun("tournament", "tournaments")

    @property
    def players(self) -> str:
        return self.player.many

    @property
    def rounds(self) -> str:
        return self.round.many

    @property
    def tournaments(self) -> str:
        return self.tournament.many

    @property
    def data_set(self) -> Noun:
        """A tournament in texts about many of them, which are data sets unless a column says more.

        >>> print(HOUSE.data_set, HOUSE.tournament, sep=", ")
        data set, tournament
        """
        return DATA_SETS_PLAY.player if self.tournament == HOUSE.tournament else self.tournament

    @property
    def data_sets(self) -> str:
        return self.data_set.many

    def unit(self, unit: str) -> Noun:
        """What a cluster is: a kind of thing, or a column's value."""
        if unit in ROLES:
            own: Noun = getattr(self, unit)
            return own
        if unit in UNITS:
            return Noun(unit, f"{unit}s")
        return Noun(f"value of {quote(unit)}", f"values of {quote(unit)}")

    def won(self, kind: str) -> Noun:
        """What one player wins against another, by the kind of matches."""
        others = {"across": Noun("match", "matches"), "battles": Noun("battle", "battles")}
        return others.get(kind, self.round)

    def average(self, averaged: int | None) -> str:
        """The player at 0: the average of all, or of so many who can be compared with each other.

        >>> HOUSE.average(None), HOUSE.average(18)
        ('the average player', 'the average of 18 comparable players')
        """
        if averaged is None:
            return f"the average {self.player}"
        return f"the average of {averaged:,} comparable {self.players}"

    def to_dict(self) -> dict[str, list[str]]:
        """One and several of each, for a page."""
        return {role: [getattr(self, role).one, getattr(self, role).many] for role in ROLES}


HOUSE = Nouns()
"""The words where no column says more."""


def without_nouns(data: dict[str, Any]) -> dict[str, Any]:
    """What `dataclasses.asdict` made of a result, without the words in which it is told."""
    return {name: value for name, value in data.items() if name != "nouns"}


DATA_SETS_PLAY = Nouns(Noun("data set", "data sets"), Noun("model", "models"))
"""The words where data sets are the players, and models the rounds."""

KNOWN = (
    # Who plays.
    *("model", "method", "algorithm", "system", "learner", "classifier", "regressor", "estimator"),
    *("framework", "flow", "pipeline", "agent", "bot", "team", "submission", "LLM", "player"),
    *("engine", "solver", "optimizer", "optimiser", "configuration", "config", "setting"),
    *("approach", "technique", "candidate", "variant", "strategy", "policy", "heuristic", "tool"),
    *("library", "detector", "forecaster", "architecture", "network", "checkpoint", "competitor"),
    *("retriever", "encoder", "entry", "run"),
    # On what, and when.
    *("data set", "task", "benchmark", "problem", "environment", "game", "instance", "fold"),
    *("split", "seed", "repetition", "repeat", "iteration", "round", "resample", "question"),
    *("item", "example", "sample", "prompt", "query", "trial", "step", "season", "week", "month"),
    *("day", "year", "domain", "subject", "category", "topic", "language", "suite", "scenario"),
    *("experiment", "subset", "horizon", "document", "image", "patient", "site", "location"),
    *("event", "challenge", "exercise", "puzzle", "episode", "track", "tournament", "user"),
)
"""Words that make sense in our sentences. Others might not be nouns, or English, or might mean
something else here, as "match", "cluster" and "rank" do."""

SPELT = {
    "dataset": "data set",
    "data": "data set",
    "datensatz": "data set",
    "ds": "data set",
    "clf": "classifier",
    "algo": "algorithm",
    "rep": "repetition",
    "iter": "iteration",
    "env": "environment",
    "modell": "model",
    "verfahren": "method",
    "methode": "method",
    "llm": "LLM",
    "resampling": "resample",
}

BESIDE = frozenset({*("name", "names", "id", "ids", "no", "nr", "key", "index", "idx", "label")})
"""Last words of a column's name that say nothing of the thing."""

SEATS = frozenset({"a", "b", "first", "second", "left", "right", "one", "two"})


def _several(one: str) -> str:
    if one.endswith("y") and one[-2] not in "aeiou":
        return f"{one[:-1]}ies"
    return f"{one}es" if one.endswith(("s", "x", "ch", "sh")) else f"{one}s"


NOUNS = {one.lower(): Noun(one, _several(one)) for one in KNOWN}
PLURALS = {noun.many.lower(): noun for noun in NOUNS.values()}


def noun_of(column: str | None) -> Noun | None:
    """What a column's name calls the thing, or None where it does not tell.

    >>> [str(noun_of(name)) for name in ("model_name", "Dataset", "modelId", "queries", "cv_fold")]
    ['model', 'data set', 'model', 'query', 'fold']
    >>> [noun_of(name) for name in ("x1", "Unnamed: 0", "Série", "match", "", None)]
    [None, None, None, None, None, None]
    """
    if not column or len(column) > LONGEST or not column.isascii():
        return None
    apart = re.sub(r"([a-z])([A-Z])", r"\1 \2", column).lower()
    words = re.findall(r"[a-z]+", apart)
    while len(words) > 1 and words[-1] in BESIDE:
        words.pop()
    if not words:
        return None
    for name in (" ".join(words[-2:]), words[-1]):
        name = SPELT.get(name, name).lower()
        if found := NOUNS.get(name) or PLURALS.get(name):
            return found
    return None


def name_things(columns: Mapping[str, str | None], usual: Nouns = HOUSE) -> Nouns:
    """The nouns of a table, from the column of each role; several columns are joined by a slash.

    >>> nouns = name_things({"player": "clf", "round": "task/fold", "tournament": "dataset"})
    >>> nouns.players, nouns.rounds, nouns.tournaments
    ('classifiers', 'rounds', 'data sets')
    >>> name_things({"left": "model_a", "right": "model_b"}).players
    'models'
    """
    found = {role: noun_of(columns.get(role)) for role in ROLES}
    player = columns.get("player") or _side(columns)
    # Of several columns that form a model's name, the first says what it is.
    found["player"] = noun_of(None if player is None else player.partition("/")[0])
    for role in ("round", "tournament"):
        found[role] = None if "/" in (columns.get(role) or "") else found[role]
    seldom = Counter(noun.one for noun in found.values() if noun is not None)
    kept = {role: noun for role, noun in found.items() if noun and seldom[noun.one] == 1}
    nouns = Nouns(
        **{own.name: kept.get(own.name, getattr(usual, own.name)) for own in fields(Nouns)}
    )
    return nouns if len({getattr(nouns, role).one for role in ROLES}) == len(ROLES) else usual


def _side(columns: Mapping[str, str | None]) -> str | None:
    """What both columns of a battle's players begin with."""
    left, right = columns.get("left"), columns.get("right")
    if not left or not right:
        return None
    start, ends = re.fullmatch(r"(.*?)[ _.]?([A-Za-z]+|\d)", left), right
    if start is None or not ends.startswith(start[1]) or start[2].lower() not in {*SEATS, "1"}:
        return None
    return start[1]
