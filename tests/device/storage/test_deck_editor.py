"""Writing in a deck's text: only what was changed is another one, and what was written is read."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device.storage import deck_editor
from device.storage.deck_editor import DeckText, parse_draft, with_card, with_title, without_card
from device.storage.decks import house_deck_text
from engine.cards import parse_deck
from engine.errors import DeckError, StaleAnswer
from engine.game import Rulebook
from engine.games import GAMES
from engine.table import Table
from engine.text import toml_text, visible_text

HOUSE = {key: parse_draft(house_deck_text(game), "house.toml") for key, game in GAMES.items()}
PHRASES = {
    key: [one for _, _, fields in deck.numbered_cards() for one in fields.values()]
    + [1, {"do": "swing +1", "uses": "game"}]
    for key, deck in HOUSE.items()
}
"""What stands on some card of a game."""

BALL = """\
# Typed in on a Sunday.
[ deck ]  # a head
game = 'small-ball'
title = "Herbs"   # for now

# The red ones.
[[player]] # leads off
team = "red"
number = 0x1 # first
name = 'Basil'
results = [
  "SO", # one
  "1B", "GO", "FO", "BB", "2B",
]

# Power.
[[pinch]]
team = "red"
name = "Sage"
kind = "LEG-OUT"
[pinch.turns] # by hand
GO = "1B"

# The second of them.
[[player]]
team = "red"
name = "Dill"
number = 2
results = ["SO", "1B", "GO", "FO", "BB", "2B"]
# The end.
"""


def ball(source: str = BALL) -> DeckText:
    return parse_draft(source, "herbs.toml")


def values(form: Any) -> st.SearchStrategy[Any]:
    """What may be typed in, by the form alone; a phrase is another matter."""
    match form["is"]:
        case "text":
            letters = st.characters(
                categories=("L", "N", "P", "S"), exclude_characters="".join(visible_text.BLANK_CHARACTERS)
            )
            return st.text(letters, min_size=1, max_size=form["longest"])
        case "whole":
            return st.integers(form["low"], form["high"])
        case "one-of":
            return st.sampled_from(form["values"])
        case "flag":
            return st.booleans()
        case "several":
            return st.lists(values(form["of"]), min_size=1, max_size=4) | values(form["of"])
        case "list":
            return st.lists(values(form["of"]), min_size=form["count"], max_size=form["count"])
        case "map":
            return st.dictionaries(values(form["key"]), values(form["of"]), min_size=1)
    return st.just(form["example"])


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)


@st.composite
def cards(draw: st.DrawFn, rubbish: bool = False) -> tuple[Rulebook, str, dict[str, Any]]:
    """A game, a kind of its cards, and a card: right by the looks, or anything at all."""
    game = draw(st.sampled_from(list(GAMES.values())))
    kind = draw(st.sampled_from(list(game.shapes)))
    shape = game.shapes[kind]
    names = [name for name, field in shape.items() if not field.is_optional or draw(st.booleans())]
    card = {name: draw(values(shape[name].form)) for name in names}
    if rubbish:
        anything = JSON | st.sampled_from(PHRASES[game.key])
        card |= draw(st.dictionaries(st.sampled_from(list(shape)) | st.text(), anything, min_size=1, max_size=3))
    return game, kind, card


def read(game: Rulebook, source: str) -> list[tuple[str, dict[str, Any]]]:
    """The cards of a text as the rules get them."""
    return [(card.kind, dict(card.fields)) for card in parse_deck(source, "x.toml", game.key, game.shapes).cards]


@given(cards(), st.data())
def test_what_is_written_is_read(card: tuple[Rulebook, str, dict[str, Any]], data: st.DataObject) -> None:
    """Any card that a shape takes, as a new one or in another's place, reads as what the shape makes of it."""
    game, kind, fields = card
    shape, old = game.shapes[kind], HOUSE[game.key]
    place = data.draw(st.none() | st.integers(1, max(1, len(old.cards_of_kind(kind)))))
    if place is not None and place > len(old.cards_of_kind(kind)):
        place = None
    new = with_card(old, kind, place, fields, None)
    wanted = {name: field(fields[name]) if name in fields else field.default for name, field in shape.items()}
    before, after = read(game, old.source), read(game, new)
    mine = [fields for one, fields in after if one == kind]
    assert wanted == (mine[-1] if place is None else mine[place - 1])
    assert len(after) == len(before) + (place is None)
    lines = old.source.splitlines()
    assert [line for line in lines if line.startswith("#")] == [line for line in new.splitlines() if line[:1] == "#"]


