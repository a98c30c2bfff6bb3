"""When what lets phones in is another: a display draws it then, and not before."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from device.service.access import Access
from device.service.invitation import FRESH
from device.service.join_screen import JoinScreen
from device.settings import WebSettings
from device.storage.store import Store


@pytest.mark.parametrize("alone", [False, True])
def test_only_an_invitation_that_is_shown_ends(tmp_path: Path, alone: bool) -> None:
    """Where somebody can press OK, the join screen shows none: it never asks to be drawn for one."""
    store = Store(tmp_path / "journal.db")
    joining = JoinScreen(Access(store, lambda: None), WebSettings(), lambda: alone)
    assert (math.inf if not alone else 0) == joining.left(scan=False)
    assert 0 == joining.left(scan=True)
    joining.scan()
    assert FRESH - 30 < joining.left(scan=True) <= FRESH
    assert joining.left(scan=False) == (pytest.approx(joining.left(scan=True), abs=5) if alone else math.inf)
    store.close()
