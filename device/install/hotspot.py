"""The Pi's own Wi-Fi for places without a known one. NetworkManager stores and opens it; nothing of ours runs."""

from __future__ import annotations

import secrets

from device.install import boot, system_parts
from device.install.host import Host, SetupError
from device.install.versions import CURRENT
from device.storage import atomic_file

NAME = "dugout-hotspot"
"""The connection's name in NetworkManager."""

GUARDS = tuple(f"/etc/NetworkManager/dispatcher.d/{folder}90-{NAME}" for folder in ("", "pre-up.d/"))
"""The script that closes the hotspot to everything but the table, in the folders where NetworkManager looks for it."""

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
    guard(host)
    if old[0] is None:
        sorry = "NetworkManager refuses the hotspot. The table itself is installed."
        host.run(
            *("nmcli", "connection", "add", "type", "wifi", "ifname", "*", "con-name", NAME, "ssid", name),
            *("802-11-wireless.mode", "ap", "802-11-wireless.band", "bg", "wifi-sec.key-mgmt", "wpa-psk"),
            *("wifi-sec.proto", "rsn", "wifi-sec.pairwise", "ccmp", "802-11-wireless.ap-isolation", "yes"),
            *("ipv4.method", "shared", "ipv6.method", "disabled"),
            # Below all others, so that it opens only if none of them is in reach; and not before it has its password.
            *("connection.autoconnect", "no", "connection.autoconnect-priority", "-999"),
            sorry=sorry,
        )
        _set_password(host, word, sorry)
        _modify(host, name, sorry)
    elif old != (name, word):
        sorry = "NetworkManager refuses the change: the hotspot stays as it was. The table is installed."
        if old[1] != word:
            _set_password(host, word, sorry)
        _modify(host, name, sorry)
        host.say("If it is open now, the change takes effect when the Pi restarts.")
    host.say(f"Join it with the phones, then open http://{ADDRESS}/ or scan the display. To remove it:")
    host.say(f"  sudo nmcli connection delete {NAME}")
    host.say("Its guests reach the table and nothing else: for SSH, use another network.")
    if host.output("raspi-config", "nonint", "get_wifi_country") == "":
        host.say(
            "The Pi needs to know your country before it opens a Wi-Fi: sudo raspi-config nonint do_wifi_country DE"
        )


def guard(host: Host) -> None:
    """Have NetworkManager close the hotspot to everything but the table, now if it is open. Raises SetupError."""
    if not host.has("nft"):
        system_parts.packages(host, {"nftables": "The hotspot needs it."})
    if not host.has("nft"):
        raise SetupError(
            "The hotspot needs nftables, or its guests would reach your other networks: sudo apt install nftables, "
            "then run this again. The table itself is installed."
        )
    port = boot.section(host.path(system_parts.SETTINGS), "web").get("port", 8000)
    ports = ", ".join(sorted({"80", *([str(port)] if isinstance(port, int) else [])}, key=int))
    script = (host.path(CURRENT) / "systemd/dugout.dispatcher").read_text().replace("@PORTS@", ports)
    for name in GUARDS:
        host.path(name).parent.mkdir(parents=True, exist_ok=True)
        atomic_file.write(host.path(name), script.encode(), 0o755)
    for device in (host.output("nmcli", "-g", "GENERAL.DEVICES", "connection", "show", NAME) or "").split():
        guarded = host.output("env", f"CONNECTION_ID={NAME}", str(host.path(GUARDS[0])), device, "up")
        if guarded is None:
            raise SetupError("The hotspot cannot be closed to your other networks, and was turned off.")


def exists(host: Host) -> bool:
    """Return True if the hotspot was created before."""
    return host.has("nmcli") and _stored(host, "connection.id") is not None


def _modify(host: Host, name: str, sorry: str) -> None:
    host.run(
        *("nmcli", "connection", "modify", NAME, "802-11-wireless.ssid", name, "connection.autoconnect", "yes"),
        sorry=sorry,
    )


def _set_password(host: Host, word: str, sorry: str) -> None:
    """Set the password through standard input. The editor always exits with 0, so it is read back."""
    host.run("nmcli", "connection", "edit", NAME, given=f"set wifi-sec.psk {word}\nsave\nquit\n", sorry=sorry)
    if _stored(host, "802-11-wireless-security.psk") != word:
        raise SetupError(sorry)


def _stored(host: Host, field: str) -> str | None:
    """Return a field of the hotspot in NetworkManager; None if there is no hotspot."""
    value = host.output("nmcli", "--escape", "no", "-s", "-g", field, "connection", "show", NAME)
    return None if value is None else value.removesuffix("\n")
