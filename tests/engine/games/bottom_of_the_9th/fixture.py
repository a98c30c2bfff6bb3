"""Positions of Bottom of the 9th, and ways to play on from them.

The cards come from the ledger or are house-made. F-BAT has "swing +1", "control -1" and "C as S" for its three slots;
F-PIT has "control +1", "swing -1" and, for its ace (inside, high), "S as C"; F-DULL and F-MILD have no abilities.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.asks import Ask, Call, Roll
from engine.cards import Deck, parse_deck
from engine.games.bottom_of_the_9th import GAME
from engine.games.bottom_of_the_9th.cards import CARD_SHAPES
from engine.games.bottom_of_the_9th.state import State
from engine.innings import InningClock
from engine.seats import Seat
from engine.table import Table
from tests.engine.tables import board, codes, give, halves, midway, on_base, panel, play

BATTERS: dict[str, str] = {
    "F-BAT": 'positions = "SS"\ndirection = "swing +1"\nlocation = "control -1"\nmvp = "C as S"',
    "F-FAST": 'positions = "CF"\nspeed = true',
    "F-JUMP": 'positions = "2B"\nunopposed = true',
    "F-HARE": 'positions = "1B"\nspeed = true\nunopposed = true',
    "F-DULL": 'positions = "C"',
    "F-LEFT": 'positions = "LF"',
    "F-RIGHT": 'positions = "RF"',
    "F-THIRD": 'positions = "3B"',
    "F-BLANK": 'positions = "UT"\nblank = true',
}

PITCHERS: dict[str, str] = {
    "F-PIT": 'role = "starter"\nace = "inside-high"\ndirection = "control +1"\nlocation = "swing -1"\n'
    'ace_ability = "S as C"',
    "F-MILD": 'role = "starter"\nace = "inside-high"',
    "F-GLOVE": 'role = "starter"\nace = "inside-high"\nfielding = true',
    "F-QUICK": 'role = "starter"\nace = "inside-high"\nunopposed = true',
    "F-WALL": 'role = "starter"\nace = "inside-high"\nfielding = true\nunopposed = true',
    "F-TRIG": 'role = "starter"\nace = "inside-high"\n'
    'direction = { do = "S as C", when = { control = 6 } }\ntrait = "control +1"',
    "F-TIRE": 'role = "starter"\nace = "inside-high"\ndirection = { do = "S as C", when = { control = 6 } }\n'
    'trait = "control -1"',
    "F-REL": 'role = "reliever"\nace = "away-low"\nace_ability = "control +1"',
    "F-ANY": 'role = "either"\nace = "inside-low"',
    "F-VOID": 'role = "either"\nace = "inside-high"\nblank = true',
}

SIX = ("F-BAT", "F-FAST", "F-JUMP", "F-HARE", "F-DULL", "F-LEFT")
"""The ready-made line-up: the first six who fit."""


def source(batters: Mapping[str, str] = BATTERS, pitchers: Mapping[str, str] = PITCHERS) -> str:
    """Return a deck's text."""
    parts = ['[deck]\ngame = "bottom-of-the-9th"\ntitle = "F"\n']
    parts += [f'[[batter]]\nname = "{name}"\n{text}\n' for name, text in batters.items()]
    parts += [f'[[pitcher]]\nname = "{name}"\n{text}\n' for name, text in pitchers.items()]
    return "".join(parts)


def deck(more: Mapping[str, str] | None = None, arms: Mapping[str, str] | None = None) -> Deck:
    """Return the deck of `source`, with further or replaced batters and pitchers."""
    return parse_deck(
        source({**BATTERS, **(more or {})}, {**PITCHERS, **(arms or {})}), "f.toml", GAME.key, CARD_SHAPES
    )


def new(house: Mapping[str, str] | None = None, cards: Deck | None = None) -> Table:
    """Return a new game."""
    return Table(GAME, [cards or deck()], house)


def ready(house: Mapping[str, str] | None = None, starter: str = "F-PIT", reliever: str = "F-REL") -> Table:
    """Return a game with both sides set up."""
    return play(new(house), "ready-made", starter, reliever)


