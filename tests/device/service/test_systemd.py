"""Under a service manager: notifications, socket activation, and no pings while a part hangs."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from device.service.systemd import Systemd
from device.storage.store import Store
from tests.device.service.service_manager import Manager
from tests.device.stored_games import Clock, table

HANGS = """\
import pathlib, time
from {module} import {kind}
import device.app, device.display.oled, device.inputs.dice_camera
device.app.HANGS = device.display.oled.HANGS = device.inputs.dice_camera.HANGS = device.inputs.dice_camera.OPENS = 0.3
spare = {kind}.{method}
def hang(*given, **named):
    while pathlib.Path({file!r}).exists():
        pathlib.Path({file!r} + "-hung").touch()
        time.sleep(0.01)
    return spare(*given, **named)
{kind}.{method} = hang
"""


SLOW = """\
import asyncio, pathlib, uvicorn
spare = uvicorn.Server.startup
async def startup(*given, **named):
    await asyncio.sleep(0.5)
    await spare(*given, **named)
    pathlib.Path({file!r}).touch()
uvicorn.Server.startup = startup
"""


@pytest.fixture
def line(tmp_path: Path) -> Iterator[socket.socket]:
    """Listen as a service manager does."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(f"\0dugout-{os.getpid()}-line")
        line.settimeout(0)
        yield line


def heard(line: socket.socket) -> list[str]:
    said = []
    try:
        while True:
            said.append(line.recv(4096).decode())
    except BlockingIOError:
        return said


def test_a_program_that_is_not_a_service_sends_nothing(caplog: pytest.LogCaptureFixture) -> None:
    """It gets no socket either."""
    service = Systemd({})
    service.ready("Open.")
    service.ping(())
    service.stopping()
    assert (None, False, []) == (service.listening(), service.managed, caplog.messages)


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
    assert service.listening() is None, "that was for another process"


def test_pings_stop_while_a_part_is_late(line: socket.socket, clock: Clock, caplog: pytest.LogCaptureFixture) -> None:
    """Four pings per timeout; the log names the hung part once."""
    environ = {"NOTIFY_SOCKET": "@" + line.getsockname()[1:].decode(), "WATCHDOG_USEC": "20000000"}
    service = Systemd(environ, clock)
    for _ in range(100):
        service.ping(())
        clock.now += 0.5
    assert 10 * ["WATCHDOG=1"] == heard(line)
    for _ in range(100):
        service.ping(["camera"])
        clock.now += 0.5
    assert [] == heard(line)
    service.ping(())
    assert (["WATCHDOG=1"], ["Hangs: camera.", "All parts move again."]) == (heard(line), caplog.messages)


def test_without_a_watchdog_there_are_no_pings(line: socket.socket, clock: Clock) -> None:
    """Nor are there any if it watches another process."""
    name = "@" + line.getsockname()[1:].decode()
    Systemd({"NOTIFY_SOCKET": name}, clock).ping(())
    Systemd({"NOTIFY_SOCKET": name, "WATCHDOG_USEC": "20000000", "WATCHDOG_PID": "1"}, clock).ping(())
    assert [] == heard(line)


def test_the_status_is_sent_when_it_changes(line: socket.socket) -> None:
    """Each change is sent once, as one line."""
    service = Systemd({"NOTIFY_SOCKET": "@" + line.getsockname()[1:].decode()})
    service.ready("Open.")
    for words in ("Open.", "No\n camera.", "No camera.", "Open."):
        service.status(words)
    service.stopping()
    sent = ["READY=1\nSTATUS=Open.", "STATUS=No camera.", "STATUS=Open.", "STOPPING=1\nSTATUS=Closing."]
    assert sent == heard(line)


def test_a_missing_manager_does_not_stop_the_game(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A path where nobody listens is only logged."""
    Systemd({"NOTIFY_SOCKET": str(tmp_path / "nobody")}).ready("Open.")
    assert "Cannot send READY=1" in caplog.text


@pytest.mark.slow
def test_ready_when_the_game_is_restored_and_pages_are_served(tmp_path: Path) -> None:
    """Readiness is sent first, with the address and before any ping; stopping is reported, too."""
    store = Store(tmp_path / "journal.db")
    played = table()
    game = store.begin(played)
    played.answer("away", 0, "bat")
    store.append(game, played, "phone")
    store.close()
    served = tmp_path / "served"
    with Manager(tmp_path, plant=SLOW.format(file=str(served))) as manager:
        said = manager.ready()
        assert served.exists()
        shown = httpx.get(f"http://127.0.0.1:{manager.port}/api/view", timeout=20).json()
        assert ([said], 1) == (manager.said, shown["table"]["version"])
        assert f"STATUS=Open: http://localhost:{manager.port}/ No buttons" in said
        manager.until(lambda said: said == "WATCHDOG=1")
        assert manager.end() == 0
        assert "STOPPING=1\nSTATUS=Closing." in manager.said
        assert not (tmp_path / "starts").exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "module", "kind", "method"),
    [("run", "device.table.session", "Session", "tick"), ("demo", "vision.drawn.camera", "DrawnCamera", "read")],
)
def test_pings_stop_while_a_part_hangs(tmp_path: Path, command: str, module: str, kind: str, method: str) -> None:
    """With the real program: hanging its ticker or its camera stops the pings until it continues."""
    file = tmp_path / "hang"
    plant = HANGS.format(module=module, kind=kind, method=method, file=str(file))
    with Manager(tmp_path, command=command, plant=plant) as manager:
        manager.ready()
        manager.until(lambda said: said == "WATCHDOG=1")
        file.touch()
        while not (tmp_path / "hang-hung").exists():
            manager.hear(0.01)
        assert manager.quiet()
        file.unlink()
        manager.until(lambda said: said == "WATCHDOG=1")
