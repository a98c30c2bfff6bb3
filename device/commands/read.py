"""`dugout read`: what the reader makes of pictures, folders, videos and cameras."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vision.cameras.frames import Image
    from vision.reader import Reader
    from vision.reading import Die, Reading

NOTE = """\
One line a picture, one line a throw for videos and cameras. A camera is named by its number, its /dev/video path, or
as picamera2; it is watched until Ctrl-C. The exit status is 2 when something could not be read."""


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the `dugout` command line."""
    parser = commands.add_parser("read", help="read dice in pictures, videos or from a camera", description=NOTE)
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a picture, folder, video or camera")
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")
    parser.add_argument("--kinds", type=_kinds, metavar="KINDS", help="look for these dice only, as d20,d6")
    parser.add_argument("--annotate", type=Path, metavar="DIR", help="write pictures with the reading drawn on")
    parser.set_defaults(run=run)


def _kinds(words: str) -> frozenset[str]:
    """The kinds of dice that are to be looked for. Raises ArgumentTypeError for one that cannot be read."""
    from vision.reading import KINDS

    kinds = [word.strip() for word in words.split(",")]
    if odd := [kind for kind in kinds if kind not in KINDS]:
        known = ", ".join(sorted(KINDS, key=lambda kind: (len(kind), kind)))
        raise argparse.ArgumentTypeError(f"no such dice are read: {odd[0] or 'none'}; there are {known}.")
    return frozenset(kinds)


def run(args: argparse.Namespace) -> int:
    """Read every path of `args.paths`; 0, or 2 when one was missing or damaged (said on stderr, the others go on)."""
    from vision.reader import Reader  # imported late: OpenCV takes seconds to load on a Pi

    if args.annotate is not None:
        try:
            args.annotate.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            print(f"dugout read: {args.annotate} cannot hold pictures: {error.strerror}.", file=sys.stderr)
            return 2
    scribe = ReadingPrinter(args.json, args.annotate)
    reader = Reader()
    if args.kinds:
        reader.kinds = args.kinds
    for path in args.paths:
        for problem in _read(path, reader, scribe):
            print(f"dugout read: {problem}", file=sys.stderr)
            scribe.failed = True
    return 2 if scribe.failed else 0


def _read(where: str, reader: Reader, scribe: ReadingPrinter) -> Iterator[Exception]:
    """Read what `where` names; gives each problem as it comes and goes on where that is possible."""
    from vision.cameras import frames

    path = Path(where)
    if not where:
        yield frames.PictureError("An empty path names no picture.")
        return
    if path.is_dir():
        found = frames.pictures(path)
        films = frames.pictures(path, frames.FILMS)
        if not found and not films:
            yield frames.CameraError(f"There are no pictures or videos in the folder {path}.")
        for film in films:
            yield from _read(str(film), reader, scribe)
    elif frames.is_picture(path):
        found = [path]
    else:
        try:
            _watch(where, reader, scribe)
        except BrokenPipeError:
            raise
        except (OSError, ValueError) as problem:
            yield problem
        return
    for each in found:
        try:
            picture = frames.picture(each)
            scribe.put(each, picture, reader.read(picture))
        except BrokenPipeError:
            raise
        except OSError as problem:
            yield problem
        except ValueError as problem:
            yield ValueError(f"{each}: {problem}")


def _watch(where: str, reader: Reader, scribe: ReadingPrinter) -> None:
    """Read the throws of a video, or of a camera until it stops answering."""
    from vision.cameras import frames
    from vision.throws import throws
    from vision.tray.motion import Watcher

    film = Path(where).exists() and not where.startswith("/dev/")
    source = frames.Video(where) if film else _camera(where)
    # Films are often held in a hand and cut short: less stillness must do than before a table's own camera.
    watcher = Watcher(still=0.15, shake=0.0065) if film else Watcher()
    count = 0
    try:
        for landing in throws(source, reader, watcher, whole=film):
            count += 1
            scribe.put(Path(where), landing.picture, landing.reading, (landing.first, landing.last))
    finally:
        source.close()
    if not count:
        print(f"dugout read: no throw comes to rest in {where}.", file=sys.stderr)


def _camera(where: str) -> Any:
    from vision.cameras import frames

    if where.isdecimal() or where == "picamera2" or where.startswith("/dev/"):
        return frames.source(where)
    raise frames.PictureError(f"There is no file {where}.")


class ReadingPrinter:
    """Writes readings down: a line for people or JSON on stdout, and drawn onto copies in the folder `annotated`."""

    def __init__(self, as_json: bool, annotated: Path | None) -> None:
        self.failed = False
        self._json = as_json
        self._annotated = annotated
        self._taken: set[str] = set()

    def put(self, path: Path, picture: Image, reading: Reading, frames: tuple[int, int] | None = None) -> None:
        """Write down one reading of `path`. Raises OSError when the annotated copy cannot be written."""
        if self._json:
            span = {} if frames is None else {"frames": list(frames)}
            print(json.dumps({"path": str(path), **span, **reading.as_json()}), flush=True)
        else:
            span_text = "" if frames is None else f" frames {frames[0]}–{frames[1]}"
            print(f"{path}{span_text}: {words(reading)}", flush=True)
        if self._annotated is not None:
            self._draw(self._annotated, path.stem + ("" if frames is None else f"-{frames[0]}"), picture, reading)

    def _draw(self, folder: Path, stem: str, picture: Image, reading: Reading) -> None:
        import cv2

        from vision.annotate import annotate

        name, again = f"{stem}-read.jpg", 1
        while name in self._taken:
            again += 1
            name = f"{stem}-read-{again}.jpg"
        self._taken.add(name)
        folder.mkdir(parents=True, exist_ok=True)
        _, data = cv2.imencode(".jpg", annotate(picture, reading))
        (folder / name).write_bytes(data.tobytes())


def words(reading: Reading) -> str:
    """The reading as a person would say it: `5 1 3 — sure`, or with what to do about the doubt. Of other dice than d6
    the kinds are said too: `a blue d20 shows 17 — sure`."""
    if all(die.kind == "d6" for die in reading.dice):
        values = " ".join("?" if die.value is None else str(die.value) for die in reading.dice) or "no dice"
    else:
        values = ", ".join(_words(die) for die in reading.dice)
    return f"{values} — sure" if reading.sure else f"{values} — asks: {reading.advice}"


def _words(die: Die) -> str:
    from vision.matching import called

    name = " ".join(word for word in (die.colour, called(die.kind)) if word)
    article = "an" if name[0] in "aeiou" else "a"
    return f"{article} {name} shows {'?' if die.value is None else die.value}"
