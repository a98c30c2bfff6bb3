"""Decks on disk: the house-made ones that ship, and an owner's own files."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import resources
from pathlib import Path

from engine.cards import Deck, parse
from engine.errors import DeckError, Fault
from engine.play import Game


def house_deck(game: Game) -> Deck:
    """The deck that ships with a game."""
    folder = resources.files(f"engine.games.{game.key.replace('-', '_')}")
    return parse(folder.joinpath("house.toml").read_text("utf-8"), "house.toml", game.key, game.shapes)


def load(game: Game, paths: Iterable[Path]) -> tuple[Deck, ...]:
    """The decks in these files, or the house deck where none is named. Raises DeckError naming the file."""
    decks = tuple(read(game, path) for path in paths)
    return decks or (house_deck(game),)


def read(game: Game, path: Path) -> Deck:
    """The deck in one file, at most 1 MiB. Raises DeckError naming the file."""
    try:
        if path.stat().st_size > 1 << 20:
            raise DeckError(Fault(str(path), "", "", "is larger than 1 MiB."))
        source = path.read_text("utf-8-sig")
    except OSError as error:
        raise DeckError(Fault(str(path), "", "", f"cannot be read: {error.strerror}.")) from None
    except UnicodeDecodeError:
        raise DeckError(Fault(str(path), "", "", "is not UTF-8 text.")) from None
    return parse(source, path.name, game.key, game.shapes)
