"""The real units under a real systemd in a container: they start, survive faults, and stop normally."""

from __future__ import annotations

import json
import socket
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from random import Random
from typing import Any

import httpx
import pytest

from device.display import screens_64
from device.inputs import random_player
from device.service import shutdown
from device.storage.store import Store
from engine.journal import entry_json
from engine.views import json_data
from tests.device.display.panel_model import Glass
from tests.device.service.container import Box, NoBox
from tests.device.stored_games import latest, table
from tests.json_asks import ask_of

pytestmark = [pytest.mark.timeout(600), pytest.mark.long("containers")]

OPEN = {"keep a game", "make a FIFO for lgpio", "use a temporary file", "listen for phones", "hear of cameras"}
"""What the sandbox allows, of everything that is tried."""


class Evening:
    """A game that continues through every fault; `given` has the acknowledged answers."""

    def __init__(self, box: Box) -> None:
        self.box, self.random = box, Random(4)
        self.given: list[dict[str, Any]] = []
        self.phone = box.phone()

    def begin(self) -> None:
        """Store one answer before the service first starts."""
        store = Store(self.box.data / "journal.db")
        played = table()
        game = store.begin_game(played)
        played.answer_ask("away", 0, "bat")
        store.append(game, played, "phone")
        store.close()
        self.given = self.journal()

    def boot(self) -> None:
        """Boot the machine, after a shutdown if it was on."""
        self.box.close()
        try:
            self.box.boot()
        except NoBox as error:
            pytest.skip(str(error))

    def open(self) -> None:
        """Make sure that the table is on, with this phone as its operator's."""
        if not self.box.on:
            self.boot()
        self.box.run("systemctl", "start", "dugout.service")
        self.box.ready()
        self.phone.close()
        self.phone = self.box.phone()
        with closing(self.read()) as db:
            (code,) = db.execute("select value from meta where key = 'code'").fetchone()
        assert self.phone.post("/table", data={"code": code}).is_redirect

    def read(self) -> sqlite3.Connection:
        return sqlite3.connect(f"file:{self.box.data / 'journal.db'}?mode=ro", uri=True)

    def journal(self) -> list[dict[str, Any]]:
        """Return the entries that a new process would read."""
        copy = self.box.data.parent / "copy.db"
        with closing(self.read()) as db, closing(sqlite3.connect(copy)) as other:
            db.backup(other)
        store = Store(copy)
        saved = latest(store)
        store.close()
        copy.unlink()
        return [dict(entry_json(entry)) for entry in saved.journal]

    def view(self) -> dict[str, Any]:
        shown: dict[str, Any] = self.phone.get("/api/view").json()["table"]
        return shown

    def answer(self) -> None:
        (ask, *_) = json_data(self.view())["asks"]
        entry = {"seat": ask["seat"], "n": ask["n"], "value": random_player.pick_answer(ask_of(ask), self.random)}
        assert self.phone.post("/api/answer", json=entry).is_success
        self.given.append(entry)

    def play(self) -> None:
        """Answer and undo, so that no game ends, until the table is gone."""
        while True:
            self.answer()
            n = self.given[-1]["n"]
            assert self.phone.post("/api/undo", json={"n": n, "version": json_data(self.view())["version"]}).is_success
            self.given.append({"undo": n})

    def half(self) -> tuple[int, str]:
        board = json_data(self.view())["scoreboard"]
        return board["inning"], board["half"]

    def goes_on(self) -> None:
        """Check that all acknowledged answers and at most one more are there, and that the next one is accepted."""
        journal = self.journal()
        assert self.given == journal[: len(self.given)]
        assert len(journal) - len(self.given) in (0, 1)
        self.given = journal
        assert len(journal) == json_data(self.view())["version"]
        self.answer()

    def glass(self) -> bytes:
        """Return the picture on the display, from what was sent on its bus."""
        glass, sent = Glass(), (self.box.data / "bus").read_bytes()
        while sent:
            size = int.from_bytes(sent[:2], "big")
            glass.message(sent[2 : 2 + size])
            sent = sent[2 + size :]
        return glass.picture().tobytes()

    def starts(self) -> int:
        """Return how often systemd restarted it."""
        return int(self.box.shows("NRestarts"))


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evening]:
    try:
        box = Box(tmp_path_factory.mktemp("box"))
    except NoBox as error:
        pytest.skip(str(error))
    with box:
        evening = Evening(box)
        evening.begin()
        yield evening
        evening.phone.close()


def test_an_early_phone_waits_for_the_game(evening: Evening) -> None:
    """A request before the program runs gets the restored game; the system is ready only then, without any failures."""
    box, answers = evening.box, len(evening.given)
    evening.boot()
    box.until(lambda: box.run("systemctl", "is-active", "dugout.socket", check=False) == "active", "open")
    assert answers == json_data(evening.view())["version"]
    box.ready()
    assert answers == json_data(evening.view())["version"]
    assert "running" == box.run("systemctl", "is-system-running", "--wait", check=False)
    assert "" == box.run("systemctl", "--failed", "--no-legend", "--plain")
    assert ("notify", "0") == (box.shows("Type"), box.shows("NRestarts"))


