"""The machine as the set-up sees it: its files below a root, its commands by name, and the person at its terminal."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

KEPT = 12
"""Lines of a command's words that are shown when it fails."""


class SetupError(RuntimeError):
    """It cannot be done; the text says why, what to do, and what stands now."""


class Host:
    """`root` is `/`, or a folder that stands for it. `yes`: every question is answered with yes and none is asked."""

    def __init__(self, root: Path = Path("/"), yes: bool = False) -> None:
        self.root, self.yes = root.resolve(), yes

    def path(self, name: str) -> Path:
        """Where a file of this absolute name lies."""
        return self.root / name.lstrip("/")

    def has(self, command: str) -> bool:
        """Whether there is such a command."""
        return shutil.which(command) is not None

    def does(self, *command: str) -> bool:
        """Run a command, unseen; whether it went well. One that is not there did not."""
        return self.tells(*command) is not None

    def tells(self, *command: str) -> str | None:
        """What a command prints; None where it fails or is not there."""
        try:
            done = subprocess.run(
                command, cwd=self.root, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
            )
        except OSError:
            return None
        return done.stdout if done.returncode == 0 else None

    def must(self, *command: str, sorry: str, heard: Callable[[str], None] = lambda line: None, **more: str) -> None:
        """Run a command with `more` in its environment, each line of its words `heard`. Raises SetupError, with its
        last words and `sorry`, where it fails."""
        lines: list[str] = []
        try:
            with subprocess.Popen(
                command,
                cwd=self.root,
                env={**os.environ, **more},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            ) as running:
                assert running.stdout is not None
                for line in running.stdout:
                    lines.append(line.rstrip())
                    heard(line.rstrip())
            status = running.returncode
        except OSError as error:
            lines, status = [str(error)], 1
        if status:
            told = [line for line in lines if line.startswith("ERROR")] or lines[-KEPT:]
            raise SetupError("\n".join((*told, sorry)))

    def say(self, words: str) -> None:
        """Tell the person."""
        print(words, flush=True)

    def agrees(self, question: str) -> bool:
        """Whether the person says yes. Where nobody can be asked nobody does."""
        if self.yes:
            return True
        while (answer := self.asks(f"{question} [y/n] ")) is not None:
            if answer.lower() in ("y", "yes", "n", "no"):
                return answer[0] in "yY"
        return False

    def asks(self, question: str) -> str | None:
        """What the person types; None where nobody can be asked, or whoever is ends it with Ctrl-D."""
        if self.yes or not sys.stdin.isatty():
            return None
        try:
            return input(question).strip()
        except EOFError:
            self.say("")
            return None
