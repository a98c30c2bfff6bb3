"""Effects of cards on dice, results, throws and checks, runners, the batter and the pitcher."""

from __future__ import annotations

from dataclasses import replace

from engine.asks import roll
from engine.diamond import place_runner
from engine.dice import Die
from engine.games.clutch.cards.baseball_terms import BASE_NAMES, RESULT_NAMES
from engine.games.clutch.cards.effects import CardEffect, CardRules
from engine.games.clutch.numbers import bunt_numbers, pitch_numbers, swing_numbers, throw_numbers
from engine.games.clutch.numbers.modifiers import is_allowed
from engine.games.clutch.numbers.rolls import REROLL_SENTENCES, die_name, need_for_title, reroll_title
from engine.games.clutch.records import score_book
from engine.games.clutch.squad import BaseRunner
from engine.games.clutch.state import EffectInForce, SidePlayer, State, Step
from engine.games.clutch.strategy_cards.situation import throw_result_text
from engine.seats import SEATS, Seat, replace_for_seat


def reroll_die(s: State, side: Seat | None, source: str, effect: CardEffect, of: CardRules, window: str) -> Step[None]:
    """Reroll a die, roll it twice for the better or worse, or set its face. The effect waits for a die yet to roll."""
    rolled = _pending_roll(s, effect.what)
    if rolled is None:
        s.standing = (
            *s.standing,
            EffectInForce(source, side, effect, of.lasts, window, ends=s.half_number, number=s.number),
        )
        return
    kind, face, chair = rolled
    new = effect.amount
    if effect.verb != "face":
        team = s.team_name(s.offense if chair == s.chair(s.offense) else s.defense)
        counts = REROLL_SENTENCES[effect.of if effect.verb == "twice" else ""]
        facts = {"team": team, "card": source, "which": die_name(kind), "counts": counts}
        facts["again"] = reroll_title(effect.what, _winning_faces_text(s, effect.what, kind))
        new = int((yield from roll(chair, f"again-{effect.what}", Die(kind), **facts)))
        if effect.verb == "twice":
            new = (max if effect.of == "best" else min)(new, face)
    s.dice = (new,)
    match effect.what:
        case "pitch":
            s.update_at_bat(pitch_natural=new)
        case "swing":
            s.update_at_bat(swing_natural=new)
        case "bunt":
            s.update_at_bat(bunt=new)
        case _ if s.throw:
            s.throw = replace(s.throw, natural=new)
            if s.throw.made is not None:
                throw_numbers.judge_throw(s)
    s.emit("die-again", seat=side or s.defense, card=source, face=new)


def _pending_roll(s: State, what: str) -> tuple[str, int, Seat] | None:
    """Return the kind, face and owner of a rolled die that has not been resolved yet."""
    at, throw = s.at, s.throw
    if throw and throw.natural is not None and what == throw.roll_kind:
        return throw.die, throw.natural, s.chair(s.defense)
    if what == "pitch" and at.pitch_natural is not None and not at.advantage:
        return at.pitch_die, at.pitch_natural, s.chair(s.defense)
    if what == "swing" and at.swing_natural is not None and not at.result:
        return at.swing_die, at.swing_natural, s.chair(s.offense)
    if what == "bunt" and at.bunt is not None:
        return "d20", at.bunt, s.chair(s.offense)
    return None


def _winning_faces_text(s: State, what: str, kind: str) -> str:
    match what:
        case "pitch":
            return pitch_numbers.pitch_need(s, kind).wins
        case "swing":
            return swing_numbers.swing_odds(s).wins
        case "bunt":
            return need_for_title(*bunt_numbers.winning_faces_and_die(s))
    return throw_numbers.throw_need(s).wins


def change_result(s: State, side: Seat | None, source: str, effect: CardEffect, of: CardRules, window: str) -> None:
    """Change the result. Each manager may succeed once (CL-232, AM-40)."""
    if not can_effect_change_result(s, side, effect) or s.at.result == effect.to:
        return
    facts = {"from_": RESULT_NAMES[s.at.result], "to": RESULT_NAMES[effect.to]}
    s.emit("changed", seat=side or s.offense, card=source, was=s.at.result, result=effect.to, **facts)
    s.update_at_bat(result=effect.to, changed=s.at.changed | ({side} if side else set()))


def can_effect_change_result(s: State, side: Seat | None, effect: CardEffect) -> bool:
    """True if this effect may change the result, once per manager and before the Outcome (CL-186, CL-188, CL-232)."""
    return (
        bool(s.at.result) and not s.at.outcome and effect.can_change_result(s.at.result) and may_change_result(s, side)
    )


def may_change_result(s: State, side: Seat | None) -> bool:
    return side not in s.at.changed and is_allowed(s, "change")


def reverse_throw(s: State, side: Seat | None, source: str, effect: CardEffect, of: CardRules, window: str) -> None:
    """Reverse the throw or check just resolved (3.10), if there is one and its success has had no effect."""
    throw = s.throw
    made = effect.to in ("out", "made")
    if throw is None or throw.made in (None, made) or throw.roll_kind != effect.verb or window == "after":
        return
    limited = s.house["changeLimitScope"] == "anyResult"
    if limited and not may_change_result(s, side):
        return
    s.throw = replace(throw, made=made)
    if limited and side:
        s.update_at_bat(changed=s.at.changed | {side})
    facts = {"result": effect.to, "called": throw_result_text(s.throw)}
    s.emit("throw-changed", seat=side or s.defense, card=source, **facts)


