"""The units: systemd accepts every line of them and finds few exposures."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

UNITS = Path(__file__).parents[3] / "systemd"
OPEN = {"gpiochip", "i2c", "spi", "video4linux", "media", "dma_heap", "alsa", "input"}
"""The classes of devices that a table needs."""

wants_systemd = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="There is no systemd-analyze here.")


def copied(folder: Path, *changes: tuple[str, str]) -> list[str]:
    """Copy the units with an existing program and these changes; return the copies' paths."""
    for unit in ("dugout.service", "dugout.socket"):
        text = (UNITS / unit).read_text()
        text = text.replace("/opt/dugout/current/.venv/bin/dugout", sys.executable)
        for old, new in changes if unit == "dugout.service" else ():
            assert old in text
            text = text.replace(old, new)
        (folder / unit).write_text(text)
    return [str(folder / "dugout.service"), str(folder / "dugout.socket")]


def analyze(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["systemd-analyze", *arguments], capture_output=True, text=True, timeout=600, check=False)


@wants_systemd
def test_systemd_accepts_every_line(tmp_path: Path) -> None:
    """It exits with 0 even for unknown keys, so there must be no messages."""
    found = analyze("verify", "--man=no", *copied(tmp_path))
    assert (0, "") == (found.returncode, found.stderr)


@wants_systemd
@pytest.mark.parametrize("change", [("WatchdogSec=", "WatchdogSecs="), ("Type=notify", "Type=notifying")])
def test_a_line_that_systemd_does_not_know_is_found(tmp_path: Path, change: tuple[str, str]) -> None:
    assert "dugout.service" in analyze("verify", "--man=no", *copied(tmp_path, change)).stderr


@wants_systemd
@pytest.mark.parametrize(("change", "status"), [((), 0), (("SystemCallFilter=", "#"), 1)])
def test_systemd_finds_little_exposure(tmp_path: Path, change: tuple[str, str], status: int) -> None:
    """At most 2.5; without system call filters it would be higher."""
    service, _ = copied(tmp_path, *([change] if change else []))
    assert status == analyze("security", "--offline=true", "--threshold=25", service).returncode


def test_each_class_of_devices_is_allowed_by_name() -> None:
    """Exactly those that the table needs, and no rule that would allow all."""
    text = (UNITS / "dugout.service").read_text()
    assert OPEN == set(re.findall(r"^DeviceAllow=char-(\S+) rw$", text, re.M))
    assert not re.search(r"^PrivateDevices=", text, re.M)
    assert "After=systemd-modules-load.service" in text
    assert re.search(r"^User=dugout$", text, re.M)


def test_the_table_has_bounds() -> None:
    """Above what the longest soak took, and below what a Zero 2 W has."""
    text = (UNITS / "dugout.service").read_text()
    limits = dict(re.findall(r"^(Memory\w+|TasksMax)=(\d+)M?$", text, re.M))
    assert {"MemoryHigh", "MemoryMax", "TasksMax"} == limits.keys()
    soak = (UNITS.parent / "docs/evidence/soak.md").read_text()
    memory, threads = (re.search(rf"^\| {what} .* peak ([\d.]+)", soak, re.M) for what in ("memory,", "threads"))
    assert memory is not None
    assert threads is not None
    assert float(memory[1]) * 1.4 < int(limits["MemoryHigh"]) < int(limits["MemoryMax"]) <= 400
    assert float(threads[1]) * 4 < int(limits["TasksMax"])
    assert re.search(r"^LogRateLimitIntervalSec=1min\nLogRateLimitBurst=2000$", text, re.M)


def test_the_table_does_not_wait_for_network_or_time() -> None:
    """Neither may ever be available."""
    text = "".join((UNITS / unit).read_text() for unit in ("dugout.service", "dugout.socket"))
    assert not re.search(r"^[A-Z]\w*=.*(network|time-sync|time-set)", text, re.M)
