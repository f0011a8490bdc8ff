"""Notes about ratings: what a board speaks about, and what should be doubted.

A note of a row is a few words; a note of the board is a sentence.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from winodds.arrays import Bools, Floats, Ints
from winodds.inference.structure import Structure
from winodds.language.notes import Note, doubt, reading, scope
from winodds.language.nouns import HOUSE, Nouns
from winodds.language.spelling import option
from winodds.language.words import (
    UNITS,
    count,
    did_you_mean,
    level_words,
    list_names,
    of_family,
    percent,
    plural,
    quote,
    rounded,
)

FEW_CLUSTERS = 10
FEW_OF_ROW = FEW_CLUSTERS // 2
RARE = 2
RARE_SHARE = 0.2
MANY_PLAYERS = 30
MANY_SPLITS = 5
UNEQUAL = 0.5
SETS_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Cuts:
    """Sets of players between which all matches went one way.

    Attributes
    ----------
    sets : names of the players of each set, the best of a set first.
    ordered : whether each set won every match against those after it.
    """

    sets: tuple[tuple[str, ...], ...]
    ordered: bool

    def describe(self, *, named: bool = True, nouns: Nouns = HOUSE) -> str:
        """Which sets won every match against which; unless ``named``, only single players are."""
        if len(self.sets) == 2 and self.ordered:
            return _two_sets(self.sets, named=named, nouns=nouns)
        shown = "; ".join(_one_set(names) for names in self.sets[:SETS_SHOWN])
        rest = len(self.sets) - SETS_SHOWN
        more = f"; and {count(rest, 'more set')}" if rest > 0 else ""
        listed = f": {shown}{more}" if named else ""
        if self.ordered:
            return (
                f"The {nouns.players} fall into {len(self.sets):,} sets, and each won every match "
                f"against those after it{listed}."
            )
        return (
            f"The {nouns.players} fall into {len(self.sets):,} sets, and between any two of them "
            f"all matches, if there were any, went one way{listed}."
        )


def find_cuts(structure: Structure, players: Sequence[str], order: Sequence[int]) -> Cuts:
    """The sets of a structure; ``order`` lists the players from the best down."""
    members: list[list[str]] = [[] for _ in range(structure.parts)]
    for player in order:
        members[int(structure.part[player])].append(players[player])
    beaten = structure.parts == 2 and bool(structure.sets_reached_from(0)[1])
    return Cuts(tuple(map(tuple, members)), ordered=beaten or structure.chain)


def _two_sets(members: Sequence[Sequence[str]], *, named: bool, nouns: Nouns) -> str:
    top, bottom = members
    if len(top) == 1:
        return f"{quote(top[0])} won every match."
    if len(bottom) == 1:
        return f"{quote(bottom[0])} lost every match."
    who, whom = (f" ({list_names(names)})" if named else "" for names in members)
    return (
        f"{nouns.player.count(len(top))}{who} won every match against the other "
        f"{len(bottom):,}{whom}."
    )


def _one_set(names: Sequence[str]) -> str:
    if len(names) == 1:
        return quote(names[0])
    return f"{len(names):,} with {list_names(names, shown=2)}"


# The board ---------------------------------------------------------------------------------------


@doubt
def open_ends(
    cuts: Cuts, *, reference: str | None, suggestion: str | None, nouns: Nouns = HOUSE
) -> str:
    """Why interval ends are open, and how to get closed ones."""
    sentence = (
        f"{cuts.describe(nouns=nouns)} How wide such a gap is cannot be known: interval ends "
        f"across it are open."
    )
    if reference is None and suggestion is not None:
        sentence += (
            f" The average {nouns.player} moves with the gap; with "
            f"{option('reference', suggestion)} the intervals of that player's set are closed."
        )
    return sentence


@scope
def average_of_set(
    players: int,
    others: Sequence[str],
    *,
    outcome: Literal["won", "lost"] | None,
    reference: str | None,
    component: int | None,
    nouns: Nouns = HOUSE,
) -> str:
    """Whose average is 0; ``outcome``: how all matches of all others went, if they went one way."""
    what = "0" if reference is None else f"the average {nouns.player}"
    start = (
        f"{what[0].upper()}{what[1:]}" if component is None else f"In component {component} {what}"
    )
    who = list_names(others)
    every = "" if outcome is None else f" {outcome} every match and"
    return (
        f"{start} is the average of the largest set of {nouns.players} without such a gap between "
        f"them ({players:,} of {players + len(others):,}); {who}{every} "
        f"{'is' if len(others) == 1 else 'are'} not in it."
    )


@scope
def best_of_many(players: int, *, nouns: Nouns = HOUSE) -> str:
    return (
        f"The first of {players:,} {nouns.players} is first partly by luck: an interval is for "
        f"{nouns.player.a} chosen beforehand, not for the best of many."
    )


@scope
def no_details() -> str:
    return (
        f"Rank ranges, letters, chances of being best and the quality of the fit are left out, "
        f"because so many scores take long; {option('details', True)} computes them."
    )


@scope
def many_splits(rounds: int, tournaments: int, *, nouns: Nouns = HOUSE) -> str:
    return (
        f"{rounds:,} {nouns.rounds}, but only {tournaments:,} {nouns.tournaments}: {nouns.rounds} "
        f"of one {nouns.tournament} agree with each other, so comparisons rest on the "
        f"{nouns.tournaments}, and more {nouns.rounds} of these would not make them surer."
    )


@doubt
def few_clusters(clusters: int, unit: str, *, nouns: Nouns = HOUSE) -> str:
    return (
        f"The intervals rest on only {clusters} {nouns.unit(unit).many}; below about "
        f"{FEW_CLUSTERS} they are rough."
    )


@scope
def unequal_clusters(
    clusters: int, effective: float, df: float, unit: str, *, nouns: Nouns = HOUSE
) -> str:
    return (
        f"The {clusters:,} {nouns.unit(unit).many} carry very different weight, as if there were "
        f"about {rounded(effective, '.1f')}: intervals and tests allow for it, with "
        f"{rounded(df, '.1f')} degrees of freedom or fewer for half of the {nouns.players}."
    )


@scope
def named_clusters(unit: str, won: str, *, nouns: Nouns = HOUSE) -> str:
    """``won``: what one player wins against another."""
    many = nouns.unit(won).many if won in UNITS else plural(won)
    return (
        f"{many.capitalize()} of one {nouns.unit(unit)} may agree with each other; the intervals "
        f"are for {many} of new values, not for more of these."
    )


@doubt
def fit_without_clusters(unit: str, *, nouns: Nouns = HOUSE) -> str:
    return (
        f"The p-value of the fit takes battles as independent; it is too small where those of one "
        f"{nouns.unit(unit)} agree with each other."
    )


@doubt
def no_information(*, nouns: Nouns = HOUSE) -> str:
    return f"All matches are ties: the scores do not tell the {nouns.players} apart."


@scope
def many_ties(ties: int, matches: int) -> str:
    return (
        f"{ties:,} of {matches:,} matches ({percent(ties / matches)}) are ties. A tie counts as "
        f"half a win for each, so ratings lie closer together than the decided matches alone would "
        f"put them, and odds are those of winning with ties halved."
    )


@scope
def empty_table(empty: int, cells: int, *, nouns: Nouns = HOUSE) -> str:
    return (
        f"{empty:,} of {cells:,} {nouns.player}–{nouns.round} pairs ({percent(empty / cells)}) "
        f"have no score: {nouns.players} who seldom met are compared through others, and ratings "
        f"lean on who took part in which {nouns.rounds}."
    )


@doubt
def leader_of_few_rounds(
    player: str, rounds: int, of: int, half: int, *, alone: bool, nouns: Nouns = HOUSE
) -> str:
    """``half``: so many rounds, or more, have half of the players."""
    who = "The leader" if alone else "The leader of a component,"
    comma = "" if alone else ","
    return (
        f"{who} {quote(player)}{comma} took part in only {rounds:,} of {of:,} {nouns.rounds} (half "
        f"of the {nouns.players} in {half:,} or more): its rating is rough, and few {nouns.rounds} "
        f"put {nouns.player.a} first by luck more easily than many."
    )


@scope
def own_clusters(columns: Sequence[str] = ()) -> str:
    """Battles without clusters; ``columns`` could name some."""
    if columns:
        ways = " or ".join(option("cluster", column) for column in columns)
        return (
            f"Each battle counts as independent of the others; if those of one judge or one prompt "
            f"may agree, pass {ways}."
        )
    return (
        f"Each battle counts as independent of the others; if battles share prompts or judges, "
        f"name that column with {option('cluster')}."
    )


@doubt
def seat_matters(chance: float, player: str, shift: float, first: float) -> str:
    """A seat that moves a rating by much of its error."""
    way = "higher" if shift > 0.0 else "lower"
    return (
        f"The first seat wins {rounded(100.0 * chance, '.0f')} of 100 battles between equals, and "
        f"this board takes no account of it. On a neutral seat {quote(player)}, who sat first in "
        f"{percent(first)} of its battles, would be rated {rounded(abs(shift), '.2f')} {way}."
    )


@scope
def seat_left_out(chance: float, player: str, shift: float) -> str:
    """A seat that moves no rating by much."""
    way = "higher" if shift > 0.0 else "lower"
    return (
        f"The first seat wins {rounded(100.0 * chance, '.0f')} of 100 battles between equals, and "
        f"this board takes no account of it. On a neutral seat, the rating that changes most is "
        f"{rounded(abs(shift), '.2f')} {way}, that of {quote(player)}."
    )


@doubt
def model_based(*, nouns: Nouns = HOUSE) -> str:
    return (
        "The intervals are model-based: they take all matches as independent, which those of one "
        f"{nouns.round} are not, and are too narrow (see docs/method.md)."
    )


@scope
def shrunken(prior_sd: float) -> str:
    return (
        f"Ratings are drawn toward 0 by a normal prior with standard deviation {prior_sd:g}, and "
        f"intervals do not undo that."
    )


@scope
def pooled(tournaments: int, *, new: bool, nouns: Nouns = HOUSE) -> str:
    """``new``: whether intervals come from the variation between tournaments."""
    aim = (
        f"; the intervals are for new {nouns.tournaments}, not for new {nouns.rounds} of these"
        if new
        else ""
    )
    return (
        f"{nouns.tournament.count(tournaments)} are pooled, and each counts once for a pair of "
        f"{nouns.players}{aim}."
    )


@scope
def data_sets_play(data_sets: int, models: int) -> str:
    return (
        f"The players are {count(data_sets, 'data set')} and the rounds "
        f"{count(models, 'model')}: a data set beats another where the model's mean score on it is "
        f"the better one, and is rated high where models do well. The intervals are for new models "
        f"of this kind."
    )


@scope
def lopsided_pool(
    heaviest: str,
    lightest: str,
    times: float,
    heavy_share: float,
    light_share: float,
    *,
    nouns: Nouns = HOUSE,
) -> str:
    """Shares are of the weight of all matches."""
    return (
        f"Tournament {quote(heaviest)} carries {rounded(times, '.1f')} times the weight of "
        f"{quote(lightest)} ({percent(heavy_share)} and {percent(light_share)} of all matches' "
        f"weight): a pair of {nouns.players} counts once on each, so one with more {nouns.players} "
        f"counts for more."
    )


@scope
def overlapping_splits(fraction: float, factor: float) -> str:
    return (
        f"Variances are multiplied by {rounded(factor, '.3g')}, because splits with test fraction "
        f"{fraction:g} share training data: the intervals are for a new data set of this kind, not "
        f"only for new splits of this one."
    )


@scope
def separate_components(components: Sequence[Sequence[str]]) -> str:
    shown = "; ".join(_one_set(names) for names in components[:SETS_SHOWN])
    rest = len(components) - SETS_SHOWN
    more = f"; and {count(rest, 'more component')}" if rest > 0 else ""
    return (
        f"{len(components):,} components that never met are rated each on its own; ratings, ranks "
        f"and averages of different components cannot be compared: {shown}{more}."
    )


@scope
def components_left_out(
    components: Sequence[Sequence[str]], reason: str, *, same_reason: bool, nouns: Nouns = HOUSE
) -> str:
    """``reason``: an error's sentence, of the first of them unless all have the same."""
    names = [name for members in components for name in members]
    verb = "is" if len(components) == 1 else "are"
    why = reason if same_reason else f"Of the first: {reason}"
    return (
        f"{count(len(components), 'component')} of {nouns.player.count(len(names))} cannot be "
        f"rated and {verb} left out: {list_names(names)}. {why}"
    )


