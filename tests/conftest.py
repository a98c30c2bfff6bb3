"""How Hypothesis runs here: the same examples every time, and no deadline, for a Pi is slow.

A test says how many examples it needs where the default of 100 is too many or too few.
"""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("house", deadline=None, derandomize=True, max_examples=100)
settings.load_profile("house")
