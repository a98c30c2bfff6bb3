"""Substitutions at the start of an at-bat, and late ones that answer a card (3.5, 3.9.A)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from engine.asks import choose
from engine.diamond import runners_on_base
from engine.games.clutch.cards.baseball_terms import POSITION_NAMES
from engine.games.clutch.cards.card_text import batting_note, fielding_note, pitching_note, position_note, running_note
from engine.games.clutch.cards.card_types import DH, FIELD_POSITIONS
from engine.games.clutch.numbers.modifiers import is_allowed
from engine.games.clutch.pitching import pitcher_record
from engine.games.clutch.records.sentences import NEVER_MIND, player_labels, position_labels, runner_labels
from engine.games.clutch.state import State, Step
from engine.games.clutch.strategy_cards import card_returns, muting
from engine.games.clutch.strategy_cards.windows import open_window
from engine.games.clutch.substitutions import bench
from engine.seats import SEATS, Seat, opposite_seat

ANOTHER_POSITION = "another-position"


_MATCHUP_CHANGES = ("new-pitcher", "pinch-hitter")
"""Changes of the pitcher or the batter. They may answer cards, and cards may come back after them (3.9.A)."""


class _SubstitutionCanceled(Exception):
    """The manager cancels the substitution that he has begun."""


# Legal substitutions -------------------------------------------------------------------------------------------------


def legal_changes(s: State, side: Seat) -> tuple[str, ...]:
    """Return the codes of the substitutions that are legal for a side in this at-bat.

    There are none after the pitch (CL-119). If a card forbids substitutions, fielders may still move (AM-06). That
    nothing else has happened in the at-bat is not checked.
    """
    if s.at.pitch_natural is not None or s.at.bunt is not None:
        return ()
    may, fields = is_allowed(s, "substitution", side), side == s.defense
    codes = _early_changes(s) if s.clock.inning < int(s.house["subLockInning"]) else _SUBSTITUTION_KINDS
    kinds = [(code, _SUBSTITUTION_KINDS[code]) for code in codes if may or code == "positions"]
    return tuple([code for code, kind in kinds if kind.fields == fields and kind.legal(s, side)])


_ANSWERABLE_WINDOWS = (("before-pitch", "after"), ("at-bat", "before-pitch", "after"))
"""Windows whose cards the side at bat may answer, then those for the side in the field. That side has no other chance
after the cards for the start of an at-bat. "after" follows a steal. Cards on the steal itself are not included
(AM-02).
"""


def late_changes(s: State, side: Seat) -> tuple[str, ...]:
    """Return the substitutions that may answer the other side's card before the pitch (CL-202 to CL-204, AM-03)."""
    answers = s.house["lateSubReplies"]
    theirs = any(one.side != side and one.window in _ANSWERABLE_WINDOWS[side == s.defense] for one in s.at.played)
    if not theirs or answers == "none" or (answers == "oneEach" and side in s.at.replied):
        return ()
    return tuple(code for code in legal_changes(s, side) if code in _MATCHUP_CHANGES)


def _early_changes(s: State) -> tuple[str, ...]:
    """Return the changes that are legal while substitutions are locked (CL-120, AM-05)."""
    return ("new-pitcher", "positions") if s.house["positionMovesBefore4th"] == "true" else ("new-pitcher",)


def _may_relieve(s: State, side: Seat) -> bool:
    """True if the pitcher may leave, by the lock on substitutions too, and there is a reliever (CL-133)."""
    arm = s.arms[SEATS.index(side)][s.squad(side).pitcher]
    return not pitcher_record.reason_to_stay(arm, s.clock.inning, s.house) and bool(bench.eligible_relievers(s, side))


def _fielding_subs(s: State, side: Seat) -> tuple[str, ...]:
    return bench.eligible_subs(s, side, FIELD_POSITIONS[0])


def _batting_subs(s: State, side: Seat) -> tuple[str, ...]:
    squad = s.squad(side)
    return bench.eligible_subs(s, side, squad.spots[squad.slot])


def _replaceable_runners(s: State, side: Seat) -> tuple[str, ...]:
    return tuple(
        one.name for one in runners_on_base(s.bases) if bench.eligible_subs(s, side, _position_of(s, side, one.name))
    )


def _position_of(s: State, side: Seat, name: str) -> str:
    squad = s.squad(side)
    return squad.spots[squad.order.index(name)]


def _order_place(s: State, side: Seat, name: str) -> int:
    """Return a player's place in the order, from 1."""
    return s.squad(side).order.index(name) + 1


