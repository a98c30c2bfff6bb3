"""Which of a device's voices speaks."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.browser.sounds.scripts import scripts

PICK = """async (voices) => {
  const { bestVoice } = await import("/static/js/voice.js");
  const names = [voices, [...voices].reverse()].map((some) => (bestVoice(some) || { name: null }).name);
  return [...new Set(names)];
}"""
"""Return the names of the voices picked from a list and from its reverse."""


def voice(name: str, lang: str = "en-US", local: bool = True, usual: bool = False) -> dict[str, Any]:
    return {"name": name, "lang": lang, "localService": local, "default": usual}


MAC = [
    *map(
        voice, ("Albert", "Bad News", "Bahh", "Bells", "Eddy (English (US))", "Fred", "Samantha", "Whisper", "Zarvox")
    ),
    voice("Daniel", "en-GB"),
    voice("Thomas", "fr-FR", usual=True),
    voice("Google US English", local=False),
]
ANDROID = [
    voice("English Australia", "en_AU"),
    voice("English United States", "en_US"),
    voice("Deutsch", "de_DE", usual=True),
]
WINDOWS = [
    voice("Microsoft Aria Online (Natural)", local=False),
    voice("Microsoft David"),
    voice("Microsoft Zira", usual=True),
    voice("Microsoft Hazel", "en-GB"),
]


@pytest.mark.parametrize(
    ("voices", "best"),
    [
        (MAC, "Samantha"),
        ([*MAC, voice("Ava (Premium)")], "Ava (Premium)"),
        ([*MAC, voice("Alex", usual=True)], "Alex"),
        ([one for one in MAC if one["name"] != "Samantha"], "Daniel"),
        (ANDROID, "English United States"),
        (WINDOWS, "Microsoft Zira"),
        ([voice("Hazel", "en-GB"), voice("Aria", local=False)], "Hazel"),
        ([voice("Aria", local=False), voice("Google UK", "en-GB", local=False)], "Aria"),
        ([voice("Albert"), voice("Thomas", "fr-FR")], "Albert"),
        ([voice("Thomas", "fr-FR", usual=True), voice("Enza", "enm")], None),
        ([voice("Mark"), voice("David")], "David"),
    ],
)
def test_the_best_voice_whatever_the_order(browser: Browser, voices: list[dict[str, Any]], best: str | None) -> None:
    """No joke voice if there is another; one of the device; American; the device's usual one; a good one; by name."""
    with scripts(browser) as page:
        assert [best] == page.evaluate(PICK, voices)
