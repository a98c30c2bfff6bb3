"""The interface between a game and the table, which is an explicit state and the next play."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from engine.asks import Arrange, Ask, Choose, Play, RaceAsks, Secret, SimultaneousAsks, answer_for_rules
from engine.cards import Card, CardShape, Deck
from engine.errors import DeckFault, HouseRuleError
from engine.events import Event, GameWords, LoggedEvent, spoken_list
from engine.innings import Outcome
from engine.printed_board import BoardPieces
from engine.scoreboard import Scoreboard
from engine.seats import SEATS, Seat
from engine.secrets import SealedValue

if TYPE_CHECKING:
    from engine.lessons.lesson import Lesson

T = TypeVar("T")
S = TypeVar("S", bound="GameState")


@dataclass(slots=True)
class GameState:
    """The common part of every game's state. A game adds its own fields, each of an immutable type.

    names: what people call the seats, (away, home), "" for the default name. No rule reads them.
    news: the events of the current play so far.
    revealed: the numbers of the secrets that were opened to all.
    uncovered: True if this play revealed something on the real table. An undo must then remove all of its answers.
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
        return self.names[SEATS.index(seat)] or usual

    @property
    def name_facts(self) -> dict[str, str]:
        """The names that people gave the seats, as facts `visitors` and `hosts`. `GameWords.usual` has the others."""
        return {fact: name for fact, name in zip(("visitors", "hosts"), self.names, strict=True) if name}

    def reveal(self, sealed: SealedValue[T]) -> T:
        """Open a secret to everyone, when the rulebook says so."""
        self.revealed |= {sealed.n}
        return sealed.peek()

    def decline_hidden_offers(self) -> None:
        """For previews: from now on ask nobody where only hidden cards decide whether he is asked.

        Otherwise the results of a roll that nobody threw would tell who holds what.
        """

    def copy(self: S) -> S:
        """Return an independent copy. One level is enough, because all values are immutable."""
        twin = object.__new__(type(self))
        for name in self.__dataclass_fields__:
            setattr(twin, name, getattr(self, name))
        return twin


YES_OR_NO: Mapping[str, str] = {"true": "Yes", "false": "No"}
"""The values of a house rule that is on unless changed, with their labels."""

NO_OR_YES: Mapping[str, str] = {"false": "No", "true": "Yes"}
"""The values of a house rule that is off unless changed, with their labels."""


@dataclass(frozen=True, slots=True)
class HouseRule:
    """A switch for a point where a rulebook is silent, or for a variant.

    title: what it decides, as a question or a noun phrase.
    labels: its values, the default first, each in words for people.
    asked: the number of the ambiguity in the rule ledger; "" for a choice that every table makes.
    meaning: what title and labels leave out, in a sentence; may be "".
    always_shown: True if people see it before every game, such as who holds the cards. Others are folded.
    under: the heading of its section.
    """

    key: str
    title: str
    labels: Mapping[str, str]
    asked: str = ""
    meaning: str = ""
    always_shown: bool = False
    under: str = ""

    @property
    def values(self) -> tuple[str, ...]:
        return (*self.labels,)

    def value_in_words(self, value: str) -> str:
        """Return the rule with one of its values, such as "Who bats first? The red team"."""
        return f"{self.title}{'' if self.title.endswith('?') else ':'} {self.labels[value]}"


PACE_TITLES: Mapping[str, str] = {"quick": "Quick", "classic": "Classic", "box": "As in the box"}
"""The three ways to play each game, by key, the shortest first."""

SECONDS_PER_ANSWER = 7  # About how long people take for a question or a roll.


@dataclass(frozen=True, slots=True)
class GamePace:
    """A named set of house rules, with which a game is short, as most people like it, or as in its rulebook.

    key: of `PACE_TITLES`.
    meaning: what it means for this game, in a few words.
    answers: about how many questions and rolls a game has for both sides, as `benchmarks.prompts` counts them.
    house: the values of the house rules in which the paces of this game differ.
    """

    key: str
    meaning: str
    answers: int
    house: Mapping[str, str]

    @property
    def title(self) -> str:
        return PACE_TITLES[self.key]

    @property
    def sentence(self) -> str:
        """What it means, and about how long a game takes."""
        minutes = round(self.answers * SECONDS_PER_ANSWER / 60)
        coach = ", and the coach answers what hardly matters" if self.asks_little else ""
        return f"{self.meaning}{coach}: about {self.answers} questions and rolls, {minutes} minutes."

    @property
    def asks_little(self) -> bool:
        """True if the coach answers for people what hardly matters."""
        return self.key == "quick"


ASK_PREFERENCE_LABELS: Mapping[str, str] = {
    "always": "Always",
    "runners": "Runners on",
    "seventh": "From the 7th",
    "never": "Never",
}
"""The labels of when a seat is asked about a topic, by code."""


