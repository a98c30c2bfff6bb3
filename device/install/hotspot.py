"""A Wi-Fi of the table's own, for where none is known. NetworkManager keeps it and opens it; nothing of ours runs."""

from __future__ import annotations

import secrets

from device.install.host import Host, SetupError

NAME = "dugout-hotspot"
"""What NetworkManager calls it."""

LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Those of a password that is to be typed from paper: none looks like another."""

ADDRESS = "10.42.0.1"
"""The table's, in a hotspot of NetworkManager's."""


def password() -> str:
    """One that can be typed: twelve letters, some sixty bits."""
    return "-".join("".join(secrets.choice(LETTERS) for _ in range(4)) for _ in range(3))


def open_(host: Host) -> None:
    """Have the hotspot: the one that is there as it is, else one with an invented password; by another name or password
    only where the person types them. Raises SetupError."""
    if not host.has("nmcli") or not host.does("nmcli", "general", "status"):
        raise SetupError("There is no NetworkManager here, which the hotspot needs. The table itself is installed.")
    kept = _kept(host, "802-11-wireless.ssid"), _kept(host, "802-11-wireless-security.psk")
    name, word = kept[0] or "Dugout", kept[1] or password()
    name = host.asks(f"The hotspot's name [{name}]: ") or name
    while given := host.asks(f"Its password, 8 to 63 letters [{word}]: "):
        if 8 <= len(given) <= 63 and given.isascii() and given.isprintable():
            word = given
            break
        host.say("It must have 8 to 63 letters of the plain kind.")
    # Told first: whatever goes wrong from here on, it is known.
    host.say(f"Where no known Wi-Fi is in reach when the Pi starts, it opens its own: {name}, password {word}")
    if kept[0] is None:
        host.must(
            *("nmcli", "connection", "add", "type", "wifi", "ifname", "*", "con-name", NAME, "ssid", name),
            *("802-11-wireless.mode", "ap", "802-11-wireless.band", "bg", "wifi-sec.key-mgmt", "wpa-psk"),
            *("wifi-sec.proto", "rsn", "wifi-sec.pairwise", "ccmp", "wifi-sec.psk", word),
            *("ipv4.method", "shared", "ipv6.method", "disabled"),
            # Below all others: it opens where none of them is in reach.
            *("connection.autoconnect", "yes", "connection.autoconnect-priority", "-999"),
            sorry="NetworkManager does not take the hotspot. The table itself is installed.",
        )
    elif kept != (name, word):
        host.must(
            *("nmcli", "connection", "modify", NAME, "802-11-wireless.ssid", name, "wifi-sec.psk", word),
            sorry="NetworkManager does not take the change: the hotspot stays as it was. The table is installed.",
        )
        host.say("One that is open now takes the change when the Pi starts again.")
    host.say(f"Join it with the phones, then open http://{ADDRESS}/ or scan the display. To be rid of it:")
    host.say(f"  sudo nmcli connection delete {NAME}")
    if host.tells("raspi-config", "nonint", "get_wifi_country") == "":
        host.say("The Pi opens no Wi-Fi before it knows your country: sudo raspi-config nonint do_wifi_country DE")


def _kept(host: Host, field: str) -> str | None:
    """What NetworkManager keeps of the hotspot; None where there is no hotspot."""
    told = host.tells("nmcli", "--escape", "no", "-s", "-g", field, "connection", "show", NAME)
    return None if told is None else told.removesuffix("\n")


def close(host: Host) -> None:
    """Be rid of it, where there is one."""
    host.does("nmcli", "connection", "delete", NAME)
