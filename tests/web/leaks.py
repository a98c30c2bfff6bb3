"""Every page that somebody else may look at, and a table that leaks on all of them."""

from __future__ import annotations

from typing import Any

from engine.seats import Seat, other
from tests.web.fake_table import FakePort
from tests.web.phones import phone
from web.app import create_app

PAST = ("/games", "/games/1", "/games/1.svg", "/games/1.jsonl", "/api/games/1/replay")
SIGHTS = [("spectator", path) for path in ("/", "/overlay", "/plays", *PAST)] + [("operator", "/table")]
"""Who sees which page, besides the seats."""


def sights(made: FakePort, chooser: Seat) -> dict[str, str]:
    """Every page but the chooser's own, as it is read."""
    found = {}
    for who, path in (*SIGHTS, (other(chooser), "/seat")):
        with phone(create_app(made), who) as client:
            found[f"{who} {path}"] = client.get(path).text
    return found


class Leaky(FakePort):
    """Tells all what was answered last, secret or not."""

    def view(self, seat: Seat | None) -> dict[str, Any]:
        """What nobody may know, as the name of a team."""
        seen = super().view(seat)
        seen["table"]["scoreboard"]["sides"]["home"]["name"] = self._known()
        return seen

    def plays(self) -> list[dict[str, Any]]:
        """The play log with a line too many."""
        line = {"n": 0, "code": "leak", "game": 1, "inning": 9, "half": "bottom", "seat": None, "scored": 0}
        return [*super().plays(), line | {"evidence": None, "sentence": self._known()}]

    def replay(self, number: int) -> list[dict[str, Any]] | None:
        """One moment, with the line too many."""
        return [{"scoreboard": self.view(None)["table"]["scoreboard"], "outcome": None, "lines": self.plays()}]

    def journal(self, number: int) -> dict[str, Any] | None:
        """The answer as it was given."""
        return {"header": {}, "entries": [self._known()]}

    def _known(self) -> str:
        return str(self.table.answers[-1].value)