@dataclass(frozen=True, slots=True)
class AskTopic:
    """A topic on which the table may answer for a seat throughout a game.

    title: the topic, such as "Strategy cards".
    means: the automatic answer in a few words ("no cards").
    answers: the automatic answer by `why`, "no" or "no change". It must be legal whenever it is asked. Of several,
        the first that is offered is taken.
    stays: the `why` codes of arrangements that stay unchanged. A seat is asked where that is not legal.
    house: the values of house rules under which its asks occur; empty for all.
    """

    key: str
    title: str
    means: str
    answers: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)
    stays: tuple[str, ...] = ()
    house: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def can_occur(self, house: Mapping[str, str]) -> bool:
        return all(house[key] in values for key, values in self.house.items())

    @property
    def ask_codes(self) -> tuple[str, ...]:
        return (*self.answers, *self.stays)

    def automatic_answer(self, ask: Ask) -> str | dict[str, str] | None:
        """Return the table's answer to an ask of this topic, or None if the seat must be asked."""
        inner = ask.ask if isinstance(ask, Secret) else ask
        if isinstance(inner, Arrange):
            return inner.unchanged_layout
        wanted = self.answers.get(ask.why)
        if isinstance(wanted, tuple):
            return next((one for one in wanted if isinstance(inner, Choose) and one in inner.options), None)
        return wanted


@dataclass(frozen=True, slots=True)
class RaceRules:
    """How a race is decided.

    tie_s: calls up to this many seconds apart are simultaneous.
    by_die: the first winning die wins, called or not.
    silent: with `by_die`, nobody calls.
    """

    tie_s: float = 0.04
    by_die: bool = False
    silent: bool = False


@dataclass(frozen=True, slots=True)
class GameVariant:
    """One way to play a game in the menu of the buttons, with its label and the house rules that it changes."""

    label: str
    house: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Rulebook:
    """One rulebook.

    version: rises when a fix of the rules changes how a journal replays.
    start: from cards and house rules to the first state. Raises DeckError.
    next_play: from a state to the next play; None if there is nothing to play. Called until there is an outcome.
    scoreboard: from state and log to what every display draws.
    former_house: current house rules for each (key, value) of old journals that no longer exists.
    notes: likely typing mistakes on cards that are not errors.
    ways: variants for the menu of the buttons under these house rules: with or without phones, one or two people.
    pieces: those on a printed board, if any.
    race: how races are decided under these house rules.
    quiet: answers to secret choices that change nothing, for buttons. Each has a text for OK, and a shorter one.
    on_phones: `why` codes of secret choices among cards that a seat sees only on a phone.
    plain: chance, 0 to 1, that a player without a plan takes the first option, by `why`; 0.5 for others.
    standing: topics on which the table may answer for a seat.
    seated: house rules by which nobody is asked who bats first, for sides that people chose as they began the game.
    paces: one for each of `PACE_TITLES`, in that order; none if a game is always played as in its rulebook.
    order: the sort key in lists of games, lower first.
    players: how many can play, in words such as "1 or 2"; "" if unknown.
    minutes: the longest game, at about seven seconds an answer; 0 if unknown.
    lesson: three cards and the explained words for people who never played; None if it has none.
    team_cards: kind of the cards whose field `name` names a team, and `why` of the ask by which a seat chooses one of
        them; "" if all teams play with the same cards.
    match_deck: from away's and home's cards, each with the name of the team on them ("" if there is only one), to the
        text of one deck in which these two teams meet. None if decks are only put together. Raises DeckError.
    usual_names: what it calls sides that have no team on their cards, such as "Home".
    single: house rules with which a journal has one game. With others, it may have a series or a season of games.
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
    seated: Mapping[str, str] = field(default_factory=dict)
    paces: tuple[GamePace, ...] = ()
    order: int = 100
    players: str = ""
    minutes: int = 0
    lesson: Lesson | None = None
    team_cards: str = ""
    match_deck: Callable[[tuple[Sequence[Deck], str], tuple[Sequence[Deck], str]], str] | None = None
    usual_names: frozenset[str] = frozenset()
    single: Mapping[str, str] = field(default_factory=dict)

    def is_single_game(self, house: Mapping[str, str]) -> bool:
        """True if a journal with all these house rules has one game."""
        return all(house[key] == value for key, value in self.single.items())

    def single_game_house(self) -> dict[str, str]:
        """Return the house rules to choose for a single game, {} if the defaults have one."""
        usual = self.resolve_house_rules({})
        return {key: value for key, value in self.single.items() if usual[key] != value}

    def find_pace(self, key: str) -> GamePace | None:
        """Return one of its paces, None for "". Raises HouseRuleError for an unknown key."""
        found = {one.key: one for one in self.paces}
        if key and key not in found:
            raise HouseRuleError(f"{self.title} has no pace {key!r}; it has {spoken_list(found) or 'none'}.")
        return found.get(key)

    def house_in_words(self, house: Mapping[str, str]) -> list[str]:
        """Return these values of house rules in words."""
        return [rule.value_in_words(house[rule.key]) for rule in self.house_rules if rule.key in house]

    def resolve_house_rules(self, chosen: Mapping[str, str]) -> dict[str, str]:
        """Return the value of every house rule, `chosen` or default. Raises HouseRuleError."""
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

    def seated_house_rules(self, chosen: Mapping[str, str]) -> dict[str, str]:
        """Return the `chosen` house rules with those of `seated` in place of a default."""
        usual = self.resolve_house_rules({})
        return {**chosen, **{key: one for key, one in self.seated.items() if chosen.get(key) in (None, usual[key])}}


_MULTI_ASK_TYPES = (SimultaneousAsks, RaceAsks)  # building a union in each check would take longer than an answer


def play_to_end(game: Rulebook, state: S, answer: Callable[[Ask], Any]) -> S:
    """Play `state` to its end without journal, undo or checks, for playouts and benchmarks.

    `answer` must return only legal answers. `RaceAsks` go to the first seat whose answer is not None.
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
