"""Parse the rules index of a game, engine/games/<game>/rules.md, into tables."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

GAMES = Path(__file__).parents[2] / "engine/games"


class Index:
    """The rules index of the game with this key."""

    def __init__(self, key: str) -> None:
        self.text = (GAMES / key.replace("-", "_") / "rules.md").read_text("utf-8")

    def rows(self, title: str) -> list[list[str]]:
        """Return the cells of the table under a heading, without its header row."""
        return self._cells(title)[2:]

    def asks(self) -> dict[str, tuple[set[str], set[str]]]:
        """Return the listed answers and facts of each ask; "as `other`" in a cell adds those of another ask."""
        heads = self._cells("Asks")[0]
        places = [heads.index("answered by"), heads.index("facts")]
        found: dict[str, tuple[set[str], set[str]]] = {}
        for row in self.rows("Asks"):
            cells = [self._with_others(row[place], found, i) for i, place in enumerate(places)]
            found |= dict.fromkeys(words(row[0]), (cells[0], cells[1]))
        return found

    @staticmethod
    def _with_others(cell: str, found: Mapping[str, tuple[set[str], set[str]]], place: int) -> set[str]:
        like = re.findall(r"\bas `([^`]+)`", cell)
        return set(words(cell)) - set(like) | {word for code in like for word in found[code][place]}

    def events(self) -> dict[str, list[set[str]]]:
        """Return the facts listed for each event: the required ones, then each optional group after a ";"."""
        return {
            code: [set(words(part)) for part in row[1].split(";")]
            for row in self.rows("Events")
            for code in words(row[0])
        }

    def _cells(self, title: str) -> list[list[str]]:
        part = self.text.split(f"## {title}\n", 1)[1].split("\n## ", 1)[0]
        lines = [line for line in part.splitlines() if line.startswith("|")]
        return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]

    def listed(self, title: str) -> list[str]:
        """Return the codes in the first cells of a table."""
        return [code for row in self.rows(title) for code in words(row[0])]


def words(cell: str) -> list[str]:
    """Return the words in backticks in a cell."""
    return re.findall(r"`([^`]+)`", cell)
