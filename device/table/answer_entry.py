"""What buttons do with an ask: turn to one of its answers and press OK, place by place where it has several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Face = int | str

MANY, FEW = 12, 5
"""A die with more faces than so many, of which nothing is known, is entered in two steps: first so many faces, then
which of them."""


class EntryError(ValueError):
    """The ask cannot be answered by turning: it shows no dice, options or places."""


@dataclass(frozen=True, slots=True)
class Position:
    """One position of a dial: the value it stands for and what the display shows."""

    value: Any
    label: str


class AnswerEntry:
    """The cursor of one seat in one open ask.

    `ask` is the plain data of `Table.show(n, ask, seat)` for the seat that answers. `faces` starts a roll at a
    doubtful or proposed reading, in the order of the dice, and an arrangement at pieces, in the order of the places; a
    face that a die does not have, a piece that is not left, or None, is passed over. Where dice are thrown again, those
    that may be are asked about one by one: each stays, or shows another face now. `likely` are for each die of a roll a
    few faces that come first, after the one it starts at.
    Not checked: whether the ask is still open; the table does that. Raises DialError.
    """

    def __init__(
        self, ask: Mapping[str, Any], faces: Sequence[Face | None] = (), likely: Sequence[Sequence[Face]] = ()
    ) -> None:
        self.n: int = ask["n"]
        self.seat: str = ask["seat"]
        self.kind: str = ask["kind"]
        self.secret: bool = bool(ask.get("secret"))
        self.answer: Any = None
        """The finished answer in its JSON form, or None while more is wanted."""
        self._ask = ask
        self._start, self._likely = tuple(faces), likely
        self.index = 0
        """The cursor's place among `count` positions, from 0."""
        self.touched = False
        """Whether a button has moved it yet."""
        self._laid: list[Any] = []
        self._among: tuple[Face, ...] = ()
        """The few faces of a die of many that were chosen already."""
        self._marks: list[Position] = []
        self._layouts = {
            "roll": self._roll,
            "reroll": self._reroll,
            "choose": self._choose,
            "arrange": self._arrange,
        }
        needed = {"roll": "dice", "reroll": "free", "choose": "options", "arrange": "places"}
        if not ask.get(needed.get(self.kind, "")) or (self.kind == "arrange" and not ask.get("pieces")):
            raise EntryError(f"Ask {self.n} has nothing to turn to.")
        self._enter()

    # What the display shows ------------------------------------------------------------------------------------------

    @property
    def label(self) -> str:
        """The cursor in words ("Bat", "Die 2: 4"), for the eyes of the seat that answers."""
        return self._marks[self.index].label

    @property
    def public_label(self) -> str:
        """The cursor in words for everybody: `secret` for a secret ask."""
        return "secret" if self.secret else self.label

    @property
    def count(self) -> int:
        """How many positions the cursor has now, at least 1."""
        return len(self._marks)

    @property
    def step(self) -> int:
        """Which die or place is being given, from 0; where dice are thrown again, which of the free ones."""
        return len(self._laid)

    @property
    def faces(self) -> tuple[Face | None, ...]:
        """The dice of a roll as they stand: given, under the cursor, and proposed (None: not known yet)."""
        if self.kind == "reroll":
            old: Sequence[Face] = self._ask["faces"]
            return tuple(face if new is None else new for face, new in zip(old, self._value(), strict=True))
        if self.kind != "roll":
            return ()
        dice = self._ask["dice"]
        under = self._marks[self.index].value
        here = None if isinstance(under, tuple) else under
        known = [*self._laid] if self.answer is not None else [*self._laid, here]
        return (*known, *(self._proposed(i) for i in range(len(known), len(dice))))

    @property
    def again(self) -> tuple[int, ...] | None:
        """The places of the dice that were thrown again, as the dial stands; None where that is not asked."""
        if self.kind != "reroll":
            return None
        return tuple(place for place, face in enumerate(self._value()) if face is not None)

    def shown(self) -> dict[str, Any]:
        """The dial as a public view holds it; of a secret ask neither the label nor where or whether it was turned."""
        return {
            "seat": self.seat,
            "n": self.n,
            "label": self.public_label,
            "index": None if self.secret else self.index,
            "count": None if self.secret else self.count,
            "touched": self.touched and not self.secret,
        }

    # What the buttons do ---------------------------------------------------------------------------------------------

    def next(self) -> None:
        """Turn one position on; after the last comes the first."""
        self._turn(1)

    def previous(self) -> None:
        """Turn one position back; before the first comes the last."""
        self._turn(-1)

    def ok(self) -> Any:
        """Take the position under the cursor.

        Returns the finished answer in its JSON form (faces for a roll, with None for a die that stays, the option's
        code, or place to piece), or None while more is wanted. Pressed again after that, it returns the same answer:
        the table refuses a stale one.
        """
        self.touched = True
        value = self._marks[self.index].value
        if self.answer is None and isinstance(value, tuple):
            self._among = value
            self._enter()
        elif self.answer is None:
            self._laid.append(value)
            self._among = ()
            if self.kind == "reroll" and self.step == len(self._ask["free"]) and not any(self._laid):
                # At least one must be thrown: nothing was told yet.
                self._laid = []
            if self._finished():
                self.answer = self._answer()
            else:
                self._enter()
        return self.answer

    def back(self) -> bool:
        """Take back the last die or place given, or the few faces chosen of many. Returns whether there was one."""
        if self._among:
            chosen, self._among = self._among, ()
            self._enter()
            self.index = next(i for i, mark in enumerate(self._marks) if mark.value == chosen)
            return True
        if not self._laid:
            return False
        self.answer = None
        value = self._laid.pop()
        self._enter()
        self.index = next((i for i, mark in enumerate(self._marks) if mark.value == value), 0)
        return True

    # Machinery -------------------------------------------------------------------------------------------------------

    def _turn(self, steps: int) -> None:
        self.touched = True
        self.index = (self.index + steps) % self.count

    def _enter(self) -> None:
        """Lay out the positions of the step that comes."""
        self._marks = self._layouts[self.kind]()
        self.index = 0
        place = self._ask["free"][self.step] if self.kind == "reroll" else self.step
        if self.kind != "choose" and place < len(self._start):
            start = self._start[place]
            self.index = next((i for i, mark in enumerate(self._marks) if start is not None and mark.value == start), 0)

    def _proposed(self, i: int) -> Face | None:
        """The face that die `i` was started with, if the die has it."""
        face = self._start[i] if i < len(self._start) else None
        return face if face in self._ask["dice"][i]["faces"] else None

    def _roll(self) -> list[Position]:
        die, name = self._ask["dice"][self.step], called(self._ask["dice"])[self.step]
        faces: Sequence[Face] = self._among or die["faces"]
        start, first = self._proposed(self.step), [] if self._among else self._first(self.step)
        marks = [Position(face, f"{name}: {printed(die, face)}") for face in first]
        if len(faces) > MANY and start is None:
            parts = [tuple(faces[i : i + FEW]) for i in range(0, len(faces), FEW)]
            return marks + [Position(part, f"{name}: {part[0]} to {part[-1]}") for part in parts]
        return marks + [Position(face, f"{name}: {printed(die, face)}") for face in faces if face not in first]

    def _first(self, i: int) -> list[Face]:
        """The faces that come first for die `i`: what it starts at and what else is likely, if anything is."""
        likely = self._likely[i] if i < len(self._likely) else ()
        order, has = dict.fromkeys([self._proposed(i), *likely]), self._ask["dice"][i]["faces"]
        return [face for face in order if face is not None and face in has] if likely else []

    def _reroll(self) -> list[Position]:
        place = self._ask["free"][self.step]
        die, name, old = self._ask["dice"][place], called(self._ask["dice"])[place], self._ask["faces"][place]
        known = f"{name} ({old})"
        return [
            Position(None, f"{known} stays"),
            *(Position(face, f"{known} now {printed(die, face)}") for face in die["faces"]),
        ]

    def _value(self) -> list[Face | None]:
        """The answer as it stands: given, under the cursor, and as it was started."""
        dice, free = self._ask["dice"], self._ask["free"]
        value: list[Face | None] = [None] * len(dice)
        laid = self._laid if self.answer is not None else [*self._laid, self._marks[self.index].value]
        for step, place in enumerate(free):
            value[place] = laid[step] if step < len(laid) else self._proposed(place) if self.answer is None else None
        return value

    def _choose(self) -> list[Position]:
        return [Position(option["value"], option["label"]) for option in self._ask["options"]]

    def _arrange(self) -> list[Position]:
        places, pieces = self._ask["places"], self._ask["pieces"]
        place = places[self.step]["label"]
        left = [piece for piece in pieces if piece["value"] not in self._laid]
        marks = [Position(piece["value"], f"{place}: {piece['label']}") for piece in left]
        laid = len(pieces) - len(left)
        if laid + min(len(left), len(places) - self.step - 1) >= self._ask["least"]:
            marks.append(Position(None, f"{place}: empty"))
        return marks

    def _finished(self) -> bool:
        if self.kind == "choose":
            return True
        if self.kind == "roll":
            return len(self._laid) == len(self._ask["dice"])
        if self.kind == "reroll":
            thrown = sum(face is not None for face in self._laid)
            return bool(thrown) and (thrown == self._ask["most"] or self.step == len(self._ask["free"]))
        given = sum(piece is not None for piece in self._laid)
        return given == len(self._ask["pieces"]) or self.step == len(self._ask["places"])

    def _answer(self) -> Any:
        if self.kind == "choose":
            return self._laid[0]
        if self.kind == "roll":
            return list(self._laid)
        if self.kind == "reroll":
            given = dict(zip(self._ask["free"], self._laid, strict=False))
            return [given.get(place) for place in range(len(self._ask["dice"]))]
        places = (place["value"] for place in self._ask["places"])
        return {place: piece for place, piece in zip(places, self._laid, strict=False) if piece is not None}


