"""The settings, one validated TOML file. Errors name line and reason. See docs/build/settings.md."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from functools import partial
from ipaddress import ip_network
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    field_validator,
)
from pydantic_core import PydanticCustomError

from device import named_file
from device.shapes import AnalysisLevel
from engine.text import toml_text, visible_text

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

ERROR_TEXTS = {
    "bool_type": "must be true or false",
    "int_type": "must be a whole number",
    "float_type": "must be a number",
    "string_type": "must be words in quotes",
    "path_type": "must be a folder in quotes",
    "list_type": "must be a list in brackets",
    "dict_type": "must be names and values in braces",
    "model_type": "must be a section of its own",
    "literal_error": "must be {expected}",
    "greater_than_equal": "must be {ge} or more",
    "less_than_equal": "must be {le} or less",
    "value_error": "{error}",
}
"""Reason for each of pydantic's error types. Braces take values from pydantic's context."""

DEFAULT_PINS: Mapping[str, int] = {
    "away-previous": 17,
    "away-next": 27,
    "away-ok": 22,
    "home-previous": 23,
    "home-next": 24,
    "home-ok": 25,
    "undo": 5,
}
"""Default pin of each button, as BCM number. A button connects its pin to ground.

The away seat has header pins 11, 13, 15 with ground at 14, the home seat 16, 18, 22 with ground at 20, and undo 29 with
ground at 30. I²C (2, 3), SPI (7 to 11), UART (14, 15), HAT identity (0, 1) and sound (12, 13, 18 to 21) stay free.
"""

KEY_CODES: Mapping[str, int] = {
    "esc": 1, "backspace": 14, "tab": 15, "enter": 28, "a": 30, "c": 46, "b": 48, "dot": 52, "space": 57, "f5": 63,
    "up": 103, "pageup": 104, "left": 105, "right": 106, "down": 108, "pagedown": 109, "volumedown": 114,
    "volumeup": 115, "nextsong": 163, "playpause": 164, "previoussong": 165,
}  # fmt: skip
"""Kernel key codes of the keys that remotes, pedals and camera shutters have."""

DEFAULT_KEY_BUTTONS: Mapping[str, str] = {
    **dict.fromkeys(("pageup", "left", "up", "a", "volumedown", "previoussong"), "previous"),
    **dict.fromkeys(("pagedown", "right", "down", "c", "tab", "nextsong"), "next"),
    **dict.fromkeys(("b", "dot", "enter", "space", "volumeup", "playpause"), "ok"),
    **dict.fromkeys(("f5", "esc", "backspace"), "undo"),
}
"""Default button of each key of a presenter remote, a pedal that types a, b and c, or a camera's shutter."""

MAX_FILE_BYTES = 64 * 1024
"""Largest settings file, in bytes."""

MAX_TEXT_LENGTH = 1024
"""Longest text of one setting, in characters."""

MAX_LISTED_FAULTS = 20
"""Faults that one error lists."""


class SettingsError(ValueError):
    """The settings are not valid. The text has one line per fault, with file, line and reason."""


Pin = Annotated[int, Field(ge=2, le=27)]
"""A header pin by its BCM number. 0 and 1 belong to the HAT's memory."""


class _SettingsSection(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    @field_validator("*", mode="before")
    @classmethod
    def _check_visible(cls, value: Any) -> Any:
        """Reject a text with characters that people cannot see, such as NUL or an escape sequence."""
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, str) and one and visible_text.visible_line(one, MAX_TEXT_LENGTH) != one.strip():
                raise ValueError("needs characters that everybody can see")
        return value


class GameSettings(_SettingsSection):
    """The game that a new table starts with."""

    key: str = Field(default="", description="its key; empty: the first game in the list")
    decks: list[str] = Field(default=[], description="deck files; none: the house-made deck")
    house: dict[str, str] = Field(default={}, description="house rules that differ from their defaults")


def _check_camera_source(source: Any) -> Any:
    if isinstance(source, bool) or not isinstance(source, str | int) or source == "":
        raise ValueError("must be words in quotes or a camera's number")
    return source


CameraSource = Annotated[str | int, BeforeValidator(_check_camera_source)]
"""A camera by its name, device path or number."""


