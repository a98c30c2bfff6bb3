"""The whole table, simulated: drawn dice, the real dice reader, real gpiozero buttons on mock pins, real pages."""

from __future__ import annotations

import io
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from PIL import Image

from engine.views import json_data
from tests.device.process import PATIENCE, Program

APART = 0.12
"""Seconds between pressing and releasing a button, and after it: more than contacts bounce, less than a hold."""


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[Program]:
    """Start a demo whose dice fall the same way each time."""
    with Program(tmp_path, "--seed", "3", command="demo") as program:
        yield program


def until(program: Program, what: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
    """Return the first view for which `what` is true; fail if there is none for a long time."""
    last = time.monotonic() + PATIENCE
    while not what(view := program.view()):
        assert time.monotonic() < last, f"never came; last seen: {view}"
        time.sleep(0.05)
    return view


def push(program: Program, button: str) -> None:
    """Press and release a virtual button."""
    for action in ("press", "release"):
        assert program.post("press", button=button, action=action).is_success
        time.sleep(APART)


def first(view: dict[str, Any]) -> str:
    """Return the code of the first open ask."""
    why: str = view["table"]["asks"][0]["why"]
    return why


def throw(program: Program) -> None:
    until(program, lambda view: view["watching"]["state"] in ("empty", "settled"))
    assert program.post("simulate", what="throw").is_success


def picture(program: Program, before: bytes = b"") -> bytes:
    """Return the display's picture as the page shows it, once it differs from `before`."""
    found: list[Image.Image] = []

    def changed(_: object) -> bool:
        found[:] = [Image.open(io.BytesIO(program.client.get("/display.png").content))]
        return found[0].tobytes() != before

    until(program, changed)
    assert (found[0].size, found[0].mode) == ((128, 64), "1")
    return found[0].tobytes()


def test_from_start_to_end(demo: Program) -> None:
    """Buttons choose, a drawn die is thrown, the camera reads it, and the runner moves. A hand is not a roll; an
    unplugged camera is reported and comes back. A short press of undo takes one answer back; held for long, it ends
    the process. The display on the page follows."""
    joined = picture(demo)
    push(demo, "away-next")  # hides the join screen
    game = picture(demo, joined)
    push(demo, "away-ok")  # Lanterns are away
    until(demo, lambda view: first(view) == "decision")
    picture(demo, game)
    push(demo, "away-ok")  # Bat
    until(demo, lambda view: first(view) == "at-bat" and view["watching"]["state"] == "empty")
    demo.post("simulate", what="hand")
    until(demo, lambda view: view["watching"]["state"] in ("hand", "moving"))
    view = until(demo, lambda view: view["watching"]["state"] == "empty")
    assert (view["table"]["version"], view["proposal"]) == (2, None)
    throw(demo)
    view = until(demo, lambda view: view["table"]["version"] == 3)
    (roll,) = demo.client.get("/api/rolls").json()
    assert view["table"]["scoreboard"]["dice"] == roll["value"]
    assert view["table"]["scoreboard"]["batter"] == "Juno Sable"
    demo.post("simulate", what="unplug")
    view = until(demo, lambda view: view["missing"])
    assert view["missing"][0].startswith("No camera: enter the dice")
    (ask,) = view["table"]["asks"]
    assert demo.post("answer", seat=ask["seat"], n=3, value=ask["options"][0]["value"]).is_success
    demo.post("simulate", what="plug")
    until(demo, lambda view: not view["missing"])
    push(demo, "undo")
    view = until(demo, lambda view: view["table"]["version"] == 5)
    assert first(view) == ask["why"]
    last = time.monotonic() + PATIENCE
    while demo.process.poll() is None:
        assert time.monotonic() < last
        with suppress(httpx.HTTPError, subprocess.TimeoutExpired):
            demo.post("press", button="undo", action="press")
            demo.process.wait(10)
        with suppress(httpx.HTTPError):  # where a busy machine missed a reading, the hold ended: hold it again
            demo.post("press", button="undo", action="release")
    assert demo.process.wait(PATIENCE) == 0


def in_doubt(demo: Program, what: str) -> dict[str, Any]:
    """Throw badly until the reader doubts; what it believes counts (uncalibrated, most: docs/evidence/vision.md)."""
    for _ in range(20):
        while (ask := demo.view()["table"]["asks"][0])["kind"] != "roll":
            assert demo.post("answer", seat=ask["seat"], n=ask["n"], value=ask["options"][0]["value"]).is_success
        demo.post("simulate", what=what)
        view = until(demo, lambda view: view["proposal"] or view["table"]["asks"][0]["n"] > ask["n"])
        if view["proposal"] and not view["proposal"]["sure"]:
            return view
        until(demo, lambda view: view["table"]["asks"][0]["n"] > ask["n"])
    pytest.fail(f"Every {what} was believed.")


@pytest.mark.slow
def test_dice_that_lie_unclearly_need_confirmation(tmp_path: Path) -> None:
    """Once in doubt they never count by themselves: the table says why until they are picked up, and a person confirms
    or corrects them.
    """
    with Program(tmp_path, "--seed", "3", command="demo") as demo:
        demo.post("answer", seat="away", n=0, value="red")
        throw(demo)
        until(demo, lambda view: view["notice"] == "Choose first, then roll.")
        for what in ("cock", "stack"):
            view = in_doubt(demo, what)
            advice, ask = view["proposal"]["advice"], view["table"]["asks"][0]
            assert advice in demo.client.get("/").text
            read = demo.client.get(f"/evidence/{view['proposal']['evidence']}.json").json()
            if not read["sure"]:  # the table itself doubts dice that moved before their roll counted
                assert read["doubt"] == view["proposal"]["doubt"]
                assert read["why"].startswith(f"{read['doubt']}: ")
            demo.post("simulate", what="pick-up")
            view = until(demo, lambda view: view["watching"]["state"] == "empty")
            assert (view["proposal"]["sure"], view["proposal"]["advice"]) == (False, None)
            assert advice not in demo.client.get("/").text
            demo.post("answer", seat=ask["seat"], n=ask["n"], value=[2] * len(ask["dice"]))
            until(demo, lambda view: view["table"]["asks"][0]["n"] > ask["n"] and not view["proposal"])  # noqa: B023


def running(demo: Program) -> dict[str, Any]:
    """Return a demo of Bottom of the 9th, played with open choices and typed dice until the race begins."""
    assert demo.post("game", game="bottom-of-the-9th", house={"tokens": "open"}).is_success
    dice: dict[str, Any] = {"pitch": [1, "S"]}
    while (view := demo.view())["race"] is None:
        ask = view["table"]["asks"][0]
        value = dice.get(ask["why"], [5]) if ask["kind"] == "roll" else ask["options"][-1]["value"]
        assert demo.post("answer", seat=ask["seat"], n=ask["n"], value=value).is_success
    return view


@pytest.mark.slow
def test_a_race_with_drawn_dice_ends_with_a_button(demo: Program) -> None:
    """Both dice are thrown until the camera sees a winning one; its OK, pressed on a mock pin, ends the race."""
    push(demo, "away-next")  # hides the join screen
    assert demo.post("simulate", what="throw-home").status_code == 422
    race = running(demo)["race"]
    with httpx.Client(base_url=demo.url, timeout=PATIENCE) as rival:
        rival.post("/seat", data={"code": demo.code, "seat": "home"})
        typed = rival.post("/api/answer", json={"seat": "home", "n": race["n"]["home"], "value": 5})
        assert typed.status_code == 422, "a seat calls; what its die shows is not its to type"
    ready: list[str] = []

    def rolled(view: dict[str, Any]) -> bool:
        """Throw again once both dice lie, or as long as a machine too slow to see them move saw no throw."""
        seats = view["race"]["seats"]
        ready[:] = [seat for seat, one in seats.items() if one["state"] == "ready"]
        if not ready and (time.monotonic() > thrown[0] + 8 or all(one["face"] for one in seats.values())):
            for what in ("throw-home", "throw-away"):
                assert demo.post("simulate", what=what).is_success
            thrown[0] = time.monotonic()
        return bool(ready)

    thrown = [0.0]
    until(demo, rolled)
    push(demo, f"{ready[0]}-ok")
    view = until(demo, lambda view: view["race"] is None or view["race"]["confirm"])
    if view["race"]:  # a machine too slow to read in time makes the table ask
        assert demo.post("answer", seat=ready[0], n=race["n"][ready[0]], value=5).is_success
        view = until(demo, lambda view: view["race"] is None)
    result = view["table"]["scoreboard"]["panel"]["race"]["result"]
    assert {"home": "safe", "away": "out"}[ready[0]] == result


@pytest.mark.slow
def test_gloves_under_the_drawn_camera_are_confirmed_with_a_button(demo: Program) -> None:
    """RallyBird end to end: Gloves laid on the board, covered by a cup, seen, and confirmed by one press."""
    push(demo, "away-next")  # hides the join screen
    assert demo.post("simulate", what="lay").status_code == 422
    assert demo.post("game", game="rallybird", house={"cards": "real"}).is_success
    until(demo, lambda view: first(view) == "visitor")
    while (ask := json_data(demo.view())["table"]["asks"][0])["why"] != "gloves":
        value = ask["options"][0]["value"]
        assert demo.post("answer", seat=ask["seat"], n=ask["n"], value=value).is_success
    until(demo, lambda view: view["layout"] and view["layout"]["line"] == "Place 6 Gloves, or < >.")
    assert demo.post("simulate", what="lay").is_success
    laid = until(demo, lambda view: view["layout"] and view["layout"]["sure"])["layout"]["value"]
    assert demo.client.get("/board.jpg").content.startswith(b"\xff\xd8")
    assert demo.post("simulate", what="cover").is_success
    view = until(demo, lambda view: view["layout"] and not view["layout"]["sure"])
    assert any("covered" in words for words in view["layout"]["words"])
    assert laid.items() > view["layout"]["value"].items()
    assert demo.post("simulate", what="lay").is_success
    laid = until(demo, lambda view: view["layout"] and view["layout"]["sure"])["layout"]["value"]
    push(demo, "home-ok")
    view = until(demo, lambda view: first(view) != "gloves")
    zones = view["table"]["scoreboard"]["panel"]["zones"]
    assert laid == {area: zone["glove"]["name"] for area, zone in zones.items() if zone["glove"]}
    assert view["layout"] is None


@pytest.mark.slow
def test_each_kind_of_die_is_thrown_under_the_camera(tmp_path: Path) -> None:
    """Bots throw the requested dice; at least one roll counts that the camera saw, with its picture. In a race they
    throw both dice and call the winning one. Each start suspends the game on the table; a later one continues it."""

    def seen(program: Program, kind: str) -> bool:
        rolls = program.client.get("/api/rolls").json()
        return kind in {die["kind"] for roll in rolls if roll["evidence"] for die in roll["dice"]}

    with Program(tmp_path, command="demo") as program:
        running(program)
        assert program.end() == 0
    with Program(tmp_path, "--autoplay", "4", command="demo") as program:
        assert program.view()["race"]
        until(program, lambda view: view["race"] is None)
        until(program, lambda view: seen(program, "pitch"))
        assert program.end() == 0
    for game, kind in (("clutch", "d20"), ("seventh-inning-stretch", "d10")):
        with Program(tmp_path, "--game", game, "--autoplay", "4", command="demo") as program:
            until(program, lambda view: seen(program, kind))  # noqa: B023 - at once
            assert program.end() == 0
    with Program(tmp_path, "--game", "seventh-inning-stretch", command="demo") as program:
        view = program.view()
        assert view["table"]["scoreboard"]["panel"]["stands"] == "First half, game 1"
        assert view["table"]["version"] > 0
        assert all(title in program.client.get("/games").text for title in ("Bottom of the 9th", "Clutch"))
