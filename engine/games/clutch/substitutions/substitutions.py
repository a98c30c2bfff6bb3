"""Substitutions at the start of an at-bat, and late ones that answer a card (3.5, 3.9.A)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.asks import choose
from engine.diamond import runners
from engine.games.clutch.cards.baseball_terms import POSITION_NAMES
from engine.games.clutch.cards.card_text import (
    batting_note,
    fielding_note,
    pitching_note,
    position_note,
    running_note,
)
from engine.games.clutch.cards.card_types import DH, POSITIONS
from engine.games.clutch.numbers.modifiers import allowed
from engine.games.clutch.pitching import pitcher_record
from engine.games.clutch.records.sentences import NEVER_MIND, by_position, with_base, with_position
from engine.games.clutch.state import State, Step
from engine.games.clutch.strategy_cards import muting
from engine.games.clutch.strategy_cards.windows import window
from engine.games.clutch.substitutions import bench
from engine.seats import SEATS, Seat

ANOTHER = "another-position"

DEFENCE = ("new-pitcher", "replace", "double-switch", "positions")
"""Substitutions of the side in the field (CL-124, CL-127)."""

OFFENCE = ("pinch-hitter", "pinch-runner")  # Substitutions of the side at bat.

ENTERS = {
    "new-pitcher": "pitcher",
    "replace": "fielder",
    "double-switch": "fielder",
    "pinch-hitter": "pinch-hitter",
    "pinch-runner": "pinch-runner",
}
"""The tag of a player who comes in, for cards that wait for one."""

LATE = {True: "new-pitcher", False: "pinch-hitter"}
"""The substitution with which the defense (True) or the offense may answer a card (AM-03)."""


# What is legal -------------------------------------------------------------------------------------------------------


def changes(s: State, side: Seat) -> tuple[str, ...]:
    """Return the kinds of substitution that are legal for a side in this at-bat: some of DEFENCE or of OFFENCE.

    There are none once the pitch is thrown (CL-119). If a card forbids substitutions, fielders may still move (AM-06).
    Not checked: that nothing else has happened in the at-bat.
    """
    if s.at.pitch_natural is not None or s.at.bunt is not None:
        return ()
    codes = DEFENCE if side == s.defence else OFFENCE
    may = allowed(s, "substitution", side)
    return tuple(code for code in codes if (may or code == "positions") and _LEGAL[code](s, side))


def late(s: State, side: Seat) -> tuple[str, ...]:
    """Return the substitutions that may answer the other side's card before the pitch (CL-202 to CL-204, AM-03)."""
    answers = s.house["lateSubReplies"]
    theirs = any(one.side != side and one.window == "before-pitch" for one in s.at.played)
    if not theirs or answers == "none" or (answers == "oneEach" and side in s.at.replied):
        return ()
    return tuple(code for code in changes(s, side) if code == LATE[side == s.defence])


def locked(s: State) -> bool:
    """True as long as substitutions have to wait (CL-120, AM-05)."""
    return s.clock.inning < int(s.house["subLockInning"])


def _may_relieve(s: State, side: Seat) -> bool:
    """True if the pitcher may leave, which includes the lock on substitutions, and there is a reliever (CL-133)."""
    arm = s.arms[SEATS.index(side)][s.squad(side).pitcher]
    return not pitcher_record.may_leave(arm, s.clock.inning, s.house) and bool(bench.relievers(s, side))


def _may_replace(s: State, side: Seat) -> bool:
    return not locked(s) and bool(_for_field(s, side))


def _may_switch(s: State, side: Seat) -> bool:
    return not locked(s) and len(_for_field(s, side)) > 1


def _may_move(s: State, side: Seat) -> bool:
    """True if fielders may move; that is not a substitution (AM-06)."""
    return not locked(s) or s.house["positionMovesBefore4th"] == "true"


def _may_hit(s: State, side: Seat) -> bool:
    squad = s.squad(side)
    return not locked(s) and bool(bench.subs(s, side, squad.spots[squad.slot]))


def _may_run(s: State, side: Seat) -> bool:
    return not locked(s) and bool(_replaceable(s, side))


