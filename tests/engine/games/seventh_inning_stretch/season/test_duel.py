"""Duels: drafts, differences from a season's games, and how a duel ends."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine.asks import Draw, Secret
from engine.errors import EngineError
from engine.games.seventh_inning_stretch import GAME
from engine.games.seventh_inning_stretch.state import Pool, State, StretchSquad
from engine.seats import SEATS, Seat
from engine.secrets import SealedValue
from engine.table import Table
from engine.views import json_data
from tests.each import each
from tests.engine.games.seventh_inning_stretch.fixture import (
    HOUSE,
    LINES,
    NINE,
    at,
    deck,
    half,
    new,
    pitcher_card,
    pool,
    skip,
    squad,
    stand,
    supply,
    swing,
    true,
)
from tests.engine.tables import asked, board, codes, give, midway, offered, play, score, step

DUEL = {"mode": "duel"}

ORDER = {str(spot): name for spot, name in enumerate(NINE, 1)}


def dealt(house: dict[str, str] | None = None, count: int = 8) -> Table:
    """Return a duel with its pitchers and then `count` cards dealt, each time the first card left."""
    table = play(new(DUEL | (house or {})), "F-PIT")
    for _ in range(count):
        ((n, ask),) = table.open_asks()
        assert isinstance(ask, Secret)
        assert isinstance(ask.ask, Draw)
        table.answer_ask(ask.seat, n, ask.ask.options[0])
    return table


def hand(table: Table, seat: Seat) -> list[str]:
    held = json_data(table.view_for(seat))["scoreboard"]["panel"]["hands"][seat]
    assert isinstance(held, list)
    return held


def keep(table: Table, place: int = 0) -> dict[Seat, str]:
    """Have both coaches keep the card at this place among those they may keep."""
    kept = {seat: offered(table, seat)[place] for seat in SEATS}
    for seat in SEATS:
        give(table, seat, kept[seat])
    return kept


def drafted(house: dict[str, str] | None = None) -> Table:
    table = new(DUEL | (house or {}))
    while asked(table)[0] != "line-up":
        step(table, 0)
    return table


def picking(away: Sequence[str], hands: tuple[str, str], done: int = 5, house: dict[str, str] | None = None) -> Table:
    """Return a duel in its last draft with `done` - 1 cards kept.

    The Visitors have `away`, Home has nine batters; `hands` are the cards, separated by spaces.
    """

    def position(state: State) -> None:
        state.phase, state.drafted = "last-deal", done
        state.squads = (StretchSquad(tuple(away)), StretchSquad((*NINE, "F-CUT")))
        for seat, held in zip(SEATS, hands, strict=True):
            sealed = tuple(SealedValue(seat, name, -1) for name in held.split())
            state.hands = (sealed, state.hands[1]) if seat == "away" else (state.hands[0], sealed)

    return midway(GAME, deck(), HOUSE | DUEL | (house or {}), position, ())


def ending(inning: int, away: int, home: int, house: dict[str, str] | None = None) -> Table:
    """Return a duel with the Visitors at bat in this inning, two out and the pool empty."""
    return at("F-0", outs=2, inning=inning, home=False, runs=(away, home), duel=True, house=house)


def miss(table: Table) -> Table:
    return skip_all(play(skip_all(table), "0"))


def skip_all(table: Table) -> Table:
    return skip(table, "batter", "relief", "ability", "tokens")


def denied(table: Table, seat: Seat, value: object) -> None:
    """Assert that this seat cannot give that answer to any question."""
    for n, _ in table.open_asks():
        with pytest.raises(EngineError):
            table.answer_ask(seat, n, value)


# Set-up --------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("SI-192")
def test_two_coaches_play_nine_innings() -> None:
    """From the first card on: two seats are asked, the halves are those of nine innings, and then one has won."""
    table = drafted()
    while asked(table)[0] in ("line-up", "line-up-die", "lead-off", "pitcher"):
        step(table, 0)
    seen = []
    while not table.outcome:
        skip_all(table)
        now = (half(table), table.open_asks()[0][1].seat)
        if now not in seen:
            seen.append(now)
            if now[0] == "T1":
                # One run, because somebody must win.
                play(table, offered(table)[0], [6])
                skip_all(table)
                continue
        play(table, "0")
        skip_all(table)
    assert [(f"{what}{n}", seat) for n in range(1, 10) for what, seat in zip("TB", SEATS, strict=True)] == seen
    assert {"away", "home"} == {one.ask.seat for one in table.answers}
    outcome = table.outcome
    assert ("away", "nine-innings", "Visitors win 1 to 0.") == (outcome.winner, outcome.reason, outcome.sentence)


@pytest.mark.rule("SI-193")
@each(("house", "why", "draws"), [("random", "duel-pitcher-drawn", True), ("chosen", "duel-pitcher", False)])
def test_chance_deals_each_coach_a_pitcher(house: str, why: str, draws: bool) -> None:
    """By a house rule the Visitors choose theirs, before anything is dealt."""
    table = new(DUEL | {"duelPitcher": house})
    ((_, ask),) = table.open_asks()
    assert (why, draws, ("F-PIT", "F-CUT")) == (ask.why, isinstance(ask, Draw), offered(table))
    assert "away" == ask.seat or draws
    play(table, "F-CUT")
    assert [("F-CUT",), ("F-PIT",)] == [one.roster for one in true(table).squads]


@pytest.mark.rule("SI-201")
def test_who_bats_first_is_asked() -> None:
    """By agreement, by a die (odd: both stay, even: they change seats), or settled before and not asked."""
    assert ("duel-pitcher-drawn",) == asked(play(new(DUEL | {"duelFirstBat": "ask"}), "agreed"))
    for face, said in ((1, "stay-seated"), (4, "change-chairs")):
        table = play(new(DUEL | {"duelFirstBat": "ask"}), "die", [face])
        assert [said] == codes(table.log)
        assert ("duel-pitcher-drawn",) == asked(table)


@pytest.mark.rule("SI-194")
def test_four_batters_are_dealt_to_each() -> None:
    table = dealt(count=7)
    assert ("hand",) == asked(table)
    step(table, 0)
    assert ("pick", "pick") == asked(table)
    held = {seat: hand(table, seat) for seat in SEATS}
    assert [4, 4] == [len(held[seat]) for seat in SEATS]
    assert 8 == len({*held["away"], *held["home"]} & set(LINES))
    assert 16 == len(LINES)


@pytest.mark.rule("SI-195")
def test_one_card_is_kept_and_the_others_are_passed() -> None:
    table = dealt()
    mine: dict[Seat, list[str]] = {seat: [] for seat in SEATS}
    for count in (4, 3, 2):
        held = {seat: hand(table, seat) for seat in SEATS}
        assert [count, count] == [len(offered(table, seat)) for seat in SEATS]
        kept = keep(table, 1)
        for seat in SEATS:
            mine[seat].append(kept[seat])
        if count > 2:
            assert [one for one in held["home"] if one != kept["home"]] == hand(table, "away")
            assert [one for one in held["away"] if one != kept["away"]] == hand(table, "home")
        else:
            last = {"away": held["home"], "home": held["away"]}
            mine["away"] += [one for one in last["away"] if one != kept["home"]]
            mine["home"] += [one for one in last["home"] if one != kept["away"]]
    assert [mine[seat] for seat in SEATS] == [list(squad(table, seat).roster[1:]) for seat in SEATS]
    assert 4 == len(mine["away"])


@pytest.mark.rule("SI-195")
def test_only_its_holder_can_keep_a_card_and_only_once() -> None:
    """The other coach's card is refused, and so is a second pick before the other coach has picked."""
    table = dealt()
    theirs = hand(table, "home")[0]
    with pytest.raises(EngineError):
        give(table, "away", theirs)
    give(table, "away", hand(table, "away")[0])
    denied(table, "away", hand(table, "away")[1])
    assert ("F-PIT",) == squad(table, "away").roster


