"""Choices that are none: moot answers, some of them checked by playing every other answer to its end."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

from engine.asks import Choose
from engine.cards import Deck
from engine.games.seventh_inning_stretch.dice.abilities import ABILITY_PHRASES, parse_ability
from engine.table import Table
from tests.each import each
from tests.engine.games.seventh_inning_stretch.fixture import (
    BLANK,
    MAX,
    against,
    at,
    batter_card,
    between,
    deck,
    pitcher_card,
    skip,
    swing,
    team_card,
    true,
    until,
)
from tests.engine.tables import asked, inside, offered, play

BENCH = ("T-11", "T-12")


def moot(table: Table) -> str | None:
    """Return the moot answer to the open question."""
    ((_, ask),) = table.open_asks()
    found = inside(ask)
    assert isinstance(found, Choose), ask
    return found.moot_option


# At bat ------------------------------------------------------------------------------------------------------------


@each(
    ("pool", "face", "keep"),
    [
        ((0, 0, 1), 6, False),  # A home run can become a double.
        ((0, 0, 1), 5, False),
        ((0, 0, 1), 3, False),
        ((0, 0, 1), 2, True),  # A single is two nudges away.
        ((0, 0, 2), 2, False),
        ((0, 1, 0), 1, False),  # Thrown again, it can be anything.
    ],
)
def test_a_token_that_cannot_change_anything_is_moot(pool: tuple[int, int, int], face: int, keep: bool) -> None:
    table = swing(at(pool=pool), face)
    assert (("tokens",), "keep" if keep else None) == (asked(table), moot(table))


def test_a_token_is_moot_once_the_game_is_won() -> None:
    for runs, keep in (((0, 0), "keep"), ((0, 1), None)):
        assert keep == moot(swing(at(pool=(0, 1, 1), inning=9, runs=runs), 6))


@each(
    ("lines", "bases", "keep"),
    [
        # With nobody on, or a runner who is forced, the bases are the same; others move on a single alone.
        (["highest 2+: single", "highest 1: walk"], "", True),
        (["highest 2+: single", "highest 1: walk"], "1", True),
        (["highest 2+: single", "highest 1: walk"], "2", False),
        (["highest 2+: single", "highest 1: walk"], "3", False),
        # After a hit runners may go on.
        (["highest 2+: walk", "highest 1: single"], "", True),
        (["highest 2+: walk", "highest 1: single"], "1", False),
    ],
)
def test_a_token_may_turn_a_hit_into_the_same_walk(lines: list[str], bases: str, keep: bool) -> None:
    table = at("F-0", bases, pool=(0, 0, 1), cards=deck({"F-0": batter_card("F-0", lines)}))
    assert ("keep" if keep else None) == moot(swing(table, 2))


def test_a_token_may_spoil_an_outcome_that_counts_by_a_house_rule() -> None:
    """Where the best counts, only a nudge gets the walk; otherwise it can be had as the dice lie."""
    cards = deck({"F-0": batter_card("F-0", ["highest 1+: walk", "highest 2+: double"])})
    for house, keep in (("player", "keep"), ("best", None)):
        assert keep == moot(swing(at("F-0", pool=(0, 0, 1), house={"conditionChoice": house}, cards=cards), 2))


@each(("face", "keep"), [(5, False), (6, True), (4, False), (3, True)])
def test_a_token_for_a_steal_is_moot_if_the_runner_is_safe_or_lost_anyway(face: int, keep: bool) -> None:
    table = play(at(bases="1", pool=(0, 0, 1)), "steal-second", "1", [face])
    assert (("tokens",), "keep" if keep else None) == (asked(table), moot(table))


def test_a_token_may_still_help_against_an_ability() -> None:
    """A duel's pitcher may turn the dice of an out, but not once he is exhausted."""
    for tired, keep in ((0, None), (2, "keep")):
        table = swing(skip(at(pool=(0, 0, 1), duel=True, tired={"F-PIT": tired}), "relief"), 1, 2)
        assert (("tokens",), keep) == (asked(table), moot(table))


def test_nothing_is_moot_with_a_blank_card_in_play() -> None:
    """Whatever differs, the card may look at it, also if somebody else is at bat."""
    for cards, answer in ((None, "keep"), (deck({"F-5": BLANK["F-5"]}), None)):
        table = swing(at(pool=(0, 0, 1), cards=cards), 1)
        assert (("tokens",), answer) == (asked(table), moot(table))
    worn = {"T-11": 2, "T-12": 2}
    for card in ("F-5", "team T-1"):
        table = against(pitchers=BENCH, tired=worn, cards=deck({card: BLANK[card]}))
        assert (("relief",), None) == (asked(table), moot(table))


