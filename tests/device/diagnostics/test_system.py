"""The doctor's checks of the system: service, clock, versions and settings; and the machine they read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from device import machine
from device.diagnostics.checks import system
from tests.device.diagnostics.machines import FIGURES, PI4, facts
from tests.device.diagnostics.machines import machine as drawn

SERVICE = """\
LoadState=loaded
ActiveState={}
SubState={}
NRestarts={}
Result={}
WatchdogUSec=20s
"""
UNSAFE = replace(FIGURES, unsafe="Safe mode: it failed.")


@pytest.mark.parametrize(
    ("unit", "figures", "starts", "verdict", "words"),
    [
        (("active", "running", 0, "success"), FIGURES, "", "ok", "Active (running), watched every 20s."),
        (("active", "running", 2, "watchdog"), FIGURES, "", "look", "Restarted 2 times."),
        (("failed", "failed", 12, "exit-code"), None, "...", "wrong", "Result: exit-code."),
        (("inactive", "dead", 0, "success"), None, "", "look", "Inactive (dead), watched every 20s."),
        (("inactive", "dead", 0, "success"), FIGURES, "", "ok", "Inactive (dead), watched every 20s."),
        (("active", "running", 0, "success"), None, "....", "look", "4 starts failed in a row."),
        (("active", "running", 0, "success"), UNSAFE, "", "wrong", "Safe mode: it failed."),
        (None, None, "", "ok", "No service; no table is running."),
        (None, FIGURES, "", "ok", "No service; the table was started by hand."),
    ],
)
def test_the_service(
    tmp_path: Path, unit: tuple[str, str, int, str] | None, figures: Any, starts: str, verdict: str, words: str
) -> None:
    outputs = {"systemctl show dugout.service": SERVICE.format(*unit)} if unit else {}
    seen = drawn(tmp_path, PI4 | {"run/dugout/starts": starts}, outputs)
    found = system.check_service(facts(seen, running=figures))
    assert (verdict, True) == (found.verdict, found.seen.endswith(words))


@pytest.mark.parametrize(("output", "words"), [("yes\n", "network set"), ("no\n", "not set"), (None, "Unknown")])
def test_the_clock_is_never_wrong(tmp_path: Path, output: str | None, words: str) -> None:
    """Set, not set, or unknown: the table plays anyway."""
    found = system.check_clock(facts(drawn(tmp_path, PI4, {} if output is None else {"timedatectl": output})))
    assert ("ok", True) == (found.verdict, words in found.seen)


def test_versions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All that matter are listed; the empty lgpio that pip may install is wrong."""
    seen = facts(drawn(tmp_path, PI4))
    found = system.check_software(seen)
    assert "ok" == found.verdict
    assert "Debian GNU/Linux 12 (bookworm)" in found.seen
    assert "6.12.25+rpt-rpi-v8" in found.seen
    for lgpio, verdict in (("0.0.0.2", "wrong"), ("0.2.2.0", "ok")):
        monkeypatch.setattr(system, "library_version", {"lgpio": lgpio}.get)
        found = system.check_software(seen)
        assert (verdict, verdict == "wrong") == (found.verdict, "python3-lgpio" in found.todo)


def test_settings(tmp_path: Path) -> None:
    """Changed settings are listed by name; an invalid file is wrong, with its own words."""
    seen, file = drawn(tmp_path, PI4), Path("/etc/d.toml")
    found = system.check_settings(facts(seen, "poweroff = true\n[display]\nheight = 32", file=file))
    assert "/etc/d.toml. Changed: poweroff = True, display.height = 32." == found.seen
    words = "d.toml, line 2, camera.sorce: there is no such setting."
    fault = system.check_settings(facts(seen, fault=words))
    assert ("wrong", words) == (fault.verdict, fault.seen)


# The machine


def test_commands_that_hang_fail_or_do_not_exist(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each gives None in time."""
    assert "hello\n" == machine.command_output(["echo", "hello"])
    assert None is machine.command_output(["false"])
    assert None is machine.command_output(["no-such-command-here"])
    monkeypatch.setattr(machine, "COMMAND_TIMEOUT_S", 0.05)
    assert None is machine.command_output(["sleep", "60"])


def test_this_machine() -> None:
    """Whatever this machine is, every query ends and none raises."""
    here = machine.Machine()
    assert here.lines() is None or isinstance(here.lines(), dict)
    assert here.probe(97, 0x3C) is None
    assert here.room(Path("/nowhere/at/all"))[0] >= 0
    assert None is here.read_text("proc/nothing")
    assert [] == here.find_files("nowhere/*")
