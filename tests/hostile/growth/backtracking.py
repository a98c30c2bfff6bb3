"""Count the steps in which a backtracking matcher tries a regular expression, and find the texts that cost it most.

It walks the tree that Python's own parser makes of a pattern, as `sre` does, without its shortcuts: they change how
many steps there are, not how they grow.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from re import _compiler as compiler  # type: ignore[attr-defined]
from re import _constants as c
from re import _parser as parser
from typing import Any

Node = tuple[Any, Any]
ONE = (c.LITERAL, c.NOT_LITERAL, c.ANY, c.IN)
REPEATS = (c.MAX_REPEAT, c.MIN_REPEAT, c.POSSESSIVE_REPEAT)
ASSERTS = (c.ASSERT, c.ASSERT_NOT)
LETTERS = "a0 A-+'\"/.,;:b1xZ(){}[]\n\t_@é" + "".join(map(chr, range(33, 127)))
"""Characters that samples are made of."""

MOST_STEPS = 50_000
"""Steps after which a text has cost enough: more than the square of the longest text that the tests try."""

MANY = 50
"""Repetitions from which on a repeat counts as one without an end."""


@cache
def _fits(op: Any, argument: str, flags: int, letter: str) -> bool:
    """True if a node that takes one character takes this one. `argument` is the `repr` of a class, for the cache."""
    node = _NODES[op, argument]
    tree = parser.SubPattern(parser.State(), [node])
    return _compiled(tree, flags).match(letter) is not None


def _compiled(tree: Any, flags: int) -> re.Pattern[str]:
    tree.state.flags = flags
    tree.state.str = ""
    pattern: re.Pattern[str] = compiler.compile(tree, flags)
    return pattern


_NODES: dict[tuple[Any, str], Node] = {}


class TooManySteps(Exception):
    """A text cost more than `MOST_STEPS`."""


class Backtracking:
    """A pattern that counts its `steps`."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self.tree = parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE)
        self.flags = self.tree.state.flags
        self.steps = 0

    def match_whole(self, text: str) -> None:
        """Try it as `fullmatch` does."""
        any(end == len(text) for end in self._sequence(self.tree, 0, text, 0, {}))

    def search_all(self, text: str) -> None:
        """Try it as `sub` does, from each place on that no match has taken."""
        at = 0
        while at <= len(text):
            self.steps += 1
            end = next(self._sequence(self.tree, 0, text, at, {}), None)
            at = at + 1 if end is None or end == at else end

    def takes(self, node: Node, letter: str) -> bool:
        """True if a node that takes one character takes this one."""
        key = node[0], repr(node[1])
        _NODES[key] = node
        return _fits(*key, self.flags, letter)

    def _sequence(self, nodes: Sequence[Node], first: int, text: str, at: int, groups: dict[Any, Any]) -> Iterator[int]:
        """Yield where the nodes from `first` on may end if they begin at `at`, in the order in which `sre` tries it."""
        if first == len(nodes):
            yield at
            return
        for end in self._node(nodes[first], text, at, groups):
            yield from self._sequence(nodes, first + 1, text, end, groups)

    def _node(self, node: Node, text: str, at: int, groups: dict[Any, Any]) -> Iterator[int]:
        op, argument = node
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise TooManySteps
        if op in ONE:
            if at < len(text) and self.takes(node, text[at]):
                yield at + 1
        elif op is c.AT:
            if self._is_at(argument, text, at):
                yield at
        elif op is c.BRANCH:
            for branch in argument[1]:
                yield from self._sequence(branch, 0, text, at, groups)
        elif op is c.SUBPATTERN:
            for end in self._sequence(argument[3], 0, text, at, groups):
                before = groups.get(argument[0])
                groups[argument[0]] = text[at:end]
                yield end
                groups[argument[0]] = before
        elif op is c.GROUPREF:
            if (taken := groups.get(argument)) is not None and text.startswith(taken, at):
                yield at + len(taken)
        elif op in ASSERTS:
            if self._asserted(argument, text, at, groups) is (op is c.ASSERT):
                yield at
        elif op is c.ATOMIC_GROUP:
            yield from _first(self._sequence(argument, 0, text, at, groups))
        elif op in REPEATS:
            low, high, body = argument
            ends = self._repeat(op is c.MIN_REPEAT, low, high, body, text, at, groups)
            yield from _first(ends) if op is c.POSSESSIVE_REPEAT else ends
        else:
            raise NotImplementedError(f"{op}: teach it this kind of node")

    def _repeat(
        self, lazy: bool, low: int, high: int, body: Sequence[Node], text: str, at: int, groups: dict[Any, Any]
    ) -> Iterator[int]:
        if len(body) > 1 or body[0][0] not in ONE:
            yield from self._repeat_group(lazy, low, high, body, text, at, groups)
            return
        most = at  # how far single characters reach
        while most - at < high and most < len(text) and self.takes(body[0], text[most]):
            self.steps += 1
            most += 1
            if lazy and most - at >= low:
                break
        if not lazy:
            for end in range(most, at + low - 1, -1):
                self.steps += 1
                yield end
            return
        end = at + low
        while end <= most:
            self.steps += 1
            yield end
            end += 1
            if end > most and end - at <= high and most < len(text) and self.takes(body[0], text[most]):
                most += 1

    def _repeat_group(
        self, lazy: bool, low: int, high: int, body: Sequence[Node], text: str, at: int, groups: dict[Any, Any]
    ) -> Iterator[int]:
        if lazy and low <= 0:
            yield at
        if high > 0:
            for end in self._sequence(body, 0, text, at, groups):
                if end > at or low > 0:
                    yield from self._repeat_group(lazy, low - 1, high - 1, body, text, end, groups)
        if not lazy and low <= 0:
            yield at

    def _asserted(self, argument: tuple[int, Any], text: str, at: int, groups: dict[Any, Any]) -> bool:
        way, body = argument
        if way > 0:
            return next(self._sequence(body, 0, text, at, groups), None) is not None
        start = at - body.getwidth()[0]
        return start >= 0 and any(end == at for end in self._sequence(body, 0, text, start, groups))

    def _is_at(self, what: Any, text: str, at: int) -> bool:
        mark = {
            c.AT_BEGINNING: "^",
            c.AT_BEGINNING_STRING: r"\A",
            c.AT_BOUNDARY: r"\b",
            c.AT_NON_BOUNDARY: r"\B",
            c.AT_END: "$",
            c.AT_END_STRING: r"\Z",
        }[what]
        return re.compile(mark, self.flags & (re.MULTILINE | re.ASCII)).match(text, at) is not None


