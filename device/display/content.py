"""What the screens say, whatever their height: names, who must do what, advice, a roll, a race, a secret.

Nothing is drawn here; `screens_64` and `screens_32` place it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from device.display.games import GameScreens, screens
from device.display.lettering import fit, plain_ascii, width
from engine.ask_views import AskView, DieView, RerollView, RollView
from engine.clock import Outcome
from engine.dice import Face
from engine.scoreboard import Scoreboard, Side
from engine.seats import SEATS, Seat
from engine.views import EntryView, ProposalView, RaceView, SecretEntryView, TableView, View

THROWS = ("roll", "reroll")  # the kinds of asks that are answered with dice
FEW = 4  # the most dice to show beside what is asked

STATES = {"rolling": "roll", "ready": "CALL!", "void": "void", "called": "called", "confirm": "asked"}
"""How a side stands in a race, in one word."""

# The scoreboard ------------------------------------------------------------------------------------------------------


def own(board: Scoreboard) -> GameScreens:
    """Return what the game of this scoreboard draws in its own way."""
    return screens(board.game)


def recent(board: Scoreboard, asks: Sequence[AskView]) -> Sequence[Any]:
    """Return the last dice, if they are few; none while some may be thrown again, since those are shown larger."""
    dice: Sequence[Any] = board.dice
    if own(board).numerals:
        dice = [str(face) for face in dice]
    return () if len(dice) > FEW or any(ask.kind == "reroll" for ask in asks) else dice


def number(value: Any, digits: int) -> str:
    """Return a count in at most `digits` digits; a larger one becomes 9s."""
    return str(min(int(value or 0), 10**digits - 1))


def short_names(sides: Mapping[Seat, Side], room: int) -> dict[Seat, str]:
    """Return the teams' names in at most `room` pixels of plain letters: whole, or the last word if those differ."""
    whole = {seat: plain_ascii(side.name) or seat.title() for seat, side in sides.items()}
    last = {seat: name.split()[-1] for seat, name in whole.items()}
    apart = len(set(last.values())) == len(last)
    return {seat: fit(name if width(name) <= room or not apart else last[seat], room) for seat, name in whole.items()}


def played(board: Scoreboard, seat: Seat | None) -> Seat | None:
    """Return the side that a seat plays; None if it plays none."""
    return None if seat is None else board.plays.get(seat)


def seated(board: Scoreboard, names: Mapping[Seat, str]) -> dict[Seat, str]:
    """Return the names of the sides by the seats that play them."""
    return {seat: names[side] for seat in SEATS if (side := played(board, seat))}


def scores(sides: Mapping[Seat, Side], runs: Mapping[Seat, str], room: int) -> dict[Seat, str]:
    """Return both teams with their runs, each name in at most `room` pixels."""
    return {seat: f"{short} {runs[seat]}".lstrip() for seat, short in stubs(sides, room).items()}


def stubs(sides: Mapping[Seat, Side], room: int) -> dict[Seat, str]:
    """Return the first letters of the teams' names that fit into `room` pixels; A and H if they are the same."""
    found = {seat: plain_ascii(sides[seat].name).split() for seat in SEATS}
    words = {seat: parts[-1] if parts else "" for seat, parts in found.items()}
    for seat, word in words.items():
        while width(words[seat]) > room:
            words[seat] = words[seat][:-1]
        if words[seat] != word:
            words[seat] = words[seat].rstrip("-.,:;'")
    return words if len({*words.values(), ""}) == 3 else {"away": "A", "home": "H"}


def figures(board: Scoreboard) -> list[str]:
    """Return stake, count and fatigue, as far as the game has them."""
    stake, count, fatigue = board.stake, board.count, board.fatigue
    return [
        *([f"+{number(stake, 2)}"] if stake else []),
        *([f"{number(count[0], 1)}-{number(count[1], 1)}"] if count else []),
        *([f"F{number(fatigue, 2)}"] if fatigue is not None else []),
    ]


