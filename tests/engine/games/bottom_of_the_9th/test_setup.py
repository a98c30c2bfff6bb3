"""The box and setup: BN-003 to BN-031."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest

from device.storage.decks import house_deck
from engine.cards import parse_deck
from engine.errors import DeckError, IllegalAnswer, InvalidAnswer, WrongSeat
from engine.games.bottom_of_the_9th import GAME
from engine.games.bottom_of_the_9th.cards import CARD_SHAPES, PITCH_CODES, can_play_together
from engine.journal import parse_entry
from engine.seats import SEATS
from engine.table import Table
from engine.views import json_data
from tests.each import each
from tests.engine.games.bottom_of_the_9th.fixture import (
    SIX,
    at,
    count,
    deck,
    dice,
    lineup,
    new,
    ready,
    rows,
    stand,
    stare,
    throw,
    true,
)
from tests.engine.tables import asked, board, offered, panel, play, ruled


def roster(*positions: str | Sequence[str]) -> Table:
    """Return a game with a batter for each of these marks, numbered in order; the first six picks are asked for."""
    head = '[deck]\ngame = "bottom-of-the-9th"\ntitle = "R"\n'
    cards = [
        f'[[batter]]\nname = "b{i}"\npositions = {[marks] if isinstance(marks, str) else list(marks)}\n'
        for i, marks in enumerate(positions, 1)
    ]
    arms = [f'[[pitcher]]\nname = "p{i}"\nrole = "either"\nace = "inside-low"\n' for i in (1, 2)]
    return play(Table(GAME, [parse_deck(head + "".join(cards + arms), "r.toml", GAME.key, CARD_SHAPES)]), "pick")


def legal(*positions: str) -> bool:
    """Return True if six of these marks are a line-up: every pick is offered, and not only the first ones."""
    spare = ("C", "1B", "2B", "3B", "SS", "LF", "CF", "RF")
    table = roster(*positions, *spare)
    for i in range(1, 6):
        play(table, f"b{i}")
    return "b6" in offered(table)


@pytest.mark.rule("BN-003")
def test_two_people_sit_at_the_table() -> None:
    """Both seats are asked, and nobody else can answer; there is no solo game."""
    table = new()
    assert SEATS == tuple(board(table).sides)
    with pytest.raises(InvalidAnswer, match="away or home"):
        parse_entry({"seat": "umpire", "n": 0, "value": "pick"})
    with pytest.raises(WrongSeat):
        table.answer_ask("away", 0, "pick")
    assert {"away", "home"} == {ask.seat for _, ask in ready().open_asks()}
    assert ("off",) == next(rule.values for rule in GAME.house_rules if rule.key == "solo")


@pytest.mark.rule("BN-004")
def test_the_half_inning_begins_even() -> None:
    now = board(ready())
    assert (9, "bottom", "home", 0, (None, None, None)) == (now.inning, now.half, now.batting, now.outs, now.bases)
    assert [0, 0] == [now.sides[seat].runs for seat in SEATS]
    assert (None,) * 8 + (0,) == now.sides["home"].line
    assert {(9, "bottom")} == {(line.inning, line.half) for line in ready().play_log_lines()}


@pytest.mark.rule("BN-005")
def test_the_box() -> None:
    """Twenty cards; two white dice and a red one; four runners; room for three balls, two strikes and three outs."""
    kinds = Counter(card.kind for card in house_deck(GAME).cards)
    assert ({"batter": 13, "pitcher": 7}, 20) == (dict(kinds), kinds.total())
    table = stare(ready())
    assert [("d6", "white", "away"), ("pitch", "white", "away")] == dice(table)
    play(table, [3, "B"])
    assert [("d6", "red", "home")] == dice(table)
    full = at("123", outs=2, count="3-2")
    assert (0, ("123", 2), "3-2") == (panel(full, "waiting"), stand(full), count(full))
    assert (3, ("", 0)) == (panel(ready(), "waiting"), stand(ready()))


@pytest.mark.rule("BN-006")
def test_there_are_no_manager_challenges() -> None:
    """The two-player game has no such card and no such question; a deck with one is refused."""
    assert {"batter", "pitcher"} == set(GAME.shapes)
    assert not any("challenge" in code for code in GAME.words.asks)
    with pytest.raises(DeckError, match="no such kind of card"):
        parse_deck(deck().source + '[[challenge]]\ntitle = "x"\n', "f.toml", GAME.key, CARD_SHAPES)


@pytest.mark.rule("BN-007")
def test_the_red_die_belongs_to_the_batter() -> None:
    """The pitching seat cannot answer for the swing; the die asked for is red and home's."""
    table = play(stare(ready()), [3, "B"])
    with pytest.raises(WrongSeat):
        table.answer_ask("away", table.open_asks()[0][0], 3)
    assert [("d6", "red", "home")] == dice(table)


