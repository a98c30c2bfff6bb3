"""One TOML file of settings, checked, with errors that name line and reason. docs/settings.md is its manual."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, ValidationInfo, field_validator
from pydantic_core import PydanticCustomError

from device.inputs.buttons import WIRING

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

WORDS = {
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
"""What is wrong with a value, by pydantic's name for it and with what pydantic knows of it."""


class SettingsError(ValueError):
    """The settings cannot be used; the text has one line for each fault, with file, line and reason."""


Pin = Annotated[int, Field(ge=2, le=27)]
"""A pin of the header by its BCM number; 0 and 1 are the HAT's memory."""


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class GameSettings(_Section):
    """Which game a new table starts with."""

    key: str = "small-ball"
    decks: list[str] = Field(default=[], description="deck files; none: the house-made deck")
    house: dict[str, str] = Field(default={}, description="house rules that differ from their defaults")


def _named(source: Any) -> Any:
    if isinstance(source, bool) or not isinstance(source, str | int) or source == "":
        raise ValueError("must be words in quotes or a camera's number")
    return source


Source = Annotated[str | int, BeforeValidator(_named)]
"""A camera by its name, device path or number."""


class CameraSettings(_Section):
    """Where the dice are seen."""

    source: Source = Field(default="auto", description='"auto", "picamera2", "none", a device path or index')
    show: float = Field(default=1.5, ge=0, le=30, description="seconds a sure roll is shown before it counts")


class BoardSettings(_Section):
    """Where the Gloves are seen, in a game that lays them on a board."""

    camera: Source = Field(default="none", description='as [camera] source, or "tray": one camera sees both')


class DisplaySettings(_Section):
    """The small OLED."""

    driver: Literal["ssd1306", "sh1106", "ssd1309", "none"] = "ssd1306"
    height: Literal[64, 32] = Field(default=64, description="its lines, 64 or 32")
    wires: Literal["i2c", "spi"] = Field(default="i2c", description="how it is wired")
    bus: int = Field(default=1, ge=0, le=99, description="I²C bus")
    address: int = Field(default=0x3C, ge=0x03, le=0x77, description="I²C address")
    chip: int = Field(default=0, ge=0, le=1, description="SPI chip select, CE0 or CE1")
    dc: Pin = Field(default=6, description="BCM number of the line D/C, for SPI")
    reset: Pin = Field(default=4, description="BCM number of the line RES, for SPI")
    dim: float = Field(default=120, ge=5, description="seconds without a press until it dims")
    sleep: float = Field(default=900, ge=10, description="seconds without a press until it sleeps")


class ButtonSettings(_Section):
    """The seven buttons, by BCM number."""

    factory: Literal["lgpio", "none"] = "lgpio"
    pins: dict[str, Pin] = Field(default=dict(WIRING), description="BCM numbers that differ from the default wiring")

    @field_validator("pins")
    @classmethod
    def _wired(cls, moved: dict[str, int]) -> dict[str, int]:
        if unknown := set(moved) - set(WIRING):
            raise ValueError(f"no button is called {', '.join(sorted(unknown))}; there are {', '.join(WIRING)}")
        return {**WIRING, **moved}


class LightSettings(_Section):
    """An LED for each seat, by BCM number."""

    away: Pin | None = Field(default=None, description="BCM number; none: no light")
    home: Pin | None = Field(default=None, description="BCM number; none: no light")

    @property
    def pins(self) -> dict[str, int]:
        """Those that there are, by seat."""
        return {seat: pin for seat, pin in (("away", self.away), ("home", self.home)) if pin is not None}


class BuzzerSettings(_Section):
    """A passive buzzer."""

    pin: Pin | None = Field(default=None, description="BCM number; none: no sounds")


class WebSettings(_Section):
    """The pages."""

    host: str = Field(default="0.0.0.0", description="the address to serve on; 127.0.0.1: this machine alone")
    port: int = Field(default=8000, ge=1, le=65535)
    name: str = Field(default="", description='the name phones use, as "dugout.local"; empty: the machine\'s own')


