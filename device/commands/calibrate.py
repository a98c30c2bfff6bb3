"""`dugout calibrate`. Shows the camera its tray and teaches it custom dice, step by step on the terminal."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from device.commands import arguments, privileges, target
from device.inputs import calibration, corrections, teaching
from device.inputs.calibration import Calibrator, StoredCalibrations, capture_pictures
from device.machine import Machine
from device.named_file import error_text
from device.settings import SettingsError, load_settings
from device.shapes import CalibrationCheck

if TYPE_CHECKING:
    from vision.cameras.frames import FrameSource
    from vision.dice.taught_dice import ShownFace
    from vision.reader import Reader
    from vision.reading import Face, PixelBox
    from vision.tray.outline import Tray

COMMAND_DESCRIPTION = """\
Show the camera where the tray is, how it looks empty and how large a die is, and see which of your dice it can read.
The calibration is stored in the data folder for this camera and resolution; the table loads it when it starts. The
command also reports what was learned from corrections, and which dice it was taught. With --die, teach it a die of your
own: show each face twice, then see how well the camera recognizes them. Exit status: 1 if a check failed, 2 if nothing
could be stored."""


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "calibrate", help="teach the camera its tray, or one of your dice", description=COMMAND_DESCRIPTION
    )
    parser.add_argument(
        "--camera",
        type=arguments.path_text,
        metavar="SOURCE",
        help='as in the settings: "auto", "picamera2", 0, "/dev/video0"',
    )
    parser.add_argument(
        "--sheet", type=arguments.path_argument, metavar="FILE", help="write the calibration sheet as a PDF and exit"
    )
    parser.add_argument("--die", metavar="NAME", help="teach the camera a die of your own, under this name")
    parser.add_argument("--kind", metavar="KIND", help="what that die counts as: d6 (the default), pitch, d20, ...")
    parser.add_argument(
        "--forget",
        action="store_true",
        help="delete what this camera, or every camera, has stored and learned; with --die, delete that die",
    )
    target.add_options(parser)
    parser.set_defaults(run=run_command)


def run_command(args: argparse.Namespace) -> int:
    """Calibrate. Return 0 if all is well, 1 if a check failed, 2 if nothing could be stored."""
    try:
        if args.sheet is not None:
            from device.commands import pdf
            from vision.tray.calibration_sheet import draw_sheet

            privileges.drop_privileges(args.sheet.absolute().parent)
            pdf.save_pdf([draw_sheet()], args.sheet)
            print(f"Print {args.sheet} at 100%, check its 100 mm line, and put it in the tray when asked.")
            return 0
        file, data = target.select_table(args, Machine())
        settings = load_settings(file)
        target.check_readable(data)
        trays = data / "trays"
        camera = settings.camera.source if args.camera is None else args.camera
        taken = [settings.board.camera]
        if args.die is not None:
            if args.forget:
                return _delete_die(trays, args.die)
            return _teach_die(trays, camera, taken, args.die, args.kind or "d6")
        if args.kind is not None:
            raise ValueError("--kind needs --die NAME.")
        return _delete_calibrations(trays, args.camera) if args.forget else _calibrate_tray(trays, camera, taken)
    except (SettingsError, OSError, ValueError) as error:
        print(f"dugout calibrate: {error_text(error)}", file=sys.stderr)
        return 2
    except EOFError:
        print("dugout calibrate: run it in a terminal, where someone can press Enter.", file=sys.stderr)
        return 2


def ask_person(words: str) -> str:
    """Print a prompt and return the typed line in lower case. Raises EOFError without a terminal."""
    return input(f"\n{words} ").strip().lower()


def _delete_calibrations(trays: Path, camera: str | None) -> int:
    from vision.tray import saved_trays

    before = StoredCalibrations.from_folder(trays)
    if camera is None:
        if trays.is_dir():
            shutil.rmtree(trays)
    else:
        saved_trays.delete_trays(trays, f"/dev/video{camera}" if camera.isascii() and camera.isdecimal() else camera)
    deleted = before - StoredCalibrations.from_folder(trays)
    print(f"{deleted.trays} calibration{'' if deleted.trays == 1 else 's'} deleted. {deleted.deletion_text}".rstrip())
    return 0


# The tray ------------------------------------------------------------------------------------------------------------


def _calibrate_tray(trays: Path, camera: str | int, taken: Sequence[str | int]) -> int:
    from vision.cameras.frames import LockableSource
    from vision.cameras.sources import open_source
    from vision.reader import Reader
    from vision.reading import READABLE_KINDS

    reader = Reader(frozenset({"d6"}))
    calibrator = Calibrator(trays, reader)
    source = open_source(camera, taken)
    try:
        name, pictures = capture_pictures(source)
        size = pictures[0].shape[1], pictures[0].shape[0]
        print(f"{name} gives {size[0]}x{size[1]} pixels.")
        tray: Tray | None = None
        while tray is None:
            ask_person("Empty the tray, move your hands away, and press Enter.")
            if isinstance(source, LockableSource):
                # The contents of the tray have influenced exposure and white balance.
                source.lock_settings(None)
            name, pictures = capture_pictures(source, calibration.WARM_UP_S, locked=True)
            if advice := getattr(source, "advice", None):
                print(advice)
            tray, checks = calibrator.store_empty_tray(name, pictures, getattr(source, "locks", None))
            passed = _print_checks(checks)
        while True:
            answer = ask_person("Put one 16 mm die, or the printed sheet, in the middle and press Enter (s to skip).")
            if answer == "s":
                break
            tray, checks = calibrator.measure_scale(tray, capture_pictures(source)[1])
            if _print_checks(checks) or tray.scale is not None:
                passed = passed and all(check.ok for check in checks)
                break
        print("Saved. The table loads it when it starts.")
        reader.table = tray.known_table
        reader.kinds, seen = READABLE_KINDS, True
        while (
            ask_person("Put the dice of your game in the tray, and press Enter as you move the lamp (s to end).") != "s"
        ):
            seen = _print_checks(calibrator.check_dice(tray, capture_pictures(source)[1]))
        passed = passed and seen
        _print_lessons(trays, name, size)
        _print_taught_dice(trays, name, size)
        return 0 if passed else 1
    finally:
        source.close()


def _print_checks(checks: Sequence[CalibrationCheck]) -> bool:
    """Print the checks. Return True if all passed."""
    for check in checks:
        clear = "" if check.clear is None else f" ({check.clear:.0%} clear)".replace("%", " %")
        print(f"  {'pass' if check.ok else 'FAIL'}  {check.name}: {check.words}{clear}")
    return all(check.ok for check in checks)


def _print_lessons(trays: Path, camera: str, size: tuple[int, int]) -> None:
    from vision.reader import Reader

    learning, reader = corrections.LearnedCorrections(), Reader()
    learning.switch_camera(
        corrections.corrections_folder(trays, camera, size),
        teaching.load_dice(teaching.taught_dice_folder(trays, camera, size))[0],
        reader,
    )
    print(learning.words)


def _print_taught_dice(trays: Path, camera: str, size: tuple[int, int]) -> None:
    dice, damaged = teaching.load_dice(teaching.taught_dice_folder(trays, camera, size))
    for words in filter(None, [teaching.taught_dice_sentence(dice), *damaged]):
        print(words)


# Custom dice ---------------------------------------------------------------------------------------------------------


def _delete_die(trays: Path, name: str) -> int:
    """Delete a die. Return 0, or 1 if there is none. Raises OSError, and ValueError for an invalid name."""
    name = teaching.validate_die_name(name)
    deleted = teaching.delete_die(trays, name)
    print(f"{name} is deleted." if deleted else f"There is no taught die called {name}.")
    return 0 if deleted else 1


def _teach_die(trays: Path, where: str | int, taken: Sequence[str | int], name: str, kind: str) -> int:
    """Ask for each face of the die, print its recognition rates, and store it if the person agrees.

    Returns 0 if it is stored, 1 if not. Raises OSError, and ValueError for an invalid name or kind.
    """
    from vision.cameras.frames import LockableSource
    from vision.cameras.sources import open_source
    from vision.dice.taught_dice import FaceBank, TaughtDie
    from vision.reader import Reader
    from vision.tray import saved_trays
    from vision.tray.outline import TrayError
    from vision.tray.tray_reader import TrayDiceReader

    name, faces, reader = teaching.validate_die_name(name), teaching.faces_to_teach(kind), Reader()
    source = open_source(where, taken)
    try:
        camera, pictures = capture_pictures(source)
        size = pictures[0].shape[1], pictures[0].shape[0]
        try:
            tray = saved_trays.load_tray(trays, camera, size)
        except TrayError as error:
            tray = None
            print(error)
        if tray is None:
            print("The tray isn't calibrated: keep anything that looks like a die out of the picture.")
        else:
            reader.table = tray.known_table
            if isinstance(source, LockableSource) and tray.locks is not None:
                source.lock_settings(tray.locks)
        capture_pictures(source, calibration.WARM_UP_S)
        inside = None if tray is None else TrayDiceReader(reader, tray).may_be_die
        folder = teaching.taught_dice_folder(trays, camera, size)
        same_file = teaching.die_file_name(name)
        if any(teaching.die_file_name(die.name) == same_file for die in teaching.load_dice(folder)[0]):
            print(f"{name} was taught before: this replaces it.")
        print(
            "Show each face twice: all of them, then all again. Each time, put the die in a different place and turn"
            " it differently, as if rolled. If two faces count the same, show the other one in the second round."
        )
        shown = _capture_faces(source, reader, kind, faces, inside)
        if shown is None:
            print("Stopped. Nothing was saved.")
            return 1
        die = TaughtDie(name, kind, tuple(shown))
        print(f"\n{teaching.trial_sentence(FaceBank(die).cross_validate())}")
        if ask_person("Trust it? [y/N]") not in ("y", "yes"):
            print("Not saved.")
            return 1
        teaching.save_die(folder, die)
        print(
            f"Saved. {teaching.taught_dice_sentence(teaching.load_dice(folder)[0])} The table loads it when it starts."
        )
        return 0
    finally:
        source.close()


def _capture_faces(
    source: FrameSource, reader: Reader, kind: str, faces: Sequence[Face], inside: Callable[[PixelBox], bool] | None
) -> list[ShownFace] | None:
    """Ask for every face, round by round. Return the captured faces, None if the person stopped."""
    from vision.dice.taught_dice import TaughtDieError

    order = [(turn, face) for turn in range(teaching.ROUNDS_PER_FACE) for face in faces]
    shown: list[ShownFace] = []
    while len(shown) < len(order):
        turn, face = order[len(shown)]
        up = "10 (0)" if (kind, face) == ("d10", 10) else face
        place = f"{len(shown) + 1} of {len(order)}"
        answer = ask_person(f"{place}: put it down with {up} up and press Enter (a: repeat the last one, q: quit).")
        if answer == "q":
            return None
        if answer == "a":
            shown[-1:] = []
            continue
        pictures = capture_pictures(source)[1]
        try:
            if not calibration.is_still(pictures):
                raise TaughtDieError("Something is moving: keep your hands away and try again.")
            shown.append(reader.capture_face(calibration.mean_picture(pictures), kind, face, turn, inside))
            print("  OK.")
        except TaughtDieError as error:
            print(f"  {error}")
    return shown
