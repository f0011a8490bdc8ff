"""A few scores on a new data set → what to expect of all models there, with names."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from winodds.arrays import Ints, order_of
from winodds.board.how import Scheme
from winodds.fit.newton import fit
from winodds.inference.intervals import quantify
from winodds.inference.moderation import make_noise
from winodds.inference.structure import find_structure
from winodds.language.errors import BadOption
from winodds.language.notes import Note
from winodds.language.options import Roles
from winodds.language.plain import to_plain
from winodds.matches.games import Games
from winodds.season import notes as note
from winodds.season.errors import NotInSeason, TooFewRoundsTried, TooFewTried, TriedNeverMet
from winodds.season.factor import choose_factors
from winodds.season.lineup import Lineup
from winodds.season.map import Names, known_ratings, note_components
from winodds.season.place import Placed, Tried, place
from winodds.show import present
from winodds.table.errors import TooFewPlayers, TooFewRounds
from winodds.table.frames import Source, as_source, build_frame
from winodds.table.names import close_names
from winodds.table.scores import Scores, select_scores
from winodds.table.table import read_table

NEEDED = ("player", "round", "score")
"""Roles of the columns of a table of scores."""


@dataclass(frozen=True, slots=True)
class ExpectedModel:
    """What to expect of a model on the new data set.

    Attributes
    ----------
    player, family : its name, and its family or None.
    tried : whether it has scores there.
    epp : expected true rating, around the average of all models.
    low, high : ends of the interval of the true rating.
    p_average : probability of beating the average model in a new round.
    p_best : probability of being truly the best of all.
    gain : by how much it is expected to be better than the best of those tried, in log-odds, not
        counted where it is worse; 0 for those tried.
    """

    player: str
    family: str | None
    tried: bool
    epp: float
    low: float
    high: float
    p_average: float
    p_best: float
    gain: float


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A known data set, and its expected squared distance from the new one, in log-odds."""

    tournament: str
    distance: float


@dataclass(frozen=True, slots=True)
class Placement:
    """A new data set among the known ones.

    Attributes
    ----------
    models : all models, the highest expected rating first.
    neighbours : known data sets, the nearest first.
    tried : models with scores on the new data set.
    rounds : in which they met.
    tournaments : how many data sets are known.
    factors : along which data sets differ.
    scale : factor on the variances, by how far known data sets were missed.
    level : coverage of the intervals.
    notes : what else to know.
    """

    models: tuple[ExpectedModel, ...]
    neighbours: tuple[Neighbour, ...]
    tried: tuple[str, ...]
    rounds: int
    tournaments: int
    factors: int
    scale: float
    level: float
    notes: tuple[Note, ...]

    @property
    def try_first(self) -> tuple[ExpectedModel, ...]:
        """Models that were not tried yet, the likeliest to be the best of all first."""
        others = [one for one in self.models if not one.tried]
        return tuple(others[k] for k in order_of([-one.p_best for one in others]).tolist())

    @property
    def text(self) -> str:
        """Neighbours, who leads and what to try first, in words."""
        return present.describe_placement(self)

    def __str__(self) -> str:
        return self.text

    def model(self, player: str) -> ExpectedModel:
        """What to expect of one model."""
        for one in self.models:
            if one.player == player:
                return one
        everyone = [one.player for one in self.models]
        raise NotInSeason(players=[player], close=close_names(player, everyone))

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        plain: dict[str, Any] = to_plain(self)
        return plain | {"try_first": [one.player for one in self.try_first]}


@dataclass(frozen=True, slots=True)
class NewScores:
    """Scores on a new data set, as they were given.

    Attributes
    ----------
    scores : a table, or a mapping from players to their scores in rounds 1, 2, ….
    columns : the columns of the roles, None where the caller does not say.
    higher_is_better : the direction, None where the caller does not say.
    """

    scores: Any
    columns: Mapping[str, str | None]
    higher_is_better: bool | None

    def read(self, schemes: Sequence[Scheme]) -> Scores:
        """The scores, where the season's tables tell what the caller does not."""
        source = as_source(self._frame())
        roles: dict[str, Any] = {role: self._column(role, source, schemes) for role in NEEDED}
        better = {scheme.better for scheme in schemes}
        up = self.higher_is_better
        if up is None and better in ({"higher"}, {"lower"}):
            up = better == {"higher"}
        try:
            return select_scores(read_table(source, Roles(**roles, higher_is_better=up)))
        except TooFewPlayers as error:
            raise TooFewTried(players=error.players) from error
        except TooFewRounds as error:
            raise TooFewRoundsTried(rounds=error.rounds) from error

    def _frame(self) -> Any:
        if not isinstance(self.scores, Mapping):
            return self.scores
        rows = [
            (str(player), number, _as_score(score))
            for player, own in self.scores.items()
            for number, score in enumerate(_as_list(own), 1)
        ]
        columns = dict(
            zip(NEEDED, (list(cells) for cells in zip(*rows, strict=True)), strict=False)
        )
        kinds = {"player": str, "round": int, "score": float}
        return build_frame(columns or {role: [] for role in NEEDED}, kinds, backend="polars")

    def _column(self, role: str, source: Source, schemes: Sequence[Scheme]) -> str:
        """The column of a role: as given, as in the season's tables, or the role's own name."""
        given = self.columns[role]
        if given is not None:
            return given
        usual = schemes[0].column(role)
        return usual if usual is not None and usual in source.columns else role