@pytest.mark.rule("SI-196")
def test_the_first_draft_is_done_twice() -> None:
    """The second uses the eight batters left; then each coach has eight, and no tier 1 card remains."""
    table = dealt()
    for _ in range(3):
        keep(table)
    assert ("hand",) == asked(table)
    for _ in range(8):
        step(table, 0)
    assert [4, 4] == [len(hand(table, seat)) for seat in SEATS]
    for _ in range(3):
        keep(table)
    rosters = [set(squad(table, seat).roster) - {"F-PIT", "F-CUT"} for seat in SEATS]
    assert [8, 8] == [len(one) for one in rosters]
    assert set(LINES) == rosters[0] | rosters[1]


@pytest.mark.rule("SI-197")
def test_three_of_each_higher_tier_are_dealt() -> None:
    table = new(DUEL)
    while true(table).phase != "last-deal" or asked(table)[0] != "pick":
        step(table, 0)
    held = [hand(table, seat) for seat in SEATS]
    assert [["T"] * 3 + ["U"] * 3] * 2 == [[one[0] for one in cards] for cards in held]
    assert 12 == len({*held[0], *held[1]})


@pytest.mark.rule("SI-198")
def test_six_of_them_join_each_roster() -> None:
    """A roster is then fifteen: a pitcher and eight batters of tier 1, and six others. No card is in both."""
    table = drafted()
    rosters = [squad(table, seat).roster for seat in SEATS]
    assert [15, 15] == [len(one) for one in rosters]
    assert 30 == len({*rosters[0], *rosters[1]})
    assert [{"1": 9, "2": 3, "3": 3}] * 2 == [
        {str(tier): sum(name in true(table).box.players_of_tier(tier) for name in one) for tier in (1, 2, 3)}
        for one in rosters
    ]
    assert [[], []] == [hand(table, seat) for seat in SEATS]


