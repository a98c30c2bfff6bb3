"""Settings: every error has its line and reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from device.settings import Settings, SettingsError, load_settings, parse_settings

GOOD = """\
data = "/var/lib/dugout"

[game]
key = "small-ball"
house = { bankWithZero = "refuse" }

[camera]
source = 0
show = 0.5

[board]
camera = "tray"

[display]
driver = "sh1106"
address = 0x3D

[buttons.pins]
away-ok = 4

[web]
port = 80
"""


def test_an_empty_file_is_valid() -> None:
    """Every setting has a default."""
    assert parse_settings("", "dugout.toml") == Settings()


def test_a_full_file_is_read() -> None:
    """Each section's values reach their objects."""
    settings = parse_settings(GOOD, "dugout.toml")
    assert settings.data == Path("/var/lib/dugout")
    assert settings.game.house == {"bankWithZero": "refuse"}
    assert (settings.camera.source, settings.camera.show) == (0, 0.5)
    assert settings.board.camera == "tray"
    assert (settings.display.driver, settings.display.address) == ("sh1106", 0x3D)
    assert settings.web.port == 80


def test_one_button_can_be_moved_alone() -> None:
    """Other pins keep their defaults."""
    pins = parse_settings(GOOD, "dugout.toml").buttons.pins
    assert pins["away-ok"] == 4
    assert set(pins) == set(Settings().buttons.pins)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[web]\nport = 0\n", "my.toml, line 2, web.port: must be 1 or more, not 0."),
        ("[web]\n\nport = 70000\n", "my.toml, line 3, web.port: must be 65535 or less, not 70000."),
        ("[web]\nport = '80'\n", "my.toml, line 2, web.port: must be a whole number, not '80'."),
        ("[web]\nport = 80.5\n", "my.toml, line 2, web.port: must be a whole number, not 80.5."),
        ("[web]\nname = 3\n", "my.toml, line 2, web.name: must be words in quotes, not 3."),
        ("web = 3\n", "my.toml, line 1, web: must be a section of its own, not 3."),
        (
            "[web]\nprot = 80\n",
            "my.toml, line 2, web.prot: there is no such setting; "
            "choose from host, port, name, names, proxies, remember.",
        ),
        (
            "data = 'x'\n[wbe]\nport = 80\n",
            "my.toml, line 2, wbe: there is no such setting; choose from poweroff, data, game, camera, board, display, "
            "buttons, remote, lights, buzzer, announcer, analysis, web.",
        ),
        ("data = 3\n", "my.toml, line 1, data: must be a folder in quotes, not 3."),
        ("poweroff = 'no'\n", "my.toml, line 1, poweroff: must be true or false, not 'no'."),
        ("[game]\ndecks = 'my.toml'\n", "my.toml, line 2, game.decks: must be a list in brackets, not 'my.toml'."),
        ("[game]\nhouse = 3\n", "my.toml, line 2, game.house: must be names and values in braces, not 3."),
        (
            "[camera]\nsource = 1.5\n",
            "my.toml, line 2, camera.source: must be words in quotes or a camera's number, not 1.5.",
        ),
        (
            "[board]\ncamera = ''\n",
            "my.toml, line 2, board.camera: must be words in quotes or a camera's number, not ''.",
        ),
        ("[camera]\nshow = 'x'\n", "my.toml, line 2, camera.show: must be a number, not 'x'."),
        (
            "\n\n[display]\ndriver = 'vfd'\n",
            "my.toml, line 4, display.driver: must be 'ssd1306', 'sh1106', 'ssd1309', 'ssd1305', 'sh1107' or 'none', "
            "not 'vfd'.",
        ),
        (
            "[display]\ndriver = 'sh1107'\nheight = 32\n",
            "my.toml, line 3, display.height: must be 64 with driver sh1107, not 32.",
        ),
        (
            "[buttons]\nfactory = 'mock'\n",
            "my.toml, line 2, buttons.factory: must be 'lgpio' or 'none', not 'mock'.",
        ),
        (
            "[buttons.pins]\nundo = 'five'\n",
            "my.toml, line 2, buttons.pins.undo: must be a whole number, not 'five'.",
        ),
        (
            "[buttons.pins]\nred = 5\n",
            "my.toml, line 1, buttons.pins: no button is called red; choose from away-previous, away-next, away-ok, "
            "home-previous, home-next, home-ok, undo.",
        ),
        (
            "[buttons.pins]\nundo = 17\n",
            "my.toml, line 2, buttons.pins.undo: undo and away-previous share GPIO17; each needs its own.",
        ),
        (
            "[buttons.pins]\nundo = 99\n",
            "my.toml, line 2, buttons.pins.undo: must be 27 or less, not 99.",
        ),
        (
            "[buttons.pins]\nundo = 1\n",
            "my.toml, line 2, buttons.pins.undo: must be 2 or more, not 1.",
        ),
        (
            "[display]\nwires = 'spi'\ndc = 17\n",
            "my.toml, line 3, display.dc: away-previous and display D/C share GPIO17; each needs its own.",
        ),
        (
            "[display]\nwires = 'spi'\ndc = 17\n[buttons.pins]\nundo = 20\n",
            "my.toml, line 3, display.dc: away-previous and display D/C share GPIO17; each needs its own.",
        ),
        (
            "[display]\nwires = 'spi'\ndc = 20\nreset = 20\n",
            "my.toml, line 4, display.reset: display RES and display D/C share GPIO20; each needs its own.",
        ),
        (
            "[display]\nreset = 10\nwires = 'spi'\n[buttons]\n",
            "my.toml, line 3, display.wires: display RES and display D1 share GPIO10; each needs its own.",
        ),
        (
            "[web\nport = 80\n",
            "my.toml: not valid TOML: Expected ']' at the end of a table declaration (at line 1, column 5).",
        ),
    ],
)
def test_an_error_has_its_line_and_reason(text: str, words: str) -> None:
    """The message has file, line, key and reason, in plain words."""
    with pytest.raises(SettingsError) as caught:
        parse_settings(text, "my.toml")
    assert str(caught.value) == words


