"""What the screens say, whatever their height: who must do what, the advice, the dice seen."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from device.display.lettering import fit, width
from device.display.widgets import THROWS, number, own, played, short_names
from engine.ask_views import AskView, DieView, RerollView, RollView
from engine.dice import Face
from engine.scoreboard import Scoreboard
from engine.seats import Seat
from engine.views import EntryView, ProposalView, SecretEntryView, View


def who(asks: Sequence[AskView], names: Mapping[Seat, str], board: Scoreboard, room: int) -> str:
    """Return who must do what, in at most `room` pixels.

    A choice at bat names the batter if there is room. A team is cut to its first letter if its name has no room and the
    letters differ.
    """
    if not asks:
        return ""
    seats = list(dict.fromkeys(ask.seat for ask in asks))
    name = names.get(seats[0], seats[0]) if len(seats) == 1 else "Both"
    wants = own(board).wants.get(asks[0].why) or task(asks[0])
    short = f"{name}: {wants}"
    if width(short) > room and len(seats) == 1 and len({one[:1] for one in names.values()}) == len(names):
        short = f"{name[:1]}: {wants}"
    batter = board.batter
    if batter and wants == "choose" and len(seats) == 1:
        bats = played(board, seats[0]) == board.batting
        ways = [f"{one}: {batter} up" if bats else f"{one} v {batter}" for one in (name, name[:1])]
        return next((one for one in ways[: 1 + (short[:2] == f"{name[:1]}:")] if width(one) <= room), fit(short, room))
    return fit(short, room)


def task(ask: AskView) -> str:
    """Return what an ask wants, as a verb with its object: dice to roll, or a choice."""
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
    """Return the dice that an ask wants thrown, all of them for a reroll."""
    return ask.dice if isinstance(ask, RollView | RerollView) else ()


def seen_faces(view: View, seen: ProposalView) -> list[Face | None]:
    """Return the faces of a proposed roll, with None for each die that was not seen."""
    wanted = [dice_of(ask) for ask in view.table.asks if ask.n == seen.n]
    return [*seen.faces, *[None] * (max(map(len, wanted), default=0) - len(seen.faces))]


def named_dice(seen: ProposalView) -> str:
    """Return which die shows what if a roll has several colors, else ""."""
    words = seen.words
    return "" if words == ", ".join(map(str, seen.faces)) else words[:1].upper() + words[1:]


def figures(board: Scoreboard) -> list[str]:
    """Return stake, count and fatigue, as far as the game has them."""
    stake, count, fatigue = board.stake, board.count, board.fatigue
    return [
        *([f"+{number(stake, 2)}"] if stake else []),
        *([f"{number(count[0], 1)}-{number(count[1], 1)}"] if count else []),
        *([f"F{number(fatigue, 2)}"] if fatigue is not None else []),
    ]


def choosing(asks: Sequence[AskView], dial: EntryView | None) -> str:
    """Return what a side does that chooses in secret: what OK does if all sides have the same ask, else "choosing"."""
    same = len({ask.why for ask in asks}) == 1
    return (same and isinstance(dial, SecretEntryView) and dial.brief) or "choosing"


def secret_word(seat: Seat, asks: Sequence[AskView], ready: Collection[Seat], dial: EntryView | None) -> str:
    """Return what a seat does while somebody chooses in secret."""
    return choosing(asks, dial) if any(ask.seat == seat for ask in asks) else "ready" if seat in ready else "waits"


def unseen(asks: Sequence[AskView], ready: Collection[Seat], dial: EntryView | None) -> str | None:
    """Return how the only side that is asked enters its secret; None if several are, or it is not entered unseen."""
    alone = len({*(ask.seat for ask in asks), *ready}) == 1
    return dial.how if alone and isinstance(dial, SecretEntryView) else None
