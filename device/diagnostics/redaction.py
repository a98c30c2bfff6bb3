"""Remove codes, keys, passes, Wi-Fi names and passwords, and phones' addresses from text."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Container, Iterable, Mapping
from pathlib import Path
from typing import Any

from device.machine import Machine
from device.storage.database import stored_values

HIDDEN_TEXT = "(hidden)"

PUBLIC_SETTINGS = frozenset(
    (
        *("poweroff", "data", "game.key", "game.decks", "game.house", "camera.source", "camera.show"),
        "board.camera",
        *("display.driver", "display.height", "display.upside_down", "display.wires", "display.bus"),
        *("display.address", "display.chip"),
        *(
            "display.dc",
            "display.reset",
            "display.dim",
            "display.sleep",
            "display.league",
            "buttons.factory",
            "buttons.pins",
        ),
        *("remote.name", "remote.seat", "remote.keys"),
        *("lights.away", "lights.home", "buzzer.pin", "announcer.level", "announcer.voice", "announcer.speed"),
        *("announcer.device", "analysis.level", "web.host", "web.port", "web.name"),
        *("web.names", "web.proxies", "web.remember"),
    )
)
"""Settings whose values may be shown. A new setting is hidden until it is listed here."""

WIFI_PATTERN = re.compile(
    r"^[ \t]*(?:ssid|psk|password|id|identity|wep-key[0-9]|wpa-passphrase)[ \t]*=[ \t]*\"?(\S|\S.*?\S)\"?[ \t\r]*$",
    re.MULTILINE,
)
"""Line of NetworkManager or wpa_supplicant with the name or password of a network."""

NETWORK_FILES = (
    "etc/NetworkManager/system-connections/*",
    "run/NetworkManager/system-connections/*",
    "etc/wpa_supplicant/*.conf",
)

PASS_PATTERN = re.compile(r"\bdugout=[\w.\-]+|[A-Za-z0-9_\-]{32,}(?:\.[A-Za-z0-9_\-]+)*", re.ASCII)
"""A phone's pass, or any other long token."""

CODE_PATTERN = re.compile(r"(?<![\w.:/-])(?:[0-9]{6}|[0-9]{8})(?![\w/-])", re.ASCII)
"""An operator's code, current or older."""

MAC_PATTERN = re.compile(r"\b(?:[0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}\b", re.ASCII)
ADDRESS_PATTERN = re.compile(
    r"(?<![\w.:])(?:[0-9A-Fa-f]*(?::[0-9A-Fa-f]*){2,7}(?:\.[0-9]{1,3}){0,3}(?![\w:])|[0-9]{1,3}(?:\.[0-9]{1,3}){3}(?!\w))",
    re.ASCII,
)


def public_settings(settings: Mapping[str, object]) -> dict[str, object]:
    """Settings by dotted name. Values not in `PUBLIC_SETTINGS` are hidden."""
    return {name: value if name in PUBLIC_SETTINGS else HIDDEN_TEXT for name, value in settings.items()}


class Redaction:
    """Removes `secrets` and anything that looks like a pass, code or address, except the words of `keep`."""

    def __init__(self, secrets: Iterable[str], keep: Container[str] = ()) -> None:
        words = sorted({one for one in secrets if len(one) > 2 and one not in keep}, key=len, reverse=True)
        self._words = re.compile("|".join(rf"(?<!\w){re.escape(one)}(?!\w)" for one in words)) if words else None
        self._keep = keep

    def redacted_text(self, text: str) -> str:
        if self._words is not None:
            text = self._words.sub(HIDDEN_TEXT, text)
        for pattern in (PASS_PATTERN, MAC_PATTERN, CODE_PATTERN):
            text = pattern.sub(lambda found: found[0] if found[0] in self._keep else HIDDEN_TEXT, text)
        return ADDRESS_PATTERN.sub(self._redacted_address, text)

    def redacted_data(self, data: Any) -> Any:
        """Copy of JSON data in which all strings are redacted."""
        match data:
            case str():
                return self.redacted_text(data)
            case dict():
                return {key: self.redacted_data(value) for key, value in data.items()}
            case list() | tuple():
                return [self.redacted_data(value) for value in data]
        return data

    def _redacted_address(self, found: re.Match[str]) -> str:
        try:
            address = ipaddress.ip_address(found[0])
        except ValueError:
            return found[0]
        shown = found[0] in self._keep or address.is_loopback or address.is_unspecified
        return found[0] if shown else "(an address)"


def readable_secrets(machine: Machine, data: Path) -> set[str]:
    """Readable secrets: the table's code and key, and the known Wi-Fi networks."""
    return wifi_secrets(machine) | set(stored_values(data / "journal.db", "code", "key"))


def wifi_secrets(machine: Machine) -> set[str]:
    """Readable names and passwords of the known Wi-Fi networks."""
    found = set[str]()
    for pattern in NETWORK_FILES:
        for path in machine.find_files(pattern):
            found |= set(WIFI_PATTERN.findall(machine.neighboring_text(path, path.name)))
            found |= {path.stem} if path.suffix == ".nmconnection" else set()
    return found
