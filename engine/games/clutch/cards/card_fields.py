"""Fields of each kind of card, and their parsers (CL-001)."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from engine.cards import (
    CardField,
    CardShape,
    boolean_field,
    choice_field,
    custom_field,
    fixed_list_field,
    integer_field,
    list_field,
    optional_field,
    quoted_value,
    text_field,
)
from engine.events import spoken_list
from engine.games.clutch.cards import phrases
from engine.games.clutch.cards.action_phrases import CONTROL_DIE
from engine.games.clutch.cards.card_types import (
    COACH_KINDS,
    DH,
    FIELD_POSITIONS,
    MAX_COPIES_BY_RARITY,
    PITCHER_ROLES,
    POSITIONS_BY_ROSTER_FIELD,
)
from engine.games.clutch.cards.effects import CardEffect
from engine.games.clutch.cards.result_chart import EXAMPLE_CHART, parse_chart


def parse_glove(value: Any) -> tuple[str, int | None]:
    """Parse a position and its rating, such as "SS +2". "DH" has None (CL-003, CL-004). Raise ValueError."""
    found = re.fullmatch(r"([A-Z0-9]{2})(?: ?([+-]?[0-9][0-9]?))?", _uppercase_text(value))
    if not found or found[1] not in (*FIELD_POSITIONS, DH):
        raise ValueError(
            f"needs a position like 'SS +2', one of {spoken_list((*FIELD_POSITIONS, DH))}, not {quoted_value(value)}."
        )
    if (found[1] == DH) != (found[2] is None):
        wanted = "a designated hitter has no rating" if found[1] == DH else f"needs the rating too, as '{found[1]} +2'"
        raise ValueError(f"{quoted_value(value)}: {wanted}.")
    return found[1], None if found[2] is None else int(found[2])


def parse_role(value: Any) -> tuple[str, int]:
    """Parse a role and its inning limit, such as "SP 6" (CL-015, CL-016). Raise ValueError."""
    found = re.fullmatch(r"([A-Z]{2}) ?([0-9])", _uppercase_text(value))
    if not found or found[1] not in PITCHER_ROLES:
        raise ValueError(
            f"needs a role and its innings like 'SP 6', one of {spoken_list(PITCHER_ROLES)}, not {quoted_value(value)}."
        )
    return found[1], int(found[2])


def parse_copies(value: Any) -> tuple[str, int]:
    """Parse a strategy card and its number of copies, such as "3 Slide Step". Raise ValueError."""
    found = re.fullmatch(r"([1-9][0-9]?) (.+)", value.strip()) if isinstance(value, str) else None
    if not found:
        raise ValueError(f"needs a number and a title like '3 Slide Step', not {quoted_value(value)}.")
    return found[2], int(found[1])


def parse_owed_rest(value: Any) -> tuple[str, int]:
    """Parse a pitcher and the games of rest he owes, such as "Ann Orme 2". Raise ValueError."""
    found = re.fullmatch(r"(.+) ([1-9])", value.strip()) if isinstance(value, str) else None
    if not found:
        raise ValueError(f"needs a name and a number of games like 'Ann Orme 2', not {quoted_value(value)}.")
    return found[1], int(found[2])


def parse_icon(value: Any) -> str:
    """Parse an icon, in capital letters. Raise ValueError. That there is such an icon is not checked (AM-25)."""
    found = _uppercase_text(value)
    if not re.fullmatch(r"[A-Z0-9]{1,6}", found):
        raise ValueError(f"needs one to six letters or digits, as 'GG', not {quoted_value(value)}.")
    return found


def parse_non_weather_effects(value: Any) -> tuple[CardEffect, ...]:
    """Parse the effects of a card other than weather, without the Control Die (CL-387, AM-51). Raise ValueError."""
    found = phrases.parse_effects(value)
    if any(map(_uses_control_die, found)):
        raise ValueError(f"{quoted_value(value)}: the {CONTROL_DIE} is thrown for weather cards alone.")
    return found


def _uses_control_die(one: CardEffect) -> bool:
    by = one.of == CONTROL_DIE or (one.trial is not None and one.trial.die == CONTROL_DIE)
    return by or any(map(_uses_control_die, (*one.then, *one.otherwise)))


def _uppercase_text(value: Any) -> str:
    """Return text in capital letters, with one kind of minus and single spaces, or "" if it is not text."""
    return " ".join(re.sub("[–−]", "-", value).upper().split()) if isinstance(value, str) else ""


def _unique_field(field: CardField, what: str) -> CardField:
    """Return a field of several values that rejects two with the same first part."""

    def check_unique(value: Any) -> tuple[Any, ...]:
        found: tuple[Any, ...] = field(value)
        if len({one[0] for one in found}) < len(found):
            raise ValueError(f"names {what} twice.")
        return found

    return replace(field, check=check_unique)


_name_field = text_field(30)
_title_field = text_field(30)
_batter_field = _name_field.as_card_name("batter")
_pitcher_field = _name_field.as_card_name("pitcher")
_set_field = optional_field(text_field(30), "").with_meaning("The card set it is of.")
_player_fields: CardShape = {
    "name": _name_field.with_meaning("What the player is called; no other card of this kind has that name."),
    "person": optional_field(_name_field, "").with_meaning(
        "Who he is, where he has several cards; without it as his name."
    ),
    "team": _name_field.with_meaning("The team on the card."),
    "set": _set_field,
    "salary": integer_field(0, 9999).with_meaning("What he costs of the salary cap."),
}
_bonus_field = optional_field(integer_field(0, 9), 0)
_printed_fields: CardShape = {
    "chart": custom_field(parse_chart, EXAMPLE_CHART).with_meaning(
        "The Result Chart on one line, from the lowest Swing to the highest."
    ),
    "clutch": integer_field(-9, 9).with_meaning("The Clutch rating; it may be negative."),
    "icons": optional_field(list_field(replace(text_field(6), check=parse_icon)), ()).with_meaning(
        "Its icons: AS, GG, HR, MVP, SB and such."
    ),
    "rotated": optional_field(boolean_field(), False).with_meaning("Its set is no longer played with in leagues."),
}

_when_field = list_field(custom_field(phrases.parse_trigger, "before the pitch", phrases.TRIGGER_PHRASES.help_rows))
_if_field = optional_field(
    list_field(custom_field(phrases.parse_condition, "the batter bats left", phrases.CONDITION_PHRASES.help_rows)), ()
).with_meaning("What must be so; all of it.")
_effects_field = list_field(custom_field(parse_non_weather_effects, "swing +2", phrases.EFFECT_PHRASES.help_rows))
_optional_effects_field = optional_field(_effects_field, ())
_duration_field = custom_field(phrases.parse_duration, "this at-bat", phrases.DURATION_PHRASES.help_rows)
_cost_field = custom_field(phrases.parse_cost, "discard 1", phrases.COST_PHRASES.help_rows)
_play_fields: CardShape = {
    "when": optional_field(_when_field, ()).with_meaning("When it can be played; at any of these moments."),
    "clutch": optional_field(boolean_field(), False).with_meaning("It can be played in a Clutch Moment only."),
    "if": _if_field,
    "cost": optional_field(list_field(_cost_field), ()).with_meaning("What must be paid for it."),
    "do": _optional_effects_field.with_meaning("What it does, in this order."),
    "success": _optional_effects_field.with_meaning(
        "What it does once the play it was played on is a success for you."
    ),
    "failure": _optional_effects_field.with_meaning("What it does once that play has failed for you."),
    "lasts": optional_field(_duration_field).with_meaning(
        "How long; without it this at-bat, as long as the card stays, or 2 half-innings of a bench coach."
    ),
}
_who_field = optional_field(
    custom_field(phrases.parse_player_conditions, "plays for Harbor", phrases.PLAYER_PHRASES.help_rows), ()
)

CARD_SHAPES: dict[str, CardShape] = {
    "batter": {
        **_player_fields,
        "hand": choice_field("R", "L", "S").with_meaning("The side he bats from; S is a switch hitter."),
        "on_base": integer_field(0, 30).with_meaning("The On-Base number."),
        "left": _bonus_field.with_meaning("What On-Base gains against left-handed pitchers, L+."),
        "right": _bonus_field.with_meaning("What On-Base gains against right-handed pitchers, R+."),
        "baserunning": integer_field(0, 40).with_meaning("His speed when he takes a base; 11 to 25 on real cards."),
        "stealing": integer_field(0, 40).with_meaning("His speed when he steals; 11 to 25 on real cards."),
        "positions": _unique_field(list_field(custom_field(parse_glove, "SS +2")), "a position").with_meaning(
            "What he plays and his rating there; DH stands without one."
        ),
        **_printed_fields,
    },
    "pitcher": {
        **_player_fields,
        "hand": choice_field("R", "L").with_meaning("The hand he throws with."),
        "command": integer_field(-5, 20).with_meaning("The Command number."),
        "left": _bonus_field.with_meaning("What Command gains against left-handed batters, L+."),
        "right": _bonus_field.with_meaning("What Command gains against right-handed batters, R+."),
        "x_zone": integer_field(1, 3).with_meaning("The highest Pitch Roll that is a Mistake Pitch."),
        "defense": integer_field(-9, 20).with_meaning("His defensive rating, for the battery."),
        "roles": _unique_field(list_field(custom_field(parse_role, "SP 6")), "a role").with_meaning(
            "His roles, each with its limit of innings: SP, RP, OP or BP."
        ),
        **_printed_fields,
    },
    "strategy": {
        "name": _title_field.with_meaning("Its title; a deck may have several of it, and it is typed in once."),
        "set": _set_field,
        "rarity": choice_field(*MAX_COPIES_BY_RARITY).with_meaning("How rare it is: a deck may have 3, 2 or 1 of it."),
        "side": choice_field("offense", "defense", "neutral").with_meaning("Who may play it: blue, red or grey."),
        "special": optional_field(choice_field("momentum", "burst", "impulse"), "").with_meaning("Its special icon."),
        **_play_fields,
        "leave": optional_field(choice_field("play", "batter", "pitcher", "runner"), "").with_meaning(
            "Where the card stays, in play or on a player; a Momentum card stays in play."
        ),
        "until": optional_field(_when_field, ()).with_meaning("When it goes, if it stays."),
        "blank": optional_field(boolean_field(), False).with_meaning("Leave out all it does; the table then says it."),
    },
    "coach": {
        "name": _title_field.with_meaning("What the coach is called."),
        "kind": choice_field(*COACH_KINDS).with_meaning("Who may play him: on offense, on defense, or anybody."),
        **_play_fields,
    },
    "stadium": {
        "name": _title_field.with_meaning("What the stadium is called."),
        "when": _when_field.with_meaning("When its main effect happens; at any of these moments."),
        "if": _if_field,
        "do": _effects_field.with_meaning("The main effect."),
        "defensive_for": _who_field.with_meaning("Fielders who have a bonus while that holds."),
        "defensive": _optional_effects_field.with_meaning("Their bonus."),
        "offensive_for": _who_field.with_meaning("Batters and runners who have a bonus while that holds."),
        "offensive": _optional_effects_field.with_meaning("Their bonus."),
    },
    "weather": {
        "name": _title_field.with_meaning("What the weather is called."),
        "when": _when_field.with_meaning("When its effect happens; at any of these moments."),
        "if": _if_field,
        "do": list_field(
            custom_field(phrases.parse_effects, "swing +2", phrases.EFFECT_PHRASES.help_rows)
        ).with_meaning("What it does."),
        "lasts": optional_field(_duration_field).with_meaning("How long; without it the whole game."),
    },
    "roster": {
        "name": _name_field.with_meaning("What the team is called."),
        **{
            place: _batter_field.with_meaning(f"Who starts at {spot}.")
            for place, spot in POSITIONS_BY_ROSTER_FIELD.items()
        },
        "order": optional_field(fixed_list_field(_batter_field, 9), ()).with_meaning(
            "The nine as they bat; without it as they stand here."
        ),
        "bench": optional_field(list_field(_batter_field), ()).with_meaning("The other batters."),
        "rotation": list_field(_pitcher_field).with_meaning("The starters, in the order they are to start."),
        "bullpen": optional_field(list_field(_pitcher_field), ()).with_meaning("The relievers."),
        "deck": optional_field(
            _unique_field(
                list_field(custom_field(parse_copies, "3 Slide Step").as_card_name("strategy", "1 {}", "2 {}", "3 {}")),
                "a card",
            ),
            (),
        ).with_meaning("The strategy deck: how often each card is in it, and its title."),
        "coaches": optional_field(list_field(_title_field.as_card_name("coach")), ()).with_meaning(
            "A hitting, a pitching and a bench coach."
        ),
        "stadium": optional_field(_title_field, "")
        .as_card_name("stadium")
        .with_meaning("The stadium the team brings."),
        "rest": optional_field(
            _unique_field(
                list_field(custom_field(parse_owed_rest, "Ann Orme 2").as_card_name("pitcher", "{} 1", "{} 2", "{} 3")),
                "a pitcher",
            ),
            (),
        ).with_meaning("Pitchers who have still to rest from games before, and how many games."),
    },
}
