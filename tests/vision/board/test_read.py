"""The board is read correctly in any view, or the doubt is named."""

import math
from random import Random

import numpy as np
import pytest

from tests.vision.boards import PIECES, laid, looked_at
from tests.vision.tiers import first
from vision.board.read import (
    BOARD_DOUBT_ADVICE,
    BoardDoubt,
    BoardLayout,
    BoardWatcher,
    PlacedPiece,
    _detect_markers,
    find_doubts,
    read_board,
)
from vision.board.sheets import AREA_CENTERS_MM, BOARD_MARKERS_MM, Image, printable_pages
from vision.synthetic.tokens import SyntheticBoard
from vision.tray.calibration_sheet import page_pixels

CORNERS = [BOARD_MARKERS_MM[number][:2] for number in range(4)]


def board(**view: float) -> SyntheticBoard:
    """A board with the first three pieces in A, B and C, the second with its back up."""
    drawn = SyntheticBoard(seed=3, **view)  # type: ignore[arg-type]
    for piece, area in enumerate("ABC"):
        drawn.place_token(piece, area, back=piece == 1, turn=piece)
    return drawn


LIES: dict[str, PlacedPiece | None] = {
    "A": PlacedPiece(0, False),
    "B": PlacedPiece(1, True),
    "C": PlacedPiece(2, False),
    "D": None,
    "E": None,
    "F": None,
}
WANTED = {0: False, 1: True, 2: False}


def codes(layout: BoardLayout) -> list[str]:
    return [doubt.code for doubt in layout.doubts]


# Reading -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", first(range(0, 40, 10)))
def test_a_layout_is_read_in_any_view(seed: int) -> None:
    """Tilted, turned, dim, soft, noisy, compressed, on gray paper: sure layouts are right, and nearly all are sure."""
    sure = 0
    for one in range(seed, seed + 10):
        rng = Random(one)
        drawn = looked_at(rng)
        truth = laid(drawn, rng)
        layout = read_board(drawn.render_frame(), PIECES)
        assert {area: layout.areas[area] for area in AREA_CENTERS_MM if layout.areas[area] or layout.is_sure} == {
            area: truth[area] for area in AREA_CENTERS_MM if layout.areas[area] or layout.is_sure
        }
        sure += layout.is_sure
    assert sure >= 9


@pytest.mark.parametrize("size", first([(480, 360), (1280, 960)]))
def test_frames_of_other_sizes_are_read_too(size: tuple[int, int]) -> None:
    drawn = SyntheticBoard(size, seed=3)
    for piece, area in enumerate("ABC"):
        drawn.place_token(piece, area, back=piece == 1, turn=piece)
    frame = drawn.render_frame()
    assert read_board(frame, PIECES) == read_board(frame[..., 1], PIECES) == BoardLayout(LIES, ())


def test_the_outline_follows_the_page() -> None:
    """The page's corners are found, to within a few pixels."""
    outline = read_board(SyntheticBoard(seed=1, share=0.5).render_frame(), PIECES).outline
    assert outline is not None
    wide, tall = 320, 320 * 297 / 210
    left, top = 320 - wide / 2, 240 - 142 / 210 * 320
    for spot, true in zip(outline, [(0, 0), (wide, 0), (wide, tall), (0, tall)], strict=True):
        assert (left + true[0], top + true[1]) == pytest.approx(spot, abs=3)


def test_pieces_beside_or_above_the_board() -> None:
    # A piece on the table beside the board is not on it; one just touching the page's edge is.
    drawn = board(share=0.5)
    drawn.place_token(5, (-30, 140))
    assert BoardLayout(LIES, ()) == read_board(drawn.render_frame(), PIECES)
    drawn.place_token(6, (6, 60))
    assert [BoardDoubt("between", (), (6,))] == list(read_board(drawn.render_frame(), PIECES).doubts)
    # Well above the board it looks too large: it is not laid down yet.
    drawn = SyntheticBoard(seed=2)
    drawn.place_token(4, (105, 122), height=170)
    assert (BoardDoubt("between", ("E",), (4,)),) == read_board(drawn.render_frame(), PIECES).doubts
    # A number beyond the pieces in play is named; with one piece more it is that one.
    drawn = board()
    drawn.place_token(7, "E")
    layout = read_board(drawn.render_frame(), 7)
    assert (BoardDoubt("strange", ("E",)),) == layout.doubts
    assert layout.areas["E"] is None
    assert BoardLayout({**LIES, "E": PlacedPiece(7, False)}, ()) == read_board(drawn.render_frame(), 8)
    # More pieces than markers are refused.
    with pytest.raises(ValueError, match="markers for 0 to 20 pieces, not for 21"):
        read_board(board().render_frame(), 21)


