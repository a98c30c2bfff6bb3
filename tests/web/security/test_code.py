"""The code on the display: what it opens, and how guessing is slowed."""

from __future__ import annotations

import pytest

from tests.web.phones import phone, small_ball
from tests.web.web_table import CODE
from web.app import create_app
from web.security.guessing import GuessLimit
from web.security.passes import COOKIE_NAME, PASS_LIFETIME_S
from web.security.rejected import RequestRejected


class Clock:
    """A clock that tests move."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_operator_enters_and_leaves() -> None:
    """The cookie is hidden from scripts and from other sites."""
    with phone(create_app(small_ball().port)) as client:
        assert "Code" in client.get("/table").text
        answer = client.post("/table", data={"code": f" {CODE} "})
        assert (303, "/table") == (answer.status_code, answer.headers["location"])
        cookie = answer.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=strict" in cookie
        assert CODE not in cookie
        assert "Undo the last answer" in client.get("/table").text
        assert 200 == client.post("/api/undo", json={"version": 1}).status_code
        assert 303 == client.post("/leave").status_code
        assert 401 == client.post("/api/undo", json={}).status_code


@pytest.mark.parametrize(("demo", "where"), [(False, "on the table’s display"), (True, "in the terminal")])
def test_the_form_says_where_the_code_is(demo: bool, where: str) -> None:
    """A demo has no display but a twin on the operator's page, which is behind the form."""
    with phone(create_app(small_ball(demo).port)) as client:
        for path in ("/table", "/seat"):
            assert f"You’ll find the code {where}" in client.get(path).text
            assert f"You’ll find the code {where}" in client.post(path, data={"code": "1", "seat": "home"}).text


def test_seat_is_taken() -> None:
    """The phone keeps it over a reload; the operator's phone needs no code."""
    with phone(create_app(small_ball().port)) as client:
        assert 303 == client.post("/seat", data={"code": CODE, "seat": "home"}).status_code
        for _ in range(2):
            assert 'data-seat="home"' in client.get("/seat").text
        assert 403 == client.post("/api/undo", json={}).status_code
        assert 303 == client.post("/table", data={"code": CODE}).status_code
        assert 303 == client.post("/seat", data={"seat": "away"}).status_code
        assert 'data-seat="away"' in client.get("/seat").text


def test_all_are_told_who_takes_a_seat() -> None:
    """One code opens both seats, so everybody sees it; taking the same seat again is not news."""
    port = small_ball()
    with phone(create_app(port.port)) as client:
        for seat in ("home", "home", "away", "home"):
            client.post("/seat", data={"code": CODE, "seat": seat})
    told = list(reversed(port.game.view_for(None).warnings))
    away, home, changed = "Lanterns, away", "Owls, home", "A phone changed seats: from"
    assert [f"A phone took a seat: {home}.", f"{changed} {home}, to {away}.", f"{changed} {away}, to {home}."] == told


@pytest.mark.parametrize("path", ["/table", "/seat"])
def test_guessing_is_slowed(path: str) -> None:
    """After five wrong codes even the right one has to wait."""
    clock = Clock()
    with phone(create_app(small_ball().port, GuessLimit(clock=clock))) as client:
        for _ in range(5):
            answer = client.post(path, data={"code": "0000", "seat": "away"})
            assert 403 == answer.status_code
            assert "not the code" in answer.text
            assert COOKIE_NAME not in client.cookies
        answer = client.post(path, data={"code": CODE, "seat": "away"})
        assert 429 == answer.status_code
        assert 0 < int(answer.headers["retry-after"]) <= 31
        clock.now += 31
        assert 303 == client.post(path, data={"code": CODE, "seat": "away"}).status_code


def test_a_wrong_code_leaves_the_seat_chosen() -> None:
    """Only the code has to be typed again."""
    with phone(create_app(small_ball().port)) as client:
        first, again = client.get("/seat").text, client.post("/seat", data={"code": "0000", "seat": "home"}).text
        assert (0, 1) == (first.count(" checked"), again.count(" checked"))
        assert 'value="home" required checked>' in again
        assert ("autofocus" in first, "autofocus" in again) == (False, True)
        assert " checked" not in client.post("/table", data={"code": "0000"}).text


def test_many_phones_guess_together() -> None:
    """Guesses from many phones are slowed as well."""
    clock = Clock()
    gate = GuessLimit(clock=clock)
    for i in range(20):
        gate.count_guess(f"phone {i}")
    with pytest.raises(RequestRejected):
        gate.count_guess("phone 20")
    clock.now += 31
    gate.count_guess("phone 20")