@pytest.mark.rule("BN-008")
def test_the_white_dice_belong_to_the_pitcher() -> None:
    table = stare(ready())
    with pytest.raises(WrongSeat):
        table.answer_ask("home", table.open_asks()[0][0], [3, "B"])


@pytest.mark.rule("BN-009")
def test_roles_never_swap() -> None:
    """In every round home guesses and swings, and away calls and throws, whatever happened before."""
    table = ready()
    for letter in "BSCBBSS":
        if "relief" in asked(table):
            play(table, "none")
        assert {"home": "guess", "away": "pitch-call"} == {ask.seat: ask.why for _, ask in table.open_asks()}
        stare(table)
        for why, seat in (("pitch", "away"), ("swing", "home")):
            ((n, ask),) = table.open_asks()
            assert (why, seat) == (ask.why, ask.seat)
            table.answer_ask(ask.seat, n, [4, letter] if why == "pitch" else 2)
        assert "home" == board(table).batting


@pytest.mark.rule("BN-010")
def test_home_plate_points_toward_home() -> None:
    for seat in (*SEATS, None):
        assert "home" == json_data(ready().view_for(seat))["scoreboard"]["panel"]["plate"]


@pytest.mark.rule("BN-011")
def test_home_picks_exactly_six() -> None:
    """Six picks are asked for, no fewer and no more; a ready-made line-up is six at once."""
    table = play(new(), "pick")
    for place, name in enumerate(SIX, 1):
        assert (f"bat-{place}",) == asked(table)
        play(table, name)
    assert ("starter",) == asked(table)
    assert list(SIX) == lineup(table)
    assert list(SIX) == lineup(ready())


@pytest.mark.rule("BN-012")
def test_a_pitcher_cannot_bat() -> None:
    table = play(new(), "pick")
    with pytest.raises(IllegalAnswer):
        play(table, "F-PIT")
    assert all(card.kind == "batter" for card in deck().cards if card.fields["name"] in offered(table))


@pytest.mark.rule("BN-013")
def test_no_two_batters_share_a_position() -> None:
    table = play(roster("SS", "SS", "C", "1B", "2B", "3B", "LF"), "b1")
    assert ("b3", "b4", "b5", "b6", "b7") == offered(table)
    with pytest.raises(IllegalAnswer):
        play(table, "b2")


@pytest.mark.parametrize(
    ("marks", "can"),
    [
        *ruled("BN-014", ("C 1B 2B 3B LF IF", True), ("C 1B 2B 3B SS IF", False)),
        *ruled("BN-015", ("C 1B 2B LF CF OF", True), ("C 1B LF CF RF OF", False)),
        *ruled("BN-016", ("C 1B 2B 3B SS UT", True), ("1B 2B LF CF RF UT", True), ("UT UT UT UT UT UT", True)),
        # Four in the infield and two in the outfield are allowed; five cannot share four places.
        *ruled("BN-017", ("IF IF IF IF UT OF", True), ("1B 2B 3B SS UT IF", False)),
    ],
)
def test_six_batters_need_six_positions(marks: str, can: bool) -> None:
    assert can == legal(*marks.split())


@pytest.mark.rule("BN-016")
def test_a_utility_player_cannot_catch() -> None:
    """Of eight batters who are all in the field, at most seven find a place, and a catcher is still accepted."""
    standing = true(roster(*["UT"] * 8, "C")).cards.batters
    house = GAME.resolve_house_rules({})
    assert [True, False, True] == [
        can_play_together(group, house) for group in (standing[:7], standing[:8], standing[2:])
    ]


def test_a_deck_without_six_positions_is_refused() -> None:
    with pytest.raises(DeckError, match=r"r\.toml, batters, positions: six must be able to stand at six"):
        roster("1B", "2B", "3B", "SS", "IF", "IF", "C")


def test_a_batter_with_two_positions_makes_room() -> None:
    """He goes where the other is needed; six who fit together are found if there are any."""
    assert legal("UT", "IF", "3B", "2B", "1B", "SS") is False
    table = roster(["C", "1B"], "C", "2B", "3B", "SS", "LF")
    for i in range(1, 7):
        assert f"b{i}" in offered(table)
        play(table, f"b{i}")
    assert ("starter",) == asked(table)


