"""The race referee: whose call was first, and whether a winning die at rest was behind it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.inputs.debounce import STUCK_AFTER_S, Debouncer
from device.table.race.referee import (
    CONFIRM_DELAY_S,
    GRACE_PERIOD_S,
    MAX_CALL_DELAY_S,
    MAX_PICTURE_DELAY_S,
    RaceSeatState,
    RaceVerdict,
    Referee,
)
from engine.seats import Seat
from tests.device.inputs.test_buttons import BOUNCES, CHATTER, WORN
from vision.tray.tracker import DIE_GONE, DIE_MOVING, DIE_UNSURE, RestingFace, ShownDie

WINS: dict[Seat, tuple[int, ...]] = {"home": (5, 6), "away": (5, 6)}
HOME, AWAY = RaceVerdict("home", 5), RaceVerdict("away", 6)
LONG = 60.0
OPENED = -1.0
"""Time at which these races began."""


def race(window: float = 0.04, by_die: bool = False) -> Referee:
    """Return a race in which both dice lie from before, home's with a winning face."""
    referee = Referee(WINS, OPENED, window, by_die)
    for when in (0.0, 0.1):
        referee.record_picture("home", when, RestingFace(5, 0.0))
        referee.record_picture("away", when, RestingFace(4, 0.0))
    return referee


def film(
    referee: Referee, seat: Seat, *rolls: tuple[float, int], last: float = 4.0, until: float | None = None
) -> None:
    """Show a seat's die twenty times a second up to `last`: it flies for 0.5 s before each landing in (landing, face).

    It is picked up 0.4 s before it flies; nothing is shown after `until`.
    """
    for step in range(4, round(last * 20) + 1):
        when = step / 20
        if until is not None and when > until:
            break
        shown: ShownDie | None = None
        for (landed, face), (after, _) in pairwise([*rolls, (LONG, 0)]):
            if landed <= when < after - 0.9:
                shown = RestingFace(face, landed)
        if shown is not None or when >= rolls[0][0] - 0.9:
            referee.record_picture(seat, when, shown or DIE_MOVING)


def ready(window: float = 0.04) -> Referee:
    """Return a race with home's 5 and away's 6 at rest from 1.0 s on."""
    referee = race(window)
    film(referee, "home", (1.0, 5))
    film(referee, "away", (1.0, 6))
    return referee


def press(trace: Sequence[tuple[int, int]], start: float) -> list[float]:
    """Return the times, in seconds, of the presses reported for a trace that begins at `start`."""
    button = Debouncer("ok")
    return [start + us / 1e6 for us, level in trace if button.handle_edge(start + us / 1e6, not level)]


@pytest.mark.rule("BN-096", "BN-097")
def test_the_first_call_wins() -> None:
    """It counts more than the first die: away's fell later and was called earlier."""
    referee = race()
    film(referee, "home", (1.0, 5))
    film(referee, "away", (1.2, 6))
    referee.record_call("home", 1.6)
    referee.record_call("away", 1.4)
    assert AWAY == referee.verdict(LONG)


@pytest.mark.rule("BN-095", "BN-096")
def test_losing_rolls_leave_the_race_open() -> None:
    """Both roll again and again; the first winning die that is called ends it."""
    referee = race()
    film(referee, "home", (1.0, 2), (2.2, 5))
    film(referee, "away", (1.0, 3), (2.3, 4))
    assert referee.verdict(LONG) is None
    referee.record_call("home", 2.5)
    assert HOME == referee.verdict(LONG)


@pytest.mark.parametrize("trace", [BOUNCES, CHATTER, WORN])
@pytest.mark.rule("BN-096")
def test_a_call_counts_from_the_first_edge(trace: list[tuple[int, int]]) -> None:
    """However the contact bounces, one press is one call at its first edge: 1 ms decides."""
    referee = ready()
    (when,) = press(trace, 1.5)
    referee.record_call("home", when)
    referee.record_call("away", 1.459)
    assert AWAY == referee.verdict(LONG)
    again = ready()
    again.record_call("home", when)
    again.record_call("away", 1.461)
    assert HOME == again.verdict(LONG)


