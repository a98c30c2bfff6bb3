"""The doctor's checks of the Pi, its parts and the card, on healthy machines and on others; of phones."""

from __future__ import annotations

import io
import sqlite3
import struct
import zipfile
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from device import machine
from device.diagnostics.bundle import pack_bundle
from device.diagnostics.checks import analysis, disk, leagues, parts, phones, power
from device.display import speech
from device.shapes import CameraFigures, Finding, Health, JournalFigures
from device.storage.league_files import LeagueFiles
from device.storage.people_file import PeopleFile
from device.storage.store import Store
from tests.device.diagnostics.machines import FIGURES, GOOD, PI4, PI5, ZERO, facts, ill
from tests.device.diagnostics.machines import machine as drawn
from tests.device.storage.test_league_files import LEAGUE
from tests.device.stored_games import Clock
from web.security.admission import TOTAL_CONNECTIONS, WRONG_CODE
from web.security.rejection_log import RejectionLog

DEAF = speech.SOUND_FAULT.format(speech.NO_DEVICE_REASON)

# The Pi itself


@pytest.mark.parametrize(
    ("files", "outputs", "verdicts"),
    [
        (PI4, {"vcgencmd get_throttled": GOOD}, ("ok", "ok", "ok", "ok")),
        (PI4, {"vcgencmd get_throttled": "throttled=0x50005\n"}, ("wrong", "wrong", "ok", "ok")),
        (PI5, {"vcgencmd get_throttled": "throttled=0xe0008\n"}, ("wrong", "wrong", "wrong", "ok")),
        (PI4, {}, ("ok", "ok", "ok", "ok")),
        (ZERO, {}, ("look", "look", "look", "look")),
        ({}, {}, ("ok", "ok", "ok", "ok")),
    ],
    ids=["Pi 4", "weak supply", "hot Pi 5", "no vcgencmd", "Zero 2 W", "no Pi"],
)
def test_the_pi_itself(
    tmp_path: Path, files: dict[str, str], outputs: dict[str, str], verdicts: tuple[str, ...]
) -> None:
    """Supply, speed, heat and memory, from any source; it is not a fault if a value has no source."""
    seen = facts(drawn(tmp_path, files, outputs))
    found = [
        check(seen) for check in (power.check_power, power.check_speed, power.check_temperature, power.check_model)
    ]
    assert verdicts == tuple(one.verdict for one in found)
    assert all(bool(one.todo) == (one.verdict != "ok") for one in found)
    if not files:
        assert ["Unknown here."] * 3 == [one.seen for one in found[:3]]


def test_past_and_present_differ(tmp_path: Path) -> None:
    """A supply that was weak an hour ago is worth a look; heat is not blamed on it."""
    weak = facts(drawn(tmp_path, PI4, {"vcgencmd": "throttled=0x10000\n"}))
    words = "The voltage was too low at some point since the Pi started."
    assert Finding("", "look", words, power.POWER_SUPPLY_ADVICE) == power.check_power(weak)
    hot = facts(drawn(tmp_path, PI4, {"vcgencmd": "throttled=0x80008\n"}))
    assert ("ok", "wrong", power.COOLING_ADVICE) == (power.check_power(hot).verdict, *result(power.check_speed(hot)))
    for bits, todo in (("0x20000", power.COOLING_ADVICE), ("0x20001", power.POWER_SUPPLY_ADVICE)):
        seen = facts(drawn(tmp_path, PI4, {"vcgencmd": f"throttled={bits}\n"}))
        assert ("look", todo) == result(power.check_speed(seen))


def result(found: Finding) -> tuple[str, str]:
    return found.verdict, found.todo


# Display, buttons, pins


def test_a_working_display_reports_its_pace(tmp_path: Path) -> None:
    """A bus at 100 kHz is worth a look, with what to write where."""
    seen = drawn(tmp_path, PI4)
    quick, slow = (parts.check_display(facts(seen, running=replace(FIGURES, display=it))) for it in (0.024, 0.093))
    assert Finding("", "ok", "It works: 24 ms per picture.") == quick
    assert ("look", parts.FASTER_BUS_ADVICE) == result(slow)


