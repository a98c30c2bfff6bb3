"""The situation as a listener knows it, and its sentences.

Every sentence is a complete fact, never a change of one: "Two out.", "Runners on first and third.", "Owls lead, 3 to
2." A listener who missed some of them is up to date after the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.events import select_wording, spoken_list
from engine.innings import Half, InningClock, Outcome
from engine.phrases import NUMBER_WORDS
from engine.scoreboard import Scoreboard
from engine.seats import SEATS, Seat
from engine.text.agreement import name_with_verb

SPOKEN_NUMBERS = ("no", *NUMBER_WORDS[1:])
"""Number words by number."""
SPOKEN_ORDINALS = (
    *("zeroth", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"),
    *("eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth"),
)
"""Ordinal words by number."""
BASE_NAMES = ("first", "second", "third")
"""The bases in order."""


@dataclass(frozen=True, slots=True)
class SpokenSituation:
    """The part of a scoreboard that matters to a listener. Pairs are (away, home).

    bases: whether first, second and third are occupied.
    stake: runs scored but not yet counted.
    batting: None while nobody is at bat, as before a game.
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
    def inning_clock(self) -> InningClock:
        return InningClock(self.inning, self.half)

    def at_half_start(self) -> SpokenSituation:
        return replace(self, outs=0, bases=(False, False, False), stake=0, count=(0, 0), batter="")


def scoreboard_situation(board: Scoreboard, outcome: Outcome | None = None) -> SpokenSituation:
    """Return the situation of a scoreboard. Reads nothing of its panel, which may hold secrets."""
    away, home = (board.sides[seat] for seat in SEATS)
    first, second, third = (runner is not None for runner in board.bases)
    return SpokenSituation(
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


def number_in_words(many: int, noun: str = "") -> str:
    """Return a number, in words up to twelve: "two", or with a noun "two runs"."""
    word = SPOKEN_NUMBERS[many] if 0 <= many < len(SPOKEN_NUMBERS) else str(many)
    return f"{word} {noun if many == 1 else noun + 's'}" if noun else word


def ordinal_in_words(inning: int) -> str:
    """Return the ordinal of an inning below 100: "third", "21st"."""
    if 0 <= inning < len(SPOKEN_ORDINALS):
        return SPOKEN_ORDINALS[inning]
    return f"{inning}{({1: 'st', 2: 'nd', 3: 'rd'}).get(inning % 10, 'th')}"


def capitalized_text(text: str) -> str:
    return text[:1].upper() + text[1:]


def score_phrase(now: SpokenSituation) -> str:
    """Return the score to follow "it's": "3 to 2, Owls" or "tied at 3". "no score" is used alone."""
    away, home = now.runs
    if away == home:
        return f"tied at {away}" if away else "no score"
    return f"{max(now.runs)} to {min(now.runs)}, {now.names[home > away]}"


def score_clause(now: SpokenSituation) -> str:
    """Return the score as a clause: "it's 3 to 2, Owls", "no score"."""
    return f"it's {score_phrase(now)}" if any(now.runs) else score_phrase(now)


def score_sentence(now: SpokenSituation, n: int) -> str:
    """Return the score as a sentence. `n` selects the wording."""
    away, home = now.runs
    if away == home:
        return capitalized_text(score_clause(now)) + "."
    name = now.names[home > away]
    leads = f"{name_with_verb(name, 'leads/lead')}, {max(now.runs)} to {min(now.runs)}."
    return select_wording((leads, f"It's {score_phrase(now)}."), n, "score")


def outs_sentence(now: SpokenSituation, n: int) -> str:
    many = number_in_words(now.outs).capitalize()
    if now.outs == 0:
        return "Nobody out."
    ways = (f"{many} out.", f"{many} down.", f"{many} away.") if now.outs < 3 else (f"{many} out.",)
    return select_wording(ways, n, "outs")


def runners_sentence(now: SpokenSituation, n: int) -> str:
    taken = [base for base, there in zip(BASE_NAMES, now.bases, strict=True) if there]
    if len(taken) == len(BASE_NAMES):
        return "Bases loaded."
    if not taken:
        return select_wording(("Nobody on.", "Bases empty."), n, "bases")
    who = "Runner" if len(taken) == 1 else "Runners"
    return select_wording((f"{who} on {spoken_list(taken)}.", f"{who} at {spoken_list(taken)}."), n, "bases")


def stake_sentence(now: SpokenSituation) -> str:
    return f"{number_in_words(now.stake, 'run').capitalize()} at stake."


def count_sentences(now: SpokenSituation) -> list[str]:
    balls, strikes = now.count
    return [f"{balls} and {strikes}."] if any(now.count) else []


def change_sentences(heard: SpokenSituation, now: SpokenSituation, n: int) -> list[str]:
    """Return the sentences on facts that differ from those heard before. After three outs it omits runners."""
    runners = now.outs < 3 and (now.bases != heard.bases or heard.outs >= 3)
    return [
        *([stake_sentence(now)] if now.stake != heard.stake else []),
        *(count_sentences(now) if now.count != heard.count else []),
        *([outs_sentence(now, n)] if now.outs != heard.outs else []),
        *([runners_sentence(now, n)] if runners else []),
    ]


def situation_summary(now: SpokenSituation, n: int = 0) -> str:
    """Return the complete situation in a few sentences, for somebody who has heard nothing or something wrong."""
    if now.outcome:
        return final_sentences(now)
    if now.batting is None:
        return score_sentence(now, n) if any(now.runs) else ""
    batting = now.names[SEATS.index(now.batting)]
    half = f"{now.half.capitalize()} of the {ordinal_in_words(now.inning)}, {batting} batting."
    stake = [stake_sentence(now)] if now.stake else []
    rest = [*stake, outs_sentence(now, n), runners_sentence(now, n), *batter_sentences(now, n), *count_sentences(now)]
    return " ".join([half, score_sentence(now, n), *rest])


def batter_sentences(now: SpokenSituation, n: int) -> list[str]:
    ways = (f"{now.batter} is up.", f"{now.batter} at bat.", f"Here's {now.batter}.")
    return [select_wording(ways, n, "batter")] if now.batter else []


def half_end_phrase(before: InningClock) -> str:
    """Return the end of a half-inning: "Middle of the third"."""
    return f"{'Middle' if before.half == 'top' else 'End'} of the {ordinal_in_words(before.inning)}"


def final_sentences(now: SpokenSituation) -> str:
    """Return the final score, and a second sentence for how the game ended if the score alone does not say it."""
    assert now.outcome is not None
    sides: Sequence[tuple[str, int]] = list(zip(now.names, now.runs, strict=True))
    (first, most), (second, least) = sorted(sides, key=lambda side: -side[1])
    told = f"Final: {first} {most}, {second} {least}."
    plain = now.outcome.sentence == f"{name_with_verb(first, 'wins/win')} {most} to {least}."
    return told if plain else f"{told} {now.outcome.sentence}"
