"""What a board tells about places: prizes, zones, and ranges of places."""

from dataclasses import asdict, dataclass, replace
from typing import Any


@dataclass(frozen=True, slots=True)
class Prize:
    """The first places, and who could belong to them.

    Attributes
    ----------
    places : how many.
    entries : how many could belong to them.
    lowest : the lowest of their scores.
    names : theirs by score, where they are known.
    """

    places: int
    entries: int
    lowest: float
    names: tuple[str, ...] | None

    @property
    def decided(self) -> bool:
        """Whether it is known who they are."""
        return self.entries == self.places


@dataclass(frozen=True, slots=True)
class Zone:
    """Entries of which no two can be told apart.

    Attributes
    ----------
    first, last : their ranks, counted without regard to equal scores.
    high, low : the best and the worst of their scores.
    """

    first: int
    last: int
    high: float
    low: float


@dataclass(frozen=True, slots=True)
class Placed:
    """An entry, its rank by score, and the best and worst place that it truly could have."""

    name: str | None
    score: float
    rank: int
    best: int
    worst: int


@dataclass(frozen=True, slots=True)
class Under:
    """A correlation, and how many could belong to the first place and to all prizes."""

    correlation: float
    first: int
    all_prizes: int


@dataclass(frozen=True, slots=True)
class Places:
    """What a board tells about places.

    Attributes
    ----------
    level : probability that no claim is wrong.
    items : whether it rests on who was right on which case, else on the correlation.
    correlation : ρ₀.
    entries : of which it is told.
    prizes : the first place, the first two, and so on.
    zones, ranges : of all entries, if they were asked for.
    pairs, apart : of all entries, and how many are told apart.
    under : correlations, and how many could belong to the first place and to all prizes.
    """

    level: float
    items: bool
    correlation: float
    entries: int
    prizes: tuple[Prize, ...]
    zones: tuple[Zone, ...] | None
    ranges: tuple[Placed, ...] | None
    pairs: int
    apart: int | None
    under: tuple[Under, ...]

    def turned(self) -> "Places":
        """The same for scores of which less is better, which were turned around before."""
        zones = self.zones and tuple(replace(z, high=-z.high, low=-z.low) for z in self.zones)
        ranges = self.ranges and tuple(replace(one, score=-one.score) for one in self.ranges)
        prizes = tuple(replace(prize, lowest=-prize.lowest) for prize in self.prizes)
        return replace(self, prizes=prizes, zones=zones, ranges=ranges)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        prizes = [{**asdict(prize), "decided": prize.decided} for prize in self.prizes]
        return {**asdict(self), "prizes": prizes}
