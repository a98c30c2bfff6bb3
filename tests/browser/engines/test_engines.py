"""In each engine, the oldest supported ones among them, the pages open without a complaint and play."""

from __future__ import annotations

import re
from functools import cache

import pytest

from engine.games import GAMES
from engine.table import Table
from tests.browser.engines.complaints import PLANTED_PATH
from tests.browser.engines.conftest import Rooms
from tests.browser.engines.engines import ENGINES
from tests.browser.engines.tab import Tab, wait_for
from tests.browser.pages import LIVE, PAGES, TABS
from tests.browser.room import PHONE, TV, Room, played

ALL_GAMES = [(engine, game) for engine in ("chromium-72", "wpe") for game in GAMES]
"""The oldest of each family plays all games."""

PLAYED = [*ALL_GAMES, ("chromium-88", "clutch"), ("webkit", "rallybird"), ("firefox", "bottom-of-the-9th")]


@cache
def finished() -> Table:
    return played("small-ball")


def begun() -> Table:
    return played("small-ball", lambda table: len(table.journal) > 20)


def sign_in(tab: Tab, room: Room, path: str) -> None:
    """Take the home seat, or the operator's page, with the code."""
    tab.open(room.program.url + path)
    if path == "/seat":
        tab.tap("[name=seat][value=home] + *")
    tab.type("[name=code]", room.program.code)
    tab.tap("main form .button")
    tab.see(LIVE)


in_each_engine = pytest.mark.parametrize("started", ENGINES, indirect=True, scope="module")

COMPLAINTS = ("console: planted", "script: .*planted", "script: .*rejected", "policy: style-src", "lost: .*/nothing")


@in_each_engine
def test_a_complaint_of_a_page_is_heard(started: Tab, rooms: Rooms) -> None:
    """So that the other tests can fail."""
    started.open(f"{rooms().program.url}/in")
    started.run(f"""
        const script = Object.assign(document.createElement("script"), {{ type: "module", src: "{PLANTED_PATH}" }});
        document.head.append(script);
    """)
    heard = list[str]()

    def all_heard() -> bool:
        heard.extend(started.complaints())
        return all(any(re.match(one, words) for words in heard) for one in COMPLAINTS)

    wait_for(all_heard, lambda: f"heard only {heard}")


@in_each_engine
def test_each_page(tab: Tab, rooms: Rooms) -> None:
    """What matters on each page is seen, and nothing covers it."""
    room = rooms(finished(), begun())
    for path, seen in PAGES.items():
        tab.open(room.program.url + path, TV if path == "/tv" else PHONE)
        tab.see(seen)
    sign_in(tab, room, "/table")
    for name, seen in TABS.items():
        tab.tap(f"#tab-{name}")
        tab.see(seen)
    tab.open(f"{room.program.url}/doctor")
    tab.see(".findings")
    copy = room.program.post("decks", game="small-ball", title="Page", copy="house").json()
    tab.open(f"{room.program.url}/decks/{copy['game']}/{copy['name']}")
    tab.tap("article button")
    tab.see("dialog [type=submit], dialog .button")


def outs(room: Room) -> int:
    found: int = room.program.view()["table"]["scoreboard"]["outs"]
    return found


@in_each_engine
def test_the_pages_follow_the_game(tab: Tab, rooms: Rooms) -> None:
    """An answer from elsewhere shows."""
    room = rooms(begun())
    tab.open(f"{room.program.url}/")
    room.answer()
    tab.until(f"document.querySelector('#dice .last').innerText === {room.program.view()['table']['last']!r}")
    tab.open(f"{room.program.url}/tv", TV)
    room.answer()
    told = room.program.view()["table"]["last"].partition(".")[0]
    tab.until(f"document.querySelector('#plays .last').innerText.includes({told!r})")
    tab.open(f"{room.program.url}/overlay")
    before = outs(room)
    while outs(room) == before:
        room.answer()
    tab.until(f"document.querySelectorAll('#lamps .lamp.on').length === {outs(room)}")


NEXT = """
const card = document.querySelector("#asks .ask:not(.given):not(.managed)");
const open = (selector) => [...card ? card.querySelectorAll(selector) : []].filter((one) => !one.disabled);
const key = open(".keys .key").find((one) => !one.parentNode.querySelector("[aria-pressed=true]"));
const go = ".keypad > .button, .picks > .button";
const next = open(go)[0] || key || open(".pickable, .choice, [data-place]")[0];
for (const one of document.querySelectorAll("[data-next]")) delete one.dataset.next;
if (!next) return null;
next.dataset.next = "";
return next.matches(go + ", .choice, [data-place]") || (next.matches(".key") && !card.querySelector(go));
"""
"""Mark what a thumb taps next to answer the first question; true if that sends the answer."""


def answer_by_taps(tab: Tab, room: Room) -> None:
    """Answer the first question of the page."""
    version = room.program.view()["table"]["version"]
    sent = None
    while not sent:
        sent = tab.run(NEXT)
        if sent is not None:
            tab.tap("[data-next]")
    room.until(lambda view: view["table"]["version"] > version)


@pytest.mark.parametrize(("started", "game"), PLAYED, indirect=["started"], scope="module")
def test_a_seat_answers(tab: Tab, game: str, rooms: Rooms) -> None:
    """A choice and a roll, by taps. Whatever else is asked is answered from elsewhere."""
    room = rooms(played(game, lambda table: True))
    sign_in(tab, room, "/seat")
    left = {"choose", "roll"}
    while left:
        ask = wait_for(lambda: next((one for one in room.asks() if one["kind"] != "draw"), None), lambda: "no question")
        assert ask is not None
        seat, kind = ask["seat"], ask["kind"]
        if seat == "home" and kind in left and not ask["secret"]:
            tab.open(f"{room.program.url}/seat")  # it asks nothing older
            tab.see(LIVE)
            answer_by_taps(tab, room)
            left.remove(kind)
        else:
            room.answer(seat=seat)
