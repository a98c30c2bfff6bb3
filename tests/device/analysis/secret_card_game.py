"""A game of any steps in a row, with a seat each: choices, rolls, dealt hands, and cards that stay hidden or not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from engine import game
from engine.asks import Choose, Draw, Play, Reroll, Roll, Secret
from engine.cards import Card
from engine.dice import D6
from engine.events import GameWords, LoggedEvent
from engine.game import Rulebook
from engine.innings import Outcome
from engine.scoreboard import Scoreboard, SideScore
from engine.seats import SEATS, Seat, replace_for_seat
from engine.secrets import SealedValue
from engine.table import Table

CARDS = ("ace", "deuce", "jack")

Step = tuple[str, Seat]
"""One of `choose`, `again`, `roll`, `roll-three`, `reroll`, `deal`, `hide`, `show`, `game` and `half`, and its seat.

`again` is a choice in the same moment. `game` and `half` are rolls that begin another game or half-inning. After `deal`
or `hide` nobody else ever sees the card, after `show` all do.
"""


@dataclass(slots=True)
class State(game.GameState):
    step: int = 0
    inning: int = 4
    score: tuple[int, int] = (0, 0)
    hands: tuple[tuple[SealedValue[str], ...], tuple[SealedValue[str], ...]] = ((), ())


def secret_card_table(*steps: Step) -> Table:
    """Return the table of a game with these steps. The game is over after the last one.

    A roll of 4 or more scores a run for who rolled it. Three dice score one if they show 12 or more, a reroll of the
    second of two dice, which show 1, if that die shows 4 or more. No choice changes anything.
    """

    def play(s: State) -> Play:
        code, seat = steps[s.step]
        at = SEATS.index(seat)
        if code == "game":
            s.emit("game-on", opens=True)
        if code == "game" or not s.step:
            s.emit("half-inning", seat="away", inning=1, half="top")
        match code:
            case "choose" | "again":
                yield Choose(seat, code, ("bat", "bunt", "steal"))
            case "deal":
                s.hands = replace_for_seat(s.hands, seat, (*s.hands[at], (yield Secret(Draw(seat, "deal", CARDS)))))
            case "hide":
                yield Secret(Choose(seat, "card", CARDS))
            case "show":
                s.reveal((yield Secret(Choose(seat, "card", CARDS))))
            case "roll":
                s.score = replace_for_seat(s.score, seat, s.score[at] + ((yield Roll(seat, "roll"))[0] > 3))
            case "game":
                yield Roll(seat, "roll")
            case "half":
                yield Roll(seat, "roll")
                s.inning += 1
            case "roll-three":
                many = sum((yield Roll(seat, "roll", (D6,) * 3)))
                s.score = replace_for_seat(s.score, seat, s.score[at] + (many >= 12))
            case "reroll":
                again = yield Reroll(seat, "reroll", (1, 1), (0, 1), 2, (D6, D6))
                s.score = replace_for_seat(s.score, seat, s.score[at] + ((again[1] or 0) > 3))
        s.emit("went-on", seat=seat)
        s.step += 1
        if s.step == len(steps):
            s.outcome = Outcome(None, "regulation", "Nobody wins.")

    def next_play(s: State) -> Callable[[State], Play] | None:
        return None if s.outcome else play

    def start(cards: Sequence[Card], house: Mapping[str, str]) -> State:
        return State()

    return Table(
        Rulebook(
            key="secret-card",
            title="Secret card",
            version=1,
            shapes={},
            house_rules=(),
            words=GameWords(
                asks=dict.fromkeys(("choose", "again", "card", "deal", "roll", "reroll"), "What do you do?"),
                events={"half-inning": "They begin.", "went-on": "It goes on.", "game-on": "A game begins."},
                options={"bat": "Bat", "bunt": "Bunt", "steal": "Steal second"},
            ),
            start=start,
            next_play=next_play,
            scoreboard=_scoreboard,
        ),
        [],
    )


def _scoreboard(s: State, log: Sequence[LoggedEvent]) -> Scoreboard:
    sides: dict[Seat, SideScore] = {
        "away": SideScore("Foxes", "red", (), s.score[0]),
        "home": SideScore("Geese", "green", (), s.score[1]),
    }
    hands = dict(zip(SEATS, s.hands, strict=True))
    return Scoreboard("secret-card", sides, inning=s.inning, batting="away", pitcher="Wing", panel={"hands": hands})
