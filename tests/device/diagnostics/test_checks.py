"""The doctor's checks of the Pi, the wires, the camera and the card, on healthy machines and on others."""

from __future__ import annotations

import sqlite3
import struct
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from device import machine
from device.diagnostics.checks import camera, disk, power, wiring
from device.diagnostics.facts import LOOK, OK, WRONG, Figures, Finding
from device.storage.store import Store
from tests.device.diagnostics.machines import FIGURES, GOOD, PI4, PI5, ZERO, facts, ill
from tests.device.diagnostics.machines import machine as drawn

# The Pi itself


@pytest.mark.parametrize(
    ("files", "outputs", "verdicts"),
    [
        (PI4, {"vcgencmd get_throttled": GOOD}, (OK, OK, OK, OK)),
        (PI4, {"vcgencmd get_throttled": "throttled=0x50005\n"}, (WRONG, WRONG, OK, OK)),
        (PI5, {"vcgencmd get_throttled": "throttled=0xe0008\n"}, (WRONG, WRONG, WRONG, OK)),
        (PI4, {}, (OK, OK, OK, OK)),
        (ZERO, {}, (LOOK, LOOK, LOOK, LOOK)),
        ({}, {}, (OK, OK, OK, OK)),
    ],
    ids=["Pi 4", "weak supply", "hot Pi 5", "no vcgencmd", "Zero 2 W", "no Pi"],
)
def test_the_pi_itself(
    tmp_path: Path, files: dict[str, str], outputs: dict[str, str], verdicts: tuple[str, ...]
) -> None:
    """Supply, speed, heat and memory, from whatever source there is; what has no source is not a fault."""
    seen = facts(drawn(tmp_path, files, outputs))
    found = [check(seen) for check in (power.power, power.slowed, power.temperature, power.model)]
    assert verdicts == tuple(one.verdict for one in found)
    assert all(bool(one.todo) == (one.verdict != OK) for one in found)


def test_the_past_is_told_apart_from_the_present(tmp_path: Path) -> None:
    """A supply that was weak an hour ago is worth a look; heat is not blamed on it."""
    weak = facts(drawn(tmp_path, PI4, {"vcgencmd": "throttled=0x10000\n"}))
    found = power.power(weak)
    assert (LOOK, "The voltage has been too low since the Pi started.", power.SUPPLY) == (found.verdict, *_words(found))
    hot = facts(drawn(tmp_path, PI4, {"vcgencmd": "throttled=0x80008\n"}))
    assert (OK, WRONG, power.AIR) == (power.power(hot).verdict, *_result(power.slowed(hot)))


def _words(found: Finding) -> tuple[str, str]:
    return found.seen, found.todo


def _result(found: Finding) -> tuple[str, str]:
    return found.verdict, found.todo


def test_an_unknown_machine_is_no_fault(tmp_path: Path) -> None:
    """It may be a laptop."""
    seen = facts(drawn(tmp_path, {}))
    words = [check(seen).seen for check in (power.power, power.slowed, power.temperature)]
    assert ["Cannot be told here."] * 3 == words


# Wires


def test_a_working_display_reports_its_pace(tmp_path: Path) -> None:
    """A bus at 100 kHz is worth a look, with what to write where."""
    seen = drawn(tmp_path, PI4)
    quick, slow = (wiring.display(facts(seen, running=replace(FIGURES, display=it))) for it in (0.024, 0.093))
    assert (OK, "It works: 24 ms for a picture.") == (quick.verdict, quick.seen)
    assert (LOOK, wiring.FASTER) == _result(slow)


def test_a_display_at_another_address_is_found(tmp_path: Path) -> None:
    """The check says what to set; if nothing answers, it says to check the wires. Also when the display was tried."""
    figures = ill("display", "No display: nothing answers at 0x3C on I²C bus 1.")
    here = drawn(tmp_path, PI4, probe=lambda bus, address: (bus, address) == (1, 0x3D))
    for seen in (facts(here, running=figures), facts(here, figures=figures)):
        found = wiring.display(seen)
        assert (WRONG, "It answers at 0x3D: set address = 0x3D under [display] in the settings.") == _result(found)
    silent = drawn(tmp_path, PI4, probe=lambda bus, address: False)
    assert "four wires" in wiring.display(facts(silent, running=figures)).todo