@pytest.mark.parametrize(
    ("out", "winner"),
    [(1.5, HOME), (1.47, HOME), (1.46, HOME), (1.4599, AWAY), (1.44, AWAY), (1.53, HOME), (1.56, HOME)],
)
@pytest.mark.rule("BN-098")
def test_simultaneous_calls_go_to_the_batter(out: float, winner: RaceVerdict) -> None:
    """SAFE at 1.5 s: an OUT at the same moment, or up to 40 ms earlier, does not beat it."""
    referee = ready()
    referee.record_call("away", out)
    referee.record_call("home", 1.5)
    assert winner == referee.verdict(LONG)


@pytest.mark.rule("BN-098")
def test_the_tie_window_is_a_house_rule() -> None:
    """With no window, only the same moment is simultaneous."""
    for out, winner in ((1.5, HOME), (1.499, AWAY)):
        referee = ready(window=0.0)
        referee.record_call("away", out)
        referee.record_call("home", 1.5)
        assert winner == referee.verdict(LONG)


@pytest.mark.rule("BN-098")
def test_a_verdict_waits_for_calls_that_may_be_earlier() -> None:
    """OUT waits until a simultaneous SAFE would have arrived; SAFE until an OUT before the window would have."""
    referee = ready()
    referee.record_call("away", 1.5)
    assert referee.verdict(1.54 + MAX_CALL_DELAY_S - 0.001) is None
    assert AWAY == referee.verdict(1.54 + MAX_CALL_DELAY_S)
    referee.record_call("home", 1.54)
    assert HOME == referee.verdict(1.54 + MAX_CALL_DELAY_S)
    late = ready()
    late.record_call("home", 1.5)
    assert late.verdict(1.46 + MAX_CALL_DELAY_S - 0.001) is None
    assert HOME == late.verdict(1.46 + MAX_CALL_DELAY_S)


@pytest.mark.rule("BN-098")
def test_phones_tie_like_buttons() -> None:
    """A phone's call has the time at which it arrived; reported out of order, it is still a tie."""
    referee = ready()
    referee.record_call("home", 1.5312)
    referee.record_call("away", 1.5049)
    assert HOME == referee.verdict(LONG)


@pytest.mark.rule("BN-099")
def test_a_call_without_a_winning_die_is_void_until_a_new_roll() -> None:
    """A 4 is void, even if called twice; a 5 rolled then and called counts."""
    referee = race()
    film(referee, "home", (1.0, 4), (3.0, 5))
    referee.record_call("home", 1.3)
    assert ("void", 4, "loses") == _of(referee, "home", 1.8, seen=2.0)
    referee.record_call("home", 1.5)
    assert referee.verdict(LONG) is None
    referee.record_call("home", 3.2)
    assert HOME == referee.verdict(LONG)


def _of(referee: Referee, seat: Seat, now: float, seen: float) -> tuple[str, object, str]:
    """Return a seat's standing at `now`, with its die seen up to `seen`."""
    part = Referee(WINS, OPENED)
    for one, film_ in referee._histories.items():
        for at in referee._calls[one]:
            part.record_call(one, at)
        for when, shown in film_.frames:
            if when <= seen:
                part.record_picture(one, when, shown)
    standing = part.seat_state(seat, now)
    return standing.state, standing.face, standing.why


@pytest.mark.rule("BN-099")
def test_an_old_die_is_not_a_roll() -> None:
    """The swing's 5 lies in the tray as the race begins: it does not count."""
    referee = race()
    referee.record_call("home", 0.05)
    assert referee.verdict(LONG) is None
    assert ("void", "again") == (referee.seat_state("home", LONG).state, referee.seat_state("home", LONG).why)


@pytest.mark.rule("BN-099")
def test_an_early_call_is_void() -> None:
    """A call while the die rolls is void, and so is a later call of that roll."""
    referee = race()
    film(referee, "home", (1.0, 5), (3.0, 6))
    referee.record_call("home", 0.8)
    assert ("void", 5, "early") == _of(referee, "home", 1.5, seen=1.5)
    referee.record_call("home", 1.3)
    referee.record_call("home", 3.3)
    assert RaceVerdict("home", 6) == referee.verdict(LONG)


