"""Everything the rulebook may ask of the table.

Rules read as the rulebook does: `face = yield from roll(seat, "at-bat")`. An ask holds its seat, a stable `why` code,
the facts for its sentence, and the legal answers or the dice to throw.
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
"""The moot option of a choice, computed on request if lazy. None if the choice matters. See `Choose.moot_option`."""

OptionLabeler = Callable[[Iterable[str]], tuple[Option, ...]]
"""A function from stable codes to the options that people see."""


def _legal_value(given: object, legal: tuple[Any, ...], what: str) -> Any:
    """Return the member of `legal` that equals `given` and has the same type. `True` and `1.0` are not a 1."""
    for one in legal:
        if type(one) is type(given) and one == given:
            return one
    raise _rejection_type(given, legal)(f"{given!r} is not {what}: {', '.join(map(str, legal))}.")


def _rejection_type(given: object, legal: tuple[Any, ...]) -> type[IllegalAnswer | InvalidAnswer]:
    return IllegalAnswer if type(given) in set(map(type, legal)) else InvalidAnswer


def _legal_face(given: object, die: Die) -> Any:
    """Return `given` if it is a face of the die. The error lists no faces, because everybody knows them."""
    if any(type(one) is type(given) and one == given for one in die.faces):
        return given
    raise _rejection_type(given, die.faces)(f"{given!r} is not on a {die.kind}.")


@dataclass(frozen=True, slots=True)
class Roll:
    """Throw these dice. The answer has their faces in the order of `dice`, and the rules receive it as a tuple."""

    seat: Seat
    why: str
    dice: tuple[Die, ...] = (D6,)
    facts: Facts = field(default_factory=dict)

    def validate_answer(self, value: object) -> tuple[Face, ...]:
        """Return `value`, a list or one bare face, as a tuple of faces. Raises InvalidAnswer or IllegalAnswer."""
        faces = value if isinstance(value, list | tuple) else (value,)
        if len(faces) != len(self.dice):
            raise InvalidAnswer(f"Needs {len(self.dice)} dice, not {len(faces)}.")
        return tuple(_legal_face(face, die) for face, die in zip(faces, self.dice, strict=True))

    def build_view(self, about: CommonAskFields, choices: OptionLabeler) -> AskView:
        return RollView(*about, tuple(map(DieView.from_die, self.dice)))


@dataclass(frozen=True, slots=True)
class Reroll:
    """Throw some of the dice in the tray again.

    The answer is a list with a face for each rerolled die and None for each other die. The rules receive it as a tuple.
    Not checked: whether the other dice still show their faces.

        faces: what the `dice` show now, in order.
        free: the indexes of the dice that may be rerolled.
        most: how many dice may be rerolled, from 1.
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
        return tuple(old if new is None else new for old, new in zip(self.faces, value, strict=True))

    def build_view(self, about: CommonAskFields, choices: OptionLabeler) -> AskView:
        return RerollView(*about, tuple(map(DieView.from_die, self.dice)), self.faces, self.free, self.most)


