"""Places of a contest in sentences: prizes, zones, and what claims about them rest on."""

from winodds.language.words import count, level_words, list_names, list_some, percent
from winodds.show.words.sota import digits_of
from winodds.sota.answer import Sota
from winodds.sota.places.answer import Places, Prize


def describe_places(found: Sota, places: Places) -> str:
    """Whose the prizes could be, and how often such claims are wrong."""
    sentences = [_prize(found, prize, items=places.items) for prize in _told(places)]
    if places.apart is not None:
        share = percent(places.apart / places.pairs)
        sentences.append(
            f"Of {count(places.pairs, 'pair')} of entries {places.apart:,} ({share}) are told "
            f"apart."
        )
    chance = level_words(places.level)
    sentences.append(
        f"In {chance} of such contests no such claim is wrong. Who could have a prize need not be "
        f"likely to deserve it."
    )
    return " ".join(sentences)


def _told(places: Places) -> list[Prize]:
    """The first prize, and all of them."""
    return [places.prizes[0], *places.prizes[1:][-1:]]


def _prize(found: Sota, prize: Prize, *, items: bool) -> str:
    first = prize.places == 1
    which = "The first place" if first else f"The first {prize.places:,} places"
    if prize.decided:
        return f"{which} {'is' if first else 'are'} decided: {_decided(prize)}."
    show = digits_of(found)
    side = "more" if found.higher_is_better else "less"
    start = f"{which} could belong to any of {count(prize.entries, 'entry', 'entries')}"
    if items:
        return f"{start}."
    end = f"; ranks 1–{prize.entries:,} cannot be told apart." if first else "."
    return f"{start}, with scores of {show(prize.lowest)} or {side}{end}"


def _decided(prize: Prize) -> str:
    if prize.names is not None and all(prize.names):
        return list_names(prize.names)
    return "the best score" if prize.places == 1 else f"the {prize.places:,} best scores"


def who(prize: Prize) -> str:
    """Names of those who could have a prize."""
    if prize.names is None:
        return ""
    return list_some([name or "(no name)" for name in prize.names], shown=3)


def on_places(places: Places) -> str:
    """What claims about places rest on."""
    if places.items:
        return (
            "Claims about places rest on the cases on which two entries differ (McNemar's exact "
            "test), and need no correlation."
        )
    return (
        "Claims about places take entries to share as much luck as the correlation says; if they "
        "share less, more of them could have a prize."
    )
