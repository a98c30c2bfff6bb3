"""One call: the words after one answer, from its events and the situations before and after it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from engine.announcer.situation import (
    Situation,
    at_bat,
    differences,
    final,
    half_over,
    its_score,
    number,
    ordinal,
    score_sentence,
    sentence,
    verb,
    whole,
)
from engine.events import Event, Words, varied
from engine.seats import SEATS

Mark = Literal["hit", "runs", "half", "final", "back"]
"""What a call is about: a base hit; runs, also those at stake; a half-inning that begins or ends; the end of the game;
an answer taken back or corrected.
"""


@dataclass(frozen=True, slots=True)
class Call:
    """The words after one answer.

    `place` is that of the entry in the journal that caused it, -1 for what happened before the first answer: a journal
    only grows, so a place always names the same call. `n` is the number of the answer, `now` the whole situation after
    it, for somebody who asks.
    """

    place: int
    n: int
    text: str
    marks: tuple[Mark, ...]
    now: str


def played(place: int, n: int, before: Situation, now: Situation, events: Sequence[Event], words: Words) -> Call | None:
    """Return the call of answer `n`, or None if there is nothing to say."""
    said, marks = plays(n, events, words, now), list[Mark]()
    heard = before
    if any(event.facts.get("opens") for event in events):
        said.append("Play ball!")
        heard = Situation(now.names)
    elif renamed(before, now):
        heard = replace(before, names=now.names)
    begins = any(event.code == "half-inning" for event in events) and now.outcome is None
    ended = heard.batting is not None and now.outcome is None and now.at == heard.at.next()
    if any(event.facts.get("hit") for event in events):
        marks.append("hit")
    if now.runs != heard.runs:
        told = {event.code for event in events} & words.announced.tell_runs
        said += run_sentences(n, heard, now, told, brief=begins or now.outcome is not None)
        marks.append("runs")
    elif now.stake > heard.stake:
        marks.append("runs")
    if ended or begins:
        said.append(change_of_sides(heard, now, ended, begins))
        marks.append("half")
        heard = heard.fresh()
    if now.outcome and not before.outcome:
        said.append(final(now))
        marks.append("final")
    elif not now.outcome:
        said += differences(heard, now, n)
        if now.batter != heard.batter and now.outs < 3 and now.batter not in " ".join(said):
            said += at_bat(now, n)
    text = " ".join(said)
    return Call(place, n, text, tuple(marks), whole(now, n)) if text else None


def renamed(before: Situation, now: Situation) -> bool:
    """True if the teams have other names now, as when they are chosen."""
    return before.names != now.names


def plays(n: int, events: Sequence[Event], words: Words, now: Situation) -> list[str]:
    """Return the sentences of the events that are announced. Half-innings and the end of a game are said apart."""
    announced = words.announced
    left = announced.endings | {"half-inning"} if now.outcome else {"half-inning"}
    said = {text: event.code for event in events if event.code not in left and (text := words.announce(event, n))}
    loud = [text for text, code in said.items() if code not in announced.alone]
    return [sentence(text) for text in loud or said]


def run_sentences(n: int, heard: Situation, now: Situation, told: Collection[str], brief: bool) -> list[str]:
    """Return how many runs scored, unless one of the `told` events says so, and the score, unless `brief`."""
    said = list[str]()
    gained = [new - old for old, new in zip(heard.runs, now.runs, strict=True)]
    if not told and min(gained) == 0:
        runs, one = number(sum(gained), "run").capitalize(), sum(gained) == 1
        said.append(
            varied((f"{runs} {'scores' if one else 'score'}.", f"{runs} {'is' if one else 'are'} in."), n, "runs")
        )
    if walked_off(heard, now):
        said.append("A walk-off win!")
    if not brief:
        said.append(score_sentence(now, n))
    return said


def walked_off(heard: Situation, now: Situation) -> bool:
    """True if the home team has just taken the lead and with it won the game."""
    (_, was), (away, home) = heard.runs, now.runs
    won = now.outcome is not None and now.outcome.winner == "home"
    return won and heard.batting == "home" and was <= away < home


def change_of_sides(heard: Situation, now: Situation, ended: bool, begins: bool) -> str:
    """Return that a half-inning has ended, that another begins, or both, with the score."""
    at = sentence(half_over(heard.at) if ended else f"{now.half} of the {ordinal(now.inning)}")
    if not begins:
        return f"{at}; {its_score(now)}."
    batting = now.names[SEATS.index(now.batting or now.at.batting)]
    return f"{at}. {batting} {verb(batting, 'bat')}; {its_score(now)}."


def taken_back(place: int, n: int, now: Situation) -> Call:
    """Return the call of answers taken back from number `n` on."""
    situation = whole(now, n)
    return Call(place, n, f"Taken back. {situation}".rstrip(), ("back",), situation)


def corrected(place: int, n: int, now: Situation, events: Sequence[Event], words: Words) -> Call:
    """Return the call of a correction of answer `n`, with its new `events`."""
    said, situation = " ".join(plays(n, events, words, now)), whole(now, n)
    return Call(place, n, f"Corrected: {said} {situation}" if said else f"Corrected. {situation}", ("back",), situation)
