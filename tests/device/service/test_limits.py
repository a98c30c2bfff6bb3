"""How many lines the server may hold open."""

from __future__ import annotations

import resource

import pytest

from device.service import server


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ((1024, 524288), (4096, 524288)),
        ((1024, 2000), (2000, 2000)),
        ((8192, 8192), None),
        ((1024, resource.RLIM_INFINITY), (4096, resource.RLIM_INFINITY)),
        ((resource.RLIM_INFINITY, resource.RLIM_INFINITY), None),
    ],
)
def test_room_for_every_phone(
    before: tuple[int, int], after: tuple[int, int] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A service may open 1024 files by default, fewer than phones may listen: that is raised as far as allowed."""
    said = list[tuple[int, int]]()
    monkeypatch.setattr(resource, "getrlimit", lambda what: before)
    monkeypatch.setattr(resource, "setrlimit", lambda what, limits: said.append(limits))
    server.more_files()
    assert ([after] if after else []) == said