# Covered -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", first(range(4)))
def test_a_token_without_its_sticker_up_never_leaves_an_area_bare(seed: int) -> None:
    """Wherever in the area it lies, flat or thick, under any camera, the area is covered."""
    for one in range(6):
        rng = Random(100 * seed + one)
        drawn = looked_at(rng)
        area = rng.choice(list(AREA_CENTERS_MM))
        x, y = AREA_CENTERS_MM[area]
        drawn.place_cover((x + rng.uniform(-17, 17), y + rng.uniform(-17, 17)), height=rng.choice([2.0, 8.0]))
        assert read_board(drawn.render_frame(), PIECES).doubts == (BoardDoubt("covered", (area,)),)


def test_areas_are_covered_by_what_hides_their_markers() -> None:
    # Neither the pieces below nor empty areas are invented; free areas are still read.
    drawn = board()
    drawn.place_cover("E", 40, 60)
    layout = read_board(drawn.render_frame(), PIECES)
    assert set(codes(layout)) == {"covered"}
    assert ("E",) in [doubt.areas for doubt in layout.doubts]
    assert layout.areas["A"] == LIES["A"]
    assert layout.areas["C"] == LIES["C"]
    # A scrap with an area's marker beside the board does not replace the covered marker of the board itself.
    drawn, other = (SyntheticBoard(seed=seed, share=0.5, aside=(-60, 0)) for seed in (3, 4))
    for piece, area in enumerate("ABCDE"):
        drawn.place_token(piece, area)
    drawn.place_cover("F")
    frame, scrap = drawn.render_frame(), other.render_frame()
    (spots,) = (
        corners for number, corners in _detect_markers(scrap) if BOARD_MARKERS_MM[number][:2] == AREA_CENTERS_MM["F"]
    )
    (left, top), (right, low) = spots.min(axis=0).astype(int) - 8, spots.max(axis=0).astype(int) + 8
    frame[20 : 20 + low - top, 560 : 560 + right - left] = scrap[top:low, left:right]
    assert (BoardDoubt("covered", ("F",)),) == read_board(frame, PIECES).doubts


@pytest.mark.parametrize("seed", first(range(4)))
def test_a_hand_anywhere_invents_nothing(seed: int) -> None:
    """No piece is seen where it is not, and no area under a hand is reported as surely empty."""
    for one in range(4):
        rng = Random(1000 * seed + one)
        drawn = board()
        drawn.hand = (rng.uniform(-0.5, 0.5), rng.uniform(-0.3, 0.9))
        layout = read_board(drawn.render_frame(), PIECES)
        named = {area for doubt in layout.doubts for area in doubt.areas}
        for area, laid_there in layout.areas.items():
            if layout.outline is not None and area not in named:
                assert laid_there == LIES[area]
            else:
                assert laid_there is None


# The board itself ----------------------------------------------------------------------------------------------------


def test_a_board_with_corners_covered_is_still_read() -> None:
    """Any one corner may be covered, and two where areas are empty; under a full board two are too many."""
    for corner in CORNERS:
        drawn = board()
        drawn.place_cover(corner, 18)
        assert BoardLayout(LIES, ()) == read_board(drawn.render_frame(), PIECES)
    drawn = board()
    drawn.place_cover(CORNERS[0], 18)
    drawn.place_cover(CORNERS[1], 18)
    assert BoardLayout(LIES, ()) == read_board(drawn.render_frame(), PIECES)
    for piece, area in enumerate("DEF"):
        drawn.place_token(3 + piece, area)
    assert ["no-board"] == codes(read_board(drawn.render_frame(), PIECES))


def test_only_the_board_counts_as_a_board() -> None:
    # Markers in one row, however many, do not locate the board.
    drawn = board()
    for corner in CORNERS:
        drawn.place_cover(corner, 18)
    assert ["no-board"] == codes(read_board(drawn.render_frame(), PIECES))
    # Without a board the frame says so.
    drawn = board()
    drawn.remove_page()
    for frame in (drawn.render_frame(), *(np.full((480, 640), shade, np.uint8) for shade in (0, 255))):
        layout = read_board(frame, PIECES)
        assert ["no-board"] == codes(layout)
        assert dict.fromkeys(AREA_CENTERS_MM) == layout.areas
        assert layout.outline is None
    # A page torn in two and put together wrongly is not believed; a slightly bent one is.
    page = printable_pages([])[0]
    for shift, well in ((2.0, True), (14.0, False)):
        torn = page.copy()
        torn[:, : page_pixels(75)] = np.roll(page[:, : page_pixels(75)], page_pixels(shift), axis=0)
        layout = read_board(SyntheticBoard(seed=1, page=torn).render_frame(), PIECES)
        assert ([] if well else ["no-board"]) == codes(layout)


