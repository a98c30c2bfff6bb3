"""The situation in each window, in one sentence for everybody."""

from __future__ import annotations

from engine.games.clutch.cards.baseball_terms import BASE_NAMES, RESULT_NAMES
from engine.games.clutch.cards.card_text import effects_text
from engine.games.clutch.numbers import bunt_numbers, pitch_numbers, swing_numbers, throw_numbers
from engine.games.clutch.numbers.modifiers import die_with_cards, number_with_cards
from engine.games.clutch.state import State, ThrowOrCheck
from engine.text.agreement import name_with_verb


def situation_text(s: State, window: str, tags: frozenset[str] = frozenset()) -> str:
    """Describe the situation in a window with these tags. `window` is a key of `effects.WINDOW_TAGS` except "chart"."""
    at = s.at
    match window:
        case "game":
            return "The game begins."
        case "half":
            return f"{name_with_verb(s.team_name(s.offense), 'comes/come')} to bat."
        case "at-bat":
            return f"{s.batter_card.name} comes up against {s.pitcher_card.name}."
        case "steal" | "try":
            return f"{at.tries}."
        case "bunt":
            return f"{s.batter_card.name} is about to bunt."
        case "before-pitch":
            pitch = pitch_numbers.pitch_need(s, die_with_cards(s, "pitch"))
            return f"{s.pitcher_card.name} is about to pitch: {pitch.need}. {pitch.made}."
        case "pitch-roll":
            face = at.pitch_natural or 0
            on_base = pitch_numbers.current_on_base(s)
            judged = pitch_numbers.pitch_evaluator(s, pitch_numbers.current_command(s), on_base)(face)
            name = s.batter_card.name if judged.advantage == "batter" else s.pitcher_card.name
            against = pitch_numbers.on_base_text(s, on_base)
            return f"The pitch roll is {face}: Pitch {judged.pitch} against On-Base {against}, advantage {name}."
        case "advantage":
            name = s.batter_card.name if at.advantage == "batter" else s.pitcher_card.name
            mistake = "A mistake pitch. " if at.mistake else ""
            against = pitch_numbers.on_base_text(s, at.on_base or 0)
            return f"{mistake}Pitch {at.pitch} against On-Base {against}: {name} has the advantage."
        case "swing-roll":
            face = at.swing_natural or 0
            card = s.batter_card if swing_numbers.chart_owner(s) == "batter" else s.pitcher_card
            swing = swing_numbers.swing_by_face(s)(face)
            made = f", Swing {swing}" if swing != face else ""
            return f"The swing roll is {face}{made}: {RESULT_NAMES[card.chart[swing]]} on {card.name}'s chart."
        case "result":
            return f"{s.batter_card.name}'s result is {RESULT_NAMES[at.result]}."
        case "bunt-roll":
            roll = number_with_cards(s, "bunt_roll", at.bunt or 0)
            return f"The bunt roll is {roll} against {bunt_numbers.bunt_target(s)}."
        case "after" if at.stolen and not at.outcome and at.pitch_natural is None:
            return f"The steal is over, and {s.batter_card.name} is still up."
        case "after":
            code = at.outcome or at.result
            return f"{s.batter_card.name}: {RESULT_NAMES[code]}." if code in RESULT_NAMES else "The at-bat is over."
        case "end":
            return "The half-inning is over."
        case "card":
            one = at.played[-1]
            effect = effects_text(s.box.playable_card(one.kind, one.name).play)
            return f"{name_with_verb(s.team_name(one.side), 'plays/play')} {one.name}{f': {effect}' if effect else ''}."
        case "enter":
            if "pitcher" in tags:
                return f"{s.pitcher_card.name} comes in to pitch."
            return f"{s.batter_card.name} bats now." if "pinch-hitter" in tags else "A new player comes in."
    return _throw_situation_text(s, s.current_throw, window)


def _throw_situation_text(s: State, throw: ThrowOrCheck, window: str) -> str:
    at = f"at {throw.runner}, going for {BASE_NAMES[throw.base - 1]}"
    match window:
        case "throw" | "check":
            need = throw_numbers.throw_need(s)
            called = f"A throw {at}" if window == "throw" else f"A check of the {throw.unit}"
            return f"{called}: {need.need}. {need.made}."
        case "throw-result" | "check-result":
            result = throw_result_text(throw)
            return f"{result if window == 'throw-result' else f'T{result[1:]}'}, {throw.total} against {throw.against}."
    face = throw.natural or 0
    rolled = number_with_cards(
        s, throw.roll_kind, throw_numbers.fielding_rating(s) + number_with_cards(s, f"{throw.roll_kind}_roll", face)
    )
    if window == "throw-roll":
        against, out = throw_numbers.required_text(s), rolled > throw_numbers.runner_speed(s)
        return f"The throw roll {at}, is {face}: {rolled} against speed {against}, {'out' if out else 'safe'}."
    least = throw_numbers.check_target(s)
    return f"The check roll is {face}: {rolled} against {least}, {'made' if rolled >= least else 'not made'}."


def throw_result_text(throw: ThrowOrCheck) -> str:
    """Return the result of a throw or check as a sentence without its end."""
    if throw.kind == "check":
        return f"the check of the {throw.unit} is {'made' if throw.made else 'not made'}"
    return f"{throw.runner} is {'out' if throw.made else 'safe'} at {BASE_NAMES[throw.base - 1]}"
