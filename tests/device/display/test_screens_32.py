"""The screens of 32 lines: everything a view may hold fits and can be read, and each game is playable by them."""

from __future__ import annotations

import itertools
import random
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device.display import lettering, screens_32, screens_64
from device.inputs.random_player import pick
from device.storage.decks import house_deck
from device.table.answer_entry import AnswerEntry
from device.table.seat_entries import SeatEntries
from engine.errors import IllegalAnswer
from engine.games import GAMES
from engine.table import Table
from engine.views import View, plain
from tests.device.display.test_bottom_of_the_9th import seen
from tests.device.display.test_rallybird import on_zone, zone
from tests.device.display.test_screens_64 import (
    AGAIN,
    DIAL,
    ROLL,
    SEEN,
    asks,
    boards,
    checked,
    dials,
    names,
    pixels,
    proposals,
    sentences,
)
from tests.device.display.views import CHOOSE, a_view, changed
from tests.web.games.bottom_of_the_9th import ninth, stare
from tests.web.games.rallybird import laid, rally, rolled, shown


def told(view: View) -> list[str]:
    """The texts on the display."""
    return checked(lambda: screens_32.game(view))


def test_score() -> None:
    """The first line has both teams, their runs, stake and inning; below it who must answer, and the choice."""
    assert ["7", "+2", "La 4", "Owl 12", "Owls: Cy up", "Hit-and-run"] == told(a_view(dial=DIAL))
    assert "3-2" in told(a_view(board={"stake": None, "count": [3, 2]}))


def test_dice_that_may_be_thrown_again() -> None:
    """Below who must throw how many they lie in the third line; until a button is touched, or the camera is missing."""
    view = a_view(table={"asks": [AGAIN]}, board={"dice": [1, 2, 3]}, dial=DIAL)
    assert ["7", "+2", "La 4", "Owl 12", "Owls: 1 to 2 again"] == told(view)
    image = screens_32.game(view)
    assert [True, True, False, True, False, False] == [bool(image.getpixel((5 + 11 * place, 30))) for place in range(6)]
    assert "Die 1 (1) stays" in told(changed(view, dial=DIAL | {"label": "Die 1 (1) stays", "touched": True}))
    assert "No camera." in told(changed(view, missing=["No camera."]))


def test_twelve_dice_just_seen() -> None:
    """In one row across the glass, without words; what is to be done about them stands alone."""
    sure = SEEN | {"faces": [1, 2, 3, 4, 5, 6] * 2, "again": [0, 11]}
    assert ["OK now < > change"] == told(a_view(proposal=sure))
    image = screens_32.game(a_view(proposal=sure))
    assert 12 == sum(bool(image.getpixel((2 + 10 * place, 5))) for place in range(12))
    assert [True, *[False] * 10, True] == [bool(image.getpixel((5 + 10 * place, 15))) for place in range(12)]
    advice = "I see 11 dice, 12 should be in the tray."
    doubted = sure | {"sure": False, "seconds": None, "advice": advice}
    assert advice == " ".join(told(a_view(proposal=doubted))[:2])


@pytest.mark.parametrize(
    "change",
    [{"outs": 2}, {"outs": 0}, {"bases": [None] * 3}, {"bases": ["A"] * 3}, {"half": "top"}, {"marker": "8"}]
    + [{"bases": [name if at == base else None for at in range(3)]} for base, name in enumerate("ABC")],
)
def test_state(change: dict[str, Any]) -> None:
    """An out more, a runner elsewhere or another half of the inning is another picture."""
    assert screens_32.game(a_view()).tobytes() != screens_32.game(a_view(board=change)).tobytes()


def test_who_is_asked() -> None:
    """Whose name is lit tells who must answer, also where a sentence takes both lines below."""
    long = "No camera watches: type the dice."
    views = [a_view(table={"asks": [ROLL | {"seat": seat}]}, missing=[long]) for seat in ("away", "home")]
    assert 2 == len({screens_32.game(view).tobytes() for view in views})
    for view in views:
        assert long == " ".join(told(view)[-2:])


def test_camera_has_the_word() -> None:
    """While a roll is waited for the display says what the camera sees, until a button touches the dial."""
    waiting = a_view(table={"asks": [ROLL]}, dial=DIAL | {"label": "Die: 1"})
    assert ["Owls: roll die", "Throw the die."] == told(waiting)[-2:]
    assert "Die: 1" in told(changed(waiting, dial=DIAL | {"label": "Die: 1", "touched": True}))
    off = {"state": "off", "words": "No camera."}
    assert "No camera. Turn < > to enter the dice." == " ".join(told(a_view(table={"asks": [ROLL]}, watching=off))[-2:])


def test_long_sentence() -> None:
    """One too long for two lines takes all three, behind the name of who must answer."""
    words = "Take the runner from first, or leave him there and bat on?"
    assert f"Owls: {words}" == " ".join(told(a_view(table={"asks": [CHOOSE | {"sentence": words}]})))


