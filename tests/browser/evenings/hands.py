"""Hands that play: a thumb that uses what a seat's page offers, and one that types random answers for everybody."""

from __future__ import annotations

import httpx

from device.inputs import random_player
from tests.browser.room import PHONE, Room, Who
from tests.json_asks import ask_of

THUMB = """
window.seed = 7;
window.pressed = window.dice = 0;
window.any = (all) => all[(window.seed = window.seed * 48271 % 2147483647) % all.length];
window.press = (one) => { window.pressed += 1; one.click(); };
window.lay = () => {
    const card = document.querySelector("#asks .ask:not(.managed, .sent):has(.arrange.spatial)");
    if (!card) return false;
    const field = card.querySelector(".arrange.spatial");
    const go = [...field.querySelectorAll(".acts .button:enabled")].find((one) => one.textContent.startsWith("Place"));
    if (go) { press(go); card.classList.add("sent"); return true; }
    field.querySelector(".piece")?.click();
    field.querySelector(".place:not(.laid)")?.click();
    return true;
};
window.play = () => {
    const card = document.querySelector("#asks .ask:not(.given, .managed, .played)");
    if (!card) return "";
    const open = (selector) => [...card.querySelectorAll(selector)]
        .filter((one) => !one.disabled && one.checkVisibility());
    pressed = dice = 0;
    const words = card.innerText, again = open(".second .tap");
    card.classList.add("played");
    if (again.length && !again.some((one) => one.ariaPressed === "true")) press(any(again));
    const rows = open(".keys");
    dice = rows.length;
    for (let more = open(".counted .missing").length; more > 1; more--) press(any(open(".key")));
    for (const row of rows) press(any([...row.querySelectorAll(".key")]));
    if (rows.length) {
        const go = open(".keypad > .button")[0];
        if (go) press(go); else if (card.querySelector(".keypad > .button")) card.classList.remove("played");
        return words;
    }
    for (const veil of open(".veil[aria-expanded=false]")) press(veil);
    const picked = open(".pickable:not([aria-pressed=true])");
    if (card.innerText.includes("First of two")) card.classList.remove("played");
    if (!picked.length) { const one = any(open("[data-place], .choice")); if (one) press(one); return words; }
    press(any(picked));
    const done = open(".picks > .button, .acts > .button:not(.quiet)").find((one) => one.textContent !== "Undo");
    if (done) press(done); else card.classList.remove("played");
    return words;
};
"""
"""Answer what the page asks with whatever it offers; `play` returns what it asked, "" for nothing, and `lay` lays one
more Glove on the field, or all of them down."""


class Thumb:
    """A seat's phone, on which every question is answered by touch. `asked` is what it was asked, in words.

    `taps` has pairs: the rows of keys that a question had, for its dice, and the taps that answered it.
    """

    def __init__(self, room: Room, who: Who, size: tuple[int, int] = PHONE) -> None:
        context = room.context(who, size)
        context.add_init_script(THUMB)
        self.page = context.new_page()
        self.page.goto("/seat")
        self.page.locator("#badge[data-state=live]").wait_for(state="attached")
        self.asked: list[str] = []
        self.taps: set[tuple[int, int]] = set()

    def play(self) -> None:
        words, dice, taps = self.page.evaluate(
            "() => { pressed = dice = 0; return [lay() ? '' : play(), dice, pressed] }"
        )
        if words:
            self.asked.append(words)
            self.taps.add((dice, taps))


class Typist:
    """Types random answers for both seats over the API, one at a time."""

    def __init__(self, room: Room) -> None:
        self._room = room

    def play(self) -> None:
        asks = self._room.asks()
        if not asks:
            return
        ask = self._room.chance.choice(asks)
        try:
            value = random_player.pick_answer(ask_of(ask), self._room.chance)
        except LookupError:  # a secret that the table draws itself, or has drawn by now
            return
        hand = self._room.hand(ask["seat"]) if ask["secret"] else self._room.program.client
        answer = hand.post("/api/answer", json={"seat": ask["seat"], "n": ask["n"], "value": value})
        if answer.status_code != httpx.codes.CONFLICT:  # the table answered it meanwhile
            answer.raise_for_status()
