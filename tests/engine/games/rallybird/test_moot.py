"""Choices of RallyBird that are none: moot answers, checked by playing every other answer to its end."""

from __future__ import annotations

import random
from typing import Any

import pytest

from engine.asks import Choose
from engine.games.rallybird import GAME
from engine.seats import SEATS
from engine.table import Table
from tests.each import each
from tests.engine.games.contract.exact_play import ExactPlay, is_never_worse
from tests.engine.games.rallybird.fixture import CARDS, at, bat, deck, dice, lie, new, true
from tests.engine.tables import asked, inside, offered, pick, play

LONG = "E3f F3f"


def moot(table: Table) -> str | None:
    """Return the moot answer to the open question."""
    ((_, ask),) = table.open_asks()
    found = inside(ask)
    assert isinstance(found, Choose), ask
    assert found.moot_option is None or found.moot_option in found.options
    return found.moot_option


def ninth(score: tuple[int, int] = (0, 2), **more: Any) -> Table:
    return at(inning=9, score=score, **more)


# The RallyBird -----------------------------------------------------------------------------------------------------


def test_a_better_result_than_all_others_is_a_choice() -> None:
    """The next card may do more with fewer runners, or the Glove that a success changes may get better."""
    best = bat(ninth(), "F-DRIVE", 12)
    assert (("rallybird-anyway",), None, ("keep", "reroll")) == (asked(best), moot(best), offered(best))
    assert None is moot(bat(ninth(field=LONG), "F-LONG", 8))


def test_a_roll_is_kept_where_every_roll_does_the_same() -> None:
    """Two dice cannot beat fifteen, so the RallyBird would be wasted; not even with two out."""
    for outs in (0, 2):
        assert "keep" == moot(bat(ninth(bases="2", outs=outs, field="A5f"), "F-THIRD", 9))
    assert None is moot(bat(ninth(bases="2", field="A3f"), "F-THIRD", 9))


def test_a_success_that_moves_nobody_is_better_than_a_failure() -> None:
    """It changes a Glove, so a bad roll that leaves everybody where he is may be thrown again."""
    same = 'tests = ["E", "E", "E"]\nless = "batter out"\nequal = "batter out"\nmore = "batter out"\n'
    for succeeds, expected in (('["more"]', "keep"), ('["equal"]', None)):
        table = bat(ninth(field="E4f", cards={"F-DRIVE": f"{same}succeeds = {succeeds}\n"}), "F-DRIVE", 2)
        assert (("rallybird",), expected) == (asked(table), moot(table))


def test_a_roll_that_loses_the_game_is_thrown_again() -> None:
    for table in (ninth(outs=2), ninth((2, 0), outs=2, half="bottom")):
        bat(table, "F-DRIVE", 2)
        assert (("rallybird",), "reroll") == (asked(table), moot(table))
        assert play(table.clone(), "keep").outcome is not None


def test_a_roll_that_wins_the_game_is_kept() -> None:
    """Though another would bring in more."""
    table = bat(ninth((1, 0), bases="123", half="bottom", field="D3f E3f"), "F-GAP", 6)
    assert (("rallybird-anyway",), "keep") == (asked(table), moot(table))


def test_the_result_of_a_blank_card_is_a_choice() -> None:
    """Nobody knows what else it says, nor what comes of the second of two good rolls."""
    blank = play(bat(ninth(), "F-BLANK"), "A", "enough", dice(9), "batter to first")
    assert (("rallybird-anyway",), None) == (asked(blank), moot(blank))
    twice = {"F-BLANK": "blank = true\ntwice = true\n"}
    table = play(bat(ninth(cards=twice), "F-BLANK"), "A", "enough", dice(9), "good")
    assert (("rallybird-anyway",), None) == (asked(table), moot(table))


# Every way to play on ------------------------------------------------------------------------------------------------

