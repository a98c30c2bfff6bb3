"""Detect whether the tray is empty, moving, under a hand or at rest, in every frame, and when a throw ends.

There are two measures. *Motion* between two frames is in pixels: the change of a small tile divided by its contrast, so
that white dice, dark dice and dim lamps count alike. *Objects in the tray* are differences from the reference image
after a correction for light. Without a reference image, the smoothest image so far is used for each region, because
dice have edges and felt has few.
"""

from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from vision.cameras.flicker import FlickerFilter

GrayImage = NDArray[np.float32]

SMALL_WIDTH_PX = 216  # approximate width of the small image that is measured
TILE_EDGE_PX = 8  # edge of a tile for motion, in pixels of the small image
MIN_OBJECT_AREA_PX = 5  # minimum area of an object, in pixels of the small image
# Minimum gain in edge strength along an object's outline, in gray levels per pixel. Shadows have less.
MIN_OUTLINE_STRENGTH = 0.6
# A thrown die is faster than this share of the image width per second. A turned, nudged or bumped die stops sooner.
MIN_FLIGHT_SPEED = 0.25
MIN_FLIGHT_S = 0.25  # minimum duration of that speed
# An object that overlaps an earlier one by more than this share of its area didn't come from elsewhere.
MAX_OVERLAP_SHARE = 0.8
MAX_DIE_SHARE = 0.2  # A larger object, as a share of the image, is not a die.
MAX_EDGE_DIE_SHARE = 0.04  # the same for an object that extends beyond the image edge

KERNEL_3X3 = np.ones((3, 3), np.uint8)


class TrayState(StrEnum):
    """State of the tray. The value is the word that people see."""

    EMPTY = "empty"
    MOVING = "moving"
    HAND = "hand"
    SETTLED = "settled"
    UNSURE = "unsure"


@dataclass(frozen=True, slots=True)
class DetectedThrow:
    """Dice that were moving and are now at rest.

    start, end: when they began to move and came to rest, in the seconds of `TrayWatcher.process_frame`. Motion under a
        hand does not count: `start` is later than the last sight of a hand.
    first, last: the first still frame and the one in `frame`, by the watcher's count from 0.
    frame: the full image to read.
    touched: True if the dice were not thrown but turned or nudged, or if something else moved.
    by_hand: True if a hand, or anything else from beyond the image edge, was seen since the dice last rested.
    """

    start: float
    end: float
    first: int
    last: int
    frame: MatLike
    touched: bool = False
    by_hand: bool = False


