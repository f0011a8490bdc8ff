"""A data frame → Table: columns found, checked and indexed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from winodds.arrays import Bools, Floats, Ints, number_keys, renumber
from winodds.language.notes import Note
from winodds.language.options import Columns, Direction, Duplicates, Roles
from winodds.language.spelling import on_command_line, option
from winodds.language.words import number, quote
from winodds.table.cells import Cells
from winodds.table.directions import (
    as_direction,
    check_against_name,
    check_one_source,
    metric_directions,
    read_directions,
    round_directions,
    unsure,
)
from winodds.table.duplicates import one_row_per_pair
from winodds.table.errors import (
    BadWeights,
    InfiniteScores,
    JoinedNamesCollide,
    NoRunSucceeded,
    NotConstant,
    ScoreOutOfRange,
    SpreadsAsScores,
    TrainingScores,
    WeightsTooFar,
)
from winodds.table.frames import Part, Source
from winodds.table.members import split_members
from winodds.table.names import Index, constant, index_names, join_numerals
from winodds.table.notes import (
    direction_given,
    failed_runs,
    look_alikes,
    mixed_units,
    numerals,
    spread_rows,
    training_scores,
)
from winodds.table.settings import Settings, read_settings
from winodds.table.summaries import refuse_summaries, refuse_summing_player
from winodds.table.vocabulary import (
    DONE,
    FAILED,
    METRIC_NAMES,
    is_spread,
    is_training,
    known_metric,
    likely_metric,
    parts_with_training,
    plain_name,
    propose_roles,
)

NEEDED = ("player", "round", "score")
"""The roles that every table of scores has, the first of `Roles`."""

SEPARATOR = "/"
"""Between the values of several columns that form one name."""


@dataclass(frozen=True, slots=True)
class Rounds:
    """What is known of each round: (R,) arrays and names, sorted by tournament.

    Attributes
    ----------
    names : ``tournament/round``, or the round alone.
    tournament : index of the tournament.
    higher_is_better, weight, cluster : of the round; clusters are numbered 0 … G − 1.
    repeated, merged, retried : rows that repeated another one exactly, rows with another score of
        the same player, and rows without a score beside one that has it.
    """

    names: tuple[str, ...]
    tournament: Ints
    higher_is_better: Bools
    weight: Floats
    cluster: Ints
    repeated: Ints
    merged: Ints
    retried: Ints

    def take(self, part: slice | Ints) -> "Rounds":
        """Some rounds in their order, with tournaments and clusters numbered anew."""
        names = self.names[part] if isinstance(part, slice) else [self.names[k] for k in part]
        return Rounds(
            tuple(names),
            renumber(self.tournament[part]),
            self.higher_is_better[part],
            self.weight[part],
            renumber(self.cluster[part]),
            self.repeated[part],
            self.merged[part],
            self.retried[part],
        )


@dataclass(frozen=True, slots=True)
class Table:
    """Scores of named players, checked and indexed.

    Attributes
    ----------
    players, tournaments : names, sorted.
    rounds : what is known of each round.
    cells : one for every player–round pair that has a row.
    tidied : names that were normalised.
    families : the family of each player, or None.
    settings : the value of each player in every column of hyperparameters, or None.
    members : the members of each player that is a team, or None.
    notes : what else was normalised while the table was read.
    backend : library of the frame that came in.
    """

    players: tuple[str, ...]
    tournaments: tuple[str, ...]
    rounds: Rounds
    cells: Cells
    tidied: int
    families: tuple[str, ...] | None
    settings: Settings | None
    members: Mapping[str, tuple[str, ...]] | None
    notes: tuple[Note, ...]
    backend: str

    def of_tournament(self, number: int) -> "Table":
        """The part of the table that belongs to one tournament."""
        begin, end = np.searchsorted(self.rounds.tournament, [number, number + 1])
        inside = slice(*np.searchsorted(self.cells.round, [begin, end]))
        cells = self.cells.take(inside)
        return replace(
            self,
            tournaments=(self.tournaments[number],),
            rounds=self.rounds.take(slice(int(begin), int(end))),
            cells=replace(cells, round=cells.round - begin),
        )

    def of_rounds(self, chosen: Bools) -> "Table":
        """The part of the table that belongs to some rounds, (R,)."""
        kept, rounds = self.cells.keep(chosen[self.cells.round]), np.flatnonzero(chosen)
        tournaments = np.unique(self.rounds.tournament[rounds]).tolist()
        return replace(
            self,
            tournaments=tuple(self.tournaments[k] for k in tournaments),
            rounds=self.rounds.take(rounds),
            cells=replace(kept, round=(np.cumsum(chosen) - 1)[kept.round]),
        )


def read_table(frame: Source, roles: Roles, *, duplicates: Duplicates = "error") -> Table:
    """Read and check the columns of a frame in long form."""
    higher_is_better = as_direction(roles.higher_is_better)
    _require_columns(frame, roles)
    roles = _with_metrics(frame, roles)
    frame, left_out = _without_spreads(frame, roles)
    players = index_columns(frame, roles.player)
    plain_rounds = index_units(frame, roles.round)
    tournaments = index_units(frame, roles.tournament) if roles.tournament is not None else None
    if not (frame.knows or frame.vetted):
        refuse_summaries(plain_rounds, "round")
        if tournaments is not None:
            refuse_summaries(tournaments, "data set")
        if parts := parts_with_training(plain_rounds.names):
            raise TrainingScores(names=parts)
    names, tournament, round_of = number_rounds(plain_rounds, tournaments)
    value = frame.numbers(roles.score).fill_null(float("nan")).to_numpy()
    failed, marked = _failed_by_status(frame, roles.status)
    if failed is not None:
        value = np.where(failed, np.nan, value)
    _refuse_infinite(value, players, names, round_of, frame.place)
    rows = Cells(round_of, players.code, value)
    up = _directions(frame, roles, higher_is_better, names, rows, players)
    cells, spare = one_row_per_pair(
        rows,
        players.names,
        names,
        rule=duplicates,
        higher_is_better=up,
        frame=frame,
        own=_columns_of(roles),
    )
    if not frame.knows:
        refuse_summing_player(players.names, cells)
    rounds = Rounds(
        names=names,
        tournament=tournament,
        higher_is_better=up,
        weight=_round_weights(frame, roles.weights, names, round_of, tournament[round_of]),
        cluster=_round_clusters(frame, roles.cluster, names, round_of),
        repeated=spare[0],
        merged=spare[1],
        retried=spare[2],
    )
    number_columns = [roles.score, *([roles.weights] if roles.weights is not None else [])]
    alike = numerals(plain_rounds, "rounds")
    if tournaments is not None:
        alike += numerals(tournaments, "data sets") + look_alikes(tournaments.names, "tournaments")
    alike += _applied_to(frame, roles, higher_is_better)
    if is_training(roles.score):
        alike.append(training_scores(roles.score))
    if roles.metric_column is None:
        alike += _mixed_units(rows, roles.score, names)
    return Table(
        players=players.names,
        tournaments=tournaments.names if tournaments else ("",),
        rounds=rounds,
        cells=cells,
        tidied=players.tidied + plain_rounds.tidied + (tournaments.tidied if tournaments else 0),
        families=_families(frame, roles.family, players),
        settings=_settings(frame, roles.hyperparameters, players),
        members=_members(frame, roles.members, players),
        notes=(*frame.notes_on(number_columns), *left_out, *marked, *alike),
        backend=frame.backend,
    )


def _with_metrics(frame: Source, roles: Roles) -> Roles:
    """The roles; a column of metrics that is part of the round still tells their directions."""
    told = (
        roles.metric_column or roles.direction_column or isinstance(roles.higher_is_better, Mapping)
    )
    if told or frame.knows or likely_metric(roles.score) is not None:
        return roles
    for column in as_columns(roles.round):
        if plain_name(column) in METRIC_NAMES:
            names = frame.text(column).cast(pl.String).drop_nulls().unique().to_list()
            if any(likely_metric(name) or is_spread(name) for name in names):
                return replace(roles, metric_column=column)
    return roles


def _without_spreads(frame: Source, roles: Roles) -> tuple[Source, list[Note]]:
    """The rows that hold scores; those of metrics that tell how much scores vary are left out."""
    if roles.metric_column is None:
        return frame, []
    metrics = frame.text(roles.metric_column).cast(pl.String)
    spreads = sorted(filter(is_spread, metrics.drop_nulls().unique().to_list()))
    if not spreads:
        return frame, []
    kept = np.flatnonzero(~metrics.is_in(spreads).fill_null(False).to_numpy())
    if not kept.size:
        raise SpreadsAsScores(names=spreads, metrics=True)
    return Part(frame, kept), [spread_rows(frame.rows - kept.size, spreads)]


def as_columns(columns: Columns) -> tuple[str, ...]:
    """One column's name, or several, as a tuple."""
    return (columns,) if isinstance(columns, str) else tuple(columns)


