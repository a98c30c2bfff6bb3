"""The sentences of Bottom of the 9th: asks, choices, events and abilities."""

from __future__ import annotations

from engine.events import Words, spoken
from engine.games.bottom_of_the_9th.effects import Effect

RELIEFS = {
    f"relief-{direction}-{location}": " and ".join(
        f"{{{part}}} up {steps}" for part, steps in (("direction", direction), ("location", location)) if steps
    )
    for direction in range(4)
    for location in range(4 - direction)
    if direction + location
}
"""The labels of all ways to take relief, at most three steps together."""

WORDS = Words(
    asks={
        "lineup": "Who bats for home? Ready-made are {batters}.",
        **{f"bat-{place}": f"Pick who bats in place {place} of 6." for place in range(1, 7)},
        "starter": "Pick the starting pitcher.",
        "reliever": "Pick the reliever, who may come in later.",
        "guess": "What will {pitcher} throw {batter}? Guess direction and location.",
        "pitch-call": "What does {pitcher} throw {batter}? Choose direction and location.",
        "pitch": "Roll both white dice: {pitcher} throws to {batter}.",
        "swing": "Roll the red die: {batter} swings.",
        "bonus": "Crushed! Roll the red die again for {batter}.",
        "reroll": "{card}: roll the {which} die again.",
        "ability": "{card} {does}: use it now?",
        "blank": "Read the card of {card}: what does it do to this pitch?",
        "unopposed": "Roll one die for {card}, all alone: {needs} wins the race.",
        "call-safe": "Roll the red die over and over: on {needs}, call SAFE for {batter}.",
        "call-out": "Roll a white die over and over: on {needs}, call OUT on {batter}.",
        "race-roll": "Roll one die for {card}: {needs} wins, unless the other die wins too.",
        "relief": "What is done for {pitcher} before the next pitch?",
    },
    options={
        "ready-made": "These six",
        "pick": "Pick six",
        "inside-high": "Inside, high",
        "inside-low": "Inside, low",
        "away-high": "Away, high",
        "away-low": "Away, low",
        "use": "Use it",
        "keep": "Not now",
        "nothing": "Nothing",
        **RELIEFS,
        "none": "Leave it",
        "bench": "Bring in {reliever}",
    },
    events={
        "half-inning": "Bottom of the 9th, all even.",
        "lineup": "Home bats {batters}.",
        "pitchers": "{starter} pitches for the visitors; {reliever} is ready in the pen.",
        "guessed": "{pitcher} throws {pitch}, and {batter} saw it coming.",
        "half-guessed": "{pitcher} throws {pitch}; {batter} looked for {guess} and is half right.",
        "fooled": "{pitcher} throws {pitch}; {batter} looked for {guess} and is fooled.",
        "exhausted": "{pitcher} is too tired for another {part} pitch.",
        "ability": "{card} {does}.",
        "ball": "Ball: {swing} against {control}, a {letter}.",
        "strike": "Strike: {swing} against {control}, a {letter}.",
        "foul": "Foul: {swing} against {control}, a {letter}.",
        "contact": "Contact: {swing} against {control}, a {letter}!",
        "crush": "{batter} crushes it!",
        "contact-after-all": "It stays in the park.",
        "walk": "{batter} walks.",
        "strikeout": "{batter} strikes out: {outs:out}.",
        "single": "{batter} is safe at first.",
        "double": "{batter} doubles.",
        "triple": "{batter} triples.",
        "home-run": "{batter} hits it out of the park!",
        "thrown-out": "{batter} is thrown out: {outs:out}.",
        "unopposed": "{card} rolls alone: {face}.",
        "race": "{batter} runs, {pitcher} fields!",
        "relief": "{pitcher} gets a breather: {steps:step}.",
        "bench": "{benched} leaves the game; {pitcher} comes in.",
        "next-batter": "{batter} steps in.",
        "run-scores": "{runners} comes home!",
        "game-over": "{ending}",
    },
)

THINGS = {
    "control": "the control die",
    "swing": "the swing die",
    "pitch": "the pitching die",
    "B": "a B",
    "S": "an S",
    "C": "a C",
    "ball": "a ball",
    "strike": "a strike",
    "foul": "a foul",
    "contact": "contact",
    "crush": "a crush",
    "bonus": "the bonus",
    "1B": "a single",
    "2B": "a double",
    "3B": "a triple",
    "HR": "a home run",
    "direction": "direction",
    "location": "location",
    "both": "direction and location",
}
"""The names of what an ability can change."""

SLOTS = {slot: f"{slot} ability" for slot in ("direction", "location", "ace")} | {
    "mvp": "MVP ability",
    "trait": "trait",
}


def does(effect: Effect) -> str:
    """Return what an ability does, to follow the name of its card: "adds 1 to the swing die"."""
    value = effect.value
    by = abs(value) if isinstance(value, int) else 0
    more = by == value
    s = "" if by == 1 else "s"
    thing = THINGS.get(effect.what, "")
    match effect.verb:
        case "add":
            return f"adds {by} to {thing}" if more else f"takes {by} off {thing}"
        case "set":
            return f"makes {thing} a {value}"
        case "reroll":
            return f"has {thing} thrown again"
        case "letter" | "result":
            return f"turns {thing} into {THINGS[str(value)]}"
        case "bonus":
            return f"turns a bonus of {effect.what} into {THINGS[str(value)]}"
        case "count":
            return f"counts {by} more {effect.what}{s}"
        case "runners":
            return f"sends every runner on by {by} base{s}"
        case "race":
            wins = "wins the race" if effect.what == "race" else "lets the other side win the race only"
            return f"{wins} with {spoken(range(by, 7), 'or')}"
        case "cancel":
            return f"cancels the {SLOTS[effect.what]} of the other card"
        case "fatigue":
            return f"{'tires' if more else 'rests'} {thing} by {by} row{s}"
    return "rolls alone before the race"
