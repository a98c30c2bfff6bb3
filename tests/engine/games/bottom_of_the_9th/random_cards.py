"""Cards with random abilities, as the manual describes them, and the decks that `slow_rules` and the engine both play.

Which abilities there are, and from when each fact is known, is stated here again: nothing comes from the engine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

MOMENTS = ("reveal", "pitch", "swing", "result", "bonus", "run", "cleanup")

LETTERS = ("B", "S", "C")
RESULTS = ("ball", "strike", "foul", "contact", "crush")
PARTS = ("direction", "location", "both")

WHEN_KNOWN: Mapping[str, tuple[str, tuple[Any, ...]]] = {
    "direction": ("reveal", ("inside", "away")),
    "location": ("reveal", ("high", "low")),
    "tokens": ("reveal", (0, 1, 2)),
    "balls": ("reveal", (0, 1, 2, 3)),
    "strikes": ("reveal", (0, 1, 2)),
    "outs": ("reveal", (0, 1, 2)),
    "first": ("reveal", ("occupied", "empty")),
    "second": ("reveal", ("occupied", "empty")),
    "third": ("reveal", ("occupied", "empty")),
    "direction_row": ("reveal", (0, 1, 2, 3)),
    "location_row": ("reveal", (0, 1, 2, 3)),
    "letter": ("pitch", LETTERS),
    "control": ("pitch", (1, 2, 3, 4, 5, 6)),
    "swing": ("swing", (1, 2, 3, 4, 5, 6)),
    "compare": ("swing", ("less", "equal", "more")),
    "result": ("result", RESULTS),
    "bonus": ("bonus", (1, 2, 3, 4, 5, 6)),
}
"""The facts that abilities may depend on: the moment from which each is known, and its values."""

Needs = Mapping[str, tuple[Any, ...]]


@dataclass(frozen=True)
class Power:
    """An ability: the kind of effect, what it changes and to or by which value; and when, whether and how often."""

    kind: str
    what: str = ""
    value: Any = None
    when: tuple[Needs, ...] = ()
    unless: tuple[Needs, ...] = ()
    may: bool = False
    uses: str = "pitch"

    @property
    def phrase(self) -> str:
        """What is typed on the card."""
        match self.kind:
            case "add" | "count" | "runners":
                return f"{self.what} {self.value:+}"
            case "fatigue":
                return f"{self.what} fatigue {self.value:+}"
            case "set":
                return f"{self.what} = {self.value}"
            case "letter" | "result":
                return f"{self.what} as {self.value}"
            case "bonus":
                return f"bonus {self.what} as {self.value}"
            case "race":
                return f"{self.what} {self.value}"
            case "reroll" | "cancel":
                return f"{self.kind} {self.what}"
        return self.kind

    @property
    def span(self) -> tuple[str, str]:
        """The first and the last moment at which such an effect can happen."""
        match self.kind:
            case "add" | "set" | "reroll":
                return {"control": ("pitch", "swing"), "pitch": ("pitch", "swing")}.get(self.what, (self.what,) * 2)
            case "letter":
                return "pitch", "swing"
            case "result":
                return "swing", "result"
            case "count" | "runners":
                return "result", "result"
            case "fatigue":
                return ("reveal", "reveal") if self.value > 0 else ("cleanup", "cleanup")
            case "cancel":
                return "reveal", "run"
            case "bonus":
                return "bonus", "bonus"
        return "run", "run"

    @property
    def moment(self) -> str:
        """When it acts: as early as it can, and not before all its facts are known."""
        facts = [name for needs in (*self.when, *self.unless) for name in needs]
        return max([self.span[0], *(WHEN_KNOWN[name][0] for name in facts)], key=MOMENTS.index)

    @property
    def too_late(self) -> bool:
        """True if its facts are known only after it can happen: such a card is refused."""
        return MOMENTS.index(self.moment) > MOMENTS.index(self.span[1])

    def toml(self) -> str:
        """Return what stands in the deck's file, always as a table."""
        table = [f'do = "{self.phrase}"']
        for word, tables in (("when", self.when), ("unless", self.unless)):
            if tables:
                texts = ", ".join("{ " + ", ".join(f"{k} = {list(v)}" for k, v in one.items()) + " }" for one in tables)
                table.append(f"{word} = [{texts}]")
        table += ["may = true"] if self.may else []
        table += [f'uses = "{self.uses}"'] if self.uses != "pitch" else []
        return "{ " + ", ".join(table) + " }"


@dataclass(frozen=True)
class Player:
    """A card: a batter, or a pitcher with an ace. `four` is speed or fielding, `alone` the unopposed roll.

    `powers` are by slot: direction, location, mvp or ace, trait.
    """

    name: str
    four: bool
    alone: bool
    powers: Mapping[str, tuple[Power, ...]]
    blank: bool = False
    ace: tuple[str, ...] = ()
    mark: str = ""
    """The position of a batter, the role of a pitcher."""

    def toml(self) -> str:
        """Return the card as it stands in a deck's file."""
        lines = ["[[pitcher]]" if self.ace else "[[batter]]", f'name = "{self.name}"']
        lines += [f'role = "{self.mark}"', f'ace = "{"-".join(self.ace)}"'] if self.ace else []
        lines += [] if self.ace else [f'positions = "{self.mark}"']
        lines += [f"{'fielding' if self.ace else 'speed'} = true"] if self.four else []
        lines += ["unopposed = true"] if self.alone else []
        lines += ["blank = true"] if self.blank else []
        for slot, powers in self.powers.items():
            if powers:
                key = "ace_ability" if slot == "ace" else slot
                lines.append(f"{key} = [{', '.join(power.toml() for power in powers)}]")
        return "\n".join(lines) + "\n"


