"""Could the ratings be the truth? Deviances of tables drawn under them, refitted one by one.

Matches of a round share scores, so the deviance does not follow its χ² law. Tables like the
observed one, with the same gaps and ties, are drawn under the ratings, and the p-value is the
share of them that fit at least as badly. Two things make it keep its promise:

* Fitted ratings spread wider than true ones (or less wide, where many scores tie). Tables are
  drawn under ratings that are scaled such that those of the drawn tables spread as the fitted ones
  do.
* What then is left of the difference between scaled and true ratings shows when each drawn table
  is taken for the observed one and drawn from once in its turn (the fast double bootstrap of
  Davidson & MacKinnon 2007).

All tables are measured at the bias-reduced estimate (or the ridge), because the maximum-likelihood
one need not exist in a drawn table.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from scipy.special import xlogy

from winodds.arrays import EQUAL, Bools, Floats, Ints, at_least, sum_by
from winodds.design.design import Cliques, Design, Pairs
from winodds.fit.likelihood import log_likelihoods
from winodds.fit.many import fit_many
from winodds.inference.bootstrap import share_out
from winodds.matches.battles import count_battles
from winodds.matches.beaten import threshold
from winodds.matches.games import Encounters, Games, score_table
from winodds.matches.pairs import (
    SMALL_BLOCK,
    block_ranges,
    count_leads,
    lead_block,
    leads_of_few,
    limit_lead,
    met_block,
)
from winodds.matches.results import Battles
from winodds.matches.wins import BattleEvidence, Wins
from winodds.quality.deviance import count_circles
from winodds.quality.simulate import Draw, plan_draws

SIMULATIONS = 500
"""Tables drawn at most."""

SIMULATIONS_OF_MANY = 100
"""The same where one table takes more than `FEW` comparisons of scores."""

FEW = 2_000_000

ENOUGH = 50
"""Tables that fit as badly as the observed one after which no more are drawn."""

PILOT = 100
"""Tables that the scale of the ratings rests on."""

LARGEST_SCALE = 2.0
"""Of the ratings; only ties on most scores ask for as much."""

CHUNK = (20, 200)
"""Fewest and most tables of a call, for many and for few players."""

LOOKUP_LIMIT = 500
"""Matches of a pair up to which likelihoods of whole results are looked up in a table."""


@dataclass(frozen=True, slots=True)
class Simulated:
    """Drawn tables.

    Attributes
    ----------
    deviance : (k,) of the tables.
    second : (k,) of tables drawn under the ratings of these tables, one for each.
    circles : (k,) in the tables, or none where they were not counted.
    """

    deviance: Floats
    second: Floats
    circles: Ints

    @classmethod
    def join(cls, parts: Sequence["Simulated"]) -> "Simulated":
        """All of them in their order."""
        return cls(
            np.concatenate([part.deviance for part in parts]),
            np.concatenate([part.second for part in parts]),
            np.concatenate([part.circles for part in parts]),
        )

    def first(self, number: int) -> "Simulated":
        """The first tables."""
        return Simulated(self.deviance[:number], self.second[:number], self.circles[:number])


def most_simulations(comparisons: int) -> int:
    """How many tables are drawn, unless the user says otherwise."""
    return SIMULATIONS if comparisons <= FEW else SIMULATIONS_OF_MANY


def count_as_bad(deviances: Floats, observed: float) -> tuple[int, float]:
    """How many of the tables were needed, and the share of them that fit as badly.

    When `ENOUGH` tables fit as badly as the observed one, the share is known well enough: their
    number by that of all until then, which is a valid p-value (Besag & Clifford 1991). Otherwise
    it is the share of such tables, the observed one included.
    """
    worse = np.flatnonzero(at_least(deviances, observed))
    if worse.size >= ENOUGH:
        needed = int(worse[ENOUGH - 1]) + 1
        return needed, ENOUGH / needed
    return deviances.size, (1.0 + worse.size) / (1.0 + deviances.size)


def correct_share(share: float, deviance: Floats, second: Floats) -> float:
    """The p-value that belongs to a share of tables that fit as badly (Davidson & MacKinnon 2007).

    The deviance that the same share of the tables drawn in their turn, (k,) ``second``, reaches is
    what the observed one should have been compared as. Where several of them have just this
    deviance, the share reaches some of these only, and as large a part of the equal ones counts.
    """
    limit = float(np.quantile(second, 1.0 - share))
    above = np.flatnonzero(~at_least(limit, deviance)).size
    equal = np.flatnonzero(at_least(deviance, limit)).size - above
    begin = np.flatnonzero(~at_least(second, limit)).size
    end = np.flatnonzero(at_least(limit, second)).size
    part = min(1.0, (end - (second.size - 1) * (1.0 - share)) / max(end - begin, 1))
    return float((1 + above + part * equal) / (1 + deviance.size))


def measure_observed(games: Games, wins: Wins, beta: Floats, *, ridge: float) -> float:
    """The deviance of the observed table at the estimate that drawn tables are measured at."""
    played = games.played
    observed = played.outcome if isinstance(played, Battles) else played.value
    found = _measurer(games, wins)(observed[None, :])
    ratings = fit_many(found.wins, wins.design, start=beta, ridge=ridge)
    return float(_deviances(found, ratings, wins.design)[0])


def plan_simulations(
    games: Games,
    wins: Wins,
    beta: Floats,
    *,
    ridge: float,
    simulations: int,
    seed: int | tuple[int, int],
) -> list[Callable[[], Simulated]]:
    """Calls that each draw tables, refit them and measure the fit.

    ``beta`` (m,) are the ratings of the games.
    """
    lab = _Lab(plan_draws(games, beta), _measurer(games, wins), wins.design, beta, ridge)
    sizes = share_out(simulations, games.players, CHUNK)
    first, *streams = np.random.SeedSequence(seed).spawn(1 + len(sizes))
    scale = _find_scale(lab, np.random.default_rng(first))
    return [
        partial(_simulate, lab, scale, size, stream)
        for size, stream in zip(sizes, streams, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class _Measured:
    """Of k tables: (k,) largest log-likelihoods any chances could have, (k, m) wins, circles."""

    saturated: Floats
    wins: Floats
    circles: Ints

    def only(self, chosen: Bools) -> "_Measured":
        """Of some of the tables."""
        circles = self.circles[chosen] if self.circles.size else self.circles
        return _Measured(self.saturated[chosen], self.wins[chosen], circles)


def _deviances(found: _Measured, ratings: Floats, design: Design) -> Floats:
    return 2.0 * (found.saturated - log_likelihoods(ratings, found.wins, design))


@dataclass(frozen=True, slots=True)
class _Lab:
    """Where tables are drawn, refitted and measured.

    Attributes
    ----------
    draw, measure : give tables, and what is to be known of them.
    design : who met whom.
    beta : (m,) ratings of the observed table.
    ridge : 1/sd² of a prior, or 0.
    """

    draw: Draw
    measure: Callable[[Floats], _Measured]
    design: Design
    beta: Floats
    ridge: float

    def run(self, rng: np.random.Generator, ratings: Floats) -> tuple[_Measured, Floats]:
        """A table under each of the ratings (k, m): its measures, and (k, m) its own ratings."""
        found = self.measure(self.draw(rng, ratings))
        return found, fit_many(
            found.wins, self.design, start=self.beta, ridge=self.ridge, strict=False
        )


def _find_scale(lab: _Lab, rng: np.random.Generator) -> float:
    """The factor on the ratings with which drawn tables spread as the observed one does.

    The ratings of tables drawn under β are about a·β plus noise. Then those under κ·β have the sum
    of squares κ²a²|β|² + noise, which is |β|² for the κ that is wanted.
    """
    _, ratings = lab.run(rng, np.tile(lab.beta, (PILOT, 1)))
    ratings = ratings[~np.isnan(ratings[:, 0])]
    if len(ratings) < 2:
        return 1.0
    middle = ratings.mean(axis=0)
    noise = float(((ratings - middle) ** 2).sum()) / (len(ratings) - 1)
    signal = float(middle @ middle) - noise / len(ratings)
    if signal <= 0.0:
        return 0.0
    wanted = max(float(lab.beta @ lab.beta) - noise, 0.0)
    return float(min(np.sqrt(wanted / signal), LARGEST_SCALE))


def _simulate(lab: _Lab, scale: float, size: int, stream: np.random.SeedSequence) -> Simulated:
    rng = np.random.default_rng(stream)
    found, ratings = lab.run(rng, np.tile(scale * lab.beta, (size, 1)))
    found, ratings = found.only(~np.isnan(ratings[:, 0])), ratings[~np.isnan(ratings[:, 0])]
    again, second = lab.run(rng, scale * ratings)
    deviances = _deviances(found, ratings, lab.design), _deviances(again, second, lab.design)
    solved = ~np.isnan(deviances[1])
    return Simulated(deviances[0][solved], deviances[1][solved], found.only(solved).circles)


def _measurer(games: Games, wins: Wins) -> Callable[[Floats], _Measured]:
    """A function of (k, S) scores, or (k, B) outcomes of battles."""
    if isinstance(games.played, Battles):
        return partial(_measure_battles, games.played)
    assert isinstance(wins.design, Cliques)
    blocks = [
        (rows, columns, _later(met_block(wins.design, rows, columns)))
        for rows, columns in block_ranges(games.players)
    ]
    if games.players**2 <= SMALL_BLOCK:
        return partial(_measure_few, games, wins.match_weight, blocks[0][2])
    encounters = games.encounters()
    if (wins.match_weight == 1.0).all() and encounters.first.size <= LOOKUP_LIMIT:
        return partial(_measure_many, games, _Lookup.of(encounters, blocks).measure)
    return partial(_measure_many, games, partial(_measure_weighted, wins.match_weight, blocks))


def _later(met: Floats) -> Floats:
    """The matches of a block with each pair only once: the row's player before the column's."""
    rows = met.shape[0]
    met[:, :rows] = np.triu(met[:, :rows], 1)
    return met


def _measure_battles(battles: Battles, outcomes: Floats) -> _Measured:
    saturated, wins, circles = [], [], []
    few = battles.players**2 <= SMALL_BLOCK
    for outcome in outcomes:
        counted = count_battles(replace(battles, outcome=outcome))
        design, evidence = counted.design, counted.evidence
        assert isinstance(design, Pairs)
        assert isinstance(evidence, BattleEvidence)
        won = sum_by(evidence.pair, evidence.outcome * evidence.weight, design.first.size)
        saturated.append(_saturated(won, design.weights).sum())
        wins.append(counted.wins)
        if few:
            circles.append(_circles_of_pairs(design, 2.0 * won - design.weights))
    return _Measured(np.array(saturated), np.stack(wins), np.array(circles, np.int64))


def _circles_of_pairs(design: Pairs, lead: Floats) -> int:
    """Circles of three, given by how much the first player of each pair is ahead."""
    ahead = np.zeros((design.players, design.players), np.bool_)
    ahead[design.first, design.second] = lead > EQUAL * design.weights
    ahead[design.second, design.first] = lead < -EQUAL * design.weights
    return count_circles(ahead)


def _measure_few(games: Games, weight: Floats, met: Floats, values: Floats) -> _Measured:
    """All tables at once, for players so few that all pairs are a small block."""
    tables = np.stack([score_table(replace(games.results, value=value)) for value in values])
    limits = threshold(tables, games.tolerance)
    leads = leads_of_few(tables, limits, *games.rows_that_met(), weight)
    leads = limit_lead(leads, met)
    wins = 0.5 * ((met + leads).sum(axis=2) + (met - leads).sum(axis=1))
    saturated = _saturated(0.5 * (met + leads), met).sum(axis=(1, 2))
    certain = EQUAL * met
    circles = [count_circles((lead > certain) | (lead < -certain).T) for lead in leads]
    return _Measured(saturated, wins, np.array(circles, np.int64))


def _measure_many(
    games: Games, measure: Callable[[Encounters], tuple[float, Floats]], values: Floats
) -> _Measured:
    """One table after the other, block by block."""
    tables = (replace(games, played=replace(games.results, value=value)) for value in values)
    saturated, wins = zip(*(measure(table.encounters()) for table in tables), strict=True)
    return _Measured(np.array(saturated), np.stack(wins), np.empty(0, np.int64))


def _measure_weighted(
    weight: Floats, blocks: Sequence[tuple[slice, slice, Floats]], encounters: Encounters
) -> tuple[float, Floats]:
    wins, saturated = np.zeros(encounters.table.shape[1]), 0.0
    for rows, columns, met in blocks:
        lead = limit_lead(lead_block(encounters, weight, rows, columns), met)
        wins[rows] += 0.5 * (met + lead).sum(axis=1)
        wins[columns] += 0.5 * (met - lead).sum(axis=0)
        saturated += float(_saturated(0.5 * (met + lead), met).sum())
    return saturated, wins


@dataclass(frozen=True, slots=True)
class _Lookup:
    """Log-likelihoods of whole results, for matches that all weigh one.

    Attributes
    ----------
    table : ((n + 1)·(2n + 1),) by matches, up to n, and by wins minus losses plus n.
    blocks : rows, columns, and where in the table a block's pairs without a lead are.
    half : (m,) half of each player's matches.
    strict : whether nobody is missing and nothing ties.
    """

    table: Floats
    blocks: tuple[tuple[slice, slice, Ints], ...]
    half: Floats
    strict: bool

    @classmethod
    def of(cls, encounters: Encounters, blocks: Sequence[tuple[slice, slice, Floats]]) -> "_Lookup":
        """The table for results like those of the encounters."""
        most, half = encounters.first.size, np.zeros(encounters.table.shape[1])
        met = np.arange(most + 1.0)[:, None]
        lead = limit_lead(np.arange(-most, most + 1.0)[None, :], met)
        places = []
        for rows, columns, matches in blocks:
            half[rows] += 0.5 * matches.sum(axis=1)
            half[columns] += 0.5 * matches.sum(axis=0)
            place = matches.astype(np.int64) * (2 * most + 1) + most
            places.append((rows, columns, place))
        table = _saturated(0.5 * (met + lead), met).ravel()
        return cls(table, tuple(places), half, _is_strict(encounters))

    def measure(self, encounters: Encounters) -> tuple[float, Floats]:
        """The largest possible log-likelihood, and (m,) wins."""
        wins, saturated = self.half.copy(), 0.0
        encounters = _by_rank(encounters) if self.strict else encounters
        for rows, columns, place in self.blocks:
            lead = count_leads(encounters, rows, columns, strict=self.strict)
            lead[:, : lead.shape[0]] = np.triu(lead[:, : lead.shape[0]], 1)
            wins[rows] += 0.5 * lead.sum(axis=1)
            wins[columns] -= 0.5 * lead.sum(axis=0)
            saturated += float(self.table[place + lead].sum())
        return saturated, wins


def _by_rank(encounters: Encounters) -> Encounters:
    """The same with ranks for scores: small whole numbers are compared four times as fast."""
    order = np.argsort(encounters.table, axis=1)
    ranks = np.empty(order.shape, np.int16 if order.shape[1] < 2**15 else np.int32)
    np.put_along_axis(ranks, order, np.arange(order.shape[1], dtype=ranks.dtype)[None, :], axis=1)
    return replace(encounters, table=ranks, limit=ranks)


def _is_strict(encounters: Encounters) -> bool:
    table = encounters.table
    within = bool((encounters.first == encounters.second).all())
    if not within or not np.isfinite(table).all() or not (encounters.limit == table).all():
        return False
    return bool((np.diff(np.sort(table, axis=1), axis=1) > 0.0).all())


def _saturated(won: Floats, met: Floats) -> Floats:
    """Largest possible log-likelihood of so many wins in so many matches."""
    parts = xlogy(won, won), xlogy(met - won, met - won), xlogy(met, met)
    return np.asarray(parts[0] + parts[1] - parts[2], np.float64)
