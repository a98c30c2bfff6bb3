"""Which game begins: its pace, with the house rules that this sets, and whom the coach helps."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from device.storage.decks import DeckLibrary, house_deck
from device.storage.store import Store
from device.table.game_choice import GameChoice
from device.table.past_games import PastGames
from device.table.session import GameSession
from engine.errors import HouseRuleError, IllegalAnswer
from engine.games import GAMES
from engine.table import Table

BALL = GAMES["small-ball"]


class Choice:
    """A session, and the choice of its game."""

    def __init__(self, folder: Path) -> None:
        self.store = Store(folder / "journal.db")
        self.session = GameSession(
            self.store,
            lambda: Table(BALL, [house_deck(BALL)], {}),
            league_labels=lambda settings: ({seat: key.title() for seat, key in settings.people.items()}, ""),
        )
        past = PastGames(folder / "journal.db", lambda: self.session.game.number, lambda game, place: False)
        self.games = GameChoice(self.session.game, self.store, DeckLibrary(folder), past, lambda: None)

    def house(self, *keys: str) -> list[str]:
        return [self.session.game.table.house[key] for key in keys]

    @property
    def helped(self) -> list[str]:
        return sorted(self.session.game.settings.assisted)


@pytest.fixture
def choice(tmp_path: Path) -> Iterator[Choice]:
    made = Choice(tmp_path)
    yield made
    made.store.close()


def test_a_pace_sets_its_house_rules(choice: Choice) -> None:
    """What is chosen besides replaces them, and quick helps each person, but no computer."""
    choice.games.begin_game("small-ball", [], {}, game_pace="quick")
    assert (["3", "allow"], ["away", "home"]) == (choice.house("innings", "bankWithZero"), choice.helped)
    chosen = {"innings": "6", "bankWithZero": "refuse"}
    choice.games.begin_game("small-ball", [], chosen, managers={"home": "rookie"}, game_pace="quick")
    assert (["6", "refuse"], ["away"]) == (choice.house("innings", "bankWithZero"), choice.helped)
    choice.games.begin_game("small-ball", [], {}, game_pace="classic")
    assert (["6", "allow"], []) == (choice.house("innings", "bankWithZero"), choice.helped)
    choice.games.begin_game("small-ball", [], {})
    assert (["9"], []) == (choice.house("innings"), choice.helped)


def test_a_rematch_at_another_pace_changes_only_what_the_pace_sets(choice: Choice) -> None:
    """Without a pace all stays."""
    choice.games.begin_game("small-ball", [], {"bankWithZero": "refuse"}, game_pace="quick")
    for pace, innings, helped in (("", "3", ["away", "home"]), ("box", "9", []), ("quick", "3", ["away", "home"])):
        choice.games.begin_rematch(game_pace=pace)
        assert ([innings, "refuse"], helped) == (choice.house("innings", "bankWithZero"), choice.helped)
    choice.games.begin_rematch(game_pace="quick", innings="6")
    assert ["6"] == choice.house("innings")


def test_an_unknown_pace_changes_nothing(choice: Choice) -> None:
    before = choice.session.game.number
    with pytest.raises(HouseRuleError, match="no pace 'slow'"):
        choice.games.begin_game("small-ball", [], {}, game_pace="slow")
    with pytest.raises(HouseRuleError, match="no pace 'slow'"):
        choice.games.begin_rematch(game_pace="slow")
    assert before == choice.session.game.number


def test_who_manages_is_stored_and_shown(choice: Choice) -> None:
    """A rematch keeps the people, but for those whose seat a computer takes. A key that cannot be one is refused."""
    choice.games.begin_game("small-ball", [], {}, people={"away": "ann", "home": "bo"})
    assert choice.session.game.settings.people == {"away": "ann", "home": "bo"}
    assert choice.session.game.view_for("home").people == {"away": "Ann", "home": "Bo"}
    choice.games.begin_rematch()
    assert choice.session.game.settings.people == {"away": "ann", "home": "bo"}
    choice.games.begin_rematch(managers={"home": "ruth"})
    assert choice.session.game.settings.people == {"away": "ann"}
    with pytest.raises(IllegalAnswer):
        choice.games.begin_game("small-ball", [], {}, people={"home": "No key"})
    assert choice.session.game.settings.people == {"away": "ann"}
