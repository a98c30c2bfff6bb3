"""The Glove layout that a camera sees: the table shows it, explains doubts, and waits for confirmation."""

from __future__ import annotations

from dataclasses import replace

import pytest

from device.display.lettering import text_width, wrapped_lines
from device.display.widgets import USABLE_WIDTH_PX
from device.storage.store import Store
from device.table.board import DOUBT_LINES, EMPTY_BOARD_TEXT, MAX_LINE_LENGTH, MOVEMENT_HOLD_S
from device.table.entry.answer_entry import build_entry
from device.table.session import GameSession
from engine.errors import IllegalAnswer
from engine.journal import Source
from engine.printed_board import BOARD_AREAS
from engine.views import json_data
from tests.device.gloves_game import BACKS, WELL, lay, layout, optional, photographed, session, shown
from tests.device.stored_games import Clock, table
from vision.board import read, sheets
from vision.board.read import BOARD_DOUBT_ADVICE, BoardDoubt, PlacedPiece
from vision.synthetic.tokens import SyntheticBoard

OTHER = dict(zip(WELL, reversed(WELL.values()), strict=True))


@pytest.fixture
def kept(store: Store, clock: Clock) -> GameSession:
    return session(store, clock)


def see(kept: GameSession, seen: read.BoardLayout | None) -> None:
    """Let a camera see this layout for the current request."""
    assert kept.board.laying is not None
    kept.board.set_layout(kept.board.laying, seen)


def test_the_areas_match_the_printed_board() -> None:
    """The page and the table use the same names, and every doubt has a line that fits a small display."""
    assert tuple(sheets.AREA_CENTERS_MM) == BOARD_AREAS
    assert BOARD_DOUBT_ADVICE.keys() == DOUBT_LINES.keys()


def test_a_clear_layout_is_offered_and_needs_confirmation(kept: GameSession, clock: Clock) -> None:
    """The display offers it until somebody answers; the asked seat's OK accepts it."""
    see(kept, layout(WELL))
    expected = {
        "n": 1,
        "seat": "home",
        "value": WELL,
        "sure": True,
        "words": [],
        "line": "All Gloves seen: OK?",
    }
    assert expected == shown(kept)
    clock.now += 1000
    kept.tick()
    assert expected == shown(kept)
    with pytest.raises(IllegalAnswer, match="Nothing for you to do right now"):
        kept.buttons.press_ok("away")
    kept.buttons.press_ok("home")
    assert WELL == kept.game.table.answers[-1].value
    assert json_data(kept.game.view_for(None))["layout"] is None


def test_a_phone_confirms_the_layout_it_shows(kept: GameSession) -> None:
    """The seat's phone sends exactly the value that was shown."""
    see(kept, layout(WELL))
    kept.seats.answer_ask("home", 1, shown(kept)["value"], Source.PHONE)
    assert WELL == kept.game.table.answers[-1].value


def test_nothing_is_offered_while_something_moves(kept: GameSession, clock: Clock) -> None:
    """A hand over the board withdraws the offer, so OK cannot take the old layout, however often it is pressed, nor
    start laying by hand. The layout after that is offered again.
    """
    other = dict(zip(WELL, reversed(WELL.values()), strict=True))
    see(kept, layout(other))
    bare = build_entry(kept.game.table.ask_view(1, kept.game.table.open_asks()[0][1], "home")).label
    assert bare != json_data(kept.game.view_for(None))["dial"]["label"]
    see(kept, None)
    assert json_data(kept.game.view_for(None))["layout"] is None
    assert bare == json_data(kept.game.view_for(None))["dial"]["label"]
    for _ in range(6):
        with pytest.raises(IllegalAnswer, match="Something is moving over the board"):
            kept.buttons.press_ok("home")
    clock.now += MOVEMENT_HOLD_S
    see(kept, layout(other))
    assert "All Gloves seen: OK?" == shown(kept)["line"]
    kept.buttons.press_ok("home")
    assert other == kept.game.table.answers[-1].value


def test_a_board_that_never_rests_can_be_entered_by_hand(kept: GameSession, clock: Clock) -> None:
    """A seat that moves the cursor continues with the buttons, even if the camera then sees nothing."""
    see(kept, None)
    clock.now += MOVEMENT_HOLD_S
    kept.buttons.press_ok("home")
    assert kept.buttons.undo_step()
    see(kept, None)
    kept.buttons.move_cursor("home", 1)
    kept.buttons.press_ok("home")
    assert len(kept.game.table.answers) == 1


