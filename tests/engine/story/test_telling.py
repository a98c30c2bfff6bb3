"""What stories say is true: every figure in them is computed again from the play log."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

import pytest

from engine.announcer.situation import SPOKEN_NUMBERS, SPOKEN_ORDINALS
from engine.innings import Half, Outcome
from engine.scoreboard import PlayLogLine
from engine.seats import SEATS, Seat
from engine.story.course import game_course
from engine.story.headline import game_headline
from engine.story.telling import result_sentence, scoring_sentences, tell_story
from engine.story_views import GameStory
from engine.table import Table
from engine.text.numbers import chance_text
from tests.each import each
from tests.engine.games.clutch.field import at
from tests.engine.games.contract.contract import Contract
from tests.engine.games.contract.games import CONTRACTS, every_game
from tests.engine.story.told_games import Played, random_games, stored_games

Place = tuple[int, Half]

SINGULAR = "wins|beats|takes|scores|trails|has|gets|leads|walks|routs"
PLURAL = "win|beat|take|score|trail|have|get|lead|walk|rout"
"""Verbs of the recap, in the singular and in the plural."""


@dataclass(frozen=True)
class Told:
    """A game that is over, with what its story may say, computed from the lines of the play log."""

    table: Table
    story: GameStory
    lines: list[PlayLogLine]
    winner: Seat
    loser: Seat
    final: dict[Seat, int]
    start: dict[Seat, int]

    @property
    def text(self) -> str:
        """Return headline and recap."""
        return " ".join([self.story.headline + ".", *self.story.recap])

    def scores(self) -> Iterator[tuple[Place, Seat, dict[Seat, int]]]:
        """Yield each time runs scored: the half-inning, the side and the score after it."""
        now = dict(self.start)
        for line in self.lines:
            if line.scored and line.seat:
                now[line.seat] += line.scored
                yield (line.inning, line.half), line.seat, dict(now)

    def leads(self, seat: Seat) -> list[int]:
        """Return by how much a side led at the start and after each score."""
        other: Seat = "home" if seat == "away" else "away"
        return [now[seat] - now[other] for now in [self.start, *(score for _, _, score in self.scores())]]

    def runs_in(self, place: Place) -> int:
        """Return the runs of a half-inning."""
        return sum(line.scored for line in self.lines if (line.inning, line.half) == place)


def told(played: Played) -> Told:
    """Tell a game that is over."""
    table, trace = played
    lines = [line for line in table.play_log_lines() if line.game == table.play_log_lines()[-1].game]
    last = max(place for place, line in enumerate(lines) if line.code in ("game-over", "game-won"))
    lines = lines[: last + 1]
    final: dict[Seat, int] = {seat: table.scoreboard().sides[seat].runs for seat in SEATS}
    scored = {seat: sum(line.scored for line in lines if line.seat == seat) for seat in SEATS}
    winner: Seat = "home" if final["home"] > final["away"] else "away"
    start = {seat: final[seat] - scored[seat] for seat in SEATS}
    return Told(table, tell_story(table, trace), lines, winner, "away" if winner == "home" else "home", final, start)


def number(word: str) -> int:
    """Return the number of a word, or of digits."""
    return int(word) if word.isdigit() else SPOKEN_NUMBERS.index(word)


def place(half: str, ordinal: str) -> Place:
    """Return a half-inning from its words."""
    assert half in ("top", "bottom")
    return int(ordinal[:-2]) if ordinal[0].isdigit() else SPOKEN_ORDINALS.index(
        ordinal
    ), "top" if half == "top" else "bottom"


def check_score(game: Told) -> None:
    """The final score is in headline and recap, unless the game is half an inning."""
    half = sum(line.code == "half-inning" for line in game.lines) == 1
    score = f"{max(game.final.values())} to {min(game.final.values())}"
    assert half != (score in game.story.headline)
    assert half != (score in game.story.recap[0])
    if half:
        assert not re.search(r"\d to \d", game.text)


def check_ending(game: Told) -> None:
    """It says walk-off if and only if home took the lead with the last play of a bottom half."""
    said = bool(re.search("walks? off|last play of|on the last play|ends it: | wins the ninth|winning run", game.text))
    scores = list(game.scores())
    leads = game.leads("home")
    took = len(leads) > 1 and leads[-1] > 0 >= leads[-2]
    at, _, _ = scores[-1] if scores else ((0, "top"), None, None)
    line = next((line for line in reversed(game.lines) if line.scored), game.lines[0])
    outs = [one.event for one in game.table.log if one.n > line.n and "turn" in one.event.facts]
    ended = took and at == (game.lines[-1].inning, "bottom") and not outs
    assert said == (ended and game.winner == "home"), game.story.headline


def check_headline(game: Told) -> None:
    """Each kind of headline needs its reason."""
    headline, leads = game.story.headline, game.leads(game.winner)
    margin = abs(game.final["home"] - game.final["away"])
    inning, regulation = game.lines[-1].inning, game.table.scoreboard().regulation
    if re.search("shuts? out|blanks?", headline):
        assert 0 == min(game.final.values())
    if re.search("routs?|rolls? over", headline):
        assert margin >= 7
    if re.search("edges?|slips? past", headline):
        assert 1 == margin
    if re.search("outlasts?|extra innings", headline):
        assert inning > regulation
    if re.search("never trail|stays? in front", headline):
        assert min(leads[1:]) > 0
    if re.search("ahead late|Late lead", headline):
        behind = max(at for at, lead in enumerate(leads) if lead <= 0)
        assert list(game.scores())[behind][0][0] >= regulation - (regulation >= 9)
    if found := re.search(r"from (\w+) runs (?:down|behind)", headline):
        assert max(3, -min(leads)) == number(found[1])


def check_scoring(game: Told) -> None:
    """First runs, last lead, deficit and changes of the lead are those of the play log."""
    scores, leads = list(game.scores()), game.leads(game.winner)
    if found := re.search(r"first, with (\w+) runs? in the (\w+) of the (\w+)\.", game.text):
        assert scores[0][0] == place(found[2], found[3])
        assert game.runs_in(scores[0][0]) == number(found[1])
    if found := re.search(r"the lead with (\w+) runs? in the (\w+) of the (\w+) and keeps? it", game.text):
        assert scores[0][0] == place(found[2], found[3])
        assert game.runs_in(scores[0][0]) == number(found[1])
        assert min(leads[1:]) > 0 >= leads[0]
    if found := re.search(r"lead for good in the (\w+) of the (\w+), (\d+) to (\d+)", game.text):
        behind = max(at for at, lead in enumerate(leads) if lead <= 0)
        where, seat, score = scores[behind]
        assert (where, seat) == (place(found[1], found[2]), game.winner)
        assert (score[game.winner], score[game.loser]) == (int(found[3]), int(found[4]))
    if found := re.search(r"trails? by (\w+) runs? in the (\w+) of the (\w+), (\d+) to (\d+)", game.text):
        assert -min(leads) == number(found[1]) == int(found[4]) - int(found[5])
        assert scores[leads.index(min(leads)) - 1][0] == place(found[2], found[3])
    if found := re.search(r"Nobody scores before the (\w+) of the (\w+)", game.text):
        assert scores[0][0] == place(found[1], found[2])
    if found := re.search(r"lead changes hands (twice|(\w+) times)", game.text):
        signs = [lead > 0 for lead in game.leads("home") if lead]
        changes = sum(one != other for one, other in pairwise(signs))
        assert changes == (2 if found[1] == "twice" else number(found[2]))
    if found := re.search(r"begins? with a lead of (\w+) run", game.text):
        assert max(game.start.values()) == number(found[1])


def check_hits(game: Told) -> None:
    """Hits are those of the line score."""
    hits = {seat: game.table.scoreboard().sides[seat].hits for seat in SEATS}
    if found := re.search(r"outhits? .*?, (\d+) to (\d+)\.", game.story.recap[0]):
        assert (int(found[1]), int(found[2])) == (hits[game.winner], hits[game.loser])
    if found := re.search(r"more hits, (\d+) to (\d+)\.", game.story.recap[0]):
        assert (int(found[1]), int(found[2])) == (hits[game.loser], hits[game.winner])
    if found := re.search(r"Both sides have (\w+) hit", game.story.recap[0]):
        assert hits["home"] == hits["away"] == number(found[1])


def check_form(game: Told) -> None:
    """A headline has no period; a recap has three to six sentences; names and verbs agree."""
    assert re.search(r"[\w’']$", game.story.headline)
    assert len(game.story.headline) <= 120
    assert 3 <= len(game.story.recap) <= 6, game.story.recap
    assert all(re.search(r"^\S.*[.!?]$", sentence) for sentence in game.story.recap)
    assert not re.search(r"None|  |[{}]", game.text)
    for name, wrong in (("The Night Owls|Marsh Men|Visitors|Owls", SINGULAR), ("Leo|James|Home|Your team", PLURAL)):
        assert not re.search(rf"(?:^|[.:,] )(?:{name}) (?:{wrong})\b", game.text), game.text


def check_swings(game: Told, values: Iterable[float]) -> None:
    """The chances in a recap are those of its turning points, which are values of the trace."""
    known = {round(one, 9) for value in values for one in (value, 1 - value)} | {0.0, 1.0}
    for swing in game.story.turning_points:
        assert {round(swing.before, 9), round(swing.after, 9)} <= known
    said = re.findall(r"goes from (\S+) to (\S+) for", game.text)
    chances = [(chance_text(one.before), chance_text(one.after)) for one in game.story.turning_points]
    assert all(one in chances for one in said)


@every_game()
@pytest.mark.parametrize("count", [12, pytest.param(60, marks=pytest.mark.slow)])
def test_stories_are_true(contract: Contract, count: int) -> None:
    """Whatever a headline and a recap say is so in the play log, with and without win probabilities."""
    for table, trace in [*random_games(contract, count), *stored_games(contract)]:
        if isinstance(table.outcome, Outcome) and table.outcome.reason == "forfeit":
            continue
        for known in (trace, {}):
            game = told((table, known))
            check_score(game)
            check_ending(game)
            check_headline(game)
            check_scoring(game)
            check_hits(game)
            check_form(game)
            check_swings(game, known.values())


@every_game()
def test_a_game_that_is_not_over_is_told_so_far(contract: Contract) -> None:
    """At any moment of a game there is a story, which says that the game is not over and names no star."""
    table, trace = next(random_games(contract, 3))
    for n in sorted(trace)[1 :: max(1, len(trace) // 20)]:
        if any(one.n == n for one in table.answers):
            twin = table.clone()
            twin.undo(n)
            story = tell_story(twin, {at: value for at, value in trace.items() if at < n})
            assert "The game has not begun" == story.headline or story.recap
            if twin.play_log_lines() and story.recap and "not over" in story.recap[0]:
                assert "star of the game" not in " ".join(story.recap)


def test_the_same_game_is_told_in_the_same_words() -> None:
    """A story depends on the game alone, and different games have different ones."""
    games = list(random_games(CONTRACTS["small-ball"], 12))
    assert [tell_story(*one) for one in games] == [tell_story(*one) for one in games]
    kinds = {re.sub(r"[A-Z]\w+(?: [A-Z]?\w+)?|\d+", "", tell_story(*one).headline) for one in games}
    assert len(kinds) > 3


def test_runs_are_told_where_the_play_does_not_say_them() -> None:
    """RallyBird's home run says nothing of the runners who come home on it."""
    for table, trace in stored_games(CONTRACTS["rallybird"]):
        assert "The batter hits a home run! Four runs score. It ends the game" in " ".join(
            tell_story(table, trace).recap
        )


