"""Every regular expression of the product: literals in the sources, and those that its card languages build."""

from __future__ import annotations

import ast
import gc
import importlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from engine.games import GAMES
from engine.phrases import Vocabulary

ROOT = Path(__file__).parents[3]
ROOMS = ("device", "engine", "managers", "vision", "web")

WHOLE = frozenset({"fullmatch", "match"})
"""Methods that try a pattern at one place only."""


@dataclass(frozen=True, slots=True)
class ProductPattern:
    """A compiled pattern, where it stands, and whether it is tried at every place of a text (`search`, `sub`)."""

    where: str
    compiled: re.Pattern[str]
    searches: bool


def product_patterns() -> list[ProductPattern]:
    """Return all of them, except those that depend on a function's own names."""
    found = [one for file in _sources() for one in _of_source(file)]
    return found + list(_of_vocabularies())


def _sources() -> list[Path]:
    return sorted(file for room in ROOMS for file in (ROOT / room).rglob("*.py"))


def _module(file: Path) -> ModuleType:
    parts = file.relative_to(ROOT).with_suffix("").parts
    return importlib.import_module(".".join(parts[:-1] if parts[-1] == "__init__" else parts))


def _of_source(file: Path) -> Iterator[ProductPattern]:
    """Yield the patterns given to functions of `re` in one file."""
    source = file.read_text()
    if "import re\n" not in source:
        return
    tree, module = ast.parse(source), _module(file)
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for call in ast.walk(tree):
        if not (isinstance(call, ast.Call) and ast.unparse(call.func) in _FUNCTIONS):
            continue
        function, pattern = _FUNCTIONS[ast.unparse(call.func)], _value(call.args[0], module)
        if not isinstance(pattern, str):
            continue
        flags = next((one.value for one in call.keywords if one.arg == "flags"), None)
        if flags is None and len(call.args) == 1 + _BEFORE_FLAGS[function]:
            flags = call.args[-1]
        given = _value(flags, module) if flags is not None else 0
        compiled = re.compile(pattern, given if isinstance(given, int) else 0)
        name = _name(parents.get(call))
        methods = set(re.findall(rf"\b{name}\.(\w+)\(", source)) if name else {function}
        yield ProductPattern(f"{file.relative_to(ROOT)}: {pattern}", compiled, not methods or bool(methods - WHOLE))


_BEFORE_FLAGS = {
    "compile": 1,
    "match": 2,
    "fullmatch": 2,
    "search": 2,
    "findall": 2,
    "finditer": 2,
    "split": 3,
    "sub": 4,
}
"""The functions of `re` that are used, and how many arguments come before flags."""

_FUNCTIONS = {f"re.{one}": one for one in _BEFORE_FLAGS}


def _value(node: ast.expr, module: ModuleType) -> str | int | None:
    """Return what an expression of constants is; None if it depends on a function's own names."""
    try:
        value = eval(compile(ast.Expression(node), "", "eval"), vars(module))
    except NameError:
        return None
    value = value.pattern if isinstance(value, re.Pattern) else value
    return value.decode("latin-1") if isinstance(value, bytes) else value


def _name(node: ast.AST | None) -> str:
    """Return the name that a pattern is bound to, "" for none."""
    return node.targets[0].id if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) else ""


def _of_vocabularies() -> Iterator[ProductPattern]:
    """Yield the patterns of the rows of every card language. They match whole phrases."""
    assert GAMES
    for one in [one for one in gc.get_objects() if isinstance(one, Vocabulary)]:
        for reader in one._row_readers:
            yield ProductPattern(f"{one.what}: {reader.pattern.pattern}", reader.pattern, False)
