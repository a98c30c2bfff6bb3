"""Series at the table: who is at home, the games, and the rest pitchers owe between them (3.2, 4.4).

The games of a series begin in a late inning. The tests follow the roster Home: it leads by a run in each game and
begins in the field. An outing is what its reliever Rx does: S a strikeout, 1 a single, W an intentional walk, D a
double play; then H-R2 pitches, unless the game is over. The part before "/" belongs to the starter; "" is a game
without Rx.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import ceil

import pytest

from engine.asks import Play
from engine.games.clutch import GAME
from engine.games.clutch.pitching.rest import FULLY_RESTED
from engine.games.clutch.state import State
from engine.innings import InningClock
from engine.seats import SEATS, Seat
from engine.table import Table
from tests.each import each
from tests.engine.games.clutch import fixture
from tests.engine.games.clutch.field import at, event_codes, now, run, state, until, upto
from tests.engine.tables import board, halves, panel

WORDS = {"S": ("SO!",), "1": ("1B!",), "W": ("walk",), "D": ("GB!", "D13")}
OUTS = {"S": 1, "D": 2}

SIX = tuple(f"S{n}" for n in range(1, 7))


def rotation(side: str) -> dict[str, str]:
    """Return a roster, "A" or "H", with six starters: `H-S1` to `H-S6`."""
    names = [f"{side}-{one}" for one in SIX]
    team = {"A": "Away", "H": "Home"}[side]
    return {team: fixture.roster(side, rotation=names), **{name: fixture.pitcher(name) for name in names}}


def late(outings: Sequence[str], house: Mapping[str, str] | None = None, **cards: str) -> Table:
    """Return a series before its first roll; game n begins late enough for outing n."""
    deck = fixture.deck({**rotation("A"), **rotation("H"), **cards})
    rules = {**fixture.HOUSE, "level": "players", "series": "7", **(house or {})}

    def begin(s: State) -> Play:
        yield from ()
        ours = watched(s)
        s.clock = InningClock(10 - innings(outings[s.game - 1]), "top" if ours == "home" else "bottom")
        s.score = (2, 3) if ours == "home" else (3, 2)
        s.begun, s.won = True, (0, 0)
        for i, side in enumerate(SEATS):
            s.store_record(side, replace(s.arms[i][s.squad(side).pitcher], outs=9, faced=9))
        for facts in halves(s.clock):
            s.emit("half-inning", **facts)

    def next_play(s: State) -> Callable[[State], Play] | None:
        if s.phase == "play" and not s.begun and not s.number and s.game <= len(outings):
            return begin
        return GAME.next_play(s)

    return Table(replace(GAME, next_play=next_play), [deck], rules)


def watched(s: State) -> Seat:
    """Return the side of the roster Home in the game under way."""
    return "home" if s.team_name("home") == "Home" else "away"


def innings(outing: str) -> int:
    """Return how many half-innings an outing needs, at least one."""
    return max(1, ceil(sum(OUTS.get(one, 0) for one in outing) / 3 + (outing[-1:] in ("1", "W")) / 3))


def script(outing: str, reliever: str = "Rx") -> list[str]:
    """Return everything that happens in the game."""
    words: list[str] = []
    outs, game = 0, innings(outing) * 3
    before, _, relief = outing.rpartition("/")
    for part in (before, relief):
        if part and part is relief:
            words += ["new-pitcher", reliever]
        for one in part:
            words += WORDS[one]
            outs += OUTS.get(one, 0)
            if outs % 3 == 0 and one in OUTS and outs < game:
                words += ["SO!"] * 3
    if relief and outs < game and outs % 3 + (relief[-1] not in OUTS):
        words += ["new-pitcher", "H-R2"]
    while outs < game:
        words.append("SO!")
        outs += 1
        if outs % 3 == 0 and outs < game:
            words += ["SO!"] * 3
    return words


def owes(table: Table, name: str = "Rx") -> int:
    """Return the games of rest that a pitcher of the roster Home owes before the game under way."""
    s = state(table)
    return s.rests[s.rosters.index("Home")].get(name, FULLY_RESTED).owes


def tired(outings: Sequence[str], house: Mapping[str, str] | None = None, limit: int = 1, name: str = "Rx") -> str:
    """Return in which games a pitcher comes in tired, T, or fresh, f, for one game more than there are outings."""
    cards = {"Rx": fixture.pitcher("Rx", f"RP {limit}")}
    table = late([*outings, ""], house, **cards)
    run(table, "Away", "X9", "X14")
    found = []
    for outing in outings:
        found.append(owes(table, name))
        run(table, *script(outing))
    found.append(owes(table, name))
    return "".join("fT"[one > 0] for one in found)


START = ("Away", "X9", "X14")
"""The roster Away for the visitors, and home rolls higher."""


def first(house: dict[str, str] | None = None) -> Table:
    """Return a table that has not asked anything yet."""
    return late([], house)


# Who is at home (3.2.A) ----------------------------------------------------------------------------------------------


@pytest.mark.rule("CL-058")
@each(("away", "home", "host"), [(14, 9, "away"), (9, 14, "home")])
def test_the_higher_roll_is_at_home(away: int, home: int, host: str) -> None:
    table = first({"series": "1"})
    until(table, "Away", f"X{away}", f"X{home}")
    assert host == state(table).home
    assert ("Home" if host == "home" else "Away") == board(table).sides["home"].name
    assert host == upto(table, "pitch").seat
    assert host != upto(table, "swing", "P8").seat


@pytest.mark.rule("CL-058")
def test_a_tie_is_rolled_again() -> None:
    """By both sides (AM-15)."""
    table = first()
    until(table, "Away", "X11", "X11")
    assert "home-tie" in event_codes(table)
    until(table, "X3", "X2")
    assert "away" == state(table).home


@pytest.mark.rule("CL-059")
def test_the_winner_of_the_roll_is_at_home_in_odd_games() -> None:
    """In games 1, 3, 5 and 7; the chairs stay, and the scoreboard shows each one's side."""
    table, hosts = run(late([""] * 7), *START), []
    for game in range(1, 8):
        upto(table, "defence")
        assert game == state(table).game
        hosts.append(board(table).sides["home"].name)
        host = state(table).home
        assert {host: "home", state(table).away_chair: "away"} == board(table).plays
        fielding = "home" if state(table).defense == "home" else "away"
        assert table.open_asks()[0][1].seat == (host if fielding == "home" else state(table).away_chair)
        if game < 7:
            run(table, *script(""))
    assert ["Home", "Away", "Home", "Away", "Home", "Away", "Home"] == hosts