@pytest.mark.rule("BN-099")
def test_repeated_presses_give_no_advantage() -> None:
    """A player who presses all the time, while the die rolls and as it lands on a 5, has called it early."""
    referee = race()
    film(referee, "home", (1.0, 5))
    for press_ in range(60):
        referee.record_call("home", 0.2 + press_ * 0.05)
    assert referee.verdict(LONG) is None
    film(referee, "away", (1.0, 6))
    referee.record_call("away", 3.9)
    assert AWAY == referee.verdict(LONG)


@pytest.mark.rule("BN-099", "BN-140")
def test_a_call_needs_the_seats_own_die() -> None:
    """Away's die shows a 6, but home called, and its own die shows a 2."""
    referee = race()
    film(referee, "home", (1.0, 2))
    film(referee, "away", (1.0, 6))
    referee.record_call("home", 1.5)
    assert referee.verdict(LONG) is None
    referee.record_call("away", 2.5)
    assert AWAY == referee.verdict(LONG)


def test_a_call_waits_for_a_picture() -> None:
    """The picture that decides comes after the press; until then the call is pending."""
    referee = race()
    film(referee, "home", (1.0, 5), until=1.45)
    referee.record_call("home", 1.5)
    assert ("called", None) == (referee.seat_state("home", 1.9).state, referee.verdict(1.9))
    referee.record_picture("home", 1.55, RestingFace(5, 1.0))
    assert HOME == referee.verdict(1.9)


def test_a_die_hidden_for_a_moment_still_counts() -> None:
    """The other player's arm passes over it, but it does not move."""
    referee = race()
    film(referee, "home", (1.0, 5), until=1.45)
    referee.record_call("home", 1.5)
    for when in (1.5, 1.55, 1.6):
        referee.record_picture("home", when, DIE_MOVING)
    assert referee.verdict(1.65) is None
    referee.record_picture("home", 1.65, RestingFace(5, 1.0))
    assert HOME == referee.verdict(1.7)


def test_covering_a_winning_die_does_not_hurt_its_owner() -> None:
    """Before, during and after the call, the die keeps its value while the rival's hand is over it."""
    referee = race()
    film(referee, "home", (1.0, 5), until=1.45)
    for step in range(30, 40):
        referee.record_picture("home", step / 20, DIE_MOVING)
    assert RaceSeatState("ready", 5) == referee.seat_state("home", 1.8)
    referee.record_call("home", 1.8)
    referee.record_picture("home", 2.0, RestingFace(5, 1.0))
    assert HOME == referee.verdict(2.1)


def test_a_winning_die_that_disappears_makes_the_table_ask() -> None:
    """It was knocked away under the hand, or taken: the camera cannot decide that the call is void."""
    for found in (None, RestingFace(2, 2.1)):
        referee = race()
        film(referee, "home", (1.0, 5), until=1.45)
        referee.record_call("home", 1.8)
        for step in range(30, 60):
            referee.record_picture("home", step / 20, found if found is not None and step > 44 else DIE_MOVING)
        assert "home" == referee.seat_to_confirm(LONG)


@pytest.mark.rule("BN-099")
@pytest.mark.parametrize("shown", [DIE_GONE, DIE_UNSURE])
def test_a_call_before_any_roll_is_void(shown: ShownDie) -> None:
    """The die is in a hand, or another die is thrown: nobody is asked what it shows, however often its seat calls."""
    referee = Referee(WINS, OPENED)
    for step in range(100):
        referee.record_picture("home", step / 20, shown)
    for when in (1.0, 2.5, 3.0):
        referee.record_call("home", when)
        assert RaceSeatState("void", None, "unrolled") == referee.seat_state("home", when + CONFIRM_DELAY_S)
    assert (None, None) == (referee.seat_to_confirm(LONG), referee.verdict(LONG))
    film(referee, "home", (6.5, 5), last=8.0)
    referee.record_call("home", 7.0)
    assert HOME == referee.verdict(LONG)


