"""Texts that look like what is wanted and are not, and texts that no honest phone or person sends."""

from __future__ import annotations

ODD: dict[str, str] = {
    "nothing": "",
    "Arabic digits": "٣",
    "Arabic digits after a dash": "1-٣",
    "a superscript": "²",
    "full-width digits": "１",
    "half a letter": "\udced\udca0\udc80",
    "no UTF-8": "\udcff",
    "a letter that grows in lower case": "İ",
    "NUL": "a\0b",
    "a line feed at the end": "1\n",
    "a line feed after a name": "1-1\n",
    "two lines": "a\r\nX-Odd: b",
    "300 letters": "a" * 300,
    "10,000 letters": "a" * 10_000,
    "5000 digits": "9" * 5000,
    "401 digits": "1" + "0" * 400,
    "dots": "..",
    "a path": "../../../etc/passwd",
    "quotes": "\"';",
    "an emoji": "⚾",
    "underscores": "1_0",
    "spaces": " 3 ",
    "a plus": "+3",
    "minus zero": "-0",
    "an exponent": "1e9",
    "no number": "nan",
    "a percent sign": "%",
    "backslash": "\\",
}
"""By what is odd about them. Bytes that are not UTF-8 are surrogates, as in `os.fsdecode`."""

NO_NUMBERS = ("Arabic digits", "a superscript", "full-width digits", "5000 digits", "an exponent", "no number")
"""Those that a person may mean as a number, and that are none."""


def as_bytes(text: str) -> bytes:
    """Return the bytes of an odd text."""
    return text.encode(errors="surrogateescape")
