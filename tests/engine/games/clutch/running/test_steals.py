"""Stealing second and third."""

from __future__ import annotations

import pytest

from engine.games.clutch.at_bat.outcomes import outcome
from engine.games.clutch.cards.effects import AT_BAT, Effect
from engine.games.clutch.running.stealing import steal, steals
from engine.games.clutch.state import Standing
from tests.engine.games.clutch import field
from tests.engine.games.clutch.bases import SWIFT, at, event_codes, event_sentences, line, offered, play, stand


@pytest.mark.rule("CL-169", "CL-302", "CL-303", "CL-306", "CL-308", "CL-309")
@pytest.mark.parametrize(
    ("bases", "open_to"),
    [
        ("", ()),
        ("1", ("steal-second",)),
        ("2", ("steal-third",)),
        ("3", ()),
        ("12", ("steal-third", "steal-both")),
        ("13", ("steal-second",)),
        ("23", ()),
        ("123", ()),
    ],
)
def test_which_steals_may_be_declared(bases: str, open_to: tuple[str, ...]) -> None:
    """A runner on first or second and an open base before him, or one that opens; home is not stolen."""
    assert open_to == steals(at(bases))
    assert () == steals(at(bases, forbid="steal"))


@pytest.mark.rule("CL-301")
def test_one_steal_in_an_at_bat() -> None:
    """The base is credited, the at-bat goes on; a second steal waits for the next one, but by house rule."""
    for house, again in (("1", ()), ("unlimited", ("steal-third",))):
        s = at("1", house={"stealsPerAtBat": house})
        play(steal(s, "steal-second"), "at-second", 6)
        assert (("2", 0, 0), 1, 0, again) == (stand(s), line(s, "A-RF").sb, line(s).pa, steals(s))
        assert {"steal"} == s.at.tags


def test_a_runner_whom_a_card_holds() -> None:
    """He does not steal, and nobody who would run up on him."""
    for held, bases, ways in (("first", "1", ()), ("first", "12", ("steal-third",)), ("second", "12", ())):
        s = at(bases)
        runner = s.bases[("first", "second").index(held)]
        assert runner is not None
        hold = Effect(f"runner on {held} holds", "hold", held)
        s.standing = (Standing("a card", "home", hold, AT_BAT, on=("away", runner.name)),)
        assert ways == steals(s)


@pytest.mark.rule("CL-304", "CL-305")
@pytest.mark.parametrize(
    ("bases", "what", "target", "face", "after"),
    [
        ("1", "steal-second", "at-second", 6, ("2", 0, 0)),
        ("1", "steal-second", "at-second", 7, ("", 1, 0)),
        ("2", "steal-third", "at-third", 3, ("3", 0, 0)),
        ("2", "steal-third", "at-third", 4, ("", 1, 0)),
    ],
)
def test_the_battery_throws(bases: str, what: str, target: str, face: int, after: tuple[str, int, int]) -> None:
    """Battery 9 and the die, three more against a steal of third."""
    s = at(bases)
    play(steal(s, what), target, face)
    assert after == stand(s)
    assert (after[1], ["caught" if after[1] else "steal"]) == (s.arm.outs, sorted(s.at.tags - {"out"}))


@pytest.mark.rule("CL-304")
def test_it_is_the_stealing_speed_that_counts() -> None:
    """Not the one for all other running."""
    for face, after in ((11, ("2", 0, 0)), (12, ("", 1, 0))):
        s = at("1", cards=SWIFT)
        play(steal(s, "steal-second"), "at-second", face)
        assert after == stand(s)
    s = at("1", cards=SWIFT)
    play(outcome(s, "1B"), "to-third", "at-third", 8)
    assert ("1", 1, 0) == stand(s)


@pytest.mark.rule("CL-306", "CL-307", "CL-310")
@pytest.mark.parametrize(
    ("target", "face", "after", "stolen", "caught"),
    [
        ("at-second", 7, ("3", 1, 0), ["A-CF"], ["A-RF"]),
        ("at-third", 4, ("2", 1, 0), ["A-RF"], ["A-CF"]),
        ("at-third", 3, ("23", 0, 0), ["A-RF", "A-CF"], []),
        ("no-throw", None, ("23", 0, 0), ["A-RF", "A-CF"], []),
    ],
)
def test_a_double_steal(
    target: str, face: int | None, after: tuple[str, int, int], stolen: list[str], caught: list[str]
) -> None:
    """The defence picks one; the other steals his base without a throw."""
    choice = offered(steal(at("12"), "steal-both"))
    assert ("throw-at", "home", ("at-third", "at-second", "no-throw")) == choice
    s = at("12")
    play(steal(s, "steal-both"), target, *([face] if face else []))
    assert after == stand(s)
    for name in ("A-RF", "A-CF"):
        assert (int(name in stolen), int(name in caught)) == (line(s, name).sb, line(s, name).cs)


@pytest.mark.rule("CL-301")
def test_a_steal_comes_before_the_pitch() -> None:
    """No pitch is made for it: the same batter is up, and the next ask is about him."""
    table = field.at("T2 0o 1--", arm={"owes": 1})
    ask = field.until(table, "steal-second", "at-second", "D6")
    assert ("T2 0o -2-", False, "Bx") == (field.now(table), field.mound(table).pitched, ask.facts["batter"])


@pytest.mark.rule("CL-311")
def test_the_batter_leads_off_the_next_inning() -> None:
    """Who was at bat when a runner was caught for the third out; by house rule the one after him."""
    for house, leads in (("sameBatter", "Bx"), ("nextBatter", "A-CA")):
        table = field.at("T2 2o 1--", house={"csLeadoff": house})
        field.run(table, "steal-second", "at-second", "D7", "SO!", "SO!", "SO!")
        assert ("T3 0o ---", leads) == (field.now(table), field.state(table).batter.name)


@pytest.mark.rule("CL-311")
def test_caught_for_the_third_out() -> None:
    """No turn at the plate is counted."""
    s = at("1", 2)
    play(steal(s, "steal-second"), "at-second", 7)
    assert (("", 3, 0), 0, ["tries", "throw-out", "caught"]) == (stand(s), line(s).pa, event_codes(s))
    assert ["A-RF goes for second.", "A-RF is out at second. Outs: 3."] == event_sentences(s)
