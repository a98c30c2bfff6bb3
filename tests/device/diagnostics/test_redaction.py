"""What must not leave the house does not, however it got into a text."""

from __future__ import annotations

from pathlib import Path

import pytest

from device.diagnostics.redaction import HIDDEN, Redaction, masked, secrets
from device.storage.store import Store
from tests.device.diagnostics.machines import machine

KEY = "5f0c" * 16
PASS = "eyJvcGVyYXRvciI6dHJ1ZSwic2VhdCI6bnVsbCwiZXBvY2giOjB9.q83vEjRWeJCrze8SNFZ4kKvN7xI"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("GET /stream from 192.168.1.77:51000", "GET /stream from (an address):51000"),
        ("10.0.0.9 and fd12:3456::77, 2001:db8:1:2:3:4:5:6.", "(an address) and (an address), (an address)."),
        ("fe80::1%wlan0", "(an address)%wlan0"),
        ("at 192.168.1.20, 127.0.0.1, 0.0.0.0 and ::1", "at 192.168.1.20, 127.0.0.1, 0.0.0.0 and ::1"),
        ("wlan0: de:ad:be:ef:00:01 joined", f"wlan0: {HIDDEN} joined"),
        (f"Cookie: dugout={PASS}; Path=/", f"Cookie: {HIDDEN}; Path=/"),
        (f"the pass {PASS}", f"the pass {HIDDEN}"),
        (f"the key {KEY}", f"the key {HIDDEN}"),
        ("the code 048213, and The code is 990011 now.", f"the code {HIDDEN}, and The code is {HIDDEN} now."),
        ("at 23:45:12 on 20260401-120000, 1048576 kB", "at 23:45:12 on 20260401-120000, 1048576 kB"),
        ("opencv 5.0.0.93", "opencv 5.0.0.93"),
        ("joined Marlowe Home with hunter2!", f"joined {HIDDEN} with {HIDDEN}"),
        ("home leads at Dugout", "home leads at Dugout"),
    ],
)
def test_what_is_hidden_and_what_is_not(text: str, shown: str) -> None:
    """Addresses of others, passes, keys, codes, words of a Wi-Fi; not our own, times, dates or versions."""
    masks = Redaction({"Marlowe Home", "hunter2!", "Dugout", ""}, {"192.168.1.20", "5.0.0.93", "Dugout"})
    assert shown == masks.hide(text)


def test_a_setting_that_is_a_secret_is_named_without_its_value() -> None:
    """Whatever part of the program will have one."""
    given = {"hotspot.password": "hunter2", "hotspot.ssid": "Marlowe", "game.key": "small-ball", "web.port": 80}
    assert {"hotspot.password": HIDDEN, "hotspot.ssid": HIDDEN, "game.key": "small-ball", "web.port": 80} == masked(
        given
    )


def test_the_secrets_that_a_machine_holds(tmp_path: Path) -> None:
    """The table's code and key, and every network that is known here with what opens it."""
    store = Store(tmp_path / "journal.db")
    store.keep({"code": "048213", "key": KEY, "lit": "1200"})
    files = {
        "etc/NetworkManager/system-connections/Attic.nmconnection": "[wifi]\nssid=Attic 5G\n[more]\npsk=hunter2!\n",
        "etc/wpa_supplicant/wpa_supplicant.conf": 'network={\n  ssid="Cellar"\n  psk="letmein"\n}\n',
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text(text)
    found = secrets(machine(tmp_path, {}), tmp_path)
    store.close()
    assert {"048213", KEY, "Attic", "Attic 5G", "hunter2!", "Cellar", "letmein"} == found


def test_who_may_not_read_them_hides_what_looks_like_them(tmp_path: Path) -> None:
    """There is nothing to read here, and that is no fault."""
    assert set() == secrets(machine(tmp_path, {}), tmp_path / "nowhere")
