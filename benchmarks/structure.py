"""Structure of the code, with bounds: `python -m benchmarks.structure`

Prints lines by folder, import cycles (with imports inside functions and under TYPE_CHECKING), untyped dicts, the
deepest class hierarchy, the largest public interface of a class, and the figures of `benchmarks.names`. It traces one
die, one press and one undo: modules entered, calls, and jumps between modules. It counts the function calls of a
recorded game of each rulebook and of an idle second. Exits with 1 if a figure exceeds its bound in
`scripts/bounds.toml`. Layers are checked by import-linter.
"""

from __future__ import annotations

import ast
import re
import sys
import tempfile
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from importlib import import_module
from pathlib import Path
from types import FrameType, FunctionType
from typing import Any, Self

from benchmarks import names, rules
from engine.games import GAMES
from engine.journal import Source

ROOT = Path(__file__).parents[1]
ROOMS = ("engine", "managers", "vision", "web", "device")
METHODS = (FunctionType, property, classmethod, staticmethod)
UNTYPED = re.compile(r"(?:dict|Mapping)\[str, Any\]")


def product_modules() -> dict[str, Path]:
    found = {}
    for path in sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py")):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        found[name.removesuffix(".__init__")] = path
    return found


def import_graph(known: Mapping[str, Path]) -> dict[str, set[str]]:
    graph: dict[str, set[str]] = defaultdict(set)
    for name, path in known.items():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                full = [f"{node.module}.{alias.name}" for alias in node.names]
                graph[name] |= {one if one in known else node.module for one in full} & known.keys()
            elif isinstance(node, ast.Import):
                graph[name] |= {alias.name for alias in node.names} & known.keys()
    return graph


def import_cycles(graph: Mapping[str, set[str]]) -> Iterator[list[str]]:
    """Yield each import cycle, as a group of modules (Tarjan's strongly connected components)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []

    def visit(name: str) -> Iterator[list[str]]:
        index[name] = low[name] = len(index)
        stack.append(name)
        for other in sorted(graph.get(name, ())):
            if other not in index:
                yield from visit(other)
                low[name] = min(low[name], low[other])
            elif other in stack:
                low[name] = min(low[name], index[other])
        if low[name] == index[name]:
            group = [stack.pop()]
            while group[-1] != name:
                group.append(stack.pop())
            if len(group) > 1:
                yield sorted(group)

    for name in sorted(graph):
        if name not in index:
            yield from visit(name)


def product_classes(known: Iterable[str]) -> Iterator[type]:
    """Yield the classes that these modules define, without protocols."""
    for name in known:
        for one in vars(import_module(name)).values():
            if isinstance(one, type) and one.__module__ == name and not getattr(one, "_is_protocol", False):
                yield one


def class_depth(one: type) -> int:
    """Return the depth of a class in the product's hierarchy, from 1."""
    own = [base for base in one.__bases__ if base.__module__.partition(".")[0] in ROOMS]
    return 1 + max(map(class_depth, own), default=0)


def public_member_count(one: type) -> int:
    """Return the number of public methods and properties, including those inherited within the product."""
    mine = (base for base in one.__mro__ if base.__module__.partition(".")[0] in ROOMS)
    return len(
        {name for base in mine for name, value in vars(base).items() if name[0] != "_" and isinstance(value, METHODS)}
    )


class Trace:
    """Profiler that counts calls into the product."""

    def __init__(self) -> None:
        self.modules: Counter[str] = Counter()
        self.jumps = self.views = self.clones = 0
        self._last = ""

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event != "call" or not code.co_filename.startswith(str(ROOT)) or ".venv" in code.co_filename:
            return
        module = str(Path(code.co_filename).relative_to(ROOT))
        self.modules[module] += 1
        self.jumps += module != self._last
        self._last = module
        self.views += (module, code.co_name) == ("engine/table.py", "views_for")
        self.clones += (module, code.co_name) == ("engine/table.py", "clone")

    def run(self, label: str, act: Callable[[], Any]) -> Self:
        """Count the cost of `act`, print it, and return self."""
        sys.setprofile(self)
        try:
            act()
        finally:
            sys.setprofile(None)
        calls = f"{sum(self.modules.values())} calls, {self.jumps} jumps between modules"
        table = f"table shown {self.views} times, copied {self.clones} times"
        print(f"{label}: {len(self.modules)} modules, {calls}, {table}")
        return self


