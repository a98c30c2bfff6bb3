"""Automatic effects: stadiums, weather, Momentum cards and cards left on a player; and negating cards."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from engine.asks import Roll
from engine.errors import DeckError
from engine.games.clutch.cards.effects import CardEffect, EffectDuration
from engine.games.clutch.state import EffectInForce, State
from engine.seats import Seat
from engine.table import Table
from engine.views import json_data
from tests.each import each
from tests.engine.games.clutch.field import (
    at,
    event_codes,
    fact,
    hand,
    now,
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
from tests.engine.tables import panel


def stadium(when: str, do: str, **fields: object) -> str:
    return written("stadium", name="YARD", when=when, do=do, **fields)


def weather(when: str, do: str, **fields: object) -> str:
    return written("weather", name="FOG", when=when, do=do, **fields)


CARDS = {
    "NO-YARD": strategy("NO-YARD", "defense", BEFORE, "ignore the stadium"),
    "NO-FOG": strategy("NO-FOG", "offense", BEFORE, "ignore the weather"),
    "NEG": strategy("NEG", "defense", "when a card adds to the swing", "negate the card"),
    "NEG-ANY": strategy("NEG-ANY", "neutral", "when a card is played", "negate the card"),
    "COUNTER": strategy("COUNTER", "offense", "when a card is played", "negate the card"),
    "SURE": strategy("SURE", "offense", BEFORE, "swing +2 and cannot be negated"),
    "BURDEN": strategy("BURDEN", "offense", BEFORE, "swing +2 and discard 1"),
    "NO-CARDS": strategy("NO-CARDS", "defense", "after the swing roll", "ignore offense cards"),
    "IS-MOM": strategy("IS-MOM", "offense", BEFORE, "draw 1", **{"if": "a momentum card is in play"}),
}


def game(
    text: str = "", away: Sequence[str] = (), home: Sequence[str] = (), where: str = "T5 0o ---", **more: str
) -> Table:
    """Return a table with these cards, and a stadium or weather with this text; decks have four cards."""
    named = "YARD" if "[[stadium]]" in text else "FOG"
    brings = {named: text, **({"Home": roster("H", stadium="YARD")} if named == "YARD" else {})} if text else {}
    decks = (["STICK"] * 4, ["MOM"] * 4)
    place: Callable[[State], None] | None = {"YARD": yard, "FOG": fog}[named] if text else None
    arm = {"faced": 12, "outs": 9, "finished": True}
    return at(where, away=away, home=home, cards={**CARDS, **brings}, house=more, decks=decks, position=place, arm=arm)


def yard(s: State) -> None:
    s.stadium = "YARD"


def fog(s: State) -> None:
    s.weather = "FOG"


# Stadiums (CL-062 to CL-064, AM-45) ----------------------------------------------------------------------------------


@pytest.mark.rule("CL-062")
def test_a_stadium_acts_by_itself() -> None:
    text = stadium("after a home run", "the offense draws 1")
    table = run(game(text), "HR!")
    assert (["STICK"], []) == (hand(table, "away"), hand(table, "home"))
    run(table, "1B!")
    assert ["STICK"] == hand(table, "away")
    table = run(game(text, home=["NO-YARD"]), "NO-YARD", "HR!")
    assert [] == hand(table, "away")
    run(table, "HR!")
    assert ["STICK"] == hand(table, "away")


@pytest.mark.rule("CL-062")
def test_a_stadium_affects_both_sides() -> None:
    table = run(game(stadium("after a home run", "the offense draws 1"), where="B5 0o ---"), "HR!")
    assert ([], ["MOM"]) == (hand(table, "away"), hand(table, "home"))


@pytest.mark.rule("CL-064")
@each(("hit", "tries", "total"), [("1B!", "to-home", 14), ("2B!", "to-home", 16)])
def test_bonuses_last_as_long_as_the_main_effect(hit: str, tries: str, total: int) -> None:
    text = stadium("on a 2B", "swing +1", defensive_for="plays LF", defensive="defense +2")
    table = game(text, where="T5 0o -2-" if hit == "1B!" else "T5 0o 1--")
    run(table, hit, tries, "at-home", "D10")
    assert total == fact(table, "throw-safe", "total")


@pytest.mark.rule("CL-064")
@each(("icons", "speed"), [(["SB"], 20), (["GG"], 18)])
def test_runners_may_have_a_bonus(icons: list[str], speed: int) -> None:
    text = stadium("on a hit", "swing +1", offensive_for="has SB", offensive="br +2")
    brings = {"YARD": text, "Home": roster("H", stadium="YARD"), "A-CF": batter("A-CF", "CF +2", icons=icons)}
    table = at("T5 0o -2-", cards=brings, position=yard)
    run(table, "1B!", "to-home", "at-home", "D10")
    assert speed == fact(table, "throw-safe", "speed")


@pytest.mark.rule("CL-064")
def test_the_main_effect_depends_on_the_outcome() -> None:
    text = stadium("on a 2B", "the defense draws 1")
    table = run(game(text, away=["1B>2B"]), "1B!", "1B>2B")
    assert ["MOM"] == hand(table, "home")
    back = {"2B>1B": strategy("2B>1B", "defense", "on a 2B", "change 2B to 1B")}
    table = at(
        home=["2B>1B"],
        cards={**back, "YARD": text, "Home": roster("H", stadium="YARD")},
        decks=((), ["MOM"]),
        position=yard,
    )
    run(table, "2B!", "2B>1B")
    assert [] == hand(table, "home")


@pytest.mark.rule("CL-393")
@each(("where", "swing"), [("T3 0o 123", (16, "2B")), ("T3 0o ---", (14, "1B"))])
def test_a_stadium_may_add_clutch(where: str, swing: tuple[int, str]) -> None:
    text = stadium(BEFORE, "swing + batter's clutch", **{"if": "a clutch moment"})
    assert swing == swung(run(game(text, where=where), "P2", "S14"))


# Weather (CL-386, AM-51) ---------------------------------------------------------------------------------------------


@pytest.mark.rule("CL-386")
@each(("lasts", "helped"), [("2 half-innings", 2), ("this game", 4)])
def test_weather_lasts_as_long_as_it_says(lasts: str, helped: int) -> None:
    def position(s: State) -> None:
        s.weather, s.phase, s.begun = "FOG", "hands", False

    brings = {"FOG": weather("as the game begins", "on-base -1", lasts=lasts)}
    table = at("T1", cards=brings, position=position, house={"weather": "on", "maxMulligans": "0"})
    seen = []
    for _ in range(12):
        run(table, "SO!")
        seen.append(pitched(table)[1])
    assert [9] * 3 * helped + [10] * (12 - 3 * helped) == seen


@pytest.mark.rule("CL-387", "CL-386")
def test_the_control_die_belongs_to_the_weather() -> None:
    """Only weather cards may call for the d16."""
    table = game(weather("at the start of an at-bat", "on-base -1 if a d16 shows 9 or more"))
    ask = upto(table, "card-die")
    assert isinstance(ask, Roll)
    assert ["d16"] == [die.kind for die in ask.dice]
    refused(table, 17)
    assert 9 == pitched(run(table, "X9", "P2", "S8"))[1]
    assert 10 == pitched(run(table, "X8", "P2", "S8"))[1]
    for do in ("swing + d16", "draw 1 if a d16 shows 9 or more", "d16 for the swing"):
        with pytest.raises(DeckError, match="weather cards alone"):
            at(cards={"X": strategy("X", "offense", BEFORE, do)})


@pytest.mark.rule("CL-386")
def test_repeated_effects_do_not_add_up() -> None:
    table = game(weather(BEFORE, "swing -1"), away=["NO-FOG"])
    for _ in range(3):
        run(table, "P2", "S8")
        assert 7 == swung(table)[0]
    run(table, "NO-FOG", "P2", "S8")
    assert (8, "FOG") == (swung(table)[0], panel(table, "weather")["name"])


def test_the_weather_does_nothing_at_once_either_if_it_is_ignored() -> None:
    table = run(game(weather("after a home run", "the offense draws 1"), away=["NO-FOG"]), "NO-FOG", "HR!")
    assert [] == hand(table, "away")
    run(table, "HR!")
    assert ["STICK"] == hand(table, "away")


# Momentum, and cards left on players (CL-221, AM-44) -----------------------------------------------------------------


@pytest.mark.rule("CL-221")
def test_a_momentum_card_stays_until_its_end() -> None:
    table = game(away=["MOM", "IS-MOM"])
    assert () == playable(game(away=["IS-MOM"]), "away", "before-pitch")
    seen = []
    for script in (("MOM", "1B!"), ("LD!",), ("SO!",), ("BB!",)):
        run(table, *script)
        seen.append((pitched(table)[1], "MOM" in state(table).squad("away").discard))
    assert [(11, False), (11, False), (11, True), (10, True)] == seen
    assert "leaves-play" in event_codes(table)


@pytest.mark.rule("CL-221")
def test_momentum_belongs_to_its_owner() -> None:
    table = game(away=["MOM"], where="T5 2o ---")
    run(table, "MOM", "LD!")
    run(table, "SO!")
    assert 10 == pitched(table)[1]
    assert ["MOM"] == [
        one["name"] for one in json_data(table.view_for(None))["scoreboard"]["panel"]["cards"]["away"]["play"]
    ]
    run(table, "SO!")
    run(table, "SO!")
    run(table, "BB!")
    assert (11, ()) == (pitched(table)[1], state(table).squad("away").discard)


@pytest.mark.rule("CL-221")
def test_momentum_counts_toward_the_cap() -> None:
    """Two of them and a card are capped at three; each was played once (AM-44)."""
    table = game(away=["MOM", "MOM", "OB+2"])
    run(table, "MOM", "1B!")
    run(table, "MOM", "OB+2", "P9", "S12")
    assert 13 == pitched(table)[1]
    run(table, "BB!")
    assert 12 == pitched(table)[1]


@pytest.mark.rule("CL-221")
def test_a_card_left_on_a_batter_leaves_with_him() -> None:
    table = game(away=["STICK"])
    run(table, "STICK", "BB!")
    assert 11 == pitched(table)[1]
    run(table, "BB!")
    assert (10, ("away", "Bx")) == (pitched(table)[1], state(table).kept[0].on)


@pytest.mark.rule("CL-221")
@each(("side", "on_base"), [("away", 10), ("home", 11)])
def test_a_card_is_on_one_teams_player_even_if_both_have_him(side: Seat, on_base: int) -> None:
    def stuck(s: State) -> None:
        s.standing = (
            EffectInForce(
                "STICK", "away", CardEffect("", "mod", "on_base", 1), EffectDuration("", "play"), on=(side, "Bx")
            ),
        )

    twin = {"Home": roster("H").replace("H-DH", "Bx")}
    table = run(at("B6 0o ---", cards=twin, position=stuck), "BB!")
    assert ("Bx", on_base) == (fact(table, "pitch", "batter"), pitched(table)[1])


# Negating (CL-222, AM-46) --------------------------------------------------------------------------------------------


@pytest.mark.rule("CL-222")
def test_a_card_is_negated() -> None:
    table = game(away=["SW+2", "SW+2", "OB+2"], home=["NEG"])
    assert () == playable(game(away=["OB+2"], home=["NEG"]), "home", "card", "OB+2")
    assert ("OB+2",) == playable(table, "away", "before-pitch", "SW+2", "NEG")
    run(table, "P2", "S14")
    assert (14, "1B") == swung(table)
    assert (("SW+2",), ("NEG",)) == tuple(state(table).squad(side).discard for side in ("away", "home"))


@pytest.mark.rule("CL-222")
def test_nobody_negates_his_own_card() -> None:
    assert () == playable(game(away=["SW+2", "NEG-ANY"]), "away", "card", "SW+2")
    table = game(away=["SW+2", "NEG-ANY", "COUNTER"], home=["NEG-ANY"])
    ask = upto(table, "cards-card", "SW+2")
    assert "home" == ask.seat
    until(table, "NEG-ANY")
    assert "away" == upto(table, "cards-card").seat
    run(table, "COUNTER", "P2", "S14")
    assert (16, "2B") == swung(table)
    assert ["NEG-ANY"] == hand(table, "away")


@pytest.mark.rule("CL-222")
def test_some_cards_cannot_be_negated() -> None:
    table = game(away=["SURE", "SW+2b"], home=["NEG"])
    assert () == playable(table, "home", "card", "SURE")
    table = game(away=["SURE", "SW+2b"], home=["NEG"])
    assert ("NEG",) == playable(table, "home", "card", "SURE", "SW+2b")
    run(table, "NEG", "P2", "S14")
    assert (16, "2B") == swung(table)


@pytest.mark.rule("CL-222")
def test_costs_stay_paid_and_effects_do_not_happen() -> None:
    """The owner keeps the cards it would have made him discard, but not what he paid."""
    table = run(game(away=["BURDEN", "MOM"], home=["NEG"]), "BURDEN", "NEG", "P2", "S14")
    assert ((14, "1B"), ["MOM"]) == (swung(table), hand(table, "away"))
    paid = {"PAID": strategy("PAID", "offense", BEFORE, "swing +2", cost="discard 1")}
    table = at(away=["PAID", "MOM"], home=["NEG"], cards={**CARDS, **paid})
    run(table, "PAID", "MOM", "NEG", "P2", "S14")
    assert ((14, "1B"), ("MOM", "PAID")) == (swung(table), state(table).squad("away").discard)


@pytest.mark.rule("CL-222")
@each("cost", ["discard 1", "discard 1 at random", "discard 1 from the deck", "skip the next draw"])
@each("returned", ["false", "true"])
def test_a_house_rule_returns_the_cost_of_a_negated_card(cost: str, returned: str) -> None:
    """Each card goes back to the hand or the top of the deck; the negated one stays discarded (AM-46)."""
    cards = {**CARDS, "PAID": strategy("PAID", "offense", BEFORE, "swing +2", cost=cost)}
    house = {"negatedCostReturned": returned}
    table = at(away=["PAID", "MOM"], home=["NEG"], cards=cards, decks=(("SW+2",), ()), house=house)
    choice = {"discard 1": ("MOM",), "discard 1 at random": ("MOM",), "discard 1 from the deck": ("SW+2",)}
    run(table, "PAID", *choice.get(cost, ()), "NEG", "P2", "S14")
    squad, back = state(table).squad("away"), returned == "true"
    paid = {"MOM", "SW+2"} & set(squad.discard)
    assert (14, "1B") == swung(table)
    assert ("PAID" in squad.discard, 0 if back or not cost.startswith("skip") else 1) == (True, squad.skips)
    assert (set() if back else {*choice.get(cost, ())}) == paid
    assert (["MOM"], 1) == (hand(table, "away"), state(table).cards_left("away")) or not back
    assert (back and not cost.startswith("skip")) == ("taken-back" in event_codes(table))


@pytest.mark.rule("CL-222")
def test_a_negated_card_does_not_come_back() -> None:
    table = game(away=["SW+2"], home=["NEG"])
    run(table, "SW+2", "NEG", "new-pitcher", "Rx", "P2", "S14")
    assert "take-back" not in [one.ask.why for one in table.answers]
    assert [] == hand(table, "away")


@pytest.mark.rule("CL-222")
def test_cards_in_force_may_be_ignored() -> None:
    table = run(game(away=["SW+2", "SW+2b"], home=["NO-CARDS", "SW-2"]), "SW-2", "SW+2", "P2", "S14", "NO-CARDS")
    assert (12, "T5 0o 1--") == (swung(table)[0], now(table))


@each("scope", ["half-inning", "inning", "game"])
@each("half", ["T", "B"])
@each("of", ["card", "effect"])
def test_what_happens_for_the_first_time_happens_once(half: str, scope: str, of: str) -> None:
    """In the half-inning, inning or game, whichever side is at bat, for a whole card or one effect of it."""
    condition = f"the first time this {scope}"
    if of == "card":
        text = stadium("after a single", "the offense draws 1", **{"if": condition})
    else:
        text = stadium("after a single", f"the offense draws 1 if {condition}")
    table = run(game(text, where=f"{half}5 0o ---"), "1B!", "1B!")
    assert 1 == event_codes(table).count("draws")
