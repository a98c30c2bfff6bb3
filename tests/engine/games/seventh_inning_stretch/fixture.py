"""Positions of 7th Inning Stretch, and ways to play on from them.

The cards come from the ledger or are house-made. F-0 to F-8 equal F-MAX; T-1 to T-14 are tier 2, U-1 to U-14 tier 3.
The player sides have F-MAX's conditions or F-PIT's ability, the team sides F-TEAM; the team of T-1 is t1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from engine.asks import Arrange, Choose, Draw, Roll
from engine.cards import Deck, parse_deck
from engine.diamond import Bases
from engine.errors import IllegalAnswer, InvalidAnswer
from engine.games.seventh_inning_stretch import GAME
from engine.games.seventh_inning_stretch.cards import CARD_SHAPES
from engine.games.seventh_inning_stretch.state import MANAGER_SEAT, Pool, State, StretchSquad
from engine.innings import Half, InningClock
from engine.seats import SEATS, Seat, opposite_seat, replace_for_seat
from engine.table import Table
from engine.views import json_data as plain_view
from tests.engine.tables import asked, board, codes, halves, midway, on_base, panel, play, score

MAX = ["highest 6: home-run", "highest 5: double", "highest 4: single"]

LINES: dict[str, list[str]] = {
    "F-MAX": MAX,
    "F-PAIR": ["a pair: single"],
    "F-3B": ["a 6: triple"],
    "F-BB": ["highest 3+: walk"],
    "F-SAC": ["highest 2+: sacrifice"],
    "F-TWO": ["a pair: double", "highest 4+: single"],
    "F-RES": MAX,
    **{f"F-{n}": MAX for n in range(9)},
}
"""The conditions of the sixteen batters of tier 1."""

STAR: dict[str, str] = {
    "F-RES": "1",
    "F-6": "1 a runner",
    "F-7": "by a die: 0 0 1 2 2 3",
    "F-8": "2 when behind; else 1",
}
"""What batters bring, if not two dice; F-RES also brings a token of each kind."""

FILLERS = tuple(f"F-{n}" for n in range(9))
NINE = ("F-MAX", *FILLERS[:6], "F-PAIR", "F-BB")
"""A roster of tier 1, in the order of its line-up."""

BLANK = {
    "F-5": '[[batter]]\nname = "F-5"\ntier = 1\nblank = true\n',
    "F-CUT": '[[pitcher]]\nname = "F-CUT"\ntier = 1\nstamina = 3\nblank = true\n',
    "team T-1": '[[team]]\nname = "t1"\nshort = "T1"\ntier = 2\ndice = 3\nleast = 2\nblank = true\n',
}
"""A card of each kind that the table reads."""

FORCES = {
    ("semifinals", 3): "no rerolls",
    ("semifinals", 2): "no nudges",
    ("finals", 3): "no rerolls",
    ("finals", 2): "no nudges",
}
"""Conditions of the playoff cards; those of level 1 have none."""


def batter_card(name: str, lines: Iterable[str] = MAX, dice: str = "2", more: str = "", tier: int = 1) -> str:
    """Return the text of a batter's card."""
    typed = ", ".join(f'"{one}"' for one in lines)
    return f'[[batter]]\nname = "{name}"\ntier = {tier}\n{more}dice = "{dice}"\nlines = [{typed}]\n'


def pitcher_card(
    name: str, ability: str = "lower one die by 2", stamina: int = 2, more: str = "", tier: int = 1
) -> str:
    """Return the text of a pitcher's card."""
    return f'[[pitcher]]\nname = "{name}"\ntier = {tier}\n{more}stamina = {stamina}\nability = "{ability}"\n'


def team_card(short: str, tier: int, dice: int = 3, runs: str = "the difference of the two lowest") -> str:
    """Return the text of a team's card, F-TEAM's by default."""
    return (
        f'[[team]]\nname = "{short.lower()}"\nshort = "{short}"\ntier = {tier}\n'
        f'dice = {dice}\nleast = 2\nruns = "{runs}"\n'
    )


