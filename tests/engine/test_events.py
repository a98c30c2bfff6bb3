"""Events and their sentences, the play log, and the line score computed from them."""

from __future__ import annotations

from engine.events import TABLE_EVENT_SENTENCES, Event, GameWords, chart_in_words, faces_in_words
from engine.secrets import SealedValue
from tests.each import each
from tests.engine.games.small_ball.fixture import BB, DOUBLE, SINGLE, SO, at, bat, new
from tests.engine.sample_games.duel_game import DUEL
from tests.engine.tables import play

WORDS = GameWords(
    {"up": "{batter} is up, {runs:run} in."}, {"in": "{runners} scored.", "card": "It was {card}."}, {"a": "A {x}"}
)


@each(("runs", "said"), [(0, "no runs"), (1, "1 run"), (2, "2 runs")])
def test_a_number_takes_the_right_noun(runs: int, said: str) -> None:
    """One run, but no runs and two runs."""
    assert f"Pip is up, {said} in." == WORDS.ask_sentence("up", {"batter": "Pip", "runs": runs})


@each(
    ("template", "said"),
    [
        ("Play ball.", "Play ball."),
        ("{{{x}}} is {x}", "{Pip} is Pip"),
        ("{side[name]} bats", "Gulls bats"),
        ("{x!r:>7}", "'Pip'"),
        ("{n:{noun}}", "2 outs"),
    ],
)
def test_a_sentence_may_use_all_that_python_formats(template: str, said: str) -> None:
    """Names alone are filled in by a shorter way, with the same result."""
    words = GameWords({"a": template}, {})
    assert said == words.ask_sentence("a", {"x": "Pip", "side": {"name": "Gulls"}, "n": 2, "noun": "out"})


@each(("names", "said"), [(["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c"), ([], "")])
def test_a_list_is_joined_in_english(names: list[str], said: str) -> None:
    """With commas and one "and"."""
    assert f"{said} scored." == WORDS.event_sentence(Event("in", {"runners": names}))


@each(
    ("values", "said", "brief"),
    [
        ((), "none", "none"),
        ((5,), "5", "5"),
        ((5, 6), "5 or 6", "5-6"),
        ((4, 5, 6), "4 to 6", "4-6"),
        ((6, 1, 2, 3), "1 to 3 or 6", "1-3, 6"),
        ((1, 3, 5, 6), "1, 3, 5 or 6", "1, 3, 5-6"),
    ],
)
def test_faces_are_read_out(values: tuple[int, ...], said: str, brief: str) -> None:
    assert (said, brief) == (faces_in_words(values), faces_in_words(values, "-"))


def test_a_chart_gathers_faces_of_the_same_result() -> None:
    assert "out on 1, 2 or 4; single on 3" == chart_in_words({1: "out", 2: "out", 3: "single", 4: "out"})


def test_a_sealed_fact_is_hidden() -> None:
    """Everybody may hear the sentence."""
    assert "It was hidden." == WORDS.event_sentence(Event("card", {"card": SealedValue("home", "ace", 3)}))


def test_an_option_without_words_uses_its_own_name() -> None:
    """Card names need no entry; codes are filled in."""
    assert ("A 1", "Pip {x}") == (WORDS.option_label("a", {"x": 1}), WORDS.option_label("Pip {x}", {}))


def test_facts_are_not_used_as_patterns() -> None:
    """Braces in a card's name are plain text."""
    assert "{runners} scored." == WORDS.event_sentence(Event("in", {"runners": "{runners}"}))


def test_the_tables_own_events_have_words_in_every_game() -> None:
    """Undo and amend need no words from the game."""
    assert ["Taken back.", "Corrected."] == [
        DUEL.words.event_sentence(Event(code, {"n": 1})) for code in TABLE_EVENT_SENTENCES
    ]
    assert ["Taken back.", "Corrected."] == [DUEL.words.event_sentence(Event(code, {})) for code in ("undo", "amend")]


def test_the_play_log_knows_its_half() -> None:
    """Each line has its inning and half, seat, number and runs."""
    table = bat(new(), BB, DOUBLE, SINGLE)
    play(table, "bank", "bank", "bank")
    lines = [(line.code, line.inning, line.half, line.seat, line.n, line.scored) for line in table.play_log_lines()]
    assert [
        ("play-ball", 1, "top", None, -1, 0),
        ("half-inning", 1, "top", "away", -1, 0),
        ("walk", 1, "top", "away", 1, 0),
        ("double", 1, "top", "away", 3, 0),
        ("single", 1, "top", "away", 5, 0),
        ("comes-home", 1, "top", "away", 5, 0),
        ("bank", 1, "top", "away", 6, 1),
        ("half-inning", 1, "bottom", "home", 6, 0),
        ("bank", 1, "bottom", "home", 8, 0),
        ("half-inning", 2, "top", "away", 8, 0),
    ] == lines
    assert "red 1 scored: 1 run at stake." == table.play_log_lines()[5].sentence


def test_the_line_score_is_runs_by_inning_and_hits() -> None:
    """Both teams have an entry for each inning, and home has one still to play."""
    table = bat(new(), DOUBLE, DOUBLE)
    play(table, "bank", "bank", "bank")
    bat(table, SO, SINGLE)
    sides = table.scoreboard().sides
    assert (((1, 0), 1, 3), ((0,), 0, 0)) == (
        (sides["away"].line, sides["away"].runs, sides["away"].hits),
        (sides["home"].line, sides["home"].runs, sides["home"].hits),
    )


def test_runs_lost_in_a_bust_are_not_in_the_line_score() -> None:
    """Runs that did not count are left out; the hits still count."""
    table = bat(at("3", outs=2), SINGLE, SO)
    sides = table.scoreboard().sides
    assert ((0,), 0, 1) == (sides["away"].line, sides["away"].runs, sides["away"].hits)