def test_nothing_to_choose_flashes_while_the_camera_looks(kept: GameSession, clock: Clock) -> None:
    """From the opening of the camera until it sees something, no Glove stands to be taken, and the first OK takes none.

    Undo hides the entry again. Without the camera the entry is there at once.
    """
    bare = json_data(kept.game.view_for(None))["dial"]
    kept.board.set_camera_working(True)
    assert kept.game.view_for(None).dial is None
    see(kept, None)
    assert kept.game.view_for(None).dial is None
    clock.now += MOVEMENT_HOLD_S
    kept.buttons.press_ok("home")
    assert bare | {"touched": True} == json_data(kept.game.view_for(None))["dial"]
    assert kept.buttons.undo_step()
    assert kept.game.view_for(None).dial is None
    see(kept, layout({}))
    assert "Place 6 Gloves, or < >." == shown(kept)["line"]
    see(kept, None)
    kept.board.set_camera_working(False)
    assert bare == json_data(kept.game.view_for(None))["dial"]


def test_a_glove_out_of_play_is_to_be_taken_away(kept: GameSession) -> None:
    """The line says so, and from where."""
    see(kept, replace(layout(WELL), doubts=(BoardDoubt("extra", ("F",), (6,)),)))
    assert kept.board.laying is not None
    assert f"Take {kept.board.laying.names[6]} off F." == shown(kept)["line"]


def test_manual_entry_starts_with_the_layout_seen(kept: GameSession) -> None:
    """If a Glove is missing, the first OK shows the entry, then OK goes from place to place, and each place starts at
    the piece seen there.
    """
    see(kept, layout({area: name for area, name in OTHER.items() if area != "F"}))
    assert shown(kept)["line"] == "Place 5/4, or < >."
    kept.buttons.press_ok("home")
    assert shown(kept)["line"] is None
    assert json_data(kept.game.view_for(None))["dial"]["label"].startswith("A: ")
    for _ in range(6):
        kept.buttons.press_ok("home")
    assert OTHER == kept.game.table.answers[-1].value


def test_manual_entry_is_not_overwritten(kept: GameSession) -> None:
    """Once a button moves the cursor, OK takes the entry, whatever the camera sees; undo returns to the layout."""
    see(kept, layout(WELL))
    kept.buttons.move_cursor("home", 1)
    see(kept, layout(OTHER))
    assert (None, True) == (shown(kept)["line"], shown(kept)["sure"])
    kept.buttons.press_ok("home")
    assert json_data(kept.game.view_for(None))["dial"]["label"].startswith("B: ")
    assert kept.buttons.undo_step()
    assert kept.buttons.undo_step()
    assert not kept.buttons.undo_step()
    assert shown(kept)["line"] == "All Gloves seen: OK?"
    kept.buttons.press_ok("home")
    assert OTHER == kept.game.table.answers[-1].value


def test_after_a_correction_the_board_is_read_again(kept: GameSession) -> None:
    """The ask stays open, but the Gloves to lay may have changed."""
    see(kept, layout(WELL))
    before = kept.board.laying
    kept.game.correct_roll(0, "ready")
    assert json_data(kept.game.view_for(None))["layout"] is None
    assert kept.board.laying is not before


def test_undo_discards_the_old_layout(kept: GameSession, clock: Clock) -> None:
    """The same ask opens again; a late reading of the old layout does not count either."""
    before = kept.board.laying
    assert before is not None
    see(kept, layout(WELL))
    kept.buttons.press_ok("home")
    clock.now += 5
    kept.game.undo_answers(1)
    after = kept.board.laying
    assert after is not None
    assert (1, 1) == (before.n, after.n)
    assert clock.now == after.since
    kept.board.set_layout(before, layout(WELL))
    assert json_data(kept.game.view_for(None))["layout"] is None
    kept.board.set_layout(after, layout(WELL))
    assert shown(kept)["sure"]


def test_a_layout_left_on_the_board_is_offered_for_the_next_batter(kept: GameSession) -> None:
    """Nobody needs to lift six Gloves and lay them again: one OK confirms them."""
    for turn in (1, 3):
        see(kept, layout(WELL))
        kept.buttons.press_ok("home")
        assert WELL == kept.game.table.answers[-1].value
        assert turn == kept.game.table.answers[-1].n
        assert kept.board.laying is None
        kept.seats.answer_ask("away", turn + 1, "ready", Source.PHONE)


def test_fewer_gloves_are_enough_if_the_rules_allow(store: Store, clock: Clock) -> None:
    """With a minimum of four, four are enough and three are not."""
    kept = session(store, clock, optional(4))
    four = {area: WELL[area] for area in "ABCD"}
    see(kept, layout({area: WELL[area] for area in "ABC"}))
    assert (False, "Place 6/1, 2/5, 3/3, or < >.") == (shown(kept)["sure"], shown(kept)["line"])
    see(kept, layout(four))
    assert (True, "4 Gloves seen, not 2/5, 3/3: OK?") == (shown(kept)["sure"], shown(kept)["line"])
    kept.buttons.press_ok("home")
    assert four == kept.game.table.answers[-1].value


