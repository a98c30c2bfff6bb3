"""`dugout calibrate --die NAME`: shows the camera a die of one's own, face by face; and where such dice are kept.

They lie beside the tray of the camera that saw them, one file each. Nothing here raises into the game: a file that is
damaged is named, and the table goes on without it.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from device.commands import target
from device.inputs import calibration
from device.inputs.calibration import ask, mean, still, take
from device.storage import atomic_file

if TYPE_CHECKING:
    from vision.cameras.frames import Source
    from vision.dice.taught import ShownFace, Taught, TeachingTrial
    from vision.reader import Reader
    from vision.reading import Box, Face

ROUNDS = 2
"""So often each face is shown: the second time tells how well the first is known again."""

LONGEST = 40
"""A name has at most so many letters."""


# Keeping -------------------------------------------------------------------------------------------------------------


def home(trays: Path, camera: str, size: tuple[int, int]) -> Path:
    """Where the dice are kept that this camera was taught at this resolution."""
    from vision.tray import saved

    return saved.folder(trays, camera, size) / "dice"


def load(folder: Path) -> tuple[list[Taught], list[str]]:
    """The dice kept in this folder by name, and a sentence for each file that is damaged."""
    from vision.dice.taught import TaughtError, unpack

    dice, odd = [], []
    for path in sorted(folder.glob("*.die")):
        try:
            dice.append(unpack(path.read_bytes()))
        except (OSError, TaughtError) as error:
            odd.append(f"The taught die in {path} is damaged: teach it again, or delete the file. ({error})")
    return sorted(dice, key=lambda one: one.name.casefold()), odd


def save(folder: Path, die: Taught) -> None:
    """Keep the die, in place of one of its name. Raises OSError; a power cut leaves the old one or this one."""
    from vision.dice.taught import pack

    atomic_file.make(folder)
    atomic_file.write(folder / _file(die.name), pack(die))


def forget(trays: Path, name: str) -> int:
    """Delete the die of this name, of every camera; gives how many that were. Raises OSError."""
    found = list(trays.glob(f"*/dice/{_file(name)}"))
    for path in found:
        path.unlink()
        atomic_file.sync(path.parent)
    return len(found)


def listed(dice: Sequence[Taught]) -> str:
    """The dice in a sentence; "" of none."""
    from vision.matching import name_kind

    names = ", ".join(f"{die.name} (as a {name_kind(die.kind, 'die')})" for die in dice)
    return f"Taught: {names}." if names else ""


def _file(name: str) -> str:
    """The name of a die's file; that of names which differ only in capitals is the same."""
    plain = re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")
    return f"{plain or 'die'}-{zlib.crc32(name.casefold().encode()):08x}.die"


# On the terminal -----------------------------------------------------------------------------------------------------


def named(name: str) -> str:
    """The name as it is kept. Raises ValueError for one that is none."""
    plain = " ".join(name.split())
    if not 0 < len(plain) <= LONGEST or not plain.isprintable():
        raise ValueError(f"A die's name has 1 to {LONGEST} letters.")
    return plain


def order(kind: str) -> list[Face]:
    """The faces of a kind, as they are asked for. Raises ValueError for a kind that no camera reads."""
    from vision.dice.numerals import FACES

    if kind not in FACES:
        known = ", ".join(sorted(FACES, key=lambda one: (len(one), one)))
        raise ValueError(f"No camera reads a {kind}; there are {known}.")
    faces = FACES[kind][1]
    return list(faces) if kind == "pitch" else sorted(faces, key=lambda face: int(face))


def unlearn(trays: Path, name: str) -> int:
    """Forget the die of this name, and say so: 0, or 1 where none was taught. Raises OSError, and ValueError."""
    gone = forget(trays, named(name))
    print(f"{named(name)} is forgotten." if gone else f"No die was taught as {named(name)}.")
    return 0 if gone else 1


def teach(trays: Path, where: str | int, name: str, kind: str) -> int:
    """Ask for each face of the die, tell how well it is known again, and keep it if it is to be trusted.

    Gives 0 when it is kept, 1 when not. Raises OSError, and ValueError for what cannot be taught.
    """
    from vision.cameras.frames import Locking
    from vision.cameras.sources import open_source
    from vision.dice.taught import FaceBank, Taught
    from vision.reader import Reader
    from vision.tray import saved
    from vision.tray.inside import InsideReader
    from vision.tray.outline import TrayError

    name, faces, reader = named(name), order(kind), Reader()
    source = open_source(where)
    try:
        camera, pictures = take(source)
        size = pictures[0].shape[1], pictures[0].shape[0]
        try:
            tray = saved.load(trays, camera, size)
        except TrayError as error:
            tray = None
            print(error)
        if tray is None:
            print("The tray is not calibrated: have nothing in the picture that looks like a die.")
        else:
            reader.empty = tray.empty
            if isinstance(source, Locking) and tray.locks is not None:
                source.lock(tray.locks)
        take(source, calibration.WARM)
        inside = None if tray is None else InsideReader(reader, tray).concerns
        folder = home(trays, camera, size)
        if any(_file(die.name) == _file(name) for die in load(folder)[0]):
            print(f"{name} was taught before: this one will take its place.")
        print(
            "Each face is shown twice: first all, then all again. Lay the die in another place each time, and"
            " turned otherwise, as it might fall. Where two faces count the same, show the other one in the second"
            " round."
        )
        shown = _shown(source, reader, kind, faces, inside)
        if shown is None:
            print("Stopped: nothing is kept.")
            return 1
        die = Taught(name, kind, tuple(shown))
        print(f"\n{told(FaceBank(die).trial())}")
        if ask("Trust it? [y/N]") not in ("y", "yes"):
            print("It is not kept.")
            return 1
        save(folder, die)
        print(f"Kept. {listed(load(folder)[0])} The table takes it up when it starts.")
        return 0
    finally:
        source.close()
        target.give(trays, trays.parent)


def told(trial: TeachingTrial) -> str:
    """How well a die is known again, in words."""
    asked = trial.count - trial.sure
    doubt = f"{asked or 'none'} would be asked about"
    wrong = f"{trial.wrong} WRONG WITHOUT ASKING" if trial.wrong else "none wrong without asking"
    return f"Of {trial.count} faces shown, {trial.right} were read right by the other round alone; {doubt}, {wrong}."


def _shown(
    source: Source, reader: Reader, kind: str, faces: Sequence[Face], inside: Callable[[Box], bool] | None
) -> list[ShownFace] | None:
    """Every face as it was shown, round by round; None where it was stopped."""
    from vision.dice.taught import TaughtError

    wanted = [(go, face) for go in range(ROUNDS) for face in faces]
    shown: list[ShownFace] = []
    while len(shown) < len(wanted):
        go, face = wanted[len(shown)]
        which = f"{len(shown) + 1} of {len(wanted)}"
        up = "10 (0)" if (kind, face) == ("d10", 10) else face
        said = ask(f"{which}: lay it with {up} up and press Enter (a: the last one again, q: stop).")
        if said == "q":
            return None
        if said == "a":
            shown[-1:] = []
            continue
        pictures = take(source)[1]
        try:
            if not still(pictures):
                raise TaughtError("Something moves: keep your hands away and try again.")
            shown.append(reader.show(mean(pictures), kind, face, go, inside))
            print("  seen.")
        except TaughtError as error:
            print(f"  {error}")
    return shown
