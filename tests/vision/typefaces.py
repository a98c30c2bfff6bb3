"""Typefaces that no net was trained on, to draw test dice with."""

import font_caladea  # type: ignore[import-untyped]
import font_fredoka_one  # type: ignore[import-untyped]
import font_hanken_grotesk  # type: ignore[import-untyped]

UNSEEN: tuple[str, ...] = (
    font_caladea.Caladea,
    font_caladea.CaladeaBold,
    font_fredoka_one.FredokaOne,
    font_hanken_grotesk.HankenGroteskMedium,
    font_hanken_grotesk.HankenGroteskBold,
)
"""Paths of font files: serif, rounded, and sans serif."""
