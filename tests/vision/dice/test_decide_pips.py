"""Which dice with pips are believed, and which doubt is named otherwise."""

from dataclasses import replace

import numpy as np
import pytest

from vision.dice.decide_pips import JudgedPips, decide_pips, remeasure
from vision.dice.defects import FLAGS
from vision.dice.detect import Candidate
from vision.dice.thresholds import EVEN_HEAT, Limits
from vision.reading import DOUBTS


def look(
    value: int,
    x: float,
    *,
    size: float = 40,
    face: float = 0.999,
    sure: float = 0.99,
    heat: float = EVEN_HEAT,
    **flags: float,
) -> JudgedPips:
    """Return a candidate that is a face with probability `face` and then shows `value` with probability `sure`."""
    chances = np.full(7, face * (1 - sure) / 5)
    chances[value] = face * sure
    chances[0] = 1 - face
    return JudgedPips(Candidate(x, 200, size, heat), chances, np.array([flags.get(flag, 0.0) for flag in FLAGS]))


def judged(*looks: JudgedPips) -> tuple[list[int], str | None]:
    """Return the values and the doubt for a frame of 640x400."""
    dice, doubt = decide_pips(looks, 640, 400)
    return [one.value for one in dice], doubt


def test_what_counts_and_what_raises_a_question() -> None:
    # Clear dice are certain and read left to right.
    assert judged(look(6, 500), look(2, 100), look(4, 300)) == ([2, 4, 6], None)
    # An empty tray is named.
    assert judged() == ([], "none")
    # A candidate that is surely not a die neither counts nor asks.
    assert judged(look(2, 100), look(5, 300, face=0.01)) == ([2], None)
    # A die whose value is not clear is a question, and still offers its likeliest value.
    assert judged(look(2, 100), look(5, 300, sure=0.7)) == ([2, 5], "unclear")
    # A tray with a single doubtful thing is unclear, not empty.
    assert judged(look(3, 100, face=0.3)) == ([], "unclear")
    # A place that the detector hardly noticed needs a surer face to be believed.
    assert judged(look(3, 100, face=0.9, heat=0.8))[1] is None
    assert judged(look(3, 100, face=0.9, heat=0.3))[1] == "unclear"


@pytest.mark.parametrize("face", [0.3, 0.6])
def test_a_possible_die_raises_a_question(face: float) -> None:
    """A candidate that may or may not be a die is a question, whether or not it counts."""
    assert judged(look(2, 100), look(5, 300, face=face))[1] == "unclear"


def test_a_die_found_several_times_counts_once() -> None:
    # The same die found twice, at two scales, counts once: the better look wins.
    assert judged(look(4, 200, size=40), look(4, 206, size=50, face=0.9)) == ([4], None)
    # A smaller face within a die's reach is the die's own side: it neither counts nor asks.
    assert judged(look(1, 200, size=60, heat=0.8), look(5, 242, size=40, face=0.3)) == ([1], None)
    # Another value that is nearly as clear on the same die means that it leans: no value is believed unasked.
    assert judged(look(1, 200, size=60, heat=0.8), look(5, 242, size=40, face=0.6)) == ([1], "cocked")
    # A clear face too far from a large die's centre to be its side is a small die that touches it.
    assert judged(look(1, 200, size=60, heat=0.8), look(5, 242, size=40)) == ([1, 5], None)
    # The middle pip of a five, taken alone, looks like a one: it neither counts nor asks.
    assert judged(look(5, 200, size=60, heat=0.8), look(1, 200, size=20, face=0.9)) == ([5], None)
    # If the better look at a die is too wide, its tighter look counts and the die beside it is kept.
    wide, close = look(3, 200, size=69, heat=0.79), look(3, 201, size=37, heat=0.7)
    assert judged(wide, close, look(4, 230, size=29)) == ([3, 4], None)
    assert judged(wide, close) == ([3], None)


