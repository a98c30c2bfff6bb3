"""Decks on a phone: cards typed in, taken home and brought back, printed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from device.storage.decks import house_deck
from engine.games import GAMES
from tests.browser.appearance import breaches, flaws, misfits
from tests.browser.chromium import Faults
from tests.browser.room import Room

HOUSE = "/decks/small-ball/house"
REFUSED = r"refused: POST .*: 422"


@pytest.fixture(scope="module")
def table(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    """One table for all of these: each test makes its own decks."""
    room = Room(browser, Faults(), tmp_path_factory.mktemp("decks"), process=False)
    yield room
    room.close()


@pytest.fixture
def room(table: Room, faults: Faults) -> Room:
    """That table, with the complaints of this test only."""
    table.faults = faults
    return table


def begin(page: Page, title: str) -> None:
    """Make an empty deck of Small Ball."""
    page.goto("/decks")
    page.get_by_text("Enter a deck").click()
    page.get_by_label("Game", exact=True).select_option("small-ball")
    page.get_by_label("Name", exact=True).fill(title)
    page.get_by_role("button", name="Create deck").click()
    expect(page.get_by_role("heading", level=1, name=title)).to_be_visible()


def player(page: Page, name: str) -> Locator:
    """The form for a new player, filled in except for its number."""
    form = page.get_by_role("dialog")
    form.locator("label", has_text="red").click()
    form.get_by_label("name", exact=True).fill(name)
    pad = form.get_by_role("group", name="Tap them in order")
    for result in ("SO", "1B", "GO", "FO", "BB", "2B"):
        pad.get_by_role("button", name=result).click()
    return form


def test_a_card_is_typed_in(room: Room) -> None:
    """First wrong: the reason is beside its field, which has the focus, and nothing is lost. Then right."""
    room.faults.meant(REFUSED)
    page = room.phone("/decks", "operator", live=False)
    begin(page, "Kitchen League")
    expect(page.locator("#state")).to_contain_text("Not ready to play. Fix first:")
    page.get_by_role("button", name="Add a player").click()
    form = player(page, "Basil Ladle")
    number = form.get_by_label("number")
    number.fill("12")
    form.get_by_role("button", name="Save", exact=True).click()
    expect(number).to_have_attribute("aria-invalid", "true")
    expect(number).to_be_focused()
    expect(number).to_have_accessible_description(re.compile("Needs a whole number from 1 to 9, not 12"))
    expect(form.get_by_label("name", exact=True)).to_have_value("Basil Ladle")
    assert flaws(page) == []
    assert misfits(page, 320, 390, 768) == []
    number.fill("1")
    expect(number).not_to_have_attribute("aria-invalid", "true")
    form.get_by_role("button", name="Save", exact=True).click()
    expect(form).to_be_hidden()
    card = page.get_by_role("article").filter(has_text="Basil Ladle")
    expect(card.locator("td")).to_have_text(["SO", "1B", "GO", "FO", "BB", "2B"])
    expect(card.get_by_role("button", name="Edit Basil Ladle")).to_be_focused()
    assert breaches(page) == []


def test_what_is_wrong_is_told_in_full(room: Room) -> None:
    """Which of six is missing, and that a name is too long, instead of cutting it."""
    room.faults.meant(REFUSED)
    page = room.phone("/decks", "operator", live=False)
    begin(page, "Long Names")
    page.get_by_role("button", name="Add a player").click()
    form = player(page, "Bartholomew Featherstonehaugh")
    form.get_by_label("3", exact=True).select_option("")
    form.get_by_role("button", name="Save", exact=True).click()
    name = form.get_by_label("name", exact=True)
    expect(name).to_have_value("Bartholomew Featherstonehaugh")
    expect(name).to_have_accessible_description(re.compile("Can have at most 20 characters; these are 29."))
    expect(form).to_contain_text("Number 3 is missing.")


def test_every_phrase_can_be_looked_up(room: Room) -> None:
    """In the form; a typing error gets the nearest phrase."""
    room.faults.meant(REFUSED)
    deck = '[deck]\ngame = "bottom-of-the-9th"\ntitle = "Sluggers"\n'
    card = '[[batter]]\nname = "Basil Ladle"\npositions = "SS"\n'
    made = room.program.post("decks/import", text=deck + card).json()
    page = room.phone(f"/decks/{made['game']}/{made['name']}", "operator", live=False)
    page.get_by_role("button", name="Edit Basil Ladle").click()
    form = page.get_by_role("dialog")
    area = form.get_by_label("trait (optional)")
    area.fill("swing +9")
    form.get_by_role("button", name="Save", exact=True).click()
    expect(area).to_have_accessible_description(re.compile("Unknown ability .* Did you mean 'swing -2'"))
    entry = form.locator(".entry", has=page.get_by_label("trait (optional)"))
    entry.get_by_text("Allowed phrases").click()
    expect(entry.get_by_role("row", name="cancel ace")).to_contain_text("cancels")
    assert flaws(page) == []
    assert misfits(page, 320, 390, 768) == []


def test_names_of_cards_are_offered(room: Room) -> None:
    """A roster's fields take names of cards: those of their kind are offered."""
    copied = room.program.post("decks", game="clutch", title="Roster", copy="house").json()
    page = room.phone(f"/decks/{copied['game']}/{copied['name']}", "operator", live=False)
    page.locator('[data-change="roster 1"]').click()
    form = page.get_by_role("dialog")
    expect(form.get_by_label("catcher", exact=True)).to_have_attribute("list", "names-batter")
    for kind in ("batter", "pitcher", "coach", "stadium"):
        wanted = form.locator(f"[list=names-{kind}]").first.input_value()
        expect(form.locator(f'#names-{kind} option[value="{wanted}"]')).to_have_count(1)
    for kind, like in (("strategy", "3 {}"), ("pitcher", "{} 1")):
        assert form.locator(f"[list=names-{kind}-like]").count()
        name = next(card.fields["name"] for card in house_deck(GAMES["clutch"]).cards if card.kind == kind)
        expect(form.locator(f'#names-{kind}-like option[value="{like.format(name)}"]')).to_have_count(1)


