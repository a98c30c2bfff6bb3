"""The Outcome of an at-bat for the batter and runners (3.12), and intentional walks (4.1)."""

from __future__ import annotations

from dataclasses import replace

from engine.diamond import HOME_BASE, force_runners
from engine.games.clutch.cards.baseball_terms import BASE_NAMES, signed_text
from engine.games.clutch.numbers.modifiers import is_allowed
from engine.games.clutch.records.score_book import emit_play, put_out, record_entry
from engine.games.clutch.records.sentences import moves_ending
from engine.games.clutch.running.advancing import (
    GOING_HOME_BONUS,
    TryResult,
    ask_throw_target,
    ask_tries,
    batter_as_runner,
    counting_runners,
    legal_tries,
    moved_runners,
    run_tries,
    score_runners,
)
from engine.games.clutch.running.ground_balls import play_ground_ball
from engine.games.clutch.running.hits import HIT_BASES, play_hit
from engine.games.clutch.state import State, Step, ThrowOrCheck

TAG_UP_TO_SECOND_BONUS = 3  # Of the outfield (CL-281).

# Events of walks and hit batters.
FREE_PASS_EVENTS = {"BB": "walk", "HBP": "hit-by-pitch", "IBB": "intentional-walk"}


def play_outcome(s: State, code: str) -> Step[None]:
    """Play the final Outcome, a key of `RESULT_NAMES`, or "E" if a card makes it an error (CL-187). The batter was
    pitched to, which ends a row of intentional walks (CL-321).
    """
    s.update_at_bat(outcome=code)
    s.walked = 0
    if code in HIT_BASES:
        yield from play_hit(s, code)
    elif code == "GB":
        yield from play_ground_ball(s)
    elif code == "FB":
        yield from play_fly_ball(s)
    elif code in ("SO", "LD"):
        play_batter_out(s, code)
    elif code == "E":
        play_error(s)
    else:
        play_free_pass(s, code)


def play_batter_out(s: State, code: str) -> None:
    """Play a strikeout or line drive. The batter is out, and nobody may move (CL-197, CL-287)."""
    put_out(s, s.batter_card.name)
    what = "SO" if code == "SO" else "out"
    record_entry(s, what)
    emit_play(s, "strikeout" if code == "SO" else "line-out", outs=s.outs, ending=what)


def play_fly_ball(s: State) -> Step[None]:
    """Play a fly ball. Runners may tag up unless it is the third out (CL-278 to CL-286, CL-397)."""
    put_out(s, s.batter_card.name)
    ran = TryResult()
    if s.outs < 3 and is_allowed(s, "tag"):
        tried = yield from ask_tries(s, "tag-up", legal_tries(s.bases, (2, 3, HOME_BASE)), tag_up_throw)
        if tried:
            target = yield from ask_throw_target(s, tried, tag_up_throw)
            ran = yield from run_tries(s, tried, target, tag_up_throw)
    runs = score_runners(s, counting_runners(s, ran, ran.home))
    if runs:
        s.update_at_bat(tags=s.at.tags | {"sacrifice-fly"})
    ending = "SF" if runs else "out"
    record_entry(s, ending)
    what = ran.result_sentence(runs)
    event = "sacrifice-fly" if runs else "fly-out"
    emit_play(s, event, runs, what=f"; {what}" if what else "", outs=s.outs, ending=ending)


def tag_up_throw(name: str, base: int) -> ThrowOrCheck:
    """Return the throw at a runner who tags up. Two outs give no bonus here (CL-280 to CL-282, CL-286, AM-66)."""
    return ThrowOrCheck(
        "tag",
        "outfield",
        name,
        base,
        bonus=GOING_HOME_BONUS * (base == HOME_BASE),
        help=TAG_UP_TO_SECOND_BONUS * (base == 2),
    )


def play_free_pass(s: State, code: str) -> None:
    """Play a walk of any kind or a hit batter. Only forced runners move (CL-288, CL-289, CL-313, AM-67, AM-71)."""
    before = s.bases
    s.bases, home = force_runners(before, batter_as_runner(s))
    runs = score_runners(s, home)
    record_entry(s, code)
    emit_play(s, FREE_PASS_EVENTS[code], runs, home=moves_ending(runs, moved_runners(before, s.bases)), ending=code)


def play_error(s: State) -> None:
    """Play an error. Forced runners move, and no run is earned or driven in (CL-290, AM-35, AM-67)."""
    base, before = s.at.error_bases, s.bases
    s.bases, home = force_runners(before, replace(batter_as_runner(s), earned=False), base)
    runs = score_runners(s, (replace(runner, earned=False) for runner in home), rbi=False)
    s.update_at_bat(tags=s.at.tags | {"error"})
    record_entry(s, "E")
    ending = moves_ending(runs, moved_runners(before, s.bases))
    emit_play(s, "error", runs, rbi=False, base=BASE_NAMES[base - 1], home=ending, ending="E")


INTENTIONAL_WALK_BONUS = 2  # Of the next batter, on On-Base, then on his Swing (CL-317, CL-319).


def may_walk(s: State) -> bool:
    """True if the defense may walk the batter, before any strategy card is played (CL-312, AM-01)."""
    return not s.basic and is_allowed(s, "walk") and not any(card.kind == "strategy" for card in s.at.played)


def intentional_walk(s: State) -> None:
    """Put the batter on first without a pitch. Forced runners move (CL-313 to CL-316)."""
    s.update_at_bat(outcome="IBB", tags=s.at.tags | {"ibb"})
    play_free_pass(s, "IBB")
    s.walked += 1


def intentional_walk_bonus(s: State) -> tuple[int, int]:
    """Return the batter's bonus on On-Base and on Swing for the walks before him (CL-317 to CL-322). It does not count
    as a card's. From the third walk in a row the Swing gains more only by a house rule (AM-70).
    """
    return _bonus_after_walks(s, s.walked)


def _bonus_after_walks(s: State, walked: int) -> tuple[int, int]:
    if walked < 2:
        return INTENTIONAL_WALK_BONUS * walked, 0
    return INTENTIONAL_WALK_BONUS, INTENTIONAL_WALK_BONUS * (walked - 1 if s.house["ibbRowBonusGrows"] == "true" else 1)


def intentional_walk_price(s: State) -> str:
    """Describe the next batter's bonus after an intentional walk (CL-317, CL-319)."""
    on_base, swing = _bonus_after_walks(s, s.walked + 1)
    return f"the next batter gets On-Base {signed_text(on_base)}{f' and Swing {signed_text(swing)}' if swing else ''}"
