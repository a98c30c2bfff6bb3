"""Events: what happened, as data and as a sentence in the words of its game, and the moment of the game that it is."""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal, get_args

from engine.ask_views import NotedOption, Option
from engine.seats import Seat
from engine.secrets import redacted_data

Facts = Mapping[str, Any]
"""What fills the sentence of an ask or event: each code has facts of its own, which `rules.md` of the game lists."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that just happened. `code` is stable; `facts` fill its sentence.

    All games share these facts, for code that reads any game's events: `seat` (who did it), `scored` (runs put on the
    board), `hit` (True for a base hit), `turn` (how a turn at the plate ended otherwise: "out", "strikeout", "walk" or
    "sacrifice"), and for the code `half-inning` also `inning` and `half`. If several games follow each other in one
    journal, as in a season, the first event of each has `opens` True: line score and box score count from the last such
    event, and the play log numbers its games by them. `retired` has who was put out, in the order of the outs: names,
    or without names "batter" or the base where a runner stood ("first"). If players have names: `batter`, `runners`
    (who came home, on the board with `scored` of this event or the next in this half) and `by` (who drove them in, or
    ""); with `batter`, `out` is the player whose place in the batting order he takes.
    The codes "single", "double", "triple", "home-run", "walk" and "strikeout" mean the same in all games; codes of
    double plays end in "double-play", and "game-over" or "game-won" ends a game.
    """

    code: str
    facts: Facts


@dataclass(frozen=True, slots=True)
class LoggedEvent:
    """An event with the number of the answer that caused it (-1 for events before the first ask)."""

    n: int
    event: Event


Moment = Literal[
    "walk-off",
    "final",
    "home-run",
    "comeback",
    "lead",
    "double-play",
    "strikeout",
    "tie",
    "run",
    "hit",
    "walk",
    "out",
    "half-inning",
]
"""What a play may be, the greatest first. A comeback is the lead of a side that was behind by `COMEBACK_DEFICIT_RUNS`
runs or more."""

RANKED_MOMENTS: tuple[Moment, ...] = get_args(Moment)

COMEBACK_DEFICIT_RUNS = 3
"""From how many runs behind a lead is a comeback."""

GAME_END_CODES = ("game-over", "game-won")
"""The codes of events that end one game."""

TURN_MOMENTS: dict[str, Moment] = {
    "out": "out",
    "strikeout": "strikeout",
    "walk": "walk",
    "hit-by-pitch": "walk",
    "sacrifice": "out",
}
"""What each end of a turn at the plate is, by the fact `turn`."""


class MomentTracker:
    """The moments of one game's events, read in their order."""

    def __init__(self) -> None:
        self._runs: Counter[Seat] = Counter()
        self._behind: Counter[Seat] = Counter()
        self._half = ""
        self._took: Seat | None = None
        """The side that took the lead with the last runs of this half-inning."""

    def classify_event(self, event: Event) -> Moment | None:
        """Return the greatest moment of the next event; None if it is none."""
        found = [moment for moment in self._event_moments(event) if moment]
        return min(found, key=RANKED_MOMENTS.index, default=None)

    def _event_moments(self, event: Event) -> list[Moment | None]:
        code, facts = event.code, event.facts
        if code == "half-inning":
            self._half, self._took = facts["half"], None
            return ["half-inning"]
        if code in GAME_END_CODES:
            return ["walk-off" if self._half == "bottom" and self._took == "home" else "final"]
        found: list[Moment | None] = [TURN_MOMENTS.get(facts.get("turn", ""))]
        if code == "home-run":
            found.append("home-run")
        elif code.endswith("double-play"):
            found.append("double-play")
        elif facts.get("hit"):
            found.append("hit")
        if scored := facts.get("scored"):
            found.append(self._score_runs(facts["seat"], scored))
        return found

    def _score_runs(self, seat: Seat, scored: int) -> Moment:
        """Put runs on the board, and return what they are."""
        other: Seat = "home" if seat == "away" else "away"
        ahead = self._runs[seat] - self._runs[other]
        self._runs[seat] += scored
        self._behind[seat] = max(self._behind[seat], -ahead)
        self._took = seat if ahead <= 0 < ahead + scored else None
        if self._took:
            return "comeback" if self._behind[seat] >= COMEBACK_DEFICIT_RUNS else "lead"
        return "tie" if ahead + scored == 0 else "run"


def spoken_list(values: Iterable[object], last: str = "and") -> str:
    """Join values as a person lists them: "a", "a and b", "a, b and c"; `last` is the word before the last one."""
    words = [str(value) for value in values]
    return f" {last} ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def faces_in_words(values: Iterable[int], to: str = " to ") -> str:
    """Return faces of a die in words, "1 to 3 or 6"; with `to` "-" as titles have them, "1-3, 6". "none" if empty."""
    runs: list[list[int]] = []
    for value in sorted(values):
        if runs and runs[-1][-1] == value - 1:
            runs[-1].append(value)
        else:
            runs.append([value])
    least = 2 if to == "-" else 3
    parts = [[f"{run[0]}{to}{run[-1]}"] if len(run) >= least else [str(one) for one in run] for run in runs]
    flat = [part for run in parts for part in run]
    return (", ".join(flat) if to == "-" else spoken_list(flat, "or")) or "none"


def chart_in_words(results: Mapping[int, str]) -> str:
    """Return what each face of a die leads to, in words: "strikeout on 1 or 2; single on 3 to 6"."""
    named: dict[str, list[int]] = {}
    for face, result in results.items():
        named.setdefault(result, []).append(face)
    return "; ".join(f"{result} on {faces_in_words(found)}" for result, found in named.items())


