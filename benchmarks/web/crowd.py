"""Load test with many phones: `python -m benchmarks.web.crowd` prints the table in docs/evidence/benchmarks.md.

Three processes run: `dugout run` without hardware, the phones (`benchmarks.web.room`), and this one, which plays games
over the API as two players and an operator. Each step is one answer, and each fifth one four in a burst. Delays count
from the last answer, on a clock that all processes share. The second half has slow readers.

The host of a virtual machine may take its cores away. The kernel counts that time (steal in /proc/stat), so steps are
also grouped by the stolen time between the answer and the last phone.
"""

from __future__ import annotations

import argparse
import http.client
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import httpx
import psutil

from benchmarks.ledger import Ledger
from device.inputs.random_player import pick_answer
from engine.games import GAMES
from engine.seats import SEATS
from tests.device.process import COLD, Program
from tests.json_asks import ask_of

LINK = re.compile(r'(?:href|src)="(/(?:static/[\w./-]+\.(?:css|js|svg)|join\.svg))"')
MODULE = re.compile(r'from "(/static/[\w./-]+)"')

STEP_PAUSE_S = 0.15  # Seconds between two steps.
BURST_ANSWERS = 4  # Answers without a pause in every fifth step.
IDLE_S = 20.0  # Seconds without any action, four heartbeats.
STOLEN_BOUNDS_S = (0.0, 0.01, 0.05, 0.15)  # Bounds between the groups of steps, in stolen seconds of all cores.
PATIENCE_S = 10.0  # Seconds after which a phone without the current version is behind.


class Phones:
    def __init__(self, port: int) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.web.room", str(port)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __call__(self, do: str, **more: Any) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps({"do": do, **more}), file=self._process.stdin, flush=True)
        said: dict[str, Any] = json.loads(self._process.stdout.readline())
        return said

    def catch_up(self, program: Program) -> None:
        self("wait", version=program.view()["version"], since=0, table=0, until=wait_deadline())

    def __enter__(self) -> Phones:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()


@dataclass
class PartFigures:
    """Figures of a part of the evening, in seconds.

    `after` has each phone's delay by step, none if the last answer was rejected or a call, which is written later.
    """

    after: list[list[float]] = field(default_factory=list)
    posts: list[float] = field(default_factory=list)
    taken: list[float] = field(default_factory=list)
    behind: int = 0
    answers: int = 0
    first_byte: list[float] = field(default_factory=list)
    first_view: list[float] = field(default_factory=list)


