"""A correction of the last roll that one seat proposes: it counts only once the other side agrees."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from device.inputs import random_player
from device.storage.decks import house_deck
from device.storage.store import Store, StoreError
from device.table.corrections import MAX_PROPOSALS
from device.table.session import GameSession
from engine.asks import Roll
from engine.errors import IllegalAnswer, InvalidAnswer, StaleAnswer, WrongSeat
from engine.games import GAMES
from engine.journal import Correction, Source
from engine.seats import Seat
from engine.table import Table
from engine.views import AudienceView, json_data
from tests.device.stored_games import Clock, answer, full_disk, seen, table, wait
from tests.engine.sample_games import duel_game
from tests.web.games.bottom_of_the_9th import ninth


@pytest.fixture
def batted(session: GameSession) -> GameSession:
    """Roll 3 of Small Ball showed 6, and away is asked for the next batter: version 4."""
    answer(session, "bat", [2], "bat", [6])
    return session


def proposed(session: GameSession, value: Any = (5,), version: int = 4) -> GameSession:
    session.corrections.propose_correction("home", 3, list(value), version)
    return session


def value(session: GameSession) -> list[Any]:
    return list(json_data(session.record.current_rolls())[0]["value"])


def source(store: Store) -> str:
    saved = store.current_game()
    assert saved is not None
    return saved.sources[-1]


def test_a_proposal_changes_nothing_until_the_other_side_agrees(batted: GameSession, store: Store) -> None:
    """Everybody sees it. It counts once, as an entry of the journal that says who proposed it and who agreed; nobody
    agrees with himself. Where no phone holds the other seat, the view says so, and the operator agrees."""
    proposed(batted)
    views = [batted.game.view_for(seat).correction for seat in (None, "away", "home")]
    assert views[0] is not None
    assert [views[0]] * 3 == views
    said = "Owls: the last roll was 5, not 6. Lanterns must agree."
    assert (said, "home", "away") == (views[0].sentence, views[0].seat, views[0].agrees)
    assert ((5,), [6]) == (tuple(views[0].value), list(views[0].roll.value))
    with pytest.raises(WrongSeat, match="only if the other side agrees"):
        batted.corrections.agree_to_correction("home", 3, [5], 4)
    assert ([6], 4) == (value(batted), len(batted.game.table.journal))
    batted.corrections.agree_to_correction("away", 3, [5], 4)
    assert ([5], None) == (value(batted), batted.game.view_for(None).correction)
    assert (Correction(3, (5,)), "home+away") == (batted.game.table.journal[-1], source(store))
    assert "Owls corrected the last roll, and Lanterns agreed: it's 5." == batted.game.view_for(None).notice
    with pytest.raises(StaleAnswer):
        batted.corrections.agree_to_correction("away", 3, [5], 4)
    assert 5 == len(batted.game.table.journal)
    batted.corrections.propose_correction("home", 3, [4], 5, empty=True)
    correction = batted.game.view_for(None).correction
    assert correction is not None
    assert correction.empty
    batted.corrections.agree_to_correction("away", 3, [4], 5, operator=True)
    assert ([4], "home+operator") == (value(batted), source(store))
    assert "Owls corrected the last roll, and the operator agreed: it's 4." == batted.game.view_for(None).notice


def test_what_it_would_change_is_what_the_operator_would_see(batted: GameSession) -> None:
    batted.seats.answer_ask("away", 4, "bat", Source.PHONE)
    assert batted.corrections.preview_proposed_correction() is None
    proposed(batted, version=5)
    change = batted.corrections.preview_proposed_correction()
    assert change == batted.record.preview_correction(3, [5])
    assert change is not None
    assert (5, [4]) == (change.version, list(change.kept))


def test_it_is_refused_or_taken_back(batted: GameSession) -> None:
    """Nothing is written, and it cannot be agreed to any more."""
    ways: list[tuple[Seat, bool, str]] = [
        ("away", False, "Lanterns didn't agree: the roll stays 6."),
        ("home", False, "Owls withdrew the correction: the roll stays 6."),
        ("home", True, "The operator didn't agree: the roll stays 6."),
    ]
    for face, (seat, operator, told) in enumerate(ways, 1):
        proposed(batted, [face]).corrections.end_correction(seat, 3, [face], 4, operator)
        assert (None, told) == (batted.game.view_for(None).correction, batted.game.view_for(None).notice)
        assert ([6], 4) == (value(batted), len(batted.game.table.journal))
        with pytest.raises(StaleAnswer, match="no longer open"):
            batted.corrections.agree_to_correction("away", 3, [face], 4)


ENDS: dict[str, Callable[[GameSession, Clock], object]] = {
    "the next answer": lambda session, clock: session.seats.answer_ask("away", 4, "bat", Source.PHONE),
    "an answer by buttons": lambda session, clock: session.buttons.press_ok("away"),
    "undo": lambda session, clock: session.game.undo_answers(),
    "the operator's correction": lambda session, clock: session.game.correct_roll(3, [1]),
    "the operator's correction of an older roll": lambda session, clock: session.game.correct_roll(1, [3]),
    "a new game": lambda session, clock: session.game.begin_game(table()),
    "a new game of the same length": lambda session, clock: session.game.begin_game(session.game.table.clone()),
    "a phone that changes sides": lambda session, clock: session.corrections.end_any_correction(),
}


@pytest.mark.parametrize("how", ENDS)
def test_it_never_blocks_the_game(batted: GameSession, clock: Clock, how: str) -> None:
    """Whatever happens ends it; agreeing to it then changes nothing."""
    proposed(batted)
    ENDS[how](batted, clock)
    assert (None, None) == (batted.game.view_for(None).correction, batted.corrections.preview_proposed_correction())
    before = batted.game.table.journal
    with pytest.raises(StaleAnswer):
        batted.corrections.agree_to_correction("away", 3, [5], 4)
    assert before == batted.game.table.journal


def test_a_throw_goes_on_meanwhile(batted: GameSession, clock: Clock) -> None:
    """A roll that is shown counts as always, and ends the proposal only then."""
    batted.seats.answer_ask("away", 4, "bat", Source.PHONE)
    proposed(batted, version=5)
    clock.now = 103
    batted.rolls.handle_throw(seen(2, began=102.0))
    assert batted.game.view_for(None).correction is not None
    wait(batted, clock, 110)
    assert (6, None) == (batted.game.view_for(None).table.version, batted.game.view_for(None).correction)


def test_it_is_gone_after_a_power_cut(batted: GameSession, store: Store, clock: Clock) -> None:
    """Nothing of it had counted. Agreeing to it later changes nothing."""
    proposed(batted)
    again = GameSession(store, table, clock=clock)
    assert (None, [6]) == (again.game.view_for(None).correction, value(again))
    with pytest.raises(StaleAnswer):
        again.corrections.agree_to_correction("away", 3, [5], 4)


def test_a_disk_that_fails_loses_no_proposal(batted: GameSession, store: Store) -> None:
    """The correction is refused, the proposal stands, and agreeing again counts."""
    proposed(batted)
    with full_disk(store), pytest.raises(StoreError):
        batted.corrections.agree_to_correction("away", 3, [5], 4)
    assert [6] == value(batted)
    batted.corrections.agree_to_correction("away", 3, [5], 4)
    assert [5] == value(batted)


# Which ones are refused -----------------------------------------------------------------------------------------------


def test_only_the_last_roll(batted: GameSession) -> None:
    """Neither an older roll nor an answer of another kind, which may be secret; nor what the roll cannot be, nor for a
    game that has gone on."""
    for n in (1, 2, 9):
        with pytest.raises(StaleAnswer, match="no longer the last roll"):
            batted.corrections.propose_correction("home", n, [5], 4)
    for wrong, error in (([7], IllegalAnswer), ([1, 2], InvalidAnswer), ("bat", InvalidAnswer), ([6], IllegalAnswer)):
        with pytest.raises(error):
            batted.corrections.propose_correction("home", 3, wrong, 4)
    answer(batted, "bat")
    with pytest.raises(StaleAnswer, match="The game has moved on"):
        proposed(batted)
    batted.game.undo_answers(0)
    with pytest.raises(StaleAnswer):
        batted.corrections.propose_correction("home", 0, "bat", 6)
    assert batted.game.view_for(None).correction is None


def test_the_proposer_thinks_again(batted: GameSession) -> None:
    """A new value replaces the one before; agreeing to that one is refused with the new one."""
    proposed(proposed(batted), [4])
    with pytest.raises(StaleAnswer, match="The correction is now 4"):
        batted.corrections.agree_to_correction("away", 3, [5], 4)
    with pytest.raises(StaleAnswer):
        batted.corrections.end_correction("away", 3, [5], 4)
    batted.corrections.agree_to_correction("away", 3, [4], 4)
    assert [4] == value(batted)


def test_both_propose_at_once(batted: GameSession, store: Store) -> None:
    """The same value: they agree. Another: the second is refused, and the first stands."""
    proposed(batted)
    with pytest.raises(StaleAnswer, match="The other side has proposed"):
        batted.corrections.propose_correction("away", 3, [4], 4)
    assert [6] == value(batted)
    batted.corrections.propose_correction("away", 3, [5], 4)
    assert ([5], "home+away") == (value(batted), source(store))


def test_a_seat_cannot_pester_the_other(batted: GameSession) -> None:
    """The number of proposals at one point of the game is limited; the same one twice is one."""
    for turn in range(MAX_PROPOSALS):
        proposed(proposed(batted, [turn % 5 + 1]), [turn % 5 + 1])
        batted.corrections.end_correction("away", 3, [turn % 5 + 1], 4)
    with pytest.raises(IllegalAnswer, match="ask the operator"):
        proposed(batted)
    batted.corrections.propose_correction("away", 3, [5], 4)
    batted.corrections.end_correction("home", 3, [5], 4)
    batted.seats.answer_ask("away", 4, "bat", Source.PHONE)
    assert proposed(batted, version=5).game.view_for(None).correction is not None


# Alone ---------------------------------------------------------------------------------------------------------------


def rolled(made: Table) -> Table:
    """Play on at random until the last answer is a roll."""
    chance = Random(2)
    while len(made.answers) < 5 or not isinstance(made.answers[-1].ask, Roll):
        n, ask = made.open_asks()[0]
        made.answer_ask(ask.seat, n, random_player.pick_answer(made.ask_view(n, ask, ask.seat, dealer=True), chance))
    return made


def season() -> Table:
    """A season of one person, after a roll."""
    game = GAMES["seventh-inning-stretch"]
    return rolled(Table(game, [house_deck(game)]))


def other_value(session: GameSession) -> tuple[int, list[Any]]:
    """Another value of the last roll."""
    roll = session.record.current_rolls(1)[0]
    first = next(face for face in roll.dice[0].faces if face != roll.value[0])
    return roll.n, [first, *roll.value[1:]]


@pytest.mark.parametrize("begin", [season, lambda: rolled(ninth())], ids=["season", "managed"])
def test_one_person_corrects_alone(begin: Callable[[], Table], store: Store, clock: Clock) -> None:
    """There is nobody else to ask: it counts at once. Nobody proposes for the other seat, or for the computer's."""
    session = GameSession(store, begin, clock=clock)
    if "away" in session.game.view_for(None).table.scoreboard.plays:
        session.managed.assign_manager("away", "rookie")
    n, right = other_value(session)
    version = len(session.game.table.journal)
    with pytest.raises(WrongSeat, match="Nobody plays that seat"):
        session.corrections.propose_correction("away", n, right, version)
    session.corrections.propose_correction("home", n, right, version)
    assert (right, None, "home") == (value(session), session.game.view_for(None).correction, source(store))
    assert Correction(n, tuple(right)) == session.game.table.journal[-1]


