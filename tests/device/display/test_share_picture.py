"""The picture of a result to share: its size, its parts, and when there is one."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from PIL import Image, ImageChops

from device.display import share_pictures
from device.display.share_picture import RESULT_PICTURE_SIZES_PX, GameResult, PictureShape, SideResult, result_png
from device.display.share_pictures import MAX_CACHED_PICTURES, SharePictures, game_result
from device.shapes import GameRecord, GameSummary
from device.table import play_log
from engine.table import Table
from engine.views import GameName
from tests.engine.test_box_score import GAME_OF
from tests.golden import entries_of, new

AWAY = SideResult("Lanterns", "red", (0, 0, 1, 0, 0, 0, 1, 0, 0), 2, 7, won=True)
HOME = SideResult("Owls", "blue", (0,) * 9, 0, 2, won=False)
RESULT = GameResult(
    "A game", "1 April 2026", "Lanterns win 2 to 0.", (AWAY, HOME), 0, 9, ("Star of the game", "Ann", "2 for 3")
)


def drawn(result: GameResult, shape: PictureShape) -> Image.Image:
    return Image.open(io.BytesIO(result_png(result, shape))).convert("RGB")


def changed(one: GameResult, other: GameResult, shape: PictureShape) -> tuple[int, int, int, int] | None:
    """Return the box in which two pictures differ; None if they are the same."""
    return ImageChops.difference(drawn(one, shape), drawn(other, shape)).getbbox()


@pytest.mark.parametrize("shape", RESULT_PICTURE_SIZES_PX)
def test_the_picture_shows_each_part(shape: PictureShape) -> None:
    """It has the size that messengers expect, and changes with every fact, each at its place."""
    assert RESULT_PICTURE_SIZES_PX[shape] == drawn(RESULT, shape).size
    assert changed(RESULT, RESULT, shape) is None
    above = 0
    for other in (
        replace(RESULT, day="2 April 2026"),
        replace(RESULT, sides=(replace(AWAY, runs=3, line=AWAY.line), HOME)),
        replace(RESULT, sentence="Owls lose."),
        replace(RESULT, sides=(AWAY, replace(HOME, hits=3))),
        replace(RESULT, star=("Star of the game", "Bo", "2 for 3")),
    ):
        box = changed(RESULT, other, shape)
        assert box is not None
        assert above < box[1]
        above = box[1]


@pytest.mark.parametrize("shape", RESULT_PICTURE_SIZES_PX)
def test_long_words_stay_inside(shape: PictureShape) -> None:
    """Names of any length, many innings, and letters that the typeface lacks leave the edges free."""
    long = "W" * 200 + " Überlingen \u200f\U0001f9a6"
    side = SideResult(long, "no color", (10,) * 30, 300, 400, won=True)
    image = drawn(GameResult(long, "30 September 2026", long, (side, side), 0, 9, (long[:40], long, long)), shape)
    plain = drawn(replace(RESULT, game="", day="", sentence=""), shape)
    for edge in ((0, 0, 40, image.height), (image.width - 40, 0, image.width, image.height)):
        assert ImageChops.difference(image.crop(edge), plain.crop(edge)).getbbox() is None


def record(table: Table) -> GameRecord:
    """Return a game as the store would give it."""
    summary = GameSummary(
        *(1, GameName("k", "A game"), "", "2026-04-01T12:00", "", False, False, False, None, None, None, 0, None, False)
    )
    return GameRecord(summary, None, table.view_for(None), play_log.play_views(table, {}))


def test_only_a_finished_game_has_a_picture() -> None:
    """It says who won and has the star; pictures are kept until there are too many."""
    table = new(GAME_OF["small-ball"])
    pictures = SharePictures()
    assert pictures.result_picture(record(table), "wide") is None
    for entry in entries_of(GAME_OF["small-ball"]):
        table.apply_entry(entry)
    over = record(table)
    found = game_result(over)
    assert found is not None
    assert ("A game", "1 April 2026", [True]) == (found.game, found.day, [one.won for one in found.sides if one.won])
    assert found.star is not None
    assert "Star of the game" == found.star[0]
    first = pictures.result_picture(over, "wide")
    assert first is pictures.result_picture(over, "wide")
    assert first is not None
    assert first.startswith(b"\x89PNG")


def test_pictures_are_drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those asked for last are kept."""
    table = new(GAME_OF["small-ball"])
    for entry in entries_of(GAME_OF["small-ball"]):
        table.apply_entry(entry)
    over, made = record(table), list[str]()

    def draw(what: GameResult, shape: PictureShape) -> bytes:
        made.append(what.game)
        return b""

    monkeypatch.setattr(share_pictures, "result_png", draw)
    pictures = SharePictures()
    for name in map(str, range(MAX_CACHED_PICTURES + 1)):
        for _ in range(2):
            pictures.result_picture(replace(over, summary=replace(over.summary, name=name)), "tall")
    assert [str(n) for n in range(MAX_CACHED_PICTURES + 1)] == made
    pictures.result_picture(replace(over, summary=replace(over.summary, name="0")), "tall")
    assert MAX_CACHED_PICTURES + 2 == len(made)
