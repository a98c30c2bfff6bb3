"""A reading: the dice vision saw, and whether to believe them."""

from dataclasses import dataclass
from typing import NamedTuple

PixelBox = tuple[int, int, int, int]  # x, y, width and height in pixels of the frame; x and y are the top left corner
# A measured color as CIE Lab: lightness 0 to 100, red over green, yellow over blue (both about -100 to 100).
Tint = tuple[float, float, float]
# The kinds of dice that can be read. A "pitch" is a cube with the letters B, S and C.
Face = int | str  # What a die shows: a number or a letter. The 0 printed on a d10 is 10.
FACES_BY_KIND: dict[str, tuple[Face, ...]] = {
    **{f"d{n}": tuple(range(1, n + 1)) for n in (6, 8, 10, 20, 24)},
    "pitch": ("B", "S", "C"),
}
READABLE_KINDS = frozenset(FACES_BY_KIND)

# Every doubt vision can name, with the advice that a person gets.
DOUBT_ADVICE = {
    "none": "There are no dice in the tray.",
    "unclear": "A die is hard to read: turn on a light or nudge it flat.",
    "edge": "A die is partly out of the picture: move it in.",
    "cocked": "A die is cocked: roll it again or lay it flat.",
    "stacked": "A die is on top of another: put them side by side.",
    "symbol": "A die has no readable face: remove it, or enter what it shows.",
    "thing": "Something else is in the tray: take it out, or enter what the dice show.",
    "glare": "There is glare on a die: move the lamp.",
    "blur": "The picture is blurred: wipe the lens or set the focus.",
    "moving": "The dice are still moving.",
    "hand": "A hand is in the tray.",
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
    """One die in a picture.

    `kind` is one of `READABLE_KINDS`; a cube with numerals is a d6 too. `value` is the face it shows, or None where no
    value can be offered. `confidence` is the estimated probability, 0 to 1, that kind and value are right. `colour` is
    a plain English word or None; `tint` is the measured color of its body or None. `likely` are other plausible values,
    likeliest first. `doubt` is the doubt about this die alone, a key of `DOUBT_ADVICE`, or None where it is sure.
    `foot` is the box of the floor beneath it, None where that is not known.
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

    @property
    def center(self) -> tuple[float, float]:
        """The middle of its box, in pixels of the frame."""
        x, y, wide, tall = self.box
        return x + wide / 2, y + tall / 2


class Figure(NamedTuple):
    """What was measured for a doubt: its name and unit, and the `least` and the `most` at which there is no doubt, None
    where nothing is decided by it."""

    name: str
    value: float
    least: float | None = None
    most: float | None = None

    @property
    def figure_text(self) -> str:
        """The figure, with what it ought to be if it is not: "chance 0.91, needs 0.95"."""
        short = self.least is not None and self.value < self.least
        over = self.most is not None and self.value > self.most
        bound = f", needs {self.least:.2f}" if short else f", at most {self.most:.2f}" if over else ""
        return f"{self.name} {self.value:.2f}{bound}"

    def as_json(self) -> dict[str, object]:
        """Return the figure as plain data, ready for `json.dumps`."""
        bounds = {name: round(one, 2) for name, one in (("least", self.least), ("most", self.most)) if one is not None}
        return {"name": self.name, "value": round(self.value, 2), **bounds}


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a doubt rests on: in `figure_text` that begin a sentence, as `figures`, and the `outline` of it in the
    picture, as corners in pixels of the frame, none if it is about no die."""

    words: str
    figures: tuple[Figure, ...]
    outline: tuple[tuple[int, int], ...] = ()

    def as_json(self) -> dict[str, object]:
        """Return the evidence as plain data, ready for `json.dumps`."""
        figures = [one.as_json() for one in self.figures]
        return {"words": self.words, "figures": figures, "outline": [list(spot) for spot in self.outline]}


@dataclass(frozen=True, slots=True)
class Reading:
    """The dice of one settled picture, left to right, and the doubt that forbids using them without asking. `doubt` is
    a key of `DOUBT_ADVICE`, or None when the reading is sure; `evidence` is what it rests on, where that is known. `ms`
    is the time the reading took, in milliseconds, and `hides` is True if a die may lie on one that was not read."""

    dice: tuple[DieReading, ...]
    doubt: str | None
    ms: float
    evidence: Evidence | None = None
    hides: bool = False

    @property
    def is_sure(self) -> bool:
        """True if the whole reading may be used without asking a person."""
        return self.doubt is None

    @property
    def advice(self) -> str | None:
        """The advice for the doubt as a sentence, or None when sure."""
        if self.doubt is None or self.evidence is None:
            return None if self.doubt is None else DOUBT_ADVICE[self.doubt]
        todo = DOUBT_ADVICE[self.doubt].partition(": ")[2]
        return f"{self.evidence.words}: {todo}" if todo else f"{self.evidence.words}."

    @property
    def doubt_reason(self) -> str | None:
        """The doubt and the figures that it rests on: "unclear: chance 0.91, needs 0.95; …"; None when sure."""
        figures = () if self.evidence is None else self.evidence.figures
        return self.doubt and ": ".join(filter(None, (self.doubt, "; ".join(one.figure_text for one in figures))))

    @property
    def dice_values(self) -> tuple[Face, ...]:
        """The values read, left to right, without dice that have no value."""
        return tuple(die.value for die in self.dice if die.value is not None)

    def as_json(self) -> dict[str, object]:
        """Return the reading as plain data, ready for `json.dumps`."""
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
                }
                for die in self.dice
            ],
        }
