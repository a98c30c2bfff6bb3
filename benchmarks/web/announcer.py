"""Latency of the announcer: `python -m benchmarks.web.announcer` plays a game of each rulebook and prints a table.

It is the time from sending a throw until the page passes the call's first word to the browser's voice. Program, player
and Chromium run on this machine.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import Browser, Page

from device.inputs import random_player
from engine.games import GAMES
from tests.browser import chromium
from tests.browser.chromium import Faults
from tests.browser.room import Room, until
from tests.json_asks import ask_of

MAX_TIMED_THROWS = 250  # Maximum of timed throws of one game. A season of 7th Inning Stretch has thousands.

VOICE_SCRIPT = """
if (location.protocol === "http:") {
    window.spoken = [];
    window.SpeechSynthesisUtterance = function (text) { this.text = text; };
    const speak = ({ text }) => spoken.push([text, (performance.timeOrigin + performance.now()) / 1000]);
    const value = { pending: false, speaking: false, getVoices: () => [], cancel() {}, addEventListener() {}, speak };
    Object.defineProperty(window, "speechSynthesis", { value });
}
"""


def open_listening_page(room: Room) -> Page:
    """Open the television's page with the announcer at full."""
    context = room.context(size=(1920, 1080))
    context.add_init_script(VOICE_SCRIPT)
    page = context.new_page()
    page.goto("/tv")
    page.locator("#badge[data-state=live]").wait_for(state="attached")
    page.keyboard.press("a")
    page.keyboard.press("a")
    until(page, lambda: "full" in page.locator("#announcer").inner_text())
    return page


def answer_and_time(room: Room, page: Page, ask: dict[str, Any]) -> float | None:
    """Answer an ask for dice, and return the seconds until its call is spoken, or None if there is none."""
    given = {"seat": ask["seat"], "n": ask["n"], "value": random_player.pick_answer(ask_of(ask), room.chance)}
    began = time.time()
    room.program.client.post("/api/answer", json=given).raise_for_status()
    text = next((call["text"] for call in room.program.view()["calls"] if call["n"] == ask["n"]), None)
    if text is None:
        return None

    def spoken() -> list[float]:
        return [at for said, at in page.evaluate("spoken") if said == text and at >= began]

    until(page, spoken)
    return spoken()[0] - began


def word_delays(room: Room, page: Page) -> list[float]:
    """Play a game, and return the seconds until the first word after each announced throw."""
    found: list[float] = []
    while (asks := room.program.view()["table"]["asks"]) and len(found) < MAX_TIMED_THROWS:
        try:
            if asks[0]["kind"] == "draw":  # The table draws by itself.
                time.sleep(0.02)
            elif asks[0]["kind"] == "roll" and not asks[0]["secret"]:
                seconds = answer_and_time(room, page, asks[0])
                found += [] if seconds is None else [seconds]
            else:
                room.answer()
        except httpx.HTTPStatusError as refused:
            if refused.response.status_code != 409:  # The table has answered that itself.
                raise
    return found


def table_row(title: str, times: list[float]) -> str:
    ms = sorted(1000 * one for one in times)
    late = ms[len(ms) * 99 // 100]
    return f"| {title} | {len(ms)} | {statistics.median(ms):.0f} ms | {late:.0f} ms | {ms[-1]:.0f} ms |"


def measure_game(browser: Browser, key: str) -> list[float]:
    how: Any = {"more": f'[game]\nkey = "{key}"\n'}
    with tempfile.TemporaryDirectory() as folder:
        room = Room(browser, Faults(), Path(folder), **how)
        try:
            return word_delays(room, open_listening_page(room))
        finally:
            room.close()


def main() -> None:
    print("| game | throws announced | median | p99 | worst |", "| --- | --- | --- | --- | --- |", sep="\n")
    path, times = chromium.find(), list[float]()
    assert path, "There is no Chromium here."
    with chromium.launched(path) as browser:
        for key, game in GAMES.items():
            times += (found := measure_game(browser, key))
            print(table_row(game.title, found), flush=True)
    print(table_row("all", times))


if __name__ == "__main__":
    main()
