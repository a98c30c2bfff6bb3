"""Secrets: until the reveal, games that differ only in a secret look alike to others, byte for byte."""

from __future__ import annotations

import copy
import itertools
import json
import pickle
from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import pytest

from device.inputs import random_player
from device.storage.decks import house_deck
from engine.asks import Arrange, Choose, Play, Secret, ask_together
from engine.game import Rulebook
from engine.games import GAMES
from engine.journal import entry_json
from engine.scoreboard import GamePanel, Scoreboard
from engine.seats import Seat, opposite_seat
from engine.secrets import HIDDEN_TEXT, PublicData, SealedValue, redacted_data, redacted_json
from engine.table import Table
from engine.views import json_data
from tests.engine.sample_games import duel_game
from tests.engine.sample_games.duel_game import DUEL, HANDS, State, moves, new
from tests.engine.tables import Look, everything, words_of

ORDERS = [dict(zip(("first", "second"), order, strict=True)) for order in itertools.permutations(duel_game.PLAYERS, 2)]


def stream(game: Rulebook, played: list[duel_game.Move], seat: Seat | None, look: Look) -> list[bytes]:
    """Return what a seat sees before every move and after the last, with a correction and an undo on the way."""
    table = new(game)
    seen = [json.dumps(look(table, seat)).encode()]
    for who, n, value in played:
        told = table.answer_ask(who, n, value)
        seen.append(json.dumps([look(table, seat), redacted_data(told, seat)]).encode())
        if n == 2:
            told = table.correct_answer(3, "heads")
            seen.append(json.dumps([look(table, seat), redacted_data(told, seat)]).encode())
        if n == 6:
            table.undo(5)
            seen.append(json.dumps(look(table, seat)).encode())
            table.answer_ask("away", 4, "slap")
            table.answer_ask(who, n, value)
            seen.append(json.dumps(look(table, seat)).encode())
    return seen


@dataclass(frozen=True)
class Pair:
    """Two games that differ in one secret of `owner`; they must look alike until move `until`, the reveal."""

    owner: Seat
    one: list[duel_game.Move]
    two: list[duel_game.Move]


def pairs() -> list[Pair]:
    """Return pairs with another glove and hand, another card of the same hand, or another order."""
    found = [Pair("home", moves("high", order), moves("low", order)) for order in ORDERS]
    found += [Pair("home", moves(card="seven"), moves(card=card)) for card in HANDS["high"][1:]]
    return found + [Pair("away", moves(order=one), moves(order=two)) for one, two in itertools.combinations(ORDERS, 2)]


BEFORE_REVEAL = slice(0, -1)


def leaks(game: Rulebook, look: Look) -> int:
    """Count the pairs that somebody other than the owner can tell apart before the reveal."""
    found = 0
    for pair in pairs():
        for seat in (None, opposite_seat(pair.owner)):
            one, two = (stream(game, played[BEFORE_REVEAL], seat, look) for played in (pair.one, pair.two))
            assert len(one) == len(two) > 10
            found += one != two
    return found


def test_nobody_else_can_tell_a_secret() -> None:
    """Views, asks, log, journal, previews and errors are the same, byte for byte, whatever the secret is."""
    assert 0 == leaks(DUEL, everything)


def test_the_owner_sees_their_own_secret() -> None:
    """This proves that the streams compared above are not just empty."""
    assert all(
        stream(DUEL, pair.one[BEFORE_REVEAL], pair.owner, everything)
        != stream(DUEL, pair.two[BEFORE_REVEAL], pair.owner, everything)
        for pair in pairs()
    )


def test_everyone_sees_it_once_it_is_revealed() -> None:
    """After the reveal the streams differ for everybody, and the journal shows the secret."""
    for pair in pairs():
        assert stream(DUEL, pair.one, None, everything)[-1] != stream(DUEL, pair.two, None, everything)[-1]


def leaky_scoreboard(s: State, log: Any) -> Scoreboard:
    """Return a scoreboard that leaks a secret."""
    board = duel_game.scoreboard(s, log)
    return replace(board, panel={"order": s.order.peek() if s.order else None, "glove": s.glove and s.glove.peek()})


def leaky_call(s: State) -> Play:
    """Run a play whose event leaks a secret."""
    assert s.glove is not None
    assert s.order is not None
    s.emit("called", away=s.glove.peek(), home=s.order.peek()["first"])
    yield from duel_game.call(s)


