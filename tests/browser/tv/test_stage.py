"""The television's page: nothing is cut or overlaps, whatever the names; moments are shown once, and can be skipped."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from engine.asks import Call, Roll, Secret
from engine.table import Table
from tests.browser.appearance import breaches, flaws
from tests.browser.conftest import Rooms
from tests.browser.room import Room, played, until

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
    const apart = regions.filter((one) => !one.matches(".cover, .between, .league, .join, .warning"));
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


UNANALYZED = '[analysis]\nlevel = "off"\n'
"""No chance to win arrives between two looks at a page."""

SMALL = """() => {
    const found = [], walk = document.createTreeWalker(document.querySelector(".stage"), NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
        const { data, parentElement: one } = walk.currentNode, drawing = one.closest("svg");
        if (!data.trim() || one.closest(".unseen") || !one.checkVisibility({ visibilityProperty: true })) continue;
        const zoom = drawing ? drawing.getScreenCTM().a : one.currentCSSZoom;
        const high = zoom * parseFloat(getComputedStyle(one).fontSize);
        if (high < 23.9) found.push(`${one.closest(".region")?.className}: ${data.trim()} is ${high.toFixed(1)} high`);
    }
    return found;
}"""
"""What a television of 1920 pixels shows in letters of less than 24, which nobody reads from a sofa."""


def in_the_middle(table: Table) -> bool:
    """Return True somewhere in a game: some answers were given, and somebody is on base."""
    board = table.scoreboard()
    return len(table.journal) > 40 and any(board.bases)


SETTLED = """async () => {
    await document.fonts.ready;
    const frame = () => new Promise((soon) => requestAnimationFrame(soon));
    await frame();
    for (const one of document.getAnimations()) one.finish();
    await Promise.all([...document.images].map((one) => one.decode().catch(() => {})));
    await frame();
}"""


def at_rest(page: Page) -> None:
    """Wait until letters and pictures are there; what moves comes to rest at once."""
    page.evaluate(SETTLED)


def cut(page: Page) -> list[str]:
    """Return what is cut off or overlaps on the smallest and the largest screen."""
    found = []
    for size in (SIZES[0], SIZES[-1]):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        at_rest(page)
        found += [f"at {size}: {fault}" for fault in page.evaluate(CUT)]
    return found


def watched(room: Room, size: tuple[int, int], **how: Any) -> Page:
    """Return the television's page once it is live."""
    page = room.phone("/tv", size=size, **how)
    expect(page.locator("#badge")).to_have_attribute("data-state", "live")
    return page


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


def test_warnings_cover_everything_and_move_nothing(rooms: Rooms) -> None:
    """Before, during and after the game: several of them, whole and large enough to read."""
    moments: list[Callable[[Table], object]] = [lambda table: not table.answers, in_the_middle, lambda table: False]
    for there in moments:
        room = rooms(more=UNANALYZED, tables=[played("small-ball", there)])
        page = watched(room, (1280, 720))
        before = page.evaluate(PLACES)
        for seat in ("home", "away", "home"):
            room.program.client.post("/seat", data={"seat": seat})
        expect(page.locator(".stage .warning p")).to_have_count(3)
        assert ([], True, before) == (page.evaluate(CUT), page.evaluate(OPEN), page.evaluate(PLACES))
        expect(page.locator(".stage .warning")).to_be_in_viewport(ratio=1)
    assert [] == breaches(page)


GROWN = """() => {
    const duel = document.getElementById("duel"), zoom = duel.style.zoom;
    const grows = duel.firstElementChild.animate([{ transform: "scale(3)" }, { transform: "none" }], 60000);
    duel.dispatchEvent(new Event("drawn", { bubbles: true }));
    return [zoom, duel.style.zoom, grows.playState, grows.currentTime < 60000];
}"""


