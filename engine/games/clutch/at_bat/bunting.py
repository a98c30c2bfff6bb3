"""Sacrifice bunts (4.2, CL-323 to CL-334)."""

from __future__ import annotations

from engine.diamond import place_runner
from engine.events import Facts
from engine.games.clutch.numbers.bunt_numbers import bunt_odds_text, bunt_target, winning_faces_and_die
from engine.games.clutch.numbers.modifiers import is_allowed, number_with_cards
from engine.games.clutch.numbers.rolls import REGULAR_DIE, need_at_start, need_for_title, roll_for_side
from engine.games.clutch.pitching import pitcher_record
from engine.games.clutch.records.score_book import emit_play, put_out, record_entry
from engine.games.clutch.records.sentences import additions_text, moves_sentence
from engine.games.clutch.running.advancing import legal_tries
from engine.games.clutch.squad import BaseRunner
from engine.games.clutch.state import State, Step
from engine.games.clutch.strategy_cards import hands
from engine.games.clutch.strategy_cards.in_play import end_expired_effects
from engine.games.clutch.strategy_cards.muting import ask_side, forget_early_passes
from engine.games.clutch.strategy_cards.windows import open_window

MISSED_BUNTS_PITCH_BONUS = 2  # On the Pitch if the batter then swings (CL-328).

STEAL_WINDOWS = frozenset({"steal", "throw", "throw-roll", "throw-result"})
"""Windows of a steal, where cards do not rule out a bunt (AM-02)."""


def may_bunt(s: State) -> bool:
    """True if the offense may bunt. It needs a runner to help and no earlier strategy card (CL-323, AM-02, AM-72)."""
    if s.basic or not is_allowed(s, "bunt"):
        return False
    forgiven = STEAL_WINDOWS if s.house["buntAfterStealCards"] == "true" else frozenset[str]()
    if any(card.kind == "strategy" and card.window not in forgiven for card in s.at.played):
        return False
    return s.house["buntNeedsAdvance"] == "false" or (s.outs < 2 and bool(legal_tries(s.bases, (2, 3))))


def bunt(s: State) -> Step[str]:
    """Play a declared bunt (CL-324 to CL-331, AM-73). Return "done", "pitch" if the batter swings after two misses, or
    "SO" after a third miss. The caller plays that pitch or strikeout.
    """
    forget_early_passes(s, s.defense)
    s.emit("bunts", seat=s.offense, batter=s.batter_card.name)
    yield from open_window(s, "bunt")
    for misses in range(3):
        if misses == 2:
            ways = ("bunt-again", "swing")
            choice = yield from ask_side(
                s, s.offense, "bunt-again", ways, None, lambda s: {"bonus": MISSED_BUNTS_PITCH_BONUS}
            )
            if choice == "swing":
                s.update_at_bat(pitch_bonus=MISSED_BUNTS_PITCH_BONUS, bunt=None)
                return "pitch"
        if (yield from attempt_bunt(s, misses)):
            sacrifice(s)
            return "done"
    return "SO"


MISS_COST_SENTENCES = ("A miss costs nothing yet", "After a miss, bunt again or swing", "A miss is a strikeout")
"""Cost of a miss at each of the three tries (CL-326 to CL-329)."""


def attempt_bunt(s: State, misses: int) -> Step[bool]:
    """Roll one bunt after `misses` misses, and return True if it succeeds. A 12 is a tie and goes to the defense
    (CL-325). The hand limit applies before it, and it counts as a pitch (CL-334, AM-20).
    """
    yield from hands.enforce_hand_limit(s)
    _, face = yield from roll_for_side(
        s, "bunt", s.offense, REGULAR_DIE, False, lambda s: {**bunt_facts(s), "miss": MISS_COST_SENTENCES[misses]}
    )
    s.update_at_bat(bunt=face)
    s.store_record(s.defense, pitcher_record.count_pitch(s.current_record, s.house))
    yield from open_window(s, "bunt-roll")
    rolled, goal = number_with_cards(s, "bunt_roll", s.at.bunt or 0), bunt_target(s)
    end_expired_effects(s, "roll")
    if rolled > goal:
        return True
    more = additions_text("with", (rolled - (s.at.bunt or 0), "from cards"))
    s.emit(
        "bunt-missed", seat=s.offense, batter=s.batter_card.name, roll=rolled, target=goal, least=goal + 1, more=more
    )
    return False


def bunt_facts(s: State) -> Facts:
    good, kind = winning_faces_and_die(s)
    facts = {"batter": s.batter_card.name, "need": bunt_odds_text(s), "wins": need_for_title(good, kind)}
    return {**facts, "target": bunt_target(s), "least": need_at_start(good, kind) or "No roll"}


def sacrifice(s: State) -> None:
    """Put the batter out and advance unblocked runners one base, but never home (CL-330 to CL-333)."""
    s.update_at_bat(outcome="SAC", tags=s.at.tags | {"sacrifice"})
    s.walked = 0
    put_out(s, s.batter_card.name)
    on: list[tuple[BaseRunner, int]] = []
    for base in (3, 2) if s.outs < 3 else ():
        runner = s.bases[base - 2]
        if runner is not None and s.bases[base - 1] is None:
            s.bases = place_runner(place_runner(s.bases, None, base - 1), runner, base)
            on.append((runner, base))
    record_entry(s, "SAC")
    what = moves_sentence([(runner.name, base) for runner, base in on], (), None)
    emit_play(s, "sacrifice", what=f"; {what}" if what else "", outs=s.outs, ending="SAC")
