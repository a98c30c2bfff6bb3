"""Who won a race: calls and what the dice show come in, with their times; the verdict goes out. Pure.

All times are seconds of one clock. Whatever the order in which things of the same times are told, the verdict is the
same: nothing is decided before what could still come in has come.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right, insort
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from engine.dice import Face
from engine.seats import Seat
from vision.tray.tracker import GONE, MOVING, UNSURE, RestingFace, ShownDie

GRACE = 0.3
"""Seconds after a race began in which a press is no call: it was meant for what was asked before."""

LATE = 0.1
"""Seconds a call may be told after it was made: buttons are looked at every twentieth of a second at the latest."""

LAG = 0.5
"""Seconds a picture may be told after it was taken: reading it takes that long at the most."""

PATIENCE = 1.5
"""Seconds after a call at which the table is asked what the die showed, if no picture told it by then."""

State = Literal["rolling", "ready", "void", "called", "confirm"]


@dataclass(frozen=True, slots=True)
class RaceStanding:
    """How one seat stands in a race.

    "rolling": its die must be rolled, or rolls. "ready": it lies and wins, and is not called. "void": its last call did
    not count, for the reason `why` ("early", "again" not rolled since the last, "loses", "false"), and it must be
    rolled anew. "called": a call may still be backed, or be beaten by another. "confirm": nothing told what the die
    showed, so the table must; `why` is "gone" where no such die was seen, "unsure" where it was, "" without pictures.
    `face` is what the rolled die shows, None while that is not known; a die that wins shows it while it is hidden.
    """

    state: State
    face: Face | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class RaceVerdict:
    """Who won, and the face that backs it."""

    seat: Seat
    face: Face


@dataclass(frozen=True, slots=True)
class _Claim:
    """A seat's first call that was not void, when it was made, and the face that backs it.

    Without a face it waits, or is to be confirmed by the table where `asked`; `why`: see `RaceStanding`.
    """

    when: float
    face: Face | None = None
    asked: bool = False
    why: str = ""


@dataclass(frozen=True, slots=True)
class _Void:
    """The last roll that does not count any more, and why the call that used it up did not."""

    roll: int
    why: str = ""


class _Film:
    """What one die showed, picture by picture, and which of its rolls that was; 0 is how it lay at first."""

    def __init__(self) -> None:
        self.frames: list[tuple[float, ShownDie]] = []
        self.rests: list[tuple[float, RestingFace]] = []
        """Where it lay, each with the first picture of it."""
        self.flies = False
        """Whether it moved when last it was seen."""
        self._flights: list[float] = []

    def see(self, when: float, shown: ShownDie) -> None:
        """Take a picture in, where it belongs by its time."""
        if not self.frames or when >= self.frames[-1][0]:
            self._add(when, shown)
            return
        frames, self.frames, self.rests, self.flies, self._flights = self.frames, [], [], False, []
        insort(frames, (when, shown), key=lambda one: one[0])
        for one in frames:
            self._add(*one)

    def _add(self, when: float, shown: ShownDie) -> None:
        self.frames.append((when, shown))
        if shown == MOVING and not self.flies:
            self._flights.append(when)
            self.flies = True
        elif isinstance(shown, RestingFace):
            self.flies = False
            if not self.rests or self.rests[-1][1] != shown:
                self.rests.append((when, shown))

    def roll(self, when: float) -> int:
        """The number of the roll that came to lie, or flies, at a time; hidden and found again it is no other."""
        return bisect_right(self._flights, when)

    def before(self, when: float) -> RestingFace | None:
        """How it last lay, as pictures before a time tell."""
        place = bisect_left(self.rests, when, key=lambda one: one[0])
        return self.rests[place - 1][1] if place else None

    def since(self, when: float) -> Sequence[tuple[float, ShownDie]]:
        """The pictures from a time on that may tell of a call made then."""
        first = bisect_left(self.frames, when, key=lambda one: one[0])
        last = bisect_right(self.frames, when + PATIENCE - LAG, key=lambda one: one[0])
        return self.frames[first:last]


class Referee:
    """One race, which began at `opened`. `wins` are the faces that win, by seat.

    The first call counts that a die backs which lay still by then, showed a winning face and was not called before: a
    call that was void needs a new roll, and so does the die that lay there as the race began. Calls that are up to
    `window` seconds apart are simultaneous, which is home's race (BN-098). `by_die`: the first winning die wins as if
    called the moment it lay still; calls count too, should the camera not see it. The `now` of all methods must grow.
    """

    def __init__(
        self, wins: Mapping[Seat, Sequence[Face]], opened: float, window: float = 0.04, by_die: bool = False
    ) -> None:
        self._wins = {seat: tuple(faces) for seat, faces in wins.items()}
        self._opened, self._window, self._by_die = opened, window, by_die
        self._calls: dict[Seat, list[float]] = {seat: [] for seat in wins}
        self._films = {seat: _Film() for seat in wins}
        self._said: dict[tuple[Seat, float], Face | None] = {}
        self._voids = {seat: _Void(0) for seat in wins}
        """What came of the calls that are so old that nothing can change it: they are forgotten."""

    # What is told ------------------------------------------------------------------------------------------------

    def call(self, seat: Seat, when: float) -> None:
        """A seat called out at `when`; in the first `GRACE` that is nothing. Raises KeyError if it does not race."""
        calls = self._calls[seat]
        if when >= self._opened + GRACE:
            insort(calls, when)

    def see(self, seat: Seat, when: float, shown: ShownDie) -> None:
        """What a seat's die shows in the picture that was taken at `when`. Raises KeyError as `call` does."""
        self._films[seat].see(when, shown)

    def confirm(self, seat: Seat, now: float, face: Face | None) -> None:
        """The table says what the die of a seat's call showed, None: it was a false call.

        Where no call of it stands, a face is a call made and confirmed now. Not checked: whether the table was asked.
        """
        claim, _ = self._claim(seat, now)
        if claim is None and face is None:
            return
        when = now if claim is None else claim.when
        self._said[seat, when] = face
        # Presses while the table was asked are no calls; those before that may be the true ones.
        self._calls[seat] = [call for call in self._calls[seat] if call < when + PATIENCE and call != when]
        insort(self._calls[seat], when)

    # What comes of it --------------------------------------------------------------------------------------------

    def standing(self, seat: Seat, now: float) -> RaceStanding:
        """How a seat stands at `now`."""
        claim, void = self._claim(seat, now)
        film = self._films[seat]
        rest = film.rests[-1][1] if film.rests else None
        face, lay = (None, 0) if rest is None else (rest.face, film.roll(rest.since))
        wins = face in self._wins[seat] and lay > void.roll
        if lay == 0 or (film.flies and not wins):
            face = None
        if claim is not None:
            return RaceStanding("confirm" if claim.asked else "called", claim.face or face, claim.why)
        if void.why and (film.roll(math.inf) if film.flies else lay) <= void.roll:
            return RaceStanding("void", face, void.why)
        return RaceStanding("ready" if wins else "rolling", face)

    def verdict(self, now: float) -> RaceVerdict | None:
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
        film, calls, void = self._films[seat], self._calls[seat], self._voids[seat]
        if self._by_die:
            for _, rest in film.rests:
                if rest.face in self._wins[seat] and film.roll(rest.since):
                    return _Claim(rest.since, rest.face), void
        claim, old = None, 0
        for when in calls:
            fate = self._fate(seat, when, void.roll, now)
            if isinstance(fate, _Claim):
                claim = fate
                break
            void = fate
            if when <= now - PATIENCE:
                old, self._voids[seat] = old + 1, void
        del calls[:old]
        return claim, void

    def _fate(self, seat: Seat, when: float, spent: int, now: float) -> _Claim | _Void:
        """What comes of one call; `spent` is the last roll that does not count any more."""
        wins, film = self._wins[seat], self._films[seat]
        if (seat, when) in self._said:
            face = self._said[seat, when]
            if face in wins and face is not None:
                return _Claim(when, face)
            return _Void(film.roll(when + PATIENCE - LAG), "false")
        lay, why = film.before(when), ""
        # A die that won may only be hidden, or have been taken up since: that is for people to say.
        held = lay is not None and lay.face in wins and film.roll(lay.since) > spent
        for at, shown in film.since(when):
            if shown in (GONE, UNSURE):
                why = str(shown)
            elif isinstance(shown, RestingFace) and shown.since <= when:
                roll = film.roll(shown.since)
                if roll <= spent:
                    return _Void(spent, "again")
                return _Claim(when, shown.face) if shown.face in wins else _Void(roll, "loses")
            elif not held:
                return _Void(film.roll(shown.since if isinstance(shown, RestingFace) else at), "early")
            else:
                why = UNSURE
        return _Claim(when, asked=now >= when + PATIENCE, why=why)


def _verdict(seat: Seat, claim: _Claim, over: bool) -> RaceVerdict | None:
    """The verdict for a seat whose claim none can beat, once it is backed and the time for others is `over`."""
    return RaceVerdict(seat, claim.face) if over and claim.face is not None else None


def _micros(seconds: float) -> int:
    """Whole microseconds: sums of decimal fractions of a second are not exact."""
    return round(seconds * 1e6)