def at(
    bases: str = "",
    outs: int = 0,
    count: str = "0-0",
    *,
    batter: str = "F-DULL",
    pitcher: str = "F-MILD",
    reliever: str | None = "F-REL",
    rows: tuple[int, int] = (0, 0),
    benched: bool = False,
    house: Mapping[str, str] | None = None,
    cards: Deck | None = None,
) -> Table:
    """Return a table as a round begins: "13" are runners on first and third. Runners and the out are through batting.

    `batter` is up, in a line-up of the fixture's names; `benched` says that the reliever is pitching.
    """

    def position(state: State) -> None:
        batters = {one.name: one for one in state.cards.batters}
        arms = {one.name: one for one in state.cards.pitchers}
        waiting = [batters[name] for name in SIX if name != batter][len(bases) + outs :]
        state.lineup = (batters[batter], *waiting)
        state.pitcher = arms[pitcher]
        state.reliever = arms[reliever] if reliever and not benched else None
        state.rows, state.floor = rows, int(benched)
        state.outs = outs
        state.balls, state.strikes = map(int, count.split("-"))
        first, second, third = (f"runner {base}" if base in bases else None for base in "123")
        state.bases = (first, second, third)

    ninth = InningClock(9, "bottom")
    return midway(GAME, cards or deck(), house, position, halves(ninth, ninth))


def stare(table: Table, thrown: str = "away-low", guess: str = "inside-high") -> Table:
    """Play a stare-down; by default the batter is fooled, and the pitch has no part of an ace inside and high."""
    give(table, "away", thrown)
    return give(table, "home", guess)


def throw(table: Table, letter: str, control: int, swing: int, *calls: str) -> Table:
    """Play a stare-down (thrown, guess), the pitch and the swing."""
    return play(stare(table, *calls), [control, letter], swing)


def contact(table: Table, *calls: str) -> Table:
    """Play a pitch that is put into play without a crush."""
    return throw(table, "S", 1, 5, *calls)


def dash(table: Table, winner: Seat, face: int = 5) -> Table:
    """Play the open race; a seat's call wins it."""
    return give(table, winner, face)


def ask_of(table: Table, seat: Seat) -> Ask:
    """Return the open question for one seat."""
    (found,) = [ask for _, ask in table.open_asks() if ask.seat == seat]
    return found


def dice(table: Table) -> list[tuple[str, str | None, Seat | None]]:
    """Return kind, color and owner of the dice now expected."""
    ((_, ask),) = table.open_asks()
    assert isinstance(ask, Roll), ask
    return [(die.kind, die.colour, die.owner) for die in ask.dice]


def needed(table: Table) -> dict[Seat, tuple[int | str, ...]]:
    """Return what each seat needs in the open race."""
    return {ask.seat: ask.wins for _, ask in table.open_asks() if isinstance(ask, Call)}


def stand(table: Table) -> tuple[str, int]:
    """Return the occupied bases and the outs."""
    return on_base(table), board(table).outs


def count(table: Table) -> str:
    """Return balls and strikes."""
    now = board(table).count
    assert now is not None
    return f"{now[0]}-{now[1]}"


def rows(table: Table) -> tuple[int, int]:
    """Return the rows of the fatigue tokens."""
    fatigue = panel(table, "fatigue")
    return fatigue["direction"], fatigue["location"]


def held(table: Table) -> dict[str, set[str]]:
    """Return whose tokens are on."""
    return {seat: set(parts) for seat, parts in panel(table, "tokens").items()}


def on(table: Table, seat: Seat) -> set[str]:
    """Return the slots that are on."""
    return set(panel(table, "cards")[seat]["on"])


def judged(table: Table) -> list[str]:
    """Return how the pitches so far were judged."""
    return [code for code in codes(table.log) if code in ("ball", "strike", "foul", "contact", "crush")]


def result(table: Table) -> str:
    """Return how the last pitch was judged."""
    return judged(table)[-1]


def counted(table: Table) -> tuple[int, int, str]:
    """Return control, swing and letter of the last pitch judged, as they counted."""
    facts = next(told.event.facts for told in reversed(table.log) if "control" in told.event.facts)
    return facts["control"], facts["swing"], facts["letter"]


def lineup(table: Table) -> Sequence[str]:
    """Return who is still to bat."""
    found: Sequence[str] = panel(table, "lineup")
    return found


def true(table: Table) -> State:
    """Return the full state of the game, secrets included."""
    assert isinstance(table.state, State)
    return table.state
