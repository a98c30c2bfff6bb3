"""Decide the winner of a race from timed calls and pictures of the dice. Pure functions.

All times are seconds of one clock. The verdict does not depend on the order in which calls and pictures arrive, because
it waits until no earlier one can still arrive.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right, insort
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from engine.dice import Face
from engine.seats import Seat
from vision.tray.tracker import DIE_GONE, DIE_MOVING, DIE_UNSURE, RestingFace, ShownDie

GRACE_PERIOD_S = 0.3
"""A press this soon after the start belongs to the previous ask, in seconds."""

MAX_CALL_DELAY_S = 0.1
"""A call may arrive this long after it was made, in seconds. Buttons are polled at least every 0.05 s."""

MAX_PICTURE_DELAY_S = 0.5
"""A picture may arrive this long after it was taken, in seconds. Reading it takes no longer."""

CONFIRM_DELAY_S = 1.5
"""The table must confirm a call if no picture has shown the die for this long, in seconds."""

RacePhase = Literal["rolling", "ready", "void", "called", "confirm"]


@dataclass(frozen=True, slots=True)
class RaceSeatState:
    """The state of one seat in a race.

    "rolling": its die must be rolled, or is rolling.
    "ready": its die rests on a winning face, and the seat has not called.
    "void": its last call did not count, and the die must be rolled again. `why` is "unrolled" (the camera has not seen
        the die roll in this race), "early", "again" (not rolled since the last call), "loses" or "false".
    "called": a later picture may back the call, or another call may beat it.
    "confirm": no picture showed the die, so the table must enter its face. `why` is "gone" if no such die was seen,
        "unsure" if it was, "" without pictures.

    `face` is the face of the rolled die, None while unknown. A winning die keeps its face while it is hidden.
    """

    state: RacePhase
    face: Face | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class RaceVerdict:
    """The winner, and the face that backs the call."""

    seat: Seat
    face: Face


@dataclass(frozen=True, slots=True)
class _Claim:
    """Time of a seat's first valid call, and the face that backs it.

    Without a face the call waits for a picture, or the table must confirm it if `asked`. `why` as in `RaceSeatState`.
    """

    when: float
    face: Face | None = None
    asked: bool = False
    why: str = ""


@dataclass(frozen=True, slots=True)
class _VoidCall:
    """The last used roll, and the reason why its call was void."""

    roll: int
    why: str = ""


class _DieHistory:
    """Pictures of one die, and its count of rolls. Roll 0 is the position at the start."""

    def __init__(self) -> None:
        self.frames: list[tuple[float, ShownDie]] = []
        self.rests: list[tuple[float, RestingFace]] = []
        """Positions at rest, each with the time of its first picture."""
        self.flies = False
        """True if the die was moving when last seen."""
        self._roll_starts: list[float] = []

    def add_picture(self, when: float, shown: ShownDie) -> None:
        """Add a picture. A late one is sorted in by its time."""
        if not self.frames or when >= self.frames[-1][0]:
            self._append_picture(when, shown)
            return
        frames, self.frames, self.rests, self.flies, self._roll_starts = self.frames, [], [], False, []
        insort(frames, (when, shown), key=lambda one: one[0])
        for one in frames:
            self._append_picture(*one)

    def _append_picture(self, when: float, shown: ShownDie) -> None:
        self.frames.append((when, shown))
        if shown == DIE_MOVING and not self.flies:
            self._roll_starts.append(when)
            self.flies = True
        elif isinstance(shown, RestingFace):
            self.flies = False
            if not self.rests or self.rests[-1][1] != shown:
                self.rests.append((when, shown))

    def roll_number(self, when: float) -> int:
        """Number of the roll at a time. A die that was hidden and found again is the same roll."""
        return bisect_right(self._roll_starts, when)

    def rest_before(self, when: float) -> RestingFace | None:
        place = bisect_left(self.rests, when, key=lambda one: one[0])
        return self.rests[place - 1][1] if place else None

    def pictures_since(self, when: float) -> Sequence[tuple[float, ShownDie]]:
        """Pictures from `when` that may decide a call made at that time."""
        first = bisect_left(self.frames, when, key=lambda one: one[0])
        last = bisect_right(self.frames, when + CONFIRM_DELAY_S - MAX_PICTURE_DELAY_S, key=lambda one: one[0])
        return self.frames[first:last]


class Referee:
    """One race, which began at `opened`. `wins` has the winning faces, by seat.

    The first call counts whose die was at rest, showed a winning face, and had not been called before. After a void
    call the seat needs a new roll. So does a die that lay in the tray at the start, or that no picture showed rolling:
    its seat could name any face. Calls at most `window` seconds apart are simultaneous, and home wins those (BN-098).
    With `by_die` the first winning die wins as if called when it came to rest. Calls still count, in case the camera
    misses the die. `now` must never decrease.
    """

    def __init__(
        self, wins: Mapping[Seat, Sequence[Face]], opened: float, window: float = 0.04, by_die: bool = False
    ) -> None:
        self._wins = {seat: tuple(faces) for seat, faces in wins.items()}
        self._opened, self._window, self._by_die = opened, window, by_die
        self._calls: dict[Seat, list[float]] = {seat: [] for seat in wins}
        self._histories = {seat: _DieHistory() for seat in wins}
        self._confirmed: dict[tuple[Seat, float], Face | None] = {}
        self._voids = {seat: _VoidCall(0) for seat in wins}
        """Outcome of calls too old to change. The calls themselves are deleted."""

    # Input -------------------------------------------------------------------------------------------------------

    def record_call(self, seat: Seat, when: float) -> None:
        """Record a seat's call, unless it is within `GRACE_PERIOD_S`. Raises KeyError if the seat does not race."""
        calls = self._calls[seat]
        if when >= self._opened + GRACE_PERIOD_S:
            insort(calls, when)

    def record_picture(self, seat: Seat, when: float, shown: ShownDie) -> None:
        """Record the state of a seat's die in the picture taken at `when`. Raises KeyError as `record_call` does."""
        self._histories[seat].add_picture(when, shown)

    def confirm_call(self, seat: Seat, now: float, face: Face | None) -> None:
        """Record the confirmed face of a seat's die, None for a false call. Not checked: whether the table was asked.

        If the seat has no call, a face counts as a call made and confirmed now.
        """
        claim, _ = self._first_claim(seat, now)
        if claim is None and face is None:
            return
        when = now if claim is None else claim.when
        self._confirmed[seat, when] = face
        # Presses while the table decides are not calls. Earlier presses may be the real ones.
        self._calls[seat] = [call for call in self._calls[seat] if call < when + CONFIRM_DELAY_S and call != when]
        insort(self._calls[seat], when)

    # Output ------------------------------------------------------------------------------------------------------

    def seat_state(self, seat: Seat, now: float) -> RaceSeatState:
        claim, void = self._first_claim(seat, now)
        film = self._histories[seat]
        rest = film.rests[-1][1] if film.rests else None
        face, lay = (None, 0) if rest is None else (rest.face, film.roll_number(rest.since))
        wins = face in self._wins[seat] and lay > void.roll
        if lay == 0 or (film.flies and not wins):
            face = None
        if claim is not None:
            return RaceSeatState("confirm" if claim.asked else "called", claim.face or face, claim.why)
        if void.why and (film.roll_number(math.inf) if film.flies else lay) <= void.roll:
            return RaceSeatState("void", face, void.why)
        return RaceSeatState("ready" if wins else "rolling", face)

    def verdict(self, now: float) -> RaceVerdict | None:
        """The winner, or None while a later arrival could change it."""
        home, away = self._both_claims(now)
        lag = MAX_PICTURE_DELAY_S if self._by_die else MAX_CALL_DELAY_S
        if home is not None and (away is None or _microseconds(home.when - away.when) <= _microseconds(self._window)):
            return _verdict_for("home", home, now >= home.when - self._window + lag)
        if away is not None:
            return _verdict_for("away", away, now >= away.when + self._window + lag)
        return None

    def seat_to_confirm(self, now: float) -> Seat | None:
        """The seat whose call the table must confirm. Of two, the earlier, or home's if they are simultaneous."""
        home, away = self._both_claims(now)
        if home is None or not home.asked or (away is not None and away.asked and away.when < home.when):
            return "away" if away is not None and away.asked else None
        return "home"

    # Helpers -----------------------------------------------------------------------------------------------------

    def _both_claims(self, now: float) -> tuple[_Claim | None, _Claim | None]:
        home, away = (self._first_claim(seat, now)[0] if seat in self._wins else None for seat in ("home", "away"))
        return home, away

    def _first_claim(self, seat: Seat, now: float) -> tuple[_Claim | None, _VoidCall]:
        """A seat's first valid call, and the last void one before it."""
        film, calls, void = self._histories[seat], self._calls[seat], self._voids[seat]
        if self._by_die:
            for _, rest in film.rests:
                if rest.face in self._wins[seat] and film.roll_number(rest.since):
                    return _Claim(rest.since, rest.face), void
        claim, old = None, 0
        for when in calls:
            fate = self._decide_call(seat, when, void.roll, now)
            if isinstance(fate, _Claim):
                claim = fate
                break
            void = fate
            if when <= now - CONFIRM_DELAY_S:
                old, self._voids[seat] = old + 1, void
        del calls[:old]
        return claim, void

    def _decide_call(self, seat: Seat, when: float, spent: int, now: float) -> _Claim | _VoidCall:
        """Decide one call. `spent` is the last used roll."""
        wins, film = self._wins[seat], self._histories[seat]
        if (seat, when) in self._confirmed:
            face = self._confirmed[seat, when]
            if face in wins and face is not None:
                return _Claim(when, face)
            return _VoidCall(film.roll_number(when + CONFIRM_DELAY_S - MAX_PICTURE_DELAY_S), "false")
        lay, why = film.rest_before(when), ""
        # A winning die may be hidden or already picked up, so people must decide.
        held = lay is not None and lay.face in wins and film.roll_number(lay.since) > spent
        for at, shown in film.pictures_since(when):
            if shown in (DIE_GONE, DIE_UNSURE):
                if not film.roll_number(at):
                    return _VoidCall(spent, "unrolled")
                why = str(shown)
            elif isinstance(shown, RestingFace) and shown.since <= when:
                roll = film.roll_number(shown.since)
                if roll <= spent:
                    return _VoidCall(spent, "again")
                return _Claim(when, shown.face) if shown.face in wins else _VoidCall(roll, "loses")
            elif not held:
                return _VoidCall(film.roll_number(shown.since if isinstance(shown, RestingFace) else at), "early")
            else:
                why = DIE_UNSURE
        return _Claim(when, asked=now >= when + CONFIRM_DELAY_S, why=why)


def _verdict_for(seat: Seat, claim: _Claim, over: bool) -> RaceVerdict | None:
    """Verdict for the best claim if it has a face and all others are too late (`over`)."""
    return RaceVerdict(seat, claim.face) if over and claim.face is not None else None


def _microseconds(seconds: float) -> int:
    """Round to microseconds, because sums of decimal seconds are not exact."""
    return round(seconds * 1e6)