class CameraSettings(_SettingsSection):
    """The camera that reads the dice."""

    source: CameraSource = Field(default="auto", description='"auto", "picamera2", "none", a device path or index')
    show: float = Field(default=1.5, ge=0, le=30, description="seconds a certain roll is shown before it counts")


class BoardSettings(_SettingsSection):
    """The camera that reads the board, in games with pieces."""

    camera: CameraSource = Field(default="none", description='as [camera] source, or "tray": one camera sees both')


class DisplaySettings(_SettingsSection):
    """The small OLED display."""

    driver: Literal["ssd1306", "sh1106", "ssd1309", "ssd1305", "sh1107", "none"] = "ssd1306"
    height: Literal[64, 32] = Field(default=64, description="its lines, 64 or 32")
    upside_down: bool = Field(default=False, description="it is mounted upside down")
    wires: Literal["i2c", "spi"] = Field(default="i2c", description="how it is wired")
    bus: int = Field(default=1, ge=0, le=99, description="I²C bus")
    address: int = Field(default=0x3C, ge=0x03, le=0x77, description="I²C address")
    chip: int = Field(default=0, ge=0, le=1, description="SPI chip select, CE0 or CE1")
    dc: Pin = Field(default=6, description="BCM number of the line D/C, for SPI")
    reset: Pin = Field(default=4, description="BCM number of the line RES, for SPI")
    dim: float = Field(default=120, ge=5, description="seconds without a press until it dims")
    sleep: float = Field(default=900, ge=10, description="seconds without a press until it sleeps")
    league: bool = Field(default=False, description="asleep, it shows the top of the league last played")

    @field_validator("height")
    @classmethod
    def _check_height(cls, lines: int, info: ValidationInfo) -> int:
        if lines != 64 and info.data.get("driver") == "sh1107":
            raise ValueError("must be 64 with driver sh1107")
        return lines


class ButtonSettings(_SettingsSection):
    """The seven buttons and their pins."""

    factory: Literal["lgpio", "none"] = "lgpio"
    pins: dict[str, Pin] = Field(
        default=dict(DEFAULT_PINS), description="BCM numbers that differ from the default wiring"
    )

    @field_validator("pins")
    @classmethod
    def _add_defaults(cls, moved: dict[str, int]) -> dict[str, int]:
        if unknown := set(moved) - set(DEFAULT_PINS):
            raise ValueError(f"no button is called {', '.join(sorted(unknown))}; choose from {', '.join(DEFAULT_PINS)}")
        return {**DEFAULT_PINS, **moved}


class RemoteSettings(_SettingsSection):
    """A presenter remote, a foot pedal or a Bluetooth button."""

    name: str = Field(default="", description="a part of its name; empty: none")
    seat: Literal["", "away", "home"] = Field(default="", description="whose buttons it has; empty: of the seat asked")
    keys: dict[str, str] = Field(default=dict(DEFAULT_KEY_BUTTONS), description="keys that do something else")

    @field_validator("keys")
    @classmethod
    def _add_defaults(cls, other: dict[str, str]) -> dict[str, str]:
        buttons = dict.fromkeys(DEFAULT_KEY_BUTTONS.values())
        if unknown := set(other) - set(KEY_CODES):
            raise ValueError(f"no key is called {', '.join(sorted(unknown))}; choose from {', '.join(KEY_CODES)}")
        if wrong := [key for key, button in other.items() if button not in buttons]:
            raise ValueError(f"{wrong[0]} can be {', '.join(buttons)}")
        return {**DEFAULT_KEY_BUTTONS, **other}

    @property
    def key_buttons(self) -> dict[str, str]:
        """Button of each key. If the remote belongs to a seat, its name is included: "away-ok", not "ok"."""
        own = f"{self.seat}-" if self.seat else ""
        return {key: button if button == "undo" else own + button for key, button in self.keys.items()}


class LightSettings(_SettingsSection):
    """An LED for each seat, by BCM number."""

    away: Pin | None = Field(default=None, description="BCM number; none: no light")
    home: Pin | None = Field(default=None, description="BCM number; none: no light")

    @property
    def seat_pins(self) -> dict[str, int]:
        return {seat: pin for seat, pin in (("away", self.away), ("home", self.home)) if pin is not None}