def score_as(s: State, side: Seat | None, source: str, effect: CardEffect, of: CardRules, window: str) -> None:
    if effect.what == "E":
        s.errors = replace_for_seat(s.errors, s.defense, s.errors[SEATS.index(s.defense)] + 1)
        s.update_at_bat(tags=s.at.tags | {"error"})
    s.emit("scored-as", seat=s.offense, code=effect.what, called=RESULT_NAMES.get(effect.what, effect.what))


BASE_NUMBERS = {"first": 1, "second": 2, "third": 3}


def acting_player(s: State, who: str) -> SidePlayer | None:
    """Return the "batter", the "pitcher", or the "runner" nearest home. None if there is none, or for other values."""
    if who == "pitcher":
        return s.defense, s.squad(s.defense).pitcher
    name = {"batter": s.squad(s.offense).batter, "runner": runner_name(s, "lead")}.get(who, "")
    return (s.offense, name) if name else None


def runner_name(s: State, which: str) -> str:
    """Return the runner on a base, the "lead" runner (CL-375), or the "batter", or "" if there is none."""
    if which == "batter":
        return s.squad(s.offense).batter
    if which == "lead":
        return next((one.name for one in reversed(s.bases) if one is not None), "")
    one = s.bases[BASE_NUMBERS[which] - 1] if which in BASE_NUMBERS else None
    return one.name if one else ""


def advance_by_card(s: State, side: Seat | None, source: str, effect: CardEffect, of: CardRules, window: str) -> None:
    """Advance runners until one blocks the next base. The batter reaches by an error (CL-290, CL-401)."""
    if effect.what == "batter" and not s.at.outcome:
        error = replace(effect, what="", to="E")
        if can_effect_change_result(s, side, error):
            s.update_at_bat(error_bases=effect.amount)
        change_result(s, side, source, error, of, window)
        return
    if s.outs >= 3:
        return  # After the third out nobody moves or scores (CL-155).
    which = ("third", "second", "first") if effect.what == "every" else (effect.what,)
    moved = False
    for one in which:
        found = _runner_on_base(s, one)
        if found is None:
            continue
        goes = replace(found, earned=False) if effect.of == "error" else found
        moved = _move_runner(s, found, goes, s.bases.index(found) + 1 + effect.amount, effect.of) or moved
    if moved and effect.of == "error":
        s.errors = replace_for_seat(s.errors, s.defense, s.errors[SEATS.index(s.defense)] + 1)
        s.update_at_bat(tags=s.at.tags | {"error"})


def _runner_on_base(s: State, which: str) -> BaseRunner | None:
    name = runner_name(s, which)
    return next((one for one in s.bases if one and one.name == name), None)


def _move_runner(s: State, runner: BaseRunner, moved: BaseRunner, to: int, how: str) -> bool:
    """Move a runner to a base or home, or to the base behind another runner. Return True if he moved at all."""
    at = s.bases.index(runner) + 1
    to = next((base - 1 for base in range(at + 1, min(to, 3) + 1) if s.bases[base - 1]), to)
    if to == at:
        return False
    s.bases = place_runner(s.bases, None, at)
    if how == "steal":
        score_book.record_entry(s, "SB", runner.name)
    facts = {"runner": runner.name} | ({"way": how} if how else {})
    if to > 3:
        if score_book.score_run(s, moved, rbi=not how):
            score_book.emit_play(s, "comes-home", [runner.name], rbi=not how, **facts)
        return True
    s.bases = place_runner(s.bases, moved, to)
    s.emit("moves-on", seat=s.offense, base=to, on=BASE_NAMES[to - 1], **facts)
    return True


def put_out_by_card(s: State, side: Seat | None, source: str, effect: CardEffect, of: CardRules, window: str) -> None:
    """Put out a runner, or the batter as on a line drive."""
    if effect.what == "batter":
        change_result(s, side, source, replace(effect, what="", to="LD"), of, window)
        return
    found = _runner_on_base(s, effect.what)
    if found is not None and s.outs < 3:
        s.bases = place_runner(s.bases, None, s.bases.index(found) + 1)
        score_book.put_out(s, found.name)
        facts = score_book.retired_fact(s)
        s.emit("out-by-card", seat=s.defense, runner=found.name, card=source, outs=s.outs, **facts)


def remove_runners(s: State, side: Seat | None, source: str, effect: CardEffect, of: CardRules, window: str) -> None:
    for at, one in enumerate(s.bases, 1):
        if one and (effect.what == "every" or one is _runner_on_base(s, effect.what)):
            s.bases = place_runner(s.bases, None, at)
            s.emit("leaves-bases", seat=s.offense, runner=one.name, card=source)


def eject_player(
    s: State, side: Seat | None, source: str, effect: CardEffect, of: CardRules, window: str
) -> Step[None]:
    """Remove the batter or the pitcher from the game. Without a replacement it is forfeited (CL-132)."""
    if effect.what == "pitcher":
        yield from s.actions.remove(s, s.defense, s.pitcher_card.name)
    else:
        yield from s.actions.remove(s, s.offense, s.batter_card.name)


def place_on_base(s: State, side: Seat | None, source: str, effect: CardEffect, of: CardRules, window: str) -> None:
    """Place a runner on a base if it is free and nobody is between."""
    found, to = _runner_on_base(s, effect.of), BASE_NUMBERS[effect.what]
    if found is None:
        return
    at = s.bases.index(found) + 1
    if not any(s.bases[base - 1] for base in range(min(at + 1, to), max(at - 1, to) + 1)):
        s.bases = place_runner(place_runner(s.bases, None, at), found, to)
        s.emit("moves-on", seat=s.offense, runner=found.name, base=to, on=BASE_NAMES[to - 1])
