"""A correction that a seat proposes: the display says so, and goes on asking."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from device.display import screens_32, screens_64
from engine.views import CorrectionView, CurrentRoll
from tests.device.display.views import CHOOSE, DIAL, ROLL, a_view, told, turns

SAID = "Owls: the last roll was red die 3, white die 5, not red die 4, white die 5. Lanterns must agree."
LAST = CurrentRoll(2, "away", "roll", False, False, "swing", "Swing", "Roll.", (), [6], None, [], 0, 1, "top", "")
PROPOSED = CorrectionView(2, "home", "away", False, 4, LAST, [5], "5", "6", SAID)
OVER = {"outcome": {"winner": "away", "reason": "regulation", "sentence": "Lanterns win 4 to 2."}, "asks": []}
SIZES = pytest.mark.parametrize("draw", [screens_64.draw_game, screens_32.draw_game], ids=["64", "32"])


@SIZES
def test_the_display_says_what_is_proposed(draw: Any) -> None:
    """In turn with the score and the question; what OK would give is on each page, as without a proposal."""
    views: list[dict[str, Any]] = [{"table": {"asks": [CHOOSE]}, "dial": DIAL}, {"table": {"asks": [ROLL]}}]
    for view in [*views, {"table": {"asks": [CHOOSE | {"secret": True}]}}, {"table": OVER}]:
        plain = a_view(**view)
        asked = replace(plain, correction=PROPOSED)
        assert told(draw, asked, SAID)
        assert not told(draw, plain, SAID)
        assert "dial" not in view or all(DIAL["label"] in page for page in turns(draw, asked))
