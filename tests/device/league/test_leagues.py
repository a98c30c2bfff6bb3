"""The leagues of a table: their definitions, fixtures on the table, and which games and people belong to them."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from device.analysis.background import BackgroundAnalysis
from device.league.game_labels import GameLabels
from device.league.leagues import Leagues
from device.storage.decks import DeckLibrary, house_deck
from device.storage.league_files import LeagueFiles
from device.storage.people_file import PeopleFile
from device.storage.store import Store
from device.table.game_choice import GameChoice
from device.table.past_games import PastGames
from device.table.session import GameSession
from engine.errors import DeckError, IllegalAnswer, LeagueError
from engine.games import GAMES
from engine.journal import Source
from engine.league.league import Fixture, League, LeagueGame
from engine.league.views import BookGame, BookView
from engine.table import Table
from managers.simulation import answer_one_ask, random_decision
from tests.device.league.made_leagues import made_league, store_deck

BALL = GAMES["small-ball"]


class Evening:
    """A table with leagues, whose threads do not run: `simulate` and `count` do their work."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        files, people = LeagueFiles(folder / "leagues"), PeopleFile(folder / "people.json")
        self.store = Store(folder / "journal.db")
        self.session = GameSession(
            self.store,
            lambda: Table(BALL, [house_deck(BALL)], {"innings": "3"}),
            league_labels=GameLabels(files, people).game_labels,
        )
        self.past = past = PastGames(self.store.path, lambda: self.session.game.number, lambda game, place: False)
        library = DeckLibrary(folder / "decks")
        self.games = GameChoice(self.session.game, self.store, library, past, lambda: None)
        self.leagues = Leagues(files, people, self.session, self.store, self.games, library, Random(1))

    def simulate(self) -> None:
        while self.leagues._simulation.simulate_next():
            pass
        self.count()

    def count(self) -> None:
        assert self.leagues._updates.update()

    def book(self, key: str = "summer") -> BookView:
        found = self.leagues.books.book_view(key)
        assert found
        return found

    def fixtures(self, key: str = "summer") -> dict[int, BookGame]:
        page = self.leagues.books.games_page(key)
        assert page
        return {one.fixture.number: one for one in page.games if one.fixture}

    def finish(self) -> int:
        """Play the game on the table to its end, and return its number."""
        game, random = self.session.game, Random(2)
        while (table := game.table).outcome is None:
            answer_one_ask(table, {"away": random_decision, "home": random_decision}, random)
            game.submit_entry(table.journal[-1], Source.PHONE)
        self.count()
        return game.number


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    made = Evening(tmp_path)
    yield made
    made.leagues.stop()
    made.store.close()


def summer(evening: Evening, **changes: Any) -> League:
    league = made_league(**{"count": 4, **changes})
    evening.leagues.save_league(league, new=True)
    return league


# Definitions -----------------------------------------------------------------------------------------------------


def test_a_league_is_created_once(evening: Evening) -> None:
    league = summer(evening)
    assert evening.book().league == league
    with pytest.raises(LeagueError, match="there is a league summer already"):
        evening.leagues.save_league(league, new=True)
    with pytest.raises(LeagueError, match="is gone"):
        evening.leagues.save_league(replace(league, key="winter"))


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"decks": ("gone",)}, "Terns and Gulls cannot play: gone: is not among the decks"),
        ({"game": "seventh-inning-stretch", "house": {}}, "is more than one game"),
        ({"house": {"innings": "7"}}, "house and pace: innings can be"),
        ({"game": "rallybird", "house": {}, "deck": "house"}, "all teams play with the same cards"),
        ({"person": "nobody"}, "team 3, person: that person is gone"),
    ],
)
def test_a_league_that_cannot_be_played_is_refused(evening: Evening, changes: dict[str, Any], why: str) -> None:
    fields = {name: changes.pop(name) for name in ("deck", "person") if name in changes}
    league = made_league(**{"count": 4, **changes})
    teams = [*league.teams]
    teams[2] = replace(teams[2], **fields)
    with pytest.raises(LeagueError, match=why):
        evening.leagues.save_league(replace(league, teams=teams), new=True)
    assert not evening.leagues.books.book_list().books


