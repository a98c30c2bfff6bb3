"""A reading: the detected dice, and the doubt about them."""

from dataclasses import dataclass
from typing import NamedTuple

PixelBox = tuple[int, int, int, int]  # x, y, width, height in pixels of the frame, with (x, y) the top left corner
# CIE Lab: lightness 0 to 100, then red-green and yellow-blue (each about -100 to 100).
Tint = tuple[float, float, float]
Face = int | str  # the face of a die: a number or a letter. The 0 of a d10 is 10.
# The kinds of dice that can be read, with their faces. A "pitch" is a cube with the letters B, S and C.
FACES_BY_KIND: dict[str, tuple[Face, ...]] = {
    **{f"d{n}": tuple(range(1, n + 1)) for n in (6, 8, 10, 20, 24)},
    "pitch": ("B", "S", "C"),
}
READABLE_KINDS = frozenset(FACES_BY_KIND)

# Every doubt of a reading, with its advice to people.
DOUBT_ADVICE = {
    "none": "There are no dice in the tray.",
    "unread": "Something is in the tray, but I can't read it: type the roll, or roll again.",
    "unclear": "A die is hard to read: turn on a light or nudge it flat.",
    "edge": "A die is partly out of the picture: move it in.",
    "cocked": "A die is cocked: roll it again or lay it flat.",
    "stacked": "A die is on top of another: put them side by side.",
    "symbol": "A die has no readable face: remove it, or enter what it shows.",
    "thing": "Something else is in the tray: remove it, or enter what the dice show.",
    "glare": "There is glare on a die: move the lamp.",
    "blur": "The picture is blurred: wipe the lens or set the focus.",
    "moving": "A die may still be spinning: wait, or enter what it shows.",
    "hand": "A hand is in the tray.",
    "angle": "One picture can't show for sure which side of this die is on top: check it.",
    "turned": "A die was turned after it came to rest: roll again, or confirm.",
    "outside": "A die is on the edge of the tray or outside it: move it in.",
    "moved-tray": "The tray or the camera moved: put it back, or recalibrate.",
    "light": "The light changed: change it back, or recalibrate.",
    "kind": "Wrong kind or unclear: enter it.",
    "colour": "A die of the right color is missing: roll the dice asked for, or enter what they show.",
    "alike": "Two dice look alike: check which one shows what.",
    "no-tray": "No tray edge found: the whole picture counts as the tray.",
}


@dataclass(frozen=True, slots=True)
class DieReading:
    """One die in an image.

    kind: one of `READABLE_KINDS`. A cube with numerals is a d6 too.
    value: the face on top, or None if there is no candidate.
    colour: an English color word, or None.
    confidence: estimated probability that kind and value are right, 0 to 1.
    tint: measured color of the body, or None.
    likely: other plausible values, most likely first.
    doubt: the doubt about this die alone, a key of `DOUBT_ADVICE`, or None if sure.
    foot: bounding box of its footprint on the floor, or None if unknown.
    taught: name of the taught die that it was recognized as, or None.
    """

    kind: str
    value: Face | None
    colour: str | None
    box: PixelBox
    confidence: float
    tint: Tint | None = None
    likely: tuple[Face, ...] = ()
    doubt: str | None = None
    foot: PixelBox | None = None
    taught: str | None = None

    @property
    def center(self) -> tuple[float, float]:
        """Center of the box, in pixels of the frame."""
        x, y, wide, tall = self.box
        return x + wide / 2, y + tall / 2


class Figure(NamedTuple):
    """A measured value behind a doubt, and its thresholds.

    A value from `least` to `most` raises no doubt. None means that there is no such threshold.
    """

    name: str
    value: float
    least: float | None = None
    most: float | None = None

    @property
    def figure_text(self) -> str:
        """The figure and the threshold it misses, such as "chance 0.91, needs 0.95"."""
        short = self.least is not None and self.value < self.least
        over = self.most is not None and self.value > self.most
        bound = f", needs {self.least:.2f}" if short else f", at most {self.most:.2f}" if over else ""
        return f"{self.name} {self.value:.2f}{bound}"

    def as_json(self) -> dict[str, object]:
        bounds = {name: round(one, 2) for name, one in (("least", self.least), ("most", self.most)) if one is not None}
        return {"name": self.name, "value": round(self.value, 2), **bounds}


@dataclass(frozen=True, slots=True)
class Evidence:
    """Why there is a doubt: `words` that begin a sentence, the measurements, and the `outline` of the doubted object in
    pixels of the frame, or () if it is about no die."""

    words: str
    figures: tuple[Figure, ...]
    outline: tuple[tuple[int, int], ...] = ()

    def as_json(self) -> dict[str, object]:
        figures = [one.as_json() for one in self.figures]
        return {"words": self.words, "figures": figures, "outline": [list(spot) for spot in self.outline]}


@dataclass(frozen=True, slots=True)
class Reading:
    """The dice of one still frame, left to right.

    doubt: why the reading needs confirmation, a key of `DOUBT_ADVICE`, or None if sure.
    ms: duration of the reading, in milliseconds.
    evidence: the evidence for the doubt, or None if unknown.
    hides: True if a die may hide under one of those read.
    """

    dice: tuple[DieReading, ...]
    doubt: str | None
    ms: float
    evidence: Evidence | None = None
    hides: bool = False

    @property
    def is_sure(self) -> bool:
        """True if the reading may be used without asking."""
        return self.doubt is None

    @property
    def advice(self) -> str | None:
        """The advice for the doubt as a sentence, or None if sure."""
        if self.doubt is None or self.evidence is None:
            return None if self.doubt is None else DOUBT_ADVICE[self.doubt]
        todo = DOUBT_ADVICE[self.doubt].partition(": ")[2]
        return f"{self.evidence.words}: {todo}" if todo else f"{self.evidence.words}."

    @property
    def doubt_reason(self) -> str | None:
        """The doubt and its figures, such as "unclear: chance 0.91, needs 0.95", or None if sure."""
        figures = () if self.evidence is None else self.evidence.figures
        return self.doubt and ": ".join(filter(None, (self.doubt, "; ".join(one.figure_text for one in figures))))

    @property
    def dice_values(self) -> tuple[Face, ...]:
        """The values read, left to right. Dice without a value are left out."""
        return tuple(die.value for die in self.dice if die.value is not None)

    def as_json(self) -> dict[str, object]:
        return {
            "sure": self.is_sure,
            "doubt": self.doubt,
            "advice": self.advice,
            "why": self.doubt_reason,
            "evidence": None if self.evidence is None else self.evidence.as_json(),
            "ms": round(self.ms, 2),
            "dice": [
                {
                    "kind": die.kind,
                    "value": die.value,
                    "colour": die.colour,
                    "box": list(die.box),
                    "confidence": round(die.confidence, 4),
                    "likely": list(die.likely),
                    "doubt": die.doubt,
                    "taught": die.taught,
                }
                for die in self.dice
            ],
        }
