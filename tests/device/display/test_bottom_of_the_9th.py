"""Bottom of the 9th on the display: count and fatigue, the stare-down that reveals nothing, the race."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from device.display import content, lettering, screens_32, screens_64
from device.display.games.bottom_of_the_9th import result_text, target_text
from device.display.pages import PAGE_TIME_S, RESULT_PAGE_TIME_S, PageRotation
from device.storage.decks import house_deck
from device.table.entry.answer_entry import build_entry
from engine.seats import SEATS, Seat, opposite_seat
from engine.table import Table
from engine.views import AudienceView, json_data
from tests.device.display.views import a_view, changed, checked, everything, faces, names, of_table, sentences
from tests.engine.games.bottom_of_the_9th.fixture import at
from tests.engine.games.bottom_of_the_9th.fixture import stare as throwing
from tests.engine.games.bottom_of_the_9th.random_cards import box
from tests.engine.games.bottom_of_the_9th.test_random_cards import start
from tests.engine.tables import pick, play
from tests.web.games.bottom_of_the_9th import GAME, PITCHES, contact, give, ninth, race, stare


def shown(table: Table, **more: Any) -> list[str]:
    return checked(lambda: screens_64.draw_game(of_table(table, **more)))


def race_view(table: Table, confirm: Any = None, **changes: dict[str, Any]) -> dict[str, Any]:
    return {**json_data(race(table, **changes)), "confirm": confirm}


def test_upper_half() -> None:
    """Count, outs, each fatigue token under its word, and the inning are shown; the even score is not."""
    table = stare(ninth(), "inside-low", "away-low")
    assert ["B", "S", "O", "inside", "1", "high", "0", "9"] == shown(table)[:8]
    assert {"Visitors", "Roll 2 dice."} <= set(shown(table))
    setting_up = shown(Table(GAME, [house_deck(GAME)]))
    assert {"Visitors", "Home", "0"} <= set(setting_up)


@pytest.mark.parametrize("draw", [screens_64.draw_game, screens_32.draw_game])
def test_count(draw: Callable[[AudienceView], Image.Image]) -> None:
    board = json_data(ninth().view_for(None))["scoreboard"]
    pictures = {
        draw(a_view(board=board | {"count": [balls, strikes], "outs": outs})).tobytes()
        for balls, strikes, outs in itertools.product(range(4), range(3), range(3))
    }
    assert 4 * 3 * 3 == len(pictures)


@pytest.mark.parametrize("draw", [screens_64.draw_game, screens_32.draw_game], ids=["64", "32"])
def test_fatigue_is_explained(draw: Callable[[AudienceView, PageRotation], Image.Image]) -> None:
    """What the numbers of both tokens mean takes turns with the question."""
    said = everything(draw, of_table(ninth()))
    words = "inside 0, high 0: 0 is fresh, 3 exhausted."
    assert set(words.split()) <= set(said.split())


@pytest.mark.parametrize("bottom", range(2, 6))
@pytest.mark.parametrize("floor", [0, 1])
def test_fatigue(bottom: int, floor: int) -> None:
    """Wherever the tokens lie, both are readable and no two places look alike."""
    board = json_data(ninth().view_for(None))["scoreboard"]
    pictures = set()
    for rows in itertools.product(range(floor, bottom + 1), repeat=2):
        track = {"direction": rows[0], "location": rows[1], "floor": floor, "bottom": bottom}
        panel = board["panel"] | {"fatigue": track | {"ace": ["inside", "high"], "exhausted": []}}
        view = a_view(board=board | {"panel": panel})
        assert list(map(str, rows)) == checked(lambda: screens_64.draw_game(view))[4:7:2]  # noqa: B023 - at once
        pictures.add(screens_64.draw_game(view).tobytes())
    assert (bottom + 1 - floor) ** 2 == len(pictures)


def test_stare_down() -> None:
    """While they choose, the display says who is ready, and below the line nothing else, whatever a dial holds."""
    table = ninth()
    dial = {"seat": "home", "n": 4, "label": "secret", "index": None, "count": None, "touched": True}
    titles = {ask.seat: content.decision_title(ask) for ask in table.view_for(None).asks}
    assert ["Visitors", titles["away"], "Home", titles["home"]] == shown(table, dial=dial)[8:]
    give(table, "home", "away-low")
    assert ["Visitors", titles["away"], "Home", "ready"] == shown(table, missing=["No camera."])[8:]
    assert "Home: choose again." in shown(table, notice="Home: choose again.")


def test_open_tokens() -> None:
    """Where real tokens are turned over and entered openly, the dial is shown as for any other choice."""
    table = ninth({"tokens": "open"})
    n, ask = next((n, ask) for n, ask in table.open_asks() if ask.seat == "home")
    words = shown(table, dial=build_entry(table.ask_view(n, ask, None)).entry_view())
    assert "Inside, high" in words
    assert "ready" not in words


def pictures(draw: Callable[[Table], Image.Image], first: Seat) -> set[bytes]:
    """The pictures of the stare-down for each pair of choices, when `first` has chosen and the other has not."""
    found = set()
    for thrown, guess in itertools.product(PITCHES, repeat=2):
        table = ninth()
        give(table, first, {"away": thrown, "home": guess}[first])
        found.add(draw(table).tobytes())
        give(table, opposite_seat(first), {"home": thrown, "away": guess}[first])
        assert "ready" not in shown(table), "both have chosen, and it is opened"
    return found


@pytest.mark.parametrize("first", SEATS)
def test_the_picture_tells_no_secret(first: Seat) -> None:
    """For all sixteen pairs of choices the picture before the reveal is the same, bit by bit."""
    assert 1 == len(pictures(lambda table: screens_64.draw_game(of_table(table)), first))


@pytest.mark.parametrize("first", SEATS)
def test_a_leak_is_seen(first: Seat) -> None:
    """The same look at a display that lets a seat's own answer through finds four pictures."""

    def leaky(table: Table) -> Image.Image:
        image = screens_64.draw_game(of_table(table))
        lettering.draw_text(image, 1, 40, *json_data(table.view_for(first))["given"].values())
        return image

    assert 4 == len(pictures(leaky, first))


