"""Conditions of cards: their phrases, and when they hold."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.games.clutch.cards.effects import Condition
from engine.games.clutch.cards.phrases import (
    CONDITION_PHRASES,
    PLAYER_PHRASES,
    parse_condition,
    parse_player_conditions,
)
from engine.games.clutch.numbers.conditions import (
    FactLookup,
    SeenPlayer,
    SideView,
    are_conditions_met,
    is_matching_player,
)
from engine.seats import SEATS, Seat
from tests.each import each
from tests.engine.games.clutch.field import at, state
from tests.engine.games.clutch.steps import ready

BO = SeenPlayer(
    "Bo Amber",
    hand="S",
    side="L",
    team="Harbor",
    set="Originals",
    icons=frozenset({"HR"}),
    salary=310,
    on_base=9,
    command=0,
    br=18,
    st=17,
    clutch=-1,
    positions=frozenset({"SS", "2B"}),
    playing="SS",
    role="",
    defense=2,
)
ABE = replace(
    BO,
    name="Abe Quill",
    hand="R",
    side="R",
    team="Mill",
    set="Second",
    icons=frozenset(),
    salary=150,
    on_base=0,
    command=4,
    br=0,
    st=0,
    clutch=2,
    positions=frozenset({"P"}),
    playing="P",
    role="SP",
    defense=1,
)
CY = replace(
    ABE, name="Cy Fenn", icons=frozenset({"GG"}), on_base=11, br=12, st=12, positions=frozenset({"CA"}), role=""
)
CY = replace(CY, playing="CA", defense=8)


@dataclass(frozen=True)
class Scene:
    """The view of the away manager, at bat in the first with nothing rolled, unless fields say otherwise."""

    inning: int = 1
    half: str = "top"
    outs: int = 1
    bases: tuple[bool, bool, bool] = (False, False, False)
    lead: int = 0
    clutch: bool = False
    offence: bool = True
    home: bool = False
    batter: SeenPlayer = BO
    pitcher: SeenPlayer = ABE
    runner: SeenPlayer | None = None
    lead_runner: SeenPlayer | None = None
    runners: tuple[SeenPlayer, ...] = ()
    fielders: Mapping[str, SeenPlayer] = field(default_factory=lambda: {"P": ABE, "CA": CY})
    involved: tuple[SeenPlayer, ...] = ()
    advantage: str = ""
    mistake: bool = False
    chart: str = ""
    read: str = ""
    result: str = ""
    outcome: str = ""
    previous: tuple[str, ...] = ()
    naturals: Mapping[str, int] = field(default_factory=dict)
    numbers: Mapping[str, int] = field(default_factory=dict)
    base: int = 0
    tags: frozenset[str] = frozenset()
    tired: bool = False
    pitcher_outs: int = 0
    pitcher_faced: int = 0
    pitcher_walks: int = 0
    pitcher_earned: int = 0
    innings_left: int = 18
    hand: tuple[int, int] = (5, 5)
    deck: tuple[int, int] = (45, 45)
    in_play: tuple[tuple[bool, str, str], ...] = ()
    played: tuple[tuple[bool, str, str], ...] = ()
    used: Mapping[str, int] = field(default_factory=dict)
    team: str = "Harbor"
    stadium: str = ""
    weather: str = ""

    def __call__(self, fact: str) -> Any:
        return getattr(self, fact)


def so(phrase: str, **changes: Any) -> bool:
    """Return True if a phrase holds in a scene."""
    view: FactLookup = Scene(**changes)
    return are_conditions_met(parse_condition(phrase), view)


def on(bases: str) -> dict[str, Any]:
    """Parse runners as people write them: "1-3"."""
    return {"bases": tuple(base != "-" for base in bases)}


def tag(*tags: str) -> dict[str, Any]:
    return {"tags": frozenset(tags)}


def natural(what: str, face: int) -> dict[str, Any]:
    return {"naturals": {what: face}}


def number(what: str, now: int) -> dict[str, Any]:
    return {"numbers": {what: now}}


def bat(**changes: Any) -> dict[str, Any]:
    return {"batter": replace(BO, **changes)}


def pitch(**changes: Any) -> dict[str, Any]:
    return {"pitcher": replace(ABE, **changes)}


SO: dict[str, Any] = {"result": "SO"}
ROW: dict[str, Any] = {"previous": ("1B", "HR", "SO")}
CALM = (True, "Calm Down", "defense")
RALLY = (True, "Rally Song", "momentum")
SIGN = (False, "Old Signs", "coach")
SLOW = replace(BO, br=17, icons=frozenset[str]())

CASES: list[tuple[str, list[dict[str, Any]], list[dict[str, Any]]]] = [
    ("inning 7", [{"inning": 7}], [{"inning": 6}, {"inning": 8}]),
    ("inning 7 or later", [{"inning": 7}, {"inning": 12}], [{"inning": 6}]),
    ("inning 3 or earlier", [{"inning": 3}, {}], [{"inning": 4}]),
    ("inning 4 to 6", [{"inning": 4}, {"inning": 6}], [{"inning": 3}, {"inning": 7}]),
    ("top of the inning", [{}], [{"half": "bottom"}]),
    ("bottom of the inning", [{"half": "bottom"}], [{}]),
    ("nobody out", [{"outs": 0}], [{}]),
    ("one out", [{}], [{"outs": 0}, {"outs": 2}]),
    ("fewer than two outs", [{}, {"outs": 0}], [{"outs": 2}]),
    ("a runner on first", [on("1--"), on("123")], [on("-23")]),
    ("runners on first and third", [on("1-3"), on("123")], [on("12-"), on("-23")]),
    ("nobody on second", [on("1-3")], [on("-2-")]),
    ("bases empty", [on("---")], [on("--3")]),
    ("bases loaded", [on("123")], [on("12-")]),
    ("runners on", [on("--3"), on("123")], [on("---")]),
    ("2 or more runners on", [on("1-3"), on("123")], [on("1--")]),
    ("a runner in scoring position", [on("1-3"), on("-2-")], [on("1--"), on("---")]),
    ("nobody in scoring position", [on("1--")], [on("--3"), on("-2-")]),
    ("the score is tied", [{}], [{"lead": 1}, {"lead": -1}]),
    ("I am ahead", [{"lead": 1}], [{}, {"lead": -1}]),
    ("I am behind", [{"lead": -1}], [{}, {"lead": 1}]),
    ("I am ahead by 2 or more", [{"lead": 2}, {"lead": 9}], [{"lead": 1}, {"lead": -2}]),
    ("I am behind by 3 or less", [{"lead": -3}, {"lead": -1}], [{"lead": -4}, {}, {"lead": 2}]),
    ("a run differential of 3 or less", [{"lead": -3}, {"lead": 3}, {}], [{"lead": 4}, {"lead": -4}]),
    ("a clutch moment", [{"clutch": True}], [{}]),
    ("I bat", [{}], [{"offence": False}]),
    ("I am in the field", [{"offence": False}], [{}]),
    ("I am at home", [{"home": True}], [{}]),
    ("I am on the road", [{}], [{"home": True}]),
    ("the batter has the advantage", [{"advantage": "batter"}], [{"advantage": "pitcher"}, {}]),
    ("the pitcher has the advantage", [{"advantage": "pitcher"}], [{"advantage": "batter"}, {}]),
    ("a mistake pitch", [{"mistake": True}], [{}]),
    ("the chart said FB", [{"read": "FB"}], [{"read": "GB", "result": "FB"}, {}]),
    ("the batter's chart was read", [{"chart": "batter"}], [{"chart": "pitcher"}, {}]),
    ("the pitcher's chart was read", [{"chart": "pitcher"}], [{"chart": "batter"}, {}]),
    ("the result is GB", [{"result": "GB"}], [{"result": "FB", "read": "GB"}, {}]),
    ("the result is an out", [{"result": "LD"}, {"result": "FB"}, SO, {"result": "GB"}], [{"result": "BB"}, {}]),
    ("the result is a single or double", [{"result": "1B"}, {"result": "2B"}], [{"result": "3B"}]),
    ("the outcome is a strikeout", [{"outcome": "SO"}], [{"outcome": "GB"}, SO]),
    ("the last outcome was a strikeout", [ROW], [{"previous": ("SO", "BB")}, {}]),
    ("the last 2 outcomes were hits", [{"previous": ("SO", "1B", "HR")}], [ROW, {"previous": ("1B",)}]),
    (
        "a natural 20 on the swing",  # What the die shows, without bonuses.
        [natural("swing", 20), natural("swing", 20) | {"numbers": {"swing": 22}}],
        [natural("swing", 18) | {"numbers": {"swing_roll": 20, "swing": 20}}, natural("pitch", 20), {}],
    ),
    ("a natural 1 to 3 on the pitch", [natural("pitch", 3)], [natural("pitch", 4)]),
    ("a natural 1 on the throw", [natural("throw", 1)], [natural("throw", 2)]),
    ("a natural 20 on the check", [natural("check", 20)], [natural("check", 2)]),
    ("the swing is 15 or more", [number("swing", 15)], [number("swing", 14), number("swing_roll", 15), {}]),
    ("the pitch roll is odd", [number("pitch_roll", 3), number("pitch_roll", -1)], [number("pitch_roll", 4), {}]),
    ("the command is 3 or less", [number("command", -1)], [number("command", 4)]),
    ("the throw is 20 or more", [number("throw", 20)], [number("throw", 19)]),
    ("the throw goes home", [{"base": 4}], [{"base": 3}, {}]),
    ("the throw goes to second", [{"base": 2}], [{"base": 4}]),
    ("it is a steal", [tag("steal", "battery")], [tag("tag"), {}]),
    ("it is a tag-up", [tag("tag")], [tag("hit")]),
    ("it is an extra base", [tag("hit")], [tag("tag")]),
    ("it is a ground ball", [tag("ground")], [tag("steal")]),
    ("it is a double play", [tag("double-play")], [tag("ground")]),
    ("it is an infield throw", [tag("infield", "ground")], [tag("outfield")]),
    ("it is an outfield check", [tag("outfield")], [tag("infield")]),
    ("it led to a run", [tag("1B", "run")], [tag("1B")]),
    ("it led to a lead change", [tag("lead-change")], [tag("run")]),
    ("it led to a double play", [tag("double-play")], [tag("GB")]),
    ("the pitcher is tired", [{"tired": True}], [{}]),
    ("the pitcher is fresh", [{}], [{"tired": True}]),
    ("the pitcher has recorded 9 outs or more", [{"pitcher_outs": 9}], [{"pitcher_outs": 8}]),
    ("the pitcher has faced 3 batters", [{"pitcher_faced": 3}], [{"pitcher_faced": 4}]),
    ("the pitcher has walked 2 or more", [{"pitcher_walks": 2}], [{"pitcher_walks": 1}]),
    ("the pitcher has allowed 3 earned runs or more", [{"pitcher_earned": 3}], [{"pitcher_earned": 2}]),
    ("the pitcher has 3 outs left or less", [{"innings_left": 3}], [{"innings_left": 4}]),
    ("I hold 3 cards or less", [{"hand": (3, 5)}], [{"hand": (4, 2)}]),
    ("they hold more than 5 cards", [{"hand": (1, 6)}], [{"hand": (7, 5)}]),
    ("my deck has 10 cards or less", [{"deck": (10, 40)}], [{"deck": (11, 4)}]),
    ("a card is in play", [{"in_play": (RALLY,)}, {"in_play": (SIGN,)}], [{}]),
    ("my Rally Song is in play", [{"in_play": (SIGN, RALLY)}], [{"in_play": ((False, *RALLY[1:]),)}, {}]),
    ("a momentum card is in play", [{"in_play": (RALLY,)}], [{"in_play": (SIGN,)}]),
    ("I have played a card", [{"played": (CALM,)}], [{"played": (SIGN,)}, {}]),
    ("they have played an offense card", [{"played": ((False, "Go", "offense"),)}], [{"played": (CALM, SIGN)}]),
    ("somebody has played Rally Song", [{"played": ((False, *RALLY[1:]),)}], [{"played": (CALM,)}]),
    ("the first time this at-bat", [{}, {"used": {"at-bat": 0, "half": 1}}], [{"used": {"at-bat": 1}}]),
    ("the first time this half-inning", [{}], [{"used": {"half": 1}}]),
    ("the first time this inning", [{"used": {"game": 1}}], [{"used": {"inning": 2}}]),
    ("the first time this game", [{}], [{"used": {"game": 1}}]),
    ("the batting team is Harbor", [{}], [{"team": "Mill"}]),
    ("the stadium is Harbor Field", [{"stadium": "Harbor Field"}], [{}, {"stadium": "Mill Field"}]),
    ("the weather is Fog", [{"weather": "Fog"}], [{}]),
    ("the batter bats left", [{}], [bat(side="R")]),
    ("the pitcher throws right", [{}], [pitch(side="L")]),
    ("the runner is a switch hitter", [{"runner": BO}], [{"runner": ABE}, {}]),
    (
        "the batter has HR",
        [{}, bat(icons=frozenset({"GG", "HR"})), bat(icons=frozenset({"hr"}))],
        [bat(icons=frozenset({"GG"}))],
    ),
    ("an involved player has GG", [{"involved": (BO, CY)}], [{"involved": (BO,)}, {"fielders": {"CA": CY}}, {}]),
    ("the batter plays SS", [{}], [bat(playing="2B")]),
    ("the batter can play SS", [bat(playing="2B")], [bat(positions=frozenset({"2B"}))]),
    ("the pitcher plays P", [{}], [pitch(playing="")]),
    ("the batter plays for Harbor", [{}], [bat(team="Mill")]),
    ("the batter is of set Originals", [{}], [bat(set="Second")]),
    ("the batter is named Bo Amber", [{}], [bat(name="Bo")]),
    ("the batter has on-base 9 or less", [{}], [bat(on_base=10)]),
    ("the pitcher has command 4 or more", [{}], [pitch(command=3)]),
    ("the runner has br 18 or more", [{"runner": BO}], [{"runner": SLOW}, {}]),
    ("the pitcher is an SP", [{}], [pitch(role="RP")]),
    ("the pitcher is an RP", [pitch(role="RP")], [{}]),
    ("not bases loaded", [on("12-")], [on("123")]),
    ("the batter does not have HR", [bat(icons=frozenset())], [{}]),
    ("the batter is not named Bo Amber", [bat(name="Bo")], [{}]),
    ("bases loaded and nobody out", [on("123") | {"outs": 0}], [on("123"), {"outs": 0}]),
    ("I am behind or the score is tied", [{}, {"lead": -1}], [{"lead": 1}]),
]
"""Each phrase of the table, scenes in which it is so, and scenes in which it is not."""

MORE: list[tuple[str, list[dict[str, Any]], list[dict[str, Any]]]] = [
    ("At  LEAST two outs", [{"outs": 2}], [{}]),
    ("THE BATTER has hr", [{}], [bat(icons=frozenset())]),
    ("the pitcher has HR", [], [{}]),
    ("no outs", [{"outs": 0}], [{}]),
    ("the result is GB, FB or LD", [{"result": "FB"}], [{"result": "SO"}]),
    ("the result is not a hit", [SO], [{"result": "1B"}]),
    ("the result is an extra-base hit", [{"result": r} for r in ("2B", "3B", "HR")], [{"result": "1B"}]),
    ("nobody on first and second", [on("--3")], [on("1--"), on("-2-")]),
    ("a runner on first and not a runner on third", [on("12-")], [on("1-3"), on("-2-")]),
    ("bases loaded or one out and I am ahead", [on("123"), {"lead": 2}], [{}, {"outs": 2, "lead": 2}]),
    ("the batter plays LF or SS", [{}], [bat(playing="CF")]),
    ("the batter can play SS or CF", [{}], [bat(positions=frozenset({"2B"}))]),
    ("bases loaded or fewer than two outs", [{}], [{"outs": 2}]),
    ("the catcher has defense 8", [{}], [{"fielders": {"CA": BO}}, {"fielders": {}}]),
    ("the CA has GG", [{}], [{"fielders": {"CA": BO}}]),
    ("a fielder does not have GG", [{}], [{"fielders": {"CA": CY}}]),
    ("a runner has st 17 or more", [{"runners": (CY, BO), "runner": CY}], [{"runners": (CY,), "runner": BO}]),
    ("the runner has st 17 or more", [{"runners": (CY,), "runner": BO}], [{"runners": (BO,), "runner": CY}]),
    ("the lead runner has clutch -1", [{"lead_runner": BO}], [{"lead_runner": CY}, {}]),
    ("the batter has salary 300 to 400", [{}], [bat(salary=299)]),
    ("the batter is a batter", [{}], [{"batter": ABE}]),
    ("nobody has played a coach", [{"played": (CALM,)}], [{"played": (SIGN,)}]),
    (
        '"Hit and Run or Not" is in play',
        [{"in_play": ((False, "Hit and Run or Not", "left"),)}],
        [{"in_play": (RALLY,)}],
    ),
    (
        'runners on and "Hit and Run" is not in play',
        [on("1--")],
        [on("1--") | {"in_play": ((True, "Hit and Run", ""),)}],
    ),
    ("a natural even on the bunt", [natural("bunt", 2)], [natural("bunt", 3)]),
]
"""Other ways to say things."""


PROVES = {
    "bases empty": "CL-371",
    "a runner in scoring position": "CL-378",
    "the result is an extra-base hit": "CL-379",
    "the result is an out": "CL-198",
    "a natural 20 on the swing": "CL-223",
    "an involved player has GG": "CL-224",
}
"""Words of the glossary, with their rules."""


def facts(*conditions: Condition) -> set[tuple[str, str]]:
    """Return every fact in these conditions, with how it is compared."""
    found: set[tuple[str, str]] = set()
    for one in conditions:
        inner = one.value if one.op in ("any", "not", "who") else ()
        parts = [part for way in inner for part in (way if isinstance(way, tuple) else (way,))]
        found |= {(one.fact if one.op != "who" else "", one.op)} | facts(*parts)
    return found


def test_every_fact_is_tested() -> None:
    tried = facts(*(one for phrase, _, _ in (*CASES, *MORE) for one in parse_condition(phrase)))
    assert facts(*(one for phrase in CONDITION_PHRASES.examples for one in parse_condition(phrase))) <= tried


@pytest.mark.parametrize(
    ("phrase", "yes", "no"),
    [pytest.param(*one, marks=pytest.mark.rule(PROVES[one[0]]) if one[0] in PROVES else ()) for one in (*CASES, *MORE)],
)
def test_a_condition_holds_when_it_should(phrase: str, yes: list[dict[str, Any]], no: list[dict[str, Any]]) -> None:
    for scene in yes:
        assert so(phrase, **scene), scene
    for scene in no:
        assert not so(phrase, **scene), scene


@each("side", SEATS)
def test_each_side_has_its_own_lead(side: Seat) -> None:
    s = state(at("T6 0o ---", score=(3, 1)))
    ahead, behind = (
        are_conditions_met(parse_condition(f"I am {word} by 2 or more"), SideView(s, side))
        for word in ("ahead", "behind")
    )
    assert (side == "away", side == "home") == (ahead, behind)


@pytest.mark.rule("CL-375")
@each(("bases", "lead"), [("12", 1), ("1", 0), ("13", 2), ("123", 2)])
def test_the_lead_runner_is_nearest_home(bases: str, lead: int) -> None:
    s = ready(bases=bases)
    for base, runner in enumerate(s.bases):
        if runner:
            assert (base == lead) == are_conditions_met(
                parse_condition(f"the lead runner is named {runner.name}"), SideView(s, "away")
            ), base


@pytest.mark.rule("CL-226")
def test_players_are_cards_in_the_game() -> None:
    for word in ("the manager", "my manager"):
        with pytest.raises(ValueError, match="Unknown condition"):
            parse_condition(f"{word} has HR")
    assert not so("a runner has HR", batter=BO, runners=())


@each(
    ("phrase", "bo", "abe"),
    [
        ("anybody", True, True),
        ("bats left", True, False),
        ("throws right", False, True),
        ("is a switch hitter", True, False),
        ("has HR", True, False),
        ("plays CF", False, False),
        ("can play SS", True, False),
        ("plays for Harbor", True, False),
        ("is of set Originals", True, False),
        ("is named Bo Amber", True, False),
        ("has on-base 9 or less", True, True),
        ("has br 18 or more", True, False),
        ("is an SP", False, True),
        ("is a pitcher", False, True),
        ("is a batter", True, False),
        ("does not have HR", False, True),
        ("is not a pitcher", True, False),
        ("plays LF or plays RF", False, False),
        ("bats left and has HR", True, False),
        ("plays SS or bats right", True, True),
        ("plays SS or CF", True, False),
        ("has command 4+ and not has GG", False, True),
        ('plays for "Harbor"', True, False),
        ("plays for harbor or is an SP and has HR", True, False),
    ],
)
def test_players_a_card_may_be_about(phrase: str, bo: bool, abe: bool) -> None:
    assert (bo, abe) == (
        is_matching_player(parse_player_conditions(phrase), BO),
        is_matching_player(parse_player_conditions(phrase), ABE),
    )


def test_every_player_phrase_is_in_its_table() -> None:
    listed = PLAYER_PHRASES.examples
    assert all(parse_player_conditions(one) or one == "anybody" for one in listed)
    for one in listed[1:]:
        if " or " not in one and " and " not in one:
            assert so(f"the batter {one}") == is_matching_player(parse_player_conditions(one), BO), one


@each(
    ("phrase", "message"),
    [
        ("bases loadd", "Did you mean 'bases loaded'"),
        ("bases loaded and one uot", "Unknown condition 'one uot'"),
        ("one out or", "Unknown condition"),
        ("the batter has br", "Unknown kind of player 'has br'. Did you mean"),
        ("the batter bats both", "Unknown kind of player"),
        ("4 outs", "needs a number from 0 to 3"),
        ("inning 0", "needs a number from 1 to 99"),
        ("inning 6 to 4", "needs a number from"),
        ("a natural 25 on the swing", "needs a number from 1 to 24"),
        ("", "needs a phrase"),
        (7, "needs a phrase"),
        ("bases loaded " * 40, "at most 240 characters"),
        ("bases\nloaded", "on one line"),
        ("not", "Unknown condition"),
        ("not not one out", "Unknown condition"),
    ],
)
def test_unknown_conditions_are_refused(phrase: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_condition(phrase)


PHRASE = st.sampled_from([phrase for phrase, _, _ in CASES[:-2]])
"""Any phrase but those that are put together."""


@given(PHRASE, PHRASE, PHRASE)
def test_phrases_combine_logically(one: str, two: str, three: str) -> None:
    """This holds everywhere: and binds more tightly than or, and not negates one condition."""
    said = [parse_condition(phrase) for phrase in (one, two, three)]
    both, ways = parse_condition(f"{one} and {two}"), parse_condition(f"{one} or {two} and {three}")
    turned = () if "not" in one.split() else parse_condition(f"not {one}")
    for view in (Scene(), Scene(outs=0, inning=7, lead=-1, result="GB", tired=True)):
        a, b, c = (are_conditions_met(phrase, view) for phrase in said)
        assert (a and b) == are_conditions_met(both, view)
        assert (a or (b and c)) == are_conditions_met(ways, view)
        assert not turned or (not a) == are_conditions_met(turned, view)


@given(st.text("abcdefgnot 0123456789+-\"'", max_size=30))
def test_nonsense_is_refused_with_an_explanation(noise: str) -> None:
    known = None
    with suppress(ValueError):
        known = parse_condition(noise)
    if known is None:
        with pytest.raises(ValueError, match=r"[.?]$") as refused:
            parse_condition(noise)
        assert len(str(refused.value)) < 300
