"""The run: BN-095 to BN-110, BN-140 to BN-142. The referee decides when a die came to rest and a call was made."""

from __future__ import annotations

import pytest

from engine.asks import Call
from engine.dice import Die
from engine.errors import IllegalAnswer, InvalidAnswer, StaleAnswer, WrongSeat
from engine.seats import SEATS, Seat
from engine.views import json_data
from tests.each import each
from tests.engine.games.bottom_of_the_9th.fixture import ask_of, at, contact, dash, dice, held, needed, stand, throw
from tests.engine.tables import asked, board, codes, give, panel, play, ruled

RACE = {"call-safe", "call-out"}


@pytest.mark.rule("BN-095")
def test_the_race_is_open_to_both_at_once() -> None:
    table = contact(at())
    assert [True, True] == [ask["race"] for ask in json_data(table.view_for(None))["asks"]]
    for face in (2, 3, 1, 4, 4):
        for seat in SEATS:
            with pytest.raises(IllegalAnswer):
                give(table, seat, face)
    assert (RACE, True, None) == (set(asked(table)), panel(table, "race")["open"], panel(table, "race")["result"])


@pytest.mark.rule("BN-096", "BN-100", "BN-101")
@each("face", [5, 6])
@each("seat", SEATS)
def test_a_five_or_six_wins(seat: Seat, face: int) -> None:
    table = contact(at())
    assert {"home": (5, 6), "away": (5, 6)} == needed(table) == panel(table, "race")["wins"]
    dash(table, seat, face)
    assert (("1", 0) if seat == "home" else ("", 1)) == stand(table)
    assert (("relief",), "safe" if seat == "home" else "out") == (asked(table), panel(table, "race")["result"])
    assert (int(seat == "home"), "F-DULL" if seat == "home" else None) == (
        board(table).sides["home"].hits,
        board(table).bases[0],
    )


@pytest.mark.rule("BN-097")
@each("seat", SEATS)
def test_the_first_call_closes_the_race(seat: Seat) -> None:
    table = contact(at())
    numbers = {ask.seat: n for n, ask in table.open_asks()}
    assert {"home": "call-safe", "away": "call-out"} == {ask.seat: ask.why for _, ask in table.open_asks()}
    dash(table, seat)
    late: Seat = "home" if seat == "away" else "away"
    with pytest.raises(StaleAnswer):
        table.answer_ask(late, numbers[late], 6)
    assert (("1", 0) if seat == "home" else ("", 1)) == stand(table)


@pytest.mark.rule("BN-098")
def test_the_house_sets_how_close_a_tie_is() -> None:
    """The engine takes one call; the referee gives ties to the batter and reads the window from the house rules."""
    table = contact(at())
    assert ("call", "40") == (table.house["raceDecidedBy"], table.house["raceTieWindowMs"])
    assert "0" == contact(at(house={"raceTieWindowMs": "0"})).house["raceTieWindowMs"]
    assert ("1", 0) == stand(dash(table, "home"))


@pytest.mark.rule("BN-099")
def test_a_call_without_a_winning_die_is_refused() -> None:
    """Every such call is refused with what to do instead; then a 5 is accepted."""
    table = contact(at())
    for _ in range(2):
        with pytest.raises(IllegalAnswer, match="A 4 doesn't win, only 5 or 6 does: roll again"):
            give(table, "home", 4)
    assert RACE == set(asked(table))
    assert ("1", 0) == stand(dash(table, "home"))


UNOPPOSED = [
    *ruled("BN-102", ("F-JUMP", "F-MILD", (5,), ("1", 0)), ("F-JUMP", "F-MILD", (6,), ("1", 0))),
    *ruled("BN-102", ("F-DULL", "F-QUICK", (5,), ("", 1)), ("F-DULL", "F-QUICK", (6,), ("", 1))),
    *ruled("BN-103", *(("F-JUMP", "F-MILD", (face,), None) for face in (1, 2, 3, 4))),
    *ruled("BN-104", ("F-JUMP", "F-QUICK", (2, 5), ("", 1))),
    *ruled("BN-105", ("F-JUMP", "F-QUICK", (2, 3), None)),
    # A 4 is enough for speed or fielding, and for nobody else; a 3 never is.
    *ruled("BN-110", ("F-HARE", "F-MILD", (4,), ("1", 0)), ("F-DULL", "F-WALL", (4,), ("", 1))),
    *ruled("BN-110", ("F-JUMP", "F-WALL", (4, 4), ("", 1)), ("F-HARE", "F-WALL", (3, 4), ("", 1))),
]
"""Batter, pitcher and rolls, the batter's before the pitcher's; then bases and outs, None if the race is on."""


@pytest.mark.parametrize(("batter", "pitcher", "faces", "expected"), UNOPPOSED)
def test_unopposed_rolls(batter: str, pitcher: str, faces: tuple[int, ...], expected: tuple[str, int] | None) -> None:
    table = contact(at(batter=batter, pitcher=pitcher))
    for seat, face in zip(("home", "away") if batter != "F-DULL" else ("away",), faces, strict=False):
        assert (("unopposed",), seat) == (asked(table), table.open_asks()[0][1].seat)
        assert [("d6", "red" if seat == "home" else "white", seat)] == dice(table)
        play(table, face)
    if expected is None:
        assert (RACE, {"home": (5, 6), "away": (5, 6)}) == (set(asked(table)), needed(table))
    else:
        assert (expected, ("relief",), False) == (stand(table), asked(table), "race" in codes(table.log))


