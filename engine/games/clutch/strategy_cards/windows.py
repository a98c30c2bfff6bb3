"""Windows: the moments at which cards may be played, by the defense first, until both managers pass (3.9)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from engine.asks import Choose, Secret
from engine.events import Facts
from engine.games.clutch.cards import blank_cards
from engine.games.clutch.cards.card_text import effects_text, offer_text
from engine.games.clutch.cards.card_types import Coach, Strategy
from engine.games.clutch.cards.effects import GROUPS, Play
from engine.games.clutch.cards.phrases import effect as read_effect
from engine.games.clutch.state import Kept, Pending, Played, State, Step
from engine.games.clutch.strategy_cards import apply, card_effects, hands, muting, play_effects
from engine.games.clutch.strategy_cards.in_play import fire
from engine.games.clutch.strategy_cards.playable import card_of, current_tags, playable, possible, tags_for
from engine.games.clutch.strategy_cards.situation import situation
from engine.lazy import LazyFacts
from engine.seats import SEATS, Seat, other, put
from engine.secrets import Sealed

QUIET = ("pass", "not-here", "not-this-inning")
"""Ways to play no card: this time, in this kind of window for the half-inning, or in any window of it."""

SWING = "swing-now"  # With it the side at bat says before its menu that it swings away and plays no card.

DOOR = "play-card"  # The option with which a manager who holds real cards plays one without being asked.

BEFORE = ("at-bat", "before-pitch")  # Windows in which a manager can say beforehand that he plays no card.

REPLIES = ("new-pitcher", "pinch-hitter")  # Substitutions that answer a card (AM-03).


def window(s: State, name: str, *tags: str) -> Step[None]:
    """Open a window: stadium, weather and cards in play take effect, then both managers may play cards."""
    if name != "result":
        # A stadium acts on the final result, so at_bat.changes fires it after this window.
        yield from fire(s, name, tags)
    yield from cards(s, name, *tags)


def cards(s: State, name: str, *tags: str, menu: bool = False) -> Step[None]:
    """Let both managers play cards in a window until both pass. With `menu` the menu of the side at bat follows."""
    if not s.full:
        return
    turn, passed = first(s, name), 0
    while passed < len(SEATS):
        ahead = (SWING,) if menu and turn == s.offence else ()
        played = yield from offer(s, turn, name, tags, ahead=ahead)
        passed = 0 if played else passed + 1
        turn = other(turn)


def first(s: State, name: str) -> Seat:
    """Return who is asked first: the defense (CL-205), or for changes the side that the result harms (AM-40)."""
    harmed = name == "result" and s.at.result in GROUPS["out"]
    return s.offence if harmed and s.house["changePriority"] == "sideHarmed" else s.defence


def door(s: State, side: Seat) -> tuple[str, ...]:
    """Return the option to play a card at the start of an at-bat, if hands are real and so unknown."""
    return (DOOR,) if s.full and not s.dealt and playable(s, side, "at-bat", frozenset()) else ()


def offer(
    s: State, side: Seat, name: str, opened: Iterable[str], wanted: bool = False, ahead: tuple[str, ...] = ()
) -> Step[bool]:
    """Ask a manager whether he plays a card; return True if he did something.

    A manager who can play nothing is not asked, unless the house rules say so. Nor is one who has muted the window;
    only he sees that he could have played a card. Nor is one who has just said that he plays none. `wanted` is True if
    the manager himself asked to play one. `opened` are the tags with which the window opened. `ahead` is SWING if he
    may answer his menu here as well.
    """
    if name in BEFORE and side in s.at.content and not wanted:
        return False
    able = playable(s, side, name, opened)
    replies = s.actions.replies(s, side) if name == "before-pitch" else ()
    always = s.house["windows"] == "always" and (s.holds(side) or s.squad(side).coaches)
    if not (able or replies or always or wanted):
        return False
    chair = s.chair(side)
    if not wanted and ((chair, "cards") in s.muted or (chair, name) in s.muted):
        if able:
            at = SEATS.index(chair)
            s.skipped = put(s.skipped, chair, (*s.skipped[at], Sealed(chair, name, -1)))
        return False
    tags = current_tags(s, name, opened)
    options = (QUIET[0], *able, *replies, *ahead, *QUIET[1:], *muting.lift_option(s, chair))

    def facts(s: State) -> Facts:
        notes, played = {one: offer_text(card_of(s, side, one)) for one in able}, s.at.played
        shown = {"window": name, "now": situation(s, name, tags), "notes": notes, "team": s.team(side)}
        return {**shown, "batter": s.batter.name, "card": played[-1].name if played else ""}

    ask = Choose(chair, f"cards-{name}", options, LazyFacts(facts, s))
    if s.dealt:
        sealed = yield Secret(ask)
        answer = sealed.peek()
        if answer != "pass":
            s.reveal(sealed)
    else:
        answer = yield ask
    if answer == muting.AGAIN:
        muting.lift(s, chair)
        return (yield from offer(s, side, name, tags, ahead=ahead))
    if answer == SWING:
        s.now(content=s.at.content | {side}, swings=True)
        return False
    if answer in QUIET:
        if answer != "pass":
            s.muted |= {(chair, name if answer == "not-here" else "cards")}
        return False
    if answer in REPLIES and answer not in able:
        yield from s.actions.substitute(s, side, answer)
    else:
        yield from play(s, side, answer, name, tags)
    return True


def play(s: State, side: Seat, name: str, where: str, tags: frozenset[str]) -> Step[None]:
    """Play a card: pay for it, let the other manager negate it, and carry it out (CL-217, CL-218, CL-222)."""
    card = card_of(s, side, name)
    kind = "coach" if isinstance(card, Coach) else "strategy"
    s.now(played=(*s.at.played, Played(name, side, kind, where)))
    muting.stir(s, other(side))
    if kind == "coach":
        squad = s.squad(side)
        if s.house["coachUses"] == "1":
            s.change(side, coaches=hands.without(squad.coaches, name), spent=(*squad.spent, name))
    else:
        hands.take(s, side, name)
    s.uses = (*s.uses, (name, s.half, s.number))
    text, on = effects_text(card.play), play_effects.acting(s, card.play.leave)
    facts = {"on": f" on {on[1]}" if on else "", "does": f": {text}" if text else ""}
    s.tell("plays-card", seat=side, team=s.team(side), card=name, **facts)
    does = card.play
    if isinstance(card, Strategy) and card.blank:
        does = yield from declared(s, side, card, where, tags_for(s, side, where, tags))
    if isinstance(card, Strategy) and card.special == "momentum":
        does = replace(does, leave="play")
    yield from card_effects.pay(s, side, does)
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
    """Ask what a blank card does; the manager reads it from the real card."""
    options = tuple(
        one
        for one in blank_cards.phrases(where, tags, s.offence == side)
        if one != "nothing" and all(possible(s, side, effect) for effect in read_effect(one))
    )
    facts = {"team": s.team(side), "card": card.name}
    phrase = yield Choose(s.chair(side), "blank", ("nothing", *options), facts)
    return card.play if phrase == "nothing" else replace(card.play, do=read_effect(phrase))


def labels(kind: str, card: Strategy | Coach, does: Play) -> tuple[str, ...]:
    """Return the tags of the window in which a card may be negated."""
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
    """Leave a card in play if it stays there: a Momentum card, one left on a player, or a coach with a lasting effect.
    Return True if a strategy card stays.
    """
    if isinstance(card, Coach):
        if does.lasts.unit == "half":
            s.kept = (*s.kept, Kept(card.name, side, kind, ends=apply.ends(s, card.name, does.lasts)))
        return False
    if not does.leave:
        return False
    s.kept = (*s.kept, Kept(card.name, side, kind, play_effects.acting(s, does.leave)))
    return True


def queue(s: State, side: Seat, name: str, does: Play, where: str) -> None:
    """Queue what follows once the success of the play is known (CL-225)."""
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