# Who must do what ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Turn:
    """What is shown below the score, apart from a secret."""

    asks: Sequence[AskView]
    """The asks that are shown: the one that the buttons point at, or all."""
    waiting: bool
    """True while dice are awaited and no button was pressed: until then the camera decides."""
    again: RerollView | None
    """The dice that lie, while some of them may be thrown again."""
    entry: EntryView | None
    """The choice of the buttons, if it is shown."""

    @classmethod
    def of(cls, view: View) -> Turn:
        """Return what is shown of this view."""
        dial = view.dial
        asks = [ask for ask in view.table.asks if dial and ask.n == dial.n] or view.table.asks
        waiting = bool(asks) and asks[0].kind in THROWS and not (dial and dial.touched)
        again = asks[0] if waiting and isinstance(asks[0], RerollView) else None
        return cls(asks, waiting, again, None if waiting else dial)


def who(asks: Sequence[AskView], names: Mapping[Seat, str], board: Scoreboard, room: int) -> str:
    """Return who must do what, in at most `room` pixels.

    A choice at bat names the batter if there is room. A team is cut to its first letter if its name has no room and the
    letters differ.
    """
    if not asks:
        return ""
    seats = list(dict.fromkeys(ask.seat for ask in asks))
    name = names.get(seats[0], seats[0]) if len(seats) == 1 else "Both"
    action = own(board).actions.get(asks[0].why) or task(asks[0])
    short = f"{name}: {action}"
    if width(short) > room and len(seats) == 1 and len({one[:1] for one in names.values()}) == len(names):
        short = f"{name[:1]}: {action}"
    batter = board.batter
    if batter and action == "choose" and len(seats) == 1:
        bats = played(board, seats[0]) == board.batting
        ways = [f"{one}: {batter} up" if bats else f"{one} v {batter}" for one in (name, name[:1])]
        return next((one for one in ways[: 1 + (short[:2] == f"{name[:1]}:")] if width(one) <= room), fit(short, room))
    return fit(short, room)


def task(ask: AskView) -> str:
    """Return what an ask is for, as a verb with its object: dice to roll, or a choice."""
    if isinstance(ask, RollView):
        dice = ask.dice
        kinds = {die.kind for die in dice}
        if len(dice) == 1:
            colour = f"{dice[0].colour} " if dice[0].colour else ""
            return f"roll {colour}{'die' if kinds == {'d6'} else dice[0].kind}"
        return f"roll {len(dice)} {kinds.pop() if len(kinds) == 1 and kinds != {'d6'} else 'dice'}"
    if isinstance(ask, RerollView):
        most = min(ask.most, len(ask.free))
        return "throw one again" if most == 1 else f"1 to {most} again"
    if ask.kind == "arrange":
        return "lay out"
    return "choose"


def named(asks: Sequence[AskView], board: Scoreboard) -> str:
    """Return the name of the side that must answer, in at most 43 pixels; "Both", or "" for no ask."""
    sides = awaited(board, asks)
    return "" if not sides else "Both" if len(sides) > 1 else short_names(board.sides, 43)[sides.pop()]


def awaited(board: Scoreboard, asks: Sequence[AskView]) -> set[Seat]:
    """Return the sides that must answer."""
    return {side for ask in asks if (side := played(board, ask.seat))}


def advice(view: View, asks: Sequence[AskView]) -> str:
    """Return the sentence that helps most now: what is missing for a roll, what the camera sees, or the ask."""
    rolling = any(ask.kind in THROWS for ask in asks)
    missing, watching = view.missing, view.watching
    board = view.table.scoreboard
    aim = own(board).aim(board, asks) if rolling else ""
    if missing and (rolling or not asks):
        more = f" (+{len(missing) - 1})" if len(missing) > 1 else ""
        return f"{aim} {missing[0]}{more}".lstrip()
    if rolling and watching.words:
        off = watching.state == "off"
        one = aim and sum(len(dice_of(ask)) for ask in asks) == 1
        enter = f"Turn < > to enter {'it' if one else 'the dice'}." if off else ""
        parts = [aim, "" if aim and off else watching.words, enter]
        return " ".join(filter(None, parts))
    if asks:
        return asks[0].sentence
    return view.table.last


def brief(view: View, asks: Sequence[AskView]) -> str:
    """Return the sentence that helps most in a roll; if the camera is ready, only what the roll must beat."""
    board = view.table.scoreboard
    aim = own(board).aim(board, asks)
    quiet = view.watching.state in ("empty", "settled") and not view.missing
    return f"{aim} Roll!" if aim and quiet else advice(view, asks)