_LEGAL: Mapping[str, Callable[[State, Seat], bool]] = {
    "new-pitcher": _may_relieve,
    "replace": _may_replace,
    "double-switch": _may_switch,
    "positions": _may_move,
    "pinch-hitter": _may_hit,
    "pinch-runner": _may_run,
}


def _for_field(s: State, side: Seat) -> tuple[str, ...]:
    """Return who on the bench may take the field."""
    return bench.subs(s, side, POSITIONS[0])


def _replaceable(s: State, side: Seat) -> tuple[str, ...]:
    """Return the runners who can have a pinch runner."""
    return tuple(one.name for one in runners(s.bases) if bench.subs(s, side, _spot(s, side, one.name)))


def _spot(s: State, side: Seat, name: str) -> str:
    """Return a player's position."""
    squad = s.squad(side)
    return squad.spots[squad.order.index(name)]


def _place(s: State, side: Seat, name: str) -> int:
    """Return a player's place in the order, from 1."""
    return s.squad(side).order.index(name) + 1


# Making a substitution -----------------------------------------------------------------------------------------------


def change(s: State, side: Seat, code: str) -> Step[bool]:
    """Make one of the `changes`, asking for what it needs; return False if the manager chose "never mind".

    Then cards may be played on the player who comes in. Not checked: that it is legal.
    """
    answer = code in late(s, side)
    if not (yield from _DO[code](s, side)):
        return False
    if answer:
        s.now(replied=s.at.replied | {side})
    if code in ENTERS:
        yield from window(s, "enter", ENTERS[code])
    return True


def _new_pitcher(s: State, side: Seat) -> Step[bool]:
    """Bring in a reliever (CL-134 to CL-143, CL-199)."""
    names, out = bench.relievers(s, side), s.squad(side).pitcher
    name = yield from _pick(s, side, "reliever", names, _pitching_notes(s, side, names), pitcher=out)
    if name == NEVER_MIND:
        return False
    _relieve(s, side, name)
    return True


def _pinch_hitter(s: State, side: Seat) -> Step[bool]:
    """Bring in a pinch hitter, who keeps the batter's place and position (CL-125, CL-144)."""
    out = s.squad(side).batter
    names = bench.subs(s, side, _spot(s, side, out))
    notes = {name: batting_note(s.box.batters[name]) for name in names}
    name = yield from _pick(s, side, "pinch-hitter", names, notes, batter=out)
    if name == NEVER_MIND:
        return False
    bench.bring(s, side, name, out, "PH")
    s.tell("pinch-hitter", seat=side, team=s.team(side), batter=name, out=out)
    return True


def _pinch_runner(s: State, side: Seat) -> Step[bool]:
    """Bring in a pinch runner, who keeps the runner's place and position (CL-126)."""
    on, labels = _replaceable(s, side), with_base(one.name if one else "" for one in s.bases)
    out = yield from _pick(s, side, "pinch-run-for", on, _running_notes(s, on), labels=labels)
    if out == NEVER_MIND:
        return False
    names = bench.subs(s, side, _spot(s, side, out))
    name = yield from _pick(s, side, "pinch-runner", names, _running_notes(s, names), runner=out)
    if name == NEVER_MIND:
        return False
    bench.bring(s, side, name, out, "PR")
    s.tell("pinch-runner", seat=side, team=s.team(side), batter=name, out=out)
    return True


def _replace(s: State, side: Seat) -> Step[bool]:
    """Replace a fielder: the new one bats in his place, and may play another position (CL-127, CL-128)."""
    field = _field(s, side)
    out = yield from _pick(s, side, "replaced", tuple(field), _fielding_notes(s, field), labels=with_position(field))
    if out == NEVER_MIND:
        return False
    spot, names = field.pop(out), _for_field(s, side)
    notes = {name: fielding_note(s.box.batters[name], spot) for name in names}
    name = yield from _pick(s, side, "replacement", names, notes, out=out, position=POSITION_NAMES[spot])
    if name == NEVER_MIND:
        return False
    plays = yield from _plays(s, side, name, spot, field)
    if plays == NEVER_MIND:
        return False
    bench.bring(s, side, name, out, plays)
    if plays != spot:
        _trade(s, side, name, s.squad(side).playing(plays), (name,))
    _came_in(s, side, name, out)
    return True


