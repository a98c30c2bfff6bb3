"""What happens at the table in one evening, step by step: each says in a line what was seen, or raises MachineError."""

from __future__ import annotations

import ast
import json
import threading
import time
from collections.abc import Callable
from typing import Any

import httpx

from device.display import screens_64
from device.inputs.random_player import pick_answer
from device.service import shutdown
from tests.vm.bench import Bench
from tests.vm.machine import MachineError

Say = Callable[[str], None]

DEVICES = "/dev/gpiochip0 /dev/i2c-1 /dev/video0"
CLOSED = "/dev/vda /dev/kmsg /dev/mem /dev/bench"
"""Devices that the service has no use for."""

CGROUP = "/sys/fs/cgroup/system.slice/dugout.service/cgroup.procs"


def started(bench: Bench, say: Say) -> None:
    machine = bench.machine
    machine.started()
    say(machine.do("uname -srm; systemctl --version | head -1; python3 --version").replace("\n", ", "))
    say("devices: " + machine.do(f"stat -c '%n %G %a' {DEVICES}").replace("\n", ", "))


def opened(bench: Bench, say: Say) -> None:
    machine = bench.machine
    bench.ready()
    bench.enter()
    seconds = [int(machine.do(f"systemctl show --value -p {name} dugout")) / 1e6 for name in TIMES]
    say(f"the table's start began {seconds[0]:.1f} s after the kernel's, and it was open {seconds[1]:.1f} s after it")
    found = ast.literal_eval(machine.do(f'{PYTHON} -c "{VERSIONS}"'))
    say("what it drives them with: " + ", ".join(" ".join(pair) for pair in found))
    for part in ("buttons", "display"):
        bench.until(f"{part} without a fault", lambda part=part: bench.fault(part) is None)  # type: ignore[misc]
    bench.drawn()
    say(f"the bytes on the I²C bus, decoded, are the picture of the table's own page ({bench.glass.frames} frames)")
    bench.until("the camera's picture", lambda: bench.fault("camera") is None)
    say(f"the camera is watched: {bench.get('/api/view')['watching']['words']}")


PYTHON = "/opt/dugout/current/.venv/bin/python"
PACKAGES = ("gpiozero", "lgpio", "luma.oled", "opencv-python-headless")
VERSIONS = f"from importlib.metadata import version as v; print([(name, v(name)) for name in {PACKAGES}])"
TIMES = ("ExecMainStartTimestampMonotonic", "ActiveEnterTimestampMonotonic")


def closed(bench: Bench, say: Say) -> None:
    """A program of root's in the service's own group of processes opens the table's devices, and no others."""
    machine = bench.machine
    for devices, wanted in ((DEVICES, "opens"), (CLOSED, "is refused")):
        tries = f"for each in {devices}; do (: <$each) 2>/dev/null && echo opens || echo is refused; done"
        inside, outside = (machine.do(first + tries).splitlines() for first in (f"echo $$ >{CGROUP}; ", ""))
        if set(inside) != {wanted} or set(outside) != {"opens"}:
            raise MachineError(f"DevicePolicy=closed: of {devices} it is said {inside}, and outside of it {outside}")
        say(f"DevicePolicy=closed: in the service's own group, root {wanted} {devices}; outside of it opens them")


def half_inning(bench: Bench, say: Say) -> None:
    bench.press("away-next")  # puts the welcome away
    while bench.table["asks"][0]["why"] in ("away-team", "coin-flip"):
        bench.answer()
    begun, answers, rolls, runs = half(bench), 0, 0, 0
    since = time.monotonic()
    while not bench.table["outcome"] and half(bench) == begun:
        rolled = bench.answer().startswith("rolled")
        rolls, answers = rolls + rolled, answers + 1
    bench.drawn()
    runs = sum(side["runs"] for side in bench.table["scoreboard"]["sides"].values())
    say(
        f"a half-inning is played: {answers - rolls} decisions by the buttons, {rolls} rolls read by the camera as they"
        f" were thrown ({bench.doubts} doubted and thrown again), {runs} runs, {time.monotonic() - since:.0f} s;"
        f" the glass shows what the page does"
    )


def half(bench: Bench) -> tuple[Any, Any]:
    board = bench.table["scoreboard"]
    return board["inning"], board["half"]


def killed(bench: Bench, say: Say) -> None:
    before, starts, since = journal(bench), int(bench.shown("NRestarts")), time.monotonic()
    bench.machine.do("systemctl kill -s KILL dugout")
    bench.again(starts)
    took = time.monotonic() - since
    same_game(before, journal(bench))
    bench.drawn()
    say(f"kill -9: open again after {took:.1f} s with all {len(before) - 1} answers, and the glass is drawn anew")


def hung(bench: Bench, say: Say) -> None:
    """The bus takes a message and never ends: no error, no time-out. Only the watchdog helps."""
    before, starts, since = journal(bench), int(bench.shown("NRestarts")), time.monotonic()
    bench.bus("stalled", 1)
    seat = bench.table["asks"][0]["seat"]
    bench.press(f"{seat}-next")
    bench.until("the watchdog", lambda: bench.shown("NRestarts") > str(starts) or None)
    bench.bus("stalled", 0)
    told = bench.machine.do("journalctl -b -u dugout -o cat --no-pager | grep -m1 -e 'Hangs:'")
    fired = bench.machine.do("journalctl -b -u dugout -o cat --no-pager | grep -m1 -i 'watchdog timeout'")
    bench.again(starts)
    took = time.monotonic() - since
    same_game(before, journal(bench))
    bench.drawn()
    say(f"the bus hangs: “{told}”, “{fired}”; open again after {took:.1f} s with all answers, and drawn anew")