def test_phrases_of_a_list_can_be_looked_up(room: Room) -> None:
    """Below its rows; an example is above."""
    deck = '[deck]\ngame = "seventh-inning-stretch"\ntitle = "Rungs"\n'
    card = '[[batter]]\nname = "Basil Ladle"\ntier = 1\ndice = 2\nlines = ["a pair: double", "a 6: walk"]\n'
    made = room.program.post("decks/import", text=deck + card).json()
    page = room.phone(f"/decks/{made['game']}/{made['name']}", "operator", live=False)
    page.get_by_role("button", name="Edit Basil Ladle").click()
    entry = page.get_by_role("dialog").get_by_role("group", name="lines")
    expect(entry).to_contain_text("For example: highest 5+: double")
    expect(entry.get_by_label("one of them")).to_have_count(2)
    entry.get_by_text("Allowed phrases").click()
    expect(entry.get_by_role("row", name="two pairs: single")).to_contain_text("four alike are two")
    assert flaws(page) == []
    assert misfits(page, 320, 390, 768) == []


BOX = '[deck]\ngame = "small-ball"\ntitle = "Whole Box"\n' + "".join(
    f'[[player]]\nteam = "red"\nnumber = {n}\nname = "Player {n}"\nresults = ["SO", "1B", "GO", "FO", "BB", "2B"]\n'
    for n in range(1, 8)
)


def test_a_whole_box_is_typed_in(room: Room) -> None:
    """The form opens for the next card with the next number; the other team restarts at 1."""
    made = room.program.post("decks/import", text=BOX).json()
    page = room.phone(f"/decks/{made['game']}/{made['name']}", "operator", live=False)
    page.get_by_role("button", name="Add a player").click()
    form = page.get_by_role("dialog")
    for n, team in ((8, "red"), (9, "red"), (1, "blue")):
        expect(form.get_by_label("number")).to_have_value(str(n))
        expect(form.get_by_label(team)).to_be_checked()
        expect(form.get_by_label("name", exact=True)).to_be_focused()
        if team == "red":
            player(page, f"Player {n}")
            form.get_by_role("button", name="Save and next").click()
            expect(form.get_by_role("status")).to_have_text(f"Saved: Player {n}.")
    page.keyboard.press("Escape")
    expect(form).to_be_hidden()
    expect(page.get_by_role("article")).to_have_count(9)


def test_what_is_often_typed_is_tapped(room: Room) -> None:
    copy = room.program.post("decks", game="bottom-of-the-9th", title="Tapped", copy="house").json()
    page = room.phone(f"/decks/{copy['game']}/{copy['name']}", "operator", live=False)
    page.get_by_role("button", name="Add a batter").click()
    form = page.get_by_role("dialog")
    form.get_by_label("name", exact=True).fill("Thyme Colander")
    form.get_by_role("group", name="positions").get_by_role("combobox").select_option("SS")
    form.get_by_role("switch", name="speed").click()
    form.get_by_text("Common entries").first.click()
    assert breaches(page) == []
    assert misfits(page, 320) == []
    form.get_by_role("button", name="swing +1", exact=True).click()
    expect(form.get_by_label(re.compile("^direction"))).to_have_value("swing +1")
    form.get_by_role("button", name="Save", exact=True).click()
    expect(form).to_be_hidden()
    card = page.get_by_role("article").filter(has_text="Thyme Colander")
    expect(card.locator(".tags")).to_have_text("speed")
    expect(card.locator(".who p")).to_have_text("SS")
    expect(card.locator("dd")).to_have_text(["swing +1"])


