"""A table without a machine: a real engine behind the port, and a record of what the web asked of it."""

from __future__ import annotations

import base64
import shutil
import tempfile
import threading
import weakref
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from device.storage.decks import DeckLibrary, house_deck
from device.storage.game_list import checked_name
from device.table import play_log
from device.table.past_games import steps, where
from engine.cards import Deck
from engine.errors import IllegalAnswer, StaleAnswer
from engine.game import Game
from engine.games import GAMES
from engine.journal import Undo
from engine.seats import Seat
from engine.secrets import view
from engine.table import Table

CODE = "4711"
DOT = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==")


class FakeDoctor:
    """Finds one of each."""

    def figures(self) -> dict[str, Any]:
        """One press."""
        return {
            "demo": True,
            "health": [{"part": "camera", "ok": True, "words": "Works."}],
            "display": 0.024,
            "camera": {"fps": 10.0, "locks": None},
            "journal": {"mode": "wal", "sync": "full", "trouble": None},
            "unsafe": None,
            "port": 8000,
            "given": False,
            "presses": [{"n": 1, "event": "away-ok", "ago": 0.5}],
        }

    def findings(self) -> list[dict[str, str]]:
        """As on a machine that wants a look."""
        return [
            {"name": "power", "verdict": "wrong", "seen": "The voltage is <b>too low</b>.", "todo": "Take its supply."},
            {"name": "network", "verdict": "look", "seen": "Avahi does not run.", "todo": "Start it."},
            {"name": "disk", "verdict": "ok", "seen": "12.4 GiB are free.", "todo": ""},
        ]

    def bundle(self) -> bytes:
        """No ZIP at all."""
        return b"a bundle"