class BuzzerSettings(_SettingsSection):
    """A passive buzzer."""

    pin: Pin | None = Field(default=None, description="BCM number; none: no sounds")


def _check_voice(name: str) -> str:
    if not re.fullmatch(r"[A-Za-z][\w+-]{0,39}", name, re.ASCII):
        raise ValueError("must be a voice of espeak-ng, such as en-us or en-gb+f3")
    return name


def _check_sound_device(name: str) -> str:
    if not re.fullmatch(r"(\w[\w:=,.-]{0,79})?", name, re.ASCII):
        raise ValueError("must be a sound device of ALSA, such as default:CARD=Headphones")
    return name


class AnnouncerSettings(_SettingsSection):
    """The announcer on the table itself, through its sound device."""

    level: Literal["off", "low", "full"] = Field(default="off", description="low: runs, half-innings and the end")
    voice: Annotated[str, AfterValidator(_check_voice)] = Field(default="en-us", description="a voice of espeak-ng")
    speed: int = Field(default=160, ge=80, le=450, description="words a minute")
    device: Annotated[str, AfterValidator(_check_sound_device)] = Field(default="", description="empty: the system's")


class AnalysisSettings(_SettingsSection):
    """Win probabilities, the story of each game, and the review of its decisions."""

    level: AnalysisLevel = Field(default="full", description="numbers: only each side's chance to win and its graph")


def _check_network(address: str) -> str:
    try:
        ip_network(address)
    except ValueError:
        raise ValueError("must be an address or a network, such as 192.168.1.2 or 10.0.0.0/24") from None
    return address


Proxy = Annotated[str, AfterValidator(_check_network)]


class WebSettings(_SettingsSection):
    """The web pages and the address that serves them."""

    host: str = Field(default="0.0.0.0", description="the address to serve on; 127.0.0.1: this machine only")
    port: int = Field(default=8000, ge=1, le=65535)
    name: str = Field(default="", description='the name phones use, such as "dugout.local"; empty: the machine\'s own')
    names: list[str] = Field(default=[], description="other names by which the pages may be reached")
    proxies: list[Proxy] = Field(default=[], description="addresses of proxies whose X-Forwarded-For counts")
    remember: bool = Field(default=True, description="phones stay signed in over a restart")


class Settings(_SettingsSection):
    """All settings. Every field has a default, so an empty file is valid."""

    poweroff: bool = Field(default=False, description="shutting down the table also turns the machine off")
    data: Path = Field(default=Path("~/.local/share/dugout"), strict=False, description="folder of journal and decks")
    game: GameSettings = GameSettings()
    camera: CameraSettings = CameraSettings()
    board: BoardSettings = BoardSettings()
    display: DisplaySettings = DisplaySettings()
    buttons: ButtonSettings = Field(default=ButtonSettings(), validate_default=True)
    remote: RemoteSettings = Field(default=RemoteSettings(), validate_default=True)
    lights: LightSettings = LightSettings()
    buzzer: BuzzerSettings = BuzzerSettings()
    announcer: AnnouncerSettings = AnnouncerSettings()
    analysis: AnalysisSettings = AnalysisSettings()
    web: WebSettings = WebSettings()

    @field_validator("display", "buttons", "lights", "buzzer")
    @classmethod
    def _reject_shared_pins(cls, section: Any, info: ValidationInfo) -> Any:
        """Reject a pin that an earlier section uses."""
        taken = {pin: (name, key) for earlier in info.data.values() for name, key, pin in _section_pins(earlier)}
        for name, key, pin in _section_pins(section):
            if pin in taken:
                other, other_key = taken[pin]
                words = f"{name} and {other} share GPIO{pin}; each needs its own"
                raise PydanticCustomError("shared", "{words}", {"words": words, "keys": (key, other_key)})
            taken[pin] = name, key
        return section