@given(cards(rubbish=True))
def test_rubbish_is_refused_by_card_and_field(card: tuple[Rulebook, str, dict[str, Any]]) -> None:
    """What a shape does not take is refused, each fault with the card and a field that was sent or is missing; what it
    takes after all can be read."""
    game, kind, fields = card
    old = HOUSE[game.key]
    label = f"{kind} {len(old.cards_of_kind(kind)) + 1}"
    try:
        new = with_card(old, kind, None, fields, None)
    except DeckError as error:
        for fault in error.faults:
            assert ("house.toml", label) == (fault.file, fault.card)
            assert fault.field in {*fields, *game.shapes[kind]}
            assert len(fault.reason) < 400
            assert fault.reason.endswith((".", "?"))
    else:
        assert len(read(game, old.source)) + 1 == len(read(game, new))


@given(st.text() | st.binary().map(lambda raw: raw.decode("latin-1")), st.sampled_from(list(HOUSE)), st.integers(0))
def test_any_text_is_a_draft_or_is_refused(junk: str, key: str, at: int) -> None:
    """A deck into which something fell still opens, with what it lacks in sentences; or it is refused with its file."""
    source = HOUSE[key].source
    at %= len(source)
    for text in (junk, source[:at] + junk + source[at:], source[:at]):
        with contextlib.suppress(DeckError):
            lacks, house = parse_draft(text, "x.toml").check_playability()
            assert all(re.match(r"[^a-z]", one) for one in lacks)
            assert not (lacks and house)


@settings(max_examples=30)
@given(st.sampled_from(list(GAMES.values())), st.sets(st.integers(0, 60)))
def test_what_a_set_lacks_is_what_the_rules_say(game: Rulebook, out: set[int]) -> None:
    """Any cards of a deck make a game, or a list of what is missing; never anything else."""
    deck = HOUSE[game.key]
    head = deck_editor.empty_deck_text(game, "Some")
    for i, (kind, _, fields) in enumerate(deck.numbered_cards()):
        if i not in out:
            head = f"{head}\n{toml_text.table_text(f'[[{kind}]]', fields)}"
    some = parse_draft(head, "some.toml")
    lacks, house = some.check_playability()
    if lacks:
        with pytest.raises(DeckError) as refused:
            Table(game, [parse_deck(head, "some.toml", game.key, game.shapes)])
        assert [deck_editor.fault_sentence(fault) for fault in refused.value.faults] == lacks
    else:
        Table(game, [parse_deck(head, "some.toml", game.key, game.shapes)], house)


# Comments and odd texts ------------------------------------------------------------------------------------------


def changed(old: str, new: str) -> list[str]:
    """The lines that went and came."""
    olds, news = old.splitlines(), new.splitlines()
    return [f"- {line}" for line in olds if line not in news] + [f"+ {line}" for line in news if line not in olds]


def test_only_the_changed_value_is_written() -> None:
    """Comments beside and between values stay, and so does how the others were typed."""
    basil = ball().cards_of_kind("player")[0]
    assert ["- name = 'Basil'", '+ name = "Thyme"'] == changed(
        BALL, with_card(ball(), "player", 1, {**basil, "name": "Thyme"}, None)
    )
    assert ["- number = 0x1 # first", "+ number = 3 # first"] == changed(
        BALL, with_card(ball(), "player", 1, {**basil, "number": 3}, None)
    )
    assert BALL == with_card(ball(), "player", 1, basil, deck_editor.card_hash("player", basil))


def test_a_new_card_stands_after_the_last_of_its_kind() -> None:
    """Before the comment that follows that one; of a kind that there is none of, at the end."""
    pinch = {"team": "red", "name": "Mint", "kind": "POWER"}
    new = with_card(ball(), "pinch", None, pinch, None)
    written = '\n\n[[pinch]]\nteam = "red"\nname = "Mint"\nkind = "POWER"\n'
    assert BALL.replace('GO = "1B"\n', f'GO = "1B"{written}') == new
    team = with_card(ball(), "team", None, {"colour": "red", "name": "Reds"}, None)
    assert f'{BALL}\n[[team]]\ncolour = "red"\nname = "Reds"\n' == team


def test_a_card_taken_out_leaves_the_comment_after_it() -> None:
    """It is the next card's."""
    new = without_card(ball(), "pinch", 1, None)
    assert BALL.replace(BALL[BALL.index("[[pinch]]") : BALL.index("# The second")], "") == new
    assert "# The end." in without_card(ball(), "player", 2, None)
    for kind, place in (("pinch", 1), ("player", 2), ("player", 1)):
        new = without_card(ball(new), kind, place, None) if kind != "pinch" else new
    assert ([], ["# Typed in on a Sunday.", "# The red ones.", "# Power.", "# The second of them.", "# The end."]) == (
        list(ball(new).numbered_cards()),
        [line for line in new.splitlines() if line.startswith("#")],
    )


