"""Cards of Clutch as typed in: required fields, refusals and notes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from engine.cards import parse_deck
from engine.errors import DeckError
from engine.games.clutch.cards.card_fields import CARD_SHAPES
from engine.games.clutch.cards.card_set import build_box, deck_warnings
from engine.games.clutch.cards.card_types import ClutchBox
from tests.each import each
from tests.engine.games.clutch import fixture
from tests.engine.games.clutch.field import by_rule
from tests.engine.games.clutch.fixture import HOUSE, batter, pitcher, roster, source, strategy, written

PARK = {"name": "Park", "when": "after a home run", "do": "the offense draws 1"}
"""A stadium."""

SIX = (
    batter("Bo Amber"),
    pitcher("Cy Flint"),
    strategy("Nudge", "neutral", "before the pitch", "draw 1"),
    written("coach", name="Ma", kind="bench", when="before the pitch", do="swing +1"),
    written("stadium", **PARK),
    written("weather", name="Fog", when="as the game begins", do="on-base -1"),
)
"""A card of each kind but rosters."""


def read(*cards: str) -> None:
    parse_deck("\n".join(['[deck]\ngame = "clutch"\ntitle = "C"\n', *cards]), "c.toml", "clutch", CARD_SHAPES)


def refused(*cards: str) -> list[str]:
    """Return the faults of single cards."""
    try:
        read(*cards)
    except DeckError as error:
        return [str(fault).removeprefix("c.toml, ") for fault in error.faults]
    return []


def box(*cards: str, swap: Mapping[str, str] | None = None) -> ClutchBox:
    """Return a box of the fixtures and these cards."""
    return fixture.box({**(swap or {}), **{f"more {n}": card for n, card in enumerate(cards)}})


def against(*cards: str, swap: Mapping[str, str] | None = None) -> list[str]:
    """Return the faults of the fixtures with these cards."""
    try:
        box(*cards, swap=swap)
    except DeckError as error:
        return [str(fault).removeprefix("f.toml, ") for fault in error.faults]
    return []


def without(card: str, field: str) -> str:
    """Return a card's text without one of its fields."""
    return "\n".join(line for line in card.splitlines() if not line.startswith(f"{field} = "))


@pytest.mark.rule("CL-001", "CL-385")
def test_there_are_four_families_of_cards_and_the_weather() -> None:
    assert [] == refused(*SIX)
    known = "batter, pitcher, strategy, coach, stadium, weather, roster"
    for kind in ("relic", "reference", "manager"):
        assert [f"{kind}: no such kind of card; there are {known}."] == refused(*SIX, written(kind, name="Old Bone"))


@pytest.mark.rule("CL-002", "CL-004", "CL-008", "CL-013")
def test_a_batter_has_two_speeds_and_a_rating_for_each_position() -> None:
    fields = {"baserunning": 13, "stealing": 22, "on_base": 9, "left": 1, "right": 2, "hand": "S", "clutch": -1}
    more = {"team": "Teapots", "set": "Sunday", "salary": 310, "icons": ["AS", "gg"], "person": "Bo"}
    made = box(batter("Bo Amber", "LF +2", "CF +0", "DH", **fields, **more)).batters["Bo Amber"]
    assert (13, 22, 9, 1, 2, "S", -1) == tuple(getattr(made, name) for name in fields)
    assert ("Teapots", "Sunday", 310, ("AS", "GG"), "Bo") == tuple(getattr(made, name) for name in more)
    assert (("LF", "CF", "DH"), {"LF": 2, "CF": 0}) == (made.positions, dict(made.gloves))


SPOTS = "needs a position like 'SS +2', one of CA, 1B, 2B, 3B, SS, LF, CF, RF and DH, not"
ROLES = "needs a role and its innings like 'SP 6', one of SP, RP, OP and BP, not"
X_ZONE = "needs a whole number from 1 to 3, not"


def bo(*positions: str, **fields: Any) -> str:
    return batter("Bo Amber", *positions, **fields)


