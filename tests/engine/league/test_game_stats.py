"""Statistics of whole games agree with the events, with each other, and whatever was undone on the way."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.box_score import box_scores
from engine.events import GAME_END_CODES
from engine.games import GAMES
from engine.journal import parse_entry
from engine.league.game_stats import game_stats, replayed_game_stats
from engine.league.stats import BattingStats, GameStats, SideStats, sum_stats
from engine.scoreboard import EventLog
from engine.scorecard.fold import AnswerResult, build_scorecards, current_answers, scorecards
from engine.seats import SEATS, Seat, opposite_seat
from engine.table import Table
from tests import golden
from tests.each import each
from tests.engine.games.clutch.field import at
from tests.engine.games.contract.contract import Contract
from tests.engine.games.contract.games import every_game
from tests.engine.tables import SEEDS, examples, meddle, numbers

# An independent count -----------------------------------------------------------------------------------------------


def counted_games(table: Table) -> Iterator[dict[Seat, Counter[str]]]:
    """Yield what the events of each finished game add up to, for each side at bat."""
    found: dict[Seat, Counter[str]] = {seat: Counter() for seat in SEATS}
    seat: Seat = "away"
    for logged in table.log:
        facts = logged.event.facts
        if facts.get("opens"):
            found = {seat: Counter() for seat in SEATS}
        if logged.event.code == "half-inning":
            seat = facts["seat"]
        turn = "hit" if facts.get("hit") else facts.get("turn", "")
        found[seat].update(
            {
                "plate_appearances": bool(turn),
                "hits": turn == "hit",
                "walks": turn == "walk",
                "strikeouts": turn == "strikeout",
                "sacrifices": turn == "sacrifice",
                "hit_by_pitch": turn == "hit-by-pitch",
                "home_runs": logged.event.code == "home-run",
                "outs": len(facts.get("retired", ())),
                "runs": facts.get("scored", 0),
            }
        )
        if logged.event.code in GAME_END_CODES:
            yield found


def lines_total(side: SideStats) -> BattingStats:
    """Return the sum of the lines of all players."""
    total = BattingStats()
    for line in side.batters.values():
        total = sum_stats(total, line)
    return total


def agrees(table: Table) -> list[GameStats]:
    """Check the statistics of a table against its events, and return them."""
    found = game_stats(table)
    counts = list(counted_games(table))
    assert list(range(1, len(counts) + 1)) == [game.place for game in found]
    for game, count in zip(found, counts, strict=True):
        assert {*SEATS} == {side.seat for side in game.sides.values()}
        assert game.innings == len(game.sides["away"].line) == len(game.sides["home"].line)
        for seat in SEATS:
            side, other = game.sides[seat], game.sides[opposite_seat(seat)]
            total, did = side.total, count[seat]
            assert did["runs"] == total.runs == sum(runs or 0 for runs in side.line)
            sacrifices = total.sacrifice_hits + total.sacrifice_flies
            assert (did["plate_appearances"], did["sacrifices"]) == (total.plate_appearances, sacrifices)
            assert (did["hits"], did["walks"], did["strikeouts"], did["hit_by_pitch"], did["home_runs"]) == (
                total.hits,
                total.walks,
                total.strikeouts,
                total.hit_by_pitch,
                total.home_runs,
            )
            no_at_bats = total.walks + total.hit_by_pitch + sacrifices
            assert total.plate_appearances == total.at_bats + no_at_bats
            assert total.hits >= total.doubles + total.triples + total.home_runs
            if side.batters:
                assert {**asdict(total), "games": 0} == {**asdict(lines_total(side)), "games": 0}
            if side.pitchers:
                pitched = [*side.pitchers.values()]
                against = count[opposite_seat(seat)]
                assert against["outs"] == sum(one.outs for one in pitched)
                assert other.total.plate_appearances == sum(one.batters for one in pitched)
                assert other.total.runs == sum(one.runs for one in pitched)
                assert (other.total.hits, other.total.walks, other.total.strikeouts) == (
                    sum(one.hits for one in pitched),
                    sum(one.walks for one in pitched),
                    sum(one.strikeouts for one in pitched),
                )
                assert all(0 <= one.earned_runs <= one.runs for one in pitched)
    return found


def agrees_at_the_end(table: Table) -> None:
    """The last game has the score, box score and winner of the table; people's names change nothing."""
    found, board, boxes = agrees(table)[-1], table.scoreboard(), box_scores(table.log)
    for seat in SEATS:
        side = found.sides[seat]
        assert (board.sides[seat].runs, board.sides[seat].hits) == (side.runs, side.hits)
        assert asdict(boxes[seat].total).items() <= asdict(side.total).items()
        for name, did in boxes[seat].batters.items():
            assert asdict(did).items() <= asdict(side.batters[name]).items()
    if len(EventLog(table.log).read_new_events().games) < 2:
        assert table.outcome.winner == found.winner
    called = Table(table.game, table.decks, table.house, table.journal, {"away": "Ann", "home": "Bo"})
    assert game_stats(table) == game_stats(called)