@pytest.mark.rule("BN-110")
@each(
    ("batter", "pitcher", "faces", "race"),
    [
        ("F-JUMP", "F-GLOVE", (4,), {"home": (5, 6), "away": (4, 5, 6)}),
        ("F-FAST", "F-QUICK", (4,), {"home": (4, 5, 6), "away": (5, 6)}),
        ("F-HARE", "F-WALL", (3, 3), {"home": (4, 5, 6), "away": (4, 5, 6)}),
        ("F-HARE", "F-QUICK", (3, 4), {"home": (4, 5, 6), "away": (5, 6)}),
    ],
)
def test_a_trait_helps_only_its_own_roll(
    batter: str, pitcher: str, faces: tuple[int, ...], race: dict[Seat, tuple[int, ...]]
) -> None:
    """A 4 loses for who has neither speed nor fielding, whatever the other has; then both race for their own faces."""
    table = play(contact(at(batter=batter, pitcher=pitcher)), *faces)
    assert (RACE, race) == (set(asked(table)), needed(table))


@pytest.mark.rule("BN-108")
@each("batter", ["F-DULL", "F-FAST"])
@each("calls", [("away-low", "away-low"), ("away-low", "away-high"), ("away-low", "inside-high")])
def test_fielding_makes_the_out_with_a_four(batter: str, calls: tuple[str, str]) -> None:
    """By call and in turn, with and without tokens, against a fast batter and another; a 3 is never enough."""
    table = contact(at(batter=batter, pitcher="F-GLOVE"), *calls)
    assert (4, 5, 6) == needed(table)["away"]
    with pytest.raises(IllegalAnswer):
        give(table, "away", 3)
    assert (("", 1), ("relief",)) == (stand(dash(table, "away", 4)), asked(table))
    table = contact(at(batter=batter, pitcher="F-GLOVE", house={"raceMode": "alternate"}), *calls)
    assert ("race-roll",) == asked(play(table, 3, 3))
    assert (("", 1), ("relief",)) == (stand(play(table, 3, 4)), asked(table))


@pytest.mark.rule("BN-106")
def test_only_one_roll_is_unopposed() -> None:
    """The next question is the race, and there a call needs a winning face."""
    table = contact(at(batter="F-JUMP"))
    ((n, _),) = table.open_asks()
    play(table, 3)
    with pytest.raises(StaleAnswer):
        table.answer_ask("home", n, 6)
    assert RACE == set(asked(table))


@pytest.mark.parametrize(
    ("batter", "pitcher", "home", "away"),
    [
        *ruled("BN-107", ("F-FAST", "F-MILD", 4, 5)),
        *ruled("BN-108", ("F-DULL", "F-GLOVE", 5, 4)),
        *ruled("BN-109", ("F-DULL", "F-MILD", 5, 5)),
    ],
)
def test_speed_and_fielding_win_with_a_four(batter: str, pitcher: str, home: int, away: int) -> None:
    table = contact(at(batter=batter, pitcher=pitcher))
    assert {"home": tuple(range(home, 7)), "away": tuple(range(away, 7))} == needed(table)
    ends: list[tuple[Seat, int, tuple[str, int]]] = [("home", home, ("1", 0)), ("away", away, ("", 1))]
    for seat, least, expected in ends:
        with pytest.raises(IllegalAnswer):
            give(table, seat, least - 1)
        assert RACE == set(asked(table))
        assert expected == stand(dash(table.clone(), seat, least))


@pytest.mark.rule("BN-140")
def test_each_seat_has_its_own_call() -> None:
    """The red die and SAFE belong to home, the white die and OUT to away; neither die has letters."""
    table = contact(at())
    safe, out = ask_of(table, "home"), ask_of(table, "away")
    assert isinstance(safe, Call)
    assert isinstance(out, Call)
    assert ("call-safe", Die("d6", "red", "home")) == (safe.why, safe.die)
    assert ("call-out", Die("d6", "white", "away")) == (out.why, out.die)
    (first, _), (second, _) = table.open_asks()
    with pytest.raises(WrongSeat):
        table.answer_ask("away", first, 6)
    with pytest.raises(WrongSeat):
        table.answer_ask("home", second, 6)
    for wrong in ("B", "S", "C", 7, 0, None, [5], "safe"):
        for seat in SEATS:
            with pytest.raises(InvalidAnswer):
                give(table, seat, wrong)


@pytest.mark.rule("BN-141")
@each(("bases", "expected"), [("1", "12"), ("2", "13"), ("12", "123"), ("", "1")])
def test_a_single_moves_everybody_one_base(bases: str, expected: str) -> None:
    assert (expected, 0) == stand(dash(contact(at(bases)), "home"))
    assert (expected, 0) == stand(play(throw(at(bases), "S", 3, 6), 3))


@pytest.mark.rule("BN-142")
def test_traits_work_without_tokens() -> None:
    """Fooled, F-FAST is safe with a 4; fully guessed, F-GLOVE makes the out with a 4, and F-JUMP rolls unopposed."""
    table = contact(at(batter="F-FAST"), "away-low", "inside-high")
    assert set() == held(table)["home"]
    assert ("1", 0) == stand(dash(table, "home", 4))
    table = contact(at(pitcher="F-GLOVE"), "away-low", "away-low")
    assert set() == held(table)["away"]
    assert ("", 1) == stand(dash(table, "away", 4))
    assert ("unopposed",) == asked(contact(at(batter="F-JUMP"), "away-low", "inside-high"))


def test_a_call_shows_the_winning_faces() -> None:
    shown = json_data(contact(at(batter="F-FAST")).view_for(None))["asks"][0]
    die = {"kind": "d6", "colour": "red", "owner": "home", "faces": [1, 2, 3, 4, 5, 6]}
    assert ("call", "home", die, [4, 5, 6]) == tuple(shown[key] for key in ("kind", "seat", "die", "wins"))
