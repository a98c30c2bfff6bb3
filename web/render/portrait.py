"""Portraits of players, drawn from a name and a team color. The same two always give the same portrait.

A portrait is a flat drawing of 100 by 100 units without text, a player in cap and jersey in front of a background.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import TypeVar
from urllib.parse import quote

T = TypeVar("T")

MAX_NAME_LENGTH = 80
"""Letters of a name in an address."""

TEAM_COLORS = {
    "red": ("#c8372d", "#8f1f18", "#f4d9cf"),
    "blue": ("#2a63b8", "#173f80", "#d3e1f2"),
    "green": ("#2f8f55", "#17603a", "#d7eadb"),
    "yellow": ("#e3b51f", "#a47f0c", "#f7ebc2"),
    "orange": ("#df7a1c", "#a2530d", "#f8e0c6"),
    "purple": ("#7c4bb0", "#532d7d", "#e5daf0"),
    "black": ("#2b302e", "#121514", "#dcdfdd"),
    "white": ("#8f9a97", "#5c6764", "#eceeea"),
}
"""The colors of cap, brim and background, by team color."""

DEFAULT_TEAM_COLORS = ("#5b6f66", "#37473f", "#e4e1d3")
"""As in `TEAM_COLORS`, for any other color."""

SKIN_TONES = ("#fbe0cc", "#f2c9a5", "#e3b083", "#cf9463", "#b27645", "#92592f", "#6f4023", "#4d2b18")
HAIR_COLORS = ("#17120f", "#2e2019", "#4d3222", "#75492a", "#a36b34", "#cfa257", "#a8401f", "#8d8d8a", "#e2e0da")
CHALK_COLOR = "#fdf9ee"
INK_COLOR = "#201b18"

BACKGROUND_STYLES = ("plain", "sun", "rays", "stripes", "field", "dots", "diamond")
JERSEY_STYLES = ("plain", "pinstripes", "buttons", "raglan", "hoops", "placket")
HEADWEAR_STYLES = ("cap", "cap", "cap", "band", "helmet", "visor", "none")
"""Repeated values, here and below, are more likely."""
EMBLEM_SHAPES = ("disc", "diamond", "star", "bar", "ring", "chevron")
HAIRCUT_STYLES = ("short", "fade", "curls", "long", "braids", "bob", "ponytail", "locs", "bald", "afro")
BEARD_STYLES = ("", "", "", "", "stubble", "full", "goatee", "mustache", "chin", "walrus")
GLASSES_STYLES = ("", "", "", "", "round", "square", "dark")
EYE_SHAPES = ("round", "narrow", "wide", "smiling")
MOUTH_SHAPES = ("smile", "grin", "line", "smirk", "gum")
FACE_MARKS = ("", "", "", "freckles", "eye-black", "mole")
STANCE_STYLES = ("bust", "bat-left", "bat-right", "ball", "glove")
HEAD_SIZES = ((21.0, 25.0), (22.5, 24.0), (20.0, 26.0), (23.5, 25.5))
"""Half the width and half the height of a head, in units."""

LONG_HAIRCUTS = ("long", "braids", "bob", "ponytail", "locs")
"""Haircuts that rarely go with a beard."""


@dataclass(frozen=True, slots=True)
class PlayerLook:
    """The look of a player. Each part is a value of the tuple for it."""

    skin: str
    hair: str
    cut: str
    face: tuple[float, float]
    eyes: str
    mouth: str
    beard: str
    glasses: str
    mark: str
    cap: str
    emblem: str
    jersey: str
    stance: str
    ground: str


def player_look(name: str) -> PlayerLook:
    """Return the look of the player with this name. Names that look the same are the same."""
    plain = unicodedata.normalize("NFKC", " ".join(name.split())).casefold()
    dice = iter(sha256(plain.encode("utf-8", "replace")).digest())

    def pick_value(values: tuple[T, ...]) -> T:
        return values[next(dice) % len(values)]

    skin, hair, cut = pick_value(SKIN_TONES), pick_value(HAIR_COLORS), pick_value(HAIRCUT_STYLES)
    if skin in SKIN_TONES[5:] and hair in HAIR_COLORS[3:7]:
        hair = HAIR_COLORS[HAIR_COLORS.index(hair) % 3]
    beard = pick_value(BEARD_STYLES)
    if cut in LONG_HAIRCUTS and next(dice) % 4:
        beard = ""
    face, eyes, mouth, glasses = (
        pick_value(HEAD_SIZES),
        pick_value(EYE_SHAPES),
        pick_value(MOUTH_SHAPES),
        pick_value(GLASSES_STYLES),
    )
    mark, cap, emblem = pick_value(FACE_MARKS), pick_value(HEADWEAR_STYLES), pick_value(EMBLEM_SHAPES)
    jersey, stance, ground = pick_value(JERSEY_STYLES), pick_value(STANCE_STYLES), pick_value(BACKGROUND_STYLES)
    return PlayerLook(skin, hair, cut, face, eyes, mouth, beard, glasses, mark, cap, emblem, jersey, stance, ground)


@lru_cache(maxsize=1024)
def portrait_svg(name: str, colour: str = "") -> str:
    """Return the portrait of a player as SVG. `colour` is a key of `TEAM_COLORS`. Any other is gray-green."""
    seen, (team, dark, pale) = player_look(name), TEAM_COLORS.get(colour, DEFAULT_TEAM_COLORS)
    shade = blended_color(seen.skin, "#3a1a10", 0.22)
    parts = [
        _background_svg(seen.ground, pale, blended_color(pale, team, 0.35)),
        _bat_svg(seen.stance),
        _back_hair_svg(seen),
        _body_svg(seen, team, dark, shade),
        _head_svg(seen, shade),
        _features_svg(seen, shade),
        _beard_svg(seen),
        _fringe_svg(seen),
        _cap_svg(seen, team, dark),
        _glasses_svg(seen.glasses),
        _hand_svg(seen, team, dark, shade),
    ]
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">{"".join(parts)}</svg>'


def portrait_address(name: str, colour: str = "") -> str:
    """Return the address of a portrait for pages. A name that is too long is cut, which only changes the look."""
    letters = quote(name[:MAX_NAME_LENGTH] or "?", safe="", errors="replace")
    return f"/portrait.svg?name={letters}&colour={colour if colour in TEAM_COLORS else ''}"


def blended_color(one: str, other: str, part: float) -> str:
    """Return a mix of two colors as "#rrggbb". `part` is the share of `other`, 0 to 1."""
    pairs = ((int(one[at : at + 2], 16), int(other[at : at + 2], 16)) for at in (1, 3, 5))
    return "#" + "".join(f"{round(a + (b - a) * part):02x}" for a, b in pairs)


def _path_svg(d: str, fill: str, more: str = "") -> str:
    return f'<path d="{d}" fill="{fill}"{more}/>'


def _line_svg(d: str, color: str, width: float) -> str:
    return f'<path d="{d}" fill="none" stroke="{color}" stroke-width="{width:g}" stroke-linecap="round"/>'


def _circle_svg(x: float, y: float, r: float, fill: str) -> str:
    return f'<circle cx="{x:g}" cy="{y:g}" r="{r:g}" fill="{fill}"/>'


def _ellipse_svg(x: float, y: float, rx: float, ry: float, fill: str) -> str:
    return f'<ellipse cx="{x:g}" cy="{y:g}" rx="{rx:g}" ry="{ry:g}" fill="{fill}"/>'


def _background_svg(kind: str, pale: str, deep: str) -> str:
    base = _path_svg("M0 0h100v100H0z", pale)
    match kind:
        case "sun":
            return base + _circle_svg(50, 46, 38, deep)
        case "rays":
            return base + _path_svg(
                "M50 50 0 0h18zM50 50 40 0h20zM50 50 82 0h18zM50 50 100 30v22zM50 50 0 30v22z", deep
            )
        case "stripes":
            return base + _path_svg("M0 0h14v100H0zM28 0h14v100H28zM56 0h14v100H56zM84 0h14v100H84z", deep)
        case "field":
            return base + _path_svg("M0 66q50-16 100 0v34H0z", deep)
        case "dots":
            return base + "".join(_circle_svg(8 + 21 * x, 8 + 21 * y, 4, deep) for x in range(5) for y in range(4))
        case "diamond":
            return base + _path_svg("M50-4 104 50 50 104-4 50z", deep)
    return base


def _bat_svg(stance: str) -> str:
    if not stance.startswith("bat"):
        return ""
    turn = "" if stance == "bat-right" else ' transform="matrix(-1 0 0 1 100 0)"'
    wood, grip = _path_svg("M72 92 83 20q1-8 7-7t4 8L79 93z", "#b9793c"), _path_svg("M72 92l2-13 7 1-2 13z", INK_COLOR)
    return f"<g{turn}>{wood}{grip}</g>"


def _back_hair_svg(seen: PlayerLook) -> str:
    hair, (w, _) = seen.hair, seen.face
    match seen.cut:
        case "long":
            return _path_svg(f"M{50 - w - 4} 40q0-26 {w + 4}-26t{w + 4} 26l3 38H{47 - w - 4}z", hair)
        case "bob":
            return _path_svg(f"M{50 - w - 6} 40q0-24 {w + 6}-24t{w + 6} 24v20q-4 6-12 4H{62 - w - 6}q-10 2-12-4z", hair)
        case "braids":
            dots = "".join(
                _circle_svg(50 + side * (w + 3), 54 + 8 * at, 5, hair) for side in (-1, 1) for at in range(4)
            )
            return dots + _ellipse_svg(50, 38, w + 2, 24, hair)
        case "ponytail":
            return _path_svg(f"M{50 + w - 6} 30q20 2 17 30-2 14-8 16 3-22-13-34z", hair) + _ellipse_svg(
                50, 38, w + 1, 23, hair
            )
        case "locs":
            x = range(-3, 4)
            return "".join(_line_svg(f"M{50 + at * w / 3:g} 30V{72 - abs(at) * 2}", hair, 7) for at in x)
        case "afro":
            return _circle_svg(50, 38, w + 9, hair)
        case "curls":
            spots = ((-1, 34), (-0.95, 44), (1, 34), (0.95, 44), (-0.8, 25), (0.8, 25))
            return "".join(_circle_svg(50 + x * w, y, 6, hair) for x, y in spots)
    return ""


def _body_svg(seen: PlayerLook, team: str, dark: str, shade: str) -> str:
    cloth = team if seen.jersey in ("raglan", "placket") else CHALK_COLOR
    body = "M8 100q1-19 18-23l14-5h20l14 5q17 4 18 23z"
    parts = [_path_svg("M41 58h18v15q-9 9-18 0z", shade), _path_svg(body, cloth)]
    match seen.jersey:
        case "pinstripes":
            parts += [
                _line_svg(f"M{x} {78 + abs(50 - x) // 9}V100", team, 0.9) for x in (18, 26, 34, 42, 58, 66, 74, 82)
            ]
        case "raglan":
            parts.append(_path_svg("M34 74 30 100h40l-4-26z", CHALK_COLOR))
        case "hoops":
            parts += [_line_svg(f"M{12 + at} {96 - 8 * at}h{76 - 2 * at}", team, 3.4) for at in (0, 1)]
        case "buttons":
            parts += [_circle_svg(50, y, 1.3, dark) for y in (84, 91, 98)]
        case "placket":
            parts.append(_line_svg("M50 82V100", CHALK_COLOR, 2))
    collar = dark if cloth != CHALK_COLOR else team
    parts += [
        _path_svg("M39 71q11 14 22 0l3 2q-14 19-28 0z", collar),
        _path_svg("M41 69q9 11 18 0v3q-9 10-18 0z", seen.skin),
    ]
    return "".join(parts)


def _head_svg(seen: PlayerLook, shade: str) -> str:
    w, h = seen.face
    ears = _ellipse_svg(50 - w, 47, 4, 6, shade) + _ellipse_svg(50 + w, 47, 4, 6, shade)
    jaw = f"M{50 - w} 40q0-{h - 4} {w}-{h - 4}t{w} {h - 4}q2 {h - 4}-9 {h}-6 5-{w - 9} 5t-{w - 9}-5q-11-5-9-{h}z"
    return ears + _path_svg(jaw, seen.skin)


def _features_svg(seen: PlayerLook, shade: str) -> str:
    brow = blended_color(seen.hair, INK_COLOR, 0.45) if seen.hair != HAIR_COLORS[-1] else "#8d8d8a"
    parts = [_line_svg("M36.5 41q4-3 8-1M55.5 40q4-2 8 1", brow, 2.2 if seen.eyes != "wide" else 1.6)]
    white = CHALK_COLOR if seen.skin in SKIN_TONES[5:] else blended_color(seen.skin, CHALK_COLOR, 0.5)
    match seen.eyes:
        case "round":
            parts += [_ellipse_svg(x, 46, 3.4, 2.9, white) + _circle_svg(x, 46, 2.3, INK_COLOR) for x in (41, 59)]
        case "narrow":
            parts += [_ellipse_svg(x, 46, 4, 2, white) + _ellipse_svg(x, 46, 2.4, 1.6, INK_COLOR) for x in (41, 59)]
        case "wide":
            parts += [_ellipse_svg(x, 46, 3.8, 2.8, CHALK_COLOR) + _circle_svg(x, 46, 2, INK_COLOR) for x in (41, 59)]
        case "smiling":
            parts.append(_line_svg("M38 47q3-4 6 0M56 47q3-4 6 0", INK_COLOR, 2))
    parts.append(_line_svg("M50 46q-1 6-3 8 3 2 6 0", shade, 1.8))
    lip = blended_color(seen.skin, "#7a1f1a", 0.5)
    match seen.mouth:
        case "smile":
            parts.append(_line_svg("M42 60q8 6 16 0", lip, 2))
        case "grin":
            parts.append(_path_svg("M41 59h18q-2 8-9 8t-9-8z", CHALK_COLOR, f' stroke="{lip}" stroke-width="1.2"'))
        case "line":
            parts.append(_line_svg("M44 61h12", lip, 2))
        case "smirk":
            parts.append(_line_svg("M44 61q7 2 13-3", lip, 2))
        case "gum":
            parts.append(_circle_svg(51, 62, 5, "#f0a0b4") + _circle_svg(49.5, 60, 1.2, CHALK_COLOR))
    match seen.mark:
        case "freckles":
            parts += [
                _circle_svg(x, y, 0.8, shade) for x, y in ((36, 52), (39, 54), (42, 52), (58, 52), (61, 54), (64, 52))
            ]
        case "eye-black":
            parts.append(_line_svg("M37 51h7M56 51h7", INK_COLOR, 2.4))
        case "mole":
            parts.append(_circle_svg(60, 57, 1.1, INK_COLOR))
    return "".join(parts)


def _beard_svg(seen: PlayerLook) -> str:
    hair, (w, h) = seen.hair, seen.face
    match seen.beard:
        case "stubble":
            d = f"M{51 - w} 50q1 {h - 8} 9 {h - 6} {w - 10} 5 {2 * w - 20} 0 8-2 9-{h - 6}-6 6-{w - 1} 6t-{w - 1}-6z"
            return _path_svg(d, hair, ' opacity=".35"')
        case "full":
            across = 2 * w - 22
            d = f"M{50 - w} 46q-1 {h - 3} 11 {h} {w - 11} 7 {across} 0 12-3 11-{h}"
            d += f"-4 9-9 10-{w - 9}-4-{2 * w - 18} 0-5-1-9-10z"
            return _path_svg(d, hair) + _line_svg("M45 62.5q5 2 10 0", blended_color(seen.skin, "#7a1f1a", 0.5), 2)
        case "goatee":
            return _line_svg("M43 58q7-3 14 0v7", hair, 2.4) + _path_svg("M43 58v8q7 8 14 0v-8q-1 7-7 7t-7-7z", hair)
        case "mustache":
            return _path_svg("M40 60q4-5 10-3 6-2 10 3-5 1-10-1-5 2-10 1z", hair)
        case "chin":
            return _path_svg("M44 66q6 3 12 0 0 9-6 9t-6-9z", hair)
        case "walrus":
            return _path_svg("M38 64q0-8 12-8t12 8q-3 2-6-1-6 2-12 0-3 3-6 1z", hair)
    return ""


def _fringe_svg(seen: PlayerLook) -> str:
    """Draw the hair in front of the face. A cap covers most of it."""
    hair, (w, _) = seen.hair, seen.face
    left, wide = 50 - w, 2 * w
    match seen.cut:
        case "bald":
            return ""
        case "fade":
            return _path_svg(f"M{left} 38q2-21 {w}-21t{w} 21q-4-9-{w}-9t-{w} 9z", hair, ' opacity=".75"')
        case "short" | "ponytail":
            return _path_svg(
                f"M{left - 1} 42q-1-26 {w + 1}-26t{w + 1} 26q-3-3-4-10-8-4-{w - 3}-4t-{w - 3} 4q-1 7-4 10z", hair
            )
        case "long" | "bob":
            return _path_svg(
                f"M{left - 1} 46q-2-30 {w + 1}-30t{w + 1} 30q-5-4-6-14-10 2-{w - 4}-3-4 6-{w - 6} 5-1 8-5 12z", hair
            )
        case "afro" | "curls":
            spots = [(left + wide * at / 5, 27 - (3 if at in (2, 3) else 0), 6.5) for at in range(6)]
            return "".join(_circle_svg(x, y, r, hair) for x, y, r in spots)
    return _path_svg(
        f"M{left - 1} 42q-1-26 {w + 1}-26t{w + 1} 26q-3-6-5-11l-5-1-5-2-5 2-5-2-5 2-5-2-3 3q-1 6-4 11z", hair
    )


def _cap_svg(seen: PlayerLook, team: str, dark: str) -> str:
    (w, _), cap = seen.face, seen.cap
    left, right, wide = 50 - w - 1.5, 50 + w + 1.5, 2 * w + 3
    crown = f"M{left:g} 34q-1-25 {wide / 2:g}-25t{wide / 2:g} 25q-{wide / 2:g}-8-{wide:g} 0z"
    brim = f"M{left - 2:g} 35q{w + 3.5:g}-13 {wide + 4:g} 0 1 3-1 3-{w + 1:g}-8-{wide + 2:g} 0-2 0-1-3z"
    match cap:
        case "none":
            return ""
        case "band":
            return _path_svg(f"M{left:g} 34q{wide / 2:g}-10 {wide:g} 0l-1-7q-{wide / 2 - 1:g}-9-{wide - 2:g} 0z", team)
        case "visor":
            return _path_svg(
                f"M{left:g} 34q{wide / 2:g}-9 {wide:g} 0l-1-5q-{wide / 2 - 1:g}-9-{wide - 2:g} 0z", team
            ) + _path_svg(brim, dark)
        case "helmet":
            flap = f"M{left:g} 32h7l2 18q-8 4-11-3zM{right:g} 32h-5v5h5z"
            shine = _line_svg(f"M{left + 6:g} 23q4-8 12-9", CHALK_COLOR, 2)
            return (
                _path_svg(crown, team)
                + _path_svg(flap, team)
                + _path_svg(brim, dark)
                + shine
                + _emblem_svg(seen.emblem)
            )
    button = _circle_svg(50, 9.5, 2, dark)
    seams = _line_svg("M38 27q1-12 12-17.5M62 27q-1-12-12-17.5", dark, 0.8)
    return _path_svg(crown, team) + seams + button + _path_svg(brim, dark) + _emblem_svg(seen.emblem)


def _emblem_svg(kind: str) -> str:
    match kind:
        case "disc":
            return _circle_svg(50, 20, 4.2, CHALK_COLOR)
        case "diamond":
            return _path_svg("M50 14.5l5.5 5.5-5.5 5.5-5.5-5.5z", CHALK_COLOR)
        case "star":
            return _path_svg(
                "M50 14l1.7 4.2 4.5.3-3.5 2.9 1.2 4.4-3.9-2.4-3.9 2.4 1.2-4.4-3.5-2.9 4.5-.3z", CHALK_COLOR
            )
        case "bar":
            return _path_svg("M44 18h12v4H44z", CHALK_COLOR)
        case "ring":
            return '<circle cx="50" cy="20" r="3.6" fill="none" stroke="#fdf9ee" stroke-width="2"/>'
    return _line_svg("M45 22l5-5 5 5", CHALK_COLOR, 2.4)


def _glasses_svg(kind: str) -> str:
    match kind:
        case "round":
            lenses = "".join(
                f'<circle cx="{x}" cy="46" r="6" fill="#fff" fill-opacity=".25" stroke="{INK_COLOR}" '
                'stroke-width="1.5"/>'
                for x in (41, 59)
            )
            return lenses + _line_svg("M47 45.5q3-2 6 0", INK_COLOR, 1.5)
        case "square":
            frame = "M34.5 41.5h12.5v8.5h-11zM53 41.5h12.5l-1.5 8.5H53z"
            return _path_svg(frame, "none", f' stroke="{INK_COLOR}" stroke-width="1.7"') + _line_svg(
                "M47 44h6", INK_COLOR, 1.7
            )
        case "dark":
            return _path_svg("M33 42h34l-2 8q-6 4-12 0l-3-4-3 4q-6 4-12 0z", INK_COLOR) + _line_svg(
                "M38 44l4 4", "#7f8a90", 1.4
            )
    return ""


def _hand_svg(seen: PlayerLook, team: str, dark: str, shade: str) -> str:
    match seen.stance:
        case "bat-left":
            return _ellipse_svg(26, 86, 5.5, 5, seen.skin) + _ellipse_svg(25, 93, 5.5, 5, shade)
        case "bat-right":
            return _ellipse_svg(74, 86, 5.5, 5, seen.skin) + _ellipse_svg(75, 93, 5.5, 5, shade)
        case "ball":
            seams = _line_svg("M76 80q4 5 0 10M88 80q-4 5 0 10", "#c8372d", 1)
            return _circle_svg(82, 85, 8, "#fffdf6") + seams + _path_svg("M74 90q8 8 16 0l2 10H72z", seen.skin)
        case "glove":
            web = _line_svg("M14 80v12M19 78v14M24 79v13", "#6d3f1c", 1.2)
            return _path_svg("M6 100q-2-16 4-20 8-6 18 0 6 8 2 20z", "#9a5b2b") + web
    return ""
