"""Decks: how they are read, and the errors for invalid ones."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.storage.decks import house_deck, load_decks, read_deck
from engine.cards import (
    CardField,
    CardShape,
    boolean_field,
    choice_field,
    custom_field,
    fixed_list_field,
    integer_field,
    list_field,
    mapping_field,
    optional_field,
    parse_deck,
    text_field,
)
from engine.errors import DeckError
from engine.game import Rulebook
from engine.games import GAMES
from engine.games.small_ball import GAME
from engine.games.small_ball.cards import build_teams
from engine.table import Table
from tests.each import each
from tests.engine.games.small_ball.fixture import bat, source, stand
from tests.engine.tables import play

PAGES = Path(__file__).parents[2] / "docs/play"

SHAPES: dict[str, CardShape] = {
    "player": {
        "name": text_field(5),
        "number": integer_field(1, 9),
        "codes": fixed_list_field(choice_field("A", "B"), 2),
    },
    "token": {"turns": optional_field(mapping_field(choice_field("A", "B"), integer_field(0, 1)), ())},
}

GOOD = """
[deck]
game = "toy"
title = "Toy"

[[player]]
name = " Ann "
number = 3
codes = ["A", "B"]

[[token]]
turns = { A = 1, B = 0 }

[[token]]
"""


def test_a_deck_is_read_card_by_card() -> None:
    """Check the title, the cards in order with their positions, the immutable values, and the digest of the text."""
    deck = parse_deck(GOOD, "toy.toml", "toy", SHAPES)
    assert ("toy.toml", "Toy", GOOD) == (deck.file, deck.title, deck.source)
    assert ["player 1", "token 1", "token 2"] == [card.card for card in deck.cards]
    assert {"name": "Ann", "number": 3, "codes": ("A", "B")} == deck.cards[0].fields
    assert [(("A", 1), ("B", 0)), ()] == [card.fields["turns"] for card in deck.cards[1:]]
    assert re.fullmatch("[0-9a-f]{64}", deck.digest)
    assert deck.digest != parse_deck(GOOD + "\n", "toy.toml", "toy", SHAPES).digest


def faults(deck: str) -> list[str]:
    """Return what is wrong with a deck."""
    with pytest.raises(DeckError) as refused:
        parse_deck(deck, "toy.toml", "toy", SHAPES)
    assert "; ".join(map(str, refused.value.faults)) == str(refused.value)
    return [str(fault) for fault in refused.value.faults]


@each(
    ("old", "new", "fault"),
    [
        ('game = "toy"', 'game = "toys"', "toy.toml, deck, game: needs 'toy', not 'toys'."),
        ('game = "toy"', "", "toy.toml, deck, game: needs 'toy', not None."),
        ('title = "Toy"', "", "toy.toml, deck, title: needs a text."),
        ('title = "Toy"', "title = 7", "toy.toml, deck, title: needs a text."),
        ("number = 3", "number = 10", "toy.toml, player 1, number: needs a whole number from 1 to 9, not 10."),
        ("number = 3", "number = true", "toy.toml, player 1, number: needs a whole number from 1 to 9, not True."),
        ("number = 3", "number = 3.0", "toy.toml, player 1, number: needs a whole number from 1 to 9, not 3.0."),
        ("number = 3", "", "toy.toml, player 1, number: is missing."),
        ('name = " Ann "', 'name = " "', "toy.toml, player 1, name: needs a text."),
        ('name = " Ann "', 'name = "Barnaby"', "can have at most 5 characters; these are 7."),
        ('name = " Ann "', 'name = "A\\nB"', "needs printable characters on one line."),
        ('["A", "B"]', '["A"]', "toy.toml, player 1, codes: needs a list of 2; there is 1."),
        ('["A", "B"]', '"AB"', "toy.toml, player 1, codes: needs a list of 2, not 'AB'."),
        ('["A", "B"]', '["A", "C"]', "toy.toml, player 1, codes: number 2: needs A or B, not 'C'."),
        ('["A", "B"]', '["A", ["B"]]', "toy.toml, player 1, codes: number 2: needs A or B, not ['B']."),
        ('["A", "B"]', '["A", ""]', "toy.toml, player 1, codes: number 2 is missing."),
        ("{ A = 1, B = 0 }", "{}", "toy.toml, token 1, turns: needs a table, not {}."),
        ("{ A = 1, B = 0 }", "{ C = 1 }", "toy.toml, token 1, turns: needs A or B, not 'C'."),
        ("{ A = 1, B = 0 }", "{ A = 2 }", "toy.toml, token 1, turns: needs a whole number from 0 to 1, not 2."),
        ("number = 3", "number = 3\nshoe = 44", "toy.toml, player 1, shoe: no such field; there are name, number,"),
        ("[[player]]", "[[pitcher]]", "toy.toml, pitcher: no such kind of card; there are player, token."),
        ("[[player]]", "[player]", "toy.toml, player: each card begins with [[player]]."),
        ("[deck]", "[dock]", "toy.toml, deck: the [deck] table with game and title is missing."),
        ('game = "toy"', "game = ", "toy.toml: is not TOML: Invalid value (at line 3"),
    ],
)
def test_a_fault_names_file_card_field_and_reason(old: str, new: str, fault: str) -> None:
    """Only one thing is wrong in each deck, and the error names only that."""
    assert 1 == GOOD.count(old)
    (said,) = faults(GOOD.replace(old, new))
    assert fault in said


def test_all_faults_are_reported_at_once() -> None:
    """The error names the card of each fault."""
    wrong = GOOD + '\n[[player]]\nname = ""\nnumber = 0\ncodes = []\nx = 1\n\n[[umpire]]\n'
    assert ["x:", "name:", "number:", "codes:"] == [fault.split()[3] for fault in faults(wrong)[:4]]
    assert all(fault.startswith("toy.toml, player 2, ") for fault in faults(wrong)[:4])
    assert 5 == len(faults(wrong))


@each(
    ("old", "new", "fault"),
    [
        ('name = " Ann "', f'name = "{"a" * 501}"', "player 1, name: can have at most 500 characters in a text."),
        ('["A", "B"]', f'["A", "{"B" * 501}"]', "player 1, codes: can have at most 500 characters in a text."),
        ("{ A = 1, B = 0 }", f"{{ {'A' * 501} = 1 }}", "token 1, turns: can have at most 500 characters in a text."),
        (
            "number = 3",
            f"number = 3\n{'x' * 900} = 1",
            f"player 1, {'x' * 39}…: no such field; there are name, number,",
        ),
        ("[[player]]", f"[[{'x' * 900}]]", f"{'x' * 39}…: no such kind of card; there are player, token."),
    ],
)
def test_a_long_text_is_not_read(old: str, new: str, fault: str) -> None:
    """No field's own check sees it, and a fault repeats little of it."""
    (said,) = faults(GOOD.replace(old, new))
    assert f"toy.toml, {fault}" in said


