"""Texts of strategy cards, coaches, stadiums and weather in words, and of players in one line."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from engine.events import spoken_list
from engine.games.clutch.cards.baseball_terms import POSITION_NAMES, RESULT_NAMES, signed_text
from engine.games.clutch.cards.card_types import (
    DH,
    OUT_OF_POSITION_RATING,
    ClutchBatter,
    ClutchPitcher,
    CoachCard,
    StadiumCard,
    StrategyCard,
    WeatherCard,
)
from engine.games.clutch.cards.effects import CardCost, CardEffect, CardRules, CardTrigger, Condition

SPEED_NAMES: Mapping[str, str] = {"br": "Baserunning", "st": "Stealing"}

_SPEED_PATTERN = re.compile(rf"\b(?:{'|'.join(SPEED_NAMES)})\b")
_MINUS_PATTERN = re.compile(r"(?<=\s)-(?=\s?\w)")

_CODES_PATTERN = "|".join(code for code in RESULT_NAMES if code not in POSITION_NAMES)
_RESULT_PATTERN = re.compile(rf"\b(?:an? )?(?<!has )(?:({_CODES_PATTERN})|([123]B)(?! check| throw| defense|\+))\b")
_HIT_CONTEXT_PATTERN = re.compile(r"\b(?:change|chart|result|on|after)\b")
"""In phrases with one of these words 1B, 2B and 3B are hits, not positions."""

_POSITION_PATTERN = re.compile(rf"\b(?:{'|'.join(POSITION_NAMES)})\b")
_PLUS_PATTERN = re.compile(r"(?<=\w)\+(?=[A-Z1-3])")


def effects_text(play: CardRules) -> str:
    """Return the effects of a card as typed, such as "swing +2, draw 1", or "" for a blank card."""
    return _phrase_list_text(play.do)


@lru_cache(4096)  # Exceeds the phrases of a set of cards, which every new table spells out.
def phrase_in_words(phrase: str) -> str:
    """Spell out the codes in a phrase, as in "change a ground ball to a single", "shortstop defense −1"."""
    hits = _HIT_CONTEXT_PATTERN.search(phrase)
    text = _RESULT_PATTERN.sub(lambda code: RESULT_NAMES[code[1] or code[2]] if code[1] or hits else code[0], phrase)
    text = _POSITION_PATTERN.sub(lambda code: POSITION_NAMES[code[0]], _PLUS_PATTERN.sub(" and ", text))
    return _MINUS_PATTERN.sub("−", _SPEED_PATTERN.sub(lambda word: SPEED_NAMES[word[0]], text))


def offer_text(card: StrategyCard | CoachCard) -> str:
    """Return the text of a playable card, with its effects, its cost, and what may follow."""
    if isinstance(card, StrategyCard) and card.blank:
        return "You say what it does, as the card has it."
    return _sentence_text(_action_texts(card.play))


def hand_text(card: StrategyCard | CoachCard) -> str:
    """Return the text of a card in its owner's hand, with its effects and its triggers."""
    if isinstance(card, StrategyCard) and card.blank:
        return "You say what it does, as the card has it."
    play, side = card.play, ""
    if isinstance(card, StrategyCard):
        side = {"offense": "at bat", "defense": "in the field"}.get(card.side, "")
    when = [side, _phrase_list_text(play.when, " or ")]
    parts = [*_action_texts(play), f"Played {', '.join(filter(None, when))}" if any(when) else ""]
    parts += [f"If {_phrase_list_text(play.conditions, ' and ')}" if play.conditions else ""]
    return _sentence_text([*parts, "In a Clutch Moment only" if play.clutch else ""])


def in_play_text(card: StrategyCard | CoachCard) -> str:
    """Return the text of a card in play, with its effects and its end, or "" for a blank card."""
    play = card.play
    return _sentence_text(
        [*_result_texts(play), f"Until {_phrase_list_text(play.until, ' or ')}" if play.until else ""]
    )


