"""The situation as a listener knows it, and the sentences that say it.

Every sentence gives a whole fact, never a change of one: "Two out.", "Runners on first and third.", "Owls lead, 3 to
2." A listener who missed some of them is right again after the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.clock import Clock, Half, Outcome
from engine.events import spoken, varied
from engine.scoreboard import Scoreboard
from engine.seats import SEATS, Seat

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
ORDINALS = (
    *("zeroth", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"),
    *("eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth"),
)
BASES = ("first", "second", "third")


@dataclass(frozen=True, slots=True)
class Situation:
    """What matters of a scoreboard to a listener; pairs are (away, home).

    `bases` tells which of the three are taken, `stake` are runs scored but not yet counted. `batting` is None while
    nobody is at bat, as before a game.
    """

    names: tuple[str, str] = ("", "")
    runs: tuple[int, int] = (0, 0)
    inning: int = 1
    half: Half = "top"
    batting: Seat | None = None
    outs: int = 0
    bases: tuple[bool, bool, bool] = (False, False, False)
    stake: int = 0
    count: tuple[int, int] = (0, 0)
    batter: str = ""
    outcome: Outcome | None = None

    @property
    def at(self) -> Clock:
        """The inning and its half."""
        return Clock(self.inning, self.half)

    def fresh(self) -> Situation:
        """Return this situation with nobody out and nobody on, as a half-inning begins."""
        return replace(self, outs=0, bases=(False, False, False), stake=0, count=(0, 0), batter="")


def situation(board: Scoreboard, outcome: Outcome | None = None) -> Situation:
    """Return the situation on a scoreboard. Reads nothing of its panel, where secrets are."""
    away, home = (board.sides[seat] for seat in SEATS)
    first, second, third = (runner is not None for runner in board.bases)
    return Situation(
        ("Visitors", "Home") if away.name == home.name else (away.name, home.name),
        (away.runs, home.runs),
        board.inning,
        board.half,
        board.batting,
        board.outs,
        (first, second, third),
        board.stake or 0,
        board.count or (0, 0),
        board.batter or "",
        outcome,
    )


def number(many: int, noun: str = "") -> str:
    """Return a number in words up to twelve: "two", with a noun "two runs"."""
    word = NUMBERS[many] if 0 <= many < len(NUMBERS) else str(many)
    return f"{word} {noun if many == 1 else noun + 's'}" if noun else word


def ordinal(inning: int) -> str:
    """Return the name of an inning: "third"."""
    return ORDINALS[inning] if 0 <= inning < len(ORDINALS) else f"{inning}th"


def sentence(text: str) -> str:
    """Return a text that begins with a capital."""
    return text[:1].upper() + text[1:]


def verb(name: str, plain: str) -> str:
    """Return a verb to follow a team's name: "Owls lead", "Home leads"."""
    return plain if name[-1:] in ("s", "x") else f"{plain}s"


def score(now: Situation) -> str:
    """Return the score to follow "it's": "3 to 2, Owls", "tied at 3"; "no score" stands alone."""
    away, home = now.runs
    if away == home:
        return f"tied at {away}" if away else "no score"
    return f"{max(now.runs)} to {min(now.runs)}, {now.names[home > away]}"


def its_score(now: Situation) -> str:
    """Return the score as a clause: "it's 3 to 2, Owls", "no score"."""
    return f"it's {score(now)}" if any(now.runs) else score(now)


def score_sentence(now: Situation, n: int) -> str:
    """Return the score as a sentence; `n` chooses among its wordings."""
    away, home = now.runs
    if away == home:
        return sentence(its_score(now)) + "."
    name = now.names[home > away]
    leads = f"{name} {verb(name, 'lead')}, {max(now.runs)} to {min(now.runs)}."
    return varied((leads, f"It's {score(now)}."), n, "score")


def outs(now: Situation, n: int) -> str:
    """Return the outs as a sentence; `n` chooses among its wordings."""
    many = number(now.outs).capitalize()
    if now.outs == 0:
        return "Nobody out."
    ways = (f"{many} out.", f"{many} down.", f"{many} away.") if now.outs < 3 else (f"{many} out.",)
    return varied(ways, n, "outs")


def on_base(now: Situation, n: int) -> str:
    """Return the runners as a sentence; `n` chooses among its wordings."""
    taken = [base for base, there in zip(BASES, now.bases, strict=True) if there]
    if len(taken) == len(BASES):
        return "Bases loaded."
    if not taken:
        return varied(("Nobody on.", "Bases empty."), n, "bases")
    who = "Runner" if len(taken) == 1 else "Runners"
    return varied((f"{who} on {spoken(taken)}.", f"{who} at {spoken(taken)}."), n, "bases")


def at_stake(now: Situation) -> str:
    """Return the runs that do not count yet as a sentence."""
    return f"{number(now.stake, 'run').capitalize()} at stake."


def count(now: Situation) -> list[str]:
    """Return balls and strikes as a sentence, unless there are none."""
    balls, strikes = now.count
    return [f"{balls} and {strikes}."] if any(now.count) else []


def differences(heard: Situation, now: Situation, n: int) -> list[str]:
    """Return the sentences about runs at stake, count, outs and bases that differ from what a listener has heard.

    With three out the runners do not matter any more.
    """
    runners = now.outs < 3 and (now.bases != heard.bases or heard.outs >= 3)
    return [
        *([at_stake(now)] if now.stake != heard.stake else []),
        *(count(now) if now.count != heard.count else []),
        *([outs(now, n)] if now.outs != heard.outs else []),
        *([on_base(now, n)] if runners else []),
    ]


def whole(now: Situation, n: int = 0) -> str:
    """Return the whole situation in a few sentences, for somebody who has heard nothing, or something wrong."""
    if now.outcome:
        return final(now)
    if now.batting is None:
        return score_sentence(now, n) if any(now.runs) else ""
    batting = now.names[SEATS.index(now.batting)]
    half = f"{now.half.capitalize()} of the {ordinal(now.inning)}, {batting} batting."
    stake = [at_stake(now)] if now.stake else []
    rest = [*stake, outs(now, n), on_base(now, n), *at_bat(now, n), *count(now)]
    return " ".join([half, score_sentence(now, n), *rest])


def at_bat(now: Situation, n: int) -> list[str]:
    """Return who is up, as a sentence, if the game names its batters."""
    ways = (f"{now.batter} is up.", f"{now.batter} at bat.", f"Here's {now.batter}.")
    return [varied(ways, n, "batter")] if now.batter else []


def half_over(before: Clock) -> str:
    """Return that a half-inning is over: "Middle of the third"."""
    return f"{'Middle' if before.half == 'top' else 'End'} of the {ordinal(before.inning)}"


def final(now: Situation) -> str:
    """Return how the game ended, in a sentence or two: the score, and what the score alone does not say."""
    assert now.outcome is not None
    sides: Sequence[tuple[str, int]] = list(zip(now.names, now.runs, strict=True))
    (first, most), (second, least) = sorted(sides, key=lambda side: -side[1])
    told = f"Final: {first} {most}, {second} {least}."
    plain = now.outcome.sentence in (f"{first} win {most} to {least}.", f"{first} wins {most} to {least}.")
    return told if plain else f"{told} {now.outcome.sentence}"
