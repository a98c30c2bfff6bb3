"""Invitations: each is good for one phone and two minutes, and the display always has a fresh one."""

from __future__ import annotations

from device.service.invitation import INVITATION_LENGTH, INVITATION_LIFETIME_S, REFRESH_INTERVAL_S, Invitations
from tests.web.security.test_code import Clock


def test_an_invitation_is_used_once() -> None:
    """As it stands or as somebody types it; the display then shows another."""
    used = list[str]()
    invitations = Invitations(lambda: used.append("used"), Clock())
    first = invitations.current_invitation()
    assert (INVITATION_LENGTH, first) == (len(first), invitations.current_invitation())
    assert [False, True, False] == [
        invitations.redeem_invitation(one) for one in ("", f" {first[:8]} {first[8:].lower()}", first)
    ]
    assert invitations.current_invitation() != first
    assert ["used"] == used


def test_an_invitation_ends() -> None:
    """The display shows a new one before the old one ends, so that who has just scanned has time to tap."""
    clock = Clock()
    invitations = Invitations(clock=clock)
    left, first = [invitations.seconds_left], invitations.current_invitation()
    for later in (0, REFRESH_INTERVAL_S):
        clock.now += later
        left.append(invitations.seconds_left)
    assert [0, REFRESH_INTERVAL_S, 0] == left
    second = invitations.current_invitation()
    assert first != second
    clock.now += INVITATION_LIFETIME_S - REFRESH_INTERVAL_S
    assert [False, True] == [invitations.redeem_invitation(one) for one in (first, second)]


def test_what_nobody_showed_is_no_invitation() -> None:
    assert [False] * 4 == [Invitations().redeem_invitation(one) for one in ("", "A" * INVITATION_LENGTH, "é", "\ud800")]