def test_a_die_that_left_the_tray_makes_the_table_ask() -> None:
    """It was thrown, and rolled out of the tray: the table asks at each call."""
    referee = Referee(WINS, OPENED)
    referee.record_picture("home", 0.0, DIE_MOVING)
    for step in range(100):
        referee.record_picture("home", 0.05 + step / 20, DIE_GONE)
    referee.record_call("home", 1.0)
    assert RaceSeatState("confirm", None, "gone") == referee.seat_state("home", 1.0 + CONFIRM_DELAY_S)
    referee.confirm_call("home", 2.6, None)
    referee.record_call("home", 3.0)
    assert "home" == referee.seat_to_confirm(3.0 + CONFIRM_DELAY_S)


def test_a_die_first_seen_at_rest_is_not_a_roll() -> None:
    """A hand hid it as the race began: finding it again is not a roll, whatever it shows."""
    for hidden in (DIE_GONE, DIE_MOVING):
        for by_die in (False, True):
            referee = Referee(WINS, OPENED, by_die=by_die)
            since = 0.3 if hidden == DIE_GONE else -math.inf
            for step in range(20):
                referee.record_picture("home", step / 20, hidden if step < 6 else RestingFace(5, since))
            referee.record_call("home", 0.8)
            assert ("void", "again") == _of(referee, "home", 2.0, seen=2.0)[::2]
            assert referee.verdict(LONG) is None


def test_settled_calls_are_dropped() -> None:
    """Old void calls are not judged again, and the roll that they used stays used."""
    referee = race()
    film(referee, "home", (1.0, 5), last=40.0)
    for step in range(600):
        referee.record_call("home", 0.5 + step / 20)
        referee.verdict(0.6 + step / 20)
    assert len(referee._calls["home"]) <= 20 * CONFIRM_DELAY_S + 2
    assert "again" == referee.seat_state("home", 31.0).why


def test_a_roll_hidden_for_a_moment_is_not_a_new_roll() -> None:
    """A 5 that was called too early does not count after an arm passed over it."""
    referee = race()
    film(referee, "home", (1.0, 5), until=1.45)
    referee.record_call("home", 0.8)
    referee.record_picture("home", 1.5, DIE_MOVING)
    referee.record_picture("home", 1.55, RestingFace(5, 1.0))
    referee.record_call("home", 1.6)
    referee.record_picture("home", 1.65, RestingFace(5, 1.0))
    assert referee.verdict(LONG) is None


def test_a_die_first_seen_at_rest_after_the_call_was_called_early() -> None:
    """The camera was not sure about it before, so it came to rest too late for the call."""
    referee = race()
    film(referee, "home", (1.4, 5), until=1.3)
    referee.record_call("home", 1.35)
    for when in (1.4, 1.45):
        referee.record_picture("home", when, DIE_UNSURE)
    referee.record_picture("home", 1.5, RestingFace(5, 1.45))
    assert ("void", 5, "early") == _of(referee, "home", 1.6, seen=2.0)


def test_a_late_picture_does_not_confirm_a_call() -> None:
    """A second after the call the die may have been thrown again or placed: the table must decide."""
    referee = race()
    film(referee, "home", (1.0, 5), until=1.4)
    referee.record_call("home", 1.5)
    referee.record_picture("home", 2.6, RestingFace(5, 1.0))
    assert (None, "home") == (referee.verdict(LONG), referee.seat_to_confirm(LONG))


def test_when_a_die_is_ready_to_call() -> None:
    """The old die shows no face; a rolled one shows its face, and is ready if it wins."""
    referee = race()
    film(referee, "home", (1.0, 3), (2.5, 6))
    shown = [_of(referee, "home", seen, seen)[:2] for seen in (0.1, 0.3, 1.2, 2.0, 2.6)]
    assert [("rolling", None), ("rolling", None), ("rolling", 3), ("rolling", None), ("ready", 6)] == shown


