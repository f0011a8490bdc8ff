"""What a season tells, in sentences and small tables."""

import json
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from tables import grid

from winodds import Season, rate, rate_each
from winodds.board.comparisons import Estimate
from winodds.board.importance import Breakdown, FamilyImportance, Importance, Share
from winodds.demo import load_results
from winodds.season.chances import MeanChance
from winodds.season.comparisons import SeasonComparison
from winodds.season.findings import Findings
from winodds.season.map import NotAsked
from winodds.season.standing import SeasonRow
from winodds.show.formats.json import findings_json
from winodds.show.layout.season_tables import mean_cell
from winodds.show.report.season import lay_out
from winodds.show.words import season as words

PAIR = SeasonComparison(
    a="rf",
    b="knn",
    p_win_round=Estimate(0.73, 0.62, 0.82),
    p_better=0.79,
    p_win_new=Estimate(0.85, 0.07, 0.997),
    difference_new_board=Estimate(1.7, -3.0, 6.49),
    mean_difference=Estimate(1.6, 0.9, 2.4),
    tau=2.1,
    shared=35,
    separated=7,
    level=0.95,
    notes=(),
)


NOT_TOLD = "So the data do not tell which of the two is better on average."
RF = "So rf is the better one on nearly all data sets of this kind."
LIKELY = "likely the better one, but the data do not settle which of the two is better on average."
KNN = "So knn is the better one on nearly all data sets of this kind."


def row(player: str, first: int) -> SeasonRow:
    return SeasonRow(player, None, 9, first, 0.0, 0.5, "x", "y")


@pytest.fixture(scope="module")
def found(demo_season: Season) -> Findings:
    together = rate(
        load_results(), player="model", round="split", score="auc", tournament="dataset"
    )
    return demo_season.findings(together=together, default="(default)")


def test_pair_on_a_new_data_set() -> None:
    assert words.describe_pair(PAIR) == (
        "On a new data set, rf beats knn in 73 of 100 rounds (95% interval 62 to 82), and the "
        "chance that it is truly the better one there is 79 of 100. Data sets differ: on 95% of "
        "new ones its true share of rounds won lies between 7 and >99 of 100 (true differences "
        "vary with a standard deviation τ of 2.10), and a new board of this size would show a "
        "difference of -3.00 to 6.49 in EPP. This rests on 35 data sets that have both; on 7 of "
        "them all matches went one way, directly or through others, so that nobody knows how wide "
        "the gap is there. So rf is better on average, but which of the two is better on the next "
        "data set stays open."
    )


OPEN = "better on average, but which of the two is better on the next data set stays open."


@pytest.mark.parametrize(
    ("won", "better", "mean", "new", "verdict"),
    [
        ((0.4, 0.7), 0.8, (-0.1, 0.9), (0.1, 0.9), NOT_TOLD),
        # The interval that is printed decides, and not the other one of the mean difference.
        ((0.51, 0.7), 0.8, (-0.01, 0.9), (0.1, 0.9), f"So rf is {OPEN}"),
        ((0.49, 0.7), 0.8, (0.01, 0.9), (0.1, 0.9), NOT_TOLD),
        ((0.6, 0.9), 0.99, (0.9, 2.4), (0.55, 0.9), RF),
        ((0.1, 0.4), 0.01, (-2.4, -0.9), (0.1, 0.4), KNN),
        ((0.1, 0.4), 0.2, (-2.4, -0.9), (0.1, 0.6), f"So knn is {OPEN}"),
        ((0.6, 0.9), 0.99, (None, None), (0.0, 1.0), f"So rf is {LIKELY}"),
        ((0.6, 0.9), 0.8, (None, None), (0.0, 1.0), NOT_TOLD),
        ((0.6, 0.9), 0.99, (0.9, None), (0.55, 1.0), RF),
        # What the sentence before calls a chance of 90% or more does not "stay open".
        (
            (0.6, 0.9),
            0.96,
            (0.9, 2.4),
            (0.47, 1.0),
            "So rf is better on average, and likely on the next data set, too.",
        ),
        ((0.49, 0.7), 0.93, (-0.1, 0.9), (0.4, 0.7), f"So rf is {LIKELY}"),
        ((0.3, 0.51), 0.07, (-0.9, 0.1), (0.3, 0.6), f"So knn is {LIKELY}"),
    ],
)
def test_verdict_agrees_with_what_is_printed(
    won: tuple[float, float],
    better: float,
    mean: tuple[float | None, float | None],
    new: tuple[float, float],
    verdict: str,
) -> None:
    found = replace(
        PAIR,
        p_win_round=Estimate(0.5, *won),
        p_better=better,
        mean_difference=Estimate(0.5, *mean),
        p_win_new=Estimate(0.5, *new),
    )
    assert words.verdict_on(found) == verdict
    turned = replace(
        found,
        a="knn",
        b="rf",
        p_win_round=Estimate(0.5, 1.0 - won[1], 1.0 - won[0]),
        p_better=1.0 - better,
        mean_difference=Estimate(-0.5, *(None if x is None else -x for x in mean[::-1])),
        p_win_new=Estimate(0.5, 1.0 - new[1], 1.0 - new[0]),
    )
    assert words.verdict_on(turned) == verdict


