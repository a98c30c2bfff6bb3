"""A made-up game with every kind of ask: secrets, several seats at once, a race, dice of several kinds.

The asks, in order, with their numbers: 0 home's glove and 1 away's order, in secret and together; 2 and 3 both call
a side, together and openly; 4 and 5 a race; 6 three dice; 7 home's stash, in secret, out of a hand that the glove
decides; 8 away sets a field; 9 away says when to show. Then everything is revealed and home wins with a high glove.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.asks import Arrange, Choose, Play, Secret, arrange, ask_secretly, ask_together, choose, race, roll_dice
from engine.cards import Card, Deck, parse_deck
from engine.dice import Die, Face
from engine.events import GameWords, LoggedEvent
from engine.game import GameState as Base
from engine.game import HouseRule, Rulebook
from engine.innings import Outcome
from engine.scoreboard import Scoreboard, SideScore
from engine.seats import Seat
from engine.secrets import SealedValue
from engine.table import Table

GLOVES = ("high", "low")
PLAYERS = ("ann", "bob", "cy")
DICE = (Die("d6", "red", "home"), Die("d10", "white", "away"), Die("pitch"))
HANDS = {"high": ("seven", "eight", "nine"), "low": ("one", "two")}


@dataclass(slots=True)
class State(Base):
    """The state of a duel."""

    step: int = 0
    glove: SealedValue[str] | None = None
    order: SealedValue[dict[str, str]] | None = None
    stash: SealedValue[str] | None = None
    calls: tuple[str, ...] = ()
    first: Seat | None = None
    faces: tuple[Face, ...] = ()
    field: tuple[tuple[str, str], ...] = ()
    shown: str | None = None


def lay(s: State) -> Play:
    """Ask both seats to choose in secret, together."""
    s.step += 1
    answers = yield from ask_together(
        Secret(Choose("home", "glove", GLOVES)), Secret(Arrange("away", "order", PLAYERS, ("first", "second")))
    )
    s.glove, s.order = answers["home"], answers["away"]
    s.emit("laid", seat="home", glove=s.glove, order=s.order)


def call(s: State) -> Play:
    """Ask both seats to choose openly, together."""
    s.step += 1
    answers = yield from ask_together(
        Choose("away", "call", ("heads", "tails")), Choose("home", "call", ("heads", "tails"))
    )
    s.calls = (answers["away"], answers["home"])
    s.emit("called", away=answers["away"], home=answers["home"])


def dash(s: State) -> Play:
    """Ask both seats; the first answer wins."""
    s.step += 1
    s.emit("ready")
    s.first, how = yield from race(Choose("away", "dash", ("slap",)), Choose("home", "dash", ("slap", "ring")))
    s.emit("first", seat=s.first, how=how)


def pitch(s: State) -> Play:
    """Ask for three dice of three kinds."""
    s.step += 1
    s.faces = yield from roll_dice("home", "pitch", DICE)
    s.emit("pitched", seat="home", faces=s.faces)


def stash(s: State) -> Play:
    """Ask for a secret choice from a hand that is secret too."""
    s.step += 1
    assert s.glove is not None
    s.stash = yield from ask_secretly(Choose("home", "stash", HANDS[s.glove.peek()], {"glove": s.glove}))
    s.emit("stashed", seat="home", card=s.stash)


def settle(s: State) -> Play:
    """Ask for an open arrangement and a final choice."""
    s.step += 1
    s.field = tuple((yield from arrange("away", "field", ("ann", "bob"), ("left", "middle", "right"))).items())
    s.emit("set", seat="away", places=[place for place, _ in s.field])
    yield from choose("away", "show", ("now",))


def show(s: State) -> Play:
    """Reveal everything, without an ask."""
    s.step += 1
    yield from ()
    assert s.glove is not None
    assert s.order is not None
    assert s.stash is not None
    s.shown = s.reveal(s.glove)
    order, card = s.reveal(s.order), s.reveal(s.stash)
    winner: Seat = "home" if s.shown == "high" else "away"
    s.emit("shown", seat=winner, glove=s.shown, order=list(order.values()), card=card)
    s.outcome = Outcome(winner, "shown", f"{winner} wins.")


PLAYS = (lay, call, dash, pitch, stash, settle, show)


def next_play(s: State) -> Callable[[State], Play] | None:
    """Return the next play."""
    return PLAYS[s.step] if s.step < len(PLAYS) else None


def start(cards: Sequence[Card], house: Mapping[str, str]) -> State:
    """Return the initial state."""
    return State()


def scoreboard(s: State, log: Sequence[LoggedEvent]) -> Scoreboard:
    """Return what displays show; the panel contains the glove, sealed."""
    sides: dict[Seat, SideScore] = {"away": SideScore("Ann's", "red"), "home": SideScore("Cy's", "blue")}
    panel = {"glove": s.glove, "order": s.order, "calls": s.calls, "first": s.first, "field": s.field}
    return Scoreboard("duel", sides, dice=s.faces, panel=panel)


WORDS = GameWords(
    asks={
        "glove": "Lay your glove.",
        "order": "Lay your order.",
        "call": "Heads or tails?",
        "dash": "Go!",
        "pitch": "Roll three dice.",
        "stash": "The glove is {glove}. Hide a card.",
        "field": "Set the field.",
        "show": "Show?",
    },
    options={"high": "High", "low": "Low", "left": "Left field"},
    events={
        "laid": "Gloves lie: {glove}, {order}.",
        "called": "Away calls {away}, home {home}.",
        "ready": "Ready.",
        "first": "{seat} is first: {how}.",
        "pitched": "The dice show {faces}.",
        "stashed": "A card is hidden: {card}.",
        "set": "The field is set: {places}.",
        "shown": "The glove was {glove}, the order {order}, the card {card}.",
    },
)

DUEL = Rulebook(
    key="duel",
    title="Duel",
    version=3,
    shapes={"player": {}},
    house_rules=(HouseRule("mercy", "Mercy?", {"no": "No", "yes": "Yes"}, "A1"),),
    words=WORDS,
    start=start,
    next_play=next_play,
    scoreboard=scoreboard,
)

ORDER = {"first": "ann", "second": "cy"}
FIELD = {"middle": "bob", "right": "ann"}


def deck() -> Deck:
    """Return a deck with one blank card."""
    return parse_deck('[[player]]\n[deck]\ngame = "duel"\ntitle = "Blank"\n', "duel.toml", "duel", DUEL.shapes)


def new(game: Rulebook = DUEL) -> Table:
    """Return a new duel."""
    return Table(game, [deck()])


Move = tuple[Seat, int, Any]


def moves(glove: str = "high", order: Mapping[str, str] = ORDER, card: str = "") -> list[Move]:
    """Return the moves of a whole duel."""
    return [
        ("home", 0, glove),
        ("away", 1, dict(order)),
        ("home", 3, "tails"),
        ("away", 2, "heads"),
        ("home", 5, "ring"),
        ("home", 6, [6, 10, "S"]),
        ("home", 7, card or HANDS[glove][0]),
        ("away", 8, FIELD),
        ("away", 9, "now"),
    ]


def played(count: int, game: Rulebook = DUEL) -> Table:
    """Return a duel after its first `count` moves."""
    table = new(game)
    for seat, n, value in moves()[:count]:
        table.answer_ask(seat, n, value)
    return table
