"""A short evening in drawn pictures at a whole table: what the benchmark counts, and that the game goes on."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from benchmarks.evening import plan
from benchmarks.evening.__main__ import row
from benchmarks.evening.clips import Evening
from benchmarks.evening.rendered import picture_rows
from benchmarks.evening.sitting import EveningFigures, EveningRun
from engine.dice import Face
from engine.games import GAMES
from tests.benchmarks.drawn_evening import drawn_evening, unseen_evening
from tests.each import each

SEED = 10  # one of its first eight throws is in trouble


@pytest.fixture(scope="module")
def evening() -> Evening:
    return drawn_evening(SEED, 8)


@pytest.mark.slow
def test_an_evening_is_played_through(evening: Evening, tmp_path: Path) -> None:
    """Of eight throws nothing is silent, and the stacked one is asked about and thrown again."""
    figures = EveningRun(evening, tmp_path).play()
    assert [] == figures.checks
    count = figures.count
    assert (8, 0) == (count["fair"], count["silent"])
    assert count["right"] + count["asked"] == count["fair"]
    assert count["asked"] <= 1, figures.misses
    assert (1, 1, 0) == (count["unfair"], count["doubted"], count["believed"]), figures.misses


def test_what_counts_wrongly_is_noticed(evening: Evening, tmp_path: Path) -> None:
    """Flat dice in place of a stack are believed, and taken back; dice that count as something else are silent."""
    first = next(clip for clip in evening.clips if clip.trouble is None)
    other = tuple(face % 6 + 1 for face in first.values if isinstance(face, int))
    clips = [replace(first, trouble="stacked"), replace(first, values=other)]
    figures = EveningRun(replace(evening, clips=clips), tmp_path).play()
    assert {"fair": 1, "silent": 1, "unfair": 1, "believed": 1} == dict(figures.count)
    assert ["BELIEVED", "WRONG"] == [words.split(": ")[1].split(",")[0] for words in figures.misses]


def test_one_throw_in_ten_is_in_trouble() -> None:
    """The troubles come in turn, one in each ten throws; one die alone is cocked in place of stacked."""
    troubles = plan.troubles_by_throw(3, 60)
    assert [0, 1, 2, 3, 4, 5] == [number // 10 for number in troubles]
    assert {"cocked": 2, "stacked": 2, "covered": 2} == {
        name: list(troubles.values()).count(name) for name in plan.TROUBLES
    }
    assert {"cocked", "covered"} == {throw.trouble for throw in planned("small-ball", 30)} - {None}


@each("key", GAMES)
def test_every_game_gives_an_evening(key: str) -> None:
    """Sixty throws of any game, over several games if one is too short; twice the same."""
    once = planned(key, 60)
    assert list(range(60)) == [throw.number for throw in once]
    assert once == planned(key, 60)


@pytest.mark.slow
@pytest.mark.parametrize("key", GAMES)
def test_people_play_on_when_the_camera_sees_nothing(key: str, tmp_path: Path) -> None:
    """Dice that the camera does not see are asked about and typed. Decisions, secrets, draws and races follow the plan,
    or the next ask would not be the planned one."""
    figures = EveningRun(unseen_evening(key, 2, 16), tmp_path).play()
    assert {"fair": 16, "asked": 16} == dict(figures.count)
    assert figures.misses[0].endswith("asked, empty: The tray is empty.")


def planned(key: str, count: int) -> list[plan.Throw]:
    played, found = plan.planned_throws(key, 3, count), list[plan.Throw]()
    faces: list[Face] | None = None
    while True:
        try:
            found.append(next(played) if faces is None else played.send(faces))
        except StopIteration:
            return found
        faces = [die.faces[len(found) % len(die.faces)] for die in found[-1].dice]


def test_an_unfinished_line_is_dropped(tmp_path: Path) -> None:
    """A line that a power cut left unfinished, or without its picture, is rendered again."""
    np.savez(tmp_path / "empty.npz", light=np.zeros(1))
    lines = [json.dumps({"picture": "empty"}), json.dumps({"picture": "die"}), '{"picture": "thr']
    (tmp_path / "evening.jsonl").write_text("\n".join(lines))
    assert [{"picture": "empty"}] == picture_rows(tmp_path)


def test_a_row_has_shares_of_fair_and_unfair_throws() -> None:
    figures = EveningFigures()
    figures.count.update(fair=50, right=48, asked=2, unfair=5, doubted=5, named=4)
    assert "| 1 | clutch | 50 | 48 | 2 (4.0 %) | 0 | 5 | 5 | 4 (80 %) | 0 |" == row("1", "clutch", figures.count)
