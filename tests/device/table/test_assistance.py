"""The coach answers what hardly matters: what is asked, what others see of it, and how it is taken back."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from random import Random

import pytest

from device.inputs.computer_managers import REPLY_TIMES_S, ComputerManagers
from device.storage.store import Store, StoreError
from device.table import assistance, managed_seats, preset_answers
from device.table.assistance import MAX_HOLD_S
from device.table.session import GameSession
from engine.ask_views import AnyAskView, ChooseView
from engine.errors import IllegalAnswer
from engine.games import GAMES
from engine.journal import Source
from engine.seats import SEATS, Seat
from engine.views import AudienceView, TableView, json_data
from managers.manager import WeighedAnswer
from tests.device.stored_games import Clock, answer
from tests.engine.sample_games import standing_game

ALL_SMALL = {"card": {"pass": 0.5, "ace": 0.4}, "steal": {"no": 0.5, "yes": 0.497}, "sign": {"none": 0.5, "bunt": 0.3}}
"""By question, the chances of a coach for whom doing nothing is best."""


class Coach:
    """A coach with these chances by question, after what `thinks` does."""

    def __init__(self) -> None:
        self.wins: dict[str, Mapping[str, float]] = {**ALL_SMALL}
        self.thinks: Callable[[], None] = lambda: None
        self.looked: list[str] = []

    def study_cards(self, view: TableView | None = None) -> bool:
        return False

    def costless_answers(self, view: TableView, ask: AnyAskView) -> Collection[str]:
        return [value for value in self.wins.get(ask.why, ()) if value != "ace"]

    def weigh_answers(self, view: TableView, ask: AnyAskView) -> Sequence[WeighedAnswer]:
        assert isinstance(ask, ChooseView)
        assert view.seat == ask.seat
        self.looked.append(ask.why)
        self.thinks()
        return [WeighedAnswer(value, win, 1.0) for value, win in self.wins[ask.why].items()]


class Room:
    """A game of two seats with a coach, whose thread looks when `look` is called."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self.clock, self.coach = clock, Coach()
        self.session = GameSession(store, standing_game.new, clock=clock)
        self.managers = ComputerManagers(self.session, Random(1), lambda setup, strength: self.coach)
        self.heard: list[AudienceView] = []
        self.session.game.subscribe(lambda views: self.heard.append(views.public))

    def assist(self, *seats: Seat) -> None:
        for seat in seats:
            self.session.managed.set_assistance(seat, True)

    def look(self) -> None:
        self.managers.answer_due_asks()

    def wait(self, seconds: float) -> None:
        self.clock.now += seconds
        self.session.tick()
        self.look()

    @property
    def whys(self) -> list[tuple[Seat, str]]:
        return [(ask.seat, ask.why) for _, ask in self.session.game.table.open_asks()]

    def shown(self, seat: Seat | None) -> list[str]:
        return [ask.why for ask in self.session.game.view_for(seat).table.asks]

    def said(self, seat: Seat | None) -> list[tuple[Seat, str, bool]]:
        return [(one.seat, one.words, one.coach) for one in self.session.game.view_for(seat).automatic]

    def manage(self, value: str) -> None:
        """Let the computer of the away seat answer its first question."""
        table = self.session.game.table
        n = next(n for n, ask in table.open_asks() if ask.seat == "away")
        self.session.managed.accept_decision("away", n, value, len(table.journal), "")

    def only_managed(self, seat: Seat) -> None:
        self.session.game.save_seat_settings(
            self.session.game.settings.with_manager(self.session.game.table, seat, "rookie")
        )


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """The store knows the made-up game, and it has managers."""
    monkeypatch.setitem(GAMES, "standing", standing_game.GAME)
    for module in (assistance, managed_seats, preset_answers):
        monkeypatch.setattr(module, "has_manager", lambda game: True)


@pytest.fixture
def room(store: Store, clock: Clock) -> Room:
    return Room(store, clock)


def test_what_hardly_matters_is_answered_and_told(room: Room) -> None:
    """The coach does nothing for a seat where nothing else gains half a point, and its seat reads what."""
    room.assist("away")
    answer(room.session, "ace")
    assert [("away", "steal")] == room.whys
    room.coach.wins["steal"] = {"no": 0.5, "yes": 0.504}
    room.look()
    assert [("home", "sign"), ("away", "sign")] == room.whys
    assert Source.COACH is room.session.game.sources[-1]
    assert [("away", "nobody steals", True)] == room.said("away") == room.said(None)


