"""The OLED: the panel shows the twin, and no fault of the bus ever reaches the game."""

from __future__ import annotations

import errno
import gc
import io
import logging
import sys
import threading
import weakref
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from PIL import Image

from device.display import panel, screens_64
from device.display.oled import PIXEL_SHIFTS, RETRY_DELAYS_S, DisplayCare, Oled, PanelState, panel_state, shifted_image
from device.display.panel import PANEL_MODELS, Spi, describe_fault, panel_opener, panel_pages
from device.display.startup import SCREENS_BY_HEIGHT, build_display
from device.pins import PinError
from device.settings import DisplaySettings
from tests.device.display.panel_model import Bus, Glass, Lgpio, UprightGlass
from tests.device.stored_games import Clock


@pytest.fixture(params=PANEL_MODELS)
def model(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=[64, 32])
def height(request: pytest.FixtureRequest) -> int:
    return int(request.param)


@pytest.fixture
def glass(request: pytest.FixtureRequest) -> Glass:
    """Return the panel that a test selects by `model` and `height`."""
    given = {name: request.getfixturevalue(name) for name in ("model", "height") if name in request.fixturenames}
    return glass_of(given.get("model", "ssd1306"), given.get("height", 64))


def glass_of(model: str, height: int) -> Glass:
    if model == "sh1107":
        if height == 32:
            pytest.skip("There is none of 32 lines.")
        return UprightGlass()
    if model == "ssd1305":
        return Glass(left=4 if height == 32 else 0, height=height, wired=height == 64, pumped=False)
    wide = model == "sh1106"
    return Glass(left=2 if wide else 0, height=height, wired=not (wide and height == 32))


@pytest.fixture
def bus(glass: Glass, monkeypatch: pytest.MonkeyPatch) -> Bus:
    bus = Bus(glass)
    monkeypatch.setattr("smbus2.SMBus", bus)
    monkeypatch.setattr("smbus2.i2c_msg.write", lambda address, data: data)
    return bus


@pytest.fixture
def lgpio(glass: Glass, monkeypatch: pytest.MonkeyPatch) -> Iterator[Lgpio]:
    lgpio = Lgpio(glass)
    monkeypatch.setitem(sys.modules, "lgpio", lgpio)
    yield lgpio
    lgpio.factory.close()


@pytest.fixture
def oled(bus: Bus, clock: Clock) -> Oled:
    return Oled(panel_opener(), DisplayCare(shift=60, dim=None, sleep=None), clock=clock, draw=screens_64)


SCORE = screens_64.draw_message("Seven", "Two on, one out.")
OTHER = screens_64.draw_message("Eight", "Bases empty.")


def a_display(model: str, height: int, clock: Clock, lgpio: Lgpio | None = None) -> Oled:
    """Return a display of this kind that never sleeps, with something on it."""
    spi = (lambda: Spi(factory=lgpio.factory)) if lgpio else None
    care, says = DisplayCare(dim=None, sleep=None), partial(describe_fault, bus=None) if lgpio else describe_fault
    oled = Oled(panel_opener(model, height=height, spi=spi), care, says, clock, draw=SCREENS_BY_HEIGHT[height])
    oled.show_picture(oled.draw.draw_message("Seven", "Two on, one out."))
    return oled


def test_glass_is_twin(bus: Bus, model: str, height: int, clock: Clock) -> None:
    """On every kind of panel the decoded picture equals the twin pixel for pixel, however it is shifted."""
    oled = a_display(model, height, clock)
    pictures = set()
    for _ in PIXEL_SHIFTS:
        oled.update_panel()
        assert oled.displayed_picture.tobytes() == bus.glass.picture().tobytes()
        pictures.add(bus.glass.picture().tobytes())
        clock.now += 60
    assert len(PIXEL_SHIFTS) == len(pictures)


