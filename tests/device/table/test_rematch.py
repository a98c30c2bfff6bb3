"""A rematch begins once all people ask for it, and the series counts who won the games before."""

from __future__ import annotations

from contextlib import closing
from functools import cache
from pathlib import Path
from random import Random

import pytest

from device.inputs import random_player
from device.storage.decks import DeckLibrary
from device.storage.store import Store
from device.table.game_choice import GameChoice
from device.table.past_games import PastGames
from device.table.preset_answers import SeatSettings
from device.table.session import GameSession
from engine.asks import Roll
from engine.errors import IllegalAnswer
from engine.journal import Answer, Source
from engine.seats import Seat, opposite_seat
from engine.table import Table
from tests.device import stored_games


@cache
def played() -> Table:
    """A game of Small Ball that is over."""
    table, chance = stored_games.table(), Random(5)
    while asks := table.open_asks():
        n, ask = asks[0]
        table.answer_ask(ask.seat, n, random_player.pick_answer(table.ask_view(n, ask, ask.seat), chance))
    return table


def winner() -> Seat:
    outcome = played().outcome
    assert outcome is not None
    won: Seat | None = outcome.winner
    assert won is not None
    return won


class Evening:
    """A table whose first game is over; `codes` counts the new codes, one for each game."""

    def __init__(self, store: Store) -> None:
        self.session = GameSession(store, lambda: played().clone(), show=0)
        past = PastGames(store.path, lambda: self.session.game.number, lambda game, place: False)
        library, self.codes = DeckLibrary(store.path.parent / "decks"), list[int]()
        self.games = GameChoice(self.session.game, store, library, past, lambda: self.codes.append(1))

    @property
    def wanted(self) -> list[Seat]:
        return list(self.session.game.view_for(None).rematch)

    @property
    def series(self) -> str:
        return self.session.game.view_for(None).series

    def finish(self) -> Seat | None:
        """Play the game on the table to its end at random. Return the winner."""
        game, chance = self.session.game, Random(8)
        while asks := game.live.open_asks():
            n, ask = asks[0]
            value = random_player.pick_answer(game.live.ask_view(n, ask, ask.seat), chance)
            game.submit_entry(Answer(ask.seat, n, value), Source.PHONE)
        outcome = game.live.outcome
        won: Seat | None = outcome.winner if outcome else None
        return won


@pytest.fixture
def evening(store: Store) -> Evening:
    return Evening(store)


def test_both_seats_tap(evening: Evening) -> None:
    """One alone waits, and may take it back; the second begins it, once, with a new code."""
    evening.games.agree_to_rematch("away", True)
    assert ["away"] == evening.wanted
    evening.games.agree_to_rematch("away", False)
    assert [] == evening.wanted
    evening.games.agree_to_rematch("home", True)
    assert (1, []) == (evening.session.game.number, evening.codes)
    evening.games.agree_to_rematch("away", True)
    assert (2, [1], []) == (evening.session.game.number, evening.codes, evening.wanted)
    with pytest.raises(IllegalAnswer, match="isn't over"):
        evening.games.agree_to_rematch("home", True)


def test_nobody_waits_for_a_computer(evening: Evening) -> None:
    settings = evening.session.game.settings
    evening.session.game.save_seat_settings(settings.with_manager(evening.session.game.live, "home", "regular"))
    evening.games.agree_to_rematch("away", True)
    assert 2 == evening.session.game.number
    assert "home" in evening.session.game.view_for(None).managers


def test_what_is_undone_or_corrected_voids_the_taps(evening: Evening) -> None:
    """They were for the game as it ended: after another end, everybody taps again."""
    evening.games.agree_to_rematch("away", True)
    evening.session.game.undo_answers()
    assert [] == evening.wanted
    with pytest.raises(IllegalAnswer, match="isn't over"):
        evening.games.agree_to_rematch("home", True)
    last = played().answers[-1]
    evening.session.game.submit_entry(played().journal[last.entry], Source.PHONE)
    assert [] == evening.wanted
    evening.games.agree_to_rematch("home", True)
    assert ["home"] == evening.wanted
    first = next(one for one in evening.session.game.live.answers if isinstance(one.ask, Roll))
    evening.session.game.correct_roll(first.n, [first.value[0] % 6 + 1])
    assert [] == evening.wanted


