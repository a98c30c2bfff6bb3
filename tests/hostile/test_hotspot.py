"""Guests in the table's own Wi-Fi reach the table and nothing else, and nobody reads its password from a process."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from device.install import hotspot
from device.install.host import Host, SetupError
from tests.device.install.sd_card import CHECKOUT, Card, typing
from tests.device.install.sd_card import hotspot as hotspot_of

TABLE, SSH, OTHER = 80, 22, 8080
PI, UPSTREAM, GUEST = "10.42.0.1", "192.168.50.2", "10.42.0.7"

LISTEN = """\
import socket, sys
servers = [socket.create_server(("", int(port))) for port in sys.argv[1:]]
print("ready", flush=True)
sys.stdin.read()
"""

CONNECT = """\
import socket, sys
try:
    socket.create_connection((sys.argv[1], int(sys.argv[2])), 2).close()
except OSError:
    sys.exit(1)
"""

NAT = """\
table ip nm-shared-wlan0 {
    chain nat_postrouting {
        type nat hook postrouting priority srcnat; policy accept;
        ip saddr 10.42.0.0/24 ip daddr != 10.42.0.0/24 masquerade
    }
    chain filter_forward {
        type filter hook forward priority filter; policy accept;
        ip daddr 10.42.0.0/24 oifname "wlan0" ct state { established, related } accept
        ip saddr 10.42.0.0/24 iifname "wlan0" accept
    }
}
"""
"""What NetworkManager does for a connection that is shared."""


class Room:
    """A Pi with a guest at `wlan0` and another network at `eth0`, each a network namespace of its own."""

    def __init__(self) -> None:
        self.names = {who: f"dugout-{who}-{os.getpid()}" for who in ("pi", "guest", "upstream")}
        self._listening: list[subprocess.Popen[str]] = []

    def run(self, who: str, *command: str, **more: str) -> subprocess.CompletedProcess[str]:
        """Run a command in a namespace."""
        return subprocess.run(
            ["ip", "netns", "exec", self.names[who], *command],
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
            env={**os.environ, **more},
        )

    def set_up(self) -> None:
        """Connect them, with NetworkManager's rules. Raises OSError where that is not possible."""
        pi, guest, upstream = self.names.values()
        for name in self.names.values():
            _ip("netns", "add", name)
        _ip("link", "add", "wlan0", "netns", pi, "type", "veth", "peer", "name", "wifi", "netns", guest)
        _ip("link", "add", "eth0", "netns", pi, "type", "veth", "peer", "name", "lan", "netns", upstream)
        for name, link, address in (
            (pi, "wlan0", f"{PI}/24"),
            (pi, "eth0", "192.168.50.1/24"),
            (guest, "wifi", f"{GUEST}/24"),
            (upstream, "lan", f"{UPSTREAM}/24"),
        ):
            _ip("-n", name, "address", "add", address, "dev", link)
            _ip("-n", name, "link", "set", link, "up")
        _ip("-n", guest, "route", "add", "default", "via", PI)
        _ip("-n", upstream, "route", "add", "10.42.0.0/24", "via", "192.168.50.1")
        done = self.run("pi", "sh", "-c", f"echo 1 >/proc/sys/net/ipv4/ip_forward; nft -f - <<'X'\n{NAT}X")
        if done.returncode:
            raise OSError(done.stderr)
        for who, ports in (("pi", (TABLE, SSH, OTHER)), ("upstream", (OTHER,)), ("guest", (OTHER,))):
            command = ["ip", "netns", "exec", self.names[who], sys.executable, "-c", LISTEN, *map(str, ports)]
            listening = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            self._listening.append(listening)
            assert listening.stdout is not None
            assert "ready\n" == listening.stdout.readline()

    def take_down(self) -> None:
        """Remove them, however far they came."""
        for one in self._listening:
            one.communicate("", 10)
        for name in self.names.values():
            subprocess.run(["ip", "netns", "delete", name], capture_output=True, check=False)

    def reaches(self, who: str, address: str, port: int) -> bool:
        """Return whether somebody can open a connection."""
        return self.run(who, sys.executable, "-c", CONNECT, address, str(port)).returncode == 0


def _ip(*words: str) -> None:
    done = subprocess.run(["ip", *words], capture_output=True, text=True, check=False)
    if done.returncode:
        raise OSError(done.stderr)


@pytest.fixture
def room() -> Iterator[Room]:
    if os.geteuid() != 0 or not shutil.which("nft") or not shutil.which("ip"):
        pytest.skip("Networks are made by root, with ip and nft (apt install iproute2 nftables).")
    made = Room()
    try:
        try:
            made.set_up()
        except OSError as error:
            pytest.skip(f"There can be no networks of our own here: {error}")
        yield made
    finally:
        made.take_down()


