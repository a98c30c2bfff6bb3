"""When what lets phones in is another: a display draws it then, and not before."""

from __future__ import annotations

import math
from contextlib import closing
from pathlib import Path

import pytest

from device.service.access import Access
from device.service.invitation import REFRESH_INTERVAL_S
from device.service.join_screen import JoinScreen
from device.settings import WebSettings
from device.storage.store import Store


@pytest.mark.parametrize("alone", [False, True])
def test_only_an_invitation_that_is_shown_ends(tmp_path: Path, alone: bool) -> None:
    """Where somebody can press OK, the join screen shows none: it never asks to be drawn for one."""
    store = Store(tmp_path / "journal.db")
    joining = JoinScreen(Access(store, lambda: None), WebSettings(), lambda: alone)
    assert (math.inf if not alone else 0) == joining.seconds_left(scan=False)
    assert 0 == joining.seconds_left(scan=True)
    joining.invitation_info()
    assert REFRESH_INTERVAL_S - 30 < joining.seconds_left(scan=True) <= REFRESH_INTERVAL_S
    assert joining.seconds_left(scan=False) == (
        pytest.approx(joining.seconds_left(scan=True), abs=5) if alone else math.inf
    )
    store.close()


def test_behind_a_proxy_phones_find_the_name(tmp_path: Path) -> None:
    """Without a name, a table that serves its own machine alone is found there alone."""
    with closing(Store(tmp_path / "journal.db")) as store:
        alone, behind = (
            JoinScreen(
                Access(store, lambda: None), WebSettings(host="127.0.0.1", name=name), lambda: False
            ).code_info()[:2]
            for name in ("", "dugout.local")
        )
    assert ("http://localhost:8000/", "127.0.0.1:8000") == alone
    assert ("http://dugout.local/", "dugout.local") == behind