def test_glass_is_twin_by_spi(lgpio: Lgpio, model: str, height: int, clock: Clock) -> None:
    """So it is on the SPI bus; at the end, bus and lines are released."""
    oled = a_display(model, height, clock, lgpio)
    for _ in range(3):
        oled.update_panel()
        assert oled.displayed_picture.tobytes() == lgpio.glass.picture().tobytes()
        clock.now += 60
    oled.stop(bye := oled.draw.draw_goodbye("Safe to unplug"))
    assert bye.tobytes() == lgpio.glass.picture().tobytes()
    assert 0 == lgpio.open
    Spi(factory=lgpio.factory).cleanup()


def test_upside_down(bus: Bus, model: str, height: int, clock: Clock) -> None:
    """A panel that is mounted upside down shows everything upright, shifts included; the twin on pages is as ever."""
    opener = panel_opener(model, height=height, upside_down=True)
    oled = Oled(opener, DisplayCare(dim=None, sleep=None), clock=clock, draw=SCREENS_BY_HEIGHT[height])
    usual = Oled(None, DisplayCare(dim=None, sleep=None), clock=clock, draw=SCREENS_BY_HEIGHT[height])
    for display in (oled, usual):
        display.show_picture(oled.draw.draw_message("Seven", "Two on, one out."))
    for _ in PIXEL_SHIFTS:
        oled.update_panel()
        usual.update_panel()
        assert usual.displayed_picture.tobytes() == oled.displayed_picture.tobytes()
        as_seen = bus.glass.picture().transpose(Image.Transpose.ROTATE_180)
        assert usual.displayed_picture.tobytes() == as_seen.tobytes()
        clock.now += 60
    oled.stop(bye := oled.draw.draw_goodbye("Safe to unplug"))
    assert bye.tobytes() == bus.glass.picture().transpose(Image.Transpose.ROTATE_180).tobytes()


def test_upside_down_is_set(bus: Bus, lgpio: Lgpio, monkeypatch: pytest.MonkeyPatch) -> None:
    """The setting turns the panel on either bus."""
    monkeypatch.setattr(panel, "open_factory", lambda *_: lgpio.factory)
    for wires in ("i2c", "spi"):
        oled = build_display(DisplaySettings(upside_down=True, wires=wires), demo=False)
        oled.show_picture(SCORE)
        oled.update_panel(still=True)
        assert SCORE.tobytes() == bus.glass.picture().transpose(Image.Transpose.ROTATE_180).tobytes()
        bus.glass.power_cut()


def shown_by(glass: Glass, driver: str, height: int, monkeypatch: pytest.MonkeyPatch) -> Image.Image:
    """What this panel shows with this driver and height in the settings."""
    monkeypatch.setattr("smbus2.SMBus", Bus(glass))
    monkeypatch.setattr("smbus2.i2c_msg.write", lambda address, data: data)
    panel_opener(driver, height=height)().display(SCORE if height == 64 else SCORE.crop((0, 0, 128, 32)))
    return glass.picture()


def test_wrong_drivers(monkeypatch: pytest.MonkeyPatch) -> None:
    """docs/build/display.md tells what a panel shows if the settings name another."""
    untouched = Glass(left=2)
    untouched.on = untouched.pump = untouched.seg = untouched.com = True
    below = (0, 8, 128, 64)
    seen = shown_by(Glass(left=2), "ssd1306", 64, monkeypatch)
    assert untouched.picture().crop(below).tobytes() == seen.crop(below).tobytes(), "noise below the first row"
    seen = shown_by(Glass(), "sh1106", 64, monkeypatch)
    assert SCORE.crop((0, 0, 120, 64)).tobytes() == seen.crop((2, 0, 122, 64)).tobytes(), "two columns to the right"
    seen = shown_by(Glass(), "ssd1306", 32, monkeypatch)
    dark = [not any(seen.crop((0, y, 128, y + 1)).get_flattened_data()) for y in range(2, 16)]
    assert [True, False] * 7 in (dark, [not one for one in dark]), "every other line"
    flat, rows = shown_by(Glass(height=32), "ssd1306", 64, monkeypatch), SCORE.tobytes()
    halves = [b"".join(rows[y : y + 16] for y in range(first, 1024, 32)) for first in (0, 16)]
    assert flat.tobytes() in halves, "every other line is missing"
    assert not any(shown_by(Glass(), "ssd1305", 64, monkeypatch).get_flattened_data()), "dark"


