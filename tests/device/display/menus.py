"""Menus with what a table gives them, as far as a test cares."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from device.display import screens_64
from device.display.menu import FixtureMenu, Menu
from device.service.join_screen import JoinScreen
from device.shapes import GameSummary
from device.table.game_choice import GameChoice
from device.table.session import GameSession
from engine.seats import Seat

JOIN = ("http://dugout.local:8000/", "10.0.0.7:8000", "123456")
SCAN = ("http://dugout.local:8000/in#", "10.0.0.7:8000", "A" * 16)


@dataclass
class Joining:
    """What lets phones in."""

    shown: tuple[str, str, str] = JOIN
    invites: Callable[[], tuple[str, str, str]] = lambda: SCAN
    lasts: Callable[[], float] = lambda: math.inf
    has_no_buttons: bool = False

    def code_info(self) -> tuple[str, str, str]:
        return self.shown

    def invitation_info(self) -> tuple[str, str, str]:
        return self.invites()

    def seconds_left(self, scan: bool) -> float:
        return self.lasts() if scan else math.inf


@dataclass
class Games:
    """The choice of the game; `called` notes what was chosen."""

    called: list[str] = field(default_factory=list)
    kept: Callable[[], Sequence[GameSummary]] = list
    takes: Callable[[int], bool] = lambda number: False

    def begin_rematch(self, managers: Mapping[Seat, str] | None = None, game_pace: str = "", **house: str) -> None:
        self.called.append(" ".join(["again", *filter(None, [game_pace]), *house.values()]))

    def begin_game(
        self,
        game: str,
        decks: list[str],
        house: Mapping[str, str],
        names: Mapping[Seat, str] | None = None,
        managers: Mapping[Seat, str] | None = None,
        game_pace: str = "",
    ) -> None:
        self.called.append(" ".join([game, *filter(None, [game_pace]), *house.values(), *(managers or {}).values()]))

    def paused_games(self) -> Sequence[GameSummary]:
        return self.kept()

    def resume_game(self, number: int) -> bool:
        return self.takes(number)

    def can_be_managed(self, game: str, house: Mapping[str, str]) -> bool:
        return False


def menu(
    session: GameSession,
    joining: Joining | None = None,
    games: Games | None = None,
    draw: Any = screens_64,
    leagues: FixtureMenu | None = None,
) -> Menu:
    """Return the menu of a session; `games.called` also notes that it slept, or was shut down."""
    chosen, invites = games or Games(), joining or Joining()
    ends = (lambda: chosen.called.append("sleep")), (lambda: chosen.called.append("shutdown"))
    return Menu(session, cast("JoinScreen", invites), cast("GameChoice", chosen), *ends, draw=draw, leagues=leagues)
