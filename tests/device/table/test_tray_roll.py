"""The roll that is about to count: shown first, held by a doubt, and thrown for what is asked."""

from __future__ import annotations

from dataclasses import replace

import pytest

from device.storage.store import Store, StoreError
from device.table.proposed_roll import Seen
from device.table.session import Keeper
from engine.dice import Die
from engine.errors import IllegalAnswer, StaleAnswer
from engine.journal import Answer
from tests.device.stored_games import Clock, board, duel, seen
from tests.engine import duel_game as rules
from tests.vision.tints import die
from vision import reading


def test_a_sure_roll_is_shown_and_then_counts(keeper: Keeper, clock: Clock) -> None:
    """The reading stands on every face for a moment before it becomes the answer."""
    keeper.answer("away", 0, "bat", "phone")
    clock.now = 103
    keeper.saw(seen(2))
    shown = keeper.view(None)["proposal"]
    assert (shown["faces"], shown["words"], shown["sure"], shown["seconds"]) == ([2], "2", True, 1.5)
    assert board(keeper)["bases"] == [None, None, None]
    clock.now = 104.4
    keeper.tick()
    assert board(keeper)["bases"] == [None, None, None]
    clock.now = 104.5
    keeper.tick()
    assert board(keeper)["bases"] == ["Pip Marlowe", None, None]
    assert keeper.view(None)["proposal"] is None


def test_ok_for_a_roll_that_just_counted_answers_nothing_else(keeper: Keeper, clock: Clock) -> None:
    """A press too late for "OK now", which stood on the display until it counted, is not for what is asked since."""
    keeper.answer("away", 0, "bat", "phone")
    clock.now = 103
    keeper.saw(seen(2))
    clock.now = 104.5
    keeper.tick()
    clock.now = 104.6
    with pytest.raises(IllegalAnswer, match="had counted already"):
        keeper.press("away")
    assert 2 == len(keeper.table.answers)
    clock.now = 105.1
    keeper.press("away")
    assert 3 == len(keeper.table.answers)


