"""The Pi's own Wi-Fi for places without a known one. NetworkManager stores and opens it; nothing of ours runs."""

from __future__ import annotations

import secrets

from device.install.host import Host, SetupError

NAME = "dugout-hotspot"
"""The connection's name in NetworkManager."""

LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Letters of a password that is typed from paper: no two look alike."""

ADDRESS = "10.42.0.1"
"""The table's address in NetworkManager's hotspot."""


def password() -> str:
    """Return a random password of twelve letters, about sixty bits."""
    return "-".join("".join(secrets.choice(LETTERS) for _ in range(4)) for _ in range(3))


def open_(host: Host) -> None:
    """Create the hotspot with a random password, or keep the one that exists; the person may type a name and password.

    Raises SetupError.
    """
    if not host.has("nmcli") or not host.succeeds("nmcli", "general", "status"):
        raise SetupError("The hotspot needs NetworkManager, which is not running here. The table itself is installed.")
    old = _stored(host, "802-11-wireless.ssid"), _stored(host, "802-11-wireless-security.psk")
    name, word = old[0] or "Dugout", old[1] or password()
    name = host.ask(f"The hotspot's name [{name}]: ") or name
    while given := host.ask(f"Its password, 8 to 63 letters [{word}]: "):
        if 8 <= len(given) <= 63 and given.isascii() and given.isprintable():
            word = given
            break
        host.say("It must have 8 to 63 ASCII characters.")
    # Printed first, so that it is known whatever goes wrong from here on.
    host.say(f"If no known Wi-Fi is in reach when the Pi starts, it opens its own: {name}, password {word}")
    if old[0] is None:
        host.run(
            *("nmcli", "connection", "add", "type", "wifi", "ifname", "*", "con-name", NAME, "ssid", name),
            *("802-11-wireless.mode", "ap", "802-11-wireless.band", "bg", "wifi-sec.key-mgmt", "wpa-psk"),
            *("wifi-sec.proto", "rsn", "wifi-sec.pairwise", "ccmp", "wifi-sec.psk", word),
            *("ipv4.method", "shared", "ipv6.method", "disabled"),
            # Below all others, so that it opens only if none of them is in reach.
            *("connection.autoconnect", "yes", "connection.autoconnect-priority", "-999"),
            sorry="NetworkManager refuses the hotspot. The table itself is installed.",
        )
    elif old != (name, word):
        host.run(
            *("nmcli", "connection", "modify", NAME, "802-11-wireless.ssid", name, "wifi-sec.psk", word),
            sorry="NetworkManager refuses the change: the hotspot stays as it was. The table is installed.",
        )
        host.say("If it is open now, the change takes effect when the Pi restarts.")
    host.say(f"Join it with the phones, then open http://{ADDRESS}/ or scan the display. To remove it:")
    host.say(f"  sudo nmcli connection delete {NAME}")
    if host.output("raspi-config", "nonint", "get_wifi_country") == "":
        host.say(
            "The Pi needs to know your country before it opens a Wi-Fi: sudo raspi-config nonint do_wifi_country DE"
        )


def _stored(host: Host, field: str) -> str | None:
    """Return a field of the hotspot in NetworkManager; None if there is no hotspot."""
    value = host.output("nmcli", "--escape", "no", "-s", "-g", field, "connection", "show", NAME)
    return None if value is None else value.removesuffix("\n")
