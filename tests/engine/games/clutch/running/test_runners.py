"""Runners one by one: their sentences, the pitcher charged, and cards that move them during a play."""

from __future__ import annotations

from typing import Any

import pytest

from engine.games.clutch.at_bat.outcomes import play_outcome
from engine.games.clutch.cards.effects import THIS_AT_BAT, CardEffect
from engine.games.clutch.pitching import pitcher_record
from engine.games.clutch.running.advancing import legal_tries
from engine.games.clutch.running.ground_balls import bring_infield_in, may_bring_infield_in
from engine.games.clutch.running.stealing import legal_steals, steal
from engine.games.clutch.squad import BaseRunner
from engine.games.clutch.state import EffectInForce
from engine.games.clutch.words import GAME_WORDS
from tests.each import each
from tests.engine.games.clutch import field
from tests.engine.games.clutch.fixture import HOUSE, pitcher, strategy, written
from tests.engine.games.clutch.steps import at, charged, event_codes, event_sentences, line, play, stand, until, wrote


def test_runners_score_in_order() -> None:
    s = at("123")
    play(play_outcome(s, "HR"))
    (home_run,) = s.news
    assert ("A-LF", "A-CF", "A-RF", "Bx") == home_run.facts["runners"]
    assert ["Bx hits a home run; A-LF, A-CF and A-RF score!"] == event_sentences(s)
    assert {"r": 1} == wrote(s, "A-CF")


@pytest.mark.rule("CL-249", "CL-283", "CL-311")
def test_sentences_about_runners() -> None:
    s = at("2")
    play(play_outcome(s, "1B"), "to-home", "no-throw")
    assert ["Bx singles; A-CF takes third.", "A-CF tries for home.", "A-CF scores. Outs: 0."] == event_sentences(s)
    s = at("3")
    play(play_outcome(s, "FB"), "to-home", "at-home", 14)
    assert "Bx hits a sacrifice fly; A-LF scores. Outs: 1." == event_sentences(s)[-1]
    s = at("1")
    play(steal(s, "steal-second"), "at-second", 6)
    assert {"steal"} == s.at.tags
    s = at("1", 2)
    play(steal(s, "steal-second"), "at-second", 7)
    assert (("", 3, 0), 0, ["tries", "throw-out", "caught"]) == (stand(s), line(s).pa, event_codes(s))
    assert ["A-RF goes for second.", "A-RF is out at second. Outs: 3."] == event_sentences(s)


@each(
    ("code", "bases", "answers", "tags"),
    [
        ("FB", "3", ("to-home", "at-home", 14), {"sacrifice-fly"}),
        ("GB", "2", ("to-third", "at-third", 9), {"fielders-choice"}),
        ("GB", "2", ("to-third", "take-batter"), set()),
        ("GB", "1", (12,), {"fielders-choice"}),
        ("GB", "1", (13,), {"double-play"}),
    ],
)
def test_card_windows_in_a_play(code: str, bases: str, answers: tuple[object, ...], tags: set[str]) -> None:
    s = at(bases)
    play(play_outcome(s, code), *answers)
    assert tags == {"sacrifice-fly", "fielders-choice", "double-play"} & s.at.tags


@pytest.mark.rule("CL-337", "CL-342", "CL-299")
def test_with_the_bases_loaded_and_the_infield_in_the_lead_runner_is_out() -> None:
    """All others move up, and nobody tries for a double play, even if a card has moved the runner on third."""
    s = at("123", infield_in=True)
    play(play_outcome(s, "GB"))
    assert ["Bx", "A-RF", "A-CF"] == [runner and runner.name for runner in s.bases]
    s = at("1", infield_in=True)
    play(play_outcome(s, "GB"))
    assert ("2", 1, 0) == stand(s)


@pytest.mark.rule("CL-335")
def test_the_infield_plays_in_once() -> None:
    s = at("3")
    assert may_bring_infield_in(s)
    bring_infield_in(s)
    assert (True, False, ["Home brings the infield in."]) == (
        s.at.infield_in,
        may_bring_infield_in(s),
        event_sentences(s),
    )


@pytest.mark.rule("CL-261", "CL-285", "CL-308")
def test_no_play_puts_two_runners_on_a_base() -> None:
    """Even when the lead runner trying is thrown out or the last one is held; every play with every set of bases."""
    for occupied in range(8):
        bases = tuple(BaseRunner(str(i), "") if occupied >> i & 1 else None for i in range(3))
        for way in legal_tries((bases[0], bases[1], bases[2]), (2, 3, 4)):
            after = [i + 1 + (i + 2 in way) for i in range(3) if bases[i]]
            assert len({base for base in after if base < 4}) == len([base for base in after if base < 4])
            assert all(bases[base - 2] for base in way)
    one, two, three = (BaseRunner(str(i), "") for i in range(3))
    assert ((2,), (4,), (2, 4)) == legal_tries((one, None, three), (2, 3, 4))
    assert ((4,), (3, 4), (2, 3, 4)) == legal_tries((one, two, three), (2, 3, 4))