def test_each_panel_has_a_text() -> None:
    """docs/build/display.md says of each driver what it is sold as and how to tell that it is the wrong one."""
    text = (Path(__file__).parents[3] / "docs/build/display.md").read_text()
    assert [f'"{name}"' for name in PANEL_MODELS if f'| `"{name}"` |' not in text] == []


def test_pages_as_luma() -> None:
    """Pillow packs a frame as the panel's memory has it: eight rows a byte, topmost in bit 0."""
    image = Image.new("1", (128, 64))
    image.putpixel((5, 11), 1)
    packed = panel_pages(image)
    assert (8, 128) == (len(packed), len(packed[0]))
    assert [(1, 5, 0b1000)] == [(p, x, b) for p, row in enumerate(packed) for x, b in enumerate(row) if b]


def test_png(oled: Oled) -> None:
    oled.show_picture(SCORE)
    oled.update_panel()
    picture = Image.open(io.BytesIO(oled.png_bytes(scale=3))).convert("1")
    assert (384, 192) == picture.size
    assert SCORE.tobytes() == picture.resize((128, 64), Image.Resampling.NEAREST).tobytes()


def test_unchanged_not_sent(oled: Oled, bus: Bus) -> None:
    """Of several pictures shown between two frames only the newest is sent, once."""
    oled.update_panel()
    sent = bus.glass.frames
    oled.show_picture(OTHER)
    oled.show_picture(SCORE)
    oled.update_panel()
    assert sent + 1 == bus.glass.frames
    assert SCORE.tobytes() == bus.glass.picture().tobytes()
    sent = bus.glass.messages
    oled.show_picture(SCORE.copy())
    oled.update_panel()
    oled.update_panel()
    assert sent == bus.glass.messages


def test_no_device(clock: Clock) -> None:
    """Without a display the twin is kept, and nothing is missing."""
    oled = Oled(None, clock=clock, draw=screens_64)
    oled.show_picture(SCORE)
    oled.update_panel()
    assert (SCORE.tobytes(), None) == (oled.displayed_picture.tobytes(), oled.missing)


def test_dummy(clock: Clock) -> None:
    """luma's own dummy panel gets the twin."""
    dummy = panel.DummyPanel()
    oled = Oled(lambda: dummy, clock=clock, draw=screens_64)
    oled.show_picture(SCORE)
    clock.now += 60
    oled.update_panel()
    assert oled.displayed_picture.tobytes() == dummy.image.tobytes() != SCORE.tobytes()


ABSENT = OSError(errno.EREMOTEIO, "Remote I/O error")
FAULTS = [
    (ABSENT, "No display: nothing answers at 0x3C on I²C bus 1: check its four wires."),
    (OSError(errno.EIO, "I/O error"), "No display: nothing answers at 0x3C on I²C bus 1: check its four wires."),
    (TimeoutError(errno.ETIMEDOUT, "timed out"), "No display: I²C bus 1 doesn't respond: check the wires SDA and SCL."),
    (
        PermissionError(errno.EACCES, "denied"),
        "No display: no permission to open I²C bus 1: add this user to the group i2c.",
    ),
]


@pytest.mark.parametrize(("error", "sentence"), FAULTS)
def test_fault_and_back(oled: Oled, bus: Bus, clock: Clock, error: Exception, sentence: str) -> None:
    """Whatever the bus raises, `missing` says what to do, and a later try draws the newest picture in full. The phones
    see it all the time."""
    oled.show_picture(OTHER)
    oled.update_panel()
    bus.fault = lambda message: error
    oled.show_picture(SCORE)
    oled.update_panel()
    assert (sentence, SCORE.tobytes()) == (str(oled.missing), oled.displayed_picture.tobytes())
    bus.glass.power_cut()
    bus.fault = lambda message: None
    clock.now += RETRY_DELAYS_S[0]
    oled.update_panel()
    assert oled.missing is None
    assert SCORE.tobytes() == bus.glass.picture().tobytes()


