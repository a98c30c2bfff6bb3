"""`dugout sheet`: what is printed for a board under a camera, and what it says where there is none."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from device.cli import main
from device.commands import print_board
from device.storage import decks
from engine.cards import cards_of
from engine.games import GAMES
from engine.games.rallybird.cards import AtBat, Box, unpack
from engine.games.rallybird.results import phrase
from engine.table import Table
from vision.board.read import LaidPiece, read
from vision.board.sheets import AREAS
from vision.drawn.tokens import DrawnBoard
from vision.tray.calibration_sheet import dots

GAME = GAMES["rallybird"]


@pytest.fixture
def box() -> Box:
    return unpack(cards_of([decks.house_deck(GAME)]), GAME.house({"beginner": "false"}))


def test_three_pages_of_a4_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Board, stickers, and the whole list of the house-made cards on one page."""
    file = tmp_path / "sheet.pdf"
    assert main(["sheet", str(file)]) == 0
    written = file.read_bytes()
    assert written.startswith(b"%PDF")
    sizes = re.findall(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", written)
    assert [(595, 842)] * 3 == [(round(float(wide)), round(float(tall))) for wide, tall in sizes]
    assert "Print" in capsys.readouterr().out


def test_stickers_go_by_the_order_in_which_the_game_tells_its_gloves(box: Box) -> None:
    """So the camera's first piece is the first Glove of the panel, and so on."""
    table = Table(GAME, [decks.house_deck(GAME)])
    assert list(box.gloves) == [glove["name"] for glove in table.scoreboard().panel["gloves"]]


def test_the_board_of_the_game_is_read(box: Box) -> None:
    """Its notes disturb nothing: bare it is bare, and a Glove on it is found."""
    board, *_ = print_board.pages("RallyBird", box)
    drawn = DrawnBoard(page=board)
    assert (dict.fromkeys(AREAS), ()) == (read(drawn.frame(), 7).areas, read(drawn.frame(), 7).doubts)
    drawn.lay(3, "E", back=True)
    assert read(drawn.frame(), 7).areas["E"] == LaidPiece(3, True)


def test_cards_that_need_more_room_take_more_pages(box: Box) -> None:
    """None is left out, and nothing is written over the edge of the page."""
    words = phrase(
        "runner on first out, batter to first; else lead runner out, batter to second; else batter grounds out"
    )
    card = replace(box.cards["Wait for four"], name="W" * 30, results=dict.fromkeys(("less", "equal"), words))
    pages = list(print_board.cards("RallyBird", [replace(card, number=number) for number in range(1, 41)]))
    assert len(pages) > 1
    listed = 0
    for page in pages:
        dark = page < 128
        assert not dark[:, : dots(print_board.LEFT - 1)].any()
        assert not dark[:, dots(print_board.RIGHT + 1) :].any()
        assert not dark[dots(print_board.LOW + 1) :].any()
        rules = dark[:, dots(print_board.LEFT + 1) : dots(print_board.RIGHT - 1)].all(axis=1)
        below = np.arange(len(dark)) > dots(print_board.TOP)
        between = dark[below & ~rules, dots(print_board.TOLD - 1.5) : dots(print_board.TOLD - 0.5)]
        assert not between.any(), "a long name is written smaller"
        listed += int((np.diff(rules.astype(int)) == 1).sum()) - 1
    assert listed == 40


def test_the_number_of_a_card_of_one_line_stands_free() -> None:
    """Blank cards tell little, and no rule touches what is written of them."""
    mine = [AtBat(number, "Mine", (), (), {}, "", False, True, None, True, True) for number in range(1, 18)]
    (page,) = print_board.cards("RallyBird", mine)
    dark = page[dots(print_board.TOP) - 2 :] < 128
    rules = dark[:, dots(print_board.TOLD - 1.5) : dots(print_board.TOLD - 0.5)].any(axis=1)
    written = dark[:, : dots(print_board.NAMED - 1)].any(axis=1) & ~rules
    far = np.abs(np.flatnonzero(written)[:, None] - np.flatnonzero(rules)).min(axis=1)
    assert len(mine) + 1 == int((np.diff(rules.astype(int)) == 1).sum())
    assert far.min() >= dots(1.0)


def test_each_card_says_all_it_does(box: Box) -> None:
    """Every card of the deck tells its zones and its three results; a blank one tells to read it."""
    for card in box.cards.values():
        told = " ".join(print_board._results(card)).lower()
        assert all(compare in told for compare in ("less", "equal", "more")), card.name
        tests = " ".join(print_board._tests(card))
        assert " + ".join(card.tests) in tests
        assert ("runner on second" in tests) == (card.second != card.tests or card.requires == "second")
    blank = AtBat(1, "Mine", (), (), {}, "", False, True, None, True, True)
    assert (["Read the card."], []) == (list(print_board._results(blank)), list(print_board._tests(blank)))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (
            ["--game", "small-ball"],
            "Small Ball is played without a board. There is a sheet for rallybird only.",
        ),
        (["--game", "chess"], "dugout sheet: No such game. There is a sheet for rallybird only."),
        (["--deck", "none.toml"], "none.toml: cannot be read"),
    ],
)
def test_what_cannot_be_printed_is_said(
    options: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A game without a board, or a deck that is not there, ends with a sentence and writes nothing."""
    file = tmp_path / "sheet.pdf"
    assert main(["sheet", *options, str(file)]) == 2
    assert words in capsys.readouterr().err
    assert not file.exists()


def test_a_place_that_cannot_be_written_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The folder is not there."""
    assert main(["sheet", str(tmp_path / "no" / "sheet.pdf")]) == 2
    assert "No such file" in capsys.readouterr().err
