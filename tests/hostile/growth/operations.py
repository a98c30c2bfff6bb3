"""Count the operations of a piece of work, the same on any machine, however busy it is.

Operations are lines of Python that run, and characters that are offered to regular expressions, in our code and in the
libraries. A pattern that needs more than it is offered is found by `test_patterns`.
"""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from types import FrameType, ModuleType
from typing import Any
from unittest.mock import patch

TOOLS = frozenset({"re", "_pytest", "pytest", "pluggy", "hypothesis"})
"""Packages whose own patterns are not counted."""


class Operations:
    """The operations counted so far, those of every thread that began meanwhile."""

    def __init__(self) -> None:
        self.lines = self.offered = 0

    @property
    def total(self) -> int:
        """Lines and characters together."""
        return self.lines + self.offered

    def trace(self, frame: FrameType, event: str, argument: Any) -> Callable[..., Any]:
        """Count a line, as a trace function of `sys.settrace`."""
        self.lines += event == "line"
        return self.trace


class CountedPattern:
    """A compiled pattern that counts the characters it is offered; everything else is the pattern's own."""

    def __init__(self, pattern: re.Pattern[Any], counter: Operations) -> None:
        self._pattern, self._counter = pattern, counter

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._pattern, name)
        if name not in ("search", "match", "fullmatch", "split", "findall", "finditer", "sub", "subn"):
            return found

        def counted(*given: Any, **named: Any) -> Any:
            text, *rest = given[name in ("sub", "subn") :]
            start = rest[0] if rest and name in ("search", "match", "fullmatch", "findall", "finditer") else 0
            self._counter.offered += max(0, len(text) - start)
            return found(*given, **named)

        return counted


@contextmanager
def counted() -> Iterator[Operations]:
    """Count what is done within, by this thread and those that it starts."""
    counter = Operations()
    compiled, before, threads = vars(re)["_compile"], sys.gettrace(), threading.gettrace()
    replaced = _patterns(len(sys.modules))
    with patch.object(re, "_compile", lambda *given: CountedPattern(compiled(*given), counter)):
        for module, name, pattern in replaced:
            setattr(module, name, CountedPattern(pattern, counter))
        threading.settrace(counter.trace)
        sys.settrace(counter.trace)
        try:
            yield counter
        finally:
            sys.settrace(before)
            threading.settrace(threads)
            for module, name, pattern in replaced:
                setattr(module, name, pattern)


@cache
def _patterns(modules: int) -> list[tuple[ModuleType, str, re.Pattern[Any]]]:
    """The patterns that modules hold under a name, but not those of `re` itself and of the tests' tools.

    Looking through all `modules` takes longer than most requests: it is done again when there are more of them.
    """
    return [
        (module, name, value)
        for module in list(sys.modules.values())
        if (module.__name__ or "").partition(".")[0] not in TOOLS
        for name, value in list(vars(module).items())
        if isinstance(value, re.Pattern)
    ]
