"""What a card says, in plain words: strategy cards, coaches, stadiums and weather; and players in one line."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from engine.events import spoken
from engine.games.clutch.cards.baseball_terms import POSITION_NAMES, RESULT_NAMES, signed
from engine.games.clutch.cards.card_types import DH, OUT_OF_POSITION, Batter, Coach, Pitcher, Stadium, Strategy, Weather
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


@lru_cache(4096)  # More than a set of cards has; each is spelled out again with every table.
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


HANDS = {"R": "right", "L": "left", "S": "both ways"}


def batting_note(card: Batter) -> str:
    """Return what a batter brings to the plate, and where he can play."""
    more = _handedness(card.left, card.right, "pitchers")
    return (
        f"bats {HANDS[card.hand]}, On-Base {card.on_base}{more}, Clutch {signed(card.clutch)}; can play {_gloves(card)}"
    )


def running_note(card: Batter) -> str:
    """Return what a runner brings, and where he can play."""
    return f"Baserunning {card.baserunning}, Stealing {card.stealing}; can play {_gloves(card)}"


def fielding_note(card: Batter, *spots: str) -> str:
    """Return what a fielder is worth at these positions, and where else he can play."""
    others = [f"{spot} {signed(rating)}" for spot, rating in card.gloves.items() if spot not in spots]
    more = f"; also {', '.join(others)}" if others else ""
    return f"{', '.join(position_note(card, spot) for spot in spots)}{more}"


def position_note(card: Batter, spot: str) -> str:
    """Return what a fielder is worth at one position (CL-130)."""
    if spot in card.gloves:
        return f"{spot} {signed(card.gloves[spot])}"
    return f"{spot} {signed(OUT_OF_POSITION)}, not on the card"


def pitching_note(card: Pitcher, role: str, owes: int) -> str:
    """Return what a pitcher brings in a role, and whether he is rested; `owes` are the games he still has to rest."""
    rested = f"owes {owes} game{'' if owes == 1 else 's'} of rest: tired" if owes else "fresh"
    innings = card.innings.get(role, 0)
    more = _handedness(card.left, card.right, "batters")
    length = f"{role}, {innings} inning{'' if innings == 1 else 's'}"
    return f"throws {HANDS[card.hand]}, Command {card.command}{more}; {length}; {rested}"


def _gloves(card: Batter) -> str:
    """Return where a batter can play, and how well: "LF +2, CF −1"."""
    fields = [f"{spot} {signed(rating)}" for spot, rating in card.gloves.items()]
    return ", ".join(fields) or DH


def _handedness(left: int, right: int, whom: str) -> str:
    """Return what handedness brings: ", +2 against left-handed pitchers"."""
    sides = [f"+{more} against {hand}-handed {whom}" for more, hand in ((left, "left"), (right, "right")) if more]
    return f", {spoken(sides)}" if sides else ""
