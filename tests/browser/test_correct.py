"""The operator corrects rolls with taps, and everybody else hears only what is right."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from device.table import play_log
from engine.asks import Reroll, Roll
from engine.dice import Face
from engine.table import Table
from tests.browser.conftest import Rooms
from tests.browser.room import Room, played, until

HEARD = """() => {
  window.heard = [];
  const watch = new MutationObserver(() => heard.push(document.querySelector("#said").textContent));
  watch.observe(document.querySelector("#said"), {childList: true, characterData: true, subtree: true});
}"""
"""Note what a screen reader says."""


def rolls(room: Room) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = room.program.client.get("/api/rolls").json()
    return found


@pytest.fixture
def batted(room: Room) -> Room:
    """Two batters of Small Ball have rolled; the third is asked."""
    for value in ("blue", "bat", [2], "bat", [6]):
        seat, n = (room.program.view()["table"]["asks"][0][key] for key in ("seat", "n"))
        room.program.post("answer", seat=seat, n=n, value=value).raise_for_status()
    return room


# Before it counts ----------------------------------------------------------------------------------------------------


def test_a_wrong_die_before_it_counts(rooms: Rooms) -> None:
    """A tap on the die, which holds the roll, and one on its value; the other die is sure."""
    tables = [played("rallybird", lambda table: isinstance(table.open_asks()[0][1], Roll))]
    room = rooms("--seed", "3", command="demo", show=30, tables=tables)
    page = room.phone("/seat", room.program.view()["table"]["asks"][0]["seat"])
    shown = thrown(room)
    page.locator("#asks .tap").first.tap()
    room.until(lambda view: view["proposal"]["seconds"] is None)
    expect(page.locator("#asks .values .key")).to_have_count(6)
    page.locator("#asks .values .key").first.tap()
    view = room.until(lambda view: view["table"]["asks"][0]["n"] != shown["n"])
    assert view["proposal"] is None
    assert [shown["likely"][0][0], shown["faces"][1]] == rolls(room)[0]["value"]


def thrown(room: Room) -> dict[str, Any]:
    """Throw until the camera is sure; return what is shown."""
    while True:
        room.program.post("simulate", what="throw").raise_for_status()
        shown: dict[str, Any] = room.until(lambda view: view["proposal"])["proposal"]
        if shown["sure"]:
            return shown
        room.program.post("reject", n=shown["n"]).raise_for_status()


CARD = """async ([proposal, ask]) => {
  const { proposalCard } = await import("/static/js/asks/roll.js");
  const card = proposalCard(proposal, ask, "Guests, away");
  card.id = "card";
  document.querySelector("#card")?.remove();
  document.querySelector("#main").prepend(card);
}"""

RED = {"kind": "d6", "colour": "red", "owner": "home", "faces": [1, 2, 3, 4, 5, 6]}
WHITE = {"kind": "d6", "colour": "white", "owner": "away", "faces": [1, 2, 3, 4, 5, 6]}
PLAIN = {"kind": "d6", "colour": None, "owner": None, "faces": [1, 2, 3, 4, 5, 6]}
LETTER = {"kind": "pitch", "colour": "white", "owner": "away", "faces": ["B", "S", "C"]}


@pytest.fixture
def card(room: Room) -> Any:
    """Show a made-up roll on the operator's page; return the page and what it sends."""
    page, sent = room.phone("/table", "operator"), list[tuple[str, Any]]()

    def keep(route: Route) -> None:
        sent.append((route.request.url.rpartition("/")[2], json.loads(route.request.post_data or "null")))
        route.fulfill(json={"ok": True})

    page.route("**/api/answer", keep)
    page.route("**/api/hold", keep)

    def show(dice: list[Any], faces: list[Any], **more: Any) -> tuple[Page, list[tuple[str, Any]]]:
        likely = [
            [face for face in reversed(die["faces"]) if face not in faces[i : i + 1]] for i, die in enumerate(dice)
        ]
        proposal = {"n": 7, "seat": "away", "faces": faces, "words": "", "likely": likely, "clear": [True] * len(dice)}
        proposal |= {"sure": True, "doubt": None, "advice": None, "source": "camera", "seconds": None, "total": 1.5}
        sent.clear()
        page.evaluate(
            CARD, [proposal | {"evidence": None} | more, {"n": 7, "seat": "away", "sentence": "Roll.", "dice": dice}]
        )
        return page, sent

    return show


