"""How often a game asks people: `python -m benchmarks.prompts [N]` prints the rows of docs/evidence/benchmarks.md.

Sensible players of both sides play N games of each rulebook three times: with every ask, with moot answers given
automatically, and with the standing answers in `GAME_VARIANTS` too. Nobody says "Wait". Only decisions of people count
as asks, not throws, calls in a race or random draws.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from benchmarks.prompts import players
from benchmarks.prompts.players import Player, StateGetter
from device.storage.decks import house_deck
from device.table import preset_answers
from device.table.preset_answers import SeatSettings
from engine.asks import Arrange, Ask, Call, Choose, DiceAsk, Draw
from engine.game import ASK_PREFERENCE_LABELS, GamePace
from engine.games import GAMES
from engine.journal import Source
from engine.seats import SEATS
from engine.table import Table
from tests.engine.tables import inside

NO_CHANGE_ANSWERS = {"bat", "agreed", "seen", "ready", "bat-on", "never-mind", "no-throw", "pitch-now", "swing-now"}
"""Answers that change nothing, in addition to standing and moot ones."""

MAX_ANSWERS = 5000  # Maximum of answers before a game is given up.

SOURCES = [Source.UNKNOWN] * MAX_ANSWERS
"""Sources of the entries. They do not matter here, because nothing is undone."""


@dataclass(frozen=True)
class GameVariant:
    """A game to play, with its players and standing answers."""

    name: str
    key: str
    player: Callable[[StateGetter, int], Player]
    house: Mapping[str, str] = field(default_factory=dict)
    standing: Mapping[str, str] = field(default_factory=dict)


CLUTCH_STANDING = {
    "cards": "seventh",
    "defense": "runners",
    "offense": "runners",
    "infield": "seventh",
    "returns": "never",
}
STRETCH_STANDING = dict.fromkeys(("pitchers", "tokens", "abilities"), "runners") | dict.fromkeys(
    ("batters", "lineup", "outcome"), "never"
)
RALLYBIRD_STANDING = {"gloves": "runners", "rallybird": "never"}

GAME_VARIANTS = (
    GameVariant("Clutch, all cards", "clutch", players.clutch_player, standing=CLUTCH_STANDING),
    GameVariant("Clutch, player cards alone", "clutch", players.clutch_player, {"level": "players"}, CLUTCH_STANDING),
    GameVariant("Small Ball", "small-ball", players.first_option_player),
    GameVariant("Bottom of the 9th", "bottom-of-the-9th", players.first_option_player, standing={"abilities": "never"}),
    GameVariant("RallyBird", "rallybird", players.first_option_player, standing=RALLYBIRD_STANDING),
    GameVariant(
        "RallyBird, real cards", "rallybird", players.first_option_player, {"cards": "real"}, RALLYBIRD_STANDING
    ),
    GameVariant(
        "7th Inning Stretch, a season", "seventh-inning-stretch", players.stretch_player, standing=STRETCH_STANDING
    ),
    GameVariant(
        "7th Inning Stretch, a duel",
        "seventh-inning-stretch",
        players.stretch_player,
        {"mode": "duel"},
        STRETCH_STANDING,
    ),
)


def is_decision(ask: Ask) -> bool:
    """True if a person answers this by a decision."""
    return not isinstance(inside(ask), DiceAsk | Call | Draw)


def is_idle_answer(table: Table, ask: Ask, value: object) -> bool:
    inner, topic = inside(ask), preset_answers.topic_for(table, ask)
    if isinstance(inner, Arrange):
        return value == inner.unchanged_layout
    moot = inner.moot_option if isinstance(inner, Choose) else None
    return isinstance(value, str) and (
        value in NO_CHANGE_ANSWERS or value in (moot, topic and topic.automatic_answer(ask))
    )


def count_asks(way: GameVariant, seed: int, settings: SeatSettings | None, stands: bool) -> Counter[str]:
    """Count a game's asks and throws. Without `settings` all is asked, without `stands` all but moot asks."""
    game = GAMES[way.key]
    table, count = Table(game, [house_deck(game)], way.house), Counter[str]()
    player = way.player(lambda: table.state, seed)
    while table.open_asks() and len(table.answers) < MAX_ANSWERS:
        found = (
            preset_answers.next_automatic_answer(table, settings, SOURCES[: len(table.journal)]) if settings else None
        )
        if found and (stands or found.source is Source.MOOT):
            table.apply_entry(found.answer)
            continue
        n, ask = table.open_asks()[0]
        value: Any = player(ask)
        if is_decision(ask):
            count["asks"] += 1
            count["idle"] += is_idle_answer(table, ask, value)
        elif not isinstance(inside(ask), Draw):
            count["throws"] += 1
        table.answer_ask(ask.seat, n, list(value) if isinstance(value, tuple) else value)
    return count


def table_row(way: GameVariant, games: int) -> str:
    usual = SeatSettings()
    set_ = SeatSettings(dict.fromkeys(SEATS, way.standing))
    today, moot, standing = (
        sum((count_asks(way, seed, settings, stands) for seed in range(games)), Counter[str]())
        for settings, stands in ((None, False), (usual, False), (set_, True))
    )
    cells = (today["throws"], today["asks"], today["idle"], moot["asks"], moot["idle"], standing["asks"])
    return f"| {way.name} | {' | '.join(str(round(one / games)) for one in cells)} |"


PLAYERS_BY_GAME = {"clutch": players.clutch_player, "seventh-inning-stretch": players.stretch_player}
"""Players of games in which the first option would not do."""


def count_pace_answers(key: str, pace: GamePace, games: int) -> float:
    """Return the average number of questions and throws of a game at this pace, with moot answers given."""
    way = GameVariant(pace.title, key, PLAYERS_BY_GAME.get(key, players.first_option_player), pace.house)
    counts = [count_asks(way, seed, SeatSettings(), stands=False) for seed in range(games)]
    return sum(count["asks"] + count["throws"] for count in counts) / games


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    print("| a game of | throws | asks | to do nothing | with moot answers | to do nothing | with standing ones too |")
    print("|---|---|---|---|---|---|---|")
    for way in GAME_VARIANTS:
        print(table_row(way, games), flush=True)
    print("\n| a game of | when both seats are asked |\n|---|---|")
    for way in GAME_VARIANTS:
        topics = {topic.key: topic.title for topic in GAMES[way.key].standing}
        said = ", ".join(f"{topics[key]}: {ASK_PREFERENCE_LABELS[when].lower()}" for key, when in way.standing.items())
        print(f"| {way.name} | {said or 'always'} |")
    print("\n| questions and throws | quick | classic | as in the box |\n|---|---|---|---|")
    for game in GAMES.values():
        counts = [round(count_pace_answers(game.key, pace, games)) for pace in game.paces]
        print(f"| {game.title} | {' | '.join(map(str, counts))} |", flush=True)


if __name__ == "__main__":
    main()
