"""`dugout sheet`: the pages it prints for a board under a camera, and its errors."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from device.cli import main
from device.commands import print_board
from device.storage import decks
from engine.cards import cards_in_decks
from engine.games import GAMES
from engine.games.rallybird import printed
from engine.games.rallybird.cards import AtBatCard, RallybirdBox, build_box
from engine.games.rallybird.results import parse_result
from engine.printed_board import PrintedBoard
from engine.table import Table
from vision.board.read import PlacedPiece, read_board
from vision.board.sheets import AREA_CENTERS_MM
from vision.synthetic.tokens import SyntheticBoard
from vision.tray.calibration_sheet import page_pixels

GAME = GAMES["rallybird"]


def board_of(cards: list[AtBatCard]) -> PrintedBoard:
    return PrintedBoard((), {}, "At Bat cards", printed.PRINTED_RULES, tuple(map(printed.printed_card, cards)))


@pytest.fixture
def box() -> RallybirdBox:
    return build_box(cards_in_decks([decks.house_deck(GAME)]), GAME.resolve_house_rules({"beginner": "false"}))


def test_three_pages_of_a4_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The board, the stickers, and the whole built-in card list on one page."""
    file = tmp_path / "sheet.pdf"
    assert main(["sheet", str(file)]) == 0
    written = file.read_bytes()
    assert written.startswith(b"%PDF")
    sizes = re.findall(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", written)
    assert [(595, 842)] * 3 == [(round(float(wide)), round(float(tall))) for wide, tall in sizes]
    assert "Print" in capsys.readouterr().out


def test_stickers_follow_the_order_of_the_gloves(box: RallybirdBox) -> None:
    """The camera's first piece is the first Glove of the panel, and so on."""
    table = Table(GAME, [decks.house_deck(GAME)])
    assert list(box.gloves) == [glove["name"] for glove in table.scoreboard().panel["gloves"]]


def test_the_board_of_the_game_is_read(box: RallybirdBox) -> None:
    """The printed notes do not confuse the reader: it sees an empty board, and finds a Glove."""
    board, *_ = print_board.board_pages("RallyBird", printed.board_for_box(box))
    drawn = SyntheticBoard(page=board)
    assert (dict.fromkeys(AREA_CENTERS_MM), ()) == (
        read_board(drawn.render_frame(), 7).areas,
        read_board(drawn.render_frame(), 7).doubts,
    )
    drawn.place_token(3, "E", back=True)
    assert read_board(drawn.render_frame(), 7).areas["E"] == PlacedPiece(3, True)


@pytest.mark.slow
def test_a_long_list_takes_more_pages(box: RallybirdBox) -> None:
    """No card is left out, and nothing crosses the edges of the page."""
    words = parse_result(
        "runner on first out, batter to first; else lead runner out, batter to second; else batter grounds out"
    )
    card = replace(box.cards["Wait for four"], name="W" * 30, results=dict.fromkeys(("less", "equal"), words))
    pages = list(
        print_board.card_pages("RallyBird", board_of([replace(card, number=number) for number in range(1, 41)]))
    )
    assert len(pages) > 1
    listed = 0
    for page in pages:
        dark = page < 128
        assert not dark[:, : page_pixels(print_board.LEFT_EDGE_MM - 1)].any()
        assert not dark[:, page_pixels(print_board.RIGHT_EDGE_MM + 1) :].any()
        assert not dark[page_pixels(print_board.BOTTOM_EDGE_MM + 1) :].any()
        rules = dark[:, page_pixels(print_board.LEFT_EDGE_MM + 1) : page_pixels(print_board.RIGHT_EDGE_MM - 1)].all(
            axis=1
        )
        below = np.arange(len(dark)) > page_pixels(print_board.TOP_EDGE_MM)
        between = dark[
            below & ~rules,
            page_pixels(print_board.RESULT_COLUMN_MM - 1.5) : page_pixels(print_board.RESULT_COLUMN_MM - 0.5),
        ]
        assert not between.any(), "a long name is printed smaller"
        listed += int((np.diff(rules.astype(int)) == 1).sum()) - 1
    assert listed == 40


def test_no_rule_touches_a_short_card() -> None:
    """Blank cards have one line, and its large number keeps clear of the rules."""
    mine = [AtBatCard(number, "Mine", (), (), {}, "", False, True, None, True, True) for number in range(1, 18)]
    (page,) = print_board.card_pages("RallyBird", board_of(mine))
    dark = page[page_pixels(print_board.TOP_EDGE_MM) - 2 :] < 128
    rules = dark[
        :, page_pixels(print_board.RESULT_COLUMN_MM - 1.5) : page_pixels(print_board.RESULT_COLUMN_MM - 0.5)
    ].any(axis=1)
    written = dark[:, : page_pixels(print_board.NAME_COLUMN_MM - 1)].any(axis=1) & ~rules
    far = np.abs(np.flatnonzero(written)[:, None] - np.flatnonzero(rules)).min(axis=1)
    assert len(mine) + 1 == int((np.diff(rules.astype(int)) == 1).sum())
    assert far.min() >= page_pixels(1.0)


def test_each_card_is_complete(box: RallybirdBox) -> None:
    """Every card lists its zones and its three results; a blank one says to read it."""
    for card in box.cards.values():
        results = " ".join(printed._result_lines(card)).lower()
        assert all(compare in results for compare in ("less", "equal", "more")), card.name
        tests = " ".join(printed._test_lines(card))
        assert " + ".join(card.tests) in tests
        assert ("runner on second" in tests) == (card.second != card.tests or card.requires == "second")
    blank = AtBatCard(1, "Mine", (), (), {}, "", False, True, None, True, True)
    assert (["Read the card."], []) == (list(printed._result_lines(blank)), list(printed._test_lines(blank)))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (
            ["--game", "small-ball"],
            "Small Ball is played without a board. Only rallybird has a sheet.",
        ),
        (["--game", "chess"], "dugout sheet: No such game. Only rallybird has a sheet."),
        (["--deck", "none.toml"], "none.toml: cannot be read"),
    ],
)
def test_errors(options: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "sheet.pdf"
    assert main(["sheet", *options, str(file)]) == 2
    assert words in capsys.readouterr().err
    assert not file.exists()


def test_a_missing_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sheet", str(tmp_path / "no" / "sheet.pdf")]) == 2
    assert "No such file" in capsys.readouterr().err
