"""Complete table in one process that plays an evening, from calibration and teaching to journal and players.

A simulated clock advances with the frames. People act between two frames on the camera's thread.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np

from benchmarks.evening import plan
from benchmarks.evening.clips import (
    EMPTY_FRAMES,
    REST_FRAMES,
    Clip,
    Evening,
    PictureSource,
    Shot,
    SimulatedClock,
    pickup_frames,
    still_frames,
    throw_frames,
)
from device.inputs import calibration, teaching
from device.inputs.calibration import Calibrator
from device.inputs.corrections import LearnedCorrections
from device.inputs.dice_camera import DiceCamera
from device.storage.store import Store
from device.table.automatic_draws import open_draws
from device.table.session import GameSession
from engine.asks import Call, Roll
from engine.dice import Die, Face
from engine.journal import Source
from engine.seats import Seat
from engine.table import Table
from engine.views import ProposalView
from vision.cameras.frames import Image
from vision.dice.taught_dice import FaceBank, ShownFace, TaughtDie, TaughtDieError
from vision.reader import Reader
from vision.reading import DOUBT_ADVICE, READABLE_KINDS
from vision.tray.outline import Tray
from vision.tray.saved_trays import load_tray
from vision.tray.tray_reader import TrayDiceReader

CAMERA_NAME = "evening"  # Name of the camera.
SHOW_S = 1.5  # Seconds for which a sure roll is shown before it counts, as in the settings.
RACE_VERDICT_S = 3.0  # Seconds after which the table has judged a called race.
DOUBTS_BY_TROUBLE = {
    "cocked": "cocked",
    "stacked": "stacked",
    "covered": "hand",
}  # Doubt that each trouble should raise.


@dataclass(slots=True)
class EveningFigures:
    """Results of an evening.

    count: fair throws ("fair"), of which counted correctly ("right"), asked about ("asked") and counted wrongly
        ("silent"); throws in trouble ("unfair"), of which asked about ("doubted"), for the right reason ("named") and
        counted ("believed").
    finishes: the same for fair throws with a die of each finish.
    misses: one line for each throw that was not right.
    checks: failed checks of the calibration.
    unnoticed: throws from a nudge of the camera until the table reported it or found the tray again; else None.
    """

    count: Counter[str] = field(default_factory=Counter)
    finishes: dict[str, Counter[str]] = field(default_factory=dict)
    misses: list[str] = field(default_factory=list)
    checks: list[str] = field(default_factory=list)
    unnoticed: int | None = None


class EveningRun:
    """One evening at a table with its data in `folder`.

    After half of the throws the camera is nudged: it turns a little, and the picture shifts by `nudge` pixels.
    """

    def __init__(self, evening: Evening, folder: Path, nudge: float = 0.0) -> None:
        self.figures = EveningFigures()
        self._nudge, self._nudged = nudge, False
        self._outline = np.zeros((0, 2), np.int32)
        self._evening, self._time, self._trays = evening, SimulatedClock(), folder / "trays"
        self._calibrate()
        lessons = LearnedCorrections()
        self._store = Store(folder / "journal.db")
        self._session = GameSession(
            self._store, lambda: plan.new_table(evening.game), show=SHOW_S, clock=self._time, lessons=lessons
        )
        self._player = PictureSource(self._play(), self._time)
        self._camera = DiceCamera(
            self._session,
            lambda: self._player,
            trays=self._trays,
            lessons=lessons,
            clock=self._time,
        )
        self._answers: dict[int, tuple[Seat, Any]] = {}

    def play(self) -> EveningFigures:
        try:
            # Run on this thread, because people act between two frames.
            self._camera.run()
        finally:
            self._store.close()
        if self._player.failed is not None:
            raise self._player.failed
        return self.figures

    # Before the game -------------------------------------------------------------------------------------------------

    def _calibrate(self) -> None:
        """Calibrate like `dugout calibrate`: empty tray, one die, the faces to teach, and the game's dice."""
        reader = Reader(frozenset({"d6"}))
        calibrator = Calibrator(self._trays, reader)
        tray, checks = calibrator.store_empty_tray(CAMERA_NAME, self._calibration_frames(self._evening.empty))
        if tray is not None:
            if self._evening.felt:
                tray, more = calibrator.store_corners(tray, self._evening.felt)
                checks += more
            reader.table = tray.known_table
            tray, more = calibrator.measure_scale(tray, self._calibration_frames(self._evening.die))
            checks += more
            reader.table = tray.known_table
            self._teach(reader, tray)
            first = next(clip.shot for clip in self._evening.clips if clip.trouble is None)
            reader.kinds, reader.taught = READABLE_KINDS, self._taught(tray)
            checks += calibrator.check_dice(tray, self._calibration_frames(first))
            self._outline = tray.outline
        self.figures.checks = [f"{check.name}: {check.words}" for check in checks if not check.ok]

    def _calibration_frames(self, shot: Shot) -> list[Image]:
        """Return the frames that a calibration averages."""
        return calibration.capture_pictures(
            PictureSource(still_frames(shot), self._time, CAMERA_NAME), 0.0, self._time
        )[1]

    def _teach(self, reader: Reader, tray: Tray) -> None:
        """Teach each die, and store it if no face was mistaken for another."""
        inside = TrayDiceReader(reader, tray).may_be_die
        shown: dict[str, list[ShownFace]] = {}
        for one in self._evening.lessons:
            picture = calibration.mean_picture(self._calibration_frames(one.shot))
            try:
                face = reader.capture_face(picture, one.kind, one.face, one.round, inside)
            except TaughtDieError as error:
                self.figures.checks.append(f"teaching {one.face}: {error}")
            else:
                shown.setdefault(one.kind, []).append(face)
        for kind, faces in shown.items():
            die = TaughtDie(f"our {kind}", kind, tuple(faces))
            trial = FaceBank(die).cross_validate()
            if trial.wrong:
                self.figures.checks.append(f"{kind} is not taught: {teaching.trial_sentence(trial)}")
                continue
            teaching.save_die(teaching.taught_dice_folder(self._trays, CAMERA_NAME, tray.size), die)

    def _taught(self, tray: Tray) -> tuple[FaceBank, ...]:
        return tuple(
            map(FaceBank, teaching.load_dice(teaching.taught_dice_folder(self._trays, CAMERA_NAME, tray.size))[0])
        )

    # The evening -----------------------------------------------------------------------------------------------------

    def _play(self) -> Iterator[Image]:
        """Yield the frames of the evening, and act for the people between them."""
        game, empties = 0, list(still_frames(self._evening.empty, EMPTY_FRAMES))
        yield from self._frames_with_ticks(empties)
        clips = self._evening.clips
        for number, clip in enumerate(clips):
            self._nudged = self._nudge > 0 and 2 * number >= len(clips)
            if clip.game != game:
                game, self._answers = clip.game, {}
                self._session.game.begin_game(plan.new_table(self._evening.game))
            self._answers |= {n: (seat, value) for n, seat, value in clip.before}
            self._answer_until(clip.n)
            rest = list(still_frames(clip.shot, REST_FRAMES))
            yield from self._frames_with_ticks(throw_frames(empties[0], rest[0], clip.name))
            yield from self._frames_with_ticks(rest)
            if self._nudged and self.figures.unnoticed is None and self._has_noticed_nudge():
                self.figures.unnoticed = number - (len(clips) + 1) // 2
            if clip.trouble is None:
                self._count_fair_throw(clip)
                self._answers[clip.n] = clip.seat, list(clip.values)
            else:
                self._count_troubled_throw(clip)
            yield from self._frames_with_ticks(pickup_frames(rest[-1], empties[-1]))
            yield from self._frames_with_ticks(empties)
        self._camera.stop()

    def _has_noticed_nudge(self) -> bool:
        """True if the table reports that the tray moved, or has found it again."""
        said = DOUBT_ADVICE["moved-tray"] in self._session.game.view_for(None).missing
        stored = load_tray(self._trays, CAMERA_NAME, self._evening.empty(0).shape[1::-1])
        return said or (stored is not None and not np.array_equal(stored.outline, self._outline))

    def _frames_with_ticks(self, frames: Iterator[Image] | list[Image]) -> Iterator[Image]:
        """Yield frames, with a tick of the session after each."""
        for frame in frames:
            yield nudged_picture(frame, self._nudge, self._evening.name) if self._nudged else frame
            self._session.tick()

    def _answer_until(self, n: int) -> None:
        while n not in (asks := dict((table := self._session.game.table).open_asks())):
            number, ask = next((number, ask) for number, ask in asks.items() if number in self._answers)
            seat, value = self._answers[number]
            chance, call = number in open_draws(table), isinstance(ask, Call)
            source = Source.HOUSE if chance else Source.OPERATOR if call else Source.PHONE
            self._session.seats.answer_ask(seat, number, value, source)
            if isinstance(ask, Call):
                self._time.now += RACE_VERDICT_S
                self._session.tick()

    def _count_fair_throw(self, clip: Clip) -> None:
        """Count a fair throw, and make the game continue with the true values."""
        found = self._fair_throw_result(clip)
        counts = [self.figures.count, *(self.figures.finishes.setdefault(one, Counter()) for one in clip.finishes)]
        for count in counts:
            count.update(("fair", found))

    def _fair_throw_result(self, clip: Clip) -> str:
        """Return the result of a fair throw: "right", "asked" or "silent"."""
        table = self._session.game.table
        if (given := given_faces(table, clip.n)) is None:
            self._add_miss(clip, "asked", self._reason())
            self._session.seats.answer_ask(clip.seat, clip.n, list(clip.values), Source.PHONE)
            return "asked"
        dice = next(one.ask.dice for one in table.answers if one.n == clip.n and isinstance(one.ask, Roll))
        right = count_faces(dice, given) == count_faces(dice, clip.values)
        if not right:
            self._add_miss(clip, "WRONG", f"read as {list(given)}")
        if given != clip.values:
            self._session.game.correct_roll(clip.n, list(clip.values))
        return "right" if right else "silent"

    def _count_troubled_throw(self, clip: Clip) -> None:
        """Count a throw in trouble. It is undone if it counted, since the people throw again."""
        count = self.figures.count
        count["unfair"] += 1
        if (given := given_faces(self._session.game.table, clip.n)) is not None:
            count["believed"] += 1
            self._add_miss(clip, "BELIEVED", f"as {list(given)}")
            self._session.game.undo_answers(clip.n)
            self._answer_until(clip.n)
            return
        count["doubted"] += 1
        reason = self._reason()
        if reason.split(":")[0] == DOUBTS_BY_TROUBLE[clip.trouble or ""]:
            count["named"] += 1
        else:
            self._add_miss(clip, f"asked, {clip.trouble}", reason)

    def _reason(self) -> str:
        """Return the reason why the dice do not count: a doubt and its advice, or the tray's state."""
        view = self._session.game.view_for(None)
        shown: ProposalView | None = view.proposal
        if shown is not None:
            return f"{shown.doubt}: {shown.advice} ({shown.words})"
        noticed = next((key for key, words in DOUBT_ADVICE.items() if words == view.notice), view.watching.state)
        return f"{noticed}: {view.notice or view.watching.words}"

    def _add_miss(self, clip: Clip, what: str, words: str) -> None:
        self.figures.misses.append(f"{self._evening.name} {clip.name} {list(clip.values)}: {what}, {words}")


def nudged_picture(picture: Image, far: float, seed: str) -> Image:
    """Return the view of a nudged camera, shifted by `far` pixels in a random direction and turned about the center.

    The turn moves corners by at most half as far.
    """
    rng, (tall, wide) = Random(f"nudge {seed}"), picture.shape[:2]
    way, most = rng.uniform(0, math.tau), math.degrees(far / math.hypot(tall, wide))
    turn = cv2.getRotationMatrix2D((wide / 2, tall / 2), rng.uniform(-most, most), 1.0)
    shift = np.array([[0, 0, far * math.cos(way)], [0, 0, far * math.sin(way)]])
    return np.asarray(cv2.warpAffine(picture, turn + shift, (wide, tall), borderMode=cv2.BORDER_REFLECT_101), np.uint8)


def given_faces(table: Table, n: int) -> tuple[Face, ...] | None:
    """Return the faces with which ask `n` was answered, or None if it is open."""
    return next((tuple(one.value) for one in table.answers if one.n == n), None)


def count_faces(dice: tuple[Die, ...], faces: tuple[Face, ...]) -> Counter[tuple[Die, Face]]:
    """Count faces such that dice that the rules do not distinguish are interchangeable."""
    return Counter(zip(dice, faces, strict=True))
