"""When a page plays the sounds of the ballpark: for new plays, once, where somebody turned them on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.chromium import Faults
from tests.browser.conftest import Rooms
from tests.browser.room import Room, Who, played, until
from tests.browser.test_lost import GONE
from tests.browser.tv.test_stage import rolling, strikes_out

SILENT_SYNTH = """
export const ECHO = 0;
export const ballpark = (context) => new GainNode(context);
export function sound(context, out, name, at) {
    (window.heard ??= []).push(name);
    out.gain.setTargetAtTime = () => { window.ended = (window.ended ?? 0) + 1; };
    return at;
}
"""
"""In place of the synth: notes what it should play, and how often a play's sounds are ended early."""

TOUCHED = """
Object.defineProperty(UserActivation.prototype, "hasBeenActive", { get: () => window.touched === true });
addEventListener("pointerdown", () => { window.touched = true; }, true);
addEventListener("keydown", () => { window.touched = true; }, true);
AudioContext.prototype.resume = async () => {};
"""
"""For Chromium, a test that looks into a page touches it. This page is touched only by taps and keys, and however busy
the machine is, its audio device wakes up at once."""

SIGN_ON = ["bat", "stir"]


def listening(room: Room, path: str = "/", who: Who = "spectator", level: str = "full") -> Page:
    """Return a page with sounds on that notes what it plays."""
    context = room.context(who)
    context.route("**/synth.js", lambda route: route.fulfill(content_type="text/javascript", body=SILENT_SYNTH))
    context.add_init_script(TOUCHED)
    page = context.new_page()
    page.goto(path)
    live(page)
    choose(page, level)
    return page


def live(page: Page) -> None:
    page.locator("#badge[data-state=live]").wait_for(state="attached")


def choose(page: Page, level: str) -> None:
    """Turn sounds to a level, from off."""
    button = page.locator("#sounds")
    for name in ("low", "full")[: ("off", "low", "full").index(level)]:
        button.click()
        expect(button).to_have_text(f"Sounds: {name}")
        heard(page, SIGN_ON)


def heard(page: Page, sounds: Sequence[str]) -> None:
    """Exactly these sounds since the last call, but for what another play may bring later."""
    until(page, lambda: len(page.evaluate("window.heard ?? []")) >= len(sounds))
    assert [*sounds] == page.evaluate("(window.heard ?? []).splice(0)")


def bat(room: Room, result: str) -> None:
    """An at-bat with the result that the card has for `result`."""
    room.answer("bat")
    card = room.program.view()["table"]["scoreboard"]["panel"]["card"]
    room.answer([card.index(result) + 1])


def told(page: Page, words: str) -> None:
    """Wait until the page shows these words of the last play."""
    until(page, lambda: words in page.locator("#said").inner_text())


def test_each_play_sounds_once_for_who_wants_it(room: Room) -> None:
    """Off until turned on. A reloaded page sounds from its first touch on, for new plays; a seat hears that it is
    asked."""
    room.answer("red")
    guest, seat = listening(room), listening(room, "/seat", "home")
    quiet, silent = listening(room, level="low"), listening(room, level="off")
    bat(room, "1B")
    for page in (guest, seat):
        heard(page, ["bat", "stir"])
    bat(room, "SO")
    for page in (guest, seat):
        heard(page, ["groan"])
    guest.reload()
    live(guest)
    expect(guest.locator("#sounds")).to_have_text("Sounds: full")
    bat(room, "SO")
    heard(seat, ["groan"])
    until(guest, lambda: "2 outs" in guest.locator("#lamps").inner_text())
    heard(guest, [])
    guest.locator("#score").click()
    bat(room, "SO")
    heard(guest, ["groan", "change"])
    heard(seat, ["groan", "change", "yours"])
    heard(quiet, ["change"])
    heard(silent, [])
    guest.locator("#sounds").click()
    expect(guest.locator("#sounds")).to_have_text("Sounds: off")
    bat(room, "1B")
    heard(seat, ["bat", "stir"])
    heard(guest, [])


