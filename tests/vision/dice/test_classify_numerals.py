"""Drawn dice without pips, in typefaces that no net was trained on, read by the complete reader."""

from dataclasses import replace
from random import Random

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.dice.test_decide_numerals import numeral
from tests.vision.photos import held_out, needed, picture
from tests.vision.typefaces import UNSEEN
from vision.dice.classify_numerals import AGAIN, BESIDE, CLOSE, EDGES, NumeralClassifier, Spot, _find_tops, crop_square
from vision.dice.detect import Candidate
from vision.drawn.letters import Print
from vision.drawn.shapes import faces
from vision.drawn.tray import DrawnDie, DrawnTray
from vision.reader import Reader
from vision.reading import Face

KINDS = ("d20", "d24", "tetrakis", "d10", "d100", "d8", "numeral", "pitch")


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader()


def shown(reader: Reader, kind: str, n: int, tilt: float = 0.0) -> tuple[Face, tuple[Face, ...], str | None]:
    """Return the value of a drawn die, its reading, and the doubt."""
    random = Random(n)
    die = DrawnDie(("blue", "red", "black", "white")[n % 4], 20, ("white", "gold", "white", "black")[n % 4], kind)
    die = DrawnDie(die.colour, die.size, die.pips, kind, print=Print(UNSEEN[n % len(UNSEEN)], ("line", "dot")[n % 2]))
    tray = DrawnTray(seed=n, view=200, tilt=tilt)
    end = tray.throw(0.0, [die], [random.randint(1, faces(kind))])
    (lies,) = tray.truth(end) or ()
    assert lies.value is not None
    reading = reader.read(tray.frame(end))
    return lies.value, reading.values, reading.doubt


@pytest.mark.parametrize(("dice", "least"), [(2, 2), pytest.param(12, 9, marks=pytest.mark.slow)])
@pytest.mark.parametrize("kind", KINDS)
def test_a_drawn_die_is_read_or_asked_about(reader: Reader, kind: str, dice: int, least: int) -> None:
    """Of twelve dice of each kind, most are read correctly, and none is wrong without a question."""
    throws = [shown(reader, kind, n) for n in range(dice)]
    assert not [throw for throw in throws if throw[2] is None and throw[1] != (throw[0],)]
    assert sum(values == (value,) for value, values, _ in throws) >= least


@pytest.mark.slow
def test_the_top_face_is_found_under_an_oblique_camera() -> None:
    throws = [shown(Reader(), "d20", n, tilt=38) for n in range(12)]
    assert not [throw for throw in throws if throw[2] is None and throw[1] != (throw[0],)]
    assert sum(values == (value,) for value, values, _ in throws) >= 9


def test_only_the_expected_dice_are_read() -> None:
    """When only d6 are expected, a d20 is not read; when only d20 are, dice with pips are not."""
    tray = DrawnTray(seed=3, view=200)
    end = tray.throw(0.0, [DrawnDie("white"), DrawnDie("blue", 20, "white", "d20")], [4, 17])
    frame = tray.frame(end)
    only = Reader(kinds=frozenset({"d20"})).read(frame)
    assert only.values == (17,)
    both = Reader().read(frame)
    assert sorted(both.values, key=str) == [17, 4]


@needed
@pytest.mark.long("photos")
def test_d20s_in_clips_held_out_are_not_misread(reader: Reader) -> None:
    pictures = list(held_out("rsandrini").items())[::4]
    read = [(values, reader.read(picture(path))) for path, values in pictures]
    silent = [reading for values, reading in read if reading.sure and list(reading.values) != values]
    assert len(silent) <= 0.03 * len(read)


