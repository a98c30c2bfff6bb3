"""Check of the phones: rejected requests, when, and why."""

from __future__ import annotations

import time

from device.diagnostics.facts import DoctorFacts, look_finding, ok_finding
from device.shapes import Finding, RecentRejections

RECENT_REJECTION_S = 3600
"""Seconds for which a refusal needs attention. Older ones are only listed."""


def check_phones(facts: DoctorFacts) -> Finding:
    summary = None if facts.figures is None else facts.figures.refusals
    if summary is None:
        return ok_finding("Checked only while the table is running.")
    if not summary.counts:
        return ok_finding("No phone was turned away.")
    now = time.time()
    counts = (f"{times} × {gate}" for gate, times in summary.counts.items())
    seen = "\n".join((*(_rejection_line(one, now) for one in summary.last), f"Since the start: {', '.join(counts)}."))
    if all(one.ago > RECENT_REJECTION_S for one in summary.last):
        return ok_finding(seen)
    return look_finding(seen, "Do what each line says; docs/develop/requests.md lists all reasons.")


def _rejection_line(one: RecentRejections, now: float) -> str:
    times = f"{one.times} times" if one.times > 1 else ""
    more = ", ".join(part for part in (times, one.asked) if part)
    when = time.strftime("%H:%M", time.localtime(now - one.ago))
    return f"{when} {one.words}{f' ({more})' if more else ''}"
