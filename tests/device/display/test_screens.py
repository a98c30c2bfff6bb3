"""The screens of both heights: everything a view may hold fits and can be read, and each game is playable by them."""

from __future__ import annotations

import itertools
import random
from contextlib import suppress
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from device.display import lettering, screens_32, screens_64, widgets
from device.display.pages import PAGE_TIME_S, PageRotation
from device.inputs.random_player import pick_answer
from device.storage.decks import house_deck
from device.table.entry.answer_entry import AnswerEntry, ChoiceEntry, CursorPosition
from device.table.entry.seat_entries import SeatEntries
from engine.errors import IllegalAnswer
from engine.games import GAMES
from engine.table import Table
from engine.views import AudienceView, AutomaticAnswerView, SeatSettingsView, TopicView
from tests.device.display.test_rallybird import on_zone, zone
from tests.device.display.views import (
    AGAIN,
    CHOOSE,
    DIAL,
    ROLL,
    SEEN,
    a_view,
    changed,
    checked,
    everything,
    faces,
    names,
    of_table,
    pixels,
    read,
    sentences,
    told,
    turns,
)
from tests.web.games.bottom_of_the_9th import ninth, stare
from tests.web.games.rallybird import laid, rally, rolled
from tests.web.games.rallybird import shown as revealed
from vision.reading import DOUBT_ADVICE

BOTH = (screens_64, screens_32)
SIZES = pytest.mark.parametrize("size", BOTH, ids=["64", "32"])


def shown(size: Any, **more: Any) -> list[str]:
    """Return the texts on a display that shows a game in the seventh, with these changes."""
    return checked(lambda: size.draw_game(a_view(**more)))


def drawn(size: Any, **more: Any) -> bytes:
    picture: bytes = size.draw_game(a_view(**more)).tobytes()
    return picture


def small(view: AudienceView) -> list[str]:
    """Return the texts on 32 lines."""
    return checked(lambda: screens_32.draw_game(view))


STATES = (["Lanterns", "4", "Owls", "12", "+2", "7"], ["7", "+2", "La 4", "Owl 12"])
"""What each height shows of the game in the seventh."""


@pytest.mark.parametrize(("size", "state"), [*zip(BOTH, STATES, strict=True)], ids=["64", "32"])
def test_score(size: Any, state: list[str]) -> None:
    """Both teams, their runs, the inning, the stake or the count, who must answer, and the choice."""
    assert sorted([*state, "Owls", "Your move", "Hit-and-run"]) == sorted(shown(size, dial=DIAL))
    assert "3-2" in shown(size, board={"stake": None, "count": [3, 2]})


@pytest.mark.parametrize(
    ("size", "state", "first", "pitch", "y"), [(screens_64, STATES[0], 6, 14, 61), (screens_32, STATES[1], 5, 11, 30)]
)
def test_dice_that_may_be_thrown_again(size: Any, state: list[str], first: int, pitch: int, y: int) -> None:
    """They are shown as they lie in place of the last dice, those that may be marked; and who must throw how many."""
    view = a_view(table={"asks": [AGAIN]}, board={"dice": [1, 2, 3]}, dial=DIAL)
    assert sorted([*state, "Owls", "Again"]) == sorted(checked(lambda: size.draw_game(view)))
    assert "Reroll 1 to 2 dice" in everything(size.draw_game, view)
    marks = [bool(size.draw_game(view).getpixel((first + pitch * place, y))) for place in range(6)]
    assert [True, True, False, True, False, False] == marks
    view = changed(view, dial=DIAL | {"label": "Die 1 (1) stays", "touched": True})
    assert "Die 1 (1) stays" in checked(lambda: size.draw_game(view))
    one = shown(size, table={"asks": [AGAIN | {"most": 1}]}, missing=["No camera."])
    assert {"Again", "!"} <= set(one)
    assert "No camera." not in one
    view = a_view(table={"asks": [AGAIN | {"most": 1}]}, missing=["No camera."])
    assert {"Reroll 1 die", "No camera."} <= {words for page in turns(size.draw_game, view) for words in page}


TWELVE = SEEN | {"faces": [1, 2, 3, 4, 5, 6] * 2, "again": [0, 11]}


