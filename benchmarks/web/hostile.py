"""Load test under attack: `scripts/soak --hostile` prints the table in docs/evidence/security.md.

It runs the real program with a watchdog, 200 honest phones that listen (`benchmarks.web.room`), two players and an
operator who play all games over the API, newcomers who open the page from new addresses, and all attacks of
`benchmarks.web.attackers` at once, by strangers and by guests who know the code. Attacks start after the first quarter.
At the end the program is killed, and its journal is compared with the acknowledged answers.

The exit status is 1 if a promise was broken: an answer was lost, an honest phone waited more than a second, a newcomer
did not get in, a warning was displaced, a page was refused to the operator, attackers caused too many writes to the
card, a heartbeat was late, an internal error occurred, or memory kept growing. It binds to loopback only, and leaves
nothing behind.
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
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import psutil

from benchmarks.ledger import Ledger
from benchmarks.web.crowd import (
    Evening,
    PartFigures,
    Phones,
    ServerUsage,
    ms_text,
    percentiles_text,
    print_row,
    stolen_s,
)
from benchmarks.web.watchers import MAX_HEARTBEAT_GAP_S, ServiceManager, WarningReader
from tests.device.process import COLD, Program

STEP_PAUSE_S = 0.3  # Seconds between two steps of the players.
NEWCOMER_INTERVAL_S = 2.0  # Seconds between two newcomers.
NEWCOMER_TIMEOUT_S = 30.0  # Seconds after which a newcomer has failed to get in.
MAX_MEMORY_RATIO = 1.15  # Allowed ratio of the memory in the last third of the attacks to that in the second.

STEADY_MINUTES = 10.0
"""Minimum minutes of attacks for judging memory, because the managers of all games are loaded in the first ones."""

MAX_WAIT_S = 1.0
"""Maximum seconds that an honest phone waits for a reply or for another's answer, without stolen time."""

MAX_WRITTEN_MIB_PER_MIN = 4.0
"""Maximum MiB per minute that attackers may cause the table to write, in addition to honest players' entries."""

MAX_PRINTED_FAULTS = 20  # Maximum number of broken promises printed, one a line.
PAGES = ("/api/phones", "/games", "/doctor")  # Pages of the operator, one opened in each step.


@dataclass
class Part:
    """Figures of one part of the evening, times in seconds, memory in KiB."""

    seen: PartFigures = field(default_factory=PartFigures)
    memory: list[float] = field(default_factory=list)
    operator: list[float] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    seats: list[float] = field(default_factory=list)
    """Waits of a seat for its own view."""
    spectators: list[float] = field(default_factory=list)
    """Waits of a spectator without a pass for the view."""
    excess: list[float] = field(default_factory=list)
    """Longest wait of an honest phone in each step, less the stolen time."""
    newcomers: list[float] = field(default_factory=list)
    turned_away: int = 0
    written: float = 0.0
    """MiB written to the card."""
    entries: int = 0
    """Entries stored in the journal, by people, computers and the table."""
    others: float = 0.0
    """Share of CPU time used by unrelated programs, 0 to 1."""
    began: float = 0.0
    ended: float = 0.0

    @property
    def minutes(self) -> float:
        return (self.ended - self.began) / 60

    @property
    def phone_delays(self) -> list[float]:
        """Seconds from an answer's response to the update of each honest phone."""
        return [one for times in self.seen.after for one in times]


class Newcomers(threading.Thread):
    """A newcomer every few seconds, who loads the complete page and listens until the first view."""

    def __init__(self, port: int) -> None:
        super().__init__(daemon=True)
        self._port, self.done, self.part = port, threading.Event(), Part()

    def run(self) -> None:
        number = 0
        while not self.done.wait(NEWCOMER_INTERVAL_S):
            number += 1
            part = self.part
            command = [sys.executable, "-m", "benchmarks.web.newcomer", str(self._port), str(number)]
            began = time.monotonic()
            try:
                said = subprocess.run(
                    command, timeout=NEWCOMER_TIMEOUT_S, check=True, capture_output=True, text=True
                ).stdout
                part.newcomers.append(float(said))
            except (subprocess.SubprocessError, ValueError):
                part.turned_away += 1
                print(f"a newcomer did not get in within {time.monotonic() - began:.0f} s", file=sys.stderr)


