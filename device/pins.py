"""The header's pins, through gpiozero and lgpio: never another library in its place, and its errors in words."""

from __future__ import annotations

import logging
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from gpiozero import GPIOPinInUse, PinInvalidPin
from gpiozero.exc import PinUnknownPi

FACTORIES = {"lgpio": ("gpiozero.pins.lgpio", "LGPIOFactory")}
"""The ways to reach a Pi's pins."""


log = logging.getLogger("dugout.pins")


class PinError(OSError):
    """Pins cannot be used; `str()` says which, why and what to do."""


def open_factory(name: str, what: str = "Buttons") -> Any:
    """The gpiozero pin factory of this name, a key of `FACTORIES`, for `what`. Raises PinError."""
    if name not in FACTORIES:
        raise PinError(f"{what}: there is no pin factory {name!r}; choose one of {', '.join(FACTORIES)}.")
    module, kind = FACTORIES[name]
    # lgpio makes a FIFO in this folder when it is imported, by default in the working directory.
    folder = os.environ.setdefault("LG_WD", os.environ.get("RUNTIME_DIRECTORY", tempfile.gettempdir()))
    with in_words(f"{what}: the pin factory {name}"):
        if not os.access(folder, os.W_OK | os.X_OK):
            raise PinError(f"it cannot write in {folder}, which LG_WD names.")
        factory = getattr(import_module(module), kind)()
        # gpiozero gives all factories the pins of one: whoever was closed would take those of the others along.
        factory.pins = {}
        return factory


def close_factory(factory: Any) -> None:
    """Let a factory go that `open_factory` gave, also when its chip is gone: the kernel resets the pins by itself."""
    factory.pins.clear()
    try:
        factory.close()
    except Exception as error:  # lgpio raises its own root error
        log.debug("The pins could not be closed: %s", error)


@contextmanager
def in_words(what: str) -> Iterator[None]:
    """Turn whatever the GPIO libraries raise, which has no common root, into a PinError that begins with `what`."""
    try:
        yield
    except Exception as error:
        raise PinError(f"{what} cannot be used: {reason(error)}") from error


def reason(error: Exception) -> str:
    """An error of a GPIO library as what to do about it."""
    match error:
        case PinError():
            return str(error)
        case ModuleNotFoundError() | ImportError():
            return f"{error.name or error} is not installed (python3-lgpio)."
        case AttributeError() if "lgpio" in str(error):
            # Where there is no wheel, pip takes a version that is an empty module, and says nothing.
            return "the lgpio that is installed is an empty one: remove it, and install python3-lgpio."
        case PermissionError():
            return "this user may not open the GPIO chip: add it to the group gpio."
        case PinUnknownPi():
            return "this machine is not a Raspberry Pi."
        case FileNotFoundError():
            return "this machine has no GPIO chip."
        case GPIOPinInUse():
            return "another part uses this pin."
        case PinInvalidPin():
            return "there is no such pin."
    return f"{error or type(error).__name__}."
