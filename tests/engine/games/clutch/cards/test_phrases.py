"""Phrases for effects, costs and durations, and the data they are parsed into."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.games.clutch.cards.action_phrases import ACTION_PHRASES
from engine.games.clutch.cards.effects import (
    CHANGEABLE_NUMBERS,
    RESULT_GROUPS,
    ROLL_KINDS,
    RUNNER_BASES,
    WINDOW_TAGS,
    CardCost,
    CardEffect,
    Trial,
)
from engine.games.clutch.cards.phrases import (
    EFFECT_PHRASES,
    parse_condition,
    parse_cost,
    parse_duration,
    parse_effects,
    parse_player_conditions,
    parse_trigger,
)
from engine.games.clutch.strategy_cards.apply import LASTING_VERBS, VERB_ACTIONS
from tests.each import each

VERBS = {*LASTING_VERBS, *VERB_ACTIONS, "if", "immune", "return"}

IGNORED = (
    *("handedness", "stadium", "weather", "icons", "unit bonus", "runner bonus"),
    *("offense cards", "defense cards", "cards"),
)

RUNNERS = ("batter", "lead", "every", *RUNNER_BASES)
"""The targets of an effect: the batter, the lead runner, all runners, or the one on a base."""

DEEDS = (
    *("steal", "extra-base", "tag", "throw", "double-play", "bunt", "walk", "change", "cards", "substitution"),
    "infield-in",
)


def does(verb: str, what: str = "", amount: int = 0, **more: Any) -> CardEffect:
    """Return an effect without its text."""
    return CardEffect("", verb, what, amount, **more)


def bare(effect: CardEffect) -> CardEffect:
    """Return the same effects without texts, also inside conditions."""
    then, otherwise = (tuple(map(bare, some)) for some in (effect.then, effect.otherwise))
    return replace(effect, text="", then=then, otherwise=otherwise)


MORE: dict[str, tuple[CardEffect, ...]] = {
    "Swing + 2, DRAW two cards": (does("mod", "swing", 2), does("draw", amount=2, whose="my")),
    "swing −2": (does("mod", "swing", -2),),
    "br +1 and swing +2 if one out or bases loaded, draw 1": (
        does(
            "if", when=parse_condition("one out or bases loaded"), then=(does("mod", "br", 1), does("mod", "swing", 2))
        ),
        does("draw", amount=1, whose="my"),
    ),
    "swing +2 if the batter has HR, else +1": (
        does(
            "if",
            when=parse_condition("the batter has HR"),
            then=(does("mod", "swing", 2),),
            otherwise=(does("mod", "swing", 1),),
        ),
    ),
    "Swing +2 If one out, Else +1": (
        does(
            "if", when=parse_condition("one out"), then=(does("mod", "swing", 2),), otherwise=(does("mod", "swing", 1),)
        ),
    ),
    "pitch +1 if runners on else draw 1 and rest -1": (
        does(
            "if",
            when=parse_condition("runners on"),
            then=(does("mod", "pitch", 1),),
            otherwise=(does("draw", amount=1, whose="my"), does("rest", amount=-1)),
        ),
    ),
    "batter advances 1 by an error if a 3B+SS throw at the batter's st fails": (
        does(
            "call",
            trial=Trial("throw", "3B+SS", 0, "batter", "st"),
            otherwise=(does("advance", "batter", 1, of="error"),),
        ),
    ),
    "lead runner is out if a CF check against 12 is made": (
        does("call", trial=Trial("check", "CF", 12), then=(does("out", "lead"),)),
    ),
    "draw 1 if a power die shows less than 5": (
        does("call", trial=Trial("roll", target=5, die="d24"), otherwise=(does("draw", amount=1, whose="my"),)),
    ),
    "draw 1 if a d20 shows 20": (does("call", trial=Trial("roll"), then=(does("draw", amount=1, whose="my"),)),),
    "either change SO or GB to FB or draw 2 and discard 1": (
        does(
            "either",
            then=(does("change", "SO+GB", to="FB"),),
            otherwise=(does("draw", amount=2, whose="my"), does("discard", amount=1, of="choice", whose="my")),
        ),
    ),
    "GB or FB or LD on the pitcher's chart is SO": (does("alter", "GB+FB+LD", of="pitcher", to="SO"),),
    "FB at 6 on the batter's chart is 1B": (does("alter", "FB", 6, of="batter", to="1B", most=6),),
    "3 or less on the chart is SO": (does("alter", to="SO", most=3),),
    "CF +1": (does("mod", "defense", 1, to="CF"),),
    "shortstop defense = 4": (does("set", "defense", 4, to="SS"),),
    "their on-base -1": (does("mod", "on_base", -1, whose="their"),),
    "my on-base +1": (does("mod", "on_base", 1, whose="my"),),
    "my runners st +2": (does("mod", "st", 2, to="every", whose="my"),),
    "no mistake pitch and pitch +1": (does("mistake", of="prevent"), does("mod", "pitch", 1)),
    "change GB to 1B if an infield check fails": (
        does("try", "GB", of="failed", to="1B", trial=Trial("check", "infield", 20)),
    ),
    "FB at 6 or more on the batter's chart is 1B": (does("alter", "FB", 6, of="batter", to="1B"),),
}
"""Several together, and other ways to say things than the examples."""


@each(("phrase", "expected"), MORE.items())
def test_phrases_can_be_combined(phrase: str, expected: tuple[CardEffect, ...]) -> None:
    """They run in order; an if applies to what comes before it, back to a comma."""
    assert expected == tuple(map(bare, parse_effects(phrase)))


def flat(effects: tuple[CardEffect, ...]) -> Iterator[CardEffect]:
    """Return these effects and all that depend on them."""
    for one in effects:
        yield one
        yield from flat((*one.then, *one.otherwise))


def test_exactly_the_vocabulary_can_be_phrased() -> None:
    said = [one for phrase in (*EFFECT_PHRASES.examples, *MORE) for one in flat(parse_effects(phrase))]
    of = {verb: {one.what for one in said if one.verb == verb} for verb in VERBS}
    assert VERBS == {one.verb for one in said}
    assert set(CHANGEABLE_NUMBERS) == of["mod"]
    assert set(ROLL_KINDS) == of["reroll"]
    assert set(DEEDS) == of["forbid"] | of["allow"]
    assert set(IGNORED) == of["ignore"]
    assert set(RUNNERS) >= of["advance"] | of["hold"] | of["remove"] | of["out"]
    assert set(RUNNER_BASES) >= of["place"]
    for runner in ("batter", "lead runner", "runners", "runner on first", "runner on second", "runner on third"):
        assert parse_effects(f"{runner} advances 1")[0].what in RUNNERS


def test_a_cost_is_parsed_like_an_effect() -> None:
    assert CardCost("Discard two cards at random", "discard", 2, "random") == parse_cost("Discard two cards at random")


def test_an_effect_may_apply_to_some_results_or_to_any() -> None:
    wanted = {
        "change GB to 1B": "GB",
        "change an out to FB": "SO GB LD FB",
        "change BB or a hit to SO": "BB 1B 2B 3B HR",
    }
    for phrase, codes in wanted.items():
        about = {
            code
            for code in WINDOW_TAGS["result"]
            if code not in RESULT_GROUPS and parse_effects(phrase)[0].can_change_result(code)
        }
        assert set(codes.split()) == about, phrase
    assert all(parse_effects("change the result to SO")[0].can_change_result(code) for code in ("SO", "HBP", "HR"))


def test_a_card_may_change_how_a_chart_reads() -> None:
    (six,) = parse_effects("FB at 6 or more on the batter's chart is 1B")
    assert [True, True, False] == [six.can_alter_result("batter", swing, "FB") for swing in (6, 30, 5)]
    assert [False, False] == [six.can_alter_result("pitcher", 6, "FB"), six.can_alter_result("batter", 6, "GB")]
    (some,) = parse_effects("6 to 8 on the chart is GB")
    assert [False, True, True, False] == [some.can_alter_result("pitcher", swing, "HR") for swing in (5, 6, 8, 9)]
    (low,) = parse_effects("2 or less on the chart is SO")
    assert [True, True, False] == [low.can_alter_result("batter", swing, "1B") for swing in (-3, 2, 3)]


SIMPLE = st.sampled_from([example for example in ACTION_PHRASES.examples if " if " not in example])


@given(st.lists(SIMPLE, min_size=1, max_size=4), st.sampled_from([", ", " and "]))
def test_effects_join_in_order(phrases: list[str], between: str) -> None:
    assert tuple(one for phrase in phrases for one in parse_effects(phrase)) == parse_effects(between.join(phrases))


@given(st.sampled_from(["swing", "pitch roll", "br", "infield", "my on-base"]), st.integers(-40, 40))
def test_numbers_are_bounded(number: str, amount: int) -> None:
    """From 1 to 20, up or down."""
    phrase = f"{number} {amount:+d}"
    if 1 <= abs(amount) <= 20:
        assert [amount] == [one.amount for one in parse_effects(phrase)]
    else:
        with pytest.raises(ValueError, match="needs a number from 1 to 20"):
            parse_effects(phrase)


@given(st.text("abcdefghi +-12,=B'", max_size=24))
def test_nonsense_is_refused_with_an_explanation(noise: str) -> None:
    for read in (parse_effects, parse_cost, parse_duration, parse_trigger, parse_player_conditions):
        with suppress(ValueError):
            read(noise)