def test_a_real_decision_is_asked(room: Room) -> None:
    """At half a point, and at whatever the coach only ranks; and it looks once at each question."""
    room.assist("away")
    answer(room.session, "ace")
    room.coach.wins["steal"] = {"no": 0.5, "yes": 0.505}
    room.look()
    room.look()
    assert [("away", "steal")] == room.whys
    assert ["steal"] == room.shown("away") == room.shown(None)
    assert ["steal"] == room.coach.looked
    answer(room.session, "yes")
    del room.coach.wins["sign"]
    room.look()
    assert [("home", "sign"), ("away", "sign")] == room.whys


def test_no_page_shows_a_question_that_the_coach_answers(room: Room) -> None:
    """The next version that anybody gets is the one after the coach's answers."""
    room.assist("away")
    room.look()
    before = room.session.game.version
    answer(room.session, "ace")
    assert before == room.session.game.version
    room.look()
    assert before + 1 == room.session.game.version
    assert all("steal" not in [ask.why for ask in view.table.asks] for view in room.heard)


def test_a_question_does_not_wait_longer_than_its_deadline(room: Room) -> None:
    """A coach that is still studying the cards leaves it to its seat, and a late answer is not given."""
    room.assist("away")
    answer(room.session, "ace")

    def too_long() -> None:
        room.clock.now += MAX_HOLD_S
        assert ["card"] == room.shown("away")
        room.session.tick()

    room.coach.thinks = too_long
    room.look()
    assert ["steal"] == room.shown("away")
    assert [("away", "steal")] == room.whys


def test_without_a_thread_the_seat_is_asked_in_time(room: Room) -> None:
    room.assist("away")
    answer(room.session, "ace")
    assert pytest.approx(MAX_HOLD_S) == room.session.tick()
    room.clock.now += MAX_HOLD_S
    room.session.tick()
    assert ["steal"] == room.shown("away")


def test_a_failed_coach_leaves_the_question_to_its_seat(room: Room) -> None:
    room.assist("away")
    answer(room.session, "ace")
    room.coach.wins["steal"] = {}
    room.look()
    assert ["steal"] == room.shown("away")


