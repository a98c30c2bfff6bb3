"""Leagues and record books: on a phone to a television, and the operator's forms without scripts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.appearance import flaws, misfits
from tests.browser.chromium import PATIENCE, Faults
from tests.browser.conftest import Rooms
from tests.browser.evenings.looks import LARGE, WIDTHS, letters, unfold
from tests.browser.room import PHONE, until
from tests.browser.served import served
from tests.web.made_up_leagues import PLAYERS, MadeUpLeagues
from tests.web.phones import small_ball
from tests.web.web_table import CODE, WebTable

PAGES = [
    *("/leagues", "/new-league", "/leagues/summer/edit", "/leagues/empty/edit"),
    *("/leagues/summer", "/leagues/cup", "/leagues/duel", "/leagues/clutch", "/leagues/empty", "/leagues/season-7"),
    *("/leagues/summer/fixtures", "/leagues/summer/fixtures?page=35", "/leagues/cup/fixtures"),
    *("/leagues/summer/leaders", "/leagues/summer/records", "/leagues/summer/print", "/leagues/cup/print"),
    *("/leagues/summer/team?team=t5", f"/leagues/summer/player?team=t5&player={PLAYERS[3]}", "/leagues/nothing"),
]


@pytest.fixture(scope="module")
def table() -> Iterator[tuple[WebTable, str]]:
    """A table with thirty teams and 2430 games."""
    port = small_ball()
    port.leagues = MadeUpLeagues(large=True)
    with served(port) as found:
        yield found


@contextmanager
def operator(browser: Browser, faults: Faults, url: str, **how: Any) -> Iterator[BrowserContext]:
    """The operator's phone."""
    context = browser.new_context(base_url=url, viewport={"width": PHONE[0], "height": PHONE[1]}, **how)
    context.set_default_timeout(PATIENCE)
    faults.watch(context)
    with httpx.Client(base_url=url) as client:
        client.post("/table", data={"code": CODE})
        context.add_cookies([{"url": url, "name": name, "value": value} for name, value in client.cookies.items()])
    try:
        yield context
    finally:
        context.close()


def complaints(page: Page) -> list[str]:
    """Return what axe finds and what does not fit, but for what is typed in a field, which scrolls there."""
    return flaws(page) + [one for one in misfits(page, *WIDTHS) if ": input#" not in one]


def test_each_page_fits(browser: Browser, faults: Faults, table: tuple[WebTable, str]) -> None:
    """From a small phone to a television, in light and dark, with the longest and oddest names."""
    faults.meant("/leagues/nothing: 404")
    found = []
    with operator(browser, faults, table[1], has_touch=True) as context:
        page = context.new_page()
        for path in PAGES:
            page.goto(path)
            unfold(page)
            found += complaints(page)
    assert found == []


@pytest.mark.parametrize("path", ["/leagues", "/leagues/summer", "/leagues/cup", "/leagues/summer/leaders"])
def test_large_letters_fit(browser: Browser, faults: Faults, table: tuple[WebTable, str], path: str) -> None:
    with operator(browser, faults, table[1], has_touch=True) as context:
        page = context.new_page()
        page.goto(path)
        letters(page, LARGE)
        assert misfits(page, PHONE[0], WIDTHS[-1]) == []


def test_the_names_stay_while_a_table_scrolls(browser: Browser, faults: Faults, table: tuple[WebTable, str]) -> None:
    """On a phone, only the box of the table scrolls sideways."""
    with operator(browser, faults, table[1], has_touch=True) as context:
        page = context.new_page()
        page.goto("/leagues/summer")
        name = page.locator(".figures tbody th").first
        before = name.bounding_box()
        page.locator(".scroll").first.evaluate("(box) => { box.scrollLeft = 200; }")
        assert before == name.bounding_box()
        assert 200 == page.locator(".scroll").first.evaluate("(box) => box.scrollLeft")