@each(("side", "winner", "loser"), [("home", "Away", "Home"), ("away", "Home", "Away")])
def test_a_forfeit_is_told_as_one(side: str, winner: str, loser: str) -> None:
    """It says who forfeits, and never that the side that was behind has won by the score."""
    score = (1, 9) if side == "home" else (9, 1)
    table = at("B5 0o ---", score, position=lambda s: setattr(s, "ended", f"forfeit-{side}"))
    story = tell_story(table, {-1: 0.5})
    assert f"{winner} wins by forfeit" == story.headline
    assert f"{loser} forfeits in the bottom of the fifth." == story.recap[0]
    assert not re.search(r"walks? off|lead for good|\d to \d|None", " ".join(story.recap))


def test_a_tie_is_told_as_one() -> None:
    """No rulebook here ends in one, but a game may."""
    table, _ = next(stored_games(CONTRACTS["small-ball"]))
    course = replace(game_course(table), score={"away": 4, "home": 4}, winner=None)
    assert re.fullmatch("(.+) and (.+) tie, 4 to 4", game_headline(course))
    assert result_sentence(course) == game_headline(course) + "."
    assert all(" wins " not in sentence and "for good" not in sentence for sentence in scoring_sentences(course))


def test_a_season_names_the_opponent_of_its_last_game() -> None:
    """Its board does not, once it is over."""
    for table, trace in stored_games(CONTRACTS["seventh-inning-stretch"]):
        story = tell_story(table, trace)
        if len(table.log.games) > 1:
            (opponent,) = {*story.names.values()} - {"Your team"}
            assert opponent not in ("Opponent", "Visitors", "Home")
