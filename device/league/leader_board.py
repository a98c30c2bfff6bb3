"""The leaders of a book."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Sequence

from device.league.book_content import BookContent
from device.league.player_lines import player_lines
from engine.league.leaders import batting_leaders, pitching_leaders
from engine.league.views import LeaderCategory


def leader_categories(db: sqlite3.Connection, content: BookContent) -> Sequence[LeaderCategory]:
    """The leaders of each category. Raises sqlite3.Error."""
    found = content.cache.get("leaders")
    if not isinstance(found, list):
        innings = Counter[str]()
        for one in content.counting:
            for team in (one.away, one.home):
                innings[team] += one.half_innings
        players = player_lines(db, content)
        found = [*batting_leaders(players, innings), *pitching_leaders(players, innings)]
        content.cache["leaders"] = found
    return found