def test_twelve_dice() -> None:
    """As large as there is room: in two rows, also beside words; on 32 lines in one that goes right across, where
    advice stands alone. Those that were thrown again are marked. Of more than four, none stands beside a question."""
    assert "Owls rolled" in shown(screens_64, proposal=TWELVE)
    image = screens_64.draw_game(a_view(proposal=TWELVE))
    for y, marks in ((25, {0}), (40, {5})):
        assert marks == {place for place in range(6) if image.getpixel((24 + 16 * place, y))}
    asked = TWELVE | {"sure": False, "advice": "A die leans."}
    assert {"Owls: right?", "A die", "leans."} <= set(shown(screens_64, proposal=asked))
    assert ["OK: keep | < >: change"] == shown(screens_32, proposal=TWELVE)
    image = screens_32.draw_game(a_view(proposal=TWELVE))
    assert 12 == sum(bool(image.getpixel((2 + 10 * place, 5))) for place in range(12))
    assert [True, *[False] * 10, True] == [bool(image.getpixel((5 + 10 * place, 15))) for place in range(12)]
    doubt = TWELVE | {"sure": False, "seconds": None, "advice": "I see 11 dice but expected 12."}
    assert doubt["advice"] == " ".join(shown(screens_32, proposal=doubt)[:2])
    assert all(drawn(size, board={"dice": []}) == drawn(size, board={"dice": [1] * 5}) for size in BOTH)


def test_a_doubtful_roll_names_its_side() -> None:
    """Also where what to do about it takes its place."""
    seen = SEEN | {"sure": False, "seconds": None, "advice": "A die is cocked: roll it again or lay it flat."}
    for size in BOTH:
        for dice, title in (([5], "Owls: right?"), ([None], "Owls: not read")):
            view = a_view(table={"asks": [ROLL]}, proposal=seen | {"faces": dice}, dial=DIAL | {"label": "Die: 1"})
            assert {*title.split(), *seen["advice"].split()} <= set(everything(size.draw_game, view).split())


@SIZES
def test_dice_that_move_are_not_asked_for(size: Any) -> None:
    """What they must beat gives way: one page says that they move."""
    moving = {"state": "moving", "words": "The dice are moving."}
    assert moving["words"] in turns(size.draw_game, of_table(revealed(rally()), watching=moving))[0]


def test_middle() -> None:
    """Stake, count and fatigue, if a game has them, are whole and clear of each other, the outs and the bases."""
    for stake, count, fatigue, name in itertools.product(
        (None, 1, 10, 99, 150), (None, [3, 2]), (None, 0, 12), (None, "Ann")
    ):
        board = {"stake": stake, "count": count, "fatigue": fatigue, "bases": [name] * 3, "outs": 3}
        figures = {words for words in shown(screens_64, board=board) if words[0] in "+F" or "-" in words}
        expected = {f"+{min(stake, 99)}"} if stake else set()
        expected |= ({"3-2"} if count else set()) | (set() if fatigue is None else {f"F{fatigue}"})
        assert expected == figures, board


@SIZES
def test_state(size: Any) -> None:
    """An out more, a runner elsewhere or another half of the inning is another picture."""
    changes: list[dict[str, Any]] = [{}, {"outs": 2}, {"outs": 0}, {"half": "top"}, {"marker": "8"}]
    changes += [{"bases": [None] * 3}, {"bases": ["A"] * 3}]
    changes += [{"bases": [name if at == base else None for at in range(3)]} for base, name in enumerate("ABC")]
    assert len(changes) == len({drawn(size, board=change) for change in changes})


def test_who_bats() -> None:
    """On 64 lines, in the top and in the bottom of an inning."""
    halves = itertools.product(("top", "bottom"), ("away", "home"))
    assert 4 == len({drawn(screens_64, board={"half": half, "batting": seat}) for half, seat in halves})


def test_who_is_asked() -> None:
    """The name of who must answer stands before the title, and is lit in the score."""
    for size, (name, seat) in itertools.product(BOTH, (("Lanterns", "away"), ("Owls", "home"))):
        view = a_view(table={"asks": [CHOOSE | {"seat": seat}]}, dial=DIAL | {"seat": seat})
        with read() as texts:
            size.draw_game(view)
        dark = [words for words, _, _, _, lit in texts if not lit]
        assert 2 == sum(words[:2] == name[:2] for words in dark), (dark, name)


@SIZES
def test_camera_has_the_word(size: Any) -> None:
    """While a roll is open the display shows what the camera sees, until a button is pressed. Without a camera, it says
    that the buttons enter the dice."""
    table = {"asks": [ROLL]}
    assert ["Owls", "Bunt: 4+", "Roll the die."] == shown(size, table=table, dial=DIAL | {"label": "Die: 1"})[-3:]
    moving = {"state": "moving", "words": "The dice are moving."}
    assert "The dice are moving." in shown(size, table=table, watching=moving)
    assert "Die: 1" in shown(size, table=table, dial=DIAL | {"label": "Die: 1", "touched": True})
    off = {"state": "off", "words": "No camera."}
    assert "Roll the die. Turn < > to enter it." in everything(size.draw_game, a_view(table=table, watching=off))