def cy(*roles: str, **fields: Any) -> str:
    return pitcher("Cy Flint", *roles, **fields)


@pytest.mark.parametrize(
    ("card", "said"),
    by_rule(
        # One position or several, each with its rating; the designated hitter has none.
        ("CL-003", bo("CA +8"), ""),
        ("CL-003", bo("SS +2", "2b 1", "LF −1"), ""),
        ("CL-003", bo("DH"), ""),
        ("CL-003", bo("XX +1"), f"batter 1, positions: {SPOTS} 'XX +1'."),
        ("CL-003", bo("P +1"), f"batter 1, positions: {SPOTS} 'P +1'."),
        ("CL-003", bo("shortstop"), f"batter 1, positions: {SPOTS} 'shortstop'."),
        ("CL-003", bo("SS"), "batter 1, positions: 'SS': needs the rating too, as 'SS +2'."),
        ("CL-003", bo("DH +1"), "batter 1, positions: 'DH +1': a designated hitter has no rating."),
        ("CL-003", bo("SS +1", "SS +2"), "batter 1, positions: names a position twice."),
        ("CL-005", bo(hand="R"), ""),
        ("CL-005", bo(hand="L"), ""),
        ("CL-005", bo(hand="S"), ""),
        ("CL-005", bo(hand="B"), "batter 1, hand: needs R, L or S, not 'B'."),
        ("CL-017", cy(hand="S"), "pitcher 1, hand: needs R or L, not 'S'."),
        # Any result may be on any chart (AM-24), and any tag among the icons (AM-25), but no sentence.
        ("CL-010", bo(chart="1-9 LD, 10+ HBP"), ""),
        ("CL-021", cy(chart="1-9 SO, 10+ 3B"), ""),
        ("CL-012", bo(icons=["AS", "GG", "HR", "MVP", "SB", "SC", "X9"]), ""),
        (
            "CL-012",
            bo(icons=["Top batter"]),
            "batter 1, icons: needs one to six letters or digits, as 'GG', not 'Top batter'.",
        ),
        *(("CL-013", card(clutch=rating), "") for rating in (2, 0, -1) for card in (bo, cy)),
        *(("CL-015 CL-016", cy(*roles.split(", ")), "") for roles in ("SP 5, RP 2", "rp 1, OP 1", "BP 4")),
        *(("CL-015 CL-016", cy(wrong), f"pitcher 1, roles: {ROLES} {wrong!r}.") for wrong in ("CP 1", "SP", "SP +6")),
        ("CL-015", cy("SP 6", "SP 5"), "pitcher 1, roles: names a role twice."),
        *(("CL-020", cy(x_zone=upper), "") for upper in (1, 2, 3)),
        *(("CL-020", cy(x_zone=upper), f"pitcher 1, x_zone: {X_ZONE} {upper}.") for upper in (0, 4)),
        # Required fields: stadiums depend on the team, the cap on the salary, and the limits of a deck on rarity.
        *(
            ("CL-011 CL-013", without(bo(), field), f"batter 1, {field}: is missing.")
            for field in ("salary", "team", "clutch", "chart", "positions", "on_base", "stealing")
        ),
        *(
            ("CL-022", without(cy(), field), f"pitcher 1, {field}: is missing.")
            for field in ("team", "salary", "clutch", "command", "defense", "roles")
        ),
        *(
            ("CL-028", without(SIX[2], field), f"strategy 1, {field}: is missing.")
            for field in ("name", "rarity", "side")
        ),
    ),
)
def test_a_card_is_refused_or_not(card: str, said: str) -> None:
    assert ([said] if said else []) == refused(card)


