"""Who is in the room: who is listed, how many may listen, and who always finds room."""

from __future__ import annotations

from contextlib import AsyncExitStack, ExitStack

import pytest

from tests.web.listen import Listener, alive
from tests.web.phones import WHO, cookie, small_ball
from web.app import create_app
from web.auth import Pass
from web.phones import Phones, device
from web.refusals import Refused

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
    """What a browser says of itself becomes one word."""
    assert word == device(AGENTS[word])


def test_who_listens_is_listed() -> None:
    """Phones with a pass stand one by one with role, device and time; spectators are counted; who leaves is gone."""
    port = small_ball()
    room = Phones(clock=iter(range(0, 1000, 10)).__next__)
    app = create_app(port, room=room)

    async def act() -> None:
        async with Listener(app, agent=AGENTS["iPhone"]) as first, Listener(app, agent=AGENTS["TV"]) as second:
            async with (
                Listener(app, "/stream?seat=away", cookie(port, WHO["away"]), agent=AGENTS["iPad"]) as seat,
                Listener(app, "/stream", cookie(port, WHO["both"]), agent=AGENTS["Mac"]) as operator,
            ):
                for one in (first, second, seat, operator):
                    await one.until("panel")
                assert {
                    "phones": [
                        {"role": "seat", "seat": "away", "device": "iPad", "seconds": 20},
                        {"role": "operator", "seat": "away", "device": "Mac", "seconds": 10},
                    ],
                    "spectators": {"iPhone": 1, "TV": 1},
                } == room.listed(lambda held: held)
            assert [] == room.listed(lambda held: held)["phones"]
            assert 2 == len(room)
        assert 0 == len(room)

    alive(app, act)


def test_a_full_house_still_has_room_for_a_pass() -> None:
    """Spectators are refused with a sentence and a time while a seat still comes in; room that is made is used."""
    port = small_ball()
    app = create_app(port, room=Phones(most=20, each=100))

    async def act() -> None:
        async with AsyncExitStack() as stack:
            crowd = [await stack.enter_async_context(Listener(app)) for _ in range(19)]
            for one in crowd:
                assert 200 == await one.answered()
            async with Listener(app) as late:
                assert 503 == await late.answered()
                await late.task
                assert b"The house is full" in late.got
                assert "30" == late.headers["retry-after"]
            async with Listener(app, "/stream?seat=home", cookie(port, WHO["home"])) as seat:
                assert 200 == await seat.answered()
                async with Listener(app, cookie=cookie(port, WHO["operator"])) as operator:
                    assert 503 == await operator.answered()
        async with Listener(app) as late:
            assert 200 == await late.answered()

    alive(app, act)


def test_one_address_has_so_many() -> None:
    """A phone with too many pages is refused, and another phone is not."""
    port = small_ball()
    app = create_app(port, room=Phones(each=3))

    async def act() -> None:
        async with AsyncExitStack() as stack:
            for _ in range(3):
                one = await stack.enter_async_context(Listener(app))
                assert 200 == await one.answered()
            async with Listener(app) as more:
                assert 429 == await more.answered()
                await more.task
                assert b"close some" in more.got
            async with Listener(app, address="192.0.2.8") as other:
                assert 200 == await other.answered()

    alive(app, act)


def test_the_limits_as_they_are() -> None:
    """As docs/phones.md tells them."""
    room = Phones()

    def come(held: Pass, address: str) -> bool:
        try:
            stack.enter_context(room.listen(held, "", address))
        except Refused:
            return False
        return True

    with ExitStack() as stack:
        assert [True] * 38 + [False] == [come(Pass(), "one") for _ in range(39)]
        assert [True, True, False] == [come(Pass(seat="away"), "one") for _ in range(3)]
        assert 910 == sum(come(Pass(), f"{i // 30}") for i in range(990))
        assert [True] * 50 + [False] == [come(Pass(operator=True), f"seat {i // 30}") for i in range(51)]
    assert 0 == len(room)
