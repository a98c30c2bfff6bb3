"""English color words, and how dice of these colors look under a lamp.

Separate from `color` because it doesn't import OpenCV: the table uses it before the camera is loaded.
"""

import math
from functools import cache

from vision.reading import Tint

LampGains = tuple[float, float, float]  # gains of a lamp for red, green and blue

# Appearance of dice by color, as sRGB from 0 to 255. Vivid shades come first, then dark and pale ones.
COLOR_LOOKS_RGB: dict[str, tuple[tuple[int, int, int], ...]] = {
    "white": ((212, 214, 204),),
    "ivory": ((214, 198, 166),),
    "grey": ((130, 130, 130),),
    "black": ((32, 30, 30),),
    "red": ((190, 34, 40), (98, 34, 46)),
    "orange": ((226, 110, 30),),
    "yellow": ((206, 182, 30),),
    "green": ((30, 128, 62), (30, 80, 62)),
    "blue": ((34, 84, 170), (30, 36, 120), (22, 34, 76)),
    "purple": ((98, 48, 138), (38, 20, 40)),
    "pink": ((216, 142, 148), (236, 130, 170)),
    "brown": ((110, 74, 42),),
}

NEUTRAL_LAMP: LampGains = (1.0, 1.0, 1.0)  # a bright white lamp
LIGHTNESS_WEIGHT = 0.5  # Shadows change lightness and seldom hue, so lightness counts less.


def color_name(tint: Tint) -> str:
    """Return the nearest key of `COLOR_LOOKS_RGB`. There is no white balance, so it may name the lamp's color."""
    return min(COLOR_LOOKS_RGB, key=lambda one: color_distance(tint, one, NEUTRAL_LAMP))


def color_distance(tint: Tint, colour: str, lamp: LampGains) -> float:
    """Return the distance of a tint from a key of `COLOR_LOOKS_RGB` under a lamp: CIE Lab with `LIGHTNESS_WEIGHT`."""
    light, a, b = tint
    return min(
        math.hypot(LIGHTNESS_WEIGHT * (light - look[0]), a - look[1], b - look[2])
        for look in _color_tints(colour, lamp)
    )


@cache
def _color_tints(colour: str, lamp: LampGains) -> tuple[Tint, ...]:
    r, g, b = lamp
    return tuple(
        _linear_to_lab(r * _srgb_to_linear(red), g * _srgb_to_linear(green), b * _srgb_to_linear(blue))
        for red, green, blue in COLOR_LOOKS_RGB[colour]
    )


def _srgb_to_linear(value: int) -> float:
    """Convert an sRGB value, 0 to 255, to linear light, 0 to 1."""
    return value / 255 / 12.92 if value <= 10 else ((value / 255 + 0.055) / 1.055) ** 2.4


def _linear_to_lab(red: float, green: float, blue: float) -> Tint:
    """Convert linear sRGB, 0 to 1, to CIE Lab with white point D65."""
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.0890
    x, y, z = (math.cbrt(part) if part > 0.008856 else 7.787 * part + 16 / 116 for part in (x, y, z))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)