@pytest.mark.rule("SI-194", "SI-195", "SI-198")
def test_real_cards_are_dealt_on_the_table() -> None:
    """The software announces how many, and asks which card each coach kept; no card can be named twice."""
    table = play(new(DUEL | {"cards": "real"}), "F-PIT")
    assert (("dealt",), "Each coach gets 4 of tier 1.") == (asked(table), table.play_log_lines()[-1].sentence)
    play(table, "ready")
    named: list[str] = []
    for _ in range(4):
        for seat in SEATS:
            ((_, ask),) = table.open_asks()
            assert ("kept", seat) == (ask.why, ask.seat)
            assert not set(named) & set(offered(table))
            named.append(offered(table)[0])
            play(table, named[-1])
    assert ("dealt",) == asked(table)
    assert set(named) <= set(LINES)
    table = drafted({"cards": "real"})
    assert [15, 15] == [len(squad(table, seat).roster) for seat in SEATS]
    assert 30 == len({name for seat in SEATS for name in squad(table, seat).roster})


@pytest.mark.rule("SI-199")
def test_the_board_begins_with_the_first_inning() -> None:
    table = drafted()
    while not true(table).playing:
        step(table, 0)
    assert ("T1", (0, 0)) == (half(table), score(table))
    assert {"away": (0,), "home": ()} == {seat: side.line for seat, side in board(table).sides.items()}


@pytest.mark.rule("SI-199")
def test_both_coaches_use_one_supply() -> None:
    """The side at bat has all twelve dice; with all tokens on one coach's pitchers, the other's have no ability."""
    table = at("F-MAX", pool=(3, 1, 1), duel=True)
    skip_all(table)
    assert (Pool(7, 3, 3), (5, 1, 1)) == (supply(table), pool(table))
    worn = {"U-12": 2, "T-11": 2, "T-12": 2, "T-13": 2, "T-14": 2, "U-13": 2}
    assert "ability" not in asked(swing(skip_all(at("F-MAX", duel=True, tired=worn)), 6))
    assert ("ability",) == asked(swing(skip_all(at("F-MAX", duel=True, tired={**worn, "U-13": 1})), 6))


# Play ----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("SI-200")
def test_each_coach_selects_players() -> None:
    table = drafted()
    seen = []
    while not true(table).playing:
        ((_, ask),) = table.open_asks()
        if ask.why != "lead-off":
            seen.append((ask.seat, ask.why))
        step(table, 0)
    whys = ["line-up", "line-up-die", "pitcher"]
    wanted = [(seat, why) for seat in SEATS for why in whys if why != "pitcher" or pitchers(table, seat) > 1]
    assert wanted == seen
    for seat in SEATS:
        mine = squad(table, seat)
        assert (9, True, True) == (len(mine.lineup), mine.pitcher in mine.roster, not mine.dugout)


def pitchers(table: Table, seat: Seat) -> int:
    return sum(name in true(table).box.pitchers for name in squad(table, seat).roster)


@pytest.mark.rule("SI-201")
def test_both_teams_bat_in_each_inning() -> None:
    table = ending(3, 0, 0)
    assert ("T3", "away") == (half(table), true(table).offense)
    miss(table)
    assert ("B3", "home", "away") == (half(table), true(table).offense, true(table).defense)
    for _ in range(3):
        miss(table)
    assert ("T4", "away") == (half(table), true(table).offense)


