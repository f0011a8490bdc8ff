"""A document that says it is a board is a stranger: it is refused, or it works."""

import base64
import json
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from tables import sentence

from hostile.mutants import BASES, document, get, load, mutant, put, uses, walk
from winodds import Leaderboard, Season, WinoddsError, leaderboard_schema, rate
from winodds.board.schema import own_schema
from winodds.board.strict import KEYWORDS, SAID_ONLY, check_document
from winodds.cli.gate import read_board
from winodds.errors import BadOption, BrokenJson, NotJson, Unreadable
from winodds.table.names import hidden_character

Record = Callable[[str, object], None]


def changed(base: str, *changes: tuple[tuple[Any, ...], Any]) -> str:
    data = json.loads(document(base))
    for path, value in changes:
        assert get(data, path) != value
        put(data, path, value)
    return json.dumps(data)


def packed(base: str, path: tuple[Any, ...], place: int, value: float) -> tuple[Any, Any]:
    """A change of one number of an array."""
    kind = "<f8" if isinstance(value, float) else "<i8"
    array = np.frombuffer(base64.b64decode(get(json.loads(document(base)), path)), kind).copy()
    array[place] = value
    return path, base64.b64encode(array.tobytes()).decode()


def refused(text: str, error: type[WinoddsError] = BrokenJson) -> str:
    said = sentence(error, lambda: Leaderboard.from_json(text))
    assert len(said) < 1_000
    return said.removeprefix("The JSON says what it is but is not sound: ").removesuffix(
        " Write it anew."
    )


EVIDENCE = ("evidence", 0)
STRUCTURE = (*EVIDENCE, "structure")
GAMES = (*EVIDENCE, "games")

INDICES = [
    (STRUCTURE, "component", "0 to 0"),
    (STRUCTURE, "node", "0 to "),
    ((*STRUCTURE, "links"), "column", "0 to "),
    (GAMES, "player", "0 to 4"),
    (GAMES, "cluster", "0 to 7"),
    (GAMES, "tournament", "0 to 7"),
    (EVIDENCE, "played", "1 to 8"),
]


@pytest.mark.parametrize("index", [10**8, -1, -(2**63)])
@pytest.mark.parametrize(("inside", "name", "wanted"), INDICES)
def test_an_index_from_outside_its_array_is_refused(
    inside: tuple[Any, ...], name: str, wanted: str, index: int
) -> None:
    path = (*inside, name)
    said = refused(changed("cuts", packed("cuts", path, 0, index)))
    assert said.startswith(f"evidence[0].{'.'.join(map(str, path[2:]))} holds numbers that are")
    assert wanted in said


def test_places_that_do_not_rise_are_refused() -> None:
    for path in ((*GAMES, "start"), (*STRUCTURE, "links", "start")):
        said = refused(changed("cuts", packed("cuts", path, 1, 10**8)))
        assert said.endswith("holds no places that begin with 0 and rise.")


def test_ratings_of_other_games_are_refused_when_they_are_first_used() -> None:
    beta = (*EVIDENCE, "beta")
    board = Leaderboard.from_json(changed("gaps", packed("gaps", beta, 0, 3.0)))
    assert sentence(BrokenJson, board.sota) == (
        "The JSON says what it is but is not sound: evidence[0].beta holds ratings that are not "
        "those of the games. Write it anew."
    )


SAID: list[tuple[str, Any, str]] = [
    ("rank", "1", "players[0].rank is '1' and not a whole number."),
    ("rank", 2**60, "players[…].rank is larger than any count."),
    ("rank", True, "players[0].rank is true and not a whole number."),
    ("epp", None, "players[0].epp is null and not a number."),
    ("se", -1.0, "players[0].se is -1.0 and not at least 0."),
    ("player", "\x1b[31mred", "players[0].player holds the invisible character U+001B."),
    ("player", "\u202eabc", "players[0].player holds the invisible character U+202E."),
    ("player", "\ud800", "players[0].player holds the invisible character U+D800."),
    ("player", "", "players[0].player is empty."),
    ("player", " a", "players[0].player is no name: it is empty, or ends with a blank."),
    ("player", "model 1", "players names a player twice."),
    ("family", "one", "players[…].family is there for some players only."),
    ("other", 1, "players[0] has 'other', which nobody knows."),
]