@pytest.mark.parametrize("shown", [DIE_UNSURE, DIE_GONE, None])
def test_the_table_asks_what_the_camera_cannot_decide(shown: ShownDie | None) -> None:
    """After a second and a half without a clear picture the caller is asked; the answer counts from the call on."""
    referee = Referee(WINS, OPENED)
    film(referee, "away", (1.0, 6))
    for step in range(20) if shown else ():
        referee.record_picture("home", 0.8, DIE_MOVING)
        referee.record_picture("home", 1.0 + step / 10, shown or DIE_UNSURE)
    referee.record_call("home", 1.5)
    referee.record_call("away", 1.8)
    assert ("called", None) == (
        referee.seat_state("home", 1.5 + CONFIRM_DELAY_S - 0.01).state,
        referee.seat_to_confirm(2.9),
    )
    assert ("confirm", "home") == (
        referee.seat_state("home", 1.5 + CONFIRM_DELAY_S).state,
        referee.seat_to_confirm(3.0),
    )
    assert referee.verdict(LONG) is None
    assert (shown or "") == referee.seat_state("home", 3.0).why
    yes, no = referee, Referee(WINS, OPENED)
    no._calls, no._histories = {seat: [*calls] for seat, calls in yes._calls.items()}, yes._histories
    yes.confirm_call("home", 3.5, 5)
    no.confirm_call("home", 3.5, None)
    assert (HOME, AWAY) == (yes.verdict(LONG), no.verdict(LONG))
    assert "false" == no.seat_state("home", 4.0).why


@pytest.mark.rule("BN-099")
def test_a_losing_face_from_the_table_is_void() -> None:
    """Confirmed with a 3, the call did not count; without a camera the next call makes the table ask again."""
    referee = Referee(WINS, OPENED)
    referee.record_call("away", 1.0)
    referee.confirm_call("away", 3.0, 3)
    assert ("void", "false") == (referee.seat_state("away", 3.0).state, referee.seat_state("away", 3.0).why)
    referee.record_call("away", 5.0)
    assert referee.seat_to_confirm(8.0) == "away"
    referee.confirm_call("away", 8.0, 6)
    assert AWAY == referee.verdict(LONG)


def test_presses_while_the_table_asks_are_not_calls() -> None:
    """A seat that keeps pressing while the table asks has called once: the confirmation settles it."""
    referee = Referee(WINS, OPENED)
    for when in (1.0, 1.0 + CONFIRM_DELAY_S, 2.6):
        referee.record_call("home", when)
    referee.confirm_call("home", 3.0, None)
    assert (None, None) == (referee.seat_to_confirm(LONG), referee.verdict(LONG))


def test_a_stray_press_does_not_cancel_the_call_after_it() -> None:
    """After it is withdrawn, the table asks about the true call, which came before the question."""
    referee = Referee(WINS, OPENED)
    referee.record_call("home", 1.0)
    referee.record_call("home", 1.9)
    referee.confirm_call("home", 3.0, None)
    assert "home" == referee.seat_to_confirm(4.0)
    referee.confirm_call("home", 4.0, 5)
    referee.record_call("away", 1.95)
    assert HOME == referee.verdict(LONG)


def test_a_press_as_the_race_begins_is_not_a_call() -> None:
    """A second press of OK for the roll before the race falls into the race, or was made before it."""
    referee = Referee(WINS, 10.0)
    for when in (9.9, 10.0, 10.0 + GRACE_PERIOD_S - 0.01):
        referee.record_call("home", when)
    assert ("rolling", None) == (referee.seat_state("home", LONG).state, referee.seat_to_confirm(LONG))
    referee.record_call("home", 10.0 + GRACE_PERIOD_S)
    assert "home" == referee.seat_to_confirm(LONG)


def test_the_table_may_always_decide() -> None:
    """Its face counts as a call, whether there was one or not; withdrawing removes the call."""
    plain, void, backed = Referee(WINS, OPENED), race(), ready()
    void.record_call("home", 0.8)
    backed.record_call("home", 1.5)
    for one in (plain, void):
        one.confirm_call("home", 2.0, None)
        assert one.verdict(LONG) is None
    for one in (plain, void):
        one.confirm_call("home", LONG, 5)
        assert HOME == one.verdict(LONG + 1)
    backed.confirm_call("home", 2.0, None)
    assert backed.verdict(LONG) is None


def test_of_two_calls_to_confirm_the_earlier_is_first() -> None:
    """If they are simultaneous home's answer decides, so the table waits for it."""
    referee = Referee(WINS, OPENED)
    referee.record_call("away", 1.0)
    referee.record_call("home", 1.03)
    assert "away" == referee.seat_to_confirm(4.0)
    referee.confirm_call("away", 4.0, 6)
    assert (None, "home") == (referee.verdict(5.0), referee.seat_to_confirm(5.0))
    referee.confirm_call("home", 5.0, 5)
    assert HOME == referee.verdict(5.0)
    other = Referee(WINS, OPENED)
    other.record_call("home", 1.0)
    other.record_call("away", 2.0)
    assert "home" == other.seat_to_confirm(6.0)