@pytest.mark.rule("BN-018")
def test_home_sets_the_order() -> None:
    table = play(new(), "pick", *reversed(SIX), "F-PIT", "F-REL")
    assert list(reversed(SIX)) == lineup(table)
    assert SIX[-1] == board(table).batter
    for letter in "SSS":
        throw(table, letter, 4, 1)
    assert SIX[-2] == board(play(table, "none")).batter


@pytest.mark.rule("BN-019", "BN-020", "BN-021", "BN-027", "BN-028", "BN-030", "BN-031")
def test_a_game_begins_with_a_clean_count() -> None:
    """Every pitch can be called and guessed, and then two dice are asked for."""
    table, now = ready(), board(ready())
    assert (SIX[0], SIX[1], "0-0", ("", 0)) == (now.batter, now.on_deck, count(table), stand(table))
    assert ("F-PIT", "F-REL", 3) == (now.pitcher, panel(table, "reliever"), panel(table, "waiting"))
    assert ((0, 0), 0) == (rows(table), now.fatigue)
    assert (4, PITCH_CODES, PITCH_CODES) == (len(PITCH_CODES), offered(table, "home"), offered(table, "away"))
    assert 2 == len(dice(stare(table)))


@pytest.mark.rule("BN-022")
def test_away_picks_a_starter_and_a_reliever() -> None:
    """One of each is asked for before the game begins, and no game starts without both."""
    table = play(new(), "ready-made", "F-PIT")
    assert ("reliever",) == asked(table)
    play(table, "F-REL")
    assert ("F-PIT", "F-REL") == (board(table).pitcher, panel(table, "reliever"))
    assert {"guess", "pitch-call"} == set(asked(table))
    short = deck().source.split("[[pitcher]]")[0]
    alone = short + '[[pitcher]]\nname = "x"\nrole = "either"\nace = "inside-low"\n'
    for text in (short, alone):
        with pytest.raises(DeckError, match="needs a starter and a reliever"):
            Table(GAME, [parse_deck(text, "f.toml", GAME.key, CARD_SHAPES)])


@pytest.mark.rule("BN-023")
def test_an_unmarked_pitcher_can_do_both() -> None:
    assert "F-ANY" == board(ready(starter="F-ANY")).pitcher
    assert "F-ANY" == panel(ready(reliever="F-ANY"), "reliever")


@pytest.mark.rule("BN-024")
def test_a_marked_pitcher_has_one_role() -> None:
    table = play(new(), "ready-made")
    with pytest.raises(IllegalAnswer):
        play(table, "F-REL")
    play(table, "F-MILD")
    with pytest.raises(IllegalAnswer):
        play(table, "F-PIT")


@pytest.mark.rule("BN-025")
def test_starter_and_reliever_differ() -> None:
    """The starter cannot relieve too, and the only possible reliever cannot start."""
    table = play(new(), "ready-made", "F-ANY")
    assert "F-ANY" not in offered(table)
    with pytest.raises(IllegalAnswer):
        play(table, "F-ANY")
    head = deck().source.split("[[pitcher]]")[0]
    arms = "".join(
        f'[[pitcher]]\nname = "{name}"\nrole = "{role}"\nace = "inside-low"\n'
        for name, role in (("s", "starter"), ("e", "either"))
    )
    table = play(Table(GAME, [parse_deck(head + arms, "f.toml", GAME.key, CARD_SHAPES)]), "ready-made")
    assert ("s",) == offered(table)


@pytest.mark.rule("BN-026")
def test_everybody_can_read_the_starters_card() -> None:
    """Both seats and spectators see his ace and abilities on the scoreboard."""
    for seat in (*SEATS, None):
        shown = json_data(ready().view_for(seat))["scoreboard"]["panel"]
        assert ["inside", "high"] == shown["fatigue"]["ace"]
        card = shown["cards"]["away"]
        assert {"direction": ["control +1"], "location": ["swing -1"], "ace": ["S as C"]} == card["abilities"]
        assert "F-PIT" == card["name"]


@pytest.mark.rule("BN-029")
@each(("starter", "ace"), [("F-PIT", ("inside", "high")), ("F-ANY", ("inside", "low"))])
def test_the_tokens_show_the_starters_ace(starter: str, ace: tuple[str, str]) -> None:
    assert ace == panel(ready(starter=starter), "fatigue")["ace"]
