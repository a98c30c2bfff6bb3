"""Events of a game as data, their sentences in the game's words, and the moments that they are."""

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
from engine.text.agreement import name_with_verb

Facts = Mapping[str, Any]
"""The values that fill the sentence of an ask or event, by name. `rules.md` of the game lists them for each code."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that just happened. `code` is stable, and `facts` fill its sentence.

    All games share these facts, for code that reads the events of any game:

        seat: who did it.
        scored: runs put on the board.
        hit: True for a base hit.
        turn: the end of a plate appearance without a hit, a key of `TURN_MOMENTS`.
        inning, half: in a `half-inning`.
        opens: True in the first event of each game if several follow each other in one journal, as in a season. Line
            score and box score count from the last such event, and the play log numbers its games by them.
        retired: who was put out, in order, by name. Without names "batter" or the runner's base ("first").
        batter: if players have names.
        runners: the names of those who came home. They are on the board with the next `scored`, of this event or a
            later one in this half.
        by: the name of who drove them in, or "".
        pitcher: who pitches; before the first half-inning, for `seat`.
        out: with `batter`, the player whose slot in the batting order he takes; with `pitcher`, whom he relieves.
        way: "error" or "steal", by which the `runner` moves, if not by the batter's play.

    The codes "single", "double", "triple", "home-run", "walk" and "strikeout" mean the same in all games. Codes of
    double plays end in "double-play", and "game-over" or "game-won" ends a game.
    """

    code: str
    facts: Facts


@dataclass(frozen=True, slots=True)
class LoggedEvent:
    """An event with the number of the answer that caused it, -1 before the first ask."""

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
"""The kinds of moments, greatest first. A comeback is a lead after a deficit of `COMEBACK_DEFICIT_RUNS` or more."""

RANKED_MOMENTS: tuple[Moment, ...] = get_args(Moment)

COMEBACK_DEFICIT_RUNS = 3
"""Least deficit, in runs, that makes a new lead a comeback."""

GAME_END_CODES = ("game-over", "game-won")
"""Codes of the events that end one game."""

TURN_MOMENTS: dict[str, Moment] = {
    "out": "out",
    "strikeout": "strikeout",
    "walk": "walk",
    "hit-by-pitch": "walk",
    "sacrifice": "out",
}
"""The moment of each end of a plate appearance, by the fact `turn`."""


class MomentTracker:
    """Classifies the events of one game as moments. The events must come in order."""

    def __init__(self) -> None:
        self._runs: Counter[Seat] = Counter()
        self._behind: Counter[Seat] = Counter()
        self._half = ""
        self._took: Seat | None = None
        """The side that took the lead with the last runs of this half-inning."""

    def classify_event(self, event: Event) -> Moment | None:
        """Return the greatest moment of the next event, or None."""
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
        other: Seat = "home" if seat == "away" else "away"
        ahead = self._runs[seat] - self._runs[other]
        self._runs[seat] += scored
        self._behind[seat] = max(self._behind[seat], -ahead)
        self._took = seat if ahead <= 0 < ahead + scored else None
        if self._took:
            return "comeback" if self._behind[seat] >= COMEBACK_DEFICIT_RUNS else "lead"
        return "tie" if ahead + scored == 0 else "run"


def spoken_list(values: Iterable[object], last: str = "and") -> str:
    """Join values as a person lists them: "a", "a and b", "a, b and c". `last` is the word before the last value."""
    words = [str(value) for value in values]
    return f" {last} ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def faces_in_words(values: Iterable[int], to: str = " to ") -> str:
    """Return faces of a die in words, such as "1 to 3 or 6" or "none". With `to` "-" it is "1-3, 6", as in titles."""
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
    """Return the result of each face of a die in words, separated by semicolons."""
    named: dict[str, list[int]] = {}
    for face, result in results.items():
        named.setdefault(result, []).append(face)
    return "; ".join(f"{result} on {faces_in_words(found)}" for result, found in named.items())


NAME_SUFFIXES = ("Jr.", "Jr", "Sr.", "Sr", "II", "III", "IV")
"""Words that may follow a last name."""


def last_name(name: str) -> str:
    """Return the last word of a name, with its suffix: "Varga-Lund", "Galt Jr."."""
    *first, last = name.split() or [name]
    return f"{first[-1]} {last}" if first and last in NAME_SUFFIXES else last


