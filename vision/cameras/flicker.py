"""Detect and remove the flicker of a lamp: bands across the picture, or pictures that are brighter and darker in turn.

A lamp on 50 or 60 Hz mains flickers 100 or 120 times a second. A camera reads its rows one after the other, so each row
has its own moment of light, and brightness varies over the rows with one spatial frequency.
"""

from collections import deque
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cameras.frames import Image

GrayImage = NDArray[np.float32]
RowLevels = NDArray[np.float64]  # natural logarithm of each row's brightness, in one or more strips

MIN_AMPLITUDE = 0.01  # smallest variation of brightness that counts as flicker, as a share of it
MIN_EXPLAINED_SHARE = 0.75  # smallest share of the variance over the rows that a wave explains
MIN_VARIATION = 0.005  # smallest variation of the rows over the compared frames; noise has half of it
MIN_BAND_COUNT = 1.25  # Fewer bands than this in a picture may as well be a hand or a shadow.
MAX_BAND_COUNT = 8.0  # bands in a picture of a camera that takes 66 ms to read its rows
STRIP_COUNT = 4  # strips of a picture, side by side. A lamp lights all alike
MAX_STRENGTH_DIFFERENCE = 0.35  # largest difference of a wave's strength in a strip, as a share of it
HARMONIC_COUNT = 3  # harmonics of the wave. LED lamps have steep edges
HISTORY_LENGTH = 12  # frames that are compared, and that a decision needs
MIN_FLICKER_SHARE = 0.6  # share of them with flicker
MIN_KEPT_SHARE = 0.3  # the same while the lamp already flickers, so that a hand in between changes nothing
MAX_BAND_COUNT_RANGE = 0.8  # Between frames, the number of bands of a lamp varies less than this.
MIN_ROW_GAIN = 0.3  # A darker row is lost in noise. It is filled from the last frame.
MAINS_PERIODS_US = (10_000, 8_333)  # time from flash to flash of a lamp on 50 and on 60 Hz mains, in microseconds
SMALL_SIZE_PX = (108, 160)  # width and height of the small image in which a camera's flicker is measured
DARK_LEVEL = 8.0  # added to gray levels before they are compared, because ratios of dark pixels are noise


FLICKER_ADVICE = (
    "The lamp flickers, and no setting of the camera evens it out: use another lamp, or turn a dimmed one up."
)


class FlickerFilter:
    """Evens out the light of a lamp that flickers. Frames without flicker remain as they are.

    flickers: True while the lamp flickers.
    amplitude: variation of the light in the last frame, as a share of it.
    """

    def __init__(self) -> None:
        self.flickers = False
        self.amplitude = 0.0
        self._even: GrayImage | None = None  # the last frame in even light
        self._rows: deque[RowLevels] = deque(maxlen=HISTORY_LENGTH)
        self._bands: deque[float | None] = deque(maxlen=HISTORY_LENGTH)  # number of bands in each frame, if any

    def filter_frame(self, grey: GrayImage, empty: GrayImage | None = None) -> GrayImage:
        """Return the frame in even light if the lamp flickers, else the frame itself.

        grey: small gray image, 0 to 255.
        empty: the same of the empty tray, None to compare with the last frames.
        """
        if self._rows and self._rows[-1].shape[1] != len(grey):
            self._rows.clear()
            self._bands.clear()
        # Every second column is enough.
        columns = grey[:, ::2] + DARK_LEVEL
        self._rows.append(_row_levels(columns))
        if empty is not None and empty.shape == grey.shape:
            strips = _row_levels(columns / (empty[:, ::2] + DARK_LEVEL))
        else:
            strips = self._rows[-1] - np.median(self._rows, axis=0)
        wave = np.median(strips, axis=0)
        fit, bands = _fit_wave(wave)
        if bands and not _is_in_most(fit, strips):
            bands = None
        even = abs(float(wave.mean())) > MIN_AMPLITUDE and float(wave.std()) < MIN_AMPLITUDE
        self.amplitude = 0.0 if even else float(fit.std())
        self._bands.append(bands if self.amplitude > MIN_AMPLITUDE else None)
        self.flickers = self._is_flickering()
        has_bands = self._bands[-1] is not None and self._bands[-1] >= MIN_BAND_COUNT
        if not has_bands and not (self.flickers and (bands or even)):
            self._even = grey
            return grey
        lost = wave < np.log(MIN_ROW_GAIN)
        gain = np.exp(wave).astype(np.float32)[:, np.newaxis]
        before, self._even = self._even, (grey + DARK_LEVEL) / gain - DARK_LEVEL
        if before is not None and before.shape == grey.shape:
            self._even[lost] = before[lost]
        return self._even

    def _is_flickering(self) -> bool:
        if len(self._bands) < HISTORY_LENGTH:
            return False
        seen = [bands for bands in self._bands if bands is not None]
        enough = (MIN_KEPT_SHARE if self.flickers else MIN_FLICKER_SHARE) * HISTORY_LENGTH
        usual = float(np.median(seen)) if seen else 0.0
        alike = sum(abs(bands - usual) < MAX_BAND_COUNT_RANGE for bands in seen)
        moves = float(np.median(np.std(np.median(self._rows, axis=1), axis=0))) > MIN_VARIATION
        return (moves and usual >= MIN_BAND_COUNT and alike >= enough) or self._alternates(enough)

    def _alternates(self, enough: float) -> bool:
        """True if frames are brighter and darker in turn, which neither a hand nor daylight does."""
        rows = np.median(self._rows, axis=1)
        rows -= np.median(rows, axis=0)
        strong = np.abs(np.median(rows, axis=1)) > MIN_AMPLITUDE
        signs = np.sign(np.median(rows, axis=1))[strong]
        return len(signs) >= enough and int((signs[1:] != signs[:-1]).sum()) >= len(signs) / 3


