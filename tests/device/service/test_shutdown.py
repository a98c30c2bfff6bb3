"""The last screen tells a person truthfully whether to unplug the machine."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import pytest

from device.app import STOP_SIGNALS, App
from device.cli import main
from device.display import screens_64, startup
from device.display.oled import Oled
from device.service import shutdown
from device.service.systemd import Systemd
from device.settings import parse_settings
from tests.device.process import SETTINGS, free_port

STOP = "  812 dugout.service stop running\n"


@pytest.mark.parametrize(
    ("jobs", "words"),
    [
        ("", shutdown.OFF_TEXT),
        (STOP, shutdown.OFF_TEXT),
        ("  811 dugout.service restart running\n", shutdown.RESTART_TEXT),
        (STOP + "  790 poweroff.target start waiting\n", shutdown.UNPLUG_TEXT),
        (STOP + "  790 halt.target start waiting\n", shutdown.UNPLUG_TEXT),
        (STOP + "  790 reboot.target start waiting\n", shutdown.REBOOT_TEXT),
        ("  811 dugout.service restart running\n  790 reboot.target start waiting\n", shutdown.REBOOT_TEXT),
        (STOP + "  790 poweroff.target stop waiting\n", shutdown.OFF_TEXT),
        ("No jobs running.\n", shutdown.OFF_TEXT),
    ],
)
def test_the_last_screen_says_what_the_machine_does(jobs: str, words: str) -> None:
    """Program off, machine off, or restarting: it depends on systemd's jobs."""
    assert words == shutdown.last_words_for(jobs)


@pytest.mark.parametrize("managed", [True, False])
@pytest.mark.parametrize("failed", ["", "The address is taken."])
def test_the_display_shows_the_last_screen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, managed: bool, failed: str
) -> None:
    """Only a service asks systemd; after a crash the display shows the error."""
    monkeypatch.setattr(shutdown, "manager_jobs", lambda: STOP + " 790 poweroff.target start waiting")
    settings = parse_settings(SETTINGS.format(port=1, show=1), "my.toml").model_copy(update={"data": tmp_path})
    service = Systemd({"NOTIFY_SOCKET": str(tmp_path / "nobody")} if managed else {})
    app = App(settings, demo=False, service=service)
    app.stop(failed)
    told = screens_64.draw_goodbye(shutdown.UNPLUG_TEXT if managed else shutdown.OFF_TEXT)
    assert (
        screens_64.draw_message("Dugout", failed) if failed else told
    ).tobytes() == app.oled.displayed_picture.tobytes()


@pytest.mark.parametrize("managed", [True, False])
def test_a_pi_that_may_not_shut_down_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, managed: bool
) -> None:
    """The display says that the Pi stays on, and the log has the system's reason."""
    refuses = "#!/bin/sh\ntest $1 != poweroff || { echo 'Access denied.' >&2; exit 1; }\n"
    (tmp_path / "systemctl").write_text(refuses)
    (tmp_path / "systemctl").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    settings = parse_settings("poweroff = true\n" + SETTINGS.format(port=1, show=1), "my.toml")
    service = Systemd({"NOTIFY_SOCKET": str(tmp_path / "nobody")} if managed else {})
    app = App(settings.model_copy(update={"data": tmp_path}), demo=False, service=service)
    app._shut_down()
    app.stop()
    assert screens_64.draw_goodbye(shutdown.STILL_ON_TEXT).tobytes() == app.oled.displayed_picture.tobytes()
    assert "cannot be turned off" in caplog.text
    assert "Access denied." in caplog.text


@pytest.mark.parametrize(
    ("poweroff", "jobs", "told"),
    [
        ("exit 0", "exit 1", None),
        ("echo Access denied >&2; exit 1", "true", "Access denied"),
        ("exit 4", "true", "systemctl poweroff ended with 4"),
        ("exit 1", "exit 1", None),
        ("exit 1", "echo 790 poweroff.target start waiting", None),
    ],
)
def test_shutting_the_machine_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, poweroff: str, jobs: str, told: str | None
) -> None:
    """The bus may disappear before it answers; the machine is then already shutting down."""
    (tmp_path / "systemctl").write_text(f"#!/bin/sh\ncase $1 in poweroff) {poweroff} ;; list-jobs) {jobs} ;; esac\n")
    (tmp_path / "systemctl").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    assert told == shutdown.power_off()


def test_without_systemd_nothing_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor when systemd does not answer."""
    monkeypatch.setenv("PATH", "/nowhere")
    assert "" == shutdown.manager_jobs()


@pytest.mark.parametrize("number", STOP_SIGNALS)
@pytest.mark.parametrize("where", ["Store", "GameSession", "App.open_listening_socket", "Devices.start", "Server.run"])
def test_a_signal_during_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str, number: signal.Signals
) -> None:
    """The program exits normally: the welcome screen does not stay, and the start does not count as failed."""
    monkeypatch.setattr(shutdown, "manager_jobs", lambda: STOP)
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "nobody"))
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    made: list[Oled] = []
    greeting = startup.start_with_greeting

    def greet(*wanted: Any) -> Oled:
        made.append(greeting(*wanted))
        return made[-1]

    monkeypatch.setattr(startup, "start_with_greeting", greet)
    room = {"Devices": "devices", "Server": "service.server"}.get(where.partition(".")[0], "app")
    real: Any = resolve_name(f"device.{room}.{where}".replace(f"{room}.", f"{room}:", 1))

    def ended(*given: Any, **how: Any) -> Any:
        signal.raise_signal(number)
        return real(*given, **how)

    monkeypatch.setattr(f"device.{room}.{where}", ended)
    (tmp_path / "my.toml").write_text(SETTINGS.format(port=free_port(), show=1))
    assert main(["run", "--settings", str(tmp_path / "my.toml"), "--data", str(tmp_path)]) == 0
    (oled,) = made
    assert screens_64.draw_goodbye(shutdown.OFF_TEXT).tobytes() == oled.displayed_picture.tobytes()
    assert not (tmp_path / "starts").exists()
