"""Soak test with all possible faults: `python -m benchmarks.soak` prints the table in docs/evidence/soak.md.

The real program runs as a process with simulated hardware (`benchmarks.parts`). Display, camera, buttons and time of
day fail at random and recover, the disk is full for moments, and the program is killed and restarted. Two players and
an operator play all games in rotation over the API (`benchmarks.web.people`), some rolls with dice under the camera,
and phones connect and leave (`benchmarks.web.callers`).

It checks that no acknowledged answer is lost, nobody sees the game go backward, each fault is reported while it lasts
and not after, and memory, files and threads level off. Kills are in the first quarter and at the end, so that growth
shows in between. The exit status is 1 if a check failed. It binds to loopback only and leaves nothing behind.
"""

from __future__ import annotations

import argparse
import re
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import httpx
import psutil

from benchmarks import parts
from benchmarks.ledger import Ledger
from benchmarks.web.callers import Callers
from benchmarks.web.people import People
from tests.device.process import Program, free_port

STEP_PAUSE_S = 0.1  # Seconds between two steps of the players.

REPORT_TIMEOUT_S = 60.0
"""Seconds until a fault must be reported or cleared. Parts are retried at intervals of up to 30 seconds."""

DISK_SIZE_MIB = 256  # Size in MiB of the disk that is sometimes filled, more than the games ever need.

MIN_STORED_ENTRIES = 20
"""Entries acknowledged on a full disk, above which games are evidently stored. The journal's reserve takes a few."""

FAULTS = {
    "display": ("gone", "hangs"),
    "camera": ("gone", "hangs", "black", "noise", "other"),
    "buttons": ("gone",),
    "clock": ("86400", "-86400", "1e8"),
    "disk": ("full",),
}
"""Possible faults of each part."""

UNREPORTED_FAULTS = {("camera", "black"), ("camera", "noise"), ("camera", "other"), ("clock", "")}
"""Faults that no part can detect, so that no report is expected. A wrong time of day may also go unreported."""


