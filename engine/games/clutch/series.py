"""Setup (rosters, home team, starters, lineups, hands), end of a game, and the series (3.2, 4.4)."""

from __future__ import annotations

from engine.asks import Draw, Play, choose, roll
from engine.diamond import EMPTY_BASES
from engine.dice import Die
from engine.games.clutch.pitching import rest
from engine.games.clutch.pitching.rest import PitcherRest
from engine.games.clutch.squad import ClutchSquad
from engine.games.clutch.state import REGULATION_INNINGS, ClutchAtBat, State
from engine.games.clutch.strategy_cards import hands
from engine.games.clutch.strategy_cards.windows import open_window
from engine.games.clutch.substitutions import lineup
from engine.innings import InningClock, Outcome
from engine.seats import SEATS, Seat, opposite_seat, replace_for_seat
from engine.text.agreement import name_with_verb

CHAIR_NAMES: dict[Seat, str] = {"away": "Visitors", "home": "Home"}  # Default names of the chairs.

D20 = Die("d20")


def choose_rosters(s: State) -> Play:
    names = tuple(s.box.rosters)
    first = yield from choose("away", "roster", names, chair=s.seat_name("away", CHAIR_NAMES["away"]))
    left = tuple(name for name in names if name != first)
    host = s.seat_name("home", CHAIR_NAMES["home"])
    second = left[0] if len(left) == 1 else (yield from choose("home", "roster", left, chair=host))
    s.rosters = (first, second)
    s.rests = (owed_rest_by_pitcher(s, first), owed_rest_by_pitcher(s, second))
    s.emit("rosters", away=first, home=second, **s.name_facts)
    s.phase = "home"


def owed_rest_by_pitcher(s: State, roster: str) -> dict[str, PitcherRest]:
    """Return the games of rest that a roster's pitchers owe from earlier games. The basic game has none."""
    if s.basic:
        return {}
    return {name: PitcherRest(owes) for name, owes in s.box.rosters[roster].rest.items()}


def roll_for_home(s: State) -> Play:
    """Roll for the home team. In a series it plays games 1, 3, 5 and 7 at home (CL-058, CL-059, AM-15)."""
    while True:
        faces: dict[Seat, int] = {}
        for chair, roster in zip(SEATS, s.rosters, strict=True):
            faces[chair] = yield from roll(chair, "home-roll", D20, team=roster)
        s.dice = (faces["away"], faces["home"])
        if faces["away"] != faces["home"]:
            break
        s.emit("home-tie", face=faces["home"])
    s.first = "away" if faces["away"] > faces["home"] else "home"
    s.emit("home-team", team=s.rosters[SEATS.index(s.first)], faces=list(faces.values()))
    s.phase = "new-game"


def begin_new_game(s: State) -> Play:
    """Begin a game of the series with full decks and an empty scoreboard (CL-059, CL-061)."""
    s.home = s.first if s.game % 2 else opposite_seat(s.first)
    chairs = (s.away_chair, s.home)
    squads = []
    for chair in chairs:
        roster = s.box.rosters[s.rosters[SEATS.index(chair)]]
        deck = roster.deck or ((*s.box.strategies,) if not s.dealt else ())
        deck, coaches = (deck, roster.coaches) if s.full else ((), ())
        squads.append(ClutchSquad(roster, bench=roster.bench, bullpen=roster.bullpen, deck=deck, coaches=coaches))
    s.squads = (squads[0], squads[1])
    s.arms, s.lines, s.errors = ({}, {}), ({}, {}), (0, 0)
    s.stadium = s.squad("home").roster.stadium if s.full else ""
    s.clock, s.score, s.begun, s.outs, s.bases, s.runs = (
        InningClock(int(s.house["startInning"])),
        (0, 0),
        False,
        0,
        EMPTY_BASES,
        0,
    )
    s.turns, s.last, s.walked, s.number, s.uses = (), (), 0, 0, ()
    s.at, s.throw, s.standing, s.kept, s.pending, s.ended = ClutchAtBat(), None, (), (), (), ""
    s.muted = frozenset()
    s.emit("new-game", opens=True, game=s.game, away=s.team_name("away"), home=s.team_name("home"))
    if s.full and s.house["weather"] == "on" and s.box.weather:
        s.weather = yield Draw(
            "home", "weather", tuple(s.box.weather), {"away": s.team_name("away"), "home": s.team_name("home")}
        )
        s.emit("weather", weather=s.weather)
    if s.house["starter"] == "d20" and not all(s.rotations):
        for side in SEATS:
            yield from lineup.arrange_rotation(s, side)
    s.phase = "starters"


