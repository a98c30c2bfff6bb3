"""Nothing gives away what a manager chose in secret: not the views of others, the journal, the time, nor the order.

Two tables go on from the same moment, and differ only in what the manager chooses. All that others see is written down,
moment by moment, and must be the same until the rules open it. Planted managers that leak are caught.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from device.inputs.computer_managers import ComputerManagers
from device.inputs.random_player import pick_answer
from device.storage.decks import house_deck
from device.storage.store import Store
from device.table import automatic_draws
from device.table.session import GameSession
from engine.ask_views import AnyAskView
from engine.asks import DiceAsk
from engine.games import GAMES
from engine.seats import SEATS, Seat, opposite_seat
from engine.table import Table
from engine.views import TableView, json_data
from managers.manager import GameSetup, Manager, WeighedAnswer, build_manager, next_decision, next_manager_ask
from tests.device.stored_games import Clock

HIDES: Mapping[str, Mapping[str, str]] = {"bottom-of-the-9th": {}, "rallybird": {}, "clutch": {}}
"""Games in which a seat chooses in secret."""


class Fixed:
    """A manager that gives one answer. `thinks` moves the clock, and `says` is its reason.

    `look` is what others see now, for a manager that thinks long.
    """

    def __init__(self, value: Any, thinks: Callable[[], None] = lambda: None, says: str = "A plain reason.") -> None:
        self.value, self.thinks, self.says = value, thinks, says
        self.look: Callable[[], None] = lambda: None

    def study_cards(self, view: TableView | None = None) -> bool:
        return False

    def costless_answers(self, view: TableView, ask: AnyAskView) -> Collection[Any]:
        return ()

    def weigh_answers(self, view: TableView, ask: AnyAskView) -> Sequence[WeighedAnswer]:
        self.thinks()
        return [WeighedAnswer(self.value, 0.5, 1.0, self.says)]


def fixed(value: Any, says: str = "A plain reason.") -> Callable[[Clock], Fixed]:
    return lambda clock: Fixed(value, says=says)


@cache
def secret_choice(key: str, seat: Seat) -> tuple[Table, list[Any]]:
    """Return a table at which this seat chooses in secret, and two answers that the rules do not show to others.
    Do not change it.
    """
    game, chance = GAMES[key], Random(11)
    table = Table(game, [house_deck(game)], HIDES[key])
    while True:
        ask = next_manager_ask(table.view_for(seat))
        if ask is not None and ask.secret:
            values = [ask.random_answer(Random(one)) for one in range(20)]
            pair = [values[0], next((one for one in values if one != values[0]), values[0])]
            shown = []
            for value in pair:
                twin = table.clone()
                twin.answer_ask(seat, ask.n, value)
                shown.append([json_data(twin.view_for(audience)) for audience in (None, opposite_seat(seat))])
            if pair[0] != pair[1] and shown[0] == shown[1]:
                return table, pair
        if table.outcome:
            table = Table(game, [house_deck(game)], HIDES[key])
        n, inner = chance.choice(table.open_asks())
        table.answer_ask(inner.seat, n, pick_answer(table.ask_view(n, inner, inner.seat, dealer=True), chance))


def watched(folder: Path, table: Table, seat: Seat, made: Callable[[Clock], Fixed], pace: str) -> list[str]:
    """Return all that others see of a table while its manager decides, in steps of an eighth of a second."""
    folder.mkdir()
    store, clock = Store(folder / "journal.db"), Clock()
    session = GameSession(store, lambda: table.clone(), clock=clock)
    session.managed.assign_manager(seat, "regular")
    session.managed.set_pace(pace)
    mind = made(clock)
    managers, seen = ComputerManagers(session, Random(1), lambda setup, strength: mind), list[str]()
    start, journal, entries = clock.now, list[Any](), -1

    def look() -> None:
        nonlocal journal, entries
        session.tick()
        shown = [json_data(session.game.view_for(audience)) for audience in (None, opposite_seat(seat))]
        if entries != len(session.game.table.journal):
            entries = len(session.game.table.journal)
            journal = [session.game.table.redacted_entries(audience) for audience in (None, opposite_seat(seat))]
        seen.append(json.dumps([round(clock.now - start, 3), shown, journal], default=str))

    mind.look = look
    for step in range(60):
        clock.now = max(clock.now, start + step / 8)
        managers.answer_due_asks()
        look()
    assert len(session.game.table.journal) > len(table.journal), "it did not answer"
    store.close()
    return seen


@pytest.mark.parametrize("pace", ["instant", "normal"])
@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("key", HIDES)
def test_two_choices_look_the_same(tmp_path: Path, key: str, seat: Seat, pace: str) -> None:
    table, (one, another) = secret_choice(key, seat)
    seen = [watched(tmp_path / str(i), table, seat, fixed(value), pace) for i, value in enumerate((one, another))]
    assert seen[0] == seen[1]


def slow(value: Any, seconds: float) -> Callable[[Clock], Fixed]:
    """A manager that thinks for so long, while others look at the table eight times a second."""

    def made(clock: Clock) -> Fixed:
        def thinks() -> None:
            for _ in range(round(seconds * 8)):
                clock.now += 1 / 8
                one.look()

        one = Fixed(value, thinks)
        return one

    return made


@pytest.mark.parametrize("pace", ["instant", "normal"])
@pytest.mark.parametrize("key", HIDES)
def test_what_it_thinks_about_says_nothing_of_a_secret(tmp_path: Path, key: str, pace: str) -> None:
    """Everybody reads that it thinks: the same words at the same times, whatever it chooses and however long it takes
    within its pace.
    """
    table, (one, another) = secret_choice(key, "away")
    minds = [slow(one, 2.2), slow(another, 2.2)] + ([slow(one, 0.3), slow(one, 1.4)] if pace == "normal" else [])
    seen = [watched(tmp_path / str(i), table, "away", mind, pace) for i, mind in enumerate(minds)]
    assert seen[0] == seen[1]
    assert any('"thinking": "' in moment and '"thinking": ""' not in moment for moment in seen[0])
    if pace == "normal":
        quick, long = ({json.loads(one)[0]: json.loads(one)[1] for one in moments} for moments in seen[2:])
        for time in quick.keys() & long.keys():
            assert [view["managers"] for view in quick[time]] == [view["managers"] for view in long[time]]


def test_a_manager_that_thinks_longer_about_one_choice_is_caught(tmp_path: Path) -> None:
    """Up to half a second nobody notices; more shows, and the probe sees it. A real one chooses by chance only after it
    has thought, so its time cannot depend on the choice.
    """
    table, (one, another) = secret_choice("bottom-of-the-9th", "away")
    quick = watched(tmp_path / "quick", table, "away", fixed(one), "instant")
    assert quick != watched(tmp_path / "slow", table, "away", slow(another, 1.3), "instant")


def test_a_reason_shown_too_early_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its reason may name its choice, because it is shown once that is open: with that rule gone, the probe sees it."""
    table, values = secret_choice("bottom-of-the-9th", "away")

    def seen(name: str) -> list[list[str]]:
        return [
            watched(tmp_path / f"{name}{i}", table, "away", fixed(value, f"I chose {value}."), "instant")
            for i, value in enumerate(values)
        ]

    first, second = seen("kept")
    assert first == second
    with monkeypatch.context() as patch:
        patch.setattr(Table, "hidden_numbers", lambda table: set())
        first, second = seen("told")
    assert first != second


