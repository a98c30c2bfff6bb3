"""Every verb of the card language at a real table: a card X with the phrase, and its effect."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from engine.games.clutch.cards.phrases import parse_effects
from engine.games.clutch.pitching.rest import PitcherRest
from engine.games.clutch.state import State
from engine.games.clutch.strategy_cards.apply import LASTING_VERBS, VERB_ACTIONS
from engine.seats import Seat
from engine.table import Table
from engine.views import json_data
from tests.each import each
from tests.engine.games.clutch.field import (
    at,
    die,
    event_codes,
    fact,
    hand,
    line,
    mound,
    now,
    options,
    pitched,
    playable,
    refused,
    run,
    state,
    swung,
    until,
    upto,
)
from tests.engine.games.clutch.fixture import BEFORE, batter, strategy
from tests.engine.tables import give

SWUNG = "after the swing roll"
ROLLED = "after the pitch roll"
RESULT = "on any result"
THROWN = ("on a throw", "after the throw roll")
AFTER = "after an at-bat"

Look = Callable[[Table], Any]


def stands(table: Table) -> tuple[str, str]:
    """Return the situation and the last outcome."""
    return now(table), ("", *state(table).last)[-1]


def safe(table: Table) -> tuple[int, int]:
    """Return the throw that came too late and the speed it was against."""
    return fact(table, "throw-safe", "total"), fact(table, "throw-safe", "speed")


def runs(table: Table) -> tuple[str, tuple[int, int]]:
    """Return the situation and the score."""
    return now(table), state(table).score


def pitches(table: Table) -> tuple[str, str]:
    """Return who is on the mound, and the situation."""
    return state(table).pitcher_card.name, now(table)


def bats(table: Table) -> tuple[str, int]:
    """Return who pinch-hit, and his plate appearances."""
    return "A-LF2", line(table, "A-LF2").pa


def mine(table: Table) -> list[str]:
    return hand(table, "away")


def theirs(table: Table) -> list[str]:
    return hand(table, "home")


def errors(table: Table) -> tuple[int, int]:
    return state(table).errors


def scored_as(table: Table) -> Any:
    return fact(table, "scored-as", "code")


def innings(table: Table) -> tuple[int, int]:
    """Return the innings that cards added to the pitcher's limit and took from it."""
    return mound(table).added, mound(table).taken


AIM_AT_BATTER = "change 1B to GB if an outfield throw at the batter is made"
SAFE = "the runner is safe"
CHECK_ELSE = "lead runner advances 1 if an infield check fails else draw 1"
AIM_AT_LEAD = "the lead runner is out if an infield throw at the lead runner is made"

