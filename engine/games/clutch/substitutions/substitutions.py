"""Substitutions at the start of an at-bat, and late ones that answer a card (3.5, 3.9.A)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from engine.asks import choose
from engine.diamond import runners
from engine.games.clutch.cards.baseball_terms import POSITION_NAMES
from engine.games.clutch.cards.card_text import batting_note, fielding_note, pitching_note, position_note, running_note
from engine.games.clutch.cards.card_types import DH, POSITIONS
from engine.games.clutch.numbers.modifiers import allowed
from engine.games.clutch.pitching import pitcher_record
from engine.games.clutch.records.sentences import NEVER_MIND, by_position, with_base, with_position
from engine.games.clutch.state import State, Step
from engine.games.clutch.strategy_cards import muting, taking_back
from engine.games.clutch.strategy_cards.windows import window
from engine.games.clutch.substitutions import bench
from engine.seats import SEATS, Seat, other

ANOTHER = "another-position"


_FACING = ("new-pitcher", "pinch-hitter")
"""Changes of the pitcher or the batter: they may answer cards, and cards may come back after them (3.9.A)."""


class _NeverMind(Exception):
    """The manager cancels the substitution that he has begun."""


# What is legal -------------------------------------------------------------------------------------------------------


def changes(s: State, side: Seat) -> tuple[str, ...]:
    """Return the kinds of substitution that are legal for a side in this at-bat, as codes.

    There are none once the pitch is thrown (CL-119). If a card forbids substitutions, fielders may still move (AM-06).
    Not checked: that nothing else has happened in the at-bat.
    """
    if s.at.pitch_natural is not None or s.at.bunt is not None:
        return ()
    may, fields = allowed(s, "substitution", side), side == s.defence
    codes = _early(s) if s.clock.inning < int(s.house["subLockInning"]) else _KINDS
    kinds = [(code, _KINDS[code]) for code in codes if may or code == "positions"]
    return tuple([code for code, kind in kinds if kind.fields == fields and kind.legal(s, side)])


_ANSWERED = (("before-pitch", "after"), ("at-bat", "before-pitch", "after"))
"""The windows whose cards the side at bat may answer, and the side in the field, which has no other chance after the
cards for the start of an at-bat. "after" is after a steal; cards on the steal itself are apart (AM-02).
"""


def late(s: State, side: Seat) -> tuple[str, ...]:
    """Return the substitutions that may answer the other side's card before the pitch (CL-202 to CL-204, AM-03)."""
    answers = s.house["lateSubReplies"]
    theirs = any(one.side != side and one.window in _ANSWERED[side == s.defence] for one in s.at.played)
    if not theirs or answers == "none" or (answers == "oneEach" and side in s.at.replied):
        return ()
    return tuple(code for code in changes(s, side) if code in _FACING)


def _early(s: State) -> tuple[str, ...]:
    """Return the changes that are legal while substitutions have to wait (CL-120, AM-05)."""
    return ("new-pitcher", "positions") if s.house["positionMovesBefore4th"] == "true" else ("new-pitcher",)


def _may_relieve(s: State, side: Seat) -> bool:
    """True if the pitcher may leave, which includes the lock on substitutions, and there is a reliever (CL-133)."""
    arm = s.arms[SEATS.index(side)][s.squad(side).pitcher]
    return not pitcher_record.may_leave(arm, s.clock.inning, s.house) and bool(bench.relievers(s, side))


def _for_field(s: State, side: Seat) -> tuple[str, ...]:
    """Return who on the bench may take the field."""
    return bench.subs(s, side, POSITIONS[0])


def _for_batter(s: State, side: Seat) -> tuple[str, ...]:
    """Return who on the bench may bat for the batter."""
    squad = s.squad(side)
    return bench.subs(s, side, squad.spots[squad.slot])


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
    """Make one of the `changes`, asking for what it needs; return False if the manager chose "never mind". Then cards
    of the other manager may come back, and cards may be played on the player who comes in. Not checked: that it is
    legal.
    """
    answer, kind = code in late(s, side), _KINDS[code]
    before = taking_back.at_stake(s, side) if code in _FACING else {}
    try:
        yield from kind.make(s, side)
    except _NeverMind:
        return False
    if answer:
        s.now(replied=s.at.replied | {side})
    muting.stir(s, other(side))
    yield from taking_back.settle(s, before)
    if kind.enters:
        yield from window(s, "enter", kind.enters)
    return True


