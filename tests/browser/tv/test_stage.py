"""The television's page: nothing is cut or overlaps, whatever the names; moments are shown once, and can be skipped."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from engine.asks import Call, Roll, Secret
from engine.table import Table
from tests.browser.appearance import breaches
from tests.browser.conftest import Rooms
from tests.browser.room import Room, played

SIZES = [(1280, 720), (1920, 1080), (3840, 2160)]
GAMES = ["small-ball", "bottom-of-the-9th", "rallybird", "seventh-inning-stretch", "clutch"]

LONG = "Maximiliane Featherstonehaugh-Oberwasserstein"
"""Longer than any name that the house-made decks have."""

LENGTHEN = """name => {
    const computer = ".led, .reason b";
    const racing = ".racing .of, .racing .of small";
    const people = `${computer}, ${racing}, .due b, .plays-side, .over .star b, .totals th, .wide h2`;
    const names = `#bug .name, #duel .who b, #duel .whom, .hand .of, .slip, .runners li, .man text, ${people}`;
    const long = document.querySelectorAll(`${names}, #plays .last, #ask .question p`);
    for (const one of long) {
        const text = [...one.childNodes].find((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
        if (!text) continue;
        text.data = one.matches(".man text") ? name.split(" ")[1] : one.matches("p") ? `${name}: ${text.data}` : name;
        // The table sizes a runner's letters by the length of his name.
        if (one.matches(".man text")) one.setAttribute("font-size", Math.min(13, 90 / (.6 * text.data.length)));
    }
    const drawn = () => new Event("drawn", { bubbles: true });
    for (const fit of document.querySelectorAll(".stage .fit")) fit.dispatchEvent(drawn());
}"""

CUT = """() => {
    const found = [], seen = (one) => one.getBoundingClientRect();
    const root = document.documentElement;
    if (root.scrollWidth > root.clientWidth || root.scrollHeight > root.clientHeight) found.push("the page scrolls");
    const regions = [...document.querySelectorAll(".stage > .region")].filter((one) => one.checkVisibility());
    for (const region of regions) {
        const frame = seen(region), fit = region.querySelector(".fit");
        for (const one of region.querySelectorAll("*")) {
            if (one.closest(".unseen, svg *") || !one.checkVisibility()) continue;
            const { left, right, top, bottom, width, height } = seen(one);
            if (!width || !height) continue;
            const beside = left < frame.left - 1.5 || right > frame.right + 1.5;
            if (beside || top < frame.top - 1.5 || bottom > frame.bottom + 1.5)
                found.push(`${region.className}: ${one.tagName}.${one.getAttribute("class")} is cut`);
        }
        if (fit && Number(fit.style.zoom || 1) < .46) found.push(`${region.className} is too small to read`);
    }
    const apart = regions.filter((one) => !one.matches(".cover, .between, .join, .warning"));
    for (const [i, one] of apart.entries()) for (const other of apart.slice(i + 1)) {
        const [a, b] = [seen(one), seen(other)];
        if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1)
            found.push(`${one.className} and ${other.className} overlap`);
    }
    const code = seen(document.querySelector(".stage .join"));
    for (const one of document.querySelectorAll(".before .title, .before .final, .before .steps")) {
        const { left, right, top, bottom } = seen(one);
        const under = right > code.left + 1 && left < code.right && bottom > code.top && top < code.bottom;
        if (under) found.push("who plays lies under the code");
    }
    for (const one of document.querySelectorAll("#dice *")) {
        const { left, right, top, bottom } = seen(one);
        const under = right > code.left + 1 && left < code.right && bottom > code.top && top < code.bottom;
        if (under) found.push("dice lie under the code");
    }
    return found;
}"""


def in_the_middle(table: Table) -> bool:
    """Return True somewhere in a game: some answers were given, and somebody is on base."""
    board = table.scoreboard()
    return len(table.journal) > 40 and any(board.bases)


def watched(room: Room, size: tuple[int, int], **how: Any) -> Page:
    """Return the television's page once it is live."""
    page = room.phone("/tv", size=size, **how)
    expect(page.locator("#badge")).to_have_attribute("data-state", "live")
    return page


@pytest.mark.parametrize("key", GAMES)
def test_nothing_is_cut_or_overlaps(rooms: Rooms, key: str) -> None:
    """With usual and with very long names, at each size, during the game and after it."""
    there, over = played(key, in_the_middle), played(key)
    room = rooms(game=key, tables=[over, there])
    for size in SIZES:
        page = watched(room, size)
        page.wait_for_timeout(500)
        assert [] == page.evaluate(CUT), size
        page.evaluate(LENGTHEN, LONG)
        assert [] == page.evaluate(CUT), (size, "long names")
        page.close()


OPEN = """() => {
    const warning = document.querySelector(".stage .warning");
    const { left, top, width, height } = warning.getBoundingClientRect();
    warning.style.pointerEvents = "auto";
    const found = [.05, .5, .95].map((at) => document.elementFromPoint(left + at * width, top + height / 2));
    warning.style.pointerEvents = "";
    return found.every((one) => warning.contains(one));
}"""
"""Is nothing over the warnings?"""

PLACES = """() => [...document.querySelectorAll(".stage > .region:not(.warning)")].map((one) => {
    const { x, y, width, height } = one.getBoundingClientRect();
    return [one.className, x, y, width, height];
})"""


@pytest.mark.parametrize("until", [lambda table: not table.answers, in_the_middle, None], ids=["new", "played", "over"])
def test_warnings_cover_everything_and_move_nothing(rooms: Rooms, until: Callable[[Table], bool] | None) -> None:
    """Before, during and after the game: several of them, whole and large enough to read."""
    room = rooms(tables=[played("small-ball", until) if until else played("small-ball")])
    page = watched(room, (1280, 720))
    before = page.evaluate(PLACES)
    for seat in ("home", "away", "home"):
        room.program.client.post("/seat", data={"seat": seat})
    expect(page.locator(".stage .warning p")).to_have_count(3)
    assert [] == page.evaluate(CUT)
    assert page.evaluate(OPEN)
    assert [] == breaches(page)
    assert before == page.evaluate(PLACES)
    expect(page.locator(".stage .warning")).to_be_in_viewport(ratio=1)


GROWN = """() => {
    const duel = document.getElementById("duel"), zoom = duel.style.zoom;
    const grows = duel.firstElementChild.animate([{ transform: "scale(3)" }, { transform: "none" }], 60000);
    duel.dispatchEvent(new Event("drawn", { bubbles: true }));
    return [zoom, duel.style.zoom, grows.playState, grows.currentTime < 60000];
}"""


def test_what_moves_keeps_its_size(rooms: Rooms) -> None:
    """A row that swells or dice that tumble in do not shrink all that is around them, and go on."""
    page = watched(rooms(tables=[played("small-ball", in_the_middle)]), (1920, 1080))
    page.wait_for_timeout(500)
    before, after, *moving = page.evaluate(GROWN)
    assert before == after
    assert ["running", True] == moving


def choosing(table: Table) -> bool:
    """Return True while both sides choose in secret."""
    asks = table.asks()
    return len(asks) == 2 and all(isinstance(ask, Secret) for _, ask in asks)


def racing(table: Table) -> bool:
    """Return True at a race to first."""
    return any(isinstance(ask, Call) for _, ask in table.asks())


def asked_for(*whys: str) -> Callable[[Table], bool]:
    """Return what is True where one of these is asked."""
    return lambda table: bool(table.asks()) and getattr(table.asks()[0][1], "why", "") in whys


def revealed(table: Table) -> bool:
    """Return True where the card of RallyBird lies open and the dice are to be rolled."""
    panel = table.scoreboard().panel
    return bool(panel["card"]) and panel["roll"] is None


def drafted(table: Table) -> bool:
    """Return True in a draft once both sides have some players."""
    panel = table.scoreboard().panel
    return not panel["playing"] and all(len(squad["batters"]) > 2 for squad in panel["squads"].values())


SPECIAL: dict[str, tuple[str, Callable[[Table], object], dict[str, str] | None, str]] = {
    "before": ("small-ball", lambda table: True, None, ".before"),
    "pitch and guess": ("bottom-of-the-9th", choosing, None, ".hand.closed"),
    "choices revealed": ("bottom-of-the-9th", asked_for("pitch"), None, ".hand.open"),
    "race": ("bottom-of-the-9th", racing, None, ".racing"),
    "card against Gloves": ("rallybird", asked_for("gloves"), None, ".hand.closed"),
    "card revealed": ("rallybird", revealed, None, ".hand.open"),
    "reroll": ("seventh-inning-stretch", asked_for("reroll"), None, ".lying"),
    "season": ("seventh-inning-stretch", asked_for("opponent"), None, ".wide"),
    "draft": ("seventh-inning-stretch", drafted, {"mode": "duel"}, ".wide"),
}


@pytest.mark.parametrize("layout", SPECIAL)
def test_nothing_is_cut_in_a_special_layout(rooms: Rooms, layout: str) -> None:
    """With usual and with very long names, at each size."""
    key, there, house, sight = SPECIAL[layout]
    table = next(one for seed in range(2, 30) if (one := played(key, there, house, seed)).asks())
    room = rooms(tables=[table])
    for size in SIZES:
        page = watched(room, size)
        expect(page.locator(sight).first).to_be_visible()
        page.wait_for_timeout(300)
        assert [] == page.evaluate(CUT), size
        page.evaluate(LENGTHEN, LONG)
        assert [] == page.evaluate(CUT), (size, "long names")
        page.close()


def third_out(room: Room) -> None:
    """Answer until the next half-inning begins."""

    def half() -> tuple[int, str]:
        board = room.program.view()["table"]["scoreboard"]
        return board["inning"], board["half"]

    now = half()
    while half() == now:
        room.answer()


@pytest.mark.parametrize("size", SIZES)
def test_between_half_innings_three_batters_are_due_up(rooms: Rooms, size: tuple[int, int]) -> None:
    """With the line score, beside the last play; a key goes on, and a reload does not show it again."""
    two_out = lambda table: len(table.journal) > 20 and table.scoreboard().outs == 2  # noqa: E731
    room = rooms(tables=[played("small-ball", two_out)])
    page = watched(room, size)
    between = page.locator(".region.between")
    expect(between).to_be_hidden()
    third_out(room)
    expect(between).to_be_visible()
    due = room.program.view()["table"]["scoreboard"]["due_up"]
    assert due == between.locator(".due b").all_inner_texts()
    expect(between.locator(".linescore")).to_be_visible()
    assert [] == page.evaluate(CUT)
    page.evaluate(LENGTHEN, LONG)
    assert [] == page.evaluate(CUT)
    page.keyboard.press("Space")
    expect(between).to_be_hidden()
    page.reload()
    expect(page.locator("#badge")).to_have_attribute("data-state", "live")
    expect(between).to_be_hidden()


ANIMATED = """() => document.getAnimations().map((one) => {
    const { target } = one.effect, keys = one.effect.getKeyframes().flatMap((key) => Object.keys(key));
    return [target.getAttribute("class") ?? "", ...keys];
}).filter(([name]) => /finger|thumb|slip|die/.test(name))"""


def moved(page: Page) -> list[list[str]]:
    """Return what moves now of hands and dice, once anything does."""
    for _ in range(60):
        if found := page.evaluate(ANIMATED):
            return list(found)
        page.wait_for_timeout(30)
    return []


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_hands_open_together(rooms: Rooms, motion: Any) -> None:
    """Both at once, by transforms and opacity alone; with less motion they are simply open."""
    room = rooms(tables=[played("bottom-of-the-9th", choosing)])
    page = watched(room, SIZES[0], reduced_motion=motion)
    room.answer(seat="home")
    expect(page.locator(".hand.ready")).to_have_count(1)
    expect(page.locator(".hand.closed")).to_have_count(2)
    room.answer(seat="away")
    found = moved(page) if motion == "no-preference" else []
    expect(page.locator(".hand.open .slip")).to_have_count(2)
    if motion == "reduce":
        assert [] == page.evaluate(ANIMATED)
    else:
        assert 2 == sum("slip" in name for name, *_ in found)
        usual = {"offset", "computedOffset", "easing", "composite"}
        assert {"transform", "opacity"} >= {key for _, *keys in found for key in keys} - usual


def test_dice_tumble_once(rooms: Rooms) -> None:
    """When they are thrown; not again when something else is drawn again."""
    room = rooms(tables=[played("small-ball", rolling)])
    page = watched(room, SIZES[0])
    face = room.program.view()["table"]["scoreboard"]["dice"]
    room.answer([face[0] % 6 + 1])
    assert any("die" in name for name, *_ in moved(page))
    page.wait_for_timeout(1200)
    page.evaluate("document.getElementById('dice').dispatchEvent(new Event('drawn', { bubbles: true }))")
    assert [] == page.evaluate(ANIMATED)


def test_the_end_covers_the_middle(rooms: Rooms) -> None:
    """Who won stands there with the totals; the code for phones stays."""
    room = rooms(tables=[played("small-ball")])
    page = watched(room, SIZES[0])
    expect(page.locator("#cover .final")).to_be_visible()
    expect(page.locator(".join img")).to_be_visible()
    assert [] == page.evaluate(CUT)
    assert [] == breaches(page)


def rolling(table: Table) -> bool:
    """Return True where Small Ball rolls for a batter, some way into the game."""
    asks = table.asks()
    return len(table.journal) > 30 and isinstance(asks[0][1], Roll) and asks[0][1].why == "at-bat"


def strikes_out(room: Room) -> int:
    """Return the face with which the batter strikes out."""
    card: list[str] = room.program.view()["table"]["scoreboard"]["panel"]["card"]
    return card.index("SO") + 1 if "SO" in card else 0


def test_a_moment_is_shown_once_and_a_key_skips_it(rooms: Rooms) -> None:
    """A reload shows none; taking the play back shows none."""
    table = played("small-ball", lambda one: rolling(one) and "SO" in one.scoreboard().panel["card"])
    room = rooms(tables=[table])
    page = watched(room, SIZES[0])
    moment = page.locator("#moment")
    expect(moment).to_be_hidden()
    room.answer([strikes_out(room)])
    expect(moment).to_be_visible()
    expect(moment.locator("b")).to_contain_text("trike")
    page.keyboard.press("Space")
    expect(moment).to_be_hidden()
    page.reload()
    expect(page.locator("#badge")).to_have_attribute("data-state", "live")
    page.wait_for_timeout(300)
    expect(moment).to_be_hidden()
    version = room.program.view()["table"]["version"]
    room.program.post("undo", n=None, version=version).raise_for_status()
    room.until(lambda view: view["undone"] > 0)
    page.wait_for_timeout(300)
    expect(moment).to_be_hidden()


def test_the_next_play_goes_on_at_once_but_what_follows_by_itself_waits(rooms: Rooms) -> None:
    """What comes within the same moment the table itself gave: a walk-off does not hide the home run before it."""
    there = played("small-ball", lambda one: rolling(one) and one.scoreboard().outs == 0)
    room = rooms(tables=[there])
    page = room.context(size=SIZES[0]).new_page()
    page.clock.install(time=0)
    page.goto("/tv")
    expect(page.locator("#badge")).to_have_attribute("data-state", "live")
    page.clock.pause_at(60_000)
    sentence = page.locator("#moment p").first

    def strike_out() -> str:
        if room.asks()[0]["kind"] != "roll":
            room.answer("bat")
        room.answer([strikes_out(room)])
        told: str = room.program.view()["table"]["last"].partition(".")[0]
        expect(page.locator("#plays .last")).to_contain_text(told)
        return told

    first = strike_out()
    expect(sentence).to_contain_text(first)
    second = strike_out()
    expect(sentence).to_contain_text(first)
    page.clock.run_for(1300)
    expect(sentence).to_contain_text(second)
    page.clock.run_for(800)
    third = strike_out()
    expect(sentence).to_contain_text(third)


def test_axe_finds_nothing_in_light_and_dark(rooms: Rooms) -> None:
    """In the middle of a game with everything on the stage."""
    room = rooms(game="clutch", tables=[played("clutch", in_the_middle)])
    for scheme in ("light", "dark"):
        page = watched(room, SIZES[1], color_scheme=scheme)
        assert [] == breaches(page), scheme
        page.close()
