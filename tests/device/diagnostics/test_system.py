"""What the doctor sees around the table: the service, network, clock, versions and settings; and how it looks."""

from __future__ import annotations

import socket
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from device import machine
from device.diagnostics.checks import system
from device.diagnostics.checks.case import LOOK, OK, WRONG, Case
from tests.device.diagnostics.machines import FIGURES, PI4, case
from tests.device.diagnostics.machines import machine as drawn

SERVICE = """\
LoadState=loaded
ActiveState={state}
SubState={sub}
NRestarts={again}
Result={result}
WatchdogUSec=20s
"""


@pytest.mark.parametrize(
    ("unit", "figures", "starts", "verdict", "words"),
    [
        (("active", "running", 0, "success"), FIGURES, "", OK, "Active (running), watched every 20s."),
        (("active", "running", 2, "watchdog"), FIGURES, "", LOOK, "Started again by itself 2 times."),
        (("failed", "failed", 12, "exit-code"), None, "...", WRONG, "Result: exit-code."),
        (("inactive", "dead", 0, "success"), None, "", LOOK, "Inactive (dead), watched every 20s."),
        (("inactive", "dead", 0, "success"), FIGURES, "", OK, "Inactive (dead), watched every 20s."),
        (("active", "running", 0, "success"), None, "....", LOOK, "4 starts failed in a row."),
        (
            ("active", "running", 0, "success"),
            FIGURES | {"unsafe": "Safe mode: it failed."},
            "",
            WRONG,
            "Safe mode: it failed.",
        ),
        (None, None, "", OK, "No service; no table runs."),
        (None, FIGURES, "", OK, "No service; the table runs by hand."),
    ],
)
def test_the_service(
    tmp_path: Path, unit: tuple[str, str, int, str] | None, figures: Any, starts: str, verdict: str, words: str
) -> None:
    """Running and watched, started again, failed, switched off, in safe mode and why, or not there at all."""
    said = {}
    if unit is not None:
        state, sub, again, result = unit
        said["systemctl show dugout.service"] = SERVICE.format(state=state, sub=sub, again=again, result=result)
    seen = drawn(tmp_path, PI4 | {"run/dugout/starts": starts}, said)
    found = system.service(seen, case(figures=figures))
    assert (verdict, True) == (found.verdict, found.seen.endswith(words))


@contextmanager
def answering(words: str | None) -> Iterator[Path]:
    """A folder for a machine whose avahi answers one question so; None: none runs."""
    # Not below pytest's folder: a socket's path may have 107 letters.
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as line:
        path = Path(folder, "run/avahi-daemon/socket")
        path.parent.mkdir(parents=True)
        if words is None:
            yield Path(folder)
            return
        line.bind(str(path))
        line.listen()

        def serve() -> None:
            with line.accept()[0] as asked:
                assert asked.recv(1024) == b"RESOLVE-HOSTNAME-IPV4 dugout.local\n"
                asked.sendall(words.encode())

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield Path(folder)
        thread.join(20)


@pytest.mark.parametrize(
    ("words", "verdict", "told"),
    [
        ("+ 2 0 dugout.local 192.168.1.20\n", OK, "Name: dugout.local."),
        ("-15 Timeout reached\n", LOOK, "unknown to avahi."),
        (None, LOOK, "does not run."),
    ],
)
def test_the_name_that_phones_use(words: str | None, verdict: str, told: str) -> None:
    """Avahi knows it, does not, or does not run; the numbers serve meanwhile."""
    with answering(words) as folder:
        seen = drawn(folder, PI4, {"hostname -I": "192.168.1.20 127.0.0.1 169.254.3.4 fe80::1\n"})
        found = system.network(seen, case("[web]\nname = 'dugout.local'"))
    assert (verdict, True, True) == (found.verdict, "Addresses: 192.168.1.20." in found.seen, found.seen.endswith(told))


def test_no_network(tmp_path: Path) -> None:
    """Phones cannot come; a table for this machine alone is worth a look."""
    assert WRONG == system.network(drawn(tmp_path, PI4, {"hostname -I": "\n"}), case()).verdict
    assert LOOK == system.network(drawn(tmp_path, PI4), case("[web]\nhost = '127.0.0.1'")).verdict


@pytest.mark.parametrize(("port", "running", "verdict"), [(22, False, WRONG), (8000, False, OK), (22, True, OK)])
def test_whose_the_port_is(tmp_path: Path, port: int, running: bool, verdict: str) -> None:
    """Another program's, nobody's, or the table's own."""
    found = system.port(drawn(tmp_path, PI4), case(f"[web]\nport = {port}", figures=FIGURES if running else None))
    assert verdict == found.verdict


@pytest.mark.parametrize(("said", "words"), [("yes\n", "set by the network"), ("no\n", "not set"), (None, "Cannot")])
def test_the_clock_is_never_wrong(tmp_path: Path, said: str | None, words: str) -> None:
    """Set, not set, or unknown: the table plays."""
    found = system.clock(drawn(tmp_path, PI4, {} if said is None else {"timedatectl": said}), case())
    assert (OK, True) == (found.verdict, words in found.seen)


def test_versions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All that matter; the empty lgpio that pip takes is wrong."""
    seen = drawn(tmp_path, PI4)
    found = system.software(seen, case())
    assert OK == found.verdict
    assert "Debian GNU/Linux 12 (bookworm)" in found.seen
    assert "6.12.25+rpt-rpi-v8" in found.seen
    monkeypatch.setattr(system, "version", lambda name: {"lgpio": "0.0.0.2"}.get(name, "1"))
    assert (WRONG, True) == (
        system.software(seen, case()).verdict,
        "python3-lgpio" in system.software(seen, case()).todo,
    )
    monkeypatch.setattr(system, "version", lambda name: {"lgpio": "0.2.2.0"}.get(name, "1"))
    assert OK == system.software(seen, case()).verdict


def test_settings(tmp_path: Path) -> None:
    """What differs is listed by name; a file that cannot be used is wrong, with its own words."""
    found = system.settings(
        drawn(tmp_path, PI4), case("poweroff = true\n[display]\nheight = 32", file=Path("/etc/d.toml"))
    )
    assert "/etc/d.toml. Different: poweroff = True, display.height = 32." == found.seen
    fault = system.settings(drawn(tmp_path, PI4), Case(fault="d.toml, line 2, camera.sorce: there is no such setting."))
    assert (WRONG, "d.toml, line 2, camera.sorce: there is no such setting.") == (fault.verdict, fault.seen)


# The machine


def test_commands_that_hang_fail_or_are_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is None, and keeps nobody waiting."""
    assert "hello\n" == machine.command(["echo", "hello"])
    assert None is machine.command(["false"])
    assert None is machine.command(["no-such-command-here"])
    monkeypatch.setattr(machine, "PATIENCE", 0.05)
    assert None is machine.command(["sleep", "60"])


def test_this_machine() -> None:
    """Whatever it is: every look ends, and none raises."""
    here = machine.Machine()
    assert here.lines() is None or isinstance(here.lines(), dict)
    assert here.probe(97, 0x3C) is None
    assert here.room(Path("/nowhere/at/all"))[0] >= 0
    assert None is here.read("proc/nothing")
    assert [] == here.found("nowhere/*")
