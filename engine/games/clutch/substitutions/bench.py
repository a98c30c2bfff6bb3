"""The bench and the bullpen, with eligible players, replacements, and players who leave (3.5). A person may have a
batter's card and a pitcher's card, and comes in and leaves with each separately (CL-088, AM-13).
"""

from __future__ import annotations

from dataclasses import replace

from engine.diamond import runners_on_base
from engine.games.clutch.cards.card_types import DH
from engine.games.clutch.pitching import pitcher_record
from engine.games.clutch.pitching.rest import FULLY_RESTED, PitcherRest
from engine.games.clutch.squad import BattingLine
from engine.games.clutch.state import SidePlayer, State
from engine.games.clutch.strategy_cards import card_returns
from engine.games.clutch.strategy_cards.in_play import end_card_in_play
from engine.seats import SEATS, Seat, replace_for_seat


def persons_on_cards(s: State, names: tuple[str, ...], role: str) -> tuple[str, ...]:
    """Return the persons of these cards. `role` is "batter" or "pitcher"."""
    if role == "batter":
        return tuple([s.box.batters[name].person for name in names])
    return tuple([s.box.pitchers[name].person for name in names])


def person_on_mound(s: State, side: Seat) -> str:
    """Return the person who pitches, or "" before the game."""
    pitchers = s.squad(side).pitchers
    return s.box.pitchers[pitchers[-1]].person if pitchers else ""


def persons_in_field(s: State, side: Seat) -> frozenset[str]:
    """Return the persons at the eight positions, none of whom can also pitch."""
    squad = s.squad(side)
    people = persons_on_cards(s, squad.order, "batter")
    return frozenset([one for one, spot in zip(people, squad.spots, strict=True) if spot != DH])


def eligible_subs(s: State, side: Seat, spot: str) -> tuple[str, ...]:
    """Return the bench players for a position and its place in the order. The person who pitches can bat only as DH."""
    bench = s.squad(side).bench
    if spot == DH:
        return bench
    mound = person_on_mound(s, side)
    return tuple([name for name in bench if s.box.batters[name].person != mound])


def owed_rest(s: State, side: Seat, name: str) -> PitcherRest:
    return s.rests[SEATS.index(s.chair(side))].get(name, FULLY_RESTED)


def current_rotation(s: State, side: Seat) -> tuple[str, ...]:
    """Return the rotation as arranged for the series, or else that of the roster."""
    return s.rotations[SEATS.index(s.chair(side))] or s.squad(side).roster.rotation


def bulk_pitchers(s: State, side: Seat) -> tuple[str, ...]:
    """Return the bulk pitchers who may follow an opener (CL-067, AM-08). They are the rested ones of the rotation and
    all of the bullpen, and tired ones of the rotation if nobody is rested.
    """
    starters = _available_pitchers(s, side, current_rotation(s, side), "BP")
    pen = _available_pitchers(s, side, s.squad(side).bullpen, "BP")
    fresh = tuple(name for name in starters if not owed_rest(s, side, name).is_tired)
    if not fresh and all(owed_rest(s, side, name).is_tired for name in pen):
        return (*starters, *pen)
    return (*fresh, *pen)


def eligible_relievers(s: State, side: Seat) -> tuple[str, ...]:
    """Return the pitchers who may come in next (CL-067, CL-068, CL-133, AM-09, AM-10). After an opener they are bulk
    pitchers, otherwise the bullpen, rested or not. By a house rule swingmen of the rotation may relieve too.
    """
    if needs_bulk_pitcher(s, side) and (after_opener := bulk_pitchers(s, side)):
        return after_opener
    pen = _available_pitchers(s, side, s.squad(side).bullpen)
    if s.house["rotationMayRelieve"] == "ifRpRole":
        pen = (*pen, *_available_pitchers(s, side, current_rotation(s, side), "RP"))
    return pen


def is_opener_pitching(s: State, side: Seat) -> bool:
    squad = s.squad(side)
    return len(squad.pitchers) == 1 and s.arms[SEATS.index(side)][squad.pitcher].role == "OP"


def needs_bulk_pitcher(s: State, side: Seat) -> bool:
    """True if an opener needs a bulk pitcher next, by a house rule or while substitutions are locked (AM-05, AM-08)."""
    early = s.clock.inning < int(s.house["subLockInning"])
    return is_opener_pitching(s, side) and (early or s.house["opRequiresBp"] == "true")


def reliever_role(s: State, side: Seat, name: str) -> str:
    """Return the role of a reliever, bulk pitcher after an opener, or else reliever (CL-016, CL-143)."""
    innings = s.box.pitchers[name].innings
    if needs_bulk_pitcher(s, side) and "BP" in innings:
        return "BP"
    return "RP" if "RP" in innings else "OP" if "OP" in innings else "BP"


def _available_pitchers(s: State, side: Seat, names: tuple[str, ...], role: str = "") -> tuple[str, ...]:
    """Return those with this role who have not pitched, are not in the field, and have not left the game."""
    cards, busy = (
        s.box.pitchers,
        persons_in_field(s, side) | {s.box.pitchers[name].person for name in s.squad(side).pitchers},
    )
    if s.squad(side).gone:
        busy |= _persons_out(s, side)
    return tuple([one for one in names if cards[one].person not in busy and (not role or role in cards[one].innings)])


def _persons_out(s: State, side: Seat) -> frozenset[str]:
    """Return the people who have left the game. Leaving in one role is leaving in all (CL-123)."""
    gone = s.squad(side).gone
    batters = (s.box.batters[name].person for name in gone if name in s.box.batters)
    pitchers = (s.box.pitchers[name].person for name in gone if name in s.box.pitchers)
    return frozenset((*batters, *pitchers))


