"""What the page's engine is told of a board: numbers to compute with, as types.

They are part of the page's JSON (`winodds.show.report.data`), whose rules hold for them, too.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from winodds.language.notes import Note, NoteKind
from winodds.language.options import Center, Estimator, IntervalKind, RankKind
from winodds.matches.results import MatchKind

Bits: TypeAlias = Literal["b9", "b10", "b11", "b12", "b13", "b14", "b15"]
Number: TypeAlias = Literal["u1", "u2", "u4", "f4", "f8"] | Bits


# Notes --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NoteData:
    """A note: its kind, the name by which it is known, and what it says."""

    kind: NoteKind
    name: str
    text: str

    @classmethod
    def of(cls, note: Note) -> "NoteData":
        """A note without its facts."""
        return cls(note.kind, note.name, note.text)


@dataclass(frozen=True, slots=True)
class FewNotes:
    """Notes on few clusters: one for each number of clusters, from 0 on, that is few.

    Attributes
    ----------
    of_board : on the board.
    of_row : on a player with fewer clusters than others.
    lost, won : on a player who lost, or won, in so few.
    """

    of_board: tuple[NoteData, ...]
    of_row: tuple[NoteData, ...]
    lost: tuple[NoteData, ...]
    won: tuple[NoteData, ...]


@dataclass(frozen=True, slots=True)
class RefitNotes:
    """What a refit may have to say.

    Attributes
    ----------
    won_all, lost_all : on a row.
    rare_share : of a player's clusters, up to which losses or wins in few of them are rare.
    no_information : on the board.
    few_clusters : on few clusters.
    few_rounds : on few rounds, which are the clusters when one of the pooled tournaments is left;
        None where nothing is pooled.
    """

    won_all: NoteData
    lost_all: NoteData
    rare_share: float
    no_information: NoteData
    few_clusters: FewNotes
    few_rounds: FewNotes | None


@dataclass(frozen=True, slots=True)
class OpenEnds:
    """Notes on ends of an interval that are open."""

    above: NoteData
    below: NoteData


# Numbers ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Packed:
    """An array of numbers.

    Attributes
    ----------
    type : of the numbers: natural ones of 9 to 15 bits, or of 1, 2 or 4 bytes, or floating ones of
        4 or 8 bytes.
    data : base64 of their little-endian bytes; of bits, the lowest of the first number come first.
    """

    type: Number
    data: str


@dataclass(frozen=True, slots=True)
class ScoresData:
    """Where every score stands among those that it could meet; R rounds, m players.

    Attributes
    ----------
    rounds : how many there are.
    code : (R, m) 0 for no run, 1 for a failed one, 2 for the lowest score, and so on.
    limit : (R, m) a score beats those whose code is below its limit; None where that is its code.
    weight : (R,) of the rounds; None where they are equal.
    cluster, tournament : (R,) numbers of those that the rounds belong to.
    """

    rounds: int
    code: Packed
    limit: Packed | None
    weight: Packed | None
    cluster: Packed
    tournament: Packed


@dataclass(frozen=True, slots=True)
class BattlesData:
    """Battles with the same players, outcome and cluster, added up; sorted by cluster.

    Attributes
    ----------
    first, second : (E,) the players.
    outcome : (E,) 0 lost, 1 tied, 2 won by the first.
    count : (E,) how many battles.
    weight, square : (E,) sums of their weights and squared weights; None where all weigh the same.
    cluster : (E,) their cluster; None where every battle is one.
    """

    first: Packed
    second: Packed
    outcome: Packed
    count: Packed
    weight: Packed | None
    square: Packed | None
    cluster: Packed | None


@dataclass(frozen=True, slots=True)
class PairsData:
    """Who met whom how often: the pairs (P,) and the weight of their matches."""

    first: Packed
    second: Packed
    weight: Packed


@dataclass(frozen=True, slots=True)
class CliquesData:
    """Who met whom how often: cliques (Q,) in which everybody meets everybody.

    Attributes
    ----------
    weight : (Q,) of a match.
    shares : (Q, m) each player's scores in a clique; None where nobody has more than one.
    bits : (Q, m) whether a player is in a clique, as single bits; None where everybody is in all,
        or there are shares.
    """

    weight: Packed
    shares: Packed | None
    bits: Packed | None


@dataclass(frozen=True, slots=True)
class ClustersData:
    """What G clusters carry of the matches of m players, and what they contribute to differences.

    Attributes
    ----------
    kept : whether the columns of the influence are clusters, so that their signs can decide.
    df : (m,) degrees of freedom of the ratings' errors.
    amount : (m,) weight of a player's matches.
    factor : (m,) on robust variances.
    lift : (m, G) or (G,) factors on squared influences; None where there is nothing to lift.
    share : (G,) of all matches, where everyone met everyone equally often, so that wins are
        compared; else None, and so are ``wins`` and ``won``. All four are None where the influence
        is, since they follow from the scores.
    wins : (m,) weighted.
    won : (m, G) twice the weighted wins in each cluster.
    widen : factor that makes deviations of ``won`` those of a variance.
    unit : of which all contributions are whole multiples; 0 where there is none.
    """

    kept: bool
    df: Packed
    amount: Packed
    factor: Packed
    lift: Packed | None
    share: Packed | None
    wins: Packed | None
    won: Packed | None
    widen: float
    unit: float


@dataclass(frozen=True, slots=True)
class FittedData:
    """What differences of the ratings of m players need; the ratings are on the board.

    Attributes
    ----------
    bias : (m,) that is left in the ratings.
    variances : (m,) diagonal of the inverse information.
    influence : (m, columns) what each cluster does to a rating; None for model-based intervals, and
        where it follows from the scores.
    clusters : what the clusters carry; None for model-based intervals.
    model_scale : factor on model-based variances.
    part : (m,) each player's set; all matches between two sets went one way.
    parts : how many sets there are.
    sets : (parts, parts) which set reaches which, as single bits; None where they are a chain.
    design : who met whom how often.
    match_weight : (R,) weight of a match in each round; None where all weigh the same, and for
        battles, which have their own.
    """

    bias: Packed
    variances: Packed
    influence: Packed | None
    clusters: ClustersData | None
    model_scale: float
    part: Packed
    parts: int
    sets: Packed | None
    design: PairsData | CliquesData
    match_weight: Packed | None


@dataclass(frozen=True, slots=True)
class ComponentData:
    """What the engine needs of players who met, numbered in the order of the board.

    Attributes
    ----------
    why_not_refit, why_not_compare : why a browser does not rate them anew, or not even compare
        them; None where it does.
    by_name : the players' numbers in the order of their names; None where nobody is rated anew.
    kind : of the matches.
    estimator, ridge : how ratings are found, and what a prior adds to the information.
    interval, level, test_fraction : how intervals are found.
    center : whose average is 0.
    nouns : one and several players, rounds and tournaments.
    units : the clusters, in a word.
    pooled : whether tournaments are the clusters because they are pooled.
    seed : of the signs that are flipped, as far as these take note of it: its last 32 bits.
    ranks : whether ends of rank ranges hold each for itself or all at once.
    notes : what a refit may have to say; None where there is none.
    games : what was played; None where that is too much.
    fitted : of a component that is compared but not rated anew.
    """

    why_not_refit: str | None
    why_not_compare: str | None
    by_name: Packed | None
    kind: MatchKind
    estimator: Estimator
    ridge: float
    interval: IntervalKind
    level: float
    center: Center
    test_fraction: float | None
    nouns: dict[str, list[str]]
    units: str
    pooled: bool
    seed: int
    ranks: RankKind
    notes: RefitNotes | None
    games: ScoresData | BattlesData | None
    fitted: FittedData | None


@dataclass(frozen=True, slots=True)
class Shipped:
    """What the engine needs of a board.

    Attributes
    ----------
    why_not_refit, why_not_compare : why the board is not rated anew, or why not all of its players
        can be compared; None where they are.
    components : players who met; a board on which everybody did has one.
    """

    why_not_refit: str | None
    why_not_compare: str | None
    components: tuple[ComponentData, ...]

    @property
    def large(self) -> bool:
        """Whether any of the components is too large to be rated anew."""
        return any(part.why_not_refit is not None for part in self.components)
