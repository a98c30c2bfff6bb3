"""Resource use of the complete program: `python -m benchmarks.figures` prints the table of docs/evidence/benchmarks.md.

The real program runs as a process and is observed from outside. Its display is a bus that records the first complete
lit picture. Its camera shows prerendered pictures (`benchmarks.parts`). The service manager is a socket that waits for
READY=1. Each figure is listed with the CPU time stolen from the machine meanwhile, on all cores.
"""

from __future__ import annotations

import argparse
import http.client
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random

import psutil

from benchmarks import parts
from benchmarks.ledger import Ledger
from benchmarks.soak import stolen_s
from benchmarks.web.people import People
from device.inputs.random_player import pick_answer
from device.storage.decks import house_deck
from device.storage.store import Store
from engine.games import GAMES
from engine.table import Table
from tests.device.process import Program, free_port

EVENING_GAMES = 36  # Games in the journal of a long evening.
LAST_GAME_ENTRIES = 3000  # Entries of the last game, which is restored.
START_COUNT = 5  # Number of starts. The table shows their median.


@dataclass(frozen=True, slots=True)
class Start:
    """Seconds from the command to the first lit picture, READY=1 and the first page, and stolen CPU time."""

    frame: float
    ready: float
    page: float
    taken: float


def give_random_answer(table: Table, random: Random) -> None:
    n, ask = random.choice(table.open_asks())
    table.answer_ask(ask.seat, n, pick_answer(table.ask_view(n, ask, ask.seat, dealer=True), random))


def write_evening(folder: Path) -> None:
    """Write a journal with many games and a long last one."""
    store, random = Store(folder / "journal.db"), Random(1)
    for number in range(EVENING_GAMES):
        game = list(GAMES.values())[number % len(GAMES)]
        table = Table(game, [house_deck(game)])
        while not table.outcome:
            give_random_answer(table, random)
        store.begin_game(table)
    game = GAMES["small-ball"]
    table = Table(game, [house_deck(game)])
    while len(table.journal) < LAST_GAME_ENTRIES:  # Undo repeatedly, so that the game gets long enough.
        if table.outcome or len(table.answers) > 150:
            table.undo(random.choice([one.n for one in table.answers[10:]]))
        give_random_answer(table, random)
    store.begin_game(table)
    store.close()


@contextmanager
def folders() -> Iterator[tuple[Path, Path]]:
    with tempfile.TemporaryDirectory() as folder:
        data, well = Path(folder) / "data", Path(folder) / "parts"
        data.mkdir()
        well.mkdir()
        yield data, well


def measure_start(data: Path, well: Path, camera: str) -> Start:
    """Start the program as a service manager does, measure, and stop it."""
    port, file = free_port(), data / "dugout.toml"
    file.write_text(parts.SETTINGS.format(camera=camera).format(port=port, show=1))
    (well / "frame").unlink(missing_ok=True)
    away = stolen_s()
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(f"\0dugout-figures-{os.getpid()}")
        line.settimeout(60)
        began = time.monotonic()
        process = subprocess.Popen(
            [sys.executable, "-c", parts.START, str(well), "run", "--settings", str(file), "--data", str(data)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "NOTIFY_SOCKET": f"@dugout-figures-{os.getpid()}"},
        )
        try:
            while b"READY=1" not in line.recv(4096).split(b"\n"):
                pass
            ready = time.monotonic() - began
            pages = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            pages.request("GET", "/")
            assert pages.getresponse().read().startswith(b"<!doctype html>")
            page = time.monotonic() - began
            pages.close()
        finally:
            process.terminate()
            process.wait(20)
    return Start(float((well / "frame").read_text()) - began, ready, page, stolen_s() - away)


