"""A made-up game that lays seven Gloves on a board again and again, and drawn cameras over that board."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from device.storage.store import Store
from device.table.session import GameSession
from engine.asks import Arrange, Play, choose
from engine.cards import Card, parse_deck
from engine.events import GameWords, LoggedEvent
from engine.game import AskTopic, Rulebook
from engine.game import GameState as Base
from engine.games.rallybird.printed import BOARD_PIECES
from engine.journal import Source
from engine.printed_board import BOARD_AREAS
from engine.scoreboard import Scoreboard, SideScore
from engine.seats import Seat
from engine.table import Table
from engine.views import json_data
from tests.device.stored_games import Clock
from vision.board.read import BoardLayout, PlacedPiece, read_board
from vision.synthetic.tokens import SyntheticBoard

NAMES = ("5/4", "4/6", "3/2", "1/4", "6/1", "2/5", "3/3")
OUT = {"4/6": "left out"}
BACKS = {"3/2"}

WELL = {"A": "5/4", "B": "3/2", "C": "1/4", "D": "6/1", "E": "2/5", "F": "3/3"}
"""One right way to lay them."""


@dataclass(slots=True)
class State(Base):
    """How often the Gloves were laid, and how they lie."""

    turn: int = 0
    field: tuple[tuple[str, str], ...] = ()


def at_bat(s: State) -> Play:
    """Away says ready, then home lays the Gloves."""
    s.turn += 1
    yield from choose("away", "ready", ("ready",))
    in_play = tuple(name for name in NAMES if name not in OUT)
    s.field = tuple((yield Arrange("home", "gloves", in_play, BOARD_AREAS, lying=dict(s.field))).items())


def scoreboard(s: State, log: Sequence[LoggedEvent]) -> Scoreboard:
    """The seven Gloves."""
    sides: dict[Seat, SideScore] = {"away": SideScore("Visitors", "red"), "home": SideScore("Home", "blue")}
    gloves = [
        {"name": name, "value": 1, "back": name in BACKS, "icon": False, "out": OUT.get(name, "")} for name in NAMES
    ]
    return Scoreboard("gloves", sides, panel={"gloves": gloves, "field": dict(s.field)})


def start(cards: Sequence[Card], house: Mapping[str, str]) -> State:
    return State()


def next_play(s: State) -> Callable[[State], Play]:
    return at_bat


GLOVES = Rulebook(
    key="gloves",
    title="Gloves",
    version=1,
    shapes={"player": {}},
    house_rules=(),
    words=GameWords(asks={"ready": "Ready?", "gloves": "Lay your Gloves."}, options={}, events={}),
    start=start,
    next_play=next_play,
    scoreboard=scoreboard,
    pieces=replace(BOARD_PIECES, lying=lambda s: [(name, name in BACKS) for name in NAMES]),
    standing=(AskTopic("gloves", "Gloves", "leave them", stays=("gloves",)),),
)


def table(game: Rulebook = GLOVES) -> Table:
    return Table(
        game,
        [parse_deck('[[player]]\n[deck]\ngame = "gloves"\ntitle = "Blank"\n', "gloves.toml", "gloves", game.shapes)],
    )


def optional(fewest: int) -> Rulebook:
    """Return the same game, but at least `fewest` Gloves must be laid."""

    def play(s: State) -> Play:
        for_all = at_bat(s)
        ask: Any = next(for_all)
        while True:
            given = yield replace(ask, fewest=fewest) if isinstance(ask, Arrange) else ask
            try:
                ask = for_all.send(given)
            except StopIteration:
                return

    return replace(GLOVES, next_play=lambda s: play)


def session(store: Store, clock: Clock, game: Rulebook = GLOVES) -> GameSession:
    """A game in which the Gloves are to be laid now: home is asked, by ask 1."""
    kept = GameSession(store, lambda: table(game), clock=clock)
    kept.seats.answer_ask("away", 0, "ready", Source.PHONE)
    return kept


def lay(board: SyntheticBoard, value: Mapping[str, str], backs: set[str] = BACKS) -> None:
    """Lay Gloves by name, those of `backs` with their back up; whatever lay there is taken away."""
    board.clear_board()
    for area, name in value.items():
        board.place_token(NAMES.index(name), area, back=name in backs)


def layout(value: Mapping[str, str], backs: set[str] = BACKS) -> BoardLayout:
    """Return the reading if these lie there and all other areas are bare."""
    areas: dict[str, PlacedPiece | None] = dict.fromkeys(BOARD_AREAS)
    areas |= {area: PlacedPiece(NAMES.index(name), name in backs) for area, name in value.items()}
    return BoardLayout(areas, (), ((0.0, 0.0), (210.0, 0.0), (210.0, 297.0), (0.0, 297.0)))


def photographed(board: SyntheticBoard) -> BoardLayout:
    """Return the reading of a picture of this board."""
    return read_board(board.render_frame(), len(NAMES))


def shown(session: GameSession) -> dict[str, Any]:
    """Return the layout of the view; there must be one."""
    found: dict[str, Any] | None = json_data(session.game.view_for(None))["layout"]
    assert found is not None
    return found
