"""The lists of sentences: what counts as one, and where they are found."""

from __future__ import annotations

import runpy
from pathlib import Path

from engine.games import GAMES
from tests.each import each

SCRIPT = runpy.run_path(str(Path(__file__).parents[1] / "scripts/sentences"))


def prose(texts: object) -> list[str]:
    assert isinstance(texts, list)
    return [text for text in texts if SCRIPT["is_prose"](text)]


def test_each_list_has_sentences() -> None:
    """Each game has some, too."""
    said = SCRIPT["said"]()
    assert all(said.values())
    assert "You’ll find the code on the table’s display." in said["pages"]["web/templates/code.html"]
    assert len(GAMES) == len({path.split("/")[2] for path in said["games"] if path.endswith("/words.py")})


@each(
    ("text", "found"),
    [
        ("<p>Throw {{ n }} <b>dice</b>.</p><p>Look.</p>", ["Throw … dice.", "Look."]),
        ("{# not said #}<img alt='A red die' class='big one'>", ["A red die"]),
        ("{{ 'all even' if even else name }}", ["all even"]),
    ],
)
def test_a_template(text: str, found: list[str]) -> None:
    assert found == prose([" ".join(one.split()) for one in SCRIPT["of_template"](text)])


def test_a_script() -> None:
    text = 'h("p", { class: "quiet small" }, `Tap ${name(1)} now`); // not "said here"\ntell("No camera.")'
    assert ["Tap … now", "No camera."] == prose(list(SCRIPT["of_script"](text)))


def test_a_module() -> None:
    text = '"""Not said."""\nLOG.info("not said")\nx: "not said" = f"Inning {n}, {half}."\ny = "{who} is out."\n'
    assert ["Inning …, ….", "… is out."] == prose(list(SCRIPT["of_python"](text)))
