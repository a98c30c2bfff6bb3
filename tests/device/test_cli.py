"""The `dugout` command line: its version, its help, and one module for each command."""

from __future__ import annotations

import argparse
import subprocess
import sys
from importlib import import_module, metadata
from pathlib import Path

import pytest

from device.cli import COMMAND_MODULES, main


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    """`dugout --version` prints the installed version."""
    with pytest.raises(SystemExit) as stop:
        main(["--version"])
    assert (0, f"dugout {metadata.version('dugout')}\n") == (stop.value.code, capsys.readouterr().out)


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    """`dugout --help` names each command once, in order."""
    with pytest.raises(SystemExit):
        main(["--help"])
    first = [line.split()[0] for line in capsys.readouterr().out.splitlines() if line.startswith("    ")]
    assert list(COMMAND_MODULES) == [word for word in first if word in COMMAND_MODULES]


@pytest.mark.parametrize("command", COMMAND_MODULES)
def test_each_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """`dugout COMMAND --help` describes the command and each of its options."""
    with pytest.raises(SystemExit) as stop:
        main([command, "--help"])
    text = capsys.readouterr().out
    assert 0 == stop.value.code
    assert f"usage: dugout {command}" in text
    commands = argparse.ArgumentParser().add_subparsers()
    import_module(f"device.commands.{COMMAND_MODULES[command]}").add_parser(commands)
    options = commands.choices[command]
    assert options.description is not None
    assert options.description.endswith(".")
    assert all(action.help for action in options._actions)


def test_a_command_loads_only_its_own_module() -> None:
    """The others are not imported, so that each command starts quickly on a small Pi."""
    code = "import sys; from device.cli import build_parser; build_parser('code')\n"
    code += "print(*(name for name in sys.modules if name.startswith('device.commands.')))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    parts = "arguments", "code", "privileges", "target"
    assert [f"device.commands.{name}" for name in parts] == sorted(loaded.stdout.split())


def test_every_command_is_listed() -> None:
    """Each file of `device/commands` that adds a command is in the list."""
    folder = Path(__file__).parents[2] / "device" / "commands"
    files = {path.stem for path in folder.glob("*.py") if "\ndef add_parser(" in path.read_text("utf-8")}
    assert files == set(COMMAND_MODULES.values())
