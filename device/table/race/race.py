"""The open race at the table: calls, dice, verdict, and its state in words."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from device.storage.store import StoreError
from device.table.entry.answer_entry import AnswerEntry, ChoiceEntry, CursorPosition
from device.table.entry.seat_entries import SeatEntries
from device.table.live_game import RETRY_DELAY_S, GameChange, LiveGame
from device.table.race.referee import RaceSeatState, Referee
from engine.asks import Ask, Call
from engine.dice import Face
from engine.errors import EngineError, IllegalAnswer, InvalidAnswer, StaleAnswer, WrongSeat
from engine.events import spoken_list
from engine.game import RaceRules
from engine.journal import Answer, Source
from engine.seats import Seat
from engine.views import DieConfirmationView, RaceSeatView, RaceView
from vision.matching import WantedDie
from vision.tray.tracker import ShownDie

FALSE_CALL = "false-call"
"""Confirmation of a false call, in place of a face."""

VOID_CALL_TEXTS = {
    "unrolled": "I haven't seen the {die} roll: roll it in the tray, then call.",
    "early": "Called before the die stopped: roll again.",
    "again": "You haven't rolled again: roll the {die} first.",
    "loses": "That did not win: roll again.",
    "false": "A false call: roll again.",
}
"""Reason why a call did not count, and the next step."""

CONFIRM_QUESTIONS = {
    "": "{seat} called: what does the die show?",
    "gone": "{seat} called, and I see no {die}: what does it show?",
    "unsure": "{seat} called, and the camera isn't sure: what does the die show?",
}
"""Question to the table for each outcome of the camera."""


class RaceControl:
    """At most one open race of `game`. Its confirmation is set in `entries`."""

    def __init__(self, game: LiveGame, entries: SeatEntries) -> None:
        self._game, self._entries = game, entries
        self.open: OpenRace | None = None
        """The open race. Needs the game's lock."""
        self.ended = -math.inf
        """When the last race ended."""

    @property
    def wanted_dice(self) -> Mapping[Seat, WantedDie] | None:
        """Dice of the open race by seat, a new object for each race, or None."""
        race = self.open
        return None if race is None else race.wanted

    @property
    def has_call(self) -> bool:
        return self.open is not None and bool(self.open.sources)

    def is_call_ask(self, seat: Seat, n: int) -> bool:
        return self.open is not None and self.open.n.get(seat) == n

    def call_in_race(self, seat: Seat, n: int, when: float | None, source: Source) -> None:
        """Call for a seat in the race with ask `n`, at `when` seconds of the game's clock (None: now).

        Raises StaleAnswer if that race is over, WrongSeat for the other side's call.
        """
        with self._game.publish_change():
            race = self.open
            if race is None or n not in race.n.values():
                raise StaleAnswer("No race is on.")
            if race.n.get(seat) != n or (source is Source.MANAGER) != (seat in self._game.settings.managers):
                raise WrongSeat("The other side has to call that.")
            race.record_call(seat, self._game.clock() if when is None else when, source)
            self.poll_verdict()

    def confirm_call(self, seat: Seat, value: Any, operator: bool = False) -> None:
        """Confirm the face of a seat's die at its call, or `FALSE_CALL`.

        Raises IllegalAnswer unless the table asks for it. The operator may confirm at any time.
        """
        with self._game.publish_change():
            assert self.open is not None
            if self.open.asking != seat and not operator:
                raise IllegalAnswer("Just call: you enter what the die shows only if the camera isn't sure.")
            self.open.confirm_call(seat, value, self._game.clock())
            self.poll_verdict()

    def record_dice(self, when: float, shown: Mapping[Seat, ShownDie], source: Source = Source.CAMERA) -> None:
        """Record the dice of the race, as a camera saw them at `when` seconds of the game's clock.

        Nobody throws a managed seat's die, so its manager reports it as `source`.
        """
        with self._game.lock:
            if self.open is None:
                return
            managed = self._game.settings.managers.keys()
            theirs = self.open.n.keys() & (managed if source is Source.MANAGER else self.open.n.keys() - managed)
            for seat in theirs & shown.keys():
                self.open.referee.record_picture(seat, when, shown[seat])
            self.poll_verdict()

    def poll_verdict(self) -> bool:
        """Submit a verdict or publish a changed race, about ten times a second. Returns True while a race is open."""
        with self._game.lock:
            race, now = self.open, self._game.clock()
            if race is None:
                return False
            verdict = race.referee.verdict(now)
            if verdict is not None and now >= race.hold:
                race.hold = now + RETRY_DELAY_S
                with self._game.publish_change():
                    try:
                        answer = Answer(verdict.seat, race.n[verdict.seat], verdict.face)
                        self._game.submit_entry(answer, race.sources.get(verdict.seat, Source.CAMERA))
                    except (EngineError, StoreError) as error:
                        self._game.notices.show_notice(str(error), RETRY_DELAY_S)
            elif race.update_state(now):
                with self._game.publish_change():
                    if race.entry is not self._entries.shown:
                        self._entries.set_only_entry(race.asking, race.entry)
            return True

    def handle_change(self, change: GameChange) -> None:
        """End a race whose calls are no longer asked, and open a new one."""
        asks, now = dict(self._game.live.open_asks()), self._game.clock()
        if self.open is not None and (change.new or not asks.keys() & self.open.n.values()):
            self.open, self.ended = None, now
        if self.open is None:
            table = self._game.live
            self.open = OpenRace.from_asks(asks.items(), table.game.race(table.house), now)


