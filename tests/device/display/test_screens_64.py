"""The screens: everything a view may hold fits on the glass and can be read."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from device.display import lettering, screens_32, screens_64, widgets
from device.display.games import screens
from device.storage.decks import house_deck
from device.table.answer_entry import ChoiceEntry, Position, entry_for
from engine.games import GAMES
from engine.table import Table
from tests.device.display.views import CHOOSE, a_view, changed
from vision.reading import DOUBTS


@contextmanager
def read() -> Iterator[list[tuple[str, int, int, lettering.Font, int]]]:
    """Every piece of text drawn meanwhile, with its place, font and ink."""
    drawn: list[tuple[str, int, int, lettering.Font, int]] = []
    real = lettering.text

    def text(image: Image.Image, x: int, y: int, words: str, font: lettering.Font = "plain", ink: int = 1) -> int:
        drawn.append((words, x, y, font, ink))
        return real(image, x, y, words, font, ink)

    for key in GAMES:
        screens(key)  # a module imported later would keep the replaced function
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lettering, "text", text)
        for name, module in list(sys.modules.items()):
            if name.startswith("device.display.") and getattr(module, "text", None) is real:
                patch.setattr(module, "text", text)
        yield drawn


def checked(draw: Callable[[], Image.Image]) -> list[str]:
    """Draw a screen and prove that every letter of it can be read; returns the texts on it.

    Each letter is on the glass as its font has it, lit on dark or dark on lit, with nothing over it, and the outermost
    ring, which a shifted picture loses, is dark.
    """
    with read() as drawn:
        image = draw()
    assert image.size in (screens_64.SIZE, screens_32.SIZE)
    assert "1" == image.mode
    ring, bottom = image.copy(), image.height - 1
    ImageDraw.Draw(ring).rectangle((1, 1, 126, bottom - 1), fill=0)
    assert ring.getbbox() is None
    for words, x, y, font, lit in drawn:
        for char in lettering.plain_ascii(words):
            letter = lettering.glyph(char, font)
            box = letter.getbbox()
            if box:
                at = (x + box[0], y + box[1], x + box[2], y + box[3])
                assert min(at) >= 1, (words, char, at)
                assert at[2] <= 127, (words, char, at)
                assert at[3] <= bottom, (words, char, at)
                expected = letter.crop(box).point(lambda value: value if lit else not value)  # noqa: B023 - used at once
                assert pixels(expected) == pixels(image.crop(at)), (words, char, at)
            x += letter.width
    return [words for words, *_ in drawn]


def pixels(image: Image.Image) -> list[bool]:
    return [bool(value) for value in image.get_flattened_data()]


ROLL = CHOOSE | {"kind": "roll", "sentence": "Roll the die.", "dice": [{"kind": "d6", "colour": None, "owner": None}]}
AGAIN = CHOOSE | {
    "kind": "reroll",
    "sentence": "Roll again.",
    "faces": [1, 2, 3, 3, 5, 6],
    "free": [0, 1, 3],
    "most": 2,
}
AGAIN |= {"dice": [{"kind": "d6", "colour": None, "owner": None}] * 6}
DIAL: dict[str, Any] = {"seat": "home", "n": 3, "label": "Hit-and-run", "index": 1, "count": 5, "touched": False}
SEEN: dict[str, Any] = {"n": 3, "seat": "home", "faces": [5], "sure": True, "doubt": None, "advice": None}
SEEN |= {"source": "camera", "seconds": 1.0, "total": 2.0}


def test_score() -> None:
    """The score screen names both teams, their runs, the inning, the stake, who must answer, and the choice."""
    shown = checked(lambda: screens_64.game(a_view(dial=DIAL)))
    assert {"Lanterns", "4", "Owls", "12", "+2", "7", "Owls: Cy up", "Hit-and-run"} == set(shown)


def test_dice_that_may_be_thrown_again() -> None:
    """They are shown as they lie in place of the last dice, those that may be marked; and who must throw how many."""
    view = a_view(table={"asks": [AGAIN]}, board={"dice": [1, 2, 3]}, dial=DIAL)
    assert {"Lanterns", "4", "Owls", "12", "+2", "7", "Owls: 1 to 2 again"} == set(
        checked(lambda: screens_64.game(view))
    )
    image = screens_64.game(view)
    assert [True, True, False, True, False, False] == [bool(image.getpixel((6 + 14 * place, 61))) for place in range(6)]
    view = changed(view, dial=DIAL | {"label": "Die 1 (1) stays", "touched": True})
    assert "Die 1 (1) stays" in checked(lambda: screens_64.game(view))
    one = AGAIN | {"most": 1}
    assert "Owls: throw one again" in checked(
        lambda: screens_64.game(a_view(table={"asks": [one]}, missing=["No camera."]))
    )
    assert "!" in checked(lambda: screens_64.game(a_view(table={"asks": [one]}, missing=["No camera."])))


def test_twelve_dice_just_seen() -> None:
    """In two rows of six, as large as there is room, also beside words; those that were thrown again are marked."""
    sure = SEEN | {"faces": [1, 2, 3, 4, 5, 6] * 2, "again": [0, 11]}
    assert "Owls rolled" in checked(lambda: screens_64.game(a_view(proposal=sure)))
    image = screens_64.game(a_view(proposal=sure))
    for y, marks in ((25, {0}), (40, {5})):
        assert marks == {place for place in range(6) if image.getpixel((24 + 16 * place, y))}
    asked = SEEN | {"faces": [1, 2, 3, 4, 5, 6] * 2, "sure": False, "advice": "A die leans."}
    assert {"Is this right?", "A die", "leans."} <= set(checked(lambda: screens_64.game(a_view(proposal=asked))))


def test_many_dice_are_not_cut_short() -> None:
    """Of more than four nobody sees only the first ones beside what is asked."""
    assert pixels(screens_64.game(a_view(board={"dice": []}))) == pixels(
        screens_64.game(a_view(board={"dice": [1] * 5}))
    )


def test_count_and_fatigue() -> None:
    """Count and fatigue are shown in the games that have them, and nothing stands in their place elsewhere."""
    shown = checked(lambda: screens_64.game(a_view(board={"stake": None, "count": [3, 2], "fatigue": 0})))
    assert {"3-2", "F0"} <= set(shown)
    assert not [words for words in checked(lambda: screens_64.game(a_view(board={"stake": None}))) if "F0" in words]


@pytest.mark.parametrize("stake", [None, 1, 10, 99, 150])
@pytest.mark.parametrize("count", [None, [3, 2]])
@pytest.mark.parametrize("fatigue", [None, 0, 12])
@pytest.mark.parametrize("bases", [[None] * 3, ["Ann"] * 3])
def test_middle(stake: int | None, count: list[int] | None, fatigue: int | None, bases: list[str | None]) -> None:
    """Stake, count and fatigue in any company are whole and stand clear of each other, the outs and the bases."""
    board = {"stake": stake, "count": count, "fatigue": fatigue, "bases": bases, "outs": 3}
    shown = checked(lambda: screens_64.game(a_view(board=board)))
    wanted = {
        f"+{min(stake, 99)}" if stake else "4",
        "3-2" if count else "4",
        "4" if fatigue is None else f"F{fatigue}",
    }
    assert wanted <= set(shown)


@pytest.mark.parametrize("change", [{"outs": 2}, {"outs": 0}, {"bases": [None] * 3}, {"bases": ["A"] * 3}])
def test_outs_and_bases(change: dict[str, Any]) -> None:
    """An out more or a runner elsewhere is another picture."""
    assert screens_64.game(a_view()).tobytes() != screens_64.game(a_view(board=change)).tobytes()


def test_half() -> None:
    """The top and the bottom of an inning look different, and so does who bats."""
    pictures = {
        screens_64.game(a_view(board={"half": half, "batting": seat})).tobytes()
        for half in ("top", "bottom")
        for seat in ("away", "home")
    }
    assert 4 == len(pictures)


def test_camera_has_the_word() -> None:
    """While a roll is waited for the display says what the camera sees, until a button touches the dial."""
    waiting = a_view(table={"asks": [ROLL]}, dial=DIAL | {"label": "Die: 1"})
    assert "Throw the die." in checked(lambda: screens_64.game(waiting))
    touched = changed(waiting, dial=DIAL | {"label": "Die: 1", "touched": True})
    assert "Die: 1" in checked(lambda: screens_64.game(touched))


def test_no_camera() -> None:
    """Where no camera watches, the display says that the buttons enter the dice."""
    off = {"state": "off", "words": "No camera."}
    shown = checked(lambda: screens_64.game(a_view(table={"asks": [ROLL]}, watching=off)))
    assert "No camera. Turn < > to enter the dice." == " ".join(shown[-2:])


def test_missing_part() -> None:
    """What is missing is shown in words while a roll is waited for, and as a mark beside a choice."""
    missing = ["No camera: type the dice.", "No buttons."]
    shown = checked(lambda: screens_64.game(a_view(table={"asks": [ROLL]}, missing=missing)))
    assert "No camera: type the dice. (+1)" == " ".join(shown[-2:])
    assert "!" in checked(lambda: screens_64.game(a_view(dial=DIAL, missing=missing)))


def test_notice() -> None:
    """A notice is shown in place of all below the score."""
    shown = checked(lambda: screens_64.game(a_view(dial=DIAL, notice="Thrown too early: throw again now.")))
    assert "Thrown too early:" in shown
    assert "Hit-and-run" not in shown


def test_long_choice() -> None:
    """A choice too long for one line is whole in two: what a pinch hitter is good for stands at its end."""
    label = "Pinch hit: Moose Garrity, contact"
    assert label == " ".join(checked(lambda: screens_64.game(a_view(dial=DIAL | {"label": label})))[-2:])


def test_long_batter() -> None:
    """A batter's name that does not fit beside the team's gives way to what is wanted."""
    assert "Owls: choose" in checked(
        lambda: screens_64.game(a_view(dial=DIAL, board={"batter": "Bartholomew Winterbottom"}))
    )


def test_both_asked() -> None:
    """When both seats are asked at once, both are named."""
    asks = [CHOOSE | {"n": 3, "seat": "away"}, CHOOSE | {"n": 4, "seat": "home"}]
    assert "Both: choose" in checked(lambda: screens_64.game(a_view(table={"asks": asks})))


def test_secret_dial() -> None:
    """Turning the dial of a secret ask does not change one pixel."""
    ask = CHOOSE | {"secret": True}
    dial = ChoiceEntry(ask["n"], ask["seat"], [Position("fast", "Fastball"), Position("curve", "Curve")], secret=True)
    pictures = set()
    for _ in range(3):
        dial.next()
        pictures.add(screens_64.game(a_view(table={"asks": [ask]}, dial=dial.view())).tobytes())
    assert 1 == len(pictures)


def test_one_chooses_in_secret() -> None:
    """Where one side alone is asked in secret, the other waits, and gives way to how the buttons enter it; where both
    are, one may be ready before the other."""
    asks = [CHOOSE | {"secret": True}]
    for ready, stands in (([], "waits"), (["away"], "ready")):
        shown = checked(lambda: screens_64.game(a_view(table={"asks": asks, "ready": ready}, dial=DIAL)))  # noqa: B023
        assert ["Lanterns", stands, "Owls", "choosing"] == shown[-4:]
        how = DIAL | {"how": "< adds five, > adds one, then OK"}
        shown = checked(lambda: screens_64.game(a_view(table={"asks": asks, "ready": ready}, dial=how)))  # noqa: B023
        assert (stands == "ready") == ("Lanterns" in shown[5:])
        assert (stands == "waits") == ("In secret: < adds five, > adds one, then OK" in " ".join(shown))
        assert {"Owls", "choosing"} <= set(shown[5:])


def test_sure_roll() -> None:
    """A sure roll is shown with the time left, which runs down, and how to stop it."""
    seconds = [2.0, 1.0, 0.0]
    pictures = [screens_64.game(a_view(proposal=SEEN | {"seconds": left})) for left in seconds]
    lit = [sum(pixels(picture)) for picture in pictures]
    assert lit == sorted(lit, reverse=True)
    assert lit[0] > lit[2]
    assert {"Owls rolled", "OK now < > change"} == set(checked(lambda: screens_64.game(a_view(proposal=SEEN))))


def test_dice_of_several_colours() -> None:
    """Which die is which can be read off the glass before the roll counts, where the words fit."""
    seen = SEEN | {"faces": [3, 5], "words": "red die 3, white die 5"}
    assert "Red die 3, white die 5" in checked(lambda: screens_64.game(a_view(proposal=seen)))
    more = SEEN | {"faces": [3, 5, 6], "words": "red die 3, white die 5, home's die 6"}
    assert "Owls rolled" in checked(lambda: screens_64.game(a_view(proposal=more)))
    alike = SEEN | {"faces": [3, 5], "words": "3, 5"}
    assert "Owls rolled" in checked(lambda: screens_64.game(a_view(proposal=alike)))


def test_doubt() -> None:
    """A doubtful roll says what to do about it, and what OK would take."""
    doubt = SEEN | {"sure": False, "seconds": None, "advice": "Dice touch each other: nudge them apart."}
    shown = checked(lambda: screens_64.game(a_view(proposal=doubt, dial=DIAL | {"label": "Die: 5"})))
    assert ["Is this right?", "Dice touch each", "other: nudge", "them apart.", "Die: 5"] == shown


def test_die_not_seen() -> None:
    """A die that is wanted and was not seen is a question mark, and nothing is asked to be confirmed."""
    doubt = SEEN | {"faces": [], "sure": False, "seconds": None, "advice": "There are no dice in the tray."}
    shown = checked(lambda: screens_64.game(a_view(table={"asks": [ROLL]}, proposal=doubt)))
    assert {"Not read", "?", "< > enter the dice"} <= set(shown)


KINDS = (
    DOUBTS["kind"],
    "No camera reads a d16: type it.",
    "Another kind: throw a d20, or type it.",
    "Another kind: throw others, or type it.",
    "Another kind: take it away, or confirm.",
)
"""What is said of a die of another kind than is asked for."""


@pytest.mark.parametrize("words", KINDS)
@pytest.mark.parametrize("glass", [screens_64.game, screens_32.game], ids=["64", "32"])
def test_a_die_no_camera_reads(glass: Callable[[Any], Image.Image], words: str) -> None:
    """What to do with it is said whole, on either display, before and while a button is turned."""
    ask = ROLL | {"dice": [{"kind": "d10", "colour": None, "owner": None}]}
    kind = SEEN | {"faces": [], "sure": False, "seconds": None, "doubt": "kind", "advice": words}
    for dial in (None, DIAL | {"label": "Die: 7"}):
        shown = checked(partial(glass, a_view(table={"asks": [ask]}, proposal=kind, dial=dial)))
        assert words in " ".join(shown)


def test_over() -> None:
    """The end shows both scores, how it ended, and the winner otherwise than the loser."""
    outcome = {"winner": "home", "reason": "regulation", "sentence": "Owls win 12 to 4."}
    shown = checked(lambda: screens_64.game(a_view(table={"outcome": outcome, "asks": []})))
    assert {"Lanterns", "4", "Owls", "12", "Owls win 12 to 4."} == set(shown)
    other = outcome | {"winner": "away"}
    one, two = (screens_64.game(a_view(table={"outcome": end})) for end in (outcome, other))
    assert one.tobytes() != two.tobytes()


@pytest.mark.parametrize("face", [1, 2, 3, 4, 5, 6])
def test_pips(face: int) -> None:
    """A drawn die shows as many pips as its face, large and small."""
    for size in (11, 20, 28):
        image = Image.new("1", (size + 2, size + 2))
        widgets.die(image, 1, 1, size, face)
        dark = np.array(image.convert("L").crop((2, 2, size, size))) == 0
        dark[[0, 0, -1, -1], [0, -1, 0, -1]] = False
        parts, _ = cv2.connectedComponents(dark.astype(np.uint8), connectivity=4)
        assert face == parts - 1, size


@pytest.mark.parametrize(
    "url",
    ["http://dugout.local/", "http://192.168.178.123:8000/", "http://raspberrypi-upstairs.local:8000/?code=482193"],
)
def test_qr(url: str) -> None:
    """A phone's eye reads the address from the join screen."""
    picture = screens_64.join(url, "192.168.178.123:8000", "482193")
    large = np.array(picture.convert("L").resize((1024, 512), Image.Resampling.NEAREST))
    text, *_ = cv2.QRCodeDetector().detectAndDecode(
        cv2.copyMakeBorder(large, 32, 32, 32, 32, cv2.BORDER_CONSTANT, None, [0])
    )
    assert url == text