@pytest.mark.parametrize("value", ["1.5", "-7", "''", "true", "[1]", "{ a = 1 }", "07:32:00", "nan"])
def test_no_error_shows_pydantics_words(value: str) -> None:
    """Checked for any value of any setting."""
    told: list[str] = []
    for name, field in Settings.model_fields.items():
        keys = getattr(field.annotation, "model_fields", None)
        for text in [f"{name} = {value}"] if keys is None else [f"[{name}]\n{key} = {value}" for key in keys]:
            try:
                parse_settings(text, "my.toml")
            except SettingsError as error:
                told.append(str(error))
    assert len(told) > 10
    assert not [words for words in told if "Input" in words or "Value" in words]


def test_all_errors_are_reported_at_once() -> None:
    with pytest.raises(SettingsError) as caught:
        parse_settings("[web]\nport = 0\n[camera]\nshow = -3\n", "dugout.toml")
    assert len(str(caught.value).splitlines()) == 2


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"none\.toml: cannot read it"):
        load_settings(tmp_path / "none.toml")


def test_a_byte_order_mark_is_ignored(tmp_path: Path) -> None:
    """Some editors write one and do not show it."""
    (tmp_path / "my.toml").write_text(GOOD, "utf-8-sig")
    assert load_settings(tmp_path / "my.toml").web.port == 80


def test_the_environment_can_name_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A service sets DUGOUT_SETTINGS instead of passing an option."""
    (tmp_path / "dugout.toml").write_text(GOOD)
    monkeypatch.setenv("DUGOUT_SETTINGS", str(tmp_path / "dugout.toml"))
    assert load_settings(None).web.port == 80


def test_the_manual_shows_the_defaults() -> None:
    """The file in docs/build/settings.md is valid and has the default of every setting."""
    text = (Path(__file__).parents[2] / "docs/build/settings.md").read_text("utf-8")
    assert parse_settings(text.split("```toml\n")[1].split("```")[0], "settings.md") == Settings()