@pytest.mark.rule("CL-014", "CL-018")
def test_a_pitcher_has_a_rating_and_command() -> None:
    fields = {"hand": "L", "command": 5, "left": 2, "right": 1, "x_zone": 2, "defense": -1, "clutch": 3}
    made = box(pitcher("Cy Flint", "SP 5", "RP 2", **fields)).pitchers["Cy Flint"]
    assert tuple(fields.values()) == tuple(getattr(made, name) for name in fields)
    assert ("Cy Flint", {"SP": 5, "RP": 2}) == (made.person, dict(made.innings))


# Strategy cards (1.2) ------------------------------------------------------------------------------------------------


@pytest.mark.rule("CL-025")
def test_a_strategy_card_may_have_a_special_icon() -> None:
    icons = ("", "momentum", "burst", "impulse")
    named = {icon: f"Card of {icon or 'none'}" for icon in icons}
    cards = [
        strategy(name, "neutral", "before the pitch", "on-base +1", **({"special": icon} if icon else {}))
        for icon, name in named.items()
    ]
    made = box(*cards).strategies
    plays = {icon: made[name].play for icon, name in named.items()}
    assert {icon: "play" if icon == "momentum" else "" for icon in icons} == {i: one.leave for i, one in plays.items()}
    assert ("at-bat", "play") == (plays[""].lasts.unit, plays["momentum"].lasts.unit)
    assert list(icons) == [made[name].special for name in named.values()]


@pytest.mark.rule("CL-026", "CL-028")
def test_a_strategy_card_says_when_and_what_or_is_blank() -> None:
    card = strategy("Nudge", "neutral", "before the pitch", "draw 1")
    more = "; or mark the card blank = true, and the table reads it."
    assert [f"strategy 23, when: is missing{more}"] == against(without(card, "when"))
    assert [f"strategy 23, do: is missing{more}"] == against(without(card, "do"))
    blank = written("strategy", name="Riddle", rarity="rare", side="offense", blank=True)
    assert box(blank).strategies["Riddle"].blank
    assert [] == against(blank + 'when = "on a hit"\nclutch = true\ncost = "discard 1"\n')
    for field, phrase in (("if", "runners on"), ("do", "draw 1"), ("success", "draw 1"), ("failure", "draw 1")):
        assert [f"strategy 23, {field}: a blank card is read on the table; leave out this or blank."] == against(
            f'{blank}{field} = "{phrase}"\n'
        )


def test_a_play_has_everything_a_card_says() -> None:
    card = strategy(
        "Nudge",
        "defense",
        ["before the pitch", "on a GB"],
        ["pitch +1 and draw 1", "swing -1"],
        clutch=True,
        cost=["discard 1", "skip the next draw"],
        success="draw 2",
        failure="discard 2",
        leave="batter",
        until="after a hit",
        **{"if": ["runners on and two outs", "the batter bats left"]},
    )
    play = box(card).strategies["Nudge"].play
    assert (["before-pitch", "result"], True) == ([one.window for one in play.when], play.clutch)
    assert (3, ["discard", "skip"]) == (len(play.conditions), [one.verb for one in play.cost])
    assert [("mod", 1), ("draw", 1), ("mod", -1)] == [(one.verb, one.amount) for one in play.do]
    assert (["draw"], ["discard"]) == ([one.verb for one in play.success], [one.verb for one in play.failure])
    assert ("batter", "play", ["after"]) == (play.leave, play.lasts.unit, [one.window for one in play.until])