class Settings(_Section):
    """Everything a person may set. Every field has a default: an empty file is a good one."""

    poweroff: bool = Field(default=False, description="whether shutting down the table switches the machine off")
    data: Path = Field(default=Path("~/.local/share/dugout"), strict=False, description="where journal and decks live")
    game: GameSettings = GameSettings()
    camera: CameraSettings = CameraSettings()
    board: BoardSettings = BoardSettings()
    display: DisplaySettings = DisplaySettings()
    buttons: ButtonSettings = Field(default=ButtonSettings(), validate_default=True)
    lights: LightSettings = LightSettings()
    buzzer: BuzzerSettings = BuzzerSettings()
    web: WebSettings = WebSettings()

    @field_validator("display", "buttons", "lights", "buzzer")
    @classmethod
    def _alone(cls, wired: Any, info: ValidationInfo) -> Any:
        """Each on a pin that no part named before it has."""
        taken = {pin: (name, key) for section in info.data.values() for name, key, pin in _lines(section)}
        for name, key, pin in _lines(wired):
            if pin in taken:
                other, its = taken[pin]
                words = f"{name} and {other} share GPIO{pin}; each wants one of its own"
                raise PydanticCustomError("shared", "{words}", {"words": words, "keys": (key, its)})
            taken[pin] = name, key
        return wired


def _lines(section: Any) -> Iterator[tuple[str, tuple[str, ...], int]]:
    """The wires of a section that go to a pin: what each is, the key that sets it, and its BCM number."""
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
            for seat, pin in section.pins.items():
                yield f"light {seat}", ("lights", seat), pin
        case BuzzerSettings(pin=int(pin)):
            yield "buzzer", ("buzzer", "pin"), pin


def load(path: Path | None) -> Settings:
    """The settings in `path`, or in the file that DUGOUT_SETTINGS names, or the defaults. Raises SettingsError."""
    chosen = path or (Path(named) if (named := os.environ.get("DUGOUT_SETTINGS")) else None)
    if chosen is None:
        return Settings()
    try:
        source = chosen.read_text("utf-8-sig")  # some editors put a mark before the text
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{chosen}: cannot be read: {error}.") from None
    return parse(source, str(chosen))


def parse(source: str, file: str) -> Settings:
    """The settings in a TOML text. Raises SettingsError."""
    try:
        return Settings.model_validate(tomllib.loads(source))
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{file}: this is no TOML: {error}.") from None
    except ValidationError as error:
        faults = []
        for fault in error.errors():
            keys = fault.get("ctx", {}).get("keys", (fault["loc"],))
            where = max(([str(part) for part in key] for key in keys), key=partial(_at, source))
            line = _at(source, where)[1]
            faults.append(f"{file}, line {line}, {'.'.join(where)}: {_words(fault)}.")
        raise SettingsError("\n".join(faults)) from None


def _words(fault: ErrorDetails) -> str:
    """What is wrong and what would be right."""
    if fault["type"] == "extra_forbidden":
        section: Any = Settings
        for part in fault["loc"][:-1]:
            section = section.model_fields[part].annotation
        return f"there is no such setting; there are {', '.join(section.model_fields)}"
    given = fault["input"]
    words = WORDS[fault["type"]].format(**fault.get("ctx", {})) if fault["type"] in WORDS else fault["msg"]
    return f"{words}, not {given!r}" if isinstance(given, str | int | float) else words


def _at(source: str, where: list[str]) -> tuple[bool, int]:
    """Whether a line sets the key `where`; that line, from 1, or the nearest thing above it that is there."""
    table: list[str] = []
    best, depth = 1, 0
    for number, text in enumerate(source.splitlines(), 1):
        if header := re.match(r"\s*\[\s*([^\[\]]+?)\s*\]", text):
            table = [part.strip(" \"'") for part in header[1].split(".")]
            key = table
        elif assignment := re.match(r"\s*([\w.\"'-]+)\s*=", text):
            key = table + [part.strip("\"'") for part in assignment[1].split(".")]
        else:
            continue
        if key == where[: len(key)] and len(key) > depth:
            best, depth = number, len(key)
    return depth == len(where), best
