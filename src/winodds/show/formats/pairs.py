"""Comparisons of players as text, Markdown, LaTeX, CSV and JSON."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from math import isnan
from typing import Any

from winodds.board.comparisons import Comparison, Comparisons
from winodds.board.errors import NoCompleteRounds
from winodds.board.leaderboard import Leaderboard
from winodds.inference.friedman import Friedman, nemenyi_critical_difference
from winodds.language.words import count, level_words, rounded, unit_name, unit_names
from winodds.show.formats.export import (
    dump_json,
    escape_latex,
    latex_table,
    markdown_line,
    markdown_notes,
    markdown_table,
    write_csv,
)
from winodds.show.formats.text import WIDTH, headline, join_with_notes, render_table, wrap
from winodds.show.layout.grid import Grid, level_of, percent, rank_range
from winodds.show.words.verdicts import describe_comparisons, p_words

Found = tuple[Leaderboard, Comparison | Comparisons]
"""A board and what was compared on it."""

SCHEMAS = {
    "two": "winodds/comparison/2",
    "all": "winodds/comparisons/2",
    "season": "winodds/comparisons-of-season/2",
}
LETTERS_SHOWN = 26


# Tables of words ----------------------------------------------------------------------------------


def make_pair_grid(found: Comparisons, *, top: int | None = None) -> Grid:
    """The pairs, rounded, those that are told apart marked."""
    columns = found.columns()
    rows = range(len(found) if top is None else min(top, len(found)))
    used = {
        "player": [columns["a"][k] for k in rows],
        "against": [columns["b"][k] for k in rows],
        "gap": [rounded(columns["difference"][k], ".2f") for k in rows],
        f"{level_words(found.level)} interval": [_interval(columns, k) for k in rows],
        "P(win)": [percent(columns["p_win"][k]) for k in rows],
        "p": [_bare(columns["p_value"][k]) for k in rows],
        "adjusted": [_bare(columns["p_adjusted"][k]) for k in rows],
        "told apart": [_outcome(columns, k) for k in rows],
    }
    words = frozenset((0, 1, 7))
    return Grid(tuple(used), list(zip(*used.values(), strict=True)), words, len(found) - len(rows))


def _interval(columns: Mapping[str, list[Any]], k: int) -> str:
    low, high = columns["low"][k], columns["high"][k]
    ends = (
        "-∞" if low is None else rounded(low, ".2f"),
        "∞" if high is None else rounded(high, ".2f"),
    )
    return " … ".join(ends)


def _bare(p: float) -> str:
    return p_words(p).removeprefix("p ").removeprefix("= ").replace("< ", "<")


def _outcome(columns: Mapping[str, list[Any]], k: int) -> str:
    if columns["identical"][k]:
        return "identical"
    return "yes" if columns["told_apart"][k] else "no"


def make_letter_grid(board: Leaderboard, found: Comparisons, *, top: int | None = None) -> Grid:
    """Players with a column for each letter, so that letters look like bars beside them."""
    rows = range(len(board) if top is None else min(top, len(board)))
    ranks = board.details()
    used = {
        "rank": [f"{board.standings.rank[k]}" for k in rows],
        "could be": [rank_range(int(ranks.rank_low[k]), int(ranks.rank_high[k])) for k in rows],
        "player": [board.players[k] for k in rows],
        "EPP": [rounded(board.standings.epp[k], ".2f") for k in rows],
        "quasi-se": ["" if isnan(x := ranks.quasi_se[k]) else rounded(x, ".2f") for k in rows],
        "letters": [_bars(found.letters[k], len(found.alike)) for k in rows],
    }
    table: list[tuple[str, ...]] = list(zip(*used.values(), strict=True))
    return Grid(tuple(used), table, frozenset((2, 5)), len(board) - len(rows))


def explain_letters(board: Leaderboard) -> str:
    """What letters and quasi-errors say."""
    start = "Players who share a sign in the last column cannot be told apart."
    worst = board.details().quasi_worst
    if worst is None:
        return start
    off = max(map(abs, worst))
    return (
        f"{start} Quasi-errors are model-based, as papers print them: the root of the sum of two "
        f"squares is about the model's error of a difference (for the worst pair off by "
        f"{rounded(100 * off, '.0f')}%), and the error that intervals and tests use is no smaller."
    )


def _bars(letters: str, all_letters: int) -> str:
    if all_letters > LETTERS_SHOWN:
        return letters
    places = [" "] * all_letters
    for letter in letters:
        places[ord(letter) - ord("a")] = letter
    return "".join(places).rstrip()


# Text ---------------------------------------------------------------------------------------------


def render_comparisons(
    found: Sequence[Found], *, top: int | None = None, width: int = WIDTH
) -> str:
    """Everything there is to say, for each board."""
    texts = [_text(board, one, top, width) for board, one in found]
    return join_with_notes([board for board, _ in found], texts, width)


def _text(board: Leaderboard, found: Comparison | Comparisons, top: int | None, width: int) -> str:
    if isinstance(found, Comparison):
        start = f"{board.tournament}: " if board.tournament else ""
        lines = [wrap(f"{start}{found.text}", width)]
    else:
        lines = [headline(board), "", wrap(describe_comparisons(found), width), ""]
        lines += [render_table(make_letter_grid(board, found, top=top), width=width), ""]
        lines += [wrap(explain_letters(board), width), ""]
        lines += [render_table(make_pair_grid(found, top=top), width=width, left="pair")]
        lines += [line for sentence in rank_tests(board) for line in ("", wrap(sentence, width))]
    return "\n".join(lines)


def friedman_of(board: Leaderboard) -> Friedman | None:
    """Friedman's test where there are rounds for it."""
    try:
        return board.friedman()
    except NoCompleteRounds:
        return None


