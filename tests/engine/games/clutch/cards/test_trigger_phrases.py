"""Phrases for when a card can be played, and the windows and tags they stand for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import product

from engine.games.clutch.cards.effects import WINDOW_TAGS, CardTrigger
from engine.games.clutch.cards.result_chart import RESULT_CODES
from engine.games.clutch.cards.trigger_phrases import NUMBERS_BY_NAME, TRIGGER_PHRASES, parse_trigger
from tests.each import each

MORE = {
    "Before  the PITCH": "before-pitch",
    "on a SO, GB or home run": "result GB+HR+SO",
    "on an out or a walk": "result BB+out",
    "at the end of my scoreless half-inning": "end mine scoreless",
    "after an error by my batter": "after error mine",
    "after the outfield throw roll home on an extra base": "throw-roll outfield hit+home",
    "when an infield throw to second is settled": "throw-result infield second",
    "after a strikeout by my batter": "after SO mine",
    "on a steal": "throw steal",
    "on a tag-up of home": "throw tag home",
    "when a card adds to the pitch roll": "card +pitch_roll",
    "when a card subtracts from baserunning": "card -br",
}
"""Other ways to say things."""


def spelled(when: CardTrigger) -> str:
    """Return the window, the tags of which one must hold, and those that must all hold."""
    return " ".join(filter(None, (when.window, "+".join(sorted(when.tags)), "+".join(sorted(when.also)))))


@each(("phrase", "expected"), MORE.items())
def test_phrases_have_synonyms(phrase: str, expected: str) -> None:
    assert expected == spelled(parse_trigger(phrase))


def sayable() -> Iterator[str]:
    """Return the phrases of the table with everything they can contain."""
    yield from TRIGGER_PHRASES.examples
    for code in (*RESULT_CODES, "out", "hit", "extra-base hit"):
        yield from (f"on a {code}", f"when a chart says {code}", f"after a {code}")
    for number, sign in product(NUMBERS_BY_NAME, ("adds to", "subtracts from")):
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


def test_exactly_the_windows_and_tags_can_be_named() -> None:
    named = {window: set[str]() for window in WINDOW_TAGS}
    for phrase in sayable():
        when = parse_trigger(phrase)
        named[when.window] |= when.tags | when.also
    assert {window: set(tags) for window, tags in WINDOW_TAGS.items()} == named


def test_a_card_fits_where_its_tags_hold() -> None:
    home = parse_trigger("after a strikeout or walk by my batter")
    assert home.is_met_in("after", frozenset({"SO", "out", "mine"}))
    assert home.is_met_in("after", frozenset({"BB", "mine", "run"}))
    assert not home.is_met_in("after", frozenset({"SO", "theirs"}))
    assert not home.is_met_in("after", frozenset({"GB", "mine"}))
    assert not home.is_met_in("result", frozenset({"SO", "mine"}))
    assert parse_trigger("before the pitch").is_met_in("before-pitch", frozenset())
    assert not parse_trigger("on an out").is_met_in("result", frozenset())


@each("phrase", TRIGGER_PHRASES.examples)
def test_dropping_a_word_changes_the_phrase(phrase: str) -> None:
    """Articles, and the "to" of "a throw to first", may be missing."""
    words = phrase.split()
    for place, word in enumerate(words):
        shorter = None
        with suppress(ValueError):
            shorter = parse_trigger(" ".join(words[:place] + words[place + 1 :]))
        same = shorter is not None and spelled(shorter) == spelled(parse_trigger(phrase))
        assert same == (word in ("a", "an", "the", "to") and words[place - 1] != "adds"), word
