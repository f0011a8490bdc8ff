"""What tuning gains: the best setting of each family against its default.

The gain is a chance: that of the best setting of a family to beat the default in a new round; ½ is
no gain. It is told three ways (`winodds.season.chances`), and its mean over tournaments is that of
held-out picks. Beside it stands the tunability of Probst, Boulesteix and Bischl (2019): the best
mean score minus that of the default, in the metric's own units, with the luck of the pick.

Without a default the median setting stands in for it: that of the middle rating, of an even number
the lower of the two. In rounds left out it is the median on the others.

A default that others have found is the third setting: the one with the best mean chance against the
average player in the *other* tournaments, above its family's mean there, with one tournament at par
added (the optimal default of Probst et al., one tournament left out). What it gains over the
default is had without tuning; what the best gains over it is left for tuning.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, TypeAlias

import numpy as np
from scipy.special import expit

from winodds.arrays import Bools, Floats, Ints, at_least, order_of, sum_by
from winodds.board.errors import UnknownFamily
from winodds.board.leaderboard import Leaderboard
from winodds.language.errors import BadOption
from winodds.language.nouns import HOUSE, Nouns
from winodds.season.chances import (
    Chance,
    Chances,
    Contest,
    MeanChance,
    name_chance,
    name_mean,
    nothing,
    stack,
)
from winodds.season.contests import label_players, make_contests, members_of
from winodds.season.errors import (
    NoDefault,
    NothingToTune,
    NotOfFamily,
    SeveralDefaults,
)
from winodds.season.picks import HeldOut, always, choose_best, choose_median, gather
from winodds.show import present
from winodds.table.names import close_names

SCHEMA = "winodds/tunability/1"

Default: TypeAlias = Mapping[str, str] | str | Callable[[str], bool] | None
"""How defaults are named: by family, by an ending of their names, by a rule, or not at all."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Who plays for which family in one tournament, each array (m_t,) in the order of its board.

    Attributes
    ----------
    player : numbers of the players in the season, −1 for players of no family.
    family : numbers of their families, −1 likewise.
    default : whether a player is its family's default; None where the median stands in.
    """

    player: Ints
    family: Ints
    default: Bools | None


@dataclass(frozen=True, slots=True)
class Gains:
    """Gains of F families in T tournaments.

    Attributes
    ----------
    best, default : (T, F) places on the board of the best setting and of the default; −1 where
        the family has not both.
    settings : (T, F) among how many the best is; 0 likewise.
    gain : (T, F) chances of the best against the default.
    score : (T, F) best mean score minus that of the default; NaN without.
    known : (T, F) chances of the best setting of the other tournaments against the default.
    beyond : (T, F) chances of the best against that one.
    recommended : (F,) number of the player that is best over all tournaments; −1 for none.
    """

    best: Ints
    default: Ints
    settings: Ints
    gain: Chances
    score: Floats
    known: Chances
    beyond: Chances
    recommended: Ints


def measure_gains(
    contests: Sequence[Contest], settings: Sequence[Settings], players: int, families: int
) -> Gains:
    """Gains in every tournament.

    Parameters
    ----------
    contests, settings : of each tournament.
    players, families : how many there are in the season.
    """
    merits = [_merits(one, own, families) for one, own in zip(contests, settings, strict=True)]
    total, number = np.zeros(players), np.zeros(players)
    for own, merit in zip(settings, merits, strict=True):
        there = own.player[~np.isnan(merit)]
        total[there] += merit[~np.isnan(merit)]
        number[there] += 1.0
    found = []
    for contest, own, merit in zip(contests, settings, merits, strict=True):
        others = number[own.player] - ~np.isnan(merit)
        rest = total[own.player] - np.nan_to_num(merit)
        # As many as the others, and one at par.
        elsewhere = np.where(others > 0.0, rest / (others + 1.0), -np.inf)
        found.append(_gain_in(contest, own, elsewhere, families))
    return Gains(
        best=np.stack([one.best for one in found]),
        default=np.stack([one.default for one in found]),
        settings=np.stack([one.settings for one in found]),
        gain=stack([one.gain for one in found]),
        score=np.stack([one.score for one in found]),
        known=stack([one.known for one in found]),
        beyond=stack([one.beyond for one in found]),
        recommended=_recommend(settings, total / (number + 1.0), number > 0.0, families),
    )


def _merits(contest: Contest, own: Settings, families: int) -> Floats:
    """(m,) chances against the average player, around those of the family; NaN without others."""
    chance = expit(contest.evidence.intervals.beta)
    inside = own.family >= 0
    label = own.family[inside]
    size = np.bincount(label, minlength=families)
    mean = sum_by(label, chance[inside], families) / np.maximum(size, 1)
    merit = np.full(chance.size, np.nan)
    merit[inside] = np.where(size[label] > 1, chance[inside] - mean[label], np.nan)
    return merit


def _recommend(settings: Sequence[Settings], merit: Floats, known: Bools, families: int) -> Ints:
    """(F,) the player of the largest merit in each family, of equal ones the first; −1 for none."""
    family = np.full(merit.size, -1)
    for own in settings:
        inside = own.family >= 0
        family[own.player[inside]] = own.family[inside]
    found = np.full(families, -1)
    for number in range(families):
        members = np.flatnonzero((family == number) & known)
        if members.size:
            best = at_least(merit[members], merit[members].max())
            found[number] = members[int(best.argmax())]
    return found


@dataclass(frozen=True, slots=True)
class _InTournament:
    """Gains in one tournament, each of the F families."""

    best: Ints
    default: Ints
    settings: Ints
    gain: Chances
    score: Floats
    known: Chances
    beyond: Chances


def _gain_in(contest: Contest, own: Settings, elsewhere: Floats, families: int) -> _InTournament:
    best, default = np.full(families, -1), np.full(families, -1)
    settings, score = np.zeros(families, np.int64), np.full(families, np.nan)
    gain, known, beyond = (nothing((families,)) for _ in range(3))
    sides = [_side(contest.rounds.standing, own, elsewhere, k) for k in range(families)]
    there = np.array([k for k in range(families) if sides[k] is not None], np.int64)
    teams = [side for side in sides if side is not None]
    if not teams:
        return _InTournament(best, default, settings, gain, score, known, beyond)
    size, clusters = there.size, contest.rounds.standing.shape[0]
    picks = gather([one for k in range(3) for one in (team.picks[k] for team in teams)], clusters)
    chosen = np.array([team.chosen[k] for k in range(3) for team in teams])
    numbers = np.arange(size)
    best[there], default[there] = chosen[:size], chosen[size : 2 * size]
    settings[there] = [team.members.size for team in teams]
    beta = contest.evidence.intervals.beta
    score[there] = [_score_of(contest.rounds, team, beta, own) for team in teams]
    met = contest.meet(picks, numbers, numbers + size, chosen)
    gain = met.placed((there,), (families,))
    helped = numbers[chosen[2 * size :] >= 0]
    if helped.size:
        place, shape = (there[helped],), (families,)
        third = helped + 2 * size
        known = contest.meet(picks, third, helped + size, chosen).placed(place, shape)
        beyond = contest.meet(picks, helped, third, chosen).placed(place, shape)
    return _InTournament(best, default, settings, gain, score, known, beyond)


@dataclass(frozen=True, slots=True)
class _Side:
    """The settings of a family in one tournament.

    Attributes
    ----------
    members : (k,) places on the board, best first.
    picks : (k,) players and (G, k) who of them is picked: as best, as default, and as best of the
        other tournaments.
    chosen : whom the whole board, or the other tournaments, pick; −1 for nobody.
    """

    members: Ints
    picks: tuple[tuple[Ints, Bools], tuple[Ints, Bools], tuple[Ints, Bools]]
    chosen: tuple[int, int, int]


def _side(standing: Floats, own: Settings, elsewhere: Floats, family: int) -> _Side | None:
    """The settings of a family, if there are two and one is the default."""
    members = np.flatnonzero(own.family == family)
    if members.size < 2 or (own.default is not None and not own.default[members].any()):
        return None
    if own.default is None:
        # From the best down, the lower of two in the middle comes second.
        default = int(members[members.size // 2])
        stand_in = members, choose_median(standing[:, members])
    else:
        default = int(members[own.default[members].argmax()])
        stand_in = always(default)
    third = choose_best(elsewhere[None, members])
    helper = int(members[third[0].argmax()]) if third.any() else -1
    return _Side(
        members=members,
        picks=((members, choose_best(standing[:, members])), stand_in, (members, third)),
        chosen=(int(members[0]), default, helper),
    )


def _score_of(rounds: HeldOut, team: _Side, beta: Floats, own: Settings) -> float:
    """What the best gains over the default in mean score; over medians of one rating, on average.

    Which of these is named hangs on the names, and no number does.
    """
    default = team.chosen[1]
    if own.default is not None:
        return score_gain(rounds, team.members, default)
    rated = beta[team.members]
    equal = at_least(rated, beta[default]) & at_least(beta[default], rated)
    found = np.array([score_gain(rounds, team.members, k) for k in team.members[equal].tolist()])
    told = found[~np.isnan(found)]
    return float(told.mean()) if told.size else float("nan")


def score_gain(rounds: HeldOut, members: Ints, default: int) -> float:
    """The best mean score minus that of the default, over rounds in which both have a score.

    Scores are such that larger is better, so a gain is never negative; the default is a member.
    """
    own, base = rounds.table[:, members], rounds.table[:, [default]]
    both = np.isfinite(own) & np.isfinite(base)
    ahead = np.subtract(own, base, out=np.zeros(own.shape), where=both)
    weight = rounds.weight[:, None] * both
    total = weight.sum(axis=0)
    if not (total > 0.0).any():
        return float("nan")
    shared = total > 0.0
    return float(((weight * ahead).sum(axis=0)[shared] / total[shared]).max())


# With names ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Gain:
    """What tuning a family gains in one tournament.

    Attributes
    ----------
    family, tournament : their names.
    best, default : the setting with the highest rating, and the default or the median setting.
    settings : among how many the best is.
    p_win : chance of the best against the default in a new round.
    score : best mean score minus that of the default, in the metric's units, larger is better;
        None where there is no mean score to compare.
    """

    family: str
    tournament: str
    best: str
    default: str
    settings: int
    p_win: Chance
    score: float | None


@dataclass(frozen=True, slots=True)
class FamilyGain:
    """What tuning a family gains over all tournaments.

    Attributes
    ----------
    family : its name.
    settings : how many players of the season it has.
    default : the default; None for the median of each tournament.
    tournaments, absent : in how many the best and the default could be compared, and in how many
        not.
    p_win : chance that the best beats the default in a round of a new tournament, by held-out
        picks.
    plug_in, shrunken : means over tournaments of the other two tellings of the same.
    score : mean over tournaments of the gain of the mean score; None where metrics differ in
        direction.
    recommended : the setting that is best over all tournaments; None where there is none.
    p_recommended : chance of the best setting of the other tournaments against the default: what is
        gained without tuning.
    p_beyond : chance of the best against that setting: what is left for tuning.
    """

    family: str
    settings: int
    default: str | None
    tournaments: int
    absent: int
    p_win: MeanChance
    plug_in: float
    shrunken: float
    score: float | None
    recommended: str | None
    p_recommended: MeanChance
    p_beyond: MeanChance


@dataclass(frozen=True, slots=True)
class Tunability:
    """What tuning gains, by family and tournament.

    Attributes
    ----------
    families : gains over all tournaments, what to tune first at the top.
    gains : gains in each tournament, family by family in the same order.
    by_median : whether the median setting stands in for a default.
    without_default : families that have no default, and are left out.
    single : families without a tournament in which two players, the default among them, took part.
    level : coverage of intervals.
    nouns : what players, rounds and tournaments are called.
    """

    families: tuple[FamilyGain, ...]
    gains: tuple[Gain, ...]
    by_median: bool
    without_default: tuple[str, ...]
    single: tuple[str, ...]
    level: float
    nouns: Nouns = field(default=HOUSE, compare=False, repr=False)

    @property
    def text(self) -> str:
        """What to tune first, in words."""
        return present.describe_tuning(self)

    def __str__(self) -> str:
        return self.text

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "schema": SCHEMA,
            "level": self.level,
            "by_median": self.by_median,
            "families": [asdict(one) for one in self.families],
            "gains": [asdict(one) for one in self.gains],
            "without_default": list(self.without_default),
            "single": list(self.single),
        }


def measure_tunability(
    boards: Mapping[str, Leaderboard], default: Default, seed: int | None
) -> Tunability:
    """What tuning gains on a season's boards."""
    members = members_of(boards)
    defaults = None if default is None else find_defaults(default, members)
    known = members if defaults is None else {name: members[name] for name in defaults}
    contests = make_contests(boards, seed)
    players = [player for own in known.values() for player in own]
    settings = _settings(boards, known, players, defaults)
    numbers = measure_gains(contests, settings, len(players), len(known))
    played = numbers.settings.sum(axis=0) > 0
    if not played.any():
        raise NothingToTune(families=list(known))
    found = _Found(boards, known, players, defaults, numbers, contests[0].level)
    order = [k for k in found.order() if played[k]]
    return Tunability(
        families=tuple(found.over_all(k) for k in order),
        gains=tuple(gain for k in order for gain in found.gains(k)),
        by_median=defaults is None,
        without_default=tuple(name for name in members if name not in known),
        single=tuple(name for k, name in enumerate(known) if not played[k]),
        level=found.level,
    )