@SIZES
def test_missing_part(size: Any) -> None:
    """A missing part is named while a roll is open, and marked beside a choice."""
    missing = ["No camera: type the dice.", "No buttons."]
    assert told(size.draw_game, a_view(table={"asks": [ROLL]}, missing=missing), " ".join(missing))
    assert "!" in shown(size, dial=DIAL, missing=missing)
    for words in missing:
        assert told(size.draw_game, a_view(dial=DIAL, missing=missing), words)


@SIZES
def test_what_the_table_answered_by_itself(size: Any) -> None:
    """It says what OK takes back, for a seat that is not asked and before a roll, but not where OK chooses."""
    given = [AutomaticAnswerView(2, "home", "no cards")]
    for ask, dial, there in ((ROLL, None, True), (CHOOSE | {"seat": "away"}, DIAL, True), (CHOOSE, DIAL, False)):
        view = replace(a_view(table={"asks": [ask]}, dial=dial), automatic=given, waits=["home"])
        assert there == ("OK: wait." in everything(size.draw_game, view))
        assert there == ("Owls: no cards." in everything(size.draw_game, view))


@SIZES
def test_a_seat_that_may_wait(size: Any) -> None:
    """Also before anything was answered, while the other side decides; not before its roll, when it is too late."""
    quiet = TopicView("cards", "Cards", "no cards", "never")
    asked = replace(quiet, when="always")
    for ask, topic, waiting, there in (
        (CHOOSE | {"seat": "away"}, quiet, False, True),
        (CHOOSE | {"seat": "away"}, quiet, True, False),
        (CHOOSE | {"seat": "away"}, asked, False, False),
        (CHOOSE, quiet, False, False),
        (ROLL | {"seat": "away"}, quiet, False, False),
    ):
        view = replace(a_view(table={"asks": [ask]}, dial=DIAL), standing={"home": SeatSettingsView([topic], waiting)})
        assert there == ("OK: wait." in everything(size.draw_game, view)), (ask, topic, waiting)


@SIZES
def test_notice(size: Any) -> None:
    """A notice takes the place of all below the score, and of the score on 32 lines."""
    texts = shown(size, dial=DIAL, notice="Rolled too early: roll again now.")
    assert " ".join(texts[-2:]) == "Rolled too early: roll again now."
    assert "Hit-and-run" not in texts
    assert (size is screens_64) == ("Owls" in texts)


@SIZES
def test_the_whole_question(size: Any) -> None:
    """It takes turns with the score; what OK would give never does."""
    words = "Take the runner from first, or leave him there and bat on with two outs and four runs at stake?"
    pages = turns(size.draw_game, a_view(table={"asks": [CHOOSE | {"sentence": words}]}, dial=DIAL))
    assert all("Hit-and-run" in page for page in pages)
    assert ["Your move" in pages[0], "7" in pages[0], "7" in pages[1]] == [True, True, False]
    said = [one for page in pages[1:] for one in page if one not in ("Owls", "Your move", "Hit-and-run")]
    assert words == " ".join(said)


@SIZES
def test_a_title_longer_than_the_line(size: Any) -> None:
    """It is whole, in two lines or on pages; a name without room gives way to its first letter."""
    title = "Reliever for Bartholomew Winterbottom"
    for name in ("Owls", "The Northern Harbour Lanterns"):
        sides = {"home": {"name": name}, "away": {"name": ""}}
        view = a_view(table={"asks": [CHOOSE | {"title": title}]}, board={"sides": sides})
        for dial in (None, DIAL, DIAL | {"label": "Pinch hit: Moose Garrity, contact"}):
            assert told(size.draw_game, changed(view, dial=dial), title)


@SIZES
def test_an_option_longer_than_the_line(size: Any) -> None:
    """It is whole in two lines: its end says what a pinch hitter is good for. What has no room in two follows."""
    label = "Pinch hit: Moose Garrity, contact"
    texts = shown(size, dial=DIAL | {"label": label})
    assert label == " ".join(texts[-2:])
    assert "Your move" in texts
    longest = "Bring in Bartholomew Winterbottom of the Northern Harbour Lanterns, and lay the line-up anew"
    assert told(size.draw_game, a_view(dial=DIAL | {"label": longest}), longest)
    both = [CHOOSE | {"n": 3, "seat": "away"}, CHOOSE | {"n": 4, "seat": "home"}]
    assert "Both" in shown(size, table={"asks": both})