@each(("outs", "home", "third"), [(0, 15, 12), (2, 18, 15)])
def test_both_sides_see_the_face_needed(outs: int, home: int, third: int) -> None:
    """It is the lowest face of a d20 that is an out, with its chance, for each runner who might be thrown at."""
    ask = until(play_outcome(at("12", outs), "1B"))
    odds = [f"{base} with {face} or more ({5 * (21 - face)}%)" for base, face in (("home", home), ("third", third))]
    both = "; ".join(f"out at {one}" for one in odds)
    assert {"to-home": both.split("; ")[0], "to-third-home": both} == ask.facts["notes"]
    ask = until(play_outcome(at("12", outs), "1B"), "to-third-home")
    assert both.split("; ") == list(ask.facts["notes"].values())


# Who is charged (AM-35) ----------------------------------------------------------------------------------------------


@each(
    "changes",
    [{"pitcher": "Rx"}, {"pitcher": "Rx", "earned": False}, {"pitcher": "", "earned": False, "automatic": True}],
)
@each(
    ("bases", "base", "answers"),
    [("1", 1, (1,)), ("2", 2, ("to-third", "at-third", 20)), ("3", 3, ("to-home", "at-home", 20)), ("123", 3, ())],
)
def test_a_batter_replacing_a_runner_is_charged_to_the_same_pitcher(
    bases: str, base: int, answers: tuple[object, ...], changes: dict[str, Any]
) -> None:
    """This is on a fielder's choice, earned or not; if the runner was automatic, nobody is charged."""
    s = at(bases, infield_in="3" in bases)
    charged(s, base, **changes)
    play(play_outcome(s, "GB"), *answers)
    assert BaseRunner("Bx", **changes) == s.bases[0]


def test_a_batter_who_reaches_without_an_out_is_charged_to_the_pitcher() -> None:
    s = at("2")
    charged(s, 2, pitcher="Rx")
    play(play_outcome(s, "GB"), "to-third", "at-third", 1)
    assert s.bases[0] is not None
    assert "Px" == s.bases[0].pitcher


@pytest.mark.rule("CL-300")
def test_two_outs_past_the_limit_do_not_count_as_pitching_tired() -> None:
    """A reliever of one inning with two outs gets two more on one pitch; only the next pitch would be tired."""
    table = field.at("T5 0o 1--", cards={"Px": pitcher("Px", "RP 1", "SP 1")}, arm={"outs": 2})
    arm = field.mound(field.run(table, "GB!", "D13"))
    assert (4, False, True) == (arm.outs, arm.tired, pitcher_record.is_tired(arm, HOUSE))


# Steals --------------------------------------------------------------------------------------------------------------


@each(("held", "bases", "ways"), [("first", "1", ()), ("first", "12", ("steal-third",)), ("second", "12", ())])
def test_a_runner_held_by_a_card_cannot_steal(held: str, bases: str, ways: tuple[str, ...]) -> None:
    """Nor can any runner who would run into him."""
    s = at(bases)
    runner = s.bases[("first", "second").index(held)]
    assert runner is not None
    hold = CardEffect(f"runner on {held} holds", "hold", held)
    s.standing = (EffectInForce("a card", "home", hold, THIS_AT_BAT, on=("away", runner.name)),)
    assert ways == legal_steals(s)


HOLD = {
    "ALL": strategy("ALL", "defense", ["when a steal is declared", "when runners try for a base"], "runners hold"),
    "LEAD": strategy(
        "LEAD", "defense", ["when a steal is declared", "when runners try for a base"], "lead runner holds"
    ),
    "THROW": strategy("THROW", "defense", "on a throw", "lead runner holds"),
}


