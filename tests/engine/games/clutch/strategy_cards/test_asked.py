"""What managers are asked, for how long they need not be, and what each choice brings."""

from __future__ import annotations

from typing import Any

import pytest

from engine.games.clutch.strategy_cards.muting import AGAIN
from engine.games.clutch.words import WORDS
from engine.table import Table
from engine.views import plain
from tests.engine.games.clutch.field import at, options, run, state, until, upto


def shown(table: Table, why: str, *script: str) -> Any:
    """The ask as its own seat sees it, as plain data."""
    ask = upto(table, why, *script)
    return plain(table.ask_view(table.asks()[0][0], ask, ask.seat))


def notes(table: Table, why: str, *script: str) -> dict[str, str]:
    """The notes of its options."""
    return {one["value"]: one.get("note", "") for one in shown(table, why, *script)["options"]}


def muted(table: Table) -> Any:
    """What everybody sees that chairs are not asked about."""
    return plain(table.view(None))["scoreboard"]["panel"]["muted"]


def test_a_mute_is_for_this_half_inning() -> None:
    table = run(at("T5 1o ---", level="players"), "pitch-on", "GB!")
    assert {"away": [], "home": ["defence"]} == muted(table)
    run(table, "GB!")
    assert {"away": [], "home": []} == muted(table)


def test_a_tired_pitcher_lifts_the_mutes_of_his_side() -> None:
    table = at("T5 1o ---", level="players", arm={"outs": 17, "faced": 17})
    run(table, "pitch-on", "swing-on", "GB!")
    assert "defence" == table.asks()[0][1].why
    assert {"away": ["offence"], "home": []} == muted(table)
    run(table, "1B!")
    assert ["Px is tired: Command −1, and every swing is with the Power Die."] == [
        WORDS.event(one.event) for one in table.log if one.event.code == "tires"
    ]


def test_a_new_pitcher_lifts_them_too() -> None:
    table = at("T5 0o ---", level="players", arm={"outs": 20, "faced": 20})
    upto(table, "offence", "pitch-on")
    assert ["defence"] == muted(table)["home"]
    run(table, "swing-on", "GB!")
    table = at("T5 0o ---", level="players", arm={"outs": 20, "faced": 20})
    state(table).muted = frozenset({("home", "infield"), ("away", "offence")})
    until(table, "new-pitcher", "Rx")
    assert frozenset({("away", "offence")}) == state(table).muted


@pytest.mark.parametrize("why", ["extra-base", "throw-at"])
def test_who_muted_something_may_take_it_back_wherever_he_is_asked(why: str) -> None:
    table = at("T5 0o -2-", level="players")
    state(table).muted = frozenset({("home", "infield"), ("away", "changes")})
    ask = upto(table, why, "1B!", *(["to-home"] if why == "throw-at" else []))
    assert AGAIN == options(ask)[-1]
    until(table, AGAIN)
    assert why == table.asks()[0][1].why
    assert AGAIN not in options(table.asks()[0][1])
    assert 1 == len(state(table).muted)


def test_a_card_window_has_it_too() -> None:
    table = at(away=["SW+2"])
    state(table).muted = frozenset({("away", "offence")})
    ask = upto(table, "cards-before-pitch")
    assert AGAIN == options(ask)[-1]
    until(table, AGAIN)
    assert AGAIN not in options(upto(table, "cards-before-pitch"))
    assert not state(table).muted


def test_a_walk_is_offered_as_what_it_is() -> None:
    """Plain where nobody of the other side can come in, before substitutions begin; else it may wait for that."""
    labels = {one["value"]: one["label"] for one in shown(at("T2"), "defence")["options"]}
    assert "Walk him" == labels["walk"]
    labels = {one["value"]: one["label"] for one in shown(at("T5"), "defence")["options"]}
    assert "Walk him, or decide once it is known who bats" == labels["hold"]


def test_steals_and_bunts_tell_their_odds() -> None:
    """Stealing 15 against a battery of 9; a bunt must be over 12."""
    said = notes(at("T5 0o 12-", level="players"), "offence")
    assert {
        "steal-third": "out at third with 4 or more",
        "steal-both": "out at third with 4 or more; out at second with 7 or more",
        "bunt": "down with 13 or more",
    } == {code: note for code, note in said.items() if note}
    assert "Bx bunts: roll the d20; down with 13 or more." == shown(at("T5 0o 1--"), "bunt", "bunt")["sentence"]


def test_moving_fielders_is_offered_once_before_substitutions_begin() -> None:
    table = at("T2 0o ---")
    assert "positions" in options(upto(table, "defence"))
    run(table, "GB!")
    assert "positions" not in options(upto(table, "defence"))
