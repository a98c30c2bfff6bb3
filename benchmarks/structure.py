"""How the code hangs together. `python -m benchmarks.structure`

Prints the import cycles (imports inside functions and under TYPE_CHECKING count too), the fullest folders, the uses of
untyped dicts, and what one die and one button press cost: modules entered, calls, jumps from one module to another, and
views rendered. Layers are checked by import-linter (`scripts/check`).
"""

from __future__ import annotations

import ast
import re
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import FrameType
from typing import Any

from engine.journal import Source

ROOT = Path(__file__).parents[1]
ROOMS = ("engine", "managers", "vision", "web", "device")
UNTYPED = re.compile(r"(?:dict|Mapping)\[str, Any\]")


def modules() -> dict[str, Path]:
    """Return every module of the product by its dotted name."""
    found = {}
    for path in sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py")):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        found[name.removesuffix(".__init__")] = path
    return found


def imports(known: Mapping[str, Path]) -> dict[str, set[str]]:
    """Return what each module imports of the others."""
    graph: dict[str, set[str]] = defaultdict(set)
    for name, path in known.items():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                full = [f"{node.module}.{alias.name}" for alias in node.names]
                graph[name] |= {one if one in known else node.module for one in full} & known.keys()
            elif isinstance(node, ast.Import):
                graph[name] |= {alias.name for alias in node.names} & known.keys()
    return graph


def cycles(graph: Mapping[str, set[str]]) -> Iterator[list[str]]:
    """Yield each group of modules that import one another in a circle (Tarjan's strongly connected components)."""
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


class Trace:
    """Counts the calls into the product while a function runs."""

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
        self.views += (module, code.co_name) == ("engine/table.py", "views")
        self.clones += (module, code.co_name) == ("engine/table.py", "clone")

    def run(self, label: str, act: Callable[[], Any]) -> set[str]:
        """Print what `act` costs; return the modules it entered."""
        sys.setprofile(self)
        try:
            act()
        finally:
            sys.setprofile(None)
        calls = f"{sum(self.modules.values())} calls, {self.jumps} jumps between modules"
        table = f"table shown {self.views} times, copied {self.clones} times"
        print(f"{label}: {len(self.modules)} modules, {calls}, {table}")
        return set(self.modules)


def one_die() -> None:
    """Follow one d6 of Small Ball from the camera's throw to display and phone."""
    from device.display.menu import Menu
    from device.storage.decks import house_deck
    from device.storage.store import Store
    from device.table.session import Session
    from device.table.throw_match import SeenThrow
    from engine.games import GAMES
    from engine.table import Table
    from vision.reading import Die
    from web.render.templates import panel

    game, now = GAMES["small-ball"], [100.0]
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder) / "journal.db")
        session = Session(store, lambda: Table(game, (house_deck(game),)), show=1.0, clock=lambda: now[0])
        menu = Menu(session, lambda: ("http://x/", "x", "123456"), *[lambda: None] * 3)
        n, ask = session.game.table.asks()[0]
        while ask.why != "decision":
            value = getattr(ask, "options", (1,))[0] if hasattr(ask, "options") else [1]
            session.seats.answer(ask.seat, n, value, Source.PHONE)
            n, ask = session.game.table.asks()[0]
        session.seats.answer(ask.seat, n, "bat", Source.PHONE)
        menu.picture()
        panel(session.game.view(None))
        throw = SeenThrow((Die("d6", 4, "white", (10, 10, 30, 30), 0.99),), 101.0)
        entered = Trace().run("a throw becomes a proposal", lambda: session.rolls.saw(throw))
        now[0] = 105
        entered |= Trace().run("it counts", session.tick)
        entered |= Trace().run("the display's picture", menu.picture)
        entered |= Trace().run("a phone's page", lambda: panel(session.game.view(None)))
        print(f"all four: {len(entered)} modules")
        Trace().run("a button moves the cursor", lambda: menu.pressed("away-next", now[0]))
        Trace().run("undo", lambda: menu.pressed("undo", now[0]))
        store.close()


def main() -> None:
    known = modules()
    found = list(cycles(imports(known)))
    print(f"{len(known)} modules, {len(found)} import cycles")
    for group in found:
        print(" ", " ".join(group))
    full = Counter(str(path.parent.relative_to(ROOT)) for path in known.values() if path.name != "__init__.py")
    print("fullest folders:", ", ".join(f"{folder} {count}" for folder, count in full.most_common(4)))
    uses = sum(len(UNTYPED.findall(path.read_text("utf-8"))) for path in known.values())
    print(f"{uses} uses of dict[str, Any] or Mapping[str, Any]")
    one_die()


if __name__ == "__main__":
    main()