NAME_SUFFIXES = ("Jr.", "Jr", "Sr.", "Sr", "II", "III", "IV")
"""What may follow a last name."""


def last_name(name: str) -> str:
    """Return the last word of a name, with a suffix: "Varga-Lund", "Galt Jr."."""
    *first, last = name.split() or [name]
    return f"{first[-1]} {last}" if first and last in NAME_SUFFIXES else last


class _SentenceFormatter(string.Formatter):
    """Format `{runs:run}` as "no runs", "1 run" or "2 runs", `{count:die/dice}` as "1 die" or "2 dice", lists as "a, b
    and c", and `{batter:last}` as the last name.

    A sealed value is "hidden".
    """

    def vformat(self, format_string: str, args: Any, kwargs: Any) -> str:
        pieces = _template_parts(format_string)
        if pieces is None:
            return super().vformat(format_string, args, kwargs)
        return "".join(
            text if name is None else text + self.format_field(kwargs[name], form) for text, name, form in pieces
        )

    def format_field(self, value: Any, format_spec: str) -> str:
        if isinstance(value, str):
            return last_name(value) if format_spec == "last" else value
        if isinstance(value, int):
            one, _, many = format_spec.partition("/")
            return f"{value or 'no'} {one if value == 1 else many or one + 's'}" if format_spec else str(value)
        seen = redacted_data(value, None)
        return spoken_list(seen) if isinstance(seen, list) else str(seen)


_SENTENCE_FORMATTER = _SentenceFormatter()


@cache
def _template_parts(template: str) -> tuple[tuple[str, str | None, str], ...] | None:
    """Return the parts of a template: a text, the fact after it, if any, and how that is written.

    None if it asks for more than facts by their names. Kept, as the same few templates are filled in again and again.
    """
    pieces = []
    for text, name, form, conversion in _SENTENCE_FORMATTER.parse(template):
        if name is not None and not (name.isidentifier() and conversion is None and "{" not in (form or "")):
            return None
        pieces.append((text, name, form or ""))
    return tuple(pieces)


TABLE_SENTENCES = {"undo": "Taken back.", "amend": "Corrected."}
"""Sentences for events of the table itself, in every game."""


def select_wording(ways: Sequence[str], n: int, what: str = "") -> str:
    """Return one of several ways to say the same, always the same one for an answer `n` and a subject `what`."""
    mixed = (n + 1) * 0x9E3779B1 + sum(map(ord, what)) * 0x85EBCA6B
    return ways[(mixed >> 8) % len(ways)]


@dataclass(frozen=True, slots=True)
class AnnouncementRules:
    """How the events of a game are announced aloud; the play log has the full sentences.

    `quiet` are the codes that nobody announces. `ways` has for a code one or several sentences with the same facts, in
    place of the event's own. `alone` are the codes announced only where nothing else of the same answer is. `tell_runs`
    are the codes whose sentence gives the runs that scored, and `endings` those whose sentence only says how the game
    ended, once it has ended.
    """

    quiet: frozenset[str] = frozenset()
    ways: Mapping[str, Sequence[str]] = field(default_factory=dict)
    alone: frozenset[str] = frozenset()
    tell_runs: frozenset[str] = frozenset()
    endings: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class GameWords:
    """The sentences of one game: by `why` code, by event code and by option code, with {facts} to fill in. `titles`
    name each decision in two to four words, with its subject and, for a roll, what wins: "Bunt: 13+".

    `usual` fills in facts that an event may lack: what the sides are called where people gave them no names.

    An option without a sentence is the name of a card or player; its label is in the fact `labels`, or else the name
    itself.
    """

    asks: Mapping[str, str]
    events: Mapping[str, str]
    options: Mapping[str, str] = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)
    usual: Mapping[str, str] = field(default_factory=dict)
    announced: AnnouncementRules = field(default_factory=AnnouncementRules)

    def ask_title(self, why: str, facts: Facts) -> str:
        """Return the short name of an ask's decision; "" if it has none."""
        return _SENTENCE_FORMATTER.vformat(self.titles.get(why, ""), (), facts)

    def ask_sentence(self, why: str, facts: Facts) -> str:
        """Return the sentence of an ask."""
        return _SENTENCE_FORMATTER.vformat(self.asks[why], (), facts)

    def event_sentence(self, event: Event) -> str:
        """Return the sentence of an event for spectators."""
        template = self.events.get(event.code) or TABLE_SENTENCES[event.code]
        return _SENTENCE_FORMATTER.vformat(template, (), self._facts_with_usual(event.facts))

    def _facts_with_usual(self, facts: Facts) -> Facts:
        """Return facts with the usual ones, where they have none of their own."""
        return {**self.usual, **facts} if self.usual else facts

    def announcement_sentence(self, event: Event, n: int) -> str:
        """Return the announcement of an event that answer `n` caused; "" if it has none."""
        if event.code in self.announced.quiet:
            return ""
        ways = self.announced.ways.get(event.code)
        return (
            _SENTENCE_FORMATTER.vformat(select_wording(ways, n, event.code), (), self._facts_with_usual(event.facts))
            if ways
            else self.event_sentence(event)
        )

    def option_label(self, code: str, facts: Facts) -> str:
        """Return the label of an option."""
        if code in self.options:
            return _SENTENCE_FORMATTER.vformat(self.options[code], (), facts)
        return str(facts.get("labels", {}).get(code, code))

    def labeled_options(self, codes: Iterable[str], facts: Facts) -> tuple[Option, ...]:
        """Return what people see for each code: its label, and the note on it in the fact `notes`, if any."""
        notes = facts.get("notes", {})
        labels = ((code, self.option_label(code, facts)) for code in codes)
        return tuple(NotedOption(*one, note) if (note := notes.get(one[0])) else Option(*one) for one in labels)
