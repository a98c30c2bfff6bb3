"""Corrections: of a proposed roll, of the last or an older roll, and undo of any answer."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from device.storage.roll_pictures import RollPictures
from device.storage.store import Store
from device.table import play_log
from device.table.past_games import PastGames
from device.table.session import GameSession
from device.table.throw_match import match_roll
from engine.asks import Roll, Secret
from engine.dice import Die
from engine.errors import StaleAnswer
from engine.games import GAMES
from engine.journal import Source
from engine.table import Table
from engine.views import json_data
from tests.device.stored_games import Clock, answer, board, duel, proposal, seen, table, throw, wait
from tests.device.table.test_past_games import SECRETS, played
from tests.device.throws import thrown
from tests.engine.sample_games import duel_game as rules
from tests.vision.tints import die, row
from tests.web.games.bottom_of_the_9th import ball, give, ninth
from vision.reading import DieReading as Read
from vision.reading import Reading


def doubtful(value: int, *likely: int, confidence: float = 0.6) -> Read:
    """Return a die with other likely values."""
    return replace(die(value), likely=likely, confidence=confidence)


def bat(session: GameSession, clock: Clock, *dice: Read, **more: Any) -> dict[str, Any]:
    """Bat, and let the camera see these dice; return the proposal."""
    throw(session, clock, thrown(dice, 101.0, **more))
    shown: dict[str, Any] = proposal(session)
    return shown


# Before it counts ----------------------------------------------------------------------------------------------------


def test_other_likely_values_come_first(session: GameSession, clock: Clock) -> None:
    """Then the side faces, and the bottom face last; of a certain or typed die only its shape is known. The face under
    the cursor is not offered a second time; the face that was read is, because it is likely too."""
    shown = bat(session, clock, doubtful(5, 6, 3), doubt="unclear")
    assert ([5], [[6, 3, 1, 4, 2]], [False]) == (shown["faces"], shown["likely"], shown["clear"])
    session.rolls.handle_throw(thrown((doubtful(5, 6),), 103.0))
    session.buttons.move_cursor("away", 1)
    assert ([6], [[2, 3, 4, 5, 1]]) == (proposal(session)["faces"], proposal(session)["likely"])
    session.rolls.handle_throw(seen(2, began=103))
    assert [[1, 3, 4, 6, 5]] == proposal(session)["likely"]
    session.seats.answer_ask("away", 1, [3], Source.PHONE)
    assert [[1, 2, 5, 6, 4]] == json_data(session.record.current_rolls())[0]["likely"]


def test_a_proposed_roll_says_what_it_would_do(session: GameSession, clock: Clock) -> None:
    """In the words of the play log; it follows the faces, and says nothing of a roll that is not known."""
    shown, said = bat(session, clock, die(2)), session.game.view_for(None).table.last
    assert shown["outcome"]
    session.rolls.accept_roll()
    assert said != session.game.view_for(None).table.last == shown["outcome"]
    session.game.undo_answers()
    session.rolls.handle_throw(thrown((die(1),), 104.0))
    changed = proposal(session)["outcome"]
    session.buttons.move_cursor("away", 1)
    assert changed not in ("", proposal(session)["outcome"])
    session.rolls.reject_roll()
    session.rolls.handle_throw(thrown((), 104.0, doubt="unread"))
    assert "" == proposal(session)["outcome"]


def test_what_a_roll_would_do_is_worked_out_once(
    session: GameSession, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not again for every view, only for other faces."""
    asked: list[Any] = []
    foresee = Table.preview_answer

    def counted(table: Table, n: int, value: Any) -> Any:
        asked.append(value)
        return foresee(table, n, value)

    monkeypatch.setattr(Table, "preview_answer", counted)
    bat(session, clock, die(2))
    session.game.notices.show_notice("Somebody took a seat.")
    session.rolls.stop_countdown(1)
    session.game.publish_again()
    assert [[2]] == asked
    session.rolls.handle_throw(thrown((die(5),), 105.0))
    assert [[2], [5]] == asked


def test_a_held_roll_waits(session: GameSession, clock: Clock) -> None:
    """A certain roll does not count by itself while somebody corrects it, nor nudged dice that are read with certainty;
    a new throw does. Their answer counts at once. A tap meant for another roll has no effect."""
    assert 1.5 == bat(session, clock, die(2))["seconds"]
    with pytest.raises(StaleAnswer):
        session.rolls.stop_countdown(0)
    assert session.game.current_views().due is not None
    session.rolls.stop_countdown(1)
    wait(session, clock, 1000)
    shown = proposal(session)
    assert (None, True, [True]) == (shown["seconds"], shown["sure"], shown["clear"])
    session.rolls.handle_throw(replace(seen(5, began=1200), touched=True))
    assert (True, None) == (proposal(session)["sure"], proposal(session)["seconds"])
    session.rolls.handle_throw(seen(5, began=1300))
    assert session.game.current_views().due is not None
    session.seats.answer_ask("away", 1, [6], Source.PHONE)
    assert ([6], None) == (json_data(session.record.current_rolls())[0]["value"], proposal(session))
    with pytest.raises(StaleAnswer, match="no longer shown"):
        session.rolls.stop_countdown(1)


