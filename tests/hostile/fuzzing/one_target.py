"""Fuzz one target with Atheris: `python -m tests.hostile.fuzzing.one_target TARGET`, then libFuzzer's options."""

from __future__ import annotations

import logging
import sys

import atheris  # type: ignore


def main() -> None:
    """Never returns: libFuzzer ends the process."""
    name = sys.argv.pop(1)
    logging.disable()
    with atheris.instrument_imports(include=["engine", "device", "web"]):
        from tests.hostile.fuzzing.targets import TARGETS
    atheris.Setup(sys.argv, TARGETS[name])
    atheris.Fuzz()


if __name__ == "__main__":
    main()