@pytest.mark.parametrize(
    ("source", "verdict", "words"),
    [
        ("", WRONG, "sudo raspi-config nonint do_i2c 0"),
        ("[display]\nwires = 'spi'", WRONG, "sudo raspi-config nonint do_spi 0"),
        ("[display]\ndriver = 'none'", OK, ""),
    ],
)
def test_a_missing_bus(tmp_path: Path, source: str, verdict: str, words: str) -> None:
    """The check gives the command that enables it, but only if a display needs it."""
    found = wiring.display(facts(drawn(tmp_path, ZERO), source))
    assert (verdict, True) == (found.verdict, words in found.todo)


def test_the_bus_of_a_working_display_is_not_probed(tmp_path: Path) -> None:
    """That would delay its pictures; without a working display the usual addresses and the set one are probed."""
    probed = []

    def probe(bus: int, address: int) -> bool:
        probed.append((bus, address))
        return False

    seen = drawn(tmp_path, PI4, probe=probe)
    assert wiring.buses(facts(seen, running=FIGURES)).seen.endswith("The table's display is at 0x3C on bus 1.")
    assert wiring.buses(facts(seen, unreachable="a table runs.")).seen.endswith("Not probed: a table runs.")
    assert [] == probed
    words = wiring.buses(facts(seen, "[display]\naddress = 0x20")).seen
    assert ([(1, 0x20), (1, 0x3C), (1, 0x3D)], True) == (probed, words.endswith("On bus 1 no display answers."))


def test_a_bus_without_permission(tmp_path: Path) -> None:
    """The check says how to get it; a closed bus says nothing about the display."""
    found = wiring.buses(facts(drawn(tmp_path, PI4, probe=lambda bus, address: None)))
    assert (LOOK, True) == (found.verdict, "sudo" in found.todo)


@pytest.mark.parametrize(
    ("source", "files", "lines", "running", "words"),
    [
        ("", PI4, {}, False, "7 pins, none used twice; they are free."),
        ("", PI4, {17: "lg", 27: "lg"}, True, "7 pins, none used twice; they are held by the table."),
        ("", PI4, None, True, "7 pins, none used twice. Who holds them: cannot be told here."),
        ("", PI4, {17: "lg"}, False, "GPIO17 (away-previous) is held by 'lg'."),
        ("", PI4, {5: "sysfs"}, True, "GPIO5 (undo) is held by 'sysfs'."),
        ("[buttons.pins]\nundo = 9", PI4, {}, False, "7 pins, none used twice; they are free."),
        ("[buttons.pins]\nundo = 9", PI5, {}, False, "GPIO9 (undo) belongs to SPI."),
        ("[buttons.pins]\nundo = 2\n[display]\ndriver = 'none'", PI4, {}, False, "GPIO2 (undo) belongs to I²C."),
        ("[lights]\naway = 14", ZERO, {}, False, "GPIO14 (light away) belongs to the serial console."),
        ("[lights]\naway = 14", PI4, {}, False, "8 pins, none used twice; they are free."),
        ("[buttons]\nfactory = 'none'", PI4, {}, False, "No single pin is set."),
        (
            "[buttons]\nfactory = 'none'\n[display]\nwires = 'spi'",
            PI4,
            {6: "x"},
            False,
            "GPIO6 (display D/C) is held by 'x'.",
        ),
    ],
)
def test_pins(
    tmp_path: Path, source: str, files: dict[str, str], lines: Mapping[int, str] | None, running: bool, words: str
) -> None:
    """A pin of a bus or of another program is named with its owner; the table may hold its own pins."""
    found = wiring.pins(facts(drawn(tmp_path, files, lines=lines), source, running=FIGURES if running else None))
    wrong = "belongs" in words or "is held" in words
    assert (words, WRONG if wrong else OK, wrong) == (found.seen, found.verdict, bool(found.todo))


def test_a_missing_button(tmp_path: Path) -> None:
    """The check repeats the table's words, and says how to see more."""
    figures = ill("buttons", "Button undo is stuck: check its wiring.")
    found = wiring.buttons(facts(drawn(tmp_path, PI4), running=figures))
    assert (WRONG, "Button undo is stuck: check its wiring.") == (found.verdict, found.seen)
    assert "dugout doctor --buttons" in found.todo