@each(
    ("fields", "said"),
    [
        ({"until": "after a hit"}, "until: says when a card goes that stays; say in leave where it stays."),
        ({"special": "momentum", "leave": "batter"}, "leave: a Momentum card stays in play; leave this out."),
        (
            {"when": "when a chart is read"},
            "when: 'when a chart is read' is for stadiums; a card that is played waits for a result.",
        ),
        (
            {"when": "at the start of their half-inning", "side": "offense"},
            "when: 'at the start of their half-inning' never comes: the other side bats then, and this is for offense.",
        ),
        (
            {"when": ["before the pitch", "after a strikeout by my batter"], "side": "defense"},
            "when: 'after a strikeout by my batter' never comes: your side bats then, and this is for defense.",
        ),
        ({"when": "after a strikeout by my batter", "side": "neutral"}, ""),
        ({"when": "when their pinch hitter comes in", "side": "defense"}, ""),
        ({"special": "momentum", "until": "after a hit"}, ""),
        ({"success": "the runner is safe"}, "success: 'the runner is safe' comes too late there; say it in do."),
        (
            {"do": "either the runner is safe or draw 1"},
            "do: 'the runner is safe' can never be done; say when = 'when a throw is settled' too.",
        ),
        (
            {"do": "the check is made if a d6 shows 2 or more"},
            "do: 'the check is made' can never be done; say when = 'when a check is settled' too.",
        ),
        (
            {"do": "negate the card if 0 outs"},
            "do: 'negate the card' can never be done; say when = 'when a card is played' too.",
        ),
        ({"do": "the runner is out", "when": "when a runner is safe"}, ""),
    ],
)
def test_a_play_must_be_consistent(fields: dict[str, Any], said: str) -> None:
    of = {"side": "neutral", "when": "before the pitch", "do": "swing +1", **fields}
    card = strategy("Nudge", of.pop("side"), of.pop("when"), of.pop("do"), **of)
    assert ([f"strategy 23, {said}"] if said else []) == against(card)


@pytest.mark.rule("CL-050")
def test_a_reprinted_card_is_the_same_card() -> None:
    """For one title in two sets the stricter rarity counts (AM-22); two with different texts are refused."""
    first = strategy("Nudge", "neutral", "before the pitch", "draw 1", set="2023")
    again = strategy("Nudge", "neutral", "before the pitch", "draw 1", set="2024").replace("common", "rare")
    for cards in ((first, again), (again, first)):
        assert "rare" == box(*cards).strategies["Nudge"].rarity
    twice = ["strategy 23, name", "strategy 24, name"]
    other = strategy("Nudge", "neutral", "before the pitch", "draw 2", set="2024")
    said = ": there are 2 cards of kind strategy named Nudge."
    assert [f"{one}{said}" for one in twice] == against(first, other) == against(first, first)


# Coaches and stadiums (1.3, 1.4) --------------------------------------------------------------------------------------


@pytest.mark.rule("CL-029", "CL-030")
def test_a_coach_has_one_of_three_kinds_and_a_trigger() -> None:
    coach = {"name": "Ma", "when": "after a strikeout", "do": "draw 1"}
    for kind in ("hitting", "pitching", "bench"):
        assert kind == box(written("coach", kind=kind, **coach)).coaches["Ma"].kind
    assert ["coach 1, kind: needs hitting, pitching or bench, not 'third base'."] == refused(
        written("coach", kind="third base", **coach)
    )
    assert ["coach 1, when: is missing."] == against(written("coach", name="Ma", kind="bench", do="draw 1"))
    for kind, whose, bats, side in (
        ("hitting", "their", "the other side", "offense"),
        ("pitching", "my", "your side", "defense"),
    ):
        never = {**coach, "kind": kind, "when": f"after a strikeout by {whose} batter"}
        said = f"'{never['when']}' never comes: {bats} bats then, and this is for {side}."
        assert [f"coach 1, when: {said}"] == against(written("coach", **never))


@pytest.mark.rule("CL-031")
def test_a_bench_coach_lasts_two_half_innings() -> None:
    """His card may say otherwise; the other coaches last for the at-bat."""
    coach = {"name": "Ma", "when": "before the pitch", "do": "swing +1"}
    lasts = {
        kind: box(written("coach", kind=kind, **coach)).coaches["Ma"].play.lasts for kind in ("hitting", "pitching")
    }
    assert {"at-bat"} == {one.unit for one in lasts.values()}
    bench = box(written("coach", kind="bench", **coach)).coaches["Ma"].play.lasts
    assert ("half", 2) == (bench.unit, bench.count)
    longer = box(written("coach", kind="bench", lasts="this game", **coach)).coaches["Ma"].play.lasts
    assert "game" == longer.unit


