"""What must stay the same across a redesign, part by part, as pairs of a key and plain data.

`scripts/same` puts a checkout's root first in `sys.path`, then stores what these parts yield. Whatever a redesign
renames is looked up through `NAMES`, so one script runs on old and new code; whatever it reshapes is adapted here.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import os
import re
import sys
import warnings
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache, partial
from hashlib import sha256
from itertools import groupby, islice
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any

NAMES: Mapping[str, tuple[str, ...]] = {
    "GAMES": ("engine.games:GAMES",),
    "Table": ("engine.table:Table",),
    "view": ("engine.secrets:view",),
    "entry_of": ("engine.journal:entry_of",),
    "entry_json": ("engine.journal:entry_json",),
    "EngineError": ("engine.errors:EngineError",),
    "house_deck": ("device.storage.decks:house_deck", "device.decks:house_deck"),
    "screens_64": ("device.display.screens_64", "device.faces.screens"),
    "screens_32": ("device.display.screens_32", "device.faces.strip"),
    "PlayView": ("engine.views:PlayView", "builtins:dict"),
    "display_view": ("tests.device.display.views:a_view", "builtins:dict"),
    "panel": ("web.render.templates:panel", "web.looks:panel"),
    "seat_panel": ("web.render.templates:seat_panel", "web.looks:seat_panel"),
    "page": ("web.render.templates:page", "web.looks:page"),
    "create_app": ("web.app:create_app",),
    "WebTable": ("tests.web.web_table:WebTable", "tests.web.fake_table:FakePort", "tests.web.fake:FakePort"),
    "phone": ("tests.web.phones:phone",),
    "Reader": ("vision.reader:Reader",),
    "main": ("device.cli:main",),
}
"""Where each name is, the planned place first: `module:attribute`, or a module alone."""

Pair = tuple[str, Any]
Parts = Mapping[str, Callable[[Namespace], Iterator[Pair]]]


@cache
def find(name: str) -> Any:
    """Return what `name` of `NAMES` is in this checkout. Raises LookupError where it is at none of its places."""
    for place in NAMES[name]:
        module, _, attribute = place.partition(":")
        try:
            found = importlib.import_module(module)
        except ModuleNotFoundError as error:
            if error.name is None or not f"{module}.".startswith(f"{error.name}."):
                raise  # the module is there, but what it imports is not
            continue
        if not attribute or hasattr(found, attribute):
            return getattr(found, attribute) if attribute else found
    raise LookupError(f"{name} is at none of {', '.join(NAMES[name])}: add its new place to NAMES.")


def plain(value: Any) -> Any:
    """Turn a value that JSON does not know into one that it does."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    return sorted(value, key=str) if isinstance(value, set | frozenset) else str(value)


def dump(value: Any) -> str:
    """Return `value` as JSON in one line, its keys sorted."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, default=plain)


# Playing -------------------------------------------------------------------------------------------------------------

SEATS = ("away", "home")
AUDIENCES = (None, *SEATS)
EVERY = 7
"""Entries between two views that are looked at, of one audience after the other."""
MOST = 1500
"""Entries after which a random game is broken off."""
DEFAULTS, MIX = "defaults", "mix"


def house_rules(game: Any, kind: str, key: str) -> dict[str, str]:
    """Return the house rules that differ from their defaults in a game of this kind: none, one, or a mix.

    In a mix each rule has its own luck, so that a rule that is added or removed leaves the others alone.
    """
    if kind != MIX:
        return dict([kind.split("=", 1)]) if "=" in kind else {}
    luck = {rule.key: Random(f"{key} {rule.key}") for rule in game.house_rules if len(rule.values) > 1}
    return {
        rule.key: luck[rule.key].choice(rule.values[1:])
        for rule in game.house_rules
        if rule.key in luck and luck[rule.key].random() < 0.2
    }


def kinds(game: Any, count: int) -> Iterator[tuple[str, int]]:
    """Yield kind and number of each of `count` games: every third a mix, the others evenly over defaults and values."""
    single = [DEFAULTS, *(f"{rule.key}={value}" for rule in game.house_rules for value in rule.values[1:])]
    places = dict.fromkeys([*single, MIX], 0)
    for i in range(count):
        kind = MIX if i % 3 == 2 else single[(i - i // 3) % len(single)]
        yield kind, places[kind]
        places[kind] += 1


def new(game: Any, house: Mapping[str, str]) -> Any:
    """Start a game with the deck that ships with it."""
    return find("Table")(game, [deck(game.key)], house)


@cache
def deck(key: str) -> Any:
    """Return the deck that ships with a game."""
    return find("house_deck")(find("GAMES")[key])


def answer(ask: Any, luck: Random) -> Any:
    """Return a legal answer to an ask. The first option, a game's plain one, comes up more often than the others."""
    ask = getattr(ask, "ask", ask)  # a Secret holds the ask it hides
    match type(ask).__name__:
        case "Roll":
            return [luck.choice(die.faces) for die in ask.dice]
        case "Reroll":
            again = luck.sample(ask.free, luck.randint(1, min(ask.most, len(ask.free))))
            return [luck.choice(die.faces) if place in again else None for place, die in enumerate(ask.dice)]
        case "Choose" | "Draw":
            return ask.options[0] if luck.random() < 0.6 else luck.choice(ask.options)
        case "Call":
            return luck.choice(ask.wins)
        case "Arrange":
            count = luck.randint(ask.least, min(len(ask.pieces), len(ask.places)))
            return dict(zip(luck.sample(ask.places, count), luck.sample(ask.pieces, count), strict=True))
    raise ValueError(f"no such kind of ask: {ask}")