@pytest.mark.rule("SI-202")
def test_the_defense_may_change_pitchers_for_each_batter() -> None:
    """After the substitution for the offense and before any die; then not until the next batter."""
    table = at("F-MAX", bench=("F-RES",), duel=True, pitchers=("T-11",))
    assert ("batter",) == asked(table)
    play(table, "F-RES")
    assert (("relief",), "away", ("stays", "U-11", "T-11")) == (
        asked(table),
        table.open_asks()[0][1].seat,
        offered(table),
    )
    play(table, "T-11")
    assert ("T-11", ("at-bat",)) == (squad(table, "away").pitcher, asked(table))
    denied(table, "away", "U-11")
    swing(table, 1)
    denied(table, "away", "U-11")
    skip(table, "tokens", "ability")
    assert (("relief",), ("stays", "U-11")) == (asked(table), offered(table))


@pytest.mark.rule("SI-202")
def test_the_pitcher_may_change_as_the_turn_begins() -> None:
    """With the house rule, before the offense substitutes, and again if it does."""
    table = at("F-MAX", bench=("F-RES",), duel=True, house={"duelPitcherSub": "startOfTurn"})
    assert ("relief",) == asked(table)
    play(table, "stays")
    assert ("batter",) == asked(table)
    assert ("at-bat",) == asked(play(table.clone(), "bats"))
    assert ("relief",) == asked(play(table, "F-RES"))


@pytest.mark.rule("SI-203")
def test_a_replaced_pitcher_is_out() -> None:
    table = at("F-MAX", duel=True, pitchers=("T-11",), tired={"F-PIT": 1})
    play(table, "T-11")
    assert (("F-PIT",), {"F-PIT": 1}) == (squad(table, "away").dugout, true(table).tired)
    play(table, "0")
    assert ("stays", "U-11") == offered(table)
    denied(table, "away", "F-PIT")


@pytest.mark.rule("SI-204")
def test_the_defense_has_the_last_word_on_an_at_bat() -> None:
    """The order is roll, tokens, ability, outcome: a five lowered by two meets nothing, and that costs a token."""
    table = swing(skip_all(at("F-MAX", pool=(0, 0, 1), duel=True)), 5)
    assert (("tokens",), "home") == (asked(table), table.open_asks()[0][1].seat)
    denied(table, "away", "5-to-3")
    play(table, "keep")
    assert (("ability",), "away", ("enough", "5-to-3")) == (asked(table), table.open_asks()[0][1].seat, offered(table))
    assert ("", 0, 0) == stand(table)
    play(table, "5-to-3")
    play(table, "enough")
    assert (("", 1, 0), {"F-PIT": 1}) == (stand(table), true(table).tired)


@pytest.mark.rule("SI-205")
def test_each_use_costs_a_token_up_to_stamina() -> None:
    """A six becomes a four and then a two, an out; no further use is offered to the exhausted pitcher."""
    table = play(swing(skip_all(at("F-MAX", duel=True)), 6), "6-to-4")
    assert ({"F-PIT": 1}, ("enough", "4-to-2")) == (true(table).tired, offered(table))
    play(table, "4-to-2")
    assert ({"F-PIT": 2}, ("", 1, 0)) == (true(table).tired, stand(table))
    assert "ability" not in asked(table)
    denied(table, "away", "2-to-1")
    swing(skip_all(table), 6)
    assert ({"F-PIT": 2}, ("", 1, 1)) == (true(table).tired, stand(table))


@pytest.mark.rule("SI-206")
def test_no_token_can_be_spent_after_an_ability() -> None:
    """The offense has tokens, but spending one is refused, and the roll counts."""
    table = play(swing(skip_all(at("F-MAX", pool=(0, 1, 2), duel=True)), 5), "keep", "5-to-3")
    assert (("ability",), "away") == (asked(table), table.open_asks()[0][1].seat)
    denied(table, "home", "3-up")
    denied(table, "home", "reroll")
    play(table, "enough")
    assert (("", 1, 0), Pool(1, 1, 2)) == (stand(table), true(table).pool)


@pytest.mark.rule("SI-207")
def test_no_ability_can_be_used_while_runners_run() -> None:
    table = play(skip_all(at("F-MAX", "1", duel=True)), "steal-second", "1", [6])
    assert (("at-bat",), ("2", 0, 0)) == (asked(table), stand(table))
    denied(table, "away", "6-to-4")
    table = play(swing(skip_all(at("F-MAX", "1", duel=True)), 4), "enough", "1", [6])
    assert "ability" not in asked(table)
    assert (("13", 0, 0), {}) == (stand(table), true(table).tired)


