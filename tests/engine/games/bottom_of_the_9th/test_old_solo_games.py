"""Games for one, recorded while the table had a pitcher of its own: they replay as games for two."""

from __future__ import annotations

import json

from device.storage.decks import house_deck
from engine.games.bottom_of_the_9th import GAME
from engine.journal import parse_entry
from engine.table import Table
from tests import golden

RECORDED = [json.loads(line) for line in (golden.FOLDER / f"{GAME.key}-solo.jsonl").read_text("utf-8").splitlines()]


def test_a_recorded_solo_game_replays() -> None:
    """Entry by entry, with the same events, the same score and the same outcome."""
    header, *told = RECORDED
    house = header["header"]["house"]
    assert "houseBot" == house["solo"]
    table = Table(GAME, [house_deck(GAME)], house)
    _, *again = golden.lines(table, [parse_entry(line["entry"]) for line in told if "entry" in line])
    assert told == json.loads(json.dumps(again))
