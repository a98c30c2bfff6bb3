"""One call: the text after one answer, built from its events and the situations before and after it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from engine.announcer.situation import (
    SpokenSituation,
    batter_sentences,
    capitalized_text,
    change_sentences,
    final_sentences,
    half_end_phrase,
    number_in_words,
    ordinal_in_words,
    score_clause,
    score_sentence,
    situation_summary,
)
from engine.events import Event, GameWords, select_wording
from engine.seats import SEATS
from engine.text.agreement import name_with_verb

AnnouncementMark = Literal["hit", "runs", "half", "final", "back"]
"""The subject of a call. "runs" includes those at stake, and "back" is an undo or a correction."""


@dataclass(frozen=True, slots=True)
class Announcement:
    """The call of one answer, number `n`. `now` is the complete situation after it, for somebody who asks.

    `place` is the journal index of its entry, -1 before the first answer. It identifies the call, as a journal only
    grows.
    """

    place: int
    n: int
    text: str
    marks: tuple[AnnouncementMark, ...]
    now: str


def answer_announcement(
    place: int, n: int, before: SpokenSituation, now: SpokenSituation, events: Sequence[Event], words: GameWords
) -> Announcement | None:
    """Return the call of answer `n`, or None if there is nothing to announce."""
    said, marks = play_sentences(n, events, words, now), list[AnnouncementMark]()
    heard = before
    if any(event.facts.get("opens") for event in events):
        said.append("Play ball!")
        heard = SpokenSituation(now.names)
    elif has_new_names(before, now):
        heard = replace(before, names=now.names)
    begins = any(event.code == "half-inning" for event in events) and now.outcome is None
    ended = heard.batting is not None and now.outcome is None and now.inning_clock == heard.inning_clock.next_half()
    if any(event.facts.get("hit") for event in events):
        marks.append("hit")
    if now.runs != heard.runs:
        told = {event.code for event in events} & words.announced.tell_runs
        said += run_sentences(n, heard, now, told, brief=begins or now.outcome is not None)
        marks.append("runs")
    elif now.stake > heard.stake:
        marks.append("runs")
    if ended or begins:
        said.append(side_change_sentence(heard, now, ended, begins))
        marks.append("half")
        heard = heard.at_half_start()
    if now.outcome and not before.outcome:
        said.append(final_sentences(now))
        marks.append("final")
    elif not now.outcome:
        said += change_sentences(heard, now, n)
        if now.batter != heard.batter and now.outs < 3 and now.batter not in " ".join(said):
            said += batter_sentences(now, n)
    text = " ".join(said)
    return Announcement(place, n, text, tuple(marks), situation_summary(now, n)) if text else None


def has_new_names(before: SpokenSituation, now: SpokenSituation) -> bool:
    return before.names != now.names


def play_sentences(n: int, events: Sequence[Event], words: GameWords, now: SpokenSituation) -> list[str]:
    """Return the announcements of the events, without those of half-innings and of the end of the game."""
    announced = words.announced
    left = announced.endings | {"half-inning"} if now.outcome else {"half-inning"}
    said = {
        text: event.code
        for event in events
        if event.code not in left and (text := words.announcement_sentence(event, n))
    }
    loud = [text for text, code in said.items() if code not in announced.alone]
    return [capitalized_text(text) for text in loud or said]


def run_sentences(
    n: int, heard: SpokenSituation, now: SpokenSituation, told: Collection[str], brief: bool
) -> list[str]:
    """Return the runs that scored, unless one of the `told` events says so, and the score, unless `brief`."""
    said = list[str]()
    gained = [new - old for old, new in zip(heard.runs, now.runs, strict=True)]
    if not told and min(gained) == 0:
        runs, one = number_in_words(sum(gained), "run").capitalize(), sum(gained) == 1
        said.append(
            select_wording(
                (f"{runs} {'scores' if one else 'score'}.", f"{runs} {'is' if one else 'are'} in."), n, "runs"
            )
        )
    if is_walk_off(heard, now):
        said.append("A walk-off win!")
    if not brief:
        said.append(score_sentence(now, n))
    return said


def is_walk_off(heard: SpokenSituation, now: SpokenSituation) -> bool:
    (_, was), (away, home) = heard.runs, now.runs
    won = now.outcome is not None and now.outcome.winner == "home"
    return won and heard.batting == "home" and was <= away < home


def side_change_sentence(heard: SpokenSituation, now: SpokenSituation, ended: bool, begins: bool) -> str:
    """Return the end of a half-inning, the beginning of another, or both, with the score."""
    at = capitalized_text(
        half_end_phrase(heard.inning_clock) if ended else f"{now.half} of the {ordinal_in_words(now.inning)}"
    )
    if not begins:
        return f"{at}; {score_clause(now)}."
    batting = now.names[SEATS.index(now.batting or now.inning_clock.batting_seat)]
    return f"{at}. {name_with_verb(batting, 'bats/bat')}; {score_clause(now)}."


def undo_announcement(place: int, n: int, now: SpokenSituation) -> Announcement:
    situation = situation_summary(now, n)
    return Announcement(place, n, f"Taken back. {situation}".rstrip(), ("back",), situation)


def correction_announcement(
    place: int, n: int, now: SpokenSituation, events: Sequence[Event], words: GameWords
) -> Announcement:
    said, situation = " ".join(play_sentences(n, events, words, now)), situation_summary(now, n)
    return Announcement(
        place, n, f"Corrected: {said} {situation}" if said else f"Corrected. {situation}", ("back",), situation
    )
