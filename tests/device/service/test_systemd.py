"""Under a service manager: notifications, socket activation, and no pings while a part hangs."""

from __future__ import annotations

import os
import select
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import httpx
import pytest
import uvicorn

from device.app import App
from device.display import startup
from device.inputs import camera_thread
from device.service.systemd import Systemd
from device.service.watchdog import Watchdog
from device.settings import parse_settings
from device.storage.store import Store
from tests.device.process import SETTINGS, free_port
from tests.device.stored_games import Clock, table
from vision.synthetic.camera import SyntheticCamera

AGES = 300
"""Seconds after which a test gives up."""


@pytest.fixture
def line(tmp_path: Path) -> Iterator[socket.socket]:
    """Listen as a service manager does."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(f"\0dugout-{os.getpid()}-line")
        line.settimeout(0)
        yield line


@contextmanager
def serving(folder: Path, line: socket.socket, clock: Clock, demo: bool = False) -> Iterator[App]:
    """The whole table as a service, with its pages; pings as often as it looks after its parts."""
    settings = parse_settings(SETTINGS.format(port=free_port(), show=1), "x").model_copy(update={"data": folder})
    oled = startup.build_display(settings.display, demo)
    oled.pulse = Watchdog(clock)
    oled.start()
    service = Systemd({"NOTIFY_SOCKET": "@" + line.getsockname()[1:].decode(), "WATCHDOG_USEC": "1"})
    app = App(settings, demo=demo, seed=1, service=service, oled=oled)
    thread = threading.Thread(target=app.serve, args=(app.open_listening_socket(),))
    thread.start()
    try:
        yield app
    finally:
        while thread.is_alive():
            app.stop_serving()
            heard(line)
            thread.join(0.01)
        app.stop()


def until(line: socket.socket, words: str) -> list[str]:
    """Listen until a message begins with these words; return what was said."""
    said, late = list[str](), time.monotonic() + AGES
    while not any(one.startswith(words) for one in said):
        assert time.monotonic() < late, f"{words} was never said; {said[-5:]} was"
        said += heard(line)
    return said


def heard(line: socket.socket) -> list[str]:
    said = []
    select.select([line], [], [], 0.01)
    try:
        while True:
            said.append(line.recv(4096).decode())
    except BlockingIOError:
        return said


def test_a_program_that_is_not_a_service_sends_nothing(caplog: pytest.LogCaptureFixture) -> None:
    """It gets no socket either."""
    service = Systemd({})
    service.report_ready("Open.")
    service.ping_watchdog(())
    service.report_stopping()
    assert (None, False, []) == (service.passed_socket(), service.is_managed, caplog.messages)


def test_the_managers_variables_are_not_inherited() -> None:
    """Programs started from here must not send notifications for the table."""
    environ = {
        "NOTIFY_SOCKET": "/nowhere",
        "WATCHDOG_USEC": "1",
        "WATCHDOG_PID": "1",
        "LISTEN_FDS": "1",
        "LISTEN_PID": "1",
        "LISTEN_FDNAMES": "web",
        "HOME": "/home",
    }
    service = Systemd(environ)
    assert {"HOME": "/home"} == environ
    assert service.passed_socket() is None, "that was for another process"


def test_pings_stop_while_a_part_is_late(line: socket.socket, clock: Clock, caplog: pytest.LogCaptureFixture) -> None:
    """Four pings per timeout; the log names the hung part once."""
    environ = {"NOTIFY_SOCKET": "@" + line.getsockname()[1:].decode(), "WATCHDOG_USEC": "20000000"}
    service = Systemd(environ, clock)
    for _ in range(100):
        service.ping_watchdog(())
        clock.now += 0.5
    assert 10 * ["WATCHDOG=1"] == heard(line)
    for _ in range(100):
        service.ping_watchdog(["camera"])
        clock.now += 0.5
    assert [] == heard(line)
    service.ping_watchdog(())
    assert (["WATCHDOG=1"], ["Not responding: camera.", "Everything is responding again."]) == (
        heard(line),
        caplog.messages,
    )


def test_without_a_watchdog_there_are_no_pings(line: socket.socket, clock: Clock) -> None:
    """Nor are there any if it watches another process."""
    name = "@" + line.getsockname()[1:].decode()
    Systemd({"NOTIFY_SOCKET": name}, clock).ping_watchdog(())
    Systemd({"NOTIFY_SOCKET": name, "WATCHDOG_USEC": "20000000", "WATCHDOG_PID": "1"}, clock).ping_watchdog(())
    assert [] == heard(line)


def test_the_status_is_sent_when_it_changes(line: socket.socket) -> None:
    """Each change is sent once, as one line."""
    service = Systemd({"NOTIFY_SOCKET": "@" + line.getsockname()[1:].decode()})
    service.report_ready("Open.")
    for words in ("Open.", "No\n camera.", "No camera.", "Open."):
        service.report_status(words)
    service.report_stopping()
    sent = ["READY=1\nSTATUS=Open.", "STATUS=No camera.", "STATUS=Open.", "STOPPING=1\nSTATUS=Closing."]
    assert sent == heard(line)


def test_a_missing_manager_does_not_stop_the_game(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A path where nobody listens is only logged."""
    Systemd({"NOTIFY_SOCKET": str(tmp_path / "nobody")}).report_ready("Open.")
    assert "Cannot send READY=1" in caplog.text


