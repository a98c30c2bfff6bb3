"""The Glove layout that a camera sees: the table shows it, explains doubts, and waits for confirmation."""

from __future__ import annotations

from dataclasses import replace

import pytest

from device.display.lettering import width, wrap
from device.display.widgets import ROOM
from device.storage.store import Store
from device.table.board import BARE, LINES, REST, WIDE
from device.table.entry.answer_entry import entry_for
from device.table.session import Session
from engine.errors import IllegalAnswer
from engine.journal import Source
from engine.printed_board import AREAS
from engine.views import plain
from tests.device.gloves_game import BACKS, WELL, lay, layout, optional, photographed, session, shown
from tests.device.stored_games import Clock, table
from vision.board import read, sheets
from vision.board.read import DOUBTS, Doubt, LaidPiece
from vision.drawn.tokens import DrawnBoard

OTHER = dict(zip(WELL, reversed(WELL.values()), strict=True))


@pytest.fixture
def kept(store: Store, clock: Clock) -> Session:
    return session(store, clock)


def see(kept: Session, seen: read.Layout | None) -> None:
    """Let a camera see this layout for the current request."""
    assert kept.board.laying is not None
    kept.board.lies(kept.board.laying, seen)


def test_the_areas_match_the_printed_board() -> None:
    """The page and the table use the same names, and every doubt has a line that fits a small display."""
    assert tuple(sheets.AREAS) == AREAS
    assert DOUBTS.keys() == LINES.keys()


def test_a_clear_layout_is_offered_and_needs_confirmation(kept: Session, clock: Clock) -> None:
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
        kept.buttons.press("away")
    kept.buttons.press("home")
    assert WELL == kept.game.table.answers[-1].value
    assert plain(kept.game.view(None))["layout"] is None


def test_a_phone_confirms_the_layout_it_shows(kept: Session) -> None:
    """The seat's phone sends exactly the value that was shown."""
    see(kept, layout(WELL))
    kept.seats.answer("home", 1, shown(kept)["value"], Source.PHONE)
    assert WELL == kept.game.table.answers[-1].value


def test_nothing_is_offered_while_something_moves(kept: Session, clock: Clock) -> None:
    """A hand over the board withdraws the offer, so OK cannot take the old layout, however often it is pressed, nor
    start laying by hand. The layout after that is offered again.
    """
    other = dict(zip(WELL, reversed(WELL.values()), strict=True))
    see(kept, layout(other))
    bare = entry_for(kept.game.table.ask_view(1, kept.game.table.asks()[0][1], "home")).label
    assert bare != plain(kept.game.view(None))["dial"]["label"]
    see(kept, None)
    assert plain(kept.game.view(None))["layout"] is None
    assert bare == plain(kept.game.view(None))["dial"]["label"]
    for _ in range(6):
        with pytest.raises(IllegalAnswer, match="Something is moving over the board"):
            kept.buttons.press("home")
    clock.now += REST
    see(kept, layout(other))
    assert "All Gloves seen: OK?" == shown(kept)["line"]
    kept.buttons.press("home")
    assert other == kept.game.table.answers[-1].value


def test_a_board_that_never_rests_can_be_entered_by_hand(kept: Session, clock: Clock) -> None:
    """A seat that moves the cursor continues with the buttons, even if the camera then sees nothing."""
    see(kept, None)
    clock.now += REST
    kept.buttons.press("home")
    assert kept.buttons.back()
    see(kept, None)
    kept.buttons.turn("home", 1)
    kept.buttons.press("home")
    assert len(kept.game.table.answers) == 1


def test_nothing_to_choose_flashes_while_the_camera_looks(kept: Session, clock: Clock) -> None:
    """From the opening of the camera until it sees something, no Glove stands to be taken, and the first OK takes none.

    Undo hides the entry again. Without the camera the entry is there at once.
    """
    bare = plain(kept.game.view(None))["dial"]
    kept.board.watch(True)
    assert kept.game.view(None).dial is None
    see(kept, None)
    assert kept.game.view(None).dial is None
    clock.now += REST
    kept.buttons.press("home")
    assert bare | {"touched": True} == plain(kept.game.view(None))["dial"]
    assert kept.buttons.back()
    assert kept.game.view(None).dial is None
    see(kept, layout({}))
    assert "Place 6 Gloves, or < >." == shown(kept)["line"]
    see(kept, None)
    kept.board.watch(False)
    assert bare == plain(kept.game.view(None))["dial"]


