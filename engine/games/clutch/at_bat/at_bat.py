"""The at-bat in the order of the rulebook: before the pitch, pitch, advantage, swing, result (3.8, 3.9)."""

from __future__ import annotations

from dataclasses import replace

from engine.asks import MootOption, Play
from engine.events import Facts, last_name
from engine.games.clutch.at_bat import bunting
from engine.games.clutch.at_bat.outcomes import (
    intentional_walk,
    intentional_walk_bonus,
    intentional_walk_price,
    may_walk,
    play_outcome,
)
from engine.games.clutch.cards.baseball_terms import RESULT_NAMES, signed_text
from engine.games.clutch.numbers import bunt_numbers, fielding, pitch_numbers, swing_numbers
from engine.games.clutch.numbers.modifiers import die_with_cards, effects_in_force, is_allowed, number_with_cards
from engine.games.clutch.numbers.rolls import REGULAR_DIE, roll_for_side
from engine.games.clutch.pitching import pitcher_record
from engine.games.clutch.records import score_book
from engine.games.clutch.records.sentences import additions_text
from engine.games.clutch.running import ground_balls, stealing
from engine.games.clutch.running.advancing import would_win
from engine.games.clutch.state import ClutchAtBat, FactsBuilder, PlateAppearance, State, Step
from engine.games.clutch.strategy_cards import hands, muting, play_effects
from engine.games.clutch.strategy_cards.in_play import end_expired_effects, resolve_pending, trigger_cards
from engine.games.clutch.strategy_cards.playable import result_tags
from engine.games.clutch.strategy_cards.windows import (
    PLAY_CARD_OPTION,
    offer_cards,
    offer_to_side,
    open_window,
    play_card_options,
)
from engine.games.clutch.substitutions import substitutions
from engine.lazy import LazyFact
from engine.seats import Seat

STEAL_TAGS = frozenset({"steal", "caught"})
"""Tags of a steal, which has its own window when it is over, or shares the last one of an at-bat that it ends."""

# Outcomes that put the batter on base or bring him home.
ON_BASE_OUTCOMES = ("1B", "2B", "3B", "HR", "BB", "HBP", "E", "IBB")


def at_bat(s: State) -> Play:
    """Play one at-bat. The defense may change and walk the batter before any cards, if allowed (CL-199, CL-312)."""
    begin_at_bat(s)
    yield from trigger_cards(s, "at-bat", ())
    plan = "pitch" if is_interrupted(s) else (yield from ask_defense(s))
    if not is_interrupted(s):
        yield from offer_first_cards(s, plan)
    if is_interrupted(s):
        yield from end_at_bat_early(s)
        return
    if plan == "pitch" or not is_allowed(s, "walk"):
        plan = yield from resolve_before_pitch(s)
    if plan == "walk":
        intentional_walk(s)
        yield from finish_at_bat(s, "IBB")
        return
    if plan == "pitch":
        yield from ask_infield(s)
        yield from open_window(s, "before-pitch")
        if not is_interrupted(s):
            yield from pitch(s)
        if not is_interrupted(s):
            yield from swing(s)
        if not is_interrupted(s):
            yield from read_chart(s)
        if not is_interrupted(s):
            yield from offer_result_changes(s)
    elif plan == "SO":
        s.update_at_bat(result="SO", read="SO")
        if s.house["buntSoChangeable"] == "true":
            yield from offer_result_changes(s)
    if plan != "SAC":
        if is_interrupted(s):
            yield from end_at_bat_early(s)
            return
        yield from play_outcome(s, s.at.result)
    yield from finish_at_bat(s, s.at.outcome)


def is_interrupted(s: State) -> bool:
    """True if the half-inning or the game is over."""
    return s.outs >= 3 or s.is_walk_off or bool(s.ended)