class TrayWatcher:
    """Classifies the tray frame by frame and detects throws.

    If the tray was empty, anything that comes to rest in it was thrown. Otherwise, or if it may not have been empty
    before the first rest, a throw needs dice in flight: fast for some time without a hand above. Also, most dice must
    have left before, or one must come to rest where none was. Dice uncovered by a large object that leaves were not
    thrown.

    empty: reference image of the empty tray from the same camera, or None to learn it.
    still, frames: a throw is over after this many seconds and frames without motion.
    shake: motion threshold between frames, as a share of the image width. 0.003 suits a fixed camera, 0.0065 a
        hand-held one.
    drift: the same for all frames that seem still, because a die that turns slowly moves little between two. A
        hand-held camera needs 0.015.
    patience: seconds after which a large still object becomes part of the reference image.
    """

    def __init__(
        self,
        empty: MatLike | None = None,
        *,
        still: float = 0.35,
        frames: int = 5,
        shake: float = 0.003,
        drift: float = 0.004,
        patience: float = 6.0,
    ) -> None:
        self.throw: DetectedThrow | None = None  # the throw that the last frame completed, else None
        # True if the last frame just came to rest and the tray may be empty. The reader decides: call
        # `learn_empty_tray` if it sees no dice, else `mark_occupied`.
        self.unsure_if_empty = False
        self.missed = False  # True if the last frame ended a flight into the empty tray after which nothing is in it
        self.state = TrayState.UNSURE  # state in the last frame
        self.count = 0  # number of frames so far
        self._still, self._frames, self._shake, self._drift, self._patience = still, frames, shake, drift, patience
        self._empty = self._first_reference = None if empty is None else small_gray_image(empty)
        self._known = empty is not None
        self._may_be_occupied = False
        self._flicker_filter = FlickerFilter()
        self._before: GrayImage | None = None
        self._rested: GrayImage | None = None
        self._things = np.zeros((1, 1), bool)
        self._has_moved = self._gone = self._reached_in = False
        self._flight_s = 0.0
        self._motion_start: float | None = None
        self._since: tuple[int, float] | None = None
        self._still_from: GrayImage | None = None  # the image at `_since`
        self._rejected: DetectedThrow | None = None
        self._when = 0.0

    @property
    def lamp_flickers(self) -> bool:
        return self._flicker_filter.flickers

    def learn_empty_tray(self, frame: MatLike) -> None:
        """Make this frame the reference image, because a reader saw no dice in it."""
        self._empty = self._rested = self._first_reference = small_gray_image(frame)
        self._things = np.zeros(self._empty.shape, bool)
        self._known, self._may_be_occupied = True, False
        if self.state in (TrayState.UNSURE, TrayState.SETTLED):
            self.state = TrayState.EMPTY

    def reject_rest(self, throw: DetectedThrow) -> None:
        """Note that the dice of `throw` still move, although no frame showed it. The next rest completes the throw."""
        self._rejected, self._has_moved, self._motion_start, self._since = throw, True, throw.start, None
        self.state = TrayState.MOVING

    def mark_occupied(self) -> None:
        """Note that the reference image may contain dice. Until `learn_empty_tray`, only dice in flight are a throw."""
        self._may_be_occupied = True
        if self.state is TrayState.EMPTY:
            self.state = TrayState.SETTLED

    def process_frame(self, frame: MatLike, when: float) -> TrayState:
        """Process the next frame and return the tray's state.

        frame: (height, width) gray or (height, width, 3) BGR bytes. Kept only in a throw and never written to. A change
            of size resets the watcher.
        when: time in seconds, strictly increasing.
        """
        grey = small_gray_image(frame)
        if self._before is not None and self._before.shape != grey.shape:
            self._reset_state()
        if self._empty is not None and self._empty.shape != grey.shape:
            self._empty, self._known = None, False
        grey = self._flicker_filter.filter_frame(grey, self._empty)
        self.throw, self.unsure_if_empty, self.missed = None, False, False
        far = 0.0 if self._before is None else motion_px(self._before, grey) / grey.shape[1]
        moving = far > self._shake
        if not moving and self._has_moved and self._since is not None and self._still_from is not None:
            moving = motion_px(self._still_from, grey) / grey.shape[1] > self._drift
        if moving or self._since is None:
            self._since, self._still_from = None if moving else (self.count, when), grey
        off = None if self._empty is None else changed_pixels(self._empty, grey)
        hand = self._empty is not None and off is not None and has_large_object(off, self._empty, grey)
        if hand and self._first_reference is not None and self._first_reference.shape == grey.shape:
            # A hand that was still at the edge may have become part of the reference image. The first one shows whether
            # it left.
            bare = changed_pixels(self._first_reference, grey)
            if not has_large_object(bare, self._first_reference, grey):
                self._empty, off, hand = self._first_reference, bare, False
        if off is not None and (hand or moving or self._has_moved):
            self._reached_in |= hand or _is_at_edge(off & ~self._things if off.shape == self._things.shape else off)
        if hand:
            self.state = self._handle_hand(when)
        elif moving:
            self._motion_start = when if self._motion_start is None else self._motion_start
            self._has_moved = True
            gap = when - self._when
            # Visible motion saturates after a long gap. A hand that leaves is not flight.
            self._flight_s += gap if far > MIN_FLIGHT_SPEED * min(gap, 0.1) and self.state is not TrayState.HAND else 0
            self._gone |= off is not None and bool(2 * (off & self._things).sum() < self._things.sum())
            self.state = TrayState.MOVING
        else:
            self.state = self._handle_still_frame(frame, grey, when)
        self._before, self._when = grey, when
        self.count += 1
        return self.state

    def _handle_hand(self, when: float) -> TrayState:
        """Handle a large object. If it never moves, it is not a hand but part of the reference image."""
        self._has_moved, self._motion_start, self._flight_s, self._rejected = True, None, 0.0, None
        if self._since is None or when - self._since[1] < self._patience:
            return TrayState.HAND
        self._reset_state()
        return TrayState.UNSURE

    def _handle_still_frame(self, frame: MatLike, grey: GrayImage, when: float) -> TrayState:
        """Handle a frame without motion. After enough of them, decide what is in the tray."""
        assert self._since is not None
        first, end = self._since
        # Half a millisecond of tolerance absorbs rounding errors in multiples of 1/3 s.
        if self.count - first + 1 < self._frames or when - end < self._still - 0.0005:
            return TrayState.MOVING if self._has_moved else self.state
        if self._rested is not None and not self._has_moved:
            self._adapt_to_daylight(grey)
            return self.state
        before, self._rested = self._rested, grey
        start, stirred = end if self._motion_start is None else self._motion_start, self._has_moved
        flown, gone, lay, blind = self._flight_s > MIN_FLIGHT_S, self._gone, self._things, self._may_be_occupied
        by_hand, rejected = self._reached_in, self._rejected
        self._has_moved = self._gone = self._reached_in = False
        self._rejected = None
        self._motion_start, self._flight_s = None, 0.0
        bared = False
        if self._empty is None:
            # Without a reference image, dice that came to rest were thrown. A tray without motion may be empty or not.
            self._empty, self._known, self.unsure_if_empty = grey, stirred, not stirred
            self._things = np.full(grey.shape, stirred)
            self._may_be_occupied = stirred
        else:
            self._things, left = self._compare_with_reference(self._empty, grey)
            self._empty = np.where(left, grey, self._empty)
            self._known |= bool(self._things.any())
            bared = float(left.mean()) > MAX_DIE_SHARE
        if not self._things.any():
            self.unsure_if_empty |= self._may_be_occupied
            self.missed = flown and before is not None and not lay.any() and not blind
            return TrayState.EMPTY if self._known else TrayState.UNSURE
        if stirred:
            new = before is None or int((changed_pixels(before, grey) & self._things).sum()) >= MIN_OBJECT_AREA_PX
            # Before the first rest, or under a book that became part of the reference image, unknown dice may have been
            # there.
            strange = before is not None and not lay.any() and not blind
            came = strange or (flown and (before is None or gone or has_new_object(lay, self._things)))
            touched = not (new and came and not bared)
            if rejected is not None:
                touched, by_hand = touched and rejected.touched, by_hand or rejected.by_hand
            self.throw = DetectedThrow(start, end, first, self.count, frame, touched, by_hand)
        return TrayState.SETTLED

    def _adapt_to_daylight(self, grey: GrayImage) -> None:
        """Blend slow changes of daylight into the reference images while nothing moves."""
        assert self._rested is not None
        assert self._empty is not None
        self._rested = _blend_images(self._rested, grey)
        follows = _blend_images(self._empty, grey)
        self._empty = np.where(self._things, self._empty, follows) if self._things.any() else follows

    def _compare_with_reference(self, empty: GrayImage, grey: GrayImage) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Return masks of new objects in the tray and of objects in the reference image that are gone."""
        arrived = np.zeros(grey.shape, bool)
        left = np.zeros(grey.shape, bool)
        gained = added_edge_strength(empty, grey)
        count, labels, stats, _ = cv2.connectedComponentsWithStats(changed_pixels(empty, grey).astype(np.uint8))
        for label in range(1, count):
            x, y, wide, tall, _ = stats[label].tolist()
            here = np.s_[max(y - 2, 0) : y + tall + 2, max(x - 2, 0) : x + wide + 2]
            one = labels[here] == label
            if outline_strength(one, gained[here]) > MIN_OUTLINE_STRENGTH:
                arrived[here] |= one
            else:
                left[here] |= cv2.dilate(one.astype(np.uint8), KERNEL_3X3) > 0
        return arrived, left

    def _reset_state(self) -> None:
        """Forget the reference images and start over."""
        self._empty = self._first_reference = self._rested = self._before = None
        self._known = self._has_moved = self._gone = self._reached_in = False
        self._motion_start = self._since = self._rejected = None
        self._flight_s = 0.0
        self.state = TrayState.UNSURE


def small_gray_image(frame: MatLike) -> GrayImage:
    """Convert a frame to gray and shrink it to a width of about 216 pixels. Values are 0 to 255."""
    # Convert to gray first, because shrinking three channels takes twice as long as everything else.
    grey = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY) if frame.ndim == 3 else frame
    less = block_means(grey, max(round(frame.shape[1] / SMALL_WIDTH_PX), 1)).astype(np.float32)
    return cv2.GaussianBlur(less, (3, 3), 0).astype(np.float32, copy=False)


def block_means(picture: MatLike, along: int) -> MatLike:
    """Average blocks of `along` x `along` pixels, at a fifth of the cost of INTER_AREA."""
    tall, wide = picture.shape[0] // along, picture.shape[1] // along
    mean, first = cv2.blur(picture, (along, along)), along // 2
    return mean[first::along, first::along][:tall, :wide]


def tile_means(grey: MatLike) -> MatLike:
    """Average each tile. Padding to full tiles by reflection makes this four times cheaper."""
    down, across = -grey.shape[0] % TILE_EDGE_PX, -grey.shape[1] % TILE_EDGE_PX
    whole = cv2.copyMakeBorder(grey, 0, down, 0, across, cv2.BORDER_REFLECT)
    return cv2.resize(
        whole, (whole.shape[1] // TILE_EDGE_PX, whole.shape[0] // TILE_EDGE_PX), interpolation=cv2.INTER_AREA
    )


def fast_median(values: MatLike) -> float:
    """Return the median (the upper one of two), six times as fast as numpy."""
    half = values.size // 2
    return float(np.partition(values, half, axis=None)[half])


def edge_strength(grey: GrayImage) -> GrayImage:
    """Return the gradient magnitude in gray levels per pixel, near 0 on bare felt."""
    across = cv2.absdiff(cv2.Sobel(grey, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8), np.zeros(1))
    down = cv2.absdiff(cv2.Sobel(grey, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8), np.zeros(1))
    return np.asarray(cv2.max(across, down), np.float32)


def motion_px(before: GrayImage, grey: GrayImage) -> float:
    """Estimate the motion of the fastest tile in pixels of the small image, insensitive to noise and light."""
    change = cv2.subtract(grey, before)
    amount = tile_means(cv2.absdiff(change, np.full(1, fast_median(tile_means(change)))))
    beyond = np.maximum(amount - 1.6 * fast_median(amount) - 0.5, 0)
    if not beyond.any():
        return 0.0
    contrast = tile_means(cv2.add(edge_strength(before), edge_strength(grey)) / 2)
    return float((beyond / (contrast + 2)).max())


def changed_pixels(before: GrayImage, grey: GrayImage, shift: int = 1) -> NDArray[np.bool_]:
    """Return a mask of changed pixels. Changes of overall brightness and shifts of up to `shift` pixels are ignored."""
    lit, reach = before * light_gain(before, grey), np.ones((2 * shift + 1,) * 2, np.uint8)
    low = cv2.addWeighted(cv2.erode(lit, reach), 1, lit, -0.12, -6)
    high = cv2.addWeighted(cv2.dilate(lit, reach), 1, lit, 0.12, 6)
    off = cv2.bitwise_not(cv2.inRange(grey, low, high))
    if not cv2.countNonZero(off):
        return np.zeros(grey.shape, bool)
    specks = cv2.morphologyEx(off, cv2.MORPH_CLOSE, KERNEL_3X3)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(specks)
    big = stats[:count, cv2.CC_STAT_AREA] >= MIN_OBJECT_AREA_PX
    big[0] = False
    return np.asarray(big[labels])


def light_gain(before: GrayImage, grey: GrayImage) -> float:
    """Estimate the factor of the brightness change, from the half of the image that changed least."""
    return fast_median((grey[::4, ::4] + 8) / (before[::4, ::4] + 8))


def has_large_object(off: NDArray[np.bool_], empty: GrayImage, grey: GrayImage) -> bool:
    """True if an object far larger than a die is in the tray, or a large one extends beyond the image edge. `off` is
    the mask of changed pixels. An arm crosses the edge broadly and has an outline, which a soft shadow lacks."""
    tall, wide = grey.shape
    if off.sum() <= MAX_EDGE_DIE_SHARE * tall * wide:
        return False
    count, labels, stats, _ = cv2.connectedComponentsWithStats(off.astype(np.uint8))
    rim = np.concatenate([labels[0], labels[-1], labels[1:-1, 0], labels[1:-1, -1]])
    for label in range(1, count):
        share = stats[label, cv2.CC_STAT_AREA] / (tall * wide)
        large = share > MAX_DIE_SHARE or (share > MAX_EDGE_DIE_SHARE and (rim == label).sum() > 0.12 * wide)
        if large and outline_strength(labels == label, added_edge_strength(empty, grey)) > MIN_OUTLINE_STRENGTH:
            return True
    return False


def has_new_object(lay: NDArray[np.bool_], lies: NDArray[np.bool_]) -> bool:
    """True if an object is where none was before. Thin edges that are slightly shifted don't count."""
    count, labels = cv2.connectedComponents(cv2.erode(lies.astype(np.uint8), KERNEL_3X3, iterations=2))
    return any(float(lay[labels == label].mean()) < MAX_OVERLAP_SHARE for label in range(1, count))


def added_edge_strength(before: GrayImage, grey: GrayImage) -> GrayImage:
    """Return the gain in edge strength. Noise, which is uniform, is subtracted."""
    then, now = edge_strength(before), edge_strength(grey)
    return np.asarray((now - np.median(now)) - (then - np.median(then)), np.float32)


def outline_strength(shape: NDArray[np.bool_], edges: GrayImage) -> float:
    """Return the mean edge strength along the outline of a shape, or infinity if it fills the image."""
    bits = shape.astype(np.uint8)
    outline = cv2.dilate(bits, KERNEL_3X3) - cv2.erode(bits, KERNEL_3X3)
    return float(edges[outline > 0].mean()) if outline.any() else float("inf")


def _is_at_edge(mask: NDArray[np.bool_]) -> bool:
    """True if something in the mask reaches the image edge."""
    edge = np.concatenate([mask[0], mask[-1], mask[1:-1, 0], mask[1:-1, -1]])
    return int(edge.sum()) >= MIN_OBJECT_AREA_PX


def _blend_images(old: GrayImage, new: GrayImage) -> GrayImage:
    return np.asarray(cv2.addWeighted(old, 0.95, new, 0.05, 0), np.float32)
