"""How the score of one game went: who scored when, who led, and how it ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine.announcer.situation import ordinal_in_words
from engine.events import GAME_END_CODES
from engine.innings import Half
from engine.seats import SEATS, Seat, opposite_seat
from engine.story.swings import LoggedPlayEvent, batting_seat, ends_plate_appearance, game_winner, last_game_plays
from engine.table import Table
from engine.text.agreement import name_with_verb


@dataclass(frozen=True, slots=True)
class ScoreChange:
    """Runs put on the board by one event, and the score after them."""

    place: int
    """The index of the event in the game."""
    inning: int
    half: Half
    seat: Seat
    runs: int
    score: Mapping[Seat, int]

    def lead_of(self, seat: Seat) -> int:
        """Return the lead of a side after it, in runs, negative if it trails."""
        return self.score[seat] - self.score[opposite_seat(seat)]

    @property
    def place_in_words(self) -> str:
        return half_in_words(self.inning, self.half)


def half_in_words(inning: int, half: Half) -> str:
    """Return "the top of the third"."""
    return f"the {half} of the {ordinal_in_words(inning)}"


@dataclass(frozen=True, slots=True)
class GameCourse:
    """The last game at a table, from its events.

    played: its events.
    names: what its sides are called.
    score: the runs of each side now.
    start: the runs that each side began with; a rulebook may give one side a lead.
    changes: the runs that scored, in order.
    winner: None if it is not over, or if nobody won.
    """

    played: Sequence[LoggedPlayEvent]
    names: Mapping[Seat, str]
    score: Mapping[Seat, int]
    start: Mapping[Seat, int]
    changes: Sequence[ScoreChange]
    winner: Seat | None
    regulation: int
    hits: Mapping[Seat, int]

    def name(self, seat: Seat, verb: str = "") -> str:
        """Return the name of a side, with the right form of a verb after it: "Owls win"."""
        return name_with_verb(self.names[seat], verb) if verb else self.names[seat]

    def verb(self, seat: Seat, verb: str) -> str:
        """Return the right form of a second verb of a side."""
        return self.name(seat, verb)[len(self.names[seat]) + 1 :]

    @property
    def key(self) -> int:
        """A number that selects wordings, the same for the same game."""
        return sum(31 * place + runs for place, runs in enumerate((*self.score.values(), len(self.played))))

    @property
    def final_score(self) -> str:
        """The score with the higher number first: "6 to 2"."""
        return f"{max(self.score.values())} to {min(self.score.values())}"

    @property
    def leader(self) -> Seat | None:
        away, home = (self.score[seat] for seat in SEATS)
        return None if away == home else "home" if home > away else "away"

    @property
    def batting(self) -> Seat:
        return "away" if self.half == "top" else "home"

    @property
    def last_hitter(self) -> str:
        """The name of the batter whose hit ended the game, "" if no named batter's did."""
        last = (one.event.facts for one in self.played if one.line.n == self.played[-1].line.n)
        return next((facts.get("batter", "") for facts in last if facts.get("hit")), "")

    @property
    def over(self) -> bool:
        return bool(self.played) and self.played[-1].event.code in GAME_END_CODES

    @property
    def forfeit(self) -> bool:
        return self.over and bool(self.played[-1].event.facts.get("forfeit"))

    @property
    def halves(self) -> int:
        """How many half-innings have begun."""
        return sum(one.event.code == "half-inning" for one in self.played)

    @property
    def inning(self) -> int:
        return self.played[-1].line.inning if self.played else 1

    @property
    def half(self) -> Half:
        return self.played[-1].line.half if self.played else "top"

    @property
    def is_half_inning_game(self) -> bool:
        """True if the whole game is one half-inning, which begins with a tied score that the game does not have."""
        return self.over and self.halves == 1

    def leads_of(self, seat: Seat) -> list[int]:
        """Return the lead of a side in runs, at the start and after each change."""
        start = self.start[seat] - self.start[opposite_seat(seat)]
        return [start, *(change.lead_of(seat) for change in self.changes)]

    @property
    def lead_changes(self) -> int:
        """How often one side took the lead that the other had before."""
        signs = [lead > 0 for lead in self.leads_of("home") if lead]
        return sum(now != before for before, now in pairwise(signs))

    def deficit_of(self, seat: Seat) -> int:
        """Return the most runs by which a side trailed, 0 if it never did."""
        return max(0, -min(self.leads_of(seat)))

    def go_ahead(self, seat: Seat) -> ScoreChange | None:
        """Return the change with which a side took the lead that it still has. None if it led from the start."""
        leads = self.leads_of(seat)
        behind = [place for place, lead in enumerate(leads) if lead <= 0]
        return self.changes[behind[-1]] if behind and behind[-1] < len(self.changes) else None

    @property
    def is_walk_off(self) -> bool:
        """True if home won by taking the lead with the last play of the bottom half."""
        if self.winner != "home" or self.forfeit or self.half != "bottom":
            return False
        last = self.go_ahead("home")
        if last is None or last is not self.changes[-1] or (last.inning, last.half) != (self.inning, self.half):
            return False
        n = self.played[last.place].line.n
        later = (one.event for one in self.played[last.place :] if one.line.n > n)
        return not any(ends_plate_appearance(event) or event.facts.get("retired") for event in later)

    @property
    def is_extra_innings(self) -> bool:
        return self.inning > self.regulation

    def plate_appearances(self, seat: Seat) -> int:
        """Return the number of plate appearances of a side; 0 if its half-innings are one roll."""
        return sum(ends_plate_appearance(one.event) and batting_seat(one.line) == seat for one in self.played)


def game_course(table: Table) -> GameCourse:
    """Return the course of the last game at a table so far."""
    played, board = last_game_plays(table), table.scoreboard()
    score: dict[Seat, int] = {seat: board.sides[seat].runs for seat in SEATS}
    scored = Counter[Seat]()
    for one in played:
        if runs := one.event.facts.get("scored"):
            scored[one.event.facts["seat"]] += runs
    start: dict[Seat, int] = {seat: max(0, score[seat] - scored[seat]) for seat in SEATS}
    changes, now = [], dict(start)
    for place, one in enumerate(played):
        if runs := one.event.facts.get("scored"):
            seat: Seat = one.event.facts["seat"]
            now[seat] += runs
            changes.append(ScoreChange(place, one.line.inning, one.line.half, seat, runs, dict(now)))
    names: dict[Seat, str] = {seat: board.sides[seat].name for seat in SEATS}
    for one in played:
        if one.event.code == "half-inning" and "team" in one.event.facts:
            names[one.event.facts["seat"]] = one.event.facts["team"]  # the board of a finished season names no opponent
    if names["away"] == names["home"]:
        names = {"away": "Visitors", "home": "Home"}
    hits = {seat: board.sides[seat].hits for seat in SEATS}
    return GameCourse(played, names, score, start, changes, game_winner(table, played), board.regulation, hits)