def test_ok_for_a_roll_that_could_not_count_is_taken(
    keeper: Keeper, clock: Clock, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk was full as its time came: it is shown again, and OK at once is for it."""

    def full(*_: object) -> None:
        raise StoreError("The disk is full.")

    keeper.answer("away", 0, "bat", "phone")
    clock.now = 103
    keeper.saw(seen(2))
    clock.now = 104.5
    with monkeypatch.context() as patch:
        patch.setattr(store, "append", full)
        keeper.tick()
    clock.now = 104.6
    keeper.press("away")
    assert board(keeper)["dice"] == [2]


def test_a_doubtful_roll_waits_for_a_person(keeper: Keeper, clock: Clock) -> None:
    """A doubt never counts by itself; it says what to do, and the buttons can confirm or mend it."""
    keeper.answer("away", 0, "bat", "phone")
    clock.now = 103
    keeper.saw(seen(4, doubt="cocked"))
    clock.now = 1000
    keeper.tick()
    shown = keeper.view(None)["proposal"]
    assert (shown["faces"], shown["sure"], shown["advice"]) == ([4], False, "Advice on cocked.")
    keeper.turn("away", 1)
    assert keeper.view(None)["proposal"]["faces"] == [5]
    keeper.press("away")
    assert board(keeper)["dice"] == [5]


def test_turning_the_dial_stops_a_sure_roll(keeper: Keeper, clock: Clock) -> None:
    """A misread that looked sure is held by one press, mended, and counts only when confirmed."""
    keeper.answer("away", 0, "bat", "phone")
    clock.now = 103
    keeper.saw(seen(4))
    keeper.turn("away", -1)
    clock.now = 200
    keeper.tick()
    assert board(keeper)["dice"] == []
    keeper.press("away")
    assert board(keeper)["dice"] == [3]


def test_ok_takes_a_shown_roll_at_once(keeper: Keeper, clock: Clock) -> None:
    """Whoever cannot wait presses OK."""
    keeper.answer("away", 0, "bat", "phone")
    clock.now = 103
    keeper.saw(seen(6))
    keeper.press("away")
    assert board(keeper)["dice"] == [6]


@pytest.mark.parametrize(("values", "doubt"), [((), "too-few"), ((2, 5), "too-many")])
def test_the_wrong_number_of_dice_is_a_doubt(keeper: Keeper, clock: Clock, values: tuple[int, ...], doubt: str) -> None:
    """More or fewer dice than asked for are never taken by themselves."""
    keeper.answer("away", 0, "bat", "phone")
    clock.now = 103
    keeper.saw(seen(*values))
    assert keeper.view(None)["proposal"]["doubt"] == doubt


def test_dice_thrown_before_they_were_asked_for_do_not_count(keeper: Keeper, clock: Clock) -> None:
    """A declaration is locked before its die: dice already rolling when the choice was made are refused in words."""
    clock.now = 101
    keeper.answer("away", 0, "bat", "phone")
    keeper.saw(seen(2, began=100.9))
    assert keeper.view(None)["proposal"] is None
    assert "too early" in keeper.view(None)["notice"]


def touched(*values: int, doubt: str | None = None) -> Seen:
    return replace(seen(*values, began=104.0, doubt=doubt), touched=True)


def test_a_die_turned_while_its_roll_is_shown_is_asked_about(keeper: Keeper, clock: Clock) -> None:
    """The shown roll does not count by itself any more; a doubtful one whose die was laid flat does."""
    keeper.answer("away", 0, "bat", "phone")
    clock.now = 103
    keeper.saw(seen(2))
    keeper.saw(touched(5, doubt="turned"))
    clock.now = 110
    keeper.tick()
    assert keeper.view(None)["proposal"]["doubt"] == "turned"
    keeper.reject()
    keeper.saw(seen(2, doubt="cocked"))
    keeper.saw(touched(5))
    clock.now = 112
    keeper.tick()
    assert board(keeper)["dice"] == [5]


def test_dice_touched_after_they_counted_are_no_throw(keeper: Keeper, clock: Clock) -> None:
    """What a hand does to old dice is not taken for the next roll, sure or not: they were not thrown."""
    keeper.answer("away", 0, "bat", "phone")
    clock.now = 103
    for seen_again in (touched(5), touched(5, doubt="turned"), touched(5, doubt="cocked")):
        keeper.saw(seen_again)
        assert keeper.view(None)["proposal"] is None
        assert keeper.view(None)["notice"] == "The dice were touched, not thrown: throw them."


def test_a_die_too_many_that_is_taken_out(keeper: Keeper, clock: Clock) -> None:
    """Of two dice for one no face is offered; the one that is left is, to be confirmed."""
    keeper.answer("away", 0, "bat", "phone")
    clock.now = 103
    keeper.saw(seen(4, 2))
    shown = keeper.view(None)["proposal"]
    assert (shown["doubt"], shown["faces"]) == ("too-many", [])
    assert shown["advice"] == "I see 2 dice, one die should be in the tray."
    keeper.saw(touched(2))
    clock.now = 110
    keeper.tick()
    shown = keeper.view(None)["proposal"]
    assert (shown["faces"], shown["sure"]) == ([2], False)
    assert shown["advice"] == "A die was taken out: confirm what is left, or throw again."
    keeper.accept()
    assert board(keeper)["dice"] == [2]
    keeper.saw(seen(4, 4))
    assert keeper.view(None)["proposal"] is None


def test_dice_too_many_that_agree_are_offered(keeper: Keeper, clock: Clock) -> None:
    """Whichever of two dice is taken out, the other shows the same."""
    keeper.answer("away", 0, "bat", "phone")
    clock.now = 103
    keeper.saw(seen(4, 4))
    shown = keeper.view(None)["proposal"]
    assert (shown["doubt"], shown["faces"]) == ("too-many", [4])


def test_dice_picked_up_one_by_one_say_nothing(store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Taking dice away changes neither the roll that is shown nor, once it counted, what is said."""
    monkeypatch.setattr(rules, "DICE", (Die(), Die()))
    keeper = duel(store, clock)
    clock.now = 103
    keeper.saw(seen(4, 2))
    before = keeper.view(None)["proposal"]
    keeper.saw(touched(2))
    assert keeper.view(None)["proposal"] == before
    keeper.reject()
    keeper.saw(seen(4, 2))
    keeper.press("home")
    keeper.saw(touched(2))
    assert keeper.view(None)["notice"] is None


def test_one_die_of_two_is_a_die_too_few(store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """One die is named as one."""
    monkeypatch.setattr(rules, "DICE", (Die(), Die()))
    keeper = duel(store, clock)
    clock.now = 103
    keeper.saw(seen(4))
    assert keeper.view(None)["proposal"]["advice"] == "I see 1 die, 2 dice should be in the tray."


def test_both_doubts_are_told(keeper: Keeper, clock: Clock) -> None:
    """A doubt about the picture does not hide that there are too many dice."""
    keeper.answer("away", 0, "bat", "phone")
    clock.now = 103
    keeper.saw(seen(4, 2, doubt="cocked"))
    shown = keeper.view(None)["proposal"]
    assert shown["doubt"] == "cocked"
    assert shown["advice"] == "Advice on cocked. I see 2 dice, one die should be in the tray."


def test_a_throw_before_the_choice_says_choose_first(keeper: Keeper) -> None:
    """Dice on the table while a choice is open change nothing."""
    keeper.saw(seen(2))
    assert keeper.view(None)["notice"] == "Choose first, then throw."
    assert keeper.view(None)["table"]["version"] == 0


def test_the_same_dice_do_not_count_again_after_an_undo(keeper: Keeper, clock: Clock) -> None:
    """After taking back a roll the dice that still lie there are old."""
    keeper.answer("away", 0, "bat", "phone")
    clock.now = 103
    keeper.saw(seen(2))
    keeper.press("away")
    clock.now = 105
    keeper.undo()
    assert keeper.view(None)["table"]["asks"][0]["n"] == 1
    keeper.saw(seen(2, began=101.0))
    assert keeper.view(None)["proposal"] is None


def test_dice_on_their_way_during_a_correction_do_not_count(keeper: Keeper, clock: Clock) -> None:
    """The die was thrown for what was asked before the correction: it is thrown again for what is asked now."""
    for n, value in enumerate(("bat", [2], "bat")):
        keeper.answer("away", n, value, "phone")
    clock.now = 103
    keeper.amend(1, [5])
    keeper.saw(seen(6, began=102.0))
    assert keeper.view(None)["proposal"] is None
    assert "too early" in keeper.view(None)["notice"]


def test_a_reading_without_faces_is_not_confirmed(keeper: Keeper, clock: Clock) -> None:
    """OK on dice nobody could read enters nothing."""
    keeper.answer("away", 0, "bat", "phone")
    clock.now = 103
    keeper.saw(seen(doubt="cocked"))
    with pytest.raises(IllegalAnswer, match="turn to what they show"):
        keeper.press("away")


def test_a_correction_drops_the_shown_roll(keeper: Keeper, clock: Clock) -> None:
    """What a roll was thrown for may have changed: it must be thrown or typed anew."""
    for n, value in enumerate(("bat", [2], "bat")):
        keeper.answer("away", n, value, "phone")
    clock.now = 103
    keeper.saw(seen(6))
    keeper.amend(1, [5])
    clock.now = 200
    keeper.tick()
    assert keeper.view(None)["proposal"] is None
    assert len(keeper.rolls()) == 1


def test_a_shown_roll_can_be_refused(keeper: Keeper, clock: Clock) -> None:
    """The roll that is meant is dropped, and only that one: a phone that is late drops none."""
    keeper.answer("away", 0, "bat", "phone")
    clock.now = 103
    keeper.saw(seen(2))
    with pytest.raises(StaleAnswer):
        keeper.reject(0)
    keeper.reject(1)
    clock.now = 110
    keeper.tick()
    assert keeper.rolls() == []
    with pytest.raises(StaleAnswer):
        keeper.reject(1)


def test_dice_a_camera_cannot_tell_apart_are_asked_about(store: Store, clock: Clock) -> None:
    """Values read off other kinds of dice, or off dice whose owner matters, never count by themselves."""
    keeper = duel(store, clock)
    clock.now = 103
    keeper.saw(seen(2, 3, 4))
    shown = keeper.view(None)["proposal"]
    assert (shown["doubt"], shown["faces"]) == ("kind", [])
    keeper.saw(seen(2, 3, doubt="unclear"))
    shown = keeper.view(None)["proposal"]
    assert (shown["doubt"], shown["faces"]) == ("kind", [])
    assert "I see 2 d6, not a d6, a d10 and a pitching die: throw that, or type it." == shown["advice"]
    clock.now = 200
    keeper.tick()
    assert keeper.rolls() == []


RED, TEN, PITCH = die(4, "red"), die(10, kind="d10", x=60), die("S", kind="pitch", x=120)
"""A die of each kind that the duel asks for, in the order of its ask."""


def test_dice_of_several_kinds_count_in_the_order_of_the_ask(store: Store, clock: Clock) -> None:
    """Wherever each lies: by its kind, and a lone die of a kind may have any colour."""
    keeper = duel(store, clock)
    clock.now = 103
    keeper.saw(Seen((PITCH, die(10, "green", kind="d10", x=60), RED), 101.0))
    shown = keeper.view(None)["proposal"]
    assert ([4, 10, "S"], True) == (shown["faces"], shown["sure"])
    clock.now = 110
    keeper.tick()
    assert Answer("home", 6, (4, 10, "S")) == keeper.table.journal[-1]


@pytest.mark.parametrize(
    ("dice", "doubt", "faces"),
    [
        ((PITCH, RED), "too-few", [4]),
        ((PITCH, TEN), "too-few", []),
        ((RED, TEN, PITCH, die(2, x=180)), "too-many", []),
        ((RED, TEN, PITCH, die(17, kind="d20", x=180)), "too-many", [4, 10, "S"]),
        ((RED, die(8, kind="d8"), PITCH), "kind", [4]),
    ],
)
def test_of_other_dice_than_asked_the_first_are_offered(
    store: Store, clock: Clock, dice: tuple[reading.Die, ...], doubt: str, faces: list[int | str]
) -> None:
    """As far as they are known: no face of another kind is taken for one."""
    keeper = duel(store, clock)
    clock.now = 103
    keeper.saw(Seen(dice, 101.0))
    shown = keeper.view(None)["proposal"]
    assert (doubt, faces) == (shown["doubt"], shown["faces"])


def test_the_likeliest_faces_of_such_dice_come_first(store: Store, clock: Clock) -> None:
    """The camera's second guesses; of a die that was not found, what lies there that is none of the others."""
    keeper = duel(store, clock)
    clock.now = 103
    unsure = Seen((replace(RED, likely=(3,)), replace(TEN, confidence=0.4, likely=(6, 9)), PITCH), 101.0, "unclear")
    keeper.saw(unsure)
    shown = keeper.view(None)["proposal"]
    assert [[3, 1, 2, 5, 6], [6, 9, 1, 2, 3, 4, 5, 7, 8], ["B", "C"]] == shown["likely"]
    assert [True, False, True] == shown["clear"]
    keeper.turn("home", 1)
    assert "Red die: 3" == keeper.view(None)["dial"]["label"]
    keeper.saw(Seen((RED, die(8, kind="d8"), PITCH), 101.0))
    assert 8 == keeper.view(None)["proposal"]["likely"][1][0]
    keeper.saw(Seen((die(2, "red"), die(5, "red"), PITCH), 101.0))
    assert [1, 2, 3] == keeper.view(None)["proposal"]["likely"][1][:3]


@pytest.fixture
def mixed(store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Keeper:
    """A duel that wants a red die, home's white one and a blue one, at that roll, which is ask 6."""
    dice = Die(colour="red"), Die(colour="white", owner="home"), Die(colour="blue")
    monkeypatch.setattr(rules, "DICE", dice)
    keeper = duel(store, clock)
    clock.now = 103
    return keeper


def thrown(*colours: str, doubt: str | None = None) -> Seen:
    """Dice of these colours, showing 1, 2, 3 from left to right."""
    dice = (die(place + 1, colour, x=60 * place) for place, colour in enumerate(colours))
    return Seen(tuple(dice), 101.0, doubt, doubt and f"Advice on {doubt}.")


def test_dice_of_several_colours_count_in_the_order_of_the_ask(mixed: Keeper, clock: Clock) -> None:
    """Wherever each die lies, the journal holds its face where the rules look for it."""
    mixed.saw(thrown("blue", "red", "white"))
    shown = mixed.view(None)["proposal"]
    assert (shown["faces"], shown["sure"]) == ([2, 3, 1], True)
    assert shown["words"] == "red die 2, white die 3, blue die 1"
    clock.now = 110
    mixed.tick()
    assert mixed.rolls()[0]["value"] == [2, 3, 1]
    assert mixed.table.journal[-1] == Answer("home", 6, (2, 3, 1))


def test_dice_that_look_alike_wait_for_a_person(store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """The likeliest order is offered, to be confirmed or turned; it never counts by itself."""
    monkeypatch.setattr(rules, "DICE", (Die(colour="red"), Die(colour="brown", owner="home")))
    keeper = duel(store, clock)
    clock.now = 103
    keeper.saw(Seen((die(2, tint=(30, 17, 16)), die(4, tint=(25, 24, 12), x=60)), 101.0))
    shown = keeper.view(None)["proposal"]
    assert (shown["doubt"], shown["faces"]) == ("alike", [4, 2])
    assert shown["advice"] == "The red die and home's brown die look alike: check which one shows what."
    assert keeper.view(None)["dial"]["label"] == "Red die: 4"
    clock.now = 1000
    keeper.tick()
    assert keeper.rolls() == []
    keeper.accept()
    assert keeper.rolls()[0]["value"] == [4, 2]


def test_a_die_of_the_wrong_colour_is_asked_about(mixed: Keeper) -> None:
    """Green is not white: the dice are not those that are asked for."""
    mixed.saw(thrown("blue", "red", "green"))
    shown = mixed.view(None)["proposal"]
    assert (shown["doubt"], shown["seconds"]) == ("colour", None)
    assert shown["advice"].startswith("Home's white die is not seen")


def test_a_doubtful_reading_of_several_colours_is_offered_in_order(mixed: Keeper) -> None:
    """What the camera is not sure of is still shown where it belongs, under its own doubt."""
    mixed.saw(thrown("blue", "red", "white", doubt="cocked"))
    shown = mixed.view(None)["proposal"]
    assert (shown["doubt"], shown["advice"], shown["faces"]) == ("cocked", "Advice on cocked.", [2, 3, 1])


@pytest.mark.parametrize(
    ("colours", "doubt"), [(("red", "blue"), "too-few"), (("red", "blue", "white", "white"), "too-many")]
)
def test_of_a_wrong_number_of_colours_none_is_offered(mixed: Keeper, colours: tuple[str, ...], doubt: str) -> None:
    """With a die too few or too many nobody knows which are which."""
    mixed.saw(thrown(*colours))
    shown = mixed.view(None)["proposal"]
    assert (shown["doubt"], shown["faces"]) == (doubt, [])


def test_the_colour_of_a_lone_die_does_not_matter(keeper: Keeper, clock: Clock) -> None:
    """Whoever owns only a green die plays with it."""
    keeper.answer("away", 0, "bat", "phone")
    clock.now = 103
    keeper.saw(Seen((die(4, "green"),), 101.0))
    assert keeper.view(None)["proposal"]["sure"]


def test_a_typed_roll_wins_over_the_shown_one(keeper: Keeper, clock: Clock) -> None:
    """When a phone answers while a reading is shown, the reading is gone and never counts for the next ask."""
    keeper.answer("away", 0, "bat", "phone")
    clock.now = 103
    keeper.saw(seen(2))
    keeper.answer("away", 1, [6], "phone")
    clock.now = 110
    keeper.tick()
    assert keeper.view(None)["proposal"] is None
    assert keeper.view(None)["table"]["version"] == 2