@pytest.mark.parametrize(("name", "value", "said"), SAID)
def test_a_row_that_no_board_has_is_refused(name: str, value: Any, said: str) -> None:
    data = json.loads(document("complete"))
    data["players"][0][name] = value
    assert refused(json.dumps(data)) == said


def test_notes_and_options_hold_nothing_that_commands_a_terminal() -> None:
    note = {"kind": "doubt", "name": "x", "text": "\x1b]0;title\x07", "facts": {}}
    for path, value in ((("notes",), [note]), (("options",), {"a\x1b[2J": 1})):
        assert "holds the invisible character U+001B" in refused(changed("complete", (path, value)))


WRITTEN: list[tuple[Callable[[str], str], str]] = [
    (lambda text: text[:100], "This is no JSON: Unterminated string"),
    (
        lambda text: text[:1] * 0 + "[" * 100_000,
        "This is no JSON: its parts lie too deep within each other.",
    ),
    (lambda text: f'{text[:-1]}, "schema": 1}}', "This is no JSON: an object has 'schema' twice."),
    (
        lambda text: text.replace('"iterations": ', '"iterations": ' + "9" * 5_000),
        "This is no JSON: a whole number has 5,",
    ),
    (lambda text: text.replace("0.95", "1e999", 1), "This is no JSON: the number '1e999' is too"),
    (lambda text: text.replace("0.95", "NaN", 1), "This is no JSON: NaN is no JSON number."),
]


@pytest.mark.parametrize(("write", "said"), WRITTEN)
def test_text_that_is_no_sound_json_is_refused(write: Callable[[str], str], said: str) -> None:
    text = document("complete")
    assert write(text) != text
    assert sentence(NotJson, lambda: Leaderboard.from_json(write(text))).startswith(said)


def test_parts_that_lie_too_deep_are_refused() -> None:
    deep: Any = 1
    for _ in range(300):
        deep = [deep]
    said = refused(changed("complete", (("options",), {"x": deep})))
    assert said == "options has parts that lie too deep within each other."


def test_what_is_no_text_is_refused() -> None:
    assert sentence(BadOption, lambda: Leaderboard.from_json(b"{}")) == (  # type: ignore[arg-type]
        'text="bytes" is not possible; it is the text of JSON.'
    )


def test_a_board_in_another_encoding_is_refused_with_its_place(tmp_path: Path) -> None:
    file = tmp_path / "board.json"
    file.write_bytes(document("complete").encode().replace(b"model 0", b"model \xe9"))
    with pytest.raises(Unreadable):
        read_board(str(file))


@pytest.mark.parametrize("tournaments", [[], None, [1], {}, "x"])
def test_a_season_without_boards_is_refused(tournaments: Any) -> None:
    text = changed("season", (("tournaments",), tournaments))
    with pytest.raises(BrokenJson):
        Season.from_json(text)


def test_a_season_whose_boards_share_a_name_is_refused() -> None:
    text = changed("season", (("tournaments", 1, "tournament"), "one"))
    assert "not each its own" in sentence(BrokenJson, lambda: Season.from_json(text))


@pytest.mark.parametrize("together", [[], 1, "x", {"tournament": "one"}])
def test_a_board_of_all_together_that_is_none_is_refused(together: Any) -> None:
    text = changed("season", (("together",), together))
    assert "is no board, or that of one tournament" in sentence(
        BrokenJson, lambda: Season.from_json(text)
    )


# What is allowed ----------------------------------------------------------------------------------


@pytest.mark.parametrize("base", BASES)
def test_a_board_as_it_was_written_is_read(base: str) -> None:
    assert load(base, document(base)).to_json() == document(base)


def test_a_board_that_was_written_before_players_had_settings_is_read() -> None:
    data = json.loads(document("complete"))
    for name in ("settings", "members", "average"):
        del data[name]
    del data["evidence"][0]["center"]
    assert Leaderboard.from_json(json.dumps(data)).sota().leader.player == "model 4"


