"""Who gives way when all places are taken."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from dataclasses import replace
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from web.security import fair_share
from web.security.admission import Gate
from web.security.fair_share import ReservedPlace
from web.security.rejected import PhoneRejected
from web.security.rejection_log import RejectionLog

RANKS = {"seat": 1, "operator": 2}
"""The rank of a place in use; 0 for any other."""


MOST, EACH = Gate("most", "", 503), Gate("each", "", 429)


class FairShare(fair_share.FairShare):
    """At most `most` places, and `each` for one address."""

    def __init__(self, most: int, each: int) -> None:
        self.refusals = RejectionLog()
        super().__init__(replace(MOST, limit=most), replace(EACH, limit=each), self.refusals)


def places(share: FairShare, *held: tuple[str, str]) -> list[str]:
    """Let places of these addresses and kinds enter in turn; return the addresses that gave one up."""
    left: list[str] = []
    for address, kind in held:
        share.reserve_place(ReservedPlace(address, partial(left.append, address), kind == "idle", RANKS.get(kind, 0)))
    return left


def test_an_idle_place_gives_way() -> None:
    """The oldest of the address that has most idle ones, no matter who comes."""
    share = FairShare(4, 4)
    assert ["b"] == places(share, ("a", "busy"), ("a", "idle"), ("b", "idle"), ("b", "idle"), ("a", "busy"))
    assert {MOST.name: 1} == share.refusals.rejection_summary().counts


def test_the_address_with_most_loses_its_oldest() -> None:
    assert ["a"] == places(FairShare(3, 3), ("a", "busy"), ("a", "busy"), ("b", "busy"), ("c", "busy"))


def test_nobody_loses_a_place_to_an_address_that_would_hold_as_many() -> None:
    share = FairShare(3, 3)
    with pytest.raises(PhoneRejected) as refused:
        places(share, ("a", "busy"), ("a", "busy"), ("b", "busy"), ("b", "busy"))
    assert MOST.name == refused.value.gate.name
    assert 3 == len(share)


@pytest.mark.parametrize(("held", "newcomer"), [("seat", "busy"), ("operator", "busy"), ("operator", "seat")])
def test_nobody_loses_a_place_to_a_lower_rank(held: str, newcomer: str) -> None:
    share = FairShare(2, 2)
    with pytest.raises(PhoneRejected):
        places(share, ("a", held), ("a", held), ("b", newcomer))
    assert 2 == len(share)


@pytest.mark.parametrize(("held", "newcomer"), [("busy", "seat"), ("busy", "operator"), ("seat", "operator")])
def test_a_lower_rank_gives_way(held: str, newcomer: str) -> None:
    """From however many addresses it came, and at an address that has too many."""
    assert ["a"] == places(FairShare(2, 2), ("a", held), ("b", held), ("c", newcomer))
    assert ["a"] == places(FairShare(9, 2), ("a", held), ("a", held), ("a", newcomer))


def test_seats_share_as_strangers_do() -> None:
    assert ["a"] == places(FairShare(3, 3), ("a", "seat"), ("a", "seat"), ("b", "seat"), ("c", "seat"))


def test_one_address_has_its_own_limit() -> None:
    """Its own idle place gives way; without one the newcomer is refused."""
    assert ["a"] == places(FairShare(9, 2), ("b", "idle"), ("a", "idle"), ("a", "busy"), ("a", "busy"))
    with pytest.raises(PhoneRejected) as refused:
        places(FairShare(9, 2), ("b", "idle"), ("a", "busy"), ("a", "busy"), ("a", "busy"))
    assert EACH.name == refused.value.gate.name


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.booleans(), st.booleans()), max_size=80))
def test_the_limits_hold_and_everybody_gets_in(moves: list[tuple[str, bool, bool]]) -> None:
    """Whatever happens: never more than the limits, each place is given up once at most, and an address without a
    place gets one while another holds two.
    """
    share, here = FairShare(6, 3), list[ReservedPlace]()
    for address, idle, leaves in moves:
        if leaves and here:
            share.release_place(here.pop(0))
            continue
        place = ReservedPlace(address, lambda: None, idle)
        place.give_up = lambda one=place: here.remove(one)  # type: ignore[misc]
        held = Counter(one.address for one in here)
        with suppress(PhoneRejected):
            share.reserve_place(place)
            here.append(place)
        assert place in here or held[address] or max(held.values()) == 1
        held = Counter(one.address for one in here)
        assert len(here) == len(share) <= 6
        assert max(held.values(), default=0) <= 3
