"""Answer an ask with three buttons: move a cursor to a position and press OK, once for each step of the answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from engine.ask_views import ArrangeView, AskView, ChooseView, RerollView, RollView
from engine.dice import Face
from engine.seats import Seat
from engine.views import ButtonEntryView, SecretButtonEntryView

MAX_UNGROUPED_FACES = 12
FACES_PER_GROUP = 5
"""A die with more than MANY faces, about which nothing is known, is entered in two steps: a group of FEW faces, then a
face of that group.
"""

PHONE_ONLY_ADVICE = ("take your seat on a phone, choose there", "use a phone")
"""What to do about a secret choice whose cursor only a phone shows, and the same in fewer words."""


class EntryError(ValueError):
    """The ask cannot be answered with buttons: it shows no dice, options or places."""


class DieLike(Protocol):
    """A die as an ask or its view has it."""

    @property
    def kind(self) -> str:
        """A key of `engine.dice.FACES_BY_KIND`."""

    @property
    def colour(self) -> str | None:
        """Its color, where that matters."""

    @property
    def owner(self) -> Seat | None:
        """Whose it is, where that matters."""


@dataclass(frozen=True, slots=True)
class CursorPosition:
    """One position of the cursor: the value it stands for and what the display shows."""

    value: Any
    label: str


class AnswerEntry:
    """The cursor of one seat in one open ask; each kind of ask has a subclass.

    `start` is where each step begins: a doubtful or proposed reading in the order of the dice, or pieces in the order
    of the places. Steps skip None and values that they do not offer. Not checked: whether the ask is still open; the
    table does that.
    """

    kind = ""

    def __init__(self, n: int, seat: Seat, secret: bool = False, start: Sequence[Any] = ()) -> None:
        self.n, self.seat, self.secret = n, seat, secret
        self.answer: Any = None
        """The finished answer in its JSON form, or None while a step is left."""
        self.index = 0
        """The cursor's place among `position_count` positions, from 0."""
        self.touched = False
        """True once a button has moved it."""
        self._start = tuple(start)
        self._given: list[Any] = []
        self._positions: Sequence[CursorPosition] = ()

    # What the display shows ------------------------------------------------------------------------------------------

    @property
    def label(self) -> str:
        """The cursor in words ("Bat", "Die 2: 4"), for the seat that answers."""
        return self._positions[self.index].label

    @property
    def public_label(self) -> str:
        """The cursor in words for everybody: "secret" for a secret ask."""
        return "secret" if self.secret else self.label

    @property
    def position_count(self) -> int:
        """How many positions the cursor has now, at least 1."""
        return len(self._positions)

    @property
    def step_index(self) -> int:
        """Which die or place is being given, from 0; in a reroll, which of the free dice."""
        return len(self._given)

    @property
    def entered_faces(self) -> tuple[Face | None, ...]:
        """The dice of a roll as they stand: given, under the cursor, and proposed (None: not known yet)."""
        return ()

    @property
    def rerolled_indexes(self) -> tuple[int, ...] | None:
        """In a reroll, the places of the dice that were thrown again, by what is entered; None for other asks."""
        return None

    def entry_view(self) -> ButtonEntryView:
        """Return the cursor as everybody may see it: of a secret ask neither its label nor whether it moved."""
        if self.secret:
            return SecretButtonEntryView(self.seat, self.n, self.public_label, None, None, False, *PHONE_ONLY_ADVICE)
        return ButtonEntryView(self.seat, self.n, self.label, self.index, self.position_count, self.touched)

    # What the buttons do ---------------------------------------------------------------------------------------------

    def press_next(self) -> None:
        """Move one position on; after the last comes the first."""
        self._move_cursor(1)

    def press_previous(self) -> None:
        """Move one position back; before the first comes the last."""
        self._move_cursor(-1)

    def press_ok(self) -> Any:
        """Take the position under the cursor.

        Returns the finished answer in its JSON form (faces for a roll, None for a die that stays, an option's code, or
        place to piece), or None while a step is left. Pressed again after that, it returns the same answer: the table
        refuses a stale one.
        """
        self.touched = True
        if self.answer is None:
            self._add_step(self._positions[self.index].value)
            if self._is_complete():
                self.answer = self._complete_answer()
            else:
                self._start_step()
        return self.answer

    def undo_step(self) -> bool:
        """Take back the last step. Returns whether there was one."""
        if not self._given:
            return False
        self.answer = None
        value = self._given.pop()
        self._start_step()
        self._point_at(value)
        return True

    # What a kind of ask adds -----------------------------------------------------------------------------------------

    def _step_positions(self) -> Sequence[CursorPosition]:
        """Return the positions of the step that comes next."""
        raise NotImplementedError

    def _is_complete(self) -> bool:
        """Return whether the steps given make a whole answer."""
        raise NotImplementedError

    def _complete_answer(self) -> Any:
        """Return the answer that the steps make."""
        raise NotImplementedError

    def _add_step(self, value: Any) -> None:
        self._given.append(value)

    def _start_index(self) -> int:
        """Return the place in `start` of the step that comes next."""
        return self.step_index

    # Machinery -------------------------------------------------------------------------------------------------------

    def _move_cursor(self, steps: int) -> None:
        self.touched = True
        self.index = (self.index + steps) % self.position_count

    def _start_step(self) -> None:
        """Lay out the positions of the next step, with the cursor where that step starts."""
        self._positions, place, self.index = self._step_positions(), self._start_index(), 0
        if place < len(self._start) and self._start[place] is not None:
            self._point_at(self._start[place])

    def _point_at(self, value: Any) -> None:
        """Move to the position of `value`; to the first where there is none."""
        self.index = next((i for i, position in enumerate(self._positions) if position.value == value), 0)


