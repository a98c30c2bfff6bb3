"""The set-up: a fresh card becomes a table, a newer version takes its place or gives way, and all goes again."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from device.cli import main
from device.commands import code, target
from device.install import boot, requirements
from device.install.host import Host, SetupError
from device.install.hotspot import GUARD_SCRIPT_PATHS, PASSWORD_LETTERS, random_password
from device.install.versions import VERSIONS_FOLDER, replace_link
from device.service import address
from device.service.access import Access
from device.storage.store import Store
from tests.device.install.sd_card import CHECKOUT, Card, cut_off, guards, hotspot, typing

CHANGES = 150
"""That an update makes, at least: as files and as commands."""

DISTURBS = re.compile(
    r"systemctl (stop|start|restart dugout|disable)|apt-get|groupadd|user(add|mod)|raspi-config|.* pip "
)


def unit(card: Card) -> str:
    """The version that the service manager starts after the power was away."""
    text = (card.root / "usr/local/lib/systemd/system/dugout.service").read_text()
    found = re.search(r"^ExecStart=/opt/dugout/versions/([^/]+)/.venv/bin/dugout run", text, re.M)
    assert found
    return found[1]


def watched(calls: list[str]) -> int:
    """For how many seconds a new version was watched."""
    return sum(int(call.split()[1]) for call in calls if call.startswith("sleep "))


# A fresh card ----------------------------------------------------------------------------------------------------


def test_a_fresh_card_becomes_a_table(card: Card) -> None:
    """Everything is there, for the right user, and the installer prints the table's address.

    The display's bus is switched on, and is on the card before the installer asks for a restart; the camera is on
    already. The system may read a project that was for its owner alone, as after unpacking with a narrow umask."""
    for folder in ("systemd", "docs"):
        (card.project / folder).chmod(0o700)
    for file in (card.project / "systemd").iterdir():
        file.chmod(0o600)
    done, calls = card.run("--yes"), card.calls()
    assert (0, "") == (done.returncode, done.stderr)
    assert card.plays == unit(card)
    assert card.versions == {card.plays: True}
    assert (card.root / "opt/dugout/current").readlink() == Path("versions") / card.plays
    assert (card.folder / "enabled").exists()
    assert {"gpio", "i2c", "spi", "video", "audio"} == set((card.folder / "group").read_text().split())
    assert (card.folder / "members").read_text().split() == ["gpio", "i2c", "spi", "video", "audio"]
    assert (card.folder / "passwd").read_text() == "dugout\n"
    assert (card.folder / "installed").read_text() == (card.folder / "archive").read_text()
    assert 'data = "/var/lib/dugout"' in (card.root / "etc/dugout.toml").read_text()
    for name in ("etc/udev/rules.d/60-dugout.rules", "etc/modules-load.d/dugout.conf", "usr/local/bin/dugout"):
        assert (card.root / name).exists(), name
    assert "Open http://card.local/ on a phone, and http://card.local/table" in done.stdout
    assert "dugout code" in done.stdout
    fast = f"raspi-config nonint set_config_var dtparam=i2c_arm_baudrate 400000 {card.config}"
    assert ["raspi-config nonint do_i2c 0", fast] == [call for call in calls if call.startswith("raspi-config")]
    assert "Restart the Pi once for what was enabled: sudo reboot" in done.stdout
    syncs = [n for n, call in enumerate(calls) if call == "sync "]
    for word in ("raspi-config", "systemctl enable"):
        last = max(n for n, call in enumerate(calls) if call.startswith(word))
        after = next(n for n, call in enumerate(calls) if n > last and call.startswith(("python ", "systemctl s")))
        assert [n for n in syncs if last < n < after], word
    assert 0 < watched(calls) <= 20, "a first table is soon said to be open"
    version = card.root / VERSIONS_FOLDER[1:] / card.plays
    assert {0o755} == {path.stat().st_mode & 0o777 for path in (version, version / "systemd", version / "docs")}
    assert {0o644} == {path.stat().st_mode & 0o777 for path in (version / "systemd").iterdir()}


def test_the_second_run_changes_nothing(table: Card) -> None:
    """No file, no restart, no question to the network."""
    assert table.run("--yes").returncode == 0
    table.power()
    table.calls()
    before = table.files()
    done = table.run("--yes")
    assert done.returncode == 0
    assert before == table.files()
    assert not [call for call in table.calls() if DISTURBS.match(call)]


def test_a_missing_package_is_reported_with_what_it_means(card: Card) -> None:
    """Settings that are there stay."""
    (card.folder / "archive").write_text("python3-venv\n")
    (card.root / "etc/dugout.toml").write_text('[display]\ndriver = "none"\n')
    done = card.run("--yes")
    assert (card.root / "etc/dugout.toml").read_text() == '[display]\ndriver = "none"\n'
    assert done.returncode == 0
    assert "python3-lgpio is not available here. Without it there are no buttons." in done.stdout
    assert not [call for call in card.calls() if "install" in call and "apt-get" in call and "lgpio" in call]


def test_without_an_environment_nothing_is_begun(card: Card) -> None:
    (card.folder / "archive").write_text("")
    done = card.run("--yes")
    assert done.returncode == 1
    assert "python3-venv could not be installed: is there a network? Nothing was changed." in done.stderr
    assert not (card.root / "opt/dugout/current").exists()


def test_a_table_that_does_not_open_is_no_success(card: Card) -> None:
    """With no version before it, it stays, so that its log and its doctor can be read."""
    card.newer("fails")
    done = card.run("--yes")
    assert done.returncode == 1
    assert "is installed, but it did not open. Its log: sudo journalctl -u dugout" in done.stderr
    card.newer("well")
    assert card.run("--yes").returncode == 0


def test_two_at_once_do_not_meet(table: Card) -> None:
    import fcntl

    handle = os.open(table.root / "opt/dugout/versions", os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        done = table.run("--yes")
    finally:
        os.close(handle)
    assert (1, True) == (done.returncode, "Another installation is running" in done.stderr)


# With consent ----------------------------------------------------------------------------------------------------


def asked(card: Card) -> list[str]:
    return [call for call in card.calls() if call.startswith("raspi-config")]


def test_without_consent_no_part_of_the_pi_is_switched_on(card: Card) -> None:
    """Without a terminal the installer says what to do instead."""
    done = card.run()
    assert (0, []) == (done.returncode, asked(card))
    assert "Left off: I²C, for the display" in done.stdout
    assert "\n  dtparam=i2c_arm=on\n  dtparam=i2c_arm_baudrate=400000\n" in done.stdout
    assert "sudo reboot" not in done.stdout


SWITCHES: list[tuple[str, str, list[str]]] = [
    ('[display]\nwires = "spi"', "camera_auto_detect=1", ["do_spi 0"]),
    ('\ufeff[display]\nwires = "spi"', "camera_auto_detect=1", ["do_spi 0"]),
    ('[display]\ndriver = "none"', "", ["set_config_var camera_auto_detect 1 {}"]),
    ('[display]\ndriver = "none"\n[camera]\nsource = "none"', "", []),
    ("", "dtparam=spi=on,i2c_arm=on\ndtparam=i2c_arm_baudrate=100000\ndtoverlay=imx708", []),
    (
        "",
        "dtparam=i2c_vc=on\ncamera_auto_detect=1",
        ["do_i2c 0", "set_config_var dtparam=i2c_arm_baudrate 400000 {}"],
    ),
]


def test_only_what_is_wanted_and_off_is_switched_on(card: Card, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the settings, and by what the Pi's config.txt says already."""
    monkeypatch.setenv("PATH", f"{card.folder / 'bin'}:/usr/bin:/bin")
    monkeypatch.setenv("CARD", str(card.folder))
    monkeypatch.setenv("PYTHON", sys.executable)
    for settings, config, wanted in SWITCHES:
        (card.root / "etc/dugout.toml").write_text(settings)
        card.config.write_text(config)
        assert bool(wanted) == boot.offer_boot_switches(Host(card.root, yes=True)), settings
        assert [f"raspi-config nonint {words.format(card.config)}" for words in wanted] == asked(card), settings


