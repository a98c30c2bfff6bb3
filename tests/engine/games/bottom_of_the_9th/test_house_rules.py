"""Each house rule, both ways. Defaults are also tested with the rule they belong to."""

from __future__ import annotations

import pytest

from engine.cards import parse_deck
from engine.errors import DeckError, HouseRuleError, IllegalAnswer
from engine.game import HouseRule
from engine.games.bottom_of_the_9th import GAME
from engine.secrets import HIDDEN_TEXT
from engine.table import Table
from engine.views import json_data
from tests.each import each
from tests.engine.games.bottom_of_the_9th.fixture import (
    SIX,
    at,
    contact,
    count,
    counted,
    dash,
    deck,
    needed,
    new,
    on,
    result,
    rows,
    source,
    stand,
    stare,
    throw,
)
from tests.engine.tables import asked, board, give, offered, panel, play

RACE = {"call-safe", "call-out"}
SWINGING = {"F-DULL": 'positions = "C"\ntrait = "swing +1"'}


@each("value", ["false", "true"])
@each(("letter", "control", "alone"), [("B", 6, "ball"), ("B", 3, "strike"), ("C", 3, "strike")])
def test_crush_needs_contact(value: str, letter: str, control: int, alone: str) -> None:
    table = throw(at(house={"crushNeedsContact": value}), letter, control, 6)
    assert ("crush" if value == "false" else alone) == result(table)
    assert ("bonus",) == asked(throw(at(house={"crushNeedsContact": value}), "S", 3, 6))
    assert ("bonus",) == asked(throw(at(house={"crushNeedsContact": value}), "C", 6, 6))


@each("value", ["true", "false"])
def test_ace_needs_both_parts(value: str) -> None:
    """Half of the ace does nothing, or is enough; none of it does nothing, and guessing both parts cancels it."""
    house = {"aceNeedsBothParts": value}

    def ace(thrown: str, guess: str) -> bool:
        return "ace" in on(stare(at(pitcher="F-PIT", house=house), thrown, guess), "away")

    expected = [True, value == "false", value == "false", False, False]
    found = [ace("inside-high", "away-low"), ace("inside-low", "away-low"), ace("away-high", "inside-high")]
    assert expected == [*found, ace("away-low", "inside-high"), ace("inside-high", "inside-high")]
    assert not ace("inside-low", "inside-low")


@each("value", ["3", "2", "4", "5"])
def test_bottom_row(value: str) -> None:
    table = at(house={"bottomRow": value})
    throws = 0
    while "inside-low" in offered(table, "away"):
        throw(table, "S" if throws % 2 else "B", 4, 4, "inside-low", "away-high")
        throws += 1
        if "relief" in asked(table):
            play(table, "none")
    assert int(value) == throws == rows(table)[0]


@each(("value", "row"), [("1", 1), ("0", 0)])
def test_relief_row(value: str, row: int) -> None:
    table = play(dash(contact(at(rows=(2, 2), house={"reliefRow": value})), "away"), "bench")
    assert ((row, row), row) == (rows(table), panel(table, "fatigue")["floor"])
    dash(contact(table, "away-low", "inside-high"), "away")
    assert (row, row) == rows(play(table, "relief-1-1"))


HITS = {
    ("", 1): ("1", "1"),
    ("2", 1): ("13", "12"),
    ("3", 1): (None, "13"),
    ("13", 1): (None, "123"),
    ("12", 1): ("123", "123"),
    ("123", 1): (None, None),
    ("1", 2): ("23", "23"),
    ("2", 2): (None, "23"),
    ("3", 2): (None, "23"),
    ("12", 2): (None, None),
    ("13", 2): (None, None),
}


@each(("bases", "base"), HITS)
@each("value", ["equalBases", "forcedOnly"])
def test_runners_on_hit(value: str, bases: str, base: int) -> None:
    table = play(throw(at(bases, house={"runnersOnHit": value}), "S", 3, 6), 3 if base == 1 else 5)
    expected = HITS[bases, base][value == "forcedOnly"]
    assert (expected is None) == (table.outcome is not None)
    if expected is not None:
        assert expected == stand(table)[0]
        assert "F-DULL" == board(table).bases[base - 1]


@each(("key", "value"), [("runnersOnOut", "hold"), ("falseCallPenalty", "none"), ("sideSelection", "seats")])
def test_rules_with_one_value(key: str, value: str) -> None:
    assert value == GAME.resolve_house_rules({})[key]
    with pytest.raises(HouseRuleError):
        at(house={key: "other"})


@each("key", ["raceDecidedBy", "raceReferee", "raceTieWindowMs", "pitchingDie"])
def test_rules_for_the_table_change_no_game(key: str) -> None:
    """The engine only stores them for the table; the same answers lead to the same state."""
    (rule,) = [rule for rule in GAME.house_rules if rule.key == key]
    ends = []
    for value in rule.values:
        table = dash(contact(at("1", house={key: value})), "home")
        assert value == table.house[key]
        ends.append({**json_data(table.view_for(None)), "version": 0})
    assert ends[0] == ends[-1]
    assert 1 < len(rule.values)


