"""Automatic effects of stadium, weather and cards in play, with the end of effects."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from engine.games.clutch.cards.card_text import effects_text
from engine.games.clutch.cards.effects import RESULT_GROUPS, THIS_AT_BAT, CardRules
from engine.games.clutch.numbers.conditions import SideView, are_conditions_met
from engine.games.clutch.numbers.modifiers import is_switched_off
from engine.games.clutch.state import CardInPlay, State, Step
from engine.games.clutch.strategy_cards import apply, hands
from engine.games.clutch.strategy_cards.playable import current_tags, has_matching_trigger, tags_for


def trigger_cards(s: State, name: str, tags: Iterable[str]) -> Step[None]:
    """Apply the stadium and the weather when their condition occurs (CL-062), and discard cards that end (CL-221)."""
    if not s.full:
        return
    stadium, weather = s.box.stadiums.get(s.stadium), s.box.weather.get(s.weather)
    if stadium and name in stadium.main.windows and is_triggered(s, s.stadium, stadium.main, name, tags):
        yield from _apply_field_card(s, stadium.name, stadium.main, name)
        for bonus in filter(None, (stadium.defensive, stadium.offensive)):
            for effect in bonus.do:
                yield from apply.put_in_force(s, None, stadium.name, effect, stadium.main, name, who=bonus.conditions)
    if weather and name in weather.play.windows and is_triggered(s, s.weather, weather.play, name, tags):
        yield from _apply_field_card(s, s.weather, weather.play, name)
    for kept in s.kept:
        if kept.kind == "coach" or name not in (play := s.box.strategies[kept.name].play).ending:
            continue
        if has_matching_trigger(play.until, name, tags_for(s, kept.side, name, current_tags(s, name, tags))):
            end_card_in_play(s, kept)


def _apply_field_card(s: State, source: str, rule: CardRules, name: str) -> Step[None]:
    s.uses = (*s.uses, (source, s.half_number, s.number))
    # A new effect replaces the previous one, so that they do not add up.
    s.standing = tuple(one for one in s.standing if one.side or one.source != source)
    s.update_at_bat(content=frozenset())
    outer, s.acting = s.acting, (*s.acting, source)
    if rule.do:
        s.emit("acts", seat=s.offense, card=source, does=effects_text(rule))
    for effect in rule.do:
        yield from apply.apply_effect(s, None, source, effect, rule, name)
    s.acting = outer


def is_triggered(s: State, source: str, rule: CardRules, name: str, opened: Iterable[str]) -> bool:
    """True if the trigger of the stadium or weather is met and no card has switched it off."""
    tags = current_tags(s, name, opened)
    if not has_matching_trigger(rule.when, name, tags_for(s, s.offense, name, tags)) or (
        rule.clutch and not s.is_clutch_moment
    ):
        return False
    if source in s.acting or is_switched_off(s, source):
        return False
    return not rule.conditions or are_conditions_met(rule.conditions, SideView(s, s.offense, tags, source=source))


def end_card_in_play(s: State, kept: CardInPlay) -> None:
    """Discard a card in play and end its effects (CL-145, CL-221)."""
    s.kept = tuple(one for one in s.kept if one is not kept)
    s.standing = tuple(
        one for one in s.standing if (one.source, one.side) != (kept.name, kept.side) or one.on != kept.on
    )
    if kept.kind == "strategy":
        hands.add_to_discard_pile(s, kept.side, kept.name)
        s.emit("leaves-play", seat=kept.side, team=s.team_name(kept.side), card=kept.name)


def end_expired_effects(s: State, *units: str) -> None:
    """End effects of `units` ("roll", "throw", "at-bat", "half", "inning"). Those for the next at-bat then begin."""
    s.standing = tuple([one for one in s.standing if not (one.lasts.unit in units and one.ends <= s.half_number)])
    if "at-bat" in units and any(one.lasts.unit == "next-at-bat" for one in s.standing):
        s.standing = tuple(
            replace(one, lasts=THIS_AT_BAT) if one.lasts.unit == "next-at-bat" else one for one in s.standing
        )
    for kept in s.kept if "half" in units else ():
        if kept.kind == "coach" and kept.ends <= s.half_number:
            end_card_in_play(s, kept)


def resolve_pending(s: State, of: str) -> Step[None]:
    """Apply the effects that waited for a success or failure, after both managers have passed (CL-225)."""
    if not s.pending:
        return
    waiting = [one for one in s.pending if one.of == of]
    s.pending = tuple(one for one in s.pending if one.of != of)
    for one in waiting:
        match of:
            case "result":
                won = s.at.result == one.to
            case "at-bat":
                won = (s.at.outcome in RESULT_GROUPS["out"]) == (one.side == s.defense)
            case _:
                won = bool(s.throw and s.throw.made) == (one.side == s.defense)
        for effect in one.success if won else one.failure:
            yield from apply.apply_effect(s, one.side, one.source, effect, CardRules(), "after")