def answered(value: list[Any]) -> tuple[str, Any]:
    return "answer", {"seat": "away", "n": 7, "value": value}


def test_a_roll_is_put_right_by_taps(card: Any) -> None:
    """The first tap stops a running countdown. A single die counts at once, or one of several if the others are sure;
    otherwise Yes does it."""
    page, sent = card([PLAIN], [4], doubt="unclear", sure=False, clear=[False])
    page.locator("#card .tap").tap()
    expect(page.locator("#card .key").first).to_have_text("6")
    page.locator("#card .key", has_text="6").tap()
    until(page, lambda: sent)
    assert [answered([6])] == sent
    page, sent = card([PLAIN, PLAIN], [4, 2], doubt="cocked", sure=False, clear=[False, False])
    page.get_by_role("button", name="die 2: 2, change it").tap()
    page.locator("#card .key", has_text="6").tap()
    yes = page.get_by_role("button", name="Yes, 4, 6")
    expect(yes).to_be_focused()
    assert [] == sent
    yes.tap()
    until(page, lambda: sent)
    assert [answered([4, 6])] == sent
    page, sent = card([PLAIN, PLAIN], [4, 2], seconds=60)
    expect(page.locator("#card h2")).to_have_text("Recording 4, 2 … Touch to stop.")
    with page.expect_response("**/api/hold"):
        page.locator("#card .tap").first.tap()
    expect(page.locator("#card .key")).to_have_count(6)
    assert [("hold", {"n": 7})] == sent


def test_any_touch_stops_a_countdown(card: Any) -> None:
    """It need not hit a die: the heading will do. A roll that waits already is left alone."""
    page, sent = card([PLAIN], [4], seconds=60)
    with page.expect_response("**/api/hold"):
        page.locator("#card h2").tap()
    assert [("hold", {"n": 7})] == sent
    page, sent = card([PLAIN], [4])
    page.locator("#card h2").tap()
    page.locator("#card .tap").tap()
    assert [] == sent


def test_missing_doubtful_and_swapped_dice(card: Any) -> None:
    """The values of a missing die are open already, and keyboard focus moves from its value to Yes. Only the uncertain
    die of two is marked, until it is entered. Swapped colors are one tap, for dice of the same kind."""
    page, sent = card([PLAIN, PLAIN], [4], doubt="too-few", sure=False, clear=[False, False])
    expect(page.locator("#card h2")).to_have_text("Enter the missing die.")
    expect(page.get_by_role("group", name="What does die 2 show?")).to_be_visible()
    expect(page.get_by_role("button", name="Yes")).to_have_count(0)
    page.locator("#card .key", has_text="5").press("Enter")
    page.get_by_role("button", name="Yes, 4, 5").press("Enter")
    until(page, lambda: sent)
    assert [answered([4, 5])] == sent
    page, _ = card([PLAIN, PLAIN], [4, 2], doubt="unclear", sure=False, clear=[True, False])
    marked = page.locator("#card .lies", has=page.locator(".tap.doubted"))
    expect(marked).to_have_count(1)
    expect(marked).to_contain_text("die 2not sure")
    page.get_by_role("button", name="die 2: 2, not sure, change it").tap()
    page.locator("#card .key", has_text="6").tap()
    expect(page.get_by_role("button", name="die 2: 6, change it")).to_be_attached()
    expect(page.get_by_text("not sure", exact=True).and_(page.locator(":visible"))).to_have_count(0)
    page, _ = card([PLAIN, PLAIN], [4, 2], doubt="cocked", sure=False, clear=[False, False])
    expect(page.locator("#card .doubted")).to_have_count(0)
    page, sent = card([RED, WHITE], [4, 2], doubt="alike", sure=False, clear=[False, False])
    expect(page.locator("#card h2")).to_have_text("Did you roll home's red die 4, away's white die 2?")
    page.get_by_role("button", name="Swap home's red die and away's white die").tap()
    until(page, lambda: sent)
    assert [answered([2, 4])] == sent
    page, sent = card([RED, WHITE], [4, 2], doubt="cocked", sure=False, clear=[False, False])
    page.get_by_role("button", name="Swap").tap()
    expect(page.get_by_role("button", name="Yes, home's red die 2, away's white die 4")).to_be_visible()
    assert [] == sent
    page, _ = card([RED, LETTER], [4, "B"])
    expect(page.locator("#card .tap")).to_have_count(2)
    expect(page.locator("#card .swap")).to_have_count(0)