@each("value", ["clamp", "refuse"])
def test_die_bounds(value: str) -> None:
    """A 6 plus 2 is a 6 either way; a 5 plus 2 is a 6, or stays a 5 without an event."""
    two = deck({"F-DULL": 'positions = "C"\ntrait = "swing +2"'})
    table = throw(at(house={"dieBounds": value}, cards=two), "B", 1, 5)
    assert (6 if value == "clamp" else 5) == counted(table)[1]
    assert (value == "clamp") == ("adds 2 to the swing die" in str([line.sentence for line in table.play_log_lines()]))
    assert 5 == counted(throw(at(house={"dieBounds": value}, cards=two), "B", 1, 3))[1]


@each(("value", "letter"), [("natural", "S"), ("final", "C")])
def test_ability_triggers(value: str, letter: str) -> None:
    cards = deck(None, {"F-MILD": 'role = "starter"\nace = "inside-high"\ntrait = ["control +1", ' + WHEN + "]"})
    assert letter == counted(throw(at(house={"abilityTriggers": value}, cards=cards), "S", 5, 3))[2]


WHEN = '{ do = "S as C", when = { control = 6 } }'


@each(("value", "options"), [("optional", 10), ("compulsory", 4)])
def test_relief(value: str, options: int) -> None:
    table = dash(contact(at(rows=(3, 3), house={"relief": value})), "away")
    assert options == len([one for one in offered(table) if one != "bench"])
    assert (value == "optional") == ("none" in offered(table))
    assert "bench" in offered(table)
    fresh = dash(contact(at(house={"relief": value})), "away")
    assert ("none", "bench") == offered(fresh)


@each("value", ["atBatEnd", "everyPitch"])
def test_bench_timing(value: str) -> None:
    """After a ball the pitcher may be benched or not; relief waits for the end of the at-bat."""
    table = throw(at(count="1-0", rows=(3, 3), house={"benchTiming": value}), "B", 4, 1)
    if value == "atBatEnd":
        assert {"guess", "pitch-call"} == set(asked(table))
    else:
        assert ("none", "bench") == offered(table)
        play(table, "bench")
        assert ("F-REL", "2-0", "F-DULL") == (board(table).pitcher, count(table), board(table).batter)
        assert {"guess", "pitch-call"} == set(asked(throw(table, "B", 4, 1)))
        end = throw(at(count="3-0", rows=(3, 3), house={"benchTiming": value}), "B", 4, 1)
        assert "relief-2-0" in offered(end)


@each("value", ["withoutCatcher", "withCatcher"])
def test_infield_positions(value: str) -> None:
    marks = ["1B", "2B", "3B", "SS", "IF", "LF"]
    cards = {f"b{i}": f'positions = "{mark}"' for i, mark in enumerate(marks)}
    if value == "withoutCatcher":
        with pytest.raises(DeckError, match="six must be able to stand"):
            new({"infieldPositions": value}, parse_deck(source(cards), "o.toml", GAME.key, GAME.shapes))
    else:
        table = play(
            new({"infieldPositions": value}, parse_deck(source(cards), "o.toml", GAME.key, GAME.shapes)),
            "ready-made",
            "F-PIT",
            "F-REL",
        )
        assert [*cards] == panel(table, "lineup")


def test_a_simultaneous_draft() -> None:
    table = new({"draft": "simultaneous"})
    for place, name in enumerate(SIX, 1):
        assert (f"bat-{place}",) == asked(table)
        play(table, name)
    play(table, "F-PIT")
    assert [HIDDEN_TEXT] * 7 == [entry["value"] for entry in table.redacted_entries(None)]
    assert [] == json_data(table.view_for("away"))["scoreboard"]["panel"]["lineup"]
    assert "F-BAT" not in str(json_data(table.view_for("away")))
    play(table, "F-REL")
    assert [*SIX, "F-PIT", "F-REL"] == [entry["value"] for entry in table.redacted_entries(None)]
    assert list(SIX) == panel(table, "lineup")


@each("value", ["secret", "open"])
def test_tokens(value: str) -> None:
    """Both decide together, in secret or openly. Either way nobody sees the first answer before the second."""
    table = at(house={"tokens": value})
    assert [value == "secret"] * 2 == [ask["secret"] for ask in json_data(table.view_for(None))["asks"]]
    give(table, "away", "away-low")
    assert HIDDEN_TEXT == table.redacted_entries("home")[-1]["value"]
    give(table, "home", "away-high")
    assert ("away", "low") == panel(table, "pitch")["thrown"]
    assert {"home": ("direction",), "away": ("location",)} == panel(table, "tokens")


@each("value", ["sequential", "raceAtOnce"])
def test_both_unopposed(value: str) -> None:
    """If the batter's roll fails, the pitcher rolls or the race follows; alone, the pitcher rolls either way."""
    table = play(contact(at(batter="F-JUMP", pitcher="F-QUICK", house={"bothUnopposed": value})), 2)
    assert (("unopposed",) if value == "sequential" else ("call-safe", "call-out")) == asked(table)
    assert ("unopposed",) == asked(contact(at(pitcher="F-QUICK", house={"bothUnopposed": value})))