@each(("face", "keep"), [(6, "keep"), (5, None), (3, None), (4, "keep"), (1, "keep")])
def test_a_token_for_a_stars_die_is_moot_if_no_die_is_gained(face: int, keep: str | None) -> None:
    """Its table is 0 0 1 2 2 3."""
    assert keep == moot(play(at("F-7", pool=(0, 0, 1)), [face]))


@each(
    ("line", "where", "answer"),
    [
        # One die makes no pair; but with a runner on first it may steal.
        ("a pair: single", {}, "0"),
        ("a pair: single", {"bases": "1"}, None),
        ("a pair: single", {"pool": (1, 0, 0)}, None),
        # A sacrifice with two out, or with nobody on, is an out like any other.
        ("a 6: sacrifice", {}, "0"),
        ("a 6: sacrifice", {"bases": "3", "outs": 2}, "0"),
        ("a 6: sacrifice", {"bases": "3", "outs": 1}, None),
        # A duel's pitcher who is not exhausted may turn dice.
        ("a pair: single", {"duel": True}, None),
        ("a pair: single", {"duel": True, "tired": {"F-PIT": 2}}, "0"),
    ],
)
def test_dice_that_cannot_meet_the_card_are_moot(line: str, where: dict[str, Any], answer: str | None) -> None:
    table = skip(at("F-0", **where, cards=deck({"F-0": batter_card("F-0", [line], "1")})), "relief")
    assert (("at-bat",), answer) == (asked(table), moot(table))
    assert None is moot(at("F-5", "", cards=deck(BLANK)))


def test_an_attempt_without_dice_is_a_choice() -> None:
    """An out on purpose may help: a card asks for two out, or somebody else leads off the next half."""
    table = swing(at(bases="1", house={"minStealDice": "0"}), 4, 4)
    assert (("extra-base",), ("hold", "0"), None) == (asked(table), offered(table), moot(table))
    steal = play(at(bases="1", pool=(1, 0, 0), house={"minStealDice": "0"}), "steal-second")
    assert (("steal-second-dice",), None) == (asked(steal), moot(steal))


EITHER = {
    "F-0": batter_card("F-0", ["a 6: single", "a 6: walk"]),
    "F-1": batter_card("F-1", ["a 6: double", "a 6: triple"]),
    "F-2": batter_card("F-2", ["a 6: walk", "a 6: sacrifice"]),
}


@each(
    ("batter", "bases", "inning", "answer"),
    [
        ("F-0", "", 8, "single"),  # The batter is on first either way,
        ("F-0", "1", 8, "single"),  # and a runner who is forced may go on after a single.
        ("F-0", "2", 8, None),
        ("F-1", "", 8, None),  # The next batters may ask for a runner on second.
        ("F-1", "2", 8, None),
        ("F-1", "2", 9, "double"),  # The game is won.
        ("F-1", "", 9, None),
        ("F-2", "", 8, None),
        ("F-2", "3", 8, None),
    ],
)
def test_an_outcome_is_moot_if_the_others_end_the_same(
    batter: str, bases: str, inning: int, answer: str | None
) -> None:
    table = swing(at(batter, bases, inning=inning, cards=deck(EITHER)), 6)
    assert (("outcome",), answer) == (asked(table), moot(table))


def test_which_runner_is_out_is_a_choice() -> None:
    """The one who has come least far is not missed least if a batter asks for a runner on first."""
    table = play(swing(at(bases="1", pool=(1, 0, 0)), 4), "1", [1])
    assert (("runner-out",), None) == (asked(table), moot(table))
    steal = play(at(bases="12"), "steal-third", "1", [1])
    assert (("runner-out",), None) == (asked(steal), moot(steal))


# In the field --------------------------------------------------------------------------------------------------------


