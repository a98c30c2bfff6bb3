"""A second, slow count of what cards do, from the ledger and the manual, to compare the engine with.

`Count` follows a game by its public events and the answers given. It keeps its own list of what is in force from the
cards played, and builds each number from the printed cards again. Only players, bases, outs and the numbers that other
chapters give (tiredness, bonuses for walks and missed bunts) are read from the game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from engine.events import Event
from engine.games.clutch.pitching import pitcher_record
from engine.games.clutch.state import State
from engine.seats import SEATS, Seat, opposite_seat
from tests.engine.games.clutch import fixture

START, BEFORE, ROLLED = "at the start of an at-bat", "before the pitch", "after the pitch roll"
SET, SWUNG, PLAYED = "before the swing", "after the swing roll", "when a card is played"
WINDOWS = {START: "at-bat", BEFORE: "before-pitch", ROLLED: "pitch-roll", SET: "advantage", SWUNG: "swing-roll"}
"""The phrase of each moment, and the code of its window."""

HITTING = ("on-base", "swing roll", "swing")
PITCHING = ("command", "pitch roll", "pitch", "x-zone")

# Cards -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Do:
    """One effect: the number `what` changes by `by`, or is `by`; or another `kind`. With `only`, if that holds."""

    kind: str
    what: str = ""
    by: int = 0
    whose: str = ""
    only: str = ""

    @property
    def phrase(self) -> str:
        """What is typed on the card."""
        text = {"mod": f"{self.whose} {self.what} {self.by:+}".strip(), "set": f"{self.what} = {self.by}"}
        return text.get(self.kind, self.what) + (f" if {self.only}" if self.only else "")


@dataclass(frozen=True)
class Card:
    """A strategy card of a side ("offense", "defense" or "neutral"), or a coach ("hitting", "pitching" or "bench")."""

    name: str
    side: str
    when: tuple[str, ...]
    do: tuple[Do, ...]
    only: str = ""
    leave: str = ""
    momentum: bool = False
    lasts: str = ""
    coach: bool = False

    @property
    def stays(self) -> str:
        """How long its effects hold."""
        if self.leave or self.momentum:
            return "stays"
        return self.lasts or ("2 half-innings" if self.side == "bench" else "this at-bat")

    def toml(self) -> str:
        """Return the card as it stands in a deck's file."""
        of: dict[str, Any] = {"name": self.name, "when": list(self.when), "do": [one.phrase for one in self.do]}
        of |= {"if": self.only} if self.only else {}
        of |= {"lasts": self.lasts} if self.lasts else {}
        if self.coach:
            return fixture.written("coach", kind=self.side, **of)
        of |= {"leave": self.leave} if self.leave else {}
        of |= {"special": "momentum", "until": "after a strikeout"} if self.momentum else {}
        return fixture.written("strategy", rarity="common", side=self.side, **of)


FACTS = (
    "the batter bats left",
    "the batter bats right",
    "the pitcher throws left",
    "the pitcher throws right",
    "runners on",
    "bases empty",
)


def effect(chance: Random, side: str) -> Do:
    """Return an effect that this side's cards might have."""
    kind = chance.choices(("mod", "set", "say"), (8, 1, 2))[0]
    what = chance.choice(
        {"offense": HITTING + HITTING + PITCHING, "defense": PITCHING + PITCHING + HITTING}.get(
            side, HITTING + PITCHING
        )
    )
    only = chance.choice(FACTS) if chance.random() < 0.15 else ""
    match kind:
        case "mod":
            return Do(kind, what, chance.choice((-4, -3, -2, -2, -1, 1, 2, 2, 3, 4)), only=only)
        case "set":
            return Do(kind, what, chance.choice((2, 4, 9, 12, 16)), only=only)
    said = chance.choice(
        (
            *("ignore handedness", "ignore the batter's handedness", "ignore the pitcher's handedness"),
            *("ignore offense cards", "ignore defense cards", "ignore cards", "no mistake pitch", "a mistake pitch"),
            *("the batter has the advantage", "the pitcher has the advantage", "read the other chart"),
        )
    )
    return Do("say", said, only=only)


