"""Odd paths and numbers after every option of every command: one sentence and status 2, for root and for a user."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from device import cli
from device.commands import arguments
from device.display import lettering
from device.storage.store import Store
from tests.device.process import SETTINGS, free_port
from tests.device.storage import recorded_writer
from tests.hostile.attack import dugout, refused
from tests.hostile.odd.odd_text import NO_NUMBERS, ODD

USER = 65533
"""A user without an account and without a home folder."""

PATHS = (arguments.path_argument, arguments.path_text)
"""The types of options that take a path."""

TEXTS = {"--game", "--name", "--repair", "--die", "--kind", "--rule", "--title", "key"}
"""Options whose command itself says what is wrong with their text."""

LONGEST = 700
"""Characters of a line that says why."""

REPORTS = {("doctor", "--settings"), ("doctor", "--data")}
"""Options whose value the command reports on, among much else, instead of refusing it."""

BAD_PATHS: dict[str, Callable[[Path], str]] = {
    "nothing": lambda around: "",
    "a name of 300 letters": lambda around: str(around / ("a" * 300)),
    "a path of 6000 letters": lambda around: str(around) + "/a" * 3000,
    "links in a circle": lambda around: str(around / "circle" / "x"),
    "below a link to nothing": lambda around: str(around / "dangling" / "x"),
    "below a file": lambda around: str(around / "file" / "x"),
    "below a file, not UTF-8": lambda around: str(around / "file" / "\udcff"),
    "no home folder": lambda around: "~nobody-such/a/b",
    "a line feed": lambda around: str(around / "a\nb"),
    "NUL": lambda around: str(around / "a\0b"),
}


@pytest.fixture(scope="module")
def around() -> Iterator[Path]:
    """A folder that everybody may enter, with a table, a file and links."""
    with tempfile.TemporaryDirectory() as name:
        found = Path(name)
        found.chmod(0o755)
        (found / "file").write_text("x\n")
        (found / "circle").symlink_to("circle")
        (found / "dangling").symlink_to("nothing/there")
        (found / "locked" / "in").mkdir(parents=True)
        (found / "locked").chmod(0)
        (found / "quiet.toml").write_text(SETTINGS.format(port=free_port(), show=1))
        with closing(Store(found / "data" / "journal.db")) as store:
            store.begin_game(recorded_writer.table())
        yield found
        (found / "locked").chmod(0o700)


@pytest.fixture(params=["as root", "as a user"])
def user(request: pytest.FixtureRequest, around: Path) -> int | None:
    """The user who runs the commands; None for the one who runs the tests."""
    if os.geteuid() != 0:
        if request.param == "as root":
            pytest.skip("Only root can be root.")
        return None
    number = 0 if request.param == "as root" else USER
    for one in (around, *around.rglob("*")):
        os.chown(one, number, number, follow_symlinks=False)
    return number or None


def subparsers(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    return {
        name: found
        for one in parser._actions
        if isinstance(one, argparse._SubParsersAction)
        for name, found in one.choices.items()
    }


def subparser(command: str) -> argparse.ArgumentParser:
    """Return the parser of a command, or of one action of it, such as "league show"."""
    found = cli.build_parser(command.split()[0])
    for word in command.split():
        found = subparsers(found)[word]
    return found


COMMANDS = [
    " ".join((command, *action))
    for command in cli.COMMAND_MODULES
    for action in [[name] for name in subparsers(subparser(command))] or [[]]
]
"""Every command, or if it has actions, each of them."""


def options(command: str) -> list[argparse.Action]:
    """Return what a command can be given that takes a value."""
    return [one for one in subparser(command)._actions if one.nargs != 0]


def name(option: argparse.Action) -> str:
    return option.option_strings[-1] if option.option_strings else option.dest


def words(command: str, odd: argparse.Action, text: str, around: Path) -> list[str]:
    """Return the words of a command in which one value is odd, and nothing of this machine's own table is used."""
    table = {"--settings": around / "quiet.toml", "--data": around / "data"}
    said, last = command.split(), list[str]()
    for option in options(command):
        is_odd = name(option) == name(odd)
        if not option.option_strings:
            last.append(text if is_odd else str(around / "file"))
        elif is_odd and isinstance(option.nargs, int):
            said += [name(option), *[text] * option.nargs]
        elif option.required and not is_odd:
            said.append(f"{name(option)}=x")
        elif is_odd or (name(option) in table and (name(option), name(odd)) != ("--data", "--settings")):
            said.append(f"{name(option)}={text if is_odd else table[name(option)]}")
    return [*said, "--", *last]


