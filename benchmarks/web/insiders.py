"""Attacks by guests who know the code. `benchmarks.web.attackers` runs them with those of strangers.

Each method returns the step of one attack, as those of `Attackers` do. The phones do anything that a guest in the room
may do, such as handing a seat to the computer, but they answer no ask of the game.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http.client import HTTPException
from itertools import cycle, product
from pathlib import Path
from random import Random

from benchmarks.web.hostile_phone import HostilePhone

MAX_TEXT_LENGTH = 15_000
"""Length of an odd answer in characters. With the rest of the request, it is the maximum that a table accepts."""

DECK_INTERVAL_S = 3.0  # Seconds between two decks of strangers.
SEAT_CHANGE_INTERVAL_S = 12.0  # Seconds between two changes of seats. A warning must be shown for most of them.
INVITATION_INTERVAL_S = 10.0  # Seconds between two reads of the display.

ODD_TEXTS = (
    "'" + "/a" * (MAX_TEXT_LENGTH // 2),
    "'" + "/" * MAX_TEXT_LENGTH,
    "/a " * (MAX_TEXT_LENGTH // 3),
    " " * MAX_TEXT_LENGTH,
    "9" * MAX_TEXT_LENGTH,
    "e\u0301" * 2000,
)
ODD_BODIES = (
    *(f'"value": {json.dumps(text)}' for text in ODD_TEXTS),
    *(f'"value": 1, {json.dumps(text)}: 1' for text in ODD_TEXTS),
    *(
        f'"value": {odd}'
        for odd in ("[" * MAX_TEXT_LENGTH, "[" * 900 + "]" * 900, "9" * MAX_TEXT_LENGTH, "1e999", "NaN")
    ),
    '"value": "' + r"\ud800" * 2000 + '"',
)
"""JSON bodies without the seat and the number of its ask."""

ODD_PATHS = ("/api/answer", "/api/seat/correction", "/api/seat/standing", "/api/seat/manager", "/api/hold", "/api/pace")

CARDS = "".join(
    f'[[player]]\nteam = "red"\nnumber = {i}\nname = "P"\n"{chr(39) * (i == 1)}{"/a" * 2000}" = 1\n'
    for i in range(1, 31)
)
STRANGERS_DECK = f'[deck]\ngame = "small-ball"\ntitle = "A stranger\'s"\n{CARDS}'

ODD_HEADERS = (
    {"Content-Length": "٣".encode().decode("latin-1")},
    {"Content-Length": "²"},
    {"Host": "[::"},
    {"Cookie": "dugout=" + "." * 8000},
    {"Cookie": "a=b; " * 1500},
    {"Range": "bytes=" + ",".join(f"{i}-" for i in range(1500))},
    {"Accept-Encoding": "gzip;q=" + "9" * 5000},
    {"If-None-Match": '"' * 8000},
    {"X-Forwarded-For": "٣".encode().decode("latin-1") * 500},
    {"User-Agent": "'" + "/a" * 4000},
    {"Origin": "'" + "/" * 8000},
    {"Content-Type": "multipart/form-data; boundary=" + "-" * 4000},
)


class Insiders:
    """Attacks of guests who know the code of the table at `port`, whose journal is in `folder`.

    errors: replies that a table must never give.
    hops: monotonic times in seconds at which a phone changed its seat.
    came_back: number of noted invitations that still worked after the sign-out.
    """

    def __init__(self, port: int, folder: Path, errors: list[str]) -> None:
        self._port, self._folder, self._errors = port, folder, errors
        self.hops: list[float] = []
        self.came_back = 0

    def attacks(self) -> tuple[Callable[[Random], Callable[[], None]], ...]:
        return (
            self.odd_answers,
            self.decks_of_strangers,
            self.switches,
            self.questions_to_the_coach,
            self.changes_of_seats,
            self.noted_invitations,
            self.right_codes,
            self.odd_headers,
        )

    def _sign_in_phones(self, first: int, *seats: str) -> list[HostilePhone]:
        """Return a phone for each of `seats`, signed in if possible. `first` is the first one's guest number."""
        phones = [HostilePhone(self._port, self._folder, first + i, seat, self._errors) for i, seat in enumerate(seats)]
        for phone in phones:
            with suppress(OSError, HTTPException, sqlite3.Error):
                phone.sign_in()
        return phones

    def odd_answers(self, _: Random) -> Callable[[], None]:
        """Send answers that no game has, of the maximum length, four at a time."""
        phones, bodies = (
            self._sign_in_phones(400, "home", "away", "home", "away"),
            cycle(product(ODD_BODIES, ODD_PATHS)),
        )

        def give(phone: HostilePhone) -> None:
            body, path = next(bodies)
            if phone.sign_in():
                n = next(iter(phone.open_ask_numbers()), 0)
                phone.post(path, f'{{"seat": "{phone.seat}", "n": {n}, {body}}}'.encode())

        return lambda: _at_once(give, phones)

    def decks_of_strangers(self, _: Random) -> Callable[[], None]:
        """Import a deck that a stranger sent to the operator."""
        (phone,), due = self._sign_in_phones(410, ""), 0.0

        def step() -> None:
            nonlocal due
            if time.monotonic() >= due and phone.sign_in():
                due = time.monotonic() + DECK_INTERVAL_S
                phone.post("/api/decks/import", {"text": STRANGERS_DECK})

        return step

    def switches(self, random: Random) -> Callable[[], None]:
        phones = cycle(self._sign_in_phones(420, *["home"] * 4))

        def step() -> None:
            phone = next(phones)
            if not phone.sign_in():
                return
            for _ in range(5):
                phone.post("/api/pace", {"pace": random.choice(("normal", "brisk", "instant"))})
                phone.post("/api/seat/coach", {"seat": "home", "on": random.random() < 0.7})
                phone.submit("/seat/pace", pace="brisk")
                phone.submit("/seat/coach", on="true")
            phone.post("/api/seat/manager", {"seat": "home", "strength": random.choice((None, None, "rookie"))})
            if phone.send("GET", "/api/view?seat=home") != 200:
                return
            for topic in json.loads(phone.body)["standing"].get("home", {"topics": []})["topics"]:
                when = random.choice(("always", "never"))
                phone.post("/api/seat/standing", {"seat": "home", "topic": topic["key"], "when": when})

        return step

    def questions_to_the_coach(self, _: Random) -> Callable[[], None]:
        """Allow the coach on both sides, and ask it from four addresses at once."""
        phones = self._sign_in_phones(430, "home", "home", "away", "away")

        def ask(phone: HostilePhone) -> None:
            if not phone.sign_in():
                return
            phone.post("/api/seat/coach", {"seat": phone.seat, "on": True})
            for n in phone.open_ask_numbers() or [0]:
                for _ in range(3):
                    phone.post("/api/seat/advice", {"seat": phone.seat, "n": n})

        return lambda: _at_once(ask, phones)

    def changes_of_seats(self, _: Random) -> Callable[[], None]:
        """Change to the other seat, and displace the warning by notices."""
        (phone,), due, on = self._sign_in_phones(440, "away"), time.monotonic(), False

        def step() -> None:
            nonlocal due, on
            if time.monotonic() >= due:
                if not phone.sign_in("home" if phone.seat == "away" else "away"):
                    return
                self.hops.append(time.monotonic())
                due = time.monotonic() + SEAT_CHANGE_INTERVAL_S
            on = not on
            phone.post("/api/seat/coach", {"seat": phone.seat, "on": on})

        return step

    def noted_invitations(self, _: Random) -> Callable[[], None]:
        """Note the invitation on the display, get signed out, and use it to return."""
        (phone,), due = self._sign_in_phones(450, ""), 0.0

        def step() -> None:
            nonlocal due
            if time.monotonic() < due or not phone.sign_in() or phone.send("GET", "/display.png") != 200:
                return
            due = time.monotonic() + INVITATION_INTERVAL_S
            noted = _invitation(phone.body)
            if noted and phone.send("GET", "/api/phones") == 200:
                mine = next((one["id"] for one in json.loads(phone.body)["phones"] if one["own"]), None)
                if mine and phone.post("/api/sign-out", {"id": mine}) == 200:
                    phone.clear_pass()
                    self.came_back += phone.submit("/in", who="operator", invitation=noted) == 303

        return step

    def right_codes(self, random: Random) -> Callable[[], None]:
        """Sign in repeatedly with the right code, as new phones and as one that is signed in."""
        (old,) = self._sign_in_phones(460, "home")

        def step() -> None:
            guest = 461 + random.randrange(200)
            new = HostilePhone(self._port, self._folder, guest, random.choice(("home", "away", "")), self._errors)
            new.sign_in()
            old.sign_in(again=True)

        return step

    def odd_headers(self, random: Random) -> Callable[[], None]:
        """Send headers and addresses with digits of other scripts, and headers of the maximum length."""
        (phone,) = self._sign_in_phones(670, "home")
        digit = "%D9%A3"
        paths = (
            *(f"/evidence/{digit}-10{ending}" for ending in (".webp", ".jpg", ".gif", "")),
            *(f"/games/{digit}{ending}" for ending in ("", ".jsonl", ".svg", "/share.png")),
            *(f"/api/rolls?before={digit}", f"/games?page={digit}", f"/portrait.svg?name={digit}", "/stream?seat=%00"),
        )

        def step() -> None:
            if phone.sign_in():
                phone.send("GET", random.choice(paths))
                phone.send("GET", "/static/js/live.js", headers=random.choice(ODD_HEADERS))
                phone.send("POST", "/api/answer", b"{}", random.choice(ODD_HEADERS))

        return step


def _at_once(do: Callable[[HostilePhone], None], phones: Sequence[HostilePhone]) -> None:
    """Call `do` for all phones at once. Raises the first phone's exception."""
    with ThreadPoolExecutor(len(phones)) as threads:
        for _ in threads.map(do, phones):
            pass


def _invitation(picture: bytes) -> str:
    """Return the invitation in the QR code of the display's picture, or ""."""
    import cv2
    import numpy as np

    shown = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_GRAYSCALE)
    if shown is None:
        return ""
    large = cv2.resize(shown, None, fx=4, fy=4, interpolation=cv2.INTER_NEAREST)
    text, _, _ = cv2.QRCodeDetector().detectAndDecode(cv2.copyMakeBorder(large, 40, 40, 40, 40, cv2.BORDER_CONSTANT))
    return text.partition("/in#")[2]
