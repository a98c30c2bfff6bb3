"""Blank cards: the table is asked which zones they test, and what happens."""

from __future__ import annotations

import pytest

from engine.errors import IllegalAnswer
from engine.games.rallybird.blank import RESULTS
from engine.games.rallybird.results import run
from engine.table import Table
from tests.engine.rallybird.fixture import at, bat, dice, labels, sides, stand, target, true
from tests.engine.tables import asked, codes, offered, panel, play


def shown(bases: str = "", outs: int = 0, zones: str = "AD", **more: object) -> Table:
    """A blank card, shown, with its zones named."""
    table = bat(at(bases, outs, "A3f D4f", **more), "F-BLANK")  # type: ignore[arg-type]
    return play(table, *zones, *(["enough"] if len(zones) < 3 else []))


def test_its_zones_are_asked_one_by_one() -> None:
    """One at least, three at most, and one may be named again."""
    table = bat(at(field="A3f"), "F-BLANK")
    assert (("tests",), ("A", "B", "C", "D", "E", "F")) == (asked(table), offered(table))
    assert ("F-BLANK", (), "") == tuple(panel(table, "card")[key] for key in ("name", "tests", "less"))
    with pytest.raises(IllegalAnswer):
        play(table, "enough")
    play(table, "A")
    assert {"A": "A, at A", "enough": "That is all"}.items() <= labels(table).items()
    play(table, "A", "A")
    assert (("hit-blank",), 9) == (asked(table), target(table))
    assert ["shown-blank", "shown"] == codes(table.log)[-2:]
    assert ("hit-blank",) == asked(shown(zones="A"))


def test_what_happens_is_asked_after_the_roll() -> None:
    """Said in words, and carried out as if it stood on a card: wear, runs, outs."""
    table = play(shown("1"), dice(9))
    assert ("result",) == asked(table)
    assert "The dice show more: read F-BLANK. What happens?" == table.view(None)["asks"][0]["sentence"]
    assert "the batter reaches first and runners go on 2 bases" == labels(table)["batter to first, runners +2"]
    play(table, "batter to first, runners +2")
    assert (("13", 0, 0), ("flip",)) == (stand(table), asked(table))
    out = play(shown("1"), dice(2), "double play")
    assert (("", 2, 0), {}) == (stand(out), sides(out))


@pytest.mark.parametrize("outs", [0, 1, 2])
@pytest.mark.parametrize("bases", ["", "1", "2", "3", "12", "13", "23", "123"])
def test_only_what_can_happen_is_offered(bases: str, outs: int) -> None:
    """Nobody who is not there is spoken of, and no two answers come to the same but a walk and a hit."""
    table = play(shown(bases, outs), dice(9))
    options, state = offered(table), true(table)
    assert {"batter walks", "batter to first"} <= set(options)
    assert ("double play" in options) == ("1" in bases and outs < 2)
    for base, name in zip("123", ("first", "second", "third"), strict=True):
        assert any(f"runner on {name} " in one for one in options) <= (base in bases)
    if not bases:
        assert not any("runner" in one for one in options)
    ends = []
    for result in RESULTS:
        if result.text in options:
            ran = run(result, state.bases, state.batter, state.outs)
            ends.append((ran.bases, ran.outs, ran.home, ran.moved, result.batter == "walk"))
    assert len(set(ends)) == len(ends) == len(options)


@pytest.mark.rule("RB-104")
@pytest.mark.parametrize(("house", "apart"), [({"runOnThirdOut": "true"}, True), ({}, False)])
def test_runs_with_the_third_out_tell_results_apart(house: dict[str, str], apart: bool) -> None:
    """Where they count, an out that brings a run in comes to something else than an out alone."""
    table = play(shown("3", 2, house=house), dice(9))
    assert apart == ("batter grounds out, runners +1" in offered(table))
    if apart:
        play(table, "batter grounds out, runners +1")
        assert (1, 0) == true(table).score


@pytest.mark.rule("RB-107", "RB-108")
def test_runners_sent_on_are_told_from_runners_pushed() -> None:
    """They end on the same bases, but only the one wears a Glove."""
    table = play(shown("1"), dice(9))
    assert {"batter grounds out", "batter grounds out, runners +1"} <= set(offered(table))
    assert ("at-bat",) == asked(play(table.clone(), "batter grounds out"))
    assert ("flip",) == asked(play(table, "batter grounds out, runners +1"))


def test_the_rallybird_comes_after_the_reading() -> None:
    """A blank card's roll that failed may be thrown again, and is read again."""
    table = play(shown(inning=9, score=(0, 2)), dice(2), "batter out")
    assert ("rallybird",) == asked(table)
    play(table, "reroll", dice(12))
    assert ("result",) == asked(table)
    assert ("1", 0, 2) == stand(play(table, "batter to first"))


def test_a_blank_card_may_be_about_a_runner() -> None:
    """Typed in or not, it then wants him."""
    card = {"F-BLANK": 'blank = true\nrequires = "third"\n'}
    assert "F-BLANK" not in offered(at("12", cards=card))
    assert "F-BLANK" in offered(at("3", cards=card))