def test_what_moves_keeps_its_size(rooms: Rooms) -> None:
    """A row that swells or dice that tumble in do not shrink all that is around them, and go on."""
    page = watched(rooms(tables=[played("small-ball", in_the_middle)]), (1920, 1080))
    at_rest(page)
    before, after, *moving = page.evaluate(GROWN)
    assert before == after
    assert ["running", True] == moving


def choosing(table: Table) -> bool:
    """Return True while both sides choose in secret."""
    asks = table.open_asks()
    return len(asks) == 2 and all(isinstance(ask, Secret) for _, ask in asks)


def racing(table: Table) -> bool:
    """Return True at a race to first."""
    return any(isinstance(ask, Call) for _, ask in table.open_asks())


def asked_for(*whys: str) -> Callable[[Table], bool]:
    """Return what is True where one of these is asked."""
    return lambda table: bool(table.open_asks()) and getattr(table.open_asks()[0][1], "why", "") in whys


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
    "swing": ("clutch", asked_for("swing"), None, ".chart"),
    "season": ("seventh-inning-stretch", asked_for("opponent"), None, ".wide"),
    "draft": ("seventh-inning-stretch", drafted, {"mode": "duel"}, ".wide"),
}


def test_nothing_is_cut_or_overlaps(rooms: Rooms) -> None:
    """In each game's middle and in each special layout, with usual and with very long names; usual ones can be read."""
    usual = {key: (key, in_the_middle, None, "#bug") for key in GAMES}
    layouts = usual | SPECIAL
    room = rooms(tables=[standing(*layout[:3]) for layout in layouts.values()])
    page = watched(room, SIZES[0])
    found = list[str]()
    for number, (name, (_, _, _, sight)) in enumerate(layouts.items(), 1):
        room.program.post(f"games/{number}/take").raise_for_status()
        page.reload()
        page.locator("#badge[data-state=live]").wait_for(state="attached")
        expect(page.locator(sight).first).to_be_visible()
        found += [f"{name}: {fault}" for fault in cut(page)]
        page.set_viewport_size({"width": 1920, "height": 1080})
        at_rest(page)
        found += [f"{name}: {fault}" for fault in page.evaluate(SMALL)]
        page.evaluate(LENGTHEN, LONG)
        found += [f"{name}, long names: {fault}" for fault in cut(page)]
    assert [] == found


def after(answers: int) -> Callable[[Table], bool]:
    """Return what is true once a game has more than this many answers."""
    return lambda table: len(table.journal) > answers


def test_letters_are_large_enough(rooms: Rooms) -> None:
    """What would make the others too small to read is left out: at many points of each game."""
    points = [(key, answers) for key in GAMES for answers in (8, 19, 61)]
    tables = [standing(key, after(answers), None) for key, answers in points]
    room = rooms(tables=tables)
    page = watched(room, (1920, 1080))
    found = list[str]()
    for number, point in enumerate(points, 1):
        room.program.post(f"games/{number}/take").raise_for_status()
        page.reload()
        page.locator("#badge[data-state=live]").wait_for(state="attached")
        at_rest(page)
        found += [f"{point}: {fault}" for fault in page.evaluate(SMALL) + page.evaluate(CUT)]
    assert [] == found


def standing(key: str, there: Callable[[Table], object], house: Any) -> Table:
    """A game where `there` is true."""
    return next(one for seed in range(2, 30) if (one := played(key, there, house, seed)).open_asks())


def third_out(room: Room) -> None:
    """Answer until the next half-inning begins."""

    def half() -> tuple[int, str]:
        board = room.program.view()["table"]["scoreboard"]
        return board["inning"], board["half"]

    now = half()
    while half() == now:
        room.answer()


STAYS = """() => {
    const between = document.querySelector(".region.between");
    window.setTimeout = (next) => { if (between.hidden) queueMicrotask(next); return 1; };
}"""
"""What stands between half-innings stays until it is skipped, and all moments before it end at once."""


