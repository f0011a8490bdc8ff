"""What there is to say of the first seat of battles, in sentences."""

from winodds.board.leaderboard import Leaderboard
from winodds.board.seats import Seat
from winodds.language.words import count, level_words, percent, rounded
from winodds.show.words.verdicts import end_of_hundred, of_hundred


def is_seated(board: Leaderboard) -> bool:
    """Whether the board was asked for the first seat, and can still tell."""
    return bool(board.how.options.get("seat")) and board.whole


def describe_seat(found: Seat) -> str:
    """What the first seat is worth between equals, and whom it moves most."""
    chance, most = found.chance, found.moved
    low = end_of_hundred(chance.low or 0.0, inside=found.effect.low is not None)
    high = end_of_hundred(chance.high or 0.0, inside=found.effect.high is not None)
    half = "a tie counts half; " if found.ties else ""
    told = "" if found.told else "; the data cannot tell that from 50"
    battles = found.first_won + found.second_won + found.ties
    return (
        f"The first seat wins {of_hundred(chance.value)} battles between equals ({half}"
        f"{level_words(found.level)} interval {low} to {high}; {count(battles, 'battle')}){told}. "
        f"On a neutral seat, the rating that changes most is that of {most.player}, who sat first "
        f"in {percent(most.first)} of its battles: {rounded(most.neutral, '.2f')} in EPP instead "
        f"of {rounded(most.epp, '.2f')}."
    )