@pytest.mark.rule("SI-213")
@each(
    ("ability", "usable"),
    [
        ("lower one die by 2", True),
        ("reroll the highest die", True),
        ("remove one die", True),
        ("roll 1 die fewer", False),
        ("1 run fewer", False),
        ("runs at most 2", False),
    ],
)
def test_only_abilities_that_change_dice_can_be_used(ability: str, usable: bool) -> None:
    cards = deck({"F-CUT": pitcher_card("F-CUT", ability, 3)})
    table = swing(skip_all(at("F-MAX", duel=True, pitcher="F-CUT", cards=cards)), 6, 5)
    assert usable == (asked(table) == ("ability",))
    if not usable:
        assert (("", 0, 1), {}) == (stand(table), true(table).tired)


@pytest.mark.rule("SI-213")
def test_without_dice_no_ability_can_be_used() -> None:
    """The batter is out, and no token goes on the pitcher; a blank pitcher is not asked about either."""
    cards = deck({"F-CUT": '[[pitcher]]\nname = "F-CUT"\ntier = 1\nstamina = 3\nblank = true\n'})
    for name in ("F-PIT", "F-CUT"):
        table = play(skip_all(at("F-MAX", duel=True, pitcher=name, cards=cards)), "0")
        assert (("", 1, 0), {}, True) == (stand(table), true(table).tired, "ability" not in asked(table))


@pytest.mark.rule("SI-214")
def test_the_ban_on_tokens_covers_that_roll_only() -> None:
    """A six becomes a four, a single; then a five for the extra base can still be turned up to a six."""
    table = swing(skip_all(at("F-MAX", "1", pool=(1, 0, 1), duel=True)), 6)
    play(table, "keep", "6-to-4", "enough")
    assert (("extra-base",), ("12", 0, 0)) == (asked(table), stand(table))
    play(table, "1", [5])
    assert ("tokens",) == asked(table)
    play(table, "5-up")
    assert ("13", 0, 0) == stand(table)


@pytest.mark.rule("SI-206", "SI-214")
def test_the_ban_on_tokens_may_last_for_the_turn() -> None:
    """With the house rule, but only after an ability was used, and not into the next turn."""
    ban = {"duelTokenBan": "restOfTurn"}
    table = skip_all(at("F-MAX", "1", pool=(1, 0, 1), duel=True, house=ban))
    used = play(swing(table.clone(), 6), "keep", "6-to-4", "enough", "1", [5])
    assert ("runner-out",) == asked(used)
    play(used, "r1")
    assert ("tokens",) == asked(swing(skip_all(used), 3))
    assert ("tokens",) == asked(play(swing(table, 4), "keep", "enough", "1", [5]))


# The ninth batter ----------------------------------------------------------------------------------------------------

EIGHT = ("F-PIT", *NINE[:8])


@pytest.mark.rule("SI-211")
def test_a_coach_with_eight_batters_must_take_one() -> None:
    """On the last two picks, if there is a batter among the cards, a pitcher is refused."""
    table = picking((*EIGHT, "T-11", "T-12", "T-13", "T-14"), ("T-1 U-12", "T-2 U-13"))
    assert (("T-1",), ("T-2", "U-13")) == (offered(table, "away"), offered(table, "home"))
    with pytest.raises(EngineError):
        give(table, "away", "U-12")
    give(table, "away", "T-1")


@pytest.mark.rule("SI-211")
@pytest.mark.parametrize(
    ("away", "done", "house", "minds"),
    [
        ((*EIGHT, "T-11", "T-12", "T-13", "T-14"), 5, {}, True),
        ((*EIGHT, "T-11", "T-12", "T-13", "T-14", "U-11"), 6, {}, True),
        ((*EIGHT, "T-11", "T-12", "T-13"), 4, {}, False),
        ((*EIGHT, "T-11", "T-12", "T-13", "T-3"), 5, {}, False),
        ((*EIGHT, "T-11", "T-12", "T-13", "T-14"), 5, {"duelMinBatters": "shortLineup"}, False),
    ],
    ids=["two in hand", "one in hand", "three to come", "nine already", "short line-up"],
)
def test_with_real_cards_the_coach_is_reminded(
    away: tuple[str, ...], done: int, house: dict[str, str], minds: bool
) -> None:
    """The software does not know real hands, so its question reminds the coach what he must keep."""
    table = picking(away, ("", ""), done, {"cards": "real"} | house)
    says = [json_data(table.ask_view(*ask, None))["sentence"] for ask in table.open_asks()]
    keep = "You have eight batters: keep a batter if you hold one. " if minds else ""
    assert [f"{keep}Turn over the card you keep. Which is it?"] == says
    play(table, "U-14")
    assert (
        "Turn over the card you keep. Which is it?"
        == json_data(table.ask_view(*table.open_asks()[0], None))["sentence"]
    )