def test_on_a_terminal_each_part_is_asked_for(card: Card) -> None:
    """Ctrl-D is a no."""
    with typing(b"perhaps\ny\n\x04") as terminal:
        done = card.run(stdin=terminal)
    assert (0, "") == (done.returncode, done.stderr)
    assert ["raspi-config nonint do_i2c 0"] == asked(card)
    assert "Left off: I²C at 400 kHz" in done.stdout
    assert card.plays


# Updates ---------------------------------------------------------------------------------------------------------


def test_an_update_keeps_the_games_and_the_version_before(table: Card) -> None:
    """The backup is made before anything closes. The new one is watched until it has its camera, if there is one; the
    installer says that it can be played in the meantime."""
    old = table.plays
    done = table.run("--yes")
    calls = table.calls()
    assert (0, "") == (done.returncode, done.stderr)
    assert old != table.plays == unit(table)
    assert {old: True, table.plays: True} == table.versions
    backup, stop = (
        next(n for n, call in enumerate(calls) if word in call) for word in ("dugout backup", "systemctl stop")
    )
    assert backup < stop
    assert table.plays in (table.root / "var/lib/dugout/before-update.zip").read_text()
    assert not list((table.root / "run/systemd/system").iterdir())
    assert "It is open and ready to play. Watching it for 100 seconds" in done.stdout
    assert watched(calls) >= 90
    (table.root / "etc/dugout.toml").write_text('[camera]\nsource = "none"\n')
    table.newer("well")
    done = table.run("--yes")
    assert (0, False) == (done.returncode, "ready to play" in done.stdout)
    assert 0 < watched(table.calls()) <= 20


