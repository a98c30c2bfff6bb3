"""RallyBird on the display: the Gloves on their zones, the number to beat, and no secret."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from device.display import content, lettering, screens_32, screens_64
from device.display.games import rallybird as zoned
from device.table.entry.answer_entry import build_entry
from device.table.entry.seat_entries import SeatEntries
from engine.table import Table
from engine.views import AudienceView, json_data
from tests.device.display.views import (
    CHOOSE,
    a_view,
    changed,
    checked,
    everything,
    faces,
    names,
    of_table,
    sentences,
    told,
)
from tests.web.games.bottom_of_the_9th import give
from tests.web.games.rallybird import LAID, laid, rally, rolled, shown

CARDS = ("Chop to the left", "Drag bunt", "Liner to right", "Into the gap")


def texts(table: Table, **more: Any) -> list[str]:
    return checked(lambda: screens_64.draw_game(of_table(table, **more)))


def zone(value: int = 3, back: bool = False, bare: bool = False, tested: bool = False) -> dict[str, Any]:
    glove = None if bare else {"name": "3/2", "value": value, "back": back, "icon": False}
    return {"printed": value, "place": "left field", "tested": tested, "glove": glove}


@cache
def turned_over() -> AudienceView:
    """Return the display's view of a board whose card was turned over."""
    return of_table(shown(rally()))


def on_zone(letter: str, one: dict[str, Any]) -> AudienceView:
    """Return the display's view with this on one zone."""
    panel = turned_over().table.scoreboard.panel
    return changed(turned_over(), board={"panel": {**panel, "zones": {**panel["zones"], letter: one}}})


def test_upper_half() -> None:
    """The zones as they lie on the field, outfield above infield, then both teams and their runs, and the inning."""
    table = shown(rally())
    assert ["5", "3", "4", "4", "3", "3", "V", "0", "H", "0", "7"] == texts(table)[:11]
    at = {letter: zoned.ZONE_ORIGINS_PX[letter] for letter in "ABCDEF"}
    for row in ("ABC", "DEF"):
        assert 1 == len({at[letter][1] for letter in row})
        assert sorted(row, key=lambda letter: at[letter][0]) == list(row)
    assert at["D"][1] < at["A"][1]
    assert ["2", "2", "2", "2", "3", "2"] == texts(rally())[:6]


def test_who_bats() -> None:
    """Which side bats, who has how many runs, outs and bases are each another picture; more than 99 runs stay whole."""
    board = json_data(rally().view_for(None))["scoreboard"]
    sides = board["sides"]
    changes: list[dict[str, Any]] = [{}, {"batting": "home"}, {"outs": 1}, {"outs": 2}, {"half": "bottom"}]
    changes += [{"bases": [None, "runner 1", None]}, {"sides": sides | {"home": sides["home"] | {"runs": 100}}}]
    pictures = [screens_64.draw_game(a_view(board=board | change)).crop((0, 0, 128, 34)) for change in changes]
    assert len(changes) == len({picture.tobytes() for picture in pictures})
    assert "99" in checked(lambda: screens_64.draw_game(a_view(board=board | changes[-1])))


def test_zones() -> None:
    """Whatever lies on any of them is another picture, and can be read."""
    for letter in "ABCDEF":
        sides = itertools.product(range(1, 8), (False, True), (False, True))
        lying = [zone(value, back, False, tested) for value, back, tested in sides]
        lying += [zone(printed, bare=True, tested=bool(tested)) for printed in range(10) for tested in range(2)]
        views = [on_zone(letter, one) for one in lying]
        for view in views[::5]:
            checked(lambda: screens_64.draw_game(view))  # noqa: B023 - at once
        assert 7 * 2 * 2 + 10 * 2 == len({screens_64.draw_game(view).tobytes() for view in views}), letter


def test_letters() -> None:
    for name, letters in (("Wide Winners", ["E", "W"]), ("Elms", ["A", "H"]), ("", ["A", "H"])):
        view = changed(of_table(rally()), board={"sides": {"away": {"name": "Élan"}, "home": {"name": name}}})
        assert letters == checked(lambda: screens_64.draw_game(view))[6:10:2]  # noqa: B023 - at once


def short(table: Table, **more: Any) -> AudienceView:
    """Return a view with a title that leaves room for what the roll must beat, and for the last one."""
    view = of_table(table, **more)
    return changed(view, table={"asks": [replace(ask, title="Beat it") for ask in view.table.asks]})


def test_aim_and_result() -> None:
    """After the reveal the sum that is rolled against stands with what to do; after the roll both stand apart."""
    table = shown(rally())
    assert told(screens_64.draw_game, short(table), "A 5 + D 4 = 9. Roll 2 dice.")
    off, lost = {"state": "off", "words": "No camera."}, "No camera: type the dice."
    assert told(
        screens_64.draw_game, short(table, watching=off), "A 5 + D 4 = 9. Roll 2 dice. Turn < > to enter the dice."
    )
    assert told(screens_64.draw_game, short(table, missing=[lost]), f"A 5 + D 4 = 9. {lost}")
    rolled(table, 6, 6)
    assert "12 > 9" in checked(lambda: screens_64.draw_game(short(table)))
    again = rolled(shown(rally(removed="Drag bunt"), "Over the fence"), 6, 6)
    assert told(screens_64.draw_game, short(again), "E 3 + F 3 = 6. Roll 2 dice.")
    for dice, words in (((4, 5), "9 = 9"), ((1, 2), "3 < 9")):
        again = rolled(shown(rally()), *dice)
        assert words == zoned.result_text(again.view_for(None).scoreboard)
    bare = shown(rally({"glovePlacement": "oneEachOptional"}), gloves={"A": "5/4"})
    assert told(screens_64.draw_game, short(bare), "A 5 + D 2 = 7. Roll 2 dice.")