def test_other_parts(tmp_path: Path) -> None:
    """The check repeats the table's words about parts without a check of their own."""
    seen = drawn(tmp_path, PI4)
    lights = ill("lights", "The lights cannot be used: there is no such pin.")
    found = wiring.others(facts(seen, running=lights))
    assert (LOOK, "The lights cannot be used: there is no such pin.") == (found.verdict, found.seen)
    others = [None, FIGURES, ill("display", "No display.")]
    assert [OK] * 3 == [wiring.others(facts(seen, running=one)).verdict for one in others]


def test_parts_that_were_not_tried(tmp_path: Path) -> None:
    """Display, buttons and camera of a table that cannot be asked are left alone, and the reason is given."""
    seen = facts(drawn(tmp_path, PI4), unreachable="a table runs.")
    found = [check(seen) for check in (wiring.display, wiring.buttons, camera.camera)]
    assert [(OK, True)] * 3 == [(one.verdict, one.seen.endswith("Not tried: a table runs.")) for one in found]


def test_lines_are_read_as_the_kernel_packs_them() -> None:
    """Return held lines of the header's chip with their holders, and nothing of another chip."""

    def ask(request: int, data: bytes, label: bytes = b"pinctrl-bcm2711") -> bytes:
        if request == machine.CHIP:
            assert 68 == len(data)
            return struct.pack("32s32sI", b"gpiochip0", label, 58)
        assert (machine.LINE, 256) == (request, len(data))
        number = struct.unpack_from("I", data, 64)[0]
        holder = {17: b"lg", 4: b""}.get(number)
        return struct.pack("32s32sIIQ160x16x", b"GPIO", holder or b"", number, 0, 1 if holder is not None else 0)

    assert {17: "lg", 4: "the kernel"} == machine.held_on(ask)
    assert None is machine.held_on(lambda request, data: ask(request, data, b"raspberrypi-exp-gpio"))


# Cameras


def test_connected_cameras(tmp_path: Path) -> None:
    """Sensors on the ribbon and USB cameras are listed once each; the Pi's own codecs are not."""
    found = camera.connected(drawn(tmp_path, PI5))
    assert ["imx708 on the ribbon cable", "UVC Camera (046d:0825) at /dev/video8"] == found


@pytest.mark.parametrize(
    ("seen", "verdict", "words"),
    [
        (
            {"fps": 29.6, "locks": {"exposure": [1], "focus": None}},
            OK,
            "30 pictures a second. Locked: exposure. Not locked: focus.",
        ),
        ({"fps": 4.0, "locks": None}, LOOK, "4 pictures a second. It is still adjusting to the light."),
        ({"fps": None, "locks": None}, LOOK, "No picture yet."),
    ],
)
def test_pictures(tmp_path: Path, seen: dict[str, Any], verdict: str, words: str) -> None:
    """The check counts them, and lists what the camera locks."""
    found = camera.camera(facts(drawn(tmp_path, PI4), running=replace(FIGURES, camera=seen)))
    assert (verdict, True) == (found.verdict, found.seen.endswith(words))


def test_a_missing_camera(tmp_path: Path) -> None:
    """If the kernel knows one, the settings are suspect; if it knows none, the cable is."""
    lost = ill("camera", "No camera: type the dice.")
    known, none = (
        camera.camera(facts(drawn(tmp_path / name, files), running=lost)) for name, files in (("4", PI4), ("0", ZERO))
    )
    assert (WRONG, WRONG) == (known.verdict, none.verdict)
    assert "Set source under [camera]" in known.todo
    assert "ribbon cable" in none.todo


# The card


@pytest.mark.parametrize(
    ("room", "verdict"),
    [((8 << 30, True), OK), ((100 << 20, True), LOOK), ((8 << 20, True), WRONG), ((8 << 30, False), WRONG)],
)
def test_room(tmp_path: Path, room: tuple[int, bool], verdict: str) -> None:
    """Too little room for a copy of the journal is wrong, and so is a card that went read-only."""
    assert verdict == disk.disk(facts(drawn(tmp_path, PI4, room=room), data=tmp_path)).verdict


