"""Fewer prompts: cards declined in the same breath, and nothing out of reach."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from engine.asks import Choose, Roll
from engine.seats import Seat
from engine.table import Table
from tests.each import each
from tests.engine.games.clutch.field import at, options, run, state, until, upto
from tests.engine.games.clutch.fixture import roster, strategy, written
from tests.engine.tables import inside

START = "at the start of an at-bat"
CARDS = {
    "FIRST": strategy("FIRST", "defense", START, "pitch +1"),
    "LATER": strategy("LATER", "defense", START, "pitch +1"),
    "NOTES": strategy("NOTES", "offense", START, "draw 1"),
    "PARK": written("stadium", name="PARK", when="before the pitch", do="swing +1"),
}
LONG = {"outs": 15, "faced": 20, "finished": True}


def position(**fields: Any) -> Table:
    """Return a table where both managers hold cards, a runner is on first, and each bench has one batter."""

    def few(s: Any) -> None:
        s.update_squad("away", bench=("A-LF2",))
        s.update_squad("home", bench=(), bullpen=("Rx",))

    hands: dict[str, Any] = {"away": ["SW+2"], "home": ["PT+2"]}
    return at("T6 0o 1--", cards=CARDS, arm=LONG, position=few, decks=((), ()), **{**hands, **fields})


def windows(table: Table, seat: Seat) -> list[str]:
    """Return the card windows about which a seat was asked."""
    return [
        one.ask.why.removeprefix("cards-")
        for one in table.answers
        if (one.ask.seat, one.ask.why[:5]) == (seat, "cards")
    ]


@each(
    ("home", "away", "asked"),
    [
        ("pitch", "swing", (["before-pitch"], ["before-pitch"])),
        ("pitch-now", "swing", ([], ["before-pitch"])),
        ("pitch", "swing-now", (["before-pitch"], [])),
        ("pitch-now", "swing-now", ([], [])),
    ],
)
def test_a_manager_may_decline_cards_with_the_pitch_or_the_swing(
    home: str, away: str, asked: tuple[list[str], list[str]]
) -> None:
    table = position()
    upto(table, "pitch", f"home:{home}", f"away:{away}")
    assert asked == (windows(table, "home"), windows(table, "away"))


def test_the_defense_declines_its_cards_for_the_start_too() -> None:
    for answer, asked in (("pitch", ["at-bat"]), ("pitch-now", [])):
        table = position(home=["FIRST"])
        upto(table, "offence", answer)
        assert asked == windows(table, "home")
    table = position(home=["FIRST"])
    run(table, "pitch-now", "P15", "S3")
    upto(table, "offence", "pitch")
    assert ["at-bat"] == windows(table, "home")


@each(
    ("happens", "hands"),
    [
        (("SW+2",), {}),
        (("steal-second", "no-throw"), {}),
        (("pinch-hitter", "A-LF2"), {}),
        (("bunt", "B1", "B2", "swing"), {}),
        (("NOTES",), {"away": ["NOTES"]}),
    ],
)
def test_a_manager_is_asked_after_all_if_something_happens(happens: tuple[str, ...], hands: dict[str, Any]) -> None:
    table = position(**hands)
    until(table, "pitch-now", *happens)
    upto(table, "pitch")
    assert "before-pitch" in windows(table, "home")


def test_the_offense_is_asked_after_all_if_the_defense_acts() -> None:
    table = position()
    upto(table, "pitch", "swing-now", "PT+2")
    assert ["before-pitch"] == windows(table, "away")
    table = at("T6 0o --3", away=["SW+2"], cards=CARDS)
    upto(table, "pitch", "swing-now", "in")
    assert ["before-pitch"] == windows(table, "away")
    here: dict[str, Any] = {"cards": CARDS, "position": lambda s: setattr(s, "stadium", "PARK")}
    table = at(away=["SW+2"], home=["PT+2"], **here)
    upto(table, "pitch", "pitch-now", "swing-now")
    assert (["before-pitch"], ["before-pitch"]) == (windows(table, "home"), windows(table, "away"))


def test_the_offense_may_swing_away_without_its_menu() -> None:
    """Asked for a card at the start of the at-bat, it says that it plays none and swings: one answer in place of three.
    A pass is only that.
    """
    for answer, menu, asked in (("swing-now", 0, ["at-bat"]), ("pass", 1, ["at-bat", "before-pitch"])):
        table = position(away=["NOTES", "SW+2"])
        upto(table, "cards-at-bat", "pitch-now")
        until(table, answer)
        upto(table, "pitch")
        assert (menu, asked) == ([one.ask.why for one in table.answers].count("offence"), windows(table, "away"))


def test_the_offense_has_its_menu_after_all_if_the_defense_acts() -> None:
    """It said that it swings; a card of the defense after that may change what is best."""
    for after, menu in (("home:pass", 0), ("home:LATER", 1)):
        table = position(away=["NOTES"], home=["FIRST", "LATER"])
        until(table, "pitch", "home:FIRST", "away:swing-now", after)
        upto(table, "pitch")
        assert menu == [one.ask.why for one in table.answers].count("offence")


def test_a_walk_leaves_no_swing_to_decide() -> None:
    table = position(away=["NOTES"])
    assert "swing-now" not in options(upto(table, "cards-at-bat", "walk", "no-change"))
    assert "swing-now" in options(upto(position(away=["NOTES"]), "cards-at-bat", "pitch"))


def test_who_has_no_cards_has_nothing_to_decline() -> None:
    table = position(home=[])
    assert "pitch-now" not in options(upto(table, "defence"))
    assert "swing-now" in options(upto(table, "offence"))
    assert "pitch-now" not in options(upto(at(level="players"), "defence"))
    coaches = {
        "Home": roster("H", coaches=["PC"]),
        "PC": written("coach", name="PC", kind="pitching", when=START, do="pitch +1"),
    }
    assert "pitch-now" in options(upto(at(cards=coaches), "defence"))


# Nothing is out of reach ---------------------------------------------------------------------------------------------


SKIPPED = ("never-mind", "not-here", "not-this-inning", "ask-again", "positions", "pinch-runner")
"""Answers that lead nowhere else, or that would only make the walk longer."""

End = tuple[str, ...]


def walk(table: Table, script: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], End]]:
    """Yield every way to answer what is asked until the next die, after a script, and how things stand then."""
    n, ask = table.open_asks()[0]
    inner = inside(ask)
    if isinstance(inner, Roll) or state(table).number > 1:
        s = state(table)
        on = "".join(one.name if one else "-" for one in s.bases)
        cards = ",".join(sorted(f"{one.side}:{one.name}" for one in s.at.played))
        yield script, (inner.why, cards, s.batter_card.name, s.pitcher_card.name, on, str(s.at.stolen), str(s.last))
        return
    assert isinstance(inner, Choose)
    for answer in inner.options:
        if answer in SKIPPED or answer.endswith("-on"):
            continue
        twin = table.clone()
        twin.answer_ask(ask.seat, n, answer)
        yield from walk(twin, (*script, answer))


@pytest.mark.slow
def test_everything_is_still_in_reach() -> None:
    """Whatever can be reached with the short answers can be reached without them, and the other way round."""
    ways = list(walk(position()))
    long = {end for script, end in ways if not any(answer.endswith("-now") for answer in script)}
    assert long == {end for _, end in ways}
    whys, cards, batters, pitchers, _, stolen, last = (set(found) for found in zip(*long, strict=True))
    assert {"pitch", "bunt", "throw"} <= whys
    assert {"", "home:PT+2", "away:SW+2", "away:SW+2,home:PT+2"} <= cards
    assert ({"Bx", "A-LF2"}, {"Px", "Rx"}, {"True", "False"}) == (batters & {"Bx", "A-LF2"}, pitchers, stolen)
    assert "('IBB',)" in last
