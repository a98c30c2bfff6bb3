"""What plays of cards are made of, and whole cards as one types them."""

from __future__ import annotations

import pytest

from engine.games.clutch.cards.effects import AT_BAT, GROUPS, WINDOWS, Effect, Lasts, Play, Trial, Trigger
from engine.games.clutch.cards.phrases import condition, cost, effect, lasts, trigger, who


@pytest.mark.rule("CL-198", "CL-379")
def test_groups_are_results_that_go_by_one_name() -> None:
    assert {"SO", "GB", "LD", "FB"} == GROUPS["out"]
    assert {"2B", "3B", "HR"} == GROUPS["extra-base"] == GROUPS["hit"] - {"1B"}


def test_an_effect_is_about_some_results_or_any() -> None:
    wanted = {
        "change GB to 1B": "GB",
        "change an out to FB": "SO GB LD FB",
        "change BB or a hit to SO": "BB 1B 2B 3B HR",
    }
    for phrase, codes in wanted.items():
        about = {code for code in WINDOWS["result"] if code not in GROUPS and effect(phrase)[0].about(code)}
        assert set(codes.split()) == about, phrase
    assert all(effect("change the result to SO")[0].about(code) for code in ("SO", "HBP", "HR"))


def test_a_chart_reads_otherwise_where_a_card_says() -> None:
    (six,) = effect("FB at 6 or more on the batter's chart is 1B")
    assert [True, True, False] == [six.reads("batter", swing, "FB") for swing in (6, 30, 5)]
    assert [False, False] == [six.reads("pitcher", 6, "FB"), six.reads("batter", 6, "GB")]
    (some,) = effect("6 to 8 on the chart is GB")
    assert [False, True, True, False] == [some.reads("pitcher", swing, "HR") for swing in (5, 6, 8, 9)]
    (low,) = effect("2 or less on the chart is SO")
    assert [True, True, False] == [low.reads("batter", swing, "1B") for swing in (-3, 2, 3)]


def worked(**fields: str) -> Play:
    """A card's play, as its fields say it."""
    return Play(
        when=(trigger(fields["when"]),),
        clutch="clutch" in fields,
        conditions=condition(fields["wants"]) if "wants" in fields else (),
        cost=(cost(fields["cost"]),) if "cost" in fields else (),
        do=effect(fields["do"]),
        success=effect(fields.get("success", "nothing")),
        lasts=lasts(fields.get("lasts", AT_BAT.text)),
        leave=fields.get("leave", ""),
        until=(trigger(fields["until"]),) if "until" in fields else (),
    )


def test_a_modifier_before_the_pitch() -> None:
    card = worked(when="before the pitch", do="swing +2")
    assert Play((Trigger("before the pitch", "before-pitch"),), do=(Effect("swing +2", "mod", "swing", 2),)) == card


def test_a_change_by_a_check_that_fails() -> None:
    does = "change GB to 1B if an infield check fails"
    (change,) = worked(when="on a GB", do=does).do
    assert Effect(does, "try", "GB", of="failed", to="1B", trial=Trial("check", "infield", 20)) == change


def test_a_momentum_card() -> None:
    card = worked(
        when="at the start of my half-inning",
        do="my on-base +1",
        lasts="while it stays in play",
        leave="play",
        until="after a strikeout by my batter",
    )
    assert (Effect("my on-base +1", "mod", "on_base", 1, whose="my"),) == card.do
    assert Lasts("while it stays in play", "play") == card.lasts
    (until,) = card.until
    assert Trigger(until.text, "after", frozenset({"SO"}), frozenset({"mine"})) == until


def test_a_clutch_rating_comes_in_by_a_card() -> None:
    card = worked(when="before the swing", clutch="yes", do="swing + batter's clutch")
    assert card.clutch
    assert (Effect("swing + batter's clutch", "mod", "swing", 1, of="batter's clutch"),) == card.do


@pytest.mark.rule("CL-164")
def test_clutch_goes_to_the_number_that_is_named() -> None:
    for phrase, number in (("pitch + pitcher's clutch", "pitch"), ("on-base + batter's clutch", "on_base")):
        assert [number] == [one.what for one in effect(phrase)]


def test_what_follows_a_success() -> None:
    card = worked(when="on a throw", wants="it is a steal", do="throw +2", success="draw 1")
    assert card.when == (trigger("on a throw"),)
    assert ["draw"] == [one.verb for one in card.success]
    assert worked(when="on a steal", do="throw +2", success="draw 1").when[0].tags == {"steal"}


def test_a_card_with_a_cost() -> None:
    card = worked(when="before the pitch", cost="discard 1", do="no mistake pitch and pitch +1")
    assert [("mistake", "prevent"), ("mod", "")] == [(one.verb, one.of) for one in card.do]
    assert ["discard"] == [one.verb for one in card.cost]


def test_a_stadium() -> None:
    (reads,) = worked(when="when the batter's chart is read", do="FB at 6 or more on the batter's chart is 1B").do
    assert ("alter", "FB", 6, "batter", "1B") == (reads.verb, reads.what, reads.amount, reads.of, reads.to)
    wanted = worked(when="when the batter's chart says FB", wants="the swing is 6 or more", do="FB on the chart is 1B")
    assert ["number:swing"] == [one.fact for one in wanted.conditions]
    assert ["playing"] == [one.fact for one in who("plays CF")]
    assert ["team"] == [one.fact for one in who("plays for The Quay")]
    assert [("defense", "CF"), ("br", "")] == [(one.what, one.to) for one in effect("CF defense +1, br +2")]


def test_a_bench_coach() -> None:
    card = worked(when="at the start of an at-bat", do="my runners st +2", lasts="2 half-innings")
    assert Lasts("2 half-innings", "half", 2) == card.lasts
    assert [("st", "every", "my")] == [(one.what, one.to, one.whose) for one in card.do]


@pytest.mark.parametrize(
    ("rule", "phrase", "verb"),
    [
        ("CL-171", "power die for the pitch", "die"),
        ("CL-172", "pitch roll -1", "mod"),
        ("CL-173", "command -2", "mod"),
        ("CL-178", "the batter has the advantage", "advantage"),
        ("CL-179", "on-base +2", "mod"),
        ("CL-181", "swing roll +2", "mod"),
        ("CL-192", "a mistake pitch", "mistake"),
        ("CL-192", "no mistake pitch", "mistake"),
        ("CL-219", "they discard 1", "discard"),
        ("CL-222", "negate the card", "negate"),
        ("CL-242", "lead runner is out if an outfield check against 15 is made", "call"),
        ("CL-389", "power die for the swing", "die"),
        ("CL-401", "runner on first advances 1", "advance"),
    ],
)
def test_what_the_rulebook_lets_cards_do_can_be_said(rule: str, phrase: str, verb: str) -> None:
    """A phrase for each of its examples; that it is done is proved where it is done."""
    assert rule
    assert [verb] == [one.verb for one in effect(phrase)]