def test_faces_close_to_each_other() -> None:
    # If the pips of two dice together look like a face, the dice must be moved apart.
    dice = look(1, 200, heat=0.9), look(2, 242, heat=0.9)
    assert judged(*dice) == ([1, 2], None)
    assert judged(*dice, look(3, 221)) == ([1, 2], "touching")
    # Faces closer than flat dice can lie are asked about; with one die around both, it leans.
    faces = look(3, 200, heat=0.8), look(1, 230, heat=0.4)
    assert judged(*faces)[1] == "touching"
    assert judged(*faces, look(3, 214, size=66, sure=0.7))[1] == "cocked"
    assert judged(look(3, 200, heat=0.8), look(1, 233, heat=0.4))[1] is None
    assert judged(look(3, 200, heat=0.8), look(1, 230, heat=0.6))[1] is None
    # Two faces side by side are two dice, unless the detector is surer of one die around them.
    faces = look(1, 200, heat=0.6), look(5, 236, heat=0.55)
    assert judged(*faces)[1] is None
    assert judged(*faces, look(1, 218, size=78, sure=0.7, heat=0.7))[1] == "cocked"
    assert judged(*faces, look(1, 218, size=78, sure=0.7, heat=0.5))[1] is None
    # A group of dice that resembles a face neither counts nor asks.
    dice = look(1, 200, size=30, heat=0.8), look(2, 240, size=30, heat=0.8)
    assert judged(*dice, look(5, 220, size=90, face=0.9, sure=0.8)) == ([1, 2], None)
    # Touching dice stay two.
    assert judged(look(4, 200), look(4, 241)) == ([4, 4], None)


def test_a_die_at_the_edge_of_the_picture() -> None:
    # A small part beyond the picture's edge hides no pip: it asks only if the value is not quite clear.
    assert judged(look(2, 100), look(3, 626))[1] is None
    assert judged(look(2, 100), look(3, 626, sure=0.9))[1] == "edge"
    # A die half out of the picture asks.
    assert judged(look(2, 100), look(3, 630))[1] == "edge"
    assert judged(look(2, 100), look(6, 636, sure=0.999))[1] == "edge"
    # With at most a third cut off: a six is not part of another value, a four may be; that must be read clearly.
    for value, sure, doubt in ((6, 0.97, None), (1, 0.97, None), (4, 0.97, "edge"), (4, 0.999, None), (6, 0.9, "edge")):
        assert judged(look(2, 100), look(value, 632, sure=sure))[1] == doubt
    # Of a die mostly out of the picture too little is visible to be sure that it is one.
    assert judged(look(4, 300), look(2, 636, face=0.1)) == ([4], "edge")
    assert judged(look(4, 300), look(2, 600, face=0.1)) == ([4], None)
    assert judged(look(4, 300), look(2, 636, face=0.03, heat=0.4)) == ([4], None)
    assert judged(look(4, 300), look(2, 636, face=0.03, heat=0.6)) == ([4], "edge")
    assert judged(look(4, 300), look(2, 636, face=0.001, heat=0.6)) == ([4], None)


def test_a_badly_measured_die_gets_a_second_look_unless_it_is_a_side() -> None:
    # A doubtful thing wider or narrower than the dice beside it is measured again at their size.
    dice = [look(4, 100), look(2, 200, size=42), look(5, 300, size=38)]
    tight, wide, tiny, clear = (
        look(3, 400, size=28, face=0.1, heat=0.7),
        look(1, 500, size=60, sure=0.6),
        look(1, 550, size=12, face=0.4, heat=0.7),
        look(6, 600, size=60),
    )
    again = remeasure([*dice, tight, wide, tiny, clear], dice)
    assert again == {3: replace(tight.where, size=40), 4: replace(wide.where, size=40)}
    assert remeasure([tight], []) == {}
    # Nor does a look hidden by a believed die.
    die = look(4, 300)
    assert remeasure([die, look(2, 315, size=26, sure=0.5)], [die]) == {}


def test_a_far_smaller_die_raises_a_question() -> None:
    """Something much narrower than the other dice is not believed unasked; a 12 mm die beside 25 mm dice is."""
    assert judged(look(2, 100), look(3, 300), look(1, 500, size=15))[1] == "size"
    assert judged(look(2, 100), look(3, 300), look(1, 500, size=40 * 12 / 25))[1] is None


