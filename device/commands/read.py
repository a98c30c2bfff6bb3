"""`dugout read`. Reads the dice in pictures, folders, videos and camera streams."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from device.commands import arguments, privileges
from device.named_file import error_text

if TYPE_CHECKING:
    from vision.cameras.frames import Image
    from vision.reader import Reader
    from vision.reading import DieReading, Reading

COMMAND_DESCRIPTION = """\
One line per picture, and one per throw for videos and cameras. Name a camera by its number, its /dev/video path, or
picamera2; it is watched until Ctrl-C. The exit status is 2 when something could not be read."""


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "read", help="read dice in pictures, videos or from a camera", description=COMMAND_DESCRIPTION
    )
    parser.add_argument(
        "paths", nargs="+", type=arguments.path_text, metavar="PATH", help="a picture, folder, video or camera"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object per line")
    parser.add_argument(
        "--kinds", type=_parse_kinds, metavar="KINDS", help="look only for these dice, for example d20,d6"
    )
    parser.add_argument(
        "--annotate", type=arguments.path_argument, metavar="DIR", help="write pictures with the reading drawn on"
    )
    parser.set_defaults(run=run_command)


def _is_camera(where: str) -> bool:
    from vision.cameras.frames import PI_CAMERA_NAME
    from vision.cameras.sources import is_camera_number

    return is_camera_number(where) or where == PI_CAMERA_NAME or where.startswith("/dev/")


def _parse_kinds(text: str) -> frozenset[str]:
    """Parse kinds of dice. Raises ArgumentTypeError for one that cannot be read."""
    from vision.reading import READABLE_KINDS

    kinds = [part.strip() for part in text.split(",")]
    if odd := [kind for kind in kinds if kind not in READABLE_KINDS]:
        known = ", ".join(sorted(READABLE_KINDS, key=lambda kind: (len(kind), kind)))
        raise argparse.ArgumentTypeError(f"cannot read {odd[0] or 'an empty kind'}; choose from {known}.")
    return frozenset(kinds)


def run_command(args: argparse.Namespace) -> int:
    """Read every path of `args.paths`. Return 0, or 2 if one is missing or damaged.

    Problems are printed on stderr, and the other paths are still read.
    """
    from vision.reader import Reader  # imported late: OpenCV takes seconds to load on a Pi

    # Decoders are easily exploited.
    privileges.drop_privileges(*(Path(one) for one in [*args.paths, args.annotate] if one and not _is_camera(str(one))))
    if args.annotate is not None:
        try:
            args.annotate.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            print(f"dugout read: {args.annotate} cannot hold pictures: {error.strerror}.", file=sys.stderr)
            return 2
    printer = ReadingPrinter(args.json, args.annotate)
    reader = Reader()
    if args.kinds:
        reader.kinds = args.kinds
    for path in args.paths:
        for problem in _read_source(path, reader, printer):
            print(f"dugout read: {error_text(problem)}", file=sys.stderr)
            printer.failed = True
    return 2 if printer.failed else 0


def _read_source(where: str, reader: Reader, printer: ReadingPrinter) -> Iterator[Exception]:
    """Read the source that `where` names. Yield each problem, and continue after it if possible."""
    from vision.cameras.files import VIDEO_SUFFIXES, find_pictures, is_picture_file, load_picture
    from vision.cameras.frames import CameraError, PictureError

    path = Path(where)
    if not where:
        yield PictureError("An empty path names no picture.")
        return
    if path.is_dir():
        found = find_pictures(path)
        videos = find_pictures(path, VIDEO_SUFFIXES)
        if not found and not videos:
            yield CameraError(f"There are no pictures or videos in the folder {path}.")
        for video in videos:
            yield from _read_source(str(video), reader, printer)
    elif is_picture_file(path):
        found = [path]
    else:
        try:
            _read_stream(where, reader, printer)
        except BrokenPipeError:
            raise
        except (OSError, ValueError) as problem:
            yield problem
        return
    for each in found:
        try:
            picture = load_picture(each)
            printer.print_reading(each, picture, reader.read_dice(picture))
        except BrokenPipeError:
            raise
        except OSError as problem:
            yield problem
        except ValueError as problem:
            yield ValueError(f"{each}: {problem}")


def _read_stream(where: str, reader: Reader, printer: ReadingPrinter) -> None:
    """Read the throws of a video, or of a camera until it stops answering."""
    from vision.cameras.files import VideoFile
    from vision.cameras.frames import PictureError
    from vision.cameras.sources import open_source
    from vision.throws import read_throws
    from vision.tray.motion import TrayWatcher

    is_video = Path(where).exists() and not where.startswith("/dev/")
    if not is_video and not _is_camera(where):
        raise PictureError(f"There is no file {where}.")
    source = VideoFile(where) if is_video else open_source(where)
    # Videos are often shot by hand and cut short, so they need less stillness than a table's own camera.
    watcher = TrayWatcher(still=0.15, shake=0.0065, drift=0.015) if is_video else TrayWatcher()
    count = 0
    try:
        for throw in read_throws(source, reader, watcher, whole=is_video):
            count += 1
            printer.print_reading(Path(where), throw.picture, throw.reading, (throw.first, throw.last))
    finally:
        source.close()
    if not count:
        print(f"dugout read: no roll comes to rest in {where}.", file=sys.stderr)


class ReadingPrinter:
    """Output of `dugout read`: a line of text or JSON on stdout, and annotated copies in the folder `annotated`."""

    def __init__(self, as_json: bool, annotated: Path | None) -> None:
        self.failed = False
        self._json = as_json
        self._annotated = annotated
        self._taken: set[str] = set()

    def print_reading(
        self, path: Path, picture: Image, reading: Reading, frames: tuple[int, int] | None = None
    ) -> None:
        """Print one reading of `path`. Raises OSError if the annotated copy cannot be written."""
        if self._json:
            span = {} if frames is None else {"frames": list(frames)}
            print(json.dumps({"path": str(path), **span, **reading.as_json()}), flush=True)
        else:
            span_text = "" if frames is None else f" frames {frames[0]}–{frames[1]}"
            print(f"{path}{span_text}: {describe_reading(reading)}", flush=True)
        if self._annotated is not None:
            self._save_annotated(
                self._annotated, path.stem + ("" if frames is None else f"-{frames[0]}"), picture, reading
            )

    def _save_annotated(self, folder: Path, stem: str, picture: Image, reading: Reading) -> None:
        import cv2

        from vision.annotate import annotate_reading

        name, number = f"{stem}-read.jpg", 1
        while name in self._taken:
            number += 1
            name = f"{stem}-read-{number}.jpg"
        self._taken.add(name)
        folder.mkdir(parents=True, exist_ok=True)
        _, data = cv2.imencode(".jpg", annotate_reading(picture, reading))
        (folder / name).write_bytes(data.tobytes())


def describe_reading(reading: Reading) -> str:
    """Reading in words: `5 1 3 — sure`, or with advice about its doubt.

    With dice other than d6 their kinds are included: `a blue d20 shows 17 — sure`.
    """
    if all(die.kind == "d6" for die in reading.dice):
        values = " ".join("?" if die.value is None else str(die.value) for die in reading.dice) or "no dice"
    else:
        values = ", ".join(_describe_die(die) for die in reading.dice)
    if reading.is_sure:
        return f"{values} — sure"
    return f"{values} — asks: {reading.advice}{f' ({reading.doubt_reason})' if reading.evidence else ''}"


def _describe_die(die: DieReading) -> str:
    from vision.matching import kind_name

    name = " ".join(word for word in (die.colour, kind_name(die.kind)) if word)
    article = "an" if name[0] in "aeiou" else "a"
    return f"{article} {name} shows {'?' if die.value is None else die.value}"