def test_a_board_far_out_of_focus_is_called_blurred() -> None:
    """A picture too blurred to read is reported as such; a picture that the second try can read is read."""
    drawn = board(share=0.55, turn=0.5)
    drawn.blur = 2.1
    assert read_board(drawn.render_frame(), PIECES).is_sure
    drawn.blur = 4.5
    assert ["blur"] == codes(read_board(drawn.render_frame(), PIECES))


# Doubts --------------------------------------------------------------------------------------------------------------


def test_two_pieces_with_one_possible_place_are_doubled() -> None:
    # Two pieces in one area are doubled.
    drawn = SyntheticBoard(seed=1)
    drawn.place_token(0, "A")
    x, y = AREA_CENTERS_MM["E"]
    drawn.place_token(1, (x - 15.5, y - 6), back=True)
    drawn.place_token(2, (x + 15.5, y + 6))
    layout = read_board(drawn.render_frame(), PIECES)
    assert (BoardDoubt("doubled", ("E",), (1, 2)),) == layout.doubts
    assert layout.areas == {**dict.fromkeys(AREA_CENTERS_MM), "A": PlacedPiece(0, False)}
    # A piece cannot show front and back: one sticker is wrong, so neither is believed.
    drawn = board()
    drawn.place_token(2, "F", back=True)
    layout = read_board(drawn.render_frame(), PIECES)
    assert (BoardDoubt("doubled", ("C", "F"), (2,)),) == layout.doubts
    assert layout.areas == {**LIES, "C": None}


def test_a_piece_across_a_line_lies_between() -> None:
    """It is in no area; the areas it may hide part of are named with it and not reported as covered too."""
    drawn = SyntheticBoard(seed=2)
    for x, y, near in ((75, 112, "DE"), (105, 142, "BE"), (65, 112, "D"), (105, 68, ""), (75, 142, "ABDE")):
        drawn.clear_board()
        drawn.place_token(4, (x, y), turn=0.4)
        assert (BoardDoubt("between", tuple(near), (4,)),) == read_board(drawn.render_frame(), PIECES).doubts


SEEN = BoardLayout(LIES, (), ((0, 0), (1, 0), (1, 1), (0, 1)))


def doubting(*doubts: BoardDoubt) -> BoardLayout:
    return BoardLayout(LIES, doubts, SEEN.outline)


@pytest.mark.parametrize(
    ("layout", "wanted", "doubts"),
    [
        (SEEN, WANTED, ()),
        (SEEN, {**WANTED, 4: False, 3: True}, (BoardDoubt("missing", (), (3, 4)),)),
        (SEEN, {**WANTED, 1: False}, (BoardDoubt("side", ("B",), (1,)),)),
        (SEEN, {0: False, 1: True}, (BoardDoubt("extra", ("C",), (2,)),)),
        (doubting(BoardDoubt("covered", ("D",))), {**WANTED, 3: True}, (BoardDoubt("covered", ("D",)),)),
        (doubting(BoardDoubt("between", (), (3,))), {**WANTED, 3: True}, (BoardDoubt("between", (), (3,)),)),
        (doubting(BoardDoubt("between", ("E",), (3,))), WANTED, (BoardDoubt("extra", ("E",), (3,)),)),
        (
            doubting(BoardDoubt("doubled", ("E",), (3, 4))),
            {**WANTED, 3: True},
            (BoardDoubt("doubled", ("E",), (3, 4)),),
        ),
        (BoardLayout(dict.fromkeys(AREA_CENTERS_MM), (BoardDoubt("no-board"),)), WANTED, (BoardDoubt("no-board"),)),
    ],
)
def test_the_wanted_layout_is_compared_with_the_actual_one(
    layout: BoardLayout, wanted: dict[int, bool], doubts: tuple[BoardDoubt, ...]
) -> None:
    """Pieces that are missing, wrong side up or out of play are named.

    A piece that may be hidden is not missing, and without a board only that is reported.
    """
    assert doubts == find_doubts(layout, wanted)


