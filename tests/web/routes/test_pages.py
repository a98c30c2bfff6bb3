"""What a person sees, before any script runs and whatever the state of the game."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from device.shapes import TableAddresses
from device.storage.roll_pictures import with_comment
from engine.innings import Half, Outcome
from engine.journal import Source
from engine.seats import Seat, opposite_seat
from engine.views import AudienceView, CameraActivity, PlayView
from tests.engine.sample_games.duel_game import played
from tests.web.phones import TestClient, begun, peek, phone, play, port, small_ball, text
from tests.web.web_table import CODE, JPEG, WEBP, Film, WebTable, proposal, with_
from web.app import create_app
from web.render.templates import (
    PANEL_REGIONS,
    LastPlay,
    ReplayedMoment,
    last_play,
    ordinal_text,
    plays_by_half,
    render_panel,
    render_seat_panel,
    render_tv_panel,
)

PAGES = ["/", "/plays", "/games", "/games/1", "/decks", "/decks/small-ball/house", "/table", "/seat", "/nothing"]


def test_first_paint() -> None:
    """The page itself has score, batter, ask and missing parts; without scripts it reloads itself."""
    port = small_ball()
    port.seats.answer_ask("away", 1, "bat", Source.PHONE)
    with phone(create_app(port.port)) as client:
        page = client.get("/").text
    for words in ("Lanterns", "Owls", "Pip Marlowe", "On deck", "Waiting for Lanterns", "No camera", "0 outs"):
        assert words in page
    assert '<table class="linescore">' in page
    assert 'aria-label="Bases empty."' in page
    assert '<noscript><meta http-equiv="refresh"' in page


@pytest.mark.parametrize("who", ["spectator", "operator", "away"])
def test_every_page_is_safe_and_built_for_all(who: str) -> None:
    """The policy allows only our own files, and the pages keep to it. Each has language, landmarks, one first heading,
    unique ids, and a text for each picture.
    """
    with phone(create_app(small_ball().port), who) as client:
        answers = {path: client.get(path) for path in PAGES}
    for path, answer in answers.items():
        page, headers = answer.text, answer.headers
        policy = headers["content-security-policy"]
        assert ("default-src 'self'" in policy, "unsafe" in policy) == (True, False), path
        assert ("nosniff", "DENY") == (headers["x-content-type-options"], headers["x-frame-options"]), path
        assert not re.search(r"<script(?![^>]* src=)|<style|\sstyle=|\son\w+=", page), path
        links = re.findall(r'(?:src|href)="([^"]+)"', page)
        assert [] == [link for link in links if not re.match(r"/|#", link)], path
        assert '<html lang="en">' in page, path
        for landmark in ("<header", "<main", "<footer", "<nav"):
            assert 1 == page.count(landmark + " ") + page.count(landmark + ">"), path
        assert 1 == page.count("<h1"), path
        assert [] == [picture for picture in re.findall(r"<img[^>]*>", page) if " alt=" not in picture], path
        assert len(ids := re.findall(r'\sid="([^"]+)"', page)) == len(set(ids)), path


PARTS = {
    "small-ball": ("line", "<table"),
    "bottom-of-the-9th": ("line", "<table"),
    "rallybird": ("diamond", "data-zone"),
}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("key", PARTS)
def test_every_moment_of_a_game_can_be_shown(key: str, seed: int) -> None:
    region, part = PARTS[key]
    table = begun(key)
    made = port(table)
    for i, _ in enumerate(play(table, seed)):
        if i % 5 == seed or not table.open_asks():
            made.catch_up()
            regions = render_panel(made.game.view_for(None))
            assert set(PANEL_REGIONS) == set(regions)
            assert part in regions[region]
    assert "Final" in regions["lamps"]
    assert made.game.table.outcome.sentence in regions["now"]


def test_any_game_can_be_shown() -> None:
    """Without its own template, and without its secrets."""
    port = peek(away="two")
    spectator, home = render_panel(port.game.view_for(None)), render_panel(port.game.view_for("home"))
    assert "In secret Hidden until both are ready. Foxes ready Geese choosing" in text(spectator["now"])
    assert "two" not in "".join((spectator | home).values())


def test_one_chooses_in_secret() -> None:
    """Everybody sees who chooses what, and that the other waits."""
    assert "In secret The glove is hidden. Hide a card. Ann's waiting Cy's choosing" in text(
        render_panel(port(played(6)).game.view_for(None))["now"]
    )


def test_own_secrets_lie_apart() -> None:
    """In one covered region, and nowhere else."""
    hidden = {"panel": {"glove": "hidden", "calls": ["heads"], "order": "hidden"}}
    public = with_(small_ball().game.view_for(None), table={"scoreboard": hidden})
    known = {"panel": {"glove": "high", "calls": ["heads"], "order": {"first": "Ann"}}}
    mine = with_(small_ball().game.view_for("home"), table={"scoreboard": known})
    regions = render_seat_panel(mine, public)
    assert "high" in regions["own"]
    assert "first: Ann" in regions["own"]
    assert "heads" not in regions["own"]
    del regions["own"], regions["asking"], regions["odds"], regions["plate"], regions["rematch"]
    assert render_panel(public) == regions


def test_names_are_text() -> None:
    script = {"scoreboard": {"batter": "<script>alert(1)</script>"}}
    view = with_(small_ball().game.view_for(None), table=script, missing=["<b>bold</b>"])
    html = "".join(render_panel(view).values())
    assert "<script" not in html
    assert "<b>bold" not in html


def test_proposal_is_shown() -> None:
    """Before it counts; in doubt with advice, or once that has ended, with who goes on."""
    port = small_ball()

    def now(*faces: int, **more: Any) -> str:
        port.show(proposal=proposal(2, "away", faces, **more))
        return render_panel(port.game.view_for(None))["now"]

    assert "Read 5." in now(5)
    doubtful = {"sure": False, "advice": "Lay it flat."}
    assert "Lay it flat." in now(5, doubt="cocked", **doubtful)
    words = "red die 3, white die 5"
    assert f"Not sure: {words}." in now(3, 5, words=words, doubt="alike", **doubtful)
    assert "Can’t read the dice." in now(doubt="kind", **doubtful)
    assert "Please confirm." in now(5, doubt="cocked", sure=False)
    assert "Please enter the dice." in now(doubt="cocked", sure=False)
    port.show(notice="Thrown too early.")
    assert "Thrown too early." in now(5)


def test_the_dice_of_a_play_can_be_looked_at() -> None:
    """The picture of a roll that a camera saw, now and in the log."""
    port = small_ball()
    port.seats.answer_ask("away", 1, "bat", Source.PHONE)
    port.seats.answer_ask("away", 2, [2], Source.PHONE)
    with phone(create_app(port.port)) as client:
        assert "/evidence/" not in client.get("/").text
        port.pictures.store_picture(1, 2, JPEG)
        port.game.publish_again()
        page = client.get("/").text
        assert '<img src="/evidence/1-2.jpg" alt="The dice as the camera saw them' in page
        assert '<a class="proof" href="/evidence/1-2.jpg">the dice</a>' in client.get("/plays").text
        assert client.get("/evidence/1-3.jpg").status_code == 404
        assert client.get("/evidence/..%2f1-2.jpg").status_code == 404


def test_why_a_roll_was_asked_about() -> None:
    """What the reader said stands in the picture, and comes out as it was."""
    port = small_ball()
    said = '{"why": "unclear: chance 0.91, needs 0.95"}'
    port.pictures.store_picture(1, 2, with_comment(JPEG, said))
    port.pictures.store_picture(1, 3, b"\xff\xd8 as an older Dugout stored it \xff\xd9")
    with phone(create_app(port.port)) as client:
        found, *others = (client.get(f"/evidence/{name}.json") for name in ("1-2", "1-3", "1-4"))
        assert client.get("/evidence/1-2.jpg").status_code == 200
    assert (said, "application/json", "no-store") == (
        found.text,
        found.headers["content-type"],
        found.headers["cache-control"],
    )
    assert [404, 404] == [one.status_code for one in others]


def test_a_picture_is_kept_once_its_roll_counts() -> None:
    """Not before: if the dice are thrown again, the next picture has the same address."""
    port = small_ball()
    for place in (2, 3):
        port.pictures.store_picture(1, place, JPEG)
    port.show(proposal=proposal(2, "away", evidence="1-3"))
    with phone(create_app(port.port)) as client:
        kept = [client.get(f"/evidence/{name}.jpg").headers["cache-control"] for name in ("1-2", "1-3")]
        port.show(proposal=None)
        kept.append(client.get("/evidence/1-3.jpg").headers["cache-control"])
    assert ["max-age=3600", "no-store", "max-age=3600"] == kept


def test_a_throw_has_a_page() -> None:
    """The picture of the last play leads to it: the clip, the score and the play, and a file to save."""
    port = small_ball()
    port.seats.answer_ask("away", 1, "bat", Source.PHONE)
    port.seats.answer_ask("away", 2, [2], Source.PHONE)
    port.pictures.store_picture(1, 2, JPEG)
    port.game.publish_again()
    with phone(create_app(port.port)) as client:
        assert '<a class="proof" href="/evidence/1-2.jpg"><img' in client.get("/").text
        assert [404] * 3 == [client.get(f"/evidence/1-2{kind}").status_code for kind in ("", ".webp", ".gif")]
        port.pictures.store_picture(1, 2, JPEG, Film())
        port.game.publish_again()
        assert '<a class="proof" href="/evidence/1-2"><img' in client.get("/").text
        shown = client.get("/evidence/1-2")
        assert 'src="/evidence/1-2.webp"' in shown.text
        assert 'href="/evidence/1-2.gif" download' in shown.text
        assert port.game.table.last_play_text() in shown.text
        assert "Lanterns 0, Owls 0 · Top of the 1st" in shown.text
        clip, saved = client.get("/evidence/1-2.webp"), client.get("/evidence/1-2.gif")
        assert ("image/webp", "max-age=3600", WEBP) == (
            clip.headers["content-type"],
            clip.headers["cache-control"],
            clip.content,
        )
        assert ("image/gif", 'attachment; filename="dugout-1-2.gif"') == (
            saved.headers["content-type"],
            saved.headers["content-disposition"],
        )
        names = ("1-3", "x", "..%2f1-2", "1-2-3", "1234567890-1")
        assert {404, 422} >= {
            client.get(f"/evidence/{name}{kind}").status_code for name in names for kind in ("", ".webp", ".gif")
        }


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
        (group.half, group.runs, [play.sentence for play in group.plays]) for group in plays_by_half(log)
    ]


def test_the_last_play_stays_until_the_next_throw() -> None:
    """Also past the end of its half-inning; choices and draws after it stand below it."""

    def line(n: int, sentence: str, thrown: bool = False) -> PlayView:
        return PlayView(n, "x", 1, 1, "top", None, sentence, 0, f"1-{n}" if thrown else None, False, thrown=thrown)

    def moment(before: list[PlayView], plays: list[PlayView]) -> LastPlay:
        board = small_ball().game.view_for(None).table.scoreboard
        return last_play(ReplayedMoment(board, None, plays, before), "Ann draws.")

    out, end = line(4, "Strikeout: three outs.", True), line(4, "Bottom of the 1st.", True)
    draw, card = line(5, "Ann draws."), line(6, "Bob draws.")
    assert LastPlay("Strikeout: three outs. Bottom of the 1st.", "1-4", False, "") == moment([out], [end])
    assert LastPlay("Strikeout: three outs. Bottom of the 1st.", "1-4", False, "Bob draws.") == moment(
        [out], [end, draw, card]
    )
    assert LastPlay("Single.", "1-7", False, "") == moment([out], [end, draw, card, line(7, "Single.", True)])
    assert LastPlay("Ann draws.", None, False, "") == moment([], [draw])


def test_the_last_play_stands_directly_below_the_board() -> None:
    """For spectators and seats."""
    with phone(create_app(small_ball().port), "away") as client:
        for path in ("/", "/seat"):
            ids = re.findall(r'id="(\w+)" aria-label', client.get(path).text)
            assert ["score", "lamps", "diamond", "dice"] == ids[:4]


def test_ordinals() -> None:
    assert ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st"] == list(
        map(ordinal_text, (1, 2, 3, 4, 11, 12, 13, 21))
    )


def test_join_code() -> None:
    """It leads to the address at which the page was reached, for phones in the same network."""
    asked: list[str] = []

    def join(reached: str) -> TableAddresses:
        asked.append(reached)
        return TableAddresses("http://dugout.local/", "dugout.local", reached, f"http://{reached}/")

    with TestClient(create_app(replace(small_ball().port, join=join)), "http://10.42.0.1") as client:
        answer = client.get("/join.svg")
        pages = [client.get(path).text for path in ("/", "/tv")]
    assert "image/svg+xml" == answer.headers["content-type"]
    assert answer.text.startswith("<svg")
    assert ["10.42.0.1"] * 3 == asked
    assert all("QR code of http://10.42.0.1/" in page for page in pages)
    assert "<b>10.42.0.1<wbr></b><br>or http://dugout.local/" in pages[0]


class Alone(WebTable):
    """The home seat plays the away side; the other seat is empty."""

    def altered(self, view: AudienceView, seat: Seat | None) -> AudienceView:
        asks = [replace(ask, seat="home") for ask in view.table.asks]
        alone: AudienceView = with_(view, table={"asks": asks, "scoreboard": {"plays": {"home": "away"}}})
        return alone


def test_an_ask_waits_for_the_side_that_the_seat_plays() -> None:
    port = Alone()
    away = port.game.view_for(None).table.scoreboard.sides["away"].name
    with phone(create_app(port.port)) as client:
        assert f"Waiting for {away}" in text(client.get("/").text)


def test_a_seat_is_named_for_the_side_that_it_plays() -> None:
    port = Alone()
    away = port.game.view_for(None).table.scoreboard.sides["away"].name
    with phone(create_app(port.port), "home") as client:
        page = client.get("/seat").text
        assert f"<title>{away} · Dugout</title>" in page
        assert f"{away}, home" not in text(page)


class Swapped(WebTable):
    """Each seat plays the side of the other, as in every second game of a series."""

    def altered(self, view: AudienceView, seat: Seat | None) -> AudienceView:
        swapped: AudienceView = with_(view, table={"scoreboard": {"plays": {"away": "home", "home": "away"}}})
        return swapped


def test_every_page_names_the_side_that_a_seat_plays_now() -> None:
    """The choice of a seat, the invitation, the seat itself, the operator's list, and the notices."""
    made = Swapped()
    app = create_app(made.port)
    away, home = "Owls, home", "Lanterns, away"
    with phone(app) as client:
        for path in ("/seat", "/in"):
            found = re.findall(r'value="(away|home)".*?</(?:label|button)>', client.get(path).text, re.S)
            assert ["away", "home"] == found
            page = client.get(path).text
            assert text(page).index(away) < text(page).index(home)
        client.post("/seat", data={"seat": "away", "code": CODE})
        assert f"A phone took a seat: {away}." == made.game.view_for(None).warnings[0]
        page = client.get("/seat").text
        assert (True, False) == (away in text(page), "Owls, away" in text(page))
        assert f"Your seat: {away}" in text(page)
    with phone(app, "operator") as client:
        page = client.get("/table").text
        assert [away, home] * 2 == re.findall(r"data-side=\"\w+\">([^<]*)<", page)
        client.post("/api/free", json={"seat": "home"})
        assert f"Seat freed: {home}." == made.game.view_for(None).warnings[0]