# Making substitutions ------------------------------------------------------------------------------------------------


def make_change(s: State, side: Seat, code: str) -> Step[bool]:
    """Make one of the `legal_changes`, with the asks it needs. Return False if the manager canceled it. Cards of the
    other manager may then come back, and cards may be played on the new player. That it is legal is not checked.
    """
    answer, kind = code in late_changes(s, side), _SUBSTITUTION_KINDS[code]
    before = card_returns.returnable_cards(s, side) if code in _MATCHUP_CHANGES else {}
    try:
        yield from kind.make(s, side)
    except _SubstitutionCanceled:
        return False
    if answer:
        s.update_at_bat(replied=s.at.replied | {side})
    muting.forget_early_passes(s, opposite_seat(side))
    yield from card_returns.return_cards(s, before)
    if kind.enters:
        yield from open_window(s, "enter", kind.enters)
    return True


def _bring_in_reliever(s: State, side: Seat) -> Step[None]:
    """Bring in a reliever (CL-134 to CL-143, CL-199)."""
    names, out = bench.eligible_relievers(s, side), s.squad(side).pitcher
    name = yield from _pick_player(s, side, "reliever", names, _pitching_notes(s, side, names), pitcher=out)
    _relieve_pitcher(s, side, name)


def _pinch_hit(s: State, side: Seat) -> Step[None]:
    """Bring in a pinch hitter, who keeps the batter's place and position (CL-125, CL-144)."""
    out, names = s.squad(side).batter, _batting_subs(s, side)
    notes = {name: batting_note(s.box.batters[name]) for name in names}
    name = yield from _pick_player(s, side, "pinch-hitter", names, notes, batter=out)
    bench.substitute_batter(s, side, name, out, "PH")
    s.emit("pinch-hitter", seat=side, team=s.team_name(side), batter=name, out=out)


def _pinch_run(s: State, side: Seat) -> Step[None]:
    """Bring in a pinch runner, who keeps the runner's place and position (CL-126)."""
    on, labels = _replaceable_runners(s, side), runner_labels(one.name if one else "" for one in s.bases)
    out = yield from _pick_player(s, side, "pinch-run-for", on, _running_notes(s, on), labels=labels)
    names = bench.eligible_subs(s, side, _position_of(s, side, out))
    name = yield from _pick_player(s, side, "pinch-runner", names, _running_notes(s, names), runner=out)
    bench.substitute_batter(s, side, name, out, "PR")
    s.emit("pinch-runner", seat=side, team=s.team_name(side), batter=name, out=out)


def _replace_fielder(s: State, side: Seat) -> Step[None]:
    """Replace a fielder. The new one bats in his place and may play another position (CL-127, CL-128)."""
    field, names = _fielder_positions(s, side), _fielding_subs(s, side)
    out, spot = yield from _pick_fielder(s, side, "replaced", field)
    notes = {name: fielding_note(s.box.batters[name], spot) for name in names}
    name = yield from _pick_player(s, side, "replacement", names, notes, out=out, position=POSITION_NAMES[spot])
    plays = yield from _ask_position(s, side, name, spot, field)
    bench.substitute_batter(s, side, name, out, plays)
    if plays != spot:
        _trade_positions(s, side, name, s.squad(side).player_at(plays), (name,))
    _announce_newcomer(s, side, name, out)


def _ask_position(s: State, side: Seat, name: str, spot: str, field: Mapping[str, str]) -> Step[str]:
    """Ask for the position of the player who replaces the one at `spot`. Positions on his card come first."""
    spots = (spot, *(other for other in FIELD_POSITIONS if other != spot))
    card = s.box.batters[name]
    worth = {spot: fielding_note(card, spot), **_trade_notes(s, name, spot, field)}
    on_card = tuple(one for one in spots if one in card.gloves)
    others = tuple(one for one in spots if one not in on_card)

    def ask_among(why: str, some: tuple[str, ...], *more: str) -> Step[str]:
        labels = {one: text for one, text in position_labels(field).items() if one in some}
        notes = {one: worth[one] for one in some}
        return _pick_player(
            s, side, why, (*some, *more), notes, labels=labels, batter=name, position=POSITION_NAMES[spot]
        )

    plays = (yield from ask_among("replacement-plays", on_card, ANOTHER_POSITION)) if on_card else ANOTHER_POSITION
    return (yield from ask_among("elsewhere", others)) if plays == ANOTHER_POSITION else plays


