"""Playing cards: who may play which card when, its cost, and where it goes."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine.games.clutch.state import State
from engine.seats import SEATS, Seat
from engine.table import Table
from engine.views import json_data
from tests.each import each
from tests.engine.games.clutch.field import (
    LEFT,
    at,
    by_rule,
    event_codes,
    fact,
    hand,
    mound,
    options,
    playable,
    refused,
    run,
    state,
    swung,
    upto,
)
from tests.engine.games.clutch.fixture import BEFORE, batter, strategy
from tests.engine.tables import inside

CARDS = {
    "AGAIN": strategy("AGAIN", "offense", "after the swing roll", "reroll the swing"),
    "NAT20": strategy("NAT20", "offense", "on any result", "draw 1", **{"if": "a natural 20 on the swing"}),
    "GG": strategy("GG", "defense", "on a throw", "throw +2", **{"if": "an involved player has GG"}),
    "COST2": strategy("COST2", "neutral", BEFORE, "draw 1", cost="discard 1 offense card"),
    "RANDOM": strategy("RANDOM", "neutral", BEFORE, "draw 1", cost="discard 1 at random"),
    "MILL": strategy("MILL", "neutral", BEFORE, "on-base +1", cost="discard 2 from the deck"),
    "SKIP": strategy("SKIP", "neutral", BEFORE, "draw 1", cost="skip the next draw"),
    "FORCE": strategy("FORCE", "offense", BEFORE, "they discard 1"),
    "LUCKY": strategy("LUCKY", "offense", "when a steal is declared", "st +2", success="draw 1", failure="discard 1"),
    "BURST": strategy("BURST", "offense", BEFORE, "swing +1", special="burst"),
    "IMPULSE": strategy("IMPULSE", "defense", BEFORE, "pitch +1", special="impulse"),
    "GO": strategy("GO", "offense", BEFORE, "lead runner br +2"),
    "FAST": strategy("FAST", "offense", BEFORE, "br +2"),
}


def game(where: str = "T5 0o ---", away: Sequence[str] = (), home: Sequence[str] = (), **more: str) -> Table:
    """Return a table with extra cards; `more` are house rules."""
    return at(where, away=away, home=home, cards=CARDS, house=more)


def piles(table: Table, side: Seat = "away") -> tuple[list[str], list[str]]:
    return hand(table, side), list(state(table).squad(side).discard)


# Who, and when (CL-024 to CL-028) ------------------------------------------------------------------------------------


ANY = ["SW-2", "SW+2", "DRAW2"]
GG = {"CF": batter("H-CF", "CF +2", icons=["GG"]), "SS": batter("H-SS", "SS +2", icons=["GG"])}
HOME = "1B! to-home at-home"


@pytest.mark.parametrize(
    ("side", "window", "where", "held", "script", "may", "cards"),
    by_rule(
        # Blue cards belong to the offense, red ones to the defense, gray ones to either.
        ("CL-024", "away", "before-pitch", "T5 0o ---", ANY, "", ("SW+2", "DRAW2"), {}),
        ("CL-024", "home", "before-pitch", "T5 0o ---", ANY, "", ("SW-2", "DRAW2"), {}),
        # A card waits for its trigger.
        ("CL-026", "away", "result", "T5 0o ---", ["GB>1B"], "FB!", (), {}),
        ("CL-026", "away", "result", "T5 0o ---", ["GB>1B"], "GB!", ("GB>1B",), {}),
        # Some need a Clutch Moment; bases loaded is one, checked when the card is played (AM-38).
        ("CL-027", "away", "before-pitch", "T3 0o ---", ["CL-SW"], "", (), {}),
        ("CL-027", "away", "before-pitch", "T3 0o 123", ["CL-SW"], "", ("CL-SW",), {}),
        # A cost must be payable, here with an offense card.
        ("CL-217", "away", "before-pitch", "T5 0o ---", ["COST1"], "", (), {}),
        ("CL-217", "away", "before-pitch", "T5 0o ---", ["COST2", "SW-2"], "", (), {}),
        # A natural roll is the face of the die, without bonuses (AM-48); after a reroll, the new face.
        ("CL-223", "away", "result", "T5 0o ---", ["SWR+2", "NAT20"], "P2 S20 SWR+2", ("NAT20",), {}),
        ("CL-223", "away", "result", "T5 0o ---", ["SWR+2", "NAT20"], "P2 S18 SWR+2", (), {}),
        ("CL-223", "away", "result", "T5 0o ---", ["AGAIN", "NAT20"], "P2 S3 AGAIN X20", ("NAT20",), {}),
        # A player is involved if his numbers count: for an outfield throw the center fielder, not the shortstop.
        ("CL-224", "home", "throw", "T5 0o -2-", ["GG"], HOME, ("GG",), {"H-CF": GG["CF"]}),
        ("CL-224", "home", "throw", "T5 0o -2-", ["GG"], HOME, (), {"H-SS": GG["SS"]}),
    ),
)
def test_which_cards_may_be_played(
    side: Seat, window: str, where: str, held: list[str], script: str, may: tuple[str, ...], cards: dict[str, str]
) -> None:
    table = at(where, away=held, home=held if side == "home" or held is ANY else (), cards={**CARDS, **cards})
    assert set(may) == set(playable(table, side, window, *script.split()))
    if held is ANY:
        refused(table, "SW+2" if side == "home" else "SW-2")


@pytest.mark.rule("CL-027")
def test_a_clutch_moment_may_pass() -> None:
    off = {"OFF": strategy("OFF", "defense", BEFORE, "remove the lead runner")}
    table = at("T3 0o 123", away=["CL-SW"], home=["OFF"], cards=off)
    run(table, "CL-SW", "OFF", "P2", "S14")
    assert (16, "2B") == swung(table)


@pytest.mark.rule("CL-025")
def test_burst_and_impulse_are_only_names() -> None:
    """Such cards have their effects and nothing else (AM-43)."""
    table = run(game(away=["BURST"], home=["IMPULSE"]), "IMPULSE", "BURST", "P2", "S14")
    assert (6, (15, "1B")) == (fact(table, "pitch", "total"), swung(table))
    assert (["BURST"], ["IMPULSE"]) == (piles(table)[1], piles(table, "home")[1])


@pytest.mark.rule("CL-206", "CL-207", "CL-208")
def test_a_title_can_be_played_once_in_an_at_bat() -> None:
    table = game(away=["SW+2", "SW+2", "DRAW2"], home=["DRAW2"])
    assert ("DRAW2",) == playable(table, "away", "before-pitch", "home:DRAW2", "SW+2")
    run(table, "DRAW2", "P2", "S8")
    assert ["SW+2", *LEFT[:2]] == hand(table, "away")
    assert ("SW+2",) == playable(table, "away", "before-pitch")


# What it costs (CL-217, AM-47) ---------------------------------------------------------------------------------------


@pytest.mark.rule("CL-217")
@each(("hand", "may"), [(["SW-2", "SW+2", "PT+2"], True), (["SW-2", "PT+2", "PT+2b"], False)])
def test_two_costs_are_paid_with_two_cards(hand: list[str], may: bool) -> None:
    """Any card and an offense card: the only offense card is not spent on the other cost."""
    dear = {"DEAR": strategy("DEAR", "defense", BEFORE, "draw 1", cost=["discard 1", "discard 1 offense card"])}
    held = ["DEAR", *hand[1:]]
    assert may == ("DEAR" in playable(at("T5 0o ---", home=held, cards=dear), "home", "before-pitch"))
    if may:
        table = at("T5 0o ---", home=held, cards=dear, decks=((), ("MOM",)))
        assert ("SW+2",) == options(upto(table, "pay", "DEAR"))


@pytest.mark.rule("CL-217")
def test_a_cost_must_be_payable() -> None:
    table = at(away=["COST1", "SW-2"], decks=(["MOM", "STICK", "GB>1B"], ()))
    run(table, "COST1", "SW-2", "P2", "S8")
    assert (["MOM", "STICK"], ["SW-2", "COST1"]) == piles(table)


@pytest.mark.rule("CL-217")
def test_other_costs() -> None:
    table = game(away=["COST2", "SW-2", "SW+2"])
    assert ("SW+2",) == options(upto(table, "pay", "COST2"))
    table = run(game(away=["RANDOM", "SW-2"]), "RANDOM", "P2", "S8")
    assert ([*LEFT[:1]], ["SW-2", "RANDOM"]) == piles(table)
    assert () == playable(at(away=["MILL"], decks=(["SW-2"], ()), cards=CARDS), "away", "before-pitch")
    table = run(at(away=["MILL"], decks=(["SW-2", "MOM", "STICK"], ()), cards=CARDS), "MILL", "P2", "S8")
    assert (3, 1) == (len(piles(table)[1]), state(table).cards_left("away"))
    table = at("T5 2o ---", away=["SKIP"], decks=(["SW-2", "MOM", "STICK"], ["STICK"]), cards=CARDS)
    run(table, "SKIP", "SO!")
    assert (["SW-2"], ["SKIP"]) == piles(table)
    assert ["STICK"] == hand(table, "home")


@each("side", SEATS)
def test_the_owner_of_a_real_deck_says_what_its_top_card_was(side: Seat) -> None:
    """Also if the hand is empty: the card comes from the deck."""
    mine, deck = ["MILL"], ["MILL", "MOM", "STICK", "SPD+2"]
    hands = (mine, ()) if side == "away" else ((), mine)
    table = at(away=hands[0], home=hands[1], decks=(deck, deck), cards=CARDS, house={"hands": "real"})
    ask = upto(table, "milled", f"{side}:MILL")
    assert (side, True, 0) == (ask.seat, "MOM" in options(ask), state(table).hand_size(side))


@pytest.mark.rule("CL-218", "CL-220", "CL-057")
def test_a_played_card_is_visible() -> None:
    table = run(game(away=["SW+2", "OB+2"]), "SW+2", "P2", "S8")
    assert (["OB+2"], ["SW+2"]) == piles(table)
    for viewer in ("home", None):
        shown = json_data(table.view_for(viewer))["scoreboard"]["panel"]["cards"]["away"]
        assert (["SW+2"], 1, len(LEFT)) == (shown["discard"], shown["hand"], shown["deck"])


@pytest.mark.rule("CL-219")
def test_the_other_manager_discards() -> None:
    """As many as he can: of three one, of none nothing. The card may be played either way (AM-47)."""
    table = game(away=["FORCE"], home=["PT+2", "SW-2", "PR-1"])
    ask = upto(table, "discard", "FORCE")
    assert "home" == ask.seat
    run(table, "SW-2", "P2", "S8")
    assert (["PT+2", "PR-1"], ["SW-2"]) == piles(table, "home")
    table = run(game(away=["FORCE"]), "FORCE", "P2", "S8")
    assert (([], ["FORCE"]), ([], [])) == (piles(table), piles(table, "home"))


# Effects of cards (CL-223 to CL-228) ---------------------------------------------------------------------------------


@pytest.mark.rule("CL-225")
def test_success_is_judged_after_both_effects() -> None:
    """A throw of 16 would beat 15; with the card it does not, and a card is drawn."""
    table = at("T5 0o 1--", away=["LUCKY"], decks=(["STICK", "MOM"], ()), cards=CARDS)
    run(table, "steal-second", "LUCKY", "at-second", "D7", "P2", "S8")
    assert ["STICK"] == hand(table, "away")
    caught = at("T5 0o 1--", away=["LUCKY", "MOM"], decks=(["STICK"], ()), cards=CARDS)
    run(caught, "steal-second", "LUCKY", "at-second", "D9", "MOM", "P2", "S8")
    assert ([], ["LUCKY", "MOM"]) == piles(caught)


@pytest.mark.rule("CL-225")
def test_a_steal_without_a_throw_is_a_success() -> None:
    table = at("T5 0o 12-", away=["LUCKY"], decks=(["STICK", "MOM"], ()), cards=CARDS)
    upto(table, "pitch", "steal-third", "LUCKY", "no-throw")
    assert ["STICK"] == hand(table, "away")


@pytest.mark.rule("CL-226", "CL-227")
def test_a_card_for_players_does_not_treat_the_batter_as_a_runner() -> None:
    table = game("T5 0o 12-", away=["FAST"])
    ask = upto(table, "which-runner", "FAST")
    assert {"A-RF", "A-CF"} == set(options(ask))
    assert "Bx" == state(table).batter_card.name
    run(table, "A-CF", "P2", "S12", "to-home", "at-home", "D16")
    assert "throw-safe" in event_codes(table)


@pytest.mark.rule("CL-227")
def test_only_the_lead_runner_is_faster() -> None:
    """A card for the lead runner does not help another runner, even if he is thrown at."""
    for target, speed in (("at-third", 15), ("at-home", 20)):
        table = game("T5 0o 12-", away=["GO"])
        run(table, "GO", "1B!", "to-third-home", target, "D10")
        assert speed == fact(table, "throw-safe", "speed")


@pytest.mark.rule("CL-228")
def test_which_batters_were_pitched_to() -> None:
    """A strikeout and a sacrifice were pitches; an intentional walk was not, and its row goes on."""
    for script, row, pitched in ((("SO!",), 0, True), (("bunt", "B13"), 0, True), (("walk",), 2, False)):
        table = at("T5 0o 1--", position=one_walked)
        run(table, *script)
        assert (row, pitched) == (state(table).walked, mound(table).pitched)


def one_walked(s: State) -> None:
    s.walked = 1


@pytest.mark.rule("CL-206", "CL-208")
def test_between_at_bats_a_title_may_be_played_again() -> None:
    """At the end of a half-inning, even if it was played in its last at-bat."""
    cards = {"BOTH": strategy("BOTH", "neutral", [BEFORE, "at the end of a half-inning"], "draw 1")}
    table = at("T5 2o ---", away=["BOTH", "BOTH"], cards=cards, decks=(["SW+2", "OB+2"], []))
    assert ("BOTH",) == playable(table, "away", "end", "BOTH", "SO!")


# Left on a player (CL-145) -------------------------------------------------------------------------------------------


@pytest.mark.rule("CL-145")
@each("lasts", [{"leave": "batter"}, {"lasts": "while the player is in the game"}])
def test_a_card_on_a_batter_says_nothing_about_the_next(lasts: dict[str, str]) -> None:
    """What it ignores, forbids or makes of icons holds only while he bats."""
    cards = {
        "OFF": strategy("OFF", "neutral", "at the start of an at-bat", "ignore offense cards", **lasts),
        "BAN": strategy("BAN", "neutral", "at the start of an at-bat", "forbid steals", **lasts),
        "BARE": strategy("BARE", "neutral", "at the start of an at-bat", "ignore icons", **lasts),
        "ICON": strategy("ICON", "neutral", BEFORE, "swing +1", **{"if": "the batter has HR"}),
        "Bx": batter("Bx", icons=["HR"]),
        "A-CA": batter("A-CA", "CA +8", icons=["HR"]),
    }
    table = at("T6 0o 1--", away=["OFF", "BAN", "BARE", "SW+2", "SW+2", "ICON"], cards=cards)
    first = inside(upto(table, "offence", "OFF", "BAN", "BARE"))
    assert "steal-second" not in options(first)
    assert ("SW+2",) == playable(table, "away", "before-pitch")
    run(table, "SW+2", "P2", "S7")
    assert (7, "BB") == swung(table)
    assert "steal-third" in options(upto(table, "offence"))
    assert ("SW+2", "ICON") == playable(table, "away", "before-pitch")
    run(table, "SW+2", "P2", "S7")
    assert (9, "BB") == swung(table)


@pytest.mark.rule("CL-222")
@each("after", [("home:D",), ("away:E",), ("away:E", "home:D"), ()])
def test_a_card_stays_negated_whatever_is_played_on_it_afterwards(after: tuple[str, ...]) -> None:
    """Both managers may still answer the negated card; what they play takes effect, and the card does not."""
    played = "when a card is played"
    cards = {
        "N": strategy("N", "defense", played, "negate the card"),
        "D": strategy("D", "defense", played, "command +1"),
        "E": strategy("E", "offense", played, "on-base +1"),
    }
    table = at(away=["SW+2", "E"], home=["N", "D"], cards=cards, decks=((), ()))
    run(table, "SW+2", "N", "home:pass", "away:pass", *after, "P2", "S9")
    assert (9, "BB") == swung(table)
    assert (5 + ("home:D" in after), 10 + ("away:E" in after)) == (
        fact(table, "pitch", "total"),
        fact(table, "pitch", "on_base"),
    )
    assert ["SW+2"] == [one.event.facts["card"] for one in table.log if one.event.code == "negated"]