def source(cards: Mapping[str, str] | None = None, forces: Mapping[tuple[str, int], str] | None = None) -> str:
    """Return a deck's text; `cards` replaces the text of a player's card or, as "team T-1", of that player's team."""
    of, parts = cards or {}, ['[deck]\ngame = "seventh-inning-stretch"\ntitle = "F"\n']
    tokens = {"F-RES": "rerolls = 1\nnudges = 1\n"}
    made = {name: batter_card(name, LINES[name], STAR.get(name, "2"), tokens.get(name, "")) for name in LINES}
    made |= {"F-PIT": pitcher_card("F-PIT"), "F-CUT": pitcher_card("F-CUT", "roll 1 die fewer", 3)}
    for tier, letter in ((2, "T"), (3, "U")):
        for n in range(1, 15):
            name, short = f"{letter}-{n}", f"{letter}{n}"
            back = f'back = "{short}"\n'
            made[name] = pitcher_card(name, more=back, tier=tier) if n > 10 else batter_card(name, more=back, tier=tier)
            made[f"team {name}"] = team_card(short, tier)
    parts += [of.get(name) or text for name, text in made.items()]
    for series in ("semifinals", "finals"):
        for level in (1, 2, 3):
            force = (FORCES | dict(forces or {})).get((series, level), "none")
            parts.append(f'[[playoff]]\nseries = "{series}"\nlevel = {level}\ngrey = "{force}"\n')
    return "".join(parts)


def deck(cards: Mapping[str, str] | None = None, forces: Mapping[tuple[str, int], str] | None = None) -> Deck:
    """Return the deck of `source`."""
    return parse_deck(source(cards, forces), "f.toml", GAME.key, CARD_SHAPES)


USUAL = deck()
"""The cards where a test names no others."""

HOUSE = {"duelFirstBat": "agreed"}


def new(house: Mapping[str, str] | None = None, cards: Deck | None = None) -> Table:
    """Return a new season or duel."""
    return Table(GAME, [cards or USUAL], HOUSE | dict(house or {}))


def settle(state: State, side: Seat, inning: int, half: Half, away_home: tuple[int, int]) -> None:
    """Put the state into a running game at the start of a half."""
    state.playing, state.begun, state.side = True, True, side
    state.clock, state.score = InningClock(inning, half), away_home


def halves_so_far(state_side: Seat, duel: bool, clock: InningClock) -> Iterable[dict[str, Any]]:
    """Return the halves played so far."""
    first = InningClock(1) if duel else InningClock(7, "bottom")
    return ({**facts, "team": facts["seat"]} for facts in halves(clock, first))


def at(
    batter: str = "F-MAX",
    bases: str = "",
    outs: int = 0,
    pool: tuple[int, int, int] = (0, 0, 0),
    *,
    inning: int = 8,
    home: bool = True,
    runs: tuple[int, int] = (0, 0),
    bench: Sequence[str] = (),
    pitcher: str = "F-PIT",
    pitchers: Sequence[str] = (),
    slot: int = 0,
    tired: Mapping[str, int] | None = None,
    phase: str = "first",
    duel: bool = False,
    veteran: int | None = None,
    house: Mapping[str, str] | None = None,
    cards: Deck | None = None,
    **more: Any,
) -> Table:
    """Return a table as a batter's turn begins.

    "13" are runners on first and third, named r1 and r3; `pool` holds the dice, rerolls and +/-1 tokens he finds there;
    `runs` are yours and theirs; `bench` lists batters. In a duel, home bats (unless `home` is False) against `pitcher`,
    who has `pitchers` on his bench. `more` sets any other fields of the state.
    """
    side: Seat = "home" if home else "away"
    clock = InningClock(inning, "bottom" if home else "top")
    others = [name for name in NINE if name != batter][:8]
    lineup = (*others[:slot], batter, *others[slot:])

    def position(state: State) -> None:
        settle(state, side, inning, clock.half, runs if side == "away" else (runs[1], runs[0]))
        state.phase, state.outs = "game" if duel else phase, outs
        on = {int(base): f"r{base}" for base in bases}
        where: Bases[str] = (on.get(1), on.get(2), on.get(3))
        state.bases, state.pool = where, Pool(*pool)
        mine = StretchSquad((*lineup, *bench, pitcher, *pitchers), lineup, slot, pitcher, laid=lineup)
        if duel:
            theirs = StretchSquad(("U-11", *pitchers, pitcher, *NINE), NINE, 0, pitcher)
            state.squads = replace_for_seat(
                replace_for_seat(state.squads, side, replace(mine, roster=(*lineup, *bench, "U-12"), pitcher="U-12")),
                opposite_seat(side),
                theirs,
            )
        else:
            state.squads, state.opponent, state.schedule = (
                replace_for_seat(state.squads, MANAGER_SEAT, mine),
                "T-1",
                ("T-1", "T-2", "T-3"),
            )
        state.tired = dict(tired or {})
        if veteran is not None:
            state.veteran = veteran
        for name, value in more.items():
            setattr(state, name, value)

    chosen = HOUSE | ({"mode": "duel"} if duel else {}) | dict(house or {})
    return midway(GAME, cards or USUAL, chosen, position, halves_so_far(side, duel, clock))


