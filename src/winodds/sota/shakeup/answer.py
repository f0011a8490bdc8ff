"""What two boards of one contest say together."""

from dataclasses import asdict, dataclass
from typing import Any, Literal

from winodds.language.notes import Note
from winodds.show import present
from winodds.sota.answer import Expected, Sota

SCHEMA = "winodds/shake-up/1"

Side = Literal["luck", "more", "less"]
"""Whether entries moved as far as luck moves them, farther, or less far."""

Cause = Literal["luck", "less_alike", "more_alike", "more"]
"""What explains the moves: luck with the correlation that was taken, or with a lower or a higher
one; or more than luck, however little alike entries are."""


@dataclass(frozen=True, slots=True)
class Promised:
    """The entry that led the public board, and what became of it.

    Attributes
    ----------
    name : None if several share the best score, or if it has no name.
    entries : how many share the best score, and are on both boards; their means follow.
    public, private : scores.
    expected : its private score, as the public board lets one expect it once luck is taken out,
        with an interval for the private score itself.
    rank : on the private board, among the entries that are on both.
    usual : that rank if it were chance which cases are public: its median and interval.
    """

    name: str | None
    entries: int
    public: float
    private: float
    expected: Expected
    rank: float
    usual: Expected


@dataclass(frozen=True, slots=True)
class Moves:
    """How many places entries moved, on average, and how many by luck alone.

    Attributes
    ----------
    seen : mean places.
    usual : the same if it were chance which cases are public: its mean and interval.
    correlation : ρ₀ with which that was computed.
    """

    seen: float
    usual: Expected
    correlation: float

    @property
    def side(self) -> Side:
        """Whether luck moves entries as far as they moved."""
        if self.seen > self.usual.high:
            return "more"
        return "less" if self.seen < self.usual.low else "luck"

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {**asdict(self), "side": self.side}


@dataclass(frozen=True, slots=True)
class Kept:
    """Entries that were among the first places of both boards.

    Attributes
    ----------
    places : how many first places.
    seen : entries among them on both boards.
    usual : the same if it were chance which cases are public: its mean and interval.
    """

    places: int
    seen: int
    usual: Expected


@dataclass(frozen=True, slots=True)
class Level:
    """By how much scores differ between the boards, on average.

    Attributes
    ----------
    change : mean private score minus mean public score.
    usual : as far from 0 the choice of the cases brings it, with the level's probability.
    """

    change: float
    usual: float

    @property
    def unusual(self) -> bool:
        """Whether the choice of the cases does not explain the change."""
        return abs(self.change) > self.usual


@dataclass(frozen=True, slots=True)
class ShakeUp(present.Presented):
    """What the public board of a contest promised, and what the private one shows.

    Attributes
    ----------
    public, private : the best of each board, without its luck.
    matched : entries that are on both boards and better than guessing.
    only_public, only_private : names on one board only.
    ambiguous : names that several entries of a board share, which cannot be matched.
    promised : the leader of the public board; None if it is not on the private one.
    moves, kept, level_change : how places and scores changed, and how far luck changes them.
    independent : the moves if entries had no luck in common, which is when luck moves them most.
    under : the moves under other correlations.
    correlation_seen : ρ₀ with which luck alone puts scores as far apart as they are, and its
        interval; None where too few entries tell it, or where scores differ by more than
        independent luck.
    level : of the intervals.
    higher_is_better : the direction of scores.
    notes : doubts, in sentences.
    """

    public: Sota
    private: Sota
    matched: int
    only_public: tuple[str, ...]
    only_private: tuple[str, ...]
    ambiguous: tuple[str, ...]
    promised: Promised | None
    moves: Moves
    kept: Kept
    level_change: Level
    independent: Moves
    under: tuple[Moves, ...]
    correlation_seen: Expected | None
    level: float
    higher_is_better: bool
    notes: tuple[Note, ...]

    @property
    def cause(self) -> Cause:
        """What explains how far entries moved."""
        if self.moves.side == "luck":
            return "luck"
        if self.moves.side == "less":
            return "more_alike"
        return "more" if self.independent.side == "more" else "less_alike"

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "schema": SCHEMA,
            "cause": self.cause,
            **asdict(self),
            "public": self.public.to_dict(),
            "private": self.private.to_dict(),
            "moves": self.moves.to_dict(),
            "independent": self.independent.to_dict(),
            "under": [one.to_dict() for one in self.under],
            "level_change": {**asdict(self.level_change), "unusual": self.level_change.unusual},
            "notes": [note.to_dict() for note in self.notes],
        }
