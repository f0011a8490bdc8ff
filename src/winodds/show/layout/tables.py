"""Comparisons, quality, bootstraps and the best of many as small tables of words."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import isnan
from typing import Any

from winodds.arrays import order_of
from winodds.board.bootstrap import Bootstrap
from winodds.board.column import Column
from winodds.board.comparisons import Comparisons, Estimate
from winodds.board.gate import Gate
from winodds.board.leader import BoardSota
from winodds.board.leaderboard import Leaderboard
from winodds.board.quality import Quality
from winodds.board.row import DECLARED
from winodds.board.seats import Seat
from winodds.board.teams import Teams
from winodds.language.words import count, level_words, rounded
from winodds.show.layout.cells import interval, percent, rank_range, rating
from winodds.show.layout.grid import Grid, make_table, numbers, words
from winodds.show.words import gate
from winodds.show.words.sota import Digits, digits_of, digits_of_law
from winodds.show.words.verdicts import bare_p
from winodds.sota.answer import Expected, Sensitivity, Sota, WhatIf

LETTERS_SHOWN = 26

RANK, RANKS, PLAYER = DECLARED["rank"], DECLARED["rank_low"], DECLARED["player"]
EPP, LETTERS, P_BEST = DECLARED["epp"], DECLARED["letters"], DECLARED["p_best"]


def _interval_at(level: float) -> Column:
    return numbers(f"{level_words(level)} interval")


def _first(top: int | None, size: int) -> range:
    return range(size if top is None else min(top, size))


# A baseline and a candidate -----------------------------------------------------------------------


def gate_grid(found: Gate) -> Grid:
    """The numbers behind a verdict, a line for each."""
    value, low, high = gate.win_rate_words(found)
    duel, chosen = found.rounds, "" if found.margin_given else " (the usual one)"
    lines = [
        (f"shared {gate.played(found)}", f"{duel.won + duel.lost + duel.tied:,}"),
        ("won, tied, lost", f"{duel.won:,}, {duel.tied:,}, {duel.lost:,}"),
        ("win rate", f"{value}% ({low}% to {high}%)"),
        *_score_lines(found),
        ("margin", f"{gate.margin_words(found)}{chosen}"),
        (f"further {gate.played(found)}", gate.needed_words(found)),
    ]
    names, cells = zip(*lines, strict=True)
    return make_table(
        [(words(found.candidate), names), (words(f"against {found.baseline}"), cells)]
    )


def _score_lines(found: Gate) -> list[tuple[str, str]]:
    """Mean scores and their difference, where there are any."""
    if found.difference is None:
        return []
    form = f".{gate.score_digits(found)}f"
    own, other = (
        rounded(mean or 0.0, form) for mean in (found.mean_candidate, found.mean_baseline)
    )
    ends = gate.difference_ends(found)
    return [
        ("mean score", f"{own} against {other} ({found.better_is} is better)"),
        ("better by", f"{rounded(found.difference.value, form)} ({ends})"),
    ]


# All pairs ----------------------------------------------------------------------------------------


def pair_grid(found: Comparisons, *, top: int | None = None) -> Grid:
    """The pairs, rounded, those that are told apart marked."""
    columns = found.columns()
    rows = _first(top, len(found))
    ends = [interval(columns["low"][k], columns["high"][k]) for k in rows]
    return make_table(
        [
            (PLAYER, [columns["a"][k] for k in rows]),
            (replace(PLAYER, label="against"), [columns["b"][k] for k in rows]),
            (numbers("gap"), [rating(columns["difference"][k]) for k in rows]),
            (_interval_at(found.level), ends),
            (numbers("P(win)"), [percent(columns["p_win"][k]) for k in rows]),
            (numbers("p", gives_way=3), [bare_p(columns["p_value"][k]) for k in rows]),
            (numbers("adjusted"), [bare_p(columns["p_adjusted"][k]) for k in rows]),
            (words("told apart"), [_outcome(columns, k) for k in rows]),
        ],
        left_out=len(found) - len(rows),
    )


def _outcome(columns: Mapping[str, list[Any]], k: int) -> str:
    if columns["identical"][k]:
        return "identical"
    return "yes" if columns["told_apart"][k] else "no"


def letter_grid(board: Leaderboard, found: Comparisons, *, top: int | None = None) -> Grid:
    """Players with a column for each letter, so that letters look like bars beside them."""
    rows = _first(top, len(board))
    ranks, standings = board.details(), board.standings
    could_be = [rank_range(int(ranks.rank_low[k]), int(ranks.rank_high[k])) for k in rows]
    quasi = ["" if isnan(x := ranks.quasi_se[k]) else rounded(x, ".2f") for k in rows]
    return make_table(
        [
            (RANK, [f"{standings.rank[k]}" for k in rows]),
            (RANKS, could_be),
            (PLAYER, [board.players[k] for k in rows]),
            (EPP, [rating(standings.epp[k]) for k in rows]),
            (numbers("quasi-se"), quasi),
            (LETTERS, [_bars(found.letters[k], len(found.alike)) for k in rows]),
        ],
        left_out=len(board) - len(rows),
    )


def _bars(letters: str, sets: int) -> str:
    if sets > LETTERS_SHOWN:
        return letters
    places = [" "] * sets
    for letter in letters:
        places[ord(letter) - ord("a")] = letter
    return "".join(places).rstrip()


# Quality ------------------------------------------------------------------------------------------


def calibration_grid(quality: Quality) -> Grid:
    """Fitted against observed shares of wins."""
    bins = quality.calibration
    shares = [f"{100 * one.low:.0f} to {100 * one.high:.0f}%" for one in bins]
    return make_table(
        [
            (words("favourite wins"), shares),
            (numbers("pairs"), [f"{one.pairs:,}" for one in bins]),
            (numbers("expected"), [rounded(one.fitted, ".1%") for one in bins]),
            (numbers("observed"), [rounded(one.observed, ".1%") for one in bins]),
        ]
    )


def overview_grid(found: Sequence[tuple[Leaderboard, Quality]]) -> Grid:
    """Boards side by side, the best fit first."""
    ordered = [found[k] for k in order_of([one.standardised or 0.0 for _, one in found]).tolist()]
    fits = [quality for _, quality in ordered]
    return make_table(
        [
            (words("tournament"), [str(board.tournament) for board, _ in ordered]),
            (numbers("players"), [f"{fit.players:,}" for fit in fits]),
            (numbers("deviance"), [rounded(fit.deviance, ",.1f") for fit in fits]),
            (numbers("df"), [f"{fit.df:,}" for fit in fits]),
            (numbers("standardised"), [_number(fit.standardised) for fit in fits]),
            (numbers("dispersion"), [_number(fit.dispersion) for fit in fits]),
            (numbers("p", gives_way=3), [bare_p(fit.p_value, tight=False) for fit in fits]),
        ]
    )


def _number(value: float | None, digits: int = 2) -> str:
    return "" if value is None else rounded(value, f".{digits}f")


# Bootstrap ----------------------------------------------------------------------------------------


def bootstrap_grid(found: Bootstrap, *, top: int | None = None) -> Grid:
    """The players, rounded."""
    columns = found.columns()
    rows = _first(top, len(found.players))
    shares = [columns["first_in"][k] for k in rows]
    ends = [_ends(columns["low"][k], columns["high"][k]) for k in rows]
    return make_table(
        [
            (RANK, [_number(columns["rank"][k], 0) for k in rows]),
            (
                numbers("ranks"),
                [_ranks(columns["rank_low"][k], columns["rank_high"][k]) for k in rows],
            ),
            (PLAYER, [columns["player"][k] for k in rows]),
            (EPP, [_number(columns["rating"][k]) for k in rows]),
            (_interval_at(found.level), ends),
            (numbers("first in"), ["" if share is None else percent(share) for share in shares]),
        ],
        left_out=len(found.players) - len(rows),
    )


def _ranks(low: float | None, high: float | None) -> str:
    return "" if low is None else "–".join(dict.fromkeys((_number(low, 0), _number(high, 0))))


def _ends(low: float | None, high: float | None) -> str:
    return "" if low is None else f"{_number(low)} … {_number(high)}"


# Teams --------------------------------------------------------------------------------------------


def team_grid(found: Teams, *, top: int | None = None) -> Grid:
    """Teams beside their members."""
    shown = found.teams[:top]
    return make_table(
        [
            (replace(PLAYER, label="team"), [one.team for one in shown]),
            (replace(PLAYER, label="members"), [", ".join(one.members) for one in shown]),
            (EPP, [rating(one.epp) for one in shown]),
            (numbers("alone"), ["" if one.solo is None else rating(one.solo) for one in shown]),
            (numbers("synergy"), [_value(one.synergy) for one in shown]),
            (_interval_at(found.level), [_interval_of(one.synergy) for one in shown]),
            (numbers("beats its best"), [_chance_of(one.p_best_member) for one in shown]),
        ],
        left_out=len(found.teams) - len(shown),
    )


def member_grid(found: Teams, *, top: int | None = None) -> Grid:
    """Members alone and in teams."""
    shown = found.members[:top]
    return make_table(
        [
            (replace(PLAYER, label="member"), [one.member for one in shown]),
            (numbers("teams"), [f"{one.teams:,}" for one in shown]),
            (numbers("alone"), [_value(one.epp) for one in shown]),
            (numbers("worth"), [_value(one.worth) for one in shown]),
            (_interval_at(found.level), [_interval_of(one.worth) for one in shown]),
        ],
        left_out=len(found.members) - len(shown),
    )


def _value(found: Estimate | None) -> str:
    return "" if found is None else rating(found.value)


def _interval_of(found: Estimate | None) -> str:
    return "" if found is None else interval(found.low, found.high)


def _chance_of(found: Estimate | None) -> str:
    return "" if found is None else percent(found.value)


# The best of many ---------------------------------------------------------------------------------


def picks_grid(found: BoardSota) -> Grid:
    """The best of the board and of every family, with their selection bias."""
    picks = (found.leader, *found.families)
    return make_table(
        [
            (words("best of"), [f"{one.family or 'all'} ({one.of:,})" for one in picks]),
            (PLAYER, [one.player for one in picks]),
            (EPP, [rating(one.epp) for one in picks]),
            (numbers("without luck"), [rating(one.sota) for one in picks]),
            (_interval_at(found.level), [interval(one.low, one.high) for one in picks]),
            (P_BEST, [rounded(one.p_best, ".0%") if one.of > 1 else "" for one in picks]),
        ]
    )


def figures_grid(found: Sota) -> Grid:
    """The figures, with intervals and how many entries they mean."""
    show = digits_of(found)
    heads = words(""), numbers("score"), _interval_at(found.level), words("entries")
    alone = Expected(found.observed_max, found.naive_low, found.naive_high)
    rows = [_figure("best score, taken alone", alone, show, f"{found.in_naive_interval:,} in it")]
    ends = ""
    if found.low is not None and found.high is not None:
        ends = _stretch(show, found.low, found.high)
    side = "above" if found.higher_is_better else "below"
    above = f"{found.at_or_above:,} at or {side}"
    rows.append(("state of the art", show(found.sota), ends, above))
    if found.expected is not None:
        rows.append(_figure("best score to expect then", found.expected, show))
    return Grid(heads, [*rows, _figure("best score at face value", found.face_value, show)])


def _figure(name: str, value: Expected, show: Digits, entries: str = "") -> tuple[str, ...]:
    return name, show(value.value), _stretch(show, value.low, value.high), entries


def _stretch(show: Digits, low: float, high: float) -> str:
    return f"{show(low)} … {show(high)}"


def sensitivity_grid(found: Sota) -> Grid:
    """The state of the art under other correlations."""
    show, tried = digits_of(found), found.sensitivity
    columns: list[tuple[Column, list[str]]] = [
        (numbers("correlation"), [f"{one.correlation:.3g}" for one in tried]),
        (numbers("of two entries"), [f"{one.correlation**2:.2g}" for one in tried]),
        (numbers("state of the art"), [_sensitivity(one, show) for one in tried]),
    ]
    if any(one.p_best is not None for one in tried):
        columns += [
            (_interval_at(found.level), [_sensitivity_ends(one, show) for one in tried]),
            (P_BEST, ["" if one.p_best is None else _chance(one.p_best) for one in tried]),
        ]
    return make_table(columns)


def contenders_grid(found: Sota) -> Grid:
    """Who may truly be the best."""
    show = digits_of(found)
    names = [
        one.name or count(one.entries, "entry", "entries") + ", each" * (one.entries > 1)
        for one in found.contenders
    ]
    scores = [show(one.score) for one in found.contenders]
    chances = [_chance(one.p_best) for one in found.contenders]
    others = found.scored - sum(one.entries for one in found.contenders)
    rest = 1.0 - sum(one.entries * one.p_best for one in found.contenders)
    if others and rest >= 0.005:
        names.append("the other one" if others == 1 else f"all {others:,} others")
        scores.append("")
        chances.append(_chance(rest))
    return make_table(
        [
            (words("could be the best"), names),
            (numbers("score"), scores),
            (P_BEST, chances),
        ]
    )


def _chance(share: float) -> str:
    """A chance in a cell, never 0% or 100%."""
    return ">99%" if share > 0.995 else "<1%" if share < 0.005 else f"{share:.0%}"


def _sensitivity(one: Sensitivity, show: Digits) -> str:
    if one.sota is None:
        return "not explained" if one.possible else "not possible"
    return show(one.sota)


def _sensitivity_ends(one: Sensitivity, show: Digits) -> str:
    return "" if one.low is None or one.high is None else _stretch(show, one.low, one.high)


def what_if_grid(found: WhatIf) -> Grid:
    """The law of the largest score in figures."""
    show = digits_of_law(found.sd)
    rows: list[tuple[str, ...]] = [
        ("expected best score", show(found.expected_max)),
        ("standard deviation", f"{found.sd:.2g}"),
        (f"{level_words(found.level)} interval", _stretch(show, found.max_low, found.max_high)),
        ("bias", show(found.bias)),
    ]
    return Grid((words(""), numbers("value")), rows)


# Seats --------------------------------------------------------------------------------------------


def seat_grid(found: Seat, *, top: int | None = None, elo: bool = False) -> Grid:
    """Ratings with and without the first seat's effect."""
    rows = found.rows[:top]
    scale = "Elo" if elo else "EPP"
    ends = [interval(row.low, row.high, elo=elo) for row in rows]
    return make_table(
        [
            (PLAYER, [row.player for row in rows]),
            (numbers("sat first"), [rounded(row.first, ".0%") for row in rows]),
            (numbers(scale), [rating(row.epp, elo=elo) for row in rows]),
            (numbers("on a neutral seat"), [rating(row.neutral, elo=elo) for row in rows]),
            (_interval_at(found.level), ends),
        ],
        left_out=len(found.rows) - len(rows),
    )