IN_AN_AT_BAT = ("hit", "hit-again", "rallybird", "rallybird-anyway", "flip", "remove")
RESULTS = (
    *("batter out", "batter grounds out", "double play", "batter flies out, runners +1", "batter walks"),
    *("batter to first, runners +1", "batter to second, runners +2", "batter to home, runners +3"),
)


def exact_at_bat(table: Table, chance: random.Random) -> ExactPlay:
    """Return exact values of this at-bat, for random values of the positions after it.

    They hang on all but how the Gloves lie, and never fall with the RallyBird.
    """
    start, seed = true(table), chance.random()
    ((_, ask),) = table.open_asks()

    def worth(then: Table) -> float | None:
        now = true(then)
        if then.outcome:
            return 2 if then.outcome.winner == start.offense else -1
        if now.clock == start.clock and asked(then)[0] in IN_AN_AT_BAT:
            return None
        side = SEATS.index(start.offense)
        gloves = sorted(
            ((box := now.box.gloves[name]).front, box.back, name in now.backs) for name in now.gloves_in_play
        )
        rest = (now.clock, now.score, now.outs, [cube is not None for cube in now.bases], gloves, now.rally[1 - side])
        birds = (False, True) if now.rally[side] else (False,)
        return max(random.Random(f"{seed} {rest} {bird}").random() for bird in birds)

    return ExactPlay(ask.seat, worth, lambda then: object())


def any_cards(chance: random.Random) -> dict[str, str]:
    """Return random results for all cards, often the same for two or all three."""
    found = {}
    for name in CARDS.keys() - {"F-PITCH"}:
        less, equal, more = (chance.choice(RESULTS) for _ in range(3))
        results = {"less": less, "equal": chance.choice((equal, less)), "more": chance.choice((more, less))}
        lines = [f'{compare} = "{result}"' for compare, result in results.items()]
        zones = ", ".join(f'"{chance.choice("ABCDEF")}"' for _ in range(chance.randint(1, 3)))
        lines += [f"tests = [{zones}]", chance.choice(("", "", 'succeeds = ["more"]', 'succeeds = ["less", "equal"]'))]
        found[name] = "\n".join((*lines, chance.choice(("", "", "", "twice = true")), ""))
    return found


def check_rallybird(seed: int) -> None:
    """Check five moot answers of each kind against every way to play on, with random cards."""
    chance, seen = random.Random(seed), {"keep": 0, "reroll": 0}
    while min(seen.values()) < 5:
        table = ninth(
            chance.choice(((0, 2), (2, 3), (1, 2))),
            bases=chance.choice(("", "1", "3", "12", "123")),
            outs=chance.choice((0, 1, 2, 2)),
            field="".join(f"{zone}{chance.randint(1, 5)}{chance.choice('fb')} " for zone in "ABCDEF"),
            cards=any_cards(chance),
            house={rule.key: chance.choice(rule.values) for rule in GAME.house_rules if rule.key in RALLY_RULES},
        )
        bat(table, chance.choice(offered(table)), chance.randint(2, 12))
        while table.open_asks() and asked(table)[0] in ("hit-again", "rallybird", "rallybird-anyway"):
            given = moot(table) if asked(table) != ("hit-again",) else None
            if given and seen[given] < 5:
                seen[given] += 1
                found = exact_at_bat(table, chance).option_values(table)
                assert is_never_worse(found, given), (given, found, true(table).at_bat)
            play(
                table, dice(chance.randint(2, 12)) if asked(table) == ("hit-again",) else chance.choice(offered(table))
            )


RALLY_RULES = ("rallyOn", "rallyHomeRun", "rallyExtraInnings", "gloveChangeOn", "walkOff", "runOnThirdOut")


@each("seed", range(2))
def test_a_moot_answer_is_never_worse_however_the_at_bat_goes_on(seed: int) -> None:
    check_rallybird(seed)


