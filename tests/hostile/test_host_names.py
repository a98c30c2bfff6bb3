"""Attacks by foreign names (DNS rebinding), and what strangers learn of the machine's files."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from device.settings import parse_settings
from device.shapes import Health
from device.storage.decks import house_deck
from device.storage.store import Store, StoreError
from device.table.session import GameSession
from engine.games import GAMES
from engine.seats import SEATS
from engine.table import Table
from engine.views import CurrentReroll, CurrentRoll, json_data
from tests.web.phones import WHO, cookie, phone, small_ball, text
from tests.web.stream_client import Listener
from tests.web.web_table import CODE, WebTable
from web.app import create_app
from web.security.passes import COOKIE_NAME

FOREIGN = (
    "rebound.example",
    "localhost.example",
    "dugout.local.example",
    "127.0.0.1.example",
    "x:8000",
    "",
    "[::1",
    "a b",
)
OURS = (
    *("127.0.0.1", "192.168.1.23:8000", "[::1]:8000", "[fd00::1]", "localhost", "LOCALHOST:8000", "dugout.local"),
    *("Scoreboard.Local:80", "dugout.local.", "raspberrypi", "table.club.example:8000"),
)


def table() -> WebTable:
    port = small_ball()
    port.own_names = ("raspberrypi", "table.club.example")
    return port


@pytest.mark.parametrize("host", FOREIGN)
def test_a_foreign_name_reaches_nothing(host: str) -> None:
    """No page, file, stream, answer or sign-in, even with the operator's cookie; the page says what to do."""
    port = table()
    with phone(create_app(port.port), "operator") as client:
        client.cookies.set(COOKIE_NAME, cookie(port.access, WHO["operator"]).partition("=")[2], domain="")
        for path in ("/", "/table", "/static/js/live.js", "/api/view", "/display.png", "/nothing"):
            assert 421 == client.get(path, headers={"Host": host}).status_code
        assert 421 == client.post("/table", data={"code": CODE}, headers={"Host": host}).status_code
        assert 421 == client.post("/api/undo", json={}, headers={"Host": host}).status_code
        assert "Open the table by the address on its display" in text(client.get("/", headers={"Host": host}).text)
        assert "host" == client.get("/api/view", headers={"Host": host}).json()["error"]


@pytest.mark.parametrize("host", OURS)
def test_our_own_names_reach_it(host: str) -> None:
    """Addresses, names of the local network, this machine's, and those in the settings, with any port."""
    with phone(create_app(table().port)) as client:
        assert 200 == client.get("/api/view", headers={"Host": host}).status_code


def test_a_foreign_name_opens_no_stream() -> None:
    app = create_app(table().port)

    async def hear() -> int:
        async with app.router.lifespan_context(app), Listener(app, host="rebound.example") as listener:
            return await listener.answered()

    assert 421 == asyncio.run(hear())


def test_the_settings_name_the_table() -> None:
    """Besides this machine's name there are one for phones and any others."""
    from device.app import host_names

    web = parse_settings("[web]\nname = 'dugout.club'\nnames = ['dugout.fritz.box']\n", "my.toml").web
    assert ["pi", "pi.lan", "dugout.club", "dugout.fritz.box"] == host_names(web, "pi.lan")


WORDS = "The journal /home/pi/My games/journal.db cannot be written: [Errno 5] '/home/pi/My games/journal.db-wal'."

FILE = ("/home", "My games", "journal.db")


class Broken(WebTable):
    """A table whose disk fails."""

    def __init__(self) -> None:
        super().__init__()
        self.machine.component_health = lambda: [Health("journal", False, WORDS)]  # type: ignore[method-assign]

        def answer(*_: object) -> None:
            raise StoreError(WORDS)

        def rolls(*_: object) -> list[CurrentRoll | CurrentReroll]:
            raise OSError(28, "No space left on device", "/home/pi/My games/journal.db")

        self.seats.answer_ask = answer  # type: ignore[method-assign, assignment]
        self.record.current_rolls = rolls  # type: ignore[method-assign, assignment]


@pytest.mark.parametrize("who", ["spectator", "away"])
def test_no_refusal_names_a_file(who: str) -> None:
    port = Broken()
    with phone(create_app(port.port), who) as client:
        answers = [
            client.get("/api/rolls"),
            client.post("/api/answer", json={"seat": "away", "n": 0, "value": "red"}),
            client.get("/api/health"),
        ]
    assert [] == [word for word in FILE for answer in answers if word in answer.text]
    assert "Not saved. Try again. [Errno 28] No space left on device" in answers[0].json()["sentence"]
    assert "The journal … cannot be written" in answers[2].json()[0]["words"]


def test_the_operator_sees_the_file() -> None:
    with phone(create_app(Broken().port), "operator") as client:
        assert WORDS == client.get("/api/health").json()[0]["words"]


@pytest.fixture
def session(tmp_path: Path) -> Iterator[GameSession]:
    store = Store(tmp_path / "journal.db")
    game = GAMES["small-ball"]
    yield GameSession(store, lambda: Table(game, [house_deck(game)]))
    store.close()


def test_no_view_names_a_file(session: GameSession) -> None:
    """Neither what is missing nor a notice; names of devices and pages may stay."""
    session.game.notices.set_fault("journal", WORDS)
    session.game.notices.set_fault("camera", "The camera /dev/video0 gives no picture: see /doctor.")
    session.game.notices.show_notice(f"Refused. {WORDS}")
    views = [str(json_data(session.game.view_for(seat))) for seat in (None, *SEATS)]
    assert [] == [word for word in FILE for view in views if word in view]
    assert list(session.game.view_for(None).missing) == [
        "The journal … cannot be written: [Errno 5] ….",
        "The camera /dev/video0 gives no picture: see /doctor.",
    ]
    assert WORDS == session.game.notices.current_faults()["journal"]
