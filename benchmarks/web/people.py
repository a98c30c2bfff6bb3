"""Two simulated players and an operator with phones. They answer, throw, undo, correct and start games."""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random
from typing import Any

import httpx

from benchmarks.ledger import Ledger
from device.inputs.random_player import pick_answer
from engine.games import GAMES
from engine.seats import SEATS, Seat
from engine.views import json_data
from tests.json_asks import ask_of

CAMERA_TIMEOUT_S = 6.0  # Seconds for which they wait for the camera after a throw, before they type the dice.


class People:
    """Players and an operator, driven over the API. They accept refusals.

    throw: called with the colors of the dice to throw; None without a tray.
    ledger: gets everything that was sent.
    disk: number of rejections because the disk was full. Other rejections are ignored.
    faults: sentences about things that must never happen.
    """

    def __init__(
        self, url: str, code: str, ledger: Ledger, random: Random, throw: Callable[[list[str]], None] | None = None
    ) -> None:
        self._ledger, self._random, self._throw = ledger, random, throw
        self.operator = httpx.Client(base_url=url, timeout=20)
        self._seats = {seat: httpx.Client(base_url=url, timeout=20) for seat in SEATS}
        self._sat: set[Seat] = set()
        assert self.operator.post("/table", data={"code": code}).status_code == 303
        ledger.begin_game()
        self._keys = list(GAMES)
        self._thrown: tuple[Any, float] = (None, 0.0)
        self._stood = (0, 0, 0)
        self.faults: list[str] = []
        self.disk = self.games = self.answers = self.slowest = 0

    def close(self) -> None:
        for phone in (self.operator, *self._seats.values()):
            phone.close()

    def step(self) -> None:
        """Take one action. Raises httpx.TransportError if the table is gone."""
        view = json_data(self.view())
        table = view["table"]
        if table["outcome"]:
            self._begin()
            return
        chance, asks = self._random.random(), [ask for ask in table["asks"] if ask["kind"] != "draw"]
        if chance < 0.04 and view["plays"]:
            self._send("/api/undo", {"n": None, "version": table["version"]}, {"undo": None})
        elif chance < 0.07:
            self._correct()
        elif not asks:
            time.sleep(0.05)
        else:
            self._answer(view, self._random.choice(asks))

    def view(self) -> dict[str, Any]:
        """Return the spectators' view, and check that it never goes backward. An undo also advances it."""
        answer = self.operator.get("/api/view")
        view: dict[str, Any] = answer.raise_for_status().json()
        stands = (self._ledger.game, view["table"]["version"], view["undone"])
        if stands < self._stood:
            self.faults.append(f"the table stood at {self._stood} and now stands at {stands}")
        self._stood = stands
        return view

    def _answer(self, view: dict[str, Any], ask: dict[str, Any]) -> None:
        if ask["kind"] == "call":
            value = self._random.choice(ask["wins"])
            # The table writes the call itself, with its own source.
            self._send("/api/answer", {"seat": ask["seat"], "n": ask["n"], "value": value}, None)
            return
        phone = self._phone(ask["seat"])
        if ask["kind"] == "roll" and self._leaves_roll_to_camera(view, ask, phone):
            return
        mine = phone.get("/api/view", params={"seat": ask["seat"]}).raise_for_status().json()["table"]["asks"]
        own = next((one for one in mine if one["n"] == ask["n"]), None)
        if own is not None:
            sent = {"seat": ask["seat"], "n": ask["n"], "value": pick_answer(ask_of(own), self._random)}
            self._send("/api/answer", sent, sent, phone)

    def _phone(self, seat: Seat) -> httpx.Client:
        """Return the phone of a seat, which signs in on first use. The code changes with each game."""
        phone = self._seats[seat]
        if seat not in self._sat:
            code = self.operator.get("/api/phones").json()["code"]
            assert phone.post("/seat", data={"seat": seat, "code": code}).status_code == 303
            self._sat.add(seat)
        return phone

    def _leaves_roll_to_camera(self, view: dict[str, Any], ask: dict[str, Any], phone: httpx.Client) -> bool:
        """True while they leave this roll to the camera."""
        shown, (n, since) = view["proposal"], self._thrown
        place, now = (self._ledger.game, view["table"]["version"]), time.monotonic()
        if n != place:
            if self._throw is None or any(die["kind"] != "d6" for die in ask["dice"]) or self._random.random() > 0.3:
                return False
            self._thrown = (place, now)
            self._throw([die["colour"] or "white" for die in ask["dice"]])
        elif now - since > CAMERA_TIMEOUT_S:
            return False
        elif shown and shown["n"] == ask["n"] and self._random.random() < 0.05:
            what = self._random.choice(("hold", "reject"))
            self._send(f"/api/{what}", {"n": ask["n"]}, None, phone)
        elif shown and not shown["sure"]:
            return False
        return True

    def _correct(self) -> None:
        rolls = self.operator.get("/api/rolls", params={"limit": 5}).raise_for_status().json()
        if rolls:
            roll = self._random.choice(rolls)
            value = [self._random.choice(die["faces"]) for die in roll["dice"]]
            self._send("/api/amend", sent := {"n": roll["n"], "value": value}, {"amend": sent["n"], "value": value})

    def _begin(self) -> None:
        self.games += 1
        key = self._keys[self.games % len(self._keys)]
        try:
            self._send("/api/game", {"game": key, "decks": [], "house": {}}, None)
        finally:
            self._ledger.begin_game()

    def _send(self, path: str, sent: dict[str, Any], entry: Any, phone: httpx.Client | None = None) -> None:
        began = time.monotonic()
        try:
            answer = (phone or self.operator).post(path, json=sent)
        except httpx.TransportError:
            # It may or may not have been stored.
            if entry is not None:
                self._ledger.record(entry, sure=False)
            raise
        self.slowest = max(self.slowest, round(1000 * (time.monotonic() - began)))
        if answer.is_success:
            if entry is not None:
                self._ledger.record(entry)
                self.answers += 1
        elif answer.status_code == 503 and answer.json()["error"] == "disk":
            self.disk += 1
        elif answer.status_code not in (409, 422):
            self.faults.append(f"{path} {sent} was refused: {answer.status_code} {answer.text[:200]}")