def test_long_choice() -> None:
    """A choice too long for one line is whole in two, and the first line stays."""
    label = "Pinch hit: Moose Garrity, contact"
    shown_ = told(a_view(dial=DIAL | {"label": label}))
    assert label == " ".join(shown_[-2:])
    assert "Owl 12" in shown_


def test_notice_and_missing() -> None:
    """A notice has the display to itself; beside a choice a mark says that a part is missing."""
    assert "Thrown too early: throw again now." == " ".join(told(a_view(notice="Thrown too early: throw again now.")))
    assert "!" in told(a_view(dial=DIAL, missing=["No camera."]))


def test_secret() -> None:
    """While somebody chooses in secret nothing that a dial holds changes one pixel; the presses are explained."""
    secret = [CHOOSE | {"secret": True}]
    pictures = {
        screens_32.game(a_view(table={"asks": secret}, dial=DIAL | {"index": at, "label": label})).tobytes()
        for at, label in ((0, "Fastball"), (1, "Curve"))
    }
    assert 1 == len(pictures)
    assert ["Lanterns", "ready", "Owls", "choosing"] == told(a_view(table={"asks": secret, "ready": ["away"]}))[-4:]
    how = DIAL | {"how": "< adds five, > adds one, then OK"}
    assert ["In secret: < adds five,", "> adds one, then OK", "Owls", "choosing"] == told(
        a_view(table={"asks": secret}, dial=how)
    )


def test_proposal() -> None:
    """A sure roll has its dice and the time left, a doubtful one what to do; dice give way to a long sentence."""
    assert ["Owls rolled", "OK now < > change"] == [
        lettering.plain_ascii(words) for words in told(a_view(proposal=SEEN))
    ]
    lit = [sum(pixels(screens_32.game(a_view(proposal=SEEN | {"seconds": left})))) for left in (2.0, 1.0, 0.0)]
    assert lit[0] > lit[1] > lit[2]
    assert 6 == len({screens_32.game(a_view(proposal=SEEN | {"faces": [face]})).tobytes() for face in range(1, 7)})
    colours = SEEN | {"faces": [3, 5], "words": "red die 3, white die 5"}
    assert "Red die 3, white die 5" == " ".join(told(a_view(proposal=colours))[:2])
    doubt = SEEN | {"sure": False, "seconds": None, "advice": "Dice touch each other: nudge them apart."}
    assert ["Dice touch each other:", "nudge them apart.", "Die: 5"] == told(
        a_view(proposal=doubt, dial=DIAL | {"label": "Die: 5"})
    )
    none = SEEN | {"faces": [], "sure": False, "seconds": None, "advice": "There are no dice in the tray."}
    unseen = told(a_view(table={"asks": [ROLL]}, proposal=none))
    assert ["?", "There are no dice", "in the tray.", "< > enter the dice"] == unseen


def test_over() -> None:
    """The end shows both scores and how it ended, the winner lit."""
    outcome = {"winner": "home", "reason": "regulation", "sentence": "Owls win 12 to 4."}
    views = [a_view(table={"outcome": outcome | {"winner": seat}, "asks": []}) for seat in ("away", "home")]
    assert ["Lanter 4", "Owls 12", "Owls win 12 to 4."] == told(views[1])
    assert 2 == len({screens_32.game(view).tobytes() for view in views})


def test_ninth() -> None:
    """Count, both fatigue tokens, the stare-down and who must roll are on the glass; each count is another picture."""
    table = ninth()
    assert ["0-0", "ins 0", "hig 0", "Visitors", "choosing", "Home", "choosing"] == told(seen(table))
    board = plain(table.view(None))["scoreboard"]
    pictures = {
        screens_32.game(a_view(board=board | {"count": [balls, strikes], "outs": outs})).tobytes()
        for balls, strikes, outs in itertools.product(range(4), range(3), range(3))
    }
    assert 4 * 3 * 3 == len(pictures)
    assert "Visitors: roll 2 dice" in told(seen(stare(ninth(), "inside-low", "away-low")))


def test_race() -> None:
    """A race shows both dice, what each side needs and how it stands; or the question that a call left open."""
    seats = {
        "away": {"wins": [1, 2, 3], "face": 4, "state": "rolling", "words": ""},
        "home": {"wins": [6], "face": 6, "state": "ready", "words": ""},
    }
    run = {"n": {"away": 3, "home": 4}, "seats": seats, "confirm": None}
    view = changed(seen(ninth()), race=run)
    assert ["Visitors", "1, 2, 3", "roll", "Home", "6", "CALL!"] == told(view)
    seats["away"] |= {"state": "void"}
    assert "roll again" in told(changed(view, race=run))
    confirm = {"seat": "home", "n": 4, "sentence": ""}
    asked = changed(view, race=run | {"confirm": confirm}, dial=DIAL | {"label": "Turn to your die"})
    assert ["Home called: what does", "the die show?", "Turn to your die"] == told(asked)


