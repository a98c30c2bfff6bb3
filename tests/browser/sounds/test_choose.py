"""Which sounds belong to a play: the same for all games, from the moments of the play log."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from device.table.play_log import play_views
from engine.events import RANKED_MOMENTS
from engine.games import GAMES
from engine.views import PlayView, json_data
from tests.browser.room import played
from tests.browser.sounds.scripts import scripts

CHOOSE = """async ([plays, level]) => {
    const { choose } = await import("/static/js/sounds/choose.js");
    return plays.map((lines) => choose(lines, level));
}"""

HEARD = {
    "walk-off": ("roar", "fanfare"),
    "final": ("applause", "closing"),
    "home-run": ("roar", "fanfare"),
    "comeback": ("roar", "rally"),
    "lead": ("shout", "rally"),
    "double-play": ("groan",),
    "strikeout": ("groan",),
    "tie": ("shout", "rally"),
    "run": ("shout",),
    "single": ("stir",),
    "double": ("cheer",),
    "triple": ("shout",),
    "walk": ("claps",),
    "out": ("sigh",),
}
"""What is heard of the greatest moment of a play, or of a hit."""
GREAT = ("walk-off", "final", "home-run", "comeback", "lead", "tie", "run", "half-inning")


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    with scripts(browser) as page:
        yield page


def chosen(page: Page, plays: Sequence[Sequence[PlayView]], level: str) -> list[list[str]]:
    """Return the sounds of each play, by name."""
    found = page.evaluate(CHOOSE, [[json_data(one) for one in plays], level])
    return [[name for _, name in sounds] for sounds in found]


def line(moment: Any, code: str = "x") -> PlayView:
    return PlayView(7, code, 1, 3, "top", "away", "Sentence.", 0, None, False, moment)


def greatest(play: Sequence[PlayView]) -> PlayView | None:
    """Return the line of a play with its greatest moment."""
    told = [one for one in play if one.moment]
    return min(told, key=lambda one: RANKED_MOMENTS.index(one.moment or "half-inning"), default=None)


def test_every_moment_has_sounds_in_the_same_order(page: Page) -> None:
    """The greatest first, as in the engine; and each sound can be played."""
    script = "import('/static/js/sounds/choose.js').then(({ MOMENTS }) => Object.keys(MOMENTS))"
    assert page.evaluate(script) == [*RANKED_MOMENTS]
    script = "import('/static/js/sounds/synth.js').then(({ SOUNDS }) => Object.keys(SOUNDS))"
    made = set(page.evaluate(script))
    assert {name for heard in HEARD.values() for name in heard} | {"bat", "change", "yours"} == made


def test_whole_games(page: Page) -> None:
    """At full each play with a moment has the sounds of its greatest one, with bat and organ where they belong; at low
    only the great moments have."""
    for key in GAMES:
        log = play_views(played(key), {})
        plays = [list(group) for _, group in groupby(log, key=lambda one: one.n)]
        full, low = (chosen(page, plays, level) for level in ("full", "low"))
        for play, loud, soft in zip(plays, full, low, strict=True):
            best = greatest(play)
            moments = {one.moment for one in play}
            if best is None:
                assert loud == soft == []
                continue
            hits = {"single", "double", "triple", "home-run"} & {one.code for one in play}
            heard = HEARD.get(best.code if best.moment == "hit" else best.moment or "", ())
            assert tuple(name for name in loud if name not in ("bat", "change")) == heard, (key, play)
            assert ("change" in loud) == ("half-inning" in moments), (key, play)
            assert not hits or "bat" in loud, (key, play)
            assert not moments & {"out", "hit", "home-run"} or "bat" in loud, (key, play)
            assert not moments <= {None, "strikeout", "walk", "half-inning", "final"} or "bat" not in loud, (key, play)
            assert bool(soft) == bool(moments & {*GREAT}), (key, play)
        assert any("bat" in sounds for sounds in full), key
        assert {"applause", "closing"} <= {*full[-1]} or {"roar", "fanfare"} <= {*full[-1]}, key


def test_what_belongs_together(page: Page) -> None:
    """A strikeout has no bat in it, also where a runner is put out with it. Where the moment of a hit is the lead it
    has one; a walk that forces a run in has none. Lines without a moment are silent: cards, choices, dice."""
    plays = [[line("double-play", code)] for code in ("strike-double-play", "ground-double-play")]
    assert chosen(page, plays, "full") == [["groan"], ["bat", "groan"]]
    plays = [[line("lead", "single")], [line("run", "walk")], [line("run", "double"), line("half-inning")]]
    assert chosen(page, plays, "low") == [["bat", "shout", "rally"], ["shout"], ["bat", "shout", "change"]]
    plays = [[], [line(None, "draws")], [line(None, "rolled"), line("strikeout")]]
    assert chosen(page, plays, "full") == [[], [], ["groan"]]