@pytest.mark.rule("CL-032")
def test_a_stadium_has_a_main_effect() -> None:
    for field in ("when", "do"):
        assert [f"stadium 1, {field}: is missing."] == refused(without(written("stadium", **PARK), field))
    park = box(written("stadium", **PARK)).stadiums["Park"]
    assert (["after"], ["draw"]) == ([one.window for one in park.main.when], [one.verb for one in park.main.do])
    assert (None, None) == (park.defensive, park.offensive)
    both = {"defensive_for": "plays CF", "defensive": "CF defense +1", "offensive_for": "has SB", "offensive": "br +2"}
    park = box(written("stadium", **PARK, **both)).stadiums["Park"]
    assert park.defensive
    assert park.offensive
    assert (1, "defense", 1, "br") == (
        len(park.defensive.conditions),
        park.defensive.do[0].what,
        len(park.offensive.conditions),
        park.offensive.do[0].what,
    )
    for field in both:
        half = {name: phrase for name, phrase in both.items() if name != field}
        assert [f"stadium 1, {field}: is missing: a bonus needs both whom it is for and what it is."] == against(
            written("stadium", **PARK, **half)
        )


@pytest.mark.rule("CL-386")
@each(
    ("lasts", "unit", "count"),
    [("", "game", 1), ("2 half-innings", "half", 2), ("this inning", "inning", 1), ("this at-bat", "at-bat", 1)],
)
def test_weather_has_a_moment_an_effect_and_a_duration(lasts: str, unit: str, count: int) -> None:
    fog = {"name": "Fog", "when": "as the game begins", "do": "on-base -1"} | ({"lasts": lasts} if lasts else {})
    play = box(written("weather", **fog)).weather["Fog"].play
    assert (unit, count) == (play.lasts.unit, play.lasts.count)
    assert (["game"], [("mod", "on_base", -1)]) == (
        [one.window for one in play.when],
        [(one.verb, one.what, one.amount) for one in play.do],
    )


# Consistency ---------------------------------------------------------------------------------------------------------


def test_no_two_cards_of_a_kind_share_a_name() -> None:
    said = "there are 2 cards of kind batter named Bo Amber."
    assert [f"batter 27, name: {said}", f"batter 28, name: {said}"] == against(batter("Bo Amber"), batter("Bo Amber"))
    assert [] == against(batter("Nudge"), strategy("Nudge", "neutral", "before the pitch", "draw 1"))


def test_a_batter_and_a_pitcher_of_one_name_are_one_person() -> None:
    """They must be a two-way player or have different names (AM-13)."""
    assert [] == against(batter("Two Ways"), pitcher("Two Ways"))
    assert ["pitcher 13, person: there is a batter named Two Ways too: the same person, or another name."] == against(
        batter("Two Ways"), pitcher("Two Ways", person="Somebody")
    )


def test_a_name_cannot_be_confused_with_an_option() -> None:
    assert ["batter 27, name: needs a name with a capital letter, not 'pass'."] == against(batter("pass"))


def test_a_team_brings_only_existing_cards() -> None:
    home = roster("H", deck=["1 Nothing", "2 SW+2"], coaches=["Nobody"], stadium="Nowhere")
    assert [
        "roster 2, deck: there is no strategy card named Nothing.",
        "roster 2, coaches: there is no coach named Nobody.",
        "roster 2, stadium: there is no stadium named Nowhere.",
    ] == against(swap={"Home": home})
    assert ["roster 2, deck: there is no strategy card named SWW+2; the nearest is SW+2."] == against(
        swap={"Home": roster("H", deck=["2 SWW+2"])}
    )


