"""Decks on disk: the house decks of Dugout, and the owner's files."""

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
    CardFields,
    CardView,
    DeckList,
    DeckNote,
    DeckSummary,
    DeckView,
    GamePaceView,
    HouseRuleView,
    OfferedDeck,
    PlayableGame,
)
from device.storage import atomic_file, deck_editor
from device.storage.deck_editor import MAX_DECK_BYTES, MAX_DECK_CARDS, DeckText
from engine.cards import Deck, cards_in_decks, parse_deck
from engine.errors import DeckError, DeckFault, StaleAnswer
from engine.game import Rulebook
from engine.games import GAMES
from engine.text import visible_text
from managers.manager import has_manager

HOUSE_NAME = "house"  # name of the deck that comes with a game
OWN_HOUSE_NAME = "house (own)"  # name of an owner's deck whose file has the name of the house deck
MAX_OWN_DECKS = 200  # maximum number of an owner's decks

MAX_LISTED_FAULTS = 20
"""Maximum faults listed with a deck. Its own page has more."""

MAX_FILE_NAME_LENGTH = 40  # maximum length of the name of a new file, in characters

T = TypeVar("T")


def _house_deck_path(game: Rulebook) -> Path:
    return Path(str(resources.files(f"engine.games.{game.key.replace('-', '_')}")), "house.toml")


def house_deck_text(game: Rulebook) -> str:
    return read_deck_text(_house_deck_path(game))


def house_deck(game: Rulebook) -> Deck:
    """Deck that comes with a game. It is constant while the program runs, so it is read only once."""
    return _cached_house_deck(game.key)


@cache
def _cached_house_deck(key: str) -> Deck:
    return read_deck(GAMES[key], _house_deck_path(GAMES[key]))


def load_decks(game: Rulebook, paths: Iterable[Path]) -> tuple[Deck, ...]:
    """Decks in these files, or the house deck if there are none. Raises DeckError naming the file."""
    return tuple(read_deck(game, path) for path in paths) or (house_deck(game),)


def possible_typos(game: Rulebook, decks: Iterable[Deck]) -> tuple[DeckFault, ...]:
    """Possible typing errors on the cards of these decks. They are playable. Each note names its file."""
    return game.notes(cards_in_decks(tuple(decks)))


def read_deck(game: Rulebook, path: Path) -> Deck:
    """Deck in a file of at most 256 kB. Raises DeckError naming the file."""
    return parse_deck(read_deck_text(path), path.name, game.key, game.shapes)


def read_deck_text(path: Path) -> str:
    """Text of a file with Unix line ends. Raises DeckError naming the file."""
    return _decode_text(_read_bytes(path), path)


def _read_bytes(path: Path) -> bytes:
    try:
        return named_file.read_file(path, MAX_DECK_BYTES)
    except OSError as error:
        raise DeckError(DeckFault(str(path), "", "", f"cannot be read: {error.strerror}.")) from None


