"""Pictures of dice that phones send: `python -m benchmarks.photographs` prints the tables of docs/evidence/vision.md.

Each photo goes the way of one that a phone sends: encoded, decoded, read by a reader that knows nothing, and matched to
a roll of as many dice of that kind. Then the phone pictures are sent to the real program, and each request is timed.
Needs the dice photos next to the project (see tests/vision/photos.py).
"""

from __future__ import annotations

import argparse
import io
import math
import statistics
import tempfile
import time
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import psutil
from PIL import Image, ImageOps

from benchmarks.numerals import labeled_photos
from device.inputs.photographs import NO_DICE_SENTENCE, PhotographError, Photographs, decode_photograph
from device.table.throw_match import SeenThrow, match_roll
from engine.asks import Roll
from engine.dice import Die, Face
from tests.device.inputs.drawn_photographs import file_bytes
from tests.device.inputs.test_photographs import REFUSED
from tests.device.process import Program
from tests.vision.photos import PHOTOS, held_out, measured
from vision.reading import FACES_BY_KIND, Reading
from vision.synthetic.tray import SyntheticDie, SyntheticTray
from web.security import admission

PHOTOGRAPH_GATES = (
    admission.LARGE_PHOTOGRAPH,
    admission.SLOW_PHOTOGRAPH,
    admission.BUSY_PHOTOGRAPH,
    admission.PHOTOGRAPHS,
)  # reasons to refuse a picture unread
MAX_DICE = 12  # dice of the largest roll of any game
PHONE_EDGE_PX = 1920  # longer edge of a picture that a phone has reduced
JPEG_QUALITY = 90
ANGLES_DEG = (0, 15, 30, 45, 60)  # between the phone's view and straight down

PIP_SETS = {
    "wiktoriakeller": "phone overhead, dice of three sizes (wiktoriakeller)",
    "kingjacker": "Pi camera over a round tray (kingjacker)",
}
HELD_OUT_SETS = {
    "nell-byler": "phone overhead, every color on white (nell-byler), held out",
    "n3vers4ydie-PXL": "phone over felt trays (n3-trays), held out",
    "n3vers4ydie-ir-circle": "gray, close (n3-window), held out",
    "matteop65": "webcam, white on wood (matteop65), held out",
}


Photo = tuple[str, str, str, list[Face]]  # set, path, kind of dice, values


class _OneRoll:
    """Stands in for a table that asks for dice of one kind, and keeps their reading."""

    def __init__(self, kind: str) -> None:
        self.session: Any = self
        self.game = self.rolls = self
        self.kind = kind
        self.reading: Reading | None = None

    def clock(self) -> float:
        return 0.0

    def photographed_kinds(self, n: int) -> frozenset[str]:
        return frozenset({self.kind})

    def propose_photograph(self, n: int, seen: SeenThrow) -> None:
        self.reading = seen.reading


def photos() -> Iterator[Photo]:
    """Yield set, path, kind of dice and values of each photo."""
    for folder, name in PIP_SETS.items():
        for path, values in measured(folder).items():
            yield name, path, "d6", list[Face](values)
    for source, name in HELD_OUT_SETS.items():
        for path, values in held_out(source).items():
            if len(values) <= MAX_DICE:
                yield name, path, "d6", list[Face](values)
    for name, path, kind, value, _ in labeled_photos():
        yield name, path, kind, [value]