def bus_dies(bench: Bench, say: Say) -> None:
    """In the middle of a picture, and with it the glass's own memory."""
    bench.bus("left", 1)
    bench.press(f"{bench.table['asks'][0]['seat']}-next")
    words = bench.until("the display's fault", lambda: bench.fault("display"))
    bench.look()
    bench.glass.power_cut()
    starts = bench.shown("NRestarts")
    played = bench.answer(), bench.answer()
    bench.bus("left", -1)
    bench.until("the display", lambda: bench.fault("display") is None)
    bench.drawn()
    if bench.shown("NRestarts") != starts:
        raise MachineError("the table was started again for a display")
    say(f"the bus dies in mid-picture: “{words}” The game goes on: {', '.join(played)}")
    say("it lives again, and the glass, whose memory was lost, is redrawn whole")


def camera_lost(bench: Bench, say: Say) -> None:
    machine, since, starts = bench.machine, time.monotonic(), bench.shown("NRestarts")
    machine.do("systemctl stop camera")
    words = bench.until("the camera's fault", lambda: bench.fault("camera"))
    took = time.monotonic() - since
    say(f"the camera gives no more pictures: told after {took:.1f} s: “{words}”")
    bench.until("its device to be let go", lambda: machine.ask("rmmod v4l2loopback")[0] == 0)
    gone = bench.until(
        "the device's absence", lambda: (w := bench.fault("camera")) and "no camera at" in w.lower() and w
    )
    played = bench.answer(camera=False), bench.answer(camera=False)
    machine.do("insmod /usr/lib/bench/v4l2loopback.ko video_nr=0 exclusive_caps=1 && udevadm settle")
    machine.do("systemctl start camera")
    bench.until("the camera", lambda: bench.fault("camera") is None)
    while not (again := bench.answer()).startswith("rolled"):
        pass
    if bench.shown("NRestarts") != starts:
        raise MachineError("the table was started again for a camera")
    say(f"it is pulled out: “{gone}” Typed with the buttons: {', '.join(played)}. Put back in, it reads: {again}")


STEPS = (started, opened, closed, half_inning, killed, hung, bus_dies, camera_lost)


# The power -----------------------------------------------------------------------------------------------------------


def cut(bench: Bench, say: Say) -> list[Any]:
    """Pull the plug while a phone answers as fast as it can. Returns the game as it was said yes to, entry by entry."""
    before, phone = journal(bench), Phone(bench)
    playing = threading.Thread(target=phone.play, daemon=True)
    playing.start()
    bench.until("some answers", lambda: len(phone.given) >= 12)
    bench.machine.do("echo here >/root/synced; sync /root/synced; echo here >/root/forgotten")
    enough = len(phone.given) + 1
    bench.until("one more answer", lambda: len(phone.given) >= enough)
    bench.machine.cut()
    playing.join(120)
    say(f"the plug is pulled while a phone answers as fast as it can: {len(phone.given)} answers counted by then")
    return [*before, *phone.given]


def morning(bench: Bench, given: list[Any], say: Say) -> None:
    """The next start, from what the disk had synced."""
    machine = bench.machine
    machine.started()
    kept, lost = machine.ask("cat /root/synced")[1], machine.ask("cat /root/forgotten")[1]
    if kept != "here" or lost == "here":
        raise MachineError(f"the cut was none: the file that was synced has {kept!r}, the one that was not {lost!r}")
    bench.ready()
    bench.enter()
    same_game(given, journal(bench))
    bench.drawn()
    say(f"the disk has lost what was not synced, and the game none of its {len(given) - 1} answers; the glass is drawn")
    bench.answer()
    machine.do("systemctl stop dugout")
    shown = bench.look().tobytes()
    if shown != screens_64.draw_goodbye(shutdown.OFF_TEXT).tobytes():
        raise MachineError("the glass does not say that the table is off")
    say(f"told to stop, it leaves on the glass: {shutdown.OFF_TEXT}")


def journal(bench: Bench) -> list[Any]:
    """The game under way as its pages hand it out: a header, then its entries."""
    return [json.loads(line) for line in bench.text("/games/1.jsonl").splitlines()]


def same_game(before: list[Any], after: list[Any]) -> None:
    """Raises MachineError unless all that was there is, and at most one entry more that nobody was told of."""
    if after[: len(before)] != before or len(after) > len(before) + 1:
        raise MachineError(f"of {len(before)} entries {len(after)} are there: {before[-2:]} became {after[-2:]}")


class Phone:
    """Answers as fast as it can, until the machine is gone; `given` is what it was told that it counts."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self.given: list[dict[str, Any]] = []

    def play(self) -> None:
        try:
            while True:
                (ask, *_) = self._bench.table["asks"]
                entry = {"seat": ask["seat"], "n": ask["n"], "value": pick_answer(ask, self._bench.random)}
                self._bench.post("/api/answer", **entry)
                self.given.append(entry)
        except (httpx.TransportError, ValueError):
            return
