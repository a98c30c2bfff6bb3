"""Who won a race: calls and what the dice show come in, with their times; the verdict goes out. Pure.

All times are seconds of one clock. Whatever the order in which things of the same times are told, the verdict is the
same: nothing is decided before what could still come in has come.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from engine.dice import Face, Seat
from vision.follow import MOVING, UNSURE, Rest, Shown

LATE = 0.1
"""Seconds a call may be told after it was made: buttons are looked at every twentieth of a second at the latest."""

LAG = 0.5
"""Seconds a picture may be told after it was taken: reading it takes that long at the most."""

PATIENCE = 1.5
"""Seconds after a call at which the table is asked what the die showed, if no picture told it by then."""

State = Literal["rolling", "ready", "void", "called", "confirm"]


@dataclass(frozen=True, slots=True)
class Standing:
    """How one seat stands in a race.

    "rolling": its die must be rolled, or rolls. "ready": it lies and wins, and is not called. "void": its last call did
    not count, for the reason `why` ("early", "again" not rolled since the last, "loses", "false"), and it must be
    rolled anew. "called": a call may still be backed, or be beaten by another. "confirm": nothing told what the die
    showed, so the table must. `face` is what the rolled die shows, None while that is not known.
    """

    state: State
    face: Face | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Who won, and the face that backs it."""

    seat: Seat
    face: Face


@dataclass(frozen=True, slots=True)
class _Claim:
    """A seat's first call that was not void, when it was made, and the face that backs it.

    Without a face it waits, or is to be confirmed by the table where `asked`.
    """

    when: float
    face: Face | None = None
    asked: bool = False


@dataclass(frozen=True, slots=True)
class _Void:
    """The last roll that does not count any more, and why the call that used it up did not."""

    roll: int
    why: str = ""