def sampled_photos(most: int) -> Iterator[Photo]:
    """Yield at most `most` photos of each set, evenly spread over it."""
    found: defaultdict[str, list[Photo]] = defaultdict(list)
    for one in photos():
        found[one[0]].append(one)
    for whole in found.values():
        yield from whole[:: -(-len(whole) // most)]


def phone_picture(path: str) -> bytes:
    """A photo as the page sends it: upright, reduced, and compressed again."""
    with Image.open(PHOTOS / path) as opened:
        picture = ImageOps.exif_transpose(opened).convert("RGB")
    picture.thumbnail((PHONE_EDGE_PX, PHONE_EDGE_PX))
    data = io.BytesIO()
    picture.save(data, "JPEG", quality=JPEG_QUALITY)
    return data.getvalue()


def verdict(reading: Reading | None, kind: str, values: list[Face], count: int) -> str:
    """Return what becomes of a reading where `count` dice are asked for: right, asked or silent."""
    if reading is None:
        return "asked"
    fit = match_roll(reading, Roll("away", "bat", (Die(kind),) * count))
    if fit.doubt is not None:
        return "asked"
    return "right" if sorted(fit.faces, key=str) == sorted(values, key=str) else "silent"


def print_accuracy(most: int, misses: bool) -> None:
    sums: defaultdict[str, Counter[str]] = defaultdict(Counter)
    seconds: defaultdict[str, list[float]] = defaultdict(list)
    for name, path, kind, values in sampled_photos(most):
        table = _OneRoll(kind)
        data, began = phone_picture(path), time.process_time()
        try:
            Photographs(table.session).propose_photograph(0, data)
        except PhotographError:
            sums[name]["no dice found"] += 1
        seconds[name].append(time.process_time() - began)
        found = verdict(table.reading, kind, values, len(values))
        sums[name][found] += 1
        for change in (-1, 1):
            if 0 < len(values) + change <= MAX_DICE:
                other = verdict(table.reading, kind, values, len(values) + change)
                sums[name]["other count"] += 1
                sums[name]["other count believed"] += other != "asked"
        if misses and found == "silent":
            print(f"{path}: {values} read as {table.reading and table.reading.dice_values}")
    print("| pictures | count | right | asked | silent | another count asked: believed | CPU s, median |")
    print("|---|---|---|---|---|---|---|")
    for name, count in sums.items():
        total = count["right"] + count["asked"] + count["silent"]
        asked = f"{count['asked']}" + (f", {count['no dice found']} without dice" if count["no dice found"] else "")
        print(
            f"| {name} | {total} | {count['right']} | {asked} | {count['silent']} "
            f"| {count['other count believed']} of {count['other count']} | {statistics.median(seconds[name]):.1f} |"
        )


def print_angles(each: int) -> None:
    """Print how readings of one drawn die depend on how far the phone is held from straight above it."""
    print("| drawn die | degrees from straight above | count | right | asked | silent | silent, were it believed |")
    print("|---|---|---|---|---|---|---|")
    for kind in ("d6", "d20"):
        for tilt in ANGLES_DEG:
            count, random = Counter[str](), Random(tilt)
            for n in range(each):
                die = SyntheticDie(random.choice(("white", "ivory")), random.uniform(14, 20), "black", kind)
                scene = SyntheticTray(seed=n, view=random.uniform(120, 240), tilt=float(tilt))
                value = random.choice(FACES_BY_KIND[kind])
                scene.place_die(0.0, die, value, random.uniform(-25, 25), 0.0, turn=random.uniform(0, math.tau))
                table = _OneRoll(kind)
                shot = Image.fromarray(scene.render_frame(0.0)[:, :, ::-1])
                with suppress(PhotographError):
                    Photographs(table.session).propose_photograph(0, file_bytes(shot, quality=JPEG_QUALITY))
                count[verdict(table.reading, kind, [value], 1)] += 1
                if table.reading is not None and table.reading.doubt in (None, "angle"):
                    count["believed"] += table.reading.dice_values != (value,)
            row = f"{count['right']} | {count['asked']} | {count['silent']} | {count['believed']}"
            print(f"| {kind} | {tilt} | {each} | {row} |", flush=True)


def print_upload_times() -> None:
    """Send the phone pictures to the real program, each as soon as it may be sent."""
    wall, cpu, size = list[float](), list[float](), list[int]()
    with tempfile.TemporaryDirectory() as folder, Program(Path(folder), more='[game]\nkey = "small-ball"\n') as program:
        view = program.view()
        while not (roll := next((ask for ask in view["table"]["asks"] if ask["kind"] == "roll"), None)):
            (ask,) = view["table"]["asks"]
            given = {"seat": ask["seat"], "n": ask["n"], "value": ask["options"][0]["value"]}
            program.client.post("/api/answer", json=given).raise_for_status()
            view = program.view()
        process = psutil.Process(program.process.pid)
        before = process.memory_info().rss / 2**20
        for path in [*measured("wiktoriakeller"), *measured("kingjacker")]:
            data = phone_picture(path)
            while True:
                used, began = sum(process.cpu_times()[:2]), time.monotonic()
                answer = program.client.post("/api/photograph", params={"n": roll["n"]}, content=data)
                if answer.status_code != 429:
                    break
                time.sleep(int(answer.headers["retry-after"]))
            assert answer.is_success or answer.status_code == 422, answer.text
            wall.append(time.monotonic() - began)
            cpu.append(sum(process.cpu_times()[:2]) - used)
            size.append(len(data))
        status = Path(f"/proc/{process.pid}/status").read_text("utf-8")
        peak = int(status.partition("VmHWM:")[2].split()[0]) / 2**10
    print("| sent | median kB | upload to proposal, s: median | p95 | first | CPU s: median | p95 | MB first | most |")
    print("|---|---|---|---|---|---|---|---|---|")
    times = [f"{statistics.median(one):.1f} | {statistics.quantiles(one, n=20)[-1]:.1f}" for one in (wall, cpu)]
    sent = f"{len(wall)} | {statistics.median(size) / 1024:.0f}"
    print(f"| {sent} | {times[0]} | {wall[0]:.1f} | {times[1]} | {before:.0f} | {peak:.0f} |")


def print_rejections() -> None:
    """Print what the page says about each file that cannot be opened."""
    files = {name: data for name, (data, _) in REFUSED.items()}
    files["90 million pixels"] = file_bytes(Image.new("L", (10_000, 9_000)))
    files["a PNG of 14 million pixels"] = file_bytes(Image.new("L", (4_000, 3_500)), "PNG")
    print("| file | the page says |")
    print("|---|---|")
    for name, data in files.items():
        with warnings.catch_warnings(action="ignore"):
            try:
                decode_photograph(data)
            except PhotographError as why:
                print(f"| {name} | {why} |")
    print(f"| no dice in it | {NO_DICE_SENTENCE} |")
    for gate in PHOTOGRAPH_GATES:
        print(f"| {gate.name} | {gate.sentence.format(limit=gate.limit, wait='…')} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=40, help="read at most this many photos of each set")
    parser.add_argument("--misses", action="store_true", help="name the photos that were read wrong, unasked")
    parser.add_argument("--upload", action="store_true", help="only time the requests")
    parser.add_argument("--angles", type=int, metavar="N", help="only read N drawn dice at each angle")
    parser.add_argument("--rejections", action="store_true", help="only list the files that cannot be opened")
    args = parser.parse_args()
    if args.angles:
        print_angles(args.angles)
        return
    if args.rejections:
        print_rejections()
        return
    if not args.upload:
        print_accuracy(args.most, args.misses)
        print()
    print_upload_times()


if __name__ == "__main__":
    main()