def begin_at_bat(s: State) -> None:
    """Bring the batter to the plate (CL-165) with his bonus for intentional walks before him."""
    on_base, swing = intentional_walk_bonus(s)
    s.at = ClutchAtBat(on_base_bonus=on_base, swing_bonus=swing)
    s.number += 1
    s.skipped = ((), ())
    s.emit("at-bat", seat=s.offense, batter=s.batter_card.name, pitcher=s.pitcher_card.name)
    announce_tired(s)


def announce_tired(s: State) -> None:
    """Announce once that a pitcher is tired, and lift his manager's mutes (CL-098)."""
    arm = s.current_record
    tired = pitcher_record.is_tired(arm, s.house)
    if tired and not arm.announced:
        muting.lift_mutes(s, s.chair(s.defense))
        penalty = signed_text(-pitcher_record.tired_penalty(arm, s.house))
        s.emit("tires", seat=s.defense, pitcher=s.pitcher_card.name, penalty=penalty)
    if tired != arm.announced:
        s.store_record(s.defense, replace(arm, announced=tired))


# Before the pitch ----------------------------------------------------------------------------------------------------


def resolve_before_pitch(s: State) -> Step[str]:
    """Resolve substitutions, steal and bunt (CL-166) to "pitch", "walk", "SAC", "SO", or "cut" by a third out."""
    while not is_interrupted(s):
        order = s.squad(s.offense).order
        plan = yield from ask_offense(s)
        if plan == "swing":
            return "pitch"
        if plan.startswith("steal"):
            before = s.at.tags
            yield from stealing.steal(s, plan)
            yield from resolve_pending(s, "throw")
            score_book.judge_quality(s)
            if not is_interrupted(s):
                yield from open_window(s, "after", *(s.at.tags & STEAL_TAGS - before))
            if is_interrupted(s):
                return "cut"
        elif plan == "bunt":
            bunted = yield from bunting.bunt(s)
            return "cut" if is_interrupted(s) and bunted == "pitch" else {"done": "SAC"}.get(bunted, bunted)
        elif plan == PLAY_CARD_OPTION:
            if (yield from offer_to_side(s, s.offense, "at-bat", frozenset(), wanted=True)):
                yield from offer_cards(s, "at-bat")
        else:
            yield from substitutions.make_change(s, s.offense, plan)
            if s.squad(s.offense).order != order and (yield from ask_pitch_or_walk(s)) == "walk":
                return "walk"
    return "cut"


def offer_first_cards(s: State, plan: str) -> Step[None]:
    """Offer both managers their cards for the start of an at-bat. With real hands their menus have an option for it.
    They are then asked only if the `plan` is a walk, after which the side at bat has no menu.
    """
    if s.dealt or plan == "walk" or s.house["windows"] == "always":
        yield from offer_cards(s, "at-bat", menu=plan == "pitch")


def ask_defense(s: State) -> Step[str]:
    """Ask the defense for its changes, then whether to pitch or walk (CL-166, CL-167, AM-01).

    A walk waits until the batter is known. If the side at bat changes anybody, the defense is asked again, whatever its
    first answer. After "pitch", `resolve_before_pitch` does that. Once the defense has played a card, it may bring in a
    new pitcher only in answer to a card (CL-199).
    """
    side = s.defense
    while not is_interrupted(s):
        subs = substitutions.legal_changes(s, side)
        if any(one.side == side and one.kind == "strategy" for one in s.at.played):
            subs = tuple(code for code in subs if code == "positions")
        options = ("pitch", *(("walk",) if may_walk(s) else ()), *subs)
        moot = LazyFact(moot_defense_answer, s, side, options)
        answer = yield from ask_menu(
            s,
            side,
            "defence",
            options,
            play_card_options(s, side),
            moot,
            lambda s: {"notes": {"walk": intentional_walk_price(s)}},
        )
        if answer == "walk" and s.house["ibbWindow"] == "afterSubs":
            order = s.squad(s.offense).order
            yield from ask_offense_changes(s)
            return "walk" if s.squad(s.offense).order == order else (yield from ask_pitch_or_walk(s))
        if answer in ("pitch", "walk"):
            return answer
        if answer == PLAY_CARD_OPTION:
            yield from offer_to_side(s, side, "at-bat", frozenset(), wanted=True)
        else:
            yield from substitutions.make_change(s, side, answer)
    return "pitch"


