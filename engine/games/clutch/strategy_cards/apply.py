"""Application of each verb of the card language (`effects.CardEffect`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from engine.asks import choose, roll
from engine.dice import Die
from engine.games.clutch.cards.baseball_terms import RESULT_NAMES
from engine.games.clutch.cards.card_text import phrase_in_words
from engine.games.clutch.cards.effects import CardEffect, CardRules, Condition, EffectDuration
from engine.games.clutch.numbers.conditions import SideView, are_conditions_met
from engine.games.clutch.pitching import pitcher_record
from engine.games.clutch.state import EffectInForce, SidePlayer, State, Step, ThrowOrCheck
from engine.games.clutch.strategy_cards import card_effects, play_effects
from engine.games.clutch.strategy_cards.play_effects import acting_player, runner_name
from engine.seats import SEATS, Seat, opposite_seat, replace_for_seat

LASTING_VERBS = ("mod", "set", "ignore", "die", "advantage", "mistake", "switch", "alter", "forbid", "allow", "hold")
"""Verbs whose effect stays in force, where the rules look it up."""

THROW_NUMBERS = ("throw_roll", "throw", "check_roll", "check", "check_target", "unit", "defense")
"""Numbers of a throw or check. A change while one is under way applies only to that one."""

THIS_THROW = EffectDuration("this throw", "throw")


def apply_effect(
    s: State, side: Seat | None, source: str, effect: CardEffect, of: CardRules, window: str
) -> Step[None]:
    """Apply one effect of a card that was played in `window`. `side` is None for the stadium and the weather."""
    if effect.verb in LASTING_VERBS:
        yield from put_in_force(s, side, source, effect, of, window)
    elif effect.verb == "if":
        met = are_conditions_met(effect.when, SideView(s, side or s.offense, s.at.tags, source=source, acting=True))
        for one in effect.then if met else effect.otherwise:
            yield from apply_effect(s, side, source, one, of, window)
    elif effect.verb in VERB_ACTIONS and are_conditions_met(
        effect.when, SideView(s, side or s.offense, s.at.tags, source=source, acting=True)
    ):
        yield from VERB_ACTIONS[effect.verb](s, side, source, effect, of, window) or ()


def put_in_force(
    s: State,
    side: Seat | None,
    source: str,
    effect: CardEffect,
    of: CardRules,
    window: str,
    who: tuple[Condition, ...] = (),
) -> Step[None]:
    """Put an effect in force for the players that meet `who`. Its amount and its runner are determined now."""
    if effect.verb == "mod" and effect.of:
        effect = replace(effect, amount=(yield from _resolve_amount(s, side, source, effect)), of="")
    lasts, on = of.lasts, None
    if of.leave:
        lasts = EffectDuration("while it is in play", "play")
        on = next((one.on for one in reversed(s.kept) if one.name == source and one.side == side), None)
    elif lasts.unit == "player":
        on = acting_player(s, "batter" if side == s.offense else "pitcher")
    elif s.throw and (effect.what in THROW_NUMBERS or effect.what in ("br", "st", "throw", "check")):
        lasts = THIS_THROW if lasts.unit in ("at-bat", "roll") else lasts
    elif effect.what in ("br", "st") and not effect.to and not who:
        on = yield from _choose_runner(s, side, source)
    whom = effect.what if effect.verb == "hold" else effect.to if effect.what in ("br", "st") else ""
    if whom not in ("", "every"):
        name = runner_name(s, whom)
        if not name:
            return
        on = (s.offense, name)
    if on and not of.leave and not any((one.source, one.side, one.on) == (source, side, on) for one in s.standing):
        s.emit("is-for", seat=side or s.offense, card=source, player=on[1])
    s.standing = (
        *s.standing,
        EffectInForce(source, side, effect, lasts, window, on, last_half_number(s, source, lasts), who, s.number),
    )


def last_half_number(s: State, source: str, lasts: EffectDuration) -> int:
    """Return the number of the last half-inning of an effect that begins in this one (CL-031, AM-41)."""
    if lasts.unit == "inning":
        return s.clock.inning * 2 - 1
    if lasts.unit != "half":
        return s.half_number
    more = source in s.box.coaches and s.house["benchCoachHalves"] == "twoFull"
    return s.half_number + lasts.count - 1 + more


def _resolve_amount(s: State, side: Seat | None, source: str, effect: CardEffect) -> Step[int]:
    """Return the amount of an effect, from a Clutch rating (CL-161 to CL-164) or a die."""
    sign = -1 if effect.amount < 0 else 1
    match effect.of:
        case "batter's clutch":
            return sign * s.batter_card.clutch
        case "pitcher's clutch":
            return sign * s.pitcher_card.clutch
    says = _effect_sentence(source, effect)
    face = yield from _roll_card_die(
        s, side, source, effect.of, says=says, outlook="The card counts as much as the number"
    )
    return sign * int(face)


def _effect_sentence(source: str, effect: CardEffect) -> str:
    """Return the card's name and its effect as a sentence, ending in a space so that another can follow."""
    return f"{source}: {phrase_in_words(effect.text)}. "


def _roll_card_die(
    s: State, side: Seat | None, source: str, kind: str, says: str, outlook: str, wins: str = ""
) -> Step[int]:
    who = side or s.defense
    facts = {"team": s.team_name(who), "card": source, "which": kind, "says": says, "wins": wins, "outlook": outlook}
    return int((yield from roll(s.chair(who), "card-die", Die(kind), **facts)))