def test_leaders_are_counted() -> None:
    assert (
        words.describe_leaders([row("a", 9)], 9) == "a is rated first on every one of 9 data sets."
    )
    assert words.describe_leaders([row("a", 2), row("b", 7), row("c", 0)], 9) == (
        "Of 9 data sets, b is rated first on 7 and a on 2."
    )
    many = [row("a", 3), row("b", 2), row("c", 2), row("d", 1), row("e", 1)]
    assert words.describe_leaders(many, 9) == (
        "Of 9 data sets, a is rated first on 3, b on 2, c on 2, d on 1 and 1 other on no more than "
        "that."
    )

    ties = [row("a", 3), row("b", 3), row("c", 1)]
    assert words.describe_leaders(ties, 4) == (
        "Of 4 data sets, a is rated first on 3, b on 3 and c on 1 (shared places count for each)."
    )


def test_shared_first_places_are_said_to_be() -> None:
    assert words.describe_leaders([row("a", 2), row("b", 2)], 3) == (
        "Of 3 data sets, a is rated first on 2 and b on 2 (shared places count for each)."
    )
    assert words.describe_leaders([row("a", 3), row("b", 3)], 3) == (
        "a and b share the first place on 3 data sets."
    )


def test_data_sets_that_do_not_differ_are_not_said_to() -> None:
    assert (
        "Data sets differ no more than luck would make them: on 95% of new ones its true share of "
        "rounds won lies between 7 and >99 of 100 (so the standard deviation τ of true differences "
        "is taken as 0), and a new board"
    ) in words.describe_pair(replace(PAIR, tau=0.0))


def test_all_families_that_tuning_helps_are_named(
    demo_season: Season, study_season: Season
) -> None:
    assert words.describe_tuning(demo_season.tunability()) == (
        "Tune gradient_boosting first: its best setting beats its median setting in 83 of 100 (52 "
        "to 96) splits of a new data set, judged on splits that it was not picked on (its ratings "
        "at face value say 68 of 100). Of random_forest, knn, logistic_regression it is not sure "
        "that the best setting is better than the median setting: leave it there, or measure more."
    )
    assert words.describe_tuning(study_season.tunability(default="(default)")) == (
        "Tune knn first: its best setting beats its default in 90 of 100 (74 to 97) rounds of a "
        "new data set, judged on rounds that it was not picked on (its ratings at face value say "
        "85 of 100). Then come random_forest with 75 of 100 (56 to 88) and gradient_boosting with "
        "70 of 100 (56 to 81). Of logistic_regression it is not sure that the best setting is "
        "better than the default: leave it there, or measure more."
    )


