"""A drawn copy of the printed board with wooden tokens on it, under a simulated camera. Lengths are in mm."""

import math
from dataclasses import dataclass
from functools import lru_cache
from random import Random

import cv2
import numpy as np
from cv2.typing import MatLike

from vision.board.sheets import AREA_CENTERS_MM, STICKER_EDGE_MM, marker_number, printable_pages, sticker_image
from vision.dice.polyhedra import Floats
from vision.synthetic import paint
from vision.synthetic.paint import Image, Lens, LitScene, as_uint8
from vision.tray.calibration_sheet import PAGE_CORNERS_MM, PAGE_SIZE_MM

# width and thickness of a wooden token
TOKEN_WIDTH_MM = 30.0
TOKEN_HEIGHT_MM = 8.0
BOARD_CENTER_MM = (105.0, 142.0)  # the middle of the board on its page, which the camera looks at
# colors of the tokens and of the table below, as blue, green, red
WOOD_BGR = (128, 172, 206)
TABLE_BGR = (38, 56, 82)
PAGE_PIXELS_PER_MM = 4  # pixels per mm at which the page is rendered; a sticker has twice as many
INK_BRIGHTNESS = 34  # brightness of black ink, 0 to 255


@dataclass(frozen=True, slots=True)
class _Disc:
    """A round thing that stands on the page: a token, with the marker that is up and its rotation, or a cup."""

    x: float
    y: float
    radius: float
    height: float
    colour: tuple[int, int, int]
    marker: int | None = None
    turn: float = 0.0