def name_starters(s: State) -> Play:
    """Name the starting pitchers (CL-065 to CL-069)."""
    for side in SEATS:
        yield from lineup.name_starter(s, side)
    s.phase = "line-ups"


def set_lineups(s: State) -> Play:
    """Set both lineups (CL-082)."""
    for side in SEATS:
        yield from lineup.set_lineup(s, side)
    s.phase = "hands" if s.full else "play"


def deal_opening_hands(s: State) -> Play:
    """Draw the opening hands (CL-070)."""
    yield from hands.deal_hands(s)
    yield from open_window(s, "game")
    s.phase = "play"


def record_game(s: State) -> Play:
    """Record a finished game and the rest its pitchers owe, then start the next game or end the series (4.4)."""
    yield from ()
    winner = game_winner(s)
    chair = s.chair(winner)
    s.won = replace_for_seat(s.won, chair, s.won[SEATS.index(chair)] + 1)
    forfeit = s.ended.startswith("forfeit")
    away, home = s.score
    s.emit(
        "game-over",
        seat=winner,
        team=s.team_name(winner),
        high=max(away, home),
        low=min(away, home),
        how=s.ended,
        forfeit=forfeit,
    )
    for side in SEATS:
        seat = s.chair(side)
        roster = s.squad(side).roster
        names = tuple(dict.fromkeys((*roster.rotation, *roster.bullpen)))
        arms = s.arms[SEATS.index(side)]
        s.rests = replace_for_seat(
            s.rests, seat, rest.rests_for_next_game(names, s.rests[SEATS.index(seat)], arms, s.house)
        )
    most, games = max(s.won), int(s.house["series"])
    if most * 2 <= games and sum(s.won) < games:
        s.game += 1
        s.phase, s.ended = "new-game", ""
        return
    end_series(s, winner)


def game_winner(s: State) -> Seat:
    """Return the side that won the current game (CL-132, CL-148 to CL-153)."""
    if s.ended.startswith("forfeit"):
        return "home" if s.ended == "forfeit-away" else "away"
    return "home" if s.score[1] > s.score[0] else "away"


def end_series(s: State, side: Seat) -> None:
    away, home = s.score
    if s.house["series"] == "1":
        reason = "extra-innings" if s.clock.inning > REGULATION_INNINGS else "nine-innings"
        sentence = f"{name_with_verb(s.team_name(side), 'wins/win')} {max(away, home)} to {min(away, home)}."
        if s.ended.startswith("forfeit"):
            reason, sentence = "forfeit", f"{name_with_verb(s.team_name(side), 'wins/win')} by forfeit."
        s.outcome = Outcome(side, reason, sentence)
        return
    high, low = max(s.won), min(s.won)
    if high == low:
        s.outcome = Outcome(None, "series", f"The series is split, {high} to {low}.")
        s.emit("series-over", sentence=s.outcome.sentence)
        return
    chair = SEATS[s.won.index(high)]
    wins = name_with_verb(s.seat_name(chair, s.rosters[SEATS.index(chair)]), "wins/win")
    winner: Seat = "home" if chair == s.home else "away"
    s.outcome = Outcome(winner, "series", f"{wins} the series {high} to {low}.")
    s.emit("series-over", sentence=s.outcome.sentence)
