"""A person plays a game alone by phone, against the computer, from the first page to the last out.

`python -m benchmarks.web.alone [GAME ...] [--minutes 20]` starts a table without a camera for each game, taps what is
offered, dice too, and prints taps and questions, and for how many seconds the page neither offered anything nor said
what it waits for.
"""

from __future__ import annotations

import argparse
import re
import tempfile
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Error, Locator, Page, ViewportSize

from engine.games import GAMES
from tests.browser.chromium import find, launched
from tests.browser.evenings.hands import THUMB
from tests.device.process import Program

PHONE_SIZE: ViewportSize = {"width": 390, "height": 664}
LOOK_S = 0.1  # Seconds between two looks at the page.

SEEN = """() => {
    const all = (selector) => [...document.querySelectorAll(selector)]
        .filter((one) => one.checkVisibility() && !one.disabled);
    const words = all("#asks, #dice, .notice, .proposal, [role=status], .region.now").map((one) => one.innerText);
    const card = document.querySelector("#asks .ask:not(.given, .managed, .played)");
    return { words: words.map((one) => one.trim()).filter(Boolean).join(" | "), call: all(".call").length,
        card: !!card, roll: !!card && !!card.querySelector(".keys, .keypad"),
        unsure: all("#asks .button").some((one) => /^Yes, /.test(one.textContent)),
        over: /(game|season) is over/i.test(document.body.innerText) || all("[data-rematch], .rematch").length };
}"""

CONFIRM = "() => [...document.querySelectorAll('#asks .button')].find((one) => /^Yes, /.test(one.textContent)).click()"

WAITS = re.compile(
    r"\b(wait|roll|throw|record|read|moment|study|studies|think|weigh|choos|decid|tray|confirm|pick|steps in|your)",
    re.I,
)
"""Words that say what the page waits for."""


@dataclass
class Evening:
    """What a game took. `lost` are seconds without an offer or a word, `unsaid` what the page showed then."""

    taps: int = 0
    questions: int = 0
    throws: int = 0
    seconds: float = 0.0
    waited: float = 0.0
    lost: float = 0.0
    over: bool = False
    unsaid: Counter[str] = field(default_factory=Counter)


def play(page: Page, evening: Evening, minutes: float) -> None:
    """Play the game to its end, or until the time is up."""
    began = last = time.monotonic()
    while (now := time.monotonic()) - began < minutes * 60 and not evening.over:
        with suppress(Error):  # the page may be loading
            if page.evaluate("() => !window.play"):
                page.evaluate(f"() => {{ {THUMB} }}")
            seen = page.evaluate(SEEN)
            evening.over = bool(seen["over"])
            if seen["call"]:
                page.locator(".call").first.tap(timeout=1000)
                evening.taps += 1
            elif seen["unsure"]:
                page.evaluate(CONFIRM)
                evening.taps += 1
            elif seen["card"] and page.evaluate("() => window.play() && window.pressed"):
                evening.taps += page.evaluate("() => pressed")
                evening.throws += seen["roll"]
                evening.questions += not seen["roll"]
            elif WAITS.search(seen["words"]):
                evening.waited += now - last
            else:
                evening.lost += now - last
                evening.unsaid[seen["words"][:100]] += 1
        last = now
        time.sleep(LOOK_S)
    evening.seconds = time.monotonic() - began


def begin(page: Page, base: str, code: str, title: str, evening: Evening) -> None:
    """Start a game against the computer, from the first page."""

    def tap(what: Locator) -> None:
        what.first.tap(timeout=60_000)
        evening.taps += 1

    page.goto(base)
    tap(page.get_by_role("link", name="Play alone"))
    page.fill("#code", code)
    evening.taps += len(code)
    tap(page.locator("form.code .button"))
    tap(page.locator(".game-card").filter(has_text=title))
    if (race := page.locator("#house-raceMode")).count():  # No camera sees who wins a race.
        if not race.is_visible():
            tap(page.locator("details:has(#house-raceMode) > summary"))
        race.select_option("alternate")
        evening.taps += 2
    tap(page.locator(".button.start"))
    page.wait_for_timeout(1500)


def alone(key: str, minutes: float, shots: Path | None) -> Evening:
    """Play one game at a table of its own."""
    evening, path = Evening(), find()
    assert path is not None
    with (
        tempfile.TemporaryDirectory() as folder,
        Program(Path(folder), command="run", show=1.5) as table,
        launched(path) as browser,
    ):
        page = browser.new_context(viewport=PHONE_SIZE, has_touch=True, is_mobile=True).new_page()
        title = next(game.title for game in GAMES.values() if game.key == key)
        begin(page, table.url, table.code, title, evening)
        play(page, evening, minutes)
        if shots:
            page.screenshot(path=shots / f"alone-{key}.png")
    return evening


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=[game.key for game in GAMES.values()])
    parser.add_argument("--minutes", type=float, default=20.0)
    parser.add_argument("--shots", type=Path, help="a folder for a picture of each game's last page")
    given = parser.parse_args()
    print("| game | over | taps | questions | throws | minutes | seconds waited | seconds of not knowing |")
    print("|---|---|---|---|---|---|---|---|")
    for key in given.games:
        it = alone(key, given.minutes, given.shots)
        cells = [
            it.over,
            it.taps,
            it.questions,
            it.throws,
            f"{it.seconds / 60:.1f}",
            f"{it.waited:.0f}",
            f"{it.lost:.0f}",
        ]
        print(f"| {key} | {' | '.join(map(str, cells))} |", flush=True)
        for words, times in it.unsaid.most_common(4):
            print(f"    {times}: {words!r}", flush=True)


if __name__ == "__main__":
    main()