def moves(table: Any, luck: Random) -> Iterator[Any]:
    """Play to the end, or to `MOST` entries, and yield what each step told.

    A few steps take back, correct, or give an answer that is refused. Where the house plays a seat, it answers.
    """
    while table.asks() and len(table.journal) < MOST:
        (n, ask), act = luck.choice(table.asks()), luck.random()
        try:
            if table.answers and act < 0.01:
                yield table.undo(luck.choice(table.answers[-4:]).n)
            elif table.answers and act < 0.025:
                one = luck.choice(table.answers[-6:])
                value = answer(one.ask, luck)
                seen = table.preview(one.n, value)
                yield seen.kept, seen.dropped, table.amend(one.n, value)
            elif act < 0.035:
                seat, value = (ask.seat, "nonsense") if act < 0.03 else (SEATS[ask.seat == "away"], answer(ask, luck))
                yield table.answer(seat, n, value)
            else:
                solo = table.game.solo if table.house.get("solo") == "houseBot" and ask.seat == "away" else None
                chosen = solo(table.view("away"), luck.choice) if solo else None
                yield table.answer(ask.seat, *(chosen or (n, answer(ask, luck))))
        except find("EngineError") as error:
            yield f"refused: {error}"


def news(told: Any) -> Any:
    """Return what a step told as anyone may hear it."""
    return find("view")(told, None) if isinstance(told, tuple) else told