def card(chance: Random, name: str, side: str, coach: bool = False) -> Card:
    """Return a card with one to three effects, now and then one that negates another card or takes a player out."""
    only = chance.choice(FACTS) if chance.random() < 0.25 else ""
    when = tuple(dict.fromkeys(chance.choices((START, BEFORE, BEFORE, BEFORE, ROLLED, SET, SWUNG), k=2)))
    special = chance.random()
    if special < 0.15 and not coach:
        return Card(name, side, (PLAYED,), (Do("say", "negate the card"),))
    if special < 0.2 and not coach:
        gone = chance.choice(("the batter leaves the game", "the pitcher leaves the game"))
        return Card(name, side, (BEFORE,), (Do("say", gone),))
    do = [effect(chance, side) for _ in range(chance.choice((1, 1, 2, 3)))]
    if special > 0.85:
        do.insert(chance.randint(0, len(do)), Do("say", chance.choice(("draw 1", "cannot be negated"))))
    leave, momentum, lasts = "", False, ""
    how = chance.random()
    if how < 0.2 and not coach:
        leave = chance.choice(("batter", "pitcher"))
    elif how < 0.3 and not coach:
        momentum = True
        do = [replace(one, whose=chance.choice(("", "my", "their"))) if one.kind == "mod" else one for one in do]
    elif how < 0.55:
        some = ("the next at-bat", "this half-inning", "2 half-innings", "this inning", "this game")
        lasts = chance.choice((*some, "while the player is in the game"))
    return Card(name, side, when, tuple(do), only, leave, momentum, lasts, coach)


AT_ONCE = (
    *("draw 1", "cannot be negated", "negate the card"),
    *("the batter leaves the game", "the pitcher leaves the game"),
)
"""Effects that are never in force: they are over at once."""


# What is in force ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Force:
    """An effect in force: its card and owner, how long it `stays`, the half-inning in which it ends, the player it is
    on, and the at-bat in which it began.
    """

    card: Card
    side: Seat
    do: Do
    stays: str
    ends: int
    on: str
    number: int


@dataclass
class Played:
    """A card of this at-bat, the window in which it was played, and whether its effects were taken up."""

    card: Card
    side: Seat
    window: str
    waits: bool = True
    dead: bool = False


