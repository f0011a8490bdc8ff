"""The commands: parse, call, print."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Unpack

import click
from click.shell_completion import get_completion_class

from winodds._version import __version__
from winodds.cli.boards import boards_of, rate_file, rate_with_overview
from winodds.cli.group import CommandsByUse
from winodds.cli.options import (
    Asked,
    FetchCommand,
    SectionedCommand,
    comparison_options,
    debug_option,
    fetching_options,
    format_option,
    gate_options,
    race_options,
    rating_options,
    table_options,
)
from winodds.cli.output import (
    FORMATS,
    check_output,
    deliver,
    format_of,
    refuse_each,
    render_document,
    show,
    show_slices,
)
from winodds.cli.plot import FIGURES, PictureOptions, PlotCommand, plot_file, plot_options
from winodds.cli.progress import Progress
from winodds.cli.sota import (
    FORMATS as SOTA_FORMATS,
    SotaOptions,
    answer_file,
    compute_law,
    draw_law,
    other_files,
    picture_of,
    show_sota,
    sota_options,
)
from winodds.language.options import Adjustment, IntervalKind

LOOKS = ("table", "markdown")
GATE_FORMATS = ("table", "json", "markdown")
FEWER_FORMATS = ("table", "json", "csv", "markdown")
CONVERTED = ("csv", "parquet", "jsonl")
SHELLS = ("bash", "zsh", "fish")


_output = click.option(
    "--output", "-o", type=click.Path(), metavar="FILE", help="Write there, whole or not at all."
)
_quiet = click.option("--quiet", "-q", is_flag=True, help="Do not say which columns were found.")
_top = click.option(
    "--top",
    type=click.IntRange(min=0),
    metavar="N",
    help="Show the first N players (and pairs); 0 for all.  [default: 20 in a table, else all]",
)
_default = click.option(
    "--default",
    metavar="ENDING",
    help="How the names of default settings end, for what tuning gains.  [default: the median "
    "setting of each family]",
)
_jobs = click.option(
    "--jobs",
    type=int,
    default=1,
    show_default=True,
    metavar="N",
    help="Workers; -1 for one on each core.",
)
_file = click.argument("file", type=click.Path(allow_dash=True), metavar="FILE", required=False)


@click.group(
    cls=CommandsByUse,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
)
@click.version_option(__version__, "-V", "--version", message="winodds %(version)s")
def root() -> None:
    """Leaderboards you can read as odds.

    Winodds turns a table of benchmark scores into ratings. The difference between two ratings
    says how often one model beats the other in a new round, and an interval says how sure that is.
    Begin with 'winodds demo', then try 'winodds results.csv' on a table of yours, which is short
    for 'winodds rate results.csv'.
    """


@root.command(cls=SectionedCommand)
@_file
@rating_options("details", "convention", "ranks", "by", "seat")
@format_option(FORMATS)
@_output
@click.option(
    "--top",
    type=click.IntRange(min=0),
    metavar="N",
    help="Show the first N players of a board; 0 for all.  [default: 20 in a table, 5 of each of "
    "several, else all]",
)
@click.option(
    "--each",
    is_flag=True,
    help="Of several tournaments show every board, and not only a line for each below the board of "
    "all together.",
)
@click.option("--elo", is_flag=True, help="Show ratings on the Elo scale, the average at 1500.")
@_quiet
@debug_option
def rate(
    file: str | None,
    asked: Asked,
    *,
    format: str | None,
    output: str | None,
    top: int | None,
    each: bool,
    elo: bool,
    quiet: bool,
) -> None:
    """Rate the players of a table of results.

    FILE is a CSV, TSV, JSON lines or Parquet file, also compressed (.gz); '-' is standard input.
    It has a row for every score, with columns for the player (a model), the round (a split or a
    task), the score, and perhaps the tournament (a data set). Columns with usual names are found;
    which were is said on standard error. Several tournaments are shown together on one board, with
    a line for each; JSON and CSV hold the board of each, whole.

    \b
    winodds rate results.csv
    winodds rate results.csv --player model --round fold --score auc
    winodds rate results.csv --score error_pct --lower-is-better --format markdown
    winodds rate leaderboard.csv --wide --ignore Mean --higher-is-better
    winodds rate arena.jsonl.gz --battles --cluster prompt
    winodds rate items.csv --by topic
    """  # noqa: D301
    file = _check_file(file, output, format)
    if each:
        refuse_each(asked, format or format_of(output))
    if "by" in asked.columns:
        from winodds.cli.slices import slice_file

        sliced = slice_file(file, asked, quiet=quiet)
        show_slices(sliced, format=format, output=output, top=top, elo=elo)
    else:
        together = (format or format_of(output)) != "csv"
        found = rate_file(file, asked, quiet=quiet, together=together, each=each)
        show(found, format=format, output=output, top=top, elo=elo, each=each)
    _tell_written(output, quiet=quiet)


def _check_file(
    file: str | None, output: str | None, format: str | None, formats: Sequence[str] = FORMATS
) -> str:
    if file is None:
        raise click.UsageError("Missing argument 'FILE'; standard input is '-'.")
    check_output(output, [file], format, formats)
    return file


def _tell_written(output: str | None, *, quiet: bool) -> None:
    if output not in (None, "-") and not quiet:
        click.echo(f"Written to {output}.", err=True)


@root.command(cls=SectionedCommand)
@_file
@rating_options()
@format_option(LOOKS)
@_output
@debug_option
def look(file: str | None, asked: Asked, *, format: str | None, output: str | None) -> None:
    """What is in FILE, what would be made of it, and what would be left out.

    Shows every column with the role that it would play and what it holds, what would be rated, or
    why it is refused, and the command that says all of it. FILE and its options are those of
    'winodds rate'.

    \b
    winodds look results.csv
    winodds look results.csv --wide --ignore Mean
    """  # noqa: D301
    from winodds.cli.look import look_at

    file = _check_file(file, output, format, LOOKS)
    deliver(render_document(look_at(file, asked), format or format_of(output)), output)
    _tell_written(output, quiet=False)


@root.command(cls=SectionedCommand)
@_file
@click.argument("names", nargs=-1, metavar="[A B]")
@rating_options()
@comparison_options
@format_option(FORMATS)
@_output
@_top
@_quiet
@debug_option
def compare(
    file: str | None,
    names: tuple[str, ...],
    asked: Asked,
    *,
    adjust: Adjustment | None,
    test: IntervalKind | None,
    power: float,
    format: str | None,
    output: str | None,
    top: int | None,
    quiet: bool,
) -> None:
    """Is player A really better than B? Without names, all pairs.

    Says how often A beats B in new rounds, with intervals and tests that take rounds, not matches,
    as independent, and how many rounds it would take to tell them apart. For all pairs it
    adjusts for their number, and shows who cannot be told apart. FILE and its options are those
    of 'winodds rate'.

    \b
    winodds compare results.csv xgboost catboost
    winodds compare results.csv xgboost catboost --tournament dataset --pool
    winodds compare results.csv --adjust bh --format csv
    """  # noqa: D301
    from winodds.cli.verdicts import compare_boards, show_comparisons

    file = _check_file(file, output, format)
    if len(names) not in (0, 2):
        raise click.UsageError("Name two players to compare, or none for all pairs.")
    found = rate_file(file, asked, quiet=quiet)
    compared = compare_boards(
        boards_of(found),
        (names[0], names[1]) if names else None,
        test=test,
        adjust=adjust,
        power=power,
    )
    show_comparisons(compared, format=format, output=output, top=top)
    _tell_written(output, quiet=quiet)


@root.command(cls=SectionedCommand)
@click.argument("pair", nargs=2, metavar="BASELINE CANDIDATE")
@gate_options
@click.option(
    "--table",
    type=click.Path(allow_dash=True),
    metavar="FILE",
    help="A table or leaderboard (JSON) that has both; BASELINE and CANDIDATE are players then.",
)
@format_option(GATE_FORMATS)
@_output
@_quiet
@debug_option
def gate(
    pair: tuple[str, str],
    asked: Asked,
    *,
    table: str | None,
    baseline: str | None,
    candidate: str | None,
    margin: float | None,
    score_margin: float | None,
    power: float,
    format: str | None,
    output: str | None,
    quiet: bool,
) -> int:
    """May CANDIDATE take the place of BASELINE? A verdict for pull requests.

    Both are files, or folders of logs, with the results of one system each, or leaderboards (JSON);
    rounds of the same name are paired. The verdict is better, no worse than the margin, worse, or
    cannot tell, and then how many more rounds would decide. The command ends with 0 if the
    candidate is better or no worse, with 3 if nobody can tell and with 4 if it is worse. Columns
    are found as in 'winodds rate'.

    \b
    winodds gate main.csv branch.csv
    winodds gate main.csv branch.csv --score-margin 0.01 --format markdown -o comment.md
    winodds gate main_logs/ branch_logs/ --margin 0.02 --format json
    winodds gate main.json branch.json --baseline ours --candidate ours
    winodds gate xgboost catboost --table results.csv
    """  # noqa: D301
    from winodds.cli.gate import judge_files, judge_table, show_gate
    from winodds.language.options import Planning, Tolerating

    files = [table] if table is not None else [*pair]
    check_output(output, files, format, GATE_FORMATS)
    tolerated = Tolerating(margin=margin, score_margin=score_margin)
    power = Planning(power=power).power
    if table is None:
        names = (baseline, candidate)
        found = judge_files(pair, asked, tolerated, names=names, power=power, quiet=quiet)
    else:
        found = judge_table(table, pair, asked, tolerated, power=power, quiet=quiet)
    code = show_gate(found, format=format, output=output)
    _tell_written(output, quiet=quiet)
    return code


@root.command(cls=SectionedCommand)
@_file
@rating_options()
@click.option(
    "--replicates",
    type=click.IntRange(min=1),
    default=1000,
    show_default=True,
    metavar="N",
    help="How often rounds are drawn anew.",
)
@_jobs
@format_option(FEWER_FORMATS)
@_output
@_top
@_quiet
@debug_option
def bootstrap(
    file: str | None,
    asked: Asked,
    *,
    replicates: int,
    jobs: int,
    format: str | None,
    output: str | None,
    top: int | None,
    quiet: bool,
) -> None:
    """Show how ratings and ranks would vary if other rounds had been drawn.

    Draws rounds (or data sets, when these are pooled, or battles) with replacement, rates each
    time, and gives percentile intervals of ratings and ranks and how often each player comes out
    first. FILE and its options are those of 'winodds rate'.

    \b
    winodds bootstrap results.csv --replicates 2000 --jobs -1
    """  # noqa: D301
    from winodds.cli.verdicts import bootstrap_boards, show_bootstraps

    file = _check_file(file, output, format, FEWER_FORMATS)
    boards, seed = boards_of(rate_file(file, asked, quiet=quiet)), asked.options["seed"]
    drawn = bootstrap_boards(boards, draws=replicates, seed=seed, jobs=jobs, quiet=quiet)
    show_bootstraps(drawn, format=format, output=output, top=top)
    _tell_written(output, quiet=quiet)


@root.command(cls=SectionedCommand)
@_file
@race_options
@rating_options()
@format_option(GATE_FORMATS)
@_output
@_quiet
@debug_option
def race(
    file: str | None,
    asked: Asked,
    *,
    strategy: Literal["park", "prove"],
    splits: Literal["independent", "folds", "dependent"] | None,
    first_splits: int,
    alpha: float,
    format: str | None,
    output: str | None,
    quiet: bool,
) -> None:
    """Would a race have saved fits, and chosen the same? Replays one on finished results.

    Players are settings and rounds are splits, which run in their order. The race looks only at
    results that it pays for, and is compared with the highest mean score of the whole table. FILE
    and its options are those of 'winodds rate'.

    \b
    winodds race results.csv
    winodds race cv_results.csv --splits independent --strategy prove --format json
    """  # noqa: D301
    from winodds.cli.race import race_boards, show_races
    from winodds.language.options import Racing

    file = _check_file(file, output, format, GATE_FORMATS)
    rules = Racing(strategy=strategy, splits=splits, first_splits=first_splits, alpha=alpha)
    boards = boards_of(rate_file(file, asked, quiet=quiet))
    show_races(race_boards(boards, rules), format=format, output=output)
    _tell_written(output, quiet=quiet)


@root.command(cls=SectionedCommand)
@_file
@rating_options("convention")
@click.option(
    "--simulations",
    type=click.IntRange(min=1),
    metavar="N",
    help="Tables drawn at most.  [default: 500; 100 for large tables]",
)
@_jobs
@format_option(FEWER_FORMATS)
@_output
@_quiet
@debug_option
def quality(
    file: str | None,
    asked: Asked,
    *,
    simulations: int | None,
    jobs: int,
    format: str | None,
    output: str | None,
    quiet: bool,
) -> None:
    """Can the ratings be trusted? How well they explain who beat whom.

    Gives the deviance, a p-value from tables drawn under the ratings themselves, expected against
    observed shares of wins, the pairs that fit worst and players who beat each other in a circle.
    Several tournaments are compared by standardised deviance. FILE and its options are those of
    'winodds rate'.

    \b
    winodds quality results.csv
    winodds quality results.csv --estimator mle --convention paper --format json
    """  # noqa: D301
    from winodds.cli.verdicts import assess_boards, show_quality

    file = _check_file(file, output, format, FEWER_FORMATS)
    boards, seed = boards_of(rate_file(file, asked, quiet=quiet)), asked.options["seed"]
    assessed = assess_boards(boards, simulations=simulations, seed=seed, jobs=jobs, quiet=quiet)
    show_quality(assessed, format=format, output=output)
    _tell_written(output, quiet=quiet)


@root.command(cls=SectionedCommand)
@_file
@rating_options("details", "convention", "ranks")
@click.option(
    "--compare",
    nargs=2,
    metavar="A B",
    help="Say only what A and B will do on a new data set; JSON has that beside the rest.",
)
@_default
@format_option(FORMATS)
@_output
@_top
@_quiet
@debug_option
def season(
    file: str | None,
    asked: Asked,
    *,
    compare: tuple[str, str] | None,
    default: str | None,
    format: str | None,
    output: str | None,
    top: int | None,
    quiet: bool,
) -> None:
    """Say what many data sets tell together.

    Rates every data set by itself, and says what holds over all of them and on a new one: who
    leads, how often one model beats another on a data set that nobody has seen, the best of each
    family without its luck, what tuning gains, which data sets are alike and which run against the
    others. FILE and its options are those of 'winodds rate'.

    \b
    winodds season results.csv
    winodds season results.csv --family algorithm --default "(default)"
    winodds season results.csv --compare xgboost catboost --format json
    """  # noqa: D301
    from winodds.cli.season import ask_season, rate_season, show_pair, show_season

    file = _check_file(file, output, format)
    boards, together = rate_season(file, asked, quiet=quiet)
    pair = None if compare is None else boards.compare(*compare)
    kind = format or format_of(output)
    if pair is not None and kind != "json":
        show_pair(pair, format=kind, output=output)
    else:
        found = ask_season(boards, together, default=default, quiet=quiet)
        show_season(found, pair, format=kind, output=output, top=top)
    _tell_written(output, quiet=quiet)


@root.command(cls=SectionedCommand)
@_file
@rating_options("details", "convention", "ranks")
@_default
@click.option("--title", metavar="TEXT", help="Headline of the page.  [default: the file's name]")
@click.option(
    "--output",
    "-o",
    type=click.Path(allow_dash=True),
    default="report.html",
    show_default=True,
    metavar="FILE",
    help="Write there, whole or not at all.",
)
@_quiet
@debug_option
@click.pass_obj
def report(
    words: list[str],
    file: str | None,
    asked: Asked,
    *,
    default: str | None,
    title: str | None,
    output: str,
    quiet: bool,
) -> None:
    """Make one page of a table of results that people can share.

    The page is a single file that needs no network: the answer in words, the leaderboard to sort
    and search, duels of any two players, the win matrix, the quality of the fit, figures, gaps in
    the data, and how it was all computed. Readers can switch off players, rounds or tournaments
    and see ratings change. Of several tournaments, the page begins with all of them together and
    has each by itself. FILE and its options are those of 'winodds rate'.

    \b
    winodds report results.csv
    winodds report results.csv --family algorithm --default "(default)"
    winodds report results.csv --pool --title "Tabular models, spring" -o board.html
    """  # noqa: D301
    from winodds.cli.report import check_page, make_page
    from winodds.show.extra import require_extra

    require_extra("A report")
    file = _check_file(file, None, None)
    check_page(output, file)
    rated = rate_with_overview(file, asked, quiet=quiet)
    with Progress(sys.stderr, quiet=quiet) as progress:
        progress.say("Drawing figures …")
        page = make_page(rated, file, output, words, title=title, default=default)
    deliver(page, output)
    _tell_written(output, quiet=quiet)


@root.command(cls=PlotCommand)
@_file
@click.argument("figure", type=click.Choice(FIGURES), metavar="FIGURE")
@rating_options()
@plot_options
@_quiet
@debug_option
def plot(file: str | None, figure: str, asked: Asked, **picture: Unpack[PictureOptions]) -> None:
    """Draw a picture for a paper, a page or a talk.

    FILE and its options are those of 'winodds rate'. FIGURE is one of these:

    \b
    of one leaderboard: ranking, score-against-rating, scores, win-matrix,
                        calibration, critical-difference, rank-sets, best,
                        families, gaps
    of several:         new-data-set, family-matrix, tunability, boxes, settings,
                        fill-in, matrix, biplot

    \b
    winodds plot results.csv ranking -o ranking.svg
    winodds plot results.csv win-matrix --only iris --top 20 -o iris.pdf
    winodds plot results.csv scores --pool --players xgboost --players catboost -o two.png
    winodds plot results.csv families --pool --family algorithm -o families.csv
    winodds plot results.csv boxes --by tournament -o boxes.html
    winodds plot results.csv boxes --by player --at-least 25 -o stayers.svg
    winodds plot results.csv new-data-set --players xgboost -o xgboost.svg
    winodds plot results.csv tunability --family algorithm --default "(default)" -o gain.svg
    """  # noqa: D301
    file = _check_file(file, None, None)
    plot_file(file, figure, asked, picture)
    _tell_written(picture["output"], quiet=picture["quiet"])


@root.command(cls=SectionedCommand)
@_file
@sota_options
@format_option(SOTA_FORMATS)
@_output
@_quiet
@debug_option
def sota(file: str | None, **options: Unpack[SotaOptions]) -> None:
    """Take the luck out of the best of many scores on one test set.

    FILE has one score for each entry of a contest on one test set, such as a Kaggle leaderboard.
    The best of many scores is best partly by luck; this says how much, and says no when luck does
    not explain the best score. With --law, no file is needed: it says what to expect of the best
    score when the performances are known. With -o and a name that ends with .svg, .png, .pdf or
    .html, it draws a picture instead, and with .csv it writes the picture's numbers.

    \b
    winodds sota leaderboard.csv --n 11072 --classes 7
    winodds sota leaderboard.csv --n 11072 --classes 7 --items right_or_wrong.csv
    winodds sota melanoma.csv --metric auc --n 7687 --positives 131
    winodds sota public.csv --private private.csv --n 3000 --private-n 7000
    winodds sota leaderboard.csv --n 11072 --classes 7 -o entries.svg
    winodds sota --law --players 1000 --n 3000 --theta 0.9 --spread 0.025
    winodds sota --law --players 1000 --n 3000 --theta 0.9 --figure curves --over n -o n.pdf
    """  # noqa: D301
    output, picture = options["output"], picture_of(options)
    kind = picture or options["format"]
    if options["law"]:
        if file is not None:
            raise click.UsageError("--law takes no file.")
        check_output(output, [], kind, SOTA_FORMATS)
        if picture:
            draw_law(picture, options)
        else:
            show_sota(compute_law(options), format=kind, output=output)
    else:
        file = _check_file(file, output, kind, SOTA_FORMATS)
        check_output(output, other_files(file, options), kind, SOTA_FORMATS)
        answer_file(file, picture, options)
    _tell_written(options["output"], quiet=options["quiet"])


@root.command(cls=SectionedCommand)
@click.argument("files", type=click.Path(allow_dash=True), metavar="PATH…", nargs=-1, required=True)
@table_options
@format_option(CONVERTED)
@_output
@_quiet
@debug_option
def convert(
    files: tuple[str, ...],
    asked: Asked,
    *,
    format: str | None,
    output: str | None,
    quiet: bool,
) -> None:
    """Bring results from where they live into one table.

    Each PATH is a file or folder that another tool wrote, or a table. Whatever it is, its results
    get the same columns: player, tournament, round, score, metric, direction, status, reason,
    family, hyperparameters, cluster, fit_seconds, score_seconds, source. 'winodds rate' and the
    other commands know these columns, so that sources can be joined and rated together. What was
    left out is said.

    \b
    winodds convert lm_eval_out/ -o scores.parquet
    winodds convert study.db --rounds steps -o scores.csv
    winodds convert ours.csv theirs.csv --player model -o both.parquet
    """  # noqa: D301
    from winodds.cli.convert import convert_files

    convert_files(files, asked, format=format, output=output, quiet=quiet)
    _tell_written(output, quiet=quiet)


@root.command(cls=FetchCommand)
@click.option("--suite", metavar="SUITE", help="Number or name of a suite of tasks.")
@click.option(
    "--task",
    type=click.IntRange(min=1),
    multiple=True,
    metavar="N",
    help="Number of a task, instead of a suite. Repeat it for several.",
)
@fetching_options
@format_option(CONVERTED)
@_output
@_quiet
@debug_option
def openml(
    suite: str | None,
    task: tuple[int, ...],
    asked: Mapping[str, Any],
    *,
    format: str | None,
    output: str | None,
    quiet: bool,
) -> None:
    """Fetch evaluations from OpenML into one table.

    Flows become players, tasks tournaments and folds rounds; families are the algorithms that the
    flows' names tell. The columns are those of 'winodds convert'. First come the means of all runs
    of every task, of which one is chosen for each flow, then the folds of the chosen runs. Answers
    of the server are kept: the same command goes on where it was broken off. Needs OpenML's
    client: pip install 'winodds[openml]'.

    \b
    winodds openml --suite 99 --metric area_under_roc_curve -o scores.parquet
    winodds openml --suite OpenML-CC18 --binary --verify-folds 50 -o scores.parquet
    winodds openml --task 3 --task 31 --metric predictive_accuracy -o scores.csv
    winodds season scores.parquet
    """  # noqa: D301
    from winodds.cli.openml import fetch_table

    fetch_table(suite, task, asked, format=format, output=output, quiet=quiet)
    _tell_written(output, quiet=quiet)


@root.command(cls=SectionedCommand)
@click.argument("spec", type=click.Path(), metavar="SPEC")
@click.option(
    "--output",
    "-o",
    type=click.Path(file_okay=False),
    default="results",
    show_default=True,
    metavar="FOLDER",
    help="Where finished fits and the table go.",
)
@click.option(
    "--only",
    multiple=True,
    metavar="NAME",
    help="Of data sets and algorithms, play these only. Repeatable.",
)
@click.option("--plan", is_flag=True, help="Check the spec, say what would be done, and end.")
@click.option("--retry-failed", is_flag=True, help="Try fits again that have no score.")
@click.option(
    "--jobs",
    "workers",
    type=int,
    default=-1,
    show_default=True,
    metavar="N",
    help="Workers on this machine; -1 for one on each core.",
)
@click.option("--dask", metavar="ADDRESS", help="Let the workers of a Dask cluster do the fits.")
@click.option("--csv", is_flag=True, help="Write the table as scores.csv, too.")
@click.option("--quiet", "-q", is_flag=True, help="Do not say what is planned and done.")
@debug_option
def run(
    spec: str,
    *,
    output: str,
    only: tuple[str, ...],
    plan: bool,
    retry_failed: bool,
    workers: int,
    dask: str | None,
    csv: bool,
    quiet: bool,
) -> None:
    """Train and score models, and keep every result.

    SPEC is a TOML file that names data sets, algorithms with their settings, splits, metrics and
    limits. Each fit runs in a worker process of its own, and is kept as soon as it is done: the
    same command goes on where a run was stopped, whatever stopped it. The scores become
    FOLDER/scores.parquet, which 'winodds rate FOLDER' and the other commands read.

    \b
    winodds run benchmark.toml -o results
    winodds run benchmark.toml -o results --plan
    winodds run benchmark.toml -o results --only wine --only knn --jobs 4
    winodds rate results
    """  # noqa: D301
    from winodds.cli.run import run_spec

    run_spec(
        spec,
        Path(output),
        only=only,
        jobs=workers,
        dask=dask,
        retry_failed=retry_failed,
        plan=plan,
        csv=csv,
        quiet=quiet,
    )


@root.command()
@click.option(
    "--output",
    "-o",
    type=click.Path(),
    default="winodds-demo",
    show_default=True,
    metavar="FOLDER",
    help="Where the files go.",
)
@debug_option
def demo(output: str) -> None:
    """Rate built-in results: 20 scikit-learn models on 4 data sets, 20 splits each.

    Prints the leaderboards and writes the results themselves, so that you can play with them,
    and their report.
    """
    from winodds.cli.demo import run_demo

    run_demo(Path(output))


@root.command()
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """Print a script that completes options and files in your shell.

    \b
    bash:  winodds completion bash > ~/.local/share/bash-completion/completions/winodds
    zsh:   winodds completion zsh > ~/.zfunc/_winodds    (with ~/.zfunc in $fpath)
    fish:  winodds completion fish > ~/.config/fish/completions/winodds.fish
    """  # noqa: D301
    found = get_completion_class(shell)
    assert found is not None, shell
    click.echo(found(root, {}, "winodds", "_WINODDS_COMPLETE").source())