def test_two_versions_stay(table: Card) -> None:
    """The one that plays and the one that played before; not one that was only made, and cut off."""
    first = table.plays
    assert table.run("--yes").returncode == 0
    second = table.plays
    table.newer("well")
    assert table.run("--yes", cut=CHANGES).returncode != 0
    assert 3 == sum(table.versions.values())
    table.newer("well")
    assert table.run("--yes").returncode == 0
    assert {second: True, table.plays: True} == table.versions
    assert first not in table.versions


def test_a_version_that_does_not_come_up_gives_way_to_the_one_before(table: Card) -> None:
    """The installer says so, with the log to read; nothing of the version is left, and it goes only once it has
    stopped. One that comes back by itself is not waited for."""
    old = table.plays
    for behaves, words in (
        ("dies", "did not stay open"),
        ("safe", "opened in safe mode only"),
        ("fails", "did not open"),
    ):
        table.newer(behaves)
        done, calls = table.run("--yes"), table.calls()
        assert 1 == done.returncode, behaves
        assert re.search(rf"Version \S+ {words}\. Version {old} runs again\. Its log: sudo journalctl", done.stderr)
        assert old == table.plays == unit(table)
        assert {old: True} == table.versions
        assert not list((table.root / "run/systemd/system").iterdir())
        assert "it ran, and was gone" not in calls
    assert 0 < watched(calls) <= 20
    table.power()
    assert old == table.plays


def test_an_update_that_gets_a_signal_goes_back(table: Card) -> None:
    """As when the line to the Pi is lost in the middle of it."""
    old = table.plays
    for when in ("sleep *", "*systemctl start*"):
        table.tell("ends", when)
        done = table.run("--yes")
        table.tell("ends")
        assert 143 == done.returncode, when
        assert old == table.plays == unit(table), when
        assert not list((table.root / "run/systemd/system").iterdir()), when


FAULTS = {
    "python3 -m venv*": "Python's venv module is missing or broken",
    "python -m pip *--require-hashes*": "is there a network, and is the date right?",
    "python -m pip *--no-deps*": "Dugout itself cannot be installed.",
    "python -c *": "Fix the settings in /etc/dugout.toml, then run this again. The table is unchanged.",
    "runuser *": "There is no update without a backup.",
}
"""Commands that fail, and what the installer says."""


def test_what_goes_wrong_before_leaves_the_table_alone(table: Card) -> None:
    old = table.plays
    for fails, words in FAULTS.items():
        table.tell("fails", fails)
        done = table.run("--yes")
        assert (1, True) == (done.returncode, words in done.stderr), done.stderr
        assert not [call for call in table.calls() if call.startswith(("systemctl stop", "systemctl start"))], fails
        assert old == table.plays == unit(table), fails
        assert all(table.versions.values()), fails