@pytest.mark.rule("CL-059")
def test_events_name_sides_and_asks_name_chairs() -> None:
    """In the second game the chair "home" is on the road: it bats first, as the away side."""
    table = run(late(["", ""]), *START)
    run(table, *script(""))
    upto(table, "defence")
    (new,) = [one.event.facts for one in table.log if one.event.code == "new-game" and one.event.facts["game"] == 2]
    assert ("Home", "Away") == (new["away"], new["home"])
    ask = upto(table, "swing", "P2")
    assert ("home", "bottom", "home") == (state(table).offense, state(table).clock.half, state(table).chair("away"))
    assert "away" == ask.seat


PARKS = {
    f"Park {side}": fixture.written("stadium", name=f"Park {side}", when="after a home run", do="the offense draws 1")
    for side in "AH"
}


def parks(**cards: str) -> dict[str, str]:
    """Return rosters of six starters with a stadium each."""
    names = {side: [f"{side}-S{n}" for n in range(1, 7)] for side in "AH"}
    teams = {"A": "Away", "H": "Home"}
    return {
        **{teams[side]: fixture.roster(side, rotation=names[side], stadium=f"Park {side}") for side in "AH"},
        **PARKS,
        **cards,
    }


@pytest.mark.rule("CL-060", "CL-061")
def test_the_home_sides_stadium_is_used() -> None:
    table = run(late(["", "", ""], {"level": "full"}, **parks()), "Away", "X9", "X14")
    seen = []
    for _ in range(3):
        upto(table, "defence")
        seen.append(panel(table, "stadium")["name"])
        run(table, *script(""))
    assert ["Park H", "Park A", "Park H"] == seen
    assert not [one for one in table.answers if "stadium" in one.ask.why]


# Starters from game to game (3.2.C) ----------------------------------------------------------------------------------


@pytest.mark.rule("CL-357", "CL-358")
def test_a_starter_rests_four_games() -> None:
    assert "fTTTTf" == tired([""] * 5, name="H-S1")


# Relievers from game to game (4.4) -----------------------------------------------------------------------------------


def row(rule: str, limit: int, outings: list[str], expected: str, **house: str) -> object:
    """Return a row of the tables below for each of these rules."""
    label = " ".join([rule, *(one or "x" for one in outings), *house.values()])
    return pytest.param(limit, outings, expected, house, marks=pytest.mark.rule(*rule.split()), id=label)


NINE = "S" * 9
TWELVE = "S" * 12


