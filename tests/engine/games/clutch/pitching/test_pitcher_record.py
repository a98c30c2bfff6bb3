"""How long a pitcher lasts in a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.games.clutch.house_rules import HOUSE_RULES
from engine.games.clutch.pitching import pitcher_record
from engine.games.clutch.pitching.pitcher_record import Arm
from tests.each import each
from tests.engine.games.clutch.fixture import HOUSE
from tests.engine.games.clutch.mound import CARDS, charged, hit, px, retire, rx, walked, worn


@each(("name", "role", "limit"), [("Px", "SP", 6), ("H-BP", "BP", 4), ("H-BP", "RP", 2)])
def test_the_limit_is_that_of_his_role(name: str, role: str, limit: int) -> None:
    arm = pitcher_record.enter(CARDS[name], role, owes=2, inherited=1)
    assert (name, role, limit, 2, 1) == (arm.name, arm.role, arm.limit, arm.owes, arm.inherited)
    assert limit == pitcher_record.innings(replace(arm, owes=0), HOUSE)


def test_no_pitcher_fills_a_role_he_lacks() -> None:
    with pytest.raises(KeyError):
        pitcher_record.enter(CARDS["Rx"], "SP")


@pytest.mark.rule("CL-096")
def test_an_inning_is_any_three_outs() -> None:
    arm = pitcher_record.half_over(retire(rx()))
    left = [pitcher_record.left(arm, HOUSE)]
    for _ in range(2):
        assert not pitcher_record.tires(arm, HOUSE)
        arm = retire(arm)
        left.append(pitcher_record.left(arm, HOUSE))
    assert ([2, 1, 0], False, True) == (left, arm.tired, pitcher_record.tires(arm, HOUSE))
    assert hit(arm).tired


@pytest.mark.rule("CL-097", "CL-100")
@each(("outs", "command"), [(17, 3), (18, 2), (20, 2), (21, 1), (24, 0), (30, 0)])
def test_past_his_limit_he_gets_worse_with_every_inning(outs: int, command: int) -> None:
    """Command 3 with a limit of six innings; he may stay in as long as his manager likes."""
    arm = worn(outs)
    assert command == pitcher_record.command(3, 0, pitcher_record.penalty(arm, HOUSE), 0, HOUSE)
    assert (
        (outs >= 18)
        == pitcher_record.tires(arm, HOUSE)
        == pitcher_record.over_limit(arm, HOUSE)
        == bool(pitcher_record.penalty(arm, HOUSE))
    )


def test_by_house_rule_he_gets_worse_with_every_inning_he_begins() -> None:
    """Outs do not count: he is past his limit in the middle of the seventh, and with no out in the eighth."""
    house = HOUSE | {"tiredStep": "byInning"}
    arm, found = pitcher_record.half_over(retire(charged(px(), 3), 17, house)), []
    for outs in (1, 2, 0, 0, 3):
        arm = retire(arm, outs, house)
        found.append((pitcher_record.penalty(hit(arm, house), house), pitcher_record.penalty(arm, HOUSE)))
        arm = pitcher_record.half_over(hit(arm, house))
    assert [(1, 1), (2, 1), (3, 1), (4, 1), (5, 2)] == found
    assert 0 == pitcher_record.penalty(
        pitcher_record.half_over(retire(px(), 18, house)), house
    )  # A Quality Appearance: seven innings.


def test_only_innings_past_his_limit_make_him_worse() -> None:
    """Innings in which only owed rest tires him do not count, nor do innings that a card brought within his limit."""
    house = HOUSE | {"tiredStep": "byInning"}
    entered = retire(pitcher_record.half_over(retire(px(owes=1, limit=2), 3, house)), 3, house)
    assert 2 == pitcher_record.penalty(pitcher_record.half_over(entered), house)
    helped = pitcher_record.half_over(
        retire(pitcher_record.add_innings(pitcher_record.half_over(hit(rx(limit=0), house)), 1, house), 3, house)
    )
    assert (1, 2) == (helped.overtime, pitcher_record.penalty(helped, house))


@pytest.mark.rule("CL-101")
def test_command_is_never_negative() -> None:
    """Command 1 with a hand's bonus of 1 and a limit of five, after 27 outs; cards then change the resulting 0."""
    arm = worn(27, limit=5)
    assert 5 == pitcher_record.penalty(arm, HOUSE)
    assert [0, 2, -2] == [pitcher_record.command(1, 1, 5, cards, HOUSE) for cards in (0, 2, -2)]
    after = HOUSE | {"commandFloorAfterCards": "true"}
    assert [0, 0, 0, 1] == [pitcher_record.command(1, 1, 5, cards, after) for cards in (0, 2, -2, 4)]
    assert [3, 4, 1] == [pitcher_record.command(3, 1, 1, cards, HOUSE) for cards in (0, 1, -2)]


