"""Restore a stored game: its table from header, decks and answers, and whether it stands as it was last shown."""

from __future__ import annotations

import json
from collections.abc import Iterable

from device.storage.hash_chain import Chain
from engine.cards import parse
from engine.errors import DeckError, HouseRuleError
from engine.game import Game
from engine.games import GAMES
from engine.journal import entry_of
from engine.table import Table
from engine.views import TableView, plain

UNREADABLE = (ValueError, LookupError, TypeError, AttributeError, RecursionError)
"""What reading JSON raises that may hold anything, nested as deep as it likes."""


def retell(chain: Chain) -> str | None:
    """Return the snapshot of a game that was cut short; None where these rules cannot read it."""
    try:
        return snapshot(restore(chain.header, chain.decks, [body for body, *_ in chain.rows]))
    except Exception:  # as with any stored game
        return None


def snapshot(table: Table, public: TableView | None = None) -> str:
    """Return what a spectator sees (`public`, if it is at hand), and the number of plays.

    It describes a game whose journal cannot be read.
    """
    return json.dumps(plain(public or table.view(None)) | {"plays": table.log.read().plays})


def reason(error: Exception, header: str) -> str:
    """Return why a journal is not read, for everyone: a refused answer may be a secret, and is never repeated."""
    known = isinstance(error, DeckError | HouseRuleError) or type(error) is LookupError
    words = str(error) if known else "there is something in its journal that they do not know."
    older = outdated(header)
    return f"{words} {older}" if older else words


def outdated(header: str) -> str | None:
    """Return how the rules of a game differ from today's; None if they do not, or if nobody can tell."""
    try:
        begun = json.loads(header)
        was, now = begun["version"], GAMES[begun["game"]].version
    except UNREADABLE:
        return None
    if was == now or type(was) is not int:
        return None
    return f"It was started under version {was} of its rules, which are now at version {now}."


def restore(header: str, decks: str, bodies: Iterable[str], shown: str | None = None) -> Table:
    """Return the table that a journal gives, and that stands as the snapshot `shown` says, if there is one.

    All are JSON as stored. Raises an EngineError or LookupError when these rules no longer read it so. A game stored
    under another version of its rules is restored too, if they still read it.
    """
    begun = json.loads(header)
    game: Game = GAMES[begun["game"]]
    parsed = [parse(deck["source"], deck["file"], game.key, game.shapes) for deck in json.loads(decks)]
    if [deck.digest for deck in parsed] != [deck["sha256"] for deck in begun["decks"]]:
        raise LookupError("its cards are not the ones it was started with.")
    entries = (entry_of(json.loads(body)) for body in bodies)
    table = Table(game, parsed, begun["house"], entries, begun.get("names"))
    if shown and _figures(json.dumps(plain(table.view(None)))) != _figures(shown):
        raise LookupError("they lead to a different score than was shown.")
    return table


def _figures(shown: str) -> list[object]:
    """Return what the rules decide in a view; names may have changed since it was stored."""
    view = json.loads(shown)
    board, outcome = view["scoreboard"], view.get("outcome") or {}
    return [
        *(board.get(figure) for figure in ("inning", "half", "outs", "count", "batting")),
        {seat: side["runs"] for seat, side in board.get("sides", {}).items()},
        [runner is not None for runner in board.get("bases", ())],
        *(outcome.get("winner"), outcome.get("reason")),
    ]
