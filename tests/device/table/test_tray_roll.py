"""The proposed roll: shown first, held if in doubt, and used for the open ask."""

from __future__ import annotations

from dataclasses import replace

import pytest

from device.storage.store import Store, StoreError
from device.table.session import Session
from device.table.throw_match import SeenThrow
from engine.dice import Die
from engine.errors import IllegalAnswer, StaleAnswer
from engine.journal import Answer
from engine.views import plain
from tests.device.stored_games import Clock, board, duel, seen
from tests.engine.sample_games import duel_game as rules
from tests.vision.tints import die
from vision import reading


def test_a_certain_roll_is_shown_and_then_counts(session: Session, clock: Clock) -> None:
    """Every display shows the reading for a moment before it becomes the answer."""
    session.answer("away", 0, "bat", "phone")
    clock.now = 103
    session.saw(seen(2))
    shown = plain(session.view(None))["proposal"]
    assert (shown["faces"], shown["words"], shown["sure"], shown["seconds"]) == ([2], "2", True, 1.5)
    assert board(session)["bases"] == [None, None, None]
    clock.now = 104.4
    session.tick()
    assert board(session)["bases"] == [None, None, None]
    clock.now = 104.5
    session.tick()
    assert board(session)["bases"] == ["Pip Marlowe", None, None]
    assert plain(session.view(None))["proposal"] is None


def test_a_late_ok_does_not_answer_the_next_ask(session: Session, clock: Clock) -> None:
    """The press was meant for "OK now", which was shown until the roll counted."""
    session.answer("away", 0, "bat", "phone")
    clock.now = 103
    session.saw(seen(2))
    clock.now = 104.5
    session.tick()
    clock.now = 104.6
    with pytest.raises(IllegalAnswer, match="had counted already"):
        session.press("away")
    assert 2 == len(session.table.answers)
    clock.now = 105.1
    session.press("away")
    assert 3 == len(session.table.answers)