# Rows --------------------------------------------------------------------------------------------


@doubt
def won_all() -> str:
    return "won every match"


@doubt
def lost_all() -> str:
    return "lost every match"


@doubt
def open_above() -> str:
    return "upper end open"


@doubt
def open_below() -> str:
    return "lower end open"


OPEN_ENDS = (open_above.__name__, open_below.__name__)
"""Names of the notes that say of an interval what it shows anyway."""


def outcome_notes(wins: float, matches: float, low: float, high: float) -> tuple[Note, ...]:
    """The notes of a row."""
    found = []
    if wins == matches:
        found.append(won_all())
    if wins == 0.0:
        found.append(lost_all())
    if np.isinf(high):
        found.append(open_above())
    if np.isinf(low):
        found.append(open_below())
    return tuple(found)


def outcome_of(wins: Floats, matches: Ints) -> Literal["won", "lost"] | None:
    """How all matches of all these players went, if they went one way."""
    if (wins == 0.0).all():
        return "lost"
    return "won" if (wins == matches).all() else None


@scope
def component(number: int) -> str:
    return f"component {number}"


@doubt
def few_clusters_of_row(clusters: int, unit: str, *, nouns: Nouns = HOUSE) -> str:
    return f"only {clusters} {nouns.unit(unit).many if clusters != 1 else nouns.unit(unit)}"