class Evening:
    """Games played in sequence over the API. The `ledger` gets the acknowledged answers.

    In every tenth step the complete page is loaded, unless `first_views` is False.
    """

    def __init__(
        self,
        program: Program,
        phones: Phones,
        seed: int = 7,
        ledger: Ledger | None = None,
        first_views: bool = True,
    ) -> None:
        self._program, self._phones, self._random = program, phones, Random(seed)
        self._ledger, self._first_views = ledger, first_views
        self._hands = {seat: httpx.Client(base_url=program.url, timeout=20) for seat in SEATS}
        for seat, hand in self._hands.items():
            assert hand.post("/seat", data={"seat": seat, "code": program.code}).status_code == 303
        self._keys = list(GAMES)
        self.games = self._steps = 0

    def step(self, seen: PartFigures) -> None:
        """Send one answer or a burst, and measure the last. After the game's end, begin a new one instead."""
        if self._program.view()["table"]["outcome"]:
            self.games += 1
            key = self._keys[self.games % len(self._keys)]
            self._program.post("game", game=key, decks=[], house={}).raise_for_status()
            if self._ledger is not None:
                self._ledger.begin_game()
            self._phones.catch_up(self._program)
            return
        self._steps += 1
        self._phones("clear")
        before, since, posted, away, timed = -1, 0.0, 0.0, 0.0, False
        for _ in range(BURST_ANSWERS if self._steps % 5 == 0 else 1):
            view = self._program.view()
            open_ = [ask for ask in view["table"]["asks"] if ask["kind"] != "draw"]
            if not open_:
                time.sleep(0.1)
                continue
            now_away = stolen_s()
            if (given := self._send_answer(self._random.choice(open_))) is None:
                continue
            before, away = view["table"]["version"], now_away
            since, posted, timed = given
            seen.answers += 1
        if before < 0:
            return
        if self._first_views and self._steps % 10 == 0:
            byte, whole = first_view(self._program.port)
            seen.first_byte.append(byte)
            seen.first_view.append(whole)
        version = self._program.view()["version"]
        heard = self._phones("wait", version=version, since=since + posted, table=before + 1, until=wait_deadline())
        seen.behind += heard["behind"]
        seen.after.append(heard["times"] if timed else [])
        seen.posts.append(posted)
        seen.taken.append(stolen_s() - away)

    def load_views(self) -> list[float]:
        """Load each seat's view. Return the seconds for each."""
        took = []
        for seat, hand in self._hands.items():
            began = time.monotonic()
            hand.get("/api/view", params={"seat": seat})
            took.append(time.monotonic() - began)
        return took

    def _take_over(self, seat: str, hand: httpx.Client) -> None:
        """Take a seat back from the computer manager, by its phone or else by the operator."""
        for phone in (hand, self._program.client):
            if phone.post("/api/seat/manager", json={"seat": seat, "strength": None}).is_success:
                break

    def _send_answer(self, ask: dict[str, Any]) -> tuple[float, float, bool] | None:
        """Answer an ask. Return the start time, the seconds it took, and whether the answer is shown at once.

        None if the ask was secret and has been answered meanwhile, as by a computer manager.
        """
        seat = ask["seat"]
        if ask["kind"] == "call":
            hand, value = self._program.client, self._random.choice(ask["wins"])
        else:
            hand = self._hands[seat]
            mine = hand.get("/api/view", params={"seat": seat}).json()["table"]["asks"]
            own = next((one for one in mine if one["n"] == ask["n"]), None if ask["secret"] else ask)
            if own is None:
                return None
            value = pick_answer(ask_of(own), self._random)
        since = time.monotonic()
        sent = {"seat": seat, "n": ask["n"], "value": value}
        answer = hand.post("/api/answer", json=sent)
        posted = time.monotonic() - since
        if answer.is_success and self._ledger is not None:
            # The table writes a call itself, after the race is decided.
            self._ledger.record(sent, sure=ask["kind"] != "call")
        if answer.status_code == 403 and answer.json()["error"] == "seat":
            self._take_over(seat, hand)
        elif not answer.is_success and answer.status_code not in (409, 422):
            raise RuntimeError(answer.text)
        return since, posted, answer.is_success and ask["kind"] != "call"


def wait_deadline() -> float:
    return time.monotonic() + PATIENCE_S


def stolen_s() -> float:
    """Return the CPU seconds stolen from the machine since its start, over all cores."""
    return float(getattr(psutil.cpu_times(), "steal", 0.0))


def first_view(port: int, address: str = "127.200.0.1") -> tuple[float, float]:
    """Load `/` and all its resources over one connection. Return the seconds to the first byte and to the last."""
    began = time.monotonic()
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=20, source_address=(address, 0))
    line.request("GET", "/")
    answer = line.getresponse()
    first = time.monotonic() - began
    known, wanted = {"/"}, LINK.findall(answer.read().decode())
    while wanted:
        path = wanted.pop()
        if path in known:
            continue
        known.add(path)
        line.request("GET", path)
        text = line.getresponse().read().decode()
        if path.endswith(".js"):
            wanted += MODULE.findall(text)
    line.close()
    return first, time.monotonic() - began


class ServerUsage:
    """Resource use of the server process."""

    def __init__(self, pid: int) -> None:
        self._process = psutil.Process(pid)

    @property
    def memory_kib(self) -> float:
        return float(self._process.memory_info().rss / 1024)

    @property
    def written_bytes(self) -> float:
        return float(self._process.io_counters().write_bytes)

    @property
    def cpu_s(self) -> float:
        times = self._process.cpu_times()
        return float(times.user + times.system)


def ms_text(seconds: float) -> str:
    return f"{seconds * 1000:.0f} ms"


def print_row(*cells: str) -> None:
    print(f"| {' | '.join(cells)} |", flush=True)