def test_ready_when_the_game_is_restored_and_pages_are_served(
    tmp_path: Path, line: socket.socket, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Readiness is sent first, with the address and before any ping; stopping is reported, too."""
    with closing(Store(tmp_path / "journal.db")) as store:
        played = table()
        game = store.begin_game(played)
        played.answer_ask("away", 0, "bat")
        store.append(game, played, "phone")
    startup_, early = uvicorn.Server.startup, list[str]()

    async def slow(server: uvicorn.Server, sockets: list[socket.socket] | None = None) -> None:
        early.extend(heard(line))
        await startup_(server, sockets)
        early.extend(heard(line))

    monkeypatch.setattr(uvicorn.Server, "startup", slow)
    with serving(tmp_path, line, clock) as app:
        ready, *_ = until(line, "READY=1")
        assert [] == early
        assert f"STATUS=Open: http://localhost:{app.settings.web.port}/ No buttons" in ready
        shown = httpx.get(f"http://127.0.0.1:{app.settings.web.port}/api/view", timeout=AGES).json()
        assert 1 == shown["table"]["version"]
        until(line, "WATCHDOG=1")
    assert "STOPPING=1\nSTATUS=Closing." in heard(line)


@pytest.mark.slow
def test_pings_stop_while_a_camera_hangs(
    tmp_path: Path, line: socket.socket, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the whole table, as long as its driver does not answer; all other parts move meanwhile."""
    hung, free, pings = threading.Event(), threading.Event(), list[bool]()
    read, ping = SyntheticCamera.read_frame, Systemd.ping_watchdog

    def hang(camera: SyntheticCamera) -> object:
        hung.set()
        assert free.wait(AGES)
        return read(camera)

    def noted(service: Systemd, late: Sequence[str]) -> None:
        ping(service, late)
        pings.append("camera" in late)

    monkeypatch.setattr(Systemd, "ping_watchdog", noted)
    with serving(tmp_path, line, clock, demo=True):
        until(line, "WATCHDOG=1")
        monkeypatch.setattr(SyntheticCamera, "read_frame", hang)
        while not hung.is_set():
            heard(line)
        clock.now += camera_thread.OPEN_TIMEOUT_S + 1
        since = len(pings) + 2  # one may be under way
        while len(pings) < since:
            heard(line)
        heard(line)
        said = list[str]()
        while len(pings) < since + 20:
            said += heard(line)
        assert "WATCHDOG=1" not in said
        assert all(pings[since:])
        free.set()
        until(line, "WATCHDOG=1")
