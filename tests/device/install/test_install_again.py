"""The set-up run again: what went wrong the first time, what is there already, and what takes its time."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from device.install import trial
from device.install.host import Host
from device.install.versions import VERSIONS_FOLDER, Versions
from tests.device.install.sd_card import Card, hotspot, typing

pytestmark = pytest.mark.slow

BEFORE = "var/lib/dugout/before-update.zip"


def full(card: Card) -> None:
    """Make the card look full."""
    with (card.folder / "site/sitecustomize.py").open("a") as file:
        file.write("import shutil\nshutil.disk_usage = lambda path: shutil._ntuple_diskusage(1, 1, 0)\n")


def half(card: Card, name: str) -> Path:
    """Leave a version on it that was begun and cut off."""
    folder = card.root / VERSIONS_FOLDER[1:] / name
    folder.mkdir(parents=True)
    return folder


# The hotspot -----------------------------------------------------------------------------------------------------


def test_the_hotspot_changes_where_somebody_types_another(table: Card) -> None:
    """One too short is asked for again; Ctrl-D and Enter leave it."""
    assert table.run("--yes", "--hotspot").returncode == 0
    before = hotspot(table)
    for keys in (b"\n\n", b"\x04\x04"):
        with typing(keys) as terminal:
            assert table.run("--hotspot", stdin=terminal).returncode == 0
        assert before == hotspot(table)
    with typing(b"Ball Park\nshort\nlong enough\n") as terminal:
        done = table.run("--hotspot", stdin=terminal)
    assert ("Ball Park", "long enough") == hotspot(table)
    assert "Ball Park, password long enough" in done.stdout
    assert not [call for call in table.calls() if "delete" in call]


def test_a_hotspot_that_cannot_be_had_takes_none_away(table: Card) -> None:
    """Name and password are printed before the attempt, and that the Pi needs a restart."""
    assert table.run("--yes", "--hotspot").returncode == 0
    before = hotspot(table)
    table.tell("fails", "nmcli connection *")
    with typing(b"Other\n\n") as terminal:
        done = table.run("--hotspot", stdin=terminal)
    assert (1, before) == (done.returncode, hotspot(table))
    assert "Other, password " in done.stdout


@pytest.mark.parametrize("fails", ["nmcli general *", "nmcli connection add*"])
def test_without_its_hotspot_a_pi_is_to_start_again_all_the_same(card: Card, fails: str) -> None:
    """The installer still says to restart for what was enabled."""
    card.tell("fails", fails)
    done = card.run("--yes", "--hotspot")
    assert (1, True) == (done.returncode, "sudo reboot" in done.stdout)


# Room, and what the power may take -------------------------------------------------------------------------------


def test_a_full_card_names_what_takes_its_room(table: Card) -> None:
    old = table.plays
    full(table)
    done = table.run("--yes")
    assert 1 == done.returncode
    assert re.search(r"Only 0 MiB of the disk are free, and 1200 are needed: free up space", done.stderr)
    assert re.search(rf"^ +\d+  \S+/versions/{old}$", done.stderr, re.M)
    assert re.search(r"^ +\d+  \S+/var/lib/dugout$", done.stderr, re.M)
    assert old == table.plays


def test_a_full_card_can_go_back(table: Card) -> None:
    """To a version that is there already, and it can run the one that is played again."""
    old = table.plays
    assert table.run("--yes").returncode == 0
    new = table.plays
    full(table)
    assert (0, new) == (table.run("--yes").returncode, table.plays)
    readme = table.project / "README.md"
    readme.write_text(readme.read_text().removesuffix("Newer.\n"))
    assert (0, old) == (table.run("--yes").returncode, table.plays)


def test_what_was_begun_and_cut_off_makes_room_first(table: Card) -> None:
    """Nothing that a unit starts is taken away."""
    begun = half(table, "begun")
    full(table)
    assert table.run("--yes").returncode == 1
    assert not begun.exists()
    names = [half(table, name).name for name in ("begun", "started")]
    versions = Versions(Host(table.root))
    (table.root / "run/systemd/system/dugout.service").write_text(
        f"ExecStart={VERSIONS_FOLDER}/started/.venv/bin/dugout run"
    )
    versions.delete_incomplete(trial.named_versions(Host(table.root)))
    assert [False, True] == [versions.version_folder(name).exists() for name in names]


# A try -----------------------------------------------------------------------------------------------------------


def test_the_games_from_before_the_first_try_stay(table: Card) -> None:
    """The second try of the same version does not overwrite them; that of another version does."""
    before = table.root / BEFORE
    table.newer("safe")
    done = table.run("--yes")
    line = f"sudo -u dugout dugout restore /{BEFORE} --data /var/lib/dugout --settings /etc/dugout.toml"
    assert line in done.stderr
    before.write_text("the games")
    assert line in table.run("--yes").stderr
    assert "the games" == before.read_text()
    table.newer("well")
    assert table.run("--yes").returncode == 0
    assert table.plays in before.read_text()


def test_the_games_are_kept_anew_when_it_is_updated_again(table: Card) -> None:
    """After it was gone back from: what was played since belongs to them. A try that succeeds after one that did not
    leaves them."""
    table.tell("fails", "timeout *")
    assert table.run("--yes").returncode == 1
    table.tell("fails")
    before = table.root / BEFORE
    before.write_text("the games")
    assert table.run("--yes").returncode == 0
    assert "the games" == before.read_text()
    new = table.plays
    readme = table.project / "README.md"
    told = readme.read_text()
    for text in (told.removesuffix("Newer.\n"), told):
        readme.write_text(text)
        assert table.run("--yes").returncode == 0
        assert table.plays in before.read_text()
    assert new == table.plays
