"""A computer manages a seat: what it alone decides, what people still do for it, and what undo and restart leave."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest

from device.inputs.random_player import pick_answer
from device.storage.decks import house_deck
from device.storage.store import Store
from device.table import preset_answers
from device.table.session import GameSession
from engine.ask_views import RerollView
from engine.asks import Reroll
from engine.errors import IllegalAnswer, StaleAnswer, WrongSeat
from engine.games import GAMES
from engine.journal import Answer, Source
from engine.seats import opposite_seat
from engine.table import Table
from engine.views import ButtonEntryView
from managers.manager import is_manager_ask

NINTH = GAMES["bottom-of-the-9th"]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(tmp_path / "journal.db")
    yield store
    store.close()


@pytest.fixture
def session(store: Store) -> GameSession:
    """A game of Bottom of the 9th whose pitcher is a computer."""
    session = GameSession(store, lambda: Table(NINTH, [house_deck(NINTH)]), show=0)
    session.managed.assign_manager("away", "regular")
    return session


def open_ask(session: GameSession, why: str) -> int:
    return next(n for n, ask in session.game.table.open_asks() if ask.why == why)


def decide(session: GameSession, why: str, value: Any, reason: str = "") -> None:
    session.managed.accept_decision("away", open_ask(session, why), value, len(session.game.table.journal), reason)


def play(session: GameSession, why: str, value: Any) -> None:
    n = open_ask(session, why)
    session.seats.answer_ask(dict(session.game.table.open_asks())[n].seat, n, value, Source.PHONE)


def to_the_stare_down(session: GameSession) -> None:
    """Set the line-up, and have the computer choose its pitchers."""
    play(session, "lineup", "ready-made")
    for why in ("starter", "reliever"):
        n = open_ask(session, why)
        options = session.game.view_for("away").table.asks[0].options  # type: ignore[union-attr]
        session.managed.accept_decision("away", n, options[0].value, len(session.game.table.journal), "")


@pytest.mark.rule("BN-003")
def test_people_only_throw_for_a_managed_seat(session: GameSession) -> None:
    """Nobody else decides for it, by phone, button or as the operator; its dice count from any of them."""
    to_the_stare_down(session)
    for source in (Source.PHONE, Source.OPERATOR, Source.BUTTONS):
        with pytest.raises(WrongSeat, match="The computer manages that side"):
            session.seats.answer_ask("away", open_ask(session, "pitch-call"), "away-low", source)
    decide(session, "pitch-call", "away-low")
    play(session, "guess", "away-low")
    play(session, "pitch", [1, "S"])
    assert ["swing"] == [ask.why for _, ask in session.game.table.open_asks()]


def test_undo_takes_back_the_persons_answer_and_the_reactions(session: GameSession, store: Store) -> None:
    """Never the computer's answer alone, which it would only give again. After a restart the table still knows."""
    to_the_stare_down(session)
    assert ["guess", "pitch-call"] == sorted(ask.why for _, ask in session.game.table.open_asks())
    session.game.undo_answers()
    assert ["lineup"] == [ask.why for _, ask in session.game.table.open_asks()]
    to_the_stare_down(session)
    again = GameSession(store, lambda: Table(NINTH, [house_deck(NINTH)]), show=0)
    again.game.undo_answers()
    assert ["lineup"] == [ask.why for _, ask in again.game.table.open_asks()]


def test_who_manages_outlives_a_restart(session: GameSession, store: Store) -> None:
    session.managed.set_pace("brisk")
    session.managed.allow_coach("home", True)
    shown = GameSession(store, lambda: Table(NINTH, [house_deck(NINTH)]), show=0).game.view_for(None)
    assert ("regular", "brisk", ["home"]) == (shown.managers["away"].strength, shown.pace, list(shown.coaching))


def test_a_game_of_an_older_version_has_managers_by_the_book(session: GameSession, store: Store) -> None:
    """It stored their strengths alone."""
    store.save_seat_settings(session.game.number, '{"managers": {"away": "all-star"}, "pace": "brisk"}')
    again = GameSession(store, lambda: Table(NINTH, [house_deck(NINTH)]), show=0)
    shown = again.game.view_for(None).managers["away"]
    assert ("all-star", "Ida Okafor", "by the book") == (shown.strength, shown.name, shown.temper)


def test_everybody_reads_who_manages_now(session: GameSession) -> None:
    session.managed.assign_manager("home", "ruth")
    words = "Home: now managed by Ruth Santoro, computer (all-star, bold)."
    assert words == session.game.view_for(None).notice
    session.game.begin_game(Table(NINTH, [house_deck(NINTH)]), session.game.settings.for_rematch(session.game.table))
    assert "Ruth Santoro" == session.game.view_for(None).managers["home"].name


