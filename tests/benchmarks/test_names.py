"""The figures of names and docstrings count what they say."""

from __future__ import annotations

from pathlib import Path

from benchmarks.names import figures

FIRST = '''\
"""A module: with one: colon too many."""

TIMEOUT = 3.0
MAX_QUEUED = 4
A, B = 1, 2

class Line:
    """A line; and more. A second sentence."""

    def keep(self):
        """Return what is kept."""

    def _kept_lines(self):
        """Return the lines that are kept."""

def opened():
    """Open it."""
'''

SECOND = "class Line:\n    def __init__(self): ...\n" + "".join(f"def f{n}():\n    def keep(): ...\n" for n in range(5))


def test_each_figure(tmp_path: Path) -> None:
    """Thirteen functions, of which twelve have one word; five docstrings, two of them crowded."""
    for name, source in (("first.py", FIRST), ("second.py", SECOND)):
        (tmp_path / name).write_text(source)
    assert {
        "one-word functions in percent": 93,
        "one-word constants in percent": 50,
        "functions named by a participle": 1,
        "constants that share a line": 2,
        "common one-word names": 1,
        "class names in several modules": 1,
        "docstrings that begin with Return what": 1,
        "crowded first sentences in percent": 40,
    } == figures(sorted(tmp_path.glob("*.py")))