def test_a_table_by_hand_becomes_one_in_braces() -> None:
    """Where its values change; the rest of the card stays."""
    sage = ball().cards_of_kind("pinch")[0]
    new = with_card(ball(), "pinch", 1, {**sage, "turns": {"GO": "1B", "FO": "2B"}}, None)
    assert ["- [pinch.turns] # by hand", '- GO = "1B"', '+ turns = { GO = "1B", FO = "2B" }'] == changed(BALL, new)


def test_a_title_is_changed_wherever_it_stands() -> None:
    """In its table, in braces, dotted; with the comment after it."""
    assert ['- title = "Herbs"   # for now', '+ title = "Spices"   # for now'] == changed(
        BALL, with_title(ball(), "Spices")
    )
    for head in ('deck = { game = "small-ball", title = "A" }\n', 'deck.title = "A"\ndeck.game = "small-ball"\n'):
        rest = BALL[BALL.index("[[player]]") :]
        new = with_title(ball(head + rest), " Spices ")
        assert ("Spices", rest) == (ball(new).title, new[-len(rest) :])
    end = BALL[BALL.index("[[player]]") :] + '[deck]\ngame = "small-ball"'
    assert f'{end}\ntitle = "B"\n' == with_title(ball(end), "B")


@pytest.mark.parametrize(
    "odd",
    [
        'player = [{ team = "red", number = 1, name = "A", results = [] }]\n',
        '[["player"]]\nteam = "red"\n',
        'note = """\n[[player]]\n"""\n',
        "[[player]]\nname = '''\n[[player]]\n'''\n",
        '[[player]]\nname = [[\n"x"],\n[1]\n]\n',
        "[player]\nteam = 'red'\n",
        "player = 3\n",
        "[[x.player]]\n[[player]]\n",
        "[[player]]\nname = '''\n[[player]]\nx\n[[player]]\n'''\n\n[[player]]\nteam = 'red'\n",
    ],
)
def test_an_unusual_text_is_refused_or_right(odd: str) -> None:
    """Unusual TOML, written by hand, is changed correctly or not at all."""
    deck = ball(f'{odd}\n[deck]\ngame = "small-ball"\ntitle = "Odd"\n')
    card = ball().cards_of_kind("player")[0]
    refused = "is written in a way that only a text editor can change here|There is no player [12]"
    for place in (None, 1, 2):
        try:
            new = with_card(deck, "player", place, card, None)
        except (DeckError, StaleAnswer) as error:
            found = str(error)
        else:
            found = refused.partition("|")[0]
            assert card == ball(new).cards_of_kind("player")[-1 if place is None else place - 1]
        assert re.search(refused, found)
        with contextlib.suppress(DeckError, StaleAnswer):
            left = ball(without_card(deck, "player", place or 1, None)).cards_of_kind("player")
            assert [one for n, one in enumerate(deck.cards_of_kind("player"), 1) if n != (place or 1)] == left


# What is typed on a phone ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "value"),
    [
        ("swing +1 ", "swing +1"),
        ("{ do = “S as B”, when = { control = [1, 2] } }", {"do": "S as B", "when": {"control": [1, 2]}}),
        ('["control -1", "bonus 2 as 1B"]', ["control -1", "bonus 2 as 1B"]),
        ("", None),
        (None, None),
    ],
)
def test_a_phrase_is_typed_as_text_or_as_toml(typed: Any, value: Any) -> None:
    """Spaces around it do not count, nor do quotation marks that a phone has curled; nothing is a field left out."""
    deck = HOUSE["bottom-of-the-9th"]
    new = with_card(deck, "batter", None, {"name": "A", "positions": ["C"], "trait": typed}, None)
    (card,) = parse_draft(new, "x.toml").cards_of_kind("batter")[len(deck.cards_of_kind("batter")) :]
    assert value == card.get("trait")
    if value is not None:
        assert typed.strip().translate({8220: '"', 8221: '"'}) == deck_editor.field_text(value)


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("{ do = ", "is not as TOML has it: invalid value."),
        ("[1]\nblank = true", "needs one value."),
        ("[" * 3000, "has too many brackets in brackets."),
        ("[" * 20 + "]" * 20, "has too many brackets in brackets."),
        ("{}", "Unknown ability None. One example is 'control +1'."),
    ],
)
def test_toml_typed_wrongly_is_reported_at_its_field(typed: str, reason: str) -> None:
    with pytest.raises(DeckError) as refused:
        with_card(HOUSE["bottom-of-the-9th"], "batter", None, {"name": "A", "positions": ["C"], "mvp": typed}, None)
    assert [("mvp", reason)] == [(fault.field, fault.reason) for fault in refused.value.faults]


