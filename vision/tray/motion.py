"""Is the tray empty, moving, under a hand, or settled? Cheap enough for every frame; sure when a throw is over.

It rests on two measures. *Motion* between two frames is measured in pixels moved: the change of a small patch divided
by its contrast, so a white die, a dark die and a dim lamp count alike. *Things in the tray* are differences from the
tray's empty picture, after the light is evened out. Without an empty picture the plainest picture seen so far serves,
place by place: dice have edges, felt has few.
"""

from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

GrayImage = NDArray[np.float32]

SMALL_WIDTH_PX = 216  # approximate width, in pixels, of the small picture that everything is measured on
TILE_EDGE_PX = 8  # width, in small pixels, of one patch whose motion is measured
MIN_OBJECT_AREA_PX = 5  # least area of a thing, in small pixels
# Least strength of a thing's outline, in gray levels per pixel more than the felt had there; a shadow has less.
MIN_OUTLINE_STRENGTH = 0.6
# A thrown die moves faster than this share of the picture's width per second, for longer than this many seconds. A die
# that is turned, nudged or bumped stops sooner.
MIN_FLIGHT_SPEED = 0.25
MIN_FLIGHT_S = 0.25
MAX_OVERLAP_SHARE = (
    0.8  # a thing that overlaps an earlier one by more than this share of its area has not come from elsewhere
)
MAX_DIE_SHARE = 0.2  # a thing that covers more than this share of the picture is not a die
MAX_EDGE_DIE_SHARE = 0.04  # neither is a thing that reaches in over the picture's edge and covers more than this share

KERNEL_3X3 = np.ones((3, 3), np.uint8)


class TrayState(StrEnum):
    """What the tray is doing. The value is the word that people see."""

    EMPTY = "empty"
    MOVING = "moving"
    HAND = "hand"
    SETTLED = "settled"
    UNSURE = "unsure"


@dataclass(frozen=True, slots=True)
class DetectedThrow:
    """Dice were moving and now lie still.

    `touched` dice were not thrown: they lay there, and one was turned or nudged, or something only moved. `start` is
    when they began to move and `end` when they came to rest, in the seconds given to `Watcher.process_frame`. Motion
    under a hand does not count: `start` is later than the last sight of a hand. `first` and `last` number the watcher's
    frames, from 0, from the first still one to the one in `frame`, which is the full picture to read.
    """

    start: float
    end: float
    first: int
    last: int
    frame: MatLike
    touched: bool = False


