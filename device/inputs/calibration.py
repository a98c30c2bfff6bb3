"""`dugout calibrate`: shows the camera its tray, step by step, and says what is good and what to do."""

from __future__ import annotations

import argparse
import shutil
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from device.commands import target
from device.inputs import roll_samples
from device.machine import Machine
from device.settings import SettingsError, load

if TYPE_CHECKING:
    from vision.cameras.frames import Frame, Image, Locks, Source
    from vision.reader import Reader
    from vision.reading import Reading
    from vision.tray.outline import Tray

FRAMES = 8
"""So many frames are taken together for one picture: noise is lost, what moves is told."""

WARM = 2.5
"""Seconds a camera is given to find exposure and white balance."""

DARK, BRIGHT, BURNT = 30.0, 215.0, 0.03
"""The felt's grey must lie between the first two, and no larger share of it than the third may be burnt to white."""

SMALL = 20.0
"""Dice of fewer pixels along an edge, at 640 pixels a picture's width, are read badly."""

NOTE = """\
Tells the camera where the tray is, how it looks empty and how large a die is in it. Kept for this camera and its
resolution in the data folder; the running table takes it up when it starts. Says as well what was learned from the
rolls that this camera saw, and which dice it was taught. With --die it is taught one: each face is shown twice, then it
is told how well they are known again. The exit status is 1 when a check failed and 2 when nothing could be kept."""


@dataclass(frozen=True, slots=True)
class CalibrationCheck:
    """One thing that was looked at: its name, whether it is good, and a sentence that says what to do if not."""

    name: str
    ok: bool
    words: str


class Calibrator:
    """Calibrates one camera after the other from pictures it is given; `trays` is the folder where trays are kept.

    `read` reads dice off a picture. No method raises for what a person can mend: that is a failed check.
    """

    def __init__(self, trays: Path, read: Any) -> None:
        self._trays, self._reader = trays, read

    def empty(
        self, camera: str, pictures: Sequence[Image], locks: Locks | None = None
    ) -> tuple[Tray | None, list[CalibrationCheck]]:
        """Take these pictures, one or more, as the empty tray's; gives what was kept, or None when it is not empty.

        Raises OSError when the disk will not keep it.
        """
        from vision.reading import DOUBTS
        from vision.tray import outline as trays
        from vision.tray import saved
        from vision.tray.inside import InsideReader

        picture = mean(pictures)
        size = picture.shape[1], picture.shape[0]
        found = trays.find_tray(picture)
        tray = trays.Tray(camera, size, found.outline, _less(picture, trays.KEPT), 0.0, doubt=found.doubt, locks=locks)
        light, burnt = trays.brightness(picture, tray.mask)
        tray = replace(tray, light=round(light, 1), focus=trays.focus(picture))
        share = (tray.mask > 0).mean()
        reading = InsideReader(self._reader, tray).read(picture)
        quiet, bare = still(pictures), not reading.dice and reading.doubt == "none"
        checks = [
            CalibrationCheck(
                "still", quiet, "Nothing moves." if quiet else "Something moves: keep your hands away and try again."
            ),
            CalibrationCheck(
                "empty", bare, "No dice are seen." if bare else f"This is not an empty tray: {_seen(reading)}"
            ),
            CalibrationCheck(
                "outline",
                not tray.whole,
                DOUBTS[found.doubt] if found.doubt else f"It fills {share:.0%} of the picture.",
            ),
            _lit(light, burnt),
            _sharp(tray.focus),
            *_held(locks or {}),
        ]
        if not (quiet and bare):
            return None, checks
        saved.save(self._trays, tray)
        return tray, checks

    def die(self, tray: Tray, pictures: Sequence[Image]) -> tuple[Tray, list[CalibrationCheck]]:
        """Measure the scale, from one die of 16 mm or the printed sheet in the tray, and keep it. Raises OSError."""
        from vision.tray import outline as trays
        from vision.tray import saved
        from vision.tray.calibration_sheet import scale_from_sheet
        from vision.tray.inside import InsideReader

        picture = mean(pictures)
        try:
            scale, sharp = scale_from_sheet(picture), trays.focus(picture)
        except trays.TrayError as no_sheet:
            reading = InsideReader(self._reader, tray).read(picture)
            if not reading.dice:
                return tray, [CalibrationCheck("scale", False, f"No die is seen. {no_sheet}")]
            try:
                scale = trays.scale_from_die(picture, reading)
            except trays.TrayError as error:
                return tray, [CalibrationCheck("scale", False, str(error))]
            sharp = trays.focus(picture, reading.dice[0].box)
        tray = replace(tray, scale=round(scale, 3), focus=sharp)
        wide = 16 * scale
        large = wide * 640 / tray.size[0] >= SMALL
        words = f"A die of 16 mm is {wide:.0f} pixels wide{'.' if large else ': bring the camera nearer.'}"
        saved.save(self._trays, tray)
        return tray, [CalibrationCheck("scale", large, words), _sharp(sharp)]

    def forget(self, camera: str) -> list[CalibrationCheck]:
        """Delete what is kept for this camera, and what was learned of it. Raises OSError."""
        from vision.tray import saved

        count, rolls, dice = _kept(self._trays)
        saved.forget(self._trays, camera)
        left, learned, known = _kept(self._trays)
        return [
            CalibrationCheck(
                "forgotten", True, "The calibration is deleted." if count > left else "There was no calibration."
            ),
            CalibrationCheck(
                "unlearned", True, _unlearned(rolls - learned, dice - known) or "There was nothing learned."
            ),
        ]