def test_a_mark_says_which_card_was_seen() -> None:
    """Another card in the place, or none, is refused and named."""
    one, two = ball().cards_of_kind("player")
    for place, seen in ((1, two), (2, one)):
        with pytest.raises(StaleAnswer, match=rf"Player {place} of Herbs has changed since: load the deck again\."):
            with_card(ball(), "player", place, one, deck_editor.card_hash("player", seen))
        with pytest.raises(StaleAnswer, match="has changed since"):
            without_card(ball(), "player", place, deck_editor.card_hash("player", seen))
    for place in (0, 3):
        with pytest.raises(StaleAnswer, match=rf"There is no player {place} in Herbs now"):
            with_card(ball(), "player", place, one, None)
    with pytest.raises(DeckError, match="no such kind of card; there are team, player, pinch"):
        with_card(ball(), "umpire", None, one, None)


def test_a_deck_has_an_end() -> None:
    """One card or byte beyond the limit is refused; removing a card always works."""
    team = '[[team]]\ncolour = "red"\nname = "R"\n'
    full = ball('[deck]\ngame = "small-ball"\ntitle = "Full"\n' + team * deck_editor.MAX_DECK_CARDS)
    with pytest.raises(DeckError, match="has more than 500 cards"):
        with_card(full, "team", None, {"colour": "red", "name": "R"}, None)
    assert deck_editor.MAX_DECK_CARDS - 1 == len(ball(without_card(full, "team", 1, None)).cards_of_kind("team"))
    over = full.source + team
    assert ["Has more than 500 cards."] == ball(over).check_playability()[0]
    with pytest.raises(DeckError, match="has a line of more than 4096 letters"):
        ball(f"{BALL}{'a.' * 100_000}a = 1\n")
    long = ball(BALL + "#\n" * ((deck_editor.MAX_DECK_BYTES - len(BALL)) // 2))
    with pytest.raises(DeckError, match="is larger than 256 kB"):
        with_title(long, "A longer title than Herbs")


def test_a_number_beyond_all_bounds_is_shown_and_refused() -> None:
    """TOML has numbers that Python does not print; a deck with one opens, and its faults are listed."""
    huge = ball(BALL.replace("0x1", f"0x{'f' * 4000}").replace('"Dill"', "1979-05-27").replace("2B", "nan", 1))
    lacks, _ = huge.check_playability()
    assert "Player 1, number: needs a whole number from 1 to 9, not this." == lacks[0]
    assert ["a number beyond all bounds", "1979-05-27"] == [
        deck_editor.json_value(fields)[name]
        for fields, name in zip(huge.cards_of_kind("player"), ("number", "name"), strict=True)
    ]
    assert deck_editor.json_value(float("inf")) == "inf"


def test_a_house_rule_may_be_what_is_lacking() -> None:
    """Cards with home runs play by extraCodes alone: the deck can be played, and says how."""
    some = parse_draft(HOUSE["small-ball"].source.replace('"1B"', '"HR"', 1), "x.toml")
    assert ([], {"extraCodes": "true"}) == some.check_playability()
    assert ([], {}) == HOUSE["small-ball"].check_playability()


def test_the_examples_of_the_document_can_be_typed_in() -> None:
    """Each card of docs/play/cards, written into an empty deck by what its fields look like when typed."""
    for game in GAMES.values():
        page = (Path(__file__).parents[3] / f"docs/play/cards/{game.key}.md").read_text("utf-8")
        (example,) = re.findall(r"```toml\n(\[deck\].*?)```", page, re.DOTALL)
        deck = parse_draft(deck_editor.empty_deck_text(game, "Typed"), "typed.toml")
        for kind, _, fields in parse_draft(example, "example.toml").numbered_cards():
            phrases = {name for name, field in game.shapes[kind].items() if field.form["is"] == "phrase"}
            typed = {
                name: deck_editor.field_text(value) if name in phrases else value for name, value in fields.items()
            }
            deck = parse_draft(with_card(deck, kind, None, typed, None), "typed.toml")
        wanted = parse_deck(example, "typed.toml", game.key, game.shapes).cards
        found = parse_deck(deck.source, "typed.toml", game.key, game.shapes).cards
        assert sorted(map(repr, wanted)) == sorted(map(repr, found))