def _plays(s: State, side: Seat, name: str, spot: str, field: Mapping[str, str]) -> Step[str]:
    """Ask which position the replacement of the player at `spot` plays; positions on his card come first."""
    spots = (spot, *(other for other in POSITIONS if other != spot))
    card = s.box.batters[name]
    worth = {spot: fielding_note(card, spot), **_trade_notes(s, name, spot, field)}
    on_card = tuple(one for one in spots if one in card.gloves)
    others = tuple(one for one in spots if one not in on_card)

    def ask(why: str, some: tuple[str, ...], *more: str) -> Step[str]:
        labels = {one: text for one, text in by_position(field).items() if one in some}
        notes = {one: worth[one] for one in some}
        return _pick(s, side, why, (*some, *more), notes, labels=labels, batter=name, position=POSITION_NAMES[spot])

    plays = (yield from ask("replacement-plays", on_card, ANOTHER)) if on_card else ANOTHER
    return (yield from ask("elsewhere", others)) if plays == ANOTHER else plays


def _double_switch(s: State, side: Seat) -> Step[bool]:
    """Replace two fielders as one substitution (CL-129).

    Each newcomer may take either place in the order, and either position.
    """
    field, names = _field(s, side), _for_field(s, side)
    one = yield from _pick(s, side, "switched", tuple(field), _fielding_notes(s, field), labels=with_position(field))
    if one == NEVER_MIND:
        return False
    spot = field.pop(one)
    two = yield from _pick(
        s, side, "switched-too", tuple(field), _fielding_notes(s, field), labels=with_position(field), out=one
    )
    if two == NEVER_MIND:
        return False
    spots = (spot, field[two])
    notes = {name: fielding_note(s.box.batters[name], *spots) for name in names}
    first = yield from _pick(s, side, "switch-in", names, notes, out=[one, two])
    if first == NEVER_MIND:
        return False
    left = tuple(name for name in names if name != first)
    notes.pop(first)
    second = yield from _pick(s, side, "switch-in-too", left, notes, batter=first, out=[one, two])
    if second == NEVER_MIND:
        return False
    both = (first, second)
    bats = yield from _pick(s, side, "switch-bats", both, {}, place=_place(s, side, one), out=one)
    if bats == NEVER_MIND:
        return False
    notes = {name: fielding_note(s.box.batters[name], spot) for name in both}
    plays = yield from _pick(s, side, "switch-plays", both, notes, position=POSITION_NAMES[spot])
    if plays == NEVER_MIND:
        return False
    pairs = tuple(zip(both if bats == first else both[::-1], (one, two), strict=True))
    for name, out in pairs:
        bench.bring(s, side, name, out, spots[0] if name == plays else spots[1])
    if plays != bats:
        bench.trade(s, side, first, second)
    for name, out in pairs:
        _came_in(s, side, name, out)
    return True


def _positions(s: State, side: Seat) -> Step[bool]:
    """Have two fielders trade positions (CL-085), but never the designated hitter (CL-086, AM-12)."""
    field = _field(s, side)
    name = yield from _pick(s, side, "moves", tuple(field), _fielding_notes(s, field), labels=with_position(field))
    if name == NEVER_MIND:
        return False
    spot = field.pop(name)
    options = tuple(other for other in POSITIONS if other != spot)
    worth = _trade_notes(s, name, spot, field)
    to = yield from _pick(
        s, side, "moves-to", options, worth, labels=by_position(field), batter=name, position=POSITION_NAMES[spot]
    )
    if to == NEVER_MIND:
        return False
    _trade(s, side, name, s.squad(side).playing(to))
    return True


_DO: Mapping[str, Callable[[State, Seat], Step[bool]]] = {
    "new-pitcher": _new_pitcher,
    "replace": _replace,
    "double-switch": _double_switch,
    "positions": _positions,
    "pinch-hitter": _pinch_hitter,
    "pinch-runner": _pinch_runner,
}


# Asks and announcements ----------------------------------------------------------------------------------------------


def _pick(s: State, side: Seat, why: str, names: tuple[str, ...], notes: Mapping[str, str], **facts: Any) -> Step[str]:
    """Ask for one of these players, or never mind."""
    return (yield from choose(s.chair(side), why, (*names, NEVER_MIND), team=s.team(side), notes=notes, **facts))


