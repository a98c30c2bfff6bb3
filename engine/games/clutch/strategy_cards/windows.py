"""Windows: the moments at which cards may be played, defence first, until both managers pass (3.9)."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import replace
from typing import Any, TypeVar

from engine.asks import Choose, Prompt, Secret
from engine.games.clutch.cards import blank_cards
from engine.games.clutch.cards.card_types import Coach, Strategy
from engine.games.clutch.cards.effects import AT_BAT, GROUPS, Effect, Play, Trigger
from engine.games.clutch.cards.phrases import effect as read_effect
from engine.games.clutch.state import Kept, Pending, Played, Standing, State
from engine.games.clutch.strategy_cards import apply, card_moves, explain, hands, muting, usefulness
from engine.games.clutch.strategy_cards.conditions import holds
from engine.games.clutch.strategy_cards.context import Sight
from engine.games.clutch.strategy_cards.modifiers import allowed, switched_off
from engine.games.clutch.substitutions import substitutions
from engine.seats import SEATS, Seat, other, put
from engine.secrets import Sealed

T = TypeVar("T")
Step = Generator[Prompt, Any, T]

QUIET = ("pass", "not-here", "not-this-inning")
"""Ways to play no card: once, in no such window of this half-inning, and in none at all."""

DOOR = "play-card"
"""The choice by which a manager with real cards plays one that he was not asked about."""

REPLIES = ("new-pitcher", "pinch-hitter")
"""Substitutions that answer a card (AM-03)."""


# Opening a window ----------------------------------------------------------------------------------------------------


def window(s: State, name: str, *tags: str) -> Step[None]:
    """Open a window: stadium, weather and cards in play act by themselves, then both managers may play cards."""
    if name != "result":
        # What a stadium does on a result it does on the one that stands in the end.
        yield from fire(s, name, tags)
    if not s.full:
        return
    turn, passed = first(s, name), 0
    while passed < len(SEATS):
        played = yield from offer(s, turn, name, live(s, name, tags))
        passed = 0 if played else passed + 1
        turn = other(turn)


def first(s: State, name: str) -> Seat:
    """Who is asked first: the defence (CL-205), or for changes whom the result harms (AM-40)."""
    harmed = name == "result" and s.at.result in GROUPS["out"]
    return s.offence if harmed and s.house["changePriority"] == "sideHarmed" else s.defence


def groups(code: str) -> frozenset[str]:
    """A result with the groups it belongs to."""
    return frozenset({code, *(name for name, codes in GROUPS.items() if code in codes)})


def live(s: State, name: str, tags: Iterable[str]) -> frozenset[str]:
    """The tags of a window as things stand now: a result may have been changed in it."""
    throw = s.throw
    if name == "result":
        return groups(s.at.result)
    if throw and name in ("throw-result", "check-result"):
        told = ("out", "safe") if name == "throw-result" else ("made", "failed")
        return frozenset(tags) | {told[0] if throw.made else told[1]}
    return frozenset(tags)


def mine(s: State, side: Seat, name: str, tags: frozenset[str]) -> frozenset[str]:
    """The tags with whose turn it is, as a manager sees it."""
    acting = s.defence if name == "enter" and tags & {"pitcher", "fielder"} else s.offence
    if name == "card" and s.playing:
        acting = s.playing
    return tags | {"mine" if acting == side else "theirs"}


# What may be played --------------------------------------------------------------------------------------------------


def card_of(s: State, side: Seat, name: str) -> Strategy | Coach:
    """The card of this name that a manager holds, or a coach he has."""
    return s.box.coaches[name] if name in s.squad(side).coaches else s.box.strategies[name]


def playable(s: State, side: Seat, name: str, tags: frozenset[str]) -> tuple[str, ...]:
    """The cards a manager may play in this window: colour, trigger, conditions, costs and limits are met."""
    seen = mine(s, side, name, tags)
    found: list[Strategy | Coach] = [s.box.strategies[one] for one in dict.fromkeys(hands.names(s, side))]
    found += [s.box.coaches[one] for one in s.squad(side).coaches]
    return tuple(card.name for card in found if fits(s, side, card, name, seen))


def fits(s: State, side: Seat, card: Strategy | Coach, name: str, tags: frozenset[str]) -> bool:
    """Whether a card may be played in this window; `tags` are as its manager sees them."""
    play, blank_card = card.play, isinstance(card, Strategy) and card.blank
    if not triggered(play.when, name, tags) and not (blank_card and not play.when):
        return False
    if any(one.name == card.name and one.side == side for one in s.at.played) or (play.clutch and not s.clutch):
        return False
    turns = {"offense": s.offence, "defense": s.defence, "hitting": s.offence, "pitching": s.defence}
    if turns.get(card.side if isinstance(card, Strategy) else card.kind, side) != side:
        return False
    if isinstance(card, Strategy) and not allowed(s, "cards", side, card.side):
        return False
    if not payable(s, side, card) or not usefulness.useful(s, side, play, name):
        return False
    if blank_card:
        return bool(blank_cards.phrases(name, tags, s.offence == side))
    sight = Sight(s, side, tags, source=card.name)
    return (not play.conditions or holds(play.conditions, sight)) and all(possible(s, side, one) for one in play.do)


def triggered(when: tuple[Trigger, ...], name: str, tags: frozenset[str]) -> bool:
    """Whether one of the triggers names this window (CL-026)."""
    return any(one.fits(name, tags) for one in when)


def payable(s: State, side: Seat, card: Strategy | Coach) -> bool:
    """Whether its costs can be paid with what is left without it (CL-217)."""
    held = hands.names(s, side)
    free = s.holds(side)
    if isinstance(card, Strategy):
        held, free = hands.without(held, card.name), free - 1
    for cost in card_moves.ordered(card.play):
        if cost.verb == "discard":
            free -= cost.count
            will_do = hands.of_side(s, held, cost.side)[: cost.count]
            if free < 0 or (s.dealt and len(will_do) < cost.count):
                return False
            for name in will_do:
                held = hands.without(held, name)
        if cost.verb == "mill" and s.left(side) < cost.count:
            return False
    return True


def possible(s: State, side: Seat, effect: Effect) -> bool:
    """Whether an effect may be tried now: a result is changed with success but once (CL-186, CL-232), only from what
    the card names, and not once it is the Outcome (CL-188); a card is negated by the other manager."""
    trial = effect.trial
    if trial and trial.call == "throw" and not apply.runner(s, trial.runner):
        return False
    match effect.verb:
        case "change" | "try":
            return apply.turnable(s, side, effect)
        case "advance" | "out" if effect.what == "batter" and s.at.result and not s.at.outcome:
            return apply.changeable(s, side)
        case "throw" | "check":
            settled = s.throw is not None and s.throw.made is not None and s.throw.what == effect.verb
            return settled and (s.house["changeLimitScope"] == "atBatResult" or apply.changeable(s, side))
        case "negate":
            return s.playing not in (None, side) and not s.negated
    return True


# Asking --------------------------------------------------------------------------------------------------------------


def door(s: State, side: Seat) -> tuple[str, ...]:
    """With real hands, which nobody knows: a card for the start of an at-bat that was not asked about."""
    return (DOOR,) if s.full and not s.dealt and playable(s, side, "at-bat", frozenset()) else ()


def offer(s: State, side: Seat, name: str, tags: frozenset[str], wanted: bool = False) -> Step[bool]:
    """Ask a manager whether he plays a card; True if he did something.

    Nobody is asked who can play nothing now, unless the house wants it so; nor who asked not to be: that he could have
    played one is told to him alone. `wanted`: he has asked for it.
    """
    chair = s.chair(side)
    able = playable(s, side, name, tags)
    due = any(usefulness.timely(s, side, card_of(s, side, one).play, name) for one in able)
    replies = substitutions.late(s, side) if name == "before-pitch" else ()
    always = s.house["windows"] == "always" and (s.holds(side) or s.squad(side).coaches)
    if not (due or replies or always or wanted):
        return False
    if not wanted and ((chair, "cards") in s.muted or (chair, name) in s.muted):
        if due:
            at = SEATS.index(chair)
            s.skipped = put(s.skipped, chair, (*s.skipped[at], Sealed(chair, name, -1)))
        return False
    notes = {one: explain.offered(card_of(s, side, one)) for one in able}
    facts = {"window": name, "now": explain.now(s, name), "notes": notes}
    ask = Choose(chair, f"cards-{name}", (QUIET[0], *able, *replies, *QUIET[1:], *muting.again(s, chair)), facts)
    if s.dealt:
        sealed = yield Secret(ask)
        answer = sealed.peek()
        if answer != "pass":
            s.reveal(sealed)
    else:
        answer = yield ask
    if answer == muting.AGAIN:
        muting.lift(s, chair)
        return (yield from offer(s, side, name, tags))
    if answer in QUIET:
        if answer != "pass":
            s.muted |= {(chair, name if answer == "not-here" else "cards")}
        return False
    if answer in REPLIES and answer not in able:
        yield from reply(s, side, answer)
    else:
        yield from play(s, side, answer, name, tags)
    return True


def reply(s: State, side: Seat, code: str) -> Step[None]:
    """A new pitcher or a pinch hitter after the other's card; that card may then come back (AM-04)."""
    if not (yield from substitutions.change(s, side, code)):
        return
    theirs = other(side)
    for one in s.at.played:
        if one.side == theirs and one.window == "before-pitch" and revocable(s, one):
            yield from take_back(s, one)