def against(
    pitcher: str = "F-PIT",
    *,
    team: str = "T-1",
    inning: int = 8,
    home: bool = True,
    runs: tuple[int, int] = (0, 0),
    pitchers: Sequence[str] = (),
    tired: Mapping[str, int] | None = None,
    phase: str = "first",
    house: Mapping[str, str] | None = None,
    cards: Deck | None = None,
    **more: Any,
) -> Table:
    """Return a table as a defensive half of a season begins against the team on the back of `team`.

    `runs` are yours and theirs; `pitchers` are those on the bench; `home` is True if you play at home.
    """
    side: Seat = "home" if home else "away"
    clock = InningClock(inning, "top" if home else "bottom")

    def position(state: State) -> None:
        settle(state, side, inning, clock.half, runs if side == "away" else (runs[1], runs[0]))
        state.phase, state.opponent, state.schedule = phase, team, (team, "T-2", "T-3")
        state.squads = replace_for_seat(
            state.squads, MANAGER_SEAT, StretchSquad((*NINE, pitcher, *pitchers), NINE, 0, pitcher, laid=NINE)
        )
        state.tired = dict(tired or {})
        for name, value in more.items():
            setattr(state, name, value)

    return midway(GAME, cards or USUAL, HOUSE | dict(house or {}), position, halves_so_far(side, False, clock))


def between(phase: str, house: Mapping[str, str] | None = None, cards: Deck | None = None, **more: Any) -> Table:
    """Return a season between two games, in this phase; `more` sets fields of the state.

    Its roster is NINE, F-PIT and F-CUT.
    """

    def position(state: State) -> None:
        state.phase = phase
        state.squads = replace_for_seat(
            state.squads, MANAGER_SEAT, StretchSquad((*NINE, "F-PIT", "F-CUT"), NINE, laid=NINE)
        )
        for name, value in more.items():
            setattr(state, name, value)

    return midway(GAME, cards or USUAL, HOUSE | dict(house or {}), position, ())


# Playing on ------------------------------------------------------------------------------------------------------


def deal(table: Table) -> Table:
    """Answer every chance draw with its first option."""
    while table.open_asks():
        ((n, ask),) = table.open_asks()
        if not isinstance(ask, Draw):
            break
        table.answer_ask(ask.seat, n, ask.options[0])
    return table


def swing(table: Table, *faces: int) -> Table:
    """Commit this many dice to the at-bat and roll them."""
    return play(table, str(len(faces)), list(faces)) if faces else play(table, "0")


def skip(table: Table, *whys: str) -> Table:
    """Decline questions of these kinds as long as they come; declining is the first option."""
    while table.open_asks() and asked(table)[0] in whys:
        ((n, ask),) = table.open_asks()
        assert isinstance(ask, Choose)
        table.answer_ask(ask.seat, n, ask.options[0])
    return table


