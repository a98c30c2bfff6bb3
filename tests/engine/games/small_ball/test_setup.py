"""The box and the starting position: SB-001 to SB-013."""

from __future__ import annotations

from collections import Counter

import pytest

from device.storage.decks import house_deck
from engine.asks import Roll
from engine.cards import parse_deck
from engine.errors import DeckError, IllegalAnswer, InvalidAnswer, WrongSeat
from engine.games.small_ball import GAME
from engine.games.small_ball.cards import CARD_SHAPES
from engine.journal import parse_entry
from engine.seats import SEATS
from engine.table import Table
from tests.each import each
from tests.engine.games.small_ball.fixture import A, at, bat, deck, dice, due, new, source, stand, unused
from tests.engine.tables import board, clock, panel, play, score


@pytest.mark.rule("SB-001")
def test_the_box_holds_eighteen_players_and_four_pinch_hitters() -> None:
    """The stock deck has nine players and two pinch hitters per color; the table has two scores and one marker."""
    house = house_deck(GAME)
    kinds = Counter((card.kind, card.fields.get("team")) for card in house.cards if card.kind != "team")
    expected = {("player", "red"): 9, ("player", "blue"): 9, ("pinch", "red"): 2, ("pinch", "blue"): 2}
    assert expected == kinds
    table = Table(GAME, [house])
    assert ["away", "home"] == list(board(table).sides)
    assert "1" == board(table).marker


@pytest.mark.rule("SB-002")
@each("face", [1, 2, 3, 4, 5, 6])
def test_every_roll_takes_the_faces_of_one_d6(face: int) -> None:
    """For an at-bat, a steal and a sacrifice one d6 is expected: 1 to 6 are accepted, 0 and 7 refused."""
    for decision in ("bat", "steal-second", "sacrifice", "hit-and-run"):
        table = play(at("1"), decision)
        assert ("d6",) == dice(table)
        for wrong in (0, 7):
            with pytest.raises(IllegalAnswer):
                play(table, wrong)
        with pytest.raises(InvalidAnswer):
            play(table, [face, face])
        play(table, face)
        assert (face,) == board(table).dice


@pytest.mark.rule("SB-003")
def test_two_managers_sit_at_the_table() -> None:
    table = new()
    assert SEATS == tuple(board(table).sides)
    with pytest.raises(InvalidAnswer, match="away or home"):
        parse_entry({"seat": "umpire", "n": 0, "value": "bat"})
    with pytest.raises(WrongSeat):
        table.answer_ask("home", 0, "bat")


@pytest.mark.rule("SB-004")
def test_a_team_is_nine_cards_of_one_color() -> None:
    """The away team has the nine red cards; a deck with a blue card in place of a red one is refused."""
    table = bat(new(), 5, 5, 5)
    assert ["red 3", "red 2", "red 1"] == list(board(table).bases)
    mixed = source().replace('team = "red"\nnumber = 3', 'team = "blue"\nnumber = 3', 1)
    with pytest.raises(DeckError) as refused:
        Table(GAME, [parse_deck(mixed, "mixed.toml", "small-ball", CARD_SHAPES)])
    assert [
        "mixed.toml, red team, player: number 3 is missing.",
        "mixed.toml, player 12, number: the blue team has two players 3.",
    ] == [str(fault) for fault in refused.value.faults]


@pytest.mark.rule("SB-005")
def test_both_pinch_hitters_are_available_at_first() -> None:
    table = new()
    assert ["POWER", "ON-BASE"] == unused(table, "away")
    assert ["POWER", "ON-BASE"] == unused(table, "home")
    one = source().replace('[[pinch]]\nteam = "red"\nname = "red POWER"\nkind = "POWER"\n', "", 1)
    with pytest.raises(DeckError, match="red team, pinch: needs two pinch hitters, not 1"):
        Table(GAME, [parse_deck(one, "a.toml", "small-ball", CARD_SHAPES)])


@pytest.mark.rule("SB-006")
@each("half", ["top", "bottom"])
def test_the_batting_order_is_by_number(half: str) -> None:
    """However the cards are ordered in the file, 1 to 9 bat in that order, and no answer changes it."""
    shuffled = parse_deck(source(order=[4, 9, 1, 7, 2, 8, 3, 6, 5]), "a.toml", "small-ball", CARD_SHAPES)
    table = Table(GAME, [shuffled], {"awayTeam": "red"})
    colour = "red"
    if half == "bottom":
        play(table, "bank", "bank")
        colour = "blue"
    for number in range(1, 10):
        assert f"{colour} {number}" == due(table)
        with pytest.raises(InvalidAnswer):
            play(table, {"order": [2, 1]})
        bat(table, 5)