class ChoiceEntry(AnswerEntry):
    """One of several positions, each of which is a whole answer."""

    kind = "choose"

    def __init__(self, n: int, seat: Seat, positions: Sequence[CursorPosition], secret: bool = False) -> None:
        super().__init__(n, seat, secret)
        self._all = positions
        self._start_step()

    def _step_positions(self) -> Sequence[CursorPosition]:
        return self._all

    def _is_complete(self) -> bool:
        return True

    def _complete_answer(self) -> Any:
        return self._given[0]


class RollEntry(AnswerEntry):
    """The faces of a roll, die by die. `likely` are for each die the faces that come first after the one it starts
    at."""

    kind = "roll"

    def __init__(self, ask: RollView, start: Sequence[Face | None] = (), likely: Sequence[Sequence[Face]] = ()) -> None:
        super().__init__(ask.n, ask.seat, ask.secret, start)
        self._dice, self._likely = ask.dice, likely
        self._group: tuple[Face, ...] = ()
        """The few faces of a die with many that were chosen already."""
        self._start_step()

    @property
    def entered_faces(self) -> tuple[Face | None, ...]:
        """The dice as they stand: given, under the cursor, and proposed (None: not known yet)."""
        under = self._positions[self.index].value
        here = None if isinstance(under, tuple) else under
        known = [*self._given] if self.answer is not None else [*self._given, here]
        return (*known, *(self._proposed_face(i) for i in range(len(known), len(self._dice))))

    def undo_step(self) -> bool:
        """Take back the last die, or the group of faces chosen for it. Returns whether there was either."""
        if not self._group:
            return super().undo_step()
        chosen, self._group = self._group, ()
        self._start_step()
        self._point_at(chosen)
        return True

    def _add_step(self, value: Any) -> None:
        if isinstance(value, tuple):
            self._group = value
        else:
            super()._add_step(value)
            self._group = ()

    def _proposed_face(self, i: int) -> Face | None:
        """Return the face that die `i` starts at, if the die has it."""
        face = self._start[i] if i < len(self._start) else None
        return face if face in self._dice[i].faces else None

    def _step_positions(self) -> Sequence[CursorPosition]:
        die, name = self._dice[self.step_index], die_names(self._dice)[self.step_index]
        faces: Sequence[Face] = self._group or die.faces
        first = [] if self._group else self._first_faces(self.step_index)
        positions = [CursorPosition(face, f"{name}: {face_label(die, face)}") for face in first]
        if len(faces) > MAX_UNGROUPED_FACES and self._proposed_face(self.step_index) is None:
            groups = [tuple(faces[i : i + FACES_PER_GROUP]) for i in range(0, len(faces), FACES_PER_GROUP)]
            return positions + [CursorPosition(group, f"{name}: {group[0]} to {group[-1]}") for group in groups]
        return positions + [
            CursorPosition(face, f"{name}: {face_label(die, face)}") for face in faces if face not in first
        ]

    def _first_faces(self, i: int) -> list[Face]:
        """Return the faces that come first for die `i`: what it starts at and what else is likely, if anything is."""
        likely = self._likely[i] if i < len(self._likely) else ()
        order, has = dict.fromkeys([self._proposed_face(i), *likely]), self._dice[i].faces
        return [face for face in order if face is not None and face in has] if likely else []

    def _is_complete(self) -> bool:
        return len(self._given) == len(self._dice)

    def _complete_answer(self) -> list[Face]:
        return list(self._given)


