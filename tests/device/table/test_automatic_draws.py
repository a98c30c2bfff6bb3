"""Random draws by the house: fair, immediate, and always the same for the same ask."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from device.inputs.chance_draws import AutomaticDraws
from device.storage.store import Store, StoreError
from device.table import automatic_draws, play_log
from device.table.live_game import RETRY_DELAY_S
from device.table.session import GameSession
from engine.asks import Choose, Draw, Play, Secret, ask_secretly, choose
from engine.errors import IllegalAnswer, StaleAnswer
from engine.journal import Source
from engine.seats import Seat
from engine.table import Table
from engine.views import json_data
from tests.device.stored_games import Clock
from tests.engine.sample_games.duel_game import DUEL, HANDS, State, deck

CARDS = HANDS["high"]


def hand(s: State) -> Play:
    """Call a side, draw a card that only home may see, choose another, and ask a second time."""
    s.step += 1
    if (yield from choose("away", "call", ("heads", "tails", "doubt"))) == "doubt":
        yield from choose("away", "call", ("heads", "tails"))
    s.stash = yield from ask_secretly(Draw("home", "show", CARDS))
    yield from ask_secretly(Choose("home", "glove", ("high", "low")))
    s.emit("ready")


class Evening:
    """A game for two seats with random draws, played with the house."""

    def __init__(self, folder: Path, key: str = "key") -> None:
        game = replace(DUEL, next_play=lambda s: hand if s.step < 2 else None)
        self.store = Store(folder / "journal.db")
        self.session = GameSession(self.store, lambda: Table(game, [deck()]), clock=Clock())
        self.house = AutomaticDraws(self.session, key)

    def answer(self, seat: Seat, n: int, value: str) -> None:
        self.session.seats.answer_ask(seat, n, value, Source.PHONE)
        self.house.make_open_draws(True)

    def asked(self) -> list[int]:
        return [n for n, _ in self.session.game.table.open_asks()]

    def drawn(self) -> list[Any]:
        given = self.session.game.table.answers
        return [one.value for one in given if isinstance(one.ask, Secret) and isinstance(one.ask.ask, Draw)]


Evenings = Callable[[str], Evening]


@pytest.fixture
def evenings(tmp_path: Path) -> Iterator[Evenings]:
    """Return what makes an evening with this key."""
    made: list[Evening] = []

    def make(key: str) -> Evening:
        made.append(Evening(tmp_path / str(len(made)), key))
        return made[-1]

    yield make
    for one in made:
        one.store.close()


@pytest.fixture
def evening(evenings: Evenings) -> Evening:
    return evenings("key")


def test_the_house_draws_immediately(evening: Evening) -> None:
    """The next ask follows; only the owner sees the card."""
    evening.answer("away", 0, "heads")
    assert [2] == evening.asked()
    (card,) = evening.drawn()
    assert card in CARDS
    shown = {seat: evening.session.game.table.redacted_entries(seat)[1]["value"] for seat in (None, "away", "home")}
    assert {None: "hidden", "away": "hidden", "home": card} == shown


@pytest.mark.parametrize("source", [Source.PHONE, Source.OPERATOR, Source.BUTTONS, Source.CAMERA])
def test_nobody_can_choose_a_draw(evening: Evening, source: Source) -> None:
    """The seat and the operator cannot answer for the house, and the seat's buttons have no entry."""
    evening.session.seats.answer_ask("away", 0, "heads", Source.PHONE)
    with pytest.raises(IllegalAnswer, match="drawn at random"):
        evening.session.seats.answer_ask("home", 1, CARDS[0], source)
    with pytest.raises(IllegalAnswer, match="Nothing for you to do"):
        evening.session.buttons.press_ok("home")
    assert [1] == evening.asked()


