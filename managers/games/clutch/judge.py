"""What a position is worth: the chance to win, from the at-bat under way to the end of the game."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.dice import FACES
from engine.games.clutch.numbers import throw_numbers
from engine.games.clutch.numbers.modifiers import allowed, die
from engine.games.clutch.numbers.rolls import enough
from engine.games.clutch.pitching import pitcher_record
from engine.games.clutch.pitching.pitcher_record import Arm
from engine.games.clutch.pitching.rest import FRESH
from engine.games.clutch.state import State, Throw
from engine.seats import SEATS, Seat
from managers.games.clutch.expectancy import LEAD, LEADS, Array, Side, Staff, Study, keep
from managers.games.clutch.odds import CODES, now
from managers.games.clutch.plays import Field, Speeds, Value, ends, worth


class Judge:
    """Judges positions of one game for the side `side`."""

    def __init__(self, study: Study, side: Seat) -> None:
        self.study, self.side = study, side
        self.house = study.house
        self._known: dict[tuple[object, ...], tuple[object, Array]] = {}
        """Tables of the positions that were judged, with what their keys are made of, so that no `id` is used twice."""

    def win(self, s: State) -> float:
        """Return the chance that the side wins, with the at-bat under way still to be settled."""
        if s.outs >= 3:
            return self.mine(float(self.after(s)[_lead(s)]))
        return self.mine(float(now(s) @ self.results(s)))

    def of_offence(self, s: State, win: float) -> float:
        """Return the side's chance to win from that of the side at bat."""
        return win if self.side == s.offence else 1 - win

    def mine(self, home: float) -> float:
        """Return the side's chance to win from the home side's."""
        return home if self.side == "home" else 1 - home

    # The rest of the half-inning -------------------------------------------------------------------------------------

    def results(self, s: State) -> Array:
        """Return the home side's chance to win after each of `CODES` as the result of this at-bat."""
        kept = (s.squads, s.arms, s.bases, s.standing)
        key = ("results", *map(id, kept), s.outs, s.score, s.clock, s.at.infield_in)
        if key not in self._known:
            self._known[key] = (kept, self._results(s))
        return self._known[key][1]

    def _results(self, s: State) -> Array:
        field, speeds, batter = self.field(s), self.speeds(s), s.batter.baserunning
        squad = s.squad(s.offence)
        key: tuple[object, ...] = (squad.order, squad.slot, self.staff(s, s.arm), self.after(s).tobytes())
        key = (*key, s.clock, s.outs, s.score, field, speeds, batter)
        found = self.study.results.get(key)
        if found is None:
            value = self.next_batter(s)
            found = np.array([worth(ends(code, s.outs, speeds, batter, field, value), value) for code in CODES])
            found = found if s.offence == "home" else 1 - found
            keep(self.study.results, key, found, 300)
        return found

    def next_batter(self, s: State) -> Value:
        """Return the chance of the side at bat to win by outs, bases and runs, once the next batter is up."""
        table, after = self.table(s), self.after(s)
        slot = (s.squad(s.offence).slot + 1) % len(s.squad(s.offence).order)
        sign = 1 if s.offence == "home" else -1
        lead, mine = s.score[1] - s.score[0], table[slot]

        def value(outs: int, bases: int, runs: int) -> float:
            at = min(LEADS - 1, max(0, lead + sign * runs + LEAD))
            won = float(after[at] if outs >= 3 else mine[outs * 8 + bases, at])
            return won if sign == 1 else 1 - won

        return value

    def table(self, s: State) -> Array:
        """Return the home side's chance to win by next batter, outs and bases, and lead, in this half-inning."""
        kept = (s.squads, s.arms)
        key = ("table", *map(id, kept), s.outs, s.clock)
        if key not in self._known:
            self._known[key] = (kept, self._table(s))
        return self._known[key][1]

    def _table(self, s: State) -> Array:
        squad = s.squad(s.offence)
        late = s.offence == "home" and s.clock.inning >= 9
        field = self.study.field(s.squad(s.defence))
        staff = self.staff(s, s.arm)
        return self.study.half(squad.order, staff, field, s.offence, self.after(s), late)

    def after(self, s: State) -> Array:
        """Return the home side's chance to win by its lead, once this half-inning is over."""
        kept = (s.squads, s.arms)
        key = ("after", *map(id, kept), s.outs, s.clock)
        if key not in self._known:
            self._known[key] = (kept, self._after(s))
        return self._known[key][1]

    def _after(self, s: State) -> Array:
        coming = s.clock.next()
        away, home = (self.ahead_of(s, side) for side in SEATS)
        return self.study.ahead(away, home, coming.inning, coming.half)

    def field(self, s: State) -> Field:
        """Return what decides about runners now, with the cards in force."""
        twin = s.copy()
        ratings = []
        for unit in ("battery", "infield", "outfield"):
            twin.throw = Throw("check", unit)
            ratings.append(throw_numbers.unit_rating(twin, unit))
        ruled = self.study.ruled(*ratings)
        tries = allowed(s, "extra-base")
        return replace(
            ruled,
            drawn_in=s.at.infield_in,
            double_plays=allowed(s, "double-play"),
            tries=tries,
            tags=allowed(s, "tag"),
        )

    def gain(self, s: State, batter: str) -> float:
        """Return what another batter would add in this at-bat alone, without cards."""
        arm = s.arm
        penalty, tired = pitcher_record.penalty(arm, self.house), pitcher_record.tires(arm, self.house)
        ours, theirs = (self.study.usual(name, arm.name, penalty, tired) for name in (batter, s.batter.name))
        more = float((ours - theirs) @ self.results(s))
        return more if s.offence == "home" else -more

    def speeds(self, s: State) -> Speeds:
        """Return the runners as their baserunning speeds."""
        first, second, third = (self.study.box.batters[one.name].baserunning if one else None for one in s.bases)
        return first, second, third

    def staff(self, s: State, arm: Arm) -> Staff:
        """Return the pitcher on the mound as he will be in the rest of this half-inning, by its outs."""
        found = []
        for outs in range(3):
            later = replace(arm, outs=max(0, arm.outs + outs - s.outs))
            found.append((pitcher_record.penalty(later, self.house), pitcher_record.tires(later, self.house)))
        return Staff(arm.name, (found[0], found[1], found[2]))

    # Later half-innings ----------------------------------------------------------------------------------------------

    def ahead_of(self, s: State, side: Seat) -> Side:
        """Return who bats and fields for a side from the next half-inning on, and who pitches when."""
        squad = s.squad(side)
        return Side(squad.order, self.study.field(squad), self.plan(s, side))

    def plan(self, s: State, side: Seat) -> tuple[tuple[int, Staff], ...]:
        """Return who pitches in which later inning: the pitcher on the mound as long as he is not tired, then the
        bullpen, the best ones last.
        """
        squad, arm = s.squad(side), s.arms[SEATS.index(side)][s.squad(side).pitcher]
        rests = s.rests[SEATS.index(s.chair(side))]
        order = s.squads[1 - SEATS.index(side)].order
        weary = tuple(name for name in squad.bullpen if rests.get(name, FRESH).tired)
        key = (arm, squad.bullpen, weary, order, s.clock, s.outs if side == s.defence else 0)
        if key not in self.study.plans:
            keep(self.study.plans, key, self._plan(s, side), 500)
        return self.study.plans[key]

    def _plan(self, s: State, side: Seat) -> tuple[tuple[int, Staff], ...]:
        squad, arm = s.squad(side), s.arms[SEATS.index(side)][s.squad(side).pitcher]
        fields = side == s.defence
        first = _first_inning(s, side)
        left = pitcher_record.left(arm, self.house) - (3 - s.outs if fields else 0)
        stays = 0 if arm.owes else max(0, left) // 3
        rows: list[tuple[int, Staff]] = []
        inning = first
        if stays:
            rows.append((inning, Staff(arm.name)))
            inning += stays
        wanted = max(0, 10 - inning)
        pen = self.pen(s, side)
        chosen: list[tuple[str, int, bool]] = []
        for name, innings, tired in pen:
            if sum(one[1] for one in chosen) >= max(1, wanted):
                break
            chosen.append((name, innings, tired))
        for name, innings, tired in reversed(chosen):
            if wanted or not rows:
                rows.append((inning, Staff(name, ((int(tired), tired),) * 3)))
                inning += innings
        covered = inning >= 10 or bool(chosen)
        if not rows or not covered:
            over = max(1, pitcher_record.penalty(replace(arm, outs=arm.outs + 3), self.house))
            rows.append((inning, Staff(squad.pitcher, ((over, True),) * 3)))
        return tuple(rows)

    def pen(self, s: State, side: Seat) -> list[tuple[str, int, bool]]:
        """Return who may still relieve: name, innings, and whether he would come in tired; the best first."""
        squad, rests = s.squad(side), s.rests[SEATS.index(s.chair(side))]
        order = s.squads[1 - SEATS.index(side)].order
        rows = []
        for name in squad.bullpen:
            innings = self.study.box.pitchers[name].innings
            long = innings.get("RP") or innings.get("OP") or innings.get("BP") or 1
            tired = rests.get(name, FRESH).tired
            rows.append((self.study.quality(name, order, tired), name, long, tired))
        return [(name, long, tired) for _, name, long, tired in sorted(rows)]

    # Throws ----------------------------------------------------------------------------------------------------------

    def chance(self, s: State, throw: Throw) -> float:
        """Return the chance that a throw is an out, with the cards in force."""
        twin = s.copy()
        twin.throw = throw
        kind = die(twin, "throw")
        good = enough(twin, "throw", kind, throw_numbers.rating(twin), throw_numbers.speed(twin) + 1)
        return len(good) / len(FACES[kind])


def _first_inning(s: State, side: Seat) -> int:
    """Return the inning in which a side is next in the field, after the half-inning under way."""
    return s.clock.inning + (side == "home" or s.clock.half == "bottom")


def _lead(s: State) -> int:
    return min(LEADS - 1, max(0, s.score[1] - s.score[0] + LEAD))