@pytest.mark.rule("CL-102", "CL-361", "CL-300")
def test_he_pitched_tired_only_if_he_threw_a_pitch() -> None:
    """Taken out after three outs, or four with a double play, he was not tired; after one more pitch he was."""
    arm = retire(rx(), 3)
    double = pitcher_record.outs(pitcher_record.throw(retire(rx(), 2), HOUSE), 2, HOUSE)
    assert [(False, True)] * 2 == [(one.tired, pitcher_record.tires(one, HOUSE)) for one in (arm, double)]
    assert [True] * 2 == [pitcher_record.throw(one, HOUSE).tired for one in (arm, double)]
    assert not pitcher_record.ibb(arm).tired


@pytest.mark.rule("CL-103")
def test_added_innings_count_even_past_the_limit() -> None:
    """A house rule can forbid that; for a fresh pitcher they always count."""
    arm, strict = worn(18), HOUSE | {"ipCardUntires": "false"}
    assert [False, True] == [
        pitcher_record.tires(pitcher_record.add_innings(arm, 1, house), house) for house in (HOUSE, strict)
    ]
    assert [7, 6] == [
        pitcher_record.innings(pitcher_record.add_innings(arm, 1, house), house) for house in (HOUSE, strict)
    ]
    assert 7 == pitcher_record.innings(pitcher_record.add_innings(worn(17), 1, strict), strict)
    fresh = hit(pitcher_record.add_innings(hit(arm), 1, HOUSE))
    assert (False, True) == (pitcher_record.tires(fresh, HOUSE), fresh.tired)  # He pitched tired all the same.


@pytest.mark.rule("CL-104", "CL-105")
@each(("runs", "limit"), [(0, 7), (2, 7), (3, 6)])
def test_a_quality_appearance_adds_an_inning(runs: int, limit: int) -> None:
    arm = retire(charged(px(), runs), 14)
    assert (6, False) == (pitcher_record.innings(arm, HOUSE), arm.quality)
    arm = retire(arm)
    assert (limit, limit == 7) == (pitcher_record.innings(arm, HOUSE), arm.quality)
    assert limit == pitcher_record.innings(charged(arm, 1), HOUSE) + (runs == 3)  # Kept when another run scores.
    assert (3 * limit - 15) == pitcher_record.left(arm, HOUSE)


@pytest.mark.rule("CL-104")
def test_it_is_judged_once_for_any_role_and_any_kind_of_out() -> None:
    """A double play may bring the 15th out; nothing is judged after that."""
    bulk = retire(pitcher_record.enter(CARDS["H-BP"], "BP"), 14)
    assert 5 == pitcher_record.innings(pitcher_record.outs(pitcher_record.throw(bulk, HOUSE), 2, HOUSE), HOUSE)
    late = retire(charged(px(), 3), 15)
    assert not retire(replace(late, runs=0), 5).quality


@pytest.mark.rule("CL-106")
def test_at_most_one_inning_is_added_in_a_half_inning() -> None:
    arm = pitcher_record.add_innings(px(), 1, HOUSE)
    assert [1, 0, 1] == [pitcher_record.room(one, HOUSE) for one in (px(), arm, pitcher_record.half_over(arm))]
    assert [7, 7, 7] == [
        pitcher_record.innings(pitcher_record.add_innings(one, n, HOUSE), HOUSE)
        for one, n in ((arm, 1), (arm, 0), (px(), 2))
    ]
    assert 8 == pitcher_record.innings(pitcher_record.add_innings(pitcher_record.half_over(arm), 1, HOUSE), HOUSE)


@pytest.mark.rule("CL-107")
def test_at_most_two_innings_are_added_in_a_game() -> None:
    arm, found = px(), []
    for _ in range(3):
        arm = pitcher_record.half_over(pitcher_record.add_innings(arm, 1, HOUSE))
        found.append(pitcher_record.innings(arm, HOUSE))
    assert [7, 8, 8] == found
    assert 9 == pitcher_record.innings(retire(arm, 15), HOUSE)


