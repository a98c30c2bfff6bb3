"""Decks on disk: the house-made ones that ship, and an owner's own files."""

from __future__ import annotations

import os
import re
import shutil
import threading
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from importlib import resources
from itertools import islice
from pathlib import Path
from typing import Any

from device.storage import atomic_file, deck_editor
from device.storage.deck_editor import LARGEST, DeckText
from engine.cards import Deck, cards_of, parse
from engine.errors import DeckError, Fault, StaleAnswer
from engine.game import Game
from engine.games import GAMES

HOUSE = "house"
"""What the deck that ships with a game is called."""

MOST = 200
"""Decks an owner may have."""

LONGEST = 40
"""Letters of the name of a file that is made here."""

Stamp = tuple[int, int, int]
"""By what a file is known to be the same: its inode, when it was written, and its size."""


def house_source(game: Game) -> str:
    """The text of the deck that ships with a game."""
    folder = resources.files(f"engine.games.{game.key.replace('-', '_')}")
    return folder.joinpath("house.toml").read_text("utf-8")


def house_deck(game: Game) -> Deck:
    """The deck that ships with a game."""
    return parse(house_source(game), "house.toml", game.key, game.shapes)


def load(game: Game, paths: Iterable[Path]) -> tuple[Deck, ...]:
    """The decks in these files, or the house deck where none is named. Raises DeckError naming the file."""
    decks = tuple(read(game, path) for path in paths)
    return decks or (house_deck(game),)


def notes(game: Game, decks: Iterable[Deck]) -> tuple[Fault, ...]:
    """What may be mistyped on the cards of these decks, though it can be played; each names its file."""
    return game.notes(cards_of(tuple(decks)))


def read(game: Game, path: Path) -> Deck:
    """The deck in one file, at most 256 kB. Raises DeckError naming the file."""
    return parse(source_of(path), path.name, game.key, game.shapes)


def source_of(path: Path) -> str:
    """The text of a file, its line ends those of Unix. Raises DeckError naming the file."""
    return _decoded(_raw(path), path)