class SyntheticBoard(LitScene):
    """The board on a dark table, tokens, a cup or a hand on it, and the camera.

    `size` is the frame's width and height in pixels; the same `seed` gives the same wood and noise. The page's width
    fills `share` of the frame's. The camera looks at the board's middle from `height` away, straight above or tilted by
    `tilt` degrees, 0 to 60; the page is turned by `turn` radians and moved by `aside`. `white` is the brightness of the
    paper, 0 to 255, and `noise` is the camera's, in gray levels. Its light (see `Lit`)
    may be set at any time, and so may `jpeg`, the quality at which the camera compresses its pictures, 1 to 100 or
    None, and `hand`, how far a hand's fingers are from the picture's middle, right and down, in shares of its size, or
    None.
    """

    def __init__(
        self,
        size: tuple[int, int] = (640, 480),
        seed: int | None = None,
        *,
        share: float = 0.6,
        height: float = 480.0,
        tilt: float = 0.0,
        turn: float = 0.0,
        aside: tuple[float, float] = (0.0, 0.0),
        white: int = 236,
        noise: float = 2.5,
        page: MatLike | None = None,
    ) -> None:
        self.jpeg: int | None = None
        self.hand: tuple[float, float] | None = None
        # Twice the frame's resolution, so that edges look as through a lens.
        self._lens = Lens((2 * size[0], 2 * size[1]), PAGE_SIZE_MM[0] / share, height, tilt)
        self._size, self._turn, self._aside, self._white = size, turn, aside, white
        self._discs: list[_Disc] = []
        rng = np.random.default_rng(Random(seed).getrandbits(32))
        self._grain = paint.CameraNoise(size, noise, rng)
        self._table = _wooden_table(self._lens.size, rng)
        self._printed = _board_page() if page is None else _shrink_page(page)
        self._page: MatLike | None = self._printed
        self._still: Image | None = None

    def place_token(
        self,
        piece: int,
        where: str | tuple[float, float],
        *,
        back: bool = False,
        turn: float = 0.0,
        off: float = 0.0,
        height: float = TOKEN_HEIGHT_MM,
    ) -> None:
        """Put a token down, front or back up, turned by `turn` radians: in an area, or at a place on the page. It lies
        `off` from there, in the direction of `turn`, its sticker `height` above the page. Whether the place is free is
        not checked."""
        x, y = AREA_CENTERS_MM[where] if isinstance(where, str) else where
        x, y = x + off * math.cos(turn), y + off * math.sin(turn)
        self._add_disc(_Disc(x, y, TOKEN_WIDTH_MM / 2, height, WOOD_BGR, marker_number(piece, back), turn))

    def place_cover(
        self, where: str | tuple[float, float], radius: float = TOKEN_WIDTH_MM / 2, height: float = TOKEN_HEIGHT_MM
    ) -> None:
        """Put a round thing without a sticker down: a token or, with other measures, a cup."""
        x, y = AREA_CENTERS_MM[where] if isinstance(where, str) else where
        self._add_disc(_Disc(x, y, radius, height, WOOD_BGR))

    def clear_board(self) -> None:
        """Take everything off the board."""
        self._discs, self._still = [], None

    def remove_page(self) -> None:
        """Take the page off the table, with everything on it, until `restore_page` puts it back unchanged."""
        self._page, self._still = None, None

    def restore_page(self) -> None:
        """Put the page back, with everything that lay on it."""
        self._page, self._still = self._printed, None

    def render_frame(self) -> Image:
        """Return what the camera sees, (height, width, 3) blue, green, red. The noise is fresh each time."""
        picture = self._render_scene()
        if self.hand is not None:
            (wide, tall), (right, down), picture = self._lens.size, self.hand, picture.copy()
            paint.draw_hand(self._lens).moved_to(round(right * wide), round((down - 0.15) * tall)).paste_onto(picture)
        seen = as_uint8(cv2.resize(picture, self._size, interpolation=cv2.INTER_AREA))
        seen = self._grain.add_noise(self.apply_light(seen))
        if self.jpeg is not None:
            packed = cv2.imencode(".jpg", seen, [cv2.IMWRITE_JPEG_QUALITY, self.jpeg])[1]
            seen = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
        return seen

    def _add_disc(self, disc: _Disc) -> None:
        self._discs, self._still = [*self._discs, disc], None

    def _render_scene(self) -> Image:
        """Draw the table, the page and everything on it at the lens's resolution. Redrawn only after a change."""
        if self._still is None:
            self._still = self._table.copy()
            if self._page is not None:
                _paste_warped(
                    self._still,
                    self._print_on_paper(self._page),
                    self._page_homography(0) @ _scale_matrix(1 / PAGE_PIXELS_PER_MM),
                )
                for disc in sorted(self._discs, key=lambda disc: -self._camera_distance(disc)):
                    self._draw_disc(self._still, disc)
        return self._still

    def _draw_disc(self, picture: Image, disc: _Disc) -> None:
        """Draw one thing that stands on the page, its shadow first."""
        ring = np.linspace(0, math.tau, 48, endpoint=False)
        edge = np.column_stack([disc.x + disc.radius * np.cos(ring), disc.y + disc.radius * np.sin(ring)])
        low, high = self._table_points(edge, 0), self._table_points(edge, disc.height)
        paint.draw_shadow(self._lens, np.concatenate([low, high])).paste_onto(picture)
        rim, top = self._lens.project_points(np.concatenate([low, high])), self._lens.project_points(high)
        dark = tuple(0.62 * part for part in disc.colour)
        for spots, colour in ((rim, dark), (top, disc.colour)):
            hull = np.round(cv2.convexHull(spots) * 16).astype(np.int32)
            cv2.fillConvexPoly(picture, hull, colour, cv2.LINE_AA, 4)
        if disc.marker is None:
            return
        ink = self._print_on_paper(_sticker_print(disc.marker))
        sin, cos = math.sin(disc.turn), math.cos(disc.turn)
        lies = np.array([[cos, -sin, disc.x], [sin, cos, disc.y], [0, 0, 1]])
        half = np.array([[1, 0, -STICKER_EDGE_MM / 2], [0, 1, -STICKER_EDGE_MM / 2], [0, 0, 1]])
        _paste_warped(
            picture, ink, self._page_homography(disc.height) @ lies @ half @ _scale_matrix(STICKER_EDGE_MM / len(ink))
        )

    def _print_on_paper(self, drawn: MatLike) -> Image:
        """Return the print on this paper, in ink that is not quite black."""
        return as_uint8(np.round(INK_BRIGHTNESS + (self._white - INK_BRIGHTNESS) / 255 * drawn.astype(np.float32)))

    def _table_points(self, spots: MatLike, height: float) -> Floats:
        """Return where places on the page (count, 2) are on the table, `height` above it: (count, 3)."""
        sin, cos = math.sin(self._turn), math.cos(self._turn)
        flat = (spots - BOARD_CENTER_MM) @ np.array([[cos, sin], [-sin, cos]]) + self._aside
        return np.column_stack([flat, np.full(len(spots), height)]).astype(np.float32)

    def _page_homography(self, height: float) -> MatLike:
        """Return the homography, (3, 3), from mm on the page to pixels of the lens, for things `height` above it."""
        return cv2.getPerspectiveTransform(
            PAGE_CORNERS_MM, self._lens.project_points(self._table_points(PAGE_CORNERS_MM, height))
        )

    def _camera_distance(self, disc: _Disc) -> float:
        return float(np.linalg.norm(self._table_points(np.array([(disc.x, disc.y)]), 0) - self._lens.camera_position))


