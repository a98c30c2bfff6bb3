"""Every card against every pair of Gloves, over all rolls, compared with results worked out by hand.

The second computation moves runners a base at a time, as people do on the board.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

import pytest

from device.storage.decks import house_deck
from engine.asks import Ask, Roll
from engine.cards import cards_in_decks
from engine.diamond import Bases
from engine.games.rallybird import GAME
from engine.games.rallybird.cards import AtBatCard
from engine.games.rallybird.results import ROLL_COMPARISONS, CardResult
from engine.games.rallybird.rules import roll_until_result
from engine.games.rallybird.state import PublicAtBat, State, initial_state, zone_values

ROLLS = Counter(one + two for one, two in itertools.product(range(1, 7), repeat=2))
"""In how many of 36 ways two dice make a sum."""

BOX = initial_state(cards_in_decks([house_deck(GAME)]), GAME.resolve_house_rules({})).box

CARDS = list(BOX.cards.values())

POSITIONS: tuple[tuple[Bases[int], int], ...] = (
    ((None, None, None), 0),
    ((1, None, None), 1),
    ((1, 2, None), 0),
    ((None, 2, 3), 1),
    ((1, 2, 3), 0),
    ((1, 2, 3), 2),
)

End = tuple[str, int, int, str]
"""Occupied bases, outs, runs, and how the last roll compared."""


# By hand -----------------------------------------------------------------------------------------------------------


def by_hand(result: CardResult, bases: Bases[int], outs: int) -> tuple[str, int, int]:
    """Return occupied bases, outs and runs, from the words of the result alone."""
    for text in result.text, *(part.text for part in result.with_alternatives()[1:]):
        words = text.replace("double play", "batter grounds out, runner on first out").split(", ")
        named = [word for word in words if word.startswith("runner on")]
        missing = [word for word in named if bases[("first", "second", "third").index(word.split()[2])] is None]
        lead = any(word.startswith("lead") for word in words) and not any(bases)
        if not (missing or lead) or "; else" not in chained(result, text):
            break
    on = [base for base in (3, 2, 1) if bases[base - 1]]
    going: dict[int, int] = {}
    out: list[int] = []
    for base in on:
        name = ("first", "second", "third")[base - 1]
        word = next((word for word in words if word.startswith(f"runner on {name} ")), "")
        word = word or (next((word for word in words if word.startswith("lead runner")), "") if base == on[0] else "")
        word = word or next((word for word in words if word.startswith("runners ")), "")
        last = word.split()[-1] if word else "hold"
        if last == "out":
            out.append(base)
        going[base] = 3 if last == "scores" else int(last) if last[0] == "+" else 0
    batter = next((word for word in words if word.startswith("batter")), "batter stays")
    reach = {"walks": 1, "first": 1, "second": 2, "third": 3, "home": 4}.get(batter.split()[-1], 0)
    outs += len(out) + batter.endswith("out")
    if outs >= 3:
        return "", 3, 0
    pushed = 1 if batter == "batter grounds out" else reach
    ends = {}
    for base in (1, 2, 3):
        if base in going:
            ends[base] = max(base + going[base], pushed + 1)
            pushed = ends[base]
    safe = [end for base, end in ends.items() if base not in out] + ([reach] if reach else [])
    return "".join(str(base) for base in (1, 2, 3) if base in safe), outs, sum(end >= 4 for end in safe)


def chained(result: CardResult, text: str) -> str:
    texts = [part.text for part in result.with_alternatives()]
    return "; else ".join(texts[texts.index(text) :])


def expected(card: AtBatCard, goal: int, bases: Bases[int], outs: int) -> dict[End, int]:
    """Return the distribution of ends, over 36 rolls, or 1296 where the card needs two."""
    found: Counter[End] = Counter()
    ways = {
        compare: sum(count for total, count in ROLLS.items() if compared(total, goal) == compare)
        for compare in ROLL_COMPARISONS
    }
    for compare, count in ways.items():
        end = (*by_hand(card.results[compare], bases, outs), compare)
        if not card.twice:
            found[end] += count
        elif compare == "more":
            for again, more in ways.items():
                found[*by_hand(card.results[again], bases, outs), again] += count * more
        else:
            found[end] += count * 36
    return {end: count for end, count in found.items() if count}


def compared(total: int, goal: int) -> str:
    return "less" if total < goal else "equal" if total == goal else "more"


# By the rules ------------------------------------------------------------------------------------------------------


def by_the_rules(state: State, card: AtBatCard) -> dict[End, int]:
    """Return the distribution from playing it out with every pair of dice for every roll."""
    found: Counter[End] = Counter()
    for rolls in itertools.product(ROLLS, repeat=1 + card.twice):
        ways = 1
        for total in rolls:
            ways *= ROLLS[total]
        found[one_at_bat(state.copy(), card, rolls)] += ways
    return dict(found)


def one_at_bat(state: State, card: AtBatCard, rolls: tuple[int, ...]) -> End:
    """Return where one at-bat ends; rolls that are not asked for make no difference."""
    running, left = roll_until_result(state, card), iter(rolls)
    try:
        ask: Ask = next(running)  # type: ignore[assignment]
        while True:
            assert isinstance(ask, Roll)
            total = next(left)
            ask = running.send((max(1, total - 6), min(6, total - 1)))  # type: ignore[assignment]
    except StopIteration as stop:
        ran = stop.value
    on = "".join(str(base) for base, runner in enumerate(ran.bases, 1) if runner)
    return on, ran.outs, len(ran.home), state.at_bat.compare


def fields(zones: tuple[str, ...]) -> Iterator[Mapping[str, str | None]]:
    """Return every state of the Gloves, with none on up to two zones: a Glove is "4/2 back", a bare zone None."""
    sides = [None, *(f"{name} {side}" for name in BOX.gloves for side in ("front", "back"))]
    for laid in itertools.product(sides, repeat=len(zones)):
        names = [one.split()[0] for one in laid if one]
        if len(set(names)) == len(names):
            yield dict(zip(zones, laid, strict=True))


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.name)
def test_the_dice_match_the_card(card: AtBatCard) -> None:
    """For every pair of Gloves on either side, and bare zones, in six positions and over all rolls."""
    first = initial_state(cards_in_decks([house_deck(GAME)]), GAME.resolve_house_rules({}))
    first.seated, first.left_out = True, "none"
    seen: dict[tuple[int, Bases[int], int], dict[End, int]] = {}
    for bases, outs in POSITIONS:
        tests = card.second if bases[1] else card.tests
        for field in fields(tuple(dict.fromkeys(tests))):
            state = first.copy()
            state.bases, state.outs, state.batter = bases, outs, 4
            state.lying = tuple((zone, laid.split()[0]) for zone, laid in field.items() if laid)
            state.backs = frozenset(laid.split()[0] for laid in field.values() if laid and laid.endswith("back"))
            goal = sum(value_by_hand(state, zone, field[zone]) for zone in tests)
            assert goal == sum(zone_values(state, tests))
            if (goal, bases, outs) not in seen:
                state.at_bat = PublicAtBat(card, tests, zone_values(state, tests))
                seen[goal, bases, outs] = by_the_rules(state, card)
                assert expected(card, goal, bases, outs) == seen[goal, bases, outs], (card.name, goal, bases, outs)
                assert (1296 if card.twice else 36) == sum(seen[goal, bases, outs].values())


def value_by_hand(state: State, zone: str, laid: str | None) -> int:
    if laid is None:
        return state.box.zones[zone].printed
    name, side = laid.split()
    return state.box.gloves[name].front if side == "front" else state.box.gloves[name].back


def test_a_wrong_result_is_noticed() -> None:
    card = next(card for card in CARDS if card.name == "Drive to centre")
    short = CardResult("batter to second, runners +3", "hit", 2, (("runners", 1),))
    wrong = replace(card, results={**card.results, "more": short})
    state = initial_state(cards_in_decks([house_deck(GAME)]), GAME.resolve_house_rules({}))
    state.bases, state.batter, state.at_bat = (1, 2, None), 4, PublicAtBat(wrong, ("E", "E"), (3, 3))
    assert expected(wrong, 6, state.bases, 0) != by_the_rules(state, wrong)