def test_fault_at_every_message(bus: Bus, model: str, height: int, clock: Clock) -> None:
    """A bus that fails in any way at any one message, of the setup or amid a frame, leaves the right picture."""
    message, reached = 0, True
    while reached:
        error = FAULTS[message % len(FAULTS)][0]
        bus.tried, reached = 0, False
        bus.glass.power_cut()

        def fault(_: int, at: int = message, error: Exception = error) -> Exception | None:
            nonlocal reached
            reached = reached or bus.tried == at + 1
            return error if bus.tried == at + 1 else None

        bus.fault = fault
        oled = a_display(model, height, clock)
        oled.update_panel()
        assert reached == (oled.missing is not None)
        for _ in range(3):
            clock.now += 1
            oled.update_panel()
        assert oled.missing is None
        assert oled.displayed_picture.tobytes() == bus.glass.picture().tobytes()
        message += 1
    assert message > 8


def test_unplugged_at_every_message(bus: Bus, model: str, height: int, clock: Clock) -> None:
    """Unplugged at any message and plugged in some messages later, with its memory lost, it shows the twin."""
    for message in range(24):
        oled = a_display(model, height, clock)
        bus.tried = 0
        away = range(message, message + 1 + message % 7)
        bus.fault = lambda _, away=away: ABSENT if bus.tried - 1 in away else None  # type: ignore[misc]
        for turn in range(12):
            if bus.tried in away:
                bus.glass.power_cut()
            oled.update_panel()
            clock.now += 31
            oled.show_picture(oled.draw.draw_message("Turn", str(turn)))
        oled.update_panel()
        assert oled.missing is None
        assert oled.displayed_picture.tobytes() == bus.glass.picture().tobytes()


def test_unplugged_by_spi(lgpio: Lgpio, clock: Clock) -> None:
    """A panel on SPI does not report that it is gone; put back, it is reset, set up and drawn within a minute."""
    oled = a_display("ssd1306", 64, clock, lgpio)
    oled.update_panel()
    lgpio.unplug()
    oled.show_picture(OTHER)
    oled.update_panel()
    lgpio.away = False
    clock.now += 1
    oled.update_panel()
    assert not lgpio.glass.on
    clock.now += 60
    oled.update_panel()
    assert oled.displayed_picture.tobytes() == lgpio.glass.picture().tobytes()