def test_an_empty_board_is_never_offered(store: Store, clock: Clock) -> None:
    """Even if no piece must be laid, OK starts manual entry."""
    kept = session(store, clock, optional(0))
    see(kept, layout({}))
    assert (False, [EMPTY_BOARD_TEXT.format(noun="Glove")]) == (shown(kept)["sure"], shown(kept)["words"])
    see(kept, layout({"B": "5/4"}))
    assert (True, "1 Glove seen: OK?") == (shown(kept)["sure"], shown(kept)["line"])
    left = "3/2, 1/4, 6/1, 2/5, 3/3"
    assert [f"Not on the board: {left}."] == shown(kept)["words"]


def test_games_without_gloves_need_no_board_camera(store: Store, clock: Clock) -> None:
    assert GameSession(store, table, clock=clock).board.laying is None


# Doubts, from the drawn board to the view --------------------------------------------------------------------------


def covered(drawn: SyntheticBoard) -> None:
    lay(drawn, {area: name for area, name in WELL.items() if area != "F"})
    drawn.place_cover("F", 40, 90)


def doubled(drawn: SyntheticBoard) -> None:
    lay(drawn, WELL | {"F": "2/5"})


def missing(drawn: SyntheticBoard) -> None:
    lay(drawn, {area: name for area, name in WELL.items() if area != "F"})


def side(drawn: SyntheticBoard) -> None:
    lay(drawn, WELL, BACKS | {"1/4"})


def extra(drawn: SyntheticBoard) -> None:
    lay(drawn, WELL | {"F": "4/6"})


def between(drawn: SyntheticBoard) -> None:
    missing(drawn)
    drawn.place_token(6, (135.0, 112.0))


@pytest.mark.parametrize(
    ("scene", "line", "words", "left"),
    [
        (covered, "F is covered: uncover it.", "Area F is covered", "ABCDE"),
        (doubled, "E, F: one Glove in each.", "2/5", "ABCD"),
        (missing, "Place 3/3, or < >.", "3/3", "ABCDE"),
        (side, "Turn over 1/4 in C.", "1/4", "ABCDEF"),
        (extra, "Place 3/3, or < >.", "4/6", "ABCDE"),
        (between, "3/3 is in between: move it.", "3/3", "ABCDE"),
    ],
)
def test_a_doubt_is_shown_and_never_accepted(
    kept: GameSession, scene: object, line: str, words: str, left: str
) -> None:
    """Each doubt says what to do; certain pieces are kept, and the first OK shows the manual entry."""
    drawn = SyntheticBoard(seed=1)
    assert callable(scene)
    scene(drawn)
    see(kept, photographed(drawn))
    told = shown(kept)
    assert (line, False) == (told["line"], told["sure"])
    assert any(words in sentence for sentence in told["words"]), told["words"]
    assert {area: WELL[area] for area in left} == told["value"]
    kept.buttons.press_ok("home")
    assert json_data(kept.game.view_for(None))["dial"]["label"].startswith("A: ")
    kept.buttons.press_ok("home")
    assert len(kept.game.table.answers) == 1
    assert json_data(kept.game.view_for(None))["dial"]["label"].startswith("B: ")


def test_an_unseen_board_is_reported(kept: GameSession) -> None:
    """Nothing is certain, and the buttons work as they do without a camera."""
    see(kept, read.BoardLayout(dict.fromkeys(BOARD_AREAS), (BoardDoubt("no-board"),)))
    assert ({}, "No board seen: turn < >.") == (shown(kept)["value"], shown(kept)["line"])
    kept.buttons.move_cursor("home", 1)
    assert json_data(kept.game.view_for(None))["dial"]["label"] == "A: 3/2"


def test_every_line_fits_the_display(kept: GameSession) -> None:
    """For any number of areas and Gloves in a doubt."""
    for code in BOARD_DOUBT_ADVICE:
        doubt = BoardDoubt(code, BOARD_AREAS, tuple(range(7)))
        see(kept, replace(layout({}), doubts=(doubt,)))
        line = shown(kept)["line"]
        assert 0 < len(line) <= MAX_LINE_LENGTH, line
        assert wrapped_lines(line, USABLE_WIDTH_PX, 2) == wrapped_lines(line, USABLE_WIDTH_PX, 9), line


def test_a_drawn_board_is_read_correctly(kept: GameSession) -> None:
    """The offered layout is the one on the board, including the sides of the Gloves."""
    drawn = SyntheticBoard(seed=2)
    lay(drawn, WELL)
    seen = photographed(drawn)
    assert PlacedPiece(2, True) == seen.areas["B"]
    see(kept, seen)
    assert (True, WELL) == (shown(kept)["sure"], shown(kept)["value"])
    assert text_width(shown(kept)["line"], "bold") <= USABLE_WIDTH_PX, "the usual case is one large line"