@doubt
def seldom_lost(clusters: int, unit: str, *, nouns: Nouns = HOUSE) -> str:
    return f"lost in only {nouns.unit(unit).count(clusters)}: upper end may be too low"


@doubt
def seldom_won(clusters: int, unit: str, *, nouns: Nouns = HOUSE) -> str:
    return f"won in only {nouns.unit(unit).count(clusters)}: lower end may be too high"


def are_rare(outcomes: Ints, played: Ints) -> Bools:
    """(m,) where an outcome is so rare that an end of the interval hangs on one or two clusters.

    Intervals are symmetric, and how far a player is ahead who lost in one round is not: such ends
    were too near in up to a quarter of simulated boards instead of 2.5%.
    """
    rare: Bools = (outcomes > 0) & (outcomes <= RARE) & (outcomes <= RARE_SHARE * played)
    return rare


# Details ------------------------------------------------------------------------------------------


@scope
def simultaneous_ranks(level: float, *, nouns: Nouns = HOUSE) -> str:
    return f"The rank ranges hold for all {nouns.players} at once ({level_words(level)})."


# The leader without luck --------------------------------------------------------------------------


@doubt
def few_players(*, nouns: Nouns = HOUSE) -> str:
    return f"So few {nouns.players} hardly tell how much true ratings vary."


