"""What a board can be asked beside its rows: each question has a module, and here its method."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, get_args, overload

import numpy as np

from winodds.arrays import Bools
from winodds.board.bootstrap import Bootstrap, resample
from winodds.board.circumstances import Entrants
from winodds.board.errors import BoardsNotPaired, NeverShared, NoRelation, NoSeats, SamePlayer
from winodds.board.evidence import Evidence
from winodds.board.field import Field
from winodds.board.gate import Gate, judge_candidate, name_sides
from winodds.board.importance import Contest, Importance, weigh_hyperparameters
from winodds.board.newcomer import (
    NAME,
    Newcomer,
    Newcomers,
    place_newcomers,
    read_one,
    read_several,
)
from winodds.board.pairing import Side, pair_boards
from winodds.board.placing import REPLICATES, check_size
from winodds.board.relation import DIFFERENT_WAYS, NO_SCORES, Relation, relate
from winodds.board.rival import compare_with_openskill
from winodds.board.row import Standings
from winodds.board.seats import ONLY_WINNERS, Seat, assess_seats
from winodds.board.shared import Shared, share_board
from winodds.board.subsets import SHARE, Enough, look_at_subsets
from winodds.board.teams import Members, Teams, assess_teams, read_squads
from winodds.inference.intervals import Estimates
from winodds.language.checks import check_between, check_choice, check_count
from winodds.language.errors import BadOption
from winodds.language.notes import tell_in
from winodds.language.options import Judging, ScoreMatches
from winodds.table.schedule import Schedule
from winodds.table.settings import Settings
from winodds.workers import calm_threads


class Questions(Field):
    """The players of a board with what else is known of them, and questions about it.

    Attributes
    ----------
    standings : the columns of the board.
    families : names of the players' families, or None.
    settings : the players' hyperparameters, or None.
    members : the members of players that are teams, or None.
    schedule : names of the rounds; None for battles.
    """

    standings: Standings
    families: tuple[str, ...] | None
    settings: Settings | None
    members: Mapping[str, tuple[str, ...]] | None
    schedule: Schedule | None

    def bootstrap(
        self,
        *,
        replicates: int = REPLICATES,
        seed: int | None = None,
        n_jobs: int = 1,
        progress: Callable[[int, int], None] | None = None,
    ) -> Bootstrap:
        """Ratings when clusters (rounds, data sets, battles) are drawn with replacement.

        Replicates are bias-reduced also on a board of maximum-likelihood ratings, because these
        often do not exist in a replicate.

        Parameters
        ----------
        replicates : how many.
        seed : of the random numbers; by default that of the board.
        n_jobs : how many workers; the result is the same for any number.
        progress : called with the number of calls done and of all.
        """
        check_count("replicates", replicates)
        self._require_games()
        with calm_threads(len(self)):
            return resample(
                self.components,
                self.players,
                replicates=replicates,
                zero=self._reference(),
                level=self.how.interval.level,
                seed=self._seed(seed),
                n_jobs=n_jobs,
                progress=progress,
            )

    def enough(
        self,
        *,
        matches: ScoreMatches | None = None,
        share: float = SHARE,
        draws: int | None = None,
        seed: int | None = None,
        n_jobs: int | None = 1,
        progress: Callable[[int, int], None] | None = None,
    ) -> Enough:
        """How many rounds are enough: ratings and order from subsets of them, as a curve.

        Subsets are compared with all rounds, of which they are a part, and with other rounds, which
        shows what another table of that size would have told.

        Parameters
        ----------
        matches : "within" rounds or "across" them; by default as on the board.
        share : of the pairs that other rounds tell apart, that are to be in the same order.
        draws : subsets of each size; by default 100, and fewer for many players.
        seed : of the random numbers; by default that of the board.
        n_jobs : how many workers; the result is the same for any number.
        progress : called with the number of calls done and of all.

        Examples
        --------
        >>> import winodds.demo
        >>> board = winodds.demo.rate_results()["digits"]
        >>> found = board.enough(draws=20)
        >>> found.units, found.judges, found.enough
        (20, 10, 4)
        """
        if matches is not None:
            check_choice("matches", matches, get_args(ScoreMatches))
        check_between("share", share, low=0.5, high=1.0)
        if draws is not None:
            check_count("draws", draws)
        part = self._whole()
        check_size(len(self))
        with calm_threads(len(self)):
            found = look_at_subsets(
                part,
                matches=matches,
                unit=self.how.interval.cluster,
                share=share,
                draws=draws,
                seed=self._seed(seed),
                n_jobs=n_jobs,
                progress=progress,
            )
        return tell_in(self.how.nouns, found)

    def seat(self) -> Seat:
        """What the first (left) seat of a battle is worth, and the ratings on a neutral seat.

        The model of the board with one more number: logit P(left wins) = β_left − β_right + δ. The
        board itself, comparisons, chances and the quality take no account of seats.

        Raises
        ------
        NoSeats : for scores, for tables of winners and losers, and where ratings could make up for
            any effect of a seat.

        Examples
        --------
        >>> import polars as pl, winodds
        >>> table = pl.DataFrame({
        ...     "left": ["a", "b"] * 20, "right": ["b", "a"] * 20,
        ...     "winner": ["left"] * 30 + ["right"] * 10,
        ... })
        >>> board = winodds.rate_battles(table, left="left", right="right")
        >>> found = board.seat()
        >>> round(found.chance.value, 2), found.told
        (0.74, True)
        """
        part, own = self._whole(), self.standings
        if self.how.scheme.column("loser") is not None:
            raise NoSeats(reason=ONLY_WINNERS)
        with calm_threads(len(self)):
            return assess_seats(part, self.players, own.epp, part.zero(self._reference()))

    def gate(
        self,
        baseline: str,
        candidate: str,
        *,
        margin: float | None = None,
        score_margin: float | None = None,
        candidate_board: "Questions | None" = None,
        power: float = 0.8,
        level: float | None = None,
    ) -> Gate:
        """May ``candidate`` take the place of ``baseline``? By the rounds that both played.

        Ratings play no part. `winodds.gate` does the same for a table, and knows of more failed
        runs: on a board, those that did not count as lost are as if they had never been.

        Parameters
        ----------
        margin : how much below half of the rounds the candidate may win, a tie counted half; by
            default 0.05, and any loss that is certain is too much.
        score_margin : how much worse its mean score may be, instead of its win rate.
        candidate_board : where the candidate is, if it is not on this board; rounds of the same
            name are the same.
        power : chance with which the further rounds that are said to be needed would decide.
        level : coverage of the intervals; by default that of the board.

        Examples
        --------
        >>> import winodds.demo
        >>> board = winodds.demo.rate_results()["heart"]
        >>> found = board.gate("knn(default)", "random_forest(default)")
        >>> found.verdict, found.rounds.won
        ('better', 19)
        """
        asked = Judging(
            margin=margin,
            score_margin=score_margin,
            power=power,
            level=self.how.interval.level if level is None else level,
            test_fraction=self.how.interval.test_fraction,
        )
        found = self.shared_rounds(baseline, candidate, candidate_board)
        unit = self.how.interval.cluster
        chosen = unit not in ("round", "tournament")
        names = name_sides(baseline, candidate)
        judged = judge_candidate(found, names, asked, unit=unit, chosen=chosen)
        return tell_in(self.how.nouns, judged)

    def shared_rounds(
        self, baseline: str, candidate: str, candidate_board: "Questions | None" = None
    ) -> Shared:
        """The rounds that two players share, and what they did there."""
        if candidate_board is not None:
            return pair_boards(self._side(baseline), candidate_board._side(candidate))
        if self._find(baseline) == self._find(candidate):
            raise SamePlayer(player=baseline)
        met = self._pair(baseline, candidate)
        if met is None:
            raise NeverShared(baseline=baseline, candidate=candidate)
        part, pair = met
        return share_board(part, pair, self._directions(part))

    def _side(self, player: str) -> Side:
        """A player with the rounds of the board, which must have names."""
        place = self._find(player)
        self._require_games()
        if self.schedule is None:
            raise BoardsNotPaired(reason="battles have no rounds to pair")
        if not self.has_one_scale:
            why = "players of one of them never met, and such a board does not name its rounds"
            raise BoardsNotPaired(reason=why)
        return Side(place, self.components[0].games, self.schedule, self.how)

    def _directions(self, part: Evidence) -> Bools:
        """(R,) whether higher is better in the rounds of a component; none for battles."""
        if self.schedule is None:
            return np.ones(0, np.bool_)
        up, rounds = self.schedule.higher_is_better, part.games.results.rounds
        if up.size != rounds:
            # The rounds of one component among several; they are not named one by one.
            return np.full(rounds, self.how.scheme.better != "lower")
        return up

    def relation(self) -> Relation:
        """How mean scores go with ratings: along a line or an S, and who is far from it.

        Raises
        ------
        NoRelation : for battles, and where rounds differ in direction or nobody differs.
        """
        mean = self.standings.mean_score
        if mean is None:
            differs = self.how.scheme.better == "differs by round"
            raise NoRelation(reason=DIFFERENT_WAYS if differs else NO_SCORES)
        found = relate(self.players, self.standings.epp, mean, self._whole().games.results)
        return tell_in(self.how.nouns, found)

    def teams(self, members: Members | None = None, *, rival: bool = False) -> Teams:
        """What teams add to their members, and what members are worth to teams.

        Teams (ensembles) are players of the board like any other, and so are members who play
        alone. Synergy is the team's rating minus the mean of its members'; TrueSkill would add
        members' skills up instead. Where members do not play alone there is no synergy, and a note
        says so; their worth to teams may be told even then.

        Parameters
        ----------
        members : for every team the names of its members, in a list or as "rf + svm"; by default
            as the table's column of members has them.
        rival : whether openskill rates the same rounds, for comparison; this needs the extra
            ``winodds[teams]``.

        Examples
        --------
        >>> import polars as pl, winodds
        >>> scores = {"rf": [3, 1, 2, 3, 1], "svm": [1, 2, 1, 2, 3], "both": [2, 3, 3, 1, 2]}
        >>> rows = [(name, k, score) for name in scores for k, score in enumerate(scores[name])]
        >>> table = pl.DataFrame(rows, ["player", "round", "score"], orient="row")
        >>> found = winodds.rate(table, higher_is_better=True).teams({"both": ["rf", "svm"]})
        >>> team = found.teams[0]
        >>> round(team.synergy.value, 2), round(team.p_average_member.value, 2)
        (0.36, 0.59)
        """
        if members is None:
            members = self.members or {}
        if not isinstance(members, Mapping) or not members:
            wanted = "it maps the name of every team to the names of its members"
            raise BadOption(option="members", value=members, wanted=wanted)
        part, own = self._whole(), self.standings
        place = {name: self._find(name) for name in members}
        place.update({name: k for k, name in enumerate(self.players)})
        squads = read_squads(members, self.players, place)
        shown = Estimates(own.epp, own.se, own.low, own.high)
        with calm_threads(len(self)):
            found = tell_in(self.how.nouns, assess_teams(part, squads, self.players, shown))
        if not rival:
            return found
        return replace(found, rival=compare_with_openskill(part, seed=self.how.details.seed))

    def importance(self, family: str | None = None) -> Importance:
        """Which hyperparameters matter: their shares of the variance of true ratings, by family.

        The board must know the players' ``hyperparameters``. It stands for its rounds: where these
        are data sets, shares are for new data sets.

        Parameters
        ----------
        family : the only family to be looked at; by default each.

        Examples
        --------
        >>> import math, polars as pl, winodds
        >>> rows = [
        ...     (f"{depth}/{eta}", depth, eta, fold, depth + 4 * math.sin(fold * (depth + 9 * eta)))
        ...     for depth in range(6) for eta in range(6) for fold in range(8)
        ... ]
        >>> columns = ["model", "depth", "eta", "fold", "score"]
        >>> board = winodds.rate(
        ...     pl.DataFrame(rows, columns, orient="row"), player="model", round="fold",
        ...     hyperparameters=["depth", "eta"], higher_is_better=True,
        ... )
        >>> for one in board.importance()[None].overall.hyperparameters:
        ...     print(*one.hyperparameters, one.rank, round(one.share, 2))
        depth 1 0.95
        eta 2 0.01
        """
        self._require_games()
        return weigh_hyperparameters(
            Entrants(self.players, None, None, self.families, self.settings),
            [Contest(None, np.arange(len(self)), self.components)],
            family=family,
            level=self.how.interval.level,
            seed=self.how.details.seed,
        )

    @overload
    def place(self, scores: Mapping[Any, float | None], *, name: str = NAME) -> Newcomer: ...
    @overload
    def place(self, scores: Any) -> Newcomers: ...
    def place(self, scores: Any, *, name: str = NAME) -> Newcomer | Newcomers:
        """Where would a new model stand on this board? The others stay as they are.

        Its rating solves one equation, and nobody is fitted anew. With 20 players and 10 rounds, or
        more, it is within 0.05 standard errors of the rating that a refit of everybody would give;
        `Newcomer.refit_error` says how close it is on a board of this size.

        Parameters
        ----------
        scores : one new model's scores by the names of rounds (`schedule`), None for a failed run;
            or a table like the one that the board was made of, with new models only. Directions,
            ties and failed runs are as on the board.
        name : of the new model, where the scores are a mapping.

        Examples
        --------
        >>> import winodds.demo
        >>> board = winodds.demo.rate_results()["digits"]
        >>> new = board.place({name: 0.99 for name in board.schedule.rounds[:12]}, name="mine")
        >>> new.rank, new.of, round(new.p_average.value, 2), new.refit_error
        (5, 21, 0.74, 0.05)
        """
        part, how = self._whole(), self.how
        if isinstance(scores, Mapping):
            read = read_one(scores, name, self.schedule, how)
        else:
            read = read_several(scores, self.schedule, how)
        with calm_threads(len(self)):
            found = place_newcomers(
                part,
                self.players,
                read,
                unit=how.interval.cluster,
                reference=None if how.reference is None else self._find(how.reference),
            )
        return found[0] if isinstance(scores, Mapping) else found

    def _reference(self) -> int | None:
        """The place of the player whose rating is 0."""
        reference = self.how.reference
        return None if reference is None else self._find(reference)
