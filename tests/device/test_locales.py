"""Every command prints in every locale, and reads and writes its files as UTF-8."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from device.cli import SafeTextStream
from device.storage.store import Store
from device.table.session import GameSession
from tests.device.process import COLD, SETTINGS
from tests.device.stored_games import table

NAME = "Łódź “Ω” 東京"


@pytest.mark.parametrize(
    ("encoding", "shown"),
    [
        ("utf-8", f"✓ I²C → {NAME} … 3×"),
        ("iso8859-1", '+ I²C -> Lódz "?" ?? ... 3×'),
        ("koi8-r", '+ I²C -> Lodz "?" ?? ... 3x'),
        ("ascii", '+ I2C -> Lodz "?" ?? ... 3x'),
    ],
)
def test_what_a_terminal_cannot_show_is_spelled_otherwise(encoding: str, shown: str) -> None:
    written = io.BytesIO()
    stream = io.TextIOWrapper(written, encoding)
    print(f"✓ I²C → {NAME} … 3×", end="", file=SafeTextStream(stream), flush=True)
    assert shown == written.getvalue().decode(encoding)


@pytest.fixture(scope="module")
def locales(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a locale in Latin-1, as a Pi may have."""
    folder = tmp_path_factory.mktemp("locales")
    command = ["localedef", "-i", "en_GB", "-f", "ISO-8859-1", str(folder / "en_GB")]
    if shutil.which("localedef") is None or subprocess.run(command, capture_output=True, check=False).returncode > 1:
        pytest.skip("There can be no locale of our own here (Debian's package locales makes one).")
    return folder


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder with a game whose name few charsets have, and settings without parts."""
    folder = tmp_path / "Würfel"
    folder.mkdir()
    store = Store(folder / "journal.db")
    GameSession(store, table)
    store.rename_game(1, NAME)
    store.close()
    (folder / "dugout.toml").write_text(f"# {NAME}\n{SETTINGS.format(show=1, port=8123)}", "utf-8")
    return folder


@pytest.mark.parametrize(
    ("variables", "charset"),
    [
        ({"LC_ALL": "en_GB"}, "iso8859-1"),
        ({"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, "ascii"),
        ({"LC_ALL": "xx_YY.broken"}, "utf-8"),
    ],
)
def test_every_locale_is_served(locales: Path, data: Path, variables: dict[str, str], charset: str) -> None:
    """Into a file, as a report is saved: the list of games, the doctor and its bundle, a picture, and the protocol."""
    outside = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG", "PYTHON"))}
    env = {**outside, "LOCPATH": str(locales), "DUGOUT_SETTINGS": str(data / "dugout.toml"), **variables}

    def dugout(*words: str) -> tuple[int, str]:
        command = [sys.executable, "-c", COLD, *words]
        done = subprocess.run(command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, timeout=300)
        return done.returncode, done.stdout.decode("utf-8" if words[0] == "engine" else charset)

    status, text = dugout("games", "--data", str(data))
    assert (0, True) == (status, f"1    {_shown(NAME, charset)}" in text)
    status, text = dugout("doctor", "--bundle", str(data / "bundle.zip"), "--data", str(data))
    assert (True, True) == (status in (0, 1), f"{_shown('✓ ok', charset)}    settings " in text)
    with zipfile.ZipFile(data / "bundle.zip") as bundle:
        assert "✓ ok" in bundle.read("doctor.txt").decode()
    status, text = dugout("engine", "--autoplay", "1")
    assert (0, True) == (status, all(json.loads(line) for line in text.splitlines()))


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_the_installer_prints_to_every_terminal(stream: str) -> None:
    """It has no library of ours, and shows `?`."""
    code = "import sys; from device.install.host import replace_unknown_characters as replace; replace(); "
    code += f"print('I²C', file=sys.{stream})"
    env = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, check=True)
    assert b"I?C\n" == getattr(done, stream)


def _shown(words: str, charset: str) -> str:
    stream = io.TextIOWrapper(written := io.BytesIO(), charset)
    print(words, end="", file=SafeTextStream(stream), flush=True)
    return written.getvalue().decode(charset)