def test_a_glove_out_of_play_is_to_be_taken_away(kept: Session) -> None:
    """The line says so, and from where."""
    see(kept, replace(layout(WELL), doubts=(Doubt("extra", ("F",), (6,)),)))
    assert kept.board.laying is not None
    assert f"Take {kept.board.laying.names[6]} off F." == shown(kept)["line"]


def test_manual_entry_starts_with_the_layout_seen(kept: Session) -> None:
    """If a Glove is missing, the first OK shows the entry, then OK goes from place to place, and each place starts at
    the piece seen there.
    """
    see(kept, layout({area: name for area, name in OTHER.items() if area != "F"}))
    assert shown(kept)["line"] == "Place 5/4, or < >."
    kept.buttons.press("home")
    assert shown(kept)["line"] is None
    assert plain(kept.game.view(None))["dial"]["label"].startswith("A: ")
    for _ in range(6):
        kept.buttons.press("home")
    assert OTHER == kept.game.table.answers[-1].value


def test_manual_entry_is_not_overwritten(kept: Session) -> None:
    """Once a button moves the cursor, OK takes the entry, whatever the camera sees; undo returns to the layout."""
    see(kept, layout(WELL))
    kept.buttons.turn("home", 1)
    see(kept, layout(OTHER))
    assert (None, True) == (shown(kept)["line"], shown(kept)["sure"])
    kept.buttons.press("home")
    assert plain(kept.game.view(None))["dial"]["label"].startswith("B: ")
    assert kept.buttons.back()
    assert kept.buttons.back()
    assert not kept.buttons.back()
    assert shown(kept)["line"] == "All Gloves seen: OK?"
    kept.buttons.press("home")
    assert OTHER == kept.game.table.answers[-1].value


def test_after_a_correction_the_board_is_read_again(kept: Session) -> None:
    """The ask stays open, but the Gloves to lay may have changed."""
    see(kept, layout(WELL))
    before = kept.board.laying
    kept.game.amend(0, "ready")
    assert plain(kept.game.view(None))["layout"] is None
    assert kept.board.laying is not before


def test_undo_discards_the_old_layout(kept: Session, clock: Clock) -> None:
    """The same ask opens again; a late reading of the old layout does not count either."""
    before = kept.board.laying
    assert before is not None
    see(kept, layout(WELL))
    kept.buttons.press("home")
    clock.now += 5
    kept.game.undo(1)
    after = kept.board.laying
    assert after is not None
    assert (1, 1) == (before.n, after.n)
    assert clock.now == after.since
    kept.board.lies(before, layout(WELL))
    assert plain(kept.game.view(None))["layout"] is None
    kept.board.lies(after, layout(WELL))
    assert shown(kept)["sure"]


def test_a_layout_left_on_the_board_is_offered_for_the_next_batter(kept: Session) -> None:
    """Nobody needs to lift six Gloves and lay them again: one OK confirms them."""
    for turn in (1, 3):
        see(kept, layout(WELL))
        kept.buttons.press("home")
        assert WELL == kept.game.table.answers[-1].value
        assert turn == kept.game.table.answers[-1].n
        assert kept.board.laying is None
        kept.seats.answer("away", turn + 1, "ready", Source.PHONE)


def test_fewer_gloves_are_enough_if_the_rules_allow(store: Store, clock: Clock) -> None:
    """With a minimum of four, four are enough and three are not."""
    kept = session(store, clock, optional(4))
    four = {area: WELL[area] for area in "ABCD"}
    see(kept, layout({area: WELL[area] for area in "ABC"}))
    assert (False, "Place 6/1, 2/5, 3/3, or < >.") == (shown(kept)["sure"], shown(kept)["line"])
    see(kept, layout(four))
    assert (True, "4 Gloves seen, not 2/5, 3/3: OK?") == (shown(kept)["sure"], shown(kept)["line"])
    kept.buttons.press("home")
    assert four == kept.game.table.answers[-1].value