def test_race() -> None:
    table = contact(ninth())
    ready = shown(table, race=race_view(table, away={"face": 6, "state": "ready"}, home={"state": "void"}))
    assert ["RACE!", "first to 5 or 6", "Visitors", "5 or 6", "?", "Home", "5 or 6"] == ready[:7]
    assert ["OK!", "void", "roll again"] == ready[7:]
    assert "4, 5, 6" in shown(table, race=race_view(table, home={"wins": [4, 5, 6]}))
    assert "first to win" in shown(table, race=race_view(table, home={"wins": [4, 5, 6]}))


@pytest.mark.parametrize("draw", [screens_64.draw_game, screens_32.draw_game], ids=["64", "32"])
def test_a_race_says_what_it_decides(draw: Callable[[AudienceView, PageRotation], Image.Image]) -> None:
    """Until a die lies, after the dice come in turn what each side has to do, and what its call brings."""
    view = of_table(contact(ninth()), race=race_view(contact(ninth())))
    words = {word for ask in view.table.asks for word in ask.sentence.split()}
    assert words <= set(everything(draw, view).split())
    begun = changed(view, race=race_view(contact(ninth()), home={"face": 3}))
    pages = {page for turn in range(9) for page in checked(lambda: draw(begun, PageRotation(turn * PAGE_TIME_S)))}  # noqa: B023
    assert not {"Home: Roll the red die", "Roll the red die over"} & pages


@pytest.mark.parametrize("draw", [screens_64.draw_game, screens_32.draw_game], ids=["64", "32"])
def test_the_play_before_a_race_is_shown_first(draw: Callable[[AudienceView, PageRotation], Image.Image]) -> None:
    """It says why there is a race; the sides may roll at once, as stands below it."""
    view, words = of_table(contact(ninth()), race=race_view(contact(ninth()))), "Contact!"
    first = checked(lambda: draw(view, PageRotation(told=words)))
    assert words in first
    assert 2 == first.count("roll")
    assert words not in checked(lambda: draw(view, PageRotation(told=words, since=RESULT_PAGE_TIME_S)))


def test_race_states() -> None:
    """No two faces and no two ways to stand look alike."""
    table = contact(ninth())
    found = {
        screens_64.draw_game(of_table(table, race=race_view(table, home={"face": face, "state": state}))).tobytes()
        for face in (None, 1, 2, 3, 4, 5, 6)
        for state in ("rolling", "ready", "void", "called", "confirm")
    }
    assert 7 * 5 == len(found)


def test_race_to_confirm() -> None:
    """A call that nothing backs is asked about, with the dial to say what the die shows."""
    table = contact(ninth())
    asked = race_view(
        table, away={"state": "confirm"}, confirm={"seat": "away", "n": 6, "sentence": "What does it show?"}
    )
    dial = {"seat": "away", "n": 6, "label": "It shows 5", "index": 1, "count": 4, "touched": False}
    words = shown(table, race=asked, dial=dial)
    assert "Visitors called: what does the die show?" == " ".join(words[-3:-1])
    assert "It shows 5" == words[-1]
    assert "Too early: roll again." in shown(table, race=asked, notice="Too early: roll again.")


