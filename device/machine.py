"""The machine as the doctor sees it: its files, a few commands, its pins and its I²C buses. Nothing is ever changed."""

from __future__ import annotations

import os
import shutil
import socket
import struct
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fcntl import ioctl
from functools import partial
from pathlib import Path

PATIENCE = 5.0
"""Seconds a command may take."""

CHIP, LINE = 0x8044B401, 0xC100B405
"""GPIO_GET_CHIPINFO_IOCTL and GPIO_V2_GET_LINEINFO_IOCTL of linux/gpio.h."""

HEADER = ("pinctrl-bcm", "pinctrl-rp1")
"""How the chips of a Pi's header are labelled."""

USED = 1
"""GPIO_V2_LINE_FLAG_USED."""


@dataclass(frozen=True, slots=True)
class Machine:
    """What the checks may look at.

    `root` is the folder that stands for /. `run` gives what a command printed, None where it is not there, fails or
    takes too long. `probe` says whether something answers at an address of an I²C bus, None where that cannot be told.
    `lines` gives who holds each of the header's lines that somebody holds, by BCM number; None where that cannot be
    told. `room` gives the bytes that are free where a path lies, and whether it can be written there.
    """

    root: Path = Path("/")
    run: Callable[[Sequence[str]], str | None] = lambda words: command(words)
    probe: Callable[[int, int], bool | None] = lambda bus, address: answers(bus, address)
    lines: Callable[[], Mapping[int, str] | None] = lambda: holders()
    room: Callable[[Path], tuple[int, bool]] = lambda path: free(path)

    def read(self, path: str) -> str | None:
        """A small file's text without blanks and zeros around it; None where it cannot be read."""
        try:
            return (self.root / path).read_text("utf-8", "replace").strip(" \t\r\n\0")
        except OSError:
            return None

    def found(self, pattern: str) -> list[Path]:
        """The files of a glob pattern below the root, by name."""
        try:
            return sorted(self.root.glob(pattern))
        except OSError:
            return []

    def beside(self, path: Path, name: str) -> str:
        """The same of the file `name` in the folder of one that was found; "" where it cannot be read."""
        return self.read(str(path.with_name(name).relative_to(self.root))) or ""

    def fields(self, path: str, mark: str) -> dict[str, str]:
        """A file of lines "name, mark, value"; empty where it cannot be read."""
        pairs = (line.partition(mark) for line in (self.read(path) or "").splitlines())
        return {name.strip(): value.strip(' \t"') for name, sign, value in pairs if sign}

    def resolve(self, name: str) -> str | None:
        """The address that avahi has for a name in .local; "" where it knows none, None where it does not answer."""
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(PATIENCE)
            try:
                line.connect(str(self.root / "run/avahi-daemon/socket"))
                line.sendall(f"RESOLVE-HOSTNAME-IPV4 {name}\n".encode())
                words = line.recv(1024).decode("utf-8", "replace").split()
            except OSError:
                return None
        return words[4] if len(words) > 4 and words[0] == "+" else ""


def command(words: Sequence[str]) -> str | None:
    """What a command printed; None where it is not there, fails or takes too long."""
    path = f"{os.environ.get('PATH', os.defpath)}:/usr/sbin:/sbin"
    found = shutil.which(words[0], path=path)
    if found is None:
        return None
    try:
        done = subprocess.run(
            [found, *words[1:]],
            check=True,
            timeout=PATIENCE,
            capture_output=True,
            text=True,
            errors="replace",
            stdin=subprocess.DEVNULL,
            env={**os.environ, "LC_ALL": "C", "SYSTEMD_PAGER": ""},
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout


def answers(bus: int, address: int) -> bool | None:
    """Whether something answers at an address: one byte is read there, and none is written."""
    from smbus2 import SMBus

    try:
        with SMBus(bus) as line:
            try:
                line.read_byte(address)
            except OSError:
                return False
            return True
    except OSError:
        return None


def holders() -> dict[int, str] | None:
    """Who holds each line of the Pi's header that somebody holds. To ask takes no line."""
    for path in sorted(Path("/dev").glob("gpiochip*")):
        try:
            handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            continue
        try:
            held = held_on(partial(_ioctl, handle))
        except OSError:
            continue
        finally:
            os.close(handle)
        if held is not None:
            return held
    return None


def _ioctl(handle: int, request: int, data: bytes) -> bytes:
    return ioctl(handle, request, data)


def held_on(ask: Callable[[int, bytes], bytes]) -> dict[int, str] | None:
    """The lines of one chip that are held, as linux/gpio.h packs them; None where it is not the header's."""
    _, label, count = struct.unpack("32s32sI", ask(CHIP, bytes(68)))
    if not label.decode("ascii", "replace").startswith(HEADER):
        return None
    held = {}
    for number in range(min(count, 28)):
        asked = struct.pack("32s32sIIQ160x16x", b"", b"", number, 0, 0)
        _, holder, _, _, flags = struct.unpack("32s32sIIQ160x16x", ask(LINE, asked))
        if flags & USED:
            held[number] = holder.rstrip(b"\0").decode("utf-8", "replace") or "the kernel"
    return held


def free(path: Path) -> tuple[int, bool]:
    """The bytes that a program may still write where `path` lies, and whether that can be written at all."""
    there = next(one for one in (path, *path.parents) if one.exists())
    seen = os.statvfs(there)
    return seen.f_bavail * seen.f_frsize, not seen.f_flag & os.ST_RDONLY