def test_a_display_at_another_address_is_found(tmp_path: Path) -> None:
    """The check says what to set; if nothing answers, it says to check the wires. Also when the display was tried."""
    figures = ill("display", "No display: nothing answers at 0x3C on I²C bus 1.")
    here = drawn(tmp_path, PI4, probe=lambda bus, address: (bus, address) == (1, 0x3D))
    for seen in (facts(here, running=figures), facts(here, figures=figures)):
        todo = "It answers at 0x3D: set address = 0x3D under [display] in the settings."
        assert ("wrong", todo) == result(parts.check_display(seen))
    silent = drawn(tmp_path, PI4, probe=lambda bus, address: False)
    assert "four wires" in parts.check_display(facts(silent, running=figures)).todo


@pytest.mark.parametrize(
    ("source", "verdict", "words"),
    [
        ("", "wrong", "sudo raspi-config nonint do_i2c 0"),
        ("[display]\nwires = 'spi'", "wrong", "sudo raspi-config nonint do_spi 0"),
        ("[display]\ndriver = 'none'", "ok", ""),
    ],
)
def test_a_missing_bus(tmp_path: Path, source: str, verdict: str, words: str) -> None:
    """The check gives the command that enables it, but only if a display needs it."""
    found = parts.check_display(facts(drawn(tmp_path, ZERO), source))
    assert (verdict, True) == (found.verdict, words in found.todo)


def test_the_bus_of_a_working_display_is_not_probed(tmp_path: Path) -> None:
    """That would delay its pictures; without a working display the usual addresses and the set one are probed."""
    probed = []

    def probe(bus: int, address: int) -> bool:
        probed.append((bus, address))
        return False

    seen = drawn(tmp_path, PI4, probe=probe)
    assert parts.check_i2c_buses(facts(seen, running=FIGURES)).seen.endswith("The table's display is at 0x3C on bus 1.")
    assert parts.check_i2c_buses(facts(seen, unreachable="a table runs.")).seen.endswith("Not probed: a table runs.")
    assert [] == probed
    words = parts.check_i2c_buses(facts(seen, "[display]\naddress = 0x20")).seen
    assert ([(1, 0x20), (1, 0x3C), (1, 0x3D)], True) == (probed, words.endswith("On bus 1 no display answers."))
    closed = parts.check_i2c_buses(facts(drawn(tmp_path, PI4, probe=lambda bus, address: None)))
    assert ("look", True) == (closed.verdict, "sudo" in closed.todo)


NO_BUTTONS = "[buttons]\nfactory = 'none'\n"


@pytest.mark.parametrize(
    ("source", "files", "lines", "running", "words"),
    [
        ("", PI4, {}, False, "7 pins, none used twice; they are free."),
        ("", PI4, {17: "lg", 27: "lg"}, True, "7 pins, none used twice; they are held by the table."),
        ("", PI4, None, True, "7 pins, none used twice. In use by: unknown here."),
        ("", PI4, {17: "lg"}, False, "GPIO17 (away-previous) is held by 'lg'."),
        ("", PI4, {5: "sysfs"}, True, "GPIO5 (undo) is held by 'sysfs'."),
        ("[buttons.pins]\nundo = 9", PI4, {}, False, "7 pins, none used twice; they are free."),
        ("[buttons.pins]\nundo = 9", PI5, {}, False, "GPIO9 (undo) belongs to SPI."),
        ("[buttons.pins]\nundo = 2\n[display]\ndriver = 'none'", PI4, {}, False, "GPIO2 (undo) belongs to I²C."),
        ("[lights]\naway = 14", ZERO, {}, False, "GPIO14 (light away) belongs to the serial console."),
        ("[lights]\naway = 14", PI4, {}, False, "8 pins, none used twice; they are free."),
        (NO_BUTTONS, PI4, {}, False, "No pins are set."),
        (f"{NO_BUTTONS}[display]\nwires = 'spi'", PI4, {6: "x"}, False, "GPIO6 (display D/C) is held by 'x'."),
    ],
)
def test_pins(
    tmp_path: Path, source: str, files: dict[str, str], lines: Mapping[int, str] | None, running: bool, words: str
) -> None:
    """A pin of a bus or of another program is named with its owner; the table may hold its own pins."""
    found = parts.check_pins(facts(drawn(tmp_path, files, lines=lines), source, running=FIGURES if running else None))
    wrong = "belongs" in words or "is held" in words
    assert (words, "wrong" if wrong else "ok", wrong) == (found.seen, found.verdict, bool(found.todo))