class TrayWatcher:
    """Detects what the tray is doing, frame by frame.

    `empty` is a picture of the empty tray from the same camera, or None to learn it. A throw is over once nothing moved
    for `still` seconds and `frames` frames. "Nothing" means less than `shake` of the picture's width from one frame to
    the next: 0.003 suits a fixed camera, 0.0065 one that is held by hand. A large still thing that covered the tray for
    `patience` seconds is taken as the tray's new look.

    If nothing lay there before, anything that comes to lie there was thrown. Where dice lay, or may have lain before
    the first rest, only dice that flew are a throw: they moved fast, for a while, without a hand above; and most dice
    were gone before, or one came to lie where none lay. Dice uncovered by a large thing that left were not thrown.
    """

    def __init__(
        self,
        empty: MatLike | None = None,
        *,
        still: float = 0.35,
        frames: int = 5,
        shake: float = 0.003,
        patience: float = 6.0,
    ) -> None:
        self.throw: DetectedThrow | None = None  # the throw that the last frame completed, else None
        # True if the last frame has just come to rest and it is unknown whether the tray is empty.
        # Have a reader look at that frame: if it shows no dice, call `learn_empty_tray`, else `mark_occupied`.
        self.unsure_if_empty = False
        self.state = TrayState.UNSURE  # the state in the last frame
        self.count = 0  # number of frames so far
        self._still, self._frames, self._shake, self._patience = still, frames, shake, patience
        self._empty = self._bare = None if empty is None else small_gray_image(empty)
        self._known = empty is not None
        self._blind = False
        self._before: GrayImage | None = None
        self._rested: GrayImage | None = None
        self._things = np.zeros((1, 1), bool)
        self._stirred = self._gone = False
        self._flown = 0.0
        self._began: float | None = None
        self._since: tuple[int, float] | None = None
        self._when = 0.0

    def learn_empty_tray(self, frame: MatLike) -> None:
        """Take this frame as the empty tray's picture: a reader saw no dice in it."""
        self._empty = self._rested = self._bare = small_gray_image(frame)
        self._things = np.zeros(self._empty.shape, bool)
        self._known, self._blind = True, False
        if self.state in (TrayState.UNSURE, TrayState.SETTLED):
            self.state = TrayState.EMPTY

    def mark_occupied(self) -> None:
        """Note that the empty picture may contain dice: until `learn_empty_tray`, only dice that fly in are a throw."""
        self._blind = True

    def process_frame(self, frame: MatLike, when: float) -> TrayState:
        """Take in the next frame, (height, width) gray or (height, width, 3) color bytes, taken at `when` seconds.
        `when` must grow from frame to frame. The frame is kept only in a throw and never written to. A frame of another
        size than the one before restarts the watch."""
        grey = small_gray_image(frame)
        if self._before is not None and self._before.shape != grey.shape:
            self._reset_state()
        if self._empty is not None and self._empty.shape != grey.shape:
            self._empty, self._known = None, False
        self.throw, self.unsure_if_empty = None, False
        far = 0.0 if self._before is None else motion_px(self._before, grey) / grey.shape[1]
        moving = far > self._shake
        if moving or self._since is None:
            self._since = None if moving else (self.count, when)
        off = None if self._empty is None else changed_pixels(self._empty, grey)
        hand = self._empty is not None and off is not None and has_large_object(off, self._empty, grey)
        if hand and self._bare is not None and self._bare.shape == grey.shape:
            # A hand that lay still at the edge may have been taken for the tray, and be missed since it left.
            bare = changed_pixels(self._bare, grey)
            if not has_large_object(bare, self._bare, grey):
                self._empty, off, hand = self._bare, bare, False
        if hand:
            self.state = self._handle_hand(when)
        elif moving:
            self._began = when if self._began is None else self._began
            self._stirred = True
            gap = when - self._when
            # Visible motion saturates after a long gap, and a hand's motion as it leaves is not flight.
            self._flown += gap if far > MIN_FLIGHT_SPEED * min(gap, 0.1) and self.state is not TrayState.HAND else 0
            self._gone |= off is not None and bool(2 * (off & self._things).sum() < self._things.sum())
            self.state = TrayState.MOVING
        else:
            self.state = self._handle_still_frame(frame, grey, when)
        self._before, self._when = grey, when
        self.count += 1
        return self.state

    def _handle_hand(self, when: float) -> TrayState:
        """Handle a large thing in the tray. If it stays and never moves it is not a hand but the tray's new look."""
        self._stirred, self._began, self._flown = True, None, 0.0
        if self._since is None or when - self._since[1] < self._patience:
            return TrayState.HAND
        self._reset_state()
        return TrayState.UNSURE

    def _handle_still_frame(self, frame: MatLike, grey: GrayImage, when: float) -> TrayState:
        """Handle a frame without motion. Once that lasts long enough, decide what lies there."""
        assert self._since is not None
        first, end = self._since
        # Half a millisecond of tolerance, or thirds of a second would fail by rounding.
        if self.count - first + 1 < self._frames or when - end < self._still - 0.0005:
            return TrayState.MOVING if self._stirred else self.state
        if self._rested is not None and not self._stirred:
            self._adapt_to_daylight(grey)
            return self.state
        before, self._rested = self._rested, grey
        start, stirred = end if self._began is None else self._began, self._stirred
        flown, gone, lay, blind = self._flown > MIN_FLIGHT_S, self._gone, self._things, self._blind
        self._stirred = self._gone = False
        self._began, self._flown = None, 0.0
        bared = False
        if self._empty is None:
            # Nothing is known yet. Dice that came to rest were thrown; a tray that was always still may be empty or
            # not.
            self._empty, self._known, self.unsure_if_empty = grey, stirred, not stirred
            self._things = np.full(grey.shape, stirred)
            self._blind = stirred
        else:
            self._things, left = self._compare_with_reference(self._empty, grey)
            self._empty = np.where(left, grey, self._empty)
            self._known |= bool(self._things.any())
            bared = float(left.mean()) > MAX_DIE_SHARE
        if not self._things.any():
            self.unsure_if_empty |= self._blind
            return TrayState.EMPTY if self._known else TrayState.UNSURE
        if stirred:
            new = before is None or int((changed_pixels(before, grey) & self._things).sum()) >= MIN_OBJECT_AREA_PX
            # Before the first rest it is unknown what lay there, or what lay under a book that was taken for the tray.
            strange = before is not None and not lay.any() and not blind
            came = strange or (flown and (before is None or gone or has_new_object(lay, self._things)))
            self.throw = DetectedThrow(start, end, first, self.count, frame, touched=not (new and came and not bared))
        return TrayState.SETTLED

    def _adapt_to_daylight(self, grey: GrayImage) -> None:
        """Adapt the known pictures to the changing daylight while nothing moves."""
        assert self._rested is not None
        assert self._empty is not None
        self._rested = _blend_images(self._rested, grey)
        follows = _blend_images(self._empty, grey)
        self._empty = np.where(self._things, self._empty, follows) if self._things.any() else follows

    def _compare_with_reference(self, empty: GrayImage, grey: GrayImage) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Return where things lie that the empty picture lacks, and where it shows things that are gone."""
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
        """Start over: what the tray looks like must be learned again."""
        self._empty = self._bare = self._rested = self._before = None
        self._known = self._stirred = self._gone = False
        self._began = self._since = None
        self._flown = 0.0
        self.state = TrayState.UNSURE


def small_gray_image(frame: MatLike) -> GrayImage:
    """Return the frame in gray, about 216 pixels wide, 0 to 255."""
    # Convert to gray first: shrinking three colors takes twice as long as everything else.
    grey = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY) if frame.ndim == 3 else frame
    less = block_means(grey, max(round(frame.shape[1] / SMALL_WIDTH_PX), 1)).astype(np.float32)
    return cv2.GaussianBlur(less, (3, 3), 0).astype(np.float32, copy=False)


def block_means(picture: MatLike, along: int) -> MatLike:
    """Return the mean of each whole block of `along` x `along` pixels, at a fifth of the cost of shrinking by area."""
    tall, wide = picture.shape[0] // along, picture.shape[1] // along
    mean, first = cv2.blur(picture, (along, along)), along // 2
    return mean[first::along, first::along][:tall, :wide]


def tile_means(grey: MatLike) -> MatLike:
    """Return the mean of each patch. Mirroring the picture up to whole patches makes this four times cheaper."""
    down, across = -grey.shape[0] % TILE_EDGE_PX, -grey.shape[1] % TILE_EDGE_PX
    whole = cv2.copyMakeBorder(grey, 0, down, 0, across, cv2.BORDER_REFLECT)
    return cv2.resize(
        whole, (whole.shape[1] // TILE_EDGE_PX, whole.shape[0] // TILE_EDGE_PX), interpolation=cv2.INTER_AREA
    )


def fast_median(values: MatLike) -> float:
    """Return the median (the greater of two in the middle), six times as fast as numpy's."""
    half = values.size // 2
    return float(np.partition(values, half, axis=None)[half])