@doubt
def only_luck(*, nouns: Nouns = HOUSE) -> str:
    return (
        f"The ratings vary no more than luck alone would make them; if all {nouns.players} are "
        f"equal, who is best means nothing."
    )


@doubt
def far_ahead(clusters: int) -> str:
    return (
        f"The leader is far ahead, and {clusters} clusters hardly tell how far: without luck it "
        f"may be drawn back too much, and its chance of being best may be understated."
    )


@doubt
def two_leagues() -> str:
    return (
        "The ratings fall into two leagues. Differences inside a league are taken for larger than "
        "they are, and chances of being best are overstated."
    )


OF_CHANCES = tuple(own.__name__ for own in (only_luck, far_ahead, two_leagues))
"""Names of the notes that also speak of chances of being best."""


@doubt
def shrunken_twice() -> str:
    return "Ridge ratings are drawn to the average already; this draws them once more."


# Teams --------------------------------------------------------------------------------------------


@scope
def not_alone(members: Sequence[str], teams: Sequence[str], close: Sequence[str]) -> str:
    """``close``: players whose names the members' may have meant."""
    verb = "does" if len(members) == 1 else "do"
    who = "team" if len(teams) == 1 else f"{len(teams):,} teams"
    start = (
        f"{list_names(members)} {verb} not play alone on this leaderboard, so there is no synergy "
        f"of {who} {list_names(teams)}; add scores of single members."
    )
    return f"{start} {did_you_mean(close)}" if close else start