def ask_offense_changes(s: State) -> Step[None]:
    while not is_interrupted(s) and (options := substitutions.legal_changes(s, s.offense)):
        answer = yield from ask_menu(s, s.offense, "changes", ("no-change", *options), (), None, lambda s: {})
        if answer == "no-change":
            return
        yield from substitutions.make_change(s, s.offense, answer)


def ask_pitch_or_walk(s: State) -> Step[str]:
    if not may_walk(s):
        return "pitch"
    moot = "pitch" if would_walk_lose_game(s) else None
    return (
        yield from ask_menu(
            s, s.defense, "walk", ("pitch", "walk"), (), moot, lambda s: {"price": intentional_walk_price(s)}
        )
    )


def moot_defense_answer(s: State, side: Seat, options: tuple[str, ...]) -> str | None:
    """Return "pitch" if other positions would not improve any unit, and the infield throws at nobody in this at-bat.

    The defense need not throw otherwise, so a worse unit gives it nothing. A double play that fails may give it
    something: another batter in the next half-inning. Return None in a game with cards, since they may depend on
    positions.
    """
    throws = s.outs < 2 and s.bases[:2] != (None, None)
    if s.full or throws or not set(options) <= {"pitch", "positions"}:
        return None
    best = fielding.best_ratings(s.squad(side), s.box, s.house)
    return "pitch" if all(fielding.printed_unit_rating(s, side, unit) >= most for unit, most in best.items()) else None


def would_walk_lose_game(s: State) -> bool:
    """True if a walk would force in the winning run."""
    return None not in s.bases and would_win(s, 1)


def ask_offense(s: State) -> Step[str]:
    """Ask the side at bat to swing away, steal, bunt, or substitute first. It is not asked if it has chosen to swing
    away and nothing has happened since.
    """
    side = s.offense
    if s.at.swings and side in s.at.content:
        return "swing"
    subs = () if s.at.stolen else substitutions.legal_changes(s, side)
    bunts = ("bunt",) if bunting.may_bunt(s) else ()
    steals = stealing.legal_steals(s)

    def offense_facts(s: State) -> Facts:
        notes = {code: stealing.steal_odds_text(s, code) for code in steals} | {
            code: bunt_numbers.bunt_odds_text(s) for code in bunts
        }
        return {
            "notes": notes,
            "first": play_effects.runner_name(s, "first"),
            "second": play_effects.runner_name(s, "second"),
        }

    return (
        yield from ask_menu(
            s, side, "offence", ("swing", *steals, *bunts, *subs), play_card_options(s, side), None, offense_facts
        )
    )


def ask_menu(
    s: State,
    side: Seat,
    why: str,
    options: tuple[str, ...],
    beside: tuple[str, ...],
    moot: MootOption,
    facts: FactsBuilder,
) -> Step[str]:
    """Ask for one of `options`, or of those in `beside`. The first option changes nothing.

    The first option is taken without asking if it is the only one, or if the chair has muted this ask for the
    half-inning. A manager with cards may add that he plays none before the pitch. `moot` and `facts` are as in
    `muting.ask_side`.
    """
    chair, go = s.chair(side), options[0]
    if (len(options) == 1 and not beside) or (chair, why) in s.muted:
        return go
    if why in ("defence", "offence") and s.full and (s.hand_size(side) or s.squad(side).coaches):
        options = (go, f"{go}-now", *options[1:])

    def menu_facts(s: State) -> Facts:
        command, on_base = pitch_numbers.current_command(s), pitch_numbers.current_on_base(s)
        return {"command": command, "on_base": on_base, **matchup_texts(s, command, on_base), **facts(s)}

    answer = yield from muting.ask_side(s, side, why, (*options, *beside, f"{go}-on"), moot, menu_facts)
    if answer == f"{go}-on":
        s.muted |= {(chair, why)}
    if answer == f"{go}-now":
        s.update_at_bat(content=s.at.content | {side})
    return go if answer in (f"{go}-on", f"{go}-now") else answer