@pytest.mark.parametrize(("winner", "call"), [("home", "SAFE"), ("away", "OUT")])
def test_race_won(winner: Seat, call: str) -> None:
    """How the race ended stands beside what is asked next if there is room, until the next pitch is opened."""
    table = contact(ninth())
    assert not result_text(table.view_for(None).scoreboard)
    give(table, winner, 5)
    assert call == result_text(table.view_for(None).scoreboard)
    view = of_table(table)
    short = changed(view, table={"asks": [replace(ask, title="Relief") for ask in view.table.asks]})
    assert call in checked(lambda: screens_64.draw_game(short))
    give(table, "away", "none")
    assert not result_text(stare(table).view_for(None).scoreboard)


DRAWS = pytest.mark.parametrize("draw", [screens_64.draw_game, screens_32.draw_game])


def told(draw: Callable[..., Image.Image], table: Table) -> str:
    """Return all that is shown in turn, with a short title, so that there is room for the last dice."""
    view = of_table(table)
    return everything(draw, changed(view, table={"asks": [replace(ask, title="Next") for ask in view.table.asks]}))


@DRAWS
def test_dice_are_shown_as_they_count(draw: Callable[..., Image.Image]) -> None:
    """Control 4 is a 5 by an ability of the pitcher, and a swing of 3 a 2: so they are compared, and so they stand."""
    table = throwing(at(batter="F-DULL", pitcher="F-PIT", count="0-2"), "inside-low", "away-high")
    play(table, [4, "S"])
    assert "Control 5, S." in told(draw, table)
    assert "= 5 S" in told(draw, table)
    play(table, 3)
    assert "2 v 5 S" in told(draw, table)


@DRAWS
def test_dice_that_count_as_rolled_are_drawn(draw: Callable[..., Image.Image]) -> None:
    table = play(throwing(at(count="0-2"), "inside-low", "away-high"), [4, "S"])
    assert "Control 4, S." in told(draw, table)
    assert "= 4" not in told(draw, table)
    assert " v " not in told(draw, play(table, 3))


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(st.integers(0, 1 << 32))
def test_what_counts_is_on_the_display(seed: int) -> None:
    """In games with random abilities: whenever a number that is compared is not the one that was rolled."""
    chance = random.Random(seed)
    table = start(box(chance), {})
    while table.open_asks() and len(table.journal) < 120:
        view = of_table(table)
        pitch = view.table.scoreboard.panel["pitch"]
        counts, rolled = pitch["count"], {die: pitch[die] for die in pitch["count"]}
        compared = [die for die in ("control", "swing") if counts[die] is not None] if counts["bonus"] is None else []
        if any(ask.why == "swing" for ask in view.table.asks):
            assert f"Control {counts['control']}, {counts['letter']}." == target_text(
                view.table.scoreboard, view.table.asks
            )
        if not view.table.scoreboard.panel["race"]["result"] and any(counts[die] != rolled[die] for die in compared):
            assert {str(counts[die]) for die in compared} <= set(result_text(view.table.scoreboard).split())
        ((n, ask), *_) = table.open_asks()
        table.answer_ask(ask.seat, n, pick(ask, chance.randrange(1 << 30)))


def test_over() -> None:
    table = ninth()
    for _ in range(4):
        contact(table, "away-low", "away-low")
        give(table, "home", 5)
        if table.open_asks():
            give(table, "away", "none")
    assert {"Home", "1", "Visitors", "0", "Home wins with a run in", "the ninth."} == set(shown(table))


stands = st.fixed_dictionaries(
    {
        "wins": st.lists(st.integers(1, 6), min_size=1, max_size=6, unique=True),
        "face": st.none() | st.integers(1, 6),
        "state": st.sampled_from(["rolling", "ready", "void", "called", "confirm"]),
        "words": st.just(""),
    }
)


@pytest.mark.slow
@settings(max_examples=80, deadline=None)
@given(names, names, stands, stands, st.none() | sentences, st.booleans(), sentences, faces)
def test_race_always_fits(
    visitors: str, home: str, one: Any, two: Any, notice: str | None, asked: bool, label: str, thrown: Any
) -> None:
    """Whatever the race holds, every letter on the glass is whole and nothing lies over it."""
    table = contact(ninth())
    confirm = {"seat": "home", "n": 1, "sentence": label} if asked else None
    dial = {"seat": "home", "n": 1, "label": label, "index": 0, "count": 3, "touched": True} if asked else None
    sides = {"away": {"name": visitors}, "home": {"name": home}}
    run = race_view(table, away=one, home=two, confirm=confirm)
    view = changed(of_table(table, race=run, notice=notice, dial=dial), board={"sides": sides})
    checked(lambda: screens_64.draw_game(view))
    rolled = changed(view, race=None, board={"dice": [face for face in thrown if face is not None]})
    checked(lambda: screens_64.draw_game(rolled))
    asked_again = changed(rolled, table={"asks": ninth().view_for(None).asks})
    checked(lambda: screens_64.draw_game(asked_again))