def test_a_deck_without_cards_is_refused() -> None:
    """The error names the file."""
    assert ["toy.toml: has no cards; there can be player, token."] == faults('[deck]\ngame = "toy"\ntitle = "Toy"\n')


@each("bomb", ["a=" + "[" * 4000, "a=" + "[\n" * 100_000, "a=" + "{b=" * 1000, "a=" + "9" * 5000])
def test_nesting_and_numbers_beyond_the_parsers_limits_are_refused(bomb: str) -> None:
    """The parser gives up on them, and the error is like any other fault of the file."""
    (said,) = faults(bomb)
    assert said.startswith(("toy.toml: has too many brackets", "toy.toml: has a line of more than 4096 letters"))


VALUES = st.recursive(
    st.booleans() | st.integers(-20, 20) | st.sampled_from(["", "A", "B", "x y"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["A", "B", "C"]), inner, max_size=2),
    max_leaves=5,
)


def toml(value: Any) -> str:
    """Return a value as TOML."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return f"[{', '.join(map(toml, value))}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {toml(item)}" for key, item in value.items()) + "}"
    return repr(value).replace("'", '"')


@given(
    st.dictionaries(st.sampled_from(["deck", "player", "token", "other"]), VALUES | st.none()),
    st.dictionaries(st.sampled_from(["name", "number", "codes", "turns"]), VALUES),
)
def test_any_data_is_a_deck_or_a_named_fault(top: dict[str, Any], fields: dict[str, Any]) -> None:
    """Any data is read as a deck or refused with at least one fault that names the file."""
    lines = [f"{key} = {toml(value)}" for key, value in top.items() if value is not None]
    for kind in (key for key, value in top.items() if value is None):
        lines += [f"[[{kind}]]" if kind != "deck" else '[deck]\ngame = "toy"\ntitle = "T"']
        lines += [f"{key} = {toml(value)}" for key, value in fields.items() if kind != "deck"]
    try:
        found = parse_deck("\n".join(lines), "toy.toml", "toy", SHAPES).cards
    except DeckError as error:
        named = {fault.file for fault in error.faults}
    else:
        named = {card.file for card in found}
    assert {"toy.toml"} == named


@given(st.text(max_size=60))
def test_any_text_is_a_deck_or_a_named_fault(anything: str) -> None:
    with pytest.raises(DeckError):
        parse_deck(anything, "toy.toml", "toy", SHAPES)


# The decks of the games ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
def test_every_game_ships_with_a_playable_deck(game: Rulebook) -> None:
    """The house deck loads, and a table starts with it."""
    deck = house_deck(game)
    assert (game.key, (deck,)) == (Table(game, [deck]).journal_header.game, load_decks(game, []))


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
def test_every_field_of_every_card_is_documented(game: Rulebook) -> None:
    """The game's page in docs/play/cards has each kind of card with exactly its fields."""
    page = (PAGES / f"cards/{game.key}.md").read_text("utf-8")
    kinds = dict(re.findall(r"^## `\[\[(\w+)\]\]`[^\n]*\n(.*?)(?=^## )", page, re.MULTILINE | re.DOTALL))
    documented = {kind: re.findall(r"^\| `(\w+)` \|", part, re.MULTILINE) for kind, part in kinds.items()}
    assert {kind: list(shape) for kind, shape in game.shapes.items()} == documented


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
def test_every_phrase_is_documented(game: Rulebook) -> None:
    """Exactly the phrases that a phone shows under a field have a table in docs/play/cards."""
    page = (PAGES / f"cards/{game.key}.md").read_text("utf-8")
    tables = re.findall(r"^\| phrase \| does \|\n.*\n((?:\|.*\n)+)", page, re.MULTILINE)
    documented = [
        [dict(zip(("say", "does"), row.replace("`", "").strip("| ").split(" | "), strict=True)) for row in rows]
        for rows in map(str.splitlines, tables)
    ]
    fields = [field.form.get("of", field.form) for shape in game.shapes.values() for field in shape.values()]
    offered = [form["phrases"] for form in fields if form.get("phrases")]
    assert all(phrases in documented for phrases in offered)
    assert all(table in offered for table in documented)


