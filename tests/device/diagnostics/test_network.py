"""The doctor's checks of the network: addresses, the name and where it leads, the hotspot, and the port."""

from __future__ import annotations

import socket
import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import ClassVar

import pytest

from device import machine
from device.diagnostics.checks import network
from device.machine import Machine
from device.shapes import TABLE_ID_HEADER, Figures
from tests.device.diagnostics.machines import FIGURES, PI4, facts
from tests.device.diagnostics.machines import machine as drawn

HERE = {"hostname -I": "192.168.1.20 127.0.0.1 169.254.3.4 fe80::1\n"}
NAMED = "[web]\nname = 'dugout.local'"
RUNNING = replace(FIGURES, table_id="ours", port=8000)


@contextmanager
def avahi(*answers: tuple[str, str]) -> Iterator[Path]:
    """Make a folder for a machine whose avahi gives these answers by question. Without any, avahi is not running."""
    # Not below pytest's folder: a socket's path has at most 107 characters.
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as line:
        path = Path(folder, "run/avahi-daemon/socket")
        path.parent.mkdir(parents=True)
        if not answers:
            yield Path(folder)
            return
        line.bind(str(path))
        line.listen()

        def serve() -> None:
            while True:
                with line.accept()[0] as asked:
                    question = asked.recv(1024).decode().removesuffix("\n")
                    if question == "END":
                        return
                    asked.sendall(f"{dict(answers).get(question, '-15 Timeout reached')}\n".encode())

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield Path(folder)
        with socket.socket(socket.AF_UNIX) as last:
            last.connect(str(path))
            last.sendall(b"END")
        thread.join(300)


def resolved(name: str, address: str) -> tuple[str, str]:
    return f"RESOLVE-HOSTNAME-IPV4 {name}", f"+ 2 0 {name} {address}"


def called(address: str, name: str) -> tuple[str, str]:
    return f"RESOLVE-ADDRESS {address}", f"+ 2 0 {name}"


OWN_NAME = called("192.168.1.20", "dugout.local")


def test_addresses(tmp_path: Path) -> None:
    """Phones cannot connect without a network; a table that serves only this machine is worth a look."""
    assert "Addresses: 192.168.1.20." == network.check_network(facts(drawn(tmp_path, PI4, HERE))).seen
    assert "wrong" == network.check_network(facts(drawn(tmp_path, PI4, {"hostname -I": "\n"}))).verdict
    assert "look" == network.check_network(facts(drawn(tmp_path, PI4), "[web]\nhost = '127.0.0.1'")).verdict
    proxied = facts(drawn(tmp_path, PI4), "[web]\nhost = '127.0.0.1'\nname = 'dugout.example'")
    assert ("ok", True) == ((found := network.check_network(proxied)).verdict, "dugout.example" in found.seen)


@pytest.mark.parametrize(
    ("answers", "verdict", "words"),
    [
        ((resolved("dugout.local", "192.168.1.20"), OWN_NAME), "ok", "dugout.local leads to this machine."),
        ((OWN_NAME,), "look", "dugout.local is unknown in the network; this machine is called dugout.local."),
        ((), "look", "Avahi, which answers for dugout.local, is not running."),
        (
            (resolved("dugout.local", "192.168.1.9"), called("192.168.1.20", "dugout-2.local")),
            "look",
            "dugout.local is the machine at 192.168.1.9; this machine is called dugout-2.local.",
        ),
        (
            (called("192.168.1.20", "raspberrypi.local"),),
            "look",
            "dugout.local is unknown in the network; this machine is called raspberrypi.local.",
        ),
        (
            (resolved("dugout.local", "192.168.1.9"), OWN_NAME),
            "look",
            "dugout.local leads to 192.168.1.9, which is not this machine.",
        ),
    ],
)
def test_the_name_reaches_this_machine(answers: tuple[tuple[str, str], ...], verdict: str, words: str) -> None:
    """Another machine may have it: then avahi gave this one another name."""
    with avahi(*answers) as folder:
        found = network.check_name(facts(drawn(folder, PI4, HERE), NAMED))
    assert (verdict, words, verdict != "ok") == (found.verdict, found.seen, bool(found.todo))


