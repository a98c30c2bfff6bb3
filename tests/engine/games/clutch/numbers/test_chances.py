"""Exact odds: every face of every die through the rules, against arithmetic, for the house rosters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache

import pytest

from device.storage.decks import house_deck
from engine.asks import Play, Roll
from engine.dice import FACES_BY_KIND
from engine.games.clutch import GAME
from engine.games.clutch.at_bat import at_bat
from engine.games.clutch.cards.card_types import ClutchBatter, ClutchPitcher
from engine.games.clutch.cards.result_chart import ResultChart, result_chances
from engine.games.clutch.pitching import pitcher_record as pitching
from engine.games.clutch.running import throws
from engine.games.clutch.state import ClutchAtBat, State, ThrowOrCheck
from engine.seats import SEATS
from tests.each import each
from tests.engine.games.clutch.manager import Manager


@cache
def _ready() -> State:
    """Return the house's two teams before the first at-bat."""
    s: State = GAME.start(house_deck(GAME).cards, GAME.resolve_house_rules({"level": "players"}))
    manager = Manager(lambda: s, 0)
    while s.phase != "play":
        play = GAME.next_play(s)
        assert play is not None
        _run(play(s), manager)
    s.begun = True
    return s


def _run(step: Play, answer: object) -> None:
    """Play a step to its end, answering every ask."""
    assert callable(answer)
    try:
        ask = next(step)
        while True:
            ask = step.send(answer(ask))
    except StopIteration:
        return


def _face(face: int) -> object:
    """Return this face for any roll."""

    def answer(ask: object) -> tuple[int]:
        assert isinstance(ask, Roll)
        return (face,)

    return answer


def _facing(batter: ClutchBatter, pitcher: ClutchPitcher) -> State:
    """Return the state with this batter at the plate and this pitcher on the mound, rested."""
    s = _ready().copy()
    role = next(iter(pitcher.innings))
    s.update_squad("away", order=(batter.name, *s.squad("away").order[1:]), slot=0)
    s.update_squad("home", pitchers=(pitcher.name,))
    s.store_record("home", pitching.new_record(pitcher, role))
    s.at = ClutchAtBat()
    return s


def _pairs() -> Iterator[tuple[ClutchBatter, ClutchPitcher]]:
    box = _ready().box
    away, home = (box.rosters[name] for name in _ready().rosters)
    for name in (*away.order, *away.bench):
        for thrower in (*home.rotation, *home.bullpen):
            yield box.batters[name], box.pitchers[thrower]


def _bonus(batter: ClutchBatter, pitcher: ClutchPitcher) -> tuple[int, int]:
    """Return the bonuses from their hands: to Command and to On-Base."""
    stands = batter.hand if batter.hand != "S" else "L" if pitcher.hand == "R" else "R"
    mound = pitcher.left if stands == "L" else pitcher.right
    return mound, batter.left if pitcher.hand == "L" else batter.right


def _rows(chart: ResultChart, swing: int) -> str:
    """Return the row of a swing, counted from the bottom."""
    found = chart.rows[0][1]
    for low, result in chart.rows:
        if low <= swing:
            found = result
    return found


@pytest.mark.rule("CL-008", "CL-018", "CL-174", "CL-175", "CL-176", "CL-177", "CL-189", "CL-191")
def test_the_advantage_of_every_pair() -> None:
    """For each batter of one house roster and each pitcher of the other, all twenty faces of the Pitch Roll."""
    for batter, pitcher in _pairs():
        mound, plate = _bonus(batter, pitcher)
        for face in FACES_BY_KIND["d20"]:
            assert isinstance(face, int)
            s = _facing(batter, pitcher)
            _run(at_bat.pitch(s), _face(face))
            mistake = face <= pitcher.x_zone
            batters = mistake or face + pitcher.command + mound <= batter.on_base + plate
            assert (mistake, "batter" if batters else "pitcher") == (s.at.mistake, s.at.advantage)


@pytest.mark.rule("CL-183", "CL-184")
def test_the_result_of_every_swing() -> None:
    """For each card of both rosters, all faces of the Regular Die and the Power Die."""
    box = _ready().box
    batter, pitcher = next(_pairs())
    for of, cards in (("batter", box.batters.values()), ("pitcher", box.pitchers.values())):
        for card in cards:
            pair = (card, pitcher) if isinstance(card, ClutchBatter) else (batter, card)
            for kind in ("d20", "d24"):
                read: Counter[str] = Counter()
                for face in FACES_BY_KIND[kind]:
                    assert isinstance(face, int)
                    s = _facing(*pair)
                    s.update_at_bat(advantage=of, mistake=kind == "d24")
                    _run(at_bat.swing(s), _face(face))
                    _run(at_bat.read_chart(s), _face(face))
                    assert (kind, face) == (s.at.swing_die, s.at.swing_natural)
                    assert s.at.result == _rows(card.chart, face)
                    read[s.at.result] += 1
                sides = len(FACES_BY_KIND[kind])
                assert {code: Fraction(count, sides) for code, count in read.items()} == result_chances(
                    card.chart, kind
                )


@pytest.mark.rule("CL-236", "CL-237", "CL-238", "CL-304", "CL-305")
@each(("unit", "speed", "more"), [("outfield", "br", 0), ("infield", "br", 3), ("battery", "st", 3)])
def test_the_odds_of_every_throw(unit: str, speed: str, more: int) -> None:
    """For each unit of the home roster against each runner of the other, all twenty faces: a tie is safe."""
    s = _ready().copy()
    box, squad = s.box, s.squad("home")
    spots = {"outfield": ("LF", "CF", "RF"), "infield": ("1B", "2B", "3B", "SS"), "battery": ("CA",)}[unit]
    rating = sum(box.batters[squad.player_at(spot)].gloves[spot] for spot in spots)
    rating += box.pitchers[squad.pitcher].defense if unit == "battery" else 0
    for name in s.squad("away").order:
        card = box.batters[name]
        against = card.stealing if speed == "st" else card.baserunning
        outs = 0
        for face in FACES_BY_KIND["d20"]:
            twin, thrown = s.copy(), ThrowOrCheck("hit", unit, name, 3, speed, help=more)
            outs += _out(twin, thrown, face)
        assert outs == sum(rating + more + face > against for face in range(1, 21))


def _out(s: State, thrown: ThrowOrCheck, face: object) -> bool:
    step = throws.make_throw(s, thrown)
    try:
        next(step)
        step.send((face,))
    except StopIteration as done:
        return bool(done.value)
    raise AssertionError("a throw is one die")


@pytest.mark.rule("CL-240", "CL-241", "CL-242")
@each("target", [15, 18, 20])
def test_the_odds_of_every_check(target: int) -> None:
    """For the infield of each house roster, all twenty faces: a tie succeeds."""
    for half in SEATS:
        s = _ready().copy()
        s.clock = s.clock if half == "home" else s.clock.next_half()
        squad = s.squad(s.defense)
        rating = sum(s.box.batters[squad.player_at(spot)].gloves[spot] for spot in ("1B", "2B", "3B", "SS"))
        made = 0
        for face in FACES_BY_KIND["d20"]:
            step = throws.make_check(s.copy(), "infield", target)
            next(step)
            with pytest.raises(StopIteration) as done:
                step.send((face,))
            made += bool(done.value.value)
        assert made == sum(rating + face >= target for face in range(1, 21))
