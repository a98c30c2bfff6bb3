"""What the table answers by itself: moot and standing answers, "Wait", Undo, restarts, and who sees what."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from device.storage.decks import house_deck
from device.storage.store import Store, StoreError
from device.table import preset_answers
from device.table.preset_answers import SeatSettings, next_automatic_answer
from device.table.session import GameSession
from engine.asks import Choose, Play, roll
from engine.errors import IllegalAnswer
from engine.game import AskTopic
from engine.games import GAMES
from engine.innings import Outcome
from engine.journal import Answer, Source, Undo
from engine.seats import SEATS, Seat
from engine.table import Table
from engine.views import json_data
from tests.device.stored_games import Clock, answer, latest, seen
from tests.engine.sample_games import coin_game, standing_game
from tests.engine.tables import asked, shot


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """The store knows the made-up game."""
    monkeypatch.setitem(GAMES, "standing", standing_game.GAME)


@pytest.fixture
def session(store: Store, clock: Clock) -> GameSession:
    return GameSession(store, standing_game.new, clock=clock)


def quiet(session: GameSession, steals: str = "never") -> GameSession:
    """Both seats are asked nothing, but away about steals as `steals` says."""
    session.seats.set_ask_preference("away", "steals", steals)
    for seat, topic in (("home", "cards"), ("home", "steals"), ("home", "signs"), ("away", "signs"), ("away", "cards")):
        session.seats.set_ask_preference(seat, topic, "never")  # type: ignore[arg-type]
    return session


def whys(session: GameSession) -> list[tuple[Seat, str]]:
    return [(ask.seat, ask.why) for _, ask in session.game.table.open_asks()]


def said(session: GameSession, seat: Seat | None = None) -> list[tuple[Seat, str]]:
    """Return what an audience sees that the table answered by itself."""
    return [(one.seat, one.words) for one in session.game.view_for(seat).automatic]


def told(session: GameSession) -> tuple[str, ...]:
    """Return what was said in the last round."""
    state = session.game.table.state
    assert isinstance(state, standing_game.State)
    return state.said


def replayed(session: GameSession) -> Table:
    """Return the table that its journal alone makes."""
    table = session.game.table
    return Table(table.game, table.decks, table.house, table.journal)


# Answering by itself -------------------------------------------------------------------------------------------------


def test_a_moot_choice_is_not_asked(session: GameSession) -> None:
    """It is an entry like any other; its source says where it came from."""
    answer(session, "ace", "no", "none", "none")
    assert [("home", "pitch")] == whys(session)
    assert Answer("home", 4, "left") == session.game.table.journal[-1]
    assert "moot" == session.game.sources[-1]
    assert [("home", "The left one")] == said(session)


def test_a_manager_answers_a_moot_choice_itself() -> None:
    """A choice of one option is none: the table answers it for everybody."""

    def two_choices(s: standing_game.State) -> Play:
        yield Choose("home", "glove", ("left", "right"), foregone="left")
        yield Choose("home", "card", ("pass",), foregone="pass")

    table = Table(replace(standing_game.GAME, next_play=lambda s: two_choices), [standing_game.new().decks[0]])
    managed = SeatSettings(managers={"home": "rookie"})
    assert (Answer("home", 0, "left"), Source.MOOT) == next_automatic_answer(table, SeatSettings(), ())
    assert None is next_automatic_answer(table, managed, ())
    table.answer_ask("home", 0, "right")
    for settings in (SeatSettings(), managed):
        assert (Answer("home", 1, "pass"), Source.MOOT) == next_automatic_answer(table, settings, [Source.PHONE])


def test_a_standing_answer_is_given_at_once_also_to_the_open_ask(session: GameSession) -> None:
    """Nothing stands unless a seat says so."""
    assert [("home", "card")] == whys(session)
    assert all(topic.when == "always" for seat in SEATS for topic in session.game.view_for(None).standing[seat].topics)
    session.seats.set_ask_preference("home", "cards", "never")
    assert [("away", "steal")] == whys(session)
    session.seats.set_ask_preference("away", "steals", "never")
    assert [("home", "sign"), ("away", "sign")] == whys(session)
    assert ["standing", "standing"] == session.game.sources


def test_when_a_seat_is_asked(session: GameSession) -> None:
    """By the public scoreboard alone: a runner is on base in the odd innings here. The journal replays without any
    settings."""
    for when, rounds in (
        ("always", [*range(1, 10)]),
        ("runners", [1, 3, 5, 7, 9]),
        ("seventh", [7, 8, 9]),
        ("never", list[int]()),
    ):
        session.game.begin_game(standing_game.new())
        quiet(session, when)
        found = []
        while not session.game.table.outcome:
            if ("away", "steal") in whys(session):
                found.append(session.game.view_for(None).table.scoreboard.inning)
                answer(session, "no")
            answer(session, [3])
        assert rounds == found, when
        assert shot(session.game.table) == shot(replayed(session))


def test_one_change_is_published_once(session: GameSession, store: Store) -> None:
    """And what subscribers get is durable. One tap sets a topic back."""
    heard = list[tuple[int, int]]()
    quiet(session)
    session.game.subscribe(lambda views: heard.append((views.version, len(latest(store).journal))))
    before, length = heard.pop()
    answer(session, [3])
    assert [(before + 1, length + 6)] == heard
    assert length == len(session.game.table.journal) - 6
    session.seats.set_ask_preference("away", "steals", "always")
    answer(session, [3])
    assert [("away", "steal")] == whys(session)


def test_a_full_disk_leaves_the_ask_to_a_person(session: GameSession, monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer that was stored stands; what would follow by itself is asked."""
    answer(session, "pass")
    append, calls = session.game._store.append, list[object]()

    def full(*given: Any) -> None:
        calls.append(given)
        if len(calls) > 3:
            raise StoreError("The disk is full.")
        append(*given)

    monkeypatch.setattr(session.game._store, "append", full)
    answer(session, "no", "none", "none")
    assert [("home", "glove")] == whys(session)
    assert "journal" in session.game.notices.current_faults()
    monkeypatch.undo()
    answer(session, "right")
    assert [("home", "pitch")] == whys(session)


