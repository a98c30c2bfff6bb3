"""The list of passes: how many there are, how long they last, and how the list is kept."""

from __future__ import annotations

import json

import pytest

from tests.web.security.test_code import Clock
from web.security.admission import PASSES
from web.security.passes import LASTS, Pass, PassList


def test_the_list_is_kept() -> None:
    """With roles, seats, kinds of devices and times."""
    clock = Clock()
    passes = PassList(age=clock)
    ids = [passes.grant(Pass(True, "home", 3), "TV").id, passes.grant(Pass(seat="away"), "iPhone").id]
    clock.now += 60
    passes.find(ids[0])
    again = PassList(passes.text(), clock)
    assert passes.all() == again.all()
    assert [(ids[0], True, "home", 3), (ids[1], False, "away", 0)] == [
        (one.held.id, one.held.operator, one.held.seat, one.held.epoch) for one in again.all()
    ]
    assert [(1000, 1060), (1000, 1000)] == [(one.since, one.seen) for one in again.all()]


def test_the_list_has_an_end() -> None:
    """The pass that was not seen for longest falls off; a phone that changes what it may do takes no more room."""
    clock = Clock()
    passes = PassList(age=clock)
    ids = [passes.grant(Pass(operator=True), "").id for _ in range(PASSES.limit)]
    clock.now += 1
    passes.find(ids[0])
    new = passes.grant(Pass(operator=True), "").id
    gone = [id_ for id_ in ids if not passes.find(id_).operator]
    assert ([ids[1]], PASSES.limit) == (gone, len(passes.all()))
    changed = passes.grant(Pass(seat="away", id=new), "").id
    assert ("", PASSES.limit) == (passes.find(new).id, len(passes.all()))
    assert "away" == passes.find(changed).seat


def test_only_a_pass_that_is_given_or_ended_is_written() -> None:
    """No request of a phone writes on the disk."""
    written = list[str]()
    passes = PassList(changed=lambda: written.append(passes.text()))
    id_ = passes.grant(Pass(seat="home"), "").id
    for _ in range(100):
        passes.find(id_)
        passes.find("nobody")
    assert 1 == len(written)
    passes.end({id_})
    assert "[]" == written[-1]


def test_a_pass_lasts_a_day() -> None:
    clock = Clock()
    passes = PassList(age=clock)
    id_ = passes.grant(Pass(operator=True), "").id
    clock.now += LASTS
    assert passes.find(id_).operator
    clock.now += 1
    assert (Pass(), []) == (passes.find(id_), passes.all())


@pytest.mark.parametrize("kept", ["", "{}", "[1]", '[{"held": {}}]', "[" * 100_000, '[{"id": "x", "operator": true}]'])
def test_a_damaged_list_is_empty(kept: str) -> None:
    """Everybody enters the code again, and the table opens."""
    assert [] == PassList(kept).all()


def test_a_strange_seat_is_none() -> None:
    row = {"held": {"operator": False, "seat": "bullpen", "epoch": 0, "id": "x"}, "device": "", "since": 0, "seen": 0}
    assert Pass() == PassList(json.dumps([row])).find("x")