def play_part(
    evening: Evening, ledger: Ledger, watch: ServerUsage, program: Program, seconds: float, part: Part
) -> None:
    part.began, written, busy = time.monotonic(), watch.written_bytes, processor_time()
    stored = sum(ledger.entries_by_source().values())
    with httpx.Client(
        base_url=program.url, timeout=20, transport=httpx.HTTPTransport(local_address="127.200.0.3")
    ) as spectator:
        while (now := time.monotonic()) < part.began + seconds:
            part.memory.append(watch.memory_kib)
            away, shown = stolen_s(), len(part.seen.after)
            try:
                evening.step(part.seen)
                part.seats += (looks := evening.load_views())
                part.spectators.append(_open_page(spectator, "/api/view", part))
                path = PAGES[len(part.operator) % len(PAGES)]
                part.operator.append(_open_page(program.client, path, part))
            except httpx.HTTPError as error:
                part.refused.append(f"an honest phone got no answer: {type(error).__name__}")
                part.seats.append(time.monotonic() - now)
                continue
            waits = [*part.seen.posts[shown:], *(one for times in part.seen.after[shown:] for one in times)]
            part.excess.append(max(*waits, *looks, part.spectators[-1]) - (stolen_s() - away))
            time.sleep(max(0.0, STEP_PAUSE_S - (time.monotonic() - now)))
    part.ended = time.monotonic()
    part.written = (watch.written_bytes - written) / 2**20
    part.entries = sum(ledger.entries_by_source().values()) - stored
    all_, ours = (after - before for after, before in zip(processor_time(), busy, strict=True))
    part.others = max(0.0, all_ - ours) / (part.ended - part.began) / (os.cpu_count() or 1)


def processor_time() -> tuple[float, float]:
    """Return the busy CPU seconds so far, of the machine and of this evening's programs."""
    all_, me = psutil.cpu_times(), psutil.Process()
    ended = me.cpu_times()
    ours = [one.cpu_times() for one in (me, *me.children(recursive=True))]
    return (
        all_.user + all_.nice + all_.system + all_.softirq,
        sum(one.user + one.system for one in ours) + ended.children_user + ended.children_system,
    )


def _open_page(client: httpx.Client, path: str, part: Part) -> float:
    """Open a page. Return the seconds it took, and record a refusal."""
    began = time.monotonic()
    answer = client.get(path)
    if answer.status_code != 200:
        part.refused.append(f"{path} got {answer.status_code}")
    return time.monotonic() - began


def figure_rows(part: Part) -> list[tuple[str, str]]:
    return [
        ("answers", str(part.seen.answers)),
        ("an answer: median, p99", percentiles_text(part.seen.posts, 50, 99)),
        (
            "from its 200 to an honest phone: median, p99",
            percentiles_text(part.phone_delays, 50, 99),
        ),
        ("phones that missed what stood at the end of a step", str(part.seen.behind)),
        ("a seat's own view: median, p99", percentiles_text(part.seats, 50, 99)),
        ("the view of a spectator without a pass: median, p99", percentiles_text(part.spectators, 50, 99)),
        (
            "the longest wait: for an answer, what was answered, a seat's view, a spectator's",
            ", ".join(
                percentiles_text(one, 100) for one in (part.seen.posts, part.phone_delays, part.seats, part.spectators)
            ),
        ),
        ("the operator's pages answer: median, p99", percentiles_text(part.operator, 50, 99)),
        ("pages refused to the operator, and views", str(len(part.refused))),
        (
            "newcomers; the page and the first view: median, worst",
            f"{len(part.newcomers)}; {percentiles_text(part.newcomers, 50, 100)}",
        ),
        ("newcomers who did not get in", str(part.turned_away)),
        ("memory: at the start, most", f"{part.memory[0] / 1024:.0f}, {max(part.memory) / 1024:.0f} MiB"),
        ("taken by other programs of the machine's time", f"{part.others:.0%}"),
        ("written to the card a minute", f"{part.written / part.minutes:.1f} MiB"),
    ]


@dataclass
class HostileResult:
    """Results of an evening: its two parts, and observations from outside."""

    calm: Part
    attacked: Part
    gaps: list[list[float]]
    """Seconds between heartbeats in both parts."""
    attackers: dict[str, Any]
    """Output of `benchmarks.web.attackers`."""
    logged: list[str]
    """Lines of the log since the attacks began."""
    streams: int
    """Number of honest streams that broke."""
    warnings: int
    """Number of warnings read."""
    pushed_aside: list[str]
    """Sentences about warnings that were shown too briefly."""
    sure: int
    """Number of acknowledged answers."""
    stored: int
    """Number of people's answers in the journal."""
    lost: list[str]
    """Sentences about acknowledged answers that are missing."""

    @property
    def memory(self) -> tuple[float, float]:
        """Maximum memory in the second and in the last third of the attacks, in MiB."""
        every = self.attacked.memory
        third = len(every) // 3
        return max(every[third : 2 * third], default=0.0) / 1024, max(every[2 * third :], default=0.0) / 1024

    @property
    def attackers_wrote(self) -> float:
        """MiB per minute written for the attackers, if an entry costs as much as in the calm part."""
        calm, attacked = self.calm, self.attacked
        game = calm.written * attacked.entries / max(1, calm.entries)
        return max(0.0, attacked.written - game) / attacked.minutes

    def faults(self) -> list[str]:
        attacked, (middle, last) = self.attacked, self.memory
        beats = max(self.gaps[1])
        late = sum(one > MAX_WAIT_S for one in attacked.excess)
        more = self.attackers_wrote
        bounds = (
            (attacked.turned_away, f"{attacked.turned_away} newcomers did not get in"),
            (late, f"in {late} steps an honest phone waited for more than {MAX_WAIT_S:.0f} s"),
            (self.streams, f"{self.streams} honest streams broke"),
            (more > MAX_WRITTEN_MIB_PER_MIN, f"attackers had {more:.1f} MiB a minute written to the card"),
            (beats > MAX_HEARTBEAT_GAP_S, f"no heartbeat for {beats:.1f} s"),
            (
                attacked.minutes >= STEADY_MINUTES and last > MAX_MEMORY_RATIO * middle,
                f"memory grew from {middle:.0f} to {last:.0f} MiB",
            ),
            (
                self.attackers["came_back"],
                f"{self.attackers['came_back']} noted invitations were good after a sign-out",
            ),
        )
        return [
            *(words for broken, words in bounds if broken),
            *self.lost,
            *self.pushed_aside,
            *attacked.refused,
            *self.attackers["errors"],
            *(f"logged: {line}" for line in log_errors(self.logged)),
        ]