def test_names_without_room() -> None:
    """Where names that end alike have no room, the first words stand for them; who decides is called by the whole name
    even where the line of the score has no room for it."""
    sides: dict[str, dict[str, Any]] = {"away": {"name": "Red team"}, "home": {"name": "Blue team"}}
    assert {"Red 0", "Blue 0"} <= set(shown(screens_32, board={"sides": sides, "stake": None}))
    sides = {"away": {"name": "Your team", "runs": 123}, "home": {"name": "Gravel Pit Goats"}}
    texts = shown(screens_64, board={"sides": sides}, table={"asks": [CHOOSE | {"seat": "away", "title": "Spend it"}]})
    assert "Your team" in texts


@SIZES
@pytest.mark.parametrize("label", ["", "Hit-and-run"])
def test_a_title_of_two_lines(size: Any, label: str) -> None:
    """Between its lines, and between it and what stands around it, there is a line of dark pixels."""
    view = a_view(table={"asks": [ROLL | {"title": "Reliever for Brackenridge"}]}, dial=DIAL | {"label": label})
    view = changed(view, dial=DIAL | {"label": label, "touched": True}) if label else changed(view, dial=None)
    page = next(turn for turn in range(9) if len(_lines(size, view, turn)) > 1)
    first, second, last = _lines(size, view, page)
    assert second - first >= 9
    assert last - second >= 9
    tag = size.draw_game(view, PageRotation(page * PAGE_TIME_S)).crop((0, first - 2, 30, first - 1))
    assert tag.getbbox() is None


def _lines(size: Any, view: AudienceView, turn: int) -> list[int]:
    """Return the y of both lines of the title and of the line below it; nothing if the page has no title."""
    with read() as drawn_:
        size.draw_game(view, PageRotation(turn * PAGE_TIME_S))
    found = [
        y for words, _, y, *_ in drawn_ if words in ("Reliever for", "Brackenridge", "Hit-and-run", "Roll the die.")
    ]
    return found if len(found) == 3 else []


@SIZES
def test_a_question_that_names_its_side(size: Any) -> None:
    """It does not begin with that name too, also where the name comes later."""
    words = "Bob flies out. Owls: who tags up?"
    view = a_view(table={"asks": [CHOOSE | {"sentence": words, "title": "Does anybody tag up now?"}]}, dial=DIAL)
    assert "Owls: Bob" not in everything(size.draw_game, view)
    assert told(size.draw_game, view, words)


@SIZES
def test_a_secret_that_only_a_phone_shows(size: Any) -> None:
    """Whatever the buttons point at does not change one pixel, and the display says what to do instead."""
    entry = ChoiceEntry(3, "home", [CursorPosition("fast", "Fastball"), CursorPosition("curve", "Curve")], secret=True)
    table = {"asks": [CHOOSE | {"secret": True}]}
    dials = [DIAL | {"index": at, "label": label} for at, label in ((0, "Fastball"), (1, "Curve"))]
    assert 1 == len({drawn(size, table=table, dial=dial) for dial in dials})
    pictures = set()
    for _ in range(3):
        entry.press_next()
        pictures.add(drawn(size, table=table, dial=entry.entry_view()))
    assert 1 == len(pictures)
    assert told(
        size.draw_game,
        a_view(table=table, dial=entry.entry_view()),
        "In secret: take your seat on a phone, choose there",
    )


@SIZES
def test_the_long_title_of_a_secret(size: Any) -> None:
    """Its words stand together on one page, beside the side that is asked, and it says how the buttons work."""
    title, dial = "Card before the at-bat?", DIAL | {"how": "OK passes, or use a phone", "brief": "OK: pass"}
    view = a_view(table={"asks": [CHOOSE | {"secret": True, "title": title}]}, dial=dial)
    pages = turns(size.draw_game, view)
    assert any(set(title.split()) <= {word for part in page for word in part.split()} for page in pages)
    assert any("Owls" in page for page in pages)
    assert told(size.draw_game, view, "In secret: OK passes, or use a phone")


def test_secrets_of_both_on_32_lines() -> None:
    """Who chooses stands below the score; what the buttons do and the questions follow in three lines a page."""
    how = "< inside or > away, then < high or > low, then OK"
    ask = CHOOSE | {"secret": True, "title": "Call the pitch", "sentence": "What do you throw Ann? " * 4}
    view = a_view(table={"asks": [ask, ask | {"n": 4, "seat": "away"}]}, dial=DIAL | {"how": how, "brief": ""})
    pages = turns(screens_32.draw_game, view)
    assert 2 == pages[0].count("Call the pitch")
    assert how.split() == " ".join(pages[1]).removeprefix("In secret: ").split()
    assert len(pages) <= 6


