"""Read-only access to this machine: files, a few commands, GPIO lines and I²C buses."""

from __future__ import annotations

import os
import shutil
import socket
import struct
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from fcntl import ioctl
from functools import partial
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from pathlib import Path

from device.named_file import existing_folder, free_file_count
from device.shapes import TABLE_ID_HEADER

COMMAND_TIMEOUT_S = 5.0
"""Timeout of a command, in seconds."""

AVAHI_TIMEOUT_S = 7.0
"""Timeout of avahi, in seconds. It gives up after 5 if nobody in the network answers."""

CHIP_INFO_IOCTL = 0x8044B401
"""GPIO_GET_CHIPINFO_IOCTL of linux/gpio.h."""

LINE_INFO_IOCTL = 0xC100B405
"""GPIO_V2_GET_LINEINFO_IOCTL of linux/gpio.h."""

HEADER_CHIP_LABELS = ("pinctrl-bcm", "pinctrl-rp1")
"""Label prefixes of the GPIO chips that drive a Pi's header."""

LINE_USED_FLAG = 1
"""GPIO_V2_LINE_FLAG_USED."""


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine, whose parts tests can replace.

    root: folder in place of /.
    run: returns a command's output, None if it is missing, fails or times out.
    probe: (bus, address), True if an I²C device responds, None if unknown.
    lines: holder of each held header line by BCM number, None if unknown.
    room: (free bytes, writable) of the disk at a path.
    file_room: number of files that fit on the disk at a path, None if nothing limits it.
    table_at: (address, port, host name), ID of the table that answers there, "" if none does.
    """

    root: Path = Path("/")
    run: Callable[[Sequence[str]], str | None] = lambda words: command_output(words)
    probe: Callable[[int, int], bool | None] = lambda bus, address: has_i2c_device(bus, address)
    lines: Callable[[], Mapping[int, str] | None] = lambda: line_holders()
    room: Callable[[Path], tuple[int, bool]] = lambda path: free_space(path)
    file_room: Callable[[Path], int | None] = free_file_count
    table_at: Callable[[str, int, str], str] = lambda address, port, name: table_id_at(address, port, name)

    def read_text(self, path: str) -> str | None:
        """Read a small file without surrounding blanks and zeros. None if it cannot be read."""
        try:
            return (self.root / path).read_text("utf-8", "replace").strip(" \t\r\n\0")
        except OSError:
            return None

    def find_files(self, pattern: str) -> list[Path]:
        """List the files that match a glob pattern below the root, sorted."""
        try:
            return sorted(self.root.glob(pattern))
        except OSError:
            return []

    def neighboring_text(self, path: Path, name: str) -> str:
        """Text of the file `name` in the folder of `path`, "" if it cannot be read."""
        return self.read_text(str(path.with_name(name).relative_to(self.root))) or ""

    def read_fields(self, path: str, mark: str) -> dict[str, str]:
        """Parse a file with one field per line, its name and value separated by `mark`. {} if it cannot be read."""
        pairs = (line.partition(mark) for line in (self.read_text(path) or "").splitlines())
        return {name.strip(): value.strip(' \t"') for name, sign, value in pairs if sign}

    def resolve_name(self, name: str) -> str | None:
        """Ask avahi for the address of a .local name. "" if it knows none, None if avahi does not answer."""
        return self.ask_avahi(f"RESOLVE-HOSTNAME-IPV4 {name}")

    def resolve_host(self, name: str) -> str:
        """Address of a name that a name server or the router knows, "" if none does."""
        try:
            return socket.gethostbyname(name)
        except (OSError, UnicodeError):
            return ""

    def ask_avahi(self, question: str, timeout_s: float = AVAHI_TIMEOUT_S) -> str | None:
        """Send a line of avahi's simple protocol, and return the last word of its answer.

        "" if the answer is no, None if avahi does not run or does not answer in time.
        """
        with socket.socket(socket.AF_UNIX) as sock:
            sock.settimeout(timeout_s)
            try:
                sock.connect(str(self.root / "run/avahi-daemon/socket"))
                sock.sendall(f"{question}\n".encode())
                words = sock.recv(1024).decode("utf-8", "replace").split()
            except OSError:
                return None
        return words[-1] if len(words) > 3 and words[0] == "+" else ""


def command_output(words: Sequence[str]) -> str | None:
    """Run a command and return its output. None if it is missing, fails or times out."""
    path = f"{os.environ.get('PATH', os.defpath)}:/usr/sbin:/sbin"
    found = shutil.which(words[0], path=path)
    if found is None:
        return None
    try:
        done = subprocess.run(
            [found, *words[1:]],
            check=True,
            timeout=COMMAND_TIMEOUT_S,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            stdin=subprocess.DEVNULL,
            env={**os.environ, "LC_ALL": "C", "SYSTEMD_PAGER": ""},
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout


def table_id_at(address: str, port: int, name: str) -> str:
    """ID of the Dugout table that answers at an address as the host `name`, "" if none does.

    A proxy that sends the request on to HTTPS is followed.
    """
    for scheme in (HTTPConnection, HTTPSConnection):
        with (
            suppress(OSError, HTTPException, ValueError),
            closing(scheme(address if scheme is HTTPConnection else name, port, timeout=COMMAND_TIMEOUT_S)) as web,
        ):
            web.request("GET", "/api/health", headers={"Host": name if port in (80, 443) else f"{name}:{port}"})
            answer = web.getresponse()
            if not answer.headers.get("Location", "").startswith("https:"):
                return answer.headers.get(TABLE_ID_HEADER, "")
        port = 443
    return ""


def has_i2c_device(bus: int, address: int) -> bool | None:
    """True if a device responds to reading one byte at an I²C address. None if the bus cannot be opened."""
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


def line_holders() -> dict[int, str] | None:
    """Holder of each held header line by BCM number, found without requesting a line. None if unknown."""
    for path in sorted(Path("/dev").glob("gpiochip*")):
        try:
            handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            continue
        try:
            held = chip_line_holders(partial(_ioctl, handle))
        except OSError:
            continue
        finally:
            os.close(handle)
        if held is not None:
            return held
    return None


def _ioctl(handle: int, request: int, data: bytes) -> bytes:
    return ioctl(handle, request, data)


def chip_line_holders(ask: Callable[[int, bytes], bytes]) -> dict[int, str] | None:
    """Holder of each held line of one chip, unpacked as in linux/gpio.h. None if it is not the header's chip."""
    _, label, count = struct.unpack("32s32sI", ask(CHIP_INFO_IOCTL, bytes(68)))
    if not label.decode("ascii", "replace").startswith(HEADER_CHIP_LABELS):
        return None
    held = {}
    for number in range(min(count, 28)):
        asked = struct.pack("32s32sIIQ160x16x", b"", b"", number, 0, 0)
        _, holder, _, _, flags = struct.unpack("32s32sIIQ160x16x", ask(LINE_INFO_IOCTL, asked))
        if flags & LINE_USED_FLAG:
            held[number] = holder.rstrip(b"\0").decode("utf-8", "replace") or "the kernel"
    return held


def free_space(path: Path) -> tuple[int, bool]:
    """Free bytes at `path` for an ordinary user, and whether it is writable."""
    seen = os.statvfs(existing_folder(path))
    return seen.f_bavail * seen.f_frsize, not seen.f_flag & os.ST_RDONLY
