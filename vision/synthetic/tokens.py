"""A synthetic copy of the printed board with wooden tokens, under a simulated camera. Lengths are in mm."""

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

TOKEN_WIDTH_MM = 30.0  # diameter of a wooden token
TOKEN_HEIGHT_MM = 8.0  # thickness of a wooden token
BOARD_CENTER_MM = (105.0, 142.0)  # center of the board on its page, at which the camera points
WOOD_BGR = (128, 172, 206)  # color of tokens
TABLE_BGR = (38, 56, 82)  # color of the table
PAGE_PIXELS_PER_MM = 4  # resolution of the rendered page; stickers have twice as much
INK_BRIGHTNESS = 34  # gray level of black ink, 0 to 255


@dataclass(frozen=True, slots=True)
class _Disc:
    """A cylinder on the page: a token with its marker and rotation, or a cup."""

    x: float
    y: float
    radius: float
    height: float
    colour: tuple[int, int, int]
    marker: int | None = None
    turn: float = 0.0


class SyntheticBoard(LitScene):
    """A board on a dark table with tokens, a cup or a hand, and the camera above. Light and lens are set as in
    `LitScene`.

    size: (width, height) of frames, in pixels.
    seed: seed of wood and noise.
    share: width of the page, as a share of the frame width.
    height, tilt: distance from the board's center, and tilt in degrees, 0 to 60.
    turn, aside: rotation of the page in radians, and its offset.
    white: gray level of the paper, 0 to 255.
    noise: camera noise, in gray levels.
    jpeg: quality of JPEG compression, 1 to 100, or None. May be set at any time.
    hand: offset of a hand's fingers from the center, right and down, in shares of the frame, or None. May be set at any
        time.
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
        # Supersample by two for smooth edges.
        self._lens = Lens((2 * size[0], 2 * size[1]), PAGE_SIZE_MM[0] / share, height, tilt)
        self._size, self._turn, self._aside, self._white = size, turn, aside, white
        self._discs: list[_Disc] = []
        rng = np.random.default_rng(Random(seed).getrandbits(32))
        self._noise = paint.CameraNoise(size, noise, rng)
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
        """Place a token in an area or at a position on the page, `off` mm away in the direction of `turn` (radians).
        `height` is that of its sticker above the page. It is not checked whether the position is free."""
        x, y = AREA_CENTERS_MM[where] if isinstance(where, str) else where
        x, y = x + off * math.cos(turn), y + off * math.sin(turn)
        self._add_disc(_Disc(x, y, TOKEN_WIDTH_MM / 2, height, WOOD_BGR, marker_number(piece, back), turn))

    def place_cover(
        self, where: str | tuple[float, float], radius: float = TOKEN_WIDTH_MM / 2, height: float = TOKEN_HEIGHT_MM
    ) -> None:
        """Place a cylinder without a sticker: a token or, with other dimensions, a cup."""
        x, y = AREA_CENTERS_MM[where] if isinstance(where, str) else where
        self._add_disc(_Disc(x, y, radius, height, WOOD_BGR))

    def clear_board(self) -> None:
        self._discs, self._still = [], None

    def remove_page(self) -> None:
        """Remove the page and everything on it, until `restore_page`."""
        self._page, self._still = None, None

    def restore_page(self) -> None:
        """Restore the page and everything on it."""
        self._page, self._still = self._printed, None

    def render_frame(self) -> Image:
        """Render a frame, (height, width, 3) BGR, with fresh noise."""
        picture = self._render_scene()
        if self.hand is not None:
            (wide, tall), (right, down), picture = self._lens.size, self.hand, picture.copy()
            paint.draw_hand(self._lens).moved_to(round(right * wide), round((down - 0.15) * tall)).paste_onto(picture)
        seen = as_uint8(cv2.resize(picture, self._size, interpolation=cv2.INTER_AREA))
        seen = self._noise.add_noise(self.apply_light(seen))
        if self.jpeg is not None:
            packed = cv2.imencode(".jpg", seen, [cv2.IMWRITE_JPEG_QUALITY, self.jpeg])[1]
            seen = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
        return seen

    def _add_disc(self, disc: _Disc) -> None:
        self._discs, self._still = [*self._discs, disc], None

    def _render_scene(self) -> Image:
        """Render at the lens's resolution. Cached until a change."""
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
        """Render a cylinder on the page, after its shadow."""
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
        return as_uint8(np.round(INK_BRIGHTNESS + (self._white - INK_BRIGHTNESS) / 255 * drawn.astype(np.float32)))

    def _table_points(self, spots: MatLike, height: float) -> Floats:
        """Convert points on the page (count, 2) to points above the table (count, 3), `height` above the page."""
        sin, cos = math.sin(self._turn), math.cos(self._turn)
        flat = (spots - BOARD_CENTER_MM) @ np.array([[cos, sin], [-sin, cos]]) + self._aside
        return np.column_stack([flat, np.full(len(spots), height)]).astype(np.float32)

    def _page_homography(self, height: float) -> MatLike:
        """Return the homography (3, 3) from mm on the page to pixels, for points `height` above it."""
        return cv2.getPerspectiveTransform(
            PAGE_CORNERS_MM, self._lens.project_points(self._table_points(PAGE_CORNERS_MM, height))
        )

    def _camera_distance(self, disc: _Disc) -> float:
        return float(np.linalg.norm(self._table_points(np.array([(disc.x, disc.y)]), 0) - self._lens.camera_position))


@lru_cache(1)
def _board_page() -> MatLike:
    return _shrink_page(printable_pages([])[0])


def _shrink_page(page: MatLike) -> MatLike:
    size = round(PAGE_SIZE_MM[0] * PAGE_PIXELS_PER_MM), round(PAGE_SIZE_MM[1] * PAGE_PIXELS_PER_MM)
    return cv2.resize(page, size, interpolation=cv2.INTER_AREA)


@lru_cache(64)
def _sticker_print(marker: int) -> MatLike:
    edge = round(STICKER_EDGE_MM * 2 * PAGE_PIXELS_PER_MM)
    return cv2.resize(sticker_image(marker, "token"), (edge, edge), interpolation=cv2.INTER_AREA)


def _paste_warped(picture: Image, flat: Image, way: MatLike) -> None:
    """Warp a flat gray image by a homography and paste it, in place."""
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
