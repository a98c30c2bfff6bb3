"""Warnings stay their whole time, whatever comes after them; of ordinary notices the newest counts."""

from __future__ import annotations

import math
from copy import deepcopy

from hypothesis import given
from hypothesis import strategies as st

from device.display.pages import PAGE_TIME_S
from device.table.notices import MAX_WARNINGS, MORE_WARNINGS_TEXT, NOTICE_DURATION_S, WARNING_DURATION_S, Notices
from device.table.publication import AudienceViews, ViewPublisher


class Timed(Notices):
    """Notices whose time each step gives."""

    def __init__(self) -> None:
        self.now, self.published = 0.0, 0
        super().__init__(ViewPublisher(lambda: self.now, self.publish))

    def publish(self, version: int) -> AudienceViews:
        """Count what is published; nobody looks at it."""
        self.published = version
        return AudienceViews(None, None, None, None, lambda: 0.0)  # type: ignore[arg-type]

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
        before = self.current_text
        self.at(now).expire_notices()
        return self.current_text != before


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["warn", "show", "clear", "update"]),
        st.sampled_from("abcdefghijklm"),
        st.floats(0, 2 * WARNING_DURATION_S, allow_nan=False),
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
                notices.at(now).show_warning(sentence)
                due.append((now + WARNING_DURATION_S, sentence))
                assert full or sentence in notices.warnings
            case "show":
                notices.at(now).show_notice(sentence)
            case "clear":
                notices.clear_notice()
        notices.over(now)
        due = [(until, one) for until, one in due if now < until]
        assert not [one for _, one in due if one not in notices.warnings and MORE_WARNINGS_TEXT not in notices.warnings]
        assert len(notices.warnings) <= MAX_WARNINGS + 1
        shown = notices.current_text or ""
        assert all(one in shown for one in notices.warnings)
        now += later
    now += WARNING_DURATION_S * (MAX_WARNINGS + 1)
    notices.over(now)
    assert () == notices.warnings


@given(STEPS)
def test_a_display_shows_every_warning(steps: list[tuple[str, str, float]]) -> None:
    """Three pages each, one after the other from the newest on, as soon as no new one comes."""
    notices, now = Timed(), 0.0
    for step, sentence, later in steps:
        if step == "warn":
            notices.at(now).show_warning(sentence)
            every = 3 * PAGE_TIME_S * len(notices.warnings)
            assert not deepcopy(notices).over(now + every), "one of them ends before its last page is over"
        now += later


def test_two_warnings_stand_together() -> None:
    """The newest first; both until each has had its time."""
    notices = Timed()
    notices.at(0).show_warning("Home was taken.")
    notices.at(3).show_warning("Away was taken.")
    assert "Away was taken. Home was taken." == notices.current_text
    assert not notices.over(3 + 2 * WARNING_DURATION_S - 0.1)
    assert notices.over(3 + 2 * WARNING_DURATION_S)
    assert notices.current_text is None


def test_a_repeated_warning_stays_longer() -> None:
    """It is there once."""
    notices = Timed()
    for now in (0, 7):
        notices.at(now).show_warning("Home was taken.")
    assert "Home was taken." == notices.current_text
    assert not notices.over(7 + WARNING_DURATION_S - 0.1)
    assert notices.over(7 + WARNING_DURATION_S)


def test_a_notice_waits_for_the_warnings() -> None:
    """Its time begins when it is shown; one that was covered has the rest of its time afterwards."""
    notices = Timed()
    notices.at(0).show_notice("Taken back: the roll 6.")
    notices.at(1).show_warning("Home was taken.")
    assert ("Home was taken. Taken back: the roll 6.", True) == (
        notices.current_text,
        notices.over(1 + WARNING_DURATION_S),
    )
    assert "Taken back: the roll 6." == notices.current_text
    assert [False, True] == [notices.over(1 + WARNING_DURATION_S + after) for after in (2.9, NOTICE_DURATION_S - 1)]
    notices.at(20).show_warning("Home was taken.")
    notices.at(21).show_notice("Reroll the 4.", 8)
    notices.over(20 + WARNING_DURATION_S)
    assert "Reroll the 4." == notices.current_text
    assert [False, True] == [notices.over(20 + WARNING_DURATION_S + after) for after in (7.9, 8)]


def test_the_newest_notice_counts() -> None:
    """Until its time is over, or somebody answers."""
    notices = Timed()
    notices.at(0).show_notice("Thrown too early.")
    notices.at(1).show_notice("Choose first.")
    assert "Choose first." == notices.current_text
    assert [False, True] == [notices.over(at) for at in (1 + NOTICE_DURATION_S - 0.1, 1 + NOTICE_DURATION_S)]
    notices.at(10).show_notice("Thrown too early.")
    notices.clear_notice()
    assert notices.current_text is None


def test_only_what_changes_is_published() -> None:
    """A look at the clock publishes nothing; the end of a notice does, and a part that is missing, once."""
    notices = Timed()
    notices.show_notice("Home was named.")
    before = notices.published
    notices.at(NOTICE_DURATION_S - 1).expire_notices()
    assert before == notices.published
    notices.at(NOTICE_DURATION_S).expire_notices()
    assert before + 1 == notices.published
    for _ in range(2):
        notices.set_fault("camera", "No camera.")
    assert before + 2 == notices.published


def test_it_says_when_the_next_has_had_its_time() -> None:
    """Looked at only then, everything ends in time."""
    notices = Timed()
    assert math.inf == notices.expire_notices()
    notices.show_notice("Home was named.")
    notices.show_warning("Away was taken.")
    assert WARNING_DURATION_S == notices.expire_notices()
    assert NOTICE_DURATION_S == notices.at(WARNING_DURATION_S).expire_notices()
    assert math.inf == notices.at(WARNING_DURATION_S + NOTICE_DURATION_S).expire_notices()
    assert notices.current_text is None