def log_errors(lines: Iterable[str]) -> list[str]:
    """Return the errors in a log. A traceback gives its last line and the line where it was raised."""
    found, raised = list[str](), ""
    for line in lines:
        if line.startswith("Traceback"):
            raised = line
        elif raised and line.startswith("  File "):
            raised = line.strip()
        elif raised and not line.startswith(" "):
            found.append(f"{line} ({raised})")
            raised = ""
        elif "Hangs:" in line or "ERROR" in line:
            found.append(line)
    return found


def run_evening(minutes: float, count: int) -> HostileResult:
    """Play for some minutes with `count` honest phones, under attack for the last three quarters."""
    calm, attacked = Part(), Part()
    with tempfile.TemporaryDirectory() as name:
        folder, log = Path(name), Path(name) / "log"
        manager = ServiceManager(folder)
        manager.start()
        with log.open("w") as errors, Program(folder, start=COLD, log=errors, env=manager.environment) as program:
            with Phones(program.port) as phones:
                ledger = Ledger(folder / "journal.db")
                ledger.begin_game()
                watch = ServerUsage(program.process.pid)
                # Newcomers retry after their connection is closed in favor of another. `Evening` would not.
                evening = Evening(program, phones, ledger=ledger, first_views=False)
                phones("open", count=count)
                phones.catch_up(program)
                newcomers, reader = Newcomers(program.port), WarningReader(program.port)
                newcomers.part = calm
                newcomers.start()
                play_part(evening, ledger, watch, program, minutes * 15, calm)
                newcomers.part = attacked
                reader.start()
                before = len(log.read_text().splitlines())
                attackers = subprocess.Popen(
                    [sys.executable, "-m", "benchmarks.web.attackers", str(program.port), name],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                )
                play_part(evening, ledger, watch, program, minutes * 45, attacked)
                tried = json.loads(attackers.communicate(timeout=60)[0])
                newcomers.done.set()
                newcomers.join(NEWCOMER_TIMEOUT_S + 5)
                logged = log.read_text().splitlines()[before:]
                aside = reader.faults(tried["hops"])
                streams = phones("report")["lost"]
            program.kill()
            program.process.wait(20)
        stored, lost = ledger.check()
    gaps = [manager.heartbeat_gaps(part.began, part.ended) for part in (calm, attacked)]
    return HostileResult(
        calm, attacked, gaps, tried, logged, streams, len(reader.all), aside, ledger.sure, stored, lost
    )


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/soak --hostile", description="A table under attack.")
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--phones", type=int, default=200)
    given = parser.parse_args()
    print(f"load {os.getloadavg()[0]:.1f}; {os.cpu_count()} cores; Python {sys.version.split()[0]}", file=sys.stderr)
    found = run_evening(given.minutes, given.phones)
    print_row("what", "calm", "under attack")
    print_row("---", "---", "---")
    for (words, figure), (_, other) in zip(figure_rows(found.calm), figure_rows(found.attacked), strict=True):
        print_row(words, figure, other)
    print_row("heartbeats; the longest time without", *(f"{len(gaps) - 1}; {max(gaps):.1f} s" for gaps in found.gaps))
    print()
    print_row("attack", "times")
    print_row("---", "---")
    for attack, times in sorted(found.attackers["tried"].items()):
        print_row(attack, str(times))
    print()
    middle, last = found.memory
    lines, hops = len(found.logged) / given.minutes / 0.75, len(found.attackers["hops"])
    print(f"Memory in the second and the last third of the attacks: {middle:.0f}, {last:.0f} MiB.")
    print(f"Honest streams that broke: {found.streams}. Lines logged a minute under attack: {lines:.0f}.")
    print(f"Acknowledged answers: {found.sure}; in the journal {found.stored}; lost: {len(found.lost)}.")
    print(f"Warnings: {found.warnings}; tried to push aside: {hops}; pushed aside: {len(found.pushed_aside)}.")
    print(f"Written to the card for attackers: {found.attackers_wrote:.1f} MiB a minute.")
    print(f"Slowest answer: {ms_text(max(found.attacked.seen.posts, default=0.0))}.")
    faults = found.faults()
    print(f"Promises broken: {len(faults)}.")
    for fault in faults[:MAX_PRINTED_FAULTS]:
        print(fault)
    return int(bool(faults))


if __name__ == "__main__":
    raise SystemExit(main())
