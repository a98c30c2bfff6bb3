"""A first evening: three cards, words explained on a tap, and a coach who speaks unasked in the first inning."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from engine.games import GAMES
from tests.browser.appearance import breaches, flaws, misfits
from tests.browser.conftest import Rooms
from tests.browser.evenings.looks import WIDTHS
from tests.browser.room import Room, box, played, until
from tests.browser.test_seats import THUMB
from tests.each import each
from tests.engine.games.contract.test_lesson import lesson_of, sentences

DECISION = "decision"
"""The choices of a turn of Small Ball."""


PLACE = (
    "(element) => { const { top, left } = element.getBoundingClientRect(); return [top + scrollY, left + scrollX]; }"
)
"""Where an element lies on its page."""


def undecided(room: Room) -> Page:
    """Return a seat's page with choices, on a phone that has opened the lesson."""
    (ask,) = room.asks()
    page = room.phone("/learn", ask["seat"], live=False)
    expect(page.get_by_role("heading", level=1)).to_contain_text("in three cards")
    page.goto("/seat")
    expect(page.locator("#asks .term").first).to_be_visible()
    return page


def deciding(rooms: Rooms, *managers: str) -> Room:
    """Return a room in which a turn of Small Ball waits for its choice, in the first inning."""
    there = played("small-ball", lambda table: any(ask.why == DECISION for _, ask in table.open_asks()))
    room = rooms(tables=[there])
    for seat in managers:
        room.program.post("seat/manager", seat=seat, strength="rookie").raise_for_status()
    return room


def test_the_cards_of_every_game(rooms: Rooms) -> None:
    """Nothing breaks the rules of access, and everything fits, light and dark; the words are one tap away."""
    room = rooms()
    found = []
    for scheme in ("light", "dark"):
        for key in GAMES:
            page = room.phone(f"/learn/{key}", live=False, color_scheme=scheme)
            page.get_by_text("Words of the game").tap()
            expect(page.locator("dd").first).to_be_visible()
            found += flaws(page) + (misfits(page, *WIDTHS) if scheme == "light" else [])
            page.context.close()
    assert [] == found


def test_a_word_is_explained_on_a_tap(rooms: Rooms) -> None:
    """It lies over the page: no choice moves and none is made. Keys close it, and the focus is back at the word."""
    room = deciding(rooms)
    page, before = undecided(room), room.program.view()["version"]
    bat = page.get_by_role("button", name="Bat", exact=True).first
    place = bat.evaluate(PLACE)
    stake = page.locator("#asks .why .term", has_text="at stake")
    stake.tap()
    sheet = page.get_by_role("dialog", name="stake")
    expect(sheet).to_contain_text("Three outs lose them")
    assert place == bat.evaluate(PLACE)
    assert [] == breaches(page)
    page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    expect(stake).to_be_focused()
    listed = page.locator("#asks .terms .term", has_text=re.compile("^pinch hitter$"))
    assert box(listed)["height"] >= THUMB
    listed.tap()
    expect(page.get_by_role("dialog")).to_contain_text("A helper for one at-bat")
    page.get_by_role("button", name="Got it").tap()
    assert before == room.program.view()["version"]
    assert [] == flaws(page) + misfits(page, *WIDTHS)


def test_words_are_explained_only_where_that_is_wanted(rooms: Rooms) -> None:
    """A phone that never opened the lesson has no marks and loads nothing for them. One button turns them on."""
    room = deciding(rooms)
    (ask,) = room.asks()
    page = room.phone("/seat", ask["seat"])
    fetched = list[str]()
    page.on("request", lambda request: fetched.append(request.url))
    page.reload()
    choice = page.locator("#asks .choice").first
    expect(choice).to_be_visible()
    assert [] == [url for url in fetched if "explain" in url or "/learn/small-ball" in url]
    words = page.locator("#asks .term")
    expect(words).to_have_count(0)
    question = page.locator("#asks .why").inner_text()
    button = page.get_by_role("button", name="Explain words")
    button.tap()
    expect(words.first).to_be_visible()
    assert question == page.locator("#asks .why").inner_text()
    expect(page.locator("#dice .term").first).to_be_visible()
    button.tap()
    expect(words).to_have_count(0)
    assert question == page.locator("#asks .why").inner_text()