@pytest.mark.slow
def test_an_update_that_is_cut_off_leaves_a_table_that_starts(made: Card, tmp_path: Path) -> None:
    """Here before some of its changes, from the last to the first; `python -m tests.device.install.sd_card` does them
    all."""
    for number in range(CHANGES, 0, -31):
        assert cut_off(made, tmp_path / str(number), number), number


def test_the_link_is_switched_in_one_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(path: Path, target: Path) -> None:
        raise OSError

    link = tmp_path / "current"
    replace_link(link, Path("old"))
    monkeypatch.setattr(Path, "replace", refused)
    with pytest.raises(OSError):  # noqa: PT011  # it has no words
        replace_link(link, Path("new"))
    assert Path("old") == link.readlink()


# The machine -----------------------------------------------------------------------------------------------------


def test_a_machine_that_cannot_hold_a_table_is_left_alone(card: Card, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each reason is named, with what to do."""
    monkeypatch.setattr(requirements, "program_architecture", lambda: "armv7l")
    shutil.rmtree(card.root / "run/systemd")
    hidden = card.root / "etc/systemd/system/dugout.service"
    hidden.parent.mkdir(parents=True)
    hidden.touch()
    with pytest.raises(SetupError) as refused:
        requirements.check_machine(Host(card.root))
    lines = str(refused.value).splitlines()
    for words in ("a 32-bit system", "does not run systemd", "move it away", "Nothing was changed."):
        assert [line for line in lines if words in line], words
    assert 4 == len(lines)


def test_the_real_system_is_changed_by_root_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(SetupError, match="run it with sudo"):
        requirements.check_machine(Host())


@pytest.mark.parametrize(("bits", "expected"), [(2**31 - 1, "armv7l"), (2**63 - 1, "aarch64")])
def test_32_bit_programs_on_a_64_bit_kernel_are_known(
    monkeypatch: pytest.MonkeyPatch, bits: int, expected: str
) -> None:
    monkeypatch.setattr("platform.machine", lambda: "aarch64")
    monkeypatch.setattr(sys, "maxsize", bits)
    assert expected == requirements.program_architecture()


def test_a_wrong_clock_is_named(card: Card) -> None:
    """Downloads fail with a wrong clock, and nobody would think of it."""
    host = Host(card.root)
    assert [] == requirements.machine_warnings(host, datetime(2027, 1, 1, tzinfo=UTC))
    (warning,) = requirements.machine_warnings(host, datetime(1970, 1, 1, tzinfo=UTC))
    assert "The clock shows 01 January 1970" in warning


@pytest.mark.parametrize(("counted", "warned"), [("cpu memory pids", False), ("cpu pids", True)])
def test_a_system_that_counts_no_memory_is_named(card: Card, counted: str, warned: bool) -> None:
    """As Raspberry Pi OS does by default; the unit's limits do nothing then."""
    file = card.root / "sys/fs/cgroup/cgroup.controllers"
    file.parent.mkdir(parents=True)
    file.write_text(f"{counted}\n")
    found = requirements.machine_warnings(Host(card.root), datetime(2027, 1, 1, tzinfo=UTC))
    assert warned == any("cgroup_enable=memory" in one for one in found)


# Hotspot, uninstall ----------------------------------------------------------------------------------------------


def test_the_hotspot_comes_after_every_known_network(table: Card) -> None:
    """NetworkManager owns it; the installer prints name and password, and how to remove it. It opens only with a
    password, and when it is closed to the rest: the scripts, the connection, its password, and then it may open.

    A second run changes nothing of it."""
    done, calls = table.run("--yes", "--hotspot"), table.calls()
    assert 0 == done.returncode
    done_with = [call.removeprefix("nmcli ") for call in calls if re.match(r"nmcli .*connection (?!show)[a-z]", call)]
    steps = ["add", "edit", "modify", "up", "down", "modify"]
    assert steps == [re.findall(r"connection ([a-z]+)", call)[0] for call in done_with if "show" not in call]
    added, _, closed, *_, opened = done_with
    assert ["no", "no", "yes"] == [re.findall(r"autoconnect (\S+)", call)[0] for call in (added, closed, opened)]
    assert "802-11-wireless-security.pmf disable" in added
    for words in ("wireless.mode ap", "wireless.ap-isolation yes", "ipv4.method shared", "autoconnect-priority -999"):
        assert words in added
    assert "ssid Dugout" in added
    first, second = guards(table)
    assert first == second
    assert "tcp dport { 80, 8000 } accept" in first
    assert all((table.root / name[1:]).stat().st_mode & 0o777 == 0o755 for name in GUARD_SCRIPT_PATHS)
    assert "sudo nmcli connection delete dugout-hotspot" in done.stdout
    again = table.run("--yes", "--hotspot")
    assert not [call for call in table.calls() if call.startswith("nmcli connection")]
    for one in (done, again):
        assert "The hotspot is called {}, password {}\n".format(*hotspot(table)) in one.stdout
        assert "If no known Wi-Fi is in reach when the Pi starts, it opens the hotspot." in one.stdout


def test_a_hotspot_that_does_not_open_is_not_promised(table: Card) -> None:
    """It stays off, in NetworkManager's own words, and the Pi joins its Wi-Fi again. The next run tries again."""
    table.tell("fails", "nmcli --wait ?? connection up dugout-hotspot")
    (table.folder / "joined").write_text("ab-12:802-11-wireless\ncd-34:802-3-ethernet\n")
    done, calls = table.run("--yes", "--hotspot"), table.calls()
    assert 1 == done.returncode
    assert "connection up dugout-hotspot fails\nThe hotspot does not open, and stays off." in done.stderr
    assert "it opens the hotspot" not in done.stdout
    assert "no\n" == (table.folder / "autoconnect").read_text()
    assert "nmcli --wait 60 connection up uuid ab-12" == [call for call in calls if call.startswith("nmcli")][-1]
    table.tell("fails")
    assert 0 == table.run("--yes", "--hotspot").returncode
    assert "yes\n" == (table.folder / "autoconnect").read_text()


def test_a_wi_fi_in_use_is_left_only_with_consent(table: Card) -> None:
    """Somebody may be logged in over it. The installer then says that nobody has tried the hotspot."""
    (table.folder / "joined").write_text("ab-12:802-11-wireless\n")
    done = table.run("--hotspot")
    assert 0 == done.returncode
    assert "Not tried, so try it before you need it: sudo nmcli connection up dugout-hotspot" in done.stdout
    assert not [call for call in table.calls() if "connection up" in call]


def test_an_update_turns_protected_management_frames_off(table: Card) -> None:
    """Some radios cannot open a hotspot from before, or phones cannot join it."""
    assert 0 == table.run("--yes", "--hotspot").returncode
    (table.folder / "pmf").write_text("0 (default)\n")
    assert 0 == table.run("--yes").returncode
    assert "disable\n" == (table.folder / "pmf").read_text()


def test_a_hotspot_from_before_is_closed_by_an_update(table: Card) -> None:
    """Without being asked for again; and a table without one gets no script."""
    assert 0 == table.run("--yes").returncode
    assert [] == guards(table)
    (table.folder / "ssid").write_text("Dugout\n")
    (table.folder / "psk").write_text("long enough\n")
    with (table.root / "etc/dugout.toml").open("a") as settings:
        settings.write("[web]\nport = 8123\n")
    assert 0 == table.run("--yes").returncode
    assert "tcp dport { 80, 8123 } accept" in guards(table)[0]
    assert 0 == table.run(script="uninstall").returncode
    assert [] == guards(table)


def test_an_invented_password_can_be_typed() -> None:
    words = {random_password() for _ in range(50)}
    assert 50 == len(words)
    assert all(re.fullmatch(rf"[{PASSWORD_LETTERS}]{{4}}(-[{PASSWORD_LETTERS}]{{4}}){{2}}", word) for word in words)
    assert not set("0o1il") & set(PASSWORD_LETTERS)


def test_without_network_manager_the_table_is_installed_all_the_same(table: Card) -> None:
    table.tell("fails", "nmcli *")
    done = table.run("--yes", "--hotspot")
    assert (1, True) == (done.returncode, "The table itself is installed." in done.stderr)
    assert table.plays


def test_uninstalled_games_and_settings_stay(table: Card) -> None:
    """And an install afterwards finds them."""
    done = table.run(script="uninstall")
    assert 0 == done.returncode
    assert "Games and settings stay in /var/lib/dugout and /etc/dugout.toml" in done.stdout
    assert "" == table.plays
    left = [name for name in table.files() if "dugout" in name]
    assert ["etc/dugout.toml", "var/lib/dugout", "var/lib/dugout/journal.db"] == left
    assert "nmcli connection delete dugout-hotspot" in table.calls()
    assert table.run("--yes").returncode == 0
    assert table.plays


def test_all_goes_only_when_somebody_says_so(table: Card) -> None:
    before = table.files()
    done = table.run("--all", script="uninstall")
    assert (1, True) == (done.returncode, "Nothing was changed" in done.stderr)
    assert before == table.files()
    assert table.run("--all", "--yes", script="uninstall").returncode == 0
    assert not [name for name in table.files() if "dugout" in name]
    assert "userdel dugout" in table.calls()


def test_uninstall_finds_nothing_and_says_no_word_of_it(card: Card) -> None:
    assert card.run(script="uninstall").returncode == 0


# What the table tells --------------------------------------------------------------------------------------------


def test_the_code_is_printed_for_readers_of_the_journal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = Store(tmp_path / "journal.db")
    passes = Access(store)
    assert main(["code", "--data", str(tmp_path)]) == 0
    assert passes.sign_in_code == capsys.readouterr().out.strip()
    store.close()
    before = sorted(tmp_path.iterdir())
    assert passes.sign_in_code == code.read_code(tmp_path / "journal.db")
    assert before == sorted(tmp_path.iterdir())


def test_the_code_is_the_services(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without any words it is that of the table that runs as a service, as the manager knows it."""
    monkeypatch.delenv("DUGOUT_SETTINGS", raising=False)
    monkeypatch.setattr(target, "service_paths", lambda machine: (None, tmp_path))
    store = Store(tmp_path / "journal.db")
    passes = Access(store)
    store.close()
    assert main(["code"]) == 0
    assert passes.sign_in_code == capsys.readouterr().out.strip()


def test_where_no_table_was_there_is_no_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["code", "--data", str(tmp_path)]) == 2
    assert "cannot read a code" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


OWN = "from device.service.address import local_address; print(local_address())"
NETWORK = """\
set -e
ip link set lo up
"$PYTHON" -c "$OWN"
ip link add wlan0 type veth peer name far && ip addr add 10.42.0.1/24 dev wlan0 && ip link set wlan0 up
"$PYTHON" -c "$OWN"
ip link add eth0 type veth peer name other && ip addr add 192.168.7.5/24 dev eth0
ip link set eth0 up && ip link set other up && ip route add default via 192.168.7.1
"$PYTHON" -c "$OWN"
ip link set wlan0 down && ip addr del 10.42.0.1/24 dev wlan0
"$PYTHON" -c "$OWN"
"""


def networked(python: str) -> subprocess.CompletedProcess[str]:
    """In a network of its own, with one way more each time, `python` tells its address."""
    return subprocess.run(
        ["unshare", "--user", "--map-root-user", "--net", "sh", "-c", NETWORK],
        cwd=CHECKOUT,
        env={**os.environ, "PYTHON": python, "OWN": OWN},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


def test_in_its_own_hotspot_the_table_knows_its_address() -> None:
    """Whether a way leads elsewhere or not; without a hotspot it is that of the way out."""
    if not shutil.which("unshare") or networked("true").returncode:
        pytest.skip("There can be no network of our own here (unshare and ip make one).")
    done = networked(sys.executable)
    assert ([address.LOOPBACK_ADDRESS, "10.42.0.1", "10.42.0.1", "192.168.7.5"], "") == (
        done.stdout.split(),
        done.stderr,
    )


def test_the_lock_brings_what_the_pi_camera_needs_beside_a_new_numpy() -> None:
    """bookworm's own was built for numpy 1; trixie's for 2."""
    lock = (CHECKOUT / "requirements.lock").read_text()
    found = re.search(r"^simplejpeg==\S+ ; python_full_version < '3.13' and platform_machine == 'aarch64'", lock, re.M)
    assert found
