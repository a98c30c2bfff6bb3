"""Settings: every fault named with its line and reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from device.settings import Settings, SettingsError, load, parse

GOOD = """\
data = "/var/lib/dugout"

[game]
key = "small-ball"
house = { bankWithZero = "refuse" }

[camera]
source = 0
show = 0.5

[display]
driver = "sh1106"
address = 0x3D

[buttons.pins]
away-ok = 4

[web]
port = 80
"""


def test_an_empty_file_is_a_good_one() -> None:
    """Every setting has a default."""
    assert parse("", "dugout.toml") == Settings()


def test_a_full_file_is_read() -> None:
    """Values of each section arrive where they belong."""
    settings = parse(GOOD, "dugout.toml")
    assert settings.data == Path("/var/lib/dugout")
    assert settings.game.house == {"bankWithZero": "refuse"}
    assert (settings.camera.source, settings.camera.show) == (0, 0.5)
    assert (settings.display.driver, settings.display.address) == ("sh1106", 0x3D)
    assert settings.web.port == 80


def test_one_button_can_be_moved_alone() -> None:
    """Pins that are not named keep their default."""
    pins = parse(GOOD, "dugout.toml").buttons.pins
    assert pins["away-ok"] == 4
    assert set(pins) == set(Settings().buttons.pins)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[web]\nport = 0\n", ["dugout.toml, line 2, web.port", "greater than or equal to 1"]),
        ("\n\n[display]\ndriver = 'vfd'\n", ["line 4, display.driver", "'ssd1306'"]),
        ("[web]\nprot = 80\n", ["line 2, web.prot", "not permitted"]),
        ("[wbe]\nport = 80\n", ["line 1, wbe", "not permitted"]),
        ("[web]\nport = '80'\n", ["line 2, web.port", "integer"]),
        ("[buttons.pins]\nundo = 'five'\n", ["line 2, buttons.pins.undo", "integer"]),
        ("[buttons.pins]\nred = 5\n", ["buttons.pins", "red", "away-previous"]),
        ("[buttons.pins]\nundo = 17\n", ["buttons.pins", "17", "away-previous", "undo"]),
        ("[web\nport = 80\n", ["dugout.toml", "line 1"]),
    ],
)
def test_a_fault_names_its_line_and_reason(text: str, words: list[str]) -> None:
    """File, line, key and reason stand in the message."""
    with pytest.raises(SettingsError) as caught:
        parse(text, "dugout.toml")
    for word in words:
        assert word in str(caught.value)


def test_all_faults_are_told_at_once() -> None:
    """Nobody mends one line to be told of the next."""
    with pytest.raises(SettingsError) as caught:
        parse("[web]\nport = 0\n[camera]\nshow = -3\n", "dugout.toml")
    assert len(str(caught.value).splitlines()) == 2


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    """A wrong path is a sentence."""
    with pytest.raises(SettingsError, match=r"none\.toml: cannot be read"):
        load(tmp_path / "none.toml")


def test_the_environment_can_name_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A service sets DUGOUT_SETTINGS instead of an option."""
    (tmp_path / "dugout.toml").write_text(GOOD)
    monkeypatch.setenv("DUGOUT_SETTINGS", str(tmp_path / "dugout.toml"))
    assert load(None).web.port == 80


def test_the_manual_shows_the_defaults() -> None:
    """The file in docs/settings.md is a good one, and says what holds when there is none."""
    text = (Path(__file__).parents[2] / "docs" / "settings.md").read_text("utf-8")
    assert parse(text.split("```toml\n")[1].split("```")[0], "settings.md") == Settings()