@SIZES
def test_one_chooses_in_secret(size: Any) -> None:
    """If one side alone is asked in secret, the other waits, and gives way to how the buttons enter it; if both are
    asked, one may be ready before the other."""
    press, lit = "< adds five, > adds one, then OK", list[int]()
    for ready, stands in (([], "waits"), (["away"], "ready")):
        table = {"asks": [CHOOSE | {"secret": True}], "ready": ready}
        assert ["Lanterns", stands, "Owls", "Your move"] == shown(size, table=table, dial=DIAL)[-4:]
        view = a_view(table=table, dial=DIAL | {"how": press, "brief": ""})
        texts = [one for page in turns(size.draw_game, view) for one in page]
        lit.append(sum(pixels(size.draw_game(a_view(table=table, dial=DIAL)))))
        assert "Your move" in texts
        assert (stands == "ready") == ("ready" in texts)
        assert told(size.draw_game, view, f"In secret: {press}")
    assert lit[0] + 500 < lit[1], "a seat that is ready is dark on light"


@SIZES
def test_sure_roll(size: Any) -> None:
    """A sure roll is shown with its dice, the time left, which runs down, and how to stop it. Dice of several colors
    are named before it counts, if the words fit; the low numbers of other dice than a d6 are drawn as numerals."""
    assert ["Owls rolled", "OK: keep | < >: change"] == shown(size, proposal=SEEN)
    lit = [sum(pixels(size.draw_game(a_view(proposal=SEEN | {"seconds": left})))) for left in (2.0, 1.0, 0.0)]
    assert lit[0] > lit[1] > lit[2]
    assert 6 == len({drawn(size, proposal=SEEN | {"faces": [face]}) for face in range(1, 7)})
    seen = SEEN | {"faces": [3, 5], "words": "red die 3, white die 5"}
    assert "Red die 3, white die 5" in " ".join(shown(size, proposal=seen))
    more = SEEN | {"faces": [3, 5, 6], "words": "red die 3, white die 5, home's die 6"}
    for short in (more, SEEN | {"faces": [3, 5], "words": "3, 5"}):
        assert "Owls rolled" in shown(screens_64, proposal=short)
    for kind, texts in (("d6", set[str]()), ("d20", {"5"}), ("d10", {"5"})):
        ask = ROLL | {"dice": [{"kind": kind, "colour": None, "owner": None}]}
        found = shown(size, table={"asks": [ask]}, proposal=SEEN | {"faces": [5], "words": "5"})
        assert texts == {"5"} & set(found), kind


DOUBT = SEEN | {"sure": False, "seconds": None}
TOUCH = "Dice touch each other: nudge them apart."
NONE = "There are no dice in the tray."


@pytest.mark.parametrize(
    ("size", "touching", "unseen"),
    [
        (
            screens_64,
            ["Owls: right?", "Dice touch each", "other: nudge", "them apart.", "Die: 5"],
            ["Owls: not read", "?", "There are no dice", "in the tray.", "< >: enter the dice"],
        ),
        (
            screens_32,
            ["Dice touch each other:", "nudge them apart.", "Die: 5"],
            ["?", "There are no dice", "in the tray.", "< >: enter the dice"],
        ),
    ],
    ids=["64", "32"],
)
def test_doubt(size: Any, touching: list[str], unseen: list[str]) -> None:
    """A doubtful roll says what to do about it, and what OK would take; a die that was not seen is a question mark.
    With room it says whose it is.
    """
    doubt = DOUBT | {"advice": TOUCH}
    assert touching == shown(size, proposal=doubt, dial=DIAL | {"label": "Die: 5"})
    assert unseen == shown(size, table={"asks": [ROLL]}, proposal=DOUBT | {"faces": [], "advice": NONE})


KINDS = (
    DOUBT_ADVICE["kind"],
    "I can't read a d16: enter it.",
    "Another kind: throw a d20, or type it.",
    "Another kind: throw others, or type it.",
    "Wrong kind: remove it, or confirm.",
)
"""What the table says of a die of another kind than is asked for."""


@SIZES
def test_a_die_no_camera_reads(size: Any) -> None:
    """The advice is shown in full before and while a button is used."""
    ask = ROLL | {"dice": [{"kind": "d10", "colour": None, "owner": None}]}
    for words, dial in itertools.product(KINDS, (None, DIAL | {"label": "Die: 7"})):
        kind = SEEN | {"faces": [], "sure": False, "seconds": None, "doubt": "kind", "advice": words}
        assert words in " ".join(shown(size, table={"asks": [ask]}, proposal=kind, dial=dial))


@pytest.mark.parametrize(
    ("size", "texts"),
    [(screens_64, ["Lanterns", "4", "Owls", "12"]), (screens_32, ["Lanter 4", "Owls 12"])],
    ids=["64", "32"],
)
def test_over(size: Any, texts: list[str]) -> None:
    outcome = {"winner": "home", "reason": "regulation", "sentence": "Owls win 12 to 4."}
    assert [*texts, "Owls win 12 to 4."] == shown(size, table={"outcome": outcome, "asks": []})
    ends = [drawn(size, table={"outcome": outcome | {"winner": seat}}) for seat in ("away", "home")]
    assert ends[0] != ends[1]


