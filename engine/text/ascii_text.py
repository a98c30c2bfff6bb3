"""Spellings in other characters, for displays and terminals that do not have them all."""

from __future__ import annotations

import unicodedata

ASCII_SPELLINGS = str.maketrans(
    {
        "ß": "ss",
        "æ": "ae",
        "Æ": "Ae",
        "ø": "o",
        "Ø": "O",
        "œ": "oe",
        "Œ": "Oe",
        "ł": "l",
        "Ł": "L",
        "đ": "d",
        "’": "'",
        "‘": "'",
        "“": '"',
        "”": '"',
        "–": "-",
        "—": "-",
        "−": "-",
        "…": "...",
        "·": "-",
        "×": "x",
        "→": "->",
        "✓": "+",
        "✗": "x",
    }
)
"""Spellings of letters and marks that Unicode does not decompose, for `str.translate`."""


def encodable_text(words: str, encoding: str) -> str:
    """Return text in the characters of an encoding. Others are spelled in ASCII, or replaced by `?`.

    Raises LookupError for an unknown encoding.
    """
    try:
        words.encode(encoding)
    except UnicodeEncodeError:
        return "".join(_encodable_spelling(one, encoding) for one in words)
    return words


def _encodable_spelling(character: str, encoding: str) -> str:
    letters = unicodedata.normalize("NFKD", character.translate(ASCII_SPELLINGS))
    for spelled in (character, "".join(one for one in letters if not unicodedata.combining(one))):
        try:
            spelled.encode(encoding)
        except UnicodeEncodeError:
            continue
        return spelled
    return "?"