def test_missing_parts(tmp_path: Path) -> None:
    """The checks repeat the table's words, and say how to see each press of a button."""
    seen = drawn(tmp_path, PI4)
    found = parts.check_buttons(facts(seen, running=ill("buttons", "Button undo is stuck: check its wiring.")))
    assert ("wrong", "Button undo is stuck: check its wiring.") == (found.verdict, found.seen)
    assert "dugout doctor --buttons" in found.todo
    found = parts.check_other_components(
        facts(seen, running=ill("lights", "The lights cannot be used: there is no such pin."))
    )
    assert ("look", "The lights cannot be used: there is no such pin.") == (found.verdict, found.seen)
    others = [None, FIGURES, ill("display", "No display.")]
    assert ["ok"] * 3 == [parts.check_other_components(facts(seen, running=one)).verdict for one in others]


def test_parts_that_were_not_tried(tmp_path: Path) -> None:
    """Display, buttons and camera of a table that cannot be asked are left alone, and the reason is given."""
    seen = facts(drawn(tmp_path, PI4), unreachable="a table runs.")
    found = [check(seen) for check in (parts.check_display, parts.check_buttons, parts.check_camera)]
    assert [("ok", True)] * 3 == [(one.verdict, one.seen.endswith("Not tried: a table runs.")) for one in found]


def test_lines_are_read_as_the_kernel_packs_them() -> None:
    """Return held lines of the header's chip with their holders, and nothing of another chip."""

    def ask(request: int, data: bytes, label: bytes = b"pinctrl-bcm2711") -> bytes:
        if request == machine.CHIP_INFO_IOCTL:
            assert 68 == len(data)
            return struct.pack("32s32sI", b"gpiochip0", label, 58)
        assert (machine.LINE_INFO_IOCTL, 256) == (request, len(data))
        number = struct.unpack_from("I", data, 64)[0]
        holder = {17: b"lg", 4: b""}.get(number)
        return struct.pack("32s32sIIQ160x16x", b"GPIO", holder or b"", number, 0, 1 if holder is not None else 0)

    assert {17: "lg", 4: "the kernel"} == machine.chip_line_holders(ask)
    assert None is machine.chip_line_holders(lambda request, data: ask(request, data, b"raspberrypi-exp-gpio"))


# Cameras


@pytest.mark.parametrize(
    ("seen", "verdict", "words"),
    [
        (
            CameraFigures(29.6, {"exposure": [1], "focus": None}),
            "ok",
            "30 pictures per second. Locked: exposure. Not locked: focus.",
        ),
        (CameraFigures(4.0, None), "look", "4 pictures per second. It is still adjusting to the light."),
        (CameraFigures(None, None), "look", "No picture yet."),
    ],
)
def test_pictures(tmp_path: Path, seen: CameraFigures, verdict: str, words: str) -> None:
    """The check counts them, and lists what the camera locks."""
    found = parts.check_camera(facts(drawn(tmp_path, PI4), running=replace(FIGURES, camera=seen)))
    assert (verdict, True) == (found.verdict, found.seen.endswith(words))


