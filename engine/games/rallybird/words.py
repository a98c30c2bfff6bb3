"""The sentences of RallyBird: asks, choices, events, results and cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.diamond import Bases
from engine.events import Words, spoken
from engine.games.rallybird.announcements import ANNOUNCED
from engine.games.rallybird.cards import AtBat
from engine.games.rallybird.results import ALL, NAMES, OUT, Result, Who
from engine.games.rallybird.state import State, value
from engine.seats import Seat

TEAMS: dict[Seat, str] = {"away": "Visitors", "home": "Home"}

WORDS = Words(
    usual={"visitors": TEAMS["away"], "hosts": TEAMS["home"]},
    asks={
        "visitor": "Who is the visitor and bats first? Agree and change chairs, or let a die decide.",
        "visitor-die": "The one in the visitor's chair rolls a die: odd and you stay, even and you change chairs.",
        "removed": "Draw a card at random: it sits out this half-inning, and only you see it.",
        "set-aside": "Draw a real card at random, look at it alone, and set it aside face down for this half-inning.",
        "leave-out": "{first}Which of the two Gloves with a baseball do you leave out for this half-inning?",
        "at-bat": "Choose the card for this at-bat. Nobody else sees it until the Gloves are down.",
        "laid": "Lay a card face down for this at-bat; then Defense places its Gloves.",
        "gloves": "{down} lay {many} on the zones, at most one on each: the dice must beat those that it tests.",
        "shown": "Once your card and the Gloves are down, turn the card over. Which is it? Not in the list? It cannot "
        "be played now: undo, and lay another.",
        "tests": "Read {card}: which zone does it test? Say a zone again if it counts twice.",
        "hit": "{card} against {target}{first}. Roll both dice. Less: {less}. Equal: {equal}. More: {more}.",
        "hit-again": "{card} against {target}, the second roll. Less: {less}. Equal: {equal}. More: {more}.",
        "hit-blank": "{card} against {target}{first}. Roll both dice, then read the card.",
        "hit-blank-again": "{card} against {target}, the second roll. Roll both dice, then read the card.",
        "first-roll": "The dice show {compare}: read {card}. Is that good enough for the second roll?",
        "result": "The dice show {compare}: read {card}. What happens?",
        "rallybird": "{sum} against {target} has failed: {result}. Use the RallyBird and roll again? If that fails "
        "too, you lose the RallyBird.",
        "rallybird-anyway": "{sum} against {target} has succeeded already: {result}. Use the RallyBird all the same? "
        "Only the new roll counts, and if it fails you lose the RallyBird.",
        "flip": "Turn over one of the Gloves that {card} tested. Which? It stays so for this half-inning.",
        "remove": "Take away one of the Gloves that {card} tested, for this half-inning. Which?",
    },
    titles={
        "visitor": "Who is the visitor?",
        "visitor-die": "Odd: keep your seats",
        "removed": "One card sits out",
        "set-aside": "Set a card aside",
        "leave-out": "Glove to leave out",
        "at-bat": "Card for this at-bat",
        "laid": "Lay a card face down",
        "gloves": "Place your Gloves",
        "shown": "Which card is it?",
        "tests": "Which zone does it test?",
        "hit": "Beat {target}: {card}",
        "hit-again": "Beat {target} again",
        "hit-blank": "Two dice against {target}",
        "hit-blank-again": "Again, against {target}",
        "first-roll": "Is the first roll good?",
        "result": "Read the card: {compare}",
        "rallybird": "RallyBird: roll again?",
        "rallybird-anyway": "RallyBird all the same?",
        "flip": "Glove to turn over",
        "remove": "Glove to take away",
    },
    options={
        "agreed": "We have agreed",
        "die": "Let a die decide",
        "ready": "It is down",
        "enough": "No more zones",
        "good": "Yes, roll again",
        "bad": "No, it has failed",
        "keep": "Keep this roll",
        "reroll": "Roll again",
    },
    events={
        "stay-seated": "The die shows {face}: everybody stays seated.",
        "change-chairs": "The die shows {face}: change chairs.",
        "play-ball": "Play ball!",
        "half-inning": "Inning {inning}, {half}: {team} to bat.",
        "card-removed": "One card is out of this half-inning, face down; {left} can be played.",
        "glove-left-out": "The Glove {glove} is left out.",
        "card-laid": "{team} play a card face down.",
        "shown-blank": "It is {card}.",
        "shown": "{card} tests {tests}: {target} to beat.",
        "roll": "{sum} against {target}: {compare}.",
        "rallybird": "{team} use the RallyBird and roll again!",
        "rallybird-lost": "It did not help: the RallyBird is gone for {team}.",
        "single": "The batter is on first.",
        "double": "The batter is on second.",
        "triple": "The batter is on third.",
        "home-run": "The batter comes all the way home!",
        "walk": "The batter walks.",
        "fielders-choice": "The batter is safe at {base}.",
        "ground-out": "The batter is thrown out at first.",
        "double-play": "Double play!",
        "fly-out": "The ball is caught: the batter is out.",
        "batter-out": "The batter is out.",
        "runner-out": "The runner on {base} is out.",
        "runners-go": "Runners go on: {moves}.",
        "nothing-moves": "Nobody moves; the batter stays.",
        "scores": "{scored:run} in! {visitors} {away}, {hosts} {home}.",
        "flipped": "The Glove {glove} is turned over and shows {value}.",
        "removed": "The Glove {glove} is taken away.",
        "third-out": "Three outs. {visitors} {away}, {hosts} {home}.",
        "game-over": "{ending}",
    },
    announced=ANNOUNCED,
)

BATTERS = {
    "stays": "the batter stays at bat",
    "walk": "the batter walks",
    "ground": "the batter is thrown out at first",
    "air": "the batter's ball is caught",
    "other": "the batter is out",
}


def team(s: State, seat: Seat) -> str:
    """Return the name of a side."""
    return s.called(seat, TEAMS[seat])


def says(result: Result) -> str:
    """Return what a result does, in plain words."""
    moves = [_runner(who, by) for who, by in result.runners if by]
    reaches = "the batter comes home" if result.reach == 4 else f"the batter reaches {NAMES[result.reach - 1]}"
    if result.batter != "stays" or not moves:
        moves.insert(0, reaches if result.batter == "hit" else BATTERS[result.batter])
    sentence = spoken(moves)
    return f"{sentence}; without that runner {says(result.otherwise)}" if result.otherwise else sentence


def says_here(result: Result, bases: Bases[int]) -> str:
    """Return what a result does, without the runners who are not on base. Its alternative is left out."""
    there = (
        (who, by) for who, by in result.runners if (bases[who - 1] is not None if isinstance(who, int) else any(bases))
    )
    return says(replace(result, runners=tuple(there), otherwise=None))


def reads(card: AtBat, tests: Sequence[str]) -> str:
    """Return what a card that tests these zones says, in plain words."""
    twice = ", two rolls" if card.twice else ""
    results = [f"{compare.capitalize()}: {says(result)}." for compare, result in card.results.items()]
    return " ".join([f"Tests {spoken(tests)}{twice}.", *results])


def _runner(who: Who, by: int) -> str:
    several = who == ALL
    named = f"the runner on {NAMES[who - 1]}" if isinstance(who, int) else "runners" if several else "the lead runner"
    if by == OUT:
        return f"{named} is out"
    if by == 3 or (isinstance(who, int) and who + by >= 4):
        return f"{named} {'come' if several else 'comes'} home"
    return f"{named} {'go' if several else 'goes'} on {by} base{'s' if by > 1 else ''}"


def board_labels(s: State) -> dict[str, str]:
    """Return the labels of the Gloves, with the side that is up or will be, and of the zones."""
    sides = {name: "back" if name in s.backs else "front" for name in s.box.gloves}
    return {name: f"{name}, {side} up: {value(s, name)}" for name, side in sides.items()} | s.box.zone_labels


def doing(do: str, gloves: Sequence[str]) -> dict[str, str]:
    """Return labels that repeat the action, because the small display shows nothing beside them."""
    return {name: f"{do} {name}" for name in gloves}
