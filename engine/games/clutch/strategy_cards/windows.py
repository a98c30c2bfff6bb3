"""Windows in which cards may be played, by the defense first, until both managers pass (3.9)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from engine.asks import Choose, Secret
from engine.events import Facts
from engine.games.clutch.cards import blank_cards
from engine.games.clutch.cards.card_text import effects_text, offer_text
from engine.games.clutch.cards.card_types import CoachCard, StrategyCard
from engine.games.clutch.cards.effects import RESULT_GROUPS, CardRules
from engine.games.clutch.cards.phrases import parse_effects as read_effect
from engine.games.clutch.state import CardInPlay, PendingEffects, PlayedCard, State, Step
from engine.games.clutch.strategy_cards import apply, card_effects, hands, muting, play_effects
from engine.games.clutch.strategy_cards.in_play import trigger_cards
from engine.games.clutch.strategy_cards.playable import (
    card_by_name,
    current_tags,
    is_possible,
    playable_cards,
    tags_for,
)
from engine.games.clutch.strategy_cards.situation import situation_text
from engine.lazy import LazyFacts
from engine.seats import SEATS, Seat, opposite_seat, replace_for_seat
from engine.secrets import SealedValue

PASS_OPTIONS = ("pass", "not-here", "not-this-inning")
"""Options to pass now, in this kind of window for the half-inning, or in all its windows."""

SWING_OPTION = "swing-now"  # Swing away without a card, chosen before the menu of the side at bat.

PLAY_CARD_OPTION = "play-card"  # Play a real card unasked.

EARLY_PASS_WINDOWS = ("at-bat", "before-pitch")  # Windows in which a manager can pass in advance.

REPLY_SUBSTITUTIONS = ("new-pitcher", "pinch-hitter")  # Substitutions that answer a card (AM-03).


def open_window(s: State, name: str, *tags: str) -> Step[None]:
    """Open a window. Stadium, weather and cards in play take effect, then both managers may play cards."""
    if name != "result":
        # A stadium acts on the final result, so `at_bat.offer_result_changes` triggers it after this window.
        yield from trigger_cards(s, name, tags)
    yield from offer_cards(s, name, *tags)


def offer_cards(s: State, name: str, *tags: str, menu: bool = False) -> Step[None]:
    """Offer both managers their cards in a window until both pass. With `menu` the menu of the side at bat follows."""
    if not s.full:
        return
    turn, passed = first_side_asked(s, name), 0
    while passed < len(SEATS):
        ahead = (SWING_OPTION,) if menu and turn == s.offense else ()
        played = yield from offer_to_side(s, turn, name, tags, ahead=ahead)
        passed = 0 if played else passed + 1
        turn = opposite_seat(turn)


def first_side_asked(s: State, name: str) -> Seat:
    """Return the defense (CL-205), or for changes of a result the side that it harms (AM-40)."""
    harmed = name == "result" and s.at.result in RESULT_GROUPS["out"]
    return s.offense if harmed and s.house["changePriority"] == "sideHarmed" else s.defense


def play_card_options(s: State, side: Seat) -> tuple[str, ...]:
    """Return the option to play a card at the start of an at-bat, if hands are real and so unknown."""
    return (PLAY_CARD_OPTION,) if s.full and not s.dealt and playable_cards(s, side, "at-bat", frozenset()) else ()


def offer_to_side(
    s: State, side: Seat, name: str, opened: Iterable[str], wanted: bool = False, ahead: tuple[str, ...] = ()
) -> Step[bool]:
    """Ask a manager whether he plays a card, and return True if he acted.

    He is not asked if he can play nothing, unless a house rule requires it, nor if he has passed in advance. Nor is he
    if he has muted the window, and then only he sees that he could have played a card. `opened` are the tags with which
    the window opened. `wanted` is True if he asked to play a card. `ahead` is `SWING_OPTION` if he may answer his menu
    here too.
    """
    if name in EARLY_PASS_WINDOWS and side in s.at.content and not wanted:
        return False
    able = playable_cards(s, side, name, opened)
    replies = s.actions.replies(s, side) if name == "before-pitch" else ()
    always = s.house["windows"] == "always" and (s.hand_size(side) or s.squad(side).coaches)
    if not (able or replies or always or wanted):
        return False
    chair = s.chair(side)
    if not wanted and ((chair, "cards") in s.muted or (chair, name) in s.muted):
        if able:
            at = SEATS.index(chair)
            s.skipped = replace_for_seat(s.skipped, chair, (*s.skipped[at], SealedValue(chair, name, -1)))
        return False
    tags = current_tags(s, name, opened)
    options = (PASS_OPTIONS[0], *able, *replies, *ahead, *PASS_OPTIONS[1:], *muting.lift_option(s, chair))

    def offer_facts(s: State) -> Facts:
        notes, played = {one: offer_text(card_by_name(s, side, one)) for one in able}, s.at.played
        shown = {"window": name, "now": situation_text(s, name, tags), "notes": notes, "team": s.team_name(side)}
        return {**shown, "batter": s.batter_card.name, "card": played[-1].name if played else ""}

    ask = Choose(chair, f"cards-{name}", options, LazyFacts(offer_facts, s))
    if s.dealt:
        sealed = yield Secret(ask)
        answer = sealed.peek()
        if answer != "pass":
            s.reveal(sealed)
    else:
        answer = yield ask
    if answer == muting.ASK_AGAIN_OPTION:
        muting.lift_mutes(s, chair)
        return (yield from offer_to_side(s, side, name, tags, ahead=ahead))
    if answer == SWING_OPTION:
        s.update_at_bat(content=s.at.content | {side}, swings=True)
        return False
    if answer in PASS_OPTIONS:
        if answer != "pass":
            s.muted |= {(chair, name if answer == "not-here" else "cards")}
        return False
    if answer in REPLY_SUBSTITUTIONS and answer not in able:
        yield from s.actions.substitute(s, side, answer)
    else:
        yield from play_card(s, side, answer, name, tags)
    return True


def play_card(s: State, side: Seat, name: str, where: str, tags: frozenset[str]) -> Step[None]:
    """Play a card. Its owner pays, the other manager may negate it, and it is applied (CL-217, CL-218, CL-222)."""
    card = card_by_name(s, side, name)
    kind = "coach" if isinstance(card, CoachCard) else "strategy"
    s.update_at_bat(played=(*s.at.played, PlayedCard(name, side, kind, where)))
    muting.forget_early_passes(s, opposite_seat(side))
    if kind == "coach":
        squad = s.squad(side)
        if s.house["coachUses"] == "1":
            s.update_squad(side, coaches=hands.without_one(squad.coaches, name), spent=(*squad.spent, name))
    else:
        hands.remove_from_hand(s, side, name)
    s.uses = (*s.uses, (name, s.half_number, s.number))
    text, on = effects_text(card.play), play_effects.acting_player(s, card.play.leave)
    facts = {"on": f" on {on[1]}" if on else "", "does": f": {text}" if text else ""}
    s.emit("plays-card", seat=side, team=s.team_name(side), card=name, **facts)
    does = card.play
    if isinstance(card, StrategyCard) and card.blank:
        does = yield from ask_blank_card(s, side, card, where, tags_for(s, side, where, tags))
    if isinstance(card, StrategyCard) and card.special == "momentum":
        does = replace(does, leave="play")
    paid = yield from card_effects.pay_costs(s, side, does)
    outer = (s.negated, s.playing)
    s.negated, s.playing = False, side
    if not any(effect.verb == "immune" for effect in does.do):
        yield from open_window(s, "card", *negation_tags(kind, card, does))
    negated = s.negated
    s.negated, s.playing = outer
    if negated:
        s.emit("negated", seat=opposite_seat(side), card=name)
        if s.house["negatedCostReturned"] == "true":
            card_effects.return_costs(s, side, paid)
        if kind == "strategy":
            hands.add_to_discard_pile(s, side, name)
        return
    stays = keep_in_play(s, side, card, does, kind)
    for effect in does.do:
        yield from apply.apply_effect(s, side, name, effect, does, where)
    queue_pending(s, side, name, does, where)
    if kind == "strategy" and not stays:
        back = any(effect.verb == "return" for effect in does.do)
        (hands.add_to_hand if back else hands.add_to_discard_pile)(s, side, name)


def ask_blank_card(s: State, side: Seat, card: StrategyCard, where: str, tags: frozenset[str]) -> Step[CardRules]:
    """Ask for the effect of a blank card, which the manager reads from the real card."""
    options = tuple(
        one
        for one in blank_cards.possible_phrases(where, tags, s.offense == side)
        if one != "nothing" and all(is_possible(s, side, effect) for effect in read_effect(one))
    )
    facts = {"team": s.team_name(side), "card": card.name}
    phrase = yield Choose(s.chair(side), "blank", ("nothing", *options), facts)
    return card.play if phrase == "nothing" else replace(card.play, do=read_effect(phrase))


def negation_tags(kind: str, card: StrategyCard | CoachCard, does: CardRules) -> tuple[str, ...]:
    tags = [kind, card.side if isinstance(card, StrategyCard) else ""]
    if isinstance(card, StrategyCard) and card.special:
        tags.append(card.special)
    for effect in does.do:
        if effect.verb == "mod":
            tags.append(f"{'-' if effect.amount < 0 else '+'}{effect.what}")
        if effect.verb in ("change", "try"):
            tags.append("change")
    return tuple(tag for tag in tags if tag)


def keep_in_play(s: State, side: Seat, card: StrategyCard | CoachCard, does: CardRules, kind: str) -> bool:
    """Keep a Momentum card, a card on a player or a lasting coach in play. Return True if a strategy card stays."""
    if isinstance(card, CoachCard):
        if does.lasts.unit == "half":
            s.kept = (*s.kept, CardInPlay(card.name, side, kind, ends=apply.last_half_number(s, card.name, does.lasts)))
        return False
    if not does.leave:
        return False
    s.kept = (*s.kept, CardInPlay(card.name, side, kind, play_effects.acting_player(s, does.leave)))
    return True


def queue_pending(s: State, side: Seat, name: str, does: CardRules, where: str) -> None:
    """Queue the effects that wait for the success of the play (CL-225)."""
    if not (does.success or does.failure):
        return
    of, to = "at-bat", ""
    changes = [effect.to for effect in does.do if effect.verb in ("change", "try")]
    if changes and not (s.throw and s.throw.made is not None):
        of, to = "result", changes[0]
    elif where.startswith("check"):
        of = "check"
    elif where.startswith("throw") or where in ("steal", "try"):
        of = "throw"
    s.pending = (*s.pending, PendingEffects(name, side, of, to, does.success, does.failure))