def test_what_is_typed_outlives_a_lost_connection(room: Room) -> None:
    """The page says it was not saved; after a reload the input is still there. It is saved once."""
    room.faults.meant(r"lost: .*ERR_INTERNET_DISCONNECTED")
    page = room.phone("/decks", "operator", live=False)
    begin(page, "Dead Spot")
    page.get_by_role("button", name="Add a player").click()
    form = player(page, "Whisk Pepper")
    form.get_by_label("number").fill("3")
    page.context.set_offline(True)
    form.get_by_role("button", name="Save", exact=True).click()
    expect(form.get_by_role("alert")).to_contain_text("Can't reach the table. Your changes are kept here.")
    expect(form.get_by_label("name", exact=True)).to_have_value("Whisk Pepper")
    page.context.set_offline(False)
    page.reload()
    page.get_by_role("button", name="Add a player").click()
    expect(form).to_contain_text("Your unsaved changes are back.")
    expect(form.get_by_label("number")).to_have_value("3")
    form.get_by_role("button", name="Save", exact=True).click()
    expect(form).to_be_hidden()
    expect(page.get_by_role("article").filter(has_text="Whisk Pepper")).to_have_count(1)
    page.get_by_role("button", name="Add a player").click()
    expect(form.get_by_label("name", exact=True)).to_have_value("")


def test_saved_unheard_is_not_saved_twice(room: Room) -> None:
    """The response was lost: saving again changes nothing."""
    room.faults.meant(r"lost: POST .*/card")
    page = room.phone("/decks", "operator", live=False)
    begin(page, "Lost Answer")

    def lost(route: Route) -> None:
        route.fetch()
        route.abort("connectionreset")

    page.route("**/card", lost, times=1)
    page.get_by_role("button", name="Add a player").click()
    form = player(page, "Old Skillet")
    form.get_by_label("number").fill("5")
    form.get_by_role("button", name="Save", exact=True).click()
    expect(form.get_by_role("alert")).to_contain_text("Your changes are kept here.")
    form.get_by_role("button", name="Save", exact=True).click()
    expect(form).to_be_hidden()
    expect(page.get_by_role("article")).to_have_count(1)


def test_two_phones_and_a_pass_that_ended(room: Room) -> None:
    """The form says that another phone changed the card, or that the pass ended, and saves after that."""
    room.faults.meant(r"refused: POST .*/card: (409|401)")
    copy = room.program.post("decks", game="small-ball", title="Two Phones", copy="house").json()
    here = f"/decks/{copy['game']}/{copy['name']}"
    page = room.phone(here, "operator", live=False)
    page.get_by_role("button", name="Edit Lanterns").click()
    form = page.get_by_role("dialog")
    form.get_by_label("name").fill("Candles")
    other = {"kind": "team", "place": 1, "fields": {"colour": "red", "name": "Torches"}}
    room.program.post(f"{here[1:]}/card", **other).raise_for_status()
    save = form.get_by_role("button", name="Save", exact=True)
    save.click()
    expect(form.get_by_role("alert")).to_contain_text("Save again to replace the card")
    expect(form.get_by_label("name")).to_have_value("Candles")
    passes = page.context.cookies()
    page.context.clear_cookies()
    save.click()
    expect(form.get_by_role("link", name="Enter the code")).to_be_visible()
    page.context.add_cookies(passes)  # type: ignore[arg-type]
    save.click()
    expect(form).to_be_hidden()
    expect(page.locator("#team-1")).to_contain_text("Candles")


def test_taken_home_and_brought_back(room: Room, tmp_path: Path) -> None:
    """A downloaded file can be imported; one with faults is refused with a list of them."""
    room.faults.meant(REFUSED)
    page = room.phone(HOUSE, "operator", live=False)
    cards = page.get_by_role("article")
    expect(cards.first).to_be_visible()
    count = cards.count()
    with page.expect_download() as kept:
        page.get_by_role("link", name="Download").click()
    file = tmp_path / kept.value.suggested_filename
    kept.value.save_as(file)
    assert "house.toml" == file.name
    page.goto("/decks")
    page.get_by_text("Upload a deck").click()
    wrong = tmp_path / "wrong.toml"
    wrong.write_text(file.read_text().replace("number = 1\n", "number = 10\n").replace('"POWER"', '""'))
    page.get_by_label("Deck file").set_input_files(wrong)
    page.get_by_role("button", name="Upload", exact=True).click()
    faults = page.locator("#faults").get_by_role("row")
    expect(faults.filter(has_text=re.compile("player 10.*number"))).to_contain_text("from 1 to 9, not 10")
    expect(faults.filter(has_text="pinch 1").filter(has_text="kind")).to_have_count(1)
    assert flaws(page) == []
    assert misfits(page, 320, 390, 768) == []
    page.get_by_label("Deck file").set_input_files(file)
    page.get_by_label("Name (optional)").fill("Round trip")
    page.get_by_role("button", name="Upload", exact=True).click()
    expect(page.get_by_role("heading", level=1, name="Round trip")).to_be_visible()
    expect(cards).to_have_count(count)
    expect(page.locator("#state")).to_contain_text("Ready to play.")


