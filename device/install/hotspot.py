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

PROTECTED_FRAMES_OFF = ("802-11-wireless-security.pmf", "disable")
"""Property for radios that cannot open a hotspot with protected management frames, or whose guests then cannot join.

They are those of several Pis (raspberrypi/linux issues 7247 and 3619).
"""

HOTSPOT_ADDRESS = "10.42.0.1"  # the table's address in the hotspot, set by NetworkManager


OPEN_TIMEOUT_S = "60"  # seconds in which NetworkManager must open the hotspot, or join the Wi-Fi from before


def random_password() -> str:
    """Random password of twelve characters, about sixty bits."""
    return "-".join("".join(secrets.choice(PASSWORD_LETTERS) for _ in range(4)) for _ in range(3))


def create_hotspot(host: Host) -> None:
    """Create the hotspot with a random password, or keep the existing one. Name and password may be typed.

    A new or changed one is opened once, because some radios cannot. Raises SetupError.
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
    host.print_text(f"The hotspot is called {name}, password {word}")
    guard_hotspot(host)
    sorry = "NetworkManager refuses the hotspot. The table itself is installed."
    if old[0] is None:
        host.run_or_fail(
            *("nmcli", "connection", "add", "type", "wifi", "ifname", "*", "con-name", CONNECTION_NAME, "ssid", name),
            *("802-11-wireless.mode", "ap", "802-11-wireless.band", "bg", "wifi-sec.key-mgmt", "wpa-psk"),
            *("wifi-sec.proto", "rsn", "wifi-sec.pairwise", "ccmp", "802-11-wireless.ap-isolation", "yes"),
            *PROTECTED_FRAMES_OFF,
            *("ipv4.method", "shared", "ipv6.method", "disabled"),
            # Lowest priority, so that it opens only if no other is in reach, and not before it has a password.
            *("connection.autoconnect", "no", "connection.autoconnect-priority", "-999"),
            sorry=sorry,
        )
    else:
        sorry = "NetworkManager refuses the change: the hotspot stays as it was. The table is installed."
    if old[1] != word:
        _set_password(host, word, sorry)
    if old != (name, word) or not _is_compatible(host) or _stored_field(host, "connection.autoconnect") != "yes":
        _modify(host, sorry, "802-11-wireless.ssid", name, *PROTECTED_FRAMES_OFF, "connection.autoconnect", "no")
        is_tried = _try_hotspot(host)
        _modify(host, sorry, "connection.autoconnect", "yes")
        if not is_tried:
            host.print_text(f"Not tried, so try it before you need it: sudo nmcli connection up {CONNECTION_NAME}")
    host.print_text("If no known Wi-Fi is in reach when the Pi starts, it opens the hotspot.")
    host.print_text(f"Join it with the phones, then open http://{HOTSPOT_ADDRESS}/ or scan the display. To remove it:")
    host.print_text(f"  sudo nmcli connection delete {CONNECTION_NAME}")
    host.print_text("Its guests reach the table and nothing else: for SSH, use another network.")
    if host.command_output("raspi-config", "nonint", "get_wifi_country") == "":
        host.print_text(
            "The Pi needs to know your country before it opens a Wi-Fi: sudo raspi-config nonint do_wifi_country DE"
        )


def _try_hotspot(host: Host) -> bool:
    """Open the hotspot for a moment. Return False if nobody agreed to leave the Wi-Fi that the Pi is in.

    Raises SetupError with NetworkManager's reason. The hotspot then never opens by itself.
    """
    sorry = (
        "The hotspot does not open, and stays off. This radio may be unable to, or the Wi-Fi is switched off or has no "
        "country (sudo raspi-config nonint do_wifi_country DE, with your own two letters). A USB Wi-Fi stick may do "
        "it: plug it in and run this again. The table itself is installed."
    )
    if _stored_field(host, "GENERAL.STATE"):
        host.print_text("It is open now: a change takes effect when the Pi restarts.")
        return True
    active = host.command_output("nmcli", "-g", "UUID,TYPE", "connection", "show", "--active") or ""
    joined = [line.partition(":")[0] for line in active.splitlines() if line.endswith((":802-11-wireless", ":wifi"))]
    if joined and not host.ask_yes_no(
        "Try the hotspot now? The Pi leaves its Wi-Fi for a minute, and SSH over it waits."
    ):
        return False
    host.print_text("Trying the hotspot ...")
    try:
        host.run_or_fail("nmcli", "--wait", OPEN_TIMEOUT_S, "connection", "up", CONNECTION_NAME, sorry=sorry)
    finally:
        host.run_quietly("nmcli", "connection", "down", CONNECTION_NAME)
        for uuid in joined:
            host.run_quietly("nmcli", "--wait", OPEN_TIMEOUT_S, "connection", "up", "uuid", uuid)
    host.print_text("It opens.")
    return True


def _is_compatible(host: Host) -> bool:
    """True if protected management frames are off."""
    return (_stored_field(host, "802-11-wireless-security.pmf") or "").startswith(("1", "disable"))


def update_hotspot(host: Host) -> None:
    """Bring a hotspot from an older version up to date, without opening it. Raises SetupError."""
    guard_hotspot(host)
    if not _is_compatible(host):
        _modify(host, "NetworkManager refuses the change: the hotspot stays as it was.", *PROTECTED_FRAMES_OFF)


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


def _modify(host: Host, sorry: str, *properties: str) -> None:
    host.run_or_fail("nmcli", "connection", "modify", CONNECTION_NAME, *properties, sorry=sorry)


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