def test_rallybird() -> None:
    """The zones as they lie, both teams' runs, and what is rolled against; a long sentence takes their place."""
    table = shown(rally())
    assert ["4", "3", "3", "5", "3", "4", "V 0", "H 0", "7", "A 5 + D 4 = 9. Roll!"] == told(seen(table))
    rolled(table, 6, 6)
    assert "Home: Turn over one of" in told(seen(table))
    again = rolled(shown(rally(removed="Drag bunt"), "Over the fence"), 6, 6)
    assert {"12 > 6", "E 3 + F 3 = 6. Roll!"} <= set(told(seen(again)))
    assert told(seen(laid(rally())))


def test_zones() -> None:
    """On a zone every value, side, bareness and test is another picture."""
    found = set()
    for value, kind, tested in itertools.product(range(1, 7), range(3), (False, True)):
        view = on_zone("B", zone(value, kind == 1, kind == 2, tested))
        told(view)
        found.add(screens_32.game(view).tobytes())
    assert 6 * 3 * 2 == len(found)


@pytest.mark.parametrize("key", list(GAMES))
@pytest.mark.parametrize("seed", [1, 2])
def test_every_game(key: str, seed: int) -> None:
    """Every view of a game played with the real rules can be drawn and read, and says what OK would give uncut."""
    game, chance = GAMES[key], random.Random(seed)
    table, by_dials = Table(game, [house_deck(game)], {}), SeatEntries()
    for _ in range(60):
        if table.outcome:
            break
        n, ask = chance.choice(table.asks())
        by_dials.settle(table, keep=False)
        dial = None
        with suppress(IllegalAnswer):  # a call in a race, or what the house draws: nobody turns to it
            dial = by_dials.of(table, ask.seat)
        if isinstance(dial, AnswerEntry) and not dial.secret:
            dial.next()
        texts = told(a_view(table=table.view(None), dial=dial.view() if dial else None))
        if isinstance(dial, AnswerEntry) and not dial.secret and len(table.asks()) == 1:
            assert lettering.plain_ascii(dial.view().label) in " ".join(texts)
        told(a_view(table=table.view(None)))
        table.answer(ask.seat, n, pick(table.ask_view(n, ask, ask.seat, dealer=True), chance))


def test_others() -> None:
    """The other screens say what the larger ones do."""
    assert ["dugout.local:8000", "192.168.178.123:8000", "Code", "482193"] == checked(
        lambda: screens_32.join("http://dugout.local:8000/", "192.168.178.123:8000", "482193")
    )
    assert ["Dugout", "Good evening. One", "moment."] == checked(
        lambda: screens_32.message("Dugout", "Good evening. One moment.")
    )
    long = "The settings cannot be used: line 3 of them names no camera."
    assert long == " ".join(checked(lambda: screens_32.message("Dugout", long)))
    assert ["Safe to unplug"] == checked(lambda: screens_32.bye("Safe to unplug"))
    for index in range(5):
        items = [f"Item {i}" for i in range(5)]
        assert f"Item {index}" in checked(lambda: screens_32.menu(items, index))  # noqa: B023 - at once
    asleep = [screens_32.sleep(tick) for tick in range(60)]
    assert {4} == {sum(pixels(picture)) for picture in asleep}
    assert 60 == len({picture.tobytes() for picture in asleep})


@settings(max_examples=100, deadline=None)
@given(boards, asks, dials, proposals, st.lists(sentences, max_size=2), st.none() | sentences, sentences, st.booleans())
def test_game_always_fits(
    board: dict[str, Any],
    asked: list[dict[str, Any]],
    dial: dict[str, Any] | None,
    proposal: dict[str, Any] | None,
    missing: list[str],
    notice: str | None,
    words: str,
    over: bool,
) -> None:
    """Whatever the view holds, every letter on the glass is whole and nothing lies over it."""
    table = {"asks": asked, "last": words, "outcome": {"winner": "away", "sentence": words} if over else None}
    watching = {"state": "unsure", "words": words}
    more = {"dial": dial, "proposal": proposal, "missing": missing, "notice": notice, "watching": watching}
    told(a_view(board=board, table=table, **more))


@settings(max_examples=40, deadline=None)
@given(names, sentences, st.lists(names, max_size=9), st.integers(0, 8), st.text("0123456789", max_size=9))
def test_others_always_fit(title: str, words: str, items: list[str], index: int, code: str) -> None:
    """So it is on the other screens."""
    checked(lambda: screens_32.message(title, words))
    checked(lambda: screens_32.bye(words))
    checked(lambda: screens_32.menu(items, index))
    host = "".join(char for char in title.lower() if char.isascii() and char.isalnum()) or "a"
    checked(lambda: screens_32.join(f"http://{host}.local:8000/", f"{index}.168.178.123:65535", code))


def test_same_screens() -> None:
    """Both sizes have the same screens."""
    for name in ("game", "message", "join", "menu", "sleep", "bye"):
        assert callable(getattr(screens_32, name))
        assert callable(getattr(screens_64, name))