class FakePort:
    """One table in memory. `acts` records presses and simulations; `demo` may be switched."""

    def __init__(self, game: Game | None = None, decks: Sequence[Deck] | None = None, demo: bool = True) -> None:
        game = game or GAMES["small-ball"]
        self.table = Table(game, [house_deck(game)] if decks is None else decks)
        self.demo = demo
        self.acts: list[tuple[str, ...]] = []
        self.names, self.shelf = dict[int, str](), list[dict[str, Any]]()
        self.proposal: dict[str, Any] | None = None
        self.missing = ["No camera: type the dice on a phone or with the buttons."]
        self.notice: str | None = None
        self.lit = 0.0
        self.race: dict[str, Any] | None = None
        self.layout: dict[str, Any] | None = None
        self.picture: bytes | None = None
        self.doctor = FakeDoctor()
        self.proofs: dict[int, str] = {}
        self.trouble: str | None = None
        self.code = CODE
        self.epochs: dict[Seat, int] = {"away": 0, "home": 0}
        self._library: DeckLibrary | None = None
        self.version = 0
        self.looks = 0
        self._lock = threading.RLock()
        self._followers: list[Callable[[], None]] = []

    @property
    def library(self) -> DeckLibrary:
        """The real one, in a folder of this table's own that goes with it."""
        if self._library is None:
            folder = tempfile.mkdtemp()
            weakref.finalize(self, shutil.rmtree, folder)
            self._library = DeckLibrary(Path(folder))
        return self._library

    def touch(self) -> None:
        """Something changed."""
        with self._lock:
            self.version += 1
        for changed in list(self._followers):
            changed()

    def view(self, seat: Seat | None) -> dict[str, Any]:
        """The small view."""
        with self._lock:
            self.looks += 1
            lines = self.plays()
            now = (lines[-1]["inning"], lines[-1]["half"]) if lines else None
            return {
                "version": self.version,
                "game": {"key": self.table.game.key, "title": self.table.game.title},
                "table": self.table.view(seat),
                "undone": sum(isinstance(entry, Undo) for entry in self.table.journal),
                "plays": [line for line in lines if (line["inning"], line["half"]) == now],
                "proposal": self.proposal,
                "watching": {"state": "empty", "words": "The tray is empty."},
                "notice": self.notice,
                "missing": list(self.missing),
                "dial": None,
                "race": self.race,
                "layout": self.layout,
            }

    def plays(self) -> list[dict[str, Any]]:
        """The play log."""
        with self._lock:
            return [{**view(line, None), "evidence": self.proofs.get(line.n)} for line in self.table.lines()]

    def evidence(self, name: str) -> bytes | None:
        """The picture of a roll."""
        return self.picture if name in self.proofs.values() else None

    def rolls(self, most: int | None = None) -> list[dict[str, Any]]:
        """Rolls that stand."""
        with self._lock:
            return play_log.rolls(self.table, self.proofs, most=most)

    def answers(self) -> list[dict[str, Any]]:
        """What was answered."""
        with self._lock:
            return play_log.answers(self.table)

    def answer(self, seat: Seat, n: int, value: Any, source: str) -> None:
        """Answer an ask."""
        with self._lock:
            self.table.answer(seat, n, value)
            self.proposal = None
        self.touch()

    def call(self, seat: Seat, n: int, source: str) -> None:
        """Recorded, where the ask is open."""
        with self._lock:
            if all(n != one for one, _ in self.table.asks()):
                raise StaleAnswer("No race is on.")
        self.acts.append(("call", seat, str(n), source))

    def tell(self, words: str) -> None:
        """Show a sentence."""
        self.acts.append(("tell", words))

    def reject(self, n: int) -> None:
        """Drop a shown roll."""
        if self.proposal is None or self.proposal["n"] != n:
            raise StaleAnswer("That roll is not shown any more.")
        self.proposal = None
        self.touch()

    def hold(self, n: int) -> None:
        """A shown roll waits."""
        if self.proposal is None or self.proposal["n"] != n:
            raise StaleAnswer("That roll is not shown any more.")
        self.proposal |= {"seconds": None}
        self.touch()

    def undoing(self, n: int) -> dict[str, Any]:
        """What taking back would change."""
        with self._lock:
            return play_log.undoing(self.table, n)

    def undo(self, n: int | None, version: int | None = None) -> None:
        """Take back."""
        with self._lock:
            self._still(version)
            if not self.table.answers:
                raise StaleAnswer("There is nothing to take back.")
            self.table.undo(self.table.answers[-1].n if n is None else n)
        self.touch()

    def amend(self, n: int, value: Any, version: int | None = None) -> None:
        """Correct."""
        with self._lock:
            self._still(version)
            self.table.amend(n, value)
        self.touch()

    def _still(self, version: int | None) -> None:
        if version not in (None, len(self.table.journal)):
            raise StaleAnswer("The game went on: look again.")

    def preview(self, n: int, value: Any) -> dict[str, Any]:
        """What `amend` would change."""
        with self._lock:
            return play_log.preview(self.table, n, value)

    def catalogue(self) -> dict[str, Any]:
        """Every game with its house deck and those typed in."""
        return {
            "games": [
                {
                    "key": game.key,
                    "title": game.title,
                    "house_rules": [rule.look for rule in game.house_rules],
                    "decks": [
                        {"name": "house", "title": house_deck(game).title, "house": {}, "lacks": []},
                        *self.library.offered(game.key),
                    ],
                }
                for game in GAMES.values()
            ]
        }

    def new_game(self, game: str, decks: list[str], house: dict[str, str]) -> None:
        """A new game."""
        with self._lock:
            self.table = Table(GAMES[game], self.library.load(GAMES[game], decks), house)
        self.touch()

    def past(self, number: int) -> dict[str, Any] | None:
        """The game on the table, number 1, as it would be read from a store; unless there is `trouble`."""
        seen = self.view(None)
        board, outcome = seen["table"]["scoreboard"], seen["table"]["outcome"]
        return (
            {
                "id": 1,
                "game": seen["game"],
                "started": "2026-04-01T19:05:00+00:00",
                "now": not outcome,
                "note": None,
                "sides": board["sides"],
                "outcome": outcome,
                "plays": self.table.log.read().plays,
                "name": self.names.get(1, ""),
                "played": "2026-04-02T21:30:00+00:00",
                "aside": False,
                "stands": where(board),
                "alone": len(board["plays"]) == 1,
                "trouble": self.trouble,
                "table": None if self.trouble else seen["table"],
                "log": [] if self.trouble else self.plays(),
            }
            if number == 1
            else None
        )

    def games(self, page: int) -> dict[str, Any]:
        """Three pages, each with that game."""
        return {"games": [self.past(1)], "page": page, "pages": 3}

    def aside(self) -> list[dict[str, Any]]:
        """Games 2 and 3, as a test put them there."""
        return self.shelf

    def take(self, number: int) -> bool:
        """Recorded; game 3 is over."""
        if number == 3:
            raise IllegalAnswer("That game is over.")
        self.acts.append(("take", str(number)))
        return number == 2

    def name(self, number: int, name: str) -> bool:
        """Kept, for game 1 alone."""
        if number == 1:
            self.names[1] = checked_name(name)
        return number == 1

    def replay(self, number: int) -> list[dict[str, Any]] | None:
        """Its steps."""
        return None if number > 1 or self.trouble else steps(self.table, self.proofs)

    def journal(self, number: int) -> dict[str, Any] | None:
        """Its journal, as anyone may read it."""
        if number > 1 or self.trouble:
            return None
        return {"header": self.table.header.as_json(), "entries": self.table.entries(None)}

    def role(self, code: str) -> str | None:
        """The one code."""
        return "operator" if code == self.code else None

    def epoch(self, seat: Seat) -> int:
        """How often the seat was freed."""
        return self.epochs[seat]

    def free(self, seat: Seat) -> None:
        """Its passes are no longer good, and the code is the next number."""
        self.epochs[seat] += 1
        self.code = str(int(self.code) + 1)
        self.acts.append(("free", seat))

    def shutdown(self) -> None:
        """Recorded."""
        self.acts.append(("shutdown",))

    def secret_key(self) -> bytes:
        """A key for tests."""
        return b"a key for tests only"

    def age(self) -> float:
        """As a test has it."""
        return self.lit

    def join(self) -> dict[str, Any]:
        """Where phones go."""
        return {"url": "http://dugout.local:8000/", "name": "dugout"}

    def camera_jpeg(self) -> bytes | None:
        """No camera unless one was given."""
        return self.picture

    def board_jpeg(self) -> bytes | None:
        """As the camera's."""
        return self.picture

    def glass_png(self) -> bytes | None:
        """One dot."""
        return DOT

    def press(self, button: str, action: str) -> None:
        """Recorded."""
        self.acts.append((button, action))

    def simulate(self, what: str) -> None:
        """Recorded."""
        self.acts.append((what,))

    def calibrate(self, step: str) -> dict[str, Any]:
        """Recorded; the outline passes and the light does not."""
        self.acts.append(("calibrate", step))
        checks = [
            {"name": "outline", "ok": True, "words": "It fills 63% of the picture."},
            {"name": "light", "ok": False, "words": "It is too dark: turn on a lamp."},
        ]
        return {"step": step, "ok": False, "checks": checks}

    def health(self) -> list[dict[str, Any]]:
        """A camera that is away."""
        return [
            {"part": "journal", "ok": True, "words": "Every play is on the card."},
            {"part": "camera", "ok": False, "words": "No camera is plugged in."},
        ]

    def subscribe(self, changed: Callable[[], None]) -> Callable[[], None]:
        """Follow."""
        self._followers.append(changed)
        return lambda: self._followers.remove(changed)