@each(
    ("faces", "inning", "runs", "enough"),
    [
        ((1, 1, 6), 8, (0, 0), True),  # No runs to take away.
        ((2, 4, 6), 8, (0, 0), False),
        ((2, 4, 6), 9, (5, 0), True),  # The game is won in any case,
        ((2, 4, 6), 9, (2, 0), False),
        ((1, 6, 6), 9, (0, 0), True),  # or lost: two uses leave a run.
    ],
)
def test_an_ability_that_changes_nothing_is_moot(
    faces: tuple[int, ...], inning: int, runs: tuple[int, int], enough: bool
) -> None:
    table = play(against(home=False, inning=inning, runs=runs), list(faces))
    assert (("ability",), "enough" if enough else None) == (asked(table), moot(table))


def test_an_ability_that_gives_runs_is_moot_unless_a_card_looks_at_the_score() -> None:
    """One of your batters or the team may be better when behind, or worse when ahead."""
    raises = {"F-PIT": pitcher_card("F-PIT", "raise the highest die by 1")}
    watching = (
        {"F-MAX": batter_card("F-MAX", MAX, "3 when behind; else 2")},
        {"F-MAX": batter_card("F-MAX", ["a 6 when behind: single"])},
        {"team T-1": team_card("T1", 2, 3, "the difference of the two highest; 9 for sum 18 when behind")},
    )
    runs = {"team T-1": team_card("T1", 2, 3, "the difference of the two highest")}
    for more, inning, lead, answer in (({}, 8, 0, "enough"), *((one, 8, 0, None) for one in watching)):
        table = play(against(home=False, inning=inning, runs=(lead, 0), cards=deck(runs | raises | more)), [1, 1, 3])
        assert (("ability",), answer) == (asked(table), moot(table))
    # A game that is won stays won: three runs at most, and the lead is nine.
    won = play(against(home=False, inning=9, runs=(9, 0), cards=deck(runs | raises | watching[0])), [1, 1, 3])
    assert "enough" == moot(won)


def test_an_ability_is_moot_against_a_batter_who_is_out() -> None:
    batter = skip(at(duel=True), "relief")
    assert "enough" == moot(swing(batter.clone(), 3))
    assert None is moot(swing(batter, 4))


@each(("house", "answer"), [("thatRoll", "enough"), ("restOfTurn", None)])
def test_an_ability_may_stop_tokens_for_an_extra_base(house: str, answer: str | None) -> None:
    """For the rest of the turn it does, even if it does nothing to the hit."""
    always = {"F-0": batter_card("F-0", ["1+ dice: single"])}
    base = skip(at("F-0", "1", pool=(1, 0, 1), duel=True, house={"duelTokenBan": house}, cards=deck(always)), "relief")
    assert (("ability",), answer) == (asked(table := play(swing(base, 6), "keep")), moot(table))
    # Without a token, or without a runner, there is nothing to stop.
    for bases, pool in (("1", (1, 0, 0)), ("", (1, 0, 1))):
        table = at("F-0", bases, pool=pool, duel=True, house={"duelTokenBan": house}, cards=deck(always))
        assert "enough" == moot(skip(swing(skip(table, "relief"), 6), "tokens"))


@each(("stamina", "limit", "answer"), [(4, "physical", "enough"), (5, "physical", None), (5, "unlimited", "enough")])
def test_an_ability_may_use_up_the_exhaustion(stamina: int, limit: str, answer: str | None) -> None:
    """Three pitchers of a duel share twelve tokens: with more stamina than that, one of them comes off badly."""
    cards = deck(
        {
            "F-PIT": pitcher_card("F-PIT", stamina=stamina),
            **{
                name: pitcher_card(name, stamina=4, more=f'back = "{name.replace("-", "")}"\n', tier=3)
                for name in ("U-11", "U-12")
            },
        }
    )
    table = skip(at(duel=True, house={"supplyLimit": limit}, cards=cards), "relief")
    assert (("ability",), answer) == (asked(swing(table, 3)), moot(table))


def test_fewer_dice_are_moot_once_the_game_is_decided() -> None:
    """At most five runs with three dice: six ahead in the ninth is enough, five is not a loss either."""
    for ahead, answer in ((6, "enough"), (5, None), (0, None)):
        assert answer == moot(against("F-CUT", home=False, inning=9, runs=(ahead, 0)))
    assert None is moot(against("F-CUT", home=False, inning=8, runs=(6, 0)))


@each("ability", ["1 run fewer", "runs at most 0"])
def test_relief_is_asked_where_an_ability_takes_off_what_every_roll_costs(ability: str) -> None:
    """The team scores one run with any dice, which ties the game; with a run less it is won."""
    always = team_card("T1", 2, 3, "1")
    cards = deck({"T-11": pitcher_card("T-11", ability, more='back = "T11"\n', tier=2), "team T-1": always})
    for lead, answer in ((1, None), (2, "stays"), (-1, "stays")):
        table = against(pitchers=("T-11",), home=False, inning=9, runs=(3 + lead, 3), cards=cards)
        assert (("relief",), answer) == (asked(table), moot(table))


