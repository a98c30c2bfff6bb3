"""Fold the events of any game, with the bases after each answer, into the scorecard of each side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from engine.box_score import TURNS as STATISTICS
from engine.box_score import Batting
from engine.events import Event
from engine.journal import Answer
from engine.scoreboard import Scoreboard
from engine.scorecard.sheet import REACHES, RESULTS, TURNS, Box, Pitching, Row, Sheet, added
from engine.seats import SEATS, Seat, other
from engine.table import Table

BASES = ("batter", "first", "second", "third")
"""Who is put out, in games whose players have no names."""

NINE = 9
"""Rows of a scorecard without names."""


@dataclass(frozen=True, slots=True)
class Moment:
    """What an answer led to: its events, and the scoreboard after it."""

    events: Sequence[Event]
    board: Scoreboard


def anyway() -> None:
    """Read to the end."""


def moments(table: Table, wanted: Callable[[], None] = anyway) -> Iterator[Moment]:
    """Yield the moments of the last game at a table, by giving its answers to a copy.

    `wanted` is called before each answer, and may raise whatever ends the work.
    """
    log, given, twin = table.log.read(), table.answers, table.clone()
    since = log[log.games[-1]].n if log.games else -1
    later = [one.n for one in given if one.n >= since]
    if later:
        twin.undo(later[0])  # it may take back earlier ones, which were revealed together
    yield Moment([logged.event for logged in twin.log], twin.scoreboard())
    for one in given[len(twin.answers) :]:
        wanted()
        if told := twin.write(Answer(one.ask.seat, one.n, one.value)):
            yield Moment([logged.event for logged in told], twin.scoreboard())


def sheets(table: Table, wanted: Callable[[], None] = anyway) -> dict[Seat, Sheet]:
    """Return the scorecard of each side in the last game at a table. `wanted` as in `moments`."""
    return fold(moments(table, wanted), table.outcome is not None)


def fold(played: Iterable[Moment], over: bool) -> dict[Seat, Sheet]:
    """Return the scorecard of each side. `over`: the game is over, so its last half-inning is complete."""
    book = _Book()
    for moment in played:
        for event in moment.events:
            if event.facts.get("opens"):
                book = _Book()
            book.take(event)
        book.look(moment.board)
    if over:
        book.close()
    return {seat: book.sheet(seat) for seat in SEATS}


@dataclass(slots=True)
class _Open:
    """A box that may still change: where the runner stands, and the pitcher whom his run is charged to."""

    box: Box
    row: int
    charged: str

    def now(self, **changes: Any) -> None:
        self.box = replace(self.box, **changes)


@dataclass(frozen=True, slots=True)
class _Home:
    """A runner who came home: his box and name, and the box and name of the batter who drove him in."""

    box: _Open
    name: str
    batter: _Open | None
    by: str


@dataclass(slots=True)
class _Side:
    """The boxes of one side, its batting order as far as it has batted, and its pitchers."""

    boxes: list[_Open] = field(default_factory=list)
    names: list[list[str]] = field(default_factory=list)
    row: dict[str, int] = field(default_factory=dict)
    instead: dict[str, str] = field(default_factory=dict)
    innings: list[int] = field(default_factory=list)
    batters: dict[str, Counter[str]] = field(default_factory=dict)
    pitchers: dict[str, Counter[str]] = field(default_factory=dict)
    loose: int = 0

    def count(self, name: str, *what: str) -> None:
        """Count for a player, if he has a name."""
        if name:
            self.batters.setdefault(name, Counter()).update(what)

    def place(self, name: str) -> int:
        """Return the row of a player; a player who takes nobody's place begins a new one."""
        if name in self.row:
            return self.row[name]
        taken = self.instead.get(name, "")
        if taken in self.row or taken in self.instead:
            row = self.place(taken)
            self.names[row].append(name)
        else:
            row = len(self.names)
            self.names.append([name])
        self.row[name] = row
        return row