def matchup_texts(s: State, command: int, on_base: int) -> dict[str, str]:
    """Return Command and On-Base as shown to people, with the printed numbers if they differ."""
    return {"brings": pitch_numbers.command_text(s, command), "meets": pitch_numbers.on_base_text(s, on_base)}


def ask_infield(s: State) -> Step[None]:
    """Ask whether the infield comes in or stays back (CL-335, AM-74)."""
    if ground_balls.may_bring_infield_in(s):
        third = {"runner": play_effects.runner_name(s, "third")}
        if (yield from ask_menu(s, s.defense, "infield", ("back", "in"), (), None, lambda s: third)) == "in":
            ground_balls.bring_infield_in(s)


# The pitch and the swing ---------------------------------------------------------------------------------------------


def pitch(s: State) -> Step[None]:
    """Roll the pitch and decide the Advantage (3.8.B, 3.8.C, 3.8.F)."""
    yield from hands.enforce_hand_limit(s)
    score_book.judge_quality(s)
    facts = {"batter": s.batter_card.name, "pitcher": s.pitcher_card.name}
    kind, face = yield from roll_for_side(
        s,
        "pitch",
        s.defense,
        REGULAR_DIE,
        False,
        lambda s: {**pitch_numbers.pitch_need(s, die_with_cards(s, "pitch"))._asdict(), **facts},
    )
    s.update_at_bat(pitch_die=kind, pitch_natural=face)
    s.store_record(s.defense, pitcher_record.count_pitch(s.current_record, s.house))
    yield from open_window(s, "pitch-roll")
    resolve_advantage(s)
    at = s.at
    counts = matchup_texts(s, at.command or 0, at.on_base or 0)
    numbers = {"total": at.pitch, "on_base": at.on_base, **counts, "more": pitch_extras_text(s)}
    holder = s.batter_card.name if at.advantage == "batter" else s.pitcher_card.name
    s.emit("pitch", seat=s.defense, **numbers, holder=holder, **facts)
    if at.mistake:
        s.emit("mistake", seat=s.defense, **facts)
    yield from open_window(s, "advantage", at.advantage, *(("mistake",) if at.mistake else ()))
    if s.at is not at:  # Somebody has played a card.
        resolve_advantage(s)


def pitch_extras_text(s: State) -> str:
    bonus = s.at.pitch_bonus
    cards = (s.at.pitch or 0) - (s.at.pitch_natural or 0) - (s.at.command or 0) - bonus
    return additions_text("and", (cards, "from cards"), (bonus, "for missed bunts"))


def resolve_advantage(s: State) -> None:
    """Compare Pitch with On-Base, with all cards in force (CL-173 to CL-179, CL-189 to CL-196)."""
    assert s.at.pitch_natural is not None
    command, on_base = pitch_numbers.current_command(s), pitch_numbers.current_on_base(s)
    rolled, total, mistake, advantage = pitch_numbers.pitch_evaluator(s, command, on_base)(s.at.pitch_natural)
    s.update_at_bat(
        pitch_roll=rolled, command=command, pitch=total, on_base=on_base, mistake=mistake, advantage=advantage
    )


def swing(s: State) -> Step[None]:
    """Roll the swing (3.8.D, CL-099, CL-103)."""
    announce_tired(s)
    tired = pitcher_record.is_tired(s.current_record, s.house)
    kind, face = yield from roll_for_side(s, "swing", s.offense, swing_numbers.usual_die(s), tired, swing_facts)
    s.update_at_bat(swing_die=kind, swing_natural=face)
    yield from open_window(s, "swing-roll")
    assert s.at.swing_natural is not None
    rolled = number_with_cards(s, "swing_roll", s.at.swing_natural)
    s.update_at_bat(swing_roll=rolled, swing=number_with_cards(s, "swing", rolled + s.at.swing_bonus))


