"""How long a pitcher lasts in a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.games.clutch.house_rules import HOUSE_RULES
from engine.games.clutch.pitching import pitcher_record
from engine.games.clutch.pitching.pitcher_record import PitcherRecord
from tests.each import each
from tests.engine.games.clutch.fixture import HOUSE
from tests.engine.games.clutch.mound import CARDS, charged, hit, px, retire, rx


@each(("name", "role", "limit"), [("Px", "SP", 6), ("H-BP", "BP", 4), ("H-BP", "RP", 2)])
def test_the_limit_is_that_of_his_role(name: str, role: str, limit: int) -> None:
    arm = pitcher_record.new_record(CARDS[name], role, owes=2, inherited=1)
    assert (name, role, limit, 2, 1) == (arm.name, arm.role, arm.limit, arm.owes, arm.inherited)
    assert limit == pitcher_record.inning_limit(replace(arm, owes=0), HOUSE)


@pytest.mark.rule("CL-096")
def test_an_inning_is_any_three_outs() -> None:
    arm = pitcher_record.end_half(retire(rx()))
    left = [pitcher_record.outs_left(arm, HOUSE)]
    for _ in range(2):
        assert not pitcher_record.is_tired(arm, HOUSE)
        arm = retire(arm)
        left.append(pitcher_record.outs_left(arm, HOUSE))
    assert ([2, 1, 0], False, True) == (left, arm.tired, pitcher_record.is_tired(arm, HOUSE))
    assert hit(arm).tired


def test_by_house_rule_he_gets_worse_with_every_inning_he_begins() -> None:
    """Outs do not count: he is past his limit in the middle of the seventh, and with no out in the eighth."""
    house = HOUSE | {"tiredStep": "byInning"}
    arm, found = pitcher_record.end_half(retire(charged(px(), 3), 17, house)), []
    for outs in (1, 2, 0, 0, 3):
        arm = retire(arm, outs, house)
        found.append((pitcher_record.tired_penalty(hit(arm, house), house), pitcher_record.tired_penalty(arm, HOUSE)))
        arm = pitcher_record.end_half(hit(arm, house))
    assert [(1, 1), (2, 1), (3, 1), (4, 1), (5, 2)] == found
    assert 0 == pitcher_record.tired_penalty(
        pitcher_record.end_half(retire(px(), 18, house)), house
    )  # A Quality Appearance: seven innings.


def test_only_innings_past_his_limit_make_him_worse() -> None:
    """Innings in which only owed rest tires him do not count, nor do innings that a card brought within his limit."""
    house = HOUSE | {"tiredStep": "byInning"}
    entered = retire(pitcher_record.end_half(retire(px(owes=1, limit=2), 3, house)), 3, house)
    assert 2 == pitcher_record.tired_penalty(pitcher_record.end_half(entered), house)
    helped = pitcher_record.end_half(
        retire(pitcher_record.add_innings(pitcher_record.end_half(hit(rx(limit=0), house)), 1, house), 3, house)
    )
    assert (1, 2) == (helped.overtime, pitcher_record.tired_penalty(helped, house))


@pytest.mark.rule("CL-104")
def test_it_is_judged_once_for_any_role_and_any_kind_of_out() -> None:
    """A double play may bring the 15th out; nothing is judged after that."""
    bulk = retire(pitcher_record.new_record(CARDS["H-BP"], "BP"), 14)
    assert 5 == pitcher_record.inning_limit(
        pitcher_record.count_only_outs(pitcher_record.count_pitch(bulk, HOUSE), 2, HOUSE), HOUSE
    )
    late = retire(charged(px(), 3), 15)
    assert not retire(replace(late, runs=0), 5).quality


def test_a_quality_appearance_may_count_as_an_added_inning() -> None:
    """Then it adds nothing after two cards, or after one in the same half-inning, and leaves less for cards."""
    house = HOUSE | {"qaInCap": "true"}
    plain = retire(px(), 15, house)
    same = retire(pitcher_record.add_innings(px(), 1, house), 15, house)
    before = retire(pitcher_record.end_half(pitcher_record.add_innings(px(), 1, house)), 15, house)
    two = retire(replace(px(), added=2), 15, house)
    assert [7, 7, 8, 8] == [pitcher_record.inning_limit(arm, house) for arm in (plain, same, before, two)]
    assert all(arm.quality for arm in (plain, same, before, two))
    assert 0 == pitcher_record.addable_innings(plain, house)
    assert [1, 0] == [pitcher_record.addable_innings(pitcher_record.end_half(arm), house) for arm in (plain, before)]


@pytest.mark.rule("CL-107")
@each(("scope", "limits"), [("pitcher", (2, 2)), ("manager", (1, 2))])
def test_whose_caps_they_are(scope: str, limits: tuple[int, int]) -> None:
    """Each pitcher's or the manager's, in a half-inning in which another pitcher got one and in the next."""
    house = HOUSE | {"ipCapScope": scope}
    first = pitcher_record.add_innings(px(), 1, house)
    now = pitcher_record.add_innings(rx(), 1, house, (first, rx()))
    then = pitcher_record.add_innings(rx(), 1, house, (pitcher_record.end_half(first),))
    assert limits == (pitcher_record.inning_limit(now, house), pitcher_record.inning_limit(then, house))
    last = pitcher_record.addable_innings(
        rx(), house, (pitcher_record.end_half(first), replace(first, name="H-R2", added_now=0))
    )
    assert (0 if scope == "manager" else 1) == last
    assert 1 == pitcher_record.addable_innings(pitcher_record.end_half(first), house, (pitcher_record.end_half(first),))


def test_a_managers_caps_hold_for_the_quality_appearance_too() -> None:
    """This is when it counts as an added inning and another pitcher has had them all."""
    house = HOUSE | {"ipCapScope": "manager", "qaInCap": "true"}
    arm = retire(px(), 14, house)
    opener = rx(added=2)
    assert [7, 6] == [
        pitcher_record.inning_limit(pitcher_record.count_only_outs(arm, 1, house, team), house)
        for team in ((), (opener,))
    ]


def test_a_card_may_take_innings_away() -> None:
    arm = pitcher_record.add_innings(px(), -2, HOUSE)
    assert (4, 1) == (pitcher_record.inning_limit(arm, HOUSE), pitcher_record.addable_innings(arm, HOUSE))
    assert 5 == pitcher_record.inning_limit(pitcher_record.add_innings(arm, 2, HOUSE), HOUSE)


@each(("stack", "found"), [("add", [1, 1, 2, 2, 3]), ("zeroIp", [1, 2, 2, 2, 3]), ("max", [1, 1, 1, 1, 2])])
def test_how_both_kinds_of_tiredness_combine(stack: str, found: list[int]) -> None:
    """A reliever of one inning who owes rest, after 0, 3, 3, 5 and 6 outs; the limit is one, or two from the second."""
    house = HOUSE | {"enterTiredStack": stack}
    fresh, outs = rx(), (0, 3, 3, 5, 6)
    arms_ = [replace(retire(rx(owes=1), n, house), limit=1 + (i == 1)) for i, n in enumerate(outs)]
    assert found == [pitcher_record.tired_penalty(arm, house) for arm in arms_]
    assert [0, 1, 2] == [pitcher_record.tired_penalty(retire(fresh, n, house), house) for n in (2, 3, 6)]
    assert (0 if stack == "zeroIp" else 2) == pitcher_record.inning_limit(arms_[1], house)


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

HAPPENS: Mapping[str, Callable[[PitcherRecord, Mapping[str, str], tuple[PitcherRecord, ...]], PitcherRecord]] = {
    "hit": lambda arm, house, team: pitcher_record.count_batter(pitcher_record.count_pitch(arm, house)),
    "out": lambda arm, house, team: pitcher_record.count_batter(
        pitcher_record.count_only_outs(pitcher_record.count_pitch(arm, house), 1, house, team)
    ),
    "two outs": lambda arm, house, team: pitcher_record.count_batter(
        pitcher_record.count_only_outs(pitcher_record.count_pitch(arm, house), 2, house, team)
    ),
    "caught": lambda arm, house, team: pitcher_record.count_only_outs(arm, 1, house, team),
    "walk": lambda arm, house, team: pitcher_record.count_batter(
        pitcher_record.count_walk(pitcher_record.count_pitch(arm, house))
    ),
    "waved": lambda arm, house, team: pitcher_record.count_batter(pitcher_record.count_intentional_walk(arm)),
    "run": lambda arm, house, team: pitcher_record.charge_run(arm),
    "unearned": lambda arm, house, team: pitcher_record.charge_run(arm, earned=False),
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
    team = [PitcherRecord("0", "SP", limit, owes)]
    this_half = 0
    for what in story:
        if what == "half over":
            team, this_half = [pitcher_record.end_half(arm) for arm in team], 0
        elif what == "relief":
            team.append(PitcherRecord(str(len(team)), "RP", limit, owes))
        else:
            before = team[-1].added
            team[-1] = HAPPENS[what](team[-1], house, tuple(team))
            this_half += team[-1].added - before
        arm = team[-1]
        assert 0 <= pitcher_record.inning_limit(arm, house) <= limit + 3
        assert (arm.outs < 3 * pitcher_record.inning_limit(arm, house)) == (pitcher_record.outs_left(arm, house) > 0)
        assert 0 <= pitcher_record.tired_penalty(arm, house) <= 2 + len(story)
        assert pitcher_record.is_tired(arm, house) == (pitcher_record.tired_penalty(arm, house) > 0)
        assert pitcher_record.count_pitch(arm, house).tired >= pitcher_record.is_tired(arm, house)
        assert all(
            0 <= one.added <= pitcher_record.MAX_ADDED_PER_GAME
            and 0 <= one.added_now <= pitcher_record.MAX_ADDED_PER_HALF
            for one in team
        )
        if house["ipCapScope"] == "manager":
            assert sum(one.added for one in team) <= pitcher_record.MAX_ADDED_PER_GAME
            assert this_half <= pitcher_record.MAX_ADDED_PER_HALF
        assert arm.tired <= arm.pitched
        assert not pitcher_record.reason_to_stay(arm, 9, house) or not pitcher_record.is_tired(arm, house)
