"""`dugout engine`. Line protocol of the table, one JSON object per line, as UCI is for chess engines.

See docs/develop/protocol.md. The program at the other end drives every seat, so each open ask is printed as its own
seat sees it. Events, scoreboard and journal are the public ones.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, BinaryIO, TextIO

from device.commands import arguments, privileges
from device.inputs import random_player
from device.named_file import without_long_words
from device.storage import decks
from engine.ask_views import AskView
from engine.errors import EngineError, InvalidAnswer
from engine.events import LoggedEvent
from engine.games import GAMES
from engine.innings import Outcome
from engine.journal import parse_entry
from engine.scoreboard import Scoreboard
from engine.seats import SEATS
from engine.secrets import redacted_json
from engine.table import Table

MAX_COMMAND_LENGTH = 64 * 1024  # maximum length of a command in characters


@dataclass(frozen=True, slots=True)
class ReplyEvent:
    """Event of a reply. `n` is the number of its journal entry."""

    n: int
    code: str
    facts: Mapping[str, Any]
    sentence: str


@dataclass(frozen=True, slots=True)
class Reply:
    """Output after the start and after each accepted command, redacted for spectators."""

    asks: Sequence[AskView]
    events: Sequence[ReplyEvent]
    scoreboard: Scoreboard
    outcome: Outcome | None


def build_reply(table: Table, events: Iterable[LoggedEvent]) -> Reply:
    words = table.game.words
    shown = [ReplyEvent(one.n, one.event.code, one.event.facts, words.event_sentence(one.event)) for one in events]
    asks = [table.ask_view(n, ask, ask.seat, dealer=True) for n, ask in table.open_asks()]
    return Reply(asks, shown, table.scoreboard(), table.outcome)


def execute_command(table: Table, command: str) -> object:
    """Execute one command line and return the reply.

    A rejection is `{"error": {"kind", "sentence"}}` and changes nothing.
    """
    try:
        return _execute_command(table, command)
    except EngineError as error:
        return rejection_reply(error)


def rejection_reply(error: EngineError) -> dict[str, dict[str, str]]:
    return {"error": {"kind": error.kind, "sentence": without_long_words(str(error))}}


def _execute_command(table: Table, command: str) -> object:
    if len(command) > MAX_COMMAND_LENGTH:
        raise InvalidAnswer(f"A command has at most {MAX_COMMAND_LENGTH >> 10} kB.")
    try:
        command.encode()  # bytes that are not UTF-8 arrive as surrogates
        data = json.loads(command)
    except UnicodeEncodeError as error:
        raise InvalidAnswer(f"Not UTF-8, from character {error.start + 1}.") from None
    except (ValueError, RecursionError) as error:
        raise InvalidAnswer(f"Not JSON: {error}.") from None
    if not isinstance(data, dict):
        raise InvalidAnswer("A command is one JSON object.")
    if set(data) == {"view"}:
        seat = data["view"]
        if seat is not None and seat not in SEATS:
            raise InvalidAnswer(f"view: must be away, home or null, not {seat!r}.")
        return {"view": table.view_for(seat)}
    if set(data) == {"journal"} and data["journal"] is True:
        return {"journal": {"header": table.journal_header.as_json(), "entries": table.redacted_entries(None)}}
    return build_reply(table, table.apply_entry(parse_entry(data)))


def autoplay_game(table: Table, seed: int) -> Iterator[object]:
    """Play every seat with legal random answers. Yield each answer, then its result."""
    random, reply = Random(seed), build_reply(table, table.log)
    yield reply
    while reply.asks:
        ask = random.choice(reply.asks)
        answer = {"seat": ask.seat, "n": ask.n, "value": random_player.pick_answer(ask, random)}
        yield answer
        reply = build_reply(table, table.apply_entry(parse_entry(answer)))
        yield reply


def parse_house_rules(pairs: Iterable[str]) -> dict[str, str]:
    """Parse house rules from KEY=VALUE texts. Raises InvalidAnswer for a text without "="."""
    rules = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals:
            raise InvalidAnswer(f"--rule must be KEY=VALUE, not {pair!r}.")
        rules[key] = value
    return rules


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    about = "Play a game as JSON lines on standard input and output (docs/develop/protocol.md)."
    parser = commands.add_parser(
        "engine", help="play a game as JSON lines on standard input and output", description=about
    )
    parser.add_argument(
        "--game", choices=GAMES, default=next(iter(GAMES)), help="the game to play (default: %(default)s)"
    )
    parser.add_argument(
        "--deck",
        type=arguments.path_argument,
        action="append",
        default=[],
        metavar="FILE",
        help="a deck of cards; repeat it for more",
    )
    parser.add_argument(
        "--rule", action="append", default=[], metavar="KEY=VALUE", help="a house rule; repeat it for more"
    )
    parser.add_argument(
        "--autoplay",
        type=arguments.number_between(0, arguments.MAX_SEED),
        metavar="SEED",
        help="play every seat at random and print the whole game",
    )
    parser.set_defaults(run=run_command)


def read_lines(stream: BinaryIO) -> Iterator[str]:
    """Yield the lines of a stream. Overlong lines are cut and invalid bytes escaped, so that both are rejected."""
    while line := stream.readline(MAX_COMMAND_LENGTH + 1):
        yield line.decode(errors="surrogateescape")
        while len(line) > MAX_COMMAND_LENGTH and not line.endswith(b"\n"):
            line = stream.readline(MAX_COMMAND_LENGTH + 1)


def run_command(args: argparse.Namespace, commands: Iterable[str] | None = None, out: TextIO | None = None) -> int:
    """Play until standard input ends. Return 0, or 2 if decks or house rules are rejected.

    Likely typing errors on cards are printed on standard error.
    """
    commands, out = commands or read_lines(sys.stdin.buffer), out or sys.stdout
    if hasattr(out, "reconfigure"):
        out.reconfigure(encoding="utf-8")  # whatever the terminal's encoding is

    def print_json(data: object) -> None:
        print(redacted_json(data, None), file=out, flush=True)

    game = GAMES[args.game]
    privileges.drop_privileges(*args.deck)
    try:
        table = Table(game, decks.load_decks(game, args.deck), parse_house_rules(args.rule))
    except EngineError as error:
        print_json(rejection_reply(error))
        return 2
    for note in decks.possible_typos(table.game, table.decks):
        print(f"dugout engine: please check: {note}", file=sys.stderr)
    if args.autoplay is not None:
        for reply in autoplay_game(table, args.autoplay):
            print_json(reply)
        return 0
    print_json(build_reply(table, table.log))
    for command in commands:
        if command.strip():
            print_json(execute_command(table, command))
    return 0
