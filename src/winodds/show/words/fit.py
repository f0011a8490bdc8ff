"""How well ratings fit, in plain words, for a terminal, a page or a paper."""

from collections.abc import Sequence

from winodds.arrays import EQUAL
from winodds.board.quality import Quality, QualityDifference, Triples, WorstPair
from winodds.language.words import count, rounded, settle
from winodds.show.words.verdicts import p_words

ESTIMATES = {
    "bias-reduced": "bias-reduced",
    "mle": "maximum-likelihood",
    "ridge": "ridge",
}


def describe_quality(quality: Quality) -> str:
    """Whether the ratings explain who beat whom."""
    nouns = quality.nouns
    if quality.df <= 0:
        return f"Two {nouns.players}, or a chain of them, always fit: there is nothing to check."
    both = ", each pair in both orders" if quality.convention == "paper" else ""
    start = (
        f"Deviance {rounded(quality.deviance, ',.1f')} on {_freedom(quality.df)} at the "
        f"{ESTIMATES[quality.estimate]} estimate{both} (standardised "
        f"{rounded(quality.standardised or 0.0, '.2f')}). "
    )
    drawn = (
        f"Tables drawn under such ratings have {rounded(quality.expected, ',.1f')} on average "
        f"({p_words(quality.p_value)}): "
    )
    return f"{start}{drawn}{_fit_verdict(quality)}.{_what_was_tested(quality)}"


def _fit_verdict(quality: Quality) -> str:
    nouns = quality.nouns
    several = quality.tournaments > 1
    where = f" on all {quality.tournaments:,} {nouns.tournaments}" if several else ""
    if settle(quality.p_value) <= 0.01:
        what = f"one rating for each {nouns.player}{where} does" if several else "the ratings do"
        return f"{what} not explain all of who beats whom"
    if settle(quality.p_value) <= 0.1:
        return (
            f"there is some doubt that one rating for each {nouns.player}{where} explains who "
            f"beats whom"
        )
    return "no sign that the ratings miss anything"


def _what_was_tested(quality: Quality) -> str:
    """A word on pooled boards, which players who are better on some tournaments make misfit."""
    nouns = quality.nouns
    if quality.tournaments == 1 or settle(quality.p_value) > 0.1:
        return ""
    return (
        f" That is usual where {nouns.players} are better on some {nouns.tournaments} than on "
        f"others; the ratings are averages over {nouns.tournaments}."
    )


def describe_chi2(quality: Quality) -> str:
    """What the χ² law would say of the deviance, and why it is not to be trusted."""
    why = "it takes all matches as independent, which they are not"
    if quality.kind == "battles":
        why = "it knows nothing of ties, and needs many battles of every pair"
    return f"The χ² law would say {p_words(quality.p_value_chi2)}; {why}."


def _freedom(df: int) -> str:
    return count(df, "degree of freedom", "degrees of freedom")


def describe_worst_pair(pair: WorstPair) -> str:
    """One pair that does not fit.

    >>> describe_worst_pair(WorstPair("A", "B", 3.0, 19.0, 12.13, -4.2))
    'A won 3 of 19 against B, where the ratings expect 12.1'
    >>> describe_worst_pair(WorstPair("A", "B", 3.1, 19.4, 12.13, -4.2, weighted=True))
    'A won 16% of the weighted matches against B, where the ratings expect 63%'
    """
    if pair.weighted:
        won, expected = pair.won / pair.matches, pair.expected / pair.matches
        return (
            f"{pair.first} won {rounded(won, '.0%')} of the weighted matches against "
            f"{pair.second}, where the ratings expect {rounded(expected, '.0%')}"
        )
    return (
        f"{pair.first} won {_plain(pair.won)} of {_plain(pair.matches)} against {pair.second}, "
        f"where the ratings expect {rounded(pair.expected, '.1f')}"
    )


def _plain(value: float) -> str:
    return rounded(value, ",.1f").removesuffix(".0")


def describe_triples(triples: Triples) -> str:
    """How many circles there are, whether that is many, and the clearest one."""
    usual = "" if triples.expected is None else f"; {_plain(triples.expected)} would be usual"
    if triples.count == 0:
        return f"Nobody beats in a circle: 0 of {count(triples.of, 'triple')}{usual}."
    a, b, c = triples.strongest[0]
    verb = "goes" if triples.count == 1 else "go"
    return (
        f"{triples.count:,} of {count(triples.of, 'triple')} {verb} in a circle{usual}: {a} beats "
        f"{b}, {b} beats {c}, and {c} beats {a} most of the time."
    )


def describe_quality_difference(found: QualityDifference) -> str:
    """Which of two boards fits better."""
    if found.first is None or found.second is None or found.difference is None:
        return "One of the boards has no degrees of freedom: it always fits."
    first, second = rounded(found.first, ".2f"), rounded(found.second, ".2f")
    facts = f"standardised deviance {first} against {second}"
    if abs(found.difference) < EQUAL or first == second:
        return f"Both boards have the same deviance for their size ({facts})."
    which = "first" if found.difference < 0.0 else "second"
    return f"The {which} board has the smaller deviance for its size ({facts})."


def describe_doubts(quality: Quality) -> Sequence[str]:
    """The worst pairs and the circles, in sentences."""
    lines = [f"{describe_worst_pair(pair)}." for pair in _missed(quality)]
    triples = quality.triples
    return [*lines, *([describe_triples(triples)] if triples is not None and triples.of else [])]


def _missed(quality: Quality) -> list[WorstPair]:
    return [pair for pair in quality.worst_pairs if abs(pair.residual) > EQUAL]


def short_fit(quality: Quality) -> str:
    """One line below a leaderboard."""
    if quality.df <= 0:
        return "Fit: nothing to check."
    return (
        f"Fit: {_fit_verdict(quality)} ({p_words(quality.p_value)}, deviance "
        f"{rounded(quality.deviance, ',.1f')} on {quality.df:,} df)."
    )
