"""Warnings stay their whole time, whatever comes after them; of ordinary notices the newest counts."""

from __future__ import annotations

from copy import deepcopy

from hypothesis import given
from hypothesis import strategies as st

from device.display.pages import TURN
from device.table.notices import MAX_WARNINGS, MORE, NOTICE_SECONDS, WARNING_SECONDS, Notices

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
    notices, now = Notices(), 0.0
    due: list[tuple[float, str]] = []
    for step, sentence, later in steps:
        match step:
            case "warn":
                full = len(notices.warnings) >= MAX_WARNINGS
                notices.warn(sentence, now)
                due.append((now + WARNING_SECONDS, sentence))
                assert full or sentence in notices.warnings
            case "show":
                notices.show(sentence, now)
            case "clear":
                notices.clear_notice()
        notices.update(now)
        due = [(until, one) for until, one in due if now < until]
        assert not [one for _, one in due if one not in notices.warnings and MORE not in notices.warnings]
        assert len(notices.warnings) <= MAX_WARNINGS + 1
        shown = notices.shown or ""
        assert all(one in shown for one in notices.warnings)
        now += later
    now += WARNING_SECONDS * (MAX_WARNINGS + 1)
    notices.update(now)
    assert () == notices.warnings


@given(STEPS)
def test_a_display_shows_every_warning(steps: list[tuple[str, str, float]]) -> None:
    """Three pages each, one after the other from the newest on, as soon as no new one comes."""
    notices, now = Notices(), 0.0
    for step, sentence, later in steps:
        if step == "warn":
            notices.warn(sentence, now)
            every = 3 * TURN * len(notices.warnings)
            assert not deepcopy(notices).update(now + every), "one of them ends before its last page is over"
        now += later


def test_two_warnings_stand_together() -> None:
    """The newest first; both until each has had its time."""
    notices = Notices()
    notices.warn("Home was taken.", 0)
    notices.warn("Away was taken.", 3)
    assert "Away was taken. Home was taken." == notices.shown
    assert not notices.update(3 + 2 * WARNING_SECONDS - 0.1)
    assert notices.update(3 + 2 * WARNING_SECONDS)
    assert notices.shown is None


def test_a_repeated_warning_stays_longer() -> None:
    """It is there once."""
    notices = Notices()
    for now in (0, 7):
        notices.warn("Home was taken.", now)
    assert "Home was taken." == notices.shown
    assert not notices.update(7 + WARNING_SECONDS - 0.1)
    assert notices.update(7 + WARNING_SECONDS)


def test_a_notice_waits_for_the_warnings() -> None:
    """Its time begins when it is shown; one that was covered has the rest of its time afterwards."""
    notices = Notices()
    notices.show("Taken back: the roll 6.", 0)
    notices.warn("Home was taken.", 1)
    assert ("Home was taken. Taken back: the roll 6.", True) == (notices.shown, notices.update(1 + WARNING_SECONDS))
    assert "Taken back: the roll 6." == notices.shown
    assert [False, True] == [notices.update(1 + WARNING_SECONDS + after) for after in (2.9, NOTICE_SECONDS - 1)]
    notices.warn("Home was taken.", 20)
    notices.show("Throw the 4 again.", 21, 8)
    notices.update(20 + WARNING_SECONDS)
    assert "Throw the 4 again." == notices.shown
    assert [False, True] == [notices.update(20 + WARNING_SECONDS + after) for after in (7.9, 8)]


def test_the_newest_notice_counts() -> None:
    """Until its time is over, or somebody answers."""
    notices = Notices()
    notices.show("Thrown too early.", 0)
    notices.show("Choose first.", 1)
    assert "Choose first." == notices.shown
    assert [False, True] == [notices.update(at) for at in (1 + NOTICE_SECONDS - 0.1, 1 + NOTICE_SECONDS)]
    notices.show("Thrown too early.", 10)
    notices.clear_notice()
    assert notices.shown is None
