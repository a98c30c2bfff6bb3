"""Cards that come back to the hand after a pinch hitter or a new pitcher (3.9.A)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from engine.seats import Seat
from engine.table import Table
from tests.each import each
from tests.engine.games.clutch.field import (
    at,
    event_codes,
    fact,
    hand,
    options,
    pitched,
    playable,
    run,
    state,
    until,
    upto,
)
from tests.engine.games.clutch.fixture import BEFORE, batter, pitcher, roster, strategy, written
from tests.engine.tables import inside

START = "at the start of an at-bat"
LEFTY = {"if": "the batter bats left"}
LONG = {"outs": 15, "faced": 20, "finished": True}
"""The record of a pitcher who may leave."""


def game(side: Seat, when: str, do: Any, where: str = "T6 0o ---", **fields: Any) -> Table:
    """Return a table where one side holds V, against a batter who bats left; Rx throws left. `fields` are V's; with
    "house" they are house rules too.
    """
    house = fields.pop("house", {})
    of = "defense" if side == "home" else "offense"
    cards = {
        "V": strategy("V", of, when, do, **fields),
        "Bx": batter("Bx", hand="L"),
        "Rx": pitcher("Rx", "RP 1", hand="L"),
    }
    hands: dict[str, Sequence[str]] = {side: ["V"]}
    return at(where, cards=cards, arm=LONG, house=house, decks=(["SPARE"] * 9, ["SPARE"] * 9), **hands)  # type: ignore[arg-type]


VOID = [
    (START, "pitch +2", LEFTY),
    (BEFORE, "pitch +2", LEFTY),
    (BEFORE, ["pitch +2", "draw 1"], LEFTY),
    (BEFORE, "pitch +2 if the batter bats left", {}),
    (BEFORE, "pitch +2", {"leave": "batter"}),
    (START, "pitch +2", {"leave": "batter"}),
    (BEFORE, "reroll the swing", LEFTY),
    (BEFORE, "pitch +2", {"if": "the batter bats left and the first time this game"}),
    (BEFORE, "pitch +2", {**LEFTY, "success": "draw 1", "failure": "draw 1"}),
]
"""Cards that only count against the batter at the plate."""


@pytest.mark.rule("CL-201")
@each(("when", "do", "fields"), VOID)
@each("counts", ["false", "true"])
def test_a_card_made_void_by_a_pinch_hitter_comes_back(when: str, do: Any, fields: Any, counts: str) -> None:
    """Whatever its wording and timing, nobody is asked, and it no longer counts. P6 and Command 3 make 9."""
    table = game("home", when, do, house={"returnedCardCountsAsPlayed": counts}, **fields)
    run(table, "V", "away:pinch-hitter", "A-CA2", "P6", "S14")
    assert (9, "1B") == (pitched(table)[0], state(table).last[-1])
    assert (["V"] if "draw 1" not in do else ["V", "SPARE"]) == sorted(hand(table, "home"), reverse=True)
    assert () == state(table).squad("home").discard
    assert () == state(table).kept
    assert {"taken-back"} == {"taken-back", "leaves-play"} & set(event_codes(table))
    assert "take-back" not in [one.ask.why for one in table.answers]


@pytest.mark.rule("CL-201", "CL-312")
@each(("counts", "walk", "again"), [("false", True, ("V",)), ("true", False, ())])
def test_a_card_that_came_back_was_not_played(counts: str, walk: bool, again: tuple[str, ...]) -> None:
    """So the pinch hitter can be walked, or another one faced with it; unless a house rule counts it (AM-04)."""
    cards = {"V": strategy("V", "defense", [START, BEFORE], "pitch +2", **LEFTY), "Bx": batter("Bx", hand="L")}
    cards["A-CA2"] = batter("A-CA2", "CA +8", hand="S")
    cards["A-SS2"] = batter("A-SS2", "SS +2", hand="R")
    house = {"returnedCardCountsAsPlayed": counts}
    table = at("T6 0o ---", home=["V"], cards=cards, arm=LONG, house=house, decks=((), ()))
    until(table, "V", "pinch-hitter", "A-SS2")
    assert walk == (inside(table.open_asks()[0][1]).why == "walk")
    until(table, "pinch-hitter", "A-CA2")
    assert again == playable(table, "home", "before-pitch")


@pytest.mark.rule("CL-202")
@each(("word", "total", "held"), [("leave", 11, []), ("take-back", 9, ["V"])])
@each("when", [START, BEFORE])
def test_a_card_that_still_counts_comes_back_if_its_owner_likes(
    when: str, word: str, total: int, held: list[str]
) -> None:
    table = game("home", when, "pitch +2")
    ask = upto(table, "take-back", "V", "pinch-hitter", "A-CA2")
    assert ("home", ("leave", "take-back")) == (ask.seat, options(ask))
    run(table, word, "P6", "S14")
    assert (total, held) == (pitched(table)[0], hand(table, "home"))
    assert (("V",) if word == "leave" else ()) == state(table).squad("home").discard


@pytest.mark.rule("CL-202")
@each(("word", "total"), [("leave", 11), ("take-back", 9)])
def test_a_card_with_a_condition_in_its_effect_may_come_back(word: str, total: int) -> None:
    """It counts against the pinch hitter, too, so its owner is asked, as for a card that says it without "if"."""
    table = game("home", BEFORE, "pitch +2 if bases empty, else pitch +1")
    assert "V" == inside(upto(table, "take-back", "V", "pinch-hitter", "A-CA2")).facts["card"]
    assert total == pitched(run(table, word, "P6", "S14"))[0]
    drawing = game("home", BEFORE, "draw 1 if bases empty, pitch +2")
    run(drawing, "V", "pinch-hitter", "A-CA2", "P6", "S14")
    assert "take-back" not in [one.ask.why for one in drawing.answers]


@pytest.mark.rule("CL-145", "CL-203")
def test_of_two_copies_on_a_pitcher_one_comes_back() -> None:
    """The one of an earlier at-bat is discarded with him; the one of this at-bat comes back."""
    cards = {"V": strategy("V", "offense", BEFORE, "command -1", leave="pitcher")}
    table = run(at("T6 0o ---", away=["V", "V"], cards=cards, arm=LONG, decks=((), ())), "V", "P6", "S14")
    run(table, "V", "home:new-pitcher", "Rx", "P6", "S14")
    s = state(table)
    assert (9, ["V"], ("V",), (), ()) == (
        pitched(table)[0],
        hand(table, "away"),
        s.squad("away").discard,
        s.kept,
        s.standing,
    )


@pytest.mark.rule("CL-145")
def test_a_copy_on_another_player_stays() -> None:
    """The copy on the batter who is replaced is discarded; the one on Bx still counts when he bats again."""
    cards = {"V": strategy("V", "offense", START, "on-base +1", leave="batter")}
    table = run(at("T6 0o ---", away=["V", "V"], cards=cards, decks=((), ())), "V", "P6", "S14")
    run(table, "V", "pinch-hitter", "A-CA2", "P6", "S14")
    assert [("away", "Bx")] == [one.on for one in state(table).kept] == [one.on for one in state(table).standing]
    assert ("V",) == state(table).squad("away").discard


@pytest.mark.rule("CL-202")
def test_a_card_that_stopped_counting_before_is_not_void_by_the_pinch_hitter() -> None:
    """It waits for a runner on first, who has stolen second meanwhile."""
    cards = {"V": strategy("V", "defense", START, "pitch +2", **{"if": "a runner on first"})}
    table = at("T6 0o 1--", home=["V", "PT+2"], cards=cards, arm=LONG)
    upto(table, "take-back", "V", "steal-second", "no-throw", "PT+2", "pinch-hitter", "A-CA2")
    assert ["V", "PT+2"] == asked_about(table)


def asked_about(table: Table) -> list[str]:
    """Leave all cards, and return those that their owner was asked about."""
    found: list[str] = []
    while (ask := inside(table.open_asks()[0][1])).why == "take-back":
        found.append(str(ask.facts["card"]))
        ((n, _),) = table.open_asks()
        table.answer_ask(ask.seat, n, "leave")
    return found


@pytest.mark.rule("CL-203")
@each("when", [START, BEFORE, "after a stolen base"])
@each(("word", "on_base", "held"), [("leave", 12, []), ("take-back", 10, ["V"])])
def test_after_a_new_pitcher_the_offense_may_take_its_card_back(
    when: str, word: str, on_base: int, held: list[str]
) -> None:
    steal = ("steal-second", "no-throw") if "stolen" in when else ()
    table = game("away", when, "on-base +2", where="T6 0o 1--")
    ask = upto(table, "take-back", *steal, "V", "home:new-pitcher", "Rx")
    assert "away" == ask.seat
    run(table, word, "P6", "S14")
    assert (on_base, held, "Rx") == (pitched(table)[1], hand(table, "away"), state(table).pitcher_card.name)


@pytest.mark.rule("CL-203", "CL-145")
@each(
    ("do", "fields"),
    [("command -1", {"leave": "pitcher"}), ("on-base +2", {"if": "the pitcher throws right"})],
)
def test_a_card_made_void_by_a_new_pitcher_comes_back_by_itself(do: str, fields: Any) -> None:
    table = run(game("away", BEFORE, do, **fields), "V", "home:new-pitcher", "Rx", "P6", "S14")
    assert ((9, 10, "Bx"), ["V"], ()) == (pitched(table), hand(table, "away"), state(table).squad("away").discard)
    assert "take-back" not in [one.ask.why for one in table.answers]


@pytest.mark.rule("CL-203")
def test_a_pitcher_whom_a_card_takes_out_is_a_change_too() -> None:
    cards = {
        "V": strategy("V", "offense", BEFORE, "on-base +2"),
        "E": strategy("E", "offense", BEFORE, "the pitcher leaves the game"),
    }
    table = at("T6 0o ---", away=["V", "E"], cards=cards, arm=LONG)
    assert "V" == inside(upto(table, "take-back", "V", "E", "Rx")).facts["card"]
    run(table, "take-back", "P6", "S14")
    assert (["V"], ("E",), 10) == (hand(table, "away"), state(table).squad("away").discard, pitched(table)[1])


@pytest.mark.rule("CL-145", "CL-201")
def test_a_card_left_on_a_player_earlier_leaves_with_him() -> None:
    """Only what the other manager played in this at-bat comes back, and nothing once the pitch is thrown."""
    eject = {"E": strategy("E", "offense", "after the pitch roll", "the batter leaves the game")}
    cards = {"V": strategy("V", "defense", BEFORE, "pitch +2", leave="batter"), **eject}
    table = at("T6 0o ---", home=["V"], away=["E"], cards=cards, arm=LONG)
    run(table, "V", "P6", "E", "A-CA2", "S3")
    assert (("V",), []) == (state(table).squad("home").discard, hand(table, "home"))
    own = {"V": strategy("V", "offense", START, "on-base +2", leave="batter")}
    table = run(at("T6 0o ---", away=["V"], cards=own), "V", "pinch-hitter", "A-CA2", "P6", "S14")
    assert (("V",), []) == (state(table).squad("away").discard, hand(table, "away"))


@pytest.mark.rule("CL-145", "CL-201")
def test_a_card_that_both_left_on_the_batter_comes_back_to_the_other_side_alone() -> None:
    cards = {"V": strategy("V", "neutral", BEFORE, "x-zone +1", leave="batter")}
    table = at("T6 0o ---", home=["V"], away=["V"], cards=cards, arm=LONG, decks=((), ()))
    run(table, "home:V", "away:V", "pinch-hitter", "A-CA2", "P6", "S14")
    assert (["V"], ()) == (hand(table, "home"), state(table).squad("home").discard)
    assert ([], ("V",)) == (hand(table, "away"), state(table).squad("away").discard)


@pytest.mark.rule("CL-202")
@each(("word", "again"), [("take-back", ("V",)), ("leave", ())])
def test_a_card_that_was_taken_back_was_not_used(word: str, again: tuple[str, ...]) -> None:
    cards = {"V": strategy("V", "defense", BEFORE, "pitch +2", **{"if": "the first time this game"})}
    table = at("T6 0o ---", home=["V", "V"], cards=cards, arm=LONG)
    run(table, "V", "pinch-hitter", "A-CA2", word, "P6", "S14")
    assert again == playable(table, "home", "before-pitch")


KEPT = {
    "STAY": strategy("STAY", "neutral", BEFORE, "pitch +2", special="momentum", until="after a strikeout"),
    "MOE": written("coach", name="MOE", kind="bench", when=BEFORE, do="command +2"),
    "Home": roster("H", coaches=["MOE"]),
}


@pytest.mark.rule("CL-202", "CL-221", "CL-054")
@each("card", ["STAY", "MOE"])
def test_a_card_in_play_that_is_taken_back_leaves_play(card: str) -> None:
    """It goes back to where it came from, and changes nothing in this at-bat or the next."""
    table = at("T6 0o ---", home=["STAY"], cards=KEPT, arm=LONG)
    upto(table, "take-back", card, "pinch-hitter", "A-CA2")
    assert [card] == [one.name for one in state(table).kept]
    run(table, "take-back", "P6", "S14")
    s = state(table)
    assert ((), (), 9) == (s.kept, s.standing, pitched(table)[0])
    assert (["STAY"], (), ("MOE",), ()) == (
        hand(table, "home"),
        s.squad("home").discard,
        s.squad("home").coaches,
        s.squad("home").spent,
    )
    run(table, "P6", "S14")
    assert 9 == pitched(table)[0]
    assert card == fact(table, "taken-back", "card")


@pytest.mark.rule("CL-202", "CL-221")
def test_a_card_in_play_that_is_left_stays_in_play() -> None:
    table = at("T6 0o ---", home=["STAY"], cards=KEPT, arm=LONG)
    run(table, "STAY", "pinch-hitter", "A-CA2", "leave", "P6", "S14")
    assert 11 == pitched(table)[0]
    run(table, "P6", "S14")
    assert (11, ["STAY"]) == (pitched(table)[0], [one.name for one in state(table).kept])


# The defense relieves before it plays cards (CL-199) -----------------------------------------------------------------


@pytest.mark.rule("CL-199", "CL-119")
@each("hands", ["dealt", "real"])
def test_the_defense_relieves_before_it_plays_cards(hands: str) -> None:
    cards = {"V": strategy("V", "defense", START, "pitch +2")}
    decks = ((), ()) if hands == "dealt" else ((), ["V"] * 9)
    table = at("T6 0o ---", home=["V"], cards=cards, arm=LONG, house={"hands": hands}, decks=decks)
    door = () if hands == "dealt" else ("play-card",)
    upto(table, "defence" if door else "cards-at-bat", "new-pitcher", "Rx")
    table = at("T6 0o ---", home=["V"], cards=cards, arm=LONG, house={"hands": hands}, decks=decks)
    until(table, *door, "V")
    before = len(table.answers)
    upto(table, "pitch")
    asked = [inside(one.ask) for one in table.answers[before:]]
    assert bool(door) == ("defence" in [ask.why for ask in asked])
    assert not [ask for ask in asked if "new-pitcher" in getattr(ask, "options", ())]


@pytest.mark.rule("CL-199", "CL-203")
def test_the_defense_may_still_answer_a_card_with_a_pitcher() -> None:
    cards = {"V": strategy("V", "defense", START, "pitch +2"), "W": strategy("W", "offense", START, "on-base +2")}
    table = at("T6 0o ---", home=["V"], away=["W"], cards=cards, arm=LONG)
    run(table, "V", "W", "new-pitcher", "Rx", "take-back", "P6", "S14")
    assert ((11, 10, "Rx"), ["W"]) == (pitched(table), hand(table, "away"))


# After a stolen base (CL-301) ----------------------------------------------------------------------------------------


@pytest.mark.rule("CL-026", "CL-301")
def test_a_card_after_a_stolen_base_still_helps_the_swing() -> None:
    cards = {"A": strategy("A", "offense", "after a stolen base", "swing +2")}
    table = run(at("T6 0o 1--", away=["A"], cards=cards), "steal-second", "at-second", "D2", "A", "P2", "S14")
    assert "2B" == state(table).last[-1]
    table = at("T6 0o 1--", away=["A"], cards=cards)
    upto(table, "cards-after", "steal-second", "at-second", "D2")
    assert "The steal is over, and Bx is still up." in table.ask_view(*table.open_asks()[0], "away").sentence
    run(table, "P2", "S14")
    windows = [one.ask.why for one in table.answers]
    assert 1 == windows.count("cards-after")
    assert windows.index("cards-after") < windows.index("pitch")
    assert () == playable(table, "away", "after")


@pytest.mark.rule("CL-026", "CL-311")
@each(("where", "asked"), [("T6 0o 1--", 1), ("T6 2o 1--", 1)])
def test_a_caught_stealing_opens_one_window(where: str, asked: int) -> None:
    cards = {"A": strategy("A", "defense", "after a caught stealing", "draw 1")}
    table = at(where, home=["A"], cards=cards)
    run(table, "steal-second", "at-second", "D20", *(["SO!"] if "0o" in where else []))
    assert asked == [one.ask.why for one in table.answers].count("cards-after")


@pytest.mark.rule("CL-201")
def test_a_card_that_is_back_in_the_hand_already_just_stops_counting() -> None:
    """Another card recovered it from the discard pile before the batter changed; it does not come back twice."""
    cards = {
        "V": strategy("V", "defense", START, "pitch +2", **LEFTY),
        "W": strategy("W", "defense", START, "recover 1"),
        "Bx": batter("Bx", hand="L"),
    }
    table = at("T6 0o ---", home=["V", "W"], cards=cards, arm=LONG)
    run(table, "V", "W", "V", "away:pinch-hitter", "A-CA2", "P6", "S14")
    assert (9, ["V"], ("W",)) == (pitched(table)[0], hand(table, "home"), state(table).squad("home").discard)


@pytest.mark.rule("CL-201")
def test_of_two_copies_the_one_on_the_batter_who_leaves_comes_back() -> None:
    """The other stays on the batter before him."""
    cards = {"V": strategy("V", "defense", BEFORE, "pitch +2", leave="batter")}
    table = at("T6 0o ---", home=["V", "V"], cards=cards, arm=LONG, decks=((), ()))
    run(table, "V", "P6", "S14")
    (first,) = state(table).kept
    run(table, "V", "away:pinch-hitter", "A-CA2", "P6", "S3")
    assert (first,) == state(table).kept
    assert ["V"] == hand(table, "home")
