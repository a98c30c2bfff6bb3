"""The machine's evening: it is made, started, played on, hurt in every way, cut from its power, and started again."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from random import Random

from tests.vm import evening
from tests.vm.bench import Bench
from tests.vm.image import image, wheels
from tests.vm.install import copied, install
from tests.vm.machine import Machine, MachineError

FOLDER = Path("/var/tmp/dugout-vm")
TOOLS = {"qemu-system-x86_64": "qemu-system-x86", "nbdkit": "nbdkit", "mmdebstrap": "mmdebstrap", "mke2fs": "e2fsprogs"}
"""What it takes, and the Debian package that has it."""


class Log:
    """One line for each step, with the seconds since the first."""

    def __init__(self, file: Path) -> None:
        self._begun, self._file = time.monotonic(), file.open("w")

    def say(self, words: str) -> None:
        line = f"{time.monotonic() - self._begun:7.1f} s  {words}"
        print(line, flush=True)
        print(line, file=self._file, flush=True)


def main() -> int:
    """0 when every step did what it should; else the last line says what did not."""
    parser = argparse.ArgumentParser(prog="scripts/test-vm", description="A whole machine for the table, and its end.")
    parser.add_argument("--seed", type=int, default=1, help="have other dice fall, and other decisions taken")
    seed = parser.parse_args().seed
    if os.geteuid():
        print("This wants root, since it makes a disk with a system of its own: sudo scripts/test-vm", file=sys.stderr)
        return 2
    if missing := [package for tool, package in TOOLS.items() if shutil.which(tool) is None]:
        print(f"Programs are missing: sudo apt install {' '.join(missing)}", file=sys.stderr)
        return 2
    FOLDER.mkdir(exist_ok=True)
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    log = Log(FOLDER / "evening.log")
    try:
        whole(log, Random(seed))
    except (MachineError, subprocess.CalledProcessError) as error:
        log.say(f"FAILED: {error}")
        return 1
    log.say("all of it did what it should")
    return 0


def whole(log: Log, random: Random) -> None:
    made, disk = image(FOLDER, log.say), FOLDER / "disk"
    copied(made.disk, disk)
    name = install(disk, wheels(FOLDER, FOLDER / "image.log"), FOLDER)
    log.say(f"scripts/install has put version {name} on a copy of it")
    with Machine(made, disk, FOLDER) as machine:
        log.say(f"power on ({machine.accelerator})")
        bench = Bench(machine, random)
        for step in evening.STEPS:
            step(bench, log.say)
        given = evening.cut(bench, log.say)
    with Machine(made, disk, FOLDER) as machine:
        log.say("power on again")
        evening.morning(Bench(machine, random), given, log.say)


if __name__ == "__main__":
    raise SystemExit(main())