class Referee:
    """One race. `wins` are the faces that win, by seat.

    The first call counts that a die backs which lay still by then, showed a winning face and was not called before: a
    call that was void needs a new roll, and so does the die that lay there as the race began. Calls that are up to
    `window` seconds apart are simultaneous, which is home's race (BN-098). `by_die`: the first winning die wins as if
    called the moment it lay still; calls count too, should the camera not see it.
    """

    def __init__(self, wins: Mapping[Seat, Sequence[Face]], window: float = 0.04, by_die: bool = False) -> None:
        self._wins = {seat: tuple(faces) for seat, faces in wins.items()}
        self._window, self._by_die = window, by_die
        self._calls: dict[Seat, list[float]] = {seat: [] for seat in wins}
        self._seen: dict[Seat, list[tuple[float, Shown]]] = {seat: [] for seat in wins}
        self._said: dict[tuple[Seat, float], Face | None] = {}
        self._numbered: dict[Seat, list[tuple[float, Shown, int]]] = {}

    # What is told ------------------------------------------------------------------------------------------------

    def call(self, seat: Seat, when: float) -> None:
        """A seat called out at `when`. Raises KeyError for one that does not race."""
        insort(self._calls[seat], when)

    def see(self, seat: Seat, when: float, shown: Shown) -> None:
        """What a seat's die shows in the picture that was taken at `when`. Raises KeyError as `call` does."""
        insort(self._seen[seat], (when, shown), key=lambda one: one[0])
        self._numbered.pop(seat, None)

    def confirm(self, seat: Seat, now: float, face: Face | None) -> None:
        """The table says what the die of the call that is to be confirmed showed, None: it was a false call.

        Not checked: that one is to be confirmed; nothing happens then.
        """
        claim, _ = self._claim(seat, now)
        if claim is not None and claim.asked:
            self._said[seat, claim.when] = face
            # Impatient presses while the table was asked are no calls.
            self._calls[seat] = [when for when in self._calls[seat] if when <= claim.when]

    # What comes of it --------------------------------------------------------------------------------------------

    def standing(self, seat: Seat, now: float) -> Standing:
        """How a seat stands at `now`."""
        claim, void = self._claim(seat, now)
        rolls = self._rolls(seat)
        shown, roll = rolls[-1][1:] if rolls else (UNSURE, 0)
        face = shown.face if isinstance(shown, Rest) and roll else None
        if claim is not None:
            return Standing("confirm" if claim.asked else "called", claim.face or face)
        if void.why and roll <= void.roll:
            return Standing("void", face, void.why)
        return Standing("ready" if face in self._wins[seat] else "rolling", face)

    def verdict(self, now: float) -> Verdict | None:
        """Who won, once nothing can come in any more that would change it."""
        home, away = self._claims(now)
        lag = LAG if self._by_die else LATE
        if home is not None and (away is None or _micros(home.when - away.when) <= _micros(self._window)):
            return _verdict("home", home, now >= home.when - self._window + lag)
        if away is not None:
            return _verdict("away", away, now >= away.when + self._window + lag)
        return None

    def asked(self, now: float) -> Seat | None:
        """Whose call the table is to confirm: of two the earlier, home's where they are of one moment."""
        home, away = self._claims(now)
        if home is None or not home.asked or (away is not None and away.asked and away.when < home.when):
            return "away" if away is not None and away.asked else None
        return "home"

    # Machinery ---------------------------------------------------------------------------------------------------

    def _claims(self, now: float) -> tuple[_Claim | None, _Claim | None]:
        """Home's claim and away's."""
        home, away = (self._claim(seat, now)[0] if seat in self._wins else None for seat in ("home", "away"))
        return home, away

    def _claim(self, seat: Seat, now: float) -> tuple[_Claim | None, _Void]:
        """A seat's first call that was not void; and the last void one before it."""
        rolls, void = self._rolls(seat), _Void(0)
        if self._by_die:
            for _, shown, roll in rolls:
                if roll and isinstance(shown, Rest) and shown.face in self._wins[seat]:
                    return _Claim(shown.since, shown.face), void
        for when in self._calls[seat]:
            fate = self._fate(seat, when, rolls, void.roll, now)
            if isinstance(fate, _Claim):
                return fate, void
            void = fate
        return None, void

    def _fate(
        self, seat: Seat, when: float, rolls: Sequence[tuple[float, Shown, int]], spent: int, now: float
    ) -> _Claim | _Void:
        """What comes of one call; `spent` is the last roll that does not count any more."""
        wins, last, held = self._wins[seat], 0, False
        for at, shown, roll in rolls:
            if at > when + PATIENCE - LAG:
                break
            last = roll
            if shown == UNSURE or (at >= when and (seat, when) in self._said):
                continue
            if at < when:
                held = isinstance(shown, Rest) and shown.face in wins and roll > spent
            elif isinstance(shown, Rest) and shown.since <= when:
                if roll <= spent:
                    return _Void(spent, "again")
                return _Claim(when, shown.face) if shown.face in wins else _Void(roll, "loses")
            elif not held:
                return _Void(roll, "early")
            # A die that won just before may only be hidden, or have been taken up since: that is for people to say.
        if (seat, when) in self._said:
            face = self._said[seat, when]
            return _Claim(when, face) if face in wins and face is not None else _Void(last, "false")
        return _Claim(when, asked=now >= when + PATIENCE)

    def _rolls(self, seat: Seat) -> list[tuple[float, Shown, int]]:
        """What a seat's die showed, in the order of time, each with the number of its roll."""
        if seat not in self._numbered:
            self._numbered[seat] = list(_numbered(self._seen[seat]))
        return self._numbered[seat]


def _numbered(seen: Sequence[tuple[float, Shown]]) -> Iterator[tuple[float, Shown, int]]:
    """What a die showed with the number of its roll; 0 is how it lay at first."""
    roll = count = 0
    flies = False
    lay: dict[float, int] = {}
    for when, shown in seen:
        if shown == MOVING and not flies:
            roll = count = count + 1
            flies = True
        elif isinstance(shown, Rest):
            # Lying there since before it seemed to move, it was only hidden.
            roll = lay.setdefault(shown.since, roll)
            flies = False
        yield when, shown, roll


def _verdict(seat: Seat, claim: _Claim, over: bool) -> Verdict | None:
    """The verdict for a seat whose claim none can beat, once it is backed and the time for others is `over`."""
    return Verdict(seat, claim.face) if over and claim.face is not None else None


def _micros(seconds: float) -> int:
    """Whole microseconds: sums of decimal fractions of a second are not exact."""
    return round(seconds * 1e6)
