"""Dice are matched by color, or there is a doubt."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.tiers import first
from tests.vision.tints import TINTS, die
from vision.matching import WantedDie, match_dice
from vision.reader import Reader
from vision.reading import DOUBT_ADVICE, DieReading, Face, Tint
from vision.synthetic.tray import SyntheticDie, SyntheticTray

RED, WHITE, BLUE, PLAIN = WantedDie(colour="red"), WantedDie(colour="white"), WantedDie(colour="blue"), WantedDie()


def order(seen: Sequence[DieReading], *wanted: WantedDie) -> tuple[Face | None, ...] | str:
    found = match_dice(seen, wanted)
    assert (found.doubt is None) == (found.advice is None)
    assert found.doubt is None or found.doubt in DOUBT_ADVICE
    return found.doubt or tuple(one.value for one in found.dice)


def test_dice_are_matched_by_color() -> None:
    # Colours give the order.
    red, white, blue = die(3, "red"), die(5, "white"), die(1, "blue")
    assert order([red, white], RED, WHITE) == order([white, red], RED, WHITE) == (3, 5)
    assert order([red, white], WHITE, RED) == (5, 3)
    assert order([blue, white, red], RED, WHITE, BLUE) == (3, 5, 1)
    # A purple and a pink die under a warm lamp are matched; a neutral lamp would explain them less well.
    assert order(
        [die(1, tint=(73, 31, 36)), die(2, tint=(53, 49, -15))], WantedDie(colour="purple"), WantedDie(colour="pink")
    ) == (2, 1)
    # A blue die is not white; of two reds and a white, two whites were expected.
    found = match_dice([die(2, "red"), die(4, "blue")], [RED, WHITE])
    assert found.advice == "The white die is missing: roll the dice asked for, or enter what they show."
    assert [one.value for one in found.dice] == [2, 4]
    assert order([die(2, "red"), die(4), die(5)], RED, RED, WHITE) == "colour"
    # Beside an expected red die, a plain one may be anything less red.
    assert order([die(5, "green"), die(2, "red")], PLAIN, RED) == (5, 2)
    assert order([die(5, "red"), die(2, "red")], PLAIN, RED) == "alike"
    assert order([die(5, "green"), die(2, "white")], PLAIN, RED) == "colour"
    # Unknown colour words and dice without a measured colour raise a doubt, never a guess.
    assert order([die(5, "green"), die(2, "red")], WantedDie(colour="teal"), WantedDie(colour="plaid")) == "alike"
    bare = [DieReading("d6", value, "red", (0, 0, 1, 1), 0.9) for value in (1, 2)]
    assert order(bare, RED, WHITE) == "alike"


@pytest.mark.parametrize(
    ("red", "white"),
    [
        ((40, 52, 50), (80, 12, 40)),  # Under a warm lamp.
        ((20, 36, 22), (44, 1, 4)),  # In dim light.
        ((46, 60, 24), (88, -2, -8)),  # Under a cold lamp.
        ((52, 34, 18), (90, 2, 4)),  # A pale red.
    ],
)
def test_the_redder_die_is_the_red_one(red: Tint, white: Tint) -> None:
    """The lamp's effect on both dice does not matter."""
    assert order([die(5, tint=white), die(3, tint=red)], RED, WHITE) == (3, 5)


def test_two_that_look_alike_are_asked_about() -> None:
    """Two indistinguishable dice keep their likeliest order, and the doubt names them."""
    brown, dark = die(2, tint=(30, 17, 16)), die(4, tint=(25, 24, 12))
    found = match_dice([brown, dark], [RED, WantedDie(colour="brown")])
    assert [one.value for one in found.dice] == [4, 2]
    assert (found.doubt, found.advice) == (
        "alike",
        "The red die and the brown die look alike: check which one shows what.",
    )


@pytest.mark.parametrize("colour", ["white", "blue", "red", "black", "green"])
def test_two_of_one_color_are_never_red_and_white(colour: str) -> None:
    """Where a color is missing nothing is believed, even if one of the two is slightly nearer to it."""
    light, a, b = TINTS[colour]
    assert order([die(2, colour), die(4, tint=(light, a + 3, b + 2))], RED, WHITE) in ("alike", "colour")
    assert order([die(2, colour), die(4, tint=(light + 12, a, b))], RED, WHITE) in ("alike", "colour")


