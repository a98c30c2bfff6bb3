"""A race at the table: its referee, what is asked of whom, and how it stands in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from device.table.answer_entry import AnswerEntry, ChoiceEntry, Position
from device.table.race_referee import RaceStanding, Referee
from engine.asks import Ask, Call
from engine.dice import Face
from engine.errors import IllegalAnswer, InvalidAnswer
from engine.events import spoken
from engine.seats import Seat
from engine.views import ConfirmView, RaceView, RunnerView
from vision.matching import Wanted

FALSE = "false-call"
"""What is answered, instead of a face, where a call was false."""

VOID = {
    "early": "Called before it lay still: roll again.",
    "again": "Not rolled since: roll the {die} first.",
    "loses": "That did not win: roll again.",
    "false": "A false call: roll again.",
}
"""Why a call did not count, and what to do."""

ASKED = {
    "": "{seat} called: what does the die show?",
    "gone": "{seat} called, and I see no {die}: what does it show?",
    "unsure": "{seat} called, and the camera is not sure: what does the die show?",
}
"""What the table is asked, by what the camera knows."""


class OpenRace:
    """A race that is open since `now`: `asks` are its calls with their numbers, `house` its game's house rules."""

    def __init__(self, asks: Sequence[tuple[int, Call]], house: Mapping[str, str], now: float) -> None:
        self.calls = {ask.seat: ask for _, ask in asks}
        self.n = {ask.seat: n for n, ask in asks}
        self.wanted = {seat: Wanted(ask.die.kind, ask.die.colour, ask.die.owner) for seat, ask in self.calls.items()}
        """The dice to look for, by seat."""
        self.referee = Referee(
            {seat: ask.wins for seat, ask in self.calls.items()},
            now,
            float(house.get("raceTieWindowMs", 40)) / 1000,
            house.get("raceDecidedBy") == "die" or house.get("raceReferee") == "camera",
        )
        self._silent = house.get("raceReferee") == "camera"
        self.sources: dict[Seat, str] = {}
        """Which hand each seat called with."""
        self.hold = 0.0
        """When a verdict that could not be kept is tried again."""
        self.asking: Seat | None = None
        """Whose call the table is asked to confirm, and the dial to do it on."""
        self.dial: AnswerEntry | None = None
        self.shown = self._view(now, None)
        """How the race stands, for everybody."""

    @staticmethod
    def of(asks: Iterable[tuple[int, Ask]], house: Mapping[str, str], now: float) -> OpenRace | None:
        """The race that these open asks are, if they are one."""
        calls = [(n, ask) for n, ask in asks if isinstance(ask, Call)]
        return OpenRace(calls, house, now) if calls else None

    def call(self, seat: Seat, when: float, source: str) -> None:
        """A seat called out. Raises IllegalAnswer where the camera alone referees."""
        if self._silent:
            raise IllegalAnswer("The camera decides this race: roll, nobody calls.")
        self.sources[seat] = source
        self.referee.call(seat, when)

    def confirm(self, seat: Seat, value: Any, now: float) -> None:
        """What the table says that a seat's die showed, a face or FALSE. Raises InvalidAnswer."""
        self.referee.confirm(seat, now, self._said(seat, value))

    def look(self, now: float) -> bool:
        """See how the race stands at `now`. Returns whether anything changed."""
        if (asked := self.referee.asked(now)) != self.asking:
            self.asking, self.dial = asked, None if asked is None else self._question(asked)
        before, self.shown = self.shown, self._view(now, asked)
        return self.shown != before

    def _question(self, seat: Seat) -> AnswerEntry:
        """The dial on which a seat says what its die showed as it called; its first position is no answer."""
        faces = [Position(face, f"It shows {face}") for face in self.calls[seat].wins]
        return ChoiceEntry(
            self.n[seat], seat, [Position("", "Turn to your die"), *faces, Position(FALSE, "False call")]
        )

    def _said(self, seat: Seat, value: Any) -> Face | None:
        """A confirmation as the face that it tells, None for a false call. Raises InvalidAnswer."""
        if value == FALSE:
            return None
        for face in self.calls[seat].die.faces:
            if type(face) is type(value) and face == value:
                return face
        raise InvalidAnswer(f"Say what the die shows, a face of it, or {FALSE}.")

    def _view(self, now: float, asked: Seat | None) -> RaceView:
        seats, confirm = dict[Seat, RunnerView](), None
        for seat, ask in self.calls.items():
            standing = self.referee.standing(seat, now)
            words = _words(standing, die := f"{ask.die.colour or ''} die".strip(), ask.wins)
            seats[seat] = RunnerView(ask.wins, standing.face, standing.state, words)
            if seat == asked:
                question = ASKED[standing.why].format(seat=seat.capitalize(), die=die)
                confirm = ConfirmView(seat, self.n[seat], question)
        return RaceView(dict(self.n), seats, confirm)


def _words(standing: RaceStanding, die: str, wins: tuple[Face, ...]) -> str:
    match standing.state:
        case "void":
            return VOID[standing.why].format(die=die)
        case "confirm":
            return f"Called: say what the {die} shows."
        case "called" if standing.face in wins:
            return f"A {standing.face}: it counts if none was first."
        case "called":
            return "Called: looking at the die."
        case "ready":
            return f"A {standing.face}: call it!"
    if standing.face is not None:
        return f"A {standing.face}: roll again."
    return f"Roll the {die}: {spoken(wins, 'or')} wins."
