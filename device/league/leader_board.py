"""The leaders of a book."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Sequence

from device.league.book_content import BookContent
from device.league.player_lines import player_lines
from engine.league.leaders import MAX_LEADERS, batting_leaders, pitching_leaders
from engine.league.views import LeaderCategory


def leader_categories(
    db: sqlite3.Connection, content: BookContent, most: int = MAX_LEADERS
) -> Sequence[LeaderCategory]:
    """The leaders of each category, at most `most` of each. Raises sqlite3.Error."""
    name = f"leaders {most}"
    found = content.cache.get(name)
    if not isinstance(found, list):
        innings = Counter[str]()
        for one in content.counting:
            for team in (one.away, one.home):
                innings[team] += one.half_innings
        players = player_lines(db, content)
        found = [*batting_leaders(players, innings, most), *pitching_leaders(players, innings, most)]
        content.cache[name] = found
    return found