def test_connected_cameras(tmp_path: Path) -> None:
    """Each sensor on the ribbon and each USB camera is listed once; the Pi's own codecs are not. If a camera is
    missing, its cable is suspect if the kernel knows none, else the settings are."""
    both = ["imx708 on the ribbon cable", "UVC Camera (046d:0825) at /dev/video8"]
    assert both == parts.connected_cameras(drawn(tmp_path / "5", PI5))
    lost = ill("camera", "No camera: type the dice.")
    for files, todo in ((PI4, "Set source under [camera]"), (ZERO, "ribbon cable")):
        found = parts.check_camera(facts(drawn(tmp_path / str(len(files)), files), running=lost))
        assert ("wrong", True) == (found.verdict, todo in found.todo)


def test_two_cameras_of_one_make(tmp_path: Path) -> None:
    """The check says how to tell them apart, and counts damaged pictures."""
    twin = {
        "sys/class/video4linux/video2/name": "UVC Camera (046d:0825)\n",
        "sys/class/video4linux/video2/index": "0\n",
    }
    camera = CameraFigures(10.0, None, damaged=7)
    for files, told in ((PI5, False), (PI5 | twin, True)):
        found = parts.check_camera(facts(drawn(tmp_path / str(told), files), running=replace(FIGURES, camera=camera)))
        assert told == ("Two are of one make: name them by their sockets, in /dev/v4l/by-path." in found.seen)
        assert "Damaged pictures since it was opened: 7." in found.seen


# The announcer

SPOKEN = '[announcer]\nlevel = "low"'
SOUND = PI4 | {
    "proc/asound/card0/pcm0p/info": "card: 0\n",
    "proc/asound/card0/id": "vc4hdmi\n",
    "proc/asound/card1/pcm0c/info": "card: 1\n",
    "proc/asound/card1/id": "Microphone\n",
    "proc/asound/card2/pcm0p/info": "card: 2\n",
    "proc/asound/card2/id": "Headphones\n",
}


@pytest.mark.parametrize(
    ("files", "fault", "seen", "todo"),
    [
        (PI4, DEAF, "No sound card detected. The announcer is silent: there", "Connect a speaker."),
        (SOUND, DEAF, "Sound cards: vc4hdmi, Headphones. The", 'device = "default:CARD=Headphones".'),
        (
            SOUND,
            speech.NOT_INSTALLED_FAULT,
            "Sound cards: vc4hdmi, Headphones. The announcer is silent: espeak-ng is not",
            "Follow",
        ),
    ],
)
def test_a_silent_announcer(tmp_path: Path, files: dict[str, str], fault: str, seen: str, todo: str) -> None:
    """The finding lists the cards that can play, and what to write where; also when the announcer was only tried."""
    here = drawn(tmp_path, files)
    for found in (
        parts.check_announcer(facts(here, SPOKEN, running=ill("announcer", fault))),
        parts.check_announcer(facts(here, SPOKEN, figures=ill("announcer", fault))),
    ):
        assert ("wrong", True, True) == (found.verdict, seen in found.seen, todo in found.todo)


def test_an_announcer_that_is_heard_or_not_used(tmp_path: Path) -> None:
    """Off is fine; one that was set after the table started is worth a look."""
    here = drawn(tmp_path, SOUND)
    heard = replace(FIGURES, health=[Health("announcer", True, "Works.")])
    assert ("ok", "") == result(parts.check_announcer(facts(here)))
    assert ("ok", "") == result(parts.check_announcer(facts(here, SPOKEN, running=heard)))
    assert ("look", "Turn the table off and on.") == result(parts.check_announcer(facts(here, SPOKEN, running=FIGURES)))
    assert "Not tried: it hides." in parts.check_announcer(facts(here, SPOKEN, unreachable="it hides.")).seen


# Chances to win