@dataclass(frozen=True, slots=True)
class Choose:
    """Choose one of `options`, which are stable codes. `foregone` is the moot option or a lazy fact for it."""

    seat: Seat
    why: str
    options: tuple[str, ...]
    facts: Facts = field(default_factory=dict)
    foregone: MootOption = None

    @property
    def moot_option(self) -> str | None:
        """The option that can't be worse than any other, whatever comes later. None if the choice matters.

        After any other option, whatever the dice show, the draws give and the other side does, the asked seat can come
        to the same end or a better one with this option. That is so in three cases:

        - it wins the game, or each other option loses it;
        - the positions after all options are the same, but for what nobody must use, such as an unused card or token;
        - after it, the seat may still choose all that another option can lead to.

        Better on average, or with these cards, is not enough. Only public facts count. A table may choose this option
        for a person without asking.
        """
        return self.foregone.value if isinstance(self.foregone, LazyFact) else self.foregone

    def validate_answer(self, value: object) -> str:
        """Return `value` if it is an option. Raises InvalidAnswer or IllegalAnswer."""
        return str(_legal_value(value, self.options, "one of the choices"))

    def build_view(self, about: CommonAskFields, choices: OptionLabeler) -> AskView:
        return ChooseView(*about, choices(self.options))


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw one of `options`, which are stable codes, at random for `seat`. The rules receive the code.

    Not checked: whether the draw was random. The table must draw fairly, and draw the same for the same ask.
    """

    seat: Seat
    why: str
    options: tuple[str, ...]
    facts: Facts = field(default_factory=dict)

    def validate_answer(self, value: object) -> str:
        """Return `value` if it is an option. Raises InvalidAnswer or IllegalAnswer."""
        return str(_legal_value(value, self.options, "one of those to draw from"))

    def build_view(self, about: CommonAskFields, choices: OptionLabeler) -> AskView:
        return ChooseView(*about, choices(self.options))


@dataclass(frozen=True, slots=True)
class Arrange:
    """Place `pieces` on `places`, at most one on each. The answer is an object from place to piece.

    The rules receive it in the order of `places`.

        fewest: the least number of pieces to place. None: as many as there is room for.
        lying: the current layout, empty if there is none. It is public, or in a secret known to the seat.
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
        """The answer that keeps the current layout. None if there is none, or if it is no longer legal."""
        try:
            return self.validate_answer(self.lying) if self.lying else None
        except (InvalidAnswer, IllegalAnswer):
            return None

    @property
    def min_pieces(self) -> int:
        return min(len(self.pieces), len(self.places)) if self.fewest is None else self.fewest

    def validate_answer(self, value: object) -> dict[str, str]:
        """Return `value` as a dict in the order of `places`. Raises InvalidAnswer or IllegalAnswer."""
        if not isinstance(value, Mapping):
            raise InvalidAnswer("An arrangement is an object of place to piece.")
        laid = {
            _legal_value(place, self.places, "a place"): _legal_value(piece, self.pieces, "a piece to place")
            for place, piece in value.items()
        }
        if len(set(laid.values())) != len(laid):
            raise IllegalAnswer("A piece can be in only one place.")
        if len(laid) < self.min_pieces:
            raise IllegalAnswer(f"Needs {self.min_pieces} pieces, not {len(laid)}.")
        return {place: laid[place] for place in self.places if place in laid}

    def build_view(self, about: CommonAskFields, choices: OptionLabeler) -> AskView:
        return ArrangeView(*about, self.min_pieces, choices(self.pieces), choices(self.places))


@dataclass(frozen=True, slots=True)
class Secret:
    """A choice, draw or arrangement that nobody else may see. The rules receive it as a `SealedValue`."""

    ask: Choose | Draw | Arrange

    @property
    def seat(self) -> Seat:
        return self.ask.seat

    @property
    def why(self) -> str:
        return self.ask.why

    @property
    def facts(self) -> Facts:
        return self.ask.facts

    def validate_answer(self, value: object) -> Any:
        """Validate as the inner ask does. The error may be shown to anyone, so it does not list the legal answers."""
        try:
            return self.ask.validate_answer(value)
        except (InvalidAnswer, IllegalAnswer) as error:
            raise type(error)("That isn't an answer to this question.") from None

    def build_view(self, about: CommonAskFields, choices: OptionLabeler) -> AskView:
        return self.ask.build_view(about, choices)