# The other screens ---------------------------------------------------------------------------------------------------


def test_pips() -> None:
    for face, size in itertools.product(range(1, 7), (11, 20, 28)):
        image = Image.new("1", (size + 2, size + 2))
        widgets.draw_die(image, 1, 1, size, face)
        dark = np.array(image.convert("L").crop((2, 2, size, size))) == 0
        dark[[0, 0, -1, -1], [0, -1, 0, -1]] = False
        parts, _ = cv2.connectedComponents(dark.astype(np.uint8), connectivity=4)
        assert face == parts - 1, size


def scanned(picture: Image.Image) -> str:
    """Return what a phone's eye reads from a screen."""
    large = np.array(picture.convert("L").resize((1024, 512), Image.Resampling.NEAREST))
    text, *_ = cv2.QRCodeDetector().detectAndDecode(
        cv2.copyMakeBorder(large, 32, 32, 32, 32, cv2.BORDER_CONSTANT, None, [0])
    )
    return str(text)


def test_join() -> None:
    """A phone's eye reads the address from the join screen, which also says name, address and code in letters. An
    address too long for a code that a phone can read is written out."""
    for url in (
        "http://dugout.local/",
        "http://192.168.178.123:8000/",
        "http://raspberrypi-upstairs.local:8000/?code=482193",
    ):
        assert url == scanned(screens_64.draw_join_screen(url, "192.168.178.123:8000", "482193"))
    words = checked(lambda: screens_64.draw_join_screen("http://dugout.local/", "192.168.178.123:8000", "482193"))
    assert ["dugout", ".local", "192.168.178", ".123:8000", "Code", "482193"] == words
    words = checked(lambda: screens_32.draw_join_screen("http://dugout.local:8000", "192.168.178.123:8000", "482193"))
    assert ["dugout.local:8000", "192.168.178.123:8000", "Code", "482193"] == words
    proxied = "http://dugout.local/", "dugout.local", "482193"
    assert ["dugout", ".local", "Code", "482193"] == checked(lambda: screens_64.draw_join_screen(*proxied))
    assert ["dugout.local", "Code", "482193"] == checked(lambda: screens_32.draw_join_screen(*proxied))
    long = "http://" + "a" * 60 + ".local/", "10.0.0.7", "1234"
    assert {"10.0.0.7", "Code", "1234"} < set(checked(lambda: screens_64.draw_join_screen(*long)))
    assert sum(pixels(screens_64.draw_join_screen(*long))) < 1000


INVITED = "http://raspberrypi.local:8000/in#K7QM2XWD9FHT3RBN"


def test_scan() -> None:
    """A phone's eye reads the invitation, and people can type it: every letter is there, and where to type it."""
    address = "192.168.178.123:65535"
    assert INVITED == scanned(screens_64.draw_scan_screen(INVITED, address, "K7QM2XWD9FHT3RBN"))
    shown = checked(lambda: screens_64.draw_scan_screen(INVITED, address, "K7QM2XWD9FHT3RBN"))
    assert ["Scan it, or", "192.168.178", ".123:65535", "/in", "K7QM 2XWD", "9FHT 3RBN"] == shown
    shown = checked(lambda: screens_32.draw_scan_screen(INVITED, address, "K7QM2XWD9FHT3RBN"))
    assert ["Open this and enter:", "192.168.178.123:65535/in", "K7QM 2XWD 9FHT 3RBN"] == shown


@SIZES
def test_menu(size: Any) -> None:
    """The chosen line of a long menu is always shown, and lit."""
    for index in range(9):
        with read() as texts:
            size.draw_menu([f"Item {i}" for i in range(9)], index)
        assert [f"Item {index}"] == [words for words, _, _, _, lit in texts if not lit]


@SIZES
def test_sleep_bye_and_message(size: Any) -> None:
    """Asleep, four pixels are lit, in another place at each tick; the last screen says that the power may go. On 32
    lines a long message takes the place of its title."""
    pictures = [size.draw_sleep_screen(tick) for tick in range(60)]
    assert {4} == {sum(pixels(picture)) for picture in pictures}
    assert 60 == len({picture.tobytes() for picture in pictures})
    assert ["Safe to unplug"] == checked(lambda: size.draw_goodbye("Safe to unplug"))
    greeting = checked(lambda: screens_32.draw_message("Dugout", "Starting..."))
    assert ["Dugout", "Starting..."] == greeting
    long = "The settings cannot be used: line 3 of them names no camera."
    assert long == " ".join(checked(lambda: screens_32.draw_message("Dugout", long)))