def test_a_die_missed_at_first_gets_a_second_look(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second try uses other scales; an empty tray stays empty with these too."""
    find, scales = NumeralClassifier.detect, []

    def missed(
        numerals: NumeralClassifier, picture: NDArray[np.uint8], edges: tuple[int, ...] = EDGES
    ) -> list[Candidate]:
        scales.append(edges)
        return find(numerals, picture, edges) if edges == AGAIN else []

    monkeypatch.setattr(NumeralClassifier, "detect", missed)
    reader, tray = Reader(kinds=frozenset({"d20"})), DrawnTray(seed=3, view=200)
    assert reader.read(tray.frame(0.0)).doubt == "none"
    end = tray.throw(0.0, [DrawnDie("blue", 20, "white", "d20")], [13])
    assert reader.read(tray.frame(end)).values == (13,)
    assert scales == [EDGES, AGAIN] * 2


def test_a_second_look_that_shows_less_is_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    """A doubtful die measured badly in the second try is offered as it was first seen."""
    tray = DrawnTray(seed=3, view=200)
    end = tray.throw(0.0, [DrawnDie("blue", 20, "white", "d20", print=Print(UNSEEN[0]))], [14])
    smeared = cv2.GaussianBlur(tray.frame(end), (0, 0), 3.0).astype(np.uint8, copy=False)
    find = NumeralClassifier.detect

    def worse(
        numerals: NumeralClassifier, picture: NDArray[np.uint8], edges: tuple[int, ...] = EDGES
    ) -> list[Candidate]:
        found = find(numerals, picture)
        wide = [replace(one, size=1.5 * one.size, heat=0.999, seen=100) for one in found]
        return wide if edges == AGAIN else found

    monkeypatch.setattr(NumeralClassifier, "detect", worse)
    reading = Reader(kinds=frozenset({"d20"})).read(smeared)
    assert (reading.values, reading.doubt) == ((14,), "unclear")
    monkeypatch.setattr(NumeralClassifier, "detect", lambda numerals, picture, edges: worse(numerals, picture, AGAIN))
    assert Reader(kinds=frozenset({"d20"})).read(smeared).values != (14,)


@pytest.mark.parametrize(("sign", "doubt"), [("14", None), ("17", "unclear")])
def test_a_second_look_that_contradicts_the_first_raises_a_question(
    monkeypatch: pytest.MonkeyPatch, sign: str, doubt: str | None
) -> None:
    """This holds however certain the second try is; when both agree, the value is believed."""
    looks = iter([[numeral("14", sure=0.7)], [numeral(sign)]])
    monkeypatch.setattr(NumeralClassifier, "classify", lambda *args, again: next(looks))
    reading = Reader(kinds=frozenset({"d20"})).read(DrawnTray(seed=3, view=200).frame(0.0))
    assert (reading.values, reading.doubt) == ((int(sign),), doubt)


@pytest.mark.slow
@pytest.mark.parametrize("number", [13, 21])
def test_half_a_number_is_not_read_as_a_digit(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """A face may be misplaced slightly to any side, so that one of its two digits is in the middle."""
    tray = DrawnTray(seed=3, view=200)
    end = tray.throw(0.0, [DrawnDie("green", 20, "white", "d24", print=Print(UNSEEN[1]))], [number])
    for angle in np.arange(0, 2 * np.pi, np.pi / 4):
        away = 0.1 * np.array([np.cos(angle), np.sin(angle)])

        def displaced(answer: NDArray[np.float64], away: NDArray[np.float64] = away) -> list[Spot]:
            return [(x + away[0], y + away[1], *rest) for x, y, *rest in _find_tops(answer)]

        monkeypatch.setattr("vision.dice.classify_numerals._find_tops", displaced)
        reading = Reader(kinds=frozenset({"d24"})).read(tray.frame(end))
        assert reading.values == (number,) or not reading.sure


def test_a_readable_sign_makes_a_die_likelier() -> None:
    """The likelier the sign, the likelier the die, within bounds; an unreadable sign counts neither way."""
    clear, vague, blank = (numeral("8", die=0.5, sure=sure) for sure in (0.99, 0.7, 0.3))
    assert clear.die_chance == pytest.approx(vague.die_chance) == pytest.approx(blank.die_chance)
    assert 0.95 > clear.die_chance_of({"d20"}) > 0.9 > vague.die_chance_of({"d20"}) > vague.die_chance
    assert blank.die_chance_of({"d20"}) == pytest.approx(blank.die_chance)


@pytest.mark.parametrize(("kinds", "edges"), [({"d20"}, EDGES), ({"d20", "d6"}, BESIDE)])
def test_near_pips_no_other_die_is_missed(
    monkeypatch: pytest.MonkeyPatch, kinds: set[str], edges: tuple[int, ...]
) -> None:
    """Otherwise such a die might be read by what looks like pips on it, so more scales are searched at once."""
    find, scales = NumeralClassifier.detect, []

    def looked(
        numerals: NumeralClassifier, picture: NDArray[np.uint8], edges: tuple[int, ...] = EDGES
    ) -> list[Candidate]:
        scales.append(edges)
        return find(numerals, picture, edges)

    monkeypatch.setattr(NumeralClassifier, "detect", looked)
    tray = DrawnTray(seed=3, view=200)
    end = tray.throw(0.0, [DrawnDie("blue", 20, "white", "d20", print=Print(UNSEEN[0]))], [14])
    assert Reader(kinds=frozenset(kinds)).read(tray.frame(end)).values == (14,)
    assert scales[0] == edges


def test_the_measured_width_hardly_matters() -> None:
    """A slightly wrong width or position gives the same face on top, in the same place."""
    tray = DrawnTray(seed=3, view=200)
    end = tray.throw(0.0, [DrawnDie("blue", 20, "white", "d20", print=Print(UNSEEN[0]))], [14])
    frame = tray.frame(end)
    at = max(NumeralClassifier().detect(frame), key=lambda one: one.worth)
    for size, aside in ((0.94, 0.0), (1.06, 0.0), (1.0, -0.04), (1.0, 0.04)):
        other = replace(at, x=at.x + aside * at.size, size=size * at.size)
        (here,), (there,) = NumeralClassifier().classify(frame, [at]), NumeralClassifier().classify(frame, [other])
        assert np.hypot(here.tops[0].x - there.tops[0].x, here.tops[0].y - there.tops[0].y) < 0.06 * at.size
        assert here.face_chances({"d20"})[0][1:] == there.face_chances({"d20"})[0][1:] == ("d20", 14)


def test_only_a_face_in_doubt_is_checked_against_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clearly read face needs no neighbors; a blurred one does."""
    tray = DrawnTray(seed=3, view=200)
    end = tray.throw(0.0, [DrawnDie("blue", 20, "white", "d20", print=Print(UNSEEN[0]))], [14])
    plain = tray.frame(end)
    smeared = cv2.GaussianBlur(plain, (0, 0), 4.0).astype(np.uint8, copy=False)
    checked = []

    def agreed(*args: object) -> NDArray[np.float64]:
        checked.append(args)
        return np.ones(20)

    monkeypatch.setattr(NumeralClassifier, "_ask_neighbours", agreed)
    places = NumeralClassifier().detect(plain)[:1]
    NumeralClassifier().classify(plain, places)
    assert not checked
    NumeralClassifier().classify(smeared, places)
    assert checked


def test_a_square_is_shrunk_without_specks() -> None:
    """Single white pixels shrink to gray, wherever they are."""
    fine = np.zeros((400, 400, 3), np.uint8)
    fine[::5, ::5] = 255
    small = crop_square(fine, 200, 200, 320, CLOSE)
    assert small.shape == (CLOSE, CLOSE, 3)
    assert small.max() < 60
    assert small[5:35, 5:35].std() < 12
