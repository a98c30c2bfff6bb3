"""Open the header's pins through gpiozero and lgpio, without a fallback library and with errors in sentences."""

from __future__ import annotations

import logging
import os
import tempfile
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from importlib import import_module
from pathlib import Path
from threading import Lock
from typing import Any

from gpiozero import GPIOPinInUse, PinInvalidPin
from gpiozero.exc import PinUnknownPi

PIN_FACTORIES = {"lgpio": ("gpiozero.pins.lgpio", "LGPIOFactory")}
"""Module and class of each gpiozero pin factory, by its name in the settings."""

FIFO_PREFIX = ".lgd-nfy"
"""Prefix of the name of lgpio's FIFO."""

_folder_lock = Lock()
"""Held while the working directory changes, because all threads share it."""

log = logging.getLogger("dugout.pins")


class PinError(OSError):
    """A pin cannot be used. Its text names the pin, the reason and the remedy."""


def open_factory(name: str, what: str = "Buttons") -> Any:
    """Open a gpiozero pin factory by its key in `PIN_FACTORIES`. Raises PinError, whose text begins with `what`."""
    if name not in PIN_FACTORIES:
        raise PinError(f"{what}: there is no pin factory {name!r}; choose one of {', '.join(PIN_FACTORIES)}.")
    module, kind = PIN_FACTORIES[name]
    with translate_gpio_errors(f"{what}: the pin factory {name}"):
        folder = os.environ.setdefault("LG_WD", os.environ.get("RUNTIME_DIRECTORY") or _private_folder())
        if not os.access(folder, os.W_OK | os.X_OK):
            raise PinError(f"it cannot write in {folder}, which LG_WD names.")
        # On first import lgpio changes to that folder to open a FIFO, and would stay there.
        with _folder_lock, chdir(folder):
            library = import_module(module)
        factory = getattr(library, kind)()
        # gpiozero shares one pin cache among all factories, so closing one would close the pins of the others.
        factory.pins = {}
        return factory


def _private_folder() -> str:
    """Create a folder for lgpio that no other user can write, because it cannot use another user's FIFO."""
    base = os.environ.get("XDG_RUNTIME_DIR", "")
    folder = Path(base if os.access(base, os.W_OK | os.X_OK) else tempfile.gettempdir()) / f"dugout-{os.getuid()}"
    folder.mkdir(0o700, exist_ok=True)
    return str(folder)


def close_factory(factory: Any) -> None:
    """Close a factory of `open_factory`, even if its chip is gone. The kernel then resets the pins."""
    factory.pins.clear()
    try:
        factory.close()
    except Exception as error:  # lgpio raises its own base error
        log.debug("The pins could not be closed: %s", error)


@contextmanager
def translate_gpio_errors(what: str) -> Iterator[None]:
    """Translate any error of the GPIO libraries to a PinError that begins with `what`. They share no base class."""
    try:
        yield
    except Exception as error:
        raise PinError(f"{what} cannot be used: {gpio_error_text(error)}") from error


def gpio_error_text(error: Exception) -> str:
    """Describe an error of a GPIO library and its remedy."""
    match error:
        case PinError():
            return str(error)
        case ModuleNotFoundError() | ImportError():
            return f"{error.name or error} is not installed (python3-lgpio)."
        case AttributeError() if "lgpio" in str(error):
            # Without a wheel for this Python, pip silently installs a version that is an empty module.
            return "the installed lgpio is empty: remove it, and install python3-lgpio."
        case FileNotFoundError() | PermissionError() if FIFO_PREFIX in str(error.filename):
            return f"lgpio cannot make its FIFO: remove {os.environ.get('LG_WD')}/{FIFO_PREFIX}*, left by another user."
        case PermissionError():
            return "no permission to open the GPIO chip: add this user to the group gpio."
        case PinUnknownPi():
            return "this machine is not a Raspberry Pi."
        case FileNotFoundError():
            return "this machine has no GPIO chip."
        case GPIOPinInUse():
            return "another part uses this pin."
        case PinInvalidPin():
            return "there is no such pin."
    return f"{error or type(error).__name__}."