# Letters -------------------------------------------------------------------------------------------------------------


def test_letters() -> None:
    for words, plain in (
        ("José Núñez", "Jose Nunez"),
        ("Ørsted  &\tSøn", "Orsted & Son"),
        ("日本", "??"),
        ("“Lefty” O’Doul – 3½", '"Lefty" O\'Doul - 31?2'),
        ("a\u200bb\x07c", "abc"),
        ("SS −3", "SS -3"),
    ):
        assert plain == lettering.ascii_text(words)


@given(st.text(max_size=60), st.integers(6, 126), st.sampled_from(["plain", "bold", "large"]))
def test_fit(words: str, room: int, font: lettering.Font) -> None:
    """A text is never wider than its room, and whole wherever it could be."""
    shown = lettering.truncated_text(words, room, font)
    assert lettering.text_width(shown, font) <= room
    if lettering.text_width(words, font) <= room:
        assert lettering.ascii_text(words) == shown


@given(st.text(max_size=200), st.integers(20, 126), st.integers(1, 5))
def test_wrap(words: str, room: int, lines: int) -> None:
    """Wrapped text keeps to its lines and its room, and loses nothing unless the lines run out."""
    wrapped = lettering.wrapped_lines(words, room, lines)
    assert len(wrapped) <= lines
    assert all(lettering.text_width(line) <= room for line in wrapped)
    if len(wrapped) < lines:
        assert "".join(lettering.ascii_text(words).split()) == "".join("".join(wrapped).split())


# The games on 32 lines -----------------------------------------------------------------------------------------------


def test_ninth() -> None:
    """Count, both fatigue tokens, the stare-down and who must roll are shown; so is a race, and what it asks."""
    table = ninth()
    assert {"0-0", "ins 0", "hig 0", "Home"} <= set(small(of_table(table)))
    assert {"Visitors", "Roll 2 dice."} <= set(small(of_table(stare(ninth(), "inside-low", "away-low"))))
    seats = {
        "away": {"wins": [1, 2, 3], "face": 4, "state": "rolling", "words": ""},
        "home": {"wins": [6], "face": 6, "state": "ready", "words": ""},
    }
    run = {"n": {"away": 3, "home": 4}, "seats": seats, "confirm": None}
    view = changed(of_table(table), race=run)
    assert ["Visitors", "1, 2, 3", "roll", "Home", "6", "OK!"] == small(view)
    assert "then OK" in everything(screens_32.draw_game, view)
    seats["away"] |= {"state": "void"}
    assert "roll again" in everything(screens_32.draw_game, changed(view, race=run))
    confirm = {"seat": "home", "n": 4, "sentence": ""}
    asked = changed(view, race=run | {"confirm": confirm}, dial=DIAL | {"label": "Turn to your die"})
    assert ["Home called: what does", "the die show?", "Turn to your die"] == small(asked)


def test_rallybird() -> None:
    """The zones as they lie, both teams' runs, and what is rolled against; a long sentence takes their place. Whatever
    lies on a zone is another picture, on one of two pages."""
    assert {"7", "Visit 0", "Home 0", "V", "Home", "waits"} <= set(small(of_table(rally())))
    table = revealed(rally())
    zoned = {words for page in turns(screens_32.draw_game, of_table(table)) for words in page}
    assert {"4", "3", "5", "V 0", "H 0", "7", "A 5 + D 4 = 9."} <= zoned
    rolled(table, 6, 6)
    assert "Which Glove tested by" in everything(screens_32.draw_game, of_table(table))
    again = rolled(revealed(rally(removed="Drag bunt"), "Over the fence"), 6, 6)
    assert {"12 > 6", "E 3 + F 3 = 6."} <= {
        one for page in turns(screens_32.draw_game, of_table(again)) for one in page
    }
    assert small(of_table(laid(rally())))
    lying = itertools.product(range(1, 7), range(3), (False, True))
    views = [on_zone("B", zone(value, kind == 1, kind == 2, tested)) for value, kind, tested in lying]
    found = {
        screens_32.draw_game(view, PageRotation(PAGE_TIME_S)).tobytes() + screens_32.draw_game(view).tobytes()
        for view in views
    }
    assert 6 * 3 * 2 == len(found)


