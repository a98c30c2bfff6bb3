"""Nobody waits for a stranger: reading the past never delays the present."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from inspect import signature
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI

from device.shapes import (
    LINES_PER_PAGE,
    MAX_LIST_LENGTH,
    AbortCheck,
    GameRecord,
    PlaysPage,
    log_page_range,
    never_abort,
)
from device.storage.roll_pictures import RollPictures
from device.storage.store import Store
from device.table import play_log
from device.table.past_games import ENTRIES_PER_READ, PastGames
from device.table.session import GameSession
from engine.games import GAMES
from engine.journal import EntryJson, Source
from engine.table import Table
from engine.views import CurrentRoll, PlayView, json_data
from tests.device import stored_games
from tests.golden import entries_of, new
from tests.hostile.visitors import Visitor
from tests.web.phones import phone
from tests.web.stream_client import alive
from tests.web.web_table import WebTable, parts
from web.app import create_app
from web.security.admission import READS_PER_ADDRESS, STRANGER_TURN, TOTAL_READS

LIMIT = 100.0
"""Seconds after which a slow read gives up."""


class SlowTable(WebTable):
    """A table whose old games take long to read, until they are `released`."""

    def __init__(self) -> None:
        super().__init__()
        self.seats.answer_ask("away", 0, "red", Source.PHONE)
        self.games.begin_game("small-ball", [], {"awayTeam": "red"})
        self.games.resume_game(1)
        self.begun, self.ended = 0, 0
        self.released = threading.Event()
        past = self.past.game_record

        def slow(number: int, wanted: AbortCheck = never_abort) -> GameRecord | None:
            self.wait_long(wanted)
            return past(number)

        self.past.game_record = slow  # type: ignore[method-assign]

    def wait_long(self, wanted: AbortCheck) -> None:
        self.begun += 1
        try:
            late = time.monotonic() + LIMIT
            while not self.released.wait(0.002):
                assert time.monotonic() < late, "nobody let it go on"
                wanted()
        finally:
            self.ended += 1


def tried(act: Callable[[SlowTable, FastAPI], Awaitable[Any]]) -> None:
    """Run an attack on a table whose old games take long to read."""
    table = SlowTable()
    app = create_app(table.port)

    async def run() -> None:
        try:
            await act(table, app)
        finally:
            table.released.set()

    alive(app, run)


async def until(true: Callable[[], bool]) -> None:
    """Wait until this is true."""
    async with asyncio.timeout(LIMIT):
        while not true():
            await asyncio.sleep(0.002)


def test_abandoned_requests_never_start() -> None:
    """Of twelve clients that ask for an old game and leave, one was read, and that read stops early."""

    async def attack(table: SlowTable, app: FastAPI) -> None:
        visitors = [Visitor(app, "/games/1", at=f"10.0.0.{n // READS_PER_ADDRESS.limit}") for n in range(12)]
        await until(lambda: table.begun == 1)
        for visitor in visitors:
            visitor.leave()
        async with asyncio.timeout(LIMIT):
            await asyncio.gather(*(visitor.answer() for visitor in visitors))
        assert not table.released.is_set()
        assert (1, 1) == (table.begun, table.ended)

    tried(attack)


@pytest.mark.parametrize(
    ("method", "path", "who"),
    [
        ("POST", "/api/games/2/take", "operator"),
        ("GET", "/games/9", "operator"),
        ("GET", "/decks/small-ball/house", "spectator"),
        ("GET", "/api/decks", "spectator"),
        ("GET", "/api/view", "spectator"),
    ],
)
def test_strangers_who_read_delay_nobody(method: str, path: str, who: str) -> None:
    """As many strangers as may wait for old games; the operator takes one up and reads, and anyone reads decks."""

    async def attack(table: SlowTable, app: FastAPI) -> None:
        strangers = [
            Visitor(app, "/games/1", at=f"10.0.0.{n // READS_PER_ADDRESS.limit}") for n in range(TOTAL_READS.limit)
        ]
        await until(lambda: table.begun == 1)
        asked = Visitor(app, path, method, who, "10.0.1.1")
        if path == "/games/9":
            await until(lambda: table.begun == 2)
            table.released.set()
        assert await asked.answer() == (404 if path == "/games/9" else 200)
        if path != "/games/9":
            assert all(one.waits for one in strangers)
        table.released.set()
        assert [200] * TOTAL_READS.limit == [await one.answer() for one in strangers]

    tried(attack)


def test_answers_need_no_thread_of_readers(monkeypatch: pytest.MonkeyPatch) -> None:
    """The operator answers while strangers hold every thread that reads the game on the table."""

    async def attack(table: SlowTable, app: FastAPI) -> None:
        def rolls(most: int = 0, before: int | None = None) -> list[CurrentRoll]:
            table.wait_long(never_abort)
            return []

        monkeypatch.setattr(table.record, "current_rolls", rolls)
        strangers = [Visitor(app, "/api/rolls", at=f"10.0.0.{n}") for n in range(50)]
        await until(lambda: table.begun > 0)
        ((n, ask),) = table.game.table.open_asks()
        given = {"seat": ask.seat, "n": n, "value": "bat"}
        assert 200 == await Visitor(app, "/api/answer", "POST", "operator", body=given).answer()
        assert all(one.waits for one in strangers)

    tried(attack)


def test_few_may_wait() -> None:
    """More from one address, or in total, are refused at once, with a sentence and the seconds to wait."""

    async def attack(table: SlowTable, app: FastAPI) -> None:
        one = [Visitor(app, "/games/1.svg", at="10.0.0.1") for _ in range(READS_PER_ADDRESS.limit + 1)]
        await until(lambda: sum(not visitor.waits for visitor in one) == 1)
        refused = next(visitor for visitor in one if not visitor.waits)
        assert (503, True) == (refused.status, int(refused.headers["retry-after"]) > 0)
        assert b"at once" in refused.body
        more = [Visitor(app, "/games/1", at=f"10.0.1.{n}") for n in range(TOTAL_READS.limit - READS_PER_ADDRESS.limit)]
        assert 503 == await Visitor(app, "/games/1", at="10.0.2.1").answer()
        assert all(visitor.waits for visitor in more)
        more[-1].leave()
        await more[-1].answer()
        again = Visitor(app, "/games/1", at="10.0.2.1")
        table.released.set()
        assert 200 == await again.answer()

    tried(attack)


def test_one_old_game_is_read_at_a_time() -> None:
    """Strangers share one thread, whatever they read of old games."""

    async def attack(table: SlowTable, app: FastAPI) -> None:
        paths = ("/games/1", "/games/1.svg", "/games/1")
        asked = [Visitor(app, path, at=f"10.0.0.{n}") for n, path in enumerate(paths)]
        await until(lambda: table.begun == 1)
        for _ in range(20):
            await asyncio.sleep(0.002)
        assert 1 == table.begun
        table.released.set()
        assert [200] * 3 == [await one.answer() for one in asked]

    tried(attack)


def test_answers_do_not_wait_for_who_reads_the_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the play log, the rolls and the pictures of the game on the table are read, somebody answers."""
    store = Store(tmp_path / "journal.db")
    pictures = RollPictures(tmp_path / "evidence")
    session = GameSession(store, stored_games.table, evidence=pictures)
    session.seats.answer_ask("away", 0, "bat", Source.PHONE)
    begun, done = threading.Semaphore(0), threading.Event()

    def slow(game: int, place: int) -> bool:
        begun.release()
        assert done.wait(LIMIT)
        return False

    with closing(store), ThreadPoolExecutor(4) as readers:
        monkeypatch.setattr(pictures, "has_picture", slow)
        reads = (session.record.plays_page, session.record.current_rolls, lambda: session.record.dice_picture("1-0"))
        reading = [readers.submit(read) for read in reads]
        try:
            for _ in reads:
                assert begun.acquire(timeout=LIMIT)
            monkeypatch.setattr(pictures, "has_picture", lambda game, place: False)
            readers.submit(session.seats.answer_ask, "away", 1, [2], Source.PHONE).result(LIMIT)
            assert not any(one.done() for one in reading)
        finally:
            done.set()


