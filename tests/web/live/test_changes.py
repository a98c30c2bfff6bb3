"""What changed between two views, put into the first, makes the second."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.web.live.merging import merged
from web.live.changes import view_changes

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(0, 3) | st.sampled_from("ab"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("xyz"), inner, max_size=3),
    max_leaves=12,
)


@given(VALUES, VALUES)
def test_they_make_the_second_of_the_first(before: Any, after: Any) -> None:
    found = view_changes(before, after)
    assert after == merged(before, found)
    paths = [path for path, _ in found]
    assert not [one for one in paths for other in paths if one is not other and other[: len(one)] == one]


def test_only_what_differs_is_there() -> None:
    before = {"asks": [1, 2], "plays": [1], "board": {"away": 3, "home": 4, "cards": {"deck": 9}}, "seat": None}
    after = {"asks": [2], "plays": [1, 2, 3], "board": {"away": 3, "home": 5, "cards": {}}, "seat": None, "new": None}
    grown = [(["plays", 1], 2), (["plays", 2], 3)]
    less = [(["board", "home"], 5), (["board", "cards"], {}), (["new"], None)]
    assert [(["asks"], [2]), *grown, *less] == view_changes(before, after)
    assert [] == view_changes(before, before)
