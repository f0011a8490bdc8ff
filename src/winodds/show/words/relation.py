"""How mean scores go with ratings, in words."""

from winodds.board.relation import OffTheLine, Relation
from winodds.language.nouns import Nouns
from winodds.language.words import list_some, rounded

MANY = 100
"""Times beyond which a number would say more than anybody needs."""


def describe_relation(found: Relation) -> str:
    """How closely mean scores follow the ratings, in which shape, and who does not."""
    nouns = found.nouns
    r = found.line.correlation
    start = (
        "The mean scores are all equal."
        if r is None
        else f"Mean scores of {nouns.player.count(found.players)} and ratings correlate with "
        f"{rounded(r, '.2f')}."
    )
    return " ".join(filter(None, [start, describe_shape(found), describe_off(found)]))


def describe_shape(found: Relation | None) -> str:
    """Whether a line or a curve describes the players better; nothing where nobody can tell."""
    if found is None or found.curve is None:
        return ""
    shares = (
        f"R² {rounded(found.curve.r_squared, '.3f')} against {rounded(found.line.r_squared, '.3f')}"
    )
    if found.shape == "S-shaped":
        return f"A logistic curve describes them better than the line ({shares})."
    return f"A logistic curve describes them no better than the line ({shares})."


def describe_off(found: Relation | None) -> str:
    """Who is far from the relation, and whether unstable scores explain it."""
    if found is None or not found.off:
        return ""
    return f"Far from it: {list_some([_describe(one, found.nouns) for one in found.off])}."


def _describe(one: OffTheLine, nouns: Nouns) -> str:
    side = "above" if one.off > 0.0 else "below"
    start = f"{one.player} (mean score {rounded(one.mean_score, '.4g')}, {side} the "
    start += f"{rounded(one.expected, '.4g')} that go with its rating"
    if not one.unstable:
        return f"{start})"
    times = (
        f"{rounded(one.spread, '.1f')} times" if one.spread < MANY else f"more than {MANY} times"
    )
    return f"{start}; its scores vary over {nouns.rounds} {times} as much as usual)"
