"""A phone that reads aloud into a recorder, and a player who knows only what it said."""

from __future__ import annotations

import re
from random import Random
from typing import Any

from playwright.sync_api import Page

from tests.browser.evenings.shifts import AT_REST
from tests.browser.room import Room, Who, until

RECORDER = """
if (location.protocol === "http:") {
    window.spokeAt = 0;
    window.spoken = JSON.parse(sessionStorage.getItem("test-spoken") ?? "[]");
    window.SpeechSynthesisUtterance = function (text) { this.text = text; };
    const voices = [{ lang: "en-US", localService: true, name: "Ann" }];
    let saying = null;
    const value = {
        get speaking() { return saying !== null; },
        pending: false,
        getVoices: () => voices,
        addEventListener() {},
        cancel() { saying = null; },
        speak(one) {
            if (saying) throw new Error("two things are said at once");
            saying = one;
            window.spoken.push(one.text);
            window.spokeAt = performance.now();
            sessionStorage.setItem("test-spoken", JSON.stringify(window.spoken));
            setTimeout(() => { if (saying === one) { saying = null; one.onend({}); } }, 0);
        },
    };
    Object.defineProperty(window, "speechSynthesis", { value });
}
"""
"""A voice that takes no time, and complains if it is asked to say two things at once."""

NEWS = """([from, quiet]) =>
    speechSynthesis.speaking || performance.now() - window.spokeAt < quiet ? [] : window.spoken.slice(from)
"""

QUIET = 160
"""Milliseconds without a word after which a phone has said what it had to say."""

THROW = 600
"""Milliseconds that a throw takes at least: a table takes no call in a race's first 0.3 seconds."""


class Ear:
    """A seat's phone that can read aloud. `slow`: a sentence takes it a fifth of a second. `how` is for Playwright."""

    def __init__(self, room: Room, who: Who, slow: bool = False, **how: Any) -> None:
        context = room.context(who, **{"has_touch": False, "is_mobile": False} | how)
        context.add_init_script(RECORDER.replace("}, 0)", "}, 200)") if slow else RECORDER)
        self.page: Page = context.new_page()
        self.page.goto("/seat")
        self.page.locator("#badge[data-state=live]").wait_for(state="attached")
        self._taken = 0

    @property
    def heard(self) -> list[str]:
        """All it has said so far."""
        found: list[str] = self.page.evaluate("window.spoken")
        return found

    def turn_on(self) -> None:
        """Have it read each question."""
        for level in ("on request", "each question"):
            self.page.locator("#aloud").click()
            self.page.get_by_role("button", name=f"Read aloud: {level}").wait_for()
        self.fresh()
        self.press("r")

    def news(self) -> list[str]:
        """What it said since the last time; nothing while it is still speaking."""
        said: list[str] = self.page.evaluate(NEWS, [self._taken, QUIET])
        self._taken += len(said)
        return said

    def fresh(self) -> list[str]:
        """What it says next, once it has said it."""
        found: list[str] = []

        def said() -> bool:
            found.extend(self.news())
            return bool(found)

        until(self.page, said)
        return found

    def silent(self) -> None:
        """Wait until what has changed on its page is drawn, and it has stopped speaking."""
        self.page.evaluate(AT_REST)
        until(self.page, lambda: self.page.evaluate("!speechSynthesis.speaking"))
        self.page.evaluate(AT_REST)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)


COACH = "What would you do?"
OPTION = re.compile(r"^(\d+): (.+?)\.?$")
FACES = re.compile(r"^(?:The|Die|What|Away's|Home's) [^.]*[:?] (\d+) to (\d+)\.$")
MANY = re.compile(r"^(\d+) more dice to enter\.$")
RACE = re.compile(r"^(Race to first\. Go! )?Roll the \w+ die: .* wins\.|: call it!$|: roll again\.$")
LETTERS = re.compile(r"^([^:]+): 1 for \S+(, \d for \S+)*\.$")

PLACES = re.compile(r"^(\d+) more to place\.$")
IN_TURN = re.compile(r"^(\d+) more: |^Who plays .*\? (\d+) more\.$")
LAID = re.compile(r"^(?:(\d+): )?(?:Place|Use) .*?(?:, (\d+) of \d+)?\.$")


class Player:
    """Plays one seat from its phone's words alone."""

    def __init__(self, ear: Ear, chance: Random) -> None:
        self.ear, self.chance = ear, chance

    def play(self) -> bool:
        """Do what was asked, if anything was. Returns False if there was nothing to do."""
        said = self.ear.news()
        if any(RACE.search(line) for line in said):
            self.ear.page.wait_for_timeout(THROW)
            self.ear.press("Space")
            return True
        dice = 0
        asked = [line for line in said if FACES.match(line) or LETTERS.match(line)]
        # One row of keys for many dice, or one for each.
        many = next((int(found[1]) for line in said if (found := MANY.match(line))), 1) if len(asked) == 1 else 1
        for line in said:
            if found := FACES.match(line):
                for _ in range(many):
                    self.choose(self.chance.randint(int(found[1]), int(found[2])))
            elif LETTERS.match(line):
                self.choose(self.chance.randint(1, line.count(" for ")))
            dice += bool(found or LETTERS.match(line))
        if dice == 0 and any(self._lays(line, said) for line in said):
            laid: list[re.Match[str]] = []
            while not laid:
                laid = [found for line in self.ear.fresh() if (found := LAID.match(line))]
            self.choose(int(laid[0][1] or laid[0][2]))
            return True
        if dice * many > 1:
            said = self.ear.fresh()
        options = self._options(said)
        if options and dice * many != 1:
            answers = [number for number, label in options.items() if label != COACH]
            self.choose(self.chance.choice(sorted(answers)))
        return bool(dice or options)

    @staticmethod
    def _options(said: list[str]) -> dict[int, str]:
        """The choices that were spoken last: a play may sound like one ("4: no result yet")."""
        first = max((at for at, line in enumerate(said) if line.startswith("1: ")), default=0)
        said = said[first:]
        return {int(found[1]): found[2] for line in said if (found := OPTION.match(line))}

    def _lays(self, line: str, said: list[str]) -> bool:
        """Lay pieces if the line asks for it: on the first free place, then always the first piece that is left; or one
        after the other."""
        options = self._options(said)
        if found := PLACES.match(line):
            places = [number for number, label in options.items() if label.endswith(": empty")]
            self.choose(places[0])
            for _ in range(int(found[1])):
                self.choose(len(places) + 1)
        elif found := IN_TURN.match(line):
            pieces = sorted(number for number, label in options.items() if label != COACH)
            for number in self.chance.sample(pieces, int(found[1] or found[2])):
                self.choose(number)
        return bool(found)

    def choose(self, number: int) -> None:
        self.ear.press(*str(number), "Enter")
