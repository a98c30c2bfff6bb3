"""Fold one stored game into the rows of the record book.

It is replayed without the names that people gave the sides, so that the names on the cards identify the teams.
"""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from device.storage import game_check, game_list
from device.storage.hash_chain import Chain, readable_rows
from device.storage.restore import check_snapshot, restore_setup, unreadable_reason
from device.storage.seat_settings import league_of
from device.storage.store import REPAIR_ADVICE
from device.table.game_rows import read_transaction
from engine.journal import Answer, Source, parse_entry
from engine.league.game_stats import game_stats, replayed_game_stats
from engine.league.league import LeagueGame
from engine.league.stats import GameStats
from engine.seats import Seat

log = logging.getLogger("dugout.league")

PERSON_TEAM_PREFIX = "person:"
"""Begins the key of a team that is a person, in games whose cards have no teams."""

FINGERPRINT_QUERY = "select id, rev, game.seal from game left join turn on turn.game = game.id"
"""What changes with each entry, correction, undo and assignment of a game: the checksum of its last snapshot covers the
last checksum of its entries (device/storage/hash_chain.py)."""


@dataclass(frozen=True, slots=True)
class FoldedJournal:
    """What the book stores of a stored game.

    played: time of its last entry.
    finished: True if nobody will continue it.
    simulated: True if no person has given any answer.
    people: keys by seat.
    games: its finished games.
    usual_names: names of the sides by the seat that plays them, where neither cards nor people have names.
    trouble: why its games are left out, "" if they are not.
    """

    number: int
    fingerprint: str
    game: str = ""
    started: str = ""
    played: str = ""
    finished: bool = False
    simulated: bool = False
    league: LeagueGame | None = None
    people: Mapping[Seat, str] = field(default_factory=dict)
    games: Sequence[GameStats] = ()
    usual_names: Mapping[Seat, str] = field(default_factory=dict)
    trouble: str = ""

    def team_key(self, one: GameStats, side: Seat) -> str:
        """Key of a side's team in the books of the rulebook and of the journal."""
        seat, cards = one.sides[side].seat, one.sides[side].cards
        person = self.people.get(seat)
        return cards or (f"{PERSON_TEAM_PREFIX}{person}" if person else self.usual_names.get(seat, seat))


def journal_fingerprints(db: sqlite3.Connection) -> dict[int, str]:
    """Fingerprints of all stored games by number. Raises sqlite3.Error for a damaged file."""
    return {number: _fingerprint(*of) for number, *of in db.execute(FINGERPRINT_QUERY) if number > 0}


def _fingerprint(rev: int | None, seal: str) -> str:
    return f"{rev} {seal}"


def fold_journal(db: sqlite3.Connection, number: int) -> FoldedJournal | None:
    """Read and replay a stored game. None if there is no such number. Raises sqlite3.Error only for a locked file."""
    with read_transaction(db):  # the game on the table may grow meanwhile
        rows, read = readable_rows(db, f"{FINGERPRINT_QUERY} where game.id = ?", number)
        stored = game_check.check_game(db, number, set())
        row = game_list.read_row(db, number)
    if stored is None or (read and not rows):
        return None
    mark = _fingerprint(*rows[0][1:]) if rows else ""
    league, people = league_of(row.standing if row else "")
    if stored.chain is None or stored.damage:
        return FoldedJournal(number, mark, trouble=f"{stored.damage_sentence} {REPAIR_ADVICE}")
    folded = FoldedJournal(
        number,
        mark,
        started=stored.started,
        played=stored.chain.rows[-1][2] if stored.chain.rows else stored.started,
        simulated=_is_simulated(stored.chain),
        league=league,
        people=people,
    )
    try:
        return _replay_games(stored.chain, folded)
    except Exception as error:  # a foreign journal can break anything
        log.info("Game %d cannot be counted: %s.", number, type(error).__name__)
        why = unreadable_reason(error, stored.header)
        return replace(folded, trouble=f"This game cannot be read under these rules: {why}")


def _replay_games(chain: Chain, folded: FoldedJournal) -> FoldedJournal:
    """Add the games of a journal. Raises whatever a foreign journal can break."""
    header = json.dumps(json.loads(chain.header) | {"names": {}})
    bodies = [body for body, *_ in chain.rows]
    entries = [parse_entry(json.loads(body)) for body in bodies]
    answers = [one for one in entries if isinstance(one, Answer)]
    if len(answers) == len(entries):  # one pass, in half the time
        table = restore_setup(header, chain.decks)
        games = replayed_game_stats(table, answers)
    else:
        table = restore_setup(header, chain.decks, bodies)
        games = game_stats(table)
    check_snapshot(table, chain.snapshot)
    board = table.scoreboard()
    return replace(
        folded,
        game=table.game.key,
        finished=table.outcome is not None,
        games=games,
        usual_names={seat: board.sides[side].name for seat, side in board.plays.items()},
    )


def _is_simulated(chain: Chain) -> bool:
    return bool(chain.rows) and not any(Source(source).is_person for _, source, *_ in chain.rows)