CASES: Sequence[tuple[str, str, Any, str, str, Look, Any]] = [
    # Lasting effects.
    ("swing +2", "offense", BEFORE, "---", "X P2 S14", swung, (16, "2B")),
    ("swing - pitcher's clutch", "defense", BEFORE, "---", "X P2 S16", swung, (15, "1B")),
    ("swing + d6", "offense", BEFORE, "---", "X X2 P2 S14", swung, (16, "2B")),
    ("outfield -2", "offense", "on a throw", "-2-", "1B! to-home at-home X D10", safe, (12, 18)),
    ("CF defense -2", "offense", BEFORE, "-2-", "X 1B! to-home at-home D10", safe, (12, 18)),
    ("lead runner br +2", "offense", BEFORE, "-2-", "X 1B! to-home at-home D10", safe, (14, 20)),
    ("runners br -2", "defense", BEFORE, "-2-", "X 1B! to-home at-home D10", safe, (14, 16)),
    ("x-zone +1", "offense", BEFORE, "---", "X P2 S22", swung, (22, "HR")),
    ("bunt roll +2", "offense", "after the bunt roll", "1--", "bunt B11 X", stands, ("T5 1o -2-", "SAC")),
    ("bunt target -2", "offense", "when a bunt is declared", "1--", "bunt X B11", stands, ("T5 1o -2-", "SAC")),
    ("on-base = 12", "offense", BEFORE, "---", "X P9 S12", pitched, (12, 12, "Bx")),
    ("command = 5", "defense", BEFORE, "---", "X P6 S12", pitched, (11, 10, "Px")),
    ("lead runner br = 20", "offense", BEFORE, "-2-", "X 1B! to-home at-home D10", safe, (14, 20)),
    ("ignore the batter's handedness", "defense", BEFORE, "---", "X P8 S12", pitched, (11, 10, "Px")),
    ("ignore the runner bonus", "defense", "on a throw", "-2-", "1B! to-home at-home X D10", safe, (14, 15)),
    ("ignore offense cards", "defense", SWUNG, "---", "SW+2 P2 S14 X", swung, (14, "1B")),
    ("power die for the swing", "offense", BEFORE, "---", "X P2 S24", swung, (24, "HR")),
    ("the batter has the advantage", "offense", ROLLED, "---", "P15 X S12", swung, (12, "1B")),
    ("a mistake pitch", "offense", ROLLED, "---", "P15 X S24", swung, (24, "HR")),
    ("read the other chart", "defense", "before the swing", "---", "P2 X S12", swung, (12, "LD")),
    ("FB on the chart is 1B", "offense", BEFORE, "---", "X P2 S5", swung, (5, "1B")),
    ("10 to 12 on the batter's chart is SO", "defense", BEFORE, "---", "X P2 S12", swung, (12, "SO")),
    ("forbid extra bases", "defense", BEFORE, "-2-", "X 1B!", stands, ("T5 0o 1-3", "1B")),
    ("runners hold", "defense", BEFORE, "-2-", "X 1B!", stands, ("T5 0o 1-3", "1B")),
    # Dice.
    ("reroll the swing", "offense", SWUNG, "---", "P2 S3 X X12", swung, (12, "1B")),
    ("reroll the pitch", "defense", BEFORE, "---", "X P2 X15 S12", pitched, (18, 10, "Px")),
    ("roll the swing twice for the best", "offense", BEFORE, "---", "X P2 S3 X12", swung, (12, "1B")),
    ("roll the swing twice for the worst", "defense", SWUNG, "---", "P2 S12 X X3", swung, (3, "GB")),
    ("roll the throw twice for the worst", "offense", THROWN[1], "-2-", "1B! to-home at-home D19 X X2", safe, (6, 18)),
    ("swing die = 20", "offense", SWUNG, "---", "P2 S3 X", swung, (20, "HR")),
    ("bunt die = 13", "offense", "after the bunt roll", "1--", "bunt B1 X", stands, ("T5 1o -2-", "SAC")),
    # Results.
    ("change an out to a single", "offense", RESULT, "---", "SO! X", stands, ("T5 0o 1--", "1B")),
    ("change LD to 2B if a d20 shows 11 or more", "offense", RESULT, "---", "LD! X X11", stands, ("T5 0o -2-", "2B")),
    ("change LD to 2B if a d6 shows 3 or less", "offense", RESULT, "---", "LD! X X4", stands, ("T5 1o ---", "LD")),
    (AIM_AT_BATTER, "defense", RESULT, "---", "1B! X D12", stands, ("T5 1o ---", "GB")),
    (SAFE, "offense", "when a runner is thrown out", "-2-", "1B! to-home at-home D20 X", runs, ("T5 0o 1--", (1, 0))),
    ("the check is made", "defense", "when a check fails", "---", "1B! CHK1B D1 X", stands, ("T5 1o ---", "GB")),
    (CHECK_ELSE, "offense", BEFORE, "1--", "X D13 BB!", stands, ("T5 0o 12-", "BB")),
    (AIM_AT_LEAD, "defense", BEFORE, "-2-", "X D10 BB!", stands, ("T5 1o 1--", "BB")),
    # Runners.
    ("runners advance 1", "offense", AFTER, "12-", "SO! X", stands, ("T5 1o -23", "SO")),
    ("runner on third advances 1 by an error", "offense", AFTER, "--3", "SO! X", runs, ("T5 1o ---", (1, 0))),
    ("batter advances 1 by an error", "offense", "on an out", "---", "GB! X", stands, ("T5 0o 1--", "E")),
    ("the pitcher leaves the game", "offense", BEFORE, "---", "X Rx LD!", pitches, ("Rx", "T5 1o ---")),
    ("the batter leaves the game", "defense", BEFORE, "---", "X A-LF2 LD!", bats, ("A-LF2", 1)),
    ("remove the lead runner", "defense", BEFORE, "12-", "X LD!", stands, ("T5 1o 1--", "LD")),
    ("place the runner on first on third", "offense", BEFORE, "1--", "X LD!", stands, ("T5 1o --3", "LD")),
    ("the lead runner is out", "defense", BEFORE, "12-", "X LD!", stands, ("T5 2o 1--", "LD")),
    ("the batter is out", "defense", "on a 1B", "---", "1B! X", stands, ("T5 1o ---", "LD")),
    # Cards and other effects.
    ("draw 2", "offense", BEFORE, "---", "X P2 S8", mine, ["SW+2", "MOM", "STICK"]),
    ("both draw 1", "offense", BEFORE, "---", "X P2 S8", mine, ["SW+2", "MOM"]),
    ("both draw 1", "offense", BEFORE, "---", "X P2 S8", theirs, ["CHK1B", "1B>GB", "PT+2"]),
    ("they discard 1 at random", "offense", BEFORE, "---", "X P2 S8", theirs, ["1B>GB"]),
    ("they discard their hand", "offense", BEFORE, "---", "X P2 S8", theirs, []),
    ("discard 1 offense card", "offense", BEFORE, "---", "X SW+2 P2 S8", mine, []),
    ("either draw 1 or they discard their hand", "offense", BEFORE, "---", "X second P2 S8", theirs, []),
    ("swing +2 if runners on else +1", "offense", BEFORE, "---", "X P2 S14", swung, (15, "1B")),
    ("swing +2 if runners on else +1", "offense", BEFORE, "1--", "X P2 S14 stay", swung, (16, "2B")),
    ("draw 1 if it led to a run", "offense", AFTER, "---", "HR! X", mine, ["SW+2", "MOM"]),
    ("draw 1 if it led to a run", "offense", AFTER, "---", "SO! X", mine, ["SW+2"]),
    ("swing +1 and cannot be negated", "offense", BEFORE, "---", "X P2 S14", swung, (15, "1B")),
    ("negate the card", "defense", "when an offense card is played", "---", "SW+2 X P2 S14", swung, (14, "1B")),
    ("take this card back", "offense", BEFORE, "---", "X P2 S8", mine, ["SW+2", "X"]),
    ("innings -1", "offense", BEFORE, "---", "X P2 S8", innings, (0, 1)),
    ("innings +1", "defense", BEFORE, "---", "X P2 S8", innings, (1, 0)),
    ("score as WP", "offense", AFTER, "---", "SO! X", scored_as, "WP"),
    ("score as E", "offense", AFTER, "---", "SO! X", errors, (0, 1)),
]