def test_what_was_played_must_stay(evening: Evening) -> None:
    """Also what people have only begun. Names and managers may change."""
    league = summer(evening)
    evening.leagues.simulate_fixtures("summer", 1)
    evening.simulate()
    evening.leagues.begin_fixture("summer", 2)
    new = [replace(league.teams[0], name="Skuas"), *league.teams[1:]]
    evening.leagues.save_league(replace(league, teams=new))
    evening.count()
    assert evening.book().teams["terns"].name == "Skuas"
    one, two = evening.fixtures()[1], evening.fixtures()[2]
    assert (one.state, two.state) == ("final", "playing")
    for changed, why in (
        (replace(league, teams=league.teams[:2]), "have played in this league, so they must stay"),
        (replace(league, teams=league.teams[::-1]), "so it must stay"),
        (replace(league, game="rallybird", house={}), "game: games of this league were played"),
        (replace(league, format="fixtures", listed=[Fixture(1, 1, one.away, one.home)]), "game 3 was begun for it"),
    ):
        with pytest.raises(LeagueError, match=why):
            evening.leagues.save_league(changed)
    assert evening.book().teams["terns"].name == "Skuas"
    evening.leagues.save_league(replace(league, meetings=2))


def test_a_deleted_league_leaves_its_games(evening: Evening) -> None:
    """The one on the table too. A new league with the same key has none of them."""
    summer(evening)
    evening.leagues.simulate_fixtures("summer", "day")
    evening.simulate()
    evening.leagues.begin_fixture("summer", 3)
    assert evening.session.game.view_for(None).league == "Summer league, round 2"
    evening.leagues.delete_league("summer")
    assert evening.session.game.view_for(None).league == ""
    assert evening.leagues.books.book_view("summer") is None
    assert evening.leagues.game_league(2) == (None, {})
    with pytest.raises(LeagueError, match="gone"):
        evening.leagues.delete_league("summer")
    summer(evening)
    evening.count()
    assert {one.state for one in evening.fixtures().values()} == {"open"}
    assert evening.book("small-ball").summary.games == 2


def test_fixtures_and_teams_are_imported(evening: Evening) -> None:
    """People are found by name or added. A text with a fault changes nothing, and adds nobody."""
    league = made_league(count=4, format="fixtures", listed=(Fixture(1, 1, "terns", "gulls"),))
    evening.leagues.save_league(league, new=True)
    assert evening.leagues.import_fixtures("summer", "date,away,home\n2026-04-01,Terns,Gulls\n,Stilts,Plovers\n") == 2
    assert len(evening.fixtures()) == 2
    ann = evening.leagues.save_person("", "Ann", "red")
    text = "team,name,person\nterns,Skuas,ann\ngulls,,Bo\nstilts,,\n"
    assert evening.leagues.import_teams("summer", text) == 2
    people = {one.name: one.key for one in evening.leagues.people()}
    assert people.keys() == {"Ann", "Bo"}
    found = evening.book().league
    assert found
    assert [team.person for team in found.teams] == [ann.key, people["Bo"], "", ""]
    with pytest.raises(LeagueError, match="line 3"):
        evening.leagues.import_teams("summer", "team,person\nterns,Cy\nwrens,Dee\n")
    with pytest.raises(LeagueError, match="line 2"):
        evening.leagues.import_fixtures("summer", "away,home\nTerns,Wrens\n")
    assert (len(evening.leagues.people()), len(evening.fixtures())) == (2, 2)
    evening.leagues.simulate_fixtures("summer", 2)
    evening.simulate()
    with pytest.raises(LeagueError, match="must stay"):
        evening.leagues.import_fixtures("summer", "away,home\nTerns,Gulls\n")


def test_a_name_that_cannot_be_stored_saves_no_league(evening: Evening) -> None:
    """Nor does it add the other people. The same league can be saved once the name is mended."""
    with pytest.raises(LeagueError, match="at most 24"):
        evening.leagues.save_league(made_league(), new=True, people={"terns": "Cy", "gulls": "x" * 25})
    assert (evening.leagues.people(), evening.leagues.books.book_list().books) == ([], [])
    evening.leagues.save_league(made_league(), new=True, people={"terns": "Cy"})
    with pytest.raises(LeagueError, match="at most 24"):
        evening.leagues.import_teams("summer", f"team,person\nterns,Dee\ngulls,{'x' * 25}\n")
    assert [one.name for one in evening.leagues.people()] == ["Cy"]


def test_the_table_does_not_wait_for_a_league(evening: Evening) -> None:
    """While one is being changed, which may count games first, deleting it leaves the game's lock to the table."""
    summer(evening)
    deletion = threading.Thread(target=evening.leagues.delete_league, args=("summer",))
    with evening.leagues._changes._changing:
        deletion.start()
        deletion.join(0.2)
        assert evening.session.game.lock.acquire(timeout=0.0)
        evening.session.game.lock.release()
    deletion.join(10)
    assert evening.leagues.books.book_view("summer") is None