def leaky_next(s: State) -> Any:
    """Return the next play, where one of them leaks."""
    play = duel_game.next_play(s)
    return leaky_call if play is duel_game.call else play


def open_lay(s: State) -> Play:
    """Run a play that asks openly instead of in secret."""
    s.step += 1
    answers = yield from ask_together(
        Choose("home", "glove", duel_game.GLOVES), Arrange("away", "order", duel_game.PLAYERS, ("first", "second"))
    )
    s.glove, s.order = SealedValue("home", answers["home"], 0), SealedValue("away", answers["away"], 1)


def raw_journal(table: Table, seat: Seat | None) -> Any:
    """Return the raw stored journal."""
    return [entry_json(entry) for entry in table.journal]


def own_and_others(table: Table, seat: Seat | None) -> Any:
    """Return the view of the other seat."""
    return json_data(table.view_for("home" if seat == "away" else "away"))


def open_refusals(table: Table, seat: Seat | None) -> Any:
    """Return errors that list the legal answers of a secret ask."""
    return [
        words_of(one.ask.ask.validate_answer, "no such thing") for one in table.answers if isinstance(one.ask, Secret)
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "look"),
    [
        (replace(DUEL, scoreboard=leaky_scoreboard), everything),
        (replace(DUEL, next_play=leaky_next), everything),
        (replace(DUEL, next_play=lambda s: open_lay if s.step == 0 else duel_game.next_play(s)), everything),
        (DUEL, raw_journal),
        (DUEL, own_and_others),
        (DUEL, open_refusals),
        (DUEL, lambda table, seat: [str(one.value) for one in table.answers]),
        (DUEL, lambda table, seat: len(getattr(dict(table.open_asks()).get(7), "ask", Choose("home", "", ())).options)),
    ],
    ids=["scoreboard", "event", "unsealed", "journal", "wrong eyes", "refusal", "answers", "size of a hand"],
)
def test_a_planted_leak_is_caught(game: Rulebook, look: Look) -> None:
    """Each deliberate leak makes some pair differ, so the test above can fail."""
    assert 0 < leaks(game, look)


def test_a_pending_answer_of_a_together_is_hidden_although_not_secret() -> None:
    """Views and journal show one seat's call only when the other has called too."""
    table = duel_game.played(3)
    assert {"seat": "home", "n": 3, "value": HIDDEN_TEXT} == table.redacted_entries("away")[-1]
    assert {"seat": "home", "n": 3, "value": HIDDEN_TEXT} == table.redacted_entries(None)[-1]
    assert {"seat": "home", "n": 3, "value": "tails"} == table.redacted_entries("home")[-1]
    table.correct_answer(3, "heads")
    assert {"amend": 3, "value": HIDDEN_TEXT} == table.redacted_entries("away")[-1]
    table.answer_ask("away", 2, "heads")
    assert [HIDDEN_TEXT, "heads", "heads"] == [entry["value"] for entry in table.redacted_entries("away")][2:]


def test_a_journal_shows_a_secret_from_its_reveal_on() -> None:
    """An answer undone before the reveal stays hidden."""
    table = duel_game.played(2)
    table.undo(0)
    for seat, n, value in moves():
        table.answer_ask(seat, n, value)
    values = [entry.get("value") for entry in table.redacted_entries(None)]
    assert [HIDDEN_TEXT, HIDDEN_TEXT, None, "high"] == values[:4]
    assert "seven" in values
    assert table.redacted_entries(None)[3:] == [entry_json(entry) for entry in table.journal][3:]


def test_an_undone_secret_stays_visible_in_the_journal_after_its_reveal() -> None:
    """Undo does not make anybody forget, so the journal still shows it; the table hides it again."""
    table = duel_game.played(9)
    table.undo(9)
    assert "high" == table.redacted_entries(None)[0]["value"]
    assert HIDDEN_TEXT == json_data(table.view_for(None))["scoreboard"]["panel"]["glove"]


def test_sealed_hides_in_every_form() -> None:
    """The value is not in its repr or text, and converting it to JSON fails."""
    sealed = SealedValue("home", "ace of spades", 3)
    assert "Sealed(owner='home', n=3)" == repr(sealed) == str(sealed) == f"{sealed}"
    with pytest.raises(TypeError):
        json.dumps(sealed)
    assert hash(SealedValue("home", "ace of hearts", 3)) == hash(sealed)
    assert SealedValue("home", "ace of hearts", 3) != sealed
    assert "ace of spades" != sealed
    assert sealed == copy.deepcopy(sealed) == pickle.loads(pickle.dumps(sealed))


