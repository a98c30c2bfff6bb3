"""Rest that pitchers owe from one game to the next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.games.clutch.house_rules import HOUSE_RULES
from engine.games.clutch.pitching import pitcher_record
from engine.games.clutch.pitching.pitcher_record import Arm
from engine.games.clutch.pitching.rest import FRESH, STARTER, Rest, after, next_game, starters
from tests.each import each
from tests.engine.games.clutch.fixture import HOUSE


def outing(
    told: str, rest: Rest = FRESH, limit: int = 1, role: str = "RP", house: Mapping[str, str] = HOUSE
) -> Arm | None:
    """Return a pitcher's part in a game: "x" is none, "9" nine outs by a batter each, "9+" one more batter who reached.

    "3dp" is three outs and then a batter who made two; "3w" three and an intentional walk, "w" only that walk.
    """
    if told == "x":
        return None
    arm = Arm("Rx", role, limit, rest.owes)
    for _ in range(int(told.rstrip("+wdp") or 0)):
        arm = pitcher_record.faced(pitcher_record.outs(pitcher_record.throw(arm, house), 1, house))
        if arm.outs_now == 3:
            arm = pitcher_record.half_over(arm)
    if told.endswith("+"):
        arm = pitcher_record.faced(pitcher_record.throw(arm, house))
    if told.endswith("dp"):
        arm = pitcher_record.faced(pitcher_record.outs(pitcher_record.throw(arm, house), 2, house))
    return pitcher_record.faced(pitcher_record.ibb(arm)) if told.endswith("w") else arm


def series(
    games: str, limit: int = 1, role: str = "RP", rest: Rest = FRESH, house: Mapping[str, str] = HOUSE
) -> list[Rest]:
    """Return what he owes before each game and after the last; "9 x 3+" are three games."""
    rests = [rest]
    for told in games.split():
        rests.append(after(rests[-1], outing(told, rests[-1], limit, role, house), house))
    return rests


def tired(rests: Sequence[Rest]) -> str:
    """Return in which games he is tired, T, and in which fresh, f."""
    return "".join("fT"[rest.tired] for rest in rests)


@pytest.mark.rule("CL-347", "CL-361")
def test_a_pitch_thrown_tired_costs_a_game() -> None:
    """Past the limit by a walk that lowered it: two outs and one more pitch. Without that pitch he is fresh."""
    arm = Arm("Rx", "RP", 1, outs=2, pitched=True)
    for _ in range(4):
        arm = pitcher_record.walk(arm)
    assert [FRESH.owes, 1] == [after(FRESH, one, HOUSE).owes for one in (arm, pitcher_record.throw(arm, HOUSE))]
    assert [0, 1] == [after(FRESH, outing(told), HOUSE).owes for told in ("3", "3+")]


@pytest.mark.rule("CL-354")
def test_more_outs_by_one_batter_do_not_count_as_more_batters() -> None:
    """Two outs and then a double play are an inning, but two outs more after the third are not."""
    assert [0, 1] == [after(FRESH, outing(told, limit=2), HOUSE).owes for told in ("2dp", "3dp")]


@pytest.mark.rule("CL-141", "CL-142", "CL-357")
@each(("role", "games", "owed"), [("SP", "7", 4), ("SP", "0+", 4), ("BP", "4", 4), ("OP", "3", 0)])
def test_rest_by_role(role: str, games: str, owed: int) -> None:
    """A starter owes four games, however short he was, and so does a bulk pitcher; an opener's rest goes by innings."""
    assert owed == series(games, 5, role)[-1].owes
    assert "f" + "T" * owed + "f" == tired(series(f"{games} x x x x", 5, role))[: owed + 2]


@pytest.mark.rule("CL-358")
def test_five_starters_are_fresh_in_turn() -> None:
    for size in (5, 4):
        names, rests = tuple("abcde"[:size]), dict[str, Rest]()
        fresh = []
        for game in range(3 * size):
            name = names[game % size]
            fresh.append(not rests.get(name, FRESH).tired)
            rests = next_game(names, rests, {name: Arm(name, "SP", 6, pitched=True)}, HOUSE)
        assert [True] * size + [size == 5] * 2 * size == fresh


