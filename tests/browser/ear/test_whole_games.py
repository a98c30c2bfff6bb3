"""Whole games by ear: the players decide only from what their phones say, and press only keys."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

import pytest

from engine.seats import SEATS, Seat
from engine.table import Table
from tests.browser.conftest import Rooms
from tests.browser.ear.listener import Ear, Player, play
from tests.browser.room import Room, played, until


def seated(room: Room, seats: Sequence[Seat]) -> list[Player]:
    """Return players whose phones have said nothing until they were turned on."""
    ears = [Ear(room, seat) for seat in seats]
    assert [[]] * len(ears) == [ear.heard for ear in ears]
    for ear in ears:
        ear.turn_on()
    return [Player(ear, Random(3)) for ear in ears]


@pytest.mark.parametrize("key", ["small-ball", "bottom-of-the-9th"])
def test_a_whole_game_ends(rooms: Rooms, key: str) -> None:
    """From the first question to the last out, on two phones; both say how it ended, one thing at a time."""
    room = rooms(game=key)
    players = seated(room, SEATS)
    play(players, lambda: room.program.view()["table"]["outcome"])
    away, home = (side["runs"] for side in room.program.view()["table"]["scoreboard"]["sides"].values())
    for ear in (player.ear for player in players):
        until(ear.page, lambda ear=ear: any("Final: " in line for line in ear.heard))  # type: ignore[misc]
        (final,) = [line.partition("Final: ")[2] for line in ear.heard if "Final: " in line]
        assert {str(away), str(home)} <= set(re.findall(r"\d+", final))


def alone(room: Room) -> list[Seat]:
    return list(room.program.view()["table"]["scoreboard"]["plays"])


def at_the_end(table: Table) -> bool:
    """Return True in the last innings."""
    return table.scoreboard().inning >= 8


def after_the_draft(table: Table) -> bool:
    """Return True where a season's first game begins."""
    asks = table.asks()
    return bool(asks) and asks[0][1].why == "line-up"


@pytest.mark.parametrize(
    ("key", "house", "there", "answers"),
    [
        ("bottom-of-the-9th", {"solo": "houseBot"}, None, 30),
        ("rallybird", {}, None, 60),
        ("seventh-inning-stretch", {}, after_the_draft, 60),
        ("clutch", {}, at_the_end, 60),
    ],
)
def test_innings_of_each_game(rooms: Rooms, key: str, house: dict[str, str], there: object, answers: int) -> None:
    """With secrets, hands of cards, arrangements, pools of dice, dice thrown again, and one player alone."""
    table = played(key, there or (lambda table: True), house)  # type: ignore[arg-type]
    room = rooms(game=key, tables=[table])
    players = seated(room, alone(room))

    def done() -> bool:
        now = room.program.view()["table"]
        return now["version"] >= len(table.journal) + answers or bool(now["outcome"])

    play(players, done)