def dice_of(ask: AskView) -> Sequence[DieView]:
    """Return the dice of an ask, all of them for a reroll."""
    return ask.dice if isinstance(ask, RollView | RerollView) else ()


# A secret, a roll to confirm, a race, the end ------------------------------------------------------------------------


def secret(table: TableView, entry: EntryView | None) -> tuple[str | None, list[tuple[Seat, str]]]:
    """Return what the seats do while somebody chooses in secret.

    The first item says how the only side that is asked enters its secret unseen; then only this side is listed. It is
    None if several are asked, or if it is not entered unseen.
    """
    asked, brief, how = {ask.seat for ask in table.asks}, None, None
    if isinstance(entry, SecretEntryView):
        brief = entry.brief if len({ask.why for ask in table.asks}) == 1 else None
        how = entry.how if len({*asked, *table.ready}) == 1 else None
    words = {seat: "ready" if seat in table.ready else "waits" for seat in SEATS}
    words |= dict.fromkeys(asked, brief or "choosing")
    return how, [(seat, words[seat]) for seat in SEATS if not how or seat in asked]


@dataclass(frozen=True, slots=True)
class RollContent:
    """A roll to confirm."""

    faces: Sequence[Face | None]
    """What the dice show, None for each die that was not seen."""
    left: float | None
    """The part of the time that is left to stop a sure roll, 0 to 1; None if the roll waits for a person."""
    title: str
    """Who rolled, or what to do about a roll that waits."""
    named: str
    """Which die shows what if a sure roll has several colors, else ""."""
    advice: str
    """What to do about a doubt, else ""."""
    entry: EntryView | None
    """What the buttons would enter."""
    buttons: str
    """What the buttons do without an entry."""

    @classmethod
    def of(cls, view: View, seen: ProposalView, room: int) -> RollContent:
        """Return what to say of a proposed roll; the name of its side has `room` pixels."""
        board, dial = view.table.scoreboard, view.dial
        dice = [dice_of(ask) for ask in view.table.asks if ask.n == seen.n]
        faces = [*seen.faces, *[None] * (max(map(len, dice), default=0) - len(seen.faces))]
        known = bool(faces) and None not in faces
        if seen.sure and seen.seconds is not None:
            left = min(1.0, max(0.0, seen.seconds / seen.total)) if seen.total > 0 else 0.0
            title = f"{seated(board, short_names(board.sides, room)).get(seen.seat, '')} rolled"
            named = "" if seen.words == ", ".join(map(str, seen.faces)) else seen.words[:1].upper() + seen.words[1:]
            return cls(faces, left, title, named, "", None, "OK now  < > change")
        advice = "" if seen.sure else seen.advice or ""
        entry = dial if dial and dial.n == seen.n else None
        buttons = "OK yes  < > change" if known else "< > enter the dice"
        return cls(faces, None, "Is this right?" if known else "Not read", "", advice, entry, buttons)


@dataclass(frozen=True, slots=True)
class Runner:
    """How one side stands in a race: its name, its last face, the faces that win, and its state in a word."""

    name: str
    face: Face | None
    wins: str
    state: str
    lit: bool
    """True if it has called or may call."""


def runners(view: View, run: RaceView) -> dict[Seat, Runner]:
    """Return how each side stands in a race."""
    names = short_names(view.table.scoreboard.sides, 43)
    found = {}
    for seat, one in run.seats.items():
        wins = (" or " if len(one.wins) < 3 else ", ").join(map(str, one.wins))
        lit = one.state in ("ready", "called", "confirm")
        found[seat] = Runner(names[seat], one.face, wins, STATES.get(one.state, one.state), lit)
    return found


def question(caller: Runner) -> str:
    """Return what to ask a side that called."""
    return f"{caller.name} called: what does the die show?"


def ending(view: View, outcome: Outcome) -> tuple[str, dict[Seat, bool]]:
    """Return how the game ended, or the notice in its place, and whether each side won."""
    board = view.table.scoreboard
    return view.notice or outcome.sentence, {seat: played(board, outcome.winner) == seat for seat in SEATS}
