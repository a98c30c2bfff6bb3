"""What the evening under attack counts as a broken promise; without a table."""

import time
from dataclasses import replace
from typing import Any

from benchmarks.web.hostile import HostileResult, Part
from benchmarks.web.watchers import ReadWarning, WarningReader, gaps_between
from tests.each import each

TOOK = "A phone took a seat: Owls, home."

TRACE = ("Traceback (most recent call last):", '  File "a.py", line 2, in b', "    c[1]", "KeyError: 1")


def part(**more: Any) -> Part:
    """Return a minute with 100 entries."""
    return replace(Part(entries=100, memory=[1e5] * 9, written=10.0, began=0.0, ended=60.0), **more)


def found(attacked: Part, **more: Any) -> HostileResult:
    """Return an evening, quiet but for what is given."""
    quiet = HostileResult(part(), attacked, [[5.0]] * 2, {"came_back": 0, "errors": []}, [], 0, 3, [], 9, 9, [])
    return replace(quiet, **more)


def test_a_quiet_evening_breaks_no_promise() -> None:
    """Twice the entries may have twice as much written."""
    attacked = part(entries=200, written=21.0, excess=[0.9])
    assert ([], 1.0) == (found(attacked).faults(), found(attacked).attackers_wrote)


@each(
    ("attacked", "more", "words"),
    [
        ({"excess": [0.2, 1.2]}, {}, "in 1 steps an honest phone waited for more than 1 s"),
        ({"turned_away": 2}, {}, "2 newcomers did not get in"),
        ({"written": 30.0}, {}, "attackers had 20.0 MiB a minute written to the card"),
        ({"memory": [1e5] * 6 + [2e5] * 3, "ended": 600.0}, {}, "memory grew from 98 to 195 MiB"),
        ({"refused": ["/doctor got 503"]}, {}, "/doctor got 503"),
        ({}, {"streams": 1}, "1 honest streams broke"),
        ({}, {"gaps": [[5.0], [5.0, 11.0]]}, "no heartbeat for 11.0 s"),
        ({}, {"attackers": {"came_back": 1, "errors": []}}, "1 noted invitations were good after a sign-out"),
        ({}, {"attackers": {"came_back": 0, "errors": ["GET / got 500"]}}, "GET / got 500"),
        ({}, {"logged": ["fine", *TRACE, "fine"]}, 'logged: KeyError: 1 (File "a.py", line 2, in b)'),
        ({}, {"logged": ["ERROR dugout: Hangs: pages."]}, "logged: ERROR dugout: Hangs: pages."),
        ({}, {"lost": ["game 1: lost"]}, "game 1: lost"),
        ({}, {"pushed_aside": ["stood short"]}, "stood short"),
    ],
)
def test_each_broken_promise_is_named(attacked: dict[str, Any], more: dict[str, Any], words: str) -> None:
    assert [words] == found(part(**attacked), **more).faults()


def test_a_warning_that_is_pushed_aside_is_noticed() -> None:
    """One that goes early, and a change of seats that nobody was warned of; not what a broken stream cut off."""
    now, reader = time.monotonic(), WarningReader(0)
    reader.record_notice(TOOK, now - 100)
    reader.record_notice(f"Owls allow the coach. {TOOK}", now - 95)
    reader.record_notice("Owls allow the coach.", now - 91.9)
    assert [] == reader.faults([now - 100, now - 5])
    reader.record_notice(TOOK, now - 80)
    reader.record_notice("", now - 79.5)
    reader.all.append(ReadWarning(TOOK, now - 60, now - 59, cut_off=True))
    assert [
        f"a warning stood only 0.5 s: {TOOK}",
        "a phone changed its seat, and no warning stood for 8 s",
    ] == reader.faults([now - 100, now - 80])


def test_heartbeats_are_counted() -> None:
    """The time before the first and after the last counts, too."""
    assert [2.0, 3.0, 5.0] == gaps_between([0.0, 12.0, 15.0], 10.0, 20.0)