def test_spi_that_cannot_be_opened(lgpio: Lgpio, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sentence says what to do: SPI is off, a line is taken, a write fails; and then it comes back."""
    oled = a_display("ssd1306", 64, clock, lgpio)
    lgpio.fault = lambda write: RuntimeError("can not open SPI device")
    oled.update_panel()
    off = "SPI bus 0.0 (enable SPI with raspi-config; group spi) cannot be used: can not open SPI device."
    assert f"No display: {off}" == oled.missing
    lgpio.fault = lambda write: RuntimeError("SPI xfer/read/write failed") if write == 3 else None
    clock.now += 1
    oled.update_panel()
    assert "No display: writing to it by SPI failed: SPI xfer/read/write failed." == oled.missing
    clock.now += 2
    taken = Spi(factory=lgpio.factory)
    oled.update_panel()
    assert "No display: its line D/C on GPIO6 cannot be used: another part uses this pin." == oled.missing
    taken.cleanup()
    clock.now += 5
    oled.update_panel()
    assert SCORE.tobytes() == lgpio.glass.picture().tobytes()
    monkeypatch.setitem(sys.modules, "lgpio", None)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    with pytest.raises(PinError, match="its lines: the pin factory lgpio cannot be used: lgpio is not installed"):
        Spi()


@pytest.mark.parametrize(("speed", "frame"), [(100_000, 0.093), (250_000, 0.037), (400_000, 0.023)])
def test_as_fast_as_the_bus(bus: Bus, clock: Clock, speed: int, frame: float) -> None:
    """A picture that changes a hundred times a second is sent as often as leaves the bus half of its time; nothing
    queues, and the newest is shown in the end."""
    bus.speed = speed

    def spend(seconds: float) -> None:
        clock.now += seconds

    bus.spend = spend
    oled = Oled(panel_opener(), DisplayCare(dim=None, sleep=None), clock=clock, draw=screens_64)
    oled.update_panel()
    assert frame == pytest.approx(oled.frame_time_s, rel=0.05)
    sent, start, pictures = bus.glass.frames, clock.now, 0
    while clock.now < start + 4:
        pictures += 1
        oled.show_picture(screens_64.draw_message("Picture", str(pictures)))
        oled.update_panel()
        clock.now += 0.01
    assert bus.glass.frames - sent == pytest.approx(4 / (2 * frame + 0.005), rel=0.12)
    clock.now += 2 * frame
    oled.update_panel()
    assert screens_64.draw_message("Picture", str(pictures)).tobytes() == bus.glass.picture().tobytes()


def test_back_off(oled: Oled, bus: Bus, clock: Clock) -> None:
    """A missing display is tried after 1, 2, 5, 10, 30, 30 … seconds, and each time its bus is released."""
    bus.fault = lambda message: ABSENT
    tries = []
    for second in range(110):
        opened = bus.opened
        oled.update_panel()
        if bus.opened > opened:
            tries.append(second)
        clock.now += 1
    assert [0, 1, 3, 8, 18, 48, 78, 108] == tries
    assert bus.opened == bus.closed


def test_a_closed_panel_is_not_kept(bus: Bus) -> None:
    """One that comes and goes all evening leaves nothing behind."""
    gone = []
    for model in PANEL_MODELS:
        bus.glass = glass_of(model, 64)
        panel = panel_opener(model)()
        gone.append(weakref.ref(panel))
        panel.cleanup()
        del panel
    gc.collect()
    assert [None] * len(PANEL_MODELS) == [one() for one in gone]


def test_no_bus(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> None:
    """If I²C is off, the sentence says how to switch it on."""

    def missing(port: int) -> object:
        raise FileNotFoundError(errno.ENOENT, "No such file or directory", f"/dev/i2c-{port}")

    monkeypatch.setattr("smbus2.SMBus", missing)
    oled = Oled(panel_opener(bus=3), words=lambda error: describe_fault(error, 3), clock=clock, draw=screens_64)
    oled.update_panel()
    assert "No display: there is no I²C bus 3: enable I²C with raspi-config." == oled.missing


def test_power_cut_unnoticed(oled: Oled, bus: Bus, clock: Clock) -> None:
    """A panel whose power failed for a moment, without any error, is set up and drawn again within a minute."""
    oled.show_picture(SCORE)
    oled.update_panel()
    bus.glass.power_cut()
    oled.update_panel()
    assert not bus.glass.on
    clock.now += 60
    went_dark = bus.glass.dark
    oled.update_panel()
    assert oled.displayed_picture.tobytes() == bus.glass.picture().tobytes()
    assert went_dark == bus.glass.dark


def test_rest_by_time() -> None:
    """Awake, then dim, then asleep; and shifted each minute, never by more than a pixel from the middle."""
    care = DisplayCare(shift=60, dim=120, sleep=900)
    seen = [
        (panel_state(care, idle, idle).brightness, panel_state(care, idle, idle).asleep)
        for idle in (0, 119, 120, 899, 900)
    ]
    assert [(0xCF, False), (0xCF, False), (0x10, False), (0x10, False), (0x10, True)] == seen
    assert list(PIXEL_SHIFTS) == [panel_state(care, 0, 60 * minute).offset for minute in range(9)]
    assert {-1, 0, 1} == {x for x, _ in PIXEL_SHIFTS} == {y for _, y in PIXEL_SHIFTS}


def test_dim_sleep_wake(bus: Bus, clock: Clock) -> None:
    """It dims, sleeps almost black and wakes bright at a touch, which returns that it slept."""
    oled = Oled(panel_opener(), DisplayCare(shift=1e9, dim=120, sleep=900), clock=clock, draw=screens_64)
    oled.show_picture(SCORE)
    seen = []
    for seconds in (0, 120, 780):
        clock.now += seconds
        oled.update_panel()
        lit = sum(map(bool, bus.glass.picture().get_flattened_data()))
        seen.append((bus.glass.contrast, lit > 4))
    assert [(0xCF, True), (0x10, True), (0x10, False)] == seen
    assert [True, False] == [oled.wake_up(), oled.wake_up()]
    oled.update_panel()
    assert (0xCF, SCORE.tobytes()) == (bus.glass.contrast, bus.glass.picture().tobytes())


def test_news_wakes(clock: Clock) -> None:
    """A new picture wakes a sleeping display; the same picture does not."""
    still = Oled(None, DisplayCare(sleep=10), clock=clock, draw=screens_64)
    still.show_picture(SCORE)
    still.sleep()
    assert still.is_asleep
    still.show_picture(SCORE)
    assert still.is_asleep
    still.show_picture(OTHER)
    assert not still.is_asleep


def test_last_words(bus: Bus, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last picture stays on the panel, lit and unshifted, when the display stops and when the program ends."""
    hooks: list[Callable[[], None]] = []
    monkeypatch.setattr("luma.core.device.atexit.register", hooks.append)
    oled = Oled(panel_opener(), clock=clock, draw=screens_64)
    oled.update_panel()
    clock.now += 5000
    oled.update_panel()
    bye = screens_64.draw_goodbye("Safe to unplug")
    oled.stop(bye)
    assert [] == hooks
    assert (bye.tobytes(), 0xCF) == (bus.glass.picture().tobytes(), bus.glass.contrast)


def test_thread(bus: Bus, monkeypatch: pytest.MonkeyPatch) -> None:
    """On its thread the display shows the newest picture, survives faults, and stops."""
    oled = Oled(panel_opener(), draw=screens_64)
    drawn = threading.Event()
    real = oled._send_picture

    def send(twin: Image.Image, state: PanelState) -> None:
        real(twin, state)
        if bus.glass.picture().tobytes() == SCORE.tobytes():
            drawn.set()

    monkeypatch.setattr(oled, "_send_picture", send)
    oled.start()
    oled.show_picture(OTHER)
    oled.show_picture(SCORE)
    assert drawn.wait(60)
    bus.fault = lambda message: ABSENT
    oled.show_picture(OTHER)
    oled.stop(screens_64.draw_goodbye("Safe to unplug"), timeout=60)
    assert oled.missing
    assert not any(thread.name == "oled" for thread in threading.enumerate())


def test_fault_logged_once(oled: Oled, bus: Bus, clock: Clock, caplog: pytest.LogCaptureFixture) -> None:
    """A display that is missing for an hour is one line in the log, and its return another."""
    caplog.set_level(logging.INFO)
    bus.fault = lambda message: ABSENT
    for _ in range(3600):
        oled.update_panel()
        clock.now += 1
    bus.fault = lambda message: None
    clock.now += 60
    oled.update_panel()
    assert 2 == len(caplog.records)


@pytest.mark.parametrize("image", [Image.new("1", (64, 128)), Image.new("L", (128, 64))])
def test_wrong_picture(oled: Oled, image: Image.Image) -> None:
    """A picture of another size or mode is refused by `show`, not on the display's thread."""
    with pytest.raises(ValueError, match="128x64 in mode 1"):
        oled.show_picture(image)


def test_shift_loses_nothing() -> None:
    """Every screen leaves the outer ring dark, so a shifted picture has all its pixels."""
    lit = sum(map(bool, SCORE.get_flattened_data()))
    for offset in PIXEL_SHIFTS:
        moved = shifted_image(SCORE, offset)
        assert lit == sum(map(bool, moved.get_flattened_data()))
        assert SCORE.tobytes() == shifted_image(moved, (-offset[0], -offset[1])).tobytes()
