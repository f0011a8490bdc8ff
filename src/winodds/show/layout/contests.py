"""Places and pairs of boards of a contest as small tables of words."""

from winodds.show.layout.document import Block, Table, paragraph
from winodds.show.layout.grid import Grid, make_table, numbers, words
from winodds.show.words import places as on
from winodds.show.words.sota import digits_of
from winodds.sota.answer import Sota
from winodds.sota.places.answer import Places, Zone

ZONES_SHOWN = 20


def places_blocks(found: Sota) -> tuple[Block, ...]:
    """Whose the prizes could be, if that was asked."""
    places = found.places
    if places is None:
        return ()
    zones = [] if places.zones is None else [Table(zones_grid(found, places))]
    under = [Table(under_grid(places))] if places.under else []
    more = len(places.zones or ()) - ZONES_SHOWN
    left = [paragraph(f"And {more:,} more zones; JSON has them all.")] if more > 0 else []
    said = paragraph(on.describe_places(found, places))
    return said, Table(prizes_grid(found, places)), *zones, *left, *under


def places_rest_on(found: Sota) -> tuple[str, ...]:
    """What that rests on."""
    return () if found.places is None else (on.on_places(found.places),)


def prizes_grid(found: Sota, places: Places) -> Grid:
    """Who could belong to the first places."""
    show = digits_of(found)
    columns = [
        (words("places"), [_places(one.places) for one in places.prizes]),
        (numbers("entries"), [f"{one.entries:,}" for one in places.prizes]),
        (numbers("lowest score"), [show(one.lowest) for one in places.prizes]),
    ]
    if places.prizes[0].names is not None:
        columns.append((words("could belong to"), [on.who(one) for one in places.prizes]))
    return make_table(columns)


def _places(number: int) -> str:
    return "first" if number == 1 else f"first {number:,}"


def zones_grid(found: Sota, places: Places) -> Grid:
    """Which entries cannot be told apart."""
    show, zones = digits_of(found), (places.zones or ())[:ZONES_SHOWN]
    return make_table(
        [
            (words("not told apart"), [_ranks(one) for one in zones]),
            (numbers("scores"), [f"{show(one.high)} … {show(one.low)}" for one in zones]),
        ]
    )


def _ranks(zone: Zone) -> str:
    alone = zone.first == zone.last
    return f"rank {zone.first:,}" if alone else f"ranks {zone.first:,}–{zone.last:,}"


def under_grid(places: Places) -> Grid:
    """How many could have a prize under other correlations."""
    every = len(places.prizes)
    columns = [
        (numbers("correlation"), [f"{one.correlation:.3g}" for one in places.under]),
        (numbers("could be first"), [f"{one.first:,}" for one in places.under]),
    ]
    if every > 1:
        head = numbers(f"could be in first {every:,}")
        columns.append((head, [f"{one.all_prizes:,}" for one in places.under]))
    return make_table(columns)
