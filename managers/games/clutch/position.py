"""Reconstruction of a Clutch state from a seat's view, for the rules' pure functions.

It has the cards of the decks, and from the view the lineups, the bases, the pitchers, the effects in force and the
seat's own hand. What the seat cannot see is empty.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.diamond import EMPTY_BASES, Bases
from engine.games.clutch.cards.card_types import ClutchBox, Roster
from engine.games.clutch.cards.effects import CardEffect, CardRules, Condition, EffectDuration
from engine.games.clutch.cards.phrases import parse_effects as read_effect
from engine.games.clutch.pitching import pitcher_record
from engine.games.clutch.pitching.pitcher_record import PitcherRecord
from engine.games.clutch.pitching.rest import PitcherRest
from engine.games.clutch.rules import CARD_ACTIONS
from engine.games.clutch.squad import BaseRunner, BattingLine, ClutchSquad
from engine.games.clutch.state import CardInPlay, ClutchAtBat, EffectInForce, PlayedCard, State, ThrowOrCheck
from engine.innings import InningClock
from engine.scoreboard import Scoreboard
from engine.seats import SEATS, Seat
from engine.secrets import SealedValue
from engine.views import TableView

_AT_BAT_FIELDS: tuple[str, ...] = (
    *("pitch_die", "pitch_natural", "pitch_roll", "command", "pitch", "on_base", "mistake", "advantage"),
    *("swing_die", "swing_natural", "swing_roll", "swing", "chart", "read", "result", "outcome", "infield_in"),
    *("on_base_bonus", "swing_bonus", "pitch_bonus"),
)
"""Fields of the at-bat that a view shows."""


@dataclass(frozen=True, slots=True)
class ClutchPosition:
    """A view and the state rebuilt from it. `side` is the side of the seat in the current game."""

    board: Scoreboard
    panel: Mapping[str, Any]
    side: Seat
    state: State


def can_rebuild_position(view: TableView) -> bool:
    return bool(view.scoreboard.panel.get("squads")) and view.scoreboard.batting is not None


def position_from_view(view: TableView, box: ClutchBox, house: Mapping[str, str]) -> ClutchPosition:
    """Rebuild the state. Neither `can_rebuild_position` nor that the view has a seat is checked."""
    board, panel = view.scoreboard, view.scoreboard.panel
    assert view.seat is not None
    side = board.plays.get(view.seat, view.seat)
    s = State(box=box, house=house, actions=CARD_ACTIONS, phase="play")
    s.home = next((seat for seat, plays in board.plays.items() if plays == "home"), "home")
    s.game = panel["series"]["game"]
    s.clock = InningClock(board.inning, board.half)
    s.score = (board.sides["away"].runs, board.sides["home"].runs)
    s.begun, s.outs, s.walked = True, board.outs, panel["walked"]
    s.stadium, s.weather = (panel[what]["name"] if panel[what] else "" for what in ("stadium", "weather"))
    s.squads = (
        _build_squad(board, panel, "away", side, view.seat),
        _build_squad(board, panel, "home", side, view.seat),
    )
    owed = {one: _owed_rests(panel["squads"][one]) for one in SEATS}
    s.rests = (owed["away"], owed["home"]) if s.home == "home" else (owed["home"], owed["away"])
    first, second, third = (BaseRunner(name, s.pitcher_card.name) if name else None for name in board.bases)
    bases: Bases[BaseRunner] = (first, second, third)
    s.bases = bases
    s.arms = (_pitcher_records(panel, "away", s), _pitcher_records(panel, "home", s))
    s.lines = (_batting_lines(s.squads[0]), _batting_lines(s.squads[1]))
    _restore_at_bat(s, panel)
    return ClutchPosition(board, panel, side, s)


def _build_squad(board: Scoreboard, panel: Mapping[str, Any], side: Seat, mine: Seat, seat: Seat) -> ClutchSquad:
    team = panel["squads"][side]
    order = team["order"]
    slot = next((at for at, place in enumerate(order) if place["due"]), 0)
    none: Mapping[str, Any] = {"hand": 0, "discard": (), "coaches": (), "spent": ()}
    cards: Mapping[str, Any] = panel["cards"][side] if panel["cards"] else none
    held: Sequence[str] = ()
    if side == mine and panel["hands"] and isinstance(panel["hands"][seat]["cards"], list):
        held = [card["name"] for card in panel["hands"][seat]["cards"]]
    return ClutchSquad(
        Roster(board.sides[side].name, {}, (), (), (), ()),
        order=tuple(place["name"] for place in order),
        spots=tuple(place["position"] for place in order),
        slot=slot,
        pitchers=tuple(team["pitchers"]),
        bench=tuple(card["name"] for card in team["bench"]),
        bullpen=tuple(one["name"] for one in team["bullpen"]),
        gone=tuple(team["gone"]),
        hand=tuple(SealedValue(seat, name, -1) for name in held),
        held=cards["hand"],
        discard=tuple(cards["discard"]),
        coaches=tuple(card["name"] for card in cards["coaches"]),
        spent=tuple(cards["spent"]),
    )


def _batting_lines(squad: ClutchSquad) -> dict[str, BattingLine]:
    return {
        name: BattingLine(name, at, (spot,))
        for at, (name, spot) in enumerate(zip(squad.order, squad.spots, strict=True))
    }


def _owed_rests(team: Mapping[str, Any]) -> dict[str, PitcherRest]:
    return {one["name"]: PitcherRest(one["owes"]) for one in team["bullpen"] if one["owes"]}


def _pitcher_records(panel: Mapping[str, Any], side: Seat, s: State) -> dict[str, PitcherRecord]:
    """Return the pitchers of a side in this game, from their box score lines."""
    found: dict[str, PitcherRecord] = {}
    for line in panel["box"][side]["pitching"]:
        card = s.box.pitchers[line["name"]]
        arm = PitcherRecord(
            card.name, line["role"], card.innings.get(line["role"], 1), outs=line["outs"], tired=line["tired"]
        )
        arm = replace(arm, walks=line["bb"], runs=line["r"], earned=line["er"], quality=line["quality"], pitched=True)
        # About as many as he faced: the box score leaves out fielder's choices and errors.
        arm = replace(arm, faced=sum(line[what] for what in ("outs", "h", "bb", "hbp")), intentional=line["ibb"])
        if line["tired"] and not pitcher_record.is_over_limit(arm, s.house):
            arm = replace(arm, owes=1)
        found[card.name] = arm
    mound = panel["pitcher"]
    if side != s.defense or not mound or mound["name"] not in found:
        return found
    name = mound["name"]
    arm = replace(found[name], limit=mound["limit"], walks=0, earned=0, quality=False, announced=mound["tired"])
    began = s.outs > 0 or s.bases != EMPTY_BASES
    arm = replace(arm, owes=0, finished=arm.outs > s.outs, now=int(began))
    if mound["tired"] and mound["left"]:
        arm = replace(arm, owes=1)
    more = mound["penalty"] - pitcher_record.tired_penalty(arm, s.house)
    if more and s.house["tiredStep"] == "byInning":
        arm, more = replace(arm, overtime=more), 0
    return found | {name: arm if not more else replace(arm, owes=1)}


def _restore_at_bat(s: State, panel: Mapping[str, Any]) -> None:
    at = panel["at"]
    s.at = ClutchAtBat(**{name: at[name] for name in _AT_BAT_FIELDS})
    played = tuple(PlayedCard(one["card"], one["side"], one["kind"], one["window"]) for one in panel["played"])
    s.at = s.at._replace(played=played, changed=frozenset(panel["changed"]))
    s.uses = tuple((one.name, s.half_number, s.number) for one in played)
    s.kept = tuple(_build_card_in_play(s, side, card) for side in SEATS for card in _cards_in_play(panel, side))
    s.standing = tuple(one for row in panel["in_force"] if (one := _effect_in_force(s, row)))
    if throw := at["throw"]:
        s.throw = _build_throw(s, throw)


def _cards_in_play(panel: Mapping[str, Any], side: Seat) -> Sequence[Mapping[str, str]]:
    found: Sequence[Mapping[str, str]] = panel["cards"][side]["play"] if panel["cards"] else ()
    return found


def _build_card_in_play(s: State, side: Seat, card: Mapping[str, str]) -> CardInPlay:
    on = None
    if card["on"]:
        on = (next((one for one in SEATS if _is_playing(s.squad(one), card["on"])), s.offense), card["on"])
    return CardInPlay(card["name"], side, "coach" if card["name"] in s.box.coaches else "strategy", on, s.half_number)


def _is_playing(squad: ClutchSquad, name: str) -> bool:
    return name in squad.order or name in squad.pitchers[-1:]


def _build_throw(s: State, numbers: Mapping[str, Any]) -> ThrowOrCheck:
    """Rebuild the current throw or check. Bonuses of the play are not in the printed numbers, so they are computed."""
    names = ("kind", "unit", "runner", "base", "natural", "total", "against", "made")
    kind = numbers["kind"]
    throw = ThrowOrCheck(**{name: numbers[name] for name in names}, speed="st" if kind == "steal" else "br")
    if kind == "check":
        return replace(throw, target=numbers["printed_speed"])
    return replace(throw, bonus=_play_bonus(s, kind, throw.base), help=_play_help_bonus(kind, throw.base))


def _play_bonus(s: State, kind: str, base: int) -> int:
    """Return the runner's bonus of a play: see running.hits, running.ground_balls and at_bat.outcomes."""
    match kind:
        case "hit":
            return 3 * (base == 4) + 3 * (s.outs == 2)
        case "tag":
            return 3 * (base == 4)
        case "double-play":
            return 3
        case "infield-in":
            return int(s.house["infieldInHomeBonus"])
    return 0