LOOKS = {
    "text": {"longest"},
    "whole": {"low", "high"},
    "one-of": {"values"},
    "flag": set(),
    "several": {"of"},
    "list": {"of", "count"},
    "map": {"key", "of"},
    "phrase": {"example", "phrases"},
}


def forms(form: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield a form and all forms in it."""
    yield form
    for part in ("key", "of"):
        if part in form:
            yield from forms(form[part])


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
def test_every_field_describes_its_form(game: Rulebook) -> None:
    """The form is plain data: what may be typed in, whether the field is optional, and a sentence about it."""
    fields = [field for shape in game.shapes.values() for field in shape.values()]
    for field in fields:
        look = json.loads(json.dumps(field.full_form))
        assert look == field.full_form
        assert re.fullmatch(r"[A-Z+].*\.", look["means"])
        for form in forms(field.form):
            # A text may say which kind of card its name belongs to, and a phrase what is typed with it.
            named = {"text": {"names"}, "phrase": {"names", "like"}}.get(form["is"], set())
            assert {"is", *LOOKS[form["is"]]} == form.keys() - named
            assert ("like" in form) == (form["is"] == "phrase" and "names" in form)
            if form["is"] == "phrase":
                field(form["example"])
    shape = next(iter(game.shapes.values()))
    assert (False, True) == (shape["name"].full_form["optional"], any(field.full_form["optional"] for field in fields))


def test_a_form_describes_what_is_checked() -> None:
    """The form has the bounds and words of the check, and the default of a flag."""
    team, number = GAME.shapes["player"]["team"], GAME.shapes["player"]["number"]
    assert [team(value) for value in team.full_form["values"]] == ["red", "blue"]
    assert [number(value) for value in (number.full_form["low"], number.full_form["high"])] == [1, 9]
    results = {"is": "list", "of": {"is": "one-of", "values": ["1B", "2B", "BB", "SO", "FO", "GO", "3B", "HR"]}}
    assert results | {"count": 6} == GAME.shapes["player"]["results"].form
    look = optional_field(boolean_field(), True).with_meaning("Whether.").full_form
    assert {"is": "flag", "default": True, "optional": True, "means": "Whether."} == look
    assert {"is": "text", "longest": 5, "optional": False, "means": ""} == text_field(5).full_form
    assert {"is": "phrase", "example": "a", "phrases": [], "optional": True, "means": ""} == optional_field(
        custom_field(str, "a"), ()
    ).full_form


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
def test_the_documented_example_is_a_deck(game: Rulebook) -> None:
    """The example in the document parses, and has each kind of card and each field."""
    page = (PAGES / f"cards/{game.key}.md").read_text("utf-8")
    (example,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    deck = parse_deck(example, "example.toml", game.key, game.shapes)
    assert set(game.shapes) == {card.kind for card in deck.cards}
    for kind, shape in game.shapes.items():
        shown = {field for card in deck.cards if card.kind == kind for field in card.fields if card.fields[field]}
        assert set(shape) == shown


def test_the_documented_faults_are_the_real_ones() -> None:
    doc = (PAGES / "cards.md").read_text("utf-8")
    third = 'number = 3\nname = "red 3"\nresults = '
    wrong = source().replace(f"{third}['SO', '1B', 'GO', 'FO', 'BB', '2B']", f"{third}['1B']")
    with pytest.raises(DeckError) as refused:
        parse_deck(wrong, "mine.toml", "small-ball", GAME.shapes)
    assert f"\n    {refused.value}\n" in doc
    short = source().replace("number = 9", "number = 8", 1)
    with pytest.raises(DeckError) as refused:
        Table(GAME, [parse_deck(short, "mine.toml", "small-ball", GAME.shapes)])
    assert f"\n    {refused.value.faults[-1]}\n" in doc


EXTRA = '[[pinch]]\nteam = "red"\nname = "Third"\nkind = "POWER"\n'


@each(
    ("more", "fault"),
    [
        (EXTRA, "a.toml, red team, pinch: needs two pinch hitters, not 3."),
        (
            '[[player]]\nteam = "red"\nnumber = 3\nname = "x"\nresults = ["1B", "1B", "1B", "1B", "1B", "1B"]\n',
            "a.toml, player 19, number: the red team has two players 3.",
        ),
        (
            '[[team]]\ncolour = "blue"\nname = "x"\n[[team]]\ncolour = "blue"\nname = "y"\n',
            "a.toml, team 2, colour: the blue team is named twice.",
        ),
    ],
)
def test_a_set_that_does_not_add_up_is_refused(more: str, fault: str) -> None:
    """Each card is valid, but there are too many."""
    deck = parse_deck(source() + more, "a.toml", "small-ball", GAME.shapes)
    with pytest.raises(DeckError) as refused:
        build_teams(deck.cards, GAME.resolve_house_rules({}))
    assert [fault] == [str(one) for one in refused.value.faults]


def test_a_custom_pinch_hitter_needs_turns() -> None:
    """An unknown kind without `turns` is refused; with them it works."""
    kind = 'kind = "LEG-OUT"\n'
    with pytest.raises(DeckError, match=r"pinch 1, turns: is missing; only POWER and ON-BASE are known by kind"):
        Table(GAME, [parse_deck(source().replace('kind = "POWER"\n', kind, 1), "a.toml", "small-ball", GAME.shapes)])
    own = source().replace('kind = "POWER"\n', f'{kind}turns = {{ GO = "1B" }}\n', 1)
    table = Table(GAME, [parse_deck(own, "a.toml", "small-ball", GAME.shapes)], {"awayTeam": "red"})
    assert ("1", 0, 0) == stand(play(table, "pinch-1", 3))


def test_two_files_can_hold_one_team_each() -> None:
    red, blue = source().split('[[player]]\nteam = "blue"', 1)
    head = '[deck]\ngame = "small-ball"\ntitle = "B"\n[[player]]\nteam = "blue"'
    decks = [parse_deck(text, f"{i}.toml", "small-ball", GAME.shapes) for i, text in enumerate((red, head + blue))]
    assert ("1", 0, 0) == stand(bat(Table(GAME, decks, {"awayTeam": "red"}), 2))
    with pytest.raises(DeckError, match=r"0\.toml, blue team, player: number 1 is missing"):
        Table(GAME, decks[:1])


# Files -----------------------------------------------------------------------------------------------------------


def test_errors_name_the_file(tmp_path: Path) -> None:
    """So do the errors for a file that cannot be parsed."""
    path = tmp_path / "mine.toml"
    path.write_text(source(), "utf-8")
    assert ("mine.toml", "A") == (read_deck(GAME, path).file, load_decks(GAME, [path])[0].title)
    path.write_text("[deck", "utf-8")
    with pytest.raises(DeckError, match=r"mine\.toml: is not TOML"):
        read_deck(GAME, path)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(DeckError, match=r"mine\.toml: is not UTF-8 text"):
        read_deck(GAME, path)
    path.write_bytes(b"#" * (256 * 1024 + 1))
    with pytest.raises(DeckError, match=r"mine\.toml: cannot be read: it is larger than 256 kB"):
        read_deck(GAME, path)
    with pytest.raises(DeckError, match=r"none\.toml: cannot be read: No such file"):
        read_deck(GAME, tmp_path / "none.toml")
    with pytest.raises(DeckError, match="cannot be read: Is a directory"):
        read_deck(GAME, tmp_path)


def test_fields_return_immutable_values() -> None:
    """A game's state can hold them."""
    fields: list[tuple[CardField, Any]] = [
        (text_field(), "a"),
        (integer_field(0, 3), 2),
        (choice_field("a"), "a"),
        (fixed_list_field(text_field(), 1), ["a"]),
        (list_field(text_field()), ["a", "b"]),
        (boolean_field(), True),
        (mapping_field(text_field(), text_field()), {"a": "b"}),
        (optional_field(text_field()), "a"),
    ]
    for field, value in fields:
        hash(field(value))


def test_several_accepts_one_or_more() -> None:
    """It accepts a list or a single value; an empty list and a list with a wrong value are refused."""
    field = list_field(choice_field("a", "b"))
    assert [("a",), ("b", "a")] == [field("a"), field(["b", "a"])]
    with pytest.raises(ValueError, match="at least one"):
        field([])
    with pytest.raises(ValueError, match="needs a or b, not 'c'"):
        field(["a", "c"])


def test_a_flag_is_true_or_false() -> None:
    """Numbers and words are refused."""
    assert [True, False] == [boolean_field()(True), boolean_field()(False)]
    for wrong in (1, 0, "true", None):
        with pytest.raises(ValueError, match="needs true or false"):
            boolean_field()(wrong)