def substitute_batter(s: State, side: Seat, name: str, out: str, plays: str = "") -> None:
    """Replace a batter from the bench in the order, on base and in the field (CL-125 to CL-128). `plays` is the
    position in his batting line, "PH" or "PR", by default the one he takes over.
    """
    squad = s.squad(side)
    at = squad.order.index(out)
    s.update_squad(
        side,
        order=(*squad.order[:at], name, *squad.order[at + 1 :]),
        bench=tuple(one for one in squad.bench if one != name),
    )
    if side == s.offense:
        first, second, third = (one and replace(one, name=name) if one and one.name == out else one for one in s.bases)
        s.bases = (first, second, third)
    written = s.lines[SEATS.index(side)]
    spot = written[out].spot if out in written else at
    s.lines = replace_for_seat(s.lines, side, {**written, name: BattingLine(name, spot, (plays or squad.spots[at],))})
    remove_player(s, side, out, "batter")


def trade_positions(s: State, side: Seat, one: str, two: str) -> None:
    """Swap the positions of two batters. The order stays (CL-085)."""
    squad = s.squad(side)
    first, second = squad.order.index(one), squad.order.index(two)
    spots = list(squad.spots)
    spots[first], spots[second] = spots[second], spots[first]
    s.update_squad(side, spots=tuple(spots))
    _record_position(s, side, one)
    _record_position(s, side, two)


def record_positions(s: State, side: Seat) -> None:
    """Record the positions of a side at the start of a half-inning, when pinch hitters and runners take the field."""
    for name in s.squad(side).order:
        _record_position(s, side, name)


def _record_position(s: State, side: Seat, name: str) -> None:
    squad, lines = s.squad(side), s.lines[SEATS.index(side)]
    spot, line = squad.spots[squad.order.index(name)], lines[name]
    if line.positions[-1:] != (spot,):
        s.lines = replace_for_seat(s.lines, side, {**lines, name: replace(line, positions=(*line.positions, spot))})


def move_dh_to_field(s: State, side: Seat, out: str) -> None:
    """Move the designated hitter to a fielder's position without a replacement, so that eight bat (AM-12)."""
    squad = s.squad(side)
    at, hitter = squad.order.index(out), squad.player_at(DH)
    spots = tuple(
        squad.spots[at] if name == hitter else spot for name, spot in zip(squad.order, squad.spots, strict=True)
    )
    slot = squad.slot - 1 if at < squad.slot else squad.slot
    s.update_squad(
        side, order=_without_index(squad.order, at), spots=_without_index(spots, at), slot=slot % (len(spots) - 1)
    )
    if side == s.offense:
        first, second, third = (None if one and one.name == out else one for one in s.bases)
        s.bases = (first, second, third)
    remove_player(s, side, out, "batter")
    _record_position(s, side, hitter)


def _without_index(row: tuple[str, ...], at: int) -> tuple[str, ...]:
    return (*row[:at], *row[at + 1 :])


def substitute_pitcher(s: State, side: Seat, name: str) -> None:
    """Bring in a pitcher (CL-143). He inherits the runners on base except an automatic one."""
    squad, role = s.squad(side), reliever_role(s, side, name)
    on = sum(not one.automatic for one in runners_on_base(s.bases)) if side == s.defense else 0
    arm = pitcher_record.new_record(s.box.pitchers[name], role, owed_rest(s, side, name).owes, on)
    s.update_squad(side, pitchers=(*squad.pitchers, name), bullpen=tuple(one for one in squad.bullpen if one != name))
    s.store_record(side, arm)
    remove_player(s, side, squad.pitcher, "pitcher")


def remove_player(s: State, side: Seat, name: str, role: str) -> None:
    """Remove a player in this `role`, "batter" or "pitcher" (CL-088, CL-123), with the cards on him (CL-145)."""
    squad, (person,) = s.squad(side), persons_on_cards(s, (name,), role)
    others = persons_on_cards(s, squad.order, "batter") if role == "pitcher" else (person_on_mound(s, side),)
    stays = person in others
    if stays:
        s.update_squad(side, halved={**squad.halved, name: role})
    else:
        s.update_squad(
            side,
            gone=(*squad.gone, name),
            bench=tuple(one for one in squad.bench if s.box.batters[one].person != person),
            bullpen=tuple(one for one in squad.bullpen if s.box.pitchers[one].person != person),
        )
    _discard_cards_on(s, (side, name), role if stays else "")


def _discard_cards_on(s: State, player: SidePlayer, role: str) -> None:
    """Discard the cards on a player, or with a `role` only those left on him in that role. Cards of this at-bat that
    the other manager left on the batter or the pitcher return to the hand (CL-201, CL-203).
    """
    at_stake = {one.name: one for one in card_returns.returnable_cards(s, player[0])}
    latest = {one.name: one for one in s.kept if one.on == player and one.side != player[0]}
    for kept in s.kept:
        if kept.on == player and (not role or _is_for_role(s, kept.name, role)):
            # Another copy from an earlier at-bat may be on him, and it does not come back.
            back = at_stake.get(kept.name) if kept is latest.get(kept.name) else None
            if back and s.box.strategies[kept.name].play.leave != "runner":
                card_returns.return_to_owner(s, back)
            else:
                end_card_in_play(s, kept)
    if not role:
        s.standing = tuple(one for one in s.standing if one.on != player)


def _is_for_role(s: State, card: str, role: str) -> bool:
    """True if a card applies to a player in this role, as a pitcher or as a batter and runner."""
    left = s.box.strategies[card].play.leave if card in s.box.strategies else ""
    return (left == "pitcher") == (role == "pitcher")
