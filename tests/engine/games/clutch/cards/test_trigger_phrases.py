"""When cards can be played: phrases, and the windows and tags they stand for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.games.clutch.cards.effects import WINDOWS, Trigger
from engine.games.clutch.cards.result_chart import RESULTS
from engine.games.clutch.cards.trigger_phrases import NUMBERS, TRIGGERS, trigger

LISTED = [one for say in TRIGGERS for one in say.split(", ")]

READ = {
    "as the game begins": "game",
    "at the start of a half-inning": "half",
    "at the start of my half-inning": "half mine",
    "at the start of their half-inning": "half theirs",
    "at the start of an at-bat": "at-bat",
    "when a steal is declared": "steal",
    "when a bunt is declared": "bunt",
    "before the pitch": "before-pitch",
    "after the pitch roll": "pitch-roll",
    "once the advantage is set": "advantage",
    "before the swing": "advantage",
    "when the batter has the advantage": "advantage batter",
    "when the pitcher has the advantage": "advantage pitcher",
    "on a mistake pitch": "advantage mistake",
    "after the swing roll": "swing-roll",
    "when a chart is read": "chart",
    "when the batter's chart is read": "chart batter",
    "when the pitcher's chart is read": "chart pitcher",
    "when a chart says FB": "chart FB",
    "when the batter's chart says FB": "chart FB batter",
    "on any result": "result",
    "on a GB": "result GB",
    "on a strikeout": "result SO",
    "on a ground ball": "result GB",
    "on a fly ball": "result FB",
    "on a line drive": "result LD",
    "on a walk": "result BB",
    "on an out": "result out",
    "on a hit": "result hit",
    "on an extra-base hit": "result extra-base",
    "on a single or double": "result 1B+2B",
    "when runners try for a base": "try",
    "when runners try for an extra base": "try hit",
    "when runners tag up": "try tag",
    "when runners go on a ground ball": "try ground",
    "when runners go with the infield in": "try infield-in",
    "on a throw": "throw",
    "on an infield throw": "throw infield",
    "on an outfield throw": "throw outfield",
    "on a battery throw": "throw battery",
    "on a throw home": "throw home",
    "on a throw to first": "throw first",
    "on a throw to second": "throw second",
    "on a throw to third": "throw third",
    "on a steal": "throw steal",
    "on a steal of third": "throw steal third",
    "on an extra base": "throw hit",
    "on a tag-up": "throw tag",
    "on a double play": "throw double-play",
    "on an infield throw home": "throw infield home",
    "on a throw on a ground ball": "throw ground",
    "on a throw with the infield in": "throw infield-in",
    "on a throw by a card": "throw card",
    "after the throw roll": "throw-roll",
    "after the throw roll on a steal": "throw-roll steal",
    "when a runner is safe": "throw-result safe",
    "when a runner is thrown out": "throw-result out",
    "when a runner is safe on a steal": "throw-result safe steal",
    "when a throw is settled": "throw-result",
    "on a check": "check",
    "on an infield check": "check infield",
    "after the check roll": "check-roll",
    "after the infield check roll": "check-roll infield",
    "when a check is made": "check-result made",
    "when a check fails": "check-result failed",
    "when an outfield check fails": "check-result outfield failed",
    "when a check is settled": "check-result",
    "after the bunt roll": "bunt-roll",
    "after an at-bat": "after",
    "after my at-bat": "after mine",
    "after their at-bat": "after theirs",
    "after a strikeout": "after SO",
    "after an out": "after out",
    "after a hit": "after hit",
    "after a walk": "after BB",
    "after a home run or triple": "after 3B+HR",
    "after a strikeout by my batter": "after SO mine",
    "after a hit by their batter": "after hit theirs",
    "after an intentional walk": "after ibb",
    "after a run": "after run",
    "after an RBI": "after rbi",
    "after a lead change": "after lead-change",
    "after an inning-ending play": "after inning-ending",
    "after a double play": "after double-play",
    "after a stolen base": "after steal",
    "after a caught stealing": "after caught",
    "after an error": "after error",
    "after a fielder's choice": "after fielders-choice",
    "after a sacrifice": "after sacrifice",
    "after a sacrifice fly": "after sacrifice-fly",
    "at the end of a half-inning": "end",
    "at the end of my half-inning": "end mine",
    "at the end of their half-inning": "end theirs",
    "at the end of a 1-2-3 half-inning": "end one-two-three",
    "at the end of a scoreless half-inning": "end scoreless",
    "at the end of a scoring half-inning": "end scored",
    "at the end of a multi-run half-inning": "end multi-run",
    "at the end of a struck-out-the-side half-inning": "end struck-out-the-side",
    "when a card is played": "card",
    "when a strategy card is played": "card strategy",
    "when a coach is played": "card coach",
    "when an offense card is played": "card offense",
    "when a defense card is played": "card defense",
    "when a neutral card is played": "card neutral",
    "when a momentum card is played": "card momentum",
    "when a card changes the result": "card change",
    "when a card adds to the swing": "card +swing",
    "when a card subtracts from the pitch": "card -pitch",
    "when a player comes in": "enter",
    "when a pitcher comes in": "enter pitcher",
    "when their pinch hitter comes in": "enter theirs pinch-hitter",
    "when a pinch runner comes in": "enter pinch-runner",
    "when my fielder comes in": "enter mine fielder",
}
"""Each phrase of the table: its window, the tags of which one must hold, those of which all must."""

MORE = {
    "Before  the PITCH": "before-pitch",
    "on a SO, GB or home run": "result GB+HR+SO",
    "on an out or a walk": "result BB+out",
    "at the end of my scoreless half-inning": "end mine scoreless",
    "after an error by my batter": "after error mine",
    "after the outfield throw roll home on an extra base": "throw-roll outfield hit+home",
    "when an infield throw to second is settled": "throw-result infield second",
    "on a tag-up of home": "throw tag home",
    "when a card adds to the pitch roll": "card +pitch_roll",
    "when a card subtracts from baserunning": "card -br",
}
"""Other ways to say things."""


def spelled(when: Trigger) -> str:
    """A trigger as the tables here have it."""
    return " ".join(filter(None, (when.window, "+".join(sorted(when.tags)), "+".join(sorted(when.also)))))


def test_every_phrase_of_the_table_is_tried() -> None:
    """Nothing in it that this file does not know."""
    assert LISTED == list(READ)


@pytest.mark.parametrize(("phrase", "expected"), READ.items())
def test_a_phrase_names_its_window(phrase: str, expected: str) -> None:
    """And the tags that must hold in it."""
    assert expected == spelled(trigger(phrase))
    assert phrase == trigger(phrase).text


@pytest.mark.parametrize(("phrase", "expected"), MORE.items())
def test_the_same_is_said_otherwise(phrase: str, expected: str) -> None:
    """Case does not matter, and parts can be combined."""
    assert expected == spelled(trigger(phrase))


def sayable() -> Iterator[str]:
    """The phrases of the table, with everything that can stand in them."""
    yield from LISTED
    for code in (*RESULTS, "out", "hit", "extra-base hit"):
        yield from (f"on a {code}", f"when a chart says {code}", f"after a {code}")
    for number, sign in product(NUMBERS, ("adds to", "subtracts from")):
        yield f"when a card {sign} {number}"
    for unit in ("battery", "infield", "outfield"):
        yield from (f"on a {unit} check", f"after the {unit} check roll", f"when a {unit} check is settled")
        yield from (f"on a {unit} throw", f"after the {unit} throw roll", f"when a {unit} throw is settled")
    for where in ("home", "to first", "to second", "to third"):
        yield from (f"after the throw roll {where}", f"when a throw {where} is settled")
    for play in ("on a steal", "on an extra base", "on a tag-up", "on a ground ball", "with the infield in"):
        yield from (f"after the throw roll {play}", f"when a runner is safe {play}")
    for play in ("on a double play", "by a card"):
        yield from (f"after the throw roll {play}", f"when a runner is safe {play}")


def test_all_windows_and_tags_can_be_named_and_no_others() -> None:
    """Just those of the table of windows."""
    named = {window: set[str]() for window in WINDOWS}
    for phrase in sayable():
        when = trigger(phrase)
        named[when.window] |= when.tags | when.also
    assert {window: set(tags) for window, tags in WINDOWS.items()} == named


def test_a_card_fits_where_its_tags_hold() -> None:
    """One of some, all of others, in its own window only."""
    home = trigger("after a strikeout or walk by my batter")
    assert home.fits("after", frozenset({"SO", "out", "mine"}))
    assert home.fits("after", frozenset({"BB", "mine", "run"}))
    assert not home.fits("after", frozenset({"SO", "theirs"}))
    assert not home.fits("after", frozenset({"GB", "mine"}))
    assert not home.fits("result", frozenset({"SO", "mine"}))
    assert trigger("before the pitch").fits("before-pitch", frozenset())
    assert not trigger("on an out").fits("result", frozenset())


@pytest.mark.parametrize(
    ("phrase", "message"),
    [
        ("befor the pitch", "is no trigger this house knows; the nearest is 'before the pitch'"),
        ("on a result", "is no trigger"),
        ("on a GB or", "is no trigger"),
        ("when a card adds to the score", "is no trigger"),
        ("after a natural 20", "is no trigger"),
        ("before the pitch and after it", "is no trigger"),
        ("", "wants a phrase"),
        (None, "wants a phrase"),
    ],
)
def test_anything_else_is_refused(phrase: str, message: str) -> None:
    """With the nearest phrase; a natural number is a condition, no moment."""
    with pytest.raises(ValueError, match=message):
        trigger(phrase)


@given(st.sampled_from(LISTED), st.data())
def test_a_phrase_with_a_word_less_is_another_or_none(phrase: str, data: st.DataObject) -> None:
    """A missing word changes the moment, except articles and repetitions."""
    words = phrase.split()
    place = data.draw(st.integers(0, len(words) - 1))
    shorter = None
    with suppress(ValueError):
        shorter = trigger(" ".join(words[:place] + words[place + 1 :]))
    same = shorter is not None and spelled(shorter) == spelled(trigger(phrase))
    assert same == (words[place] in ("a", "an", "the", "to"))
