"""The games that were played, as they are listed, looked at, replayed and taken home."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from html import unescape
from typing import Any
from xml.etree import ElementTree

import pytest

from device.shapes import GamesPage
from device.table import past_games
from engine.games import GAMES
from engine.innings import Outcome
from engine.journal import Source, entry_json, parse_entry
from engine.table import Table
from engine.views import PlayView, json_data
from tests.web.games.rallybird import GAME
from tests.web.phones import begun, over, phone, read, small_ball, text
from tests.web.web_table import JPEG, WebTable, with_
from web.app import create_app
from web.render import printed_log
from web.render.templates import REPLAY_REGIONS, plays_by_half
from web.routes.games import replay_moments


def test_list(monkeypatch: pytest.MonkeyPatch) -> None:
    """Teams, runs, end, plays and day in a table, with links between the pages."""
    port = over()
    real = port.past.games_page(1)
    monkeypatch.setattr(port.past, "games_page", lambda page: replace(real, page=page, pages=3))
    page = read("/games?page=2", port=port)
    board = port.game.view_for(None).table.scoreboard.sides
    words = text(page)
    assert "Lanterns at Owls Small Ball" in words
    assert f"Lanterns {board['away'].runs} Owls {board['home'].runs} On the table now · Final" in words
    assert re.search(r"(March 31|April 1|April 2), 2026, \d{1,2}:\d\d [AP]M", words)
    assert ["/games?page=1", "/games?page=3"] == re.findall(r'href="(/games\?page=\d)"', page)
    assert '<th scope="row"><a href="/games/1">' in page
    assert ["/games?page=2"] == re.findall(r'href="(/games\?page=\d)"', read("/games?page=3", port=port))
    assert ["/games?page=2"] == re.findall(r'href="(/games\?page=\d)"', read("/games", port=port))
    for path in ("/", "/plays", "/games", "/seat", "/table"):
        assert '<a href="/games">' in read(path, port=port)


def test_list_tells_which_is_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """On the table, not finished, or not readable."""
    port = small_ball()
    assert "On the table now" in read("/games", port=port)
    assert "/games/1" in read("/games", port=port)
    past = port.past.game_record(1)
    assert past is not None
    end = Outcome("home", "champions", "The season is won.")
    cases: tuple[tuple[dict[str, Any], str], ...] = (
        ({"now": False}, "Not finished"),
        ({}, "On the table now 1"),
        ({"outcome": end}, "On the table now · Final 1"),
        ({"outcome": end, "alone": True}, "On the table now · Final: The season is won. 1"),
        ({"sides": None, "outcome": None, "plays": None, "started": "?"}, "Small Ball On the table now –"),
        ({"now": False, "sides": None, "plays": None}, "Unknown –"),
        ({"note": "Its <journal> is damaged."}, "Its <journal> is damaged."),
    )
    for changed, words in cases:
        found = with_(past, summary=changed)
        monkeypatch.setattr(port.past, "games_page", lambda page, one=found.summary: GamesPage([one], 1, 1))
        assert words in text(read("/games", port=port))
    monkeypatch.setattr(port.past, "games_page", lambda page: GamesPage([], 1, 1))
    assert "There are no games on this page." in read("/games", port=port)


def test_game() -> None:
    """Line score, end, every play, the dice's pictures, and downloads."""
    port = over()
    port.pictures.store_picture(1, 3, JPEG)
    page = read("/games/1", port=port)
    assert '<table class="linescore">' in page
    assert port.game.table.outcome.sentence in unescape(page)
    told = [line.sentence for line in port.record.plays_page().plays if line.code != "half-inning"]
    log = text(page.partition("Every play</h2>")[2])
    assert told
    assert all(sentence in log for sentence in told)
    assert (
        page.count('<li class="scoring">')
        == len({line.n for line in port.record.plays_page().plays if line.scored})
        > 0
    )
    assert 'href="/evidence/1-3.jpg"' in page
    assert "Box score" in page
    assert "Scoring plays only" in page
    for link in ("/games/1/scorecard", "/games/1.jsonl", "/games/1-plays.csv", "/games/1-box.csv"):
        assert f'href="{link}"' in page


