"""The announcer speaks each call once, on the device that asked for it."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from engine.asks import Roll
from engine.table import Table
from tests.browser.chromium import Faults
from tests.browser.conftest import Rooms
from tests.browser.room import Room, played, until
from tests.browser.test_lost import GONE

RECORDER = """
if (location.protocol === "http:") {
    const kept = sessionStorage.getItem("test-spoken") ?? "[]";
    window.spoken = JSON.parse(kept);
    window.SpeechSynthesisUtterance = function (text) { this.text = text; };
    const voices = [{ lang: "de-DE", localService: true }, { lang: "en-GB", localService: true, name: "Ann" }];
    const speak = (one) => {
        window.spoken.push([one.text, one.voice?.name]);
        sessionStorage.setItem("test-spoken", JSON.stringify(window.spoken));
    };
    const value = { pending: false, getVoices: () => voices, cancel() {}, addEventListener() {}, speak };
    Object.defineProperty(window, "speechSynthesis", { value });
}
"""


def rolling(table: Table) -> bool:
    """Return True where Small Ball rolls for a batter, some way into the game."""
    asks = table.open_asks()
    return len(table.journal) > 30 and isinstance(asks[0][1], Roll) and asks[0][1].why == "at-bat"


def listening(room: Room, path: str) -> Page:
    """Return a page that records what it would speak."""
    context = room.context()
    context.add_init_script(RECORDER)
    page = context.new_page()
    page.goto(path)
    page.locator("#badge[data-state=live]").wait_for(state="attached")
    return page


def spoken(page: Page) -> list[str]:
    """Return the texts spoken so far."""
    return [text for text, _ in page.evaluate("window.spoken")]


def test_each_call_is_spoken_once_with_an_english_voice(rooms: Rooms) -> None:
    """Nothing while it is off; after a reload nothing is repeated; a play taken back is announced as such."""
    room = rooms(tables=[played("small-ball", rolling)])
    page = listening(room, "/")
    button = page.locator("#announcer")
    expect(button).to_have_text("Announcer: off")
    assert [] == spoken(page)
    button.click()
    expect(button).to_have_text("Announcer: low")
    button.click()
    expect(button).to_have_text("Announcer: full")
    before, old = len(spoken(page)), [call["id"] for call in room.program.view()["calls"]]
    room.answer([2])
    called = room.until(lambda view: view["calls"][-1]["id"] not in old)["calls"][-1]["text"]
    until(page, lambda: called in spoken(page))
    page.reload()
    page.locator("#badge[data-state=live]").wait_for(state="attached")
    expect(page.locator("#announcer")).to_have_text("Announcer: full")
    assert {"Ann"} == {voice for _, voice in page.evaluate("window.spoken")}
    room.program.post("undo", n=None, version=room.program.view()["table"]["version"]).raise_for_status()
    until(page, lambda: "aken back" in spoken(page)[-1])
    assert 1 == spoken(page)[before:].count(called)


def turned_to(page: Page, level: str, key: str = "") -> None:
    """Turn the announcer to a level, from off, with a tap or a key, and forget what it says to that."""
    for name in ("low", "full")[: ("low", "full").index(level) + 1]:
        if key:
            page.keyboard.press(key)
        else:
            page.locator("#announcer").click()
        expect(page.locator("#announcer")).to_have_text(f"Announcer: {name}")
    page.evaluate("spoken.length = 0")


def great(call: dict[str, Any]) -> bool:
    """Return True for a call of runs, of a half-inning, of the end, or of something taken back."""
    return bool({"runs", "half", "final", "back"} & {*call["marks"]})


def test_full_speaks_every_call_and_low_the_great_moments(rooms: Rooms) -> None:
    """Every call in order, on the television and the game's page; low leaves out the small ones."""
    room = rooms(tables=[played("rallybird", lambda table: table.scoreboard().outs == 2)])
    pages = {"full": listening(room, "/tv"), "low": listening(room, "/")}
    turned_to(pages["full"], "full", key="a")
    turned_to(pages["low"], "low")
    heard = {call["id"] for call in room.program.view()["calls"]}
    calls: list[dict[str, Any]] = []
    while sum(map(great, calls)) < 2:
        room.until(lambda view: view["table"]["asks"][0]["kind"] != "draw")  # the table draws by itself
        room.answer()
        fresh = [call for call in room.program.view()["calls"] if call["id"] not in heard]
        heard.update(call["id"] for call in fresh)
        calls += fresh
    said = {"full": [call["text"] for call in calls], "low": [call["text"] for call in calls if great(call)]}
    for level, page in pages.items():
        until(page, lambda level=level, page=page: spoken(page)[-1:] == said[level][-1:])  # type: ignore[misc]
        assert said[level] == spoken(page)
    assert 1 < len(said["low"]) < len(said["full"])


def test_a_dropped_connection_repeats_and_loses_nothing(rooms: Rooms, faults: Faults) -> None:
    """Calls of answers given meanwhile are spoken once it is back, each once; nor does a restarted table repeat any."""
    faults.meant(*GONE)
    room = rooms(tables=[played("small-ball", rolling)], process=True)
    page = listening(room, "/")
    turned_to(page, "full")
    known = {call["id"] for call in room.program.view()["calls"]}

    def calls() -> list[str]:
        return [call["text"] for call in room.program.view()["calls"] if call["id"] not in known]

    room.answer()
    until(page, lambda: spoken(page) == calls())
    page.context.set_offline(True)
    expect(page.locator("#badge")).to_have_text("Reconnecting")
    for _ in range(3):
        room.answer()
    page.context.set_offline(False)
    until(page, lambda: spoken(page)[-1] == calls()[-1])
    assert calls() == spoken(page)
    room.kill()
    expect(page.locator("#badge")).to_have_text("Reconnecting")
    room.start()
    expect(page.locator("#badge")).to_have_text("Live")
    assert calls() == spoken(page)
    room.answer()
    until(page, lambda: spoken(page)[-1] == calls()[-1])
    assert calls() == spoken(page)


def test_a_game_that_is_resumed_is_not_told_again(rooms: Rooms) -> None:
    """Its next play is, and so is the beginning of a new game."""
    room = rooms(tables=[played("small-ball", rolling), played("small-ball")])
    page = listening(room, "/")
    turned_to(page, "full")
    room.program.post("games/1/take").raise_for_status()
    old = room.until(lambda view: view["number"] == 1)["calls"]
    assert len(old) > 2
    room.answer([2])
    newest = room.until(lambda view: view["calls"][-1]["id"] != old[-1]["id"])["calls"][-1]["text"]
    until(page, lambda: newest in spoken(page))
    assert [newest] == spoken(page)
    room.program.post("game", game="small-ball").raise_for_status()
    room.until(lambda view: view["table"]["version"] == 0)
    room.answer("red")
    until(page, lambda: spoken(page)[1:])
    assert "play ball!" in spoken(page)[1]


def test_a_device_without_a_voice_says_so(rooms: Rooms) -> None:
    """In words, on the button."""
    room = rooms()
    context = room.context()
    context.add_init_script("Object.defineProperty(window, 'speechSynthesis', { value: undefined })")
    page = context.new_page()
    page.goto("/")
    page.locator("#announcer").click()
    expect(page.locator("#announcer")).to_contain_text("no voice here")
