"""Moot choices of random cards: no other option can ever lead to a better result.

A slow look-ahead plays on from every option, tries every later choice of both sides, and compares the best results. It
knows nothing of how the rules find moot choices. A tape decides the dice: the same for each roll that can come up in
both futures, whatever was chosen before.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from itertools import combinations
from typing import Any

import pytest

from engine.asks import Choose, Reroll, Roll
from engine.cards import Deck
from engine.games.seventh_inning_stretch.dice import abilities, conditions, scoring
from engine.seats import Seat
from engine.table import Table
from tests.each import each
from tests.engine.games.seventh_inning_stretch.fixture import (
    against,
    at,
    batter_card,
    between,
    deck,
    pitcher_card,
    squad,
    team_card,
    true,
    until,
)
from tests.engine.tables import asked, codes, pick, play

Result = tuple[int, int]
"""Lost, undecided or won as 0, 1 or 2; then by how many runs a side leads, if it is undecided."""

LONGEST = 300
"""Positions after which a look-ahead is given up."""


class TooLong(Exception):
    """There are too many futures."""


ENDS = {*conditions.LINE_OUTCOMES, "out", "half-over"}
"""The events that end a turn at bat or a half."""


class Futures:
    """What the person in `seat`, who plays `side`, can reach from `table` until `turns` turns and halves are over."""

    def __init__(self, table: Table, seat: Seat, side: Seat, tape: int, turns: int) -> None:
        self._table, self._seat, self._side, self._tape, self._turns = table, seat, side, tape, turns
        self._left = LONGEST

    def results(self) -> dict[Any, Result]:
        """Return for each option of the open choice the best result after it. Raises TooLong."""
        return {option: self._best(then) for option, then in self._answered(self._table)}

    def _best(self, table: Table) -> Result:
        """Return the best result, if the other side does its best too."""
        self._left -= 1
        if self._left < 0:
            raise TooLong
        if result := self._result(table):
            return result
        ((_, ask),) = table.open_asks()
        best = max if ask.seat == self._seat else min
        return best(self._best(then) for _, then in self._answered(table))

    def _result(self, table: Table) -> Result | None:
        """Return how it stood when the turns were over; None if they are not."""
        sign, count = (1 if self._side == "home" else -1), 0
        away, home = true(self._table).score
        for event in (one.event for one in table.log[len(self._table.log) :]):
            if count == self._turns and event.code in ENDS:
                return (1, sign * (home - away))
            count += event.code in ENDS
            if event.code == "scores":
                away, home = event.facts["away"], event.facts["home"]
            if event.code == "game-won":
                return (2 if event.facts["seat"] == self._side else 0, 0)
        return None

    def _answered(self, table: Table) -> Iterator[tuple[Any, Table]]:
        """Yield every answer to the open question, and the table after it."""
        ((n, ask),) = table.open_asks()
        for value in values(table, self._tape):
            twin = table.clone()
            twin.answer_ask(ask.seat, n, value)
            yield value, twin


def values(table: Table, tape: int) -> Iterator[Any]:
    """Yield every answer to the open question; dice come from the tape."""
    ((_, ask),) = table.open_asks()
    told = codes(table.log)
    rolled = max((place for place, code in enumerate(told) if code.endswith("rolled")), default=0)
    # Dice that are rolled again once, twice and so on in the same roll.
    again = sum(code in ("rerolls", "ability") for code in told[rolled:]) if isinstance(ask, Reroll) else 0
    s = true(table)
    turn = (s.clock, s.is_person_batting and s.squad(s.offense).slot)
    chance = random.Random(f"{tape} {turn} {s.threw} {ask.why} {again}")
    match ask:
        case Roll(dice=dice):
            yield [chance.choice(die.faces) for die in dice]
        case Reroll(free=free, most=most):
            faces = [chance.randint(1, 6) for _ in ask.faces]
            for count in range(1, most + 1):
                for some in combinations(free, count):
                    yield [face if place in some else None for place, face in enumerate(faces)]
        case Choose(options=options):
            yield from options
        case _:
            raise AssertionError(ask)


# Random cards ------------------------------------------------------------------------------------------------------


def some_lines(chance: random.Random) -> list[str]:
    """Return lines of a batter: mostly easy ones, many with a guard."""
    found = []
    for outcome in chance.sample(conditions.LINE_OUTCOMES, chance.randint(1, 2)):
        need = chance.choice(EASY if chance.random() < 0.7 else conditions.NEED_PHRASES.examples)
        guard = f" {chance.choice(conditions.GUARD_PHRASES.examples)}" if chance.random() < 0.4 else ""
        found.append(f"{need}{guard}: {outcome}")
    return found


EASY = ("highest 2+", "highest 3+", "lowest 3+", "3+ dice", "all odd")

BRINGS = (
    *(f"{number} {guard}; else 0" for number in (1, 2) for guard in conditions.GUARD_PHRASES.examples),
    *("1 a runner", "1 an out", "by a die: 0 0 1 2 2 3"),
)
"""Dice that hang on everything a card can look at; few, so that there are not too many futures."""


CUTS = (*("roll 1 die fewer",) * 20, *abilities.ABILITY_PHRASES.examples)


def some_cards(chance: random.Random) -> Deck:
    """Return a deck with random batters, pitchers and a team."""
    cards = {}
    for name in ("F-MAX", "F-PAIR", "F-BB", *(f"F-{n}" for n in range(9))):
        dice = chance.choice(BRINGS) if chance.random() < 0.6 else chance.choice("001")
        cards[name] = batter_card(name, some_lines(chance), dice, chance.choice(("", "", "nudges = 1\n")))
    for name, some in (("F-PIT", abilities.ABILITY_PHRASES.examples), ("F-CUT", CUTS)):
        cards[name] = pitcher_card(name, chance.choice(some), chance.randint(1, 3))
    either = [f"{chance.choice(EASY)}: {outcome}" for outcome in chance.sample(conditions.LINE_OUTCOMES, 2)]
    cards["F-MAX"] = batter_card("F-MAX", either, "1")
    cards["team T-1"] = team_card("T1", 2, 3, chance.choice(scoring.SCORE_PHRASES.examples))
    return deck(cards)


def some_position(kind: str, chance: random.Random) -> Table:
    """Return a random position late in a game: at bat in a season or a duel, or in the field."""
    cards, inning, lead = some_cards(chance), chance.randint(8, 10), chance.randint(-2, 2)
    runs = (max(lead, 0), max(-lead, 0))
    house = {"conditionChoice": chance.choice(("player", "player", "best")), "minStealDice": chance.choice("01")}
    house["duelTokenBan"] = chance.choice(("thatRoll", "restOfTurn"))
    if kind == "relief":
        # Nobody is fresh, or no roll matters any more.
        decided = chance.random() < 0.7
        where: Any = {"inning": 9, "runs": chance.choice(((9, 0), (0, 9)))} if decided else {"tired": {"F-CUT": 3}}
        arms = chance.sample(("F-PIT", "F-CUT"), 2) if decided else ("F-PIT", "F-CUT")
        return against(arms[0], pitchers=arms[1:], home=chance.random() < 0.5, house=house, cards=cards, **where)
    if kind == "field":
        bench = chance.choice(((), ("F-CUT",)))
        return against(inning=inning, home=lead < 1, runs=runs, pitchers=bench, house=house, cards=cards)
    bases, outs = chance.choice(("", "1", "2", "3", "12", "13", "23", "123")), chance.randint(0, 2)
    pool = (chance.randint(0, 2), chance.randint(0, 1), chance.randint(0, 1))
    duel = kind == "duel"
    tired = {"F-PIT": 3} if chance.random() < 0.5 else {}
    where = {"inning": inning, "home": lead < 1, "runs": runs, "tired": tired}
    return at("F-MAX", bases, outs, pool, duel=duel, house=house, cards=cards, **where)


def moot_choices(kind: str, chance: random.Random) -> Iterator[tuple[Table, Choose]]:
    """Play random answers from a random position, and yield each table at a moot choice."""
    table = some_position(kind, chance)
    for _ in range(12):
        if "game-won" in codes(table.log):
            return
        ((n, ask),) = table.open_asks()
        if isinstance(ask, Choose) and ask.moot_option is not None:
            yield table.clone(), ask
        some = list(values(table, chance.randrange(1 << 30)))
        table.answer_ask(ask.seat, n, chance.choice([one for one in some if one != "0"] or some))


# The property ------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@each("kind", ["bat", "duel", "field", "relief"])
@each("seed", range(20))
def test_no_other_option_ever_leads_to_a_better_result(kind: str, seed: int) -> None:
    chance = random.Random(f"{kind} {seed}")
    for table, ask in moot_choices(kind, chance):
        s = true(table)
        side = ask.seat if s.duel else s.side
        with suppress(TooLong):
            results = Futures(table, ask.seat, side, tape=seed, turns=chance.randint(1, 4)).results()
            assert max(results.values()) == results[ask.moot_option], (ask.why, results)


# Side by side --------------------------------------------------------------------------------------------------------

SPARED = ("relief", "before", "ability", "pitching-coach", "pitching-coach-again")
"""Questions that only one of two games may ask, with the option to do nothing."""


def play_beside(rested: Table, tired: Table, chance: random.Random) -> None:
    """Play a game to its end twice with the same dice and answers, and check that the rested pitchers can do the same.

    A side with a fresh pitcher in the field need not bring him in, and need not use his ability.
    """
    begun = len(tired.log)
    while "game-won" not in codes(tired.log[begun:]):
        ours, theirs = true(rested).tired, true(tired).tired
        assert all(count <= theirs.get(name, 0) for name, count in ours.items())
        ((n, ask),) = tired.open_asks()
        value = pick(ask, chance.randrange(1 << 16)) if ask.why != "relief" or chance.random() < 0.4 else "stays"
        same = squad(rested).pitcher == squad(tired).pitcher
        tired.answer_ask(ask.seat, n, value)
        spare(rested, ask.why)
        if asked(rested)[0] != ask.why:
            assert value == "enough", "only the other pitcher can use his ability"
        else:
            play(rested, value if same or ask.why != "relief" else "stays")
    spare(rested, "pitching-coach")
    assert true(tired).score == true(rested).score


def spare(table: Table, why: str) -> None:
    """Do nothing until this is asked, or another question that both games ask."""
    while asked(table)[0] in SPARED and asked(table)[0] != why:
        play(table, IDLE.get(asked(table)[0], "enough"))


IDLE = {"relief": "stays", "pitching-coach": "nobody", "pitching-coach-again": "nobody"}


def some_seasons(chance: random.Random) -> Iterator[Table]:
    """Yield seasons before a game with one pitcher who has stamina left, or one who is tired."""
    forces = chance.choice(("none", "no pitcher abilities", "at most 1 pitcher ability a half"))
    cards = deck(forces={("semifinals", 3): forces})
    yield until(between("semifinals", cards=cards, schedule=("U-1", "U-2"), tired={"F-PIT": 2}), "pitcher")
    tired = {chance.choice(("F-PIT", "F-CUT")): chance.randint(1, 2)}
    coach = between("first", {"coach": "pitching"}, schedule=("T-1", "T-2", "T-3"), tired=tired)
    yield until(coach, "pitching-coach")


@each("seed", range(30))
def test_a_pitcher_with_stamina_can_do_what_others_do(seed: int) -> None:
    """The only one with stamina starts, and the only tired one is refreshed."""
    for table in some_seasons(random.Random(seed)):
        ((_, ask),) = table.open_asks()
        assert isinstance(ask, Choose)
        assert ask.moot_option is not None
        for option in set(ask.options) - {ask.moot_option}:
            rested, tired = play(table.clone(), ask.moot_option), play(table.clone(), option)
            play_beside(rested, tired, random.Random(seed))
