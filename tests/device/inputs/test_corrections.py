"""What a camera learns from corrections: stored, taken back, limited and deleted, without disturbing the game."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest

from device.inputs import teaching
from device.inputs.corrections import MAX_CORRECTIONS, MAX_RECENT_ROLLS, NOTHING_LEARNED_TEXT, LearnedCorrections
from device.inputs.dice_camera import DiceCamera, _FrameFeed
from device.inputs.tray_view import TrayReader
from device.storage.decks import house_deck
from device.storage.store import Store
from device.table.session import GameSession
from engine.games import GAMES
from engine.journal import Source
from engine.table import Table
from tests.device.inputs.scenes import Filmed, Knowing
from vision.dice.taught_dice import CROP_SIDE_PX, Glimpse, ShownFace, TaughtDie
from vision.reading import Face
from vision.synthetic.tray import SyntheticDie, SyntheticTray

GAME = GAMES["small-ball"]
WHITE, RED = (90.0, 0.0, 0.0), (45.0, 60.0, 40.0)


def look(face: Face, tint: tuple[float, float, float] = WHITE, shade: int = 90) -> ShownFace:
    return ShownFace(face, 0, np.full((CROP_SIDE_PX, CROP_SIDE_PX, 3), shade, np.uint8), tint)


def die(name: str = "mine", tint: tuple[float, float, float] = WHITE) -> TaughtDie:
    return TaughtDie(name, "d6", tuple(look(face, tint) for face in range(1, 7)))


def seen(*read: Face, tint: tuple[float, float, float] = WHITE) -> Glimpse:
    return Glimpse(read, tuple(("d6", look(face, tint)) for face in read))


def met(home: Path, *dice: TaughtDie) -> tuple[LearnedCorrections, Any]:
    learning, reader = LearnedCorrections(), Mock(taught=())
    learning.switch_camera(home, dice or (die(),), reader)
    return learning, reader


def known(reader: Any) -> dict[str, list[Face]]:
    """Return the faces that each die has beside those that it was taught."""
    return {bank.die.name: [one.face for one in bank.die.shown[6:]] for bank in reader.taught}


def test_a_misread_face_is_known_from_then_on(tmp_path: Path) -> None:
    """Also after a restart; a roll that was read right teaches nothing."""
    learning, reader = met(tmp_path)
    assert (known(reader), learning.words) == ({"mine": []}, NOTHING_LEARNED_TEXT)
    learning.record_roll(1, 0, [4], seen(3))
    learning.record_roll(1, 1, [5, 2], seen(2, 5))
    learning.learn_recorded_rolls()
    assert (known(reader), learning.words) == ({"mine": [4]}, "Learned from 1 correction.")
    again, after = met(tmp_path)
    assert (known(after), again.words) == (known(reader), learning.words)


@pytest.mark.parametrize(("then", "left"), [(None, []), ([3], []), ([6], [6])])
def test_it_is_taken_back(tmp_path: Path, then: list[int] | None, left: list[Face]) -> None:
    """By undoing the roll, by correcting it to what was read, or to something else."""
    learning, reader = met(tmp_path)
    learning.record_roll(1, 0, [4], seen(3))
    learning.learn_recorded_rolls()
    learning.record_roll(1, 0, then)
    learning.learn_recorded_rolls()
    assert known(reader) == {"mine": left}
    assert len(list(tmp_path.glob("*.png"))) == len(left)


@pytest.mark.parametrize(
    ("glimpse", "played"),
    [
        (seen(3, 3), [3, 4]),  # which of the two?
        (seen(3, 5), [4, 6]),  # another throw
        (seen(3, 5), [4]),
        (seen(3), ["S"]),
        (seen(3, tint=RED), [4]),  # a die of another color was not taught
    ],
)
def test_only_one_clear_difference_teaches(tmp_path: Path, glimpse: Glimpse, played: list[Face]) -> None:
    learning, reader = met(tmp_path)
    learning.record_roll(1, 0, played, glimpse)
    learning.learn_recorded_rolls()
    assert known(reader) == {"mine": []}


def test_the_die_of_that_color_learns(tmp_path: Path) -> None:
    learning, reader = met(tmp_path, die("white"), die("red", RED))
    learning.record_roll(1, 0, [4], seen(3, tint=RED))
    learning.learn_recorded_rolls()
    assert known(reader) == {"white": [], "red": [4]}
    # What was learned about a die that is not taught any more is deleted.
    learning.switch_camera(tmp_path, [die("white")], reader)
    assert list(tmp_path.glob("*.png")) == []


def test_the_newest_are_kept(tmp_path: Path) -> None:
    learning, reader = met(tmp_path)
    for place in range(MAX_CORRECTIONS + 2):
        learning.record_roll(1, place, [1 + place % 2], seen(3))
        learning.learn_recorded_rolls()
    assert len(known(reader)["mine"]) == len(list(tmp_path.glob("*.png"))) == MAX_CORRECTIONS
    assert not list(tmp_path.glob("*-1-0.png"))
    # A roll that is long past is not known any more; its correction stays.
    learning.record_roll(1, MAX_CORRECTIONS - MAX_RECENT_ROLLS, [6])
    learning.learn_recorded_rolls()
    assert 6 not in known(reader)["mine"]


@pytest.mark.parametrize("damage", [lambda data: data[: len(data) // 2], lambda data: b""])
def test_a_damaged_file_is_deleted(tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    learning, _ = met(tmp_path)
    for place in range(2):
        learning.record_roll(1, place, [4], seen(3))
    learning.learn_recorded_rolls()
    path = next(tmp_path.glob("000001-*.png"))
    path.write_bytes(damage(path.read_bytes()))
    again, _ = met(tmp_path)
    assert again.words == "Learned from 1 correction."
    assert not path.exists()


def test_a_disk_error_is_only_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "lessons").write_text("a file")
    learning, reader = met(tmp_path / "lessons")
    learning.record_roll(1, 0, [4], seen(3))
    learning.learn_recorded_rolls()
    assert known(reader) == {"mine": []}
    assert "cannot be stored" in caplog.text


def test_without_a_camera_the_queue_stays_short() -> None:
    learning = LearnedCorrections()
    for place in range(500):
        learning.record_roll(1, place, [3])
    learning.learn_recorded_rolls()
    assert learning.words == NOTHING_LEARNED_TEXT


# At the table --------------------------------------------------------------------------------------------------------


class Film:
    """A die that shows a 5, thrown before a camera that was taught it, with a session; `acts` run at their frames."""

    def __init__(self, home: Path) -> None:
        self.home, self.source = home, Filmed(SyntheticTray(seed=4), 230)
        self.store, self.lessons = Store(home / "journal.db"), LearnedCorrections()
        self.session = GameSession(
            self.store,
            lambda: Table(GAME, [house_deck(GAME)], {"awayTeam": "red"}),
            clock=lambda: self.source.number * self.source.pace,
            lessons=self.lessons,
        )
        teaching.save_die(teaching.taught_dice_folder(home, "drawn", (640, 480)), die())

    def play(self, acts: dict[int, Callable[[], object]]) -> list[Face]:
        """Return the faces that the die has beside those that it was taught."""
        self.session.seats.answer_ask("away", 0, "bat", Source.PHONE)
        throw = partial(self.source.scene.throw_dice, 20 * self.source.pace, [SyntheticDie()], [5])
        self.source.acts = {20: throw, **acts}
        reader = Seeing(self.source)
        camera = DiceCamera(self.session, lambda: self.source, trays=self.home, lessons=self.lessons)
        camera._watch_tray(
            _FrameFeed(self.source, camera), TrayReader(reader, self.home, lambda words: None, self.lessons)
        )
        self.store.close()
        return known(reader)["mine"]


class Seeing(Knowing):
    """A reader that knows what lies in a filmed tray, and looks at it."""

    taught: tuple[Any, ...] = ()

    def __init__(self, film: Filmed) -> None:
        super().__init__(film.scene)
        self.film, self.glimpse = film, seen(5)

    def read_dice(self, *frame: Any, **inside: Any) -> Any:
        self.now = self.film.number * self.film.pace
        return super().read_dice(*frame, **inside)


@pytest.mark.parametrize(
    ("then", "learned"),
    [
        (lambda session: None, []),
        (lambda session: session.game.correct_roll(1, [2]), [2]),
        (lambda session: [session.game.correct_roll(1, [2]), session.game.undo_answers()], []),
        (lambda session: [session.game.correct_roll(1, [2]), session.game.undo_answers(0)], []),
    ],
)
def test_a_counted_roll_is_corrected_or_undone(
    then: Callable[[GameSession], object], learned: list[Face], tmp_path: Path
) -> None:
    film = Film(tmp_path)
    assert film.play({140: film.session.tick, 150: lambda: then(film.session)}) == learned


def test_a_roll_is_corrected_before_it_counts(tmp_path: Path) -> None:
    film = Film(tmp_path)

    def correct() -> None:
        if film.session.game.current_views().due is not None:
            film.session.buttons.move_cursor("away", 1)
            film.session.buttons.press_ok("away")

    assert film.play(dict.fromkeys(range(30, 140), correct)) == [6]


def test_an_answer_of_a_computer_corrects_nothing(tmp_path: Path) -> None:
    film = Film(tmp_path)

    def computer() -> None:
        if film.session.game.current_views().due is not None:
            film.session.seats.answer_ask("away", 1, [4], Source.MANAGER)

    assert film.play(dict.fromkeys(range(30, 140), computer)) == []
    assert len(film.session.game.table.answers) == 2