@pytest.mark.parametrize(
    ("level", "taken", "verdict", "todo"),
    [
        ("full", 0.02, "ok", ""),
        ("full", 1.2, "look", 'Set level = "numbers" under [analysis] in the settings.'),
        ("numbers", 1.2, "ok", ""),
        ("numbers", 6.0, "look", 'Set level = "off" under [analysis] in the settings.'),
    ],
)
def test_a_slow_machine_should_analyze_less(tmp_path: Path, level: str, taken: float, verdict: str, todo: str) -> None:
    here, running = drawn(tmp_path, PI5), replace(FIGURES, evaluation=taken)
    found = analysis.check_analysis(facts(here, f'[analysis]\nlevel = "{level}"', running=running))
    assert (verdict, todo) == (found.verdict, found.todo)
    assert f"{taken * 1000:.0f} ms" in found.seen


def test_what_was_not_evaluated_is_not_judged(tmp_path: Path) -> None:
    here = drawn(tmp_path, PI5)
    assert ("ok", "") == result(analysis.check_analysis(facts(here)))
    assert ("ok", "") == result(analysis.check_analysis(facts(here, running=FIGURES)))
    assert ("ok", "") == result(analysis.check_analysis(facts(here, '[analysis]\nlevel = "off"', running=FIGURES)))


# The card


@pytest.mark.parametrize(
    ("room", "verdict"),
    [((8 << 30, True), "ok"), ((100 << 20, True), "look"), ((8 << 20, True), "wrong"), ((8 << 30, False), "wrong")],
)
def test_room(tmp_path: Path, room: tuple[int, bool], verdict: str) -> None:
    """Too little room for a copy of the journal is wrong, and so is a card that went read-only."""
    assert verdict == disk.check_disk_space(facts(drawn(tmp_path, PI4, room=room), data=tmp_path)).verdict


@pytest.mark.parametrize(
    ("files", "verdict", "words"),
    [
        (None, "ok", "8.0 GiB free."),
        (400_000, "ok", "8.0 GiB free."),
        (1200, "look", "8.0 GiB free, but room for only 1200 more files."),
        (0, "wrong", "8.0 GiB free, but room for only 0 more files."),
    ],
)
def test_room_for_files(tmp_path: Path, files: int | None, verdict: str, words: str) -> None:
    """A card may have free space and hold no more files."""
    here = drawn(tmp_path, PI4, room=(8 << 30, True), file_room=files)
    found = disk.check_disk_space(facts(here, data=tmp_path))
    assert (verdict, words) == (found.verdict, found.seen)
    assert ("du --inodes" in found.todo) == (verdict != "ok")


@pytest.mark.parametrize(
    ("line", "verdict"),
    [
        ("[ 5.1] mmc0: new high speed SDHC card at address aaaa", "ok"),
        ("[ 9.2] mmc0: card stuck in programming state! error -110", "wrong"),
        ("[ 9.2] I/O error, dev mmcblk0, sector 6144 op 0x1:(WRITE) flags 0x800 phys_seg 1", "wrong"),
        ("[ 9.2] EXT4-fs (mmcblk0p2): error count since last fsck: 3", "wrong"),
        ("[ 9.2] EXT4-fs (mmcblk0p2): Remounting filesystem read-only", "wrong"),
        ("[ 9.2] EXT4-fs (mmcblk0p2): mounted filesystem with ordered data mode", "ok"),
    ],
)
def test_kernel_messages_about_the_card(tmp_path: Path, line: str, verdict: str) -> None:
    """They come from dmesg, or else from the system's journal; without either the state is unknown."""
    assert verdict == disk.check_card(facts(drawn(tmp_path, PI4, {"dmesg": f"{line}\n"}))).verdict
    assert verdict == disk.check_card(facts(drawn(tmp_path, PI4, {"journalctl -k": f"{line}\n"}))).verdict
    assert "Unknown here." == disk.check_card(facts(drawn(tmp_path, PI4))).seen


CARD, STICK, WIFI = "/dev/mmcblk0p2\n", "/dev/sda1\n", "[ 9.2] mmc1: error -110 whilst initialising SDIO card"