def _new_pitcher(s: State, side: Seat) -> Step[None]:
    """Bring in a reliever (CL-134 to CL-143, CL-199)."""
    names, out = bench.relievers(s, side), s.squad(side).pitcher
    name = yield from _pick(s, side, "reliever", names, _pitching_notes(s, side, names), pitcher=out)
    _relieve(s, side, name)


def _pinch_hitter(s: State, side: Seat) -> Step[None]:
    """Bring in a pinch hitter, who keeps the batter's place and position (CL-125, CL-144)."""
    out, names = s.squad(side).batter, _for_batter(s, side)
    notes = {name: batting_note(s.box.batters[name]) for name in names}
    name = yield from _pick(s, side, "pinch-hitter", names, notes, batter=out)
    bench.bring(s, side, name, out, "PH")
    s.tell("pinch-hitter", seat=side, team=s.team(side), batter=name, out=out)


def _pinch_runner(s: State, side: Seat) -> Step[None]:
    """Bring in a pinch runner, who keeps the runner's place and position (CL-126)."""
    on, labels = _replaceable(s, side), with_base(one.name if one else "" for one in s.bases)
    out = yield from _pick(s, side, "pinch-run-for", on, _running_notes(s, on), labels=labels)
    names = bench.subs(s, side, _spot(s, side, out))
    name = yield from _pick(s, side, "pinch-runner", names, _running_notes(s, names), runner=out)
    bench.bring(s, side, name, out, "PR")
    s.tell("pinch-runner", seat=side, team=s.team(side), batter=name, out=out)


def _replace(s: State, side: Seat) -> Step[None]:
    """Replace a fielder: the new one bats in his place, and may play another position (CL-127, CL-128)."""
    field, names = _field(s, side), _for_field(s, side)
    out, spot = yield from _fielder(s, side, "replaced", field)
    notes = {name: fielding_note(s.box.batters[name], spot) for name in names}
    name = yield from _pick(s, side, "replacement", names, notes, out=out, position=POSITION_NAMES[spot])
    plays = yield from _plays(s, side, name, spot, field)
    bench.bring(s, side, name, out, plays)
    if plays != spot:
        _trade(s, side, name, s.squad(side).playing(plays), (name,))
    _came_in(s, side, name, out)


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


def _double_switch(s: State, side: Seat) -> Step[None]:
    """Replace two fielders as one substitution (CL-129). Each newcomer may take either place in the order, and either
    position.
    """
    field, names = _field(s, side), _for_field(s, side)
    one, spot = yield from _fielder(s, side, "switched", field)
    two, second_spot = yield from _fielder(s, side, "switched-too", field, out=one)
    notes = {name: fielding_note(s.box.batters[name], spot, second_spot) for name in names}
    first = yield from _pick(s, side, "switch-in", names, notes, out=[one, two])
    left = tuple(name for name in names if name != first)
    notes.pop(first)
    second = yield from _pick(s, side, "switch-in-too", left, notes, batter=first, out=[one, two])
    both = (first, second)
    bats = yield from _pick(s, side, "switch-bats", both, {}, place=_place(s, side, one), out=one)
    notes = {name: fielding_note(s.box.batters[name], spot) for name in both}
    plays = yield from _pick(s, side, "switch-plays", both, notes, position=POSITION_NAMES[spot])
    pairs = tuple(zip(both if bats == first else both[::-1], (one, two), strict=True))
    for name, out in pairs:
        bench.bring(s, side, name, out, spot if name == plays else second_spot)
    if plays != bats:
        bench.trade(s, side, first, second)
    for name, out in pairs:
        _came_in(s, side, name, out)