@pytest.mark.rule("CL-301", "CL-249", "CL-280", "CL-271", "CL-336", "CL-261")
@each(
    ("where", "card", "script", "after"),
    [
        ("T5 0o 1--", "ALL", "steal-second ALL SO!", "T5 1o 1--"),
        ("T5 0o 1--", "LEAD", "steal-second LEAD SO!", "T5 1o 1--"),
        # The lead runner may be another one; who would run into a runner who holds stays too.
        ("T5 0o 1-3", "LEAD", "steal-second LEAD no-throw SO!", "T5 1o -23"),
        ("T5 0o 12-", "LEAD", "steal-both LEAD SO!", "T5 1o 12-"),
        ("T5 0o 12-", "THROW", "steal-both at-third THROW SO!", "T5 1o 12-"),
        ("T5 0o 1--", "THROW", "steal-second at-second THROW SO!", "T5 1o 1--"),
        ("T5 0o -2-", "ALL", "1B! to-home ALL", "T5 0o 1-3"),
        ("T5 0o -2-", "LEAD", "1B! to-home LEAD", "T5 0o 1-3"),
        ("T5 0o 12-", "LEAD", "1B! to-third-home LEAD", "T5 0o 123"),
        ("T5 0o -2-", "THROW", "1B! to-home at-home THROW", "T5 0o 1-3"),
        ("T5 0o --3", "LEAD", "FB! to-home LEAD", "T5 1o --3"),
        ("T5 0o --3", "THROW", "FB! to-home at-home THROW", "T5 1o --3"),
        ("T5 0o -2-", "LEAD", "GB! to-third LEAD", "T5 1o -2-"),
        ("T5 0o -2-", "THROW", "GB! to-third at-third THROW", "T5 0o 12-"),
        ("T5 0o --3", "LEAD", "in GB! to-home LEAD", "T5 1o --3"),
        ("T5 0o --3", "THROW", "in GB! to-home at-home THROW", "T5 0o 1-3"),
    ],
)
def test_a_card_holds_runners_who_are_on_their_way(where: str, card: str, script: str, after: str) -> None:
    """No die is rolled for them, and nobody is out, credited or charged."""
    table = field.run(field.at(where, home=[card], cards=HOLD), *script.split())
    assert (after, (0, 0)) == (field.now(table), field.state(table).score)
    steals = [one.sb + one.cs for one in field.state(table).lines[0].values()]
    assert sum(steals) == (1 if "no-throw" in script else 0)
    asked = [one.ask.why for one in table.answers]
    assert "throw" not in asked
    assert ("throw-at" in asked or "throw-or-batter" in asked) == ("at-" in script or "no-throw" in script)


@pytest.mark.rule("CL-155", "CL-401")
@each("kind", ["strategy", "stadium"])
@each("do", ["lead runner advances 1", "runners advance 1", "runner on third advances 1 by an error"])
@each(("where", "score", "over"), [("B9 2o --3", (3, 3), False), ("B9 1o --3", (3, 4), True)])
def test_nothing_scores_after_the_third_out(kind: str, do: str, where: str, score: tuple[int, int], over: bool) -> None:
    """A card that moves runners after a strikeout wins the game with one out, and does nothing with three."""
    cards = {"A": strategy("A", "offense", "after a strikeout", do)}
    more: dict[str, Any] = {"cards": cards, "home": ["A"]}
    if kind == "stadium":
        cards = {"A": written("stadium", name="A", when="after a strikeout", do=do)}
        more = {"cards": cards, "position": lambda s: setattr(s, "stadium", "A")}
    table = field.run(field.at(where, score=(3, 3), **more), "SO!", *(["A"] if kind == "strategy" else []))
    assert (score, over) == (field.state(table).score, bool(table.outcome))


@pytest.mark.rule("CL-301")
@each(("house", "again"), [("1", False), ("unlimited", True)])
def test_an_at_bat_allows_one_steal_before_the_pitch(house: str, again: bool) -> None:
    """The same batter stays up; a second steal waits for the next batter, except by a house rule (AM-69)."""
    table = field.at("T2 0o 1--", arm={"owes": 1}, house={"stealsPerAtBat": house})
    ask = field.until(table, "steal-second", "at-second", "D6")
    assert ("T2 0o -2-", False, "Bx") == (field.now(table), field.mound(table).pitched, ask.facts["batter"])
    assert (1, again) == (field.line(table, "A-RF").sb, "steal-third" in getattr(ask, "options", ()))


@pytest.mark.rule("CL-311")
@each(("house", "leads"), [("sameBatter", "Bx"), ("nextBatter", "A-CA")])
def test_who_leads_off_after_a_caught_runner_made_the_third_out(house: str, leads: str) -> None:
    """The batter who was up, or by a house rule the one after him (AM-68)."""
    table = field.run(field.at("T2 2o 1--", house={"csLeadoff": house}), "steal-second", "at-second", "D7")
    assert "B2 0o ---" == field.now(table)
    field.run(table, "SO!", "SO!", "SO!")
    assert ("T3 0o ---", leads) == (field.now(table), field.state(table).batter_card.name)


# Cards during a play -------------------------------------------------------------------------------------------------

TRY, STEAL, THROW, AFTER = "when runners try for a base", "when a steal is declared", "on a throw", "after an at-bat"
LEAD = "the lead runner is out"
BACK = "place the runner on third on second"


