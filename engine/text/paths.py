"""Removal of file paths from sentences. They describe the machine to strangers, so only the operator sees them."""

from __future__ import annotations

import re

PATH_PATTERN = re.compile(
    r"""(['"])/+[^'"/]++/[^'"]*+\1          # in quotes, as in errors of the system
    | (?<![\w.:/])/(?!dev/)[^\s/'":,]+/    # or with two parts at least (a page such as /doctor has one),
      (?:[^'":,\n]*/)?[^\s'":,]*(?<!\.)    # and spaces only before another slash; no period at its end
    """,
    re.VERBOSE | re.ASCII,
)
"""A path of a file, except a device's. The possessive `++` and `*+` never backtrack, so matching takes linear time."""


def text_without_paths(words: str) -> str:
    return PATH_PATTERN.sub("…", words)