def test_who_waits_to_read_takes_no_turn_from_others() -> None:
    """More strangers wait in a lane than may be answered at once, and one more sees the game on the table."""

    async def attack(table: SlowTable, app: FastAPI) -> None:
        waiting = [Visitor(app, "/games/1", at=f"10.0.0.{n}") for n in range(STRANGER_TURN.limit + 1)]
        await until(lambda: table.begun == 1)
        assert 200 == await Visitor(app, "/", at="10.0.1.1").answer()
        assert all(one.waits for one in waiting)

    tried(attack)


@pytest.fixture
def long_game(tmp_path: Path) -> Iterator[tuple[FastAPI, PastGames]]:
    """A table in whose game 1 somebody answered and took back, again and again."""
    with closing(Store(tmp_path / "journal.db")) as store:
        table = stored_games.table()
        for _ in range(1500):
            table.answer_ask("away", 0, "bat")
            table.undo(0)
        store.begin_game(table)
        session = GameSession(store, stored_games.table)
        past = PastGames(store.path, lambda: session.game.number, lambda game, place: False)
        yield create_app(replace(WebTable().port, past=past)), past


def test_a_long_journal_is_read_while_it_is_sent(
    long_game: tuple[FastAPI, PastGames], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As long as the client takes nothing, the rest stays on the disk; then all of it comes."""
    app, past = long_game
    pieces, read = past._entry_batches, list[int]()

    def counted(*given: Any) -> Iterator[list[EntryJson]]:
        for piece in pieces(*given):
            read.append(len(piece))
            yield piece

    monkeypatch.setattr(past, "_entry_batches", counted)

    async def attack() -> None:
        visitor = Visitor(app, "/games/1.jsonl")
        visitor.reads.clear()
        await until(lambda: visitor.status is not None)
        for _ in range(20):
            await asyncio.sleep(0.005)
        assert sum(read) <= 2 * ENTRIES_PER_READ
        visitor.reads.set()
        assert 200 == await visitor.answer()
        assert (3000, ENTRIES_PER_READ) == (sum(read), max(read))
        assert 3001 == len(visitor.body.splitlines())

    alive(app, attack)


def test_pages_of_a_long_game_are_short(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long a game is, a page has some of its plays, and links to the others."""
    table = WebTable()
    line = PlayView(1, "x", 1, 1, "top", None, "Sentence.", 0, None, False)
    log = [replace(line, n=n, inning=n // 40 + 1) for n in range(2 * LINES_PER_PAGE + 10)]

    def plays(page: int = 1) -> PlaysPage:
        part, pages = log_page_range(len(log), page)
        return PlaysPage(log[part.start : part.stop], page, pages)

    monkeypatch.setattr(table.record, "plays_page", plays)
    monkeypatch.setattr(play_log, "play_views", lambda *_, **more: log)
    app = create_app(table.port)

    async def attack() -> None:
        for path in ("/plays", "/games/1"):
            for page, shown in ((1, LINES_PER_PAGE), (3, 10), (4, 0)):
                visitor = Visitor(app, f"{path}?plays={page}")
                assert 200 == await visitor.answer()
                assert shown == visitor.body.count(b"Sentence.</li>")
                assert (b"Page %d of 3" % page) in visitor.body

    alive(app, attack)


def test_lists_of_a_long_game_are_short(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long a game is, the API lists some plays, rolls and answers at a time, and describes no others."""
    monkeypatch.setattr("device.shapes.LINES_PER_PAGE", 30)
    store = Store(tmp_path / "journal.db")
    described, lines, views = 0, Table.play_log_lines, Table.ask_view

    def counted(self: Table, *given: Any, **more: Any) -> Any:
        nonlocal described
        found = views(self, *given, **more)
        described += 1
        return found

    def counted_lines(self: Table, *given: Any) -> Any:
        nonlocal described
        found = lines(self, *given)
        described += len(found)
        return found

    with closing(store):
        table = new(GAMES["rallybird"])
        for entry in entries_of(table.game):
            table.apply_entry(entry)
        store.begin_game(table)
        session = GameSession(store, stored_games.table)
        whole = {
            "plays": list(reversed(json_data(play_log.play_views(table, {})))),
            "rolls": json_data(play_log.current_rolls(table, {}, most=10**6)),
            "answers": json_data(play_log.current_answers(table, most=10**6)),
        }
        assert min(map(len, whole.values())) > 40
        caused = Counter(one.n for one in table.log)
        monkeypatch.setattr(Table, "ask_view", counted)
        monkeypatch.setattr(Table, "play_log_lines", counted_lines)
        with phone(create_app(replace(WebTable().port, **parts(session))), "operator") as client:
            for name, expected in whole.items():
                found: list[dict[str, Any]] = []
                for page in range(1, 100):
                    older = f"&before={found[-1]['n']}" if found else ""
                    asked = f"page={page}" if name == "plays" else f"limit=30{older}"
                    described = 0
                    part = client.get(f"/api/{name}?{asked}").json()
                    # A roll also tells what came of it; one that caused nothing by itself, when it was.
                    told = sum(max(1, caused[roll["n"]]) for roll in part) if name == "rolls" else 0
                    assert (True, len(part) + told) == (len(part) <= 30, described)
                    found += reversed(part) if name == "plays" else part
                    if not part:
                        break
                assert expected == found
        assert [MAX_LIST_LENGTH] * 2 == [
            signature(one).parameters["most"].default
            for one in (session.record.current_rolls, session.record.current_answers)
        ]


@pytest.mark.parametrize("name", ["rolls", "answers"])
def test_no_list_is_as_long_as_a_stranger_likes(name: str) -> None:
    """A list of more than a hundred is refused."""
    with phone(create_app(WebTable().port), "operator") as client:
        assert (200, 422) == tuple(
            client.get(f"/api/{name}?limit={n}").status_code for n in (MAX_LIST_LENGTH, MAX_LIST_LENGTH + 1)
        )
