"""Select typefaces that dice could have."""

from __future__ import annotations

import random
import re
from collections import defaultdict
from itertools import chain
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

UNFIT = re.compile(
    r"Symbol|Dingbat|Math|Emoji|Braille|Music|MTT|D050|Standard|Noto(Sans|Serif)[A-Z][a-z]+-|Nastaliq|Kufi|Naskh"
    r"|NotoRashi|NotoTrad|Thin|Hairline|ExtraLight|Initials|Tomson.*Odd|kouzan|unihan|SansMono.*Obl|Samyak|lohit",
    re.IGNORECASE,
)
CUT = re.compile(
    r"[-_ ]?(BoldItalic|Bold|Italic|Oblique|Regular|Light|Medium|Black|Heavy|Condensed|Book|Semi|Extra|Demi|Ultra|Roman"
    r"|Cond|Narrow|Ital|It)+",
    re.IGNORECASE,
)
MATES = 5  # maximum number of cuts of one typeface


def typefaces(fonts: Path) -> list[str]:
    """Return the font files listed in a file, or those below a folder that have every sign of dice."""
    if fonts.is_file():
        return fonts.read_text().splitlines()
    families: dict[str, list[str]] = defaultdict(list)
    for file in sorted(chain(fonts.rglob("*.ttf"), fonts.rglob("*.otf"))):
        if not UNFIT.search(str(file)) and spells(file):
            families[CUT.sub("", file.stem).lower()].append(str(file))
    rng = random.Random(1)
    return sorted(chain.from_iterable(rng.sample(cuts, min(MATES, len(cuts))) for cuts in families.values()))


def spells(file: Path) -> bool:
    """True if a font has a distinct glyph for every digit and letter of dice."""
    looks = set()
    try:
        font = ImageFont.truetype(str(file), 40)
        for sign in "0123456789BSC\uffff":
            plate = Image.new("L", (60, 60))
            ImageDraw.Draw(plate).text((5, 2), sign, 255, font)
            looks.add(plate.tobytes())
    except OSError:
        return False
    return len(looks) == 14