def revocable(s: State, played: Played) -> bool:
    """Whether all that a card of this at-bat does is still to come: it was not negated, and nothing was drawn, looked
    at or changed by it."""
    cards = s.box.coaches if played.kind == "coach" else s.box.strategies
    waits = all(effect.verb in (*apply.STANDS, "immune") for effect in cards[played.name].play.do)
    return waits and any(began(s, played, one) for one in s.standing)


def began(s: State, played: Played, one: Standing) -> bool:
    """Whether an effect in force came of this card, played in this at-bat."""
    return (one.source, one.side, one.number) == (played.name, played.side, s.number)


def take_back(s: State, played: Played) -> Step[None]:
    """A card played before the pitch comes back to the hand: by itself if it no longer applies, else if its owner
    wants it (CL-201 to CL-203); a coach goes back to the others (AM-42)."""
    side, name = played.side, played.name
    card = s.box.coaches[name] if played.kind == "coach" else s.box.strategies[name]
    sight = Sight(s, side, mine(s, side, played.window, frozenset()))
    if not card.play.conditions or holds(card.play.conditions, sight):
        answer = yield Choose(s.chair(side), "take-back", ("leave", "take-back"), {"card": name})
        if answer == "leave":
            return
    if s.house["returnedCardCountsAsPlayed"] == "false":
        s.now(played=tuple(one for one in s.at.played if one != played))
    s.standing = tuple(one for one in s.standing if not began(s, played, one))
    if lying := [one for one in s.kept if (one.name, one.side) == (name, side)]:
        s.kept = tuple(one for one in s.kept if one is not lying[-1])
    s.uses = hands.without(s.uses, (name, s.half, s.number))
    s.pending = tuple(one for one in s.pending if (one.source, one.side) != (name, side))
    squad = s.squad(side)
    if name in squad.spent:
        s.change(side, coaches=(*squad.coaches, name), spent=hands.without(squad.spent, name))
    elif played.kind == "strategy":
        if not lying:
            s.change(side, discard=hands.without(squad.discard, name))
        hands.give(s, side, name)
    s.tell("taken-back", seat=side, team=s.team(side), card=name)


