"""Strategy cards on their way: the opening hand, mulligans, draws, the limit, and an empty deck."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.games.clutch.state import State
from engine.seats import SEATS, Seat
from engine.secrets import SealedValue
from engine.table import Table
from engine.views import json_data
from tests.each import each
from tests.engine.games.clutch import fixture
from tests.engine.games.clutch.field import at, event_codes, hand, options, refused, run, state, upto
from tests.engine.tables import everything, give, inside, panel

FIFTY = tuple(title for line in fixture.DECK for count, title in [line.split(" ")] for _ in range(int(count)))

PAIR = ("STICK", "MOM")


def cards(table: Table, side: Seat = "away") -> tuple[int, int, int]:
    """Return how many cards a side has in its hand, its deck and its discard pile."""
    s = state(table)
    return s.hand_size(side), s.cards_left(side), len(s.squad(side).discard)


def opening(**house: str) -> Table:
    """Return a table before the opening hands are drawn."""

    def position(s: State) -> None:
        s.phase, s.begun = "hands", False

    return at("T1", decks=(FIFTY, FIFTY), house=house, position=position)


def dealt(*answers: str, **house: str) -> Table:
    """Return a table with opening hands drawn; the away manager gives this answer, home keeps its hand."""
    table = opening(**house)
    upto(table, "mulligan")
    give(table, "home", "keep")
    for answer in answers:
        while inside(table.open_asks()[0][1]).why == "draw":
            upto(table, "mulligan")
        give(table, "away", answer)
    return table


@pytest.mark.rule("CL-070")
def test_five_cards_to_start() -> None:
    table = opening()
    upto(table, "mulligan")
    assert [(5, 45, 0)] * 2 == [cards(table, side) for side in SEATS]
    assert sorted(FIFTY) == sorted([*hand(table, "home"), *state(table).squad("home").deck])


@pytest.mark.rule("CL-071", "CL-072", "CL-073", "CL-074")
@each("taken", range(6))
def test_mulligans(taken: int) -> None:
    table = dealt(*["mulligan"] * taken)
    if taken:
        assert "mulligan" in event_codes(table)
    if taken < 5:
        upto(table, "mulligan")
        assert (5, 45, 0) == cards(table)
        give(table, "away", "keep")
    laid = []
    for left in range(taken, 0, -1):
        ask = upto(table, "to-bottom")
        assert left == inside(ask).facts["count"]
        laid.append(options(ask)[-1])
        give(table, "away", laid[-1])
    assert (5 - taken, 45 + taken, 0) == cards(table)
    assert laid == [one.peek() for one in state(table).squad("away").bottom]
    assert sorted(FIFTY) == sorted([*hand(table, "away"), *state(table).squad("away").deck, *laid])
    assert "mulligan" not in {inside(ask).why for _, ask in table.open_asks()}


@pytest.mark.rule("CL-072")
def test_the_manager_who_took_a_mulligan_chooses_what_goes_under_his_deck() -> None:
    table = opening()
    upto(table, "mulligan")
    give(table, "away", "keep")
    give(table, "home", "mulligan")
    upto(table, "mulligan")
    give(table, "home", "keep")
    ask = upto(table, "to-bottom")
    assert ("home", set(hand(table, "home"))) == (ask.seat, set(options(ask)))


@pytest.mark.rule("CL-071")
def test_as_many_mulligans_as_the_house_allows() -> None:
    table = dealt("mulligan", maxMulligans="1")
    assert "to-bottom" == inside(upto(table, "to-bottom")).why
    none = opening(maxMulligans="0")
    assert "mulligan" not in {inside(ask).why for _, ask in run(none, "SO!").open_asks()}
    assert "mulligan" not in [one.ask.why for one in none.answers]
    assert (5, 45, 0) == cards(none)


@pytest.mark.rule("CL-072")
def test_cards_at_the_bottom_are_drawn_last() -> None:
    def position(s: State) -> None:
        s.update_squad("away", bottom=(SealedValue("away", "MOM", -1),))

    table = run(at(away=["DRAW2"], decks=(["STICK"], ()), position=position), "DRAW2", "P2", "S8")
    assert ["STICK", "MOM"] == hand(table, "away")
    assert 0 == state(table).cards_left("away")


@pytest.mark.rule("CL-075")
@each(("house", "held"), [("each", (6, 6)), ("sideThatBatted", (6, 5))])
def test_a_card_is_drawn_after_each_half_inning(house: str, held: tuple[int, int]) -> None:
    five = ["SW+2", "OB+2", "GB>1B", "1B>2B", "SPD+2"]
    table = at("T1 2o ---", away=five, home=five, decks=(FIFTY[5:], FIFTY[5:]), house={"drawPerHalf": house})
    run(table, "SO!")
    assert held == (len(hand(table, "away")), len(hand(table, "home")))
    assert tuple(50 - one for one in held) == tuple(state(table).cards_left(side) for side in SEATS)


@pytest.mark.rule("CL-075")
def test_no_card_is_drawn_after_the_last_half_inning() -> None:
    table = run(at("B9 2o ---", score=(1, 0), decks=(FIFTY, FIFTY)), "SO!")
    assert (0, 50, 0) == cards(table)
    assert table.outcome


SEVEN = ("SW+2", "SW+2b", "OB+2", "CMD-2", "GB>1B", "1B>2B", "SPD+2")


@pytest.mark.rule("CL-076", "CL-053")
def test_seven_cards_at_most_at_a_pitch() -> None:
    coached = {
        "Away": fixture.roster("A", coaches=["Hitter", "Arms", "Bench"]),
        **{
            name: fixture.written("coach", name=name, kind=kind, when="after a walk", do="draw 1")
            for name, kind in {"Hitter": "hitting", "Arms": "pitching", "Bench": "bench"}.items()
        },
    }
    table = at("B1 2o ---", away=SEVEN, decks=(["STICK"], ["MOM"]), cards=coached)
    run(table, "SO!")
    assert 8 == len(hand(table, "away"))
    ask = upto(table, "over-limit")
    assert ("away", 1) == (ask.seat, inside(ask).facts["count"])
    refused(table, 15)
    refused(table, "DRAW2")
    give(table, "away", "SPD+2")
    assert ["SPD+2"] == list(state(table).squad("away").discard)
    assert "pitch" == inside(table.open_asks()[0][1]).why
    seven = at(away=SEVEN, cards=coached)
    assert "pitch" == inside(upto(seven, "pitch")).why
    assert 7 == len(hand(seven, "away"))


@pytest.mark.rule("CL-076")
def test_seven_cards_at_most_at_a_bunt_but_not_at_a_steal() -> None:
    eight = (*SEVEN, "STICK")
    table = at("T5 0o 1--", away=eight)
    upto(table, "offence")
    give(table, "away", "steal-second")
    upto(table, "throw-at")
    assert 8 == len(hand(table, "away"))
    bunt = at("T5 0o 1--", away=eight)
    upto(bunt, "offence")
    give(bunt, "away", "bunt")
    assert "over-limit" == inside(bunt.open_asks()[0][1]).why
    walked = run(at(away=eight), "walk")
    assert 8 == len(hand(walked, "away"))


@pytest.mark.rule("CL-076")
def test_cards_can_change_the_limit() -> None:
    roomy = {"ROOM": fixture.strategy("ROOM", "offense", fixture.BEFORE, "my hand limit +1")}
    table = run(at(away=[*SEVEN, "STICK", "ROOM"], cards=roomy, decks=((), ())), "ROOM", "P2", "S8")
    assert (8, 0, 1) == cards(table)
    tight = {"TIGHT": fixture.strategy("TIGHT", "defense", fixture.BEFORE, "their hand limit -2")}
    table = at(away=SEVEN, home=["TIGHT", *SEVEN], cards=tight)
    assert 2 == inside(upto(table, "over-limit", "TIGHT")).facts["count"]
    assert 7 == len(hand(table, "home"))


@pytest.mark.rule("CL-077")
def test_draws_happen_even_with_a_full_hand() -> None:
    table = at(away=["DRAW2", *SEVEN[:6]], decks=(PAIR, ()))
    ask = upto(table, "over-limit", "DRAW2")
    assert (8, "away") == (len(hand(table, "away")), ask.seat)
    run(table, "STICK", "P2", "S8")
    assert 7 == len(hand(table, "away"))


@pytest.mark.rule("CL-078")
def test_a_card_played_before_the_pitch_makes_room() -> None:
    table = run(at(away=[*SEVEN, "STICK"]), "SW+2", "P2", "S8")
    assert "over-limit" not in [one.ask.why for one in table.answers]
    assert (7, ["SW+2"]) == (len(hand(table, "away")), list(state(table).squad("away").discard))


@pytest.mark.rule("CL-079")
def test_an_empty_deck_gives_no_cards() -> None:
    table = at("T5 2o ---", away=["DRAW2"], decks=(["STICK"], ()))
    upto(table, "pitch", "DRAW2")
    assert (1, 0, 1) == cards(table)
    run(table, "P15", "S3")
    assert ("bottom", (1, 0, 1)) == (state(table).clock.half, cards(table))


@pytest.mark.rule("CL-080")
def test_draws_come_off_the_top() -> None:
    known = {"PEEK": fixture.strategy("PEEK", "neutral", fixture.BEFORE, "look at the top 2 of my deck")}
    table = at(away=["PEEK", "DRAW2"], decks=(FIFTY[:6], ()), cards=known)
    ask = upto(table, "looked", "PEEK")
    first, second = inside(ask).facts["cards"].peek()
    upto(table, "pitch", "seen", "DRAW2")
    assert [first, second] == hand(table, "away")
    assert 4 == state(table).cards_left("away")


@pytest.mark.rule("CL-081")
def test_only_its_owner_sees_a_hand() -> None:
    secret = {"HUSH": fixture.strategy("HUSH", "offense", "after the swing roll", "swing +1")}
    table = at(away=["HUSH", "SW+2"], home=["PT+2"], decks=(["HUSH", "HUSH"], ()), cards=secret)
    upto(table, "pitch")
    run(table, "P2", "S8")
    for viewer in ("home", None):
        leaves = [one for one in everything(table, viewer) if not isinstance(one, str)]
        assert "HUSH" not in json.dumps(leaves)
    assert "HUSH" in json.dumps(everything(table, "away")[0])
    assert {"away": 2, "home": 1} == {side: panel(table, "cards")[side]["hand"] for side in SEATS}
    (mine, theirs) = (
        json_data(table.view_for("away"))["scoreboard"]["panel"]["hands"][side]["cards"] for side in SEATS
    )
    assert (["HUSH", "SW+2"], "hidden") == ([one["name"] for one in mine], theirs)


@pytest.mark.rule("CL-081")
def test_real_hands_are_counts() -> None:
    table = at(away=["SW+2"] * 3, decks=(FIFTY, FIFTY), house={"hands": "real"})
    assert (3, 47, 0) == cards(table)
    run(table, "SW+2", "P2", "S14")
    assert (2, 47, 1) == cards(table)
    own = json_data(table.view_for("away"))["scoreboard"]["panel"]["hands"]["away"]
    assert ([], 2) == (own["cards"], own["real"])


def test_a_real_card_can_be_played_without_being_asked() -> None:
    """From either side's menu, at any at-bat; with dealt cards that reveals nothing about a hand."""
    cards = {"NOTES": fixture.strategy("NOTES", "neutral", "at the start of an at-bat", "draw 1")}
    rules, decks = {"hands": "real"}, (["NOTES"] * 9, ["NOTES"] * 9)
    for side, why in (("away", "offence"), ("home", "defence")):
        held: dict[str, Any] = {side: ["NOTES"]}
        table = run(at("T5 0o ---", cards=cards, house=rules, decks=decks, **held), "SO!")
        assert "play-card" in options(upto(table, why))
        upto(table, "pitch", "play-card", "NOTES")
        assert "cards-at-bat" == [one.ask.why for one in table.answers if one.value == "NOTES"][-1]
    first = at("T1 0o ---", cards=cards, house=rules, decks=decks, away=["NOTES"])
    assert ["swing", "swing-now", "play-card", "swing-on"] == list(options(upto(run(first, "SO!"), "offence")))
    dealt = run(at("T5 0o ---", cards=cards, away=["NOTES"], decks=decks), "SO!")
    assert "play-card" not in options(upto(dealt, "offence"))
