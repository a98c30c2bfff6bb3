"""What takes turns on the display: pages of a long text, and the last result before the question."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from device.display import lettering, screens_32, screens_64
from device.display.pages import PAGE_TIME_S, RESULT_PAGE_TIME_S, PageRotation, PageTurner, text_pages
from engine.views import AudienceView, PlayView
from tests.device.display.views import CHOOSE, DIAL, SEEN, a_view, checked, names, read, sentences, turns

BOTH = (screens_64, screens_32)
SIZES = pytest.mark.parametrize("size", BOTH, ids=["64", "32"])
SINGLE = PlayView(7, "single", 1, 7, "bottom", "home", "Ann singles.", 0, None, False)


def after(*plays: PlayView, **more: Any) -> AudienceView:
    """Return a view with these plays; the last sentence is theirs."""
    table = {"version": 8 + len(plays), "last": " ".join(play.sentence for play in plays)} | more.pop("table", {})
    return replace(a_view(dial=DIAL, table=table, **more), plays=plays, version=table["version"])


class Shown:
    """A display with its own clock: each picture is kept as the texts on it."""

    def __init__(self, size: Any) -> None:
        self.size, self.now, self.drawn = size, 0.0, 0
        self.turner = PageTurner(lambda: self.now)

    def see(self, view: AudienceView) -> list[str]:
        """Return the texts of the picture now."""

        def draw(pages: PageRotation) -> Image.Image:
            self.drawn += 1
            image: Image.Image = self.size.draw_game(view, pages)
            return image

        return checked(lambda: self.turner.current_picture(view, draw))

    def wait(self, view: AudienceView, seconds: float) -> list[str]:
        """Let time pass as the ticker does, drawing only when a page is due; return the texts at the end."""
        texts: list[str] = []
        for _ in range(round(seconds / 0.05)):
            self.now += 0.05
            if not self.turner.seconds_left:
                texts = self.see(view)
        return texts


@SIZES
def test_the_result_comes_before_the_question(size: Any) -> None:
    """Its sentence stands in the place of the score for two seconds; what OK would give is there all the time."""
    shown = Shown(size)
    assert "Ann singles." not in shown.see(after())
    first = shown.see(after(SINGLE))
    assert {"Ann singles.", "Hit-and-run"} <= set(first)
    assert "7" not in first
    assert {"7", "Hit-and-run"} <= set(shown.wait(after(SINGLE), RESULT_PAGE_TIME_S + 0.1))


@SIZES
def test_the_question_begins_with_its_first_page(size: Any) -> None:
    """After the result each page stays for its whole time, and none is left out."""
    words = "Bartholomew Winterbottom singles, " * 6 + "and three runs come in."
    shown, long = Shown(size), after(replace(SINGLE, sentence=words))
    expected = turns(size.draw_game, long)
    shown.see(after())
    shown.see(long)
    while (seen := shown.wait(long, 0.05)) != expected[0]:
        assert shown.now < 60
    assert expected == [seen, *(shown.wait(long, PAGE_TIME_S) for _ in expected[1:])]


@SIZES
def test_a_press_ends_the_result(size: Any) -> None:
    shown = Shown(size)
    shown.see(after())
    shown.see(after(SINGLE))
    shown.turner.handle_press()
    assert 0 == shown.turner.seconds_left
    assert "Ann singles." not in shown.see(after(SINGLE))


@SIZES
def test_no_press_shows_while_somebody_chooses_in_secret(size: Any) -> None:
    """Not even that there was one."""
    shown, asks = Shown(size), [CHOOSE | {"secret": True}]
    shown.see(after(table={"asks": asks}))
    view = after(SINGLE, table={"asks": asks, "version": 9})
    before = shown.see(view)
    shown.turner.handle_press()
    assert before == shown.see(view)


def test_what_is_no_result() -> None:
    """The first view after a start, an answer without a play, what was taken back, another game."""
    double = replace(SINGLE, n=9, sentence="Bob doubles.")
    for one, two in (
        (after(SINGLE), replace(after(SINGLE), version=50)),
        (after(SINGLE, double), replace(after(SINGLE), undone=1)),
        (after(SINGLE), replace(after(double), undone=1)),
        (after(SINGLE), after(table={"version": 0})),
    ):
        shown = Shown(screens_64)
        for view in (one, two):
            texts = shown.see(view)
            assert "7" in texts, texts


def test_plays_in_one_go_are_one_result() -> None:
    """Also those of answers that the table gave by itself a moment later, and the end of the half-inning before."""
    shown = Shown(screens_64)
    shown.see(after())
    shown.see(after(SINGLE))
    shown.now += 0.1
    double = replace(SINGLE, n=8, sentence="Bob doubles.")
    assert "Ann singles. Bob doubles." in " ".join(shown.see(after(SINGLE, double)))
    shown.wait(after(SINGLE, double), 9)
    out, change = replace(SINGLE, n=20, sentence="Cy is out."), replace(SINGLE, n=21, sentence="Inning 8, top.")
    view = replace(after(change, table={"version": 30}), before=(SINGLE, double, out))
    assert "Cy is out. Inning 8, top." in " ".join(shown.see(view))


@SIZES
def test_a_roll_in_haste_has_its_result(size: Any) -> None:
    """Dice thrown while the last result still stands take its place; what comes of them stands as long as ever."""
    shown, out = Shown(size), replace(SINGLE, n=9, sentence="Bob is out.")
    shown.see(after())
    shown.see(after(SINGLE))
    shown.now += 1
    shown.see(replace(after(SINGLE, proposal=SEEN), version=50))
    shown.now += 3
    texts = " ".join(shown.see(replace(after(SINGLE, out, table={"version": 51}))))
    assert "Bob is out." in texts
    assert "Ann singles." not in texts


@SIZES
def test_the_last_play_comes_before_the_end(size: Any) -> None:
    """Its sentence stands below the final score for two seconds, then how the game ended."""
    shown, over = Shown(size), {"version": 30, "outcome": {"winner": "home", "sentence": "Owls win."}, "asks": []}
    shown.see(after())
    first = shown.see(after(SINGLE, table=over))
    assert "Ann singles." in first
    assert "Owls win." not in first
    assert "Owls win." in shown.wait(after(SINGLE, table=over), RESULT_PAGE_TIME_S + 0.1)


@SIZES
def test_only_a_new_page_is_drawn(size: Any) -> None:
    """In a minute without a change a picture is drawn once for each page, not for each tick; where nothing takes turns,
    never again."""
    shown = Shown(size)
    shown.see(after())
    shown.wait(after(), 60)
    assert 60 / PAGE_TIME_S - 1 <= shown.drawn - 1 <= 60 / PAGE_TIME_S + 1
    shown = Shown(size)
    over = after(table={"outcome": {"winner": "home", "sentence": "Owls win."}, "asks": []})
    shown.see(over)
    shown.wait(over, 60)
    assert 1 == shown.drawn


@SIZES
def test_a_long_result_has_pages(size: Any) -> None:
    words = "Bartholomew Winterbottom singles, " * 6 + "and three runs come in."
    shown, long = Shown(size), after(replace(SINGLE, sentence=words))
    shown.see(after())
    pages = [shown.see(long)]
    while "7" not in pages[-1]:
        assert shown.now < 60
        if page := shown.wait(long, 0.05):
            pages.append(page)
    said = [line for page in pages[:-1] for line in page if line in words]
    assert words == " ".join(said)


@given(sentences, st.integers(20, 126), st.integers(1, 5))
def test_pages_lose_nothing(words: str, room: int, lines: int) -> None:
    """Every letter is on a page, in order; every line fits, and no page has too many."""
    pages = text_pages(words, room, lines)
    assert all(len(page) <= lines for page in pages)
    assert all(lettering.text_width(line) <= room for page in pages for line in page)
    assert "".join(lettering.ascii_text(words).split()) == "".join("".join("".join(page) for page in pages).split())


def test_pages_are_about_equally_full() -> None:
    """Five lines are three and two, not four and one."""
    assert [3, 2] == [len(page) for page in text_pages("aaaa bbbb cccc dddd eeee", 30, 4)]


tokens = st.lists(st.integers(0, 99999), min_size=1, max_size=14, unique=True)


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(names, tokens, tokens, tokens, st.booleans())
def test_no_text_is_cut_without_a_page_that_follows(
    name: str, title: list[int], sentence: list[int], label: list[int], missing: bool
) -> None:
    """Whatever a title, a question, an option or a missing part says, the pages show every word of it."""
    words = [
        " ".join(f"{mark}{n}" for n in numbers) for mark, numbers in zip("tql", (title, sentence, label), strict=True)
    ]
    view = a_view(
        board={"sides": {"away": {"name": "Lanterns"}, "home": {"name": name}}},
        table={"asks": [CHOOSE | {"title": words[0], "sentence": words[1]}]},
        dial=DIAL | {"label": words[2]},
        missing=["No camera."] if missing else [],
    )
    for size in BOTH:
        with read() as drawn:
            for at in range(20):
                size.draw_game(view, PageRotation(at * PAGE_TIME_S))
        seen = {word for part, *_ in drawn for word in part.split()}
        assert set(" ".join([*words, *view.missing]).split()) <= seen