def test_the_pages_are_only_on_port_80(evening: Evening) -> None:
    """Over IPv4 and IPv6, under the machine's name; the port in the settings stays closed."""
    evening.open()
    assert ["Open:", "http://dugout.local/"] == evening.box.shows("StatusText").split()[:2]
    with evening.box.network():
        for host in ("127.0.0.1", "[::1]"):
            assert httpx.get(f"http://{host}/", timeout=20).is_success
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", 8000)).close()


def test_the_sandbox_allows_only_what_the_table_needs(evening: Evening) -> None:
    """A probe with the program's rights tries everything else, and is refused."""
    evening.open()
    found = json.loads((evening.box.data / "probe.json").read_text())
    rights = [found.pop(name) for name in ("CapEff", "CapBnd", "NoNewPrivs", "Seccomp")]
    assert [16 * "0", 16 * "0", "1", "2"] == rights
    assert {"dugout", "gpio", "i2c", "spi", "video", "audio"} == set(found.pop("groups"))
    assert [] == found.pop("others")
    assert OPEN == {what for what, how in found.items() if how == "done"}
    assert ("EROFS", "EAFNOSUPPORT") == (found["write /etc"], found["open the wire"])


def test_every_device_works_in_the_sandbox(evening: Evening) -> None:
    """The program reaches its pins, display and camera, whose picture is on the page, and espeak-ng speaks."""
    evening.open()
    evening.box.until(lambda: evening.phone.get("/camera.jpg").is_success, "seen")
    health = {part["part"]: part for part in evening.phone.get("/api/health").json()}
    parts = ("buttons", "camera", "display", "announcer", "journal")
    assert ["Works."] * 5 == [health[part]["words"] for part in parts]


def test_a_half_inning(evening: Evening) -> None:
    """Played on the pages: every answer stands, the display shows the game, and the other team comes to bat."""
    evening.open()
    before = evening.half()
    while evening.half() == before:
        evening.answer()
    assert evening.half() != before
    assert len(evening.phone.get("/api/plays").json()) > 3
    assert "Owls" in evening.phone.get("/").text
    assert evening.given == evening.journal()


def test_killed(evening: Evening) -> None:
    """After kill -9 while a phone plays, the game is back with every acknowledged answer."""
    evening.open()
    before = evening.starts()
    killer = threading.Thread(target=evening.box.signal, args=("KILL",))
    for _ in range(10):
        evening.answer()
    killer.start()
    with pytest.raises((httpx.TransportError, ValueError)):
        evening.play()
    killer.join()
    evening.box.until(lambda: evening.starts() == before + 1, "started again")
    evening.open()
    evening.goes_on()


def test_hung(evening: Evening) -> None:
    """The watchdog ends a hung program, and the game is back."""
    box = evening.box
    evening.open()
    assert "20s" == box.shows("WatchdogUSec")
    box.write("systemd/system/dugout.service.d/watchdog.conf", "[Service]\nWatchdogSec=4\n")
    box.run("systemctl", "daemon-reload")
    box.run("systemctl", "restart", "dugout.service")
    evening.open()
    before = evening.starts()
    box.signal("STOP")
    box.until(lambda: evening.starts() == before + 1, "started again")
    assert "Watchdog timeout" in box.log()
    evening.open()
    evening.goes_on()
    box.write("systemd/system/dugout.service.d/watchdog.conf", "")
    box.run("systemctl", "daemon-reload")


def test_invalid_settings(evening: Evening) -> None:
    """After three failed starts the table opens in safe mode and shows the error; once it is fixed, all is normal."""
    box = evening.box
    evening.open()
    whole = box.settings.read_text()
    box.settings.write_text(whole.replace("source", "sorce"))
    box.run("systemctl", "restart", "dugout.service", check=False)
    box.until(lambda: box.shows("ActiveState") == "active", "in safe mode")
    evening.open()
    words, *_ = evening.phone.get("/api/view").json()["missing"]
    assert words.startswith("Safe mode: the table failed 3 times in a row.")
    # A seat is not shown where the file is.
    assert "The settings: …, line 3, camera.sorce: there is no such setting" in words
    evening.goes_on()
    box.settings.write_text(whole)
    box.run("systemctl", "restart", "dugout.service")
    evening.open()
    assert not any(words.startswith("Safe mode") for words in evening.phone.get("/api/view").json()["missing"])
    evening.goes_on()


def test_stopped(evening: Evening) -> None:
    """It exits normally although a phone is connected: port 80 is closed, and the display shows that it is off."""
    box = evening.box
    evening.open()
    with evening.box.network(), evening.phone.stream("GET", "/stream") as stream:
        assert next(stream.iter_lines())
        box.run("systemctl", "stop", "dugout.service")
    assert ("success", "0", "inactive") == tuple(map(box.shows, ("Result", "ExecMainStatus", "ActiveState")))
    with pytest.raises(httpx.ConnectError):
        json_data(evening.view())
    assert screens_64.draw_goodbye(shutdown.OFF_TEXT).tobytes() == evening.glass()
    assert evening.given == evening.journal()


def test_shut_down_by_the_operator(evening: Evening) -> None:
    """The display says when to unplug, the machine shuts down, and after the next boot the game continues."""
    box = evening.box
    evening.open()
    assert evening.phone.post("/api/shutdown").is_success
    assert 0 == box.ended()
    assert screens_64.draw_goodbye(shutdown.UNPLUG_TEXT).tobytes() == evening.glass()
    evening.boot()
    evening.open()
    evening.goes_on()