def _raw(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            raw = file.read(LARGEST + 1)
    except OSError as error:
        raise DeckError(Fault(str(path), "", "", f"cannot be read: {error.strerror}.")) from None
    if len(raw) > LARGEST:
        raise DeckError(Fault(str(path), "", "", f"is larger than {LARGEST // 1024} kB."))
    return raw


def _decoded(raw: bytes, path: Path) -> str:
    try:
        return unix(raw.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise DeckError(Fault(str(path), "", "", "is not UTF-8 text.")) from None


def unix(text: str) -> str:
    """A text with the line ends of Unix."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


class DeckLibrary:
    """What can be played with: the decks that ship, and the owner's, the files `*.toml` in one folder.

    An owner's deck is called as its file is, without `.toml`; a name is only ever looked up among the files that are
    there, and a link is none of them. They may have been put there by hand, and be changed by hand meanwhile. May be
    called from any thread; only one writes at a time. `named` are the files that the settings begin a game with: they
    are not removed.
    """

    def __init__(self, folder: Path, named: Collection[str] = ()) -> None:
        self._folder, self._named = folder, named
        self._lock = threading.Lock()
        self._known: dict[Path, tuple[Stamp, tuple[str, dict[str, Any]] | None]] = {}
        self._last: tuple[Path, Stamp, dict[str, Any]] | None = None

    # Reading -----------------------------------------------------------------------------------------------------

    def decks(self) -> list[dict[str, Any]]:
        """Every game's decks, the house deck first, as `web.port.Port.decks` has them; without files no game reads."""
        files = self._files()
        own = [found for name, path in files.items() if (found := self._about(name, path)) is not None]
        for gone in self._known.keys() - set(files.values()):
            self._known.pop(gone, None)
        return [
            {
                "game": game.key,
                "title": game.title,
                "decks": [_house(game.key), *(about for key, about in own if key == game.key)],
            }
            for game in GAMES.values()
        ]

    def deck(self, game: str, name: str) -> dict[str, Any] | None:
        """One deck, card by card: see `web.port.Port.deck`. What was looked at last is remembered while its file stays
        the same: a large one takes half a second to read."""
        if name == HOUSE:
            return _house_cards(game) if game in GAMES else None
        path = self._files().get(name)
        if path is None:
            return None
        try:
            stamp = _stamp(path)
        except OSError:
            return None
        last = self._last
        if last is None or last[:2] != (path, stamp):
            deck = self._draft(game, name)
            if deck is None:
                return None
            last = (path, stamp, _cards(name, deck))
            self._last = last
        return last[2] if last[2]["game"] == game else None

    def text(self, game: str, name: str) -> str | None:
        """The text of a deck; None where there is no such deck."""
        deck = self._draft(game, name)
        return deck.source if deck else None

    def games(self) -> list[dict[str, Any]]:
        """Every game, its house rules that leave a choice, and the owner's decks that it can be played with."""
        return [
            {
                "key": game.key,
                "title": game.title,
                "house_rules": [rule.look for rule in game.house_rules if len(rule.values) > 1],
                "decks": self.offered(game.key),
            }
            for game in GAMES.values()
        ]

    def offered(self, game: str) -> list[dict[str, Any]]:
        """The owner's decks for this game: {name, title, house, lacks}. What one lacks another may have."""
        return [
            {key: about[key] for key in ("name", "title", "house", "lacks")}
            for one in self.decks()
            for about in one["decks"]
            if one["game"] == game and about["own"]
        ]

    def load(self, game: Game, names: Iterable[str]) -> tuple[Deck, ...]:
        """These decks, or the house deck where none is named. Raises DeckError naming the deck by its title."""
        found = []
        for name in names:
            deck = self._draft(game.key, name)
            if deck is None:
                raise DeckError(Fault(name, "", "", "is not among the decks."))
            found.append(parse(deck.source, deck.title, game.key, game.shapes))
        return tuple(found) or (house_deck(game),)

    def _files(self) -> dict[str, Path]:
        """The owner's files by name. One that is called as the house deck is goes by another name."""
        found: dict[str, Path] = {}
        for path in self._listed():
            name = re.sub(r"(\.toml)+$", "", path.name)
            found["house (own)" if name == HOUSE else name] = path
        return found

    def _listed(self) -> Iterator[Path]:
        try:
            paths = sorted(self._folder.iterdir())
        except OSError:
            return
        named = (path for path in paths if path.name.endswith(".toml") and path.name.isprintable())
        yield from islice((path for path in named if path.is_file() and not path.is_symlink()), MOST)

    def _about(self, name: str, path: Path) -> tuple[str, dict[str, Any]] | None:
        """The game of a file and what the list says of it, as long as the file stays the same."""
        try:
            stamp = _stamp(path)
            known = self._known.get(path)
            if known is None or known[0] != stamp:
                deck = deck_editor.draft(source_of(path), path.name)
                known = (stamp, (deck.game.key, _listing(name, deck)))
        except OSError:
            return None
        except DeckError:
            known = (stamp, None)
        self._known[path] = known
        return known[1]

    def _draft(self, game: str, name: str) -> DeckText | None:
        if game not in GAMES:
            return None
        if name == HOUSE:
            return deck_editor.draft(house_source(GAMES[game]), "house.toml")
        path = self._files().get(name)
        try:
            deck = deck_editor.draft(source_of(path), path.name) if path else None
        except DeckError:
            return None
        return deck if deck and deck.game.key == game else None

    # Writing -----------------------------------------------------------------------------------------------------

    def new(self, game: str, title: str, copy: str | None) -> str:
        """Make a deck, empty or as another; gives its name. Raises DeckError, StaleAnswer, OSError."""
        if game not in GAMES:
            raise DeckError(Fault("", "deck", "game", f"names no game; there are {', '.join(GAMES)}."))
        with self._lock:
            if copy is None:
                return self._add(deck_editor.empty(GAMES[game], title), title)
            deck = self._open(game, copy)
            text = deck_editor.titled(deck, title)
            # What the house deck says of itself before its first table would not be true of the copy.
            return self._add(text[text.index("[deck]") :] if copy == HOUSE else text, title)

    def take(self, text: str, title: str | None) -> tuple[str, str]:
        """Keep the text of a deck from elsewhere, maybe under another title; gives game and name.

        Raises DeckError with every fault, and then nothing is kept; OSError.
        """
        deck = deck_editor.checked(unix(text.removeprefix("\ufeff")), "")
        with self._lock:
            source = deck.source if title is None else deck_editor.titled(deck, title)
            return deck.game.key, self._add(source, deck.title if title is None else title)

    def write(
        self, game: str, name: str, kind: str, place: int | None, fields: dict[str, Any], seen: str | None
    ) -> int:
        """Write one card, see `scribe.with_card`; gives its place. Raises DeckError, StaleAnswer, OSError."""
        with self._lock:
            path, deck = self._own(game, name)
            self._put(path, deck, deck_editor.with_card(deck, kind, place, fields, seen))
            return len(deck.of(kind)) + 1 if place is None else place

    def remove_card(self, game: str, name: str, kind: str, place: int, seen: str | None) -> None:
        """Take one card out. Raises DeckError, StaleAnswer, OSError."""
        with self._lock:
            path, deck = self._own(game, name)
            self._put(path, deck, deck_editor.without_card(deck, kind, place, seen))

    def rename(self, game: str, name: str, title: str) -> None:
        """Give a deck another title; its file keeps its name. Raises DeckError, StaleAnswer, OSError."""
        with self._lock:
            path, deck = self._own(game, name)
            self._put(path, deck, deck_editor.titled(deck, title))

    def remove(self, game: str, name: str) -> None:
        """Delete a deck. Games that were begun with it have its text. Raises DeckError, StaleAnswer, OSError."""
        with self._lock:
            path, deck = self._own(game, name)
            if path.name in self._named:
                raise DeckError(Fault(deck.title, "", "", "is what the settings begin games with: change those first."))
            path.unlink(missing_ok=True)
            atomic_file.sync(self._folder)

    def _open(self, game: str, name: str) -> DeckText:
        deck = self._draft(game, name)
        if deck is None:
            raise StaleAnswer("There is no such deck any more: load the decks again.")
        return deck

    def _own(self, game: str, name: str) -> tuple[Path, DeckText]:
        if name == HOUSE:
            raise DeckError(Fault("house.toml", "", "", "ships with Dugout and stays as it is: change a copy of it."))
        deck = self._open(game, name)
        return self._folder / deck.file, deck

    def _add(self, source: str, title: str) -> str:
        atomic_file.make(self._folder)
        taken = {path.name.lower() for path in self._folder.iterdir()}
        if sum(name.endswith(".toml") for name in taken) >= MOST:
            raise DeckError(Fault("", "", "", f"there are {MOST} decks; remove one before you make another."))
        name = _free(slug(title), {HOUSE, *(name.removesuffix(".toml") for name in taken)})
        self._replace(self._folder / f"{name}.toml", source.encode())
        return name

    def _put(self, path: Path, deck: DeckText, text: str) -> None:
        """Write a changed text into its file, if that is still as it was read, with the line ends it had."""
        try:
            raw = _raw(path)
            same = _decoded(raw, path) == deck.source
        except DeckError:
            same = False
        if not same:
            raise StaleAnswer(f"{deck.file} was changed by another hand meanwhile: load the deck again.")
        if b"\r\n" in raw:
            text = text.replace("\n", "\r\n")
        self._replace(path, text.encode())

    def _replace(self, path: Path, data: bytes) -> None:
        """All of it or nothing, and durable on return."""
        part = self._folder / ".deck.part"
        part.unlink(missing_ok=True)
        try:
            with part.open("xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            if path.exists():
                shutil.copymode(path, part)
            os.replace(part, path)
        except OSError:
            part.unlink(missing_ok=True)
            raise
        atomic_file.sync(self._folder)


@cache
def _house(key: str) -> dict[str, Any]:
    return _listing(HOUSE, deck_editor.draft(house_source(GAMES[key]), "house.toml"))


@cache
def _house_cards(key: str) -> dict[str, Any]:
    return _cards(HOUSE, deck_editor.draft(house_source(GAMES[key]), "house.toml"))


def _cards(name: str, deck: DeckText) -> dict[str, Any]:
    shapes = deck.game.shapes
    return _told(name, deck) | {
        "notes": [{"card": one.card, "sentence": deck_editor.sentence(one)} for one in deck.notes()],
        "game": deck.game.key,
        "of": deck.game.title,
        "shapes": {kind: {field: one.look for field, one in shape.items()} for kind, shape in shapes.items()},
        "cards": [
            {
                "kind": kind,
                "place": place,
                "fields": deck_editor.plain(fields),
                "typed": {
                    field: deck_editor.written(value)
                    for field, value in fields.items()
                    if field in shapes[kind] and shapes[kind][field].form["is"] == "phrase"
                },
                "mark": deck_editor.mark(kind, fields),
            }
            for kind, place, fields in deck.cards()
        ],
    }


def _stamp(path: Path) -> Stamp:
    stat = path.stat()
    return stat.st_ino, stat.st_mtime_ns, stat.st_size


def _listing(name: str, deck: DeckText) -> dict[str, Any]:
    told = _told(name, deck)
    return told | {"cards": sum(1 for _ in deck.cards()), "playable": not told["lacks"]}


def _told(name: str, deck: DeckText) -> dict[str, Any]:
    lacks, house = deck.lacks()
    return {"name": name, "title": deck.title, "own": name != HOUSE, "lacks": lacks, "house": house}


def slug(title: str) -> str:
    """A title as the name of a file: [a-z0-9-], at most LONGEST letters."""
    ascii_only = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", ascii_only)[:LONGEST].strip("-") or "deck"


def _free(name: str, taken: set[str]) -> str:
    tries = (name, *(f"{name[: LONGEST - 4].rstrip('-')}-{n}" for n in range(2, MOST + 3)))
    return next(one for one in tries if one not in taken)