def test_a_deck_of_ones_own(room: Room) -> None:
    """Copy the house deck, rename the copy, remove a card with two taps, play with it, remove it."""
    page = room.phone(HOUSE, "operator", live=False)
    page.get_by_text("Copy to edit").click()
    page.get_by_label("Name of the copy").fill("Sunday")
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("heading", level=1, name="Sunday")).to_be_visible()
    page.get_by_text("Rename, copy, or delete").click()
    page.get_by_label("Name", exact=True).fill("Monday")
    page.get_by_role("button", name="Rename").click()
    expect(page.get_by_role("heading", level=1, name="Monday")).to_be_visible()
    page.get_by_role("link", name="New game with this deck").click()
    expect(page.get_by_role("checkbox", name="Monday")).to_be_checked()
    page.go_back()
    cards = page.get_by_role("article")
    count = cards.count()
    page.get_by_role("button", name="Remove Owls").click()
    expect(cards).to_have_count(count)
    page.get_by_role("button", name="Remove this card?").click()
    expect(cards).to_have_count(count - 1)
    page.get_by_text("Rename, copy, or delete").click()
    page.get_by_role("button", name="Delete this deck").click()
    page.get_by_role("button", name="Delete this deck?").click()
    expect(page.get_by_role("heading", level=1, name="Decks")).to_be_visible()
    expect(page.get_by_text("Monday")).to_have_count(0)


def test_anyone_looks_and_prints(room: Room) -> None:
    """Find a card among many; on paper only cards, in the size of playing cards, complete."""
    page = room.phone("/decks", live=False)
    assert flaws(page) == []
    for game in GAMES:
        looks(page, game)
        prints(page)
        page.emulate_media(media="screen")
    copy = room.program.post("decks", game="bottom-of-the-9th", title="Wordy", copy="house").json()
    long = '{ do = "strike as foul", when = { control = [1, 2], outs = 2 }, unless = { strikes = 0 }, uses = "at-bat" }'
    fields = {
        "name": "Whisk Pepper",
        "positions": "UT",
        **dict.fromkeys(("direction", "location", "mvp", "trait"), long),
    }
    room.program.post(f"decks/{copy['game']}/{copy['name']}/card", kind="batter", fields=fields).raise_for_status()
    page.goto(f"/decks/{copy['game']}/{copy['name']}")
    prints(page, "A4", "Letter")


def looks(page: Page, game: str) -> None:
    """Read the deck at any width, and find its last card."""
    page.goto(f"/decks/{game}/house")
    last = page.get_by_role("article").last
    expect(page.get_by_role("button", name="Print cards")).to_be_visible()
    assert misfits(page, 320, 768, 1920) == []
    name = last.get_by_role("heading").inner_text()
    page.get_by_label("Find a card").fill(name.lower())
    expect(page.locator("#found")).to_have_text(re.compile(r"^[1-9]\d? of \d+ cards$"))
    expect(last).to_be_visible()
    assert breaches(page) == []
    page.get_by_label("Find a card").fill("")


CARDS = """() => [...document.querySelectorAll("article")].filter((card) => card.checkVisibility()).map((card) => [
    ...[card.offsetWidth, card.offsetHeight].map((px) => Math.round(px / 96 * 25.4)),
    card.scrollHeight <= card.clientHeight && card.scrollWidth <= card.clientWidth,
])"""
"""Of each card that is shown its width and height in millimetres, and whether all it says fits on it."""


def prints(page: Page, *papers: str) -> None:
    """Only cards, none cut off, nine to a sheet of these papers."""
    page.emulate_media(media="print")
    furniture = page.locator("header, footer, .deckhead, .find")
    expect(furniture).to_have_count(4)
    assert not any(one.is_visible() for one in furniture.all())
    cards = page.evaluate(CARDS)
    assert [[63, 88, True]] * len(cards) == cards
    assert len(cards) > 10
    for paper in papers:
        assert -(-len(cards) // 9) == len(re.findall(rb"/Type\s*/Page\b", page.pdf(format=paper)))