def test_one_person_confirms_what_would_change_later_answers(store: Store, clock: Clock) -> None:
    """They are shown first, to that same person."""
    session = GameSession(store, season, clock=clock)
    n, right = other_value(session)
    while session.record.current_rolls(1)[0].n == n and not session.record.current_rolls(1)[0].after:
        open_, ask = session.game.table.open_asks()[0]
        answer(session, json_data(session.game.table.ask_view(open_, ask, ask.seat))["options"][0]["value"])
    version = len(session.game.table.journal)
    session.corrections.propose_correction("home", n, right, version)
    correction = session.game.view_for(None).correction
    assert correction is not None
    assert ("home", "home", False) == (correction.seat, correction.agrees, correction.empty)
    assert "isn't confirmed yet" in correction.sentence
    session.corrections.agree_to_correction("home", n, right, version)
    assert "home" == source(store)


# Secrets -------------------------------------------------------------------------------------------------------------


def test_a_preview_opens_nothing_hidden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Were a corrected roll to turn over what lies hidden, nobody would see what it changes before it counts."""
    plays, pitch = duel_game.PLAYS, duel_game.pitch

    def opening(s: Any) -> Any:
        yield from pitch(s)
        if s.faces[0] == 6:
            s.emit("peeped", glove=s.reveal(s.glove))

    monkeypatch.setattr(duel_game, "PLAYS", tuple(opening if one is pitch else one for one in plays))
    shown = set()
    for glove in ("high", "low"):
        (tmp_path / glove).mkdir()
        store = Store(tmp_path / glove / "journal.db")
        session = GameSession(store, lambda: Table(duel_game.DUEL, [duel_game.deck()]))
        answer(session, glove, {"first": "ann", "second": "bob"})
        for n, seat, what in (
            (2, "away", "heads"),
            (3, "home", "tails"),
            (4, "away", "slap"),
            (6, "home", [1, 2, "B"]),
        ):
            session.seats.answer_ask(seat, n, what, Source.PHONE)  # type: ignore[arg-type]
        version = len(session.game.table.journal)
        session.corrections.propose_correction("away", 6, [6, 2, "B"], version)
        assert session.corrections.preview_proposed_correction() is None
        shown.add(str(whole(session)))
        session.corrections.propose_correction("away", 6, [5, 2, "B"], version)
        assert session.corrections.preview_proposed_correction() is not None
        shown.add(str(whole(session)))
        store.close()
    assert 2 == len(shown)


def whole(session: GameSession) -> tuple[AudienceView, Any]:
    """What spectators see, and what the proposal would change."""
    return replace(session.game.view_for(None), version=0), session.corrections.preview_proposed_correction()