@pytest.mark.rule("CL-360")
@each(("owes", "game", "expected"), [(1, "9+", 3), (3, "5", 3), (2, "2", 2), (1, "2", 1)])
def test_used_tired_he_owes_the_greater_rest(owes: int, game: str, expected: int) -> None:
    """That is the rest he owed before (a game he pitches in is not rest), or what this outing costs, if more."""
    rest = Rest(owes)
    assert expected == after(rest, outing(game, rest, 4), HOUSE).owes


@pytest.mark.rule("CL-359", "CL-360")
@each(("owes", "game", "expected"), [(1, "9+", 3), (3, "5", 2), (2, "2", 1), (1, "2", 1)])
def test_a_game_used_tired_may_count_as_rest(owes: int, game: str, expected: int) -> None:
    """By a house rule; he still owes one game for having pitched tired."""
    house, rest = HOUSE | {"tiredGameCountsAsRest": "true"}, Rest(owes)
    assert expected == after(rest, outing(game, rest, 4, house=house), house).owes


@pytest.mark.rule("CL-347")
def test_a_third_game_in_a_row_costs_another() -> None:
    assert "ffTTf" == tired(series("3 3 1 x"))


@pytest.mark.rule("CL-316", "CL-353")
def test_an_intentional_walk_is_not_a_pitch() -> None:
    """A pitcher who threw nothing else has rested, and a walk after the third out does not add a batter.

    A house rule reverses both.
    """
    house = HOUSE | {"ibbOnlyIsRest": "false"}
    for told, rest, here, there in (("w", Rest(2), 1, 2), ("w", Rest(0, last=True), 0, 1), ("3w", FRESH, 0, 1)):
        found = [after(rest, outing(told, rest, 2, house=rules), rules).owes for rules in (HOUSE, house)]
        assert [here, there] == found
    arm = outing("w", Rest(1))
    assert arm is not None
    assert (False, False) == (arm.pitched, arm.tired)


def test_without_tiredness_between_games_no_rest_is_owed() -> None:
    assert "ffff" == tired(series("9 9 9", role="SP", house=HOUSE | {"level": "basic"}))


def test_rest_of_a_team_for_the_next_game() -> None:
    found = next_game("abc", {"a": Rest(3)}, {"b": Arm("b", "SP", 6, pitched=True)}, HOUSE)
    assert {"a": Rest(2), "b": Rest(STARTER, last=True), "c": FRESH} == found


@pytest.mark.rule("CL-065")
def test_who_may_start() -> None:
    """The fresh ones in any order, or all if none is fresh; by a house rule always all."""
    rests = {"a": Rest(4), "b": Rest(0, last=True), "d": Rest(1)}
    assert ("b", "c") == starters("abcd", rests, HOUSE)
    assert ("a", "d") == starters("ad", rests, HOUSE)
    assert tuple("abcd") == starters("abcd", rests, HOUSE | {"tiredStarter": "always"})


RULES = ("tiredGameCountsAsRest", "ibbOnlyIsRest", "enterTiredStack")
houses = st.fixed_dictionaries(
    {rule.key: st.sampled_from(rule.values) for rule in HOUSE_RULES if rule.key in RULES}
).map(lambda chosen: HOUSE | chosen)
told = st.sampled_from(["x", "w", "0+", "1", "3", "3+", "3w", "2dp", "5", "6", "6+", "9+", "12+", "18+"])


@given(houses, st.sampled_from(["SP", "RP", "OP", "BP"]), st.integers(0, 6), st.lists(told, max_size=12))
def test_rest_owed_is_between_zero_and_four_games(
    house: dict[str, str], role: str, limit: int, games: list[str]
) -> None:
    """Whatever he does, he never owes more than a starter, and each game he sits out takes one off."""
    rests = series(" ".join(games), limit, role, house=house)
    assert all(0 <= rest.owes <= STARTER for rest in rests)
    for told, before, now in zip(games, rests, rests[1:], strict=False):
        assert now.owes == max(0, before.owes - 1) or told != "x"
        assert now.owes >= before.owes - 1
    rest, sat = rests[-1], 0
    while rest.tired:
        rest, sat = after(rest, None, house), sat + 1
    assert rests[-1].owes == sat
