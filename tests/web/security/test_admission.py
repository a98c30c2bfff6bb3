"""Every reason why a phone is refused: each gate is provoked once, and the table shows why."""

from __future__ import annotations

import ast
import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from device.diagnostics.checks import phones
from device.service.server import Server
from engine.journal import Source
from tests.device.diagnostics.machines import FIGURES, facts, machine
from tests.device.service.test_server import GET, STREAM, allow, held, serving
from tests.hostile.visitors import Visitor
from tests.web import gate_table
from tests.web.phones import WHO, cookie, peek, phone, small_ball
from tests.web.roles import DOC
from tests.web.stream_client import Listener, alive
from tests.web.web_table import CODE, WebTable
from web.app import create_app
from web.live import hub
from web.live.presence import ListeningPhones
from web.port import TablePorts
from web.request_limits import RequestLimits
from web.security import admission
from web.security.admission import GATES_BY_NAME, NO_ANSWER, Gate
from web.security.passes import Pass

HOSTILE = "http://elsewhere.example"
LIMIT_S = 100.0
"""Seconds after which something gives up."""


class Room:
    """A table of Small Ball with its application. `patch` changes limits."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.patch = patch
        self.open(small_ball())

    def open(self, table: WebTable) -> None:
        """Play at this table from now on."""
        self.table, self.port = table, table.port
        self.app = create_app(self.port)

    def send(self, who: str, method: str, path: str, **more: Any) -> list[int]:
        """Send a request once, or `times`; return the statuses."""
        times = more.pop("times", 1)
        with phone(self.app, who) as client:
            return [client.request(method, path, **more).status_code for _ in range(times)]

    def set(self, gate: str, **changed: int) -> None:
        """Change a gate that is read when it is used."""
        self.patch.setattr(admission, gate, replace(getattr(admission, gate), **changed))

    def requests(self, **limits: float) -> None:
        """Change the limits on requests; before the first of them."""
        for one in self.app.user_middleware:
            if getattr(one.cls, "__name__", "") == RequestLimits.__name__:
                one.kwargs.update(limits)

    def run(self, act: Callable[[], Awaitable[Any]]) -> None:
        alive(self.app, act)


Act = Callable[[Room], None]
ACTS: dict[str, Act] = {}
"""What provokes each gate, by its name."""


def provokes(gate: Gate) -> Callable[[Act], Act]:
    def keep(act: Act) -> Act:
        ACTS[gate.name] = act
        return act

    return keep


def asks(gate: Gate, who: str, method: str, path: str, **more: Any) -> None:
    """Provoke a gate with a request, or with the last of several."""

    @provokes(gate)
    def act(room: Room) -> None:
        assert gate.status == room.send(who, method, path, **more)[-1]


UNDO = {"json": {"version": 1}}
TAKE = {"data": {"seat": "home", "code": CODE}}
asks(admission.FOREIGN_HOST, "spectator", "GET", "/", headers={"Host": "elsewhere.example"})
asks(admission.FOREIGN_SITE, "operator", "POST", "/api/undo", headers={"Origin": HOSTILE}, **UNDO)
asks(admission.LARGE_BODY, "away", "POST", "/api/answer", content=b"x" * (1 + (admission.LARGE_BODY.limit << 10)))
asks(
    admission.LARGE_UPLOAD,
    "operator",
    "POST",
    "/api/decks/import",
    content=b"x" * (1 + (admission.LARGE_UPLOAD.limit << 10)),
)
asks(
    admission.LARGE_PHOTOGRAPH,
    "away",
    "POST",
    "/api/photograph?n=1",
    content=b"x" * (1 + (admission.LARGE_PHOTOGRAPH.limit << 10)),
)
asks(
    admission.SETTING_CHANGES,
    "away",
    "POST",
    "/api/pace",
    json={"pace": "brisk"},
    times=admission.SETTING_CHANGES.limit + 1,
)
asks(admission.WRONG_CODE, "spectator", "POST", "/table", data={"code": "0"})
asks(admission.BAD_INVITATION, "spectator", "POST", "/in", data={"who": "home", "invitation": "ABC"})
asks(
    admission.GUESSES_PER_PHONE,
    "spectator",
    "POST",
    "/table",
    data={"code": "0"},
    times=admission.GUESSES_PER_PHONE.limit + 1,
)
asks(admission.NO_PASS, "spectator", "POST", "/api/undo", **UNDO)
asks(admission.NO_SEAT_PASS, "spectator", "GET", "/stream?seat=away")
asks(admission.OPERATOR_ONLY, "away", "POST", "/api/undo", **UNDO)
asks(admission.SEAT_NOT_HELD, "away", "GET", "/api/view?seat=home")
asks(admission.NO_SEAT, "operator", "POST", "/seat/wait")


def closed(port: int) -> None:
    """Open one more connection, which the server closes."""
    with ExitStack() as stack:
        try:
            line = stack.enter_context(held(port, GET))
            while line.recv(4096):
                pass
        except ConnectionError:
            return
    raise AssertionError("it was answered")


def crowded(gate: Gate, limit: str) -> None:
    @provokes(gate)
    def act(room: Room) -> None:
        server = Server(room.port)
        allow(server, **{limit: 1})
        with serving(server) as port, held(port, STREAM) as line:
            assert line.recv(20).startswith(b"HTTP/1.1 200")
            closed(port)


crowded(admission.CONNECTIONS_PER_ADDRESS, "each")
crowded(admission.TOTAL_CONNECTIONS, "most")


@provokes(admission.UNFINISHED_REQUEST)
def unfinished(room: Room) -> None:
    server = Server(room.port)
    server.connections.silent = 0.05
    with serving(server) as port:
        with held(port) as spare, pytest.raises(ConnectionResetError):
            spare.recv(1)
        assert {} == room.port.refusals.rejection_summary().counts, "a browser opens spare connections"
        with held(port, GET[:20]) as line, pytest.raises(ConnectionResetError):
            line.recv(1)


def unread(gate: Gate, other: str, **limits: float) -> None:
    """Provoke a limit on requests by an answer that nobody takes."""

    @provokes(gate)
    def act(room: Room) -> None:
        async def run() -> None:
            first = Visitor(room.app, "/", at="10.0.0.1")
            first.reads.clear()
            if gate is not admission.SLOW_DOWNLOAD:
                while first.status is None:
                    await asyncio.sleep(0.001)
                assert gate.status == await Visitor(room.app, "/", at=other).answer()
                first.reads.set()
            await first.answer()

        room.requests(**limits)
        room.run(run)


unread(admission.REQUESTS_PER_ADDRESS, "10.0.0.1", each=1)
unread(admission.TOTAL_REQUESTS, "10.0.0.2", most=1)
unread(admission.SLOW_DOWNLOAD, "", longest=0.05)


@provokes(admission.STRANGER_TURN)
def turn(room: Room) -> None:
    room.requests(at_once=0, patience=0.01)
    assert [503] == room.send("spectator", "GET", "/")


@provokes(admission.SEAT_TURN)
def seat_turn(room: Room) -> None:
    room.set("SEAT_TURN", limit=0)
    room.requests(patience=0.01)
    for method in ("GET", "POST"):
        assert [503] == room.send("away", method, "/api/undo")


@provokes(admission.SLOW_STREAM)
def slow_stream(room: Room) -> None:
    async def run() -> None:
        async with Listener(room.app) as slow:
            await slow.until("panel")
            slow.ready.clear()
            late = time.monotonic() + LIMIT_S
            while not room.port.refusals.rejection_summary().counts:
                assert time.monotonic() < late
                room.table.game.publish_again()
                await asyncio.sleep(0.001)

    room.patch.setattr(hub, "SLOW_STREAM", replace(admission.SLOW_STREAM, limit=0))
    room.run(run)


@provokes(admission.SLOW_BODY)
def slow_body(room: Room) -> None:
    async def run() -> None:
        visitor = Visitor(room.app, "/api/undo", "POST", "operator", comes=False)
        assert 408 == await visitor.answer()

    room.set("SLOW_BODY", limit=0)
    room.run(run)


@provokes(admission.SLOW_PHOTOGRAPH)
def slow_photograph(room: Room) -> None:
    async def run() -> None:
        visitor = Visitor(room.app, "/api/photograph?n=1", "POST", "operator", comes=False)
        assert 408 == await visitor.answer()

    room.set("SLOW_PHOTOGRAPH", limit=0)
    room.run(run)


@provokes(admission.BUSY_PHOTOGRAPH)
def busy_photograph(room: Room) -> None:
    room.table.seats.answer_ask("away", 1, "bat", Source.PHONE)
    room.port.lanes.photographs._each = replace(admission.BUSY_PHOTOGRAPH, limit=0)
    assert [503] == room.send("away", "POST", "/api/photograph?n=2", content=b"a picture")


@provokes(admission.PHOTOGRAPHS)
def many_photographs(room: Room) -> None:
    room.table.seats.answer_ask("away", 1, "bat", Source.PHONE)
    times = admission.PHOTOGRAPHS.limit + 1
    assert 429 == room.send("away", "POST", "/api/photograph?n=2", content=b"a picture", times=times)[-1]


def watched(gate: Gate, address: str, **limits: Any) -> None:
    @provokes(gate)
    def act(room: Room) -> None:
        async def run() -> None:
            async with Listener(room.app) as first:
                assert 200 == await first.answered()
                async with Listener(room.app, address=address) as second:
                    assert gate.status == await second.answered()

        room.app = create_app(room.port, room=ListeningPhones(room.port.refusals, **limits))
        room.run(run)


watched(admission.PAGES_PER_ADDRESS, "192.0.2.7", each=1)
watched(admission.TOTAL_PAGES, "192.0.2.8", most=1)


@provokes(admission.TOTAL_READS)
def reading(room: Room) -> None:
    room.set("TOTAL_READS", limit=0)
    assert [503] == room.send("spectator", "GET", "/decks")


@provokes(admission.READS_PER_ADDRESS)
def reading_each(room: Room) -> None:
    room.port.lanes.decks._each = replace(admission.READS_PER_ADDRESS, limit=0)
    assert [503] == room.send("spectator", "GET", "/decks")


@provokes(admission.BUSY_COACH)
def coach(room: Room) -> None:
    room.port.lanes.coach._each = replace(admission.BUSY_COACH, limit=0)
    assert [503] == room.send("away", "POST", "/api/seat/advice", json={"seat": "away", "n": 1})


@provokes(admission.SIGN_INS_PER_ADDRESS)
def sign_ins(room: Room) -> None:
    with phone(room.app) as client:
        for n in range(admission.SIGN_INS_PER_ADDRESS.limit + 1):
            seat = ("home", "away")[n % 2]
            last = client.post("/seat", data={"seat": seat, "code": CODE})
    assert 429 == last.status_code


@provokes(admission.TOTAL_PASSES)
def passes(room: Room) -> None:
    for _ in range(admission.TOTAL_PASSES.limit):
        room.table.access.pass_list.grant_pass(Pass(seat="away"), "other", "10.0.0.9")
    assert [303] == room.send("spectator", "POST", "/seat", **TAKE)


@provokes(admission.GUESSES_BY_STRANGERS)
def guesses_strangers(room: Room) -> None:
    for n in range(admission.GUESSES_BY_STRANGERS.limit):
        room.app.state.gate.count_guess(f"10.0.0.{n}")
    assert [429] == room.send("spectator", "POST", "/table", data={"code": CODE})


@provokes(admission.TOTAL_GUESSES)
def guesses_all(room: Room) -> None:
    for n in range(admission.TOTAL_GUESSES.limit):
        room.app.state.gate.count_guess(f"pass {n}", known=True)
    assert [429] == room.send("away", "POST", "/table", data={"code": CODE})


@provokes(admission.SIGNED_OUT)
def signed_out(room: Room) -> None:
    with phone(room.app, "away") as client:
        room.table.access.pass_list.end_passes([one.held.id for one in room.table.access.pass_list.valid_passes()])
        assert 401 == client.get("/api/view?seat=away").status_code


@provokes(admission.FREED_SEAT)
def freed(room: Room) -> None:
    with phone(room.app, "away") as client:
        room.table.access.free_seat("away")
        assert 401 == client.get("/api/view?seat=away").status_code


@provokes(admission.SIGNED_OUT_MEANWHILE)
def sign_outs(room: Room) -> None:
    room.patch.setattr(room.app.state.gate, "count_guess", lambda *_: room.table.access.pass_list.sign_out_passes([]))
    assert [403] == room.send("spectator", "POST", "/seat", **TAKE)


@provokes(admission.EMPTY_SEAT)
def empty_seat(room: Room) -> None:
    room.table.show(table={"scoreboard": {"plays": {"away": "away"}}})
    for path, more in (("/seat", TAKE), ("/in", {"data": {"who": "home", "invitation": "ABC"}})):
        assert [403] == room.send("spectator", "POST", path, **more)


@provokes(admission.HELD_SEAT)
def held_seat(room: Room) -> None:
    cookie(room.table.access, WHO["home"])
    agreed = {"seat": "home", "n": 1, "value": 1, "version": 1}
    assert [403] == room.send("operator", "POST", "/api/seat/correction/agree", json=agreed)


@provokes(admission.SECRET_ASK)
def secret(room: Room) -> None:
    room.open(peek())
    asked = room.table.game.view_for(None).table.asks[0]
    answer = {"seat": asked.seat, "n": asked.n, "value": "x"}
    assert [403] == room.send("operator", "POST", "/api/answer", json=answer)


@provokes(admission.DEMO_ONLY)
def demo(room: Room) -> None:
    room.open(small_ball(demo=False))
    assert [403] == room.send("operator", "POST", "/api/simulate", json={"what": "throw"})


def operator_sees(port: TablePorts) -> Any:
    """Return what the operator's page reads about phones that were refused."""
    with phone(create_app(port), "operator") as client:
        return client.get("/api/phones").json()["refusals"]