def _section_pins(section: Any) -> Iterator[tuple[str, tuple[str, ...], int]]:
    """Yield (device line, key that sets it, BCM number) for each pin that a section uses."""
    match section:
        case DisplaySettings(driver="none"):
            pass
        case DisplaySettings(wires="spi"):
            chip = {0: 8, 1: 7}[section.chip]
            for name, key, pin in (("D0", "wires", 11), ("D1", "wires", 10), ("CS", "chip", chip)):
                yield f"display {name}", ("display", key), pin
            yield "display D/C", ("display", "dc"), section.dc
            yield "display RES", ("display", "reset"), section.reset
        case DisplaySettings(bus=0 | 1):
            yield "display SDA", ("display", "bus"), 2 * section.bus
            yield "display SCL", ("display", "bus"), 2 * section.bus + 1
        case ButtonSettings(factory="lgpio"):
            for name, pin in section.pins.items():
                yield name, ("buttons", "pins", name), pin
        case LightSettings():
            for seat, pin in section.seat_pins.items():
                yield f"light {seat}", ("lights", seat), pin
        case BuzzerSettings(pin=int(pin)):
            yield "buzzer", ("buzzer", "pin"), pin


def expand_path(path: Path) -> Path:
    """Expand "~" or "~name" to that home folder. Raises SettingsError if there is none."""
    try:
        return path.expanduser()
    except RuntimeError:
        raise SettingsError(f"{path}: there is no home folder of that user: name a folder by its whole path.") from None


def load_settings(path: Path | None) -> Settings:
    """Load settings from `path`, else from the file in DUGOUT_SETTINGS, else use the defaults. Raises SettingsError."""
    chosen = path or (Path(named) if (named := os.environ.get("DUGOUT_SETTINGS")) else None)
    if chosen is None:
        return Settings()
    try:
        source = named_file.read_file(chosen, MAX_FILE_BYTES).decode(
            "utf-8-sig"
        )  # some editors write a byte order mark
    except OSError as error:
        raise SettingsError(f"{chosen}: cannot read it: {error.strerror}.") from None
    except UnicodeDecodeError as error:
        raise SettingsError(f"{chosen}: not UTF-8 text: {error.reason} at byte {error.start}.") from None
    return parse_settings(source, str(chosen))


def parse_settings(source: str, file: str) -> Settings:
    """Parse settings from TOML. `file` is the file name for errors. Raises SettingsError."""
    try:
        data = toml_text.parse_toml(source)
    except toml_text.TomlTooComplex as error:
        raise SettingsError(f"{file}: {error}.") from None
    except ValueError as error:
        raise SettingsError(f"{file}: not valid TOML: {error}.") from None
    try:
        return Settings.model_validate(data)
    except ValidationError as error:
        faults, found = [], error.errors()
        for fault in found[:MAX_LISTED_FAULTS]:
            keys = fault.get("ctx", {}).get("keys", (fault["loc"],))
            where = max(([str(part) for part in key] for key in keys), key=partial(_find_line, source))
            line = _find_line(source, where)[1]
            faults.append(visible_text.printable_text(f"{file}, line {line}, {'.'.join(where)}: {_fault_text(fault)}."))
        if len(found) > MAX_LISTED_FAULTS:
            faults.append(f"{file}: and {len(found) - MAX_LISTED_FAULTS} more.")
        raise SettingsError("\n".join(faults)) from None


def _fault_text(fault: ErrorDetails) -> str:
    if fault["type"] == "extra_forbidden":
        section: Any = Settings
        for part in fault["loc"][:-1]:
            section = section.model_fields[part].annotation
        return f"there is no such setting; choose from {', '.join(section.model_fields)}"
    given = fault["input"]
    words = ERROR_TEXTS[fault["type"]].format(**fault.get("ctx", {})) if fault["type"] in ERROR_TEXTS else fault["msg"]
    words = words.removesuffix(".")
    return f"{words}, not {given!r:.80}" if isinstance(given, str | int | float) else words


def _find_line(source: str, where: list[str]) -> tuple[bool, int]:
    """Find the line that sets the key `where`. Returns (True, line), or (False, line of the nearest parent), from 1."""
    table: list[str] = []
    best, depth = 1, 0
    for number, text in enumerate(source.splitlines(), 1):
        if header := re.match(r"\s*\[([^\[\]]+)\]", text):
            table = [part.strip(" \t\"'") for part in header[1].split(".")]
            key = table
        elif assignment := re.match(r"\s*([\w.\"'-]+)\s*=", text):
            key = table + [part.strip("\"'") for part in assignment[1].split(".")]
        else:
            continue
        if key == where[: len(key)] and len(key) > depth:
            best, depth = number, len(key)
    return depth == len(where), best