def test_a_decision_for_another_moment_is_refused(session: GameSession) -> None:
    """It was thought about for one version of the table: if that has passed, nothing changes."""
    play(session, "lineup", "ready-made")
    n, version = open_ask(session, "starter"), len(session.game.table.journal)
    with pytest.raises(StaleAnswer):
        session.managed.accept_decision("away", n, "p1", version - 1, "")
    session.managed.assign_manager("away", None)
    with pytest.raises(StaleAnswer, match="A person manages"):
        session.managed.accept_decision("away", n, "p1", version, "")
    assert version == len(session.game.table.journal)


def test_a_reason_is_told_once_the_answer_is_open(session: GameSession) -> None:
    """The reason of a secret would give it away before. It goes with its answer."""
    to_the_stare_down(session)
    decide(session, "pitch-call", "away-low", "The low one away is his best.")
    assert "" == session.game.view_for("home").managers["away"].reason
    play(session, "guess", "away-low")
    assert "The low one away is his best." == session.game.view_for("home").managers["away"].reason
    session.game.undo_answers()
    assert "" == session.game.view_for("home").managers["away"].reason


HOUSE_OF_TWO = {"seventh-inning-stretch": {"mode": "duel"}, "bottom-of-the-9th": {"raceMode": "alternate"}}
"""House rules with which two sides play, without a race against the clock."""


@pytest.mark.parametrize("key", GAMES)
def test_a_reason_goes_with_the_play_it_led_to(store: Store, key: str) -> None:
    """It stays while that play is the last one, and not under a play that another answer decided, nor at the end."""
    chance, game = Random(3), GAMES[key]
    session = GameSession(store, lambda: Table(game, [house_deck(game)], HOUSE_OF_TWO.get(key)), show=0)
    session.managed.assign_manager("home", "regular")
    seen, after = Counter[bool](), 0
    while session.game.table.open_asks() and sum(seen.values()) < 4000:
        table = session.game.table
        n, ask = table.open_asks()[0]
        view = table.ask_view(n, ask, ask.seat, dealer=True)
        value = pick_answer(view, chance)
        if ask.seat == "home" and is_manager_ask(view) and not isinstance(view, RerollView):
            session.managed.accept_decision("home", n, value, len(table.journal), f"{n}")
        else:
            session.game.submit_entry(Answer(ask.seat, n, value), Source.HOUSE)
        shown = session.game.view_for(None)
        reason = shown.managers["home"].reason
        decided = [play for play in (*shown.before, *shown.plays) if play.moment]
        seen[bool(reason)] += 1
        if reason:
            later = {play.n for play in decided if play.n >= int(reason)}
            assert len(later) < 2, f"answer {reason} under {decided}"
            after += len(later)
    assert min(seen[True], seen[False], after), "no reason was shown, or it never went"
    if session.game.table.outcome:
        assert "" == session.game.view_for(None).managers["home"].reason


@pytest.mark.parametrize(("seat", "strength"), [("home", "expert"), ("home", "")])
def test_no_such_manager(session: GameSession, seat: Any, strength: str) -> None:
    if strength:
        with pytest.raises(IllegalAnswer, match="no computer manager"):
            session.managed.assign_manager(seat, strength)
    else:
        session.managed.assign_manager(seat, None)
        assert "home" not in session.game.view_for(None).managers


def test_one_person_hands_the_only_seat_to_the_computer(store: Store) -> None:
    """A season goes on while its coach is away, and nobody may ask the computer's own coach."""
    season = GAMES["seventh-inning-stretch"]
    session = GameSession(store, lambda: Table(season, [house_deck(season)]))
    assert session.game.view_for(None).manageable
    session.managed.assign_manager("home", "rookie")
    assert ["home"] == list(session.game.view_for(None).managers)
    assert [] == session.game.view_for(None).coached
    with pytest.raises(IllegalAnswer, match="Nobody sits in the away seat"):
        session.managed.assign_manager("away", "rookie")


def test_the_coach_is_for_one_person_or_for_two_who_agree(session: GameSession) -> None:
    """Against the computer it may always be asked; between two people once both allow it."""
    assert ["home"] == list(session.game.view_for(None).coached)
    session.managed.assign_manager("away", None)
    assert [] == list(session.game.view_for(None).coached)
    session.managed.allow_coach("home", True)
    with pytest.raises(IllegalAnswer, match="You can ask the coach"):
        session.managed.record_coach_question("home")
    session.managed.allow_coach("away", True)
    assert {"away", "home"} == set(session.game.view_for(None).coached)
    session.managed.record_coach_question("home")
    assert ("Home asked the coach.",) == tuple(session.game.view_for("away").warnings)
    session.managed.allow_coach("away", False)
    assert [] == list(session.game.view_for(None).coached)


