"""The players of a board and what they played: any two of them can be compared."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import overload

import numpy as np
from scipy.special import expit

from winodds.arrays import Floats
from winodds.board.comparisons import (
    Among,
    Comparison,
    Comparisons,
    Estimate,
    choose_adjustment,
    compare_all,
    compare_two,
    make_estimates,
    rank_test,
)
from winodds.board.components import Components
from winodds.board.errors import (
    NoCommonScale,
    NoCompleteRounds,
    NoEvidence,
    SamePlayer,
    UnknownPlayer,
)
from winodds.board.evidence import Evidence
from winodds.board.how import How
from winodds.board.placing import Verdicts
from winodds.board.record import PairRecord, find_record
from winodds.inference.friedman import Friedman
from winodds.inference.intervals import Differences
from winodds.language.checks import check_seed
from winodds.language.errors import BadOption
from winodds.language.notes import tell_in
from winodds.language.options import Adjustment, Comparing, IntervalKind
from winodds.matches.games import Duel
from winodds.matches.results import Battles
from winodds.table.names import close_names
from winodds.workers import calm_threads

TWO_OR_NONE = "name two players, or none for all pairs"


FEW = 200
"""Players whose pairs are looked at all together when two of them are compared."""


class Field(ABC):
    """The players of a board and their games, as far as comparisons need them.

    Attributes
    ----------
    players : names, best first.
    components : games and ratings of players who met; none on a board that was cut.
    how : how the board was obtained.
    """

    def __init__(self, players: tuple[str, ...], components: Components, how: How) -> None:
        self.players = players
        self.components = components
        self.how = how
        self._place: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self.players)

    # Two players ----------------------------------------------------------------------------------

    def difference(self, a: str, b: str) -> Estimate:
        """How much higher ``a`` is rated than ``b``, in log-odds, with its interval."""
        return make_estimates(self.differences([a], [b]))[0]

    def win_probability(self, a: str, b: str) -> Estimate:
        """Probability that ``a`` beats ``b`` in a new round, with its interval.

        An end that is open in log-odds is 0 or 1 here.
        """
        return make_estimates(self.differences([a], [b]))[1]

    def odds(self, a: str, b: str) -> Estimate:
        """Odds that ``a`` beats ``b`` in a new round, with their interval.

        An end that is open in log-odds is 0 below and None above.
        """
        return make_estimates(self.differences([a], [b]))[2]

    def duel(self, a: str, b: str) -> Duel:
        """How many matches ``a`` won, lost and tied against ``b``."""
        met = self._pair(a, b)
        return Duel(0, 0, 0) if met is None else met[0].games.duel(*met[1])

    def record(self, a: str, b: str) -> PairRecord | None:
        """The share of their matches that ``a`` won against ``b``, with an interval of its own.

        None when the two never met. The interval is for the pair itself: it holds whether or not
        ratings explain who beats whom.
        """
        met = self._pair(a, b)
        return None if met is None else find_record(*met, misfit=self.misfit)

    def identical(self, a: str, b: str) -> bool:
        """Whether two players have the same score in every round in which either took part."""
        met = self._pair(a, b)
        return met is not None and met[0].games.same_scores(*met[1])

    @overload
    def compare(
        self, a: str, b: str, *, test: IntervalKind | None = None, power: float = 0.8
    ) -> Comparison: ...
    @overload
    def compare(
        self,
        *,
        test: IntervalKind | None = None,
        adjust: Adjustment | None = None,
    ) -> Comparisons: ...
    def compare(
        self,
        a: str | None = None,
        b: str | None = None,
        *,
        test: IntervalKind | None = None,
        adjust: Adjustment | None = None,
        power: float = 0.8,
    ) -> Comparison | Comparisons:
        """Is ``a`` really better than ``b``? Without names, all pairs.

        Parameters
        ----------
        test : "robust" (clusters are independent) or "model" (all matches are, which they are
            not); by default as the board's intervals.
        adjust : for all pairs: "max-t" (no false claim at all, with the level's probability,
            through sign flips of whole clusters), "holm" (the same without flips), "bh" (few of
            the claims are false) or "none"; by default as the board's letters, which are by
            "max-t" unless clusters are too few.
        power : for two players: the chance with which the data that are said to be needed would
            show the difference.

        Examples
        --------
        >>> import winodds.demo
        >>> board = winodds.demo.rate_results()["digits"]
        >>> found = board.compare(board.players[0], board.players[1])
        >>> found.rounds.won + found.rounds.lost + found.rounds.tied
        20
        >>> len(board.compare())
        190
        """
        asked = Comparing(adjust=adjust, test=test, power=power)
        kind: IntervalKind = asked.test or self.how.interval.kind
        if a is not None and b is not None:
            return self._compare_two(a, b, kind, power)
        if a is not None or b is not None:
            raise BadOption(option="b" if b is None else "a", value=None, wanted=TWO_OR_NONE)
        part = self._whole()
        chosen = choose_adjustment(adjust, part.uncertainty_by(kind))
        lettered = kind == "robust" and asked.adjust in (None, "max-t")
        with calm_threads(len(self)):
            return compare_all(
                part,
                self.players,
                adjust=chosen,
                test=kind,
                verdicts=self._verdicts()[0] if lettered else None,
            )

    def _compare_two(self, a: str, b: str, test: IntervalKind, power: float) -> Comparison:
        if self._find(a) == self._find(b):
            raise SamePlayer(player=a)
        met = self._pair(a, b)
        if met is None:
            raise NoCommonScale(first=a, second=b)
        with calm_threads(len(self)):
            among = self._among_all(a, b) if test == "robust" else None
            found = compare_two(
                met[0],
                (a, b),
                met[1],
                test=test,
                power=power,
                unit=self.how.interval.cluster,
                ties=self.how.matches.ties > 0,
                among=among,
                misfit=self.misfit,
            )
        return tell_in(self.how.nouns, found)

    def _among_all(self, a: str, b: str) -> Among | None:
        """What is told of two players among all pairs, unless these are too many to look at."""
        if len(self) > FEW and not self.detailed:
            return None
        first, second = self._find(a), self._find(b)
        component = int(self.components.number()[first])
        start, found = self.components.starts[component], self._verdicts()[component]
        pair = first - start, second - start
        return Among(
            float(found.claims.p[pair]), bool(found.withheld[pair]), float(found.p_best[max(pair)])
        )

    @property
    @abstractmethod
    def detailed(self) -> bool:
        """Whether all players were looked at together."""

    @abstractmethod
    def _verdicts(self) -> list[Verdicts]:
        """What is claimed of all pairs of each component."""

    # All players ----------------------------------------------------------------------------------

    def differences(self, a: Sequence[str], b: Sequence[str]) -> Differences:
        """Differences of many pairs at once, ``a[k]`` against ``b[k]``, as arrays."""
        if len(a) != len(b):
            wanted = f"it names as many players as a, {len(a)}"
            raise BadOption(option="b", value=list(b), wanted=wanted)
        first = np.array([self._find(player) for player in a], np.int64)
        second = np.array([self._find(player) for player in b], np.int64)
        self._require_games()
        component = self.components.number()
        apart = np.flatnonzero(component[first] != component[second])
        if apart.size:
            raise NoCommonScale(first=a[int(apart[0])], second=b[int(apart[0])])
        return self.components.differences(first, second)

    def win_matrix(self) -> Floats:
        """(m, m) probability that the row's player beats the column's, in the order of ``players``.

        NaN between players who never met, directly or through others.
        """
        return self.components.scatter_square(
            lambda part: expit(part.intervals.beta[:, None] - part.intervals.beta[None, :])
        )

    def error_matrix(self) -> Floats:
        """(m, m) standard errors of all differences, in the order of ``players``.

        NaN between players who never met, directly or through others.
        """
        return self.components.scatter_square(lambda part: part.uncertainty.contrast_matrix().se)

    def comparable(self, a: str, b: str) -> bool:
        """Whether two players share a scale, as they do unless they never met through anybody.

        A board that holds only its first rows compares nobody.
        """
        return self.whole and self._pair(a, b) is not None

    def _pair(self, a: str, b: str) -> tuple[Evidence, tuple[int, int]] | None:
        """The component of two players with their indices there; None if they never met."""
        first, second = self._find(a), self._find(b)
        self._require_games()
        return self.components.pair(first, second)

    # Who shares a scale ---------------------------------------------------------------------------

    def _find(self, player: str) -> int:
        if not self._place:
            self._place.update({name: k for k, name in enumerate(self.players)})
        if player not in self._place:
            raise UnknownPlayer(player=player, close=close_names(player, self.players))
        return self._place[player]

    def friedman(self) -> Friedman:
        """Friedman's and Iman and Davenport's tests on the rounds in which everyone took part.

        Where clusters are larger than rounds, such as pooled data sets, ranks are averaged within
        a cluster first. Weights, tolerances and overlapping splits play no part.
        """
        self._require_games()
        if not self.has_one_scale or isinstance(self.components[0].games.played, Battles):
            raise NoCompleteRounds(rounds=0)
        return rank_test(self.components[0])

    @property
    def misfit(self) -> bool:
        """Whether the ratings are known to miss something; False where nobody looked."""
        return False

    @property
    def whole(self) -> bool:
        """Whether all players are there, and not only the first of a longer board."""
        return len(self.components) > 0

    @property
    def has_one_scale(self) -> bool:
        """Whether all players are there and can be compared with each other."""
        return len(self.components) == 1

    def _require_games(self) -> None:
        """Refuse a board that was cut."""
        if not self.whole:
            raise NoEvidence()

    def _whole(self) -> Evidence:
        """The evidence of all players; refuses a board on which they do not share a scale."""
        self._require_games()
        if not self.has_one_scale:
            second = self.components.starts[1]
            raise NoCommonScale(first=self.players[0], second=self.players[second])
        return self.components[0]

    def _seed(self, seed: int | None) -> int:
        """The seed, by default that of the board."""
        return self.how.details.seed if seed is None else check_seed(seed)