@pytest.mark.parametrize("who", ["away", "operator"])
def test_guesses_do_not_shut_out_who_was_here_before(who: str) -> None:
    """A phone with a pass, even a freed one, is slowed only by its own guesses, even at the strangers' address."""
    port = small_ball()
    app = create_app(port.port, gate := GuessLimit(clock=Clock()))
    for i in range(20):
        gate.count_guess(f"phone {i}")
    for _ in range(2):
        with pytest.raises(RequestRejected):
            gate.count_guess("testclient")
    with phone(app, who) as client:
        port.access.free_seat("away")
        assert 303 == client.post("/table", data={"code": port.access.sign_in_code}).status_code
        for _ in range(5):
            assert 403 == client.post("/table", data={"code": "0000"}).status_code
        assert 429 == client.post("/table", data={"code": port.access.sign_in_code}).status_code
    with phone(app) as client:
        assert 429 == client.post("/table", data={"code": port.access.sign_in_code}).status_code


def test_right_codes_cost_nothing() -> None:
    gate = GuessLimit(clock=Clock())
    for _ in range(50):
        gate.count_guess("phone")
        gate.refund_guess("phone")


@pytest.mark.parametrize("data", [{}, {"seat": "bullpen", "code": CODE}, {"seat": "away", "code": "4" * 50}])
def test_bad_forms(data: dict[str, str]) -> None:
    with phone(create_app(small_ball().port)) as client:
        answer = client.post("/seat", data=data)
        assert 422 == answer.status_code
        assert "<html" in answer.text


BOUNDARY = "multipart/form-data; boundary=x; charset=unicode_escape"


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("application/x-www-form-urlencoded", b"code=%ED%A0%80&seat=away"),
        ("application/x-www-form-urlencoded", b"code=" + "４７１１".encode() + b"&seat=away"),
        ("application/x-www-form-urlencoded", b"&" * 3000),
        ("multipart/form-data", b"no boundary"),
        ("multipart/form-data; boundary=x", b"--x\r\nbroken"),
        (BOUNDARY, b'--x\r\nContent-Disposition: form-data; name="code"\r\n\r\n\\ud800\r\n--x--\r\n'),
        (
            "multipart/form-data; boundary=x",
            b'--x\r\nContent-Disposition: form-data; name="code"; filename="f"\r\n\r\n1\r\n--x--',
        ),
        ("application/json", b"{}"),
    ],
)
@pytest.mark.parametrize("path", ["/table", "/seat"])
def test_broken_forms(path: str, kind: str, body: bytes) -> None:
    """Refused with a page."""
    with phone(create_app(small_ball().port)) as client:
        answer = client.post(path, content=body, headers={"Content-Type": kind})
    assert 400 <= answer.status_code < 500
    assert "<html" in answer.text


NOW = 1_800_000_000.0


@pytest.mark.parametrize("jump", [(0.0, NOW), (NOW, 0.0), (NOW, NOW - 3600)])
def test_no_phone_loses_its_seat_when_the_time_of_day_jumps(
    monkeypatch: pytest.MonkeyPatch, jump: tuple[float, float]
) -> None:
    """Neither when the network sets the clock at last, nor when a power cut sets it back."""
    before, after = jump
    port = small_ball()
    with monkeypatch.context() as time:
        time.setattr("time.time", lambda: before)
        with phone(create_app(port.port)) as client:
            taken = client.post("/seat", data={"code": CODE, "seat": "home"})
            # The phone has a clock of its own, which stays right.
            client.cookies.clear()
            client.headers["Cookie"] = taken.headers["set-cookie"].partition(";")[0]
            time.setattr("time.time", lambda: after)
            assert 'data-seat="home"' in client.get("/seat").text


def test_a_pass_ends_when_the_table_was_on_for_a_day() -> None:
    """By the table's age; what a power cut takes from that age ends no pass."""
    port = small_ball()
    port.time.now += 5000.0
    start = port.time.now
    with phone(create_app(port.port)) as client:
        client.post("/table", data={"code": CODE})
        for later, over in ((PASS_LIFETIME_S, False), (-600.0, False), (1 + PASS_LIFETIME_S, True)):
            port.time.now = start + later
            assert over == (401 == client.post("/api/undo", json={}).status_code)


def test_an_old_kind_of_pass_is_none() -> None:
    """A cookie from before an update only means that the code is asked for again."""
    from itsdangerous import URLSafeTimedSerializer

    port = small_ball()
    for salt in ("dugout-pass", "dugout-pass-2", "dugout-pass-3"):
        old = URLSafeTimedSerializer(port.access.cookie_key.encode(), salt=salt).dumps(
            {"operator": True, "seat": None, "epoch": 0}
        )
        with phone(create_app(port.port)) as client:
            client.cookies.set("dugout", str(old))
            assert 401 == client.post("/api/undo", json={}).status_code
