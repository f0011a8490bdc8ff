"""Which hyperparameters matter: their shares of the variance of true ratings.

Settings are players that differ in hyperparameters. They are looked at family by family, in each
tournament and over all of them; a single board is a season of one tournament. The numbers come from
`winodds.inference.anova`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from winodds.arrays import EQUAL, Floats, Ints, levels, order_of
from winodds.board import notes as note
from winodds.board.circumstances import Entrants
from winodds.board.components import Components
from winodds.board.errors import (
    Confounded,
    NoCommonScale,
    NoHyperparameters,
    NothingVaries,
    OnlyNoise,
    TooFewSettings,
    UnknownFamily,
)
from winodds.inference.anova import (
    BLOCKS,
    HALF,
    Column,
    Decomposition,
    PairFit,
    Shares,
    Terms,
    choose_pairs,
    decompose,
    expand,
    find_confounded,
    find_shares,
    join,
    rank_shares,
    share_of_noise,
)
from winodds.language.errors import DataError
from winodds.language.notes import Note
from winodds.show import present
from winodds.table.names import close_names
from winodds.table.settings import Setting
from winodds.workers import calm_threads

SCHEMA = "winodds/importance/1"

MOST_NOISE = 0.9
"""Share of noise in the variance of ratings above which there is nothing to share out …"""

ERRORS = 2.0
"""… or so many errors of that share below 1, where it can be by chance."""

OVERLAP = 0.1
"""Share that belongs to several hyperparameters together, from which on a note says so …"""

BY_CHANCE = 2.5
"""… unless it is below this by the root of the settings, as it can be by chance, and shares do not
add up to more than there is."""


# Results ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Share:
    """The share of a hyperparameter, or of a pair, in the variance of true ratings.

    Attributes
    ----------
    hyperparameters : its name, or the two names of a pair.
    share, low, high : with the ends of its interval; what noise makes negative is 0.
    rank, last : first and last rank that it can have among hyperparameters; those that cannot be
        told apart share one. None for a pair.
    total : its share with those of all its pairs; None for a pair.
    """

    hyperparameters: tuple[str, ...]
    share: float
    low: float
    high: float
    rank: int | None = None
    last: int | None = None
    total: float | None = None


@dataclass(frozen=True, slots=True)
class Breakdown:
    """The variance of true ratings in one tournament, or over all, shared out.

    Attributes
    ----------
    tournament : its name; None over all, and for a board that stands alone.
    settings : how many took part.
    hyperparameters : largest share first; none where noise leaves nothing to share out.
    pairs : largest share first; none where they were not looked at.
    rest : share that none of them explains.
    noise : share of noise in the variance of ratings, which was taken off before.
    """

    tournament: str | None
    settings: int
    hyperparameters: tuple[Share, ...]
    pairs: tuple[Share, ...]
    rest: float
    noise: float


@dataclass(frozen=True, slots=True)
class FamilyImportance:
    """Which hyperparameters of a family matter.

    Attributes
    ----------
    family : its name; None where no families are known.
    overall : the mean over tournaments, or the only one.
    tournaments : each of several tournaments.
    constant : hyperparameters that are the same in all settings, and so have no share.
    notes : scope and doubts, in sentences.
    """

    family: str | None
    overall: Breakdown
    tournaments: tuple[Breakdown, ...]
    constant: tuple[str, ...]
    notes: tuple[Note, ...]


@dataclass(frozen=True, slots=True)
class Importance:
    """Which hyperparameters matter, by family.

    Attributes
    ----------
    families : in the order of their names.
    refused : families of which it cannot be told, with the reason.
    level : coverage of the intervals.
    """

    families: tuple[FamilyImportance, ...]
    refused: Mapping[str, str]
    level: float

    def __getitem__(self, family: str | None) -> FamilyImportance:
        """What was found of a family; None where no families are known."""
        found = next((one for one in self.families if one.family == family), None)
        if found is None:
            raise KeyError(family)
        return found

    def __iter__(self) -> Iterator[FamilyImportance]:
        return iter(self.families)

    @property
    def text(self) -> str:
        """Which hyperparameters matter, in words."""
        return present.describe_importance(self)

    def __str__(self) -> str:
        return self.text

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        families = [
            {
                "family": one.family,
                "overall": asdict(one.overall),
                "tournaments": [asdict(own) for own in one.tournaments],
                "constant": list(one.constant),
                "notes": [own.to_dict() for own in one.notes],
            }
            for one in self.families
        ]
        return {
            "schema": SCHEMA,
            "level": self.level,
            "families": families,
            "refused": dict(self.refused),
        }


# Boards → results ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Contest:
    """A tournament in which players took part.

    Attributes
    ----------
    name : of the tournament; None for a board that stands alone.
    places : (m,) numbers of its players among all, in the order of its board.
    components : their games and ratings, in the same order.
    """

    name: str | None
    places: Ints
    components: Components


def weigh_hyperparameters(
    entrants: Entrants,
    contests: Sequence[Contest],
    *,
    family: str | None,
    level: float,
    seed: int,
) -> Importance:
    """Shares of the hyperparameters, by family.

    Parameters
    ----------
    entrants : all players, with their families and hyperparameters.
    contests : the tournaments.
    family : the only one to be looked at; None for all.
    level : coverage of intervals.
    seed : of the blocks of settings that are left out in turn.

    Raises
    ------
    UnknownFamily, NoHyperparameters : if there is nothing of the kind.
    DataError : if the only family, or each of several, cannot be told of.
    """
    if not entrants.settings:
        raise NoHyperparameters()
    found, refused = [], dict[str, DataError]()
    with calm_threads(len(entrants.names)):
        for name, members in _families(entrants, family).items():
            try:
                found.append(_weigh_family(entrants, contests, name, members, level, seed))
            except DataError as error:
                refused[str(name)] = error
    if not found:
        raise next(iter(refused.values()))
    return Importance(tuple(found), {name: str(why) for name, why in refused.items()}, level)


def _families(entrants: Entrants, family: str | None) -> dict[str | None, Ints]:
    """Numbers of the players of each family that is asked for."""
    if entrants.families is None:
        if family is not None:
            raise UnknownFamily(family=family, close=(), known=False)
        return {None: np.arange(len(entrants.names))}
    own = np.array(entrants.families)
    names = sorted(set(entrants.families))
    if family is not None and family not in names:
        raise UnknownFamily(family=family, close=close_names(family, names))
    chosen = names if family is None else [family]
    return {name: np.flatnonzero(own == name) for name in chosen}


def _weigh_family(
    entrants: Entrants,
    contests: Sequence[Contest],
    family: str | None,
    members: Ints,
    level: float,
    seed: int,
) -> FamilyImportance:
    assert entrants.settings is not None
    own = {
        name: [values[k] for k in members.tolist()] for name, values in entrants.settings.items()
    }
    given = {name: _encode(values) for name, values in own.items() if _is_given(values)}
    varied = {name: column for name, column in given.items() if column.varies}
    if not varied:
        raise NothingVaries(family=family, settings=members.size, hyperparameters=list(given))
    terms = expand(list(varied.values()))
    _check(family, varied, terms)
    entries, notes = _enter(entrants, contests, family, members, varied, terms)
    noise = float(np.mean([entry.noise for entry in entries]))
    if noise > _most_noise(sum(entry.rows.size for entry in entries)):
        raise OnlyNoise(family=family, settings=members.size, noise=noise)
    block = _blocks(entries, list(varied.values()), seed)
    found, fits = _decompose_all(entries, terms, block, noisy=noise > HALF)
    writer = _Writer(list(varied), terms, level)
    shares = find_shares(found, np.array([entry.df for entry in entries]))
    overall = writer.write(shares, None, members.size, noise)
    notes += _notes(family, varied, terms, fits, shares, overall)
    constant = tuple(name for name in given if name not in writer.told)
    each = _each(found, entries, writer) if len(contests) > 1 else ()
    return FamilyImportance(family, overall, each, constant, tuple(notes))


def _most_noise(ratings: int) -> float:
    """Share of noise up to which so many ratings surely differ by more than their errors.

    If they are nothing but noise, the share varies around 1, about as 1/χ² does.
    """
    return min(MOST_NOISE, 1.0 - ERRORS * float(np.sqrt(2.0 / ratings)))


def _is_given(values: Sequence[Setting]) -> bool:
    """Whether any setting of the family has a value."""
    return any(value is not None for value in values)


def _encode(values: Sequence[Setting]) -> Column:
    """Numbers as they are, categories by number; NaN where it is not set."""
    words = sorted({value for value in values if isinstance(value, str)})
    number = {word: float(k) for k, word in enumerate(words)}
    coded = [
        np.nan if value is None else number[value] if isinstance(value, str) else value
        for value in values
    ]
    return Column(np.array(coded, np.float64), ordered=not words)


def _check(family: str | None, columns: Mapping[str, Column], terms: Terms) -> None:
    """Refuse settings that are too few, or that leave hyperparameters confounded."""
    settings, needed, names = terms.design.shape[0], terms.needed("none"), list(columns)
    if settings < needed:
        widest = int(terms.width[: terms.singles].argmax())
        name, size = names[terms.columns[widest][0]], int(terms.width[widest])
        raise TooFewSettings(
            family=family,
            settings=settings,
            needed=needed,
            hyperparameters=terms.singles,
            widest=None if columns[name].ordered else name,
            kinds=size + 1,
        )
    confounded = find_confounded(terms)
    if confounded:
        raise Confounded(family=family, hyperparameters=[names[k] for k in confounded])


# One tournament -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Entry:
    """The settings of a family in one tournament.

    Attributes
    ----------
    name : of the tournament.
    rows : (n,) their numbers in the family.
    rating, influence : (n,), (n, G).
    df : degrees of freedom of clusters.
    noise : share of noise in the variance of ratings.
    """

    name: str | None
    rows: Ints
    rating: Floats
    influence: Floats
    df: float
    noise: float


def _enter(
    entrants: Entrants,
    contests: Sequence[Contest],
    family: str | None,
    members: Ints,
    columns: Mapping[str, Column],
    terms: Terms,
) -> tuple[list[_Entry], list[Note]]:
    """The tournaments that can be used, and notes on the others."""
    entries, notes, errors = [], list[Note](), list[DataError]()
    for contest in contests:
        place = np.full(len(entrants.names), -1)
        place[contest.places] = np.arange(contest.places.size)
        rows = np.flatnonzero(place[members] >= 0)
        try:
            if rows.size < members.size:
                _check(family, columns, terms.take(rows))
            own = place[members[rows]]
            entries.append(_look(contest, rows, own, entrants.names, family))
        except DataError as error:
            errors.append(error)
            notes.append(note.left_out(str(contest.name), str(error)))
    if not entries:
        raise errors[0]
    return entries, notes


def _look(
    contest: Contest, rows: Ints, own: Ints, players: Sequence[str], family: str | None
) -> _Entry:
    """Ratings and their errors at these places of a board, which must share a scale."""
    component = contest.components.number()[own]
    apart = np.flatnonzero(component != component[0])
    if apart.size:
        first, second = (players[contest.places[own[k]]] for k in (0, int(apart[0])))
        raise NoCommonScale(first=first, second=second)
    inside = own - contest.components.starts[int(component[0])]
    found = contest.components[int(component[0])].uncertainty_by("robust")
    influence = found.intervals.influence
    assert influence is not None
    rating = found.intervals.beta[inside]
    lifted = found.clustering.lifted(influence)[inside]
    if np.ptp(rating) < EQUAL:
        raise OnlyNoise(family=family, settings=rows.size, noise=1.0)
    noise = share_of_noise(rating, lifted)
    return _Entry(contest.name, rows, rating, lifted, found.clustering.typical, noise)


def _blocks(entries: Sequence[_Entry], columns: Sequence[Column], seed: int) -> Ints:
    """(n,) random blocks of settings, which do not depend on names and the order of rows."""
    settings = columns[0].value.size
    total, number = np.zeros(settings), np.zeros(settings)
    for entry in entries:
        total[entry.rows] += entry.rating
        number[entry.rows] += 1.0
    level = levels(total / np.maximum(number, 1.0))
    order = np.lexsort((*(column.value for column in reversed(columns)), level))
    block = np.empty(settings, np.int64)
    block[order] = np.random.default_rng(seed).permutation(settings) % BLOCKS
    return block


def _decompose_all(
    entries: Sequence[_Entry], terms: Terms, block: Ints, *, noisy: bool
) -> tuple[Decomposition, list[tuple[PairFit, int]]]:
    """The variances in all tournaments, those with the same settings at once.

    Beside it, for each of them, how pairs were fitted, on how many settings. Where ratings are
    noise for the most part, pairs are not looked at.
    """
    alike: dict[bytes, list[int]] = {}
    for number, entry in enumerate(entries):
        alike.setdefault(entry.rows.tobytes(), []).append(number)
    parts, fits = [], list[tuple[PairFit, int]]()
    for numbers in alike.values():
        own, rows = [entries[k] for k in numbers], entries[numbers[0]].rows
        some = terms.take(rows)
        pairs: PairFit = "none" if noisy else choose_pairs(some)
        fits += [(pairs, rows.size)] * len(own)
        rating = np.column_stack([entry.rating for entry in own])
        influence = np.zeros((*rating.shape, max(entry.influence.shape[1] for entry in own)))
        for k, entry in enumerate(own):
            influence[:, k, : entry.influence.shape[1]] = entry.influence
        parts.append(decompose(some, rating, influence, block[rows], pairs))
    order = np.argsort([k for numbers in alike.values() for k in numbers])
    return join(parts).take(order), fits


# Numbers → names ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Writer:
    """Names of the hyperparameters, and the terms that they take part in."""

    names: Sequence[str]
    terms: Terms
    level: float

    @property
    def told(self) -> set[str]:
        """Hyperparameters that have a share."""
        return {self.names[own[0]] for own in self.terms.columns if len(own) == 1}

    def write(
        self, shares: Shares, tournament: str | None, settings: int, noise: float
    ) -> Breakdown:
        """Shares by name, the largest first."""
        singles = self.terms.singles
        half = shares.half_widths(self.level)
        low, high = (np.clip(shares.value + sign * half, 0.0, 1.0) for sign in (-1.0, 1.0))
        value = np.clip(shares.value, 0.0, 1.0)
        rank, last = rank_shares(shares, singles, self.level)
        total = self._totals(shares.value)
        order = order_of(-shares.value[:singles]).tolist()
        pairs = singles + np.flatnonzero(~np.isnan(value[singles:]))
        ordered = pairs[order_of(-shares.value[pairs])].tolist() if pairs.size else []

        def share(k: int) -> tuple[tuple[str, ...], float, float, float]:
            names = tuple(self.names[column] for column in self.terms.columns[k])
            return names, float(value[k]), float(low[k]), float(high[k])

        return Breakdown(
            tournament=tournament,
            settings=settings,
            hyperparameters=tuple(
                Share(*share(k), int(rank[k]), int(last[k]), float(total[k])) for k in order
            ),
            pairs=tuple(Share(*share(k)) for k in ordered),
            rest=float(np.clip(shares.rest, 0.0, 1.0)),
            noise=noise,
        )

    def _totals(self, value: Floats) -> Floats:
        """(singles,) the share of each hyperparameter with those of its pairs."""
        known = np.nan_to_num(value)
        columns = self.terms.columns
        total = [
            sum(known[k] for k, own in enumerate(columns) if columns[single][0] in own)
            for single in range(self.terms.singles)
        ]
        return np.clip(np.maximum(total, known[: self.terms.singles]), 0.0, 1.0)


def _each(
    found: Decomposition, entries: Sequence[_Entry], writer: _Writer
) -> tuple[Breakdown, ...]:
    """Every tournament for itself."""
    each = []
    for number, entry in enumerate(entries):
        if entry.noise > _most_noise(entry.rows.size):
            nothing = Breakdown(entry.name, entry.rows.size, (), (), 0.0, min(entry.noise, 1.0))
            each.append(nothing)
            continue
        shares = find_shares(found.take(np.array([number])), np.array([entry.df]))
        own = writer.write(shares, entry.name, entry.rows.size, entry.noise)
        each.append(replace(own, pairs=()) if entry.noise > HALF else own)
    return tuple(each)


def _notes(
    family: str | None,
    varied: Mapping[str, Column],
    terms: Terms,
    fits: Sequence[tuple[PairFit, int]],
    shares: Shares,
    overall: Breakdown,
) -> list[Note]:
    """What to know of the shares of a family."""
    found, settings = list[Note](), overall.settings
    for number, (name, column) in enumerate(varied.items()):
        given = int((~np.isnan(column.value)).sum())
        if given < settings:
            counted = number in terms.flagged
            found.append(note.sometimes_set(name, given, settings, counted=counted))
    if overall.noise > HALF:
        found.append(note.mostly_noise(family, overall.noise))
    elif terms.singles < len(terms.columns):
        found += _notes_on_pairs(family, terms, fits)
    several = abs(shares.together) > max(OVERLAP, BY_CHANCE / np.sqrt(settings))
    total = sum(one.share for one in overall.hyperparameters)
    if several or (shares.together < -OVERLAP and total > 1.0 + OVERLAP):
        found.append(note.varied_together(family, shares.together))
    return found


def _notes_on_pairs(
    family: str | None, terms: Terms, fits: Sequence[tuple[PairFit, int]]
) -> list[Note]:
    """What to know of pairs, from how they were fitted in each tournament, on how many settings."""
    found, of, enough = list[Note](), len(fits), terms.needed("together")
    few = [settings for fit, settings in fits if fit == "one by one" and settings < enough]
    if few:
        found.append(note.pairs_one_by_one(family, min(few), enough, len(few), of))
    none = [settings for fit, settings in fits if fit == "none"]
    if none:
        needed = terms.needed("one by one")
        found.append(note.without_pairs(family, min(none), needed, len(none), of))
    if any(fit == "one by one" and settings >= enough for fit, settings in fits):
        found.append(note.pairs_alike(family))
    return found