def test_the_page_for_everybody_explains_too(rooms: Rooms) -> None:
    room = deciding(rooms)
    page = room.phone("/learn", live=False)
    page.goto("/")
    expect(page.locator("#now .awaited .term").first).to_be_visible()
    page.locator("#dice .term").first.tap()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert [] == breaches(page)


def coached(page: Page) -> Locator:
    return page.locator("#asks .choice .coached")


def test_the_coach_speaks_unasked_in_the_first_inning(rooms: Rooms) -> None:
    """Against the computer, until the inning is over; then it says where it can be found."""
    room = deciding(rooms)
    (ask,) = room.asks()
    other = "away" if ask["seat"] == "home" else "home"
    room.program.post("seat/manager", seat=other, strength="rookie").raise_for_status()
    page = undecided(room)
    expect(coached(page).first).to_contain_text(re.compile(r"\d%"))
    expect(page.locator("#asks .advice")).to_contain_text("of 100 games")
    page.evaluate("localStorage.setItem('first-inning', '1:0')")  # an inning before this one
    page.reload()
    expect(page.locator("#asks .coach")).to_contain_text("You know the rest.")
    page.reload()
    expect(page.locator("#asks .terms")).to_be_visible()
    expect(page.locator("#asks .coach")).not_to_contain_text("You know the rest.")
    expect(coached(page)).to_have_count(0)


def test_between_two_people_the_coach_waits_to_be_asked(rooms: Rooms) -> None:
    """Everybody would read each time that it was asked."""
    room = deciding(rooms)
    room.program.post("seat/coach", seat="home", on=True)
    page = undecided(room)
    expect(page.locator("#asks .terms")).to_be_visible()
    expect(coached(page)).to_have_count(0)
    assert "null" == page.evaluate("String(localStorage.getItem('first-inning'))")


def test_first_time_is_asked_once(rooms: Rooms) -> None:
    """Before the first throw; on a seat's page until somebody says no on this phone, or has read the cards."""
    room = rooms()
    first = "First time? The game in three cards"
    expect(room.phone("/").get_by_role("link", name=first)).to_be_visible()
    page = room.phone("/seat", "away")
    expect(page.get_by_role("link", name=first)).to_be_visible()
    page.get_by_role("button", name="No, thanks").tap()
    expect(page.get_by_role("link", name=first)).to_be_hidden()
    page.reload()
    expect(page.locator("html.learned")).to_have_count(1)
    expect(page.get_by_role("link", name=first)).to_be_hidden()
    seat = room.phone("/seat", "home")
    seat.get_by_role("link", name=first).tap()
    expect(seat.get_by_role("heading", level=1)).to_contain_text("Small Ball in three cards")
    until(seat, lambda: seat.evaluate("localStorage.getItem('learned')") == "yes")
    seat.go_back()
    expect(seat.locator("html.learned")).to_have_count(1)


@each("key", GAMES)
def test_pages_and_engine_find_the_same_words(rooms: Rooms, key: str) -> None:
    """In every sentence of the recorded games."""
    page = rooms().phone("/", live=False)
    texts = sorted(sentences(key))
    found = page.evaluate(
        """async ([key, texts]) => {
            const { finder } = await import("/static/js/learn/words.js");
            const { words } = await (await fetch(`/learn/${key}.json`)).json();
            const find = finder(words);
            return texts.map((text) => find(text).map(({ said }) => said));
        }""",
        [key, texts],
    )
    assert [list(lesson_of(key).explained_words(text)) for text in texts] == found
