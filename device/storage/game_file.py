"""Encode one game as JSON lines for a backup, and parse such a file as untrusted data.

    {"header": {...}, "started": "...", "name": "Sunday", "turn": 4, "standing": {...}}
    {"file": "house.toml", "source": "..."}                                            each deck
    {"entry": {"seat": "away", "n": 0, "value": "steal"}, "source": "phone", "at": "..."}    each answer
    {"shown": {...}}                                                                   last published view

`turn` orders the games, and the highest one is on the table. `standing` are the seat settings, {} for the defaults.
`shown` is a spectator's last view (device/storage/restore.py), null for none.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import IO, Any

from device.storage import game_check, game_list, hash_chain, seat_settings
from device.storage.backup_files import backup_error, check_json_value
from device.storage.deck_editor import MAX_DECK_BYTES, parse_draft
from device.storage.game_list import GameRow
from device.storage.hash_chain import Chain
from engine.journal import entry_json, parse_entry

MAX_LINE_BYTES = 2 << 20  # maximum bytes of a line

MAX_ANSWERS = 20_000
"""Maximum answers in a game. A season has 3,000."""


def encode_game(chain: Chain, row: GameRow) -> bytes:
    """Encode a complete game and its row in the list of games as lines. Raises ValueError for what is not JSON."""
    lines = [
        {
            "header": json.loads(chain.header),
            "started": chain.started if game_check.is_iso_time(chain.started) else "",
            "name": row.name,
            "turn": row.turn,
            "standing": json.loads(row.standing or "{}"),
        },
        *json.loads(chain.decks),
        *({"entry": json.loads(body), "source": source, "at": at} for body, source, at, _ in chain.rows),
        {"shown": json.loads(chain.snapshot or "null")},
    ]
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()


def read_game(file: IO[bytes], name: str, number: int) -> tuple[Chain, GameRow]:
    """Parse a game file as game `number`. Return it with new checksums, and its row in the list of games.

    Each value must have the type and length that Dugout writes. Raises BackupError with `name`, the line and the
    reason. Not checked: whether the rules accept the answers, which the table checks when it opens the game.
    """
    header, started, row, place = dict[str, Any](), "", GameRow(0, "", 0), 0
    decks, answers, shown = list[dict[str, str]](), list[tuple[str, str, str]](), list[str | None]()
    try:
        for place, line in enumerate(iter(lambda: file.readline(MAX_LINE_BYTES + 1), b""), 1):
            if len(line) > MAX_LINE_BYTES:
                raise ValueError(f"it is longer than {MAX_LINE_BYTES >> 20} MiB")
            data = json.loads(line.decode())
            if place == 1:
                header, started, row = _parse_first_line(data)
            elif len(decks) < len(header["decks"]):
                decks.append(_parse_deck(data))
            elif shown or len(answers) > MAX_ANSWERS:
                raise ValueError("it is more than a game has")
            elif isinstance(data, dict) and "shown" in data:
                (found,) = check_json_value(_exact_values(data, "shown"))
                shown.append(None if found is None else json.dumps(found))
            else:
                answers.append(_parse_answer(data))
        place += 1
        if not shown:
            raise ValueError("it is missing: the file ends early")
    except (ValueError, RecursionError) as error:
        raise backup_error(f"{name}, line {place}", error) from None
    sealed = hash_chain.build_chain(number, json.dumps(header), json.dumps(decks), started, answers, shown[0])
    return sealed, row


def _exact_values(data: Any, *names: str) -> list[Any]:
    """Values of an object with exactly these keys. Raises ValueError."""
    if not isinstance(data, dict) or data.keys() != set(names):
        raise ValueError(f"it needs {', '.join(names)}, and nothing else")
    return [data[name] for name in names]


def _parse_first_line(data: Any) -> tuple[dict[str, Any], str, GameRow]:
    """Parse header, start time and row of a game. Raises ValueError."""
    header, started, name, turn, standing = check_json_value(
        _exact_values(data, "header", "started", "name", "turn", "standing")
    )
    if not isinstance(header, dict) or not isinstance(header.get("decks"), list):
        raise ValueError("header: it needs a list of decks")
    if not isinstance(name, str) or len(name) > game_list.MAX_NAME_LENGTH or name != game_list.checked_name(name):
        raise ValueError("name: nobody could have typed it here")
    if type(turn) is not int or not turn:
        raise ValueError("turn: it needs a whole number other than 0")
    settings = json.dumps(standing) if standing != {} else ""
    seat_settings.parse_seat_settings(settings)
    return header, _parse_time(started), GameRow(turn, name, abs(turn), settings)


@lru_cache(4)
def _check_deck(source: str) -> None:
    """Check that a deck has few enough lines and brackets for the parser. Raises DeckError."""
    parse_draft(source, "source")


def _parse_deck(data: Any) -> dict[str, str]:
    """Parse a deck without its cards, which the engine checks when the table opens the game. Raises ValueError."""
    name, source = _exact_values(data, "file", "source")
    if (
        not isinstance(check_json_value(name), str)
        or not isinstance(source, str)
        or len(source.encode()) > MAX_DECK_BYTES
    ):
        raise ValueError(f"it needs the text of a deck, of at most {MAX_DECK_BYTES >> 10} kB, and its name")
    _check_deck(source)
    return {"file": name, "source": source}


def _parse_answer(data: Any) -> tuple[str, str, str]:
    """Parse an answer into JSON, source and time. Raises ValueError."""
    entry, source, at = check_json_value(_exact_values(data, "entry", "source", "at"))
    if not isinstance(entry, dict) or not isinstance(source, str):
        raise ValueError("it needs an object for an entry, and a text for its source")
    return json.dumps(entry_json(parse_entry(entry))), source, _parse_time(at)


def _parse_time(value: Any) -> str:
    """Validate an ISO 8601 time, "" for unknown. Raises ValueError."""
    if not isinstance(value, str) or (value and not game_check.is_iso_time(value)):
        raise ValueError("it needs times such as 2026-08-01T19:30:00")
    return value
