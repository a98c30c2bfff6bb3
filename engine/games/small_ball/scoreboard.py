"""Scoreboard of Small Ball, as every display shows it."""

from __future__ import annotations

from collections.abc import Sequence

from engine.events import LoggedEvent
from engine.games.small_ball.state import PINCH_OPTIONS, State
from engine.scoreboard import Scoreboard, SideScore, line_score
from engine.seats import SEATS

SHORT_CODES = {"line-double-play": "DP", "strike-double-play": "DP", "sacrifice": "SAC"}
"""Short codes of results that no card has."""


def build_scoreboard(s: State, log: Sequence[LoggedEvent]) -> Scoreboard:
    """Build the scoreboard. `marker` returns to 1 in the eleventh inning, as the stone does (SB-102).

    In the panel, `next` has the number of each team's next batter, and `card` the result code of each face of the die,
    during a roll as it is rolled, otherwise as on the batter's card. The rest is as in `State`.
    """
    fold = line_score(log)
    colours = s.sides or ("red", "blue")
    sides = {
        seat: SideScore(s.seat_name(seat, s.teams[colour].name), colour, fold.lines[seat], s.score[i], fold.hits[seat])
        for i, (seat, colour) in enumerate(zip(SEATS, colours, strict=True))
    }
    inning = s.clock.inning
    marker = str(inning if inning <= 10 else (inning - 11) % 10 + 1)
    if s.sides is None or s.outcome:
        return Scoreboard("small-ball", sides, inning, s.clock.half, marker, s.regulation, dice=s.dice)
    first, second, third = (None if number is None else s.player_name(number) for number in s.bases)
    order = [s.batting_team.players[(s.due[s.side_index] - 1 + i) % 9] for i in range(9 - s.batted)]
    return Scoreboard(
        game="small-ball",
        sides=sides,
        inning=inning,
        half=s.clock.half,
        marker=marker,
        regulation=s.regulation,
        batting=s.batting_seat,
        outs=s.outs,
        bases=(first, second, third),
        batter=order[0].name,
        on_deck=order[1].name if len(order) > 1 else None,
        due_up=tuple(player.name for player in order[:3]),
        stake=len(s.scored),
        dice=s.dice,
        panel={
            "card": tuple(SHORT_CODES.get(one, one) for one in s.faces or s.batter.results),
            "next": dict(zip(SEATS, s.due, strict=True)),
            "at_bats": s.batted,
            "stolen": s.stolen,
            "called": [PINCH_OPTIONS[i] for i in s.pinching],
            "hit_and_run": s.hit_and_run,
            "runs": [s.player_name(number) for number in s.scored],
            "outs": [s.player_name(number) for number in s.retired],
            "pinch": {
                seat: [
                    {"name": card.name, "kind": card.kind, "used": i in s.used[side]}
                    for i, card in enumerate(s.teams[colours[side]].pinch)
                ]
                for side, seat in enumerate(SEATS)
            },
        },
    )