def test_seeds_of_128_bits_and_names_with_joiners_pass_through_json() -> None:
    family = "👩\u200d🔬"
    rows = [
        {"player": player, "round": r, "score": score + r % 3 * (player == family)}
        for player, score in ((family, 0.5), ("b", 0.6))
        for r in range(5)
    ]
    board = rate(_frame(rows), higher_is_better=True, seed=2**127)
    again = Leaderboard.from_json(board.to_json())
    assert again.players == board.players
    assert again.how.details.seed == 2**127


def _frame(rows: list[dict[str, Any]]) -> Any:
    import polars as pl

    return pl.DataFrame(rows)


# Changed at random --------------------------------------------------------------------------------


def try_mutants(seeds: range) -> dict[str, int]:
    """How many documents were refused, worked, or were refused when used; nothing else happens."""
    found = {"refused": 0, "worked": 0, "refused in use": 0}
    for seed in seeds:
        base, text = mutant(seed)
        try:
            board = load(base, text)
        except WinoddsError:
            found["refused"] += 1
            continue
        found["worked" if _use(board, seed) else "refused in use"] += 1
    return found


def _use(board: Leaderboard | Season, seed: int) -> bool:
    sound = True
    for number, use in enumerate(uses(board)):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                use()
        except BrokenJson:
            sound = False
        except WinoddsError:
            continue
        except Exception as error:
            raise AssertionError(f"mutant {seed} leaks in use {number}") from error
    return sound


def test_a_changed_document_is_refused_or_works(record_property: Record) -> None:
    found = try_mutants(range(250))
    record_property("tried", sum(found.values()))
    assert min(found.values()) >= 5, found


@pytest.mark.slow
def test_thousands_of_changed_documents_are_refused_or_work(record_property: Record) -> None:
    found = try_mutants(range(1_000, 6_000))
    record_property("tried", sum(found.values()))
    print(found)
    assert min(found.values()) > 100, found


def test_reports_of_changed_documents_are_made_or_refused(tmp_path: Path) -> None:
    made = 0
    for seed in range(250):
        base, text = mutant(seed)
        try:
            board = load(base, text)
            if seed % 5 == 0:
                board.report(tmp_path / "page.html", details=False)
                made += 1
        except WinoddsError:
            continue
    assert made > 3


# The schema ---------------------------------------------------------------------------------------


def keywords(schema: Any) -> set[str]:
    if isinstance(schema, list):
        return set().union(*map(keywords, schema)) if schema else set()
    if not isinstance(schema, dict):
        return set()
    named = ("properties", "$defs")
    inner = [
        found
        for key, value in schema.items()
        for found in (value.values() if key in named else [value])
    ]
    return {*schema, *keywords([part for part in inner if isinstance(part, (dict, list))])}


def test_the_checker_knows_every_keyword_of_the_schema() -> None:
    assert keywords(own_schema()) <= {*KEYWORDS, *SAID_ONLY}
    assert own_schema() == leaderboard_schema()


def test_the_checker_and_an_independent_one_agree() -> None:
    # JSON Schema takes 3.0 as a whole number; no board writes it so.
    strict = jsonschema.Draft202012Validator.TYPE_CHECKER.redefine(
        "integer", lambda _, value: isinstance(value, int) and not isinstance(value, bool)
    )
    kind: Any = jsonschema.validators.extend
    twin = kind(jsonschema.Draft202012Validator, type_checker=strict)(leaderboard_schema())
    verdicts = set()
    for seed in range(400):
        base, text = mutant(seed)
        if base == "season":
            continue
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            continue
        if _has_own_limits(data):
            continue
        valid = twin.is_valid(data)
        verdicts.add(valid)
        assert _passes(data) == valid, seed
    assert verdicts == {True, False}


def _has_own_limits(data: Any) -> bool:
    """Whether it holds what JSON Schema has no word for, or what JSON itself forbids."""
    return any(
        (isinstance(value, float) and not np.isfinite(value))
        or (isinstance(value, str) and hidden_character(value) is not None)
        for _, value in walk(data)
    )


def _passes(data: Any) -> bool:
    try:
        check_document(data, own_schema())
    except BrokenJson:
        return False
    return True
