"""Sentences of a game of Clutch, without codes."""

from __future__ import annotations

from engine.games.clutch.words import GAME_WORDS
from engine.table import Table
from tests.engine.games.clutch import fixture
from tests.engine.games.clutch.field import at, run, until, upto
from tests.engine.games.clutch.fixture import strategy
from tests.engine.tables import panel


def told(table: Table) -> list[str]:
    """Return all events as sentences, in order."""
    return [GAME_WORDS.event_sentence(one.event) for one in table.log]


FAST = {
    "Px": fixture.pitcher("Px", right=1),
    "CMD": fixture.strategy("CMD", "defense", fixture.BEFORE, "command +1"),
    "OB": fixture.strategy("OB", "offense", fixture.BEFORE, "on-base +2"),
    "GLOVES": fixture.strategy("GLOVES", "defense", fixture.BEFORE, ["outfield +2", "LF defense +1", "infield +1"]),
    "RUN": fixture.strategy("RUN", "offense", fixture.BEFORE, "br +2"),
    "ZONE": fixture.strategy("ZONE", "offense", fixture.BEFORE, "x-zone +1"),
    "CHECK": fixture.strategy("CHECK", "defense", "on a 1B", "change 1B to GB if an infield check is made"),
}


def test_numbers_are_told_as_they_count_with_the_printed_ones() -> None:
    """Handedness, what the rules add, and cards; the panel and the asks show the same numbers as the log."""
    table = at("T5 0o -2-", home=["CMD", "GLOVES", "CHECK"], away=["OB", "RUN", "ZONE"], cards=FAST)
    assert "On-Base 10, is up against Px, Command 4 (printed 3)." in said(table, "defence")
    assert "Command 4 (printed 3) against On-Base 10." in said(table, "cards-before-pitch")
    assert "Command 5 (printed 3) against On-Base 12 (printed 10)." in said(
        table, "pitch", "CMD", "OB", "GLOVES", "RUN", "ZONE"
    )
    board = panel(table, "at")
    assert (5, 3, 12, 10, 2, 1) == tuple(
        board[name] for name in ("command", "printed_command", "on_base", "printed_on_base", "x_zone", "printed_x_zone")
    )
    fielding = {"battery": 9, "infield": 7, "outfield": 7}
    assert (fielding, {"battery": 9, "infield": 6, "outfield": 4}) == (
        panel(table, "fielding")["home"],
        panel(table, "printed_fielding")["home"],
    )
    assert panel(table, "fielding")["away"] == panel(table, "printed_fielding")["away"]
    assert "Infield +7 (printed +6) against 20." in said(table, "check", "P5", "S12", "CHECK")
    assert (7, 6, 20, 20) == throw(table)
    assert "Outfield +7 (printed +4) against speed 20 (printed 15)." in said(table, "throw", "D1", "to-home", "at-home")
    assert (7, 4, 20, 15) == throw(table)
    run(table, "D13")
    told_so = told(table)
    assert "Px pitches 10 with Command 5 (printed 3) against On-Base 12 (printed 10): Bx has the advantage." in told_so
    assert "Infield check failed: 8 with Infield +7 (printed +6) against 20." in told_so
    assert "A-CF beats the throw to home: 20 with Outfield +7 (printed +4) against speed 20 (printed 15)." in told_so


def said(table: Table, why: str, *script: str) -> str:
    """Return the sentence of an ask for its own seat."""
    ask = upto(table, why, *script)
    return table.ask_view(table.open_asks()[0][0], ask, ask.seat).sentence


def throw(table: Table) -> tuple[int, ...]:
    """Return the numbers of the throw or check on the panel, each with the printed one."""
    numbers = panel(table, "at")["throw"]
    return tuple(numbers[name] for name in ("rating", "printed_rating", "speed", "printed_speed"))


def on(do: str, where: str = "12-", when: str = "before the pitch", **more: str) -> list[str]:
    """Return the sentences after away plays a card named X with this effect."""
    table = at(f"T5 0o {where}", away=["X"], cards={"X": strategy("X", "offense", when, do, **more)})
    until(table, *(("SO!", "X") if when.startswith("after") else ("X",)))
    return told(table)


def test_a_card_names_its_target() -> None:
    left = on("on-base +1", leave="batter")
    assert "Away plays X on Bx: on-base +1." in left
    assert "X is for Bx." not in left
    assert "Away plays X on A-CF: swing +1." in on("swing +1", leave="runner")
    assert ["X is for A-CF."] == [one for one in on("lead runner br +2, lead runner st +2") if " is for " in one]
    assert ["X is for A-RF."] == [one for one in on("runner on first holds") if " is for " in one]
    assert not [one for one in on("swing +2") if " is for " in one]
    assert "X: A-CF leaves the bases and is not out." in on("remove the lead runner", when="after an at-bat")


def test_a_number_says_what_cards_add_to_it() -> None:
    """Pitch and throw; nothing is compared where a card decides a throw."""
    cards = {
        "P": strategy("P", "defense", "before the pitch", "pitch +2"),
        "T": strategy("T", "defense", "on a throw", "throw +2"),
    }
    pitched = told(run(at("T5 0o ---", home=["P"], cards=cards), "P", "P9", "S12"))
    assert "Px pitches 14 with Command 3 and +2 from cards against On-Base 10: Px has the advantage." in pitched
    assert ["Bx swings 12 on Px's chart: a line drive."] == [one for one in pitched if "swings" in one]
    thrown = told(run(at("T5 0o -2-", home=["T"], cards=cards), "1B!", "to-home", "at-home", "T", "D13"))
    assert [one for one in thrown if "throw to home" in one] == [
        "The throw to home gets A-CF: 19 with Outfield +4 +2 from cards against speed 18 (printed 15)."
    ]
    safe = {"SAFE": strategy("SAFE", "offense", "when a throw is settled", "the runner is safe")}
    changed = told(run(at("T5 0o -2-", away=["SAFE"], cards=safe), "1B!", "to-home", "at-home", "D20", "SAFE"))
    assert "A-CF beats the throw to home." in changed
