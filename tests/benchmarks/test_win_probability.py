"""The calibration of win probabilities: games are kept and continued, and bands and Brier scores say what happened."""

from __future__ import annotations

from dataclasses import replace
from multiprocessing.pool import ThreadPool
from pathlib import Path
from random import Random

import pytest

from benchmarks import win_probability
from benchmarks.win_probability import PlayedGame, Prediction, band_rows, brier_scores

GAME = PlayedGame(0, "published clutch 0", "home", [("away", 0, "x")], [0])


def test_finished_games_are_kept_and_a_damaged_line_is_played_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = list[int]()

    def fake_game(job: tuple[str, int, str]) -> PlayedGame:
        played.append(job[1])
        return replace(GAME, number=job[1], seed=job[2])

    monkeypatch.setattr(win_probability, "simulate_game", fake_game)
    with ThreadPool(1) as pool:
        found = win_probability.simulate_missing_games(pool, "clutch", 3, "published", tmp_path)
        assert [one.seed for one in found] == [f"published clutch {number}" for number in range(3)]
        path = tmp_path / "clutch.jsonl"
        path.write_text(path.read_text()[:-20])
        win_probability.simulate_missing_games(pool, "clutch", 4, "published", tmp_path)
        assert played == [0, 1, 2, 2, 3]
        win_probability.simulate_missing_games(pool, "clutch", 1, "building", tmp_path)
        assert played[-1] == 0


def test_a_game_is_replayed_and_evaluated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every answer fits again, and each of the moments has a value or is counted as unknown."""
    monkeypatch.setattr(win_probability, "_evaluators", {})
    game = win_probability.simulate_game(("clutch", 0, "test clutch 0"))
    job = "clutch", 0.05, [game]
    found = win_probability.evaluate_games(job)
    assert len(found.predictions) + found.unknown == len(found.times_s)
    assert 0 < len(found.times_s) < len(game.plays) / 5
    assert {one.result for one in found.predictions} == {float(game.winner == "home")}
    assert found == replace(win_probability.evaluate_games(job), times_s=found.times_s)


def predictions(bias: float = 0.0, games: int = 400) -> list[Prediction]:
    """Return predictions of made-up games, which home wins as often as predicted and `bias` more."""
    chance, found = Random(1), list[Prediction]()
    for number in range(games):
        win = chance.random()
        result = float(chance.random() < win + bias)
        found += [Prediction(number, win, (1.0, win - 0.5), result)] * 3
    return found


def test_a_band_that_is_off_is_marked() -> None:
    assert not any("(!)" in row for row in band_rows([replace(one, win=one.result) for one in predictions()]))
    assert any("(!)" in row for row in band_rows(predictions(bias=0.3)))


def test_each_band_says_what_was_predicted_and_what_happened() -> None:
    rows = list(band_rows([Prediction(0, 0.25, (), 0.0), Prediction(1, 0.27, (), 1.0), Prediction(2, 1.0, (), 1.0)]))
    assert rows[2].startswith("| 20% to 30% | 2 | 26.0% | 50.0% | +24.0 | ±")
    assert rows[3].startswith("| 90% to 100% | 1 | 100.0% | 100.0% | +0.0 | ± 0.0")
    assert len(rows) == 4


def test_a_baseline_that_knows_the_chance_is_as_good() -> None:
    """It is judged on other games than those it is fitted on, so it cannot know the result."""
    ours, baseline = brier_scores(predictions(games=2000))
    assert ours == pytest.approx(1 / 6, abs=0.01)
    assert ours < baseline < ours + 0.02
    nothing = brier_scores([replace(one, situation=(1.0, 0.0)) for one in predictions(games=2000)])[1]
    assert nothing == pytest.approx(0.25, abs=0.01)
