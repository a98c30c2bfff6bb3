"""What people type can be seen by everybody, and what is printed holds no hidden commands."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.text.visible_text import printable_text, visible_line
from tests.each import each

HIDDEN = [*map(chr, (*range(9), *range(11, 32), *range(127, 160), 0x61C, 0x200E, 0x200F)), *"\u202a\u202e\u2066\u2069"]


@each(
    "name",
    [
        "Ann",
        "Zoë Müller-Nuñez",
        "e\u0301",
        "Nguye\u0302\u0303n",
        "بهنام\u200cپور",
        "👩\u200d🚀",
        "❤\ufe0f\u200d🔥",
        "क\u094d\u200dष",
        "שׁ\u05bc\u05b8לום",
        "阿部",
        "?",
    ],
)
def test_names_of_the_world_are_kept(name: str) -> None:
    assert name == visible_line(f" {name} ", 40)


@each("hidden", HIDDEN)
def test_hidden_characters_are_removed(hidden: str) -> None:
    """Those that control a terminal or turn the direction of writing."""
    assert "ab" == visible_line(f"{hidden}a{hidden}b", 2)
    assert "a\tb\n" == printable_text(f"a{hidden}\tb\n")


@each(
    ("name", "reason"),
    [
        ("", "needs a text."),
        (" \u202e ", "needs a text."),
        *((one, "needs printable characters") for one in ("a\nb", "a\tb", "\u200b", "a\xadb", "\ufeffa", "a\u2028b")),
        *((one, "needs printable characters") for one in ("a\xa0b", "a\u3000b", "\ud800", "\ue000", "a\U000e0041")),
        *(
            (one, "needs characters that everybody can see")
            for one in ("\u200d", "a\u200db", "\u200d阿", "阿\u200d\u200d阿")
        ),
        *((one, "needs characters that everybody can see") for one in ("\u2800", "a\u3164b", "\u115f", "a\u034fb")),
        *((one, "needs a letter under each accent") for one in ("\u0301", "a \u0301", "a" + "\u0301" * 4, "\ufe0f")),
        ("x" * 41, "can have at most 40 characters; these are 41."),
    ],
)
def test_what_nobody_can_see_is_refused(name: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        visible_line(name, 40)


@given(st.text(st.characters(categories=None), max_size=80))
def test_a_line_that_is_accepted_stays_as_it_is(words: str) -> None:
    """And it can be written to a file and printed; whatever is printed can be."""
    printable_text(words).encode()
    try:
        found = visible_line(words, 40)
    except ValueError:
        return
    assert found == visible_line(found, 40) == printable_text(found)
    assert found.encode()