def random_game(job: tuple[str, str, str]) -> Pair:
    """Play one random game and return the digest of all that came of it, with one short digest every few views."""
    key, name, kind = job
    game, whole, trail = find("GAMES")[name], sha256(), list[str]()
    house = house_rules(game, kind, key)
    try:
        table = new(game, house)
    except find("EngineError") as error:
        return key, {"house": house, "refused": str(error)}
    step, seen, fault = 0, 0, None
    try:
        for step, told in enumerate(moves(table, Random(key)), 1):
            entries = [find("entry_json")(entry) for entry in table.journal[seen:]]
            whole.update(dump([news(told), entries]).encode())
            seen = len(table.journal)
            if step % EVERY == 0:
                whole.update(dump(table.view(AUDIENCES[step // EVERY % 3])).encode())
                trail += [f"{seen}:{whole.hexdigest()[:6]}"] if step % (3 * EVERY) == 0 else []
    except Exception as error:
        fault = f"{type(error).__name__}: {error}"
    board = find("view")(table.scoreboard(), None)
    end = [[table.view(seat) for seat in AUDIENCES], table.lines(), table.header.decks]
    if step % 5 == 0:  # it replays the game
        end += [table.entries(seat) for seat in AUDIENCES]
    whole.update(dump(find("view")(end, None)).encode())
    counts = {"steps": step, "entries": seen, "answers": len(table.answers), "events": len(table.log)}
    ended = {"outcome": table.outcome and table.outcome.reason, "runs": [board["sides"][one]["runs"] for one in SEATS]}
    return key, {"house": house, "fault": fault, "trail": trail, "sha256": whole.hexdigest()} | counts | ended


def games(args: Namespace) -> Iterator[Pair]:
    """Play random games of each rulebook."""
    jobs = [
        (f"{name} {kind} {number}", name, kind)
        for name, game in find("GAMES").items()
        for kind, number in kinds(game, args.each.get(name, args.games))
    ]
    yield from spread(random_game, jobs, args.processes)


def spread(work: Callable[[Any], Any], jobs: list[Any], processes: int) -> Iterator[Any]:
    """Do the jobs in several processes and yield the results in order."""
    if processes < 2:
        yield from map(work, jobs)
        return
    with get_context("fork").Pool(processes) as pool:
        yield from pool.imap(work, jobs)


# Golden journals, and moments of games --------------------------------------------------------------------------------


def stored(tree: Path) -> Iterator[tuple[str, Any, dict[str, str], list[Any]]]:
    """Yield name, game, house rules that are no defaults, and entries of each golden journal."""
    for path in sorted((tree / "tests/golden").glob("*.jsonl")):
        rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        game, usual = find("GAMES")[rows[0]["header"]["game"]], None
        usual = game.house({})
        house = {key: value for key, value in rows[0]["header"]["house"].items() if usual.get(key) != value}
        yield path.stem, game, house, [find("entry_of")(row["entry"]) for row in rows if "entry" in row]


def golden(args: Namespace) -> Iterator[Pair]:
    """Replay the golden journals."""
    for name, game, house, entries in stored(args.tree):
        table, digests = new(game, house), list[str]()
        for entry in entries:
            told = news(table.write(entry))
            digests.append(sha256(dump([told, [table.view(seat) for seat in AUDIENCES]]).encode()).hexdigest()[:12])
        yield f"{name} header", table.header.as_json()
        yield f"{name} entries", digests
        yield f"{name} log", [line.sentence for line in table.lines()]
        for seat in AUDIENCES:
            yield f"{name} view {seat}", table.view(seat)
            yield f"{name} journal {seat}", table.entries(seat)


def moments(tree: Path, game: Any, count: int) -> Iterator[tuple[str, Any]]:
    """Yield about `count` evenly spaced moments of golden and random games, and where something is asked first."""
    runs = [(name, house, entries) for name, owner, house, entries in stored(tree) if owner.key == game.key]
    for kind in (DEFAULTS, DEFAULTS + "-2", MIX, MIX + "-2"):
        house = house_rules(game, kind.partition("-")[0], f"{game.key} {kind}")
        with contextlib.suppress(find("EngineError")):
            table = new(game, house)
            for _ in moves(table, Random(f"{game.key} moments {kind}")):
                pass
            runs.append((f"{game.key} {kind}", house, table.journal))
    step, at, asked = sum(len(run[2]) for run in runs) // count, 0, set[Any]()
    for name, house, entries in runs:
        table = new(game, house)
        for place, entry in enumerate(entries, 1):
            table.write(entry)
            at += 1
            codes = {(type(getattr(ask, "ask", ask)).__name__, ask.why) for _, ask in table.asks()}
            if at % step == 0 or codes - asked or table.outcome:
                yield f"{name} @{place}", table.clone()
            asked |= codes


# Displays and pages ---------------------------------------------------------------------------------------------------

NO_CAMERA = "No camera: type the dice on a phone or with the buttons."
ADVICE = "A die is hard to read: turn on a light or nudge it flat."


def small_view(table: Any, seat: str | None, **special: Any) -> dict[str, Any]:
    """Return the view that displays and pages are handed, of a table where nothing special is going on."""
    lines = [find("view")(line, None) for line in table.lines()]
    lines = [line | {"evidence": f"1-{line['n']}" if line["n"] % 3 == 0 else None} for line in lines]
    lines = [line | {"corrected": line["n"] % 6 == 0} for line in lines]
    half = [(line["game"], line["inning"], line["half"]) for line in lines]
    view: dict[str, Any] = {
        "version": len(table.journal),
        "game": {"key": table.game.key, "title": table.game.title},
        "table": find("view")(table.view(seat), None),
        "undone": table.undone,
        "plays": [find("PlayView")(**line) for line, where in zip(lines, half, strict=True) if where == half[-1]],
        "watching": {"state": "empty", "words": "The tray is empty."},
        "missing": [],
    }
    return view | dict.fromkeys(("proposal", "notice", "dial", "race", "layout")) | special


def special(table: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield what else a view of this table may hold: what is missing, said, turned to, seen, or raced for."""
    yield "plain", {}
    yield "notice", {"notice": "A phone took the home seat. The phone of the away seat is free again."}
    asks = find("view")(table.view(None), None)["asks"]
    if not asks:
        return
    ask = asks[0]
    at = {"n": ask["n"], "seat": ask["seat"]}
    options = [one["label"] for one in ask.get("options") or ask.get("pieces") or ()] or ["red die: 4", "white die: 5"]
    place = ask["n"] % len(options)
    turned = at | {"label": options[place], "index": place, "count": len(options), "touched": True}
    if ask["secret"]:
        turned |= {"label": "secret", "index": None, "count": None, "touched": False}
        yield "blind", {"dial": turned | {"how": "turn unseen, then OK", "brief": "turns, OK"}}
    yield "dial", {"dial": turned}
    if ask["kind"] in ("roll", "reroll"):
        faces = [die["faces"][(5 * i + ask["n"]) % len(die["faces"])] for i, die in enumerate(ask["dice"])]
        words, again = ", ".join(map(str, faces)), ask.get("free") and ask["free"][:1]
        rest = {"likely": [[]] * len(faces), "clear": [True] * len(faces), "evidence": "1-3", "source": "camera"}
        sure = at | rest | {"faces": faces, "words": words, "again": again, "sure": True, "seconds": 1.2, "total": 2.0}
        sure |= {"doubt": None, "advice": None}
        doubt = sure | {"sure": False, "seconds": None, "doubt": "unclear", "advice": ADVICE}
        yield "no camera", {"missing": [NO_CAMERA], "watching": {"state": "off", "words": NO_CAMERA}}
        yield "sure roll", {"proposal": sure}
        yield "held roll", {"proposal": sure | {"seconds": None}}
        yield "doubtful roll", {"proposal": doubt}
        yield "unread roll", {"proposal": doubt | {"faces": faces[:-1]}, "dial": turned}
    if ask["kind"] == "arrange":
        line = {"value": {}, "sure": True, "words": ["Not on the board: 5/4."], "line": "All Gloves seen: OK?"}
        yield "layout", {"layout": at | line, "dial": turned | {"touched": False}}
    if ask["kind"] == "call":
        for states in (("rolling", "ready"), ("void", "called"), ("confirm", "rolling")):
            seats = {
                one["seat"]: {"wins": one["wins"], "face": one["wins"][0], "state": state, "words": f"It is {state}."}
                for one, state in zip(asks, states, strict=False)
            }
            question = (
                at | {"sentence": "Away called OUT: what does the red die show?"} if "confirm" in states else None
            )
            race = {"n": {one["seat"]: one["n"] for one in asks}, "seats": seats, "confirm": question}
            yield f"race {states[0]}", {"race": race, "dial": question and turned}


def rows(image: Any) -> list[str]:
    """Return a picture of one-bit pixels as a hexadecimal number a line."""
    wide, data = (image.width + 7) // 8, image.tobytes()
    return [data[i : i + wide].hex() for i in range(0, len(data), wide)]


def displays(args: Namespace) -> Iterator[Pair]:
    """Draw what the little display shows, with 64 lines and with 32."""
    screens = {lines: find(f"screens_{lines}") for lines in ("64", "32")}
    others: dict[str, tuple[Any, ...]] = {
        "message": ("message", "The camera is off", "Plug it in, or type the dice on a phone."),
        "long message": ("message", "A title that has no room at all", "Words and more words. " * 9),
        "join": ("join", "http://dugout.local:8000/", "192.168.1.23", "4711"),
        "join far": ("join", f"http://{'dugout.' * 9}example:8000/", "fd00::1234:5678:9abc:def0", ""),
        "bye": ("bye", "The table may be switched off now."),
    }
    others |= {f"sleep {tick}": ("sleep", tick) for tick in (0, 1, 60)}
    items = [f"Entry {i}, the {i}th of this menu" for i in range(9)]
    others |= {f"menu {i} of {n}": ("menu", items[:n], i) for n in (2, 9) for i in (0, n - 1)}
    for name, (draw, *given) in others.items():
        yield f"screen {name}", {lines: rows(getattr(on, draw)(*given)) for lines, on in screens.items()}
    for game in find("GAMES").values():
        for name, table in moments(args.tree, game, args.views):
            for what, more in special(table):
                view = find("display_view")(**small_view(table, None, **more))
                yield f"{name} {what}", {lines: rows(on.game(view)) for lines, on in screens.items()}


ASSETS = re.compile(r"^<(?:link rel=\"(?:stylesheet|modulepreload)\"|script type=\"module\") .*\n", re.M)
"""The styles and scripts that a page loads: their names may change. Browser tests prove that they are there."""


def tags(html: str) -> str:
    """Return a page tag by tag, one on a line, without white space between tags and without the files it loads."""
    return re.sub(r">\s+<|><", ">\n<", ASSETS.sub("", html)).strip()


def panels(args: Namespace) -> Iterator[Pair]:
    """Render the panel of the game for all and for each seat, and the overlay."""
    for game in find("GAMES").values():
        for name, table in moments(args.tree, game, args.views):
            public = find("display_view")(**small_view(table, None))
            usual = find("panel")(public)
            yield f"{name} panel", {key: tags(html) for key, html in usual.items()}
            overlay = find("page")("overlay.html", regions=usual, theme="dark", size=100)
            yield f"{name} overlay", tags(overlay.body.decode())
            for seat in SEATS:
                mine = find("seat_panel")(find("display_view")(**small_view(table, seat)), public)
                yield f"{name} {seat}", {key: tags(html) for key, html in mine.items() if html != usual.get(key)}
            for what, more in special(table):
                drawn = find("panel")(find("display_view")(**small_view(table, None, **more)))
                if what != "plain":
                    yield f"{name} {what}", {key: tags(html) for key, html in drawn.items() if html != usual[key]}


def pages(args: Namespace) -> Iterator[Pair]:
    """Get whole pages and what the API tells, as each kind of phone does, from the tests' table without a machine."""
    moving = ["/", "/plays", "/games", "/games/1", "/table", "/seat", "/overlay?theme=light&size=150"]
    moving += [f"/api/{name}" for name in ("view", "plays", "rolls", "answers", "health")]
    still = ["/decks", "/join.svg", "/nothing", "/api/catalogue", "/api/decks", "/api/figures", "/api/phones"]
    for game in find("GAMES").values():
        for place, (name, table) in enumerate(islice(moments(args.tree, game, args.views), 0, None, 8)):
            if find("WebTable").__name__ == "FakePort":  # before there was a real session behind the pages
                port = find("WebTable")(game)
                port.table = table
            else:
                port = find("WebTable")(game, table=table)
            for who in ("spectator", "operator", *SEATS):
                with find("phone")(find("create_app")(getattr(port, "port", port)), who) as client:
                    for path in [*moving, *([] if place else [*still, f"/decks/{game.key}/house"])]:
                        got = client.get(path)
                        kind = got.headers.get("content-type", "")
                        if "json" in kind:
                            body = got.json()
                        elif re.match("text|image/svg", kind):
                            body = tags(got.text)
                        else:
                            body = len(got.content)
                        yield f"{name} {who} {path}", {"status": got.status_code, "type": kind, "body": body}


def openapi(args: Namespace) -> Iterator[Pair]:
    """Describe the web's API."""
    port = find("WebTable")()
    document = find("create_app")(getattr(port, "port", port)).openapi()
    for part, held in document.items():
        for key, value in held.items() if part == "paths" else [("", held)]:
            yield f"{part} {key}".strip(), value


# Dice, commands and rules ---------------------------------------------------------------------------------------------

D20 = ("rsandrini", "willward1")
"""The folders of photos that show d20; the others show d6."""
TOGETHER = 25
"""Photos that one reader reads in a row."""


@cache
def reader(*kinds: str) -> Any:
    """Return this process's reader of these kinds of dice, or of all."""
    import cv2

    cv2.setNumThreads(1)  # the same bits however many cores there are
    return find("Reader")(kinds=frozenset(kinds)) if kinds else find("Reader")()


def read(frame: Any, kind: str) -> dict[str, Any]:
    """Read a picture looking for every kind of dice, then for the one kind."""
    found = {}
    for name, reading in {"any": reader().read(frame), kind: reader(kind).read(frame)}.items():
        dice = [{field.name: repr(getattr(die, field.name)) for field in fields(die)} for die in reading.dice]
        found[name] = {"doubt": reading.doubt, "dice": dice}
    return found


def read_photos(root: Path, paths: list[Path]) -> list[Pair]:
    """Read the dice in these photos, and in every third frame of a film, with readers that have learned nothing yet.

    A reader learns from what it sees, so each answer depends on the pictures before it.
    """
    import cv2

    reader.cache_clear()
    found = list[Pair]()
    for path in paths:
        name, kind = str(path.relative_to(root)), "d20" if path.relative_to(root).parts[1] in D20 else "d6"
        if path.suffix != ".avi":
            found.append((name, read(cv2.imread(str(path)), kind)))
            continue
        film, number = cv2.VideoCapture(str(path)), 0
        while (shot := film.read())[0]:
            found += [(f"{name}#{number}", read(shot[1], kind))] if number % 3 == 0 else []
            number += 1
    return found


def readings(args: Namespace) -> Iterator[Pair]:
    """Read the photos of real dice, where they are at hand."""
    found = [path for part in ("licensed", "measure") for path in sorted((args.dice / part).rglob("*.*"))]
    found = [path for path in found if path.suffix.lower() in (".jpg", ".jpeg", ".png", ".avi")]
    if not found:
        raise LookupError(f"There are no photos of dice in {args.dice}: name their folder with --dice.")
    count = min(args.photos or len(found), len(found))
    chosen = [found[i * len(found) // count] for i in range(count)]
    folders = groupby(chosen, key=lambda path: path.relative_to(args.dice).parts[1])
    sets = [list(some) for _, some in folders]
    jobs = [some[i : i + TOGETHER] for some in sets for i in range(0, len(some), TOGETHER)]
    for pairs in spread(partial(read_photos, args.dice), jobs, args.processes):
        yield from pairs


def commands(args: Namespace) -> Iterator[Pair]:
    """Print the help of `dugout` and of each command below it."""
    os.environ["COLUMNS"] = "100"
    waiting: list[tuple[str, ...]] = [()]
    while waiting:
        command = waiting.pop(0)
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.suppress(SystemExit):
            find("main")([*command, "--help"])
        yield " ".join(("dugout", *command)), out.getvalue().splitlines()
        waiting += [(*command, name) for name in re.findall(r"^ {4}([a-z][\w-]*)(?: |$)", out.getvalue(), re.MULTILINE)]


def rules(args: Namespace) -> Iterator[Pair]:
    """List the rules that each game's index names, its house rules, and what else a game is known by."""
    for path in sorted((args.tree / "engine/games").glob("*/rules.md")):
        index = path.read_text("utf-8")
        yield f"{path.parent.name} ids", re.findall(r"^\| ([A-Z]{2}-\d{3}) \|", index, re.MULTILINE)
    for key, game in find("GAMES").items():
        yield f"{key} game", {"title": game.title, "version": game.version, "deck": deck(key).digest}
        yield f"{key} shapes", sorted(game.shapes)
        for rule in game.house_rules:
            yield f"{key} house {rule.key}", rule


PARTS: Parts = {
    "rules": rules,
    "help": commands,
    "openapi": openapi,
    "golden": golden,
    "displays": displays,
    "panels": panels,
    "pages": pages,
    "games": games,
    "readings": readings,
}
"""The parts by name, the quick ones first."""


OURS = ("engine", "managers", "device", "web", "vision", "tests")


def enter(tree: Path) -> None:
    """Have this checkout's packages found, and never those that are installed. Raises LookupError where they are not.

    An editable install would else fill in modules that this checkout does not have.
    """
    sys.meta_path[:] = [one for one in sys.meta_path if "__editable__" not in getattr(one, "__module__", "")]
    sys.path.insert(0, str(tree))
    sys.dont_write_bytecode = True
    warnings.simplefilter("ignore")
    for name in OURS:
        importlib.import_module(name)
    check(tree)


def check(tree: Path) -> None:
    """Raise LookupError where a module that was loaded is from elsewhere."""
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if name.partition(".")[0] in OURS and file and not Path(file).resolve().is_relative_to(tree):
            raise LookupError(f"{name} comes from {file}, not from {tree}.")


def record(part: str, args: Namespace) -> Iterable[str]:
    """Yield a part's lines as they are stored."""
    for key, value in PARTS[part](args):
        yield dump({"key": key, "value": value})
    check(args.tree)
