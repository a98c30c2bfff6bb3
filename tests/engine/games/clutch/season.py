"""Games of a series, each from a late inning on, to follow the rest that pitchers owe from game to game.

The tests follow the roster Home: it leads by a run in each game and begins in the field. An outing is what its reliever
Rx does: S a strikeout, 1 a single, W an intentional walk, D a double play; then H-R2 pitches, unless the game is over.
The part before "/" belongs to the starter; "" is a game without Rx.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import ceil

from engine.asks import Play
from engine.clock import Clock
from engine.games.clutch import GAME
from engine.games.clutch.pitching.rest import FRESH
from engine.games.clutch.state import State
from engine.seats import SEATS, Seat
from engine.table import Table
from tests.engine.games.clutch import fixture
from tests.engine.games.clutch.field import run, state
from tests.engine.tables import halves

WORDS = {"S": ("SO!",), "1": ("1B!",), "W": ("hold", "walk"), "D": ("GB!", "D13")}
OUTS = {"S": 1, "D": 2}

SIX = tuple(f"S{n}" for n in range(1, 7))


def rotation(side: str) -> dict[str, str]:
    """Return a roster, "A" or "H", with six starters: `H-S1` to `H-S6`."""
    names = [f"{side}-{one}" for one in SIX]
    team = {"A": "Away", "H": "Home"}[side]
    return {team: fixture.roster(side, rotation=names), **{name: fixture.pitcher(name) for name in names}}


def late(outings: Sequence[str], house: Mapping[str, str] | None = None, **cards: str) -> Table:
    """Return a series before its first roll; game n begins late enough for outing n."""
    deck = fixture.deck({**rotation("A"), **rotation("H"), **cards})
    rules = {**fixture.HOUSE, "level": "players", "series": "7", **(house or {})}

    def begin(s: State) -> Play:
        yield from ()
        ours = watched(s)
        s.clock = Clock(10 - innings(outings[s.game - 1]), "top" if ours == "home" else "bottom")
        s.score = (2, 3) if ours == "home" else (3, 2)
        s.begun, s.won = True, (0, 0)
        for i, side in enumerate(SEATS):
            s.pitched(side, replace(s.arms[i][s.squad(side).pitcher], outs=9, faced=9))
        for facts in halves(s.clock):
            s.tell("half-inning", **facts)

    def next_play(s: State) -> Callable[[State], Play] | None:
        if s.phase == "play" and not s.begun and not s.number and s.game <= len(outings):
            return begin
        return GAME.next_play(s)

    return Table(replace(GAME, next_play=next_play), [deck], rules)


def watched(s: State) -> Seat:
    """Return the side of the roster Home in the game under way."""
    return "home" if s.team("home") == "Home" else "away"


def innings(outing: str) -> int:
    """Return how many half-innings an outing needs, at least one."""
    return max(1, ceil(sum(OUTS.get(one, 0) for one in outing) / 3 + (outing[-1:] in ("1", "W")) / 3))


def script(outing: str, reliever: str = "Rx") -> list[str]:
    """Return everything that happens in the game."""
    words: list[str] = []
    outs, game = 0, innings(outing) * 3
    before, _, relief = outing.rpartition("/")
    for part in (before, relief):
        if part and part is relief:
            words += ["new-pitcher", reliever]
        for one in part:
            words += WORDS[one]
            outs += OUTS.get(one, 0)
            if outs % 3 == 0 and one in OUTS and outs < game:
                words += ["SO!"] * 3
    if relief and outs < game and outs % 3 + (relief[-1] not in OUTS):
        words += ["new-pitcher", "H-R2"]
    while outs < game:
        words.append("SO!")
        outs += 1
        if outs % 3 == 0 and outs < game:
            words += ["SO!"] * 3
    return words


def owes(table: Table, name: str = "Rx") -> int:
    """Return the games of rest that a pitcher of the roster Home owes before the game under way."""
    s = state(table)
    return s.rests[s.rosters.index("Home")].get(name, FRESH).owes


def tired(outings: Sequence[str], house: Mapping[str, str] | None = None, limit: int = 1, name: str = "Rx") -> str:
    """Return in which games a pitcher comes in tired, T, or fresh, f; one game more than there are outings."""
    cards = {"Rx": fixture.pitcher("Rx", f"RP {limit}")}
    table = late([*outings, ""], house, **cards)
    run(table, "Away", "X9", "X14")
    found = []
    for outing in outings:
        found.append(owes(table, name))
        run(table, *script(outing))
    found.append(owes(table, name))
    return "".join("fT"[one > 0] for one in found)