@dataclass(frozen=True)
class Box:
    """A deck: six batters in the order of the ready-made line-up, a starter and a reliever."""

    batters: tuple[Player, ...]
    starter: Player
    reliever: Player
    head: str = field(default='[deck]\ngame = "bottom-of-the-9th"\ntitle = "Random"\n', repr=False)

    def toml(self) -> str:
        """Return the deck's file."""
        return self.head + "".join(card.toml() for card in (*self.batters, self.starter, self.reliever))


EFFECTS = (
    *[("add", die) for die in ("control", "swing", "swing", "bonus")],
    *[("set", die) for die in ("control", "swing", "bonus")],
    *[("reroll", die) for die in ("control", "pitch", "swing", "bonus")],
    *[(kind, "") for kind in ("letter", "letter", "result", "result", "bonus", "count", "count", "runners")],
    *[(kind, "") for kind in ("race", "race", "unopposed", "fatigue", "fatigue", "cancel", "cancel")],
)


def power(chance: Random, effects: Sequence[tuple[str, str]] = EFFECTS) -> Power:
    """Return any ability that can be typed, also one that is refused as too late."""
    kind, what = chance.choice(effects)
    value: Any = None
    match kind:
        case "add":
            value = chance.choice((-2, -1, 1, 2, chance.choice((-5, -4, -3, 3, 4, 5))))
        case "set":
            value = chance.randint(1, 6)
        case "letter":
            what, value = chance.sample(LETTERS, 2)
        case "result":
            what, value = chance.sample(RESULTS, 2)
        case "bonus":
            what, value = str(chance.randint(1, 6)), chance.choice(("contact", "1B", "2B", "3B", "HR"))
        case "count":
            what, value = chance.choice(("ball", "strike")), chance.randint(1, 2)
        case "runners":
            what, value = "runners", chance.choice((1, 1, 1, 2, 3))
        case "race":
            what, value = chance.choice(("race", "their race")), chance.randint(4, 6)
        case "fatigue":
            what, value = chance.choice(PARTS), chance.choice((-3, -2, -1, -1, 1, 1, 2, 5))
        case "cancel":
            what = chance.choice(("direction", "location", "ace", "mvp", "trait"))
    when = tuple(needs(chance) for _ in range(chance.choice((0, 0, 0, 1, 1, 2))))
    unless = tuple(needs(chance) for _ in range(chance.choice((0, 0, 0, 0, 0, 1, 2))))
    uses = chance.choice(("pitch", "pitch", "at-bat", "game"))
    return Power(kind, what, value, when, unless, chance.random() < 0.35, uses)


def needs(chance: Random) -> Needs:
    """Return facts with the values that will do, more than half of them."""
    names = chance.sample(sorted(WHEN_KNOWN), chance.choice((1, 1, 2)))
    values = {name: WHEN_KNOWN[name][1] for name in names}
    return {name: tuple(chance.sample(all_, (len(all_) + 1) // 2)) for name, all_ in values.items()}


def powers(chance: Random, most: int, effects: Sequence[tuple[str, str]]) -> tuple[Power, ...]:
    """Return up to `most` abilities that no deck refuses."""
    found = (power(chance, effects) for _ in range(chance.randint(0, most)))
    return tuple(one for one in found if not one.too_late)


def box(chance: Random, kind: str = "") -> Box:
    """Return a deck with random abilities of a few kinds, or mostly of one `kind`, so that they often meet."""
    effects: Sequence[tuple[str, str]] = chance.sample(EFFECTS, chance.choice((4, 6, 9, len(EFFECTS))))
    if kind:
        effects = [*[one for one in EFFECTS if one[0] == kind] * 3, *effects[:2]]

    def player(name: str, mark: str, ace: tuple[str, ...] = ()) -> Player:
        blank = chance.random() < 0.12
        most = {"direction": 2, "location": 2, "ace" if ace else "mvp": 2, "trait": 4}
        able = {slot: () if blank else powers(chance, many, effects) for slot, many in most.items()}
        return Player(name, chance.random() < 0.3, chance.random() < 0.3, able, blank, ace, mark)

    def pitcher(name: str, role: str) -> Player:
        return player(name, role, (chance.choice(("inside", "away")), chance.choice(("high", "low"))))

    batters = [player(f"B-{mark}", mark) for mark in ("C", "1B", "2B", "3B", "SS", "LF")]
    return Box(tuple(batters), pitcher("P-START", "starter"), pitcher("P-RELIEF", "reliever"))