def table_with(do: str, side: str, when: Any, bases: str = "---", **more: Any) -> Table:
    """Return a table at which a side holds the card X with this phrase."""
    card = strategy("X", side, when if isinstance(when, str) else list(when), do)
    away, home = ["SW+2"], ["CHK1B", "1B>GB"]
    (away if side == "offense" else home).append("X")
    cards = {"X": card, "Bx": batter("Bx", right=1) if "batter's handedness" in do else batter("Bx")}
    return at(
        f"T5 0o {bases}", away=away, home=home, cards=cards, decks=(["MOM", "STICK", "SPD+2"], ["PT+2", "SW-2"]), **more
    )


@pytest.mark.rule("CL-028")
@pytest.mark.parametrize(
    ("do", "side", "when", "bases", "script", "look", "expected"),
    CASES,
    ids=lambda one: getattr(one, "__name__", str(one))[:40],
)
def test_an_action_phrase(do: str, side: str, when: Any, bases: str, script: str, look: Look, expected: Any) -> None:
    """The card is played, the game goes on, and the effect is checked; the card is discarded unless it returns."""
    table = run(table_with(do, side, when, bases), *script.split())
    assert expected == look(table)
    owner: Seat = "away" if side == "offense" else "home"
    assert ("X" in state(table).squad(owner).discard) != (do == "take this card back")


APART = {"look", "recover", "search", "bottom", "shuffle", "rest", "allow"}
"""Verbs with a test of their own."""


def test_every_verb_is_tested() -> None:
    def verbs(*effects: Any) -> set[str]:
        return {verb for one in effects for verb in {one.verb} | verbs(*one.then, *one.otherwise)}

    assert {*LASTING_VERBS, *VERB_ACTIONS, "if", "immune", "return"} == APART | verbs(
        *(one for case in CASES for one in parse_effects(case[0]))
    )


