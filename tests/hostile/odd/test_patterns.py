"""Patterns and numbers of the product mean the digits 0 to 9 where they say digits."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from device.diagnostics.redaction import Redaction
from device.service.systemd import Systemd
from device.table.play_log import _parse_picture_name
from engine.games.clutch.cards.card_fields import parse_copies, parse_glove, parse_role
from engine.text.numbers import parse_whole_number
from managers.games.seventh_inning_stretch.defense import _asked_dice_count
from tests.hostile.odd.odd_text import NO_NUMBERS, ODD
from vision.cameras.sources import is_camera_number

ROOT = Path(__file__).parents[3]

ANY_SCRIPT = {
    "device/settings.py": "Keys in quotes may have letters of any script; and two patterns have re.ASCII.",
    "device/diagnostics/redaction.py": "Names of people and networks are words of any script; others have re.ASCII.",
    "engine/games/clutch/cards/card_text.py": "The words around a sign may be names.",
    "engine/games/clutch/cards/player_phrases.py": "An icon in quotes is looked up; any other one is no icon.",
    "engine/text/paths.py": "It has re.ASCII.",
    "engine/lessons/lesson.py": "Ends of words in sentences, whose names may be in any script.",
}
r"""Files that may use `\w`, with the reason."""

OUR_OWN = {
    "engine/games/seventh_inning_stretch/dice/goals.py": "Codes of options, which the rules make.",
    "engine/games/seventh_inning_stretch/innings/look_ahead.py": "Codes of options, which the rules make.",
    "engine/games/seventh_inning_stretch/words.py": "Codes of options, and a phrase whose pattern was matched.",
    "managers/cast.py": "Codes of options, which the rules make.",
    "managers/games/seventh_inning_stretch/defense.py": "The first word of a line of the panel, which the rules make.",
    "managers/games/seventh_inning_stretch/offense.py": "Codes of options, which the rules make.",
}
"""Files that may ask `isdigit` or its kin without `isascii`, with the reason."""

QUESTIONS = ("isdigit", "isdecimal", "isnumeric", "isalnum", "isalpha")


def sources() -> Iterator[tuple[str, ast.Module]]:
    """The files that may hold what is looked for."""
    for room in ("device", "engine", "managers", "vision", "web"):
        for file in sorted((ROOT / room).rglob("*.py")):
            if any(one in (source := file.read_text()) for one in ("\\d", "\\w", *QUESTIONS)):
                yield str(file.relative_to(ROOT)), ast.parse(source)


def texts(nodes: list[ast.AST]) -> Iterator[str]:
    """Yield the text literals, and the texts in f-strings, but no docstrings."""
    told = {id(one.value) for one in nodes if isinstance(one, ast.Expr)}
    for one in nodes:
        if isinstance(one, ast.Constant) and isinstance(one.value, str) and id(one) not in told:
            yield one.value


def test_digits_are_ascii_digits() -> None:
    r"""`[0-9]` is plain and short; `\d` takes seven hundred digits, here and in pydantic's patterns. Letters of other
    scripts are meant, and a question about digits asks for ASCII too.
    """
    digits, letters, questions = set[str](), set[str](), set[str]()
    for file, tree in sources():
        nodes = list(ast.walk(tree))
        patterns = "\0".join(texts(nodes))
        digits |= {file} if "\\d" in patterns else set()
        letters |= {file} if "\\w" in patterns else set()
        asked = [one.attr for one in nodes if isinstance(one, ast.Attribute)]
        questions |= {file} if sum(one in QUESTIONS for one in asked) > asked.count("isascii") else set()
    assert (set(), set(OUR_OWN)) == (digits, questions)
    assert letters <= set(ANY_SCRIPT)


@pytest.mark.parametrize("odd", NO_NUMBERS)
def test_no_number(odd: str) -> None:
    text = ODD[odd]
    assert parse_whole_number(text, 10**9) is None
    assert not is_camera_number(text)
    assert _parse_picture_name(f"{text}-1") is None
    assert Systemd({"WATCHDOG_USEC": text, "LISTEN_FDS": text}).passed_socket() is None


def test_a_whole_number() -> None:
    assert (0, 7, 65535, None) == tuple(parse_whole_number(text, 65535) for text in ("0", "007", "65535", "65536"))


@pytest.mark.parametrize(
    ("read", "sample"), [(parse_glove, "SS +{}"), (parse_role, "SP {}"), (parse_copies, "{} Slide Step")]
)
def test_no_number_on_a_card(read: Callable[[str], object], sample: str) -> None:
    """A deck would show digits that its rules read as others."""
    read(sample.format(3))
    for text in ("٣", "３", "²"):
        with pytest.raises(ValueError, match="needs"):
            read(sample.format(text))


@pytest.mark.parametrize("team", ["²", "9", "Class of 9", "٣"])
def test_a_manager_reads_no_name_as_a_number(team: str) -> None:
    said = f"{team} will roll 4 dice. Use {team}'s ability before that: roll 1 die fewer? Uses left: 2."
    assert 4 == _asked_dice_count(said, 1)
    assert 1 == _asked_dice_count(f"{team} waits.", 1)


def test_what_is_secret_is_hidden_beside_any_script() -> None:
    """A letter of another script does not make a code a part of a word."""
    told = Redaction(()).redacted_text("コード123456を édugout=abc.def é10.0.0.7 éaa:bb:cc:dd:ee:ff")
    assert [] == [one for one in ("123456", "abc.def", "10.0.0.7", "aa:bb") if one in told]