def test_a_computed_league_has_no_list(evening: Evening) -> None:
    summer(evening)
    with pytest.raises(LeagueError, match="computes its fixtures"):
        evening.leagues.import_fixtures("summer", "away,home\nTerns,Gulls\n")


# Fixtures on the table -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_a_fixture_of_every_game_is_begun_and_resumed(evening: Evening, game: str) -> None:
    summer(evening, game=game, count=2)
    evening.leagues.begin_fixture("summer", 1)
    number = evening.session.game.number
    view = evening.session.game.view_for(None)
    assert (view.game.key, view.league) == (game, "Summer league, round 1")
    assert set(view.managers) == {"away", "home"}
    evening.count()
    assert evening.fixtures()[1].state == "playing"
    with pytest.raises(LeagueError, match="it is on the table"):
        evening.leagues.begin_fixture("summer", 1)
    evening.games.begin_game("small-ball", [], {})
    evening.count()
    assert (evening.fixtures()[1].state, evening.fixtures()[1].number) == ("paused", number)
    (offer,) = evening.leagues.next_fixtures()
    assert (offer.fixture.number, offer.paused) == (1, number)
    evening.leagues.begin_fixture("summer", 1)
    assert evening.session.game.number == number


def test_two_phones_begin_a_fixture_once(evening: Evening) -> None:
    summer(evening)

    def begin(_: int) -> str:
        try:
            evening.leagues.begin_fixture("summer", 1)
        except LeagueError as error:
            return str(error)
        return ""

    with ThreadPoolExecutor(4) as phones:
        said = sorted(phones.map(begin, range(4)))
    assert said == ["", *["fixture 1: it is on the table."] * 3]
    assert evening.session.game.number == 2


def test_a_played_fixture_counts(evening: Evening) -> None:
    """Once for each fixture. It is then neither begun nor simulated again."""
    ann = evening.leagues.save_person("", "Ann", "red")
    league = made_league(count=2)
    evening.leagues.save_league(
        replace(league, teams=[replace(team, person=ann.key) for team in league.teams]), new=True
    )
    evening.leagues.begin_fixture("summer", 1, ["home"])
    view = evening.session.game.view_for(None)
    assert (view.people, set(view.managers)) == ({"away": "Ann"}, {"home"})
    evening.session.managed.assign_manager("home", None)
    number = evening.finish()
    assert evening.fixtures()[1].number == number
    assert sum(row.wins + row.losses + row.ties for row in evening.book().standings) == 2
    for begin in (evening.leagues.begin_fixture, evening.leagues.simulate_fixtures):
        with pytest.raises(LeagueError, match=f"it was played, in game {number}"):
            begin("summer", 1)
    assert evening.book().champion or evening.fixtures()[1].winner == ""


def test_own_decks(evening: Evening) -> None:
    """A deck that is gone is named before anything changes."""
    store_deck(evening.folder / "decks", "woods", "small-ball", ('"Lanterns"', '"Foxes"'), ('"Owls"', '"Jays"'))
    league = made_league(count=2)
    teams = [
        replace(team, deck="woods", cards=name) for team, name in zip(league.teams, ("Jays", "Foxes"), strict=True)
    ]
    evening.leagues.save_league(replace(league, teams=teams), new=True)
    evening.leagues.begin_fixture("summer", 1)
    assert {side.name for side in evening.session.game.live.scoreboard().sides.values()} == {"Terns", "Gulls"}
    assert evening.session.game.live.decks[0].title in ("Jays – Foxes", "Foxes – Jays")
    (evening.folder / "decks" / "woods.toml").unlink()
    number = evening.session.game.number
    evening.games.begin_game("small-ball", [], {})
    evening.leagues.set_game_league(number, None)
    with pytest.raises(DeckError, match="woods"):
        evening.leagues.begin_fixture("summer", 1)
    assert evening.session.game.number == number + 1


def test_a_simulated_game_can_be_analyzed(evening: Evening) -> None:
    """As any other: its story, and the review of each computer's decisions."""
    summer(evening, count=2)
    evening.leagues.simulate_fixtures("summer", 1)
    evening.simulate()
    number = evening.fixtures()[1].number
    analysis = BackgroundAnalysis(evening.session, evening.past, "full")
    assert analysis.game_analysis(number) is None
    analysis.update()
    found = analysis.game_analysis(number)
    assert found
    assert found.story
    assert set(found.review or ()) == {"away", "home"}


