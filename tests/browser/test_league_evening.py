"""People and leagues where the game itself is: a new game, its pages, the television between games, a stored game."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from engine.asks import Roll
from engine.table import Table
from tests.browser.appearance import flaws, misfits
from tests.browser.conftest import Rooms
from tests.browser.room import TV, Room, played, until
from tests.browser.tv.test_stage import CUT, SMALL, at_rest

WIDTHS = (320, 360, 768, 1920)
LONG = "Maximiliane Featherstone"
"""As long as the name of a team or a person may be."""

TURN_MS = 15_000
"""How long the television shows the result of a game, or the league."""

UNANALYZED = '[analysis]\nlevel = "off"\n'


def add_person(room: Room, name: str) -> str:
    answer = room.program.client.post("/api/people", json={"name": name, "colour": "teal"})
    answer.raise_for_status()
    return str(answer.json()["key"])


def begin_league(room: Room, title: str = "Summer league", *names: str) -> None:
    """Two teams of people play each other four times."""
    people = [add_person(room, name) for name in ("Ann", "Ben")]
    teams = [
        {"key": f"team-{i}", "name": name, "colour": "blue", "person": person}
        for i, (name, person) in enumerate(zip(names or ("Herons", "Foxes"), people, strict=True))
    ]
    league = {"key": "summer", "title": title, "game": "small-ball", "format": "round-robin", "meetings": 4}
    room.program.client.post("/api/leagues", json={**league, "teams": teams, "new": True}).raise_for_status()


def play_to_the_end(room: Room) -> None:
    while room.program.view()["table"]["outcome"] is None:
        room.answer()


def choose_new_person(page: Page, side: str, name: str) -> None:
    page.locator(f"#manager-of-{side}").select_option("+")
    page.get_by_label("New person’s name").fill(name)
    page.get_by_role("button", name="Add", exact=True).tap()
    expect(page.locator(f"#manager-of-{side} option:checked")).to_have_text(name)


def test_people_are_named_everywhere_until_they_are_forgotten(rooms: Rooms) -> None:
    """Added where the game begins; forgotten, they are somebody on every page at once."""
    room = rooms(more=UNANALYZED)
    phone, seat, television = room.phone(), room.phone("/seat", "home"), room.phone("/tv", size=TV)
    operator = room.phone("/table#tab=games", "operator")
    for side, name in (("away", "Ann"), ("home", "Ben")):
        choose_new_person(operator, side, name)
    assert [] == flaws(operator) + misfits(operator, *WIDTHS)
    operator.get_by_role("button", name="Start Small Ball").tap()
    shown = {phone: "#score", seat: "#score", television: "#bug"}
    for page, place in shown.items():
        for name in ("Ann", "Ben"):
            expect(page.locator(place)).to_contain_text(name)
        page.evaluate("window.kept = true")
        assert [] == flaws(page)
    people = room.phone("/people", "operator")
    people.get_by_text("Change Ann").tap()
    people.get_by_role("button", name="Forget Ann").tap()
    expect(phone.locator("#score")).to_contain_text("Ann")
    people.get_by_role("button", name="Forget the name?").tap()
    for page, place in shown.items():
        expect(page.locator(place)).to_contain_text("somebody")
        expect(page.locator(place)).not_to_contain_text("Ann")
        expect(page.locator(place)).to_contain_text("Ben")
        assert page.evaluate("window.kept")
    expect(people.get_by_role("heading", name="Ann")).to_have_count(0)


def test_the_page_of_people(rooms: Rooms) -> None:
    """Add, change and merge; nothing that axe calls a breach, and nothing that does not fit."""
    room = rooms()
    page = room.phone("/people", "operator")
    for name in ("Ann", LONG, "Ben"):
        page.get_by_role("form", name="Add a person").get_by_label("Name").fill(name)
        page.get_by_role("button", name="Add", exact=True).tap()
        expect(page.get_by_role("heading", name=name)).to_be_visible()
    page.get_by_text("Change Ann").tap()
    form = page.get_by_role("form", name="Change Ann")
    form.get_by_label("Name").fill("Anna")
    form.get_by_label("Color").select_option("purple")
    form.get_by_role("button", name="Save").tap()
    expect(page.get_by_role("heading", name="Anna")).to_be_visible()
    for summary in page.locator("summary").all():
        summary.tap()
    assert [] == flaws(page) + misfits(page, *WIDTHS)
    merge = page.get_by_role("form", name="Merge Anna")
    merge.get_by_label("Same person as").select_option(label=LONG)
    merge.get_by_role("button").tap()
    merge.get_by_role("button", name=f"Merge into {LONG}?").tap()
    expect(page.get_by_role("heading", name="Anna")).to_have_count(0)
    reader = room.phone("/people")
    assert ([], 0) == (flaws(reader) + misfits(reader, *WIDTHS), reader.locator("form").count())


def test_a_fixture_from_the_list_to_the_standings(rooms: Rooms) -> None:
    """It begins with one tap. After it the television takes turns with the standings, and the next begins as easily."""
    room = rooms(more=UNANALYZED)
    begin_league(room)
    operator = room.phone("/table#tab=games", "operator")
    expect(operator.locator("#fixtures li")).to_have_count(4)
    expect(operator.locator("#fixtures li").first).to_contain_text("Ben and Ann · Summer league, round 1")
    assert [] == flaws(operator) + misfits(operator, *WIDTHS)
    operator.locator("#fixtures li button").first.tap()
    view = room.until(lambda view: view["league_key"] == "summer")
    assert {"Ann", "Ben"} == set(view["people"].values())
    television = room.context(size=TV).new_page()
    television.clock.install()
    television.goto("/tv")
    expect(television.locator("#badge")).to_have_attribute("data-state", "live")
    expect(television.locator("#plays")).to_contain_text("Summer league, round 1")
    for page in (operator, television):
        page.goto("about:blank")  # pages that follow each play take most of the time
    play_to_the_end(room)
    operator.goto("/table")
    television.goto("/tv")
    league = television.locator(".stage .league")
    expect(league.locator("tbody tr").first).to_contain_text("1.000")
    expect(league).to_be_hidden()
    television.clock.fast_forward(TURN_MS)
    expect(league).to_be_visible()
    expect(league).to_contain_text("Latest results")
    expect(television.locator("#badge")).to_have_attribute("data-state", "live")  # it missed no heartbeat
    at_rest(television)
    assert ([], []) == (television.evaluate(CUT), television.evaluate(SMALL))
    assert [] == flaws(television)
    television.set_viewport_size({"width": TV[0], "height": TV[1]})
    television.clock.fast_forward(TURN_MS)
    expect(league).to_be_hidden()
    television.clock.fast_forward(TURN_MS)
    expect(league).to_be_visible()
    expect(operator.get_by_role("link", name="Standings")).to_have_attribute("href", "/leagues/summer")
    after = operator.locator("#next-fixture")
    expect(after).to_contain_text("Next fixture:")
    assert [] == flaws(operator) + misfits(operator, *WIDTHS)
    after.tap()
    room.until(lambda view: view["number"] == 3)
    expect(league).to_be_hidden()
    expect(television.locator("#plays")).to_contain_text("Summer league, round 2")
    at_rest(television)
    assert ([], []) == (television.evaluate(CUT), television.evaluate(SMALL))
    television.clock.fast_forward(3 * TURN_MS)
    expect(league).to_be_hidden()
    expect(after).to_be_hidden()


def deciding_roll(table: Table) -> tuple[int, int]:
    """Return the newest roll that gives a finished game to the other side, if it shows another face: its place in the
    list, and that face."""
    assert table.outcome
    for place, roll in enumerate(one for one in reversed(table.answers) if isinstance(one.ask, Roll)):
        for face in {1, 2, 3, 4, 5, 6} - {roll.value[0]}:
            twin = table.clone()
            twin.correct_answer(roll.n, [face])
            if twin.outcome and twin.outcome.winner != table.outcome.winner:
                return place, face
    raise AssertionError("no roll decides this game")


def test_a_corrected_roll_corrects_the_standings(rooms: Rooms) -> None:
    """A league made by its form, a fixture of it, and one roll of that: phones and the television show who won now."""
    room = rooms(more=UNANALYZED)
    operator = room.phone("/new-league", "operator")
    operator.get_by_label("Title", exact=True).fill("Friday Night")
    operator.get_by_label("Teams, one a line").fill("Herons, Ann\nFoxes, the; Ben")
    operator.get_by_label("How do you want to play?").select_option("box")
    operator.get_by_role("button", name="Create league").tap()
    expect(operator.get_by_role("heading", level=1, name="Friday Night")).to_be_visible()
    operator.goto("/table#tab=games")
    operator.get_by_role("button", name="Begin Foxes, the at Herons").tap()
    room.until(lambda view: view["league_key"] == "friday-night")
    operator.goto("about:blank")
    for one in played("small-ball", house={"awayTeam": "red"}, seed=34).answers:
        given = {"seat": one.ask.seat, "n": one.n, "value": one.value}
        room.program.client.post("/api/answer", json=given)  # refused where the table itself answered: it mattered not
    place, face = deciding_roll(room.program.app.session.game.table)  # type: ignore[attr-defined]
    guest, television = room.phone(), room.phone("/tv", size=TV)
    guest.get_by_role("link", name="Standings").tap()
    rows, on_television = guest.locator(".figures tbody tr"), television.locator("#league tbody tr")

    def expect_standings(first: str, last: str) -> None:
        for row, team, cells in ((0, first, ["1", "0", "1.000", "–"]), (1, last, ["0", "1", ".000", "1"])):
            expect(on_television.nth(row).locator("th, td")).to_have_text([team, *cells])
            while not rows.nth(row).get_by_text(team).count():
                guest.wait_for_timeout(200)
                guest.reload()
            assert cells == rows.nth(row).locator("td").all_inner_texts()[:4]

    winner, loser = "Foxes, the", "Herons"
    expect_standings(winner, loser)
    row = operator.locator("#rolls .rolled").nth(place - 1)
    operator.goto("/table")
    while not row.count():
        shown = operator.locator("#rolls .rolled").count()
        operator.locator("#rolls").get_by_role("button", name="Show earlier").tap()
        until(operator, lambda shown=shown: operator.locator("#rolls .rolled").count() > shown)  # type: ignore[misc]
    row.locator(".tap").tap()
    operator.locator("#rolls .key", has_text=str(face)).tap()
    operator.get_by_role("button", name=f"Correct it to {face}").tap()
    expect_standings(loser, winner)
    television.evaluate("document.querySelector('.stage .league').hidden = false")
    assert [] == flaws(guest) + misfits(guest, *WIDTHS) + flaws(television)


def test_a_stored_game_joins_a_league(rooms: Rooms) -> None:
    """As a game beside the schedule; the standings count it."""
    room = rooms(more=UNANALYZED, tables=[played("small-ball")])
    begin_league(room)
    page = room.phone("/games/1", "operator")
    page.locator(".game-league summary").tap()
    page.get_by_label("League", exact=True).select_option(label="Summer league")
    page.get_by_label("Friendly").check()
    assert [] == flaws(page) + misfits(page, *WIDTHS)
    page.get_by_role("button", name="Save the league").tap()
    expect(page.locator(".game-league")).to_contain_text("Summer league: Herons at Foxes, beside the schedule.")
    expect(page.locator(".game-league")).to_contain_text("A friendly game")
    page.locator(".game-league summary").tap()
    page.locator("#person-home").select_option(label="Ben")
    page.get_by_role("button", name="Save the people").tap()
    expect(page.locator(".game-league")).to_contain_text("Home: Ben")
    reader = room.phone("/games/1")
    expect(reader.locator(".game-league")).to_contain_text("Home: Ben")
    page.locator(".game-league summary").tap()
    page.get_by_label("League", exact=True).select_option(label="No league")
    page.get_by_role("button", name="Save the league").tap()
    expect(page.locator(".game-league")).not_to_contain_text("Herons")


@pytest.mark.parametrize("name", [LONG, "Wolfeschlegelsteinhausen"])
def test_long_names_fit(rooms: Rooms, name: str) -> None:
    """Of people, teams and the league, during the game and after it."""
    room = rooms(more=UNANALYZED)
    begin_league(room, f"{name} {'m' * 15}", name, name[:-1] + "x")
    for person in room.program.client.get("/api/people").json():
        changed = {"key": person["key"], "name": f"{name[:-1]}{person['name'][0]}", "colour": "red"}
        room.program.client.post("/api/people", json=changed).raise_for_status()
    operator = room.phone("/table#tab=games", "operator")
    expect(operator.locator("#fixtures li")).to_have_count(4)
    found = misfits(operator, *WIDTHS)
    operator.locator("#fixtures li button").first.tap()
    room.until(lambda view: view["league_key"] == "summer")
    phone, television = room.phone(), room.phone("/tv", size=TV)

    def look() -> None:
        nonlocal found
        found += misfits(phone, *WIDTHS) + misfits(operator, *WIDTHS)
        at_rest(television)
        found += television.evaluate(CUT)

    look()
    for _ in range(9):
        room.answer()
    look()
    for page in (phone, operator, television):
        page.goto("about:blank")
    play_to_the_end(room)
    for page, path in ((phone, "/"), (operator, "/table#tab=games"), (television, "/tv")):
        page.goto(path)
    until(television, lambda: television.locator("#league tbody tr").count())
    look()
    television.evaluate(
        """() => {
            document.querySelector(".stage .league").hidden = false;
            document.getElementById("league").dispatchEvent(new Event("drawn", { bubbles: true }));
        }"""
    )
    look()
    assert [] == found
