"""The table: numbers, refusals, undo, amend, preview and clones, with a game that uses every kind of ask."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from engine.asks import Arrange, Choose, Play, Secret, ask_together, choose
from engine.errors import EngineError, HouseRuleError, IllegalAnswer, InvalidAnswer, StaleAnswer, WrongSeat
from engine.journal import Answer, Correction, Undo
from engine.seats import Seat
from engine.secrets import redacted_data
from engine.table import Table
from engine.views import json_data
from tests.each import each
from tests.engine.sample_games.duel_game import DUEL, FIELD, Move, State, dash, deck, moves, new, played


def shot(table: Table) -> str:
    """Return everything that every seat sees of a table, except its history."""
    seen = [{**json_data(table.view_for(seat)), "version": 0} for seat in (None, "away", "home")]
    told = [redacted_data(one, None) for one in table.log]
    answers = [(one.n, redacted_data(one.value, None)) for one in table.answers]
    return json.dumps([seen, told, answers, [redacted_data(line, None) for line in table.play_log_lines()]])


def numbers(table: Table) -> list[int]:
    """Return the numbers of the open asks."""
    return [n for n, _ in table.open_asks()]


def test_an_ask_keeps_its_number_while_it_is_open() -> None:
    """Answering one of two asks leaves the other its number, and the next ask continues after both."""
    table = new()
    assert [0, 1] == numbers(table)
    table.answer_ask("away", 1, {"first": "bob", "second": "ann"})
    assert [0] == numbers(table)
    table.answer_ask("home", 0, "low")
    assert [2, 3] == numbers(table)


def test_a_number_comes_back_after_undo_and_means_the_same_ask() -> None:
    """Numbers count asks, not entries, so an ask that opens again has its old number."""
    table = played(6)
    before = [(n, ask.seat, ask.why) for n, ask in table.open_asks()]
    table.undo(2)
    assert [2, 3] == numbers(table)
    for seat, n, value in moves()[2:6]:
        table.answer_ask(seat, n, value)
    assert before == [(n, ask.seat, ask.why) for n, ask in table.open_asks()]
    assert shot(played(6)) == shot(table)


REFUSALS: list[tuple[Answer | Undo | Correction, type[EngineError]]] = [
    (Answer("away", 0, "high"), WrongSeat),
    (Answer("home", 1, {}), WrongSeat),
    (Answer("home", 0, "middle"), IllegalAnswer),
    (Answer("home", 0, 4), InvalidAnswer),
    (Answer("home", 2, "heads"), StaleAnswer),
    (Answer("home", -1, "heads"), StaleAnswer),
    (Undo(0), StaleAnswer),
    (Undo(7), StaleAnswer),
    (Correction(0, "high"), StaleAnswer),
]


@each(("entry", "error"), REFUSALS)
def test_a_refusal_names_its_kind_and_changes_nothing(
    entry: Answer | Undo | Correction, error: type[EngineError]
) -> None:
    """A wrong seat, an illegal, an invalid and a stale answer raise different errors; the table stays as it was."""
    table = new()
    before = shot(table)
    with pytest.raises(EngineError) as refused:
        table.apply_entry(entry)
    assert error is refused.type
    assert (before, []) == (shot(table), table.journal)


@each(
    ("count", "undone", "seat", "n", "said"),
    [
        (1, None, "home", 0, "That was answered already"),
        (2, None, "away", 1, "That was answered already"),
        (5, None, "away", 4, "That"),  # The loser of a race is too late.
        (2, None, "home", 12, "That question isn't open"),
        (2, 0, "home", 3, "That was taken back"),
    ],
)
def test_a_number_that_is_not_open_is_stale(count: int, undone: int | None, seat: Seat, n: int, said: str) -> None:
    """The error differs for an ask that was answered, during a Together and after it, one that was undone, and none."""
    table = played(count)
    if undone is not None:
        table.undo(undone)
    with pytest.raises(StaleAnswer, match=said):
        table.answer_ask(seat, n, "high")


def test_a_refused_amend_changes_nothing() -> None:
    """An illegal value is refused before anything is undone."""
    table = played(8)
    before = shot(table)
    for value in ("middle", 3):
        with pytest.raises(EngineError):
            table.correct_answer(0, value)
        with pytest.raises(EngineError):
            table.preview_correction(0, value)
    assert (before, 8) == (shot(table), len(table.journal))


def test_undo_removes_everything_after_the_answer() -> None:
    """From the end of the game back to the first answer, past the reveal."""
    table = played(9)
    told = table.undo(0)
    assert [("undo", {"n": 0})] == [(one.event.code, one.event.facts) for one in told]
    assert shot(new()) == shot(table)
    assert [0, 1] == numbers(table)


def test_undo_inside_a_together_leaves_the_other_answer() -> None:
    """The answer with the lower number stands, and only the other seat is asked again."""
    table = new()
    table.answer_ask("home", 0, "high")
    table.answer_ask("away", 1, {"first": "bob", "second": "ann"})
    table.undo(1)
    assert [1] == numbers(table)
    table.answer_ask("away", 1, {"first": "ann", "second": "cy"})
    assert shot(played(2)) == shot(table)


def test_amend_inside_a_half_answered_together() -> None:
    """Corrected before the other seat answers: nothing is announced, and the corrected value counts."""
    table = new()
    table.answer_ask("away", 1, {"first": "bob", "second": "ann"})
    told = table.correct_answer(1, {"first": "ann", "second": "cy"})
    assert ["amend"] == [one.event.code for one in told]
    assert [0] == numbers(table)
    table.answer_ask("home", 0, "high")
    assert shot(played(2)) == shot(table)


@each("order", [(2, 3), (3, 2)])
@each("amended", [2, 3])
def test_amend_inside_a_together_keeps_the_other_answer(order: tuple[int, int], amended: int) -> None:
    """In either order of answers, one is corrected; the other and all that follows stand."""
    calls: dict[int, Move] = {2: ("away", 2, "heads"), 3: ("home", 3, "tails")}
    table = played(2)
    for n in order:
        table.answer_ask(*calls[n])
    table.answer_ask("home", 5, "ring")
    table.answer_ask("home", 6, [1, 1, "B"])
    new_value = "tails" if amended == 2 else "heads"
    table.correct_answer(amended, new_value)
    expected = played(2)
    for n, call in calls.items():
        expected.answer_ask(call[0], n, new_value if n == amended else call[2])
    expected.answer_ask("home", 5, "ring")
    expected.answer_ask("home", 6, [1, 1, "B"])
    assert shot(expected) == shot(table)
    assert [7] == numbers(table)


def test_amend_keeps_later_answers_that_are_still_legal() -> None:
    """After a misread die is corrected, all later answers stand."""
    table = played(9)
    table.correct_answer(6, [1, 9, "B"])
    expected = new()
    for seat, n, value in moves():
        expected.answer_ask(seat, n, [1, 9, "B"] if n == 6 else value)
    assert shot(expected) == shot(table)
    assert 10 == len(table.journal)


def test_amend_drops_everything_from_the_first_illegal_answer_on() -> None:
    """Another glove gives another hand, so the hidden card and everything after it are asked again."""
    table = played(8)
    table.correct_answer(0, "low")
    assert ([7], None) == (numbers(table), table.outcome)
    assert [0, 1, 2, 3, 5, 6] == sorted(one.n for one in table.answers)
    table.answer_ask("home", 7, "one")
    table.answer_ask("away", 8, FIELD)
    table.answer_ask("away", 9, "now")
    assert "away" == table.outcome.winner


def test_amend_of_an_amended_answer() -> None:
    """The last value counts, and the journal has all three."""
    table = played(7)
    table.correct_answer(6, [1, 1, "B"])
    table.correct_answer(6, [2, 2, "C"])
    assert [2, 2, "C"] == json_data(table.view_for(None))["scoreboard"]["dice"]
    assert ["red", "white", None] == json_data(table.view_for(None))["scoreboard"]["dice_colours"]
    table.correct_answer(6, [6, 10, "S"])
    assert shot(played(7)) == shot(table)


def test_amend_announces_itself_and_what_it_changed() -> None:
    """First the correction, then the events from the corrected answer on, with their new values."""
    table = played(8)
    told = table.correct_answer(6, [2, 2, "C"])
    assert ["amend", "pitched", "stashed"] == [one.event.code for one in told][:3]
    assert (2, 2, "C") == told[1].event.facts["faces"]


@each(("n", "value"), [(0, "low"), (0, "high"), (2, "tails"), (5, "slap"), (6, [1, 1, "B"])])
def test_a_preview_shows_what_amend_would_do_and_changes_nothing(n: int, value: Any) -> None:
    """Kept and dropped answers, both scoreboards and the new events match the amend; the table is untouched."""
    table = played(9)
    before = shot(table)
    later = {one.n for one in table.answers if one.n > n}
    preview = table.preview_correction(n, value)
    assert (before, 9) == (shot(table), len(table.journal))
    assert table.scoreboard() == preview.before
    told = table.correct_answer(n, value)
    kept = {one.n for one in table.answers if one.n > n}
    assert (sorted(kept), sorted(later - kept)) == (list(preview.kept), list(preview.dropped))
    assert (table.scoreboard(), told[1:]) == (preview.after, preview.events)


@each("count", range(9))
def test_what_an_answer_would_do_is_foreseen(count: int) -> None:
    """The events are those of the answer itself, unless it is secret or opens a secret; the table is untouched."""
    table = played(count)
    seat, n, value = moves()[count]
    before, hidden = shot(table), table.hidden_numbers()
    found = table.preview_answer(n, value)
    assert (before, count) == (shot(table), len(table.journal))
    ask = dict(table.open_asks())[n]
    told = table.answer_ask(seat, n, value)
    opens = isinstance(ask, Secret) or not hidden <= table.hidden_numbers()
    assert (() if opens else told) == found


def test_nothing_is_foreseen_that_would_show_a_secret() -> None:
    """The last answer of this game turns over what was laid in secret."""
    table = played(8)
    assert table.hidden_numbers()
    assert () == table.preview_answer(*moves()[8][1:])
    assert "shown" in [one.event.code for one in table.answer_ask(*moves()[8])]


def test_a_closed_ask_has_no_future() -> None:
    with pytest.raises(StaleAnswer):
        played(9).preview_answer(0, "low")


def test_a_journal_of_another_game_is_refused() -> None:
    """An entry that the rules refuse raises the same error as in a live game."""
    with pytest.raises(StaleAnswer):
        Table(DUEL, [deck()], journal=[Answer("home", 6, [6, 10, "S"])])


def test_the_header_identifies_the_game() -> None:
    """It has the game, the version, the digests of the decks, and every house rule with its value."""
    table = Table(DUEL, [deck()], {"mercy": "yes"})
    digest = deck().digest
    assert {
        "game": "duel",
        "version": 3,
        "decks": [{"title": "Blank", "sha256": digest}],
        "house": {"mercy": "yes"},
    } == table.journal_header.as_json()
    assert 64 == len(digest)
    with pytest.raises(HouseRuleError):
        Table(DUEL, [deck()], {"mercy": "perhaps"})


def test_the_version_of_a_view_counts_entries() -> None:
    """Every change, even an undo, increments it; a refused answer does not."""
    table = played(3)
    table.undo(3)
    with pytest.raises(EngineError):
        table.undo(3)
    assert 4 == json_data(table.view_for(None))["version"]


def test_a_view_shows_a_seat_its_own_pending_answer() -> None:
    """Between the two answers of a Together, only home sees home's answer."""
    table = played(1)
    assert {"0": "high"} == json_data(table.view_for("home"))["given"]
    assert [{}, {}] == [json_data(table.view_for(seat))["given"] for seat in (None, "away")]
    assert [["home"]] * 3 == [json_data(table.view_for(seat))["ready"] for seat in (None, "away", "home")]