def percentiles_text(values: list[float], *hundredths: int) -> str:
    """Format percentiles of `values`. 100 is the maximum."""
    ranked = sorted(values)
    if not ranked:
        return "none"
    return ", ".join(ms_text(ranked[min(len(ranked) - 1, len(ranked) * one // 100)]) for one in hundredths)


def delays_by_stolen_time(last: list[tuple[float, float]]) -> Iterator[tuple[str, list[float]]]:
    """Group delays by the stolen time meanwhile. `last` has pairs of delay and stolen seconds."""
    for least, most in pairwise((*STOLEN_BOUNDS_S, math.inf)):
        until = f"{least * 1000:.0f} to {ms_text(most)}" if most < math.inf else f"{ms_text(least)} or more"
        yield f"the machine taken away for {until}", [late for late, away in last if least <= away < most]


def figures(seen: PartFigures, spent: float, wall: float) -> dict[str, str]:
    steps = [(times, post) for times, post in zip(seen.after, seen.posts, strict=True) if times]
    last = [(max(times), round(away, 2)) for times, away in zip(seen.after, seen.taken, strict=True) if times]
    return {
        "answers, steps": f"{seen.answers}, {len(steps)}",
        "the answer itself: median, p99": percentiles_text(seen.posts, 50, 99),
        "from its 200 to a phone: median, p99": percentiles_text([one for times, _ in steps for one in times], 50, 99),
        "from its 200 to the last phone: median, p99, worst": percentiles_text([one for one, _ in last], 50, 99, 100),
        **{
            f"- of these, {words}": f"{len(some)} steps: {percentiles_text(some, 50, 99, 100)}"
            for words, some in delays_by_stolen_time(last)
        },
        "from before it was sent to the last phone": percentiles_text(
            [max(times) + post for times, post in steps], 50, 99, 100
        ),
        "phones that missed what stood at the end of a step": str(seen.behind),
        "first byte of `/` meanwhile: median, worst": percentiles_text(seen.first_byte, 50, 100),
        "all that `/` loads, on one connection": percentiles_text(seen.first_view, 50, 100),
        "processor time of the server: of one core, for an answer": (
            f"{spent / wall:.0%}, {ms_text(spent / seen.answers)}"
        ),
    }


def play_part(evening: Evening, watch: ServerUsage, minutes: float, track: list[float]) -> dict[str, str]:
    """Play a part of the evening. Samples of the memory go to `track`, at least six and one a minute."""
    seen, clock = PartFigures(), watch.cpu_s
    began, next_look = time.monotonic(), 0.0
    while (now := time.monotonic()) < began + minutes * 60:
        evening.step(seen)
        if now >= next_look:
            track.append(watch.memory_kib)
            next_look = now + min(60, minutes * 10)
        time.sleep(STEP_PAUSE_S)
    return figures(seen, watch.cpu_s - clock, time.monotonic() - began)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.web.crowd", description="A full room of phones.")
    parser.add_argument("--phones", type=int, default=600)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--slow", type=int, default=100)
    given = parser.parse_args()
    print(
        f"load {os.getloadavg()[0]:.1f}; {os.cpu_count()} cores; Python {sys.version.split()[0]}",
        file=sys.stderr,
    )
    with (
        tempfile.TemporaryDirectory() as folder,
        Program(Path(folder), start=COLD) as program,
        Phones(program.port) as phones,
    ):
        watch, evening = ServerUsage(program.process.pid), Evening(program, phones)
        # Leave out startup costs that do not depend on the phones.
        phones("open", count=1)
        warm = PartFigures()
        for _ in range(20):
            evening.step(warm)
        first_view(program.port)
        time.sleep(1)
        alone, began = watch.memory_kib, time.monotonic()
        phones("open", count=given.phones - 1)
        phones.catch_up(program)
        came, clock = time.monotonic() - began, watch.cpu_s
        time.sleep(IDLE_S)
        idle = (watch.cpu_s - clock) / IDLE_S
        track: list[float] = []
        plain = play_part(evening, watch, given.minutes / 2, track)
        each = (watch.memory_kib - alone) / given.phones
        phones("slow", count=given.slow)
        slowed = play_part(evening, watch, given.minutes / 2, track)
        said = phones("report")
    print_row("what", "all read", f"{given.slow} more hardly read")
    print_row("---", "---", "---")
    for name, figure in plain.items():
        print_row(name, figure, slowed[name])
    print()
    print_row("what", "figure")
    print_row("---", "---")
    print_row(f"{given.phones} phones come in, one after the other", f"{came:.1f} s")
    print_row("memory of the server for each: its growth, half an evening later, by their number", f"{each:.0f} kB")
    print_row("its memory: with one phone; through the evening", f"{alone / 1024:.1f}; {mib_text(track)} MiB")
    print_row("its processor time while nothing happens, all listening", f"{idle:.1%} of one core")
    print_row("largest frame", f"{said['largest'] / 1000:.1f} kB")
    print_row("streams that broke; slow readers dropped, and back", f"{said['lost']}; {said['dropped']}")
    print_row("games played to their end", str(evening.games))


def mib_text(track: list[float]) -> str:
    return ", ".join(f"{one / 1024:.1f}" for one in track)


if __name__ == "__main__":
    main()