# Playing -------------------------------------------------------------------------------------------------------------


def play(s: State, side: Seat, name: str, where: str, tags: frozenset[str]) -> Step[None]:
    """Play a card: pay for it, let the other negate it, and carry out what it says (CL-217, CL-218, CL-222)."""
    card = card_of(s, side, name)
    kind = "coach" if isinstance(card, Coach) else "strategy"
    s.now(played=(*s.at.played, Played(name, side, kind, where)))
    if kind == "coach":
        squad = s.squad(side)
        if s.house["coachUses"] == "1":
            s.change(side, coaches=hands.without(squad.coaches, name), spent=(*squad.spent, name))
    else:
        hands.take(s, side, name)
    s.uses = (*s.uses, (name, s.half, s.number))
    said, on = explain.does(card.play), apply.acting(s, card.play.leave)
    facts = {"on": f" on {on[1]}" if on else "", "does": f": {said}" if said else ""}
    s.tell("plays-card", seat=side, team=s.team(side), card=name, **facts)
    does = card.play
    if isinstance(card, Strategy) and card.blank:
        does = yield from declared(s, side, card, where, mine(s, side, where, tags))
    if isinstance(card, Strategy) and card.special == "momentum":
        does = replace(does, leave="play")
    yield from card_moves.pay(s, side, does)
    outer = (s.negated, s.playing)
    s.negated, s.playing = False, side
    if not any(effect.verb == "immune" for effect in does.do):
        yield from window(s, "card", *labels(kind, card, does))
    negated = s.negated
    s.negated, s.playing = outer
    if negated:
        s.tell("negated", seat=other(side), card=name)
        if kind == "strategy":
            hands.pile(s, side, name)
        return
    stays = place(s, side, card, does, kind)
    for effect in does.do:
        yield from apply.apply(s, side, name, effect, does, where)
    queue(s, side, name, does, where)
    if kind == "strategy" and not stays:
        back = any(effect.verb == "return" for effect in does.do)
        (hands.give if back else hands.pile)(s, side, name)


