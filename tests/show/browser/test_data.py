"""The data in the page have the layout that is declared, and the page's scripts keep to it."""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from playwright.sync_api import BrowserContext, Page, expect

from show.browser.conftest import watch
from show.browser.pages import (
    TABLES,
    make_board,
    make_table,
    page_text,
    rate,
    read_data,
    write_page,
)
from winodds import Leaderboard
from winodds.language.plain import make_schema, to_plain
from winodds.show.report.data import page_schema
from winodds.show.report.engine_data import Shipped
from winodds.show.report.shipped import ship

PAGES = (*TABLES, "battles", "components", "demo", "referred", "hostile", "large", "arena")
"""Boards of every kind: with gaps, ties, open ends, without details, and too large to refit."""


def complaints(schema: dict[str, Any], data: Any) -> list[str]:
    """Where data break their layout."""
    found = Draft202012Validator(schema).iter_errors(data)
    return [f"{error.json_path}: {error.message[:200]}" for error in found]


def test_the_layout_is_a_json_schema() -> None:
    Draft202012Validator.check_schema(page_schema())


@pytest.mark.parametrize("name", PAGES)
def test_the_data_in_the_page_have_their_layout(name: str) -> None:
    assert complaints(page_schema(), read_data(page_text(name))) == []


def test_a_layout_has_no_room_for_more_or_less() -> None:
    data = read_data(page_text("complete"))
    board = data["boards"][0]
    board["colour"] = "red"
    del board["columns"]["epp"]
    board["columns"]["notes"][0] = ["a sentence"]
    board["shipped"]["components"][0]["kind"] = "chess"
    assert sorted(complaints(page_schema(), data)) == [
        "$.boards[0].columns.notes[0][0]: 'a sentence' is not of type 'object'",
        "$.boards[0].columns: 'epp' is a required property",
        "$.boards[0].shipped.components[0].kind: 'chess' is not one of ['within', 'across', "
        "'battles']",
        "$.boards[0]: Additional properties are not allowed ('colour' was unexpected)",
    ]


def test_what_is_shipped_of_large_boards_has_its_layout() -> None:
    gaps = make_table(310, 6, missing=0.2)
    arena = make_board("arena")
    assert isinstance(arena, Leaderboard)
    boards = (rate(gaps, details=False), rate(gaps, matches="across", details=False), arena)
    seen = []
    for board in boards:
        shipped = to_plain(ship(board))
        assert complaints(make_schema(Shipped), shipped) == []
        design = shipped["components"][0]["fitted"]["design"]
        seen.append([key for key, value in design.items() if value is not None])
    assert seen == [["weight", "bits"], ["weight", "shares"], ["first", "second", "weight"]]


# The scripts --------------------------------------------------------------------------------------

GUARD = """(schema) => {
  const parse = JSON.parse;
  const known = new WeakMap();
  window.read = new Set();
  window.unknown = [];
  const names = (own) => own.properties && Object.keys(own.properties).sort().join();
  const fits = (own, value) => {
    if (Array.isArray(value)) return own.type === "array";
    const keys = Object.keys(value).sort().join();
    return own.type === "object" && (!own.properties || names(own) === keys);
  };
  const resolve = (own, value) => {
    const fitting = (one) => fits(resolve(one, value).own, value);
    if (own.anyOf) return resolve(own.anyOf.find(fitting), value);
    if (!own.$ref) return { own, name: null };
    const name = own.$ref.split("/").at(-1);
    return { own: schema.$defs[name], name };
  };
  const refuse = (what) => {
    window.unknown.push(what);
    throw new TypeError(`the page has no ${what}`);
  };
  // Promises and JSON look for these on whatever they are given.
  const harmless = ["then", "toJSON"];
  const layoutOf = (own, key) => {
    if (own.type === "array") return own.prefixItems?.[key] ?? own.items;
    return own.properties?.[key] ?? own.additionalProperties;
  };
  const guard = (value, layout) => {
    if (value === null || typeof value !== "object") return value;
    if (known.has(value)) return known.get(value);
    const { own, name } = resolve(layout, value);
    const isOpen = own.type === "object" && !own.properties;
    const proxy = new Proxy(value, {
      get(target, key) {
        if (typeof key === "symbol" || harmless.includes(key)) return target[key];
        if (!Object.hasOwn(target, key)) {
          if (isOpen || (Array.isArray(target) && key in target)) return target[key];
          return refuse(`${name ?? own.type}.${key}`);
        }
        if (name) window.read.add(`${name}.${key}`);
        return guard(target[key], layoutOf(own, key));
      },
      set: (_, key) => refuse(`right to change ${name}.${key}`),
      deleteProperty: (_, key) => refuse(`right to change ${name}.${key}`),
    });
    known.set(value, proxy);
    return proxy;
  };
  JSON.parse = (text) => guard(parse(text), schema);
  // Nothing guarded can be sent to a worker: the engine reads it here. Nothing is really saved.
  delete window.Worker;
  HTMLAnchorElement.prototype.click = () => {};
}"""
"""The page's data behind guards that refuse every key that the layout does not have."""