def test_dice_that_need_not_be_distinguished() -> None:
    # Whatever colors the owner's dice have, and however they differ, they are read left to right.
    assert order([die(6, "green")], WHITE) == (6,)
    assert order([die(6, "green"), die(2, "red")], WHITE, WHITE) == (6, 2)
    assert order([die(6, "green"), die(2, "red")], PLAIN, PLAIN) == (6, 2)
    # Dice of one color are interchangeable.
    assert order([die(1), die(4, "red"), die(6)], WHITE, RED, WHITE) == (1, 4, 6)
    # Whichever of two fours belongs to the home seat, it is a four; with a three there is a doubt.
    home, away = WantedDie(owner="home"), WantedDie(owner="away")
    assert order([die(4), die(4)], home, away) == (4, 4)
    assert match_dice([die(4), die(3)], [home, away]).advice == (
        "Home's die and away's die look alike: check which one shows what."
    )


def test_dice_of_several_kinds() -> None:
    # Dice are matched by kind first; colors matter only among dice of one kind.
    pitch, twenty = die("S", "black", kind="pitch"), die(4, "red", kind="d20")
    white, red = die(3, "white"), die(5, "red")
    asked = WantedDie("pitch", "white", "away"), RED, WantedDie("d20"), WHITE
    assert ("S", 5, 4, 3) == order([white, twenty, red, pitch], *asked)
    assert (3, "S") == order([die("S", kind="pitch"), die(3)], WHITE, WantedDie("pitch", "white", "away"))
    assert (17, 4) == order([die(4), die(17, kind="d20")], WantedDie("d20", "red"), PLAIN)
    # The doubt names dice that look alike, and all stay in the order asked for.
    dark = [die(2, tint=(30, 17, 16), kind="d20"), die(14, tint=(25, 24, 12), kind="d20")]
    found = match_dice([dark[0], die(3), dark[1]], [WantedDie("d20", "red"), PLAIN, WantedDie("d20", "brown", "away")])
    assert "alike" == found.doubt
    assert "The red d20 and away's brown d20 look alike: check which one shows what." == found.advice
    assert [14, 3, 2] == [one.value for one in found.dice]
    # Kinds that cannot be read are entered.
    for seen in ([], [die(4)], [die(4), die(4)], [die(4, kind="d16")]):
        found = match_dice(seen, [WantedDie("d16")])
        assert ("kind", "I can't read a d16: enter it.", ()) == (found.doubt, found.advice, found.dice)


@pytest.mark.parametrize(
    ("seen", "wanted", "doubt", "advice"),
    [
        ("", "d6", "too-few", "I see no dice but expected 1."),
        ("d6", "d6 d6", "too-few", "I see 1 die but expected 2."),
        ("d6 d6 d6", "d6 d6", "too-many", "I see 3 dice but expected 2."),
        ("", "d20", "too-few", "I see no dice but expected a d20."),
        ("d6", "d6 pitch", "too-few", "I see a d6 but expected a d6 and a pitching die."),
        ("d20 d6", "d20", "too-many", "I see a d6 and a d20 but expected a d20."),
        ("d20 d20 d6 d8 d6", "d20", "too-many", "I see 2 d6, a d8 and 2 d20 but expected a d20."),
        ("d10", "d8", "kind", "I see a d10, not a d8: roll that, or enter it."),
        ("d10 d10", "d8", "kind", "I see 2 d10, not a d8: roll that, or enter it."),
        ("pitch pitch", "d6", "kind", "I see 2 pitching dice, not a d6: roll that, or enter it."),
    ],
)
def test_unexpected_dice_are_named_by_kind(seen: str, wanted: str, doubt: str, advice: str) -> None:
    """The advice says what is there and what should be; nothing is matched."""
    found = match_dice([die(1, kind=kind) for kind in seen.split()], [WantedDie(kind) for kind in wanted.split()])
    assert (doubt, ()) == (found.doubt, found.dice)
    assert advice == found.advice


