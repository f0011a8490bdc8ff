"""The page refits as Python does."""

import json
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, assume, given, settings, strategies as st
from playwright.sync_api import Browser, Page
from scipy.special import ndtr, ndtri, stdtr, stdtrit
from tables import grid, three_by_three

from show.browser.refitting import Answer, everything, largest_difference, refit, told
from winodds import Leaderboard, WinoddsError, rate, rate_battles
from winodds.board.notes import OPEN_ENDS
from winodds.board.record import PairRecord
from winodds.inference.claims import judge_pairs
from winodds.inference.clusters import kept_by_cluster
from winodds.inference.contrasts import told_apart
from winodds.inference.letters import assign_letters, find_alike
from winodds.inference.signs import draw_signs
from winodds.language.notes import Note
from winodds.language.plain import to_plain
from winodds.show.report.engine_data import Shipped
from winodds.show.report.scripts import join_modules
from winodds.show.report.shipped import pack, ship

CLOSE = 1e-8


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    """A blank page with the refit's functions."""
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.add_script_tag(content=everything())
    yield page
    context.close()


@pytest.fixture(autouse=True)
def no_chances_of_best(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python's claims are joined by chances of being best, which the page leaves out."""
    without = property(lambda found: np.zeros(found.mean.size))
    monkeypatch.setattr("winodds.inference.posterior.Posterior.p_best", without)


def table(
    players: int = 8,
    rounds: int = 12,
    *,
    seed: int = 0,
    missing: float = 0.0,
    digits: int | None = None,
    tournaments: int = 1,
    spread: float = 1.0,
) -> pl.DataFrame:
    """Scores of players whose strengths differ; rounds of several tournaments are of equal size."""
    rng = np.random.default_rng(seed)
    strength = spread * np.sort(rng.normal(size=players))
    score = strength + rng.normal(size=(rounds, players))
    if digits is not None:
        score = score.round(digits)
    names = [f"p{k}" for k in rng.permutation(players)]
    cell = [(r, k) for r in range(rounds) for k in range(players)]
    data = pl.DataFrame(
        {
            "player": [names[k] for _, k in cell],
            "round": [f"r{r // tournaments:03d}" for r, _ in cell],
            "tournament": [f"t{r % tournaments}" for r, _ in cell],
            "score": [score[r, k] for r, k in cell],
            "weight": [1.0 + r % 3 for r, _ in cell],
            "site": [r // 2 for r, _ in cell],
            # One cluster holds a third of the rounds; or clusters have 1, 3, 5, … of them.
            "lump": [r if r % 3 else 0 for r, _ in cell],
            "steps": [math.isqrt(r) for r, _ in cell],
        }
    )
    return data.filter(pl.Series(rng.random(len(cell)) >= missing))


def unequal(data: pl.DataFrame) -> pl.DataFrame:
    """Tournaments of different size: only some play all of them, and one has but three rounds."""
    few = (pl.col("tournament") == "t1") & ~pl.col("player").is_in(["p1", "p2", "p3"])
    short = (pl.col("tournament") == "t2") & ~pl.col("round").is_in(["r000", "r001", "r002"])
    return data.filter(~few, ~short)


def some_fail(data: pl.DataFrame) -> pl.DataFrame:
    """Every seventh run failed, and more of the first player's."""
    gone = (pl.int_range(pl.len()) % 7 == 3) | (
        (pl.col("player") == "p1") & pl.col("round").is_in(["r000", "r003", "r006"])
    )
    return data.with_columns(score=pl.when(gone).then(None).otherwise(pl.col("score")))


def with_copy(data: pl.DataFrame, player: str) -> pl.DataFrame:
    """The same with a second player of exactly the same scores."""
    copy = pl.lit(f"{player} again").alias("player")
    return pl.concat([data, data.filter(player=player).with_columns(copy)])


def unbeaten(data: pl.DataFrame, *players: str) -> pl.DataFrame:
    """Some players won every match against the others."""
    return data.with_columns(score=pl.col("score") + 100.0 * pl.col("player").is_in(players))


@dataclass
class Case:
    """A table and how it is rated."""

    data: pl.DataFrame
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def played(self) -> pl.DataFrame:
        """Rows that may meet others."""
        loses = self.options.get("missing") == "lose"
        return self.data if loses else self.data.drop_nulls("score")

    def rate(self, data: pl.DataFrame) -> Leaderboard:
        return rate(data, higher_is_better=True, **self.options)


CASES: dict[str, Case] = {
    "complete": Case(table()),
    "missing": Case(table(missing=0.3, seed=1)),
    "many rounds": Case(table(5, 40, seed=2)),
    "many players": Case(table(30, 9, seed=3, missing=0.1)),
    "ties": Case(table(digits=0, seed=4)),
    "tolerance": Case(table(seed=5), {"tie_tolerance": 0.4}),
    "tolerance and gaps": Case(table(seed=6, missing=0.2), {"tie_tolerance": 0.4}),
    "unbeaten": Case(unbeaten(table(seed=7), "p3")),
    "unbeaten set": Case(unbeaten(table(seed=8), "p3", "p5", "p1")),
    "unbeaten with gaps": Case(unbeaten(table(seed=9, missing=0.4), "p3", "p5")),
    "few scores": Case(table(10, 10, seed=10, missing=0.65)),
    "pooled": Case(table(tournaments=4, seed=11), {"tournament": "tournament"}),
    "pooled with gaps": Case(
        table(tournaments=3, seed=12, missing=0.3), {"tournament": "tournament"}
    ),
    "pooled of unequal size": Case(
        unequal(table(rounds=20, tournaments=4, seed=33)), {"tournament": "tournament"}
    ),
    "weights of unequal size": Case(
        unequal(table(rounds=20, tournaments=4, seed=34, missing=0.1)),
        {"tournament": "tournament", "weights": "weight"},
    ),
    "across of unequal size": Case(
        unequal(table(rounds=20, tournaments=4, seed=35, missing=0.1)),
        {"tournament": "tournament", "matches": "across"},
    ),
    "across": Case(table(seed=13, digits=1), {"matches": "across"}),
    "across with gaps": Case(
        table(seed=14, digits=1, missing=0.3), {"matches": "across", "tie_tolerance": 0.15}
    ),
    "across pooled": Case(
        table(seed=15, missing=0.2, tournaments=4),
        {"matches": "across", "tournament": "tournament"},
    ),
    "across unbeaten": Case(unbeaten(table(seed=16), "p3"), {"matches": "across"}),
    "across that fails": Case(some_fail(table(seed=17)), {"matches": "across", "missing": "lose"}),
    "lose": Case(some_fail(table(seed=18)), {"missing": "lose"}),
    "lose with gaps": Case(some_fail(table(seed=19, missing=0.3)), {"missing": "lose"}),
    "weights": Case(table(seed=20), {"weights": "weight"}),
    "weights and gaps": Case(
        table(seed=21, missing=0.3, tournaments=3),
        {"weights": "weight", "tournament": "tournament"},
    ),
    "clusters": Case(table(seed=22), {"cluster": "site"}),
    "clusters of tournaments": Case(
        table(seed=23, tournaments=2, missing=0.2), {"cluster": "site", "tournament": "tournament"}
    ),
    "mle": Case(table(6, 40, seed=24), {"estimator": "mle"}),
    "ridge": Case(table(seed=25, missing=0.2), {"estimator": "ridge", "prior_sd": 0.7}),
    "ridge unbeaten": Case(unbeaten(table(seed=26), "p2"), {"estimator": "ridge"}),
    "model": Case(table(seed=27, missing=0.1), {"interval": "model"}),
    "overlap": Case(table(seed=28), {"test_fraction": 0.2}),
    "level": Case(table(seed=29), {"level": 0.9}),
    "wide": Case(table(spread=12.0, seed=30)),
    "wide with gaps": Case(table(12, 20, spread=6.0, seed=31, missing=0.3)),
    "two players": Case(table(2, 9, seed=32)),
    "a dummy": Case(unbeaten(table(seed=33), *(f"p{k}" for k in range(7)))),
    "a dummy below the unbeaten": Case(
        unbeaten(unbeaten(table(seed=33), "p3"), *(f"p{k}" for k in range(7)))
    ),
    "unbeaten, all": Case(unbeaten(table(seed=34), "p3"), {"center": "all"}),
    "unbeaten, model": Case(unbeaten(table(seed=35), "p3"), {"interval": "model"}),
    "half unbeaten": Case(unbeaten(table(seed=36), "p1", "p3", "p5", "p7")),
    # Below 6 rounds intervals decide, up to 12 all flips are listed, and beyond they are drawn.
    **{f"{rounds} rounds": Case(table(8, rounds, seed=33)) for rounds in (4, 6, 10, 20)},
    **{
        f"{rounds} rounds, a sweep": Case(unbeaten(table(8, rounds, seed=34), "p3"))
        for rounds in (4, 6, 20)
    },
    "20 rounds with gaps": Case(table(8, 20, seed=35, missing=0.3)),
    "20 rounds with ties": Case(table(8, 20, seed=36, digits=0)),
    "20 rounds that fail": Case(some_fail(table(8, 20, seed=37)), {"missing": "lose"}),
    "20 rounds with weights": Case(table(8, 20, seed=38), {"weights": "weight"}),
    "20 rounds with overlap": Case(table(8, 20, seed=39), {"test_fraction": 0.2}),
    "20 rounds with overlap and gaps": Case(
        table(8, 20, seed=40, missing=0.2), {"test_fraction": 0.2}
    ),
    "another seed": Case(table(8, 20, seed=35, missing=0.3), {"seed": 2**40 + 5}),
    "copies": Case(with_copy(table(8, 20, seed=41), "p1")),
    "copies with gaps": Case(with_copy(table(8, 20, seed=42, missing=0.2), "p1")),
    "level 0.8": Case(table(8, 20, seed=43), {"level": 0.8}),
    "level 0.8, 4 rounds": Case(table(8, 4, seed=44), {"level": 0.8}),
    "simultaneous": Case(table(8, 20, seed=45), {"ranks": "simultaneous"}),
    "simultaneous, 4 rounds": Case(table(8, 4, seed=46), {"ranks": "simultaneous"}),
    "mle of 20 rounds": Case(table(6, 20, seed=47, missing=0.1), {"estimator": "mle"}),
    "ridge of 20 rounds": Case(table(8, 20, seed=48), {"estimator": "ridge"}),
    "model of 20 rounds": Case(table(8, 20, seed=49), {"interval": "model"}),
    "more than 100 players": Case(table(104, 14, seed=50)),
    "a large cluster": Case(table(8, 36, seed=51), {"cluster": "lump"}),
    "a large cluster with gaps": Case(table(8, 36, seed=52, missing=0.3), {"cluster": "lump"}),
    "a large cluster, level 0.8": Case(
        table(8, 15, seed=53, missing=0.2), {"cluster": "lump", "level": 0.8}
    ),
    "clusters in steps": Case(table(8, 40, seed=54), {"cluster": "steps"}),
    "clusters in steps with gaps": Case(table(8, 40, seed=55, missing=0.3), {"cluster": "steps"}),
    "16 tournaments": Case(table(8, 48, tournaments=16, seed=56), {"tournament": "tournament"}),
    "16 tournaments with gaps": Case(
        table(8, 48, tournaments=16, seed=57, missing=0.6), {"tournament": "tournament"}
    ),
    "across 20 rounds": Case(table(8, 20, seed=58, digits=1), {"matches": "across"}),
    "across 20 rounds with gaps": Case(table(8, 20, seed=59, missing=0.3), {"matches": "across"}),
    "across clusters": Case(
        table(8, 24, seed=60, missing=0.1), {"matches": "across", "cluster": "lump"}
    ),
    "across 16 tournaments": Case(
        table(8, 48, tournaments=16, seed=61), {"matches": "across", "tournament": "tournament"}
    ),
}


@dataclass
class Choice:
    """What the reader switched off."""

    players: tuple[str, ...] = ()
    rounds: tuple[str, ...] = ()
    tournaments: tuple[str, ...] = ()

    def keep(self, data: pl.DataFrame) -> pl.DataFrame:
        return data.filter(
            ~pl.col("player").is_in(self.players),
            ~pl.col("round").is_in(self.rounds),
            ~pl.col("tournament").is_in(self.tournaments),
        )


CHOICES = {
    "everything": Choice(),
    "fewer players": Choice(players=("p0", "p6")),
    "fewer rounds": Choice(rounds=("r001", "r002")),
    "fewer of both": Choice(players=("p4",), rounds=("r000",)),
    "one tournament less": Choice(tournaments=("t1",)),
    "one tournament": Choice(tournaments=("t1", "t2", "t3")),
}


def rounds_of(case: Case) -> pl.DataFrame:
    """Tournament and round of the rounds that play on the board, in the order of its results."""
    names = ["tournament", "round"] if "tournament" in case.options else ["round"]
    sizes = case.played.group_by("tournament", "round").agg(
        pl.len(), scored=pl.col("score").count()
    )
    if case.options.get("matches") != "across":
        sizes = sizes.filter((pl.col("len") >= 2) & (pl.col("scored") >= 1))
    return sizes.sort(names).select("tournament", "round")


def switches(case: Case, choice: Choice) -> list[bool]:
    """Which rounds of the board are on."""
    rounds = rounds_of(case).rows()
    return [t not in choice.tournaments and r not in choice.rounds for t, r in rounds]


def what_is_left(case: Case, choice: Choice) -> pl.DataFrame:
    """The rows of what is on; those that play no part on the board are not there to switch off."""
    playing = case.played.join(rounds_of(case), on=["tournament", "round"], how="semi")
    return choice.keep(playing)


def attempt(case: Case, data: pl.DataFrame) -> Leaderboard | WinoddsError:
    """The board, or the error where there is none."""
    try:
        return case.rate(data)
    except WinoddsError as error:
        return error


def disagreement(page: Page, case: Case, choice: Choice) -> float:
    """The largest difference between the page and Python; what is no number must be equal."""
    board = case.rate(case.data)
    rounds = switches(case, choice)
    wanted = attempt(case, what_is_left(case, choice))
    if isinstance(wanted, WinoddsError):
        refused = refit(page, board, without=choice.players, rounds=rounds)
        assert isinstance(refused, dict)
        assert refused["kind"] == type(wanted).__name__
        assert str(wanted).startswith(refused["sentence"].split(" Switch ")[0])
        return 0.0
    names = wanted.players
    pairs = [(names[0], names[-1]), (names[-1], names[len(names) // 2 - 1]), (names[1], names[0])]
    pairs = [(a, b) for a, b in pairs if a != b]
    found = refit(page, board, without=choice.players, rounds=rounds, pairs=pairs)
    assert isinstance(found, Answer), found
    return max(rows_disagree(found, wanted), pairs_disagree(found, wanted, board, pairs))


def rows_disagree(found: Answer, wanted: Leaderboard) -> float:
    theirs = wanted.standings
    ours = {**found.summary, **found.summary["columns"]}
    assert found.players == wanted.players
    assert ours["rank"] == theirs.rank.tolist()
    assert ours["matches"] == theirs.matches.tolist()
    assert ours["rounds"] == (None if theirs.rounds is None else theirs.rounds.tolist())
    assert ours["rank_low"] == wanted.details().rank_low.tolist()
    assert ours["rank_high"] == wanted.details().rank_high.tolist()
    assert tuple(ours["letters"]) == wanted.details().letters
    assert ours["averaged"] == wanted.how.averaged
    assert ours["adjust"] == wanted.details().adjust
    assert [describe_note(Note(**note), wanted) for note in ours["doubts"]] == [
        describe_note(note, wanted)
        for note in wanted.notes
        if note.name in ("average_of_set", "no_information", "open_ends", "few_clusters")
    ]
    name_at = dict(zip(ours["player"], found.players, strict=True))
    alike = tuple(tuple(name_at[at] for at in members) for members in ours["alike"])
    assert alike == wanted.details().alike
    assert tuple(name_at[at] for at in ours["couldBeBest"]) == wanted.details().could_be_best
    assert [[note["text"] for note in own] for own in ours["notes"]] == [
        [note.text for note in row.notes if note.name not in OPEN_ENDS] for row in wanted
    ]
    numbers = ("epp", "se", "low", "high", "p_average", "wins")
    return max(largest_difference(ours[name], getattr(theirs, name)) for name in numbers)


def describe_note(note: Note, board: Leaderboard) -> tuple[str, str, str]:
    """A note without its list of sets where their order is open: equal shares of wins.

    The page has no option that it could advise.
    """
    part = board.components[0].intervals.structure.part
    share = board.standings.wins / board.standings.matches
    means = np.bincount(part, share) / np.bincount(part)
    text = note.text.split(f" The average {board.how.nouns.player} moves")[0]
    known = np.unique(means.round(12)).size == means.size
    return note.kind, note.name, text if known else text.split(":")[0]


def pairs_disagree(
    found: Answer, wanted: Leaderboard, board: Leaderboard, pairs: list[tuple[str, str]]
) -> float:
    worst = 0.0
    for (a, b), own, others in zip(pairs, found.duels, found.others, strict=True):
        theirs = wanted.compare(a, b)
        met = theirs.rounds
        assert own["matches"] == {"won": met.won, "lost": met.lost, "tied": met.tied}
        assert own["identical"] == theirs.identical
        worst = max(worst, records_disagree(own["record"], theirs.record))
        worst = max(worst, abs(own["pValue"] / theirs.tested.p_value - 1.0))
        assert own["apart"] == theirs.told_apart
        assert own["by"] == theirs.tested.by
        names = [board.players[k] for k in others["players"]]
        estimates = wanted.differences(names, [b] * len(names))
        for column in ("se", "low", "high"):
            wide = getattr(estimates, column)
            worst = max(worst, largest_difference(others[column], wide))
            assert own[column] == others[column][names.index(a)]
        worst = max(worst, largest_difference(others["difference"], estimates.value))
    return worst


def records_disagree(ours: dict[str, Any] | None, theirs: PairRecord | None) -> float:
    """The largest difference between two records of a pair; a refit does not know the fit."""
    if theirs is None:
        assert ours is None
        return 0.0
    assert ours is not None
    wanted = asdict(theirs)
    assert set(ours) == set(wanted) - {"leads"}
    assert (ours["matches"], ours["differs"]) == (theirs.matches, theirs.differs)
    numbers = ("won", "low", "high", "effective", "expected")
    return float(max(abs(ours[name] - wanted[name]) for name in numbers))


def combinations() -> list[tuple[str, str]]:
    """Every case as it is and with one choice, in turn, and with those of its tournaments.

    A choice changes what is counted, a case how: all of both would take minutes and show no more.
    """
    whole, *others = CHOICES
    fewer = [choice for choice in others if "tournament" not in choice]
    pooled = [choice for choice in others if "tournament" in choice]
    found = []
    for number, case in enumerate(CASES):
        several = pooled if "tournament" in CASES[case].options else []
        chosen = [whole, fewer[number % len(fewer)], *several]
        found += [(case, choice) for choice in chosen]
    return found


@pytest.mark.parametrize(("case", "choice"), combinations())
def test_refit_is_that_of_python(page: Page, case: str, choice: str) -> None:
    assert disagreement(page, CASES[case], CHOICES[choice]) < CLOSE


CLAIMED = """([told]) => {
  const state = fitGames(loadGames(...told), {});
  const { p, better, worse } = judgePairs(state, pairValues(state));
  return [[...pairValues(state)], [...p], [...better], [...worse]];
}"""


@pytest.mark.parametrize(
    "case", ["10 rounds", "20 rounds with gaps", "a large cluster with gaps", "4 rounds", "copies"]
)
def test_claims_about_all_pairs_are_those_of_python(page: Page, case: str) -> None:
    board = CASES[case].rate(CASES[case].data)
    own = board.components[0].uncertainty
    single, adjusted, better, worse = page.evaluate(CLAIMED, [told(board)])
    wanted = judge_pairs(own, board.how.details.seed)
    assert largest_difference(single, own.contrast_matrix().p_value().ravel()) < CLOSE
    assert largest_difference(adjusted, wanted.p.ravel()) < CLOSE
    assert (better, worse) == (wanted.better.tolist(), wanted.worse.tolist())


# Battles ------------------------------------------------------------------------------------------


def battles(size: int = 150, *, players: int = 7, ties: float = 0.2, seed: int = 0) -> pl.DataFrame:
    """Battles of players whose strengths differ."""
    rng = np.random.default_rng(seed)
    strength = rng.normal(size=players)
    a = rng.integers(players, size=size)
    b = (a + rng.integers(1, players, size=size)) % players
    won = rng.random(size) < 1.0 / (1.0 + np.exp(strength[b] - strength[a]))
    tied = rng.random(size) < ties
    label = np.where(tied, "tie", np.where(won, "model_a", "model_b"))
    return pl.DataFrame(
        {
            "model_a": [f"p{k}" for k in a],
            "model_b": [f"p{k}" for k in b],
            "winner": label.tolist(),
            "tournament": ["t0"] * size,
            "prompt": rng.integers(size // 4, size=size),
            "user": (rng.pareto(1.0, size=size) * 3.0).astype(np.int64) % 40,
            "weight": rng.integers(1, 5, size=size) / 2.0,
        }
    )


BATTLES: dict[str, tuple[pl.DataFrame, dict[str, Any]]] = {
    "plain": (battles(), {}),
    "weights": (battles(seed=1), {"weights": "weight"}),
    "clusters": (battles(seed=2), {"cluster": "prompt"}),
    "clusters and weights": (battles(seed=3), {"cluster": "prompt", "weights": "weight"}),
    "few clusters": (
        battles(seed=4, players=20).with_columns(prompt=pl.col("prompt") % 5),
        {"cluster": "prompt"},
    ),
    "few battles": (battles(14, seed=5), {}),
    "mle": (battles(seed=6), {"estimator": "mle"}),
    "ridge": (battles(seed=7), {"estimator": "ridge"}),
    "model": (battles(seed=8), {"interval": "model", "cluster": "prompt"}),
    "unequal users": (battles(400, seed=9), {"cluster": "user"}),
    "unequal users and weights": (battles(400, seed=10), {"cluster": "user", "weights": "weight"}),
    "many clusters": (battles(3000, seed=11), {"cluster": "prompt"}),
}


@pytest.mark.parametrize("without", [(), ("p2",), ("p0", "p3", "p4")], ids=len)
@pytest.mark.parametrize("name", BATTLES)
def test_battles_are_refitted_as_in_python(page: Page, name: str, without: tuple[str, ...]) -> None:
    data, options = BATTLES[name]
    board = rate_battles(data, **options)
    kept = data.filter(~pl.col("model_a").is_in(without), ~pl.col("model_b").is_in(without))
    wanted = rate_battles(kept, **options)
    pairs = [(wanted.players[0], wanted.players[-1]), (wanted.players[1], wanted.players[0])]
    found = refit(page, board, without=without, pairs=pairs)
    assert isinstance(found, Answer)
    assert rows_disagree(found, wanted) < CLOSE
    assert pairs_disagree(found, wanted, board, pairs) < CLOSE


def test_clusters_that_are_not_kept_one_by_one(page: Page) -> None:
    data = battles(50_000, players=45, ties=0.0, seed=12).with_columns(
        prompt=(pl.int_range(pl.len()) - 4000).clip(0)
    )
    board = rate_battles(data, cluster="prompt")
    assert not kept_by_cluster(board.components[0].wins)
    pairs = [(board.players[0], board.players[9])]
    found = refit(page, board, pairs=pairs)
    assert isinstance(found, Answer)
    assert rows_disagree(found, board) < CLOSE
    assert pairs_disagree(found, board, board, pairs) < CLOSE


# Any table ----------------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_any_small_table_is_refitted_as_in_python(page: Page, data: st.DataObject) -> None:
    players, rounds = data.draw(st.integers(2, 6)), data.draw(st.integers(2, 6))
    score = st.one_of(st.none(), st.integers(0, 4).map(float), st.integers(0, 4).map(float))
    cells = data.draw(st.lists(score, min_size=players * rounds, max_size=players * rounds))
    frame = pl.DataFrame(
        {
            "player": [f"p{k % players}" for k in range(len(cells))],
            "round": [f"r{k // players:03d}" for k in range(len(cells))],
            "tournament": [f"t{k // players % 2}" for k in range(len(cells))],
            "score": cells,
        },
        schema_overrides={"score": pl.Float64},
    )
    options = {
        "missing": data.draw(st.sampled_from(["skip", "lose"])),
        "matches": data.draw(st.sampled_from(["within", "across"])),
        "estimator": data.draw(st.sampled_from(["bias-reduced", "bias-reduced", "mle", "ridge"])),
        "tie_tolerance": data.draw(st.sampled_from([0.0, 1.0])),
        "tournament": data.draw(st.sampled_from([None, "tournament"])),
    }
    case = Case(frame, {key: value for key, value in options.items() if value is not None})
    choice = Choice(
        players=tuple(data.draw(st.sets(st.sampled_from([f"p{k}" for k in range(players)])))),
        rounds=tuple(data.draw(st.sets(st.sampled_from([f"r{k:03d}" for k in range(rounds)])))),
    )
    assume(isinstance(attempt(case, frame), Leaderboard))
    assert disagreement(page, case, choice) < 1e-6


# Small pieces -------------------------------------------------------------------------------------


def call(page: Page, expression: str, *arguments: Any) -> Any:
    """The value of a JavaScript function at plain arguments."""
    return page.evaluate(f"(given) => ({expression})(...given)", list(arguments))


def test_normal_tails_are_exact_however_small(page: Page) -> None:
    x = np.concatenate([np.linspace(-8.0, 8.0, 161), np.linspace(9.0, 37.0, 57)])
    found = np.array(call(page, "(x) => x.map(normalTail)", x.tolist()))
    assert np.abs(found / ndtr(-x) - 1.0).max() < 1e-12


def test_normal_quantiles(page: Page) -> None:
    p = np.array([1e-12, 1e-4, 0.025, 0.3, 0.5, 0.6, 0.95, 0.975, 0.995, 0.9999])
    found = np.array(call(page, "(p) => p.map(normalQuantile)", p.tolist()))
    assert found == pytest.approx(ndtri(p), rel=1e-11, abs=1e-14)


def test_student_tails_are_exact_however_small(page: Page) -> None:
    df = np.array([1, 2, 3, 4, 5, 9, 19, 49, 99, 199, 1000, 20_000, 1_000_000])
    t = np.concatenate([[0.0], np.geomspace(1e-3, 300.0, 80)])
    wanted = stdtr(df[:, None], -t[None, :])
    found = call(
        page,
        "(df, t) => df.map((own) => t.map((x) => studentTail(x, own)))",
        df.tolist(),
        t.tolist(),
    )
    counts = wanted > 1e-100
    assert np.abs(np.array(found)[counts] / wanted[counts] - 1.0).max() < 1e-9
    upper = call(page, "(df, t) => df.map((own) => studentTail(-2, own))", df.tolist())
    assert np.array(upper) == pytest.approx(stdtr(df, 2.0), rel=1e-12)


def test_student_quantiles(page: Page) -> None:
    df = np.array([1, 2, 3, 4, 7, 11, 30, 199, 5000, 1_000_000])
    p = np.array([0.01, 0.5, 0.75, 0.9, 0.95, 0.975, 0.995, 0.99995])
    found = call(
        page,
        "(df, p) => df.map((own) => p.map((x) => studentQuantile(x, own)))",
        df.tolist(),
        p.tolist(),
    )
    assert np.array(found) == pytest.approx(stdtrit(df[:, None], p[None, :]), rel=1e-10, abs=1e-14)


def test_tails_worked_by_hand(page: Page) -> None:
    assert call(page, "studentTail", 1.0, 1) == pytest.approx(0.25, rel=1e-14)
    assert call(page, "studentTail", np.sqrt(2.0), 2) == pytest.approx(
        0.5 - 0.5 * np.sqrt(0.5), rel=1e-14
    )
    assert call(page, "normalTail", 0) == 0.5
    assert call(page, "studentQuantile", 0.75, 1) == pytest.approx(1.0, rel=1e-14)


@pytest.mark.parametrize("size", [1, 2, 3, 5, 8, 33])
def test_inverse_of_a_positive_definite_matrix(page: Page, size: int) -> None:
    a = np.random.default_rng(size).normal(size=(size, size + 2))
    matrix = a @ a.T
    found = call(
        page,
        """(a, n) => {
          const factor = Float64Array.from(a);
          return [factorise(factor, n), [...invertFactorised(factor, n)]];
        }""",
        matrix.ravel().tolist(),
        size,
    )
    assert found[0] is True
    wanted = np.linalg.inv(matrix)
    assert np.abs(np.array(found[1]).reshape(size, size) - wanted).max() < 1e-10 * wanted.max()


def test_indefinite_matrix_is_not_factorised(page: Page) -> None:
    assert call(page, "(a) => factorise(Float64Array.from(a), 2)", [1.0, 2.0, 2.0, 1.0]) is False


def symmetric_matrices() -> dict[str, Any]:
    rng = np.random.default_rng(0)
    a = rng.normal(size=(40, 40))
    root = rng.normal(size=(30, 4))
    return {
        "one number": np.array([[3.0]]),
        "two": np.array([[2.0, 1.0], [1.0, 2.0]]),
        "random": a + a.T,
        "few directions": root @ root.T,
        "equal values": np.eye(6),
        "diagonal": np.diag([3.0, 1.0, -2.0, 0.0]),
        "all zero": np.zeros((5, 5)),
        "wide range": np.diag(10.0 ** np.arange(-8, 8)) + 1e-9,
        "laplacian": 7.0 * np.eye(7) - np.ones((7, 7)),
    }


@pytest.mark.parametrize("name", symmetric_matrices())
def test_eigenvalues_and_vectors(page: Page, name: str) -> None:
    matrix = symmetric_matrices()[name]
    size = matrix.shape[0]
    found = call(
        page,
        """(a, n) => {
          const { values, vectors } = eigen(Float64Array.from(a), n);
          return [[...values], [...vectors]];
        }""",
        matrix.ravel().tolist(),
        size,
    )
    values, vectors = np.array(found[0]), np.array(found[1]).reshape(size, size)
    scale = max(1.0, float(np.abs(matrix).max())) * size
    assert np.abs(np.sort(values) - np.linalg.eigvalsh(matrix)).max() < 1e-14 * scale
    assert np.abs(vectors @ vectors.T - np.eye(size)).max() < 1e-13
    assert np.abs(vectors.T @ (values[:, None] * vectors) - matrix).max() < 1e-14 * scale


@pytest.mark.parametrize("clusters", [1, 2, 9, 12, 13, 40])
@pytest.mark.parametrize("seed", [0, 7, 0xFFFFFFFF])
def test_flips_are_those_of_python(page: Page, clusters: int, seed: int) -> None:
    for players in (5, 101, 301):
        found = call(
            page,
            """(clusters, players, seed) => {
              const { number, bytes } = drawSigns(clusters, players, seed);
              const sign = (own, c) => 1 - 2 * ((own >> (c & 7)) & 1);
              const signs = (_, c) => Array.from(bytes[c >> 3], (own) => sign(own, c));
              return [number, Array.from({ length: clusters }, signs)];
            }""",
            clusters,
            players,
            seed,
        )
        wanted = np.hstack(draw_signs(clusters, players, seed))
        assert found[0] == wanted.shape[1]
        assert (np.array(found[1]) == wanted).all()


@pytest.mark.parametrize("df", [1.0, 1.37, 4.2, 17.93, 230.5])
def test_degrees_of_freedom_need_not_be_whole(page: Page, df: float) -> None:
    t, p = np.geomspace(0.01, 50.0, 30), np.array([0.6, 0.9, 0.975, 0.9995])
    tails = call(page, "(df, t) => t.map((x) => studentTail(x, df))", df, t.tolist())
    assert np.abs(np.array(tails) / stdtr(df, -t) - 1.0).max() < 1e-10
    quantiles = call(page, "(df, p) => p.map((x) => studentQuantile(x, df))", df, p.tolist())
    assert np.array(quantiles) == pytest.approx(stdtrit(df, p), rel=1e-10)


def test_letters_are_those_of_python(page: Page) -> None:
    rng = np.random.default_rng(0)
    tables = []
    for size in (1, 2, 3, 7, 31, 32, 33, 64, 70):
        for share in (0.05, 0.3, 0.7):
            apart = np.triu(rng.random((size, size)) < share, 1)
            tables.append(apart | apart.T)
            distance = np.abs(np.subtract.outer(np.arange(size), np.arange(size)))
            noise = np.triu(rng.normal(size=(size, size)), 1)
            tables.append(distance + noise + noise.T > 10.0 * share)
    for apart in tables:
        found = call(
            page,
            """(apart) => {
              const together = makeSets(apart.length, apart.length);
              apart.forEach((row, i) => row.forEach((cut, j) => cut || include(together, i, j)));
              const alike = findAlike(together);
              return [alike, assignLetters(alike, apart.length)];
            }""",
            apart.tolist(),
        )
        alike = find_alike(apart)
        assert found[0] == [members.tolist() for members in alike]
        assert found[1] == assign_letters(alike, apart.shape[0])


# Refusals -----------------------------------------------------------------------------------------


def refusal(page: Page, board: Leaderboard, **switched: Any) -> str:
    found = refit(page, board, **switched)
    assert isinstance(found, dict)
    return found["sentence"]


def rate_three() -> Leaderboard:
    return rate(three_by_three(), higher_is_better=True)


def test_one_player_cannot_be_rated(page: Page) -> None:
    board = rate_three()
    assert refusal(page, board, without=("b", "c")) == (
        "A leaderboard needs scores of at least two players; only 'a' has a score. Switch more "
        "players or rounds on."
    )


def test_nobody_cannot_be_rated(page: Page) -> None:
    board = rate_three()
    assert refusal(page, board, without=("a", "b", "c")) == (
        "A leaderboard needs scores of at least two players; no player has one. Switch more "
        "players or rounds on."
    )


def test_one_round_is_too_few(page: Page) -> None:
    board = rate_three()
    assert refusal(page, board, rounds=[True, False, False]) == (
        "A leaderboard needs at least two rounds in which players met; there is one. Switch more "
        "on."
    )


def test_players_who_never_meet_leave_no_round(page: Page) -> None:
    data = grid({"a": [1, 1, None, None], "b": [None, None, 1, 1], "c": [2, 0, 2, 0]})
    board = rate(data, higher_is_better=True)
    assert refusal(page, board, without=("c",)) == (
        "A leaderboard needs at least two rounds in which players met; there is none. Switch more "
        "on."
    )


def test_components_that_never_met_are_named(page: Page) -> None:
    scores = {"a": [1, 1, 0, None, None, None], "b": [2, 0, 1, None, None, None]}
    others = {"c": [None, None, None, 1, 1, 0], "d": [None, None, None, 2, 0, 1]}
    board = rate(grid({**scores, **others, "e": [3] * 3 + [0] * 3}), higher_is_better=True)
    assert refusal(page, board, without=("e",)) == (
        "The players form 2 components that never met: 2 with 'a', 'b'; 2 with 'c', 'd'. Their "
        "ratings cannot be compared. Switch on rounds or players that link them."
    )


def test_one_cluster_is_too_few(page: Page) -> None:
    data = three_by_three().with_columns(site=pl.Series([1] * 6 + [2] * 3))
    board = rate(data, higher_is_better=True, cluster="site")
    assert refusal(page, board, rounds=[True, True, False]) == (
        "The interval comes from the variation between values of 'site', and there is only one. "
        "Switch more on."
    )


def test_one_battle_is_too_few(page: Page) -> None:
    data = pl.DataFrame({"winner": ["a", "b", "c", "a"], "loser": ["b", "c", "a", "c"]})
    board = rate_battles(data, winner="winner", loser="loser")
    assert refusal(page, board, without=("c",)) == (
        "The interval comes from the variation between battles, and there is only one. Switch "
        "more on."
    )
    assert refusal(page, board, without=("b", "c")) == (
        "No two players met, so there is nothing to rate. Switch more players or rounds on."
    )


def test_players_who_always_won_have_no_mle(page: Page) -> None:
    data = grid({"a": [3, 3, 3, 2], "b": [2, 2, 2, 3], "c": [1, 1, 0, 1], "d": [0, 0, 1, 4]})
    board = rate(data, higher_is_better=True, estimator="mle")
    end = "Switch more rounds on, or such players off."
    start = "No maximum-likelihood rating exists:"
    assert refusal(page, board, rounds=[True, True, True, False]) == (
        f"{start} The players fall into 3 sets, and each won every match against those after it: "
        f"'a'; 'b'; 2 with 'c', 'd'. {end}"
    )
    assert refusal(page, board, rounds=[True, False, False, True], without=("d",)) == (
        f"{start} 'c' lost every match. {end}"
    )
    assert refusal(page, board, rounds=[True, True, True, False], without=("b",)) == (
        f"{start} 'a' won every match. {end}"
    )


def test_two_sets_and_gaps_without_mle(page: Page) -> None:
    data = grid(
        {
            "a": [3, 2, 3, 2, 0],
            "b": [2, 3, 2, 3, 0],
            "c": [1, 0, 1, 0, 4],
            "d": [0, 1, None, 1, 5],
        }
    )
    board = rate(data, higher_is_better=True, estimator="mle")
    assert refusal(page, board, rounds=[True] * 4 + [False]) == (
        "No maximum-likelihood rating exists: 2 players ('a', 'b') won every match against the "
        "other 2 ('d', 'c'). Switch more rounds on, or such players off."
    )


def test_ratings_too_far_apart_are_refused(page: Page) -> None:
    expression = """(beta) => {
      try {
        return informationAt(Float64Array.from(beta), Float64Array.from([0, 9, 9, 0]), 0);
      } catch (error) {
        return error.message;
      }
    }"""
    assert call(page, expression, [-400.0, 400.0]) == (
        "The ratings of the 2 players are so far apart that their uncertainty cannot be computed. "
        "Switch off players who lose, or win, nearly every match, or switch more rounds on."
    )


def test_fit_that_does_not_end_is_told(page: Page) -> None:
    assert call(page, "(step) => notConverged(200, step).message", 0.00123) == (
        "The fit did not converge in 200 iterations (the last step was 1.2e-3), so there are no "
        "ratings to report."
    )


def test_players_without_a_match_are_told(page: Page) -> None:
    data = grid({"a": [1, 2, 1], "b": [2, 1, 2], "c": [3, None, None], "d": [None, None, None]})
    board = rate(data, higher_is_better=True)
    found = refit(page, board, rounds=[False, True, True])
    assert isinstance(found, Answer)
    assert [board.players[k] for k in found.summary["unmatched"]] == ["c"]


def test_few_rounds_are_told_of_the_board_and_of_a_player(page: Page) -> None:
    """One of twelve rounds goes: eleven are not few. With five of them, both are told."""
    scores: dict[str, list[float | None]] = {
        "a": [1, 2, 1, 2, 3, 1, 2, 1, 2, 1, 2, 3],
        "b": [2, 1, 3, 1, 2, 3, 1, 2, 3, 2, 1, 2],
        "c": [3, 3, 2, 3, 1, *[None] * 7],
    }
    board = rate(grid(scores), higher_is_better=True)
    told = []
    for left in ([False] + [True] * 11, [False] * 2 + [True] * 5 + [False] * 5):
        found = refit(page, board, rounds=left)
        assert isinstance(found, Answer)
        notes = dict(zip(found.players, found.summary["columns"]["notes"], strict=True))
        told.append(
            [[note["text"] for note in own] for own in (found.summary["doubts"], notes["c"])]
        )
    few = "The intervals rest on only 5 rounds; below about 10 they are rough."
    assert told == [[[], ["only 4 rounds"]], [[few], ["only 3 rounds"]]]


# What is shipped ----------------------------------------------------------------------------------


COMPARE = """([told, reference]) => {
  const state = openBoard(...told);
  const { matches, record, identical } = duel(state, 0, reference);
  return [compareWith(state, reference), matches, record, identical];
}"""


def large_table(players: int, rounds: int, missing: float = 0.0) -> pl.DataFrame:
    return table(players, rounds, missing=missing, seed=1)


def agree_when_opened(page: Page, board: Leaderboard, places: tuple[int, ...]) -> None:
    """Comparisons with players of a board that is not refitted are those of Python."""
    shipped = ship(board)
    assert (shipped.why_not_refit is None, shipped.why_not_compare is None) == (False, True)
    for place in places:
        found, matches, record, identical = page.evaluate(COMPARE, [told(board), place])
        names = [board.players[place]] * len(board)
        wanted = board.differences(board.players, names)
        if place:
            assert matches == asdict(board.duel(board.players[0], board.players[place]))
            wanted_record = board.record(board.players[0], board.players[place])
            assert records_disagree(record, wanted_record) < CLOSE
        assert identical == (place == 0 and shipped.components[0].kind != "battles")
        assert found["players"] == list(range(len(board)))
        for column in ("se", "low", "high"):
            assert largest_difference(found[column], getattr(wanted, column)) < 1e-5
        # Ratings of large boards have nine digits on the page.
        assert largest_difference(found["difference"], wanted.value) < 1e-7
        first, second = np.arange(len(board)), np.full(len(board), place)
        p = board.components[0].uncertainty.contrasts(first, second).p_value()
        assert found["pValue"] == pytest.approx(p.tolist(), rel=1e-4)
        assert found["apart"] == told_apart(p, board.how.interval.level).tolist()


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_large_board_is_compared_as_in_python(page: Page, missing: float) -> None:
    board = rate(large_table(2000, 20, missing), higher_is_better=True, details=False)
    shipped = ship(board)
    # Scores, and beside them little: what clusters do follows from the scores.
    assert len(json.dumps(to_plain(shipped))) <= 300_000
    scores = len(board.components[0].games.results.value)
    assert shipped.why_not_refit == (
        f"This board is too large to be rated anew in a browser: it has 2,000 players, 20 rounds "
        f"and {scores:,} scores; the limit is 300 players, 1,000 rounds and 60,000 scores."
    )
    agree_when_opened(page, board, (0, 1999))


LARGE: dict[str, Callable[[], Leaderboard]] = {
    "across": lambda: rate(
        table(310, 6, missing=0.1), higher_is_better=True, matches="across", details=False
    ),
    "many rounds, some fail": lambda: rate(
        some_fail(table(6, 1001)), higher_is_better=True, missing="lose", details=False
    ),
    "unbeaten with gaps": lambda: rate(
        unbeaten(table(310, 8, missing=0.3), "p7", "p100"), higher_is_better=True, details=False
    ),
    "unbeaten": lambda: rate(
        unbeaten(table(310, 8), "p7", "p100"), higher_is_better=True, details=False
    ),
    "model": lambda: rate(table(310, 8), higher_is_better=True, interval="model", details=False),
    "ridge": lambda: rate(
        table(310, 8, missing=0.2), higher_is_better=True, estimator="ridge", details=False
    ),
    "battles": lambda: rate_battles(battles(6000, players=310), details=False),
    "clusters of battles": lambda: rate_battles(
        battles(6000, players=310), cluster="user", details=False
    ),
    "clusters that are not kept": lambda: rate_battles(
        battles(70_000, players=60, seed=1).with_columns(
            prompt=(pl.int_range(pl.len()) - 4000).clip(0)
        ),
        cluster="prompt",
        details=False,
    ),
    "20 rounds": lambda: rate(table(310, 20), higher_is_better=True, level=0.8, details=False),
    "a large cluster": lambda: rate(
        table(310, 30), higher_is_better=True, cluster="lump", details=False
    ),
    "a large cluster with gaps": lambda: rate(
        table(310, 30, missing=0.3), higher_is_better=True, cluster="lump", details=False
    ),
    "weights and overlap": lambda: rate(
        table(310, 14, digits=0),
        higher_is_better=True,
        weights="weight",
        test_fraction=0.1,
        details=False,
    ),
    "across complete rounds": lambda: rate(
        table(310, 8), higher_is_better=True, matches="across", details=False
    ),
}


@pytest.mark.parametrize("name", LARGE)
def test_boards_of_every_kind_are_compared_as_in_python(page: Page, name: str) -> None:
    board = LARGE[name]()
    agree_when_opened(page, board, (0, len(board) // 3))


@pytest.mark.parametrize(
    "name", ["many rounds, some fail", "20 rounds", "a large cluster with gaps"]
)
def test_what_clusters_do_is_derived_or_shipped(
    page: Page, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = LARGE[name]()
    derived = told(board)
    monkeypatch.setattr("winodds.show.report.shipped.MOST_TO_DERIVE", 0)
    shipped = told(board)
    kept = [own[0]["fitted"]["influence"] is not None for own in (derived, shipped)]
    assert kept == [False, True]
    agree_when_opened(page, board, (0, len(board) // 3))
    # A duel asks for two rows of the influences, a comparison with all for every one.
    one, other = (page.evaluate(DUEL, [own, 2]) for own in (derived, shipped))
    assert one == pytest.approx(other, rel=1e-5)


@pytest.mark.parametrize("width", range(8, 18))
@pytest.mark.parametrize("size", [1, 7, 8, 1001])
def test_natural_numbers_of_any_width_are_unpacked(page: Page, width: int, size: int) -> None:
    numbers = np.random.default_rng(width).integers(0, 2**width, size)
    numbers[-1] = 2**width - 1
    found = page.evaluate("(packed) => [...unpack(packed)]", to_plain(pack(numbers)))
    assert found == numbers.tolist()


DUEL = """([told, place]) => {
  const found = duel(openBoard(...told), 0, place);
  return ["difference", "se", "low", "high", "pValue"].map((name) => found[name]);
}"""


def test_board_of_middling_size_is_small() -> None:
    board = rate(table(100, 50), higher_is_better=True, details=False)
    shipped = ship(board)
    assert len(json.dumps(to_plain(shipped))) <= 150_000
    assert (shipped.why_not_refit, shipped.components[0].fitted) == (None, None)


def test_too_many_battles_are_not_refitted() -> None:
    data = battles(70_000, players=100, seed=1).with_columns(prompt=pl.int_range(pl.len()))
    shipped = ship(rate_battles(data, cluster="prompt", details=False))
    assert shipped.why_not_compare is None
    assert shipped.why_not_refit == (
        "This board is too large to be rated anew in a browser: it has 100 players and 70,000 "
        "different outcomes of pairs; the limit is 300 players and 60,000 outcomes."
    )


def test_large_influences_are_not_shipped() -> None:
    shipped = ship(rate_battles(battles(9000, players=400), details=False))
    assert shipped.why_not_refit is not None
    assert (shipped.components[0].games, shipped.components[0].fitted) == (None, None)
    assert shipped.why_not_compare == (
        "This board is too large to compare its players in a browser: what the intervals rest on "
        "is more than a page should hold."
    )


def test_matches_of_very_large_boards_are_not_shipped(page: Page) -> None:
    board = rate(table(1100, 200), higher_is_better=True, interval="model", details=False)
    shipped = ship(board)
    assert (shipped.why_not_refit is None, shipped.why_not_compare is None) == (False, True)
    assert shipped.components[0].games is None
    assert page.evaluate(COMPARE, [told(board), 1])[1:] == [None, None, None]


def test_components_that_never_met_are_shipped_one_by_one(page: Page) -> None:
    scores = {"a": [1, 1, None, None], "b": [0, 2, None, None]}
    others = {"c": [None, None, 1, 1], "d": [None, None, 2, 0]}
    board = rate(grid({**scores, **others}), higher_is_better=True, components="separate")
    shipped = ship(board)
    why = "The players form components that never met, each with a scale of its own, so"
    assert shipped.why_not_refit == f"{why} this page does not rate them anew."
    assert shipped.why_not_compare == f"{why} only two of one component can be compared."
    parts = [told(board, component) for component in range(len(shipped.components))]
    assert [names for _, names, _ in parts] == [["a", "b"], ["c", "d"]]
    for part in parts:
        found = page.evaluate("(told) => duel(fitGames(loadGames(...told), {}), 0, 1)", part)
        a, b = part[1]
        wanted = board.compare(a, b).difference
        assert found["matches"] == asdict(board.duel(a, b))
        assert found["difference"] == pytest.approx(wanted.value, abs=1e-10)
        assert found["low"] == pytest.approx(wanted.low, abs=1e-8)
        assert found["high"] == pytest.approx(wanted.high, abs=1e-8)


def test_first_rows_of_a_board_are_not_refitted() -> None:
    short = Leaderboard.from_dict({**rate_three().to_dict(), "evidence": []})
    reason = "This leaderboard holds only its first rows, and nothing to compare players with."
    assert ship(short) == Shipped(reason, reason, ())


# In a page ----------------------------------------------------------------------------------------


def test_refit_runs_in_a_worker_and_starts_from_earlier_ratings(page: Page) -> None:
    board = rate(table(), higher_is_better=True)
    code = (
        everything()
        + """
    onmessage = ({ data }) => {
      const model = loadGames(...data);
      const whole = fitGames(model, { players: null, rounds: null });
      const chosen = { players: model.names.map((_, k) => k !== 2), rounds: null };
      const again = fitGames(model, chosen, whole);
      postMessage([summarise(fitGames(model, chosen)).columns.epp, summarise(again).columns.epp]);
    };"""
    )
    found = page.evaluate(
        """([code, told]) => new Promise((resolve, reject) => {
          const worker = new Worker(URL.createObjectURL(new Blob([code])));
          worker.onmessage = ({ data }) => resolve(data);
          worker.onerror = (error) => reject(new Error(error.message));
          worker.postMessage(told);
        })""",
        [code, told(board)],
    )
    wanted = rate(table().filter(pl.col("player") != board.players[2]), higher_is_better=True)
    assert found[0] == pytest.approx(wanted.standings.epp.tolist(), abs=1e-10)
    assert found[1] == pytest.approx(found[0], abs=1e-10)


@pytest.mark.parametrize(("folder", "entry"), [("engine", "worker.js"), ("view", "page.js")])
def test_no_name_is_used_twice_at_the_top_level(folder: str, entry: str) -> None:
    declared = re.compile(r"^(?:async )?(?:function|class|const|let) (\w+)", re.MULTILINE)
    names = declared.findall(join_modules(folder, entry))
    assert len(names) > 20
    assert sorted(names) == sorted(set(names))