@each("hands", ["dealt", "real"])
@each(
    ("do", "script", "held", "left"),
    [
        ("draw 2", ("X",), 3, -2),
        ("recover 1", ("X", "OB+2"), 2, 0),
        ("search 1", ("X",), 2, -1),
        ("bottom 1", ("X",), 0, 1),
        ("discard 1", ("X",), 0, 0),
        ("discard 1 at random", ("X",), 0, 0),
        ("they discard 1", ("X",), 1, 0),
        ("look at their hand", ("X",), 1, 0),
        ("shuffle my deck", ("X",), 1, 0),
    ],
)
def test_cards_move(hands: str, do: str, script: tuple[str, ...], held: int, left: int) -> None:
    """With dealt cards, and with real cards, of which the table only knows the number."""

    def position(s: State) -> None:
        s.update_squad("away", discard=("OB+2",), held=2)
        s.update_squad("home", held=2)

    cards = {"X": strategy("X", "offense", BEFORE, do)}
    dealt = hands == "dealt"
    decks = (["MOM", "STICK", "SPD+2"], ["PT+2", "SW-2"]) if dealt else (["SW+2", "X", "MOM", "OB+2"], ["PT+2", "SW-2"])
    table = at(
        away=["SW+2", "X"], home=["CHK1B", "1B>GB"], cards=cards, decks=decks, house={"hands": hands}, position=position
    )
    before = state(table).cards_left("away")
    upto(table, "pitch", *script)
    s = state(table)
    assert (held, left) == (s.hand_size("away"), s.cards_left("away") - before)
    gone = {"they discard 1": 1}.get(do, 0)
    assert (2 - gone, gone) == (s.hand_size("home"), len(s.squad("home").discard))
    own = {"recover 1": 1, "discard 1": 3, "discard 1 at random": 3}.get(do, 2)
    assert own == len(s.squad("away").discard)
    assert {"draw 2": "draws", "recover 1": "recovers", "search 1": "searches", "look at their hand": "looks"}.get(
        do, "plays-card"
    ) in event_codes(table)


def test_only_the_owner_sees_a_card_he_looks_at() -> None:
    for do, seen in (("look at their hand", ["CHK1B", "1B>GB"]), ("look at the top 2 of their deck", ["PT+2", "SW-2"])):
        table = table_with(do, "offense", BEFORE)
        ask = upto(table, "looked", "X")
        n = table.open_asks()[0][0]
        assert all(one in json_data(table.ask_view(n, ask, "away"))["sentence"] for one in seen)
        for viewer in ("home", None):
            assert not [one for one in seen if one in str(json_data(table.ask_view(n, ask, viewer)))]


def test_cards_seen_on_a_deck_are_drawn_first() -> None:
    """The other manager's cards stay on his deck in order, and he draws them next."""
    table = table_with("look at the top 2 of their deck", "offense", BEFORE)
    upto(table, "looked", "X")
    squad = state(table).squad("home")
    assert ["PT+2", "SW-2"] == [one.peek() for one in squad.top]
    assert 2 == state(table).cards_left("home")
    until(table, "seen")
    for _ in range(3):
        run(table, "SO!")
    assert ["CHK1B", "1B>GB", "PT+2"] == hand(table, "home")
    assert "home" == state(table).squad("home").hand[-1].owner
    assert "PT+2" not in str(json_data(table.view_for("away"))["scoreboard"])


def test_nobody_knows_a_shuffled_deck() -> None:
    """Neither its top, which was looked at, nor its bottom; and each card is there once."""
    do = "bottom 1, look at the top 2 of my deck, shuffle my deck"
    table = at(
        away=["SW+2", "X"],
        cards={"X": strategy("X", "offense", BEFORE, do)},
        decks=(["MOM", "STICK", "SPD+2"], ()),
    )
    upto(table, "pitch", "X")
    squad = state(table).squad("away")
    assert ((), (), ["MOM", "SPD+2", "STICK", "SW+2"]) == (squad.top, squad.bottom, sorted(squad.deck))


def test_a_deck_is_searched_in_secret() -> None:
    table = table_with("search 1 offense card", "offense", BEFORE)
    ask = upto(table, "search", "X")
    assert ("SPD+2",) == options(ask)
    give(table, "away", "SPD+2")
    assert (["SW+2", "SPD+2"], ("MOM", "STICK")) == (hand(table, "away"), state(table).squad("away").deck)
    assert "SPD+2" not in str(json_data(table.view_for("home"))["scoreboard"])