# Games --------------------------------------------------------------------------------------------------------------


@every_game()
def test_random_games(contract: Contract) -> None:
    """Statistics are the same after answers were undone, given again and corrected, and in one pass."""

    @examples(contract.few)
    @given(contract.any_house, SEEDS, st.sampled_from(range(len(contract.decks))))
    def plays(house: dict[str, str], seed: int, which: int) -> None:
        table = contract.start(house, which)
        for number in numbers(seed, contract.longest):
            if not meddle(table, number, contract.pick):
                break
        found = agrees(table)
        assert found == game_stats(Table(table.game, table.decks, table.house, table.journal))
        again = Table(table.game, table.decks, table.house)
        assert found == replayed_game_stats(again, current_answers(table))
        assert (table.outcome, len(table.log)) == (again.outcome, len(again.log))
        for one in table.answers[-3:-1]:
            if any(other.n == one.n for other in table.answers):
                given = current_answers(table)
                table.undo(one.n)
                for answer in given[len(table.answers) :]:
                    table.apply_entry(answer)
        assert found == game_stats(table)

    plays()


def finished_games(contract: Contract, seeds: range) -> Iterator[Table]:
    """Yield random games that ended."""
    for seed in seeds:
        houses = contract.ends.houses
        table = contract.start(houses[seed % len(houses)], seed % len(contract.decks))
        if play_to_end(contract, table, seed):
            yield table


def play_to_end(contract: Contract, table: Table, seed: int) -> bool:
    """Give random answers. Return False if the game is too long."""
    return any(not contract.step(table, number) for number in numbers(seed, 6000))


@every_game()
@pytest.mark.parametrize("count", [6, pytest.param(40, marks=pytest.mark.slow)])
def test_finished_games(contract: Contract, count: int) -> None:
    """Scores, box scores and winners are those of the table, and boards that are skipped change no scorecard."""
    ended = 0
    for table in finished_games(contract, range(count)):
        ended += 1
        agrees_at_the_end(table)
        if not EventLog(table.log).read_new_events().games:
            assert build_scorecards(every_board(table), True) == scorecards(table)
    assert ended


def every_board(table: Table) -> Iterator[AnswerResult]:
    """Yield the results of all answers, each with its scoreboard."""
    twin = Table(table.game, table.decks, table.house)
    yield AnswerResult([logged.event for logged in twin.log], twin.scoreboard())
    for answer in current_answers(table):
        if told := twin.apply_entry(answer):
            yield AnswerResult([logged.event for logged in told], twin.scoreboard())


def stored_game(name: str) -> Table:
    """Return a stored game, with its corrections."""
    lines = [json.loads(line) for line in (golden.FOLDER / name).read_text("utf-8").splitlines()]
    table = golden.new(GAMES[lines[0]["header"]["game"]], lines[0]["header"]["house"])
    for line in lines:
        if "entry" in line:
            table.apply_entry(parse_entry(line["entry"]))
    return table