def test_between_half_innings_three_batters_are_due_up(rooms: Rooms) -> None:
    """With the line score, beside the last play; a key goes on, and a reload does not show it again."""
    two_out = lambda table: len(table.journal) > 20 and table.scoreboard().outs == 2  # noqa: E731
    room = rooms(tables=[played("small-ball", two_out)])
    page = watched(room, SIZES[0])
    between = page.locator(".region.between")
    expect(between).to_be_hidden()
    page.evaluate(STAYS)
    third_out(room)
    expect(between).to_be_visible()
    due = room.program.view()["table"]["scoreboard"]["due_up"]
    assert due == between.locator(".due b").all_inner_texts()
    expect(between.locator(".linescore")).to_be_visible()
    assert [] == cut(page)
    page.evaluate(LENGTHEN, LONG)
    assert [] == cut(page), "long names"
    page.keyboard.press("Space")
    expect(between).to_be_hidden()
    page.reload()
    expect(page.locator("#badge")).to_have_attribute("data-state", "live")
    expect(between).to_be_hidden()


ANIMATED = """() => document.getAnimations().map((one) => {
    const { target } = one.effect, keys = one.effect.getKeyframes().flatMap((key) => Object.keys(key));
    return [target.getAttribute("class") ?? "", ...keys];
}).filter(([name]) => /finger|thumb|slip|die/.test(name))"""


NOTED = f"""() => {{
    window.noted = [];
    const look = () => {{ noted.push(...({ANIMATED})()); requestAnimationFrame(look); }};
    look();
}}"""
"""Note each picture what moves of hands and dice: a look now and then could miss it."""


def test_hands_open_together(rooms: Rooms) -> None:
    """Both at once, by transforms and opacity alone; with less motion they are simply open."""
    room = rooms(tables=[played("bottom-of-the-9th", choosing)])
    lively, still = (watched(room, SIZES[0], reduced_motion=motion) for motion in ("no-preference", "reduce"))
    for page in (lively, still):
        page.evaluate(NOTED)
    room.answer(seat="home")
    for page in (lively, still):
        expect(page.locator(".hand.ready")).to_have_count(1)
        expect(page.locator(".hand.closed")).to_have_count(2)
    room.answer(seat="away")
    for page in (lively, still):
        expect(page.locator(".hand.open .slip")).to_have_count(2)
    until(lively, lambda: sum("slip" in name for name, *_ in lively.evaluate(ANIMATED)) in (0, 2))
    until(lively, lambda: any("slip" in name for name, *_ in lively.evaluate("noted")))
    usual = {"offset", "computedOffset", "easing", "composite"}
    assert {"transform", "opacity"} >= {key for _, *keys in lively.evaluate("noted") for key in keys} - usual
    assert [] == still.evaluate("noted")


def test_dice_tumble_once(rooms: Rooms) -> None:
    """When they are thrown; not again when something else is drawn again."""
    room = rooms(tables=[played("small-ball", rolling)])
    page = watched(room, SIZES[0])
    face = room.program.view()["table"]["scoreboard"]["dice"]
    page.evaluate(NOTED)
    room.answer([face[0] % 6 + 1])
    until(page, lambda: any("die" in name for name, *_ in page.evaluate("noted")))
    until(page, lambda: not page.evaluate(ANIMATED))
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
    asks = table.open_asks()
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
    page.evaluate("window.setTimeout = () => 1")  # it stays until it is skipped
    moment = page.locator("#moment")
    expect(moment).to_be_hidden()
    room.answer([strikes_out(room)])
    expect(moment).to_be_visible()
    expect(moment.locator("b")).to_contain_text("trike")
    page.keyboard.press("Space")
    expect(moment).to_be_hidden()
    page.reload()
    expect(page.locator("#badge")).to_have_attribute("data-state", "live")
    expect(moment).to_be_hidden()
    room.program.undo().raise_for_status()
    expect(page.locator("#said")).to_contain_text("Taken back")
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
    assert [] == flaws(watched(rooms(tables=[played("clutch", in_the_middle)]), SIZES[1]))
