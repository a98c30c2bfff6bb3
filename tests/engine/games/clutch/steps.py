"""Single steps of the rules: a position with runners or substitutes, and one step played on it.

The away side bats in the top, home in the bottom. The batter is Bx, or H-DH in the bottom; the runners on first, second
and third are the last three of the order: RF, CF and LF of their side. All are copies of Bx.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from engine.asks import Arrange, Choose, Roll, Secret
from engine.games.clutch.pitching.rest import PitcherRest
from engine.games.clutch.rules import CARD_ACTIONS
from engine.games.clutch.squad import BattingLine, ClutchSquad
from engine.games.clutch.state import State
from engine.games.clutch.substitutions import lineup
from engine.games.clutch.substitutions.substitutions import legal_changes, make_change
from engine.games.clutch.words import GAME_WORDS
from engine.innings import Half, InningClock
from engine.seats import SEATS, Seat
from tests.engine.games.clutch.field import put_on_base, take_the_field
from tests.engine.games.clutch.fixture import HOUSE, box

T = TypeVar("T")
Step = Generator[Any, Any, T]

CARDS = box()

NEVER_MIND = "never-mind"

SUBS = ("H-CA2", "H-1B2", "H-SS2", "H-LF2")
"""Home's bench."""


def fresh(
    cards: Mapping[str, str] | None = None,
    house: Mapping[str, str] | None = None,
    rests: Mapping[str, int] | None = None,
    home: Seat = "home",
) -> State:
    """Return two teams before their line-ups; `rests` is the rest owed, in games, `home` the chair of the home side."""
    rules = {**HOUSE, "level": "players", **(house or {})}
    s = State(box=box(cards) if cards else CARDS, house=rules, actions=CARD_ACTIONS, home=home)
    owed = {name: PitcherRest(owes) for name, owes in (rests or {}).items()}
    s.rests = (owed, owed)
    s.squads = (ClutchSquad(s.box.rosters["Away"]), ClutchSquad(s.box.rosters["Home"]))
    return s


def ready(
    inning: int = 6,
    half: Half = "top",
    bases: str = "",
    cards: Mapping[str, str] | None = None,
    house: Mapping[str, str] | None = None,
    rests: Mapping[str, int] | None = None,
    starter: str = "",
) -> State:
    """Return a position with both line-ups as their rosters have them; `bases` are the occupied ones, as "13".

    The first pitcher of each rotation, or `starter` for his side, has pitched long enough to leave.
    """
    s = fresh(cards, house, rests)
    for side in SEATS:
        names = lineup.eligible_starters(s, side)
        first = starter if starter in names else names[0]
        play(lineup.name_starter(s, side), *((first,) if len(names) > 1 else ()))
        play(lineup.set_lineup(s, side), "roster")
    s.clock, s.news = InningClock(inning, half), ()
    arm(s, outs=9, faced=12, finished=True)
    put_on_base(s, bases)
    return s


def at(
    bases: str = "", outs: int = 0, score: tuple[int, int] = (0, 0), house: Mapping[str, str] | None = None, **bat: Any
) -> State:
    """Return a position in the top of the fifth with fresh starters; `bat` is facts about the at-bat."""
    s = fresh(house=house)
    s.clock, s.score, s.outs = InningClock(5), score, outs
    for side, name in zip(SEATS, ("Away", "Home"), strict=True):
        take_the_field(s, side, name)
    put_on_base(s, bases)
    s.update_at_bat(**bat)
    return s


def arm(s: State, **facts: Any) -> None:
    """Change the record of the pitcher on the mound."""
    s.store_record(s.defense, replace(s.current_record, **facts))


def charged(s: State, base: int, **changes: Any) -> None:
    """Put a runner on a base who is charged to another pitcher or otherwise changed."""
    bases = list(s.bases)
    runner = bases[base - 1]
    assert runner is not None
    bases[base - 1] = replace(runner, **changes)
    s.bases = (bases[0], bases[1], bases[2])


# Playing -------------------------------------------------------------------------------------------------------------


def play(step: Step[T], *answers: object) -> T:
    """Run a step with these answers; it must use all of them, and every sentence must be complete."""
    given = list(answers)
    try:
        ask = next(step)
        while True:
            say(ask)
            assert given, ask
            ask = step.send(ask.validate_answer(given.pop(0)))
    except StopIteration as end:
        assert not given, given
        value: T = end.value
        return value


def do(s: State, code: str, *answers: object, side: Seat = "home") -> bool:
    """Make a legal substitution; return True if it was made."""
    assert code in legal_changes(s, side)
    return play(make_change(s, side, code), *answers)


def until(step: Step[Any], *answers: object) -> Choose | Arrange | Roll:
    """Return what is asked after these answers, secretly or not."""
    ask = next(step)
    for answer in answers:
        ask = step.send(ask.validate_answer(answer))
    step.close()
    if isinstance(ask, Secret):
        ask = ask.ask
    else:
        say(ask)
    assert isinstance(ask, Choose | Arrange | Roll)
    return ask


def options(step: Step[Any], *answers: object) -> tuple[str, ...]:
    """Return the options after these answers."""
    ask = until(step, *answers)
    assert isinstance(ask, Choose)
    return ask.options


def say(ask: Choose | Arrange | Roll) -> str:
    """Return the sentence of an ask; each option has words, or is a card, whose name contains a capital letter."""
    offered = ask.options if isinstance(ask, Choose) else (*ask.pieces, *ask.places) if isinstance(ask, Arrange) else ()
    labels = ask.facts.get("labels", {})
    for code in offered:
        assert GAME_WORDS.option_label(code, ask.facts)
        assert code in GAME_WORDS.options or code in labels or code != code.lower() or isinstance(ask, Arrange)
    assert set(ask.facts.get("notes", {})) | set(labels) <= set(offered)
    return GAME_WORDS.ask_sentence(ask.why, ask.facts)


# Looking -------------------------------------------------------------------------------------------------------------


def order(s: State, side: Seat = "home") -> tuple[tuple[str, str], ...]:
    """Return who bats, and his position."""
    squad = s.squad(side)
    return tuple(zip(squad.order, squad.spots, strict=True))


def stand(s: State) -> tuple[str, int, int]:
    """Return the occupied bases, as "13", the outs, and the runs of the side at bat in this play."""
    return "".join(str(base) for base, runner in enumerate(s.bases, 1) if runner), s.outs, s.runs


def line(s: State, name: str = "") -> BattingLine:
    """Return the batting line of the batter, or of another player by name."""
    return s.lines[SEATS.index(s.offense)][name or s.batter_card.name]


def wrote(s: State, name: str = "") -> dict[str, int]:
    """Return a batting line without its zeros."""
    found = line(s, name)
    counts = {what: getattr(found, what) for what in BattingLine.__slots__ if what not in ("name", "spot", "positions")}
    return {what: count for what, count in counts.items() if count}


def event_sentences(s: State) -> list[str]:
    """Return the events as sentences, without throw totals."""
    return [GAME_WORDS.event_sentence(event) for event in s.news if not event.code.startswith("throw-")]


def event_codes(s: State) -> list[str]:
    """Return the codes of all events."""
    return [event.code for event in s.news]
