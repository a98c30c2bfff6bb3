"""A real card that fails in mid-game: it goes read-only, or its power is cut. Nothing that was acknowledged is lost."""

from __future__ import annotations

import fcntl
import os
import shutil
import struct
import subprocess
import threading
import time
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
        image, self.at = folder / "card.img", folder / "card"
        self.at.mkdir()
        with image.open("wb") as file:
            file.truncate(32 << 20)
        # One device throughout, so that what is mounted, checked and mounted again is the same bytes.
        self.device = run("losetup", "--find", "--show", str(image)).strip()
        run("mkfs.ext4", "-q", self.device)

    def mount(self) -> None:
        """Mount it, which replays its log. Raises CalledProcessError where that is not possible."""
        run("mount", "-o", "errors=remount-ro", self.device, str(self.at))

    def unmount(self) -> None:
        run("umount", str(self.at))

    def repair(self) -> None:
        """Do what Raspberry Pi OS does when it starts."""
        for _ in range(600):
            done = subprocess.run(["e2fsck", "-p", self.device], check=False, capture_output=True, text=True)
            # A test beside this one may have copied all mounts into a namespace of its own, for a moment.
            if "is in use" not in done.stdout:
                break
            time.sleep(0.05)
        assert done.returncode in (0, 1), done.stdout  # 1: something was mended

    def take_away(self) -> None:
        """Leave nothing behind."""
        if os.path.ismount(self.at):
            self.unmount()
        run("losetup", "--detach", self.device)

    def go_read_only(self) -> None:
        """Have the kernel meet an error on it."""
        (Path("/sys/fs/ext4") / Path(self.device).name / "trigger_fs_error").write_text("1")

    def cut_the_power(self) -> None:
        """Lose what was not synced."""
        folder = os.open(self.at, os.O_RDONLY)
        try:
            fcntl.ioctl(folder, EXT4_IOC_SHUTDOWN, struct.pack("I", NO_LOG_FLUSH))
        finally:
            os.close(folder)


def run(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def card(tmp_path: Path) -> Iterator[Card]:
    if os.geteuid() != 0 or not shutil.which("mkfs.ext4"):
        pytest.skip("Cards are made and mounted by root, with mkfs.ext4 (apt install e2fsprogs).")
    try:
        made = Card(tmp_path)
    except subprocess.CalledProcessError as error:
        pytest.skip(f"no card can be made here: {error.stderr.strip()}")
    try:
        try:
            made.mount()
        except subprocess.CalledProcessError as error:
            pytest.skip(f"no card can be mounted here: {error.stderr.strip()}")
        yield made
    finally:
        made.take_away()


def play(program: Program, fail: Callable[[], None], random: Random, acknowledged: list[dict[str, Any]]) -> str:
    """Answer what is asked until an answer is refused, because the card fails after a few; return what was said."""
    enough = len(acknowledged) + random.randint(5, 15)
    failing = threading.Timer(random.uniform(0, 0.03), fail)
    while True:
        if len(acknowledged) >= enough and not failing.ident:
            failing.start()
        (ask, *_) = program.view()["table"]["asks"]
        entry: dict[str, Any] = {
            "seat": ask["seat"],
            "n": ask["n"],
            "value": random_player.pick_answer(ask_of(ask), random),
        }
        response = program.post("answer", **entry)
        if not response.is_success:
            failing.join()
            return response.text
        acknowledged.append(entry)


@pytest.mark.long("power-cuts")
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
            assert disk_space.CARD_UNWRITABLE_ADVICE in said
            assert program.view()["table"]["version"] >= len(acknowledged)
        card.unmount()
        card.repair()
        card.mount()
        journal = stored(data)
        assert journal[: len(acknowledged)] == acknowledged
        assert len(journal) - len(acknowledged) in (0, 1)
        acknowledged = journal
    assert len(acknowledged) > 15
