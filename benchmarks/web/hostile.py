"""A table under attack: `scripts/soak --hostile` prints the table in docs/security.md.

The real program as a process, 200 honest phones that listen (`benchmarks.web.room`), two players and an operator who
play all games over the API, newcomers who open the page from addresses of their own, and all attacks of
`benchmarks.web.attackers` at once. The first quarter is without attacks, the rest with them. In the end the program is
killed, and its journal is compared with what was acknowledged.

The status is 1 where an answer was lost, a newcomer did not get in, or memory grew without end. It binds to loopback
only, and leaves nothing behind.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.ledger import Ledger
from benchmarks.web.crowd import Evening, Phones, Seen, Watch, ms, of, row
from tests.device.process import COLD, Program

PAUSE = 0.3
"""Seconds between two steps of the players."""

NEWCOMER = 2.0
"""Seconds between two newcomers."""

LATE = 30.0
"""Seconds after which a newcomer did not get in."""

GROWTH = 1.15
"""What the memory of the last quarter may be of that of the one before."""


@dataclass
class Part:
    """The figures of one part of the evening; times in seconds, memory in KiB."""

    seen: Seen = field(default_factory=Seen)
    memory: list[float] = field(default_factory=list)
    operator: list[float] = field(default_factory=list)
    newcomers: list[float] = field(default_factory=list)
    turned_away: int = 0


class Newcomers(threading.Thread):
    """Somebody new opens the page every few seconds, with all that it loads, and listens to the first view."""

    def __init__(self, port: int) -> None:
        super().__init__(daemon=True)
        self._port, self.done, self.part = port, threading.Event(), Part()

    def run(self) -> None:
        """Come in until `done`."""
        number = 0
        while not self.done.wait(NEWCOMER):
            number += 1
            part = self.part
            command = [sys.executable, "-m", "benchmarks.web.newcomer", str(self._port), str(number)]
            began = time.monotonic()
            try:
                said = subprocess.run(command, timeout=LATE, check=True, capture_output=True, text=True).stdout
                part.newcomers.append(float(said))
            except (subprocess.SubprocessError, ValueError):
                part.turned_away += 1
                print(f"a newcomer did not get in within {time.monotonic() - began:.0f} s", file=sys.stderr)


def play(evening: Evening, watch: Watch, program: Program, seconds: float, part: Part) -> None:
    """Play for a while, and measure."""
    began = time.monotonic()
    while (now := time.monotonic()) < began + seconds:
        evening.step(part.seen)
        asked = time.monotonic()
        program.client.get("/api/phones").raise_for_status()
        part.operator.append(time.monotonic() - asked)
        part.memory.append(watch.memory)
        time.sleep(max(0.0, PAUSE - (time.monotonic() - now)))


def figures(part: Part) -> list[tuple[str, str]]:
    """Return the figures of a part, each with what it is."""
    return [
        ("answers", str(part.seen.answers)),
        ("an answer: median, 99 of 100", of(part.seen.posts, 50, 99)),
        (
            "from its 200 to an honest phone: median, 99 of 100",
            of([one for times in part.seen.after for one in times], 50, 99),
        ),
        ("phones that missed what stood at the end of a step", str(part.seen.behind)),
        ("the operator's page answers: median, 99 of 100", of(part.operator, 50, 99)),
        (
            "newcomers; the page and the first view: median, worst",
            f"{len(part.newcomers)}; {of(part.newcomers, 50, 100)}",
        ),
        ("newcomers who did not get in", str(part.turned_away)),
        ("memory: at the start, most", f"{part.memory[0] / 1024:.0f}, {max(part.memory) / 1024:.0f} MiB"),
    ]


def main() -> int:
    """Run the evening and print its figures."""
    parser = argparse.ArgumentParser(prog="scripts/soak --hostile", description="A table under attack.")
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--phones", type=int, default=200)
    given = parser.parse_args()
    print(f"load {os.getloadavg()[0]:.1f}; {os.cpu_count()} cores; Python {sys.version.split()[0]}", file=sys.stderr)
    calm, attacked = Part(), Part()
    with tempfile.TemporaryDirectory() as name:
        folder, log = Path(name), Path(name) / "log"
        with log.open("w") as errors, Program(folder, start=COLD, log=errors) as program:
            with Phones(program.port) as phones:
                ledger = Ledger(folder / "journal.db")
                ledger.begin()
                watch, evening = Watch(program.process.pid), Evening(program, phones, ledger=ledger)
                phones("open", count=given.phones)
                phones.catch_up(program)
                newcomers = Newcomers(program.port)
                newcomers.part = calm
                newcomers.start()
                play(evening, watch, program, given.minutes * 15, calm)
                newcomers.part = attacked
                before = len(log.read_text().splitlines())
                attackers = subprocess.Popen(
                    [sys.executable, "-m", "benchmarks.web.attackers", str(program.port)],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                )
                play(evening, watch, program, given.minutes * 45, attacked)
                tried = json.loads(attackers.communicate(timeout=60)[0])
                newcomers.done.set()
                newcomers.join(LATE + 5)
                lines = len(log.read_text().splitlines()) - before
                said = phones("report")
            program.kill()
            program.process.wait(20)
        count, faults = ledger.check()
    third = len(attacked.memory) // 3
    middle, last = (max(attacked.memory[third : 2 * third]), max(attacked.memory[2 * third :]))
    row("what", "calm", "under attack")
    row("---", "---", "---")
    for (words, figure), (_, other) in zip(figures(calm), figures(attacked), strict=True):
        row(words, figure, other)
    print()
    row("attack", "times")
    row("---", "---")
    for attack, times in sorted(tried.items()):
        row(attack, str(times))
    print()
    minutes = given.minutes * 0.75
    print(f"Memory in the second and the last third of the attacks: {middle / 1024:.0f}, {last / 1024:.0f} MiB.")
    print(f"Honest streams that broke: {said['lost']}. Lines logged a minute under attack: {lines / minutes:.0f}.")
    print(f"Acknowledged answers: {ledger.sure}; in the journal {count}; lost: {len(faults)}.")
    for fault in faults[:10]:
        print(fault)
    slowest = max(attacked.seen.posts, default=0.0)
    print(f"Slowest answer: {ms(slowest)}.")
    return int(bool(faults or attacked.turned_away or last > GROWTH * middle))


if __name__ == "__main__":
    raise SystemExit(main())