def _play_help_bonus(kind: str, base: int) -> int:
    return 3 if (kind, base) in (("steal", 3), ("tag", 2)) else 0


def _effect_in_force(s: State, row: Mapping[str, Any]) -> EffectInForce | None:
    """Return an effect in force, or None if its card is unknown."""
    found = next((one for one in _possible_effects(s.box, row["card"]) if _is_same_effect(one[0], row)), None)
    if found is None:
        try:
            found = next(((one, ()) for one in read_effect(row["effect"]) if _is_same_effect(one, row)), None)
        except ValueError:
            return None
    if found is None:
        return None
    effect, who = found
    if effect.verb == "mod":
        effect = replace(effect, amount=row["amount"], of="")
    on = None
    if row["on"]:
        on = (s.offense if row["on"] in s.squad(s.offense).order else s.defense, row["on"])
    return EffectInForce(
        row["card"], row["side"], effect, EffectDuration("", row["lasts"]), on=on, ends=row["ends"], who=who
    )


def _is_same_effect(effect: CardEffect, row: Mapping[str, Any]) -> bool:
    return (effect.text, effect.verb) == (row["effect"], row["verb"])


def _possible_effects(box: ClutchBox, name: str) -> Iterator[tuple[CardEffect, tuple[Condition, ...]]]:
    """Yield every effect of a card that may be in force, with the conditions on its players."""
    if name in box.stadiums:
        stadium = box.stadiums[name]
        for bonus in filter(None, (stadium.defensive, stadium.offensive)):
            yield from ((one, bonus.conditions) for one in bonus.do)
    for cards in (box.strategies, box.coaches, box.weather):
        if name in cards:
            yield from ((one, ()) for one in _nested_effects(cards[name].play))
    if name in box.stadiums:
        yield from ((one, ()) for one in _nested_effects(box.stadiums[name].main))


def _nested_effects(play: CardRules) -> Iterator[CardEffect]:
    waiting = [*play.do, *play.success, *play.failure]
    while waiting:
        effect = waiting.pop(0)
        yield effect
        waiting += [*effect.then, *effect.otherwise]


def with_effect(
    s: State, side: Seat, source: str, effect: CardEffect, play: CardRules, on: tuple[Seat, str] | None
) -> State:
    """Return the state with one more effect in force. The verb is not checked."""
    lasts = play.lasts
    if play.leave:
        lasts = EffectDuration("", "play")
    twin = s.copy()
    twin.standing = (*s.standing, EffectInForce(source, side, effect, lasts, on=on, ends=s.half_number))
    return twin
