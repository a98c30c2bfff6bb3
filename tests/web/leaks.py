"""Every page that somebody else may look at, and a table that leaks on all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from device.shapes import AbortCheck, GameJournal, GameRecord, GamesPage, PlaysPage, ReplayPart, ReplayStep, never_abort
from device.table.past_games import PastGames
from engine.seats import Seat, opposite_seat
from engine.views import AudienceView, PlayView
from tests.web.phones import WHO, cookie, phone
from tests.web.web_table import WebTable, with_
from web.app import create_app

PAST = ("/games", "/games/1", "/games/1/analysis", "/games/1.svg", "/games/1.jsonl", "/api/games/1/replay")
SIGHTS = [("spectator", path) for path in ("/", "/tv", "/overlay", "/plays", *PAST)] + [("operator", "/table")]
"""Who sees which page, besides the seats."""


def sights(made: WebTable, chooser: Seat) -> dict[str, str]:
    """Every page but the chooser's own, as text."""
    with phone(create_app(made.port)) as client:
        return {
            f"{who} {path}": client.get(path, headers={"Cookie": cookie(made.access, WHO[who])}).text
            for who, path in (*SIGHTS, (opposite_seat(chooser), "/seat"))
        }


def check_secrecy(pages: Sequence[Mapping[str, str]], leaky: bool = False) -> None:
    """Check that what was chosen changes no page; of a table that is `leaky`, that it changes every page."""
    first, *rest = pages
    for page in first:
        others = [one[page] for one in rest]
        assert first[page] not in others if leaky else [first[page]] * len(others) == others, page


class Leaky(WebTable):
    """Shows the last answer to everybody, secret or not."""

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self.past = LeakyGames(self)
        plays = self.record.plays_page

        def leaky(page: int = 1) -> PlaysPage:
            found, leak = plays(page), PlayView(0, "leak", 1, 9, "bottom", None, self.last, 0, None, False)
            return replace(found, plays=[*found.plays, leak])

        self.record.plays_page = leaky  # type: ignore[method-assign]

    def altered(self, view: AudienceView, seat: Seat | None) -> AudienceView:
        """Return the last answer as the name of a team."""
        sides = view.table.scoreboard.sides
        leaky: AudienceView = with_(
            view, table={"scoreboard": {"sides": {**sides, "home": replace(sides["home"], name=self.last)}}}
        )
        return leaky

    @property
    def last(self) -> str:
        """The last answer."""
        return str(self.game.table.answers[-1].value)


class LeakyGames(PastGames):
    """The stored games of such a table."""

    def __init__(self, table: Leaky) -> None:
        super().__init__(table.store.path, lambda: table.game.number, table.pictures.has_picture)
        self.table = table

    def games_page(self, page: int) -> GamesPage:
        found = self.game_record(1)
        return GamesPage([found.summary] if found else [], page, 1)

    def game_record(self, number: int, wanted: AbortCheck = never_abort) -> GameRecord | None:
        found = super().game_record(number)
        return found and replace(
            found, summary=replace(found.summary, name=self.table.last), table=self.table.game.view_for(None).table
        )

    def replay_part(self, number: int, first: int = 0, wanted: AbortCheck = never_abort) -> ReplayPart | None:
        return ReplayPart(
            [
                ReplayStep(
                    0, self.table.game.view_for(None).table.scoreboard, None, self.table.record.plays_page().plays
                )
            ],
            [],
            0,
            0,
            1,
        )

    def game_journal(self, number: int, wanted: AbortCheck = never_abort) -> GameJournal | None:
        told: Any = self.table.last
        return GameJournal(self.table.game.table.journal_header.as_json(), iter([[told]]))
