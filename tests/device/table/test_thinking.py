"""While a computer thinks, everybody reads that it does and about what; a quick answer shows nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from device.display import screens_32, screens_64
from device.table.thinking import MIN_SHOWN_S, STUDY_WORDS, THINKING_DELAY_S
from engine.ask_views import AnyAskView
from engine.views import TableView
from tests.device.inputs.test_computer_managers import Bench

STEP_S = 1 / 8
"""Time between two looks of everybody, in seconds."""


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    bench = Bench(tmp_path, pace="instant")
    bench.play("lineup", "ready-made")
    yield bench
    bench.store.close()


def watched(bench: Bench, seconds: float) -> list[tuple[float, str, list[str]]]:
    """Have the computer think for so long about each question; return what everybody reads meanwhile, with times and
    the open questions.
    """
    seen: list[tuple[float, str, list[str]]] = []
    start = bench.clock.now

    def look() -> None:
        bench.session.tick()
        public = bench.session.game.view_for(None)
        assert public.managers == bench.session.game.view_for("home").managers
        seen.append((bench.clock.now - start, public.managers["away"].thinking, bench.open()))

    def thinks(view: TableView, ask: AnyAskView) -> None:
        for _ in range(round(seconds / STEP_S)):
            bench.clock.now += STEP_S
            look()

    bench.mind.thinks = thinks
    while "reliever" not in bench.open() and len(seen) < 200:
        bench.managers.answer_due_asks()
        look()
        bench.clock.now += STEP_S
    return seen


def test_a_slow_manager_says_what_it_thinks_about(bench: Bench) -> None:
    """From a moment after it began until it answers."""
    seen = watched(bench, 3.0)
    words = {time: words for time, words, asked in seen if "starter" in asked}
    assert {"", "picks a pitcher"} == set(words.values())
    assert all((words == "picks a pitcher") == (time > THINKING_DELAY_S) for time, words in words.items())
    assert "" == seen[-1][1]


@pytest.mark.parametrize("seconds", [0.0, 0.5])
def test_a_quick_one_says_nothing(bench: Bench, seconds: float) -> None:
    assert {""} == {words for _, words, _ in watched(bench, seconds)}


def test_nothing_flickers(bench: Bench) -> None:
    """Once the words are shown, people can read them, even if the manager has decided at once."""
    shown = [time for time, words, _ in watched(bench, 0.75) if words]
    assert shown[-1] - shown[0] >= MIN_SHOWN_S - STEP_S


def test_studying_the_cards_is_shown_and_delays_no_answer(bench: Bench) -> None:
    """It goes on while people play, step by step, and gives way to a question."""
    left, seen = [40], []

    def study_cards(view: TableView | None = None) -> bool:
        bench.clock.now += STEP_S
        bench.session.tick()
        left[0] -= 1
        return left[0] > 0

    bench.mind.study_cards = study_cards  # type: ignore[method-assign]
    while left[0] > 0:
        assert bench.managers.answer_due_asks() == 0.0 or left[0] <= 0
        seen.append((bench.session.game.view_for(None).managers["away"].thinking, bench.open()))
    assert STUDY_WORDS in [words for words, _ in seen]
    assert "starter" not in seen[3][1], "the question waited"
    bench.managers.answer_due_asks()
    assert STUDY_WORDS != bench.session.game.view_for(None).managers["away"].thinking


def test_what_was_taken_back_is_not_thought_about(bench: Bench) -> None:
    def thinks(view: TableView, ask: AnyAskView) -> None:
        bench.mind.thinks = lambda view, ask: None
        bench.clock.now += 1
        bench.session.tick()
        assert bench.session.game.view_for(None).managers["away"].thinking
        bench.session.game.undo_answers()
        assert not bench.session.game.view_for(None).managers["away"].thinking

    bench.mind.thinks = thinks
    bench.managers.answer_due_asks()
    bench.wait(5)
    assert not bench.session.game.view_for(None).managers["away"].thinking


def test_the_small_displays_say_it_too(bench: Bench) -> None:
    """Another picture than without the words, on both sizes."""
    pictures = []

    def thinks(view: TableView, ask: AnyAskView) -> None:
        for _ in range(2):
            public = bench.session.game.view_for(None)
            pictures.append([screens.draw_game(public).tobytes() for screens in (screens_64, screens_32)])
            bench.clock.now += 1
            bench.session.tick()

    bench.session.game.notices.clear_notice()
    bench.mind.thinks = thinks
    bench.managers.answer_due_asks()
    before, after = pictures[:2]
    assert [True, True] == [one != other for one, other in zip(before, after, strict=True)]