class Disk:
    """Fillable disk for the games: a small tmpfs if mounting is allowed, else a folder with blocked writes."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.folder, self._limit = folder, (0, 0)
        mount = ["mount", "-t", "tmpfs", "-o", f"size={DISK_SIZE_MIB}m,mode=700", "none", str(folder)]
        self.mounted = bool(
            shutil.which("mount") and subprocess.run(mount, capture_output=True, check=False).returncode == 0
        )
        if self.mounted:
            stack.callback(subprocess.run, ["umount", "--lazy", str(folder)], check=True)

    def fill(self, pid: int) -> None:
        if not self.mounted:
            self._limit = resource.prlimit(pid, resource.RLIMIT_FSIZE)
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (1, self._limit[1]))
            return
        with (self.folder / "ballast").open("ab", buffering=0) as ballast:
            for size in (1 << 20, 1 << 12):
                with suppress(OSError):
                    while True:
                        ballast.write(bytes(size))

    def clear(self, pid: int) -> None:
        if self.mounted:
            (self.folder / "ballast").unlink()
        else:
            resource.prlimit(pid, resource.RLIMIT_FSIZE, self._limit)


MAX_GROWTH_PER_HOUR = {"rss": 24.0, "files": 12.0, "threads": 6.0}
"""Growth per hour that counts as a fault, in MiB resident, open files and threads. Checked from ten minutes on."""


@dataclass
class Fault:
    """A part's fault.

    begun, until, over: monotonic times in seconds of its start, its earliest end and its end (0 before that).
    named, cleared: seconds from the start to the report, and from the end until it was cleared.
    sure: number of entries acknowledged at its start.
    """

    part: str
    word: str
    begun: float
    until: float
    named: float = 0.0
    over: float = 0.0
    cleared: float = 0.0
    sure: int = 0

    @property
    def is_silent(self) -> bool:
        return self.part == "clock" or (self.part, self.word) in UNREPORTED_FAULTS


@dataclass
class Track:
    """Resource use over time.

    when: seconds since the start.
    rss, own: MiB resident, and without pages of files.
    files, threads: numbers of open files and threads.
    """

    when: list[float] = field(default_factory=list)
    rss: list[float] = field(default_factory=list)
    own: list[float] = field(default_factory=list)
    files: list[float] = field(default_factory=list)
    threads: list[float] = field(default_factory=list)

    def sample(self, when: float, pid: int) -> None:
        process = psutil.Process(pid)
        with process.oneshot():
            memory = process.memory_info()
            own = (memory.rss - memory.shared) / 2**20
            figures = memory.rss / 2**20, own, process.num_fds(), process.num_threads()
        for track, figure in zip((self.rss, self.own, self.files, self.threads), figures, strict=True):
            track.append(figure)
        self.when.append(when)

    def growth(self, track: list[float], since: float) -> float | None:
        """Return the growth per hour by linear regression from `since` on, or None with fewer than 3 samples."""
        points = [(when, figure) for when, figure in zip(self.when, track, strict=True) if when >= since]
        if len(points) < 3:
            return None
        whens, figures = zip(*points, strict=True)
        return statistics.linear_regression(whens, figures).slope * 3600


class Soak:
    """One run of `minutes`, determined by `seed`."""

    def __init__(self, minutes: float, seed: int, data: Path, well: Path, disk: Disk) -> None:
        self._random, self._data, self._well, self._disk = Random(seed), data, well, disk
        self._long, self._port = minutes * 60, free_port()
        self._log = (well / "log").open("w")
        self.faults: list[str] = []
        self.ails: dict[str, Fault | None] = dict.fromkeys(FAULTS)
        self.done: list[Fault] = []
        self.track, self.kills, self.cut, self.back = Track(), 0, 0, [0.0]
        self._throws = self.kept = 0
        # Kills are in the first quarter, with one more at the end.
        quarter = self._long / 4
        self._kills = sorted(self._random.uniform(0.3, 1) * quarter for _ in range(round(quarter / 180)))
        self._program = self._start()
        self.ledger = Ledger(data / "journal.db")
        self.people = self._people()
        self.callers = Callers(self._port, seed, stay=min(15.0, self._long / 4))
        self.taken, self._began = -stolen_s(), time.monotonic()
        self._next = {part: self._began + self._random.uniform(0.02, 0.25) * self._rest for part in FAULTS}

    @property
    def _rest(self) -> float:
        """Mean seconds between two faults of a part."""
        return min(120.0, self._long / 3)

    @property
    def now(self) -> float:
        return time.monotonic() - self._began

    def _start(self) -> Program:
        settings = parts.SETTINGS.format(camera="picamera2")
        given = (str(self._well),)
        return Program(
            self._data,
            port=self._port,
            settings=settings,
            start=parts.START,
            given=given,
            log=self._log,
            env=parts.allocator(),
        )

    def _people(self) -> People:
        return People(self._program.url, self._program.code, self.ledger, self._random, self._throw)

    def _throw(self, colours: list[str]) -> None:
        self._throws += 1
        self._set_fault("throw", f"{self._throws} {' '.join(colours)}")

    def _set_fault(self, part: str, word: str) -> None:
        """Set the fault of a part, atomically."""
        fresh = self._well / "new"
        fresh.write_text(word)
        fresh.replace(self._well / part)

    def run(self) -> None:
        sampled, checked, every = -1e9, self.now, min(60.0, self._long / 10)
        while self.now < self._long:
            if self._kills and self.now >= self._kills[0] and not self.ails["disk"]:
                self._kills.pop(0)
                self.kill()
            self._step()
            if self.now >= sampled + every:
                sampled = self.now
                self.track.sample(self.now, self._program.process.pid)
            if self.now >= checked + every * 5:
                checked = self.now
                self.check()
            time.sleep(STEP_PAUSE_S)
        self._recover_all()
        self.kill()
        self.check()

    def _step(self) -> None:
        """Do one step of the players and check the parts. Errors are recorded, and the evening continues."""
        try:
            self.people.step()
            self._update_faults()
        except (httpx.RemoteProtocolError, httpx.ReadError, httpx.WriteError):
            self.cut += 1  # An idle connection was closed, and phones open another.
        except httpx.HTTPError as error:
            self.faults.append(f"{type(error).__name__} after {self.now:.0f} s: {error}")
        if self._program.process.poll() is not None:
            self.faults.append(f"the program ended by itself after {self.now:.0f} s")
            self.kill()

    def kill(self) -> None:
        self.callers.up.clear()
        self.kills += 1
        try:
            doomed = time.monotonic() + self._random.uniform(0, 0.3)
            while time.monotonic() < doomed:
                self.people.step()
            self._program.process.kill()
            self.people.step()
        except httpx.TransportError:
            pass
        self._program.__exit__(None, None, None)
        self.check()
        began = time.monotonic()
        self._program = self._start()
        self.back.append(time.monotonic() - began)
        self.faults += self.people.faults
        self.people.faults.clear()
        self.callers.life += 1
        self.callers.up.set()

    def check(self) -> None:
        _, faults = self.ledger.check()
        self.faults += [fault for fault in faults if fault not in self.faults]

    def _update_faults(self) -> None:
        """Let parts fail and recover, and check that each fault is reported."""
        health = self.people.operator.get("/api/health").raise_for_status().json()
        bad, now = {one["part"] for one in health if not one["ok"]}, time.monotonic()
        for part, fault in self.ails.items():
            if fault is None:
                if now >= self._next[part] and now < self._began + self._long - min(REPORT_TIMEOUT_S, self._long / 4):
                    self._fail(part, now)
                continue
            told = ("journal" if part == "disk" else part) in bad
            if not fault.over:
                fault.named = fault.named or (now - fault.begun if told else 0.0)
                if now >= fault.until and (fault.named or fault.is_silent or now > fault.begun + REPORT_TIMEOUT_S):
                    self._clear(fault)
            elif not told or fault.is_silent:
                fault.cleared = now - fault.over
                self._rest_from(fault, now)
            elif now > fault.over + REPORT_TIMEOUT_S:
                self.faults.append(f"{part} is still said to be missing, {REPORT_TIMEOUT_S:.0f} s after it came back")
                self._rest_from(fault, now)

    def _fail(self, part: str, now: float) -> None:
        word = self._random.choice(FAULTS[part])
        least = self._random.uniform(0.05, 0.3) * self._rest
        self.ails[part] = Fault(part, word, now, now + least, sure=self.ledger.sure)
        if part == "disk":
            self._disk.fill(self._program.process.pid)
        else:
            self._set_fault(part, word)

    def _clear(self, fault: Fault) -> None:
        if not fault.named and not fault.is_silent and not self._was_stored_anyway(fault):
            self.faults.append(f"{fault.part} {fault.word} was not named in {REPORT_TIMEOUT_S:.0f} s")
        if fault.part == "disk":
            self._disk.clear(self._program.process.pid)
        else:
            self._set_fault(fault.part, "")
        fault.over = time.monotonic()

    def _was_stored_anyway(self, fault: Fault) -> bool:
        """True if games were stored on a full disk, in the journal's reserve or old pictures' space. No report is due
        then.
        """
        kept = fault.part == "disk" and self.ledger.sure > fault.sure + MIN_STORED_ENTRIES
        self.kept += kept
        return kept

    def _rest_from(self, fault: Fault, now: float) -> None:
        self.done.append(fault)
        self.ails[fault.part] = None
        self._next[fault.part] = now + self._random.uniform(0.5, 1.5) * self._rest

    def _recover_all(self) -> None:
        while any(self.ails.values()):
            for fault in self.ails.values():
                if fault is not None and not fault.over:
                    fault.until = 0.0
            self._step()
            self._next = dict.fromkeys(FAULTS, float("inf"))
            time.sleep(STEP_PAUSE_S)

    def end(self) -> None:
        """Disconnect everybody, and collect the faults."""
        self.callers.up.clear()
        self.callers.close()
        self.people.close()
        status = self._program.end()
        self._program.__exit__(None, None, None)
        self._log.close()
        self.taken += stolen_s()
        if status:
            self.faults.append(f"the program ended with status {status}")
        _, *traces = (self._well / "log").read_text().split("Traceback (most recent call last):\n")
        self.faults += [f"in the log: {re.split(r'(?m)^(?=[^ ])', trace, maxsplit=2)[1]}" for trace in traces]
        self.faults += self.people.faults + self.callers.faults
        if (wrong := self._well / "wrong").exists():
            self.faults.append(f"done to the camera: {wrong.read_text()}")
        for name, most in MAX_GROWTH_PER_HOUR.items():
            grown = self.track.growth(getattr(self.track, name), self._long / 4)
            if grown is not None and grown > most and self._long >= 600:
                self.faults.append(f"{name}: {grown:+.1f} an hour")

    def result_rows(self) -> Iterator[tuple[str, str]]:
        since = self._long / 4
        yield "answers that were acknowledged; of them lost", f"{self.ledger.sure}; {self._lost()}"
        yield (
            "entries in the journal by who gave them",
            ", ".join(f"{n} {who}" for who, n in self.ledger.entries_by_source().items()),
        )
        yield "games begun; refused while the disk was full", f"{self.people.games}; {self.people.disk}"
        yield "times the disk was full for a minute and everything was kept all the same", str(self.kept)
        yield "the slowest answer; lines of players that were cut", f"{self.people.slowest} ms; {self.cut}"
        yield "killed and started again; the slowest start", f"{self.kills}; {max(self.back):.1f} s"
        for (part, word), some in sorted(self._by_kind().items()):
            named = f"named after {max(one.named for one in some):.1f} s at most, " if not some[0].is_silent else ""
            what = word if part != "clock" else f"{word} s"
            yield (
                f"{part} {what}",
                f"{len(some)} times, {named}well again after {max(one.cleared for one in some):.1f} s",
            )
        yield "phones that came", ", ".join(f"{n} {who}" for who, n in self.callers.count.most_common())
        names = {"memory, resident": "rss", "memory of its own": "own", "open files": "files", "threads": "threads"}
        for name, key in names.items():
            track = getattr(self.track, key)
            grown = self.track.growth(track, since)
            line = "too few looks" if grown is None else f"{grown:+.2f} an hour"
            unit = " MiB" if key in ("rss", "own") else ""
            yield name, f"{track[0]:.1f} … {track[-1]:.1f}{unit}, most {max(track):.1f}; after the first quarter {line}"
        yield "memory, resident, by the look", f"{', '.join(f'{one:.0f}' for one in self.track.rss)} MiB"
        yield "memory of its own, by the look", f"{', '.join(f'{one:.0f}' for one in self.track.own)} MiB"
        yield "the machine was taken away (steal)", f"{self.taken:.1f} s of {self._long:.0f}"
        yield "what should not be", str(len(self.faults))

    def _lost(self) -> int:
        return sum("lost:" in fault for fault in self.faults)

    def _by_kind(self) -> dict[tuple[str, str], list[Fault]]:
        kinds: dict[tuple[str, str], list[Fault]] = {}
        for fault in self.done:
            kinds.setdefault((fault.part, fault.word), []).append(fault)
        return kinds


def stolen_s() -> float:
    """Return the CPU seconds stolen from the machine since its start, over all cores."""
    return float(getattr(psutil.cpu_times(), "steal", 0.0))


@contextmanager
def soak_run(minutes: float, seed: int) -> Iterator[Soak]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        data, well = folder / "data", folder / "parts"
        data.mkdir()
        well.mkdir()
        soak = Soak(minutes, seed, data, well, Disk(data, stack))
        try:
            soak.run()
        finally:
            soak.end()
        yield soak


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soak", description="A long evening with faults.")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    # SIGTERM must also clean up.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with soak_run(given.minutes, given.seed) as soak:
        print("| what | figure |\n| --- | --- |")
        for what, figure in soak.result_rows():
            print(f"| {what} | {figure} |")
        for fault in soak.faults:
            print(f"- {fault}", file=sys.stderr)
        return 1 if soak.faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