# After it counted ----------------------------------------------------------------------------------------------------


def test_a_wrong_die_after_it_counted(batted: Room) -> None:
    """Only the operator sees what it was; everybody else hears the play once, corrected."""
    page, guest = batted.phone("/table", "operator"), batted.phone()
    guest.evaluate(HEARD)
    page.locator("#last .tap").tap()
    page.locator("#last .key", has_text="5").tap()
    expect(page.locator("#last")).to_contain_text("Corrected to 5. It was 6.")
    assert [[5], [2]] == [roll["value"] for roll in rolls(batted)]
    last = batted.program.view()["table"]["last"]
    expect(guest.locator("#said")).to_have_text(last)
    assert [last] == guest.evaluate("heard")
    expect(guest.get_by_text("It was 6")).to_have_count(0)
    expect(page.locator("#last .tap")).to_be_focused()


def test_an_old_roll_is_corrected_after_a_look(batted: Room) -> None:
    """Choose it, the die and its value; see the score now and then, and what stays; confirm."""
    page, guest = batted.phone("/table", "operator"), batted.phone()
    n, right = rolls(batted)[1]["n"], ""
    for face in (1, 3, 4, 5, 6):
        seen = batted.program.post("preview", n=n, value=[face]).json()
        if (seen["after"]["outs"], len(seen["kept"])) == (0, 2):
            right = str(face)
    page.locator("#rolls .rolled .tap").first.tap()
    page.locator("#rolls .key", has_text=right).tap()
    preview = page.locator("#rolls .preview")
    expect(preview.get_by_role("row", name="Now")).to_contain_text("1 out")
    expect(preview.get_by_role("row", name="Then")).to_contain_text("0 out")
    expect(preview).to_contain_text("The 2 answers after it will stay.")
    assert [2] == rolls(batted)[1]["value"]
    preview.get_by_role("button", name=f"Correct it to {right}").tap()
    expect(guest.locator("#lamps")).to_contain_text("0 outs")
    assert [[6], [int(right)]] == [roll["value"] for roll in rolls(batted)]
    expect(page.locator("#last")).to_contain_text(f"Corrected to {right}. It was 2.")
    expect(page.locator("#rolls .tap").first).to_have_attribute("aria-label", f"the die: {right}, change it")


