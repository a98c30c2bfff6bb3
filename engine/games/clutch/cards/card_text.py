"""What strategy cards, coaches, stadiums and weather do, in plain words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from engine.games.clutch.cards.baseball_terms import POSITION_NAMES, RESULT_NAMES
from engine.games.clutch.cards.card_types import Coach, Stadium, Strategy, Weather
from engine.games.clutch.cards.effects import Condition, Cost, Effect, Play, Trigger

SPEED_NAMES: Mapping[str, str] = {"br": "Baserunning", "st": "Stealing"}

_SHORT = re.compile(rf"\b(?:{'|'.join(SPEED_NAMES)})\b")
_MINUS = re.compile(r"(?<=\s)-(?=\s?\w)")

_PLAIN = "|".join(code for code in RESULT_NAMES if code not in POSITION_NAMES)
_RESULT = re.compile(rf"\b(?:an? )?(?<!has )(?:({_PLAIN})|([123]B)(?! check| throw| defense|\+))\b")
_HITS = re.compile(r"\b(?:change|chart|result|on|after)\b")
"""In phrases with one of these words 1B, 2B and 3B are hits, not positions."""

_SPOT = re.compile(rf"\b(?:{'|'.join(POSITION_NAMES)})\b")
_JOINED = re.compile(r"(?<=\w)\+(?=[A-Z1-3])")


def effects_text(play: Play) -> str:
    """Return what a card does, as it was typed in: "swing +2, draw 1"; "" for a blank card."""
    return _joined(play.do)


def in_words(phrase: str) -> str:
    """Spell out the codes in a phrase: "change a ground ball to a single", "shortstop defense −1"."""
    hits = _HITS.search(phrase)
    text = _RESULT.sub(lambda code: RESULT_NAMES[code[1] or code[2]] if code[1] or hits else code[0], phrase)
    text = _SPOT.sub(lambda code: POSITION_NAMES[code[0]], _JOINED.sub(" and ", text))
    return _MINUS.sub("−", _SHORT.sub(lambda word: SPEED_NAMES[word[0]], text))


def offer_text(card: Strategy | Coach) -> str:
    """Return the text of a card that can be played now: what it does, its cost, and what may follow."""
    if isinstance(card, Strategy) and card.blank:
        return "You say what it does, as the card has it."
    return _sentences(_actions(card.play))


def hand_text(card: Strategy | Coach) -> str:
    """Return the text of a card in its owner's hand: what it does, and when it may be played."""
    if isinstance(card, Strategy) and card.blank:
        return "You say what it does, as the card has it."
    play, side = card.play, ""
    if isinstance(card, Strategy):
        side = {"offense": "at bat", "defense": "in the field"}.get(card.side, "")
    when = [side, _joined(play.when, " or ")]
    parts = [*_actions(play), f"Played {', '.join(filter(None, when))}" if any(when) else ""]
    parts += [f"If {_joined(play.conditions, ' and ')}" if play.conditions else ""]
    return _sentences([*parts, "In a Clutch Moment only" if play.clutch else ""])


def in_play_text(card: Strategy | Coach) -> str:
    """Return the text of a card that stays in play: what it does, and until when; "" for a blank card."""
    play = card.play
    return _sentences([*_results(play), f"Until {_joined(play.until, ' or ')}" if play.until else ""])


def field_text(card: Stadium | Weather) -> str:
    """Return the whole text of a stadium or the weather: when, if, what it does, how long, and whom it favors."""
    play = card.main if isinstance(card, Stadium) else card.play
    parts = [_joined(play.when, " or "), f"if {_joined(play.conditions, ' and ')}" if play.conditions else ""]
    when = ", ".join(filter(None, parts))
    parts = [when[:1].upper() + when[1:], *_actions(play), "In a Clutch Moment only" if play.clutch else ""]
    bonuses = (card.defensive, card.offensive) if isinstance(card, Stadium) else ()
    for bonus in filter(None, bonuses):
        whom = f", for whoever {_joined(bonus.conditions, ' and ')}" if bonus.conditions else ""
        parts.append(f"{_joined(bonus.do)}{whom}")
    return _sentences(parts)


def _actions(play: Play) -> list[str]:
    """Return what a card does, how long, what follows, where it stays, and what it costs."""
    stays = f"It stays {'in play' if play.leave == 'play' else f'on the {play.leave}'}" if play.leave else ""
    return [
        *_results(play),
        f"{stays} until {_joined(play.until, ' or ')}" if play.until else stays,
        f"It costs: {_joined(play.cost)}" if play.cost else "",
    ]


def _results(play: Play) -> list[str]:
    """Return what a card does, how long, and what follows."""
    long = "" if play.lasts.text in ("this at-bat", "while it stays in play") else play.lasts.text
    return [
        ", ".join(filter(None, (effects_text(play), long))),
        f"If that succeeds: {_joined(play.success)}" if play.success else "",
        f"If it fails: {_joined(play.failure)}" if play.failure else "",
    ]


def _joined(phrases: Sequence[Effect | Condition | Cost | Trigger], between: str = ", ") -> str:
    return between.join(in_words(one.text) for one in phrases)


def _sentences(parts: list[str]) -> str:
    return " ".join(f"{part[:1].upper()}{part[1:]}." for part in parts if part)