@pytest.mark.parametrize(
    ("source", "line", "verdict"),
    [
        (CARD, WIFI, "ok"),
        (CARD, "[ 9.2] I/O error, dev sda, sector 6144 op 0x1:(WRITE) flags 0x800 phys_seg 1", "ok"),
        (CARD, "[ 9.2] EXT4-fs error (device sda1): ext4_find_entry:1455: inode #2: comm dugout", "ok"),
        (CARD, "[ 9.2] mmcblk0: error -110 transferring data, sector 8", "wrong"),
        (CARD, "[ 9.2] mmc0: timeout waiting for hardware interrupt.", "wrong"),
        (STICK, "[ 9.2] mmc0: timeout waiting for hardware interrupt.", "ok"),
        (STICK, "[ 9.2] Buffer I/O error on dev sda1, logical block 0, lost sync page write", "wrong"),
        ("/dev/nvme0n1p2\n", "[ 9.2] I/O error, dev nvme0n1, sector 4096", "wrong"),
        ("/dev/nvme0n1p2\n", "[ 9.2] I/O error, dev nvme1n1, sector 4096", "ok"),
        ("/dev/mapper/games\n", WIFI, "wrong"),
    ],
)
def test_a_message_is_about_the_part_it_names(tmp_path: Path, source: str, line: str, verdict: str) -> None:
    """Errors of the Wi-Fi chip or of another drive are not blamed on the card; with an unknown drive, all count."""
    outputs = {"dmesg": f"{line}\n", "findmnt -n -o SOURCE -T": source}
    found = disk.check_card(facts(drawn(tmp_path, PI4, outputs), data=tmp_path))
    assert verdict == found.verdict
    assert ("other parts" in found.seen) == (verdict == "ok")
    assert ("drive" in found.todo) == (verdict == "wrong" and source not in (CARD, "/dev/mapper/games\n"))


