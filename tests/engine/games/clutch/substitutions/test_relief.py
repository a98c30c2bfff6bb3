"""Relief: who may come in, for whom, and in what role (3.5)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.games.clutch.squad import BaseRunner
from engine.games.clutch.state import State
from engine.games.clutch.substitutions import bench
from engine.games.clutch.substitutions.substitutions import legal_changes, make_change
from tests.each import each
from tests.engine.games.clutch import field
from tests.engine.games.clutch.fixture import pitcher, roster
from tests.engine.games.clutch.steps import NEVER_MIND, arm, do, event_sentences, options, ready


@pytest.mark.rule("CL-143", "CL-199")
def test_a_reliever_comes_from_the_bullpen() -> None:
    cards = {"Rx": pitcher("Rx", "SP 5", "RP 2")}
    s = ready(bases="13", cards=cards, rests={"Rx": 1})
    assert ("Rx", "H-R2", "H-R3", "H-OP", NEVER_MIND) == options(make_change(s, "home", "new-pitcher"))
    assert do(s, "new-pitcher", "Rx")
    assert ("Rx", "RP", 2, 1, 2) == (
        s.pitcher_card.name,
        s.current_record.role,
        s.current_record.limit,
        s.current_record.owes,
        s.current_record.inherited,
    )
    squad = s.squad("home")
    assert (("Px", "Rx"), ("H-R2", "H-R3", "H-OP"), ("Px",)) == (squad.pitchers, squad.bullpen, squad.gone)
    assert {"Px", "Rx"} == set(s.arms[1])
    assert {"Px"} == {runner.pitcher for runner in s.bases if runner}
    assert ["Rx comes in for Px."] == event_sentences(s)


@pytest.mark.rule("CL-016")
def test_an_opener_in_relief_has_his_own_innings() -> None:
    s = ready()
    do(s, "new-pitcher", "H-OP")
    assert ("OP", 1) == (s.current_record.role, s.current_record.limit)
    arm(s, faced=3)
    assert ("Rx", "H-R2", "H-R3", NEVER_MIND) == options(make_change(s, "home", "new-pitcher"))


@pytest.mark.rule("CL-067")
@each("inning", [2, 6])
def test_a_bulk_pitcher_follows_an_opener(inning: int) -> None:
    s = ready(inning, starter="H-OP", cards={"Rx": pitcher("Rx", "RP 1", "BP 4")})
    assert ("H-BP", "Rx", NEVER_MIND) == options(make_change(s, "home", "new-pitcher"))
    do(s, "new-pitcher", "Rx")
    assert ("BP", 4) == (s.current_record.role, s.current_record.limit)
    s.clock = replace(s.clock, inning=6)
    arm(s, outs=9)
    assert ("H-R2", "H-R3", NEVER_MIND) == options(make_change(s, "home", "new-pitcher"))


@each(("rests", "names"), [({"H-BP": 1}, ("Rx",)), ({"H-BP": 1, "Rx": 1}, ("H-BP", "Rx")), ({"Rx": 1}, ("H-BP", "Rx"))])
def test_a_tired_bulk_pitcher_of_the_rotation_follows_if_none_is_rested(
    rests: dict[str, int], names: tuple[str, ...]
) -> None:
    """One in the bullpen always may (AM-08)."""
    s = ready(starter="H-OP", cards={"Rx": pitcher("Rx", "RP 1", "BP 4")}, rests=rests)
    assert names == bench.eligible_relievers(s, "home")


def test_a_house_lets_any_pitcher_follow_an_opener() -> None:
    s = ready(starter="H-OP", house={"opRequiresBp": "false"})
    assert ("Rx", "H-R2", "H-R3") == bench.eligible_relievers(s, "home")


@pytest.mark.rule("CL-068")
@each(("rule", "swing"), [("never", ()), ("ifRpRole", ("H-SW",))])
def test_the_rotation_does_not_relieve(rule: str, swing: tuple[str, ...]) -> None:
    """A house rule lets those in it relieve who have an inning limit for it (AM-09)."""
    cards = {
        "H-SP": pitcher("H-SP"),
        "H-SW": pitcher("H-SW", "SP 5", "RP 2"),
        "H-BP": "",
        "Home": roster("H", rotation=["Px", "H-SP", "H-SW"]),
    }
    s = ready(cards=cards, house={"rotationMayRelieve": rule}, starter="Px")
    assert ("Rx", "H-R2", "H-R3", "H-OP", *swing) == bench.eligible_relievers(s, "home")
    if swing:
        do(s, "new-pitcher", "H-SW")
        assert ("RP", 2) == (s.current_record.role, s.current_record.limit)
        assert "H-SW" not in bench.eligible_relievers(s, "home")


@pytest.mark.rule("CL-133")
def test_with_nobody_left_the_last_pitcher_stays_in() -> None:
    """Tired pitchers remain available until they are used (AM-10)."""
    s = ready(rests={"H-R3": 3})
    s.update_squad("home", bullpen=("H-R3",))
    do(s, "new-pitcher", "H-R3")
    arm(s, outs=3)
    assert "new-pitcher" not in legal_changes(s, "home")


def test_an_automatic_runner_is_not_inherited() -> None:
    def automatic(s: State) -> None:
        s.bases = (s.bases[0], BaseRunner("A-CF", "", earned=False, automatic=True), None)

    table = field.at("T10 0o 1--", position=automatic, arm={"outs": 9, "faced": 12})
    field.upto(table, "pitch", "new-pitcher", "Rx")
    assert 1 == field.mound(table, "Rx").inherited