def _field(s: State, side: Seat) -> dict[str, str]:
    """Return the fielders with their positions."""
    squad = s.squad(side)
    return {squad.playing(spot): spot for spot in POSITIONS}


def _fielding_notes(s: State, field: Mapping[str, str]) -> dict[str, str]:
    return {name: fielding_note(s.box.batters[name], spot) for name, spot in field.items()}


def _trade_notes(s: State, name: str, spot: str, field: Mapping[str, str]) -> dict[str, str]:
    """Return for each position what the player is worth there, and what the player there is worth at his."""
    cards = s.box.batters
    return {
        to: f"{name} {position_note(cards[name], to)}; {other} {position_note(cards[other], spot)}"
        for other, to in field.items()
    }


def _running_notes(s: State, names: tuple[str, ...]) -> dict[str, str]:
    return {name: running_note(s.box.batters[name]) for name in names}


def _pitching_notes(s: State, side: Seat, names: tuple[str, ...]) -> dict[str, str]:
    """Return what each reliever brings in the role that he would fill."""
    return {
        name: pitching_note(s.box.pitchers[name], bench.role_of(s, side, name), bench.rest(s, side, name).owes)
        for name in names
    }


def _relieve(s: State, side: Seat, name: str) -> None:
    out = s.squad(side).pitcher
    bench.relieve(s, side, name)
    muting.lift(s, s.chair(side))
    s.tell("new-pitcher", seat=side, team=s.team(side), pitcher=name, out=out)


def _trade(s: State, side: Seat, one: str, two: str, newcomers: tuple[str, ...] = ()) -> None:
    bench.trade(s, side, one, two)
    for name in (one, two):
        if name not in newcomers:
            s.tell("moves", seat=side, team=s.team(side), batter=name, position=POSITION_NAMES[_spot(s, side, name)])


def _came_in(s: State, side: Seat, name: str, out: str) -> None:
    facts = {"position": POSITION_NAMES[_spot(s, side, name)], "place": _place(s, side, name)}
    s.tell("replaces", seat=side, team=s.team(side), batter=name, out=out, **facts)


# Out of the game by a card (CL-132) ----------------------------------------------------------------------------------


def remove(s: State, side: Seat, name: str) -> Step[None]:
    """Take a person out of the game by a card, and have him replaced at once.

    This overrides the lock on substitutions and a pitcher's minimum (AM-05). Without a replacement the game is
    forfeited.
    """
    person = (s.box.batters.get(name) or s.box.pitchers[name]).person
    for one in s.squad(side).order:
        if s.box.batters[one].person == person:
            yield from _fill(s, side, one)
    if bench.on_mound(s, side) != person or s.ended:
        return
    names = bench.relievers(s, side)
    if names:
        facts = {"team": s.team(side), "pitcher": s.squad(side).pitcher, "notes": _pitching_notes(s, side, names)}
        _relieve(s, side, (yield from choose(s.chair(side), "reliever", names, **facts)))
    else:
        forfeit(s, side)


def _fill(s: State, side: Seat, out: str) -> Step[None]:
    """Replace one of the nine from the bench, or by the designated hitter if the bench is empty (AM-12)."""
    spot, cards = _spot(s, side, out), s.box.batters
    names = bench.subs(s, side, spot)
    if names:
        notes = {name: batting_note(cards[name]) if spot == DH else fielding_note(cards[name], spot) for name in names}
        name = yield from choose(s.chair(side), "removed", names, team=s.team(side), out=out, notes=notes)
        bench.bring(s, side, name, out)
        _came_in(s, side, name, out)
        return
    hitter = s.squad(side).playing(DH)
    idle = hitter not in ("", out) and cards[hitter].person != bench.on_mound(s, side)
    if idle and s.house["dhMayField"] == "toAvoidForfeit":
        bench.shorten(s, side, out)
        s.tell("afield", seat=side, team=s.team(side), batter=hitter, position=POSITION_NAMES[spot])
    else:
        forfeit(s, side)


def forfeit(s: State, side: Seat) -> None:
    """End the game, since a side cannot field nine (CL-132): `ended` is "forfeit-away" or "forfeit-home"."""
    s.ended = f"forfeit-{side}"
    s.tell("forfeit", seat=side, team=s.team(side))