def test_undo_repeats_the_same_draw(evening: Evening) -> None:
    """Otherwise a player could redraw a bad card; undo goes back to the person's answer."""
    evening.answer("away", 0, "heads")
    card = evening.drawn()
    evening.session.game.undo_answers()
    assert [0] == evening.asked()
    evening.answer("away", 0, "tails")
    assert card == evening.drawn()
    evening.answer("home", 2, "low")
    evening.session.game.undo_answers()
    assert [2] == evening.asked()
    evening.session.game.undo_answers(1)
    evening.house.make_open_draws(True)
    assert (card, [2]) == (evening.drawn(), evening.asked())


@pytest.mark.parametrize("key", ["", "0", "1", "2", "3", "4"])
def test_another_answer_before_a_draw_does_not_change_it(evenings: Evenings, key: str) -> None:
    """Otherwise a player could change an earlier answer until the card is a good one."""
    evening = evenings(key)
    evening.answer("away", 0, "heads")
    cards = evening.drawn()
    evening.session.game.undo_answers(0)
    evening.answer("away", 0, "doubt")
    evening.answer("away", 1, "heads")
    assert (cards, [3]) == (evening.drawn(), evening.asked())


def test_draws_of_a_game_differ(evenings: Evenings) -> None:
    """The second card of at least one game differs from its first."""
    hands = []
    for key in "abcdefgh":
        evening = evenings(key)
        evening.answer("away", 0, "heads")
        evening.answer("home", 2, "low")
        evening.answer("away", 3, "heads")
        hands.append(evening.drawn())
    assert {2} == {len(cards) for cards in hands}
    assert any(first != second for first, second in hands)


def test_every_card_is_equally_likely() -> None:
    """Over many draws in many games; without the key nobody can predict them."""
    draw = Draw("home", "show", tuple("abcdefgh"))
    drawn = [automatic_draws.draw_option("key", game, n, draw) for game in range(1, 41) for n in range(200)]
    counts = Counter(drawn)
    assert set(draw.options) == set(counts)
    assert all(900 < count < 1100 for count in counts.values())
    others = [automatic_draws.draw_option("other", game, n, draw) for game in range(1, 41) for n in range(200)]
    assert 800 < sum(one == two for one, two in zip(drawn, others, strict=True)) < 1200


def test_the_house_tries_again_after_a_disk_error(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    """Later, without any input; a full disk is not hammered."""
    evening.session.seats.answer_ask("away", 0, "heads", Source.PHONE)
    tries, clock = list[float](), evening.session.game.clock
    assert isinstance(clock, Clock)

    def full(*_: object) -> None:
        tries.append(clock.now)
        raise StoreError("The disk is full.")

    with monkeypatch.context() as patch:
        patch.setattr(evening.store, "append", full)
        evening.house.make_open_draws(True)
        assert "The disk is full." in json_data(evening.session.game.view_for(None))["missing"]
        for _ in range(10):
            evening.house.make_open_draws(False)
        clock.now += RETRY_DELAY_S
        evening.house.make_open_draws(False)
    assert [clock.now - RETRY_DELAY_S, clock.now] == tries
    clock.now += RETRY_DELAY_S
    evening.house.make_open_draws(False)
    assert [2] == evening.asked()
    assert [] == json_data(evening.session.game.view_for(None))["missing"]


def test_a_late_draw_is_made_again(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    """If somebody undid the ask in the meantime, the table goes on."""
    evening.session.seats.answer_ask("away", 0, "heads", Source.PHONE)

    def stale(*_: object) -> None:
        raise StaleAnswer("That ask is not open.")

    with monkeypatch.context() as patch:
        patch.setattr(evening.session.seats, "answer_ask", stale)
        evening.house.make_open_draws(True)
    evening.house.make_open_draws(True)
    assert [2] == evening.asked()


def test_draws_are_not_counted_as_answers(evening: Evening) -> None:
    """Undo drops the house's draws too, and counts only what people answered."""
    evening.answer("away", 0, "heads")
    (glove,) = evening.asked()
    evening.answer("home", glove, "low")
    found = play_log.undo_preview(evening.session.game.table, 0)
    assert len(evening.drawn()) > 0
    assert (2, 2 + len(evening.drawn())) == (json_data(found)["given"], len(json_data(found)["dropped"]))