def test_what_the_camera_sees_stands_in_the_question() -> None:
    """Its state, a doubt with its reason and the crop; a roll of nobody's question stands alone."""
    made = small_ball()
    made.seats.answer_ask("away", 1, "bat", Source.PHONE)

    def question() -> str:
        (found,) = re.findall(r'<div class="awaited.*?</div>\n(?=<div class="plated|<p class="notice)', now(), re.S)
        return str(found)

    def now() -> str:
        return render_panel(made.game.view_for(None))["now"]

    assert "The tray is empty." in question()
    assert "The tray is empty." not in render_panel(made.game.view_for(None))["notes"]
    made.show(watching=CameraActivity("off", "No camera."))
    assert "No camera. Enter the die by hand." in question()
    made.show(proposal=proposal(2, "away", (5,), sure=False, doubt="cocked", advice="Lay it flat.", evidence="1-2-abc"))
    assert ("Lay it flat." in question(), 'src="/evidence/1-2-abc.jpg?5%20cocked"' in question()) == (True, True)
    assert "No camera" not in question()


def test_a_picture_of_other_dice_has_another_address() -> None:
    """The same name serves a roll that is thrown again, and then the one that counts; a page keeps what it has."""
    made = small_ball()
    made.seats.answer_ask("away", 1, "bat", Source.PHONE)
    shown = []
    for face, doubt in ((6, None), (5, "cocked"), (5, None)):
        made.show(proposal=proposal(2, "away", (face,), sure=not doubt, doubt=doubt, evidence="1-2"))
        for regions in (render_panel(made.game.view_for(None)), render_tv_panel(made.game.view_for(None))):
            shown += re.findall(r'<img [^>]*src="(/evidence/[^"]*)"', "".join(regions.values()))
    addresses = [one.removeprefix("/evidence/1-2.jpg") for one in shown]
    assert ["?6", "?6", "?5%20cocked", "?5%20cocked", "?5", "?5"] == addresses