def test_hyperparameters_are_told_with_their_shares() -> None:
    first, other = Share(("eta",), 0.64, 0.47, 0.81, 1, 1), Share(("depth",), 0.3, 0.1, 0.5, 2, 2)
    both = Share(("eta", "depth"), 0.05, 0.01, 0.09, None, None)

    def told(*shares: Share, pairs: tuple[Share, ...] = ()) -> str:
        shown = Breakdown(None, 8, shares, pairs, 0.1, 0.1)
        one = FamilyImportance("gbm", shown, (), (), ())
        return words.describe_importance(Importance((one,), {}, 0.95))

    start = "In gbm, eta by itself explains 64% (47 to 81) of the variance of true ratings"
    assert told(first) == f"{start}."
    assert told(first, other, pairs=(both,)) == (
        f"{start}, depth 30% (10 to 50) and eta with depth another 5%."
    )
    assert told(replace(first, last=2), replace(other, rank=1)) == (
        f"{start} and depth 30% (10 to 50); which of eta and depth matters most is not told."
    )


def test_curves_that_are_nowhere_are_not_counted(demo_season: Season) -> None:
    straight = replace(demo_season["digits"].relation(), shape="straight", off=())
    assert words.describe_relations({"a": straight, "b": straight}) == (
        "On no data set mean scores go with ratings along an S rather than a line."
    )


def test_notes_of_the_board_of_all_are_told_in_text_and_not_twice_on_a_page(
    found: Findings,
) -> None:
    said = "The intervals rest on only 4 data sets; below about 10 they are rough."
    assert said in " ".join(str(found).split())
    assert said not in [point for part in lay_out(found) for point in part.points]


def test_teams_of_a_season_are_told() -> None:
    rng = np.random.default_rng(3)
    scores = {name: (rng.normal(size=6) + k).tolist() for k, name in enumerate(["a", "b", "ab"])}
    table = pl.concat([grid(scores).with_columns(data=pl.lit(name)) for name in "xyz"])
    table = table.with_columns(
        members=pl.when(pl.col("player") == "ab").then(pl.lit("a + b")).otherwise(pl.lit(""))
    )
    options = {"tournament": "data", "higher_is_better": True, "members": "members"}
    season, together = rate_each(table, **options), rate(table, **options)  # type: ignore[arg-type]
    text = str(season.findings(together=together))
    assert "\n\nTeams\n\n1 team is rated" in text


def test_table_of_the_leader_is_told_in_a_sentence() -> None:
    sure, unsure = replace(PAIR, b="svm", p_better=0.95), PAIR
    start = "is truly the better one on a new data set with a chance of 90% or more"
    assert words.describe_new([sure, unsure]) == (
        f"rf {start} against svm; against knn that is less sure."
    )
    others = [sure, unsure, replace(PAIR, b="tree")]
    assert words.describe_new(others).endswith("svm; against the others that is less sure.")
    assert words.describe_new([sure]) == f"Against each of the others, rf {start}."
    assert words.describe_new([unsure]) == f"Against none of the others rf {start}."
    assert words.describe_new([sure], left_out=1) == (
        f"Against each of the others that it can be compared with, rf {start}."
    )


def test_mean_chances_are_never_certain() -> None:
    assert mean_cell(MeanChance(0.999, 0.98, 1.0, 5, True)) == ">99% (98 to >99)"
    assert mean_cell(MeanChance(0.6, None, None, 1, False)) == "60%"
    assert mean_cell(MeanChance(None, None, None, 0, False)) == ""


def test_presence_in_words() -> None:
    scores = {"a": [1.0, 2.0], "b": [2.0, 1.0], "c": [1.5, 3.0]}
    full = pl.concat([grid(scores).with_columns(data=pl.lit(name)) for name in "xy"])
    options = {"tournament": "data", "higher_is_better": True}
    whole = rate_each(full, **options)  # type: ignore[arg-type]
    assert words.describe_presence(whole.presence()) == (
        "All 3 players have results on both data sets."
    )
    gaps = rate_each(full.filter((pl.col("data") == "x") | (pl.col("player") != "a")), **options)  # type: ignore[arg-type]
    assert words.describe_presence(gaps.presence()) == (
        "83% of the pairs of a player and a data set have results; 2 players are everywhere: c, b."
    )