def test_a_league_is_made_and_played_without_scripts(browser: Browser, faults: Faults) -> None:
    """First wrong: nothing that was typed is lost. Then fixtures, standings, and computers at work."""
    faults.meant("refused: POST .*/new-league: 422")
    with served(small_ball()) as (port, url), operator(browser, faults, url, java_script_enabled=False) as context:
        page = context.new_page()
        page.goto("/games")
        page.get_by_role("link", name="Leagues and record books").click()
        page.get_by_role("link", name="New league").click()
        page.get_by_label("Title", exact=True).fill("Friday Night")
        page.get_by_label("Teams, one a line").fill("Owls, Ann\nBears, , HAL\nFoxes")
        page.get_by_role("button", name="Create league").click()
        expect(page.get_by_role("alert")).to_contain_text("Line 2: no computer is called HAL.")
        expect(page.get_by_label("Title", exact=True)).to_have_value("Friday Night")
        page.get_by_label("Teams, one a line").fill("Owls, Ann\nBears, , Viola\nFoxes")
        page.get_by_role("button", name="Create league").click()
        expect(page.get_by_role("heading", level=1, name="Friday Night")).to_be_visible()
        page.get_by_role("link", name="Edit").click()
        page.get_by_label("Name").first.fill("Night Owls")
        page.get_by_role("button", name="Save", exact=True).click()
        expect(page.get_by_role("heading", level=1, name="Friday Night")).to_be_visible()
        league = port.leagues.books["friday-night"].league
        assert league is not None
        assert "Night Owls" == league.teams[0].name
        page.goto("/leagues/summer/fixtures")
        page.get_by_role("button", name="Simulate the rest of this day").click()
        expect(page.get_by_role("status")).to_contain_text("Simulating: 15 games left.")
        page.get_by_role("button", name="Stop").click()
        page.get_by_role("button", name="Play on the table").first.click()
        expect(page).to_have_url(f"{url}/table")
        assert ["simulate_fixtures", "stop_simulation", "begin_fixture"] == [
            call[0] for call in port.leagues.calls[-3:]
        ]


def test_a_file_is_imported(browser: Browser, faults: Faults) -> None:
    """What is refused stays in the form."""
    faults.meant("refused: POST .*/leagues/import: 422")
    with served(small_ball()) as (port, url), operator(browser, faults, url) as context:
        page = context.new_page()
        page.goto("/leagues/empty/edit")
        form = page.locator("#import")
        port.leagues.trouble = "Line 2: there is no team called Bares."
        upload = {"name": "list.csv", "mimeType": "text/csv", "buffer": b"away,home\nBares,Owls\n"}
        form.get_by_label("CSV file").set_input_files(upload)  # type: ignore[arg-type]
        form.get_by_role("button", name="Import").click()
        expect(form.get_by_role("alert")).to_contain_text("Line 2: there is no team called Bares.")
        expect(form.get_by_label("Or paste its lines")).to_have_value("away,home\nBares,Owls\n")
        port.leagues.trouble = ""
        form.get_by_label("Or paste its lines").fill("away,home\nBears,Owls\n")
        form.get_by_role("button", name="Import").click()
        expect(page).to_have_url(f"{url}/leagues/empty/fixtures")
        assert ("import_fixtures", "empty", "away,home\r\nBears,Owls\r\n") == port.leagues.calls[-1]


def test_a_series_of_computers_has_its_champion(rooms: Rooms) -> None:
    """On the whole program: made by the form, simulated beside the game on the table, and read on a guest's phone."""
    room = rooms()
    page = room.phone("/new-league", "operator")
    page.get_by_label("Title", exact=True).fill("Duel")
    page.get_by_role("radio", name="Series").check()
    page.get_by_label("Teams, one a line").fill("Owls\nŻubry, , Ruth")
    page.get_by_label("How do you want to play?").select_option("quick")
    page.get_by_role("button", name="Create league").click()
    page.get_by_text("Simulate all games that are left").click()
    page.get_by_role("button", name="Simulate all", exact=True).click()
    guest = room.phone("/leagues/duel")
    until(guest, lambda: guest.goto("/leagues/duel") and guest.get_by_text("Champion").count())
    row = guest.get_by_role("row", name="Owls").or_(guest.get_by_role("row", name="Żubry"))
    expect(row).to_have_count(2)
    guest.get_by_role("link", name=re.compile("^Final")).click()
    expect(guest).to_have_url(re.compile("/games/[0-9]+$"))