def _choose_runner(s: State, side: Seat | None, source: str) -> Step[SidePlayer | None]:
    """Return the runner of a speed bonus. The card's owner chooses among several."""
    names = tuple(one.name for one in s.bases if one is not None)
    if len(names) < 2:
        return (s.offense, names[0]) if names else None
    who = side or s.offense
    return s.offense, (yield from choose(s.chair(who), "which-runner", names, team=s.team_name(who), card=source))


def attempt_change(
    s: State, side: Seat | None, source: str, effect: CardEffect, of: CardRules, window: str
) -> Step[None]:
    """Change a result if a check, throw or die ends as the card requires (CL-230, CL-233)."""
    if not play_effects.can_effect_change_result(s, side, effect):
        return
    made = yield from resolve_trial(s, side, source, effect)
    if made is None:
        return
    if made == (effect.of != "failed"):
        play_effects.change_result(s, side, source, effect, of, window)
    else:
        s.emit("unchanged", seat=side or s.offense, card=source, called=RESULT_NAMES.get(s.at.result, "as it was"))


def resolve_call(
    s: State, side: Seat | None, source: str, effect: CardEffect, of: CardRules, window: str
) -> Step[None]:
    made = yield from resolve_trial(s, side, source, effect)
    if made is None:
        return
    for one in effect.then if made else effect.otherwise:
        yield from apply_effect(s, side, source, one, of, window)


def resolve_trial(s: State, side: Seat | None, source: str, effect: CardEffect) -> Step[bool | None]:
    """Return True if a check is made, a runner is out, or a die is high enough, and None if there is no runner."""
    of, says = effect.trial, _effect_sentence(source, effect)
    if of is None:
        return None
    match of.call:
        case "check":
            return (yield from s.actions.check(s, of.unit, of.target, says))
        case "throw":
            name = runner_name(s, of.runner)
            if not name:
                return None
            base = next((i for i, one in enumerate(s.bases, 2) if one and one.name == name), 1)
            return (yield from s.actions.throw(s, ThrowOrCheck("card", of.unit, name, base, of.speed, says=says)))
    outlook = f"{of.target} or more does it"
    return (yield from _roll_card_die(s, side, source, of.die, says, outlook, f": {of.target}+")) >= of.target


def negate_card(s: State, side: Seat | None, source: str, effect: CardEffect, of: CardRules, window: str) -> None:
    """Cancel the card that the other manager is playing (CL-222)."""
    if s.playing not in (None, side):
        s.negated = True


def change_innings(s: State, side: Seat | None, source: str, effect: CardEffect, of: CardRules, window: str) -> None:
    """Raise the limit of the owner's pitcher within the caps (CL-106, CL-107), or lower the opponent's."""
    whose = side or s.defense
    if side and effect.amount < 0:
        whose = opposite_seat(side)
    arm = s.arms[SEATS.index(whose)][s.squad(whose).pitcher]
    s.store_record(
        whose, pitcher_record.add_innings(arm, effect.amount, s.house, tuple(s.arms[SEATS.index(whose)].values()))
    )


def change_rest(s: State, side: Seat | None, source: str, effect: CardEffect, of: CardRules, window: str) -> Step[None]:
    me = side or s.defense
    chair = s.chair(me)
    owing = s.rests[SEATS.index(chair)]
    names = tuple(name for name, entry in owing.items() if entry.is_tired)
    if not names:
        return
    name = (
        names[0] if len(names) == 1 else (yield from choose(chair, "rested", names, team=s.team_name(me), card=source))
    )
    s.rests = replace_for_seat(
        s.rests, chair, {**owing, name: replace(owing[name], owes=max(0, owing[name].owes + effect.amount))}
    )
    s.emit("rested" if effect.amount < 0 else "rests-longer", seat=me, pitcher=name, card=source)


def choose_effect(
    s: State, side: Seat | None, source: str, effect: CardEffect, of: CardRules, window: str
) -> Step[None]:
    ways = {"first": effect.then, "second": effect.otherwise}
    labels = {code: phrase_in_words(", ".join(one.text for one in way)) for code, way in ways.items()}
    who = side or s.offense
    facts = {"team": s.team_name(who), "card": source, "labels": labels}
    answer = yield from choose(s.chair(who), "either", tuple(ways), **facts)
    for one in ways[answer]:
        yield from apply_effect(s, side, source, one, of, window)


VERB_ACTIONS: Mapping[str, Callable[[State, Seat | None, str, CardEffect, CardRules, str], Step[None] | None]] = {
    "reroll": play_effects.reroll_die,
    "twice": play_effects.reroll_die,
    "face": play_effects.reroll_die,
    "change": play_effects.change_result,
    "try": attempt_change,
    "throw": play_effects.reverse_throw,
    "check": play_effects.reverse_throw,
    "call": resolve_call,
    "advance": play_effects.advance_by_card,
    "remove": play_effects.remove_runners,
    "eject": play_effects.eject_player,
    "place": play_effects.place_on_base,
    "out": play_effects.put_out_by_card,
    "score": play_effects.score_as,
    "draw": card_effects.draw_cards,
    "discard": card_effects.discard_cards,
    "look": card_effects.look_at_cards,
    "recover": card_effects.recover_cards,
    "search": card_effects.search_deck,
    "bottom": card_effects.put_under_deck,
    "shuffle": card_effects.shuffle_deck,
    "negate": negate_card,
    "innings": change_innings,
    "rest": change_rest,
    "either": choose_effect,
}
"""Verbs that are applied at once. `windows.play_card` handles "return" and "immune"."""
