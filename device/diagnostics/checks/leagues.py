"""Check of leagues, people and the record book."""

from __future__ import annotations

import sqlite3

from device.diagnostics.facts import UNKNOWN_HERE, DoctorFacts, look_finding, ok_finding
from device.league.book import skipped_games
from device.league.leagues import BOOK_FILE
from device.shapes import Finding
from device.storage.league_files import LeagueFiles
from device.storage.people_file import PeopleFile

MAX_LISTED_GAMES = 5
"""Games that the finding names."""


def check_leagues(facts: DoctorFacts) -> Finding:
    """Check that the files of leagues and people can be read, and that every stored game is in the record book.

    No name of a person is in the finding.
    """
    files, people = LeagueFiles(facts.data / "leagues"), PeopleFile(facts.data / "people.json")
    if troubles := [*files.troubles(), *filter(None, [people.trouble()])]:
        return look_finding(" ".join(troubles), "Correct this file, or restore a backup. The others are used.")
    book = facts.data / BOOK_FILE
    counted = f"Leagues: {len(files.leagues())}, people: {len(people.people())}."
    try:
        if not book.exists():
            return ok_finding(f"{counted} No record book yet.")
        skipped = skipped_games(book)
    except PermissionError:
        return ok_finding(UNKNOWN_HERE)
    except (OSError, sqlite3.Error) as error:
        return look_finding(f"The record book cannot be read: {error}.", "Run sudo dugout league rebuild.")
    if not skipped:
        return ok_finding(f"{counted} Every stored game is in the record book.")
    listed = " ".join(f"Game {one.number}: {one.reason}" for one in skipped[:MAX_LISTED_GAMES])
    more = f" And {len(skipped) - MAX_LISTED_GAMES} more." if len(skipped) > MAX_LISTED_GAMES else ""
    return look_finding(
        f"Games left out of the record book: {len(skipped)}. {listed}{more}",
        "Repair damaged games: sudo dugout games --repair. Games of older rules stay left out.",
    )
