"""The Outcome of an at-bat, and where it takes the batter and runners (3.12); intentional walks (4.1)."""

from __future__ import annotations

from dataclasses import replace

from engine.diamond import HOME, force
from engine.games.clutch.cards.baseball_terms import BASE_NAMES, signed
from engine.games.clutch.numbers.modifiers import allowed
from engine.games.clutch.records.score_book import credit, put_out, tell
from engine.games.clutch.records.sentences import moves_ending
from engine.games.clutch.running.advancing import (
    GOING_HOME,
    Ran,
    ask,
    batter,
    come_home,
    legal,
    run,
    shifted,
    standing,
    whom,
)
from engine.games.clutch.running.ground_balls import ground
from engine.games.clutch.running.hits import HITS, hit
from engine.games.clutch.state import State, Step, Throw

TO_SECOND = 3  # Bonus of the outfield when a runner tags up for second (CL-281).

FREE = {"BB": "walk", "HBP": "hit-by-pitch", "IBB": "intentional-walk"}  # Walks and hit batters, and their events.


def outcome(s: State, code: str) -> Step[None]:
    """Move everybody for the final Outcome: one of RESULTS, or "E" if a card makes it an error (CL-187). The batter was
    pitched to, so a row of intentional walks ends with him (CL-321).
    """
    s.now(outcome=code)
    s.walked = 0
    if code in HITS:
        yield from hit(s, code)
    elif code == "GB":
        yield from ground(s)
    elif code == "FB":
        yield from fly(s)
    elif code in ("SO", "LD"):
        out(s, code)
    elif code == "E":
        error(s)
    else:
        free(s, code)


def out(s: State, code: str) -> None:
    """Play a strikeout or a line drive: the batter is out, and nobody may move (CL-197, CL-287)."""
    put_out(s, s.batter.name)
    what = "SO" if code == "SO" else "out"
    credit(s, what)
    tell(s, "strikeout" if code == "SO" else "line-out", outs=s.outs, ending=what)


def fly(s: State) -> Step[None]:
    """Play a fly ball: runners may tag up, unless it is the third out (CL-278 to CL-286, CL-397)."""
    put_out(s, s.batter.name)
    ran = Ran()
    if s.outs < 3 and allowed(s, "tag"):
        tried = yield from ask(s, "tag-up", legal(s.bases, (2, 3, HOME)), tagged)
        if tried:
            target = yield from whom(s, tried, tagged)
            ran = yield from run(s, tried, target, tagged)
    runs = come_home(s, standing(s, ran, ran.home))
    if runs:
        s.now(tags=s.at.tags | {"sacrifice-fly"})
    ending = "SF" if runs else "out"
    credit(s, ending)
    what = ran.sentence(runs)
    event = "sacrifice-fly" if runs else "fly-out"
    tell(s, event, runs, what=f"; {what}" if what else "", outs=s.outs, ending=ending)


def tagged(name: str, base: int) -> Throw:
    """Return the throw at a runner who tags up; two outs give no bonus here (CL-280 to CL-282, CL-286, AM-66)."""
    return Throw("tag", "outfield", name, base, bonus=GOING_HOME * (base == HOME), help=TO_SECOND * (base == 2))


def free(s: State, code: str) -> None:
    """Play a walk of any kind or a hit batter: only forced runners move (CL-288, CL-289, CL-313, AM-67, AM-71)."""
    before = s.bases
    s.bases, home = force(before, batter(s))
    runs = come_home(s, home)
    credit(s, code)
    tell(s, FREE[code], runs, home=moves_ending(runs, shifted(before, s.bases)), ending=code)


def error(s: State) -> None:
    """Play an error: forced runners move, and no run is earned or driven in (CL-290, AM-35, AM-67)."""
    base, before = s.at.error_bases, s.bases
    s.bases, home = force(before, replace(batter(s), earned=False), base)
    runs = come_home(s, (replace(runner, earned=False) for runner in home), rbi=False)
    s.now(tags=s.at.tags | {"error"})
    credit(s, "E")
    ending = moves_ending(runs, shifted(before, s.bases))
    tell(s, "error", runs, rbi=False, base=BASE_NAMES[base - 1], home=ending, ending="E")


BONUS = 2  # Bonus of the next batter, on his On-Base and then on his Swing (CL-317, CL-319).


def may_walk(s: State) -> bool:
    """True if the defense may walk the batter: before any strategy card is played (CL-312, AM-01)."""
    return not s.basic and allowed(s, "walk") and not any(card.kind == "strategy" for card in s.at.played)


def intentional_walk(s: State) -> None:
    """Put the batter on first without a pitch; forced runners move (CL-313 to CL-316)."""
    s.now(outcome="IBB", tags=s.at.tags | {"ibb"})
    free(s, "IBB")
    s.walked += 1


def owed(s: State) -> tuple[int, int]:
    """Return the batter's bonus for the walks before him, on his On-Base and on his Swing (CL-317 to CL-322). It does
    not count as a card's. From the third walk in a row the Swing gains more only by a house rule (AM-70).
    """
    return _bonus(s, s.walked)


def _bonus(s: State, walked: int) -> tuple[int, int]:
    """Return the bonus after this number of intentional walks in a row."""
    if walked < 2:
        return BONUS * walked, 0
    return BONUS, BONUS * (walked - 1 if s.house["ibbRowBonusGrows"] == "true" else 1)


def price(s: State) -> str:
    """Return what an intentional walk gives the next batter (CL-317, CL-319)."""
    on_base, swing = _bonus(s, s.walked + 1)
    return f"the next batter gets On-Base {signed(on_base)}{f' and Swing {signed(swing)}' if swing else ''}"
