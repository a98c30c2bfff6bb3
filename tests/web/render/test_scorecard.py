"""The drawn scorecard: everything is on the sheet and inside its box, and says what the events say."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from xml.etree import ElementTree

import pytest

from device.shapes import GameSummary
from engine.scorecard.fold import scorecards
from engine.scorecard.sheet import Scorecard, ScorecardBox, ScorecardRow
from engine.seats import SEATS, Seat
from tests.engine.games.contract.games import CONTRACTS
from tests.web.phones import small_ball
from web.render import scorecard
from web.render.printed_log import text_width
from web.render.scorecard import ScorecardGrid, box_in_words, fitted_text

SVG = "{http://www.w3.org/2000/svg}"

STORIES = [
    pytest.param(key, story, id=f"{key}-{story}".rstrip("-"), marks=[pytest.mark.slow] if i else [])
    for key, contract in CONTRACTS.items()
    for i, story in enumerate(contract.stories.houses)
]
"""The stored games: one of each rulebook by default."""


@cache
def summary() -> GameSummary:
    """A row of the list of games."""
    past = small_ball().past.game_record(1)
    assert past is not None
    return past.summary


@pytest.mark.parametrize(("key", "story"), STORIES)
def test_every_plate_appearance_has_its_box_and_totals_are_printed(key: str, story: str) -> None:
    """Each with its words, and the diamonds filled of exactly those who scored; all of it on the sheet."""
    table = CONTRACTS[key].stories.played(story).table
    cards, board = scorecards(table), table.scoreboard()
    shown: dict[Seat, list[ScorecardBox]] = {}
    for grid in scorecard.scorecard_grids(cards, board):
        svg = ElementTree.fromstring(scorecard.draw_grid(summary(), board, grid))
        check_totals(cards[grid.seat], grid, svg)
        cells = [cell for line in grid.lines for cell in line.cells]
        shown.setdefault(grid.seat, []).extend(cell.box for cell in cells)
        groups = [one for one in svg.iter(f"{SVG}g") if one.find(f"{SVG}title") is not None]
        assert [cell.means for cell in cells] == [one.findtext(f"{SVG}title") for one in groups]
        filled = [one.find(f"{SVG}path").get("fill") != "none" for one in groups]  # type: ignore[union-attr]
        assert [cell.box.scored for cell in cells] == filled
        circles = [
            int(text.text or 0) for one in groups for text in one.iter(f"{SVG}text") if text.get("font-size") == "3.2"
        ]
        assert [cell.box.out for cell in cells if cell.box.out] == circles
        for cell in cells:
            assert grid.left - 0.01 <= cell.x <= grid.right_edge - grid.width + 0.01
            assert (
                scorecard.GRID_TOP_MM + scorecard.INNING_ROW_HEIGHT_MM
                <= cell.y
                <= grid.bottom_edge - grid.height + 0.01
            )
            numbers = [float(one) for one in re.findall(r"-?\d+\.\d+", cell.diamond + cell.path)]
            assert all(cell.x <= x <= cell.x + grid.width for x in numbers[::2])
            assert all(cell.y <= y <= cell.y + grid.height for y in numbers[1::2])
        assert grid.right_edge + scorecard.TOTAL_COLUMN_WIDTH_MM * 6 * grid.named <= scorecard.SHEET_WIDTH_MM + 0.01
        assert grid.bottom_edge + scorecard.FOOTER_HEIGHT_MM <= scorecard.SHEET_HEIGHT_MM + 0.01
    for seat, boxes in shown.items():
        assert sorted(map(repr, cards[seat].all_boxes)) == sorted(map(repr, boxes))


def check_totals(sheet: Scorecard, grid: ScorecardGrid, svg: ElementTree.Element) -> None:
    """The side's totals are printed, and each named player's."""
    words = [one.text or "" for one in svg.iter(f"{SVG}text")]
    total = sheet.total
    six = (total.at_bats, total.runs, total.hits, total.driven_in, total.walks, total.strikeouts)
    if grid.named:
        place = len(words) - words[::-1].index("Hits")
        after = words[place:]
        assert [str(one) for one in six] == after[2 * len(grid.columns) :][:6]
    else:
        assert f"{total.at_bats} AB · {total.runs} R · {total.hits} H · {total.walks} BB" in words
    for line in grid.lines:
        for player in line.players:
            assert text_width(player.name.words) * player.name.size <= scorecard.NAME_COLUMN_WIDTH_MM - 9 + 0.1


def test_before_the_first_pitch_both_sheets_are_empty() -> None:
    """So they can be printed and filled in with a pencil."""
    port = small_ball()
    table, board = port.game.table, port.game.table.scoreboard()
    found = scorecard.scorecard_grids(scorecards(table), board)
    assert list(SEATS) == [grid.seat for grid in found]
    assert [9, 9] == [len(grid.lines) for grid in found]
    assert all(9 == len(grid.columns) and not any(line.cells for line in grid.lines) for grid in found)


def test_a_long_game_takes_several_sheets() -> None:
    """Its columns are split evenly; none is narrower than a box can be read."""
    port = small_ball()
    board = port.game.table.scoreboard()
    boxes = {at: ScorecardBox(at + 1, at + 1, "Ann", "1B", ("at_bats", "hits"), base=1) for at in range(30)}
    sheet = replace(
        scorecards(port.game.table)["away"], columns=tuple(range(1, 31)), rows=(ScorecardRow(("Ann",), boxes),)
    )
    found = scorecard.scorecard_grids({"away": sheet, "home": scorecards(port.game.table)["home"]}, board)
    assert [(1, 3), (2, 3), (3, 3)] == [(grid.part, grid.parts) for grid in found]
    assert [10, 10, 10] == [len(grid.columns) for grid in found]
    assert 30 == sum(len(line.cells) for grid in found for line in grid.lines)
    assert "part 2 of 3" in scorecard.draw_grid(summary(), board, found[1])


def test_names_are_only_text() -> None:
    port = small_ball()
    board = port.game.table.scoreboard()
    board = replace(board, sides={**board.sides, "away": replace(board.sides["away"], name='A<b>&"s')})
    drawing = scorecard.draw_grid(summary(), board, scorecard.scorecard_grids(scorecards(port.game.table), board)[0])
    assert 'A<b>&"s' in [one.text for one in ElementTree.fromstring(drawing).iter(f"{SVG}text")]
    assert not re.search(r"style|script|href", drawing)


def test_long_names_shrink_then_get_initials_then_an_ellipsis() -> None:
    """They never break."""
    assert ("Ann Bly", 3.4) == (fitted_text("Ann Bly", 37, 3.4).words, fitted_text("Ann Bly", 37, 3.4).size)
    small = fitted_text("Bartholomew Featherstone", 37, 3.4)
    assert "Bartholomew Featherstone" == small.words
    assert 2 < small.size < 3.4
    assert "M. B. Featherstonehaugh" == fitted_text("Maximilian Bartholomew Featherstonehaugh", 37, 3.4).words
    cut = fitted_text("W" * 60, 37, 3.4)
    assert cut.words.endswith("…")
    assert text_width(cut.words) * cut.size <= 37
    assert "" == fitted_text("", 37, 3.4).words


def test_words_for_a_box() -> None:
    assert "Ann: HR, scored, 2 RBI" == box_in_words(ScorecardBox(1, 1, "Ann", "HR", base=4, scored=True, driven_in=2))
    assert "No. 7: GO, out 3" == box_in_words(ScorecardBox(7, 1, "", "GO", out=3))
    assert "Ann: began on second, reached third" == box_in_words(ScorecardBox(0, 10, "Ann", "", start=2, base=3))