@lru_cache(1)
def _board_page() -> MatLike:
    return _shrink_page(printable_pages([])[0])


def _shrink_page(page: MatLike) -> MatLike:
    """Return the page at `PAGE_PIXELS_PER_MM` pixels per mm."""
    size = round(PAGE_SIZE_MM[0] * PAGE_PIXELS_PER_MM), round(PAGE_SIZE_MM[1] * PAGE_PIXELS_PER_MM)
    return cv2.resize(page, size, interpolation=cv2.INTER_AREA)


@lru_cache(64)
def _sticker_print(marker: int) -> MatLike:
    edge = round(STICKER_EDGE_MM * 2 * PAGE_PIXELS_PER_MM)
    return cv2.resize(sticker_image(marker, "token"), (edge, edge), interpolation=cv2.INTER_AREA)


def _paste_warped(picture: Image, flat: Image, way: MatLike) -> None:
    """Lay a flat gray picture over another, in place, as the homography says."""
    tall, wide = flat.shape
    corners = np.array([[(0, 0), (wide, 0), (wide, tall), (0, tall)]], np.float32)
    x, y, across, along = cv2.boundingRect(np.round(cv2.perspectiveTransform(corners, way)[0]).astype(np.int32))
    left, top = max(x - 2, 0), max(y - 2, 0)
    right, low = min(x + across + 2, picture.shape[1]), min(y + along + 2, picture.shape[0])
    if left >= right or top >= low:
        return
    moved = np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1]]) @ way
    size = right - left, low - top
    seen = cv2.warpPerspective(flat, moved, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    cover = cv2.warpPerspective(np.full_like(flat, 255), moved, size, flags=cv2.INTER_LINEAR)
    clear = cv2.merge([cv2.bitwise_not(cover)] * 3)
    colour = cv2.merge([cv2.multiply(seen, cover, scale=1 / 255)] * 3)
    paint.Sprite(left, top, as_uint8(colour), as_uint8(clear)).paste_onto(picture)


def _scale_matrix(much: float) -> MatLike:
    return np.diag([much, much, 1.0])


def _wooden_table(size: tuple[int, int], rng: np.random.Generator) -> Image:
    tall, wide = size[1] // 4, size[0] // 4
    grain = cv2.GaussianBlur(rng.standard_normal((tall, wide), np.float32), (0, 0), sigmaX=24, sigmaY=0.8)
    planks = as_uint8(np.clip(np.array(TABLE_BGR, np.float32) * (1 + 1.6 * grain[..., None]), 0, 255))
    return as_uint8(cv2.resize(planks, size, interpolation=cv2.INTER_CUBIC))