def mean(pictures: Sequence[Image]) -> Image:
    """The mean of some pictures of one size, in which the camera's noise is lost."""
    import numpy as np

    if len(pictures) == 1:
        return pictures[0]
    total = np.zeros(pictures[0].shape, np.float32)
    for one in pictures:
        total += one
    return np.round(total / len(pictures)).astype(np.uint8)


def _less(picture: Image, width: int) -> Image:
    import cv2
    import numpy as np

    if picture.shape[1] <= width:
        return picture.copy()
    size = width, round(width * picture.shape[0] / picture.shape[1])
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


def still(pictures: Sequence[Image]) -> bool:
    """Whether nothing moves from the first of these pictures to the last."""
    from vision.tray.motion import motion, small

    first, last = small(pictures[0]), small(pictures[-1])
    return bool(motion(first, last) < 0.005 * first.shape[1])


def _seen(reading: Reading) -> str:
    if not reading.dice:
        return "something in it looks like a die; take everything out."
    count = len(reading.dice)
    return "a die lies in it; take it out." if count == 1 else f"{count} dice lie in it; take them out."


def _lit(light: float, burnt: float) -> CalibrationCheck:
    if burnt > BURNT:
        return CalibrationCheck("light", False, "A lamp shines back from the tray: move the lamp or use a softer one.")
    if light < DARK:
        return CalibrationCheck("light", False, "It is too dark: turn on a lamp.")
    if light > BRIGHT:
        return CalibrationCheck("light", False, "It is too bright: dim the lamp, or take a darker felt.")
    return CalibrationCheck("light", True, "The light is good.")


def _sharp(score: float | None) -> CalibrationCheck:
    from vision.tray.outline import FOCUSED

    if score is None:
        return CalibrationCheck("focus", True, "Nothing to focus on is in sight: the die will tell.")
    if score < FOCUSED:
        return CalibrationCheck(
            "focus", False, f"The picture is not sharp ({score:.3f}): wipe the lens or set its focus."
        )
    return CalibrationCheck("focus", True, f"The picture is sharp ({score:.2f}).")


def _held(locks: Locks) -> list[CalibrationCheck]:
    """Whether the camera holds what it was told to."""
    return [
        CalibrationCheck(
            name,
            values is not None,
            f"The camera holds its {name}."
            if values is not None
            else f"The camera will not hold its {name}: keep the light as it is, and your hands away when a die rests.",
        )
        for name, values in locks.items()
    ]


def report(step: str, checks: Sequence[CalibrationCheck]) -> dict[str, Any]:
    """The outcome of one step as plain data, for the operator's page."""
    return {"step": step, "ok": all(check.ok for check in checks), "checks": [asdict(check) for check in checks]}


# On the terminal -----------------------------------------------------------------------------------------------------


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the `dugout` command line."""
    parser = commands.add_parser("calibrate", help="show the camera its tray", description=NOTE)
    parser.add_argument("--camera", metavar="SOURCE", help='as in the settings: "auto", "picamera2", 0, "/dev/video0"')
    parser.add_argument("--sheet", type=Path, metavar="FILE", help="write a sheet to print, as PDF, and end")
    parser.add_argument("--die", metavar="NAME", help="teach the camera a die of your own, by this name")
    parser.add_argument("--kind", metavar="KIND", help="what it counts as: d6 (as without this), pitch, d20, ...")
    parser.add_argument(
        "--forget",
        action="store_true",
        help="delete what was kept and learned, of this camera or of all; with --die what this die taught",
    )
    parser.add_argument("--settings", metavar="FILE", help="a settings file (docs/settings.md)")
    parser.add_argument("--data", metavar="DIR", help="where the journal lives")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Calibrate as `args` say: 0 when all is well, 1 when a check failed, 2 when nothing could be kept."""
    try:
        if args.sheet is not None:
            write_sheet(args.sheet)
            print(f"Print {args.sheet} at 100 %, check its line of 100 mm, and lay it into the tray when asked.")
            return 0
        file, data = target.meant(args, Machine())
        settings = load(file)
        data = data or settings.data.expanduser()
        target.enter(data)
        trays = data / "trays"
        where = settings.camera.source if args.camera is None else args.camera
        if args.die is not None:
            from device.inputs import teaching

            if args.forget:
                return teaching.unlearn(trays, args.die)
            return teaching.teach(trays, where, args.die, args.kind or "d6")
        if args.kind is not None:
            raise ValueError("--kind goes with --die NAME.")
        return _forget(trays, args.camera) if args.forget else _guide(trays, where)
    except (SettingsError, OSError, ValueError) as error:
        print(f"dugout calibrate: {error}", file=sys.stderr)
        return 2
    except EOFError:
        print("dugout calibrate: nobody is there to press Enter.", file=sys.stderr)
        return 2