def test_a_stuck_button_does_not_call() -> None:
    """A button that is down from the start reports no press, not even when it comes up."""
    button = Debouncer("home-ok")
    button.set_first_level(0.0, True)
    told = [button.handle_level(step / 20, True) for step in range(1, round(STUCK_AFTER_S + 10) * 20)]
    told += [button.handle_edge(100.0, False)]
    assert {()} == {*told}
    later = Debouncer("home-ok")
    assert ("home-ok",) == later.handle_edge(1.0, True)
    assert {()} == {later.handle_level(1.0 + step / 20, True) for step in range(1, round(STUCK_AFTER_S + 10) * 20)}


@pytest.mark.rule("BN-096")
def test_a_house_rule_lets_the_die_decide() -> None:
    """The first winning die at rest wins without a call; home wins a tie."""
    for fell, winner in ((0.9, AWAY), (0.96, HOME), (1.2, HOME)):
        referee = race(by_die=True)
        film(referee, "home", (1.0, 5))
        film(referee, "away", (fell, 6))
        referee.record_call("away", 0.7)
        assert winner == referee.verdict(LONG)
        assert referee.verdict(min(fell, 1.0) + MAX_PICTURE_DELAY_S - 0.1) is None


def test_where_the_die_decides_an_old_die_does_not() -> None:
    """Home's 5 from before the race wins nothing; without a camera the table asks about a call as usual."""
    referee = race(by_die=True)
    assert referee.verdict(LONG) is None
    blind = Referee(WINS, OPENED, by_die=True)
    blind.record_call("home", 1.0)
    assert "home" == blind.seat_to_confirm(3.0)


rolls = st.lists(st.tuples(st.integers(18, 30), st.sampled_from([1, 4, 5, 6])), min_size=1, max_size=3)
calls = st.lists(st.integers(0, 90), max_size=5)


@given(st.tuples(rolls, rolls), st.tuples(calls, calls), st.booleans(), st.data())
def test_the_order_of_reports_does_not_matter(
    thrown: tuple[list[tuple[int, int]], ...],
    called: tuple[list[int], ...],
    by_die: bool,
    data: st.DataObject,
) -> None:
    """In any order of reports, and with the verdict requested at any time between, the race ends the same."""
    seats: tuple[Seat, Seat] = ("home", "away")
    told: list[tuple[float, float, Seat, ShownDie | None]] = []
    for seat, landings, presses in zip(seats, thrown, called, strict=True):
        one = Referee(WINS, OPENED)
        land, falls = 0.0, []
        for wait, face in landings:
            land += wait / 20
            falls.append((land, face))
        film(one, seat, *falls, last=5.0)
        told += [
            (when + data.draw(st.floats(0, MAX_PICTURE_DELAY_S / 2)), when, seat, shown)
            for when, shown in one._histories[seat].frames
        ]
        told += [(at / 20 + data.draw(st.floats(0, MAX_CALL_DELAY_S)), at / 20, seat, None) for at in presses]
    plain, shuffled, live = (Referee(WINS, OPENED, by_die=by_die) for _ in range(3))
    for _, when, seat, shown in told:
        tell(plain, when, seat, shown)
    for _, when, seat, shown in data.draw(st.permutations(told)):
        tell(shuffled, when, seat, shown)
    wanted = plain.verdict(LONG)
    assert wanted == shuffled.verdict(LONG)
    if by_die:
        return
    for now, when, seat, shown in sorted(told, key=lambda one: one[0]):
        if (early := live.verdict(now)) is not None:
            assert wanted == early
            return
        tell(live, when, seat, shown)
    assert wanted == live.verdict(LONG)


def tell(referee: Referee, when: float, seat: Seat, shown: ShownDie | None) -> None:
    """Report a call, or what a die shows."""
    if shown is None:
        referee.record_call(seat, when)
    else:
        referee.record_picture(seat, when, shown)
