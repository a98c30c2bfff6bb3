"""A tap answers what the thumb meant, not what came up under it; keys are led on."""

from __future__ import annotations

import time

from playwright.sync_api import Page, expect

from tests.browser.conftest import Rooms
from tests.browser.room import Room, Who, box, played, until


def still(room: Room, path: str, who: Who) -> Page:
    """A page whose clocks stand still, so that a busy machine is as fast as a thumb."""
    page = room.phone(path, who)
    page.clock.install()
    page.reload()
    page.locator("#badge[data-state=live]").wait_for(state="attached")
    page.clock.pause_at(time.time() + 5)
    return page


def posts(page: Page, path: str) -> list[str]:
    """The requests to `path` from now on."""
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.post_data or "") if request.url.endswith(path) else None)
    return sent


def there(page: Page, selector: str) -> tuple[float, float]:
    """The middle of an element."""
    page.locator(selector).first.scroll_into_view_if_needed()
    found = box(page.locator(selector).first)
    return found["x"] + found["width"] / 2, found["y"] + found["height"] / 2


def test_a_second_tap_answers_nothing_else(room: Room) -> None:
    """The next ask appears under the thumb and ignores taps for half a second."""
    page = still(room, "/seat", "away")
    sent = posts(page, "/api/answer")
    x, y = there(page, "#asks .choice")
    page.touchscreen.tap(x, y)
    until(page, lambda: page.get_by_role("button", name="Bat", exact=True).count())
    assert page.evaluate("([x, y]) => !document.elementFromPoint(x, y).closest('button')", [x, y])
    page.touchscreen.tap(*there(page, "#asks .choice"))
    page.clock.run_for(600)
    page.touchscreen.tap(*there(page, "#asks .choice"))
    room.until(lambda view: view["table"]["version"] == 2)
    until(page, lambda: page.locator("#asks .key").count())
    assert 2 == len(sent)


def test_a_finger_that_was_down_before(room: Room) -> None:
    """A press that began before the ask was there does not answer it."""
    page = room.phone("/seat", "away", has_touch=False, is_mobile=False)
    page.clock.install()
    sent = posts(page, "/api/answer")
    x, y = there(page, "#asks .choice")
    page.mouse.move(x, y)
    page.mouse.down()
    room.answer("red")
    until(page, lambda: page.get_by_role("button", name="Bat", exact=True).count())
    page.clock.run_for(600)
    page.get_by_role("button", name="Bat", exact=True).dispatch_event("click", {"detail": 1})
    page.mouse.up()
    assert 1 == room.program.view()["table"]["version"]
    page.get_by_role("button", name="Bat", exact=True).click()
    room.until(lambda view: view["table"]["version"] == 2)
    until(page, lambda: sent)
    assert 1 == len(sent)


def test_a_second_tap_takes_nothing_else_back(room: Room) -> None:
    """Undo rests for half a second when there is something new to take back, and sends the version it means."""
    for value in ("red", "bat", [2], "bat"):
        room.answer(value)
    page = still(room, "/table", "operator")
    sent = posts(page, "/api/undo")
    until(page, lambda: not page.locator("#undo.resting").count())
    page.touchscreen.tap(*there(page, "#undo"))
    until(page, lambda: page.locator("#undo.resting").count())
    page.touchscreen.tap(*there(page, "#undo"))
    page.clock.run_for(600)
    page.touchscreen.tap(*there(page, "#undo"))
    room.until(lambda view: view["table"]["version"] == 6)
    until(page, lambda: len(sent) > 1)
    assert ['{"n":null,"version":4}', '{"n":null,"version":5}'] == sent


def test_a_look_goes_on_with_the_game(room: Room) -> None:
    """Somebody answers during a preview: it is refreshed, and confirming does what it shows."""
    for value in ("red", "bat", [2], "bat"):
        room.answer(value)
    page = room.phone("/table", "operator")
    sent = posts(page, "/api/undo")
    page.locator("#back summary").tap()
    page.locator("#answers .roll").nth(1).tap()
    preview = page.locator("#answers .preview")
    expect(preview).to_contain_text("This removes 2 answers.")
    room.answer([6])
    expect(preview).to_contain_text("This removes 3 answers.")
    expect(preview).to_contain_text("The game has moved on.")
    preview.get_by_role("button", name="Undo to here").tap()
    room.until(lambda view: view["table"]["version"] == 6)
    until(page, lambda: sent)
    assert ['{"n":2,"version":5}'] == sent