def problems(command: str, option: argparse.Action, text: str, user: int | None, around: Path) -> str:
    """Return what is wrong with how a command ends for an odd value, "" if it is refused as it should be."""
    env = {"HOME": str(around), "COLUMNS": "100", "DUGOUT_SETTINGS": ""}
    try:
        ended = dugout(*words(command, option, text, around), env=env, folder=str(around), user=user)
    except AssertionError as error:
        return str(error)
    status, said = ended.status, ended.out + ended.err
    if "[Errno" in said:
        return said[-300:]
    if (command, name(option)) in REPORTS and text:
        return "" if status in (0, 1, 2) else f"status {status}: {said[-300:]}"
    lines = said.strip().splitlines() or [""]
    if (
        status != 2
        or len(lines[-1]) > LONGEST
        or not (lines[-1].startswith(("dugout", "{")) or lines[-1].endswith("."))
    ):
        return f"status {status}: {said[-300:]}"
    return ""


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.slow
def test_every_option_that_takes_a_path(command: str, user: int | None, around: Path) -> None:
    """A new command and a new option are tried by themselves."""
    odd = {about: make(around) for about, make in BAD_PATHS.items()}
    if user is not None:
        odd["a folder of others"] = str(around / "locked" / "in" / "x")
        os.chown(around / "locked", 0, 0)
    found = {
        (name(option), about): said
        for option in options(command)
        if option.type in PATHS
        for about, text in odd.items()
        if about != "no home folder" or name(option) == "--data"  # elsewhere "~" is for the shell
        if (said := problems(command, option, text, user, around))
    }
    assert {} == found


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.slow
def test_every_option_that_takes_anything_else(command: str, around: Path) -> None:
    """Digits of other scripts are no number; neither is anything that only `int` or `float` reads."""
    odd = [*NO_NUMBERS, "underscores", "spaces", "a plus", "half a letter", "two lines", "10,000 letters"]
    found = {
        (name(option), about): said
        for option in options(command)
        if option.type not in PATHS
        for about in odd
        if (said := problems(command, option, ODD[about], None, around))
    }
    assert {} == found


def test_every_option_has_a_type() -> None:
    """A path is checked by `arguments.path_argument`, a number by `arguments.number_between`, and so on."""
    untyped = {
        name(option)
        for command in COMMANDS
        for option in options(command)
        if option.type in (None, int, float, Path) and option.choices is None
    }
    assert TEXTS == untyped


@pytest.mark.slow
def test_a_long_path_in_a_real_process(tmp_path: Path) -> None:
    """In the settings, in the environment and after an option; the path is shortened."""
    long = tmp_path / ("a" * 300)
    (tmp_path / "s.toml").write_text(f'data = "{long}"\n')
    for said in (refused("code", "--data", long), refused("games", "--settings", tmp_path / "s.toml")):
        assert said.endswith(": File name too long.")
        assert "…" in said
        assert len(said) < 300
    ended = dugout("wiring", env={"DUGOUT_SETTINGS": str(long)})
    assert (2, 1) == (ended.status, len(ended.err.splitlines()))


@pytest.mark.slow
def test_a_picture_whose_name_is_not_utf8(tmp_path: Path) -> None:
    """OpenCV would end the whole program."""
    odd = tmp_path / os.fsdecode(b"a\xff.mp4")
    odd.write_bytes(b"anything")
    assert refused("read", odd).endswith("is not UTF-8: rename it.")
    odd.rename(tmp_path / os.fsdecode(b"a\xff"))
    assert refused("read", tmp_path / os.fsdecode(b"a\xff")).endswith("is not UTF-8: rename it.")


@pytest.mark.slow
def test_a_terminal_that_has_few_letters(around: Path) -> None:
    """What it lacks is shown as question marks."""
    ended = dugout("games", "--data", around / "data", env={"PYTHONIOENCODING": "ascii"})
    assert 0 == ended.status
    assert "No.  Name" in ended.out


@pytest.mark.slow
def test_an_output_that_is_full(tmp_path: Path) -> None:
    """It is noticed before the end, where Python would print a traceback."""
    code = "from device.cli import main; raise SystemExit(main(['wiring']))"
    with open("/dev/full", "w") as full:
        done = subprocess.run([sys.executable, "-c", code], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (2, "dugout: No space left on device.\n") == (done.returncode, done.stderr)


def test_a_long_word_on_the_display(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sentence about a long path is soon broken into lines."""
    measured: list[str] = []
    real = lettering.text_width

    def width(words: str, font: lettering.Font = "plain") -> int:
        measured.append(words)
        return real(words, font)

    monkeypatch.setattr(lettering, "text_width", width)
    assert 5 == len(lettering.wrapped_lines("a" * 3000, 120, 5))
    assert len(measured) < 1000