def test_the_choice_of_rosters_is_nobodys_answer(evening: Evening) -> None:
    """People cannot undo it, and a restart keeps it."""
    cards = DeckLibrary(evening.folder).load_decks(GAMES["clutch"], [])[0].cards
    rosters = [card.fields["name"] for card in cards if card.kind == "roster"]
    league = made_league("clutch")
    teams = [replace(team, cards=name) for team, name in zip(league.teams, rosters, strict=False)]
    evening.leagues.save_league(replace(league, teams=teams), new=True)
    evening.leagues.begin_fixture("summer", 1)
    evening.session.managed.assign_manager("away", None)
    with pytest.raises(IllegalAnswer, match="nothing to undo"):
        evening.session.game.undo_answers()
    saved = evening.store.current_game()
    assert saved
    assert set(saved.sources) == {Source.HOUSE}


# Stored games ----------------------------------------------------------------------------------------------------


def test_a_game_is_added_removed_and_friendly(evening: Evening) -> None:
    """On the table or not. Later changes of the game on the table keep it."""
    summer(evening)
    fixture = evening.fixtures()[1]
    game = LeagueGame("summer", 1, fixture.away, fixture.home)
    evening.leagues.set_game_league(1, game)
    evening.session.managed.set_pace("brisk")
    assert evening.leagues.game_league(1) == (game, {})
    assert evening.session.game.view_for(None).league == "Summer league, round 1"
    number = evening.finish()
    assert evening.fixtures()[1].number == number == 1
    evening.games.begin_game("small-ball", [], {})
    evening.leagues.set_game_league(1, replace(game, friendly=True))
    evening.count()
    assert evening.fixtures()[1].state == "open"
    assert evening.book().summary.games == 0
    evening.leagues.set_game_league(1, replace(game, fixture=0))
    evening.count()
    assert (evening.fixtures()[1].state, evening.book().summary.games) == ("open", 1)
    evening.leagues.set_game_league(1, None)
    evening.count()
    assert evening.book().summary.games == 0


def test_only_a_game_that_fits_is_added(evening: Evening) -> None:
    summer(evening)
    evening.leagues.save_league(replace(made_league("rallybird"), key="birds"), new=True)
    one = evening.fixtures()[1]
    evening.leagues.simulate_fixtures("summer", 1)
    evening.simulate()
    evening.leagues.save_league(replace(made_league("clutch"), key="cards"), new=True)
    evening.games.begin_game("clutch", [], {"series": "3"})
    series = evening.session.game.number
    evening.games.begin_game("seventh-inning-stretch", [], {"mode": "season"})
    good = LeagueGame("summer", 1, one.away, one.home)
    for number, game, why in (
        (99, good, "There is no game 99"),
        (1, replace(good, league="winter"), "There is no league winter"),
        (1, replace(good, league="birds", fixture=0, away="terns", home="gulls"), "which this league does not play"),
        (1, replace(good, away="wrens"), "is not a team of Summer league"),
        (1, replace(good, home=good.away), "two different teams"),
        (1, replace(good, fixture=77), "has none of this number"),
        (1, replace(good, fixture=2), "other teams play it"),
        (1, good, "game 2 counts for it already"),
        (series, LeagueGame("cards", 0, "terns", "gulls"), "is more than one game"),
    ):
        with pytest.raises(LeagueError, match=why):
            evening.leagues.set_game_league(number, game)
    assert evening.leagues.game_league(1) == (None, {})
    evening.leagues.set_game_league(1, replace(good, friendly=True))
    evening.leagues.set_game_league(2, good)


def test_a_damaged_game_joins_no_league(evening: Evening) -> None:
    """Unlike one that already belongs to a league: that can be removed from it."""
    summer(evening)
    evening.games.begin_game("small-ball", [], {})
    with evening.store._db as db:
        db.execute("update game set header = '{' where id = 1")
    with pytest.raises(LeagueError, match="cannot be read"):
        evening.leagues.set_game_league(1, LeagueGame("summer", 0, "terns", "gulls"))
    evening.leagues.set_game_league(1, None)
    assert evening.leagues.game_league(1) == (None, {})


def test_a_season_of_one_is_no_league_game(evening: Evening) -> None:
    summer(evening, game="seventh-inning-stretch", house={"mode": "duel"})
    evening.games.begin_game("seventh-inning-stretch", [], {"mode": "season"})
    with pytest.raises(LeagueError, match="is more than one game"):
        evening.leagues.set_game_league(2, LeagueGame("summer", 0, "terns", "gulls"))


# People ----------------------------------------------------------------------------------------------------------