def test_a_seat_without_a_side_is_not_offered() -> None:
    with phone(create_app(Alone().port)) as client:
        page = client.get("/seat").text
        assert ('value="home" required checked' in page, 'value="away"' in page) == (True, False)


def test_a_seat_without_a_side_is_not_given() -> None:
    """Neither with the code, nor to a phone that held it in the game before."""
    port = Alone()
    with phone(create_app(port.port)) as client:
        refused = client.post("/seat", data={"seat": "away", "code": CODE})
        assert (403, True) == (refused.status_code, "This game has no away seat" in text(refused.text))
        assert [] == list(port.game.view_for(None).warnings)
    with phone(create_app(port.port), "away") as client:
        assert "This game has no away seat" in text(client.get("/seat").text)


def test_who_wins_alone_is_shown_as_the_side_that_was_played() -> None:
    port = Alone()
    seen = with_(port.game.view_for(None), table={"outcome": Outcome("home", "regulation", "Won.")})
    first, second = render_panel(seen)["score"].split('<div class="side')[1:]
    assert (" won" in first.partition(">")[0], " won" in second.partition(">")[0]) == (True, False)


def test_what_was_found_is_told_with_what_to_do() -> None:
    """Each with its verdict in words, and escaped."""
    with phone(create_app(small_ball().port), "operator") as client:
        page = client.get("/doctor").text
    words = text(page)
    assert "2 things to check, worst first." in words
    assert "Power wrong The voltage is <b>too low</b>. Take its supply. Network worth a look" in words
    assert "Disk OK 12.4 GiB are free." in words
    assert "<b>too low</b>" not in page
    assert 'href="/doctor">Check again' in page