@dataclass(frozen=True, slots=True)
class _Found:
    """Gains, and the names that belong to them."""

    boards: Mapping[str, Leaderboard]
    members: Mapping[str, Sequence[str]]
    players: Sequence[str]
    defaults: Mapping[str, str] | None
    numbers: Gains
    level: float

    def order(self) -> list[int]:
        """The families by their gain, the largest first."""
        value = self.numbers.gain.mean(self.level).value
        return [int(k) for k in order_of(-np.nan_to_num(value, nan=-1.0))]

    def over_all(self, k: int) -> FamilyGain:
        numbers, family = self.numbers, list(self.members)[k]
        played, recommended = numbers.settings[:, k] > 0, int(numbers.recommended[k])
        score = numbers.score[played, k]
        comparable = self._one_direction() and not np.isnan(score).all()

        def mean(chances: Chances) -> MeanChance:
            return name_mean(chances.at((slice(None), k)).mean(self.level), ())

        return FamilyGain(
            family=family,
            settings=len(self.members[family]),
            default=None if self.defaults is None else self.defaults[family],
            tournaments=int(played.sum()),
            absent=int((~played).sum()),
            p_win=mean(numbers.gain),
            plug_in=float(numbers.gain.plug_in[played, k].mean()),
            shrunken=float(numbers.gain.shrunken[played, k].mean()),
            score=float(np.nanmean(score)) if comparable else None,
            recommended=None if recommended < 0 else self.players[recommended],
            p_recommended=mean(numbers.known),
            p_beyond=mean(numbers.beyond),
        )

    def gains(self, k: int) -> Iterator[Gain]:
        numbers, family = self.numbers, list(self.members)[k]
        for number, (tournament, board) in enumerate(self.boards.items()):
            if numbers.settings[number, k]:
                score = float(numbers.score[number, k])
                told = board.standings.mean_score is not None and not np.isnan(score)
                yield Gain(
                    family=family,
                    tournament=tournament,
                    best=board.players[int(numbers.best[number, k])],
                    default=board.players[int(numbers.default[number, k])],
                    settings=int(numbers.settings[number, k]),
                    p_win=name_chance(numbers.gain, (number, k)),
                    score=score if told else None,
                )

    def _one_direction(self) -> bool:
        """Whether higher is better everywhere, or nowhere."""
        directions = [
            board.schedule.higher_is_better
            for board in self.boards.values()
            if board.schedule is not None
        ]
        return bool(directions) and np.ptp(np.concatenate(directions).astype(np.int8)) == 0


