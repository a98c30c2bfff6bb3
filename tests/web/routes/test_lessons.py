"""Each game in three cards: that on the table with its own decks and house rules."""

from __future__ import annotations

import re
from html import unescape

import pytest

from engine.cards import parse_deck
from engine.games import GAMES
from engine.journal import Source
from engine.table import Table
from tests.each import each
from tests.engine.games.contract.games import CONTRACTS
from tests.engine.games.contract.test_lesson import lesson_of, unknown_words
from tests.engine.sample_games.coin_game import COIN, new
from tests.web.phones import phone, port, small_ball, text
from tests.web.web_table import WebTable, shipped
from web.app import create_app
from web.render.templates import render_panel

FIRST_TIME = 'href="/learn">First time?'

PAGE_WORDS = frozenset(
    (
        *("arm", "cancel", "choosing", "hand", "hidden", "likely", "met", "odds", "pre-game", "scoring"),
        *("secret", "tray", "values", "gg", "mvp", "sb", "sc"),
    )
)
"""Everyday words that only pages use, and the tags on a player's card, which cards name."""


def cards_on(html: str) -> list[tuple[str, str]]:
    """Return the title and the sentences of each card of a page."""
    return [
        (text(title), text(words))
        for title, words in re.findall(r"<h2><small>.</small>(.*?)</h2>\s*<p>(.*?)</p>", html)
    ]


def read(made: WebTable, path: str) -> str:
    with phone(create_app(made.port)) as client:
        return str(client.get(path, follow_redirects=True).text)


@each("key", GAMES)
def test_a_game_has_a_page_with_three_cards_and_its_words(key: str) -> None:
    """It needs no script, whatever game is on the table; other games are one tap away."""
    html = read(small_ball(), f"/learn/{key}")
    assert 3 == len(cards_on(html))
    assert [one.word for one in lesson_of(key).explanations] == [
        unescape(word) for word in re.findall("<dt>(.*?)</dt>", html)
    ]
    assert {f"/learn/{other}" for other in GAMES if other != key} == set(re.findall(r'href="(/learn/[^"]+)"', html))


def test_the_game_on_the_table_comes_first() -> None:
    assert "RallyBird in three cards" in read(port(Table(GAMES["rallybird"], [shipped("rallybird")])), "/learn")


def test_figures_are_those_of_the_deck_on_the_table() -> None:
    """A team whose first batter is out on every number but one; no other table has that deck."""
    source = shipped("small-ball").source.replace(
        'results = ["SO", "1B", "GO", "FO", "BB", "1B"]', 'results = ["SO", "SO", "GO", "FO", "GO", "1B"]', 1
    )
    assert source != shipped("small-ball").source
    game = GAMES["small-ball"]
    changed = port(Table(game, [parse_deck(source, "own.toml", game.key, game.shapes)]))
    assert "For Pip Marlowe, 1 of 6 numbers are good." in cards_on(read(changed, "/learn"))[0][1]
    other = port(Table(GAMES["rallybird"], [shipped("rallybird")]))
    assert "For Pip Marlowe, 3 of 6 numbers are good." in cards_on(read(other, "/learn/small-ball"))[0][1]


def test_house_rules_on_the_table_are_heeded() -> None:
    """Without strategy cards, no card speaks of them; a series is won by games; there may be no RallyBird."""
    clutch = GAMES["clutch"]
    basic = port(Table(clutch, [shipped("clutch")], {"level": "basic", "series": "5"}))
    (_, dice), (_, cost), (_, win) = cards_on(read(basic, "/learn"))
    assert "strategy card" not in dice + cost + win
    assert "Win 3 games to take the series." in win
    assert "strategy card" in cards_on(read(small_ball(), "/learn/clutch"))[1][1]
    without = port(Table(GAMES["rallybird"], [shipped("rallybird")], {"rallyBird": "off", "startInning": "4"}))
    win = cards_on(read(without, "/learn"))[2][1]
    assert "inning 4" in win
    assert "RallyBird" not in win


def test_programs_get_the_words() -> None:
    with phone(create_app(small_ball().port)) as client:
        words = client.get("/learn/small-ball.json").json()["words"]
    (bank,) = (one for one in words if one["word"] == "bank")
    assert ["bank", "banks", "banked", "banking"] == bank["forms"]
    assert len(lesson_of("small-ball").words) == len(words)


def test_first_time_is_asked_until_the_first_throw() -> None:
    """On the page for everybody and on a seat's page; the foot of every page has it always."""
    made = small_ball()
    app = create_app(made.port)
    with phone(app) as guest, phone(app, "away") as away:
        for client, path in ((guest, "/"), (away, "/seat")):
            assert "The game in three cards" in client.get(path).text
        made.seats.answer_ask("away", 1, "bat", Source.PHONE)
        made.seats.answer_ask("away", 2, [1], Source.PHONE)
        for client, path in ((guest, "/"), (away, "/seat"), (guest, "/plays")):
            assert "The game in three cards" not in client.get(path).text
            assert FIRST_TIME in client.get(path).text


def test_a_game_without_a_lesson_offers_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its pages have no link, and the address says so in words."""
    monkeypatch.setitem(GAMES, COIN.key, COIN)
    with phone(create_app(port(new()).port)) as guest:
        for path in ("/", "/plays"):
            assert FIRST_TIME not in guest.get(path).text
        for path in ("/learn", f"/learn/{COIN.key}", "/learn/chess", "/learn/chess.json"):
            refused = guest.get(path, follow_redirects=True)
            assert 404 == refused.status_code
            assert "There is no lesson for this game." in unescape(refused.text)


@pytest.mark.slow
@each("key", GAMES)
def test_every_word_of_a_panel_is_explained_or_everyday(key: str) -> None:
    """At some points of each recorded game."""
    stories, found = CONTRACTS[key].stories, set[str]()
    for story in stories.houses:
        every = max(1, len(list(stories.entries(story))) // 12)
        for number, table in enumerate(stories.steps(story)):
            if number % every == 0:
                regions = render_panel(port(table.clone()).game.view_for(None))
                shown = " ".join(text(regions[name]) for name in ("now", "lamps", "diamond"))
                found |= {word.lower() for word in unknown_words(key, shown)}
    assert set() == found - PAGE_WORDS