def test_what_fell_with_a_correction_is_told(rooms: Rooms) -> None:
    """An older roll that changes the end of a half-inning removes later answers, and says so."""
    tables = [played("small-ball", lambda table: table.scoreboard().half == "bottom" and table.open_asks()[0][0] % 2)]
    room = rooms(tables=tables)
    page, rolls = room.phone("/table", "operator"), room.program.client.get("/api/rolls").json()
    place, face = next(
        (place, face)
        for place, roll in enumerate(rolls)
        for face in range(1, 7)
        if face != roll["value"][0]
        and any(n in room.program.post("preview", n=roll["n"], value=[face]).json()["dropped"] for n in [rolls[0]["n"]])
    )
    row = page.locator("#rolls .rolled").nth(place - 1)
    while not row.count():
        shown = page.locator("#rolls .rolled").count()
        page.locator("#rolls").get_by_role("button", name="Show earlier").tap()
        until(page, lambda shown=shown: page.locator("#rolls .rolled").count() > shown)  # type: ignore[misc]
    row.locator(".tap").tap()
    page.locator("#rolls .key", has_text=str(face)).tap()
    page.get_by_role("button", name=f"Correct it to {face}").tap()
    expect(page.locator("#last")).to_contain_text("Removed ")
    until(page, lambda: len(room.program.client.get("/api/rolls").json()) < len(rolls))
    room.program.client.get("/api/view")
    expect(page.locator("#last .asked")).to_be_visible()
    expect(page.locator("#last")).to_contain_text(f"Corrected to {face}. It was {rolls[place]['value'][0]}.")


def test_keys_go_on_from_the_next_question(room: Room) -> None:
    """Focus moves to the new card's heading, where a second Enter does nothing; focus elsewhere stays."""
    page = room.phone("/seat", "away")
    page.locator("#asks .choice").first.press("Enter")
    page.get_by_role("button", name="Bat", exact=True).wait_for()
    expect(page.locator("#asks h2")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Bat", exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    page.locator("#asks .key").first.wait_for()
    expect(page.locator("#asks h2")).to_be_focused()
    assert 2 == room.program.view()["table"]["version"]
    page.get_by_role("link", name="Dugout").first.focus()
    room.answer([2])
    page.get_by_role("button", name="Bat", exact=True).wait_for()
    expect(page.get_by_role("link", name="Dugout").first).to_be_focused()


def test_keys_go_on_after_a_race(room: Room) -> None:
    """The button over the whole page leaves the focus to the next ask."""
    room.program.post("game", game="bottom-of-the-9th", decks=[], house={}).raise_for_status()
    room.answer("ready-made", "home")
    for value in (None, None, "away-low"):
        room.answer(value, "away")
    room.answer("inside-low", "home")
    room.answer([1, "S"], "away")
    room.answer([5], "home")
    room.until(lambda view: view["race"])
    page = room.phone("/seat", "home")
    expect(page.locator(".call")).to_be_focused()
    room.program.undo().raise_for_status()
    expect(page.locator(".call")).to_have_count(0)
    expect(page.locator("#asks h2")).to_be_focused()


def test_what_is_taken_back_is_spoken_once(room: Room) -> None:
    """One sentence for screen readers, at a seat and for spectators."""
    for value in ("red", "bat", [2]):
        room.answer(value)
    seat, spectator = room.phone("/seat", "away"), room.phone("/")
    room.program.undo().raise_for_status()
    for page, place in ((seat, "#asks .notice"), (spectator, "#said")):
        expect(page.locator(place)).to_have_text("Taken back: the roll 2.")
        assert 1 == page.locator("[role=status]", has_text="Taken back").count()


def test_keys_stay_at_the_last_roll(room: Room) -> None:
    """A preview leaves the focus on the die, and Undo on itself."""
    for value in ("red", "bat", [2], "bat"):
        room.answer(value)
    page = room.phone("/table", "operator")
    page.locator("#last .tap").press("Enter")
    page.locator("#last .key", has_text="5").press("Enter")
    expect(page.locator("#last .preview")).to_be_visible()
    expect(page.locator("#last .tap")).to_be_focused()
    page.locator("#undo").press("Enter")
    room.until(lambda view: view["table"]["version"] == 5)
    expect(page.locator("#undo")).to_be_focused()