def _columns_of(roles: Roles) -> list[str]:
    """All columns that play a role, those of players, rounds and scores first."""
    return [column for columns in roles.columns().values() for column in as_columns(columns)]


def _require_columns(frame: Source, roles: Roles) -> None:
    suggestion = _suggest(frame.columns)
    needed = [column for role in NEEDED for column in as_columns(getattr(roles, role))]
    for place, column in enumerate(_columns_of(roles)):
        frame.require(column, suggestion if place < len(needed) else None)


def _suggest(columns: Sequence[str]) -> str | None:
    """The call that names the roles, when the columns' names tell them."""
    if on_command_line():
        return None
    proposed = propose_roles(columns)
    needed = {role: proposed[role] for role in NEEDED}
    if any(len(found) != 1 for found in needed.values()):
        return "Say which is which: rate(table, player=…, round=…, score=…)."
    if len(proposed["tournament"]) == 1:
        needed["tournament"] = proposed["tournament"]
    call = ", ".join(option(role, found[0]) for role, found in needed.items())
    return f"Say which is which: rate(table, {call})."


def index_units(frame: Source, columns: Columns) -> Index:
    """Number the names of rounds or data sets, of which the same number is the same one."""
    return index_columns(frame, columns, numerals=True)


def index_columns(
    frame: Source, columns: Columns, *, shown: bool = True, numerals: bool = False
) -> Index:
    """Number the names of a column, or of several joined by a slash.

    Names that are never ``shown`` may hold anything, such as the line breaks of a prompt. With
    ``numerals``, a whole number has one name among whole numbers.
    """
    chosen = as_columns(columns)
    indices = [
        index_names(frame.text(column), column=column, place=frame.place, shown=shown)
        for column in chosen
    ]
    if numerals:
        indices = list(map(join_numerals, indices))
    if len(indices) == 1:
        return indices[0]
    parts = pl.DataFrame(
        [
            pl.Series(str(k), index.names, pl.String).gather(index.code)
            for k, index in enumerate(indices)
        ]
    )
    joined = parts.select(pl.concat_str(pl.all(), separator=SEPARATOR)).to_series()
    if parts.n_unique() != joined.n_unique():
        pairs = parts.with_columns(joined.alias("name")).unique()
        name = pairs.filter(pl.col("name").is_duplicated())["name"].sort()[0]
        raise JoinedNamesCollide(columns=chosen, name=name)
    index = index_names(joined, column=SEPARATOR.join(chosen), place=frame.place, shown=shown)
    return replace(
        index,
        tidied=sum(part.tidied for part in indices),
        respelt={old: new for part in indices for old, new in part.respelt.items()},
        equal=tuple(names for part in indices for names in part.equal),
    )