class FlickerSearch:
    """Finds the flicker period for a camera whose driver can avoid one, while it finds its exposure.

    period_us: the period set, one of `MAINS_PERIODS_US`, or None.
    advice: what to do if none avoids the flicker, else None.
    """

    def __init__(self) -> None:
        self.period_us: int | None = None
        self.advice: str | None = None
        self._filter = FlickerFilter()
        self._amplitudes: deque[float] = deque(maxlen=HISTORY_LENGTH)
        self._tried: dict[int | None, float] = {}  # mean amplitude with each period

    def process_frame(self, picture: Image) -> None:
        grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY) if picture.ndim == 3 else picture
        self._filter.filter_frame(cv2.resize(grey, SMALL_SIZE_PX, interpolation=cv2.INTER_AREA).astype(np.float32))
        self._amplitudes.append(self._filter.amplitude)

    def next_period(self) -> int | None:
        """Return the period to set now, because the light still flickers, or None if the search is over.

        To be called once the exposure has settled with the last one.
        """
        if not self._filter.flickers or self.advice is not None:
            return None
        self._tried[self.period_us] = float(np.mean(self._amplitudes))
        left = [period for period in MAINS_PERIODS_US if period not in self._tried]
        best = min(MAINS_PERIODS_US, key=lambda period: self._tried.get(period, 0.0))
        if not left:
            self.advice = FLICKER_ADVICE
            if best == self.period_us:
                return None
        self.period_us, self._filter = left[0] if left else best, FlickerFilter()
        return self.period_us


def flicker_free_time(time_us: float, period_us: int | None) -> float:
    """Return the exposure time next to `time_us`, in microseconds, that evens out light of this flicker period."""
    return time_us if period_us is None else float(period_us * max(1, round(time_us / period_us)))


def _row_levels(picture: GrayImage) -> RowLevels:
    """Logarithm of the median of each row in each strip (the upper one of two)."""
    wide = picture.shape[1] // STRIP_COUNT
    strips = picture[:, : wide * STRIP_COUNT].reshape(len(picture), STRIP_COUNT, wide)
    return np.asarray(np.log(np.partition(strips, wide // 2, axis=2)[:, :, wide // 2].T.astype(float)))


def _is_in_most(fit: RowLevels, strips: RowLevels) -> bool:
    """True if a wave is in all strips but one, and equally strong, unlike an arm. Dice may hide it in the other."""
    wave = fit - fit.mean()
    strengths = (strips - strips.mean(axis=1, keepdims=True)) @ wave / (wave @ wave)
    return int((np.abs(strengths - 1) < MAX_STRENGTH_DIFFERENCE).sum()) >= STRIP_COUNT - 1


def _fit_wave(wave: RowLevels) -> tuple[RowLevels, float | None]:
    """Fit a wave to the rows. Return it, and its number of bands, None if no wave fits."""
    level = wave.mean()
    rest = wave - level
    total = float(rest @ rest)
    if total <= MIN_AMPLITUDE**2 * len(wave):
        return np.full(len(wave), level), None
    counts, bases = _wave_bases(len(wave))
    parts = rest @ bases
    explained = (parts**2).sum(axis=1) / total
    # Several lower frequencies explain the same wave by their harmonics, so take the highest that does nearly as well.
    best = int(np.flatnonzero(explained >= explained.max() - 0.04)[-1])
    if explained[best] < MIN_EXPLAINED_SHARE:
        return np.full(len(wave), level), None
    return level + bases[best] @ parts[best], float(counts[best])


@lru_cache(4)
def _wave_bases(rows: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Numbers of bands, and for each an orthonormal basis of waves, (bands, rows, waves)."""
    counts = np.arange(0.5, MAX_BAND_COUNT + 0.01, 0.125)
    angle = 2 * np.pi * np.arange(rows) / rows
    bases = []
    for count in counts:
        waves = [turn(k * count * angle) for k in range(1, HARMONIC_COUNT + 1) for turn in (np.cos, np.sin)]
        columns = np.stack(waves, axis=1)
        bases.append(np.linalg.qr(columns - columns.mean(axis=0))[0])
    return counts, np.array(bases)