def edge_strength(grey: GrayImage) -> GrayImage:
    """Return how much the picture changes from pixel to pixel, in gray levels; plain felt is near 0."""
    across = cv2.absdiff(cv2.Sobel(grey, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8), np.zeros(1))
    down = cv2.absdiff(cv2.Sobel(grey, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8), np.zeros(1))
    return np.asarray(cv2.max(across, down), np.float32)


def motion_px(before: GrayImage, grey: GrayImage) -> float:
    """Return about how many pixels the fastest patch moved between two small pictures. Noise and light count little."""
    change = cv2.subtract(grey, before)
    amount = tile_means(cv2.absdiff(change, np.full(1, fast_median(tile_means(change)))))
    beyond = np.maximum(amount - 1.6 * fast_median(amount) - 0.5, 0)
    if not beyond.any():
        return 0.0
    contrast = tile_means(cv2.add(edge_strength(before), edge_strength(grey)) / 2)
    return float((beyond / (contrast + 2)).max())


def changed_pixels(before: GrayImage, grey: GrayImage) -> NDArray[np.bool_]:
    """Return where the picture differs, at any brightness of the lamp and by more than a shift of one small pixel."""
    lit = before * light_gain(before, grey)
    low = cv2.addWeighted(cv2.erode(lit, KERNEL_3X3), 1, lit, -0.12, -6)
    high = cv2.addWeighted(cv2.dilate(lit, KERNEL_3X3), 1, lit, 0.12, 6)
    off = cv2.bitwise_not(cv2.inRange(grey, low, high))
    if not cv2.countNonZero(off):
        return np.zeros(grey.shape, bool)
    specks = cv2.morphologyEx(off, cv2.MORPH_CLOSE, KERNEL_3X3)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(specks)
    big = stats[:count, cv2.CC_STAT_AREA] >= MIN_OBJECT_AREA_PX
    big[0] = False
    return np.asarray(big[labels])


def light_gain(before: GrayImage, grey: GrayImage) -> float:
    """Return the factor by which the light changed, judged by the half of the picture that changed least."""
    return fast_median((grey[::4, ::4] + 8) / (before[::4, ::4] + 8))


def has_large_object(off: NDArray[np.bool_], empty: GrayImage, grey: GrayImage) -> bool:
    """True if a thing far larger than a die is in the tray, or something large reaches in over the picture's edge.
    `off` is where the pictures differ. An arm crosses the edge broadly and has an outline, which a soft shadow
    lacks."""
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
    """True if one of the things in the tray lies where none lay before. Thin edges, slightly shifted, do not count."""
    count, labels = cv2.connectedComponents(cv2.erode(lies.astype(np.uint8), KERNEL_3X3, iterations=2))
    return any(float(lay[labels == label].mean()) < MAX_OVERLAP_SHARE for label in range(1, count))


def added_edge_strength(before: GrayImage, grey: GrayImage) -> GrayImage:
    """Return how much stronger the edges have become. Noise, which is alike everywhere, is subtracted."""
    then, now = edge_strength(before), edge_strength(grey)
    return np.asarray((now - np.median(now)) - (then - np.median(then)), np.float32)


def outline_strength(shape: NDArray[np.bool_], edges: GrayImage) -> float:
    """Return the mean strength of the edges along the outline of a shape; infinite if it fills the picture."""
    bits = shape.astype(np.uint8)
    outline = cv2.dilate(bits, KERNEL_3X3) - cv2.erode(bits, KERNEL_3X3)
    return float(edges[outline > 0].mean()) if outline.any() else float("inf")


def _blend_images(old: GrayImage, new: GrayImage) -> GrayImage:
    return np.asarray(cv2.addWeighted(old, 0.95, new, 0.05, 0), np.float32)