def test_an_empty_board_is_never_offered(store: Store, clock: Clock) -> None:
    """Even if no piece must be laid, OK starts manual entry."""
    kept = session(store, clock, optional(0))
    see(kept, layout({}))
    assert (False, [BARE.format(noun="Glove")]) == (shown(kept)["sure"], shown(kept)["words"])
    see(kept, layout({"B": "5/4"}))
    assert (True, "1 Glove seen: OK?") == (shown(kept)["sure"], shown(kept)["line"])
    left = "3/2, 1/4, 6/1, 2/5, 3/3"
    assert [f"Not on the board: {left}."] == shown(kept)["words"]


def test_games_without_gloves_need_no_board_camera(store: Store, clock: Clock) -> None:
    assert Session(store, table, clock=clock).board.laying is None


# Doubts, from the drawn board to the view --------------------------------------------------------------------------


def covered(drawn: DrawnBoard) -> None:
    lay(drawn, {area: name for area, name in WELL.items() if area != "F"})
    drawn.cover("F", 40, 90)


def doubled(drawn: DrawnBoard) -> None:
    lay(drawn, WELL | {"F": "2/5"})


def missing(drawn: DrawnBoard) -> None:
    lay(drawn, {area: name for area, name in WELL.items() if area != "F"})


def side(drawn: DrawnBoard) -> None:
    lay(drawn, WELL, BACKS | {"1/4"})


def extra(drawn: DrawnBoard) -> None:
    lay(drawn, WELL | {"F": "4/6"})


def between(drawn: DrawnBoard) -> None:
    missing(drawn)
    drawn.lay(6, (135.0, 112.0))


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
def test_a_doubt_is_shown_and_never_accepted(kept: Session, scene: object, line: str, words: str, left: str) -> None:
    """Each doubt says what to do; certain pieces are kept, and the first OK shows the manual entry."""
    drawn = DrawnBoard(seed=1)
    assert callable(scene)
    scene(drawn)
    see(kept, photographed(drawn))
    told = shown(kept)
    assert (line, False) == (told["line"], told["sure"])
    assert any(words in sentence for sentence in told["words"]), told["words"]
    assert {area: WELL[area] for area in left} == told["value"]
    kept.buttons.press("home")
    assert plain(kept.game.view(None))["dial"]["label"].startswith("A: ")
    kept.buttons.press("home")
    assert len(kept.game.table.answers) == 1
    assert plain(kept.game.view(None))["dial"]["label"].startswith("B: ")


def test_an_unseen_board_is_reported(kept: Session) -> None:
    """Nothing is certain, and the buttons work as they do without a camera."""
    see(kept, read.Layout(dict.fromkeys(AREAS), (Doubt("no-board"),)))
    assert ({}, "No board seen: turn < >.") == (shown(kept)["value"], shown(kept)["line"])
    kept.buttons.turn("home", 1)
    assert plain(kept.game.view(None))["dial"]["label"] == "A: 3/2"


def test_every_line_fits_the_display(kept: Session) -> None:
    """For any number of areas and Gloves in a doubt."""
    for code in DOUBTS:
        doubt = Doubt(code, AREAS, tuple(range(7)))
        see(kept, replace(layout({}), doubts=(doubt,)))
        line = shown(kept)["line"]
        assert 0 < len(line) <= WIDE, line
        assert wrap(line, ROOM, 2) == wrap(line, ROOM, 9), line


def test_a_drawn_board_is_read_correctly(kept: Session) -> None:
    """The offered layout is the one on the board, including the sides of the Gloves."""
    drawn = DrawnBoard(seed=2)
    lay(drawn, WELL)
    seen = photographed(drawn)
    assert LaidPiece(2, True) == seen.areas["B"]
    see(kept, seen)
    assert (True, WELL) == (shown(kept)["sure"], shown(kept)["value"])
    assert width(shown(kept)["line"], "bold") <= ROOM, "the usual case is one large line"
