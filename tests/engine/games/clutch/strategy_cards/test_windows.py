"""Windows: who is asked when, how late substitutions affect earlier cards, and skipping questions."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from engine.seats import SEATS, Seat
from engine.table import Table
from engine.views import json_data
from tests.each import each
from tests.engine.games.clutch.field import (
    at,
    by_rule,
    event_codes,
    fact,
    hand,
    options,
    pitched,
    playable,
    refused,
    run,
    state,
    swung,
    until,
    upto,
)
from tests.engine.games.clutch.fixture import BEFORE, batter, roster, strategy, written
from tests.engine.tables import everything, inside

CARDS = {
    "VS-L": strategy("VS-L", "defense", BEFORE, "pitch +2", **{"if": "the batter bats left"}),
    "VS-R": strategy("VS-R", "offense", BEFORE, "swing +2", **{"if": "the pitcher throws right"}),
    "HALF": strategy("HALF", "defense", BEFORE, "pitch +1", lasts="this half-inning"),
    "BOTH": strategy("BOTH", "defense", BEFORE, "pitch +2 and draw 1"),
    "PAID": strategy("PAID", "defense", BEFORE, "pitch +2", cost="discard 1"),
    "Bx": batter("Bx", hand="L"),
}
COACH = written("coach", name="PITCH", kind="pitching", when=BEFORE, do="pitch +2")


def game(
    away: Sequence[str] = (), home: Sequence[str] = (), where: str = "T5 0o ---", faced: int = 3, **more: str
) -> Table:
    """Return a table with extra cards, Bx batting left, and a pitcher who has faced some batters.

    `more` are house rules.
    """
    arm = {"faced": faced, "outs": 0 if faced < 3 else 9, "finished": faced > 2}
    return at(where, away=away, home=home, cards=CARDS, house=more, arm=arm)


def seats(table: Table, *script: str) -> list[tuple[Seat, str]]:
    """Return who is asked for what up to the pitch."""
    upto(table, "pitch", *script)
    return [(one.ask.seat, one.ask.why) for one in table.answers]


@pytest.mark.rule("CL-199", "CL-205")
def test_the_order_before_the_pitch() -> None:
    table = game(["SW+2"], ["PT+2"])
    asked = seats(table, "new-pitcher", "Rx", "PT+2", "SW+2")
    expected = [("home", "defence"), ("home", "reliever"), ("home", "defence"), ("away", "offence")]
    expected += [(seat, "cards-before-pitch") for seat in ("home", "away")]
    assert expected == [one for one in asked if one[1] != "changes"][: len(expected)]
    assert "Rx" == state(table).pitcher_card.name


@pytest.mark.rule("CL-200")
def test_the_offense_waits_for_the_defense() -> None:
    table = game(["SW+2"], ["PT+2"])
    assert "home" == until(table).seat
    refused(table, "pinch-hitter", "away")
    assert "pinch-hitter" in options(upto(table, "offence"))


@pytest.mark.parametrize(
    ("script", "total", "held", "gone", "asked"),
    by_rule(
        # Against a left-handed batter: the card returns by itself if a right-handed one pinch-hits.
        ("CL-201", "VS-L pinch-hitter A-SS2 P8 S12", 11, ["VS-L"], (), False),
        # Its owner decides where it still applies; never mind makes no answer.
        ("CL-202", "PT+2 pinch-hitter A-SS2 take-back P7 S12", 10, ["PT+2"], (), True),
        ("CL-202", "PT+2 pinch-hitter A-SS2 leave P7 S12", 12, [], ("PT+2",), True),
        ("CL-202", "PT+2 pinch-hitter never-mind pass P7 S12", 12, [], ("PT+2",), False),
        # A cost stays paid (AM-04), and a card that has drawn cards stays.
        ("CL-202", "PAID SW-2 pinch-hitter A-SS2 take-back P7 S12", 10, ["PAID"], ("SW-2",), True),
        ("CL-202", "BOTH pinch-hitter A-SS2 P7 S12", 12, ["MOM"], ("BOTH",), False),
        # A copy played in the previous at-bat stays in force for the half-inning; only the second one returns.
        ("CL-202", "HALF P2 S8 HALF pinch-hitter A-SS2 take-back P7 S12", 11, ["HALF"], ("HALF",), True),
        # A coach returns to the other coaches (AM-42).
        ("CL-054 CL-202", "PITCH pinch-hitter A-SS2 take-back P7 S12", 10, [], (), True),
    ),
)
def test_a_pinch_hitter_answers_a_card(
    script: str, total: int, held: list[str], gone: tuple[str, ...], asked: bool
) -> None:
    words = script.split()
    home = [one for one in words if one in CARDS or one in ("PT+2", "SW-2")]
    coached = {"PITCH": COACH, "Home": roster("H", coaches=["PITCH"])}
    table = run(at(home=home, cards={**CARDS, **coached}, decks=((), ["MOM"])), *words)
    squad = state(table).squad("home")
    assert (total, held, gone) == (pitched(table)[0], hand(table, "home"), squad.discard)
    assert asked == ("take-back" in [one.ask.why for one in table.answers])
    assert ("VS-L" in words) == ("taken-back" in event_codes(table) and not asked)
    assert (("PITCH",), ()) == (squad.coaches, squad.spent)


@pytest.mark.rule("CL-203", "CL-202")
@each(("counts", "again"), [("false", ("OB+2",)), ("true", ())])
def test_a_new_pitcher_answers_a_card(counts: str, again: tuple[str, ...]) -> None:
    """The offense takes its card back and may play it again, unless the house counts it as played (AM-04)."""
    table = game(["OB+2"], returnedCardCountsAsPlayed=counts)
    upto(table, "take-back", "OB+2", "new-pitcher", "Rx")
    assert again == playable(table, "away", "before-pitch", "take-back")
    assert ["OB+2"] == hand(table, "away")
    run(table, "P8", "S12")
    assert (11, 10, "Rx") == pitched(table)


@pytest.mark.rule("CL-204")
def test_the_late_change_needs_three_batters_too() -> None:
    table = game(["OB+2"], faced=1)
    assert ("home", "cards-before-pitch") not in seats(table, "OB+2")
    table = game(["OB+2"])
    assert ("home", "cards-before-pitch") in seats(table, "OB+2")


@pytest.mark.rule("CL-203")
@each(("house", "most"), [("none", 0), ("oneEach", 1), ("unlimited", 2)])
def test_how_often_a_card_may_be_answered(house: str, most: int) -> None:
    """Once by each side in an at-bat, or by another house rule (AM-03)."""
    table = game(home=["PT+2", "SW-2"], lateSubReplies=house)
    answered = 0
    until(table, "PT+2")
    for name in ("A-SS2", "A-LF2"):
        if "SW-2" in options_now(table):
            until(table, "pass")
        if "pinch-hitter" in options_now(table):
            until(table, "pinch-hitter", name, "leave")
            answered += 1
    assert most == answered


def options_now(table: Table) -> tuple[str, ...]:
    """Return what may be chosen now; () where a die is to be rolled."""
    return getattr(inside(table.open_asks()[0][1]), "options", ())


def asks(table: Table, seat: Seat, why: str = "cards-") -> list[str]:
    """Return the card windows a seat was asked about."""
    return [one.ask.why.removeprefix(why) for one in table.answers if one.ask.seat == seat and why in one.ask.why]


def test_a_manager_with_nothing_to_play_is_not_asked() -> None:
    """This is the default; by a house rule everybody with cards is asked in every window, which reveals nothing."""
    table = run(game(["GB>1B"], ["PT+2"]), "1B!")
    assert ([], ["before-pitch"]) == (asks(table, "away"), asks(table, "home"))
    table = run(game(["GB>1B"], windows="always"), "1B!")
    every = ["at-bat", "before-pitch", "pitch-roll", "advantage", "swing-roll", "result", "after"]
    assert every == [one for one in asks(table, "away") if one in every][: len(every)]
    assert [] == asks(table, "home")


def test_never_in_this_window_this_inning() -> None:
    table = game(["SW+2", "GB>1B"], where="T5 1o ---")
    run(table, "not-here", "GB!")
    assert ["before-pitch", "result"] == asks(table, "away")
    run(table, "SO!")
    for _ in range(3):
        run(table, "SO!")
    run(table, "SW+2", "P2", "S14")
    assert ["before-pitch", "result", "before-pitch"] == asks(table, "away")
    assert (16, "2B") == swung(table)


def test_no_cards_this_inning() -> None:
    table = run(game(["SW+2", "GB>1B"]), "not-this-inning", "GB!", "GB!")
    assert ["before-pitch"] == asks(table, "away")
    assert "T5 2o ---" == f"T5 {state(table).outs}o ---"


def test_only_its_owner_sees_a_skipped_window() -> None:
    """He could have played a card there, so knowing about it would reveal something about his hand."""
    table = game(["SW+2", "GB>1B"])
    until(table, "not-here")
    upto(table, "cards-result", "GB!")
    assert [] == mine(table, "away")
    upto(table, "pitch")
    assert ["before-pitch"] == mine(table, "away")
    for viewer in ("home", None):
        shown = json_data(table.view_for(viewer))["scoreboard"]["panel"]["hands"]["away"]["skipped"]
        assert ["hidden"] == shown
        leaves = [one for one in everything(table, viewer) if not isinstance(one, str)]
        assert "GB>1B" not in json.dumps(leaves)
    upto(table, "offence", "P2", "S8")
    assert [] == mine(table, "away")


def mine(table: Table, seat: Seat) -> list[str]:
    """Return the windows that a manager sees as skipped."""
    return list(json_data(table.view_for(seat))["scoreboard"]["panel"]["hands"][seat]["skipped"])


BLANK = {
    "BLANK": '[[strategy]]\nname = "BLANK"\nrarity = "common"\nside = "offense"\nblank = true\n',
    "WHEN": '[[strategy]]\nname = "WHEN"\nrarity = "common"\nside = "defense"\nwhen = "on a 1B"\nblank = true\n',
}


@each("hands", ["dealt", "real"])
def test_the_table_reports_what_a_blank_card_does(hands: str) -> None:
    decks = ((), ()) if hands == "dealt" else (["BLANK"] * 9, ())
    table = at(away=["BLANK"], cards=BLANK, house={"hands": hands}, decks=decks)
    upto(table, "cards-before-pitch")
    ask = upto(table, "blank", "BLANK")
    offered = options(ask)
    assert "nothing" == offered[0]
    assert {"swing +3", "swing roll -1", "draw 2", "the batter has the advantage"} <= set(offered)
    assert "swing +4" not in offered
    run(table, "swing +3", "P2", "S13")
    assert (16, "2B") == swung(table)
    assert ("BLANK",) == state(table).squad("away").discard
    table = at(away=["BLANK"], cards=BLANK, house={"hands": hands}, decks=decks)
    upto(table, "cards-before-pitch")
    run(table, "BLANK", "nothing", "P2", "S13")
    assert (13, "1B") == swung(table)


def test_a_blank_card_follows_the_rules() -> None:
    assert () == playable(at(home=["WHEN"], cards=BLANK), "home", "result", "GB!")
    table = at(home=["WHEN", "1B>GB"], cards=BLANK)
    assert "change the result to 2B" in options(upto(table, "blank", "1B!", "WHEN"))
    upto(table, "pitch", "change the result to 2B")
    assert "2B" == state(table).last[-1]
    table = at(away=["BLANK", "GB>1B"], cards=BLANK)
    upto(table, "cards-result", "GB!")
    ask = upto(table, "blank", "GB>1B", "BLANK")
    assert not [one for one in options(ask) if one.startswith("change")]
    assert fact(table, "plays-card", "card") == "BLANK"


START = "at the start of an at-bat"
OFFERED = {
    "RUN": strategy("RUN", "offense", START, "br +2"),
    "NOTES": strategy("NOTES", "neutral", START, "draw 1"),
    "WIND": strategy("WIND", "defense", START, "innings +1"),
    "FULL": strategy("FULL", "neutral", START, "draw 1", **{"if": "bases loaded"}),
    "HOUR": strategy("HOUR", "neutral", START, "draw 1", clutch=True),
    "MOE": written("coach", name="MOE", kind="bench", when=START, do="my runners st +2"),
    "SLOW": written("coach", name="SLOW", kind="bench", when=START, do="my on-base +1"),
}


@pytest.mark.rule("CL-026")
@each("name", ["RUN", "NOTES", "WIND"])
def test_a_card_is_offered_at_every_at_bat_that_its_trigger_names(name: str) -> None:
    """Whether it could help is its owner's business."""
    side: Seat = "home" if name == "WIND" else "away"
    table = at("T5 0o ---", cards=OFFERED, **{side: [name]})  # type: ignore[arg-type]
    for _ in range(3):
        assert (name,) == playable(table, side, "at-bat")
        run(table, "SO!" if state(table).outs < 2 else "BB!")


