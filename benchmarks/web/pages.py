"""First view of each page: `python -m benchmarks.web.pages` prints the table of docs/evidence/benchmarks.md.

Uses Chromium on this machine with the real program. Figures are medians of fresh browsers. Close other programs first.
"""

from __future__ import annotations

import os
import statistics
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext

from tests.browser import chromium
from tests.browser.room import Room, Who, played, until

PAGES: list[tuple[str, Who]] = [
    ("/", "spectator"),
    ("/seat", "away"),
    ("/table", "operator"),
    ("/overlay", "spectator"),
    ("/games", "spectator"),
]
RUN_COUNT = 3
SLOW_NETWORK = {"offline": False, "latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 0.75e6 / 8}
"""A phone at the edge of the Wi-Fi, with 1.6 Mbit/s and 150 ms of latency."""

CLOCK_SCRIPT = """
window.EventSource = class extends EventSource {
    constructor(...all) {
        super(...all);
        this.addEventListener("panel", () => { window.live ??= performance.now(); });
    }
};
addEventListener("load", () => { window.loaded = performance.now(); });
"""


@dataclass
class Visit:
    """A first view, with milliseconds until it was painted and live (None without a stream).

    `parts` has the bytes on the wire with headers, and unpacked, by address.
    """

    paint: float = 0
    live: float | None = None
    parts: dict[str, tuple[int, int]] = field(default_factory=dict)

    def size_text(self, unpacked: bool = False) -> str:
        """Format the size of the page, plus that of the stream's first frame, which repeats the page's content."""
        page = sum(size[unpacked] for name, size in self.parts.items() if "/stream" not in name)
        frame = sum(size[unpacked] for name, size in self.parts.items() if "/stream" in name)
        return f"{page / 1000:.1f} kB" + (f" + {frame / 1000:.1f}" if frame else "")


def measure_visit(context: BrowserContext, path: str, network: dict[str, Any] | None = None, cpu: int = 1) -> Visit:
    """Open `path` in a fresh browser, with optional throttling. `cpu` is the slowdown."""
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Emulation.setCPUThrottlingRate", {"rate": cpu})
    if network:
        session.send("Network.emulateNetworkConditions", network)
    paths: dict[str, str] = {}
    sizes: dict[str, int] = {}
    wires: dict[str, int] = {}

    def came(event: dict[str, Any]) -> None:
        sizes[event["requestId"]] = sizes.get(event["requestId"], 0) + event["dataLength"]

    def ended(event: dict[str, Any]) -> None:
        wires[event["requestId"]] = int(event["encodedDataLength"])

    def sent(event: dict[str, Any]) -> None:
        paths[event["requestId"]] = event["request"]["url"]

    session.on("Network.requestWillBeSent", sent)
    session.on("Network.dataReceived", came)
    session.on("Network.loadingFinished", ended)
    page.add_init_script(CLOCK_SCRIPT)
    page.goto(path)
    streams = page.locator("script[src='/static/js/live.js'], #badge").count() > 0
    until(page, lambda: page.evaluate("window.live" if streams else "window.loaded"))
    page.wait_for_load_state("load")
    until(page, lambda: page.evaluate("performance.getEntriesByName('first-contentful-paint').length"))
    found = Visit(page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime"))
    found.live = page.evaluate("window.live ?? null")
    # A stream never ends, and is not compressed.
    found.parts = {paths[request]: (wires.get(request, size), size) for request, size in sizes.items()}
    context.close()
    return found


def main() -> None:
    path = chromium.find()
    if path is None:
        raise SystemExit("There is no Chromium here (Debian: apt install chromium).")
    table = played("small-ball", lambda table: len(table.journal) > 100)
    ways: list[dict[str, Any]] = [{}, {"cpu": 4}, {"network": SLOW_NETWORK}]
    print(f"Load before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores.")
    print("| page | requests | bytes + first frame | unpacked | painted / live | CPU 4× slower | slow network |")
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder, chromium.launched(path) as browser:
        room = Room(browser, chromium.Faults(), Path(folder), tables=[table])
        for address, who in PAGES:
            cells = []
            for way in ways:
                goes = [measure_visit(room.context(who), address, **way) for _ in range(RUN_COUNT)]
                paint = statistics.median(one.paint for one in goes)
                live = [one.live for one in goes if one.live is not None]
                cells.append(f"{paint:.0f} / {statistics.median(live):.0f} ms" if live else f"{paint:.0f} ms")
                first = goes[0]
            weight = f"{len(first.parts)} | {first.size_text()} | {first.size_text(unpacked=True)}"
            print(f"| `{address}` | {weight} | {' | '.join(cells)} |", flush=True)
        room.close()


if __name__ == "__main__":
    main()