def test_how_much_is_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sizes are compared with their limits; more than that is worth a look."""
    seen = facts(drawn(tmp_path / "pi", PI4), data=tmp_path / "data")
    assert "Nothing is stored yet." == disk.check_stored_size(seen).seen
    (seen.data / "evidence").mkdir(parents=True)
    (seen.data / "evidence" / "000001-00001.jpg").write_bytes(bytes(3 << 20))
    (seen.data / "journal.db.damaged-20260401-120000").write_bytes(bytes(1 << 20))
    words = "Journal 0 MiB of at most 272 MiB, pictures of dice 3 MiB of at most 64 MiB, 1 MiB of damaged journals."
    assert Finding("", "ok", words) == disk.check_stored_size(seen)
    monkeypatch.setattr(disk, "MAX_PICTURE_BYTES", 2 << 20)
    assert "look" == disk.check_stored_size(seen).verdict


def test_a_broken_file_of_a_league_is_named_without_any_persons_name(tmp_path: Path) -> None:
    """In the finding and in the bundle, which goes to strangers."""
    seen = facts(drawn(tmp_path / "pi", PI4), data=tmp_path / "data")
    LeagueFiles(seen.data / "leagues").save(LEAGUE)
    people = PeopleFile(seen.data / "people.json")
    people.save("", "Annabel Lee", "red")
    assert Finding("", "ok", "Leagues: 1, people: 1. No record book yet.") == leagues.check_leagues(seen)
    text = (seen.data / "people.json").read_text("utf-8")
    (seen.data / "leagues" / "cup.json").write_text('{"key": "cup"}')
    for broken in (text.replace("red", "puce"), text.replace('"name": ', '"Annabel": '), text.replace("Annabel", '"')):
        (seen.data / "people.json").write_text(broken)
        found = leagues.check_leagues(seen)
        assert ("look", True) == (found.verdict, "leagues/cup.json, title: it is missing. people.json, " in found.seen)
        with zipfile.ZipFile(io.BytesIO(pack_bundle(seen, [found], []))) as packed:
            assert b"Lee" not in b"".join(map(packed.read, packed.namelist()))


def test_the_journal_of_a_running_table(tmp_path: Path) -> None:
    """Its mode and sync as read back there; other modes and trouble are wrong."""
    seen = drawn(tmp_path, PI4)

    def journal(**more: Any) -> tuple[str, str]:
        figures = replace(FIGURES, journal=replace(JournalFigures("wal", "full", None), **more))
        found = disk.check_journal(facts(seen, running=figures, data=tmp_path))
        return found.verdict, found.seen

    how = "WAL and FULL sync, read back from the running table."
    assert ("ok", f"{how} No damage was found when the table opened.") == journal()
    assert "wrong" == journal(sync="1")[0]
    assert ("wrong", f"{how} It was repaired.") == journal(trouble="It was repaired.")
    (tmp_path / "journal.db.damaged-20260401-120000").touch()
    assert ("look", f"{how} It was damaged and repaired, last on 20260401-120000.") == journal()


def test_the_journal_of_a_stopped_table(tmp_path: Path) -> None:
    """A good one, one with spoiled pages, one without a WAL, and none at all; the check leaves no files beside it."""
    data = tmp_path / "data"
    seen, path = facts(drawn(tmp_path / "pi", PI4), data=data), data / "journal.db"
    assert disk.check_journal(seen).seen.startswith("There is none yet")
    store = Store(path)
    for number in range(200):
        store.save_values({f"key {number}": "x" * 100})
    assert ("wal", "full") == store.sync_settings()
    store.close()
    before = sorted(path.name for path in data.iterdir())
    found = disk.check_journal(seen)
    assert ("ok", True) == (found.verdict, found.seen.endswith("No damage was found."))
    assert before == sorted(path.name for path in data.iterdir())
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\xff" * 12288 + whole[16384:])
    assert ("wrong", True) == (disk.check_journal(seen).verdict, "Start the table" in disk.check_journal(seen).todo)
    path.write_bytes(b"this is no database, by far" * 200)
    assert "wrong" == disk.check_journal(seen).verdict
    path.unlink()
    with sqlite3.connect(path) as db:
        db.execute("create table game (id)")
    db.close()
    assert "Mode without a WAL, sync : a power failure may lose answers." == disk.check_journal(seen).seen


# Phones


def test_phones_that_were_turned_away(tmp_path: Path) -> None:
    """Each with its time, reason and number; worth a look for an hour. None of it is known while no table runs."""
    seen, clock = drawn(tmp_path, PI4), Clock()
    refusals = RejectionLog(clock)

    def found() -> Finding:
        return phones.check_phones(facts(seen, running=replace(FIGURES, refusals=refusals.rejection_summary())))

    assert Finding("", "ok", "Checked only while the table is running.") == phones.check_phones(facts(seen))
    assert Finding("", "ok", "No phone was turned away.") == found()
    for gate, asked in ((WRONG_CODE, "POST /table"), (WRONG_CODE, "POST /seat"), (TOTAL_CONNECTIONS, "")):
        refusals.record_rejection(gate, "10.0.0.7", asked)
        clock.now += phones.RECENT_REJECTION_S
    first, second, last = found().seen.splitlines()
    words = f"A phone (…7) was turned away: {TOTAL_CONNECTIONS.name}; {TOTAL_CONNECTIONS.advice}."
    now = datetime.now()
    assert first in {f"{now - timedelta(seconds=phones.RECENT_REJECTION_S + late):%H:%M} {words}" for late in (0, 60)}
    assert second.endswith(
        f"A phone (…7) was turned away: {WRONG_CODE.name}; {WRONG_CODE.advice}. (2 times, POST /seat)"
    )
    assert f"Since the start: 2 × {WRONG_CODE.name}, 1 × {TOTAL_CONNECTIONS.name}." == last
    assert "look" == found().verdict
    clock.now += 1
    assert "ok" == found().verdict
