"""The Pi's own Wi-Fi where no known one is in range. NetworkManager stores and starts it, not a process of Dugout."""

from __future__ import annotations

import secrets

from device.install import boot, system_parts
from device.install.host import Host, SetupError
from device.install.versions import CURRENT_LINK
from device.storage import atomic_file

CONNECTION_NAME = "dugout-hotspot"  # name of the connection in NetworkManager

GUARD_SCRIPT_PATHS = tuple(
    f"/etc/NetworkManager/dispatcher.d/{folder}90-{CONNECTION_NAME}" for folder in ("", "pre-up.d/")
)
"""Script that limits the hotspot to the table, in NetworkManager's dispatcher folders."""

PASSWORD_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Characters of a password that is typed from paper. No two look alike."""

HOTSPOT_ADDRESS = "10.42.0.1"  # the table's address in the hotspot, set by NetworkManager


def random_password() -> str:
    """Random password of twelve characters, about sixty bits."""
    return "-".join("".join(secrets.choice(PASSWORD_LETTERS) for _ in range(4)) for _ in range(3))


def create_hotspot(host: Host) -> None:
    """Create the hotspot with a random password, or keep the existing one. Name and password may be typed.

    Raises SetupError.
    """
    if not host.has_command("nmcli") or not host.run_quietly("nmcli", "general", "status"):
        raise SetupError("The hotspot needs NetworkManager, which is not running here. The table itself is installed.")
    old = _stored_field(host, "802-11-wireless.ssid"), _stored_field(host, "802-11-wireless-security.psk")
    name, word = old[0] or "Dugout", old[1] or random_password()
    name = host.ask_person(f"The hotspot's name [{name}]: ") or name
    while given := host.ask_person(f"Its password, 8 to 63 letters [{word}]: "):
        if 8 <= len(given) <= 63 and given.isascii() and given.isprintable():
            word = given
            break
        host.print_text("It must have 8 to 63 ASCII characters.")
    # Printed first, so that it is known even if a later step fails.
    host.print_text(f"If no known Wi-Fi is in reach when the Pi starts, it opens its own: {name}, password {word}")
    guard_hotspot(host)
    if old[0] is None:
        sorry = "NetworkManager refuses the hotspot. The table itself is installed."
        host.run_or_fail(
            *("nmcli", "connection", "add", "type", "wifi", "ifname", "*", "con-name", CONNECTION_NAME, "ssid", name),
            *("802-11-wireless.mode", "ap", "802-11-wireless.band", "bg", "wifi-sec.key-mgmt", "wpa-psk"),
            *("wifi-sec.proto", "rsn", "wifi-sec.pairwise", "ccmp", "802-11-wireless.ap-isolation", "yes"),
            *("ipv4.method", "shared", "ipv6.method", "disabled"),
            # Lowest priority, so that it opens only if no other is in reach, and not before it has a password.
            *("connection.autoconnect", "no", "connection.autoconnect-priority", "-999"),
            sorry=sorry,
        )
        _set_password(host, word, sorry)
        _set_name(host, name, sorry)
    elif old != (name, word):
        sorry = "NetworkManager refuses the change: the hotspot stays as it was. The table is installed."
        if old[1] != word:
            _set_password(host, word, sorry)
        _set_name(host, name, sorry)
        host.print_text("If it is open now, the change takes effect when the Pi restarts.")
    host.print_text(f"Join it with the phones, then open http://{HOTSPOT_ADDRESS}/ or scan the display. To remove it:")
    host.print_text(f"  sudo nmcli connection delete {CONNECTION_NAME}")
    host.print_text("Its guests reach the table and nothing else: for SSH, use another network.")
    if host.command_output("raspi-config", "nonint", "get_wifi_country") == "":
        host.print_text(
            "The Pi needs to know your country before it opens a Wi-Fi: sudo raspi-config nonint do_wifi_country DE"
        )


def guard_hotspot(host: Host) -> None:
    """Make NetworkManager limit the hotspot to the table, at once if it is open. Raises SetupError."""
    if not host.has_command("nft"):
        system_parts.install_packages(host, {"nftables": "The hotspot needs it."})
    if not host.has_command("nft"):
        raise SetupError(
            "The hotspot needs nftables, or its guests would reach your other networks: sudo apt install nftables, "
            "then run this again. The table itself is installed."
        )
    port = boot.settings_section(host.path_below_root(system_parts.SETTINGS_FILE), "web").get("port", 8000)
    ports = ", ".join(sorted({"80", *([str(port)] if isinstance(port, int) else [])}, key=int))
    script = (
        (host.path_below_root(CURRENT_LINK) / "systemd/dugout.dispatcher").read_text("utf-8").replace("@PORTS@", ports)
    )
    for name in GUARD_SCRIPT_PATHS:
        host.path_below_root(name).parent.mkdir(parents=True, exist_ok=True)
        atomic_file.write_file(host.path_below_root(name), script.encode(), 0o755)
    for device in (
        host.command_output("nmcli", "-g", "GENERAL.DEVICES", "connection", "show", CONNECTION_NAME) or ""
    ).split():
        guarded = host.command_output(
            "env", f"CONNECTION_ID={CONNECTION_NAME}", str(host.path_below_root(GUARD_SCRIPT_PATHS[0])), device, "up"
        )
        if guarded is None:
            raise SetupError("The hotspot cannot be closed to your other networks, and was turned off.")


def has_hotspot(host: Host) -> bool:
    return host.has_command("nmcli") and _stored_field(host, "connection.id") is not None


def _set_name(host: Host, name: str, sorry: str) -> None:
    host.run_or_fail(
        *(
            "nmcli",
            "connection",
            "modify",
            CONNECTION_NAME,
            "802-11-wireless.ssid",
            name,
            "connection.autoconnect",
            "yes",
        ),
        sorry=sorry,
    )


def _set_password(host: Host, word: str, sorry: str) -> None:
    """Set the password through standard input. The editor always exits with 0, so the password is read back."""
    host.run_or_fail(
        "nmcli", "connection", "edit", CONNECTION_NAME, given=f"set wifi-sec.psk {word}\nsave\nquit\n", sorry=sorry
    )
    if _stored_field(host, "802-11-wireless-security.psk") != word:
        raise SetupError(sorry)


def _stored_field(host: Host, field: str) -> str | None:
    """Field of the hotspot in NetworkManager. None if there is no hotspot."""
    value = host.command_output("nmcli", "--escape", "no", "-s", "-g", field, "connection", "show", CONNECTION_NAME)
    return None if value is None else value.removesuffix("\n")
