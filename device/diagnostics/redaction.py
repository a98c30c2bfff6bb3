"""What must not leave the house: codes, keys, passes, names and passwords of a Wi-Fi, addresses of phones."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Container, Iterable, Mapping
from pathlib import Path
from typing import Any

from device.machine import Machine
from device.storage.database import values

HIDDEN = "(hidden)"

SECRET = re.compile(r"pass|psk|secret|token|ssid|wifi", re.IGNORECASE)
"""How a setting is called whose value nobody else is to know."""

WIFI = re.compile(r"^\s*(?:ssid|psk|password|id|identity|wep-key\d|wpa-passphrase)\s*=\s*\"?(.+?)\"?\s*$", re.MULTILINE)
"""A line of NetworkManager or wpa_supplicant that names a network, or opens it."""

NETWORKS = (
    "etc/NetworkManager/system-connections/*",
    "run/NetworkManager/system-connections/*",
    "etc/wpa_supplicant/*.conf",
)

PASS = re.compile(r"\bdugout=[\w.\-]+|[A-Za-z0-9_\-]{32,}(?:\.[A-Za-z0-9_\-]+)*")
"""A phone's pass, or what else is long and looks like nothing."""

CODE = re.compile(r"(?<![\w.:/-])\d{6}(?![\w/-])")
"""An operator's code, of today or an older one."""

MAC = re.compile(r"\b(?:[0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}\b")
ADDRESS = re.compile(
    r"(?<![\w.:])(?:[0-9A-Fa-f]*(?::[0-9A-Fa-f]*){2,7}(?:\.\d{1,3}){0,3}(?![\w:])|\d{1,3}(?:\.\d{1,3}){3}(?!\w))"
)


def masked(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Settings by their dotted names, without the values of those that are secret."""
    return {name: HIDDEN if SECRET.search(name) else value for name, value in settings.items()}


class Redaction:
    """Takes out of texts what must not leave: the words of `secrets` wherever they stand, and whatever looks like a
    pass, a code or an address, but for the words of `keep`."""

    def __init__(self, secrets: Iterable[str], keep: Container[str] = ()) -> None:
        words = sorted({one for one in secrets if len(one) > 2 and one not in keep}, key=len, reverse=True)
        self._words = re.compile("|".join(rf"(?<!\w){re.escape(one)}(?!\w)" for one in words)) if words else None
        self._keep = keep

    def hide(self, text: str) -> str:
        """The text as it may leave."""
        if self._words is not None:
            text = self._words.sub(HIDDEN, text)
        for looks in (PASS, MAC, CODE):
            text = looks.sub(self._unless_kept, text)
        return ADDRESS.sub(self._address, text)

    def inside(self, data: Any) -> Any:
        """Plain data with each text in it as it may leave."""
        match data:
            case str():
                return self.hide(data)
            case dict():
                return {key: self.inside(value) for key, value in data.items()}
            case list():
                return [self.inside(value) for value in data]
        return data

    def _unless_kept(self, found: re.Match[str]) -> str:
        return found[0] if found[0] in self._keep else HIDDEN

    def _address(self, found: re.Match[str]) -> str:
        try:
            seen = ipaddress.ip_address(found[0])
        except ValueError:
            return found[0]
        own = found[0] in self._keep or seen.is_loopback or seen.is_unspecified
        return found[0] if own else "(an address)"


def secrets(machine: Machine, data: Path) -> set[str]:
    """The secrets that can be read here: the table's code and key, and the networks that the machine knows."""
    found = set(values(data / "journal.db", "code", "key"))
    for pattern in NETWORKS:
        for path in machine.found(pattern):
            found |= set(WIFI.findall(machine.beside(path, path.name)))
            found |= {path.stem} if path.suffix == ".nmconnection" else set()
    return found
