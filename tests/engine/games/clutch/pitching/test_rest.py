"""Rest that pitchers owe from one game to the next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.games.clutch.house_rules import HOUSE_RULES
from engine.games.clutch.pitching import pitcher_record
from engine.games.clutch.pitching.pitcher_record import PitcherRecord
from engine.games.clutch.pitching.rest import (
    FULLY_RESTED,
    STARTER_REST_GAMES,
    PitcherRest,
    rest_after_game,
    rests_for_next_game,
)
from tests.each import each
from tests.engine.games.clutch.fixture import HOUSE


def outing(
    told: str, rest: PitcherRest = FULLY_RESTED, limit: int = 1, role: str = "RP", house: Mapping[str, str] = HOUSE
) -> PitcherRecord | None:
    """Return a pitcher's part in a game: "x" is none, "9" nine outs by a batter each, "9+" one more batter who reached.

    "3dp" is three outs and then a batter who made two; "3w" three and an intentional walk, "w" only that walk.
    """
    if told == "x":
        return None
    arm = PitcherRecord("Rx", role, limit, rest.owes)
    for _ in range(int(told.rstrip("+wdp") or 0)):
        arm = pitcher_record.count_batter(
            pitcher_record.count_only_outs(pitcher_record.count_pitch(arm, house), 1, house)
        )
        if arm.outs_now == 3:
            arm = pitcher_record.end_half(arm)
    if told.endswith("+"):
        arm = pitcher_record.count_batter(pitcher_record.count_pitch(arm, house))
    if told.endswith("dp"):
        arm = pitcher_record.count_batter(
            pitcher_record.count_only_outs(pitcher_record.count_pitch(arm, house), 2, house)
        )
    return pitcher_record.count_batter(pitcher_record.count_intentional_walk(arm)) if told.endswith("w") else arm


def series(
    games: str, limit: int = 1, role: str = "RP", rest: PitcherRest = FULLY_RESTED, house: Mapping[str, str] = HOUSE
) -> list[PitcherRest]:
    """Return what he owes before each game and after the last; "9 x 3+" are three games."""
    rests = [rest]
    for told in games.split():
        rests.append(rest_after_game(rests[-1], outing(told, rests[-1], limit, role, house), house))
    return rests


def tired(rests: Sequence[PitcherRest]) -> str:
    """Return in which games he is tired, T, and in which fresh, f."""
    return "".join("fT"[rest.is_tired] for rest in rests)


@pytest.mark.rule("CL-141", "CL-142", "CL-357")
@each(("role", "games", "owed"), [("SP", "7", 4), ("SP", "0+", 4), ("BP", "4", 4), ("OP", "3", 0)])
def test_rest_by_role(role: str, games: str, owed: int) -> None:
    """A starter owes four games, however short he was, and so does a bulk pitcher; an opener's rest goes by innings."""
    assert owed == series(games, 5, role)[-1].owes
    assert "f" + "T" * owed + "f" == tired(series(f"{games} x x x x", 5, role))[: owed + 2]


def test_rest_of_a_team_for_the_next_game() -> None:
    found = rests_for_next_game("abc", {"a": PitcherRest(3)}, {"b": PitcherRecord("b", "SP", 6, pitched=True)}, HOUSE)
    assert {"a": PitcherRest(2), "b": PitcherRest(STARTER_REST_GAMES, last=True), "c": FULLY_RESTED} == found


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
    assert all(0 <= rest.owes <= STARTER_REST_GAMES for rest in rests)
    for told, before, now in zip(games, rests, rests[1:], strict=False):
        assert now.owes == max(0, before.owes - 1) or told != "x"
        assert now.owes >= before.owes - 1
    rest, sat = rests[-1], 0
    while rest.is_tired:
        rest, sat = rest_after_game(rest, None, house), sat + 1
    assert rests[-1].owes == sat