class _SentenceFormatter(string.Formatter):
    """Formats facts for sentences.

    Forms are `{runs:run}` ("no runs", "1 run", "2 runs"), `{count:die/dice}` ("1 die", "2 dice"), `{batter:last}` (the
    last name) and `{team:bats/bat}` ("Leo bats", "Owls bat"). A list becomes "a, b and c". A sealed value is "hidden".
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
            if "/" in format_spec:
                return name_with_verb(value, format_spec)
            return last_name(value) if format_spec == "last" else value
        if isinstance(value, int):
            one, _, many = format_spec.partition("/")
            return f"{value or 'no'} {one if value == 1 else many or one + 's'}" if format_spec else str(value)
        seen = redacted_data(value, None)
        return spoken_list(seen) if isinstance(seen, list) else str(seen)


_SENTENCE_FORMATTER = _SentenceFormatter()


@cache
def _template_parts(template: str) -> tuple[tuple[str, str | None, str], ...] | None:
    """Return the parts of a template as (text, name of the fact after it or None, its form).

    None if the template asks for more than facts by name. Cached, because a few templates are filled in very often.
    """
    pieces = []
    for text, name, form, conversion in _SENTENCE_FORMATTER.parse(template):
        if name is not None and not (name.isidentifier() and conversion is None and "{" not in (form or "")):
            return None
        pieces.append((text, name, form or ""))
    return tuple(pieces)


TABLE_EVENT_SENTENCES = {"undo": "Taken back.", "amend": "Corrected."}
"""Sentences of the table's own events, the same in every game."""


def select_wording(ways: Sequence[str], n: int, what: str = "") -> str:
    """Select one of several wordings. The same answer `n` and subject `what` always get the same wording."""
    mixed = (n + 1) * 0x9E3779B1 + sum(map(ord, what)) * 0x85EBCA6B
    return ways[(mixed >> 8) % len(ways)]


@dataclass(frozen=True, slots=True)
class AnnouncementRules:
    """How the events of a game are announced aloud. The play log has all sentences.

    quiet: codes that are not announced.
    ways: wordings by code, all with the same facts, in place of the event's own sentence.
    alone: codes announced only if the same answer caused nothing else to announce.
    tell_runs: codes whose sentence says which runs scored.
    endings: codes whose sentence only says how the game ended. Not announced after the end.
    """

    quiet: frozenset[str] = frozenset()
    ways: Mapping[str, Sequence[str]] = field(default_factory=dict)
    alone: frozenset[str] = frozenset()
    tell_runs: frozenset[str] = frozenset()
    endings: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class GameWords:
    """The sentences of one game by `why` code, event code and option code, with {facts} to fill in.

        titles: each decision in two to four words, with its subject and, for a roll, what wins: "Bunt: 13+".
        usual: defaults of facts that an event may lack, such as the names of sides that nobody named.
        thinking: what a manager does while it thinks about a decision, such as "weighs the next pitch".

    The label of an option without a sentence is in the fact `labels`, or is its code, the name of a card or player.
    """

    asks: Mapping[str, str]
    events: Mapping[str, str]
    options: Mapping[str, str] = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)
    usual: Mapping[str, str] = field(default_factory=dict)
    announced: AnnouncementRules = field(default_factory=AnnouncementRules)
    thinking: Mapping[str, str] = field(default_factory=dict)

    def ask_title(self, why: str, facts: Facts) -> str:
        """Return the short name of an ask's decision, "" if it has none."""
        return _SENTENCE_FORMATTER.vformat(self.titles.get(why, ""), (), facts)

    def ask_sentence(self, why: str, facts: Facts) -> str:
        return _SENTENCE_FORMATTER.vformat(self.asks[why], (), facts)

    def event_sentence(self, event: Event) -> str:
        template = self.events.get(event.code) or TABLE_EVENT_SENTENCES[event.code]
        return _SENTENCE_FORMATTER.vformat(template, (), self._facts_with_usual(event.facts))

    def _facts_with_usual(self, facts: Facts) -> Facts:
        return {**self.usual, **facts} if self.usual else facts

    def announcement_sentence(self, event: Event, n: int) -> str:
        """Return the announcement of an event caused by answer `n`, "" if it has none."""
        if event.code in self.announced.quiet:
            return ""
        ways = self.announced.ways.get(event.code)
        return (
            _SENTENCE_FORMATTER.vformat(select_wording(ways, n, event.code), (), self._facts_with_usual(event.facts))
            if ways
            else self.event_sentence(event)
        )

    def option_label(self, code: str, facts: Facts) -> str:
        if code in self.options:
            return _SENTENCE_FORMATTER.vformat(self.options[code], (), facts)
        return str(facts.get("labels", {}).get(code, code))

    def labeled_options(self, codes: Iterable[str], facts: Facts) -> tuple[Option, ...]:
        """Return each code with its label, and with its note from the fact `notes` if it has one."""
        notes = facts.get("notes", {})
        labels = ((code, self.option_label(code, facts)) for code in codes)
        return tuple(NotedOption(*one, note) if (note := notes.get(one[0])) else Option(*one) for one in labels)