def _decode_text(raw: bytes, path: Path) -> str:
    try:
        return with_unix_line_ends(raw.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise DeckError(DeckFault(str(path), "", "", "is not UTF-8 text.")) from None


def with_unix_line_ends(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


class DeckLibrary:
    """Playable decks: the house decks, and the owner's files `*.toml` in one folder.

    The name of an owner's deck is its file name without `.toml`. Names are only compared with the files in the folder.
    Links are ignored. People may add and edit files at any time. Any thread may call, and one writes at a time. `named`
    are the files that the settings begin a game with. They cannot be deleted.
    """

    def __init__(self, folder: Path, named: Collection[str] = ()) -> None:
        self._folder, self._named = folder, named
        self._lock = threading.Lock()

    # Reading -----------------------------------------------------------------------------------------------------

    def all_decks(self) -> list[DeckList]:
        """Decks of every game, the house deck first (see `web.port`). Files that no game can read are left out."""
        files = [*((HOUSE_NAME, _house_deck_path(game)) for game in GAMES.values()), *self._own_files().items()]
        found = [one for name, path in files if (one := _summary_cache.get(name, path))]
        return [
            DeckList(game.key, game.title, [deck for key, deck in found if key == game.key]) for game in GAMES.values()
        ]

    def deck_view(self, game: str, name: str) -> DeckView | None:
        """One deck card by card (see `web.port`). None if there is no such deck."""
        path = self._deck_path(game, name)
        found = _view_cache.get(name, path) if path else None
        return found if found and found.game == game else None

    def deck_text(self, game: str, name: str) -> str | None:
        """Text of a deck. None if there is no such deck."""
        deck = self._find_draft(game, name)
        return deck.source if deck else None

    def playable_games(self) -> list[PlayableGame]:
        """Every game, with the owner's decks and the house rules that offer a choice."""
        return [
            PlayableGame(
                one.game,
                one.title,
                [HouseRuleView.from_rule(rule) for rule in GAMES[one.game].house_rules if len(rule.values) > 1],
                _offered_decks(one),
                GAMES[one.game].players,
                GAMES[one.game].minutes,
                has_manager(one.game),
                [GamePaceView(pace.key, pace.title, pace.sentence, pace.house) for pace in GAMES[one.game].paces],
                GAMES[one.game].lesson is not None,
            )
            for one in self.all_decks()
        ]

    def owner_decks(self, game: str) -> list[OfferedDeck]:
        """The owner's decks for a game. They may be incomplete, as another deck may have the missing cards."""
        return [deck for one in self.all_decks() if one.game == game for deck in _offered_decks(one)]

    def load_decks(self, game: Rulebook, names: Iterable[str]) -> tuple[Deck, ...]:
        """Load these decks, or the house deck if there are none. Raises DeckError naming the deck by its title."""
        found = []
        for name in names:
            deck = self._find_draft(game.key, name)
            if deck is None:
                raise DeckError(DeckFault(name, "", "", "is not among the decks."))
            found.append(parse_deck(deck.source, deck.title, game.key, game.shapes))
        return tuple(found) or (house_deck(game),)

    def _own_files(self) -> dict[str, Path]:
        """The owner's files by deck name. A file named like the house deck gets `OWN_HOUSE_NAME`."""
        try:
            paths = sorted(self._folder.iterdir())
        except OSError:
            return {}
        named = [path for path in paths if path.name.endswith(".toml") and _is_visible_name(path.name)]
        files = [path for path in named if path.is_file() and not path.is_symlink()][:MAX_OWN_DECKS]
        names = [_deck_name(path) for path in files]
        return dict(zip([OWN_HOUSE_NAME if name == HOUSE_NAME else name for name in names], files, strict=True))

    def _deck_path(self, game: str, name: str) -> Path | None:
        return _house_deck_path(GAMES[game]) if name == HOUSE_NAME and game in GAMES else self._own_files().get(name)

    def _find_draft(self, game: str, name: str) -> DeckText | None:
        path = self._deck_path(game, name)
        try:
            deck = _read_draft(path) if path else None
        except DeckError:
            return None
        return deck if deck and deck.game.key == game else None

    # Writing -----------------------------------------------------------------------------------------------------

    def create_deck(self, game: str, title: str, copy: str | None) -> str:
        """Create a deck, empty or as a copy. Return its name. Raises DeckError, StaleAnswer, OSError."""
        if game not in GAMES:
            raise DeckError(DeckFault("", "deck", "game", f"names no game; there are {', '.join(GAMES)}."))
        with self._lock:
            if copy is None:
                return self._add_deck(deck_editor.empty_deck_text(GAMES[game], title), title)
            deck = self._require_deck(game, copy)
            text = deck_editor.with_title(deck, title)
            # The comment at the top of the house deck does not apply to a copy.
            return self._add_deck(text[text.index("[deck]") :] if copy == HOUSE_NAME else text, title)

    def import_deck(self, text: str, title: str | None) -> tuple[str, str]:
        """Store a deck's text, with another title if given. Return its game and name.

        Raises OSError, and DeckError with every fault. Then nothing is stored.
        """
        deck = deck_editor.parse_draft(with_unix_line_ends(text.removeprefix("\ufeff")), "")
        deck.validated_cards()
        with self._lock:
            source = deck.source if title is None else deck_editor.with_title(deck, title)
            return deck.game.key, self._add_deck(source, deck.title if title is None else title)

    def save_card(
        self, game: str, name: str, kind: str, place: int | None, fields: CardFields, seen: str | None
    ) -> int:
        """Write one card (see `deck_editor.with_card`). Return its place. Raises DeckError, StaleAnswer, OSError."""
        with self._lock:
            path, deck = self._require_own_deck(game, name)
            self._write_deck(path, deck, deck_editor.with_card(deck, kind, place, fields, seen))
            return len(deck.cards_of_kind(kind)) + 1 if place is None else place

    def remove_card(self, game: str, name: str, kind: str, place: int, seen: str | None) -> None:
        """Remove one card. Raises DeckError, StaleAnswer, OSError."""
        with self._lock:
            path, deck = self._require_own_deck(game, name)
            self._write_deck(path, deck, deck_editor.without_card(deck, kind, place, seen))

    def rename_deck(self, game: str, name: str, title: str) -> None:
        """Change a deck's title, not its file name. Raises DeckError, StaleAnswer, OSError."""
        with self._lock:
            path, deck = self._require_own_deck(game, name)
            self._write_deck(path, deck, deck_editor.with_title(deck, title))

    def delete_deck(self, game: str, name: str) -> None:
        """Delete a deck. Games begun with it keep its text. Raises DeckError, StaleAnswer, OSError."""
        with self._lock:
            path, deck = self._require_own_deck(game, name)
            if path.name in self._named:
                raise DeckError(
                    DeckFault(deck.title, "", "", "is what the settings begin games with: change those first.")
                )
            path.unlink(missing_ok=True)
            atomic_file.sync_folder(self._folder)

    def _require_deck(self, game: str, name: str) -> DeckText:
        deck = self._find_draft(game, name)
        if deck is None:
            raise StaleAnswer("That deck is gone: load the decks again.")
        return deck

    def _require_own_deck(self, game: str, name: str) -> tuple[Path, DeckText]:
        if name == HOUSE_NAME:
            raise DeckError(
                DeckFault("house.toml", "", "", "ships with Dugout and stays as it is: change a copy of it.")
            )
        deck = self._require_deck(game, name)
        return self._folder / deck.file, deck

    def _add_deck(self, source: str, title: str) -> str:
        atomic_file.make_folder(self._folder)
        taken = {path.name.lower() for path in self._folder.iterdir()}
        if sum(name.endswith(".toml") for name in taken) >= MAX_OWN_DECKS:
            raise DeckError(
                DeckFault("", "", "", f"there are {MAX_OWN_DECKS} decks; remove one before you make another.")
            )
        name = _free_name(title_slug(title), {HOUSE_NAME, *(name.removesuffix(".toml") for name in taken)})
        atomic_file.write_file(self._folder / f"{name}.toml", source.encode(), 0o644)
        return name

    def _write_deck(self, path: Path, deck: DeckText, text: str) -> None:
        """Write a changed text with the line ends of the file. Raises StaleAnswer if the file changed."""
        try:
            raw = _read_bytes(path)
            same = _decode_text(raw, path) == deck.source
        except DeckError:
            same = False
        if not same:
            raise StaleAnswer(f"{deck.file} was changed by somebody else in the meantime: load the deck again.")
        if b"\r\n" in raw:
            text = text.replace("\n", "\r\n")
        atomic_file.write_file(path, text.encode(), path.stat().st_mode & 0o777)


def _deck_name(path: Path) -> str:
    """File name of a deck without its extension ".toml", even if repeated."""
    name = path.name
    while name.endswith(".toml"):
        name = name.removesuffix(".toml")
    return name


def _is_visible_name(name: str) -> bool:
    try:
        return visible_text.visible_line(name, 255) == name
    except ValueError:
        return False


def _read_draft(path: Path) -> DeckText:
    return deck_editor.parse_draft(read_deck_text(path), path.name)


class _FileCache(Generic[T]):
    """Cache of the results of `make` for `most` files. A changed file is read again.

    One file is read at a time, and only once for concurrent callers. A large one takes a second and 30 MB.
    """

    def __init__(self, make: Callable[[str, Path], T | None], most: int) -> None:
        self._make, self._most = make, most
        self._kept: dict[tuple[str, Path, named_file.FileStamp], T | None] = {}
        self._lock = threading.Lock()

    def get(self, name: str, path: Path) -> T | None:
        """Cached result for a file. None if it cannot be read."""
        stamp = named_file.file_stamp(path)
        if stamp is None:
            return None
        key = (name, path, stamp)
        if key not in (kept := self._kept):
            with self._lock:
                if key not in (kept := self._kept):
                    last = list(self._kept.items())[1 - self._most :]
                    # Replaced, not mutated, because readers take no lock.
                    self._kept = kept = dict([*last, (key, self._make(name, path))])
        return kept[key]


def _deck_summary(name: str, path: Path) -> tuple[str, DeckSummary] | None:
    """Game of a file and its row in the list. None if no game can read it."""
    try:
        deck = _read_draft(path)
    except DeckError:
        return None
    lacks, house = deck.check_playability()
    cards = sum(1 for _ in deck.numbered_cards())
    return deck.game.key, DeckSummary(
        name, deck.title, name != HOUSE_NAME, lacks[:MAX_LISTED_FAULTS], house, cards, playable=not lacks
    )


def _deck_view(name: str, path: Path) -> DeckView | None:
    """View of a deck card by card. A large one takes half a second."""
    try:
        deck = _read_draft(path)
    except DeckError:
        return None
    shapes = deck.game.shapes
    lacks, house = deck.check_playability()
    return DeckView(
        name=name,
        title=deck.title,
        own=name != HOUSE_NAME,
        lacks=lacks,
        house=house,
        house_words=deck.game.house_in_words(house),
        notes=[DeckNote(one.card, deck_editor.fault_sentence(one)) for one in deck.possible_typos()],
        game=deck.game.key,
        of=deck.game.title,
        shapes={kind: {field: one.full_form for field, one in shape.items()} for kind, shape in shapes.items()},
        cards=[
            CardView(
                kind=kind,
                place=place,
                fields=deck_editor.json_value(fields),
                typed={
                    field: deck_editor.field_text(value)
                    for field, value in fields.items()
                    if field in shapes[kind] and shapes[kind][field].form["is"] == "phrase"
                },
                mark=deck_editor.card_hash(kind, fields),
            )
            for kind, place, fields in islice(deck.numbered_cards(), MAX_DECK_CARDS)
        ],
    )


_summary_cache = _FileCache(_deck_summary, MAX_OWN_DECKS + len(GAMES))  # rows of the deck list
_view_cache = _FileCache(_deck_view, 1 + len(GAMES))  # decks card by card


def _offered_decks(decks: DeckList) -> list[OfferedDeck]:
    return [OfferedDeck(one.name, one.title, one.house, one.lacks) for one in decks.decks if one.own]


def title_slug(title: str) -> str:
    """Title as a file name: [a-z0-9-], at most `MAX_FILE_NAME_LENGTH` characters."""
    ascii_only = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", ascii_only)[:MAX_FILE_NAME_LENGTH].strip("-") or "deck"


def _free_name(name: str, taken: set[str]) -> str:
    tries = (name, *(f"{name[: MAX_FILE_NAME_LENGTH - 4].rstrip('-')}-{n}" for n in range(2, MAX_OWN_DECKS + 3)))
    return next(one for one in tries if one not in taken)
