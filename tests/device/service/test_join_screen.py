"""When what lets phones in is another: a display draws it then, and not before."""

from __future__ import annotations

import math
import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from device.service import address
from device.service.access import Access
from device.service.invitation import REFRESH_INTERVAL_S
from device.service.join_screen import ADDRESS_INTERVAL_S, NAME_INTERVAL_S, JoinScreen
from device.settings import WebSettings
from device.storage.store import Store


@pytest.mark.parametrize("alone", [False, True])
def test_only_an_invitation_that_is_shown_ends(tmp_path: Path, alone: bool) -> None:
    """Where somebody can press OK, the join screen shows none: it never asks to be drawn for one."""
    store = Store(tmp_path / "journal.db")
    joining = JoinScreen(Access(store, lambda: None), WebSettings(), lambda: alone)
    assert (math.inf if not alone else 0) == joining.seconds_left(scan=False)
    assert 0 == joining.seconds_left(scan=True)
    joining.invitation_info()
    assert REFRESH_INTERVAL_S - 30 < joining.seconds_left(scan=True) <= REFRESH_INTERVAL_S
    assert joining.seconds_left(scan=False) == (
        pytest.approx(joining.seconds_left(scan=True), abs=5) if alone else math.inf
    )
    store.close()


class Network:
    """The addresses and the name that this machine has, as `device.service.address` finds them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.here, self.name = "192.168.1.7", "dugout.local"
        monkeypatch.setattr(address, "local_address", lambda: self.here)
        monkeypatch.setattr(address, "local_name", lambda where: self.name if where == self.here else None)
        monkeypatch.setattr(socket, "gethostname", lambda: "dugout")


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> Network:
    return Network(monkeypatch)


@pytest.fixture
def access(tmp_path: Path) -> Iterator[Access]:
    with closing(Store(tmp_path / "journal.db")) as store:
        yield Access(store, lambda: None)


def test_a_qr_code_has_the_address_and_the_text_the_name(access: Access, network: Network) -> None:
    """Many Android phones find no name that ends in .local. A name in the settings that a router knows is found."""
    joining = JoinScreen(access, WebSettings(), lambda: False)
    assert ("http://192.168.1.7:8000/", "dugout.local:8000", access.sign_in_code) == joining.code_info()
    assert joining.invitation_info()[0].startswith("http://192.168.1.7:8000/in#")
    named = JoinScreen(access, WebSettings(name="dugout.fritz.box"), lambda: False)
    assert ("http://dugout.fritz.box:8000/", "192.168.1.7:8000") == named.code_info()[:2]
    assert (
        "http://192.168.1.7:8000/"
        == JoinScreen(access, WebSettings(name="x.local"), lambda: True).code_info()[0].partition("in#")[0]
    )


def test_a_second_machine_of_that_name_shows_the_name_it_has(access: Access, network: Network) -> None:
    """avahi calls it NAME-2.local. Without avahi, it is the name that an avahi started later would give it."""
    network.name = "dugout-2.local"
    now = [0.0]
    joining = JoinScreen(access, WebSettings(), lambda: False, lambda: now[0])
    assert "dugout-2.local:8000" == joining.code_info()[1]
    network.name = ""
    assert "dugout-2.local:8000" == joining.code_info()[1]
    now[0] = NAME_INTERVAL_S
    assert "dugout.local:8000" == joining.code_info()[1]


def test_a_new_address_is_drawn(access: Access, network: Network) -> None:
    """As after a router restarted: the display draws it within seconds, and once."""
    now = [0.0]
    joining = JoinScreen(access, WebSettings(), lambda: False, lambda: now[0])
    assert not joining.has_new_address()
    for info in (joining.code_info, joining.invitation_info):
        assert network.here in info()[0]
        network.here += "0"
        assert not joining.has_new_address()
        now[0] += ADDRESS_INTERVAL_S
        assert [True, False] == [joining.has_new_address(), joining.has_new_address()]
        assert network.here in info()[0]


@pytest.mark.parametrize(
    ("reached", "shown"),
    [
        ("10.42.0.1", "10.42.0.1"),
        ("::ffff:10.42.0.1", "10.42.0.1"),
        ("127.0.0.1", "192.168.1.7"),
        ("::1", "192.168.1.7"),
        ("2001:db8::7", "192.168.1.7"),
        ("169.254.3.4", "192.168.1.7"),
        ("0.0.0.0", "192.168.1.7"),
        ("testserver", "192.168.1.7"),
        ("", "192.168.1.7"),
    ],
)
def test_a_page_shows_the_address_at_which_it_was_reached(
    access: Access, network: Network, reached: str, shown: str
) -> None:
    """A table may be in several networks. A phone that scans the code of a television is in its network."""
    found = JoinScreen(access, WebSettings(), lambda: False).table_addresses(reached)
    assert (f"http://{shown}:8000/", f"{shown}:8000") == (found.qr_url, found.address)


def test_behind_a_proxy_phones_find_the_name(tmp_path: Path) -> None:
    """Without a name, a table that serves its own machine alone is found there alone."""
    with closing(Store(tmp_path / "journal.db")) as store:
        alone, behind = (
            JoinScreen(
                Access(store, lambda: None), WebSettings(host="127.0.0.1", name=name), lambda: False
            ).code_info()[:2]
            for name in ("", "dugout.local")
        )
    assert ("http://localhost:8000/", "127.0.0.1:8000") == alone
    assert ("http://dugout.local/", "dugout.local") == behind


def test_a_proxy_on_another_machine_has_its_own_port(access: Access, network: Network) -> None:
    """Its name alone is the address: the table's port is for the proxy."""
    web = WebSettings(name="dugout.example.org", proxies=["192.168.1.2"])
    found = JoinScreen(access, web, lambda: False).table_addresses()
    assert ("http://dugout.example.org/", "dugout.example.org") == (found.qr_url, found.address)