def _double_switch(s: State, side: Seat) -> Step[None]:
    """Replace two fielders at once (CL-129). Each newcomer may take either place in the order and either position."""
    field, names = _fielder_positions(s, side), _fielding_subs(s, side)
    one, spot = yield from _pick_fielder(s, side, "switched", field)
    two, second_spot = yield from _pick_fielder(s, side, "switched-too", field, out=one)
    notes = {name: fielding_note(s.box.batters[name], spot, second_spot) for name in names}
    first = yield from _pick_player(s, side, "switch-in", names, notes, out=[one, two])
    left = tuple(name for name in names if name != first)
    notes.pop(first)
    second = yield from _pick_player(s, side, "switch-in-too", left, notes, batter=first, out=[one, two])
    both = (first, second)
    bats = yield from _pick_player(s, side, "switch-bats", both, {}, place=_order_place(s, side, one), out=one)
    notes = {name: fielding_note(s.box.batters[name], spot) for name in both}
    plays = yield from _pick_player(s, side, "switch-plays", both, notes, position=POSITION_NAMES[spot])
    pairs = tuple(zip(both if bats == first else both[::-1], (one, two), strict=True))
    for name, out in pairs:
        bench.substitute_batter(s, side, name, out, spot if name == plays else second_spot)
    if plays != bats:
        bench.trade_positions(s, side, first, second)
    for name, out in pairs:
        _announce_newcomer(s, side, name, out)


def _trade_fielders(s: State, side: Seat) -> Step[None]:
    """Swap the positions of two fielders (CL-085), but never of the designated hitter (CL-086, AM-12)."""
    field = _fielder_positions(s, side)
    name, spot = yield from _pick_fielder(s, side, "moves", field)
    options = tuple(other for other in FIELD_POSITIONS if other != spot)
    facts = {"labels": position_labels(field), "batter": name, "position": POSITION_NAMES[spot]}
    to = yield from _pick_player(s, side, "moves-to", options, _trade_notes(s, name, spot, field), **facts)
    _trade_positions(s, side, name, s.squad(side).player_at(to))


class _SubstitutionKind(NamedTuple):
    """A kind of substitution, in the field or at bat. `enters` is the new player's tag, for cards that wait for one."""

    fields: bool
    legal: Callable[[State, Seat], bool]
    make: Callable[[State, Seat], Step[None]]
    enters: str = ""


_SUBSTITUTION_KINDS: Mapping[str, _SubstitutionKind] = {
    "new-pitcher": _SubstitutionKind(True, _may_relieve, _bring_in_reliever, "pitcher"),
    "replace": _SubstitutionKind(True, lambda s, side: bool(_fielding_subs(s, side)), _replace_fielder, "fielder"),
    "double-switch": _SubstitutionKind(
        True, lambda s, side: len(_fielding_subs(s, side)) > 1, _double_switch, "fielder"
    ),
    "positions": _SubstitutionKind(True, lambda s, side: True, _trade_fielders),  # Moves are no substitutions (AM-06).
    "pinch-hitter": _SubstitutionKind(False, lambda s, side: bool(_batting_subs(s, side)), _pinch_hit, "pinch-hitter"),
    "pinch-runner": _SubstitutionKind(
        False, lambda s, side: bool(_replaceable_runners(s, side)), _pinch_run, "pinch-runner"
    ),
}
"""The substitutions of the side in the field (CL-124, CL-127), then of the side at bat."""


# Asks and announcements ----------------------------------------------------------------------------------------------


def _pick_player(
    s: State, side: Seat, why: str, names: tuple[str, ...], notes: Mapping[str, str], **facts: Any
) -> Step[str]:
    """Ask for one of these players. Raise _SubstitutionCanceled."""
    name = yield from choose(s.chair(side), why, (*names, NEVER_MIND), team=s.team_name(side), notes=notes, **facts)
    if name == NEVER_MIND:
        raise _SubstitutionCanceled
    return name


def _pick_fielder(s: State, side: Seat, why: str, field: dict[str, str], **facts: Any) -> Step[tuple[str, str]]:
    """Ask for one of the fielders, remove him from `field`, and return him and his position."""
    notes = {name: fielding_note(s.box.batters[name], spot) for name, spot in field.items()}
    name = yield from _pick_player(s, side, why, tuple(field), notes, labels=player_labels(field), **facts)
    return name, field.pop(name)


def _fielder_positions(s: State, side: Seat) -> dict[str, str]:
    squad = s.squad(side)
    return {squad.player_at(spot): spot for spot in FIELD_POSITIONS}