def field_text(card: StadiumCard | WeatherCard) -> str:
    """Return the full text of a stadium or weather, with trigger, conditions, effects, duration and favored players."""
    play = card.main if isinstance(card, StadiumCard) else card.play
    parts = [
        _phrase_list_text(play.when, " or "),
        f"if {_phrase_list_text(play.conditions, ' and ')}" if play.conditions else "",
    ]
    when = ", ".join(filter(None, parts))
    parts = [when[:1].upper() + when[1:], *_action_texts(play), "In a Clutch Moment only" if play.clutch else ""]
    bonuses = (card.defensive, card.offensive) if isinstance(card, StadiumCard) else ()
    for bonus in filter(None, bonuses):
        whom = f", for whoever {_phrase_list_text(bonus.conditions, ' and ')}" if bonus.conditions else ""
        parts.append(f"{_phrase_list_text(bonus.do)}{whom}")
    return _sentence_text(parts)


def _action_texts(play: CardRules) -> list[str]:
    stays = f"It stays {'in play' if play.leave == 'play' else f'on the {play.leave}'}" if play.leave else ""
    return [
        *_result_texts(play),
        f"{stays} until {_phrase_list_text(play.until, ' or ')}" if play.until else stays,
        f"It costs: {_phrase_list_text(play.cost)}" if play.cost else "",
    ]


def _result_texts(play: CardRules) -> list[str]:
    long = "" if play.lasts.text in ("this at-bat", "while it stays in play") else play.lasts.text
    return [
        ", ".join(filter(None, (effects_text(play), long))),
        f"If that succeeds: {_phrase_list_text(play.success)}" if play.success else "",
        f"If it fails: {_phrase_list_text(play.failure)}" if play.failure else "",
    ]


def _phrase_list_text(phrases: Sequence[CardEffect | Condition | CardCost | CardTrigger], between: str = ", ") -> str:
    return between.join(phrase_in_words(one.text) for one in phrases)


def _sentence_text(parts: list[str]) -> str:
    return " ".join(f"{part[:1].upper()}{part[1:]}." for part in parts if part)


HAND_WORDS = {"R": "right", "L": "left", "S": "both ways"}


def batting_note(card: ClutchBatter) -> str:
    more = _handedness_text(card.left, card.right, "pitchers")
    figures = f"On-Base {card.on_base}{more}, Clutch {signed_text(card.clutch)}"
    return f"bats {HAND_WORDS[card.hand]}, {figures}; can play {_gloves_text(card)}"


def running_note(card: ClutchBatter) -> str:
    return f"Baserunning {card.baserunning}, Stealing {card.stealing}; can play {_gloves_text(card)}"


def fielding_note(card: ClutchBatter, *spots: str) -> str:
    """Return a fielder's ratings at these positions, then at his other ones."""
    others = [f"{spot} {signed_text(rating)}" for spot, rating in card.gloves.items() if spot not in spots]
    more = f"; also {', '.join(others)}" if others else ""
    return f"{', '.join(position_note(card, spot) for spot in spots)}{more}"


def position_note(card: ClutchBatter, spot: str) -> str:
    """Return a fielder's rating at one position (CL-130)."""
    if spot in card.gloves:
        return f"{spot} {signed_text(card.gloves[spot])}"
    return f"{spot} {signed_text(OUT_OF_POSITION_RATING)}, not on the card"


def pitching_note(card: ClutchPitcher, role: str, owes: int) -> str:
    """Return a pitcher's numbers in a role and his fatigue. `owes` are the games of rest he still owes."""
    rested = f"owes {owes} game{'' if owes == 1 else 's'} of rest: tired" if owes else "fresh"
    innings = card.innings.get(role, 0)
    more = _handedness_text(card.left, card.right, "batters")
    length = f"{role}, {innings} inning{'' if innings == 1 else 's'}"
    return f"throws {HAND_WORDS[card.hand]}, Command {card.command}{more}; {length}; {rested}"


def _gloves_text(card: ClutchBatter) -> str:
    """Return a batter's positions with his ratings, such as "LF +2, CF −1"."""
    fields = [f"{spot} {signed_text(rating)}" for spot, rating in card.gloves.items()]
    return ", ".join(fields) or DH


def _handedness_text(left: int, right: int, whom: str) -> str:
    """Return the bonuses for handedness, such as ", +2 against left-handed pitchers"."""
    sides = [f"+{more} against {hand}-handed {whom}" for more, hand in ((left, "left"), (right, "right")) if more]
    return f", {spoken_list(sides)}" if sides else ""
