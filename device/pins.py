"""The header's pins, through gpiozero and lgpio: never another library in its place, and its errors in words."""

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

FACTORIES = {"lgpio": ("gpiozero.pins.lgpio", "LGPIOFactory")}
"""The ways to reach a Pi's pins."""

FIFO = ".lgd-nfy"
"""How the name of lgpio's FIFO begins."""

_elsewhere = Lock()
"""Held while the working directory is another: it is the whole program's."""

log = logging.getLogger("dugout.pins")


class PinError(OSError):
    """Pins cannot be used; `str()` says which, why and what to do."""


def open_factory(name: str, what: str = "Buttons") -> Any:
    """The gpiozero pin factory of this name, a key of `FACTORIES`, for `what`. Raises PinError."""
    if name not in FACTORIES:
        raise PinError(f"{what}: there is no pin factory {name!r}; choose one of {', '.join(FACTORIES)}.")
    module, kind = FACTORIES[name]
    with in_words(f"{what}: the pin factory {name}"):
        folder = os.environ.setdefault("LG_WD", os.environ.get("RUNTIME_DIRECTORY") or _own())
        if not os.access(folder, os.W_OK | os.X_OK):
            raise PinError(f"it cannot write in {folder}, which LG_WD names.")
        # As it is first imported lgpio goes to that folder, makes a FIFO there and opens it; it would stay there.
        with _elsewhere, chdir(folder):
            library = import_module(module)
        factory = getattr(library, kind)()
        # gpiozero gives all factories the pins of one: whoever was closed would take those of the others along.
        factory.pins = {}
        return factory


def _own() -> str:
    """A folder for lgpio that no other user writes in: it cannot use a FIFO that another left there."""
    base = os.environ.get("XDG_RUNTIME_DIR", "")
    folder = Path(base if os.access(base, os.W_OK | os.X_OK) else tempfile.gettempdir()) / f"dugout-{os.getuid()}"
    folder.mkdir(0o700, exist_ok=True)
    return str(folder)


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
        case FileNotFoundError() | PermissionError() if FIFO in str(error.filename):
            return f"lgpio cannot make its FIFO: remove {os.environ.get('LG_WD')}/{FIFO}*, which another user left."
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
