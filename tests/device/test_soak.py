"""A short soak test with faults, and tests that the soak test finds the errors it looks for."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from benchmarks.ledger import Ledger, SentEntry, entry_faults
from benchmarks.soak import FAULTS, Track, soak_run

BLUE: dict[str, Any] = {"seat": "away", "n": 0, "value": "blue"}
RED: dict[str, Any] = {"seat": "home", "n": 1, "value": "red"}
BACK: dict[str, Any] = {"undo": 1}
LAST: dict[str, Any] = {"undo": None}


@pytest.mark.slow
def test_a_short_soak_with_faults_loses_nothing() -> None:
    """Parts fail and come back, phones connect and disconnect, and the program is killed at the end."""
    with soak_run(0.15, 3) as soak:
        told = dict(soak.result_rows())
        assert [] == soak.faults
        assert soak.ledger.sure > 0
        assert soak.done
        assert {one.part for one in soak.done} <= set(FAULTS)
        assert (1, "0") == (soak.kills, told["what should not be"])


@pytest.mark.parametrize(
    ("sent", "kept", "faults"),
    [
        ([SentEntry(BLUE), SentEntry(RED)], [BLUE, RED], []),
        ([SentEntry(BLUE), SentEntry(RED), SentEntry(LAST)], [BLUE, RED, BACK], []),
        ([SentEntry(BLUE), SentEntry(RED, sure=False)], [BLUE], []),
        ([SentEntry(BLUE), SentEntry(RED, sure=False)], [BLUE, RED], []),
        ([SentEntry(BLUE), SentEntry(RED)], [BLUE], [f"lost: {json.dumps(RED)}"]),
        ([SentEntry(BLUE), SentEntry(RED)], [RED], [f"lost: {json.dumps(BLUE)}"]),
        (
            [SentEntry(BLUE), SentEntry(RED)],
            [RED, BLUE],
            [f"lost: {json.dumps(BLUE)}", f"nobody gave {json.dumps(BLUE)}"],
        ),
        ([SentEntry(BLUE)], [BLUE, BLUE], [f"nobody gave {json.dumps(BLUE)}"]),
        ([SentEntry(BLUE)], [BLUE | {"value": "red"}], None),
    ],
)
def test_lost_reordered_and_invented_entries_are_found(
    sent: list[SentEntry], kept: list[dict[str, Any]], faults: list[str] | None
) -> None:
    """Each entry must appear once, in order, as sent; only the one that was cut off may be missing."""
    found = entry_faults(sent, kept)
    assert found if faults is None else faults == found


def test_the_ledger_has_what_people_answered(tmp_path: Path) -> None:
    """Per game; answers from the camera and the house are left out."""
    with closing(sqlite3.connect(tmp_path / "journal.db")) as db:
        db.executescript(
            "create table game (id); create table entry (game, place, body, source); insert into game values (7)"
        )
        ledger = Ledger(tmp_path / "journal.db")
        ledger.begin_game()
        ledger.record(BLUE)
        assert (0, [f"game 7: lost: {json.dumps(BLUE)}"]) == ledger.check()
        rows = [(7, 0, json.dumps(BLUE), "phone"), (7, 1, json.dumps(RED), "camera")]
        db.executemany("insert into entry values (?, ?, ?, ?)", rows)
        db.commit()
        assert (1, []) == ledger.check()
        assert {"phone": 1, "camera": 1} == ledger.entries_by_source()


def test_growth_is_the_slope_of_the_best_line() -> None:
    """It is per hour; early samples do not count, and two samples are too few."""
    track = Track(when=[0, 60, 120, 180], rss=[9.0, 1.0, 1.5, 2.0])
    assert 30 == pytest.approx(track.growth(track.rss, 60))
    assert track.growth(track.rss, 120) is None