def test_join_words() -> None:
    """The join screen also says name, address and code in letters."""
    shown = checked(lambda: screens_64.join("http://dugout.local/", "192.168.178.123:8000", "482193"))
    assert ["dugout", ".local", "192.168.178", ".123:8000", "Code", "482193"] == shown


def test_join_long() -> None:
    """An address too long for a code that a phone can read is written out."""
    url = "http://" + "a" * 60 + ".local/"
    shown = checked(lambda: screens_64.join(url, "10.0.0.7", "1234"))
    assert {"10.0.0.7", "Code", "1234"} < set(shown)
    assert sum(pixels(screens_64.join(url, "10.0.0.7", "1234"))) < 1000


@pytest.mark.parametrize("index", range(9))
def test_menu(index: int) -> None:
    """The chosen line of a long menu is always to be seen, and lit."""
    items = [f"Item {i}" for i in range(9)]
    with read() as drawn:
        screens_64.menu(items, index)
    assert [(f"Item {index}", 0)] == [(words, lit) for words, _, _, _, lit in drawn if not lit]


def test_sleep() -> None:
    """Asleep, four pixels are lit, in another place at each tick."""
    pictures = [screens_64.sleep(tick) for tick in range(60)]
    assert {4} == {sum(pixels(picture)) for picture in pictures}
    assert 60 == len({picture.tobytes() for picture in pictures})