def test_rest_can_be_shortened() -> None:
    def owes(s: State) -> None:
        s.rests = ({}, {"Rx": PitcherRest(2), "H-R2": PitcherRest(0)})

    for do, left, code in (("rest -1", 1, "rested"), ("rest +1", 3, "rests-longer")):
        table = run(table_with(do, "defense", BEFORE, position=owes), "X", "P2", "S8")
        assert (left, [code]) == (
            state(table).rests[1]["Rx"].owes,
            [one for one in event_codes(table) if "rest" in one],
        )


def test_a_ban_can_be_lifted() -> None:
    cards = {
        "X": strategy("X", "defense", BEFORE, "forbid extra bases"),
        "Y": strategy("Y", "offense", BEFORE, "allow extra bases"),
    }
    for script, asked in ((("X",), False), (("X", "Y"), True)):
        table = at("T5 0o -2-", away=["Y"], home=["X"], cards=cards)
        run(table, *script, "1B!")
        assert asked == ("extra-base" in [one.ask.why for one in table.answers])


@each(
    ("do", "bases", "why"),
    [
        ("forbid steals", "1--", "steal-second"),
        ("forbid bunts", "1--", "bunt"),
        ("forbid infield in", "--3", "in"),
        ("forbid substitutions", "---", "pinch-hitter"),
    ],
)
def test_forbidden_actions_are_not_offered(do: str, bases: str, why: str) -> None:
    for forbidden in (False, True):
        card = {"X": strategy("X", "neutral", "at the start of an at-bat", do)}
        table = at(f"T5 0o {bases}", away=["X"], cards=card)
        until(table, *(["X"] if forbidden else ["pass"]))
        offered: set[str] = set()
        while (ask := table.open_asks()[0][1]).why != "pitch":
            offered |= set(options(ask))
            until(table, options(ask)[0])
        assert forbidden == (why not in offered)


def test_throws_tags_and_double_plays_can_be_forbidden() -> None:
    for do, bases, script, after in (
        ("forbid throws", "-2-", ("1B!", "to-home"), "T5 0o 1--"),
        ("forbid tag-ups", "--3", ("FB!",), "T5 1o --3"),
        ("forbid double plays", "1--", ("GB!",), "T5 1o -2-"),
    ):
        table = run(table_with(do, "neutral" if do == "x" else "offense", BEFORE, bases), "X", *script)
        assert after == now(table)


def test_cards_of_a_side_can_be_forbidden() -> None:
    table = table_with("forbid offense cards", "defense", BEFORE)
    assert () == playable(table, "away", "before-pitch", "X")
    refused(table, "SW+2", "away")


def test_a_die_waits_for_its_roll() -> None:
    """The d24 is asked for later; a stolen base through a card counts as one."""
    assert "d24" == die(table_with("power die for the pitch", "defense", BEFORE), "pitch", "X")
    table = run(table_with("lead runner advances 1 by a steal", "offense", BEFORE, "1--"), "X", "SO!")
    assert (1, "T5 1o -2-") == (line(table, "A-RF").sb, now(table))


def test_what_is_ignored_in_the_next_at_bat_counts_in_this_one() -> None:
    cards = {"X": strategy("X", "defense", BEFORE, "ignore offense cards", lasts="the next at-bat")}
    table = at(away=["SW+2", "SW+2b"], home=["X"], cards=cards)
    assert (16, "2B") == swung(run(table, "X", "SW+2", "P2", "S14"))
    assert (14, "1B") == swung(run(table, "SW+2b", "P2", "S14"))


def test_an_effect_lasts_as_long_as_it_says() -> None:
    for lasts, expected in (
        ("this at-bat", [11, 10, 10, 10, 10, 10]),
        ("the next at-bat", [10, 11, 10, 10, 10, 10]),
        ("this half-inning", [11, 11, 11, 10, 10, 10]),
        ("2 half-innings", [11] * 6),
        ("this inning", [11] * 6),
        ("this game", [11] * 6),
    ):
        cards = {"X": strategy("X", "offense", BEFORE, "on-base +1", lasts=lasts)}
        table = at("T5 0o ---", away=["X"], cards=cards)
        seen = []
        for script in (("X", "SO!"), *[("SO!",)] * 8):
            run(table, *script)
            seen.append(pitched(table)[1])
        assert expected == seen[:6], lasts
        assert [11 if lasts == "this game" else 10] * 3 == seen[6:], lasts