def test_what_is_taken_back_or_corrected_is_silent(room: Room) -> None:
    """What still sounds of it ends, and what is played after it sounds again."""
    room.answer("red")
    page = listening(room)
    bat(room, "SO")
    heard(page, ["groan"])
    before, view = page.evaluate("ended"), room.program.view()
    n, card = view["table"]["asks"][0]["n"] - 1, view["table"]["scoreboard"]["panel"]["card"]
    room.program.post("amend", n=n, value=[card.index("1B") + 1]).raise_for_status()
    told(page, "single")
    assert page.evaluate("ended") == before + 1
    bat(room, "SO")
    heard(page, ["groan"])
    room.program.undo().raise_for_status()
    told(page, "Taken back")
    heard(page, [])
    room.answer([card.index("SO") + 1])
    heard(page, ["groan"])


def test_a_connection_that_dropped_repeats_nothing(room: Room, faults: Faults) -> None:
    """Not the plays before it; those missed sound together, as the greatest of them. Nor does a table that was off."""
    faults.meant(*GONE)
    room.answer("red")
    page = listening(room)
    bat(room, "1B")
    heard(page, ["bat", "stir"])
    page.context.set_offline(True)
    expect(page.locator("#badge")).to_have_text("Reconnecting")
    page.context.set_offline(False)
    live(page)
    heard(page, [])
    page.context.set_offline(True)
    expect(page.locator("#badge")).to_have_text("Reconnecting")
    bat(room, "SO")
    bat(room, "1B")
    page.context.set_offline(False)
    heard(page, ["bat", "groan"])
    room.kill()
    room.start()
    live(page)
    bat(room, "SO")
    heard(page, ["groan"])


def test_another_game_is_no_news(rooms: Rooms) -> None:
    """What happened in a game before it was put on the table again stays silent."""
    old = played("small-ball", lambda one: rolling(one) and "SO" in one.scoreboard().panel["card"])
    room = rooms(tables=[old, played("small-ball", lambda table: len(table.journal) > 2)])
    page = listening(room)
    room.program.post("games/1/take").raise_for_status()
    told(page, room.program.view()["table"]["last"])
    room.answer([strikes_out(room)])
    until(page, lambda: page.evaluate("window.heard"))
    assert "groan" == page.evaluate("window.heard")[0]


def test_the_television_has_a_button_and_a_key(room: Room) -> None:
    """S goes from off to low to full."""
    page = listening(room, "/tv", level="off")
    for level in ("low", "full", "off"):
        page.keyboard.press("s")
        expect(page.locator("#sounds")).to_have_text(f"Sounds: {level}")
    heard(page, [*SIGN_ON, *SIGN_ON])


WATCHED = """
window.airs = [];
window.levels = [];
window.AudioContext = class extends AudioContext { constructor() { super(); airs.push(this); } };
const makeWay = AudioParam.prototype.setTargetAtTime;
AudioParam.prototype.setTargetAtTime = function (level, ...all) {
    levels.push(level);
    return makeWay.call(this, level, ...all);
};
window.speaking = false;
Object.defineProperty(SpeechSynthesis.prototype, "speaking", { get: () => window.speaking });
"""


def test_sounds_make_way_for_speech_and_rest_after_their_end(room: Room) -> None:
    """Quieter while somebody speaks, also if that begins later. The audio device runs only while anything sounds."""
    room.answer("red")
    context = room.context()
    context.add_init_script(WATCHED)
    page = context.new_page()
    page.goto("/")
    live(page)

    def state() -> Any:
        return page.evaluate("airs.map((air) => air.state)")

    assert [] == state()
    page.locator("#sounds").click()
    until(page, lambda: ["running"] == state())
    until(page, lambda: page.evaluate("levels.at(-1)") == 1)
    page.evaluate("speaking = true")
    until(page, lambda: page.evaluate("levels.at(-1)") == 0.25)
    page.evaluate("speaking = false")
    until(page, lambda: page.evaluate("levels.at(-1)") == 1)
    until(page, lambda: ["suspended"] == state())
    page.locator("#sounds").click()
    until(page, lambda: ["running"] == state())
    until(page, lambda: ["suspended"] == state())