def find_defaults(
    default: Mapping[str, str] | str | Callable[[str], bool], members: Mapping[str, Sequence[str]]
) -> dict[str, str]:
    """The default of each family that has one.

    Parameters
    ----------
    default : a mapping from families to players, an ending of names, or a function of a name.
    members : the players of each family.
    """
    if isinstance(default, Mapping) and default:
        return _check_defaults(default, members)
    if not (isinstance(default, str) or callable(default)):
        wanted = "it is a mapping from families to players, an ending of names, or a function"
        raise BadOption(option="default", value=default, wanted=wanted)
    fits = default if callable(default) else _ends_with(default)
    found = {family: [one for one in own if fits(one)] for family, own in members.items()}
    for family, own in found.items():
        if len(own) > 1:
            raise SeveralDefaults(family=family, players=own)
    if not any(found.values()):
        raise NoDefault(ending=default if isinstance(default, str) else None)
    return {family: own[0] for family, own in found.items() if own}


def _ends_with(ending: str) -> Callable[[str], bool]:
    return lambda name: name.endswith(ending)


def _check_defaults(
    default: Mapping[str, str], members: Mapping[str, Sequence[str]]
) -> dict[str, str]:
    for family, player in default.items():
        if family not in members:
            raise UnknownFamily(family=family, close=close_names(family, list(members)))
        if player not in members[family]:
            close = close_names(player, members[family])
            raise NotOfFamily(player=player, family=family, close=close)
    return {family: default[family] for family in members if family in default}


def _settings(
    boards: Mapping[str, Leaderboard],
    members: Mapping[str, Sequence[str]],
    players: Sequence[str],
    defaults: Mapping[str, str] | None,
) -> list[Settings]:
    """Who plays for which family; the players of no family share a number of their own."""
    place = {player: k for k, player in enumerate(players)}
    chosen = None if defaults is None else set(defaults.values())
    return [
        Settings(
            player=np.array([place.get(player, -1) for player in board.players], np.int64),
            family=label,
            default=None
            if chosen is None
            else np.array([player in chosen for player in board.players], np.bool_),
        )
        for board, label in zip(boards.values(), label_players(boards, members), strict=True)
    ]
