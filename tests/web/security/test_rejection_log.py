"""What is remembered of refused phones: once a minute in the log, in bounded memory, and nothing secret."""

from __future__ import annotations

import logging
import threading

import pytest

from tests.device.stored_games import Clock
from tests.web.phones import cookie, phone, small_ball
from tests.web.web_table import CODE
from web.app import create_app
from web.security import admission
from web.security.admission import FOREIGN_HOST
from web.security.admission import WRONG_CODE as WRONG
from web.security.passes import Pass
from web.security.rejection_log import MAX_ROWS, MAX_SHOWN_ROWS, RejectionLog, request_label


@pytest.fixture(autouse=True)
def logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING, "dugout.refusals")


def test_one_line_a_minute_for_a_gate_and_address(caplog: pytest.LogCaptureFixture) -> None:
    """All are counted. Another gate, another address, and another minute have lines of their own."""
    clock = Clock()
    refusals = RejectionLog(clock)
    for _ in range(3):
        refusals.record_rejection(WRONG, "10.0.0.7", "POST /table")
        clock.now += 29
    refusals.record_rejection(WRONG, "10.0.0.8", "POST /table")
    refusals.record_rejection(FOREIGN_HOST, "10.0.0.7", "GET /")
    assert ["…7)", "…8)", "…7)"] == [line.partition("(")[2][:3] for line in caplog.messages]
    assert f"A phone (…7) was turned away: {WRONG.name}; {WRONG.advice}. (POST /table)" == caplog.messages[0]
    refusals.record_rejection(WRONG, "10.0.0.7", "POST /table")
    assert 4 == len(caplog.messages)
    assert {WRONG.name: 5, FOREIGN_HOST.name: 1} == refusals.rejection_summary().counts


def test_the_last_are_shown() -> None:
    """The newest first, each with how often it happened, what was asked, and how long ago."""
    clock = Clock()
    refusals = RejectionLog(clock)
    for n in range(MAX_SHOWN_ROWS + 5):
        refusals.record_rejection(WRONG, f"10.0.0.{n}", "POST /table")
        clock.now += 1
    refusals.record_rejection(WRONG, "10.0.0.20", "POST /seat")
    clock.now += 90
    last = refusals.rejection_summary().last
    assert MAX_SHOWN_ROWS == len(last)
    assert ("POST /seat", 2, 90) == (last[0].asked, last[0].times, last[0].ago)
    assert ("POST /table", 1, 91) == (last[1].asked, last[1].times, last[1].ago)
    assert last[0].words.startswith("A phone (…20) ")


def test_memory_and_log_are_bounded(caplog: pytest.LogCaptureFixture) -> None:
    """However many addresses there are: only the counts grow. A minute later there is room for others."""
    clock = Clock()
    refusals = RejectionLog(clock)
    for n in range(3 * MAX_ROWS):
        refusals.record_rejection(WRONG, f"10.0.{n // 250}.{n % 250}")
    assert (MAX_ROWS, MAX_ROWS) == (len(refusals._rows), len(caplog.messages))
    assert {WRONG.name: 3 * MAX_ROWS} == refusals.rejection_summary().counts
    clock.now += 60
    for n in range(3 * MAX_ROWS):
        refusals.record_rejection(FOREIGN_HOST, f"10.0.{n // 250}.{n % 250}")
    assert (MAX_ROWS, 2 * MAX_ROWS) == (len(refusals._rows), len(caplog.messages))
    assert {FOREIGN_HOST.name} == {one.gate for one in refusals.rejection_summary().last}


def test_any_thread_may_note() -> None:
    refusals = RejectionLog()

    def note(address: str) -> None:
        for _ in range(500):
            refusals.record_rejection(WRONG, address)

    threads = [threading.Thread(target=note, args=(f"10.0.0.{n % 4}",)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    summary = refusals.rejection_summary()
    assert {WRONG.name: 4000} == summary.counts
    assert [1000] * 4 == [one.times for one in summary.last]


@pytest.mark.parametrize(
    ("method", "path", "asked"),
    [
        ("GET", "/", "GET /"),
        ("POST", "/api/undo", "POST /api/undo"),
        ("GET", "/api/games/12/replay", "GET /api/games…"),
        ("GET", "/camera.jpg", "GET /camera…"),
        ("GET", "/048213", "GET …"),
        ("GET", "/in/abcdefghjkmnpqrs", "GET /in…"),
        ("GET", "/in/ABCDEFGH", "GET /in…"),
        ("GET", "/a/b/c/d/e/f", "GET /a/b/c/d…"),
        ("GET", "/\u202eevil", "GET …"),
        ("LONGMETHOD", "nothing", "? …"),
    ],
)
def test_what_was_asked_for(method: str, path: str, asked: str) -> None:
    """Only plain words of a path are shown: neither a code, nor an invitation, nor what a stranger may write there."""
    assert asked == request_label({"method": method, "path": path})


def test_nothing_secret_is_noted(caplog: pytest.LogCaptureFixture) -> None:
    """Neither code, pass nor whole address, wherever a phone sends it."""
    port = small_ball()
    pass_ = cookie(port.access, Pass(seat="away")).partition("=")[2]
    table = port.port
    with phone(create_app(table)) as client:
        for secret in (CODE, pass_, "QRSTVWXYZ2345678"):
            client.get(f"/{secret}?code={secret}", headers={"Host": f"{secret}.example", "User-Agent": secret})
            client.post(f"/in/{secret}", headers={"Origin": f"http://{secret}"})
            client.post("/table", data={"code": secret * 2}, headers={"Cookie": f"dugout={secret}"})
    table.refusals.record_rejection(admission.TOTAL_CONNECTIONS, "192.168.178.77")
    table.refusals.record_rejection(admission.TOTAL_CONNECTIONS, "2001:db8:1:2::/64")
    told = "\n".join((*caplog.messages, repr(table.refusals.rejection_summary())))
    assert "…77) was turned away" in told
    assert "…2) was turned away" in told
    hidden = (CODE, pass_, "QRSTVWXYZ2345678", "192.168", "2001:db8")
    assert [] == [word for word in hidden if word in told]
    assert 6 < sum(table.refusals.rejection_summary().counts.values())