def _positions(s: State, side: Seat) -> Step[None]:
    """Have two fielders trade positions (CL-085), but never the designated hitter (CL-086, AM-12)."""
    field = _field(s, side)
    name, spot = yield from _fielder(s, side, "moves", field)
    options = tuple(other for other in POSITIONS if other != spot)
    facts = {"labels": by_position(field), "batter": name, "position": POSITION_NAMES[spot]}
    to = yield from _pick(s, side, "moves-to", options, _trade_notes(s, name, spot, field), **facts)
    _trade(s, side, name, s.squad(side).playing(to))


class _Kind(NamedTuple):
    """A kind of substitution: of the side in the field or at bat, when it is `legal`, and how to `make` it. `enters` is
    the tag of the player who comes in, for cards that wait for one.
    """

    fields: bool
    legal: Callable[[State, Seat], bool]
    make: Callable[[State, Seat], Step[None]]
    enters: str = ""


_KINDS: Mapping[str, _Kind] = {
    "new-pitcher": _Kind(True, _may_relieve, _new_pitcher, "pitcher"),
    "replace": _Kind(True, lambda s, side: bool(_for_field(s, side)), _replace, "fielder"),
    "double-switch": _Kind(True, lambda s, side: len(_for_field(s, side)) > 1, _double_switch, "fielder"),
    "positions": _Kind(True, lambda s, side: True, _positions),  # Moves are no substitutions (AM-06).
    "pinch-hitter": _Kind(False, lambda s, side: bool(_for_batter(s, side)), _pinch_hitter, "pinch-hitter"),
    "pinch-runner": _Kind(False, lambda s, side: bool(_replaceable(s, side)), _pinch_runner, "pinch-runner"),
}
"""The substitutions of the side in the field (CL-124, CL-127), then of the side at bat."""


# Asks and announcements ----------------------------------------------------------------------------------------------


def _pick(s: State, side: Seat, why: str, names: tuple[str, ...], notes: Mapping[str, str], **facts: Any) -> Step[str]:
    """Ask for one of these players. Raises _NeverMind."""
    name = yield from choose(s.chair(side), why, (*names, NEVER_MIND), team=s.team(side), notes=notes, **facts)
    if name == NEVER_MIND:
        raise _NeverMind
    return name


def _fielder(s: State, side: Seat, why: str, field: dict[str, str], **facts: Any) -> Step[tuple[str, str]]:
    """Ask for one of the fielders, and take him out of `field`; return him and his position."""
    notes = {name: fielding_note(s.box.batters[name], spot) for name, spot in field.items()}
    name = yield from _pick(s, side, why, tuple(field), notes, labels=with_position(field), **facts)
    return name, field.pop(name)


def _field(s: State, side: Seat) -> dict[str, str]:
    """Return the fielders with their positions."""
    squad = s.squad(side)
    return {squad.playing(spot): spot for spot in POSITIONS}


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
    """Take a person out of the game by a card, and have him replaced at once. This overrides the lock on substitutions
    and a pitcher's minimum (AM-05). Without a replacement the game is forfeited.
    """
    person, before = (s.box.batters.get(name) or s.box.pitchers[name]).person, taking_back.at_stake(s, side)
    for one in s.squad(side).order:
        if s.box.batters[one].person == person:
            yield from _fill(s, side, one)
    if bench.on_mound(s, side) == person and not s.ended:
        yield from _leave_mound(s, side)
    if not s.ended:
        yield from taking_back.settle(s, before)


def _leave_mound(s: State, side: Seat) -> Step[None]:
    """Relieve the pitcher whom a card takes out. If nobody is left he stays in, unless by a house rule (CL-133)."""
    out, names = s.squad(side).pitcher, bench.relievers(s, side)
    if names:
        facts = {"team": s.team(side), "pitcher": out, "notes": _pitching_notes(s, side, names)}
        _relieve(s, side, (yield from choose(s.chair(side), "reliever", names, **facts)))
    elif s.house["emptyBullpen"] == "forfeit":
        forfeit(s, side)
    else:
        s.tell("stays-in", seat=side, team=s.team(side), pitcher=out)


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