def test_an_answer_that_the_rules_refuse_is_asked(
    session: GameSession, store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A topic whose answer is not an option stops neither the game nor the next start."""
    wrong = AskTopic("cards", "Cards", "no cards", {"card": "joker"})
    game = replace(standing_game.GAME, standing=(wrong,))
    monkeypatch.setitem(GAMES, "standing", game)
    deck = session.game.table.decks[0]
    session.game.begin_game(Table(game, [deck]))
    session.seats.set_ask_preference("home", "cards", "never")
    assert [("home", "card")] == whys(session)
    assert [("home", "card")] == whys(answer(GameSession(store, standing_game.new, clock=clock)))
    answer(session, "pass")
    assert [("away", "steal")] == whys(session)


def test_wait_reopens_an_answer_that_ended_the_game(store: Store, clock: Clock) -> None:
    """The table gave the last answer of a game by itself; the seat may still take it back."""

    def last_word(s: standing_game.State) -> Play:
        yield from roll("home", "pitch")
        yield Choose("home", "glove", ("left", "right"), foregone="left")
        s.outcome = Outcome("home", "done", "The game is over.")

    game = replace(standing_game.GAME, next_play=lambda s: last_word)
    at = GameSession(store, lambda: Table(game, [standing_game.new().decks[0]]), clock=clock)
    answer(at, [3])
    assert at.game.table.outcome is not None
    assert ["home"] == at.game.view_for(None).waits
    at.seats.reopen_answers("home")
    assert [("home", "glove")] == whys(at)
    answer(at, "right")
    assert at.game.table.outcome is not None
    with pytest.raises(IllegalAnswer, match="nothing to decide"):
        at.seats.reopen_answers("home")


def test_only_topics_of_the_game_and_its_house_rules(session: GameSession, store: Store) -> None:
    """Clutch asks about strategy cards in a full game only, and about the infield not in a basic one."""
    for topic, when in (("weather", "never"), ("cards", "sometimes")):
        with pytest.raises(IllegalAnswer):
            session.seats.set_ask_preference("home", topic, when)
    assert not session.game.view_for(None).standing["home"].waiting
    clutch = GAMES["clutch"]
    for level, some in (("full", {"cards", "infield"}), ("players", {"infield"}), ("basic", set[str]())):
        session.game.begin_game(Table(clutch, [house_deck(clutch)], {"level": level}))
        listed = {topic.key for topic in session.game.view_for(None).standing["home"].topics}
        assert some == listed & {"cards", "infield"}, level
    with pytest.raises(IllegalAnswer, match="no topic 'cards'"):
        session.seats.set_ask_preference("home", "cards", "never")


def test_a_game_without_topics(store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sixth game that declares nothing plays as before."""
    monkeypatch.setitem(GAMES, "coin-toss", coin_game.COIN)
    session = GameSession(store, coin_game.new, clock=clock)
    assert [[], []] == [list(view.topics) for view in session.game.view_for(None).standing.values()]
    session.seats.answer_ask("home", 0, "heads", Source.PHONE)
    session.seats.answer_ask("away", 1, "tails", Source.PHONE)
    assert [] == session.game.view_for(None).waits
    session.seats.reopen_answers("home")
    session.game.undo_answers()
    assert ["hide", "guess"] == sorted(asked(session.game.table), reverse=True)[:2]


def test_a_race_is_untouched(store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits once somebody has called; before, it only asks."""
    monkeypatch.setitem(GAMES, "coin-toss", coin_game.COIN)
    session = GameSession(store, coin_game.new, clock=clock)
    session.seats.answer_ask("home", 0, "heads", Source.PHONE)
    session.seats.answer_ask("away", 1, "tails", Source.PHONE)
    session.seats.answer_ask("away", 2, {"first": "ann", "second": "bob"}, Source.PHONE)
    session.seats.reopen_answers("away")
    session.race.call_in_race("away", 3, clock.now, Source.PHONE)
    with pytest.raises(IllegalAnswer, match="the dice are rolled"):
        session.seats.reopen_answers("home")
    assert session.game.view_for(None).race is not None


# Wait ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", SEATS)
def test_wait_reopens_what_was_answered_since_the_throw(session: GameSession, seat: Seat) -> None:
    """The first of the seat's answers is open again; the other seat's are given again by themselves."""
    quiet(session)
    answer(session, [3])
    assert list(SEATS) == session.game.view_for(None).waits
    session.seats.reopen_answers(seat)
    first = {"home": ("home", "card"), "away": ("away", "steal")}[seat]
    assert [first] == whys(session)
    assert session.game.view_for(None).standing[seat].waiting
    answer(session, {"home": "ace", "away": "yes"}[seat])
    assert [(seat, "sign")] == whys(session)
    answer(session, "bunt")
    if seat == "home":
        assert [("home", "glove")] == whys(session), "also a moot choice is asked"
        answer(session, "right")
    answer(session, [5])
    spoken = {"home": ("ace", "no", "bunt", "none", "right"), "away": ("pass", "yes", "none", "bunt", "left")}
    assert spoken[seat] == told(session)
    assert [("home", "pitch")] == whys(session), "the throw ends it"
    assert not session.game.view_for(None).standing[seat].waiting


def test_wait_with_nothing_to_reopen_only_asks(session: GameSession) -> None:
    answer(session, "pass")
    session.seats.set_ask_preference("home", "signs", "never")
    session.seats.reopen_answers("home")
    assert 1 == len(session.game.table.journal)
    answer(session, "no")
    assert [("home", "sign"), ("away", "sign")] == whys(session)


def test_both_seats_may_wait(session: GameSession) -> None:
    quiet(session)
    session.seats.reopen_answers("home")
    answer(session, "king")
    session.seats.reopen_answers("away")
    assert [("away", "steal")] == whys(session)
    answer(session, "yes", "none", "bunt", "right", [2])
    assert ("king", "yes", "none", "bunt", "right") == told(session)


def test_too_late(session: GameSession) -> None:
    """A die counted, a roll is shown, or somebody answered since: the seat hears why, and nothing changes."""
    quiet(session)
    first = session.game.view_for("home").automatic[0].n
    answer(session, [3])
    with pytest.raises(IllegalAnswer, match="the game has moved on"):
        session.seats.reopen_answers("home", first)
    (n, _) = session.game.table.open_asks()[0]
    session.rolls.handle_throw(seen(4, began=session.game.clock()))
    assert session.game.view_for(None).proposal is not None
    assert [] == session.game.view_for(None).waits
    length = len(session.game.table.journal)
    with pytest.raises(IllegalAnswer, match="the dice are rolled"):
        session.seats.reopen_answers("home", n - 1)
    assert length == len(session.game.table.journal)
    session.rolls.reject_roll()
    session.seats.reopen_answers("home", n - 1)
    assert [("home", "card")] == whys(session)


def test_a_persons_answer_is_never_taken_back_by_wait(session: GameSession) -> None:
    """What was given together with it, or before it, stays; nor is answered again what the other side has seen: both
    gave a sign together, away's by itself and first."""
    session.seats.set_ask_preference("home", "cards", "never")
    session.seats.set_ask_preference("home", "signs", "never")
    answer(session, "no")
    session.seats.answer_ask("away", session.game.table.open_asks()[0][0], "bunt", Source.PHONE)
    assert ["home", "pitch"] == [*whys(session)[0]]
    session.seats.reopen_answers("home")
    assert [("home", "glove")] == whys(session)
    stay = [session.game.table.answers[place].ask for place in (1, 3)]
    assert [("away", "steal"), ("away", "sign")] == [(ask.seat, ask.why) for ask in stay]
    session.game.begin_game(standing_game.new())
    session.seats.set_ask_preference("away", "signs", "never")
    answer(session, "pass", "no", "bunt")
    assert [("home", "pitch")] == whys(session)
    assert ["home"] == session.game.view_for(None).waits
    length = len(session.game.table.journal)
    session.seats.reopen_answers("away")
    assert length == len(session.game.table.journal)


# Undo ----------------------------------------------------------------------------------------------------------------


def test_undo_takes_back_the_last_answer_of_a_person_and_asks_it(
    session: GameSession, store: Store, clock: Clock
) -> None:
    """What followed by itself goes with it and comes again; the answer itself is asked, though it may stand now, also
    after a restart. Where people gave none there is nothing to undo."""
    quiet(session)
    with pytest.raises(IllegalAnswer, match="nothing to undo"):
        session.game.undo_answers()
    session.game.begin_game(standing_game.new())
    answer(session, "ace", "yes", "none", "none")
    quiet(session)
    session.game.undo_answers()
    assert [("away", "sign")] == whys(session), "home's sign was given before it"
    assert "Taken back: a secret." == session.game.view_for(None).notice
    answer(session, "bunt")
    assert ["pitch"] == list(asked(session.game.table))
    session.game.begin_game(standing_game.new())
    answer(session, "ace")
    quiet(session)
    session.game.undo_answers()
    assert [("home", "card")] == whys(session) == whys(GameSession(store, standing_game.new, clock=clock))


def test_lists_of_what_people_answered(session: GameSession) -> None:
    quiet(session)
    answer(session, [3])
    assert ["Roll the die."] == [one.sentence for one in session.record.current_answers()]
    assert [0] == [one.after for one in session.record.current_rolls()]
    preview = session.record.preview_undo(session.record.current_answers()[0].n)
    assert 1 == preview.given
    assert 1 < len(preview.dropped)


def test_a_correction_gives_the_last_answers_again(session: GameSession) -> None:
    """A seat that is asked with runners on is asked after the correction that puts one on base, and the reverse."""
    quiet(session, "runners")
    answer(session, "no", [3])
    assert [("home", "pitch")] == whys(session), "no runner is on base in the second round"
    roll = session.record.current_rolls()[0].n
    session.game.correct_roll(roll, [6])
    assert [("away", "steal")] == whys(session)
    session.game.correct_roll(roll, [2])
    assert [("home", "pitch")] == whys(session)
    assert 2 == len(session.record.current_answers())
    assert shot(session.game.table) == shot(replayed(session))


# Restarts ------------------------------------------------------------------------------------------------------------


def test_settings_and_a_wait_survive_a_restart(session: GameSession, store: Store, clock: Clock) -> None:
    """So does what the table answered by itself: it is still no person's."""
    settings = SeatSettings().with_ask_preference(session.game.table, "home", "cards", "seventh").with_wait("away", 4)
    assert settings == SeatSettings.from_json(settings.json_text)
    assert SeatSettings() == SeatSettings.from_json("")
    assert ("seventh", "always") == (settings.ask_preference("home", "cards"), settings.ask_preference("away", "cards"))
    quiet(session)
    session.seats.reopen_answers("away")
    views = [json_data(session.game.view_for(seat)) for seat in (None, *SEATS)]
    again = GameSession(store, standing_game.new, clock=clock)
    kept = [json_data(again.game.view_for(seat)) for seat in (None, *SEATS)]
    for part in ("standing", "automatic", "waits", "table"):
        assert [view[part] for view in views] == [view[part] for view in kept]
    assert [] == again.record.current_answers()


def test_settings_that_are_not_known_keep_no_table_from_opening(session: GameSession, store: Store) -> None:
    """As after a return to an older version: their game is put aside with a reason, and another one is begun."""
    store.save_seat_settings(session.game.number, '{"pace": "slow"}')
    again = GameSession(store, standing_game.new)
    assert session.game.number != again.game.number
    assert "there is something in its journal that they do not know" in " ".join(again.game.view_for(None).missing)


def test_each_game_has_its_own(session: GameSession, store: Store) -> None:
    quiet(session)
    first = session.game.number
    answer(session, [3])
    session.game.begin_game(standing_game.new())
    assert [("home", "card")] == whys(session)
    assert session.game.resume_game(first)
    assert "never" == session.game.view_for(None).standing["home"].topics[0].when


def test_an_older_journal_gets_the_column(tmp_path: Path, clock: Clock) -> None:
    """Its games have no settings, and can be given some. A setting that a failing card changed is noticed and comes
    from the copy."""

    def stands(store: Store) -> str:
        return GameSession(store, standing_game.new, clock=clock).game.view_for(None).standing["home"].topics[0].when

    path = tmp_path / "old.db"
    store = Store(path)
    assert "always" == stands(store)
    store._db.execute("alter table turn drop column standing")
    store.close()
    (tmp_path / "old.db.copy").unlink(missing_ok=True)
    store = Store(path)
    assert (None, "always") == (store.trouble, stands(store))
    GameSession(store, standing_game.new, clock=clock).seats.set_ask_preference("home", "cards", "never")
    store.close()
    store = Store(path)
    assert "never" == stands(store)
    store.update_copy()
    store._db.execute("update turn set standing = replace(standing, 'never', 'seven')")
    store.close()
    store = Store(path)
    assert (True, "never") == (store.trouble is not None, stands(store))
    store.close()


# Secrets -------------------------------------------------------------------------------------------------------------


def everything(session: GameSession, seat: Seat | None) -> list[Any]:
    table = session.game.table
    return [
        json_data(session.game.view_for(seat)),
        table.redacted_entries(seat),
        session.record.current_answers(),
        json_data(session.record.plays_page().plays),
    ]


@pytest.mark.parametrize("card", ["pass", "king"])
def test_wait_opens_no_secret_of_the_other_seat(tmp_path: Path, card: str) -> None:
    """Home chose in secret; whatever away does with "Wait" looks the same, and leaves home's choice."""
    shown = list[Any]()
    for mine in ("ace", card):
        store = Store(tmp_path / f"{mine}-{len(shown)}.db")
        session = GameSession(store, standing_game.new, clock=Clock())
        session.seats.set_ask_preference("away", "steals", "never")
        session.seats.set_ask_preference("away", "signs", "never")
        answer(session, mine)
        session.seats.reopen_answers("away")
        session.seats.answer_ask("away", 1, "yes", Source.PHONE)
        assert [mine] == [one.value for one in session.game.table.answers if one.n == 0]
        shown.append([everything(session, None), everything(session, "away")])
        store.close()
    assert shown[0] == shown[1]


def test_a_standing_secret_shows_only_to_its_seat(session: GameSession) -> None:
    session.seats.set_ask_preference("home", "cards", "never")
    assert [("home", "no cards")] == said(session, "home")
    assert [] == said(session, "away") == said(session)
    assert "hidden" == session.game.table.redacted_entries(None)[0]["value"]


def test_wait_never_reaches_behind_a_reveal(session: GameSession, monkeypatch: pytest.MonkeyPatch) -> None:
    """If Undo would take back a person's answer with it, the seat is refused."""
    quiet(session)
    monkeypatch.setattr(preset_answers, "is_automatic_from", lambda table, sources, n: False)
    before = len(session.game.table.journal)
    with pytest.raises(IllegalAnswer, match="revealed"):
        session.seats.reopen_answers("home")
    assert before == len(session.game.table.journal)


def test_what_wait_would_take_back() -> None:
    """Answers revealed together go together: then somebody's own would go too."""
    table = standing_game.new()
    for seat, n, value in (("home", 0, "ace"), ("away", 1, "no"), ("home", 2, "none"), ("away", 3, "none")):
        table.answer_ask(seat, n, value)  # type: ignore[arg-type]
    sources = [Source.PHONE, Source.STANDING, Source.STANDING, Source.STANDING]
    assert preset_answers.is_automatic_from(table, sources, 1)
    assert not preset_answers.is_automatic_from(table, sources, 0)


# The pure part -------------------------------------------------------------------------------------------------------


def test_what_was_taken_back_is_asked_once() -> None:
    """Until it is answered, or the game comes there another way."""
    table = standing_game.new()
    table.answer_ask("home", 0, "pass")
    table.answer_ask("away", 1, "no")
    table.undo(1)
    assert preset_answers.is_reopened(table, [Source.UNKNOWN] * 3, 1)
    assert not preset_answers.is_reopened(table, [Source.UNKNOWN, Source.UNKNOWN, Source.STANDING], 1), (
        "the table took it back by itself"
    )
    table.answer_ask("away", 1, "no")
    assert not preset_answers.is_reopened(table, [Source.UNKNOWN] * 4, 2)
    table.undo(1)
    table.undo(0)
    table.answer_ask("home", 0, "pass")
    assert isinstance(table.journal[-2], Undo)
    assert not preset_answers.is_reopened(table, [Source.UNKNOWN] * 7, 1)
