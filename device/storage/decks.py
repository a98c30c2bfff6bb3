"""Decks on disk: the house decks that ship with Dugout, and the owner's own files."""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Callable, Collection, Iterable
from functools import cache
from importlib import resources
from itertools import islice
from pathlib import Path
from typing import Generic, TypeVar

from device import named_file
from device.shapes import (
    CardView,
    DeckList,
    DeckNote,
    DeckSummary,
    DeckView,
    Fields,
    HouseRuleView,
    OfferedDeck,
    PlayableGame,
)
from device.storage import atomic_file, deck_editor
from device.storage.deck_editor import CARDS, LARGEST, DeckText
from engine.cards import Deck, cards_of, parse
from engine.errors import DeckError, Fault, StaleAnswer
from engine.game import Game
from engine.games import GAMES
from engine.text import visible_text
from managers.manager import has_manager

HOUSE, OWN_HOUSE = "house", "house (own)"
"""The names of the deck that ships with a game, and of an owner's file that has its name."""

MOST = 200
"""Decks that an owner may have."""

LISTED = 20
"""Faults of a deck that are listed with it; its own page has more."""

LONGEST = 40
"""Letters in the name of a file that is made here."""

Stamp = tuple[int, int, int]
"""What identifies a file's content: its inode, when it was written, and its size."""

T = TypeVar("T")


def _house_file(game: Game) -> Path:
    return Path(str(resources.files(f"engine.games.{game.key.replace('-', '_')}")), "house.toml")


def house_source(game: Game) -> str:
    """Return the text of the deck that ships with a game."""
    return source_of(_house_file(game))


def house_deck(game: Game) -> Deck:
    """Return the deck that ships with a game. It never changes while the program runs, so it is read once."""
    return _house_deck(game.key)


@cache
def _house_deck(key: str) -> Deck:
    return read(GAMES[key], _house_file(GAMES[key]))


def load(game: Game, paths: Iterable[Path]) -> tuple[Deck, ...]:
    """Return the decks in these files, or the house deck if there are none. Raises DeckError naming the file."""
    return tuple(read(game, path) for path in paths) or (house_deck(game),)


def notes(game: Game, decks: Iterable[Deck]) -> tuple[Fault, ...]:
    """Return what may be mistyped on the cards of these decks, though it can be played; each names its file."""
    return game.notes(cards_of(tuple(decks)))


def read(game: Game, path: Path) -> Deck:
    """Return the deck in one file of at most 256 kB. Raises DeckError naming the file."""
    return parse(source_of(path), path.name, game.key, game.shapes)


def source_of(path: Path) -> str:
    """Return the text of a file, with Unix line ends. Raises DeckError naming the file."""
    return _decoded(_raw(path), path)


def _raw(path: Path) -> bytes:
    try:
        return named_file.read(path, LARGEST)
    except OSError as error:
        raise DeckError(Fault(str(path), "", "", f"cannot be read: {error.strerror}.")) from None


