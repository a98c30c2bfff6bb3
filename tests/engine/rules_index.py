"""The written index of a game, engine/games/<game>/rules.md, as its tables."""

from __future__ import annotations

import re
from pathlib import Path

GAMES = Path(__file__).parents[2] / "engine/games"


class Index:
    """What stands in the index of the game with this key."""

    def __init__(self, key: str) -> None:
        self.text = (GAMES / key.replace("-", "_") / "rules.md").read_text("utf-8")

    def rows(self, title: str) -> list[list[str]]:
        """The cells of the table under a heading, less its head."""
        part = self.text.split(f"## {title}\n", 1)[1].split("\n## ", 1)[0]
        lines = [line for line in part.splitlines() if line.startswith("|")]
        return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]

    def listed(self, title: str) -> list[str]:
        """The codes in the first cells of a table."""
        return [code for row in self.rows(title) for code in words(row[0])]


def words(cell: str) -> list[str]:
    """What stands in backticks in a cell."""
    return re.findall(r"`([^`]+)`", cell)