@pytest.mark.slow
@pytest.mark.parametrize("key", list(GAMES))
def test_every_game(key: str) -> None:
    """Every view of a game played with the real rules can be drawn and read, and says what OK would give uncut."""
    game, chance = GAMES[key], random.Random(1)
    table, entries = Table(game, [house_deck(game)], {}), SeatEntries()
    for _ in range(60):
        if table.outcome:
            break
        n, ask = chance.choice(table.open_asks())
        entries.update_entries(table, keep=False)
        dial = None
        with suppress(IllegalAnswer):  # no buttons enter a call in a race, or what the house draws
            dial = entries.entry_for_seat(table, ask.seat)
        open_ = isinstance(dial, AnswerEntry) and not dial.secret
        if open_ and dial:
            dial.press_next()
        for size in BOTH:
            view = of_table(table, dial=dial.entry_view() if dial else None)
            texts = checked(lambda: size.draw_game(view))  # noqa: B023 - at once
            if open_ and dial and len(table.open_asks()) == 1:
                label = lettering.ascii_text(dial.entry_view().label)
                assert label in " ".join(texts) or set(label.split()) <= set(everything(size.draw_game, view).split())
            shown(size, table=table.view_for(None))
        table.answer_ask(ask.seat, n, pick_answer(table.ask_view(n, ask, ask.seat, dealer=True), chance))


# Extremes ------------------------------------------------------------------------------------------------------------

seats = st.sampled_from(["away", "home"])
dials = st.none() | st.builds(
    lambda seat, label, at, touched: (
        {"seat": seat, "n": 3, "label": label, "index": at[0], "count": at[1]} | {"touched": touched}
    ),
    seats,
    sentences,
    st.integers(1, 40).flatmap(lambda n: st.tuples(st.integers(0, n - 1), st.just(n))),
    st.booleans(),
)
boards = st.fixed_dictionaries(
    {
        "sides": st.tuples(names, names, st.integers(0, 2000), st.integers(0, 2000)).map(
            lambda t: {"away": {"name": t[0], "runs": t[2]}, "home": {"name": t[1], "runs": t[3]}}
        ),
        "half": st.sampled_from(["top", "bottom"]),
        "marker": st.sampled_from(["1", "10", "27", "100"]),
        "batting": st.none() | seats,
        "outs": st.integers(0, 3),
        "bases": st.lists(st.none() | st.just("Ann"), min_size=3, max_size=3),
        "stake": st.none() | st.integers(0, 150),
        "count": st.none() | st.tuples(st.integers(0, 4), st.integers(0, 3)),
        "fatigue": st.none() | st.integers(0, 150),
        "dice": faces.map(lambda given: [face for face in given if face is not None]),
    }
)
kinds = st.sampled_from(["d6", "d8", "d10", "d20", "d24", "pitch"])
dice = st.lists(kinds, max_size=5).map(lambda all_: [{"kind": kind, "colour": "red", "owner": None} for kind in all_])
asks = st.lists(
    st.builds(
        lambda seat, kind, secret, words, dice, lie: (
            CHOOSE
            | {"seat": seat, "kind": kind, "secret": secret, "sentence": words, "dice": dice}
            | {"faces": lie, "free": [*range(0, len(lie), 2)], "most": len(lie)}
        ),
        seats,
        st.sampled_from(["roll", "reroll", "choose", "arrange"]),
        st.booleans(),
        sentences,
        dice,
        st.lists(st.integers(1, 6), min_size=1, max_size=12),
    ),
    max_size=2,
)
proposals = st.none() | st.builds(
    lambda seat, faces, sure, advice, seconds: (
        {"n": 3, "seat": seat, "faces": faces, "sure": sure, "advice": advice}
        | {"seconds": seconds if sure else None, "total": 2.0}
    ),
    seats,
    faces,
    st.booleans(),
    st.none() | sentences,
    st.none() | st.floats(0, 3),
)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
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
    """Whatever the view holds, every letter is whole and nothing lies over it."""
    table = {"asks": asked, "last": words, "outcome": {"winner": "away", "sentence": words} if over else None}
    watching = {"state": "unsure", "words": words}
    more = {"dial": dial, "proposal": proposal, "missing": missing, "notice": notice, "watching": watching}
    for size in BOTH:
        shown(size, board=board, table=table, **more)


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(names, sentences, st.lists(names, max_size=9), st.integers(0, 8), st.text("0123456789", max_size=9))
def test_others_always_fit(title: str, words: str, items: list[str], index: int, code: str) -> None:
    """So it is on the other screens."""
    host = "".join(char for char in title.lower() if char.isascii() and char.isalnum()) or "a"
    for size in BOTH:
        checked(lambda: size.draw_message(title, words))  # noqa: B023 - at once
        checked(lambda: size.draw_goodbye(words))  # noqa: B023 - at once
        checked(lambda: size.draw_menu(items, index))  # noqa: B023 - at once
        url, address = f"http://{host}.local:8000/", f"{index}.168.178.123:65535"
        checked(lambda: size.draw_join_screen(url, address, code))  # noqa: B023 - at once