def _decoded(raw: bytes, path: Path) -> str:
    try:
        return unix(raw.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise DeckError(Fault(str(path), "", "", "is not UTF-8 text.")) from None


def unix(text: str) -> str:
    """Return a text with Unix line ends."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


class DeckLibrary:
    """The decks that can be played: the house decks, and the owner's, the files `*.toml` in one folder.

    The name of an owner's deck is that of its file without `.toml`. A name is only looked up among the files in the
    folder; links are ignored. People may put files there, and edit them, at any time. Any thread may call; one writes
    at a time. `named` are the files with which the settings begin a game: they cannot be removed.
    """

    def __init__(self, folder: Path, named: Collection[str] = ()) -> None:
        self._folder, self._named = folder, named
        self._lock = threading.Lock()

    # Reading -----------------------------------------------------------------------------------------------------

    def decks(self) -> list[DeckList]:
        """Return every game's decks, the house deck first (see `web.port`), without files that no game can read."""
        files = [*((HOUSE, _house_file(game)) for game in GAMES.values()), *self._files().items()]
        found = [one for name, path in files if (one := _summaries.get(name, path))]
        return [
            DeckList(game.key, game.title, [deck for key, deck in found if key == game.key]) for game in GAMES.values()
        ]

    def deck(self, game: str, name: str) -> DeckView | None:
        """Return one deck, card by card (see `web.port`); None if there is no such deck."""
        path = self._path(game, name)
        found = _views.get(name, path) if path else None
        return found if found and found.game == game else None

    def text(self, game: str, name: str) -> str | None:
        """Return the text of a deck; None if there is no such deck."""
        deck = self._draft(game, name)
        return deck.source if deck else None

    def games(self) -> list[PlayableGame]:
        """Return every game, its house rules that leave a choice, and the owner's decks for it."""
        return [
            PlayableGame(
                one.game,
                one.title,
                [HouseRuleView.of(rule) for rule in GAMES[one.game].house_rules if len(rule.values) > 1],
                _offered(one),
                GAMES[one.game].players,
                GAMES[one.game].minutes,
                has_manager(one.game),
            )
            for one in self.decks()
        ]

    def offered(self, game: str) -> list[OfferedDeck]:
        """Return the owner's decks for a game. Another deck may have what one lacks."""
        return [deck for one in self.decks() if one.game == game for deck in _offered(one)]

    def load(self, game: Game, names: Iterable[str]) -> tuple[Deck, ...]:
        """Return these decks, or the house deck if there are none. Raises DeckError naming the deck by its title."""
        found = []
        for name in names:
            deck = self._draft(game.key, name)
            if deck is None:
                raise DeckError(Fault(name, "", "", "is not among the decks."))
            found.append(parse(deck.source, deck.title, game.key, game.shapes))
        return tuple(found) or (house_deck(game),)

    def _files(self) -> dict[str, Path]:
        """Return the owner's files by name. One with the house deck's name gets another."""
        try:
            paths = sorted(self._folder.iterdir())
        except OSError:
            return {}
        named = [path for path in paths if path.name.endswith(".toml") and _can_be_seen(path.name)]
        files = [path for path in named if path.is_file() and not path.is_symlink()][:MOST]
        names = [_deck_name(path) for path in files]
        return dict(zip([OWN_HOUSE if name == HOUSE else name for name in names], files, strict=True))

    def _path(self, game: str, name: str) -> Path | None:
        return _house_file(GAMES[game]) if name == HOUSE and game in GAMES else self._files().get(name)

    def _draft(self, game: str, name: str) -> DeckText | None:
        path = self._path(game, name)
        try:
            deck = _opened(path) if path else None
        except DeckError:
            return None
        return deck if deck and deck.game.key == game else None

    # Writing -----------------------------------------------------------------------------------------------------

    def new(self, game: str, title: str, copy: str | None) -> str:
        """Make a deck, empty or as a copy; return its name. Raises DeckError, StaleAnswer, OSError."""
        if game not in GAMES:
            raise DeckError(Fault("", "deck", "game", f"names no game; there are {', '.join(GAMES)}."))
        with self._lock:
            if copy is None:
                return self._add(deck_editor.empty(GAMES[game], title), title)
            deck = self._open(game, copy)
            text = deck_editor.titled(deck, title)
            # The comment at the top of the house deck would not be true of the copy.
            return self._add(text[text.index("[deck]") :] if copy == HOUSE else text, title)

    def take(self, text: str, title: str | None) -> tuple[str, str]:
        """Store a deck's text, under another title if there is one; return its game and name.

        Raises DeckError with every fault, and then stores nothing; OSError.
        """
        deck = deck_editor.draft(unix(text.removeprefix("\ufeff")), "")
        deck.checked()
        with self._lock:
            source = deck.source if title is None else deck_editor.titled(deck, title)
            return deck.game.key, self._add(source, deck.title if title is None else title)

    def write(self, game: str, name: str, kind: str, place: int | None, fields: Fields, seen: str | None) -> int:
        """Write one card (see `deck_editor.with_card`); return its place. Raises DeckError, StaleAnswer, OSError."""
        with self._lock:
            path, deck = self._own(game, name)
            self._put(path, deck, deck_editor.with_card(deck, kind, place, fields, seen))
            return len(deck.of(kind)) + 1 if place is None else place

    def remove_card(self, game: str, name: str, kind: str, place: int, seen: str | None) -> None:
        """Remove one card. Raises DeckError, StaleAnswer, OSError."""
        with self._lock:
            path, deck = self._own(game, name)
            self._put(path, deck, deck_editor.without_card(deck, kind, place, seen))

    def rename(self, game: str, name: str, title: str) -> None:
        """Give a deck another title; its file keeps its name. Raises DeckError, StaleAnswer, OSError."""
        with self._lock:
            path, deck = self._own(game, name)
            self._put(path, deck, deck_editor.titled(deck, title))

    def remove(self, game: str, name: str) -> None:
        """Delete a deck; games begun with it have its text. Raises DeckError, StaleAnswer, OSError."""
        with self._lock:
            path, deck = self._own(game, name)
            if path.name in self._named:
                raise DeckError(Fault(deck.title, "", "", "is what the settings begin games with: change those first."))
            path.unlink(missing_ok=True)
            atomic_file.sync(self._folder)

    def _open(self, game: str, name: str) -> DeckText:
        deck = self._draft(game, name)
        if deck is None:
            raise StaleAnswer("That deck is gone: load the decks again.")
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
        atomic_file.write(self._folder / f"{name}.toml", source.encode(), 0o644)
        return name

    def _put(self, path: Path, deck: DeckText, text: str) -> None:
        """Write a changed text into its file, with the line ends it had. Raises StaleAnswer if the file changed."""
        try:
            raw = _raw(path)
            same = _decoded(raw, path) == deck.source
        except DeckError:
            same = False
        if not same:
            raise StaleAnswer(f"{deck.file} was changed by somebody else in the meantime: load the deck again.")
        if b"\r\n" in raw:
            text = text.replace("\n", "\r\n")
        atomic_file.write(path, text.encode(), path.stat().st_mode & 0o777)


def _deck_name(path: Path) -> str:
    """Return the name of a deck: that of its file without ".toml", however often somebody typed that."""
    name = path.name
    while name.endswith(".toml"):
        name = name.removesuffix(".toml")
    return name


def _can_be_seen(name: str) -> bool:
    try:
        return visible_text.line(name, 255) == name
    except ValueError:
        return False


def _opened(path: Path) -> DeckText:
    return deck_editor.draft(source_of(path), path.name)


class _Cache(Generic[T]):
    """Keeps what `make` made of `most` files; reads one again only when it was changed.

    One file is read at a time, and once, however many ask: a large one takes a second and thirty megabytes.
    """

    def __init__(self, make: Callable[[str, Path], T | None], most: int) -> None:
        self._make, self._most = make, most
        self._kept: dict[tuple[str, Path, Stamp], T | None] = {}
        self._lock = threading.Lock()

    def get(self, name: str, path: Path) -> T | None:
        """Return what was made of a file; None if it cannot be read."""
        try:
            stat = path.stat()
        except OSError:
            return None
        key = (name, path, (stat.st_ino, stat.st_mtime_ns, stat.st_size))
        if key not in (kept := self._kept):
            with self._lock:
                if key not in (kept := self._kept):
                    last = list(self._kept.items())[1 - self._most :]
                    # Replaced, not changed: others read it without the lock.
                    self._kept = kept = dict([*last, (key, self._make(name, path))])
        return kept[key]


def _summary(name: str, path: Path) -> tuple[str, DeckSummary] | None:
    """Return the game of a file and its row in the list; None if no game can read it."""
    try:
        deck = _opened(path)
    except DeckError:
        return None
    lacks, house = deck.lacks()
    cards = sum(1 for _ in deck.cards())
    return deck.game.key, DeckSummary(name, deck.title, name != HOUSE, lacks[:LISTED], house, cards, playable=not lacks)


def _view(name: str, path: Path) -> DeckView | None:
    """Return a deck, card by card. A large one takes half a second to read."""
    try:
        deck = _opened(path)
    except DeckError:
        return None
    shapes = deck.game.shapes
    lacks, house = deck.lacks()
    return DeckView(
        name=name,
        title=deck.title,
        own=name != HOUSE,
        lacks=lacks,
        house=house,
        notes=[DeckNote(one.card, deck_editor.sentence(one)) for one in deck.notes()],
        game=deck.game.key,
        of=deck.game.title,
        shapes={kind: {field: one.look for field, one in shape.items()} for kind, shape in shapes.items()},
        cards=[
            CardView(
                kind=kind,
                place=place,
                fields=deck_editor.plain(fields),
                typed={
                    field: deck_editor.written(value)
                    for field, value in fields.items()
                    if field in shapes[kind] and shapes[kind][field].form["is"] == "phrase"
                },
                mark=deck_editor.mark(kind, fields),
            )
            for kind, place, fields in islice(deck.cards(), CARDS)
        ],
    )


_summaries, _views = _Cache(_summary, MOST + len(GAMES)), _Cache(_view, 1 + len(GAMES))


def _offered(decks: DeckList) -> list[OfferedDeck]:
    return [OfferedDeck(one.name, one.title, one.house, one.lacks) for one in decks.decks if one.own]


def slug(title: str) -> str:
    """Return a title as the name of a file: [a-z0-9-], at most LONGEST letters."""
    ascii_only = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", ascii_only)[:LONGEST].strip("-") or "deck"


def _free(name: str, taken: set[str]) -> str:
    tries = (name, *(f"{name[: LONGEST - 4].rstrip('-')}-{n}" for n in range(2, MOST + 3)))
    return next(one for one in tries if one not in taken)