def test_bye() -> None:
    """The last screen says that the power may go."""
    assert ["Safe to unplug"] == checked(lambda: screens_64.bye("Safe to unplug"))


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("José Núñez", "Jose Nunez"),
        ("Ørsted  &\tSøn", "Orsted & Son"),
        ("日本", "??"),
        ("“Lefty” O’Doul – 3½", '"Lefty" O\'Doul - 31?2'),
        ("a\u200bb\x07c", "abc"),
    ],
)
def test_letters(words: str, shown: str) -> None:
    """Names from anywhere are shown in the letters there are."""
    assert shown == lettering.plain_ascii(words)


@given(st.text(max_size=60), st.integers(6, 126), st.sampled_from(["plain", "bold", "large"]))
def test_fit(words: str, room: int, font: lettering.Font) -> None:
    """A text is never wider than its room, and whole wherever it could be."""
    shown = lettering.fit(words, room, font)
    assert lettering.width(shown, font) <= room
    if lettering.width(words, font) <= room:
        assert lettering.plain_ascii(words) == shown


@given(st.text(max_size=200), st.integers(20, 126), st.integers(1, 5))
def test_wrap(words: str, room: int, lines: int) -> None:
    """Wrapped text keeps to its lines and its room, and loses nothing unless the lines run out."""
    wrapped = lettering.wrap(words, room, lines)
    assert len(wrapped) <= lines
    assert all(lettering.width(line) <= room for line in wrapped)
    if len(wrapped) < lines:
        assert "".join(lettering.plain_ascii(words).split()) == "".join("".join(wrapped).split())


