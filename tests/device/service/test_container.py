"""The container itself: it leaves no trace, however it ends, and where it cannot run it says why."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.device.service.container import AGES, HOME, Box, NoBox, root

OPENED = """\
import sys, time
from pathlib import Path
from tests.device.service.container import Box
box = Box(Path(sys.argv[1]))
print(box.name, flush=True)
box.boot()
print("on", flush=True)
time.sleep(600)
"""


def traces(name: str) -> list[str]:
    """Return what exists of a box: processes, control groups, mounts and folders of systemd-nspawn."""
    found = [str(group) for top in ("", "systemd", "unified") for group in (Path("/sys/fs/cgroup") / top).glob(name)]
    found += [str(place) for place in Path("/run/systemd/nspawn").glob(f"*/*{name}*")]
    found += [line for line in Path("/proc/mounts").read_text().splitlines() if name in line]
    for process in Path("/proc").glob("[0-9]*"):
        try:
            command = (process / "cmdline").read_bytes()
        except OSError:
            continue
        if name.encode() in command:
            found.append(f"{process.name}: {command!r}")
    return found


@pytest.mark.long("containers")
@pytest.mark.timeout(600)
@pytest.mark.parametrize("ends", ["in order", "killed"])
def test_nothing_is_left_of_a_box(tmp_path: Path, ends: str) -> None:
    """Also when the process that opened it is killed."""
    try:
        root()
        if ends == "in order":
            with Box(tmp_path) as box:
                box.boot()
                name = box.name
                assert traces(name)
        else:
            opener = subprocess.Popen(
                [sys.executable, "-c", OPENED, str(tmp_path)], cwd=HOME, stdout=subprocess.PIPE, text=True
            )
            with opener:
                assert opener.stdout is not None
                name = opener.stdout.readline().strip()
                on = opener.stdout.readline()
                opener.kill()
            if not on:
                pytest.skip("systemd-nspawn cannot boot here.")
    except NoBox as error:
        pytest.skip(str(error))
    late = time.monotonic() + AGES
    while (left := traces(name)) and time.monotonic() < late:
        time.sleep(0.05)
    assert [] == left


def test_without_root_there_is_no_box(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(NoBox, match="by root only"):
        root()


def test_without_its_programs_there_is_no_box(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(NoBox, match="mmdebstrap, systemd, systemd-container, util-linux"):
        root()
