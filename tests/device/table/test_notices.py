"""Warnings stay their whole time, whatever comes after them; of ordinary notices the newest counts."""

from __future__ import annotations

import math
from copy import deepcopy

from hypothesis import given
from hypothesis import strategies as st

from device.display.pages import TURN
from device.table.notices import MAX_WARNINGS, MORE, NOTICE_SECONDS, WARNING_SECONDS, Notices
from device.table.publication import Publication, Views


class Timed(Notices):
    """Notices whose time each step gives."""

    def __init__(self) -> None:
        self.now, self.published = 0.0, 0
        super().__init__(Publication(lambda: self.now, self.publish))

    def publish(self, version: int) -> Views:
        """Count what is published; nobody looks at it."""
        self.published = version
        return Views(None, None, None, None, lambda: 0.0)  # type: ignore[arg-type]

    def __deepcopy__(self, memo: dict[int, object]) -> Timed:
        twin = Timed()
        vars(twin).update({name: deepcopy(one) for name, one in vars(self).items() if name != "_publication"})
        return twin

    def at(self, now: float) -> Timed:
        """Return the notices at this time."""
        self.now = now
        return self

    def over(self, now: float) -> bool:
        """Return True if something else is to be shown by this time."""
        before = self.shown
        self.at(now).expire()
        return self.shown != before


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["warn", "show", "clear", "update"]),
        st.sampled_from("abcdefghijklm"),
        st.floats(0, 2 * WARNING_SECONDS, allow_nan=False),
    ),
    max_size=60,
)
"""What happens, its sentence, and the seconds until the next."""


@given(STEPS)
def test_a_warning_stays_its_whole_time(steps: list[tuple[str, str, float]]) -> None:
    """From its start, whatever else is shown, cleared or repeated; or in its place, that there is more."""
    notices, now = Timed(), 0.0
    due: list[tuple[float, str]] = []
    for step, sentence, later in steps:
        match step:
            case "warn":
                full = len(notices.warnings) >= MAX_WARNINGS
                notices.at(now).warn(sentence)
                due.append((now + WARNING_SECONDS, sentence))
                assert full or sentence in notices.warnings
            case "show":
                notices.at(now).show(sentence)
            case "clear":
                notices.clear()
        notices.over(now)
        due = [(until, one) for until, one in due if now < until]
        assert not [one for _, one in due if one not in notices.warnings and MORE not in notices.warnings]
        assert len(notices.warnings) <= MAX_WARNINGS + 1
        shown = notices.shown or ""
        assert all(one in shown for one in notices.warnings)
        now += later
    now += WARNING_SECONDS * (MAX_WARNINGS + 1)
    notices.over(now)
    assert () == notices.warnings


@given(STEPS)
def test_a_display_shows_every_warning(steps: list[tuple[str, str, float]]) -> None:
    """Three pages each, one after the other from the newest on, as soon as no new one comes."""
    notices, now = Timed(), 0.0
    for step, sentence, later in steps:
        if step == "warn":
            notices.at(now).warn(sentence)
            every = 3 * TURN * len(notices.warnings)
            assert not deepcopy(notices).over(now + every), "one of them ends before its last page is over"
        now += later


def test_two_warnings_stand_together() -> None:
    """The newest first; both until each has had its time."""
    notices = Timed()
    notices.at(0).warn("Home was taken.")
    notices.at(3).warn("Away was taken.")
    assert "Away was taken. Home was taken." == notices.shown
    assert not notices.over(3 + 2 * WARNING_SECONDS - 0.1)
    assert notices.over(3 + 2 * WARNING_SECONDS)
    assert notices.shown is None


def test_a_repeated_warning_stays_longer() -> None:
    """It is there once."""
    notices = Timed()
    for now in (0, 7):
        notices.at(now).warn("Home was taken.")
    assert "Home was taken." == notices.shown
    assert not notices.over(7 + WARNING_SECONDS - 0.1)
    assert notices.over(7 + WARNING_SECONDS)


def test_a_notice_waits_for_the_warnings() -> None:
    """Its time begins when it is shown; one that was covered has the rest of its time afterwards."""
    notices = Timed()
    notices.at(0).show("Taken back: the roll 6.")
    notices.at(1).warn("Home was taken.")
    assert ("Home was taken. Taken back: the roll 6.", True) == (notices.shown, notices.over(1 + WARNING_SECONDS))
    assert "Taken back: the roll 6." == notices.shown
    assert [False, True] == [notices.over(1 + WARNING_SECONDS + after) for after in (2.9, NOTICE_SECONDS - 1)]
    notices.at(20).warn("Home was taken.")
    notices.at(21).show("Reroll the 4.", 8)
    notices.over(20 + WARNING_SECONDS)
    assert "Reroll the 4." == notices.shown
    assert [False, True] == [notices.over(20 + WARNING_SECONDS + after) for after in (7.9, 8)]


def test_the_newest_notice_counts() -> None:
    """Until its time is over, or somebody answers."""
    notices = Timed()
    notices.at(0).show("Thrown too early.")
    notices.at(1).show("Choose first.")
    assert "Choose first." == notices.shown
    assert [False, True] == [notices.over(at) for at in (1 + NOTICE_SECONDS - 0.1, 1 + NOTICE_SECONDS)]
    notices.at(10).show("Thrown too early.")
    notices.clear()
    assert notices.shown is None


def test_only_what_changes_is_published() -> None:
    """A look at the clock publishes nothing; the end of a notice does, and a part that is missing, once."""
    notices = Timed()
    notices.show("Home was named.")
    before = notices.published
    notices.at(NOTICE_SECONDS - 1).expire()
    assert before == notices.published
    notices.at(NOTICE_SECONDS).expire()
    assert before + 1 == notices.published
    for _ in range(2):
        notices.miss("camera", "No camera.")
    assert before + 2 == notices.published


def test_it_says_when_the_next_has_had_its_time() -> None:
    """Looked at only then, everything ends in time."""
    notices = Timed()
    assert math.inf == notices.expire()
    notices.show("Home was named.")
    notices.warn("Away was taken.")
    assert WARNING_SECONDS == notices.expire()
    assert NOTICE_SECONDS == notices.at(WARNING_SECONDS).expire()
    assert math.inf == notices.at(WARNING_SECONDS + NOTICE_SECONDS).expire()
    assert notices.shown is None