@pytest.fixture
def script(tmp_path: Path) -> str:
    text = (CHECKOUT / "systemd/dugout.dispatcher").read_text().replace("@PORTS@", "80, 8000")
    file = tmp_path / "90-dugout-hotspot"
    file.write_text(text)
    file.chmod(0o755)
    return str(file)


@pytest.mark.long("root")
def test_guests_reach_the_table_and_nothing_else(room: Room, script: str) -> None:
    """With a network at the Ethernet plug. Without the script, NetworkManager lets them in everywhere."""

    def reached() -> set[tuple[str, int]]:
        places = ((PI, TABLE), (PI, SSH), (PI, OTHER), ("192.168.50.1", SSH), (UPSTREAM, OTHER))
        return {place for place in places if room.reaches("guest", *place)}

    assert {(PI, TABLE), (PI, SSH), (PI, OTHER), ("192.168.50.1", SSH), (UPSTREAM, OTHER)} == reached()
    for _ in range(2):  # as NetworkManager calls it before and after
        done = room.run("pi", script, "wlan0", "up", CONNECTION_ID=hotspot.CONNECTION_NAME)
        assert (0, "") == (done.returncode, done.stderr)
    assert {(PI, TABLE)} == reached()
    assert not room.reaches("upstream", GUEST, OTHER)
    assert room.reaches("pi", UPSTREAM, OTHER)
    assert room.reaches("upstream", "192.168.50.1", SSH)
    room.run("guest", "ip", "address", "add", "192.168.50.99/32", "dev", "wifi")
    assert not room.reaches("guest", UPSTREAM, OTHER)
    assert 0 == room.run("pi", script, "wlan0", "down", CONNECTION_ID=hotspot.CONNECTION_NAME).returncode
    assert "dugout" not in room.run("pi", "nft", "list", "ruleset").stdout
    assert (UPSTREAM, OTHER) in reached()


@pytest.mark.long("root")
def test_it_needs_no_names_of_protocols(room: Room, script: str) -> None:
    """A small Debian has no /etc/protocols, where nft would look them up."""
    without = "if [ -e /etc/protocols ]; then mount --bind /dev/null /etc/protocols; fi; exec "
    done = room.run("pi", "sh", "-c", f"{without} {script} wlan0 up", CONNECTION_ID=hotspot.CONNECTION_NAME)
    assert (0, "") == (done.returncode, done.stderr)
    assert room.reaches("guest", PI, TABLE)
    assert not room.reaches("guest", PI, SSH)


@pytest.mark.long("root")
def test_other_connections_are_left_alone(room: Room, script: str) -> None:
    for event in ("pre-up", "up", "down"):
        assert 0 == room.run("pi", script, "eth0", event, CONNECTION_ID="Home").returncode
    assert "dugout" not in room.run("pi", "nft", "list", "ruleset").stdout


def test_what_cannot_be_closed_is_turned_off(tmp_path: Path, script: str) -> None:
    """Where nft fails or is gone, the Wi-Fi goes down."""
    for name, does in (("nft", "exit 1"), ("nmcli", f'echo "$*" >>{tmp_path}/calls')):
        (tmp_path / name).write_text(f"#!/bin/sh\n{does}\n")
        (tmp_path / name).chmod(0o755)
    around = {"PATH": f"{tmp_path}:/usr/bin:/bin", "CONNECTION_ID": hotspot.CONNECTION_NAME}
    for gone in (False, True):
        if gone:
            (tmp_path / "nft").unlink()
            around["PATH"] = f"{tmp_path}:{bare(tmp_path)}"
        assert 1 == subprocess.run([script, "wlan0", "pre-up"], env=around, capture_output=True, check=False).returncode
    assert ["--wait 0 connection down dugout-hotspot"] * 2 == (tmp_path / "calls").read_text().splitlines()


def bare(folder: Path) -> Path:
    """Return a folder of commands without nft."""
    made = folder / "bare"
    made.mkdir()
    for name in ("sh", "cat"):
        (made / name).symlink_to(shutil.which(name) or name)
    return made


# Installing ------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_password_is_in_no_command(table: Card) -> None:
    """Anyone on the machine may read the arguments of every process: neither a new password nor a changed one."""
    done = table.run("--yes", "--hotspot")
    assert 0 == done.returncode
    name, word = hotspot_of(table)
    assert f"{name}, password {word}" in done.stdout
    with typing(b"\nlong enough\n") as terminal:
        assert 0 == table.run("--hotspot", stdin=terminal).returncode
    assert (name, "long enough") == hotspot_of(table)
    calls = "\n".join(table.calls())
    assert "nmcli connection edit dugout-hotspot" in calls
    assert not [secret for secret in (word, "long enough") if secret in calls]


def test_without_nft_there_is_no_hotspot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says what to install."""
    monkeypatch.setattr(Host, "has_command", lambda host, command: command != "nft")
    monkeypatch.setattr(Host, "command_output", lambda host, *command: "")
    with pytest.raises(SetupError, match="sudo apt install nftables"):
        hotspot.guard_hotspot(Host(tmp_path))