@each(
    ("where", "when", "do", "script", "after", "runs"),
    [
        # Of two who try, the lead runner is gone before the throw; the other keeps running.
        ("T2 0o 12-", TRY, LEAD, "1B! to-third-home X no-throw", "T2 1o 1-3", 0),
        ("T2 0o 12-", TRY, LEAD, "1B! to-third-home X at-third D12", "T2 2o 1--", 0),
        # Nobody is left to throw at.
        ("T2 0o -2-", TRY, LEAD, "1B! to-home X", "T2 1o 1--", 0),
        ("T2 0o --3", TRY, LEAD, "FB! to-home X", "T2 2o ---", 0),
        ("T2 0o -2-", TRY, LEAD, "GB! to-third X", "T2 2o ---", 0),
        ("T2 0o 12-", STEAL, LEAD, "steal-both X no-throw SO!", "T2 2o -2-", 0),
        ("T2 0o -2-", STEAL, LEAD, "steal-third X SO!", "T2 2o ---", 0),
        # He is gone while the other runner is being thrown at.
        ("T2 0o 12-", THROW, LEAD, "1B! to-third-home at-third X D11", "T2 1o 1-3", 0),
        ("T2 0o 12-", THROW, LEAD, "GB! X D1", "T2 2o 1--", 0),
        # That was already the third out: nothing more is asked, and nobody scores.
        ("T2 2o 12-", TRY, LEAD, "1B! to-third-home X", "B2 0o ---", 0),
        ("T2 2o 12-", THROW, LEAD, "1B! to-third-home at-third X D20", "B2 0o ---", 0),
        ("T2 1o 12-", THROW, LEAD, "GB! X D20", "B2 0o ---", 0),
        ("T2 2o 12-", STEAL, LEAD, "steal-both X", "B2 0o ---", 0),
        ("T2 1o 123", THROW, "the runner on second is out", "GB! X D1", "B2 0o ---", 0),
        ("T2 2o 12-", THROW, "the runner on second is out", "1B! to-third-home at-home X D1", "B2 0o ---", 0),
        # He stays where a card put him, and nobody scores twice.
        ("T2 0o 12-", THROW, "runners advance 1 base", "1B! to-third-home at-third X", "T2 0o -23", 1),
        # A runner stops behind another even if a card would send him on.
        ("T2 0o 12-", AFTER, "runner on first advances 2", "SO! X", "T2 1o 12-", 0),
        ("T2 0o 1-3", AFTER, "runner on first advances 4", "SO! X", "T2 1o -23", 0),
        ("T2 0o 12-", AFTER, "runners advance 2", "SO! X", "T2 1o --3", 1),
        ("T2 0o 12-", AFTER, "place the runner on first on third", "SO! X", "T2 1o 12-", 0),
        ("T2 0o -23", AFTER, "place the runner on third on first", "SO! X", "T2 1o -23", 0),
        ("T2 0o --3", AFTER, "place the runner on third on first", "SO! X", "T2 1o 1--", 0),
        ("T2 0o --3", AFTER, "batter advances 3", "BB! X", "T2 0o -23", 0),
        # The runner thrown at returns to his base or one back: the batter on first pushes the others along.
        ("T2 0o -2-", THROW, "place the runner on second on first", "GB! to-third at-third X", "T2 0o 12-", 0),
        ("T2 0o -23", THROW, "place the runner on second on first", "GB! to-third at-third X", "T2 0o 12-", 1),
        ("T2 0o 1-3", THROW, BACK, "in GB! to-home at-home X", "T2 0o 123", 0),
        # The runner on first stays while the one sent home is back on second.
        ("T2 0o 1-3", TRY, BACK, "in GB! to-home X", "T2 1o 12-", 0),
        # A runner stealing a base where a card has put another stays on first.
        ("T2 0o 1-3", "on a steal", BACK, "steal-second at-second X D1 SO!", "T2 1o 12-", 0),
    ],
)
@pytest.mark.rule("CL-261", "CL-308", "CL-340")
def test_a_card_moves_a_runner_during_a_play(
    where: str, when: str, do: str, script: str, after: str, runs: int
) -> None:
    """The play goes on with the remaining runners, and nobody passes another."""
    table = field.at(where, home=["X"], cards={"X": strategy("X", "neutral", when, do)}, decks=((), ()))
    field.run(table, *script.split())
    assert (after, (runs, 0)) == (field.now(table), field.state(table).score)
    assert field.mound(table).outs == (3 if after[0] == "B" else int(after[3])) - int(where[3])
    if when == "on a steal":
        assert 0 == field.line(table, "A-RF").sb
        assert "A-RF stays on first: second is taken." in [GAME_WORDS.event_sentence(one.event) for one in table.log]


@each(("where", "errors"), [("---", 0), ("12-", 0), ("1--", 1)])
def test_an_error_that_moves_nobody_does_not_count(where: str, errors: int) -> None:
    """With the bases empty, or with all of them occupied."""
    cards = {"X": strategy("X", "offense", AFTER, "runner on first advances 1 by an error")}
    table = field.run(field.at(f"T5 0o {where}", away=["X"], cards=cards), "SO!", "X")
    assert (0, errors) == field.state(table).errors
