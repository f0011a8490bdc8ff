"""The course of a race with the settings' names: what was paid for, and decided, step by step."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

from winodds.language.plain import to_plain
from winodds.show import present
from winodds.tune.prospects import Prospects
from winodds.tune.race import Race
from winodds.tune.rules import Claim, Strategy
from winodds.tune.steps import STATES, Act, End, Reason, State

if TYPE_CHECKING:
    from winodds.show.charts.plots import Plots
    from winodds.show.figures.races import RaceFigures


UNTOLD = ("race", "board")
"""What plain data leave out: objects that are too large, and told by the rest."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What was decided about one setting.

    Attributes
    ----------
    setting : its name.
    act : "dropped" (for good), "parked" (not paid for at present) or "back" from parking.
    reason : of a drop "refuted"; of parking "unlikely" to be better than the leader, "crowded" out
        by likelier ones, or "failed" to fit; of coming back "possible" again.
    paid : splits that were paid for it.
    value : what the purses of a drop have grown to; else the chance to be truly better than the
        leader.
    """

    setting: str
    act: Act
    reason: Reason
    paid: int
    value: float

    @property
    def chance(self) -> float | None:
        """The chance to be truly better than the leader, where that is the reason."""
        return None if self.reason in ("refuted", "failed") else self.value


@dataclass(frozen=True, slots=True)
class Moment:
    """A race after one of its steps.

    Attributes
    ----------
    fits : that were paid for until then.
    split : splits that the first settings have.
    left, parked, dropped : how many settings.
    leader : who would be chosen.
    p_best : its estimated chance to be truly the best.
    plateau : whether so many are about equally good that chances to be best say too much.
    turns : what was decided.
    """

    fits: int
    split: int
    left: int
    parked: int
    dropped: int
    leader: str
    p_best: float
    plateau: bool
    turns: tuple[Turn, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Course(present.Presented):
    """What a race did.

    Attributes
    ----------
    settings, splits : how many there are.
    fits, all_fits : that the race paid for, and that a full search would have.
    choice : the setting that the race chose.
    state : "left", "parked" or "dropped", by setting, in the order of the race's settings.
    paid : splits that each setting was paid for, likewise.
    moments : the race step by step.
    end : why it ended.
    strategy, alpha, claim : how it was run, and what is claimed of drops, with which error rate.
    prospects : what one more setting promises; None where nobody asked.
    race : the `Race` itself, which knows the settings by their numbers.
    """

    settings: int
    splits: int
    fits: int
    all_fits: int
    choice: str
    state: Mapping[str, State]
    paid: Mapping[str, int]
    moments: tuple[Moment, ...]
    end: End
    strategy: Strategy
    alpha: float
    claim: Claim
    prospects: Prospects | None = None
    race: Race = field(compare=False, repr=False)

    @property
    def share(self) -> float:
        """The share of fits that the race paid for."""
        return self.fits / self.all_fits

    def in_order(self) -> list[str]:
        """The settings: first the choice, then those left, parked and dropped, by splits paid."""

        def place(name: str) -> tuple[bool, int, int, str]:
            return name != self.choice, STATES.index(self.state[name]), -self.paid[name], name

        return sorted(self.state, key=place)

    def last_turns(self) -> dict[str, Turn]:
        """The last decision about each setting of which there was one."""
        return {turn.setting: turn for moment in self.moments for turn in moment.turns}

    def comebacks(self) -> dict[str, int]:
        """How often each setting came back after it was parked, of those that did."""
        back = (turn for moment in self.moments for turn in moment.turns if turn.act == "back")
        return dict(Counter(turn.setting for turn in back))

    @property
    def text(self) -> str:
        """All that in a paragraph."""
        return present.describe_course(self)

    @property
    def figures(self) -> "RaceFigures":
        """The pictures of the race as tables: ``figures.race()``, ``.ratings()``, ``.spent()``."""
        return present.RaceFigures(self)

    @property
    def plot(self) -> "Plots":
        """The pictures, drawn."""
        return present.Plots(self.figures)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        told = {"share": self.share, "text": self.text}
        own = {one.name: getattr(self, one.name) for one in fields(self) if one.name not in UNTOLD}
        return {**to_plain(own), **told}


def course_of(race: Race, names: Sequence[str], prospects: Prospects | None = None) -> Course:
    """The course of a race that has ended, whose settings have these names."""
    return Course(**tell_course(race, names), prospects=prospects)


def tell_course(race: Race, names: Sequence[str]) -> dict[str, Any]:
    """The fields of a `Course`."""
    assert race.end is not None
    last = race.steps[-1]
    return {
        "settings": race.settings,
        "splits": race.splits,
        "fits": race.fits,
        "all_fits": race.settings * race.splits,
        "choice": names[race.choice],
        "state": {name: STATES[own] for name, own in zip(names, last.state.tolist(), strict=True)},
        "paid": dict(zip(names, race.paid.tolist(), strict=True)),
        "moments": tuple(_moments(race, names)),
        "end": race.end,
        "strategy": race.rules.strategy,
        "alpha": race.rules.alpha,
        "claim": race.rules.claim,
        "race": race,
    }


def _moments(race: Race, names: Sequence[str]) -> list[Moment]:
    return [
        Moment(
            fits=int(step.paid.sum()),
            split=step.split,
            left=int(step.left.size),
            parked=int(step.parked.size),
            dropped=int(step.dropped.size),
            leader=names[step.leader],
            p_best=float(step.p_best[step.leader]),
            plateau=step.plateau,
            turns=tuple(
                Turn(names[one.setting], one.act, one.reason, one.paid, one.value)
                for one in step.decisions
            ),
        )
        for step in race.steps
    ]