def test_a_quality_appearance_may_count_as_an_added_inning() -> None:
    """Then it adds nothing after two cards, or after one in the same half-inning, and leaves less for cards."""
    house = HOUSE | {"qaInCap": "true"}
    plain = retire(px(), 15, house)
    same = retire(pitcher_record.add_innings(px(), 1, house), 15, house)
    before = retire(pitcher_record.half_over(pitcher_record.add_innings(px(), 1, house)), 15, house)
    two = retire(replace(px(), added=2), 15, house)
    assert [7, 7, 8, 8] == [pitcher_record.innings(arm, house) for arm in (plain, same, before, two)]
    assert all(arm.quality for arm in (plain, same, before, two))
    assert 0 == pitcher_record.room(plain, house)
    assert [1, 0] == [pitcher_record.room(pitcher_record.half_over(arm), house) for arm in (plain, before)]


@pytest.mark.rule("CL-107")
@each(("scope", "limits"), [("pitcher", (2, 2)), ("manager", (1, 2))])
def test_whose_caps_they_are(scope: str, limits: tuple[int, int]) -> None:
    """Each pitcher's or the manager's, in a half-inning in which another pitcher got one and in the next."""
    house = HOUSE | {"ipCapScope": scope}
    first = pitcher_record.add_innings(px(), 1, house)
    now = pitcher_record.add_innings(rx(), 1, house, (first, rx()))
    then = pitcher_record.add_innings(rx(), 1, house, (pitcher_record.half_over(first),))
    assert limits == (pitcher_record.innings(now, house), pitcher_record.innings(then, house))
    last = pitcher_record.room(rx(), house, (pitcher_record.half_over(first), replace(first, name="H-R2", added_now=0)))
    assert (0 if scope == "manager" else 1) == last
    assert 1 == pitcher_record.room(pitcher_record.half_over(first), house, (pitcher_record.half_over(first),))


def test_a_managers_caps_hold_for_the_quality_appearance_too() -> None:
    """This is when it counts as an added inning and another pitcher has had them all."""
    house = HOUSE | {"ipCapScope": "manager", "qaInCap": "true"}
    arm = retire(px(), 14, house)
    opener = rx(added=2)
    assert [7, 6] == [
        pitcher_record.innings(pitcher_record.outs(arm, 1, house, team), house) for team in ((), (opener,))
    ]


def test_a_card_may_take_innings_away() -> None:
    arm = pitcher_record.add_innings(px(), -2, HOUSE)
    assert (4, 1) == (pitcher_record.innings(arm, HOUSE), pitcher_record.room(arm, HOUSE))
    assert 5 == pitcher_record.innings(pitcher_record.add_innings(arm, 2, HOUSE), HOUSE)


@pytest.mark.rule("CL-114")
def test_a_limit_is_never_negative() -> None:
    assert 0 == pitcher_record.innings(walked(rx(), 8), HOUSE)
    assert 1 == pitcher_record.penalty(walked(rx(), 8), HOUSE)


@pytest.mark.rule("CL-117")
def test_a_pitcher_who_owes_rest_comes_in_tired() -> None:
    """Command 2 at once, and past his limit one less."""
    arm = rx(owes=1)
    assert (True, False, 1) == (
        pitcher_record.tires(arm, HOUSE),
        pitcher_record.over_limit(arm, HOUSE),
        pitcher_record.penalty(arm, HOUSE),
    )
    assert 2 == pitcher_record.command(3, 0, pitcher_record.penalty(arm, HOUSE), 0, HOUSE)
    assert (True, False) == (hit(arm).tired, hit(arm).over_now)


@each(("stack", "found"), [("add", [1, 1, 2, 2, 3]), ("zeroIp", [1, 2, 2, 2, 3]), ("max", [1, 1, 1, 1, 2])])
def test_how_both_kinds_of_tiredness_combine(stack: str, found: list[int]) -> None:
    """A reliever of one inning who owes rest, after 0, 3, 3, 5 and 6 outs; the limit is one, or two from the second."""
    house = HOUSE | {"enterTiredStack": stack}
    fresh, outs = rx(), (0, 3, 3, 5, 6)
    arms_ = [replace(retire(rx(owes=1), n, house), limit=1 + (i == 1)) for i, n in enumerate(outs)]
    assert found == [pitcher_record.penalty(arm, house) for arm in arms_]
    assert [0, 1, 2] == [pitcher_record.penalty(retire(fresh, n, house), house) for n in (2, 3, 6)]
    assert (0 if stack == "zeroIp" else 2) == pitcher_record.innings(arms_[1], house)