@dataclass(frozen=True)
class Nest:
    """A dataclass with a secret deep inside."""

    inside: Mapping[str, Any]


def test_view_opens_only_a_seats_own_secrets_at_any_depth() -> None:
    """In tuples, mappings, sets, dataclasses and other secrets."""
    deep = Nest(
        {
            "a": (SealedValue("home", 1, 0), [SealedValue("away", SealedValue("home", 2, 1), 2)]),
            "b": frozenset({"y", "x"}),
        }
    )
    assert {"inside": {"a": [HIDDEN_TEXT, [HIDDEN_TEXT]], "b": ["x", "y"]}} == redacted_data(deep, None)
    assert {"inside": {"a": [1, [HIDDEN_TEXT]], "b": ["x", "y"]}} == redacted_data(deep, "home")
    assert {"inside": {"a": [HIDDEN_TEXT, [HIDDEN_TEXT]], "b": ["x", "y"]}} == redacted_data(deep, "away")
    assert {str(SealedValue("home", "key", 1)): 1} == redacted_data({SealedValue("home", "key", 1): 1}, None)
    with pytest.raises(TypeError, match="no view of a object"):
        redacted_data(object(), None)


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
@pytest.mark.parametrize("seat", [None, "away", "home"])
def test_json_shows_no_more_than_a_view(game: Rulebook, seat: Seat | None) -> None:
    """Checked for the scoreboard, events and asks of a running game, and for nested seals."""
    table, random = Table(game, [house_deck(game)]), Random(5)
    for _ in range(60):
        n, ask = table.open_asks()[0]
        table.answer_ask(ask.seat, n, random_player.pick_answer(table.ask_view(n, ask, ask.seat, dealer=True), random))
    nested = {"inner": SealedValue("home", (SealedValue("away", {"card": 1}, 2), frozenset({3})), 1)}
    for value in (table.scoreboard(), [told.event for told in table.log], table.outcome, nested):
        assert json.loads(redacted_json(value, seat)) == json.loads(json.dumps(redacted_data(value, seat)))


@dataclass(frozen=True)
class Due:
    """A panel entry with a seat."""

    Ada: bool


@dataclass(frozen=True)
class Order(GamePanel):
    """A panel that contains another dataclass."""

    order: tuple[str, ...]
    due: Due


def test_a_panel_is_read_as_a_mapping() -> None:
    """With the names of its fields, in order."""
    panel = Order(("Ada",), Due(True))
    assert {"order": ("Ada",), "due": Due(True)} == dict(panel)
    assert ({"order": ["Ada"], "due": {"Ada": True}}, 2) == (redacted_data(panel, None), len(panel))
    assert panel.get("keys", "none") == "none"


def test_open_data_is_shown_unchanged() -> None:
    """At any depth in a view and in JSON; a string that looks like its placeholder is left alone."""
    plain = {"order": ["Ada", "Bo"], "due": {"Ada": True}}
    opened = [
        PublicData(data) for data in (Order(("Ada", "Bo"), Due(True)), {"order": ("Ada", "Bo"), "due": Due(True)})
    ]
    assert [plain, plain] == [redacted_data(one, None) for one in opened]
    inner = opened[0]
    for beside in ("word", "\0", '"\0"'):
        value = {"one": inner, "beside": [beside, SealedValue("home", inner, 1)], "two": (inner, PublicData({}))}
        seen: dict[Seat | None, Any] = {None: HIDDEN_TEXT, "away": HIDDEN_TEXT, "home": plain}
        for seat, sealed in seen.items():
            expected = {"one": plain, "beside": [beside, sealed], "two": [plain, {}]}
            assert expected == redacted_data(value, seat)
            assert json.dumps(expected) == redacted_json(value, seat)
    assert json.dumps(plain) == redacted_json(inner, None)


def test_the_json_of_open_data_is_built_once() -> None:
    """The text is the same object each time."""
    data = PublicData({"name": "Ada"})
    assert data.json_text is data.json_text


def test_open_data_cannot_contain_a_secret() -> None:
    """It is the same for everybody, so a secret in it is refused, even for its owner."""
    with pytest.raises(TypeError, match="Sealed"):
        redacted_json([PublicData({"glove": SealedValue("home", "high", 1)})], "home")