def test_a_tap_outlives_a_restart(tmp_path: Path) -> None:
    with closing(Store(tmp_path / "journal.db")) as store:
        Evening(store).games.agree_to_rematch("away", True)
    with closing(Store(tmp_path / "journal.db")) as store:
        again = Evening(store)
        assert ["away"] == again.wanted
        again.games.agree_to_rematch("home", True)
        assert 2 == again.session.game.number


def test_the_series_counts_rematches(evening: Evening) -> None:
    """From its second game on; a game that was not finished counts for nobody."""
    name = played().scoreboard().sides[winner()].name
    assert "" == evening.series
    evening.games.begin_rematch()
    assert f"{name} lead the series 1–0." == evening.series
    evening.games.begin_rematch()
    assert f"{name} lead the series 1–0." == evening.series
    again = evening.finish() == winner()
    assert (f"{name} lead the series 2–0." if again else "The series is tied, 1–1.") == evening.series
    evening.session.game.undo_answers()
    assert f"{name} lead the series 1–0." == evening.series


@pytest.mark.parametrize(("wins", "words"), [((1, 2), "lead the series 2–1."), ((2, 2), "The series is tied, 2–2.")])
def test_the_series_in_words(evening: Evening, wins: tuple[int, int], words: str) -> None:
    evening.games.begin_rematch()
    game = evening.session.game
    game.save_seat_settings(SeatSettings(wins=dict(zip(("Lanterns", "Owls"), wins, strict=True))))
    game.publish_again()
    assert evening.series.endswith(words)
    if wins[0] != wins[1]:
        assert evening.series.startswith(game.side_name("home"))


def test_wins_go_with_the_side(evening: Evening) -> None:
    """Where the other side bats first in the rematch, so that the sides change seats."""
    name = played().scoreboard().sides[winner()].name
    evening.games.begin_rematch(awayTeam="blue")
    assert "Owls" == evening.session.game.view_for(None).table.scoreboard.sides["away"].name
    assert f"{name} lead the series 1–0." == evening.series


def test_a_verb_agrees_with_the_name(evening: Evening) -> None:
    game = evening.session.game
    named = Table(game.live.game, game.live.decks, game.live.house, names={"away": "Leo", "home": "The Otters"})
    for wins, words in (
        ({"Leo": 1}, "Leo leads the series 1–0."),
        ({"The Otters": 1}, "The Otters lead the series 1–0."),
    ):
        game.begin_game(named, SeatSettings(wins=wins))
        assert words == evening.series


def test_another_opponent_begins_another_series(evening: Evening) -> None:
    """So does a new game; the same computer at another strength does not."""
    evening.games.begin_rematch()
    evening.games.begin_rematch(managers={"home": "rookie"})
    assert "" == evening.series
    game = evening.session.game
    game.save_seat_settings(SeatSettings(managers={"home": "rookie"}, wins={"Owls": 1}))
    evening.games.begin_rematch(managers={"home": "regular"})
    assert evening.series
    evening.games.begin_game("small-ball", [], {})
    assert "" == evening.series


def test_the_home_team_stays_at_home(evening: Evening) -> None:
    """As in a real series: seats, names and sides stay."""
    before = evening.session.game.view_for(None).table.scoreboard
    evening.games.begin_rematch()
    after = evening.session.game.view_for(None).table.scoreboard
    assert [before.sides[seat].name for seat in ("away", "home")] == [
        after.sides[seat].name for seat in ("away", "home")
    ]
    assert opposite_seat(winner()) in after.plays
