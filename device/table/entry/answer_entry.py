"""Answer an ask with three buttons. Each step moves a cursor to a position and accepts it with OK."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from engine.ask_views import ArrangeView, AskView, ChooseView, RerollView, RollView
from engine.dice import Face
from engine.seats import Seat
from engine.views import ButtonEntryView, SecretButtonEntryView

MAX_UNGROUPED_FACES = 12
"""A die with more faces and no reading is entered in two steps, a group and a face of it."""

FACES_PER_GROUP = 5
"""Faces in one such group."""

PHONE_ONLY_ADVICE = ("take your seat on a phone, choose there", "use a phone")
"""Advice for a secret choice whose cursor only a phone may show, in full and short."""


class EntryError(ValueError):
    """The ask cannot be answered with buttons, because it has no dice, options or places."""


class DieLike(Protocol):
    """A die of an ask or of its view."""

    @property
    def kind(self) -> str:
        """A key of `engine.dice.FACES_BY_KIND`."""

    @property
    def colour(self) -> str | None:
        """Its color, where the game distinguishes dice by color."""

    @property
    def owner(self) -> Seat | None:
        """Its owner, where the game distinguishes dice by owner."""


@dataclass(frozen=True, slots=True)
class CursorPosition:
    """One position of the cursor, with its value and the label on the display."""

    value: Any
    label: str


class AnswerEntry:
    """The cursor of one seat in one open ask. Each kind of ask has a subclass.

    `start` has the initial value of each step: a doubtful or proposed reading in the order of the dice, or pieces in
    the order of the places. Steps skip None and values that they do not offer. Not checked: whether the ask is still
    open, because the table does that.
    """

    kind = ""

    def __init__(self, n: int, seat: Seat, secret: bool = False, start: Sequence[Any] = ()) -> None:
        self.n, self.seat, self.secret = n, seat, secret
        self.answer: Any = None
        """The finished answer as JSON, or None while a step is left."""
        self.index = 0
        """The cursor's index among `position_count` positions, from 0."""
        self.touched = False
        """True after a button has moved it."""
        self._start = tuple(start)
        self._given: list[Any] = []
        self._positions: Sequence[CursorPosition] = ()

    # What the display shows ------------------------------------------------------------------------------------------

    @property
    def label(self) -> str:
        """The cursor in words for the seat that answers ("Bat", "Die 2: 4")."""
        return self._positions[self.index].label

    @property
    def public_label(self) -> str:
        """The cursor in words for everybody, "secret" for a secret ask."""
        return "secret" if self.secret else self.label

    @property
    def position_count(self) -> int:
        return len(self._positions)

    @property
    def step_index(self) -> int:
        """Index of the current die or place, from 0. In a reroll it counts only the free dice."""
        return len(self._given)

    @property
    def entered_faces(self) -> tuple[Face | None, ...]:
        """Face of each die of a roll: given, under the cursor, or proposed. None if unknown."""
        return ()

    @property
    def rerolled_indexes(self) -> tuple[int, ...] | None:
        """In a reroll, indexes of the rerolled dice in the current entry. None for other asks."""
        return None

    def entry_view(self) -> ButtonEntryView:
        """Public view of the cursor. For a secret ask it has neither the label nor whether the cursor moved."""
        if self.secret:
            return SecretButtonEntryView(self.seat, self.n, self.public_label, None, None, False, *PHONE_ONLY_ADVICE)
        return ButtonEntryView(self.seat, self.n, self.label, self.index, self.position_count, self.touched)

    # What the buttons do ---------------------------------------------------------------------------------------------

    def press_next(self) -> None:
        """Move to the next position. After the last comes the first."""
        self._move_cursor(1)

    def press_previous(self) -> None:
        """Move to the previous position. Before the first comes the last."""
        self._move_cursor(-1)

    def press_ok(self) -> Any:
        """Accept the position under the cursor.

        Returns the finished answer as JSON, or None while a step is left: faces for a roll (None for a die that stays),
        an option's code, or pieces by place. Another press returns the same answer, which the table rejects as stale.
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
        """Undo the last step. Returns False if there was none."""
        if not self._given:
            return False
        self.answer = None
        value = self._given.pop()
        self._start_step()
        self._point_at(value)
        return True

    # For subclasses --------------------------------------------------------------------------------------------------

    def _step_positions(self) -> Sequence[CursorPosition]:
        raise NotImplementedError

    def _is_complete(self) -> bool:
        raise NotImplementedError

    def _complete_answer(self) -> Any:
        raise NotImplementedError

    def _add_step(self, value: Any) -> None:
        self._given.append(value)

    def _start_index(self) -> int:
        return self.step_index

    # Helpers ---------------------------------------------------------------------------------------------------------

    def _move_cursor(self, steps: int) -> None:
        self.touched = True
        self.index = (self.index + steps) % self.position_count

    def _start_step(self) -> None:
        self._positions, place, self.index = self._step_positions(), self._start_index(), 0
        if place < len(self._start) and self._start[place] is not None:
            self._point_at(self._start[place])

    def _point_at(self, value: Any) -> None:
        """Move the cursor to the position of `value`, or to the first if there is none."""
        self.index = next((i for i, position in enumerate(self._positions) if position.value == value), 0)


class ChoiceEntry(AnswerEntry):
    """A choice among positions, each of which is a complete answer."""

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
    """The faces of a roll, die by die. `likely` has for each die the faces offered after its initial one."""

    kind = "roll"

    def __init__(self, ask: RollView, start: Sequence[Face | None] = (), likely: Sequence[Sequence[Face]] = ()) -> None:
        super().__init__(ask.n, ask.seat, ask.secret, start)
        self._dice, self._likely = ask.dice, likely
        self._group: tuple[Face, ...] = ()
        """The chosen group of faces of a die with many faces."""
        self._start_step()

    @property
    def entered_faces(self) -> tuple[Face | None, ...]:
        under = self._positions[self.index].value
        here = None if isinstance(under, tuple) else under
        known = [*self._given] if self.answer is not None else [*self._given, here]
        return (*known, *(self._proposed_face(i) for i in range(len(known), len(self._dice))))

    def undo_step(self) -> bool:
        """Undo the last die, or the group of faces chosen for it. Returns False if there was neither."""
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
        """Initial face of die `i`, if it has that face."""
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
        """Faces offered first for die `i`: its initial face and the other likely ones. [] if none are likely."""
        likely = self._likely[i] if i < len(self._likely) else ()
        order, has = dict.fromkeys([self._proposed_face(i), *likely]), self._dice[i].faces
        return [face for face in order if face is not None and face in has] if likely else []

    def _is_complete(self) -> bool:
        return len(self._given) == len(self._dice)

    def _complete_answer(self) -> list[Face]:
        return list(self._given)


class RerollEntry(AnswerEntry):
    """The free dice of a reroll, one by one. A die stays, if `stays` allows it, or shows a new face."""

    kind = "reroll"

    def __init__(self, ask: RerollView, start: Sequence[Face | None] = (), stays: bool = True) -> None:
        super().__init__(ask.n, ask.seat, ask.secret, start)
        self._ask, self._stays = ask, stays
        self._start_step()

    @property
    def entered_faces(self) -> tuple[Face | None, ...]:
        return tuple(
            old if new is None else new for old, new in zip(self._ask.faces, self._current_value(), strict=True)
        )

    @property
    def rerolled_indexes(self) -> tuple[int, ...]:
        return tuple(place for place, face in enumerate(self._current_value()) if face is not None)

    def _start_index(self) -> int:
        return self._ask.free[self.step_index]

    def _step_positions(self) -> Sequence[CursorPosition]:
        place = self._start_index()
        die, known = self._ask.dice[place], f"{die_names(self._ask.dice)[place]} ({self._ask.faces[place]})"
        shows = [CursorPosition(face, f"{known} now {face_label(die, face)}") for face in die.faces]
        return [*([CursorPosition(None, f"{known} stays")] if self._stays else []), *shows]

    def _current_value(self) -> list[Face | None]:
        """The face of each die so far: entered, else under the cursor, else initial. None: not rerolled, or unknown."""
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
            self._given = []  # at least one die must be rerolled, so the entry restarts

    def _is_complete(self) -> bool:
        thrown = sum(face is not None for face in self._given)
        return bool(thrown) and (thrown == self._ask.most or self.step_index == len(self._ask.free))

    def _complete_answer(self) -> list[Face | None]:
        given = dict(zip(self._ask.free, self._given, strict=False))
        return [given.get(place) for place in range(len(self._ask.dice))]


class ArrangeEntry(AnswerEntry):
    """Pieces for places, one by one. A place may stay empty while the others can still hold enough pieces."""

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
    """Build the entry for an ask as its own seat sees it. Raises EntryError if it has no positions.

    `start` and `likely` as in `AnswerEntry` and `RollEntry`.
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
    """Format a face as printed on the die. The 10 of a d10 is a 0."""
    return "10 (0)" if die.kind == "d10" and face == 10 else str(face)


def die_names(dice: Sequence[DieLike]) -> list[str]:
    """Name each die of a roll by color ("Red die"), else by owner, else by both, else by number ("Die 2")."""
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
    """Format the faces of dice: "3, 5", or "red die 3, white die 5" if the dice differ."""
    if len({(die.colour, die.owner) for die in dice}) == 1:
        return ", ".join(map(str, faces))
    return ", ".join(f"{name[0].lower()}{name[1:]} {face}" for name, face in zip(die_names(dice), faces, strict=False))
