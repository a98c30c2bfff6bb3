"""A stored game called back: its table out of header, decks and answers, and whether it stands as it was shown."""

from __future__ import annotations

import json
from typing import Any

from device.storage.hash_chain import Chain
from device.table import play_log
from engine.cards import parse
from engine.errors import DeckError, HouseRuleError
from engine.game import Game
from engine.games import GAMES
from engine.journal import entry_of
from engine.table import Table


def retold(kept: Chain) -> str | None:
    """What a game that was cut short shows now; None where these rules cannot tell."""
    try:
        return snapshot(restore(json.loads(kept.header), json.loads(kept.decks), [row[0] for row in kept.rows]))
    except Exception:  # as with any stored game
        return None


def snapshot(table: Table) -> str:
    """What a spectator sees and how many plays there were: it tells of a game even when its journal cannot be read."""
    return json.dumps(table.view(None) | {"plays": play_log.told(table)})


def view_of(table: Table) -> dict[str, Any]:
    """What a spectator sees, as it comes back from JSON."""
    shown: dict[str, Any] = json.loads(json.dumps(table.view(None)))
    return shown


def reason(error: Exception) -> str:
    """Why a journal is not read, for everyone: an answer that was refused may be a secret, and is never repeated."""
    if isinstance(error, DeckError | HouseRuleError) or type(error) is LookupError:
        return str(error)
    return "there is something in its journal that they do not know."


def stands(table: Table, shown: str) -> bool:
    """Whether a table stands as a snapshot says, in all that the rules decide; how it is called may have changed."""
    return _figures(view_of(table)) == _figures(json.loads(shown))


def _figures(shown: dict[str, Any]) -> tuple[Any, ...]:
    board, outcome = shown["scoreboard"], shown.get("outcome") or {}
    return (
        [board.get(figure) for figure in ("inning", "half", "outs", "count", "batting")],
        {seat: side["runs"] for seat, side in board.get("sides", {}).items()},
        [runner is not None for runner in board.get("bases", ())],
        [outcome.get("winner"), outcome.get("reason")],
    )


def restore(header: dict[str, Any], decks: list[dict[str, str]], bodies: list[str]) -> Table:
    """The table a journal tells. Raises an EngineError or LookupError when these rules no longer read it so.

    A game stored under another version of its rules comes back too, if they still read it.
    """
    game: Game = GAMES[header["game"]]
    parsed = [parse(deck["source"], deck["file"], game.key, game.shapes) for deck in decks]
    if [deck.digest for deck in parsed] != [deck["sha256"] for deck in header["decks"]]:
        raise LookupError("its cards are not the ones it was begun with.")
    return Table(game, parsed, header["house"], [entry_of(json.loads(body)) for body in bodies])