def rank_tests(board: Leaderboard) -> list[str]:
    """What readers of mean ranks expect, in a sentence."""
    test = friedman_of(board)
    if test is None:
        return []
    numerator, denominator = test.iman_davenport_df
    distance = nemenyi_critical_difference(test.players, test.rounds, board.how.interval.level)
    unit = board.how.interval.cluster
    skipped = (board.how.matches.rounds or 0) - test.rounds if unit == "round" else 0
    some = (
        f", without the {count(skipped, 'round')} in which somebody is missing" if skipped else ""
    )
    over = count(test.rounds, unit_name(unit), unit_names(unit))
    return [
        f"Mean ranks over {over}{some}: Friedman χ²({test.df}) = "
        f"{rounded(test.statistic, '.2f')}, {p_words(test.p_value)} (without the correction for "
        f"ties {rounded(test.uncorrected, '.2f')}); Iman and Davenport "
        f"F({numerator}, {denominator}) = {rounded(test.iman_davenport, '.2f')}, "
        f"{p_words(test.iman_davenport_p)}; Nemenyi's critical difference of mean "
        f"ranks at {level_of(board)} is {rounded(distance, '.2f')}."
    ]


# Other formats ------------------------------------------------------------------------------------


def comparison_json(found: Sequence[Found]) -> str:
    """One object for one board, a list of them for a season."""
    data = [_to_dict(board, one) for board, one in found]
    whole: dict[str, Any] = (
        data[0] if len(data) == 1 else {"schema": SCHEMAS["season"], "tournaments": data}
    )
    return dump_json(whole)


def _to_dict(board: Leaderboard, found: Comparison | Comparisons) -> dict[str, Any]:
    kind = "two" if isinstance(found, Comparison) else "all"
    data = {"schema": SCHEMAS[kind], "tournament": board.tournament, **found.to_dict()}
    if isinstance(found, Comparisons):
        worst = board.details().quasi_worst
        data |= {
            "bars": [asdict(bar) for bar in board.bars_of(found.alike)],
            "could_be_best": list(board.details().could_be_best),
            "quasi_worst": worst and list(worst),
            "players": _players_to_dict(board),
            "friedman": _friedman_to_dict(board),
            "text": describe_comparisons(found),
        }
    return {**data, "notes": [note.to_dict() for note in board.notes]}