def number_rounds(rounds: Index, tournaments: Index | None) -> tuple[tuple[str, ...], Ints, Ints]:
    """Names and tournaments of the rounds, and the round of each row."""
    if tournaments is None:
        return rounds.names, np.zeros(len(rounds.names), np.int64), rounds.code
    size = len(rounds.names)
    keys, code = number_keys(tournaments.code * size + rounds.code)
    tournament = keys // size
    names = tuple(
        f"{tournaments.names[t]}{SEPARATOR}{rounds.names[r]}"
        for t, r in zip(tournament.tolist(), (keys % size).tolist(), strict=True)
    )
    return names, tournament, code


def _refuse_infinite(
    value: Floats,
    players: Index,
    rounds: Sequence[str],
    round_of: Ints,
    place: Callable[[int], str],
) -> None:
    infinite = np.isinf(value)
    if infinite.any():
        row = int(infinite.argmax())
        raise InfiniteScores(
            scores=int(infinite.sum()),
            player=players.names[players.code[row]],
            round=rounds[round_of[row]],
            where=place(row),
        )


def _directions(
    frame: Source,
    roles: Roles,
    given: Direction,
    rounds: Sequence[str],
    rows: Cells,
    players: Index,
) -> Bools:
    """(R,) whether higher is better; scores outside a known metric's range are refused."""
    check_one_source(given, metric=roles.metric_column, direction=roles.direction_column)
    if is_spread(roles.score):
        raise SpreadsAsScores(names=[roles.score])
    told = None
    if roles.direction_column is not None:
        words = index_columns(frame, roles.direction_column)
        word_of = constant(words, roles.direction_column, "direction", rounds, rows.round)
        told = read_directions(words.names, column=roles.direction_column)[word_of]
    if roles.metric_column is not None:
        metrics = index_columns(frame, roles.metric_column)
        try:
            metric_of = constant(metrics, roles.metric_column, "metric", rounds, rows.round)
        except NotConstant as error:
            alone = roles.cluster is None and isinstance(roles.round, str)
            raise replace(error, round=as_columns(roles.round), alone=alone) from None
        for k, name in enumerate(metrics.names):
            rows_of = np.flatnonzero(metrics.code == k)
            _check_range(rows, rows_of, name, players.names, rounds, frame.place)
            if told is not None:
                check_against_name(told[metric_of == k], name)
        if told is None:
            told = metric_directions(metrics.names, higher_is_better=given)[metric_of]
        return check_against_name(told, roles.score)
    _check_range(rows, slice(None), roles.score, players.names, rounds, frame.place)
    if told is not None:
        return check_against_name(told, roles.score)
    if given is not None and not isinstance(given, bool):
        return check_against_name(round_directions(rounds, given), roles.score)
    return np.repeat(metric_directions([roles.score], higher_is_better=given), len(rounds))


