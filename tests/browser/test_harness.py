"""What these tests look for they would find."""

from __future__ import annotations

import re

from tests.browser.appearance import breaches
from tests.browser.chromium import Faults
from tests.browser.room import Room, until

PLANTED = {
    "console: planted": "console.error('planted')",
    "script: planted": "setTimeout(() => { throw new Error('planted') })",
    "console: .*inline style .*Content Security Policy": "document.body.setAttribute('style', 'color: red')",
    "console: .*inline script": "document.body.append(Object.assign(document.createElement('script'), {text: '1'}))",
    "refused: GET .*/nothing: 404": "fetch('/nothing')",
    "lost: GET .*/join.svg": "fetch('/join.svg').catch(() => {})",
}


def test_a_fault_of_a_page_is_heard(room: Room, faults: Faults) -> None:
    page = room.phone()
    page.route("**/join.svg", lambda route: route.abort("connectionrefused"))
    for act in PLANTED.values():
        page.evaluate(f"() => {{ {act} }}")
    until(page, lambda: all(any(re.search(fault, heard) for heard in faults.left()) for fault in PLANTED))
    faults.meant(*PLANTED)
    assert faults.left() == []


def test_a_breach_is_found_by_axe(room: Room) -> None:
    page = room.phone("/table")
    assert breaches(page) == []
    page.evaluate("document.querySelector('label').remove()")
    assert any(" label (critical): #code: " in one for one in breaches(page)), breaches(page)
