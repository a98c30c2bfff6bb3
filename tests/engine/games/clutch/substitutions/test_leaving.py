"""Leaving the game in one role or both, with the cards left on a player, and also by a card (3.5)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.games.clutch.cards.baseball_terms import POSITION_NAMES
from engine.games.clutch.cards.card_types import DH
from engine.games.clutch.cards.effects import CardEffect, EffectDuration
from engine.games.clutch.squad import BaseRunner
from engine.games.clutch.state import CardInPlay, EffectInForce, SidePlayer, State
from engine.games.clutch.substitutions import bench
from engine.games.clutch.substitutions.substitutions import legal_changes, make_change, remove_person
from engine.seats import Seat
from tests.each import each
from tests.engine.games.clutch.fixture import batter, pitcher, roster, written
from tests.engine.games.clutch.steps import SUBS, arm, do, event_sentences, options, order, play, ready, until


def both_ways(name: str = "Px", **house: str) -> State:
    """Make home's starter its designated hitter too: with one name on both cards, or with two."""
    cards = {
        "H-DH": batter(name, "DH", "RF +1", person="Ohno"),
        "Px": pitcher("Px", person="Ohno"),
        "Home": roster("H").replace("H-DH", name),
    }
    return ready(cards=cards, starter="Px", house=house)


@pytest.mark.rule("CL-088")
@each("name", ["Px", "H-DH"])
def test_a_two_way_player_leaves_the_mound_and_still_bats(name: str) -> None:
    s = both_ways(name, rotationMayRelieve="ifRpRole")
    do(s, "new-pitcher", "Rx")
    squad = s.squad("home")
    assert ("Rx", name, {"Px": "pitcher"}, ()) == (squad.pitcher, squad.player_at(DH), squad.halved, squad.gone)
    arm(s, faced=3)
    assert "Px" not in bench.eligible_relievers(s, "home")
    s.clock = replace(s.clock, half="bottom")
    do(s, "pinch-hitter", "H-LF2")
    assert (name,) == s.squad("home").gone


@pytest.mark.rule("CL-088")
@each("name", ["Px", "H-DH"])
def test_a_two_way_player_is_pinch_hit_for_and_still_pitches(name: str) -> None:
    s = both_ways(name)
    s.clock = replace(s.clock, half="bottom")
    do(s, "pinch-hitter", "H-LF2")
    squad = s.squad("home")
    assert ("Px", "H-LF2", {name: "batter"}, ()) == (squad.pitcher, squad.player_at(DH), squad.halved, squad.gone)
    assert (name not in squad.bench, name in s.lines[1]) == (True, True)
    s.clock = replace(s.clock, inning=7, half="top")
    do(s, "new-pitcher", "Rx")
    assert ("Px",) == s.squad("home").gone


def test_a_bench_player_who_pitches_can_only_come_in_for_the_dh() -> None:
    """His batter's card is on the bench but cannot take the field; once off the mound he is out of the game (AM-13)."""
    s = ready(half="bottom", starter="Px", cards={"Px": pitcher("Px", person="H-LF2")}, bases="1")
    assert "H-LF2" in options(make_change(s, "home", "pinch-hitter"))
    assert "H-LF2" not in options(make_change(s, "home", "pinch-runner"), "H-RF")
    s.update_squad("home", slot=1)
    assert "H-LF2" not in options(make_change(s, "home", "pinch-hitter"))
    s.update_squad("home", bench=("H-LF2",))
    assert () == legal_changes(s, "home")
    s.clock = replace(s.clock, half="top")
    assert not {"replace", "double-switch"} & set(legal_changes(s, "home"))
    arm(s, outs=9)
    do(s, "new-pitcher", "Rx")
    assert ((), ("Px",)) == (s.squad("home").bench, s.squad("home").gone)


