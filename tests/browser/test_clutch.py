"""The first at-bats of Clutch on two phones: menus, dice of twenty faces, and a hand that only its owner sees."""

from __future__ import annotations

from playwright.sync_api import Browser, Page, expect

from engine.table import Table
from tests.browser.appearance import breaches, misfits
from tests.browser.conftest import Rooms
from tests.browser.room import Room, Who, box, played

KEY = "clutch"
SMALL = (360, 740)


def why(table: Table) -> str:
    return table.open_asks()[0][1].why if table.open_asks() else ""


def phones(room: Room) -> dict[str, Page]:
    seats: tuple[Who, Who] = ("away", "home")
    return {seat: room.phone("/seat", seat, SMALL) for seat in seats}


def tapped(room: Room, page: Page, what: str) -> None:
    """Tap, and wait until the table has it."""
    before = room.program.view()["version"]
    page.locator(f"#asks {what}:not(.resting *)").first.tap()
    room.until(lambda view: view["version"] > before)


def test_an_at_bat_by_taps(rooms: Rooms) -> None:
    """One tap each; each of the twenty faces is large enough for a thumb."""
    room = rooms(tables=[played(KEY, lambda table: why(table) == "cards-before-pitch")])
    seats = phones(room)
    for _ in range(12):
        ask = room.program.view()["table"]["asks"][0]
        if ask["why"] == "swing":
            break
        page = seats[ask["seat"]]
        if ask["kind"] == "roll":
            keys = page.locator("#asks .key")
            expect(keys).to_have_count(20)
            assert (
                keys.evaluate_all("(all) => Math.min(...all.flatMap((one) => [one.offsetWidth, one.offsetHeight]))")
                >= 44
            )
            tapped(room, page, ".key")
        else:
            tapped(room, page, ".choice")
    ask = room.program.view()["table"]["asks"][0]
    assert "swing" == ask["why"]
    page = seats[ask["seat"]]
    expect(page.locator(".duel-card.ahead").filter(visible=True)).to_have_count(1)
    expect(page.locator(".facts")).to_contain_text("advantage")
    keys = page.locator("#asks .key")
    keys.last.scroll_into_view_if_needed()
    first, last = box(keys.first), box(keys.last)
    assert first["y"] >= 0
    assert round(last["y"] + last["height"]) <= SMALL[1]
    for one in seats.values():
        assert misfits(one, 320, 360) == []
        assert breaches(one) == []


def test_a_hand_stays_covered(rooms: Rooms) -> None:
    """The asked manager can pass; his cards show only when he uncovers them, and only to him."""
    room = rooms(tables=[played(KEY, lambda table: why(table) == "cards-before-pitch")])
    seat = room.program.view()["table"]["asks"][0]["seat"]
    cards = [one["label"] for one in room.asks()[0]["options"] if one.get("note")]
    assert cards
    seats = phones(room)
    mine, theirs = seats[seat], seats["home" if seat == "away" else "away"]
    expect(mine.locator("#asks h2")).to_have_text("Card before the pitch?")
    expect(mine.locator("#asks .why")).to_contain_text("is about to pitch")
    expect(mine.get_by_role("button", name="Pass", exact=True)).to_be_visible()
    expect(mine.get_by_text(cards[0], exact=True).locator("visible=true")).to_have_count(0)
    mine.get_by_role("button", name="Show my cards").tap()
    card = mine.locator("#asks .pickable").filter(has_text=cards[0])
    expect(card).to_be_visible()
    assert cards[0] not in theirs.content()
    expect(theirs.locator("#asks")).not_to_contain_text(cards[0])
    before = room.program.view()["table"]["version"]
    card.tap()
    assert before == room.program.view()["table"]["version"]
    mine.get_by_role("button", name=f"Play {cards[0]}").tap()
    room.until(lambda view: view["table"]["version"] > before)


