"""Solo games: the house chooses for the away seat, and undo goes back to the person's own answers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from device.app import App
from device.inputs.house_player import HousePlayer
from device.settings import Settings
from device.storage.store import StoreError
from device.table.live_game import RETRY
from engine.errors import IllegalAnswer, StaleAnswer
from engine.journal import Source
from engine.views import plain
from tests.device.stored_games import Clock


class Evening:
    """A single player in the home seat, on a clock that the test moves."""

    def __init__(self, folder: Path) -> None:
        self.app = App(
            Settings.model_validate(
                {
                    "data": folder,
                    "game": {"key": "bottom-of-the-9th", "house": {"solo": "houseBot"}},
                    "camera": {"source": "none"},
                    "display": {"driver": "none"},
                    "buttons": {"factory": "none"},
                }
            ),
            demo=False,
        )
        self.session = self.app.session
        self.app._house = HousePlayer(self.session, "key", lambda options: options[0])
        self.session.game.clock = self.clock = Clock()
        self.shown = -1
        self.pictures: list[Image.Image] = []
        self.app.oled.show = lambda image, news=True: self.pictures.append(image)  # type: ignore[method-assign]

    def tick(self) -> None:
        self.shown = self.app._look_after(self.shown)

    def asked(self) -> list[str]:
        """Return what is asked once the table is still."""
        self.tick()
        while self.shown != self.session.game.version:
            self.tick()
        return [ask.why for _, ask in self.session.game.table.asks()]

    def play(self, value: object) -> None:
        """Answer the first open ask."""
        n, ask = self.session.game.table.asks()[0]
        self.session.seats.answer(ask.seat, n, value, Source.PHONE)

    def answered(self) -> list[str]:
        return [one.ask.why for one in self.session.game.table.answers]


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    evening = Evening(tmp_path)
    yield evening
    evening.app.stop()


def begin(evening: Evening) -> None:
    """Play until the line-up is set, the house has chosen its pitchers and its pitch, and the guess is asked."""
    assert evening.asked() == ["lineup"]
    evening.play("ready-made")
    assert evening.asked() == ["guess"]


def test_the_house_pitches_in_a_solo_game(evening: Evening) -> None:
    """The house makes the away seat's choices; a person still throws its dice."""
    begin(evening)
    evening.play("away-low")
    assert evening.asked() == ["pitch"]


def test_each_undo_takes_back_one_answer_of_the_person(evening: Evening) -> None:
    """The house's answers are undone too and given again, back to the first answer; then nothing is left to undo."""
    begin(evening)
    evening.play("away-low")
    assert evening.asked() == ["pitch"]
    evening.play([1, "S"])
    assert evening.asked() == ["swing"]
    for why in ("pitch", "guess", "lineup"):
        evening.app.session.game.undo(None)
        assert evening.asked() == [why]
    with pytest.raises(IllegalAnswer, match="nothing to take back"):
        evening.app.session.game.undo(None)


def test_after_a_restart_undo_finds_the_persons_answer(tmp_path: Path) -> None:
    """The game itself records whose answer it was."""
    evening = Evening(tmp_path)
    begin(evening)
    evening.app.stop()
    evening = Evening(tmp_path)
    assert evening.asked() == ["guess"]
    evening.app.session.game.undo(None)
    assert evening.asked() == ["lineup"]
    evening.app.stop()


def test_the_house_tries_again_after_a_disk_error(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    """A choice that could not be stored is reported on the display, and repeated later without any input."""
    evening.asked()
    evening.play("ready-made")
    tries = []

    def full(*_: object) -> None:
        tries.append(evening.clock.now)
        raise StoreError("The disk is full.")

    with monkeypatch.context() as patch:
        patch.setattr(evening.app._store, "append", full)
        evening.pictures.clear()
        assert evening.asked() == ["starter"]
        assert evening.pictures
        assert plain(evening.session.game.view(None))["missing"][-1] == "The disk is full."
        tried = len(tries)
        for _ in range(10):
            evening.tick()
        assert len(tries) == tried, "a full disk is not hammered"
        evening.clock.now += RETRY
        evening.tick()
        assert len(tries) == tried + 1
    evening.clock.now += RETRY
    assert evening.asked() == ["guess"]
    assert "The disk is full." not in plain(evening.session.game.view(None))["missing"]


def test_a_late_choice_hides_nothing(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    """If somebody undid the ask in the meantime, the display still shows what is new."""
    evening.asked()
    evening.play("ready-made")

    def stale(*_: object) -> None:
        raise StaleAnswer("That ask is not open.")

    with monkeypatch.context() as patch:
        patch.setattr(evening.session.seats, "answer", stale)
        evening.pictures.clear()
        evening.tick()
        assert evening.pictures
    evening.clock.now += RETRY
    assert evening.asked() == ["guess"]
