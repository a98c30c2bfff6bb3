"""Roll samples: stored, judged again, limited and deleted, without disturbing the game."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from device.inputs import roll_samples
from device.inputs.dice_camera import DiceCamera, _FrameFeed
from device.inputs.roll_samples import NOTHING, RollSamples
from device.inputs.tray_view import TrayView
from device.storage.decks import house_deck
from device.storage.store import Store
from device.table.session import Session
from engine.games import GAMES
from engine.table import Table
from tests.device.inputs.scenes import Filmed
from tests.vision.painted import Painted, painted
from vision.dice.thresholds import USUAL, Limits
from vision.drawn.tray import DrawnDie, DrawnTray
from vision.reader import Reader
from vision.tuning import EARNED, Sample, unpack_sample

pytestmark = pytest.mark.slow

GAME = GAMES["small-ball"]

SIZE = (640, 480)


def met(trays: Path, reader: Painted, most: int = 400) -> RollSamples:
    found = RollSamples(trays, most)
    found.meet("drawn", SIZE, reader)
    return found


def done(learning: RollSamples) -> None:
    while learning.attend():
        pass


def confirm(learning: RollSamples, count: int, percent: int = 82) -> None:
    """Store a number of doubtful 3s that were confirmed."""
    for place in range(count):
        learning.hear(1, place, [3], painted((3, percent)))
        done(learning)


def learned(home: Path) -> tuple[Painted, RollSamples]:
    reader = Painted()
    learning = met(home, reader)
    confirm(learning, EARNED)
    return reader, learning


def files(trays: Path) -> list[str]:
    return [path.name for path in sorted(trays.glob("*/lessons/*"))]


def test_confirmed_doubts_lower_the_limits_also_after_a_restart(tmp_path: Path) -> None:
    """After sixty confirmations the table asks less; after a restart only once each sample is judged again."""
    reader = Painted()
    learning = met(tmp_path, reader)
    assert learning.words == NOTHING
    confirm(learning, EARNED - 1)
    assert (reader.limits, learning.words) == (USUAL, "Nothing learned yet from 59 rolls: asks as usual.")
    learning.hear(1, 99, [3], painted((3, 82)))
    done(learning)
    assert (reader.limits, learning.words) == (Limits(sure=0.8), "Learned from 60 rolls: asks a little less often.")
    after = Painted()
    again = met(tmp_path, after)
    for _ in range(EARNED):
        assert after.limits == USUAL
        assert again.words == "60 rolls are judged again."
        assert again.attend()
    done(again)
    assert (after.limits, again.words) == (Limits(sure=0.8), learning.words)


def test_new_weights_after_a_restart_are_judged_again(tmp_path: Path) -> None:
    """If the samples prove nothing with the new weights, the default limits stay; otherwise they improve."""
    confirm(met(tmp_path, Painted()), EARNED)
    for less, limits in ((-10, USUAL), (5, Limits(sure=0.75)), (20, USUAL)):
        reader = Painted(less)
        done(met(tmp_path, reader))
        assert reader.limits == limits


def test_corrected_misreads_raise_the_limits(tmp_path: Path) -> None:
    """Rolls that counted by themselves and were amended later, even after a restart, make the table ask more."""
    learning = met(tmp_path, Painted())
    for place in range(40):
        learning.hear(1, place, [3], painted((3, 88 if place < 2 else 99)))
    learning.hear(1, 0, [5])
    done(learning)
    reader = Painted()
    again = met(tmp_path, reader)
    done(again)
    assert reader.limits == USUAL
    again.hear(1, 1, [4])
    done(again)
    assert (reader.limits, again.words) == (Limits(sure=0.9), "Learned from 40 rolls: asks a little more often.")
    assert len(files(tmp_path)) == 40


def test_an_undone_roll_is_not_a_sample(tmp_path: Path) -> None:
    """Neither is one corrected to an impossible value, nor one that no camera saw."""
    learning = met(tmp_path, Painted())
    for place in range(2):
        learning.hear(1, place, [3, 4], painted((3, 82), (4, 99)))
    done(learning)
    assert len(files(tmp_path)) == 2
    learning.hear(1, 0, None)
    learning.hear(1, 1, [1, 1])
    learning.hear(1, 7, [1])
    done(learning)
    assert (files(tmp_path), learning.words) == ([], NOTHING)


def test_the_newest_samples_are_kept(tmp_path: Path) -> None:
    """Beyond the limit the oldest are deleted; a sample with a lower roll number is still the newest."""
    learning = met(tmp_path, Painted(), most=3)
    for game in (7, 8, 9, 1):
        learning.hear(game, 0, [3], painted((3, 82)))
    done(learning)
    assert files(tmp_path) == ["000002-8-0.png", "000003-9-0.png", "000004-1-0.png"]
    assert roll_samples.kept(tmp_path) == 3
    learning.hear(8, 0, [3], painted((3, 77)))
    done(learning)
    assert files(tmp_path) == ["000003-9-0.png", "000004-1-0.png", "000005-8-0.png"]


@pytest.mark.parametrize("damage", [lambda data: data[: len(data) // 2], lambda data: b"", lambda data: data + b"x"])
def test_a_damaged_sample_is_deleted(tmp_path: Path, damage: object, caplog: pytest.LogCaptureFixture) -> None:
    """A file truncated by a power cut is logged and deleted; the other samples still count."""
    assert callable(damage)
    confirm(met(tmp_path, Painted()), EARNED + 1)
    path = next(tmp_path.glob("*/lessons/000007-*.png"))
    path.write_bytes(damage(path.read_bytes()))
    (path.parent / "000062-1-62.new").write_bytes(b"half")
    reader = Painted()
    learning = met(tmp_path, reader)
    done(learning)
    assert learning.words == "Learned from 60 rolls: asks a little less often."
    assert not path.exists()
    assert "000007-1-6.png is deleted" in caplog.text


def test_a_roll_is_stored_once(tmp_path: Path) -> None:
    confirm(met(tmp_path, Painted()), 1)
    assert met(tmp_path, Painted()).words == "1 roll is judged again."


def test_half_written_files_are_deleted(tmp_path: Path) -> None:
    """A power cut can leave them; complete samples stay."""
    confirm(met(tmp_path, Painted()), 2)
    kept = files(tmp_path)
    home = next(tmp_path.glob("*/lessons"))
    (home / "000003-1-2.new").write_bytes(b"half")
    met(tmp_path, Painted())
    assert files(tmp_path) == kept


def test_a_disk_error_is_only_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "trays").write_text("a file")
    reader = Painted()
    learning = met(tmp_path / "trays", reader)
    confirm(learning, EARNED)
    assert (reader.limits, learning.words) == (USUAL, NOTHING)
    assert "cannot be stored" in caplog.text


def test_a_sample_that_cannot_be_judged_is_only_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    reader = Painted()
    learning = met(tmp_path, reader)
    learning.hear(1, 0, [3], painted((3, 82)))
    reader.judge_faces = lambda *_: [][0]  # type: ignore[method-assign]
    done(learning)
    assert "could not be learned from" in caplog.text


def test_deleting_all_samples(tmp_path: Path) -> None:
    reader, learning = learned(tmp_path)
    learning.hear(1, 99, [3], painted((3, 82)))
    learning.forget()
    assert (reader.limits, learning.words, files(tmp_path)) == (USUAL, NOTHING, [])
    done(learning)
    assert (reader.limits, learning.words, files(tmp_path)) == (USUAL, NOTHING, [])


def test_each_camera_and_resolution_has_its_own_samples(tmp_path: Path) -> None:
    """Another camera, or another resolution, starts with the defaults; the first one finds its samples again."""
    reader, learning = learned(tmp_path)
    for camera, size in (("other", SIZE), ("drawn", (320, 240))):
        learning.meet(camera, size, reader)
        done(learning)
        assert (reader.limits, learning.words) == (USUAL, NOTHING)
    learning.meet("drawn", SIZE, reader)
    done(learning)
    assert reader.limits == Limits(sure=0.8)


def test_a_camera_that_reconnects_is_not_judged_again(tmp_path: Path) -> None:
    """Its learned limits still apply."""
    reader, learning = learned(tmp_path)
    asked = reader.asked
    learning.meet("drawn", SIZE, reader)
    done(learning)
    assert (reader.limits, reader.asked) == (Limits(sure=0.8), asked)


# At the table --------------------------------------------------------------------------------------------------------


class Film:
    """A die that shows a 5, thrown in front of the real reader, with a session; `acts` run at their frames."""

    def __init__(self, home: Path, monkeypatch: pytest.MonkeyPatch, *, doubted: bool = False) -> None:
        self.home = home
        self.source = Filmed(DrawnTray(seed=4), 230)
        self.store = Store(home / "journal.db")
        self.lessons = RollSamples(home)
        self.session = Session(
            self.store,
            lambda: Table(GAME, [house_deck(GAME)], {"awayTeam": "red"}),
            clock=lambda: self.source.number * self.source.pace,
            lessons=self.lessons,
        )
        if doubted:
            monkeypatch.setattr("vision.dice.thresholds.USUAL", Limits(sure=1.1))

    def play(self, acts: dict[int, Callable[[], object]]) -> list[Sample]:
        self.session.answer("away", 0, "bat", "phone")
        throw = partial(self.source.scene.throw, 20 * self.source.pace, [DrawnDie()], [5])
        self.source.acts = {20: throw, **acts}
        camera = DiceCamera(self.session, lambda: self.source, trays=self.home, lessons=self.lessons)
        sight = TrayView(Reader(), self.home, lambda words: None, self.lessons)
        camera._watch(_FrameFeed(self.source, camera), sight)
        self.store.close()
        return [unpack_sample(path.read_bytes()) for path in sorted(self.home.glob("*/lessons/*.png"))]


def test_a_confirmed_doubt_is_a_sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A person confirms what the camera asks: the sample is confirmed, and has the camera's reading."""
    film = Film(tmp_path, monkeypatch, doubted=True)
    (one,) = film.play({140: lambda: film.session.accept("buttons")})
    assert (one.truth, one.confirmed, one.view.read, one.view.doubt) == ((5,), True, (5,), "unclear")
    assert film.lessons.words == "Nothing learned yet from 1 roll: asks as usual."


