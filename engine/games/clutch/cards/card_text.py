"""What a card says, in plain words: strategy cards, coaches, stadiums and weather; and players in one line."""

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
    """Return what a card does, as it was typed in: "swing +2, draw 1"; "" for a blank card."""
    return _phrase_list_text(play.do)


@lru_cache(4096)  # More than a set of cards has; each is spelled out again with every table.
def phrase_in_words(phrase: str) -> str:
    """Spell out the codes in a phrase: "change a ground ball to a single", "shortstop defense −1"."""
    hits = _HIT_CONTEXT_PATTERN.search(phrase)
    text = _RESULT_PATTERN.sub(lambda code: RESULT_NAMES[code[1] or code[2]] if code[1] or hits else code[0], phrase)
    text = _POSITION_PATTERN.sub(lambda code: POSITION_NAMES[code[0]], _PLUS_PATTERN.sub(" and ", text))
    return _MINUS_PATTERN.sub("−", _SPEED_PATTERN.sub(lambda word: SPEED_NAMES[word[0]], text))


def offer_text(card: StrategyCard | CoachCard) -> str:
    """Return the text of a card that can be played now: what it does, its cost, and what may follow."""
    if isinstance(card, StrategyCard) and card.blank:
        return "You say what it does, as the card has it."
    return _sentence_text(_action_texts(card.play))


def hand_text(card: StrategyCard | CoachCard) -> str:
    """Return the text of a card in its owner's hand: what it does, and when it may be played."""
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
    """Return the text of a card that stays in play: what it does, and until when; "" for a blank card."""
    play = card.play
    return _sentence_text(
        [*_result_texts(play), f"Until {_phrase_list_text(play.until, ' or ')}" if play.until else ""]
    )


def field_text(card: StadiumCard | WeatherCard) -> str:
    """Return the whole text of a stadium or the weather: when, if, what it does, how long, and whom it favors."""
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
    """Return what a card does, how long, what follows, where it stays, and what it costs."""
    stays = f"It stays {'in play' if play.leave == 'play' else f'on the {play.leave}'}" if play.leave else ""
    return [
        *_result_texts(play),
        f"{stays} until {_phrase_list_text(play.until, ' or ')}" if play.until else stays,
        f"It costs: {_phrase_list_text(play.cost)}" if play.cost else "",
    ]


def _result_texts(play: CardRules) -> list[str]:
    """Return what a card does, how long, and what follows."""
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
    """Return what a batter brings to the plate, and where he can play."""
    more = _handedness_text(card.left, card.right, "pitchers")
    figures = f"On-Base {card.on_base}{more}, Clutch {signed_text(card.clutch)}"
    return f"bats {HAND_WORDS[card.hand]}, {figures}; can play {_gloves_text(card)}"


def running_note(card: ClutchBatter) -> str:
    """Return what a runner brings, and where he can play."""
    return f"Baserunning {card.baserunning}, Stealing {card.stealing}; can play {_gloves_text(card)}"


def fielding_note(card: ClutchBatter, *spots: str) -> str:
    """Return what a fielder is worth at these positions, and where else he can play."""
    others = [f"{spot} {signed_text(rating)}" for spot, rating in card.gloves.items() if spot not in spots]
    more = f"; also {', '.join(others)}" if others else ""
    return f"{', '.join(position_note(card, spot) for spot in spots)}{more}"


def position_note(card: ClutchBatter, spot: str) -> str:
    """Return what a fielder is worth at one position (CL-130)."""
    if spot in card.gloves:
        return f"{spot} {signed_text(card.gloves[spot])}"
    return f"{spot} {signed_text(OUT_OF_POSITION_RATING)}, not on the card"


def pitching_note(card: ClutchPitcher, role: str, owes: int) -> str:
    """Return what a pitcher brings in a role, and whether he is rested; `owes` are the games he still has to rest."""
    rested = f"owes {owes} game{'' if owes == 1 else 's'} of rest: tired" if owes else "fresh"
    innings = card.innings.get(role, 0)
    more = _handedness_text(card.left, card.right, "batters")
    length = f"{role}, {innings} inning{'' if innings == 1 else 's'}"
    return f"throws {HAND_WORDS[card.hand]}, Command {card.command}{more}; {length}; {rested}"


def _gloves_text(card: ClutchBatter) -> str:
    """Return where a batter can play, and how well: "LF +2, CF −1"."""
    fields = [f"{spot} {signed_text(rating)}" for spot, rating in card.gloves.items()]
    return ", ".join(fields) or DH


def _handedness_text(left: int, right: int, whom: str) -> str:
    """Return what handedness brings: ", +2 against left-handed pitchers"."""
    sides = [f"+{more} against {hand}-handed {whom}" for more, hand in ((left, "left"), (right, "right")) if more]
    return f", {spoken_list(sides)}" if sides else ""