def test_people_are_renamed_merged_and_forgotten_everywhere(evening: Evening) -> None:
    ann, anne = (evening.leagues.save_person("", name, "red") for name in ("Ann", "Anne"))
    league = made_league(count=2)
    teams = [replace(team, person=one.key) for team, one in zip(league.teams, (ann, anne), strict=True)]
    evening.leagues.save_league(replace(league, teams=teams), new=True)
    evening.leagues.begin_fixture("summer", 1)
    game = evening.session.game
    assert set(game.view_for(None).people.values()) == {"Ann", "Anne"}
    evening.leagues.save_person(ann.key, "Annika", "blue")
    assert "Annika" in game.view_for(None).people.values()
    number = evening.finish()
    assert {one.person.name for one in evening.leagues.books.person_records()} == {"Annika", "Anne"}
    evening.leagues.merge_people(anne.key, ann.key)
    assert set(game.view_for(None).people.values()) == {"Annika"}
    assert {one.person for one in evening.book().teams.values()} == {"Annika"}
    found = evening.leagues.game_league(number)
    assert found
    assert set(found[1].values()) == {ann.key}
    evening.leagues.forget_person(ann.key)
    assert set(game.view_for(None).people.values()) == {"somebody"}
    assert {one.person for one in evening.book().teams.values()} == {"somebody"}
    assert evening.leagues.books.person_records() == []
    evening.leagues.save_league(_required(evening.book().league))
    for path in evening.folder.rglob("*"):
        assert not path.is_file() or b"Annika" not in path.read_bytes(), path


@pytest.mark.parametrize("game", ["small-ball", "rallybird"])
def test_merged_people_share_their_games(evening: Evening, game: str) -> None:
    """Where cards have no teams, people are the teams of the record book, and two of them become one."""
    ann, anne, bo = (evening.leagues.save_person("", name, "red") for name in ("Ann", "Anne", "Bo"))
    for one in (ann, anne):
        evening.games.begin_game(game, [], {}, people={"away": one.key, "home": bo.key}, game_pace="quick")
        evening.finish()
    evening.leagues.merge_people(anne.key, ann.key)
    evening.count()
    records = {one.person.name: one for one in evening.leagues.books.person_records()}
    assert records.keys() == {"Ann", "Bo"}
    title = GAMES[game].title
    assert sum(records["Ann"].by_game[title]) == sum(records["Bo"].versus["Ann"]) == 2
    assert len(evening.book(game).standings) == 2
    for key, into, why in ((anne.key, bo.key, "gone"), (bo.key, bo.key, "somebody else")):
        with pytest.raises(LeagueError, match=why):
            evening.leagues.merge_people(key, into)


def test_merged_people_share_their_teams(evening: Evening) -> None:
    """Fixtures that begin later belong to the person who is left, and so do the teams on the page that edits them."""
    ann, anne = (evening.leagues.save_person("", name, "red") for name in ("Ann", "Anne"))
    evening.leagues.save_league(made_league("rallybird"), new=True, people={"terns": "Anne", "gulls": "Bo"})
    with pytest.raises(LeagueError, match="gone"):
        evening.leagues.merge_people(anne.key, "p0")
    assert _required(evening.book().league).teams[0].person == anne.key
    evening.leagues.merge_people(anne.key, ann.key)
    assert _required(evening.book().league).teams[0].person == ann.key
    evening.leagues.begin_fixture("summer", 1)
    evening.finish()
    evening.count()
    assert [sum(one.by_game["RallyBird"]) for one in evening.leagues.books.person_records()] == [1, 1]


def _required(league: League | None) -> League:
    assert league
    return league


def test_people_of_a_game_can_be_set_later(evening: Evening) -> None:
    ann = evening.leagues.save_person("", "Ann", "red")
    evening.leagues.set_game_people(1, {"home": ann.key})
    assert evening.session.game.view_for(None).people == {"home": "Ann"}
    evening.games.begin_game("small-ball", [], {})
    evening.leagues.set_game_people(1, {"away": ann.key})
    assert evening.leagues.game_league(1) == (None, {"away": ann.key})
    for people, why in (({"away": "p0"}, "person is gone"), ({"dugout": ann.key}, "no dugout seat")):
        with pytest.raises(LeagueError, match=why):
            evening.leagues.set_game_people(1, people)
    with pytest.raises(LeagueError, match="no game 9"):
        evening.leagues.set_game_people(9, {})
    evening.leagues.forget_person(ann.key)
    evening.leagues.set_game_people(1, {"away": ann.key})
