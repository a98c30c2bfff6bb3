"""What a person sees, before any script runs and whatever the state of the game."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from engine.asks import Roll
from engine.clock import Half
from engine.views import PlayView
from tests.engine.duel_game import DUEL, played
from tests.web.fake_table import DOT, FakePort, proposal, with_
from tests.web.phones import peek, phone, small_ball, text
from web.app import create_app
from web.render.templates import REGIONS, halves, ordinal, panel, seat_panel

PAGES = ["/", "/plays", "/games", "/games/1", "/decks", "/decks/small-ball/house", "/table", "/seat", "/nothing"]


def test_first_paint() -> None:
    """The page itself has score, batter, ask and missing parts; without scripts it reloads itself."""
    port = small_ball()
    port.answer("away", 1, "bat", "test")
    with phone(create_app(port.port)) as client:
        page = client.get("/").text
    for words in ("Lanterns", "Owls", "Pip Marlowe", "On deck", "Waiting for Lanterns", "No camera", "0 outs"):
        assert words in page
    assert '<table class="linescore">' in page
    assert 'aria-label="Bases empty."' in page
    assert '<noscript><meta http-equiv="refresh"' in page


@pytest.mark.parametrize("who", ["spectator", "operator", "away"])
@pytest.mark.parametrize("path", PAGES)
def test_nothing_inline(path: str, who: str) -> None:
    """The policy allows only our own files, and the pages keep to it."""
    with phone(create_app(small_ball().port), who) as client:
        answer = client.get(path)
    policy = answer.headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert "nosniff" == answer.headers["x-content-type-options"]
    assert "DENY" == answer.headers["x-frame-options"]
    assert not re.search(r"<script(?![^>]* src=)|<style|\sstyle=|\son\w+=", answer.text)
    assert [] == [link for link in re.findall(r'(?:src|href)="([^"]+)"', answer.text) if not re.match(r"/|#", link)]


@pytest.mark.parametrize("who", ["spectator", "operator", "away"])
@pytest.mark.parametrize("path", PAGES)
def test_built_for_all(path: str, who: str) -> None:
    """Language, landmarks, one first heading, unique ids, and a text for each picture."""
    with phone(create_app(small_ball().port), who) as client:
        page = client.get(path).text
    assert '<html lang="en">' in page
    for landmark in ("<header", "<main", "<footer", "<nav"):
        assert 1 == page.count(landmark + " ") + page.count(landmark + ">")
    assert 1 == page.count("<h1")
    assert [] == [picture for picture in re.findall(r"<img[^>]*>", page) if " alt=" not in picture]
    assert len(ids := re.findall(r'\sid="([^"]+)"', page)) == len(set(ids))


@pytest.mark.parametrize("seed", range(3))
def test_every_moment_of_a_game_can_be_shown(seed: int) -> None:
    port, chance = FakePort(), random.Random(seed)
    while asks := port.table.asks():
        n, ask = asks[0]
        match ask:
            case Roll(dice=dice):
                value: Any = [chance.choice(die.faces) for die in dice]
            case _:
                value = port.view(ask.seat).table.asks[0].random_answer(chance)
        port.answer(ask.seat, n, value, "test")
        if chance.random() < 0.2 or not port.table.asks():
            regions = panel(port.view(None))
            assert set(REGIONS) == set(regions)
    assert "Final" in regions["lamps"]
    assert port.table.outcome.sentence in regions["now"]
    with phone(create_app(port.port)) as client:
        assert 200 == client.get("/").status_code
        assert "Top of the 1st" in client.get("/plays").text


def test_any_game_can_be_shown() -> None:
    """Without its own template, and without its secrets."""
    port = peek(away="two")
    spectator, home = panel(port.view(None)), panel(port.view("home"))
    assert "In secret Nothing is shown before both are ready. Foxes ready Geese choosing" in text(spectator["now"])
    assert "two" not in "".join((spectator | home).values())


def test_one_chooses_in_secret() -> None:
    """Everybody sees who chooses what, and that the other waits."""
    port = FakePort(DUEL, [])
    port.table = played(6)
    assert "In secret The glove is hidden. Hide a card. Ann's waits Cy's choosing" in text(
        panel(port.view(None))["now"]
    )


def test_own_secrets_lie_apart() -> None:
    """In one covered region, and nowhere else."""
    hidden = {"panel": {"glove": "hidden", "calls": ["heads"], "order": "hidden"}}
    public = with_(small_ball().view(None), table={"scoreboard": hidden})
    known = {"panel": {"glove": "high", "calls": ["heads"], "order": {"first": "Ann"}}}
    mine = with_(small_ball().view("home"), table={"scoreboard": known})
    regions = seat_panel(mine, public)
    assert "high" in regions["own"]
    assert "first: Ann" in regions["own"]
    assert "heads" not in regions["own"]
    del regions["own"]
    assert panel(public) == regions


def test_names_are_text() -> None:
    script = {"scoreboard": {"batter": "<script>alert(1)</script>"}}
    view = with_(small_ball().view(None), table=script, missing=["<b>bold</b>"])
    html = "".join(panel(view).values())
    assert "<script" not in html
    assert "<b>bold" not in html


def test_proposal_is_shown() -> None:
    """Before it counts; in doubt with advice."""
    port = small_ball()

    def now(*faces: int, **more: Any) -> str:
        port.proposal = proposal(2, "away", faces, **more)
        return panel(port.view(None))["now"]

    assert "Read 5." in now(5)
    doubtful = {"sure": False, "advice": "Lay it flat."}
    assert "Lay it flat." in now(5, doubt="cocked", **doubtful)
    words = "red die 3, white die 5"
    assert f"Read {words}, but not surely." in now(3, 5, words=words, doubt="alike", **doubtful)
    assert "cannot be read" in now(doubt="kind", **doubtful)
    port.notice = "Thrown too early."
    assert "Thrown too early." in now(5)


def test_the_dice_of_a_play_can_be_looked_at() -> None:
    """The picture of a roll that a camera saw, now and in the log."""
    port = small_ball()
    port.answer("away", 1, "bat", "test")
    port.answer("away", 2, [2], "test")
    with phone(create_app(port.port)) as client:
        assert "/evidence/" not in client.get("/").text
        port.proofs = {2: "1-2"}
        page = client.get("/").text
        assert '<img src="/evidence/1-2.jpg" alt="The dice as the camera saw them' in page
        assert '<a class="proof" href="/evidence/1-2.jpg">the dice</a>' in client.get("/plays").text
        assert client.get("/evidence/1-3.jpg").status_code == 404
        assert client.get("/evidence/..%2f1-2.jpg").status_code == 404


def test_a_picture_is_kept_once_its_roll_counts() -> None:
    """Not before: if the dice are thrown again, the next picture has the same address."""
    port = small_ball()
    port.jpeg, port.proofs = DOT, {2: "1-2", 3: "1-3"}
    port.proposal = proposal(2, "away", evidence="1-3")
    with phone(create_app(port.port)) as client:
        kept = [client.get(f"/evidence/{name}.jpg").headers["cache-control"] for name in ("1-2", "1-3")]
        port.proposal = None
        kept.append(client.get("/evidence/1-3.jpg").headers["cache-control"])
    assert ["max-age=3600", "no-store", "max-age=3600"] == kept


def test_halves() -> None:
    """Newest first; what one answer caused stays together, in order."""

    def line(n: int, half: Half, sentence: str, code: str = "x", scored: int = 0) -> PlayView:
        return PlayView(n, code, 1, 1, half, None, sentence, scored, None, False)

    log = [
        line(0, "top", "They bat.", "half-inning"),
        line(1, "top", "A."),
        line(2, "top", "B."),
        line(2, "top", "Two score.", scored=2),
        line(2, "bottom", "They bat.", "half-inning"),
    ]
    assert [("bottom", 0, []), ("top", 2, ["B. Two score.", "A."])] == [
        (group.half, group.runs, [play.sentence for play in group.plays]) for group in halves(log)
    ]


def test_ordinals() -> None:
    assert ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st"] == list(
        map(ordinal, (1, 2, 3, 4, 11, 12, 13, 21))
    )


def test_join_code() -> None:
    with phone(create_app(small_ball().port)) as client:
        answer = client.get("/join.svg")
    assert "image/svg+xml" == answer.headers["content-type"]
    assert answer.text.startswith("<svg")