@each(("value", "safe"), [("true", True), ("false", False)])
def test_traits_on_unopposed(value: str, safe: bool) -> None:
    """Speed counts in an unopposed roll or it does not; in the race it always does."""
    table = play(contact(at(batter="F-HARE", house={"traitsOnUnopposed": value})), 4)
    assert safe == (stand(table)[0] == "1")
    if not safe:
        assert (4, 5, 6) == needed(table)["home"]


@each(("value", "control"), [("sumThenClamp", 6), ("clampEachStep", 5)])
def test_mod_order(value: str, control: int) -> None:
    """The owner's +1 and the opponent's -1 on a 6: the result is 6 if added up, or 5 if the cap comes first."""
    table = at(batter="F-BAT", pitcher="F-PIT", house={"modOrder": value})
    assert control == counted(throw(table, "B", 6, 1, "inside-high", "away-high"))[0]
    table = at(batter="F-BAT", pitcher="F-PIT", house={"modOrder": value})
    assert 1 == counted(throw(table, "B", 1, 1, "inside-high", "away-high"))[0]


@each("value", ["true", "false"])
def test_strict_pitcher_roles(value: str) -> None:
    table = play(new({"strictPitcherRoles": value}), "ready-made")
    assert (value == "false") == ("F-REL" in offered(table))
    play(table, "F-MILD")
    assert (value == "false") == ("F-PIT" in offered(table))
    assert "F-MILD" not in offered(table)


@each(("value", "after"), [("1", (1, 1)), ("2", (2, 2))])
def test_fatigue_step(value: str, after: tuple[int, int]) -> None:
    house = {"fatigueStep": value}
    assert after == rows(stare(at(house=house), "inside-high"))
    assert (3, 2) == rows(stare(at(rows=(2, 2), house=house), "inside-low"))


def test_the_race_in_turn() -> None:
    """The batter rolls, then the pitcher, until exactly one of them wins."""
    table = contact(at(batter="F-FAST", house={"raceMode": "alternate"}))
    for home, away in ((3, 4), (1, 1), (5, 6), (4, 5)):
        for seat, face in (("home", home), ("away", away)):
            assert ((("race-roll",), seat)) == (asked(table), table.open_asks()[0][1].seat)
            play(table, face)
    assert ("1", 0) == stand(play(table.clone(), 4, 4))
    assert ("", 1) == stand(play(table.clone(), 3, 5))
    assert {"home": (4, 5, 6), "away": (5, 6)} == panel(table, "race")["wins"]


def test_the_race_in_turn_has_equal_odds() -> None:
    """Of the 36 rounds that two ordinary players can roll, each wins as many as the other."""
    start = contact(at(house={"raceMode": "alternate"}))
    ends = {"safe": 0, "out": 0, None: 0}
    for home in range(1, 7):
        for away in range(1, 7):
            ends[panel(play(start.clone(), home, away), "race")["result"]] += 1
    assert {"safe": 8, "out": 8, None: 20} == ends


@each(("value", "expected"), [("cardOnly", None), ("swingToo", "1")])
def test_bonus_modifiers(value: str, expected: str | None) -> None:
    table = throw(at(house={"bonusModifiers": value}, cards=deck(SWINGING)), "S", 3, 6)
    play(table, 2)
    assert (expected is None) == (set(asked(table)) == RACE)
    assert (expected or "") == stand(table)[0]


@each("value", ["false", "true"])
def test_traits_need_token(value: str) -> None:
    house = {"traitsNeedToken": value}
    fooled = contact(at(batter="F-FAST", house=house), "away-low", "inside-high")
    assert ((4, 5, 6) if value == "false" else (5, 6)) == needed(fooled)["home"]
    assert (4, 5, 6) == needed(contact(at(batter="F-FAST", house=house), "away-low", "away-high"))["home"]
    alone = contact(at(batter="F-JUMP", house=house), "away-low", "inside-high")
    assert (value == "false") == (asked(alone) == ("unopposed",))
    swings = throw(at(house=house, cards=deck(SWINGING)), "B", 4, 3)
    assert (4 if value == "false" else 3) == counted(swings)[1]


@pytest.mark.parametrize("rule", GAME.house_rules, ids=lambda rule: rule.key)
def test_unknown_values_are_refused(rule: HouseRule) -> None:
    with pytest.raises(HouseRuleError, match=f"{rule.key} can be {rule.values[0]}"):
        GAME.resolve_house_rules({rule.key: "perhaps"})
    assert rule.values[0] == GAME.resolve_house_rules({})[rule.key]


def test_a_table_shows_its_house_rules() -> None:
    table = new({"tokens": "open"})
    assert isinstance(table, Table)
    assert {rule.key for rule in GAME.house_rules} == set(table.journal_header.house)
    assert "open" == table.journal_header.house["tokens"]
    with pytest.raises(IllegalAnswer):
        play(table, "nobody")
