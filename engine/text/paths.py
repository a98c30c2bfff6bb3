"""Removes the paths of files from sentences: they tell strangers about the machine. The operator sees them."""

from __future__ import annotations

import re

PATH_PATTERN = re.compile(
    r"""(['"])/+[^'"/]++/[^'"]*+\1          # in quotes, as in errors of the system
    | (?<![\w.:/])/(?!dev/)[^\s/'":,]+/    # or with two parts at least (a page such as /doctor has one),
      (?:[^'":,\n]*/)?[^\s'":,]*(?<!\.)    # and spaces only before another slash; no period at its end
    """,
    re.VERBOSE | re.ASCII,
)
"""A path of a file, except a device's. It is tried in a time that grows as the text does: the possessive `++` and `*+`
never go back.
"""


def text_without_paths(words: str) -> str:
    """Return a sentence with … in place of each path."""
    return PATH_PATTERN.sub("…", words)