@pytest.mark.rule("SI-211")
@pytest.mark.parametrize(
    ("away", "hands", "done", "house"),
    [
        ((*EIGHT, "T-11", "T-12", "T-13", "T-14"), "U-11 U-12", 5, {}),
        ((*EIGHT, "T-11", "T-12", "T-13", "T-3"), "T-1 U-12", 5, {}),
        ((*EIGHT, "T-11", "T-12", "T-13"), "T-1 U-12 U-14", 4, {}),
        ((*EIGHT, "T-11", "T-12", "T-13", "T-14"), "T-1 U-12", 5, {"duelMinBatters": "shortLineup"}),
    ],
    ids=["no batter there", "nine already", "three to come", "short line-up"],
)
def test_otherwise_any_card_may_be_kept(away: tuple[str, ...], hands: str, done: int, house: dict[str, str]) -> None:
    """With no batter among the cards, with nine already, before the last two picks, or with the house rule."""
    table = picking(away, (hands, hands.replace("T-1 ", "T-2 ")), done, house)
    assert tuple(hands.split()) == offered(table, "away")


@pytest.mark.rule("SI-211")
def test_eight_batters_may_play() -> None:
    """Without a ninth there are eight places; a nine on the die is a free choice, and the first follows the eighth."""
    cards = ("U-11 U-12", "T-2 U-13")
    table = picking((*EIGHT, "T-11", "T-12", "T-13", "T-14"), cards, house={"duelMinBatters": "shortLineup"})
    give(table, "away", "U-11")
    give(table, "home", "T-2")
    assert ("line-up",) == asked(table)
    play(table, {str(spot): name for spot, name in enumerate(NINE[:8], 1)}, [9])
    assert ("lead-off",) == asked(table)
    play(table, NINE[7], "F-PIT")
    assert 7 == squad(table, "away").slot
    play(table, ORDER | {"9": squad(table, "home").roster[8]}, [1])
    skip(table, "pitcher")
    miss(table)
    assert 0 == squad(table, "away").slot


# The end -------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("SI-212")
def test_home_may_walk_off() -> None:
    """Tied in the bottom of the ninth, a run ends the game at once; in the eighth it does not."""
    table = play(swing(skip_all(at("F-MAX", inning=9, runs=(1, 1), duel=True)), 6), "enough")
    assert table.outcome is not None
    assert ("home", (1, 2), "Home wins 2 to 1.") == (table.outcome.winner, score(table), table.outcome.sentence)
    assert play(swing(skip_all(at("F-MAX", inning=8, runs=(1, 1), duel=True)), 6), "enough").outcome is None


@pytest.mark.rule("SI-212")
@each(("away", "home", "turns", "winner"), [(2, 3, 1, "home"), (4, 3, 4, "away")])
def test_home_bats_in_the_ninth_unless_it_is_ahead(away: int, home: int, turns: int, winner: str) -> None:
    """Home ahead has won after the top; the Visitors have won only once home has batted."""
    table = ending(9, away, home)
    for _ in range(turns):
        assert table.outcome is None
        miss(table)
    assert table.outcome is not None
    assert (winner, "nine-innings") == (table.outcome.winner, table.outcome.reason)
    assert ("T9" if winner == "home" else "B9", "duel-over") == (half(table), codes(table.log)[-1])


@pytest.mark.rule("SI-212")
def test_a_tie_goes_to_extra_innings() -> None:
    table = miss(ending(9, 3, 3))
    for inning in (10, 11):
        for _ in range(3):
            miss(table)
        assert f"T{inning}" == half(table)
        for _ in range(3):
            miss(table)
    play(swing(skip_all(table), 6), "enough")
    assert table.outcome is not None
    assert ("home", "extra-innings") == (table.outcome.winner, table.outcome.reason)


@pytest.mark.rule("SI-212")
def test_both_teams_may_bat_in_full() -> None:
    """With the house rule, Home bats even when ahead, and a lead ends nothing before the third out."""
    both = {"duelEnd": "bothBat"}
    table = miss(ending(9, 2, 3, both))
    assert ("B9", None) == (half(table), table.outcome)
    play(swing(skip_all(table), 6), "enough")
    assert ("B9", None) == (half(table), table.outcome)
    for _ in range(3):
        miss(table)
    assert table.outcome is not None
    assert ("home", (2, 4)) == (table.outcome.winner, score(table))