@pytest.mark.rule("SB-009")
def test_the_clock_moves_every_half() -> None:
    table = new()
    halves = []
    for _ in range(3):
        play(table, "bank", "bank")
        halves.append((*clock(table), board(table).marker))
    assert [(1, "bottom", "1"), (2, "top", "2"), (2, "bottom", "2")] == halves


@pytest.mark.rule("SB-007", "SB-008", "SB-010")
def test_away_bats_first_with_player_one() -> None:
    table = new()
    assert ((0, 0), (1, "top"), "1") == (score(table), clock(table), board(table).marker)
    assert ("away", "red 1") == (board(table).batting, due(table))
    other = new({"awayTeam": "blue"})
    assert ("away", "blue 1") == (board(other).batting, due(other))


@pytest.mark.rule("SB-011")
def test_an_at_bat_is_one_throw_of_the_batting_manager() -> None:
    table = play(new(), "bat")
    ((_, ask),) = table.open_asks()
    assert isinstance(ask, Roll)
    assert ("away", "at-bat", 1) == (ask.seat, ask.why, len(ask.dice))


RESULTS = ["strikeout", "single", "ground-out", "fly-out", "walk", "double"]


@pytest.mark.rule("SB-012")
@each(("face", "result"), list(enumerate(RESULTS, 1)))
def test_the_face_selects_a_line_of_the_batters_own_card(face: int, result: str) -> None:
    """A 1 reads the top line and a 6 the bottom line, always of the current batter's card."""
    table = play(at(cards={("red", 2): A[::-1], ("blue", 1): A[::-1]}), "bat", face)
    assert result == table.log[-1].event.code
    table = play(at(lead=2, cards={("red", 2): A[::-1]}), "bat", 7 - face)
    assert result == table.log[-1].event.code


@pytest.mark.rule("SB-013")
@each(
    ("results", "reason"),
    [
        (A[:5], "needs a list of 6"),
        ((*A, "1B"), "needs a list of 6"),
        ((*A[:5], "3B"), "3B is not one of 1B, 2B, BB, SO, FO, GO"),
        ((*A[:5], "HR"), "HR is not one of 1B, 2B, BB, SO, FO, GO"),
        ((*A[:5], "XX"), "not 'XX'"),
        ((*A[:5], "1b"), "not '1b'"),
    ],
)
def test_a_card_has_six_of_six_codes(results: tuple[str, ...], reason: str) -> None:
    """With too few or too many lines, or an unknown code, the card is refused, and the error names it."""
    with pytest.raises(DeckError, match=reason) as refused:
        Table(GAME, [deck({("red", 4): results})])
    ((fault),) = refused.value.faults
    assert ("a.toml", "player 4", "results") == (fault.file, fault.card, fault.field)


def test_extra_codes_are_a_house_rule() -> None:
    """With `extraCodes` a card may print a triple and a home run, and both can be played."""
    cards = {("red", 4): ("3B", "HR", "SO", "SO", "SO", "SO")}
    table = Table(GAME, [deck(cards)], {"awayTeam": "red", "extraCodes": "true"})
    bat(table, 5, 5, 5)
    assert ("3", 0, 3) == stand(bat(table, 1))
    assert "red 4" == board(table).bases[2]
    table.correct_answer(7, 2)
    assert ("", 0, 4) == stand(table)
    assert ["red 1", "red 2", "red 3", "red 4"] == panel(table, "runs")


@each(("face", "away"), [(1, "red"), (2, "blue"), (3, "red"), (4, "blue"), (5, "red"), (6, "blue")])
def test_a_coin_flip_is_a_die(face: int, away: str) -> None:
    table = play(Table(GAME, [deck()]), "coin-flip", face)
    assert (face,) == board(table).dice
    assert away == board(table).sides["away"].colour
    assert f"{away} 1" == due(table)


@each("away", ["red", "blue"])
def test_the_managers_may_agree_who_is_away(away: str) -> None:
    """By default the table asks before the first half and accepts either color."""
    table = play(Table(GAME, [deck()]), away)
    home = "Blue" if away == "red" else "Red"
    assert f"{away.capitalize()} team at {home} team: play ball!" == table.play_log_lines()[0].sentence
    assert (away, "away") == (board(table).sides["away"].colour, board(table).batting)