@pytest.mark.parametrize(
    ("limit", "outings", "expected", "house"),
    [
        row("CL-118 CL-362", 1, ["SSS", "SSS", ""], "ffTf"),
        row("CL-347", 1, ["11S", "11S"], "ffT"),
        row("CL-347", 1, ["11S", "", "11S", ""], "fffff"),
        row("CL-347", 1, ["", "SSS1"], "ffT"),
        row("CL-347", 2, ["", "SSSSS"], "ffT"),
        row("CL-348", 1, ["SSS", ""], "fff"),
        row("CL-349 CL-353", 1, ["SSS1", ""], "fTf"),
        row("CL-349 CL-353", 2, ["SSS1", ""], "fTf"),
        row("CL-350", 3, ["SSSSSS1", "", ""], "fTTf"),
        row("CL-351", 4, [f"{NINE}1", "", "", ""], "fTTTf"),
        row("CL-352", 5, [f"{TWELVE}1", "", "", "", ""], "fTTTTf"),
        row("CL-353", 1, ["SSS"], "ff"),
        row("CL-353", 2, ["SSS"], "ff"),
        row("CL-354 CL-300", 1, ["S/SS1D"], "ff"),
        row("CL-355", 2, ["SSSSSS", ""], "fTf"),
        row("CL-356", 3, ["SSSSSS", ""], "fTf"),
        row("CL-356", 1, ["SSSSSS", ""], "fTf"),
        row("CL-359", 3, [NINE, "SS", "", ""], "fTTTf"),
        row("CL-359", 3, [NINE, "SS", ""], "fTTf", tiredGameCountsAsRest="true"),
        row("CL-360", 4, ["SSSSSS", f"{NINE}1", "", "", ""], "fTTTTf"),
        row("CL-360", 4, [f"{NINE}1", "SSSSS", "", "", ""], "fTTTTf"),
        row("CL-361", 1, ["S/SSS"], "ff"),
        row("CL-363", 2, ["SSSSSS", "", "SSSSSS", ""], "fTfTf"),
        row("CL-364", 2, ["SSS", "SSSSSS", ""], "ffTf"),
        row("CL-365", 3, [NINE, "", ""], "fTTf"),
        row("CL-366", 3, ["SSSSSS", ""], "fTf"),
        row("CL-367", 3, ["SSS", NINE, "", ""], "ffTTf"),
        row("CL-368", 3, ["SSS", "SSSSSS", ""], "ffTf"),
        row("CL-316", 1, ["SSS", "WWW"], "fff"),
        row("CL-316", 1, ["SSS", "WWW"], "ffT", ibbOnlyIsRest="false"),
        row("CL-353", 1, ["SSSW"], "ff"),
        row("CL-353", 1, ["SSSW"], "fT", ibbOnlyIsRest="false"),
    ],
)
def test_rest_a_reliever_owes(limit: int, outings: list[str], expected: str, house: dict[str, str]) -> None:
    """Played game by game, at home or on the road."""
    assert expected == tired(outings, house, limit)


@pytest.mark.rule("CL-357")
def test_a_swingman_rests_by_the_role_he_filled() -> None:
    """An inning of relief counts as a reliever's (AM-83)."""
    swing = {"H-S5": fixture.pitcher("H-S5", "SP 6", "RP 1")}
    table = run(late(["S"], {"rotationMayRelieve": "ifRpRole"}, **swing), *START)
    run(table, "SO!", "new-pitcher", "H-S5", "SO!", "SO!")
    assert (0, 4) == (owes(table, "H-S5"), owes(table, "H-S1"))


@pytest.mark.rule("CL-347")
def test_without_the_rules_of_section_4_no_rest_is_owed() -> None:
    assert "fff" == tired(["SSS1", "SSS1"], {"level": "basic"})
    assert "ff" == tired([""], {"level": "basic"}, name="H-S1")


# The end of a series -------------------------------------------------------------------------------------------------


@each(
    ("games", "won", "winner", "sentence"),
    [
        ("3", (0, 1), "home", "Home wins the series 2 to 0."),
        ("7", (2, 3), "home", "Home wins the series 4 to 2."),
        ("2", (1, 0), None, "The series is split, 1 to 1."),
    ],
)
def test_a_series_ends_when_it_is_decided(games: str, won: tuple[int, int], winner: str | None, sentence: str) -> None:
    table = at("T9 2o ---", (2, 3), house={"series": games}, position=lambda s: setattr(s, "won", won))
    state(table).game = sum(won) + 1
    run(table, "SO!")
    result = state(table).outcome
    assert result is not None
    assert (winner, sentence) == (result.winner, result.sentence)


def test_a_series_goes_on_until_then() -> None:
    table = run(at("T9 2o ---", (2, 3), house={"series": "3"}), "SO!")
    assert 1 == event_codes(table).count("game-over")
    assert ((0, 1), 2, None) == (state(table).won, state(table).game, state(table).outcome)
    assert "T1 0o ---" == now(table)
