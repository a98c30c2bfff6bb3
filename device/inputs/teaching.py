"""Custom dice taught to a camera, and the steps of teaching one.

Each is a file next to the camera's tray. A damaged file is reported, and the game goes on without that die.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from device.storage import atomic_file
from engine.text import visible_text

if TYPE_CHECKING:
    from vision.dice.taught_dice import TaughtDie, TeachingTrial
    from vision.reading import Face

ROUNDS_PER_FACE = 2
"""Times that each face is shown. Each round tests how well the camera recognizes the faces of the other."""

MAX_NAME_LENGTH = 40  # longest name of a die, in characters


def taught_dice_folder(trays: Path, camera: str, size: tuple[int, int]) -> Path:
    """Folder of the dice taught to this camera at this resolution, (width, height) in pixels."""
    from vision.tray import saved_trays

    return saved_trays.tray_folder(trays, camera, size) / "dice"


def load_dice(folder: Path) -> tuple[list[TaughtDie], list[str]]:
    """Load the dice in this folder, sorted by name, and a sentence for each damaged file."""
    from vision.dice.taught_dice import TaughtDieError, decode_die

    dice, damaged = [], []
    for path in sorted(folder.glob("*.die")):
        try:
            dice.append(decode_die(path.read_bytes()))
        except (OSError, TaughtDieError) as error:
            damaged.append(f"The taught die in {path} is damaged: teach it again, or delete the file. ({error})")
    return sorted(dice, key=lambda one: one.name.casefold()), damaged


def save_die(folder: Path, die: TaughtDie) -> None:
    """Store a die, replacing one of the same name. Raises OSError. A power cut leaves the old or the new file."""
    from vision.dice.taught_dice import encode_die

    atomic_file.make_folder(folder)
    atomic_file.write_file(folder / die_file_name(die.name), encode_die(die))


def delete_die(trays: Path, name: str) -> int:
    """Delete the die of this name for every camera. Returns the count of deleted files. Raises OSError."""
    found = list(trays.glob(f"*/dice/{die_file_name(name)}"))
    for path in found:
        path.unlink()
        atomic_file.sync_folder(path.parent)
    return len(found)


def taught_dice_sentence(dice: Sequence[TaughtDie]) -> str:
    """List the dice in a sentence, "" if there are none."""
    from vision.matching import kind_name

    names = ", ".join(f"{die.name} (as a {kind_name(die.kind, 'die')})" for die in dice)
    return f"Taught: {names}." if names else ""


def die_file_name(name: str) -> str:
    """File name of a die. Names that differ only in case share one file."""
    plain = re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")
    return f"{plain or 'die'}-{zlib.crc32(name.casefold().encode()):08x}.die"


def validate_die_name(name: str) -> str:
    """Normalize the spaces in a name. Raises ValueError if it is too short, too long or has invisible characters."""
    try:
        return visible_text.visible_line(" ".join(name.split()), MAX_NAME_LENGTH)
    except ValueError as error:
        raise ValueError(f"A die's name {error}") from None


def faces_to_teach(kind: str) -> list[Face]:
    """Faces of a kind in the order of teaching. Raises ValueError for a kind that no camera reads."""
    from vision.reading import FACES_BY_KIND

    if kind not in FACES_BY_KIND:
        known = ", ".join(sorted(FACES_BY_KIND, key=lambda one: (len(one), one)))
        raise ValueError(f"The camera can't read a {kind}. Choose one of {known}.")
    return list(FACES_BY_KIND[kind])


def trial_sentence(trial: TeachingTrial) -> str:
    asked = trial.count - trial.sure
    doubt = f"{asked or 'none'} would need a question"
    wrong = f"{trial.wrong} WRONG WITHOUT A QUESTION" if trial.wrong else "none wrong without a question"
    return f"Of {trial.count} faces, {trial.right} were read right from the other round alone; {doubt}, {wrong}."