class _Book:
    """The scorecards while events come in. Each half-inning keeps who is on base: by name, or else by base."""

    def __init__(self) -> None:
        self.sides: dict[Seat, _Side] = {seat: _Side() for seat in SEATS}
        self.seat: Seat | None = None
        self.mound = ""
        self._begin(0)

    def _begin(self, inning: int) -> None:
        self.inning, self.outs, self.turns = inning, 0, 0
        self.on: dict[str, _Open] = {}
        self.stand: dict[int, _Open] = {}
        self.up: _Open | None = None
        self.half: list[_Open] = []
        self.home: list[_Home] = []
        self.owed = Counter[str]()
        self.runs = 0
        self.stealing = False

    # Events ------------------------------------------------------------------------------------------------------

    def take(self, event: Event) -> None:
        """Enter one event."""
        facts = event.facts
        if event.code == "half-inning":
            self.close()
            self.seat = facts["seat"]
            self._begin(facts["inning"])
            self.side.innings.append(self.inning)
            self.mound = ""
            return
        if "out" in facts and "batter" in facts and isinstance(facts["out"], str):
            self._replace(self.sides[facts["seat"]], facts["out"], facts["batter"])
        if self.seat is None:
            return
        self.stealing |= event.code == "stolen" or event.code.startswith(("steal-", "double-steal"))
        pitcher = facts.get("pitcher", "") or self.mound
        found = self._turn(event, pitcher) if facts.get("hit") or "turn" in facts else None
        for name in facts.get("retired", ()):
            self._retire(name, found, pitcher, event.code.startswith("caught"))
        for name in facts.get("runners", ()):
            self._come_home(name, facts.get("by", ""))
        if scored := facts.get("scored"):
            self._count(scored)

    @property
    def side(self) -> _Side:
        """The side at bat."""
        assert self.seat is not None
        return self.sides[self.seat]

    def _replace(self, side: _Side, out: str, name: str) -> None:
        """Put a player in another's place in the batting order, and on his base if he is on one."""
        side.instead[name] = out
        if out in side.row:
            side.place(name)
        if self.seat is not None and side is self.side and out in self.on:
            self.on[name] = self.on.pop(out)

    def _turn(self, event: Event, pitcher: str) -> _Open:
        """Open the box of a plate appearance."""
        facts, code = event.facts, event.code
        turn, name = facts.get("turn", ""), facts.get("batter", "")
        number = 1 + sum(1 for one in self.side.boxes if one.box.number)
        reaches = 1 if turn in ("walk", "hit-by-pitch") else 0
        opened = self._open(
            Box(
                number,
                self.inning,
                name,
                RESULTS.get(code) or TURNS.get(turn, "H"),
                ("at_bats", "hits") if facts.get("hit") else STATISTICS[turn],
                pitcher,
                base=REACHES.get(code, 1 if facts.get("hit") else reaches),
                driven_in=self.owed.pop(name, 0),
            )
        )
        if code == "fly-out" and turn == "sacrifice":
            opened.now(result="SF")
        self.turns += 1
        self.side.count(name, *opened.box.statistics)
        if name and opened.box.base:
            self.on[name] = opened
        if not name:
            self.up = opened
        self._pitched(pitcher, batters=1, **_allowed(opened.box.statistics))
        return opened

    def _open(self, box: Box) -> _Open:
        row = self.side.place(box.batter) if box.batter else self.turns % NINE
        opened = _Open(box, row, box.pitcher)
        self.side.boxes.append(opened)
        self.half.append(opened)
        return opened

    def _retire(self, name: str, turn: _Open | None, pitcher: str, caught: bool) -> None:
        """Enter an out: of the batter whose `turn` it is, or of a runner."""
        self.outs += 1
        self._pitched(pitcher, outs=1)
        if turn and name in (turn.box.batter, BASES[0]):
            turn.now(out=self.outs, base=0)
            self.on.pop(name, None)
            self.up = None
            return
        at = BASES.index(name) if name in BASES else 0
        runner = self.stand.pop(at, None) if at and not self.on else self.on.pop(name, None)
        if runner:
            runner.now(out=self.outs, caught=caught)
            if turn and turn.box.base == 1 and turn.box.result == RESULTS["fielders-choice"]:
                turn.charged = runner.charged

    def _come_home(self, name: str, by: str) -> None:
        """Bring a runner home; his run may count later."""
        runner = self.on.pop(name, None)
        if runner is None:
            able = (one for one in reversed(self.half) if one.box.batter == name and one.box.base < 4)
            runner = next((one for one in able if not one.box.out), None) or self._open(Box(0, self.inning, name, ""))
        runner.now(base=4)
        batter = next((one for one in reversed(self.half) if one.box.batter == by and one.box.number), None)
        self.home.append(_Home(runner, name, batter, by))

    def _count(self, scored: int) -> None:
        """Put runs on the board."""
        for one in self.home:
            self.side.count(one.name, "runs")
            if one.by:
                self.side.count(one.by, "driven_in")
            if one.batter:
                one.batter.now(driven_in=one.batter.box.driven_in + 1)
            elif one.by:
                self.owed[one.by] += 1
            self._score(one.box)
        if not self.home:
            self.runs += scored
        self.home = []

    def _score(self, runner: _Open | None) -> None:
        if runner is None:
            self.side.loose += 1
            self._pitched(self.mound, runs=1)
        else:
            runner.now(scored=True, base=4)
            self._pitched(runner.charged, runs=1)

    def _pitched(self, name: str, **did: int) -> None:
        if name and self.seat:
            self.sides[other(self.seat)].pitchers.setdefault(name, Counter()).update(did)

    # Boards ------------------------------------------------------------------------------------------------------

    def look(self, board: Scoreboard) -> None:
        """Enter where the runners stand after an answer."""
        if self.seat is None or not (board.batting == self.seat and board.inning == self.inning):
            self._settle(())
            return
        taken = {base: name for base, name in enumerate(board.bases, 1) if name}
        if self.stand or self.up or self.runs:
            self._settle(sorted(taken, reverse=True))
        else:
            for base, name in taken.items():
                self._stands(name, base)
        self.stealing = False
        self.mound = board.pitcher or ""

    def _stands(self, name: str, base: int) -> None:
        runner = self.on.get(name)
        if runner is None:
            runner = self.on[name] = self._open(Box(0, self.inning, name, "", start=base, base=base))
        stole = self.stealing and base > runner.box.base
        runner.now(base=base, steals=(*runner.box.steals, base) if stole else runner.box.steals)

    def _settle(self, taken: Sequence[int]) -> None:
        """Move runners without names: nobody passes the runner ahead, so those who came home are the first of them.

        `taken` are the bases with runners, the lead runner's first; empty if they are not known any more.
        """
        line = [self.stand[base] for base in sorted(self.stand, reverse=True)]
        if self.up and self.up.box.base:
            line.append(self.up)
        for _ in range(self.runs):
            self._score(line.pop(0) if line else None)
        if len(line) == len(taken):
            for base, runner in zip(taken, line, strict=True):
                runner.now(base=base)
            self.stand = dict(zip(taken, line, strict=True))
        self.up, self.runs = None, 0

    def close(self) -> None:
        """Close the half-inning: mark its last box, and give runs batted in to batters who did not finish."""
        if self.seat is None:
            return
        self._settle(())
        for name, runs in self.owed.items():
            self._open(Box(0, self.inning, name, "")).now(driven_in=runs)
        self.owed = Counter()
        last = next((one for one in reversed(self.half) if one.box.number), None)
        if last:
            last.now(ends=True)

    # The sheet ---------------------------------------------------------------------------------------------------

    def sheet(self, seat: Seat) -> Sheet:
        """Return the scorecard of a side as it stands."""
        side = self.sides[seat]
        named = bool(side.names)
        count = len(side.names) if named else 1 + max((one.row for one in side.boxes), default=-1)
        passes: dict[int, int] = dict.fromkeys(side.innings, 1)
        placed: list[tuple[int, int, Box]] = []
        seen = Counter[tuple[int, int]]()
        for one in side.boxes:
            again = seen[one.box.inning, one.row]
            seen[one.box.inning, one.row] += 1
            passes[one.box.inning] = max(passes[one.box.inning], again + 1)
            placed.append((one.row, again, one.box))
        columns = tuple(inning for inning, wide in passes.items() for _ in range(wide))
        rows: list[dict[int, Box]] = [{} for _ in range(count)]
        for row, again, box in placed:
            rows[row][columns.index(box.inning) + again] = box
        total = added(one.box for one in side.boxes)
        return Sheet(
            seat,
            columns,
            tuple(Row(tuple(side.names[at]) if named else (), boxes) for at, boxes in enumerate(rows)),
            replace(total, runs=total.runs + side.loose),
            {name: Batting(**did) for name, did in side.batters.items()},
            tuple(Pitching(name, **did) for name, did in side.pitchers.items()),
            side.loose,
        )


def _allowed(statistics: tuple[str, ...]) -> dict[str, int]:
    """Return what a plate appearance counts as for the pitcher."""
    return {what: 1 for what in statistics if what in ("hits", "walks", "strikeouts")}
