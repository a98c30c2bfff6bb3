"""A second, slow implementation of Bottom of the 9th, from the ledger and the manual, to compare the engine with.

It plays from the first pitch on. It keeps every answer of the current pitch, and to say what is asked next it plays the
whole pitch again from the position before it. Rulings where the rulebook is silent are those of rules.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from tests.engine.games.bottom_of_the_9th.random_cards import Box, Needs, Player, Power

PARTS = ("direction", "location")
OTHER = {"home": "away", "away": "home"}
OWNER = {"control": "away", "pitch": "away", "swing": "home", "bonus": "home"}
ALL_PITCHES = ("inside-high", "inside-low", "away-high", "away-low")


@dataclass
class Asked:
    """An open ask: its seat and code, its legal answers, and the facts that must be in it."""

    seat: str
    why: str
    legal: tuple[Any, ...]
    facts: dict[str, Any] = field(default_factory=dict)


class Unanswered(Exception):
    """The game cannot go on without an answer to one of these."""

    def __init__(self, *asks: Asked) -> None:
        self.asks = asks


@dataclass
class Act:
    """What an ability did: the seat and the slot it came from, the kind of effect, what it changes, and the value."""

    seat: str
    slot: str
    kind: str
    what: str
    value: Any


@dataclass
class Position:
    """Everything there is to know of a game, also about the pitch being thrown."""

    lineup: list[Player]
    pitcher: Player
    reliever: Player | None
    rows: dict[str, int] = field(default_factory=lambda: {"direction": 0, "location": 0})
    top: int = 0
    balls: int = 0
    strikes: int = 0
    outs: int = 0
    bases: dict[int, str] = field(default_factory=dict)
    used_up: list[tuple[str, str, str, int]] = field(default_factory=list)
    dice: tuple[Any, ...] = ()
    events: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    winner: tuple[str, str] | None = None

    thrown: tuple[str, ...] = ()
    guess: tuple[str, ...] = ()
    fell: dict[str, Any] = field(default_factory=dict)
    """The dice as they fell, by name."""
    acts: list[Act] = field(default_factory=list)
    """What abilities did to this pitch and still counts."""
    canceled: list[tuple[str, str]] = field(default_factory=list)
    called: str = ""
    count_before: tuple[int, int] = (0, 0)
    tokens_out: bool = False
    """True while tokens lie on the cards."""
    race: str = ""
    at_bat_over: bool = False
    """True from the cleanup of the last pitch of an at-bat until the next batter comes up."""


class SlowGame:
    """One game: `asks` says what is open, `answer` answers one of them, `now` is the position reached."""

    def __init__(self, box: Box, house: Mapping[str, str]) -> None:
        self.house = house
        self.before = Position(list(box.batters), box.starter, box.reliever)
        self.said: list[tuple[str, Any]] = []
        self.now = self.before
        self.asks: tuple[Asked, ...] = ()
        self.go_on()

    def answer(self, why: str, value: Any) -> None:
        """Answer the open ask with this code."""
        self.said.append((why, value))
        self.go_on()

    def go_on(self) -> None:
        """Play from the position before the pitch until an answer is missing."""
        self.asks = ()
        while not self.before.winner:
            self.now, self.left = deepcopy(self.before), list(self.said)
            try:
                OnePitch(self).play()
            except Unanswered as missing:
                self.asks = missing.asks
                return
            self.before, self.said = self.now, self.left
        self.now = self.before


class OnePitch:
    """One round, from the stare-down to the cleanup."""

    def __init__(self, game: SlowGame) -> None:
        self.p, self.house, self.left = game.now, game.house, game.left

    # Answers and events

    def ask(self, seat: str, why: str, legal: tuple[Any, ...], **facts: Any) -> Any:
        if not self.left:
            raise Unanswered(Asked(seat, why, legal, facts))
        said = self.left.pop(0)
        assert said[0] == why
        return said[1]

    def roll(self, seat: str, why: str, **facts: Any) -> int:
        face: int = self.ask(seat, why, (1, 2, 3, 4, 5, 6), **facts)
        self.p.dice = (face,)
        return face

    def tell(self, code: str, **facts: Any) -> None:
        self.p.events.append((code, facts))

    # A round

    def play(self) -> None:
        p = self.p
        self.stare_down()
        self.moment("reveal")

        faces = tuple((face, letter) for face in range(1, 7) for letter in "BSC")
        p.dice = tuple(self.ask("away", "pitch", faces))
        p.fell["control"], p.fell["letter"] = p.dice
        self.moment("pitch")

        p.fell["swing"] = self.roll("home", "swing")
        self.moment("swing")
        self.moment("result")
        p.called = self.judge()
        seat = "home" if p.called in ("contact", "crush") else "away"
        dice = {"letter": self.letter(), "control": self.die("control"), "swing": self.die("swing")}
        self.tell(p.called, seat=seat, batter=p.lineup[0].name, **dice)

        at_bat_over = self.outcome()
        if p.outs == 3:
            self.win("away", "three-outs")
        if p.winner:
            return
        self.moment("cleanup")
        p.tokens_out = False
        self.between_pitches(at_bat_over)

    def stare_down(self) -> None:
        p = self.p
        worn = [p.pitcher.ace[i] for i, part in enumerate(PARTS) if p.rows[part] == self.bottom]
        can = tuple(one for one in ALL_PITCHES if not any(part in one.split("-") for part in worn))
        open_ = {"guess": Asked("home", "guess", ALL_PITCHES), "pitch-call": Asked("away", "pitch-call", can)}
        calls = {}
        while open_:
            if not self.left:
                raise Unanswered(*open_.values())
            why, value = self.left.pop(0)
            del open_[why]
            calls[why] = tuple(value.split("-"))
        p.thrown, p.guess = calls["pitch-call"], calls["guess"]
        p.fell, p.acts, p.canceled, p.called, p.race, p.dice = {}, [], [], "", "", ()
        p.count_before, p.tokens_out = (p.balls, p.strikes), True
        right = len(self.tokens("home"))
        names = {"batter": p.lineup[0].name, "pitcher": p.pitcher.name}
        said = {"pitch": " ".join(p.thrown), "guess": " ".join(p.guess)}
        self.tell({0: "fooled", 1: "half-guessed", 2: "guessed"}[right], seat="home", **names, **said)
        parts = [part for i, part in enumerate(PARTS) if p.thrown[i] == p.pitcher.ace[i]]
        self.move_tokens(parts, int(self.house["fatigueStep"]))

    # What is on

    @property
    def bottom(self) -> int:
        return int(self.house["bottomRow"])

    def tokens(self, seat: str) -> list[str]:
        """The parts whose tokens lie on a seat's card."""
        p = self.p
        guessed = [part for i, part in enumerate(PARTS) if p.thrown and p.thrown[i] == p.guess[i]]
        missed = [part for part in PARTS if part not in guessed]
        return [] if not p.tokens_out else guessed if seat == "home" else missed

    def card(self, seat: str) -> Player:
        return self.p.lineup[0] if seat == "home" else self.p.pitcher

    def is_on(self, seat: str, slot: str) -> bool:
        p = self.p
        if (seat, slot) in p.canceled:
            return False
        if slot == "mvp":
            return self.tokens(seat) == ["direction", "location"]
        if slot == "ace":
            ace = [p.thrown[i : i + 1] == p.pitcher.ace[i : i + 1] for i in (0, 1)]
            thrown = all(ace) if self.house["aceNeedsBothParts"] == "true" else any(ace)
            return p.tokens_out and thrown and p.guess != p.thrown
        if slot == "trait":
            return self.house["traitsNeedToken"] == "false" or self.tokens(seat) != []
        return slot in self.tokens(seat)

    def slots_on(self, seat: str) -> list[str]:
        return [slot for slot in self.card(seat).powers if self.is_on(seat, slot)]

    # What the dice count as

    def die(self, name: str) -> int:
        """What a die counts as: made a number first, then changed, always the owner's cards before the other's."""
        counts: int = self.p.fell[name]
        names = {name, "swing"} if name == "bonus" and self.house["bonusModifiers"] == "swingToo" else {name}
        by_owner = [act for act in self.p.acts if act.seat == OWNER[name] and act.what in names]
        by_other = [act for act in self.p.acts if act.seat != OWNER[name] and act.what in names]
        for act in by_owner + by_other:
            if act.kind == "set":
                counts = act.value
        step_by_step = self.house["modOrder"] == "clampEachStep"
        for act in by_owner + by_other:
            if act.kind == "add":
                counts += act.value
                counts = min(6, max(1, counts)) if step_by_step else counts
        return min(6, max(1, counts))

    def letter(self) -> str:
        shows: str = self.p.fell["letter"]
        for act in self.p.acts:
            if act.kind == "letter" and act.what == shows:
                shows = act.value
        return shows

    def judge(self) -> str:
        """The result as it stands."""
        swing, control, letter = self.die("swing"), self.die("control"), self.letter()
        if letter == "B":
            found = "strike" if swing > control else "ball"
        elif letter == "S":
            found = "contact" if swing > control else "foul" if swing == control else "strike"
        else:
            found = "contact" if swing == control else "strike"
        if self.p.fell["swing"] == 6 and (self.house["crushNeedsContact"] == "false" or found == "contact"):
            found = "crush"
        for act in self.p.acts:
            if act.kind == "result" and act.what == found:
                found = act.value
        return found

    # Abilities

    def moment(self, name: str) -> None:
        """Every ability of this moment acts: dice first, then letters, results and the bonus."""
        first = "away" if name in ("reveal", "pitch", "cleanup") else "home"
        for kind in ("any", "letter", "result", "bonus"):
            for seat in (first, OTHER[first]):
                for slot, powers in self.card(seat).powers.items():
                    for place, power in enumerate(powers):
                        mine = power.kind == kind or (kind == "any" and power.kind not in ("letter", "result", "bonus"))
                        if mine and power.moment == name and self.is_on(seat, slot):
                            self.try_power(seat, slot, place, power)
                if kind == "any" and self.card(seat).blank:
                    self.blank_card(seat, name)

    def try_power(self, seat: str, slot: str, place: int, power: Power) -> None:
        card = self.card(seat)
        mark = (power.uses, card.name, slot, place)
        if mark in self.p.used_up or not self.applies(seat, power):
            return
        if power.may:
            answer = self.ask(seat, "ability", ("use", "keep"), card=card.name, ability=power.phrase)
            if answer == "keep":
                return
        if power.uses != "pitch":
            self.p.used_up.append(mark)
        self.act(power.phrase, Act(seat, slot, power.kind, power.what, power.value))

    def applies(self, seat: str, power: Power) -> bool:
        known = self.facts(seat)
        if power.when and not any(holds(needs, known) for needs in power.when):
            return False
        if any(holds(needs, known) for needs in power.unless):
            return False
        if power.kind == "letter" and self.letter() != power.what:
            return False
        if power.kind == "result" and self.judge() != power.what:
            return False
        if power.kind == "bonus" and str(self.die("bonus")) != power.what:
            return False
        if power.kind == "add" and self.house["dieBounds"] == "refuse":
            return self.die(power.what) + power.value in (1, 2, 3, 4, 5, 6)
        return True

    def facts(self, seat: str) -> dict[str, Any]:
        p = self.p
        known: dict[str, Any] = {"tokens": len(self.tokens(seat)), "outs": p.outs}
        known["balls"], known["strikes"] = p.count_before
        known["direction"], known["location"] = p.thrown
        for base, word in ((1, "first"), (2, "second"), (3, "third")):
            known[word] = "occupied" if base in p.bases else "empty"
        for part in PARTS:
            known[f"{part}_row"] = p.rows[part]
        changed = self.house["abilityTriggers"] == "final"
        for die in ("control", "swing", "bonus"):
            if die in p.fell:
                known[die] = self.die(die) if changed else p.fell[die]
        if "letter" in p.fell:
            known["letter"] = self.letter() if changed else p.fell["letter"]
        if "swing" in p.fell:
            less, more = known["swing"] < known["control"], known["swing"] > known["control"]
            known["compare"] = "less" if less else "more" if more else "equal"
            known["result"] = p.called or self.judge()
        return known

    def act(self, phrase: str, act: Act) -> None:
        """Announce an effect, and do at once what cannot wait."""
        p = self.p
        card = self.card(act.seat).name
        self.tell("ability", seat=act.seat, card=card, ability=phrase)
        p.acts.append(act)
        if act.kind == "cancel":
            off = (OTHER[act.seat], act.what)
            p.canceled.append(off)
            p.acts = [one for one in p.acts if (one.seat, one.slot) != off]
        elif act.kind == "reroll" and act.what == "pitch":
            p.fell["letter"] = self.ask("away", "reroll", ("B", "S", "C"), card=card, which="pitch")
            p.dice = (p.fell["letter"],)
        elif act.kind == "reroll":
            p.fell[act.what] = self.roll(OWNER[act.what], "reroll", card=card, which=act.what)
        elif act.kind == "fatigue":
            self.move_tokens(list(PARTS) if act.what == "both" else [act.what], act.value)

    def move_tokens(self, parts: list[str], by: int) -> None:
        p = self.p
        worn_out = []
        for i, part in enumerate(PARTS):
            was = p.rows[part]
            if part in parts:
                p.rows[part] = min(self.bottom, max(p.top, was + by))
            if p.rows[part] == self.bottom != was:
                worn_out.append(p.pitcher.ace[i])
        for word in worn_out:
            self.tell("exhausted", seat="away", pitcher=p.pitcher.name, part=word)

    def blank_card(self, seat: str, name: str) -> None:
        """Ask what a blank card did, before the pitch is judged and before the race."""
        on = [slot for slot in self.slots_on(seat) if slot != "trait"]
        if not on or name not in ("swing", "run"):
            return
        can: dict[str, tuple[str, str, Any]] = {"nothing": ("", "", None)}
        if name == "run":
            can |= {"race 4": ("race", "race", 4), "their race 6": ("race", "their race", 6)}
            can["unopposed"] = ("unopposed", "", None)
        else:
            for die in ("swing", "control"):
                steps = [by for by in (1, 2, -1, -2) if 1 <= self.die(die) + by <= 6]
                can |= {f"{die} {by:+}": ("add", die, by) for by in steps}
            can |= {f"reroll {die}": ("reroll", die, None) for die in ("swing", "control", "pitch")}
            letter, result = self.letter(), self.judge()
            can |= {f"{letter} as {to}": ("letter", letter, to) for to in ("B", "S", "C") if to != letter}
            results = ("ball", "strike", "foul", "contact")
            can |= {f"{result} as {to}": ("result", result, to) for to in results if to != result}
            can |= {f"cancel {slot}": ("cancel", slot, None) for slot in self.slots_on(OTHER[seat])}
        said = self.ask(seat, "blank", tuple(can), card=self.card(seat).name)
        if said != "nothing":
            self.act(said, Act(seat, on[0], *can[said]))

    def sum_of(self, kind: str, what: str) -> int:
        return sum(act.value for act in self.p.acts if (act.kind, act.what) == (kind, what))

    # What a result does

    def outcome(self) -> bool:
        """Apply the result; True if the at-bat is over."""
        p = self.p
        ahead = self.sum_of("runners", "runners")
        moved = {base + ahead: name for base, name in p.bases.items()}
        p.bases = {base: name for base, name in moved.items() if base <= 3}
        if scored := [name for base, name in sorted(moved.items()) if base > 3]:
            self.run_scores(scored[-1], "", "walk-off-run")
            return False
        if p.called == "crush":
            return self.bonus()
        if p.called == "contact":
            return self.run()
        p.balls += self.sum_of("count", "ball")
        p.strikes += self.sum_of("count", "strike")
        if p.called == "ball":
            p.balls += 1
        if p.called == "strike" or (p.called == "foul" and p.strikes <= 1):
            p.strikes += 1
        if p.strikes > 2:
            return self.out("strikeout")
        if p.balls > 3:
            self.tell("walk", seat="home", batter=p.lineup[0].name, turn="walk")
            return self.to_base(1, forced=True, reason="walk-off-walk")
        return False

    def bonus(self) -> bool:
        p = self.p
        p.fell["bonus"] = self.roll("home", "bonus")
        self.moment("bonus")
        face = self.die("bonus")
        worth = {1: "contact", 2: "contact", 3: "1B", 4: "1B", 5: "2B", 6: "HR"}[face]
        for act in p.acts:
            if act.kind == "bonus" and act.what == str(face):
                worth = act.value
        if worth == "contact":
            self.tell("contact-after-all", seat="home", batter=p.lineup[0].name)
            return self.run()
        return self.hit(worth)

    def hit(self, worth: str) -> bool:
        base, code = {"1B": (1, "single"), "2B": (2, "double"), "3B": (3, "triple"), "HR": (4, "home-run")}[worth]
        self.tell(code, seat="home", batter=self.p.lineup[0].name, hit=True)
        forced = self.house["runnersOnHit"] == "forcedOnly" and base < 4
        return self.to_base(base, forced, "walk-off-home-run" if base == 4 else "walk-off-hit")

    def to_base(self, base: int, forced: bool, reason: str) -> bool:
        """Put the batter on a base, and move the runners as far, or only out of the way."""
        p = self.p
        moved, behind = {base: p.lineup[0].name}, base
        for was, name in sorted(p.bases.items()):
            behind = max(was, behind + 1) if forced else was + base
            moved[behind] = name
        p.bases = {at: name for at, name in moved.items() if at <= 3}
        if max(moved) > 3:
            self.run_scores(moved[max(moved)], p.lineup[0].name, reason)
        return True

    def out(self, code: str) -> bool:
        p = self.p
        p.outs += 1
        turn = "strikeout" if code == "strikeout" else "out"
        self.tell(code, seat="away", batter=p.lineup[0].name, outs=p.outs, turn=turn)
        return True

    def run_scores(self, runner: str, by: str, reason: str) -> None:
        self.tell("run-scores", seat="home", runners=(runner,), by=by, scored=1)
        self.win("home", reason)

    def win(self, seat: str, reason: str) -> None:
        self.p.winner = (seat, reason)
        self.tell("game-over", seat=seat)

    # The run

    def winning(self, seat: str, alone: bool = False) -> tuple[int, ...]:
        lowest = 5
        if not alone or self.house["traitsOnUnopposed"] == "true":
            if self.card(seat).four and self.is_on(seat, "trait"):
                lowest = 4
            for act in self.p.acts:
                if act.kind == "race" and (act.what == "race") == (act.seat == seat):
                    lowest = act.value
        return tuple(face for face in range(1, 7) if face >= lowest)

    def run(self) -> bool:
        p = self.p
        self.moment("run")
        alone = [
            seat
            for seat in ("home", "away")
            if (self.card(seat).alone and self.is_on(seat, "trait"))
            or any(act.kind == "unopposed" and act.seat == seat for act in p.acts)
        ]
        if self.house["bothUnopposed"] == "raceAtOnce":
            del alone[1:]
        for seat in alone:
            face = self.roll(seat, "unopposed", card=self.card(seat).name)
            self.tell("unopposed", seat=seat, card=self.card(seat).name, face=face)
            if face in self.winning(seat, alone=True):
                return self.race_won(seat)
        p.race = "open"
        self.tell("race", seat="home", batter=p.lineup[0].name, pitcher=p.pitcher.name)
        if self.house["raceMode"] == "alternate":
            while True:
                home = self.roll("home", "race-roll", card=p.lineup[0].name) in self.winning("home")
                away = self.roll("away", "race-roll", card=p.pitcher.name) in self.winning("away")
                if home is not away:
                    return self.race_won("home" if home else "away")
        if not self.left:
            safe = Asked("home", "call-safe", self.winning("home"))
            raise Unanswered(safe, Asked("away", "call-out", self.winning("away")))
        why, face = self.left.pop(0)
        p.dice = (face,)
        return self.race_won({"call-safe": "home", "call-out": "away"}[why])

    def race_won(self, seat: str) -> bool:
        self.p.race = "safe" if seat == "home" else "out"
        return self.hit("1B") if seat == "home" else self.out("thrown-out")

    # Cleanup

    def between_pitches(self, at_bat_over: bool) -> None:
        p = self.p
        p.at_bat_over = at_bat_over
        empty = 3 - len(p.bases) if at_bat_over else 0
        up = {part: max(0, p.rows[part] - p.top) for part in PARTS}
        ways = [(i, steps - i) for steps in (3, 2, 1, 0) for i in range(steps + 1) if steps <= empty]
        ways = [(i, j) for i, j in ways if i <= up["direction"] and j <= up["location"]]
        if self.house["relief"] == "compulsory":
            ways = [way for way in ways if sum(way) == sum(ways[0])]
        options = ["none" if way == (0, 0) else f"relief-{way[0]}-{way[1]}" for way in ways]
        if p.reliever and (at_bat_over or self.house["benchTiming"] == "everyPitch"):
            options.append("bench")
        if options != ["none"]:
            said = self.ask("away", "relief", tuple(options), pitcher=p.pitcher.name)
            if said == "bench":
                self.bench()
            elif said != "none":
                direction, location = ways[options.index(said)]
                self.move_tokens(["direction"], -direction)
                self.move_tokens(["location"], -location)
                self.tell("relief", seat="away", pitcher=p.pitcher.name, steps=direction + location)
        if at_bat_over:
            p.lineup.pop(0)
            p.balls = p.strikes = 0
            p.at_bat_over = False
            p.used_up = [mark for mark in p.used_up if mark[0] != "at-bat"]
            self.tell("next-batter", seat="home", batter=p.lineup[0].name)

    def bench(self) -> None:
        p = self.p
        assert p.reliever
        self.tell("bench", seat="away", benched=p.pitcher.name, pitcher=p.reliever.name)
        p.pitcher, p.reliever = p.reliever, None
        p.top = int(self.house["reliefRow"])
        p.rows = dict.fromkeys(PARTS, p.top)


def holds(needs: Needs, known: Mapping[str, Any]) -> bool:
    """True if all of these facts are known and have one of their values."""
    return all(name in known and known[name] in values for name, values in needs.items())