def refused(table: Table, *values: object) -> None:
    """Assert that none of these is offered, and that giving one as an answer is refused and changes nothing."""
    ((n, ask),) = table.open_asks()
    before = len(table.journal)
    for value in values:
        assert not isinstance(ask, Choose | Draw) or value not in ask.options, value
        with pytest.raises((IllegalAnswer, InvalidAnswer)):
            table.answer_ask(ask.seat, n, value)
    assert before == len(table.journal)


def rolls(table: Table, *faces: int) -> Table:
    """Roll a team's dice without a relief pitcher or an ability."""
    return skip(play(skip(table, "relief"), list(faces)), "ability")


# Looking ---------------------------------------------------------------------------------------------------------


def stand(table: Table) -> tuple[str, int, int]:
    """Return the occupied bases, the outs, and both sides' runs."""
    return on_base(table), board(table).outs, sum(score(table))


def field(table: Table, batter: str = "F-MAX") -> str:
    """Return who is on base: "b-1" is `batter` on first, and r1 is the runner who began on first."""
    names = {None: "-", batter: "b", "r1": "1", "r2": "2", "r3": "3"}
    return "".join(names[one] for one in board(table).bases)


def says(table: Table) -> str:
    """Return the question as everybody reads it."""
    return str(plain_view(table.view_for(None))["asks"][0]["sentence"])


def pool(table: Table) -> tuple[int, int, int]:
    """Return the dice, rerolls and +/-1 tokens in the pool."""
    now = panel(table, "pool")
    return now["dice"], now["rerolls"], now["nudges"]


def supply(table: Table) -> Pool:
    """Return what is left in the supply."""
    found: Pool = panel(table, "pool")["supply"]
    return found


def half(table: Table) -> str:
    """Return the inning and half, as "T7"."""
    now = board(table)
    return f"{now.half[0].upper()}{now.inning}"


def true(table: Table) -> State:
    """Return the full state of the game, secrets included."""
    assert isinstance(table.state, State)
    return table.state


def squad(table: Table, seat: Seat = MANAGER_SEAT) -> StretchSquad:
    """Return a seat's squad."""
    return true(table).squads[SEATS.index(seat)]


# Whole games -----------------------------------------------------------------------------------------------------


LATE: dict[str, Any] = {
    "tops": {2: "T-7", 3: "U-7"},
    "supplies": {2: tuple(f"T-{n}" for n in range(8, 15)), 3: tuple(f"U-{n}" for n in range(8, 15))},
}
"""The supplies after both drafts, eight cards each: for `between`."""


def plain(table: Table, won: bool = False) -> Table:
    """Answer so that the game is won or lost: a home run unless ahead to win, no dice to lose.

    Everything else is declined.
    """
    ((n, ask),) = table.open_asks()
    s = true(table)
    value: Any = None
    match ask:
        case Arrange(pieces=pieces, places=places):
            value = dict(zip(places, pieces, strict=False))
        case Roll(why="team", dice=dice):
            value = [1] * len(dice) if won else [1, *[3] * (len(dice) - 1)]
        case Roll(why="swing", dice=dice):
            value = [6] * len(dice)
        case Roll(dice=dice):
            value = [1] * len(dice)
        case Choose(why="at-bat", options=options):
            mine = SEATS.index(s.side)
            value = "1" if won and s.score[mine] <= s.score[1 - mine] and "1" in options else "0"
        case Choose(options=options) | Draw(options=options):
            value = options[0]
    table.answer_ask(ask.seat, n, value)
    return table


def until(table: Table, *whys: str, won: bool = False) -> Table:
    """Play until one of these is asked, winning or losing games on the way as `plain` does."""
    while asked(table)[0] not in whys:
        plain(table, won)
    return table


def games(table: Table, results: str) -> Table:
    """Play whole games from the first question of one to the next choice; "WL" is a win, then a loss."""
    for result in results:
        before = codes(table.log).count("game-won")
        while codes(table.log).count("game-won") == before:
            plain(table, won=result == "W")
        deal(table)
    return table


def season(table: Table) -> Any:
    """Return the season board."""
    return panel(table, "season")