def test_a_roll_changed_before_it_counts_is_a_sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    film = Film(tmp_path, monkeypatch)

    def correct() -> None:
        if film.session.views().due is not None:
            film.session.turn("away", 1)
            film.session.press("away")

    (one,) = film.play(dict.fromkeys(range(30, 140), correct))
    assert (one.truth, one.confirmed, one.view.read, one.view.doubt) == ((6,), True, (5,), None)


@pytest.mark.parametrize(
    ("then", "kept"),
    [
        (lambda session: None, [((5,), False)]),
        (lambda session: session.amend(1, [2]), [((2,), True)]),
        (lambda session: session.undo(), []),
        (lambda session: session.undo(0), []),
    ],
)
def test_a_counted_roll_is_corrected_or_undone(
    then: Callable[[Session], object],
    kept: list[tuple[tuple[int, ...], bool]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A roll that counts by itself is an unconfirmed sample; an amend confirms it, an undo deletes it."""
    film = Film(tmp_path, monkeypatch)
    found = film.play({140: film.session.tick, 150: lambda: then(film.session)})
    assert [(one.truth, one.confirmed) for one in found] == kept


def test_answers_by_bots_or_without_a_camera_are_not_samples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    film = Film(tmp_path, monkeypatch)

    def bot() -> None:
        if film.session.views().due is not None:
            film.session.answer("away", 1, [4], "bot")

    assert film.play(dict.fromkeys(range(30, 140), bot)) == []
    assert len(film.session.table.answers) == 2


def test_without_a_camera_the_queue_stays_short(tmp_path: Path) -> None:
    """Rolls reported before any camera opens are limited, and nothing is to be done."""
    learning = RollSamples(tmp_path)
    for place in range(500):
        learning.hear(1, place, [3])
    assert not learning.attend()
    assert files(tmp_path) == []