def _as_list(scores: object) -> Sequence[object]:
    if isinstance(scores, Sequence) and not isinstance(scores, str):
        return scores
    return scores.tolist() if isinstance(scores, np.ndarray) else [scores]


def _as_score(score: object) -> float | None:
    if score is None:
        return None
    if isinstance(score, bool) or not isinstance(score, Real):
        wanted = "a mapping holds a list of numbers for each player, None where there is none"
        raise BadOption(option="scores", value=score, wanted=wanted)
    return float(score)


def place_scores(
    lineup: Lineup, names: Names, scores: Scores, *, seed: int, level: float
) -> Placement:
    """What to expect of all models on the data set that the scores are from."""
    table = known_ratings(lineup, "Placing a new data set")
    place_of = {names.players[k]: number for number, k in enumerate(table.players.tolist())}
    unknown = [player for player in scores.players if player not in place_of]
    if unknown:
        close = close_names(unknown[0], list(place_of)) if len(unknown) == 1 else ()
        raise NotInSeason(players=unknown, close=close)
    places = np.array([place_of[player] for player in scores.players], np.int64)
    factors = choose_factors(table.value, table.variance)
    tried = rate_tried(scores, places)
    found = place(table.value, table.variance, factors, tried, seed=seed, level=level)
    return Placement(
        models=_models(found, names, table.players, set(places.tolist())),
        neighbours=_neighbours(found, names.tournaments),
        tried=scores.players,
        rounds=scores.results.rounds,
        tournaments=len(lineup),
        factors=factors.number,
        scale=found.scale,
        level=level,
        notes=(*note_components(lineup, names.tournaments), *_doubts(found, len(lineup))),
    )


def rate_tried(scores: Scores, places: Ints) -> Tried:
    """The ratings of the players tried, (n,), whose numbers in the season are ``places``."""
    wins = Games("within", scores.results).count()
    structure = find_structure(wins)
    if not structure.connected:
        parts = [np.flatnonzero(structure.component == k) for k in np.unique(structure.component)]
        raise TriedNeverMet(
            components=[[scores.players[k] for k in part.tolist()] for part in parts]
        )
    sure = quantify(wins, fit(wins.wins, wins.design), structure)
    own = sure.intervals
    assert own.influence is not None
    noise = make_noise(
        own.beta,
        own.model_scale * sure.information.variances(),
        sure.clustering.lifted(own.influence),
        sure.clustering.df,
        own.clusters,
        correlated=False,
    )
    return Tried(places, own.beta, noise.variance)


def _models(
    found: Placed, names: Names, players: Ints, tried: set[int]
) -> tuple[ExpectedModel, ...]:
    return tuple(
        ExpectedModel(
            player=names.players[players[k]],
            family=None if names.families is None else names.families[players[k]],
            tried=k in tried,
            epp=float(found.mean[k]),
            low=float(found.low[k]),
            high=float(found.high[k]),
            p_average=float(found.p_win[k]),
            p_best=float(found.p_best[k]),
            gain=float(found.gain[k]),
        )
        for k in order_of(-found.mean).tolist()
    )


def _neighbours(found: Placed, tournaments: Sequence[str]) -> tuple[Neighbour, ...]:
    known = np.flatnonzero(~np.isnan(found.distance))
    order = known[order_of(found.distance[known])]
    return tuple(Neighbour(tournaments[k], float(found.distance[k])) for k in order.tolist())


def _doubts(found: Placed, tournaments: int) -> list[Note]:
    doubts = list[Note]()
    if tournaments < note.FEW_TOURNAMENTS:
        doubts.append(note.few_known(tournaments))
    asked = int((~np.isnan(found.ratios)).sum())
    if not asked:
        doubts.append(note.never_left_out())
    elif found.scale > 1.0:
        doubts.append(note.scaled_intervals(found.scale, asked))
    return doubts