def _applied_to(frame: Source, roles: Roles, given: Direction) -> list[Note]:
    """A note that tells which of several metrics the caller's word was for."""
    if roles.metric_column is None or not isinstance(given, bool):
        return []
    metrics = unsure(index_columns(frame, roles.metric_column).names)
    return [direction_given(metrics, higher=given)] if metrics else []


def _check_range(
    rows: Cells,
    part: Ints | slice,
    metric: str,
    players: Sequence[str],
    rounds: Sequence[str],
    place: Callable[[int], str],
) -> None:
    """Refuse scores that the metric of some rows cannot have."""
    known = known_metric(metric)
    if known is None:
        return
    value = rows.value[part]
    outside = (value < known.low) | (value > known.high)
    if outside.any():
        row = int(np.arange(rows.value.size)[part][outside.argmax()])
        raise ScoreOutOfRange(
            metric=metric,
            low=known.low,
            high=known.high,
            value=float(rows.value[row]),
            player=players[rows.player[row]],
            round=rounds[rows.round[row]],
            where=place(row),
        )


def _mixed_units(rows: Cells, metric: str, rounds: Sequence[str]) -> list[Note]:
    """A note about the first round with both percentages and fractions, if there is one."""
    known = known_metric(metric)
    if known is None or known.high != 100.0 or not (rows.value > 1.0).any():
        return []
    percent = np.bincount(rows.round[rows.value > 1.5], minlength=len(rounds)) > 0
    fraction = np.bincount(
        rows.round[(rows.value > 0.0) & (rows.value <= 1.0)], minlength=len(rounds)
    )
    both = np.flatnonzero(percent & (fraction > 0))
    return [mixed_units(metric, rounds[both[0]], both.size)] if both.size else []


