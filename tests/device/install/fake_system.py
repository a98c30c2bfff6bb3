"""The system's commands on a card (`sd_card.py`): each notes its call and does what the installer can see of it.

The card's Python loads it, and calls these commands instead of starting programs, which takes a tenth of the time.
What starts them all the same, as a shell does, runs this file. With CUT in its environment, Python is killed before the
change of that number to the card.
"""

from __future__ import annotations

import io
import itertools
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

CHANGES = {"os.chmod", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.symlink", "subprocess.Popen"}
"""What Python announces before it changes a disk; and files that it opens for writing."""

CARD = Path(os.environ.get("CARD", "."))

started = itertools.count(100)
acting = False


class Failed(Exception):
    """A command ends with status 1; the text is what it prints."""


def lines(name: str) -> list[str]:
    """The lines of a file of the card; none where there is no such file."""
    file = CARD / name
    return file.read_text().splitlines() if file.is_file() else []


def write(name: str, *new: str, more: bool = False) -> None:
    """Write lines to a file of the card, or after the others."""
    with (CARD / name).open("a" if more else "w") as file:
        file.writelines(f"{line}\n" for line in new)


def remove(*names: str) -> None:
    for name in names:
        (CARD / name).unlink(missing_ok=True)


def shown(found: Sequence[str]) -> str:
    """What a search prints. Raises Failed if it found nothing."""
    if not found:
        raise Failed
    return "\n".join(found)


def nmcli(words: str, args: Sequence[str], given: str) -> str:
    if "connection edit" in words:
        for line in given.splitlines():
            if line.startswith("set wifi-sec.psk "):
                write("psk", line.split(" ", 2)[2])
    elif "connection add" in words or "connection modify" in words:
        for what, value in itertools.pairwise(args):
            if what == "ssid" or what.endswith((".ssid", ".psk", ".pmf", ".autoconnect")):
                write(what.rpartition(".")[2], value)
    elif "delete" in words:
        remove("ssid", "psk", "pmf", "autoconnect")
    elif "--active" in words:
        return "\n".join(lines("joined"))
    elif wanted := re.search(r"\.(ssid|psk|pmf|autoconnect|id).*show", words):
        return shown(lines(wanted[1] if wanted[1] != "id" else "ssid"))
    return ""


def systemctl(words: str) -> str:
    (active,) = lines("active") or [""]
    folder = CARD / "root" / active[1:]
    if words.startswith("stop"):
        if active and not (folder / ".venv").exists():
            write("calls", "it ran, and was gone", more=True)
        remove("active")
    elif words == "start dugout.service":
        units = [lines(f"root/{at}/systemd/system/dugout.service") for at in ("run", "usr/local/lib")]
        unit = "\n".join(units[0] or units[1])
        version = "".join(re.findall(r"^ExecStart=(.*)/\.venv/bin/dugout", unit, re.MULTILINE))
        if not (CARD / "root" / version[1:] / ".venv/bin/dugout").exists() or "fails" in behaves(version):
            raise Failed
        write("active", version)
    elif words.startswith("show"):
        process = next(started) if "dies" in behaves(active) else 7
        more = "Safe mode: it failed." if "safe" in behaves(active) else ""
        return f"ActiveState=active\nMainPID={process}\nStatusText=Open: http://card.local/ {more}"
    elif words.startswith("is-active") and not active:
        raise Failed
    elif words.startswith("enable"):
        write("enabled", words)
    elif words.startswith("disable"):
        remove("enabled", "active")
    return ""


def behaves(version: str) -> list[str]:
    return lines(f"root/{version[1:]}/engine/behaves")


def act(program: str, args: Sequence[str], given: str) -> str:
    """Run a command; return what it prints. Raises Failed."""
    name, words, last = Path(program).name, " ".join(args), args[-1] if args else ""
    write("calls", f"{name} {words}", more=True)
    if failing := [one for one in lines("fails") if fnmatchcase(f"{name} {words}", one)]:
        raise Failed(f"{failing[0]} fails")
    does: dict[str, Callable[[], object]] = {
        "apt-get": lambda: write("installed", *args[6:], more=True) if "install" in args else None,
        "apt-cache": lambda: shown([one for one in lines("archive") if one == last]),
        "dpkg-query": lambda: shown(["install ok installed" for one in lines("installed") if one == last]),
        "getent": lambda: shown([one for one in lines(args[0]) if one == args[1]]),
        "groupadd": lambda: write("group", last, more=True),
        "useradd": lambda: write("passwd", last, more=True),
        "userdel": lambda: write("passwd"),
        "usermod": lambda: write("members", args[2].replace(",", " ")),
        "id": lambda: "\n".join(lines("members")),
        "raspi-config": lambda: write("root/boot/firmware/config.txt", switched(*args[1:]), more=True),
        "nmcli": lambda: nmcli(words, args, given),
        "runuser": lambda: act(args[3], args[4:], given),
        "timeout": lambda: act(args[1], args[2:], given),
        "dugout": lambda: write(args[1], f"of {program}"),
        "python": lambda: packed(program, last) if "-m pip" in words else None,
        "python3": lambda: environment(last) if words.startswith("-m venv") else shown([]),
        "systemctl": lambda: systemctl(words),
    }
    printed = does.get(name, lambda: None)()
    if any(fnmatchcase(f"{name} {words}", one) for one in lines("ends")):
        os.kill(os.getppid() if __name__ == "__main__" else os.getpid(), signal.SIGTERM)
    return f"{printed}\n" if printed else ""


def switched(what: str, *args: str) -> str:
    """The line that raspi-config writes."""
    return {"do_i2c": "dtparam=i2c_arm=on", "do_spi": "dtparam=spi=on"}.get(what) or "=".join(args[:2])


def packed(python: str, project: str) -> None:
    """Install the project, if it is that and not its packages."""
    if (Path(project) / "pyproject.toml").exists():
        with suppress(FileExistsError):
            (Path(python).parent / "dugout").symlink_to(CARD / "bin/dugout")


def environment(folder: str) -> None:
    (Path(folder) / "bin").mkdir(parents=True)
    (Path(folder) / "bin/python").symlink_to(CARD / "bin/python")


class Given(io.StringIO):
    """What a command reads. The command runs when it ends."""

    def __init__(self, run: Callable[[str], None]) -> None:
        super().__init__()
        self._run = run

    def close(self) -> None:
        if not self.closed:
            self._run(self.getvalue())
            super().close()


class Running:
    """A command in place of `subprocess.Popen`."""

    def __init__(self, program: str, args: Sequence[str], stdin: int | None) -> None:
        self._program, self._args, self.args, self.returncode = program, args, [program, *args], 0
        self.stdin = Given(self._run) if stdin == subprocess.PIPE else None
        self.stdout = io.StringIO()

    def _run(self, given: str) -> None:
        global acting
        sys.audit("subprocess.Popen", self._program, self.args, None, None)
        acting = True
        try:
            self.stdout = io.StringIO(act(self._program, self._args, given))
        except Failed as error:
            self.stdout, self.returncode = io.StringIO(str(error)), 1
        finally:
            acting = False

    def communicate(self, *_: object, **__: object) -> tuple[str, None]:
        self._run("")
        return self.stdout.read(), None

    def poll(self) -> int:
        return self.returncode

    def kill(self) -> None:
        """It has ended already."""

    def __enter__(self) -> Running:
        return self

    def __exit__(self, *_: object) -> None:
        pass


def load() -> None:
    """Be the commands of this Python, and cut it off where that is wanted."""
    real: Any = subprocess.Popen
    fake = str(CARD / "bin/fake")

    def start(command: Sequence[str], *given: Any, **more: Any) -> Any:
        program = str(command[0]) if "/" in str(command[0]) else str(CARD / "bin" / command[0])
        if os.path.realpath(program) == os.path.realpath(fake):
            return Running(program, [*map(str, command[1:])], more["stdin"])
        return real(command, *given, **more)

    subprocess.Popen = start  # type: ignore[assignment,misc]
    left = int(os.environ.get("CUT", "0"))

    def count(event: str, args: tuple[Any, ...]) -> None:
        nonlocal left
        writes = event == "open" and isinstance(args[2], int) and args[2] & (os.O_WRONLY | os.O_RDWR)
        if not acting and (event in CHANGES or writes):
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    if left:
        sys.addaudithook(count)


if __name__ == "__main__":
    try:
        print(act(sys.argv[1], sys.argv[2:], sys.stdin.read() if "edit" in sys.argv else ""), end="")
    except Failed as error:
        sys.exit(str(error))
