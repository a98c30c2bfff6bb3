"""`dugout engine`: the table as a line protocol, one JSON object a line, as UCI is for chess engines.

docs/protocol.md is its manual. The program at the other end drives every seat, so each open ask is printed as its own
seat sees it; events, scoreboard and journal are what anyone may know.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any, TextIO

from device.inputs import random_player
from device.storage import decks
from engine.errors import EngineError, InvalidAnswer
from engine.events import Told
from engine.games import GAMES
from engine.journal import entry_of
from engine.seats import SEATS
from engine.secrets import dumps
from engine.table import Table


def line(table: Table, events: Iterable[Told]) -> dict[str, Any]:
    """What is printed, as a spectator may see it, after the start and after each accepted command."""
    return {
        "asks": [table.show(n, ask, ask.seat, dealer=True) for n, ask in table.asks()],
        "events": [
            {
                "n": told.n,
                "code": told.event.code,
                "facts": told.event.facts,
                "sentence": table.game.words.event(told.event),
            }
            for told in events
        ],
        "scoreboard": table.scoreboard(),
        "outcome": table.outcome,
    }


def obey(table: Table, command: str) -> dict[str, Any]:
    """Carry out one command line; a refusal is `{"error": {"kind", "sentence"}}` and changes nothing."""
    try:
        return _obey(table, command)
    except EngineError as error:
        return {"error": {"kind": error.kind, "sentence": str(error)}}


def _obey(table: Table, command: str) -> dict[str, Any]:
    try:
        data = json.loads(command)
    except (ValueError, RecursionError) as error:
        raise InvalidAnswer(f"Not JSON: {error}.") from None
    if not isinstance(data, dict):
        raise InvalidAnswer("A command is one JSON object.")
    if set(data) == {"view"}:
        seat = data["view"]
        if seat is not None and seat not in SEATS:
            raise InvalidAnswer(f"view: wants away, home or null, not {seat!r}.")
        return {"view": table.view(seat)}
    if set(data) == {"journal"} and data["journal"] is True:
        return {"journal": {"header": table.header.as_json(), "entries": table.entries(None)}}
    return line(table, table.write(entry_of(data)))


def autoplay(table: Table, seed: int) -> Iterator[dict[str, Any]]:
    """Play every seat by legal random answers: each answer, then what it led to."""
    random = Random(seed)
    said = line(table, table.log)
    yield said
    while said["asks"]:
        ask = random.choice(said["asks"])
        answer = {"seat": ask["seat"], "n": ask["n"], "value": random_player.pick(ask, random)}
        yield answer
        said = obey(table, json.dumps(answer))
        yield said


def house(pairs: Iterable[str]) -> dict[str, str]:
    """House rules from KEY=VALUE texts. Raises InvalidAnswer naming the text that is none."""
    rules = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals:
            raise InvalidAnswer(f"--rule wants KEY=VALUE, not {pair!r}.")
        rules[key] = value
    return rules


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the `engine` command."""
    parser = commands.add_parser("engine", help="play a game by JSON lines on standard input and output")
    parser.add_argument("--game", choices=GAMES, default="small-ball", help="which rulebook")
    parser.add_argument("--deck", type=Path, action="append", default=[], metavar="FILE", help="a deck of cards")
    parser.add_argument("--rule", action="append", default=[], metavar="KEY=VALUE", help="a house rule")
    parser.add_argument("--autoplay", type=int, metavar="SEED", help="play all seats at random and print all of it")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace, commands: TextIO | None = None, out: TextIO | None = None) -> int:
    """Play until standard input ends. Gives 2 when game, decks or house rules are refused; what looks mistyped on cards
    is told on standard error."""
    commands, out = commands or sys.stdin, out or sys.stdout

    def say(said: dict[str, Any]) -> None:
        print(dumps(said, None), file=out, flush=True)

    game = GAMES[args.game]
    try:
        table = Table(game, decks.load(game, args.deck), house(args.rule))
    except EngineError as error:
        say({"error": {"kind": error.kind, "sentence": str(error)}})
        return 2
    for note in decks.notes(table.game, table.decks):
        print(f"dugout engine: look again: {note}", file=sys.stderr)
    if args.autoplay is not None:
        for said in autoplay(table, args.autoplay):
            say(said)
        return 0
    say(line(table, table.log))
    for command in commands:
        if command.strip():
            say(obey(table, command))
    return 0