@dataclass
class Count:
    """What is in force in a game, followed event by event."""

    s: State
    cards: Mapping[str, Card]
    force: list[Force] = field(default_factory=list)
    played: list[Played] = field(default_factory=list)
    number: int = 0
    batter: str = ""
    pitcher: str = ""
    offence: Seat = "away"
    on: bool = False
    """True if runners were on base when the last question was asked."""
    void: set[str] = field(default_factory=set)
    """Cards that must have come back by themselves since the last answer, and those whose owner must be asked."""
    asked: set[str] = field(default_factory=set)
    back: set[str] = field(default_factory=set)
    window: str = ""
    """The window of the last question about cards, and the sides that have changed players to answer a card."""
    replied: set[Seat] = field(default_factory=set)

    # Following the game

    def hear(self, event: Event) -> None:
        """Take note of an event. A card takes effect before anything but another card or a negation is announced."""
        facts = event.facts
        if event.code == "plays-card":
            self.played.append(Played(self.cards[facts["card"]], facts["seat"], self.window))
            return
        if event.code == "negated":
            self.negated(facts["card"])
            return
        self.resolve()
        match event.code:
            case "at-bat":
                self.lapse("this at-bat")
                self.force = [
                    replace(one, stays="this at-bat") if one.stays == "the next at-bat" else one for one in self.force
                ]
                self.played, self.number, self.replied = [], self.number + 1, set()
                self.batter, self.pitcher, self.offence = facts["batter"], facts["pitcher"], facts["seat"]
            case "half-inning":
                half = facts["inning"] * 2 - (facts["half"] == "top")
                self.lapse("this at-bat")
                self.force = [one for one in self.force if one.ends >= half]
            case "pinch-hitter" | "new-pitcher" | "replaces" | "leaves-play" | "taken-back":
                getattr(self, event.code.replace("-", "_"))(facts)

    def lapse(self, stays: str) -> None:
        self.force = [one for one in self.force if one.stays != stays]

    def pinch_hitter(self, facts: Mapping[str, Any]) -> None:
        self.enters("batter", self.offence, facts["batter"])

    def replaces(self, facts: Mapping[str, Any]) -> None:
        if facts["out"] == self.batter:
            self.enters("batter", self.offence, facts["batter"])

    def new_pitcher(self, facts: Mapping[str, Any]) -> None:
        self.enters("pitcher", self.defence, facts["pitcher"])

    def leaves_play(self, facts: Mapping[str, Any]) -> None:
        """End a Momentum card; what is left on a player ends when he leaves."""
        if self.cards[facts["card"]].momentum:
            self.drop(facts["card"], facts["seat"])

    def taken_back(self, facts: Mapping[str, Any]) -> None:
        name, side = facts["card"], facts["seat"]
        self.back.add(name)
        self.drop(name, side, self.number)
        self.played = [one for one in self.played if (one.card.name, one.side) != (name, side)]

    def drop(self, name: str, side: Seat, number: int = 0) -> None:
        """End the effects of a card, or those that began in one at-bat."""
        self.force = [
            one for one in self.force if (one.card.name, one.side) != (name, side) or (number and one.number != number)
        ]

    def enters(self, role: str, side: Seat, name: str) -> None:
        """Note which cards of the other manager come back because of a new batter or pitcher (CL-201 to CL-203)."""
        stake = [one for one in self.played if one.side != side and not one.dead and self.began(one)]
        stake += [one for one in self.played if one.side != side and one.card.name in self.back]
        before = {one.card.name: self.applies(one.card, one.side) for one in stake}
        if role == "batter":
            gone, self.batter = self.batter, name
        else:
            gone, self.pitcher = self.pitcher, name
        for one in stake:
            if one.card.leave == role or (before[one.card.name] and not self.applies(one.card, one.side)):
                self.void.add(one.card.name)
            elif all(do.what != "draw 1" for do in one.card.do):
                self.asked.add(one.card.name)
        self.void |= {name for name in self.back if self.cards[name].leave == role}
        self.force = [one for one in self.force if one.on != gone]

    def began(self, played: Played) -> bool:
        """True if something that a card did in this at-bat is in force."""
        return any((one.card, one.side, one.number) == (played.card, played.side, self.number) for one in self.force)

    def applies(self, card: Card, side: Seat) -> bool:
        """True if a card counts for something as things stand."""
        return self.true(card.only) and any(self.true(do.only) for do in card.do)

    def resolve(self) -> None:
        """Take up the card that was played, once nobody can answer it any more."""
        waiting = [one for one in self.played if one.waits]
        assert len(waiting) < 2, "a card was not negated"
        for one in waiting:
            one.waits = False
            self.take_up(one.card, one.side)

    def negated(self, name: str) -> None:
        """Note that the last card has negated the one before it. Both are done, and neither has an effect in force."""
        card, by = [one for one in self.played if one.waits][-2:]
        assert (card.card.name, by.card.do[0].what, by.side) == (name, "negate the card", opposite_seat(card.side))
        card.waits, by.waits, card.dead = False, False, True

    def take_up(self, card: Card, side: Seat) -> None:
        """Put in force what a card does now."""
        half, stays = self.half, card.stays
        ends = {"this inning": half + half % 2, "2 half-innings": half + 1, "this half-inning": half}.get(stays, 10**6)
        if stays == "2 half-innings" and card.coach and self.s.house["benchCoachHalves"] == "twoFull":
            ends += 1
        if stays == "this half-inning" and card.coach and self.s.house["benchCoachHalves"] == "twoFull":
            ends += 1
        on = {"batter": self.batter, "pitcher": self.pitcher}.get(card.leave, "")
        if stays == "while the player is in the game":
            on = self.batter if side == self.offence else self.pitcher
        for do in card.do:
            if self.true(do.only) and do.what not in AT_ONCE:
                self.force.append(Force(card, side, do, stays, ends, on, self.number))

    # The numbers

    @property
    def defence(self) -> Seat:
        return opposite_seat(self.offence)

    @property
    def half(self) -> int:
        """The number of this half-inning, from 1."""
        return self.s.clock.inning * 2 - (self.s.clock.half == "top")

    def bats(self) -> str:
        hand = self.s.box.batters[self.batter].hand
        throws = self.s.box.pitchers[self.pitcher].hand
        return {"L": "R", "R": "L"}[throws] if hand == "S" else hand

    def true(self, fact: str) -> bool:
        """True if a condition holds; "" always does."""
        throws = self.s.box.pitchers[self.pitcher].hand
        return {
            "": True,
            "the batter bats left": self.bats() == "L",
            "the batter bats right": self.bats() == "R",
            "the pitcher throws left": throws == "L",
            "the pitcher throws right": throws == "R",
            "runners on": self.on,
            "bases empty": not self.on,
        }[fact]

    def now(self) -> list[Force]:
        """What counts at this moment: nothing meant for later, for somebody else, or of a kind that is ignored."""
        found = []
        facing = [one for one in self.force if one.on in ("", self.batter, self.pitcher)]
        muting = [one for one in facing if one.do.what.startswith("ignore") and "cards" in one.do.what]
        for one in facing:
            ignored = any(
                mute.card.name != one.card.name
                and mute.stays != "the next at-bat"
                and not one.card.coach
                and mute.do.what in ("ignore cards", f"ignore {one.card.side} cards")
                for mute in muting
            )
            mine = one.side == (self.offence if one.do.what in HITTING else self.defence)
            others = (one.do.whose == "my" and not mine) or (one.do.whose == "their" and mine)
            if not (ignored or others or one.stays == "the next at-bat"):
                found.append(one)
        return found

    def added(self, what: str) -> int:
        """What cards add to a number: of each manager at most 3 up and 3 down."""
        total = 0
        for side in SEATS:
            mine = [one.do.by for one in self.now() if (one.do.kind, one.do.what, one.side) == ("mod", what, side)]
            up, down = sum(by for by in mine if by > 0), sum(by for by in mine if by < 0)
            most, least = 3, -3
            if self.s.house["capSingleCard"] == "false":
                most, least = max([3, *mine]), min([-3, *mine])
            if self.s.house["cap"] == "none":
                total += up + down
            elif self.s.house["capMode"] == "net":
                total += max(least, min(most, up + down))
            else:
                total += min(most, up) + max(least, down)
        return total

    def instead(self, what: str, built: int) -> int:
        """The number that the last card says it is, or the one built."""
        for one in self.now():
            if (one.do.kind, one.do.what) == ("set", what):
                built = one.do.by
        return built

    def said(self, *words: str) -> str:
        """The last of these that a card says, or ""."""
        return ([one.do.what for one in self.now() if one.do.what in words] or [""])[-1]

    def command(self) -> int:
        arm, own = self.s.box.pitchers[self.pitcher], 0
        if not self.said("ignore handedness", "ignore the pitcher's handedness"):
            own = arm.left if self.bats() == "L" else arm.right
        tired = pitcher_record.tired_penalty(self.s.current_record, self.s.house)
        built, cards = self.instead("command", arm.command) + own - tired, self.added("command")
        return max(0, built + cards) if self.s.house["commandFloorAfterCards"] == "true" else max(0, built) + cards

    def on_base(self) -> int:
        bat, own = self.s.box.batters[self.batter], 0
        if not self.said("ignore handedness", "ignore the batter's handedness"):
            own = bat.left if self.s.box.pitchers[self.pitcher].hand == "L" else bat.right
        return self.instead("on-base", bat.on_base + own + self.s.at.on_base_bonus) + self.added("on-base")

    def pitch(self, face: int) -> tuple[int, bool, str]:
        """The Pitch with this die, whether it is a mistake, and who has the Advantage."""
        rolled = self.instead("pitch roll", face) + self.added("pitch roll")
        total = self.instead("pitch", rolled + self.command() + self.s.at.pitch_bonus) + self.added("pitch")
        zone = self.instead("x-zone", self.s.box.pitchers[self.pitcher].x_zone) + self.added("x-zone")
        says = self.said("no mistake pitch", "a mistake pitch")
        mistake = says == "a mistake pitch" if says else rolled <= zone
        has = "pitcher" if total > self.on_base() and not mistake else "batter"
        given = self.said("the batter has the advantage", "the pitcher has the advantage")
        return total, mistake, given.split()[1] if given else has

    def swing(self, face: int, advantage: str) -> tuple[int, str]:
        """The Swing with this die, and the result that it reads."""
        rolled = self.instead("swing roll", face) + self.added("swing roll")
        total = self.instead("swing", rolled + self.s.at.swing_bonus) + self.added("swing")
        if self.said("read the other chart"):
            advantage = "batter" if advantage == "pitcher" else "pitcher"
        result = ""
        for row in (fixture.BATTING if advantage == "batter" else fixture.PITCHING).split(", "):
            numbers, code = row.split()
            if not result or total >= int(numbers.split("-")[0].rstrip("+")):
                result = code
        return total, result

    # What may be played

    def answers(self, side: Seat) -> bool:
        """True if a side may now change its pitcher or batter to answer a card of the other (CL-202 to CL-204)."""
        windows = {"before-pitch", "after"} | ({"at-bat"} if side == self.defence else set())
        if self.s.house["lateSubReplies"] == "oneEach" and side in self.replied:
            return False
        return any(one.side != side and one.window in windows for one in self.played)

    def playable(self, side: Seat, window: str, held: list[str], tags: frozenset[str] = frozenset()) -> set[str]:
        """The cards that a manager may play: color, moment, condition, and not one twice in an at-bat."""
        mine = {"offense": self.offence, "hitting": self.offence, "defense": self.defence}
        mine["pitching"] = self.defence
        answered = [one for one in self.played if one.waits and not one.dead]
        found = set()
        for name in held:
            card = self.cards[name]
            if window == "card":
                moment = PLAYED in card.when and bool(answered) and answered[-1].side == opposite_seat(side)
                moment = moment and all(do.what != "cannot be negated" for do in answered[-1].card.do)
            else:
                moment = any(WINDOWS.get(one) == window for one in card.when)
            again = any((one.card, one.side) == (card, side) for one in self.played)
            if moment and not again and mine.get(card.side, side) == side and self.true(card.only):
                found.add(name)
        return found