def test_games_that_were_played_are_not_lost_to_one_tap(rooms: Rooms) -> None:
    """Correcting, or taking back to, the first game of a season says how many games are lost, and needs two taps."""
    table = played("seventh-inning-stretch", lambda table: third(table.scoreboard().panel))
    place, n, face = falling(table)
    room = rooms(game="seventh-inning-stretch", tables=[table])
    page = room.phone("/table", "operator")
    row = page.locator("#rolls .rolled").nth(place - 1)
    while not row.count():
        count = page.locator("#rolls .rolled").count()
        page.locator("#rolls").get_by_role("button", name="Show earlier").tap()
        expect(page.locator("#rolls .rolled")).not_to_have_count(count)
    row.locator(".tap").first.tap()
    page.locator("#rolls .values .key").get_by_text(str(face), exact=True).tap()
    preview = page.locator("#rolls .preview")
    fall = "This deletes the 2 games played after it. You can't undo that."
    expect(preview.locator("p").first).to_have_text(fall)
    expect(preview.get_by_role("row", name="Now")).to_contain_text("lost, lost; 0 stars; First half, game 3")
    expect(preview.get_by_role("row", name="Then")).to_contain_text("stars; First half, game")
    expect(preview.get_by_role("row", name="Then")).not_to_contain_text("lost, lost")
    preview.get_by_role("button", name="Correct it to").tap()
    yes = preview.get_by_role("button", name="Yes, delete")
    expect(yes).to_be_focused()
    expect(preview.get_by_role("button", name="Correct it to")).to_have_count(0)
    version = room.program.view()["table"]["version"]
    assert len(table.journal) == version
    page.locator("#back summary").tap()
    page.locator("#answers .roll").last.tap()
    expect(page.locator("#answers .preview")).to_contain_text(fall)
    page.locator("#answers").get_by_role("button", name="Cancel").first.tap()
    yes.tap()
    expect(page.locator("#rolls .preview")).to_have_count(0)
    assert face == next(roll["value"] for roll in rolls(room) if roll["n"] == n)[0]
    assert version + 1 == room.program.view()["table"]["version"]


def third(panel: Mapping[str, Any]) -> bool:
    """True if the third game of a season is in play."""
    return bool(panel["playing"] and panel["stands"] == "First half, game 3")


def falling(table: Table) -> tuple[int, int, Face]:
    """The newest roll whose correction loses two games: its place in the list, its number, and the face for its first
    die."""
    thrown = [one for one in reversed(table.answers) if isinstance(one.ask, Roll | Reroll)]
    return next(
        (place, one.n, face)
        for place, one in enumerate(thrown)
        if isinstance(one.ask, Roll)
        for face in one.ask.dice[0].faces
        if face != one.value[0] and play_log.correction_preview(table, one.n, [face, *one.value[1:]]).games == 2
    )


# Taking back ---------------------------------------------------------------------------------------------------------


def test_taking_back_after_the_end(rooms: Rooms) -> None:
    """After a preview, which can be left by keyboard, the game goes on, on every page."""
    room = rooms(tables=[played("small-ball")])
    page, guest = room.phone("/table", "operator"), room.phone()
    expect(guest.locator("#box h2")).to_have_text("Box score")
    page.locator("#back summary").tap()
    n = room.program.client.get("/api/answers").json()[3]["n"]
    preview = page.locator("#answers .preview")
    page.locator("#answers .roll").first.press("Enter")
    expect(preview).to_be_visible()
    page.locator("#answers").get_by_role("button", name="Cancel").press("Enter")
    expect(page.locator("#back summary")).to_be_focused()
    page.locator("#answers .roll").nth(3).tap()
    expect(preview).to_contain_text("This removes 4 answers.")
    expect(preview.get_by_role("row", name="Now")).to_be_visible()
    assert room.program.view()["table"]["outcome"]
    preview.get_by_role("button", name="Undo to here").tap()
    expect(guest.locator("#now")).to_contain_text("Waiting for")
    expect(guest.locator("#box h2")).to_have_count(0)
    view = room.program.view()
    assert (None, n) == (view["table"]["outcome"], view["table"]["asks"][0]["n"])
    guest.goto("/games")
    expect(guest.get_by_text("on the table")).to_be_visible()


def test_taking_back_to_long_ago(rooms: Rooms) -> None:
    """Answers come forty at a time, each once, until the first."""
    room = rooms(tables=[played("rallybird")])
    page = room.phone("/table", "operator")
    page.locator("#back summary").tap()
    more = page.locator("#answers").get_by_role("button", name="Show earlier")
    shown, count = page.locator("#answers .roll"), len(play_log.current_answers(played("rallybird"), most=10**6))
    assert count > 40
    for known in (*range(40, count, 40), count):
        expect(shown).to_have_count(known)
        if known < count:
            more.tap()
    expect(more).to_have_count(0)