def traced_costs() -> dict[str, int]:
    """Return the cost by bound of a die from throw to display and phone, of a press, and of an undo."""
    from device.storage.decks import house_deck
    from device.storage.store import Store
    from device.table.session import GameSession
    from device.table.throw_match import SeenThrow
    from engine.table import Table
    from tests.device.display import menus
    from vision.reading import DieReading, Reading
    from web.render.templates import render_panel

    game, now = GAMES["small-ball"], [100.0]
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder) / "journal.db")
        session = GameSession(store, lambda: Table(game, (house_deck(game),)), show=1.0, clock=lambda: now[0])
        menu = menus.menu(session)
        n, ask = session.game.table.open_asks()[0]
        while ask.why != "decision":
            value = getattr(ask, "options", (1,))[0] if hasattr(ask, "options") else [1]
            session.seats.answer_ask(ask.seat, n, value, Source.PHONE)
            n, ask = session.game.table.open_asks()[0]
        session.seats.answer_ask(ask.seat, n, "bat", Source.PHONE)
        menu.current_picture()
        render_panel(session.game.view_for(None))
        die = DieReading("d6", 4, "white", (10, 10, 30, 30), 0.99)
        throw = SeenThrow(Reading((die,), None, 1.0), 101.0)
        steps = [Trace().run("a throw becomes a proposal", lambda: session.rolls.handle_throw(throw))]
        now[0] = 105
        still = partial(session.rolls.set_camera_state, "settled", "The dice are still.", now[0])
        steps.append(Trace().run("it counts", still))
        steps.append(Trace().run("the display's picture", menu.current_picture))
        steps.append(Trace().run("a phone's page", lambda: render_panel(session.game.view_for(None))))
        press = Trace().run("a button moves the cursor", lambda: menu.handle_press("away-next", now[0]))
        undo = Trace().run("undo", lambda: menu.handle_press("undo", now[0]))
        store.close()
    return {
        "modules of a die": len({name for step in steps for name in step.modules}),
        "jumps of a die": sum(step.jumps for step in steps),
        "jumps of a press": press.jumps,
        "modules of an undo": len(undo.modules),
        "jumps of an undo": undo.jumps,
    }


def idle_calls() -> int:
    """Return the program's function calls in an idle second on the join page, without devices."""
    from device.app import MAX_TICK_S, MIN_TICK_S, App
    from device.settings import parse_settings

    settings = parse_settings(
        '[camera]\nsource = "none"\n[display]\ndriver = "none"\n[buttons]\nfactory = "none"\n', "idle"
    )
    with tempfile.TemporaryDirectory() as folder:
        app = App(settings.model_copy(update={"data": Path(folder)}), demo=False)
        app._update_components()
        waited = 0.0

        def second() -> None:
            nonlocal waited
            while waited < 1:
                waited += min(MAX_TICK_S, max(MIN_TICK_S, app._update_components()))

        calls = sum(Trace().run("a second at rest", second).modules.values())
        app.stop()
    return calls


def figures() -> dict[str, int]:
    """Return every figure by the name of its bound, and print details."""
    known = product_modules()
    found = list(import_cycles(import_graph(known)))
    for group in found:
        print("cycle:", " ".join(group))
    lines: Counter[str] = Counter()
    for path in known.values():
        folder = path.relative_to(ROOT).parts
        for name in {folder[0], "/".join(folder[:2]) if len(folder) > 2 else folder[0]}:
            lines[name] += len(path.read_text("utf-8").splitlines())
    product = list(product_classes(known))
    # Each property of a game's state answers a question of the rulebook, so states have a bound of their own.
    states = [one for one in product if one.__module__.startswith("engine.games") and one.__name__ == "State"]
    deepest, largest = max(product, key=class_depth), max(set(product) - set(states), key=public_member_count)
    print(f"deepest: {deepest.__module__}.{deepest.__name__}; largest: {largest.__module__}.{largest.__name__}")
    return {
        "lines": sum(lines[room] for room in ROOMS),
        **{f"lines of {name}": count for name, count in sorted(lines.items())},
        "import cycles": len(found),
        "untyped maps": sum(len(UNTYPED.findall(path.read_text("utf-8"))) for path in known.values()),
        "chain of classes": class_depth(deepest),
        "public face of a class": public_member_count(largest),
        "public face of a game's state": max(map(public_member_count, states)),
        **names.figures(known.values()),
        **traced_costs(),
        **{f"calls of {game.key}": rules.engine_calls(game) for game in GAMES.values()},
        "calls of an idle second": idle_calls(),
    }


def main() -> int:
    bounds, above = tomllib.loads((ROOT / "scripts" / "bounds.toml").read_text("utf-8")), 0
    for name, figure in figures().items():
        bound = bounds.pop(name, None)
        broken = bound is not None and figure > bound
        above += broken
        if broken or "-v" in sys.argv:
            print(f"{name}: {figure}, bound {bound}{': ABOVE' if broken else ''}", file=sys.stderr if broken else None)
    for name in bounds:
        print(f"scripts/bounds.toml: there is no figure {name!r}.", file=sys.stderr)
    return 1 if above or bounds else 0


if __name__ == "__main__":
    sys.exit(main())
