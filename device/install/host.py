"""Machine interface of the installer: files below a root, commands, and the person at the terminal."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

MAX_SHOWN_LINES = 12  # maximum lines of output shown when a command fails


class SetupError(RuntimeError):
    """The installation cannot continue. The message says why, what to do, and the state of the machine."""


def replace_unknown_characters() -> None:
    """Let a terminal whose encoding lacks a character show `?` in its place, and read what it sends anyway."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


class Host:
    """A machine. `root` is `/` or a folder in its place. `yes` answers every question with yes."""

    def __init__(self, root: Path = Path("/"), yes: bool = False) -> None:
        self.root, self.yes = Path(os.path.realpath(root)), yes

    def path_below_root(self, name: str) -> Path:
        """Path of this absolute name below the root."""
        return self.root / name.lstrip("/")

    def has_command(self, command: str) -> bool:
        return shutil.which(command) is not None

    def run_quietly(self, *command: str) -> bool:
        """Run a command without showing its output. Return True if it exists and succeeds."""
        return self.command_output(*command) is not None

    def command_output(self, *command: str) -> str | None:
        """Run a command and return its output. None if it fails or does not exist."""
        silent = subprocess.DEVNULL
        try:
            return subprocess.check_output(
                command, cwd=self.root, stdin=silent, stderr=silent, encoding="utf-8", errors="replace"
            )
        except (OSError, subprocess.CalledProcessError):
            return None

    def run_or_fail(
        self,
        *command: str,
        sorry: str,
        heard: Callable[[str], None] = lambda line: None,
        given: str = "",
        **more: str,
    ) -> None:
        """Run a command with `more` in its environment, and call `heard` with each line of its output.

        `given` is its standard input, for secrets, because anyone may read a command's arguments. Raises SetupError
        with the end of the output and `sorry` if it fails.
        """
        lines: list[str] = []
        try:
            with subprocess.Popen(
                command,
                cwd=self.root,
                env={**os.environ, **more},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                encoding="utf-8",
                errors="replace",
            ) as running:
                assert running.stdin is not None
                assert running.stdout is not None
                with suppress(BrokenPipeError), running.stdin:
                    running.stdin.write(given)
                for line in running.stdout:
                    lines.append(line.rstrip())
                    heard(line.rstrip())
            status = running.returncode
        except OSError as error:
            lines, status = [str(error)], 1
        if status:
            shown = [line for line in lines if line.startswith("ERROR")] or lines[-MAX_SHOWN_LINES:]
            raise SetupError("\n".join((*shown, sorry)))

    def print_text(self, words: str) -> None:
        print(words, flush=True)

    def ask_yes_no(self, question: str) -> bool:
        """Ask a yes-or-no question. Return False without a terminal."""
        if self.yes:
            return True
        while (answer := self.ask_person(f"{question} [y/n] ")) is not None:
            if answer.lower() in ("y", "yes", "n", "no"):
                return answer[0] in "yY"
        return False

    def ask_person(self, question: str) -> str | None:
        """Ask for a line of text. None without a terminal or after Ctrl-D."""
        if self.yes or not sys.stdin.isatty():
            return None
        try:
            return input(question).strip()
        except EOFError:
            self.print_text("")
            return None