@scope
def teams_of_one(teams: Sequence[str]) -> str:
    has = "has" if len(teams) == 1 else "have"
    return (
        f"{list_names(teams)} {has} a single member, and the synergy is the difference from that "
        f"member."
    )


@scope
def worth_untold(members: Sequence[str], teams: int, of: int) -> str:
    return (
        f"The worth of {list_names(members)} as members is not told by {count(teams, 'team')} of "
        f"{count(of, 'member')}: they always play together, or in every team, or in too few teams. "
        f"Teams in which others stand in their place would tell it."
    )


# New players --------------------------------------------------------------------------------------


def _nearness(players: int, clusters: int, error: float, unit: str, nouns: Nouns) -> str:
    return (
        f"rated without fitting the others anew, which with {nouns.player.count(players)} and "
        f"{clusters:,} {nouns.unit(unit).many} is within {rounded(error, '.2g')} standard errors "
        f"of a refit in 99 of 100 cases"
    )


# Hyperparameters ----------------------------------------------------------------------------------


@doubt
def mostly_noise(family: str | None, noise: float) -> str:
    return (
        f"{percent(noise)} of the variance of the ratings{of_family(family)} is noise. So the "
        f"shares of hyperparameters are rough, and pairs of them are not looked at."
    )


@doubt
def varied_together(family: str | None, share: float) -> str:
    sense = "belongs to several of them together" if share > 0.0 else "is counted twice"
    return (
        f"The hyperparameters{of_family(family)} were not varied independently of each other: "
        f"{percent(abs(share))} of the variance {sense}."
    )


@scope
def without_pairs(
    family: str | None,
    settings: int,
    needed: int,
    tournaments: int,
    of: int,
    *,
    nouns: Nouns = HOUSE,
) -> str:
    return (
        f"Pairs of hyperparameters{of_family(family)} are not looked "
        f"at{_in_some(tournaments, of, nouns)}: that needs {needed:,} settings, and there are "
        f"{settings:,}."
    )


@scope
def pairs_one_by_one(
    family: str | None,
    settings: int,
    needed: int,
    tournaments: int,
    of: int,
    *,
    nouns: Nouns = HOUSE,
) -> str:
    return (
        f"Pairs of hyperparameters{of_family(family)} are looked at one by one"
        f"{_in_some(tournaments, of, nouns)}: all together need {needed:,} settings, and there are "
        f"{settings:,}."
    )


@doubt
def pairs_alike(family: str | None) -> str:
    return (
        f"The settings{of_family(family)} do not tell all pairs of hyperparameters apart, so that "
        f"what one pair does may count for another one, too."
    )


def _in_some(tournaments: int, of: int, nouns: Nouns) -> str:
    """In how many tournaments, unless in all."""
    return "" if tournaments == of else f" in {tournaments:,} of {of:,} {nouns.tournaments}"


@scope
def sometimes_set(hyperparameter: str, present: int, settings: int, *, counted: bool) -> str:
    whose = "counts for it" if counted else "follows from others, and counts for these"
    return (
        f"{quote(hyperparameter)} is set in {present:,} of {settings:,} settings; whether it is "
        f"set {whose}."
    )


@scope
def left_out(tournament: str, reason: str) -> str:
    return f"{quote(tournament)} is left out. {reason}"


