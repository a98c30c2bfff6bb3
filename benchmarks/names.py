"""Figures about names and docstrings, which `benchmarks.structure` bounds.

A one-word name rarely says what is done to what. A constant that shares its line has no comment. A name that is defined
often, or a class in several modules, has several meanings. A docstring that begins "Return what" or has several
thoughts in its first sentence paraphrases a vague name.
"""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path

IRREGULAR = re.compile(
    "given|taken|made|kept|left|held|gone|lost|won|shown|known|drawn|thrown|written|chosen|told|meant|found|seen|got|put|"
    "sent|said|laid|dealt|hidden|broken|spoken|worn|bought|built|stuck|struck|fallen|begun|done|torn"
)
"""Irregular participles."""

MAX_RARE_DEFINITIONS = 5  # A name with more definitions than this is common.


def figures(paths: Iterable[Path]) -> dict[str, int]:
    """Return every figure by the name of its bound. Shares are in percent, rounded up."""
    functions, constants, documented = list[str](), list[str](), 0
    classes: dict[str, set[Path]] = defaultdict(set)
    sharing = vague = crowded = 0
    for path in paths:
        tree = ast.parse(path.read_text("utf-8"))
        for node in ast.walk(tree):
            match node:
                case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) if not name.startswith("__"):
                    functions.append(name.strip("_"))
                case ast.ClassDef(name=name):
                    classes[name].add(path)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module):
                text = ast.get_docstring(node) or ""
                first = re.split(r"\.\s", text)[0]
                documented += bool(text)
                vague += bool(re.match(r"Return (what|how|who|where|why)\b", text))
                crowded += ";" in first or first.count(":") > 1
        for statement in tree.body:
            for target in _targets(statement):
                if isinstance(target, ast.Tuple):
                    sharing += len(target.elts)
                elif isinstance(target, ast.Name) and re.fullmatch(r"_?[A-Z][A-Z0-9_]*", target.id):
                    constants.append(target.id.strip("_"))
    short = [name for name in functions if "_" not in name]
    return {
        "one-word functions in percent": _percent(len(short), len(functions)),
        "one-word constants in percent": _percent(sum("_" not in name for name in constants), len(constants)),
        "functions named by a participle": sum(map(_is_participle, functions)),
        "constants that share a line": sharing,
        "common one-word names": sum(count > MAX_RARE_DEFINITIONS for count in Counter(short).values()),
        "class names in several modules": sum(len(where) > 1 for where in classes.values()),
        "docstrings that begin with Return what": vague,
        "crowded first sentences in percent": _percent(crowded, documented),
    }


def _targets(statement: ast.stmt) -> list[ast.expr]:
    match statement:
        case ast.Assign(targets=targets):
            return targets
        case ast.AnnAssign(target=target):
            return [target]
    return []


def _is_participle(name: str) -> bool:
    return bool(re.fullmatch(r"[a-z]{2,}ed", name) or IRREGULAR.fullmatch(name))


def _percent(part: int, whole: int) -> int:
    return -(-100 * part // max(1, whole))