@each(
    ("field", "typed", "said"),
    [
        ("deck", "Slide Step", "needs a number and a title like '3 Slide Step', not 'Slide Step'."),
        ("deck", ["1 SW+2", "2 SW+2"], "names a card twice."),
        ("rest", "Px", "needs a name and a number of games like 'Ann Orme 2', not 'Px'."),
        ("stadium", ["Park", "Yard"], "needs a text."),
    ],
)
@pytest.mark.rule("CL-055")
def test_faults_of_a_roster_are_reported(field: str, typed: Any, said: str) -> None:
    with pytest.raises(DeckError) as error:
        fixture.deck({"Home": roster("H", **{field: typed})})
    assert [f"f.toml, roster 2, {field}: {said}"] == [str(fault) for fault in error.value.faults]


def test_two_teams_are_required() -> None:
    assert ["rosters, name: two teams play: needs two [[roster]], not 1."] == against(swap={"Away": ""})


def test_the_fixtures_match_the_ledger() -> None:
    """Battery 9, infield 6, outfield 4 with Px on the mound; there are no notes about them."""
    made = fixture.box()
    home = made.rosters["Home"]
    gloves = {spot: made.batters[name].gloves.get(spot, 0) for spot, name in home.fielders.items()}
    assert 9 == gloves["CA"] + made.pitchers["Px"].defense
    assert 6 == sum(gloves[spot] for spot in ("1B", "2B", "3B", "SS"))
    assert 4 == sum(gloves[spot] for spot in ("LF", "CF", "RF"))
    deck = parse_deck(source(), "f.toml", "clutch", CARD_SHAPES)
    assert () == deck_warnings(deck.cards)
    assert made == build_box(deck.cards, HOUSE)


def noted(*cards: str) -> list[str]:
    deck = parse_deck("\n".join(['[deck]\ngame = "clutch"\ntitle = "C"\n', *cards]), "c.toml", "clutch", CARD_SHAPES)
    return [str(fault).removeprefix("c.toml, ") for fault in deck_warnings(deck.cards)]


@pytest.mark.rule("CL-095")
def test_unusual_numbers_are_noted() -> None:
    """Speeds of 10 and 26, a shortstop of +7 and a catcher of +6, but not a catcher of +12. All are accepted."""
    assert [
        "batter 1, baserunning: is 10; speeds are mostly 11 to 25.",
        "batter 1, positions: SS is +7; it is mostly −2 to +6.",
        "batter 2, stealing: is 26; speeds are mostly 11 to 25.",
        "batter 2, positions: CA is +6; it is mostly +7 to +12.",
    ] == noted(
        batter("Bo Amber", "SS +7", "LF -2", "RF +6", baserunning=10),
        batter("Di Amber", "CA +6", stealing=26),
        batter("Al Amber", "CA +12", "1B -2", baserunning=11, stealing=25),
        batter("Jo Amber", "CA +7"),
    )


def test_a_bullpen_of_six_is_noted() -> None:
    """In a roster of 26; seven are usual (AM-21)."""
    names = [f"R{n}" for n in range(8)]
    small = roster("H", bench=["H-CA2", "H-1B2", "H-SS2", "H-LF2", "A", "B"], bullpen=names[:6])
    usual = roster("H", bench=["H-CA2", "H-1B2", "H-SS2", "H-LF2", "A"], bullpen=names[:7])
    assert ["roster 1, bullpen: has 6 relievers; seven or eight are usual."] == noted(small, usual, roster("A"))


@pytest.mark.rule("CL-010", "CL-021")
def test_results_of_the_other_chart_are_noted() -> None:
    """A line drive on a batter's chart and a triple on a pitcher's (AM-24); the usual results are not noted."""
    assert [
        "batter 1, chart: has LD, which a batter's chart mostly has not.",
        "pitcher 1, chart: has 3B, which a pitcher's chart mostly has not.",
    ] == noted(batter("Bo Amber", chart="1-9 LD, 10+ HBP"), pitcher("Cy Flint", chart="1-9 SO, 10+ 3B"))
    assert [] == noted(batter("Bo Amber"), pitcher("Cy Flint"))
