"""A made-up game of what a table may answer by itself: standing topics, a secret one among them, and a moot choice.

Each round asks, in this order: home for a card, in secret; away whether it steals; both together for a sign, away's in
secret; home for a glove, where only one is of use; and home for a die. A card or a sign that was chosen is revealed
with the die. Each round is an inning; a runner is on first in the odd ones and after a 6.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from engine.asks import Choose, Play, Secret, ask_together, choose, roll
from engine.cards import Card, parse_deck
from engine.dice import Face
from engine.events import GameWords, LoggedEvent
from engine.game import AskTopic, Rulebook
from engine.game import GameState as Base
from engine.innings import Outcome
from engine.scoreboard import Scoreboard, SideScore
from engine.seats import Seat
from engine.table import Table

ROUNDS = 9
HAND = ("pass", "ace", "king")


@dataclass(slots=True)
class State(Base):
    """The state of the game."""

    inning: int = 1
    face: Face = 0
    said: tuple[str, ...] = ()


def play_round(s: State) -> Play:
    """Ask everything once, then for the die."""
    card = yield Secret(Choose("home", "card", HAND))
    steal = yield from choose("away", "steal", ("no", "yes"))
    signs = yield from ask_together(
        Choose("home", "sign", ("none", "bunt")), Secret(Choose("away", "sign", ("none", "bunt")))
    )
    glove = yield Choose("home", "glove", ("left", "right"), foregone="left")
    s.face = yield from roll("home", "pitch")
    s.said = (s.reveal(card), steal, signs["home"], s.reveal(signs["away"]), glove)
    s.emit("round", said=list(s.said))
    s.inning += 1
    if s.inning > ROUNDS:
        s.outcome = Outcome("home", "done", "The game is over.")


def scoreboard(s: State, log: Sequence[LoggedEvent]) -> Scoreboard:
    """Return what displays show."""
    sides: dict[Seat, SideScore] = {"away": SideScore("Ann's", "red"), "home": SideScore("Cy's", "blue")}
    on = s.inning % 2 or s.face == 6
    return Scoreboard("standing", sides, inning=s.inning, bases=("Ann" if on else None, None, None))


def next_play(s: State) -> Callable[[State], Play] | None:
    """Return the next play."""
    return play_round


def start(cards: Sequence[Card], house: Mapping[str, str]) -> State:
    """Return the initial state."""
    return State()


GAME = Rulebook(
    key="standing",
    title="Standing",
    version=1,
    shapes={"player": {}},
    house_rules=(),
    words=GameWords(
        asks={
            "card": "Play a card?",
            "steal": "Does the runner go?",
            "sign": "Which sign?",
            "glove": "Which glove?",
            "pitch": "Roll the die.",
        },
        options={"pass": "No card", "no": "Stay", "none": "No sign", "left": "The left one"},
        events={"round": "It was {said}."},
    ),
    start=start,
    next_play=next_play,
    scoreboard=scoreboard,
    standing=(
        AskTopic("cards", "Cards", "no cards", {"card": "pass"}),
        AskTopic("steals", "Stealing", "nobody steals", {"steal": "no"}),
        AskTopic("signs", "Signs", "no sign", {"sign": "none"}),
    ),
)
"""The game itself. It is not in `engine.games.GAMES`."""


def new() -> Table:
    """Return a new table."""
    deck = parse_deck('[[player]]\n[deck]\ngame = "standing"\ntitle = "Blank"\n', "blank.toml", "standing", GAME.shapes)
    return Table(GAME, [deck])