def declared(s: State, side: Seat, card: Strategy, where: str, tags: frozenset[str]) -> Step[Play]:
    """What a blank card does, as the table reads it out."""
    options = tuple(
        one
        for one in blank_cards.phrases(where, tags, s.offence == side)
        if one != "nothing" and all(possible(s, side, effect) for effect in read_effect(one))
    )
    said = yield Choose(s.chair(side), "blank", ("nothing", *options), {"card": card.name})
    return card.play if said == "nothing" else replace(card.play, do=read_effect(said))


def labels(kind: str, card: Strategy | Coach, does: Play) -> tuple[str, ...]:
    """The tags of the window in which a card may be negated."""
    tags = [kind, card.side if isinstance(card, Strategy) else ""]
    if isinstance(card, Strategy) and card.special:
        tags.append(card.special)
    for effect in does.do:
        if effect.verb == "mod":
            tags.append(f"{'-' if effect.amount < 0 else '+'}{effect.what}")
        if effect.verb in ("change", "try"):
            tags.append("change")
    return tuple(tag for tag in tags if tag)


def place(s: State, side: Seat, card: Strategy | Coach, does: Play, kind: str) -> bool:
    """Whether a card stays in play: a Momentum card, one left on a player, a coach while he has an effect."""
    if isinstance(card, Coach):
        if does.lasts.unit == "half":
            s.kept = (*s.kept, Kept(card.name, side, kind, ends=apply.ends(s, card.name, does.lasts)))
        return False
    if not does.leave:
        return False
    s.kept = (*s.kept, Kept(card.name, side, kind, apply.acting(s, does.leave)))
    return True


def queue(s: State, side: Seat, name: str, does: Play, where: str) -> None:
    """What follows when it is known whether this succeeded (CL-225)."""
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
    s.pending = (*s.pending, Pending(name, side, of, to, does.success, does.failure))


