"""What cards say and how things stand, in plain words: for who holds a hand, and for who is asked to play a card."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from engine.games.clutch.at_bat import required_rolls
from engine.games.clutch.cards.card_types import Coach, Stadium, Strategy, Weather
from engine.games.clutch.cards.effects import Condition, Cost, Effect, Play, Trigger
from engine.games.clutch.records.runner_sentences import BASES, CALLED, FIELDERS
from engine.games.clutch.state import State, Throw
from engine.games.clutch.strategy_cards.modifiers import die, number

LONG: Mapping[str, str] = {"br": "Baserunning", "st": "Stealing"}
"""What is typed in short."""

_SHORT = re.compile(rf"\b(?:{'|'.join(LONG)})\b")
_MINUS = re.compile(r"(?<=\s)-(?=\s?\w)")

_PLAIN = "|".join(code for code in CALLED if code not in FIELDERS)
_RESULT = re.compile(rf"\b(?:an? )?(?<!has )(?:({_PLAIN})|([123]B)(?! check| throw| defense|\+))\b")
_HITS = re.compile(r"\b(?:change|chart|result|on|after)\b")
"""Where 1B, 2B and 3B are hits, and no positions."""

_SPOT = re.compile(rf"\b(?:{'|'.join(FIELDERS)})\b")
_JOINED = re.compile(r"(?<=\w)\+(?=[A-Z1-3])")


# What a card says ----------------------------------------------------------------------------------------------------


def does(play: Play) -> str:
    """What a card does, as it was typed in: "swing +2, draw 1"; "" of a blank one."""
    return _listed(play.do)


def _listed(phrases: Sequence[Effect | Condition | Cost | Trigger], between: str = ", ") -> str:
    return between.join(worded(one.text) for one in phrases)


def worded(phrase: str) -> str:
    """A phrase in words, where it was typed in short: "change a ground ball to a single", "shortstop defense −1"."""
    hits = _HITS.search(phrase)
    said = _RESULT.sub(lambda code: CALLED[code[1] or code[2]] if code[1] or hits else code[0], phrase)
    said = _SPOT.sub(lambda code: FIELDERS[code[0]], _JOINED.sub(" and ", said))
    return _MINUS.sub("−", _SHORT.sub(lambda word: LONG[word[0]], said))


def offered(card: Strategy | Coach) -> str:
    """A card that can be played now: what it does, what that costs, and what may follow."""
    if isinstance(card, Strategy) and card.blank:
        return "You say what it does, as the card has it."
    return _sentences(_deeds(card.play))


def told(card: Strategy | Coach) -> str:
    """A card as its owner reads it in his hand: what it does, and when it may be played."""
    if isinstance(card, Strategy) and card.blank:
        return "You say what it does, as the card has it."
    play, side = card.play, ""
    if isinstance(card, Strategy):
        side = {"offense": "at bat", "defense": "in the field"}.get(card.side, "")
    when = [side, _listed(play.when, " or ")]
    told = [*_deeds(play), f"Played {', '.join(filter(None, when))}" if any(when) else ""]
    told += [f"If {_listed(play.conditions, ' and ')}" if play.conditions else ""]
    return _sentences([*told, "In a Clutch Moment only" if play.clutch else ""])


def lying(card: Strategy | Coach) -> str:
    """A card in play, as it lies open: what it does, and until when; "" of a blank one, which says nothing itself."""
    play = card.play
    return _sentences([*_effects(play), f"Until {_listed(play.until, ' or ')}" if play.until else ""])


def ruled(card: Stadium | Weather) -> str:
    """A stadium or the weather, all of it: when, if, what it does and how long, and for whom its bonuses are."""
    play = card.main if isinstance(card, Stadium) else card.play
    parts = [_listed(play.when, " or "), f"if {_listed(play.conditions, ' and ')}" if play.conditions else ""]
    when = ", ".join(filter(None, parts))
    told = [when[:1].upper() + when[1:], *_deeds(play), "In a Clutch Moment only" if play.clutch else ""]
    bonuses = (card.defensive, card.offensive) if isinstance(card, Stadium) else ()
    for bonus in filter(None, bonuses):
        whom = f", for whoever {_listed(bonus.conditions, ' and ')}" if bonus.conditions else ""
        told.append(f"{_listed(bonus.do)}{whom}")
    return _sentences(told)


def _deeds(play: Play) -> list[str]:
    """What a card does, how long, what comes of it, where it stays, and what it costs."""
    stays = f"It stays {'in play' if play.leave == 'play' else f'on the {play.leave}'}" if play.leave else ""
    return [
        *_effects(play),
        f"{stays} until {_listed(play.until, ' or ')}" if play.until else stays,
        f"It costs: {_listed(play.cost)}" if play.cost else "",
    ]


def _effects(play: Play) -> list[str]:
    """What a card does, how long, and what comes of it."""
    long = "" if play.lasts.text in ("this at-bat", "while it stays in play") else play.lasts.text
    return [
        ", ".join(filter(None, (does(play), long))),
        f"If that succeeds: {_listed(play.success)}" if play.success else "",
        f"If it fails: {_listed(play.failure)}" if play.failure else "",
    ]


def _sentences(parts: list[str]) -> str:
    return " ".join(f"{part[:1].upper()}{part[1:]}." for part in parts if part)


# How things stand as a card may be played ----------------------------------------------------------------------------


def now(s: State, window: str) -> str:
    """How things stand in a window, in one sentence that everybody may hear."""
    return STANDS[window](s)


def _pitching(s: State) -> tuple[int, int]:
    """Command and On-Base as they are now."""
    from engine.games.clutch.at_bat.at_bat import command, on_base

    return command(s), on_base(s)


def _before_pitch(s: State) -> str:
    from engine.games.clutch.at_bat.at_bat import pitching

    pitch = pitching(s, die(s, "pitch"))
    return f"{s.pitcher.name} is about to pitch: {pitch['need']}. {pitch['made']}."


def _pitch_roll(s: State) -> str:
    command, on_base = _pitching(s)
    face = s.at.pitch_natural or 0
    pitch = number(s, "pitch", number(s, "pitch_roll", face) + command + s.at.pitch_bonus)
    return f"The pitch roll is {face}: Pitch {pitch} against On-Base {on_base}."


def _advantage(s: State) -> str:
    name = s.batter.name if s.at.advantage == "batter" else s.pitcher.name
    mistake = "A mistake pitch. " if s.at.mistake else ""
    return f"{mistake}Pitch {s.at.pitch} against On-Base {s.at.on_base}: {name} has the advantage."


def _swing_roll(s: State) -> str:
    face, of = s.at.swing_natural or 0, required_rolls.chart(s)
    chart = s.batter.chart if of == "batter" else s.pitcher.chart
    swing = required_rolls.swung(s)(face)
    name = s.batter.name if of == "batter" else s.pitcher.name
    made = f", Swing {swing}" if swing != face else ""
    return f"The swing roll is {face}{made}: {CALLED[chart[swing]]} on the chart of {name}."


def _throw(s: State) -> str:
    from engine.games.clutch.running.throws import needed

    need = needed(s)
    return f"A throw {_at(s)}: {need['need']}. {need['made']}."


def _throw_roll(s: State) -> str:
    from engine.games.clutch.running.throws import rating, speed

    assert s.throw is not None
    face = s.throw.natural or 0
    return f"The roll of the throw {_at(s)} is {face}: {_thrown(s, 'throw', rating(s), face)} to {speed(s)}."


def _throw_result(s: State) -> str:
    assert s.throw is not None
    return f"{called(s.throw)}, {s.throw.total} to {s.throw.against}."


def called(throw: Throw) -> str:
    """What a throw or a check came out as, without its end."""
    if throw.kind == "check":
        return f"the check of the {throw.unit} is {'made' if throw.made else 'not made'}"
    return f"{throw.runner} is {'out' if throw.made else 'safe'} at {BASES[throw.base - 1]}"


def _at(s: State) -> str:
    assert s.throw is not None
    return f"at {s.throw.runner}, going for {BASES[s.throw.base - 1]}"


def _thrown(s: State, what: str, rating: int, face: int) -> int:
    return number(s, what, rating + number(s, f"{what}_roll", face))


def _check(s: State) -> str:
    from engine.games.clutch.running.throws import needed

    assert s.throw is not None
    need = needed(s)
    return f"A check of the {s.throw.unit}: {need['need']}. {need['made']}."


def _check_roll(s: State) -> str:
    from engine.games.clutch.running.throws import rating, target

    assert s.throw is not None
    face = s.throw.natural or 0
    return f"The check's roll is {face}: {_thrown(s, 'check', rating(s), face)}, and {target(s)} are wanted."


def _check_result(s: State) -> str:
    assert s.throw is not None
    return f"T{called(s.throw)[1:]}, {s.throw.total} to {s.throw.against}."


def _after(s: State) -> str:
    code = s.at.outcome or s.at.result
    return f"{s.batter.name}: {CALLED[code]}." if code in CALLED else "The at-bat is over."


def _card(s: State) -> str:
    one = s.at.played[-1]
    card = s.box.coaches[one.name] if one.kind == "coach" else s.box.strategies[one.name]
    effect = does(card.play)
    return f"{s.team(one.side)} play {one.name}{f': {effect}' if effect else ''}."


STANDS: Mapping[str, Callable[[State], str]] = {
    "game": lambda s: "The game begins.",
    "half": lambda s: f"{s.team(s.offence)} come to bat.",
    "at-bat": lambda s: f"{s.batter.name} comes up against {s.pitcher.name}.",
    "steal": lambda s: "The runners go.",
    "bunt": lambda s: f"{s.batter.name} is about to bunt.",
    "before-pitch": _before_pitch,
    "pitch-roll": _pitch_roll,
    "advantage": _advantage,
    "swing-roll": _swing_roll,
    "result": lambda s: f"The result is {CALLED[s.at.result]}.",
    "try": lambda s: "Runners try for one base more.",
    "throw": _throw,
    "throw-roll": _throw_roll,
    "throw-result": _throw_result,
    "check": _check,
    "check-roll": _check_roll,
    "check-result": _check_result,
    "bunt-roll": lambda s: f"The bunt roll is {s.at.bunt}.",
    "after": _after,
    "end": lambda s: "The half-inning is over.",
    "card": _card,
    "enter": lambda s: "Somebody comes in.",
}
"""How it stands, by window."""