def test_who_does_what() -> None:
    """Below, first the one at bat chooses in secret and the other waits, then the Gloves are laid, by the dial too."""
    table = rally()
    card = content.decision_title(table.view_for(None).asks[0])
    assert ["V", card, "Home", "waits"] == texts(table)[-4:]
    entries = SeatEntries()
    entries.update_entries(table)
    entered = texts(table, dial=entries.shown and entries.shown.entry_view())
    assert {"In secret: card number", "(< +5, > +1), then OK", "V", card} <= set(entered)
    assert "waits" not in entered
    laid(table)
    assert "Home" in texts(table)
    n, ask = table.open_asks()[0]
    dial = build_entry(table.ask_view(n, ask, "home"))
    assert "A, left infield: 5/4, front up: 5" == " ".join(texts(table, dial=dial.entry_view())[-2:])
    line = {"line": "The camera sees all Gloves: OK?"}
    assert line["line"] == " ".join(texts(table, dial=dial.entry_view(), layout=line)[-2:])
    assert "front up: 5" in texts(table, dial=dial.entry_view(), layout={"line": None})
    give(table, "home", dict(LAID))
    assert "V" in texts(table)


def test_the_zones_are_explained() -> None:
    """When Gloves are laid, which is which, and what dark on light means, takes turns with the question. The display
    says that the camera looks."""
    words, view = "D E F over A B C. Lit: the back of a Glove.", of_table(laid(rally()))
    for size in (screens_64, screens_32):
        assert "Looking at the board." in checked(lambda: size.draw_game(view))  # noqa: B023 - at once
        assert set(words.split()) <= set(everything(size.draw_game, view).split())


def test_a_side_by_its_letter() -> None:
    """Where a title leaves no room for a long name, its letter on the board will do, but not for two alike."""
    view = a_view(table={"asks": [CHOOSE | {"seat": "away", "title": "Choose a card"}]})
    turn = content.TurnContent.from_view(view)
    for home, room, tag in (("Home", 126, "Visitors"), ("Home", 85, "V"), ("Vikings", 85, "Visitors")):
        (one, *_) = content.decision_headings(turn, {"away": "Visitors", "home": home}, room)
        assert tag == one.tag


def pictures(after: Callable[[str], Table], draw: Callable[[Table], Image.Image]) -> set[bytes]:
    """The pictures for each of several cards."""
    return {draw(after(card)).tobytes() for card in CARDS}


def screen(table: Table) -> Image.Image:
    """The display with the dial that is shown then."""
    entries = SeatEntries()
    entries.update_entries(table)
    return screens_64.draw_game(of_table(table, dial=entries.shown and entries.shown.entry_view()))


SECRETS: dict[str, Callable[[str], Table]] = {
    "chosen": lambda card: laid(rally(), card),
    "removed": lambda card: rally(removed=card),
    "removed, later": lambda card: shown(rally(removed=card), "Blooper to left"),
}


@pytest.mark.parametrize("moment", SECRETS)
def test_the_picture_tells_no_secret(moment: str) -> None:
    """Whichever card was chosen or drawn, the picture is the same, bit by bit, until the card is turned over."""
    assert 1 == len(pictures(SECRETS[moment], screen))
    assert len(CARDS) == len(pictures(lambda card: shown(rally(), card), screen))


@pytest.mark.parametrize(("moment", "at"), [("chosen", -1), ("removed", 0)])
def test_a_leak_is_seen(moment: str, at: int) -> None:
    """The same look at a display that lets the secret through finds as many pictures as cards."""

    def leaky(table: Table) -> Image.Image:
        image = screen(table)
        lettering.draw_text(image, 1, 40, str(table.answers[at].value))
        return image

    assert len(CARDS) == len(pictures(SECRETS[moment], leaky))


zones = st.fixed_dictionaries(
    {
        letter: st.builds(zone, st.integers(0, 99), st.booleans(), st.booleans(), st.booleans())
        for letter in ("A", "B", "C", "D", "E", "F")
    }
)
rolls = st.none() | st.fixed_dictionaries(
    {"sum": st.integers(2, 12), "target": st.integers(0, 99), "compare": st.sampled_from(["less", "equal", "more"])}
)
tests = st.lists(st.sampled_from("ABCDEF"), max_size=3)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(names, names, zones, tests, rolls, st.integers(0, 2000), faces, sentences, st.none() | sentences)
def test_always_fits(
    visitors: str,
    home: str,
    zones: dict[str, Any],
    tests: list[str],
    roll: dict[str, Any] | None,
    runs: int,
    thrown: list[Any],
    words: str,
    notice: str | None,
) -> None:
    """Whatever lies on the board, every letter on the glass is whole and nothing lies over it."""
    for table in (rally(), laid(rally()), shown(rally()), rolled(shown(rally()), 6, 6)):
        view = of_table(table, notice=notice, watching={"state": "unsure", "words": words}, layout={"line": words[:40]})
        panel = {**view.table.scoreboard.panel, "zones": zones, "roll": roll}
        if panel["card"]:
            panel["card"] = {**panel["card"], "tests": tests, "worths": [33] * len(tests), "target": 99}
        board = {"panel": panel, "dice": [face for face in thrown if face is not None]}
        sides = {"away": {"name": visitors, "runs": runs}, "home": {"name": home}}
        view = changed(view, board=board | {"sides": sides})
        checked(lambda: screens_64.draw_game(view))  # noqa: B023 - at once