def test_game_on_the_table() -> None:
    words = text(read("/games/1", port=small_ball()))
    assert "This game is on the table now. Watch it live" in words


def damaged(*_: object) -> Table:
    raise LookupError("<it> is damaged.")


@pytest.mark.parametrize(
    "path",
    [
        "/games/1",
        "/games/1.svg",
        "/games/1/scorecard",
        "/games/1.jsonl",
        "/games/1-plays.csv",
        "/games/1-box.csv",
        "/api/games/1/replay",
    ],
)
def test_trouble(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An unreadable game says why, with its last score; so does one that does not exist."""
    port = over()
    sentence = port.game.table.outcome.sentence
    monkeypatch.setattr(past_games, "restore_table", damaged)
    with phone(create_app(port.port)) as client:
        answer, none = client.get(path), client.get(path.replace("1", "2"))
    assert (200 if path == "/games/1" else 404, 404) == (answer.status_code, none.status_code)
    said = answer.json()["sentence"] if path.startswith("/api") else text(answer.text)
    assert "This game cannot be read under these rules: <it> is damaged." in said
    if path == "/games/1":
        assert sentence in said
        assert "replay.js" not in answer.text
    assert "There is no such game." in unescape(none.text)


@pytest.mark.parametrize("path", ["?page=0", "/0", "/one", "/1.svg?sheet=0", "/9999999999"])
def test_malformed(path: str) -> None:
    with phone(create_app(small_ball().port)) as client:
        assert 422 == client.get(f"/games{path}").status_code


# Replay -------------------------------------------------------------------------------------------------------------


def test_replay() -> None:
    """Laid over each other, the panels of the steps equal the page of each moment."""
    port = over(most=60)
    with phone(create_app(port.port)) as client:
        found = client.get("/api/games/1/replay").json()
        later = client.get(f"/api/games/1/replay?first={found['most']}").json()
        assert 422 == client.get("/api/games/1/replay?first=-1").status_code
    assert (0, len(port.game.table.answers), 40, 40) == (found["first"], found["count"], found["most"], later["first"])
    assert set(REPLAY_REGIONS) == set(later["steps"][0]["panel"])
    steps = [*found["steps"], *later["steps"]]
    assert set(REPLAY_REGIONS) == set(steps[0]["panel"])
    assert any(len(step["panel"]) < len(REPLAY_REGIONS) for step in steps)
    again, shown = begun(), dict[str, str]()
    for step in steps:
        shown |= step["panel"]
        while (board := json_data(again.view_for(None).scoreboard)) != step["scoreboard"]:
            one = port.game.table.answers[len(again.answers)]
            again.answer_ask(one.ask.seat, one.n, one.value)
        assert str(board["sides"]["away"]["runs"]) in text(shown["score"])
        assert all(sentence in unescape(shown["dice"]) for sentence in step["sentences"])
    assert text(shown["line"]) in text(read("/games/1", port=port))


def test_a_moment_without_words_keeps_the_last() -> None:
    """If only the board changed, the last play stays."""
    found = small_ball().past.replay_part(1)
    assert found
    silent = replace(found.steps[-1], lines=[])
    steps = replay_moments(replace(found, steps=[*found.steps, silent]))
    assert "dice" not in steps[-1].panel
    first = replay_moments(replace(found, steps=[silent], before=found.steps[-1].lines))
    assert steps[-2].panel["dice"] == first[0].panel["dice"]


def test_replay_of_any_game() -> None:
    """With the game's own field."""
    steps = json.loads(read("/api/games/1/replay", port=over(GAME.key, most=40)))["steps"]
    assert any("data-zone" in step["panel"].get("diamond", "") for step in steps)


# To take home -------------------------------------------------------------------------------------------------------


def test_journal() -> None:
    """A header line, then an entry a line; replayed, they lead to the same game."""
    port = over(most=50)
    with phone(create_app(port.port)) as client:
        answer = client.get("/games/1.jsonl")
    header, *entries = map(json.loads, answer.text.splitlines())
    assert {"header": port.game.table.journal_header.as_json()} == header
    assert [entry_json(entry) for entry in port.game.table.journal] == entries
    again = Table(port.game.table.game, port.game.table.decks, header["header"]["house"], map(parse_entry, entries))
    assert port.game.table.view_for(None) == again.view_for(None)
    assert 'attachment; filename="dugout-1.jsonl"' == answer.headers["content-disposition"]


def test_spreadsheets() -> None:
    """The plays come to the final score, and the batters to the box score."""
    port = over()
    with phone(create_app(port.port)) as client:
        plays, box = (client.get(f"/games/1-{table}.csv") for table in ("plays", "box"))
        assert 422 == client.get("/games/1-teams.csv").status_code
    assert 'attachment; filename="dugout-1-plays.csv"' == plays.headers["content-disposition"]
    assert "text/csv; charset=utf-8" == plays.headers["content-type"]
    told = list(csv.DictReader(io.StringIO(plays.content.decode("utf-8-sig"))))
    sides = port.game.table.scoreboard().sides
    assert [line.sentence for line in port.record.plays_page().plays] == [row["text"] for row in told][-600:]
    assert {seat: str(side.runs) for seat, side in sides.items()} == {seat: told[-1][f"{seat}_score"] for seat in sides}
    batters = list(csv.DictReader(io.StringIO(box.content.decode("utf-8-sig"))))
    for seat, side in sides.items():
        mine = [row for row in batters if row["seat"] == seat]
        assert {side.name} == {row["side"] for row in mine}
        assert side.runs == sum(int(row["runs"]) for row in mine)
        assert side.hits == sum(int(row["hits"]) for row in mine)


SVG = "{http://www.w3.org/2000/svg}"


def printed(port: WebTable, sheet: int = 1) -> list[ElementTree.Element]:
    """The texts of a sheet."""
    return list(ElementTree.fromstring(read(f"/games/1.svg?sheet={sheet}", port=port)).iter(f"{SVG}text"))


def test_printed_log() -> None:
    """After the sheets of the sides: teams, line score, end and log in order, on A4, without inline styles."""
    port = over()
    drawing = read("/games/1.svg?sheet=3", port=port)
    assert '<svg xmlns="http://www.w3.org/2000/svg" width="210mm" height="297mm"' in drawing
    assert not re.search(r"style|script|href", drawing)
    words = [one.text or "" for one in printed(port, 3)]
    assert "Lanterns at Owls" == words[0]
    assert port.game.table.outcome.sentence in words
    board = port.game.view_for(None).table.scoreboard.sides
    for side in board.values():
        start = words.index(side.name)
        row = words[start + 1 : start + 12]
        assert [str(runs) for runs in side.line] == [cell for cell in row[:9] if cell]
        assert [str(side.runs), str(side.hits)] == row[9:]
    log = " ".join(words)
    told = [line.sentence for line in port.record.plays_page().plays if line.code != "half-inning"]
    places = [log.find(sentence) for sentence in dict.fromkeys(told)]
    assert -1 not in places
    assert places == sorted(places)


def test_log_of_a_game_just_begun() -> None:
    assert "Not finished yet: this is how it stood." in [one.text for one in printed(small_ball(), 3)]


def test_names_are_only_text() -> None:
    port = small_ball()
    name = 'A<b>&"s'
    past = port.past.game_record(1)
    assert past is not None
    board = port.game.table.view_for(None).scoreboard
    board = replace(board, sides={**board.sides, "away": replace(board.sides["away"], name=name)})
    drawn = printed_log.draw_sheet(past.summary, board, printed_log.log_sheets(past.log), 1)
    assert f"{name} at Owls" in [one.text for one in ElementTree.fromstring(drawn).iter(f"{SVG}text")]


def line(n: int, words: str, game: int = 1) -> PlayView:
    return PlayView(n, "x", game, n // 40 + 1, "top", None, words, int(n % 7 == 0), None, False)


def test_two_games_in_one_journal_are_told_apart() -> None:
    """Plays of two games never share a group; a single game is not numbered."""
    groups = plays_by_half([line(1, "One."), line(2, "Two."), line(3, "Three.", 2)])
    assert [("Game 2 · Top of the 1st", ["Three."]), ("Game 1 · Top of the 1st", ["Two.", "One."])] == [
        (group.name, [play.sentence for play in group.plays]) for group in groups
    ]
    assert ["Top of the 1st"] == [group.name for group in plays_by_half([line(1, "One.")])]
    rows = printed_log.log_sheets([line(1, "One."), line(2, "Two.", 2)])[0].rows
    assert ["Game 1 · Top of the 1st", "Game 2 · Top of the 1st"] == [row.words for row in rows if row.head]


def test_sheets() -> None:
    """A short log large on one sheet; a long one small on several, complete and inside the margins."""
    short = [line(n, f"Play {n}.") for n in range(40)]
    assert [printed_log.LARGE_LAYOUT.size] == [sheet.size for sheet in printed_log.log_sheets(short)]
    long = [line(n, f"Play {n}: " + "the runner goes on, " * 6) for n in range(300)]
    sheets = printed_log.log_sheets(long)
    assert len(sheets) > 1
    for i, sheet in enumerate(sheets):
        assert printed_log.SMALL_LAYOUT.size == sheet.size
        for row in sheet.rows:
            assert (
                (printed_log.LATER_SHEET_TOP_MM if i else printed_log.FIRST_SHEET_TOP_MM)
                < row.y
                <= printed_log.SHEET_HEIGHT_MM - printed_log.SHEET_MARGIN_MM
            )
            assert (
                printed_log.SHEET_MARGIN_MM
                <= row.x
                <= printed_log.SHEET_WIDTH_MM - printed_log.SHEET_MARGIN_MM - sheet.width + printed_log.PLAY_INDENT_MM
            )
            assert printed_log.text_width(row.words) * sheet.size <= sheet.width
    words = " ".join(row.words for sheet in sheets for row in sheet.rows)
    assert all(f"Play {n}:" in words for n in range(300))
    assert 8 == sum(row.head for sheet in sheets for row in sheet.rows)


def test_sheets_by_number() -> None:
    port = over(GAME.key)
    page = read("/games/1/scorecard", port=port)
    logs = len(printed_log.log_sheets(port.record.plays_page().plays))
    assert logs > 1
    sheets = 2 + logs
    assert [f"?sheet={number}" for number in range(1, sheets + 1)] == re.findall(r"/games/1\.svg(\?sheet=\d+)", page)
    assert sheets == page.count("<svg xmlns")
    assert f"Sheet {logs} of {logs}" in [one.text for one in printed(port, sheets)]
    with phone(create_app(port.port)) as client:
        refused = client.get(f"/games/1.svg?sheet={sheets + 1}")
    assert (404, True) == (refused.status_code, f"has {sheets} sheets" in refused.text)


def test_wrapped() -> None:
    """A word that is too long stands alone."""
    assert ["aaa bbb", "ccc"] == printed_log.wrapped_lines("aaa bbb ccc", 4.0)
    assert ["aaaaaaaaaaaa", "b"] == printed_log.wrapped_lines("aaaaaaaaaaaa b", 2.0)
    assert printed_log.text_width("W") > printed_log.text_width("a") > printed_log.text_width("i")


def test_pictures_of_older_games_are_still_found() -> None:
    port = small_ball()
    port.pictures.store_picture(7, 3, JPEG)
    with phone(create_app(port.port)) as client:
        assert JPEG == client.get("/evidence/7-3.jpg").content


def aside() -> WebTable:
    """Game 3 is on the table. Game 1 is over by now, and 2 was put aside and can be resumed."""
    made = over()
    for _ in range(2):
        made.games.begin_game("small-ball", [], {"awayTeam": "red"})
        made.seats.answer_ask("away", 0, "bat", Source.PHONE)
    made.games.set_game_name(2, "Autumn <league>")
    return made


def test_games_put_aside_are_listed_first() -> None:
    """On the first page only; operators can resume them."""
    port = aside()
    words = text(read("/games", port=port))
    assert "Paused games Autumn <league> Small Ball, top of inning 1, 0 to 0 · last played" in words
    assert words.index("Paused games") < words.index("All games", words.index("Paused games"))
    assert "data-take" not in read("/games", port=port)
    assert "Paused games" not in text(read("/games?page=2", port=port))
    for url, plays_on in (("/games", 1), ("/games/3", 0)):
        with phone(create_app(port.port), "operator") as operator:
            page = operator.get(url).text
        assert plays_on == page.count("data-take")
        assert "/static/js/games.js" in page
        assert 'maxlength="40"' in page
    assert "games.js" not in read("/games/1", port=port)


def test_a_game_is_named() -> None:
    port = small_ball()
    with phone(create_app(port.port), "operator") as operator:
        assert operator.post("/api/games/1/name", json={"name": "Autumn league"}).is_success
        assert "Autumn league" in text(operator.get("/games").text)
        assert "Autumn league" in text(operator.get("/games/1").text)
        assert 404 == operator.post("/api/games/9/name", json={"name": "x"}).status_code
        assert 422 == operator.post("/api/games/1/name", json={"name": "x" * 41}).status_code
        assert operator.post("/api/games/1/name", json={"name": ""}).is_success
    assert "Autumn league" not in text(read("/games", port=port))


def test_a_game_is_played_on() -> None:
    """By the operator; a refusal has its reason."""
    port = aside()
    with phone(create_app(port.port), "operator") as operator:
        assert operator.post("/api/games/2/take", json={}).is_success
        assert 2 == port.game.number
        refused = operator.post("/api/games/1/take", json={})
        assert (422, True) == (refused.status_code, refused.json()["sentence"].startswith("That game is over."))
        none = operator.post("/api/games/9/take", json={})
        assert (404, "There is no such game.") == (none.status_code, none.json()["sentence"])


def test_a_result_is_shared_as_a_picture() -> None:
    """In two shapes, for everyone; there is none before a game is over, and no third shape."""
    with phone(create_app(over().port)) as client:
        for shape in ("wide", "tall"):
            answer = client.get(f"/games/1/share.png?shape={shape}")
            assert ("image/png", b"PNG " + shape.encode()) == (answer.headers["content-type"], answer.content)
        assert 404 == client.get("/games/9/share.png").status_code
        assert 422 == client.get("/games/1/share.png?shape=round").status_code


def test_a_new_game_has_the_names_that_people_gave() -> None:
    """So has the same game again. What can be no name is refused, and the game on the table stays."""
    port = WebTable(GAME)
    with phone(create_app(port.port), "operator") as client:
        assert client.post("/api/game", json={"game": "small-ball", "names": {"away": "Otters"}}).is_success
        assert client.post("/api/game/again", json={}).is_success
        sides = client.get("/api/view").json()["table"]["scoreboard"]["sides"]
        assert "Otters" == sides["away"]["name"] != sides["home"]["name"]
        for names in ({"away": "x" * 25}, {"umpire": "Otters"}, {"away": "A", "home": "a"}, {"home": "a\nb"}):
            answer = client.post("/api/game", json={"game": "rallybird", "names": names})
            assert answer.status_code in (409, 422), answer.text
        assert "small-ball" == client.get("/api/view").json()["game"]["key"]


FIRST_BAT_ASKS = {"away-team", "visitor", "first-bat"}
"""Asks about who bats first, in three games."""


@pytest.mark.parametrize("game", ["small-ball", "rallybird", "seventh-inning-stretch"])
@pytest.mark.parametrize(
    ("body", "asked"),
    [({}, True), ({"names": {"home": "Mia"}}, False), ({"managers": {"away": "rookie"}}, False)],
    ids=["open", "named", "managed"],
)
def test_who_bats_first_is_asked_only_if_nobody_chose_sides(game: str, body: dict[str, Any], asked: bool) -> None:
    """Names and computers are for away or home, so that is answered; so it is for the same game again."""
    house = {"mode": "duel"} if game == "seventh-inning-stretch" else {}
    with phone(create_app(WebTable(GAME).port), "operator") as client:
        for path, sent in (("/api/game", {"game": game, "house": house, **body}), ("/api/game/again", {})):
            assert client.post(path, json=sent).is_success
            asks = client.get("/api/view").json()["table"]["asks"]
            assert asked == bool(FIRST_BAT_ASKS & {ask["why"] for ask in asks})


def test_a_house_rule_that_somebody_chose_stays() -> None:
    assert {"awayTeam": "blue"} == GAMES["small-ball"].seated_house_rules({"awayTeam": "blue"})
