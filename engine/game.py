"""The interface between a game and the table: an explicit state, and the play that comes next."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from engine.asks import Arrange, Ask, Choose, Play, RaceAsks, Secret, SimultaneousAsks, answer_for_rules
from engine.cards import Card, CardShape
from engine.errors import DeckFault, HouseRuleError
from engine.events import Event, GameWords, LoggedEvent, spoken_list
from engine.innings import Outcome
from engine.printed_board import BoardPieces
from engine.scoreboard import Scoreboard
from engine.seats import SEATS, Seat
from engine.secrets import SealedValue

T = TypeVar("T")
S = TypeVar("S", bound="GameState")


@dataclass(slots=True)
class GameState:
    """The common part of every game's state. A game adds its own fields, each of an immutable type.

    `news` are the events of the current play so far; `revealed` holds the numbers of the secrets opened to all.
    `uncovered`: this play has turned over something hidden on the real table, so an undo must take back all of its
    answers together. `names` are what people call the seats, (away, home), "" for the usual names; sentences and the
    scoreboard have them, and no rule reads them.
    """

    names: tuple[str, str] = ("", "")
    news: tuple[Event, ...] = ()
    revealed: frozenset[int] = frozenset()
    uncovered: bool = False
    outcome: Outcome | None = None

    def emit(self, code: str, /, **facts: Any) -> None:
        """Add an event. Rules never read events back."""
        self.news += (Event(code, facts),)

    def seat_name(self, seat: Seat, usual: str) -> str:
        """Return what people call a seat: the name they gave it, or the `usual` one."""
        return self.names[SEATS.index(seat)] or usual

    @property
    def name_facts(self) -> dict[str, str]:
        """The names that people gave the seats, as facts of an event: `visitors` and `hosts`. Without them its words
        are the usual ones (`Words.usual`).
        """
        return {fact: name for fact, name in zip(("visitors", "hosts"), self.names, strict=True) if name}

    def reveal(self, sealed: SealedValue[T]) -> T:
        """Open a secret to everyone, when the rulebook says so."""
        self.revealed |= {sealed.n}
        return sealed.peek()

    def copy(self: S) -> S:
        """Return an independent copy; one level is enough, since all values are immutable."""
        twin = object.__new__(type(self))
        for name in self.__dataclass_fields__:
            setattr(twin, name, getattr(self, name))
        return twin


@dataclass(frozen=True, slots=True)
class HouseRule:
    """A switch for a point where a rulebook is silent. The first of `values` is the default.

    `asked` is the ledger's number of the ambiguity, "" for a choice that every table makes; `meaning` says what each
    value does, the default first. A rule with a `title` (a question) is shown before every game; `labels` are the
    values as people call them, and `under` is the heading of its section.
    """

    key: str
    values: tuple[str, ...]
    asked: str
    meaning: str
    title: str = ""
    labels: tuple[str, ...] = ()
    under: str = ""

    @property
    def is_interpretation(self) -> bool:
        """True if it only settles how to read the rulebook."""
        return bool(self.asked) and not self.title

    @property
    def value_labels(self) -> tuple[str, ...]:
        """The label of each value: "hallOfFamer" becomes "hall of famer"; if `meaning` has an "or", "true" is "the
        first" side.
        """
        if self.labels:
            return self.labels
        either = re.search(r"[,;] or ", self.meaning) and not self.meaning.startswith("Whether")
        if either and set(self.values) == {"true", "false"}:
            return "the first", "the second"
        words = {"true": "yes", "false": "no"}
        return tuple(words.get(one) or re.sub("([a-z])([A-Z])", r"\1 \2", one).lower() for one in self.values)


ASK_PREFERENCE_LABELS: Mapping[str, str] = {
    "always": "Always",
    "runners": "Runners on",
    "seventh": "From the 7th",
    "never": "Never",
}
"""When a seat may want to be asked about a topic; for each, what people call it."""


@dataclass(frozen=True, slots=True)
class AskTopic:
    """A topic on which a seat may have the table answer for it throughout a game.

    `answers` has for each `why` that the topic covers the option that stands for "no", or for "as it is", which must be
    legal whenever it is asked; or several, of which the first that is offered is taken. `stays` has each `why` of an
    arrangement that stays as it lies; where it cannot, the seat is asked. `title` names the topic ("Strategy cards"),
    `means` says in a few words what the table answers ("no cards"). `resolve_house_rules` has the values of house rules
    under which its asks occur; empty: under all.
    """

    key: str
    title: str
    means: str
    answers: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)
    stays: tuple[str, ...] = ()
    house: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def can_occur(self, house: Mapping[str, str]) -> bool:
        """True if its asks may occur in a game under these house rules."""
        return all(house[key] in values for key, values in self.house.items())

    @property
    def ask_codes(self) -> tuple[str, ...]:
        """The `why` of every ask that the topic covers."""
        return (*self.answers, *self.stays)

    def automatic_answer(self, ask: Ask) -> str | dict[str, str] | None:
        """Return what the table answers to an ask of this topic; None if the seat must be asked."""
        inner = ask.ask if isinstance(ask, Secret) else ask
        if isinstance(inner, Arrange):
            return inner.unchanged_layout
        wanted = self.answers.get(ask.why)
        if isinstance(wanted, tuple):
            return next((one for one in wanted if isinstance(inner, Choose) and one in inner.options), None)
        return wanted


@dataclass(frozen=True, slots=True)
class RaceRules:
    """How a race is decided: calls up to `tie_s` seconds apart are simultaneous. `by_die`: the first winning die wins,
    called or not; and if `is_interpretation`, nobody calls.
    """

    tie_s: float = 0.04
    by_die: bool = False
    silent: bool = False


@dataclass(frozen=True, slots=True)
class GameVariant:
    """One way to play a game, for the menu of the buttons: its label, and the house rules that it changes."""

    label: str
    house: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Rulebook:
    """One rulebook.

    `version` rises when a fix of the rules changes how a journal replays. `start(cards, house)` returns the first
    state, or raises DeckError. `next_play(state)` returns the play to run next; the table calls it until there is an
    outcome (None: there is nothing to play). `former_house` has the house rules of old journals that exist no longer:
    what each (key, value) means now. `scoreboard(state, log)` returns what every display draws. `notes(cards)` returns
    likely typing mistakes on cards that are not errors. `pieces` are those that lie on a printed board, if any do.
    `order` is the place in lists of games, lower first. `race(house)` says how its races are decided. `quiet` are the
    answers to a secret choice that change nothing, so that buttons may give them: for each, what OK does, in a few
    words and in fewer. `on_phones` are the `why` codes of secret choices among cards that a seat sees on a phone only.
    `plain` is how often a player without a plan takes the first option, for a `why` where half of the time would not
    do. `standing` are the topics on which a seat may have the table answer. `ways(house)` are what the menu of the
    buttons offers before a new game with these house rules: with a phone for each seat or without, alone or for two.
    `players` are how many can play, in words such as "1 or 2", and `minutes` how long a game may take, at about seven
    seconds for each answer; "" and 0 where that is not known.
    """

    key: str
    title: str
    version: int
    shapes: Mapping[str, CardShape]
    house_rules: tuple[HouseRule, ...]
    words: GameWords
    start: Callable[[Sequence[Card], Mapping[str, str]], Any]
    next_play: Callable[[Any], Callable[[Any], Play] | None]
    scoreboard: Callable[[Any, Sequence[LoggedEvent]], Scoreboard]
    former_house: Mapping[tuple[str, str], Mapping[str, str]] = field(default_factory=dict)
    notes: Callable[[Sequence[Card]], tuple[DeckFault, ...]] = lambda cards: ()
    ways: Callable[[Mapping[str, str]], tuple[GameVariant, ...]] = lambda house: ()
    pieces: BoardPieces | None = None
    race: Callable[[Mapping[str, str]], RaceRules] = lambda house: RaceRules()
    quiet: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    on_phones: frozenset[str] = frozenset()
    plain: Mapping[str, float] = field(default_factory=dict)
    standing: tuple[AskTopic, ...] = ()
    order: int = 100
    players: str = ""
    minutes: int = 0

    def resolve_house_rules(self, chosen: Mapping[str, str]) -> dict[str, str]:
        """Return every house rule with its value: the default unless `chosen`. Raises HouseRuleError."""
        for former, now in self.former_house.items():
            if former in chosen.items():
                chosen = {**chosen, **now}
        rules = {rule.key: rule for rule in self.house_rules}
        for key, value in chosen.items():
            if key not in rules:
                raise HouseRuleError(f"{self.title} has no house rule {key!r}; it has {', '.join(rules)}.")
            if value not in rules[key].values:
                raise HouseRuleError(f"{key} can be {spoken_list(rules[key].values, 'or')}, not {value!r}.")
        return {key: chosen.get(key, rule.values[0]) for key, rule in rules.items()}


_MULTI_ASK_TYPES = (SimultaneousAsks, RaceAsks)  # a union made each time would cost more than an answer


def play_to_end(game: Rulebook, state: S, answer: Callable[[Ask], Any]) -> S:
    """Play `state` to its end without journal, undo or checks. `automatic_answer` must give only legal answers.

    For playouts and benchmarks. A Together is answered seat by seat, a Race by its first seat that answers anything but
    None.
    """
    number, next_play = 0, game.next_play

    def answer_all(prompt: SimultaneousAsks | RaceAsks) -> Any:
        asks = enumerate(prompt.asks, number)
        if isinstance(prompt, SimultaneousAsks):
            return {ask.seat: answer_for_rules(ask, n, answer(ask)) for n, ask in asks}
        ask, n, value = next((ask, n, value) for n, ask in asks if (value := answer(ask)) is not None)
        return ask.seat, answer_for_rules(ask, n, value)

    while not state.outcome and (play := next_play(state)) is not None:
        state.news = ()
        running = play(state)
        try:
            prompt = next(running)
            while True:
                if isinstance(prompt, _MULTI_ASK_TYPES):
                    value = answer_all(prompt)
                    number += len(prompt.asks)
                else:
                    value = answer(prompt)
                    if isinstance(prompt, Secret):
                        value = answer_for_rules(prompt, number, value)
                    number += 1
                prompt = running.send(value)
        except StopIteration:
            pass
    return state
