"""Rules for the roster, the deck, the coaches and the stadium, and their error messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from engine.cards import parse_deck
from engine.errors import DeckError
from engine.games.clutch.cards.card_fields import CARD_SHAPES
from engine.games.clutch.cards.card_set import build_box
from engine.games.clutch.cards.card_types import POSITIONS_BY_ROSTER_FIELD, ClutchBox
from tests.each import each
from tests.engine.games.clutch.field import by_rule
from tests.engine.games.clutch.fixture import HOUSE, batter, pitcher, written

FULL = HOUSE | {"format": "26-man"}
PLAYERS = FULL | {"level": "players"}

BENCH = ("CA2", "1B2", "SS2", "LF2")
ROTATION = ("S1", "S2", "S3", "S4", "S5")
PEN = ("R1", "R2", "R3", "R4", "R5", "R6", "R7", "R8")
STAFF = ("Bat Coach", "Arm Coach", "Any Coach")
COMMON = tuple(f"C{n}" for n in range(1, 17))
GOLD = ("1 Gold A", "1 Gold B")
DECK = (*(f"3 {title}" for title in COMMON), *GOLD)
"""Sixteen common cards three times each, and two rare ones: fifty."""


def card(title: str, rarity: str) -> str:
    """Return a blank strategy card of this rarity."""
    return written("strategy", name=title, rarity=rarity, side="neutral", blank=True)


def coach(name: str, kind: str) -> str:
    return written("coach", name=name, kind=kind, when="before the pitch", do="swing +1")


def stadium(name: str) -> str:
    return written("stadium", name=name, when="before the pitch", do="swing +1")


def team(name: str, **changes: Any) -> str:
    """Return a legal roster of 26 with these changes; fields given as None are left out."""
    of: dict[str, Any] = dict(POSITIONS_BY_ROSTER_FIELD)
    of |= {"bench": BENCH, "rotation": ROTATION, "bullpen": PEN, "deck": DECK, "coaches": STAFF, "stadium": "Park"}
    return written("roster", **{k: v for k, v in {"name": name, **of, **changes}.items() if v is not None})


def source(*more: str, salary: int = 200, swap: Mapping[str, str] | None = None, **changes: Any) -> str:
    """Return a deck with a legal team and a changed one; `swap` replaces texts of cards, `more` adds cards."""
    spots = (*POSITIONS_BY_ROSTER_FIELD.values(), *BENCH)
    cards = {name: batter(name, *(["DH"] if name == "DH" else [f"{name[:2]} +2"]), salary=salary) for name in spots}
    cards |= {name: pitcher(name, "SP 6", salary=salary) for name in ROTATION}
    cards |= {name: pitcher(name, "RP 1", salary=salary) for name in PEN}
    cards |= {title: card(title, "common") for title in COMMON}
    cards |= {title: card(title, "rare") for title in ("Gold A", "Gold B")}
    cards |= {name: coach(name, kind) for name, kind in zip(STAFF, ("hitting", "pitching", "bench"), strict=True)}
    cards |= {"Park": stadium("Park"), **(swap or {})}
    rosters = (team("Usual"), team("Other", **changes))
    return "\n".join(['[deck]\ngame = "clutch"\ntitle = "R"\n', *cards.values(), *more, *rosters])


def box(*more: str, house: Mapping[str, str] = FULL, **changes: Any) -> ClutchBox:
    """Return the box of `source`."""
    return build_box(parse_deck(source(*more, **changes), "r.toml", "clutch", CARD_SHAPES).cards, house)


def faults(*more: str, house: Mapping[str, str] = FULL, **changes: Any) -> list[str]:
    """Return the faults of the second roster, or of any card but the first."""
    try:
        box(*more, house=house, **changes)
    except DeckError as refused:
        return [str(fault).removeprefix("r.toml, ") for fault in refused.faults]
    return []


@pytest.mark.rule("CL-033", "CL-056")
def test_a_legal_deck_is_26_players_50_cards_3_coaches_and_a_stadium() -> None:
    """It has no faults, and a team has 80 cards."""
    usual = box().rosters["Usual"]
    players = (*usual.fielders.values(), *usual.bench, *usual.rotation, *usual.bullpen)
    assert (26, 50, 3, "Park") == (len(players), len(usual.deck), len(usual.coaches), usual.stadium)
    assert 80 == len(players) + len(usual.deck) + len(usual.coaches) + bool(usual.stadium)


FIVE = (*BENCH, "RF2")
NINE = tuple(POSITIONS_BY_ROSTER_FIELD.values())
TOGETHER = "roster 2, bench: bench and bullpen need 12 players together, not"
ORDER = "roster 2, order: needs each of the nine once who are named at the positions and as dh."


@pytest.mark.parametrize(
    ("changes", "said"),
    by_rule(
        ("CL-033 CL-035 CL-039", {}, []),
        ("CL-033 CL-039", {"bench": FIVE, "bullpen": PEN[:7]}, []),
        ("CL-033 CL-039", {"bullpen": PEN[:7]}, ["roster 2: needs 26 players, not 25.", f"{TOGETHER} 11."]),
        ("CL-033 CL-039", {"bench": FIVE}, ["roster 2: needs 26 players, not 27.", f"{TOGETHER} 13."]),
        (
            "CL-038",
            {"bullpen": (*PEN, "R9"), "bench": BENCH[:3]},
            ["roster 2, bench: needs 4 or more, not 3.", "roster 2, bullpen: needs at most 8 players, not 9."],
        ),
        (
            "CL-037",
            {"rotation": ROTATION[:4]},
            ["roster 2: needs 26 players, not 25.", "roster 2, rotation: needs 5 players, not 4."],
        ),
        # Every position has a player who can play it; any batter can be the designated hitter.
        (
            "CL-034 CL-082 CL-130",
            {"short": "1B2", "bench": ("CA2", "SS", "SS2", "LF2")},
            ["roster 2, short: 1B2 does not play SS; his card has 1B."],
        ),
        (
            "CL-034 CL-082 CL-130",
            {"right": "LF2", "bench": ("CA2", "1B2", "SS2", "RF")},
            ["roster 2, right: LF2 does not play RF; his card has LF."],
        ),
        ("CL-035", {"dh": "1B2", "bench": ("CA2", "DH", "SS2", "LF2")}, []),
        # Nobody has two places, and every name is a card of its kind.
        (
            "CL-043",
            {"bench": ("CA2", "1B2", "SS", "LF2"), "rotation": (*ROTATION[:4], "S1")},
            [
                "roster 2: SS is named 2 times among the batters; everybody has one place.",
                "roster 2: S1 is named 2 times among the pitchers; everybody has one place.",
            ],
        ),
        (
            "CL-087",
            {"dh": "S1", "bench": (*BENCH[:3], "Nobody"), "bullpen": (*PEN[:7], "SS2")},
            [
                "roster 2, dh: there is no batter named S1; S1 is a pitcher.",
                "roster 2, bench: there is no batter named Nobody.",
                "roster 2, bullpen: there is no pitcher named SS2; SS2 is a batter.",
            ],
        ),
        ("CL-082", {"order": NINE[::-1]}, []),
        ("CL-082", {"order": [*NINE[:8], "LF2"]}, [ORDER]),
        ("CL-082", {"order": [*NINE[:8], NINE[0]]}, [ORDER]),
    ),
)
def test_a_roster_is_refused_or_not(changes: dict[str, Any], said: Sequence[str]) -> None:
    assert said == faults(batter("RF2", "RF +1"), pitcher("R9", "RP 1"), house=PLAYERS, **changes)


@pytest.mark.rule("CL-036")
def test_the_bench_has_a_second_catcher_and_three_more() -> None:
    said = faults(house=PLAYERS, swap={"CA2": batter("CA2", "RF +1")})
    assert ["bench: needs a second catcher: somebody with CA."] * 2 == [one.split(", ", 1)[1] for one in said]
    said = faults(house=PLAYERS, bench=BENCH[:3])
    assert "roster 2, bench: needs 4 or more, not 3." in said


@pytest.mark.parametrize(
    ("part", "roles", "legal"),
    by_rule(
        ("CL-037", "rotation", ["RP 1"], False),
        ("CL-037", "rotation", ["SP 5", "RP 2"], True),
        ("CL-037", "rotation", ["RP 2", "BP 4"], True),
        ("CL-037", "rotation", ["OP 1"], False),
        ("CL-038", "bullpen", ["SP 6"], False),
        ("CL-038", "bullpen", ["SP 5", "RP 2"], True),
        ("CL-038", "bullpen", ["OP 1"], True),
        ("CL-038", "bullpen", ["BP 4"], False),
    ),
)
def test_where_each_kind_of_pitcher_belongs(part: str, roles: Sequence[str], legal: bool) -> None:
    """A card in the rotation needs SP or BP, one in the bullpen RP or OP, whatever other roles it has."""
    usual, other, either = (ROTATION, "bullpen", "SP nor BP") if part == "rotation" else (PEN, "rotation", "RP nor OP")
    said = faults(pitcher("New", *roles), house=PLAYERS, **{part: (*usual[:-1], "New")})
    assert ([] if legal else [f"roster 2, {part}: New is neither {either}; put him into the {other}."]) == said


def test_a_house_may_require_seven_relievers() -> None:
    """By default six are enough (AM-21)."""
    more = [batter(name, "RF +1") for name in ("RF2", "RF3")]
    bench, pen = (*BENCH, "RF2", "RF3"), PEN[:6]
    assert [] == faults(*more, house=PLAYERS, bench=bench, bullpen=pen)
    said = faults(*more, house=PLAYERS | {"minBullpen": "7"}, bench=bench, bullpen=pen)
    assert ["roster 2, bullpen: needs 7 or more, not 6."] == said


@pytest.mark.rule("CL-043")
def test_a_team_has_one_card_per_player() -> None:
    cards = {"SS": batter("SS", "SS +2", person="Bo Amber", set="2022")}
    later = batter("SS 24", "SS +3", person="Bo Amber", set="2024")
    said = faults(later, house=PLAYERS, swap=cards, bench=("CA2", "1B2", "SS 24", "LF2"))
    assert ["roster 2: SS and SS 24 are cards of the same player, Bo Amber; a team has one of them."] == said
    assert [] == faults(later, house=PLAYERS, swap=cards)


@pytest.mark.rule("CL-087")
def test_a_two_way_player_has_a_card_of_each_kind() -> None:
    """Both count among the 26 and toward the salary, but not as two cards of one player (AM-13)."""
    both = (batter("Two Ways", "DH"), pitcher("Two Ways", "SP 6"))
    two = {"dh": "Two Ways", "bench": BENCH, "rotation": (*ROTATION[:4], "Two Ways")}
    assert [] == faults(*both, house=PLAYERS, **two)
    apart = (batter("Bat", "DH", person="Two Ways"), pitcher("Arm", "SP 6", person="Two Ways"))
    assert [] == faults(*apart, house=PLAYERS, dh="Bat", rotation=(*ROTATION[:4], "Arm"))
    dear = (batter("Two Ways", "DH", salary=700), pitcher("Two Ways", "SP 6", salary=700))
    assert ["roster 2: costs 6200, and the salary cap is 6000."] == faults(*dear, house=PLAYERS, **two)


@pytest.mark.rule("CL-044")
def test_the_salary_cap() -> None:
    """6000 is allowed, 6001 is not."""
    dear = {"DH": batter("DH", salary=1000)}
    assert [] == faults(house=PLAYERS, swap=dear)
    said = faults(house=PLAYERS, swap=dear | {"S1": pitcher("S1", salary=201)})
    assert ["costs 6001, and the salary cap is 6000."] * 2 == [one.split(": ", 1)[1] for one in said]


@pytest.mark.rule("CL-046")
def test_any_player_may_have_icons() -> None:
    """All 26 of a roster, and several each."""
    spots = (*POSITIONS_BY_ROSTER_FIELD.values(), *BENCH)
    swap = {name: batter(name, *(["DH"] if name == "DH" else [f"{name[:2]} +2"]), icons=["AS", "GG"]) for name in spots}
    swap |= {name: pitcher(name, "SP 6", icons=["AS"]) for name in ROTATION}
    swap |= {name: pitcher(name, "RP 1", icons=["MVP"]) for name in PEN}
    assert [] == faults(house=PLAYERS, swap=swap)


# Formats -------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("CL-040")
def test_the_roster_of_twenty() -> None:
    """Nine batters, two on the bench, four in the rotation and five in the bullpen, for 5000."""
    small = {"bench": BENCH[:2], "rotation": ROTATION[:4], "bullpen": PEN[:5]}
    house = PLAYERS | {"format": "20-man"}
    assert [] == [one for one in faults(house=house, salary=250, **small) if "roster 2" in one]
    dear = faults(house=house, salary=250, swap={"DH": batter("DH", salary=251)}, **small)
    assert ["roster 2: costs 5001, and the salary cap is 5000."] == [one for one in dear if "roster 2" in one]
    assert ["roster 2: needs 20 players, not 19.", "roster 2, bullpen: needs 5 players, not 4."] == [
        one for one in faults(house=house, **small | {"bullpen": PEN[:4]}) if "roster 2" in one
    ]


@pytest.mark.rule("CL-041")
def test_all_star_rosters_have_their_own_cap() -> None:
    """Fifteen batters and fifteen pitchers for 12000."""
    more = [batter("RF2", "RF +1", salary=400), batter("RF3", "RF +1", salary=400)]
    more += [pitcher(name, "RP 1", salary=400) for name in ("R9", "R0")]
    stars = {"bench": (*BENCH, "RF2", "RF3"), "bullpen": (*PEN, "R9", "R0")}
    house = PLAYERS | {"format": "all-star"}
    assert [] == [one for one in faults(*more, house=house, salary=400, **stars) if "roster 2" in one]
    said = faults(*more, house=house, salary=400, **stars | {"bench": BENCH})
    assert ["roster 2: needs 30 players, not 28.", "roster 2, bench: needs 6 players, not 4."] == [
        one for one in said if "roster 2" in one
    ]


@pytest.mark.rule("CL-042")
def test_both_teams_play_in_one_format() -> None:
    small = {"bench": BENCH[:2], "rotation": ROTATION[:4], "bullpen": PEN[:5]}
    assert {"roster 2"} == {one.split(",")[0].split(":")[0] for one in faults(house=PLAYERS, **small)}
    said = faults(house=PLAYERS | {"format": "20-man"}, salary=100, **small)
    assert {"roster 1"} == {one.split(",")[0].split(":")[0] for one in said}


@pytest.mark.rule("CL-042")
def test_an_open_roster_is_nine_batters_and_a_starter() -> None:
    bare = {"bench": None, "bullpen": None, "deck": None, "coaches": None, "stadium": None, "rotation": ["S1"]}
    house = FULL | {"format": "open"}
    assert [] == faults(house=house, salary=900, **bare | {"short": "LF2"})
    said = ["roster 2, rotation: needs a starter: one with SP or BP in the rotation, or an OP in the bullpen."]
    assert said == faults(house=house, **bare | {"rotation": ["R1"]})
    opener = pitcher("Opener", "OP 1")
    assert [] == faults(opener, house=house, **bare | {"rotation": ["R1"], "bullpen": ["Opener"]})
    assert ["roster 2: SS is named 2 times among the batters; everybody has one place."] == faults(
        house=house, **bare | {"third": "SS"}
    )


@pytest.mark.rule("CL-390")
def test_a_league_may_require_the_sets_of_this_year() -> None:
    old = {"SS": batter("SS", "SS +2", set="2021", rotated=True)}
    assert [] == faults(house=PLAYERS, swap=old)
    for known in ("26-man", "open"):
        said = faults(house=PLAYERS | {"leagueOnly": "on", "format": known}, swap=old)
        assert ["SS is of a set that leagues no longer play with."] * 2 == [one.split(": ", 1)[1] for one in said]


# The deck, the coaches and the stadium (2.2 to 2.4) -------------------------------------------------------------------


@pytest.mark.rule("CL-047")
@each(("last", "count"), [([], 49), (["1 Gold B"], 50), (["1 Gold B", "1 Gold C"], 51)])
def test_a_deck_has_fifty_cards(last: Sequence[str], count: int) -> None:
    """49 and 51 are refused."""
    said = faults(card("Gold C", "rare"), deck=[*DECK[:-1], *last])
    assert ([] if count == 50 else [f"roster 2, deck: needs 50 strategy cards, not {count}."]) == said


@pytest.mark.rule("CL-048", "CL-049", "CL-050")
@each(("rarity", "most"), [("common", 3), ("uncommon", 2), ("rare", 1)])
def test_a_deck_limits_copies_of_a_card(rarity: str, most: int) -> None:
    for count in (most, most + 1):
        left = 50 - count
        deck = [f"{count} New", *(f"3 {title}" for title in COMMON[: left // 3]), *GOLD[: left % 3]]
        why = f"roster 2, deck: New is {rarity}: a deck has at most {most}, not {count}."
        assert ([why] if count > most else []) == faults(card("New", rarity), deck=deck)


@pytest.mark.rule("CL-051")
@each(
    ("staff", "has"),
    [
        (STAFF, ""),
        (("Bat Coach", "Bat Twin", "Any Coach"), "2 hitting and 1 bench"),
        (("Bat Coach", "Arm Coach"), "1 hitting and 1 pitching"),
        ((*STAFF, "Bat Twin"), "2 hitting, 1 pitching and 1 bench"),
        (None, "none"),
    ],
)
def test_there_is_a_coach_of_each_kind(staff: Sequence[str] | None, has: str) -> None:
    why = f"roster 2, coaches: needs one hitting, one pitching and one bench coach; it has {has}."
    assert ([why] if has else []) == faults(coach("Bat Twin", "hitting"), coaches=staff)


@pytest.mark.rule("CL-055")
def test_a_team_brings_a_stadium() -> None:
    assert ["roster 2, stadium: is missing: which stadium does the team bring?"] == faults(stadium=None)


@pytest.mark.rule("CL-023")
def test_a_table_without_cards_does_not_check_them() -> None:
    bare: dict[str, Any] = {"deck": None, "coaches": None, "stadium": None}
    for level in ("players", "basic"):
        assert [] == faults(house=FULL | {"level": level}, **bare)
        assert [] == faults(house=FULL | {"level": level}, deck=["9 C1"], coaches=["Any Coach"])
    real = FULL | {"hands": "real"}
    assert ["roster 2, deck: needs 50 strategy cards, not 0."] == faults(deck=None)
    assert [] == faults(house=real, deck=None)
    assert ["roster 2, deck: needs 50 strategy cards, not 3."] == faults(house=real, deck=["3 C1"])


@pytest.mark.rule("CL-082")
def test_the_order_and_rest_of_a_roster() -> None:
    """Without an order the batters bat as listed."""
    assert NINE == box(house=PLAYERS).rosters["Other"].order
    assert NINE[::-1] == box(house=PLAYERS, order=NINE[::-1]).rosters["Other"].order
    said = faults(pitcher("R9", "RP 1"), house=PLAYERS, rest=["R9 1"])
    assert ["roster 2, rest: R9 is no pitcher of this roster."] == said
    assert {"S1": 4, "R2": 1} == dict(box(house=PLAYERS, rest=["S1 4", "R2 1"]).rosters["Other"].rest)
