"""Cost of the television's page: `python -m benchmarks.web.television` prints the rows of docs/evidence/benchmarks.md.

It measures three things in Chromium on this machine with the real program: the bytes of the first view, without sound;
the frames that moments and runners miss while the processor is slowed to a quarter; and the CPU time of an idle page.
Close other programs first.
"""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Page

from benchmarks.web.pages import measure_visit
from engine.events import RANKED_MOMENTS
from tests.browser import chromium
from tests.browser.evenings.shifts import GAMES
from tests.browser.room import TV, Room, played

CPU_SLOWDOWN = 4  # Slowdown of the processor while frames are counted.
FRAME_MS = 1000 / 30  # Duration of a frame at 30 frames a second, in ms.
IDLE_S = 20.0  # Seconds for which an idle page is measured.

FRAMES_SCRIPT = """() => {
    window.frames = [];
    let last = performance.now(), on = true;
    const frame = (now) => { window.frames.push(now - last); last = now; if (on) requestAnimationFrame(frame); };
    requestAnimationFrame(frame);
    window.stopFrames = () => { on = false; return window.frames.slice(1); };
}"""

RUN_COUNT = 5
"""Number of runs of each motion. The best counts, because other work on this machine can only slow it down."""

MOTION_S = 2.0
"""Seconds for which frames are counted. The longest animation of a moment's words ends in the first of them."""

MOMENTS_SCRIPT = """async (kind) => {
    const { celebrate } = await import("/static/js/tv/moments.js");
    const view = await (await fetch("/api/view")).json();
    const sentence = "Wren Tolliver homers: three runs are in.";
    const line = { n: Date.now(), moment: kind, code: "", sentence, scored: 1,
        seat: "away", half: "bottom", inning: 9, clip: false };
    celebrate({ ...view, plays: [...view.plays, line] });
}"""

RUN_SCRIPT = """async () => {
    const { remember, run } = await import("/static/js/tv/runners.js");
    const field = document.getElementById("field"), svg = field.querySelector("svg.park");
    const men = ["Ann Archer", "Bo Baker", "Cy Cooper"].map((name, i) => {
        const man = document.createElementNS("http://www.w3.org/2000/svg", "g");
        man.setAttribute("class", "man team-red");
        Object.assign(man.dataset, { name, base: i });
        const body = `<circle r="9"/><path d="M-9 -1 a9 9 0 0 1 18 0 h3 q1 2 -2 2 h-19 z"/>`;
        man.innerHTML = `${body}<text y="20" text-anchor="middle" font-size="12">${name}</text>`;
        return man;
    });
    svg.append(...men);
    const sides = { away: { runs: 0 }, home: { runs: 0 } };
    remember(field, { sides, stake: 0 });
    remember(field, { sides: { away: { runs: 1 }, home: { runs: 0 } }, stake: 0 });
    for (const man of men) man.dataset.base = Number(man.dataset.base) + 2;
    men[2].remove();
    run(field);
    setTimeout(() => men.forEach((man) => man.remove()), 1500);
}"""


def motion_frames(page: Page, script: str, kind: str) -> tuple[list[float], float]:
    """Return the ms between frames while `script` moves something, and Chromium's CPU ms per frame at usual speed."""
    page.evaluate(FRAMES_SCRIPT)
    before = chromium_cpu_s()
    page.evaluate(script, kind)
    page.wait_for_timeout(1000 * MOTION_S)
    used = chromium_cpu_s() - before
    found: list[float] = page.evaluate("stopFrames()")
    page.keyboard.press("Space")
    page.wait_for_timeout(300)
    return found, 1000 * used / len(found)


def missed_frame_count(found: list[float]) -> int:
    """Return the number of frames missed at 30 a second, given the ms between frames."""
    return sum(round(one / FRAME_MS) - 1 for one in found if one > 1.5 * FRAME_MS)


def print_motion(page: Page) -> None:
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": CPU_SLOWDOWN})
    for kind in ("nothing", *RANKED_MOMENTS, "runners"):
        script = {"nothing": "() => {}", "runners": RUN_SCRIPT}.get(kind, MOMENTS_SCRIPT)
        goes = [motion_frames(page, script, kind) for _ in range(RUN_COUNT)]
        found, used = min(goes, key=lambda go: missed_frame_count(go[0]))
        rate = 1000 * len(found) / sum(found)
        missed = f"{missed_frame_count(found)} of {sum(found) / FRAME_MS:.0f}"
        print(f"| {kind} | {rate:.0f} | {max(found):.0f} ms | {missed} | {used:.1f} ms |", flush=True)
    session.send("Emulation.setCPUThrottlingRate", {"rate": 1})


def idle_cpu_percent(page: Page) -> tuple[float, float]:
    """Return the CPU use of an idle page's main thread and of all of Chromium, in percent."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")

    def busy() -> float:
        metrics = session.send("Performance.getMetrics")["metrics"]
        return float(next(one["value"] for one in metrics if one["name"] == "TaskDuration"))

    main, all_, began = busy(), chromium_cpu_s(), time.monotonic()
    page.wait_for_timeout(IDLE_S * 1000)
    passed = time.monotonic() - began
    return 100 * (busy() - main) / passed, 100 * (chromium_cpu_s() - all_) / passed


def chromium_cpu_s() -> float:
    """Return the CPU time of all Chromium processes below this one, in seconds."""
    children: dict[int, list[int]] = {}
    times: dict[int, tuple[str, float]] = {}
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            name, _, rest = (folder / "stat").read_text().partition("(")[2].rpartition(")")
        except OSError:
            continue
        fields = rest.split()
        children.setdefault(int(fields[1]), []).append(int(folder.name))
        times[int(folder.name)] = (name, (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"))
    total, found = 0.0, [os.getpid()]
    while found:
        number = found.pop()
        found += children.get(number, [])
        name, used = times.get(number, ("", 0.0))
        total += used if "chrom" in name or "headless" in name else 0
    return total


def main() -> None:
    path = chromium.find()
    if path is None:
        raise SystemExit("There is no Chromium here (Debian: apt install chromium).")
    print(f"Load before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores.")
    print(
        "| `/tv` of | requests | bytes + first frame | unpacked | idle: main thread, all of Chromium |",
        "|---|---|---|---|---|",
        sep="\n",
    )
    for key in GAMES:
        with tempfile.TemporaryDirectory() as folder, chromium.launched(path) as browser:
            table = played(key, lambda table: len(table.journal) > 60 and any(table.scoreboard().bases))
            room = Room(browser, chromium.Faults(), Path(folder), tables=[table])
            first = measure_visit(room.context(size=TV), "/tv")
            page = room.phone("/tv", size=TV)
            page.wait_for_timeout(3000)
            main_thread, whole = idle_cpu_percent(page)
            weight = f"{len(first.parts)} | {first.size_text()} | {first.size_text(unpacked=True)}"
            print(f"| {key} | {weight} | {main_thread:.1f} %, {whole:.1f} % |", flush=True)
            room.close()
    print(
        f"\n| moving, processor {CPU_SLOWDOWN}× slower "
        "| frames a second | slowest | missed at 30 a second | work a frame |"
    )
    with tempfile.TemporaryDirectory() as folder, chromium.launched(path) as browser:
        table = played(GAMES[0], lambda table: len(table.journal) > 60 and any(table.scoreboard().bases))
        room = Room(browser, chromium.Faults(), Path(folder), tables=[table])
        print_motion(room.phone("/tv", size=TV))
        room.close()


if __name__ == "__main__":
    main()
