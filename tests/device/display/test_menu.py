"""The seven buttons: what they do to game and display."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from device.display import screens_32, screens_64
from device.display.pages import PAGE_TIME_S
from device.shapes import GameSummary
from device.storage.decks import house_deck
from device.storage.store import Store, StoreError
from device.table.session import GameSession
from engine.games import GAMES
from engine.journal import Source
from engine.table import Table
from engine.views import GameName, json_data
from tests.device.display.menus import JOIN, Games, Joining, menu
from tests.device.display.views import checked
from tests.device.throws import thrown
from tests.vision.tints import row

GAME = GAMES["small-ball"]


@dataclass
class Bench:
    """A menu, its session, and what it called."""

    session: GameSession
    called: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.menu = menu(self.session, games=Games(self.called))

    def press(self, *buttons: str) -> None:
        for button in buttons:
            self.menu.handle_press(button)


@pytest.fixture
def at(tmp_path: Path) -> Iterator[Bench]:
    store = Store(tmp_path / "journal.db")
    yield Bench(GameSession(store, lambda: Table(GAME, [house_deck(GAME)], {"awayTeam": "red"})))
    store.close()


def why(at: Bench) -> str:
    _, ask = at.session.game.table.open_asks()[0]
    return ask.why


def test_a_new_table_welcomes_with_the_way_to_join(at: Bench) -> None:
    """Until the first answer the display shows how to join; the first press only puts that away. Then the buttons
    choose."""
    assert at.menu.current_picture().tobytes() == screens_64.draw_join_screen(*JOIN).tobytes()
    at.press("away-previous")
    assert (at.menu.current_screen, why(at)) == ("game", "decision")
    at.press("away-next", "away-ok")
    assert why(at) == "at-bat"
    assert at.session.game.view_for(None).table.last.startswith("Tug Barlow")


def test_a_remote_has_the_buttons_of_the_seat_that_is_asked(tmp_path: Path) -> None:
    """It has three keys, not six: here the home side, which lays out its line-up first."""
    store, game = Store(tmp_path / "journal.db"), GAMES["bottom-of-the-9th"]
    at = Bench(GameSession(store, lambda: Table(game, [house_deck(game)])))
    at.press("next")
    before = json_data(at.session.game.view_for(None))["dial"]
    at.press("next")
    after = json_data(at.session.game.view_for(None))["dial"]
    assert ("home", "home") == (at.session.game.table.open_asks()[0][1].seat, after["seat"])
    assert before["label"] != after["label"]
    at.press("ok")
    assert why(at) != "lineup"
    store.close()


@pytest.mark.parametrize("size", [screens_64, screens_32], ids=["64", "32"])
def test_the_welcome_says_which_game_it_is_and_how_to_go_on(size: Any, tmp_path: Path) -> None:
    """That takes turns with how to join, which stays longer, since phones must scan it."""
    now, store = [0.0], Store(tmp_path / "journal.db")
    session = GameSession(store, lambda: Table(GAME, [house_deck(GAME)], {"awayTeam": "red"}), clock=lambda: now[0])
    shown = menu(session, draw=size)
    pages = []
    for _ in range(4):
        pages.append(checked(shown.current_picture))
        now[0] += PAGE_TIME_S
        assert 0 == shown.seconds_left
    store.close()
    join, about = pages[0], pages[2]
    assert [join, join, about, join] == pages
    assert "Small Ball Press > to play. Hold undo for the menu." == " ".join(about)


def test_ok_on_the_join_screen_lets_a_phone_in(at: Bench) -> None:
    """It shows an invitation, a fresh one as soon as the old one is stale; any press puts that away."""
    invitations = iter("abc")
    lasts = iter((3.0, 0.0))
    scan = ("http://dugout.local/in#", "10.0.0.7")
    at.menu = menu(at.session, Joining(invites=lambda: (*scan, next(invitations) * 16), lasts=lambda: next(lasts)))
    for press in ("away-ok", "undo"):
        at.menu._show_screen("join")
        at.menu.handle_press("home-ok")
        assert "scan" == at.menu.current_screen
        at.menu.handle_press(press)
        assert "game" == at.menu.current_screen
    at.menu._show_screen("join")
    at.menu.handle_press("home-ok")
    assert at.menu.current_picture().tobytes() == screens_64.draw_scan_screen(*scan, "a" * 16).tobytes()
    assert [3.0, 0.0] == [at.menu.seconds_left, at.menu.seconds_left]
    assert at.menu.current_picture().tobytes() == screens_64.draw_scan_screen(*scan, "b" * 16).tobytes()
    at.menu._show_screen("join")
    at.menu.handle_press("home-next")
    assert ("game", "decision") == (at.menu.current_screen, why(at))


def test_the_join_screen_of_the_menu_stays(at: Bench) -> None:
    """An answer from a phone ends the welcome. Opened during a game it stays until a press, for guests who come late;
    they still see the die that is about to count."""
    at.session.seats.answer_ask("away", 0, "bat", Source.PHONE)
    at.menu.current_picture()
    assert at.menu.current_screen == "game"
    at.press("menu", "away-next", "away-ok")
    assert at.menu.current_picture().tobytes() == screens_64.draw_join_screen(*JOIN).tobytes()
    at.session.rolls.handle_throw(thrown(row(4), at.session.game.clock() + 1))
    assert at.menu.current_screen == "join"
    assert at.menu.current_picture().tobytes() != screens_64.draw_join_screen(*JOIN).tobytes()


def test_the_other_seats_buttons_are_refused_in_words(at: Bench) -> None:
    """A press of the seat that is not asked changes nothing, and the notice says so."""
    at.press("away-next", "home-ok")
    assert at.session.game.view_for(None).notice == "Nothing for you to do right now. It's up to Lanterns."
    assert why(at) == "decision"


def test_undo_takes_back(at: Bench) -> None:
    """A shown roll goes first, and the answer before it stays; in the menu it leaves that."""
    at.press("away-next", "away-ok", "menu", "away-next", "undo")
    assert (at.menu.current_screen, why(at)) == ("game", "at-bat")
    at.session.rolls.handle_throw(thrown(row(4), at.session.game.clock() + 1))
    at.press("undo")
    assert (None, "at-bat") == (at.session.game.view_for(None).proposal, why(at))
    at.press("undo")
    assert why(at) == "decision"
    at.press("undo")
    assert at.session.game.view_for(None).notice == "There's nothing to undo."


def test_the_menu_goes_round(at: Bench) -> None:
    """It can send the display to sleep, and shut down, as a long hold does."""
    at.press("menu", "away-previous", "away-previous", "away-ok")
    assert (["sleep"], 0) == (at.called, at.session.game.view_for(None).table.version)
    at.press("menu", "away-previous")
    at.press("home-ok")
    assert at.called == ["sleep", "shutdown"]
    assert at.menu.current_picture().tobytes() == screens_64.draw_goodbye("Shutting down").tobytes()
    other = Bench(at.session)
    other.press("menu", "shutdown")
    assert (other.called, other.menu.current_screen) == (["shutdown"], "bye")


def test_after_the_end_any_press_offers_a_new_game(at: Bench) -> None:
    at.press("away-next")
    table = at.session.game.table
    while not table.outcome:
        n, ask = table.open_asks()[0]
        thrown = 2 if ask.seat == "away" else 1
        at.session.seats.answer_ask(
            ask.seat, n, [thrown] if ask.why == "at-bat" else decide(at, ask.seat), Source.PHONE
        )
        table = at.session.game.table
    at.press("home-ok")
    assert at.menu.current_screen == "menu"
    at.press("home-next", "home-next", "home-ok", *["home-next"] * 3, "home-ok")
    assert at.called == ["again box"]


def test_a_new_game_in_the_middle_of_one_is_asked_twice(at: Bench) -> None:
    """Two presses too many do not end a game: the first answer of the second question is no."""
    at.press("away-next", "away-ok")
    at.press("menu", "away-next", "away-next", "away-ok", "away-ok")
    assert (at.called, at.menu.current_screen, why(at)) == ([], "game", "at-bat")
    at.press("menu", "away-next", "away-next", "away-ok", "away-next", "away-ok")
    assert at.called == ["again quick"]


def test_a_full_game_of_clutch_needs_phones(tmp_path: Path) -> None:
    """The menu says so before it begins, and offers the games that need none."""
    clutch = GAMES["clutch"]
    store = Store(tmp_path / "journal.db")
    session = GameSession(store, lambda: Table(clutch, [house_deck(clutch)], {}))
    for downs, called in enumerate(([], ["again box"], ["again box real"], ["again box players"])):
        at = Bench(session)
        at.press("menu", "menu", "away-next", "away-next", "away-ok", *["away-next"] * 3, "away-ok")
        at.press(*["away-next"] * downs, "away-ok")
        assert called == at.called
    store.close()


def decide(at: Bench, seat: str) -> str:
    """Away banks its first run; home always bats on and busts."""
    if why(at) != "decision":
        return at.session.game.table.open_asks()[0][1].options[0]  # type: ignore[union-attr]
    return "bank" if seat == "away" and at.session.game.table.scoreboard().stake else "bat"


@pytest.fixture
def shelf(at: Bench) -> list[int]:
    """Put two games aside, one with a long name; return the list of those that are resumed."""
    taken: list[int] = []
    game = GameName("small-ball", "Small Ball")
    known = (False, True, False, None, None, None, 4, "top of inning 1, 0 to 0", False)
    names = {12: "The long autumn league of the Lanterns", 7: ""}
    games = [GameSummary(number, game, name, "", "", *known) for number, name in names.items()]

    def take(game: int) -> bool:
        taken.append(game)
        return game == 12

    at.menu = menu(at.session, games=Games(kept=lambda: games, takes=take))
    return taken


def labels(at: Bench) -> list[str]:
    return [item.label for item in at.menu._items]


def test_a_game_put_aside_is_taken_up_with_buttons(at: Bench, shelf: list[int]) -> None:
    """After a second question if a game is under way; each has its number, since the display may cut its name. Where
    nothing is lost nobody is asked. A game that no longer exists is reported."""
    at.press("menu", *["away-next"] * 3, "away-ok", *["away-next"] * 2, "away-ok")
    assert [7] == shelf
    assert "Game 7 no longer exists." == at.session.game.view_for(None).notice
    shelf.clear()
    at.press("away-ok", "away-ok", "menu")
    assert "Paused games" == labels(at)[3]
    at.press(*["away-next"] * 3, "away-ok")
    assert ["Back to game", "12 The long autumn league of the Lanterns", "7 Small Ball"] == labels(at)
    at.menu.current_picture()
    at.press("away-next", "away-ok")
    assert (["No, keep playing", "Yes, resume 12"], []) == (labels(at), shelf)
    at.press("away-ok")
    assert ("game", []) == (at.menu.current_screen, shelf)
    at.press("menu", *["away-next"] * 3, "away-ok", "away-next", "away-ok", "away-next", "away-ok")
    assert ("game", [12]) == (at.menu.current_screen, shelf)


def test_without_games_put_aside_the_menu_is_short(at: Bench) -> None:
    """Also if they cannot be read."""
    at.press("menu")
    assert "Paused games" not in labels(at)

    def broken() -> list[GameSummary]:
        raise StoreError("The games cannot be read.")

    at.menu = menu(at.session, games=Games(kept=broken))
    at.press("menu")
    assert ("menu", False) == (at.menu.current_screen, "Paused games" in labels(at))


def test_ask_me_less(tmp_path: Path) -> None:
    """The menu lists the topics of each seat; each OK sets the next time, and stays on the topic."""
    store, game = Store(tmp_path / "less.db"), GAMES["seventh-inning-stretch"]
    at = Bench(GameSession(store, lambda: Table(game, [house_deck(game)], {"mode": "duel"})))
    at.press("away-ok", "menu", *["home-next"] * 4, "home-ok", *["home-next"] * 2, "home-ok")
    when = []
    at.press("home-next", "home-next")
    for _ in range(4):
        at.press("home-ok")
        when.append(at.session.game.view_for(None).standing["home"].topics[1].when)
    assert ["runners", "seventh", "never", "always"] == when
    at.press(*["home-next"] * (labels(at).index("Only what matters: off") - 2))
    assisted = []
    for label in ("Only what matters: on", "Only what matters: off"):
        at.press("home-ok")
        assisted.append(at.session.game.view_for(None).standing["home"].assisted)
        assert label in labels(at)
    assert [True, False] == assisted
    assert {"always"} == {topic.when for topic in at.session.game.view_for(None).standing["away"].topics}
    store.close()


def test_the_menu_waits_where_ok_answers_the_seats_own_question(tmp_path: Path) -> None:
    """Only a seat that is asked less, and that does not wait already, finds it there, after its topics."""
    store, game = Store(tmp_path / "wait.db"), GAMES["seventh-inning-stretch"]
    at = Bench(GameSession(store, lambda: Table(game, [house_deck(game)], {"mode": "duel"})))
    ((_, ask),) = at.session.game.table.open_asks()
    seat = ask.seat
    topics = ["away-ok", "menu", *["home-next"] * 4, "home-ok", *["home-next"] * (1 + (seat == "home")), "home-ok"]
    at.press(*topics)
    assert "Wait: ask everything" not in labels(at)
    at.press("home-next", *["home-ok"] * 3, "home-previous")
    assert "Wait: ask everything" == labels(at)[-1]
    at.press("home-previous", "home-ok")
    assert ("game", True) == (at.menu.current_screen, at.session.game.view_for(None).standing[seat].waiting)
    assert ask == at.session.game.table.open_asks()[0][1]
    at.press(*topics[1:])
    assert "Wait: ask everything" not in labels(at)
    store.close()


def test_another_rulebook_is_begun_with_buttons(at: Bench) -> None:
    """The pace comes first, then the way to play that is left: without phones, where only a phone can show what is
    dealt, and alone or for two."""
    told: list[str] = []
    for title, *choices, begun in (
        ("Small Ball", "Quick", "again quick"),
        ("RallyBird", "Quick", "Dealt: a phone each", "rallybird quick"),
        ("RallyBird", "As in the box", "Real cards", "rallybird box real"),
        ("Clutch", "Quick", "clutch quick"),
        ("Clutch", "Classic", "Full: a phone each", "clutch classic"),
        ("Clutch", "As in the box", "Full: real cards", "clutch box real"),
        ("Clutch", "As in the box", "Players: no phones", "clutch box players"),
        ("7th Inning Stretch", "As in the box", "Season: one player", "seventh-inning-stretch box season"),
        ("7th Inning Stretch", "Quick", "Duel: real cards", "seventh-inning-stretch quick duel real"),
    ):
        at.menu = menu(at.session, games=Games(told))
        at.press("away-ok", "menu")
        way = ("New game",) if title == "Small Ball" else ("Other rulebook", title)
        for label in (*way, *choices):
            while at.menu._items[at.menu._index].label != label:
                at.press("away-next")
            at.press("away-ok")
        assert (begun, "welcome") == (told[-1], at.menu.current_screen)


@pytest.mark.parametrize("size", [screens_64, screens_32], ids=["64", "32"])
def test_the_odds_of_a_roll_take_a_turn(tmp_path: Path, size: Any) -> None:
    """While the dice are awaited, and not of a decision."""
    with closing(Store(tmp_path / "journal.db")) as store:
        now = [0.0]
        session = GameSession(store, lambda: Table(GAME, [house_deck(GAME)], {"awayTeam": "red"}), clock=lambda: now[0])
        screens = menu(session, draw=size)
        screens.handle_press("away-next")

        def pages() -> str:
            found = list[str]()
            for _ in range(12):
                now[0] += PAGE_TIME_S
                found += checked(screens.current_picture)
            return " ".join(found)

        assert " in 6: " not in pages()
        session.seats.answer_ask("away", 0, "bat", Source.PHONE)
        assert "1 in 6: walks." in pages()


@pytest.mark.parametrize("size", [screens_64, screens_32], ids=["64", "32"])
def test_the_note_of_an_option_takes_a_turn(tmp_path: Path, size: Any) -> None:
    """The odds of a steal, once the cursor is on it, before the question."""
    with closing(Store(tmp_path / "journal.db")) as store:
        now = [0.0]
        session = GameSession(store, lambda: Table(GAME, [house_deck(GAME)], {"awayTeam": "red"}), clock=lambda: now[0])
        screens = menu(session, draw=size)
        session.seats.answer_ask("away", 0, "bat", Source.PHONE)
        session.seats.answer_ask("away", 1, [2], Source.PHONE)

        def pages() -> str:
            found = list[str]()
            for _ in range(8):
                found += checked(screens.current_picture)
                now[0] += PAGE_TIME_S
            return " ".join(found)

        assert " in 6" not in pages()
        for label, note in (("Hit-and-run", ""), ("Sacrifice", "works 4 in 6"), ("Steal 2nd", "safe 4 in 6")):
            screens.handle_press("away-next")
            shown = pages()
            assert label in shown
            assert (f"{label}: {note}" in shown) == bool(note)
            assert (" in 6" in shown) == bool(note)
