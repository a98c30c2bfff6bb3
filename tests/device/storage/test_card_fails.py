"""A real card that fails in mid-game: it goes read-only, or its power is cut. Nothing that was acknowledged is lost."""

from __future__ import annotations

import fcntl
import os
import shutil
import struct
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from device.inputs import random_player
from device.storage import disk_space
from tests.device.process import Program
from tests.device.storage.test_kill import stored
from tests.json_asks import ask_of

EXT4_IOC_SHUTDOWN, NO_LOG_FLUSH = 0x8004587D, 2
"""From the kernel's fs/ext4/ext4.h: the file system ends at once, and what its log holds in memory is gone."""


class Card:
    """An ext4 file system of 32 MB in a file, mounted as Raspberry Pi OS mounts its card."""

    def __init__(self, folder: Path) -> None:
        self.image, self.at = folder / "card.img", folder / "card"
        self.at.mkdir()
        with self.image.open("wb") as file:
            file.truncate(32 << 20)
        subprocess.run(["mkfs.ext4", "-q", str(self.image)], check=True, capture_output=True)

    def mount(self) -> None:
        """Mount it, which replays its log. Raises CalledProcessError where that is not possible."""
        options = "loop,errors=remount-ro"
        subprocess.run(["mount", "-o", options, str(self.image), str(self.at)], check=True, capture_output=True)

    def unmount(self) -> None:
        subprocess.run(["umount", str(self.at)], check=True, capture_output=True)

    def repair(self) -> None:
        """Do what Raspberry Pi OS does when it starts. Status 1 means that something was mended."""
        assert subprocess.run(["e2fsck", "-p", str(self.image)], check=False, capture_output=True).returncode in (0, 1)

    def go_read_only(self) -> None:
        """Have the kernel meet an error on it."""
        with open("/proc/mounts") as mounts:
            (device,) = (line.split()[0] for line in mounts if line.split()[1] == str(self.at))
        (Path("/sys/fs/ext4") / Path(device).name / "trigger_fs_error").write_text("1")

    def cut_the_power(self) -> None:
        """Lose what was not synced."""
        folder = os.open(self.at, os.O_RDONLY)
        try:
            fcntl.ioctl(folder, EXT4_IOC_SHUTDOWN, struct.pack("I", NO_LOG_FLUSH))
        finally:
            os.close(folder)


@pytest.fixture
def card(tmp_path: Path) -> Iterator[Card]:
    if os.geteuid() != 0 or not shutil.which("mkfs.ext4"):
        pytest.skip("Cards are made and mounted by root, with mkfs.ext4 (apt install e2fsprogs).")
    made = Card(tmp_path)
    try:
        made.mount()
    except subprocess.CalledProcessError as error:
        pytest.skip(f"no card can be mounted here: {error.stderr.decode().strip()}")
    yield made
    if os.path.ismount(made.at):
        made.unmount()


def play(program: Program, fail: Callable[[], None], random: Random, acknowledged: list[dict[str, Any]]) -> str:
    """Answer what is asked until an answer is refused, because the card fails after a few; return what was said."""
    enough = len(acknowledged) + random.randint(5, 15)
    failing = threading.Timer(random.uniform(0, 0.03), fail)
    while True:
        if len(acknowledged) >= enough and not failing.ident:
            failing.start()
        (ask, *_) = program.view()["table"]["asks"]
        entry: dict[str, Any] = {"seat": ask["seat"], "n": ask["n"], "value": random_player.pick(ask_of(ask), random)}
        response = program.post("answer", **entry)
        if not response.is_success:
            failing.join()
            return response.text
        acknowledged.append(entry)


@pytest.mark.slow
@pytest.mark.parametrize("how", ["read-only", "power cut"])
def test_nothing_acknowledged_is_lost_with_the_card(card: Card, how: str) -> None:
    """The answer that could not be stored is refused, the page still shows the game, and the next start goes on."""
    random = Random(11)
    acknowledged: list[dict[str, Any]] = []
    data = card.at / "data"
    data.mkdir()
    for _ in range(3):
        with Program(data) as program:
            said = play(program, card.go_read_only if how == "read-only" else card.cut_the_power, random, acknowledged)
            assert disk_space.LOCKED in said
            assert program.view()["table"]["version"] >= len(acknowledged)
        card.unmount()
        card.repair()
        card.mount()
        journal = stored(data)
        assert journal[: len(acknowledged)] == acknowledged
        assert len(journal) - len(acknowledged) in (0, 1)
        acknowledged = journal
    assert len(acknowledged) > 15