@each(("outs", "shown"), [(0, "0.0"), (2, "0.2"), (3, "1.0"), (17, "5.2")])
def test_innings_pitched_as_in_box_scores(outs: int, shown: str) -> None:
    assert shown == pitcher_record.innings_pitched(px(outs=outs))


# Invariants ----------------------------------------------------------------------------------------------------------

TIREDNESS = (
    "tiredStep",
    "ipCardUntires",
    "enterTiredStack",
    "qaInCap",
    "ipCapScope",
    "qaRuns",
    "ibbCountsAsFaced",
    "subLockExempt",
)
houses = st.fixed_dictionaries(
    {rule.key: st.sampled_from(rule.values) for rule in HOUSE_RULES if rule.key in TIREDNESS}
).map(lambda chosen: HOUSE | chosen)

HAPPENS: Mapping[str, Callable[[Arm, Mapping[str, str], tuple[Arm, ...]], Arm]] = {
    "hit": lambda arm, house, team: pitcher_record.faced(pitcher_record.throw(arm, house)),
    "out": lambda arm, house, team: pitcher_record.faced(
        pitcher_record.outs(pitcher_record.throw(arm, house), 1, house, team)
    ),
    "two outs": lambda arm, house, team: pitcher_record.faced(
        pitcher_record.outs(pitcher_record.throw(arm, house), 2, house, team)
    ),
    "caught": lambda arm, house, team: pitcher_record.outs(arm, 1, house, team),
    "walk": lambda arm, house, team: pitcher_record.faced(pitcher_record.walk(pitcher_record.throw(arm, house))),
    "waved": lambda arm, house, team: pitcher_record.faced(pitcher_record.ibb(arm)),
    "run": lambda arm, house, team: pitcher_record.run(arm),
    "unearned": lambda arm, house, team: pitcher_record.run(arm, earned=False),
    "card": lambda arm, house, team: pitcher_record.add_innings(arm, 1, house, team),
    "big card": lambda arm, house, team: pitcher_record.add_innings(arm, 3, house, team),
    "theft": lambda arm, house, team: pitcher_record.add_innings(arm, -1, house, team),
}


@given(
    houses,
    st.integers(0, 7),
    st.integers(0, 3),
    st.lists(st.sampled_from([*HAPPENS, *["out"] * 8, "half over", "relief"]), max_size=60),
)
def test_limits_always_hold(house: dict[str, str], limit: int, owes: int, story: list[str]) -> None:
    """Limits and penalties are never negative, caps hold for whom they apply to, and tiredness matches its cost."""
    team = [Arm("0", "SP", limit, owes)]
    this_half = 0
    for what in story:
        if what == "half over":
            team, this_half = [pitcher_record.half_over(arm) for arm in team], 0
        elif what == "relief":
            team.append(Arm(str(len(team)), "RP", limit, owes))
        else:
            before = team[-1].added
            team[-1] = HAPPENS[what](team[-1], house, tuple(team))
            this_half += team[-1].added - before
        arm = team[-1]
        assert 0 <= pitcher_record.innings(arm, house) <= limit + 3
        assert (arm.outs < 3 * pitcher_record.innings(arm, house)) == (pitcher_record.left(arm, house) > 0)
        assert 0 <= pitcher_record.penalty(arm, house) <= 2 + len(story)
        assert pitcher_record.tires(arm, house) == (pitcher_record.penalty(arm, house) > 0)
        assert pitcher_record.throw(arm, house).tired >= pitcher_record.tires(arm, house)
        assert all(
            0 <= one.added <= pitcher_record.GAME_CAP and 0 <= one.added_now <= pitcher_record.HALF_CAP for one in team
        )
        if house["ipCapScope"] == "manager":
            assert sum(one.added for one in team) <= pitcher_record.GAME_CAP
            assert this_half <= pitcher_record.HALF_CAP
        assert arm.tired <= arm.pitched
        assert not pitcher_record.may_leave(arm, 9, house) or not pitcher_record.tires(arm, house)