def test_a_person_alone_corrects_a_roll_without_an_agreement(session: GameSession) -> None:
    to_the_stare_down(session)
    decide(session, "pitch-call", "away-low")
    play(session, "guess", "away-low")
    play(session, "pitch", [1, "S"])
    roll = session.record.current_rolls(1)[0]
    session.corrections.propose_correction("home", roll.n, [2, "S"], len(session.game.table.journal))
    assert [2, "S"] == list(session.record.current_rolls(1)[0].value)
    with pytest.raises(WrongSeat):
        session.corrections.propose_correction("away", roll.n, [3, "S"], len(session.game.table.journal))


def test_a_rematch_has_the_same_managers_and_assistance(session: GameSession) -> None:
    session.managed.set_pace("instant")
    session.game.save_seat_settings(session.game.settings.with_assistance("home", True))
    session.game.begin_game(Table(NINTH, [house_deck(NINTH)]), session.game.settings.for_rematch(session.game.live))
    shown = session.game.view_for(None)
    assert ("regular", "instant") == (shown.managers["away"].strength, shown.pace)
    assert ("home",) == session.game.settings.assisted
    session.game.begin_game(Table(NINTH, [house_deck(NINTH)]))
    assert {} == session.game.view_for(None).managers


def test_only_the_dice_that_it_chose_are_thrown_again(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reroll is decided by the computer and thrown by people."""
    monkeypatch.setattr(preset_answers, "has_manager", lambda game: True)
    game = GAMES["seventh-inning-stretch"]
    session = GameSession(store, lambda: Table(game, [house_deck(game)], {"mode": "duel", "cards": "dealt"}), show=0)
    seat, n = until_a_reroll(session)
    session.managed.assign_manager(seat, "regular")
    ask = dict(session.game.table.open_asks())[n]
    assert isinstance(ask, Reroll)
    first = [1 if place == ask.free[0] else None for place in range(len(ask.dice))]
    every = [1 if place in ask.free else None for place in range(len(ask.dice))]
    with pytest.raises(IllegalAnswer, match="One moment"):
        session.seats.answer_ask(seat, n, first, Source.CAMERA)
    session.managed.accept_decision(seat, n, [ask.free[0]], len(session.game.table.journal), "")
    assert [ask.free[0]] == session.game.view_for(None).managers[seat].again
    with pytest.raises(IllegalAnswer, match=f"Reroll what the computer chose: the {ask.faces[ask.free[0]]}"):
        session.seats.answer_ask(seat, n, every, Source.CAMERA)
    session.managed.assign_manager(opposite_seat(seat), "rookie")
    for _ in range(2):
        dial = session.game.view_for(None).dial
        assert isinstance(dial, ButtonEntryView)
        assert "stays" not in str(dial)
    session.seats.answer_ask(seat, n, first, Source.CAMERA)
    assert n not in dict(session.game.table.open_asks())


def test_a_die_just_like_the_chosen_one_will_do(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody can tell two dice apart that look alike and show the same."""
    monkeypatch.setattr(preset_answers, "has_manager", lambda game: True)
    game = GAMES["seventh-inning-stretch"]
    session = GameSession(store, lambda: Table(game, [house_deck(game)], {"mode": "duel", "cards": "dealt"}), show=0)
    seat, n = until_a_reroll(session, alike=True)
    session.managed.assign_manager(seat, "regular")
    ask = dict(session.game.table.open_asks())[n]
    assert isinstance(ask, Reroll)
    one, two = next(pair for pair in combinations(ask.free, 2) if ask.faces[pair[0]] == ask.faces[pair[1]])
    session.managed.accept_decision(seat, n, [one], len(session.game.table.journal), "")
    session.seats.answer_ask(seat, n, [1 if place == two else None for place in range(len(ask.dice))], Source.CAMERA)
    assert n not in dict(session.game.table.open_asks())


def until_a_reroll(session: GameSession, alike: bool = False) -> tuple[Any, int]:
    """Play at random until at least two dice may be thrown again; with `alike`, two that show the same."""
    chance = Random(4)
    while True:
        table = session.game.table
        if table.outcome:
            session.game.begin_game(Table(table.game, table.decks, table.house))
            table = session.game.table
        n, ask = table.open_asks()[0]
        view = table.ask_view(n, ask, ask.seat, dealer=True)
        if isinstance(view, RerollView) and len(view.free) > 1 and view.most > 1:
            same = len({view.faces[place] for place in view.free}) < len(view.free)
            if same or not alike:
                return ask.seat, n
        session.seats.answer_ask(ask.seat, n, pick_answer(view, chance), Source.HOUSE)
