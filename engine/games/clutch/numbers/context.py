# ruff: noqa: D102 - conditions.View describes each property
"""The state as one manager sees it, for the conditions of cards; each fact is computed when it is needed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.diamond import runners
from engine.games.clutch.cards.card_types import FIELD, OUT_OF_POSITION, Batter, Pitcher
from engine.games.clutch.numbers.conditions import Person
from engine.games.clutch.pitching import pitcher_record
from engine.games.clutch.state import Kept, State
from engine.seats import SEATS, Seat, other

IN_UNIT = {"battery": ("CA",), "infield": ("1B", "2B", "3B", "SS"), "outfield": ("LF", "CF", "RF")}
"""Who makes up a unit; the battery has the pitcher too (CL-090 to CL-092)."""


def batter(s: State, card: Batter, playing: str = "") -> Person:
    """Return a batter's card as conditions read it; a switch hitter bats opposite the pitcher's hand (CL-006)."""
    return Person(
        name=card.name,
        hand=card.hand,
        side=bats(s, card),
        team=card.team,
        set=card.set,
        icons=_icons(s, card),
        salary=card.salary,
        on_base=card.on_base,
        command=0,
        br=card.baserunning,
        st=card.stealing,
        clutch=card.clutch,
        positions=frozenset(card.positions),
        playing=playing,
        role="",
        defense=card.gloves.get(playing, OUT_OF_POSITION) if playing in FIELD[:-1] else 0,
    )


def pitcher(s: State, card: Pitcher, role: str) -> Person:
    """Return a pitcher's card as conditions read it."""
    return Person(
        name=card.name,
        hand=card.hand,
        side=card.hand,
        team=card.team,
        set=card.set,
        icons=_icons(s, card),
        salary=card.salary,
        on_base=0,
        command=card.command,
        br=0,
        st=0,
        clutch=card.clutch,
        positions=frozenset({"P"}),
        playing="P",
        role=role,
        defense=card.defense,
    )


def _icons(s: State, card: Batter | Pitcher) -> frozenset[str]:
    off = any(one.effect.verb == "ignore" and one.effect.what == "icons" for one in s.standing)
    return frozenset() if off else frozenset(card.icons)


def _stays(s: State, one: Kept) -> str:
    """Return the kind of a card that stays in play."""
    if one.kind == "coach":
        return "coach"
    return "momentum" if s.box.strategies[one.name].special == "momentum" else "left"


def bats(s: State, card: Batter) -> str:
    """Return the side of the plate that he bats from against the pitcher on the mound (CL-006)."""
    if card.hand != "S":
        return card.hand
    return "R" if s.pitcher.hand == "L" else "L"