def test_relief_is_moot_without_anybody_fresh() -> None:
    worn = {"T-11": 2, "T-12": 2}
    assert (("relief",), "stays") == (asked(table := against(pitchers=BENCH, tired=worn)), moot(table))
    assert None is moot(against(pitchers=BENCH, tired=worn | {"T-12": 1}))
    assert "stays" == moot(against(pitchers=BENCH, home=False, inning=9, runs=(6, 0)))
    banned = deck(forces={("semifinals", 3): "no pitcher abilities"})
    assert "stays" == moot(against(pitchers=BENCH, phase="semifinals", cards=banned))
    # In a duel an ability for a team's roll is of no use.
    for name, answer in (("F-CUT", "stays"), ("T-11", None)):
        assert answer == moot(at(duel=True, pitchers=(name,), tired={"U-11": 2}))


def test_the_only_fresh_pitcher_starts() -> None:
    for tired, name in (({}, None), ({"F-PIT": 2}, "F-CUT"), ({"F-PIT": 2, "F-CUT": 3}, None)):
        assert name == moot(until(between("semifinals", schedule=("U-1", "U-2"), tired=tired), "pitcher"))


def test_the_pitching_coach_helps_the_only_tired_pitcher() -> None:
    for tired, name in (({"F-PIT": 2}, "F-PIT"), ({"F-PIT": 2, "F-CUT": 1}, None)):
        season = between("first", {"coach": "pitching"}, schedule=("T-1", "T-2", "T-3"), tired=tired)
        assert name == moot(until(season, "pitching-coach"))


# Every other answer, played to its end -------------------------------------------------------------------------------


@cache
def cards_with(phrase: str) -> Deck:
    """Return a deck whose F-PIT has this ability, and whose team scores in several ways."""
    runs = "the difference of the two lowest; 3 for a pair of 6; the highest less 4"
    return deck({"F-PIT": pitcher_card("F-PIT", phrase), "team T-1": team_card("T1", 2, 3, runs)})


def ends(table: Table, why: str) -> Iterator[Table]:
    """Yield the table after every row of answers to questions of this kind."""
    if asked(table) != (why,):
        yield table
        return
    for option in offered(table):
        twin = table.clone()
        ((n, ask),) = twin.open_asks()
        twin.answer_ask(ask.seat, n, option)
        yield from ends(twin, why)


PHRASED = [one for one in ABILITY_PHRASES.examples if "reroll" not in one and not parse_ability(one).before]


@each("phrase", PHRASED)
def test_an_ability_is_moot_if_no_use_takes_a_run(phrase: str) -> None:
    """It is moot exactly if no row of uses ends with fewer runs than none at all."""
    chance = random.Random(phrase)
    for _ in range(6):
        faces = [chance.randint(1, 6) for _ in range(3)]
        table = play(against(cards=cards_with(phrase)), faces)
        if asked(table) != ("ability",):
            continue
        answer = moot(table)
        scores = [true(end).score[0] for end in ends(table, "ability")]
        assert (answer is None) is (min(scores) < scores[0]), (faces, scores)


TRICKY: list[Any] = ["a pair: single", "sum 9: triple", "straight of 2: walk", "lowest 5+: home-run"]


def test_a_token_is_moot_if_no_row_of_nudges_changes_anything() -> None:
    """It is moot exactly if every row of nudges ends as keeping the dice does."""
    chance = random.Random(5)
    cards = deck({"F-0": batter_card("F-0", TRICKY)})
    results, seen = ("home-run", "triple", "single", "walk", "out"), set()
    for number in range(60):
        count, faces = 1 + number % 2, [chance.randint(1, 6) for _ in range(1 + number % 2)]
        table = at("F-0", "2", pool=(0, 0, count), cards=cards, house={"conditionChoice": "best"})
        answer = moot(swing(table, *faces))
        found = [next(one.code for one in end.play_log_lines() if one.code in results) for end in ends(table, "tokens")]
        assert (answer is None) is (len(set(found)) > 1), (faces, found)
        seen.add(answer)
    assert {None, "keep"} == seen