def test_a_hand_is_read_at_leisure(rooms: Rooms) -> None:
    """A tap shows it; a tap or a minute without one covers it. A mulligan is decided with it in sight."""
    room = rooms(tables=[played(KEY, lambda table: why(table) == "mulligan")])
    seat: Who = room.asks()[0]["seat"]
    page = room.context(seat, SMALL).new_page()
    page.clock.install()
    page.goto("/seat")
    own, asked = page.locator("#own .hand"), page.locator("#asks .hand")
    page.get_by_role("button", name="Show my hand").tap()
    expect(own).to_be_visible()
    page.locator("#veil").get_by_role("button", name="Hide").tap()
    expect(own).to_be_hidden()
    expect(asked).to_be_hidden()
    page.get_by_role("button", name="Show my cards").tap()
    expect(asked).to_be_visible()
    assert own.locator("small").all_text_contents() == asked.locator("small").all_text_contents()
    expect(page.get_by_role("button", name="Keep this hand")).to_be_visible()
    page.clock.run_for(61_000)
    expect(asked).to_be_hidden()


def test_nothing_is_secret_without_cards(rooms: Rooms) -> None:
    house = {"level": "players"}
    room = rooms(tables=[played(KEY, lambda table: why(table) == "pitch", house)])
    page = phones(room)["away"]
    expect(page.locator("#asks")).to_be_visible()
    expect(page.locator("#veil")).to_be_hidden()


def test_the_field_is_laid_place_by_place(rooms: Rooms) -> None:
    """The next place is named. A removed player leaves his empty, and the next tap fills it."""
    room = rooms(tables=[played(KEY, lambda table: why(table) == "line-up")])
    room.answer("new")
    room.answer("lay")
    ask = room.asks()[0]
    page = phones(room)[ask["seat"]]
    players, go = page.locator("#asks .pickable"), page.locator("#asks .acts .button").last
    expect(go).to_have_text("Who plays CA? 9 more")
    for i in range(4):
        players.nth(i).tap()
    spots = page.locator("#asks .spot")
    assert ["CA", "1B", "2B", "3B", ""] == spots.all_inner_texts()[:5]
    players.nth(1).tap()
    expect(go).to_have_text("Who plays 1B? 6 more")
    assert ["CA", "", "2B", "3B", ""] == spots.all_inner_texts()[:5]
    players.nth(4).tap()
    assert ["CA", "", "2B", "3B", "1B"] == spots.all_inner_texts()[:5]
    page.get_by_role("button", name="Undo").tap()
    assert ["CA", "", "2B", "3B", ""] == spots.all_inner_texts()[:5]
    for i in (4, *range(5, 10)):
        players.nth(i).tap()
    expect(go).to_have_text("Use these positions")
    tapped(room, page, ".acts .button:last-child")
    room.answer("take-it")
    names = [one["value"] for one in ask["pieces"]]
    fielders = {one["note"].split(",")[0]: one["value"] for one in room.asks()[0]["pieces"]}
    assert [names[0], names[4], names[2]] == [fielders[spot] for spot in ("CA", "1B", "2B")]


def test_letters_twice_as_large_fit_a_small_phone(rooms: Rooms, large_browser: Browser) -> None:
    """Names and results break between words; the diamond is below the inning, or beside it."""
    room = rooms(tables=[played(KEY, lambda table: why(table) == "swing")])
    looks: list[tuple[str, Who]] = [("/", "spectator"), ("/seat", room.asks()[0]["seat"])]
    for path, who in looks:
        page = room.phone(path, who, (320, 640), browser=large_browser)
        assert misfits(page, 320) == []
        name, title, lamps, diamond = (
            box(page.locator(one).first) for one in (".side .name", ".game", "#lamps", "#diamond .field")
        )
        assert max(name["height"], title["height"]) < 140, path
        for what, most in ((".chart td", 80), (".linescore tbody th", 120)):
            for one in page.locator(what).filter(visible=True).all():
                assert box(one)["height"] < most, (path, one.text_content())
        below = lamps["y"] + lamps["height"] <= diamond["y"]
        assert below or lamps["x"] + lamps["width"] <= diamond["x"], path
