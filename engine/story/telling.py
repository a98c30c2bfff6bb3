"""The story of a game: a headline and a recap, written by rules from its events and its win probabilities."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from engine.announcer.situation import capitalized_text, number_in_words
from engine.box_score import box_scores, find_star
from engine.events import COMEBACK_DEFICIT_RUNS, spoken_list
from engine.innings import Outcome
from engine.seats import SEATS, Seat, opposite_seat
from engine.story.contributions import player_contributions
from engine.story.course import GameCourse, ScoreChange, game_course, half_in_words
from engine.story.headline import game_headline, spoken_names, standing_clause
from engine.story.swings import ends_plate_appearance, swing_size, turning_points
from engine.story_views import GameStory, PlayerContribution, WinSwing, WinTrace
from engine.table import Table
from engine.text.numbers import chance_text

MIN_SECOND_SWING = 0.1
"""Least change of win probability of the second play that a recap tells."""

MIN_LEAD_CHANGES = 2
"""Changes of the lead that a recap mentions."""

MIN_CONTRIBUTION = 0.05
"""Least win probability added that a recap mentions."""

MIN_RECAP_SENTENCES = 3
MAX_RECAP_SENTENCES = 6
"""Entries of a recap, each one or two sentences."""

TURN_NOUNS = {"walk": "walk", "hit-by-pitch": "hit batter", "strikeout": "strikeout"}
"""What a plate appearance without a hit is counted as, by the fact `turn`. Others are not counted."""


def tell_story(table: Table, trace: WinTrace) -> GameStory:
    """Tell the last game at a table, also one that is not over. The same game is always told in the same words.

    trace: may be empty. The story is then told from the score alone.
    """
    course, swings = game_course(table), turning_points(table, trace)
    contributions = player_contributions(table, trace)
    recap = _recap(table, course, swings, contributions) if course.halves else []
    headline, *sentences = (capitalized_text(_lowered_your(text)) for text in (game_headline(course), *recap))
    return GameStory(headline, sentences, swings, course.names, contributions)


def _lowered_your(text: str) -> str:
    """Return a text with the name "Your team" in lower case where no sentence begins."""
    return re.sub(r"(?<=[a-z0-9,] )Your(?= team\b)", "your", text)


def _recap(
    table: Table,
    course: GameCourse,
    swings: Sequence[WinSwing],
    contributions: Mapping[Seat, Sequence[PlayerContribution]],
) -> list[str]:
    scoring = half_inning_sentences(course) if course.is_half_inning_game else scoring_sentences(course)
    more = [*swing_sentences(course, swings), *player_sentences(table, course, contributions)]
    if isinstance(table.outcome, Outcome) and len(table.log.games) > 1:
        more.append(table.outcome.sentence)  # of the season or series that this game ended
    room = MAX_RECAP_SENTENCES - 1 - len(more)
    recap = [result_sentence(course), *_most_important(scoring, room), *more]
    return recap if len(recap) >= MIN_RECAP_SENTENCES else [*recap, *_last_play_sentences(table, course)]


def _most_important(ranked: Mapping[str, int], room: int) -> list[str]:
    """Return the sentences with the lowest ranks, in their order."""
    kept = sorted(ranked, key=lambda sentence: ranked[sentence])[:room]
    return [sentence for sentence in ranked if sentence in kept]


def result_sentence(course: GameCourse) -> str:
    """Return the result, or the score so far."""
    winner, name = course.winner, course.name
    where = half_in_words(course.inning, course.half)
    if not course.over:
        return f"The game is not over: {standing_clause(course)}."
    if winner is None:
        return f"{spoken_names(course)} tie, {course.final_score}."
    loser = opposite_seat(winner)
    if course.forfeit:
        return f"{name(loser, 'forfeits/forfeit')} in {where}."
    if course.is_half_inning_game:
        if winner == course.batting:
            return f"{name(winner, 'scores/score')} the winning run in {where}."
        return f"{name(winner, 'gets/get')} three outs in {where} before {name(loser)} can score."
    wins = name(winner, "wins/win")
    if course.is_walk_off:
        return f"{wins} {course.final_score} with the last play of {where}."
    if course.plate_appearances(winner) and course.plate_appearances(loser):
        own, other = course.hits[winner], course.hits[loser]
        if own > other:
            outhits = course.verb(winner, "outhits/outhit")
            return f"{wins} {course.final_score} and {outhits} {name(loser)}, {own} to {other}."
        if own < other:
            return f"{wins} {course.final_score}, although {name(loser, 'has/have')} more hits, {other} to {own}."
        return f"{wins} {course.final_score}. Both sides have {number_in_words(own, 'hit')}."
    return f"{wins} {course.final_score} against {name(loser)}."


def scoring_sentences(course: GameCourse) -> dict[str, int]:
    """Return the course of the score, in the order of the game. The most important sentence has 0."""
    told: dict[str, int] = {}
    if ahead_at_start := next((seat for seat in SEATS if course.start[seat]), None):
        told[
            f"{course.name(ahead_at_start, 'begins/begin')} with a lead of {_run_count(course.start[ahead_at_start])}."
        ] = 3
    if not course.changes:
        return told or {"Nobody has scored yet.": 0}
    first, winner = course.changes[0], course.winner
    ahead = course.go_ahead(winner) if winner and not course.forfeit else None
    scores = f"{_run_count(_runs_in_half(course, first))} in {first.place_in_words}"
    if ahead is first:
        if course.is_walk_off:
            return {**told, f"Nobody scores before {first.place_in_words}.": 0}
        takes, keeps = course.name(first.seat, "takes/take"), course.verb(first.seat, "keeps/keep")
        return {**told, f"{takes} the lead with {scores} and {keeps} it.": 0}
    behind = deficit_change(course, winner) if winner else None
    if behind is None or (behind.inning, behind.half) != (first.inning, first.half):
        told[f"{course.name(first.seat, 'scores/score')} first, with {scores}."] = 2
    if winner and course.deficit_of(winner) >= COMEBACK_DEFICIT_RUNS:
        told[deficit_sentence(course, winner)] = 1
    if ahead and winner and not course.is_walk_off:
        leads = course.name(winner, "takes/take")
        told[f"{leads} the lead for good in {ahead.place_in_words}, {_score_after(ahead, winner)}."] = 0
    if course.lead_changes >= MIN_LEAD_CHANGES:
        told[f"The lead changes hands {_times(course.lead_changes)}."] = 4
    return told


def half_inning_sentences(course: GameCourse) -> dict[str, int]:
    """Return the plate appearances of a game of half an inning."""
    turns = Counter[str]()
    for one in course.played:
        if one.event.facts.get("hit"):
            turns["hit"] += 1
        elif noun := TURN_NOUNS.get(one.event.facts.get("turn", "")):
            turns[noun] += 1
    batters = number_in_words(course.plate_appearances(course.batting), "batter")
    did = spoken_list(number_in_words(count, noun) for noun, count in turns.items())
    return {f"{course.name(course.batting, 'sends/send')} {batters} to the plate{did and ': '}{did}.": 0}


def deficit_change(course: GameCourse, seat: Seat) -> ScoreChange | None:
    """Return the change after which a winner first trailed by the most runs. None if that was never so, or not much."""
    down = course.deficit_of(seat)
    place = course.leads_of(seat).index(-down)
    return course.changes[place - 1] if place and down >= COMEBACK_DEFICIT_RUNS else None


def deficit_sentence(course: GameCourse, seat: Seat) -> str:
    """Return the most runs by which a side trailed, and when that was first so."""
    down, change = _run_count(course.deficit_of(seat)), deficit_change(course, seat)
    if change is None:
        return f"{course.name(seat, 'begins/begin')} {down} behind."
    behind = _score_after(change, opposite_seat(seat))
    return f"{course.name(seat, 'trails/trail')} by {down} in {change.place_in_words}, {behind}."


def swing_sentences(course: GameCourse, swings: Sequence[WinSwing]) -> list[str]:
    """Return the two plays that changed most, the second only if it changed much, in the order of the game."""
    ranked = sorted(swings, key=swing_size, reverse=True)
    told = [*ranked[:1], *(one for one in ranked[1:2] if swing_size(one) >= MIN_SECOND_SWING)]
    return [
        swing_sentence(
            course, one, "The biggest swing" if one is ranked[0] else "Another big swing" if place else "A big swing"
        )
        for place, one in enumerate(sorted(told, key=lambda swing: swing.n))
    ]


def swing_sentence(course: GameCourse, swing: WinSwing, subject: str) -> str:
    name, before = course.name(swing.seat), chance_text(swing.before)
    play = f"{subject} comes in {half_in_words(swing.inning, swing.half)}: {swing.sentence}"
    if swing.after == 1:
        return f"{play} It ends the game; before it, the chance to win was {before} for {name}."
    return f"{play} The chance to win goes from {before} to {chance_text(swing.after)} for {name}."


def player_sentences(
    table: Table, course: GameCourse, contributions: Mapping[Seat, Sequence[PlayerContribution]]
) -> list[str]:
    """Return the player who added most to the chance to win, and the star of a finished game."""
    best = max(
        ((seat, players[0]) for seat, players in contributions.items() if players),
        key=lambda one: one[1].added,
        default=None,
    )
    box, outcome = box_scores(table.log), table.outcome
    star = find_star(box, outcome) if isinstance(outcome, Outcome) else None
    most = ""
    if best and best[1].added >= MIN_CONTRIBUTION:
        most = f"adds most to the chance to win: {round(100 * best[1].added)} points."
    if star is None or not box[star.seat].batters:
        told = [f"{best[1].name} of {course.name(best[0])} {most}"] if best and most else []
        return [*told, *_best_half_inning_sentence(course)]
    stars = f"{star.name} of {course.name(star.seat)} is the star of the game, {star.words}"
    if not best or not most:
        return [f"{stars}."]
    if (best[0], best[1].name) == (star.seat, star.name):
        return [f"{stars}, and {most}"]
    return [f"{stars}. {best[1].name} of {course.name(best[0])} {most}"]


def _best_half_inning_sentence(course: GameCourse) -> list[str]:
    best = max(course.changes, key=lambda change: (_runs_in_half(course, change), change.place), default=None)
    if best is None or not course.over or course.is_half_inning_game:
        return []
    runs = _run_count(_runs_in_half(course, best))
    return [f"No half-inning has more runs than {best.place_in_words}, with {runs} for {course.name(best.seat)}."]


def _last_play_sentences(table: Table, course: GameCourse) -> list[str]:
    """Return the end of the last plate appearance."""
    ended = [one for one in course.played if ends_plate_appearance(one.event)][-1:]
    told = [(table.game.words.announcement_sentence(one.event, one.line.n), one.line.sentence) for one in ended]
    return [f"The last play: {capitalized_text(announced or sentence)}" for announced, sentence in told]


def _run_count(runs: int) -> str:
    return number_in_words(runs, "run")


def _times(count: int) -> str:
    return "twice" if count == 2 else number_in_words(count, "time")


def _runs_in_half(course: GameCourse, change: ScoreChange) -> int:
    """Return the runs of a side in the half-inning of a change."""
    at = change.inning, change.half
    return sum(one.runs for one in course.changes if (one.inning, one.half) == at)


def _score_after(change: ScoreChange, seat: Seat) -> str:
    """Return the score after a change, with the runs of `seat` first."""
    return f"{change.score[seat]} to {change.score[opposite_seat(seat)]}"