# Extremes ------------------------------------------------------------------------------------------------------------

names = st.one_of(st.text(max_size=40), st.sampled_from(["W" * 30, "Sacramento Thunderbolts", "İ", ""]))
sentences = st.one_of(st.text(max_size=200), st.just("Nothing answers here: " * 8), st.just("W" * 90))
faces = st.lists(st.one_of(st.none(), st.integers(0, 24), st.sampled_from("BSC")), max_size=6)
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


@settings(max_examples=150, deadline=None)
@given(boards, asks, dials, proposals, st.lists(sentences, max_size=2), st.none() | sentences, sentences, st.booleans())
def test_game_always_fits(
    board: dict[str, Any],
    asks: list[dict[str, Any]],
    dial: dict[str, Any] | None,
    seen: dict[str, Any] | None,
    missing: list[str],
    notice: str | None,
    words: str,
    over: bool,
) -> None:
    """Whatever the view holds, every letter on the glass is whole and nothing lies over it."""
    table = {"asks": asks, "last": words, "outcome": {"winner": "away", "sentence": words} if over else None}
    watching = {"state": "unsure", "words": words}
    more = {"dial": dial, "proposal": seen, "missing": missing, "notice": notice, "watching": watching}
    checked(lambda: screens_64.game(a_view(board=board, table=table, **more)))