USE = """() => {
  const set = (id, value) => {
    const own = document.getElementById(id);
    own.value = value ?? [...own.options].at(-1).value;
    own.dispatchEvent(new Event(own.tagName === "SELECT" ? "change" : "input"));
  };
  const each = (what, act) => document.querySelectorAll(what).forEach(act);
  each("#columns input", (box) => box.checked || box.click());
  for (const scale of ["elo", "probability", "epp"]) set("scale", scale);
  const keys = [...document.querySelectorAll("[data-sort]")].map((own) => own.dataset.sort);
  const sort = (key) => document.querySelector(`[data-sort="${key}"]`).click();
  for (const key of keys) [1, 2].forEach(() => sort(key));
  set("search", "1");
  set("search", "");
  set("reference");
  document.querySelector("button.name").click();
  document.querySelector("#duel-swap").click();
  document.querySelector(".matrix td:not(.own)")?.click();
  // Pictures are drawn from the page and not from its data, and take their time.
  each("details.menu button", (own) => ["SVG", "PNG"].includes(own.textContent) || own.click());
  document.querySelector("#permalink").click();
}"""
"""Everything that a reader can do without a refit."""


def use_page(page: Page) -> None:
    """Do all that a reader can do on the page's first boards; a season's others are of a kind."""
    idle = page.locator("body[data-ready=true][data-busy=false]")
    expect(idle).to_be_attached()
    for board in range(min(page.locator("#board option").count(), 2)):
        if board:
            page.locator("#board").select_option(str(board))
            expect(idle).to_be_attached()
        page.evaluate(USE)
        expect(idle).to_be_attached()
        expect(page.locator("#duel-found p").first).to_be_visible()
        first = page.locator("#switches .boxes label:first-child input")
        if first.count():
            first.evaluate_all("boxes => boxes.forEach((box) => box.click())")
            expect(idle).to_be_attached()
            expect(page.locator("#refitted")).to_be_visible()
            page.evaluate(USE)
            expect(idle).to_be_attached()
    page.locator("#more").evaluate("own => own.hidden || own.click()")
    # The page writes its address when there is a pause; another one before that would be lost.
    page.wait_for_function("() => location.hash === document.getElementById('permalink').hash")
    page.evaluate("() => { location.hash = '#duel=nobody&without=me&without-round=x'; }")
    expect(page.locator("#strangers")).to_be_visible()
    expect(idle).to_be_attached()


def test_the_page_reads_all_that_it_is_told_and_nothing_else(
    context: BrowserContext, tmp_path: Path
) -> None:
    context.add_init_script(script=f"({GUARD})({json.dumps(page_schema())})")
    read: set[str] = set()
    for name in PAGES:
        seen = watch(context.new_page())
        seen.page.goto(write_page(name, tmp_path).as_uri())
        use_page(seen.page)
        assert (name, seen.page.evaluate("() => unknown"), seen.complaints) == (name, [], [])
        read |= set(seen.page.evaluate("() => [...read]"))
        seen.page.close()
    declared = {
        f"{name}.{key}" for name, own in page_schema()["$defs"].items() for key in own["properties"]
    }
    assert sorted(declared - read) == []


def test_a_key_that_is_not_declared_is_refused(context: BrowserContext, tmp_path: Path) -> None:
    """The guard guards: without a key in the layout, or with another name, the page stops."""
    schema = page_schema()
    text = json.dumps(schema).replace('"level_words"', '"levelWords"')
    context.add_init_script(script=f"({GUARD})({text})")
    page = context.new_page()
    broken = write_page("complete", tmp_path)
    html = broken.read_text(encoding="utf-8").replace('"level_words":', '"levelWords":')
    broken.write_text(html, encoding="utf-8")
    page.goto(broken.as_uri())
    assert page.evaluate("() => unknown") == ["BoardData.level_words"]