@dataclass(frozen=True, slots=True)
class Sight:
    """The state as the manager of `side` sees it; see conditions.View.

    `name` is the player in question, `source` the card with the conditions, and `tags` are those of the open window.
    """

    s: State
    side: Seat
    tags: frozenset[str] = frozenset()
    name: str = ""
    source: str = ""

    @property
    def inning(self) -> int:
        return self.s.clock.inning

    @property
    def half(self) -> str:
        return self.s.clock.half

    @property
    def outs(self) -> int:
        return self.s.outs

    @property
    def bases(self) -> tuple[bool, bool, bool]:
        first, second, third = self.s.bases
        return first is not None, second is not None, third is not None

    @property
    def lead(self) -> int:
        mine = SEATS.index(self.side)
        return self.s.score[mine] - self.s.score[1 - mine]

    @property
    def clutch(self) -> bool:
        return self.s.clutch

    @property
    def offence(self) -> bool:
        return self.s.offence == self.side

    @property
    def home(self) -> bool:
        return self.side == "home"

    @property
    def batter(self) -> Person:
        squad = self.s.squad(self.s.offence)
        return batter(self.s, self.s.batter, squad.spots[squad.slot])

    @property
    def pitcher(self) -> Person:
        return pitcher(self.s, self.s.pitcher, self.s.arm.role)

    @property
    def runner(self) -> Person | None:
        throw = self.s.throw
        name = self.name or (throw.runner if throw else "")
        if not name or name not in self.s.squad(self.s.offence).order:
            return None
        return self._member(self.s.offence, name)

    @property
    def runners(self) -> tuple[Person, ...]:
        return tuple(self._member(self.s.offence, one.name) for one in runners(self.s.bases))

    @property
    def lead_runner(self) -> Person | None:
        on = self.runners
        return on[-1] if on else None

    @property
    def fielders(self) -> Mapping[str, Person]:
        squad = self.s.squad(self.s.defence)
        field = {
            spot: batter(self.s, self.s.box.batters[name], spot)
            for name, spot in zip(squad.order, squad.spots, strict=True)
            if spot in FIELD[:-1]
        }
        return {**field, "P": self.pitcher}

    @property
    def involved(self) -> tuple[Person, ...]:
        """The players whose numbers count in what is going on (CL-224)."""
        throw = self.s.throw
        if throw is None:
            return (self.batter, self.pitcher)
        spots = IN_UNIT.get(throw.unit, tuple(throw.unit.split("+")))
        fielders = self.fielders
        found = [fielders[spot] for spot in spots if spot in fielders]
        if throw.unit == "battery":
            found.append(self.pitcher)
        if self.runner:
            found.append(self.runner)
        return tuple(found)

    @property
    def advantage(self) -> str:
        return self.s.at.advantage

    @property
    def mistake(self) -> bool:
        return self.s.at.mistake

    @property
    def chart(self) -> str:
        return self.s.at.chart

    @property
    def read(self) -> str:
        return self.s.at.read

    @property
    def result(self) -> str:
        return self.s.at.result

    @property
    def outcome(self) -> str:
        return self.s.at.outcome

    @property
    def previous(self) -> tuple[str, ...]:
        return self.s.last

    @property
    def naturals(self) -> Mapping[str, int]:
        at, throw = self.s.at, self.s.throw
        rolled = {"pitch": at.pitch_natural, "swing": at.swing_natural, "bunt": at.bunt}
        if throw:
            rolled["check" if throw.kind == "check" else "throw"] = throw.natural
        return {name: face for name, face in rolled.items() if face is not None}

    @property
    def numbers(self) -> Mapping[str, int]:
        at, throw = self.s.at, self.s.throw
        names = ("pitch_roll", "command", "pitch", "on_base", "swing_roll", "swing")
        known = {name: getattr(at, name) for name in names}
        if throw:
            known["check" if throw.kind == "check" else "throw"] = throw.total
        return {name: number for name, number in known.items() if number is not None}

    @property
    def base(self) -> int:
        return self.s.throw.base if self.s.throw else 0

    @property
    def tired(self) -> bool:
        return pitcher_record.tires(self.s.arm, self.s.house)

    @property
    def role(self) -> str:
        return self.s.arm.role

    @property
    def pitcher_outs(self) -> int:
        return self.s.arm.outs

    @property
    def pitcher_faced(self) -> int:
        return self.s.arm.faced

    @property
    def pitcher_walks(self) -> int:
        return self.s.arm.walks

    @property
    def pitcher_earned(self) -> int:
        return self.s.arm.earned

    @property
    def innings_left(self) -> int:
        return pitcher_record.left(self.s.arm, self.s.house)

    @property
    def hand(self) -> tuple[int, int]:
        return self.s.holds(self.side), self.s.holds(other(self.side))

    @property
    def deck(self) -> tuple[int, int]:
        return self.s.left(self.side), self.s.left(other(self.side))

    @property
    def in_play(self) -> tuple[tuple[bool, str, str], ...]:
        return tuple((one.side == self.side, one.name, _stays(self.s, one)) for one in self.s.kept)

    @property
    def played(self) -> tuple[tuple[bool, str, str], ...]:
        cards = self.s.box.strategies
        return tuple(
            (one.side == self.side, one.name, cards[one.name].side if one.kind == "strategy" else "coach")
            for one in self.s.at.played
        )

    @property
    def used(self) -> Mapping[str, int]:
        mine = [(half, number) for source, half, number in self.s.uses if source == self.source]
        return {
            "at-bat": sum(number == self.s.number for _, number in mine),
            "half": sum(half == self.s.half for half, _ in mine),
            "inning": sum(half // 2 == self.s.half // 2 for half, _ in mine),
            "game": len(mine),
        }

    @property
    def team(self) -> str:
        return self.s.team(self.s.offence)

    @property
    def stadium(self) -> str:
        return self.s.stadium

    @property
    def weather(self) -> str:
        return self.s.weather

    def person(self, name: str, fields: bool) -> Person:
        """Return the player of this name on the side at bat, or in the field if `fields`; else the pitcher."""
        side = self.s.defence if fields else self.s.offence
        return self._member(side, name) if name in self.s.squad(side).order else self.pitcher

    def _member(self, side: Seat, name: str) -> Person:
        squad = self.s.squad(side)
        return batter(self.s, self.s.box.batters[name], squad.spots[squad.order.index(name)])