def test_every_doubt_says_what_to_do() -> None:
    """Each piece of advice is one plain sentence with the pieces' names, or numbers where they have none."""
    for code in BOARD_DOUBT_ADVICE:
        words = BoardDoubt(code, ("C", "D"), (0, 2)).advice(["5/4", "5/3", "4/4"])
        assert words[0].isupper()
        assert words.endswith(".")
        assert not {"{", "}"} & set(words)
    assert "5/4, 4/4" in BoardDoubt("missing", (), (0, 2)).advice(["5/4", "5/3", "4/4"])
    assert "token 1, token 3" in BoardDoubt("missing", (), (0, 2)).advice()
    assert "outside" in BoardDoubt("doubled", (), (0,)).advice()


# Watching ------------------------------------------------------------------------------------------------------------


class Film:
    """Feeds a watcher a drawn board at `rate` frames per second."""

    def __init__(self, drawn: SyntheticBoard, rate: float = 10.0) -> None:
        self.drawn, self.rate, self.now = drawn, rate, 100.0
        self.watcher = BoardWatcher(PIECES)

    def watch(self, seconds: float) -> list[tuple[float, BoardLayout]]:
        told, start = [], self.now
        while self.now < start + seconds - 1e-6:
            if (layout := self.watcher.process_frame(self.frame(), self.now)) is not None:
                told.append((self.now - start, layout))
            self.now += 1 / self.rate
        return told

    def frame(self) -> Image:
        return self.drawn.render_frame()


@pytest.mark.parametrize("rate", first([10, 20, 1]))
def test_a_layout_is_reported_once_it_is_at_rest(rate: float) -> None:
    """After 0.7 seconds, or the third frame at a low rate; a noisy camera changes nothing."""
    film = Film(board(), rate)
    (first,) = film.watch(1.5 + 2 / rate)
    assert first[0] == pytest.approx(max(math.ceil(0.7 * rate), 2) / rate, abs=1e-6)
    assert first[1] == BoardLayout(LIES, ())
    assert film.watcher.resting_layout == film.watcher.last_layout == first[1]


@pytest.mark.slow
def test_a_layout_at_rest_is_reported_once() -> None:
    # A piece is reported when it is in place; the hand that placed it is not.
    film = Film(board())
    film.watch(1.0)
    for x in (0.4, 0.3, 0.2, 0.1, 0.2, 0.3, 0.4):
        film.drawn.hand = (x, 0.4)
        assert film.watch(0.1) == []
        assert film.watcher.resting_layout is None
    film.drawn.place_token(3, "E")
    film.drawn.hand = None
    assert [layout for _, layout in film.watch(2.0)] == [BoardLayout({**LIES, "E": PlacedPiece(3, False)}, ())]
    # A passing hand changes nothing.
    film = Film(board())
    film.watch(1.0)
    for step in range(12):
        film.drawn.hand = (0.3 - 0.03 * step, 0.5 + 0.04 * (step % 2))
        assert film.watch(0.1) == []
    film.drawn.hand = None
    assert film.watch(1.5) == []
    # While something moves nothing is reported.
    film = Film(board())
    for step in range(14):
        film.drawn = board(turn=0.03 * step)
        assert film.watch(0.1) == []
    assert [layout for _, layout in film.watch(1.0)] == [BoardLayout(LIES, ())]
    # A board that was taken away and put back is reported again.
    film = Film(board())
    first = film.watch(1.5)
    film.drawn.remove_page()
    gone = film.watch(1.5)
    film.drawn.restore_page()
    again = film.watch(1.5)
    assert [["no-board"]] == [codes(layout) for _, layout in gone]
    assert [layout for _, layout in first] == [layout for _, layout in again] == [BoardLayout(LIES, ())]
    # A changed resolution is not a fault; the wait starts over.
    film = Film(board())
    film.watch(0.6)
    small = SyntheticBoard((480, 360), seed=3)
    for piece, area in enumerate("ABC"):
        small.place_token(piece, area, back=piece == 1, turn=piece)
    film.drawn = small
    assert [pytest.approx(0.7)] == [when for when, _ in film.watch(1.2)]


def test_a_reading_that_flickers_is_not_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without motion, an alternating reading is not believed until it stays the same."""
    film = Film(board())
    other = BoardLayout({**LIES, "A": None}, (BoardDoubt("covered", ("A",)),), SEEN.outline)
    turns = [SEEN, SEEN, other] * 5 + [SEEN] * 10
    monkeypatch.setattr("vision.board.read.read_board", lambda frame, pieces: turns.pop(0))
    assert film.watch(1.5) == []
    assert [layout for _, layout in film.watch(1.0)] == [SEEN]