TWO = Roll("home", "why", (Die(), Die()))
MIXED = Roll("home", "why", (Die(colour="red"), Die(colour="white", owner="home")))


def test_what_is_known_about_each_die(store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Which dice are certain, and what a missing die may show: any unmatched die in the tray, and every face of it."""
    unsure = die(2), doubtful(3, 4)
    for what, ask, dice, doubt, faces, orders, clear in (
        ("sure", TWO, (die(2), die(3)), None, (2, 3), [(), ()], [True, True]),
        ("unclear", TWO, unsure, "unclear", (2, 3), [(), (4,)], [True, False]),
        ("glare", TWO, unsure, "glare", (2, 3), [(), (4,)], [True, False]),
        ("cocked", TWO, unsure, "cocked", (2, 3), [(), (4,)], [False, False]),
        ("too few", TWO, (die(2),), None, (2,), [(), ()], [False, False]),
        ("too many", TWO, (die(2), doubtful(3), die(5)), None, (), [(2, 5, 3), (2, 5, 3)], [False, False]),
        ("colors", MIXED, (die(2, "white"), die(3, "red")), None, (3, 2), [(), ()], [True, True]),
        ("a color too few", MIXED, (die(4, "red"),), None, (), [(4,), (4,)], [False, False]),
    ):
        read, _, _, guesses, _ = match_roll(Reading(dice, doubt, 0.0), ask)
        found = read, [guess.order for guess in guesses], [guess.clear for guess in guesses]
        assert (faces, orders, clear) == found, what
    monkeypatch.setattr(rules, "DICE", (Die(), Die(), Die()))
    session = duel(store, clock)
    clock.now = 103
    session.rolls.handle_throw(thrown(row(2, 5), 101.0))
    shown = proposal(session)
    assert ("too-few", [2, 5]) == (shown["doubt"], shown["faces"])
    assert [[1, 3, 4, 6, 5], [1, 3, 4, 6, 2], [1, 2, 3, 4, 5, 6]] == shown["likely"]


def test_the_picture_is_shown_before_the_roll_counts(store: Store, clock: Clock, tmp_path: Path) -> None:
    """It already has its final name, and no other name finds it; the next throw's picture replaces it. None is named if
    none is kept: the page would have a broken image."""
    session = GameSession(store, table, clock=clock, evidence=RollPictures(tmp_path / "proofs"))
    shown = bat(session, clock, die(2), picture=b"first")
    assert b"first" == session.record.dice_picture(shown["evidence"])
    assert session.record.dice_picture("1-7") is None
    session.rolls.handle_throw(thrown((die(4),), 102.0, picture=b"second"))
    assert (shown["evidence"], b"second") == (proposal(session)["evidence"], session.record.dice_picture("1-1"))
    session.rolls.accept_roll()
    assert (shown["evidence"], b"second") == (
        json_data(session.record.current_rolls())[0]["evidence"],
        session.record.dice_picture("1-1"),
    )
    again, clock.now = GameSession(store, table, clock=clock), 100.0
    again.game.begin_game(table())
    assert bat(again, clock, die(2), picture=b"lost")["evidence"] is None


# After it counted ----------------------------------------------------------------------------------------------------


def test_the_last_roll_keeps_the_cameras_other_values(session: GameSession, clock: Clock, store: Store) -> None:
    """Until a correction or a restart; then the side faces come first."""
    bat(session, clock, doubtful(5, 2, 6), doubt="unclear")
    session.rolls.accept_roll()
    assert [[2, 6, 1, 3, 4]] == json_data(session.record.current_rolls())[0]["likely"]
    assert [[1, 3, 4, 6, 2]] == json_data(GameSession(store, table, clock=clock).record.current_rolls())[0]["likely"]
    session.game.correct_roll(1, [1])
    assert [[2, 3, 4, 5, 6]] == json_data(session.record.current_rolls())[0]["likely"]


def test_the_number_of_later_answers(session: GameSession) -> None:
    """Each roll has it: 0 for the last, until somebody goes on."""
    answer(session, "bat", [2], "bat", [3])
    assert [(3, 0), (1, 2)] == [(roll["n"], roll["after"]) for roll in json_data(session.record.current_rolls())]
    session.seats.answer_ask("away", 4, "bat", Source.PHONE)
    assert [1, 3] == [roll["after"] for roll in json_data(session.record.current_rolls())]


@pytest.mark.parametrize("source", [Source.MANAGER, Source.BOT])
def test_later_answers_of_a_computer_do_not_count(source: Source) -> None:
    """A manager decides again; the pitcher of an old solo game was no person either."""
    table = ball(ninth())
    give(table, "away", "away-low")
    sources = [Source.PHONE] * (len(table.journal) - 1) + [source]
    (roll, *_), chosen = play_log.current_rolls(table, {}, sources=sources), table.answers[-1].n
    assert (0, table.answers[-2].n) == (json_data(roll)["after"], json_data(roll)["n"])
    assert chosen not in [json_data(one)["n"] for one in play_log.current_answers(table, sources)]


def test_only_corrected_values_are_announced(session: GameSession, clock: Clock) -> None:
    """A corrected last play is announced once, with its new values; no sentence has the old ones. The last play does
    not mention an older roll, so a notice shows the new value for a moment."""
    answer(session, "bat", [2])
    first, views = json_data(session.game.view_for(None)), list[dict[str, Any]]()
    session.game.subscribe(lambda one: views.append(json_data(one.public)))
    views.clear()
    session.game.correct_roll(1, [1])
    (view,) = views
    assert first["table"]["last"] != view["table"]["last"]
    assert view["plays"][-1]["sentence"] in view["table"]["last"]
    assert view["notice"] is None
    answer(session, "bat", [6])
    last = session.game.view_for(None).table.last
    session.game.correct_roll(1, [3])
    assert (last, "A roll was corrected: it's 3.") == (
        session.game.view_for(None).table.last,
        session.game.view_for(None).notice,
    )
    wait(session, clock, clock.now + 10)
    assert session.game.view_for(None).notice is None


def test_the_play_log_says_what_dice_decided(session: GameSession) -> None:
    """A line that came of a throw is marked; one that came of a choice is not."""
    answer(session, "bat", [2], "bat", [6], "bank", "bank")
    view = session.game.view_for(None)
    assert {-1: False, 1: True, 3: True, 5: False} == {line.n: line.thrown for line in (*view.before, *view.plays)}


# Undo ----------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=GAMES)
def over(request: pytest.FixtureRequest) -> Table:
    """A whole game; return what people answered."""
    table = played(request.param, seed=4)
    assert table.outcome
    return table


def test_every_answer_is_listed(over: Table) -> None:
    """Newest first, each with its question and, after the game, its answer."""
    found = play_log.current_answers(over, most=len(over.answers))
    numbers = [json_data(one)["n"] for one in found]
    assert sorted(numbers, reverse=True) == numbers
    assert {one.n for one in over.answers if isinstance(one.ask, Roll)} <= set(numbers)
    assert all(json_data(one)["sentence"] for one in found)
    sealed = {one.n for one in over.answers if one.n in over.hidden_numbers()}
    assert sealed == {json_data(one)["n"] for one in found if json_data(one)["words"] is None} | (sealed - set(numbers))
    assert "hidden" not in " ".join(json_data(one)["words"] or "" for one in found)


def test_any_answer_can_be_undone_after_the_end(over: Table, tmp_path: Path, clock: Clock) -> None:
    """The preview matches what undo does: the game continues, here and in the history, and can end again."""
    store = Store(tmp_path / "journal.db")
    session = GameSession(store, lambda: over.clone(), clock=clock)
    history = PastGames(tmp_path / "journal.db", lambda: 1, lambda game, place: False)
    assert history.games_page(1).games[0].outcome
    ended, numbers = (
        board(session),
        [json_data(one)["n"] for one in play_log.current_answers(session.game.table, most=1000)],
    )
    for n in (numbers[0], numbers[len(numbers) // 2], numbers[-1]):
        promised = play_log.undo_preview(session.game.table, n)
        stood = {one.n for one in session.game.table.answers}
        assert board(session) == json_data(promised)["before"]
        session.game.undo_answers(n)
        view = json_data(session.game.view_for(None))
        assert (json_data(promised)["after"], None, None) == (
            board(session),
            view["table"]["outcome"],
            view["table"]["box"],
        )
        assert n in json_data(promised)["dropped"]
        assert stood - set(json_data(promised)["dropped"]) == {one.n for one in session.game.table.answers}
        assert view["table"]["asks"]
        (told,) = history.games_page(1).games
        assert (None, session.game.table.log.read_new_events().plays) == (told.outcome, told.plays)
        past = history.game_record(1)
        assert past is not None
        assert (None, json_data(session.record.plays_page().plays)) == (past.trouble, json_data(past.log))
        if n == numbers[0]:
            again = next(one for one in over.answers if one.n == min(json_data(promised)["dropped"]))
            for one in over.answers[over.answers.index(again) :]:
                session.seats.answer_ask(one.ask.seat, one.n, one.value, Source.HOUSE)
            assert (ended, True) == (board(session), bool(history.games_page(1).games[0].outcome))
    store.close()


def test_secrets_revealed_together_are_undone_together() -> None:
    """The preview shows it."""
    table = ball(ninth())
    choices = [one.n for one in table.answers if isinstance(one.ask, Secret)][-2:]
    assert set(choices) <= set(json_data(play_log.undo_preview(table, choices[1]))["dropped"])
    with pytest.raises(StaleAnswer):
        play_log.undo_preview(table, 999)


def third() -> Table:
    """Return a season in its third game."""
    return played("seventh-inning-stretch", until=lambda table: _in_game(table, 3))


def _in_game(table: Table, number: int) -> bool:
    panel = table.scoreboard().panel
    return bool(panel["stands"] == f"First half, game {number}" and panel["playing"])


def test_a_preview_has_the_number_of_games_removed() -> None:
    """For a correction and for an undo."""
    table = third()
    opened = [table.log[place].n for place in table.log.read_new_events().games]
    assert 3 == len(opened)
    for one in table.answers:
        fall = sum(at >= one.n - 1 for at in opened)
        assert fall == json_data(play_log.undo_preview(table, one.n))["games"], one.n
    assert {0, 1, 2, 3} == {json_data(play_log.undo_preview(table, one.n))["games"] for one in table.answers}
    found = set()
    for one in [one for one in table.answers if isinstance(one.ask, Roll)]:
        seen = json_data(play_log.correction_preview(table, one.n, [one.value[0] % 6 + 1, *one.value[1:]]))
        stands = max(seen["kept"], default=one.n)
        assert sum(at >= stands for at in opened) * bool(seen["dropped"]) == seen["games"], one.n
        found.add((seen["games"], bool(seen["dropped"])))
    assert {(0, False), (0, True), (1, True), (2, True)} <= found


@pytest.mark.parametrize("moment", SECRETS)
def test_no_secret_is_listed(moment: str) -> None:
    """The list is the same whatever the secret is, and so is the preview of every undo."""
    values, after = SECRETS[moment]
    found = []
    for value in values:
        table = after(value)
        listed = play_log.current_answers(table, most=len(table.answers))
        found.append((listed, [play_log.undo_preview(table, json_data(one)["n"]) for one in listed]))
    assert found[0][0]
    assert all(found[0] == other for other in found)


# By half-inning ------------------------------------------------------------------------------------------------------


def test_a_roll_says_when_it_was_and_what_came_of_it() -> None:
    """Its half-inning, and the sentences of the play log that it caused, without the next half's announcement."""
    long = played("small-ball", most=60)
    rolls = play_log.current_rolls(long, {})
    for roll in rolls:
        lines = [line for line in long.play_log_lines() if line.n == roll.n]
        assert " ".join(line.sentence for line in lines if line.code != "half-inning") == roll.told
        if lines:
            assert (lines[0].inning, lines[0].half) == (roll.inning, roll.half)
    assert {("top", 1), ("bottom", 1)} <= {(roll.half, roll.inning) for roll in rolls}
    assert any(roll.told for roll in rolls)


def test_a_preview_counts_by_half_inning() -> None:
    """What stays and what falls in each half-inning after the roll; together they are all later answers."""
    long, fell = played("small-ball", most=80), 0
    for roll in play_log.current_rolls(long, {})[5:25]:
        for face in {1, 2, 3, 4, 5, 6} - set(roll.value):
            found = play_log.correction_preview(long, roll.n, [face])
            counts = sum(one.kept for one in found.halves), sum(one.dropped for one in found.halves)
            assert (len(found.kept), len(found.dropped)) == counts
            places = [(one.game, one.inning, one.half == "bottom") for one in found.halves]
            assert sorted(places) == places
            fell += any(one.dropped for one in found.halves)
    assert fell


def test_an_answer_says_what_undo_takes_back() -> None:
    """In the words of the notice that follows."""
    long = played("small-ball", most=60)
    given = {one.n: one for one in long.answers}
    for one in play_log.current_answers(long)[:6]:
        assert f"Taken back: {one.what}." == play_log.undo_notice_text(long, [given[one.n]], long.hidden_numbers())
