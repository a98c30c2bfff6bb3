"""Everything the rulebook may ask of the table.

Rules read as the rulebook does: `face = yield from roll(seat, "at-bat")`. An ask carries everything needed to answer
it: the seat, a stable `why` code, facts for its sentence, and the legal answers or the dice to throw.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from engine.ask_views import ArrangeView, AskView, CallView, ChooseView, DieView, Option, RerollView, RollView
from engine.dice import D6, Die, Face
from engine.errors import IllegalAnswer, InvalidAnswer
from engine.events import Facts, spoken_list
from engine.lazy import LazyFact
from engine.seats import Seat
from engine.secrets import SealedValue

T = TypeVar("T")
CommonAskFields = tuple[int, Seat, str, bool, bool, str, str, str]
"""The first fields of every `AskView`: number, seat, kind, secret, race, why, title, sentence."""

MootOption = LazyFact[str | None] | str | None
"""The answer that everybody would give, at once or once somebody asks; None if the choice matters."""

OptionLabeler = Callable[[Iterable[str]], tuple[Option, ...]]
"""Return the options that people see for stable codes."""


def _legal_value(given: object, legal: tuple[Any, ...], what: str) -> Any:
    """Return the member of `legal` that equals `answer_for_rules` and has the same type: `True` and `1.0` are not a
    1."""
    for one in legal:
        if type(one) is type(given) and one == given:
            return one
    raise _rejection_type(given, legal)(f"{given!r} is not {what}: {', '.join(map(str, legal))}.")


def _rejection_type(given: object, legal: tuple[Any, ...]) -> type[IllegalAnswer | InvalidAnswer]:
    return IllegalAnswer if type(given) in set(map(type, legal)) else InvalidAnswer


def _legal_face(given: object, die: Die) -> Any:
    """Return a face of the die, as `_legal_value` does. The error does not list the faces: everybody knows them."""
    if any(type(one) is type(given) and one == given for one in die.faces):
        return given
    raise _rejection_type(given, die.faces)(f"{given!r} is not on a {die.kind}.")


@dataclass(frozen=True, slots=True)
class Roll:
    """Throw these dice. Answered by their faces in the order of `dice`; the rules receive them as a tuple."""

    seat: Seat
    why: str
    dice: tuple[Die, ...] = (D6,)
    facts: Facts = field(default_factory=dict)

    def validate_answer(self, value: object) -> tuple[Face, ...]:
        """Return `value` as a tuple of faces; one die also takes a bare face. Raises InvalidAnswer or IllegalAnswer."""
        faces = value if isinstance(value, list | tuple) else (value,)
        if len(faces) != len(self.dice):
            raise InvalidAnswer(f"Needs {len(self.dice)} dice, not {len(faces)}.")
        return tuple(_legal_face(face, die) for face, die in zip(faces, self.dice, strict=True))

    def build_view(self, about: CommonAskFields, choices: OptionLabeler) -> AskView:
        """Return the view of this ask for somebody who may answer it."""
        return RollView(*about, tuple(map(DieView.from_die, self.dice)))


@dataclass(frozen=True, slots=True)
class Reroll:
    """Throw some of the dice in the tray again: at least one, at most `most`, of those at the places `free`.

    `faces` are what the `dice` show now, in order. The answer is a list of the same length: a face for each die thrown
    again, None for each other die. The rules receive it as a tuple. Not checked: whether the other dice still show
    their faces.
    """

    seat: Seat
    why: str
    faces: tuple[Face, ...]
    free: tuple[int, ...]
    most: int
    dice: tuple[Die, ...]
    facts: Facts = field(default_factory=dict)

    def validate_answer(self, value: object) -> tuple[Face | None, ...]:
        """Return `value` as a tuple of faces and None. Raises InvalidAnswer or IllegalAnswer."""
        if not isinstance(value, list | tuple) or len(value) != len(self.dice):
            raise InvalidAnswer(f"Needs a face or nothing for each of {len(self.dice)} dice.")
        given = tuple(
            None if face is None else _legal_face(face, die) for face, die in zip(value, self.dice, strict=True)
        )
        thrown = [place for place, face in enumerate(given) if face is not None]
        if held := [self.faces[place] for place in thrown if place not in self.free]:
            raise IllegalAnswer(f"The {spoken_list(held)} must stay.")
        if not 1 <= len(thrown) <= self.most:
            raise IllegalAnswer(f"You can reroll 1 to {self.most} dice, not {len(thrown)}.")
        return given

    def faces_after(self, value: Sequence[Face | None]) -> tuple[Face, ...]:
        """Return the faces of all the dice after `value`, a checked answer."""
        return tuple(old if new is None else new for old, new in zip(self.faces, value, strict=True))

    def build_view(self, about: CommonAskFields, choices: OptionLabeler) -> AskView:
        """Return the view of this ask for somebody who may answer it."""
        return RerollView(*about, tuple(map(DieView.from_die, self.dice)), self.faces, self.free, self.most)


@dataclass(frozen=True, slots=True)
class Choose:
    """Choose one of `options`, which are stable codes. The rules receive the code.

    `foregone` says whether it is `moot_option`, worked out once somebody asks.
    """

    seat: Seat
    why: str
    options: tuple[str, ...]
    facts: Facts = field(default_factory=dict)
    foregone: MootOption = None

    @property
    def moot_option(self) -> str | None:
        """The option that everybody would take, because no other can help; None if the choice matters. A table may give
        it without asking, so only what everybody knows may decide it.
        """
        return self.foregone.value if isinstance(self.foregone, LazyFact) else self.foregone

    def validate_answer(self, value: object) -> str:
        """Return `value` if it is an option. Raises InvalidAnswer or IllegalAnswer."""
        return str(_legal_value(value, self.options, "one of the choices"))

    def build_view(self, about: CommonAskFields, choices: OptionLabeler) -> AskView:
        """Return the view of this ask for somebody who may answer it."""
        return ChooseView(*about, choices(self.options))


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw one of `options`, stable codes, at random for `seat`. The rules receive the code.

    Not checked: whether the draw was random. The table must draw fairly, and answer the same ask the same way each
    time.
    """

    seat: Seat
    why: str
    options: tuple[str, ...]
    facts: Facts = field(default_factory=dict)

    def validate_answer(self, value: object) -> str:
        """Return `value` if it is an option. Raises InvalidAnswer or IllegalAnswer."""
        return str(_legal_value(value, self.options, "one of those to draw from"))

    def build_view(self, about: CommonAskFields, choices: OptionLabeler) -> AskView:
        """Return the view of this ask for somebody who may see the options."""
        return ChooseView(*about, choices(self.options))


