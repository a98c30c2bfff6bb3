"""The kind of device of a phone, so that people find their own phone in a list."""

from __future__ import annotations

DEVICE_KINDS = (
    ("OBS", ("obs/", "obs-")),
    ("TV", ("tv", "tizen", "web0s", "webos", "bravia", "crkey", " aft")),
    ("iPad", ("ipad",)),
    ("iPhone", ("iphone", "ipod")),
    ("Android", ("android",)),
    ("Chromebook", ("cros ",)),
    ("Mac", ("macintosh",)),
    ("Windows", ("windows",)),
    ("Linux", ("linux", "x11")),
)
"""Kinds of devices with parts of their User-Agent in lower case. The first match counts."""


def device_kind(agent: str) -> str:
    """Return the kind of device for a User-Agent, enough to find one's own phone and too little to identify it."""
    agent = agent.lower()
    return next((word for word, signs in DEVICE_KINDS if any(sign in agent for sign in signs)), "other")