def print_starts(name: str, camera: str, long: bool) -> None:
    with folders() as (data, well):
        if long:
            write_evening(data)
        seen = [measure_start(data, well, camera) for _ in range(START_COUNT)]
    away = f"{statistics.median(one.taken for one in seen):.2f} s"
    for what in ("frame", "ready", "page"):
        words = {"frame": "first picture on the display", "ready": "ready", "page": "first page"}[what]
        times = [getattr(one, what) for one in seen]
        print_row(f"{name}: {words}", f"{statistics.median(times):.2f} s ({min(times):.2f} to {max(times):.2f})", away)


def memory_text(pid: int) -> str:
    found = psutil.Process(pid).memory_full_info()
    return f"{found.rss / 2**20:.0f} MiB, {found.pss / 2**20:.0f} MiB"


def print_running(name: str, camera: str, seconds: float) -> None:
    """Print the rows of a running program, idle and after a game."""
    with folders() as (data, well), tempfile.TemporaryFile("w") as log:
        settings = parts.SETTINGS.format(camera=camera)
        with Program(
            data, settings=settings, start=parts.START, given=(str(well),), log=log, env=parts.allocator()
        ) as program:
            pid = program.process.pid
            people = People(program.url, program.code, Ledger(data / "journal.db"), Random(1))
            ready = time.monotonic() + 60
            while camera != "none" and people.view()["watching"]["state"] != "empty" and time.monotonic() < ready:
                time.sleep(0.1)
            time.sleep(5)
            first = memory_text(pid)
            print_idle(name, pid, seconds)
            with open_streams(program.port):
                set_manager(people, "regular")
                for _ in range(4):
                    people.step()
                time.sleep(10)
                print_idle(f"{name}, in a game, with a phone, a television and a manager", pid, seconds)
            set_manager(people, None)
            while not people.games:
                people.step()
            print_row(
                f"{name}: memory, resident and its share, as it starts; after a game",
                f"{first}; {memory_text(pid)}",
                "",
            )
            people.close()


def set_manager(people: People, strength: str | None) -> None:
    """Let a computer manage away, or a person if `strength` is None."""
    people.operator.post("/api/seat/manager", json={"seat": "away", "strength": strength}).raise_for_status()


@contextmanager
def open_streams(port: int) -> Iterator[None]:
    lines = [socket.create_connection(("127.0.0.1", port)) for _ in range(2)]
    for line, what in zip(lines, ("", "&page=tv"), strict=True):
        line.sendall(f"GET /stream?changes=true{what} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        threading.Thread(target=_listen, args=(line,), daemon=True).start()
    yield
    for line in lines:
        line.shutdown(socket.SHUT_RDWR)
        line.close()


def _listen(line: socket.socket) -> None:
    while line.recv(1 << 16):
        pass


def print_idle(name: str, pid: int, seconds: float) -> None:
    process, away, began = psutil.Process(pid), stolen_s(), time.monotonic()
    before = process.cpu_times()
    time.sleep(seconds)
    after = process.cpu_times()
    spent = after.user + after.system - before.user - before.system
    wall = time.monotonic() - began
    print_row(
        f"{name}: processor time while idle, over {wall:.0f} s",
        f"{spent / wall:.1%} of one core",
        f"{stolen_s() - away:.2f} s",
    )


def print_row(*cells: str) -> None:
    print(f"| {' | '.join(cells)} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.figures", description="What the program costs.")
    parser.add_argument("--seconds", type=float, default=60, help="for which it is watched while idle")
    given = parser.parse_args()
    print(f"load {os.getloadavg()[0]:.1f}; {os.cpu_count()} cores; Python {sys.version.split()[0]}", file=sys.stderr)
    print_row("what", "figure", "taken away")
    print_row("---", "---", "---")
    print_starts("empty journal", "picamera2", False)
    print_starts(f"{EVENING_GAMES} games and one of {LAST_GAME_ENTRIES} entries", "picamera2", True)
    print_running("with a camera", "picamera2", given.seconds)
    print_running("without a camera", "none", given.seconds)


if __name__ == "__main__":
    main()