def test_findings_of_the_built_in_results(found: Findings) -> None:
    assert words.headline(found.boards, 20) == "4 data sets: 20 models, 20 splits each"
    assert found.leader == "logistic_regression(C=0.96)"
    assert found.notes == ()
    assert found.tunability is not None
    assert words.describe_tuning(found.tunability) == (
        "Of no family it is sure that tuning gains anything: the interval of the chance that its "
        "best setting beats its default holds one half, or there is none."
    )
    assert found.families is not None
    assert words.describe_families(found.families).startswith(
        "The best of random_forest wins 72 of 100 (43 to 89) splits of a new data set against "
        "another model; against the best of logistic_regression it wins 56 of 100 (9 to 94)."
    )
    assert found.odd is not None
    assert words.describe_odd(found.odd) == (
        "Odd among the data sets, with the mean correlation of their splits with the others: "
        "heart (-0.55) reverses the order in which the others have the models of random_forest."
    )
    assert found.distances is not None
    assert words.describe_alike(found.distances) == (
        "By their ratings digits and wine are most alike, and heart is farthest from its nearest "
        "neighbour, breast_cancer."
    )


def test_reversed_data_set_is_named_with_whose_order_it_reverses() -> None:
    rng = np.random.default_rng(2)
    strengths = np.linspace(0.0, 4.0, 8)
    tables = []
    for k, sign in enumerate([1.0, 1.0, 1.0, 1.0, -1.0]):
        scores = sign * strengths[:, None] + rng.normal(size=(8, 10))
        own = grid({f"p{i}": row for i, row in enumerate(scores.tolist())})
        tables.append(own.with_columns(data=pl.lit(f"d{k}")))
    season = rate_each(pl.concat(tables), tournament="data", higher_is_better=True)
    odd = season.odd()
    [(_, answer)] = odd.reversed
    assert words.describe_odd(odd) == (
        f"Odd among the data sets, with the mean correlation of their rounds with the others: d4 "
        f"({answer.correlation:.2f}) reverses the order in which the others have the players."
    )


def test_every_answer_prints_as_words(found: Findings, demo_season: Season) -> None:
    pair = demo_season.compare("random_forest(default)", "knn(default)")
    assert str(pair) == pair.text == words.describe_pair(pair)
    assert str(found.families).startswith("The best of random_forest wins 72 of 100")
    assert str(found.tunability).startswith("Of no family it is sure that tuning gains")
    assert str(found.odd).startswith("Odd among the data sets, with the mean")
    assert str(found.distances).startswith("By their ratings digits and wine are most alike")
    assert str(found.presence) == "All 20 models have results on all 4 data sets."


def test_printing_findings_says_everything_in_words_first(found: Findings) -> None:
    text = str(found)
    assert text.startswith("4 data sets: 20 models, 20 splits each\n\nOf 4 data sets, ")
    parts = ["On a new data set", "The best of each family", "Tuning", "Data sets"]
    places = [text.index(f"\n\n{part}\n\n") for part in parts]
    assert places == sorted(places)


def test_json_holds_the_keys_of_the_contract(found: Findings) -> None:
    data = json.loads(findings_json(found))
    wanted = {
        "tournaments",
        "players",
        "epp",
        "families",
        "tunability",
        "embedding",
        "odd",
        "notes",
    }
    assert wanted <= set(data)
    assert data["tournaments"] == ["breast_cancer", "digits", "heart", "wine"]
    assert data["players"] == list(found.matrix.players)
    np.testing.assert_array_equal(np.array(data["epp"]), found.matrix.epp)
    assert data["text"][0].startswith("Of 4 data sets, ")