class RerollEntry(AnswerEntry):
    """The free dice of a reroll, one by one: each `stays`, if any of them may, or shows another face now."""

    kind = "reroll"

    def __init__(self, ask: RerollView, start: Sequence[Face | None] = (), stays: bool = True) -> None:
        super().__init__(ask.n, ask.seat, ask.secret, start)
        self._ask, self._stays = ask, stays
        self._start_step()

    @property
    def entered_faces(self) -> tuple[Face | None, ...]:
        """What all the dice show, by what is entered."""
        return tuple(
            old if new is None else new for old, new in zip(self._ask.faces, self._current_value(), strict=True)
        )

    @property
    def rerolled_indexes(self) -> tuple[int, ...]:
        """The places of the dice that were thrown again, by what is entered."""
        return tuple(place for place, face in enumerate(self._current_value()) if face is not None)

    def _start_index(self) -> int:
        return self._ask.free[self.step_index]

    def _step_positions(self) -> Sequence[CursorPosition]:
        place = self._start_index()
        die, known = self._ask.dice[place], f"{die_names(self._ask.dice)[place]} ({self._ask.faces[place]})"
        shows = [CursorPosition(face, f"{known} now {face_label(die, face)}") for face in die.faces]
        return [*([CursorPosition(None, f"{known} stays")] if self._stays else []), *shows]

    def _current_value(self) -> list[Face | None]:
        """Return the answer as it stands: given, under the cursor, and as it was started."""
        value: list[Face | None] = [None] * len(self._ask.dice)
        given = self._given if self.answer is not None else [*self._given, self._positions[self.index].value]
        for step, place in enumerate(self._ask.free):
            if step < len(given):
                value[place] = given[step]
            elif self.answer is None and place < len(self._start) and self._start[place] in self._ask.dice[place].faces:
                value[place] = self._start[place]
        return value

    def _add_step(self, value: Any) -> None:
        super()._add_step(value)
        if self.step_index == len(self._ask.free) and not any(self._given):
            self._given = []  # at least one die must be thrown again: begin with the first

    def _is_complete(self) -> bool:
        thrown = sum(face is not None for face in self._given)
        return bool(thrown) and (thrown == self._ask.most or self.step_index == len(self._ask.free))

    def _complete_answer(self) -> list[Face | None]:
        given = dict(zip(self._ask.free, self._given, strict=False))
        return [given.get(place) for place in range(len(self._ask.dice))]


class ArrangeEntry(AnswerEntry):
    """Pieces for places, place by place. A place may stay empty while the others can still take enough pieces."""

    kind = "arrange"

    def __init__(self, ask: ArrangeView, start: Sequence[Any] = ()) -> None:
        super().__init__(ask.n, ask.seat, ask.secret, start)
        self._ask = ask
        self._start_step()

    def _step_positions(self) -> Sequence[CursorPosition]:
        places, pieces = self._ask.places, self._ask.pieces
        place = places[self.step_index].label
        left = [piece for piece in pieces if piece.value not in self._given]
        positions = [CursorPosition(piece.value, f"{place}: {piece.label}") for piece in left]
        given = len(pieces) - len(left)
        if given + min(len(left), len(places) - self.step_index - 1) >= self._ask.least:
            positions.append(CursorPosition(None, f"{place}: empty"))
        return positions

    def _is_complete(self) -> bool:
        given = sum(piece is not None for piece in self._given)
        return given == len(self._ask.pieces) or self.step_index == len(self._ask.places)

    def _complete_answer(self) -> dict[str, str]:
        places = (place.value for place in self._ask.places)
        return {place: piece for place, piece in zip(places, self._given, strict=False) if piece is not None}


def build_entry(ask: AskView, start: Sequence[Any] = (), likely: Sequence[Sequence[Face]] = ()) -> AnswerEntry:
    """Return the entry for an ask as its own seat sees it. Raises EntryError where it has nothing to turn to.

    `start` and `likely`: see `AnswerEntry` and `RollEntry`.
    """
    match ask:
        case RollView() if ask.dice:
            return RollEntry(ask, start, likely)
        case RerollView() if ask.free:
            return RerollEntry(ask, start)
        case ChooseView() if ask.options and ask.kind == "choose":
            positions = [CursorPosition(option.value, option.label) for option in ask.options]
            return ChoiceEntry(ask.n, ask.seat, positions, ask.secret)
        case ArrangeView() if ask.places and ask.pieces:
            return ArrangeEntry(ask, start)
    raise EntryError(f"Ask {ask.n} has nothing to turn to.")


def face_label(die: DieLike, face: Face) -> str:
    """Return a face as it is printed: the 10 of a d10 is a 0."""
    return "10 (0)" if die.kind == "d10" and face == 10 else str(face)


def die_names(dice: Sequence[DieLike]) -> list[str]:
    """Return a short name for each die of a roll: by color ("Red die"), else by owner, else by both, else by number
    ("Die 2")."""
    if len(dice) == 1:
        return [f"{dice[0].colour or ''} die".strip().capitalize()]
    owners = [f"{die.owner}'s" if die.owner else "" for die in dice]
    colours = [die.colour or "" for die in dice]
    both = [f"{owner} {colour}".strip() for owner, colour in zip(owners, colours, strict=True)]
    names = []
    for i, ways in enumerate(zip(colours, owners, both, strict=True)):
        word = next(
            (way for way, all_ in zip(ways, (colours, owners, both), strict=True) if way and all_.count(way) == 1), None
        )
        names.append(f"{word} die".capitalize() if word else f"Die {i + 1}" + (f", {both[i]}" if both[i] else ""))
    return names


def dice_text(dice: Sequence[DieLike], faces: Sequence[Face]) -> str:
    """Return what dice show, in words: "3, 5", or where it matters which is which, "red die 3, white die 5"."""
    if len({(die.colour, die.owner) for die in dice}) == 1:
        return ", ".join(map(str, faces))
    return ", ".join(f"{name[0].lower()}{name[1:]} {face}" for name, face in zip(die_names(dice), faces, strict=False))