def test_a_full_disk_leaves_the_question_to_its_seat(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    room.assist("away")
    answer(room.session, "ace")

    def full(*given: object) -> None:
        raise StoreError("The disk is full.")

    monkeypatch.setattr(room.session.game._store, "append", full)
    room.look()
    assert ["steal"] == room.shown("away")


def test_one_tap_takes_it_back(room: Room) -> None:
    """The seat is asked what the coach answered, and everything until the next roll. Then the coach answers again."""
    room.only_managed("away")
    room.assist("home")
    room.look()
    assert [("away", "steal")] == room.whys
    assert ["home"] == list(room.session.game.view_for("home").waits)
    room.session.seats.reopen_answers("home", 0)
    room.look()
    assert ["card"] == room.shown("home")
    answer(room.session, "ace")
    room.manage("no")
    room.look()
    assert [("home", "sign"), ("away", "sign")] == room.whys
    answer(room.session, "none")
    room.manage("none")
    answer(room.session, "left", [3])
    room.look()
    assert [("away", "steal")] == room.whys


@pytest.mark.parametrize(("value", "again"), [("no", ["home"]), ("yes", [])])
def test_it_is_taken_back_while_the_computer_has_changed_nothing(room: Room, value: str, again: list[Seat]) -> None:
    """A computer that passed has revealed nothing. Once it has done something, it is too late."""
    room.only_managed("away")
    room.assist("home")
    room.coach.wins["sign"] = {"none": 0.5, "bunt": 0.9}
    room.look()
    room.manage(value)
    room.look()
    view = room.session.game.view_for("home")
    assert (again, [("home", "no cards", True)] if again else []) == (list(view.waits), room.said("home"))


def test_after_a_roll_nothing_is_left_to_take_back(room: Room) -> None:
    room.only_managed("away")
    room.assist("home")
    room.look()
    room.manage("no")
    room.look()
    assert ["no cards", "no sign"] == [words for _, words, _ in room.said("home")]
    room.manage("none")
    room.coach.wins["card"] = {"pass": 0.5, "ace": 0.9}
    answer(room.session, [3])
    room.look()
    assert [] == room.said("home")


# Secrets -------------------------------------------------------------------------------------------------------------


def others(room: Room, seat: Seat = "away") -> str:
    """Return all that the other side and spectators see, but the count of versions."""
    views = [room.session.game.view_for(one) for one in (seat, None)]
    return repr([{**json_data(view), "version": 0, "notice": None} for view in views])


def test_a_secret_between_two_people_is_answered_like_a_person(room: Room) -> None:
    """The other side sees that it is asked, and an answer after a quick person's time. Its seat sees no question."""
    room.assist("home")
    room.look()
    assert (["card"], [], ["card"]) == (room.shown("away"), room.shown("home"), room.shown(None))
    room.wait(REPLY_TIMES_S[0] - 0.01)
    assert [("home", "card")] == room.whys
    room.wait(REPLY_TIMES_S[1] - REPLY_TIMES_S[0] + 0.02)
    assert [("away", "steal")] == room.whys
    assert [("home", "no cards", True)] == room.said("home")
    assert [] == room.said("away") == room.said(None)
    assert (["home"], [], []) == tuple(list(room.session.game.view_for(one).waits) for one in ("home", "away", None))


def test_others_do_not_see_whether_the_coach_or_a_person_passed(tmp_path: Path) -> None:
    """Neither while it is decided nor after it."""
    seen = []
    for name, chances in (("coach", {"pass": 0.5, "ace": 0.4}), ("person", {"pass": 0.5, "ace": 0.6})):
        store, clock = Store(tmp_path / f"{name}.db"), Clock()
        room = Room(store, clock)
        room.coach.wins["card"] = chances
        room.assist("home")
        room.look()
        asked = others(room)
        assert ([] if name == "coach" else ["card"]) == room.shown("home")
        room.wait(REPLY_TIMES_S[1] + 0.01)
        if name == "person":
            answer(room.session, "pass")
        seen.append((asked, others(room)))
        store.close()
    assert seen[0] == seen[1]


def test_how_long_the_coach_thought_does_not_show(tmp_path: Path) -> None:
    """With the same chance, the answer comes after the same time."""
    delays = []
    for takes in (0.0, 0.1, 0.3):
        store, clock = Store(tmp_path / f"{takes}.db"), Clock()
        room = Room(store, clock)

        def think(seconds: float = takes, clock: Clock = clock) -> None:
            clock.now += seconds

        room.coach.thinks = think
        room.assist("home")
        asked = clock.now
        room.look()
        while room.whys == [("home", "card")]:
            clock.now += 0.01
            room.session.tick()
        delays.append(clock.now - asked)
        store.close()
    assert [pytest.approx(delays[0], abs=0.02)] * 3 == delays
    assert REPLY_TIMES_S[0] <= delays[0] <= REPLY_TIMES_S[1] + 0.02


def test_a_hand_is_asked_at_a_fifth_of_the_stake(room: Room) -> None:
    """A card that is passed up is offered again, so that small losses would add up."""
    room.only_managed("away")
    room.coach.wins["card"] = {"pass": 0.5, "ace": 0.502}
    room.assist("home")
    room.look()
    assert ["card"] == room.shown("home")


def test_a_secret_with_no_way_to_do_nothing_is_the_game_itself(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preset_answers, "usual_answer", lambda table, ask: None)
    room.coach.wins["card"] = {"pass": 0.5, "ace": 0.5}
    room.assist("home")
    room.look()
    assert ["card"] == room.shown("home")
    assert [] == room.coach.looked


# Settings ------------------------------------------------------------------------------------------------------------


def test_nobody_is_assisted_who_did_not_ask_for_it(room: Room) -> None:
    room.look()
    assert [("home", "card")] == room.whys
    assert [] == room.coach.looked
    assert [False, False] == [room.session.game.view_for(None).standing[seat].assisted for seat in SEATS]
    room.assist("home")
    assert [False, True] == [room.session.game.view_for(None).standing[seat].assisted for seat in SEATS]
    assert "Cy's: asked only what matters from now on." == room.session.game.view_for(None).notice
    room.session.managed.set_assistance("home", False)
    assert ["card"] == room.shown("home")


def test_it_is_set_only_where_there_is_a_coach(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(managed_seats, "has_manager", lambda game: False)
    with pytest.raises(IllegalAnswer, match=r"Standing has no coach\."):
        room.assist("home")
    with pytest.raises(IllegalAnswer, match="Nobody sits in the umpire seat"):
        room.session.managed.set_assistance("umpire", True)  # type: ignore[arg-type]


def test_a_managers_seat_is_not_assisted(room: Room) -> None:
    room.assist("away")
    room.only_managed("away")
    answer(room.session, "ace")
    assert [] == list(room.session.assistance.undecided_asks())


def test_it_goes_on_after_a_restart(room: Room, store: Store, clock: Clock) -> None:
    room.assist("away")
    answer(room.session, "ace")
    again = GameSession(store, standing_game.new, clock=clock)
    assert ["steal"] == [ask.view.asks[0].why for ask in again.assistance.undecided_asks()]
