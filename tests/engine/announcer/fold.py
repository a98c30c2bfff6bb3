"""Listens to an announcer: folds the texts alone into inning, runs, outs and bases."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from engine.announcer import Announcement, Announcer
from engine.scoreboard import Scoreboard
from engine.seats import SEATS
from engine.table import Table

COUNTS = {word: number for number, word in enumerate(("no", "one", "two", "three", "four", "five", "six", "seven"))}
COUNTS |= {word: number for number, word in enumerate(("eight", "nine", "ten", "eleven", "twelve"), 8)}
INNINGS: tuple[str, ...] = (
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
)
INNINGS += ("twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth")
HALVES = {"Top": (0, "top"), "Middle": (0, "bottom"), "Bottom": (0, "bottom"), "End": (1, "top")}


def count(word: str) -> int:
    """Return the number that a word or numeral says."""
    return int(word) if word.isdigit() else COUNTS[word.lower()]


@dataclass
class Listener:
    """What somebody knows who hears the announcer and sees nothing."""

    inning: int = 1
    half: str = "top"
    runs: list[int] = field(default_factory=lambda: [0, 0])
    outs: int = 0
    bases: tuple[bool, ...] = (False, False, False)
    stake: int = 0
    gained: int | None = None
    """The runs that the last text said to have scored, None if it gave no number."""

    def hear(self, text: str, names: Sequence[str]) -> None:
        """Take in one text; `names` are the teams', away and home."""
        self.gained = None
        team = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
        sentences: dict[str, Callable[..., None]] = {
            r"Play ball!|Taken back\.|Corrected[.:]": self._begin,
            r"(Top|Middle|Bottom|End) of the (\w+)[.;,]": self._turn,
            rf"({team}) leads?, (\d+) to (\d+)\.": lambda name, high, low: self._lead(names, name, high, low),
            rf"(\d+) to (\d+), ({team})\.": lambda high, low, name: self._lead(names, name, high, low),
            r"tied at (\d+)\.": lambda runs: self._score(runs, runs),
            r"[Nn]o score\.": lambda: self._score(0, 0),
            rf"Final: ({team}) (\d+), ({team}) (\d+)\.": lambda one, high, _, low: self._lead(names, one, high, low),
            r"(\w+) runs? (?:scores?|is in|are in)\.": self._gain,
            r"(\w+) runs? at stake\.": self._stake,
            r"(Nobody|One|Two|Three) (?:out|down|away)\.": self._out,
            r"Nobody on\.|Bases empty\.": lambda: self._on(""),
            r"Bases loaded\.": lambda: self._on("first second third"),
            r"Runners? (?:on|at) ((?:first|second|third)(?: and (?:second|third))?)\.": self._on,
        }
        found = [
            (match.start(), match.groups(), act)
            for pattern, act in sentences.items()
            for match in re.finditer(pattern, text)
        ]
        for _, parts, act in sorted(found, key=lambda one: one[0]):
            act(*parts)

    def _begin(self) -> None:
        self.runs, self.outs, self.bases, self.stake = [0, 0], 0, (False, False, False), 0

    def _turn(self, half: str, inning: str) -> None:
        more, self.half = HALVES[half]
        self.inning = INNINGS.index(inning) + 1 + more
        self.outs, self.bases, self.stake = 0, (False, False, False), 0

    def _lead(self, names: Sequence[str], name: str, high: str, low: str) -> None:
        away = name == names[0]
        self._score(*((high, low) if away else (low, high)))

    def _score(self, away: int | str, home: int | str) -> None:
        self.runs = [int(away), int(home)]

    def _gain(self, many: str) -> None:
        self.gained = count(many)

    def _stake(self, many: str) -> None:
        self.stake = count(many)

    def _out(self, many: str) -> None:
        self.outs = 0 if many == "Nobody" else count(many)

    def _on(self, taken: str) -> None:
        self.bases = tuple(base in taken for base in ("first", "second", "third"))


def wrong(heard: Listener, board: Scoreboard, over: bool) -> str:
    """Return where a listener is wrong about a scoreboard, "" if nowhere. Not compared: outs and runners while nobody
    bats, and runners with three out.
    """
    runs = [board.sides[seat].runs for seat in SEATS]
    if heard.runs != runs:
        return f"runs: heard {heard.runs}, are {runs}"
    if over or board.batting is None:
        return ""
    if (heard.inning, heard.half) != (board.inning, board.half):
        return f"inning: heard {heard.half} {heard.inning}, is {board.half} {board.inning}"
    if (heard.outs, heard.stake) != (board.outs, board.stake or 0):
        return f"outs and stake: heard {heard.outs} and {heard.stake}, are {board.outs} and {board.stake}"
    bases = tuple(runner is not None for runner in board.bases)
    if heard.bases != bases and board.outs < 3:
        return f"bases: heard {heard.bases}, are {bases}"
    return ""


def names(board: Scoreboard) -> list[str]:
    """Return the names of the teams, away and home."""
    return [board.sides[seat].name for seat in SEATS]


@dataclass
class Radio:
    """An announcer and a listener at one table; keeps all that was said, in order."""

    announcer: Announcer = field(default_factory=Announcer)
    listener: Listener = field(default_factory=Listener)
    said: list[Announcement] = field(default_factory=list)

    def hear(self, table: Table) -> tuple[Announcement, ...]:
        """Hear what is new at a table, and return it."""
        last = self.said[-1].place if self.said else -2
        news = tuple(call for call in self.announcer.update_announcements(table) if call.place > last)
        for call in news:
            self.listener.hear(call.text, names(table.scoreboard()))
        self.said += news
        return news

    def check(self, table: Table) -> None:
        """Hear what is new; raise AssertionError if the listener is wrong about the game then."""
        before = sum(self.listener.runs)
        news = self.hear(table)
        board = table.scoreboard()
        found = wrong(self.listener, board, table.outcome is not None)
        assert found == "", (found, [call.text for call in self.said[-4:]])
        if len(news) == 1 and self.listener.gained is not None:
            assert sum(side.runs for side in board.sides.values()) - before == self.listener.gained, news[0].text
