"""The fields of each kind of card, and how they are read (CL-001)."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from engine.cards import Field, Shape, flag, listed, one_of, optional, quoted, several, text, typed, whole
from engine.events import spoken
from engine.games.clutch.cards import phrases
from engine.games.clutch.cards.action_phrases import CONTROL
from engine.games.clutch.cards.card_types import COACHES, COPIES, DH, PLACES, POSITIONS, ROLES
from engine.games.clutch.cards.effects import Effect
from engine.games.clutch.cards.result_chart import EXAMPLE, chart


def glove(value: Any) -> tuple[str, int | None]:
    """Read a position and its rating, as "SS +2"; None for "DH" (CL-003, CL-004). Raises ValueError."""
    found = re.fullmatch(r"([A-Z0-9]{2})(?: ?([+-]?[0-9][0-9]?))?", _plain(value))
    if not found or found[1] not in (*POSITIONS, DH):
        raise ValueError(f"needs a position like 'SS +2', one of {spoken((*POSITIONS, DH))}, not {quoted(value)}.")
    if (found[1] == DH) != (found[2] is None):
        wanted = "a designated hitter has no rating" if found[1] == DH else f"needs the rating too, as '{found[1]} +2'"
        raise ValueError(f"{quoted(value)}: {wanted}.")
    return found[1], None if found[2] is None else int(found[2])


def role(value: Any) -> tuple[str, int]:
    """Read a role and its inning limit, as "SP 6" (CL-015, CL-016). Raises ValueError."""
    found = re.fullmatch(r"([A-Z]{2}) ?([0-9])", _plain(value))
    if not found or found[1] not in ROLES:
        raise ValueError(f"needs a role and its innings like 'SP 6', one of {spoken(ROLES)}, not {quoted(value)}.")
    return found[1], int(found[2])


def copies(value: Any) -> tuple[str, int]:
    """Read a strategy card and its number of copies, as "3 Slide Step". Raises ValueError."""
    found = re.fullmatch(r"([1-9][0-9]?) (.+)", value.strip()) if isinstance(value, str) else None
    if not found:
        raise ValueError(f"needs a number and a title like '3 Slide Step', not {quoted(value)}.")
    return found[2], int(found[1])


def owed(value: Any) -> tuple[str, int]:
    """Read a pitcher and the games of rest he owes, as "Ann Orme 2". Raises ValueError."""
    found = re.fullmatch(r"(.+) ([1-9])", value.strip()) if isinstance(value, str) else None
    if not found:
        raise ValueError(f"needs a name and a number of games like 'Ann Orme 2', not {quoted(value)}.")
    return found[1], int(found[2])


def icon(value: Any) -> str:
    """Read an icon, in capital letters. Raises ValueError. Not checked: that there is such an icon (AM-25)."""
    found = _plain(value)
    if not re.fullmatch(r"[A-Z0-9]{1,6}", found):
        raise ValueError(f"needs one to six letters or digits, as 'GG', not {quoted(value)}.")
    return found


def dry(value: Any) -> tuple[Effect, ...]:
    """Read a phrase of a card that is not weather, without the Control Die (CL-387, AM-51). Raises ValueError."""
    found = phrases.effect(value)
    if any(map(_controlled, found)):
        raise ValueError(f"{quoted(value)}: the {CONTROL} is thrown for weather cards alone.")
    return found


def _controlled(one: Effect) -> bool:
    by = one.of == CONTROL or (one.trial is not None and one.trial.die == CONTROL)
    return by or any(map(_controlled, (*one.then, *one.otherwise)))


def _plain(value: Any) -> str:
    """Return text in capital letters, with one kind of minus and single spaces; "" if it is not text."""
    return " ".join(re.sub("[–−]", "-", value).upper().split()) if isinstance(value, str) else ""


def _once(field: Field, what: str) -> Field:
    """Return a field of several values that rejects two with the same first part."""

    def check(value: Any) -> tuple[Any, ...]:
        found: tuple[Any, ...] = field(value)
        if len({one[0] for one in found}) < len(found):
            raise ValueError(f"names {what} twice.")
        return found

    return replace(field, check=check)


_name, _title = text(30), text(30)
_batter, _pitcher = _name.names("batter"), _name.names("pitcher")
_set = optional(text(30), "").means("The card set it is of.")
_player: Shape = {
    "name": _name.means("What the player is called; no other card of this kind has that name."),
    "person": optional(_name, "").means("Who he is, where he has several cards; without it as his name."),
    "team": _name.means("The team on the card."),
    "set": _set,
    "salary": whole(0, 9999).means("What he costs of the salary cap."),
}
_bonus = optional(whole(0, 9), 0)
_printed: Shape = {
    "chart": typed(chart, EXAMPLE).means("The Result Chart on one line, from the lowest Swing to the highest."),
    "clutch": whole(-9, 9).means("The Clutch rating; it may be negative."),
    "icons": optional(several(replace(text(6), check=icon)), ()).means("Its icons: AS, GG, HR, MVP, SB and such."),
    "rotated": optional(flag(), False).means("Its set is no longer played with in leagues."),
}

_when = several(typed(phrases.trigger, "before the pitch", phrases.TRIGGERS.help))
_if = optional(several(typed(phrases.condition, "the batter bats left", phrases.CONDITIONS.help)), ()).means(
    "What must be so; all of it."
)
_effects = several(typed(dry, "swing +2", phrases.EFFECTS.help))
_more = optional(_effects, ())
_lasts = typed(phrases.lasts, "this at-bat", phrases.LASTS.help)
_cost = typed(phrases.cost, "discard 1", phrases.COSTS.help)
_play: Shape = {
    "when": optional(_when, ()).means("When it can be played; at any of these moments."),
    "clutch": optional(flag(), False).means("It can be played in a Clutch Moment only."),
    "if": _if,
    "cost": optional(several(_cost), ()).means("What must be paid for it."),
    "do": _more.means("What it does, in this order."),
    "success": _more.means("What it does once the play it was played on is a success for you."),
    "failure": _more.means("What it does once that play has failed for you."),
    "lasts": optional(_lasts).means(
        "How long; without it this at-bat, as long as the card stays, or 2 half-innings of a bench coach."
    ),
}
_who = optional(typed(phrases.who, "plays for Harbor", phrases.WHO.help), ())

SHAPES: dict[str, Shape] = {
    "batter": {
        **_player,
        "hand": one_of("R", "L", "S").means("The side he bats from; S is a switch hitter."),
        "on_base": whole(0, 30).means("The On-Base number."),
        "left": _bonus.means("What On-Base gains against left-handed pitchers, L+."),
        "right": _bonus.means("What On-Base gains against right-handed pitchers, R+."),
        "baserunning": whole(0, 40).means("His speed when he takes a base; 11 to 25 on real cards."),
        "stealing": whole(0, 40).means("His speed when he steals; 11 to 25 on real cards."),
        "positions": _once(several(typed(glove, "SS +2")), "a position").means(
            "What he plays and his rating there; DH stands without one."
        ),
        **_printed,
    },
    "pitcher": {
        **_player,
        "hand": one_of("R", "L").means("The hand he throws with."),
        "command": whole(-5, 20).means("The Command number."),
        "left": _bonus.means("What Command gains against left-handed batters, L+."),
        "right": _bonus.means("What Command gains against right-handed batters, R+."),
        "x_zone": whole(1, 3).means("The highest Pitch Roll that is a Mistake Pitch."),
        "defense": whole(-9, 20).means("His defensive rating, for the battery."),
        "roles": _once(several(typed(role, "SP 6")), "a role").means(
            "His roles, each with its limit of innings: SP, RP, OP or BP."
        ),
        **_printed,
    },
    "strategy": {
        "name": _title.means("Its title; a deck may have several of it, and it is typed in once."),
        "set": _set,
        "rarity": one_of(*COPIES).means("How rare it is: a deck may have 3, 2 or 1 of it."),
        "side": one_of("offense", "defense", "neutral").means("Who may play it: blue, red or grey."),
        "special": optional(one_of("momentum", "burst", "impulse"), "").means("Its special icon."),
        **_play,
        "leave": optional(one_of("play", "batter", "pitcher", "runner"), "").means(
            "Where the card stays, in play or on a player; a Momentum card stays in play."
        ),
        "until": optional(_when, ()).means("When it goes, if it stays."),
        "blank": optional(flag(), False).means("Leave out all it does; the table then says it."),
    },
    "coach": {
        "name": _title.means("What the coach is called."),
        "kind": one_of(*COACHES).means("Who may play him: on offense, on defense, or anybody."),
        **_play,
    },
    "stadium": {
        "name": _title.means("What the stadium is called."),
        "when": _when.means("When its main effect happens; at any of these moments."),
        "if": _if,
        "do": _effects.means("The main effect."),
        "defensive_for": _who.means("Fielders who have a bonus while that holds."),
        "defensive": _more.means("Their bonus."),
        "offensive_for": _who.means("Batters and runners who have a bonus while that holds."),
        "offensive": _more.means("Their bonus."),
    },
    "weather": {
        "name": _title.means("What the weather is called."),
        "when": _when.means("When its effect happens; at any of these moments."),
        "if": _if,
        "do": several(typed(phrases.effect, "swing +2", phrases.EFFECTS.help)).means("What it does."),
        "lasts": optional(_lasts).means("How long; without it the whole game."),
    },
    "roster": {
        "name": _name.means("What the team is called."),
        **{place: _batter.means(f"Who starts at {spot}.") for place, spot in PLACES.items()},
        "order": optional(listed(_batter, 9), ()).means("The nine as they bat; without it as they stand here."),
        "bench": optional(several(_batter), ()).means("The other batters."),
        "rotation": several(_pitcher).means("The starters, in the order they are to start."),
        "bullpen": optional(several(_pitcher), ()).means("The relievers."),
        "deck": optional(
            _once(several(typed(copies, "3 Slide Step").names("strategy", "1 {}", "2 {}", "3 {}")), "a card"), ()
        ).means("The strategy deck: how often each card is in it, and its title."),
        "coaches": optional(several(_title.names("coach")), ()).means("A hitting, a pitching and a bench coach."),
        "stadium": optional(_title, "").names("stadium").means("The stadium the team brings."),
        "rest": optional(
            _once(several(typed(owed, "Ann Orme 2").names("pitcher", "{} 1", "{} 2", "{} 3")), "a pitcher"), ()
        ).means("Pitchers who have still to rest from games before, and how many games."),
    },
}