@scope
def near_refit(
    players: int, clusters: int, error: float, unit: str, *, nouns: Nouns = HOUSE
) -> str:
    """``error``: by how many standard errors a refit would move the rating, nearly always."""
    return _nearness(players, clusters, error, unit, nouns)


@doubt
def refit_advised(
    players: int, clusters: int, error: float, unit: str, *, nouns: Nouns = HOUSE
) -> str:
    """The same where that is much."""
    return f"{_nearness(players, clusters, error, unit, nouns)}; rate all together"


# A baseline and a candidate -----------------------------------------------------------------------


@reading
def unshared_rounds(
    baseline: str, candidate: str, only_baseline: int, only_candidate: int, *, nouns: Nouns = HOUSE
) -> str:
    """Rounds that only one of two players has."""
    found = ((baseline, only_baseline), (candidate, only_candidate))
    listed = " and ".join(
        f"{nouns.round.count(number)} of {quote(player)}" for player, number in found if number
    )
    one = only_baseline + only_candidate == 1
    return (
        f"{listed} {'has' if one else 'have'} no partner and {'does' if one else 'do'} not count."
    )


@reading
def failed_pairs(baseline: str, candidate: str, failed_baseline: int, failed_candidate: int) -> str:
    """Rounds that do not count because a run failed."""
    found = ((baseline, failed_baseline), (candidate, failed_candidate))
    listed = " and ".join(
        f"{count(number, 'run')} of {quote(player)}" for player, number in found if number
    )
    one = failed_baseline + failed_candidate == 1
    return (
        f"{listed} failed, and {'its round does' if one else 'their rounds do'} not count; with "
        f"{option('missing', 'lose')} a failed run loses."
    )


@reading
def lost_by_failure(runs: int, *, nouns: Nouns = HOUSE) -> str:
    return (
        f"{count(runs, 'run')} failed and lost {'its round' if runs == 1 else 'their rounds'}; "
        f"mean scores are of the other {nouns.rounds}."
    )


@scope
def these_tournaments(tournaments: int, enough: int, *, nouns: Nouns = HOUSE) -> str:
    return (
        f"The verdict is about new {nouns.rounds} of these {nouns.tournament.count(tournaments)}, "
        f"each of which counts once, and not about new {nouns.tournaments}: for these, {enough} "
        f"are needed."
    )


@scope
def new_tournaments(tournaments: int, rounds: int, *, nouns: Nouns = HOUSE) -> str:
    return (
        f"The verdict is about new {nouns.tournaments}: the {rounds:,} {nouns.rounds} belong to "
        f"{tournaments:,}, each of which counts once."
    )


@scope
def same_scores(rounds: int, *, nouns: Nouns = HOUSE) -> str:
    return (
        f"The two have the same score in all {nouns.round.count(rounds)}. How often they would "
        f"differ in others, only more {nouns.rounds} can tell."
    )


@scope
def no_scores(reason: str) -> str:
    return f"{reason}, so there is no difference of scores, only a win rate."


@scope
def margin_as_score(margin: float, score: float) -> str:
    return (
        f"All differences are of one size, so a margin of {margin:g} on the win rate is one of "
        f"{score:g} on the mean score."
    )


@doubt
def scales_disagree(by_wins: str, by_score: str) -> str:
    return (
        f"Wins and scores disagree: by its win rate the candidate is {by_wins}, by its mean score "
        f"{by_score}. It wins rarely and by much, or often and by little."
    )


@doubt
def skewed_differences(up: bool, *, nouns: Nouns = HOUSE) -> str:
    seldom, wrong = ("wins", "worse") if up else ("loses", "better, or no worse,")
    return (
        f"The differences of scores are skewed: the candidate {seldom} by much in a few "
        f"{nouns.rounds}. Their mean then is {wrong} by luck more often than its interval allows "
        f"for; the win rate is not concerned."
    )


@doubt
def few_pairs(units: int, unit: str, *, nouns: Nouns = HOUSE) -> str:
    return (
        f"The verdict rests on only {nouns.unit(unit).count(units)}; below about {FEW_CLUSTERS} "
        f"the intervals are rough."
    )