def test_a_fielder_cannot_also_pitch() -> None:
    """H-R2 plays left; as designated hitter he could pitch, and once out of the game he cannot (AM-13)."""
    cards = {"H-R2": pitcher("H-R2", "RP 1", person="Both"), "H-LF": batter("H-LF", "LF +1", person="Both")}
    s = ready(cards=cards, half="top")
    assert ("Rx", "H-R3", "H-OP") == bench.eligible_relievers(s, "home")
    swapped = {"LF": DH, DH: "LF"}
    s.update_squad("home", spots=tuple(swapped.get(spot, spot) for spot in s.squad("home").spots))
    assert ("Rx", "H-R2", "H-R3", "H-OP") == bench.eligible_relievers(s, "home")
    s = ready(cards=cards)
    do(s, "replace", "H-LF", "H-LF2", "LF")
    assert ("Rx", "H-R3", "H-OP") == bench.eligible_relievers(s, "home") == s.squad("home").bullpen


STICK = {"STICK": written("strategy", name="STICK", set="F", rarity="common", side="offense", blank=True)}


def stuck(s: State, on: SidePlayer, side: Seat = "away", leave: str = "batter") -> State:
    """Leave a card of `side` with an effect on a player, and another on somebody else."""
    card = s.box.strategies["STICK"]
    s.box = replace(s.box, strategies={"STICK": replace(card, play=replace(card.play, leave=leave))})
    effect, lasts = CardEffect("Swing +1", "mod", "swing", 1), EffectDuration("", "play")
    players: tuple[SidePlayer, ...] = (on, ("away", "A-SS"))
    for one in players:
        s.kept = (*s.kept, CardInPlay("STICK", side, "strategy", one))
        s.standing = (*s.standing, EffectInForce("STICK", side, effect, lasts, on=one))
    s.standing = (
        *s.standing,
        EffectInForce("OTHER", side, effect, lasts),
        EffectInForce("ONCE", side, effect, lasts, on=on),
    )
    return s


@pytest.mark.rule("CL-145")
def test_a_card_left_on_a_batter_leaves_with_him() -> None:
    owners: tuple[Seat, Seat] = ("away", "home")
    for owner in owners:
        s = stuck(ready(cards=STICK), ("away", "Bx"), owner)
        do(s, "pinch-hitter", "A-LF2", side="away")
        assert ("STICK",) == s.squad(owner).discard
        assert [("STICK", owner, ("away", "A-SS"))] == [(one.name, one.side, one.on) for one in s.kept]
        assert [("STICK", ("away", "A-SS")), ("OTHER", None)] == [(one.source, one.on) for one in s.standing]
        assert ["leaves-play"] == [event.code for event in s.news if event.facts.get("card") == "STICK"]


@pytest.mark.rule("CL-145")
def test_a_card_stays_when_the_same_player_of_the_other_team_leaves() -> None:
    twin = {"Home": roster("H").replace("H-DH", "Bx")}
    s = stuck(ready(cards=STICK | twin, half="bottom"), ("away", "Bx"))
    do(s, "pinch-hitter", "H-LF2")
    assert ("Bx",) == s.squad("home").gone
    assert [("away", "Bx"), ("away", "A-SS")] == [one.on for one in s.kept]
    assert ["STICK", "STICK", "OTHER", "ONCE"] == [one.source for one in s.standing]


@pytest.mark.rule("CL-145")
@each(("leave", "goes"), [("pitcher", True), ("batter", False)])
def test_a_card_left_on_a_two_way_player_leaves_with_that_role(leave: str, goes: bool) -> None:
    s = both_ways("Px")
    s.box = replace(s.box, strategies=ready(cards=STICK).box.strategies)
    stuck(s, ("home", "Px"), "home", leave)
    do(s, "new-pitcher", "Rx")
    assert (("STICK",) if goes else ()) == s.squad("home").discard
    assert goes == (("home", "Px") not in {one.on for one in s.kept})
    assert goes == (("STICK", ("home", "Px")) not in {(one.source, one.on) for one in s.standing})


@pytest.mark.rule("CL-132")
def test_a_team_that_cannot_field_nine_forfeits() -> None:
    s = ready()
    s.update_squad("away", bench=())
    play(remove_person(s, "away", "A-LF"))
    assert ("forfeit-away", ["Away cannot field nine and forfeits the game."]) == (s.ended, event_sentences(s))