def _families(frame: Source, columns: Columns | None, players: Index) -> tuple[str, ...] | None:
    """The family of each player."""
    if columns is None:
        return None
    index = index_columns(frame, columns)
    column = SEPARATOR.join(as_columns(columns))
    code = constant(index, column, "family", players.names, players.code, unit="player")
    return tuple(index.names[k] for k in code.tolist())


def _settings(frame: Source, columns: Columns | None, players: Index) -> Settings | None:
    """The hyperparameters of each player."""
    return None if columns is None else read_settings(frame, as_columns(columns), players)


def _members(
    frame: Source, column: str | None, players: Index
) -> dict[str, tuple[str, ...]] | None:
    """The members of each player that has any."""
    if column is None:
        return None
    cells = read_settings(frame, [column], players)[column]
    named = zip(players.names, cells, strict=True)
    found = {name: split_members(str(cell)) for name, cell in named if cell is not None}
    return {name: own for name, own in found.items() if own}


def _failed_by_status(frame: Source, column: str | None) -> tuple[Bools | None, tuple[Note, ...]]:
    """(rows,) which runs failed by their status, and a note if some did."""
    if column is None:
        return None, ()
    status = frame.text(column).cast(pl.String).fill_null("")
    plain = status.str.strip_chars().str.to_lowercase()
    done = plain.is_in(list(DONE))
    if not done.any():
        # Some logs mark only what failed, and leave the others empty.
        done = (plain == "") & plain.is_in(list(FAILED)).any()
    words = status.filter(~done).value_counts(name="runs").rows()
    words = sorted(words, key=lambda row: (-row[1], row[0]))
    if not done.any():
        raise NoRunSucceeded(column=column, values=[word for word, _ in words])
    if done.all():
        return None, ()
    return (~done).to_numpy(), (failed_runs(column, words),)


def _round_clusters(
    frame: Source, columns: Columns | None, rounds: Sequence[str], round_of: Ints
) -> Ints:
    if columns is None:
        return np.arange(len(rounds))
    index = index_columns(frame, columns, shown=False)
    cluster = constant(index, SEPARATOR.join(as_columns(columns)), "cluster", rounds, round_of)
    return renumber(cluster)


WIDEST = 1e8
"""How many times a weight may be another: beyond that, rounding decides what the lighter says."""


def read_weights(
    frame: Source, column: str, where: Callable[[int], str], board_of: Ints | None = None
) -> Floats:
    """(rows,) positive weights, of one size on each board; ``where`` names a row in the way."""
    value = frame.numbers(column, role="weight").fill_null(float("nan")).to_numpy()
    wrong = ~(np.isfinite(value) & (value > 0.0))
    if wrong.any():
        row = int(wrong.argmax())
        raise BadWeights(column=column, value=number(value[row]), where=where(row))
    board = np.zeros(value.size, np.int64) if board_of is None else board_of
    first = np.flatnonzero(np.diff(np.sort(board), prepend=-1))
    low, high = (np.lexsort((way, board))[first] for way in (value, -value))
    for rows in zip(low.tolist(), high.tolist(), strict=True):
        if value[rows[1]] / WIDEST > value[rows[0]]:
            raise WeightsTooFar(
                column=column,
                values=[number(value[row]) for row in rows],
                where=[where(row) for row in rows],
            )
    return value


def _round_weights(
    frame: Source, column: str | None, rounds: Sequence[str], round_of: Ints, board_of: Ints
) -> Floats:
    if column is None:
        return np.ones(len(rounds))

    def where(row: int) -> str:
        return f"round {quote(rounds[round_of[row]])} ({frame.place(row)})"

    value = read_weights(frame, column, where, board_of)
    levels, code = np.unique(value, return_inverse=True)
    index = Index(tuple(number(level) for level in levels), code, 0)
    return levels[constant(index, column, "weight", rounds, round_of)]
