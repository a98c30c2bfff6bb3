"""Small leagues of each game, and decks with teams of their own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from device.storage.decks import house_deck_text
from engine.games import GAMES
from engine.league.league import Fixture, League, LeagueTeam

NAMES = ("Terns", "Gulls", "Plovers", "Stilts")

HOUSE: Mapping[str, Mapping[str, str]] = {"seventh-inning-stretch": {"mode": "duel"}, "small-ball": {"innings": "3"}}
"""House rules with which each game is one of two teams, and short."""

OPENER = Fixture(1, 1, "terns", "gulls", "2026-04-01")


def made_league(game: str = "small-ball", count: int = 2, **changes: Any) -> League:
    """A league of `count` teams that rookies play, without people."""
    teams = tuple(LeagueTeam(name.lower(), name, manager="rookie") for name in NAMES[:count])
    given: dict[str, Any] = {"teams": teams, "format": "round-robin", "house": HOUSE.get(game, {})} | changes
    return League(key="summer", title="Summer league", game=game, **given)


def store_deck(folder: Path, name: str, game: str, *changes: tuple[str, str]) -> None:
    """Store the house deck of a game as one of the owner's, with other texts."""
    text = house_deck_text(GAMES[game])
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.toml").write_text(text)
