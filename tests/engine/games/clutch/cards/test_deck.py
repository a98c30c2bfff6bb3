"""The house-made set: two legal teams, every kind of card, and charts that give realistic baseball."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import chain
from statistics import mean

import pytest

from device.storage.decks import house_deck
from engine.cards import cards_in_decks
from engine.games.clutch import GAME
from engine.games.clutch.cards.card_set import build_box, deck_warnings
from engine.games.clutch.cards.card_types import (
    COACH_KINDS,
    MAX_COPIES_BY_RARITY,
    ClutchBatter,
    ClutchPitcher,
    CoachCard,
    Roster,
    StrategyCard,
    WeatherCard,
)
from engine.games.clutch.cards.effects import CardEffect, CardRules
from engine.games.clutch.cards.result_chart import RESULT_CODES, result_chances
from tests.engine.games.clutch import fixture

CARDS = cards_in_decks([house_deck(GAME)])
BOX = build_box(CARDS, GAME.resolve_house_rules({"leagueOnly": "on", "minBullpen": "7"}))
TEAMS = tuple(BOX.rosters.values())
PLAYED: list[StrategyCard | CoachCard | WeatherCard] = [
    *BOX.strategies.values(),
    *BOX.coaches.values(),
    *BOX.weather.values(),
]
PLAYS = [card.play for card in PLAYED]
PLAYS += [play for park in BOX.stadiums.values() for play in (park.main, park.defensive, park.offensive) if play]


def pitchers(team: Roster) -> list[ClutchPitcher]:
    return [BOX.pitchers[name] for name in (*team.rotation, *team.bullpen)]


def batters(team: Roster) -> list[ClutchBatter]:
    return [BOX.batters[name] for name in (*team.fielders.values(), *team.bench)]


def players(team: Roster) -> list[ClutchBatter | ClutchPitcher]:
    return [*batters(team), *pitchers(team)]


@pytest.mark.rule("CL-033", "CL-044", "CL-047", "CL-051", "CL-056")
def test_there_are_exactly_two_legal_teams() -> None:
    """Both follow all rules for a roster of 26, with 80 cards each for 5800 to 6000, and without notes."""
    assert () == deck_warnings(CARDS)
    assert 2 == len(TEAMS)
    for team in TEAMS:
        assert 80 == len(players(team)) + len(team.deck) + len(team.coaches) + 1
        assert 5800 <= sum(player.salary for player in players(team)) <= 6000
        assert {team.name.split()[-1]} == {player.team for player in players(team)}
    placed = Counter(player.name for team in TEAMS for player in players(team))
    assert set(BOX.batters) | set(BOX.pitchers) == set(placed)
    assert {1} == set(placed.values())


def test_both_teams_have_some_of_everything() -> None:
    for team in TEAMS:
        roles = [frozenset(one.innings) for one in pitchers(team)]
        assert [1, 1] == [sum(role in of for of in roles) for role in ("OP", "BP")]
        assert frozenset({"SP", "RP"}) in roles
        assert "S" in {one.hand for one in batters(team)}
        assert 3 <= sum(len(one.gloves) > 1 for one in batters(team))
        assert () in {tuple(one.gloves) for one in batters(team)}
        assert {"AS", "SB", "GG", "HR"} <= {icon for one in players(team) for icon in one.icons}
        assert {"L", "R"} <= {one.hand for one in pitchers(team)}


def test_the_numbers_are_typical() -> None:
    """On-Base 7 to 13, Command 1 to 6, bonuses up to 2, speeds 11 to 25, Clutch -3 to +3, limits by role."""
    assert {7, 13} == span(one.on_base for one in BOX.batters.values())
    assert {1, 6} == span(one.command for one in BOX.pitchers.values())
    everybody: list[ClutchBatter | ClutchPitcher] = [*BOX.batters.values(), *BOX.pitchers.values()]
    assert {0, 2} == span(chain.from_iterable((one.left, one.right) for one in everybody))
    assert {-3, 3} == span(one.clutch for one in everybody)
    assert {11, 25} == span(chain.from_iterable((one.baserunning, one.stealing) for one in BOX.batters.values()))
    limits = {"SP": (5, 7), "BP": (3, 5), "RP": (1, 3), "OP": (1, 2)}
    for one in BOX.pitchers.values():
        assert all(limits[role][0] <= innings <= limits[role][1] for role, innings in one.innings.items())
    assert {1, 2, 3} == {one.x_zone for one in BOX.pitchers.values()}


def span(numbers: Iterator[int]) -> set[int]:
    found = list(numbers)
    return {min(found), max(found)}


@pytest.mark.rule("CL-048", "CL-049", "CL-050")
def test_the_strategy_cards_have_every_color_and_rarity() -> None:
    """Thirty titles: 12 blue, 12 red, 6 gray; 16 common, 10 uncommon, 4 rare; each in a deck within its limit."""
    cards = BOX.strategies.values()
    assert {"offense": 12, "defense": 12, "neutral": 6} == Counter(card.side for card in cards)
    assert {"common": 16, "uncommon": 10, "rare": 4} == Counter(card.rarity for card in cards)
    assert set(BOX.strategies) == {title for team in TEAMS for title in team.deck}
    for team in TEAMS:
        assert 50 == len(team.deck)
        assert all(
            count <= MAX_COPIES_BY_RARITY[BOX.strategies[title].rarity] for title, count in Counter(team.deck).items()
        )


def test_coaches_stadiums_and_weather_offer_a_choice() -> None:
    assert dict.fromkeys(COACH_KINDS, 2) == Counter(one.kind for one in BOX.coaches.values())
    assert (4, 6) == (len(BOX.stadiums), len(BOX.weather))
    away, home = TEAMS
    assert not set(away.coaches) & set(home.coaches)
    assert away.stadium != home.stadium


def effects(play: CardRules) -> Iterator[CardEffect]:
    """Return all effects of a play, including those under a condition."""
    waiting = [*play.do, *play.success, *play.failure]
    while waiting:
        one = waiting.pop()
        yield one
        waiting += [*one.then, *one.otherwise]


def test_the_vocabulary_is_used_widely() -> None:
    """An owner finds examples of most moments, verbs, numbers, costs and durations."""
    verbs = {effect.verb for play in PLAYS for effect in effects(play)}
    assert verbs >= {"mod", "die", "reroll", "change", "try", "mistake", "negate", "forbid", "alter", "ignore"}
    assert verbs >= {"draw", "discard", "look", "recover", "innings", "either"}
    numbers = {effect.what for play in PLAYS for effect in effects(play) if effect.verb == "mod"}
    assert numbers >= {"pitch", "pitch_roll", "swing", "swing_roll", "on_base", "br", "st", "throw", "unit", "draw"}
    moments = {when.window for play in PLAYS for when in play.when}
    assert moments >= {"game", "half", "at-bat", "before-pitch", "pitch-roll", "swing-roll", "chart", "result"}
    assert moments >= {"throw", "after", "end", "card"}
    assert {"discard", "skip"} == {cost.verb for play in PLAYS for cost in play.cost}
    assert {"", "play", "batter", "runner"} == {play.leave for play in PLAYS}
    assert {"at-bat", "half", "play", "game"} == {play.lasts.unit for play in PLAYS}
    assert {"check", "roll"} == {effect.trial.call for play in PLAYS for effect in effects(play) if effect.trial}
    assert {"offense", "defense"} == {card.side for card in BOX.strategies.values() if card.play.clutch}
    assert {"", "momentum", "burst", "impulse"} == {card.special for card in BOX.strategies.values()}
    assert any(play.success for play in PLAYS)
    assert any(play.failure for play in PLAYS)


def at_bat(batter: ClutchBatter, pitcher: ClutchPitcher) -> dict[str, Fraction]:
    """Return the odds of each result of an at-bat without cards: every Pitch Roll, then every Swing."""
    stands = {"R": "L", "L": "R"}[pitcher.hand] if batter.hand == "S" else batter.hand
    on_base = batter.on_base + (batter.left if pitcher.hand == "L" else batter.right)
    command = pitcher.command + (pitcher.left if stands == "L" else pitcher.right)
    none = Fraction(0)
    found = dict.fromkeys(RESULT_CODES, none)
    for face in range(1, 21):
        mistake = face <= pitcher.x_zone
        ahead = face + command > on_base and not mistake
        swings = result_chances(pitcher.chart if ahead else batter.chart, "d24" if mistake else "d20")
        found = {result: chance + swings.get(result, none) / 20 for result, chance in found.items()}
    return found


def test_an_at_bat_of_the_ledgers_players_by_arithmetic() -> None:
    """Bx against Px: of 20 Pitch Rolls one is a Mistake Pitch, six more give the batter the Advantage, 13 do not."""
    made = fixture.box()
    found = at_bat(made.batters["Bx"], made.pitchers["Px"])
    assert 1 == sum(found.values())
    assert Fraction(5, 24 * 20) + Fraction(6, 20 * 20) == found["HR"]
    assert Fraction(2, 24 * 20) + Fraction(6 * 2, 20 * 20) + Fraction(13 * 5, 20 * 20) == found["SO"]


@pytest.mark.parametrize("team", TEAMS, ids=lambda team: team.name)
def test_the_charts_give_realistic_baseball(team: Roster) -> None:
    """Nine batters against all opposing starters: a fifth strike out, a twelfth walk, and they hit about .260."""
    (other,) = (one for one in TEAMS if one is not team)
    pairs = [(BOX.batters[name], BOX.pitchers[arm]) for name in team.order for arm in other.rotation]
    each = [at_bat(batter, pitcher) for batter, pitcher in pairs]
    share = {result: float(mean(one[result] for one in each)) for result in RESULT_CODES}
    hits = sum(share[code] for code in ("1B", "2B", "3B", "HR"))
    assert 0.19 < share["SO"] < 0.24
    assert 0.07 < share["BB"] < 0.10
    assert 0.245 < hits / (1 - share["BB"]) < 0.275
    assert 0.025 < share["HR"] < 0.045
    assert 0.19 < share["GB"] < 0.25


def test_better_batters_cost_more() -> None:
    grades = sorted({one.on_base for one in BOX.batters.values()})
    means = [mean(one.salary for one in BOX.batters.values() if one.on_base == grade) for grade in grades]
    assert sorted(means) == means