def test_answers_used_in_a_play_are_no_longer_pending() -> None:
    """Within a play, an answer that the rules have received is not pending, nor part of a later Together."""
    assert ({}, []) == (json_data(played(8).view_for("away"))["given"], json_data(played(8).view_for("away"))["ready"])

    def twice(s: State) -> Play:
        s.step += 1
        yield from choose("home", "call", ("heads", "tails"))
        yield from ask_together(Choose("away", "call", ("heads", "tails")), Choose("home", "call", ("heads", "tails")))
        s.emit("ready")

    table = new(replace(DUEL, next_play=lambda s: twice if s.step == 0 else None))
    table.answer_ask("home", 0, "heads")
    table.answer_ask("home", 2, "tails")
    assert ([1], {"2": "tails"}, []) == (numbers(table), json_data(table.view_for("home"))["given"], table.log)
    table.answer_ask("away", 1, "heads")
    assert ([], ["ready"]) == (numbers(table), [one.event.code for one in table.log])


def test_options_carry_labels_and_notes_where_the_ask_has_them() -> None:
    """An ask may rename its options and add notes; a secret ask shows them only to its owner."""
    facts = {"labels": {"ann": "1 Ann"}, "notes": {"ann": "Bats left."}}
    ask = Choose("home", "glove", ("ann", "cy"), facts)
    table = new()
    options = [{"value": "ann", "label": "1 Ann", "note": "Bats left."}, {"value": "cy", "label": "cy"}]
    assert options == json_data(table.ask_view(0, ask, "away"))["options"]
    assert options == json_data(table.ask_view(0, Secret(ask), "home"))["options"]
    assert "Bats left." not in str(json_data(table.ask_view(0, Secret(ask), "away")))
    pieces = json_data(table.ask_view(0, Arrange("home", "order", ("ann", "cy"), ("first", "second"), facts), None))[
        "pieces"
    ]
    assert options == pieces


