"""The list of passes: how many there are, how long they last, and how the list is kept."""

from __future__ import annotations

import json

import pytest

from tests.web.security.test_code import Clock
from web.security.admission import TOTAL_PASSES
from web.security.passes import PASS_LIFETIME_S, Pass, PassList


def test_the_list_is_kept() -> None:
    """With roles, seats, kinds of devices and times."""
    clock = Clock()
    passes = PassList(age=clock)
    ids = [passes.grant_pass(Pass(True, "home", 3), "TV").id, passes.grant_pass(Pass(seat="away"), "iPhone").id]
    clock.now += 60
    passes.find_pass(ids[0])
    again = PassList(passes.stored_text(), clock)
    assert passes.valid_passes() == again.valid_passes()
    assert [(ids[0], True, "home", 3), (ids[1], False, "away", 0)] == [
        (one.held.id, one.held.operator, one.held.seat, one.held.epoch) for one in again.valid_passes()
    ]
    assert [(1000, 1060), (1000, 1000)] == [(one.since, one.seen) for one in again.valid_passes()]


def test_the_list_has_an_end() -> None:
    """The pass that was not seen for longest falls off; a phone that changes what it may do takes no more room."""
    clock = Clock()
    passes = PassList(age=clock)
    ids = [passes.grant_pass(Pass(operator=True), "").id for _ in range(TOTAL_PASSES.limit)]
    clock.now += 1
    passes.find_pass(ids[0])
    new = passes.grant_pass(Pass(operator=True), "").id
    gone = [id_ for id_ in ids if not passes.find_pass(id_).operator]
    assert ([ids[1]], TOTAL_PASSES.limit) == (gone, len(passes.valid_passes()))
    changed = passes.grant_pass(Pass(seat="away", id=new), "").id
    assert ("", TOTAL_PASSES.limit) == (passes.find_pass(new).id, len(passes.valid_passes()))
    assert "away" == passes.find_pass(changed).seat


def test_only_a_pass_that_is_given_or_ended_is_written() -> None:
    """No request of a phone writes on the disk."""
    written = list[str]()
    passes = PassList(changed=lambda: written.append(passes.stored_text()))
    id_ = passes.grant_pass(Pass(seat="home"), "").id
    for _ in range(100):
        passes.find_pass(id_)
        passes.find_pass("nobody")
    assert 1 == len(written)
    passes.end_passes({id_})
    assert "[]" == written[-1]


def test_a_pass_lasts_a_day() -> None:
    clock = Clock()
    passes = PassList(age=clock)
    id_ = passes.grant_pass(Pass(operator=True), "").id
    clock.now += PASS_LIFETIME_S
    assert passes.find_pass(id_).operator
    clock.now += 1
    assert (Pass(), []) == (passes.find_pass(id_), passes.valid_passes())


@pytest.mark.parametrize("kept", ["", "{}", "[1]", '[{"held": {}}]', "[" * 100_000, '[{"id": "x", "operator": true}]'])
def test_a_damaged_list_is_empty(kept: str) -> None:
    """Everybody enters the code again, and the table opens."""
    assert [] == PassList(kept).valid_passes()


def test_a_strange_seat_is_none() -> None:
    row = {"held": {"operator": False, "seat": "bullpen", "epoch": 0, "id": "x"}, "device": "", "since": 0, "seen": 0}
    assert Pass() == PassList(json.dumps([row])).find_pass("x")
