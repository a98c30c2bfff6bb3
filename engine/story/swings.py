"""The plays of the last game at a table, each with the change of win probability that it made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby

from engine.announcer.situation import capitalized_text, number_in_words
from engine.events import GAME_END_CODES, Event
from engine.scoreboard import PlayLogLine
from engine.seats import Seat
from engine.story_views import WinSwing, WinTrace
from engine.table import Table

MAX_TURNING_POINTS = 3
"""Turning points of one game."""

MIN_TURNING_POINT = 0.02
"""Least change of win probability that makes a play a turning point."""


@dataclass(frozen=True, slots=True)
class LoggedPlayEvent:
    """An event of the last game, with its line in the play log."""

    line: PlayLogLine
    event: Event


@dataclass(frozen=True, slots=True)
class PlayChange:
    """A play, from its first choice to its last throw, with home's win probability before and after it.

    A plate appearance is one play: the answers before its result belong to it, and so do throws at its runners. So
    are a steal, a decision to bank runs, and a half-inning of one roll.
    """

    events: Sequence[LoggedPlayEvent]
    key: LoggedPlayEvent | None
    """The event that decided it; None while it is not decided, and for choices before the first half-inning."""
    before: float
    after: float

    @property
    def home_change(self) -> float:
        return self.after - self.before


def last_game_plays(table: Table) -> list[LoggedPlayEvent]:
    """Return the events of the last game from its opening to its end, each with its line in the play log."""
    lines, log = table.play_log_lines(), table.log.read_new_events()
    start = log.games[-1] if log.games else 0
    played = [LoggedPlayEvent(line, logged.event) for line, logged in zip(lines[start:], log[start:], strict=True)]
    ends = (place for place, one in enumerate(played) if one.event.code in GAME_END_CODES)
    return played[: next(ends, len(played)) + 1]


def game_winner(table: Table, played: Sequence[LoggedPlayEvent]) -> Seat | None:
    """Return the side that won a game, None if it is not over or nobody won."""
    if not played or played[-1].event.code not in GAME_END_CODES:
        return None
    facts, sides = played[-1].event.facts, table.scoreboard().sides
    if facts.get("forfeit"):
        return next((seat for seat, side in sides.items() if side.name == facts.get("team")), None)
    away, home = sides["away"].runs, sides["home"].runs
    if away == home:
        winner: Seat | None = facts.get("seat")
        return winner
    return "home" if home > away else "away"


def play_changes(table: Table, trace: WinTrace) -> list[PlayChange]:
    """Return the plays of the last game at a table in order. Together they make the whole change of win probability.

    A change counts for the answer after which the trace has the new value. The end of a game counts as 1, 0 or 0.5.
    """
    played = last_game_plays(table)
    if not played or not trace:
        return []
    opened, over = played[0].line.n, played[-1].event.code in GAME_END_CODES
    told = {n: tuple(lines) for n, lines in groupby(played, lambda one: one.line.n)}
    last = played[-1].line.n if over else max(*told, *trace)
    known = {n: value for n, value in trace.items() if opened <= n <= last}
    if over:
        known[last] = {"home": 1.0, "away": 0.0, None: 0.5}[game_winner(table, played)]
    if not known:
        return []
    plays = _PlayGrouping(known[min(known)])
    for n in sorted({*known, *told}):
        plays.add_answer(told.get(n, ()), known.get(n))
    return plays.finish()


def biggest_swing(table: Table, trace: WinTrace) -> WinSwing | None:
    """Return the play of the last game that changed most so far, the later of two equal ones. None if there is none."""
    swings = _swings(table, trace)
    return max(reversed(swings), key=swing_size, default=None)


def turning_points(table: Table, trace: WinTrace) -> list[WinSwing]:
    """Return the plays that changed most, at most three, in the order of the game."""
    large = [swing for swing in _swings(table, trace) if swing_size(swing) >= MIN_TURNING_POINT]
    return sorted(sorted(large, key=swing_size)[-MAX_TURNING_POINTS:], key=lambda swing: swing.n)


def swing_size(swing: WinSwing) -> float:
    return swing.after - swing.before


def _swings(table: Table, trace: WinTrace) -> list[WinSwing]:
    found = []
    for play in play_changes(table, trace):
        if play.key is None or not play.home_change:
            continue
        line, event = play.key.line, play.key.event
        seat: Seat = "home" if play.home_change > 0 else "away"
        before, after = (play.before, play.after) if seat == "home" else (1 - play.before, 1 - play.after)
        sentence = capitalized_text(table.game.words.announcement_sentence(event, line.n) or line.sentence)
        if (runs := sum(one.line.scored for one in play.events)) and "scored" not in event.facts:
            sentence += f" {capitalized_text(number_in_words(runs, 'run'))} {'scores' if runs == 1 else 'score'}."
        found.append(WinSwing(line.n, line.inning, line.half, seat, sentence, before, after))
    return found


# Plays from answers --------------------------------------------------------------------------------------------------


def is_steal(event: Event) -> bool:
    """True if a runner stole a base or was caught."""
    return event.code == "stolen" or event.code.startswith(("steal-", "double-steal", "caught"))


def ends_plate_appearance(event: Event) -> bool:
    return bool(event.facts.get("hit") or "turn" in event.facts)


def batting_seat(line: PlayLogLine) -> Seat:
    return "away" if line.half == "top" else "home"


@dataclass(slots=True)
class _OpenPlay:
    """A play that may still get answers."""

    before: float
    after: float
    events: list[LoggedPlayEvent] = field(default_factory=list)
    changes: dict[int, float] = field(default_factory=dict)
    """The change of win probability by each answer with events."""
    batter: str = ""
    """The batter whose plate appearance has ended; throws at runners may follow."""
    decided: bool = False
    complete: bool = False

    def add_events(self, told: Sequence[LoggedPlayEvent]) -> None:
        for one in told:
            event = one.event
            if self.decided and _begins_play(event, self.batter):
                self.complete = True
            self.events.append(one)
            if ends_plate_appearance(event):
                self.batter, self.decided = event.facts.get("batter", ""), True
                self.complete = not self.batter  # without names, nothing tells whose throw it is
            elif _is_decisive(event):
                self.decided = True
                self.complete |= not self.batter
            if event.code == "half-inning" or event.code in GAME_END_CODES:
                self.complete = True

    def key_event(self) -> LoggedPlayEvent | None:
        """Return the decisive event of the answer that did most for the side that gained.

        Of one answer, that is the end of the plate appearance, or else the first one. A half-inning that ends without
        a decisive event has its first one of the side at bat.
        """
        gained = 1 if self.after >= self.before else -1
        inside = [one for one in self.events if one.event.code not in ("half-inning", "half-over", *GAME_END_CODES)]
        found = [one for one in inside if ends_plate_appearance(one.event)]
        found += [one for one in inside if one not in found and _is_decisive(one.event)]
        if not found and self.complete:
            found = [one for one in inside if one.line.seat == batting_seat(one.line)]
        return max(found, key=lambda one: gained * self.changes.get(one.line.n, 0.0), default=None)


def _is_decisive(event: Event) -> bool:
    return bool(event.facts.get("scored") or event.facts.get("retired") or is_steal(event))


def _begins_play(event: Event, batter: str) -> bool:
    """True if an event after a plate appearance of `batter` belongs to another play."""
    facts = event.facts
    if event.code == "half-inning" or ends_plate_appearance(event) or is_steal(event):
        return True
    return facts.get("batter", batter) != batter or ("scored" in facts and "batter" not in facts)


class _PlayGrouping:
    """Joins consecutive answers to plays."""

    def __init__(self, start: float) -> None:
        self._plays: list[PlayChange] = []
        self._open = _OpenPlay(start, start)
        self._begun = False
        """True from the first half-inning on."""

    def add_answer(self, told: Sequence[LoggedPlayEvent], value: float | None) -> None:
        """Add an answer with its events and home's win probability after it, None if that is not known."""
        if self._open.complete or (self._open.decided and told and _begins_play(told[0].event, self._open.batter)):
            self._close_play()
        change = 0.0 if value is None else value - self._open.after
        self._open.after += change
        if told:
            self._open.changes[told[0].line.n] = change
            self._open.add_events(told)

    def finish(self) -> list[PlayChange]:
        self._close_play()
        return self._plays

    def _close_play(self) -> None:
        play, begun = self._open, self._begun
        self._begun |= any(one.event.code == "half-inning" for one in play.events)
        key = play.key_event() if begun else None
        self._plays.append(PlayChange(tuple(play.events), key, play.before, play.after))
        self._open = _OpenPlay(play.after, play.after)