def printed(die: Mapping[str, Any], face: Face) -> str:
    """What a face is called: the 10 of a d10 is the 0 that is printed there."""
    return "10 (0)" if die["kind"] == "d10" and face == 10 else str(face)


def called(dice: Sequence[Mapping[str, Any]]) -> list[str]:
    """The dice of a roll in few words: by colour ("Red die"), else by owner, else by both, else by number ("Die 2").

    `dice` are those of an ask's plain data.
    """
    if len(dice) == 1:
        return [f"{dice[0].get('colour') or ''} die".strip().capitalize()]
    owners = [f"{die['owner']}'s" if die.get("owner") else "" for die in dice]
    colours = [die.get("colour") or "" for die in dice]
    both = [f"{owner} {colour}".strip() for owner, colour in zip(owners, colours, strict=True)]
    names = []
    for i, ways in enumerate(zip(colours, owners, both, strict=True)):
        word = next(
            (way for way, all_ in zip(ways, (colours, owners, both), strict=True) if way and all_.count(way) == 1), None
        )
        names.append(f"{word} die".capitalize() if word else f"Die {i + 1}" + (f", {both[i]}" if both[i] else ""))
    return names


def spoken(dice: Sequence[Mapping[str, Any]], faces: Sequence[Face]) -> str:
    """What the dice of a roll show, in words: "3, 5", or where it matters which is which "red die 3, white die 5"."""
    if len({(die.get("colour"), die.get("owner")) for die in dice}) == 1:
        return ", ".join(map(str, faces))
    return ", ".join(f"{name[0].lower()}{name[1:]} {face}" for name, face in zip(called(dice), faces, strict=False))