def swing_facts(s: State) -> Facts:
    batter, pitcher, odds = s.batter_card.name, s.pitcher_card.name, swing_numbers.swing_odds(s)
    facts = {"batter": batter, "pitcher": pitcher, "holder": s.at.advantage}
    facts |= {"chart": batter if swing_numbers.chart_owner(s) == "batter" else pitcher, "outlook": odds.outlook}
    facts |= {"wins": odds.wins, "title": f"{last_name(batter)} swings{f': {odds.wins}' if odds.wins else ''}"}
    return {**facts, "plus": f" {odds.plus}." if odds.plus else ""}


def read_chart(s: State) -> Step[None]:
    """Read the Result on the chart of the player with the Advantage. A stadium may alter it (3.8.E, CL-063, CL-343)."""
    of = swing_numbers.chart_owner(s)
    swing = s.at.swing
    assert swing is not None
    card = s.batter_card if of == "batter" else s.pitcher_card
    code = card.chart[swing]
    s.update_at_bat(chart=of, reader=card.name, read=code)
    yield from trigger_cards(s, "chart", (*result_tags(s, code), of))
    for one in effects_in_force(s, "alter"):
        if one.effect.can_alter_result(of, swing, code):
            code = one.effect.to
    code = ground_balls.result_with_infield_in(s, code)
    s.update_at_bat(result=code)
    facts = {"batter": s.batter_card.name, "pitcher": s.pitcher_card.name, "called": RESULT_NAMES[code]}
    walks = s.at.swing_bonus
    cards = swing - (s.at.swing_natural or 0) - walks
    facts["more"] = additions_text("with", (cards, "from cards"), (walks, "after intentional walks"))
    facts["chart"] = facts[of]
    s.emit("swing", seat=s.offense, swing=swing, result=code, **facts)


def offer_result_changes(s: State) -> Step[None]:
    """Offer both managers changes of the Result, which then is the Outcome (CL-187, CL-188, 3.10)."""
    yield from open_window(s, "result")
    yield from resolve_pending(s, "result")
    yield from trigger_cards(s, "result", ())


# The end of the at-bat -----------------------------------------------------------------------------------------------


def finish_at_bat(s: State, code: str) -> Step[None]:
    """Record the at-bat, let cards act on it, and bring up the next batter (W13)."""
    score_book.judge_quality(s)
    ends = {"inning-ending"} if s.outs >= 3 or s.is_walk_off else set[str]()
    s.update_at_bat(tags=s.at.tags | result_tags(s, code) | ends)
    s.store_record(s.defense, pitcher_record.count_batter(s.current_record))
    name = s.batter_card.name
    reached = code in ON_BASE_OUTCOMES or name in [one.name for one in s.bases if one]
    s.turns = (*s.turns, PlateAppearance(name, s.pitcher_card.name, code, reached, s.offense))
    s.last = (*s.last, code)
    yield from open_window(s, "after", *(s.at.tags - STEAL_TAGS))
    for of in ("throw", "check", "at-bat"):
        yield from resolve_pending(s, of)
    end_expired_effects(s, "at-bat", "roll", "throw")
    # A title may be played again, since a card between two at-bats belongs to neither (CL-208).
    s.update_at_bat(played=(), changed=frozenset(), over=True)
    squad = s.squad(s.offense)
    s.update_squad(s.offense, slot=(squad.slot + 1) % len(squad.order))


def end_at_bat_early(s: State) -> Step[None]:
    """End an at-bat cut off by the third out (CL-311, AM-68). Its effects lapse, and the same batter leads off next."""
    score_book.judge_quality(s)
    s.update_at_bat(tags=s.at.tags | {"inning-ending"})
    yield from open_window(s, "after", *s.at.tags)
    s.pending = ()
    end_expired_effects(s, "at-bat", "roll", "throw")
    s.update_at_bat(played=(), changed=frozenset(), over=True)
    if s.house["csLeadoff"] == "nextBatter":
        squad = s.squad(s.offense)
        s.update_squad(s.offense, slot=(squad.slot + 1) % len(squad.order))