@dataclass(frozen=True, slots=True)
class Arrange:
    """Lay `pieces` on `places`, at most one on each. At least `fewest` must be laid; None: as many as there is room
    for.

    The answer is an object of place to piece; the rules receive it in the order of `places`. `lying` is how they lie
    until it is answered, empty if none does. Like the moot option of a choice, it is something that everybody knows,
    or in a secret the seat itself.
    """

    seat: Seat
    why: str
    pieces: tuple[str, ...]
    places: tuple[str, ...]
    facts: Facts = field(default_factory=dict)
    fewest: int | None = None
    lying: Mapping[str, str] = field(default_factory=dict)

    @property
    def unchanged_layout(self) -> dict[str, str] | None:
        """The answer that leaves everything as it lies; None if nothing lies, or it is not legal any more."""
        try:
            return self.validate_answer(self.lying) if self.lying else None
        except (InvalidAnswer, IllegalAnswer):
            return None

    @property
    def min_pieces(self) -> int:
        """The least number of pieces to lay."""
        return min(len(self.pieces), len(self.places)) if self.fewest is None else self.fewest

    def validate_answer(self, value: object) -> dict[str, str]:
        """Return `value` as a dict in the order of `places`. Raises InvalidAnswer or IllegalAnswer."""
        if not isinstance(value, Mapping):
            raise InvalidAnswer("An arrangement is an object of place to piece.")
        laid = {
            _legal_value(place, self.places, "a place"): _legal_value(piece, self.pieces, "a piece to lay")
            for place, piece in value.items()
        }
        if len(set(laid.values())) != len(laid):
            raise IllegalAnswer("A piece can be in only one place.")
        if len(laid) < self.min_pieces:
            raise IllegalAnswer(f"Needs {self.min_pieces} pieces, not {len(laid)}.")
        return {place: laid[place] for place in self.places if place in laid}

    def build_view(self, about: CommonAskFields, choices: OptionLabeler) -> AskView:
        """Return the view of this ask for somebody who may answer it."""
        return ArrangeView(*about, self.min_pieces, choices(self.pieces), choices(self.places))


@dataclass(frozen=True, slots=True)
class Secret:
    """A choice, a draw or an arrangement that nobody else may see. The rules receive it `Sealed`."""

    ask: Choose | Draw | Arrange

    @property
    def seat(self) -> Seat:
        """The seat that answers."""
        return self.ask.seat

    @property
    def why(self) -> str:
        """The stable code of the ask."""
        return self.ask.why

    @property
    def facts(self) -> Facts:
        """The facts for the sentence."""
        return self.ask.facts

    def validate_answer(self, value: object) -> Any:
        """Check as the inner ask does. A refusal may be shown to anyone, so it does not list the legal answers."""
        try:
            return self.ask.validate_answer(value)
        except (InvalidAnswer, IllegalAnswer) as error:
            raise type(error)("That isn't an answer to this question.") from None

    def build_view(self, about: CommonAskFields, choices: OptionLabeler) -> AskView:
        """Return the view of this ask for its own seat."""
        return self.ask.build_view(about, choices)


