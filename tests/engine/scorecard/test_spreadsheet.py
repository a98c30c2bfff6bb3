"""The plays and the box score of a game as CSV."""

from __future__ import annotations

import csv
import io

import pytest

from engine.game import Rulebook
from engine.games import GAMES
from engine.scorecard.spreadsheet import BOX_COLUMNS, PLAY_COLUMNS, box_rows, csv_text, play_rows
from engine.table import Table
from engine.views import PlayView
from tests import golden


def _log(table: Table) -> list[PlayView]:
    return [
        PlayView(
            line.n, line.code, line.game, line.inning, line.half, line.seat, line.sentence, line.scored, None, False
        )
        for line in table.play_log_lines()
    ]


def _read(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))))


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
def test_a_whole_game_of_each_rulebook(game: Rulebook) -> None:
    """Runs add up to the score of each game in the journal, and there is a row for each batter, or for each side."""
    table = golden.new(game)
    for entry in golden.entries_of(game):
        table.apply_entry(entry)
    view, log = table.view_for(None), _log(table)
    plays = _read(csv_text(PLAY_COLUMNS, play_rows(7, log, view)))
    assert len(log) == len(plays)
    assert {"7"} == {row["game"] for row in plays}
    for seat, side in view.scoreboard.sides.items():
        last = [row for row in plays if row["game_in_series"] == plays[-1]["game_in_series"]]
        assert (
            side.runs == int(last[-1][f"{seat}_score"]) == sum(int(row["runs"]) for row in last if row["seat"] == seat)
        )
    box = _read(csv_text(BOX_COLUMNS, box_rows(7, log, view)))
    assert view.box is not None
    for seat, score in view.box.items():
        mine = [row for row in box if row["seat"] == seat]
        assert list(score.batters) or [""] == [row["player"] for row in mine]
        assert score.total.hits == sum(int(row["hits"]) for row in mine)


def test_texts_are_no_formulas() -> None:
    """Numbers stay numbers, and a comma, a quotation mark or an accent changes nothing."""
    text = csv_text(("a", "b"), [("=1+1", -3), ('Zoë "Z", first', "@SUM(A1)")])
    assert text.startswith("\ufeffa,b\r\n")
    assert [{"a": "'=1+1", "b": "-3"}, {"a": 'Zoë "Z", first', "b": "'@SUM(A1)"}] == _read(text)


def test_an_open_game_has_no_box_score() -> None:
    table = golden.new(next(iter(GAMES.values())))
    assert [] == list(box_rows(1, _log(table), table.view_for(None)))
