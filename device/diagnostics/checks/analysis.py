"""Check of the analysis: whether this machine is fast enough for the chances to win that it is set to compute."""

from __future__ import annotations

from device.diagnostics.facts import DoctorFacts, look_finding, ok_finding
from device.shapes import Finding

SLOW_EVALUATION_S = {"full": 1.0, "numbers": 5.0}
"""Seconds for one position from which less should be computed, by level. A review needs hundreds of positions."""

LOWER_LEVELS = {"full": "numbers", "numbers": "off"}


def check_analysis(facts: DoctorFacts) -> Finding:
    """Check how long the running table needs for the chance to win in one position."""
    level = facts.settings.analysis.level
    if level == "off":
        return ok_finding("Off: no chances to win, stories and reviews.")
    if facts.figures is None or not facts.running:
        return ok_finding("Measured only while the table is running.")
    taken = facts.figures.evaluation
    if taken is None:
        return ok_finding("No position has been evaluated yet.")
    seen = f"The chance to win after a play takes {taken * 1000:.0f} ms."
    if taken < SLOW_EVALUATION_S[level]:
        return ok_finding(seen)
    return look_finding(
        f"{seen} That is slow.", f'Set level = "{LOWER_LEVELS[level]}" under [analysis] in the settings.'
    )