@pytest.mark.parametrize("name", GATES_BY_NAME)
def test_a_refusal_is_seen_everywhere(
    name: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    """Each gate is counted, logged, and shown by the doctor and on the operator's page, in the same words."""
    room, gate = Room(monkeypatch), GATES_BY_NAME[name]
    with caplog.at_level(logging.WARNING, "dugout.refusals"):
        ACTS[name](room)
    summary = room.port.refusals.rejection_summary()
    words = f" was turned away: {name}; {gate.advice}."
    assert name in summary.counts
    assert 1 == sum(words in line for line in caplog.messages)
    seen = facts(machine(tmp_path, {}), running=replace(FIGURES, refusals=summary))
    found = phones.check_phones(seen)
    assert "look" == found.verdict
    assert words in found.seen
    page = operator_sees(room.port)
    assert name in page["counts"]
    assert [True] == [words in one["words"] for one in page["last"] if one["gate"] == name]


def test_the_phone_reads_the_sentence_of_the_table() -> None:
    """With the status and the time to wait."""
    with phone(create_app(small_ball().port)) as client:
        answer = client.get("/api/view?seat=away")
        assert (401, {"error": "code", "sentence": "Take the seat first."}) == (answer.status_code, answer.json())
        for _ in range(admission.GUESSES_PER_PHONE.limit):
            client.post("/table", data={"code": "0"})
        late = client.post("/table", data={"code": "0"})
    assert (429, "30") == (late.status_code, late.headers["retry-after"])


def test_the_document_lists_every_gate() -> None:
    """`python -m tests.web.gate_table` prints the table of docs/develop/requests.md."""
    assert "".join(gate_table.lines()) in DOC.read_text("utf-8")


def refused_elsewhere(source: str) -> Iterator[int]:
    """Yield the lines of a module that refuse a phone with a status of their own."""
    ours = {gate.status for gate in GATES_BY_NAME.values()} - {NO_ANSWER}
    for node in ast.walk(ast.parse(source)):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in ("RequestRejected", "rejection_response")
        ):
            yield from (node.lineno for one in node.args if isinstance(one, ast.Constant) and one.value in ours)


def test_no_phone_is_refused_past_the_table() -> None:
    """Whatever refuses a phone raises `PhoneRejected` with a gate. A full disk answers 503, too."""
    assert [1] == list(refused_elsewhere("raise RequestRejected(403, 'No.')"))
    root = Path(admission.__file__).parents[1]
    found = {(path.name, one) for path in root.rglob("*.py") for one in refused_elsewhere(path.read_text("utf-8"))}
    assert ["errors.py"] == [name for name, _ in found]


def test_each_gate_says_all_that_is_needed() -> None:
    """A reason, what helps, what it allows; and a sentence and a kind of refusal unless it closes the connection."""
    for gate in GATES_BY_NAME.values():
        assert gate.name
        assert gate.advice
        assert gate.unit
        assert not gate.advice.endswith(".")
        assert (gate.status == NO_ANSWER) == (gate.sentence == "") == (gate.error == "")