@pytest.mark.parametrize(
    ("line", "verdict"),
    [
        ("[ 5.1] mmc0: new high speed SDHC card at address aaaa", OK),
        ("[ 9.2] mmc0: card stuck in programming state! error -110", WRONG),
        ("[ 9.2] I/O error, dev mmcblk0, sector 6144 op 0x1:(WRITE) flags 0x800 phys_seg 1", WRONG),
        ("[ 9.2] EXT4-fs (mmcblk0p2): error count since last fsck: 3", WRONG),
        ("[ 9.2] EXT4-fs (mmcblk0p2): Remounting filesystem read-only", WRONG),
        ("[ 9.2] EXT4-fs (mmcblk0p2): mounted filesystem with ordered data mode", OK),
    ],
)
def test_kernel_messages_about_the_card(tmp_path: Path, line: str, verdict: str) -> None:
    """They come from dmesg, or else from the system's journal; without either nothing can be told."""
    assert verdict == disk.card(facts(drawn(tmp_path, PI4, {"dmesg": f"{line}\n"}))).verdict
    assert verdict == disk.card(facts(drawn(tmp_path, PI4, {"journalctl -k": f"{line}\n"}))).verdict
    assert "Cannot be told here." == disk.card(facts(drawn(tmp_path, PI4))).seen


def test_how_much_is_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sizes are compared with their limits; more than that is worth a look."""
    seen = facts(drawn(tmp_path / "pi", PI4), data=tmp_path / "data")
    assert "Nothing is stored yet." == disk.space(seen).seen
    (seen.data / "evidence").mkdir(parents=True)
    (seen.data / "evidence" / "000001-00001.jpg").write_bytes(bytes(3 << 20))
    (seen.data / "journal.db.damaged-20260401-120000").write_bytes(bytes(1 << 20))
    words = "Journal 0 MiB of at most 48 MiB, pictures of dice 3 MiB of at most 64 MiB, 1 MiB of damaged journals."
    assert (OK, words) == (disk.space(seen).verdict, disk.space(seen).seen)
    monkeypatch.setattr(disk, "PICTURES", 2 << 20)
    assert LOOK == disk.space(seen).verdict


def test_the_journal_of_a_running_table(tmp_path: Path) -> None:
    """Its mode and sync as read back there; other modes and trouble are wrong."""
    seen = drawn(tmp_path, PI4)

    def journal(**more: Any) -> Finding:
        figures: Figures = replace(FIGURES, journal={**(FIGURES.journal or {}), **more})
        return disk.journal(facts(seen, running=figures, data=tmp_path))

    assert (OK, True) == (journal().verdict, journal().seen.startswith("WAL and FULL sync, read back"))
    assert WRONG == journal(sync="1").verdict
    found = journal(trouble="It was repaired.")
    assert (WRONG, True) == (found.verdict, found.seen.endswith("repaired."))
    (tmp_path / "journal.db.damaged-20260401-120000").touch()
    assert (LOOK, True) == (journal().verdict, "last on 20260401-120000" in journal().seen)


def test_the_journal_of_a_stopped_table(tmp_path: Path) -> None:
    """A good one, one with spoiled pages, and none at all; the check leaves no files beside it."""
    seen = facts(drawn(tmp_path / "pi", PI4), data=tmp_path / "data")
    assert disk.journal(seen).seen.startswith("There is none yet")
    store = Store(tmp_path / "data" / "journal.db")
    for number in range(200):
        store.keep({f"key {number}": "x" * 100})
    assert ("wal", "full") == store.synced()
    store.close()
    before = sorted(path.name for path in (tmp_path / "data").iterdir())
    found = disk.journal(seen)
    assert (OK, True) == (found.verdict, found.seen.endswith("No damage was found."))
    assert before == sorted(path.name for path in (tmp_path / "data").iterdir())
    path = tmp_path / "data" / "journal.db"
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\xff" * 12288 + whole[16384:])
    assert (WRONG, True) == (disk.journal(seen).verdict, "Start the table" in disk.journal(seen).todo)
    path.write_bytes(b"this is no database, by far" * 200)
    assert WRONG == disk.journal(seen).verdict


def test_a_journal_in_another_mode(tmp_path: Path) -> None:
    """Without a WAL it may lose answers."""
    with sqlite3.connect(tmp_path / "journal.db") as db:
        db.execute("create table game (id)")
    db.close()
    assert WRONG == disk.journal(facts(drawn(tmp_path / "pi", PI4), data=tmp_path)).verdict