def _trade_notes(s: State, name: str, spot: str, field: Mapping[str, str]) -> dict[str, str]:
    """Return for each position the ratings of both players if they swapped."""
    cards = s.box.batters
    return {
        to: f"{name} {position_note(cards[name], to)}; {other} {position_note(cards[other], spot)}"
        for other, to in field.items()
    }


def _running_notes(s: State, names: tuple[str, ...]) -> dict[str, str]:
    return {name: running_note(s.box.batters[name]) for name in names}


def _pitching_notes(s: State, side: Seat, names: tuple[str, ...]) -> dict[str, str]:
    """Return notes on each reliever in the role that he would fill."""
    return {
        name: pitching_note(
            s.box.pitchers[name], bench.reliever_role(s, side, name), bench.owed_rest(s, side, name).owes
        )
        for name in names
    }


def _relieve_pitcher(s: State, side: Seat, name: str) -> None:
    out = s.squad(side).pitcher
    bench.substitute_pitcher(s, side, name)
    muting.lift_mutes(s, s.chair(side))
    s.emit("new-pitcher", seat=side, team=s.team_name(side), pitcher=name, out=out)


def _trade_positions(s: State, side: Seat, one: str, two: str, newcomers: tuple[str, ...] = ()) -> None:
    bench.trade_positions(s, side, one, two)
    for name in (one, two):
        if name not in newcomers:
            s.emit(
                "moves",
                seat=side,
                team=s.team_name(side),
                batter=name,
                position=POSITION_NAMES[_position_of(s, side, name)],
            )


def _announce_newcomer(s: State, side: Seat, name: str, out: str) -> None:
    facts = {"position": POSITION_NAMES[_position_of(s, side, name)], "place": _order_place(s, side, name)}
    s.emit("replaces", seat=side, team=s.team_name(side), batter=name, out=out, **facts)


# Removal by a card (CL-132) ------------------------------------------------------------------------------------------


def remove_person(s: State, side: Seat, name: str) -> Step[None]:
    """Remove a person from the game by a card, and have him replaced at once. This overrides the lock on substitutions
    and a pitcher's minimum (AM-05). Without a replacement the game is forfeited.
    """
    person, before = (s.box.batters.get(name) or s.box.pitchers[name]).person, card_returns.returnable_cards(s, side)
    for one in s.squad(side).order:
        if s.box.batters[one].person == person:
            yield from _replace_removed_batter(s, side, one)
    if bench.person_on_mound(s, side) == person and not s.ended:
        yield from _replace_removed_pitcher(s, side)
    if not s.ended:
        yield from card_returns.return_cards(s, before)


def _replace_removed_pitcher(s: State, side: Seat) -> Step[None]:
    """Relieve the pitcher whom a card removes. If nobody is left he stays in, unless a house rule forfeits (CL-133)."""
    out, names = s.squad(side).pitcher, bench.eligible_relievers(s, side)
    if names:
        facts = {"team": s.team_name(side), "pitcher": out, "notes": _pitching_notes(s, side, names)}
        _relieve_pitcher(s, side, (yield from choose(s.chair(side), "reliever", names, **facts)))
    elif s.house["emptyBullpen"] == "forfeit":
        forfeit(s, side)
    else:
        s.emit("stays-in", seat=side, team=s.team_name(side), pitcher=out)


def _replace_removed_batter(s: State, side: Seat, out: str) -> Step[None]:
    """Replace one of the nine from the bench, or by the designated hitter if the bench is empty (AM-12)."""
    spot, cards = _position_of(s, side, out), s.box.batters
    names = bench.eligible_subs(s, side, spot)
    if names:
        notes = {name: batting_note(cards[name]) if spot == DH else fielding_note(cards[name], spot) for name in names}
        name = yield from choose(s.chair(side), "removed", names, team=s.team_name(side), out=out, notes=notes)
        bench.substitute_batter(s, side, name, out)
        _announce_newcomer(s, side, name, out)
        return
    hitter = s.squad(side).player_at(DH)
    idle = hitter not in ("", out) and cards[hitter].person != bench.person_on_mound(s, side)
    if idle and s.house["dhMayField"] == "toAvoidForfeit":
        bench.move_dh_to_field(s, side, out)
        s.emit("afield", seat=side, team=s.team_name(side), batter=hitter, position=POSITION_NAMES[spot])
    else:
        forfeit(s, side)


def forfeit(s: State, side: Seat) -> None:
    """End the game, since a side cannot field nine (CL-132). `ended` is "forfeit-away" or "forfeit-home"."""
    s.ended = f"forfeit-{side}"
    s.emit("forfeit", seat=side, team=s.team_name(side))