@settings(max_examples=60, deadline=None)
@given(names, sentences, st.lists(names, max_size=9), st.integers(0, 8), st.text("0123456789", max_size=9))
def test_others_always_fit(title: str, words: str, items: list[str], index: int, code: str) -> None:
    """So it is on the other screens."""
    checked(lambda: screens_64.message(title, words))
    checked(lambda: screens_64.bye(words))
    checked(lambda: screens_64.menu(items, index))
    host = "".join(char for char in title.lower() if char.isascii() and char.isalnum()) or "a"
    checked(lambda: screens_64.join(f"http://{host}.local:8000/", f"{index}.168.178.123:65535", code))


def test_a_real_game() -> None:
    """Every view of a game played to its end with the real rules can be drawn and read."""
    game = GAMES["small-ball"]
    table = Table(game, [house_deck(game)], {"awayTeam": "red"})
    turn = 0
    while table.outcome is None and turn < 400:
        n, ask = table.asks()[0]
        dial = entry_for(table.ask_view(n, ask, ask.seat))
        for _ in range(turn * 7 % 11):
            dial.next()
        checked(lambda: screens_64.game(a_view(table=table.view(None), dial=dial.view())))  # noqa: B023 - at once
        value = None
        while value is None:
            value = dial.ok()
        table.answer(ask.seat, n, value)
        turn += 1
    assert turn > 50