@pytest.mark.parametrize(
    ("address", "there", "verdict", "words"),
    [
        ("192.168.1.20", "ours", "ok", "leads to this table."),
        ("192.168.1.9", "ours", "ok", "leads to this table."),
        ("192.168.1.20", "theirs", "wrong", "leads to another table, at 192.168.1.20."),
        ("192.168.1.9", "theirs", "wrong", "leads to another table, at 192.168.1.9."),
        ("192.168.1.20", "", "look", "leads to this machine, but no table answers at port 8000."),
        ("192.168.1.9", "", "wrong", "leads to 192.168.1.9, which is not this machine, and no table answers there."),
        ("", "", "look", "is unknown in the network."),
    ],
)
def test_the_name_reaches_this_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str, there: str, verdict: str, words: str
) -> None:
    """By its ID: a proxy may stand before it, and another table may have the name that a router knows."""
    asked: list[tuple[str, int, str]] = []

    def table_at(*where: object) -> str:
        asked.append(where)  # type: ignore[arg-type]
        return there

    monkeypatch.setattr(socket, "gethostbyname", lambda name: address or socket.inet_aton("no address"))
    here = replace(drawn(tmp_path, PI4, HERE), table_at=table_at)
    found = network.check_name(facts(here, "[web]\nname = 'dugout.fritz.box'", RUNNING))
    assert (verdict, f"dugout.fritz.box {words}") == (found.verdict, found.seen)
    assert [(address, 8000, "dugout.fritz.box")] * bool(address) == asked


def test_behind_a_proxy_the_name_is_asked_at_its_port(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "gethostbyname", lambda name: "127.0.0.1")
    here = replace(drawn(tmp_path, PI4, HERE), table_at=lambda address, port, name: "ours" if port == 80 else "")
    for web in ("host = '127.0.0.1'", "proxies = ['192.168.1.2']"):
        behind = facts(here, f"[web]\nname = 'dugout.example'\n{web}", replace(RUNNING, given="proxies" in web))
        assert "dugout.example leads to this table." == network.check_name(behind).seen


class Answer(BaseHTTPRequestHandler):
    """The page of a table's health, or of something else."""

    sent: ClassVar[Mapping[str, str]] = {}
    hosts: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        self.hosts.append(self.headers["Host"])
        self.send_response(200)
        for name, value in self.sent.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name in the base class
        """Keep the test's output clean."""


@pytest.mark.parametrize("sent", [{TABLE_ID_HEADER: "ours"}, {}])
def test_a_table_is_asked_for_its_id(sent: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Something else has none, and where nobody answers there is none."""
    monkeypatch.setattr(Answer, "sent", sent)
    with HTTPServer(("127.0.0.1", 0), Answer) as server:
        threading.Thread(target=server.handle_request, daemon=True).start()
        port = server.server_port
        assert sent.get(TABLE_ID_HEADER, "") == machine.table_id_at("127.0.0.1", port, "dugout.local")
        assert f"dugout.local:{port}" == Answer.hosts[-1]
    assert "" == machine.table_id_at("127.0.0.1", port, "dugout.local")


HOTSPOT = "connection.autoconnect:{}\n802-11-wireless-security.pmf:{}\n{}"


@pytest.mark.parametrize(
    ("output", "verdict", "words"),
    [
        (None, "ok", "None is set up"),
        (HOTSPOT.format("yes", "1 (disable)", ""), "ok", "It opens if no known Wi-Fi is in reach"),
        (HOTSPOT.format("yes", "1", "GENERAL.STATE:activated\n"), "ok", "It is open."),
        (HOTSPOT.format("no", "1 (disable)", ""), "wrong", "It did not open when it was set up"),
        (HOTSPOT.format("yes", "0 (default)", ""), "look", "It protects management frames"),
    ],
)
def test_the_hotspot(tmp_path: Path, output: str | None, verdict: str, words: str) -> None:
    """One that could not be opened is not promised."""
    found = network.check_hotspot(facts(drawn(tmp_path, PI4, {} if output is None else {"nmcli": output})))
    assert (verdict, True) == (found.verdict, found.seen.startswith(words))
    assert (verdict != "ok") == ("sudo scripts/install --hotspot" in found.todo)


@pytest.mark.parametrize(("port", "running", "verdict"), [(22, False, "wrong"), (8000, False, "ok"), (22, True, "ok")])
def test_who_uses_the_port(tmp_path: Path, port: int, running: bool, verdict: str) -> None:
    found = network.check_port(facts(drawn(tmp_path, PI4), f"[web]\nport = {port}", FIGURES if running else None))
    assert verdict == found.verdict


def test_the_defaults_are_the_real_machine() -> None:
    assert "" == Machine().table_at("127.0.0.1", 9, "nobody.local")
    assert Figures().table_id == ""