@dataclass(frozen=True, slots=True)
class Call:
    """Call out a winning roll: `die` must show one of `wins`. The answer is that face; the rules receive the face.

    Not checked: when the die came to rest and when the call was made. The device decides who was first.
    """

    seat: Seat
    why: str
    die: Die
    wins: tuple[Face, ...]
    facts: Facts = field(default_factory=dict)

    def validate_answer(self, value: object) -> Face:
        """Return `value` if it wins. Raises InvalidAnswer if it is not a face of the die, IllegalAnswer if it loses."""
        try:
            face: Face = _legal_face(value, self.die)
        except IllegalAnswer as error:
            raise InvalidAnswer(str(error)) from None
        if face not in self.wins:
            raise IllegalAnswer(f"A {face} doesn't win, only {spoken_list(self.wins, 'or')} does: roll again.")
        return face

    def build_view(self, about: CommonAskFields, choices: OptionLabeler) -> AskView:
        """Return the view of this ask for anybody: a call is never secret."""
        return CallView(*about, DieView.from_die(self.die), self.wins)


Ask = Roll | Reroll | Choose | Draw | Arrange | Secret | Call
"""An ask that one seat answers."""

DiceAsk = Roll | Reroll
"""An ask that a throw of dice answers."""


@dataclass(frozen=True, slots=True)
class SimultaneousAsks:
    """Asks for several seats at once. No answer is shown before all are in; the rules then receive a dict of seat to
    answer.
    """

    asks: tuple[Ask, ...]


@dataclass(frozen=True, slots=True)
class RaceAsks:
    """The first seat to answer wins; the rules receive `(seat, answer)`."""

    asks: tuple[Ask, ...]


Prompt = Ask | SimultaneousAsks | RaceAsks
"""Anything a play may yield."""

Play = Generator[Prompt, Any, None]
"""One short stretch of rules between two stable states."""


def prompt_asks(prompt: Prompt) -> tuple[Ask, ...]:
    """Return the asks in a prompt, in the order of their numbers."""
    return prompt.asks if isinstance(prompt, SimultaneousAsks | RaceAsks) else (prompt,)


def freeze_lazy_facts(prompt: Prompt) -> None:
    """Keep what nobody has looked at in the asks of a prompt as it is, because the state goes on
    (`Lazy.freeze_state`)."""
    copies = dict[int, Any]()
    for ask in prompt_asks(prompt):
        inner = ask.ask if isinstance(ask, Secret) else ask
        facts = (ask.facts,) if isinstance(ask.facts, LazyFact) else ask.facts.values()
        for fact in (*facts, inner.foregone if isinstance(inner, Choose) else None):
            if isinstance(fact, LazyFact):
                fact.freeze_state(copies)


def answer_for_rules(ask: Ask, n: int, value: Any) -> Any:
    """Return a checked answer as the rules receive it: sealed if the ask is secret."""
    return SealedValue(ask.seat, value, n) if isinstance(ask, Secret) else value


def roll(seat: Seat, why: str, die: Die = D6, **facts: Any) -> Generator[Roll, tuple[Any, ...], Any]:
    """Ask for one die and return its face (an int for all but the pitching die)."""
    return (yield Roll(seat, why, (die,), facts))[0]


def roll_dice(
    seat: Seat, why: str, dice: tuple[Die, ...], **facts: Any
) -> Generator[Roll, tuple[Any, ...], tuple[Any, ...]]:
    """Ask for several dice and return their faces in the order of `dice`."""
    return (yield Roll(seat, why, dice, facts))


def reroll(
    seat: Seat,
    why: str,
    faces: tuple[int, ...],
    free: tuple[int, ...] | None = None,
    most: int | None = None,
    **facts: Any,
) -> Generator[Reroll, tuple[Face | None, ...], tuple[Any, ...]]:
    """Ask to throw again some of the d6 that show `faces`: at most `most` (None: all) of those at the places `free`
    (None: any). Return the faces of all the dice afterward.
    """
    may = tuple(range(len(faces))) if free is None else free
    ask = Reroll(seat, why, faces, may, len(may) if most is None else most, (D6,) * len(faces), facts)
    again = yield ask
    return ask.faces_after(again)


def choose(seat: Seat, why: str, options: tuple[str, ...], **facts: Any) -> Generator[Choose, str, str]:
    """Ask for one of `options` and return its code."""
    return (yield Choose(seat, why, options, facts))


def arrange(
    seat: Seat, why: str, pieces: tuple[str, ...], places: tuple[str, ...], fewest: int | None = None, **facts: Any
) -> Generator[Arrange, dict[str, str], dict[str, str]]:
    """Ask to lay pieces on places, at least `fewest` (None: all there is room for), and return place to piece."""
    return (yield Arrange(seat, why, pieces, places, facts, fewest))


def ask_secretly(ask: Choose | Draw | Arrange) -> Generator[Secret, SealedValue[Any], SealedValue[Any]]:
    """Ask in secret and return the answer sealed."""
    return (yield Secret(ask))


def ask_together(*asks: Ask) -> Generator[SimultaneousAsks, dict[Seat, Any], dict[Seat, Any]]:
    """Ask several seats at once and return the answer of each seat."""
    return (yield SimultaneousAsks(asks))


def race(*asks: Ask) -> Generator[RaceAsks, tuple[Seat, Any], tuple[Seat, Any]]:
    """Ask who is first and return the winner and the answer."""
    return (yield RaceAsks(asks))
