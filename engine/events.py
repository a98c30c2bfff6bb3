"""What happened, once: as data, and as a sentence in the words of its game."""

from __future__ import annotations

import string
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.secrets import view


@dataclass(frozen=True, slots=True)
class Event:
    """What just happened. `code` is stable; `facts` fill its sentence.

    Facts every game shares, for the folds that read any game's events: `seat` (who did it), `scored` (runs put on
    the board), `hit` (True for a base hit), `turn` (how else a turn at the plate ended: "out", "strikeout", "walk" or
    "sacrifice"), and for the code `half-inning` also `inning` and `half`. Where several games follow each other in one
    journal, as in a season, the first event of each has `opens` True: line score and box score count from the last such
    event on, and the play log numbers its lines' games by them. Where players have names: `batter`,
    `runners` (who came home, on the board with this event's `scored` or the next one's of this half) and `by` (who
    drove them in, or "").
    """

    code: str
    facts: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Told:
    """An event with the number of the answer that caused it (-1: none, it came before the first ask)."""

    n: int
    event: Event


def spoken(values: Iterable[object], last: str = "and") -> str:
    """Things as a person lists them: "a", "a and b", "a, b and c"; `last` is the word before the last one."""
    words = [str(value) for value in values]
    return f" {last} ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


class _Speech(string.Formatter):
    """`{runs:run}` says "1 run" or "2 runs", `{count:die/dice}` "1 die" or "2 dice"; lists say "a, b and c"."""

    def format_field(self, value: Any, format_spec: str) -> str:
        if format_spec and isinstance(value, int):
            one, _, many = format_spec.partition("/")
            return f"{value} {one if value == 1 else many or one + 's'}"
        if isinstance(value, list | tuple):
            return spoken(value)
        return str(value)


_SPEECH = _Speech()

COMMON = {"undo": "Taken back.", "amend": "Corrected."}
"""Events that the table itself tells, in every game."""


@dataclass(frozen=True, slots=True)
class Words:
    """The sentences of one game: by `why` code, by event code and by option code, with {facts} to fill in.

    An option without words of its own is a card's or player's name, and says itself or what the fact `labels` calls it.
    """

    asks: Mapping[str, str]
    events: Mapping[str, str]
    options: Mapping[str, str] = field(default_factory=dict)

    def ask(self, why: str, facts: Mapping[str, Any]) -> str:
        """The sentence of an ask."""
        return _SPEECH.vformat(self.asks[why], (), facts)

    def event(self, event: Event) -> str:
        """The sentence of an event as anyone may hear it."""
        template = self.events.get(event.code) or COMMON[event.code]
        return _SPEECH.vformat(template, (), view(event.facts, None))

    def option(self, code: str, facts: Mapping[str, Any]) -> str:
        """The label of a choice."""
        if code in self.options:
            return _SPEECH.vformat(self.options[code], (), facts)
        return str(facts.get("labels", {}).get(code, code))