# Reasons over whole games ----------------------------------------------------------------------------------------

RULES: Mapping[str, Mapping[str, str]] = {key: {} for key in GAMES} | {
    "seventh-inning-stretch": {"mode": "duel", "cards": "dealt"}
}

ANSWERS = 160
"""Answers of the part of a game whose reasons are read."""


def names(value: Any) -> set[str]:
    """Return what may be the name of a card in a view: every short text with a capital and no full stop."""
    match value:
        case dict():
            return set().union(*map(names, value.values()))
        case list():
            return set().union(*map(names, value))
        case str() if re.fullmatch(r"[A-Z][^.:?]{3,29}", value):
            return {value}
    return set()


@cache
def regular(key: str) -> Manager:
    """The usual manager of a game with the house deck: what it works out once serves every test."""
    game = GAMES[key]
    return build_manager(GameSetup(key, (house_deck(game),), game.resolve_house_rules(RULES[key])), "regular")


def reasons(key: str, seats: Sequence[Seat], spoil: Callable[[TableView, str], str]) -> Iterator[tuple[str, set[str]]]:
    """Play with managers in these seats; yield each reason with the names that only its own seat knows then."""
    game, chance = GAMES[key], Random(5)
    table, made = Table(game, [house_deck(game)], game.resolve_house_rules(RULES[key])), regular(key)
    waiting: list[tuple[int, Seat, str]] = []
    for _ in range(ANSWERS):
        if table.outcome:
            return
        n, ask = chance.choice(table.open_asks())
        view = table.view_for(ask.seat)
        if ask.seat in seats and not isinstance(ask, DiceAsk) and n not in automatic_draws.open_draws(table):
            decision = next_decision(made, view, chance) if next_manager_ask(view) else None
            if decision is not None and decision.n == n:
                table.answer_ask(ask.seat, n, decision.value)
                if decision.reason:
                    waiting.append((n, ask.seat, spoil(view, decision.reason)))
            else:
                table.answer_ask(ask.seat, n, pick_answer(table.ask_view(n, ask, ask.seat, dealer=True), chance))
        else:
            table.answer_ask(ask.seat, n, pick_answer(table.ask_view(n, ask, ask.seat, dealer=True), chance))
        hidden = table.hidden_numbers()
        for one in [one for one in waiting if one[0] not in hidden]:
            waiting.remove(one)
            others = names(json_data(table.view_for(None))) | names(json_data(table.view_for(opposite_seat(one[1]))))
            yield one[2], names(json_data(table.view_for(one[1]))) - others


@pytest.mark.parametrize(
    "seats",
    [
        pytest.param(("away", "home"), id="both"),
        *(pytest.param((seat,), id=seat, marks=pytest.mark.slow) for seat in SEATS),
    ],
)
@pytest.mark.parametrize("key", GAMES)
def test_no_reason_names_what_only_its_seat_knows(key: str, seats: Sequence[Seat]) -> None:
    """Such as a card that is still in hand."""
    for reason, secret in reasons(key, seats, lambda view, reason: reason):
        assert not [name for name in secret if name in reason], reason


def test_a_reason_that_names_a_card_in_hand_is_caught() -> None:
    """A planted manager of Clutch tells what else it holds."""

    def spoil(view: TableView, reason: str) -> str:
        return json.dumps(json_data(view), default=str)

    told = reasons("clutch", ("away", "home"), spoil)
    assert any(name in reason for reason, secret in told for name in secret)
