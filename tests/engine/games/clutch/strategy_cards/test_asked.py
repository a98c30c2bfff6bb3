"""Questions to managers: their wording and numbers, and muting them."""

from __future__ import annotations

from typing import Any

import pytest

from engine.games.clutch.cards.effects import WINDOW_TAGS
from engine.games.clutch.strategy_cards.muting import ASK_AGAIN_OPTION
from engine.games.clutch.words import GAME_WORDS
from engine.table import Table
from engine.views import json_data
from tests.each import each
from tests.engine.games.clutch import fixture
from tests.engine.games.clutch.field import at, options, run, state, until, upto


def shown(table: Table, why: str, *script: str) -> Any:
    """Return the ask as its own seat sees it, as plain data."""
    ask = upto(table, why, *script)
    return json_data(table.ask_view(table.open_asks()[0][0], ask, ask.seat))


def muted(table: Table) -> Any:
    """Return what everybody sees that chairs are not asked about."""
    return json_data(table.view_for(None))["scoreboard"]["panel"]["muted"]


def test_a_mute_lasts_for_this_half_inning() -> None:
    table = run(at("T5 1o ---", level="players"), "pitch-on", "GB!")
    assert {"away": [], "home": ["defence"]} == muted(table)
    run(table, "GB!")
    assert {"away": [], "home": []} == muted(table)


def test_a_tired_pitcher_lifts_his_sides_mutes() -> None:
    table = at("T5 1o ---", level="players", arm={"outs": 17, "faced": 17})
    run(table, "pitch-on", "swing-on", "GB!")
    assert "defence" == table.open_asks()[0][1].why
    assert {"away": ["offence"], "home": []} == muted(table)
    run(table, "1B!")
    assert ["Px is tired: Command −1, and every swing is with the Power Die."] == [
        GAME_WORDS.event_sentence(one.event) for one in table.log if one.event.code == "tires"
    ]


def test_a_new_pitcher_lifts_mutes_too() -> None:
    table = at("T5 0o ---", level="players", arm={"outs": 20, "faced": 20})
    upto(table, "offence", "pitch-on")
    assert ["defence"] == muted(table)["home"]
    run(table, "swing-on", "GB!")
    table = at("T5 0o ---", level="players", arm={"outs": 20, "faced": 20})
    state(table).muted = frozenset({("home", "infield"), ("away", "offence")})
    until(table, "new-pitcher", "Rx")
    assert frozenset({("away", "offence")}) == state(table).muted


@each("why", ["extra-base", "throw-at"])
def test_a_mute_can_be_undone_wherever_its_manager_is_asked(why: str) -> None:
    table = at("T5 0o -2-", level="players")
    state(table).muted = frozenset({("home", "infield"), ("away", "changes")})
    ask = upto(table, why, "1B!", *(["to-home"] if why == "throw-at" else []))
    assert ASK_AGAIN_OPTION == options(ask)[-1]
    until(table, ASK_AGAIN_OPTION)
    assert why == table.open_asks()[0][1].why
    assert ASK_AGAIN_OPTION not in options(table.open_asks()[0][1])
    assert 1 == len(state(table).muted)


def test_a_card_window_offers_it_too() -> None:
    table = at(away=["SW+2"])
    state(table).muted = frozenset({("away", "offence")})
    ask = upto(table, "cards-before-pitch")
    assert ASK_AGAIN_OPTION == options(ask)[-1]
    until(table, ASK_AGAIN_OPTION)
    assert ASK_AGAIN_OPTION not in options(upto(table, "cards-before-pitch"))
    assert not state(table).muted


@pytest.mark.rule("CL-085")
@each("level", ["full", "players", "basic"])
def test_fielders_may_move_at_the_start_of_any_at_bat(level: str) -> None:
    table = at("T2 0o ---", level=level)
    for _ in range(3):
        assert "positions" in options(upto(table, "defence"))
        run(table, "1B!")
    until(table, "positions", "H-LF", "CF")
    assert "H-LF" == state(table).squad("home").player_at("CF")


def test_each_window_has_its_sentence() -> None:
    asked = {why.removeprefix("cards-") for why in GAME_WORDS.asks if why.startswith("cards-")}
    assert set(WINDOW_TAGS) - {"chart"} == asked


@each(
    ("window", "script", "said"),
    [
        ("before-pitch", [], "Px is about to pitch: advantage with 8 or more. Command 3 against On-Base 10."),
        ("pitch-roll", ["P12"], "The pitch roll is 12: Pitch 15 against On-Base 10, advantage Px."),
        ("advantage", ["P12"], "Pitch 15 against On-Base 10: Px has the advantage."),
        ("advantage", ["P1"], "A mistake pitch. Pitch 4 against On-Base 10: Bx has the advantage."),
        ("swing-roll", ["P12", "S4"], "The swing roll is 4: a strikeout on Px's chart."),
        ("result", ["P12", "S4"], "Bx's result is a strikeout."),
        (
            "throw",
            ["1B!", "to-home", "at-home"],
            "A throw at A-CF, going for home: out with 15 or more. Outfield +4 against speed 18 (printed 15).",
        ),
        (
            "throw-roll",
            ["1B!", "to-home", "at-home", "D11"],
            "The throw roll at A-CF, going for home, is 11: 15 against speed 18 (printed 15), safe.",
        ),
        ("throw-result", ["1B!", "to-home", "at-home", "D11"], "A-CF is safe at home, 15 against 18."),
        ("after", ["1B!"], "Bx: a single."),
    ],
)
def test_the_situation_in_words(window: str, script: list[str], said: str) -> None:
    table = at("T5 0o -2-", away=["SW+2"], home=["SW-2"], house={"windows": "always"})
    ask = upto(table, f"cards-{window}", *script)
    shown = json_data(table.ask_view(table.open_asks()[0][0], ask, ask.seat))
    assert f" play a card or pass. {said} Next: " in shown["sentence"]


PITCH = {
    "": ("8+", "8 or more gives Px the advantage, less gives it to Bx", "3 against On-Base 10"),
    "PITCH+2": ("6+", "6 or more gives Px the advantage, less gives it to Bx", "3 +2 from cards against On-Base 10"),
    "OB+2": ("10+", "10 or more gives Px the advantage, less gives it to Bx", "3 against On-Base 12 (printed 10)"),
    "NOWAY": ("none", "Whatever is rolled, Bx has the advantage", "3 against On-Base 10"),
}


@each("card", PITCH)
def test_the_pitch_says_what_it_needs(card: str) -> None:
    cards = {
        "PITCH+2": fixture.strategy("PITCH+2", "defense", "before the pitch", "pitch +2"),
        "OB+2": fixture.strategy("OB+2", "offense", "before the pitch", "on-base +2"),
        "NOWAY": fixture.strategy("NOWAY", "offense", "before the pitch", "the batter has the advantage"),
    }
    side = "home" if card == "PITCH+2" else "away"
    table = at(cards=cards, **{side: (card,)}) if card else at()  # type: ignore[arg-type]
    wins, outlook, made = PITCH[card]
    said = shown(table, "pitch", *filter(None, [card]))
    assert f"Pitch to Bx: {wins}" == said["title"]
    assert said["sentence"] == (
        f"Px pitches to Bx: roll the d20. {outlook}: the swing is read on that player's chart. "
        f"1 is a mistake pitch, hit with the Power Die. Command {made}."
    )
