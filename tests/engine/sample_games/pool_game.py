"""A made-up game with many dice: a pool is rolled, some of it may be rolled again, and twelve are rolled at the end.

The asks, in order, with their numbers: 0 away rolls `POOL`; 1 away goes on, or turns the first die one up; 2 away
rolls at most `MOST` of the dice at `FREE` again; 3 home rolls twelve. Then home wins.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from engine.asks import Play, choose, reroll, roll_dice
from engine.cards import Card, Deck, parse_deck
from engine.dice import D6, Die
from engine.events import GameWords, LoggedEvent
from engine.game import GameState as Base
from engine.game import Rulebook
from engine.innings import Outcome
from engine.scoreboard import Scoreboard, SideScore
from engine.seats import Seat
from engine.table import Table

POOL = (D6,) * 6
FREE: tuple[int, ...] = (0, 1, 2, 3, 4)
MOST = 3
TWELVE = (Die(colour="white"),) * 12


@dataclass(slots=True)
class State(Base):
    """The state of a pool game."""

    step: int = 0
    faces: tuple[int, ...] = ()


def gather(s: State) -> Play:
    """Ask for the pool, then whether to turn its first die."""
    s.step += 1
    s.faces = yield from roll_dice("away", "gather", POOL)
    s.emit("gathered", seat="away", faces=s.faces)
    if (yield from choose("away", "token", ("go", "up"))) == "up":
        s.faces = (s.faces[0] + 1, *s.faces[1:])


def again(s: State) -> Play:
    """Ask for some of the dice to be rolled again."""
    s.step += 1
    s.faces = yield from reroll("away", "again", s.faces, FREE, MOST)
    s.emit("gathered", seat="away", faces=s.faces)


def twelve(s: State) -> Play:
    """Ask for twelve dice."""
    s.step += 1
    s.faces = yield from roll_dice("home", "twelve", TWELVE)
    s.emit("gathered", seat="home", faces=s.faces)
    s.outcome = Outcome("home", "done", "Home wins.")


PLAYS = (gather, again, twelve)


def next_play(s: State) -> Callable[[State], Play] | None:
    """Return the next play."""
    return PLAYS[s.step] if s.step < len(PLAYS) else None


def start(cards: Sequence[Card], house: Mapping[str, str]) -> State:
    """Return the initial state."""
    return State()


def scoreboard(s: State, log: Sequence[LoggedEvent]) -> Scoreboard:
    """Return the dice and two teams."""
    sides: dict[Seat, SideScore] = {"away": SideScore("Herons", "red"), "home": SideScore("Otters", "blue")}
    return Scoreboard("pool", sides, dice=s.faces)


POOLED = Rulebook(
    key="pool",
    title="Pool",
    version=1,
    shapes={"player": {}},
    house_rules=(),
    words=GameWords(
        asks={
            "gather": "Roll your dice.",
            "token": "Turn the first die up?",
            "again": "Roll again what you like.",
            "twelve": "Roll all twelve dice.",
        },
        options={"go": "Go on", "up": "Turn it up"},
        events={"gathered": "The dice show {faces}."},
    ),
    start=start,
    next_play=next_play,
    scoreboard=scoreboard,
)


def new(*answers: object) -> Table:
    """Return a game after these answers."""
    cards: Deck = parse_deck('[[player]]\n[deck]\ngame = "pool"\ntitle = "Blank"\n', "pool.toml", "pool", POOLED.shapes)
    table = Table(POOLED, [cards])
    for value in answers:
        ((n, ask),) = table.open_asks()
        table.answer_ask(ask.seat, n, value)
    return table
