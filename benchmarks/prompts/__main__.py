"""How often a game asks people: `python -m benchmarks.prompts [N]` prints the rows of docs/evidence/benchmarks.md.

Sensible players of both sides play N games of each rulebook three times: with every ask, with moot answers given
automatically, and with the standing answers in `WAYS` too. Nobody says "Wait". Only decisions of people count as asks,
not throws, calls in a race or random draws.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from benchmarks.prompts import players
from benchmarks.prompts.players import Look, Player
from device.storage.decks import house_deck
from device.table import preset_answers
from device.table.preset_answers import SeatSettings
from engine.asks import Arrange, Ask, Call, Choose, DiceAsk, Draw
from engine.game import ASK_PREFERENCE_LABELS
from engine.games import GAMES
from engine.journal import Source
from engine.seats import SEATS
from engine.table import Table
from tests.engine.tables import inside

NOTHING = {"bat", "agreed", "seen", "ready", "bat-on", "never-mind", "no-throw", "pitch-now", "swing-now"}
"""Answers that change nothing, in addition to standing and moot ones."""

LONGEST = 5000  # Maximum of answers before a game is given up.

SOURCES = [Source.UNKNOWN] * LONGEST
"""Sources of the entries. They do not matter here, because nothing is undone."""


@dataclass(frozen=True)
class Way:
    """A game to play, with its players and standing answers."""

    name: str
    key: str
    player: Callable[[Look, int], Player]
    house: Mapping[str, str] = field(default_factory=dict)
    standing: Mapping[str, str] = field(default_factory=dict)


CLUTCH = {"cards": "seventh", "defense": "runners", "offense": "runners", "infield": "seventh", "returns": "never"}
STRETCH = dict.fromkeys(("pitchers", "tokens", "abilities"), "runners") | dict.fromkeys(
    ("batters", "lineup", "outcome"), "never"
)
RALLY = {"gloves": "runners", "rallybird": "never"}

WAYS = (
    Way("Clutch, all cards", "clutch", players.clutch, standing=CLUTCH),
    Way("Clutch, player cards alone", "clutch", players.clutch, {"level": "players"}, CLUTCH),
    Way("Small Ball", "small-ball", players.first),
    Way("Bottom of the 9th", "bottom-of-the-9th", players.first, standing={"abilities": "never"}),
    Way("RallyBird", "rallybird", players.first, standing=RALLY),
    Way("RallyBird, real cards", "rallybird", players.first, {"cards": "real"}, RALLY),
    Way("7th Inning Stretch, a season", "seventh-inning-stretch", players.stretch, standing=STRETCH),
    Way("7th Inning Stretch, a duel", "seventh-inning-stretch", players.stretch, {"mode": "duel"}, STRETCH),
)


def asked(ask: Ask) -> bool:
    """True if a person answers this by a decision."""
    return not isinstance(inside(ask), DiceAsk | Call | Draw)


def idle(table: Table, ask: Ask, value: object) -> bool:
    inner, topic = inside(ask), preset_answers.topic_for(table, ask)
    if isinstance(inner, Arrange):
        return value == inner.unchanged_layout
    moot = inner.moot_option if isinstance(inner, Choose) else None
    return isinstance(value, str) and (value in NOTHING or value in (moot, topic and topic.automatic_answer(ask)))


def play(way: Way, seed: int, settings: SeatSettings | None, stands: bool) -> Counter[str]:
    """Count a game's asks and throws. Without `settings` all is asked, without `stands` all but moot asks."""
    game = GAMES[way.key]
    table, count = Table(game, [house_deck(game)], way.house), Counter[str]()
    player = way.player(lambda: table.state, seed)
    while table.open_asks() and len(table.answers) < LONGEST:
        found = (
            preset_answers.next_automatic_answer(table, settings, SOURCES[: len(table.journal)]) if settings else None
        )
        if found and (stands or found.source is Source.MOOT):
            table.apply_entry(found.answer)
            continue
        n, ask = table.open_asks()[0]
        value: Any = player(ask)
        if asked(ask):
            count["asks"] += 1
            count["idle"] += idle(table, ask, value)
        elif not isinstance(inside(ask), Draw):
            count["throws"] += 1
        table.answer_ask(ask.seat, n, list(value) if isinstance(value, tuple) else value)
    return count


def row(way: Way, games: int) -> str:
    usual = SeatSettings()
    set_ = SeatSettings(dict.fromkeys(SEATS, way.standing))
    today, moot, standing = (
        sum((play(way, seed, settings, stands) for seed in range(games)), Counter[str]())
        for settings, stands in ((None, False), (usual, False), (set_, True))
    )
    cells = (today["throws"], today["asks"], today["idle"], moot["asks"], moot["idle"], standing["asks"])
    return f"| {way.name} | {' | '.join(str(round(one / games)) for one in cells)} |"


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    print("| a game of | throws | asks | to do nothing | with moot answers | to do nothing | with standing ones too |")
    print("|---|---|---|---|---|---|---|")
    for way in WAYS:
        print(row(way, games), flush=True)
    print("\n| a game of | when both seats are asked |\n|---|---|")
    for way in WAYS:
        topics = {topic.key: topic.title for topic in GAMES[way.key].standing}
        said = ", ".join(f"{topics[key]}: {ASK_PREFERENCE_LABELS[when].lower()}" for key, when in way.standing.items())
        print(f"| {way.name} | {said or 'always'} |")


if __name__ == "__main__":
    main()
