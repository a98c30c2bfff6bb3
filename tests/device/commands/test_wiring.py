"""`dugout wiring`: the table and the manual follow the settings."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.cli import main
from device.commands import wiring
from device.settings import Settings, parse_settings

EVERY = '[display]\nwires = "spi"\nchip = 1\n[lights]\naway = 16\nhome = 26\n[buzzer]\npin = 12\n'
ROOT = Path(__file__).resolve().parents[3]


def wires(source: str) -> dict[str, list[tuple[str, int | None, str]]]:
    found = wiring.wired_components(parse_settings(source, "my.toml"))
    return {part.name: [(wire.terminal, wire.pin, wire.pin_name) for wire in part.wires] for part in found}


def test_the_usual_table() -> None:
    """As the Raspberry Pi documentation numbers the header."""
    assert wires("") == {
        "display": [("VCC", 1, "3.3 V"), ("SDA", 3, "GPIO2"), ("SCL", 5, "GPIO3"), ("GND", 6, "ground")],
        "away buttons": [
            *(("previous", 11, "GPIO17"), ("next", 13, "GPIO27"), ("OK", 15, "GPIO22"), ("ground", 14, "ground")),
        ],
        "home buttons": [
            *(("previous", 16, "GPIO23"), ("next", 18, "GPIO24"), ("OK", 22, "GPIO25"), ("ground", 20, "ground")),
        ],
        "undo button": [("undo", 29, "GPIO5"), ("ground", 30, "ground")],
    }


def test_with_everything() -> None:
    found = wires(EVERY)
    assert [pin for _, pin, _ in found["display"][:-1]] == [1, 23, 19, 26, 31, 7]
    assert found["away light"][0] == ("light", 36, "GPIO16")
    assert found["home light"][0] == ("light", 37, "GPIO26")
    assert found["buzzer"][0] == ("buzzer", 32, "GPIO12")


def test_the_buttons_keep_their_ground() -> None:
    """Adding other parts never moves it."""
    plain = {name: ends for name, ends in wires("").items() if "button" in name}
    assert plain.items() <= wires(EVERY).items()
    assert plain.items() <= wires(EVERY.replace("chip = 1", "chip = 0")).items()


def test_only_what_there_is() -> None:
    """Parts that the settings leave out have no wires, and the pins of an overlay's bus are unknown."""
    assert wires('[display]\ndriver = "none"\n[buttons]\nfactory = "none"\n') == {}
    assert wires("[display]\nbus = 3\n")["display"][1:3] == [
        ("SDA", None, "see its overlay"),
        ("SCL", None, "see its overlay"),
    ]


@given(st.permutations(range(4, 28)))
def test_no_two_wires_on_one_pin(free: list[int]) -> None:
    """With any settings each wire has its own pin, and each part ends on a ground pin."""
    pins = ", ".join(f"{name} = {free[i]}" for i, name in enumerate(Settings().buttons.pins))
    source = f"buttons.pins = {{ {pins} }}\nlights = {{ away = {free[7]}, home = {free[8]} }}\nbuzzer.pin = {free[9]}\n"
    found = wiring.wired_components(parse_settings(source, "my.toml"))
    used = [wire.pin for part in found for wire in part.wires]
    assert len(used) == len(set(used))
    assert all(part.wires[-1].pin_name == "ground" for part in found)
    assert {f"GPIO{number}" for number in free[:10]} <= {wire.pin_name for part in found for wire in part.wires}


def test_what_to_buy() -> None:
    """One button for each button wire, and as many jumper wires as there are wires."""
    bought = {what: count for count, what, _ in wiring.shopping_list(parse_settings(EVERY, "my.toml"))}
    assert bought["push buttons"] == 7
    assert bought["LEDs, each with a resistor"] == 2
    assert bought["jumper wires"] == sum(map(len, wires(EVERY).values()))
    without = wiring.shopping_table(
        parse_settings('[camera]\nsource = "none"\n[buttons]\nfactory = "none"\n', "my.toml")
    )
    assert not re.search("camera|buttons|LEDs", without)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "my.toml").write_text("[buttons.pins]\nundo = 20\n")
    assert main(["wiring", "--settings", str(tmp_path / "my.toml")]) == 0
    assert "| undo button | undo to 38 (GPIO20), ground to 39 (ground) |" in capsys.readouterr().out
    (tmp_path / "my.toml").write_text("[buttons.pins]\nundo = 2\n")
    assert main(["wiring", "--settings", str(tmp_path / "my.toml")]) == 2
    assert "undo and display SDA share GPIO2" in capsys.readouterr().err


def test_the_manual_has_no_ground_twice() -> None:
    """Two jumpers do not fit on one pin: what is added to the usual table leaves it its pins."""
    grounds = re.findall(r"\| (\d+) \| ground \|", (ROOT / "docs/build/wiring.md").read_text("utf-8"))
    assert 8 == len(grounds) == len(set(grounds))


def test_the_manual_says_what_the_settings_say() -> None:
    """Each table and drawing of docs/build/wiring.md, all wires at a glance, and options with the settings there."""
    manual = (ROOT / "docs/build/wiring.md").read_text("utf-8")
    usual, options = Settings(), parse_settings(manual.split("```toml\n")[1].split("```")[0], "my.toml")
    assert wiring.shopping_table(usual) in manual
    assert wiring.wiring_table(usual) in manual
    sections = dict(part.split("\n", 1) for part in manual.split("\n## ")[1:])
    expected = {part.name.capitalize(): part for part in wiring.wired_components(usual)}
    for part in wiring.wired_components(options):
        if part.kind != "button":
            expected[part.name.capitalize() + (" by SPI" if part.kind == "display" else "")] = part
    assert ["What to buy", "The camera", *expected] == list(sections)
    for title, part in expected.items():
        rows = [f"| {wire.terminal} | {wire.pin} | {wire.pin_name} |" for wire in part.wires]
        assert rows == re.findall(r"^\| .* \| \d+ \| .* \|$", sections[title], re.M)
        (file,) = re.findall(r"\(wiring/([\w-]+\.svg)\)", sections[title])
        ends = "; ".join(f"{wire.terminal} to pin {wire.pin}, {wire.pin_name}" for wire in part.wires)
        assert f': {ends}"' in (ROOT / "docs/build/wiring" / file).read_text("utf-8")