def settle(s: State, of: str) -> Step[None]:
    """Judge what waited for this, now that both managers are done (CL-225)."""
    waiting = [one for one in s.pending if one.of == of]
    s.pending = tuple(one for one in s.pending if one.of != of)
    for one in waiting:
        match of:
            case "result":
                won = s.at.result == one.to
            case "at-bat":
                won = (s.at.outcome in GROUPS["out"]) == (one.side == s.defence)
            case _:
                won = bool(s.throw and s.throw.made) == (one.side == s.defence)
        for effect in one.success if won else one.failure:
            yield from apply.apply(s, one.side, one.source, effect, Play(), "after")


# By themselves -------------------------------------------------------------------------------------------------------


def fire(s: State, name: str, tags: Iterable[str]) -> Step[None]:
    """The stadium's and the weather's effects whenever their condition occurs (CL-062); cards in play whose end has
    come are discarded (CL-221)."""
    if not s.full:
        return
    seen = live(s, name, tags)
    if s.stadium and occurs(s, s.stadium, s.box.stadiums[s.stadium].main, name, seen):
        stadium = s.box.stadiums[s.stadium]
        yield from _happens(s, stadium.name, stadium.main, name)
        for bonus in filter(None, (stadium.defensive, stadium.offensive)):
            for effect in bonus.do:
                yield from apply.stand(s, None, stadium.name, effect, stadium.main, name, who=bonus.conditions)
    if s.weather and occurs(s, s.weather, s.box.weather[s.weather].play, name, seen):
        yield from _happens(s, s.weather, s.box.weather[s.weather].play, name)
    for kept in s.kept:
        until = s.box.strategies[kept.name].play.until if kept.kind == "strategy" else ()
        if triggered(until, name, mine(s, kept.side, name, seen)):
            leave_play(s, kept)


def _happens(s: State, source: str, rule: Play, name: str) -> Step[None]:
    s.uses = (*s.uses, (source, s.half, s.number))
    # What it did before is not added to.
    s.standing = tuple(one for one in s.standing if one.side or one.source != source)
    outer, s.acting = s.acting, (*s.acting, source)
    if rule.do:
        s.tell("acts", seat=s.offence, card=source, does=explain.does(rule))
    for effect in rule.do:
        yield from apply.apply(s, None, source, effect, rule, name)
    s.acting = outer


def occurs(s: State, source: str, rule: Play, name: str, tags: frozenset[str]) -> bool:
    """Whether a standing rule's moment has come, and nothing has switched it off."""
    if not triggered(rule.when, name, mine(s, s.offence, name, tags)) or (rule.clutch and not s.clutch):
        return False
    if source in s.acting or switched_off(s, source):
        return False
    return not rule.conditions or holds(rule.conditions, Sight(s, s.offence, tags, source=source))


def leave_play(s: State, kept: Kept) -> None:
    """A card that lay in play goes to its owner's discard pile, and its effects with it (CL-145, CL-221)."""
    s.kept = tuple(one for one in s.kept if one is not kept)
    s.standing = tuple(
        one for one in s.standing if (one.source, one.side) != (kept.name, kept.side) or one.on != kept.on
    )
    if kept.kind == "strategy":
        hands.pile(s, kept.side, kept.name)
        s.tell("leaves-play", seat=kept.side, team=s.team(kept.side), card=kept.name)


def lapse(s: State, *units: str) -> None:
    """Effects that last no longer than this are over: "throw", "at-bat", "half" …; those meant for the next at-bat
    begin when one is over."""
    s.standing = tuple(one for one in s.standing if not (one.lasts.unit in units and one.ends <= s.half))
    if "at-bat" in units:
        s.standing = tuple(replace(one, lasts=AT_BAT) if one.lasts.unit == "next-at-bat" else one for one in s.standing)
    for kept in s.kept if "half" in units else ():
        if kept.kind == "coach" and kept.ends <= s.half:
            leave_play(s, kept)