def test_an_ask_shows_what_a_hand_needs() -> None:
    """Kind, seat, reason, sentence, and the dice, the choices, or the pieces and places with their labels."""
    table = played(5)
    ((n, ask),) = table.open_asks()
    shown = json_data(table.ask_view(n, ask, None))
    assert (6, "home", "roll", "pitch", "Roll three dice.", False, False) == tuple(
        shown[key] for key in ("n", "seat", "kind", "why", "sentence", "secret", "race")
    )
    assert [
        {"kind": "d6", "colour": "red", "owner": "home", "faces": [1, 2, 3, 4, 5, 6]},
        {"kind": "d10", "colour": "white", "owner": "away", "faces": list(range(1, 11))},
        {"kind": "pitch", "colour": None, "owner": None, "faces": ["B", "S", "C"]},
    ] == shown["dice"]
    table = played(7)
    ((n, ask),) = table.open_asks()
    shown = json_data(table.ask_view(n, ask, "home"))
    assert [{"value": "ann", "label": "ann"}, {"value": "bob", "label": "bob"}] == shown["pieces"]
    assert [("left", "Left field"), ("middle", "middle"), ("right", "right")] == [
        (place["value"], place["label"]) for place in shown["places"]
    ]
    races = [json_data(played(4).ask_view(n, ask, None)) for n, ask in played(4).open_asks()]
    assert [True, True] == [shown["race"] for shown in races]


def test_last_describes_the_last_play() -> None:
    """All events of the latest answer; none before the first."""
    assert "" == new().last_play_text()
    assert "Away calls heads, home tails. Ready." == played(4).last_play_text()
    assert "The dice show 6, 10 and S." == played(6).last_play_text()


def test_events_before_any_answer_have_no_cause() -> None:
    """Their number is -1, and they survive undo."""
    early = replace(DUEL, next_play=lambda s: dash if s.step == 0 else None)
    table = new(early)
    assert [-1] == [one.n for one in table.log]
    table.answer_ask("away", 0, "slap")
    table.undo(0)
    assert [("ready", -1)] == [(one.event.code, one.n) for one in table.log]
