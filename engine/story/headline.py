"""The headline of a game, chosen by how it was won."""

from __future__ import annotations

from engine.announcer.situation import capitalized_text, number_in_words, ordinal_in_words
from engine.events import COMEBACK_DEFICIT_RUNS, select_wording
from engine.seats import Seat, opposite_seat
from engine.story.course import GameCourse, half_in_words

ROUT_RUNS = 7
"""Least difference, in runs, of a game that one side dominated."""

LATE_INNINGS_OF_NINE = 2
"""Innings at the end of a game of nine in which a lead is late; in a shorter game, only its last inning."""


def game_headline(course: GameCourse) -> str:
    """Return a headline without a period. The same game always gets the same one."""
    if not course.halves:
        return "The game has not begun"
    if not course.over:
        return capitalized_text(standing_clause(course))
    winner = course.winner
    if winner is None:
        return f"{spoken_names(course)} tie, {course.final_score}"
    if course.forfeit:
        return course.name(winner, "wins/win") + " by forfeit"
    ways = _half_inning_wordings(course) if course.is_half_inning_game else _result_wordings(course, winner)
    return select_wording(ways, course.key, ways[0])


def standing_clause(course: GameCourse) -> str:
    """Return the score of a game that is not over, such as "Owls lead Lanterns, 3 to 2, in the top of the fifth"."""
    where = half_in_words(course.inning, course.half)
    leader = course.leader
    if leader is None:
        return f"{spoken_names(course)} are even in {where}"
    return f"{course.name(leader, 'leads/lead')} {course.name(opposite_seat(leader))}, {course.final_score}, in {where}"


def spoken_names(course: GameCourse) -> str:
    return f"{course.name('away')} and {course.name('home')}"


def _half_inning_wordings(course: GameCourse) -> tuple[str, ...]:
    """Return wordings for a game of half an inning, whose score says nothing."""
    inning, batting = ordinal_in_words(course.inning), course.batting
    fielding = opposite_seat(batting)
    if course.winner == fielding:
        return (
            f"{course.name(fielding, 'holds/hold')} {course.name(batting)} scoreless in the {inning}",
            f"{course.name(fielding, 'survives/survive')} the {inning} against {course.name(batting)}",
        )
    if hitter := course.last_hitter:
        return (
            f"{hitter} ends it: {course.name(batting, 'wins/win')} in the {inning}",
            f"{hitter} wins the {inning} for {course.name(batting)}",
        )
    return (f"{course.name(batting, 'walks/walk')} off in the {inning}",)


def _result_wordings(course: GameCourse, winner: Seat) -> tuple[str, ...]:
    """Return wordings for what is most remarkable about how a side won."""
    loser, score, inning = course.name(opposite_seat(winner)), course.final_score, ordinal_in_words(course.inning)
    leads, margin = course.leads_of(winner), abs(course.score["home"] - course.score["away"])
    down = number_in_words(course.deficit_of(winner), "run")
    came_back = course.deficit_of(winner) >= COMEBACK_DEFICIT_RUNS

    def wins(verb: str) -> str:
        return course.name(winner, verb)

    if course.is_walk_off and came_back:
        return (f"{wins('rallies/rally')} from {down} down to walk off, {score}",)
    if course.is_walk_off:
        hitter = course.last_hitter
        ways = (
            f"{wins('walks/walk')} off in the {inning}, {score}",
            f"{wins('beats/beat')} {loser} on the last play, {score}",
        )
        return (*ways, f"{hitter} ends it: {wins('wins/win')}, {score}") if hitter else ways
    if not min(course.score.values()):
        return (f"{wins('shuts/shut')} out {loser}, {score}", f"{wins('blanks/blank')} {loser}, {score}")
    if margin >= ROUT_RUNS:
        return (f"{wins('routs/rout')} {loser}, {score}", f"{wins('rolls/roll')} over {loser}, {score}")
    if came_back:
        return (
            f"{wins('comes/come')} back from {down} down to beat {loser}, {score}",
            f"{wins('rallies/rally')} past {loser} from {down} behind, {score}",
        )
    if course.is_extra_innings:
        return (
            f"{wins('outlasts/outlast')} {loser} in the {inning}, {score}",
            f"{wins('needs/need')} extra innings to beat {loser}, {score}",
        )
    if (ahead := course.go_ahead(winner)) and ahead.inning > course.regulation - late_innings(course.regulation):
        return (
            f"{wins('pulls/pull')} ahead late to beat {loser}, {score}",
            f"Late lead: {wins('tops/top')} {loser}, {score}",
        )
    if margin == 1:
        return (f"{wins('edges/edge')} {loser}, {score}", f"{wins('slips/slip')} past {loser}, {score}")
    if all(lead > 0 for lead in leads[1:]):
        return (
            f"{wins('never trails/never trail')} on the way to beating {loser}, {score}",
            f"{wins('stays/stay')} in front to beat {loser}, {score}",
        )
    return (f"{wins('beats/beat')} {loser}, {score}", f"{wins('defeats/defeat')} {loser}, {score}")


def late_innings(regulation: int) -> int:
    """Return in how many innings at the end of a game a lead is late."""
    return LATE_INNINGS_OF_NINE if regulation >= 9 else 1