def test_ok_counts_a_roll_that_could_not_be_stored(
    session: Session, clock: Clock, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk was full when it was due: it is shown again, and an immediate OK counts it."""

    def full(*_: object) -> None:
        raise StoreError("The disk is full.")

    session.answer("away", 0, "bat", "phone")
    clock.now = 103
    session.saw(seen(2))
    clock.now = 104.5
    with monkeypatch.context() as patch:
        patch.setattr(store, "append", full)
        session.tick()
    clock.now = 104.6
    session.press("away")
    assert board(session)["dice"] == [2]


def test_a_doubtful_roll_waits_for_confirmation(session: Session, clock: Clock) -> None:
    """It never counts by itself; it says what to do, and buttons can confirm or correct it."""
    session.answer("away", 0, "bat", "phone")
    clock.now = 103
    session.saw(seen(4, doubt="cocked"))
    clock.now = 1000
    session.tick()
    shown = plain(session.view(None))["proposal"]
    assert (shown["faces"], shown["sure"], shown["advice"]) == ([4], False, "Advice on cocked.")
    session.turn("away", 1)
    assert plain(session.view(None))["proposal"]["faces"] == [5]
    session.press("away")
    assert board(session)["dice"] == [5]


def test_moving_the_cursor_stops_a_certain_roll(session: Session, clock: Clock) -> None:
    """One press holds a misread roll; it is corrected, and counts only after confirmation."""
    session.answer("away", 0, "bat", "phone")
    clock.now = 103
    session.saw(seen(4))
    session.turn("away", -1)
    clock.now = 200
    session.tick()
    assert board(session)["dice"] == []
    session.press("away")
    assert board(session)["dice"] == [3]


def test_ok_counts_a_shown_roll_at_once(session: Session, clock: Clock) -> None:
    session.answer("away", 0, "bat", "phone")
    clock.now = 103
    session.saw(seen(6))
    session.press("away")
    assert board(session)["dice"] == [6]


@pytest.mark.parametrize(("values", "doubt"), [((), "too-few"), ((2, 5), "too-many")])
def test_the_wrong_number_of_dice_is_a_doubt(
    session: Session, clock: Clock, values: tuple[int, ...], doubt: str
) -> None:
    """More or fewer dice than the roll needs never count by themselves."""
    session.answer("away", 0, "bat", "phone")
    clock.now = 103
    session.saw(seen(*values))
    assert plain(session.view(None))["proposal"]["doubt"] == doubt


def test_dice_thrown_before_the_ask_do_not_count(session: Session, clock: Clock) -> None:
    """A choice comes before its die: dice already rolling when the choice was made are refused."""
    clock.now = 101
    session.answer("away", 0, "bat", "phone")
    session.saw(seen(2, began=100.9))
    assert plain(session.view(None))["proposal"] is None
    assert "too early" in plain(session.view(None))["notice"]


def touched(*values: int, doubt: str | None = None) -> SeenThrow:
    return replace(seen(*values, began=104.0, doubt=doubt), touched=True)


def test_a_die_turned_while_its_roll_is_shown_makes_the_table_ask(session: Session, clock: Clock) -> None:
    """The shown roll no longer counts by itself; a doubtful one whose die was laid flat does."""
    session.answer("away", 0, "bat", "phone")
    clock.now = 103
    session.saw(seen(2))
    session.saw(touched(5, doubt="turned"))
    clock.now = 110
    session.tick()
    assert plain(session.view(None))["proposal"]["doubt"] == "turned"
    session.reject()
    session.saw(seen(2, doubt="cocked"))
    session.saw(touched(5))
    clock.now = 112
    session.tick()
    assert board(session)["dice"] == [5]


def test_dice_touched_after_they_counted_are_not_a_throw(session: Session, clock: Clock) -> None:
    """Dice that a hand only moves are not read as the next roll, certain or not."""
    session.answer("away", 0, "bat", "phone")
    clock.now = 103
    for seen_again in (touched(5), touched(5, doubt="turned"), touched(5, doubt="cocked")):
        session.saw(seen_again)
        assert plain(session.view(None))["proposal"] is None
        assert plain(session.view(None))["notice"] == "The dice were touched, not thrown: throw them."


def test_removing_an_extra_die(session: Session, clock: Clock) -> None:
    """With two dice for one, no face is offered; after one is removed, the other is offered for confirmation."""
    session.answer("away", 0, "bat", "phone")
    clock.now = 103
    session.saw(seen(4, 2))
    shown = plain(session.view(None))["proposal"]
    assert (shown["doubt"], shown["faces"]) == ("too-many", [])
    assert shown["advice"] == "I see 2 dice, one die should be in the tray."
    session.saw(touched(2))
    clock.now = 110
    session.tick()
    shown = plain(session.view(None))["proposal"]
    assert (shown["faces"], shown["sure"]) == ([2], False)
    assert shown["advice"] == "A die was taken out: confirm what is left, or throw again."
    session.accept()
    assert board(session)["dice"] == [2]
    session.saw(seen(4, 4))
    assert plain(session.view(None))["proposal"] is None


def test_equal_extra_dice_are_offered(session: Session, clock: Clock) -> None:
    """Whichever of two dice is removed, the other shows the same."""
    session.answer("away", 0, "bat", "phone")
    clock.now = 103
    session.saw(seen(4, 4))
    shown = plain(session.view(None))["proposal"]
    assert (shown["doubt"], shown["faces"]) == ("too-many", [4])


def test_picking_up_dice_changes_nothing(store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the proposed roll nor, once it has counted, the notice."""
    monkeypatch.setattr(rules, "DICE", (Die(), Die()))
    session = duel(store, clock)
    clock.now = 103
    session.saw(seen(4, 2))
    before = plain(session.view(None))["proposal"]
    session.saw(touched(2))
    assert plain(session.view(None))["proposal"] == before
    session.reject()
    session.saw(seen(4, 2))
    session.press("home")
    session.saw(touched(2))
    assert plain(session.view(None))["notice"] is None


def test_one_die_of_two_is_one_too_few(store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "DICE", (Die(), Die()))
    session = duel(store, clock)
    clock.now = 103
    session.saw(seen(4))
    assert plain(session.view(None))["proposal"]["advice"] == "I see 1 die, 2 dice should be in the tray."


def test_both_doubts_are_shown(session: Session, clock: Clock) -> None:
    """A doubt about the picture does not hide that there are too many dice."""
    session.answer("away", 0, "bat", "phone")
    clock.now = 103
    session.saw(seen(4, 2, doubt="cocked"))
    shown = plain(session.view(None))["proposal"]
    assert shown["doubt"] == "cocked"
    assert shown["advice"] == "Advice on cocked. I see 2 dice, one die should be in the tray."


def test_a_throw_before_the_choice_gets_a_notice(session: Session) -> None:
    """It says to choose first; the dice change nothing."""
    session.saw(seen(2))
    assert plain(session.view(None))["notice"] == "Choose first, then throw."
    assert plain(session.view(None))["table"]["version"] == 0


def test_old_dice_do_not_count_after_an_undo(session: Session, clock: Clock) -> None:
    session.answer("away", 0, "bat", "phone")
    clock.now = 103
    session.saw(seen(2))
    session.press("away")
    clock.now = 105
    session.undo()
    assert plain(session.view(None))["table"]["asks"][0]["n"] == 1
    session.saw(seen(2, began=101.0))
    assert plain(session.view(None))["proposal"] is None


def test_dice_rolling_during_a_correction_do_not_count(session: Session, clock: Clock) -> None:
    """The die was thrown for the ask before the correction, and must be thrown again for the new one."""
    for n, value in enumerate(("bat", [2], "bat")):
        session.answer("away", n, value, "phone")
    clock.now = 103
    session.amend(1, [5])
    session.saw(seen(6, began=102.0))
    assert plain(session.view(None))["proposal"] is None
    assert "too early" in plain(session.view(None))["notice"]


def test_an_unread_roll_cannot_be_confirmed(session: Session, clock: Clock) -> None:
    """OK on unread dice enters nothing."""
    session.answer("away", 0, "bat", "phone")
    clock.now = 103
    session.saw(seen(doubt="cocked"))
    with pytest.raises(IllegalAnswer, match="turn to what they show"):
        session.press("away")


def test_a_correction_drops_the_shown_roll(session: Session, clock: Clock) -> None:
    """The ask of a roll may have changed: it must be thrown or typed again."""
    for n, value in enumerate(("bat", [2], "bat")):
        session.answer("away", n, value, "phone")
    clock.now = 103
    session.saw(seen(6))
    session.amend(1, [5])
    clock.now = 200
    session.tick()
    assert plain(session.view(None))["proposal"] is None
    assert len(plain(session.rolls())) == 1


def test_a_shown_roll_can_be_refused(session: Session, clock: Clock) -> None:
    """Only the roll on screen is refused: a late request from a phone has no effect."""
    session.answer("away", 0, "bat", "phone")
    clock.now = 103
    session.saw(seen(2))
    with pytest.raises(StaleAnswer):
        session.reject(0)
    session.reject(1)
    clock.now = 110
    session.tick()
    assert plain(session.rolls()) == []
    with pytest.raises(StaleAnswer):
        session.reject(1)


def test_dice_the_camera_cannot_assign_make_the_table_ask(store: Store, clock: Clock) -> None:
    """Values of other kinds of dice, or of dice whose owner matters, never count by themselves."""
    session = duel(store, clock)
    clock.now = 103
    session.saw(seen(2, 3, 4))
    shown = plain(session.view(None))["proposal"]
    assert (shown["doubt"], shown["faces"]) == ("kind", [])
    session.saw(seen(2, 3, doubt="unclear"))
    shown = plain(session.view(None))["proposal"]
    assert (shown["doubt"], shown["faces"]) == ("kind", [])
    assert "I see 2 d6, not a d6, a d10 and a pitching die: throw that, or type it." == shown["advice"]
    clock.now = 200
    session.tick()
    assert plain(session.rolls()) == []


RED, TEN, PITCH = die(4, "red"), die(10, kind="d10", x=60), die("S", kind="pitch", x=120)
"""A die of each kind that the duel asks for, in the order of the ask."""


def test_dice_of_several_kinds_count_in_the_order_of_the_ask(store: Store, clock: Clock) -> None:
    """Wherever each lies, it is matched by its kind; the only die of a kind may have any color."""
    session = duel(store, clock)
    clock.now = 103
    session.saw(SeenThrow((PITCH, die(10, "green", kind="d10", x=60), RED), 101.0))
    shown = plain(session.view(None))["proposal"]
    assert ([4, 10, "S"], True) == (shown["faces"], shown["sure"])
    clock.now = 110
    session.tick()
    assert Answer("home", 6, (4, 10, "S")) == session.table.journal[-1]


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
def test_matching_dice_are_offered_first(
    store: Store, clock: Clock, dice: tuple[reading.Die, ...], doubt: str, faces: list[int | str]
) -> None:
    """A face of another kind of die is never offered."""
    session = duel(store, clock)
    clock.now = 103
    session.saw(SeenThrow(dice, 101.0))
    shown = plain(session.view(None))["proposal"]
    assert (doubt, faces) == (shown["doubt"], shown["faces"])


def test_the_likeliest_faces_of_mixed_dice_come_first(store: Store, clock: Clock) -> None:
    """The camera's second guesses; for a missing die, the values of any unmatched die."""
    session = duel(store, clock)
    clock.now = 103
    unsure = SeenThrow(
        (replace(RED, likely=(3,)), replace(TEN, confidence=0.4, likely=(6, 9)), PITCH), 101.0, "unclear"
    )
    session.saw(unsure)
    shown = plain(session.view(None))["proposal"]
    assert [[3, 1, 2, 5, 6], [6, 9, 1, 2, 3, 4, 5, 7, 8], ["B", "C"]] == shown["likely"]
    assert [True, False, True] == shown["clear"]
    session.turn("home", 1)
    assert "Red die: 3" == plain(session.view(None))["dial"]["label"]
    session.saw(SeenThrow((RED, die(8, kind="d8"), PITCH), 101.0))
    assert 8 == plain(session.view(None))["proposal"]["likely"][1][0]
    session.saw(SeenThrow((die(2, "red"), die(5, "red"), PITCH), 101.0))
    assert [1, 2, 3] == plain(session.view(None))["proposal"]["likely"][1][:3]


@pytest.fixture
def mixed(store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Session:
    """Set up a duel in which ask 6 needs a red die, home's white one and a blue one."""
    dice = Die(colour="red"), Die(colour="white", owner="home"), Die(colour="blue")
    monkeypatch.setattr(rules, "DICE", dice)
    session = duel(store, clock)
    clock.now = 103
    return session


def thrown(*colours: str, doubt: str | None = None) -> SeenThrow:
    """Return dice of these colors, showing 1, 2, 3 from left to right."""
    dice = (die(place + 1, colour, x=60 * place) for place, colour in enumerate(colours))
    return SeenThrow(tuple(dice), 101.0, doubt, doubt and f"Advice on {doubt}.")


def test_dice_of_several_colors_count_in_the_order_of_the_ask(mixed: Session, clock: Clock) -> None:
    """Wherever each die lies, the journal has its face where the rules look for it."""
    mixed.saw(thrown("blue", "red", "white"))
    shown = plain(mixed.view(None))["proposal"]
    assert (shown["faces"], shown["sure"]) == ([2, 3, 1], True)
    assert shown["words"] == "red die 2, white die 3, blue die 1"
    clock.now = 110
    mixed.tick()
    assert plain(mixed.rolls())[0]["value"] == [2, 3, 1]
    assert mixed.table.journal[-1] == Answer("home", 6, (2, 3, 1))


def test_dice_that_look_alike_need_confirmation(store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """The likeliest order is offered for confirmation or correction; it never counts by itself."""
    monkeypatch.setattr(rules, "DICE", (Die(colour="red"), Die(colour="brown", owner="home")))
    session = duel(store, clock)
    clock.now = 103
    session.saw(SeenThrow((die(2, tint=(30, 17, 16)), die(4, tint=(25, 24, 12), x=60)), 101.0))
    shown = plain(session.view(None))["proposal"]
    assert (shown["doubt"], shown["faces"]) == ("alike", [4, 2])
    assert shown["advice"] == "The red die and home's brown die look alike: check which one shows what."
    assert plain(session.view(None))["dial"]["label"] == "Red die: 4"
    clock.now = 1000
    session.tick()
    assert plain(session.rolls()) == []
    session.accept()
    assert plain(session.rolls())[0]["value"] == [4, 2]


def test_a_die_of_the_wrong_color_makes_the_table_ask(mixed: Session) -> None:
    """Green is not white: these are not the dice of the ask."""
    mixed.saw(thrown("blue", "red", "green"))
    shown = plain(mixed.view(None))["proposal"]
    assert (shown["doubt"], shown["seconds"]) == ("colour", None)
    assert shown["advice"].startswith("Home's white die is not seen")


def test_a_doubtful_reading_of_several_colors_is_offered_in_order(mixed: Session) -> None:
    """Uncertain values are still shown at their place, with their own doubt."""
    mixed.saw(thrown("blue", "red", "white", doubt="cocked"))
    shown = plain(mixed.view(None))["proposal"]
    assert (shown["doubt"], shown["advice"], shown["faces"]) == ("cocked", "Advice on cocked.", [2, 3, 1])


@pytest.mark.parametrize(
    ("colours", "doubt"), [(("red", "blue"), "too-few"), (("red", "blue", "white", "white"), "too-many")]
)
def test_nothing_is_offered_for_a_wrong_number_of_colors(mixed: Session, colours: tuple[str, ...], doubt: str) -> None:
    """With a die too few or too many, nobody knows which are which."""
    mixed.saw(thrown(*colours))
    shown = plain(mixed.view(None))["proposal"]
    assert (shown["doubt"], shown["faces"]) == (doubt, [])


def test_the_color_of_a_single_die_does_not_matter(session: Session, clock: Clock) -> None:
    """Players may use any color of die that they own."""
    session.answer("away", 0, "bat", "phone")
    clock.now = 103
    session.saw(SeenThrow((die(4, "green"),), 101.0))
    assert plain(session.view(None))["proposal"]["sure"]


def test_a_typed_roll_replaces_the_shown_one(session: Session, clock: Clock) -> None:
    """If a phone answers while a roll is proposed, the proposal is gone and never counts for the next ask."""
    session.answer("away", 0, "bat", "phone")
    clock.now = 103
    session.saw(seen(2))
    session.answer("away", 1, [6], "phone")
    clock.now = 110
    session.tick()
    assert plain(session.view(None))["proposal"] is None
    assert plain(session.view(None))["table"]["version"] == 2
