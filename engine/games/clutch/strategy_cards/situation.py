"""How things stand in each window, in one sentence for everybody."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engine.games.clutch.cards.baseball_terms import BASE_NAMES, RESULT_NAMES
from engine.games.clutch.cards.card_text import effects_text
from engine.games.clutch.numbers import pitch_numbers, swing_numbers, throw_numbers
from engine.games.clutch.numbers.modifiers import die, number
from engine.games.clutch.state import State, Throw


def situation(s: State, window: str) -> str:
    """Return how things stand in a window, a key of `SITUATIONS`."""
    return SITUATIONS[window](s)


def _before_pitch(s: State) -> str:
    pitch = pitch_numbers.needed(s, die(s, "pitch"))
    return f"{s.pitcher.name} is about to pitch: {pitch.need}. {pitch.made}."


def _pitch_roll(s: State) -> str:
    command, on_base = pitch_numbers.command(s), pitch_numbers.on_base(s)
    face = s.at.pitch_natural or 0
    pitch = number(s, "pitch", number(s, "pitch_roll", face) + command + s.at.pitch_bonus)
    return f"The pitch roll is {face}: Pitch {pitch} against On-Base {on_base}."


def _advantage(s: State) -> str:
    name = s.batter.name if s.at.advantage == "batter" else s.pitcher.name
    mistake = "A mistake pitch. " if s.at.mistake else ""
    return f"{mistake}Pitch {s.at.pitch} against On-Base {s.at.on_base}: {name} has the advantage."


def _swing_roll(s: State) -> str:
    face = s.at.swing_natural or 0
    card = s.batter if swing_numbers.chart(s) == "batter" else s.pitcher
    swing = swing_numbers.total(s)(face)
    made = f", Swing {swing}" if swing != face else ""
    return f"The swing roll is {face}{made}: {RESULT_NAMES[card.chart[swing]]} on the chart of {card.name}."


def _throw(s: State) -> str:
    need = throw_numbers.needed(s)
    return f"A throw {_at(s)}: {need.need}. {need.made}."


def _throw_roll(s: State) -> str:
    assert s.throw is not None
    face = s.throw.natural or 0
    return f"The roll of the throw {_at(s)} is {face}: {_rolled(s, face)} to {throw_numbers.speed(s)}."


def _throw_result(s: State) -> str:
    assert s.throw is not None
    return f"{throw_result(s.throw)}, {s.throw.total} to {s.throw.against}."


def throw_result(throw: Throw) -> str:
    """Return what a settled throw or check came to, as a sentence without its end."""
    if throw.kind == "check":
        return f"the check of the {throw.unit} is {'made' if throw.made else 'not made'}"
    return f"{throw.runner} is {'out' if throw.made else 'safe'} at {BASE_NAMES[throw.base - 1]}"


def _at(s: State) -> str:
    assert s.throw is not None
    return f"at {s.throw.runner}, going for {BASE_NAMES[s.throw.base - 1]}"


def _rolled(s: State, face: int) -> int:
    assert s.throw is not None
    what = s.throw.what
    return number(s, what, throw_numbers.rating(s) + number(s, f"{what}_roll", face))


def _check(s: State) -> str:
    assert s.throw is not None
    need = throw_numbers.needed(s)
    return f"A check of the {s.throw.unit}: {need.need}. {need.made}."


def _check_roll(s: State) -> str:
    assert s.throw is not None
    face = s.throw.natural or 0
    return f"The check's roll is {face}: {_rolled(s, face)}, and {throw_numbers.target(s)} are wanted."


def _check_result(s: State) -> str:
    assert s.throw is not None
    return f"T{throw_result(s.throw)[1:]}, {s.throw.total} to {s.throw.against}."


def _after(s: State) -> str:
    code = s.at.outcome or s.at.result
    return f"{s.batter.name}: {RESULT_NAMES[code]}." if code in RESULT_NAMES else "The at-bat is over."


def _card(s: State) -> str:
    one = s.at.played[-1]
    effect = effects_text(s.box.card(one.kind, one.name).play)
    return f"{s.team(one.side)} play {one.name}{f': {effect}' if effect else ''}."


SITUATIONS: Mapping[str, Callable[[State], str]] = {
    "game": lambda s: "The game begins.",
    "half": lambda s: f"{s.team(s.offence)} come to bat.",
    "at-bat": lambda s: f"{s.batter.name} comes up against {s.pitcher.name}.",
    "steal": lambda s: "The runners go.",
    "bunt": lambda s: f"{s.batter.name} is about to bunt.",
    "before-pitch": _before_pitch,
    "pitch-roll": _pitch_roll,
    "advantage": _advantage,
    "swing-roll": _swing_roll,
    "result": lambda s: f"The result is {RESULT_NAMES[s.at.result]}.",
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
"""The sentence of each window."""