@pytest.mark.rule("CL-132")
@each("out", ["H-LF", "H-DH"])
def test_an_ejected_player_is_replaced_at_once(out: str) -> None:
    """In the first inning too (AM-05)."""
    s = ready(1)
    spot = dict(order(s))[out]
    ask = until(remove_person(s, "home", out))
    assert SUBS == getattr(ask, "options", ())
    play(remove_person(s, "home", out), "H-SS2")
    assert ("H-SS2", (out,), "") == (s.squad("home").player_at(spot), s.squad("home").gone, s.ended)


def test_an_ejected_runner_gets_a_pinch_runner() -> None:
    s = ready(bases="2")
    play(remove_person(s, "away", "A-CF"), "A-LF2")
    assert (None, BaseRunner("A-LF2", "Px"), None) == s.bases


@pytest.mark.rule("CL-133", "CL-132")
@each(("house", "ended", "told"), [("stays", "", "stays-in"), ("forfeit", "forfeit-home", "forfeit")])
def test_an_ejected_pitcher_is_relieved(house: str, ended: str, told: str) -> None:
    """With nobody left the last one stays in; by a house rule the game is lost."""
    s = ready(1, house={"emptyBullpen": house})
    arm(s, outs=0, faced=0, finished=False)
    play(remove_person(s, "home", "Px"), "Rx")
    assert ("Rx", "") == (s.pitcher_card.name, s.ended)
    s.update_squad("home", bullpen=())
    play(remove_person(s, "home", "Rx"))
    assert ("Rx", ended, told) == (s.pitcher_card.name, s.ended, s.news[-1].code)
    assert "Rx" not in s.squad("home").gone


@each("name", ["Px", "H-DH"])
def test_an_ejected_two_way_player_leaves_both_roles(name: str) -> None:
    s = both_ways(name)
    play(remove_person(s, "home", "Px"), "H-LF2", "Rx")
    squad = s.squad("home")
    assert ("H-LF2", "Rx", "Px") == (squad.player_at(DH), squad.pitcher, squad.gone[-1])


def test_a_forfeited_game_has_no_relief() -> None:
    s = both_ways()
    s.update_squad("home", bench=())
    play(remove_person(s, "home", "Px"))
    assert ("forfeit-home", "Px") == (s.ended, s.pitcher_card.name)


def test_a_house_lets_the_dh_field_to_avoid_a_forfeit() -> None:
    """Then eight bat, and the next batter stays the same; nobody is left to replace another ejected player (AM-12)."""
    house = {"dhMayField": "toAvoidForfeit"}
    for slot, out, batter_up in ((0, "A-LF", "Bx"), (8, "A-LF", "A-RF"), (6, "A-LF", "A-CF"), (8, "A-RF", "Bx")):
        s = ready(bases="1", house=house)
        s.update_squad("away", bench=(), slot=slot)
        spot = dict(order(s, "away"))[out]
        play(remove_person(s, "away", out))
        squad = s.squad("away")
        assert ("Bx", batter_up, 8, 8) == (squad.player_at(spot), squad.batter, len(squad.order), len(squad.spots))
        assert (out, *squad.gone) == (out, out)
        assert DH not in squad.spots
        assert [
            f"Bx takes the field as {POSITION_NAMES[spot]}, and Away continues without a designated hitter."
        ] == event_sentences(s)
        assert (out == "A-RF") == (s.bases[0] is None)
        assert ((DH, spot), "") == (s.lines[0]["Bx"].positions, s.ended)
        play(remove_person(s, "away", "A-CF"))
        assert "forfeit-away" == s.ended
    for out, rule in (("Bx", "toAvoidForfeit"), ("A-LF", "never")):
        s = ready(house={"dhMayField": rule})
        s.update_squad("away", bench=())
        play(remove_person(s, "away", out))
        assert "forfeit-away" == s.ended


def test_a_dh_who_pitches_cannot_field() -> None:
    """He cannot be in both places (AM-12, AM-13)."""
    s = both_ways(dhMayField="toAvoidForfeit")
    s.update_squad("home", bench=())
    play(remove_person(s, "home", "H-LF"))
    assert "forfeit-home" == s.ended
