"""Who is in the room: who is listed, how many may listen, and who always finds room."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, ExitStack

import httpx
import pytest

from device.shapes import Presence, RejectionSummary, SignedInPhone
from engine.seats import SEATS, Seat, opposite_seat
from engine.secrets import HIDDEN_TEXT
from tests.web.games.bottom_of_the_9th import PITCHES, ninth
from tests.web.phones import WHO, TestClient, cookie, phone, port, small_ball, text
from tests.web.stream_client import Listener, looped
from tests.web.web_table import CODE
from web.app import create_app
from web.live.presence import ListeningPhones, presence_report
from web.security.devices import device_kind
from web.security.passes import Pass
from web.security.rejected import RequestRejected
from web.security.rejection_log import RejectionLog

AGENTS = {
    "iPhone": "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Safari/604.1",
    "iPad": "Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Safari/604.1",
    "Android": "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/137.0 Mobile Safari/537.36",
    "Mac": "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.5 Safari/605.1.15",
    "Windows": "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/137.0 Safari/537.36",
    "Linux": "Mozilla/5.0 (X11; Linux x86_64; rv:139.0) Gecko/20100101 Firefox/139.0",
    "Chromebook": "Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 Chrome/137.0 Safari/537.36",
    "TV": "Mozilla/5.0 (SMART-TV; Linux; Tizen 6.0) AppleWebKit/538.1 Version/6.0 TV Safari/538.1",
    "OBS": "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/127.0 Safari/537.36 OBS/31.0",
    "other": "curl/8.9",
}


@pytest.mark.parametrize("word", AGENTS)
def test_a_word_for_each_device(word: str) -> None:
    assert word == device_kind(AGENTS[word])


@looped
async def test_who_is_signed_in_is_listed() -> None:
    """Phones with a pass one by one, with role, device and times; spectators that listen are counted."""
    port = small_ball()
    app = create_app(port.port)
    room, passes = app.state.phones, app.state.passes
    away, both = (cookie(port.access, WHO[who], AGENTS[kind]) for who, kind in (("away", "iPad"), ("both", "Mac")))
    ids, ours = zip(*((one.held.id, one.held) for one in port.access.pass_list.valid_passes()), strict=True)
    none = RejectionSummary({}, [])
    phones = [
        SignedInPhone(ids[0], "seat", "away", "iPad", 50, 0, own=False),
        SignedInPhone(ids[1], "operator", "away", "Mac", 50, 20, own=True),
    ]
    async with app.router.lifespan_context(app):
        async with Listener(app, agent=AGENTS["iPhone"]) as first, Listener(app, agent=AGENTS["TV"]) as second:
            port.time.now += 30
            async with (
                Listener(app, "/stream?seat=away", away) as seat,
                Listener(app, "/stream", both) as operator,
            ):
                for one in (first, second, seat, operator):
                    await one.until("panel")
                assert 4 == len(room)
            async with Listener(app, "/stream?seat=away", away) as seat:
                await seat.until("panel")
                port.time.now += 20
                assert Presence("1", phones, {"iPhone": 1, "TV": 1}, none) == presence_report(
                    "1", room, passes, ours[1], none
                )
            assert 2 == len(room)
        assert 0 == len(room)


@looped
async def test_a_page_without_a_stream_was_last_seen_when_it_ended() -> None:
    """As one in the background: not when its phone last asked for something."""
    port = small_ball()
    app = create_app(port.port)
    away = cookie(port.access, WHO["away"])
    async with app.router.lifespan_context(app):
        async with Listener(app, "/stream?seat=away", away) as seat:
            await seat.until("panel")
            port.time.now += 7200
        port.time.now += 20
        (phone,) = presence_report("1", app.state.phones, app.state.passes, Pass(), RejectionSummary({}, [])).phones
    assert (7220, 20) == (phone.seconds, phone.unseen)


@looped
async def test_a_full_house_still_has_room_for_a_pass() -> None:
    """Spectators are refused with a sentence and a time to retry; a seat and the operator still get in."""
    port = small_ball()
    app = create_app(port.port, room=ListeningPhones(port.port.refusals, most=20, each=100))
    async with app.router.lifespan_context(app):
        async with AsyncExitStack() as stack:
            crowd = [await stack.enter_async_context(Listener(app)) for _ in range(19)]
            for one in crowd:
                assert 200 == await one.answered()
            async with Listener(app) as late:
                assert 503 == await late.answered()
                await late.task
                assert b"Full house" in late.got
                assert "30" == late.headers["retry-after"]
            async with Listener(app, "/stream?seat=home", cookie(port.access, WHO["home"])) as seat:
                assert 200 == await seat.answered()
                async with Listener(app, cookie=cookie(port.access, WHO["operator"])) as operator:
                    assert 200 == await operator.answered()
        async with Listener(app) as late:
            assert 200 == await late.answered()


@looped
async def test_one_address_has_so_many() -> None:
    port = small_ball()
    app = create_app(port.port, room=ListeningPhones(port.port.refusals, each=3))
    async with app.router.lifespan_context(app), AsyncExitStack() as stack:
        for _ in range(3):
            one = await stack.enter_async_context(Listener(app))
            assert 200 == await one.answered()
        async with Listener(app) as more:
            assert 429 == await more.answered()
            await more.task
            assert b"Close some" in more.got
        async with Listener(app, address="192.0.2.8") as other:
            assert 200 == await other.answered()


def test_the_limits_as_they_are() -> None:
    """As docs/develop/requests.md says. A full house makes room for an address with fewer pages, and for a pass."""
    room, cut = ListeningPhones(RejectionLog()), list[str]()

    def come(held: Pass, address: str) -> bool:
        try:
            stack.enter_context(room.register_phone(held, "", address, lambda: cut.append(address)))
        except RequestRejected:
            return False
        return True

    with ExitStack() as stack:
        assert [True] * 38 + [False] == [come(Pass(), "one") for _ in range(39)]
        assert [True, True] == [come(Pass(seat="away"), "one") for _ in range(2)]
        assert 910 == sum(come(Pass(), f"{i // 35}") for i in range(910))
        assert [] == cut
        assert come(Pass(), "new")
        assert ["one"] == cut
        assert [True] * 50 == [come(Pass(operator=True), f"seat {i // 30}") for i in range(50)]
        assert ["one"] == cut
        assert come(Pass(operator=True), "seat")
        assert ["one", "one"] == cut
    assert 0 == len(room)


def test_a_seat_is_freed() -> None:
    """Its phones lose it at once, with the reason, and need the new code; nobody else is affected."""
    port = small_ball()
    app = create_app(port.port)
    with phone(app) as one, phone(app) as two, phone(app, "home") as other, phone(app, "operator") as operator:
        for client in (one, two, operator):
            assert 303 == client.post("/seat", data={"code": CODE, "seat": "away"}).status_code
        assert 200 == operator.post("/api/free", json={"seat": "away"}).status_code
        assert "Seat freed: Lanterns, away." == port.game.view_for(None).warnings[0]
        for client in (one, two):
            answer = client.post("/api/answer", json={"seat": "away", "n": 1, "value": "bat"})
            assert (401, "code") == (answer.status_code, answer.json()["error"])
            assert "The operator freed this seat" in answer.json()["sentence"]
            assert 401 == client.get("/api/view?seat=away").status_code
            assert 401 == client.get("/stream?seat=away").status_code
            assert "The operator freed this seat" in text(client.get("/seat").text)
            assert 200 == client.get("/").status_code
        assert 200 == other.get("/api/view?seat=home").status_code
        assert 403 == operator.get("/api/view?seat=away").status_code
        assert 200 == operator.post("/api/answer", json={"seat": "away", "n": 1, "value": "bat"}).status_code
        assert 403 == one.post("/seat", data={"code": CODE, "seat": "away"}).status_code
        new = operator.get("/api/phones").json()["code"]
        assert 303 == one.post("/seat", data={"code": new, "seat": "away"}).status_code
        assert 200 == one.get("/api/view?seat=away").status_code
        assert 401 == two.get("/api/view?seat=away").status_code
        assert 303 == operator.post("/seat", data={"seat": "away"}).status_code
        assert 200 == operator.get("/api/view?seat=away").status_code


@looped
async def test_a_freed_seats_streams_end() -> None:
    """With a sentence; a stream with a new pass, and all others, go on."""
    port = small_ball()
    app = create_app(port.port)
    away, home = (cookie(port.access, WHO[seat]) for seat in ("away", "home"))
    async with (
        app.router.lifespan_context(app),
        Listener(app, "/stream?seat=away", away) as one,
        Listener(app, "/stream?seat=away", away) as two,
        Listener(app, "/stream?seat=home", home) as other,
        Listener(app, "/stream", away) as watching,
    ):
        for listener in (one, two, other, watching):
            await listener.until("panel")
        port.access.free_seat("away")
        app.state.streams.end_seat_streams("away", "Gone.")
        await asyncio.gather(one.task, two.task)
        for listener in (one, two):
            assert ("freed", {"sentence": "Gone."}) == (listener.heard[-1].name, listener.heard[-1].data)
        async with Listener(app, "/stream?seat=away", away) as again:
            assert 401 == await again.answered()
        room = presence_report("1", app.state.phones, app.state.passes, Pass(), RejectionSummary({}, []))
        assert ["home"] == [one.seat for one in room.phones]
        new = cookie(port.access, Pass(seat="away", epoch=1))
        async with Listener(app, "/stream?seat=away", new) as again:
            port.game.publish_again()
            for listener in (again, other, watching):
                await listener.until("panel", port.game.version)


@looped
async def test_two_phones_on_one_seat_agree() -> None:
    """Both see an answer at once; the second of two is refused as stale."""
    port = small_ball()
    app = create_app(port.port)
    async with app.router.lifespan_context(app):
        pass_ = cookie(port.access, WHO["away"])
        async with (
            Listener(app, "/stream?seat=away", pass_) as one,
            Listener(app, "/stream?seat=away", pass_) as two,
            httpx.AsyncClient(
                transport=httpx.ASGITransport(app), base_url="http://testserver", headers={"Cookie": pass_}
            ) as hand,
        ):
            for listener in (one, two):
                await listener.until("panel")
            answers = [hand.post("/api/answer", json={"seat": "away", "n": 1, "value": "bat"}) for _ in range(2)]
            first, second = sorted(await asyncio.gather(*answers), key=lambda answer: answer.status_code)
            assert (200, 409) == (first.status_code, second.status_code)
            assert ("stale", "That was answered already.") == tuple(second.json().values())
            for listener in (one, two):
                heard = await listener.until("panel", port.game.version)
                assert [2] == [ask["n"] for ask in heard[-2].data["table"]["asks"]]


def test_the_table_is_switched_off() -> None:
    port = small_ball()
    with phone(create_app(port.port), "operator") as operator:
        assert 200 == operator.post("/api/shutdown").status_code
    assert [("shutdown",)] == port.machine.acts


def sights(client: TestClient, seat: Seat) -> tuple[str, str]:
    return client.get("/seat").text, client.get(f"/api/view?seat={seat}").text


@pytest.mark.parametrize("seat", SEATS)
def test_a_phone_that_takes_the_seat_later_learns_only_that_it_is_ready(seat: Seat) -> None:
    """Page and view of a seat are the same whatever it chose: for a rival who takes it, and for the chooser after a
    reload."""
    mine_seen, later_seen = set(), set()
    for choice in PITCHES:
        made = port(ninth())
        (n,) = [n for n, ask in made.game.table.open_asks() if ask.seat == seat]
        with phone(create_app(made.port), seat) as mine:
            assert mine.post("/api/answer", json={"seat": seat, "n": n, "value": choice}).is_success
            mine_seen.add(sights(mine, seat))
        with phone(create_app(made.port), opposite_seat(seat)) as spy:
            assert 303 == spy.post("/seat", data={"seat": seat, "code": CODE}).status_code
            later_seen.add(sights(spy, seat))
            assert {str(n): HIDDEN_TEXT} == spy.get(f"/api/view?seat={seat}").json()["table"]["given"]
    assert (1, 1) == (len(mine_seen), len(later_seen))