@dataclass(frozen=True, slots=True)
class Call:
    """Call out a winning roll, when `die` shows one of `wins`. The answer is that face, and the rules receive it.

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
        return CallView(*about, DieView.from_die(self.die), self.wins)


Ask = Roll | Reroll | Choose | Draw | Arrange | Secret | Call
"""An ask that one seat answers."""

DiceAsk = Roll | Reroll
"""An ask that a throw of dice answers."""


@dataclass(frozen=True, slots=True)
class SimultaneousAsks:
    """Asks for several seats. No answer is shown before all are given. The rules receive a dict from seat to answer."""

    asks: tuple[Ask, ...]


@dataclass(frozen=True, slots=True)
class RaceAsks:
    """Asks of which the first to be answered wins. The rules receive `(seat, answer)`."""

    asks: tuple[Ask, ...]


Prompt = Ask | SimultaneousAsks | RaceAsks
"""Anything a play may yield."""

Play = Generator[Prompt, Any, None]
"""One short stretch of rules between two stable states."""


def prompt_asks(prompt: Prompt) -> tuple[Ask, ...]:
    return prompt.asks if isinstance(prompt, SimultaneousAsks | RaceAsks) else (prompt,)


def freeze_lazy_facts(prompt: Prompt) -> None:
    """Freeze the lazy facts of a prompt before the state changes. See `LazyFact.freeze_state`."""
    copies = dict[int, Any]()
    for ask in prompt_asks(prompt):
        inner = ask.ask if isinstance(ask, Secret) else ask
        facts = (ask.facts,) if isinstance(ask.facts, LazyFact) else ask.facts.values()
        for fact in (*facts, inner.foregone if isinstance(inner, Choose) else None):
            if isinstance(fact, LazyFact):
                fact.freeze_state(copies)


def answer_for_rules(ask: Ask, n: int, value: Any) -> Any:
    """Return a validated answer as the rules receive it, sealed if the ask is secret."""
    return SealedValue(ask.seat, value, n) if isinstance(ask, Secret) else value


def roll(seat: Seat, why: str, die: Die = D6, **facts: Any) -> Generator[Roll, tuple[Any, ...], Any]:
    """Ask for one die and return its face, an int for all but the pitching die."""
    return (yield Roll(seat, why, (die,), facts))[0]


def roll_dice(
    seat: Seat, why: str, dice: tuple[Die, ...], **facts: Any
) -> Generator[Roll, tuple[Any, ...], tuple[Any, ...]]:
    return (yield Roll(seat, why, dice, facts))


def reroll(
    seat: Seat,
    why: str,
    faces: tuple[int, ...],
    free: tuple[int, ...] | None = None,
    most: int | None = None,
    **facts: Any,
) -> Generator[Reroll, tuple[Face | None, ...], tuple[Any, ...]]:
    """Ask to reroll some of the d6 that show `faces`. Return the faces of all dice afterward.

    free: the indexes of the dice that may be rerolled. None: any.
    most: how many dice may be rerolled. None: all of them.
    """
    may = tuple(range(len(faces))) if free is None else free
    ask = Reroll(seat, why, faces, may, len(may) if most is None else most, (D6,) * len(faces), facts)
    again = yield ask
    return ask.faces_after(again)


def choose(seat: Seat, why: str, options: tuple[str, ...], **facts: Any) -> Generator[Choose, str, str]:
    return (yield Choose(seat, why, options, facts))


def arrange(
    seat: Seat, why: str, pieces: tuple[str, ...], places: tuple[str, ...], fewest: int | None = None, **facts: Any
) -> Generator[Arrange, dict[str, str], dict[str, str]]:
    """Ask for pieces on places and return a dict from place to piece. `fewest` as in `Arrange`."""
    return (yield Arrange(seat, why, pieces, places, facts, fewest))


def ask_secretly(ask: Choose | Draw | Arrange) -> Generator[Secret, SealedValue[Any], SealedValue[Any]]:
    return (yield Secret(ask))


def ask_together(*asks: Ask) -> Generator[SimultaneousAsks, dict[Seat, Any], dict[Seat, Any]]:
    return (yield SimultaneousAsks(asks))


def race(*asks: Ask) -> Generator[RaceAsks, tuple[Seat, Any], tuple[Seat, Any]]:
    return (yield RaceAsks(asks))
