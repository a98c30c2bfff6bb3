"""Secrets are removed from a text, however they got into it."""

from __future__ import annotations

from pathlib import Path

import pytest

from device.diagnostics.checks.system import flat_settings
from device.diagnostics.redaction import HIDDEN_TEXT, PUBLIC_SETTINGS, Redaction, public_settings, readable_secrets
from device.settings import Settings
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
        ("wlan0: de:ad:be:ef:00:01 joined", f"wlan0: {HIDDEN_TEXT} joined"),
        (f"Cookie: dugout={PASS}; Path=/", f"Cookie: {HIDDEN_TEXT}; Path=/"),
        (f"the pass {PASS}", f"the pass {HIDDEN_TEXT}"),
        (f"the key {KEY}", f"the key {HIDDEN_TEXT}"),
        ("the code 048213, and The code is 990011 now.", f"the code {HIDDEN_TEXT}, and The code is {HIDDEN_TEXT} now."),
        ("at 23:45:12 on 20260401-120000, 1048576 kB", "at 23:45:12 on 20260401-120000, 1048576 kB"),
        ("opencv 5.0.0.93", "opencv 5.0.0.93"),
        ("joined Marlowe Home with hunter2!", f"joined {HIDDEN_TEXT} with {HIDDEN_TEXT}"),
        ("home leads at Dugout", "home leads at Dugout"),
    ],
)
def test_what_is_removed(text: str, shown: str) -> None:
    """Others' addresses, passes, keys, codes and Wi-Fi words; not our own addresses, times, dates or versions."""
    redact = Redaction({"Marlowe Home", "hunter2!", "Dugout", ""}, {"192.168.1.20", "5.0.0.93", "Dugout"})
    assert shown == redact.redacted_text(text)


def test_only_listed_settings_show_their_value() -> None:
    """A future secret is hidden unless someone lists it."""
    given = {"hotspot.password": "hunter2", "hotspot.ssid": "Marlowe", "game.key": "small-ball", "web.port": 80}
    shown = {"hotspot.password": HIDDEN_TEXT, "hotspot.ssid": HIDDEN_TEXT, "game.key": "small-ball", "web.port": 80}
    assert shown == public_settings(given)


def test_every_setting_of_today_is_listed() -> None:
    """None of them is secret; a new one has to be listed, or it stays hidden."""
    assert set(flat_settings(Settings())) == PUBLIC_SETTINGS


def test_the_secrets_that_a_machine_holds(tmp_path: Path) -> None:
    """The table's code and key, and every known Wi-Fi network with its password."""
    store = Store(tmp_path / "journal.db")
    store.save_values({"code": "048213", "key": KEY, "lit": "1200"})
    files = {
        "etc/NetworkManager/system-connections/Attic.nmconnection": "[wifi]\nssid=Attic 5G\n[more]\npsk=hunter2!\n",
        "etc/wpa_supplicant/wpa_supplicant.conf": 'network={\n  ssid="Cellar"\n  psk="letmein"\n}\n',
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text(text)
    found = readable_secrets(machine(tmp_path, {}), tmp_path)
    store.close()
    assert {"048213", KEY, "Attic", "Attic 5G", "hunter2!", "Cellar", "letmein"} == found
    assert set() == readable_secrets(machine(tmp_path / "bare", {}), tmp_path / "nowhere"), "no files, no secrets"
