"""What the doctor sees on machines that are as they should be, and on those that are not."""

from __future__ import annotations

import sqlite3
import struct
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from device import machine
from device.diagnostics.checks import camera, disk, power, wiring
from device.diagnostics.checks.case import LOOK, OK, WRONG, Case, Finding
from device.storage.store import Store
from tests.device.diagnostics.machines import FIGURES, GOOD, PI4, PI5, ZERO, case, ill
from tests.device.diagnostics.machines import machine as drawn

Check = Callable[[machine.Machine, Case], Finding]

# The Pi itself


@pytest.mark.parametrize(
    ("files", "said", "verdicts"),
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
def test_the_pi_itself(tmp_path: Path, files: dict[str, str], said: dict[str, str], verdicts: tuple[str, ...]) -> None:
    """Supply, speed, heat and memory, by whatever tells of them; what nothing tells of is no fault."""
    seen = drawn(tmp_path, files, said)
    checks = (power.power, power.slowed, power.temperature, power.model)
    found = [check(seen, case()) for check in checks]
    assert verdicts == tuple(one.verdict for one in found)
    assert all(bool(one.todo) == (one.verdict != OK) for one in found)


def test_what_the_firmware_remembers_is_told_apart_from_what_is_now(tmp_path: Path) -> None:
    """A supply that was weak an hour ago is worth a look; heat is not blamed on it."""
    weak = drawn(tmp_path, PI4, {"vcgencmd": "throttled=0x10000\n"})
    assert Finding("power", LOOK, "The voltage was too low since the Pi started.", power.SUPPLY) == power.power(
        weak, case()
    )
    hot = drawn(tmp_path, PI4, {"vcgencmd": "throttled=0x80008\n"})
    assert (OK, WRONG, power.AIR) == (power.power(hot, case()).verdict, *_said(power.slowed(hot, case())))


def _said(found: Finding) -> tuple[str, str]:
    return found.verdict, found.todo


def test_a_machine_that_nobody_knows_is_told_so(tmp_path: Path) -> None:
    """Never a fault: it may be a laptop."""
    seen = drawn(tmp_path, {})
    words = [check(seen, case()).seen for check in (power.power, power.slowed, power.temperature)]
    assert ["Cannot be told here."] * 3 == words


# Wires


def test_a_display_that_works_tells_its_pace(tmp_path: Path) -> None:
    """A bus at 100 kHz is worth a look, and what to write where is said."""
    quick, slow = (
        wiring.display(drawn(tmp_path, PI4), case(figures=FIGURES | {"display": it})) for it in (0.024, 0.093)
    )
    assert (OK, "It works: 24 ms for a picture.") == (quick.verdict, quick.seen)
    assert (LOOK, wiring.RAISE) == _said(slow)


def test_a_display_at_another_address_is_found(tmp_path: Path) -> None:
    """And what to set is said; where nothing answers, the wires are."""
    missing = case(figures=ill("display", "No display: nothing answers at 0x3C on I²C bus 1."))
    found = wiring.display(drawn(tmp_path, PI4, probe=lambda bus, address: (bus, address) == (1, 0x3D)), missing)
    assert (WRONG, "It answers at 0x3D: set address = 0x3D under [display] in the settings.") == _said(found)
    assert "four wires" in wiring.display(drawn(tmp_path, PI4, probe=lambda bus, address: False), missing).todo


@pytest.mark.parametrize(
    ("source", "verdict", "words"),
    [
        ("", WRONG, "sudo raspi-config nonint do_i2c 0"),
        ("[display]\nwires = 'spi'", WRONG, "sudo raspi-config nonint do_spi 0"),
        ("[display]\ndriver = 'none'", OK, ""),
    ],
)
def test_a_bus_that_is_not_there(tmp_path: Path, source: str, verdict: str, words: str) -> None:
    """Is switched on by the command that is told, and only where a display wants it."""
    found = wiring.display(drawn(tmp_path, ZERO), case(source))
    assert (verdict, True) == (found.verdict, words in found.todo)


def test_nothing_is_asked_on_the_bus_of_a_display_that_works(tmp_path: Path) -> None:
    """Its pictures would be late; where none works, the known addresses are, and the one that is set."""
    asked = []

    def probe(bus: int, address: int) -> bool:
        asked.append((bus, address))
        return False

    seen = drawn(tmp_path, PI4, probe=probe)
    assert wiring.buses(seen, case(figures=FIGURES)).seen.endswith("The table's display is at 0x3C on bus 1.")
    assert wiring.buses(seen, case(held="a table runs.")).seen.endswith("Not asked: a table runs.")
    assert [] == asked
    told = wiring.buses(seen, case("[display]\naddress = 0x20")).seen
    assert ([(1, 0x20), (1, 0x3C), (1, 0x3D)], True) == (asked, told.endswith("On bus 1 no display answers."))


def test_who_may_not_open_the_bus_is_told_how(tmp_path: Path) -> None:
    """That it may not be opened says nothing of the display."""
    found = wiring.buses(drawn(tmp_path, PI4, probe=lambda bus, address: None), case())
    assert (LOOK, True) == (found.verdict, "sudo" in found.todo)


SPI = "[buttons]\nfactory = 'none'\n[display]\nwires = 'spi'"


@pytest.mark.parametrize(
    ("source", "files", "lines", "running", "words"),
    [
        ("", PI4, {}, False, "7 are set, none twice; they are free."),
        ("", PI4, {17: "lg", 27: "lg"}, True, "7 are set, none twice; they are held by the table."),
        ("", PI4, None, True, "7 are set, none twice. Who holds them: cannot be told here."),
        ("", PI4, {17: "lg"}, False, "GPIO17 (away-previous) is held by 'lg'."),
        ("", PI4, {5: "sysfs"}, True, "GPIO5 (undo) is held by 'sysfs'."),
        ("[buttons.pins]\nundo = 9", PI4, {}, False, "7 are set, none twice; they are free."),
        ("[buttons.pins]\nundo = 9", PI5, {}, False, "GPIO9 (undo) belongs to SPI."),
        ("[buttons.pins]\nundo = 2\n[display]\ndriver = 'none'", PI4, {}, False, "GPIO2 (undo) belongs to I²C."),
        ("[lights]\naway = 14", ZERO, {}, False, "GPIO14 (light away) belongs to the serial console."),
        ("[lights]\naway = 14", PI4, {}, False, "8 are set, none twice; they are free."),
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
    """A pin that a bus has, or another program, is named with both; the table's own are its own."""
    found = wiring.pins(drawn(tmp_path, files, lines=lines), case(source, figures=FIGURES if running else None))
    wrong = "belongs" in words or "is held" in words
    assert (words, WRONG if wrong else OK, wrong) == (found.seen, found.verdict, bool(found.todo))


def test_a_button_that_the_table_misses(tmp_path: Path) -> None:
    """Is told in the table's own words, with how to see more."""
    found = wiring.buttons(
        drawn(tmp_path, PI4), case(figures=ill("buttons", "Button undo is stuck: check its wiring."))
    )
    assert (WRONG, "Button undo is stuck: check its wiring.") == (found.verdict, found.seen)
    assert "dugout doctor --buttons" in found.todo


def test_what_else_the_table_lacks(tmp_path: Path) -> None:
    """Is told in its words, but for what is told elsewhere."""
    seen = drawn(tmp_path, PI4)
    lights = ill("lights", "The lights cannot be used: there is no such pin.")
    found = wiring.others(seen, case(figures=lights))
    assert (LOOK, "The lights cannot be used: there is no such pin.") == (found.verdict, found.seen)
    others = [case(), case(figures=FIGURES), case(figures=ill("display", "No display."))]
    assert [OK] * 3 == [wiring.others(seen, one).verdict for one in others]


def test_lines_are_read_as_the_kernel_packs_them() -> None:
    """Held lines of the header's chip with their holders, and nothing of another chip."""

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


def test_the_cameras_that_there_are(tmp_path: Path) -> None:
    """Sensors on the ribbon and USB cameras once each; the Pi's own codecs are none."""
    assert ["imx708 on the ribbon cable", "UVC Camera (046d:0825) at /dev/video8"] == camera.there(drawn(tmp_path, PI5))


@pytest.mark.parametrize(
    ("seen", "verdict", "words"),
    [
        (
            {"fps": 29.6, "locks": {"exposure": [1], "focus": None}},
            OK,
            "30 pictures a second. Held: exposure. Not held: focus.",
        ),
        ({"fps": 4.0, "locks": None}, LOOK, "4 pictures a second. It still adjusts itself to the light."),
        ({"fps": None, "locks": None}, LOOK, "No picture came yet."),
    ],
)
def test_how_pictures_come(tmp_path: Path, seen: dict[str, Any], verdict: str, words: str) -> None:
    """How many, and what the camera holds."""
    found = camera.camera(drawn(tmp_path, PI4), case(figures=FIGURES | {"camera": seen}))
    assert (verdict, True) == (found.verdict, found.seen.endswith(words))


def test_a_camera_that_is_missing(tmp_path: Path) -> None:
    """Where the kernel knows one, the settings are the thing to look at; where it knows none, the cable."""
    lost = case(figures=ill("camera", "No camera: type the dice."))
    known, none = camera.camera(drawn(tmp_path / "4", PI4), lost), camera.camera(drawn(tmp_path / "0", ZERO), lost)
    assert (WRONG, WRONG) == (known.verdict, none.verdict)
    assert "Set source under [camera]" in known.todo
    assert "ribbon cable" in none.todo


# The card


@pytest.mark.parametrize(
    ("room", "verdict"),
    [((8 << 30, True), OK), ((100 << 20, True), LOOK), ((8 << 20, True), WRONG), ((8 << 30, False), WRONG)],
)
def test_room(tmp_path: Path, room: tuple[int, bool], verdict: str) -> None:
    """Less than a copy of the journal wants is wrong, and so is a card that went read-only."""
    assert verdict == disk.disk(drawn(tmp_path, PI4, room=room), case(data=tmp_path)).verdict


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
def test_what_the_kernel_says_of_the_card(tmp_path: Path, line: str, verdict: str) -> None:
    """By dmesg, or where that is closed by the journal; where both are, nothing can be told."""
    assert verdict == disk.card(drawn(tmp_path, PI4, {"dmesg": f"{line}\n"}), case()).verdict
    assert verdict == disk.card(drawn(tmp_path, PI4, {"journalctl -k": f"{line}\n"}), case()).verdict
    assert "Cannot be told here." == disk.card(drawn(tmp_path, PI4), case()).seen


def test_how_much_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Against its bounds; what grew beyond them is worth a look."""
    seen = drawn(tmp_path / "pi", PI4)
    data = tmp_path / "data"
    assert "Nothing is kept yet." == disk.space(seen, case(data=data)).seen
    (data / "evidence").mkdir(parents=True)
    (data / "evidence" / "000001-00001.jpg").write_bytes(bytes(3 << 20))
    (data / "journal.db.damaged-20260401-120000").write_bytes(bytes(1 << 20))
    words = "Journal 0 MiB of at most 48 MiB, pictures of dice 3 MiB of at most 64 MiB, 1 MiB of damaged journals."
    assert (OK, words) == (disk.space(seen, case(data=data)).verdict, disk.space(seen, case(data=data)).seen)
    monkeypatch.setattr(disk, "PICTURES", 2 << 20)
    assert LOOK == disk.space(seen, case(data=data)).verdict


def test_the_journal_of_a_running_table(tmp_path: Path) -> None:
    """Its mode and sync as they were read back there; another one, and trouble, are wrong."""
    seen = drawn(tmp_path, PI4)

    def told(**more: Any) -> Finding:
        return disk.journal(seen, case(data=tmp_path, figures=FIGURES | {"journal": FIGURES["journal"] | more}))

    assert (OK, True) == (told().verdict, told().seen.startswith("WAL and FULL sync, read back"))
    assert WRONG == told(sync="1").verdict
    assert (WRONG, True) == (
        told(trouble="It was mended.").verdict,
        told(trouble="It was mended.").seen.endswith("mended."),
    )
    (tmp_path / "journal.db.damaged-20260401-120000").touch()
    assert (LOOK, True) == (told().verdict, "last on 20260401-120000" in told().seen)


def test_a_journal_at_rest_is_looked_through(tmp_path: Path) -> None:
    """One that is whole, one whose pages are spoiled, and none at all; nothing is left behind beside it."""
    seen = drawn(tmp_path / "pi", PI4)
    at_rest = case(data=tmp_path / "data")
    assert disk.journal(seen, at_rest).seen.startswith("There is none yet")
    store = Store(tmp_path / "data" / "journal.db")
    for number in range(200):
        store.keep({f"key {number}": "x" * 100})
    assert ("wal", "full") == store.synced()
    store.close()
    before = sorted(path.name for path in (tmp_path / "data").iterdir())
    found = disk.journal(seen, at_rest)
    assert (OK, True) == (found.verdict, found.seen.endswith("Nothing is wrong in it."))
    assert before == sorted(path.name for path in (tmp_path / "data").iterdir())
    path = tmp_path / "data" / "journal.db"
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\xff" * 12288 + whole[16384:])
    assert (WRONG, True) == (disk.journal(seen, at_rest).verdict, "Start the table" in disk.journal(seen, at_rest).todo)
    path.write_bytes(b"this is no database, by far" * 200)
    assert WRONG == disk.journal(seen, at_rest).verdict


def test_a_journal_that_loses_answers(tmp_path: Path) -> None:
    """Another mode is no journal of ours."""
    with sqlite3.connect(tmp_path / "journal.db") as db:
        db.execute("create table game (id)")
    db.close()
    assert WRONG == disk.journal(drawn(tmp_path / "pi", PI4), case(data=tmp_path)).verdict
