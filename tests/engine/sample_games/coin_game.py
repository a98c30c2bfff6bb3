"""A made-up sixth game that no other file mentions: a coin, dice, a secret, a race and a choice.

The asks, in order, with their numbers: 0 home hides a side of the coin and 1 away guesses it, both in secret; 2 away
puts two fielders on three bags; 3 and 4 a race to the die; 5 home rolls two dice; 6 away ends the game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from engine.asks import Call, Choose, Play, Secret, arrange, ask_together, choose, race, roll_dice
from engine.cards import Card, parse_deck
from engine.dice import D6, Die, Face
from engine.events import GameWords, LoggedEvent
from engine.game import GameState as Base
from engine.game import Rulebook
from engine.innings import Outcome
from engine.scoreboard import Scoreboard, SideScore
from engine.seats import Seat
from engine.table import Table

SIDES = ("heads", "tails")
DICE = (Die("d6", "red"), Die("d20"))


@dataclass(slots=True)
class State(Base):
    """The state of a coin game."""

    step: int = 0
    faces: tuple[Face, ...] = ()
    runs: int = 0


def toss(s: State) -> Play:
    """Ask home to hide a side of the coin and away to guess it."""
    s.step += 1
    sides = yield from ask_together(Secret(Choose("home", "hide", SIDES)), Secret(Choose("away", "guess", SIDES)))
    s.runs = int(s.reveal(sides["home"]) == s.reveal(sides["away"]))
    s.emit("guessed", seat="away")


def field(s: State) -> Play:
    """Ask for fielders on bags, a race to the die, and then a roll."""
    s.step += 1
    yield from arrange("away", "field", ("ann", "bob"), ("first", "second", "third"))
    yield from race(Call("away", "grab", D6, (5, 6)), Call("home", "grab", D6, (1, 2, 3)))
    s.faces = yield from roll_dice("home", "roll", DICE)


def end(s: State) -> Play:
    """Ask away to end the game."""
    s.step += 1
    yield from choose("away", "end", ("shake", "leave"))
    s.outcome = Outcome("away" if s.runs else "home", "done", "The coin is back in its box.")


PLAYS = (toss, field, end)


def next_play(s: State) -> Callable[[State], Play] | None:
    """Return the next play."""
    return PLAYS[s.step] if s.step < len(PLAYS) else None


def start(cards: Sequence[Card], house: Mapping[str, str]) -> State:
    """Return the initial state."""
    return State()


def scoreboard(s: State, log: Sequence[LoggedEvent]) -> Scoreboard:
    """Return what displays show."""
    sides: dict[Seat, SideScore] = {"away": SideScore("Heads", "red", runs=s.runs), "home": SideScore("Tails", "blue")}
    return Scoreboard("coin-toss", sides, dice=s.faces, batter="Ann")


COIN = Rulebook(
    key="coin-toss",
    title="Coin Toss",
    version=1,
    shapes={"player": {}},
    house_rules=(),
    words=GameWords(
        asks={
            "hide": "Hide a side of the coin.",
            "guess": "Guess the side.",
            "field": "Put two fielders on bags.",
            "grab": "Grab the die!",
            "roll": "Roll two dice.",
            "end": "Shake hands?",
        },
        options={"heads": "Heads", "tails": "Tails", "shake": "Shake hands", "leave": "Leave"}
        | {"ann": "Ann", "bob": "Bob", "first": "First", "second": "Second", "third": "Third"},
        events={"guessed": "{seat} guesses."},
    ),
    start=start,
    next_play=next_play,
    scoreboard=scoreboard,
)
"""The game itself. It is not in `engine.games.GAMES`."""


def new() -> Table:
    """Return a new table."""
    deck = parse_deck(
        '[[player]]\n[deck]\ngame = "coin-toss"\ntitle = "Blank"\n', "coin.toml", "coin-toss", COIN.shapes
    )
    return Table(COIN, [deck])