def test_all_is_well() -> None:
    port = small_ball()
    port.machine.run_checks = list  # type: ignore[method-assign]
    with phone(create_app(port.port), "operator") as client:
        assert "All is well." in client.get("/doctor").text


def test_the_file_to_send() -> None:
    """Not cached, and with a name."""
    with phone(create_app(small_ball().port), "operator") as client:
        answer = client.get("/doctor.zip")
    assert (b"a bundle", "application/zip", "no-store") == (
        answer.content,
        answer.headers["content-type"],
        answer.headers["cache-control"],
    )
    assert "attachment; filename=dugout-doctor.zip" == answer.headers["content-disposition"]


def test_the_table_leads_there() -> None:
    with phone(create_app(small_ball().port), "operator") as client:
        assert 'href="/doctor"' in client.get("/table").text


def test_a_roll_says_what_it_can_become() -> None:
    """On everybody's page, and on that of the seat that throws, until dice lie there."""
    made = small_ball()
    made.seats.answer_ask("away", 1, "bat", Source.PHONE)
    ((_, ask),) = made.game.live.open_asks()
    chances = made.record.outcome_chances()
    public, other = made.game.view_for(None), opposite_seat(ask.seat)
    shown = text(render_panel(public, chances)["now"])
    assert all(f"{one.odds} {one.brief}" in shown for one in chances)
    assert "in 6" in text(render_seat_panel(made.game.view_for(ask.seat), public, chances)["odds"])
    assert "" == render_seat_panel(made.game.view_for(other), public, chances)["odds"]
    assert "" == render_seat_panel(made.game.view_for(ask.seat), public)["odds"]
    made.show(proposal=proposal(2, ask.seat, [3]))
    assert "" == render_seat_panel(made.game.view_for(ask.seat), made.game.view_for(None), chances)["odds"]
