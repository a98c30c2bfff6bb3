"""What is fuzzed. Each target gets bytes, and lets out only errors that the program itself does not mean.

The bytes are read as a stranger would send them: settings, decks, backups, journals, bodies of requests, and
lines of the engine's protocol.
"""

from __future__ import annotations

import asyncio
import io
import json
import tempfile
import warnings
import zipfile
from collections.abc import Callable
from contextlib import closing
from functools import cache
from pathlib import Path

import httpx

from device import settings as settings_module
from device.commands import engine as protocol
from device.settings import SettingsError
from device.storage import backup_reader, decks
from device.storage.backup_files import FORMAT_CONTENT, FORMAT_FILE, OLD_JOURNAL, BackupError
from device.storage.decks import house_deck, with_unix_line_ends
from device.storage.store import Store, StoreError
from engine import cards
from engine.errors import DeckError
from engine.games import GAMES
from engine.secrets import redacted_json
from engine.table import Table
from engine.views import json_data
from tests.web.phones import WHO, cookie, small_ball
from web.app import create_app

Target = Callable[[bytes], None]

PATHS = (
    *(
        "/api/answer",
        "/api/undo",
        "/api/amend",
        "/api/preview",
        "/api/game",
        "/api/game/again",
        "/api/stand",
        "/api/wait",
        "/api/call",
    ),
    *("/api/accept", "/api/reject", "/api/decks", "/api/decks/import", "/api/games/1/name", "/api/free", "/api/press"),
    *("/api/seat/manager", "/api/pace", "/api/seat/coach", "/api/seat/advice", "/seat/manager", "/seat/coach"),
    *("/api/seat/assistance", "/seat/assistance"),
    *("/api/decks/small-ball/x/card", "/api/decks/small-ball/x/title", "/table", "/seat", "/seat/standing"),
)
"""Where bodies are posted: the first byte of an input chooses, the second one whether it is JSON or a form."""

FAST = Path("/dev/shm")
"""A disk in memory, where there is one: a journal is synced often."""


def _fast() -> Path | None:
    return FAST if FAST.is_dir() else None


def settings(data: bytes) -> None:
    """Read a settings file."""
    try:
        settings_module.parse_settings(data.decode("utf-8", "replace"), "dugout.toml")
    except SettingsError as error:
        str(error).encode()


def deck(data: bytes) -> None:
    """Read a deck of the game that the first byte chooses."""
    game = list(GAMES.values())[data[0] % len(GAMES)] if data else GAMES["small-ball"]
    source = with_unix_line_ends(data[1:].decode("utf-8", "replace"))
    try:
        read = cards.parse_deck(source, "deck.toml", game.key, game.shapes)
        game.notes(cards.cards_in_decks((read,)))
        Table(game, (read,))
    except DeckError as error:
        str(error).encode()


def journal(data: bytes) -> None:
    """Open a journal, repair it if need be, list its games, and begin another."""
    game = GAMES["small-ball"]
    with tempfile.TemporaryDirectory(dir=_fast()) as folder:
        path = Path(folder) / "journal.db"
        path.write_bytes(data)
        try:
            store = Store(path)
        except StoreError as error:
            str(error).encode()
            return
        try:
            saved = store.current_game()
            if saved is not None and saved.table is not None:
                saved.table.views_for(None)
            assert store.load_game(store.begin_game(Table(game, (house_deck(game),)))) is not None
        finally:
            store.close()


PART = b"\n--part--\n"
"""What separates the files of an archive that `_packed` makes; each has its name in its first line."""


def _packed(data: bytes) -> bytes:
    """Return an archive of these files, whose checksums are right. Its format is added if it is missing."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        names = set[str]()
        for part in data.split(PART)[:20]:
            name, _, content = part.partition(b"\n")
            names.add(known := name.decode("utf-8", "replace").replace("\0", ""))
            archive.writestr(zipfile.ZipInfo(known), content)
        if not names & {FORMAT_FILE, OLD_JOURNAL}:
            archive.writestr(zipfile.ZipInfo(FORMAT_FILE), FORMAT_CONTENT)
    return packed.getvalue()


def backup(data: bytes) -> None:
    """Restore a backup: an archive, or, if the first byte is odd, files to make one of."""
    with warnings.catch_warnings(), tempfile.TemporaryDirectory(dir=_fast()) as folder:
        warnings.simplefilter("ignore")  # zipfile's own, of names that come twice
        new, file = Path(folder) / "new", Path(folder) / "backup.zip"
        new.mkdir()
        file.write_bytes(_packed(data[1:]) if data[:1] and data[0] % 2 else data[1:])
        try:
            with file.open("rb") as given:
                said, kept = backup_reader.unpack_backup(given, new, {"code": "123456"}, "poweroff = true\n")
        except (BackupError, SettingsError) as error:
            str(error).encode()
            return
        said.encode()
        if kept is not None:
            settings_module.parse_settings(kept.decode("utf-8-sig"), "dugout.toml")
        decks.DeckLibrary(new / "decks").all_decks()
        with closing(Store(new / "journal.db")) as store:
            assert store.trouble is None, store.trouble
            assert store.get_or_create_value("code", lambda: "none") == "123456"
            store.current_game()
        assert {new, file} == set(Path(folder).iterdir())


@cache
def _table() -> Table:
    game = GAMES["small-ball"]
    return Table(game, (house_deck(game),))


def line(data: bytes) -> None:
    """Obey lines of the engine's protocol."""
    table = _table().clone()
    for text in data.decode("utf-8", "replace").split("\n")[:20]:
        redacted_json(protocol.execute_command(table, text), None).encode()


@cache
def _browser() -> tuple[asyncio.AbstractEventLoop, httpx.AsyncClient]:
    loop, port = asyncio.new_event_loop(), small_ball()
    client = httpx.AsyncClient(
        transport=httpx.ASGITransport(create_app(port.port)),
        base_url="http://localhost",
        headers={"Cookie": cookie(port.access, WHO["both"])},
    )
    return loop, client


def body(data: bytes) -> None:
    """Post a body as the operator, who also holds a seat: no answer may be an internal error."""
    loop, client = _browser()
    if len(data) < 2:
        return
    kind = ("application/json", "application/x-www-form-urlencoded")[data[1] % 2]
    path = PATHS[data[0] % len(PATHS)]
    answer = loop.run_until_complete(client.post(path, content=data[2:], headers={"Content-Type": kind}))
    assert answer.status_code < 500, f"{path}: {answer.status_code}"
    if answer.headers.get("content-type", "").startswith("application/json"):
        json.dumps(json_data(answer.json()))


TARGETS: dict[str, Target] = {
    "settings": settings,
    "deck": deck,
    "journal": journal,
    "backup": backup,
    "line": line,
    "body": body,
}