@pytest.mark.slow
@each("seed", range(2, 12))
def test_no_moot_answer_of_many_is_ever_worse(seed: int) -> None:
    check_rallybird(seed)


# Gloves and real cards ---------------------------------------------------------------------------------------------


def test_two_gloves_alike_are_no_choice() -> None:
    """Which of them is turned over or taken away does not matter, for they are laid again; different ones do."""
    field = "A3f D3f"
    assert (("flip",), "gA") == (asked(flip := bat(at(field=field), "F-LEFT", 12)), moot(flip))
    assert None is moot(bat(at(field="A4f D3f"), "F-LEFT", 12))
    backs = bat(at(field="A1b D1b"), "F-LEFT", 12)
    assert (("remove",), "gA") == (asked(backs), moot(backs))
    assert None is moot(bat(at(field="A1b D2b"), "F-LEFT", 12))


def renamed(value: Any, names: dict[str, str]) -> Any:
    """Return an answer, or the options or facts of an ask, with these Gloves renamed."""
    match value:
        case str():
            return names.get(value, value)
        case dict():
            return {renamed(key, names): renamed(one, names) for key, one in value.items()}
        case list() | tuple() | set() | frozenset():
            return type(value)(renamed(one, names) for one in value)
    return value


def position(table: Table, names: dict[str, str]) -> tuple[Any, ...]:
    """Return the position and the legal answers, with these Gloves renamed and without where they lay last."""
    s = true(table)
    asks = [inside(ask) for _, ask in table.open_asks()]
    legal = [
        (ask.why, set(renamed(getattr(ask, "options", getattr(ask, "pieces", ())), names)), getattr(ask, "places", ()))
        for ask in asks
    ]
    gloves = renamed((s.backs, s.gone, {s.left_out}), names)
    return legal, s.clock, s.score, s.outs, s.bases, gloves, s.rally, s.at_bat.worths, table.outcome


@each("seed", range(4))
@each(("why", "field", "other"), [("flip", "A3f D3f", "gD"), ("remove", "A1b D1b", "gD"), ("leave-out", "", "gX")])
def test_two_gloves_alike_change_nothing_in_the_game_that_follows(seed: int, why: str, field: str, other: str) -> None:
    """The same dice and answers, with the two Gloves exchanged in each, lead to the same end."""
    chance = random.Random(seed)
    table = bat(at(field=field, inning=8), "F-LEFT", 12) if field else play(new(), "F-6")
    assert (why,) == asked(table)
    given = moot(table)
    assert given is not None
    names = {given: other, other: given}
    twin = play(table.clone(), other)
    play(table, given)
    while table.open_asks():
        assert position(table, {}) == position(twin, names)
        ((n, ask),) = table.open_asks()
        value = pick(ask, chance.randrange(1 << 16))
        table.answer_ask(ask.seat, n, value)
        play(twin, renamed(value, names))
    assert position(table, {}) == position(twin, names)


@each(("gloves", "expected"), [({}, "gF"), ({"F": (5, 4), "X": (4, 6)}, None)])
def test_two_gloves_alike_with_a_baseball(gloves: dict[str, tuple[int, int]], expected: str | None) -> None:
    assert expected == moot(play(new(cards=deck(gloves=gloves)), "F-6"))


def test_a_press_for_a_real_card_is_moot() -> None:
    """The next question says what to do first. A press can still be given, and naming the card is a choice."""
    table = new({"cards": "real"})
    assert (("set-aside",), "ready") == (asked(table), moot(table))
    play(table, "ready")
    assert "Offense sets a real card aside, drawn at random. Which" in table.view_for(None).asks[0].sentence
    play(table, "gX")
    assert (("laid",), "ready") == (asked(table), moot(table))
    play(table, "ready")
    assert (
        table.view_for(None).asks[0].sentence.startswith("Wait until the card is face down. Then place all your Gloves")
    )
    assert None is moot(play(table, lie(table)))
