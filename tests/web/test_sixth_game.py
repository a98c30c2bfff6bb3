"""A game that only the tests know is shown on every page and stream, and no file of the web names a game."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.games import GAMES
from engine.journal import Source
from engine.views import AudienceView
from tests.engine.sample_games.coin_game import COIN, new
from tests.web.documented import same
from tests.web.leaks import sights
from tests.web.phones import WHO, cookie, phone, port, text
from tests.web.stream_client import Listener, looped
from tests.web.web_table import WebTable, with_
from web.app import create_app
from web.render.templates import PANEL_REGIONS, render_panel

WEB = Path(__file__).parents[2] / "web"
FIELD = {"first": "ann", "second": "bob"}
ANSWERS = {"hide": "heads", "guess": "heads", "field": FIELD, "grab": 5, "roll": [3, 17], "end": "shake"}
"""An answer to each ask, by its code."""


def coin(until: str = "", **changed: object) -> WebTable:
    """Return the game with every ask answered until one with the code `until` is open."""
    table = new()
    while (asks := table.open_asks()) and all(ask.why != until for _, ask in asks):
        n, ask = asks[0]
        table.answer_ask(ask.seat, n, (ANSWERS | changed)[ask.why])
    return port(table)


def test_it_is_played_on_phones(monkeypatch: pytest.MonkeyPatch) -> None:
    """By its seats; the operator tells what the dice of a race showed."""
    monkeypatch.setitem(GAMES, COIN.key, COIN)
    made = coin("hide")
    app = create_app(made.port)
    with (
        phone(app, "away") as away,
        phone(app, "home") as home,
        phone(app) as guest,
        phone(app, "operator") as boss,
    ):
        while asks := made.game.table.open_asks():
            n, ask = asks[0]
            client = away if ask.seat == "away" else home
            given = {"seat": ask.seat, "n": n, "value": ANSWERS[ask.why]}
            assert (boss if ask.why == "grab" else client).post("/api/answer", json=given).is_success
            made.time.now += 10  # in which another call could have been first
            made.tick()
            same(AudienceView, guest.get("/api/view").json())
            same(AudienceView, client.get(f"/api/view?seat={ask.seat}").json())
            assert 200 == client.get("/seat").status_code
        assert "The coin is back in its box." in text(guest.get("/").text)
        for path in ("/", "/overlay", "/plays", "/games", "/games/1", "/games/1.svg", "/games/1.jsonl", "/seat"):
            assert 200 == guest.get(path).status_code, path
        assert guest.get("/api/games/1/replay").json()["steps"]


def test_its_panel_is_shown_in_words() -> None:
    """Without a template: score, bases, ask, dice, and the panel's values."""
    made = coin("end")
    view = with_(
        made.game.view_for(None), table={"scoreboard": {"panel": {"coin_shows": "heads", "bags": ["Ann", "Bob"]}}}
    )
    regions = render_panel(view)
    assert set(PANEL_REGIONS) == set(regions)
    assert "Heads away 1 Tails home 0" in text(regions["score"])
    assert "Waiting for Heads Shake hands?" in text(regions["now"])
    assert "Coin shows heads Bags Ann, Bob" in text(regions["now"])
    assert 2 == regions["dice"].count('class="die')
    assert "away guesses." in text(regions["dice"])
    assert "Bases empty" in text(regions["diamond"])


def test_its_secrets_are_nobody_elses() -> None:
    """While both choose, no other page depends on the choice."""
    first, second = dict[str, str](), dict[str, str]()
    for side, found in (("heads", first), ("tails", second)):
        made = coin("hide")
        made.seats.answer_ask("home", 0, side, Source.PHONE)
        found |= sights(made, "home")
    assert first == second


@looped
async def test_it_is_streamed() -> None:
    """View and panel, again after each answer, to the overlay and to a seat."""
    made = coin("field")
    app = create_app(made.port)
    n = made.game.table.open_asks()[0][0]
    async with app.router.lifespan_context(app):
        seat = cookie(made.access, WHO["away"])
        async with Listener(app) as overlay, Listener(app, "/stream?seat=away", seat) as away:
            for listener in (overlay, away):
                await listener.until("panel")
            made.seats.answer_ask("away", n, FIELD, Source.PHONE)
            for listener in (overlay, away):
                heard = await listener.until("panel", made.game.version)
                assert "coin-toss" == heard[-2].data["game"]["key"]


def named(source: str) -> list[str]:
    """Return the games that a text names, by key or title."""
    names = [*GAMES, *(game.title for game in GAMES.values())]
    return [name for name in names if re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", source, re.IGNORECASE)]


OWN = [path for key in GAMES for path in (f"templates/panel/games/{key}.html", f"static/games/{key}.css")]
OWN += [f"static/games/{key}.js" for key in GAMES]
FILES = [path for path in WEB.rglob("*") if path.suffix in (".py", ".html", ".js", ".css", ".svg")]
OTHERS = [path for path in FILES if str(path.relative_to(WEB)) not in OWN]


def test_no_file_names_a_game() -> None:
    """Except a game's own template, style sheet and script."""
    sources = {path: path.read_text(encoding="utf-8").replace('examples=["small-ball"]', "") for path in OTHERS}
    assert len(sources) > 100
    assert {} == {str(path): found for path, source in sources.items() if (found := named(source))}


def test_own_files_name_no_other_game() -> None:
    for name in OWN:
        path = WEB / name
        if path.exists():
            assert set(named(path.read_text(encoding="utf-8"))) <= {path.stem, GAMES[path.stem].title}, name


def test_a_named_game_is_found() -> None:
    """The search above finds a key and a title, and no other words."""
    assert ["clutch", "Clutch"] == named('{% if game == "clutch" %}')
    assert ["RallyBird"] == [name for name in named("RallyBird's Gloves") if name != "rallybird"]
    assert [] == named("a clutchless, bottom-of-the-9th-like word")
