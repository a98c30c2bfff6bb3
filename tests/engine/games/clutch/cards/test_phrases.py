"""What cards do, at what cost and how long: phrases, and the data they are read into."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.games.clutch.cards.effects import (
    ATTRIBUTES,
    BASES,
    DEEDS,
    IGNORED,
    ROLLS,
    RUNNERS,
    VERBS,
    Cost,
    Effect,
    Lasts,
    Trial,
)
from engine.games.clutch.cards.phrases import COSTS, EFFECTS, LASTS, condition, cost, effect, lasts, trigger, who

LISTED = [one for say in EFFECTS for one in say.split(", ")]


def does(verb: str, what: str = "", amount: int = 0, **more: Any) -> Effect:
    """An effect without its text."""
    return Effect("", verb, what, amount, **more)


def bare(effect: Effect) -> Effect:
    """The same without texts, also in what hangs on it."""
    then, otherwise = (tuple(map(bare, some)) for some in (effect.then, effect.otherwise))
    return replace(effect, text="", then=then, otherwise=otherwise)


READ = {
    "swing +2": does("mod", what="swing", amount=2),
    "swing roll +1": does("mod", what="swing_roll", amount=1),
    "pitch -1": does("mod", what="pitch", amount=-1),
    "pitch roll +1": does("mod", what="pitch_roll", amount=1),
    "command -2": does("mod", what="command", amount=-2),
    "on-base +1": does("mod", what="on_base", amount=1),
    "x-zone +1": does("mod", what="x_zone", amount=1),
    "swing + batter's clutch": does("mod", what="swing", amount=1, of="batter's clutch"),
    "pitch + pitcher's clutch": does("mod", what="pitch", amount=1, of="pitcher's clutch"),
    "swing - pitcher's clutch": does("mod", what="swing", amount=-1, of="pitcher's clutch"),
    "swing + d6": does("mod", what="swing", amount=1, of="d6"),
    "throw - d6": does("mod", what="throw", amount=-1, of="d6"),
    "br +2": does("mod", what="br", amount=2),
    "st -1": does("mod", what="st", amount=-1),
    "lead runner br +2": does("mod", what="br", amount=2, to="lead"),
    "runner on first st +1": does("mod", what="st", amount=1, to="first"),
    "batter br +1": does("mod", what="br", amount=1, to="batter"),
    "runners br +2": does("mod", what="br", amount=2, to="every"),
    "my runners st +2": does("mod", what="st", amount=2, whose="my", to="every"),
    "their runners br -1": does("mod", what="br", amount=-1, whose="their", to="every"),
    "throw +2": does("mod", what="throw", amount=2),
    "throw roll +1": does("mod", what="throw_roll", amount=1),
    "check -2": does("mod", what="check", amount=-2),
    "check roll +1": does("mod", what="check_roll", amount=1),
    "check target +2": does("mod", what="check_target", amount=2),
    "infield +1": does("mod", what="unit", amount=1, to="infield"),
    "outfield -1": does("mod", what="unit", amount=-1, to="outfield"),
    "battery +2": does("mod", what="unit", amount=2, to="battery"),
    "3B+SS +2": does("mod", what="unit", amount=2, to="3B+SS"),
    "CF defense +1": does("mod", what="defense", amount=1, to="CF"),
    "defense +1": does("mod", what="defense", amount=1),
    "bunt roll +1": does("mod", what="bunt_roll", amount=1),
    "bunt target -2": does("mod", what="bunt_target", amount=-2),
    "my hand limit +1": does("mod", what="hand_limit", amount=1, whose="my"),
    "their hand limit -1": does("mod", what="hand_limit", amount=-1, whose="their"),
    "my draw +1": does("mod", what="draw", amount=1, whose="my"),
    "on-base = 12": does("set", what="on_base", amount=12),
    "br = 20": does("set", what="br", amount=20),
    "check target = 15": does("set", what="check_target", amount=15),
    "lead runner br = 11": does("set", what="br", amount=11, to="lead"),
    "ignore handedness": does("ignore", what="handedness"),
    "ignore the batter's handedness": does("ignore", what="handedness", of="batter"),
    "ignore the pitcher's handedness": does("ignore", what="handedness", of="pitcher"),
    "ignore the stadium": does("ignore", what="stadium"),
    "ignore the weather": does("ignore", what="weather"),
    "ignore icons": does("ignore", what="icons"),
    "ignore cards": does("ignore", what="cards"),
    "ignore offense cards": does("ignore", what="offense cards"),
    "ignore defense cards": does("ignore", what="defense cards"),
    "ignore the runner bonus": does("ignore", what="runner bonus"),
    "ignore the unit bonus": does("ignore", what="unit bonus"),
    "power die for the swing": does("die", what="swing", of="d24"),
    "regular die for the swing": does("die", what="swing", of="d20"),
    "d24 for the pitch": does("die", what="pitch", of="d24"),
    "d20 for the throw": does("die", what="throw", of="d20"),
    "d24 for the check": does("die", what="check", of="d24"),
    "reroll the swing": does("reroll", what="swing"),
    "reroll the pitch": does("reroll", what="pitch"),
    "reroll the throw": does("reroll", what="throw"),
    "reroll the check": does("reroll", what="check"),
    "reroll the bunt": does("reroll", what="bunt"),
    "roll the swing twice for the best": does("twice", what="swing", of="best"),
    "roll the pitch twice for the worst": does("twice", what="pitch", of="worst"),
    "swing die = 20": does("face", what="swing", amount=20),
    "pitch die = 1": does("face", what="pitch", amount=1),
    "the batter has the advantage": does("advantage", of="batter"),
    "the pitcher has the advantage": does("advantage", of="pitcher"),
    "a mistake pitch": does("mistake", of="cause"),
    "no mistake pitch": does("mistake", of="prevent"),
    "read the other chart": does("switch"),
    "FB on the batter's chart is 1B": does("alter", what="FB", of="batter", to="1B"),
    "FB at 6 or more on the batter's chart is 1B": does("alter", what="FB", amount=6, of="batter", to="1B"),
    "6 to 8 on the chart is GB": does("alter", amount=6, to="GB", most=8),
    "GB on the chart is SO": does("alter", what="GB", to="SO"),
    "an out on the chart is 1B": does("alter", what="out", to="1B"),
    "change GB to 1B": does("change", what="GB", to="1B"),
    "change an out to a single": does("change", what="out", to="1B"),
    "change SO or GB to FB": does("change", what="SO+GB", to="FB"),
    "change the result to a walk": does("change", to="BB"),
    "the runner is safe": does("throw", to="safe"),
    "the runner is out": does("throw", to="out"),
    "the check is made": does("check", to="made"),
    "the check fails": does("check", to="failed"),
    "runners advance 1": does("advance", what="every", amount=1),
    "lead runner advances 2": does("advance", what="lead", amount=2),
    "runner on first advances 1": does("advance", what="first", amount=1),
    "batter advances 1": does("advance", what="batter", amount=1),
    "batter advances 1 by an error": does("advance", what="batter", amount=1, of="error"),
    "lead runner advances 1 by a steal": does("advance", what="lead", amount=1, of="steal"),
    "runners hold": does("hold", what="every"),
    "lead runner holds": does("hold", what="lead"),
    "runner on third holds": does("hold", what="third"),
    "remove the lead runner": does("remove", what="lead"),
    "the batter leaves the game": does("eject", what="batter"),
    "the pitcher leaves the game": does("eject", what="pitcher"),
    "remove the runner on second": does("remove", what="second"),
    "place the lead runner on third": does("place", what="third", of="lead"),
    "place the runner on second on first": does("place", what="first", of="second"),
    "the batter is out": does("out", what="batter"),
    "the lead runner is out": does("out", what="lead"),
    "the runner on first is out": does("out", what="first"),
    "forbid steals": does("forbid", what="steal"),
    "forbid extra bases": does("forbid", what="extra-base"),
    "forbid tag-ups": does("forbid", what="tag"),
    "forbid throws": does("forbid", what="throw"),
    "forbid double plays": does("forbid", what="double-play"),
    "forbid bunts": does("forbid", what="bunt"),
    "forbid intentional walks": does("forbid", what="walk"),
    "forbid changes": does("forbid", what="change"),
    "forbid cards": does("forbid", what="cards"),
    "forbid substitutions": does("forbid", what="substitution"),
    "forbid infield in": does("forbid", what="infield-in"),
    "forbid their cards": does("forbid", what="cards", whose="their"),
    "forbid defense cards": does("forbid", what="cards", of="defense"),
    "allow substitutions": does("allow", what="substitution"),
    "allow bunts": does("allow", what="bunt"),
    "score as E": does("score", what="E"),
    "score as FC": does("score", what="FC"),
    "score as SF": does("score", what="SF"),
    "score as SAC": does("score", what="SAC"),
    "score as WP": does("score", what="WP"),
    "draw 2": does("draw", amount=2, whose="my"),
    "they draw 1": does("draw", amount=1, whose="their"),
    "both draw 1": does("draw", amount=1, whose="both"),
    "the offense draws 1": does("draw", amount=1, whose="offense"),
    "the defense draws 1": does("draw", amount=1, whose="defense"),
    "discard 1": does("discard", amount=1, of="choice", whose="my"),
    "they discard 1": does("discard", amount=1, of="choice", whose="their"),
    "they discard 1 at random": does("discard", amount=1, of="random", whose="their"),
    "discard 1 offense card": does("discard", what="offense", amount=1, of="choice", whose="my"),
    "they discard their hand": does("discard", of="choice", whose="their"),
    "look at their hand": does("look", what="hand", amount=1, whose="their"),
    "look at the top card of my deck": does("look", what="deck", amount=1, whose="my"),
    "look at the top 3 of their deck": does("look", what="deck", amount=3, whose="their"),
    "recover 1": does("recover", amount=1),
    "search 1": does("search", amount=1),
    "recover 1 offense card": does("recover", what="offense", amount=1),
    "bottom 1": does("bottom", amount=1),
    "shuffle my deck": does("shuffle", whose="my"),
    "shuffle their deck": does("shuffle", whose="their"),
    "take this card back": does("return"),
    "negate the card": does("negate"),
    "cannot be negated": does("immune"),
    "innings +1": does("innings", amount=1),
    "innings -1": does("innings", amount=-1),
    "rest +1": does("rest", amount=1),
    "rest -1": does("rest", amount=-1),
}
"""The phrases of the table that are one plain effect."""

HANGS = {
    "change GB to 1B if an infield check fails": does(
        "try", "GB", of="failed", to="1B", trial=Trial("check", "infield")
    ),
    "change 1B to GB if an outfield check against 15 is made": does(
        "try", "1B", of="made", to="GB", trial=Trial("check", "outfield", 15)
    ),
    "change 1B to GB if an outfield throw at the batter is made": does(
        "try", "1B", of="made", to="GB", trial=Trial("throw", "outfield", 0, "batter")
    ),
    "change LD to 2B if a d20 shows 11 or more": does("try", "LD", of="made", to="2B", trial=Trial("roll", target=11)),
    "either draw 1 or they discard 1": does(
        "either",
        then=(does("draw", amount=1, whose="my"),),
        otherwise=(does("discard", amount=1, of="choice", whose="their"),),
    ),
    "swing +2 if the batter has HR": does("if", when=condition("the batter has HR"), then=(does("mod", "swing", 2),)),
    "swing +2 if the batter has HR else +1": does(
        "if", when=condition("the batter has HR"), then=(does("mod", "swing", 2),), otherwise=(does("mod", "swing", 1),)
    ),
    "lead runner advances 1 if an infield check fails": does(
        "call", trial=Trial("check", "infield"), otherwise=(does("advance", "lead", 1),)
    ),
    "draw 1 if a d6 shows 5 or more else discard 1": does(
        "call",
        trial=Trial("roll", target=5, die="d6"),
        then=(does("draw", amount=1, whose="my"),),
        otherwise=(does("discard", amount=1, of="choice", whose="my"),),
    ),
}
"""Those on which something hangs."""

MORE: dict[str, tuple[Effect, ...]] = {
    "swing +2 and draw 1": (does("mod", "swing", 2), does("draw", amount=1, whose="my")),
    "nothing": (),
    "Swing + 2, DRAW two cards": (does("mod", "swing", 2), does("draw", amount=2, whose="my")),
    "swing −2": (does("mod", "swing", -2),),
    "br +1 and swing +2 if one out or bases loaded, draw 1": (
        does("if", when=condition("one out or bases loaded"), then=(does("mod", "br", 1), does("mod", "swing", 2))),
        does("draw", amount=1, whose="my"),
    ),
    "swing +2 if the batter has HR, else +1": (
        does(
            "if",
            when=condition("the batter has HR"),
            then=(does("mod", "swing", 2),),
            otherwise=(does("mod", "swing", 1),),
        ),
    ),
    "pitch +1 if runners on else draw 1 and rest -1": (
        does(
            "if",
            when=condition("runners on"),
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
}
"""Several together, and other ways to say things."""


def test_every_phrase_of_the_table_is_tried() -> None:
    """Nothing in it that this file does not know."""
    assert sorted(LISTED) == sorted({**READ, **HANGS, **dict.fromkeys(list(MORE)[:2])})


@pytest.mark.parametrize(("phrase", "expected"), [*READ.items(), *HANGS.items()])
def test_a_phrase_is_one_effect(phrase: str, expected: Effect) -> None:
    """With the phrase as its text."""
    (found,) = effect(phrase)
    assert expected == bare(found)
    assert phrase == found.text


@pytest.mark.parametrize(("phrase", "expected"), MORE.items())
def test_phrases_can_stand_together(phrase: str, expected: tuple[Effect, ...]) -> None:
    """In order; an if holds for what stands before it, up to a comma."""
    assert expected == tuple(map(bare, effect(phrase)))


def flat(effects: tuple[Effect, ...]) -> Iterator[Effect]:
    """These, and all that hangs on them."""
    for one in effects:
        yield one
        yield from flat((*one.then, *one.otherwise))


def test_all_of_the_vocabulary_can_be_said_and_no_more() -> None:
    """Every verb, attribute, roll, runner and deed; nothing that is not among them."""
    said = [one for phrase in (*LISTED, *MORE) for one in flat(effect(phrase))]
    of = {verb: {one.what for one in said if one.verb == verb} for verb in VERBS}
    assert set(VERBS) == {one.verb for one in said}
    assert set(ATTRIBUTES) == of["mod"]
    assert set(ROLLS) == of["reroll"]
    assert set(DEEDS) == of["forbid"]
    assert set(IGNORED) == of["ignore"]
    assert set(RUNNERS) >= of["advance"] | of["hold"] | of["remove"] | of["out"]
    assert set(BASES) >= of["place"]
    for runner in ("batter", "lead runner", "runners", "runner on first", "runner on second", "runner on third"):
        assert effect(f"{runner} advances 1")[0].what in RUNNERS


@pytest.mark.parametrize(
    ("phrase", "expected"),
    [
        ("discard 1", Cost("", "discard")),
        ("discard 2", Cost("", "discard", 2)),
        ("discard 1 offense card", Cost("", "discard", side="offense")),
        ("discard 1 at random", Cost("", "discard", how="random")),
        ("discard 2 from the deck", Cost("", "mill", 2)),
        ("skip the next draw", Cost("", "skip")),
        ("Discard two cards at random", Cost("", "discard", 2, "random")),
    ],
)
def test_a_cost_is_paid_in_cards(phrase: str, expected: Cost) -> None:
    """Of the hand or the deck, or the next draw."""
    assert replace(expected, text=phrase) == cost(phrase)


@pytest.mark.parametrize(
    ("phrase", "unit", "count"),
    [
        ("this roll", "roll", 1),
        ("this throw", "throw", 1),
        ("this at-bat", "at-bat", 1),
        ("the next at-bat", "next-at-bat", 1),
        ("this half-inning", "half", 1),
        ("2 half-innings", "half", 2),
        ("this inning", "inning", 1),
        ("while the player is in the game", "player", 1),
        ("while it stays in play", "play", 1),
        ("this game", "game", 1),
    ],
)
def test_an_effect_lasts_as_long_as_is_said(phrase: str, unit: str, count: int) -> None:
    """Two half-innings are those of a bench coach."""
    assert Lasts(phrase, unit, count) == lasts(phrase)


def test_every_cost_and_length_of_the_tables_is_read() -> None:
    """Each as typed."""
    for read, phrases in ((cost, COSTS), (lasts, LASTS)):
        for phrase in (one for say in phrases for one in say.split(", ")):
            assert phrase == read(phrase).text


@pytest.mark.parametrize(
    ("phrase", "message"),
    [
        ("swing +lots", "is no effect"),
        ("swng +2", "the nearest is 'swing \\+2'"),
        ("swing +0", "wants a number from 1 to 20"),
        ("swing +21", "wants a number from 1 to 20"),
        ("on-base = 41", "wants a number from 0 to 40"),
        ("swing die = 25", "wants a number from 1 to 24"),
        ("draw 0", "wants a number from 1 to 9"),
        ("innings +3", "wants a number from 1 to 2"),
        ("runners advance 5", "wants a number from 1 to 4"),
        ("FB at 41 or more on the chart is 1B", "wants a number from 1 to 40"),
        ("odd on the chart is 1B", "wants a number"),
        ("change GB to an out", "wants one result to turn it into"),
        ("change GB to 1B if a d6 shows 7 or more", "wants a number from 2 to 6"),
        ("change GB to 1B if a d20 shows 20 or less", "wants a number from 1 to 19"),
        ("change GB to 1B if a d20 shows 11", "wants or more, or less"),
        ("change GB to 1B if an infield check against 41 fails", "wants a number from 1 to 40"),
        ("change GB to 1B if an infield throw at runners is made", "wants one runner"),
        ("change GB to 1B and draw 1 if an infield check fails", "changes a result by a trial and does more"),
        ("change GB to 1B if an infield check fails else draw 1", "changes a result by a trial and does more"),
        ("draw 1 if an infield check fails else change GB to 1B", "changes a result by a trial and does more"),
        ("swing +2 if", "is no effect"),
        ("swing +2 if bases loadd", "the nearest is 'bases loaded'"),
        ("swing +2 if one out if bases loaded", "can have one if and one else"),
        ("swing +2 if one out else +1 else +3", "can have one if and one else"),
        ("draw 1 if one out else +1", "'\\+1' is no effect"),
        ("else draw 1", "is no effect"),
        ("either draw 1", "is no effect"),
        ("swing +2, ", "is no effect"),
        ("draw 1 and nothing", "is no effect"),
        (12, "wants a phrase"),
    ],
)
def test_other_effects_are_refused(phrase: str, message: str) -> None:
    """With the nearest phrase, or what is wrong with this one."""
    with pytest.raises(ValueError, match=message):
        effect(phrase)


def test_other_costs_and_lengths_are_refused() -> None:
    """With the nearest phrase."""
    for wrong in ("discard 8", "discard 0", "discard", "pay 1"):
        with pytest.raises(ValueError, match="is no cost this house knows"):
            cost(wrong)
    for wrong in ("0 half-innings", "half-inning", "2 innings", "for ever"):
        with pytest.raises(ValueError, match="is no length of time this house knows"):
            lasts(wrong)


SIMPLE = st.sampled_from(sorted(READ))


@given(st.lists(SIMPLE, min_size=1, max_size=4), st.sampled_from([", ", " and "]))
def test_effects_join_in_order(phrases: list[str], between: str) -> None:
    """Each is read as if it stood alone."""
    assert tuple(one for phrase in phrases for one in effect(phrase)) == effect(between.join(phrases))


@given(st.sampled_from(["swing", "pitch roll", "br", "infield", "my on-base"]), st.integers(-40, 40))
def test_numbers_are_bounded(number: str, amount: int) -> None:
    """From 1 to 20, up or down."""
    phrase = f"{number} {amount:+d}"
    if 1 <= abs(amount) <= 20:
        assert [amount] == [one.amount for one in effect(phrase)]
    else:
        with pytest.raises(ValueError, match="wants a number from 1 to 20"):
            effect(phrase)


@given(st.text("abcdefghi +-12,=B'", max_size=24))
def test_noise_is_refused_in_words(noise: str) -> None:
    """Never with another error."""
    for read in (effect, cost, lasts, trigger, who):
        with suppress(ValueError):
            read(noise)