class OpenRace:
    """A race that opened at `now`, with its asks by number and the `rules` that decide it."""

    def __init__(self, asks: Sequence[tuple[int, Call]], rules: RaceRules, now: float) -> None:
        self.calls = {ask.seat: ask for _, ask in asks}
        self.n = {ask.seat: n for n, ask in asks}
        self.wanted = {seat: WantedDie(ask.die.kind, ask.die.colour, ask.die.owner) for seat, ask in self.calls.items()}
        """The dice to track, by seat."""
        self.referee = Referee(
            {seat: ask.wins for seat, ask in self.calls.items()},
            now,
            rules.tie_s,
            rules.by_die,
        )
        self._silent = rules.silent
        self.sources: dict[Seat, Source] = {}
        """Input of each seat's call."""
        self.hold = 0.0
        """When to retry a verdict that could not be stored."""
        self.asking: Seat | None = None
        """The seat that must confirm its call, if any. `entry` is its button entry."""
        self.entry: AnswerEntry | None = None
        self.shown = self._race_view(now, None)
        """Public state of the race."""

    @staticmethod
    def from_asks(asks: Iterable[tuple[int, Ask]], rules: RaceRules, now: float) -> OpenRace | None:
        calls = [(n, ask) for n, ask in asks if isinstance(ask, Call)]
        return OpenRace(calls, rules, now) if calls else None

    def record_call(self, seat: Seat, when: float, source: Source) -> None:
        """Record a seat's call. Raises IllegalAnswer if only the camera decides."""
        if self._silent:
            raise IllegalAnswer("The camera decides this race: roll, and nobody calls.")
        self.sources[seat] = source
        self.referee.record_call(seat, when)

    def confirm_call(self, seat: Seat, value: Any, now: float) -> None:
        """Confirm the face of a seat's die, or `FALSE_CALL`. Raises InvalidAnswer."""
        self.referee.confirm_call(seat, now, self._confirmed_face(seat, value))

    def update_state(self, now: float) -> bool:
        """Update the state of the race. Returns True if it changed."""
        if (asked := self.referee.seat_to_confirm(now)) != self.asking:
            self.asking, self.entry = asked, None if asked is None else self._confirmation_entry(asked)
        before, self.shown = self.shown, self._race_view(now, asked)
        return self.shown != before

    def _confirmation_entry(self, seat: Seat) -> AnswerEntry:
        """Build the entry to confirm a seat's face at its call. Its first position cannot be accepted."""
        faces = [CursorPosition(face, f"It shows {face}") for face in self.calls[seat].wins]
        return ChoiceEntry(
            self.n[seat],
            seat,
            [CursorPosition("", "Turn to your die"), *faces, CursorPosition(FALSE_CALL, "False call")],
        )

    def _confirmed_face(self, seat: Seat, value: Any) -> Face | None:
        """The confirmed face, None for a false call. Raises InvalidAnswer."""
        if value == FALSE_CALL:
            return None
        for face in self.calls[seat].die.faces:
            if type(face) is type(value) and face == value:
                return face
        raise InvalidAnswer(f"Say what the die shows: one of its faces, or {FALSE_CALL}.")

    def _race_view(self, now: float, asked: Seat | None) -> RaceView:
        seats, confirm = dict[Seat, RaceSeatView](), None
        for seat, ask in self.calls.items():
            standing = self.referee.seat_state(seat, now)
            words = _seat_text(standing, die := f"{ask.die.colour or ''} die".strip(), ask.wins)
            seats[seat] = RaceSeatView(ask.wins, standing.face, standing.state, words)
            if seat == asked:
                question = CONFIRM_QUESTIONS[standing.why].format(seat=seat.capitalize(), die=die)
                confirm = DieConfirmationView(seat, self.n[seat], question)
        return RaceView(dict(self.n), seats, confirm)


def _seat_text(standing: RaceSeatState, die: str, wins: tuple[Face, ...]) -> str:
    match standing.state:
        case "void":
            return VOID_CALL_TEXTS[standing.why].format(die=die)
        case "confirm":
            return f"Called: enter what the {die} shows."
        case "called" if standing.face in wins:
            return f"A {standing.face}: it counts if nobody was first."
        case "called":
            return "Called: looking at the die."
        case "ready":
            return f"A {standing.face}: call it!"
    if standing.face is not None:
        return f"A {standing.face}: roll again."
    return f"Roll the {die}: {spoken_list(wins, 'or')} wins."