def _players_to_dict(board: Leaderboard) -> list[dict[str, Any]]:
    ranks = board.details()
    return [
        {
            "player": player,
            "rank": int(board.standings.rank[k]),
            "rank_low": int(ranks.rank_low[k]),
            "rank_high": int(ranks.rank_high[k]),
            "epp": float(board.standings.epp[k]),
            "p_best": float(ranks.p_best[k]),
            "quasi_se": None if isnan(ranks.quasi_se[k]) else float(ranks.quasi_se[k]),
        }
        for k, player in enumerate(board.players)
    ]


def _friedman_to_dict(board: Leaderboard) -> dict[str, Any] | None:
    test = friedman_of(board)
    if test is None:
        return None
    data = asdict(test)
    data["mean_ranks"] = dict(zip(board.players, test.mean_ranks.tolist(), strict=True))
    data["iman_davenport_df"] = list(test.iman_davenport_df)
    level = board.how.interval.level
    data["nemenyi_critical_difference"] = nemenyi_critical_difference(
        test.players, test.rounds, level
    )
    finite = test.iman_davenport < float("inf")
    data["iman_davenport"] = test.iman_davenport if finite else None
    return data


def comparison_csv(found: Sequence[Found]) -> str:
    """A row for every pair, with all digits."""
    boards, compared = zip(*found, strict=True)
    return write_csv(boards, [_csv_columns(one) for one in compared])


def _csv_columns(found: Comparison | Comparisons) -> dict[str, list[Any]]:
    if isinstance(found, Comparisons):
        return found.columns()
    columns: dict[str, Any] = {"a": found.a, "b": found.b}
    for name in ("difference", "p_win", "odds"):
        estimate = getattr(found, name)
        columns |= {
            name: estimate.value,
            f"{name}_low": estimate.low,
            f"{name}_high": estimate.high,
        }
    columns |= {"wald_p_value": found.wald.p_value, "lr_p_value": found.likelihood_ratio.p_value}
    columns |= asdict(found.rounds)
    columns["identical"] = found.identical
    return {name: [value] for name, value in columns.items()}


def comparison_markdown(found: Sequence[Found], *, top: int | None = None) -> str:
    """Paragraphs and GitHub tables."""
    parts: list[str] = []
    for board, one in found:
        parts += [f"### {markdown_line(board.tournament)}"] if board.tournament else []
        if isinstance(one, Comparison):
            parts.append(markdown_line(one.text))
        else:
            parts.append(markdown_line(describe_comparisons(one)))
            parts += [markdown_table(make_letter_grid(board, one, top=top))]
            parts += [markdown_line(explain_letters(board))]
            parts += [markdown_table(make_pair_grid(one, top=top))]
            parts += map(markdown_line, rank_tests(board))
        parts += markdown_notes(board)
    return "\n\n".join(parts) + "\n"


def comparison_latex(found: Sequence[Found], *, top: int | None = None) -> str:
    """Paragraphs and tables with rules of booktabs."""
    lines = ["% Needs \\usepackage{booktabs} in the preamble."]
    for board, one in found:
        if board.tournament:
            lines.append(rf"\noindent\textbf{{{escape_latex(board.tournament)}}}\par\smallskip")
        if isinstance(one, Comparison):
            lines.append(rf"\noindent {escape_latex(one.text)}\par\bigskip")
            lines += _latex_notes(board)
            continue
        lines.append(rf"\noindent {escape_latex(describe_comparisons(one))}\par\smallskip")
        for grid in (make_letter_grid(board, one, top=top), make_pair_grid(one, top=top)):
            lines += [r"\noindent", *latex_table(grid), r"\par\smallskip"]
        for sentence in rank_tests(board):
            lines.append(rf"\noindent {escape_latex(sentence)}\par\bigskip")
        lines += _latex_notes(board)
    return "\n".join(lines) + "\n"


def _latex_notes(board: Leaderboard) -> list[str]:
    if not board.notes:
        return []
    return [r"{\small\noindent", *(escape_latex(note.text) for note in board.notes), r"\par}"]
