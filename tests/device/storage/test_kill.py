"""Kill -9 at any moment: nothing that was acknowledged is lost, and the game goes on."""

from __future__ import annotations

import threading
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from device.inputs import random_player
from device.storage.store import Store
from device.table.session import GameSession
from engine.journal import Source, entry_json
from tests.device.process import Program
from tests.device.stored_games import latest, table
from tests.json_asks import ask_of


def play(program: Program, random: Random, acknowledged: list[dict[str, Any]]) -> None:
    """Answer what is asked, and now and then take back, until the program is gone: killed while it answers, at some
    moment after a few answers."""
    enough = len(acknowledged) + random.randint(5, 15)
    killer = threading.Timer(random.uniform(0, 0.03), program.kill)
    while True:
        if len(acknowledged) >= enough and not killer.ident:
            killer.start()
        view = program.view()
        (ask, *_) = view["table"]["asks"]
        entry: dict[str, Any] = {
            "seat": ask["seat"],
            "n": ask["n"],
            "value": random_player.pick_answer(ask_of(ask), random),
        }
        response = program.post("answer", **entry)
        assert response.is_success, response.text
        acknowledged.append(entry)
        if random.random() < 0.1:
            response = program.undo(entry["n"])
            assert response.is_success, response.text
            acknowledged.append({"undo": entry["n"]})


def stored(folder: Path) -> list[dict[str, Any]]:
    """The journal as a new process would read it, without what the table answered by itself."""
    with closing(Store(folder / "journal.db")) as store:
        saved = store.current_game()
        assert saved is not None
        entries = zip(latest(store).journal, saved.sources, strict=True)
        return [dict(entry_json(entry)) for entry, source in entries if not Source(source).is_automatic]


@pytest.mark.parametrize("kills", [1, pytest.param(8, marks=pytest.mark.long("power-cuts"))])
def test_nothing_acknowledged_is_lost_to_kill_9(tmp_path: Path, kills: int) -> None:
    """The real process dies at random moments while a phone plays; each time the journal holds all it said yes to,
    and at most the one entry more that it had no time to say yes to."""
    random = Random(9)
    acknowledged: list[dict[str, Any]] = []
    for _ in range(kills):
        with Program(tmp_path) as program:
            assert program.view()["table"]["version"] >= len(acknowledged)
            with pytest.raises((httpx.TransportError, ValueError)):
                play(program, random, acknowledged)
            program.process.wait(300)
        journal = stored(tmp_path)
        assert journal[: len(acknowledged)] == acknowledged
        assert len(journal) - len(acknowledged) in (0, 1)
        acknowledged = journal
    assert len(acknowledged) >= 5 * kills


def test_an_answer_that_is_never_stored_would_be_missed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The planted fault: a store that keeps entries in memory only does lose what it acknowledged."""
    with closing(Store(tmp_path / "journal.db")) as store:
        session = GameSession(store, table)
        monkeypatch.setattr(store, "append", lambda *_: None)
        session.seats.answer_ask("away", 0, "bat", Source.PHONE)
    assert stored(tmp_path) == []


@pytest.mark.slow
def test_sigterm_ends_the_service(tmp_path: Path) -> None:
    """SIGTERM ends the program with status 0 although a phone's stream is open, and the game is there next time."""
    with Program(tmp_path) as program:
        program.post("answer", seat="away", n=0, value="blue")
        with program.client.stream("GET", "/stream") as stream:
            lines = stream.iter_lines()
            assert next(lines)
            assert program.end() == 0
    assert stored(tmp_path) == [{"seat": "away", "n": 0, "value": "blue"}]
