"""Invitations: each is good for one phone and two minutes, and the display always has a fresh one."""

from __future__ import annotations

from device.service.invitation import FRESH, LASTS, LENGTH, Invitations
from tests.web.security.test_code import Clock


def test_an_invitation_is_used_once() -> None:
    """As it stands or as somebody types it; the display then shows another."""
    used = list[str]()
    invitations = Invitations(lambda: used.append("used"), Clock())
    first = invitations.show()
    assert (LENGTH, first) == (len(first), invitations.show())
    assert [False, True, False] == [invitations.take(one) for one in ("", f" {first[:8]} {first[8:].lower()}", first)]
    assert invitations.show() != first
    assert ["used"] == used


def test_an_invitation_ends() -> None:
    """The display shows a new one before the old one ends, so that who has just scanned has time to tap."""
    clock = Clock()
    invitations = Invitations(clock=clock)
    left, first = [invitations.left], invitations.show()
    for later in (0, FRESH):
        clock.now += later
        left.append(invitations.left)
    assert [0, FRESH, 0] == left
    second = invitations.show()
    assert first != second
    clock.now += LASTS - FRESH
    assert [False, True] == [invitations.take(one) for one in (first, second)]


def test_what_nobody_showed_is_no_invitation() -> None:
    assert [False] * 4 == [Invitations().take(one) for one in ("", "A" * LENGTH, "é", "\ud800")]
