"""Every page that somebody else may look at, and a table that leaks on all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine.seats import Seat, other
from engine.views import PlayView, View
from tests.web.fake_table import FakePort, with_
from tests.web.phones import phone
from web.app import create_app
from web.models import GameJournal, PlaysPage, ReplayPart, ReplayStep
from web.port import Wanted, anyway

PAST = ("/games", "/games/1", "/games/1.svg", "/games/1.jsonl", "/api/games/1/replay")
SIGHTS = [("spectator", path) for path in ("/", "/tv", "/overlay", "/plays", *PAST)] + [("operator", "/table")]
"""Who sees which page, besides the seats."""


def sights(made: FakePort, chooser: Seat) -> dict[str, str]:
    """Every page but the chooser's own, as text."""
    found = {}
    for who, path in (*SIGHTS, (other(chooser), "/seat")):
        with phone(create_app(made.port), who) as client:
            found[f"{who} {path}"] = client.get(path).text
    return found


def check_secrecy(pages: Sequence[Mapping[str, str]], leaky: bool = False) -> None:
    """Check that what was chosen changes no page; of a table that is `leaky`, that it changes every page."""
    first, *rest = pages
    for page in first:
        others = [one[page] for one in rest]
        assert first[page] not in others if leaky else [first[page]] * len(others) == others, page


class Leaky(FakePort):
    """Shows the last answer to everybody, secret or not."""

    def view(self, seat: Seat | None) -> View:
        """Return the last answer as the name of a team."""
        seen = super().view(seat)
        sides = seen.table.scoreboard.sides
        named = {**sides, "home": replace(sides["home"], name=self._known())}
        leaky: View = with_(seen, table={"scoreboard": {"sides": named}})
        return leaky

    def plays(self, page: int = 1) -> PlaysPage:
        found = super().plays(page)
        return replace(
            found, plays=[*found.plays, PlayView(0, "leak", 1, 9, "bottom", None, self._known(), 0, None, False)]
        )

    def replay(self, number: int, first: int = 0, wanted: Wanted = anyway) -> ReplayPart | None:
        return ReplayPart([ReplayStep(0, self.view(None).table.scoreboard, None, self.plays().plays)], [], 0, 0, 1)

    def journal(self, number: int, wanted: Wanted = anyway) -> GameJournal | None:
        told: Any = self._known()
        return GameJournal(self.table.header.as_json(), iter([[told]]))

    def _known(self) -> str:
        return str(self.table.answers[-1].value)