def test_an_unread_letter_equals_no_other() -> None:
    asked = WantedDie("pitch", "red"), WantedDie("pitch", "brown")
    brown, dark = die("B", tint=(30, 17, 16), kind="pitch"), die("B", tint=(25, 24, 12), kind="pitch")
    assert ("B", "B") == order([brown, dark], *asked)
    assert "alike" == order([replace(brown, value=None), dark], *asked)


@given(
    st.data(), st.lists(st.sampled_from(["red", "white", "blue", "green", "yellow", "black"]), min_size=2, max_size=8)
)
def test_the_order_of_the_dice_does_not_matter(data: st.DataObject, colours: list[str]) -> None:
    """Each value goes to a die of its color, in any arrangement and with slight variations of color."""
    waver = st.tuples(st.integers(-8, 8), st.integers(-4, 4), st.integers(-4, 4))
    lying = []
    for place, colour in enumerate(colours):
        light, a, b = (sum(pair) for pair in zip(TINTS[colour], data.draw(waver), strict=True))
        lying.append(die(place, colour, tint=(light, a, b)))
    found = match_dice(data.draw(st.permutations(lying)), [WantedDie(colour=colour) for colour in colours])
    if len(set(colours)) > 1:
        assert found.doubt is None
        assert colours == [one.colour for one in found.dice]


tints = st.tuples(st.floats(0, 100), st.floats(-60, 60), st.floats(-60, 60))


@given(st.data(), st.lists(tints, min_size=2, max_size=5))
def test_a_doubt_does_not_depend_on_the_order(data: st.DataObject, found: list[Tint]) -> None:
    """The same dice in another arrangement give the same dice, or the same doubt."""
    lying = [die(value, tint=tint) for value, tint in enumerate(found)]
    words = st.sampled_from(["red", "white", "green", None])
    wanted = [WantedDie(colour=data.draw(words)) for _ in lying]
    shuffled = data.draw(st.permutations(lying))

    def named(seen: Sequence[DieReading]) -> str | set[tuple[str | None, Face | None]]:
        out = match_dice(seen, wanted)
        return out.doubt or {(want.colour, one.value) for want, one in zip(wanted, out.dice, strict=True)}

    assert named(lying) == named(shuffled)


# Pictures ------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader(kinds=frozenset({"d6"}))


LAMPS = {"plain": (1.0, 0.0), "warm": (1.0, 1.0), "cold": (1.0, -1.0), "dim": (0.6, 0.0), "dim and warm": (0.6, 1.0)}
"""Brightness and warmth of drawn lamps."""

SETS = (("red", "white"), ("blue", "white", "white"), ("red", "green", "black"), ("yellow", "blue", "red", "red"))


@pytest.mark.parametrize("colours", first(SETS), ids="-".join)
def test_thrown_dice_are_put_in_order(reader: Reader, colours: tuple[str, ...]) -> None:
    pips = {"white": "black", "yellow": "black"}
    for seed in range(2):
        tray = SyntheticTray(seed=seed)
        values = [(seed + 2 * place) % 6 + 1 for place in range(len(colours))]
        done = tray.throw_dice(
            0.0, [SyntheticDie(colour, pips=pips.get(colour, "white")) for colour in colours], values
        )
        pairs = sorted(zip(colours, values, strict=True))
        for lamp, (tray.light, tray.warmth) in LAMPS.items():
            reading = reader.read_dice(tray.render_frame(done))
            found = match_dice(reading.dice, [WantedDie(colour=colour) for colour in colours])
            assert found.doubt is None, lamp
            seen = sorted((colour, one.value or 0) for colour, one in zip(colours, found.dice, strict=True))
            assert pairs == seen, lamp


@pytest.mark.parametrize("colour", first(["white", "blue", "red"]))
def test_thrown_dice_of_one_color_are_asked_about(reader: Reader, colour: str) -> None:
    tray = SyntheticTray(seed=4)
    pips = "black" if colour == "white" else "white"
    done = tray.throw_dice(0.0, [SyntheticDie(colour, pips=pips)] * 2, [2, 5])
    for lamp, (tray.light, tray.warmth) in LAMPS.items():
        assert order(reader.read_dice(tray.render_frame(done)).dice, RED, WHITE) in ("alike", "colour"), lamp