def write_sheet(file: Path) -> None:
    """Write the sheet to print, one page of A4, as PDF. Raises OSError."""
    from device.commands.print_board import save
    from vision.tray.calibration_sheet import sheet

    save([sheet()], file)


def _forget(trays: Path, camera: str | None) -> int:
    from vision.tray import saved

    before, rolls, dice = _kept(trays)
    if camera is None:
        if trays.is_dir():
            shutil.rmtree(trays)
    else:
        saved.forget(trays, f"/dev/video{camera}" if camera.isdecimal() else camera)
    after, left, known = _kept(trays)
    count = before - after
    print(f"{count} calibration{'' if count == 1 else 's'} deleted. {_unlearned(rolls - left, dice - known)}".rstrip())
    return 0


def _kept(trays: Path) -> tuple[int, int, int]:
    """How many trays are kept, how many rolls to learn from, and how many taught dice."""
    dice = len(list(trays.glob("*/dice/*.die")))
    return len(list(trays.glob("*/tray.json"))), roll_samples.kept(trays), dice


def _unlearned(rolls: int, dice: int) -> str:
    words = [f"What {rolls} roll{'' if rolls == 1 else 's'} taught is forgotten."] * bool(rolls)
    words += [f"{dice} taught {'die is' if dice == 1 else 'dice are'} forgotten."] * bool(dice)
    return " ".join(words)


def _guide(trays: Path, where: str | int) -> int:
    from vision.cameras.frames import Locking
    from vision.cameras.sources import open_source
    from vision.reader import Reader

    reader = Reader()
    bench = Calibrator(trays, reader)
    source = open_source(where)
    try:
        name, pictures = take(source)
        size = pictures[0].shape[1], pictures[0].shape[0]
        print(f"{name} gives {size[0]}x{size[1]} pixels.")
        kept: Tray | None = None
        while kept is None:
            ask("Empty the tray, take your hands away, and press Enter.")
            if isinstance(source, Locking):
                # What it found before, it found with whatever lay there.
                source.lock(None)
            name, pictures = take(source, WARM)
            kept, checks = bench.empty(name, pictures, getattr(source, "locks", None))
            target.give(trays, trays.parent)
            well = _tell(checks)
        while True:
            if ask("Lay one die of 16 mm, or the printed sheet, into its middle and press Enter (s to skip).") == "s":
                break
            kept, checks = bench.die(kept, take(source)[1])
            if _tell(checks) or kept.scale is not None:
                well = well and all(check.ok for check in checks)
                break
        print("Kept. The table takes it up when it starts.")
        _learned(trays, name, size, reader)
        _taught(trays, name, size)
        return 0 if well else 1
    finally:
        source.close()
        target.give(trays, trays.parent)


def _learned(trays: Path, camera: str, size: tuple[int, int], reader: Reader) -> None:
    """Say what the rolls seen by this camera teach: with many of them a small Pi takes a minute."""
    learning = roll_samples.RollSamples(trays)
    learning.meet(camera, size, reader)
    print(learning.words, flush=True)
    if learning.attend():
        while learning.attend():
            pass
        print(learning.words)


def _taught(trays: Path, camera: str, size: tuple[int, int]) -> None:
    """Say which dice this camera was taught, if any."""
    from device.inputs import teaching

    dice, odd = teaching.load(teaching.home(trays, camera, size))
    for words in filter(None, [teaching.listed(dice), *odd]):
        print(words)


def take(source: Source, warm: float = 0.3, clock: Callable[[], float] = time.monotonic) -> tuple[str, list[Image]]:
    """The source's name and its next frames, full size, after `warm` seconds in which frames are passed over.

    A picture or folder that ends is taken as far as it goes. Raises OSError when there is no frame at all.
    """
    begin = clock()
    frames: list[Image] = []
    last: Frame | None = None
    while len(frames) < FRAMES and (frame := source.read()) is not None:
        last = frame
        if clock() - begin >= warm:
            frames.append(frame.full().copy())
        elif not frames:
            spare = frame.full
    if last is None:
        raise OSError("The camera gives no picture.")
    return last.name, frames or [spare().copy()]


def ask(words: str) -> str:
    """What is typed on the terminal after these words, in small letters."""
    return input(f"\n{words} ").strip().lower()


def _tell(checks: Sequence[CalibrationCheck]) -> bool:
    """Print the checks; gives whether all are good."""
    for check in checks:
        print(f"  {'pass' if check.ok else 'FAIL'}  {check.name}: {check.words}")
    return all(check.ok for check in checks)
