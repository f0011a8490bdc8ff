"""How much time is left, told from the steps that are done."""

from collections import deque
from time import monotonic

from winodds.language.words import count

LATELY = 8
"""Steps by which the pace is told: what was known already went by in no time, and is over."""

SHORTEST = 5.0
"""Seconds below which nothing is said."""


class Pace:
    """The pace of like steps, one after the other."""

    def __init__(self, steps: int) -> None:
        self._steps = steps
        self._begun: deque[float] = deque(maxlen=LATELY + 1)

    def begin(self, done: int) -> str:
        """Note that a step begins after so many; how long the rest may take, if that is known."""
        self._begun.append(monotonic())
        past = len(self._begun) - 1
        if not past:
            return ""
        each = (self._begun[-1] - self._begun[0]) / past
        return describe_left(each * (self._steps - done))


def describe_left(seconds: float) -> str:
    """A time to wait, in words; nothing where it is short.

    >>> describe_left(2.0), describe_left(41.0), describe_left(60.0 * 14.4), describe_left(5400.0)
    ('', 'about 40 seconds left', 'about 14 minutes left', 'about 90 minutes left')
    """
    if seconds < SHORTEST:
        return ""
    if seconds < 100.0:
        return f"about {count(10 * max(round(seconds / 10), 1), 'second')} left"
    return f"about {count(round(seconds / 60), 'minute')} left"
