"""Restore a stored game from header, decks and answers, and compare it with its last snapshot."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import lru_cache

from device.storage.hash_chain import Chain
from engine.cards import Deck, parse_deck
from engine.errors import DeckError, HouseRuleError
from engine.game import Rulebook
from engine.games import GAMES
from engine.journal import parse_entry
from engine.table import Table
from engine.views import TableView, json_data

JSON_ERRORS = (ValueError, LookupError, TypeError, AttributeError, RecursionError)
"""Errors from reading untrusted JSON, at any depth of nesting."""

MAX_PARSED_DECKS = 64
"""Parsed decks that are kept: all stored games are read one after the other, and most have the decks of another."""


def replayed_snapshot(chain: Chain) -> str | None:
    """Snapshot of a game that was cut short. None if the current rules cannot read it."""
    try:
        return table_snapshot(restore_table(chain.header, chain.decks, [body for body, *_ in chain.rows]))
    except Exception:  # any stored game can break anything
        return None


def table_snapshot(table: Table, public: TableView | None = None) -> str:
    """Spectators' view (`public`, if known) and number of plays as JSON, for a journal that cannot be read."""
    return json.dumps(json_data(public or table.view_for(None)) | {"plays": table.log.read_new_events().plays})


def unreadable_reason(error: Exception, header: str) -> str:
    """Public reason why a journal cannot be read. A rejected answer may be a secret and is not quoted."""
    known = isinstance(error, DeckError | HouseRuleError) or type(error) is LookupError
    words = str(error) if known else "there is something in its journal that they do not know."
    older = version_difference(header)
    return f"{words} {older}" if older else words


def version_difference(header: str) -> str | None:
    """Sentence with a game's version of the rules and the current one. None if they are equal or one is unknown."""
    try:
        begun = json.loads(header)
        was, now = begun["version"], GAMES[begun["game"]].version
    except JSON_ERRORS:
        return None
    if was == now or type(was) is not int:
        return None
    return f"It was started under version {was} of its rules, which are now at version {now}."


def restore_table(header: str, decks: str, bodies: Iterable[str], shown: str | None = None) -> Table:
    """Replay a stored game. Raises EngineError or LookupError if the current rules no longer accept it.

    All arguments are JSON as stored. The result must match the snapshot `shown`, if there is one. A game stored under
    another version of its rules is restored, too, if the current rules accept it.
    """
    table = restore_setup(header, decks, bodies)
    check_snapshot(table, shown)
    return table


def restore_setup(header: str, decks: str, bodies: Iterable[str] = ()) -> Table:
    """Replay a stored game as `restore_table` does, but compare it with nothing."""
    begun = json.loads(header)
    game: Rulebook = GAMES[begun["game"]]
    parsed = [_stored_deck(deck["source"], deck["file"], game.key) for deck in json.loads(decks)]
    if [deck.digest for deck in parsed] != [deck["sha256"] for deck in begun["decks"]]:
        raise LookupError("its cards are not the ones it was started with.")
    entries = (parse_entry(json.loads(body)) for body in bodies)
    return Table(game, parsed, begun["house"], entries, begun.get("names"))


def check_snapshot(table: Table, shown: str | None) -> None:
    """Compare a restored game with its last snapshot, if there is one. Raises LookupError if they differ."""
    if shown and _compared_figures(json.dumps(json_data(table.view_for(None)))) != _compared_figures(shown):
        raise LookupError("they lead to a different score than was shown.")


@lru_cache(MAX_PARSED_DECKS)
def _stored_deck(source: str, file: str, game: str) -> Deck:
    return parse_deck(source, file, game, GAMES[game].shapes)


def _compared_figures(shown: str) -> list[object]:
    """Figures of a view that the rules decide. Names are left out because they may have changed."""
    view = json.loads(shown)
    board, outcome = view["scoreboard"], view.get("outcome") or {}
    return [
        *(board.get(figure) for figure in ("inning", "half", "outs", "count", "batting")),
        {seat: side["runs"] for seat, side in board.get("sides", {}).items()},
        [runner is not None for runner in board.get("bases", ())],
        *(outcome.get("winner"), outcome.get("reason")),
    ]