def test_json_of_two_players_has_their_answers_at_the_top(
    found: Findings, demo_season: Season
) -> None:
    pair = demo_season.compare("random_forest(default)", "knn(default)")
    data = json.loads(findings_json(found, pair))
    for name in ("p_win_round", "p_better", "p_win_new", "difference_new_board"):
        assert set(data[name]) == {"value", "low", "high"}
    assert data["tau"] == pair.tau
    assert (data["shared"], data["separated"]) == (4, 0)
    assert data["text"] == words.describe_pair(pair)
    assert [note["name"] for note in data["notes"]] == ["few_shared"]


def test_what_cannot_be_told_is_noted() -> None:
    scores = {"a": [1.0, 2.0, 3.0], "b": [2.0, 1.0, 2.0], "c": [1.5, 3.0, 1.0]}
    table = pl.concat([grid(scores).with_columns(data=pl.lit(name)) for name in "xy"])
    found = rate_each(table, tournament="data", higher_is_better=True).findings()
    assert found.against is None
    assert str(found.notes[0]) == (
        "Nothing is said of a new data set: No two of 3 players can be compared in 3 or more "
        "tournaments, of 2; fewer tell nothing about a new one. Add tournaments, or compare "
        "players on the board of one."
    )


def test_nothing_is_said_of_nearest_data_sets_that_are_all_the_same() -> None:
    scores = {"a": [1.0, 1.0], "b": [1.0, 1.0], "c": [1.0, 1.0]}
    table = pl.concat([grid(scores).with_columns(data=pl.lit(name)) for name in "xyz"])
    season = rate_each(table, tournament="data", higher_is_better=True)
    assert words.describe_alike(season.distances()) == ""


def test_orders_that_cannot_be_asked_are_not_said_to_be_kept(demo_season: Season) -> None:
    odd = Season({name: own for name, own in demo_season.items() if name != "heart"}).odd()
    start = "No data set reverses the order in which the others have the models or those of a"
    said = words.describe_odd(replace(odd, not_asked=("tree",)))
    assert said.startswith(f"{start} family of three or more; digits agrees")
    refused = NotAsked("wine", "few rounds", 1, 4)
    first, *others = odd.questions
    some = replace(odd, questions=(replace(first, not_asked=(refused,)), *others))
    assert words.describe_odd(some).startswith(
        f"{start} family, as far as that can be asked; digits"
    )


def test_families_that_are_not_tuned_are_named(found: Findings) -> None:
    tuning = found.tunability
    assert tuning is not None
    said = words.describe_tuning(replace(tuning, without_default=("mlp", "tree"), single=("nb",)))
    assert said.endswith(
        " Families without a default are left out: mlp, tree. So are those without another setting "
        "beside their default on any data set: nb."
    )
    alone = words.describe_tuning(replace(tuning, by_median=True, single=("nb",)))
    assert alone.endswith(" Families without another setting on any data set are left out: nb.")


def test_hyperparameters_that_cannot_be_told_apart_are_told_together() -> None:
    def share(*names: str, value: float, rank: int | None = None) -> Share:
        return Share(names, value, value - 0.1, value + 0.1, rank, rank)

    def told(*shares: Share, pairs: tuple[Share, ...] = ()) -> str:
        whole = Breakdown(None, 100, shares, pairs, 0.1, 0.2)
        family = FamilyImportance("xgb", whole, (), (), ())
        return words.describe_importance(Importance((family,), {}, 0.95))

    eta, depth = share("eta", value=0.5, rank=1), share("depth", value=0.3, rank=2)
    assert told(eta, depth) == (
        "In xgb, eta by itself explains 50% (40 to 60) of the variance of true ratings and depth "
        "30% (20 to 40)."
    )
    both = share("eta", "depth", value=0.15)
    assert told(eta, replace(depth, rank=1), pairs=(both,)) == (
        "In xgb, eta by itself explains 50% (40 to 60) of the variance of true ratings, depth 30% "
        "(20 to 40) and eta with depth another 15%; which of eta and depth matters most is not "
        "told."
    )
