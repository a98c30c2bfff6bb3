"""How a game was won, on its page: fetched when the table has worked it out."""

from __future__ import annotations

from playwright.sync_api import Route, expect

from tests.browser.appearance import misfits
from tests.browser.conftest import Rooms
from tests.browser.room import played


def test_it_appears_when_it_is_ready(rooms: Rooms) -> None:
    """And on a page of its own, which refreshes itself until then."""
    room = rooms(tables=[played("small-ball"), played("clutch")])
    page = room.phone("/games/1", size=(320, 640))
    page.locator("#analysis svg").first.wait_for(timeout=60_000)
    assert 0 == page.locator("#analysis").get_by_role("link", name="How it was won").count()
    assert misfits(page, 320, 390, 1280) == []
    page = room.phone("/games/2/analysis", size=(320, 640))
    page.locator("main svg").first.wait_for(timeout=60_000)
    assert misfits(page, 320, 390, 1280) == []


def test_the_box_score_with_what_players_added_fits_a_phone(rooms: Rooms) -> None:
    """No column is beyond the edge of its card, at the widths of usual phones."""
    page = rooms(tables=[played("clutch")]).phone("/")
    page.locator("#box abbr", has_text="WPA").first.wait_for(timeout=60_000)
    for width in (390, 360):
        page.set_viewport_size({"width": width, "height": 800})
        beyond = page.locator("#box .scroll").evaluate_all("all => all.map((one) => one.scrollWidth - one.clientWidth)")
        assert [0] * len(beyond) == beyond


def test_a_replay_begun_before_it_is_ready_gets_the_chances(rooms: Rooms) -> None:
    """The step that is shown and the parts fetched so far are fetched again."""
    page = rooms(tables=[played("small-ball")]).context("spectator", (390, 844)).new_page()

    def answer_without_chances(route: Route) -> None:
        replay = route.fetch()
        steps = replay.json()["steps"]
        bare = [{**step, "panel": {**step["panel"], "chances": ""}} for step in steps]
        route.fulfill(response=replay, json={**replay.json(), "steps": bare})

    page.route("**/analysis?part=true", lambda route: route.fulfill(status=202))
    page.route("**/replay?*", answer_without_chances)
    page.goto("/games/1")
    page.locator("#back").click()
    expect(page.locator("#moment")).not_to_be_empty()
    expect(page.locator("#chances")).to_be_empty()
    where = page.locator("#moment").text_content()
    page.unroute("**/replay?*")
    page.unroute("**/analysis?part=true")
    expect(page.locator("#chances")).to_contain_text("%", timeout=60_000)
    expect(page.locator("#moment")).to_have_text(where or "")