@pytest.mark.parametrize("name", sorted(path.name for path in golden.FOLDER.glob("*.jsonl")))
def test_stored_games(name: str) -> None:
    agrees_at_the_end(stored_game(name))


@each(
    ("name", "expected"),
    [
        ("bottom-of-the-9th.jsonl", [("home", 9, 9, 1)]),
        ("rallybird.jsonl", [("home", 10, 9, 3)]),
        ("small-ball.jsonl", [("home", 12, 9, 9)]),
        ("clutch-series.jsonl", [("home", 9, 9, 9), ("home", 9, 9, 9), ("away", 9, 9, 9)]),
        (
            "seventh-inning-stretch-lost.jsonl",
            [(winner, 9, 9, 3) for winner in ("away", "home", "away", "home", "home", "home")],
        ),
    ],
)
def test_innings_and_winners(name: str, expected: list[tuple[Any, ...]]) -> None:
    """Every game of a series or a season has its winner, by side, and its regulation length."""
    found = game_stats(stored_game(name))
    assert expected == [(one.winner, one.innings, one.regulation, one.half_innings) for one in found]


def test_sides_of_a_series() -> None:
    """The chairs change sides from game to game, and the teams stay in theirs."""
    games = game_stats(stored_game("clutch-series.jsonl"))
    kilns = [game.sides[seat] for game in games for seat in SEATS if game.sides[seat].seat == "home"]
    assert ["Copperhill Kilns"] * 3 == [side.cards for side in kilns]
    assert [2, 5, 5] == [side.runs for side in kilns]
    assert ["away", "home", "away"] == [
        seat for game in games for seat in SEATS if game.sides[seat].cards == "Copperhill Kilns"
    ]


@each(
    ("name", "expected"),
    [
        ("bottom-of-the-9th.jsonl", {""}),
        ("rallybird.jsonl", {""}),
        ("seventh-inning-stretch-duel.jsonl", {""}),
        ("small-ball.jsonl", {"Owls", "Lanterns"}),
        ("clutch.jsonl", {"Saltmarsh Herons", "Copperhill Kilns"}),
    ],
)
def test_teams_on_cards(name: str, expected: set[str]) -> None:
    """A side has the team of its cards, and none where cards have no teams."""
    assert expected == {side.cards for game in game_stats(stored_game(name)) for side in game.sides.values()}


def test_the_opponents_of_a_season() -> None:
    """They are on cards, and the manager's team is not. He has the home seat at home and away."""
    sides = [
        side for game in game_stats(stored_game("seventh-inning-stretch-lost.jsonl")) for side in game.sides.values()
    ]
    assert {"home"} == {side.seat for side in sides if not side.cards}
    assert 6 == len({side.cards for side in sides if side.seat == "away"})


def test_a_game_that_is_not_over_is_left_out() -> None:
    """Of a series, the games before it count. A game that an undo opens again is left out too."""
    table = stored_game("clutch-series.jsonl")
    whole = game_stats(table)
    table.undo(table.answers[-1].n)
    assert whole[:2] == game_stats(table)
    assert [] == game_stats(golden.new(GAMES["clutch"]))


@each(("side", "winner"), [("home", "away"), ("away", "home")])
def test_a_forfeit_is_won_by_the_other_side(side: str, winner: str) -> None:
    """Although it is behind."""
    score = (1, 9) if side == "home" else (9, 1)
    table = at("B5 0o ---", score, position=lambda s: setattr(s, "ended", f"forfeit-{side}"))
    (game,) = game_stats(table)
    assert (winner, 1, 9) == (game.winner, *sorted(one.runs for one in game.sides.values()))


def test_reading_can_be_given_up() -> None:
    def gone() -> None:
        raise TimeoutError

    table = stored_game("small-ball.jsonl")
    with pytest.raises(TimeoutError):
        game_stats(table, gone)
