"""Effects of cards on runners, the batter and the pitcher."""

from __future__ import annotations

from dataclasses import replace

from engine.diamond import place
from engine.games.clutch.cards.baseball_terms import BASE_NAMES
from engine.games.clutch.cards.effects import Effect, Play
from engine.games.clutch.records import score_book
from engine.games.clutch.squad import Runner
from engine.games.clutch.state import Player, State, Step
from engine.games.clutch.strategy_cards.result_effects import change, turnable
from engine.seats import SEATS, Seat, put

BASES = {"first": 1, "second": 2, "third": 3}


def acting(s: State, who: str) -> Player | None:
    """Return the "batter", the "pitcher", or the "runner" nearest home; None if there is none, or for other values."""
    if who == "pitcher":
        return s.defence, s.squad(s.defence).pitcher
    name = {"batter": s.squad(s.offence).batter, "runner": runner(s, "lead")}.get(who, "")
    return (s.offence, name) if name else None


def runner(s: State, which: str) -> str:
    """Return the runner on a base, the "lead" runner (CL-375), or the "batter"; "" if there is none."""
    if which == "batter":
        return s.squad(s.offence).batter
    if which == "lead":
        return next((one.name for one in reversed(s.bases) if one is not None), "")
    one = s.bases[BASES[which] - 1] if which in BASES else None
    return one.name if one else ""


def advance(s: State, side: Seat | None, source: str, effect: Effect, of: Play, window: str) -> Step[None]:
    """Advance runners, as far as the next base is free; the batter reaches by an error (CL-290, CL-401)."""
    yield from ()
    if effect.what == "batter" and not s.at.outcome:
        error = replace(effect, what="", to="E")
        if turnable(s, side, error):
            s.now(error_bases=effect.amount)
        yield from change(s, side, source, error, of, window)
        return
    which = ("third", "second", "first") if effect.what == "every" else (effect.what,)
    moved = False
    for one in which:
        found = _on(s, one)
        if found is None:
            continue
        goes = replace(found, earned=False) if effect.of == "error" else found
        moved = _move(s, found, goes, s.bases.index(found) + 1 + effect.amount, effect.of) or moved
    if moved and effect.of == "error":
        s.errors = put(s.errors, s.defence, s.errors[SEATS.index(s.defence)] + 1)
        s.now(tags=s.at.tags | {"error"})


def _on(s: State, which: str) -> Runner | None:
    """Return the runner that `which` names, if he is on a base."""
    name = runner(s, which)
    return next((one for one in s.bases if one and one.name == name), None)


def _move(s: State, runner: Runner, moved: Runner, to: int, how: str) -> bool:
    """Move a runner to a base or home; he stops behind another runner. Return True if he moved at all."""
    at = s.bases.index(runner) + 1
    to = next((base - 1 for base in range(at + 1, min(to, 3) + 1) if s.bases[base - 1]), to)
    if to == at:
        return False
    s.bases = place(s.bases, None, at)
    if how == "steal":
        score_book.credit(s, "SB", runner.name)
    if to > 3:
        if score_book.score(s, moved, rbi=not how):
            score_book.tell(s, "comes-home", [runner.name], rbi=not how, runner=runner.name)
        return True
    s.bases = place(s.bases, moved, to)
    s.tell("moves-on", seat=s.offence, runner=runner.name, base=to, on=BASE_NAMES[to - 1])
    return True


def put_out(s: State, side: Seat | None, source: str, effect: Effect, of: Play, window: str) -> Step[None]:
    """Put a runner out, or the batter, as on a line drive."""
    if effect.what == "batter":
        yield from change(s, side, source, replace(effect, what="", to="LD"), of, window)
        return
    found = _on(s, effect.what)
    if found is not None and s.outs < 3:
        s.bases = place(s.bases, None, s.bases.index(found) + 1)
        score_book.put_out(s, found.name)
        s.tell("out-by-card", seat=s.defence, runner=found.name, card=source, outs=s.outs)


def remove(s: State, side: Seat | None, source: str, effect: Effect, of: Play, window: str) -> Step[None]:
    """Remove runners from the bases; they are not out."""
    yield from ()
    for at, one in enumerate(s.bases, 1):
        if one and (effect.what == "every" or one is _on(s, effect.what)):
            s.bases = place(s.bases, None, at)
            s.tell("leaves-bases", seat=s.offence, runner=one.name, card=source)


def eject(s: State, side: Seat | None, source: str, effect: Effect, of: Play, window: str) -> Step[None]:
    """Take the batter or the pitcher out of the game; without a replacement it is forfeited (CL-132)."""
    if effect.what == "pitcher":
        yield from s.actions.remove(s, s.defence, s.pitcher.name)
    else:
        yield from s.actions.remove(s, s.offence, s.batter.name)


def put_on(s: State, side: Seat | None, source: str, effect: Effect, of: Play, window: str) -> Step[None]:
    """Place a runner on a base, if it is free and nobody is between."""
    yield from ()
    found, to = _on(s, effect.of), BASES[effect.what]
    if found is None:
        return
    at = s.bases.index(found) + 1
    if not any(s.bases[base - 1] for base in range(min(at + 1, to), max(at - 1, to) + 1)):
        s.bases = place(place(s.bases, None, at), found, to)
        s.tell("moves-on", seat=s.offence, runner=found.name, base=to, on=BASE_NAMES[to - 1])