def _first(ends: Iterator[int]) -> Iterator[int]:
    """Yield only the first: what is possessive never goes back."""
    for end in ends:
        yield end
        return


def endless(pattern: Backtracking) -> list[tuple[str, set[str]]]:
    """Return for each repeat without an end a text that leads to it, and texts to repeat there."""
    repeats = list(_repeats(pattern, pattern.tree, ""))
    samples = [one for one in (_sample(pattern, body) for _, body in repeats) if one]
    found = []
    for before, body in repeats:
        own = _sample(pattern, body)
        pumps = {own, before + own, *(own + other for other in samples[:6]), *(other + own for other in samples[:6])}
        if len(body) == 1 and (branches := _branches(body[0])):
            pumps |= {"".join(_sample(pattern, branch) for branch in branches)}
        if len(body) == 1 and body[0][0] in ONE:
            letters = [one for one in LETTERS[:24] if pattern.takes(body[0], one)]
            pumps |= {*letters, *(a + b for a in letters[:8] for b in letters[:8]), *(before + one for one in letters)}
        found.append((before, pumps - {""}))
    return found


def _repeats(pattern: Backtracking, nodes: Sequence[Node], before: str) -> Iterator[tuple[str, Sequence[Node]]]:
    for place, (op, argument) in enumerate(nodes):
        led = before + _sample(pattern, nodes[:place])
        inner: list[Sequence[Node]] = []
        if op in REPEATS:
            inner = [argument[2]]
            if argument[1] is c.MAXREPEAT or argument[1] > MANY:
                yield led, argument[2]
        elif op is c.BRANCH:
            inner = argument[1]
        elif op is c.SUBPATTERN:
            inner = [argument[3]]
        elif op in ASSERTS:
            inner = [argument[1]]
        elif op is c.ATOMIC_GROUP:
            inner = [argument]
        for one in inner:
            yield from _repeats(pattern, one, led)


def _branches(node: Node) -> Sequence[Sequence[Node]]:
    """Return the branches of a node, also of one in a group; none for any other."""
    op, argument = node
    if op is c.SUBPATTERN and len(argument[3]) == 1:
        return _branches(argument[3][0])
    branches: Sequence[Sequence[Node]] = argument[1] if op is c.BRANCH else ()
    return branches


def _sample(pattern: Backtracking, nodes: Sequence[Node]) -> str:
    """Return a short text that these nodes take."""
    return "".join(_sample_of(pattern, node) for node in nodes)


def _sample_of(pattern: Backtracking, node: Node) -> str:
    op, argument = node
    if op is c.LITERAL:
        return chr(int(argument))
    if op in ONE:
        return next((one for one in LETTERS if pattern.takes(node, one)), "")
    if op in REPEATS:
        return _sample(pattern, argument[2]) * max(int(argument[0]), 1)
    if op is c.BRANCH:
        return _sample(pattern, argument[1][0])
    if op in (c.SUBPATTERN, c.ATOMIC_GROUP):
        return _sample(pattern, argument[3] if op is c.SUBPATTERN else argument)
    return ""