@pytest.mark.rule("CL-026", "CL-027")
@each("name", ["FULL", "HOUR"])
@each("side", SEATS)
def test_a_card_is_offered_once_its_condition_holds(name: str, side: Seat) -> None:
    """Here the bases are loaded in the middle of an inning."""
    table = at("T3 0o 12-", cards=OFFERED, **{side: [name]})  # type: ignore[arg-type]
    assert () == playable(table, side, "at-bat")
    run(table, "BB!")
    for _ in range(2):
        assert (name,) == playable(table, side, "at-bat")
        run(table, "SO!")


@pytest.mark.rule("CL-029", "CL-052")
@each("coach", ["MOE", "SLOW"])
@each("side", SEATS)
def test_a_bench_coach_is_there_at_every_at_bat_on_offense_and_defense(coach: str, side: Seat) -> None:
    table = at("T5 0o ---", cards=OFFERED, position=lambda s: s.update_squad(side, coaches=(coach,)))
    for _ in range(3):
        assert (coach,) == playable(table, side, "at-bat")
        run(table, "SO!" if state(table).outs < 2 else "BB!")
    until(table, coach)
    assert () == playable(table, side, "at-bat")


@pytest.mark.rule("CL-079")
def test_a_card_that_draws_is_played_on_an_empty_deck_for_nothing() -> None:
    table = at(home=["NOTES"], cards=OFFERED, decks=((), ()))
    upto(table, "pitch", "NOTES")
    assert ([], ("NOTES",)) == (hand(table, "home"), state(table).squad("home").discard)
    assert "draws" not in event_codes(table)