def test_every_doubt_has_its_advice() -> None:
    cases = [
        (),
        (look(2, 100, sure=0.6),),
        (look(3, 638),),
        (look(3, 100, heat=0.9), look(2, 105)),
        (look(3, 100, heat=0.9), look(3, 140, heat=0.9), look(6, 120)),
        (look(2, 100), look(2, 200), look(1, 300, size=9)),
    ]
    named = {judged(*case)[1] for case in cases}
    assert named == {"none", "unclear", "edge", "size", "cocked", "touching"}
    assert named <= set(DOUBTS)


def test_other_limits_give_other_results() -> None:
    doubted = look(2, 100), look(5, 300, sure=0.8)
    assert decide_pips(doubted, 640, 400)[1] == "unclear"
    assert decide_pips(doubted, 640, 400, Limits(sure=0.75))[1] is None
    third = look(2, 100), look(5, 300, face=0.35)
    assert decide_pips(third, 640, 400)[1] == "unclear"
    assert decide_pips(third, 640, 400, Limits(maybe=0.4))[1] is None
    assert [one.value for one in decide_pips(third, 640, 400, Limits(face=0.3))[0]] == [2, 5]


@pytest.mark.parametrize("flag", ["cocked", "stacked"])
def test_a_die_that_lies_badly_raises_a_question(flag: str) -> None:
    """However clear its face, the doubt is named; just below the limit it is believed."""
    assert judged(look(2, 100), look(5, 300, **{flag: 0.99})) == ([2, 5], flag)
    assert judged(look(2, 100), look(5, 300, **{flag: 0.6})) == ([2, 5], None)


def test_symbols_and_glare() -> None:
    # A die without pips is named; a thing that the detector hardly noticed is ignored.
    assert judged(look(2, 100), look(5, 300, face=0.01, heat=0.8, symbol=0.99)) == ([2], "symbol")
    assert judged(look(2, 100), look(5, 300, face=0.01, heat=0.3, symbol=0.99)) == ([2], None)
    assert judged(look(5, 300, face=0.01, heat=0.8, symbol=0.99)) == ([], "symbol")
    # A thing far larger than the dice is not one of those thrown; without other dice it may be.
    foreign = look(5, 300, size=70, face=0.01, heat=0.8, symbol=0.99)
    assert judged(look(2, 100), foreign) == ([2], None)
    assert judged(foreign) == ([], "symbol")
    # Only a die of its own shows a symbol.
    assert judged(look(2, 100), look(5, 110, face=0.01, heat=0.8, symbol=0.99)) == ([2], None)
    # Light on a clearly read die raises no doubt.
    assert judged(look(2, 100), look(5, 300, sure=0.7, glare=0.9)) == ([2, 5], "glare")
    assert judged(look(2, 100), look(5, 300, glare=0.9)) == ([2, 5], None)


def test_pips_and_heaps_of_dice() -> None:
    # Seen up close, each pip looks like a die with a one; the real die is the one around them.
    pips = [look(1, 300 + away, size=30, heat=0.8) for away in (-50, 0, 50)]
    assert judged(look(3, 300, size=180, heat=0.7), *pips) == ([3], None)
    # If the dice in it show other values, the large face is not real.
    small = [look(value, 300 + away, size=50, heat=0.8) for value, away in ((1, -60), (4, 0), (1, 60))]
    assert judged(look(3, 300, size=180, heat=0.7), *small)[0] == [1, 4, 1]
    # From above they look alike; two fully visible dice lie side by side.
    assert judged(look(2, 258, stacked=0.9), look(5, 300)) == ([2, 5], None)
    assert judged(look(2, 200, stacked=0.9), look(5, 300)) == ([2, 5], "stacked")


def test_an_unlikely_pip_does_not_hide_its_die() -> None:
    """One hot pip with an unbelievable value does not turn the die around it into a pile."""
    pips = [look(1, 350, size=30, heat=0.8), look(3, 250, size=30, face=0.6, sure=0.4)]
    assert judged(look(6, 300, size=180, heat=0.7), *pips) == ([6], None)


def test_other_possible_values_of_a_die() -> None:
    """They are in order of probability, down to the least worth naming."""
    chances = np.array([0.01, 0.001, 0.2, 0.02, 0.5, 0.26, 0.009])
    assert (5, 2, 3) == replace(look(4, 100), chances=chances).likely
    assert () == look(4, 100).likely
